"""Who sits where."""
from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any, get_args

import pytest

from seatmate.ai.arena import PERMUTATIONS, Permutations, TournamentError, format_plans, seat_plans
from seatmate.ai.arena.plans import AUTO_LIMIT

SIZES = [(2, 2), (3, 2), (2, 3), (3, 3), (2, 4), (3, 4), (4, 4), (5, 4), (2, 5), (3, 5), (5, 5), (6, 5), (4, 6), (6, 6), (2, 8),
         (5, 7)]


def test_two_bots_at_two_seats_exchange_them() -> None:
    for kind in get_args(Permutations):
        assert seat_plans(2, 2, False, kind) == ((0, 1), (1, 0))


def test_three_bots_at_two_seats_meet_in_all_pairs_both_ways() -> None:
    assert set(seat_plans(3, 2, False)) == {(a, b) for a in range(3) for b in range(3) if a != b}


@pytest.mark.parametrize("kind", PERMUTATIONS)
@pytest.mark.parametrize(("bots", "seats"), SIZES)
def test_every_bot_sits_in_every_seat_equally_often(bots: int, seats: int, kind: Permutations) -> None:
    plans = seat_plans(bots, seats, False, kind)
    assert len(set(plans)) == len(plans) and list(plans) == sorted(plans)
    for seat in range(seats):
        assert len(set(Counter(plan[seat] for plan in plans).values())) == 1
        assert {plan[seat] for plan in plans} == set(range(bots))


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (2, 3), (3, 3), (2, 4), (3, 4), (4, 4), (4, 3), (2, 5)])
def test_all_is_every_distinct_order_of_every_selection(bots: int, seats: int) -> None:
    expected: set[tuple[int, ...]] = set()
    for chosen in itertools.combinations(range(bots), min(bots, seats)):
        for shift in range(len(chosen)):
            expected |= set(itertools.permutations(chosen[(seat + shift) % len(chosen)] for seat in range(seats)))
    assert set(seat_plans(bots, seats, False, "all")) == expected


def test_four_different_bots_at_four_seats_play_all_24_orders() -> None:
    assert len(seat_plans(4, 4, False)) == 24


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7, 8])
def test_balanced_puts_every_bot_next_to_every_other_equally_often(seats: int) -> None:
    plans = seat_plans(seats, seats, False, "balanced")
    assert len(plans) == (seats if seats % 2 == 0 else 2 * seats)
    right_of = Counter((plan[seat], plan[seat + 1]) for plan in plans for seat in range(seats - 1))
    assert set(right_of) == set(itertools.permutations(range(seats), 2))
    assert len(set(right_of.values())) == 1


@pytest.mark.parametrize(("bots", "seats"), SIZES)
def test_auto_is_all_where_that_is_affordable(bots: int, seats: int) -> None:
    every = seat_plans(bots, seats, False, "all")
    affordable = len(every) <= AUTO_LIMIT * math.comb(bots, min(bots, seats))
    assert seat_plans(bots, seats, False) == (every if affordable else seat_plans(bots, seats, False, "balanced"))


def test_rotations_keep_the_neighbours() -> None:
    assert set(seat_plans(3, 3, False, "rotations")) == {(0, 1, 2), (1, 2, 0), (2, 0, 1)}


def test_in_a_cooperative_game_each_bot_fills_the_table() -> None:
    for kind in get_args(Permutations):
        assert seat_plans(2, 4, True, kind) == ((0, 0, 0, 0), (1, 1, 1, 1))


def test_too_many_games_on_a_deal_are_refused_and_not_begun() -> None:
    with pytest.raises(TournamentError, match=r"40,320 games on each deal.*balanced"):
        seat_plans(8, 8, False, "all")
    with pytest.raises(TournamentError, match="take fewer bots"):
        seat_plans(25, 8, False)


@pytest.mark.parametrize(("bots", "seats", "kind", "message"), [
    (0, 2, "auto", "at least one"), (2, 0, "auto", "at least one"), (-1, 2, "all", "at least one"),
    (3, 4, "every", "'every' is not one of")])
def test_no_plans_for_nobody_nor_of_an_unknown_kind(bots: int, seats: int, kind: Any, message: str) -> None:
    with pytest.raises(TournamentError, match=message):
        seat_plans(bots, seats, False, kind)


# ---- Formats ----

def test_a_gauntlet_is_the_first_against_each_of_the_others() -> None:
    assert format_plans(4, 2, False, format="gauntlet") == ((0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0))
    assert format_plans(4, 2, False, format="gauntlet", challengers=2) == (
        (0, 2), (0, 3), (1, 2), (1, 3), (2, 0), (2, 1), (3, 0), (3, 1))


def test_a_ladder_is_each_against_its_neighbours() -> None:
    assert format_plans(3, 2, False, format="ladder") == ((0, 1), (1, 0), (1, 2), (2, 1))
    assert {frozenset(lineup) for lineup in format_plans(4, 4, False, format="ladder")} == {
        frozenset(pair) for pair in ((0, 1), (1, 2), (2, 3))}


def test_one_bot_fills_all_seats_of_a_team_and_teams_change_sides() -> None:
    assert format_plans(2, 4, False, teams=[(0, 2), (1, 3)]) == ((0, 1, 0, 1), (1, 0, 1, 0))
    assert format_plans(3, 3, False, teams=[(0,), (1, 2)], format="ladder") == ((0, 1, 1), (1, 0, 0), (1, 2, 2), (2, 1, 1))
    assert format_plans(3, 6, False, teams=[(0, 3), (1, 4), (2, 5)], permutations="rotations") == (
        (0, 1, 2, 0, 1, 2), (1, 2, 0, 1, 2, 0), (2, 0, 1, 2, 0, 1))


@pytest.mark.parametrize(("more", "words"), [
    ({"format": "knockout"}, "format 'knockout' is not one of round-robin, gauntlet, ladder"),
    ({"format": "gauntlet", "challengers": 3}, "1 to 2 challengers, not 3"), ({"format": "gauntlet", "challengers": 0}, "not 0"),
    ({"teams": [(0, 1)]}, r"the teams 0\+1 are not the seats 0 to 3"), ({"teams": [(0, 1, 2, 3)]}, "at least two teams"),
    ({"teams": [(0, 1), (1, 2, 3)]}, "each in one team"), ({"teams": [(0, 1), (2, 3), ()]}, "each in one team"),
    ({"teams": [(0, 1), (2, 3)], "cooperative": True}, "no teams"), ({"format": "ladder", "cooperative": True}, "nobody meets"),
])
def test_a_format_that_is_none_says_why(more: dict[str, Any], words: str) -> None:
    with pytest.raises(TournamentError, match=words):
        format_plans(3, 4, **{"cooperative": False, **more})
