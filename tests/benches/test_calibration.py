"""The calibration tool: what it measures can be resumed and repeated, what it fits is what was planted."""
from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import calibration
from calibration import Sample, fit, line_of, positions, summary, verdict
from seatmate.engine.core.registry import game_spec, new_game
from seatmate.engine.core.spec import Calibration

KEY = {"game": "tic_tac_toe", "mode": "standard", "seats": 2, "options": [], "play": 2}


def sample(line: Calibration | None, count: int = 3000, settled: float = 0.0, seed: int = 0) -> Sample:
    """Positions of which came what the line says of what was said, as a win or a loss."""
    chance = np.random.default_rng(seed)
    said = chance.beta(2, 2, count)
    true = np.array([line(value, settled) for value in said]) if line else said
    came = (chance.random(count) < true).astype(float)
    return Sample(KEY, said, np.full(count, settled), came, np.full(count, np.nan), np.arange(count) // 4, said)


def test_a_planted_line_is_found() -> None:
    planted = Calibration(mode="standard", seats=2, shift=0.9, slope=0.6)
    for settled in (0.0, 0.4):
        one = sample(planted, settled=settled)
        found = fit(one)
        assert found is not None and found.bend == 0
        assert found.shift == pytest.approx(0.9, abs=0.15) and found.slope == pytest.approx(0.6, abs=0.15)
        raw = summary(one)
        assert raw["verdict"] == "missed" and raw["error"] - raw["ci95"] > calibration.MEAN_GOAL
        later = sample(planted, seed=2, settled=settled)
        mended = summary(replace(later, shown=np.array([found(value, settled) for value in later.said])))
        assert mended["verdict"] in ("met", "within")


def test_a_planted_bend_is_found() -> None:
    found = fit(sample(Calibration(mode="standard", seats=2, shift=-1.0, slope=0.2, bend=2.5, at=0.5)))
    assert found is not None and found.slope < 0.6 and found.bend > 1
    assert found(0.4) == pytest.approx(0.25, abs=0.06) and found(0.9) > 0.9


def test_honest_values_stay_as_they_are() -> None:
    honest = sample(None)
    assert fit(honest) is None and summary(honest)["verdict"] in ("met", "within")
    assert abs(summary(honest)["error"]) < summary(honest)["ci95"]


def test_a_fitted_line_is_written_as_it_stands_in_a_spec() -> None:
    for line in (Calibration(mode="standard", seats=2, shift=0.0, slope=0.6),
                 Calibration(mode="duel", seats=3, options={"level": "expert"}, shift=-0.5, slope=0.6, bend=1.2, at=0.3)):
        assert eval(line_of(line), {"Calibration": Calibration}) == (line,)


def test_few_positions_join_a_neighbour() -> None:
    one = sample(None, count=200)
    one.shown = np.array([0.1] * 5 + [0.3] * 60 + [0.6] * 100 + [0.9] * 35)
    assert [len(part) for part in one.quarters()] == [65, 135]
    assert sorted(np.concatenate(one.quarters())) == list(range(200))


def test_intervals_are_over_games() -> None:
    alike = sample(None)
    alike.came, alike.shown = (alike.games % 2).astype(float), np.full(3000, 0.5)
    _, wide = alike.error()
    alike.games = np.arange(3000)
    _, narrow = alike.error()
    assert wide == pytest.approx(2 * narrow, rel=1e-6)     # four positions of one game that say the same count once


@pytest.mark.parametrize(("errors", "word"), [
    ([(0.01, 0.005, 0.02)], "met"), ([(0.01, 0.05, 0.02)], "within"), ([(0.03, 0.02, 0.02)], "open"),
    ([(-0.05, 0.02, 0.02)], "missed"), ([(0.01, 0.005, 0.02), (0.2, 0.1, 0.05)], "missed")])
def test_verdicts(errors: list[tuple[float, float, float]], word: str) -> None:
    assert verdict(errors) == word


def test_positions_are_choices_and_the_same_again() -> None:
    game = new_game("hanabi", seats=2)
    for deal in range(2):
        length, found = positions(game, deal, 1, 5)
        again = positions(game, deal, 1, 5)
        assert len(found) == 5 and length == again[0] and [state for state, _ in found] == [state for state, _ in again[1]]
        depths = [len(state.actions) for state, _ in found]
        assert depths == sorted(depths) and depths[-1] < length
        assert all(seat in state.pending and len(state.legal_actions(seat)) > 1 for state, seat in found)


def run(tmp_path: Path, *words: str) -> dict[str, Any]:
    out = tmp_path / "out.json"
    small = ["tic_tac_toe", "--positions", "24", "--playouts", "1", "--true-games", "1", "--iterations", "30", "60", "--play", "5"]
    assert calibration.main([*small, "--json", str(out), *words]) == 0
    result: dict[str, Any] = json.loads(out.read_text())["rows"][0]
    return result


def test_a_run_goes_on_where_it_ended(tmp_path: Path) -> None:
    whole = run(tmp_path, "--results", str(tmp_path / "said.jsonl"), "--fit")
    lines = (tmp_path / "said.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "said.jsonl").write_text("".join(lines[:2]) + lines[2][:20])      # as if killed in the third game
    assert run(tmp_path, "--results", str(tmp_path / "said.jsonl"), "--fit") == whole
    assert (tmp_path / "said.jsonl").read_text() == "".join(lines)
    assert whole["positions"] >= 24 and set(whole["looks"]) == {"30", "60"} and whole["truly"] is not None
    assert run(tmp_path, "--seed", "2")["said"] != whole["said"]


def test_the_file_holds_what_was_said_before_any_calibration(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    plain = run(tmp_path, "--results", str(path))
    text = path.read_text()
    spec = game_spec("tic_tac_toe")
    object.__setattr__(spec, "calibration", (Calibration(mode="standard", seats=2, shift=1.0, slope=1.0),))
    try:
        shifted = run(tmp_path, "--results", str(tmp_path / "again.jsonl"))
    finally:
        object.__setattr__(spec, "calibration", ())
    assert (tmp_path / "again.jsonl").read_text() == text
    assert shifted["raw"] == plain["raw"] == plain["said"] and shifted["said"] > plain["said"] + 0.1
    path.write_text('{"deal": 1}\n')
    with pytest.raises(SystemExit, match="holds something else"):
        run(tmp_path, "--results", str(path))
