"""A client of the service: the stubs on one channel, and tables and seats that carry their tokens.

What is safe to repeat is repeated while the server can't be reached or has no room, and streams are taken up again where they broke
off. `seatmate.client.blocking` is made of this file: unasync.py at the root of the sources leaves out the waiting.
"""
from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc
import grpc.aio

from seatmate.client.errors import FIRST_PAUSE_S, LONGEST_PAUSE_S, asked_pause_s, error_reason, read_detail, waiting_for
from seatmate.client.messages import Metadata, OptionValue, bearer, plans, settings
from seatmate.v1 import (
    action_pb2,
    advisor_service_pb2,
    advisor_service_pb2_grpc,
    analysis_pb2,
    catalog_service_pb2,
    catalog_service_pb2_grpc,
    observation_pb2,
    table_pb2,
    table_service_pb2_grpc,
    tournament_service_pb2_grpc,
)
from seatmate.v1 import table_service_pb2 as pb
from seatmate.v1 import tournament_service_pb2 as tpb

__all__ = ["Client", "Metadata", "Seat", "Table", "Tournament", "Turn", "bearer", "connect", "error_reason", "patiently",
           "read_detail"]

T = TypeVar("T")

log = logging.getLogger("seatmate.client")
"""Tells at level INFO that a server is waited for: once, until it has answered."""

PATIENCE_S = 30.0
"""How long a call that is safe to repeat is repeated while the server can't be reached, or has no room."""


@dataclass(frozen=True, slots=True)
class Client:
    """The stubs of all services on one channel, and what is done with them most."""

    channel: grpc.aio.Channel
    catalog: catalog_service_pb2_grpc.CatalogServiceAsyncStub
    tables: table_service_pb2_grpc.TableServiceAsyncStub
    advisor: advisor_service_pb2_grpc.AdvisorServiceAsyncStub
    tournaments: tournament_service_pb2_grpc.TournamentServiceAsyncStub

    async def create_table(self, game: str, *, mode: str = "", seats: int = 0,
                           options: Mapping[str, OptionValue] | None = None, pack: str = "",
                           bots: Mapping[int, str | table_pb2.SeatPlan] | None = None, pace_ms: int = 0, display_name: str = "",
                           seed: int | None = None, is_open: bool = False, clock: table_pb2.Clock | None = None,
                           pass_window: table_pb2.PassWindow | None = None, take_back: bool = False) -> Table:
        """Deal a new table. `bots`: by seat, the text of the bot, which has that pace, or a plan. Raises grpc.RpcError.

        A private table is seen, and its seats are claimed, with its invitation; an open one by anybody.
        """
        request = pb.CreateTableRequest(
            settings=settings(game, mode=mode, seats=seats, options=options, pack=pack), bots=plans(bots or {}, pace_ms),
            display_name=display_name, seed=seed, clock=clock, pass_window=pass_window, take_back=take_back,
            request_id=uuid.uuid4().hex, access=table_pb2.ACCESS_OPEN if is_open else table_pb2.ACCESS_PRIVATE)
        made = await patiently(lambda: self.tables.CreateTable(request))
        return Table(self, made.table.name, made.table_token, made.invitation)

    async def list_tables(self, game: str = "") -> list[table_pb2.Table]:
        """All open tables, newest first; of one game, if it is named by its id."""
        found: list[table_pb2.Table] = []
        request = pb.ListTablesRequest(game=game and f"games/{game}", page_size=100)
        while True:
            page = await patiently(lambda: self.tables.ListTables(request))
            found.extend(page.tables)
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    async def create_tournament(self, game: str, bots: Sequence[str], deals: int, *, mode: str = "", seats: int = 0,
                                options: Mapping[str, OptionValue] | None = None, pack: str = "", token: str = "",
                                **wishes: Any) -> Tournament:
        """Let bots play each other at the server. Raises grpc.RpcError.

        token: of an owner of other tournaments, whose this one will be, too · wishes: further fields of CreateTournamentRequest,
        such as seed, ratings, format; messages may be given as dictionaries.
        """
        request = tpb.CreateTournamentRequest(
            settings=settings(game, mode=mode, seats=seats, options=options, pack=pack), bots=bots, deals=deals,
            request_id=uuid.uuid4().hex, **wishes)
        metadata = bearer(token) if token else None
        made = await patiently(lambda: self.tournaments.CreateTournament(request, metadata=metadata))
        return Tournament(self, made.tournament.name, made.owner_token or token)

    async def list_tournaments(self, token: str) -> list[tpb.Tournament]:
        """The tournaments of the token's owner, newest first."""
        found: list[tpb.Tournament] = []
        request = tpb.ListTournamentsRequest(page_size=100)
        while True:
            page = await patiently(lambda: self.tournaments.ListTournaments(request, metadata=bearer(token)))
            found.extend(page.tournaments)
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    async def game(self, game: str) -> catalog_service_pb2.Game:
        """A game by its id: modes, options, prompts, event types, content packs."""
        return await patiently(lambda: self.catalog.GetGame(catalog_service_pb2.GetGameRequest(name=f"games/{game}")))


