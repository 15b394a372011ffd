"""Circuits: random ones are legal, close and can be driven around; what is none is refused; pictures show every tile."""
from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from seatmate.engine.core.errors import PackError, SettingsError
from seatmate.engine.core.registry import game_spec, new_game
from seatmate.engine.monster_chase.content import circuits
from seatmate.engine.monster_chase.content.pack import read
from seatmate.engine.monster_chase.content.track import built, entries_of, facts, track_of
from seatmate.engine.monster_chase.words.drawing import draw

PACK = read("standard").content
OWN = '[pack]\ngame = "monster_chase"\nname = "own"\nversion = 1\ntitle = "Own"\nextends = "standard"\n\n'


@pytest.mark.parametrize("tiles", circuits.RINGS)
def test_random_circuits(tiles: int) -> None:
    """Each is legal, closes on the table, has a way around, and comes of its seed alone; seeds and ways to turn vary."""
    found = {}
    for seed in range(40):
        entries = circuits.build(PACK.sides, PACK.geometries, seed, tiles)
        assert len(entries) == tiles and circuits.closed(entries)
        assert len({(cell.x, cell.y) for cell in circuits.cells(entries)}) == tiles      # the last one leads back to the first
        assert len({entry.tile for entry in entries}) == tiles
        circuits.check(entries, PACK.sides, PACK.geometries)
        found[seed] = ",".join(map(str, entries))
        assert entries_of(PACK, found[seed]) == entries
        if seed % 8 == 0:
            track_of(PACK, entries)
            assert built(seed, tiles, circuits.BOXES, "standard") == found[seed]
    assert len(set(found.values())) == 40
    assert len({text[2::6] + text[4::6] for text in found.values()}) > 30
    assert tiles < 8 or len({tuple(word[-1] for word in text.split(",")) for text in found.values()}) > 2


def test_all_rings() -> None:
    """Counted by hand: 6 tiles lie around a domino; 8 around a square, three in a row or three in a corner."""
    assert set(circuits.rings(6)) == {"SRRSRR", "SLLSLL"}
    assert {turns for turns in circuits.rings(8) if turns.count("R") > turns.count("L")} == {
        "SRSRSRSR", "SSRRSSRR", "SRRSSRRS", "SRRLRRSR", "SRSRRLRR"}
    assert len(circuits.rings(8)) == 10
    for tiles in circuits.RINGS:
        for turns in circuits.rings(tiles):
            assert circuits.closed([circuits.Entry("01A", turn) for turn in turns])
            assert abs(turns.count("R") - turns.count("L")) == 4


@pytest.mark.parametrize("boxes", [("base",), ("winter",), ("base", "mc")])
def test_only_tiles_of_the_boxes(boxes: tuple[str, ...]) -> None:
    for seed in range(20):
        entries = circuits.build(PACK.sides, PACK.geometries, seed, 6, boxes)
        assert {PACK.sides[entry.side].needs for entry in entries} <= set(boxes)


@pytest.mark.parametrize(("tiles", "boxes", "problem"), [
    (7, circuits.BOXES, "tiles: 7 can't close to a ring; 6, 8, 10, 12 can"), (0, circuits.BOXES, "tiles: 0"),
    (14, circuits.BOXES, "tiles: 14"), (-6, circuits.BOXES, "tiles: -6"),
    (6, ("bas",), "box: 'bas' is not one of base, winter, mc; did you mean 'base'"), (6, ("test",), "box: 'test'"),
    (6, (), "too few"), (6, ("mc",), "the tiles of mc are too few for a ring of 6"), (8, ("winter",), "too few for a ring of 8")])
