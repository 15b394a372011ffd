"""One table's damage is that table's: whatever a row of the database holds, the others play on, bots included."""
from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import sqlite3
import threading
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc import StatusCode
from grpc_health.v1 import health_pb2, health_pb2_grpc
from sqlalchemy.exc import OperationalError

from playing import House, Player, TableAt, drain, refused
from seatmate.client import connect, error_reason
from seatmate.server import database_file, storage
from seatmate.server.bots_runner import BotsRunner
from seatmate.server.config import Pacing, ServerConfig
from seatmate.server.errors import ApiError
from seatmate.server.schedule import Schedule
from seatmate.server.search_pool import Lane, SearchPool
from seatmate.server.service import Server, running_server
from seatmate.server.tables import Tables
from seatmate.v1 import table_pb2
from seatmate.v1 import table_service_pb2 as pb

NOT_UTF8, BLOB = "cast(x'ff41' as text)", "x'ff41'"
"""In SQL: bytes that are no text, as text and as bytes."""

WRONG = {       # by column: values it can't have
    "tables": {
        "game": ["null", "''", "'leduc'", "'../x'", NOT_UTF8, BLOB],
        "settings": ["null", "''", "'{'", "'[]'", "'null'", "'{}'", "7", "substr(settings, 1, 20)", NOT_UTF8, BLOB,
                     *(f"json_remove(settings, '$.{key}')" for key in ("game", "mode", "seats", "options", "pack", "pack_hash")),
                     "json_set(settings, '$.seats', -1)", "json_set(settings, '$.seats', 'two')",
                     "json_set(settings, '$.seats', 99)",
                     "json_set(settings, '$.options.x', json('{}'))", "json_set(settings, '$.options', json('[1]'))",
                     "json_set(settings, '$.mode', 1)", "replace(settings, 'standard', '\\ud800')",
                     "printf('%s', replace(hex(zeroblob(50000)), '0', '['))"],
        "rules_version": ["null", "'one'", "-1", "1.5", "99999999999", BLOB],
        "seed": ["null", "''", "'x1'", "'-5'", "1.5", "'१'", "replace(hex(zeroblob(5000)), '0', '9')", NOT_UTF8, BLOB],
        "display_name": ["null", NOT_UTF8, BLOB],
        "invite_only": ["null", "'no'", "7", BLOB],
        "token_hash": ["null", "'text'", "7", "x'00'", NOT_UTF8],
        "created_us": ["null", "'yesterday'", "-1", "0", "1.5", "9223372036854775807", BLOB],
        "finished": ["null", "'no'", "7", "1", BLOB]},
    "seats": {
        "seat": ["null", "seat + 5", "-1", "'a'", "0", BLOB],
        "holder": ["null", "''", "'nobody'", "7", "'player'", "'open'", NOT_UTF8, BLOB],
        "display_name": ["null", NOT_UTF8, BLOB],
        "bot": ["null", "''", NOT_UTF8, BLOB],
        "pace_ms": ["null", "'slow'", "-1", "60001", "1e300", BLOB],
        "token_hash": ["x'00'", "'text'", "7"],
        "return_hash": ["x'00'", "'text'", "7"]},
    "invitations": {
        "token_hash": ["null", "x'00'", "'text'", "7", NOT_UTF8]},
    "actions": {
        "number": ["null", "number + 1", "-1", "'a'", BLOB],
        "seat": ["null", "1", "5", "-1", "'a'", "9223372036854775807", BLOB],
        "action": ["null", "99", "-1", "'a'", "9223372036854775807", "1.5", BLOB],
        "request_id": [NOT_UTF8, BLOB]},
}
HARMLESS = {"actions": {"written_us": ["null", "'x'", BLOB, NOT_UTF8]}}
"""Columns that nobody reads. (And nobody can miss the last action of a log when it has gone without a trace.)"""

ELSE = {        # whole statements; the table's id is :id
    "no seats": "delete from seats where table_id = :id",
    "a seat is missing": "delete from seats where table_id = :id and seat = 0",
    "a seat is there twice": "insert into seats select * from seats where table_id = :id and seat = 1",
    "a seat too many": "insert into seats select table_id, 2, holder, display_name, bot, pace_ms, token_hash, return_hash "
                       "from seats where table_id = :id and seat = 1",
    "an action is missing": "delete from actions where table_id = :id and number = 0",
    "an action twice": "insert into actions select * from actions where table_id = :id and number = 0",
    "a request twice": "insert into actions values (:id, 2, 0, 0, 'once', 0)",
    "an action of a seat that is not asked": "insert into actions values (:id, 2, 1, 0, null, 0)",
}
UNKNOWN = {     # what another version may have written: not damaged, and not to be read here
    "a game": """update tables set game = 'khun', settings = replace(settings, '"kuhn"', '"khun"') where id = :id""",
    "a mode": """update tables set settings = json_set(settings, '$.mode', 'hard') where id = :id""",
    "an option": """update tables set settings = json_set(settings, '$.options.jokers', 1) where id = :id""",
    "a pack": """update tables set settings = json_set(settings, '$.pack', 'mine') where id = :id""",
    "rules": "update tables set rules_version = 99 where id = :id",
}

