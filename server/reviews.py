"""A game looked back on: one decision after the other, each as a hint that waits its turn and leaves room for others."""
from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field

from seatmate.ai.search import Search, StopFlag
from seatmate.ai.search.review import Decision, Judged, Review, judging, largest_mistakes
from seatmate.engine.core.game import State
from seatmate.engine.core.scene import Touch
from seatmate.engine.core.spec import CHANCE, Unit
from seatmate.server.convert import judged_to_message, touches
from seatmate.server.errors import ApiError
from seatmate.server.fair import Claims
from seatmate.server.search_pool import PIECE_MS, QueueTimeout
from seatmate.server.thinking import Make, Plan, Snapshot, Thinker, too_late
from seatmate.v1 import analysis_pb2

_NO_ROOM = ("TOO_MANY_SEARCHES", "NO_TIME")
"""Reasons after which a decision is tried again while there is time: others needed the worker more."""

_PAUSE_S = 0.1


@dataclass(frozen=True, slots=True)
class Found:
    """A decision that has been judged, and how its answers are given by hand."""

    judged: Judged
    by_hand: Mapping[int, Touch]


@dataclass(slots=True)
class Course:
    """What has been found so far, and the thinking it took.

    decisions: how many with a choice the history has · unit: in which its values are read.
    """

    seed: int
    unit: Unit = CHANCE
    decisions: int = 0
    found: list[Found] = field(default_factory=list)
    iterations: int = 0
    spent_ms: float = 0.0

    def mistakes(self, most: int) -> list[Found]:
        """The largest, the largest first."""
        by_number = {one.judged.decision.number: one for one in self.found}
        return [by_number[one.decision.number] for one in largest_mistakes([one.judged for one in self.found], most)]


class Reviewer:
    """Looks back on one history. course: what it has found."""

    def __init__(self, thinker: Thinker, claims: Claims, plan: Plan, total_ms: float, seed: int) -> None:
        """plan: of each search that a decision takes · total_ms: thinking about all of them."""
        self._thinker = thinker
        self._claims = claims
        self._plan = plan
        self._total_ms = total_ms
        self.course = Course(seed)

    async def look_back(self, make: Callable[[StopFlag], Review]) -> AsyncGenerator[Found, None]:
        """Each decision as it is found, as far as the time reaches. make: in a worker's thread. Raises ApiError."""
        course = self.course

        def read(stop: StopFlag) -> Review:
            began = time.monotonic()
            try:
                return make(stop)
            finally:
                course.spent_ms = (time.monotonic() - began) * 1000

        with self._thinker.hint(self._claims, spare=True) as hint:
            try:
                review = await hint.run(read, wait_s=self._plan.wait_s())
            except QueueTimeout:
                raise too_late() from None
        course.decisions, course.unit = len(review.decisions), review.game.unit()
        for number, decision in enumerate(review.decisions):
            found = await self._judge(review, decision, course.decisions - number)
            if found is None:
                return
            course.found.append(found)
            yield found

    async def _judge(self, review: Review, decision: Decision, left: int) -> Found | None:
        """The judgement of a decision, of which so many are left; None: the time is used up."""
        world: State | None = None
        by_hand: Mapping[int, Touch] = {}
        judgement = judging(decision)
        only = next(judgement)

        def make() -> tuple[Search, Mapping[int, Touch]]:
            nonlocal world, by_hand
            if world is None:
                world = review.world_of(decision)
                by_hand = touches(world, review.seat)
            return review.search(world, only), by_hand

        found = await self._think(make, left)
        if found is None:
            return None
        while True:
            try:
                only = judgement.send(None if found is None else found.analysis)
            except StopIteration as done:
                return Found(done.value, by_hand)
            found = await self._think(make, left)

    async def _think(self, make: Make, left: int) -> Snapshot | None:
        """One search with its share of what is left of the time; None: there is none left."""
        while True:
            share_ms = min(self._total_ms - self.course.spent_ms, self._plan.left_ms()) / left
            if share_ms <= 0:
                return None
            try:
                with self._thinker.hint(self._claims, spare=True) as hint:
                    async with aclosing(self._thinker.thoughts(hint, self._plan.within(share_ms), make, PIECE_MS)) as thoughts:
                        last = [one async for one in thoughts][-1]
            except ApiError as error:
                if error.reason not in _NO_ROOM:
                    raise
                await asyncio.sleep(max(_PAUSE_S, error.retry_s or 0.0))
                continue
            self.course.iterations += last.analysis.iterations
            self.course.spent_ms += last.spent_ms
            return last


def review_to_message(course: Course, mistakes: int) -> analysis_pb2.ReviewSummary:
    """The end of a review, with so many of the largest mistakes at most."""
    wrong = [one.judged for one in course.found if one.judged.is_mistake]
    return analysis_pb2.ReviewSummary(
        decisions=course.decisions, reviewed=len(course.found), mistake_count=len(wrong), total_loss=sum(one.loss for one in wrong),
        mistakes=[judged_to_message(one.judged, one.by_hand) for one in course.mistakes(mistakes)],
        value_name=course.unit.name, iterations=course.iterations, elapsed_ms=course.spent_ms, seed=course.seed,
        seed_text=str(course.seed))
