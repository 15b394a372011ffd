"""Threads that search: as many for hints as for bots at tables, and who is next on them.

Hints come before bots: their threads have the higher priority, so that a running bot gives way to a hint at once and goes on where
it was. Among hints and among bots the time is shared, not the number of searches: who has used least of it lately is next.
"""
from __future__ import annotations

import asyncio
import functools
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from enum import Enum
from typing import TypeVar

from seatmate.ai.search import StopFlag
from seatmate.server import priorities
from seatmate.server.errors import ApiError, Code, closing
from seatmate.server.fair import Claims, Line, Usage
from seatmate.server.logs import log_lost
from seatmate.server.metrics import Observe, unobserved

T = TypeVar("T")

PIECE_MS = 250.0
"""A hint that thinks longer lets others have their turn so often."""

_ADVANCE_S, _TICK_S = 0.01, 0.001
_FIRST_GUESS_S = 0.5
"""Assumed length of a search before any was measured."""


class Lane(Enum):
    """For whom a search is."""

    HINT = "hint"
    BOT = "bot"


_PRIORITIES = {Lane.HINT: priorities.HINTS, Lane.BOT: priorities.BOTS}


class QueueTimeout(Exception):
    """No worker came free in the time the caller was willing to wait, or others need the worker more."""


class _Run:
    """One piece of work that runs."""

    def __init__(self, claims: Claims, started: float, weight: float) -> None:
        self.claims, self.started, self.weight = claims, started, weight
        self.charged = started + _ADVANCE_S     # up to when its time has been counted
        self.stop = StopFlag()


class _Workers:
    """The threads of one lane, who waits for them and what they run."""

    def __init__(self, lane: Lane, count: int) -> None:
        self.executor = ThreadPoolExecutor(count, thread_name_prefix=lane.value, initializer=priorities.lower_thread,
                                           initargs=(_PRIORITIES[lane],))
        self.free = count
        self.used = Usage()
        self.waiting: Line[asyncio.Future[None]] = Line(self.used)
        self.running: set[_Run] = set()
        self.mean_s = _FIRST_GUESS_S

    def admit(self, now: float) -> None:
        """Hand free workers to those who wait."""
        self._charge(now)
        while self.free and (claims := self.waiting.next()) is not None:
            place = self.waiting.take(claims)
            if not place.done():
                self.take(claims, now)
                place.set_result(None)

    def take(self, claims: Claims, now: float) -> None:
        """One worker is theirs. The first moments count at once, so that the next is for somebody else."""
        self.free -= 1
        self.used.add(claims, _ADVANCE_S, now)

    def leave(self, run: _Run, now: float) -> None:
        """It has ended."""
        self._charge(now)
        self.running.discard(run)
        self.free += 1
        self.mean_s += 0.1 * (now - run.started - self.mean_s)

    def hurry(self, turn_s: float, now: float) -> None:
        """Stop those that have had their turn, where somebody waits who has used less than they."""
        self._charge(now)
        most = sorted(self.running, key=lambda run: self.used.of(run.claims), reverse=True)
        for run, claims in zip(most, self.waiting.first(len(most)), strict=False):
            if now - run.started > turn_s - _TICK_S and self.used.of(run.claims) > self.used.of(claims):
                run.stop.set()

    def _charge(self, now: float) -> None:
        """Count the time of what runs."""
        for run in self.running:
            if now > run.charged:
                self.used.add(run.claims, (now - run.charged) * run.weight, now)
                run.charged = now


class Hint:
    """A hint that was let in: it thinks piece by piece, each in its turn."""

    def __init__(self, pool: SearchPool, claims: Claims) -> None:
        self._pool = pool
        self.claims = claims
        self.begun = False
        self.has_enough = False     # others need the worker more: it answers with what it has
        self.place: asyncio.Future[None] | None = None      # where it waits

    async def run(self, work: Callable[[StopFlag], T], *, wait_s: float | None = None) -> T:
        """The next piece. Raises like SearchPool.run; QueueTimeout, too, where others need the worker more."""
        if self.has_enough:
            raise QueueTimeout
        try:
            return await self._pool.run(work, Lane.HINT, self.claims, wait_s=wait_s, hint=self)
        except ApiError:
            if self.begun and self._pool.closed:
                raise QueueTimeout from None
            raise


