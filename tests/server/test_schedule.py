"""A watcher with a clock learns nothing: neither of bots' thinking and hidden questions, nor of who holds a reaction."""
from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from clockwork import WRITE_S, Memory, Room, Seen, any_time, run, wall, watch
from seatmate.ai.bots import Question, bot, load_bots
from seatmate.engine.core.game import SPECTATORS, Game, State
from seatmate.engine.core.registry import list_games, new_game
from seatmate.server import bots_runner
from seatmate.server.auth import hash_token
from seatmate.server.config import Pacing
from seatmate.server.errors import ApiError
from seatmate.server.live import LiveTable
from seatmate.server.rows import SeatRow
from seatmate.server.schedule import Schedule

__all__ = ["wall"]      # the fixture

SEARCH = "search:iterations=4"
BUDGET_S = 1.0          # of SEARCH, with the pacing below
ANSWER_S = 0.05
PACING = Pacing(answer_ms=50, simulation_us=250_000)
GAMES = [(spec.id, mode.key, mode.seats[-1]) for spec in list_games() for mode in spec.modes]
TOKEN = "t" * 43


# ---- Thinking ----

def promised(game: Game, seen: Seen) -> Iterator[tuple[str, float, float]]:
    """(question, time it took, time it had to take) of every step, from what anybody can see."""
    prompts = game.spec.prompts
    for number, moment in enumerate(seen.at[1:]):
        asked, question = next(event.args for event in reversed(seen.events[number]) if event.key == "BUSY")
        prompt = prompts[question]
        chain = sum((one.public or one.key) == prompt.key for one in prompts) > 1 or prompt.again
        due = ANSWER_S + BUDGET_S * (2 if chain else 1) + asked.bit_count() * WRITE_S
        yield prompt.key, moment - seen.at[number], due


def thinking(game: Game, seed: int, steps: int, bot: str = SEARCH, *, deaf: bool = False) -> Seen:
    """Bots play; their searches take any time. deaf: and hear nobody who says that it is over."""
    async def play() -> Seen:
        room = Room(Memory(), any_time(seed, 1.5 * BUDGET_S), PACING, deaf)
        table = await room.open(game, dict.fromkeys(range(game.seats), bot), seed=seed)
        seen = await watch(table, steps=steps)
        await room.stop()
        return seen

    return run(play())


def check_thinking(game: Game, seed: int, steps: int = 60, bot: str = SEARCH, *, deaf: bool = False) -> None:
    for question, took, due in promised(game, thinking(game, seed, steps, bot, deaf=deaf)):
        assert took == pytest.approx(due, abs=1e-6), f"{question}: {took:.4f} s instead of {due:.4f} s"


@pytest.mark.parametrize(("game", "mode", "seats"), GAMES)
def test_a_bots_answers_come_when_the_public_question_says(wall: SimpleNamespace, game: str, mode: str, seats: int) -> None:
    """Whatever searches take, whether there is one answer or many, and however many hidden questions a step has."""
    for seed in range(2):
        check_thinking(new_game(game, mode=mode, seats=seats), seed)


@pytest.mark.parametrize("game", ["hundred_days", "hyde", "kuhn"])
def test_bots_of_ones_own_keep_the_same_times(wall: SimpleNamespace, own_bots: None, tmp_path: Path, game: str) -> None:
    """A function in Python takes what it likes and hears nothing; a program is told to stop."""
    @bot("takes_its_time", "Plays the first answer.", time_ms=1000 * BUDGET_S)
    def first(question: Question) -> int:
        return question.actions[0]

    (tmp_path / "program.toml").write_text(f'[program]\ncommand = ["true"]\ntime_ms = {1000 * BUDGET_S}\n')
    load_bots(tmp_path / "program.toml")
    for seed in range(2):
        check_thinking(new_game(game), seed, bot="takes_its_time", deaf=True)
        check_thinking(new_game(game), seed, bot="program")


