"""Tables on disk: settings, the secret seed, who sits where, and the log of actions. States are rebuilt by replay."""
from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from seatmate.server.errors import StartupError
from seatmate.server.rows import (
    LATEST_US,
    ActionRow,
    SeatRow,
    StoredTable,
    TableRow,
    is_table_id,
    stored_table,
    table_row,
)

try:
    import fcntl
except ImportError:     # not a POSIX system
    fcntl = None    # type: ignore[assignment]

SCHEMA_VERSION = 1

_SYNCHRONOUS = "FULL"    # a commit returns when it is on disk
_SQLITE = b"SQLite format 3\0"

logging.getLogger("aiosqlite").setLevel(logging.INFO)   # at DEBUG it writes every parameter, the secret seeds too

_schema = sa.MetaData()
_meta = sa.Table(
    "seatmate_meta", _schema,
    sa.Column("key", sa.String(32), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
_tables = sa.Table(
    "tables", _schema,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("settings", sa.Text, nullable=False),         # Settings.to_json; holds the pack's content hash
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("seed", sa.Text, nullable=False),             # decimal; the secret of the deal
    sa.Column("display_name", sa.Text, nullable=False),
    sa.Column("invite_only", sa.Boolean, nullable=False),
    sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
    sa.Column("created_us", sa.BigInteger, nullable=False),  # microseconds since 1970
    sa.Column("finished", sa.Boolean, nullable=False),      # a hint for the restart; the log decides
    sa.Index("tables_newest", "created_us", "id"),
)
_seats = sa.Table(
    "seats", _schema,
    sa.Column("table_id", sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("holder", sa.String(8), nullable=False),
    sa.Column("display_name", sa.Text, nullable=False),
    sa.Column("bot", sa.Text, nullable=False),
    sa.Column("pace_ms", sa.Integer, nullable=False),
    sa.Column("token_hash", sa.LargeBinary(32)),
    sa.Column("return_hash", sa.LargeBinary(32)),
)
_actions = sa.Table(
    "actions", _schema,
    sa.Column("table_id", sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),      # from 0 without gaps
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("action", sa.Integer, nullable=False),
    sa.Column("request_id", sa.String(64)),
    sa.Column("written_us", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("table_id", "seat", "request_id"),
)
_pass_windows = sa.Table(
    "pass_windows", _schema,                                # tables without a row have no such window
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("least_ms", sa.Integer, nullable=False),
    sa.Column("most_ms", sa.Integer, nullable=False),
)


class Conflict(Exception):
    """Somebody else has written this first."""


def now_us() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


class Storage:
    """The database. Every write is one transaction and on disk when the method returns."""

    def __init__(self, url: str) -> None:
        """Raises StartupError when this is not a database URL."""
        try:
            self._url = sa.make_url(url)
        except SQLAlchemyError as error:
            raise StartupError(f"the database {url!r} can't be used: {error}") from None
        self._sqlite = self._url.get_backend_name() == "sqlite"
        self._engine: AsyncEngine | None = None
        self._writing = asyncio.Lock()      # SQLite has one writer at a time; waiting here is fair and costs no polling
        self._lock_file: IO[str] | None = None

    async def open(self) -> None:
        """Connect and create what is missing. Raises StartupError with one sentence."""
        where = self._url.database if self._sqlite else self._url.render_as_string(hide_password=True)
        self._take_file()
        try:
            self._engine = create_async_engine(self._url, hide_parameters=True)     # they hold the secret seeds
            if self._sqlite:
                _prepare_sqlite(self._engine)
            async with self._write() as connection:
                await connection.run_sync(_schema.create_all)
                found = (await connection.execute(sa.select(_meta.c.value).where(_meta.c.key == "schema"))).scalar()
                if found is None:
                    await connection.execute(sa.insert(_meta).values(key="schema", value=str(SCHEMA_VERSION)))
        except (SQLAlchemyError, OSError, ModuleNotFoundError) as error:
            reason = str(error.orig) if isinstance(error, DBAPIError) else str(error).splitlines()[0]
            if isinstance(error, ModuleNotFoundError):
                reason = f"the Python module {error.name} is not installed"
            await self.close()
            raise StartupError(f"the database {where} can't be used: {reason}") from None
        if found not in (None, str(SCHEMA_VERSION)):
            await self.close()
            raise StartupError(f"the database {where} has layout {found}; this version of seatmate reads layout "
                               f"{SCHEMA_VERSION}")

    async def close(self) -> None:
        """Let go of the database."""
        if self._engine is not None:
            await self._engine.dispose()
            self._engine = None
        if self._lock_file is not None:
            self._lock_file.close()
            self._lock_file = None

    def _take_file(self) -> None:
        """Refuse what is no SQLite file, and one that another server has: each would trust its own memory."""
        name = self._url.database
        if not self._sqlite or not name or name == ":memory:" or name.startswith("file:"):
            return
        try:
            with contextlib.suppress(FileNotFoundError), Path(name).open("rb") as file:
                if file.read(len(_SQLITE)) not in (b"", _SQLITE):
                    raise StartupError(f"the database {name} can't be used: the file is not a database")
            if fcntl is None:
                return
            self._lock_file = Path(f"{name}.lock").open("a")     # poetry.lock may be somebody else's
            fcntl.flock(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock_file = None
            raise StartupError(f"the database {name} is in use by another seatmate server") from None
        except OSError as error:
            raise StartupError(f"the database {name} can't be used: {error.strerror or error}") from None

    @contextlib.asynccontextmanager
    async def _write(self) -> AsyncIterator[AsyncConnection]:
        assert self._engine is not None
        turn = self._writing if self._sqlite else contextlib.nullcontext()
        async with turn, self._engine.connect() as connection:
            await connection.execution_options(seatmate_write=True)
            async with connection.begin():
                yield connection

    @contextlib.asynccontextmanager
    async def _read(self) -> AsyncIterator[AsyncConnection]:
        assert self._engine is not None
        async with self._engine.connect() as connection, connection.begin():
            yield connection

    async def create(self, table: TableRow, seats: Sequence[SeatRow]) -> None:
        """Store a new table."""
        async with self._write() as connection:
            await connection.execute(sa.insert(_tables).values(
                id=table.id, game=str(table.settings["game"]), settings=json.dumps(table.settings),
                rules_version=table.rules_version, seed=str(table.seed), display_name=table.display_name,
                invite_only=table.invite_only, token_hash=table.token_hash, created_us=table.created_us,
                finished=table.finished))
            await connection.execute(sa.insert(_seats), [_seat_values(table.id, seat) for seat in seats])
            if table.pass_window is not None:
                least, most = table.pass_window
                await connection.execute(sa.insert(_pass_windows).values(table_id=table.id, least_ms=least, most_ms=most))

    async def append(self, table_id: str, number: int, row: ActionRow) -> None:
        """Store action `number`. Raises Conflict when there is one already, or the table is gone."""
        try:
            async with self._write() as connection:
                await connection.execute(sa.insert(_actions).values(
                    table_id=table_id, number=number, seat=row.seat, action=row.action,
                    request_id=row.request_id, written_us=now_us()))
        except IntegrityError:
            raise Conflict from None

    async def put_seats(self, table_id: str, seats: Sequence[SeatRow]) -> None:
        """Store who sits where now, all in one step."""
        async with self._write() as connection:
            for seat in seats:
                await connection.execute(sa.update(_seats)
                                         .where(_seats.c.table_id == table_id, _seats.c.seat == seat.seat)
                                         .values(**_seat_values(table_id, seat)))

    async def finish(self, table_id: str) -> None:
        """Note that the game is over."""
        async with self._write() as connection:
            await connection.execute(sa.update(_tables).where(_tables.c.id == table_id).values(finished=True))

    async def delete(self, table_id: str) -> None:
        """Remove a table and all that belongs to it."""
        async with self._write() as connection:
            for table in (_actions, _seats, _pass_windows):
                await connection.execute(sa.delete(table).where(table.c.table_id == table_id))
            await connection.execute(sa.delete(_tables).where(_tables.c.id == table_id))

    async def load(self, table_id: str, *, skip: int = 0) -> StoredTable | None:
        """A table and its actions from number `skip` on; None when there is none."""
        async with self._read() as connection:
            row = (await connection.execute(_read_all(_tables).where(_tables.c.id == table_id))).mappings().first()
            if row is None:
                return None
            seats = (await connection.execute(_read_all(_seats).where(_seats.c.table_id == table_id)
                                              .order_by(_seats.c.seat))).mappings().all()
            log = _read_all(_actions).where(_actions.c.table_id == table_id).order_by(_actions.c.number)
            if skip:        # the first time all are read: also one whose number is none
                log = log.where(_actions.c.number >= skip)
            actions = (await connection.execute(log)).mappings().all()
            of_table = _read_all(_pass_windows).where(_pass_windows.c.table_id == table_id)
            window = (await connection.execute(of_table)).mappings().first()
        return stored_table(row, seats, actions, window, skip)

    async def page(self, count: int, *, game: str | None = None,
                   after: tuple[int, str] | None = None) -> list[TableRow]:
        """Tables, newest first, at most `count`; `after` is (created_us, id) of the last one already shown.

        Those whose time can't be read come last, as of time 0.
        """
        created, table_id = _tables.c.created_us, _tables.c.id
        dated = sa.and_(created.between(1, LATEST_US), created == sa.cast(created, sa.BigInteger))
        query = _read_all(_tables) if game is None else _read_all(_tables).where(_tables.c.game == game)
        newest = query.where(dated).order_by(created.desc(), table_id.desc())
        if after is not None:
            newest = newest.where(sa.or_(created < after[0], sa.and_(created == after[0], table_id < after[1])))
        others = query.where(sa.or_(created.is_(None), ~dated)).order_by(table_id.desc())
        if after is not None and after[0] == 0:
            others = others.where(table_id < after[1])
        async with self._read() as connection:
            rows = list((await connection.execute(newest.limit(count))).mappings())
            if len(rows) < count:
                rows += (await connection.execute(others.limit(count - len(rows)))).mappings()
        return [table_row(row) for row in rows]

    async def tables_with_bots(self) -> list[str]:
        """Ids of the tables that are not known to be finished and where a bot, or the clock, may have to act."""
        query = (sa.select(_raw(_tables.c.id)).join(_seats).outerjoin(_pass_windows, _pass_windows.c.table_id == _tables.c.id)
                 .where(sa.or_(_seats.c.holder == "bot", _pass_windows.c.table_id.is_not(None)),
                        _tables.c.finished.is_not(sa.true()))
                 .distinct().order_by(_tables.c.id))
        async with self._read() as connection:
            return [found for found in (await connection.execute(query)).scalars() if is_table_id(found)]


def _read_all(table: sa.Table) -> sa.Select[Any]:
    """All columns as the driver gives them: a value of the wrong type must not fail the whole query."""
    columns = [_raw(column).label(column.name) for column in table.c]
    return sa.select(*columns)


def _raw(column: sa.Column[Any]) -> sa.ColumnElement[Any]:
    return sa.type_coerce(column, sa.types.NullType())


def _prepare_sqlite(engine: AsyncEngine) -> None:
    """Write-ahead log; a commit returns when it is on disk; transactions begin where we say so."""

    @sa.event.listens_for(engine.sync_engine, "connect")
    def connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None       # the driver must not begin transactions by itself
        # Text that is not UTF-8 must not fail the whole query.
        connection.driver_connection.text_factory = functools.partial(str, encoding="utf-8", errors="surrogateescape")
        cursor = connection.cursor()
        try:
            for pragma in ("busy_timeout = 5000", "journal_mode = WAL", f"synchronous = {_SYNCHRONOUS}", "foreign_keys = ON"):
                cursor.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()      # the pool has not taken it yet, and its thread would live on
            raise
        cursor.close()

    @sa.event.listens_for(engine.sync_engine, "begin")
    def begin(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get("seatmate_write", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _seat_values(table_id: str, seat: SeatRow) -> dict[str, Any]:
    return {"table_id": table_id, **asdict(seat)}
