"""The routes: which request gets which answer."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
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
from bsp_sat.web.answers.drawing import drawing
from bsp_sat.web.answers.exploring import exploring
from bsp_sat.web.answers.generating import generating
from bsp_sat.web.answers.grading import grading
from bsp_sat.web.answers.reading import reading
from bsp_sat.web.answers.solving import certifying, hinting, solving
from bsp_sat.web.asked import fields_of, played_asked
from bsp_sat.web.errors import Refused, in_words
from bsp_sat.web.http.bodies import body_of
from bsp_sat.web.http.guard import Guard
from bsp_sat.web.http.plainly import Plainly
from bsp_sat.web.http.streams import EventStream, JobResponse, Json, LastWord
from bsp_sat.web.position import position_json
from bsp_sat.web.work.jobs import Jobs, QueueFull, Work
from bsp_sat.web.work.service import Service
from bsp_sat.web.work.stock import Stock

PAGE = Path(str(files("bsp_sat.web") / "page"))
SPARE = 1  # a process that is cut short has to be replaced
JSON_BYTES = 300_000
PICTURE_BYTES = 20_000_000
PICTURES = ("image/png", "image/jpeg", "image/webp")

Fields = Mapping[str, Any]
Handler = Callable[[Request], Awaitable[Response]]


def application(
    *, host: str, names: tuple[str, ...], places: int, waiting: int, seconds: float, memory_mb: float
) -> Starlette:
    """The page and its API.

    Args:
        host: the address that the server listens on.
        names: further names that it goes by.
        places: searches at a time.
        waiting: how many more may wait.
        seconds: for each of them at most.
        memory_mb: for each of them at most.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[Mapping[str, Any]]:
        stock = Stock(2 * places + SPARE)
        service = Service(Jobs(places, waiting, stock), Jobs(places, waiting, stock), seconds, memory_mb)
        app.state.service = service
        stock.fill()
        yield {"service": service}
        await asyncio.gather(service.searches.close(), service.turns.close())
        await run_in_threadpool(stock.close)

    routes = [
        Route("/", _index),
        Mount("/page", StaticFiles(directory=PAGE), middleware=[Middleware(GZipMiddleware)]),
        Route("/api/boards", _all_boards),
        Route("/api/boards/{name}", _board),
        Route("/api/position", _at_once(lambda fields: position_json(played_asked(fields))), methods=["POST"]),
        Route("/api/check", _at_once(checked), methods=["POST"]),
        Route("/api/solve", _search(solving), methods=["POST"]),
        Route("/api/certificate", _search(certifying), methods=["POST"]),
        Route("/api/grade", _search(grading), methods=["POST"]),
        Route("/api/generate", _search(generating), methods=["POST"]),
        Route("/api/hint", _turn(hinting, EventStream), methods=["POST"]),
        Route("/api/explore", _turn(exploring, LastWord), methods=["POST"]),
        Route("/api/draw", _turn(drawing, LastWord), methods=["POST"]),
        Route("/api/read", _read, methods=["POST"]),
    ]
    handlers: dict[Any, Any] = {
        BspSatError: _refused_board,
        Refused: _refused,
        QueueFull: _queue_full,
        HTTPException: _http,
        ClientDisconnect: _gone,
    }
    middleware = [Middleware(Guard, host=host, names=names), Middleware(Plainly)]
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
    return LastWord(service.turns, reading(service, picture, asked.get("puzzle"), asked.getlist("set")))


def _at_once(answer: Callable[[Fields], Any]) -> Handler:
    """Answers what takes no time."""

    async def handler(request: Request) -> Response:
        body = await body_of(request, ("application/json",), JSON_BYTES)
        return Json(await run_in_threadpool(lambda: answer(fields_of(body))))

    return handler


def _search(work: Callable[[Service, Fields], Work]) -> Handler:
    """Answers by a search."""
    return _job(work, lambda service: service.searches, EventStream)


def _turn(work: Callable[[Service, Fields], Work], response: type[JobResponse]) -> Handler:
    """Answers what a player waits for."""
    return _job(work, lambda service: service.turns, response)


def _job(
    work: Callable[[Service, Fields], Work], jobs: Callable[[Service], Jobs], response: type[JobResponse]
) -> Handler:
    async def handler(request: Request) -> Response:
        service: Service = request.state.service
        body = await body_of(request, ("application/json",), JSON_BYTES)
        return response(jobs(service), await run_in_threadpool(lambda: work(service, fields_of(body))))

    return handler


# -- refusals -------------------------------------------------------------------------------------------


def _error(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    return Json({"error": sentence}, status, headers)


async def _refused_board(request: Request, error: Exception) -> Response:
    return _error(400, in_words(error))


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return _error(error.status, error.sentence)


async def _queue_full(request: Request, error: Exception) -> Response:
    return _error(503, "too many searches are waiting; try again later", {"Retry-After": "5"})


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error(error.status_code, error.detail, error.headers)


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # which nobody reads
