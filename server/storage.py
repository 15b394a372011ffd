"""Tables on disk: settings, the secret seed, who sits where, and the log of actions. States are rebuilt by replay."""
from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from seatmate.server.database_file import DatabaseFile, is_damage, prepare
from seatmate.server.metrics import Observe, unobserved
from seatmate.server.options import StartupError
from seatmate.server.replicas import NOTIFY, Replicas
from seatmate.server.rows import (
    LATEST_US,
    MOST_CHILDREN,
    ActionRow,
    OriginRow,
    Row,
    SeatRow,
    StoredTable,
    TableRow,
    TimeRow,
    is_table_id,
    stored_table,
    table_row,
)
from seatmate.server.survey import Surveyed, Wanted, survey_query, surveyed
from seatmate.server.writer import Change, Writer

T = TypeVar("T")

SCHEMA_VERSION = 1

_READERS = 2
"""Threads that read; a table that is not in memory waits for one."""

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
    sa.Column("invite_only", sa.Boolean, nullable=False),   # false: an open table
    sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
    sa.Column("created_us", sa.BigInteger, nullable=False),  # microseconds since 1970
    sa.Column("finished", sa.Boolean, nullable=False),      # a hint for the restart; the log decides
    sa.Index("tables_newest", "invite_only", "created_us", "id"),
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
_invitations = sa.Table(
    "invitations", _schema,                                 # tables without a row have none
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
)
_clocks = sa.Table(
    "clocks", _schema,                                      # tables without a row have no clock
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("move_ms", sa.Integer, nullable=False),
    sa.Column("reserve_ms", sa.Integer, nullable=False),
    sa.Column("increment_ms", sa.Integer, nullable=False),
    sa.Column("bot", sa.Text, nullable=False),
    sa.Column("hands_over", sa.Boolean, nullable=False),
)
_seat_times = sa.Table(
    "seat_times", _schema,                                  # of all seats of a table with a clock
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("left_ms", sa.BigInteger, nullable=False),
    sa.Column("since_us", sa.BigInteger, nullable=False),
)
_take_backs = sa.Table(
    "take_backs", _schema,                                  # tables without a row do not allow it
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("allowed", sa.Boolean, nullable=False),
)
_origins = sa.Table(
    "origins", _schema,                                     # of tables that descend from another
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("parent_id", sa.String(32), nullable=False, index=True),     # which may have been deleted since
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("steps", sa.Integer, nullable=False),
    sa.Column("created_us", sa.BigInteger, nullable=False),
)
_lost_tokens = sa.Table(
    "lost_tokens", _schema,                                 # of the players that seats had before
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("token_hash", sa.LargeBinary(32), primary_key=True),
    sa.Column("sat_on", sa.Integer, nullable=False),        # the seat
    sa.Column("actions", sa.Integer, nullable=False),       # in the table's log when it was lost
    sa.Column("lost_us", sa.BigInteger, nullable=False),
)

_replicas = sa.Table(
    "replicas", _schema,                                    # of PostgreSQL: the servers on this database
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
)
_uses = sa.Table(
    "uses", _schema,                                        # of PostgreSQL: tables that some server's callers have been looking at
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
)

_FIRST = (_tables, _seats, _actions)
"""There from the beginning: a database without one of them has lost it."""

_PARTS = (_pass_windows, _invitations, _clocks, _take_backs, _origins)
"""Those that have a row for some of the tables."""

# Each is one object, so that the rows of all who write at the same time go together.
_INSERT_TABLE, _INSERT_SEAT, _INSERT_ACTION, _INSERT_WINDOW, _INSERT_INVITATION, _INSERT_CLOCK, _INSERT_TIME = map(
    sa.insert, (_tables, _seats, _actions, _pass_windows, _invitations, _clocks, _seat_times))
_INSERT_TAKE_BACK, _INSERT_ORIGIN = sa.insert(_take_backs), sa.insert(_origins)
_INSERT_ACTION_OF = sa.insert(_actions).from_select(     # if the seat is still theirs: another server may have seated somebody
    _actions.c.keys(), sa.select(*(sa.bindparam(column.name, type_=column.type) for column in _actions.c)).where(
        sa.exists().where(_seats.c.table_id == sa.bindparam("table_id"), _seats.c.seat == sa.bindparam("seat"),
                          _seats.c.holder == sa.bindparam("holder"),
                          _seats.c.token_hash.is_not_distinct_from(sa.bindparam("holds", type_=sa.LargeBinary(32))))))
