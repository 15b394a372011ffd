"""TournamentService: bots against each other for callers, beside the tables."""
from __future__ import annotations

import asyncio
import functools
import secrets
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any, cast

import grpc.aio

from seatmate.ai.arena import (
    FORMATS,
    PERMUTATIONS,
    REPORT_KINDS,
    EarlyEnd,
    Format,
    Permutations,
    Sprt,
    TournamentError,
    TournamentSpec,
)
from seatmate.ai.arena.ratings import anchor_index
from seatmate.ai.arena.report import start_sprt
from seatmate.ai.arena.tournament import check_amounts
from seatmate.engine.core.errors import unlisted
from seatmate.engine.core.game import Game
from seatmate.server import auth, names, pages
from seatmate.server.bots_runner import BotChecker
from seatmate.server.callers import Callers
from seatmate.server.config import ServerConfig
from seatmate.server.convert import game_from_request, seed_from_request
from seatmate.server.errors import bad_field
from seatmate.server.repeats import Repeats
from seatmate.server.tournaments import Tournament, Tournaments
from seatmate.v1 import tournament_service_pb2 as pb
from seatmate.v1 import tournament_service_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]

MAX_BOTS = 16
ERROR_CHANCE = 0.05
_SCOPE = "tournaments"


class TournamentService(tournament_service_pb2_grpc.TournamentServiceServicer):
    """Tournaments on this server."""

    def __init__(self, tournaments: Tournaments, config: ServerConfig, callers: Callers) -> None:
        self._tournaments = tournaments
        self._callers = callers
        self._most_games = config.tournament_games
        self._bots = BotChecker(config.search)
        self._repeats = Repeats()

    async def CreateTournament(self, request: pb.CreateTournamentRequest, context: Context) -> pb.CreateTournamentResponse:
        """Make a tournament."""
        known = auth.token_of(context)

        async def create() -> pb.CreateTournamentResponse:
            if known is not None:
                self._tournaments.of_owner(known)
            job, games = await asyncio.to_thread(self._job, request)
            token = known or auth.new_token()
            made = await self._tournaments.create(
                names.new_tournament_id(request.request_id or None), owner=auth.hash_token(token).hex(),
                caller=self._callers.of(context), games=games, job=job)
            return pb.CreateTournamentResponse(tournament=_to_message(made), owner_token="" if known else token)

        return await self._repeats.once(request, known, create)

    async def GetTournament(self, request: pb.GetTournamentRequest, context: Context) -> pb.Tournament:
        """One tournament."""
        return _to_message(self._find(request, context))

    async def ListTournaments(self, request: pb.ListTournamentsRequest, context: Context) -> pb.ListTournamentsResponse:
        """Those of the token's owner."""
        count = pages.page_size(request.page_size)
        after = pages.read_token(request.page_token, _SCOPE, (int, str))
        found = [one for one in self._tournaments.of_owner(auth.token_of(context))
                 if after is None or [one.created_us, one.id] < after]
        answer = pb.ListTournamentsResponse(tournaments=map(_to_message, found[:count]))
        if len(found) > count:
            answer.next_page_token = pages.make_token(_SCOPE, [found[count - 1].created_us, found[count - 1].id])
        return answer

    async def WatchTournament(self, request: pb.WatchTournamentRequest,
                              context: Context) -> AsyncIterator[pb.WatchTournamentResponse]:
        """How far it is, until it is over."""
        one = self._find(request, context)
        while True:
            changed, is_over = one.changed, one.is_over     # while the message is on its way it may end
            yield pb.WatchTournamentResponse(tournament=_to_message(one))
            if is_over:
                return
            await self._tournaments.next_change(changed)

    async def CancelTournament(self, request: pb.CancelTournamentRequest, context: Context) -> pb.Tournament:
        """End it."""
        one = self._find(request, context)
        await self._tournaments.cancel(one)
        return _to_message(one)

    async def GetTournamentReport(self, request: pb.GetTournamentReportRequest,
                                  context: Context) -> pb.GetTournamentReportResponse:
        """What it says of its bots."""
        one = self._find(request, context)
        kind = request.format or "json"
        if kind not in REPORT_KINDS:
            raise bad_field("format", unlisted(kind, REPORT_KINDS))
        return pb.GetTournamentReportResponse(text=await self._tournaments.report(one, kind))

    def _find(self, request: pb.GetTournamentRequest | pb.WatchTournamentRequest | pb.CancelTournamentRequest
              | pb.GetTournamentReportRequest, context: Context) -> Tournament:
        return self._tournaments.find(names.parse_tournament(request.name), auth.token_of(context))

    # ---- The request ----

    def _job(self, request: pb.CreateTournamentRequest) -> tuple[dict[str, Any], int]:
        """Arguments of `run_tournament`, and the games on all deals. Raises ApiError."""
        game = game_from_request(request.settings, "settings")
        settings = game.settings.to_json()
        if not 1 <= len(request.bots) <= MAX_BOTS:
            raise bad_field("bots", f"{len(request.bots)} bots; 1 to {MAX_BOTS} are possible")
        bots = [self._bots.check(bot, f"bots[{number}]") for number, bot in enumerate(request.bots)]
        seatings, who_meets = request.seatings or "auto", request.format or "round-robin"
        if seatings not in PERMUTATIONS:
            raise bad_field("seatings", unlisted(seatings, PERMUTATIONS))
        if who_meets not in FORMATS:
            raise bad_field("format", unlisted(who_meets, FORMATS))
        if request.challengers and who_meets != "gauntlet":
            raise bad_field("challengers", "they belong to the format 'gauntlet'")
        early = _early(request, game)
        seed = seed_from_request(request)
        job = {"game": settings["game"], "seats": settings["seats"], "mode": settings["mode"], "options": settings["options"],
               "pack": request.settings.pack or None, "bots": bots, "deals": request.deals, "seatings": seatings,
               "seed": secrets.randbits(63) if seed is None else seed, "ratings": request.ratings,
               "format": who_meets, "challengers": request.challengers or 1, "teams": [list(team.seats) for team in request.teams],
               "early": None if early is None else early.to_json(), "values": request.values}
        said = "teams" if request.teams else "challengers" if request.challengers else (
            "bots" if who_meets == "round-robin" else "format")     # the others alone were found right before
        spec = _checked(said, lambda: TournamentSpec.create(
            job["game"], seats=job["seats"], bots=bots, seed=job["seed"], mode=job["mode"], options=job["options"],
            pack=job["pack"], permutations=cast(Permutations, seatings), format=cast(Format, who_meets),
            challengers=job["challengers"], teams=job["teams"], early=early))
        _checked("deals", lambda: check_amounts(request.deals, None))
        games = request.deals * len(spec.lineups)
        if games > self._most_games:
            raise bad_field("deals", f"{request.deals:,} deals of {len(spec.lineups):,} games; this service plays at most "
                            f"{self._most_games:,} games of a tournament")
        if (request.ratings or request.anchor) and len(bots) < 2:
            raise bad_field("ratings", "they compare bots; at least two are needed")
        if request.anchor and not request.ratings:
            raise bad_field("anchor", "it belongs to ratings, which are not asked for")
        anchor = None
        if request.anchor:
            anchor = request.anchor if request.anchor in spec.labels else self._bots.check(request.anchor, "anchor")
            _checked("anchor", lambda: anchor_index(anchor, spec.labels))
        sprt = _checked("sequential_test", lambda: _sprt(request)) if request.HasField("sequential_test") else None
        if sprt is not None:
            _checked("sequential_test", lambda: start_sprt(spec, sprt))
        return {**job, "anchor": anchor, "sprt": None if sprt is None else asdict(sprt)}, games


