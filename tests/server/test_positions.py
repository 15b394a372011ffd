"""Positions of tables run elsewhere: they get what the table itself would have got, and are told where they are bad."""
from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from google.rpc import error_details_pb2
from grpc import StatusCode

from figures import started
from playing import House, Player, drain_to, refused
from seatmate.client import read_detail
from seatmate.engine.core.registry import game_spec, list_games
from seatmate.v1 import analysis_pb2
from web import ADVISOR, Failure, call

pytestmark = pytest.mark.asyncio

BUDGET = analysis_pb2.Budget(iterations=40)
ALL_GAMES = [spec.id for spec in list_games()]


async def told(player: Player) -> analysis_pb2.Position:
    """What a front end knows that has watched the seat from the beginning."""
    record = await player.export()
    return analysis_pb2.Position(settings=record.settings, seat=player.number,
                                 events=await drain_to(player.watch(), record.events[-1].sequence))


async def middle_of_a_game(house: House, game: str, decisions: int, seed: int) -> tuple[list[Player], Player]:
    """After so many answers at random, or half of them where the game was over by then: all players, and one who is asked."""
    table = await house.table(game, seats=game_spec(game).modes[0].seats[-1], seed=seed)
    players, chance = await table.claim_all(), random.Random(seed)
    for left in reversed(range(decisions + 1)):
        asked = [player for player in players if (await player.legal()).actions]
        if not asked:
            return await middle_of_a_game(house, game, decisions // 2, seed)
        player = chance.choice(asked)
        if left:
            await player.act(lambda ids: chance.choice(list(ids)))
    return players, player


@pytest.mark.parametrize("game", ALL_GAMES)
async def test_a_position_gets_the_same_hint_as_the_table_bit_for_bit(house: House, game: str) -> None:
    for decisions in (0, 1, 6, 25):
        _, player = await middle_of_a_game(house, game, decisions, seed=decisions)
        position, legal = await told(player), [action.id for action in (await player.legal()).actions]
        for more in ({}, {"except_actions": legal[:1]}, {"only_actions": legal[-2:]}):
            if "except_actions" in more and len(legal) == 1:
                continue
            at_table = await player.suggest(budget=BUDGET, seed=12, **more)
            elsewhere = (await house.suggest(position, budget=BUDGET, seed=12, **more)).analysis
            at_table.elapsed_ms = elsewhere.elapsed_ms = 0
            assert at_table == elsewhere, (decisions, more)
            wanted = set(more.get("only_actions", legal)) - set(more.get("except_actions", ()))
            assert {one.action.id for one in at_table.candidates} == wanted


async def test_actions_to_look_at_are_legal_and_some_are_left(house: House) -> None:
    players, player = await middle_of_a_game(house, "connect_four", 0, seed=1)
    position = await told(player)
    for fields, field in (({"only_actions": [1, 99]}, "only_actions[1]"), ({"except_actions": [-1]}, "except_actions[0]"),
                          ({"except_actions": range(7)}, "except_actions"),
                          ({"only_actions": [2, 3], "except_actions": [3, 2]}, "except_actions")):
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field=field):
            await player.suggest(budget=BUDGET, **fields)
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field=field):
            await house.suggest(position, budget=BUDGET, **fields)
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field=field):
            await player.analyze(budget=BUDGET, **fields).read()
    both = await player.suggest(budget=BUDGET, only_actions=[2, 2, 3, 6], except_actions=[6])
    assert {one.action.id for one in both.candidates} == {2, 3}
    alone = await player.suggest(budget=BUDGET, only_actions=[0])
    assert [one.visits for one in alone.candidates] == [40]
    steps = [step async for step in player.analyze(budget=BUDGET, seed=4, only_actions=[5, 1])]
    assert {one.action.id for one in steps[-1].analysis.candidates} == {1, 5}
    await players[0].act()
    after = await player.suggest(budget=BUDGET, at_sequence=position.events[-1].sequence, only_actions=[0])
    assert [one.action.id for one in after.candidates] == [0], "at a moment past its own actions count"


