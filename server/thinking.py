"""How a hint is thought: within its budget, piece by piece, each in its turn among all who want one."""
from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import grpc.aio

from seatmate.ai.search import Analysis, Limits, Search, StopFlag
from seatmate.engine.core.scene import Touch
from seatmate.server.config import SearchLimits
from seatmate.server.errors import ApiError, Code, bad_field
from seatmate.server.fair import Claims
from seatmate.server.metrics import Metrics
from seatmate.server.search_pool import Hint, Lane, QueueTimeout, SearchPool
from seatmate.v1 import analysis_pb2

Make = Callable[[], tuple[Search, Mapping[int, Touch]]]
"""Makes a search, and says how its answers are given by hand; in a worker's thread."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long one call may think, and how many decisions deep. `deadline`: seconds on the monotonic clock; None: the caller waits
    for ever.
    """

    iterations: int | None
    time_ms: float
    nodes: int
    deadline: float | None
    margin_ms: float
    depth: int | None = None

    def limits(self, *, spent_ms: float = 0.0, done: int = 0, at_most_ms: float | None = None) -> Limits | None:
        """Limits of the next run after so much thinking; None when nothing is left."""
        left_ms = min(self.time_ms - spent_ms, self.left_ms())
        left = None if self.iterations is None else self.iterations - done
        if left_ms <= 0 or (left is not None and left <= 0):
            return None
        time_ms = left_ms if at_most_ms is None else min(left_ms, at_most_ms)
        return Limits(iterations=left, time_ms=time_ms, nodes=self.nodes, depth=self.depth)

    def within(self, time_ms: float) -> Plan:
        """The same with no more thinking than this."""
        return replace(self, time_ms=min(self.time_ms, time_ms))

    def left_ms(self) -> float:
        """Milliseconds until the answer has to be on its way."""
        return float("inf") if self.deadline is None else (self.deadline - time.monotonic()) * 1000 - self.margin_ms

    def wait_s(self) -> float | None:
        """Seconds worth waiting for a worker; None: no bound."""
        return None if self.deadline is None else max(0.0, self.left_ms() / 1000)


def plan_of(budget: analysis_pb2.Budget, limits: SearchLimits, context: grpc.aio.ServicerContext[Any, Any],
            default_ms: int, depth: int | None = None) -> Plan:
    """A budget within what the service allows. Raises ApiError."""
    iterations, time_ms = budget.iterations, budget.time_ms
    if not 0 <= iterations <= limits.max_iterations:
        raise bad_field("budget.iterations", f"{iterations} is outside 1..{limits.max_iterations} (0: no limit)")
    if not 0 <= time_ms <= limits.max_time_ms:
        raise bad_field("budget.time_ms", f"{time_ms} is outside 1..{limits.max_time_ms} ms (0: no limit)")
    remaining = context.time_remaining()
    return Plan(iterations=iterations or None,
                time_ms=time_ms or (limits.max_time_ms if iterations else default_ms),
                nodes=limits.nodes, depth=depth, margin_ms=0.0 if remaining is None else limits.margin_ms(remaining),
                deadline=None if remaining is None else time.monotonic() + remaining)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a search knows. by_hand: how answers are given in its position · spent_ms: thinking so far, with making the search."""

    analysis: Analysis
    by_hand: Mapping[int, Touch]
    spent_ms: float
    final: bool


class Thinker:
    """Thinks on the threads for hints."""

    def __init__(self, pool: SearchPool, metrics: Metrics) -> None:
        self._pool = pool
        self._metrics = metrics

    def hint(self, claims: Claims, *, spare: bool = False) -> AbstractContextManager[Hint]:
        """As SearchPool.hint."""
        return self._pool.hint(claims, spare=spare)

    async def thoughts(self, hint: Hint, plan: Plan, make: Make, piece_ms: float) -> AsyncGenerator[Snapshot, None]:
        """What is known after each piece of thinking, the last one final. Between two of them the worker is free for others.

        Raises ApiError.
        """
        search: Search | None = None
        by_hand: Mapping[int, Touch] = {}
        last: Analysis | None = None
        making_ms = spent_ms = 0.0

        def think(stop: StopFlag) -> None:
            nonlocal search, by_hand, making_ms, spent_ms
            if search is None:
                began = time.monotonic()
                search, by_hand = make()
                making_ms = spent_ms = (time.monotonic() - began) * 1000
            limits = plan.limits(spent_ms=spent_ms, done=search.iterations, at_most_ms=piece_ms)
            if limits is not None:
                search.simulate(limits, stop)
            elif last is None:      # else the time ran out on the way to the worker
                if plan.left_ms() <= 0:
                    raise too_late()
                search.simulate(Limits(iterations=1), stop)     # making the search took the time it was given

        final = False
        while not final:
            try:
                await hint.run(think, wait_s=plan.wait_s())
                assert search is not None
                # Not in the worker: it has to give way also while all others wait for it to have done with Python.
                analysis = await asyncio.to_thread(search.analysis)
            except QueueTimeout:
                if last is None:
                    raise too_late() from None
                analysis = last
            before = 0 if last is None else last.iterations
            self._metrics.simulations(Lane.HINT.value, max(analysis.iterations - before, 0))
            spent_ms = making_ms + analysis.elapsed_s * 1000
            final = analysis.iterations <= before or plan.limits(spent_ms=spent_ms, done=analysis.iterations) is None
            last = analysis
            yield Snapshot(analysis, by_hand, spent_ms, final)


def too_late() -> ApiError:
    """The deadline is nearer than any answer."""
    return ApiError(Code.DEADLINE_EXCEEDED, "NO_TIME", "the deadline leaves no time to think; allow more of it")
