"""The rules alone: clones, single decisions, and whole games. `make bench`.

Rates per second are in the extra info of each result (`--benchmark-json`): decisions and games, not calls.
"""
from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from seatmate.ai.bench import heuristic_playouts
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.playout import clone_seconds, play_randomly, random_playouts

CLONES = 200_000


def fastest(benchmark: BenchmarkFixture) -> float:
    """Seconds of the fastest round: the one the rest of the machine disturbed least."""
    assert benchmark.stats is not None
    return float(benchmark.stats.stats.min)


def test_clone_in_c(benchmark: BenchmarkFixture, opening: State) -> None:
    """The memcpy of the bare struct, as the search clones."""
    seconds = benchmark(clone_seconds, opening, CLONES)
    benchmark.extra_info["clone_ns"] = seconds / CLONES * 1e9
    benchmark.extra_info["state_bytes"] = opening.game.state_bytes


def test_clone_in_python(benchmark: BenchmarkFixture, opening: State) -> None:
    """State.clone(), history and keys included."""
    assert benchmark(opening.clone) == opening


def test_legal_and_apply(benchmark: BenchmarkFixture, game: Game) -> None:
    """One game through Python: ask for the legal actions, check and apply one, record the events."""
    decisions = benchmark(lambda: play_randomly(game.new_state(1), 10_000, 1))
    assert decisions > 0
    benchmark.extra_info["decisions"] = decisions
    benchmark.extra_info["decisions_per_s"] = decisions / fastest(benchmark)


def test_resample(benchmark: BenchmarkFixture, opening: State) -> None:
    """One sampled world for seat 0, through Python."""
    benchmark(opening.resample_from_infostate, 0, 1)


@pytest.mark.parametrize("policy", ["random", "heuristic", "quick"])
def test_playouts(benchmark: BenchmarkFixture, game: Game, policy: str) -> None:
    """Whole games in one C loop: uniformly random, best of score_actions, and the rollout policy of the search."""
    count = 1_000 if game.spec.max_decisions > 20 else 100_000
    if policy == "random":
        decisions, _ = benchmark(random_playouts, game, count, 1)
    else:
        count //= 10
        decisions, _ = benchmark(lambda: heuristic_playouts(game, count, 1, quick=policy == "quick"))
    benchmark.extra_info["playouts_per_s"] = count / fastest(benchmark)
    benchmark.extra_info["decisions_per_s"] = decisions / fastest(benchmark)
