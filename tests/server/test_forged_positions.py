"""Positions come from anybody: whatever history they claim, the process that reads them lives on."""
from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from seatmate.ai.search import Limits, Search, StopFlag
from seatmate.engine.core.game import Game, SeenEvent, State
from seatmate.engine.core.registry import game_spec, list_games, new_game
from seatmate.server.errors import ApiError
from seatmate.server.positions import review_of, world_of

NUMBERS = (0, 1, 2, 3, 5, 7, 31, 40, 61, 62, 63, 100, 255, 256, 1000, 2**31 - 1, -1, -2**31)

GAMES = [spec.id for spec in list_games()]
NO_LUCK = ("connect_four", "tic_tac_toe")

PYTHONS = re.compile(r"\w(Error|Exception)\b|out of range|not in list|supported between|NoneType|'\w+' object|unpack|empty list|"
                     r"iterable|broken")
"""Words that tell of the program and not of the game."""


def forge(history: list[tuple[str, tuple[int, ...]]], choice: random.Random) -> list[tuple[str, tuple[int, ...]]]:
    """A real history with up to three changes: events lost, moved, repeated, numbers changed, added, missing."""
    events = list(history)
    for _ in range(choice.randrange(1, 4)):
        i = choice.randrange(len(events))
        key, args = events[i]
        match choice.randrange(6):
            case 0 if len(events) > 1:
                del events[i]
            case 1:
                events.insert(i, choice.choice(events))
            case 2 if args:
                changed = list(args)
                changed[choice.randrange(len(args))] = choice.choice(NUMBERS)
                events[i] = key, tuple(changed)
            case 3:
                events[i] = key, args[:-1]
            case 4:
                events[i] = key, (*args, choice.randrange(100))
            case 5:
                events[i:i] = [events[i]] * choice.choice((2, 10, 70, 300))
    return events


def read_forgeries(game_id: str, seed: int, count: int) -> tuple[int, int]:
    """Read so many forged histories and search those that pass; returns (refused, searched)."""
    choice = random.Random(seed)
    refused = searched = 0
    games = {seats: new_game(game_id, seats=seats) for seats in game_spec(game_id).modes[0].seats}
    while refused + searched < count:
        game = games[choice.choice(game_spec(game_id).modes[0].seats)]
        state = game.new_state(choice.randrange(10**9))
        for _ in range(choice.randrange(200)):
            seat = choice.choice(state.pending)
            state.apply_action(seat, choice.choice(state.legal_actions(seat)))
            if state.is_over:
                break
        if state.is_over:
            continue
        seat = state.pending[0]
        history = [(event.key, event.args) for event in state.events(seat)]
        for _ in range(20):
            events = [SeenEvent(n, *event) for n, event in enumerate(forge(history, choice), start=1)]
            claimed = seat if choice.randrange(10) else (seat + 1) % game.seats
            try:
                world = world_of(game, claimed, events, seed=1)
                Search(world, claimed, seed=1).run(Limits(iterations=20))
                searched += 1
            except ApiError as error:
                assert error.reason in ("BAD_POSITION", "GAME_OVER", "SEAT_NOT_ASKED")
                assert not PYTHONS.search(str(error)), error
                refused += 1
    return refused, searched


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_forged_histories_are_read_or_refused(game, seed):
    done = subprocess.run([sys.executable, "-P", "-X", "faulthandler", __file__, game, str(seed), "1500"],
                          capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    refused, searched = map(int, done.stdout.split())
    assert refused > 300
    assert searched > 100       # small changes often leave a history that a game can give


def test_hints_that_no_hand_fits_are_refused_and_not_dealt_for_ever() -> None:
    """Hanabi deals a hand by trying until it fits. A forged hint says that both cards are the one card of the highest rank."""
    game = new_game("hanabi", seats=2, options={"colours": 1})
    state = game.new_state(0)
    state.apply_action(0, state.legal_actions(0)[-1])
    told = next(action for action in state.legal_actions(1) if game.action_label(state, 1, action).startswith("Tell"))
    state.apply_action(1, told)
    history = [SeenEvent(n, event.key, event.args) for n, event in enumerate(state.events(0), start=1)]
    at = max(n for n, event in enumerate(history) if event.key == "TOLD")
    highest, every_card = game.settings.options["ranks"] - 1, (1 << len(state.observation(0)["known"][0])) - 1
    history[at] = SeenEvent(history[at].sequence, "TOLD", (*history[at].args[:2], 1, highest, every_card))
    with pytest.raises(ApiError) as caught:
        world_of(game, 0, history, seed=1)
    assert caught.value.reason == "BAD_POSITION" and "no hand fits the hints" in str(caught.value)


def played(game_id: str, seed: int, decisions: int) -> tuple[Game, State]:
    """A game played at random: to its end, or for so many decisions."""
    chance, game = random.Random(seed), new_game(game_id, seats=game_spec(game_id).modes[0].seats[-1])
    state = game.new_state(seed)
    while decisions and not state.is_over:
        seat = chance.choice(state.pending)
        state.apply_action(seat, chance.choice(state.legal_actions(seat)))
        decisions -= 1
    return game, state


def changed(events: list[SeenEvent], keys: set[str]) -> Iterator[tuple[str, list[SeenEvent]]]:
    """The history with each event of these keys left out, told twice, and told after the next one; the last one stays the last."""
    for n, event in enumerate(events[:-1]):
        if event.key in keys:
            yield f"{event} left out", numbered([*events[:n], *events[n + 1:]])
            yield f"{event} twice", numbered([*events[:n + 1], *events[n:]])
            if event[1:] != events[n + 1][1:]:
                yield f"{event} late", numbered([*events[:n], events[n + 1], event, *events[n + 2:]])


def numbered(events: list[SeenEvent]) -> list[SeenEvent]:
    return [event._replace(sequence=n) for n, event in enumerate(events, start=1)]


def accepted(game: Game, seat: int, events: list[SeenEvent]) -> bool:
    """Is there a review of this?"""
    try:
        review_of(game, seat, events, 1, StopFlag())
    except ApiError as error:
        assert error.reason == "BAD_POSITION" and not PYTHONS.search(str(error)), error
        return False
    return True


@pytest.mark.parametrize("game_id", GAMES)
def test_true_histories_are_reviewed(game_id: str) -> None:
    for seed in range(3):
        game, state = played(game_id, seed, 10 + 20 * seed)
        for seat in range(game.seats):
            assert accepted(game, seat, state.events(seat))


@pytest.mark.parametrize("game_id", NO_LUCK)
def test_where_nothing_is_left_to_chance_a_review_refuses_every_history_that_no_game_gives(game_id: str) -> None:
    for seed in range(3):
        game, state = played(game_id, seed, 99)
        for seat in range(game.seats):
            events = state.events(seat)
            keys = {event.key for event in events}
            assert [what for what, history in changed(events, keys) if accepted(game, seat, history)] == []
            asked = [event for event in events for _ in range(5 if event.key == "ASK" else 1)]
            assert not accepted(game, seat, numbered(asked))
            assert not accepted(game, seat, numbered([*events, events[-1]]))


@pytest.mark.parametrize("game_id", GAMES)
def test_a_review_refuses_questions_and_answers_that_are_missing_or_come_twice(game_id: str) -> None:
    game, state = played(game_id, 1, 12)
    events = state.events(0)
    assert [what for what, history in changed(events, {"CHOICE", "ASK"}) if accepted(game, 0, history)] == []
    assert [what for what, history in changed(events, {"BUSY"}) if "twice" in what and accepted(game, 0, history)] == []


if __name__ == "__main__":
    print(*read_forgeries(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
