"""Positions of tables run elsewhere: what a caller says a seat has seen."""
from __future__ import annotations

import time
from collections.abc import Callable

from seatmate.ai.search import StopFlag
from seatmate.ai.search.review import Review
from seatmate.engine.core.game import Game, SeenEvent, State
from seatmate.engine.core.history import History, HistoryError
from seatmate.server.convert import events_from_messages, game_from_request
from seatmate.server.errors import ApiError, Code, bad_field
from seatmate.v1 import analysis_pb2

MAX_EVENTS = 20_000

_FIELD = "position.events"

_LOOK_S = 1.0
"""So long the first bad event of a history is looked for."""


def check(position: analysis_pb2.Position) -> tuple[Game, int]:
    """The game and the seat of a position that is not larger than any can be. Raises ApiError."""
    game = game_from_request(position.settings, "position.settings", described=True)
    if not 0 <= position.seat < game.seats:
        raise bad_field("position.seat", f"there is no seat {position.seat}; the seats are 0..{game.seats - 1}")
    if not position.events:
        raise bad_field(_FIELD, "there are none; a position needs all events its seat has seen, from the deal on")
    if len(position.events) > MAX_EVENTS:
        raise bad_field(_FIELD, f"{len(position.events)} events; at most {MAX_EVENTS} are allowed")
    return game, position.seat


def events_of(game: Game, position: analysis_pb2.Position) -> list[SeenEvent]:
    """Its events; takes a while. Raises ApiError."""
    return events_from_messages(game, position.events, _FIELD)


def world_of(game: Game, seat: int, events: list[SeenEvent], seed: int) -> State:
    """A world that fits the events, in which the seat is asked something. Raises ApiError, also when no game gives this history."""
    history = History(game, seat, events, hurry=_alarm())
    try:
        seen = history.seen_after(len(events))
        if not seen["asked"]:
            raise game_over()
        if seen["prompt"] is None:
            raise not_asked(seat)
        return history.world_after(len(events), seed)
    except HistoryError as error:
        raise bad_history(error, events) from None


def review_of(game: Game, seat: int, events: list[SeenEvent], seed: int, stop: StopFlag) -> Review:
    """What a history has to be looked back on. Raises ApiError when no game gives it."""
    alarm = _alarm()
    try:
        return Review(game, seat, events, seed=seed, hurry=lambda: stop.is_set or alarm())
    except HistoryError as error:
        raise bad_history(error, events) from None


def bad_history(error: HistoryError, events: list[SeenEvent]) -> ApiError:
    """The answer to a history that no game gives."""
    bad = events[error.first_bad - 1]
    field = f"{_FIELD}[{error.first_bad - 1}]"
    text = f"sequence {bad.sequence}, {bad.key}: {error}"
    return ApiError(Code.INVALID_ARGUMENT, "BAD_POSITION", f"{field}: {text}", fields=[(field, text)],
                    metadata={"possible_to": error.possible_to, "impossible_from": error.impossible_from})


def game_over() -> ApiError:
    """Nobody is asked anything any more."""
    return ApiError(Code.FAILED_PRECONDITION, "GAME_OVER", "the game is over; there is nothing to suggest")


def not_asked(seat: int) -> ApiError:
    """Others are asked."""
    return ApiError(Code.FAILED_PRECONDITION, "SEAT_NOT_ASKED", f"seat {seat} is not asked anything now")


def _alarm() -> Callable[[], bool]:
    ends: list[float] = []

    def rings() -> bool:
        if not ends:
            ends.append(time.monotonic() + _LOOK_S)
        return time.monotonic() > ends[0]

    return rings
