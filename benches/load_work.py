"""One process of clients: people at their tables, watchers, callers of every kind. Its latencies are those of `benches/load.py`.

Every call has a planned time and is sent then, whatever is still unanswered; its latency counts from the planned time to the
answer, so what the client itself is late by is part of it (and told apart, as the lag of its event loop). Only what was planned
within the measured time counts, and all of that is waited for.

Everybody has a connection of their own, except that a few tables share one.
"""
from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import grpc
import grpc.aio
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc

from seatmate.client import Client, bearer, connect, read_detail
from seatmate.v1 import advisor_service_pb2, analysis_pb2, settings_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb

DEADLINE_S = 30.0
STEADY = {"ListLegalActions": 40.0, "GetObservation": 20.0, "GetTable": 10.0, "ListTables": 1.0, "Check": 10.0}
"""Calls a second of all processes, besides those of playing itself; Check is health's."""

_OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)
_TABLES_PER_CONNECTION = 10
_DEALT_AT_ONCE = 8      # while the tables are set up
_PROBE_S = 0.02         # between two looks at how late the event loop is
_ANALYZE_SHARE = 0.25   # of the hints


@dataclass(frozen=True, slots=True)
class Deal:
    """What is played at one place; a finished game is followed by another of the same kind."""

    game: str
    mode: str
    seats: int
    human: int
    bot: str
    watched: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What one process does. think_s: mean of the time between a question and the person's answer · rate: of STEADY."""

    address: str
    deals: tuple[Deal, ...]
    think_s: float
    seconds: float
    hints: int
    hint_ms: tuple[int, int]
    rate: float
    seed: int


@dataclass(slots=True)
class Result:
    """What one process saw: milliseconds and failures by call, the ids of acknowledged actions, and about the process itself."""

    ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    acknowledged: list[str] = field(default_factory=list)
    steps_seen: int = 0     # messages on streams of tables
    finished: int = 0       # games
    lag_ms: list[float] = field(default_factory=list)
    cpu_s: float = 0.0


@dataclass(slots=True)
class _Clock:
    """When is measured; of the event loop, which is the same clock in all processes."""

    begin: float = float("inf")
    end: float = float("inf")

    def counts(self, planned: float) -> bool:
        return self.begin <= planned < self.end


class _Place:
    """A place where one game after the other is played; the person's own question is `question` while there is one."""

    def __init__(self, clients: Clients, client: Client, deal: Deal, chance: random.Random) -> None:
        self._clients, self._client, self._deal, self._chance = clients, client, deal, chance
        self.table = self.seat = self.token = ""
        self.question: pb.ListLegalActionsResponse | None = None
        self._over = False
        self._heard = asyncio.Event()
        self._streams: list[asyncio.Task[None]] = []

    async def deal(self) -> None:
        """A new table, the person at it, and all streams."""
        deal, call, tables = self._deal, self._clients.call, self._client.tables
        self.question, self._over, self.token = None, False, ""
        made = await call("CreateTable", tables.CreateTable, pb.CreateTableRequest(
            settings=settings_pb2.GameSettings(game=deal.game, mode=deal.mode, seat_count=deal.seats), access=table_pb2.ACCESS_OPEN,
            bots=[table_pb2.SeatPlan(seat=seat, bot=deal.bot) for seat in range(deal.seats) if seat != deal.human]))
        if made is None:
            return
        self.table, self.seat = made.table.name, f"{made.table.name}/seats/{deal.human}"
        claimed = await call("ClaimSeat", tables.ClaimSeat, pb.ClaimSeatRequest(name=self.seat), made.table_token)
        if claimed is None:
            return
        self.token = claimed.seat_token
        self._watch(self.seat, self.token, own=True)
        if deal.watched:
            self._watch(self.table, "", own=False)

    def _watch(self, observer: str, token: str, *, own: bool) -> None:
        self._streams.append(asyncio.create_task(self._follow(observer, token, own)))

    async def _follow(self, observer: str, token: str, own: bool) -> None:
        """As the page does it. What counts of the stream is the time to its first message, and whether it fails."""
        request = pb.WatchTableRequest(observer=observer, include_observation=True, include_actions=own, include_table=True)
        clients, planned, first = self._clients, _now(), True
        try:
            async for step in self._client.tables.WatchTable(request, metadata=bearer(token) if token else None):
                if first:
                    clients.took("WatchTable", planned)
                    first = False
                clients.result.steps_seen += clients.clock.counts(_now())
                if own and step.HasField("legal"):
                    self._ask(step.legal)
        except grpc.aio.AioRpcError as error:
            clients.failed("WatchTable", _now(), error)
        if own:
            self._over = True
            self._heard.set()

    def _ask(self, legal: pb.ListLegalActionsResponse) -> None:
        self.question = legal if legal.actions else None
        self._heard.set()

    async def play(self) -> None:
        """Game after game, until cancelled."""
        while True:
            while not self.token:
                await asyncio.sleep(1)
                await self.deal()
            while not self._over:
                await self._answer()
            await self.leave()
            self._clients.result.finished += self._clients.clock.counts(_now())
            await self.deal()

    async def _answer(self) -> None:
        """Wait for a question, think, answer what is asked then."""
        while self.question is None and not self._over:
            self._heard.clear()
            await self._heard.wait()
        planned = _now() + self._clients.think_s(self._chance)
        await asyncio.sleep(planned - _now())
        question = self.question
        if question is None or self._over or not self._clients.open(planned):
            return
        request = pb.SubmitActionRequest(seat=self.seat, action_id=self._chance.choice(question.actions).id,
                                         expected_sequence=question.sequence, request_id=f"{self._chance.getrandbits(128):032x}")
        self.question = None    # nobody asks for a hint any more; what the stream brings meanwhile is the next one
        done = await self._clients.call("SubmitAction", self._client.tables.SubmitAction, request, self.token, planned)
        if done is not None:
            self._clients.result.acknowledged.append(request.request_id)
        elif self.question is None:
            self.question = question

    async def leave(self) -> None:
        """End the streams."""
        for stream in self._streams:
            stream.cancel()
        await asyncio.gather(*self._streams, return_exceptions=True)
        self._streams.clear()
        self.token = ""


