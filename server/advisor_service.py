"""AdvisorService: hints from what one seat knows. Nothing here can change a table."""
from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import grpc.aio

from seatmate.ai.search import Analysis, Limits, Search, StopFlag
from seatmate.engine.core.game import Game, SeenEvent, State
from seatmate.engine.core.scene import Touch
from seatmate.server import auth, names
from seatmate.server.called import called, with_names
from seatmate.server.callers import Callers
from seatmate.server.config import SearchLimits
from seatmate.server.convert import (
    analysis_to_message,
    events_from_messages,
    game_from_request,
    seed_from_request,
    touches,
)
from seatmate.server.errors import ApiError, Code, bad_field, closing
from seatmate.server.metrics import Metrics
from seatmate.server.moments import moment
from seatmate.server.search_pool import PIECE_MS, Lane, QueueTimeout, SearchPool
from seatmate.server.tables import Tables
from seatmate.v1 import advisor_service_pb2 as pb
from seatmate.v1 import advisor_service_pb2_grpc, analysis_pb2

Context = grpc.aio.ServicerContext[Any, Any]
Request = pb.SuggestActionsRequest | pb.AnalyzeRequest

MAX_EVENTS = 20_000
DEFAULT_INTERVAL_MS = 250
INTERVAL_MS = (20, 10_000)


