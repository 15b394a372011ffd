"""`seatmate tournament`."""
from __future__ import annotations

import os
import pty
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from seatmate.ai.arena import FORMATS, PERMUTATIONS, Progress
from seatmate.server.cli.tournament import _Format, _Permutations
from seatmate.server.cli.tournament_bar import state_text

from .conftest import CommandLine, Outcome, command, environment, prepared

SMALL = ("tournament", "kuhn", "--seats", "2", "--deals", "60", "--seed", "1")


def test_json_has_standings_and_paired_differences(seatmate: CommandLine) -> None:
    shown = seatmate(*SMALL, "--bots", "random,heuristic,search:iterations=20", "--json")
    assert shown.code == 0 and shown.stderr == ""
    result = shown.json()
    assert {row["bot"] for row in result["standings"]} == {"random", "heuristic", "search:iterations=20"}
    for row in result["standings"]:
        assert {"bot", "mean_utility", "ci95", "win_rate", "games"} <= set(row)
        assert 0 <= row["mean_utility"] <= 1 and row["ci95"] > 0 and row["games"] >= 60
    assert len(result["pairs"]) == 3 and result["sprt"] is None and result["ratings"] is None
    assert result["reproducible"] and result["permutations"] == "auto" and result["lineups"] == 6
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


def test_permutations(seatmate: CommandLine) -> None:
    line = ("tournament", "goofspiel", "--seats", "3", "--bots", "random,heuristic", "--deals", "2", "--seed", "1", "--json")
    assert seatmate(*line).json()["lineups"] == 6
    assert seatmate(*line, "--permutations", "rotations").json()["lineups"] == 6
    assert seatmate(*line, "--permutations", "balanced").json()["permutations"] == "balanced"


def test_the_permutations_are_those_of_the_arena() -> None:
    assert tuple(kind.value for kind in _Permutations) == PERMUTATIONS


def test_ratings(seatmate: CommandLine) -> None:
    line = (*SMALL, "--bots", "random,heuristic,search:iterations=20", "--anchor", "heuristic")
    ratings = seatmate(*line, "--json").json()["ratings"]
    assert ratings["model"] == "Bradley-Terry" and ratings["anchor"] == "heuristic" and len(ratings["ratings"]) == 3
    assert {"bot": "heuristic", "elo": 0.0, "low": 0.0, "high": 0.0} in ratings["ratings"]
    shown = seatmate(*line)
    assert shown.code == 0 and shown.stderr == ""
    for part in ("Ratings (Bradley-Terry, Elo scale, heuristic = 0)", "anchor", "95 % interval"):
        assert part in shown.stdout


def test_an_open_interval_is_called_open(seatmate: CommandLine) -> None:
    shown = seatmate("tournament", "hyde", "--seats", "2", "--bots", "random,heuristic", "--deals", "20", "--seed", "1",
                     "--ratings")
    assert ".. open" in shown.stdout


def test_a_sequential_test(seatmate: CommandLine) -> None:
    line = ("tournament", "tic_tac_toe", "--bots", "heuristic,random", "--deals", "1000", "--seed", "1", "--sprt", "0,100")
    result = seatmate(*line, "--json").json()
    assert result["sprt"]["verdict"] == "H1" and result["deals"] < 200 and sum(result["sprt"]["pentanomial"]) == result["deals"]
    shown = seatmate(*line)
    for part in ("Sequential test, heuristic against random: H1 accepted", "(+100.0 Elo)", "1½", "biased by the early stop"):
        assert part in shown.stdout
    long = seatmate("tournament", "kuhn", "--bots", "heuristic,random", "--seed", "1", "--sprt", "0,15", "--json").json()
    assert long["deals"] > 100 and long["sprt"]["verdict"] is not None      # without --deals it may take as many as it needs
    undecided = seatmate("tournament", "hyde", "--seats", "2", "--bots", "heuristic,search:iterations=2", "--deals", "3",
                         "--seed", "1", "--sprt-difference", "0,0.001", "--alpha", "0.001", "--beta", "0.001")
    assert "undecided; more deals are needed" in undecided.stdout


