"""What one caller hears is the same in all worlds it can't tell apart: of every call, in every game, with every kind of token.

The worlds are put into a running server: each is sampled from what a seat knows, in place of the true one. Bytes are compared.
"""
from __future__ import annotations

import asyncio
import hashlib
import itertools
import logging
import random
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from figures import scrape, started
from played_tournaments import played
from playing import House, Player, TableAt, sent_with
from seatmate.client import bearer
from seatmate.engine.core.game import SPECTATORS, Game, State
from seatmate.engine.core.registry import game_spec, list_games
from seatmate.server import auth
from seatmate.server.advisor_service import AdvisorService
from seatmate.server.catalog_service import CatalogService
from seatmate.server.config import Pacing
from seatmate.server.service import _DESCRIPTORS, Server
from seatmate.server.table_service import TableService
from seatmate.server.tournament_service import TournamentService
from seatmate.v1 import advisor_service_pb2, analysis_pb2, catalog_service_pb2, settings_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb
from seatmate.v1 import tournament_service_pb2 as tpb
from wrappers import WrappedState

pytestmark = pytest.mark.asyncio

METHODS = {f"{service.name}.{method.name}": method
           for service in (*_DESCRIPTORS, *tpb.DESCRIPTOR.services_by_name.values()) for method in service.methods}
SERVICES = {"TableService": TableService, "AdvisorService": AdvisorService, "CatalogService": CatalogService,
            "TournamentService": TournamentService}
PLAYED: dict[str, dict[str, Any]] = {       # settings with which something is hidden from the beginning
    "monster_chase": {"mode": "race"}, "hyde": {"options": {"outcasts": "random"}, "seats": 2},
    "titans": {"options": {"team0": "robin+raven", "team1": "cyborg+starfire"}}, "hanabi": {"seats": 3}}
DECISIONS = {"kuhn": 1, "leduc": 2, "liars_dice": 1, "goofspiel": 5, "monster_chase": 5, "hanabi": 2}
OPEN = {"connect_four", "tic_tac_toe"}
"""Games in which nothing is hidden: their worlds are one."""
CONFIG: dict[str, Any] = {"workers": 1, "web": False, "wrong_tokens": 0, "pacing": Pacing(answer_ms=None)}
ORGANIZER, OTHER_ORGANIZER = "organizer" * 5, "organiser" * 5
"""Tokens of the owners of two tournaments."""
TOURNAMENT_SEED = 6_917_529_027_641_081_856
UNFINISHED = "Zanzibar-deal"
WORLDS = 3
BUDGET = analysis_pb2.Budget(iterations=30)


@dataclass
class Scene:
    """A table some way into its game, and who comes to it."""

    server: Server
    house: House
    table: TableAt
    players: list[Player]
    other: Player       # of another table
    tournament: str     # the organizer's, which is over

    def of(self, seat: int) -> Player:
        return self.players[seat]

    @property
    def live(self) -> Any:
        return self.server._tables._live[self.table.name.removeprefix("tables/")]


@dataclass(frozen=True)
class Caller:
    """Somebody whose calls are heard: `seat` is the one whose worlds these are."""

    name: str
    token: str
    seat: int
    scene: Scene = field(repr=False)

    @property
    def own(self) -> str:
        return self.scene.of(self.seat).seat

    @property
    def theirs(self) -> str:
        return self.scene.of((self.seat + 1) % len(self.scene.players)).seat

    @property
    def sequence(self) -> int:
        return int(self.scene.live.state.sequence(self.seat))


