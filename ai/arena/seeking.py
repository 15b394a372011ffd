"""Seeking where a rising quantity that games only measure inexactly reaches a value: bisection with as many deals as it takes."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from seatmate.ai.arena.ratings import Array
from seatmate.ai.arena.statistics import mean_and_interval

_TRIALS = 12
_NEAR_END = 0.15    # of what is left: a guess is no nearer to either end


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
