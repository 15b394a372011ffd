"""What would fill the log."""
from __future__ import annotations

import time
from collections import Counter
from collections.abc import Hashable

_PAUSE_S = 10.0


class NowAndThen:
    """What happens often is told when it first does, and then now and then: how many there were."""

    def __init__(self, pause_s: float = _PAUSE_S) -> None:
        self._pause_s = pause_s
        self._next: dict[Hashable, float] = {}
        self._untold: Counter[Hashable] = Counter()

    def count(self, kind: Hashable) -> int:
        """How many of this kind there were since one was told, with this one; 0: it is not to be told."""
        now = time.monotonic()
        self._untold[kind] += 1
        if now < self._next.get(kind, now):
            return 0
        self._next[kind] = now + self._pause_s
        return self._untold.pop(kind)
