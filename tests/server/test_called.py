"""Seats by the names of who sits there, whatever a name holds; and seeds for languages without whole numbers of 64 bits."""
from __future__ import annotations

import json
import random
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest

from figures import started
from playing import House, Player, TableAt, refused
from seatmate.server.called import called, with_names
from seatmate.server.rows import SeatRow
from seatmate.v1 import (
    admin_service_pb2,
    advisor_service_pb2,
    analysis_pb2,
    catalog_service_pb2,
    event_pb2,
    settings_pb2,
    table_pb2,
    tournament_service_pb2,
)
from seatmate.v1 import table_service_pb2 as pb
from seatmate.v1.tournament_service_pb2_grpc import TournamentServiceStub


def names(*given: str) -> tuple[str, ...]:
    return called(SeatRow(seat=seat, holder="player", display_name=name) for seat, name in enumerate(given))


@pytest.mark.parametrize(("given", "text"), [
    (("Ada", "Bob"), "Ada gives Bob a card; 2 seats 1"),
    (("Ada", ""), "Ada gives seat 1 a card; 2 seats 1"),
    (("seat 1", "Bob"), "seat 1 (seat 0) gives Bob a card; 2 seats 1"),
    (("ADA", "Ada "), "ADA (seat 0) gives Ada (seat 1) a card; 2 seats 1"),
    (("SEAT 1", "seat-0"), "SEAT 1 (seat 0) gives seat-0 (seat 1) a card; 2 seats 1"),
    (("Ｓｅａｔ　１", "Sea 1"), "Ｓｅａｔ　１ (seat 0) gives Sea 1 a card; 2 seats 1"),
    (("Ada", "Ａda"), "Ada (seat 0) gives Ａda (seat 1) a card; 2 seats 1"),
    (("{seat:1}", "\\g<0>\\1"), "{seat:1} (seat 0) gives \\g<0>\\1 a card; 2 seats 1"),
])
def test_a_name_is_put_once_and_not_looked_into(given: tuple[str, ...], text: str) -> None:
    event = event_pb2.Event(text="Seat 0 gives seat 1 a card; 2 seats 1", template="{seat:0} gives", key="Seat 0")
    filled = with_names(pb.WatchTableResponse(events=[event]), names(*given))
    assert [(one.text, one.template, one.key) for one in filled.events] == [(text, "{seat:0} gives", "Seat 0")]


async def asked(players: list[Player]) -> Player:
    for player in players:
        if (await player.legal()).actions:
            return player
    raise AssertionError("the game is over")


async def speaks_of_others(house: House) -> Player:
    """Somebody who is asked something about another seat."""
    table = await house.table("monster_chase", seats=3, seed=3)
    chance = random.Random(3)
    players = [await table.claim(seat, display_name=name) for seat, name in enumerate(("Ada", "Seat 0", "Cy"))]
    while "eat " not in str((await (player := await asked(players)).legal()).actions):
        await player.act(lambda ids: chance.choice([*ids]))
    return player


def requests_with(field: str) -> set[str]:
    """The calls of all services whose request has this field."""
    return {method.name for module in (catalog_service_pb2, pb, advisor_service_pb2, tournament_service_pb2, admin_service_pb2)
            for service in module.DESCRIPTOR.services_by_name.values() for method in service.methods
            if field in method.input_type.fields_by_name}


async def first(stream: Any) -> Any:
    step = await stream.read()
    stream.cancel()
    return step


async def whole(stream: Any) -> list[Any]:
    return [step async for step in stream]


def without_times(messages: Any) -> list[Any]:
    """The messages of an answer, without how long it took."""
    out = messages if isinstance(messages, list) else [messages]
    for message in out:
        part = message
        if isinstance(message, advisor_service_pb2.ReviewGameResponse):
            part = message.summary if message.HasField("summary") else message.decision
        if "elapsed_ms" in part.DESCRIPTOR.fields_by_name:
            part.ClearField("elapsed_ms")
        elif "analysis" in part.DESCRIPTOR.fields_by_name:
            part.analysis.ClearField("elapsed_ms")
    return out


async def explained(house: House) -> tuple[str, int]:
    """A bot's seat of a finished game, and a decision of it that was about another seat."""
    table = await house.table("monster_chase", seats=3, seed=3, access=table_pb2.ACCESS_OPEN,
                              bots=dict.fromkeys(range(3), "heuristic"))
    await table.finished()
    for seat in range(3):
        player = Player(house.client, f"{table.name}/seats/{seat}", "")
        for event in (await player.export()).events:
            if event.key == "CHOICE" and re.search(r"[Ss]eat \d", str((await player.legal(event.sequence - 1)).actions)):
                return player.seat, event.sequence - 1
    raise AssertionError("no bot was asked about another seat")


