"""Numbers of fixed shape for libraries that learn: a seat's event history as a matrix, actions as 0..n-1.

The history is what a seat knows, no more and no less, so the matrix needs no hashing, no vocabulary and no code per game:
its shape follows from the spec alone, and equal information states are equal matrices.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seatmate.ai.adapters import chance
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.spec import CORE_EVENTS, GameSpec

MOST_ACTIONS = 256
"""The longest legal list of any game (MAX_ACTIONS in engine/core/types.pxd)."""

MOST_ROWS = 100_000
"""The longest history that can be asked for; one of a library's spaces holds several arrays of this size."""

_DEFAULT_MOST = 1024


class HistoryEncoder:
    """A seat's events, newest first, one row each: (1 + type, args ...); rows without an event are zero.

    Types are numbered as in CORE_EVENTS and then GameSpec.events, args stand in the order of EventType.args. `rows` None:
    4 per decision and 16 for the deal, at most 1024, which holds whole games of most kinds; where it does not, the oldest
    events are cut.
    """

    def __init__(self, game: Game, rows: int | None = None) -> None:
        if rows is not None and not 1 <= rows <= MOST_ROWS:
            raise ValueError(f"a history has 1..{MOST_ROWS} rows, not {rows}")
        widest = max(len(event.args) for event in (*CORE_EVENTS, *game.spec.events))
        self.shape = (rows or min(_DEFAULT_MOST, 4 * game.spec.max_decisions + 16), 1 + widest)

    def encode(self, state: State, observer: int) -> NDArray[np.int32]:
        """A new array of `shape`, C order. Raises ValueError when the state does not record events."""
        out = np.zeros(self.shape, np.int32)
        chance.write_history(state, observer, out)
        return out


class ActionCodes:
    """Actions as codes in 0..size-1.

    A game that announces an `action_limit` keeps its own numbers. Where numbers are sparse, the code of an action is its place
    in the ascending legal list: always within the 256 of the longest list, and as public as the list is to the seat.
    """

    def __init__(self, spec: GameSpec) -> None:
        self.size = spec.action_limit or MOST_ACTIONS
        self._dense = spec.action_limit is not None

    def codes(self, legal: list[int]) -> list[int]:
        """The codes of an ascending legal list, ascending."""
        return legal if self._dense else list(range(len(legal)))

    def action(self, legal: list[int], code: int) -> int:
        """The action of a code, legal or not (-1 for a code that is none)."""
        if self._dense:
            return code
        return legal[code] if 0 <= code < len(legal) else -1
