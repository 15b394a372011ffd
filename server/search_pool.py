"""A bounded pool of search threads with two fair queues: hints (bounded) and bots at tables (one entry per seat)."""
from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from typing import TypeVar

from seatmate.ai.search import StopFlag
from seatmate.server.errors import ApiError, Code, closing
from seatmate.server.logs import log_lost

T = TypeVar("T")

_NICE = 10
"""Of the threads that search: what is asked and written meanwhile is a hundred times shorter than a search."""

_FIRST_GUESS_S = 0.5
"""Assumed length of a search before any was measured."""


class Lane(Enum):
    """Who waits for a worker. While both wait, they take turns."""

    HINT = "hint"
    BOT = "bot"


class QueueTimeout(Exception):
    """No worker came free in the time the caller was willing to wait."""


def _give_way() -> None:
    """Let this thread, and those it starts, wait for the processor where the server's own work needs it."""
    if hasattr(os, "setpriority") and sys.platform == "linux":     # elsewhere it would be the whole process
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


class SearchPool:
    """At most `workers` searches at a time; at most `queue_limit` hints wait, others are turned away at once."""

    def __init__(self, workers: int, queue_limit: int) -> None:
        self._workers = workers
        self._queue_limit = queue_limit
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix="search", initializer=_give_way)
        self._free = workers
        self._waiting: dict[Lane, deque[asyncio.Future[None]]] = {lane: deque() for lane in Lane}
        self._last = Lane.BOT
        self._running: set[StopFlag] = set()
        self._mean_s = _FIRST_GUESS_S
        self._closed = False

    @property
    def running(self) -> int:
        """Searches that run now."""
        return self._workers - self._free

    def waiting(self, lane: Lane) -> int:
        """Calls that wait for a worker."""
        return sum(not place.done() for place in tuple(self._waiting[lane]))

    async def run(self, work: Callable[[StopFlag], T], lane: Lane, *, again: bool = False,
                  wait_s: float | None = None, at_most_s: float | None = None, until: float | None = None) -> T:
        """Run `work` in a thread. Cancelling the caller sets the flag, and the worker is free when `work` returns.

        `again`: the next part of work that was admitted before; it waits its turn but is never turned away.
        `wait_s`: seconds to wait for a worker at most. The flag is set after `at_most_s` seconds of work, and at the moment `until`
        of the loop's clock.
        Raises QueueTimeout after `wait_s`; ApiError RESOURCE_EXHAUSTED with a retry delay when too many hints wait,
        UNAVAILABLE at shutdown.
        """
        await self._enter(lane, again, wait_s)
        stop = StopFlag()
        self._running.add(stop)
        loop = asyncio.get_running_loop()
        started = loop.time()
        job = loop.run_in_executor(self._executor, work, stop)
        job.add_done_callback(functools.partial(self._leave, stop, started))
        ends = [moment for moment in (None if at_most_s is None else started + at_most_s, until) if moment is not None]
        alarm = loop.call_at(min(ends), stop.set) if ends else None
        try:
            return await asyncio.shield(job)
        except asyncio.CancelledError:
            job.add_done_callback(log_lost)
            raise
        finally:
            stop.set()      # a search never outlives its caller
            if alarm is not None:
                alarm.cancel()

    async def _enter(self, lane: Lane, again: bool, wait_s: float | None) -> None:
        if self._closed:
            raise closing()
        if self._free and not any(self.waiting(other) for other in Lane):
            self._free -= 1
            return
        queue = self._waiting[lane]
        if lane is Lane.HINT and not again and self.waiting(lane) >= self._queue_limit:
            delay = max(0.05, self._mean_s * (self.waiting(lane) + 1) / self._workers)
            raise ApiError(Code.RESOURCE_EXHAUSTED, "TOO_MANY_SEARCHES",
                           f"all {self._workers} search workers are busy and {self.waiting(lane)} calls wait already; "
                           f"try again in {delay:.2f} s", retry_s=delay)
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(place)
        try:
            async with asyncio.timeout(wait_s):
                await self._taken(queue, place)
        except TimeoutError:
            raise QueueTimeout from None

    async def _taken(self, queue: deque[asyncio.Future[None]], place: asyncio.Future[None]) -> None:
        """Wait for the place's turn; who leaves before gives the place, or the worker, back."""
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                self._free += 1     # the worker came in the moment the caller left
                self._admit()
            else:
                queue.remove(place) if place in queue else None
            raise

    def _admit(self) -> None:
        """Hand free workers to those who wait, the lanes taking turns."""
        while self._free:
            for queue in self._waiting.values():
                while queue and queue[0].done():
                    queue.popleft()
            order = (Lane.BOT, Lane.HINT) if self._last is Lane.HINT else (Lane.HINT, Lane.BOT)
            lane = next((lane for lane in order if self._waiting[lane]), None)
            if lane is None:
                return
            self._last = lane
            self._free -= 1
            self._waiting[lane].popleft().set_result(None)

    def _leave(self, stop: StopFlag, started: float, job: asyncio.Future[T]) -> None:
        self._running.discard(stop)
        self._free += 1
        self._mean_s += 0.1 * (asyncio.get_running_loop().time() - started - self._mean_s)
        if not job.cancelled():
            job.exception()     # seen, also when the caller is gone
        self._admit()

    def close(self) -> None:
        """Stop all searches and turn away all who wait."""
        self._closed = True
        for stop in list(self._running):
            stop.set()
        for queue in self._waiting.values():
            while queue:
                place = queue.popleft()
                if not place.done():
                    place.set_exception(closing())
        self._executor.shutdown(wait=False)
