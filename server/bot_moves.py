"""What a bot at a finished table had in mind: its decision found again in the log, and its search set up as it was."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import grpc.aio

from seatmate.ai.bots import make_bot, parse_bot
from seatmate.ai.search import Search
from seatmate.engine.core.game import Game
from seatmate.engine.core.rng import Stream, random_words
from seatmate.engine.core.scene import Touch
from seatmate.server.config import SearchLimits
from seatmate.server.convert import touches
from seatmate.server.errors import ApiError, Code
from seatmate.server.live import LiveTable
from seatmate.server.thinking import Plan, plan_of
from seatmate.v1 import analysis_pb2

STAND_IN = 1_000
"""Iterations of the search that stands in for a bot which has none."""


def bot_seed(table_seed: int, seat: int) -> int:
    """The seed of the bot on a seat: it follows from the table's secret, so that a table with a given seed is repeatable."""
    return random_words(table_seed, (int(Stream.POLICY), seat), 1)[0] >> 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BotDecision:
    """One decision of a bot. log: (seat, action) of all before it · searches: does the bot · iterations: of its search; 0: within a
    time · played: its action."""

    game: Game
    table_seed: int
    log: tuple[tuple[int, int], ...]
    seat: int
    bot: str
    played: int

    @property
    def searches(self) -> bool:
        """Does the bot search?"""
        return self._limits is not None

    @property
    def iterations(self) -> int:
        """Of the search; 0: it ends with its time."""
        limits = self._limits
        return STAND_IN if limits is None else limits.iterations or 0

    @property
    def _limits(self) -> Any:
        return parse_bot(self.bot).resolve(self.game.spec).limits

    def plan(self, limits: SearchLimits, context: grpc.aio.ServicerContext[Any, Any]) -> Plan:
        """As much thinking as the bot had, within what the service allows. Raises ApiError."""
        own = self._limits
        time_ms = 0 if own is None or own.time_ms is None else max(1, int(own.time_ms))
        budget = analysis_pb2.Budget(iterations=min(self.iterations, limits.max_iterations),
                                     time_ms=min(time_ms, limits.max_time_ms))
        return plan_of(budget, limits, context, limits.default_time_ms, depth=None if own is None else own.depth)

    def search(self) -> tuple[Search, Mapping[int, Touch]]:
        """The bot's search, still to be simulated; another one where it does not search. In a worker's thread."""
        state = self.game.new_state(self.table_seed)
        for seat, action in self.log:
            state.apply_action(seat, action)
        seed = bot_seed(self.table_seed, self.seat)
        world = state.resample_from_infostate(self.seat, seed)
        search = make_bot(self.bot, seed).same_search(world, self.seat) or Search(world, self.seat, seed=seed)
        return search, touches(world, self.seat)


def bot_decision(table: LiveTable, seat: int, sequence: int) -> BotDecision:
    """The decision that the bot on this seat took right after the seat's event of this number. Raises ApiError."""
    holder = table.seats[seat]
    if not table.is_over:
        raise ApiError(Code.FAILED_PRECONDITION, "GAME_NOT_OVER", "a bot says what it had in mind once the game is over")
    if holder.holder == "player":
        raise ApiError(Code.FAILED_PRECONDITION, "SEAT_TAKEN", f"a player sits on seat {seat}, and no bot; ReviewGame looks back "
                       "on it")
    if holder.holder != "bot":
        raise ApiError(Code.FAILED_PRECONDITION, "SEAT_OPEN", f"nobody sits on seat {seat}")
    number = next((number for number, step in enumerate(table.steps)
                   if step.seat == seat and step.before == sequence and step.action >= 0), None)
    if number is None:
        raise ApiError(Code.FAILED_PRECONDITION, "SEAT_NOT_ASKED", f"seat {seat} decided nothing right after its event {sequence}",
                       metadata={"sequence": table.state.sequence(seat)})
    return BotDecision(game=table.game, table_seed=table.row.seed, seat=seat, bot=holder.bot, played=table.steps[number].action,
                       log=tuple((step.seat, step.action) for step in table.steps[:number]))
