"""What the two games of poker share: the words of hints, and how their table is drawn."""
from __future__ import annotations

from typing import TYPE_CHECKING

from seatmate.engine.core.scene import Thing, Zone
from seatmate.engine.core.spec import Feature, instead

if TYPE_CHECKING:
    from seatmate.engine.core.game import SeenEvent

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


def chips_zone(seat: int, card: str | None, chips: int) -> Zone:
    """A seat's card, if it is seen, and what it has put in."""
    return Zone(f"seat/{seat}", "Card and chips", "row", (
        Thing(f"card/{seat}", card or "", seat=seat),
        Thing(f"chips/{seat}", label="chips", shape="counter", seat=seat, value=chips)), seat=seat)


def chips_touched(event: SeenEvent, observer: int) -> tuple[str, ...]:
    """What an event moved or changed in the scene."""
    match event.key:
        case "CARD":
            return (f"card/{observer}",)
        case "ACTED":
            return (f"chips/{event.args[0]}",)
        case "PUBLIC_CARD":
            return ("card/public",)
        case "SHOWDOWN":
            return ("card/0", "card/1")
    return ()
