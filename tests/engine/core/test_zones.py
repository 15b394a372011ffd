"""Card zones: bags, sorted hands, and dealing hidden cards into positions that exclude some of them."""
from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.stats import chisquare

from seatmate.tests.native import helpers as _testing

P = 1e-4


def mask(*cards: int) -> int:
    """The mask that allows these pool cards."""
    return sum(1 << card for card in cards)


def assignments(masks: Sequence[int], pool: int) -> list[tuple[int, ...]]:
    """Every way to give each position a different card it allows."""
    return [deal for deal in itertools.permutations(range(pool), len(masks))
            if all(allowed >> card & 1 for allowed, card in zip(masks, deal, strict=True))]


def can_be_dealt(masks: Sequence[int], pool: int) -> bool:
    """Does any assignment exist? (Maximum matching by another algorithm.)"""
    if not masks:
        return True
    cost = np.array([[0 if allowed >> card & 1 else 1 for card in range(pool)] for allowed in masks])
    rows, columns = linear_sum_assignment(cost)
    return bool(cost[rows, columns].sum() == 0)


FULL5 = mask(0, 1, 2, 3, 4)

NESTED = {
    "no exclusions": ([FULL5, FULL5, FULL5], 5),
    "one position excludes": ([mask(0, 1), FULL5, FULL5], 5),
    "a chain": ([mask(0, 1), mask(0, 1, 2), FULL5], 5),
    "equal sets": ([mask(0, 1, 2), mask(0, 1, 2), FULL5, FULL5], 5),
    "disjoint sets": ([mask(0, 1), mask(2, 3, 4), mask(2, 3, 4)], 5),
    "all cards dealt": ([mask(0), mask(0, 1, 2), mask(0, 1, 2), FULL5, FULL5], 5),
    "families side by side": ([mask(0, 1), mask(2, 3), mask(0, 1, 2, 3), FULL5], 5),
}


@pytest.mark.parametrize("name", NESTED)
def test_nested_exclusions_are_dealt_uniformly(name: str) -> None:
    masks, pool = NESTED[name]
    expected = assignments(masks, pool)
    counts = Counter(_testing.deal(masks, pool, 17, 300 * len(expected)))
    assert set(counts) <= set(expected)
    if len(expected) > 1:
        assert chisquare([counts[deal] for deal in expected]).pvalue > P


def test_a_pool_of_64_uses_every_bit() -> None:
    everything = 2**64 - 1
    dealt = _testing.deal([everything] * 64, 64, 3, 20)
    assert all(deal is not None and sorted(deal) == list(range(64)) for deal in dealt)


@st.composite
def constrained_deals(draw: st.DrawFn) -> tuple[list[int], int]:
    """(masks, pool) with any exclusions at all, easy and impossible."""
    pool = draw(st.integers(0, 10))
    count = draw(st.integers(0, pool))
    cards = st.lists(st.integers(0, pool - 1), max_size=4) if pool else st.just([])
    return [mask(*set(draw(cards))) for _ in range(count)], pool


@settings(max_examples=400, deadline=None, derandomize=True)
@given(constrained_deals(), st.integers(0, 2**32))
def test_a_deal_is_found_whenever_there_is_one(problem: tuple[list[int], int], seed: int) -> None:
    masks, pool = problem
    possible = can_be_dealt(masks, pool)
    for deal in _testing.deal(masks, pool, seed, 5):
        assert (deal is not None) == possible
        if deal is not None:
            assert len(set(deal)) == len(masks)
            assert all(0 <= card < pool and allowed >> card & 1 for allowed, card in zip(masks, deal, strict=True))


def test_dead_ends_are_completed_by_moving_earlier_cards() -> None:
    """A chain in which nearly every greedy deal gets stuck: only the matching can complete it."""
    pool = 16
    masks = [mask(i, i + 1) for i in range(pool - 1)] + [mask(0)]
    assert assignments([*masks[:4], mask(0)], 5) == [(1, 2, 3, 4, 0)]   # the same chain, small enough to enumerate
    assert set(_testing.deal(masks, pool, 5, 200)) == {(*range(1, pool), 0)}


def test_mask_bits_beyond_the_pool_count_for_nothing() -> None:
    beyond = mask(20, 40, 63)
    masks = [mask(i, i + 1) | beyond for i in range(7)] + [mask(0) | beyond]
    assert set(_testing.deal(masks, 8, 9, 200)) == {(1, 2, 3, 4, 5, 6, 7, 0)}
    assert _testing.deal([beyond, mask(0)], 2, 9, 3) == [None, None, None]


def test_a_bag_gives_back_its_cards_in_any_order() -> None:
    orders = Counter(tuple(_testing.bag_draws([1, 2, 3], seed)) for seed in range(6_000))
    expected = list(itertools.permutations([1, 2, 3]))
    assert set(orders) == set(expected)
    assert chisquare([orders[order] for order in expected]).pvalue > P
    assert sorted(_testing.bag_draws([5, 5, 9, 250], 1)) == [5, 5, 9, 250]


@given(st.lists(st.integers(0, 2**16 - 1), max_size=40), st.data())
def test_hands_stay_sorted_and_leave_no_trace(cards: list[int], data: st.DataObject) -> None:
    model = sorted(cards)
    removals = []
    for _ in range(data.draw(st.integers(0, len(cards)))):
        at = data.draw(st.integers(0, len(model) - 1))
        removals.append(at)
        del model[at]
    assert _testing.hand_after(cards, removals) == model + [0] * len(removals)


@given(st.lists(st.integers(0, 255), max_size=64))
def test_sorting(items: list[int]) -> None:
    assert _testing.sorted_by_zone_helpers(items) == (sorted(items), sorted(items))


@given(st.integers(1, 2**64 - 1), st.data())
def test_the_nth_bit(bits: int, data: st.DataObject) -> None:
    positions = [i for i in range(64) if bits >> i & 1]
    n = data.draw(st.integers(0, len(positions) - 1))
    assert _testing.set_bit(bits, n) == positions[n]


ANY = {
    **NESTED,
    "crossing sets": ([mask(0, 1), mask(1, 2), mask(2, 3), mask(3, 0)], 4),
    "a ladder": ([mask(0), mask(0, 1), mask(0, 1, 2), FULL5, FULL5], 5),
    "two ways": ([mask(0, 1), mask(0, 1), mask(1, 2)], 3),
    "wide and narrow": ([FULL5, mask(0, 4), mask(1, 3)], 5),
}


@pytest.mark.parametrize("name", ANY)
def test_a_small_hand_is_dealt_uniformly_whatever_the_exclusions(name: str) -> None:
    masks, pool = ANY[name]
    expected = assignments(masks, pool)
    counts = Counter(_testing.deal(masks, pool, 23, 300 * len(expected), uniform=True))
    assert set(counts) <= set(expected)
    if len(expected) > 1:
        assert chisquare([counts[deal] for deal in expected]).pvalue > P


@pytest.mark.parametrize(("masks", "pool"), [
    ([mask(0), mask(0)], 4),                                    # two places, one card
    ([mask(0, 1)] * 3, 8),
    ([FULL5, 0], 5),                                            # a place that excludes everything
    ([mask(6)], 5),                                             # a card beyond the pool
])
def test_a_deal_that_is_impossible_ends(masks: list[int], pool: int) -> None:
    """A forged view can exclude too much; a sampler that tries until it fits would try for ever."""
    assert _testing.deal(masks, pool, 5, 3, uniform=True) == [None] * 3
    assert _testing.deal(masks, pool, 5, 3) == [None] * 3