@dataclass(frozen=True, slots=True)
class Plan:
    """How long one call may think. `deadline`: seconds on the monotonic clock; None: the caller waits for ever."""

    iterations: int | None
    time_ms: float
    nodes: int
    deadline: float | None
    margin_ms: float

    def limits(self, *, spent_ms: float = 0.0, done: int = 0, at_most_ms: float | None = None) -> Limits | None:
        """Limits of the next run after so much thinking; None when nothing is left."""
        left_ms = min(self.time_ms - spent_ms, self.left_ms())
        left = None if self.iterations is None else self.iterations - done
        if left_ms <= 0 or (left is not None and left <= 0):
            return None
        time_ms = left_ms if at_most_ms is None else min(left_ms, at_most_ms)
        return Limits(iterations=left, time_ms=time_ms, nodes=self.nodes)

    def left_ms(self) -> float:
        """Milliseconds until the answer has to be on its way."""
        return float("inf") if self.deadline is None else (self.deadline - time.monotonic()) * 1000 - self.margin_ms

    def wait_s(self) -> float | None:
        """Seconds worth waiting for a worker; None: no bound."""
        return None if self.deadline is None else max(0.0, self.left_ms() / 1000)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a search knows. by_hand: `touches` of its position."""

    analysis: Analysis
    by_hand: Mapping[int, Touch]
    final: bool


class AdvisorService(advisor_service_pb2_grpc.AdvisorServiceServicer):
    """Hints for a seat at a table, or for a position of a table run elsewhere."""

    def __init__(self, tables: Tables, pool: SearchPool, limits: SearchLimits, metrics: Metrics,
                 callers: Callers) -> None:
        self._metrics = metrics
        self._callers = callers
        self._tables = tables
        self._pool = pool
        self._limits = limits

    async def SuggestActions(self, request: pb.SuggestActionsRequest, context: Context) -> pb.SuggestActionsResponse:
        """Rank the actions of a seat that is asked something."""
        async with aclosing(self._think(request, context, PIECE_MS)) as snapshots:
            last = [one async for one in snapshots][-1]
        analysis = analysis_to_message(last.analysis, last.by_hand, request.max_candidates)
        return pb.SuggestActionsResponse(analysis=await self._named(request, analysis))

    async def Analyze(self, request: pb.AnalyzeRequest, context: Context) -> AsyncIterator[pb.AnalyzeResponse]:
        """Improving snapshots. Between two of them the worker is free for others; none follows when the server goes down."""
        least, most = INTERVAL_MS
        interval = request.interval_ms or DEFAULT_INTERVAL_MS
        if not least <= interval <= most:
            raise bad_field("interval_ms", f"{interval} is outside {least}..{most} milliseconds")
        async with aclosing(self._think(request, context, interval)) as snapshots:
            async for one in snapshots:
                analysis = await self._named(request, analysis_to_message(one.analysis, one.by_hand, request.max_candidates))
                yield pb.AnalyzeResponse(analysis=analysis, final=one.final)
                if self._tables.stopping and not one.final:
                    raise closing("ask the next one")

    async def _named(self, request: Request, analysis: analysis_pb2.Analysis) -> analysis_pb2.Analysis:
        """The analysis, which calls the seats of a table as the request wishes."""
        if not request.use_display_names or not request.seat:
            return analysis
        async with self._tables.use(names.parse_seat(request.seat, "seat")[0]) as table:
            return with_names(analysis, called(table.seats))

    async def _think(self, request: Request, context: Context, piece_ms: float) -> AsyncGenerator[Snapshot, None]:
        """What is known after each piece of thinking, the last one final. Raises ApiError."""
        plan = self._plan(request, context)
        account = request.seat if request.WhichOneof("subject") == "seat" else "position"
        with self._pool.hint((self._callers.of(context), account)) as hint:
            make = await self._searcher(request, context)
            search: Search | None = None
            by_hand: Mapping[int, Touch] = {}
            last: Analysis | None = None
            making_ms = spent_ms = 0.0

            def think(stop: StopFlag) -> None:
                nonlocal search, by_hand, making_ms, spent_ms
                if search is None:
                    began = time.monotonic()
                    search, by_hand = make()
                    making_ms = spent_ms = (time.monotonic() - began) * 1000
                limits = plan.limits(spent_ms=spent_ms, done=search.iterations, at_most_ms=piece_ms)
                if limits is not None:
                    search.simulate(limits, stop)
                elif last is None:      # else the time ran out on the way to the worker
                    if plan.left_ms() <= 0:
                        raise _too_late()
                    search.simulate(Limits(iterations=1), stop)     # making the search took the time it was given

            final = False
            while not final:
                try:
                    await hint.run(think, wait_s=plan.wait_s())
                    assert search is not None
                    # Not in the worker: it has to give way also while all others wait for it to have done with Python.
                    analysis = await asyncio.to_thread(search.analysis)
                except QueueTimeout:
                    if last is None:
                        raise _too_late() from None
                    analysis = last
                before = 0 if last is None else last.iterations
                self._metrics.simulations(Lane.HINT.value, max(analysis.iterations - before, 0))
                spent_ms = making_ms + analysis.elapsed_s * 1000
                final = analysis.iterations <= before or plan.limits(spent_ms=spent_ms, done=analysis.iterations) is None
                last = analysis
                yield Snapshot(analysis, by_hand, final)

    # ---- The request ----

    def _plan(self, request: Request, context: Context) -> Plan:
        """The budget within what the service allows. Raises ApiError."""
        limits = self._limits
        iterations, time_ms = request.budget.iterations, request.budget.time_ms
        if not 0 <= iterations <= limits.max_iterations:
            raise bad_field("budget.iterations", f"{iterations} is outside 1..{limits.max_iterations} (0: no limit)")
        if not 0 <= time_ms <= limits.max_time_ms:
            raise bad_field("budget.time_ms", f"{time_ms} is outside 1..{limits.max_time_ms} ms (0: no limit)")
        if request.max_candidates < 0:
            raise bad_field("max_candidates", f"{request.max_candidates} is negative")
        remaining = context.time_remaining()
        return Plan(iterations=iterations or None,
                    time_ms=time_ms or (limits.max_time_ms if iterations else limits.default_time_ms),
                    nodes=limits.nodes, margin_ms=0.0 if remaining is None else limits.margin_ms(remaining),
                    deadline=None if remaining is None else time.monotonic() + remaining)

    async def _searcher(self, request: Request, context: Context) -> Callable[[], tuple[Search, Mapping[int, Touch]]]:
        """What makes the search, and says how answers are given by hand, in a worker's thread. Raises ApiError."""
        wished = seed_from_request(request)
        seed = secrets.randbits(64) if wished is None else wished
        match request.WhichOneof("subject"):
            case "seat":
                world, seat = await self._world_of_seat(request.seat, request.at_sequence, auth.token_of(context), seed)
                return lambda: (Search(world, seat, seed=seed), touches(world, seat))
            case "position":
                if request.at_sequence:
                    raise bad_field("at_sequence", "a position has no later events; leave out those that came after the moment")
                game, seat = _check_position(request.position)

                def make() -> tuple[Search, Mapping[int, Touch]]:
                    events = events_from_messages(game, request.position.events, "position.events")
                    world = _world_of_position(game, seat, events, seed)
                    return Search(world, seat, seed=seed), touches(world, seat)
                return make
            case _:
                raise bad_field("subject", "a seat or a position is needed")

    async def _world_of_seat(self, name: str, sequence: int, token: str | None, seed: int) -> tuple[State, int]:
        """A world that the seat can't, or then could not, tell from the true one, which never leaves the table."""
        table_id, seat = names.parse_seat(name, "seat")
        async with self._tables.use(table_id) as table:
            await self._tables.admit(table, seat, token, sequence)
            if sequence:
                then = await moment(table, seat, sequence)
                if then.state is None:
                    raise ApiError(Code.FAILED_PRECONDITION, "SEAT_NOT_ASKED",
                                   f"seat {seat} was not asked anything right after its event {sequence}")
                return table.game.state_from_view(then.seen, seat, seed), seat
            if table.is_over:
                raise ApiError(Code.FAILED_PRECONDITION, "GAME_OVER", "the game is over; there is nothing to suggest")
            if seat not in table.state.pending:
                raise _not_asked(seat)
            return table.state.resample_from_infostate(seat, seed), seat


