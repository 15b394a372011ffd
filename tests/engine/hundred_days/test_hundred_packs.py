"""Forged packs of Hundred Days: a verb without what it reads is refused on load."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

from seatmate.engine.core.errors import PackError
from seatmate.engine.core.registry import game_spec
from seatmate.engine.hundred_days.content.link import NEEDS, REGISTER_BASES
from seatmate.engine.hundred_days.content.pack import VERBS, VOCABULARY

OWN = '[pack]\ngame = "hundred_days"\nname = "own"\nversion = 1\ntitle = "Own"\nextends = "standard"\n\n'
CARDS = {"do": "A01", "use": "I16", "react any": "O13", "round": "L01"}
NONE = "react any"
"""A card of this kind without a line."""
RULES = Path(__file__).parents[3] / "engine" / "hundred_days" / "rules" / "verbs.pyx"


def load(folder: Path, effect: str) -> None:
    """A pack whose card does this. Raises PackError."""
    file = folder / "own.toml"
    card = CARDS[effect.partition(":")[0]]
    lines = f'["{effect}"]' if effect != NONE else "[]"
    file.write_text(f'{OWN}[[card]]\nid = "{card}"\neffects = {lines}\nsource = "house"\n')
    read = game_spec("hundred_days").load_pack
    assert read is not None
    read(str(file))


def line(verb: str, registers: str, said: str = "") -> str:
    """A line of this verb, with these registers chosen; `said`: the register it names, if not the first one it needs."""
    args = [said or NEEDS[verb][0] if param.name in ("card", "place", "who") else "1" for param in VOCABULARY.verbs[verb].params]
    chosen = [f"{register}=@{REGISTER_BASES[register][0]}" for register in registers]
    return f"{'round' if verb == 'BAR' else 'do'}: {', '.join([*chosen, verb + '(' + ', '.join(args) + ')'])}"


@pytest.mark.parametrize(("verb", "missing"), [(verb, register) for verb, needed in NEEDS.items() for register in needed])
def test_registers_that_verbs_read(tmp_path: Path, verb: str, missing: str) -> None:
    """With all registers the line is fine; without one of them the verb would act on a seat, card or place that nobody chose."""
    load(tmp_path, line(verb, NEEDS[verb]))
    said = line(verb, NEEDS[verb].replace(missing, ""))
    with pytest.raises(PackError, match=rf"own\.toml:10:\d+: .*{verb} needs a target {missing}="):
        load(tmp_path, said)


def test_needs_are_what_the_rules_read() -> None:
    """Every register in the body of a verb stands in NEEDS; MOVER reads X where it speaks of X alone."""
    bodies = re.findall(r"^cdef void do_(\w+)\((.*?)(?=^cdef|\Z)", RULES.read_text(), re.DOTALL | re.MULTILINE)
    assert {name.upper() for name, _ in bodies} <= set(VERBS) and len(bodies) > 20
    for name, body in bodies:
        if name != "mover":
            assert set(re.findall(r"frame\.([XCPQ])\b", body)) == set(NEEDS.get(name.upper(), "")), name


@pytest.mark.parametrize(("effect", "problem"), [
    ("do: C=@green, X=@opp, DESTROY(X)", "DESTROY is about C"), ("use: P=@tile, Q=@tile, HARVEST(Q, 1)", "HARVEST is about P"),
    ("do: X=@opp, HALVE(opps)", "HALVE is not about these seats"), ("do: X=@opp, SWAPR(me)", "SWAPR is not about these seats"),
    ("do: X=@opp, TAKE(me)", "TAKE is not"), ("do: MOVER(opps)", "MOVER is not"), ("do: MOVER(X)", "MOVER needs a target X="),
    ("do: STEAL(src, 1, me)", "src stands behind react"),
])
def test_verbs_do_what_they_say(tmp_path: Path, effect: str, problem: str) -> None:
    """A verb that would act on something else than its line says is refused."""
    with pytest.raises(PackError, match=problem):
        load(tmp_path, effect)


def test_a_card_without_a_line(tmp_path: Path) -> None:
    """What is wrong stands where a line would be: the place of a value that is not there is that of what it should be in."""
    with pytest.raises(PackError, match=r"own\.toml:10:\d+: .*: a reaction says what it answers"):
        load(tmp_path, NONE)
