"""Limits: when a search ends, and what it may hold."""
from __future__ import annotations

from dataclasses import dataclass, fields
from numbers import Real
from typing import Any

from seatmate.ai.search.stop import StopFlag

DEFAULT_NODES = 200_000
"""Nodes a search may hold by default: with their edges at most 82 MB."""

MAX_NODES = 100_000_000

MAX_ITERATIONS = 10**15

MAX_DEPTH = 511
"""Decisions of the longest path in a tree."""

MAX_THREADS = 64
"""Threads of one search."""

LIMITS = ("iterations", "time_ms", "nodes", "memory_mb", "depth", "threads")
"""Parameters of a bot that bound its search; the others are knobs (SearchParams)."""

_NODE_BYTES = 448           # a node and its edges, with the room that growing tables leave unused
_FIXED_BYTES = 200_000      # an empty tree


@dataclass(frozen=True, slots=True)
class Limits:
    """Ends and bounds of one `Search.run`. Ends: whichever comes first; with none of them only `stop` ends it.

    iterations: simulations of this call, at least 1 · time_ms: wall time of this call in milliseconds, above 0 ·
    stop: a flag another thread may set · nodes: hard cap on the nodes of all seats' trees together ·
    memory_mb: the same in megabytes (10^6 bytes) of the trees, at least 1 (at 200 kB per thread) ·
    depth: decisions of the longest path in the trees, at least 1. At a cap the search goes on without new nodes.

    Limits combine: `Limits(iterations=1000) | Limits(time_ms=50)` means both; of two of a kind the tighter one counts.
    """

    iterations: int | None = None
    time_ms: float | None = None
    nodes: int | None = None
    memory_mb: float | None = None
    depth: int | None = None
    stop: StopFlag | None = None

    def __post_init__(self) -> None:
        for name in ("iterations", "nodes", "depth"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
                raise ValueError(f"{name} must be a whole number, not {value!r}")
        for name in ("time_ms", "memory_mb"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, Real) or isinstance(value, bool)):
                raise ValueError(f"{name} must be a number, not {value!r}")
        if self.stop is not None and not isinstance(self.stop, StopFlag):
            raise ValueError(f"stop must be a StopFlag, not {self.stop!r}")
        if self.iterations is not None and self.iterations < 1:
            raise ValueError(f"a search needs at least 1 iteration, not {self.iterations}")
        if self.iterations is not None and self.iterations > MAX_ITERATIONS:
            raise ValueError(f"iterations must be at most {MAX_ITERATIONS}, not {self.iterations}")
        if self.time_ms is not None and not 0 < self.time_ms <= 1e9:
            raise ValueError(f"time_ms must be above 0 and at most 1e9 milliseconds, not {self.time_ms}")
        if self.nodes is not None and not 1 <= self.nodes <= MAX_NODES:
            raise ValueError(f"nodes must be in 1..{MAX_NODES}, not {self.nodes}")
        if self.memory_mb is not None and not 1 <= self.memory_mb <= 1e6:
            raise ValueError(f"memory_mb must be in 1..1e6 megabytes, not {self.memory_mb}")
        if self.depth is not None and not 1 <= self.depth <= MAX_DEPTH:
            raise ValueError(f"depth must be in 1..{MAX_DEPTH} decisions, not {self.depth}")

    def __or__(self, other: Limits) -> Limits:
        """Both. Raises ValueError for two different stop flags."""
        if not isinstance(other, Limits):
            return NotImplemented
        if self.stop is not None and other.stop is not None and self.stop is not other.stop:
            raise ValueError("a search polls one stop flag, and these limits have two")
        tighter: dict[str, Any] = {}
        for field in fields(self):
            values = [value for value in (getattr(self, field.name), getattr(other, field.name)) if value is not None]
            if values:
                tighter[field.name] = values[0] if field.name == "stop" else min(values)
        return Limits(**tighter)

    def node_cap(self, threads: int = 1) -> int:
        """Nodes each of `threads` threads may hold, from `nodes` and `memory_mb`. Raises ValueError for too little memory."""
        cap = (DEFAULT_NODES if self.nodes is None else self.nodes) // threads
        if self.memory_mb is not None:
            held = int((self.memory_mb * 1e6 / threads - _FIXED_BYTES) / _NODE_BYTES)
            if held < 1:
                raise ValueError(f"memory_mb={self.memory_mb:g} is too little for {threads} threads")
            cap = held if self.nodes is None else min(cap, held)
        return max(1, min(cap, MAX_NODES))


def memory_for(nodes: int) -> float:
    """The `memory_mb` with which one thread may hold so many nodes."""
    return (nodes * _NODE_BYTES + _FIXED_BYTES) / 1e6
