"""Calibration: which bots are the eight levels of a game, so that each beats the one below by about the same.

The players that are tried lie on one path from weak to strong, `bot_at(x)` for x in 0..1: first the heuristic with ever smaller
errors of judgement and fewer overlooked answers, then short searches that err less and less, then longer ones. (Fewer iterations
alone are no level: one iteration already never errs as a beginner does.) Points along it play each other on the same deals, seats
exchanged; their strengths are fitted together and made to rise along either half of the path (isotonic regression), and what the
heuristic reaches is not searched for; the levels are put where the fit says that the steps are right, play their neighbours, and
the fit is made again with these games. At last the levels are measured on deals that had no say in choosing them.

Strength is a Bradley-Terry rating in Elo; in cooperative games, where each fills all seats, mean utility.
"""
from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from seatmate.ai.arena.backends import BackendName
from seatmate.ai.arena.plans import Lineup, seat_plans
from seatmate.ai.arena.ratings import ELO, Array, comparisons, fit, rate
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.arena.statistics import mean_and_interval
from seatmate.ai.arena.tournament import MAX_DEALS, Progress, check_amounts, play_spec
from seatmate.ai.bots import make_bot
from seatmate.ai.levels import NAMES, Level, Levels, Step
from seatmate.engine.core.registry import new_game
from seatmate.engine.core.rng import Stream, random_words

STEP_ELO = 85.0
"""Between neighbours where a game allows it: a score of 62 %."""

GRID = (0.0, 0.1, 0.2, 0.3, 0.4, 0.499, 0.5, 0.58, 0.66, 0.74, 0.82, 0.91, 1.0)
"""Points of the path in the first round."""

HALF = 0.5
"""Where searches begin on the path."""

ROUNDS = 3
"""In which the levels are put anew."""

_WORST_NOISE, _LEAST_NOISE, _OVERLOOK = 1.0, 0.01, 0.4
_FIRST_ITERATIONS, _MOST_SEARCH_NOISE, _LEAST_SEARCH_NOISE = 8, 0.2, 0.004      # the first search is no stronger than the heuristic
_FADING = 0.4       # of what earlier rounds count: games of players far apart say little of small steps (no model holds that far)
_APART = 0.015      # of the path: where games can't tell levels from each other, they are others all the same
_RANDOM = "random"


def bot_at(x: float, iterations: int) -> str:
    """The bot at a point of the path, 0 weak to 1 strong; the last one searches for so many iterations."""
    if not 0 <= x <= 1:
        raise ValueError(f"{x} is outside 0..1")
    if x < HALF:
        share = 2 * x
        noise = _WORST_NOISE * (_LEAST_NOISE / _WORST_NOISE) ** share
        return f"player:noise={noise:.3g}:overlook={_OVERLOOK * (1 - share):.2g}"
    share = 2 * x - 1
    count = round(_FIRST_ITERATIONS * (iterations / _FIRST_ITERATIONS) ** share)
    if share == 1:
        return f"player:iterations={count}"
    noise = _MOST_SEARCH_NOISE * (_LEAST_SEARCH_NOISE / _MOST_SEARCH_NOISE) ** share
    depth = ":depth=2" if share < 0.25 else ""
    return f"player:noise={noise:.2g}:iterations={count}{depth}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelsProgress:
    """Round of rounds (the last one measures), games of this round."""

    round: int
    rounds: int
    games: int
    games_total: int


