"""Seeking a place by measurements that err."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from seatmate.ai.arena.ratings import Array
from seatmate.ai.arena.seeking import even_places, seek


class Games:
    """Values 0 or 1 whose mean is the curve's at the place, or the place, by deal and place; and how many were played."""

    def __init__(self, seed: int, curve: Callable[[float], float] = float) -> None:
        self.seed, self.curve, self.played = seed, curve, 0

    def __call__(self, place: float, deals: range) -> Array:
        self.played += len(deals)
        chance = np.random.default_rng((self.seed, int(place * 1e9), deals.start))
        return (chance.random(len(deals)) < self.curve(place)).astype(np.float64)


def mean_of(games: Games, deals: int) -> Callable[[float], float]:
    """What so many deals, the same at each place, say of a place."""
    return lambda place: float(games(place, range(deals)).mean())


def test_what_is_found_is_as_near_as_promised() -> None:
    off = []
    for seed in range(40):
        found = seek(Games(seed), 0.375, 0.0, 1.0, content=0.02, few=100, most=10_000)
        assert found.good and found.ci95 <= 0.02 and abs(found.mean - 0.375) <= found.ci95 / 2
        off.append(found.place - 0.375)
    assert np.abs(off).max() < 0.03 and abs(np.mean(off)) < 0.005 and np.quantile(np.abs(off), 0.8) < 0.015


def test_places_far_off_cost_few_deals() -> None:
    games = Games(1)
    found = seek(games, 0.5, 0.9, 0.9, content=0.01, few=50, most=100_000)
    assert games.played == 50 and not found.good and found.mean > 0.8


@pytest.mark.parametrize(("low", "high", "end"), [(0.6, 0.9, 0.6), (0.0, 0.3, 0.3)])
def test_what_can_not_be_reached_is_the_nearest_place(low: float, high: float, end: float) -> None:
    found = seek(Games(2), 0.45, low, high, content=0.02, few=400, most=400)
    assert not found.good and abs(found.place - end) < 0.06


def test_the_most_deals_are_enough_to_be_content() -> None:
    games = Games(3)
    found = seek(games, 0.5, 0.5, 0.5, content=0.001, few=60, most=200)
    assert games.played == 200 and found.ci95 > 0.001


STEPS = 8


def bent(place: float) -> float:
    """What a cooperative game may bring along a path: nothing for long, then ever more, at last no more."""
    return float(np.interp(place, [0.0, 0.4, 0.5, 0.65, 0.8, 0.9, 1.0], [0.0, 0.02, 0.11, 0.17, 0.4, 0.55, 0.57]))


def uneven(places: list[float]) -> float:
    """How far the steps between these places are from even ones, root mean square."""
    return float(np.std(np.diff([bent(place) for place in places])))


def test_places_of_an_exact_curve_are_even() -> None:
    places = even_places(bent, STEPS)
    assert places == sorted(places) and len(places) == STEPS and places[-1] == 1
    assert [bent(place) for place in places] == pytest.approx(bent(1) * np.arange(1, STEPS + 1) / STEPS, abs=0.015)


def test_a_curve_spaces_places_more_evenly_than_seeking_each() -> None:
    by_curve, by_seeking, more = [], [], 0
    for seed in range(40):
        games, others = Games(seed, bent), Games(seed, bent)
        by_curve.append(uneven(even_places(mean_of(games, 240), STEPS)))
        step = float(others(1.0, range(400)).mean()) / STEPS
        by_seeking.append(uneven([*(seek(others, number * step, 0.0, 1.0, content=0.12 * step, few=12, most=400).place
                                    for number in range(1, STEPS)), 1.0]))
        more += others.played - games.played
    assert more > 0, "seeking each was given fewer games"
    assert np.mean(by_curve) < 0.8 * np.mean(by_seeking)


@pytest.mark.parametrize("curve", [lambda place: float(place > 0.3), lambda place: 0.0, lambda place: 1.0])
def test_where_a_curve_has_no_room_measuring_ends(curve: Callable[[float], float]) -> None:
    measured: list[float] = []

    def measure(place: float) -> float:
        measured.append(place)
        return curve(place)

    places = even_places(measure, STEPS)
    assert len(measured) == len(set(measured)) < 20 and places == sorted(places) and np.isfinite(places).all()
