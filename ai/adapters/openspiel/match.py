"""Matches of our bots against OpenSpiel's bots: each on its own engine, on the same deals, with the seats exchanged.

Both engines play the game side by side. OpenSpiel's bot is asked about OpenSpiel's own C++ state, on which its search runs
at full speed and from which it draws its own worlds; ours is asked about our State. Our deal decides: the caller's `chance`
says which chance outcomes are the same deal there, and every action is applied on both sides.
"""
from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from seatmate.ai.arena.statistics import mean_and_interval
from seatmate.ai.bots import Bot, BotSpec, make_bot, parse_bot
from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.rng import Stream, random_words

Chance = Callable[[State, Any], Iterator[int]]
"""Their chance outcomes that give our deal, one after the other; the iterator looks at our state after each of its steps."""

PeerFactory = Callable[[Any, int, int], Any]
"""A fresh OpenSpiel bot (anything with `step(state) -> action`) for (their game, seat, 31-bit seed)."""


class MatchError(SeatmateError):
    """The two engines disagree about whose turn it is, what is legal, or what a game was worth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """A finished match. Equal arguments give equal results where neither bot has a time budget and theirs keeps to its seed.

    utilities: by deal and seat of our bot, its utility 0..1 · mean: over deals, of the mean over seats ·
    ci95: half width of its 95 % t-interval over deals · fair: what equal bots get on average, None where utilities do not
    add up to a constant · moves, seconds, slowest: decisions with a choice, and the wall seconds that they took together and
    at most, as (ours, theirs).
    """

    game: str
    bot: str
    deals: int
    seed: int
    utilities: tuple[tuple[float, ...], ...]
    mean: float
    ci95: float
    fair: float | None
    moves: tuple[int, int]
    seconds: tuple[float, float]
    slowest: tuple[float, float]

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


class _Clock:
    """Counts the decisions of one side and the time they take."""

    def __init__(self) -> None:
        self.moves = 0
        self.seconds = 0.0
        self.slowest = 0.0

    def time(self, choose: Callable[[], int]) -> int:
        started = time.perf_counter()
        action = int(choose())
        taken = time.perf_counter() - started
        self.moves += 1
        self.seconds += taken
        self.slowest = max(self.slowest, taken)
        return action


class PeerMatch:
    """Our `game` and the OpenSpiel game `peer_game` (sequential, same rules, same action numbers) side by side.

    `returns`: turns our utilities into theirs, to compare the ends of games (None: not compared).
    """

    def __init__(self, game: Game, peer_game: Any, chance: Chance, *, returns: Callable[[float], float] | None = None) -> None:
        self.game = game
        self.peer_game = peer_game
        self.chance = chance
        self.returns = returns

    def play_game(self, seed: int, ours: dict[int, Bot], theirs: dict[int, Any],
                  clocks: tuple[_Clock, _Clock] | None = None) -> list[float]:
        """Play the deal of a table seed; every seat has a bot of ours or of theirs. Our utilities. Raises MatchError."""
        our_clock, their_clock = clocks or (_Clock(), _Clock())
        state = self.game.new_state(seed, record_events=False)
        mirror = self.peer_game.new_initial_state()
        outcomes = self.chance(state, mirror)
        while True:
            while mirror.is_chance_node():
                mirror.apply_action(next(outcomes))
            if state.is_over or mirror.is_terminal():
                break
            seat = mirror.current_player()
            legal = mirror.legal_actions()
            if seat != state.pending[0] or legal != state.legal_actions(seat):
                raise MatchError(f"OpenSpiel asks seat {seat} to choose from {legal}, we ask seat {state.pending[0]} "
                                 f"to choose from {state.legal_actions(state.pending[0])}")
            if len(legal) == 1:
                action = legal[0]
            elif seat in ours:
                action = our_clock.time(lambda seat=seat: ours[seat].choose(state, seat))  # type: ignore[misc]
            else:
                action = their_clock.time(lambda seat=seat: theirs[seat].step(mirror))  # type: ignore[misc]
            state.apply_action(seat, action)
            mirror.apply_action(action)
        if not (state.is_over and mirror.is_terminal()):
            raise MatchError(f"the game is over {'here' if state.is_over else 'there'} and goes on on the other side")
        utilities = state.returns()
        if self.returns is not None:
            expected = [self.returns(value) for value in utilities]
            if not all(math.isclose(a, b, abs_tol=1e-6) for a, b in zip(expected, mirror.returns(), strict=True)):
                raise MatchError(f"a game was worth {utilities} here and {mirror.returns()} there")
        return utilities

    def play(self, bot: str | BotSpec, peer: PeerFactory, *, deals: int, seed: int,
             progress: Callable[[int, int], None] | None = None) -> MatchResult:
        """Play each deal once for every seat that our bot can have; the peer fills the others. Blocks.

        `progress(games done, games in all)`. Raises BotError, MatchError, ValueError for fewer than two deals.
        """
        spec = parse_bot(bot)
        if deals < 2:
            raise ValueError(f"{deals} deals are too few for an interval; at least 2 are needed")
        seats = self.game.seats
        clocks = (_Clock(), _Clock())
        utilities = []
        fair = set()
        for deal in range(deals):
            table, *words = random_words(seed, (int(Stream.DEALS), deal), 1 + seats)
            row = []
            for own in range(seats):
                peers = {seat: peer(self.peer_game, seat, words[seat] >> 33) for seat in range(seats) if seat != own}
                result = self.play_game(table, {own: make_bot(spec, words[own])}, peers, clocks)
                fair.add(round(math.fsum(result) / seats, 9))
                row.append(result[own])
                if progress is not None:
                    progress(deal * seats + own + 1, deals * seats)
            utilities.append(tuple(row))
        mean, half = mean_and_interval([math.fsum(row) / seats for row in utilities])
        ours, theirs = clocks
        return MatchResult(
            game=self.game.spec.id, bot=str(spec), deals=deals, seed=seed, utilities=tuple(utilities), mean=mean, ci95=half,
            fair=fair.pop() if len(fair) == 1 else None, moves=(ours.moves, theirs.moves),
            seconds=(ours.seconds, theirs.seconds), slowest=(ours.slowest, theirs.slowest))


def play_match(game: Game, peer_game: Any, bot: str | BotSpec, peer: PeerFactory, *, deals: int, seed: int,
               chance: Chance = lambda state, mirror: iter(()), returns: Callable[[float], float] | None = None,
               progress: Callable[[int, int], None] | None = None) -> MatchResult:
    """`PeerMatch(game, peer_game, chance, returns=returns).play(bot, peer, deals=deals, seed=seed)` in one call."""
    return PeerMatch(game, peer_game, chance, returns=returns).play(bot, peer, deals=deals, seed=seed, progress=progress)
