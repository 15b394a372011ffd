"""Reading a position to advise on: a game record, or a position of the API."""
from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seatmate.engine.core.errors import RecordError, SeatNotPendingError
from seatmate.engine.core.history import History
from seatmate.engine.core.record import Record
from seatmate.engine.core.spec import counted

if TYPE_CHECKING:
    from seatmate.engine.core.game import Game, SeenEvent, State

@dataclass(frozen=True, slots=True)
class SeatPosition:
    """A seat that is asked something. `state` may be the true world or a sampled one; a search sees no difference."""

    state: State
    seat: int

    @property
    def game(self) -> Game:
        """The game with its settings."""
        return self.state.game

    @property
    def question(self) -> str:
        """What the seat is asked, in words."""
        return self.state.question_text(self.seat)


def read_position(text: str, *, seat: int | None = None, at: int | None = None) -> SeatPosition:
    """The position of a JSON text: a record (after its first `at` actions) or a position file.

    Without `seat` it is the lowest seat that is asked. Raises RecordError, HistoryError and SeatNotPendingError.
    """
    text, is_position = _read(text)
    if is_position:
        if at is not None:
            raise RecordError("a position has no actions to go back to; --at is for game records")
        history = _history_of(text, seat)
        if not history.seen_after(len(history.events))["asked"]:
            raise _over()
        state = history.world_after(len(history.events), 0)
        return SeatPosition(state, _asked_seat(state, history.seat))
    state = _from_record(Record.from_json(text), at)
    return SeatPosition(state, _asked_seat(state, seat))


def read_history(text: str, *, seat: int | None = None) -> tuple[Game, int, Sequence[SeenEvent]]:
    """The game, a seat and all it has seen, of a JSON text: a record (without `seat` its seat 0) or a position file.

    Raises RecordError.
    """
    text, is_position = _read(text)
    if is_position:
        history = _history_of(text, seat)
        return history.game, history.seat, history.events
    state, whose = Record.from_json(text).replay(), seat or 0
    if not 0 <= whose < state.game.seats:
        raise RecordError(f"there is no seat {whose}; the seats are 0..{state.game.seats - 1}")
    return state.game, whose, state.events(whose)


def _read(text: str) -> tuple[str, bool]:
    """The text of a record or of a position, and whether it is a position. Raises RecordError."""
    try:
        data = json.loads(text)
    except RecursionError:
        raise RecordError("the input is nested too deeply") from None
    except ValueError as error:
        raise RecordError(f"the input is not JSON: {error}") from None
    if not isinstance(data, Mapping):
        raise RecordError("the input is not a JSON object; a game record or a position is needed")
    if data.get("record") and isinstance(data["record"], str):      # an ExportRecordResponse of a finished game
        return data["record"], False
    return text, "events" in data or (("settings" in data and "seat" in data) and "actions" not in data)


def _from_record(record: Record, at: int | None) -> State:
    if at is not None and at > len(record.actions):
        raise RecordError(f"the record has {counted(len(record.actions), 'action')}, not {at}")
    return record.replay(record_events=False, actions=at)


def _history_of(text: str, wanted: int | None) -> History:
    """What the seat of a `seatmate.v1.Position` as JSON has seen; `wanted`: the seat it has to be. Raises RecordError."""
    from google.protobuf import json_format

    from seatmate.server.convert import events_from_messages, game_from_request
    from seatmate.server.errors import ApiError
    from seatmate.v1.analysis_pb2 import Position

    try:
        position = json_format.Parse(text, Position())
        if not position.events:
            raise RecordError("the position has no events; it needs all that its seat has seen, from the deal on "
                              "(WatchTable and ExportRecord give them)")
        game = game_from_request(position.settings, "settings", described=True)
        seat = position.seat
        if not 0 <= seat < game.seats:
            raise RecordError(f"the position is broken: there is no seat {seat}; the seats are 0..{game.seats - 1}")
        if wanted is not None and wanted != seat:
            raise RecordError(f"the position is the view of seat {seat}; what seat {wanted} knows is not in it")
        return History(game, seat, events_from_messages(game, position.events, "events"))
    except json_format.ParseError as error:
        raise RecordError(f"the position is broken: {' '.join(str(error).split())}") from None
    except ApiError as error:
        raise RecordError(f"the position is broken: {error.message}") from None


def _over() -> SeatNotPendingError:
    return SeatNotPendingError("the game is over; nobody is asked anything any more (--at goes back in a record)")


def _asked_seat(state: State, seat: int | None) -> int:
    pending = state.pending
    if not pending:
        raise _over()
    if seat is None:
        return pending[0]
    if seat not in pending:
        asked = ", ".join(map(str, pending))
        raise SeatNotPendingError(f"seat {seat} is not asked anything now; asked: {asked}")
    return seat
