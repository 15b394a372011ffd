"""The tools as people call them: every command line that the README or --help shows is one the tool understands."""
from __future__ import annotations

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("pyspiel", reason="open_spiel is not installed: most of the tools compare with it")

ROOT = Path(__file__).parents[2]
TOOLS = ("determinism", "exploitability", "head_to_head", "peers", "responsiveness")


@cache
def help_of(tool: str) -> str:
    return subprocess.run([sys.executable, ROOT / "benches" / f"{tool}.py", "--help"], capture_output=True, text=True,
                          check=True).stdout


def lines() -> list[str]:
    """`python benches/TOOL.py ...` in the README and in the examples of each tool."""
    texts = [(ROOT / "README.md").read_text(), *[help_of(tool) for tool in TOOLS]]
    return [line for text in texts for line in re.findall(r"^\s*(python benches/\w+\.py.*?)(?:\s+#.*)?$", text, re.MULTILINE)]


@pytest.mark.parametrize("tool", TOOLS)
def test_help_explains_and_gives_examples(tool: str) -> None:
    assert f"python benches/{tool}.py" in help_of(tool) and "--json FILE" in help_of(tool)


def test_every_line_that_is_shown_is_understood() -> None:
    found = lines()
    assert {re.search(r"benches/(\w+)", line)[1] for line in found} == set(TOOLS)  # type: ignore[index]
    for line in found:
        _, script, *words = shlex.split(line)
        tool = Path(script).stem
        for word in words:
            assert not word.startswith("--") or word in help_of(tool), f"{line}: no option {word}"


@pytest.mark.parametrize(("tool", "wrong"), [
    ("peers", ["--core", "4096"]), ("exploitability", ["kuhn", "--seeds", "0"]), ("head_to_head", ["leduc", "--deals", "1"]),
    ("responsiveness", ["--budget-ms", "0"]), ("determinism", ["--repeats", "0"]), ("determinism", ["--games", "chess"])])
def test_nonsense_is_refused_in_one_sentence(tool: str, wrong: list[str]) -> None:
    done = subprocess.run([sys.executable, ROOT / "benches" / f"{tool}.py", *wrong], capture_output=True, text=True)
    assert done.returncode == 2 and "Traceback" not in done.stderr and "error:" in done.stderr
