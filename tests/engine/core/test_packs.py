"""Content packs: loading, hashing, provenance, and what the errors say."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pydantic import Field

from seatmate.engine.core.effects_program import Program
from seatmate.engine.core.effects_vocabulary import Attribute, Param, Signature, Trigger, Vocabulary
from seatmate.engine.core.errors import PackError
from seatmate.engine.core.packs import (
    Component,
    EffectLine,
    LoadedPack,
    PackSchema,
    load_pack,
    provenance,
)

from .effects_reader import steps

VOCABULARY = Vocabulary(
    game="toy",
    triggers={"score_place": Trigger(0), "play": Trigger(1)},
    verbs={
        "ZERO": Signature(0, (Param.selector("cards"),)),
        "SUBST": Signature(1, (Param.number("number"), Param.number("cost"))),
        "NO_PLAY": Signature(2),
    },
    bases={"card": Signature(0)},
    attributes={"num": Attribute(0), "sym": Attribute(1, "symbol")},
    words={"symbol": {}},
)


class Symbol(Component):
    key: str


class Place(Component):
    key: str
    effects: tuple[EffectLine, ...] = ()


class Ability(Component):
    slot: int
    std: EffectLine
    star: EffectLine = ""


class Board(Component):
    name: str
    ability: tuple[Ability, ...]


class Limits(Component):
    deck: int
    need: dict[str, tuple[int, ...]]


class ToyPack(PackSchema):
    limits: Limits
    symbol: tuple[Symbol, ...]
    place: tuple[Place, ...]
    board: tuple[Board, ...] = ()

    def vocabulary(self) -> Vocabulary:
        return VOCABULARY.with_words(symbol={symbol.key: code for code, symbol in enumerate(self.symbol)})


PACK = """
[pack]
game = "toy"
name = "standard"
version = 3
title = "The toy box"

[limits]
deck = 60
need.2 = [14, 16]
source = "rulebook"

[[symbol]]
key = "BEE"
source = "rulebook"

[[symbol]]
key = "BAT"
source = "rulebook"

[[place]]
key = "crypt"
effects = ["score_place: ZERO(@card.num=3)", "play: SUBST(6, 1)"]
source = "public"
address = "https://example.org"

[[place]]
key = "meadow"
source = "house"
source_note = "balanced by self-play"

[[place]]
key = "shed"
effects = ["score_place: ZERO(@card.sym=BEE)"]
source = "rulebook"

[[board]]
name = "Robin"
source = "house"
[[board.ability]]
slot = 4
std = "play: NO_PLAY()"
source = "house"
[[board.ability]]
slot = 5
std = "play: NO_PLAY()"
star = "play: SUBST(1, 2)"
source = "rulebook"
"""


def write(folder: Path, text: str | bytes, name: str = "standard") -> Path:
    file = folder / "packs" / f"{name}.toml"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def load(folder: Path, text: str | bytes = PACK) -> LoadedPack[ToyPack]:
    write(folder, text)
    return load_pack("standard", ToyPack, "toy", folder)


def refusal(folder: Path, text: str | bytes) -> str:
    """The message of the error, `LINE:COLUMN: ...`, with the file's path cut off each line."""
    file = write(folder, text)
    with pytest.raises(PackError) as caught:
        load_pack("standard", ToyPack, "toy", folder)
    message = str(caught.value)
    assert message.startswith(f"{file}:")
    return message.replace(f"{file}:", "").strip()


# ---------------------------------------------------------------- loading
def test_a_pack_by_name(tmp_path: Path) -> None:
    pack = load(tmp_path)
    assert (pack.name, pack.version, pack.content.pack.title) == ("standard", "3", "The toy box")
    assert [place.key for place in pack.content.place] == ["crypt", "meadow", "shed"]
    assert pack.content.limits.need == {"2": (14, 16)}
    assert pack.file == str(tmp_path / "packs" / "standard.toml")


