"""When answers take effect, so that their timing says nothing of what a seat holds or is asked in secret.

A step lasts from one thing that everybody can see to the next; in between a bot may be asked several hidden questions, or one with
a single answer, or think for long. Where somebody may be watching it answers its last question of a step at a time that follows
from public facts alone: what kind of bot it is, and the public class of the question. Its search has to be ready by then.
"""
from __future__ import annotations

import asyncio
import functools

from seatmate.ai.bots import BotError, parse_bot
from seatmate.ai.bots.registry import bot_kind
from seatmate.engine.core.registry import game_spec
from seatmate.engine.core.rng import Stream, random_words
from seatmate.engine.core.spec import Prompt
from seatmate.server.clock import runs, time_up
from seatmate.server.config import Pacing
from seatmate.server.live import LiveTable
from seatmate.server.rows import SeatRow

_FOLLOW_UPS = 2.0
"""What a bot gets for a step in which it may be asked more than one question, in times of its budget for one."""

_WINDOWS = 8    # of Stream.POLICY, after the seats': where the lengths of windows come from


class Schedule:
    """The times of one server; all are seconds, of the event loop's clock where they are moments."""

    def __init__(self, pacing: Pacing, longest_ms: int) -> None:
        """longest_ms: what one search may take at most."""
        self._pacing = pacing
        self._answer_s = None if pacing.answer_ms is None else pacing.answer_ms / 1000
        self._longest_s = longest_ms / 1000

    @property
    def look_s(self) -> float:
        """How long a look at a table counts."""
        return self._pacing.look_s

    def window_is_open(self, table: LiveTable, seat: int) -> bool:
        """Is the seat asked what the clock may answer?"""
        return table.row.pass_window is not None and _passing(table, seat) is not None

    def to_pass(self, table: LiveTable) -> dict[int, int]:
        """The seats without a bot that the clock has to answer for, and what; not those whose own answer is held."""
        if table.row.pass_window is None or table.is_over:
            return {}
        answers = {seat: _passing(table, seat) for seat in table.state.pending
                   if table.seats[seat].holder != "bot" and not table.holding[seat]}
        return {seat: answer for seat, answer in answers.items() if answer is not None}

    def due(self, table: LiveTable, seat: int) -> float:
        """The moment the seat's answer takes effect: of a bot, or of anybody in a window."""
        prompt = _prompt(table, seat)
        if prompt is None:
            return table.shown_at
        if not self.window_is_open(table, seat):
            return table.shown_at + self._bot_s(table, table.seats[seat], prompt)
        bots = [self._bot_s(table, table.seats[other], prompt) for other in table.state.asked if table.seats[other].holder == "bot"]
        return max(table.opened_at + _window_s(table), table.shown_at + max(bots, default=0.0))

    def think_until(self, table: LiveTable, seat: int, due: float) -> float | None:
        """The moment the search of a bot's next answer has to be ready that takes effect when `due`; None: nobody would see when.

        What is left of the step is shared with questions that may follow.
        """
        prompt = _prompt(table, seat)
        if prompt is None or self._answer_s is None or not table.observed:
            return None
        now = asyncio.get_running_loop().time()
        left = max(0.0, due - self._answer_s / 2 - now)
        return now + (left / 2 if table.game.spec.asks_on(prompt) else left)

    def out_of_time(self, table: LiveTable) -> list[int]:
        """The seats for which the clock answers when their time is up; not those that a window passes for, or whose own is held."""
        return [seat for seat in table.state.pending
                if runs(table, seat) and not table.holding[seat] and not self.window_is_open(table, seat)]

    def clock_due(self, table: LiveTable, stand_in: SeatRow) -> float:
        """The moment a bot's answer for a seat without time takes effect, as if it had been asked when the time was up."""
        prompt = _prompt(table, stand_in.seat)
        up = time_up(table, stand_in.seat)
        return up if prompt is None else up + self._bot_s(table, stand_in, prompt)

    def _bot_s(self, table: LiveTable, holder: SeatRow, prompt: Prompt) -> float:
        """From the start of a step to the bot's answer: a function of public facts."""
        if self._answer_s is None or not table.observed:
            return holder.pace_ms / 1000
        budget = min(_budget_s(holder.bot, table.game.spec.id, self._pacing.simulation_us), self._longest_s)
        if table.game.spec.asks_on(prompt):
            budget *= _FOLLOW_UPS
        return max(holder.pace_ms / 1000, self._answer_s + budget)


def _prompt(table: LiveTable, seat: int) -> Prompt | None:
    key = table.state.prompt(seat)
    return None if key is None else table.game.spec.prompt_named(key)


def _passing(table: LiveTable, seat: int) -> int | None:
    prompt = _prompt(table, seat)
    return None if prompt is None else prompt.passing


def _window_s(table: LiveTable) -> float:
    """How long the window of this step is open: drawn from the table's secret, and so the same after a restart."""
    assert table.row.pass_window is not None
    least, most = table.row.pass_window
    word = random_words(table.row.seed, (int(Stream.POLICY), _WINDOWS, table.shown), 1)[0]
    return (least + word % (most - least + 1)) / 1000


@functools.lru_cache(1024)
def _budget_s(bot: str, game: str, simulation_us: int) -> float:
    """What the bot's text lets it think for one question; 0 for a bot that answers at once, or of no kind that is known."""
    try:
        settings = parse_bot(bot).resolve(game_spec(game))
    except BotError:
        return 0.0
    limits = settings.limits
    if limits is None:
        return bot_kind(settings.kind).time_ms / 1000
    times = [] if limits.time_ms is None else [limits.time_ms / 1000]
    if limits.iterations is not None:
        times.append(limits.iterations * simulation_us / 1e6)
    return min(times, default=0.0)
