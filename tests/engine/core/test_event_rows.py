"""Rows of events: their sentences, and views that forget none."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from seatmate.engine.core.events import EventRows, FoldingView, Row
from seatmate.engine.core.game import SeenEvent
from seatmate.engine.core.registry import game_spec
from seatmate.engine.core.spec import Feature

ROWS = (Row("DIE", ("face",), lambda say: f"The die shows {say.face}."),
        Row("DRAW", ("seat",), lambda say: f"{say.does('draw')} {list(say.rest)}.", most=3),
        Row("FLOW", ("word",), bookkeeping="."))


def test_an_event_says_its_sentence() -> None:
    rows = EventRows(ROWS, {"DIE": 3, "DRAW": 4, "FLOW": 5}, 3)
    assert rows.text(None, SeenEvent(1, "DIE", (6,)), 0) == "The die shows 6."
    assert rows.text(None, SeenEvent(1, "DRAW", (0, 7, 8)), 0) == "You draw [7, 8]."
    assert rows.text(None, SeenEvent(1, "FLOW", (1,)), 0) == rows.text(None, SeenEvent(1, "ASK", (1,)), 0) == ""
    assert rows.types[1].args == ("seat", "more1", "more2")


def test_rows_in_another_order_than_the_rules_have_are_refused() -> None:
    with pytest.raises(ValueError, match="the rows of events are not those of the rules"):
        EventRows(ROWS, {"DIE": 4, "DRAW": 3, "FLOW": 5}, 3)
    with pytest.raises(AttributeError, match="the event has no argument side"):
        EventRows((Row("DIE", ("face",), lambda say: say.side),), {"DIE": 3}, 3).text(None, SeenEvent(1, "DIE", (6,)), 0)


def test_a_row_says_something_or_why_it_does_not() -> None:
    with pytest.raises(ValueError, match="either a sentence or a reason to have none: FLOW"):
        EventRows((Row("FLOW", ("word",)),), {"FLOW": 3}, 3)
    with pytest.raises(ValueError, match="either a sentence or a reason to have none: DIE"):
        EventRows((Row("DIE", (), lambda say: "!", bookkeeping="."),), {"DIE": 3}, 3)
    assert EventRows(ROWS, {"DIE": 3, "DRAW": 4, "FLOW": 5}, 3).types[2].bookkeeping == "."


def test_a_view_without_a_method_for_an_event_is_refused() -> None:
    class Half(FoldingView):
        SAYS_ONLY = frozenset({"FLOW"})
        seen = 0

        def on_die(self, face: int) -> None:
            self.seen = face

        def body(self) -> dict[str, Any]:
            return {}

    spec = replace(game_spec("kuhn"), events=EventRows(ROWS, {"DIE": 3, "DRAW": 4, "FLOW": 5}, 3).types)
    with pytest.raises(AttributeError, match="on_draw"):
        Half(spec, 2, 0)
    Half.SAYS_ONLY = frozenset({"FLOW", "DRAW"})
    view = Half(spec, 2, 0)
    view.apply("DIE", (4,))
    view.apply("FLOW", (4,))
    assert view.seen == 4


def test_a_feature_says_what_is_enough() -> None:
    row = Feature("points", 1, 0.5, lambda theirs, mine: f"{mine - theirs:+.0f}", least=1)
    assert row.says(1.0, 2.0) == "+2" and row.says(1.0, 1.2) == ""