def old_pace(self: Schedule, table: LiveTable, seat: int) -> float:
    """Answer when it is thought of."""
    return table.shown_at


def per_question(self: Schedule, table: LiveTable, seat: int) -> float:
    """The same time for every question, hidden ones too."""
    return asyncio.get_running_loop().time() + ANSWER_S if table.state.prompt(seat) else 0.0


def unlimited(self: Schedule, table: LiveTable, seat: int, due: float) -> None:
    """The search takes what it takes."""


FAULTS: dict[str, tuple[object, str, Any]] = {
    "answers when ready": (Schedule, "due", old_pace),
    "a search has no end": (Schedule, "think_until", unlimited),
    "hidden questions wait too": (bots_runner, "_goes_unseen", lambda state, seat, action: False),
    "seats that answered are not waited for": (bots_runner, "_goes_unseen", lambda state, seat, action: True)}


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("game", ["hundred_days", "hyde", "mythos"])
def test_what_was_wrong_before_is_noticed(wall: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, name: str, game: str) -> None:
    where, what, fault = FAULTS[name]
    monkeypatch.setattr(where, what, fault)
    with pytest.raises(AssertionError):
        for seed in range(4):
            check_thinking(new_game(game), seed)


def twins(game: str, seats: int, observer: int) -> tuple[int, int]:
    """Two deals the observer can't tell apart."""
    found: dict[str, tuple[int, bytes]] = {}
    for seed in range(200_000):
        state = new_game(game, seats=seats).new_state(seed)
        seen = repr(state.events(observer))
        if seen in found and found[seen][1] != state.to_bytes():
            return found[seen][0], seed
        found.setdefault(seen, (seed, state.to_bytes()))
    raise AssertionError("no twins")


@pytest.mark.parametrize(("game", "seats"), [("kuhn", 2), ("leduc", 2), ("liars_dice", 3), ("hanabi", 2)])
def test_worlds_that_look_the_same_keep_the_same_times(wall: SimpleNamespace, game: str, seats: int) -> None:
    """As long as the same is seen the same time passes, and up to the first moment at which something else is seen."""
    left, right = (thinking(new_game(game, seats=seats), seed, 40) for seed in twins(game, seats, SPECTATORS))
    same = next((number for number, (mine, theirs) in enumerate(zip(left.events, right.events, strict=False)) if mine != theirs),
                min(len(left.at), len(right.at)) - 1)
    assert same >= 1
    assert left.at[:same + 1] == pytest.approx(right.at[:same + 1], abs=1e-6)


def test_bots_among_themselves_take_no_time_until_somebody_looks(wall: SimpleNamespace) -> None:
    async def play(looks: bool) -> float:
        room = Room(Memory(), lambda: 0.001, PACING)
        table = await room.open(new_game("kuhn"), {0: SEARCH, 1: "heuristic"}, watched=looks)
        while not table.state.is_over:
            if looks:
                table.look(60.0)
            await asyncio.sleep(0.01)
        await room.stop()
        return asyncio.get_running_loop().time()

    assert run(play(False)) < 0.1
    assert run(play(True)) > 1.0


def test_a_bot_that_does_not_search_answers_as_evenly(wall: SimpleNamespace) -> None:
    async def play() -> Seen:
        room = Room(Memory(), pacing=PACING)
        table = await room.open(new_game("hyde", seats=3), {0: "heuristic", 1: "random", 2: "heuristic"}, seed=5)
        seen = await watch(table, steps=120)
        await room.stop()
        return seen

    seen = run(play())
    assert {round(after - before, 6) for before, after in zip(seen.at, seen.at[1:], strict=False)} == {0.054}


@pytest.mark.parametrize(("bot", "pace_ms", "seconds"), [
    ("heuristic", 0, 0.05), ("heuristic", 700, 0.7), ("search:time_ms=300", 0, 0.35), ("search:time_ms=300", 200, 0.35),
    ("search:iterations=8:time_ms=300", 0, 0.35), ("search:iterations=1", 0, 0.3), ("search", 0, 60.05), ("gone:x=1", 0, 0.05)])
