"""Seeking a place by measurements that err."""
from __future__ import annotations

import numpy as np
import pytest

from seatmate.ai.arena.ratings import Array
from seatmate.ai.arena.seeking import seek


class Games:
    """Values 0 or 1 whose mean is the place, by deal and place; and how many were played."""

    def __init__(self, seed: int) -> None:
        self.seed, self.played = seed, 0

    def __call__(self, place: float, deals: range) -> Array:
        self.played += len(deals)
        chance = np.random.default_rng((self.seed, int(place * 1e9), deals.start))
        return (chance.random(len(deals)) < place).astype(np.float64)


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