_UPDATE_SEAT = (sa.update(_seats)       # if it is still as it was known: another server may have seated somebody
                .where(_seats.c.table_id == sa.bindparam("of_table"), _seats.c.seat == sa.bindparam("of_seat"),
                       _seats.c.holder == sa.bindparam("old_holder"),
                       _seats.c.token_hash.is_not_distinct_from(sa.bindparam("old_hash", type_=sa.LargeBinary(32))))
                .values({name: sa.bindparam(name) for name in SeatRow.__slots__ if name != "seat"}))
_UPDATE_TIME = (sa.update(_seat_times)
                .where(_seat_times.c.table_id == sa.bindparam("of_table"), _seat_times.c.seat == sa.bindparam("of_seat"))
                .values(left_ms=sa.bindparam("left_ms"), since_us=sa.bindparam("since_us")))
_INSERT_LOST = sa.insert(_lost_tokens).values(
    table_id=sa.bindparam("of_table"), token_hash=sa.bindparam("lost_hash", type_=sa.LargeBinary(32)),
    sat_on=sa.bindparam("of_seat"), lost_us=sa.bindparam("now_us"),
    actions=sa.select(sa.func.count()).where(_actions.c.table_id == sa.bindparam("of_table")).scalar_subquery())
_USED = sa.text("insert into uses (table_id, seen) values (:table_id, clock_timestamp()) "
                "on conflict (table_id) do update set seen = excluded.seen")
_UNUSED = sa.text("delete from uses where seen < clock_timestamp() - make_interval(secs => :seconds)")
_FINISH = sa.update(_tables).where(_tables.c.id == sa.bindparam("of_table")).values(finished=True)
_DELETE = (*(sa.delete(table).where(table.c.table_id == sa.bindparam("of_table"))
             for table in (_actions, _seats, _seat_times, _lost_tokens, _uses, *_PARTS)),
           sa.delete(_tables).where(_tables.c.id == sa.bindparam("of_table")))


def now_us() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


