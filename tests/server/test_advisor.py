"""Hints: budgets, deadlines, cancels, overload, positions of other tables."""
from __future__ import annotations

import asyncio
import time

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc import StatusCode

from playing import House, play_on, refused
from seatmate.ai.search import Search
from seatmate.client import connect, read_detail
from seatmate.engine.core.registry import new_game
from seatmate.server.config import SearchLimits, ServerConfig
from seatmate.server.search_pool import Hint, QueueTimeout
from seatmate.server.service import running_server
from seatmate.server.thinking import Plan
from seatmate.v1 import advisor_service_pb2, analysis_pb2, event_pb2, settings_pb2

pytestmark = pytest.mark.asyncio
Budget = analysis_pb2.Budget

PATIENT = SearchLimits(most_margin_ms=2_000.0, margin_share=0.5)
"""Keeps so much time free before a deadline that the answer arrives though the machine stalls."""


async def test_a_hint_names_the_legal_actions_best_first(house):
    table = await house.table("kuhn")
    player = await table.claim(0)
    legal = await player.legal()
    analysis = await player.suggest(budget=Budget(iterations=500), seed=4)
    assert {c.action.id for c in analysis.candidates} == {action.id for action in legal.actions}
    assert {c.action.label for c in analysis.candidates} == {action.label for action in legal.actions}
    assert (analysis.game, analysis.seat, analysis.prompt, analysis.seed) == ("games/kuhn", 0, "ACT", 4)
    assert 500 <= analysis.iterations < 520        # Kuhn's search finishes its last simulation
    assert sum(c.visits for c in analysis.candidates) <= analysis.iterations
    assert sum(c.policy for c in analysis.candidates) == pytest.approx(1.0)
    assert sum(c.visit_share for c in analysis.candidates) == pytest.approx(1.0)
    assert sum(c.prior for c in analysis.candidates) == pytest.approx(1.0)
    for c in analysis.candidates:
        assert c.HasField("value") and 0 <= c.value <= 1
        assert 0 <= c.win_probability <= 1
        assert c.principal_variation
    assert len((await player.suggest(budget=Budget(iterations=5), max_candidates=1)).candidates) == 1


async def test_nothing_is_said_of_what_was_never_looked_at(house):
    table = await house.table("connect_four")
    player = await table.claim(0)
    candidates = (await player.suggest(budget=Budget(iterations=2))).candidates
    assert {c.visits == 0 for c in candidates} == {True, False}
    for c in candidates:
        assert c.HasField("value") == c.HasField("win_probability") == (c.visits > 0)
        assert c.visits or (c.standard_error, c.tied) == (0.5, False)
    assert candidates[0].tied


async def test_equal_seeds_and_iterations_give_equal_hints(house):
    table = await house.table("kuhn")
    player = await table.claim(0)
    first, again, other = [await player.suggest(budget=Budget(iterations=300), seed=seed) for seed in (1, 1, 2)]
    for analysis in (first, again, other):
        analysis.elapsed_ms = 0
    assert first == again
    assert first != other
    largest = await player.suggest(budget=Budget(iterations=3), seed=2**64 - 1)
    assert largest.seed == 2**64 - 1


async def test_a_hint_does_not_change_the_table(house):
    table = await house.table("kuhn")
    player = await table.claim(0)
    before = await player.export()
    await player.suggest(budget=Budget(iterations=100))
    assert await player.export() == before


async def test_hints_are_refused_in_words(house):
    table = await house.table("kuhn")
    first, second = await table.claim_all()
    async with refused(StatusCode.FAILED_PRECONDITION, "SEAT_NOT_ASKED", "seat 1"):
        await second.suggest()
    async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
        await house.of(type(first)(first.client, first.seat, second.token)).suggest()
    async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field="subject"):
        await house.client.advisor.SuggestActions(advisor_service_pb2.SuggestActionsRequest())
    for budget, field in ((Budget(iterations=10**9), "budget.iterations"), (Budget(time_ms=10**6), "budget.time_ms"),
                          (Budget(iterations=-1), "budget.iterations"), (Budget(time_ms=-1), "budget.time_ms")):
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field=field):
            await first.suggest(budget=budget)
    async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", field="interval_ms"):
        await first.analyze(interval_ms=1).read()
    await play_on([first, second])
    async with refused(StatusCode.FAILED_PRECONDITION, "GAME_OVER"):
        await first.suggest()


