"""The measure of hints counts what it says."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

import hint_quality
from seatmate.ai.search import Limits, Search
from seatmate.ai.search.reasons import Reason


def test_a_small_run(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    assert hint_quality.main(["hanabi", "titans", "--positions", "3", "--iterations", "30", "--json", str(file)]) == 0
    rows = json.loads(file.read_text())["rows"]
    assert [row["game"] for row in rows] == ["hanabi", "titans"]
    for row in rows:
        assert row["decisions"] + row["setups"] + row["ties"] == 3
        assert 0 <= row["in_words"] <= row["supported"] <= row["decisions"] and 0 <= row["confirmed"] <= row["reasons"]
    assert rows[0]["reasons"] > 0


def test_a_reason_that_is_turned_round_is_not_confirmed() -> None:
    found = 0
    for state, seat in hint_quality.decisions("hanabi", "standard", 2, 4, 1):
        analysis = Search(state, seat, seed=1).run(Limits(iterations=50))
        deeper = Search(state, seat, seed=2)
        deep = deeper.run(Limits(iterations=100))
        for candidate in analysis.candidates:
            for reason in candidate.why:
                turned = Reason(reason.text, reason.feature, not reason.favourable, reason.against, reason.later)
                held = [hint_quality.holds(candidate, one, deep, deeper) for one in (reason, turned)]
                assert held != [True, True]
                found += held == [True, False]
    assert found > 5


def test_nonsense_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        hint_quality.main(["chess"])
    assert "chess" in capsys.readouterr().err
