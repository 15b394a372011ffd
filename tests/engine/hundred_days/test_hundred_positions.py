"""Positions, rows, cards in words, and views that no game can show."""
from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import new_game
from seatmate.engine.hundred_days.content.pack import read
from seatmate.engine.hundred_days.game import HundredDaysGame
from seatmate.engine.hundred_days.secrets.fields import FIELDS
from seatmate.engine.hundred_days.words.cards import card_text, tile_text


def a_game(seats: int) -> HundredDaysGame:
    game = new_game("hundred_days", seats=seats)
    assert isinstance(game, HundredDaysGame)
    return game


def some_states(game: HundredDaysGame, seed: int) -> list[State]:
    """Positions of a random game."""
    state, chooser, found = game.new_state(seed), random.Random(seed), []
    while not state.is_over:
        seat = chooser.choice(state.pending)
        state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
        if chooser.random() < 0.1:
            found.append(state.clone())
    return found


def test_the_rows_cover_the_state() -> None:
    """What they leave out is padding before words of 8 bytes."""
    assert all(len(gap) < 8 and gap.stop % 8 == 0 for gap in FIELDS.gaps())
    assert FIELDS.size == a_game(2).state_bytes <= 832


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everything_is_read_back(seats: int) -> None:
    game = a_game(seats)
    for state in some_states(game, seats):
        values = game.everything(state)
        again = game.position(values)
        assert again.to_bytes() == state.to_bytes()
        assert game.everything(again) == values


@pytest.mark.parametrize(("seats", "games"), [(3, 12), (4, 8)])
def test_a_view_is_read_while_seats_are_worked_through_one_after_another(seats: int, games: int) -> None:
    """Cards that make every opponent give, drop or show something ask them in turn, a question above a question."""
    game = a_game(seats)
    kinds = set()
    for seed in range(games):
        state, chooser = game.new_state(seed), random.Random(seed)
        while not state.is_over:
            seat = chooser.choice(state.pending)
            state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
            frames = FIELDS.read(state.to_bytes())["frames"]
            if len(frames) > 1 and frames[-1]["kind"] == frames[-2]["kind"]:
                kinds.add(frames[-1]["kind"])
                for reader in range(seats):
                    seen = state.observation(reader)
                    assert game.state_from_view(seen, reader, seed).observation(reader) == seen
    assert len(kinds) >= 3


def test_every_card_is_said_in_words() -> None:
    texts = [card_text(card) for card in read("standard").content.card]
    assert len(set(texts)) == 81
    for text in texts:
        assert "so many" not in text and "{" not in text and "@" not in text and text.endswith(".")


FORGED: list[tuple[str, Callable[[dict[str, Any]], None]]] = [
    ("a token more", lambda view: view["tokens"][0].__setitem__(0, view["tokens"][0][0] + 1)),
    ("an unknown card", lambda view: view["hands"][0].append("Z99")),
    ("a card twice", lambda view: view["hands"][0].append(view["hands"][0][0] if view["hands"][0] else "A01")),
    ("a tile twice", lambda view: view["places"].__setitem__(1, view["places"][2])),
    ("a die of seven", lambda view: view.__setitem__("die", 7)),
    ("another question", lambda view: view.update(question="WAIVE", prompt="WAIVE")),
    ("somebody else's hand", lambda view: view["hands"].__setitem__(1, [])),
    ("garage tokens from nowhere", lambda view: view["garage"].__setitem__(0, 9)),
    ("a missing key", lambda view: view.pop("held")),
    ("a frame of nonsense", lambda view: view["frames"].append(1)),
    ("nobody is asked", lambda view: view.update(asked=[], question=None, prompt=None)),
]


@pytest.mark.parametrize("what", [what for what, _ in FORGED])
def test_what_no_game_can_show_is_refused(what: str) -> None:
    game = a_game(2)
    forge = dict(FORGED)[what]
    for state in some_states(game, 5)[:20]:
        if 0 not in state.pending:
            continue
        view = state.observation(0)
        assert game.state_from_view(view, 0, 3).to_bytes() == state.resample_from_infostate(0, 3).to_bytes()
        forged = copy.deepcopy(view)
        forge(forged)
        with pytest.raises(ValueError):
            game.state_from_view(forged, 0, 3)


@pytest.mark.parametrize("seats", [2, 4])
def test_resources_are_listed_in_one_order_everywhere(seats: int) -> None:
    """On the board, in the answers to every question, and in what `describe` says: M, S, T, D."""
    game, lists = a_game(seats), set()
    for state in some_states(game, seats):
        seen = state.observation(0)
        texts = [*game.board_lines(seen, 0), *(state.action_label(seat, action) for seat in state.pending
                                               for action in state.legal_actions(seat))]
        lists |= {found.group() for text in texts for found in re.finditer(r"\b\d+[MSTD]( \d+[MSTD])+", text)}
    lists |= {tile_text(tile) for tile in game.pack.tile}
    for text in lists:
        for found in re.finditer(r"\b\d+[MSTD]( \d+[MSTD])+", text):
            order = ["MSTD".index(part[-1]) for part in found.group().split()]
            assert order == sorted(set(order)), text
    assert len(lists) > 40


@pytest.mark.parametrize("seats", [2, 3])
def test_the_score_of_an_observation_is_the_one_that_decides(seats: int) -> None:
    game, chooser = a_game(seats), random.Random(seats)
    state = game.new_state(seats, record_events=True)
    while not state.is_over:
        seat = chooser.choice(state.pending)
        state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
    told = [event.args[-1] for event in state.events(SPECTATORS) if event.key == "SCORE"]
    scores = game.scores(state.observation(SPECTATORS))
    assert scores == told and [share > 0 for share in state.returns()] == [score == max(scores) for score in scores]
    seen = state.observation(SPECTATORS)
    first = next(tile for tile, owner in enumerate(seen["owners"]) if owner == 0)
    seen["owners"][first] = 1
    other = game.scores(seen)
    assert other[0] < scores[0] and other[1] > scores[1], "those of an observation, not of the one before"