STATEMENTS = {f"{table}.{column} = {value[:40]}": (
    f"update {table} set {column} = {value} where {'id' if table == 'tables' else 'table_id'} = :id"
    + {"seats": " and seat = 1", "actions": " and number = 0"}.get(table, ""))
    for table, columns in WRONG.items() for column, values in columns.items() for value in values} | ELSE
PLAYED_ON = {f"{table}.{column} = {value}": f"update {table} set {column} = {value} where table_id = :id"
             for table, columns in HARMLESS.items() for column, values in columns.items() for value in values} | {
    "an unknown bot": "update seats set bot = 'genius:level=9' where table_id = :id and seat = 1",
    "no invitation": "delete from invitations where table_id = :id"}


@dataclass
class Seen:
    """What callers saw of one table, and what the log said of it."""

    state: int
    reason: str
    listed: int | None
    answers: set[tuple[StatusCode, str]]
    logged: list[str]
    deleted: StatusCode


@dataclass
class Visit:
    """What a server did with a database of damaged tables."""

    seen: dict[str, Seen]
    health: int
    counted: int
    later: int
    secrets: list[str]


class _Log(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@contextlib.contextmanager
def _listening() -> Iterator[_Log]:
    heard = _Log()
    logging.getLogger("seatmate").addHandler(heard)
    try:
        yield heard
    finally:
        logging.getLogger("seatmate").removeHandler(heard)


@pytest.fixture
def log() -> Iterator[_Log]:
    with _listening() as heard:
        yield heard


@dataclass
class Seated:
    """A table and the token of its seat 0."""

    name: str
    token: str
    seat_token: str

    @property
    def id(self) -> str:
        return self.name.removeprefix("tables/")


async def _prepare(config: ServerConfig) -> tuple[dict[str, Seated], list[TableAt]]:
    """Tables to be damaged, by name of their damage, each with a player who has acted and a bot; and others with bots."""
    seated = {}
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        others = [await house.table("leduc", bots={0: "heuristic", 1: "search:iterations=5"}, pace_ms=60_000)]
        for name in (*STATEMENTS, *UNKNOWN, *PLAYED_ON):
            table = await house.table("kuhn", seed=987654321, access=table_pb2.ACCESS_OPEN)
            player, other = await table.claim_all()
            await player.submit(0, (await player.legal()).sequence, "once")
            await other.submit(1, (await other.legal()).sequence)
            await other.leave(bot="random")
            seated[name] = Seated(table.name, table.token, player.token)
        others.append(await house.table("kuhn", bots={0: "heuristic", 1: "random"}, pace_ms=60_000))
    return seated, others


def _damage(database: Path, seated: dict[str, Seated]) -> None:
    """Everything at once, in tables that have lost all constraints."""
    with contextlib.closing(sqlite3.connect(database)) as db:
        db.execute("pragma legacy_alter_table = on")
        for table in ("seats", "actions", "invitations", "tables"):
            columns = ", ".join(f"{row[1]} {row[2]}" for row in db.execute(f"pragma table_info({table})").fetchall())
            db.executescript(f"create table bare ({columns}); insert into bare select * from {table}; "
                             f"drop table {table}; alter table bare rename to {table}")
        waiting = ", ".join(f"'{table.id}'" for name, table in seated.items() if name not in PLAYED_ON)
        db.execute(f"update seats set pace_ms = 0 where holder = 'bot' and table_id not in ({waiting})")
        for name, statement in (STATEMENTS | UNKNOWN | PLAYED_ON).items():
            assert db.execute(statement, {"id": seated[name].id}).rowcount >= 1, name
        db.commit()


async def _look(house: House, table: Seated, listed: dict[str, int], log: _Log) -> Seen:
    answers = set()
    player = Player(house.client, f"{table.name}/seats/0", table.seat_token)
    owner = TableAt(house.client, table.name, table.token)
    calls = (player.observe(), player.submit(0, 1), drain(player.watch()), drain(owner.watch()), owner.export(), owner.claim(1))
    for answer in await asyncio.gather(*(asyncio.wait_for(call, 5) for call in calls), return_exceptions=True):
        if isinstance(answer, grpc.aio.AioRpcError):
            answers.add((answer.code(), error_reason(answer)))
        else:
            answers.add((StatusCode.OK, repr(answer)))
    found = await owner.get()
    deleted = StatusCode.OK
    try:
        await owner.delete()
    except grpc.aio.AioRpcError as error:
        deleted = error.code()
    logged = [str(vars(record)) for record in log.records if getattr(record, "table", "") == table.id]
    return Seen(found.state, found.unreadable_reason, listed.get(table.name), answers, logged, deleted)


async def _visit(config: ServerConfig, seated: dict[str, Seated], others: list[TableAt], log: _Log) -> Visit:
    server = Server(config)
    await server.start()
    try:
        async with connect(server.address) as client:
            house = House(client, server.address)
            for table in others:
                assert (await house.at(table).finished(60)).is_over
            listed: dict[str, int] = {}
            page = pb.ListTablesResponse(next_page_token="")
            while page.next_page_token or not listed:
                page = await client.tables.ListTables(pb.ListTablesRequest(page_size=7, page_token=page.next_page_token))
                assert 0 < len(page.tables) <= 7 and not listed.keys() & {table.name for table in page.tables}
                listed.update({table.name: table.state for table in page.tables})
            counted = server._tables.damaged
            health = await health_pb2_grpc.HealthStub(client.channel).Check(health_pb2.HealthCheckRequest())
            seen = {name: await _look(house, table, listed, log) for name, table in seated.items() if name not in PLAYED_ON}
            for name in PLAYED_ON:
                seen[name] = Seen((await TableAt(client, seated[name].name, "").get()).state, "", listed[seated[name].name], set(),
                                  [], StatusCode.OK)
            return Visit(seen, health.status, counted, server._tables.damaged, [str(vars(record)) for record in log.records])
    finally:
        await server.stop()


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> Visit:
    database = tmp_path_factory.mktemp("damage") / "t.sqlite3"
    config = ServerConfig(address="127.0.0.1:0", database=str(database), workers=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database_file, "_SYNCHRONOUS", "OFF")     # nobody pulls the plug while the tables are made
        seated, others = asyncio.run(_prepare(config))
    _damage(database, seated)
    with _listening() as log:
        return asyncio.run(_visit(config, seated, others, log))


def test_the_others_play_on_and_all_are_counted(visit: Visit) -> None:
    assert visit.health == health_pb2.HealthCheckResponse.SERVING
    assert visit.counted == len(STATEMENTS)
    assert visit.later == sum(seen.deleted is not StatusCode.OK for name, seen in visit.seen.items() if name in STATEMENTS)


def test_no_secret_of_a_damaged_table_is_told_or_logged(visit: Visit) -> None:
    for text in (*visit.secrets, *(seen.reason for seen in visit.seen.values())):
        assert "987654321" not in text


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_damaged_table_says_so(visit: Visit, name: str) -> None:
    seen = visit.seen[name]
    assert seen.state == table_pb2.Table.STATE_DAMAGED, seen
    assert seen.listed == (None if name.startswith("tables.invite_only") else seen.state)       # nobody knows that it is open
    assert seen.answers == {(StatusCode.DATA_LOSS, "TABLE_DAMAGED")}
    assert seen.reason.startswith("this table is damaged in the database: ") and "\n" not in seen.reason
    assert "can't be replayed" not in seen.reason, "nobody has thought of this"
    assert _place(name) in seen.reason, seen.reason
    assert len(seen.logged) >= 1 and "damage" in seen.logged[0]
    assert seen.deleted is (StatusCode.PERMISSION_DENIED if name.startswith("tables.token_hash") else StatusCode.OK)


def _place(name: str) -> str:
    """What of the table a person has to be told of."""
    if name == "tables.finished = 1":
        return "its game was over"
    column = re.match(r"tables\.(\w+)", name)
    if column or name.startswith("invitations"):
        return column[1] if column else "invitation"
    return "action" if "action" in name or "request" in name else "seat"


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_another_version_may_have_written_is_no_damage(visit: Visit, name: str) -> None:
    seen = visit.seen[name]
    assert seen.state == seen.listed == table_pb2.Table.STATE_UNREADABLE, seen
    assert seen.answers == {(StatusCode.FAILED_PRECONDITION, "OTHER_RULES_OR_CONTENT")}
    assert seen.deleted is StatusCode.OK


@pytest.mark.parametrize("name", PLAYED_ON)
def test_what_changes_nothing_of_the_game_is_played_on(visit: Visit, name: str) -> None:
    assert visit.seen[name].state in (table_pb2.Table.STATE_PLAYING, table_pb2.Table.STATE_FINISHED)


def test_who_watches_a_table_hears_of_it_when_its_log_can_no_longer_be_followed(tmp_path: Path) -> None:
    """... as after a write that went wrong, or a race with another server."""
    async def play() -> None:
        database = tmp_path / "t.sqlite3"
        config = ServerConfig(address="127.0.0.1:0", database=str(database))
        async with running_server(config) as address, connect(address) as client:
            table = await House(client, address).table("kuhn")
            player = await table.claim(0)
            stream = player.watch()
            await stream.read()
            with contextlib.closing(sqlite3.connect(database)) as db:
                db.execute("insert into actions values (?, 0, 1, 0, null, 0)", [table.name.removeprefix("tables/")])
                db.commit()
            for call in (player.submit(0, (await player.legal()).sequence), stream.read(), player.observe()):
                async with refused(StatusCode.DATA_LOSS, "TABLE_DAMAGED", "action 0"):
                    await call

    asyncio.run(play())


async def _fail(*_: object) -> list[str]:
    raise OperationalError("select", {}, Exception("the disk is not there"))


def test_a_database_that_does_not_answer_at_the_start_is_asked_again(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: _Log) -> None:
    """... and what can't be read of one table keeps no other waiting."""
    async def play() -> None:
        config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"))
        async with running_server(config) as address, connect(address) as client:
            tables = [await House(client, address).table("kuhn", bots={0: "random", 1: "random"}, pace_ms=200) for _ in range(3)]
        unreadable = min(table.name for table in tables).removeprefix("tables/")
        lookup, load = storage.Storage.tables_with_bots, storage.Storage.load

        async def look(self: storage.Storage) -> list[str]:
            monkeypatch.setattr(storage.Storage, "tables_with_bots", lookup)
            return await _fail()

        async def read(self: storage.Storage, table_id: str, *, skip: int = 0) -> Any:
            return await (_fail() if table_id == unreadable else load(self, table_id, skip=skip))

        monkeypatch.setattr(storage.Storage, "tables_with_bots", look)
        monkeypatch.setattr(storage.Storage, "load", read)
        async with running_server(config) as address, connect(address) as client:
            for table in tables:
                if not table.name.endswith(unreadable):
                    assert (await House(client, address).at(table).finished(60)).is_over
            monkeypatch.setattr(storage.Storage, "load", load)
            await asyncio.sleep(1)
            assert (await House(client, address).at(tables[0]).finished(60)).is_over

    asyncio.run(play())
    said = [record.getMessage() for record in log.records]
    assert "the tables with bots could not be looked up; this is tried again" in said
    assert "a table could not be read; this is tried again" in said


def test_a_bot_that_can_not_act_is_heard_of_and_tries_again(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: _Log) -> None:
    act = BotsRunner._act
    failed: list[str] = []

    async def fail_once(self: BotsRunner, table: Any, seat: int) -> bool:
        if not failed:
            failed.append(table.id)
            raise ZeroDivisionError
        return await act(self, table, seat)

    async def play() -> None:
        monkeypatch.setattr(BotsRunner, "_act", fail_once)
        config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"))
        async with running_server(config) as address, connect(address) as client:
            table = await House(client, address).table("kuhn", bots={0: "random", 1: "random"})
            assert (await table.finished(60)).is_over

    asyncio.run(play())
    assert failed and any("a bot could not act" in record.getMessage() for record in log.records)


def test_what_fails_after_its_caller_has_gone_is_logged(log: _Log) -> None:
    left, over = threading.Event(), threading.Event()

    async def fail(error: Exception) -> None:
        while not left.is_set():
            await asyncio.sleep(0.01)
        over.set()
        raise error

    def think(stop: object) -> None:
        left.wait(10)
        over.set()
        raise ZeroDivisionError("of the search")

    async def leave(call: Coroutine[Any, Any, Any]) -> None:
        left.clear()
        over.clear()
        caller = asyncio.create_task(call)
        await asyncio.sleep(0.02)
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        left.set()
        while not over.is_set():
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)        # the news comes to the loop

    async def run() -> None:
        tables, pool = Tables(storage.Storage("sqlite:///unused.sqlite3"), Schedule(Pacing(), 1000), cached=1), SearchPool(1, 1)
        await leave(tables._decide(None, fail(ZeroDivisionError("of the table"))))
        await leave(tables._decide(None, fail(ApiError(StatusCode.ABORTED, "STALE_SEQUENCE", "no fault of anybody"))))
        await leave(pool.run(think, Lane.BOT))
        pool.close()

    asyncio.run(run())
    assert [str(record.exc_info[1]) for record in log.records if record.exc_info] == ["of the table", "of the search"]


def test_every_column_is_damaged_in_some_way() -> None:
    for table in (storage._tables, storage._seats, storage._actions, storage._invitations):
        known = {column.name for column in table.c} - {"id" if table is storage._tables else "table_id"}
        assert known <= WRONG[table.name].keys() | HARMLESS.get(table.name, {}).keys(), table.name
