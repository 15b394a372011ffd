"""Who builds the next message of a stream: one at a time, so that no call waits behind many of them."""
from __future__ import annotations

import asyncio
from collections import deque


class Turns:
    """Lets one who waits go on in each pass of the event loop, the first first. Everything else goes on in every pass.

    A move at a table that many watch, or moves at many tables at once, would else hold up all calls until the last message about
    them is built. Streams that have to wait for long lose nothing: the next message tells them all that has happened meanwhile.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._calling = False       # is `_call` to be called?

    async def next(self) -> None:
        """Wait for one's turn. What has been true before need not be true any more."""
        loop = asyncio.get_running_loop()
        place: asyncio.Future[None] = loop.create_future()
        self._waiting.append(place)
        if not self._calling:
            self._calling = True
            loop.call_soon(self._call, loop)
        await place

    def _call(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():        # who has gone meanwhile needs no turn
                place.set_result(None)
                break
        self._calling = bool(self._waiting)
        if self._calling:
            loop.call_soon(self._call, loop)