@pytest.mark.timing
async def test_a_time_budget_is_kept(house):
    table = await house.table("kuhn")
    player = await table.claim(0)
    await player.suggest(budget=Budget(iterations=1))
    spent: list[float] = []
    while not spent or (min(spent) >= 0.115 and len(spent) < 40):       # other programs may share the machine
        began = time.monotonic()
        analysis = await player.suggest(budget=Budget(time_ms=100))
        spent.append(time.monotonic() - began)
        assert analysis.iterations > 0 and spent[-1] >= 0.099
    assert min(spent) < 0.2


@pytest.mark.timing
async def test_the_answer_is_there_before_the_deadline(house):
    """With the time that is kept free by default, unless the machine stalls."""
    player = await (await house.table("kuhn")).claim(0)
    for attempts_left in reversed(range(20)):
        began = time.monotonic()
        try:
            analysis = await player.suggest(budget=Budget(time_ms=20_000), timeout=0.4)
        except grpc.aio.AioRpcError as error:
            assert error.code() == StatusCode.DEADLINE_EXCEEDED and attempts_left
        else:
            assert time.monotonic() - began < 20 and analysis.iterations > 0
            return


async def test_the_deadline_cuts_the_budget(tmp_path):
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), search=PATIENT)
    async with running_server(config) as address, connect(address) as client:
        player = await (await House(client, address).table("kuhn")).claim(0)
        analysis = await player.suggest(budget=Budget(time_ms=20_000), timeout=4)
        assert 100 < analysis.elapsed_ms < 4_000
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await player.suggest(budget=Budget(time_ms=20_000), timeout=0.012)
        assert caught.value.code() == StatusCode.DEADLINE_EXCEEDED


async def test_a_machine_that_stalls_for_the_whole_budget_still_gives_a_hint(house, monkeypatch):
    player = await (await house.table("kuhn")).claim(0)

    def slow_search(*arguments, **options):
        time.sleep(0.05)
        return Search(*arguments, **options)

    monkeypatch.setattr("seatmate.server.advisor_service.Search", slow_search)
    assert (await player.suggest(budget=Budget(time_ms=10))).iterations == 1


async def test_analyze_streams_improving_snapshots_up_to_the_budget(house):
    table = await house.table("kuhn")
    player = await table.claim(0)
    steps = [step async for step in player.analyze(budget=Budget(time_ms=1_500), interval_ms=50, seed=3)]
    counts = [step.analysis.iterations for step in steps]
    assert len(steps) >= 3
    assert counts == sorted(counts)
    assert [step.final for step in steps] == [False] * (len(steps) - 1) + [True]
    assert 1_450 <= steps[-1].analysis.elapsed_ms < 20_000     # and what it took to make the search


async def test_analyze_ends_with_the_iterations_and_equals_the_hint(house):
    table = await house.table("kuhn")
    player = await table.claim(0)
    steps = [step async for step in player.analyze(budget=Budget(iterations=2_000), seed=3)]
    assert steps[-1].final
    last, hint = steps[-1].analysis, await player.suggest(budget=Budget(iterations=2_000), seed=3)
    last.elapsed_ms = hint.elapsed_ms = 0
    assert last == hint


async def test_analyze_ends_in_good_time_before_the_deadline(tmp_path):
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), search=PATIENT)
    async with running_server(config) as address, connect(address) as client:
        player = await (await House(client, address).table("kuhn")).claim(0)
        steps = [step async for step in player.analyze(budget=Budget(time_ms=20_000), interval_ms=50, timeout=4)]
        assert steps[-1].final


async def test_analyze_ends_with_what_it_has_when_time_runs_out_on_the_way_to_a_worker(house, monkeypatch):
    """Between the check for time and the next part of the search the deadline may pass."""
    limits = Plan.limits

    def gone_in_the_worker(plan, *, spent_ms=0.0, done=0, at_most_ms=None):
        return None if done and at_most_ms else limits(plan, spent_ms=spent_ms, done=done, at_most_ms=at_most_ms)

    monkeypatch.setattr(Plan, "limits", gone_in_the_worker)
    player = await (await house.table("kuhn")).claim(0)
    first, second = [step async for step in player.analyze(budget=Budget(time_ms=20_000), interval_ms=50, timeout=30)]
    assert first.analysis == second.analysis
    assert (first.final, second.final) == (False, True)