def _check_position(position: analysis_pb2.Position) -> tuple[Game, int]:
    """The game and the seat of a position that is not larger than any can be. Raises ApiError."""
    game = game_from_request(position.settings, "position.settings", described=True)
    if not 0 <= position.seat < game.seats:
        raise bad_field("position.seat", f"there is no seat {position.seat}; the seats are 0..{game.seats - 1}")
    if not position.events:
        raise bad_field("position.events", "there are none; a position needs all events its seat has seen, from the deal on")
    if len(position.events) > MAX_EVENTS:
        raise bad_field("position.events", f"{len(position.events)} events; at most {MAX_EVENTS} are allowed")
    return game, position.seat


def _world_of_position(game: Game, seat: int, events: list[SeenEvent], seed: int) -> State:
    """A world that fits the events. Raises ApiError when no game gives this history."""
    field = "position.events"
    try:
        view = game.new_view(seat)
        view.feed(events)
        seen = view.snapshot()
    except Exception as error:      # whatever a made-up history does to the fold
        raise bad_field(field, f"no game of {game.spec.id} gives this history ({error})", "BAD_POSITION") from None
    if not seen["asked"]:
        raise ApiError(Code.FAILED_PRECONDITION, "GAME_OVER", "the game is over; there is nothing to suggest")
    if seen["prompt"] is None:
        raise _not_asked(seat)
    try:
        world = game.state_from_view(seen, seat, seed)
        fits = world.observation(seat) == seen
    except Exception as error:
        raise bad_field(field, f"no game of {game.spec.id} gives this history ({error})", "BAD_POSITION") from None
    if not fits:
        raise bad_field(field, f"no game of {game.spec.id} gives this history", "BAD_POSITION")
    return world


def _not_asked(seat: int) -> ApiError:
    return ApiError(Code.FAILED_PRECONDITION, "SEAT_NOT_ASKED", f"seat {seat} is not asked anything now")


def _too_late() -> ApiError:
    return ApiError(Code.DEADLINE_EXCEEDED, "NO_TIME", "the deadline leaves no time to think; allow more of it")
