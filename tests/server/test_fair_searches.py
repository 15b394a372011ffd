"""Searches share the time of the threads, on a clock of its own; and a real server whose bots would think for minutes."""
from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from clockwork import run
from playing import House
from seatmate.ai.search import StopFlag
from seatmate.client import connect
from seatmate.server.config import Pacing, ServerConfig
from seatmate.server.errors import ApiError
from seatmate.server.fair import Line, Usage
from seatmate.server.search_pool import PIECE_MS, Lane, QueueTimeout, SearchPool
from seatmate.server.service import running_server
from seatmate.v1.analysis_pb2 import Budget

PIECE_S = PIECE_MS / 1000


class Clockwork(SearchPool):
    """Its work is seconds on the loop's clock; it says how many were done before the flag was set."""

    def _start(self, executor: Any, work: Any, stop: StopFlag) -> asyncio.Future[Any]:
        async def pass_time() -> float:
            began = asyncio.get_running_loop().time()
            while (spent := asyncio.get_running_loop().time() - began) < work - 1e-6 and not stop.is_set:
                await asyncio.sleep(0.01)
            return spent

        return asyncio.ensure_future(pass_time())


def now() -> float:
    return asyncio.get_running_loop().time()


def on_two(play: Callable[[SearchPool], Coroutine[Any, Any, None]], queue: int = 8) -> None:
    async def with_pool() -> None:
        pool = Clockwork(2, queue)
        await play(pool)
        pool.close()

    run(with_pool())


async def think(pool: SearchPool, caller: str, seconds: float, seat: str = "") -> float:
    """A hint, in pieces; how long it took, waiting included."""
    began = now()
    with pool.hint((caller, seat)) as hint:
        while seconds > 1e-6:
            seconds -= await hint.run(min(PIECE_S, seconds))
    return now() - began


def bot(pool: SearchPool, table: str, seconds: float, **more: Any) -> asyncio.Task[float]:
    return asyncio.create_task(pool.run(seconds, Lane.BOT, (table,), **more))


def test_a_short_hint_waits_for_pieces_and_not_for_long_hints():
    async def play(pool: SearchPool) -> None:
        long = [asyncio.create_task(think(pool, "greedy", 60.0, f"seat {i}")) for i in range(8)]
        await asyncio.sleep(5)
        assert await think(pool, "modest", 0.1) <= PIECE_S + 0.15
        for one in long:
            one.cancel()

    on_two(play)


def test_callers_get_the_same_time_however_many_hints_they_have():
    async def play(pool: SearchPool) -> None:
        done: Counter[str] = Counter()

        async def ask(caller: str) -> None:
            while True:
                await think(pool, caller, 0.1)
                done[caller] += 1

        asking = [asyncio.create_task(ask(caller)) for caller in ["many"] * 6 + ["two"] * 2]
        await asyncio.sleep(30)
        assert 0.9 < done["many"] / done["two"] < 1.1 and done.total() > 550
        for one in asking:
            one.cancel()

    on_two(play)


def test_of_tables_whose_bots_think_for_minutes_another_hears_nothing():
    """Forty tables keep two threads busy; one with short searches waits for a turn at most."""
    async def play(pool: SearchPool) -> None:
        greedy = [bot(pool, f"table {i % 40}", 60.0) for i in range(160)]
        await asyncio.sleep(25)     # each has had a turn
        for _ in range(5):
            began = now()
            assert await bot(pool, "modest", 0.1) == pytest.approx(0.1, abs=0.02)
            assert now() - began < 1.2
            await asyncio.sleep(1)
        for one in greedy:
            one.cancel()

    on_two(play)


def test_a_bot_that_holds_nobody_up_thinks_as_long_as_it_likes():
    async def play(pool: SearchPool) -> None:
        alone = bot(pool, "a", 60.0)
        await asyncio.sleep(20)
        other = bot(pool, "b", 60.0)
        assert await alone == pytest.approx(60.0, abs=0.05)
        assert await other == pytest.approx(60.0, abs=0.05)

    on_two(play)


def test_a_bot_has_its_turn_before_it_gives_way_and_a_lighter_table_goes_on():
    async def play(pool: SearchPool) -> None:
        pool._lanes[Lane.BOT].used.add(("heavy",), 50.0, now())
        light = bot(pool, "light", 10.0)
        heavy, more = bot(pool, "heavy", 10.0), bot(pool, "heavy", 10.0)
        await asyncio.sleep(0)
        new = bot(pool, "new", 0.5)
        assert await heavy == pytest.approx(1.0, abs=0.03)      # its turn
        assert await new == pytest.approx(0.5, abs=0.03)
        assert await light == pytest.approx(10.0, abs=0.03)     # the one that waits has used more
        assert await more == pytest.approx(10.0, abs=0.03)

    on_two(play)


