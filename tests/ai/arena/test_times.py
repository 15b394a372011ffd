"""How long bots think: sizes of times, what is late, and that it never becomes part of a result."""
from __future__ import annotations

import time
from pathlib import Path

import pytest

from seatmate.ai.arena import DecisionTimes, Times, load_results, report_text, report_times, run_tournament
from seatmate.ai.arena.times import late_after_ns, load_times, save_times
from seatmate.ai.bots.watch import Stopwatch, bin_edges


def noted(*times: int, late_ns: int = 0) -> DecisionTimes:
    watch = Stopwatch(late_ns)
    for ns in times:
        watch.note(ns)
    return DecisionTimes(*watch.take())


def test_every_time_lies_in_its_size() -> None:
    last = -1
    for ns in [*range(100), 127, 128, 10**3, 10**6, 10**9, 2**40 - 1, 2**40, 10**15, 2**62]:
        [size] = noted(ns).counts
        low, high = bin_edges(size)
        assert low <= ns < high and high - low <= max(1, low / 16) and size >= last
        last = size


def test_quantiles_longest_and_late() -> None:
    times = noted(*range(1000, 101_000, 1000), late_ns=90_000)
    assert (times.decisions, times.longest_ns, times.late) == (100, 100_000, 10)
    assert times.quantile_ms(0.5) == pytest.approx(0.05, rel=0.03) and times.quantile_ms(0.99) == pytest.approx(0.099, rel=0.03)
    assert times.quantile_ms(1.0) <= 0.1
    times.add(noted(200_000))
    assert (times.decisions, times.longest_ns, times.late) == (101, 200_000, 10)
    assert noted().quantile_ms(0.5) == 0


def test_a_stopwatch_begins_again_once_it_is_read() -> None:
    watch = Stopwatch(5)
    watch.note(7)
    assert watch.take() == ({7: 1}, 7, 1) and watch.take() == ({}, 0, 0)


def test_only_a_time_limit_can_be_overshot() -> None:
    assert late_after_ns({"kind": "random"}) == late_after_ns({"limits": {"time_ms": None}}) == 0
    assert late_after_ns({"limits": {"time_ms": 20}}) == 22_000_000


@pytest.mark.parametrize("workers", [1, 2])
def test_times_are_of_decisions_with_a_choice_and_no_part_of_results(tmp_path: Path, workers: int) -> None:
    times: Times = {}
    path = tmp_path / "kuhn.jsonl"
    began = time.perf_counter()
    arguments = {"seats": 2, "bots": ["random", "search:iterations=300"], "seed": 1, "results": path}
    result = run_tournament("kuhn", deals=20, workers=workers, times=times, **arguments)  # type: ignore[arg-type]
    spent = time.perf_counter() - began
    assert set(times) == {"random", "search:iterations=300"}
    assert all(40 <= one.decisions <= 80 and one.late == 0 for one in times.values())       # one or two a game, of 40 games
    slow, quick = times["search:iterations=300"], times["random"]
    assert quick.quantile_ms(0.5) < slow.quantile_ms(0.5) < slow.longest_ns / 1e6 < 1000 * spent
    assert report_times(path) == times
    assert "times" not in result.to_json() and "Time per decision" in report_text(result, "html", times)
    assert "Time per decision" not in report_text(result, "html")
    assert f"times,random,,decisions,{quick.decisions},," in report_text(result, "csv", times)
    more: Times = {}
    run_tournament("kuhn", deals=40, workers=workers, times=more, **arguments)  # type: ignore[arg-type]
    assert 80 <= more["random"].decisions <= 160 and report_times(path) == more     # of both runs


def test_times_of_another_tournament_or_broken_ones_are_left_out(tmp_path: Path) -> None:
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for seed, path in enumerate(paths):
        run_tournament("kuhn", seats=2, bots=["random", "heuristic"], deals=2, seed=seed, workers=1, results=path)
    spec, _ = load_results(paths[0])
    beside = tmp_path / "a.jsonl.times"
    assert load_times(paths[0], spec)
    beside.write_bytes((tmp_path / "b.jsonl.times").read_bytes())
    assert report_times(paths[0]) == {}
    for text in ("", "{", "[]", "null", '{"format": "seatmate-times"}'):
        beside.write_text(text)
        assert report_times(paths[0]) == {}
    beside.unlink()
    assert report_times(paths[0]) == {}
    save_times(tmp_path / "missing" / "a.jsonl", spec, {"random": noted(5)})      # a by-product never ends a tournament
