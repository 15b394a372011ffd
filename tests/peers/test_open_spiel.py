"""Our reference games against OpenSpiel's: same legal actions, same endings, same information, on random games.

Needs the extra: `pip install seatmate[adapters]`; skipped without it.
"""
from __future__ import annotations

import random

import pytest

from open_spiel_native import NATIVE

pytest.importorskip("pyspiel", reason="open_spiel is not installed: OpenSpiel's games cannot be asked")


@pytest.mark.parametrize("name", NATIVE)
def test_random_games_go_the_same_way(name: str) -> None:
    native = NATIVE[name]
    game, seats = native.new_game(), native.seats
    their_game = native.load_peer()
    told: dict[tuple[int, str], tuple[int, int]] = {}   # their information state -> our observation key
    for seed in range(60):
        choice = random.Random(seed)
        ours = game.new_state(seed)
        theirs = their_game.new_initial_state()
        outcomes = native.chance(ours, theirs)
        while True:
            while theirs.is_chance_node():
                theirs.apply_action(next(outcomes))
            if theirs.is_terminal():
                break
            asked = list(range(seats)) if theirs.is_simultaneous_node() else [theirs.current_player()]
            assert list(ours.pending) == asked
            for seat in asked:
                assert ours.legal_actions(seat) == theirs.legal_actions(seat)
                if native.hides:
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
            assert [native.to_theirs(value) for value in ours.returns()] == pytest.approx(theirs.returns())
    assert len(set(told.values())) == len(told), "what they tell apart is the same to us"


@pytest.mark.parametrize(("seats", "hand", "tokens", "lives", "decisions", "ends"), [
    (2, 3, 1, 1, 345, 1_782), (3, 2, 1, 1, 1_764, 7_616), (3, 2, 2, 1, 3_568, 17_772), (2, 2, 1, 1, 18_914, 59_414),
    (2, 2, 1, 2, 36_098, 111_848), (2, 2, 2, 1, 147_878, 577_842),
])
def test_the_smallest_trees_of_hanabi_have_the_counts_that_are_pinned(seats: int, hand: int, tokens: int, lives: int,
                                                                       decisions: int, ends: int) -> None:
    """One colour, three ranks; the same numbers as in tests/engine/classics/test_hanabi_counts.py."""
    import pyspiel

    found = [0, 0]

    def visit(state: pyspiel.State) -> None:
        if state.is_chance_node():
            actions = [outcome for outcome, _ in state.chance_outcomes()]
        else:
            actions = state.legal_actions()
            found[state.is_terminal()] += 1
        for action in actions:
            visit(state.child(action))

    visit(pyspiel.load_game(f"hanabi(players={seats},colors=1,ranks=3,hand_size={hand},max_information_tokens={tokens},"
                            f"max_life_tokens={lives})").new_initial_state())
    assert found == [decisions, ends]
