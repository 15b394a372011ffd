"""TableService: tables where people and bots play."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeVar

import grpc.aio
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import Message

from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.spec import GameSpec
from seatmate.server import auth, names, pages
from seatmate.server.access import require_observer, require_view
from seatmate.server.bots_runner import BotChecker
from seatmate.server.called import called, with_names
from seatmate.server.convert import (
    actions_to_messages,
    events_to_messages,
    game_from_request,
    observation_to_message,
    seat_to_message,
    seed_from_request,
    shown_settings,
    table_to_message,
    times_of,
    unreadable_to_message,
    write_observation,
)
from seatmate.server.errors import ApiError, Code, bad_field, closing
from seatmate.server.live import LiveTable
from seatmate.server.moments import Moment, moment, present
from seatmate.server.repeats import Repeats, check_request_id
from seatmate.server.rows import CLOCK_MS, MAX_PACE_MS, WINDOW_MS, ClockRow, SeatRow, TableRow
from seatmate.server.tables import Tables
from seatmate.server.tables_in_memory import Listener, UnreadableTable
from seatmate.server.turns import Turns
from seatmate.v1 import observation_pb2, table_pb2, table_service_pb2_grpc
from seatmate.v1 import table_service_pb2 as pb

Context = grpc.aio.ServicerContext[Any, Any]
M = TypeVar("M", bound=Message)
Naming = (pb.GetObservationRequest | pb.ListLegalActionsRequest | pb.SubmitActionRequest | pb.WatchTableRequest
          | pb.ExportRecordRequest)

MAX_NAME = 80
EVENTS_PER_MESSAGE = 200
LEAST_CLOCK_MS = 100
LOBBY_PAUSE_S = 0.25
"""Seconds after which WatchTables looks for news."""

_PARTS: tuple[Literal["observation", "legal"], ...] = ("observation", "legal")
"""Of a step, which calls of their own ask for as well."""
_ACCESS = (table_pb2.ACCESS_UNSPECIFIED, table_pb2.ACCESS_PRIVATE, table_pb2.ACCESS_OPEN)


class TableService(table_service_pb2_grpc.TableServiceServicer):
    """Tables on this server."""

    def __init__(self, tables: Tables, bots: BotChecker) -> None:
        self._tables = tables
        self._bots = bots
        self._repeats = Repeats()
        self._turns = Turns()

    # ---- Tables ----

    async def CreateTable(self, request: pb.CreateTableRequest, context: Context) -> pb.CreateTableResponse:
        """Deal a new game."""
        async def create() -> pb.CreateTableResponse:
            game = game_from_request(request.settings, "settings")
            if request.access not in _ACCESS:
                raise bad_field("access", f"{request.access} is no Access")
            window = _pass_window(request.pass_window, game.spec) if request.HasField("pass_window") else None
            table, token, invitation = await self._tables.create(
                game, seed=seed_from_request(request), is_open=request.access == table_pb2.ACCESS_OPEN,
                display_name=_display_name(request.display_name), bots=self._plans(request.bots, game.seats),
                pass_window=window, clock=self._clock(request.clock, window) if request.HasField("clock") else None,
                take_back=request.take_back, request_id=request.request_id or None)
            return pb.CreateTableResponse(table=table_to_message(table), table_token=token, invitation=invitation)

        return await self._repeats.once(request, auth.token_of(context), create)

    async def GetTable(self, request: pb.GetTableRequest, context: Context) -> table_pb2.Table:
        """One table."""
        return await self._describe(names.parse_table(request.name), auth.token_of(context))

    async def ListTables(self, request: pb.ListTablesRequest, context: Context) -> pb.ListTablesResponse:
        """All open tables, newest first."""
        count = pages.page_size(request.page_size)
        game = names.parse_game(request.game, "game") if request.game else None
        scope = f"tables {game or ''}"
        after = pages.read_token(request.page_token, scope, (int, str))
        rows = await self._tables.page(count + 1, game=game, after=(after[0], after[1]) if after else None)
        answer = pb.ListTablesResponse(tables=await self._describe_all(rows[:count]))
        if len(rows) > count:
            answer.next_page_token = pages.make_token(scope, [rows[count - 1].created_us, rows[count - 1].id])
        return answer

    async def WatchTables(self, request: pb.WatchTablesRequest, context: Context) -> AsyncIterator[pb.WatchTablesResponse]:
        """The newest open tables, then what changes."""
        count = pages.page_size(request.page_size)
        game = names.parse_game(request.game, "game") if request.game else None
        with self._tables.heard(game) as listener:
            shown = await self._describe_all(await self._tables.page(count, game=game, after=None))
            known = {names.parse_table(table.name): _without_sequence(table) for table in shown}
            yield pb.WatchTablesResponse(tables=shown)
            while True:
                await asyncio.sleep(LOBBY_PAUSE_S)      # always: woken by changes, it would tell when hidden ones happen
                self._tables.keep_looking(known)
                if self._tables.stopping:
                    raise closing("come back")
                if (answer := await self._news(listener, known)).ByteSize():
                    yield answer

    async def _news(self, listener: Listener, known: dict[str, table_pb2.Table]) -> pb.WatchTablesResponse:
        """What is not as it is `known`, which is brought up to date."""
        answer = pb.WatchTablesResponse()
        for table_id in listener.take(pages.MAX_SIZE):
            try:
                table = await self._describe(table_id, None)
            except ApiError as error:
                if error.code is not Code.NOT_FOUND:
                    raise
                if known.pop(table_id, None) is not None:
                    answer.removed.append(names.table_name(table_id))
                continue
            if known.get(table_id) != (plain := _without_sequence(table)):
                known[table_id] = plain
                answer.tables.append(table)
        return answer

    async def _describe_all(self, rows: Sequence[TableRow]) -> list[table_pb2.Table]:
        """Those that are still there."""
        out = []
        for row in rows:
            try:
                self._tables.check_row(row)
                out.append(await self._tables.glance(row.id, table_to_message))
            except UnreadableTable as unreadable:
                out.append(unreadable_to_message(unreadable))
            except ApiError as error:
                if error.code is not Code.NOT_FOUND:    # deleted since the page was read
                    raise
        return out

    async def DeleteTable(self, request: pb.DeleteTableRequest, context: Context) -> Empty:
        """Remove a table for good."""
        await self._tables.delete(names.parse_table(request.name), auth.token_of(context))
        return Empty()

    async def _describe(self, table_id: str, token: str | None) -> table_pb2.Table:
        """What is told of the table; of a private one that can't be read only its owner is told more than why."""
        try:
            async with self._tables.look_at(table_id, token) as table:
                return table_to_message(table)
        except UnreadableTable as unreadable:
            if not unreadable.row.is_open and not auth.opens(token, unreadable.row.token_hash):
                raise
            return unreadable_to_message(unreadable)

    # ---- Seats ----

    async def ClaimSeat(self, request: pb.ClaimSeatRequest, context: Context) -> pb.ClaimSeatResponse:
        """Take a free seat, or take one back from a bot."""
        table_id, seat = names.parse_seat(request.name)
        name = _display_name(request.display_name)
        token = auth.token_of(context)

        async def claim() -> pb.ClaimSeatResponse:
            async with self._tables.use(table_id) as table:
                row, seat_token = await self._tables.claim(table, seat, token, name)
                return pb.ClaimSeatResponse(seat=seat_to_message(table_id, row), seat_token=seat_token)

        return await self._repeats.once(request, token, claim)

    async def LeaveSeat(self, request: pb.LeaveSeatRequest, context: Context) -> pb.LeaveSeatResponse:
        """Give a seat up, to a bot when one is named."""
        table_id, seat = names.parse_seat(request.name)
        bot = None
        if request.bot:
            bot = self._bot_row(table_pb2.SeatPlan(seat=seat, bot=request.bot, pace_ms=request.pace_ms), "")
        async with self._tables.use(table_id) as table:
            row, token = await self._tables.leave(table, seat, auth.token_of(context), bot)
            return pb.LeaveSeatResponse(seat=seat_to_message(table_id, row), return_token=token)

    async def ResignSeat(self, request: pb.ResignSeatRequest, context: Context) -> pb.ResignSeatResponse:
        """Give the game up: it ends, or a bot plays on."""
        table_id, seat = names.parse_seat(request.name)
        bot = self._bot_row(table_pb2.SeatPlan(seat=seat, bot=request.bot or "heuristic", pace_ms=request.pace_ms), "")
        async with self._tables.use(table_id) as table:
            await self._tables.resign(table, seat, auth.token_of(context), bot)
            return pb.ResignSeatResponse(table=table_to_message(table))

    async def TakeBack(self, request: pb.TakeBackRequest, context: Context) -> pb.TakeBackResponse:
        """A branch of the table, from before a decision of the seat."""
        table_id, seat = names.parse_seat(request.seat, "seat")
        if request.request_id:
            check_request_id(request.request_id)
        if request.at_sequence < 0:
            raise bad_field("at_sequence", f"{request.at_sequence} is negative")
        async with self._tables.use(table_id) as table:
            made = await self._tables.take_back(table, seat, auth.token_of(context), request.at_sequence,
                                                request.request_id or None)
        async with self._tables.use(made) as branch:
            return pb.TakeBackResponse(table=table_to_message(branch))

    async def Rematch(self, request: pb.RematchRequest, context: Context) -> pb.RematchResponse:
        """The table of the next game, the same for all who ask."""
        table_id = names.parse_table(request.name)
        async with self._tables.use(table_id) as table:
            if not 0 <= request.rotation < table.game.seats:
                require_view(table, auth.token_of(context))
                raise bad_field("rotation", f"{request.rotation} is outside 0..{table.game.seats - 1}")
            made, rotation = await self._tables.rematch(table, auth.token_of(context), request.rotation)
        async with self._tables.use(made) as new:
            return pb.RematchResponse(table=table_to_message(new), rotation=rotation)

    async def FillSeats(self, request: pb.FillSeatsRequest, context: Context) -> pb.FillSeatsResponse:
        """Seat bots, all or none."""
        table_id = names.parse_table(request.name)
        if not request.bots:
            raise bad_field("bots", "at least one seat is needed")
        token = auth.token_of(context)
        async with self._tables.use(table_id) as table:
            require_view(table, token)
            await self._tables.fill(table, token, self._plans(request.bots, table.game.seats))
            return pb.FillSeatsResponse(table=table_to_message(table))

    def _plans(self, plans: Sequence[table_pb2.SeatPlan], seats: int) -> list[SeatRow]:
        """Seats for bots. Raises ApiError."""
        rows: dict[int, SeatRow] = {}
        for number, plan in enumerate(plans):
            if not 0 <= plan.seat < seats:
                raise bad_field(f"bots[{number}].seat", f"there is no seat {plan.seat}; the seats are 0..{seats - 1}")
            if plan.seat in rows:
                raise bad_field(f"bots[{number}].seat", f"seat {plan.seat} is named twice")
            rows[plan.seat] = self._bot_row(plan, f"bots[{number}].")
        return list(rows.values())

    def _bot_row(self, plan: table_pb2.SeatPlan, prefix: str) -> SeatRow:
        if not 0 <= plan.pace_ms <= MAX_PACE_MS:
            raise bad_field(f"{prefix}pace_ms", f"{plan.pace_ms} is outside 0..{MAX_PACE_MS} milliseconds")
        bot = self._bots.check(plan.bot, f"{prefix}bot")
        return SeatRow(seat=plan.seat, holder="bot", bot=bot, pace_ms=plan.pace_ms,
                       display_name=_display_name(plan.display_name, f"{prefix}display_name") or bot)

    def _clock(self, clock: table_pb2.Clock, window: tuple[int, int] | None) -> ClockRow:
        """How long people may think. Raises ApiError."""
        for name in ("move_ms", "reserve_ms", "increment_ms"):
            if not 0 <= getattr(clock, name) <= CLOCK_MS:
                raise bad_field(f"clock.{name}", f"{getattr(clock, name)} is outside 0..{CLOCK_MS} milliseconds")
        if (together := clock.move_ms + clock.reserve_ms) < LEAST_CLOCK_MS:
            raise bad_field("clock.move_ms", f"with reserve_ms {together} milliseconds; nobody answers within {LEAST_CLOCK_MS}")
        if window is not None and clock.move_ms < window[1]:
            raise bad_field("clock.move_ms", f"{clock.move_ms} is less than pass_window.most_ms, {window[1]}; waiting must not "
                            "cost anything")
        return ClockRow(move_ms=clock.move_ms, reserve_ms=clock.reserve_ms, increment_ms=clock.increment_ms,
                        bot=self._bots.check(clock.bot or "heuristic", "clock.bot"), hands_over=clock.hands_over)

    # ---- Playing ----

    async def GetObservation(self, request: pb.GetObservationRequest, context: Context) -> observation_pb2.Observation:
        """What an observer sees or saw."""
        table_id, observer = names.parse_observer(request.observer)
        async with self._tables.look_at(table_id, auth.token_of(context), observer, request.at_sequence) as table:
            told: observation_pb2.Observation | None = _told(table, request, observer, "observation")
            if told is None:
                told = _named(table, request, observation_to_message(table, await moment(table, observer, request.at_sequence)))
            return told

    async def ListLegalActions(self, request: pb.ListLegalActionsRequest,
                               context: Context) -> pb.ListLegalActionsResponse:
        """What a seat may do, or could do."""
        table_id, seat = names.parse_seat(request.seat, "seat")
        async with self._tables.use(table_id) as table:
            await self._tables.admit(table, seat, auth.token_of(context), request.at_sequence)
            told: pb.ListLegalActionsResponse | None = _told(table, request, seat, "legal")
            if told is None:
                told = _named(table, request, legal_to_message(await moment(table, seat, request.at_sequence)))
            return told

    async def SubmitAction(self, request: pb.SubmitActionRequest, context: Context) -> pb.SubmitActionResponse:
        """Act for a seat; on disk when it answers."""
        table_id, seat = names.parse_seat(request.seat, "seat")
        if request.request_id:
            check_request_id(request.request_id)
        async with self._tables.use(table_id) as table:
            step = await self._tables.submit(table, seat, auth.token_of(context), request.action_id,
                                             request.expected_sequence, request.request_id or None)
            events = table.state.events(seat, step.before)[:step.after - step.before]
            return _named(table, request, pb.SubmitActionResponse(
                sequence=step.after, events=events_to_messages(table.state, events, seat)))

    async def WatchTable(self, request: pb.WatchTableRequest, context: Context) -> AsyncIterator[pb.WatchTableResponse]:
        """An observer's events from any sequence number on, then as they happen."""
        table_id, observer = names.parse_observer(request.observer)
        token = auth.token_of(context)
        async with self._tables.look_at(table_id, token, observer, request.since_sequence) as table:
            since = request.since_sequence
            if not 0 <= since <= table.state.sequence(observer):
                raise ApiError(Code.OUT_OF_RANGE, "FUTURE_SEQUENCE", f"since_sequence: {since} is outside 0.."
                               f"{table.state.sequence(observer)}, the events there are",
                               metadata={"sequence": table.state.sequence(observer)})
            sent: object = None
            told_end = has_turn = False
            with table.watched(self._tables.schedule.look_s):
                while True:
                    changed = table.changed
                    behind = since < table.state.sequence(observer)
                    rematch = table.child("rematch") if request.until_rematch else ""
                    seats = list(table.seats), times_of(table), table.is_over, rematch
                    if (request.include_table or request.until_rematch) and sent != seats and not (sent and behind):
                        sent = seats
                        yield pb.WatchTableResponse(table=table_to_message(table))
                    elif behind and not has_turn:
                        await self._turns.next()
                        has_turn = True
                    elif behind:
                        has_turn = False
                        answer = _next_step(table, observer, since, request)
                        since = answer.events[-1].sequence
                        told_end = answer.observation.HasField("result")
                        yield answer
                    elif table.resigned is not None and request.include_observation and not told_end:     # no event has told it
                        told_end = True
                        yield _named(table, request, pb.WatchTableResponse(
                            observation=observation_to_message(table, present(table, observer))))
                    elif table.is_over and (rematch or not request.until_rematch):
                        return
                    else:
                        _go_on_watching(self._tables, table)
                        await changed.wait()
                    _go_on_watching(self._tables, table)
                    require_observer(table, observer, token)   # whoever leaves a seat stops seeing its cards

    async def ExportRecord(self, request: pb.ExportRecordRequest, context: Context) -> pb.ExportRecordResponse:
        """The record: complete after the end, before that what the observer has seen."""
        table_id, observer = names.parse_observer(request.observer)
        async with self._tables.look_at(table_id, auth.token_of(context), observer) as table:
            answer = pb.ExportRecordResponse(
                settings=shown_settings(table, observer),
                events=events_to_messages(table.state, table.state.events(observer), observer))
            if table.is_over:
                answer.complete = True
                answer.record = replace(table.state.record, resigned=table.resigned).to_json()
            return _named(table, request, answer)


