"""Bots at tables: whenever a bot's seat is asked something, one task thinks and acts for it."""
from __future__ import annotations

import asyncio
import functools
import logging

from sqlalchemy.exc import SQLAlchemyError

from seatmate.ai.bots import BotError, list_bots, make_bot, parse_bot
from seatmate.ai.search.limits import memory_for
from seatmate.engine.core.game import State
from seatmate.engine.core.rng import Stream, random_words
from seatmate.server.config import SearchLimits
from seatmate.server.errors import ApiError, bad_field
from seatmate.server.live import LiveTable
from seatmate.server.metrics import Metrics
from seatmate.server.rows import SeatRow
from seatmate.server.search_pool import Lane, SearchPool
from seatmate.server.tables import Tables

log = logging.getLogger(__name__)

_LONGEST_TEXT = 200
_FIRST_PAUSE_S = 0.2
_LONGEST_PAUSE_S = 30.0


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
    """Keeps one task for every bot seat that is asked something."""

    def __init__(self, tables: Tables, pool: SearchPool, limits: SearchLimits, metrics: Metrics) -> None:
        self._tables = tables
        self._metrics = metrics
        self._pool = pool
        self._longest_s = limits.max_time_ms / 1000
        self._tasks: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._steps: dict[tuple[str, int], tuple[int, float]] = {}    # the public step a bot is in, and when it began
        tables.on_change = self.poke

    def poke(self, table: LiveTable) -> None:
        """Something has changed at the table: see to it that its bots think, and nobody who is not a bot there any more."""
        for (table_id, seat), task in self._tasks.items():
            if table_id == table.id and (table.deleted or table.seats[seat].holder != "bot"):
                task.cancel()
        if table.deleted or not table.state.pending:
            self._steps = {key: step for key, step in self._steps.items() if key[0] != table.id}
        if self._tables.stopping or table.deleted:
            return
        for seat in table.state.pending:
            key = (table.id, seat)
            if table.seats[seat].holder == "bot" and (key not in self._tasks or self._tasks[key].done()):
                self._tasks[key] = asyncio.create_task(self._play(table.id, seat))
                self._tasks[key].add_done_callback(functools.partial(self._done, key))

    def _done(self, key: tuple[str, int], task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]

    async def stop(self) -> None:
        """End all thinking; the next start takes it up again."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, table_id: str, seat: int) -> None:
        """Act for the seat as long as a bot has it and it is asked."""
        pause = _FIRST_PAUSE_S
        while True:
            try:
                async with self._tables.use(table_id) as table:
                    while (not table.deleted and table.seats[seat].holder == "bot" and seat in table.state.pending):
                        await self._act(table, table.seats[seat])
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

    async def _act(self, table: LiveTable, holder: SeatRow) -> None:
        """One decision of the bot."""
        seat = holder.seat
        loop = asyncio.get_running_loop()
        began = loop.time()
        sequence = table.state.sequence(seat)
        legal = table.state.legal_actions(seat)
        step = max(event.sequence for event in table.state.events(seat) if event.key == "BUSY")
        if self._steps.get((table.id, seat), (0, 0.0))[0] != step:
            self._steps[table.id, seat] = (step, began)
        action = legal[0] if len(legal) == 1 else await self._choose(table, holder)
        # The pace counts from the start of the public step: how many questions it took is the seat's own business.
        await asyncio.sleep(max(0.0, self._steps[table.id, seat][1] + holder.pace_ms / 1000 - loop.time()))
        await self._tables.submit_for_bot(table, holder, action, sequence)
        kind = holder.bot.partition(":")[0]
        self._metrics.bot_move(kind if any(kind == bot.id for bot in list_bots()) else "unknown")

    async def _choose(self, table: LiveTable, holder: SeatRow) -> int:
        """What the bot answers. It gets a world sampled from its seat's knowledge; its chance comes from the table's
        secret, so that a table with a given seed is repeatable, across restarts too.
        """
        seat = holder.seat
        seed = random_words(table.row.seed, (int(Stream.POLICY), seat), 1)[0] >> 1
        world = table.state.resample_from_infostate(seat, seed)
        try:
            bot = make_bot(holder.bot, seed)
            if not bot.thinks:
                return bot.choose(world, seat)
            action = await self._pool.run(lambda stop: bot.choose(world, seat, stop=stop), Lane.BOT, at_most_s=self._longest_s)
            self._metrics.simulations(Lane.BOT.value, bot.simulations)
            return action
        except ApiError:
            raise
        except Exception:   # a bot that fails must not hold up the table
            log.exception("a bot failed; its heuristic plays this decision", extra={"table": table.id, "seat": seat})
            return _best_guess(world, seat)


def _best_guess(world: State, seat: int) -> int:
    scores = world.score_actions(seat)
    return world.legal_actions(seat)[scores.index(max(scores))]
