"""Small games as explicit trees, and what can be computed on them exactly: counts, best responses, equilibria.

The tree branches by action; at every node all deals are played side by side, as arrays. That needs games whose legal
actions do not depend on the deal, such as poker. Information sets may span nodes (secret choices), but only of one depth.
"""
from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seatmate.engine.core.game import Game, State

Values = NDArray[np.float64]


@dataclass
class Node:
    """A decision (`infosets` has one number per deal) or an ending (`utilities`: deals x seats)."""

    seat: int = -1
    actions: list[int] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    infosets: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    utilities: Values = field(default_factory=lambda: np.empty((0, 0)))


@dataclass
class Tree:
    """All histories of a game over equally likely deals. `keys` names the information sets: (seat, observation key)."""

    root: Node
    deals: int
    keys: list[tuple[int, int]]

    def nodes(self) -> Iterator[Node]:
        """Depth first."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)

    @property
    def decisions(self) -> int:
        """Decision nodes, counted once per deal."""
        return self.deals * sum(bool(node.children) for node in self.nodes())

    @property
    def terminals(self) -> int:
        """Ends of the game, counted once per deal."""
        return self.deals * sum(not node.children for node in self.nodes())


def deals(game: Game, distinguish: Callable[[State], Hashable], count: int) -> list[State]:
    """One dealt game for each of the `count` different values of `distinguish`, found by trying seeds."""
    found: dict[Hashable, State] = {}
    for seed in range(100 * count):
        state = game.new_state(seed, record_events=False)
        found.setdefault(distinguish(state), state)
    assert len(found) == count, f"{len(found)} deals instead of {count}"
    return list(found.values())


def grow(openings: list[State]) -> Tree:
    """The tree of these deals."""
    numbers: dict[tuple[int, int], int] = {}

    def visit(states: list[State]) -> Node:
        first = states[0]
        if first.is_over:
            return Node(utilities=np.array([state.returns() for state in states]))
        seat = first.pending[0]
        actions = first.legal_actions(seat)
        assert all(state.pending == first.pending and state.legal_actions(seat) == actions for state in states)
        infosets = [numbers.setdefault((seat, state.observation_key(seat)), len(numbers)) for state in states]
        children = []
        for action in actions:
            after = [state.clone() for state in states]
            for state in after:
                state.apply_action(seat, action)
            children.append(visit(after))
        return Node(seat, actions, children, np.array(infosets))

    root = visit(openings)
    return Tree(root, len(openings), list(numbers))


Policy = dict[int, Values]
"""Per information set the probabilities of its actions, in the order of the node's actions."""


def rows(policy: Policy, node: Node) -> Values:
    """deals x actions."""
    return np.array([policy[infoset] for infoset in node.infosets])


def expected_value(tree: Tree, policy: Policy, seat: int) -> float:
    """The seat's mean utility when all follow the policy."""

    def visit(node: Node, reach: Values) -> float:
        if not node.children:
            return float(reach @ node.utilities[:, seat])
        shares = rows(policy, node)
        return sum(visit(child, reach * shares[:, i]) for i, child in enumerate(node.children))

    return visit(tree.root, np.full(tree.deals, 1 / tree.deals))


def best_response(tree: Tree, policy: Policy, seat: int) -> float:
    """The seat's mean utility when it alone leaves the policy for the best answer to it."""
    levels: list[list[Node]] = []
    reaches: dict[int, Values] = {}     # by node: what the others and the deal contribute to reaching it

    def descend(node: Node, depth: int, reach: Values) -> None:
        if depth == len(levels):
            levels.append([])
        levels[depth].append(node)
        reaches[id(node)] = reach
        if node.children:
            shares = np.ones((tree.deals, len(node.children))) if node.seat == seat else rows(policy, node)
            for i, child in enumerate(node.children):
                descend(child, depth + 1, reach * shares[:, i])

    descend(tree.root, 0, np.full(tree.deals, 1 / tree.deals))
    values: dict[int, Values] = {}      # by node: the seat's utility from here on, times the reach
    for level in reversed(levels):
        totals: dict[int, Values] = {}
        own = [node for node in level if node.seat == seat and node.children]
        for node in own:
            for infoset, row in zip(node.infosets, np.array([values[id(child)] for child in node.children]).T, strict=True):
                totals[infoset] = totals.get(infoset, 0) + row
        for node in level:
            below = np.array([values[id(child)] for child in node.children])
            if not node.children:
                values[id(node)] = reaches[id(node)] * node.utilities[:, seat]
            elif node.seat == seat:
                values[id(node)] = below[[totals[infoset].argmax() for infoset in node.infosets], np.arange(tree.deals)]
            else:
                values[id(node)] = below.sum(axis=0)
    return float(values[id(tree.root)].sum())


def sum_of(arrays: list[Values]) -> Values:
    """Element by element."""
    total: Values = np.sum(arrays, axis=0)
    return total


def cfr_plus(tree: Tree, iterations: int) -> Policy:
    """The average policy of CFR+ (Tammelin 2014) for two seats with utilities that sum to 1."""
    width = max(len(node.actions) for node in tree.nodes())
    regrets = np.zeros((len(tree.keys), width))
    change = np.zeros((len(tree.keys), width))
    average = np.zeros((len(tree.keys), width))

    def strategy(node: Node) -> Values:
        positive: Values = regrets[node.infosets, :len(node.actions)]
        total = positive.sum(axis=1, keepdims=True)
        return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / len(node.actions))

    def visit(node: Node, seat: int, own: Values, others: Values, weight: float) -> Values:
        """Values of the seat per deal, times the reach of the others."""
        if not node.children:
            ending: Values = others * node.utilities[:, seat]
            return ending
        shares = strategy(node)
        if node.seat != seat:
            return sum_of([visit(child, seat, own, others * shares[:, i], weight)
                           for i, child in enumerate(node.children)])
        values = np.array([visit(child, seat, own * shares[:, i], others, weight) for i, child in enumerate(node.children)]).T
        mean: Values = (shares * values).sum(axis=1)
        for i in range(len(node.actions)):
            np.add.at(change[:, i], node.infosets, values[:, i] - mean)
            np.add.at(average[:, i], node.infosets, weight * own * shares[:, i])
        return mean

    ones = np.ones(tree.deals)
    for iteration, seat in itertools.product(range(1, iterations + 1), range(2)):
        change[:] = 0
        visit(tree.root, seat, ones, ones / tree.deals, iteration)
        regrets = np.maximum(regrets + change, 0)
    policy: Policy = {}
    for node in tree.nodes():
        for infoset in node.infosets:
            row = average[infoset, :len(node.actions)]
            policy[int(infoset)] = row / row.sum() if row.sum() > 0 else np.full(len(row), 1 / len(row))
    return policy
