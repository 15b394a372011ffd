"""CatalogService: games and bots."""
from __future__ import annotations

import asyncio
import functools
import random
from collections.abc import Sequence
from typing import Any, TypeVar

import grpc.aio

from seatmate.ai.bots import list_bots
from seatmate.ai.levels import levels_of
from seatmate.client.messages import option_value
from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.game import SPECTATORS, Game, State
from seatmate.engine.core.packs import provenance
from seatmate.engine.core.registry import game_spec, list_games
from seatmate.engine.core.scene import Scene, Zone
from seatmate.engine.core.spec import CORE_EVENTS, GameSpec
from seatmate.server import names, pages
from seatmate.server.convert import ARGUMENT_KINDS, game_from_request, meanings, scene_to_message
from seatmate.server.errors import from_engine
from seatmate.server.games import shared_game
from seatmate.v1 import catalog_service_pb2 as pb
from seatmate.v1 import catalog_service_pb2_grpc, scene_pb2, settings_pb2

T = TypeVar("T")

PREVIEW_ANSWERS = 40
"""A picture of a game is taken at half of so many answers, or of all if it is over before."""
Context = grpc.aio.ServicerContext[Any, Any]

_KINDS = {"choice": pb.GameOption.KIND_CHOICE, "int": pb.GameOption.KIND_NUMBER, "flag": pb.GameOption.KIND_FLAG,
          "ids": pb.GameOption.KIND_IDS, "text": pb.GameOption.KIND_TEXT}


def game_to_message(spec: GameSpec, *, load_packs: bool) -> pb.Game:
    """A game with all that is fixed about it; of packs that are not loaded only the names."""
    return pb.Game(
        name=f"games/{spec.id}", title=spec.title, summary=spec.summary, rules_version=spec.rules_version,
        cooperative=spec.cooperative, max_decisions=spec.max_decisions,
        modes=[pb.GameMode(key=mode.key, title=mode.title, description=mode.doc, seat_counts=mode.seats,
                           cooperative=mode.cooperative)
               for mode in spec.modes],
        options=[pb.GameOption(key=option.key, kind=_KINDS[option.kind], description=option.doc,
                               default_value=option_value(option.default), choices=option.choices, ids=option.ids,
                               minimum=option.minimum, maximum=option.maximum, distinct=option.distinct,
                               title=option.title, value_titles=option.called())
                 for option in spec.options],
        packs=[_pack_to_message(spec.id, name) if load_packs else pb.ContentPack(name=name) for name in spec.packs],
        prompts=[pb.GamePrompt(key=prompt.key, question=prompt.question, public_key=prompt.public or prompt.key,
                               passing_action=prompt.passing)
                 for prompt in spec.prompts],
        event_types=[pb.GameEventType(key=event.key, args=event.args, bookkeeping=event.bookkeeping, arg_kinds=[
            ARGUMENT_KINDS[meaning.kind] for meaning in meanings(shared_game(spec.id))[event.key]] if load_packs else ())
                     for event in (*CORE_EVENTS, *spec.events)],
        levels=_levels_to_messages(spec.id))


def _levels_to_messages(game_id: str) -> list[pb.Level]:
    levels = levels_of(game_id)
    return [pb.Level(name=level.name, bot=f"level:{level.name}", plays=level.bot,
                     rating=level.rating and pb.Rating(value=level.rating[0], low=level.rating[1], high=level.rating[2],
                                                       unit=levels.unit))
            for level in levels.levels]


@functools.cache
def _pack_to_message(game_id: str, name: str) -> pb.ContentPack:
    spec = game_spec(game_id)
    assert spec.load_pack is not None
    pack = spec.load_pack(name)
    header = pack.content.pack
    return pb.ContentPack(
        name=name, hash=pack.hash, title=header.title, version=pack.version, notes=header.notes or "",
        sources=[pb.ContentSource(source=source, component_count=count) for source, count in provenance(pack).items()])


