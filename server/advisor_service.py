"""AdvisorService: hints from what one seat knows. Nothing here can change a table."""
from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any

import grpc.aio

from seatmate.ai.search import Search, StopFlag
from seatmate.ai.search.review import Review
from seatmate.engine.core.game import State
from seatmate.engine.core.scene import Touch
from seatmate.engine.core.spec import counted
from seatmate.server import auth, names, positions
from seatmate.server.bot_moves import bot_decision
from seatmate.server.called import M, called, with_names
from seatmate.server.callers import Callers
from seatmate.server.config import SearchLimits
from seatmate.server.convert import analysis_to_message, judged_to_message, seed_from_request, touches
from seatmate.server.errors import ApiError, Code, bad_field, closing
from seatmate.server.fair import Claims
from seatmate.server.metrics import Metrics
from seatmate.server.moments import moment
from seatmate.server.reviews import Reviewer, review_to_message
from seatmate.server.search_pool import PIECE_MS, SearchPool
from seatmate.server.tables import Tables
from seatmate.server.thinking import Make, Plan, Snapshot, Thinker, plan_of
from seatmate.v1 import advisor_service_pb2 as pb
from seatmate.v1 import advisor_service_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]
Request = pb.SuggestActionsRequest | pb.AnalyzeRequest
AnyRequest = Request | pb.ReviewGameRequest

DEFAULT_INTERVAL_MS = 250
INTERVAL_MS = (20, 10_000)
DEFAULT_MISTAKES, MAX_MISTAKES = 5, 100