def test_where_nobody_looks_time_counts_more():
    async def play(pool: SearchPool) -> None:
        done: Counter[str] = Counter()

        async def go_on(table: str, weight: float) -> None:
            while True:
                await bot(pool, table, 0.1, weight=weight)
                done[table] += 1

        tasks = [asyncio.create_task(go_on(table, weight)) for table, weight in (("seen", 1.0), ("unseen", 4.0)) for _ in range(4)]
        await asyncio.sleep(20)
        assert 3.4 < done["seen"] / done["unseen"] < 4.6
        for task in tasks:
            task.cancel()

    on_two(play)


def test_when_it_is_full_the_latest_of_who_has_most_makes_room():
    async def play(pool: SearchPool) -> None:
        many = [asyncio.create_task(think(pool, "many", 60.0)) for _ in range(4)]
        await asyncio.sleep(0.1)
        with pytest.raises(ApiError, match="calls wait already"):
            await think(pool, "many", 0.1)
        assert await think(pool, "one", 0.1) < 0.5
        assert isinstance(many[3].exception(), ApiError)        # it had not begun
        await asyncio.sleep(1)
        with pool.hint(("one", "")), pool.hint(("two", "")):
            await asyncio.sleep(0.5)
            assert isinstance(many[2].exception(), QueueTimeout)        # it had, and answers with what it has
            with pytest.raises(ApiError), pool.hint(("one", "")):
                pass
        assert not many[0].done() and not many[1].done()
        many[0].cancel(), many[1].cancel()

    on_two(play, queue=2)


def test_at_the_end_who_has_not_begun_hears_at_once_and_who_has_goes_on():
    async def play(pool: SearchPool) -> None:
        begun = [asyncio.create_task(think(pool, name, 0.2)) for name in "ab"]
        await asyncio.sleep(0.05)
        waiting = [asyncio.create_task(think(pool, name, 0.2)) for name in "cd"]
        await asyncio.sleep(0.05)
        pool.drain()
        left = now()
        for task in (*waiting, asyncio.create_task(think(pool, "e", 0.2))):
            with pytest.raises(ApiError, match="shutting down"):
                await task
        assert now() == left
        assert await asyncio.gather(*begun) == pytest.approx([0.2, 0.2], abs=0.05)

    on_two(play)


def test_at_the_end_a_hint_that_was_let_in_and_waits_for_nobody_yet_hears_at_once():
    async def play(pool: SearchPool) -> None:
        with pool.hint(("a", "")) as hint:
            pool.drain()
            with pytest.raises(ApiError, match="shutting down"):
                await hint.run(lambda stop: None)

    on_two(play)


def test_what_was_used_is_forgotten_and_those_who_have_used_nothing_are_not_kept():
    used = Usage()
    line: Line[str] = Line(used)
    used.add(("old",), 10.0, 0.0)
    used.add(("new",), 2.0, 120.0)      # of the ten less than one is left
    for claims in (("new",), ("old",), ("never",)):
        line.put(claims, claims[0])
    order = []
    while (turn := line.next()) is not None:
        order.append(line.take(turn))
    assert order == ["never", "old", "new"] and not len(line)
    for number in range(1000):
        used.add((str(number),), 0.5, 200.0)
    used.add(("last",), 1.0, 2000.0)
    assert len(used) == 1


@pytest.mark.asyncio
async def test_a_hint_beside_bots_that_think_for_a_minute(tmp_path):
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=2, grace_s=0.5, bot_turn_ms=50,
                          pacing=Pacing(answer_ms=None))
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        for seed in range(40):
            await house.table("leduc", seed=seed, bots=dict.fromkeys(range(2), "search:time_ms=60000"))
        player = await (await house.table("kuhn")).claim(0)
        took = []
        for _ in range(5):
            began = time.monotonic()
            hint = await player.suggest(budget=Budget(time_ms=100), timeout=30)
            took.append(time.monotonic() - began)
            assert hint.iterations > 1
        assert min(took) < 5.0, took        # and not a minute, however busy this machine is
        bots = await house.table("kuhn", seed=1, bots=dict.fromkeys(range(2), "search:iterations=200"))
        await bots.finished(60)     # three decisions, each of which waits for a turn at most
