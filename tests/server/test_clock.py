"""The clock of people who think: what it charges, who answers when it is up, and that it tells nobody's secrets."""
from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from grpc import StatusCode

from clockwork import WRITE_S, Memory, Room, run, wall, watch
from playing import House, Player, drain, refused, two_houses
from seatmate.client import connect
from seatmate.engine.core.registry import new_game
from seatmate.server import clock, tables
from seatmate.server.auth import hash_token
from seatmate.server.config import Pacing, ServerConfig
from seatmate.server.convert import table_to_message
from seatmate.server.live import LiveTable
from seatmate.server.rows import ClockRow, SeatRow
from seatmate.server.service import running_server
from seatmate.v1 import table_pb2
from seatmate.v1.table_pb2 import Clock, PassWindow, Seat, SeatTime

__all__ = ["wall"]      # the fixture

TOKEN = "t" * 43
ANSWER_S = 0.05
PACING = Pacing(answer_ms=50)
SPENT = ClockRow(move_ms=1_000, reserve_ms=2_000, increment_ms=100, bot="heuristic", hands_over=False)
OVER = ClockRow(move_ms=800, reserve_ms=200, increment_ms=0, bot="heuristic", hands_over=True)


def now() -> float:
    return asyncio.get_running_loop().time()


async def dealt(game: str, row: ClockRow, memory: Memory) -> tuple[Room, LiveTable]:
    """A table of two people, from now on."""
    room = Room(memory, pacing=PACING)
    table = await room.open(new_game(game, seats=2), {}, clock=row)
    await room.tables._seat(table, [
        SeatRow(seat=seat, holder="player", token_hash=hash_token(TOKEN)) for seat in range(2)])
    return room, table


async def act(room: Room, table: LiveTable, seat: int) -> None:
    await room.tables.submit(table, seat, TOKEN, min(table.state.legal_actions(seat)), table.state.sequence(seat), None)


def left(table: LiveTable) -> list[int]:
    return [row.left_ms for row in table.times]


# ---- What it charges, and who answers: on a clock that does not wait ----

def test_the_time_of_a_step_is_free_and_what_is_beyond_comes_from_the_reserve(wall: SimpleNamespace) -> None:
    async def play() -> None:
        memory = Memory()
        room, table = await dealt("connect_four", SPENT, memory)
        await asyncio.sleep(0.9)
        await act(room, table, 0)
        assert left(table) == [2_100, 2_000]
        await asyncio.sleep(1.5)
        assert left(table) == [2_100, 2_000]            # it is stored, and told, when something has been seen
        assert table_to_message(table).seats[1].time.up_time.ToMicroseconds() == table.wall_us(table.opened_at + 3.0)
        assert not table_to_message(table).seats[0].time.HasField("up_time")
        await act(room, table, 1)
        assert left(table) == [2_100, 2_000 - 500 + 100]
        assert memory.times == table.times
        await room.stop()

    run(play())


@pytest.mark.parametrize("leaves", [False, True])
def test_when_the_time_is_up_a_bot_answers_as_if_it_had_been_asked_then(wall: SimpleNamespace, leaves: bool) -> None:
    """Also for who has left his seat to nobody."""
    async def play() -> None:
        room, table = await dealt("connect_four", SPENT, Memory())
        began = now()
        if leaves:
            await asyncio.sleep(0.5)
            await room.tables.leave(table, 0, TOKEN, None)
        seen = await watch(table, steps=1)
        assert seen.at[1] - began == pytest.approx(3.0 + ANSWER_S + WRITE_S)
        assert left(table) == [100, 2_000]
        assert table.seats[0].holder == ("open" if leaves else "player")
        await room.stop()

    run(play())


def test_a_bot_takes_the_seat_over_until_the_player_comes_back_with_his_token(wall: SimpleNamespace) -> None:
    async def play() -> None:
        room, table = await dealt("connect_four", OVER, Memory())
        began = now()
        seen = await watch(table, steps=1)
        assert seen.at[1] - began == pytest.approx(1.0 + ANSWER_S + WRITE_S)
        assert (table.seats[0].holder, table.seats[0].bot) == ("bot", "heuristic")
        assert left(table)[0] == 0
        row, token = await room.tables.claim(table, 0, TOKEN, "Ada")
        assert (row.holder, row.return_hash) == ("player", None) and token != TOKEN
        await room.stop()

    run(play())


def test_a_clock_that_nobody_stops_plays_the_game_to_its_end(wall: SimpleNamespace) -> None:
    async def play() -> None:
        for game in ("hyde", "goofspiel", "hundred_days"):
            room, table = await dealt(game, SPENT, Memory())
            await watch(table)
            assert table.state.is_over and all(seat.holder == "player" for seat in table.seats)
            await room.stop()

    run(play())


