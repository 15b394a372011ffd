"""Tables whose time is over are deleted, if the server was told so: by the last action, never while somebody looks."""
from __future__ import annotations

import asyncio
import contextlib
import sqlite3

import pytest
import sqlalchemy as sa
from grpc import StatusCode

from figures import started
from playing import play_on, refused
from seatmate.server import expiry
from seatmate.server.expiry import Expiry
from seatmate.server.storage import now_us

pytestmark = pytest.mark.asyncio

DAY_US = 86_400_000_000


def age(tmp_path, table, days: float) -> None:
    """Let everything at the table have happened so long ago."""
    with contextlib.closing(sqlite3.connect(tmp_path / "t.sqlite3")) as db:
        when, table_id = now_us() - round(days * DAY_US), table.name.removeprefix("tables/")
        db.execute("update tables set created_us = ? where id = ?", (when, table_id))
        db.execute("update actions set written_us = ? where table_id = ?", (when, table_id))
        db.commit()


async def there(house, table) -> bool:
    try:
        await house.at(table).get()
    except Exception as error:
        assert "TABLE_NOT_FOUND" in repr(error) or "there is no table" in repr(error)
        return False
    return True


@pytest.mark.parametrize(("finished_days", "idle_days", "gone"), [
    (0, 0, set()), (2, 0, {"old over"}), (0, 2, {"old idle"}), (2, 2, {"old over", "old idle"}), (0.1, 5, {"old over", "over"})])
async def test_each_kind_has_its_time(tmp_path, finished_days, idle_days, gone):
    settings = {"delete_finished_days": finished_days, "delete_idle_days": idle_days}
    async with started(tmp_path, workers=1, **settings) as (server, house):
        tables = {}
        for name, days in (("old over", 3), ("over", 1 / 4), ("old idle", 3), ("idle", 1)):
            tables[name] = await house.table("kuhn")
            players = await tables[name].claim_all()
            await play_on(players, 10 if "over" in name else 1)
            age(tmp_path, tables[name], days)
        await asyncio.sleep(0.1)
        assert await Expiry(server._storage, server._tables, server.config).sweep() == len(gone)
        assert {name for name, table in tables.items() if not await there(house, table)} == gone


async def test_who_looks_keeps_a_table_and_an_action_renews_it(tmp_path):
    async with started(tmp_path, workers=1, delete_idle_days=2) as (server, house):
        watched, renewed, left = [await house.table("kuhn") for _ in range(3)]
        players = [await table.claim_all() for table in (watched, renewed, left)]
        for table in (watched, renewed, left):
            age(tmp_path, table, 10)
        await players[1][0].act()
        stream = watched.watch()
        await stream.read()
        sweeper = Expiry(server._storage, server._tables, server.config)
        assert await sweeper.sweep() == 1
        assert [await there(house, table) for table in (watched, renewed, left)] == [True, True, False]
        stream.cancel()
        await asyncio.sleep(0.2)
        assert await sweeper.sweep() == 1
        assert not await there(house, watched)
        async with refused(StatusCode.NOT_FOUND, "TABLE_NOT_FOUND"):
            await players[2][0].legal()


async def test_damaged_times_are_no_reason(tmp_path):
    async with started(tmp_path, workers=1, delete_idle_days=1) as (server, house):
        tables = [await house.table("kuhn") for _ in range(5)]
        with contextlib.closing(sqlite3.connect(tmp_path / "t.sqlite3")) as db:
            for table, when in zip(tables, ("soon", -1, 17, b"\xff", 2**62), strict=True):
                db.execute("update tables set created_us = ? where id = ?", (when, table.name.removeprefix("tables/")))
            db.commit()
        assert await Expiry(server._storage, server._tables, server.config).sweep() == 0


async def test_others_tables_are_theirs(tmp_path):
    """Of several servers on one database the one deletes a table that plays its bots."""
    async with started(tmp_path, workers=1, delete_idle_days=1) as (server, house):
        tables = [await house.table("kuhn") for _ in range(4)]
        for table in tables:
            age(tmp_path, table, 10)
        ours = {tables[0].name.removeprefix("tables/"), tables[2].name.removeprefix("tables/")}
        server._tables.drives = ours.__contains__
        assert await Expiry(server._storage, server._tables, server.config).sweep() == 2
        assert [await there(house, table) for table in tables] == [False, True, False, True]


async def test_who_looks_by_another_server_keeps_a_table(tmp_path, postgres):
    url = postgres()
    async with contextlib.AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(started(tmp_path, workers=1, database=url, delete_idle_days=2))
                   for _ in range(2)]
        async with asyncio.timeout(20):     # until they know each other
            while any(len(server._replicas._alive) < 2 for server, _ in servers):
                await asyncio.sleep(0.05)
        mine, other = [Expiry(server._storage, server._tables, server.config) for server, _ in servers]
        tables = [await servers[0][1].table("kuhn") for _ in range(12)]
        tables = [table for table in tables if servers[0][0]._tables.drives(table.name.removeprefix("tables/"))]
        engine = sa.create_engine(url)
        stack.callback(engine.dispose)

        def execute(statement: str) -> None:
            with engine.begin() as connection:
                connection.execute(sa.text(statement))

        streams = [servers[1][1].at(table).watch() for table in tables]
        for stream in streams:
            await stream.read()
        execute(f"update tables set created_us = {now_us() - 10 * DAY_US}")
        for table in servers[1][0]._tables._live.values():
            table.opened_at -= 100
        await other.beat()
        await mine.beat()
        assert await mine.sweep() == 0
        assert all([await there(servers[0][1], table) for table in tables])
        for stream in streams:
            stream.cancel()
        await asyncio.sleep(0.2)
        execute("update uses set seen = seen - interval '2 minutes'")
        await other.beat()
        assert await mine.sweep() == 0      # one beat may have been lost
        execute("update uses set seen = seen - interval '2 minutes'")
        await other.beat()
        assert await mine.sweep() == len(tables) > 0


async def test_a_server_does_it_by_itself_and_goes_on_when_the_database_fails(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(expiry, "_OFTEN_S", 0.05)
    monkeypatch.setattr(expiry, "_SELDOM_S", 0.05)
    async with started(tmp_path, workers=1, delete_idle_days=1) as (server, house):
        table, survey = await house.table("kuhn"), server._storage.survey
        failures: list[object] = []

        async def fail_first(wanted):
            if not failures:
                failures.append(wanted)
                raise RuntimeError("on purpose")
            return await survey(wanted)

        monkeypatch.setattr(server._storage, "survey", fail_first)
        age(tmp_path, table, 2)
        for _ in range(100):
            if not await there(house, table):
                break
            await asyncio.sleep(0.05)
        else:
            pytest.fail("the table is still there")
        assert failures and "could not be looked for" in caplog.text
