"""Bots at tables: whenever a bot's seat is asked something, a task thinks and acts for it; others pass when a window ends,
and answer for who has no time left.
"""
from __future__ import annotations

import asyncio
import contextvars
import functools
import logging
from collections.abc import Awaitable, Callable

from sqlalchemy.exc import SQLAlchemyError

from seatmate.ai.bots import BotError, make_bot, parse_bot
from seatmate.ai.bots.registry import bot_kind
from seatmate.ai.search.limits import memory_for
from seatmate.engine.core.game import SPECTATORS, State
from seatmate.server.bot_moves import bot_seed
from seatmate.server.clock import taken_over, time_up
from seatmate.server.config import SearchLimits
from seatmate.server.errors import ApiError, bad_field
from seatmate.server.live import LiveTable, wait_for
from seatmate.server.metrics import Metrics
from seatmate.server.rows import SeatRow
from seatmate.server.search_pool import Lane, QueueTimeout, SearchPool
from seatmate.server.tables import Tables

log = logging.getLogger(__name__)

_LONGEST_TEXT = 200
_FIRST_PAUSE_S = 0.2
_LONGEST_PAUSE_S = 30.0
_UNSEEN = 4.0
"""As so many seconds counts one of a bot's thinking where nobody looks."""
_WINDOW = -1
"""Among the seats: the end of a window, when who has not answered passes. `_WINDOW - 1 - seat` is the clock of a seat."""


class BotChecker:
    """Which bots callers may seat: a seat's thinking is bounded like a hint's."""

    def __init__(self, limits: SearchLimits) -> None:
        self._most = {"iterations": limits.max_iterations, "time_ms": limits.max_time_ms, "nodes": limits.nodes,
                      "memory_mb": memory_for(limits.nodes), "threads": 1}

    def check(self, text: str, field: str) -> str:
        """The bot's canonical text. Raises ApiError."""
        if not text:
            raise bad_field(field, "a bot is needed, such as 'heuristic' or 'search:iterations=1000'", "UNKNOWN_BOT")
        if len(text) > _LONGEST_TEXT:
            raise bad_field(field, f"a bot's text has at most {_LONGEST_TEXT} characters", "UNKNOWN_BOT")
        try:
            spec = parse_bot(text)
        except BotError as error:
            raise bad_field(field, str(error), "UNKNOWN_BOT") from None
        for key, value in spec.parameters:
            if isinstance(value, int | float) and value > self._most.get(key, value):
                raise bad_field(field, f"{key}={value} is more than this service allows ({self._most[key]:g})",
                                "UNKNOWN_BOT")
        if dict(spec.parameters).get("reuse"):      # a restarted server would play on otherwise than before
            raise bad_field(field, "a bot at a table remembers no search; leave out reuse=true", "UNKNOWN_BOT")
        return str(spec)