@pytest.mark.asyncio
async def test_every_call_that_has_texts_can_say_names(house: House) -> None:
    me = await speaks_of_others(house)
    bots_seat, at = await explained(house)
    tables, advisor, auth = house.client.tables, house.client.advisor, me.auth
    budget = analysis_pb2.Budget(iterations=50)
    calls: dict[str, Callable[..., Awaitable[Any]]] = {
        "GetObservation": lambda **more: tables.GetObservation(pb.GetObservationRequest(observer=me.seat, **more), metadata=auth),
        "ListLegalActions": lambda **more: tables.ListLegalActions(pb.ListLegalActionsRequest(seat=me.seat, **more), metadata=auth),
        "ExportRecord": lambda **more: tables.ExportRecord(pb.ExportRecordRequest(observer=me.seat, **more), metadata=auth),
        "WatchTable": lambda **more: first(tables.WatchTable(pb.WatchTableRequest(
            observer=me.seat, include_observation=True, **more), metadata=auth)),
        "SuggestActions": lambda **more: advisor.SuggestActions(advisor_service_pb2.SuggestActionsRequest(
            seat=me.seat, budget=budget, seed=1, **more), metadata=auth),
        "Analyze": lambda **more: first(advisor.Analyze(advisor_service_pb2.AnalyzeRequest(
            seat=me.seat, budget=budget, seed=1, **more), metadata=auth)),
        "ReviewGame": lambda **more: whole(advisor.ReviewGame(advisor_service_pb2.ReviewGameRequest(
            seat=me.seat, budget=budget, seed=1, **more), metadata=auth)),
        "ExplainBotMove": lambda **more: advisor.ExplainBotMove(advisor_service_pb2.ExplainBotMoveRequest(
            seat=bots_seat, at_sequence=at, **more)),
    }
    assert {*calls, "SubmitAction"} == requests_with("use_display_names")
    sitting = ("Ada", "Seat 0 (seat 1)", "Cy")
    for what, call in calls.items():
        plain, named = without_times(await call()), without_times(await call(use_display_names=True))
        assert plain != named, what
        if what != "ExplainBotMove":
            assert [with_names(message, sitting) for message in plain] == named, what
        else:
            assert "heuristic (seat " in str(named)
    told = [event.text for event in (await calls["WatchTable"](use_display_names=True)).events if event.text]
    assert any(name in text for text in told for name in sitting)
    assert not any(re.search(r"\b[Ss]eat \d\b", text.replace("Seat 0 (seat 1)", "")) for text in told)
    legal = await me.legal()
    request = pb.SubmitActionRequest(seat=me.seat, action_id=legal.actions[0].id, expected_sequence=legal.sequence,
                                     use_display_names=True)
    answer = await tables.SubmitAction(request, metadata=auth)
    since = [event async for step in _steps(me, legal.sequence) for event in step.events][:len(answer.events)]
    assert list(answer.events) == [with_names(event, sitting) for event in since]


async def _steps(player: Player, since: int) -> object:
    stream = player.watch(since)
    yield await stream.read()
    stream.cancel()


@pytest.mark.asyncio
async def test_whoever_takes_a_seat_over_is_named_from_then_on(house: House) -> None:
    table = await house.table("kuhn", seed=1)
    first, second = await table.claim(0, display_name="Ada"), await table.claim(1, display_name="Bob")
    await (first if (await first.legal()).actions else second).act()

    async def texts() -> str:
        stream = table.watch(use_display_names=True)
        step = await stream.read()
        stream.cancel()
        return " ".join(event.text for event in step.events)

    before = await texts()
    assert "Ada" in before or "Bob" in before
    for player, name in ((first, "Eve"), (second, "Fay")):
        await player.leave()
        await table.claim(player.number, display_name=name)
    after = await texts()
    assert after == before.replace("Ada", "Eve").replace("Bob", "Fay") != before


@pytest.mark.asyncio
async def test_seeds_as_text(tmp_path: Path) -> None:
    seed, settings, budget = 2**64 - 1, settings_pb2.GameSettings(game="games/kuhn"), analysis_pb2.Budget(iterations=5)
    async with started(tmp_path, workers=1, tournaments=tmp_path / "kept") as (_, house):
        player = await asked(await (await house.table("kuhn")).claim_all())

        async def made(**seeds: Any) -> str:
            answer = await house.client.tables.CreateTable(pb.CreateTableRequest(settings=settings, **seeds))
            table = TableAt(house.client, answer.table.name, answer.table_token)
            await table.fill({0: "random", 1: "random"})
            await table.finished()
            return str(json.loads((await table.export()).record)["seed"])

        async def advised(**seeds: Any) -> str:
            return (await player.suggest(budget=budget, **seeds)).seed_text

        async def analysed(**seeds: Any) -> str:
            return str((await first(player.analyze(budget=budget, **seeds))).analysis.seed_text)

        async def reviewed(**seeds: Any) -> str:
            return str((await whole(player.review(budget=budget, **seeds)))[-1].summary.seed_text)

        async def played(**seeds: Any) -> str:
            stub = TournamentServiceStub(house.client.channel)
            answer = await stub.CreateTournament(tournament_service_pb2.CreateTournamentRequest(
                settings=settings, bots=["random", "random"], deals=2, **seeds))
            return str(answer.tournament.seed_text)

        calls = {"CreateTable": made, "SuggestActions": advised, "Analyze": analysed, "ReviewGame": reviewed,
                 "CreateTournament": played}
        assert set(calls) == requests_with("seed_text")
        for call in calls.values():
            assert await call(seed_text=str(seed)) == await call(seed=seed, seed_text=str(seed)) == str(seed)
            for text in (str(2**64), "-1", "1.0", "0x10", "\u0661", "9" * 5000):
                async with refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field="seed_text"):
                    await call(seed_text=text)
            async with refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD", "is not the seed, 8", field="seed_text"):
                await call(seed_text="7", seed=8)
