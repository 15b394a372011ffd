"""The fit of the Titans evaluation: known weights are found again, and the terms it weighs are those of the positions."""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import fit_titans
from seatmate.engine.core.registry import new_game
from seatmate.engine.titans.advice.judgement import ARENA_NAMES, TERM_NAMES, late, terms


@pytest.mark.parametrize("sides", [2, 3])
def test_known_weights_are_found_again(sides: int) -> None:
    chance = np.random.default_rng(1)
    known = np.array([1.0, -0.5, 0.25])
    found = chance.normal(size=(20_000, sides, 3))
    share = fit_titans.chances(found, known)
    assert share.sum(axis=1) == pytest.approx(1)
    winner = (share.cumsum(axis=1) > chance.random((20_000, 1))).argmax(axis=1)
    weights, errors = fit_titans.fit(found, np.eye(sides)[winner])
    assert np.all(np.abs(weights - known) < 4 * errors) and np.all(errors < 0.03)


def test_a_side_without_terms_is_out() -> None:
    share = fit_titans.chances(np.array([[[1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]]), np.array([-3.0, 0.0]))
    assert share.tolist() == [[0.5, 0.0, 0.5]]


def test_guessing_evenly_has_the_loss_of_a_coin() -> None:
    loss, right = fit_titans.losses(np.ones((4, 2, 1)), np.array([[1.0, 0.0]] * 4), np.zeros(1))
    assert loss == pytest.approx(np.log(2)) and right == 1


@pytest.mark.parametrize(("mode", "seats", "names"), [("duel", 2, TERM_NAMES), ("ffa3", 3, ARENA_NAMES)])
def test_terms_are_those_evaluate_weighs(mode: str, seats: int, names: tuple[str, ...]) -> None:
    """Where a turn is about to begin there is a term for each name and side, and nowhere in the setup."""
    state = new_game("titans", seats=seats, mode=mode).new_state(3)
    assert terms(state) == [] and late(state) == 0
    counts = set()
    while not state.is_over:
        seat = state.pending[0]
        state.apply_action(seat, state.legal_actions(seat)[0])
        found = terms(state)
        if found:
            counts.add((len(found), *map(len, found)))
            assert state.prompt(state.pending[0]) in {"PIECE", "DIE_SLOT", "REPLACE", "FIRST_PLACE", "CYBORG", "REMOVE"}
    assert counts == {(seats, *[len(names)] * seats)} and 0 <= late(state) <= 1


def test_the_command_fits_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "weights.json"
    assert fit_titans.main(["duel", "--games", "300", "--json", str(out)]) == 0
    assert "the winner was the favourite in" in capsys.readouterr().out
    found = json.loads(out.read_text())
    assert [row["term"] for row in found["weights"]] == list(TERM_NAMES) and found["log_loss"] < 0.69
    by_name = {row["term"]: row["weight"] for row in found["weights"]}
    assert by_name["points"] > 0 > by_name["fire"]
    assert fit_titans.main(["ffa3", "--games", "60", "--json", str(out)]) == 0
    assert [row["term"] for row in json.loads(out.read_text())["weights"]] == list(ARENA_NAMES)