class Unwrapping:
    """The game, for states that are wrapped."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._game, name)
        if not callable(found):
            return found
        return lambda *values, **more: found(*(getattr(value, "wrapped", value) for value in values), **more)


class World(WrappedState):
    """What could be behind what the seat has seen: all else is another, also what other seats have seen."""

    def __init__(self, truth: State, wrapped: State, seat: int, number: int) -> None:
        super().__init__(Unwrapping(truth.game), wrapped)
        self._truth, self._seat, self._number = truth, seat, number

    def events(self, observer: int, since: int = 0) -> list[Any]:
        seen = self._truth.events(observer, since)
        return seen if observer in (self._seat, SPECTATORS) else seen[self._number:]

    def sequence(self, observer: int) -> int:
        return self._truth.sequence(observer) - (self._number if observer not in (self._seat, SPECTATORS) else 0)

    def resample_from_infostate(self, seat: int, seed: int) -> Any:
        return self.wrapped.resample_from_infostate(seat, seed)


def settings(caller: Caller) -> settings_pb2.GameSettings:
    return settings_pb2.GameSettings(game=f"games/{caller.scene.live.game.spec.id}")


def observers(caller: Caller, make: Callable[[str], Message]) -> list[Message]:
    return [make(name) for name in (caller.scene.table.name, caller.own, caller.theirs)]


ROWS: dict[str, Callable[[Caller], list[Message]]] = {      # the requests of each call; none of them changes the table
    "CatalogService.ListGames": lambda _: [catalog_service_pb2.ListGamesRequest(page_size=1)],
    "CatalogService.GetGame": lambda c: [catalog_service_pb2.GetGameRequest(name=settings(c).game)],
    "CatalogService.ListFaces": lambda c: [catalog_service_pb2.ListFacesRequest(settings=settings(c))],
    "CatalogService.GetPreview": lambda c: [catalog_service_pb2.GetPreviewRequest(settings=settings(c))],
    "CatalogService.ListBots": lambda _: [catalog_service_pb2.ListBotsRequest()],
    "TableService.CreateTable": lambda c: [pb.CreateTableRequest(settings=settings_pb2.GameSettings(game=c.own))],
    "TableService.GetTable": lambda c: [pb.GetTableRequest(name=c.scene.table.name)],
    "TableService.ListTables": lambda _: [pb.ListTablesRequest()],
    "TableService.WatchTables": lambda _: [pb.WatchTablesRequest()],
    "TableService.DeleteTable": lambda c: [] if c.name == "owner" else [pb.DeleteTableRequest(name=c.scene.table.name)],
    "TableService.ClaimSeat": lambda c: [pb.ClaimSeatRequest(name=name) for name in (c.own, c.theirs)],
    "TableService.LeaveSeat": lambda c: [pb.LeaveSeatRequest(name=c.theirs)] if c.name != "owner" else [
        pb.LeaveSeatRequest(name=c.theirs, bot="none")],
    "TableService.ResignSeat": lambda c: [pb.ResignSeatRequest(name=c.theirs)],
    "TableService.TakeBack": lambda c: [pb.TakeBackRequest(seat=name) for name in (c.own, c.theirs)],
    "TableService.Rematch": lambda c: [pb.RematchRequest(name=c.scene.table.name)],
    "TableService.FillSeats": lambda c: [pb.FillSeatsRequest(name=c.scene.table.name, bots=[
        table_pb2.SeatPlan(seat=0, bot="random")])],
    "TableService.GetObservation": lambda c: [
        *observers(c, lambda name: pb.GetObservationRequest(observer=name)),
        *(pb.GetObservationRequest(observer=c.own, at_sequence=at) for at in (1, c.sequence // 2, c.sequence, c.sequence + 1))],
    "TableService.ListLegalActions": lambda c: [
        *(pb.ListLegalActionsRequest(seat=name) for name in (c.own, c.theirs)),
        *(pb.ListLegalActionsRequest(seat=c.own, at_sequence=at) for at in (1, c.sequence // 2, c.sequence))],
    "TableService.SubmitAction": lambda c: [
        pb.SubmitActionRequest(seat=name, action_id=action, expected_sequence=c.sequence + shift)
        for name, action, shift in ((c.own, 99_999, 0), (c.own, 0, 5), (c.own, 0, -1), (c.theirs, 99_999, 0), (c.theirs, 0, 1))],
    "TableService.WatchTable": lambda c: [
        *observers(c, lambda name: pb.WatchTableRequest(observer=name, include_observation=True, include_actions=True)),
        pb.WatchTableRequest(observer=c.own, include_table=True, since_sequence=c.sequence)],
    "TableService.ExportRecord": lambda c: observers(c, lambda name: pb.ExportRecordRequest(observer=name)),
    "AdvisorService.SuggestActions": lambda c: [advisor_service_pb2.SuggestActionsRequest(seat=name, budget=BUDGET, seed=7)
                                                for name in (c.own, c.theirs)],
    "AdvisorService.Analyze": lambda c: [advisor_service_pb2.AnalyzeRequest(seat=name, budget=BUDGET, seed=7)
                                         for name in (c.own, c.theirs)],
    "AdvisorService.ExplainBotMove": lambda c: [advisor_service_pb2.ExplainBotMoveRequest(seat=name, at_sequence=at)
                                                for name in (c.own, c.theirs) for at in (1, c.sequence)],
    "AdvisorService.ReviewGame": lambda c: [advisor_service_pb2.ReviewGameRequest(seat=name, budget=BUDGET, seed=7)
                                            for name in (c.own, c.theirs)],
    "TournamentService.CreateTournament": lambda c: [tpb.CreateTournamentRequest(settings=settings(c), bots=["random"])],
    "TournamentService.GetTournament": lambda c: [tpb.GetTournamentRequest(name=c.scene.tournament)],
    "TournamentService.ListTournaments": lambda _: [tpb.ListTournamentsRequest()],
    "TournamentService.WatchTournament": lambda c: [tpb.WatchTournamentRequest(name=c.scene.tournament)],
    "TournamentService.CancelTournament": lambda c: [tpb.CancelTournamentRequest(name=c.scene.tournament)],
    "TournamentService.GetTournamentReport": lambda c: [tpb.GetTournamentReportRequest(name=c.scene.tournament)],
}


async def test_every_call_has_its_row() -> None:
    """A call that is new has to say here what is asked of it."""
    assert ROWS.keys() == METHODS.keys()


async def heard(scene: Scene, method: MethodDescriptor, request: Message, token: str) -> list[Any]:
    """All that comes back, byte for byte; of an analysis without its time, of a stream up to the present."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    channel, metadata = scene.house.client.channel, bearer(token) if token else None
    said: list[Any] = []
    try:
        if method.server_streaming:
            call: Any = channel.unary_stream(path)(request.SerializeToString(), metadata=metadata)
            ends = method.name == "ReviewGame"
            while (answer := await asyncio.wait_for(call.read(), 20 if ends or not said else 0.03)) is not grpc.aio.EOF:
                said.append(answer)
        else:
            said.append(await channel.unary_unary(path)(request.SerializeToString(), metadata=metadata))
    except TimeoutError:
        call.cancel()
    except grpc.aio.AioRpcError as error:
        return [error.code(), error.details(), sent_with(error)]
    return [plain(method, answer) for answer in (said[-1:] if method.name == "Analyze" else said)]


