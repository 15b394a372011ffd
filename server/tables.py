"""Changing a table: everything that does goes through here, and is on disk before anybody sees it."""
from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from seatmate.engine.core.game import SPECTATORS, Game
from seatmate.server import access, auth
from seatmate.server.clock import charged, reseated, runs, taken_over, time_up
from seatmate.server.errors import ApiError, Code, bad_field, closing, reused
from seatmate.server.live import LiveTable, Step, wait_for
from seatmate.server.logs import log_lost
from seatmate.server.names import descendant_id, new_table_id, table_name
from seatmate.server.rows import RESIGNS, ActionRow, ClockRow, OriginRow, SeatRow, TableRow, TimeRow
from seatmate.server.schedule import Schedule
from seatmate.server.storage import Storage, now_us
from seatmate.server.tables_in_memory import TablesInMemory, UnreadableTable, not_found
from seatmate.server.writer import Conflict

T = TypeVar("T")


_REMOVING = 2
"""Users of a table while it is removed, if nobody else uses it."""


class _StillUsed(Exception):
    """The table goes on."""


class Created(NamedTuple):
    """A new table, its token and its invitation."""

    table: LiveTable
    token: str
    invitation: str


class Tables(TablesInMemory):
    """The tables of this server, and what is done with them."""

    def __init__(self, storage: Storage, schedule: Schedule, *, cached: int) -> None:
        super().__init__(storage, schedule, cached=cached)
        self._decisions: set[asyncio.Task[Any]] = set()

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

    # ---- Tables and seats ----

    async def create(self, game: Game, *, seed: int | None, display_name: str, bots: Sequence[SeatRow],
                     is_open: bool, pass_window: tuple[int, int] | None, clock: ClockRow | None = None, take_back: bool = False,
                     request_id: str | None = None) -> Created:
        """Deal and store a new table. Raises ApiError when this has been requested before."""
        token, invitation = auth.new_token(), auth.new_token()
        row = TableRow(id=new_table_id(request_id), settings=game.settings.to_json(), rules_version=game.spec.rules_version,
                       seed=secrets.randbits(128) if seed is None else seed, display_name=display_name,
                       is_open=is_open, token_hash=auth.hash_token(token), created_us=now_us(), pass_window=pass_window,
                       clock=clock, take_back=take_back, invitation_hash=auth.hash_token(invitation))
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
            try:
                async with self.use(row.id) as table:
                    self._tell(table)
                    return table
            except ApiError:
                raise ApiError(Code.DATA_LOSS, "STORAGE_DAMAGED", "the table was stored and can't be read again: the database is "
                               "damaged there; another one may have more luck") from None

        return Created(await self._decide(None, write()), token, invitation)

    async def take_back(self, table: LiveTable, seat: int, token: str | None, sequence: int, request_id: str | None) -> str:
        """A new table at which the seat has not yet decided what it was asked at this sequence (0: last); its id. Raises ApiError.

        It has the old one's secrets, its people and their tokens; the old one stays as it was. A repeated request gets its first
        answer, whatever has become of the seat since.
        """
        branch_id = descendant_id(table.row.seed, table.id, "branch", request_id or secrets.token_hex())

        def decision() -> int | None:
            return next((number for number, step in reversed(list(enumerate(table.steps)))
                         if step.seat == seat and step.action != RESIGNS and sequence in (0, step.before)), None)

        async def write() -> str:
            async with self._deciding(table, behind=table.shared):
                access.require_player(table, seat, token)
                if not table.row.take_back:
                    raise ApiError(Code.FAILED_PRECONDITION, "TAKE_BACK_OFF", "this table was made without take_back")
                if any(other.holder != "bot" or other.return_hash is not None for other in table.seats if other.seat != seat):
                    raise ApiError(Code.FAILED_PRECONDITION, "NOT_AMONG_BOTS", "moves are taken back only where bots play all "
                                   "other seats, and no player can come back to one of them")
                if (steps := decision()) is None:
                    raise ApiError(Code.FAILED_PRECONDITION, "NOTHING_TO_TAKE_BACK", f"seat {seat} decided nothing "
                                   f"{f'right after its event {sequence}' if sequence else 'yet'}")
                now = now_us()
                row = replace(table.row, id=branch_id, created_us=now, finished=False,
                              origin=OriginRow(parent_id=table.id, kind="branch", steps=steps))
                actions = [ActionRow(seat=step.seat, action=step.action, written_us=now) for step in table.steps[:steps]]
                times = [replace(time, since_us=now if time.since_us else 0) for time in table.times]
                made = await self._descend(table, row, table.seats, actions, times)
                if sequence and request_id is not None and made != row.origin:
                    raise reused(request_id)
                return branch_id

        await self.reach(table, seat, token, sequence)
        if request_id is not None and (origin := await self._made_before(branch_id, seat, token)) is not None:
            if sequence and origin.steps != decision():
                raise reused(request_id)
            return branch_id
        return await self._decide(table, write())

    async def _made_before(self, branch_id: str, seat: int, token: str | None) -> OriginRow | None:
        """The origin of this branch, if there is one and its seat was this player's when it was made."""
        try:
            async with self.use(branch_id) as branch:
                origin = branch.row.origin
                assert origin is not None
                if not 0 <= seat < branch.game.seats:
                    return None
                lost = await self._storage.lost_token(branch_id, seat, origin.steps - 1)
                return origin if auth.opens(token, lost or branch.seats[seat].token_hash) else None
        except ApiError as error:
            if error.code is not Code.NOT_FOUND:
                raise
            return None

    async def rematch(self, table: LiveTable, token: str | None, rotation: int) -> tuple[str, int]:
        """The table of the next game, the same for all who ask: its id and its rotation, which is the first one's. Raises ApiError.

        Everybody moves on by so many seats, with his own options; his token claims the seat that waits for him.
        """
        async def write() -> tuple[str, int]:
            async with self._deciding(table, behind=table.shared and not table.is_over):
                access.require_somebody(table, token)
                if not table.is_over:
                    raise ApiError(Code.FAILED_PRECONDITION, "GAME_NOT_OVER", "the game is not over; a rematch comes after it")
                seats: list[SeatRow] = sorted((_moved(seat, (seat.seat + rotation) % table.game.seats) for seat in table.seats),
                                              key=lambda seat: seat.seat)
                row = replace(table.row, id=descendant_id(table.row.seed, table.id, "rematch", ""), seed=secrets.randbits(128),
                              created_us=now_us(), finished=False, settings=_rotated(table.row.settings, rotation),
                              origin=OriginRow(parent_id=table.id, kind="rematch", steps=rotation))
                made = await self._descend(table, row, seats)
                return row.id, 0 if made is None else made.steps

        await self.reach(table, SPECTATORS, token)
        return await self._decide(table, write())

    async def _descend(self, table: LiveTable, row: TableRow, seats: Sequence[SeatRow], actions: Sequence[ActionRow] = (),
                       times: Sequence[TimeRow] = ()) -> OriginRow | None:
        """Store a table that descends from this one, unless that has been done before; the origin of the one there is now."""
        try:
            await self._storage.create(row, seats, actions, times)
        except Conflict:
            async with self.use(row.id) as there:
                return there.row.origin
        assert row.origin is not None
        table.add_child(row.id, row.origin.kind)
        self._tell(table)
        async with self.use(row.id) as new:
            self._tell(new)
        return row.origin

    async def delete(self, table_id: str, token: str | None) -> None:
        """Remove the table, for who has its token. Raises ApiError."""
        await self._remove(table_id, lambda row, _: auth.require(token, "this table", row.token_hash))

    async def remove(self, table_id: str, *, actions: int | None = None) -> bool:
        """Remove the table for who runs the server; was it? Not if it should have so many actions and has others, or is used.

        Raises ApiError when there is none.
        """
        def check(row: TableRow, table: LiveTable | None) -> None:
            if actions is not None and table is not None and (len(table.steps) != actions or table.users > _REMOVING):
                raise _StillUsed

        try:
            await self._remove(table_id, check)
        except _StillUsed:
            return False
        return True

    async def _remove(self, table_id: str, check: Callable[[TableRow, LiveTable | None], None]) -> None:
        """check: raises what speaks against it; of a table that can't be played here it gets the row alone."""
        try:
            async with self.use(table_id) as table:
                async def write() -> None:
                    async with self._deciding(table):
                        check(table.row, table)
                        await self._storage.delete(table.id, table.row.origin)
                        self._drop(table)
                        self._forget_child(table.row)

                await self._decide(table, write())
        except UnreadableTable as unreadable:
            check(unreadable.row, None)
            await self._storage.delete(table_id, unreadable.row.origin)
            self._damaged.pop(table_id, None)
            self._note(unreadable.row)
            self._forget_child(unreadable.row)

    def _forget_child(self, row: TableRow) -> None:
        """The table from which this one descended names it no more."""
        if row.origin is not None and (parent := self._live.get(row.origin.parent_id)) is not None:
            parent.children = [(child, kind) for child, kind in parent.children if child != row.id]
            self._tell(parent)

    async def dismiss_bots(self, table: LiveTable) -> list[int]:
        """Take the bots from the table; their seats, which only its owner can take or fill. Raises ApiError."""
        async def write() -> list[int]:
            async with self._deciding(table, behind=table.shared):
                left = [SeatRow(seat=bot.seat, return_hash=bot.return_hash or auth.hash_token(auth.new_token()))
                        for bot in table.seats if bot.holder == "bot"]
                if left:
                    await self._seat(table, left)
                return [seat.seat for seat in left]

        return await self._decide(table, write())

    async def claim(self, table: LiveTable, seat: int, token: str | None, display_name: str) -> tuple[SeatRow, str]:
        """Give the seat to who asks; returns it with its token. Raises ApiError."""
        async def write() -> tuple[SeatRow, str]:
            async with self._deciding(table, behind=table.shared):
                access.require_claim(table, seat, token)
                fresh = auth.new_token()
                new = SeatRow(seat=seat, holder="player", display_name=display_name, token_hash=auth.hash_token(fresh))
                await self._seat(table, [new])
                return new, fresh

        return await self._decide(table, write())

    async def leave(self, table: LiveTable, seat: int, token: str | None, bot: SeatRow | None) -> tuple[SeatRow, str]:
        """Free the seat, or hand it to the bot; returns it with a token to come back. Raises ApiError."""
        async def write() -> tuple[SeatRow, str]:
            async with self._deciding(table, behind=table.shared):
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
            async with self._deciding(table, behind=table.shared):
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
        times = reseated(table, rows, asyncio.get_running_loop().time(), now_us())
        try:
            await self._storage.put_seats(table.id, [(table.seats[row.seat], row) for row in rows], times)
        except Conflict:
            raise await self._race_lost(table, rows[0].seat) from None
        table.sit(rows)
        table.keep_time(times)
        table.shown_at = asyncio.get_running_loop().time()
        self._tell(table)

    async def resign(self, table: LiveTable, seat: int, token: str | None, bot: SeatRow) -> None:
        """Give the game up: where one wins what the other loses it is over, else this bot plays on. Raises ApiError."""
        async def attempt() -> None:
            access.require_player(table, seat, token)
            if table.resigned == seat:
                return
            if table.is_over:
                raise _over()
            if table.is_duel:
                await self._log(table, ActionRow(seat=seat, action=RESIGNS))
            else:
                await self._seat(table, [bot])

        async def write() -> None:
            async with self._deciding(table):
                await _insist(attempt, lambda: True)

        await self.reach(table, seat, token)
        await self._decide(table, write())

    # ---- Acting ----

    async def submit(self, table: LiveTable, seat: int, token: str | None, action: int, expected: int,
                     request_id: str | None) -> Step:
        """A player's action: on disk when this returns. A repeated request gets its first answer, also for who has lost the seat
        since. Raises ApiError.
        """
        def first() -> Step | None:
            if request_id is None or (seat, request_id) not in table.requests:
                return None
            step = table.steps[table.requests[seat, request_id]]
            if (step.action, step.before) != (action, expected):
                raise reused(request_id)
            return step

        async def attempt() -> Step:
            access.require_player(table, seat, token)
            return first() or await self._append(table, seat, action, expected, request_id)

        async def write() -> Step:
            async with self._deciding(table):
                try:
                    return await _insist(attempt, lambda: table.state.sequence(seat) == expected)
                except ApiError:
                    if (step := first()) is None or not auth.opens(token, table.seats[seat].token_hash):
                        raise
                    return step     # of another server

        await self.reach(table, seat, token, expected)
        number = table.requests.get((seat, request_id or ""))
        if number is not None and auth.opens(token, await self._storage.lost_token(table.id, seat, number)):
            step = first()
            assert step is not None
            return step
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
            while table.state.sequence(seat) == expected and not table.deleted and not table.is_over:
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

    async def hand_over(self, table: LiveTable, seat: int) -> None:
        """A seat whose time is up goes on as a bot's, if it still is and nobody has come meanwhile."""
        async def write() -> None:
            async with self._deciding(table):
                if runs(table, seat) and time_up(table, seat) <= asyncio.get_running_loop().time():
                    await self._seat(table, [taken_over(table, seat)])

        await self._decide(table, write())

    async def submit_for(self, table: LiveTable, holder: SeatRow, action: int, expected: int) -> bool:
        """An action of a bot or of the clock; False when the seat is another's or the position has moved on meanwhile."""
        async def attempt() -> bool:
            if table.is_over or table.seats[holder.seat] != holder or table.state.sequence(holder.seat) != expected:
                return False
            await self._append(table, holder.seat, action, expected, None, of_bot=True)
            return True

        async def write() -> bool:
            async with self._deciding(table):
                return await _insist(attempt, lambda: True)

        return await self._decide(table, write())

    async def _append(self, table: LiveTable, seat: int, action: int, expected: int, request_id: str | None, *,
                      of_bot: bool = False) -> Step:
        """Check, write, then apply: nobody sees anything of an action that is not on disk."""
        _check(table, seat, action, expected)
        times = charged(table, seat, action, asyncio.get_running_loop().time())
        return await self._log(table, ActionRow(seat=seat, action=action, request_id=request_id), times, of_bot=of_bot)

    async def _log(self, table: LiveTable, row: ActionRow, times: Sequence[TimeRow] = (), *, of_bot: bool = False) -> Step:
        """Write what is possible, then apply it. Raises ApiError when another server was faster."""
        try:
            await self._storage.append(table.id, len(table.steps), row, times, holder=table.seats[row.seat], of_bot=of_bot)
        except Conflict:
            raise await self._race_lost(table, row.seat) from None
        step = table.apply(row)
        table.keep_time(times)
        self._tell(table)
        if table.is_over:
            await self._note_end(table)
        return step

    async def _race_lost(self, table: LiveTable, seat: int) -> ApiError:
        """The answer to who wanted to write what another server of this database has written meanwhile."""
        await self._catch_up(table)
        if table.deleted:
            return not_found(table.id)
        return _RaceLost(table.state.sequence(seat))