def test_a_pack_by_path_may_have_any_name(tmp_path: Path) -> None:
    file = write(tmp_path, PACK, name="mine")
    assert load_pack(str(file), ToyPack, "toy", tmp_path / "elsewhere").name == "standard"
    assert load_pack(file, ToyPack, "toy", tmp_path / "elsewhere").name == "standard"


def test_effect_lines_are_compiled_and_found_by_path(tmp_path: Path) -> None:
    pack = load(tmp_path)
    assert len(pack.program.entries) == 6
    vocabulary = pack.content.vocabulary()

    def texts(row: int) -> list[str]:
        return [step.text for step in steps(Program(pack.program.code, pack.entries("place", row, "effects")), vocabulary)]

    assert (texts(0), texts(2)) == (["ZERO(@card.num=3)", "SUBST(6, 1)"], ["ZERO(@card.sym=BEE)"])
    assert pack.entries("place", 1, "effects") == ()
    assert pack.entries("board", 0, "ability", 0, "star") == ()
    assert pack.entries("board", 0, "ability", 1, "star") == pack.program.entries[5:]


def test_a_schema_without_vocabulary_leaves_its_lines_alone(tmp_path: Path) -> None:
    class Plain(ToyPack):
        def vocabulary(self) -> None:  # type: ignore[override]
            return None

    file = write(tmp_path, PACK.replace("ZERO", "NONSENSE"))
    pack = load_pack(file, Plain, "toy", tmp_path)
    assert pack.program.entries == ()
    assert pack.entries("place", 0, "effects") == ()


def test_provenance_counts_components(tmp_path: Path) -> None:
    assert provenance(load(tmp_path)) == {"rulebook": 5, "public": 1, "house": 3}


# ---------------------------------------------------------------- hash
def test_the_hash_is_of_the_data_not_of_the_text(tmp_path: Path) -> None:
    pack = load(tmp_path)
    assert len(pack.sha256) == 64
    assert pack.hash == pack.sha256[:16]
    commented = "# my pack\n" + PACK.replace("deck = 60", "deck = 0x3c  # sixty").replace("\n", "\r\n")
    assert load(tmp_path, commented).sha256 == pack.sha256
    assert load(tmp_path, b"\xef\xbb\xbf" + PACK.encode()).sha256 == pack.sha256
    swapped = PACK.replace('key = "crypt"\n', "").replace("address =", 'key = "crypt"\naddress =')
    assert load(tmp_path, swapped).sha256 == pack.sha256


@pytest.mark.parametrize(
    ("old", "new"), [("60", "61"), ("(6, 1)", "(6,1)"), ("version = 3", "version = 4"), ("14, 16", "16, 14")]
)
def test_the_hash_changes_with_the_data(tmp_path: Path, old: str, new: str) -> None:
    assert load(tmp_path, PACK.replace(old, new)).sha256 != load(tmp_path).sha256


def test_the_hash_never_changes_by_itself(tmp_path: Path) -> None:
    """Records name packs by this hash: a change of its definition would orphan them."""
    assert load(tmp_path).hash == "926fca57d55a7f24"


