"""Helpers of the service tests: a house with tables, and players who hold a seat's token."""
from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2

from seatmate.client import Client, Metadata, bearer, connect, error_reason, read_detail
from seatmate.engine.core.game import State
from seatmate.engine.core.record import Record
from seatmate.server.config import Pacing, ServerConfig
from seatmate.server.service import running_server
from seatmate.v1 import advisor_service_pb2, analysis_pb2, observation_pb2, settings_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb

GAMES = ("kuhn", "hyde")
"""The games the rules of the service are tested with: the smallest, and one with everything."""

Choose = Callable[[Iterable[int]], int]
"""Picks one of the ids of the legal actions."""


def plans(bots: dict[int, str], pace_ms: int) -> list[table_pb2.SeatPlan]:
    return [table_pb2.SeatPlan(seat=seat, bot=bot, pace_ms=pace_ms) for seat, bot in bots.items()]


@dataclass(frozen=True)
class Player:
    """Somebody with a seat's token."""

    client: Client
    seat: str
    token: str

    @property
    def auth(self) -> Metadata | None:
        return bearer(self.token) if self.token else None

    @property
    def number(self) -> int:
        return int(self.seat[-1])

    async def legal(self, at: int = 0) -> pb.ListLegalActionsResponse:
        return await self.client.tables.ListLegalActions(pb.ListLegalActionsRequest(seat=self.seat, at_sequence=at),
                                                         metadata=self.auth)

    async def observe(self, at: int = 0) -> observation_pb2.Observation:
        return await self.client.tables.GetObservation(pb.GetObservationRequest(observer=self.seat, at_sequence=at),
                                                       metadata=self.auth)

    async def submit(self, action: int, sequence: int, request_id: str = "") -> pb.SubmitActionResponse:
        return await self.client.tables.SubmitAction(pb.SubmitActionRequest(
            seat=self.seat, action_id=action, expected_sequence=sequence, request_id=request_id), metadata=self.auth)

    async def act(self, choose: Choose = min) -> pb.SubmitActionResponse:
        """Take one of the legal actions."""
        legal = await self.legal()
        return await self.submit(choose(action.id for action in legal.actions), legal.sequence)

    def watch(self, since: int = 0, **more: Any) -> Any:
        return self.client.tables.WatchTable(pb.WatchTableRequest(observer=self.seat, since_sequence=since, **more),
                                             metadata=self.auth)

    async def leave(self, bot: str = "", **more: Any) -> pb.LeaveSeatResponse:
        return await self.client.tables.LeaveSeat(pb.LeaveSeatRequest(name=self.seat, bot=bot, **more),
                                                  metadata=self.auth)

    async def resign(self, bot: str = "") -> table_pb2.Table:
        answer = await self.client.tables.ResignSeat(pb.ResignSeatRequest(name=self.seat, bot=bot), metadata=self.auth)
        return answer.table

    async def take_back(self, at: int = 0, request_id: str = "") -> table_pb2.Table:
        answer = await self.client.tables.TakeBack(pb.TakeBackRequest(seat=self.seat, at_sequence=at, request_id=request_id),
                                                   metadata=self.auth)
        return answer.table

    async def suggest(self, timeout: float | None = None, **more: Any) -> analysis_pb2.Analysis:
        request = advisor_service_pb2.SuggestActionsRequest(seat=self.seat, **more)
        answer = await self.client.advisor.SuggestActions(request, metadata=self.auth, timeout=timeout)
        return answer.analysis

    def analyze(self, timeout: float | None = None, **more: Any) -> Any:
        request = advisor_service_pb2.AnalyzeRequest(seat=self.seat, **more)
        return self.client.advisor.Analyze(request, metadata=self.auth, timeout=timeout)

    def review(self, timeout: float | None = None, **more: Any) -> Any:
        request = advisor_service_pb2.ReviewGameRequest(seat=self.seat, **more)
        return self.client.advisor.ReviewGame(request, metadata=self.auth, timeout=timeout)

    async def explain(self, at: int = 1, **more: Any) -> advisor_service_pb2.ExplainBotMoveResponse:
        request = advisor_service_pb2.ExplainBotMoveRequest(seat=self.seat, at_sequence=at, **more)
        return await self.client.advisor.ExplainBotMove(request, metadata=self.auth)

    async def export(self) -> pb.ExportRecordResponse:
        return await self.client.tables.ExportRecord(pb.ExportRecordRequest(observer=self.seat), metadata=self.auth)