class _RaceLost(ApiError):
    """Another server has written first; what it wrote is known now."""

    def __init__(self, sequence: int) -> None:
        """sequence: of the seat that wanted to write, as it is now."""
        super().__init__(Code.ABORTED, "RACE_LOST", "another action was taken first; look again and decide again",
                         metadata={"sequence": sequence})


async def _insist(attempt: Callable[[], Awaitable[T]], holds: Callable[[], bool]) -> T:
    """Attempt it again, where another server was faster, while what it was decided by still holds: a seat that answers in secret
    does not hear that another has just answered. Raises ApiError.
    """
    while True:
        try:
            return await attempt()
        except _RaceLost:
            if not holds():
                raise


def _moved(seat: SeatRow, number: int) -> SeatRow:
    """The seat of the next game, for the same bot, or for the player whose token claims it."""
    if seat.holder == "bot":
        return replace(seat, seat=number)
    return SeatRow(seat=number, return_hash=seat.token_hash or seat.return_hash)


def _rotated(settings: dict[str, Any], rotation: int) -> dict[str, Any]:
    """The settings when everybody has moved on: an option that each seat has of its own, such as deck0 and deck1, goes along."""
    options, count = dict(settings["options"]), settings["seats"]
    for key in settings["options"]:
        family = [f"{key.removesuffix('0')}{seat}" for seat in range(count)]
        if key.endswith("0") and all(own in options for own in family):
            for seat, own in enumerate(family):
                options[family[(seat + rotation) % count]] = settings["options"][own]
    return {**settings, "options": options}


def _over() -> ApiError:
    return ApiError(Code.FAILED_PRECONDITION, "GAME_OVER", "the game is over; nobody can act any more")


def _check(table: LiveTable, seat: int, action: int, expected: int) -> None:
    """Raises ApiError unless the seat may act like this now."""
    state = table.state
    if table.is_over:
        raise _over()
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