async def test_analyze_ends_with_what_it_has_when_no_worker_comes_free_before_the_deadline(house, monkeypatch):
    run = Hint.run

    async def others_need_it(hint, work, **options):
        if hint.begun:
            raise QueueTimeout
        return await run(hint, work, **options)

    monkeypatch.setattr(Hint, "run", others_need_it)
    player = await (await house.table("kuhn")).claim(0)
    first, second = [step async for step in player.analyze(budget=Budget(time_ms=20_000), interval_ms=50, timeout=30)]
    assert first.analysis == second.analysis
    assert (first.final, second.final) == (False, True)


async def test_a_cancel_stops_the_search_and_frees_its_worker(tmp_path):
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1, queue=1)
    async with running_server(config) as address, connect(address) as client:
        table = await House(client, address).table("kuhn")
        player = await table.claim(0)
        for start in (lambda: asyncio.ensure_future(player.suggest(budget=Budget(time_ms=30_000))),
                      lambda: player.analyze(budget=Budget(time_ms=30_000), interval_ms=5_000)):
            call = start()
            await asyncio.sleep(0.1)
            call.cancel()
            await player.suggest(budget=Budget(iterations=1), timeout=20)


async def test_overload_turns_calls_away_with_a_delay_and_cheap_calls_stay_fast(tmp_path):
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1, queue=2)
    async with running_server(config) as address, connect(address) as client:
        table = await House(client, address).table("kuhn")
        player = await table.claim(0)
        first, *waiting = [asyncio.create_task(player.suggest(budget=budget))
                           for budget in (Budget(time_ms=60_000), Budget(time_ms=5_000), Budget(time_ms=5_000))]
        await asyncio.sleep(0.1)
        async with refused(StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_SEARCHES", "try again in") as caught:
            await player.suggest(budget=Budget(time_ms=10), timeout=30)
        retry = error_details_pb2.RetryInfo()
        assert read_detail(caught.value, retry)
        assert retry.retry_delay.ToMilliseconds() > 0
        times = []
        for _ in range(50):
            began = time.monotonic()
            await player.legal()
            times.append(time.monotonic() - began)
        assert min(times) < 0.05 and not any(hint.done() for hint in (first, *waiting))
        first.cancel()
        for analysis in await asyncio.gather(*waiting):
            assert analysis.iterations >= 50    # whoever was admitted is served


async def test_bots_play_on_while_hints_keep_the_pool_busy(tmp_path):
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"), workers=1, queue=8)
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        player = await (await house.table("kuhn")).claim(0)
        hints = [asyncio.create_task(player.suggest(budget=Budget(time_ms=800))) for _ in range(8)]
        await asyncio.sleep(0.05)
        table = await house.table("kuhn", bots={0: "search:iterations=10", 1: "search:iterations=10"})
        await table.finished()
        assert not all(hint.done() for hint in hints)
        for hint in hints:
            hint.cancel()


async def test_the_default_budget_is_a_time(tmp_path):
    config = ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"),
                          search=SearchLimits(default_time_ms=60, max_iterations=50, max_time_ms=20_000))
    async with running_server(config) as address, connect(address) as client:
        house = House(client, address)
        table = await house.table("kuhn")
        player = await table.claim(0)
        assert 40 <= (await player.suggest()).elapsed_ms < 10_000
        async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", "50", field="budget.iterations"):
            await player.suggest(budget=Budget(iterations=51))
        async with refused(StatusCode.INVALID_ARGUMENT, "UNKNOWN_BOT", "50", field="bots[0].bot"):
            await table.fill({1: "search:iterations=51"})
        for bot in ("search:threads=2", "search:memory_mb=1000", "search:nodes=200001"):
            async with refused(StatusCode.INVALID_ARGUMENT, "UNKNOWN_BOT", "more than this service allows", field="bots[0].bot"):
                await table.fill({1: bot})
        await table.fill({1: "search:iterations=5:threads=1:memory_mb=20:depth=9"})

# ---- Positions ----


