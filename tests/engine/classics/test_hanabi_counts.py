"""Small Hanabi against its rules written a second time: whole trees of the smallest games, and random games of all sizes.

Both sides walk together: at every position legal moves, tokens, cards, hints and the end are compared, and after every move
all that may be drawn. The counts of whole trees are those of OpenSpiel's hanabi, which tests/peers counts again, except for
those of more than a million histories.
"""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from hanabi_rules import Card, Move, Position, Seen, Size
from seatmate.ai.adapters import chance
from seatmate.ai.bots import make_bot
from seatmate.ai.search import Limits, Search
from seatmate.engine.core.game import SPECTATORS, Game, State
from seatmate.engine.core.registry import new_game

SAMPLES = 16
"""Generators tried for each card in the deck when one is drawn: enough to draw every card."""

DEALS = 4000
"""Generators tried for a deal of the smallest games: enough for all hands."""


def engine(size: Size) -> Game:
    return new_game("hanabi", seats=size.seats, options={
        "colours": size.colours, "ranks": size.ranks, "hand": size.hand, "information": size.information, "lives": size.lives})


def named(card: Card) -> str:
    return f"{card[0]}{card[1]}"


def hands_of(state: State) -> tuple[tuple[Card, ...], ...]:
    """All hands, each as the next seat sees it."""
    seats = state.game.seats
    shown = [state.observation((seat + 1) % seats)["hands"][seat] for seat in range(seats)]
    return tuple(tuple((name[0], int(name[1])) for name in hand) for hand in shown)


def moves_of(state: State) -> dict[Move, int]:
    """The legal actions, in the words of the plain rules."""
    seat = state.pending[0]
    found = {}
    for action in state.legal_actions(seat):
        args = state.action_args(seat, action)
        if args["action"] == "tell":
            move: Move = ("tell", args["seat"], args["colour"] if "colour" in args else args["rank"])
        else:
            move = (args["action"], args["place"])
        assert move not in found, f"two actions are {move}"
        found[move] = action
    return found


def compare(position: Position, state: State) -> dict[Move, int]:
    """Both are the same in every respect; returns the engine's actions by move."""
    assert state.is_over == position.over
    seen = state.observation(SPECTATORS)
    assert hands_of(state) == position.hands
    assert (seen["information"], seen["lives"], seen["turn"]) == (position.information, position.lives, position.turn)
    assert seen["deck"] == position.deck.total() and seen["turns_left"] == position.size.seats - position.since_empty
    assert Counter(seen["discards"]) == Counter(map(named, position.discards))
    assert {(colour, rank) for colour, n in seen["fireworks"].items() for rank in range(1, n + 1)} == position.played
    assert seen["known"] == [[position.known(seat, place) for place in range(len(hand))]
                             for seat, hand in enumerate(position.hands)]
    if position.over:
        best = position.size.colours * position.size.ranks
        assert state.returns() == [position.score / best] * position.size.seats
        return {}
    assert state.pending == (position.turn,)
    actions = moves_of(state)
    assert set(actions) == position.moves()
    return actions


def branches(position: Position, state: State, actions: dict[Move, int]) -> Iterator[tuple[Position, State, Fraction]]:
    """Both sides after every move and every draw, with the odds of uniform play."""
    seat = state.pending[0]
    for move, action in actions.items():
        results = {}
        for sample, _ in chance.act_results(state, seat, action, SAMPLES * (1 + position.deck.total())):
            after = state.clone()
            chance.act_sampled(after, seat, action, sample)
            results[hands_of(after)] = after
        following = [(position.after(move, card), odds) for card, odds in position.draws(move).items()]
        assert results.keys() == {there.hands for there, _ in following}, "something else is drawn"
        for there, odds in following:
            yield there, results[there.hands], odds / len(actions)


def deals(size: Size) -> Iterator[tuple[Position, State, Fraction]]:
    """Every deal on both sides, with its odds."""
    game = engine(size)
    dealt = {hands_of(state): state for state in (chance.deal(game, sample) for sample, _ in chance.deal_results(game, DEALS))}
    starts = [(size.start(order), odds) for order, odds in size.deals()]
    assert dealt.keys() == {position.hands for position, _ in starts}
    for position, odds in starts:
        yield position, dealt[position.hands], odds


