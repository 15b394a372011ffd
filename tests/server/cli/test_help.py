"""Every command explains itself, and the examples in its help work as they stand."""
from __future__ import annotations

import shlex
import shutil
import signal
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

import seatmate.engine
from seatmate.engine.core.registry import list_games
from seatmate.server.cli.console import use_plain_text

from .conftest import CommandLine, command, environment, process

COMMANDS = ("demo", "play", "hint", "tournament", "replay", "tune", "bench", "games", "serve", "packs check", "packs words",
            "packs circuit", "admin tables", "admin stop", "admin remove")


def examples(help_text: str) -> list[str]:
    """The command lines below `Example`."""
    lines = [line.strip() for line in help_text.splitlines()]
    start = next(number for number, line in enumerate(lines) if line in ("Example", "Examples"))
    return [line.removeprefix("seatmate ") for line in lines[start:] if line.startswith("seatmate ")]


def test_the_overview_names_every_command(seatmate: CommandLine) -> None:
    shown = seatmate("--help")
    assert shown.code == 0 and shown.stderr == ""
    for name in COMMANDS:
        assert f" {name.split()[0]} " in shown.stdout
    assert seatmate().stdout == shown.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_paragraphs_are_broken_by_the_terminal_alone(seatmate: CommandLine, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A line that ends far from the margin ends its paragraph: the next word would not have fitted."""
    monkeypatch.setenv("COLUMNS", "80")
    use_plain_text(False)
    lines = [line.strip() for line in seatmate(*name.split(), "--help").stdout.partition("\u256d")[0].splitlines()]
    for line, following in pairwise(lines):
        assert not line or not following or len(line) + 1 + len(following.split()[0]) > 78, (line, following)


def test_version(seatmate: CommandLine) -> None:
    shown = seatmate("--version")
    assert shown.code == 0 and shown.stdout == f"seatmate {seatmate_version()}\n"


def seatmate_version() -> str:
    """The installed version."""
    from importlib.metadata import version

    return version("seatmate")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_an_example(seatmate: CommandLine, name: str) -> None:
    shown = seatmate(*name.split(), "--help")
    assert shown.code == 0 and shown.stderr == ""
    assert examples(shown.stdout)
    for line in examples(shown.stdout):
        assert line.startswith(name)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "serve" and not name.startswith("admin")])
def test_the_examples_run(seatmate: CommandLine, tmp_path: Path, name: str) -> None:
    text = seatmate(*name.split(), "--help").stdout
    if name == "hint":
        assert seatmate("play", "kuhn", "--record", "game.json").code == 0
    if name == "replay":
        played = ("tournament", "kuhn", "--bots", "heuristic,random", "--deals", "4", "--seed", "1", "--results", "night.jsonl")
        assert seatmate(*played).code == 0
    if name == "packs check":
        source = shipped_pack()
        assert source is not None
        shutil.copy(source, tmp_path / "my_pack.toml")
    for line in examples(text):
        done = process(shlex.split(line), cwd=tmp_path, stdin="1\n1\n")
        assert done.code == 0 and done.stderr == "", done
        assert done.stdout


def shipped_pack() -> Path | None:
    """The default pack of Hyde, if it is there."""
    names = [spec.packs[0] for spec in list_games() if spec.id == "hyde" and spec.packs]
    return Path(seatmate.engine.__path__[0]) / "hyde" / "packs" / f"{names[0]}.toml" if names else None


def test_the_example_of_serve_runs(seatmate: CommandLine, tmp_path: Path) -> None:
    (line,) = examples(seatmate("serve", "--help").stdout)
    assert "127.0.0.1:7171" in line
    free = line.replace(":7171", ":0")      # somebody may run the example already
    server = subprocess.Popen(command(*shlex.split(free)), cwd=tmp_path, env=environment(), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert server.stdout is not None
        assert "127.0.0.1:" in server.stdout.readline()
        assert (tmp_path / "tables.sqlite3").exists()
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0
    finally:
        server.kill()
        server.communicate()
