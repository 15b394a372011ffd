"""Tables in memory: a list of tables takes none of them there, and nobody's tables leave it."""
from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from figures import started
from playing import play_on
from seatmate.server import live, tables_in_memory
from seatmate.server.config import Pacing
from seatmate.server.rows import StoredTable
from seatmate.v1 import table_pb2
from seatmate.v1 import table_service_pb2 as pb

pytestmark = pytest.mark.asyncio

OPEN = table_pb2.ACCESS_OPEN


def running(tmp_path, **more):
    return started(tmp_path, pacing=Pacing(answer_ms=None), web=False, **more)


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables that were replayed."""
    found: list[str] = []
    take: Callable[..., None] = live.LiveTable.take

    def note(self: live.LiveTable, stored: StoredTable) -> None:
        found.append(f"tables/{stored.table.id}")
        take(self, stored)

    monkeypatch.setattr(live.LiveTable, "take", note)
    return found


async def test_a_list_takes_no_table_into_memory_and_is_up_to_date(tmp_path, replays):
    async with running(tmp_path) as (_, house):
        made = [await house.table("connect_four", access=OPEN) for _ in range(6)]
        players = [await table.claim_all() for table in made]
        await play_on(players[0], 60)
        before = {table.name: await table.get() for table in made}
    async with running(tmp_path, cached_tables=2) as (server, house):
        kept = house.at(made[5])
        await kept.get()
        replays.clear()

        async def listed() -> dict[str, table_pb2.Table]:
            return {table.name: table for table in (await house.client.tables.ListTables(pb.ListTablesRequest())).tables}

        assert await listed() == before
        assert await listed() == before
        assert sorted(replays) == sorted(table.name for table in made[:5])      # each once
        assert server._tables.in_memory == 1 and made[5].name.removeprefix("tables/") in server._tables._live
        await house.of(players[1][0]).act()
        await house.of(players[2][0]).leave(bot="random")
        await house.at(made[3]).delete()
        after = await listed()
        assert after.keys() == before.keys() - {made[3].name}
        for number in (1, 2):
            assert after[made[number].name] != before[made[number].name]
            assert after[made[number].name] == await house.at(made[number]).get()
        assert after[made[0].name] == before[made[0].name]


async def test_tables_that_nobody_uses_leave_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(tables_in_memory, "_FINISHED_S", 0.1)
    monkeypatch.setattr(tables_in_memory, "_IDLE_S", 0.5)
    async with running(tmp_path) as (server, house):
        over = await house.table("tic_tac_toe", bots={0: "random", 1: "random"})
        await over.finished()
        asked, watched = await house.table("kuhn"), await house.table("kuhn")
        stream = watched.watch(include_table=True)
        await stream.read()
        await asyncio.sleep(0.2)
        server._tables.sweep()
        names = {f"tables/{table_id}" for table_id in server._tables._live}
        assert names == {asked.name, watched.name}
        await asyncio.sleep(0.5)
        server._tables.sweep()
        assert {f"tables/{table_id}" for table_id in server._tables._live} == {watched.name}
        assert (await asked.get()).name == asked.name       # and is there again
        assert (await over.export()).complete


async def test_a_long_log_is_replayed_beside_other_calls(tmp_path, monkeypatch):
    monkeypatch.setattr(tables_in_memory, "_MOST_AT_ONCE", 5)
    async with running(tmp_path) as (_, house):
        table = await house.table("hyde", seats=2, seed=1)
        players = await table.claim_all()
        await play_on(players, 30)
        seen = [await player.observe() for player in players]
    async with running(tmp_path) as (_, house):
        assert [await house.of(player).observe() for player in players] == seen
        await play_on([house.of(player) for player in players], 5)
