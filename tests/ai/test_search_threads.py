"""Searches side by side, and limits that compose."""
from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from seatmate.ai.search import Limits, Search, SearchParams, StopFlag
from seatmate.ai.search.audit import age
from seatmate.engine.core.game import Game
from seatmate.engine.core.registry import new_game


@pytest.fixture(params=["hyde", "leduc", "connect_four"])
def game(request: pytest.FixtureRequest) -> Game:
    return new_game(request.param, seats=2)


def test_threads_share_the_iterations_and_give_one_answer(game: Game) -> None:
    state = game.new_state(4)
    seat = state.pending[0]
    found = [Search(state, seat, seed=9, threads=3).run(Limits(iterations=1000)) for _ in range(3)]
    assert found[0] == found[1] == found[2]
    assert found[0].threads == 3 and 1000 <= found[0].iterations <= 1300
    if SearchParams.for_game(game.spec).selection == "puct":
        assert sum(c.visits for c in found[0].candidates) == found[0].iterations == 1000
    assert Search(state, seat, seed=9, threads=2).run(Limits(iterations=1000)) != found[0]


def test_pieces_add_up_to_the_whole_with_threads_too(game: Game) -> None:
    state = game.new_state(4)
    seat = state.pending[0]
    whole = Search(state, seat, seed=2, threads=2).run(Limits(iterations=901))
    pieces = Search(state, seat, seed=2, threads=2)
    for n in (1, 400, 500):
        pieces.simulate(Limits(iterations=n))
    assert pieces.analysis() == whole


def test_iterations_after_a_run_by_the_clock_are_those_asked_for() -> None:
    """Threads that were stopped by the clock or a flag have not done equally much; the next run does not make up for it."""
    state = new_game("connect_four").new_state(1)
    search = Search(state, 0, seed=1, threads=3)
    search.simulate(Limits(time_ms=20))
    for n in (1, 100, 7):
        assert search.simulate(Limits(iterations=n)) == n
    flag = StopFlag()
    threading.Timer(0.02, flag.set).start()
    search.simulate(Limits(iterations=10**12, stop=flag))
    assert search.simulate(Limits(iterations=100)) == 100


@pytest.mark.parametrize("threads", [1, 2])
def test_a_thread_ends_where_its_counts_do(threads: int) -> None:
    """Visits are counted in 32 bits; beyond them a search would see means without end."""
    state = new_game("kuhn").new_state(1)
    params = SearchParams.plain()
    search = Search(state, 0, seed=1, threads=threads, params=params)
    search.simulate(Limits(iterations=100))
    age(search, 4_000_000_000 - 5)
    started = time.perf_counter()
    assert search.simulate(Limits(iterations=100)) == 5 * threads
    assert search.simulate(Limits(time_ms=60_000)) == 0
    assert search.simulate(Limits(stop=StopFlag())) == 0
    assert time.perf_counter() - started < 30
    assert search.analysis().iterations == 4_000_000_000 * threads


def test_a_flag_stops_all_threads() -> None:
    state = new_game("hyde", seats=4).new_state(1)
    flag = StopFlag()
    search = Search(state, state.pending[0], seed=1, threads=2)
    threading.Timer(0.05, flag.set).start()
    started = time.perf_counter()
    search.simulate(Limits(stop=flag))
    assert time.perf_counter() - started < 30
    assert search.iterations > 1


@pytest.mark.parametrize("threads", [0, -1, 65])
def test_a_wrong_number_of_threads_is_refused(threads: int) -> None:
    state = new_game("kuhn").new_state(1)
    with pytest.raises(ValueError, match=r"1\.\.64 threads"):
        Search(state, 0, seed=1, threads=threads)


def test_threads_and_seats_are_whole_numbers() -> None:
    state = new_game("kuhn").new_state(1)
    with pytest.raises(TypeError, match="integer"):
        Search(state, 0, seed=1, threads=2.5)       # type: ignore[arg-type]
    with pytest.raises(TypeError, match="integer"):
        Search(state, 0.5, seed=1)                  # type: ignore[arg-type]


def test_limits_compose_to_the_tighter_one() -> None:
    flag = StopFlag()
    both = Limits(iterations=100) | Limits(time_ms=50.0, iterations=70) | Limits(stop=flag, depth=3, memory_mb=2)
    assert both == Limits(iterations=70, time_ms=50.0, stop=flag, depth=3, memory_mb=2)
    assert (both | both) == both
    with pytest.raises(ValueError, match="two"):
        both | Limits(stop=StopFlag())


def test_a_search_needs_an_end() -> None:
    state = new_game("kuhn").new_state(1)
    with pytest.raises(ValueError, match="never end"):
        Search(state, 0, seed=1).run(Limits(nodes=100))


def test_memory_and_depth_are_bounded(game: Game) -> None:
    state = game.new_state(6)
    seat = state.pending[0]
    search = Search(state, seat, seed=1)
    analysis = search.run(Limits(iterations=30_000, memory_mb=1))
    assert search.memory_bytes <= 1_000_000 and analysis.iterations >= 30_000
    assert Limits(memory_mb=1, nodes=50).node_cap() == 50
    shallow = Search(state, seat, seed=1).run(Limits(iterations=3000, depth=2))
    assert shallow.depth <= 2 and shallow.iterations >= 3000
    assert Search(state, seat, seed=1).run(Limits(iterations=3000)).depth > 2


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"depth": 512}, {"memory_mb": 0.5}, {"memory_mb": float("nan")}, {"nodes": 0},
                                   {"iterations": 2**70}, {"iterations": 1.5}, {"depth": 2.5}, {"nodes": True},
                                   {"time_ms": "5"}, {"time_ms": True}, {"memory_mb": "5"}, {"stop": 5}])
def test_wrong_limits_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Limits(**wrong)


def test_memory_is_shared_by_the_threads() -> None:
    state = new_game("connect_four").new_state(1)
    search = Search(state, 0, seed=1, threads=4)
    search.simulate(Limits(iterations=40_000, memory_mb=2))
    assert search.memory_bytes <= 2_000_000
    crowd = Search(state, 0, seed=1, threads=8)
    with pytest.raises(ValueError, match="too little for 8 threads"):
        crowd.simulate(Limits(iterations=10, memory_mb=1))
    assert crowd.simulate(Limits(iterations=10)) == 10
    assert search.simulate(Limits(iterations=10)) == 10     # a refused run leaves the search as it was


def test_a_running_search_is_not_looked_at() -> None:
    state = new_game("hyde", seats=2).new_state(1)
    search = Search(state, state.pending[0], seed=1)
    flag = StopFlag()
    thread = threading.Thread(target=search.simulate, args=(Limits(stop=flag),))
    thread.start()
    try:
        deadline = time.monotonic() + 30
        while search.iterations == 0 and time.monotonic() < deadline:
            time.sleep(0.001)
        for look in (search.analysis, search.choose, lambda: search.best_action, lambda: search.simulate(Limits(iterations=1))):
            with pytest.raises(RuntimeError, match="running"):
                look()
    finally:
        flag.set()
        thread.join()
    assert search.analysis().iterations > 0
