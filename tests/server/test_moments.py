"""`at_sequence`: what an observer saw, could do and would have been told right after one of its events."""
from __future__ import annotations

import random
from typing import Any

import pytest
from google.protobuf.message import Message
from grpc import StatusCode

from playing import Player, TableAt, play_on, refused
from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.registry import list_games, new_game
from seatmate.server import mappers
from seatmate.v1 import analysis_pb2, observation_pb2
from seatmate.v1.table_pb2 import ACCESS_OPEN

pytestmark = pytest.mark.asyncio

ALL = [spec.id for spec in list_games()]
BRIEF = analysis_pb2.Budget(iterations=20)


async def record(seen: dict[tuple[str, int], Message], table: TableAt, players: list[Player]) -> None:
    """What everybody sees and may do now, by name and sequence."""
    public = await table.observe()
    seen[table.name, public.sequence] = public
    for player in players:
        own = await player.observe()
        seen[player.seat, own.sequence] = own
        seen[f"{player.seat} may", own.sequence] = await player.legal()


async def past(seen: dict[tuple[str, int], Message], table: TableAt, players: list[Player]) -> dict[tuple[str, int], Message]:
    """The same moments, asked for afterwards."""
    by_name: dict[str, Any] = {table.name: table.observe}
    for player in players:
        by_name.update({player.seat: player.observe, f"{player.seat} may": player.legal})
    return {(name, sequence): await by_name[name](sequence) for name, sequence in seen}


@pytest.mark.parametrize("game", ALL)
async def test_a_moment_looks_later_as_it_looked_live(house, game):
    table = await house.table(game, seed=8)
    players = await table.claim_all()
    draw = random.Random(4)
    seen: dict[tuple[str, int], Message] = {}
    await record(seen, table, players)
    for _ in range(12):
        await play_on(players, decisions=2, choose=lambda ids: draw.choice(list(ids)))
        await record(seen, table, players)
    again = await past(seen, table, players)
    assert [key for key in seen if again[key] != seen[key]] == []


async def test_after_the_end_everybody_may_look_at_every_seat_of_an_open_table(house):
    table = await house.table("hyde", seats=2, seed=5, access=ACCESS_OPEN)
    players = await table.claim_all()
    seen: dict[tuple[str, int], Message] = {}
    while await play_on(players, decisions=9) == 9:
        await record(seen, table, players)
    await record(seen, table, players)
    strangers = [Player(player.client, player.seat, token) for player, token in zip(players, ("", "wrong"), strict=True)]
    assert await past(seen, table, strangers) == seen
    assert [seen[name, sequence].HasField("result") for name, sequence in seen if "may" not in name].count(True) == 3
    then = next(sequence for (name, sequence), legal in seen.items() if name == f"{strangers[0].seat} may" and legal.actions)
    assert (await strangers[0].suggest(budget=BRIEF, at_sequence=then)).candidates
    async with refused(StatusCode.FAILED_PRECONDITION, "GAME_OVER"):
        await strangers[0].suggest(budget=BRIEF)
    assert (await strangers[1].export()).complete


@pytest.mark.parametrize("token", ["", "other"])
async def test_while_it_is_played_nobody_looks_at_another_seat(house, token):
    table = await house.table("kuhn")
    players = await table.claim_all()
    stranger = Player(players[0].client, players[0].seat, token and players[1].token)
    refusal = (StatusCode.PERMISSION_DENIED, "WRONG_TOKEN") if token else (StatusCode.UNAUTHENTICATED, "TOKEN_MISSING")
    for call in (stranger.observe, stranger.legal, lambda at: stranger.suggest(budget=BRIEF, at_sequence=at),
                 lambda at: stranger.analyze(budget=BRIEF, at_sequence=at).read()):
        for at in (1, 99, -1):
            async with refused(*refusal):
                await call(at)


async def test_moments_that_never_were(house):
    table = await house.table("kuhn")
    player, other = await table.claim_all()
    last = (await player.observe()).sequence
    for at in (-1, last + 1, 2**62):
        for call in (table.observe, player.observe, player.legal, lambda at: player.suggest(budget=BRIEF, at_sequence=at)):
            async with refused(StatusCode.OUT_OF_RANGE, "FUTURE_SEQUENCE", "at_sequence", str(at), "1.."):
                await call(at)
    async with refused(StatusCode.FAILED_PRECONDITION, "SEAT_NOT_ASKED", "event 1"):
        await player.suggest(budget=BRIEF, at_sequence=1)
    async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field="at_sequence"):
        await house.suggest(analysis_pb2.Position(), at_sequence=3)
    assert not (await other.legal(1)).actions


async def test_a_hint_for_an_earlier_decision_is_about_that_decision(house):
    table = await house.table("hyde", seats=2, seed=2)
    players = await table.claim_all()
    asked = players[(await table.get()).asked[0]]
    first, live = await asked.legal(), await asked.suggest(budget=BRIEF, seed=1)
    await play_on(players, decisions=6)
    assert (await asked.observe()).sequence > first.sequence
    hint = await asked.suggest(budget=BRIEF, at_sequence=first.sequence, seed=1)
    assert {one.action.id for one in hint.candidates} == {action.id for action in first.actions}
    hint.elapsed_ms = live.elapsed_ms
    assert hint == live
    stream = asked.analyze(budget=BRIEF, at_sequence=first.sequence, seed=1)
    assert (await stream.read()).analysis.prompt == first.prompt


@pytest.mark.parametrize("game", ALL)
async def test_every_event_has_a_view_that_can_be_drawn(game):
    """Between two decisions, too, where a view is halfway."""
    world, draw = new_game(game).new_state(6), random.Random(6)
    while not world.is_over and len(world.actions) < 60:
        seat = world.pending[0]
        world.apply_action(seat, draw.choice(world.legal_actions(seat)))
    for observer in (0, SPECTATORS):
        view = world.game.new_view(observer)
        for event in world.events(observer)[:400]:
            view.feed([event])
            seen = view.snapshot()
            assert world.game.scene(seen, observer).zones
            mappers.fill(world.game, seen, observation_pb2.Observation())
