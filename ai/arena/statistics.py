"""Means with honest intervals: the unit of observation is the deal, never the single game."""
from __future__ import annotations

import math
from collections.abc import Sequence

from scipy.special import stdtrit


def mean_and_interval(values: Sequence[float], confidence: float = 0.95) -> tuple[float, float]:
    """(mean, half width of its t-interval) of independent values; at least two are needed."""
    n = len(values)
    if n < 2:
        raise ValueError("an interval needs at least two independent values")
    mean = math.fsum(values) / n
    variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
    return mean, float(stdtrit(n - 1, (1 + confidence) / 2)) * math.sqrt(variance / n)


def paired_difference(a: Sequence[float], b: Sequence[float], confidence: float = 0.95) -> tuple[float, float]:
    """(mean, half width) of a - b where a[i] and b[i] were measured on the same deal."""
    return mean_and_interval([x - y for x, y in zip(a, b, strict=True)], confidence)
