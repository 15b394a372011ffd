"""All tables: loading, deciding, writing, forgetting. Everything that changes a table goes through here."""
from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from seatmate.engine.core.errors import RecordError
from seatmate.engine.core.game import SPECTATORS, Game
from seatmate.server import access, auth
from seatmate.server.errors import ApiError, Code, bad_field, closing, reused
from seatmate.server.live import LiveTable, Step, wait_for
from seatmate.server.logs import log_lost
from seatmate.server.names import new_table_id, table_name
from seatmate.server.rows import ActionRow, Damage, SeatRow, TableRow
from seatmate.server.schedule import Schedule
from seatmate.server.storage import Storage, now_us
from seatmate.server.writer import Conflict

log = logging.getLogger(__name__)
T = TypeVar("T")


_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.2, 30.0    # between attempts to read what the database would not give
_MOST_AT_ONCE = 50      # actions that are replayed on the event loop: a millisecond or two
_MOST_SAID = 10_000     # tables of which it is kept what a list says of them: 10 MB
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


class Created(NamedTuple):
    """A new table, its token and its invitation."""

    table: LiveTable
    token: str
    invitation: str


class Tables:
    """The tables of this server."""

    def __init__(self, storage: Storage, schedule: Schedule, *, cached: int) -> None:
        self._storage = storage
        self.schedule = schedule
        self._cached = cached
        self._live: OrderedDict[str, LiveTable] = OrderedDict()     # least recently used first
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._decisions: set[asyncio.Task[Any]] = set()
        self._damaged: dict[str, str] = {}      # what is wrong, by table: for the log and the metrics
        self._listeners: set[Listener] = set()
        self.stopping = False
        self.on_change: Callable[[LiveTable], None] = lambda table: None
        self.drives: Callable[[str], bool] = lambda table_id: True      # are its bots and its clock this server's?
        self._following: set[str] = set()       # tables that others have written, to be read
        self._followers: set[asyncio.Task[None]] = set()
        self._said: OrderedDict[str, Any] = OrderedDict()       # of tables that are not in memory; see `glance`
        self._changes = 0       # of any table, counted

    @property
    def in_memory(self) -> int:
        """Tables that are held in memory."""
        return len(self._live)

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
                loading.add_done_callback(lambda task: self._loading.pop(table_id, None))
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

    async def _load(self, table_id: str) -> LiveTable:
        table = await self._replayed(table_id)
        self._live[table_id] = table
        return table

    async def _replayed(self, table_id: str) -> LiveTable:
        """The table as its log says; a long one is replayed in a thread. Raises ApiError: not found, unreadable."""
        stored = await self._storage.load(table_id)
        if stored is None:
            raise _not_found(table_id)
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
        """Drop the least recently used tables beyond the limit; they are loaded again when somebody asks."""
        if len(self._live) <= self._cached:
            return
        for table_id, table in list(self._live.items()):
            if len(self._live) <= self._cached:
                break
            if table.users == 0 and not table.lock.locked():
                del self._live[table_id]

    def sweep(self) -> None:
        """Let go of tables that nobody has used for a while, finished ones before others."""
        now = asyncio.get_running_loop().time()
        for table_id, table in list(self._live.items()):
            idle = now - table.left_at if table.users == 0 and not table.lock.locked() else 0.0
            if idle > (_FINISHED_S if table.state.is_over else _IDLE_S):
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
                if table.state.is_over:
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
        for one in tuple(self._live) if table_id is None else (table_id,):
            if one not in self._following:
                self._following.add(one)
                task = asyncio.create_task(self._follow(one))
                self._followers.add(task)
                task.add_done_callback(self._followers.discard)

    async def _follow(self, table_id: str) -> None:
        """Take over what others have written, for those who watch here and for bots that are played here."""
        self._following.discard(table_id)       # what is written from now on is read again
        if table_id not in self._live and not self.drives(table_id) and not self._listeners:
            return
        try:
            async with self.use(table_id) as table:
                await self._read_on(table)
        except ApiError as error:
            if error.code is not Code.NOT_FOUND:
                log.warning("table left alone", extra={"table": table_id, "reason": error.message})
        except SQLAlchemyError:
            log.exception("what another server wrote could not be read", extra={"table": table_id})

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

    # ---- Changing a table ----

    async def _decide(self, table: LiveTable | None, work: Coroutine[Any, Any, T]) -> T:
        """Let a decision run to its end even when its caller goes away; the table stays in memory for it."""
        task = asyncio.create_task(work)
        self._decisions.add(task)
        if table is not None:
            table.users += 1

        def done(_: asyncio.Task[T]) -> None:
            self._decisions.discard(task)
            if not task.cancelled():
                task.exception()    # seen, also when the caller is gone
            if table is not None:
                table.users -= 1

        task.add_done_callback(done)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(log_lost)
            raise

    async def settle(self) -> None:
        """Wait for decisions that are being written."""
        while self._decisions:
            await asyncio.wait(self._decisions)

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
                raise _not_found(table.id)
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

    async def create(self, game: Game, *, seed: int | None, display_name: str, bots: Sequence[SeatRow],
                     is_open: bool, pass_window: tuple[int, int] | None, request_id: str | None = None) -> Created:
        """Deal and store a new table. Raises ApiError when this has been requested before."""
        token, invitation = auth.new_token(), auth.new_token()
        row = TableRow(id=new_table_id(request_id), settings=game.settings.to_json(), rules_version=game.spec.rules_version,
                       seed=secrets.randbits(128) if seed is None else seed, display_name=display_name,
                       is_open=is_open, token_hash=auth.hash_token(token), created_us=now_us(), pass_window=pass_window,
                       invitation_hash=auth.hash_token(invitation))
        seats = [SeatRow(seat=seat) for seat in range(game.seats)]
        for bot in bots:
            seats[bot.seat] = bot

        async def write() -> LiveTable:
            try:
                await self._storage.create(row, seats)
            except Conflict:
                name = table_name(row.id)
                raise ApiError(Code.ALREADY_EXISTS, "REQUEST_CARRIED_OUT", f"this request has made {name!r} before, and its tokens "
                               "can't be told again; make another table, by a new request_id", metadata={"table": name}) from None
            async with self.use(row.id) as table:
                self._tell(table)
                return table

        return Created(await self._decide(None, write()), token, invitation)

    async def delete(self, table: LiveTable, token: str | None) -> None:
        """Remove the table. Raises ApiError."""
        async def write() -> None:
            async with self._deciding(table):
                auth.require(token, "this table", table.row.token_hash)
                await self._storage.delete(table.id)
                self._drop(table)

        await self._decide(table, write())

    async def delete_unreadable(self, row: TableRow, token: str | None) -> None:
        """Remove a table that can't be played here. Raises ApiError."""
        auth.require(token, "this table", row.token_hash)
        await self._storage.delete(row.id)
        self._damaged.pop(row.id, None)
        self._note(row)

    async def claim(self, table: LiveTable, seat: int, token: str | None, display_name: str) -> tuple[SeatRow, str]:
        """Give the seat to who asks; returns it with its token. Raises ApiError."""
        async def write() -> tuple[SeatRow, str]:
            async with self._deciding(table):
                access.require_claim(table, seat, token)
                fresh = auth.new_token()
                new = SeatRow(seat=seat, holder="player", display_name=display_name, token_hash=auth.hash_token(fresh))
                await self._seat(table, [new])
                return new, fresh

        return await self._decide(table, write())

    async def leave(self, table: LiveTable, seat: int, token: str | None, bot: SeatRow | None) -> tuple[SeatRow, str]:
        """Free the seat, or hand it to the bot; returns it with a token to come back. Raises ApiError."""
        async def write() -> tuple[SeatRow, str]:
            async with self._deciding(table):
                access.require_player_or_owner(table, seat, token)
                if table.seats[seat].holder == "open":
                    raise ApiError(Code.FAILED_PRECONDITION, "SEAT_OPEN", f"nobody sits on seat {seat}")
                way_back = auth.new_token()
                new = replace(bot or SeatRow(seat=seat), return_hash=auth.hash_token(way_back))
                await self._seat(table, [new])
                return new, way_back

        return await self._decide(table, write())

    async def fill(self, table: LiveTable, token: str | None, bots: Sequence[SeatRow]) -> None:
        """Seat bots on open seats or in place of other bots, all or none. Raises ApiError."""
        async def write() -> None:
            async with self._deciding(table):
                auth.require(token, "this table", table.row.token_hash)
                new = []
                for bot in bots:
                    old = table.seat(bot.seat)
                    if old.holder == "player":
                        raise ApiError(Code.FAILED_PRECONDITION, "SEAT_TAKEN",
                                       f"a player sits on seat {bot.seat}; free it first")
                    new.append(replace(bot, return_hash=old.return_hash))
                await self._seat(table, new)

        await self._decide(table, write())

    async def _seat(self, table: LiveTable, rows: Sequence[SeatRow]) -> None:
        try:
            await self._storage.put_seats(table.id, [(table.seats[row.seat], row) for row in rows])
        except Conflict:
            raise await self._race_lost(table, rows[0].seat) from None
        table.sit(rows)
        table.shown_at = asyncio.get_running_loop().time()
        self._tell(table)

    # ---- Acting ----

    async def submit(self, table: LiveTable, seat: int, token: str | None, action: int, expected: int,
                     request_id: str | None) -> Step:
        """A player's action: on disk when this returns. A repeated request gets its first answer. Raises ApiError."""
        async def write() -> Step:
            async with self._deciding(table):
                access.require_player(table, seat, token)
                if request_id is not None and (seat, request_id) in table.requests:
                    return _repeated(table.requests[seat, request_id], action, expected, request_id)
                try:
                    return await self._append(table, seat, action, expected, request_id)
                except ApiError:
                    if request_id is None or (seat, request_id) not in table.requests:
                        raise
                    return _repeated(table.requests[seat, request_id], action, expected, request_id)    # at another server

        await self.reach(table, seat, token, expected)
        async with self._window(table, seat, token, action, expected, request_id):
            return await self._decide(table, write())

    @asynccontextmanager
    async def _window(self, table: LiveTable, seat: int, token: str | None, action: int, expected: int,
                      request_id: str | None) -> AsyncIterator[None]:
        """Where the seat's question stays open for a time, wait until that is over; the seat is not passed for meanwhile.

        Raises ApiError at once for what would be refused.
        """
        access.require_player(table, seat, token)
        if not self.schedule.window_is_open(table, seat) or (seat, request_id) in table.requests:
            yield
            return
        _check(table, seat, action, expected)
        table.holding[seat] += 1
        try:
            while table.state.sequence(seat) == expected and not table.deleted:
                if self.stopping:
                    raise closing()
                changed = table.changed
                left = self.schedule.due(table, seat) - asyncio.get_running_loop().time()
                if left <= 0:
                    break
                await wait_for(changed, left)
            yield
        finally:
            table.holding[seat] -= 1
            self.on_change(table)

    async def submit_for(self, table: LiveTable, holder: SeatRow, action: int, expected: int) -> bool:
        """An action of a bot or of the clock; False when the seat is another's or the position has moved on meanwhile."""
        async def write() -> bool:
            async with self._deciding(table):
                if table.seats[holder.seat] != holder or table.state.sequence(holder.seat) != expected:
                    return False
                await self._append(table, holder.seat, action, expected, None, of_bot=True)
                return True

        return await self._decide(table, write())

    async def _append(self, table: LiveTable, seat: int, action: int, expected: int, request_id: str | None, *,
                      of_bot: bool = False) -> Step:
        """Check, write, then apply: nobody sees anything of an action that is not on disk."""
        _check(table, seat, action, expected)
        row = ActionRow(seat=seat, action=action, request_id=request_id)
        try:
            await self._storage.append(table.id, len(table.steps), row, of_bot=of_bot)
        except Conflict:
            raise await self._race_lost(table, seat) from None
        step = table.apply(row)
        self._tell(table)
        if table.state.is_over:
            await self._note_end(table)
        return step

    async def _race_lost(self, table: LiveTable, seat: int) -> ApiError:
        """The answer to who wanted to write what another server of this database has written meanwhile."""
        await self._catch_up(table)
        if table.deleted:
            return _not_found(table.id)
        return ApiError(Code.ABORTED, "RACE_LOST", "another action was taken first; look again and decide again",
                        metadata={"sequence": table.state.sequence(seat)})

    async def _note_end(self, table: LiveTable) -> None:
        """Spare the next start from loading a finished table; the log is enough without it."""
        try:
            await self._storage.finish(table.id)
        except (SQLAlchemyError, Conflict):
            log.exception("the end could not be noted", extra={"table": table.id})


