"""What cards do that no other test of the rulebook plays, one row each: a position and what must have changed."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hundred_table import Table

Answers = list[tuple[Any, ...]]

ROWS: list[tuple[str, dict[str, Any], Answers, Callable[[Table], bool]]] = [
    ("A16", {"ricks": (1, 0), "hands": {0: "A16 C19"}}, [(0, "play A16", "5")],
     lambda t: t.raw["ricks"][0] == 5 and t.asked() == "0 TURN"),
    ("L03", {"hands": {0: "L03", 1: "A01 C19"}, "tokens": {1: "1S"}}, [(0, "play L03", "M")],
     lambda t: t.tokens(0) == "1M" and "play A01" not in t.answers(1)),
    ("L05", {"hands": {0: "C19"}, "play": {0: "L05"}, "tokens": {0: "1M 1S"}}, [(0, "move", "5", "S")],
     lambda t: t.tokens(0) == "1M" and t.raw["ricks"][0] == 5),
    ("L06", {"seats": 3, "tiles": "t09 t06 t07 t08 t05 t10", "ricks": (1, 1, 1), "hands": {0: "C19", 1: "C18", 2: "C17"},
             "play": {0: "L06"}, "phase": "harvest", "first": 0}, [],
     lambda t: [t.to_round(2).tokens(seat) for seat in range(3)] == ["2S 1T", "1S", "1S"]),
    ("O05", {"ricks": (1, 0), "hands": {0: "C19 I02", 1: "O05"}, "morties": (2, 0), "tokens": {0: "1S"}},
     [(0, "play I02"), (1, "react O05")], lambda t: t.tokens(1) == "1S" and t.cards("play", 0) == "I02"),
    ("O11", {"hands": {0: "A01 O11", 1: "O01 C18"}, "tokens": {1: "1S"}}, [(0, "play A01"), (1, "react O01"), (0, "react O11")],
     lambda t: t.tokens(0) == "1S" and t.count("hand", 0) == 1),
    ("O14", {"ricks": (1, 0), "hands": {0: "O14 C19"}, "phase": "reveal"}, [(0, "react O14", "5", "3")],
     lambda t: t.raw["ricks"][0] == 5 and t.raw["morties"][0] == 3),
    ("I04", {"play": {0: "I04"}, "tokens": {1: "1M 2S"}}, [(0, "use I04", "M")],
     lambda t: (t.tokens(0), t.tokens(1)) == ("1M 1S", "1S")),
    ("I05", {"play": {0: "I05"}}, [(0, "use I05")], lambda t: t.raw["discounts"][0] == 2),
    ("I06", {"play": {0: "I06", 1: "C01 I02"}, "tokens": {0: "1D"}}, [(0, "use I06")],
     lambda t: t.cards("play", 1) == "I02" and t.tokens(0) == ""),
    ("I07", {"play": {0: "I07", 1: "C01 I02"}, "tokens": {0: "1S"}}, [(0, "use I07")],
     lambda t: t.cards("play", 1) == "C01" and t.tokens(0) == ""),
    ("I08", {"play": {0: "I08"}, "tokens": {0: "1M"}}, [(0, "use I08", "M", "S", "stop", "T")], lambda t: t.tokens(0) == "1S 1T"),
    ("I09", {"play": {0: "I09"}}, [(0, "use I09")], lambda t: t.raw["garage"][0] == 2),
    ("I11", {"play": {0: "I11"}, "hands": {0: "C19", 1: "C01 C02"}}, [(0, "use I11", "C02")],
     lambda t: t.cards("hand", 0) == "C02 C19" and t.cards("hand", 1) == "C01"),
    ("I12", {"play": {0: "I12"}, "tiles": "t01 t06 t07 t08 t09 t10"}, [(0, "use I12", "1", "M")],
     lambda t: t.tokens(0) == "2D"),
    ("I13", {"play": {0: "I13"}, "tokens": {1: "2S"}}, [(0, "use I13")], lambda t: (t.tokens(0), t.tokens(1)) == ("1S", "1S")),
    ("I15", {"play": {0: "I15"}, "ricks": (1, 4)}, [(0, "use I15")], lambda t: t.raw["ricks"][:2] == [4, 1]),
    ("C08", {"ricks": (2, 0), "hands": {0: "C08"}}, [(0, "play C08")], lambda t: t.raw["garage"][0] == 1),
    ("C09", {"ricks": (1, 0), "play": {0: "C09"}, "phase": "harvest"}, [], lambda t: t.asked() == "0 TYPE_GAIN"),
    ("C14", {"ricks": (12, 0), "hands": {0: "C14"}, "general": "C01 A05"}, [(0, "play C14")],
     lambda t: t.cards("hand", 0) == "C01" and t.cards("general") == "A05"),
]


def played(setup: dict[str, Any], answers: Answers) -> Table:
    """Answers in a row; nobody reacts unless that is one of them."""
    table = Table(**{"hands": {0: "C19", 1: "C18"}, **setup})
    for seat, *words in answers:
        for word in words:
            if seat not in table.state.pending:
                table.decline()
            table.say(seat, word)
    return table.decline()


@pytest.mark.parametrize(("setup", "answers", "holds"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_cards(setup: dict[str, Any], answers: Answers, holds: Callable[[Table], bool]) -> None:
    assert holds(played(setup, answers))
