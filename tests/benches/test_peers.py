"""The comparison with OpenSpiel: it measures what it says, both sides do the same work, and it reports what it found."""
from __future__ import annotations

import itertools
import json
import os
import time
from pathlib import Path

import pytest

pytest.importorskip("pyspiel", reason="open_spiel is not installed: nobody to compare with")

import peers
from open_spiel_native import NATIVE, follow
from peers_work import WORKS, Work, simulate, their_playouts
from seatmate.engine.core.registry import new_game


@pytest.mark.parametrize("name", WORKS)
def test_both_sides_do_the_same_work(name: str) -> None:
    work = WORKS[name]()
    work.check()
    assert work.name == name
    for amount in (1, 3):
        ours, theirs = work.ours(amount), work.theirs(amount)
        assert ours == theirs * work.threads and ours % amount == 0


def test_their_playouts_are_played_to_the_end() -> None:
    """X at 0 and 1, O at 3 and 4, O to move: it wins at 5 at once, X wins with 2, and random play does either or a draw."""
    _, theirs = follow(NATIVE["tic_tac_toe"], 1, [0, 3, 1, 4, 8])
    outcomes = []
    for order in itertools.permutations([2, 5, 6, 7]):
        end = theirs.clone()
        for square in order:
            if not end.is_terminal():
                end.apply_action(square)
        outcomes.append(end.returns()[1])
    assert their_playouts("tic_tac_toe", theirs, 50_000) == pytest.approx(sum(outcomes) / 24, abs=0.02)


def test_a_position_is_the_same_on_both_sides() -> None:
    for name in ("kuhn", "leduc", "liars_dice-2", "connect_four"):
        ours, theirs = follow(NATIVE[name], 4, [1])
        assert ours.pending == (theirs.current_player(),) and not theirs.is_chance_node()
        assert ours.legal_actions(ours.pending[0]) == theirs.legal_actions()


def test_threads_search_what_they_are_asked_to() -> None:
    state = new_game("kuhn").new_state(1)
    assert simulate(state, 1, 2, 1000) == 2000 and simulate(state, 2, 2, 1000) == 4000


def test_the_ratio_of_known_work_is_found() -> None:
    def busy(count: int) -> int:
        return sum(1 for _ in range(1000 * count)) // 1000

    slow = Work(name="x", group="counting", game="none", bar=2.0, ours=busy, theirs=lambda count: (busy(3 * count), count)[1])
    result = peers.measure(slow, rounds=5, seconds=0.02)
    assert len(result.ours) == len(result.theirs) == len(result.ratios) == 5
    assert 2.2 < result.ratio < 4.1 and result.met
    missed = peers.Result(Work(name="x", group="counting", game="none", bar=2.0, ours=busy, theirs=busy), [1, 3, 9], [1, 2, 3])
    assert missed.ratio == 1.5 and not missed.met and missed.to_json()["medians"] == [3, 2]


def test_the_amount_fits_the_slice() -> None:
    waited = [0.0]

    def wait(milliseconds: int) -> int:
        waited[0] += 0.001 * milliseconds
        return milliseconds

    assert peers.amount_for(wait, 0.05, lambda: waited[0]) == 50


@pytest.mark.parametrize(("number", "text"), [(12_345_678, "12.3 M"), (1_000_000, "1 M"), (98_765, "98.8 k"), (7, "7")])
def test_short_numbers(number: float, text: str) -> None:
    assert peers.short(number) == text


def test_the_command_measures_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, out = os.sched_getaffinity(0), tmp_path / "peers.json"
    assert peers.main(["--quick", "--only", "python-kuhn", "--only", "playouts-k*", "--json", str(out)]) == 0
    assert os.sched_getaffinity(0) == before
    assert "Python-driven playouts/s, kuhn" in capsys.readouterr().out
    found = json.loads(out.read_text())
    assert [row["name"] for row in found["results"]] == ["playouts-kuhn", "python-kuhn"]
    assert all(row["ratio"] > 0 and len(row["ratios"]) == 3 for row in found["results"])
    assert found["machine"]["cores"] and found["machine"]["versions"]["open_spiel"].startswith("2.")


def test_only_a_check_fails_on_a_missed_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    def work() -> Work:
        return Work(name="x", group="counting", game="none", bar=1e9, ours=lambda n: n, theirs=lambda n: n)

    monkeypatch.setattr(peers, "WORKS", {"x": work})
    monkeypatch.setattr(peers, "measure", lambda work, rounds, seconds: peers.Result(work, [1.0], [1.0]))
    assert peers.main(["--quick"]) == 0
    assert peers.main(["--quick", "--check"]) == 1


def test_a_check_needs_something_measured(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> Work:
        return Work(name="x", group="counting", game="none", bar=None, ours=lambda n: n, theirs=lambda n: n, threads=10_000)

    monkeypatch.setattr(peers, "WORKS", {"x": work})
    assert peers.main(["--quick", "--check"]) == 1
    assert "x: needs 10000 cores" in capsys.readouterr().out


def test_work_of_two_threads_is_measured_in_short_rounds() -> None:
    def wait(milliseconds: int) -> int:
        time.sleep(0.001 * milliseconds)
        return milliseconds

    work = Work(name="x", group="waiting", game="none", bar=None, ours=wait, theirs=wait, threads=2)
    result = peers.measure(work, rounds=2, seconds=0.15)
    assert len(result.ratios) == 3 and result.met and result.to_json()["bar"] is None
    assert [cell for column in peers.table_of([result], "").columns[-2:] for cell in column.cells] == ["-", ""]


def test_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert peers.main(["--list"]) == 0
    assert capsys.readouterr().out.split() == list(WORKS)
    with pytest.raises(SystemExit):
        peers.main(["--only", "nothing"])
    assert "nothing is called nothing" in capsys.readouterr().err