@dataclass(slots=True)
class _Path:
    """What is known of points on the path."""

    cooperative: bool
    bots: list[str] = field(default_factory=list)
    places: list[float] = field(default_factory=list)
    wins: Array = field(default_factory=lambda: np.zeros((0, 0)))
    utility: list[list[float]] = field(default_factory=list)       # cooperative: of every deal

    def add(self, x: float, bot: str) -> int:
        """The number of a point, a new one where it is not known."""
        if bot in self.bots:
            return self.bots.index(bot)
        self.bots.append(bot)
        self.places.append(x)
        self.utility.append([])
        size = len(self.bots)
        grown = np.zeros((size, size))
        grown[:size - 1, :size - 1] = self.wins
        self.wins = grown
        return size - 1

    def learn(self, numbers: Sequence[int], utilities: Array, lineups: Sequence[Lineup]) -> None:
        """Take the games of a round between these points."""
        if self.cooperative:
            for own, lineup in enumerate(lineups):
                self.utility[numbers[lineup[0]]] += utilities[:, own].mean(axis=1).tolist()
            return
        won = comparisons(utilities, lineups, len(numbers), False).sum(axis=0)
        self.wins *= _FADING
        self.wins[np.ix_(numbers, numbers)] += won

    def curves(self) -> list[tuple[Array, Array]]:
        """(places, strength) along either half of the path, rising."""
        from scipy.optimize import isotonic_regression

        order = np.argsort(self.places)
        if self.cooperative:
            strength = np.array([statistics.fmean(values) for values in self.utility])
            weights = np.array([float(len(values)) for values in self.utility])
        else:
            strength = fit(self.wins)
            weights = (self.wins + self.wins.T).sum(axis=1)
        places, halves = np.array(self.places)[order], []
        for own in (places < HALF, places >= HALF):
            rising = isotonic_regression(strength[order][own], weights=weights[order][own]).x
            halves.append((places[own], np.asarray(rising, dtype=np.float64)))
        return halves


def targets(least: float, most: float, step: float) -> list[float]:
    """The strengths of the levels: steps of this size down from the strongest, or smaller ones where there is no room."""
    size = min(step, (most - least) / (len(NAMES) - 1))
    return [most - size * below for below in reversed(range(len(NAMES)))]


def place_of(strength: float, curves: Sequence[tuple[Array, Array]]) -> float:
    """Where on the path a strength is reached first: by the heuristic, if it can; in the middle of a stretch of equal ones."""
    places, curve = next((half for half in curves if half[1][-1] >= strength), curves[-1])
    low = float(np.interp(strength - 1e-9, curve, places))
    return (low + float(np.interp(strength + 1e-9, curve, places))) / 2


def apart(places: Sequence[float], least: float = _APART) -> list[float]:
    """Rising places moved so far that each is at least so much above the one before; the highest stays."""
    moved = list(places)
    for number in reversed(range(len(moved) - 1)):
        moved[number] = min(moved[number], moved[number + 1] - least)
    short = max(0.0, -moved[0])
    return [place if not short else max(place, least * number) for number, place in enumerate(moved)]


