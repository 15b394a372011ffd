"""Dealing the cards of one suit into places with bounds: the count and the frequencies, against trying everything."""
from __future__ import annotations

import itertools
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from seatmate.tests.native import helpers as _testing

P = 1e-4
Bounds = list[tuple[int, int]]


def within(bounds: Bounds, cards: int) -> list[tuple[int, ...]]:
    """Every deal within the bounds."""
    return [deal for deal in itertools.permutations(range(1, cards + 1), len(bounds))
            if all(low <= card <= high for (low, high), card in zip(bounds, deal, strict=True))]


@st.composite
def problems(draw: st.DrawFn) -> tuple[Bounds, int]:
    """Places with an upper bound, a lower bound or a known card, possibly with no solution."""
    cards = draw(st.integers(1, 6))
    card = st.integers(1, cards)
    bound = st.one_of(card.map(lambda c: (1, c)), card.map(lambda c: (c, cards)), card.map(lambda c: (c, c)))
    return draw(st.lists(bound, max_size=cards)), cards


@given(problems())
def test_the_count_is_exact_and_every_deal_fits(problem: tuple[Bounds, int]) -> None:
    bounds, cards = problem
    expected = within(bounds, cards)
    count, deals = _testing.ranked_deals(bounds, cards, 1, 20)
    assert count == len(expected)
    assert set(deals) <= set(expected) and (not expected or len(deals) == 20)


@pytest.mark.parametrize(("bounds", "cards"), [
    ([(1, 4), (1, 4)], 4),
    ([(1, 2), (3, 5), (1, 5)], 5),
    ([(1, 3), (2, 5), (3, 3), (1, 4)], 5),
    ([(2, 6), (3, 6), (1, 5), (1, 2)], 6),
    ([(1, 5), (1, 5), (1, 5), (1, 5), (1, 5)], 5),
    ([(2, 4), (2, 4), (2, 4)], 4),
])
def test_every_deal_is_as_likely(bounds: Bounds, cards: int) -> None:
    expected = within(bounds, cards)
    _, deals = _testing.ranked_deals(bounds, cards, 7, 300 * len(expected))
    counts = Counter(deals)
    assert set(counts) == set(expected)
    assert chisquare([counts[deal] for deal in expected]).pvalue > P


@pytest.mark.parametrize("bounds", [[(1, 1), (1, 1)], [(3, 4), (4, 4), (3, 4)], [(2, 1)], [(1, 2), (1, 2), (1, 2)]])
def test_impossible_bounds_have_no_deal(bounds: Bounds) -> None:
    assert _testing.ranked_deals(bounds, 4, 1, 5) == (0, [])


def test_a_whole_suit_is_counted_exactly() -> None:
    assert _testing.ranked_deals([(1, 13)] * 13, 13, 1, 0)[0] == math.factorial(13)
    assert _testing.ranked_deals([(1, card) for card in range(1, 14)], 13, 1, 3) == (1, [tuple(range(1, 14))] * 3)