@dataclass(frozen=True, slots=True)
class _Opened:
    """Something at the server, and the token that opens it."""

    client: Client
    name: str
    token: str

    @property
    def metadata(self) -> Metadata | None:
        """Of the calls about it; None without a token."""
        return bearer(self.token) if self.token else None


@dataclass(frozen=True, slots=True)
class _Observer(_Opened):
    """Who sees a game: a seat, or a table, which sees what everybody does."""

    def watch(self, since: int = 0, **wishes: bool) -> AsyncIterator[pb.WatchTableResponse]:
        """What it sees, from the event after number `since` to the end of the game, none left out and none twice.

        wishes: include_observation, include_actions, include_table, until_rematch, use_display_names of WatchTableRequest.
        """
        def begin() -> Any:
            return self.client.tables.WatchTable(pb.WatchTableRequest(observer=self.name, since_sequence=since, **wishes),
                                                 metadata=self.metadata)

        def note(step: pb.WatchTableResponse) -> None:
            nonlocal since
            if step.events:
                since = step.events[-1].sequence

        return _taken_up(begin, note)

    async def observe(self, at: int = 0, *, names: bool = False) -> observation_pb2.Observation:
        """What it sees now, or saw right after its event of number `at`. names: in texts, seats are called by who sits there."""
        request = pb.GetObservationRequest(observer=self.name, at_sequence=at, use_display_names=names)
        return await patiently(lambda: self.client.tables.GetObservation(request, metadata=self.metadata))

    async def record(self) -> str:
        """The finished game as JSON, to be replayed; empty before its end."""
        request = pb.ExportRecordRequest(observer=self.name)
        return (await patiently(lambda: self.client.tables.ExportRecord(request, metadata=self.metadata))).record


@dataclass(frozen=True, slots=True)
class Table(_Observer):
    """A table and what opens it: its own token (its maker's), its invitation, both or nothing."""

    token: str = ""
    invitation: str = ""

    @property
    def metadata(self) -> Metadata | None:
        """Of the calls about it; None for a stranger's."""
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

    async def fill(self, bots: Mapping[int, str | table_pb2.SeatPlan], pace_ms: int = 0) -> None:
        """Seat bots as in `create_table`, all or none. The same again changes nothing."""
        request = pb.FillSeatsRequest(name=self.name, bots=plans(bots, pace_ms))
        await patiently(lambda: self.client.tables.FillSeats(request, metadata=self.metadata))

    async def rematch(self, rotation: int = 0) -> Table:
        """The table of the next game, the same for all who ask; this one's tokens open it, too."""
        request = pb.RematchRequest(name=self.name, rotation=rotation)
        made = await patiently(lambda: self.client.tables.Rematch(request, metadata=self.metadata))
        return Table(self.client, made.table.name, self.token, self.invitation)

    async def delete(self) -> None:
        """Remove the table for good."""
        await self.client.tables.DeleteTable(pb.DeleteTableRequest(name=self.name), metadata=self.metadata)


@dataclass(frozen=True, slots=True)
class Tournament(_Opened):
    """A tournament at the server, and its owner's token."""

    async def get(self) -> tpb.Tournament:
        """How far it is."""
        request = tpb.GetTournamentRequest(name=self.name)
        return await patiently(lambda: self.client.tournaments.GetTournament(request, metadata=self.metadata))

    def watch(self) -> AsyncIterator[tpb.WatchTournamentResponse]:
        """How far it is whenever that has changed, until it is over; also while the server is away in between."""
        return _taken_up(lambda: self.client.tournaments.WatchTournament(
            tpb.WatchTournamentRequest(name=self.name), metadata=self.metadata))

    async def cancel(self) -> tpb.Tournament:
        """End it; what was played stays."""
        request = tpb.CancelTournamentRequest(name=self.name)
        return await patiently(lambda: self.client.tournaments.CancelTournament(request, metadata=self.metadata))

    async def report(self, format: str = "json") -> str:
        """What it says of its bots so far, as `json`, `csv`, `markdown` or `html`."""
        request = tpb.GetTournamentReportRequest(name=self.name, format=format)
        return (await patiently(lambda: self.client.tournaments.GetTournamentReport(request, metadata=self.metadata))).text


