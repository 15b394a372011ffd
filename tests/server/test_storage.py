"""Writes: together, all or nothing each, people before bots, and on disk before anybody is told."""
from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import sqlite3
import stat
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from playing import Player, TableAt
from seatmate.client import connect
from seatmate.server import writer
from seatmate.server.config import Pacing, ServerConfig
from seatmate.server.rows import ActionRow, SeatRow, TableRow
from seatmate.server.service import running_server
from seatmate.server.storage import Storage
from seatmate.server.survey import Wanted
from seatmate.server.writer import Conflict

pytestmark = pytest.mark.asyncio

SETTINGS = {"game": "kuhn", "mode": "", "seats": 2, "options": {}, "pack": "", "pack_hash": ""}


def a_table(table_id: str) -> TableRow:
    return TableRow(id=table_id, settings=SETTINGS, rules_version=1, seed=1, display_name="", is_open=True,
                    token_hash=b"x" * 32, created_us=1)


@asynccontextmanager
async def stored(database: str, *table_ids: str) -> AsyncIterator[Storage]:
    storage = Storage(database)
    await storage.open()
    try:
        for table_id in table_ids:
            await storage.create(a_table(table_id), [SeatRow(seat=0), SeatRow(seat=1)])
        yield storage
    finally:
        await storage.close()


def on_disk(database: str) -> list[tuple[str, int, int]]:
    """As another process sees it: (table, number, action) in the order in which they were written."""
    engine = sa.create_engine(database)
    order = "rowid" if database.startswith("sqlite") else "ctid"
    with engine.connect() as connection:
        rows = connection.exec_driver_sql(f"select table_id, number, action from actions order by {order}").all()
    engine.dispose()
    return [tuple(row) for row in rows]


