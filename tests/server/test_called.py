"""Seats by the names of who sits there, whatever a name holds; and seeds for languages without whole numbers of 64 bits."""
from __future__ import annotations

import json
import random
import re
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest

from playing import House, Player, TableAt, refused
from seatmate.server.called import called, with_names
from seatmate.server.rows import SeatRow
from seatmate.v1 import advisor_service_pb2, analysis_pb2, event_pb2, settings_pb2
from seatmate.v1 import table_service_pb2 as pb


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


@pytest.mark.asyncio
async def test_every_call_that_has_texts_can_say_names(house: House) -> None:
    me = await speaks_of_others(house)
    tables, advisor, auth = house.client.tables, house.client.advisor, me.auth

    async def first(stream: object) -> object:
        step = await stream.read()
        stream.cancel()
        return step

    budget = analysis_pb2.Budget(iterations=50)
    calls: dict[str, Callable[..., Awaitable[Any]]] = {
        "observation": lambda **more: tables.GetObservation(pb.GetObservationRequest(observer=me.seat, **more), metadata=auth),
        "legal": lambda **more: tables.ListLegalActions(pb.ListLegalActionsRequest(seat=me.seat, **more), metadata=auth),
        "record": lambda **more: tables.ExportRecord(pb.ExportRecordRequest(observer=me.seat, **more), metadata=auth),
        "watch": lambda **more: first(tables.WatchTable(pb.WatchTableRequest(observer=me.seat, include_observation=True, **more),
                                                        metadata=auth)),
        "hint": lambda **more: advisor.SuggestActions(advisor_service_pb2.SuggestActionsRequest(
            seat=me.seat, budget=budget, seed=1, **more), metadata=auth),
        "analysis": lambda **more: first(advisor.Analyze(advisor_service_pb2.AnalyzeRequest(
            seat=me.seat, budget=budget, seed=1, **more), metadata=auth)),
    }
    sitting = ("Ada", "Seat 0 (seat 1)", "Cy")
    for what, call in calls.items():
        plain, named = await call(), await call(use_display_names=True)
        for message in (plain, named):
            if what in ("hint", "analysis"):
                message.analysis.ClearField("elapsed_ms")
        assert plain != named, what
        assert with_names(plain, sitting) == named, what
    told = [event.text for event in (await calls["watch"](use_display_names=True)).events if event.text]
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
async def test_seeds_as_text(house: House) -> None:
    tables, seed = house.client.tables, 2**64 - 1
    settings = settings_pb2.GameSettings(game="games/kuhn")

    async def create(**seeds: object) -> pb.CreateTableResponse:
        return await tables.CreateTable(pb.CreateTableRequest(settings=settings, **seeds))

    made = await create(seed_text=str(seed))
    table = TableAt(house.client, made.table.name, made.table_token)
    await table.fill({0: "random", 1: "random"})
    await table.finished()
    assert json.loads((await table.export()).record)["seed"] == str(seed)
    await create(seed_text="7", seed=7)
    for text in (str(2**64), "-1", "1.0", "0x10", "\u0661", "9" * 5000):
        async with refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field="seed_text"):
            await create(seed_text=text)
    async with refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD", "is not the seed, 8", field="seed_text"):
        await create(seed_text="7", seed=8)
    other = await house.table("kuhn")
    player = await asked(await other.claim_all())
    analysis = await player.suggest(seed_text=str(seed), budget=analysis_pb2.Budget(iterations=5))
    assert (analysis.seed, analysis.seed_text) == (seed, str(seed))