def _checked(field: str, work: Any) -> Any:
    """What `work` returns. Raises ApiError that names the field where it raises TournamentError."""
    try:
        return work()
    except TournamentError as error:
        raise bad_field(field, str(error)) from None


def _early(request: pb.CreateTournamentRequest, game: Game) -> EarlyEnd | None:
    """The rules for decided games, each checked by itself. Raises ApiError."""
    bounds = {}
    if request.HasField("adjudicate"):
        bounds["adjudicate"] = request.adjudicate.estimate, request.adjudicate.decisions
    if request.HasField("resign"):
        bounds["resign"] = request.resign.estimate, request.resign.decisions
    for name, bound in bounds.items():
        _checked(name, functools.partial(EarlyEnd(**{name: bound}).check, game))
    return EarlyEnd(**bounds) if bounds else None


def _sprt(request: pb.CreateTournamentRequest) -> Sprt:
    """Raises TournamentError, ApiError."""
    test = request.sequential_test
    chances = [chance or ERROR_CHANCE for chance in (test.alpha, test.beta)]
    match test.WhichOneof("hypotheses"):
        case "elo":
            return Sprt.from_elo(test.elo.low, test.elo.high, *chances)
        case "difference":
            return Sprt.from_difference(test.difference.low, test.difference.high, *chances)
        case _:
            raise TournamentError("it needs two hypotheses, as elo or as difference")


def _to_message(one: Tournament) -> pb.Tournament:
    message = pb.Tournament(
        name=names.tournament_name(one.id), state=f"TOURNAMENT_STATE_{one.state.upper()}",    # type: ignore[arg-type]
        game_total=one.games, games_played=one.progress.get("games", 0), bots=one.job["bots"], seed_text=str(one.job["seed"]),
        mean=one.progress.get("mean", 0.0), ci95=one.progress.get("ci95"), llr=one.progress.get("llr"), failure=one.failure)
    message.create_time.FromMicroseconds(one.created_us)
    return message
