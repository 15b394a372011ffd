"""The tables that this server holds in memory: found, loaded, let go of, and kept as their logs are, whoever has written there."""
from __future__ import annotations

import asyncio
import functools
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from seatmate.engine.core.errors import RecordError
from seatmate.engine.core.game import SPECTATORS
from seatmate.server import access
from seatmate.server.errors import ApiError, Code
from seatmate.server.live import LiveTable
from seatmate.server.names import table_name
from seatmate.server.rows import Damage, TableRow
from seatmate.server.schedule import Schedule
from seatmate.server.storage import Storage
from seatmate.server.writer import Conflict

log = logging.getLogger(__name__)
T = TypeVar("T")

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.2, 30.0    # between attempts to read what the database would not give
_MOST_AT_ONCE = 50      # actions that are replayed on the event loop: a millisecond or two
_MOST_SAID = 10_000     # tables of which it is kept what a list says of them: 10 MB
_MOST_LOOKED_AT = 20    # tables, whenever one is left: a call has no time for all of them
_FINISHED_S, _IDLE_S = 60.0, 600.0      # after which tables leave memory that nobody uses


class UnreadableTable(ApiError):
    """The table exists, but was played under other rules or content (then `damaged` is False), or its rows are damaged."""

    def __init__(self, row: TableRow, reason: str, *, damaged: bool = False) -> None:
        if damaged:
            super().__init__(Code.DATA_LOSS, "TABLE_DAMAGED", f"this table is damaged in the database: {reason}")
        else:
            super().__init__(Code.FAILED_PRECONDITION, "OTHER_RULES_OR_CONTENT", reason)
        self.row = row
        self.damaged = damaged


class Listener:
    """Collects the ids of tables that come, change or go."""

    def __init__(self, game: str | None) -> None:
        self._game = game
        self._noted: dict[str, None] = {}

    def note(self, row: TableRow) -> None:
        """This table is new, another or gone."""
        if self._game in (None, row.settings["game"]):
            self._noted[row.id] = None

    def take(self, most: int) -> list[str]:
        """The first so many of them, which are forgotten."""
        taken = list(self._noted)[:most]
        for table_id in taken:
            del self._noted[table_id]
        return taken


