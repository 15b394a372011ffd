"""`seatmate packs check`."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

import seatmate.engine
from seatmate.engine.core.registry import game_spec

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
