"""Means with honest intervals: the unit of observation is the deal, never the single game."""
from __future__ import annotations

import math
from collections.abc import Sequence

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
            return span * -math.expm1(math.log1p(-confidence) / self.count)
        return student_t(self.count - 1, (1 + confidence) / 2) * math.sqrt(variance / self.count)


def student_t(freedom: int, probability: float) -> float:
    """The quantile of Student's t distribution."""
    from scipy.special import stdtrit  # scipy takes as long to load as all the rest of a worker, which needs none of it

    return float(stdtrit(freedom, probability))
