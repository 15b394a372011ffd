"""What searches expected against what came: it is what hints show, it changes nothing, it survives kills, and it is reported."""
from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seatmate.ai.arena import (
    Forecasts,
    Times,
    load_results,
    report_forecasts,
    report_text,
    report_times,
    run_tournament,
)
from seatmate.ai.arena.forecasts import BINS, BotForecasts, ForecastBin, counted_by_bin, load_forecasts, save_forecasts
from seatmate.ai.arena.match import play_recorded
from seatmate.ai.arena.plots import COLOURS, pictures
from seatmate.ai.arena.statistics import ratio_and_interval
from seatmate.ai.bots import make_policy, parse_bot
from seatmate.ai.search import Limits, Search
from seatmate.engine.core.registry import new_game

BOTS = ["search:iterations=60", "player:noise=0.05:iterations=40", "heuristic"]
ASKED: dict[str, Any] = {"seats": 2, "bots": BOTS, "deals": 12, "seed": 5}


def noted(*games: tuple[list[tuple[int, float]], list[float]]) -> BotForecasts:
    """Of one game a deal."""
    found = BotForecasts()
    for said, utilities in games:
        counted: dict[int, Any] = {}
        counted_by_bin(said, utilities, counted)
        found.add(counted)
    return found


def test_decisions_are_counted_by_tenths_with_what_came_to_their_seat() -> None:
    found = noted(([(0, 0.72), (1, 0.3), (0, 0.78), (0, 1.0)], [1.0, 0.0]), ([(0, 0.79)], [0.5, 0.5]))
    assert list(found) == [7, 3, BINS - 1] and [low for low, _, _ in found.in_order()] == [0.3, 0.7, 0.9]
    seven = found[7]
    assert (seven.deals, seven.decisions) == (2, 3)
    assert (seven.mean_expected, seven.mean_came) == pytest.approx(((0.72 + 0.78 + 0.79) / 3, 2.5 / 3))
    assert found[3].mean_came == 0 and found[3].ci95 is None
    assert found.decisions == 5
    assert found.error == pytest.approx((abs(0.72 + 0.78 + 0.79 - 2.5) + 0.3 + 0) / 5)


def test_intervals_are_those_of_a_ratio_over_deals() -> None:
    chance = np.random.default_rng(1)
    decisions = chance.integers(1, 9, 60)
    came = chance.uniform(0, 1, 60) * decisions
    found = ForecastBin()
    for one, sum_came in zip(decisions, came, strict=True):
        found.add((int(one), 0.5 * one, float(sum_came)))
    mean, half = ratio_and_interval(came, decisions.astype(np.float64))
    assert found.mean_came == pytest.approx(mean) and found.ci95 == pytest.approx(half)


@pytest.mark.parametrize("bot", ["search:iterations=4000", "player:iterations=4000"])
def test_what_a_bot_says_is_what_a_hint_shows(bot: str) -> None:
    """... with the game's correction, which is large here."""
    game = new_game("hyde", seats=2)
    said: list[tuple[int, float]] = []
    handle = make_policy(game, parse_bot(bot).resolve(game.spec))
    state, _ = play_recorded(game, [handle, make_policy(game, parse_bot("heuristic").resolve(game.spec))], 3, [1, 2], None, said)
    assert said and {seat for seat, _ in said} == {0}
    replayed = game.new_state(3)
    for seat, action in state.actions:
        if seat == 0 and len(replayed.legal_actions(0)) > 1:
            break
        replayed.apply_action(seat, action)
    search = Search(replayed, 0, seed=9)
    candidates = {one.action: one for one in search.run(Limits(iterations=4000)).candidates}
    shown = candidates[action]
    assert said[0][1] == pytest.approx(shown.value, abs=0.03)


def test_keeping_them_changes_nothing_that_is_played(tmp_path: Path) -> None:
    found: list[Forecasts] = [{}, {}]
    paths = [tmp_path / name for name in ("plain.jsonl", "one.jsonl", "two.jsonl")]
    plain = run_tournament("leduc", **ASKED, workers=1, results=paths[0])
    assert plain == run_tournament("leduc", **ASKED, workers=1, results=paths[1], forecasts=found[0])
    assert plain == run_tournament("leduc", **ASKED, workers=2, results=paths[2], forecasts=found[1])
    assert len({path.read_bytes() for path in paths}) == 1
    assert set(found[0]) == set(BOTS[:2]) and found[0] == found[1] == report_forecasts(paths[1])
    assert (tmp_path / "one.jsonl.values").read_bytes() == (tmp_path / "two.jsonl.values").read_bytes()
    assert not (tmp_path / "plain.jsonl.values").exists() and report_forecasts(paths[0]) == {}
    times = report_times(paths[1])
    assert 0 < found[0][BOTS[0]].decisions == times[BOTS[0]].decisions      # each of its decisions
    assert 0 < found[0][BOTS[1]].decisions <= times[BOTS[1]].decisions      # those it did not see through at once