def test_it_stands_until_somebody_sits_down_and_is_not_wound_up_by_leaving(wall: SimpleNamespace) -> None:
    async def play() -> None:
        room = Room(Memory(), pacing=PACING)
        table = await room.open(new_game("connect_four"), {}, clock=OVER)
        await asyncio.sleep(100.0)
        assert table.shown == 0 and not table_to_message(table).seats[0].HasField("time")
        _, token = await room.tables.claim(table, 0, None, "")
        up = clock.time_up(table, 0)
        assert up == pytest.approx(now() + 1.0, abs=1e-3)
        for _ in range(2):
            await asyncio.sleep(0.3)
            _, back = await room.tables.leave(table, 0, token, None)
            _, token = await room.tables.claim(table, 0, back, "")
        assert clock.time_up(table, 0) == up
        await room.stop()

    run(play())


@pytest.mark.parametrize("away_s", [0.0, 3_600.0])
def test_a_restart_costs_no_time_and_the_reserve_is_kept(wall: SimpleNamespace, away_s: float) -> None:
    async def play() -> None:
        memory = Memory()
        room, table = await dealt("connect_four", SPENT, memory)
        await asyncio.sleep(1.8)
        await act(room, table, 0)
        await asyncio.sleep(2.9)
        await room.stop()
        wall.away_us += int(away_s * 1e6)
        room = Room(memory, pacing=PACING)
        async with room.tables.use(table.id) as again:
            assert left(again) == [2_000 - 800 + 100, 2_000]
            assert clock.time_up(again, 1) == pytest.approx(now() + 3.0, abs=1e-3)
            await room.tables.resume()
            began = now()
            assert (await watch(again, steps=1)).at[1] - began == pytest.approx(3.0 + ANSWER_S + WRITE_S, abs=1e-3)
        await room.stop()

    run(play())


# ---- What it tells ----

async def of_a_secret_step(answers_after: float | None) -> list[tuple[float, list[int], list[SeatTime]]]:
    """What everybody sees while seat 1 never answers, and seat 0 does in secret after a time, or never."""
    room, table = await dealt("goofspiel", SPENT, Memory())
    assert table.state.asked == (0, 1)
    out = []

    def shown() -> list[SeatTime]:
        return [seat.time for seat in table_to_message(table).seats]

    async def look() -> None:
        while not table.shown:
            changed = table.changed
            out.append((now(), left(table), shown()))
            await live_wait(changed)
        out.append((now(), left(table), []))

    async def live_wait(changed: asyncio.Event) -> None:
        await asyncio.wait([asyncio.create_task(changed.wait())], timeout=0.7)

    looking = asyncio.create_task(look())
    if answers_after is not None:
        await asyncio.sleep(answers_after)
        await act(room, table, 0)
    await looking
    await room.stop()
    # A look in between, because something was stored, is no news: it says what the one before it has said.
    return [one for number, one in enumerate(out) if number == 0 or one[1:] != out[number - 1][1:]]


def secret_steps() -> list[Any]:
    return [run(of_a_secret_step(after)) for after in (0.2, 2.0, None)]


def test_who_has_answered_in_secret_is_charged_as_who_has_not(wall: SimpleNamespace) -> None:
    early, late, never = secret_steps()
    assert early == late
    assert [one[1:] for one in early] == [one[1:] for one in never]
    assert early[-1][0] == pytest.approx(never[-1][0], abs=2 * WRITE_S)       # a second answer of the same moment was stored
    assert early[-1][1] == [100, 100]