def _without_sequence(table: table_pb2.Table) -> table_pb2.Table:
    """All whose change is worth a message."""
    plain = table_pb2.Table()
    plain.CopyFrom(table)
    plain.ClearField("sequence")
    return plain


def legal_to_message(moment: Moment) -> pb.ListLegalActionsResponse:
    """What a seat may do, or could do."""
    actions = [] if moment.state is None else actions_to_messages(moment.state, moment.observer, moment.seen)
    return pb.ListLegalActionsResponse(actions=actions, sequence=moment.sequence, prompt=moment.prompt,
                                       prompt_text=moment.question_text)


def _named(table: LiveTable, request: Naming, answer: M) -> M:
    """The answer, which calls seats as the request wishes."""
    names = _names_for(table, request)
    return answer if names is None else with_names(answer, names)


def _told(table: LiveTable, request: pb.GetObservationRequest | pb.ListLegalActionsRequest, observer: int, part: str) -> Any:
    """What a stream has told this observer about the present, not to be changed; None if none has, or the past is asked for."""
    return None if request.at_sequence else table.told.get((part, observer, _names_for(table, request)))


def _names_for(table: LiveTable, request: Naming) -> tuple[str, ...] | None:
    """What seats are called in the answer, where it is not their numbers."""
    return called(table.seats) if request.use_display_names else None


