"""A client of the service: the stubs on one channel, and tables and seats that carry their tokens.

What is safe to repeat is repeated while the server can't be reached, and streams are taken up again where they broke off.
"""
from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

import grpc
import grpc.aio
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from seatmate.server.auth import METADATA_KEY
from seatmate.v1 import (
    action_pb2,
    advisor_service_pb2,
    advisor_service_pb2_grpc,
    analysis_pb2,
    catalog_service_pb2_grpc,
    settings_pb2,
    table_pb2,
    table_service_pb2_grpc,
)
from seatmate.v1 import table_service_pb2 as pb

T = TypeVar("T")

PATIENCE_S = 30.0
"""How long a call that is safe to repeat is repeated while the server can't be reached, or has no room."""

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 2.0
_DETAILS_KEY = "grpc-status-details-bin"

Metadata = tuple[tuple[str, str], ...]


def bearer(token: str) -> Metadata:
    """The metadata of a call that needs a token."""
    return ((METADATA_KEY, f"Bearer {token}"),)


@dataclass(frozen=True, slots=True)
class Client:
    """The stubs of all services on one channel, and what is done with them most."""

    channel: grpc.aio.Channel
    catalog: catalog_service_pb2_grpc.CatalogServiceAsyncStub
    tables: table_service_pb2_grpc.TableServiceAsyncStub
    advisor: advisor_service_pb2_grpc.AdvisorServiceAsyncStub

    async def create_table(self, game: str, *, mode: str = "", seats: int = 0,
                           options: Mapping[str, str | int | bool] | None = None, bots: Mapping[int, str] | None = None,
                           pace_ms: int = 0, display_name: str = "", seed: int | None = None, is_open: bool = False) -> Table:
        """Deal a new table. `bots`: text of the bot by seat, all with the same pace. Raises grpc.aio.AioRpcError.

        A private table is seen, and its seats are claimed, with its invitation; an open one by anybody.
        """
        request = pb.CreateTableRequest(
            settings=settings_pb2.GameSettings(game=f"games/{game}", mode=mode, seat_count=seats, options={
                key: _option(value) for key, value in (options or {}).items()}),
            bots=_plans(bots or {}, pace_ms), display_name=display_name, seed=seed, request_id=uuid.uuid4().hex,
            access=table_pb2.ACCESS_OPEN if is_open else table_pb2.ACCESS_PRIVATE)
        made = await patiently(lambda: self.tables.CreateTable(request))
        return Table(self, made.table.name, made.table_token, made.invitation)


@dataclass(frozen=True, slots=True)
class Table:
    """A table and what opens it: its own token (its maker's), its invitation, both or nothing."""

    client: Client
    name: str
    token: str = ""
    invitation: str = ""

    @property
    def metadata(self) -> Metadata | None:
        """Of calls about the table."""
        known = self.token or self.invitation
        return bearer(known) if known else None

    async def get(self) -> table_pb2.Table:
        """Seats, state and, after the end, the result."""
        return await patiently(lambda: self.client.tables.GetTable(pb.GetTableRequest(name=self.name), metadata=self.metadata))

    async def claim(self, seat: int, display_name: str = "") -> Seat:
        """Sit down on a free seat."""
        request = pb.ClaimSeatRequest(name=f"{self.name}/seats/{seat}", display_name=display_name, request_id=uuid.uuid4().hex)
        made = await patiently(lambda: self.client.tables.ClaimSeat(request, metadata=self.metadata))
        return Seat(self.client, made.seat.name, made.seat_token)

    async def fill(self, bots: Mapping[int, str], pace_ms: int = 0) -> None:
        """Seat bots, all or none. The same again changes nothing."""
        request = pb.FillSeatsRequest(name=self.name, bots=_plans(bots, pace_ms))
        await patiently(lambda: self.client.tables.FillSeats(request, metadata=self.metadata))

    def watch(self, since: int = 0, **wishes: bool) -> AsyncIterator[pb.WatchTableResponse]:
        """What everybody sees, from the event after number `since` to the end of the game; see `Seat.watch`."""
        return _watch(self.client, self.name, self.metadata, since, wishes)

    async def record(self) -> str:
        """The finished game as JSON, to be replayed; empty before its end."""
        request = pb.ExportRecordRequest(observer=self.name)
        return (await patiently(lambda: self.client.tables.ExportRecord(request, metadata=self.metadata))).record

    async def delete(self) -> None:
        """Remove the table for good."""
        await self.client.tables.DeleteTable(pb.DeleteTableRequest(name=self.name), metadata=self.metadata)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat and its token."""

    client: Client
    name: str
    token: str

    @property
    def metadata(self) -> Metadata:
        """Of the seat's calls."""
        return bearer(self.token)

    def watch(self, since: int = 0, **wishes: bool) -> AsyncIterator[pb.WatchTableResponse]:
        """What the seat sees, from the event after number `since` to the end of the game, none left out and none twice.

        wishes: include_observation, include_actions, include_table of WatchTableRequest.
        """
        return _watch(self.client, self.name, self.metadata, since, wishes)

    async def turns(self, tell: Callable[[str], object] | None = None) -> AsyncIterator[Turn]:
        """Each question that the seat is asked, until the game is over. `tell` gets every sentence of the log, as it happens."""
        answered = 0
        async for step in self.watch(include_actions=True):
            if tell is not None:
                for event in step.events:
                    if event.text:
                        tell(event.text)
            if step.legal.actions and step.legal.sequence >= answered:
                turn = Turn(self, step.legal.prompt_text, list(step.legal.actions), step.legal.sequence)
                yield turn
                answered = turn.answered

    async def act(self, action: int, sequence: int) -> pb.SubmitActionResponse:
        """Give an answer to what the seat was asked at this sequence: once, however often it has to be sent."""
        request = pb.SubmitActionRequest(seat=self.name, action_id=action, expected_sequence=sequence, request_id=uuid.uuid4().hex)
        return await patiently(lambda: self.client.tables.SubmitAction(request, metadata=self.metadata))

    async def hint(self, time_ms: int = 1000) -> analysis_pb2.Analysis:
        """What to do now and why, after thinking for so many milliseconds; the best candidate comes first."""
        request = advisor_service_pb2.SuggestActionsRequest(seat=self.name, budget=analysis_pb2.Budget(time_ms=time_ms))
        return (await patiently(lambda: self.client.advisor.SuggestActions(request, metadata=self.metadata))).analysis

    async def leave(self, bot: str = "", pace_ms: int = 0) -> str:
        """Give the seat up, to a bot when one is named; returns the token to come back with."""
        request = pb.LeaveSeatRequest(name=self.name, bot=bot, pace_ms=pace_ms)
        return (await self.client.tables.LeaveSeat(request, metadata=self.metadata)).return_token


