"""`seatmate packs check`, `seatmate packs words` and `seatmate packs circuit`."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

import seatmate.engine
from seatmate.engine.core.registry import game_spec, list_games

from .conftest import CommandLine


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A copy of Hyde's shipped pack that may be damaged."""
    name = game_spec("hyde").packs[0]
    copy = tmp_path / "my_pack.toml"
    copy.write_text((Path(seatmate.engine.__path__[0]) / "hyde" / "packs" / f"{name}.toml").read_text())
    return copy


def test_a_good_pack(seatmate: CommandLine, pack: Path) -> None:
    shown = seatmate("packs", "check", str(pack))
    assert shown.code == 0 and shown.stderr == ""
    assert shown.stdout.startswith("ok ") and "a pack of Hyde" in shown.stdout and "rulebook" in shown.stdout


def test_json(seatmate: CommandLine, pack: Path) -> None:
    result = seatmate("packs", "check", str(pack), "--json").json()
    assert result["game"] == "hyde" and re.fullmatch("[0-9a-f]{16}", result["hash"])
    assert set(result["provenance"]) == {"rulebook", "public", "house"} and sum(result["provenance"].values()) > 0
    shipped = seatmate("packs", "check", game_spec("hyde").packs[0], "--game", "hyde", "--json").json()
    assert shipped["hash"] == result["hash"]
    pack.write_text(pack.read_text() + "\n# only a comment\n")
    assert seatmate("packs", "check", str(pack), "--json").json()["hash"] == result["hash"]


def test_a_broken_pack_is_explained(seatmate: CommandLine, pack: Path) -> None:
    good = pack.read_text()
    for old, new in (("[pack]", "[pack"), ("source = \"rulebook\"", "source = \"gossip\""), ("[pack]", "[pizza]")):
        assert old in good
        pack.write_text(good.replace(old, new, 1))
        for arguments in ((), ("--json",), ("--game", "hyde")):
            shown = seatmate("packs", "check", str(pack), *arguments)
            assert shown.code == 1 and shown.stdout == ""
            assert shown.stderr.startswith("seatmate: ") and "my_pack.toml" in shown.stderr     # may list several
            assert "Traceback" not in shown.stderr and "internal error" not in shown.stderr


def test_other_refusals(seatmate: CommandLine, pack: Path, tmp_path: Path) -> None:
    seatmate("packs", "check", "missing.toml").refused(1, "missing.toml", "no such file")
    seatmate("packs", "check", "missing.toml", "--game", "hyde").refused(1, "missing.toml")
    seatmate("packs", "check", str(pack), "--game", "kuhn").refused(1, "kuhn has no content packs")
    seatmate("packs", "check", str(pack), "--game", "hide").refused(2, "'hide'", "'hyde'")
    seatmate("packs", "check", str(tmp_path)).refused(1, "directory")
    seatmate("packs", "check").refused(2, "'FILE'")
    (tmp_path / "other.toml").write_text('[pack]\ngame = "chess3000"\n')
    seatmate("packs", "check", "other.toml").refused(2, "'chess3000'")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    seatmate("packs", "check", "binary.toml").refused(1, "not UTF-8")


def test_the_group_explains_itself(seatmate: CommandLine) -> None:
    assert "check" in seatmate("packs").stdout
    seatmate("packs", "chekc").refused(2, "chekc")


def test_an_extension(seatmate: CommandLine, tmp_path: Path) -> None:
    """One card is one table, and the answer says what it changes."""
    file = tmp_path / "mine.toml"
    file.write_text('[pack]\ngame = "hyde"\nname = "mine"\nversion = 1\ntitle = "Mine"\nextends = "standard"\n\n'
                    '[[place]]\nkey = "crypt"\neffects = ["score_place: ZERO(@card.num=5)"]\nsource = "house"\n')
    shown = seatmate("packs", "check", "mine.toml")
    assert shown.code == 0 and "extends  standard" in shown.stdout and "changed  place crypt" in shown.stdout
    assert seatmate("packs", "check", "mine.toml", "--json").json()["extends"] == {
        "base": "standard", "added": [], "changed": ["place crypt"], "removed": []}
    file.write_text(file.read_text().replace("ZERO", "ZER0"))
    wrong = seatmate("packs", "check", "mine.toml")
    assert wrong.code == 1 and "mine.toml:10:26: [[place]]" in wrong.stderr and "did you mean 'ZERO'?" in wrong.stderr