class Held:
    """The writer begins no transaction until it is let go; `commits` are the sizes of its groups."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = threading.Event()
        self.commits: list[int] = []
        commit = writer.Writer._commit

        def late(this: writer.Writer, group: list[writer._Write]) -> bool:
            assert self.gate.wait(20)
            self.commits.append(len(group))
            return commit(this, group)

        monkeypatch.setattr(writer.Writer, "_commit", late)


async def test_all_that_waits_is_one_transaction(database, monkeypatch):
    names = [f"t{number}" for number in range(40)]
    async with stored(database, *names) as storage:
        held = Held(monkeypatch)
        writes = [asyncio.create_task(storage.append(name, 0, ActionRow(seat=0, action=1))) for name in names]
        await asyncio.sleep(0.05)
        assert on_disk(database) == []
        assert not any(write.done() for write in writes)
        held.gate.set()
        await asyncio.gather(*writes)
        assert len(on_disk(database)) == 40
        assert len(held.commits) <= 2           # the first may have gone alone
        assert sum(held.commits) == 40


async def test_a_row_that_is_there_already_does_not_take_others_with_it(database, monkeypatch):
    async with stored(database, "a", "b", "c") as storage:
        await storage.append("b", 0, ActionRow(seat=0, action=7))
        held = Held(monkeypatch)
        writes = [asyncio.create_task(storage.append(name, 0, ActionRow(seat=1, action=1))) for name in ("a", "b", "c", "gone")]
        await asyncio.sleep(0.05)
        held.gate.set()
        found = await asyncio.gather(*writes, return_exceptions=True)
        assert [type(one) for one in found] == [type(None), Conflict, type(None), Conflict]
        assert sorted(on_disk(database)) == [("a", 0, 1), ("b", 0, 7), ("c", 0, 1)]


async def test_a_value_the_database_does_not_take_harms_its_own_write_alone(database, monkeypatch):
    async with stored(database, "a", "b") as storage:
        held = Held(monkeypatch)
        writes = [asyncio.create_task(storage.append(name, 0, ActionRow(seat=0, action=action)))
                  for name, action in (("a", 2**70), ("b", 1))]
        await asyncio.sleep(0.05)
        held.gate.set()
        found = await asyncio.gather(*writes, return_exceptions=True)
        assert isinstance(found[0], OverflowError | sa.exc.DataError)
        assert found[1] is None
        assert on_disk(database) == [("b", 0, 1)]


async def test_people_are_written_before_bots(database, monkeypatch):
    monkeypatch.setattr(writer, "_MOST_TOGETHER", 2)
    names = [f"t{number}" for number in range(7)]
    async with stored(database, *names) as storage:
        held = Held(monkeypatch)
        writes = [asyncio.create_task(storage.append(name, 0, ActionRow(seat=0, action=1), of_bot=number < 5))
                  for number, name in enumerate(names)]
        await asyncio.sleep(0.05)
        held.gate.set()
        await asyncio.gather(*writes)
        order = [name for name, _, _ in on_disk(database)]
        assert max(map(order.index, ("t5", "t6"))) < held.commits[0] + 2        # the first group may have gone before people came


async def test_a_seat_that_is_not_as_it_was_is_a_conflict(database):
    async with stored(database, "a") as storage:
        free, bot = SeatRow(seat=1), SeatRow(seat=1, holder="bot", bot="random")
        await storage.put_seats("a", [(free, bot)])
        player = SeatRow(seat=1, holder="player", token_hash=b"1" * 32)
        other, none = SeatRow(seat=0), SeatRow(seat=2)
        for changes in ([(free, bot)], [(other, replace(other, holder="bot", bot="random")), (none, none)]):
            with pytest.raises(Conflict):
                await storage.put_seats("a", changes)
        found = await storage.load("a")
        assert found is not None
        assert [seat.holder for seat in found.seats] == ["open", "bot"]      # all or nothing
        await storage.put_seats("a", [(bot, player)])
        with pytest.raises(Conflict):
            await storage.put_seats("a", [(SeatRow(seat=1, holder="player", token_hash=b"2" * 32), bot)])


async def test_a_commit_that_fails_is_told_to_all(database, monkeypatch):
    async with stored(database, "a", "b") as storage:
        def full(connection: sa.Connection) -> None:
            raise sa.exc.OperationalError("commit", {}, OSError("disk full"))

        sa.event.listen(storage._engine, "commit", full)
        writes = [storage.append(name, 0, ActionRow(seat=0, action=1)) for name in "ab"]
        found = await asyncio.gather(*writes, return_exceptions=True)
        assert [type(one) for one in found] == [sa.exc.OperationalError] * 2
        sa.event.remove(storage._engine, "commit", full)
        assert on_disk(database) == []
        await storage.append("a", 0, ActionRow(seat=0, action=2))           # and the thread lives on
        assert on_disk(database) == [("a", 0, 2)]


async def test_closing_writes_what_waits_and_who_leaves_does_not_stop_a_write(database):
    async with stored(database, "a", "b") as storage:
        gone = asyncio.create_task(storage.append("a", 0, ActionRow(seat=0, action=1)))
        await asyncio.sleep(0)
        gone.cancel()
        last = asyncio.create_task(storage.append("b", 0, ActionRow(seat=0, action=2)))
        await asyncio.sleep(0)
    await last
    assert on_disk(database) == [("a", 0, 1), ("b", 0, 2)]


async def test_the_database_is_for_its_user_alone(tmp_path):
    async with stored(f"sqlite:///{tmp_path}/t.sqlite3", "a"):
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert modes == dict.fromkeys(("t.sqlite3", "t.sqlite3-wal", "t.sqlite3-shm", "t.sqlite3.lock"), 0o600)


async def test_a_database_that_others_could_read_is_for_its_user_alone_again(tmp_path, caplog):
    """As a copy that was restored, with the log of a server that was killed."""
    file = tmp_path / "t.sqlite3"
    async with stored(f"sqlite:///{file}", "a"):
        for ending in ("", "-wal"):
            (tmp_path / f"restored{ending}").write_bytes(Path(f"{file}{ending}").read_bytes())
            (tmp_path / f"restored{ending}").chmod(0o644)
    assert not caplog.records
    (tmp_path / "link").symlink_to("restored")
    storage = Storage(f"sqlite:///{tmp_path}/link")
    await storage.open()
    try:
        for ending in ("", "-wal", "-shm"):
            assert stat.S_IMODE((tmp_path / f"restored{ending}").stat().st_mode) == 0o600, ending
        assert [(record.file, record.mode) for record in caplog.records] == [
            (str(tmp_path / f"restored{ending}"), "0644") for ending in ("", "-wal")]
        assert await storage.load("a") is not None
    finally:
        await storage.close()


async def test_a_database_that_others_can_read_for_ever_is_told(tmp_path, caplog, monkeypatch):
    (tmp_path / "t.sqlite3").touch(0o644)
    for change, why in [(lambda: monkeypatch.setattr(os, "geteuid", lambda: -1), "it belongs to another user"),
                        (lambda: monkeypatch.setattr(os, "chmod", refuse), "Operation not permitted")]:
        change()
        async with stored(f"sqlite:///{tmp_path}/t.sqlite3"):
            pass
        assert [record.why for record in caplog.records] == [why]
        assert "can read" in caplog.text
        caplog.clear()
        monkeypatch.undo()


def refuse(*_: object) -> None:
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))


async def test_a_database_made_before_clocks_take_backs_and_rematches_is_played_on(tmp_path):
    """Of layout 1 as its first version wrote it; the tokens are those that its calls answered."""
    file = tmp_path / "t.sqlite3"
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.executescript((Path(__file__).parent / "support" / "layout_1.sql").read_text("utf-8"))
        db.commit()
    config = ServerConfig(address="127.0.0.1:0", database=str(file), web=False, pacing=Pacing(answer_ms=0))
    async with running_server(config) as address, connect(address) as client:
        table = TableAt(client, "tables/208c126c98d2bd2b287f", "4DjidT993zuCX1qRmupef6Sh3c54oLvOXaFSnKXAYyo")
        found = await table.get()
        assert (found.display_name, found.seats[0].display_name, found.HasField("clock")) == ("before clocks", "Ada", False)
        assert [seat.HasField("time") for seat in found.seats] == [False, False]
        player = Player(client, f"{table.name}/seats/0", "H3cOChqAejnW5Mj_Pnxg3Jk7Z41D63y3cjQaitIYWzg")
        while (legal := await player.legal()).actions:
            await player.submit(legal.actions[0].id, legal.sequence)
            await asyncio.sleep(0.1)
        assert (await table.finished()).is_over


async def test_a_survey_finds_the_idle_and_counts_what_is_there(database):
    start = 1_700_000_000_000_000
    async with stored(database) as storage:
        for number in range(6):
            row = replace(a_table(f"t{number}"), created_us=start, is_open=number % 2 == 0, display_name=f"T {number}")
            await storage.create(row, [SeatRow(seat=0), SeatRow(seat=1, holder="bot", bot="random")])
        for number in (1, 4):
            await storage.append(f"t{number}", 0, ActionRow(seat=0, action=1, request_id=None))
            await storage.append(f"t{number}", 1, ActionRow(seat=1, action=0, request_id=None))
        for name in ("t2", "t4"):
            await storage.finish(name)
        every = await storage.survey(Wanted(10))
        assert [(one.id, one.actions, one.bots, one.finished, one.is_open) for one in every] == [
            (f"t{number}", 2 * (number in (1, 4)), 1, number in (2, 4), number % 2 == 0) for number in range(6)]
        assert every[0].active_us == every[0].created_us == start and every[1].active_us > start + 1
        assert [one.id for one in await storage.survey(Wanted(2, "t2"))] == ["t3", "t4"]
        assert [one.id for one in await storage.survey(Wanted(9, finished=True, idle_since_us=start))] == ["t2"]
        assert [one.id for one in await storage.survey(Wanted(9, finished=False, idle_since_us=start))] == ["t0", "t3", "t5"]
        assert await storage.survey(Wanted(9, idle_since_us=start - 1)) == []