class Clients:
    """All of one process."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.clock = _Clock()
        self.result = Result()
        self._chance = random.Random(plan.seed)
        self._sent: set[asyncio.Task[Any]] = set()
        self._places: list[_Place] = []

    def think_s(self, chance: random.Random) -> float:
        return chance.expovariate(1 / self._plan.think_s)

    def open(self, planned: float) -> bool:
        """May a call still be planned for then?"""
        return planned < self.clock.end

    def took(self, rpc: str, planned: float) -> None:
        """It is answered now."""
        if self.clock.counts(planned):
            self.result.ms[rpc].append(1000 * (_now() - planned))

    def failed(self, rpc: str, planned: float, error: grpc.aio.AioRpcError) -> None:
        """It has failed."""
        if self.clock.counts(planned):
            self.result.errors[rpc][error.code().name] += 1

    async def call(self, rpc: str, method: Callable[..., Awaitable[Any]], request: Any, token: str = "",
                   planned: float | None = None) -> Any:
        """One call, counted; None when it failed. It is not given up when the place is left."""
        task = asyncio.create_task(self._call(rpc, method, request, token, _now() if planned is None else planned))
        self._sent.add(task)
        task.add_done_callback(self._sent.discard)
        return await asyncio.shield(task)

    async def _call(self, rpc: str, method: Callable[..., Awaitable[Any]], request: Any, token: str, planned: float) -> Any:
        try:
            answer = await method(request, metadata=bearer(token) if token else None, timeout=DEADLINE_S)
        except grpc.aio.AioRpcError as error:
            self.failed(rpc, planned, error)
            return None
        self.took(rpc, planned)
        return answer

    async def run(self, pipe: Connection) -> Result:
        """Set up, say so, begin when told, measure."""
        async with contextlib.AsyncExitStack() as stack:
            background: list[Coroutine[Any, Any, None]] = []
            for number, deal in enumerate(self._plan.deals):
                if number % _TABLES_PER_CONNECTION == 0:
                    client = await stack.enter_async_context(_connected(self._plan.address))
                self._places.append(_Place(self, client, deal, random.Random(self._chance.random())))
            await self._set_up()
            pipe.send("ready")
            self.clock.begin = await asyncio.to_thread(pipe.recv)
            self.clock.end = self.clock.begin + self._plan.seconds
            client = await stack.enter_async_context(_connected(self._plan.address))
            background += [place.play() for place in self._places]
            background += [self._steady(client, rpc, self._plan.rate * rate) for rpc, rate in STEADY.items() if self._plan.rate]
            for _ in range(self._plan.hints):
                background.append(self._hints(await stack.enter_async_context(_connected(self._plan.address))))
            await self._measure([asyncio.create_task(one) for one in background])
        return self.result

    async def _set_up(self) -> None:
        turn = asyncio.Semaphore(_DEALT_AT_ONCE)

        async def deal(place: _Place) -> None:
            async with turn:
                await place.deal()

        await asyncio.gather(*[deal(place) for place in self._places])

    async def _measure(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        await asyncio.sleep(self.clock.begin - _now())
        used = time.process_time()
        lag = asyncio.create_task(self._lag())
        done, _ = await asyncio.wait([*tasks, lag], timeout=self.clock.end - _now(), return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()       # none of them ends by itself
        self.result.cpu_s = time.process_time() - used
        await asyncio.gather(*self._sent, return_exceptions=True)
        for task in (*tasks, lag):
            task.cancel()
        await asyncio.gather(*tasks, lag, return_exceptions=True)
        for place in self._places:
            await place.leave()

    async def _lag(self) -> None:
        """How late this process itself is."""
        while True:
            due = _now() + _PROBE_S
            await asyncio.sleep(_PROBE_S)
            self.result.lag_ms.append(1000 * (_now() - due))

    async def _steady(self, client: Client, rpc: str, rate: float) -> None:
        """Calls at a rate, exponentially spread."""
        planned = self.clock.begin
        while self.open(planned := planned + self._chance.expovariate(rate)):
            await asyncio.sleep(planned - _now())
            task = asyncio.create_task(self._ask(client, rpc, planned))
            self._sent.add(task)
            task.add_done_callback(self._sent.discard)
        await asyncio.Event().wait()

    async def _ask(self, client: Client, rpc: str, planned: float) -> None:
        place = self._chance.choice(self._places)
        if not place.token:
            return
        health: Any = health_pb2_grpc.HealthStub(client.channel)
        method, request, token = {
            "ListLegalActions": (client.tables.ListLegalActions, pb.ListLegalActionsRequest(seat=place.seat), place.token),
            "GetObservation": (client.tables.GetObservation, pb.GetObservationRequest(observer=place.seat), place.token),
            "GetTable": (client.tables.GetTable, pb.GetTableRequest(name=place.table), ""),
            "ListTables": (client.tables.ListTables, pb.ListTablesRequest(page_size=20), ""),
            "Check": (health.Check, health_pb2.HealthCheckRequest(), ""),
        }[rpc]
        await self._call(rpc, method, request, token, planned)

    async def _hints(self, client: Client) -> None:
        """Hint after hint for people who think; after a refusal it waits as long as it is told to."""
        while self.open(planned := _now()):
            place = self._chance.choice(self._places)
            if place.question is None:
                await asyncio.sleep(0.01)
                continue
            budget = analysis_pb2.Budget(time_ms=self._chance.randint(*self._plan.hint_ms))
            streams = self._chance.random() < _ANALYZE_SHARE
            rpc = "Analyze" if streams else "SuggestActions"
            try:
                if streams:
                    asked = advisor_service_pb2.AnalyzeRequest(seat=place.seat, budget=budget)
                    async for _ in client.advisor.Analyze(asked, metadata=bearer(place.token), timeout=DEADLINE_S):
                        pass
                else:
                    await client.advisor.SuggestActions(advisor_service_pb2.SuggestActionsRequest(seat=place.seat, budget=budget),
                                                        metadata=bearer(place.token), timeout=DEADLINE_S)
                self.took(rpc, planned)
            except grpc.aio.AioRpcError as error:
                self.failed(rpc, planned, error)
                again = error_details_pb2.RetryInfo()
                await asyncio.sleep(again.retry_delay.ToTimedelta().total_seconds() if read_detail(error, again) else 0.1)
        await asyncio.Event().wait()


@contextlib.asynccontextmanager
async def _connected(address: str) -> AsyncIterator[Client]:
    """A client with a connection of its own."""
    async with connect(address, options=_OWN_CONNECTION) as client:
        yield client


def _now() -> float:
    return time.monotonic()     # the event loop's clock


def work(plan: Plan, pipe: Connection) -> None:
    """The process: says "ready", is told the moment of CLOCK_MONOTONIC to begin at, gives its Result or the exception."""
    try:
        pipe.send(asyncio.run(Clients(plan).run(pipe)))
    except Exception as error:
        pipe.send(error)
