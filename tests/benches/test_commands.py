"""The tools as people call them: every command line that the README or --help shows is one the tool understands."""
from __future__ import annotations

import importlib
import json
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("pyspiel", reason="open_spiel is not installed: most of the tools compare with it")

import machine

ROOT = Path(__file__).parents[2]
TOOLS = ("arena_scale", "calibration", "connect_four_first", "determinism", "early_ends", "exploitability", "fit",
         "goofspiel_bound", "head_to_head", "load", "hint_quality", "luck", "peers", "responsiveness", "simulated_truth",
         "token_hints")


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
    ("early_ends", ["chess"]), ("early_ends", ["titans", "--bots", "nobody"]), ("early_ends", ["titans", "--deals", "1"]),
    ("peers", ["--core", "4096"]), ("peers", ["--core", "-1"]), ("peers", ["--only", "ismcts-*", "--only", "chess"]),
    ("peers", ["--json", "no-such-folder/out.json"]), ("peers", ["--json", "."]),
    ("exploitability", ["kuhn", "--seeds", "0"]), ("exploitability", ["kuhn", "--first-seed", "-1"]),
    ("exploitability", ["kuhn", "--iterations", "0"]), ("exploitability", ["kuhn", "--iterations", "1e3"]),
    ("exploitability", ["kuhn", "--params", "explorations=1"]), ("exploitability", ["kuhn", "--params", "exploration=-1"]),
    ("exploitability", ["kuhn", "--params", "iterations=5"]), ("exploitability", ["kuhn", "--params", "plain,nodes=5"]),
    ("exploitability", ["chess"]), ("exploitability", ["kuhn", "--processes", "0"]),
    ("head_to_head", ["leduc", "--deals", "1"]), ("head_to_head", ["leduc", "--params", "nonsense"]),
    ("head_to_head", ["leduc", "--params", "time_ms=5"]), ("head_to_head", ["leduc", "--seed", "-1"]),
    ("head_to_head", ["leduc", "--time-ms", "inf"]), ("head_to_head", ["leduc", "--time-ms", "nan"]),
    ("head_to_head", ["leduc", "--exploration", "nan"]), ("head_to_head", ["leduc", "--simulations", "1"]),
    ("responsiveness", ["--budget-ms", "0"]), ("responsiveness", ["--budget-ms", "inf"]), ("responsiveness", ["--searches", "-1"]),
    ("determinism", ["--repeats", "0"]), ("determinism", ["--games", "chess"]), ("determinism", ["--processes", "100000"]),
    ("determinism", ["--iterations", str(10**30)]),
    ("connect_four_first", ["--bot", "chess"]), ("connect_four_first", ["--opponents", "random,"]),
    ("connect_four_first", ["--games", "0"]), ("connect_four_first", ["--seed", "-1"]),
    ("calibration", ["chess"]), ("calibration", ["kuhn", "--seats", "5"]), ("calibration", ["hyde", "-o", "level"]),
    ("calibration", ["hyde", "-o", "level=chess"]), ("calibration", ["kuhn", "--iterations", "1"]),
    ("calibration", ["kuhn", "--positions", "0"]), ("calibration", ["kuhn", "--results", "no-such-folder/said.jsonl"]),
    ("fit", ["chess"]), ("fit", ["kuhn"]), ("fit", ["titans", "--games", "1"]), ("fit", ["titans", "-o", "level"]),
    ("luck", ["hyde"]), ("luck", ["kuhn", "--seats", "5"]), ("luck", ["kuhn", "-o", "level"]),
    ("load", ["--tables", "0"]), ("load", ["--watch", "2"]), ("load", ["--games", "chess"]), ("load", ["--soak", "--writes"]),
    ("load", ["--writes", "--server", "127.0.0.1:1"]), ("load", ["--hint-ms", "0", "5"]),
    ("goofspiel_bound", ["--cards", "3"]), ("goofspiel_bound", ["--bot", "search:depths=1"]),
    ("goofspiel_bound", ["--games", "1"]), ("goofspiel_bound", ["--seed", "-1"])])
def test_nonsense_is_refused_in_one_sentence(tool: str, wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        importlib.import_module(tool).main(wrong)
    said = capsys.readouterr().err
    assert ended.value.code == 2 and len(re.findall(r"^\S+: error: .+$", said, re.MULTILINE)) == 1


def test_nonsense_ends_the_program_with_code_2() -> None:
    done = subprocess.run([sys.executable, ROOT / "benches" / "exploitability.py", "kuhn", "--params", "chess=1"],
                          capture_output=True, text=True)
    assert done.returncode == 2 and "Traceback" not in done.stderr and "no parameter 'chess'" in done.stderr


def test_what_was_measured_is_not_lost_with_the_disk(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="/dev/full can't be written"):
        machine.write_json("/dev/full", {"measured": 1})
    assert json.loads(capsys.readouterr().out) == {"measured": 1}
