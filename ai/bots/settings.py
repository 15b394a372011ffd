"""PolicySettings: what a bot is in one game, once its text is understood."""
from __future__ import annotations

from dataclasses import dataclass

from seatmate.ai.search.limits import Limits
from seatmate.ai.search.params import SearchParams


@dataclass(frozen=True, slots=True)
class PolicySettings:
    """A policy. `params` and `limits` are None, and `threads` is 1, where a kind searches nothing; a kind with more to say has a
    subclass of its own.
    """

    kind: str
    params: SearchParams | None = None
    limits: Limits | None = None
    threads: int = 1

    @property
    def instant(self) -> bool:
        """Does it answer at once, though others of its kind think?"""
        return False
