"""PolicySettings: what a bot is in one game, once its text is understood."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from seatmate.ai.search.limits import Limits
from seatmate.ai.search.params import SearchParams


@dataclass(frozen=True, slots=True)
class PolicySettings:
    """A policy; `params` and `limits` belong to the kind `search` and are None otherwise, and so do `threads` above 1."""

    kind: Literal["random", "heuristic", "search"]
    params: SearchParams | None = None
    limits: Limits | None = None
    threads: int = 1