def plain(method: MethodDescriptor, answer: bytes) -> tuple[int, bytes]:
    """How long it is, and the bytes with maps in order, which is by chance, and without times."""
    message: Any = GetMessageClass(method.output_type).FromString(answer)
    if method.name == "ReviewGame":
        part = message.decision.analysis if message.WhichOneof("kind") == "decision" else message.summary
        part.elapsed_ms = 0
        return 0, message.SerializeToString(deterministic=True)
    if "analysis" in message.DESCRIPTOR.fields_by_name:
        message.analysis.elapsed_ms = 0
        return 0, message.SerializeToString(deterministic=True)
    return len(answer), message.SerializeToString(deterministic=True)


@asynccontextmanager
async def opened(tmp_path: Path, **more: Any) -> AsyncIterator[tuple[Server, House, str]]:
    """A server to be looked into, a client of it, and its organizer's tournament."""
    folder = tmp_path / "tournaments"
    name = played(folder, ORGANIZER, TOURNAMENT_SEED, UNFINISHED)
    played(folder, OTHER_ORGANIZER)
    async with started(tmp_path, tournaments=folder, **CONFIG, **more) as (server, house):
        yield server, house, name


async def scene_of(server: Server, house: House, tournament: str, game: str) -> Scene:
    wishes = PLAYED.get(game, {})
    seats = min(game_spec(game).mode(wishes.get("mode")).seats)
    table = await house.table(game, **{"seed": 20, "seats": seats, **wishes})
    other = await (await house.table("kuhn", seed=3)).claim(0)
    scene = Scene(server, house, table, await table.claim_all(), other, tournament)
    rng = random.Random(1)
    for _ in range(DECISIONS.get(game, 7)):
        player = scene.players[scene.live.state.pending[0]]
        await player.act(max if game == "hanabi" else lambda ids: rng.choice(list(ids)))      # hints end no game
    assert not scene.live.state.is_over
    return scene


