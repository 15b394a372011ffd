"""Calibration: which bots are the eight levels of a game, so that each beats the one below by about the same.

The players that are tried lie on one path from weak to strong, `bot_at(x)` for x in 0..1: first the heuristic with ever smaller
errors of judgement and fewer overlooked answers, then searches, from the shortest that differs from it to longer ones.
(Searches alone are no path: one iteration already never errs as a beginner does. And a search with errors never comes near one
without: with the least noise it plays what has the highest mean, however seldom it was tried.) The strongest level is the end
of the path.

Each one below is sought where the one above beats it by the step: a place is tried on more and more deals, seats exchanged,
until they show that it is too weak or too strong, or are enough to be content. Where the path has no room for such steps they
are smaller. In cooperative games, where each fills all seats, the curve of mean utility over the path is measured, all places
on the same deals, and the levels are where it is 1/8, 2/8 ... of the strongest one's.

At last the levels are measured on deals that had no say in choosing them. Ratings are Bradley-Terry's in Elo, in cooperative
games mean utilities.
"""
from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from seatmate.ai.arena.backends import BackendName, backend_of
from seatmate.ai.arena.choices import choices_of, positions
from seatmate.ai.arena.plans import Lineup, seat_plans
from seatmate.ai.arena.ratings import Array, comparisons, rate
from seatmate.ai.arena.seeking import Sought, even_places, seek
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.arena.sprt import elo_to_score, score_to_elo
from seatmate.ai.arena.statistics import mean_and_interval
from seatmate.ai.arena.tournament import MAX_DEALS, check_amounts
from seatmate.ai.bots import make_bot
from seatmate.ai.levels import ELO_UNIT, NAMES, UTILITY_UNIT, Level, Levels, Step
from seatmate.engine.core.registry import new_game
from seatmate.engine.core.rng import Stream, random_words

STEP = 0.625
"""What a level should score against the one below, where a game allows it."""

ABOVE_CHANCE = 0.125
"""Of what the strongest scores against `random` beyond a half: the weakest should score so much."""

CONTENT = 0.12
"""Of a step: a place is good when its score is known to within so much."""

HALF = 0.5
"""Where searches begin on the path."""

_BEST_HEURISTIC = 0.499
_WORST_NOISE, _LEAST_NOISE, _OVERLOOK = 4.0, 0.001, 0.4
_FIRST_ITERATIONS = 2       # one of them plays as the heuristic does
_APART = 0.004      # of the path: where games can't tell levels from each other, they are others all the same
_CHAINS = 6         # how often the steps are made smaller where there is no room
_MEASURED = 0       # the number of the round that measures; the rounds that seek follow
_MORE = 4           # times the deals of the measurement are the most that one place is tried on
_RANDOM = "random"


def bot_at(x: float, iterations: int) -> str:
    """The bot at a point of the path, 0 weak to 1 strong; the last one searches for so many iterations."""
    if not 0 <= x <= 1:
        raise ValueError(f"{x} is outside 0..1")
    if x < HALF:
        share = 2 * x
        noise = _WORST_NOISE * (_LEAST_NOISE / _WORST_NOISE) ** share
        return f"player:noise={noise:.3g}:overlook={_OVERLOOK * (1 - share):.2g}"
    return f"player:iterations={round(_FIRST_ITERATIONS * (iterations / _FIRST_ITERATIONS) ** (2 * x - 1))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelsProgress:
    """What is done now, of what the games are; games of it so far, and the most that it will take."""

    doing: str
    games: int
    games_total: int


class _Rounds:
    """Games between bots at one kind of table, round by round, each round on deals of its own."""

    def __init__(self, game_id: str, table: Mapping[str, Any], seed: int, workers: int | None, backend: BackendName,
                 progress: Callable[[LevelsProgress], None] | None) -> None:
        game = new_game(game_id, **table)
        self.game_id, self.table, self.seed, self.cooperative, self.seats = game_id, table, seed, game.cooperative, game.seats
        self._workers, self._play, self._progress = workers, backend_of(backend), progress

    def spec(self, number: int, bots: Sequence[str], pairs: Sequence[tuple[int, int]]) -> TournamentSpec:
        """The games of each deal of a round: pairs in all seatings; in cooperative games each bot by itself."""
        own = random_words(self.seed, (int(Stream.DEALS), MAX_DEALS + number), 1)[0]
        plans = seat_plans(2, self.seats, False, "auto")
        lineups: list[Lineup] = ([(bot,) * self.seats for bot in range(len(bots))] if self.cooperative
                                 else [tuple(pair[bot] for bot in plan) for pair in pairs for plan in plans])
        return TournamentSpec.create(self.game_id, bots=list(bots), seed=own, lineups=lineups, **self.table)

    def play(self, spec: TournamentSpec, deals: range, doing: str, most: int) -> Array:
        """Utilities, shape (deals, lineups, seats)."""
        played: list[Any] = []
        with contextlib.closing(self._play(spec, deals, self._workers)) as batches:
            for batch in batches:
                played += batch
                if self._progress is not None:
                    self._progress(LevelsProgress(doing=doing, games=(deals.start + len(played)) * len(spec.lineups),
                                                  games_total=most * len(spec.lineups)))
        return np.array(played, dtype=np.float64)


