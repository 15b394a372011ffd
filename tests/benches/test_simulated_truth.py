"""Simulated truth: the tool measures what the arena uses, and sees where an interval or a test does not keep its word."""
from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import simulated_truth
from seatmate.ai.arena import Sprt
from seatmate.ai.arena.ratings import ELO
from seatmate.ai.arena.sprt import PENTANOMIAL
from simulated_truth import STRENGTHS, Truth, coverage, error_rate, missed, ratios


def test_the_ratios_of_many_tests_are_those_of_one() -> None:
    plan = Sprt.from_elo(0, 40)
    counts = np.array([[3, 10, 40, 22, 7], [0, 0, 5, 0, 0], [491, 7345, 29693, 7670, 465], [0, 1, 0, 2, 9]], dtype=float)
    expected = [plan.llr({score: count for score, count in zip(PENTANOMIAL, row, strict=True) if count})
                for row in counts.tolist()]
    assert ratios(plan, counts) == pytest.approx(expected, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("kind", ["duel", "graded", "table"])
def test_intervals_hold_the_truth_as_often_as_they_say(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_truth, "TRUTH_DEALS", 100_000)
    assert missed([coverage(kind, 60, 150, 15, 1)]) == []


def test_intervals_that_take_games_for_independent_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A third of the width, as if there were nine times the deals."""
    monkeypatch.setattr(simulated_truth, "TRUTH_DEALS", 100_000)

    def too_short(values: list[float]) -> tuple[float, float]:
        return float(np.mean(values)), float(np.std(values)) / math.sqrt(len(values)) * 1.96 / 3

    monkeypatch.setattr(simulated_truth, "mean_and_interval", too_short)
    assert [line.split(": ")[1].split()[0] for line in missed([coverage("duel", 60, 60, 0, 1)])] == ["means"]


def test_the_truth_is_that_of_the_strengths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without luck Plackett-Luce holds for the winner of three, so that the ratings are the strengths."""
    monkeypatch.setattr(simulated_truth, "TRUTH_DEALS", 100_000)
    monkeypatch.setattr(simulated_truth, "LUCK", 0)
    truth = Truth("table")
    assert truth.elos == pytest.approx(ELO * (STRENGTHS - STRENGTHS[0]), abs=3)
    assert truth.means.sum() == pytest.approx(1)


def test_sequential_tests_err_as_rarely_as_they_promise() -> None:
    for truth in ("H0", "H1"):
        row = error_rate(0, 60, truth, 400, 1)
        assert row["wrong"] - row["ci95"] < 0.05 and 40 < row["deals"] < 90


def test_a_test_with_its_bounds_too_close_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_truth, "PROMISE", 0.2)
    row = error_rate(0, 60, "H0", 400, 1)
    assert row["wrong"] - row["ci95"] > 0.05


def test_the_command_writes_what_it_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_truth, "TRUTH_DEALS", 5_000)
    path = tmp_path / "truth.json"
    assert simulated_truth.main(["--tournaments", "10", "--rated", "1", "--deals", "10", "--tests", "10", "--elo", "100",
                                 "--json", str(path)]) == 0
    written = json.loads(path.read_text())
    assert len(written["coverage"]) == 3 and written["coverage"][0]["means"][1] == 30 and len(written["tests"]) == 2
