"""Secret simultaneous choices over gRPC: any order, no trace of one before the reveal, and bots wait for nobody."""
from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import random
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import grpc
import pytest

from playing import House, Player, TableAt, sent_with
from seatmate.client import connect
from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import list_games, new_game
from seatmate.server import table_service
from seatmate.server.config import Pacing, ServerConfig
from seatmate.server.service import running_server
from seatmate.v1 import analysis_pb2, table_pb2
from seatmate.v1 import table_service_pb2 as pb

pytestmark = pytest.mark.asyncio


@dataclass(frozen=True)
class Opening:
    """A game and the first decisions that lead to a question for several seats at once."""

    game: str
    mode: str
    seats: int
    prompt: str
    actions: tuple[tuple[int, int], ...]
    seed: int = 5


def openings() -> list[Opening]:
    """Of every game and mode: the first time each such question is asked in some random games."""
    found: dict[tuple[str, str, str], Opening] = {}
    for spec in list_games():
        for mode in spec.modes:
            game, chance = new_game(spec.id, mode=mode.key, seats=mode.seats[-1]), random.Random(1)
            for seed in (5, 6, 7):
                state = game.new_state(seed)
                for _ in range(150):
                    if state.is_over:
                        break
                    if len(state.pending) > 1:
                        prompt = state.prompt(state.pending[0]) or ""
                        found.setdefault((spec.id, mode.key, prompt), Opening(
                            spec.id, mode.key, game.seats, prompt, tuple(state.actions), seed))
                    seat = chance.choice(state.pending)
                    state.apply_action(seat, chance.choice(state.legal_actions(seat)))
    return list(found.values())


OPENINGS = openings()
assert {"goofspiel", "hundred_days", "mythos", "titans"} <= {opening.game for opening in OPENINGS}


async def reach(house: House, opening: Opening) -> tuple[TableAt, list[Player], State]:
    """A table of people there, and the same position here."""
    state = new_game(opening.game, mode=opening.mode, seats=opening.seats).new_state(opening.seed)
    table = await house.table(opening.game, mode=opening.mode, seats=opening.seats, seed=opening.seed,
                              access=table_pb2.ACCESS_OPEN)
    players = await table.claim_all()
    for seat, action in opening.actions:
        await players[seat].submit(action, state.sequence(seat))
        state.apply_action(seat, action)
    return table.as_seen_with(""), players, state


async def everything(house: House, table: TableAt, players: list[Player], but: int) -> list[str]:
    """All that the other seats, spectators and strangers can be told, in words; of errors too."""
    client, said, secret = house.client, [], players[but]
    wrong = Player(client, secret.seat, players[but - 1].token)
    calls: list[Callable[[], Awaitable[Any]]] = [
        table.get, table.export, lambda: client.tables.ListTables(pb.ListTablesRequest()), wrong.observe, wrong.legal,
        lambda: wrong.submit(0, 1), lambda: client.tables.GetObservation(pb.GetObservationRequest(observer=table.name)),
        lambda: table.watch(since=10_000).read(), lambda: table.claim(but)]
    for player in players:
        if player is not secret:
            sequence = (await player.observe()).sequence
            calls += [player.observe, player.legal, player.export, functools.partial(player.submit, 99_999, sequence),
                      functools.partial(player.submit, 0, sequence + 1), functools.partial(player.submit, 0, sequence - 1),
                      functools.partial(player.suggest, budget=analysis_pb2.Budget(iterations=20), seed=3)]
    for call in calls:
        try:
            message = await call()
            if isinstance(message, analysis_pb2.Analysis):
                message.elapsed_ms = 0
            said.append(str(message))
        except grpc.aio.AioRpcError as error:
            said.append(f"{error.code()} {error.details()} {sent_with(error)}")
    return said


