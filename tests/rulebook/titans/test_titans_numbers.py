"""Every ruling and every example of RULES.md has a test that bears its number."""
from __future__ import annotations

import re
from pathlib import Path

from seatmate.engine import titans

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
