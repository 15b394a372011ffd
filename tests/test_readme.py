"""Every command and every example of the README works, and every command of the guides in docs/.

In its fenced blocks: `python` blocks are run; in `sh` and `console` blocks, `make` lines must name a command of the Makefile, and
`seatmate` lines are run, except those that wait for a person or serve until stopped: of these the options are checked.
"""
from __future__ import annotations

import contextlib
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from seatmate.engine.core.registry import list_games
from seatmate.server.config import DEFAULT_ADDRESS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PAGES = "\n".join([README, *(page.read_text() for page in sorted((ROOT / "docs").glob("*.md")))])
SEATMATE = Path(sys.prefix) / "bin" / "seatmate"
WAITS = {"serve", "play"}


def blocks(page: str, *languages: str) -> list[str]:
    """The fenced blocks in these languages."""
    return [text for language, text in re.findall(r"^```(\w+)[^\n]*\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
            if language in languages]


def commands(program: str) -> list[str]:
    """The command lines of a program; `$ ` prompts, comments and continuation lines understood."""
    lines = "\n".join(blocks(PAGES, "sh", "bash", "console")).replace("\\\n", " ").splitlines()
    stripped = [re.sub(r"\s+#.*$", "", re.sub(r"^\$ ", "", line.strip())) for line in lines]
    found = [re.sub(r"^(\.venv/bin/)", "", line) for line in stripped]
    return list(dict.fromkeys(line for line in found if line.split()[:1] == [program]))


@pytest.mark.parametrize("line", commands("make"))
def test_make_commands_exist(line: str) -> None:
    for target in line.split()[1:]:
        if "=" not in target:
            assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE), line


@pytest.mark.parametrize("line", commands("seatmate"))
def test_seatmate_commands_work(line: str, tmp_path: Path) -> None:
    words = shlex.split(re.split(r"\s[|>&]", line)[0])[1:]
    if words and words[0] in WAITS and "--help" not in words:
        help_text = subprocess.run([SEATMATE, words[0], "--help"], capture_output=True, text=True, check=True).stdout
        for word in words[1:]:
            assert not word.startswith("--") or word.split("=")[0] in help_text, f"{line}: no option {word}"
        return
    for file in (ROOT / "docs" / "examples").glob("*.*"):
        shutil.copy(file, tmp_path)
    done = subprocess.run([SEATMATE, *words], cwd=tmp_path, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    assert done.stdout.strip() or done.stderr.strip(), f"{line} says nothing"


@pytest.mark.parametrize("example", blocks(README, "python"))
def test_python_examples_run(example: str, tmp_path: Path) -> None:
    if "seatmate.ai.adapters" in example:
        pytest.importorskip("pyspiel", reason="the extra 'adapters' is not installed")
    with contextlib.ExitStack() as stack:
        if DEFAULT_ADDRESS in example:
            example = example.replace(DEFAULT_ADDRESS, stack.enter_context(serving(tmp_path)))
        done = subprocess.run([sys.executable, "-P", "-c", example], cwd=tmp_path, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, f"{example}\n{done.stderr[-2000:]}"


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """A server that runs on its own; yields its address."""
    command = [sys.executable, "-P", "-m", "seatmate.server.service", "--database", str(folder / "tables.sqlite3")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def test_a_client_needs_eight_lines() -> None:
    """The first example, which is what a newcomer copies."""
    assert len([line for line in blocks(README, "python")[0].splitlines() if line]) <= 8


def test_the_table_of_games_is_complete_and_right() -> None:
    """Every game has its row, with its seat counts, modes and options."""
    rows = dict(re.findall(r"^\| `(\w+)` (\| \d.*)$", README.partition("## Games")[2].partition("\n## ")[0], re.MULTILINE))
    assert set(rows) == {spec.id for spec in list_games()}
    for spec in list_games():
        seats = sorted({count for mode in spec.modes for count in mode.seats})
        _, said, _, options, _ = re.split(r"\s*\|\s*", rows[spec.id])
        assert said == (f"{seats[0]}-{seats[-1]}" if len(seats) > 1 else str(seats[0])), spec.id
        modes = [mode.key for mode in spec.modes] if len(spec.modes) > 1 else []
        assert re.findall(r"`(\w+)`", options) == modes + [option.key for option in spec.options], spec.id
