"""The bodies of requests, with limits on type, size and time."""

import asyncio

from starlette.requests import Request

from bsp_sat.web.errors import Refused

BODY_SECONDS = 15.0


async def body_of(request: Request, kinds: tuple[str, ...], most: int) -> bytes:
    """The body of a request.

    Raises:
        Refused: it has another type, is too large or takes too long, or all requests together hold too much memory.
        ClientDisconnect: the client has gone.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in kinds:
        raise Refused(415, f"expected a body of type {' or '.join(kinds)}")
    too_large = Refused(413, f"expected a body of at most {most:,} bytes")
    if int(request.headers.get("content-length", "0")) > most:  # h11 accepts only numbers
        raise too_large
    parts: list[bytes] = []
    length = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                length += len(part)
                if length > most:
                    raise too_large
                request.scope["held"].more(len(part))
                parts.append(part)
    except TimeoutError:
        raise Refused(408, f"the body didn't come within {BODY_SECONDS:g} s") from None
    return b"".join(parts)