@dataclass(frozen=True, slots=True)
class Seat(_Observer):
    """A seat and its token. names: in texts, seats are called by who sits there."""

    async def turns(self, tell: Callable[[str], object] | None = None, *, names: bool = False) -> AsyncIterator[Turn]:
        """Each question that the seat is asked, until the game is over. `tell` gets every sentence of the log, as it happens."""
        answered = 0
        async for step in self.watch(include_actions=True, use_display_names=names):
            if tell is not None:
                for event in step.events:
                    if event.text:
                        tell(event.text)
            if step.legal.actions and step.legal.sequence >= answered:
                turn = Turn(self, step.legal.prompt_text, list(step.legal.actions), step.legal.sequence)
                yield turn
                answered = turn.answered

    async def act(self, action: int, sequence: int, *, names: bool = False) -> pb.SubmitActionResponse:
        """Give an answer to what the seat was asked at this sequence: once, however often it has to be sent."""
        request = pb.SubmitActionRequest(seat=self.name, action_id=action, expected_sequence=sequence, request_id=uuid.uuid4().hex,
                                         use_display_names=names)
        return await patiently(lambda: self.client.tables.SubmitAction(request, metadata=self.metadata))

    async def legal(self, at: int = 0, *, names: bool = False) -> pb.ListLegalActionsResponse:
        """What the seat may do now, or could do right after its event of number `at`."""
        request = pb.ListLegalActionsRequest(seat=self.name, at_sequence=at, use_display_names=names)
        return await patiently(lambda: self.client.tables.ListLegalActions(request, metadata=self.metadata))

    async def hint(self, time_ms: int = 1000, seed: int | None = None, *, iterations: int = 0, at: int = 0,
                   only_actions: Sequence[int] = (), except_actions: Sequence[int] = (), max_candidates: int = 0,
                   names: bool = False) -> analysis_pb2.Analysis:
        """What to do now and why, after thinking for so many milliseconds or iterations (0: no limit of this kind); the best
        candidate comes first.

        at: what to have done right after the seat's event of this number · only_actions, except_actions: ids of the answers to look
        at, and not to look at; empty: all, none · max_candidates: 0: all.
        """
        request = advisor_service_pb2.SuggestActionsRequest(
            seat=self.name, budget=analysis_pb2.Budget(time_ms=time_ms, iterations=iterations), seed=seed, at_sequence=at,
            only_actions=only_actions, except_actions=except_actions, max_candidates=max_candidates, use_display_names=names)
        return (await patiently(lambda: self.client.advisor.SuggestActions(request, metadata=self.metadata))).analysis

    async def review(self, time_ms: int = 100, seed: int | None = None, *, iterations: int = 0, total_time_ms: int = 0,
                     max_candidates: int = 0, max_mistakes: int = 0,
                     names: bool = False) -> AsyncIterator[advisor_service_pb2.ReviewGameResponse]:
        """All decisions of the seat, looked back on for so many milliseconds or iterations each, and so many milliseconds in all
        (0: as many as the service allows); then a summary with the largest mistakes (0: five).
        """
        request = advisor_service_pb2.ReviewGameRequest(
            seat=self.name, budget=analysis_pb2.Budget(time_ms=time_ms, iterations=iterations), seed=seed,
            total_time_ms=total_time_ms, max_candidates=max_candidates, max_mistakes=max_mistakes, use_display_names=names)
        async for part in self.client.advisor.ReviewGame(request, metadata=self.metadata):
            yield part

    async def bot_move(self, at: int, *, max_candidates: int = 0,
                       names: bool = False) -> advisor_service_pb2.ExplainBotMoveResponse:
        """Why the bot on this seat decided as it did right after its event of number `at`; once the game is over."""
        request = advisor_service_pb2.ExplainBotMoveRequest(seat=self.name, at_sequence=at, max_candidates=max_candidates,
                                                            use_display_names=names)
        return await patiently(lambda: self.client.advisor.ExplainBotMove(request, metadata=self.metadata))

    async def leave(self, bot: str = "", pace_ms: int = 0) -> str:
        """Give the seat up, to a bot when one is named; returns the token to come back with."""
        request = pb.LeaveSeatRequest(name=self.name, bot=bot, pace_ms=pace_ms)
        return (await self.client.tables.LeaveSeat(request, metadata=self.metadata)).return_token

    async def take_back(self, at: int = 0) -> Seat:
        """The same seat, with the same token, at a branch of the table where it has not yet decided what it was asked right after
        its event of number `at`; 0: its last decision.
        """
        request = pb.TakeBackRequest(seat=self.name, at_sequence=at, request_id=uuid.uuid4().hex)
        made = await patiently(lambda: self.client.tables.TakeBack(request, metadata=self.metadata))
        return Seat(self.client, f"{made.table.name}/seats/{self.name.rpartition('/')[2]}", self.token)

    async def rematch(self, rotation: int = 0, display_name: str = "") -> Seat:
        """This player's seat at the table of the next game, once this one is over: everybody moves on by `rotation` seats, or by as
        many as who asked first has wished.
        """
        name, _, number = self.name.partition("/seats/")
        request = pb.RematchRequest(name=name, rotation=rotation)
        made = await patiently(lambda: self.client.tables.Rematch(request, metadata=self.metadata))
        table = Table(self.client, made.table.name, self.token)
        return await table.claim((int(number) + made.rotation) % len(made.table.seats), display_name)

    async def resign(self, bot: str = "", pace_ms: int = 0) -> table_pb2.Table:
        """Give the game up: of two players the other wins; else this bot plays on, or the heuristic."""
        request = pb.ResignSeatRequest(name=self.name, bot=bot, pace_ms=pace_ms)
        return (await self.client.tables.ResignSeat(request, metadata=self.metadata)).table


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
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.ABORTED:
                raise
            return False
        return True