@functools.lru_cache(64)
def kept_faces(settings: bytes) -> pb.ListFacesResponse:
    """Of the game with these settings, a message in bytes: up to 60 ms in big games, so they are kept. Raises ApiError."""
    game = game_from_request(settings_pb2.GameSettings.FromString(settings), "settings", described=True)
    return pb.ListFacesResponse(faces=[scene_pb2.Face(key=key, **face._asdict()) for key, face in game.faces().items()],
                                glossary=game.glossary(), places=_places(game))


def _places(game: Game) -> list[scene_pb2.Zone]:
    """The zones of a random game when it has begun, at half and at its end, for everybody, in the order in which they are met;
    without things.
    """
    found: dict[str, Zone] = {}
    chance, last = random.Random(1), game.new_state(1)
    while not last.is_over:
        seat = last.pending[0]
        last.apply_action(seat, chance.choice(last.legal_actions(seat)))
    for state in (game.new_state(1), _halfway(game), last):
        for observer in (SPECTATORS, *range(game.seats)):
            for zone in game.scene(state.observation(observer), observer).zones:
                found.setdefault(zone.id, zone._replace(things=(), note=""))
    return [*scene_to_message(Scene((*found.values(),))).zones]


@functools.lru_cache(64)
def kept_preview(settings: bytes) -> pb.GetPreviewResponse:
    """Of one game with these settings, a message in bytes: up to 20 ms, so they are kept. Raises ApiError."""
    game = game_from_request(settings_pb2.GameSettings.FromString(settings), "settings")
    seen = _halfway(game).observation(SPECTATORS)
    return pb.GetPreviewResponse(scene=scene_to_message(game.scene(seen, SPECTATORS)))


def _halfway(game: Game) -> State:
    """A random game, always the same one, at half of its answers, or of those within PREVIEW_ANSWERS."""
    choices: list[tuple[int, int]] = []
    chance, whole, half = random.Random(1), game.new_state(1), game.new_state(1)
    while not whole.is_over and len(choices) < PREVIEW_ANSWERS:
        seat = whole.pending[0]
        choices.append((seat, chance.choice(whole.legal_actions(seat))))
        whole.apply_action(*choices[-1])
    for seat, action in choices[:len(choices) // 2]:
        half.apply_action(seat, action)
    return half


def _page(items: Sequence[T], key: str, size: int, token: str) -> tuple[Sequence[T], str]:
    """One page of a listing that is in memory, and the token of the next."""
    count = pages.page_size(size)
    start = (pages.read_token(token, key, (int,)) or [0])[0]
    rest = items[start:]
    return rest[:count], pages.make_token(key, [start + count]) if len(rest) > count else ""


class CatalogService(catalog_service_pb2_grpc.CatalogServiceServicer):
    """What can be played, and who plays it."""

    async def ListGames(self, request: pb.ListGamesRequest, context: Context) -> pb.ListGamesResponse:
        """All games, by id."""
        specs, token = _page(list_games(), "games", request.page_size, request.page_token)
        games = [game_to_message(spec, load_packs=False) for spec in specs]
        return pb.ListGamesResponse(games=games, next_page_token=token)

    async def GetGame(self, request: pb.GetGameRequest, context: Context) -> pb.Game:
        """One game."""
        try:
            return game_to_message(game_spec(names.parse_game(request.name)), load_packs=True)
        except SeatmateError as error:
            raise from_engine(error) from None

    async def ListFaces(self, request: pb.ListFacesRequest, context: Context) -> pb.ListFacesResponse:
        """What the things of a game show."""
        return await asyncio.to_thread(kept_faces, request.settings.SerializeToString(deterministic=True))

    async def GetPreview(self, request: pb.GetPreviewRequest, context: Context) -> pb.GetPreviewResponse:
        """What everybody sees of a game that has begun."""
        return await asyncio.to_thread(kept_preview, request.settings.SerializeToString(deterministic=True))

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        """All kinds of bots."""
        bots, token = _page(list_bots(), "bots", request.page_size, request.page_token)
        return pb.ListBotsResponse(
            bots=[pb.Bot(name=f"bots/{bot.id}", title=bot.title, summary=bot.summary,
                         parameters=[pb.BotParameter(key=one.key, description=one.doc, default_value=one.default)
                                     for one in bot.parameters])
                  for bot in bots],
            next_page_token=token)