def test_how_long_a_kind_of_bot_takes(wall: SimpleNamespace, bot: str, pace_ms: int, seconds: float) -> None:
    async def due() -> float:
        room = Room(Memory(), pacing=PACING)
        table = await room.open(new_game("kuhn"), {})
        table.seats[0] = SeatRow(seat=0, holder="bot", bot=bot, pace_ms=pace_ms)
        return room.tables.schedule.due(table, 0) - table.shown_at

    assert run(due()) == pytest.approx(seconds)


@pytest.mark.parametrize(("game", "mode", "seats"), GAMES)
def test_what_a_spec_says_of_its_questions(game: str, mode: str, seats: int) -> None:
    """Passing is always possible; hidden follow-ups are declared; what another seat hears comes with something for everybody."""
    table_game = new_game(game, mode=mode, seats=seats)
    spec = table_game.spec
    passing = {prompt.key: prompt.passing for prompt in spec.prompts if prompt.passing is not None}
    for key in passing:
        assert sum((prompt.public or prompt.key) == key for prompt in spec.prompts) == 1
    chance = random.Random(7)
    for seed in range(3):
        state = table_game.new_state(seed)
        for _ in range(600):
            if state.is_over:
                break
            seat = chance.choice(state.pending)
            prompt, legal = state.prompt(seat), state.legal_actions(seat)
            assert prompt is not None
            if prompt in passing:
                assert passing[prompt] in legal
            others = [observer for observer in range(seats) if observer != seat]
            before = [state.observation_key(observer) for observer in (*others, SPECTATORS)]
            state.apply_action(seat, chance.choice(legal))
            changed = [state.observation_key(observer) != key for observer, key in zip((*others, SPECTATORS), before, strict=True)]
            assert changed[-1] or not any(changed), f"another seat hears of {prompt}, and the public does not"
            if not changed[-1] and seat in state.pending:
                assert spec.asks_on(spec.prompt_named(prompt)), f"{prompt} has a follow-up that nobody hears of"


# ---- Windows ----

def at_a_window(game: Game, holds: bool, seed: int) -> State:
    """A position in which seat 1 alone is asked for a reaction, and holds one or not."""
    chance = random.Random(seed)
    for deal in range(2000):
        state = game.new_state(deal)
        for _ in range(400):
            if state.is_over:
                break
            passing = [seat for seat in state.pending if game.spec.prompt_named(state.prompt(seat) or "").passing is not None]
            if passing == [1] and list(state.pending) == [1] and (len(state.legal_actions(1)) > 1) is holds:
                return state
            seat = chance.choice(state.pending)
            state.apply_action(seat, chance.choice(state.legal_actions(seat)))
    raise AssertionError("no such window")


WINDOW_GAMES = [spec.id for spec in list_games() if any(prompt.passing is not None for prompt in spec.prompts)]
assert {"hundred_days", "titans"} <= set(WINDOW_GAMES)


async def seated(room: Room, state: State, window: tuple[int, int] | None, bots: dict[int, str]) -> LiveTable:
    """A table of people, and perhaps bots, at this position."""
    table = await room.open(state.game, {}, seed=state.seed or 0, window=window)
    for seat, action in state.actions:
        await room.tables._append(table, seat, action, table.state.sequence(seat), None)
    await room.tables._seat(table, [
        SeatRow(seat=seat, holder="bot", bot=bots[seat]) if seat in bots else
        SeatRow(seat=seat, holder="player", token_hash=hash_token(TOKEN)) for seat in range(state.game.seats)])
    return table