class Storage:
    """The database. Every write is on disk when the method returns, all of it or nothing."""

    def __init__(self, url: str, *, waited: Observe = unobserved, took: Observe = unobserved) -> None:
        """waited, took: hear how long each "read" and "write" stood in line, and how long the database had it.

        Raises StartupError when this is not a database URL.
        """
        self._waited = waited
        self._took = took
        try:
            self._url = sa.make_url(url)
        except SQLAlchemyError as error:
            raise StartupError(f"the database {url!r} can't be used: {error}") from None
        if self._url.get_backend_name() not in ("sqlite", "postgresql"):
            raise StartupError(f"the database {self._url.render_as_string(hide_password=True)} can't be used: it has to be a file "
                               "of SQLite or postgresql://...")
        self._sqlite = self._url.get_backend_name() == "sqlite"
        self.shared = not self._sqlite      # can other servers write, too?
        self._me = secrets.token_hex(8)
        self._engine: sa.Engine | None = None
        self._writer: Writer | None = None
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="reader")
        self._file: DatabaseFile | None = None

    async def open(self) -> None:
        """Connect and create what is missing. Raises StartupError with one sentence."""
        await asyncio.to_thread(self._open)

    def _open(self) -> None:
        where = self._url.database if self._sqlite else self._url.render_as_string(hide_password=True)
        if self._sqlite and not (self._url.database or "").startswith("file:"):
            self._file = DatabaseFile(self._url.database or "")
        try:
            self._engine = sa.create_engine(self._url, hide_parameters=True)    # they hold the secret seeds
            if self._sqlite:
                prepare(self._engine, self._file)
            with self._engine.connect() as connection:
                connection = connection.execution_options(seatmate_write=True)
                with connection.begin():
                    if self.shared:
                        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(SCHEMA_VERSION)))    # another may start, too
                    _check_layout(connection, alone=self._sqlite)
                    _schema.create_all(connection)
                    found = connection.execute(sa.select(_meta.c.value).where(_meta.c.key == "schema")).scalar()
                    if found is None:
                        connection.execute(sa.insert(_meta).values(key="schema", value=str(SCHEMA_VERSION)))
        except (SQLAlchemyError, OSError, ModuleNotFoundError) as error:
            reason = str(error.orig) if isinstance(error, DBAPIError) else str(error).splitlines()[0]
            if isinstance(error, ModuleNotFoundError):
                extra = "; pip install 'seatmate[postgres]' brings it" if error.name == "psycopg" else ""
                reason = f"the Python module {error.name} is not installed{extra}"
            self._close()
            raise StartupError(f"the database {where} can't be used: {reason}") from None
        except StartupError as error:
            self._close()
            raise StartupError(f"the database {where} can't be used: {error}") from None
        if found not in (None, str(SCHEMA_VERSION)):
            self._close()
            raise StartupError(f"the database {where} has layout {found}; this version of seatmate reads layout "
                               f"{SCHEMA_VERSION}")
        self._writer = Writer(self._engine, waited=self._waited, took=self._took)

    async def close(self) -> None:
        """Write what waits, and let go of the database."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self._readers.shutdown()
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None
        if self._file is not None:
            self._file.release()
            self._file = None

    def join(self, heard: Callable[[str | None], None], changed: Callable[[], None]) -> Replicas:
        """Be one of the servers that share this database. The arguments are those of Replicas."""
        assert self._engine is not None
        return Replicas(self._engine, self._me, heard, changed)

    async def _write(self, *changes: Change, told: str | Sequence[str] = (), of_bot: bool = False) -> None:
        """told: the tables whose change other servers on this database hear of."""
        assert self._writer is not None
        of = (told,) if isinstance(told, str) else told
        news = [Change(NOTIFY, [{"payload": f"{self._me} {table_id}"} for table_id in of])] if of and self.shared else []
        await self._writer.write([*changes, *news], of_bot=of_bot)

    async def _read(self, work: Callable[[sa.Connection], T]) -> T:
        """What `work` makes of one consistent view of the database."""
        engine = self._engine
        assert engine is not None

        def read() -> T:
            began = time.monotonic()
            self._waited("read", began - asked)
            try:
                with engine.connect() as connection:
                    if self.shared:     # SQLite's readers see one state of the database anyway
                        connection = connection.execution_options(isolation_level="REPEATABLE READ")
                    with connection.begin():
                        return work(connection)
            finally:
                self._took("read", time.monotonic() - began)

        asked = time.monotonic()
        return await asyncio.get_running_loop().run_in_executor(self._readers, read)

    async def create(self, table: TableRow, seats: Sequence[SeatRow], actions: Sequence[ActionRow] = (),
                     times: Sequence[TimeRow] = ()) -> None:
        """Store a new table, perhaps with the beginning of a log. Raises Conflict when there is one of this id.

        times: of the seats; none: their clocks have not begun.
        """
        row = {"id": table.id, "game": str(table.settings["game"]), "settings": json.dumps(table.settings),
               "rules_version": table.rules_version, "seed": str(table.seed), "display_name": table.display_name,
               "invite_only": not table.is_open, "token_hash": table.token_hash, "created_us": table.created_us,
               "finished": table.finished}
        changes = [Change(_INSERT_TABLE, [row]), Change(_INSERT_SEAT, [{"table_id": table.id, **asdict(seat)} for seat in seats])]
        if table.pass_window is not None:
            least, most = table.pass_window
            changes.append(Change(_INSERT_WINDOW, [{"table_id": table.id, "least_ms": least, "most_ms": most}]))
        if table.invitation_hash is not None:
            changes.append(Change(_INSERT_INVITATION, [{"table_id": table.id, "token_hash": table.invitation_hash}]))
        if table.clock is not None:
            fresh = [TimeRow(seat=seat.seat, left_ms=table.clock.reserve_ms) for seat in seats]
            changes += [Change(_INSERT_CLOCK, [{"table_id": table.id, **asdict(table.clock)}]),
                        Change(_INSERT_TIME, [{"table_id": table.id, **asdict(time)} for time in times or fresh])]
        if table.take_back:
            changes.append(Change(_INSERT_TAKE_BACK, [{"table_id": table.id, "allowed": True}]))
        if table.origin is not None:
            changes.append(Change(_INSERT_ORIGIN, [{"table_id": table.id, "created_us": table.created_us, **asdict(table.origin)}]))
        if actions:
            changes.append(Change(_INSERT_ACTION, [{"table_id": table.id, "number": number, **asdict(action)}
                                                   for number, action in enumerate(actions)]))
        await self._write(*changes, told=(table.id,) if table.origin is None else (table.id, table.origin.parent_id))

    async def append(self, table_id: str, number: int, row: ActionRow, times: Sequence[TimeRow] = (), *,
                     holder: SeatRow | None = None, of_bot: bool = False) -> None:
        """Store action `number` and what it does to these seats' times.

        holder: the seat as it was known. Raises Conflict when there is such an action already, another server has given the seat
        to somebody else, or the table is gone.
        """
        values = {"table_id": table_id, "number": number, "seat": row.seat, "action": row.action, "request_id": row.request_id,
                  "written_us": now_us()}
        change = (Change(_INSERT_ACTION_OF, [{**values, "holder": holder.holder, "holds": holder.token_hash}])
                  if self.shared and holder is not None else Change(_INSERT_ACTION, [values]))
        await self._write(change, *_times(table_id, times), told=table_id, of_bot=of_bot)

    async def put_seats(self, table_id: str, seats: Sequence[tuple[SeatRow, SeatRow]], times: Sequence[TimeRow] = ()) -> None:
        """Store who sits where now, all in one step: (as it was, as it is) of each seat that changes; and these seats' times.

        Raises Conflict when one is not as it was, or the table is gone.
        """
        lost = [{"of_table": table_id, "of_seat": old.seat, "lost_hash": old.token_hash, "now_us": now_us()}
                for old, new in seats if old.token_hash not in (None, new.token_hash)]
        await self._write(Change(_UPDATE_SEAT, [
            {"of_table": table_id, "of_seat": old.seat, "old_holder": old.holder, "old_hash": old.token_hash,
             **{name: value for name, value in asdict(new).items() if name != "seat"}} for old, new in seats]),
            *([Change(_INSERT_LOST, lost)] if lost else ()), *_times(table_id, times), told=table_id)

    async def lost_token(self, table_id: str, seat: int, number: int) -> bytes | None:
        """The hash of the token that the seat's player had when action `number` was stored; None: not lost since."""
        lost = _lost_tokens.c
        query = (sa.select(_raw(lost.token_hash)).where(lost.table_id == table_id, lost.sat_on == seat, lost.actions > number)
                 .order_by(lost.actions, lost.lost_us).limit(1))
        found = await self._read(lambda connection: connection.execute(query).scalar())
        return found if isinstance(found, bytes) else None

    async def finish(self, table_id: str) -> None:
        """Note that the game is over. Raises Conflict when the table is gone."""
        await self._write(Change(_FINISH, [{"of_table": table_id}]), of_bot=True)

    async def note_used(self, table_ids: Sequence[str], seconds: float) -> None:
        """Tell the servers on this database that these tables are used now; what was noted so long ago is forgotten."""
        rows = [{"table_id": table_id} for table_id in sorted(table_ids)]       # in one order: no two servers wait for each other
        await self._write(*([Change(_USED, rows)] if rows else ()), Change(_UNUSED, [{"seconds": seconds}]), of_bot=True)

    async def is_used(self, table_id: str) -> bool:
        """Has any of the servers on this database noted that the table is used?"""
        query = sa.select(sa.func.count()).where(_uses.c.table_id == table_id)
        return bool(await self._read(lambda connection: connection.execute(query).scalar()))

    async def delete(self, table_id: str, origin: OriginRow | None = None) -> None:
        """Remove a table and all that belongs to it. origin: its own, from which it is no longer known then."""
        await self._write(*(Change(statement, [{"of_table": table_id}]) for statement in _DELETE),
                          told=(table_id,) if origin is None else (table_id, origin.parent_id))

    async def load(self, table_id: str, *, skip: int = 0) -> StoredTable | None:
        """A table and its actions from number `skip` on; None when there is none."""
        row: Row | None = dict.fromkeys(_tables.c.keys()) | {"id": table_id}       # where not even this can be read

        def read(connection: sa.Connection) -> StoredTable | None:
            nonlocal row
            row = connection.execute(_read_all(_tables).where(_tables.c.id == table_id)).mappings().first()
            if row is None:
                return None
            parts = {part.name: connection.execute(_read_all(part).where(part.c.table_id == table_id)).mappings().first()
                     for part in _PARTS}
            seats, times = (connection.execute(
                _read_all(table).where(table.c.table_id == table_id).order_by(table.c.seat)).mappings().all()
                if wanted else [] for table, wanted in ((_seats, True), (_seat_times, parts["clocks"] is not None)))
            log = _read_all(_actions).where(_actions.c.table_id == table_id).order_by(_actions.c.number)
            if skip:        # the first time all are read: also one whose number is none
                log = log.where(_actions.c.number >= skip)
            actions = connection.execute(log).mappings().all()
            children = connection.execute(_CHILDREN.where(_origins.c.parent_id == table_id)).mappings().all()
            return stored_table(row, seats, actions, times, parts, children, skip)

        try:
            return await self._read(read)
        except SQLAlchemyError as error:
            if row is None or not is_damage(error):
                raise
            return StoredTable(table_row(row), damage="the file is damaged where it stands")

    async def page(self, count: int, *, game: str | None = None,
                   after: tuple[int, str] | None = None) -> list[TableRow]:
        """Open tables, newest first, at most `count`; `after` is (created_us, id) of the last one already shown.

        Those whose time can't be read come last, as of time 0.
        """
        created, table_id = _tables.c.created_us, _tables.c.id
        dated = sa.and_(created.between(1, LATEST_US), created == sa.cast(created, sa.BigInteger))
        query = _read_all(_tables).where(_tables.c.invite_only.is_(sa.false()))
        if game is not None:
            query = query.where(_tables.c.game == game)
        newest = query.where(dated).order_by(created.desc(), table_id.desc())
        if after is not None:
            newest = newest.where(sa.or_(created < after[0], sa.and_(created == after[0], table_id < after[1])))
        others = query.where(sa.or_(created.is_(None), ~dated)).order_by(table_id.desc())
        if after is not None and after[0] == 0:
            others = others.where(table_id < after[1])

        def read(connection: sa.Connection) -> list[TableRow]:
            rows = list(connection.execute(newest.limit(count)).mappings())
            if len(rows) < count:
                rows += connection.execute(others.limit(count - len(rows))).mappings()
            return [table_row(row) for row in rows]

        return await self._read(read)

    async def survey(self, wanted: Wanted) -> list[Surveyed]:
        """Tables from outside."""
        query = survey_query(_tables, _seats, _actions, wanted)
        return await self._read(lambda connection: list(surveyed(connection.execute(query).mappings())))

    async def tables_with_bots(self) -> list[str]:
        """Ids of the tables that are not known to be finished and where a bot, or the clock, may have to act."""
        query = (sa.select(_raw(_tables.c.id)).join(_seats).outerjoin(_pass_windows, _pass_windows.c.table_id == _tables.c.id)
                 .outerjoin(_clocks, _clocks.c.table_id == _tables.c.id)
                 .where(sa.or_(_seats.c.holder == "bot", _pass_windows.c.table_id.is_not(None), _clocks.c.table_id.is_not(None)),
                        _tables.c.finished.is_not(sa.true()))
                 .distinct().order_by(_tables.c.id))
        return await self._read(lambda connection: [found for found in connection.execute(query).scalars() if is_table_id(found)])


