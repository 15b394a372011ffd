"""CatalogService, health and reflection."""
from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from seatmate.ai.bots import parse_bot
from seatmate.engine.core.packs import provenance
from seatmate.engine.core.registry import list_games
from seatmate.server.service import SERVICES
from seatmate.v1 import catalog_service_pb2 as pb

pytestmark = pytest.mark.asyncio


async def test_games_are_listed_page_by_page(house):
    ids = [f"games/{spec.id}" for spec in list_games()]
    whole = await house.client.catalog.ListGames(pb.ListGamesRequest())
    assert [game.name for game in whole.games] == ids
    seen, token = [], ""
    for _ in ids:
        page = await house.client.catalog.ListGames(pb.ListGamesRequest(page_size=1, page_token=token))
        seen += [game.name for game in page.games]
        token = page.next_page_token
    assert (seen, token) == (ids, "")


async def test_a_game_says_all_a_front_end_needs(house):
    for spec in list_games():
        game = await house.client.catalog.GetGame(pb.GetGameRequest(name=f"games/{spec.id}"))
        assert (game.title, game.rules_version) == (spec.title, spec.rules_version)
        assert [mode.key for mode in game.modes] == [mode.key for mode in spec.modes]
        assert all(mode.seat_counts for mode in game.modes)
        assert [prompt.key for prompt in game.prompts] == [prompt.key for prompt in spec.prompts]
        assert all(prompt.public_key and prompt.question for prompt in game.prompts)
        assert [option.key for option in game.options] == [option.key for option in spec.options]
        assert all(option.default_value.WhichOneof("kind") for option in game.options)
        assert all(option.title and option.value_titles.keys() == {*option.choices, *option.ids} for option in game.options)
        assert [pack.name for pack in game.packs] == list(spec.packs)
        assert all(pack.hash and pack.title and pack.version for pack in game.packs)
        assert [event.key for event in game.event_types][:3] == ["CHOICE", "ASK", "BUSY"]


async def test_a_pack_says_where_its_components_come_from(house):
    found = 0
    for spec in list_games():
        game = await house.client.catalog.GetGame(pb.GetGameRequest(name=f"games/{spec.id}"))
        for pack in game.packs:
            assert spec.load_pack is not None
            loaded = spec.load_pack(pack.name)
            assert {source.source: source.component_count for source in pack.sources} == provenance(loaded)
            assert (pack.hash, pack.title, pack.version) == (loaded.hash, loaded.content.pack.title, loaded.version)
            assert pack.notes == (loaded.content.pack.notes or "")
            assert sum(source.component_count for source in pack.sources) > 10
            found += 1
    assert found >= 2
    listed = await house.client.catalog.ListGames(pb.ListGamesRequest())
    assert all(pack == pb.ContentPack(name=pack.name) for game in listed.games for pack in game.packs)


async def test_every_listed_bot_can_be_written(house):
    bots = (await house.client.catalog.ListBots(pb.ListBotsRequest())).bots
    assert {"bots/random", "bots/heuristic", "bots/search"} <= {bot.name for bot in bots}
    for bot in bots:
        assert parse_bot(bot.name.removeprefix("bots/"))
        assert bot.title
        assert bot.summary
    search = next(bot for bot in bots if bot.name == "bots/search")
    assert {"iterations", "time_ms", "memory_mb", "depth", "threads"} <= {parameter.key for parameter in search.parameters}


async def test_every_service_is_healthy(house):
    health: Any = health_pb2_grpc.HealthStub(house.client.channel)
    for service in ("", *SERVICES):
        answer = await health.Check(health_pb2.HealthCheckRequest(service=service))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_reflection_names_the_services_and_gives_their_files(house):
    reflection: Any = reflection_pb2_grpc.ServerReflectionStub(house.client.channel)
    requests = [reflection_pb2.ServerReflectionRequest(list_services=""),
                reflection_pb2.ServerReflectionRequest(file_containing_symbol="seatmate.v1.TableService")]
    answers = [answer async for answer in reflection.ServerReflectionInfo(iter(requests))]
    assert set(SERVICES) <= {service.name for service in answers[0].list_services_response.service}
    files = [FileDescriptorProto.FromString(data) for data in answers[1].file_descriptor_response.file_descriptor_proto]
    assert "seatmate/v1/table_service.proto" in {file.name for file in files}
