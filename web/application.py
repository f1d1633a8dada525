"""The routes of the page and its API."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from bsp_sat.instances.errors import BspSatError
from bsp_sat.web.answers.boards import all_boards, board
from bsp_sat.web.answers.checking import checked
from bsp_sat.web.answers.comparing import comparing, comparing_asked
from bsp_sat.web.answers.drawing import drawing, drawing_asked
from bsp_sat.web.answers.explaining import explaining, explaining_asked
from bsp_sat.web.answers.exploring import exploring, exploring_asked
from bsp_sat.web.answers.generating import generating, generating_asked
from bsp_sat.web.answers.grading import grading, grading_asked
from bsp_sat.web.answers.importing import imported
from bsp_sat.web.answers.reading import reading
from bsp_sat.web.answers.solving import (
    certifying,
    certifying_asked,
    hinting,
    hinting_asked,
    solving,
    solving_asked,
    taking_back,
    taking_back_asked,
)
from bsp_sat.web.answers.teaching import formula, formula_asked, horizons, horizons_asked, methods_asked
from bsp_sat.web.answers.verifying import verifying
from bsp_sat.web.errors import Refused, error_text
from bsp_sat.web.http.bodies import body_of
from bsp_sat.web.http.error_middleware import ErrorMiddleware
from bsp_sat.web.http.guard import Guard
from bsp_sat.web.http.memory import Holding, Memory
from bsp_sat.web.http.origins import Origin
from bsp_sat.web.http.secret import Secret
from bsp_sat.web.http.streams import EventStream, JobResponse, Json, LastWord, refusal
from bsp_sat.web.position import position_asked
from bsp_sat.web.work.requests import Reader, answer_of, asked_of, warm_for
from bsp_sat.web.work.service import Service
from bsp_sat.web.work.work_queue import QueueFull, Work, WorkQueue
from bsp_sat.web.work.worker_pool import WorkerPool

PAGE, DATA = (Path(str(files("bsp_sat.web") / folder)) for folder in ("page", "data"))
SPARE = 1  # an ended process has to be replaced
JSON_BYTES = 300_000
PICTURE_BYTES = 20_000_000
CERTIFICATE_BYTES = 30_000_000
MEMORY_BYTES = 200_000_000  # of all bodies and answers
END_SECONDS = 0.5  # for searches to end
PICTURES = ("image/png", "image/jpeg", "image/webp")

READERS = (
    position_asked, checked, imported, solving_asked, certifying_asked, grading_asked, generating_asked, hinting_asked,
    exploring_asked, drawing_asked, taking_back_asked, comparing_asked, horizons_asked, formula_asked, explaining_asked,
    methods_asked,
)  # fmt: skip
Handler = Callable[[Request], Awaitable[Response]]


def application(
    *,
    host: str,
    origins: tuple[Origin, ...],
    places: int,
    waiting: int,
    seconds: float,
    memory_mb: float,
    secret: str | None = None,
) -> Starlette:
    """The page and its API.

    Args:
        host: the address that the server listens on.
        origins: the page's origins under the server's other names.
        places: searches at a time.
        waiting: how many more may wait.
        seconds: time limit of each search.
        memory_mb: memory limit of each search.
        secret: the first part of every path; None for none.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[Mapping[str, Any]]:
        readers = max(2, places)
        reading = WorkerPool(readers, warm_for(*READERS))
        pools = (reading, WorkerPool(2 * places + SPARE, after=reading))
        try:
            requests = WorkQueue(readers, waiting, pools[0], newest_first=True)
            searches, turns = WorkQueue(places, waiting, pools[1]), WorkQueue(places, waiting, pools[1])
            for pool in pools:
                pool.fill()
        except RuntimeError as error:
            app.state.failure = error_text(error)
            raise
        service = Service(searches, turns, requests, seconds, memory_mb)
        app.state.service = service
        yield {"service": service}
        with suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                await asyncio.gather(searches.close(), turns.close(), requests.close())
        for pool in pools:
            pool.close()

    routes = [
        Route("/", _index),
        Mount("/page", StaticFiles(directory=PAGE), middleware=[Middleware(GZipMiddleware)]),
        Mount("/data", StaticFiles(directory=DATA), middleware=[Middleware(GZipMiddleware)]),
        Route("/api/boards", _all_boards),
        Route("/api/boards/{name}", _board),
        Route("/api/position", _at_once(position_asked), methods=["POST"]),
        Route("/api/check", _at_once(checked), methods=["POST"]),
        Route("/api/import", _at_once(imported), methods=["POST"]),
        Route("/api/methods", _at_once(methods_asked), methods=["POST"]),
        Route("/api/solve", _search(solving_asked, solving), methods=["POST"]),
        Route("/api/take-back", _search(taking_back_asked, taking_back), methods=["POST"]),
        Route("/api/certificate", _search(certifying_asked, certifying), methods=["POST"]),
        Route("/api/grade", _search(grading_asked, grading), methods=["POST"]),
        Route("/api/generate", _search(generating_asked, generating), methods=["POST"]),
        Route("/api/compare", _search(comparing_asked, comparing), methods=["POST"]),
        Route("/api/horizons", _search(horizons_asked, horizons), methods=["POST"]),
        Route("/api/formula", _search(formula_asked, formula), methods=["POST"]),
        Route("/api/why", _search(explaining_asked, explaining), methods=["POST"]),
        Route("/api/hint", _turn(hinting_asked, hinting, EventStream), methods=["POST"]),
        Route("/api/explore", _turn(exploring_asked, exploring, LastWord), methods=["POST"]),
        Route("/api/draw", _turn(drawing_asked, drawing, LastWord), methods=["POST"]),
        Route("/api/read", _read, methods=["POST"]),
        Route("/api/verify", _verify, methods=["POST"]),
    ]
    handlers: dict[Any, Any] = {
        BspSatError: _refused_board,
        Refused: _refused,
        QueueFull: _queue_full,
        HTTPException: _http,
        ClientDisconnect: _gone,
    }
    middleware = [
        *([] if secret is None else [Middleware(Secret, secret=secret)]),
        Middleware(Guard, host=host, origins=origins),
        Middleware(ErrorMiddleware),
        Middleware(Holding, memory=Memory(MEMORY_BYTES)),
    ]
    return Starlette(routes=routes, middleware=middleware, exception_handlers=handlers, lifespan=lifespan)