def _next_step(table: LiveTable, observer: int, since: int, request: pb.WatchTableRequest) -> pb.WatchTableResponse:
    """The events after `since`; made once for all who watch the same, and not to be changed."""
    names = _names_for(table, request)
    key = observer, since, request.include_observation, request.include_actions, names
    answer: pb.WatchTableResponse | None = table.told.get(key)
    if answer is None:
        events = table.state.events(observer, since)[:EVENTS_PER_MESSAGE]
        answer = pb.WatchTableResponse(events=events_to_messages(table.state, events, observer))
        wanted = request.include_observation or (request.include_actions and observer != SPECTATORS)
        if wanted and events[-1].sequence == table.state.sequence(observer):
            now = present(table, observer)
            if request.include_observation:
                write_observation(answer.observation, table, now)
            if request.include_actions and observer != SPECTATORS:
                answer.legal.CopyFrom(legal_to_message(now))
        _named(table, request, answer)
        table.tell(key, answer)
        for part in _PARTS:
            if answer.HasField(part):
                table.tell((part, observer, names), getattr(answer, part))
    return answer


def _pass_window(window: table_pb2.PassWindow, spec: GameSpec) -> tuple[int, int]:
    """Least and most milliseconds. Raises ApiError."""
    if all(prompt.passing is None for prompt in spec.prompts):
        raise bad_field("pass_window", f"no question of {spec.id} can be passed by the clock")
    least, most = window.least_ms, window.most_ms
    for name, value in (("least_ms", least), ("most_ms", most)):
        if not WINDOW_MS[0] <= value <= WINDOW_MS[1]:
            raise bad_field(f"pass_window.{name}", f"{value} is outside {WINDOW_MS[0]}..{WINDOW_MS[1]} milliseconds")
    if least > most:
        raise bad_field("pass_window.most_ms", f"{most} is less than least_ms, {least}")
    return least, most


def _go_on_watching(tables: Tables, table: LiveTable) -> None:
    """Raises ApiError when there is nothing more to wait for."""
    if table.deleted:
        raise ApiError(Code.NOT_FOUND, "TABLE_DELETED", "the table has been deleted")
    if table.broken:
        raise table.broken
    if tables.stopping:
        raise closing("come back with the last sequence")


def _display_name(text: str, field: str = "display_name") -> str:
    """The name if it can be shown. Raises ApiError."""
    if len(text) > MAX_NAME:
        raise bad_field(field, f"{len(text)} characters; at most {MAX_NAME} are allowed")
    if not text.isprintable():
        raise bad_field(field, "only printable characters are allowed")
    return text
