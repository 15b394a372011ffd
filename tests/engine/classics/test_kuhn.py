"""Kuhn poker: the explicit tree and the equilibria of Kuhn (1950)."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from seatmate.engine.core.game import State
from seatmate.engine.core.registry import new_game
from trees import Policy, Tree, best_response, deals, expected_value, grow

VALUE = -1 / 18     # chips, for the first seat


def cards(state: State) -> tuple[Any, ...]:
    return tuple(state.observation(seat)["cards"][seat] for seat in range(2))


@pytest.fixture(scope="module")
def openings() -> list[State]:
    return deals(new_game("kuhn"), cards, 6)


@pytest.fixture(scope="module")
def tree(openings: list[State]) -> Tree:
    return grow(openings)


def test_the_published_counts(tree: Tree) -> None:
    assert (tree.decisions, tree.terminals, len(tree.keys)) == (24, 30, 12)


def equilibrium(openings: list[State], tree: Tree, alpha: float) -> Policy:
    """One of the equilibria: the first seat bets J with probability alpha, and the rest follows."""
    bets = {"": {"J": alpha, "Q": 0, "K": 3 * alpha}, "pb": {"J": 0, "Q": alpha + 1 / 3, "K": 1},
            "p": {"J": 1 / 3, "Q": 0, "K": 1}, "b": {"J": 0, "Q": 1 / 3, "K": 1}}
    policy: Policy = {}
    histories = {"": tree.root, "p": tree.root.children[0], "b": tree.root.children[1],
                 "pb": tree.root.children[0].children[1]}
    for moves, node in histories.items():
        for opening, infoset in zip(openings, node.infosets, strict=True):
            bet = bets[moves][cards(opening)[node.seat]]
            policy[int(infoset)] = np.array([1 - bet, bet])
    return policy


@pytest.mark.parametrize("alpha", [0, 1 / 6, 1 / 3])
def test_nobody_can_improve_on_an_equilibrium(openings: list[State], tree: Tree, alpha: float) -> None:
    policy = equilibrium(openings, tree, alpha)
    assert 4 * expected_value(tree, policy, 0) - 2 == pytest.approx(VALUE)
    assert 4 * best_response(tree, policy, 0) - 2 == pytest.approx(VALUE)
    assert 4 * best_response(tree, policy, 1) - 2 == pytest.approx(-VALUE)


def test_other_policies_can_be_exploited(openings: list[State], tree: Tree) -> None:
    policy = equilibrium(openings, tree, 0.6)
    gain = best_response(tree, policy, 0) + best_response(tree, policy, 1) - 1
    assert gain > 0.01


@pytest.mark.parametrize(("moves", "gains"), [
    ("pp", 1), ("bb", 2), ("bp", None), ("pbp", None), ("pbb", 2),
])
def test_what_the_endings_pay(openings: list[State], moves: str, gains: int | None) -> None:
    for opening in openings:
        state = opening.clone()
        for move in moves:
            state.apply_action(state.pending[0], "pb".index(move))
        chips = [round(4 * value - 2) for value in state.returns()]
        better = cards(opening).index(max(cards(opening), key="JQK".index))
        if gains is None:
            winner = 0 if moves == "bp" else 1      # the other has folded
            assert chips[winner] == 1 and chips[1 - winner] == -1
        else:
            assert chips[better] == gains and chips[1 - better] == -gains
