"""Every column and every row of every stored table, damaged in every way, beneath a server that runs; and the file itself.

The damages are made of the schema: a column that is new is damaged, too. What each of them says, word by word: test_damage.py.
"""
from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest
import sqlalchemy as sa
from grpc import StatusCode

from playing import House, Player, TableAt
from seatmate.client import connect, error_reason
from seatmate.server import database_file, storage
from seatmate.server.config import Pacing, ServerConfig
from seatmate.server.service import running_server
from seatmate.v1 import table_pb2
from seatmate.v1 import table_service_pb2 as pb

KEYED = [table for table in storage._schema.sorted_tables if table.name not in ("seatmate_meta", "replicas", "uses")]
"""All whose rows belong to a table where people play."""

NOT_UTF8, BLOB, HUGE = "cast(x'ff41' as text)", "x'ff41'", "replace(hex(zeroblob(100000)), '0', 'x')"
OF_NO_TYPE: dict[type[sa.types.TypeEngine[Any]], list[str]] = {
    sa.String: [NOT_UTF8, BLOB, HUGE],
    sa.Integer: ["'text'", "''", BLOB, "1.5", "9e300"],
    sa.Boolean: ["'text'", "''", BLOB, "2", "-1", "0.5"],
    sa.LargeBinary: ["'text'", "7", "x''", "zeroblob(31)", "zeroblob(200000)"]}
"""Values, in SQL, that no column of the type can hold."""
OF_ITS_TYPE: dict[type[sa.types.TypeEngine[Any]], list[str]] = {
    sa.String: ["''", "'\n'", "'%s'"],
    sa.Integer: ["-1", "0", "9", "2147483648", "9223372036854775807", "-9223372036854775808"],
    sa.Boolean: ["0", "1"],
    sa.LargeBinary: ["zeroblob(32)"]}
"""Values that some column of the type may hold, and others may not."""

UNREAD = {"actions.written_us", "origins.created_us", *map(str, storage._lost_tokens.c)}
"""Columns without which a game is played on."""

CERTAIN, POSSIBLE = "damaged", "damaged or played on"


def wrong_values(column: sa.Column[Any]) -> Iterator[tuple[str, str]]:
    """Of a column: each value and whether it has to be noticed."""
    kind = next(kind for kind in (sa.Boolean, sa.Integer, sa.LargeBinary, sa.String) if isinstance(column.type, kind))
    known = str(column) in UNREAD
    yield "null", POSSIBLE if column.nullable or known else CERTAIN
    yield from ((value, POSSIBLE if known else CERTAIN) for value in OF_NO_TYPE[kind])
    yield from ((value, POSSIBLE) for value in OF_ITS_TYPE[kind])


def damages() -> dict[str, tuple[str, str]]:
    """By name: what has to be seen of it, and a statement; :id is the table's, :other that of one that plays on."""
    found = {}
    for table in KEYED:
        key = "id" if table.name == "tables" else "table_id"
        one = " and number = 0" if "number" in table.c else " and seat = 1" if "seat" in table.c else ""
        for column in table.c:
            if column.name != key:
                for value, seen in wrong_values(column):
                    found[f"{column} = {value}"] = seen, f"update {table} set {column.name} = {value} where {key} = :id{one}"
        if table.name == "tables":
            continue
        columns = ", ".join(column.name for column in table.c if column.name != key)
        whole = CERTAIN if table.name in ("seats", "seat_times") else POSSIBLE
        more = CERTAIN if one else POSSIBLE
        found |= {
            f"{table}: none": (whole, f"delete from {table} where table_id = :id"),
            f"{table}: one is missing": (whole, f"delete from {table} where table_id = :id{one}"),
            f"{table}: all are another table's": (whole, f"update {table} set table_id = 'elsewhere' where table_id = :id"),
            f"{table}: another table's, too": (more, f"insert into {table} (table_id, {columns}) select :id, {columns} "
                                               f"from {table} where table_id = :other"),
            f"{table}: doubled": (more, f"insert into {table} select * from {table} where table_id = :id"),
        }
    return found | {"actions: a gap": (CERTAIN, "update actions set number = number + 1 where table_id = :id and number > 0"),
                    "actions: the other way round": (CERTAIN, "update actions set number = 1 - number where table_id = :id and "
                                                     "seat = 0 and number = 0"),
                    "tables: another id": (POSSIBLE, "update tables set id = x'00' where id = :id"),
                    "tables: gone": (POSSIBLE, "delete from tables where id = :id"),
                    "tables: doubled": (POSSIBLE, "insert into tables select * from tables where id = :id")}


