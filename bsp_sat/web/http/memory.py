"""A limit on the memory of all requests and answers; answers sent in pieces."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bsp_sat.web.errors import Refused

PIECE_BYTES = 64_000


class Held:
    """The bytes that one request holds: its body and its answer.

    A request gets no more than it leaves free, so that a few large ones leave room for small ones: of B bytes, n
    requests of equal size get B/(n + 1) each.

    Args:
        memory: the memory shared by all requests.
    """

    def __init__(self, memory: "Memory") -> None:
        self._memory = memory
        self._bytes = 0

    def more(self, number: int) -> None:
        """Takes more bytes.

        Raises:
            Refused: not enough are free.
        """
        if self._bytes + number > self._memory.free - number:
            raise Refused(503, "the server is handling too much data; try again later")
        self._bytes += number
        self._memory.free -= number

    def give_back(self) -> None:
        """Frees all of them."""
        self._memory.free += self._bytes
        self._bytes = 0


class Memory:
    """Bytes for the bodies and answers of all requests.

    Attributes:
        free: bytes not held by any request.
    """

    def __init__(self, free: int) -> None:
        self.free = free


class Holding:
    """Gives each request its `Held` as ``scope["held"]``, and sends long answers in pieces.

    A server's `send` waits while a client doesn't read, but buffers each message as a whole.

    Args:
        app: what answers.
        memory: what there is for all.
    """

    def __init__(self, app: ASGIApp, memory: Memory) -> None:
        self._app = app
        self._memory = memory

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers."""

        async def send_in_pieces(message: Message) -> None:
            body = memoryview(message.get("body", b""))
            while len(body) > PIECE_BYTES:
                await send({**message, "body": bytes(body[:PIECE_BYTES]), "more_body": True})
                body = body[PIECE_BYTES:]
            await send({**message, "body": bytes(body)} if "body" in message else message)

        held = Held(self._memory)
        scope["held"] = held
        try:
            await self._app(scope, receive, send_in_pieces)
        finally:
            held.give_back()
