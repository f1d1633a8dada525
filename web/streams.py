"""Answers that come event by event (server-sent events), for as long as somebody listens."""

import asyncio

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from bsp_sat.instances.text.writing import json_text
from bsp_sat.web.jobs import Jobs, Told, Work

SILENCE_SECONDS = 10.0  # then a comment is sent, so that nobody on the way takes the stream for dead
SENDING_SECONDS = 20.0  # for a page that doesn't read
HAS_ENDED: Told = ("error", {"error": "the server has ended"})


class EventStream(Response):
    """The events of a job. It ends with the job, with its page, or with the server, whichever comes first.

    Raises:
        QueueFull: there is no place for the job.
    """

    media_type = "text/event-stream"

    def __init__(self, jobs: Jobs, work: Work) -> None:
        super().__init__()
        del self.headers["content-length"]
        self.headers["x-accel-buffering"] = "no"  # nginx would keep the events back
        self._ending = jobs.ending
        self._job = jobs.enter(work)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the events, and watches for the page's going away meanwhile."""
        sending = asyncio.ensure_future(self._send(send))
        leaving = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._job.close()
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)

    async def _send(self, send: Send) -> None:
        async def put(data: str, *, more: bool = True) -> None:
            async with asyncio.timeout(SENDING_SECONDS):
                await send({"type": "http.response.body", "body": data.encode(), "more_body": more})

        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        ending = asyncio.ensure_future(self._ending.wait())
        coming = asyncio.ensure_future(self._job.told.get())
        try:
            while True:
                await asyncio.wait((coming, ending), timeout=SILENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                if coming.done():
                    event = coming.result()
                    if event is None:
                        break
                    await put(_written(event))
                    coming = asyncio.ensure_future(self._job.told.get())
                elif ending.done():
                    await put(_written(HAS_ENDED))
                    break
                else:
                    await put(": \n\n")
        finally:
            ending.cancel()
            coming.cancel()
        await put("", more=False)


def _written(event: Told) -> str:
    name, data = event
    return f"event: {name}\ndata: {json_text(data)}\n\n"


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
