"""What a game's `evaluate` weighs in a position, for the fit of its weights (benches/fit.py)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

HOUSE = -1
"""A side that is nobody's seat: what all play against in a cooperative game. It wins what they don't."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Log-odds that are linear in terms: of each side the sum of stage * weight * term over all stages and terms.

    names: of the terms · stages: of the rows of weights · stage: how much each row counts in this position · sides: by a seat of
    each side that can still win, its terms; of a cooperative game seat 0 and HOUSE, whose terms are 0. What a side has in common
    with all others does not matter.
    """

    names: tuple[str, ...]
    stages: tuple[str, ...]
    stage: Sequence[float]
    sides: Mapping[int, Sequence[float]]