def _even_utilities(rounds: _Rounds, iterations: int, deals: int) -> list[float]:
    """The places on the path where mean utility rises evenly, of a cooperative game."""
    def measure(x: float) -> float:
        bot = bot_at(x, iterations)
        return float(rounds.play(rounds.spec(_MEASURED + 1, [bot], []), range(deals), f"how strong {bot} is", deals).mean())

    return even_places(measure, len(NAMES))


class _Seeker:
    """Seeks levels on the path, of a game in which players beat each other."""

    def __init__(self, rounds: _Rounds, iterations: int, deals: int) -> None:
        self._rounds, self._iterations = rounds, iterations
        self._few, self._most = max(2, deals // 8), _MORE * deals
        self._number = _MEASURED
        self._weakest = 0.0

    def leave_out_chance(self) -> None:
        """Seek no level where the path begins, if that is no better than `random`."""
        self._number += 1
        share = ABOVE_CHANCE * (self._seek(0.5, 1.0, 1.0, 0.0, _RANDOM, "the strongest and chance").mean - 0.5)
        self._weakest = self._seek(0.5 + share, 0.0, _BEST_HEURISTIC, share / 2, _RANDOM, "the weakest and chance").place

    def place(self, wanted: float, content: float, upper: float, doing: str) -> Sought:
        """Where on the path below `upper` this is reached first: by the heuristic, if it can."""
        self._number += 1
        above = bot_at(upper, self._iterations)
        high = max(self._weakest, upper - _APART)
        if high <= HALF:
            return self._seek(wanted, self._weakest, high, content, above, doing)
        best = self._try_at(_BEST_HEURISTIC, wanted, content, upper, doing)
        if best.good:
            return best
        low, top = (HALF, high) if best.mean < wanted else (self._weakest, _BEST_HEURISTIC)
        found = self._seek(wanted, low, top, content, above, doing)
        return min(best, found, key=lambda sought: (not sought.good, abs(sought.mean - wanted)))

    def chain(self, step: float) -> tuple[list[float], float]:
        """(places, step that there seems to be room for): where that is much less, the last places are only shared out evenly."""
        places, content = [1.0], CONTENT * (step - 0.5)
        for below in range(1, len(NAMES)):
            doing = f"{NAMES[-1 - below]}, steps of {step:.1%}"
            found = self.place(1 - step, content, places[0], doing)
            if not found.good and found.mean > 1 - step:
                weakest = self._try_at(self._weakest, 1 - step, content, places[0], doing)
                if not weakest.good and weakest.mean > 1 - step:
                    rest = np.linspace(self._weakest, places[0], len(NAMES) - below, endpoint=False).tolist()
                    return rest + places, _even(step, below - 1, weakest)
            places.insert(0, found.place)
        if step == STEP:
            return places, step
        room = _even(step, len(NAMES) - 1, self._try_at(self._weakest, 1 - step, content, places[0], "the weakest"))
        return places, min(room, STEP)

    def _try_at(self, x: float, wanted: float, content: float, upper: float, doing: str) -> Sought:
        """What games say of one place."""
        return self._seek(wanted, x, x, content, bot_at(upper, self._iterations), doing)

    def _seek(self, wanted: float, low: float, high: float, content: float, opponent: str, doing: str) -> Sought:
        """Where players of the path score as wanted against one opponent."""
        def measure(x: float, deals: range) -> Array:
            spec = self._rounds.spec(self._number, [bot_at(x, self._iterations), opponent], [(0, 1)])
            return _scores(spec, self._rounds.play(spec, deals, doing, self._most), 0, 1)

        return seek(measure, wanted, low, high, content=content, few=self._few, most=self._most)


def bots_at(places: Sequence[float], iterations: int) -> list[str]:
    """The bots at these places, weak to strong; where two would be the same, the lower one is the next that is another."""
    bots = [bot_at(places[-1], iterations)]
    for x in reversed(places[:-1]):
        while x > 0 and bot_at(x, iterations) in bots:
            x = max(0.0, x - _APART)
        bots.insert(0, bot_at(x, iterations))
    return bots


def _even(step: float, steps: int, last: Sought) -> float:
    """The step when so many of this size, and what is left to the weakest player, are shared out evenly."""
    return elo_to_score((steps * score_to_elo(step) + max(0.0, score_to_elo(1 - last.mean))) / (len(NAMES) - 1))


def run_levels(
    game_id: str, *, deals: int, seed: int, iterations: int = 1000, seats: int | None = None, mode: str | None = None,
    options: Mapping[str, Any] | None = None, pack: str | None = None, workers: int | None = None, backend: BackendName = "local",
    progress: Callable[[LevelsProgress], None] | None = None,
) -> Levels:
    """Find the levels of a game and measure them. Blocks.

    deals: of the last measurement, on which every neighbour pair plays in every seating; a place on the path is tried on an
    eighth of them to four times as many, in cooperative games on as many · iterations: of the strongest level's searches. The
    rest, and the errors, are as in `run_tournament`.
    """
    check_amounts(deals, workers)
    rounds = _Rounds(game_id, {"seats": seats, "mode": mode, "options": options, "pack": pack}, seed, workers, backend, progress)
    if rounds.cooperative:
        places = _even_utilities(rounds, iterations, deals)
    else:
        seeker = _Seeker(rounds, iterations, deals)
        seeker.leave_out_chance()
        step = STEP
        for _ in range(_CHAINS):
            places, room = seeker.chain(step)
            if abs(room - step) <= CONTENT * (step - 0.5):
                break
            step = room
    found = Levels(levels=tuple(Level(name=name, bot=bot) for name, bot in zip(NAMES, bots_at(places, iterations), strict=True)),
                   measured={})
    return _measured(rounds, found, deals)


def measure_levels(
    levels: Levels, game_id: str, *, deals: int, seed: int, seats: int | None = None, mode: str | None = None,
    options: Mapping[str, Any] | None = None, pack: str | None = None, workers: int | None = None, backend: BackendName = "local",
    progress: Callable[[LevelsProgress], None] | None = None,
) -> Levels:
    """The same bots, measured anew. Blocks. The arguments, and the errors, are as in `run_levels`."""
    check_amounts(deals, workers)
    rounds = _Rounds(game_id, {"seats": seats, "mode": mode, "options": options, "pack": pack}, seed, workers, backend, progress)
    return _measured(rounds, levels, deals)


def _measured(rounds: _Rounds, levels: Levels, deals: int) -> Levels:
    """The levels with what fresh deals say of them, and of `random`, whose rating is 0."""
    bots = [level.bot for level in levels.levels]
    everyone = [_RANDOM, *bots]
    pairs = [(a, b) for a in range(len(everyone)) for b in range(a + 1, min(a + 3, len(everyone)))]
    spec = rounds.spec(_MEASURED, everyone, pairs)
    utilities = rounds.play(spec, range(deals), "measuring", deals)
    if spec.cooperative:
        means = [utilities[:, number].mean(axis=1) for number in range(len(everyone))]
        rows = [mean_and_interval(values.tolist()) for values in means]
        ratings = [(mean, max(0.0, mean - half), min(1.0, mean + half)) for mean, half in rows]
        steps = [mean_and_interval((means[number + 1] - means[number]).tolist(), span=2.0) for number in range(1, len(bots))]
    else:
        found = {row.bot: row for row in rate(comparisons(utilities, spec.lineups, len(everyone), False), everyone,
                                              anchor=_RANDOM).ratings}
        ratings = [(row.elo, -math.inf if row.low is None else row.low, math.inf if row.high is None else row.high)
                   for row in (found[bot] for bot in everyone)]
        steps = [mean_and_interval(_scores(spec, utilities, number + 1, number).tolist()) for number in range(1, len(bots))]
    same = positions(rounds.game_id, rounds.table)
    measured = tuple(
        replace(level, rating=ratings[number + 1],
                step=Step(mean=steps[number - 1][0], ci95=steps[number - 1][1]) if number else None,
                ms=move_times(rounds.game_id, level.bot, rounds.table, rounds.seed),
                choices=choices_of(level.bot, same)) for number, level in enumerate(levels.levels))
    settings = spec.settings
    graded = not spec.cooperative and spec.seats == 2 and not np.isin(utilities, (0.0, 0.5, 1.0)).all()
    return Levels(levels=measured, unit=UTILITY_UNIT if spec.cooperative else ELO_UNIT, graded=graded, measured={
        "game": rounds.game_id, "mode": settings["mode"], "seats": spec.seats, "pack": settings["pack"],
        "rules_version": spec.rules_version, "seatmate": spec.seatmate, "deals": deals, "seed": rounds.seed})


def _scores(spec: TournamentSpec, utilities: Array, upper: int, lower: int) -> Array:
    """What the upper of two bots scores against the lower one, by deal: 1/2 + half the difference."""
    scores = []
    for number, lineup in enumerate(spec.lineups):
        if set(lineup) == {upper, lower}:
            mine = np.array(lineup) == upper
            scores.append(0.5 + (utilities[:, number, mine].mean(axis=1) - utilities[:, number, ~mine].mean(axis=1)) / 2)
    mean: Array = np.mean(scores, axis=0)
    return mean


def move_times(game_id: str, bot: str, table: Mapping[str, Any], seed: int, *, games: int = 2, most: int = 200,
               ) -> tuple[float, float, float]:
    """Milliseconds of the processor that half and 99 % of a bot's moves with more than one answer take, and the longest; on this
    machine, whatever else it does."""
    game = new_game(game_id, **table)
    taken: list[float] = []
    for number in range(games):
        state = game.new_state(seed + number)
        seated = make_bot(bot, seed + number)
        while not state.is_over and len(taken) < most * (number + 1):
            seat = state.pending[0]
            began = time.process_time()
            action = seated.choose(state, seat)
            if len(state.legal_actions(seat)) > 1:
                taken.append(1000 * (time.process_time() - began))
            state.apply_action(seat, action)
    return float(np.median(taken)), float(np.quantile(taken, 0.99)), max(taken)