def test_a_seat_gets_what_came_to_it() -> None:
    found: Forecasts = {}
    run_tournament("connect_four", seats=2, bots=["search:iterations=200", "random"], deals=15, seed=1, workers=1, forecasts=found)
    (strong,) = found.values()
    assert sum(one.came for one in strong.values()) / strong.decisions > 0.9
    drawn: Forecasts = {}
    run_tournament("tic_tac_toe", seats=2, bots=["search:iterations=3000", "search:iterations=3001"], deals=3, seed=1, workers=1,
                   forecasts=drawn)
    assert all(bins.error < 0.1 and {one.mean_came for one in bins.values()} == {0.5} for bins in drawn.values())


def test_a_killed_run_keeps_times_and_values_of_all_that_was_played(tmp_path: Path) -> None:
    path, whole = tmp_path / "killed.jsonl", tmp_path / "whole.jsonl"
    script = tmp_path / "run.py"
    script.write_text("import os, signal, sys\nfrom seatmate.ai.arena import run_tournament\n"
                      "def kill(now):\n"
                      "    if now.games - now.games_resumed > 12:\n"
                      "        os.kill(os.getpid(), signal.SIGKILL)\n"
                      "if __name__ == '__main__':\n"
                      f"    run_tournament('leduc', results=sys.argv[1], workers=2, progress=kill, forecasts={{}}, **{ASKED!r})\n")
    for _ in range(2):
        died = subprocess.run([sys.executable, "-P", str(script), str(path)], timeout=120, check=False)
        assert died.returncode == -signal.SIGKILL
    assert 0 < len(load_results(path)[1]) < ASKED["deals"]
    runs: list[tuple[Times, Forecasts]] = [({}, {}), ({}, {})]
    for results, (times, forecasts) in zip((path, whole), runs, strict=True):
        run_tournament("leduc", **ASKED, workers=1, results=results, times=times, forecasts=forecasts)
    (times, forecasts), (expected_times, expected) = runs
    assert forecasts == expected and Path(f"{path}.values").read_bytes() == Path(f"{whole}.values").read_bytes()
    assert {bot: one.decisions for bot, one in times.items()} == {bot: one.decisions for bot, one in expected_times.items()}


def test_values_of_another_tournament_or_broken_ones_are_left_out(tmp_path: Path) -> None:
    path, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    for seed, results in enumerate((path, other)):
        run_tournament("kuhn", seats=2, bots=BOTS[::2], deals=2, seed=seed, workers=1, results=results, forecasts={})
    spec, _ = load_results(path)
    kept = report_forecasts(path)
    beside = tmp_path / "a.jsonl.values"
    text = beside.read_text()
    assert kept
    another = (tmp_path / "b.jsonl.values").read_text()
    for broken in (another, "", "{", "[]", text.replace("[[", "[[1e9, "), text.replace("[[", "[[-")):
        beside.write_text(broken)
        assert load_forecasts(path, spec) == {}
    save_forecasts(path, spec, kept)
    assert beside.read_text() == text


def test_reports_have_the_calibration_in_all_formats() -> None:
    forecasts: Forecasts = {}
    result = run_tournament("leduc", **ASKED, workers=1, forecasts=forecasts)
    bot = BOTS[0]
    data = json.loads(report_text(result, "json", {}, forecasts))["calibration"]
    assert set(data) == set(BOTS[:2]) and data[bot]["decisions"] == sum(one["decisions"] for one in data[bot]["bins"])
    rows = [row for row in csv.DictReader(io.StringIO(report_text(result, "csv", {}, forecasts)))
            if (row["section"], row["name"], row["figure"]) == ("calibration", bot, "came")]
    assert [float(row["value"]) for row in rows] == [one["came"] for one in data[bot]["bins"]]
    assert all(row["low"] == "" or 0 <= float(row["low"]) <= float(row["value"]) <= float(row["high"]) <= 1 for row in rows)
    markdown = report_text(result, "markdown", {}, forecasts)
    assert "## Calibration" in markdown and f"| {bot} | all | {data[bot]['decisions']:,} |" in markdown
    drawn = pictures(result, forecasts)
    assert drawn is not None and "var(--mark)" in drawn["calibration"]
    assert not any(colour in drawn["calibration"] for colour in COLOURS)
    html = report_text(result, "html", {}, forecasts)
    assert drawn["calibration"] in html and "<h2>Calibration</h2>" in html
    assert "Calibration" not in report_text(result, "html")
