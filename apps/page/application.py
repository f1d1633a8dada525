"""The routes of the page and its API."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from bsp_sat.apps.page.answering import Service
from bsp_sat.apps.page.answers.boards import all_boards
from bsp_sat.apps.page.answers.reading import reading
from bsp_sat.apps.page.errors import Refused, refused_by
from bsp_sat.apps.page.http.bodies import Room, answered, body_of, parsed, read
from bsp_sat.apps.page.http.error_middleware import ErrorMiddleware
from bsp_sat.apps.page.http.guard import Guard
from bsp_sat.apps.page.http.origins import Origin
from bsp_sat.apps.page.http.page_files import PageFiles, sent
from bsp_sat.apps.page.http.queue import Queue
from bsp_sat.apps.page.http.secret import Secret
from bsp_sat.apps.page.http.streams import AnswerResponse, EventStream, Json, LastWord, refusal
from bsp_sat.apps.page.questions import QUICK, SEARCHES, SHORT_TURNS, TURNS, PageQuestion
from bsp_sat.apps.page.request_fields import Reader, check_keys
from bsp_sat.backends.engine import engine_module, has_tab_library
from bsp_sat.backends.run import QueueFull
from bsp_sat.instances.errors import BspSatError

PAGE, DATA = (Path(str(files("bsp_sat.apps.page") / folder)) for folder in ("page", "data"))
PICTURE_BYTES = 20_000_000
PICTURES = ("image/png", "image/jpeg", "image/webp")

Handler = Callable[[Request], Awaitable[Response]]


class Queues(NamedTuple):
    """The queues of a running server.

    ``searches`` may take as long as the limits allow; for ``turns`` a player waits between two moves, and long requests
    for being read.
    """

    searches: Queue
    turns: Queue


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
    """The page and its API, for a server that listens on ``host``; ``origins`` are the page's under its other names.

    ``places`` searches run at a time, each within ``seconds`` and ``memory_mb``; so many more may be ``waiting``. Paths
    begin with ``secret``.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[Mapping[str, Any]]:
        try:
            queues = Queues(Queue(places, waiting), Queue(places, waiting))
        except RuntimeError as error:
            app.state.failure = refused_by(error).sentence
            raise
        app.state.queues = queues
        yield {"queues": queues, "service": Service(seconds, memory_mb)}
        for queue in queues:
            queue.close()

    routes = [
        Route("/", _index),
        Route("/page/engine/search.wasm", _engine),
        Mount("/page", PageFiles(directory=PAGE), middleware=[Middleware(GZipMiddleware)]),
        Route("/data/boards.json", _all_boards),
        Mount("/data", StaticFiles(directory=DATA), middleware=[Middleware(GZipMiddleware)]),
        *(Route(f"/api/{path}", _at_once(reader), methods=["POST"]) for path, reader in QUICK.items()),
        *(
            Route(f"/api/{path}", _queued(asked, EventStream, turn=False), methods=["POST"])
            for path, asked in SEARCHES.items()
        ),
        *(Route(f"/api/{path}", _queued(asked, EventStream), methods=["POST"]) for path, asked in TURNS.items()),
        *(Route(f"/api/{path}", _queued(asked, LastWord), methods=["POST"]) for path, asked in SHORT_TURNS.items()),
        Route("/api/read", _read, methods=["POST"]),
    ]
    handlers: dict[Any, Any] = {
        BspSatError: _refused,
        Refused: _refused,
        QueueFull: _queue_full,
        HTTPException: _http,
        ClientDisconnect: _gone,
    }
    middleware = [
        *([] if secret is None else [Middleware(Secret, secret=secret)]),
        Middleware(Guard, host=host, origins=origins),
        Middleware(ErrorMiddleware),
        Middleware(Room),
    ]
    app = Starlette(routes=routes, middleware=middleware, exception_handlers=handlers, lifespan=lifespan)
    app.router.redirect_slashes = False  # such a redirect would leave out the secret, and no address needs one
    return app


# -- answers --------------------------------------------------------------------------------------------


async def _index(request: Request) -> Response:
    return FileResponse(PAGE / "index.html")


async def _engine(request: Request) -> Response:
    if not has_tab_library():  # then the server answers all that the page asks
        raise Refused(404, "the compiled search for browsers isn't installed")
    return sent(request.headers, await run_in_threadpool(engine_module), "application/wasm")


async def _all_boards(request: Request) -> Response:
    return Json(await run_in_threadpool(all_boards))


async def _read(request: Request) -> Response:
    picture = await body_of(request, PICTURES, PICTURE_BYTES)
    asked = request.query_params
    check_keys(asked, "row")
    return LastWord(_queues(request).turns, reading(request.state.service, picture, asked.getlist("row")))


def _at_once(reader: Reader) -> Handler:
    """Answers quick requests."""

    async def handler(request: Request) -> Response:
        file = await read(request, answered, reader, _queues(request).turns)
        return Response(file.data, media_type=file.kind)

    return handler


def _queued(asked: PageQuestion, response: type[AnswerResponse], *, turn: bool = True) -> Handler:
    """Answers by jobs; a player waits for those that are a turn."""
    reader, answer = asked.reader, asked.answer

    async def handler(request: Request) -> Response:
        queues = _queues(request)
        fields = await read(request, parsed, reader, queues.turns)
        return response(queues.turns if turn else queues.searches, answer(request.state.service, fields))

    return handler


def _queues(request: Request) -> Queues:
    queues: Queues = request.state.queues
    return queues


# -- refusals -------------------------------------------------------------------------------------------


async def _refused(request: Request, error: Exception) -> Response:
    return refusal(refused_by(error))


async def _queue_full(request: Request, error: Exception) -> Response:
    return refusal(Refused(503, "too many searches are waiting; try again later"))


async def _http(request: Request, error: HTTPException) -> Response:
    return Json({"error": error.detail}, error.status_code, error.headers)


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # the client has gone
