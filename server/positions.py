"""Positions of tables run elsewhere: what a caller says a seat has seen."""
from __future__ import annotations

import dis
import time
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType

from seatmate.ai.adapters import chance
from seatmate.ai.search import StopFlag
from seatmate.ai.search.review import Review
from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.game import Game, SeenEvent, State
from seatmate.engine.core.history import History, HistoryError
from seatmate.server.convert import events_from_messages, game_from_request
from seatmate.server.errors import ApiError, Code, bad_field
from seatmate.v1 import analysis_pb2

MAX_EVENTS = 20_000

_FIELD = "position.events"

_MOST_COURSES = 256
"""So many ways in which others can have answered unseen are followed; a history that leaves more is not played on."""

_SAMPLES = 2
_NOT_DRAWN = [(0, 1)]
"""What `chance` says of so many samples where there is nothing to be drawn."""

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
        raise bad_history(_in_own_words(error, history, seed), events) from None


def review_of(game: Game, seat: int, events: list[SeenEvent], seed: int, stop: StopFlag) -> Review:
    """What a history has to be looked back on. Raises ApiError when no game gives it.

    A Review looks at what the events add up to at each decision; here come those too that change nothing there.
    """
    alarm = _alarm()
    history = History(game, seat, events)
    try:
        review = Review(game, seat, events, seed=seed, hurry=lambda: stop.is_set or alarm())
        _check_questions(history)
        _check_course(history)
    except HistoryError as error:
        raise bad_history(_in_own_words(error, history, seed), events) from None
    return review


def _check_questions(history: History) -> None:
    """Questions and answers take turns, whatever the game: each question is told once and answered once. Raises HistoryError."""
    seat, question = history.seat, None
    before: SeenEvent | None = None
    for event in history.events:
        why = ""
        if event.key == "CHOICE":
            if question != event.args[0]:
                why = "the seat is not asked this" if question is None else "the seat is asked something else"
            question = None
        elif question is not None:
            why = "the seat has not answered yet"
        elif event.key == "ASK":
            question = event.args[0]
        if before is not None and before.key == "BUSY":
            mine = before.args[0] >> seat & 1
            if not before.args[0]:
                why = "the game was over"
            elif mine != (event.key == "ASK"):
                why = "the seat is not told what it is asked" if mine else "others are asked"
            elif event.key == "BUSY":
                why = "they are asked already"
        if why:
            raise history.impossible(event.sequence, why)
        before = event


def _check_course(history: History) -> None:
    """Play the history again, as long as nothing is drawn: all that others can have answered is tried. Raises HistoryError.

    Where something is drawn, and from there on, nothing is said.
    """
    game, seat, events = history.game, history.seat, history.events
    if chance.deal_results(game, _SAMPLES) != _NOT_DRAWN:
        return
    dealt = game.new_state(0)
    reached = 0
    courses = [(dealt, 0)]      # how it can have gone, and how many events had been told before its last step
    while courses:
        following: dict[object, tuple[State, int]] = {}
        for state, told in courses:
            step = state.events(seat)
            same = _same(step, events[told:told + len(step)])
            told += same
            reached = max(reached, told)
            if told == len(events):
                return
            if same < len(step):
                continue
            for who, action in _answers(state, seat, events[told]):
                if chance.act_results(state, who, action, _SAMPLES) != _NOT_DRAWN:
                    return
                after = state.clone(record_events=True)
                after.apply_action(who, action)
                following[after.to_bytes(), told, tuple(after.events(seat))] = after, told
        if len(following) > _MOST_COURSES:
            return
        courses = list(following.values())
    raise history.impossible(reached + 1, "by the rules it goes on otherwise")


def _same(step: list[SeenEvent], told: Sequence[SeenEvent]) -> int:
    """How many events of a step are those that were told."""
    pairs = zip(step, told, strict=False)
    return next((n for n, (one, other) in enumerate(pairs) if one[1:] != other[1:]), min(len(step), len(told)))


def _answers(state: State, seat: int, told: SeenEvent) -> Iterator[tuple[int, int]]:
    """Who can act now and how, if this is what the seat sees next."""
    for who in state.pending:
        legal = state.legal_actions(who)
        yield from ((who, action) for action in legal if who != seat or (told.key == "CHOICE" and action == told.args[1]))


def _in_own_words(error: HistoryError, history: History, seed: int) -> HistoryError:
    """The same, without a word that Python said about what a made-up history did to the rules."""
    game, seat = history.game, history.seat
    for world_seed in (seed, 0):        # the history's and that of the worlds it was looked through with
        try:
            view = game.new_view(seat)
            view.feed(history.events[:error.impossible_from])
            game.state_from_view(view.snapshot(), seat, world_seed)
        except Exception as why:
            if not _is_ours(why):
                return HistoryError(game.spec.id, "nothing on the table can be like this", error.possible_to, error.impossible_from,
                                    error.first_bad)
    return error


def _is_ours(error: BaseException) -> bool:
    """Are its words the project's: was it raised by a line of its own, and does it quote no error that was not?"""
    if not isinstance(error, SeatmateError | ValueError) or not _is_raised(error.__traceback__):
        return False
    cause = error.__context__
    return cause is None or _is_ours(cause) or not (type(cause).__name__ in str(error) or f" {cause}" in str(error))


def _is_raised(trace: TracebackType | None) -> bool:
    """Did the innermost line of a traceback say `raise`? Compiled rules, whose lines can't be looked at, are taken to."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or trace.tb_frame.f_code.co_filename.endswith(".pyx"):
        return True
    return dis.opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"


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