def callers(scene: Scene, seat: int) -> list[Caller]:
    tokens = {"player": scene.of(seat).token, "owner": scene.table.token, "invited": scene.table.invitation,
              "of another table": scene.other.token, "nobody": "", "wrong": "wrong"}
    return [Caller(name, token, seat, scene) for name, token in tokens.items()]


def other_worlds(truth: State, seat: int) -> list[State]:
    """Worlds that are not the true one, nor each other."""
    sampled = {world.to_bytes(): world for world in (truth.resample_from_infostate(seat, number) for number in range(40))}
    sampled.pop(truth.to_bytes(), None)
    assert sampled, "nothing is hidden here"
    return list(sampled.values())[:WORLDS - 1]


async def compare(scene: Scene, seat: int, comers: Sequence[Caller], names: Iterable[str] = METHODS) -> set[str]:
    """Each caller hears the same in worlds the seat can't tell apart; returns how the calls ended that the player made."""
    live, truth = scene.live, scene.live.state
    ended: set[str] = set()
    worlds = [truth, *(World(truth, world, seat, number) for number, world in enumerate(other_worlds(truth, seat), start=1))]
    for name in names:
        for caller in comers:
            for request in ROWS[name](caller):
                answers = []
                for world in worlds if caller.name == "player" else worlds[:2]:
                    live.state = world
                    live.told.clear()
                    answers.append(await heard(scene, METHODS[name], request, caller.token))
                live.state = truth
                other = next((answer for answer in answers if answer != answers[0]), None)
                assert answers[0][0] is not grpc.StatusCode.INTERNAL, f"{name}, {caller.name}: {request}"
                assert other is None, f"{name}, {caller.name}: {request}: {answers[0]} is not {other}"
                if caller.name == "player":
                    ended.add(f"{name} {answers[0][0].name if isinstance(answers[0][0], grpc.StatusCode) else 'OK'}")
    return ended


SURE = {f"{name} OK" for name in METHODS if name.partition(".")[2] in (
    "GetTable", "GetObservation", "ListLegalActions", "WatchTable", "ExportRecord", "SuggestActions", "Analyze", "ReviewGame")}
"""What a player who is asked must have heard, or nothing was compared."""


@pytest.mark.parametrize("game", [spec.id for spec in list_games() if spec.id not in OPEN])
async def test_worlds_that_a_seat_can_not_tell_apart_sound_the_same(tmp_path: Path, game: str) -> None:
    async with opened(tmp_path) as at:
        scene = await scene_of(*at, game)
        asked = scene.live.state.pending[0]
        assert await compare(scene, asked, callers(scene, asked)) >= SURE
        other = (asked + 1) % len(scene.players)
        await compare(scene, other, callers(scene, other)[:1])


