"""Means and intervals: hand-computed cases, and coverage by simulation."""
from __future__ import annotations

import math

import numpy as np
import pytest

from seatmate.ai.arena.statistics import (
    Moments,
    bounded,
    mean_and_interval,
    paired_difference,
    ratio_and_interval,
    superiority,
)


def test_interval_of_a_hand_computed_case() -> None:
    # 1, 2, 3, 4: mean 2.5, sample variance 5/3, t(3 df, 97.5 %) = 3.182446
    mean, half = mean_and_interval([1, 2, 3, 4])
    assert mean == 2.5
    assert half == pytest.approx(3.182446 * math.sqrt(5 / 3 / 4), rel=1e-6)


def test_a_paired_difference_knows_that_the_deals_are_common() -> None:
    a, b = [0.9, 0.1, 0.6, 0.4], [0.8, 0.0, 0.5, 0.301]
    mean, half = paired_difference(a, b)
    assert mean == pytest.approx(0.1, abs=0.001) and half < 0.001
    assert mean_and_interval(a)[1] > 0.3        # each alone is anything but certain
    with pytest.raises(ValueError):
        paired_difference(a, b[:3])
    with pytest.raises(ValueError, match="two"):
        mean_and_interval([1.0])


@pytest.mark.parametrize("value", [1.0, 0.5, 0.1])
def test_equal_values_are_no_certainty(value: float) -> None:
    # 30 wins of 30: the rule of three says at most 3 / 30 of losses, exactly 1 - 0.05^(1/30) = 0.0950.
    mean, half = mean_and_interval([value] * 30)
    assert mean == pytest.approx(value) and half == pytest.approx(0.09503, abs=1e-5)
    assert paired_difference([value] * 30, [0.0] * 30)[1] == pytest.approx(2 * 0.09503, abs=2e-5)


def test_running_moments_match_numpy() -> None:
    values = np.random.default_rng(1).normal(1e6, 1e-3, 1000)      # a sum of squares would lose everything here
    moments = Moments()
    for value in values:
        moments.add(value)
    assert moments.mean == pytest.approx(values.mean(), abs=1e-9)
    assert moments.half_width() == pytest.approx(1.962341 * values.std(ddof=1) / math.sqrt(1000), rel=1e-5)


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(7)
    for deals in (5, 30):
        covered = 0
        for _ in range(1000):
            mean, half = mean_and_interval(rng.normal(0.3, 1, deals).tolist())
            covered += mean - half <= 0.3 <= mean + half
        assert abs(covered / 1000 - 0.95) < 3 * math.sqrt(0.95 * 0.05 / 1000)


def test_an_interval_is_cut_to_what_is_possible() -> None:
    """The cut takes away nothing that could be true: the covered share of true means stays the same."""
    for mean, half, ends in ((0.9, 0.3, (0.6, 1.0)), (0.1, 0.3, (0.0, 0.4)), (0.5, 0.1, (0.4, 0.6))):
        assert list(bounded(mean, half)) == pytest.approx(list(ends))
    assert list(bounded(-0.9, 0.3, -1.0, 1.0)) == pytest.approx([-1.0, -0.6])


def test_the_likelihood_of_superiority_is_that_of_t() -> None:
    a, b = [0.9, 0.1, 0.6, 0.4], [0.5, 0.2, 0.3, 0.2]
    # differences 0.4, -0.1, 0.3, 0.2: mean 0.2, s = 0.21602, t = 1.85164 with 3 df
    assert superiority(a, b) == pytest.approx(0.91943, abs=1e-4)
    assert superiority(b, a) == pytest.approx(1 - superiority(a, b))
    assert superiority(a, a) == 0.5
    with pytest.raises(ValueError, match="two"):
        superiority([1.0], [0.0])


def test_equal_differences_are_no_certain_superiority() -> None:
    """It is 0.975 just where the 95 % interval reaches 0."""
    for count in (2, 30):
        edge = paired_difference([0.0] * count, [0.0] * count)[1]
        assert superiority([edge] * count, [0.0] * count) == pytest.approx(0.975)
    assert 0.75 < superiority([1.0] * 2, [0.0] * 2) < 1


def test_a_ratio_over_equal_wholes_is_a_mean() -> None:
    parts = np.array([1.0, 3.0, 2.0, 2.0, 4.0])
    ratio, half = ratio_and_interval(parts, np.full(5, 4.0))
    assert (ratio, half) == pytest.approx(mean_and_interval((parts / 4).tolist()))
    assert list(ratio_and_interval(np.full(30, 4.0), np.full(30, 4.0))) == pytest.approx([1.0, 0.09503], abs=1e-5)
    weighted, _ = ratio_and_interval(np.array([1.0, 0.0]), np.array([1.0, 3.0]))
    assert weighted == 0.25