@dataclass(frozen=True)
class TableAt:
    """A table and the token of somebody who comes to it: of who has made it, unless `as_seen_with` says another."""

    client: Client
    name: str
    token: str
    invitation: str = ""

    def as_seen_with(self, token: str) -> TableAt:
        """The same table for somebody with this token; "" is none."""
        return TableAt(self.client, self.name, token)

    @property
    def auth(self) -> Metadata | None:
        return bearer(self.token) if self.token else None

    async def get(self) -> table_pb2.Table:
        return await self.client.tables.GetTable(pb.GetTableRequest(name=self.name), metadata=self.auth)

    async def observe(self, at: int = 0) -> observation_pb2.Observation:
        return await self.client.tables.GetObservation(pb.GetObservationRequest(observer=self.name, at_sequence=at),
                                                       metadata=self.auth)

    async def claim(self, seat: int, token: str | None = None, display_name: str = "", request_id: str = "") -> Player:
        """Claim with the table's token, or with another; "" is none."""
        token = self.token if token is None else token
        answer = await self.client.tables.ClaimSeat(
            pb.ClaimSeatRequest(name=f"{self.name}/seats/{seat}", display_name=display_name, request_id=request_id),
            metadata=bearer(token) if token else None)
        return Player(self.client, answer.seat.name, answer.seat_token)

    async def claim_all(self) -> list[Player]:
        return [await self.claim(seat) for seat in range(len((await self.get()).seats))]

    async def fill(self, bots: dict[int, str], token: str | None = None,
                   pace_ms: int = 0) -> pb.FillSeatsResponse:
        return await self.client.tables.FillSeats(pb.FillSeatsRequest(name=self.name, bots=plans(bots, pace_ms)),
                                                  metadata=self.auth if token is None else bearer(token))

    async def rematch(self, rotation: int = 0) -> table_pb2.Table:
        answer = await self.client.tables.Rematch(pb.RematchRequest(name=self.name, rotation=rotation), metadata=self.auth)
        return answer.table

    async def delete(self) -> None:
        await self.client.tables.DeleteTable(pb.DeleteTableRequest(name=self.name), metadata=self.auth)

    def watch(self, since: int = 0, **more: Any) -> Any:
        return self.client.tables.WatchTable(pb.WatchTableRequest(observer=self.name, since_sequence=since, **more),
                                             metadata=self.auth)

    async def export(self) -> pb.ExportRecordResponse:
        return await self.client.tables.ExportRecord(pb.ExportRecordRequest(observer=self.name), metadata=self.auth)

    async def finished(self, limit_s: float = 120.0) -> State:
        """Wait for the end of the game; returns the replayed last state."""
        async with asyncio.timeout(limit_s):
            await drain(self.watch())
        return Record.from_json((await self.export()).record).replay()


@dataclass(frozen=True)
class House:
    """A server's client."""

    client: Client
    address: str

    async def table(self, game: str = "kuhn", *, seed: int | None = None, bots: dict[int, str] | None = None,
                    seats: int = 0, pace_ms: int = 0, options: dict[str, str] | None = None, mode: str = "",
                    **more: Any) -> TableAt:
        texts = {key: settings_pb2.OptionValue(text=value) for key, value in (options or {}).items()}
        answer = await self.client.tables.CreateTable(pb.CreateTableRequest(
            settings=settings_pb2.GameSettings(game=f"games/{game}", mode=mode, seat_count=seats, options=texts), seed=seed,
            bots=plans(bots or {}, pace_ms), **more))
        return TableAt(self.client, answer.table.name, answer.table_token, answer.invitation)

    def at(self, table: TableAt) -> TableAt:
        """The same table through this client."""
        return replace(table, client=self.client)

    def of(self, player: Player) -> Player:
        """The same player through this client."""
        return Player(self.client, player.seat, player.token)

    def suggest(self, position: analysis_pb2.Position, timeout: float | None = None,
                **more: Any) -> Awaitable[advisor_service_pb2.SuggestActionsResponse]:
        return self.client.advisor.SuggestActions(
            advisor_service_pb2.SuggestActionsRequest(position=position, **more), timeout=timeout)

    def review(self, position: analysis_pb2.Position, timeout: float | None = None, **more: Any) -> Any:
        return self.client.advisor.ReviewGame(
            advisor_service_pb2.ReviewGameRequest(position=position, **more), timeout=timeout)


@asynccontextmanager
async def two_houses(url: str) -> AsyncIterator[list[House]]:
    """Two servers on one database, each with a client."""
    config = ServerConfig(address="127.0.0.1:0", database=url, workers=1, web=False, pacing=Pacing(answer_ms=0))
    async with AsyncExitStack() as stack:
        addresses = [await stack.enter_async_context(running_server(config)) for _ in range(2)]
        yield [House(await stack.enter_async_context(connect(address)), address) for address in addresses]


def sent_with(error: grpc.aio.AioRpcError) -> list[tuple[str, str | bytes]]:
    """What comes with a failure, but for the id of the request, which is new each time."""
    return [(key, value) for key, value in error.trailing_metadata() or () if key != "x-request-id"]


async def drain(stream: Any) -> list[Any]:
    """All events of a stream, until it ends."""
    events: list[Any] = []
    while (step := await stream.read()) is not grpc.aio.EOF:
        events.extend(step.events)
    return events


async def drain_to(stream: Any, sequence: int) -> list[Any]:
    """The events of a stream up to this one; then it is left."""
    events: list[Any] = []
    while not events or events[-1].sequence < sequence:
        events.extend((await stream.read()).events)
    stream.cancel()
    return events


async def play_on(players: list[Player], decisions: int = 10_000, choose: Choose = min) -> int:
    """Let the players act, lowest seat first, for so many decisions or to the end; returns how many there were."""
    for number in range(decisions):
        for player in players:
            legal = await player.legal()
            if legal.actions:
                await player.submit(choose(action.id for action in legal.actions), legal.sequence)
                break
        else:
            return number
    return decisions


@contextlib.asynccontextmanager
async def refused(code: grpc.StatusCode, reason: str, *words: str,
                  field: str | None = None) -> AsyncIterator[pytest.ExceptionInfo[grpc.aio.AioRpcError]]:
    """The call inside fails with this status and reason, and its sentence has these words."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        yield caught
    error = caught.value
    said = error.details() or ""
    assert (error.code(), error_reason(error)) == (code, reason), error
    for word in words:
        assert word in said, said
    assert "Traceback" not in said
    assert "\n" not in said
    if field is not None:
        bad = error_details_pb2.BadRequest()
        assert read_detail(error, bad)
        assert [violation.field for violation in bad.field_violations] == [field]