class TablesInMemory:
    """Tables by their id, each the replay of its log."""

    def __init__(self, storage: Storage, schedule: Schedule, *, cached: int) -> None:
        self._storage = storage
        self.schedule = schedule
        self._cached = cached
        self._live: OrderedDict[str, LiveTable] = OrderedDict()     # least recently used first
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._damaged: dict[str, str] = {}      # what is wrong, by table: for the log and the metrics
        self._listeners: set[Listener] = set()
        self.stopping = False
        self.on_change: Callable[[LiveTable], None] = lambda table: None
        self.drives: Callable[[str], bool] = lambda table_id: True      # are its bots and its clock this server's?
        self._following: set[str] = set()       # tables that others have written, to be read
        self._followers: set[asyncio.Task[None]] = set()
        self._said: OrderedDict[str, Any] = OrderedDict()       # of tables that are not in memory; see `glance`
        self._changes = 0       # of any table, counted

    @functools.cached_property
    def _began(self) -> float:
        """When the first table was read: the tables may be made before there is a loop and its clock."""
        return asyncio.get_running_loop().time()

    @property
    def in_memory(self) -> int:
        """Tables that are held in memory."""
        return len(self._live)

    def users(self, table_id: str) -> int:
        """How many use the table now, bots that think and open streams included."""
        return self._live[table_id].users if table_id in self._live else 0

    def used_for(self, seconds: float) -> list[str]:
        """Ids of the tables that are used now and where nobody has been seen to act for so long."""
        before = asyncio.get_running_loop().time() - seconds
        return [table_id for table_id, table in self._live.items() if table.users and table.opened_at < before]

    @property
    def damaged(self) -> int:
        """Tables that were found damaged since the start and are still there."""
        return len(self._damaged)

    # ---- Finding a table ----

    @asynccontextmanager
    async def use(self, table_id: str) -> AsyncIterator[LiveTable]:
        """The table, kept in memory while it is used. Raises ApiError: not found, unreadable."""
        table = self._live.get(table_id)
        while table is None:
            loading = self._loading.get(table_id)
            if loading is None:
                loading = self._loading[table_id] = asyncio.create_task(self._load(table_id))
                loading.add_done_callback(lambda task: self._loaded(table_id, task))
            await asyncio.shield(loading)
            table = self._live.get(table_id)
        self._live.move_to_end(table_id)
        table.users += 1
        try:
            yield table
        finally:
            table.users -= 1
            table.left_at = asyncio.get_running_loop().time()
            self._forget()

    async def glance(self, table_id: str, say: Callable[[LiveTable], T]) -> T:
        """What `say` says of an open table. For this it is not taken into memory, and what was said is kept until it changes.

        Raises ApiError as `use` does.
        """
        if table_id in self._live or table_id in self._loading:
            async with self.look_at(table_id, None) as table:
                return say(table)
        if table_id in self._said:
            self._said.move_to_end(table_id)
            kept: T = self._said[table_id]
            return kept
        changes = self._changes
        said = say(await self._replayed(table_id))
        if changes == self._changes:
            self._said[table_id] = said
            if len(self._said) > _MOST_SAID:
                self._said.popitem(last=False)
        return said

    @asynccontextmanager
    async def look_at(self, table_id: str, token: str | None, observer: int = SPECTATORS,
                      sequence: int = 0) -> AsyncIterator[LiveTable]:
        """As `use` and `admit`, for somebody who is shown what this observer sees."""
        async with self.use(table_id) as table:
            await self.admit(table, observer, token, sequence)
            table.look(self.schedule.look_s)
            yield table

    def _loaded(self, table_id: str, task: asyncio.Task[LiveTable]) -> None:
        self._loading.pop(table_id, None)
        if not task.cancelled():
            task.exception()    # seen, also when the callers are gone

    async def _load(self, table_id: str) -> LiveTable:
        table = await self._replayed(table_id)
        self._live[table_id] = table
        return table

    async def _replayed(self, table_id: str) -> LiveTable:
        """The table as its log says; a long one is replayed in a thread. Raises ApiError: not found, unreadable."""
        stored = await self._storage.load(table_id)
        if stored is None:
            raise not_found(table_id)
        clock = asyncio.get_running_loop().time
        try:
            if len(stored.actions) > _MOST_AT_ONCE:
                table = await asyncio.to_thread(LiveTable, stored, clock)
            else:
                table = LiveTable(stored, clock)
        except RecordError as error:
            raise UnreadableTable(stored.table, str(error)) from None
        except Damage as damage:
            raise self._damage(stored.table, damage) from None
        except Exception as error:      # whatever a row may hold that nobody has thought of
            raise self._damage(stored.table, Damage("it can't be replayed"), error) from None
        self._damaged.pop(table_id, None)
        table.shared = self._storage.shared
        table.served_from = self._began
        return table

    def _damage(self, row: TableRow, damage: Damage, error: Exception | None = None) -> UnreadableTable:
        """The answer for a damaged table. What is wrong goes to the log, once."""
        if self._damaged.get(row.id) != str(damage):
            self._damaged[row.id] = str(damage)
            log.error("a table is damaged", extra={"table": row.id, "damage": damage.detail}, exc_info=error)
        return UnreadableTable(row, str(damage), damaged=True)

    def check_row(self, row: TableRow) -> None:
        """Raises ApiError when the row alone shows that the table is damaged."""
        if row.damage:
            raise self._damage(row, Damage(row.damage))

    def _forget(self) -> None:
        """Drop the least recently used tables beyond the limit; they are loaded again when somebody asks.

        One that is in use counts as used now: who watches does not stand in the way at every call.
        """
        for _ in range(_MOST_LOOKED_AT):
            if len(self._live) <= self._cached:
                return
            table_id, table = next(iter(self._live.items()))
            if table.users or table.lock.locked():
                self._live.move_to_end(table_id)
            else:
                del self._live[table_id]

    def sweep(self) -> None:
        """Let go of tables that nobody has used for a while, finished ones before others."""
        now = asyncio.get_running_loop().time()
        for table_id, table in list(self._live.items()):
            idle = now - table.left_at if table.users == 0 and not table.lock.locked() else 0.0
            if idle > (_FINISHED_S if table.is_over else _IDLE_S):
                del self._live[table_id]

    async def page(self, count: int, *, game: str | None, after: tuple[int, str] | None) -> list[TableRow]:
        """Stored open tables, newest first."""
        return await self._storage.page(count, game=game, after=after)

    async def resume(self) -> None:
        """After a start: wake every table where a bot may have to move. A table that can't be read harms no other.

        What the database does not give now it is asked for again, until it does.
        """
        asleep: list[str] | None = None
        pause = _FIRST_PAUSE_S
        while True:
            try:
                if asleep is None:
                    asleep = await self._storage.tables_with_bots()
                asleep = [table_id for table_id in asleep if self.drives(table_id) and not await self._wake(table_id)]
            except Exception:
                log.exception("the tables with bots could not be looked up; this is tried again")
            if asleep == []:
                return
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_S)

    async def _wake(self, table_id: str) -> bool:
        """Let the table's bots go on; False when that is to be tried again."""
        try:
            async with self.use(table_id) as table:
                if table.is_over:
                    await self._note_end(table)
                self.on_change(table)
        except ApiError as error:
            log.warning("table left alone", extra={"table": table_id, "reason": error.message})
        except Exception:
            log.exception("a table could not be read; this is tried again", extra={"table": table_id})
            return False
        return True

    # ---- Other servers on the same database ----

    def _unsay(self, table_id: str | None) -> None:
        """What was said of this table, None: of any, may no longer be true."""
        self._changes += 1
        self._said.clear() if table_id is None else self._said.pop(table_id, None)

    def others_wrote(self, table_id: str | None) -> None:
        """Another server has changed this table; None: each may have been changed."""
        self._unsay(table_id)
        for one in (*self._live, *self._loading) if table_id is None else (table_id,):
            if one not in self._following:
                self._following.add(one)
                task = asyncio.create_task(self._follow(one))
                self._followers.add(task)
                task.add_done_callback(self._followers.discard)

    async def _follow(self, table_id: str) -> None:
        """Take over what others have written, for those who watch here and for bots that are played here."""
        self._following.discard(table_id)       # what is written from now on is read again
        if table_id in self._loading:
            await asyncio.wait([self._loading[table_id]])       # it may have been read before that was written
        if table_id not in self._live and not self.drives(table_id) and not self._listeners:
            return
        try:
            async with self.use(table_id) as table:
                await self._read_on(table)
        except ApiError as error:
            if error.code is not Code.NOT_FOUND:
                log.warning("table left alone", extra={"table": table_id, "reason": error.message})
        except SQLAlchemyError:
            log.exception("what another server wrote could not be read; this is tried again", extra={"table": table_id})
            await asyncio.sleep(_FIRST_PAUSE_S)
            if not self.stopping:
                self.others_wrote(table_id)

    async def _read_on(self, table: LiveTable) -> None:
        async with self._deciding(table, behind=True):
            pass

    async def reach(self, table: LiveTable, observer: int, token: str | None, sequence: int = 0) -> None:
        """Be as far as another server may have told somebody already: of this event, and of what this token opens."""
        if not table.shared:
            return
        try:
            access.require_observer(table, observer, token)
            behind = sequence > table.state.sequence(observer)
        except ApiError:
            behind = True
        if behind:
            await self._read_on(table)

    async def admit(self, table: LiveTable, observer: int, token: str | None, sequence: int = 0) -> None:
        """Raises ApiError unless the caller may see what the observer sees; then the table is as far as event `sequence`."""
        await self.reach(table, observer, token, sequence)
        access.require_observer(table, observer, token)

    def share_out(self) -> None:
        """The servers on this database are others now: play the bots of the tables that are ours, and no others'."""
        for table in tuple(self._live.values()):
            self.on_change(table)

    def stop(self) -> None:
        """The server is going down: wake all who wait."""
        self.stopping = True
        for table in self._live.values():
            table.notify()

    @contextmanager
    def heard(self, game: str | None) -> Iterator[Listener]:
        """Hear of the open tables of this game (None: of all) that come, change or go, until this ends."""
        listener = Listener(game)
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    def keep_looking(self, table_ids: Iterable[str]) -> None:
        """Somebody goes on being shown these tables."""
        for table_id in table_ids:
            if table_id in self._live:
                self._live[table_id].look(self.schedule.look_s)

    def _note(self, row: TableRow) -> None:
        self._unsay(row.id)
        if not row.is_open:
            return
        for listener in self._listeners:
            listener.note(row)

    # ---- The log ----

    @asynccontextmanager
    async def _deciding(self, table: LiveTable, *, behind: bool = False) -> AsyncIterator[None]:
        """Hold the table's lock; look at the log again first when a write went wrong before, or another server is ahead.

        behind: it may be ahead of what was read a moment ago.
        """
        async with table.lock:
            if table.broken:
                raise table.broken
            if table.doubtful or behind:
                await self._catch_up(table)
            if table.deleted:
                raise not_found(table.id)
            try:
                yield
            except ApiError:
                raise
            except Exception:
                table.doubtful = True
                raise

    async def _catch_up(self, table: LiveTable) -> None:
        """Take over what the log has beyond our memory."""
        stored = await self._storage.load(table.id, skip=len(table.steps))
        if stored is None:
            self._drop(table)
            return
        try:
            table.take(stored)
        except Damage as damage:
            table.broken = self._damage(table.row, damage)
            self._live.pop(table.id, None)      # its state is of no log any more; who looks again reads it anew
            self._tell(table)
            raise table.broken from None
        table.doubtful = False
        self._tell(table)

    def _tell(self, table: LiveTable) -> None:
        table.notify()
        self._note(table.row)
        self.on_change(table)

    def _drop(self, table: LiveTable) -> None:
        table.deleted = True
        self._live.pop(table.id, None)
        self._damaged.pop(table.id, None)
        self._tell(table)

    async def _note_end(self, table: LiveTable) -> None:
        """Spare the next start from loading a finished table; the log is enough without it."""
        try:
            await self._storage.finish(table.id)
        except (SQLAlchemyError, Conflict):
            log.exception("the end could not be noted", extra={"table": table.id})


def not_found(table_id: str) -> ApiError:
    """There is no such table."""
    return ApiError(Code.NOT_FOUND, "TABLE_NOT_FOUND", f"there is no table '{table_name(table_id)}'")