# ---------------------------------------------------------------- errors
ERRORS = {
    "unknown field": (
        ('effects = ["score_place: ZERO(@card.sym=BEE)"]', 'efects = ["score_place: ZERO(@card.sym=BEE)"]'),
        """34:1: [[place]] #3 ("shed"), efects: unknown field 'efects'; did you mean 'effects'?""",
    ),
    "unknown table": (("[[place]]", "[[palce]]"), "21:1: [[palce]]: unknown table 'palce'; did you mean 'place'?"),
    "missing field": (
        ("slot = 5\n", ""),
        '44:1: [[board]] #1 ("Robin"), [[board.ability]] #2, slot: the field is missing; it should be an integer',
    ),
    "missing source": (
        ('key = "shed"', 'key = "shed"\n[[place]]\nkey = "barn"'),
        '[[place]] #3 ("shed"), source: the field is missing; it should be "rulebook" or "public" or "house"',
    ),
    "missing table": (
        ('[limits]\ndeck = 60\nneed.2 = [14, 16]\nsource = "rulebook"', ""),
        "1:1: the table [limits] is missing",
    ),
    "wrong type": (("deck = 60", 'deck = "60"'), '9:8: [limits], deck: should be an integer, not "60"'),
    "wrong type in a list": (("[14, 16]", "[14, true]"), "10:15: [limits.need], 2 #2: should be an integer, not true"),
    "a table for a number": (("deck = 60", "deck.n = 60"), "9:1: [limits.deck]: should be an integer, not a table"),
    "unknown source": (
        ('source = "public"', 'source = "rulebok"'),
        """source: should be 'rulebook', 'public' or 'house', not "rulebok"; did you mean 'rulebook'?""",
    ),
    "version": (
        ("version = 3", 'version = "new"'),
        '5:11: [pack], version: must be a whole number such as 2 or a version such as "1.4.0", not "new"',
    ),
    "wrong game": (('game = "toy"', 'game = "mythos"'), '3:8: [pack], game: this is a pack of "mythos"; it must be "toy"'),
    "wrong name": (
        ('name = "standard"', 'name = "other"'),
        '4:8: [pack], name: must be "standard" like the file, not "other"',
    ),
    "date": (
        ("deck = 60", "deck = 2024-01-02"),
        "9:8: [limits], deck: dates and times are not used in packs; write them in quotes",
    ),
    "nan": (("deck = 60", "deck = nan"), "9:8: [limits], deck: nan and inf are no numbers of a pack"),
    "syntax": (("deck = 60", "deck = = 60"), "9:8: not valid TOML: Invalid value\n    deck = = 60"),
    "twice": (
        ("deck = 60", "deck = 60\ndeck = 61"),
        "10:10: not valid TOML: Cannot overwrite a value\n    deck = 61",
    ),
    "effect": (
        ("ZERO(@card.sym=BEE)", "ZERO(@card.sym=BEEE)"),
        """34:41: [[place]] #3 ("shed"), effects #1: unknown sym word 'BEEE'; did you mean 'BEE'?
    score_place: ZERO(@card.sym=BEEE)
                                ^""",
    ),
    "effect in a nested table": (
        ("play: SUBST(1, 2)", "play: SUBST(1 2)"),
        """47:23: [[board]] #1 ("Robin"), [[board.ability]] #2, star: expected ',' or ')', found '2'
    play: SUBST(1 2)
                  ^""",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_name_the_table_the_field_and_what_would_be_right(tmp_path: Path, case: str) -> None:
    (old, new), expected = ERRORS[case]
    assert old in PACK
    assert expected in refusal(tmp_path, PACK.replace(old, new))


def test_wrong_rows_are_not_too_few_as_well(tmp_path: Path) -> None:
    """A wrong row is one error; rows that lack or are too many are counted as the author counts them."""
    class Pair(PackSchema):
        symbol: Annotated[tuple[Symbol, ...], Field(min_length=2, max_length=2)]

    def said(*rows: str) -> str:
        file = tmp_path / "pair.toml"
        file.write_text('[pack]\ngame = "toy"\nname = "pair"\nversion = 1\ntitle = "Pair"\n' + "".join(
            f'[[symbol]]\nkey = {row}\nsource = "house"\n' for row in rows))
        with pytest.raises(PackError) as caught:
            load_pack(file, Pair, "toy", tmp_path)
        return str(caught.value).removeprefix(f"{file}:")

    assert said('"a"', "7") == "10:7: [[symbol]] #2 (7), key: should be text in quotes, not 7"
    assert said('"a"') == "6:1: [[symbol]]: should have at least 2 items, not 1"
    assert said('"a"', '"b"', '"c"') == "6:1: [[symbol]]: should have at most 2 items, not 3"


def test_all_errors_of_a_file_are_reported_together(tmp_path: Path) -> None:
    message = refusal(tmp_path, PACK.replace("source =", "sauce ="))
    assert message.count("\n") == 10
    assert message.splitlines()[-1] == "and 8 more"
    effects = refusal(tmp_path, PACK.replace("ZERO", "ZER0"))
    assert effects.count("unknown verb 'ZER0'; did you mean 'ZERO'?") == 2


@pytest.mark.parametrize("version", ["1", '"2.0"', '"1.4.12"', '"1.0.0-beta.2"'])
def test_versions(tmp_path: Path, version: str) -> None:
    assert load(tmp_path, PACK.replace("version = 3", f"version = {version}")).version == version.strip('"')


@pytest.mark.parametrize("version", ["0", "-1", "true", "1.5", '""', '"v1"', '"1"', '"1.2.3.4"', '"01.2"', "[1]"])
def test_versions_that_are_none(tmp_path: Path, version: str) -> None:
    assert "[pack], version: must be" in refusal(tmp_path, PACK.replace("version = 3", f"version = {version}"))


def test_an_unknown_name_suggests_a_pack(tmp_path: Path) -> None:
    write(tmp_path, PACK)
    with pytest.raises(PackError, match=r"no pack named 'standart'; did you mean 'standard'\?"):
        load_pack("standart", ToyPack, "toy", tmp_path)


@pytest.mark.parametrize("name", ["", "../standard", "a/b", "standard\0", "a.b", "x" * 200, "standärd"])
def test_what_is_neither_name_nor_file_is_refused(tmp_path: Path, name: str) -> None:
    write(tmp_path, PACK)
    with pytest.raises(PackError, match="neither a pack's name"):
        load_pack(name, ToyPack, "toy", tmp_path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (str(tmp_path / "none.toml"), "bad\0.toml"):
        with pytest.raises(PackError, match="no such file"):
            load_pack(path, ToyPack, "toy", tmp_path)
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(PackError, match="is not a file"):
        load_pack(tmp_path / "folder.toml", ToyPack, "toy", tmp_path)
    with pytest.raises(PackError, match="is not a file"):
        load_pack(Path("/dev/zero"), ToyPack, "toy", tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    file = write(tmp_path, PACK)
    file.chmod(0)
    with pytest.raises(PackError, match="cannot be read: Permission denied"):
        load_pack(file, ToyPack, "toy", tmp_path)


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    assert refusal(tmp_path, PACK.encode().replace(b"crypt", b"cr\xffpt")).startswith("22:10: is not UTF-8 text")
    assert refusal(tmp_path, b"#" * 4_000_001) == "is larger than 4000000 bytes"


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 100_000,
        "x = " + "[" * 150 + "]" * 150,
        "[" + "a." * 3_000 + "a]",
        "x = " + "9" * 5000,
        "x = 0x" + "f" * 9000,
    ],
)
def test_monstrous_files_are_refused(tmp_path: Path, text: str) -> None:
    assert refusal(tmp_path, text)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.data())
@example(None)
def test_damaged_files_raise_nothing_but_pack_errors(tmp_path: Path, data: Any) -> None:
    raw = PACK.encode()
    if data is not None:
        start = data.draw(st.integers(0, len(raw)))
        end = data.draw(st.integers(start, min(len(raw), start + 12)))
        raw = raw[:start] + data.draw(st.binary(max_size=6) | st.text(max_size=6).map(str.encode)) + raw[end:]
    file = write(tmp_path, raw)
    try:
        pack = load_pack(file, ToyPack, "toy", tmp_path)
    except PackError as error:
        assert str(error).startswith(str(file))
    else:
        assert len(pack.sha256) == 64


def test_hundreds_of_cards_compile_every_line(tmp_path: Path) -> None:
    line = 'effects = ["score_place: ZERO(@card.num=3) if 1<2; ZERO(@card.sym=BEE|BAT.num>=2)", "play: SUBST(6, 1)"]'
    rows = [f'[[place]]\nkey = {json.dumps(f"place {n}")}\n{line}\nsource = "house"\n' for n in range(300)]
    file = write(tmp_path, PACK + "\n".join(rows))
    assert len(load_pack(file, ToyPack, "toy", tmp_path).program.entries) == 606