@asynccontextmanager
async def connect(address: str, *, credentials: grpc.ChannelCredentials | None = None,
                  options: Sequence[tuple[str, int | str]] = ()) -> AsyncIterator[Client]:
    """A client of the server at `address`; plaintext unless there are credentials. `options` are gRPC's, of the channel.

    By itself gRPC tries to connect less and less often, every two minutes in the end, and fails all calls in between: here not less
    often than calls are repeated.
    """
    options = (("grpc.max_reconnect_backoff_ms", round(1000 * LONGEST_PAUSE_S)), *options)
    if credentials is None:
        made = grpc.aio.insecure_channel(address, options)
    else:
        made = grpc.aio.secure_channel(address, credentials, options)
    async with made as channel:
        yield Client(channel, catalog_service_pb2_grpc.CatalogServiceStub(channel),
                     table_service_pb2_grpc.TableServiceStub(channel),
                     advisor_service_pb2_grpc.AdvisorServiceStub(channel),
                     tournament_service_pb2_grpc.TournamentServiceStub(channel))


async def patiently(call: Callable[[], Awaitable[T]], patience_s: float = PATIENCE_S) -> T:
    """The call's answer. It is made again while the server can't be reached or has no room; only for what is safe to repeat.

    Raises grpc.RpcError for everything else, and for these when they last.
    """
    until, pause = time.monotonic() + patience_s, FIRST_PAUSE_S
    while True:
        try:
            return await call()
        except grpc.RpcError as error:
            asked = asked_pause_s(error)
            if asked is None or time.monotonic() + max(pause, asked) > until:
                raise
            if pause == FIRST_PAUSE_S:
                log.info(waiting_for(error))
        await asyncio.sleep(max(pause, asked))
        pause = min(2 * pause, LONGEST_PAUSE_S)


async def _taken_up(begin: Callable[[], Any], note: Callable[[T], None] = lambda step: None) -> AsyncIterator[T]:
    """A stream that begins again whenever the server comes back or has room. note: hears of each message before it is read."""
    pause = FIRST_PAUSE_S
    while True:
        stream = begin()
        try:
            async for step in stream:
                pause = FIRST_PAUSE_S
                note(step)
                yield step
            return
        except grpc.RpcError as error:
            asked = asked_pause_s(error)
            if asked is None:
                raise
            if pause == FIRST_PAUSE_S:
                log.info(waiting_for(error))
        finally:
            stream.cancel()     # when nobody reads on
        await asyncio.sleep(max(pause, asked))
        pause = min(2 * pause, LONGEST_PAUSE_S)
