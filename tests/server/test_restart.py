"""Kill the server, start it, go on playing: no acknowledged action and no table is ever lost."""
from __future__ import annotations

import asyncio
import contextlib
import signal
import sqlite3

import grpc
import pytest
from grpc import StatusCode

from playing import GAMES, House, drain, play_on, refused
from processes import born, die, kill, mother, process
from seatmate.client import connect
from seatmate.server.config import ServerConfig
from seatmate.server.service import running_server
from seatmate.v1 import analysis_pb2, table_pb2

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("game", GAMES)
async def test_a_killed_server_goes_on_where_it_was(tmp_path, game):
    database = tmp_path / "t.sqlite3"
    async with process(database, tmp_path) as (server, address), connect(address) as client:
        table = await House(client, address).table(game, seats=2, seed=4)
        players = await table.claim_all()
        await play_on(players, decisions=2 if game == "kuhn" else 40, choose=max)
        before = [await player.export() for player in players]
        await kill(server)
    async with process(database, tmp_path) as (server, address), connect(address) as client:
        house = House(client, address)
        players = [house.of(player) for player in players]
        assert [await player.export() for player in players] == before
        assert (await players[0].observe()).sequence == len(before[0].events)
        await play_on(players, choose=max)
        state = await house.at(table).finished()
        assert state.is_over
        assert state.seed == 4


async def test_whatever_was_acknowledged_before_a_kill_is_there(tmp_path):
    """Kill at an arbitrary moment while many tables are being played."""
    database = tmp_path / "t.sqlite3"
    game = "hyde"
    acknowledged: dict[str, int] = {}
    players = {}
    async with process(database, tmp_path) as (server, address), connect(address) as client:
        house = House(client, address)

        async def play() -> None:
            while True:
                table = await house.table(game, seats=2)
                both = await table.claim_all()
                for player in both:
                    players[player.seat] = player
                while not (await both[0].observe()).HasField("result"):
                    for player in both:
                        legal = await player.legal()
                        if legal.actions:
                            answer = await player.submit(legal.actions[-1].id, legal.sequence)
                            acknowledged[player.seat] = answer.sequence

        playing = [asyncio.create_task(play()) for _ in range(4)]
        async with asyncio.timeout(120):
            while len(acknowledged) < 8:
                await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)
        await kill(server)
        ends = await asyncio.gather(*playing, return_exceptions=True)
        assert all(isinstance(end, grpc.aio.AioRpcError) and end.code() == StatusCode.UNAVAILABLE for end in ends), ends
    async with process(database, tmp_path) as (server, address), connect(address) as client:
        house = House(client, address)
        for seat, sequence in acknowledged.items():
            assert (await house.of(players[seat]).observe()).sequence >= sequence


async def test_bots_take_up_their_game_by_themselves_after_a_kill(tmp_path):
    database = tmp_path / "t.sqlite3"
    game = "hyde"
    async with process(database, tmp_path) as (server, address), connect(address) as client:
        bots = {0: "search:iterations=20", 1: "random"}
        table = await House(client, address).table(game, seats=2, bots=bots, pace_ms=40)
        await asyncio.sleep(0.06)
        await kill(server)
    with contextlib.closing(sqlite3.connect(database)) as db:
        before = db.execute("select count(*) from actions").fetchone()[0]
        db.execute("update seats set pace_ms = 0")
        db.commit()
    async with process(database, tmp_path) as (server, address):
        async with asyncio.timeout(120):
            while True:     # nobody asks the service anything
                with contextlib.closing(sqlite3.connect(database)) as db:
                    if db.execute("select finished from tables").fetchone()[0]:
                        break
                await asyncio.sleep(0.05)
        async with connect(address) as client:
            state = await House(client, address).at(table).finished()
    assert len(state.actions) > before


async def test_a_repeatable_table_is_repeatable_across_a_kill(tmp_path):
    game = "hyde"
    bots = {0: "search:iterations=10", 1: "random"}
    records = []
    for killed in (False, True):
        address = f"unix:{tmp_path}/{killed}"
        async with mother(tmp_path / f"{killed}.sqlite3", address) as servers:
            server = await born(servers)
            async with connect(address) as client:
                table = await House(client, address).table(game, seats=2, seed=6, bots=bots, pace_ms=5)
                if killed:
                    await asyncio.sleep(0.1)
                    await die(servers, server)
                    await born(servers)
            async with connect(address) as client:
                records.append((await House(client, address).at(table).finished()).record)
    assert records[0] == records[1]


