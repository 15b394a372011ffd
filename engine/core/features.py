"""Rows that say what a feature of a position is: how it is ranked, and what its change is called."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

from seatmate.engine.core.spec import Feature


@dataclass(frozen=True, slots=True)
class FeatureRow:
    """A number behind the reasons of a hint.

    better, stamp, clock, lasts: see Feature · scale: what the number is multiplied with, so that a change of 1 matters about
    equally in all rows · text: of (its value with the other answer, with this one); a clock needs none · least: what changes by
    less is not worth a word · low: the smallest value there is, where rounding could go below it.
    """

    key: str
    better: Literal[-1, 1]
    scale: float
    text: Callable[[float, float], str] = lambda theirs, mine: ""
    least: float = 0.4
    stamp: float = 0.0
    clock: bool = False
    lasts: bool = False
    low: float = -inf


def feature_types(rows: Sequence[FeatureRow]) -> tuple[Feature, ...]:
    """For GameSpec.features."""
    return tuple(Feature(row.key, row.better, row.stamp, row.clock, row.lasts) for row in rows)


def feature_text(row: FeatureRow, theirs: float, mine: float) -> str:
    """What an answer has that another one has not; empty where it is too little."""
    theirs, mine = max(row.low, theirs / row.scale), max(row.low, mine / row.scale)
    return row.text(theirs, mine) if abs(mine - theirs) >= row.least else ""