def test_charging_by_the_secret_answer_would_be_noticed(wall: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(table: LiveTable, seat: int, action: int, at: float) -> Any:
        return [clock._spent(table, seat, at)]      # each for what it has taken itself

    monkeypatch.setattr(tables, "charged", leaky)
    early, _, never = secret_steps()
    assert [one[1:] for one in early] != [one[1:] for one in never]


# ---- Over gRPC ----

@pytest.mark.asyncio
@pytest.mark.parametrize(("wrong", "field", "words"), [
    (Clock(), "clock.move_ms", "nobody answers within 100"),
    (Clock(move_ms=-1), "clock.move_ms", "-1 is outside 0..604800000"),
    (Clock(move_ms=100, reserve_ms=-1), "clock.reserve_ms", "outside"),
    (Clock(move_ms=100, increment_ms=604_800_001), "clock.increment_ms", "outside"),
    (Clock(move_ms=499), "clock.move_ms", "less than pass_window.most_ms, 500")])
async def test_wrong_clocks_are_refused(house: House, wrong: Clock, field: str, words: str) -> None:
    async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", words, field=field):
        await house.table("titans", seats=2, clock=wrong, pass_window=PassWindow(least_ms=500, most_ms=500))
    async with refused(StatusCode.INVALID_ARGUMENT, "UNKNOWN_BOT", "no bot is called 'genius'", field="clock.bot"):
        await house.table("titans", seats=2, clock=Clock(move_ms=100, bot="genius"))


@pytest.mark.asyncio
async def test_tables_show_the_clock_and_keep_it_over_a_restart(database: str) -> None:
    config = ServerConfig(address="127.0.0.1:0", database=database, web=False, pacing=Pacing(answer_ms=0))
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        table = await house.table("connect_four", clock=Clock(move_ms=0, reserve_ms=60_000, increment_ms=500))
        assert (await table.get()).clock == Clock(reserve_ms=60_000, increment_ms=500, bot="heuristic")
        players = await table.claim_all()
        stream = table.watch(include_table=True)
        first = (await stream.read()).table
        assert [seat.time.reserve_ms for seat in first.seats] == [60_000, 60_000]
        assert [seat.time.HasField("up_time") for seat in first.seats] == [True, False]
        await asyncio.sleep(0.2)
        await players[0].act()
        while not (step := await stream.read()).HasField("table"):
            pass
        stream.cancel()
        assert [seat.time.HasField("up_time") for seat in step.table.seats] == [False, True]
        assert 30_500 < step.table.seats[0].time.reserve_ms <= 60_300
        gone = await house.table("kuhn", clock=Clock(move_ms=1_000))
        await gone.delete()
    async with running_server(config) as address, connect(address) as client:
        kept = await House(client, address).at(table).get()
        assert kept.seats[0].time == SeatTime(reserve_ms=step.table.seats[0].time.reserve_ms)
        assert kept.seats[1].time.up_time.ToMicroseconds() > step.table.seats[1].time.up_time.ToMicroseconds()
        player = House(client, address).of(players[1])
        await player.act()


@pytest.mark.asyncio
async def test_who_loses_a_seat_to_the_clock_hears_that_it_can_be_had_back(house: House) -> None:
    table = await house.table("kuhn", bots={1: "random"}, clock=Clock(move_ms=100, bot="random", hands_over=True))
    player = await table.claim(0)
    async with asyncio.timeout(20):
        while (await table.get()).seats[0].holder == Seat.HOLDER_PLAYER:
            await asyncio.sleep(0.05)
    async with refused(StatusCode.PERMISSION_DENIED, "SEAT_LOST", "gives it back"):
        await player.submit(0, 1)
    back = await table.claim(0, player.token)
    await back.leave()
    async with refused(StatusCode.PERMISSION_DENIED, "SEAT_LOST", "given up"):
        await back.submit(0, 1)


@pytest.mark.asyncio
async def test_damage_of_a_clock_is_told(tmp_path: Path) -> None:
    database = tmp_path / "t.sqlite3"
    config = ServerConfig(address="127.0.0.1:0", database=str(database), web=False)
    wrong = ["update clocks set bot = ''", "update clocks set move_ms = 'x'", "update clocks set hands_over = 2",
             "update seat_times set left_ms = -1", "update seat_times set since_us = 'x'", "delete from seat_times",
             "update seat_times set seat = seat + 1"]
    async with running_server(config) as address, connect(address) as client:
        damaged = [await House(client, address).table("kuhn", clock=Clock(move_ms=1_000)) for _ in wrong]
    with sqlite3.connect(database) as db:
        for statement, table in zip(wrong, damaged, strict=True):
            order = "order by seat desc" if "seat + 1" in statement else ""
            for row in db.execute(f"select rowid from {statement.split()[2 if 'delete' in statement else 1]} "
                                  f"where table_id = ? {order}", [table.name.removeprefix("tables/")]).fetchall():
                db.execute(f"{statement} where rowid = ?", row)
    db.close()
    async with running_server(config) as address, connect(address) as client:
        for table in damaged:
            found = await House(client, address).at(table).get()
            assert found.state == table_pb2.Table.STATE_DAMAGED
            assert "clock" in found.unreadable_reason or "time" in found.unreadable_reason


@pytest.mark.asyncio
async def test_one_of_two_servers_answers_when_the_time_is_up_and_both_know_the_times(postgres: Callable[[], str]) -> None:
    async with two_houses(postgres()) as houses:
        made = [await houses[0].table("connect_four", bots={1: "heuristic"}, clock=Clock(
            move_ms=300, reserve_ms=1_000, increment_ms=50, hands_over=True)) for _ in range(4)]
        players: list[Player] = [await table.claim(0) for table in made]
        async with asyncio.timeout(30):
            await asyncio.gather(*(drain(house.at(table).watch()) for table in made for house in houses))
        for table, player in zip(made, players, strict=True):
            here, there = [await house.at(table).get() for house in houses]
            assert here == there
            assert (here.seats[0].holder, here.seats[0].time.reserve_ms) == (Seat.HOLDER_BOT, 0)
            assert (await houses[1].at(table).claim(0, player.token)).seat == player.seat
