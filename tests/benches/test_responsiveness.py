"""Punctuality, with room for a busy machine; `python benches/responsiveness.py` measures it on an idle one."""
from __future__ import annotations

import json
import math
import statistics
from pathlib import Path

import pytest

import responsiveness
from responsiveness import Delays


@pytest.mark.timing
@pytest.mark.parametrize(("game_id", "seats"), [("kuhn", 2), ("hyde", 4), ("hanabi", 5)])
def test_budgets_and_stops_are_kept(game_id: str, seats: int) -> None:
    # The quickest of them show what the search does, the others what other programs do to it.
    bounds = {"overshoot": 2.0, "cancel": 2.0, "answer": 15.0}
    quickest = dict.fromkeys(bounds, math.inf)
    for _ in range(5):
        found = responsiveness.measure(game_id, seats, searches=15, budget_ms=30)
        quickest = {name: min(quickest[name], *getattr(found, name)) for name in bounds}
        if all(quickest[name] < most for name, most in bounds.items()):
            break
    else:
        pytest.fail(f"the quickest took {quickest} ms")
    assert statistics.median(found.overshoot) < 500 and statistics.median(found.cancel) < 500


def test_the_budget_is_used_up() -> None:
    found = responsiveness.measure("kuhn", 2, searches=3, budget_ms=10)
    assert all(0 <= late <= answered for late, answered in zip(found.overshoot, found.answer, strict=True))
    assert len(found.cancel) == 3 and min(found.cancel) >= 0


@pytest.mark.parametrize(("overshoot", "cancel", "met"), [
    ([0.1] * 200, [0.1] * 200, True), ([0.1] * 199 + [50.0], [0.1] * 200, True),
    ([0.1] * 190 + [50.0] * 10, [0.1] * 200, False), ([0.1] * 200, [0.1] * 199 + [6.0], False)])
def test_the_aims(overshoot: list[float], cancel: list[float], met: bool) -> None:
    delays = Delays("kuhn", 2, overshoot, overshoot, cancel)
    assert delays.met == met and delays.to_json()["met"] == met


def test_positions_are_undecided_and_differ() -> None:
    found = responsiveness.positions("hyde", 4, 12)
    assert len(found) == 12
    assert all(len(state.legal_actions(seat)) > 1 for state, seat in found)
    assert len({state.to_bytes() for state, _ in found}) == 12
    assert any(state.actions for state, _ in found) and any(not state.actions for state, _ in found)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "delays.json"
    assert responsiveness.main(["--games", "kuhn", "leduc", "--searches", "2", "--budget-ms", "5", "--json", str(out)]) == 0
    rows = json.loads(out.read_text())["rows"]
    assert [row["game"] for row in rows] == ["kuhn", "leduc"]
    assert all(row[name]["p50"] <= row[name]["p99"] <= row[name]["max"] for row in rows for name in ("overshoot", "cancel"))
    assert "budget of 5 ms" in capsys.readouterr().out