@pytest.mark.parametrize("game", ALL_GAMES)
async def test_the_first_bad_event_is_named(house: House, game: str) -> None:
    _, player = await middle_of_a_game(house, game, 12, seed=3)
    position = await told(player)
    needed = {key: len(kind.args) - kind.optional for key, kind in game_spec(game).kinds().items()}
    places = [place for place, event in enumerate(position.events) if needed[event.key]]
    bad = places[len(places) // 2]
    del position.events[bad].args[:]
    for asking in (house.suggest(position, budget=BUDGET), house.review(position, budget=BUDGET).read()):
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_POSITION", f"sequence {bad + 1}, {position.events[bad].key}",
                           field=f"position.events[{bad}]") as caught:
            await asking
        info = error_details_pb2.ErrorInfo()
        assert read_detail(caught.value, info)
        assert 0 <= int(info.metadata["possible_to"]) <= bad < int(info.metadata["impossible_from"])


async def test_a_review_of_no_time_refuses_what_a_hint_does_not_see(house: House) -> None:
    """A choice that is told twice and changes nothing at the end."""
    _, player = await middle_of_a_game(house, "connect_four", 8, seed=3)
    position = await told(player)
    place = next(place for place, event in enumerate(position.events) if event.key == "CHOICE")
    events = [*position.events[:place + 1], *position.events[place:]]
    del position.events[:]
    for number, event in enumerate(events, start=1):
        position.events.add().CopyFrom(event)
        position.events[-1].sequence = number
    assert (await house.suggest(position, budget=BUDGET)).analysis.candidates
    async with refused(StatusCode.INVALID_ARGUMENT, "BAD_POSITION", field=f"position.events[{place}]"):      # one of the two
        await house.review(position, total_time_ms=1).read()
    good = await told(player)
    assert [step.HasField("summary") async for step in house.review(good, total_time_ms=1)][-1]


NO_REQUESTS = {
    "null": "request is null, not an object",
    "[]": "request is a list, not an object",
    "[1]": "request is a list, not an object",
    '""': "request is text, not an object",
    "7": "request is a number, not an object",
    "true": "request is true or false, not an object",
    '{"position": []}': "request.position is a list, not an object",
    '{"position": "seat"}': "request.position is text, not an object",
    '{"position": {"events": {}}}': "request.position.events is an object, not a list",
    '{"position": {"events": [{}, []]}}': "request.position.events[1] is a list, not an object",
    '{"position": {"events": [{"args": [{"value": {}}]}]}}': "request.position.events[0].args[0].value is an object, not a number",
    '{"position": {"settings": {"options": {"ranks": null}}}}': "request.position.settings.options.ranks is null, not an object",
    '{"position": {"settings": {"options": {"a": {"ids": []}}}}}':
        "request.position.settings.options.a.ids is a list, not an object",
    '{"position": {"settings": {"game": 1}}}': "request.position.settings.game is a number, not text",
    '{"position": {"seat": "first"}}': "request.position.seat is 'first', not a whole number",
    '{"position": {"seat": true}}': "request.position.seat is true or false, not a number",
    '{"position": {"seat": ' + "1" * 5000 + "}}": "the request has a number of 5000 digits",
    '{"seat": "a", "seat": "b"}': "the request has 'seat' twice in one object",
    '{"seat": "\\ud800"}': "request.seat has half a character",
    "[" * 50_000: "the request is nested too deeply",
}
"""JSON that is no request of SuggestActions, and what is said of it."""


async def test_json_that_is_no_position_is_refused_in_a_sentence(tmp_path: Path) -> None:
    async with started(tmp_path) as (server, _):
        for text, sentence in NO_REQUESTS.items():
            with pytest.raises(Failure) as failed:
                await asyncio.to_thread(call, server.address, f"{ADVISOR}SuggestActions", text.encode(), "json")
            assert (failed.value.reason, failed.value.message) == ("BROKEN_MESSAGE", sentence)