def test_what_cannot_be_built(tiles: int, boxes: tuple[str, ...], problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        built(1, tiles, boxes, "standard")


@pytest.mark.parametrize(("circuit", "problem"), [
    ("jungle_lop", "did you mean 'jungle_loop'"), ("nowhere", "is not one of"), ("01A:S", "6 to 12 tiles, not 1"),
    ("01A:S,05A:R,06A:R,02A:S,07A:R,08A", "tile 6 is '08A'"), ("01A:S,05A:X,06A:R,02A:S,07A:R,08A:R", "tile 2 is '05A:X'"),
    ("01A:S,,06A:R,02A:S,07A:R,08A:R", "tile 2 is ''"), (",".join(["01A:S"] * 13), "not 13"),
    ("02A:S,05A:R,06A:R,03A:S,07A:R,08A:R", "the first tile is a starting grid, not 02A"),
    ("01A:S,05A:R,06A:R,17A:S,07A:R,08A:R", "17A is a second starting grid"),
    ("01A:S,05A:S,06A:R,02A:S,07A:R,08A:R", "05A is a bend"), ("01A:S,05A:R,06A:R,02A:L,07A:R,08A:R", "02A is straight"),
    ("01A:S,05A:R,05B:R,02A:S,07A:R,08A:R", "tile 05 is there 2 times"),
    ("00S:S,05A:R,05B:R,02A:S,07A:R,08A:R", "tile 05 is there 2 times"),
    ("01A:S,11B:S,12B:R,02A:S,07A:R,08A:R", "11B and 12B are both crossings"),
    ("01A:S,99A:R,06A:R,02A:S,07A:R,08A:R", "no tile side '99A'"), ("01A:S,05C:R,06A:R,02A:S,07A:R,08A:R", "did you mean '05")])
def test_what_is_no_circuit_is_refused(circuit: str, problem: str) -> None:
    for ask in (lambda: facts(circuit, "standard"), lambda: new_game("monster_chase", options={"circuit": circuit})):
        with pytest.raises(SettingsError, match=problem) as caught:
            ask()
        assert caught.value.field == "options.circuit"


def own_pack(folder: Path, rows: str) -> str:
    """A pack with these rows beside the shipped ones."""
    file = folder / "own.toml"
    file.write_text(OWN + rows)
    return str(file)


def test_a_circuit_of_ones_own_is_played(tmp_path: Path) -> None:
    row = '[[circuit]]\nid = "mine"\nclosed = true\nsource = "house"\n' \
          'tiles = ["17A:S", "05A:L", "06A:L", "02A:S", "07A:L", "08A:L"]\n'
    name = own_pack(tmp_path, row)
    assert facts("mine", name)["closed"] and facts("mine", name)["winter"]
    assert new_game("monster_chase", options={"circuit": "mine"}, pack=name).new_state(1).pending
    for old, new, problem in (("true", "false", "closed: on the table it closes"), ("08A:L", "08A:R", "it does not close"),
                              ("08A:L", "08A:S", "tiles: 08A:S: 08A is a bend"), ("08A:L", "08", "tile 6 is '08'")):
        with pytest.raises(PackError, match=problem):
            read(own_pack(tmp_path, row.replace(old, new)))


@pytest.mark.parametrize(("row", "problem"), [
    ('id = "02A"\narrows = [[0, 2, 0, 1]]', "lane 0, square 2 of 02A"),     # around and around
    ('id = "02A"\nvoid = [[0, 2], [1, 2], [2, 2]]\nboulders = []', "no way around"),       # the road ends
    ('id = "02A"\narrows = [[0, 1, 1, 1], [1, 1, 2, 2]]\nvoid = [[1, 2]]', "lane 0, square 2 of 02A"),      # nothing leads there
    ('id = "02A"\nremoved = [[0, 3]]\nboulders = []', "lane 0, square 2 of 02A")])
def test_a_circuit_without_a_way_around_is_refused(tmp_path: Path, row: str, problem: str) -> None:
    name = own_pack(tmp_path, f'[[tile]]\nsource = "house"\n{row}\n')
    with pytest.raises(SettingsError, match=problem):
        facts("jungle_loop", name)
    with pytest.raises(PackError, match=problem):
        new_game("monster_chase", pack=name)
    facts("savage_loop", name)


@pytest.mark.parametrize(("row", "problem"), [
    ('boost = [[3, 0]]', "boost"), ('boost = [[2, 6]]', r"boost: there is no square \[2, 6\]"),
    ('arrows = [[0, 1, 0, 6]]', "arrows"),
    ('removed = [[0, 2]]', r"boulders: there is no square \[0, 2\]"), ('geo = "S7"', "geo: 'S7' is not one of")])
def test_squares_that_a_side_has_not(tmp_path: Path, row: str, problem: str) -> None:
    with pytest.raises(PackError, match=problem):
        read(own_pack(tmp_path, f'[[tile]]\nid = "02A"\nsource = "house"\n{row}\n'))


@pytest.mark.parametrize("circuit", ["wild_marathon", "lucky_seven"])
def test_the_picture_shows_every_tile(tmp_path: Path, circuit: str) -> None:
    """Names in order, positions, a legend; one outline for each square; the same circuit is the same file."""
    draw(circuit, "standard", tmp_path / "a.svg")
    draw(circuit, "standard", tmp_path / "b.SVG")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.SVG").read_bytes()
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    texts = ["".join(node.itertext()).strip() for node in root.iter("{http://www.w3.org/2000/svg}text")]
    entries, expected = entries_of(PACK, circuit), facts(circuit, "standard")
    names = [f"{number + 1}  {entry.side} {expected['names'][number]}" for number, entry in enumerate(entries)]
    assert [text for text in texts if text in names] == names
    assert {circuit, "checkpoint", "finish line", *"123456789"} <= set(texts)
    outlines = [node for node in root.iter("{http://www.w3.org/2000/svg}path") if "stroke-width: 0.6" in node.get("style", "")]
    assert len(outlines) == expected["squares"]


def test_pictures_of_all_kinds(tmp_path: Path) -> None:
    heads = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}
    for ending, head in heads.items():
        draw("jungle_loop", "standard", tmp_path / f"x{ending}")
        assert (tmp_path / f"x{ending}").read_bytes().startswith(head)
    for name in ("x.gif", "x", "png"):
        with pytest.raises(SettingsError, match=f"{name} does not end in"):
            draw("jungle_loop", "standard", tmp_path / name)
    assert len(list(tmp_path.iterdir())) == 3


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SettingsError, match="make install EXTRAS=draw"):
        draw("jungle_loop", "standard", tmp_path / "x.svg")


def test_the_choices_of_the_option_are_the_circuits_of_the_pack() -> None:
    """All but the one for tests."""
    option = next(option for option in game_spec("monster_chase").options if option.key == "circuit")
    assert set(option.choices) == {row.id for row in PACK.circuit if not row.test}
