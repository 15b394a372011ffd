"""`seatmate tune`."""
from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from seatmate.ai.arena import tuning
from seatmate.ai.arena.tournament import play_spec

from .conftest import CommandLine

SMALL = ("tune", "tic_tac_toe", "--deals", "2", "--iterations", "10", "--seed", "1", "--workers", "1")


def test_the_table_ends_with_a_line_to_paste(seatmate: CommandLine) -> None:
    shown = seatmate(*SMALL)
    assert shown.code == 0 and shown.stderr == ""
    lines = shown.stdout.strip().splitlines()
    assert lines[-1].strip().startswith("search={")
    for words in ("the game's own", "Against the heuristic", "exploration=2.0", "Measured once more", "seed 1"):
        assert words in shown.stdout


def test_json_is_the_result(seatmate: CommandLine) -> None:
    result = seatmate(*SMALL, "--json").json()
    assert result["game"] == "tic_tac_toe" and result["deals"] == 2 and len(result["settings"]) >= 12
    assert {"name", "knobs", "deals", "heuristic", "default", "score"} <= set(result["settings"][0])
    assert result["hints"].startswith("search={")


def test_no_setting_beats_the_heuristic(seatmate: CommandLine) -> None:
    shown = seatmate("tune", "kuhn", "--deals", "2", "--iterations", "5", "--seed", "1", "--workers", "1")
    assert "No setting beats the heuristic for certain with 5 iterations." in shown.stdout


def test_an_interruption_says_how_to_go_on(seatmate: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = seatmate(*SMALL, "--json").json()
    rounds = []

    def interrupted(spec: Any, deals: int, **rest: Any) -> Any:
        rounds.append(deals)
        if len(rounds) == 3:
            raise KeyboardInterrupt
        return play_spec(spec, deals, **rest)

    monkeypatch.setattr(tuning, "play_spec", interrupted)
    shown = seatmate(*SMALL, "--results", str(tmp_path / "night.jsonl"))
    assert shown.code == 130 and shown.stdout == "" and "night.jsonl" in shown.stderr
    again = shlex.split(shown.stderr.strip().rpartition("Go on with: ")[2])
    assert again[0] == "seatmate"
    assert seatmate(*again[1:], "--workers", "1", "--json").json() == whole
    without_seed = [word for place, word in enumerate(again[1:]) if "--seed" not in again[place:place + 2]]
    assert "--seed" not in without_seed and seatmate(*without_seed, "--workers", "1", "--json").json() == whole
    rounds.clear()
    assert "nothing is kept without --results" in seatmate(*SMALL).stderr


def test_a_time_becomes_deals(seatmate: CommandLine, tmp_path: Path) -> None:
    line = ("tune", "tic_tac_toe", "--iterations", "5", "--seed", "1", "--workers", "1", "--json")
    shown = seatmate(*line, "--time", "0.02")
    deals = shown.json()["deals"]
    assert deals >= 2 and f"--deals {deals} --seed 1" in shown.stderr
    seatmate(*line, "--time", "1", "--deals", "5").refused(2, "--time", "--deals")
    (tmp_path / "night.jsonl").write_text("")
    seatmate(*line, "--time", "1", "--results", str(tmp_path / "night.jsonl")).refused(2, "--deals it was begun with")
