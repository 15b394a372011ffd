"""Seeking where a rising quantity that games only measure inexactly reaches a value: bisection with as many deals as it takes.

For many values at once the whole curve is measured, so that each game has a say in all of the places.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from seatmate.ai.arena.ratings import Array
from seatmate.ai.arena.statistics import mean_and_interval

_TRIALS = 12
_NEAR_END = 0.15    # of what is left: a guess is no nearer to either end

_GRID = 9           # places of a curve from 0 to 1, before it is refined
_RISE = 0.5         # of a step: between neighbours that differ by more one more place is measured,
_NARROW = 0.008     # if they are not so near to each other
_WINDOW = 0.75      # of a step to either side: over so much of the curve places are averaged


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """A place, the mean measured there with the half width of its 95 % interval, and whether that is as good as was wanted."""

    place: float
    mean: float
    ci95: float
    good: bool


def seek(measure: Callable[[float, range], Array], wanted: float, low: float, high: float, *, content: float, few: int,
         most: int) -> Sought:
    """Where between low and high `measure` is as wanted; else the nearest that was tried.

    measure: (place, deals) -> a value in 0..1 of each of these deals; its mean rises with the place. A place is tried on `few`
    deals, on more while these can't tell whether it is too low or too high, until its interval has a half width of `content` or
    less, or `most` deals are played; it is good if what is wanted lies in the inner half of that interval. The intervals are looked
    at more than once and so a little too sure of themselves: measure what was found on other deals.
    """
    tried: list[Sought] = []
    left: Sought | None = None
    right: Sought | None = None
    place = (low + high) / 2
    for _ in range(_TRIALS):
        tried.append(_try(measure, place, wanted, content, few, most))
        if tried[-1].good or low == high:
            return tried[-1]
        if tried[-1].mean < wanted:
            left, low = tried[-1], place
        else:
            right, high = tried[-1], place
        place = (low + high) / 2 if left is None or right is None else _between(left, right, wanted)
    return min(tried, key=lambda sought: abs(sought.mean - wanted))


def _try(measure: Callable[[float, range], Array], place: float, wanted: float, content: float, few: int, most: int) -> Sought:
    values: list[float] = []
    amount = few
    while True:
        values += measure(place, range(len(values), amount)).tolist()
        mean, half = mean_and_interval(values)
        off, enough = abs(mean - wanted), half <= content or amount >= most
        if off > half or enough:
            return Sought(place=place, mean=mean, ci95=half, good=enough and off <= half / 2)
        amount = min(2 * amount, most)


def _between(left: Sought, right: Sought, wanted: float) -> float:
    """By a straight line, but not too near to either end."""
    rise = right.mean - left.mean
    share = (wanted - left.mean) / rise if rise > 0 else 0.5
    return left.place + min(max(share, _NEAR_END), 1 - _NEAR_END) * (right.place - left.place)


def even_places(measure: Callable[[float], float], steps: int) -> list[float]:
    """The places in 0..1, in order, where a rising quantity is 1/steps, 2/steps ... of what it is at 1; the last is 1.

    measure: place -> what it is there, not below 0, as a mean over the same deals at all places. What errs is smoothed twice:
    through the means goes the rising curve that is nearest to them, and since that climbs in stairs, a place is the mean of the
    places at which it has the values around the one that is wanted.
    """
    from scipy.optimize import isotonic_regression  # as in seatmate.ai.arena.statistics

    places: list[float] = np.linspace(0, 1, _GRID).tolist()
    means = {place: measure(place) for place in places}
    while True:
        curve = isotonic_regression([means[place] for place in places]).x
        step = curve[-1] / steps
        between = [(low + high) / 2 for low, high, rise in zip(places, places[1:], np.diff(curve), strict=False)
                   if rise > _RISE * step and high - low > _NARROW]
        if not between:
            wanted = np.arange(1, steps)[:, None] + np.linspace(-_WINDOW, _WINDOW, 101)
            return [*np.interp(step * wanted, curve, places).mean(axis=1).tolist(), 1.0]
        means |= {place: measure(place) for place in between}
        places = sorted(means)
