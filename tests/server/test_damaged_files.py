"""The file of the database: cut off, overwritten, another program's, exchanged or taken away while the server runs."""
from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc import StatusCode
from grpc_health.v1 import health_pb2, health_pb2_grpc

from playing import House, Player, TableAt, refused
from seatmate.client import connect, error_reason
from seatmate.server.config import Pacing, ServerConfig
from seatmate.server.database_file import DatabaseFile, FileReplaced
from seatmate.server.options import StartupError
from seatmate.server.service import running_server
from seatmate.v1 import table_pb2
from seatmate.v1 import table_service_pb2 as pb

pytestmark = pytest.mark.asyncio

TABLES = 40
"""So many that their rows fill several pages of each kind."""
PLAIN = {"DATA_LOSS TABLE_DAMAGED", "DATA_LOSS STORAGE_DAMAGED", "NOT_FOUND TABLE_NOT_FOUND", "PERMISSION_DENIED WRONG_TOKEN",
         "UNAUTHENTICATED TOKEN_MISSING"}
"""What is said of tables that stood where the file is damaged. (Of a row that is gone nobody knows that it was there.)"""


def at(database: Path) -> ServerConfig:
    return ServerConfig(address="127.0.0.1:0", database=str(database), workers=1, grace_s=0.2, pacing=Pacing(answer_ms=None))


def settled(database: Path) -> None:
    """All that was written is in the file itself, and nothing beside it."""
    with contextlib.closing(sqlite3.connect(database)) as db:
        db.execute("pragma wal_checkpoint(truncate)")
    for beside in ("-wal", "-shm"):
        Path(f"{database}{beside}").unlink(missing_ok=True)


async def filled(database: Path) -> list[TableAt]:
    async with running_server(at(database)) as address, connect(address) as client:
        tables = []
        for number in range(TABLES):
            table = await House(client, address).table("kuhn", display_name=f"{number}: " + "x" * 70, access=table_pb2.ACCESS_OPEN)
            player = await table.claim(0)
            await player.submit(0, (await player.legal()).sequence)
            tables.append(table)
    settled(database)
    return tables


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[TableAt]]:
    database = tmp_path_factory.mktemp("files") / "t.sqlite3"
    return database, asyncio.run(filled(database))


async def said(call: Awaitable[Any]) -> str:
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        assert "\n" not in str(error.details())
        return f"{error.code().name} {error_reason(error)}"
    return "DATA_LOSS TABLE_DAMAGED" if isinstance(answer, table_pb2.Table) and answer.state == answer.STATE_DAMAGED else "OK"


async def look(client: Any, tables: list[TableAt]) -> list[str]:
    """What is said of each table; health and the catalog answer whatever there is."""
    health = await health_pb2_grpc.HealthStub(client.channel).Check(health_pb2.HealthCheckRequest())
    assert health.status == health.SERVING
    answers = [await said(TableAt(client, table.name, table.token).get()) for table in tables]
    listing = await said(client.tables.ListTables(pb.ListTablesRequest(page_size=100)))
    assert {*answers, listing} <= {"OK", *PLAIN}, answers
    return answers