@dataclass(slots=True)
class Turn:
    """One question to a seat, in words, and its possible answers. answered: the seat's sequence after the answer; 0 before."""

    seat: Seat
    question: str
    actions: list[action_pb2.Action]
    sequence: int
    answered: int = 0

    async def act(self, action: action_pb2.Action) -> bool:
        """Give this answer. False: the position has moved on, and the question is another or none."""
        try:
            self.answered = (await self.seat.act(action.id, self.sequence)).sequence
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.ABORTED:
                raise
            return False
        return True


@asynccontextmanager
async def connect(address: str, *, credentials: grpc.ChannelCredentials | None = None,
                  options: Sequence[tuple[str, int | str]] = ()) -> AsyncIterator[Client]:
    """A client of the server at `address`; plaintext unless there are credentials. `options` are gRPC's, of the channel."""
    if credentials is None:
        made = grpc.aio.insecure_channel(address, options)
    else:
        made = grpc.aio.secure_channel(address, credentials, options)
    async with made as channel:
        yield Client(channel, catalog_service_pb2_grpc.CatalogServiceStub(channel),
                     table_service_pb2_grpc.TableServiceStub(channel),
                     advisor_service_pb2_grpc.AdvisorServiceStub(channel))


async def patiently(call: Callable[[], Awaitable[T]], patience_s: float = PATIENCE_S) -> T:
    """The call's answer. It is made again while the server can't be reached or has no room; only for what is safe to repeat.

    Raises grpc.aio.AioRpcError for everything else, and for these when they last.
    """
    loop, pause = asyncio.get_running_loop(), _FIRST_PAUSE_S
    until = loop.time() + patience_s
    while True:
        try:
            return await call()
        except grpc.aio.AioRpcError as error:
            retry = error_details_pb2.RetryInfo()
            asked = retry.retry_delay.ToTimedelta().total_seconds() if read_detail(error, retry) else 0.0
            full = error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED and asked > 0
            if not (full or error.code() is grpc.StatusCode.UNAVAILABLE) or loop.time() + max(pause, asked) > until:
                raise
        await asyncio.sleep(max(pause, asked))
        pause = min(2 * pause, _LONGEST_PAUSE_S)


async def _watch(client: Client, observer: str, metadata: Metadata | None, since: int,
                 wishes: Mapping[str, bool]) -> AsyncIterator[pb.WatchTableResponse]:
    """A stream that is taken up again whenever the server comes back."""
    pause = _FIRST_PAUSE_S
    while True:
        request = pb.WatchTableRequest(observer=observer, since_sequence=since, **wishes)
        try:
            async for step in client.tables.WatchTable(request, metadata=metadata):
                pause = _FIRST_PAUSE_S
                if step.events:
                    since = step.events[-1].sequence
                yield step
            return
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE_S)


def _plans(bots: Mapping[int, str], pace_ms: int) -> list[table_pb2.SeatPlan]:
    return [table_pb2.SeatPlan(seat=seat, bot=bot, pace_ms=pace_ms) for seat, bot in bots.items()]


def _option(value: str | int | bool) -> settings_pb2.OptionValue:
    if isinstance(value, bool):
        return settings_pb2.OptionValue(flag=value)
    return settings_pb2.OptionValue(number=value) if isinstance(value, int) else settings_pb2.OptionValue(text=value)


def error_reason(error: grpc.aio.AioRpcError) -> str:
    """The machine-readable reason of a failed call; empty when it has none."""
    info = error_details_pb2.ErrorInfo()
    return str(info.reason) if read_detail(error, info) else ""


def read_detail(error: grpc.aio.AioRpcError, into: Message) -> bool:
    """Read a failed call's detail of `into`'s type (ErrorInfo, BadRequest, RetryInfo); False when it carries none."""
    for key, value in error.trailing_metadata() or ():
        if key == _DETAILS_KEY:
            return any(detail.Unpack(into) for detail in status_pb2.Status.FromString(value).details)
    return False