class SearchPool:
    """`workers` threads for hints, of which `queue_limit` more may wait, and as many for bots."""

    def __init__(self, workers: int, queue_limit: int, turn_s: float = 1.0, *, waited: Observe = unobserved) -> None:
        """turn_s: a bot's search ends after so long if somebody waits whose table has used less · waited: hears how long each
        piece of a hint or bot stood in line.
        """
        self._waited = waited
        self._count = workers
        self._queue_limit = queue_limit
        self._turn_s = turn_s
        self._lanes = {lane: _Workers(lane, workers) for lane in Lane}
        self._hints: list[Hint] = []    # let in and not ended, the latest last
        self._draining = False
        self.closed = False

    @property
    def running(self) -> int:
        """Searches that run now."""
        return sum(self._count - workers.free for workers in self._lanes.values())

    def waiting(self, lane: Lane) -> int:
        """Calls that wait for a worker."""
        return sum(not place.done() for place in tuple(self._lanes[lane].waiting))

    @contextmanager
    def hint(self, claims: Claims, *, spare: bool = False) -> Iterator[Hint]:
        """Let a hint in; it counts until this ends. Raises ApiError RESOURCE_EXHAUSTED with a retry delay when there are too many,
        unless somebody else has several more of them than this caller: then theirs has to go.

        spare: one of many of a long work, which has to leave half of the queue to others, and drives nobody out.
        """
        if self._draining:
            raise closing()
        room = self._count + (self._queue_limit // 2 if spare else self._queue_limit)
        if len(self._hints) >= room and (spare or not self._displace(claims)):
            raise self._too_many()
        hint = Hint(self, claims)
        self._hints.append(hint)
        try:
            yield hint
        finally:
            self._hints.remove(hint)

    def _too_many(self) -> ApiError:
        waiting = max(0, len(self._hints) - self._count)
        delay = max(0.05, self._lanes[Lane.HINT].mean_s * (waiting + 1) / self._count)
        return ApiError(Code.RESOURCE_EXHAUSTED, "TOO_MANY_SEARCHES", f"all {self._count} search workers are busy and {waiting} "
                        f"calls wait already; try again in {delay:.2f} s", retry_s=delay)

    def _displace(self, claims: Claims) -> bool:
        """Make room for a caller: of whoever has most hints here the latest goes, if that is fair; is there room now?"""
        count = Counter(hint.claims[:1] for hint in self._hints if not hint.has_enough)
        caller, most = count.most_common(1)[0] if count else (claims[:1], 0)
        if most < count[claims[:1]] + 2:
            return False
        theirs = [hint for hint in self._hints if hint.claims[:1] == caller and not hint.has_enough]
        last = next((hint for hint in reversed(theirs) if not hint.begun), theirs[-1])
        last.has_enough = True
        if last.place is not None and not last.place.done():
            last.place.set_exception(QueueTimeout() if last.begun else self._too_many())
        for run in self._lanes[Lane.HINT].running:
            if run.claims is last.claims:
                run.stop.set()
        return True

    async def run(self, work: Callable[[StopFlag], T], lane: Lane, claims: Claims = (), *, wait_s: float | None = None,
                  at_most_s: float | None = None, until: float | None = None, weight: float = 1.0, hint: Hint | None = None) -> T:
        """Run `work` in a thread. Cancelling the caller sets the flag, and the worker is free when `work` returns.

        `claims`: on whose account, where each second counts as `weight`. `wait_s`: seconds to wait for a worker at most. The flag
        is set after `at_most_s` seconds of work, and at the moment `until` of the loop's clock.
        Raises QueueTimeout after `wait_s`; ApiError UNAVAILABLE at shutdown.
        """
        workers = self._lanes[lane]
        loop = asyncio.get_running_loop()
        asked = loop.time()
        try:
            await self._enter(workers, claims, wait_s, hint)
        finally:
            self._waited(lane.value, loop.time() - asked)
        run = _Run(claims, loop.time(), weight)
        workers.running.add(run)
        if hint is not None:
            hint.begun = True
        job = self._start(workers.executor, work, run.stop)
        job.add_done_callback(functools.partial(self._leave, workers, run))
        ends = [moment for moment in (None if at_most_s is None else run.started + at_most_s, until) if moment is not None]
        alarm = loop.call_at(min(ends), run.stop.set) if ends else None
        if lane is Lane.BOT:
            loop.call_later(self._turn_s, self._hurry, run)
        try:
            return await asyncio.shield(job)
        except asyncio.CancelledError:
            job.add_done_callback(log_lost)
            raise
        finally:
            run.stop.set()      # a search never outlives its caller
            if alarm is not None:
                alarm.cancel()

    def _start(self, executor: ThreadPoolExecutor, work: Callable[[StopFlag], T], stop: StopFlag) -> asyncio.Future[T]:
        """Let a thread do it."""
        return asyncio.get_running_loop().run_in_executor(executor, work, stop)

    async def _enter(self, workers: _Workers, claims: Claims, wait_s: float | None, hint: Hint | None) -> None:
        if self.closed or (self._draining and hint is not None and not hint.begun):
            raise closing()
        if workers.free and not any(not place.done() for place in workers.waiting):
            workers.take(claims, asyncio.get_running_loop().time())
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        workers.waiting.put(claims, place)
        if hint is None:
            self._hurry()
        else:
            hint.place = place
        try:
            async with asyncio.timeout(wait_s):
                await self._taken(workers, claims, place)
        except TimeoutError:
            raise QueueTimeout from None
        finally:
            workers.waiting.remove(claims, place)

    async def _taken(self, workers: _Workers, claims: Claims, place: asyncio.Future[None]) -> None:
        """Wait for the place's turn; who leaves before gives the worker back."""
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                workers.free += 1     # the worker came in the moment the caller left
                workers.admit(asyncio.get_running_loop().time())
            raise

    def _hurry(self, run: _Run | None = None) -> None:
        """Look whether bots have to give way; again and again while this run goes on."""
        bots, loop = self._lanes[Lane.BOT], asyncio.get_running_loop()
        bots.hurry(self._turn_s, loop.time())
        if run in bots.running:
            loop.call_later(self._turn_s, self._hurry, run)

    def _leave(self, workers: _Workers, run: _Run, job: asyncio.Future[T]) -> None:
        now = asyncio.get_running_loop().time()
        workers.leave(run, now)
        if not job.cancelled():
            job.exception()     # seen, also when the caller is gone
        workers.admit(now)
        if workers is self._lanes[Lane.BOT]:
            self._hurry()

    def drain(self) -> None:
        """Turn away all hints that have not begun; what has goes on."""
        self._draining = True
        for hint in self._hints:
            if not hint.begun and hint.place is not None and not hint.place.done():
                hint.place.set_exception(closing())

    def close(self) -> None:
        """Stop all searches and turn away all who wait."""
        self.closed = True
        for workers in self._lanes.values():
            for run in workers.running:
                run.stop.set()
            for place in tuple(workers.waiting):
                if not place.done():
                    place.set_exception(closing())
            workers.executor.shutdown(wait=False)