# -- answers --------------------------------------------------------------------------------------------


async def _index(request: Request) -> Response:
    return FileResponse(PAGE / "index.html")


async def _all_boards(request: Request) -> Response:
    return Json(await run_in_threadpool(all_boards))


async def _board(request: Request) -> Response:
    return Json(await run_in_threadpool(board, request.path_params["name"]))


async def _read(request: Request) -> Response:
    picture = await body_of(request, PICTURES, PICTURE_BYTES)
    asked = request.query_params
    service: Service = request.state.service
    work = reading(service, picture, asked.get("puzzle"), asked.getlist("row"), asked.getlist("set"))
    return LastWord(service.turns, work)


async def _verify(request: Request) -> Response:
    archive = await body_of(request, ("application/zip",), CERTIFICATE_BYTES)
    service: Service = request.state.service
    return EventStream(service.searches, verifying(service, archive))


def _at_once(reader: Reader) -> Handler:
    """Answers quick requests."""

    async def handler(request: Request) -> Response:
        body = await body_of(request, ("application/json",), JSON_BYTES)
        service: Service = request.state.service
        file = await answer_of(service.requests, body, reader)
        request.scope["held"].more(len(file.data))
        return Response(file.data, media_type=file.kind)

    return handler


def _search(reader: Reader, work: Callable[[Service, Any], Work]) -> Handler:
    """Answers with a search."""
    return _job(reader, work, lambda service: service.searches, EventStream)


def _turn(reader: Reader, work: Callable[[Service, Any], Work], response: type[JobResponse]) -> Handler:
    """Answers requests that a player waits for."""
    return _job(reader, work, lambda service: service.turns, response)


def _job(
    reader: Reader,
    work: Callable[[Service, Any], Work],
    jobs: Callable[[Service], WorkQueue],
    response: type[JobResponse],
) -> Handler:
    async def handler(request: Request) -> Response:
        body = await body_of(request, ("application/json",), JSON_BYTES)
        service: Service = request.state.service
        return response(jobs(service), work(service, await asked_of(service.requests, body, reader)))

    return handler


# -- refusals -------------------------------------------------------------------------------------------


async def _refused_board(request: Request, error: Exception) -> Response:
    return refusal(400, error_text(error))


async def _refused(request: Request, error: Refused) -> Response:
    return refusal(error.status, error.sentence)


async def _queue_full(request: Request, error: Exception) -> Response:
    return refusal(503, "too many searches are waiting; try again later")


async def _http(request: Request, error: HTTPException) -> Response:
    return Json({"error": error.detail}, error.status_code, error.headers)


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # the client has gone