DAMAGES = damages()
ALLOWED = {StatusCode.OK, StatusCode.DATA_LOSS, StatusCode.NOT_FOUND, StatusCode.FAILED_PRECONDITION, StatusCode.PERMISSION_DENIED,
           StatusCode.ABORTED, StatusCode.INVALID_ARGUMENT}
"""How a call about a damaged table may end: what is wrong with the request or the token may be seen first."""


@dataclass
class Found:
    """What was found of each damaged table, and what the log said meanwhile."""

    answers: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))       # by damage and call
    listed: dict[str, int] = field(default_factory=dict)        # states, by the table's name
    names: dict[str, str] = field(default_factory=dict)         # of tables, by damage
    log: list[logging.LogRecord] = field(default_factory=list)


async def outcome(call: Awaitable[Any]) -> str:
    """OK, DAMAGED for a table that is shown as such, or status and reason."""
    try:
        answer = await asyncio.wait_for(call, 10)
    except grpc.aio.AioRpcError as error:
        said = str(error.details())
        plain = error.code() in ALLOWED and "\n" not in said and len(said) < 500
        return f"{error.code().name} {error_reason(error)}" if plain else f"BAD: {error}"
    return "DAMAGED" if isinstance(answer, table_pb2.Table) and answer.state == table_pb2.Table.STATE_DAMAGED else "OK"


def clones(database: Path, model: str, prefix: str, names: Iterable[str]) -> dict[str, str]:
    """A copy of the model for each of these damages; their ids by name of the damage."""
    ids = {name: f"{prefix}{number}" for number, name in enumerate(names)}
    with contextlib.closing(sqlite3.connect(database)) as db:
        for table in KEYED:
            key = "id" if table.name == "tables" else "table_id"
            columns = ", ".join(column.name for column in table.c if column.name != key)
            db.executemany(f"insert into {table} ({key}, {columns}) select :id, {columns} from {table} where {key} = :model",
                           [{"id": table_id, "model": model} for table_id in ids.values()])
        db.commit()
    return ids


def without_constraints(database: Path) -> None:
    """Let the tables hold anything."""
    with contextlib.closing(sqlite3.connect(database)) as db:
        db.execute("pragma legacy_alter_table = on")
        for table in KEYED[::-1]:
            columns = ", ".join(f"{row[1]} {row[2]}" for row in db.execute(f"pragma table_info({table})").fetchall())
            db.executescript(f"create table bare ({columns}); insert into bare select * from {table}; "
                             f"drop table {table}; alter table bare rename to {table}")


def harm(database: Path, ids: dict[str, str], other: str) -> None:
    with contextlib.closing(sqlite3.connect(database)) as db:       # tables with a window or a clock would be read at the start
        for table in ("pass_windows", "clocks", "seat_times", "take_backs", "origins"):
            db.execute(f"delete from {table} where table_id = ?", [other])
        for values in ("pass_windows values (?, 100, 200)", "clocks values (?, 604800000, 0, 0, 'random', 0)",
                       "seat_times values (?, 0, 0, 1)", "seat_times values (?, 1, 0, 1)", "take_backs values (?, 1)",
                       "origins values (?, 'nobody', 'branch', 1, 1)", "lost_tokens values (?, zeroblob(32), 0, 1, 1)"):
            db.executemany(f"insert into {values}", [[table_id] for table_id in (*ids.values(), other)])
        for name, table_id in ids.items():
            assert db.execute(DAMAGES[name][1], {"id": table_id, "other": other}).rowcount >= 1, name
        db.commit()


async def look(house: House, which: str, ids: dict[str, str], token: str, seat_token: str, found: Found) -> None:
    """All that shows something, of each table; then what changes something; of those in memory what makes them read again."""
    async def one(name: str) -> None:
        table = TableAt(house.client, f"tables/{ids[name]}", token)
        player = Player(house.client, f"{table.name}/seats/0", seat_token)
        stream = player.watch(include_observation=True, include_actions=True, include_table=True)
        calls: dict[str, Callable[[], Awaitable[Any]]] = {
            "get": table.get, "observe": player.observe, "legal": player.legal, "watch": stream.read, "export": table.export,
            "suggest": lambda: player.suggest(budget={"iterations": 5}), "claim": lambda: table.claim(1),
            "submit": lambda: player.submit(0, 1), "repeat": lambda: player.submit(0, 1, "once"),
            "fill": lambda: table.fill({1: "random"}), "leave": player.leave}
        for call in calls if which == "cold" else ("get", "submit", "claim", "leave"):
            found.answers[name][call] = await outcome(calls[call]())
        stream.cancel()

    for start in range(0, len(ids), 20):
        await asyncio.gather(*map(one, list(ids)[start:start + 20]))