async def position_of(player) -> analysis_pb2.Position:
    """What a front end with its own table would send: settings and the seat's own events."""
    record = await player.export()
    return analysis_pb2.Position(settings=record.settings, seat=player.number, events=record.events)


async def test_a_position_needs_no_texts_and_no_names(house):
    table = await house.table("kuhn")
    player = await table.claim(0)
    position = await position_of(player)
    full = (await house.suggest(position, budget=Budget(iterations=30), seed=1)).analysis
    for event in position.events:
        event.text = ""
        for arg in event.args:
            arg.name = ""
    bare = (await house.suggest(position, budget=Budget(iterations=30), seed=1)).analysis
    full.elapsed_ms = bare.elapsed_ms = 0
    assert full == bare


def event(sequence: int, key: str, *args: int) -> event_pb2.Event:
    return event_pb2.Event(sequence=sequence, key=key, args=[event_pb2.EventArgument(value=value) for value in args])


ASKED = [event(1, "CARD", 0), event(2, "BUSY", 1, 0), event(3, "ASK", 0)]


@pytest.mark.parametrize(("seat", "events", "code", "reason"), [
    (2, ASKED, StatusCode.INVALID_ARGUMENT, "BAD_FIELD"),
    (-1, ASKED, StatusCode.INVALID_ARGUMENT, "BAD_FIELD"),
    (0, ASKED[1:], StatusCode.INVALID_ARGUMENT, "BAD_FIELD"),
    (0, [event(1, "NOVA")], StatusCode.INVALID_ARGUMENT, "BAD_FIELD"),
    (0, [event(1, "CARD", 2**40)], StatusCode.INVALID_ARGUMENT, "BAD_FIELD"),
    (0, [event(1, "CARD", 99), *ASKED[1:]], StatusCode.INVALID_ARGUMENT, "BAD_POSITION"),
    (0, [event(1, "CARD"), *ASKED[1:]], StatusCode.INVALID_ARGUMENT, "BAD_POSITION"),
    (0, [event(1, "BUSY", 1, 0), event(2, "ASK", 0)], StatusCode.INVALID_ARGUMENT, "BAD_POSITION"),
    (0, [event(1, "CARD", 0), *(event(n, "ACTED", 0, 1) for n in range(2, 900)), event(900, "BUSY", 1, 0),
         event(901, "ASK", 0)], StatusCode.INVALID_ARGUMENT, "BAD_POSITION"),
    (0, [event(1, "CARD", 0), event(2, "ACTED", 0, 0), event(3, "BUSY", 1, 0), event(4, "ASK", 0)],
     StatusCode.INVALID_ARGUMENT, "BAD_POSITION"),
    (0, [], StatusCode.INVALID_ARGUMENT, "BAD_FIELD"),
    (1, [event(1, "CARD", 0), event(2, "BUSY", 1, 0)], StatusCode.FAILED_PRECONDITION, "SEAT_NOT_ASKED"),
])
async def test_a_history_no_game_gives_is_refused(house, seat, events, code, reason):
    position = analysis_pb2.Position(settings=settings_pb2.GameSettings(game="games/kuhn"), seat=seat, events=events)
    async with refused(code, reason):
        await house.suggest(position, budget=Budget(iterations=10))
    good = analysis_pb2.Position(settings=settings_pb2.GameSettings(game="games/kuhn"), seat=0, events=ASKED)
    assert (await house.suggest(good, budget=Budget(iterations=10))).analysis.candidates


async def test_a_position_of_other_content_or_rules_is_refused(house):
    settings = settings_pb2.GameSettings(game="games/kuhn", rules_version=99)
    async with refused(StatusCode.FAILED_PRECONDITION, "OTHER_RULES_OR_CONTENT", "rules_version"):
        await house.suggest(analysis_pb2.Position(settings=settings, events=ASKED))
    settings = settings_pb2.GameSettings(game="games/kuhn", pack_hash="abc")
    async with refused(StatusCode.FAILED_PRECONDITION, "OTHER_RULES_OR_CONTENT", "pack_hash"):
        await house.suggest(analysis_pb2.Position(settings=settings, events=ASKED))


async def test_the_histories_above_fit_the_game():
    state = new_game("kuhn").new_state(seed=0)
    assert [event.key for event in state.events(0)] == ["CARD", "BUSY", "ASK"]
