"""The command as a real process: exit codes, pipes, colours, Ctrl-C."""
from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from seatmate.server.cli.arguments import TRACEBACK
from seatmate.server.cli.main import run

from .conftest import CommandLine, command, environment, process

ESCAPE = "\x1b"


def test_exit_codes(tmp_path: Path) -> None:
    assert process(["games"], cwd=tmp_path).code == 0
    process(["hint", "missing.json"], cwd=tmp_path).refused(1, "missing.json", "no such file")
    process(["games", "chess3000"], cwd=tmp_path).refused(2, "'chess3000'")
    process(["nosuch"], cwd=tmp_path).refused(2, "No such command 'nosuch'", "seatmate --help")
    process(["bench", "kuhn", "--repeats", "many"], cwd=tmp_path).refused(2, "--repeats")
    process(["bench", "kuhn", "--nosuch"], cwd=tmp_path).refused(2, "--nosuch")


def test_a_pipe_gets_no_escape_codes_and_a_terminal_gets_colours(tmp_path: Path) -> None:
    assert ESCAPE not in process(["games"], cwd=tmp_path).stdout
    assert ESCAPE in on_terminal("games")
    assert ESCAPE not in on_terminal("games", "--no-color")
    assert "[36m" not in on_terminal("games", NO_COLOR="1")


def on_terminal(*arguments: str, **extra: str) -> str:
    """What the command prints when its stdout is a terminal."""
    ours, theirs = pty.openpty()
    try:
        done = subprocess.Popen(command(*arguments), stdout=theirs, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                env=environment(TERM="xterm-256color", **extra))
        os.close(theirs)
        text = b""
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:
                break
            if not chunk:
                break
            text += chunk
        assert done.wait(60) == 0
        return text.decode()
    finally:
        os.close(ours)


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    script = f"{command('games')[0]} games --json | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, env=environment(),
                          check=True)
    assert done.stderr == ""
    assert done.stdout.strip() in ("0", "1")


ASKED = """
from pathlib import Path
from seatmate.ai.bots import bot

@bot("quick")
def quick(question):
    Path("begun").touch()
    return question.actions[0]
"""
"""A bot that says that the games have begun; the next one thinks for long."""

SLOW = ("tournament", "kuhn", "--bot-file", "quick.py", "--bots", "quick,search:time_ms=90000", "--deals", "100")

BEGUN = """
import contextlib, pathlib, signal
from seatmate.server.app import main
from seatmate.server.cli import console

within = console.interruptible

@contextlib.contextmanager
def told(kept):
    with within(kept):
        if {tells}:
            pathlib.Path("begun").touch()
        yield

console.interruptible = told
signal.signal(signal.SIGINT, signal.default_int_handler)     # which is ignored in background jobs
main()
"""
"""The command, which says when its work begins, if nothing later does."""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize(("arguments", "begun", "kept"), [
    (("hint", "game.json", "--time-ms", "60000"), "begun", "no hint yet"),
    (("tournament", "kuhn", "--bots", "search:iterations=2000,search:iterations=1000", "--deals", "100000",
      "--results", "deals.jsonl"), "deals.jsonl",
     "every finished deal is kept in deals.jsonl; the same command goes on from there"),
    ((*SLOW, "--workers", "1"), "", "nothing is kept without --results"),
    ((*SLOW, "--workers", "2", "--seed", "7"), "", "--seed 7"),
    (("demo", "--game", "kuhn", "--pace", "60"), "begun", "nothing is kept"),
    (("play", "kuhn", "--seat", "1", "--bots", "search:time_ms=60000", "--seed", "9"), "begun",
     "without --record FILE nothing is kept"),
])
def test_ctrl_c_and_sigterm_end_at_once_and_say_what_is_kept(
        seatmate: CommandLine, tmp_path: Path, arguments: tuple[str, ...], begun: str, kept: str, number: int, code: int) -> None:
    assert seatmate("play", "kuhn", "--record", "game.json").code == 0
    Path("quick.py").write_text(ASKED)
    running = subprocess.Popen([sys.executable, "-P", "-c", BEGUN.format(tells=begun == "begun"), *arguments], cwd=tmp_path,
                               env=environment(), text=True, start_new_session=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        wait_for(tmp_path / (begun or "begun"), running)
        os.killpg(running.pid, number)      # as a terminal and `timeout` do: to the workers too
        _, stderr = running.communicate(timeout=40)     # long before any of them would be over
        assert running.returncode == code
        assert len(stderr.splitlines()) == 1 and stderr.startswith("Interrupted; ") and kept in stderr
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()


def wait_for(file: Path, running: subprocess.Popen[str]) -> None:
    """Until the process has made the file. Fails when it ends, or after a minute."""
    end = time.monotonic() + 60
    while not file.exists():
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)