class AdvisorService(advisor_service_pb2_grpc.AdvisorServiceServicer):
    """Hints for a seat at a table, or for a position of a table run elsewhere."""

    def __init__(self, tables: Tables, pool: SearchPool, limits: SearchLimits, metrics: Metrics,
                 callers: Callers) -> None:
        self._thinker = Thinker(pool, metrics)
        self._callers = callers
        self._tables = tables
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

    async def ReviewGame(self, request: pb.ReviewGameRequest, context: Context) -> AsyncIterator[pb.ReviewGameResponse]:
        """The decisions of a seat as they are found, then the largest mistakes; none follows when the server goes down."""
        total_ms, mistakes = request.total_time_ms or self._limits.max_review_ms, request.max_mistakes or DEFAULT_MISTAKES
        if not 1 <= total_ms <= self._limits.max_review_ms:
            raise bad_field("total_time_ms", f"{total_ms} is outside 1..{self._limits.max_review_ms} ms (0: as much as that)")
        if not 1 <= mistakes <= MAX_MISTAKES:
            raise bad_field("max_mistakes", f"{mistakes} is outside 1..{MAX_MISTAKES} (0: {DEFAULT_MISTAKES})")
        plan = self._plan(request, context, self._limits.review_time_ms)
        seed = _seed_of(request)
        make = await self._history(request, context, seed)
        reviewer = Reviewer(self._thinker, self._claims(request, context), plan, total_ms, seed)
        async with aclosing(reviewer.look_back(make)) as found:
            async for one in found:
                decision = judged_to_message(one.judged, one.by_hand)
                decision.analysis.CopyFrom(analysis_to_message(one.judged.analysis, one.by_hand, request.max_candidates))
                yield pb.ReviewGameResponse(decision=await self._named(request, decision))
                if self._tables.stopping:
                    raise closing("ask the next one")
        summary = await self._named(request, review_to_message(reviewer.course, mistakes))
        yield pb.ReviewGameResponse(summary=summary)

    async def ExplainBotMove(self, request: pb.ExplainBotMoveRequest, context: Context) -> pb.ExplainBotMoveResponse:
        """The search of a bot at a finished table, done again."""
        table_id, seat = names.parse_seat(request.seat, "seat")
        if request.max_candidates < 0:
            raise bad_field("max_candidates", f"{request.max_candidates} is negative")
        async with self._tables.use(table_id) as table:
            await self._tables.admit(table, seat, auth.token_of(context))
            past = bot_decision(table, seat, request.at_sequence)
        plan = past.plan(self._limits, context)
        last: Snapshot | None = None
        with self._thinker.hint((self._callers.of(context), request.seat)) as hint:
            async with aclosing(self._thinker.thoughts(hint, plan, past.search, PIECE_MS)) as thoughts:
                async for one in thoughts:
                    last = one
        assert last is not None
        answer = pb.ExplainBotMoveResponse(
            analysis=analysis_to_message(last.analysis, last.by_hand, request.max_candidates), played=past.played, bot=past.bot,
            same_search=past.searches and 0 < past.iterations <= last.analysis.iterations)
        return with_names(answer, called(table.seats)) if request.use_display_names else answer

    async def _named(self, request: AnyRequest, answer: M) -> M:
        """The answer, which calls the seats of a table as the request wishes."""
        if not request.use_display_names or not request.seat:
            return answer
        async with self._tables.use(names.parse_seat(request.seat, "seat")[0]) as table:
            return with_names(answer, called(table.seats))

    async def _think(self, request: Request, context: Context, piece_ms: float) -> AsyncGenerator[Snapshot, None]:
        """What is known after each piece of thinking, the last one final. Raises ApiError."""
        plan = self._plan(request, context, self._limits.default_time_ms)
        with self._thinker.hint(self._claims(request, context)) as hint:
            make = await self._searcher(request, context)
            async with aclosing(self._thinker.thoughts(hint, plan, make, piece_ms)) as thoughts:
                async for one in thoughts:
                    yield one

    # ---- The request ----

    def _claims(self, request: AnyRequest, context: Context) -> Claims:
        """On whose account it is thought."""
        return self._callers.of(context), request.seat if request.WhichOneof("subject") == "seat" else "position"

    def _plan(self, request: AnyRequest, context: Context, default_ms: int) -> Plan:
        """The budget within what the service allows. Raises ApiError."""
        if request.max_candidates < 0:
            raise bad_field("max_candidates", f"{request.max_candidates} is negative")
        return plan_of(request.budget, self._limits, context, default_ms)

    async def _searcher(self, request: Request, context: Context) -> Make:
        """What makes the search. Raises ApiError."""
        seed = _seed_of(request)

        def search(world: State, seat: int) -> tuple[Search, Mapping[int, Touch]]:
            return Search(world, seat, seed=seed, only=_looked_at(request, world.legal_actions(seat))), touches(world, seat)

        match request.WhichOneof("subject"):
            case "seat":
                world, seat = await self._world_of_seat(request.seat, request.at_sequence, auth.token_of(context), seed)
                return lambda: search(world, seat)
            case "position":
                if request.at_sequence:
                    raise bad_field("at_sequence", "a position has no later events; leave out those that came after the moment")
                game, seat = positions.check(request.position)
                return lambda: search(positions.world_of(game, seat, positions.events_of(game, request.position), seed), seat)
            case _:
                raise _no_subject()

    async def _history(self, request: pb.ReviewGameRequest, context: Context, seed: int) -> Callable[[StopFlag], Review]:
        """What reads the history of a review, in a worker's thread. Raises ApiError."""
        match request.WhichOneof("subject"):
            case "seat":
                table_id, seat = names.parse_seat(request.seat, "seat")
                async with self._tables.use(table_id) as table:
                    await self._tables.admit(table, seat, auth.token_of(context))
                    game, events = table.game, table.state.events(seat)
                return lambda stop: Review(game, seat, events, seed=seed)
            case "position":
                game, seat = positions.check(request.position)
                return lambda stop: positions.review_of(game, seat, positions.events_of(game, request.position), seed, stop)
            case _:
                raise _no_subject()

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
                raise positions.game_over()
            if seat not in table.state.pending:
                raise positions.not_asked(seat)
            return table.state.resample_from_infostate(seat, seed), seat


def _seed_of(request: AnyRequest) -> int:
    """The seed that the caller wants, or any. Raises ApiError."""
    wished = seed_from_request(request)
    return secrets.randbits(64) if wished is None else wished


def _looked_at(request: Request, legal: Sequence[int]) -> list[int] | None:
    """The actions to look at; None: all. Raises ApiError."""
    known = set(legal)
    for field, ids in (("only_actions", request.only_actions), ("except_actions", request.except_actions)):
        for place, action in enumerate(ids):
            if action not in known:
                raise bad_field(f"{field}[{place}]", f"{action} is not among the {counted(len(legal), 'legal action')}")
    if not request.only_actions and not request.except_actions:
        return None
    wanted = (set(request.only_actions) or known).difference(request.except_actions)
    if not wanted:
        raise bad_field("except_actions", "they leave no action to look at")
    return sorted(wanted)


def _no_subject() -> ApiError:
    return bad_field("subject", "a seat or a position is needed")