async def reaction(state: State, window: tuple[int, int] | None, answer_after: float | None, bots: dict[int, str],
                   stop_after: float | None = None, away_us: int = 0, wall: SimpleNamespace | None = None) -> float:
    """Seconds from the opening of the window to what everybody sees next; seat 1 passes by itself after a time, or does not.

    stop_after: the server is stopped then, and another one goes on with the same database `away_us` later.
    """
    memory = Memory()
    room = Room(memory, pacing=PACING)
    table = await seated(room, state, window, bots)
    opened = asyncio.get_running_loop().time()
    table.shown_at = table.opened_at = opened       # the moves before it were played just now
    memory.actions[-1] = replace(memory.actions[-1], written_us=0) if stop_after is None else memory.actions[-1]
    if stop_after is not None:
        await asyncio.sleep(stop_after)
        await room.stop()
        assert wall is not None
        wall.away_us += away_us
        room = Room(memory, pacing=PACING)
        await room.tables.resume()
        async with room.tables.use(table.id) as table:
            pass
    shown, answer = table.shown, None
    if answer_after is not None:
        await asyncio.sleep(answer_after)
        passing = state.game.spec.prompt_named(state.prompt(1) or "").passing
        assert passing is not None
        answer = asyncio.create_task(room.tables.submit(table, 1, TOKEN, passing, table.state.sequence(1), "once"))
    while table.shown == shown:
        await asyncio.wait_for(table.changed.wait(), 100)
    if answer is not None:
        await answer
    came = asyncio.get_running_loop().time() - opened
    await room.stop()
    return came


@pytest.mark.parametrize("game", WINDOW_GAMES)
@pytest.mark.parametrize("window", [(3000, 3000), (1000, 9000)])
def test_nobody_sees_who_had_something_to_react_with(wall: SimpleNamespace, game: str, window: tuple[int, int]) -> None:
    """Who holds nothing and says nothing, who declines at once, late or never, a bot: all at the same moment."""
    table_game = new_game(game, seats=2)
    came = []
    for holds in (False, True):
        state = at_a_window(table_game, holds, 3)
        end = run(reaction(state, window, None, {}))
        assert window[0] / 1000 <= end - WRITE_S <= window[1] / 1000 + 1e-6
        for answer_after, bots in ((0.0, {}), (0.7, {}), (None, {1: "heuristic"})):
            if bots and holds:
                continue            # it may play a card, which is no secret any more
            assert run(reaction(state, window, answer_after, bots)) == pytest.approx(end, abs=1e-6)
        came.append(end)
    if window[0] == window[1]:
        assert came[0] == pytest.approx(came[1], abs=1e-6)
    # a bot that needs longer than the window lets all wait for it, whatever it is asked
    assert run(reaction(at_a_window(table_game, False, 3), (100, 100), None, {1: SEARCH})) == pytest.approx(
        ANSWER_S + BUDGET_S + WRITE_S, abs=1e-6)


def test_without_a_window_the_question_stays_open(wall: SimpleNamespace) -> None:
    state = at_a_window(new_game("hundred_days", seats=2), False, 3)
    assert run(reaction(state, None, 20.0, {})) == pytest.approx(20.0 + WRITE_S)
    with pytest.raises(TimeoutError):
        run(reaction(state, None, None, {}))


def test_early_answers_are_noticed_without_the_hold(wall: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Schedule, "window_is_open", lambda self, table, seat: False)
    with pytest.raises(AssertionError):
        test_nobody_sees_who_had_something_to_react_with(wall, "hundred_days", (3000, 3000))


@pytest.mark.parametrize("away_s", [0.0, 1.0, 50.0])
def test_a_restart_keeps_the_promise(wall: SimpleNamespace, away_s: float) -> None:
    """The window ends when it would have ended, or at once when that is over."""
    state = at_a_window(new_game("hundred_days", seats=2), False, 3)
    for window in ((3000, 3000), (1000, 9000)):
        end = run(reaction(state, window, None, {}))
        wall.away_us = 0
        came = run(reaction(state, window, None, {}, stop_after=0.5, away_us=round(away_s * 1e6), wall=wall))
        assert came == pytest.approx(max(0.5 + WRITE_S, end - away_s), abs=0.01)


