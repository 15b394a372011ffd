"""Every ruling and every example of RULES.md has a test that bears its number."""

from __future__ import annotations

import re
from pathlib import Path

from seatmate.engine.core.registry import game_spec

HERE = Path(__file__).parent
RULES = (HERE.parents[2] / "engine" / "monster_chase" / "RULES.md").read_text()


def test_every_number_has_a_test() -> None:
    wanted = set(re.findall(r"^(?:\* \*\*|\| )([RWX]\d+)\b", RULES, re.MULTILINE))
    assert len(wanted) == 98 + 10 + 40
    names = [name for file in HERE.glob("test_*.py") for name in re.findall(r"^def (test_\w+)", file.read_text(), re.MULTILINE)]
    tested = {number.upper() for name in names for number in re.findall(r"(?<=_)[rwx]\d+(?=_)", name)}
    assert not sorted(wanted - tested), "without a test"
    assert not sorted(tested - wanted), "tests of what RULES.md does not have"


def test_the_options_have_the_defaults_of_the_rules() -> None:
    """Section 1; defaults that depend on the mode or the seats are tested by their rulings."""
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| (\w+) \|$", RULES, re.MULTILINE))
    options = {option.key: option.default for option in game_spec("monster_chase").options if option.key in rows}
    said = {key: rows[key] for key in options}
    assert {key: "0" if default is False else str(default) for key, default in options.items()} == said
    assert set(options) == {"boss", "circuit", "difficulty", "winter", "pilot_setup", "race_extras", "round_cap"}