@pytest.mark.parametrize("name", METHODS)
async def test_a_call_that_tells_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Every row is worth something: an answer that is empty where the other seat's secret is odd is noticed."""
    service, _, call = name.partition(".")
    original = getattr(SERVICES[service], call)
    scenes: list[tuple[Scene, int]] = []    # and the other seat's secret in truth

    async def tell(context: Any) -> None:
        if scenes and scenes[0][0].live.state.private_key(1) != scenes[0][1]:
            await context.abort(grpc.StatusCode.ABORTED, "it is another world")

    async def answers(self: Any, request: Any, context: Any) -> Any:
        await tell(context)
        return await original(self, request, context)

    async def streams(self: Any, request: Any, context: Any) -> AsyncIterator[Any]:
        await tell(context)
        async for answer in original(self, request, context):
            yield answer

    monkeypatch.setattr(SERVICES[service], call, streams if METHODS[name].server_streaming else answers)
    async with opened(tmp_path) as at:
        scene = await scene_of(*at, "leduc")
        scenes.append((scene, scene.live.state.private_key(1)))
        with pytest.raises(AssertionError, match=name):
            await compare(scene, 0, callers(scene, 0), [name])


# ---- Planted: what is told to nobody, and what is told to few ----

@dataclass
class Planted:
    """Texts that are secret, by what they are."""

    everywhere: dict[str, str] = field(default_factory=dict)    # that nobody hears but who is given it
    of_table: dict[str, str] = field(default_factory=dict)      # that only who may see the private table hears
    of_tournament: dict[str, str] = field(default_factory=dict)     # that only its organizer hears

    def check(self, where: str, text: str, *, at_table: bool = False, organizes: bool = False) -> None:
        """For whom the text is: for who may see the table, for who organizes the tournament, or for others."""
        for what, secret in (self.everywhere | ({} if at_table else self.of_table)
                             | ({} if organizes else self.of_tournament)).items():
            assert secret not in text, f"{where} tells {what}"


async def all_answers(scene: Scene, callers_: Iterable[Caller]) -> str:
    """Everything that these callers hear."""
    said = []
    for name, method in METHODS.items():
        for caller in callers_:
            for request in ROWS[name](caller):
                for answer in await heard(scene, method, request, caller.token):
                    said.append(answer[1].decode("latin-1") if isinstance(answer, tuple) else str(answer))
    return "\n".join(said)


