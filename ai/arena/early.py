"""EarlyEnd: when a game counts as decided and is not played on."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from seatmate.ai.arena.plans import TournamentError
from seatmate.engine.core.game import Game

MOST_DECISIONS = 10_000


@dataclass(frozen=True, slots=True)
class EarlyEnd:
    """Rules for decided games; None: such games are played on.

    adjudicate (bound, decisions): in so many decisions in a row every seat, by what it sees, estimates each seat's utility at
    `bound` or more, or at 1 - bound or less, and all seats agree which; these then have 1, and 0 · resign (bound, decisions): a
    seat gives up when it estimates its own utility at `bound` or less in so many of its own decisions in a row; the other seat has
    1. Estimates are those of the game itself (State.evaluate), and not of the bots.
    """

    adjudicate: tuple[float, int] | None = None
    resign: tuple[float, int] | None = None

    def check(self, game: Game) -> None:
        """Raises TournamentError where the bounds are none, or the game is not one to be ended so."""
        if game.cooperative:
            raise TournamentError("a cooperative game is played to its end: it is not decided by who is ahead")
        if self.adjudicate is not None and not 0.5 < self.adjudicate[0] <= 1:
            raise TournamentError(f"games are adjudicated from an estimate above 0.5 and up to 1 on, not {self.adjudicate[0]:g}")
        if self.resign is not None and not 0 <= self.resign[0] < 0.5:
            raise TournamentError(f"a seat resigns at an estimate from 0 to below 0.5, not {self.resign[0]:g}")
        if self.resign is not None and game.seats != 2:
            raise TournamentError(f"seats resign at tables of two; this one has {game.seats}")
        for rule in (self.adjudicate, self.resign):
            if rule is not None and not 1 <= rule[1] <= MOST_DECISIONS:
                raise TournamentError(f"a rule for decided games wants 1 to {MOST_DECISIONS:,} decisions in a row, not {rule[1]}")

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | None) -> EarlyEnd | None:
        """Read what `to_json` wrote. Raises KeyError, TypeError or ValueError for anything else."""
        if data is None:
            return None
        bounds = {name: data[name] for name in ("adjudicate", "resign")}
        return cls(**{name: None if found is None else (float(found[0]), int(found[1])) for name, found in bounds.items()})
