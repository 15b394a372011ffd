"""A whole game looked back on: what each decision was worth, the largest mistakes, and nothing that the seat did not know."""
from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message
from grpc import StatusCode

from figures import started
from playing import House, Player, drain_to, refused
from seatmate.ai.search import Limits
from seatmate.ai.search.review import largest_mistakes, review
from seatmate.engine.core.record import Record
from seatmate.engine.core.registry import game_spec, list_games
from seatmate.server.config import SearchLimits
from seatmate.v1 import advisor_service_pb2, analysis_pb2

pytestmark = pytest.mark.asyncio

ALL_GAMES = [spec.id for spec in list_games()]
FEW = analysis_pb2.Budget(iterations=12)

Response = advisor_service_pb2.ReviewGameResponse


async def read(stream: Any) -> tuple[list[analysis_pb2.ReviewedDecision], analysis_pb2.ReviewSummary]:
    """All decisions, and the summary, which comes last and once."""
    parts: list[Response] = [part async for part in stream]
    assert [part.WhichOneof("kind") for part in parts] == ["decision"] * (len(parts) - 1) + ["summary"]
    return [part.decision for part in parts[:-1]], parts[-1].summary


def without_times(message: Message) -> str:
    return "\n".join(line for line in str(message).splitlines() if "elapsed_ms" not in line)


async def played(house: House, game: str, seed: int, decisions: int = 10_000) -> list[Player]:
    """The players of a game played at random: to its end, or for so many decisions."""
    table = await house.table(game, seats=game_spec(game).modes[0].seats[0], seed=seed)
    players, chance = await table.claim_all(), random.Random(seed)
    while decisions and (asked := [player for player in players if (await player.legal()).actions]):
        await chance.choice(asked).act(lambda ids: chance.choice(list(ids)))
        decisions -= 1
    return players


async def told(player: Player) -> analysis_pb2.Position:
    """What a front end knows that watched the seat from the beginning."""
    record = await player.export()
    return analysis_pb2.Position(settings=record.settings, seat=player.number,
                                 events=await drain_to(player.watch(), record.events[-1].sequence))


@pytest.mark.parametrize("game", ALL_GAMES)
async def test_a_game_is_reviewed_at_the_table_and_elsewhere_alike(house: House, game: str) -> None:
    """Small games to their end."""
    player = (await played(house, game, seed=4, decisions=40))[0]
    position = await told(player)
    at_table, summary = await read(player.review(budget=FEW, seed=5, max_candidates=2, max_mistakes=3))
    elsewhere, same = await read(house.review(position, budget=FEW, seed=5, max_candidates=2, max_mistakes=3))
    assert [without_times(one) for one in at_table] == [without_times(one) for one in elsewhere]
    assert without_times(summary) == without_times(same)
    assert summary.decisions == summary.reviewed == len(at_table) and summary.seed == 5
    wrong = sorted((one for one in at_table if one.mistake), key=lambda one: -one.loss)
    assert [one.number for one in summary.mistakes] == [one.number for one in wrong[:3]]
    assert summary.mistake_count == len(wrong) and summary.total_loss == pytest.approx(sum(one.loss for one in wrong))
    answers = [event for event in position.events if event.key == "CHOICE"]
    for one in at_table:
        event = answers[one.number - 1]
        assert (one.at_sequence, one.played.action.id) == (event.sequence - 1, event.args[-1].value)
        assert len(one.analysis.candidates) == 2 and one.analysis.iterations >= 12
        assert one.mistake == (one.loss >= 0.02 and one.loss > 1.96 * one.loss_standard_error)
        assert bool(one.loss_text) == (one.loss > 0)
        assert one.compared or one.analysis.candidates[0].action == one.best.action


async def test_each_decision_gets_the_hint_of_its_moment(house: House) -> None:
    player = (await played(house, "connect_four", seed=1))[0]
    decisions, _ = await read(player.review(budget=analysis_pb2.Budget(iterations=200), seed=7))
    for one in decisions[::3]:
        hint = await player.suggest(budget=analysis_pb2.Budget(iterations=200), seed=7, at_sequence=one.at_sequence)
        assert without_times(hint) == without_times(one.analysis)
        if one.compared:
            two = await player.suggest(budget=analysis_pb2.Budget(iterations=200), seed=8, at_sequence=one.at_sequence,
                                       only_actions=[one.played.action.id, one.analysis.candidates[0].action.id])
            assert one.best == two.candidates[0]
            if one.played not in list(two.candidates):
                alone = await player.suggest(budget=analysis_pb2.Budget(iterations=200), seed=8, at_sequence=one.at_sequence,
                                             only_actions=[one.played.action.id])
                assert one.played.value == alone.candidates[0].value
    assert any(one.compared for one in decisions)