class Walk:
    """What is met on a walk through a tree, counted on the engine's side."""

    def __init__(self, size: Size, roots: Iterable[tuple[Position, State, Fraction]], depth: int = 1000) -> None:
        self.plies: Counter[int] = Counter()            # histories by the number of moves
        self.ends: Counter[int] = Counter()             # of them, those that end the game
        self.infosets: list[set[int]] = [set() for _ in range(size.seats)]      # observation keys of the seat to move
        self.value = Fraction(0)                        # mean score when all moves are as likely
        self.told: dict[Any, int] = {}                  # (seat, what the plain rules have shown it) -> its observation key
        for position, state, odds in roots:
            self.visit(position, state, odds, 0, depth)
        assert len(set(self.told.values())) == len(self.told), "two histories, one observation key"

    def visit(self, position: Position, state: State, odds: Fraction, ply: int, depth: int) -> None:
        actions = compare(position, state)
        self.plies[ply] += 1
        for seat, shown in enumerate(position.seen):
            key = state.observation_key(seat)
            assert self.told.setdefault((seat, shown), key) == key, "one history, two observation keys"
        if state.is_over:
            self.ends[ply] += 1
            self.value += odds * position.score
            return
        self.infosets[position.turn].add(state.observation_key(position.turn))
        if ply < depth:
            for after, there, share in branches(position, state, actions):
                self.visit(after, there, odds * share, ply + 1, depth)


@pytest.mark.parametrize(("size", "plies", "ends", "infosets", "value"), [
    (Size(seats=2, colours=1, ranks=3, hand=3, information=1), [60, 375, 1692], [0, 90, 1692], [19, 151], Fraction(27, 80)),
    (Size(seats=3, colours=1, ranks=3, information=1), [60, 448, 1720, 7152], [0, 60, 404, 7152], [38, 282, 974],
     Fraction(103303, 317520)),
], ids=str)
def test_whole_trees_with_their_information_sets(size: Size, plies: list[int], ends: list[int], infosets: list[int],
                                                 value: Fraction) -> None:
    """Hands take the whole deck: one turn each. By the number of moves: histories, and those that are over."""
    found = Walk(size, deals(size))
    assert [found.plies[ply] for ply in range(len(plies))] == plies and found.plies.total() == sum(plies)
    assert [found.ends[ply] for ply in range(len(ends))] == ends
    assert [len(keys) for keys in found.infosets] == infosets
    assert found.value == value


SMALL = Size(colours=1, ranks=3, information=1)
"""Two hands of two cards, two cards in the deck: 38 deals."""


def test_the_whole_tree_goes_the_same_way() -> None:
    """Histories that meet in one position on both sides are counted together from there on."""
    known: dict[Any, tuple[int, int, Fraction]] = {}

    def count(position: Position, state: State) -> tuple[int, int, Fraction]:
        key = (replace(position, discards=tuple(sorted(position.discards))), state.to_bytes())
        if key not in known:
            actions = compare(position, state)
            if not actions:
                known[key] = (0, 1, Fraction(position.score))
            else:
                below = [(*count(after, there), odds) for after, there, odds in branches(position, state, actions)]
                known[key] = (1 + sum(row[0] for row in below), sum(row[1] for row in below),
                              sum((row[2] * row[3] for row in below), Fraction(0)))
        return known[key]

    roots = [(*count(replace(position, seen=()), state), odds) for position, state, odds in deals(SMALL)]
    assert len(roots) == 38
    assert (sum(row[0] for row in roots), sum(row[1] for row in roots)) == (18_914, 59_414)
    assert sum(row[2] * row[3] for row in roots) == Fraction(70_699, 240_000)


def test_the_plain_rules_know_as_many_information_sets() -> None:
    infosets: list[set[Seen]] = [set(), set()]

    def visit(position: Position) -> None:
        if not position.over:
            infosets[position.turn].add(position.seen[position.turn])
            for move in position.moves():
                for card in position.draws(move):
                    visit(position.after(move, card))

    for order, _ in SMALL.deals():
        visit(SMALL.start(order))
    assert [len(seen) for seen in infosets] == [5216, 9882]


def engine_branches(state: State) -> Iterator[State]:
    """After every action and every draw."""
    seat = state.pending[0]
    deck = state.observation(SPECTATORS)["deck"]
    for action in state.legal_actions(seat):
        for sample, _ in chance.act_results(state, seat, action, SAMPLES * (1 + deck)):
            after = state.clone()
            chance.act_sampled(after, seat, action, sample)
            yield after


def engine_deals(size: Size, count: int) -> list[State]:
    game = engine(size)
    found = [chance.deal(game, sample) for sample, _ in chance.deal_results(game, DEALS)]
    assert len(found) == count
    return found


