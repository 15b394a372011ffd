"""A history that somebody has changed is refused where no world fits it any more, and never for what was true in it."""
from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from cases import case_of
from positions import random_game
from seatmate.engine.core.game import Game, SeenEvent
from seatmate.engine.core.history import History, HistoryError
from seatmate.engine.core.registry import list_games

NUMBERS = (0, 1, 2, 3, 5, 7, 31, 40, 61, 100, 255, -1)
DECISIONS = 60
GAMES = [spec.id for spec in list_games()]


def told(game: Game, seed: int) -> tuple[int, list[SeenEvent]]:
    """A seat that is asked something in the middle of a game, and all it has seen."""
    length = sum(1 for state in random_game(game, seed, DECISIONS) if state.pending)
    state = next(itertools.islice(random_game(game, seed, DECISIONS), length * 2 // 3, None))
    return state.pending[0], state.events(state.pending[0])


def forged(events: list[SeenEvent], count: int, seed: int) -> Iterator[tuple[int, list[SeenEvent]]]:
    """Histories with one number changed, each with the event that has it."""
    chance = random.Random(seed)
    while count:
        event = chance.choice(events)
        args = list(event.args)
        if args:
            args[chance.randrange(len(args))] = chance.choice(NUMBERS)
        if tuple(args) != event.args:
            count -= 1
            at = event.sequence
            yield at, [*events[:at - 1], SeenEvent(at, event.key, tuple(args)), *events[at:]]


@pytest.mark.parametrize("game_id", GAMES)
def test_the_first_bad_event(game_id: str) -> None:
    """What was true before the changed event is never to blame, and mostly that event itself is."""
    game = case_of(game_id).new_game()
    refused = named = 0
    for seed in range(2):
        seat, events = told(game, seed)
        for at, history in forged(events, 15, seed):
            try:
                History(game, seat, history).world_after(len(history), 0)
            except HistoryError as error:
                refused += 1
                assert error.impossible_from >= at, f"{error} names what was true: event {at} was changed"
                assert error.possible_to < error.first_bad <= error.impossible_from
                named += error.first_bad == at
                again = History(game, seat, history)
                if error.possible_to and error.possible_to < at:
                    assert again.world_after(error.possible_to, 7).observation(seat) == again.seen_after(error.possible_to)
                with pytest.raises(HistoryError):
                    again.world_after(error.impossible_from, 7)
    assert refused >= 4 and named >= 0.4 * refused, f"of {refused} refused histories {named} were refused for the changed event"


@pytest.mark.parametrize("game_id", GAMES)
def test_missing_repeated_and_foreign_events_are_named(game_id: str) -> None:
    game = case_of(game_id).new_game()
    seat, events = told(game, 5)
    middle = len(events) // 2
    before, event, after = events[:middle], events[middle], events[middle + 1:]
    for history in ([*before, *after], [*before, before[-1], event, *after], [*before, event._replace(key="NOVA"), *after]):
        with pytest.raises(HistoryError) as caught:
            History(game, seat, history).world_after(len(history), 0)
        assert caught.value.first_bad == middle + 1 > caught.value.possible_to


@pytest.mark.parametrize("game_id", GAMES)
def test_true_histories_are_believed_at_every_question(game_id: str) -> None:
    game = case_of(game_id).new_game()
    seat, events = told(game, 6)
    history = History(game, seat, events)
    for event in events:
        if event.key == "ASK":
            assert history.world_after(event.sequence, 1).prompt(seat)


@pytest.mark.parametrize("game_id", GAMES)
def test_an_event_that_cannot_be_told_is_named_also_without_time_to_look(game_id: str) -> None:
    game = case_of(game_id).new_game()
    seat, events = told(game, 5)
    middle = len(events) // 2
    history = [*events[:middle], events[middle]._replace(key="NOVA"), *events[middle + 1:]]
    with pytest.raises(HistoryError) as caught:
        History(game, seat, history, hurry=lambda: True).world_after(len(history), 0)
    assert caught.value.first_bad == middle + 1 == caught.value.impossible_from