async def whole_list(house: House) -> dict[str, int]:
    listed: dict[str, int] = {}
    token = ""
    while True:
        page = await house.client.tables.ListTables(pb.ListTablesRequest(page_size=100, page_token=token))
        for table in page.tables:
            assert listed.setdefault(table.name, table.state) == table.state
        token = page.next_page_token
        if not token:
            return listed


@contextlib.contextmanager
def listening(found: Found) -> Iterator[None]:
    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.log.append(record)

    handler = Handler()
    logging.getLogger("seatmate").addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger("seatmate").removeHandler(handler)


async def visit(database: Path, found: dict[str, Found]) -> None:
    """Tables that nobody has looked at yet, tables in memory that are looked at again, and the same after a start."""
    config = ServerConfig(address="127.0.0.1:0", database=str(database), workers=1, queue=100, web=False,
                          pacing=Pacing(answer_ms=None))
    async with running_server(config) as address, connect(address) as client:
        table = await House(client, address).table("kuhn", seed=5, access=table_pb2.ACCESS_OPEN)
        players = await table.claim_all()
        for player, answer in zip(players, (0, 1), strict=True):     # the game goes on
            await player.submit(answer, (await player.legal()).sequence, "once")
    model, kept = table.name.removeprefix("tables/"), {}
    without_constraints(database)
    for which in ("cold", "hot"):
        kept[which] = clones(database, model, which, list(DAMAGES)[::1 if which == "cold" else 3])
        found[which].names = {name: f"tables/{table_id}" for name, table_id in kept[which].items()}
    found["started"].names = found["cold"].names
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        others = await house.table("leduc", bots={0: "random", 1: "random"}, pace_ms=20)
        for table_id in kept["hot"].values():
            await TableAt(client, f"tables/{table_id}", table.token).get()
        for which, ids in kept.items():
            with listening(found[which]):
                harm(database, ids, model)
                await look(house, which, ids, table.token, players[0].token, found[which])
                found[which].listed = await whole_list(house)
        assert (await others.finished(60)).is_over
        assert (await house.at(table).get()).state == table_pb2.Table.STATE_PLAYING
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        others = await house.table("leduc", bots={0: "random", 1: "random"})
        with listening(found["started"]):
            for name, table_id in kept["cold"].items():
                found["started"].answers[name]["get"] = await outcome(TableAt(client, f"tables/{table_id}", table.token).get())
            found["started"].listed = await whole_list(house)
        assert (await others.finished(60)).is_over


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Found]:
    found: dict[str, Found] = defaultdict(Found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database_file, "_SYNCHRONOUS", "OFF")     # nobody pulls the plug
        asyncio.run(visit(tmp_path_factory.mktemp("everywhere") / "t.sqlite3", found))
    return found


@pytest.mark.parametrize("which", ["cold", "hot", "started"])
def test_nothing_was_a_surprise(seen: dict[str, Found], which: str) -> None:
    """Everything that is wrong is known as such, and said in a sentence: no traceback anywhere."""
    surprises = {f"{record.getMessage()}: {record.exc_info[1]!r}" for record in seen[which].log if record.exc_info}
    assert not surprises


@pytest.mark.parametrize("which", ["cold", "hot", "started"])
def test_all_answers_are_plain(seen: dict[str, Found], which: str) -> None:
    bad = {(name, call): answer for name, answers in seen[which].answers.items() for call, answer in answers.items()
           if answer.startswith("BAD")}
    assert not bad


@pytest.mark.parametrize("which", ["cold", "started"])
def test_what_can_not_be_is_noticed(seen: dict[str, Found], which: str) -> None:
    found = seen[which]
    certain = [name for name, (wanted, _) in DAMAGES.items() if wanted == CERTAIN]
    assert len(certain) > 100
    for name in certain:
        answers = found.answers[name]
        assert answers["get"] == "DAMAGED", name
        assert {answer for call, answer in answers.items() if call != "get"} <= {"DATA_LOSS TABLE_DAMAGED"}, name
        hidden = name.startswith("tables.invite_only")      # nobody knows that it is open
        assert found.listed.get(found.names[name]) == (None if hidden else table_pb2.Table.STATE_DAMAGED), name


def test_a_table_is_damaged_for_all_calls_or_for_none(seen: dict[str, Found]) -> None:
    """... that is read anew; one in memory may notice at the next write."""
    for name, answers in seen["cold"].answers.items():
        kinds = Counter(answer in ("DAMAGED", "DATA_LOSS TABLE_DAMAGED") for answer in answers.values())
        assert len(kinds) == 1, (name, answers)
