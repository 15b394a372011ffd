"""How often a rule for decided games is wrong: planted results are counted, and the tool runs."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

import early_ends
from seatmate.ai.arena.deal import Deal


def test_wrong_ends_are_counted() -> None:
    full = [Deal([[1, 0], [0, 1]], actions=[[[0, 0]] * 10, [[0, 0]] * 10]), Deal([[1, 0], [0, 1]], actions=[[[0, 0]] * 10] * 2)]
    early = [Deal([[1, 0], [1, 0]], actions=[[[0, 0]] * 10, [[0, 0]] * 5]), Deal([[1, 0], [0, 1]], actions=[[[0, 0]] * 8] * 2)]
    found = early_ends.compare(full, early)
    assert (found["games"], found["ended"], found["wrong_games"]) == (4, 0.75, 1)
    assert found["wrong"] == pytest.approx(1 / 3) and found["saved"] == pytest.approx(9 / 40) and found["wrong_of_all"][0] == 0.25


def test_the_tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert early_ends.main(["titans", "--deals", "4", "--json", str(tmp_path / "a.json")]) == 0
    found = json.loads((tmp_path / "a.json").read_text())["bounds"]
    assert found["0.9"]["ended"] > 0 and 0 <= found["0.99"]["ended"] <= found["0.9"]["ended"] <= 1
    with pytest.raises(SystemExit):
        early_ends.main(["hyde"])
    assert "a cooperative game is played to its end" in capsys.readouterr().err