@pytest.mark.parametrize("game", ["kuhn", "mythos"])
async def test_what_was_planted_is_told_to_nobody(tmp_path: Path, game: str, caplog: pytest.LogCaptureFixture) -> None:
    """Tokens, seeds and ids of requests: in no answer, stream, error, log, metric or record; no token in the file. Names of people
    at a private table: in nothing that others hear, nor in logs and metrics. The seed of a tournament is its organizer's, who hears
    nothing of deals that are not over.
    """
    caplog.set_level(logging.DEBUG)
    planted = Planted(of_table={"the table's name": "Zanzibar-table", "a player's name": "Zanzibar-player"},
                      of_tournament={"its seed": str(TOURNAMENT_SEED)})
    seed = 17_293_822_569_102_704_640
    deck = ", ".join([*(f"2 KS-{card:03d}" for card in range(20, 35)), "MSS-01", "MSS-02", "MSS-03"])
    options = {"deck0": "leaf", "deck1": deck, "open_decklists": "no"} if game == "mythos" else {}
    async with opened(tmp_path, metrics_port=0) as (server, house, tournament):
        table = await house.table(game, seed=seed, display_name="Zanzibar-table", request_id="r" * 32 + "-create", options=options)
        players = [await table.claim(0, display_name="Zanzibar-player", request_id="r" * 32 + "-claim"),
                   await table.claim(1, display_name="Zanzibar-player")]
        left = await table.claim(1, token=(way_back := (await players[1].leave()).return_token))
        legal = await players[0].legal()
        await players[0].submit(legal.actions[0].id, legal.sequence, "request-of-a-move")
        other = await (await house.table("kuhn")).claim(0)
        tokens = {"the table's token": table.token, "the invitation": table.invitation, "a seat's token": players[0].token,
                  "another seat's token": left.token, "an old token": players[1].token, "the way back": way_back,
                  "an organizer's token": ORGANIZER, "another organizer's token": OTHER_ORGANIZER}
        planted.everywhere = tokens | {
            "the seed": str(seed), "the seed in hex": f"{seed:x}", "a request": "r" * 32, "a move's request": "request-of-a-move",
            "a deal that is not over": UNFINISHED}
        scene = Scene(server, house, table, [players[0], left], other, tournament)
        everybody = callers(scene, 0)
        planted.check("an answer to those inside", await all_answers(scene, everybody[:3]), at_table=True)
        planted.check("an answer to those outside", await all_answers(scene, everybody[3:]))
        organizer, colleague = (Caller("an organizer", token, 0, scene) for token in (ORGANIZER, OTHER_ORGANIZER))
        report = await all_answers(scene, [organizer])
        assert '"deals": 2' in report and str(TOURNAMENT_SEED) in report, "nothing was told of the tournament"
        planted.check("an answer to the organizer", report, organizes=True)
        planted.check("an answer to another organizer", await all_answers(scene, [colleague]))
        planted.check("the log", caplog.text + "\n".join(str(vars(record)) for record in caplog.records))
        planted.check("a metric", (await scrape(server))[1])
        if game == "mythos":
            assert "KS-0" not in caplog.text + (await scrape(server))[1]
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    for what, token in tokens.items():
        assert token.encode() not in kept, f"a file tells {what}"
    assert all(hashlib.sha256(token.encode()).digest() in kept for token in (table.token, table.invitation, left.token))


async def test_what_was_planted_is_found(tmp_path: Path) -> None:
    planted = Planted(everywhere={"a token": "abc"}, of_table={"a name": "xyz"}, of_tournament={"a seed": "123"})
    planted.check("nothing", "xy abd")
    planted.check("an answer inside", "xyz", at_table=True)
    planted.check("an answer to the organizer", "123", organizes=True)
    for text in ("xabcx", "xyz", "123"):
        with pytest.raises(AssertionError, match="the log tells"):
            planted.check("the log", text)


# ---- Tokens are compared in constant time ----

async def test_tokens_are_compared_by_compare_digest_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If it says that nothing fits nobody comes in; if it says that all fits, everybody does: there is no other comparison."""
    calls = itertools.count()
    answer: list[bool | None] = [None]
    compare_digest = auth.hmac.compare_digest

    def counted(mine: bytes, stored: bytes) -> bool:
        next(calls)
        assert len(mine) == len(stored) == 32       # hashes; else its time would tell how long they are
        return compare_digest(mine, stored) if answer[0] is None else answer[0]

    async with opened(tmp_path) as at:
        scene = await scene_of(*at, "kuhn")
        monkeypatch.setattr(auth.hmac, "compare_digest", counted)
        player, seat = scene.players[scene.live.state.pending[0]], scene.players[0]
        stranger = Player(scene.house.client, player.seat, "x" * 43)

        async def outcome(someone: Player) -> str:
            try:
                await someone.observe()
                return "in"
            except grpc.aio.AioRpcError as error:
                return error.code().name

        assert [await outcome(one) for one in (player, stranger)] == ["in", "PERMISSION_DENIED"]
        answer[0] = False
        assert [await outcome(one) for one in (player, stranger)] == ["PERMISSION_DENIED"] * 2
        answer[0] = True
        assert [await outcome(one) for one in (player, stranger)] == ["in"] * 2
        answer[0] = None
        counts = []
        for token in (scene.table.token, scene.table.invitation, seat.token, scene.players[1].token):   # first to last that fits
            before = next(calls)
            await scene.table.as_seen_with(token).get()
            counts.append(next(calls) - before)
        assert len(set(counts)) == 1, "the place of the token among those that fit can be told from the time"
