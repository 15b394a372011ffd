"""Every ruling and every example of RULES.md has a test that bears its number."""
from __future__ import annotations

import re
from pathlib import Path

from seatmate.engine import titans
from titans_table import TUNED

HERE = Path(__file__).parent
RULES = (HERE.parents[2] / "engine" / "titans" / "RULES.md").read_text()


def test_every_number_has_a_test() -> None:
    wanted = set(re.findall(r"\*\*(R\d+)\*\*", RULES)) | set(re.findall(r"^\| ([XTH]\d+) \|", RULES, re.MULTILINE))
    assert len(wanted) >= 90 + 10 + 50 + 8
    names = [name for file in HERE.glob("test_*.py") for name in re.findall(r"^def (test_\w+)", file.read_text(), re.MULTILINE)]
    tested = {number.upper() for name in names for number in re.findall(r"(?<=_)[rxth]\d+(?=_)", name)}
    assert not sorted(wanted - tested), "without a test"
    assert not sorted(tested - wanted), "tests of what RULES.md does not have"
    assert titans.__doc__


def test_the_rules_say_with_which_numbers_the_examples_are_worked() -> None:
    said = " ".join(RULES[RULES.index("## 10 Examples"):].split("Notation:")[0].split())
    for title, field, shipped, first in TUNED:
        assert (f"{title}'s health {first}" if field == "health" else f"{title} on slot {first}") in said and shipped != first
