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
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from bsp_sat.instances.errors import BspSatError
from bsp_sat.instances.text.writing import json_text
from bsp_sat.web.answers import boards
from bsp_sat.web.answers.drawing import drawing
from bsp_sat.web.asked import fields_of, played_asked
from bsp_sat.web.errors import Refused, in_words
from bsp_sat.web.guard import Guard
from bsp_sat.web.jobs import Jobs, QueueFull, Work
from bsp_sat.web.position import position_json
from bsp_sat.web.service import Service
from bsp_sat.web.streams import EventStream

PAGE = Path(str(files("bsp_sat.web") / "page"))
JSON_BYTES = 300_000
BODY_SECONDS = 15.0

Fields = Mapping[str, Any]


class Json(Response):
    """A JSON object, as the command line prints it."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """What Starlette asks for."""
        return json_text(content).encode()


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
        service = Service(Jobs(places, waiting), Jobs(places, waiting), seconds, memory_mb)
        app.state.service = service
        service.searches.warm_up()
        service.turns.warm_up()
        yield {"service": service}
        await asyncio.gather(service.searches.close(), service.turns.close())

    routes = [
        Route("/", _index),
        Mount("/page", StaticFiles(directory=PAGE)),
        Route("/api/boards", _all_boards),
        Route("/api/boards/{name}", _board),
        Route(
            "/api/position", _answered(lambda service, fields: position_json(played_asked(fields))), methods=["POST"]
        ),
        Route("/api/draw", _drawn, methods=["POST"]),
        Route("/api/solve", _streamed(_solving, lambda service: service.searches), methods=["POST"]),
        Route("/api/hint", _streamed(_hinting, lambda service: service.turns), methods=["POST"]),
    ]
    handlers: dict[Any, Any] = {
        BspSatError: _refused_board,
        Refused: _refused,
        QueueFull: _queue_full,
        HTTPException: _http,
        ClientDisconnect: _gone,
        Exception: _bug,
    }
    middleware = [Middleware(Guard, host=host, names=names)]
    return Starlette(routes=routes, middleware=middleware, exception_handlers=handlers, lifespan=lifespan)


async def _index(request: Request) -> Response:
    return FileResponse(PAGE / "index.html")


async def _all_boards(request: Request) -> Response:
    return Json(await run_in_threadpool(boards.all_boards))


async def _board(request: Request) -> Response:
    return Json(await run_in_threadpool(boards.board, request.path_params["name"]))


async def _drawn(request: Request) -> Response:
    body = await body_of(request, ("application/json",), JSON_BYTES)
    data, kind = await run_in_threadpool(lambda: drawing(fields_of(body)))
    return Response(data, media_type=kind)


def _solving(service: Service, fields: Fields) -> Work:
    # Imported here: numpy and llvmlite, which the first page needn't wait for.
    from bsp_sat.web.answers.solving import solving

    return solving(service, fields)


def _hinting(service: Service, fields: Fields) -> Work:
    from bsp_sat.web.answers.solving import hinting

    return hinting(service, fields)


Handler = Callable[[Request], Awaitable[Response]]


def _answered(answer: Callable[[Service, Fields], Any]) -> Handler:
    async def answered(request: Request) -> Response:
        body = await body_of(request, ("application/json",), JSON_BYTES)
        return Json(await run_in_threadpool(lambda: answer(request.state.service, fields_of(body))))

    return answered


def _streamed(work: Callable[[Service, Fields], Work], jobs: Callable[[Service], Jobs]) -> Handler:
    async def streamed(request: Request) -> Response:
        service: Service = request.state.service
        body = await body_of(request, ("application/json",), JSON_BYTES)
        asked = await run_in_threadpool(lambda: work(service, fields_of(body)))
        return EventStream(jobs(service), asked)

    return streamed


async def body_of(request: Request, kinds: tuple[str, ...], most: int) -> bytes:
    """The body of a request.

    Raises:
        Refused: it is of another type, too long, or takes too long to come.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in kinds:
        raise Refused(415, f"expected a body of type {' or '.join(kinds)}")
    too_large = Refused(413, f"expected a body of at most {most:,} bytes")
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > most:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise too_large
    except TimeoutError:
        raise Refused(408, f"the body didn't come within {BODY_SECONDS:g} s") from None
    return bytes(body)


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
    return Response(status_code=400)


async def _bug(request: Request, error: Exception) -> Response:
    return _error(500, in_words(error))
