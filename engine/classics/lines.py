"""The words of hints in games about lines: three or four pieces in a row."""
from __future__ import annotations

from seatmate.engine.core.spec import Feature, instead

LINE_FEATURES = (
    Feature("result"), Feature("enemy_next", -1), Feature("next"), Feature("enemy_above", -1), Feature("above"),
    Feature("enemy_pairs", -1), Feature("pairs"), Feature("enemy_open", -1), Feature("open"),
)
"""A finished line (1, of the opponent -1) · cells where the next piece finishes one · such cells that can't be filled yet ·
lines with two pieces and none of the other side · lines without a piece of the other side; of the opponent first."""

WEIGHTS = (30.0, 6.0, 2.0, 1.0, 1.0, 0.2, 0.2, 0.05, 0.05)
"""What one of each counts for, beside the others."""


def line_text(feature: int, theirs: float, mine: float, row: str, piece: str) -> str:
    """What an answer has that another one has not. row, piece: as in `four` and `stone`."""
    key = LINE_FEATURES[feature].key
    mine, theirs = mine / WEIGHTS[feature], theirs / WEIGHTS[feature]
    if abs(mine - theirs) < 0.5:
        return ""
    if key == "result":
        if max(mine, theirs) > 0.5:
            return f"{row} in a row: you win" if mine > theirs else f"does not win: no {row} in a row"
        return f"the opponent {'completes' if mine < theirs else 'does not complete'} {row} in a row"
    if key == "enemy_next" and min(mine, theirs) < 0.5:
        return f"the opponent {'can' if mine > theirs else 'cannot'} complete {row} with its next {piece}"
    held = instead(mine, theirs)
    name = {"enemy_next": f"cells where the opponent's next {piece} completes {row}",
            "next": f"cells where your next {piece} completes {row}",
            "enemy_above": f"cells higher up that would complete {row} for the opponent",
            "above": f"cells higher up that would complete {row} for you",
            "enemy_pairs": f"lines of {row} with two {piece}s of the opponent and none of yours",
            "pairs": f"lines of {row} with two of your {piece}s and none of the opponent",
            "enemy_open": f"lines of {row} still open to the opponent", "open": f"lines of {row} still open to you"}[key]
    return held and f"{name}: {held}"