def _check(table: LiveTable, seat: int, action: int, expected: int) -> None:
    """Raises ApiError unless the seat may act like this now."""
    state = table.state
    if state.is_over:
        raise ApiError(Code.FAILED_PRECONDITION, "GAME_OVER", "the game is over; nobody can act any more")
    sequence = state.sequence(seat)
    if expected < sequence:
        raise ApiError(Code.ABORTED, "STALE_SEQUENCE",
                       f"seat {seat} has seen more since event {expected}: it is at {sequence} now; look again and "
                       "decide again", metadata={"sequence": sequence})
    if expected > sequence:
        raise bad_field("expected_sequence", f"seat {seat} is at {sequence}, not yet at {expected}",
                        "FUTURE_SEQUENCE")
    legal = state.legal_actions(seat)
    if not legal:
        raise ApiError(Code.FAILED_PRECONDITION, "SEAT_NOT_ASKED", f"seat {seat} is not asked anything now",
                       metadata={"sequence": sequence})
    if action not in legal:
        text = (f"{action} is not a legal answer to {state.prompt(seat)}; ListLegalActions names the {len(legal)} "
                "that are")
        raise ApiError(Code.INVALID_ARGUMENT, "ILLEGAL_ACTION", f"action_id: {text}", fields=[("action_id", text)],
                       metadata={"legal_actions": len(legal)})


def _not_found(table_id: str) -> ApiError:
    return ApiError(Code.NOT_FOUND, "TABLE_NOT_FOUND", f"there is no table '{table_name(table_id)}'")


def _repeated(step: Step, action: int, expected: int, request_id: str) -> Step:
    """The first answer, unless it was another request."""
    if (step.action, step.before) != (action, expected):
        raise reused(request_id)
    return step