def test_a_results_file_is_resumed_with_its_own_seed(seatmate: CommandLine, tmp_path: Path) -> None:
    line = ("tournament", "kuhn", "--bots", "random,heuristic", "--results", "night.jsonl", "--json")
    first = seatmate(*line, "--deals", "5").json()
    content = (tmp_path / "night.jsonl").read_bytes()
    second = seatmate(*line, "--deals", "9").json()
    assert second["seed"] == first["seed"] and second["deals"] == 9
    assert (tmp_path / "night.jsonl").read_bytes().startswith(content)
    whole = seatmate("tournament", "kuhn", "--bots", "random,heuristic", "--deals", "9", "--seed", str(first["seed"]), "--json")
    assert whole.json() == second


def test_results_files_that_do_not_fit(seatmate: CommandLine, tmp_path: Path) -> None:
    line = ("tournament", "kuhn", "--bots", "random,heuristic", "--deals", "5", "--results")
    assert seatmate(*line, "night.jsonl", "--seed", "1").code == 0
    seatmate(*line, "night.jsonl", "--seed", "2").refused(
        1, "night.jsonl belongs to another tournament: seed is 1 there and 2 here")
    seatmate("tournament", "leduc", "--bots", "random,heuristic", "--results", "night.jsonl").refused(1, "game is")
    (tmp_path / "notes.txt").write_text("buy milk\n")
    seatmate(*line, "notes.txt").refused(1, "notes.txt is no results file")
    assert (tmp_path / "notes.txt").read_text() == "buy milk\n"
    seatmate(*line, "nowhere/night.jsonl").refused(1, "nowhere/night.jsonl: no such file")
    seatmate(*line, ".").refused(2, "--results")


@pytest.mark.timeout(60)
def test_a_results_file_without_an_end_is_refused_at_once(seatmate: CommandLine, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("/dev/full", "/dev/null", "pipe"):
        seatmate("tournament", "kuhn", "--bots", "random,heuristic", "--deals", "5", "--results", name).refused(
            1, f"{name} is no regular file")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_full_disk_loses_nothing_that_was_stored(seatmate: CommandLine, tmp_path: Path, workers: str) -> None:
    line = ("tournament", "kuhn", "--bots", "random,search:iterations=30000", "--deals", "60", "--seed", "1",
            "--workers", workers, "--results")
    room = 2500     # bytes: the first line and some of the deals
    full = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))"
    done = subprocess.run(prepared(full, *line, "full.jsonl"), cwd=tmp_path, env=environment(), capture_output=True, text=True)
    Outcome(done.returncode, done.stdout, done.stderr).refused(
        1, "full.jsonl can't be written: file too large; the deals stored before are kept")
    stored = (tmp_path / "full.jsonl").read_bytes()
    assert b'"deal": 0' in stored and len(stored) <= room
    resumed = seatmate(*line, "full.jsonl", "--json")
    assert resumed.json() == seatmate(*line, "whole.jsonl", "--json").json()
    whole = (tmp_path / "whole.jsonl").read_bytes()
    assert whole.startswith(stored) and (tmp_path / "full.jsonl").read_bytes() == whole and len(whole) > room


def test_a_bot_that_watches_the_clock_is_pointed_out(seatmate: CommandLine) -> None:
    shown = seatmate("tournament", "kuhn", "--bots", "random,search:time_ms=1", "--deals", "2", "--seed", "1")
    assert "time limit" in shown.stdout
    assert "time limit" not in seatmate(*SMALL, "--bots", "random,heuristic").stdout


