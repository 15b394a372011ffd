"""WatchTable and ExportRecord: an observer's events, all of them, once, and nobody else's."""
from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
from grpc import StatusCode

from playing import GAMES, Player, TableAt, drain, play_on, refused
from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.record import Record
from seatmate.server import table_service
from seatmate.server.convert import events_to_messages
from seatmate.v1 import event_pb2
from seatmate.v1 import table_service_pb2 as pb

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("game", GAMES)
async def test_every_observer_gets_its_own_events_in_order_and_no_others(house, game):
    table = await house.table(game, seats=2)
    players = await table.claim_all()
    streams = [asyncio.create_task(drain(player.watch())) for player in players]
    public = asyncio.create_task(drain(table.watch()))
    await play_on(players)
    seen = [await stream for stream in streams]
    state = await table.finished()
    for seat, events in enumerate(seen):
        assert events == events_to_messages(state, state.events(seat), seat)
    assert await public == events_to_messages(state, state.events(SPECTATORS), SPECTATORS)
    assert seen[0] != seen[1]


@pytest.mark.parametrize("game", GAMES)
async def test_a_stream_can_be_taken_up_after_any_event(house, game):
    table = await house.table(game, seats=2, seed=5)
    players = await table.claim_all()
    await play_on(players)
    everything = await drain(players[0].watch())
    for since in {0, 1, len(everything) // 2, len(everything) - 1, len(everything)}:
        assert await drain(players[0].watch(since)) == everything[since:]


async def test_a_broken_stream_is_resumed_while_the_game_goes_on(house):
    table = await house.table("hyde", seats=2, bots={1: "random"}, pace_ms=2)
    player = await table.claim(0)
    events: list[event_pb2.Event] = []

    async def watch() -> None:
        while True:
            stream = player.watch(len(events))
            async for step in stream:
                events.extend(step.events)
                if len(events) % 3 == 0:
                    stream.cancel()
                    break
            else:
                return

    watching = asyncio.create_task(watch())
    for _ in range(10_000):
        legal = await player.legal()
        if legal.actions:
            await player.submit(legal.actions[0].id, legal.sequence)
        elif (await table.get()).state == 2:
            break
        else:
            await asyncio.sleep(0.002)
    await asyncio.wait_for(watching, 120)
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert events == list((await player.export()).events)


@pytest.mark.parametrize("game", GAMES)
async def test_the_observation_comes_with_the_step_that_reaches_the_present(house, game):
    table = await house.table(game, seats=2)
    players = await table.claim_all()
    stream = players[1].watch(include_observation=True)
    for _ in range(2 if game == "kuhn" else 20):
        step = await stream.read()
        if step.HasField("observation"):
            assert step.observation.sequence == step.events[-1].sequence
            assert step.observation == await players[1].observe()
        await play_on(players, decisions=1)
    stream.cancel()


@pytest.mark.parametrize("game", ["hyde", "mythos", "liars_dice"])
async def test_what_streams_have_told_serves_calls_of_the_same_observer_and_of_nobody_else(house, game, monkeypatch):
    """Where all are watched, by number and by name, calls are answered as at the same table where nobody watches."""
    served: Counter[tuple[int, str, bool]] = Counter()

    def count(table: Any, request: Any, observer: int, part: str) -> Any:
        found = real(table, request, observer, part)
        served[observer, part, request.use_display_names] += found is not None
        return found

    real = table_service._told
    monkeypatch.setattr(table_service, "_told", count)
    names = ["Ann", "Bob"]
    alone, watched = [await house.table(game, seats=2, seed=5) for _ in range(2)]
    sitting = {table.name: [await table.claim(seat, display_name=name) for seat, name in enumerate(names)]
               for table in (alone, watched)}
    observers = (*sitting[watched.name], watched)
    heard: dict[tuple[int, bool], int] = {}

    async def follow(number: int, by_name: bool) -> None:
        async for step in observers[number].watch(include_observation=True, include_actions=True, use_display_names=by_name):
            heard[number, by_name] = step.events[-1].sequence

    watching = [asyncio.create_task(follow(number, by_name)) for number in range(3) for by_name in (False, True)]
    for _ in range(6):
        present = [(await one.observe()).sequence for one in observers]
        async with asyncio.timeout(20):
            while heard != {(number, by_name): present[number] for number in range(3) for by_name in (False, True)}:
                await asyncio.sleep(0.01)
        assert await answers(watched, sitting[watched.name]) == await answers(alone, sitting[alone.name])
        for table in (alone, watched):
            await play_on(sitting[table.name], decisions=1)
    for task in watching:
        task.cancel()
    for by_name in (False, True):
        assert served[SPECTATORS, "observation", by_name]
        assert all(served[seat, part, by_name] for seat in (0, 1) for part in ("observation", "legal"))


async def answers(table: TableAt, players: list[Player]) -> list[str]:
    """To GetObservation and ListLegalActions, of every observer, by number and by name; without the table's own name."""
    tables, found = table.client.tables, []
    for by_name in (False, True):
        found.append(await tables.GetObservation(pb.GetObservationRequest(observer=table.name, use_display_names=by_name),
                                                 metadata=table.auth))
        for player in players:
            found.append(await tables.GetObservation(pb.GetObservationRequest(
                observer=player.seat, use_display_names=by_name), metadata=player.auth))
            found.append(await tables.ListLegalActions(pb.ListLegalActionsRequest(
                seat=player.seat, use_display_names=by_name), metadata=player.auth))
    return [str(answer).replace(table.name, "tables/x") for answer in found]


async def test_a_future_sequence_is_out_of_range(house):
    table = await house.table("kuhn")
    for since in (99, -1):
        async with refused(StatusCode.OUT_OF_RANGE, "FUTURE_SEQUENCE", str(since)):
            await drain(table.watch(since))


async def test_who_leaves_a_seat_stops_seeing_it(house):
    table = await house.table("kuhn")
    first, _ = await table.claim_all()
    stream = first.watch()
    await stream.read()
    await first.leave()
    async with refused(StatusCode.PERMISSION_DENIED, "SEAT_LOST"):
        await drain(stream)


async def test_before_the_end_a_record_holds_only_what_the_observer_saw(house):
    table = await house.table("kuhn", seed=1)
    players = await table.claim_all()
    await play_on(players, decisions=1)
    own, public = await players[0].export(), await table.export()
    assert not own.complete
    assert not own.record
    assert [event.key for event in own.events if event.key in ("CARD", "CHOICE")] == ["CARD", "CHOICE"]
    assert not [event for event in public.events if event.key in ("CARD", "CHOICE")]
    async with refused(StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"):
        await house.client.tables.ExportRecord(pb.ExportRecordRequest(observer=players[0].seat))


@pytest.mark.parametrize("game", GAMES)
async def test_after_the_end_the_record_replays_to_the_same_game(house, game):
    table = await house.table(game, seats=2, seed=21)
    players = await table.claim_all()
    await play_on(players, choose=max)
    answer = await table.export()
    assert answer.complete
    state = Record.from_json(answer.record).replay()
    assert state.seed == 21
    assert list(answer.events) == events_to_messages(state, state.events(SPECTATORS), SPECTATORS)
    assert answer.settings == (await table.get()).settings