@pytest.mark.parametrize(("size", "decisions", "ends", "infosets"), [
    (SMALL, 18_914, 59_414, [5216, 9882]),
    (replace(SMALL, lives=2), 36_098, 111_848, [11_842, 16_656]),
    (replace(SMALL, information=2), 147_878, 577_842, [74_274, 51_484]),
], ids=str)
def test_whole_trees_of_the_engine(size: Size, decisions: int, ends: int, infosets: list[int]) -> None:
    """The trees are those of OpenSpiel's hanabi; the information sets were counted by the plain rules, too."""
    keys: list[set[int]] = [set(), set()]
    found: Counter[bool] = Counter()

    def visit(state: State) -> None:
        found[state.is_over] += 1
        if not state.is_over:
            seat = state.pending[0]
            keys[seat].add(state.observation_key(seat))
            for after in engine_branches(state):
                visit(after)

    for state in engine_deals(size, 38):
        visit(state)
    assert (found[False], found[True]) == (decisions, ends)
    assert [len(seen) for seen in keys] == infosets


@pytest.mark.parametrize(("size", "count", "decisions", "ends"), [
    (replace(SMALL, information=3), 38, 668_186, 2_915_434), (replace(SMALL, ranks=4), 162, 22_658_222, 71_830_412),
    (replace(SMALL, seats=3, information=2), 60, 3_568, 17_772),
], ids=str)
def test_larger_trees_of_the_engine(size: Size, count: int, decisions: int, ends: int) -> None:
    """Counted by the plain rules, too; equal positions have equal trees."""
    known: dict[bytes, tuple[int, int]] = {}

    def visit(state: State) -> tuple[int, int]:
        key = state.to_bytes()
        if key not in known:
            below = [] if state.is_over else [visit(after) for after in engine_branches(state)]
            known[key] = (0, 1) if state.is_over else (1 + sum(row[0] for row in below), sum(row[1] for row in below))
        return known[key]

    rows = [visit(state) for state in engine_deals(size, count)]
    assert (sum(row[0] for row in rows), sum(row[1] for row in rows)) == (decisions, ends)


def best_joint_score(size: Size) -> float:
    """What two seats with the best agreement score on average: a choice for every information set, found by integer programming."""
    variables: dict[Any, int] = {}      # (seat, what it has seen, move)
    choices: dict[Any, list[int]] = {}
    endings: Counter[frozenset[int]] = Counter()    # the choices that lead there -> odds times score

    def visit(position: Position, path: frozenset[int], odds: Fraction) -> None:
        if position.over:
            endings[path] += odds * position.score      # type: ignore[assignment]
            return
        infoset = (position.turn, position.seen[position.turn])
        moves = {move: variables.setdefault((infoset, move), len(variables)) for move in sorted(position.moves(), key=str)}
        choices[infoset] = list(moves.values())
        for move, variable in moves.items():
            for card, share in position.draws(move).items():
                visit(position.after(move, card), path | {variable}, odds * share)

    for order, odds in size.deals():
        visit(size.start(order), frozenset(), odds)
    count, steps = len(variables), [(number, variable) for number, path in enumerate(endings) for variable in path]
    reached = np.zeros((len(steps), count + len(endings)))      # an ending is reached if all choices on its way are taken
    for row, (number, variable) in enumerate(steps):
        reached[row, count + number], reached[row, variable] = 1, -1
    one_each = np.zeros((len(choices), count + len(endings)))
    for row, group in enumerate(choices.values()):
        one_each[row, group] = 1
    gains = np.array([0.0] * count + [float(score) for score in endings.values()])
    found = milp(-gains, integrality=np.arange(len(gains)) < count, bounds=Bounds(0, 1),
                 constraints=[LinearConstraint(reached, -np.inf, 0), LinearConstraint(one_each, 1, 1)])
    assert found.success
    return float(-found.fun)


def mean_score(size: Size, choose: Callable[[State, int], int]) -> float:
    """The exact mean score when every seat plays what `choose` says."""
    def visit(position: Position, state: State, odds: Fraction) -> Fraction:
        if position.over:
            return odds * position.score
        chosen = choose(state, position.turn)
        move = next(move for move, action in moves_of(state).items() if action == chosen)
        return sum((visit(after, there, odds * share) for after, there, share in branches(position, state, {move: chosen})),
                   Fraction(0))

    return float(sum(visit(*root) for root in deals(size)))


