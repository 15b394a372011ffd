"""How much of the service's memory calls take: shared among callers, and large requests one by one."""
from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from seatmate.server.errors import ApiError, Code

_RETRY_S = (0.5, 1.5)
"""When a refused caller may come back: not all at the same moment."""

_LARGE = 65_536
"""Bytes of a request that is read within a millisecond."""


class Shared:
    """Something of which there is so much, and of which one caller gets `each` (0: as much as is still free, so that one alone
    takes half of all and leaves the others room).
    """

    def __init__(self, most: int, each: int = 0) -> None:
        self.most = most
        self._each = each
        self._taken: Counter[str] = Counter()

    @property
    def free(self) -> int:
        """What nobody has; below 0 when what was taken has turned out larger."""
        return self.most - self._taken.total()

    def of(self, caller: str) -> int:
        """What the caller has."""
        return self._taken[caller]

    def is_full_for(self, caller: str) -> bool:
        """Has the caller as much as it gets?"""
        return self._taken[caller] >= (self._each or self.free)

    def take(self, caller: str, amount: int = 1) -> None:
        """It is the caller's until `give`."""
        self._taken[caller] += amount

    def give(self, caller: str, amount: int = 1) -> None:
        """The caller has it no more."""
        self._taken[caller] -= amount
        if not self._taken[caller]:
            del self._taken[caller]


class LargeRequests:
    """Requests above 64 kB: so many bytes of them are handled at the same time, and they are read one by one."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held = 0
        self._reading = asyncio.Lock()

    @asynccontextmanager
    async def admit(self, size: int) -> AsyncIterator[None]:
        """Let a request be read, in its turn, and handled. Raises ApiError."""
        if size <= _LARGE:
            yield
            return
        if self._held + size > self._most:
            raise too_many("TOO_MANY_BYTES", f"large requests of {self._held} bytes are being handled, and {size} more would be "
                           f"above the {self._most} that are allowed")
        self._held += size
        try:
            async with self._reading:
                await asyncio.sleep(0)      # others have their turn between two of them
            yield
        finally:
            self._held -= size


def too_many(reason: str, sentence: str) -> ApiError:
    """A refusal for want of room."""
    return ApiError(Code.RESOURCE_EXHAUSTED, reason, f"{sentence}; try again shortly", retry_s=random.uniform(*_RETRY_S))