HANGING = """
import json, os, sys, time
sys.stdin.readline()
print(json.dumps({"type": "hello", "protocol": 1}), flush=True)
sys.stdin.readline()
if os.fork():
    with open("new", "w") as file:
        file.write(f"{os.getpid()}")
    os.rename("new", "pid")
time.sleep(600)
"""
"""A program that no longer reads, with a child of its own."""


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_programs_end_with_the_command_however_it_ends(tmp_path: Path, number: int, workers: str) -> None:
    (tmp_path / "hanging.py").write_text(HANGING)
    (tmp_path / "hanging.toml").write_text(f'[hanging]\ncommand = ["{sys.executable}", "-S", "hanging.py"]\ntime_ms = 300000')
    running = subprocess.Popen(command("tournament", "kuhn", "--bot-file", "hanging.toml", "--bots", "hanging,random", "--deals",
                                       "1000", "--workers", workers), cwd=tmp_path, env=environment(), text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(tmp_path / "pid", running)
        running.send_signal(number)
        running.wait(40)
        group, end = int((tmp_path / "pid").read_text()), time.monotonic() + 20
        while members(group):
            assert time.monotonic() < end, "the program lives on"
            time.sleep(0.01)
    finally:
        running.kill()
        running.wait()
        with suppress(FileNotFoundError, ProcessLookupError):
            os.killpg(int((tmp_path / "pid").read_text()), signal.SIGKILL)


def members(group: int) -> list[int]:
    """The processes of a group that live."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, of_group = stat.read_text().rpartition(")")[2].split()[:3]
            if int(of_group) == group and state != "Z":
                found.append(int(stat.parent.name))
    return found


def test_an_unexpected_error_is_one_sentence_too(
        seatmate: CommandLine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("seatmate.engine.core.registry.list_games", broken)
    seatmate("games").refused(1, "internal error: ZeroDivisionError: division by zero", TRACEBACK)
    monkeypatch.setenv(TRACEBACK, "1")
    with pytest.raises(ZeroDivisionError):
        run(["games"])


def test_playing_on_a_real_terminal(tmp_path: Path) -> None:
    """Typed answers, colours, blank lines between paragraphs, and the end of input (Ctrl-D) leaves quietly."""
    ours, theirs = pty.openpty()
    game = subprocess.Popen(command("play", "hyde", "--seats", "2", "--seed", "1", "--seat", "1"), cwd=tmp_path,
                            stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, start_new_session=True,
                            env=environment(TERM="xterm-256color", COLUMNS="100"))
    os.close(theirs)
    try:
        shown = read_until(ours, "Your answer (1-5")
        assert ESCAPE in shown and "\r\n\r\n" in shown and "Which outcast do you play?" in shown
        os.write(ours, b"u\n")
        assert "no undo" in read_until(ours, "Your answer (1-5")
        os.write(ours, b"1\n")
        assert "Where do you go?" in read_until(ours, "Your answer")
        os.write(ours, b"\x04")
        assert game.wait(60) == 0
        assert game.stderr is not None and game.stderr.read() == b""
    finally:
        game.kill()
        game.wait()
        os.close(ours)


def test_ctrl_c_at_a_question_is_answered_on_lines_of_its_own(tmp_path: Path) -> None:
    """... which 80 columns hold, behind the ^C that the terminal writes."""
    ours, theirs = pty.openpty()
    game = subprocess.Popen(command("play", "kuhn", "--seed", "1", "--record", "a-game-with-a-long-name.json"), cwd=tmp_path,
                            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
                            env=environment(TERM="xterm-256color", COLUMNS="80"))
    os.close(theirs)
    try:
        read_until(ours, "for help): ")
        # Python looks at signals between its own steps: one that comes after the last step before it waits for the answer
        # is noticed with the next one, as by a person who presses Ctrl-C again. What is left of the question is no answer to it.
        shown = ""
        for _ in range(20):
            game.send_signal(signal.SIGINT)
            while "--seed 1" not in shown and select.select([ours], [], [], 3)[0]:
                shown += os.read(ours, 65536).decode()
            if "--seed 1" in shown:
                break
        assert game.wait(60) == 130
        assert "\nInterrupted; the game so far is kept in" in shown.replace("\r", "")
        assert max(map(len, shown.splitlines())) <= 80, shown
    finally:
        game.kill()
        game.wait()
        os.close(ours)


def read_until(terminal: int, text: str) -> str:
    """What appears on the terminal, up to and with the text."""
    shown = ""
    while text not in shown:
        ready, _, _ = select.select([terminal], [], [], 60)
        assert ready, shown
        shown += os.read(terminal, 65536).decode()
    return shown