def test_nobody_beats_the_best_agreement() -> None:
    """Who looks at its own cards does: it plays one that fits, if there is one."""
    size = Size(seats=2, colours=1, ranks=3, hand=3, information=1)
    best = best_joint_score(size)
    assert best == pytest.approx(6 / 5)
    heuristic = mean_score(size, lambda state, seat: make_bot("heuristic", 1).choose(state, seat))
    searched = mean_score(size, lambda state, seat: Search(state, seat, seed=1).run(Limits(iterations=200)).best.action)
    assert 27 / 80 < heuristic == pytest.approx(1)
    assert heuristic <= searched <= best
    assert mean_score(size, peek) > best


def peek(state: State, seat: int) -> int:
    """Play a card that fits, for who sees its own hand; else the last action."""
    wanted = ("R", state.observation(SPECTATORS)["fireworks"]["R"] + 1)
    hand = hands_of(state)[seat]
    moves = moves_of(state)
    return moves["play", hand.index(wanted)] if wanted in hand else max(moves.values())


def test_every_draw_is_as_likely() -> None:
    """Each card of the deck as often as there are copies of it: chi-squared, at most 9 degrees of freedom."""
    size = Size()
    position, state = dealt(size, "R1", "R1", "R2", "R2")
    samples = 20_000
    counts: Counter[Card] = Counter()
    for sample, times in chance.act_results(state, 0, moves_of(state)["play", 0], samples):
        after = state.clone()
        chance.act_sampled(after, 0, moves_of(state)["play", 0], sample)
        counts[hands_of(after)[0][-1]] += times
    draws = position.draws(("play", 0))
    assert set(counts) == set(draws)
    assert sum((counts[card] - samples * float(odds)) ** 2 / (samples * float(odds)) for card, odds in draws.items() if card) < 35


def dealt(size: Size, *names: str) -> tuple[Position, State]:
    """A fresh game of these cards on both sides, found by trying seeds."""
    order = tuple((name[0], int(name[1])) for name in names)
    position = size.start(order)
    return position, next(state for state in map(engine(size).new_state, range(1_000_000)) if hands_of(state) == position.hands)


@pytest.mark.parametrize(("names", "plies"), [
    (("R1", "Y1", "R2", "Y5"), [1, 22, 257]), (("R1", "R1", "R2", "R2"), [1, 20, 416]), (("Y5", "R3", "Y4", "Y1"), [1, 5, 96]),
], ids=str)
def test_histories_of_the_default_size_by_the_number_of_moves(names: tuple[str, ...], plies: list[int]) -> None:
    found = Walk(Size(), [(*dealt(Size(), *names), Fraction(1))], depth=2)
    assert [found.plies[ply] for ply in range(3)] == plies


SIZES = [*(Size(seats=seats) for seats in (2, 3, 4, 5)), Size(seats=3, colours=5, hand=5, information=8, lives=3),
         Size(seats=5, colours=5, hand=4, information=8, lives=3),
         Size(seats=5, colours=3, ranks=3, hand=3, information=2, lives=2),
         Size(seats=4, colours=1, ranks=5, information=1, lives=3)]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_random_games_go_the_same_way(size: Size) -> None:
    """In every game moves are more or less clever, so that games get to all of their endings."""
    endings: Counter[str] = Counter()
    for seed in range(40):
        choice = random.Random(seed)
        skill = choice.choice([0.5, 0.9, 0.95, 1, 1])
        state = engine(size).new_state(seed)
        position = size.start(tuple(card for hand in hands_of(state) for card in hand))
        while actions := compare(position, state):
            fits = [move for move in actions if move[0] == "play" and position.after(move, None).lives == position.lives]
            rest = [move for move in actions if move[0] != "play"]
            safe = [move for move in rest if move[0] == "tell" or position.hands[position.turn][move[1]] in position.played]
            clever = choice.random() < skill
            move = choice.choice(sorted((fits or safe or rest or actions) if clever else actions, key=str))
            state.apply_action(position.turn, actions[move])
            hand = hands_of(state)[position.turn]
            draws = position.draws(move)
            drawn = None if None in draws else hand[-1]
            assert drawn in draws
            position = position.after(move, drawn)
        endings["lives" if not position.lives else "last round" if position.since_empty == size.seats else "fireworks"] += 1
    assert set(endings) == ({"last round"} if size.ranks == 3 else {"last round", "lives", "fireworks"})