async def test_the_review_is_that_of_the_library_and_finds_a_blunder(house: House) -> None:
    """Seat 1 does not stop four in a row, though it could."""
    table = await house.table("connect_four", seed=1)
    first, second = await table.claim_all()
    for player, column in ((first, 3), (second, 0), (first, 3), (second, 0), (first, 3), (second, 6), (first, 3)):
        await player.submit(column, (await player.legal()).sequence)
    decisions, summary = await read(second.review(budget=analysis_pb2.Budget(iterations=400), seed=2))
    blunder = next(one for one in summary.mistakes if one.number == 3)
    assert (blunder.played.action.id, blunder.best.action.id) == (6, 3)
    assert blunder.loss > 0.25 and blunder.best.reasons and blunder.played.reasons and not blunder.HasField("analysis")
    state = Record.from_json((await table.export()).record).replay()
    judged = list(review(state.game, 1, state.events(1), seed=2, limits=Limits(iterations=400, nodes=200_000)))
    assert [one.loss for one in judged] == [one.loss for one in decisions]
    assert [one.decision.number for one in largest_mistakes(judged, 5)] == [one.number for one in summary.mistakes]


async def test_the_client_of_python_reviews(house: House) -> None:
    table = await house.client.create_table("kuhn", bots={1: "heuristic"})
    seat = await table.claim(0)
    async for turn in seat.turns():
        await turn.act(turn.actions[0])
    parts = [part async for part in seat.review(time_ms=5, seed=1)]
    assert parts[-1].summary.reviewed == len(parts) - 1 > 0 and parts[-1].summary.seed == 1


async def test_a_seat_that_still_plays_is_reviewed_with_its_token_alone(house: House) -> None:
    players = await played(house, "hyde", seed=3, decisions=12)
    decisions, summary = await read(players[0].review(budget=FEW))
    assert decisions and summary.reviewed == len(decisions)
    async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
        await Player(house.client, players[0].seat, players[1].token).review(budget=FEW).read()
    async with refused(StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"):
        await Player(house.client, players[0].seat, "").review(budget=FEW).read()


async def test_worlds_a_seat_could_not_tell_apart_get_the_same_review(house: House) -> None:
    """Two deals of Kuhn poker, of which seat 0 sees the same until the other folds."""
    told: dict[tuple[str, ...], set[str]] = {}
    for seed in range(12):
        table = await house.table("kuhn", seed=seed)
        first, second = await table.claim_all()
        await first.act(max)
        await second.act(min)
        record = await first.export()
        answer = [without_times(part) async for part in first.review(budget=FEW, seed=1)]
        told.setdefault(tuple(str(event) for event in record.events), set()).add("".join(answer))
    assert len(told) < 12 and all(len(answers) == 1 for answers in told.values())


async def test_what_a_review_may_take_is_bounded(tmp_path: Path) -> None:
    limits = SearchLimits(review_time_ms=30, max_review_ms=20_000)
    async with started(tmp_path, workers=2, search=limits) as (_, house):
        player = (await played(house, "connect_four", seed=1))[0]
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", "1..20000", field="total_time_ms"):
            await player.review(total_time_ms=20_001).read()
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field="max_mistakes"):
            await player.review(max_mistakes=101).read()
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field="budget.time_ms"):
            await player.review(budget=analysis_pb2.Budget(time_ms=10**6)).read()
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field="subject"):
            await house.client.advisor.ReviewGame(advisor_service_pb2.ReviewGameRequest()).read()
        _, summary = await read(player.review())
        assert summary.reviewed == summary.decisions and summary.elapsed_ms < 20_000
        shared, short = await read(player.review(budget=analysis_pb2.Budget(time_ms=5_000), total_time_ms=60))
        assert short.reviewed == len(shared) and short.elapsed_ms < 5_000


async def test_reviews_leave_room_for_hints_and_end_with_their_caller(tmp_path: Path) -> None:
    async with started(tmp_path, workers=1, queue=2) as (server, house):
        player = (await played(house, "hyde", seed=2, decisions=40))[0]
        long = analysis_pb2.Budget(time_ms=60_000)
        reviews = [player.review(budget=long) for _ in range(6)]
        reading = [asyncio.ensure_future(one.read()) for one in reviews]
        await asyncio.sleep(0.5)
        position = (await played(house, "kuhn", seed=1, decisions=0))[0]
        assert (await position.suggest(budget=analysis_pb2.Budget(time_ms=50), timeout=20)).iterations
        for one in reviews:
            one.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
        for _ in range(200):
            if not server._pool.running:
                break
            await asyncio.sleep(0.05)
        assert not server._pool.running and not server._pool._hints
