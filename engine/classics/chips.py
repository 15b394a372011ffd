"""The words of hints in poker."""
from __future__ import annotations

from seatmate.engine.core.spec import Feature, instead

CHIP_FEATURES = (Feature("cards"), Feature("risk", -1), Feature("folds"))
"""Chips that the seat may expect if the cards were shown now, as far as its own card tells, or has won or lost · chips it has put
in · the opponent has folded (1)."""


RISK = 0.2
"""What a chip at risk counts for beside one that is to be expected."""


def chips_text(feature: int, theirs: float, mine: float) -> str:
    """What an answer has that another one has not."""
    key = CHIP_FEATURES[feature].key
    if key == "cards":
        held = "" if abs(mine - theirs) < 0.05 else f"{mine:+.1f} instead of {theirs:+.1f}"
        return held and f"chips to expect by your card alone: {held}"
    if key == "folds":
        held = instead(100 * mine, 100 * theirs, sign=" %")
        return held and f"the opponent folds, as bots play: {held}"
    held = instead(mine / RISK, theirs / RISK, 1)
    return held and f"chips you put at risk: {held}"