@pytest.mark.parametrize("game", [spec.id for spec in list_games() if spec.packs])
def test_every_word_of_the_notation_has_its_line(seatmate: CommandLine, game: str) -> None:
    """In the vocabulary, and on a terminal; no two verbs are told apart by their name alone."""
    load = game_spec(game).load_pack
    assert load is not None
    pack = load(game_spec(game).packs[0])
    assert pack.vocabulary is not None
    own = {name for name, words in pack.vocabulary.words.items() if name in ("name", "kw", "grp") and words}
    for kind, rows in pack.vocabulary.glossary().items():
        for form, doc in rows:
            if kind.removeprefix("Words: ") in own and form != kind.removeprefix("Words: "):
                continue                                            # the pack's own words
            assert doc.strip() and len(doc) < 100 and not doc.endswith("."), (kind, form, doc)
        if kind == "Verbs":
            docs = [doc for _, doc in rows]
            assert len(set(docs)) == len(docs)
    shown = seatmate("packs", "words", game)
    listed = seatmate("packs", "words", game, "--json").json()["words"]
    names = {name for table in ("triggers", "verbs", "bases", "atoms", "attributes", "picks", "amounts", "conditions", "registers")
             for name in getattr(pack.vocabulary, table)} | {word for name, words in pack.vocabulary.words.items()
                                                             if name not in own for word in words}
    forms = {word for rows in listed.values() for form in rows for word in re.findall(r"\w+", form)}
    assert names <= forms
    assert all(name in shown.stdout for name in names)


def test_words_of_a_game_without_packs(seatmate: CommandLine) -> None:
    seatmate("packs", "words", "kuhn").refused(1, "kuhn has no content packs")


def test_a_random_circuit(seatmate: CommandLine, tmp_path: Path) -> None:
    """The same seed is the same circuit, JSON says the same, and the command it prints plays it."""
    shown = seatmate("packs", "circuit", "monster_chase", "--tiles", "8", "--seed", "7", "--draw", "ring.svg")
    assert shown.code == 0 and shown.stderr == "" and "drawn      ring.svg" in shown.stdout and (tmp_path / "ring.svg").exists()
    assert all(part in shown.stdout for part in ("tiles      8", "closed     yes", "reserves   5", "seed       7"))
    found = seatmate("packs", "circuit", "monster_chase", "--tiles", "8", "--seed", "7", "--json").json()
    line = next(line for line in shown.stdout.splitlines() if line.startswith("play it"))
    assert line.split()[-1] == f"circuit={found['value']}" and found["value"] == ",".join(found["entries"])
    assert line.split()[2:4] == ["seatmate", "play"] and len(found["entries"]) == found["tiles"] == 8 and found["drawn"] is None
    played = seatmate(*line.split()[3:], "--seed", "1", stdin="1\n" * 3)
    assert played.code == 0 and found["entries"][3][:3] in played.stdout and "internal error" not in played.stderr
    assert "seed" in seatmate("packs", "circuit", "monster_chase", "--json").json()
    for seed in ("0", "1"):         # numbers, not flags
        assert re.search(rf"seed +{seed}$", seatmate("packs", "circuit", "monster_chase", "--seed", seed).stdout, re.MULTILINE)


def test_a_given_circuit(seatmate: CommandLine) -> None:
    assert "reserves   none" in seatmate("packs", "circuit", "monster_chase", "ice_loop").stdout
    shown = seatmate("packs", "circuit", "monster_chase", "lucky_seven", "--pack", "standard")
    assert "closed     no" in shown.stdout and "seed  " not in shown.stdout
    assert shown.stdout.endswith("seatmate play monster_chase --option circuit=lucky_seven --pack standard\n")
    assert seatmate("packs", "circuit", "monster_chase", "lucky_seven", "--json").json()["squares"] == 127


@pytest.mark.parametrize(("arguments", "code", "parts"), [
    (["monster_chase", "--tiles", "7"], 2, ["7 can't close to a ring", "6, 8, 10, 12"]),
    (["monster_chase", "--tiles", "0"], 2, ["0"]),
    (["monster_chase", "--box", "summer"], 2, ["'summer'", "base, winter, mc"]), (["monster_chase", "nowhere"], 2, ["jungle_loop"]),
    (["monster_chase", "--box", "mc"], 2, ["too few"]), (["monster_chase", "01A:S,99A:R"], 2, ["6 to 12 tiles, not 2"]),
    (["monster_chase", "--draw", "x.gif"], 2, ["x.gif", ".png, .svg, .pdf"]),
    (["monster_chase", "--draw", "nowhere/x.svg"], 1, ["nowhere/x.svg"]), (["monster_chase", "--pack", "none"], 1, ["'none'"]),
    (["monster_chase", "grand_ring", "--seed", "1"], 2, ["random circuit"]),
    (["monster_chase", "grand_ring", "--box", "mc"], 2, ["random circuit"]),
    (["kuhn"], 2, ["the board of kuhn is not put together from tiles"]), (["chase"], 2, ["'chase'"])])
def test_circuits_that_are_refused(seatmate: CommandLine, arguments: list[str], code: int, parts: list[str]) -> None:
    seatmate("packs", "circuit", *arguments).refused(code, *parts)