def _check_layout(connection: sa.Connection, *, alone: bool) -> None:
    """Raises StartupError when the tables that are there already are another program's, or not whole.

    alone: nobody else's tables may stand beside ours.
    """
    look = sa.inspect(connection)
    found = set(look.get_table_names())
    if alone and found and _meta.name not in found:
        raise StartupError("it holds the data of another program")
    for table in _schema.sorted_tables:
        if table.name in found:
            lost = set(table.c.keys()) - {column["name"] for column in look.get_columns(table.name)}
            if lost:
                raise StartupError(f"its table {table.name} has no column {min(lost)}")
        elif _meta.name in found and table in _FIRST:
            raise StartupError(f"its table {table.name} is missing")


def _times(table_id: str, times: Sequence[TimeRow]) -> list[Change]:
    if not times:
        return []
    return [Change(_UPDATE_TIME, [{"of_table": table_id, "of_seat": time.seat, "left_ms": time.left_ms, "since_us": time.since_us}
                                  for time in times])]


def _read_all(table: sa.Table) -> sa.Select[Any]:
    """All columns as the driver gives them: a value of the wrong type must not fail the whole query."""
    return sa.select(*(_raw(column).label(column.name) for column in table.c))


def _raw(column: sa.Column[Any]) -> sa.ColumnElement[Any]:
    return sa.type_coerce(column, sa.types.NullType())


_CHILDREN = _read_all(_origins).order_by(
    _origins.c.kind.desc(), _origins.c.created_us.desc(), _origins.c.table_id).limit(MOST_CHILDREN)