async def test_a_terminated_server_ends_its_streams_and_exits_with_0(tmp_path):
    database = tmp_path / "t.sqlite3"
    async with process(database, tmp_path) as (server, address), connect(address) as client:
        table = await House(client, address).table("kuhn")
        player = await table.claim(0)
        stream = player.watch()
        seen = list((await stream.read()).events)
        analysis = asyncio.create_task(player.suggest(budget=analysis_pb2.Budget(time_ms=3_000)))
        await asyncio.sleep(1)
        server.send_signal(signal.SIGTERM)
        async with refused(StatusCode.UNAVAILABLE, "SHUTTING_DOWN", "last sequence"):
            await drain(stream)
        assert (await analysis).elapsed_ms > 2_900      # what was running may finish
        assert await asyncio.wait_for(server.wait(), 60) == 0
    async with process(database, tmp_path) as (server, address), connect(address) as client:
        house = House(client, address)
        again = house.of(player).watch(seen[-1].sequence)
        await house.of(player).act()
        assert (await again.read()).events[0].sequence == seen[-1].sequence + 1
        again.cancel()


@pytest.mark.parametrize(("change", "words"), [
    ("update tables set rules_version = 99 where id = :id", "rules version 99"),
    ("""update tables set settings = replace(settings, '"pack_hash": "', '"pack_hash": "0') where id = :id""",
     "has changed"),
    ("""update tables set game = 'khun', settings = replace(settings, 'kuhn', 'khun') where id = :id""", "khun"),
])
async def test_a_log_of_other_rules_or_content_is_refused_and_harms_no_other_table(tmp_path, change, words):
    database = tmp_path / "t.sqlite3"
    config = ServerConfig(address="127.0.0.1:0", database=str(database), workers=1)
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        odd, good = await house.table("kuhn"), await house.table("kuhn")
        player, other = await odd.claim(0), await good.claim(0)
        await odd.fill({1: "random"}, pace_ms=60_000)
        await player.act()
    with contextlib.closing(sqlite3.connect(database)) as db:
        assert db.execute(change, {"id": odd.name.removeprefix("tables/")}).rowcount == 1
        db.commit()
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        for call in (house.of(player).observe(), house.of(player).submit(0, 3), house.at(odd).claim(1)):
            async with refused(StatusCode.FAILED_PRECONDITION, "OTHER_RULES_OR_CONTENT", words):
                await call
        found = await house.at(odd).get()
        assert found.state == table_pb2.Table.STATE_UNREADABLE
        assert words in found.unreadable_reason
        await house.of(other).act()
        await house.at(odd).delete()
        async with refused(StatusCode.NOT_FOUND, "TABLE_NOT_FOUND"):
            await house.at(odd).get()


async def test_tables_beyond_the_cache_are_loaded_again(tmp_path):
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1, cached_tables=2)
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        tables = [await house.table("kuhn", seed=n) for n in range(6)]
        players = [await table.claim_all() for table in tables]
        for both in players:
            await both[0].act()
        for both, table in zip(players, tables, strict=True):
            await play_on(both)
            assert (await table.finished()).is_over




async def test_a_terminated_server_keeps_nobody_waiting(tmp_path):
    """An analysis ends with its next snapshot, and the server is gone long before its grace time is over."""
    async with process(tmp_path / "t.sqlite3", tmp_path) as (server, address), connect(address) as client:
        players = [(await (await House(client, address).table("kuhn")).claim_all())[0] for _ in range(3)]
        streams = [player.analyze(budget=analysis_pb2.Budget(time_ms=50_000), interval_ms=50) for player in players]
        for stream in streams:
            await stream.read()
        server.send_signal(signal.SIGTERM)
        began = asyncio.get_running_loop().time()
        for stream in streams:
            async with refused(StatusCode.UNAVAILABLE, "SHUTTING_DOWN", "ask the next one"):
                while await stream.read() is not grpc.aio.EOF:
                    pass
        assert await asyncio.wait_for(server.wait(), 60) == 0
        assert asyncio.get_running_loop().time() - began < 4.0        # of the five that it has
