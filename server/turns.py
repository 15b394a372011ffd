"""Who tells a stream its next message: a few at a time and not all the time, so that no call waits behind many of them."""
from __future__ import annotations

import asyncio
from collections import deque

_PASS_S, _MOST = 0.0005, 8
"""So long a pass of the event loop may take for more than one to go on in the next, and so many at most."""
_WORK_S, _REST_S = 0.002, 0.001
"""After so much work the streams rest."""


class Turns:
    """Lets those who wait go on, the first first: one in a pass of the event loop, and more as long as that takes next to no time,
    as it does where many are told the same. Now and then there is a rest. Everything else goes on in every pass.

    A move at a table that many watch, or moves at many tables at once, would else hold up all calls until the last message about
    them is built. Streams that have to wait for long lose nothing: the next message tells them all that has happened meanwhile.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._calling = False       # will `_call` be called?
        self._called_at: float | None = None    # when the last ones were let go on, in the pass before
        self._count = 1             # of those that may go on in one pass
        self._worked_s = 0.0        # since the last rest

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
        now = loop.time()
        if self._called_at is not None:
            took_s = now - self._called_at      # and all else of that pass
            self._count = min(2 * self._count, _MOST) if took_s < _PASS_S else max(1, self._count // 2)
            self._worked_s += took_s
            self._called_at = None
        if self._worked_s >= _WORK_S:
            self._worked_s = 0.0
            loop.call_later(_REST_S, self._call, loop)
        elif self._let_go():
            self._called_at = now
            loop.call_soon(self._call, loop)
        else:
            self._calling, self._count, self._worked_s = False, 1, 0.0

    def _let_go(self) -> bool:
        """Let as many go on as may; is there any? Who has gone meanwhile needs no turn."""
        count = 0
        while self._waiting and count < self._count:
            if not (place := self._waiting.popleft()).done():
                place.set_result(None)
                count += 1
        return count > 0