def test_the_bar_says_what_the_result_looks_like_so_far() -> None:
    now = Progress(games=10, games_total=20, games_resumed=0, a="heuristic", b="random", mean=0.4123, ci95=0.0314, llr=1.2,
                   llr_bounds=(-2.944, 2.944))
    assert state_text(now) == "heuristic - random +0.412 ± 0.031, LLR 1.20 (-2.94, 2.94)"
    assert state_text(replace(now, b=None, ci95=None, llr=None)) == "heuristic 0.412"


def test_the_bar_on_a_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    line = command("tournament", "kuhn", "--bots", "search:iterations=100000,random", "--deals", "150", "--seed", "1", "--workers",
                   "1", "--sprt", "0,1")
    running = subprocess.Popen(line, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs,
                               env=environment(TERM="xterm-256color", COLUMNS="80"))
    os.close(theirs)
    shown = b""
    try:
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:
                break
            if not chunk:
                break
            shown += chunk
        assert running.wait(60) == 0
    finally:
        running.kill()
        running.communicate()
        os.close(ours)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert re.search(r"Kuhn poker .* \d+/300 games [\d,.]+/s \d+:\d+\s+search:iterations=100000 - random [+-]0\.\d+ ± 0\.\d+, "
                     r"LLR -?\d+\.\d+ \(-2\.94, 2\.94\)", text), text[-2000:]


def test_a_bot_against_itself_is_a_null_test(seatmate: CommandLine) -> None:
    """Both have chance of their own, so the difference is about 0 and not exactly 0."""
    result = seatmate("tournament", "kuhn", "--bots", "random,random", "--deals", "200", "--seed", "1", "--ratings",
                      "--json").json()
    assert sorted(row["bot"] for row in result["standings"]) == ["random", "random (2)"]
    (pair,) = result["pairs"]
    assert 0 < abs(pair["mean"]) < 2 * pair["ci95"]
    shown = seatmate("tournament", "kuhn", "--bots", "heuristic,heuristic", "--deals", "20", "--sprt", "0,50", "--seed", "1")
    assert shown.code == 0 and "heuristic (2)" in shown.stdout


@pytest.mark.parametrize(("arguments", "parts"), [
    (["khun", "--bots", "random,heuristic"], ["'khun'"]),
    (["kuhn", "--bots", "random"], ["at least two bots"]),
    (["kuhn", "--bots", "random,genius"], ["genius"]),
    (["kuhn", "--bots", "random,search:pizza=1"], ["pizza"]),
    (["kuhn", "--bots", "random,,heuristic"], ["no bot is called ''"]),
    (["kuhn"], ["--bots"]),
    (["kuhn", "--bots", "random,heuristic", "--seats", "5"], ["seats: 5 is not possible"]),
    (["kuhn", "--bots", "random,heuristic", "--mode", "x"], ["mode: 'x'"]),
    (["kuhn", "--bots", "random,heuristic", "-o", "x=1"], ["options.x"]),
    (["kuhn", "--bots", "random,heuristic", "--deals", "0"], ["--deals"]),
    (["kuhn", "--bots", "random,heuristic", "--workers", "0"], ["--workers"]),
    (["kuhn", "--bots", "random,heuristic", "--permutations", "some"], ["--permutations", "balanced"]),
    (["kuhn", "--bots", "random,heuristic", "--anchor", "search"], ["anchor 'search' is none of the bots"]),
    (["kuhn", "--bots", "random,heuristic", "--sprt", "5"], ["--sprt takes two numbers", "'5'"]),
    (["kuhn", "--bots", "random,heuristic", "--sprt", "5,0"], ["elo0", "below elo1"]),
    (["kuhn", "--bots", "random,heuristic", "--sprt", "0,5", "--alpha", "0.7"], ["alpha"]),
    (["kuhn", "--bots", "random,heuristic", "--alpha", "0.01"], ["--alpha belongs to a sequential test", "--sprt"]),
    (["kuhn", "--bots", "random,heuristic", "--beta", "0.05"], ["--beta belongs to a sequential test", "--sprt-difference"]),
    (["mythos", "--decks", "leaf,sand", "--alpha", "0.01"], ["--alpha belongs to a sequential test"]),
    (["kuhn", "--bots", "random,heuristic", "--sprt", "0,5", "--beta", "nan"], ["beta"]),
    (["kuhn", "--bots", "random,heuristic", "--sprt-difference", "0,2"], ["inside -1..1"]),
    (["kuhn", "--bots", "random,heuristic", "--sprt", "0,5", "--sprt-difference", "0,0.1"], ["one of them"]),
    (["kuhn", "--bots", "random,heuristic,search", "--sprt", "0,5"], ["two bots, not 3"]),
    (["hyde", "--seats", "2", "--bots", "random", "--ratings"], ["at least two"]),
    (["hyde", "--seats", "2", "--bots", "random,heuristic", "--sprt", "0,5"], ["--sprt-difference"]),
])
def test_bad_command_lines(seatmate: CommandLine, arguments: list[str], parts: list[str]) -> None:
    shown = seatmate("tournament", *arguments)
    shown.refused(2, *parts)
    assert shown.stdout == ""


