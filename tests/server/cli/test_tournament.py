"""`seatmate tournament`."""
from __future__ import annotations

import pytest

from .conftest import CommandLine

SMALL = ("tournament", "kuhn", "--seats", "2", "--deals", "60", "--seed", "1")


def test_json_has_standings_and_paired_differences(seatmate: CommandLine) -> None:
    shown = seatmate(*SMALL, "--bots", "random,heuristic,search:iterations=20", "--json")
    assert shown.code == 0 and shown.stderr == ""
    result = shown.json()
    assert {row["bot"] for row in result["standings"]} == {"random", "heuristic", "search:iterations=20"}
    for row in result["standings"]:
        assert {"bot", "mean_utility", "ci95", "win_rate", "games"} <= set(row)
        assert 0 <= row["mean_utility"] <= 1 and row["ci95"] > 0 and row["games"] >= 60
    assert len(result["pairs"]) == 3
    means = {row["bot"]: row["mean_utility"] for row in result["standings"]}
    for pair in result["pairs"]:
        assert {"a", "b", "mean", "ci95", "deals"} <= set(pair)
        assert (pair["mean"] > 0) == (means[pair["a"]] > means[pair["b"]]) or abs(pair["mean"]) < pair["ci95"]


def test_the_table_for_a_person(seatmate: CommandLine) -> None:
    shown = seatmate(*SMALL, "--bots", "random,heuristic")
    assert shown.code == 0 and shown.stderr == ""
    for word in ("Mean utility", "random", "heuristic", "95 % interval", "seed 1"):
        assert word in shown.stdout


def test_the_same_seed_gives_the_same_result(seatmate: CommandLine) -> None:
    line = (*SMALL, "--bots", "random,search:iterations=10", "--json")
    first = seatmate(*line).json()
    assert seatmate(*line).json() == first
    assert seatmate(*line, "--workers", "1").json()["standings"] == first["standings"]
    assert seatmate(*line, "--seed", "2").json()["standings"] != first["standings"]


@pytest.mark.parametrize(("arguments", "parts"), [
    (["khun", "--bots", "random,heuristic"], ["'khun'"]),
    (["kuhn", "--bots", "random"], ["at least two bots"]),
    (["kuhn", "--bots", "random,random"], ["named twice"]),
    (["kuhn", "--bots", "random,genius"], ["genius"]),
    (["kuhn", "--bots", "random,search:pizza=1"], ["pizza"]),
    (["kuhn", "--bots", "random,,heuristic"], ["no bot is called ''"]),
    (["kuhn"], ["--bots"]),
    (["kuhn", "--bots", "random,heuristic", "--seats", "5"], ["seats: 5 is not possible"]),
    (["kuhn", "--bots", "random,heuristic", "--mode", "x"], ["mode: 'x'"]),
    (["kuhn", "--bots", "random,heuristic", "-o", "x=1"], ["options.x"]),
    (["kuhn", "--bots", "random,heuristic", "--deals", "0"], ["--deals"]),
    (["kuhn", "--bots", "random,heuristic", "--workers", "0"], ["--workers"]),
])
def test_bad_command_lines(seatmate: CommandLine, arguments: list[str], parts: list[str]) -> None:
    shown = seatmate("tournament", *arguments)
    shown.refused(2, *parts)
    assert shown.stdout == ""
