"""What an observer of a table sees now, or saw right after one of its events."""
from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from seatmate.engine.core.game import State
from seatmate.server.errors import ApiError, Code
from seatmate.server.live import LiveTable

_EVENTS_AT_ONCE = 400
"""So many events are folded before other calls have their turn: about a millisecond."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What one observer knows at one moment.

    sequence: its last event then · seen: its observation · is_over: it has seen the end, and is asked nothing ·
    state: a state that it can't tell from the true one, which asks it the same and takes the same answers; None if it is not asked
    and the moment is past, or the game was given up.
    """

    observer: int
    sequence: int
    seen: Mapping[str, Any]
    is_over: bool
    state: State | None

    @property
    def prompt(self) -> str:
        """Key of what it is asked; empty if it is not asked."""
        return "" if self.is_over else self.seen["prompt"] or ""

    @property
    def question_text(self) -> str:
        """What it is asked, in words; empty if it is not asked."""
        return "" if self.state is None else self.state.question_text(self.observer)


def present(table: LiveTable, observer: int) -> Moment:
    """What the observer sees now."""
    state = table.state
    return Moment(observer, state.sequence(observer), state.observation(observer), table.is_over,
                  None if table.resigned is not None else state)


async def moment(table: LiveTable, observer: int, sequence: int) -> Moment:
    """What the observer saw right after its event of this number, folded from its events alone; 0: now. Raises ApiError."""
    last = table.state.sequence(observer)
    if sequence == 0:
        return present(table, observer)
    if not 0 < sequence <= last:
        raise ApiError(Code.OUT_OF_RANGE, "FUTURE_SEQUENCE", f"at_sequence: {sequence} is outside 1..{last}, the events there are "
                       "(0: now)", metadata={"sequence": last})
    is_over = sequence == last and table.state.is_over
    events = table.state.events(observer)[:sequence]
    view = table.game.new_view(observer)
    for start in range(0, sequence, _EVENTS_AT_ONCE):
        view.feed(events[start:start + _EVENTS_AT_ONCE])
        await asyncio.sleep(0)
    seen = view.snapshot()
    state = None if seen["prompt"] is None else table.game.state_from_view(seen, observer, 0)
    return Moment(observer, sequence, seen, is_over, state)