@pytest.mark.parametrize("opening", OPENINGS, ids=lambda one: f"{one.game}-{one.mode}-{one.prompt}")
async def test_nobody_else_sees_anything_before_the_reveal(house, opening):
    """Every answer to everybody else is the same, byte for byte, before and after a choice that is not the last."""
    table, players, state = await reach(house, opening)
    streams = {player.number: player.watch(since=state.sequence(player.number)) for player in players}
    spectators = table.watch(since=state.sequence(SPECTATORS))
    reads = {SPECTATORS: asyncio.ensure_future(spectators.read()), **{
        seat: asyncio.ensure_future(stream.read()) for seat, stream in streams.items()}}
    order = list(state.pending)
    random.Random(opening.game).shuffle(order)
    for seat in order[:-1]:
        before = await everything(house, table, players, seat)
        while seat in state.pending and _unseen(state, seat):
            legal = await players[seat].legal()
            await players[seat].submit(max(state.legal_actions(seat)), legal.sequence)
            state.apply_action(seat, max(state.legal_actions(seat)))
        assert await everything(house, table, players, seat) == before
        told = {observer for observer, read in reads.items() if read.done()}
        assert told <= set(order[:order.index(seat) + 1]), "a stream told somebody else"
    public = state.sequence(SPECTATORS)
    while state.sequence(SPECTATORS) == public:
        action = max(state.legal_actions(order[-1]))
        await players[order[-1]].submit(action, state.sequence(order[-1]))
        state.apply_action(order[-1], action)
    step = await asyncio.wait_for(reads[SPECTATORS], 20)
    assert [event.sequence for event in step.events][-1] == state.sequence(SPECTATORS)
    for read in reads.values():
        read.cancel()


def _pending(message: Any, table: Any) -> None:
    message.asked[:] = table.state.pending


def _count(message: Any, table: Any) -> None:
    message.sequence = len(table.steps)


LEAKS = {"who has answered": _pending, "how many have answered": _count}


@pytest.mark.parametrize("leak", LEAKS)
async def test_a_leak_is_noticed(house, monkeypatch, leak):
    honest = table_service.table_to_message

    def leaky(table: Any) -> Any:
        message = honest(table)
        LEAKS[leak](message, table)
        return message

    monkeypatch.setattr(table_service, "table_to_message", leaky)
    with pytest.raises(AssertionError):
        await test_nobody_else_sees_anything_before_the_reveal(house, next(one for one in OPENINGS if one.game == "goofspiel"))


def _unseen(state: State, seat: int) -> bool:
    """Does nobody see the seat's next answer?"""
    after = state.clone()
    after.apply_action(seat, max(state.legal_actions(seat)))
    return after.observation_key(SPECTATORS) == state.observation_key(SPECTATORS)


QUESTIONS = {"goofspiel": 1, "hundred_days": 2}
"""Of one secret choice."""


@pytest.mark.parametrize("game", QUESTIONS)
async def test_seats_answer_in_any_order_with_one_result(house, game):
    records = []
    for order in itertools.permutations(range(3)):
        table = await house.table(game, seats=3, seed=4)
        players = await table.claim_all()
        for seat in order:
            assert list((await table.get()).asked) == [0, 1, 2], "who has answered is a secret"
            for _ in range(QUESTIONS[game]):
                legal = await players[seat].legal()
                await players[seat].submit(legal.actions[seat].id, legal.sequence)
        records.append([(event.key, *(arg.value for arg in event.args)) for event in (await table.export()).events])
    assert all(record == records[0] for record in records)


@pytest.mark.parametrize("game", QUESTIONS)
async def test_bots_choose_without_waiting_for_people(tmp_path, game):
    """Their choices are on disk before a person has answered, and nobody is told."""
    database = tmp_path / "t.sqlite3"
    config = ServerConfig(address="127.0.0.1:0", database=str(database), pacing=Pacing(answer_ms=1))
    state = new_game(game, seats=3).new_state(9)
    async with running_server(config) as address, connect(address) as client:
        table = await House(client, address).table(game, seats=3, seed=9)
        player = await table.claim(0)
        await table.fill({1: "heuristic", 2: "search:iterations=5"})
        read = asyncio.ensure_future(player.watch(since=state.sequence(0)).read())
        with contextlib.closing(sqlite3.connect(database)) as db:
            async with asyncio.timeout(30):
                while db.execute("select count(*) from actions").fetchone() != (2 * QUESTIONS[game],):
                    await asyncio.sleep(0.01)
        assert (await table.get()).sequence == state.sequence(SPECTATORS)
        assert list((await table.get()).asked) == [0, 1, 2]
        assert (await player.observe()).sequence == state.sequence(0)
        assert not read.done()
        for _ in range(QUESTIONS[game]):
            legal = await player.legal()
            answer = await player.submit(legal.actions[0].id, legal.sequence)
        assert "BUSY" in [event.key for event in answer.events], "the person's answer is the last, and shows all"
        read.cancel()