def test_a_window_that_opens_later_may_end_sooner(wall: SimpleNamespace) -> None:
    """The clock looks again when something has changed."""
    async def play() -> float:
        room = Room(Memory(), pacing=PACING)
        table = await seated(room, at_a_window(new_game("hundred_days", seats=2), False, 3), (9000, 9000), {})
        await asyncio.sleep(0.1)
        table.row = replace(table.row, pass_window=(1000, 1000))
        table.notify()
        shown, opened = table.shown, table.opened_at
        while table.shown == shown:
            await table.changed.wait()
        await room.stop()
        return table.opened_at - opened

    assert run(play()) == pytest.approx(1.0 + WRITE_S)


def test_windows_draw_their_own_times(wall: SimpleNamespace) -> None:
    async def lengths() -> set[float]:
        room = Room(Memory(), pacing=PACING)
        table = await seated(room, at_a_window(new_game("titans", seats=2), False, 3), (1000, 9000), {})
        found = set()
        for table.shown in range(50):
            found.add(room.tables.schedule.due(table, 1) - table.opened_at)
        await room.stop()
        return found

    found = run(lengths())
    assert len(found) > 45 and 1.0 <= min(found) < 2.0 and 8.0 < max(found) <= 9.0


def test_what_would_be_refused_is_refused_at_once(wall: SimpleNamespace) -> None:
    """And an answer that its caller takes back is none."""
    state = at_a_window(new_game("hundred_days", seats=2), False, 3)

    async def play() -> None:
        room = Room(Memory(), pacing=PACING)
        table = await seated(room, state, (3000, 3000), {})
        began = asyncio.get_running_loop().time()
        sequence = table.state.sequence(1)
        wrong: list[tuple[str, Callable[[], Any]]] = [
            ("ILLEGAL_ACTION", lambda: room.tables.submit(table, 1, TOKEN, 9999, sequence, None)),
            ("STALE_SEQUENCE", lambda: room.tables.submit(table, 1, TOKEN, 0, sequence - 1, None)),
            ("WRONG_TOKEN", lambda: room.tables.submit(table, 1, "x", 0, sequence, None))]
        for reason, call in wrong:
            with pytest.raises(ApiError) as caught:
                await call()
            assert caught.value.reason == reason
        assert asyncio.get_running_loop().time() == began
        taken_back = asyncio.create_task(room.tables.submit(table, 1, TOKEN, 0, sequence, "mine"))
        await asyncio.sleep(0.5)
        taken_back.cancel()
        actions = len(table.steps)
        while len(table.steps) == actions:
            await table.changed.wait()
        assert (1, "mine") not in table.requests
        assert asyncio.get_running_loop().time() == pytest.approx(began + 3.0 + WRITE_S, abs=0.1)
        await room.stop()

    run(play())


def test_a_server_that_stops_sends_the_waiting_away(wall: SimpleNamespace) -> None:
    async def play() -> None:
        room = Room(Memory(), pacing=PACING)
        table = await seated(room, at_a_window(new_game("hundred_days", seats=2), False, 3), (3000, 3000), {})
        steps = len(table.steps)
        held = asyncio.create_task(room.tables.submit(table, 1, TOKEN, 0, table.state.sequence(1), "late"))
        await asyncio.sleep(0.5)
        await room.stop()
        with pytest.raises(ApiError, match="shutting down"):
            await held
        assert len(table.steps) == steps

    run(play())


def test_the_runner_keeps_one_task_per_seat(wall: SimpleNamespace) -> None:
    async def play() -> int:
        room = Room(Memory(), lambda: 0.5, PACING)
        table = await room.open(new_game("goofspiel", seats=4), dict.fromkeys(range(4), SEARCH))
        for _ in range(5):
            room.runner.poke(table)
        count = len(room.runner._tasks[table.id])
        await room.stop()
        return count

    assert run(play()) == 4