def run_levels(
    game_id: str, *, deals: int, seed: int, iterations: int = 1000, seats: int | None = None, mode: str | None = None,
    options: Mapping[str, Any] | None = None, pack: str | None = None, workers: int | None = None, backend: BackendName = "local",
    progress: Callable[[LevelsProgress], None] | None = None,
) -> Levels:
    """Find the levels of a game and measure them. Blocks.

    deals: of the last measurement, on which every neighbour pair plays in every seating; each round before has half of them ·
    iterations: of the strongest level's searches. The rest, and the errors, are as in `run_tournament`.
    """
    check_amounts(deals, workers)
    table: dict[str, Any] = {"seats": seats, "mode": mode, "options": options, "pack": pack}
    game = new_game(game_id, **table)
    path = _Path(game.cooperative)
    few = max(2, deals // 2)

    def play(number: int, bots: Sequence[str], pairs: Sequence[tuple[int, int]], amount: int) -> tuple[TournamentSpec, Array]:
        """The games of one round, on deals of its own."""
        own = random_words(seed, (int(Stream.DEALS), MAX_DEALS + number), 1)[0]
        plans = seat_plans(2, game.seats, False, "auto")
        lineups = ([(bot,) * game.seats for bot in range(len(bots))] if game.cooperative
                   else [tuple(pair[bot] for bot in plan) for pair in pairs for plan in plans])
        spec = TournamentSpec.create(game_id, bots=list(bots), seed=own, lineups=lineups, **table)

        def tell(now: Progress) -> None:
            if progress is not None:
                progress(LevelsProgress(round=number + 1, rounds=ROUNDS + 2, games=now.games, games_total=now.games_total))

        return spec, np.array(play_spec(spec, amount, workers=workers, backend=backend, progress=tell).deals, dtype=np.float64)

    def explore(number: int, places: Sequence[float], reach: int) -> None:
        points = list(dict.fromkeys(path.add(x, bot_at(x, iterations)) for x in places))
        pairs = [(a, b) for a in range(len(points)) for b in range(a + 1, min(a + reach + 1, len(points)))]
        spec, utilities = play(number, [path.bots[point] for point in points], pairs, few)
        path.learn(points, utilities, spec.lineups)

    explore(0, GRID, 3)
    step = (math.inf if game.cooperative else STEP_ELO / ELO)
    places: list[float] = []
    for number in range(1, ROUNDS + 2):
        curves = path.curves()
        wanted = targets(float(curves[0][1][0]), max(float(curve[-1]) for _, curve in curves), step)
        places = apart([*[place_of(strength, curves) for strength in wanted[:-1]], 1.0])
        if number <= ROUNDS:
            explore(number, places, 2)
    return _measured(game_id, table, [bot_at(x, iterations) for x in places], play, deals, seed)


def _measured(game_id: str, table: Mapping[str, Any], bots: Sequence[str], play: Callable[..., tuple[TournamentSpec, Array]],
              deals: int, seed: int) -> Levels:
    """The levels with what fresh deals say of them, and of `random`, whose rating is 0."""
    everyone = [_RANDOM, *bots]
    pairs = [(a, b) for a in range(len(everyone)) for b in range(a + 1, min(a + 3, len(everyone)))]
    spec, utilities = play(ROUNDS + 1, everyone, pairs, deals)
    levels = []
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
        steps = [_score(spec, utilities, number + 1, number) for number in range(1, len(bots))]
    for number, (name, bot) in enumerate(zip(NAMES, bots, strict=True)):
        levels.append(Level(name=name, bot=bot, rating=ratings[number + 1],
                            step=Step(mean=steps[number - 1][0], ci95=steps[number - 1][1]) if number else None,
                            ms=move_times(game_id, bot, table, seed)))
    settings = spec.settings
    return Levels(levels=tuple(levels), unit="mean utility" if spec.cooperative else "Elo above random", measured={
        "game": game_id, "mode": settings["mode"], "seats": spec.seats, "pack": settings["pack"],
        "rules_version": spec.rules_version, "seatmate": spec.seatmate, "deals": deals, "seed": seed})


def _score(spec: TournamentSpec, utilities: Array, upper: int, lower: int) -> tuple[float, float]:
    """(mean, half width) of what the upper level scores against the lower one, by deal: 1/2 + half the difference."""
    chosen = [number for number, lineup in enumerate(spec.lineups) if set(lineup) == {upper, lower}]
    scores = []
    for number in chosen:
        mine = np.array(spec.lineups[number]) == upper
        scores.append(0.5 + (utilities[:, number, mine].mean(axis=1) - utilities[:, number, ~mine].mean(axis=1)) / 2)
    return mean_and_interval(np.mean(scores, axis=0).tolist())


def move_times(game_id: str, bot: str, table: Mapping[str, Any], seed: int, *, games: int = 2, most: int = 200,
               ) -> tuple[float, float, float]:
    """Milliseconds of half and of 99 % of a bot's moves with more than one answer, and the longest; on this machine, now."""
    game = new_game(game_id, **table)
    taken: list[float] = []
    for number in range(games):
        state = game.new_state(seed + number)
        seated = make_bot(bot, seed + number)
        while not state.is_over and len(taken) < most * (number + 1):
            seat = state.pending[0]
            began = time.perf_counter()
            action = seated.choose(state, seat)
            if len(state.legal_actions(seat)) > 1:
                taken.append(1000 * (time.perf_counter() - began))
            state.apply_action(seat, action)
    return float(np.median(taken)), float(np.quantile(taken, 0.99)), max(taken)