class BotsRunner:
    """Keeps one task for every bot seat that is asked something, for every seat whose clock runs, and for every window."""

    def __init__(self, tables: Tables, pool: SearchPool, limits: SearchLimits, metrics: Metrics) -> None:
        self._tables = tables
        self._metrics = metrics
        self._pool = pool
        self._longest_s = limits.max_time_ms / 1000
        self._tasks: dict[str, dict[int, asyncio.Task[None]]] = {}      # by table and seat; see _WINDOW
        tables.on_change = self.poke

    def poke(self, table: LiveTable) -> None:
        """Something has changed at the table: see to it that its bots think, and nobody who is not a bot there any more."""
        ours = self._tables.drives(table.id)
        for seat, task in self._tasks.get(table.id, {}).items():
            if table.deleted or table.is_over or not ours or (seat >= 0 and table.seats[seat].holder != "bot"):
                task.cancel()
        if self._tables.stopping or table.deleted or table.is_over or not ours:
            return
        for seat in table.state.pending:
            if table.seats[seat].holder == "bot":
                self._start(table, seat, functools.partial(self._act, seat=seat))
        if self._tables.schedule.to_pass(table):
            self._start(table, _WINDOW, self._pass)
        for seat in self._tables.schedule.out_of_time(table):
            self._start(table, _WINDOW - 1 - seat, functools.partial(self._stand_in, seat=seat))

    def _start(self, table: LiveTable, seat: int, step: Callable[[LiveTable], Awaitable[bool]]) -> None:
        tasks = self._tasks.setdefault(table.id, {})
        if seat not in tasks or tasks[seat].done():
            tasks[seat] = asyncio.create_task(self._play(table.id, seat, step),
                                              context=contextvars.Context())    # it is of no call
            tasks[seat].add_done_callback(functools.partial(self._done, table.id, seat))

    def _done(self, table_id: str, seat: int, task: asyncio.Task[None]) -> None:
        tasks = self._tasks.get(table_id, {})
        if tasks.get(seat) is task:
            del tasks[seat]
            if not tasks:
                del self._tasks[table_id]

    async def stop(self) -> None:
        """End all thinking; the next start takes it up again."""
        tasks = [task for tasks in self._tasks.values() for task in tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, table_id: str, seat: int, step: Callable[[LiveTable], Awaitable[bool]]) -> None:
        """Take steps as long as there are any."""
        pause = _FIRST_PAUSE_S
        while True:
            try:
                async with self._tables.use(table_id) as table:
                    while not table.deleted and await step(table):
                        pause = _FIRST_PAUSE_S
                return
            except ApiError as error:
                log.warning("a bot gave up", extra={"table": table_id, "seat": seat, "reason": error.reason})
                return
            except SQLAlchemyError:
                log.exception("a bot's action could not be stored", extra={"table": table_id, "seat": seat})
            except Exception:       # else nobody would hear of it, and the table would wait for ever
                log.exception("a bot could not act; it will try again", extra={"table": table_id, "seat": seat})
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_S)

    async def _act(self, table: LiveTable, seat: int) -> bool:
        """One decision of the bot; False when it has none to take.

        What nobody can see is done at once; the answer that ends the seat's part of a step comes when it is due.
        """
        holder = table.seats[seat]
        if table.is_over or holder.holder != "bot" or seat not in table.state.pending:
            return False
        if await self._answer(table, holder, holder, lambda: self._tables.schedule.due(table, seat)):
            self._metrics.bot_move(_kind(holder.bot))
        return True

    async def _answer(self, table: LiveTable, holder: SeatRow, bot: SeatRow, due: Callable[[], float]) -> bool:
        """The bot's answer for this holder of the seat, when it is due; False when the position has moved on meanwhile."""
        seat = bot.seat
        sequence = table.state.sequence(seat)
        legal = table.state.legal_actions(seat)
        action = legal[0] if len(legal) == 1 else await self._choose(table, bot, due())
        if table.state.sequence(seat) == sequence and not _goes_unseen(table.state, seat, action):
            changed = table.changed
            while (left := due() - asyncio.get_running_loop().time()) > 0 and table.state.sequence(seat) == sequence:
                await wait_for(changed, left)       # whoever dealt the table may have changed the pace
                changed = table.changed
        return await self._tables.submit_for(table, holder, action, sequence)

    async def _pass(self, table: LiveTable) -> bool:
        """Pass for a seat whose time is up; False when there is none that can be passed for."""
        schedule = self._tables.schedule
        changed = table.changed
        seat, answer = next(iter(schedule.to_pass(table).items()), (_WINDOW, 0))
        if seat == _WINDOW:
            return False
        left = schedule.due(table, seat) - asyncio.get_running_loop().time()
        if left > 0:
            await wait_for(changed, left)
        else:
            await self._tables.submit_for(table, table.seats[seat], answer, table.state.sequence(seat))
        return True

    async def _stand_in(self, table: LiveTable, seat: int) -> bool:
        """Answer for a seat whose time is up, or hand it to the bot; False when its clock does not run."""
        schedule, clock = self._tables.schedule, table.row.clock
        if clock is None or seat not in schedule.out_of_time(table):
            return False
        changed = table.changed
        left = time_up(table, seat) - asyncio.get_running_loop().time()
        if left > 0:
            await wait_for(changed, left)
        elif clock.hands_over:
            await self._tables.hand_over(table, seat)
        else:
            bot = taken_over(table, seat)
            await self._answer(table, table.seats[seat], bot, lambda: schedule.clock_due(table, bot))
        return True

    async def _choose(self, table: LiveTable, holder: SeatRow, due: float) -> int:
        """What the bot answers, to take effect at `due`.

        It gets a world sampled from its seat's knowledge; its chance comes from the table's secret, so that a table with a given
        seed is repeatable, across restarts too.
        """
        seat = holder.seat
        seed = bot_seed(table.row.seed, seat)
        world = table.state.resample_from_infostate(seat, seed)
        try:
            bot = make_bot(holder.bot, seed)
            if not bot.thinks_in(world.game):
                return bot.choose(world, seat)
            until = self._tables.schedule.think_until(table, seat, due)
            wait = None if until is None else until - asyncio.get_running_loop().time()
            async with asyncio.timeout_at(until if bot_kind(bot.spec.id).time_ms else None):
                action = await self._pool.run(
                    lambda stop: bot.choose(world, seat, stop=stop), Lane.BOT, (table.id,), wait_s=wait,
                    at_most_s=self._longest_s, until=until, weight=1.0 if table.observed else _UNSEEN)
            self._metrics.simulations(Lane.BOT.value, bot.simulations)
            if bot.fault:
                log.error("a bot failed; its heuristic plays this decision",
                          extra={"table": table.id, "seat": seat, "why": bot.fault})
            return action
        except ApiError:
            raise
        except QueueTimeout:    # its answer is due before a worker is free
            return _best_guess(world, seat)
        except TimeoutError:    # nobody can stop it; it ends when it likes, and nobody waits for that
            log.error("a bot took too long; its heuristic plays this decision", extra={"table": table.id, "seat": seat})
            return _best_guess(world, seat)
        except Exception:   # a bot that fails must not hold up the table
            log.exception("a bot failed; its heuristic plays this decision", extra={"table": table.id, "seat": seat})
            return _best_guess(world, seat)


@functools.lru_cache(1024)
def _kind(bot: str) -> str:
    """What the metrics count it as."""
    try:
        return parse_bot(bot).id
    except BotError:
        return "unknown"


def _goes_unseen(state: State, seat: int, action: int) -> bool:
    """Is the seat asked on after this action before anybody else notices anything?"""
    after = state.clone()
    after.apply_action(seat, action)
    return seat in after.pending and after.observation_key(SPECTATORS) == state.observation_key(SPECTATORS)


def _best_guess(world: State, seat: int) -> int:
    scores = world.score_actions(seat)
    return world.legal_actions(seat)[scores.index(max(scores))]
