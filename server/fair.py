"""Whose turn it is: theirs who have used least time lately."""
from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from heapq import nsmallest
from typing import Generic, TypeVar

T = TypeVar("T")

Claims = tuple[str, ...]
"""On whose account something is done, the widest first: an address and a seat, or a table."""

_HALF_S = 30.0
_MOST_HALVES = 10
_FORGET_S = 0.001


class Usage:
    """Seconds that each of many has used; half of them are forgotten every 30 s.

    All are forgotten alike, so that their order stays: what comes later counts more, and the sums are scaled down now and then.
    """

    def __init__(self) -> None:
        self._since = 0.0
        self._sums: dict[Claims, float] = {}

    def add(self, claims: Claims, seconds: float, now: float) -> None:
        """They have used so much."""
        self._scale_down(now)
        weighed = seconds * 2.0 ** ((now - self._since) / _HALF_S)
        for end in range(1, len(claims) + 1):
            one = claims[:end]
            self._sums[one] = self._sums.get(one, 0.0) + weighed

    def of(self, claims: Claims) -> tuple[float, ...]:
        """What each of them has used, only for comparing: less is whose turn it is."""
        return tuple(self._sums.get(claims[:end], 0.0) for end in range(1, len(claims) + 1))

    def __len__(self) -> int:
        return len(self._sums)

    def _scale_down(self, now: float) -> None:
        if now - self._since < _MOST_HALVES * _HALF_S:
            return
        share = 2.0 ** (-(now - self._since) / _HALF_S)
        self._sums = {claims: sum_ * share for claims, sum_ in self._sums.items() if sum_ * share >= _FORGET_S}
        self._since = now


class Line(Generic[T]):
    """Those who wait, each on somebody's account; on the same one in the order in which they came."""

    def __init__(self, used: Usage) -> None:
        self._used = used
        self._waiting: dict[Claims, deque[T]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def __iter__(self) -> Iterator[T]:
        for queue in self._waiting.values():
            yield from queue

    def put(self, claims: Claims, one: T) -> None:
        """Let it wait."""
        self._waiting.setdefault(claims, deque()).append(one)

    def next(self) -> Claims | None:
        """Whose turn it is; None if nobody waits."""
        return min(self._waiting, key=self._used.of, default=None)

    def first(self, count: int) -> list[Claims]:
        """Whose turns come next, so many at most."""
        return nsmallest(count, self._waiting, key=self._used.of)

    def take(self, claims: Claims) -> T:
        """The first who waits on this account."""
        one = self._waiting[claims][0]
        self.remove(claims, one)
        return one

    def remove(self, claims: Claims, one: T) -> bool:
        """It waits no more; did it?"""
        queue = self._waiting.get(claims)
        if queue is None or one not in queue:
            return False
        queue.remove(one)
        if not queue:
            del self._waiting[claims]
        return True