async def test_pages_of_garbage(stored: tuple[Path, list[TableAt]], tmp_path: Path) -> None:
    """Every other page in turn: the server does not start and says why, or the tables that stand elsewhere are there."""
    original, tables = stored
    with contextlib.closing(sqlite3.connect(original)) as db:
        size, = db.execute("pragma page_size").fetchone()
    database, kinds = tmp_path / "t.sqlite3", set()
    for page in range(1, original.stat().st_size // size, 2):
        shutil.copy(original, database)
        with database.open("r+b") as file:
            file.seek(page * size)
            file.write(bytes(range(1, 256)) * (size // 255))
        try:
            async with running_server(at(database)) as address, connect(address) as client:
                answers = await look(client, tables)
                kinds |= set(answers)
                new = await said(House(client, address).table("kuhn"))
                assert new in {"OK", *PLAIN}
        except StartupError as error:
            assert str(error).startswith(f"the database {database} can't be used: ") and "\n" not in str(error)
            kinds.add("refused")
        settled_away(database)
    assert {"OK", "DATA_LOSS TABLE_DAMAGED", "refused"} <= kinds


def garble(file: Path) -> None:
    size = file.stat().st_size
    with file.open("r+b") as out:
        out.seek(4096)
        out.write(bytes(range(1, 256)) * (size // 255 - 17))


BENEATH: dict[str, Callable[[Path], object]] = {
    "garbage": garble, "all garbage": lambda file: file.write_bytes(bytes(range(256)) * (file.stat().st_size // 256)),
    "cut in half": lambda file: os.truncate(file, file.stat().st_size // 2), "cut off": lambda file: os.truncate(file, 0)}


@pytest.mark.parametrize("name", BENEATH)
async def test_a_file_that_is_damaged_beneath_a_server(stored: tuple[Path, list[TableAt]], tmp_path: Path, name: str) -> None:
    """Whatever can still be read is; nothing is answered otherwise than in words, and the server runs on."""
    original, tables = stored
    database = tmp_path / "t.sqlite3"
    shutil.copy(original, database)
    async with running_server(at(database)) as address, connect(address) as client:
        house = House(client, address)
        hot = await house.table("kuhn")
        player = await hot.claim(0)
        BENEATH[name](database)
        answers = await look(client, tables)
        for call in (player.observe(), player.legal(), hot.get()):      # in memory
            assert await said(call) == "OK"
        sequence = (await player.legal()).sequence
        writes: list[Awaitable[Any]] = [player.submit(0, sequence), house.table("kuhn"), hot.claim(1), player.leave(), hot.delete(),
                                        house.at(tables[0]).delete()]
        for write in writes:
            assert await said(write) in {"OK", *PLAIN, "UNAVAILABLE STORAGE_UNAVAILABLE"}
        await look(client, tables)
        if "garbage" in name:
            assert set(answers) & PLAIN
    settled_away(database)


def settled_away(database: Path) -> None:
    for beside in ("", "-wal", "-shm"):
        Path(f"{database}{beside}").unlink(missing_ok=True)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
async def test_a_file_that_is_cut_off(stored: tuple[Path, list[TableAt]], tmp_path: Path, share: float) -> None:
    original, tables = stored
    database = tmp_path / "t.sqlite3"
    database.write_bytes(original.read_bytes()[:int(original.stat().st_size * share)])
    try:
        async with running_server(at(database)) as address, connect(address) as client:
            assert set(await look(client, tables)) & PLAIN
    except StartupError as error:
        assert "\n" not in str(error)


FOREIGN: dict[str, tuple[str, str]] = {     # what is done to a database of this service, and what is said of it
    "another program's": ("create table bookmarks (url text)", "holds the data of another program"),
    "another program's of the same names": ("create table tables (id text, legs integer)", "holds the data of another program"),
    "without a table": ("drop table actions", "its table actions is missing"),
    "without a column": ("alter table seats drop column holder", "its table seats has no column holder"),
    "without a column of what came later": ("alter table invitations drop column token_hash", "has no column token_hash"),
    "of no layout": ("update seatmate_meta set value = x'00'", "has layout"),
    "of no layout at all": ("drop table seatmate_meta", "holds the data of another program"),
}


@pytest.mark.parametrize("name", FOREIGN)
async def test_a_database_that_is_not_ours_or_not_whole(stored: tuple[Path, list[TableAt]], tmp_path: Path, name: str) -> None:
    database = tmp_path / "t.sqlite3"
    if not name.startswith("another"):
        shutil.copy(stored[0], database)
    statement, words = FOREIGN[name]
    with contextlib.closing(sqlite3.connect(database)) as db:
        db.execute(statement)
        db.commit()
        before = db.execute("select name, sql from sqlite_master").fetchall()
    with pytest.raises(StartupError, match=words) as caught:
        async with running_server(at(database)):
            pass
    assert "\n" not in str(caught.value)
    with contextlib.closing(sqlite3.connect(database)) as db:
        assert db.execute("select name, sql from sqlite_master").fetchall() == before      # nothing was added to it


async def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")        # to read it would wait for ever
    for name in (str(tmp_path / "pipe"), "/dev/null", str(tmp_path)):
        with pytest.raises(StartupError, match="can't be used: it is not a file"):
            async with running_server(at(Path(name))):
                pass


@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
async def test_a_file_that_was_exchanged_takes_no_move(tmp_path: Path, ending: str) -> None:
    """What was written to a file that nobody finds again would be lost. When it is back the game goes on."""
    database, away = tmp_path / "t.sqlite3", tmp_path / "away"
    file = Path(f"{database}{ending}")
    async with running_server(at(database)) as address, connect(address) as client:
        table = await House(client, address).table("kuhn", seed=5)
        first, second = await table.claim_all()
        sequence = (await first.legal()).sequence
        cold = await House(client, address).table("kuhn")
        file.rename(away)
        for other in (None, b"", b"SQLite format 3\0", away.read_bytes()):
            if other is not None:
                file.write_bytes(other)
            for call in (lambda: first.submit(0, sequence), lambda: House(client, address).table("kuhn"), cold.delete):
                async with refused(StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE"):
                    await call()
        away.rename(file)
        await first.submit(0, sequence)
    async with running_server(at(database)) as address, connect(address) as client:
        assert (await Player(client, second.seat, second.token).legal()).actions


async def test_moves_in_a_log_that_was_deleted_are_there_after_the_server_has_ended(tmp_path: Path) -> None:
    """The file has lost its name and not what it holds: what was acknowledged goes to the database when the server ends."""
    database = tmp_path / "t.sqlite3"
    async with running_server(at(database)) as address, connect(address) as client:
        first, second = await (await House(client, address).table("kuhn", seed=5)).claim_all()
        await first.submit(0, (await first.legal()).sequence)
        for ending in ("-wal", "-shm"):
            Path(f"{database}{ending}").unlink()
        async with refused(StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE"):
            await second.submit(0, (await second.legal()).sequence)
    async with running_server(at(database)) as address, connect(address) as client:
        player = House(client, address).of(second)
        await player.submit(0, (await player.legal()).sequence)


async def test_files_beside_it_that_were_made_anew_may_have_each_others_numbers(tmp_path: Path) -> None:
    """As SQLite does when nobody has had the database open for a moment; the system gives numbers of files again."""
    database = DatabaseFile(str(tmp_path / "t.sqlite3"))
    log, index = (tmp_path / f"t.sqlite3{ending}" for ending in ("-wal", "-shm"))
    with log.open("w"), index.open("w"):
        database.check()
    log.rename(tmp_path / "other")
    index.rename(log)
    (tmp_path / "other").rename(index)
    with log.open(), index.open():
        database.check()
        log.rename(tmp_path / "moved")
        with pytest.raises(FileReplaced):
            database.check()
    database.release()
