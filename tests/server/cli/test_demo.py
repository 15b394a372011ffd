"""`seatmate demo`: a game over gRPC, from the deal to the result."""
from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import urllib.request
from pathlib import Path

import pytest

from seatmate.engine.core.registry import game_spec, list_games

from .conftest import CommandLine, command, environment, process
from .test_process import ESCAPE, read_until

KUHN = ("demo", "--game", "kuhn", "--fast", "--seed", "1", "--hint-ms", "20")


def test_a_game_is_played_and_told(seatmate: CommandLine) -> None:
    shown = seatmate(*KUHN)
    assert shown.code == 0 and shown.stderr == ""
    for text in ("Kuhn poker", "gRPC on 127.0.0.1:", "tables/", "seat 1  heuristic", "played from hints of 20 ms",
                 "You get the", "chips won -0.", "== Result ==", " wins ", "replays to the same bytes",
                 "Random playouts/s", "Heuristic playouts/s", "seatmate serve", "http://127.0.0.1:50051"):
        assert text in shown.stdout, text
    assert ESCAPE not in shown.stdout


def test_bots_and_seat_can_be_chosen(seatmate: CommandLine) -> None:
    shown = seatmate(*KUHN, "--seat", "1", "--bots", "search:iterations=30")
    assert shown.code == 0
    assert "seat 0  search:iterations=30" in shown.stdout and "seat 1  you" in shown.stdout


@pytest.mark.parametrize("game", [spec.id for spec in list_games()])
def test_every_game_can_be_shown(seatmate: CommandLine, game: str) -> None:
    shown = seatmate("demo", "--game", game, "--fast", "--hint-ms", "5", "--bots", "random,heuristic", "--seed", "3")
    assert shown.code == 0 and shown.stderr == ""
    assert game_spec(game).title in shown.stdout and "== Result ==" in shown.stdout


@pytest.mark.parametrize(("arguments", "parts"), [
    (["--game", "khun"], ["'khun'"]),
    (["--game", "kuhn", "--seats", "4"], ["seats: 4"]),
    (["--game", "kuhn", "--seat", "2"], ["no seat 2"]),
    (["--game", "kuhn", "--bots", "genius"], ["genius"]),
    (["--game", "kuhn", "-o", "x=1"], ["options.x"]),
    (["--hint-ms", "0"], ["--hint-ms"]),
    (["--game", "kuhn", "--seed", str(2**64)], [f"seeds up to {2**64 - 1}"]),
    (["--game", "kuhn", "--pace", "inf"], ["--pace"]),
    (["--game", "kuhn", "--pace", "nan"], ["--pace"]),
])
def test_bad_command_lines(seatmate: CommandLine, arguments: list[str], parts: list[str]) -> None:
    shown = seatmate("demo", *arguments)
    shown.refused(2, *parts)
    assert shown.stdout == ""


def test_it_leaves_nothing_behind(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder, temporary = tmp_path_factory.mktemp("cwd"), tmp_path_factory.mktemp("tmp")
    done = process(KUHN, cwd=folder, TMPDIR=str(temporary))
    assert done.code == 0 and done.stderr == ""
    assert list(folder.iterdir()) == [] and list(temporary.iterdir()) == []


@pytest.mark.parametrize("end", ["enter", "end of input", "ctrl-c"])
def test_at_a_terminal_the_server_stays_open_for_a_browser(tmp_path: Path, end: str) -> None:
    ours, theirs = pty.openpty()
    shown = subprocess.Popen(command(*KUHN), cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE,
                             start_new_session=True, env=environment(TERM="xterm-256color", COLUMNS="100"))
    os.close(theirs)
    try:
        link = re.search(r"http://127[.]0[.]0[.]1:\d+", read_until(ours, "is kept"))
        assert link is not None
        request = urllib.request.Request(f"{link[0]}/seatmate.v1.TableService/ListTables", b"{}",
                                         {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert json.load(answer)["tables"][0]["state"] == "STATE_FINISHED"
        if end == "ctrl-c":
            shown.send_signal(signal.SIGINT)
        else:
            os.write(ours, b"\n" if end == "enter" else b"\x04")
        assert shown.wait(60) == 0
        assert shown.stderr is not None and shown.stderr.read() == b""
    finally:
        shown.kill()
        shown.wait()
        os.close(ours)
