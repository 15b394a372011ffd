"""Every ruling and every example of RULES.md has a test that bears its number."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
RULES = (HERE.parents[2] / "engine" / "monster_chase" / "RULES.md").read_text()


def test_every_number_has_a_test() -> None:
    wanted = set(re.findall(r"^(?:\* \*\*|\| )([RWX]\d+)\b", RULES, re.MULTILINE))
    assert len(wanted) == 93 + 10 + 40
    names = [name for file in HERE.glob("test_*.py") for name in re.findall(r"^def (test_\w+)", file.read_text(), re.MULTILINE)]
    tested = {number.upper() for name in names for number in re.findall(r"(?<=_)[rwx]\d+(?=_)", name)}
    assert not sorted(wanted - tested), "without a test"
    assert not sorted(tested - wanted), "tests of what RULES.md does not have"
