"""Our reference games against OpenSpiel's: same legal actions, same endings, same information, on random games.

Needs `pip install open_spiel`; skipped without it.
"""
from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from seatmate.engine.core.game import State
from seatmate.engine.core.registry import new_game

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed: OpenSpiel's games cannot be asked")

Chance = Callable[[State, Any], Iterator[int]]
"""OpenSpiel's chance outcomes that give our deal, one after the other; asked with our state after each of its steps."""


def nothing(state: State, theirs: Any) -> Iterator[int]:
    return iter(())


def kuhn_chance(state: State, theirs: Any) -> Iterator[int]:
    for seat in range(2):
        yield "JQK".index(state.observation(seat)["cards"][seat])


def leduc_chance(state: State, theirs: Any) -> Iterator[int]:
    cards = ["J1", "J2", "Q1", "Q2", "K1", "K2"]
    for seat in range(2):
        yield cards.index(state.observation(seat)["cards"][seat])
    while True:
        yield cards.index(state.observation(0)["public_card"])


def dice_chance(state: State, theirs: Any) -> Iterator[int]:
    for seat in range(state.game.seats):
        for face in state.observation(seat)["dice"][seat]:
            yield face - 1


def prize_chance(state: State, theirs: Any) -> Iterator[int]:
    number = 0
    while True:
        yield state.observation(0)["prizes"][number] - 1
        number += 1


def hanabi_chance(state: State, theirs: Any) -> Iterator[int]:
    """Hands first, seat by seat; then always the newest card of the seat that moved last."""
    def named(card: str) -> int:
        return next(int(outcome) for outcome, _ in theirs.chance_outcomes() if f"{card})" in theirs.action_to_string(outcome))

    def hand(seat: int) -> Any:
        return state.observation((seat + 1) % state.game.seats)["hands"][seat]

    for seat in range(state.game.seats):
        for card in hand(seat):
            yield named(card)
    while True:
        yield named(hand(state.actions[-1][0])[-1])


GAMES: dict[str, tuple[str, dict[str, Any], int, str, Chance, Callable[[float], float]]] = {
    "tic_tac_toe": ("tic_tac_toe", {}, 2, "tic_tac_toe", nothing, lambda x: 2 * x - 1),
    "connect_four": ("connect_four", {}, 2, "connect_four", nothing, lambda x: 2 * x - 1),
    "kuhn": ("kuhn", {}, 2, "kuhn_poker", kuhn_chance, lambda x: 4 * x - 2),
    "leduc": ("leduc", {}, 2, "leduc_poker", leduc_chance, lambda x: 26 * x - 13),
    "liars_dice-2": ("liars_dice", {}, 2, "liars_dice", dice_chance, lambda x: 2 * x - 1),
    "liars_dice-2x3": ("liars_dice", {"dice": 3}, 2, "liars_dice(numdice=3)", dice_chance, lambda x: 2 * x - 1),
    "goofspiel-2x6": ("goofspiel", {"cards": 6}, 2, "goofspiel(imp_info=True,num_cards=6)", prize_chance, lambda x: 2 * x - 1),
    "goofspiel-4x5": ("goofspiel", {"cards": 5, "order": "descending"}, 4,
                      "goofspiel(imp_info=True,num_cards=5,players=4,points_order=descending)", nothing, lambda x: x),
    "hanabi-2": ("hanabi", {}, 2, "hanabi(players=2,colors=2,ranks=5,hand_size=2,max_information_tokens=3,max_life_tokens=1)",
                 hanabi_chance, lambda x: 10 * x),
    "hanabi-5": ("hanabi", {"colours": 5, "hand": 4, "information": 8, "lives": 3}, 5,
                 "hanabi(players=5,colors=5,ranks=5,hand_size=4,max_information_tokens=8,max_life_tokens=3)",
                 hanabi_chance, lambda x: 25 * x),
}


@pytest.mark.parametrize("name", GAMES)
def test_random_games_go_the_same_way(name: str) -> None:
    game_id, options, seats, peer, chance, to_theirs = GAMES[name]
    game = new_game(game_id, seats=seats, options=options)
    their_game = pyspiel.load_game(peer)
    told: dict[tuple[int, str], tuple[int, int]] = {}   # their information state -> our observation key
    for seed in range(60):
        choice = random.Random(seed)
        ours = game.new_state(seed)
        theirs = their_game.new_initial_state()
        outcomes = chance(ours, theirs)
        while True:
            while theirs.is_chance_node():
                theirs.apply_action(next(outcomes))
            if theirs.is_terminal():
                break
            asked = list(range(seats)) if theirs.is_simultaneous_node() else [theirs.current_player()]
            assert list(ours.pending) == asked
            for seat in asked:
                assert ours.legal_actions(seat) == theirs.legal_actions(seat)
                if game_id not in ("hanabi", "tic_tac_toe", "connect_four"):
                    key = (seat, theirs.information_state_string(seat))
                    assert told.setdefault(key, (seat, ours.observation_key(seat))) == (seat, ours.observation_key(seat))
            actions = [choice.choice(ours.legal_actions(seat)) for seat in asked]
            for seat, action in zip(asked, actions, strict=True):
                ours.apply_action(seat, action)
            if theirs.is_simultaneous_node():
                theirs.apply_actions(actions)
            else:
                theirs.apply_action(actions[0])
        assert ours.is_over
        if name == "goofspiel-4x5":     # winners share 1 there too, but losers share -1
            assert [max(0.0, value) for value in theirs.returns()] == pytest.approx(
                ours.returns() if any(theirs.returns()) else [0.0] * seats)
        else:
            assert [to_theirs(value) for value in ours.returns()] == pytest.approx(theirs.returns())
    assert len(set(told.values())) == len(told), "what they tell apart is the same to us"