def test_formats(seatmate: CommandLine) -> None:
    line = ["tournament", "kuhn", "--bots", "random,heuristic,player:noise=1", "--deals", "2", "--seed", "1", "--json"]
    assert [len(seatmate(*line, *more).json()["pairs"]) for more in (
        [], ["--format", "gauntlet"], ["--format", "ladder"], ["--format", "gauntlet", "--challengers", "2"])] == [3, 2, 2, 2]
    teams = ["tournament", "liars_dice", "--seats", "4", "--bots", "random,heuristic", "--deals", "2", "--json", "--teams"]
    assert seatmate(*teams, "0+2,1+3").json()["lineups"] == 2
    seatmate(*teams, "0+x,1").refused(2, "--teams takes the seats of each team, such as 0+2,1+3")
    seatmate(*teams, "0+2,1").refused(2, "are not the seats 0 to 3")
    seatmate(*line, "--challengers", "2").refused(2, "--challengers belongs to --format gauntlet")
    seatmate("tournament", "kuhn", "--vary", "first=0,1", "--format", "ladder").refused(2, "can't be combined")


def test_the_formats_are_those_of_the_arena() -> None:
    assert tuple(kind.value for kind in _Format) == FORMATS


def test_a_game_is_replayed(seatmate: CommandLine, tmp_path: Path) -> None:
    line = ["tournament", "kuhn", "--bots", "search:time_ms=1,random", "--deals", "2", "--seed", "1", "--results", "a.jsonl"]
    assert seatmate(*line, "--keep-games").code == 0
    shown = seatmate("replay", "a.jsonl", "--deal", "1", "--game", "1", "--record", "g.json")
    assert shown.code == 0 and "seat 0 random, seat 1 search:time_ms=1" in shown.stdout and "wins" in shown.stdout
    told = seatmate("replay", "a.jsonl", "--deal", "1", "--game", "1", "--json").json()
    assert told["record"] == (tmp_path / "g.json").read_text().strip() and sum(told["utilities"]) == 1
    assert seatmate("hint", "g.json", "--at", "0", "--iterations", "50").code == 0
    seatmate("replay", "a.jsonl", "--deal", "7").refused(1, "has no deal 7")
    seatmate("tournament", "kuhn", "--bots", "random,random", "--keep-games").refused(2, "none is named")


def test_decided_games_end(seatmate: CommandLine) -> None:
    line = ["tournament", "connect_four", "--bots", "heuristic,random", "--deals", "4", "--seed", "1"]
    assert seatmate(*line, "--adjudicate", "0.9,2", "--resign", "0.1,2", "--json").json()["games"] == 8
    seatmate(*line, "--adjudicate", "often").refused(2, "--adjudicate takes an estimate and a number of decisions, such as 0.98,6")
    seatmate(*line, "--resign", "0.7,2").refused(2, "a seat resigns at an estimate from 0 to below 0.5")
