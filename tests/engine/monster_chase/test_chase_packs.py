"""Forged packs of Monster Chase: what the rules could not carry out is refused on load, with its line and column."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

from seatmate.engine.core.errors import PackError
from seatmate.engine.core.registry import game_spec
from seatmate.engine.monster_chase.content import pack as packs
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.content.link import link

STANDARD = (Path(packs.__file__).parents[1] / "packs" / "standard.toml").read_text()
OWN = '[pack]\ngame = "monster_chase"\nname = "own"\nversion = 1\ntitle = "Own"\nextends = "standard"\n\n'
SIX = "[0, 1, 1], [1, 1, 2], [2, 1, 3], [0, 3, 4], [1, 3, 5]"


def refused(folder: Path, text: str, problem: str) -> tuple[str, int]:
    """The line (as text) and the column that the error of a pack names."""
    file = folder / "own.toml"
    file.write_text(text)
    load = game_spec("monster_chase").load_pack
    assert load is not None
    with pytest.raises(PackError, match=problem) as caught:
        load(str(file))
    place = re.match(rf"{re.escape(str(file))}:(\d+):(\d+): \[\[", str(caught.value))
    assert place, str(caught.value)
    return text.splitlines()[int(place[1]) - 1], int(place[2])


def side(**fields: str) -> str:
    """A pack that changes 02A: a straight tile without a special."""
    fields = {"boulders": "[]", "boost": "[]", **fields}
    return OWN + '[[tile]]\nid = "02A"\n' + "".join(f"{key} = {value}\n" for key, value in fields.items()) + 'source = "house"\n'


def whole(pattern: str, value: str) -> str:
    """The standard pack with a change."""
    text, count = re.subn(pattern, value, STANDARD, count=1, flags=re.DOTALL)
    assert count == 1
    return text


def spots(*numbers: int) -> str:
    """Squares of the three lanes with these indices."""
    return "[" + ", ".join(f"[{lane}, {idx}]" for lane in range(v.LANES) for idx in numbers) + "]"


def test_every_special_has_its_fields() -> None:
    """A new special without a row in READS would be let through without what it reads."""
    assert set(packs.READS) == set(packs.SPECIALS) - {"plain"}
    assert packs.WAYS == 3      # Square.ahead in model.pxd


@pytest.mark.parametrize(("special", "missing"), [(special, key) for special, keys in packs.READS.items() for key in keys])
def test_fields_of_specials(tmp_path: Path, special: str, missing: str) -> None:
    """A special comes with every field it reads."""
    full = {"lightning": spots(2), "slide": spots(3), "water": spots(4), "portal_in": spots(2), "arch": "[[0, 3, 1]]",
            **dict.fromkeys(packs.ROLLED, f"[{SIX}, [2, 3, 6]]")}
    given = {key: full[key] for key in packs.READS[special] if key != missing}
    assert refused(tmp_path, side(special=f'"{special}"', **given), f"{special} needs {missing}")[0] == f'special = "{special}"'


@pytest.mark.parametrize("key", sorted(packs.OWN))
def test_fields_without_their_special(tmp_path: Path, key: str) -> None:
    """A square of a special on another side: a portal there would lead to no square of the board."""
    value = spots(2) if key in ("slide", "portal_in") else "[[0, 3, 1]]"
    assert refused(tmp_path, side(**{key: value}), "these squares are for special")[0] == f"{key} = {value}"


@pytest.mark.parametrize("key", packs.ROLLED)
@pytest.mark.parametrize(("last", "problem"), [
    ("", "number 6 is missing"), (", [2, 3, 5]", "number 5 is there twice"), (", [2, 1, 6]", r"square \[2, 1\] is there twice"),
    (", [2, 3, 7]", "from 1 to 6, not 7"), (", [2, 3, -1]", "not -1"), (", [2, 3, 300]", "not 300"),
    (", [2, 6, 6]", "no square"), (", [-1, 3, 6]", "no square"), (", [2, 5, 6]", "water or void"),
])
def test_rolled_squares(tmp_path: Path, key: str, last: str, problem: str) -> None:
    """A die finds one dry square for each of its faces."""
    special = packs.OWN[key]
    value = f"[{SIX}{last}]"
    reads = {name: spots(2) for name in packs.READS[special] if name != key}
    text = side(special=f'"{special}"', **reads, water="[[2, 5]]", **{key: value})
    assert refused(tmp_path, text, problem)[0] == f"{key} = {value}"


@pytest.mark.parametrize(("fields", "problem"), [
    ({"forks": "[[0, 1, 1, 2], [0, 1, 2, 2], [0, 1, 1, 3]]"}, "at most 2 of them"),
    ({"forks": "[[0, 1, 1, 2], [0, 1, 1, 2]]"}, "there twice"), ({"arrows": "[[0, 1, 1, 2], [0, 1, 0, 3]]"}, "at most 1 of them"),
    ({"arrows": "[[0, 3, 0, 3]]"}, "leads to itself"),
    ({"boulders": "[[0, 1, -3]]"}, "not -3"), ({"boulders": "[[0, 1, 100]]"}, "not 100"), ({"boulders": "[[0, 1, 0]]"}, "not 0"),
    ({"boulders": "[[0, 1, 1], [0, 2, 1]]"}, "number 1 is there twice"), ({"ice": "[[0, 1, 1], [0, 1, 2]]"}, "there twice"),
    ({"checkpoint": "[-5, 1, 1]"}, "not -5"), ({"checkpoint": "[1, 1, 50]"}, "lane 2 has the squares 0 to 5, not 50"),
    ({"removed": spots(0, 1, 2, 3, 4, 5)}, "lane 0 needs its first square"), ({"removed": "[[0, 9]]"}, "no square"),
    ({"special": '"portal"', "portal_in": spots(1), "portals": f"[{SIX}, [2, 3, 6]]"}, "carried on and on"),
    ({"special": '"penguin"', "arch": "[[0, 1, -1]]"}, "not -1"), ({"special": '"penguin"', "arch": "[[0, 1, 200]]"}, "not 200"),
])
def test_sides(tmp_path: Path, fields: dict[str, str], problem: str) -> None:
    """Numbers and squares out of range, too many ways, lanes without an entrance."""
    key, value = list(fields.items())[-1]
    assert refused(tmp_path, side(**fields), problem)[0] == f"{key} = {value}"


@pytest.mark.parametrize("fields", [
    {"void": spots(2)}, {"arrows": "[[0, 3, 0, 1], [1, 3, 1, 1], [2, 3, 2, 1]]"}, {"removed": "[[0, 2]]"},
    {"void": "[[0, 5], [1, 4], [2, 3]]"}, {"forks": "[[0, 1, 0, 2]]"}])
def test_no_way_along(tmp_path: Path, fields: dict[str, str]) -> None:
    """A tile that nobody can drive along is refused before a table asks for it."""
    assert refused(tmp_path, side(**fields), "no way around|same square")[0] == "[[tile]]"


@pytest.mark.parametrize(("pattern", "value", "problem"), [
    (r"cuts = \[\[0, 84,", "cuts = [[" + ", ".join(map(str, range(84))) + ",", "1 to 8 squares"),
    (r"cuts = \[\[0, 84,", "cuts = [[84, 0,", "ascending"), (r"cuts = \[\[0, 84,", "cuts = [[-1, 84,", "from 0"),
    (r"positions = \[\[0, 5\], \[1, 5\]", "positions = [[0, 5], [0, 5]", "two positions"),
    (r"positions = \[\[0, 5\]", "positions = [[9, 9]", "no dry square"),
    (r"positions = \[\[0, 5\]", "positions = [[-1, 5]", "no dry"),
    (r'id = "02A"', 'id = "02A"\nstart = true\nremoved = [[0, 5]]', r"02A has no dry square \[0, 5\]"),
    (r'id = "05A"', 'id = "05A"\nstart = true', "a starting grid is straight"),
    (r"kinds = \{", "kinds = { foo = 1,", "no such prey token"), (r"kinds = \{", "kinds = { heart = 40,", "0 to 5"),
    (r"kinds = \{", "kinds = { heart = -3,", "not -3"), (r"kinds = \{", "kinds = { heart = 5,", "is not possible"),
    (r'(\[\[difficulty\]\]\s+id = )"normal"', r'\1"foo"', "the rows are normal"),
    (r"(vehicles = 5\s+green = )\d", r"\g<1>8", "at most 4 green"), (r"(vehicles = 2\s+green = )\d", r"\g<1>2", "at most 1 green"),
])
def test_whole_packs(tmp_path: Path, pattern: str, value: str, problem: str) -> None:
    """Numbers of the standard pack that the rules have no room for."""
    refused(tmp_path, whole(pattern, value), problem)


@pytest.mark.parametrize(("lines", "problem"), [
    (["start: MOVE(9)"] * 4, "at most 27 squares"), (["start: STEP()"] * 9, "at most 8 steps"),
])
def test_long_programs(tmp_path: Path, lines: list[str], problem: str) -> None:
    """A card does a few things at one time, and moves nobody around the whole circuit."""
    text = OWN + f'[[aura]]\nid = 1\nneg = {lines}\nsource = "house"\n'.replace("'", '"')
    line, column = refused(tmp_path, text, problem)
    assert line.startswith("neg") and column > line.index(lines[0])


def test_steps_of_all_cards(tmp_path: Path) -> None:
    """The rules have room for a number of steps."""
    steps = str(["start: STEP()"] * 8).replace("'", '"')
    rows = [f'[[aura]]\nid = {n}\nneg = {steps}\npos = {steps}\nsource = "house"\n' for n in range(1, 31)]
    (tmp_path / "own.toml").write_text(OWN + "".join(rows))
    with pytest.raises(PackError, match=rf":\d+:\d+: \[\[.*fewer than {v.STEPS} steps"):
        link(str(tmp_path / "own.toml"))
