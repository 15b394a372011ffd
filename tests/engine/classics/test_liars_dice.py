"""Liar's dice: the published tree, who wins a call, and the dice nobody has seen."""
from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import pytest

from seatmate.engine.core.game import State
from seatmate.engine.core.registry import new_game
from statistics_checks import check_frequencies
from trees import deals, grow


def dice(state: State) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(state.observation(seat)["dice"][seat]) for seat in range(state.game.seats))


def table(*wanted: tuple[int, ...]) -> State:
    """A fresh table with these dice."""
    game = new_game("liars_dice", seats=len(wanted), options={"dice": len(wanted[0])})
    return next(state for state in map(game.new_state, range(1_000_000)) if dice(state) == wanted)


def play(state: State, *bids: tuple[int, int]) -> State:
    """Bid (quantity, face) in turn, then call."""
    for quantity, face in bids:
        state.apply_action(state.pending[0], 6 * (quantity - 1) + face - 1)
    state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[-1])
    return state


def test_the_published_number_of_information_sets() -> None:
    tree = grow(deals(new_game("liars_dice", seats=2), dice, 36))
    assert len(tree.keys) == 24576
    assert (tree.decisions, tree.terminals) == (36 * 2**12, 36 * (2**12 - 1))


@pytest.mark.parametrize(("rolled", "bids", "winner"), [
    (((3,), (5,)), [(1, 3)], 0),
    (((3,), (5,)), [(1, 4)], 1),
    (((3,), (5,)), [(1, 4), (1, 5)], 1),
    (((3,), (6,)), [(2, 3)], 0),                    # a six counts as a three
    (((3,), (6,)), [(2, 6)], 1),                    # a three does not count as a six
    (((6,), (6,)), [(2, 1)], 0),
    (((2, 2), (2, 6)), [(1, 1), (4, 2)], 1),
    (((2, 2), (2, 5)), [(1, 1), (4, 2)], 0),
])
def test_who_wins_a_call(rolled: tuple[tuple[int, ...], ...], bids: list[tuple[int, int]], winner: int) -> None:
    state = play(table(*rolled), *bids)
    assert state.returns() == [1.0 - winner, float(winner)]


@pytest.mark.parametrize(("bids", "returns"), [
    ([(1, 1)], [1.0, 0.0, 0.5]), ([(1, 1), (1, 4)], [0.5, 0.0, 1.0]), ([(1, 1), (1, 2), (3, 1)], [1.0, 0.5, 0.0]),
])
def test_only_bidder_and_caller_win_or_lose(bids: list[tuple[int, int]], returns: list[float]) -> None:
    assert play(table((1,), (2,), (3,)), *bids).returns() == returns


def test_bids_rise() -> None:
    state = new_game("liars_dice", seats=2, options={"dice": 2}).new_state(1)
    call = 24
    assert state.legal_actions(0) == list(range(call))
    state.apply_action(0, 10)
    assert state.legal_actions(1) == [*range(11, call), call]
    state.apply_action(1, call - 1)
    assert state.legal_actions(0) == [call]
    state.apply_action(0, call)
    assert state.is_over


def test_labels_say_the_bid() -> None:
    state = new_game("liars_dice", seats=2, options={"dice": 2}).new_state(1)
    assert state.action_label(0, 6 * 2 + 4) == "At least 3 × 5"
    assert state.action_args(0, 6 * 2 + 4) == {"quantity": 3, "face": 5}


@pytest.mark.parametrize("seat", [0, 1])
def test_sampled_dice_are_rolled_dice(seat: int) -> None:
    state = new_game("liars_dice", seats=2, options={"dice": 2}).new_state(5)
    state.apply_action(0, 3)
    rolls = Counter(tuple(sorted(roll)) for roll in itertools.product(range(1, 7), repeat=2))
    expected: dict[Any, float] = {roll: ways / 36 for roll, ways in rolls.items()}
    check_frequencies(state, seat, lambda world: dice(world)[1 - seat], expected)


def test_after_the_call_nothing_is_hidden() -> None:
    state = play(table((3,), (5,)), (1, 3))
    check_frequencies(state, 0, dice, {((3,), (5,)): 1.0}, samples=50)


def test_the_heuristic_believes_its_own_dice() -> None:
    state = table((3, 3), (1, 2))
    scores = state.score_actions(0)
    assert scores[6 * 1 + 2] == 1.0                             # two threes
    assert scores[6 * 2 + 2] == pytest.approx(1 - (2 / 3)**2)   # three threes: one of two dice is a three or a six
    assert scores[6 * 0 + 5] == pytest.approx(1 - (5 / 6)**2)   # a six: no other face counts
    state.apply_action(0, 6 * 2 + 2)
    assert state.score_actions(1)[-1] == 1.0                    # no three, no six: three of them are a lie
