"""Means with honest intervals: the unit of observation is the deal, never the single game."""
from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_EQUAL = 1e-12      # values that differ by less differ only by rounding


def mean_and_interval(values: Sequence[float], confidence: float = 0.95, *, span: float = 1.0) -> tuple[float, float]:
    """(mean, half width of its t-interval) of independent values; at least two are needed.

    Where all n values are equal a t-interval would have no width, as if the mean were known for certain. Other values may
    only not have come up yet: with this confidence their share is below 1 - (1 - confidence)^(1/n) ("rule of three"), and
    `span`, the width of the range of possible values, bounds how far they could move the mean.
    """
    moments = Moments()
    for value in values:
        moments.add(value)
    return moments.mean, moments.half_width(confidence, span=span)


def paired_difference(a: Sequence[float], b: Sequence[float], confidence: float = 0.95) -> tuple[float, float]:
    """(mean, half width) of a - b where a[i] and b[i], both in 0..1, were measured on the same deal."""
    return mean_and_interval([x - y for x, y in zip(a, b, strict=True)], confidence, span=2.0)


def superiority(a: Sequence[float], b: Sequence[float]) -> float:
    """Likelihood that a is truly better than b, 0..1, by what was measured on the same deals: 1/2 where nothing speaks for either.

    It is the confidence at which the interval of `paired_difference` just reaches 0, halved and taken from 1: of t-intervals with
    a flat prior the probability of a positive mean.
    """
    moments = Moments()
    for x, y in zip(a, b, strict=True):
        moments.add(x - y)
    return moments.superiority(span=2.0)


def ratio_and_interval(parts: NDArray[np.float64], wholes: NDArray[np.float64]) -> tuple[float, float]:
    """(sum of parts / sum of wholes, half width of its 95 % interval) over at least two deals; 0 <= part <= whole, shape (deals,).

    The standard error is that of a ratio of means (Cochran, Sampling Techniques, 1977, section 2.11). Where all deals have the same
    ratio the rule of three holds, as in `mean_and_interval`.
    """
    deals, total = len(parts), float(wholes.sum())
    ratio = float(parts.sum()) / total
    scatter = float(np.square(parts - ratio * wholes).sum())
    return ratio, ratio_interval(deals, total, scatter)


def ratio_interval(deals: int, total: float, scatter: float) -> float:
    """Half width of the 95 % interval of a ratio of sums, as `ratio_and_interval` has it, over at least two deals.

    total: sum of the wholes · scatter: sum over deals of (part - ratio * whole)^2.
    """
    if scatter < deals * _EQUAL * _EQUAL:
        return _rule_of_three(deals, 0.95)
    return student_t(deals - 1, 0.975) * math.sqrt(deals / (deals - 1) * scatter) / total


def bounded(mean: float, half: float, low: float = 0.0, high: float = 1.0) -> tuple[float, float]:
    """(low end, high end) of the interval `mean` +- `half`, cut to the range of possible values.

    The true mean lies in that range, so whatever is cut off cannot hold it: the interval keeps its confidence.
    """
    return max(low, mean - half), min(high, mean + half)


class Moments:
    """Running mean and variance (Welford 1962) of values that come one at a time."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, value: float) -> None:
        """Count one more value."""
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self._squares += step * (value - self.mean)

    def half_width(self, confidence: float = 0.95, *, span: float = 1.0) -> float:
        """Half width of the interval of the mean, as `mean_and_interval` has it. Raises ValueError below two values."""
        if self.count < 2:
            raise ValueError("an interval needs at least two independent values")
        variance = self._squares / (self.count - 1)
        if variance < _EQUAL * _EQUAL:
            return span * _rule_of_three(self.count, confidence)
        return student_t(self.count - 1, (1 + confidence) / 2) * math.sqrt(variance / self.count)

    def superiority(self, *, span: float = 1.0) -> float:
        """Likelihood that the true mean is above 0 (see the function of this name). Raises ValueError below two values."""
        from scipy.special import stdtr  # as in student_t

        if self.count < 2:
            raise ValueError("a likelihood needs at least two independent values")
        variance = self._squares / (self.count - 1)
        if variance < _EQUAL * _EQUAL:
            doubt = 0.5 * max(0.0, 1 - abs(self.mean) / span) ** self.count
        else:
            doubt = float(stdtr(self.count - 1, -abs(self.mean) / math.sqrt(variance / self.count)))
        return 1 - doubt if self.mean > 0 else doubt


def _rule_of_three(count: int, confidence: float) -> float:
    """The largest share of values that, with this confidence, is not among `count` that were seen."""
    return -math.expm1(math.log1p(-confidence) / count)


def student_t(freedom: int, probability: float) -> float:
    """The quantile of Student's t distribution."""
    from scipy.special import stdtrit  # scipy takes as long to load as all the rest of a worker, which needs none of it

    return float(stdtrit(freedom, probability))
