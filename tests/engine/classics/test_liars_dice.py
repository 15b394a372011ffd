"""Liar's dice: the published tree, who wins a call, and the dice nobody has seen."""
from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from seatmate.ai.search import Limits, Search, SearchParams
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
    assert scores[6 * 1 + 2] == max(scores[6:])                 # two threes, which it has
    assert scores[6 * 2 + 2] == max(scores[12:])                # three of another face are less likely still
    assert scores[6 * 1 + 2] > scores[6 * 2 + 2] > scores[6 * 3 + 2]
    assert scores[6 * 3 + 5] == pytest.approx(0, abs=0.01)      # four sixes, which it knows to be a lie, and so do all others
    state.apply_action(0, 6 * 2 + 2)
    assert state.score_actions(1)[-1] == 1.0                    # no three, no six: three of them are a lie


def test_the_heuristic_reads_bids() -> None:
    state = table((2,), (5,), (1,))
    state.apply_action(0, 6 * 0 + 3)                            # a four, says who has none
    assert state.score_actions(1)[-1] == pytest.approx((1 - 4.5 / 8.5) * 2 / 3)     # seat 0's die: 3.5 times as likely a four
    state.apply_action(1, 6 * 1 + 3)                            # two fours
    assert state.score_actions(2)[-1] == pytest.approx(1 - (4.5 / 8.5)**2)


@pytest.mark.parametrize(("plausible", "lie"), [(True, 1 - 4.5 / 8.5), (False, 1 - 1 / 3)])
def test_plausible_worlds_hold_what_was_bid(plausible: bool, lie: float) -> None:
    state = table((2,), (5,))
    state.apply_action(0, 6 * 0 + 3)
    params = replace(SearchParams.for_game(state.game.spec), plausible_worlds=plausible, mixing=0.1)    # values as they are
    call = {one.action: one for one in Search(state, 1, seed=1, params=params).run(Limits(iterations=20_000)).candidates}[12]
    assert call.value == pytest.approx(lie, abs=0.02)


Policy = Callable[[list[int], int], dict[int, float]]
"""From (bids, the face of the bidder's own die) to the shares of its actions."""


def best_response(bids: list[int], seat: int, reach: list[float], policy: Policy) -> list[float]:
    """What the seat's best answers win from here on for each face of its die, against a policy of the other seat.

    One die each. reach: how likely the other seat is to come here with each face.
    """
    faces = range(6)
    asked = len(bids) % 2
    shares = [policy(bids, face + 1) if asked != seat and reach[face] else {} for face in faces]
    found = [[0.0] * 6]
    for action in [*range(bids[-1] + 1 if bids else 0, 12), *([12] if bids else [])]:
        left = reach if asked == seat else [reach[face] * shares[face].get(action, 0.0) for face in faces]
        if not any(left):
            continue
        if action < 12:
            found.append(best_response([*bids, action], seat, left, policy))
            continue
        quantity, shown = bids[-1] // 6 + 1, bids[-1] % 6 + 1
        found.append([sum(left[other] / 6 for other in faces
                          if ((quantity <= sum(face + 1 in (shown, 6) for face in (mine, other))) == (asked != seat)))
                      for mine in faces])
    return [max(values) if asked == seat else sum(values) for values in zip(*found, strict=True)]


def test_whoever_knows_the_search_wins_little_more_than_half() -> None:
    """With one die each, exactly: about 0.61 of the games; of uniform play 0.89, and as many of a search against random bidders."""
    dealt = cache(table)

    def policy(bids: list[int], face: int) -> dict[int, float]:
        state = dealt(*(((face,), (1,)) if len(bids) % 2 == 0 else ((1,), (face,)))).clone()
        for action in bids:
            state.apply_action(state.pending[0], action)
        seed = hash((*bids, face)) % 2**32
        candidates = Search(state, len(bids) % 2, seed=seed).run(Limits(iterations=1000)).candidates
        return {one.action: one.policy for one in candidates if one.policy}

    won = sum(sum(best_response([], seat, [1.0] * 6, policy)) / 6 for seat in range(2)) / 2
    assert 0.5 <= won <= 0.66
