"""Limits: when a search ends."""
from __future__ import annotations

from dataclasses import dataclass

DEFAULT_NODES = 200_000
"""Nodes a search may hold by default: with their edges at most 64 MB."""

MAX_NODES = 100_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Ends of one `Search.run`; whichever comes first. With neither of the first two only a StopFlag ends it.

    iterations: simulations of this call, at least 1 · time_ms: wall time of this call in milliseconds, above 0 ·
    nodes: hard cap on the nodes of all seats' trees together; at the cap the search goes on without new nodes.
    """

    iterations: int | None = None
    time_ms: float | None = None
    nodes: int = DEFAULT_NODES

    def __post_init__(self) -> None:
        if self.iterations is not None and self.iterations < 1:
            raise ValueError(f"a search needs at least 1 iteration, not {self.iterations}")
        if self.time_ms is not None and not 0 < self.time_ms <= 1e9:
            raise ValueError(f"time_ms must be above 0 and at most 1e9 milliseconds, not {self.time_ms}")
        if not 1 <= self.nodes <= MAX_NODES:
            raise ValueError(f"nodes must be in 1..{MAX_NODES}, not {self.nodes}")
