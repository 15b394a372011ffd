"""Tournaments at a server from the command line: the report is the same as here, and Ctrl-C leaves it to the server."""
from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seatmate.client import blocking
from seatmate.server.config import ServerConfig
from web import serving

from .conftest import CommandLine

ENDLESS = ("tournament", "connect_four", "--bots", "search:iterations=3000,heuristic", "--deals", "5000")


def config(folder: Path, **more: Any) -> ServerConfig:
    return ServerConfig(address="127.0.0.1:0", database=str(folder / "t.sqlite3"), workers=1, tournaments=folder / "kept", **more)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with serving(config(tmp_path)) as server:
        yield server.address


@pytest.mark.parametrize("line", [
    ("kuhn", "--bots", "heuristic,random", "--deals", "20", "--sprt", "0,20", "--alpha", "0.1", "--anchor", "random"),
    ("connect_four", "--bots", "heuristic,random,player:noise=0.2", "--deals", "3", "--format", "gauntlet", "--challengers", "2",
     "--adjudicate", "0.9,3", "--resign", "0.2,2", "--permutations", "rotations"),
    ("liars_dice", "--seats", "4", "--option", "dice=2", "--bots", "search:iterations=10,heuristic", "--deals", "3",
     "--teams", "0+2,1+3", "--values"),
    ("kuhn", "--bots", "random,random", "--deals", "4", "--anchor", "random (2)")], ids=["sprt", "gauntlet", "teams", "null test"])
def test_the_same_is_said_as_of_a_tournament_here(seatmate: CommandLine, address: str, line: tuple[str, ...]) -> None:
    line = ("tournament", *line, "--seed", "7")
    there, here = seatmate(*line, "--json", "--server", address).json(), seatmate(*line, "--json").json()
    assert set(there.pop("times")) == {row["bot"] for row in here["standings"]}
    assert there == here
    if "--values" not in line:
        return
    shown = seatmate(*line, "--server", address, "--html", "there.html")
    assert shown.code == 0 and "written: there.html" in shown.stdout
    told = shown.stdout.splitlines()[1:-1]
    assert len(told) > 5 and seatmate(*line).stdout.splitlines()[:len(told)] == told    # which goes on with times
    assert "<h2>Calibration</h2>" in Path("there.html").read_text()


def test_ctrl_c_leaves_it_to_the_server_and_says_how_to_go_on(
        seatmate: CommandLine, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(one: blocking.Tournament) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(blocking.Tournament, "watch", interrupted)
        shown = seatmate(*ENDLESS, "--server", address)
    assert shown.code == 130 and "goes on at the server" in shown.stderr
    secret, *again = shlex.split(shown.stderr.partition("Go on watching: ")[2])
    assert again[:3] == ["seatmate", "tournaments", "watch"]
    name, where = again[3], again[4:]
    monkeypatch.setenv(*secret.split("=", 1))
    assert secret.partition("=")[2] in shown.stdout     # told once, at the start
    listed = seatmate("tournaments", "list", *where)
    assert name in listed.stdout and re.search(r"of 10,000 +(running|waiting)", listed.stdout)
    assert seatmate("tournaments", "list", *where, "--json").json()["tournaments"][0]["name"] == name
    ended = seatmate("tournaments", "cancel", name, *where)
    assert re.fullmatch(rf"{name}: cancelled, [\d,]+ of 10,000 games are played\n", ended.stdout)
    seatmate("tournaments", "watch", "tournaments/none", *where).refused(1, "no tournament")
    monkeypatch.setenv("SEATMATE_TOURNAMENT_TOKEN", "nobody-knows-this-one")
    seatmate("tournaments", "report", name, *where).refused(1, "PERMISSION_DENIED")


def test_one_that_can_not_go_on_says_why(seatmate: CommandLine, tmp_path: Path) -> None:
    with serving(config(tmp_path, tournament_minutes=0.02)) as server:
        seatmate(*ENDLESS, "--server", server.address).refused(1, "its time was over")


def test_what_does_not_go_with_a_server_is_refused(seatmate: CommandLine, tmp_path: Path) -> None:
    here = (*ENDLESS, "--server", "127.0.0.1:1")
    for wrong in (("--results", "a.jsonl"), ("--keep-games",), ("--workers", "2"), ("--backend", "ray")):
        seatmate(*here, *wrong).refused(2, "--server can't be combined")
    for wrong in (("--balance",), ("--vary", "first=0,1"), ("--decks", "all")):
        seatmate("tournament", "mythos", *wrong, "--server", "127.0.0.1:1").refused(2, "leave out --server")
    seatmate(*ENDLESS, "--ca", "a.pem").refused(2, "belong to --server")
    with serving(ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "n.sqlite3"), workers=1)) as server:
        seatmate(*ENDLESS, "--server", server.address).refused(1, "started without --tournaments")
