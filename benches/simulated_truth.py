"""Do the statistics of tournaments keep their word? Simulated tournaments of bots whose strengths are known.

Intervals: how often the 95 % intervals of means, differences, scores and ratings hold the truth, over many tournaments; the goal
is 93 to 97 %. Tests: how often a sequential test ends with the wrong verdict, where alpha and beta promise 5 %, and after how
many deals on average; beyond doubt wrong is a share whose own 95 % interval lies above the promise.

duel: pairs of games of two seats with draws, on deals that favour one seat · graded: the same with utilities in steps of a
hundredth · table: three seats, one winner, deals that favour seats. Three bots each. The luck of a deal is common to all its games.
The truth is what 400,000 deals say.
"""
from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

import command_line
import machine
from seatmate.ai.arena import Sprt, comparisons, rate, seat_plans
from seatmate.ai.arena.ratings import ELO, fit
from seatmate.ai.arena.sprt import PENTANOMIAL, UNSEEN
from seatmate.ai.arena.statistics import mean_and_interval, paired_difference, ratio_and_interval

Numbers = NDArray[np.float64]

STRENGTHS = np.array([0.0, 0.3, 0.9])       # of the bots, log odds
LUCK = 0.8                                  # log odds by which a deal favours a seat; standard deviation
DRAWS = 0.3                                 # share of the games of a duel that nobody wins
TRUTH_DEALS = 400_000
NAMES = ("means", "differences", "scores", "ratings")
GOAL = (0.93, 0.97)
BOTS = ("random", "heuristic", "search")    # names only: nobody plays
PROMISE = 0.05                              # alpha and beta of the tests
LOOKS = 40                                  # halvings until a tilt is known to 1e-12 of its bracket


# ---- Tournaments ----

def duel(rng: np.random.Generator, deals: int, lineups: Sequence[tuple[int, ...]]) -> Numbers:
    """Utilities, shape (deals, lineups, 2), with draws."""
    luck = rng.normal(0, LUCK, deals)[:, None]
    gap = np.array([STRENGTHS[first] - STRENGTHS[second] for first, second in lineups])
    won = (rng.random((deals, len(lineups))) < 1 / (1 + np.exp(-(gap + luck)))).astype(np.float64)
    won[rng.random(won.shape) < DRAWS] = 0.5
    return np.stack([won, 1 - won], axis=2)


def graded(rng: np.random.Generator, deals: int, lineups: Sequence[tuple[int, ...]]) -> Numbers:
    """As `duel`, with shares in steps of a hundredth."""
    luck = rng.normal(0, LUCK, deals)[:, None]
    gap = np.array([STRENGTHS[first] - STRENGTHS[second] for first, second in lineups])
    mean = 1 / (1 + np.exp(-(gap + luck)))
    share = rng.beta(3 * mean, 3 * (1 - mean)).round(2)
    return np.stack([share, 1 - share], axis=2)


def table(rng: np.random.Generator, deals: int, lineups: Sequence[tuple[int, ...]]) -> Numbers:
    """Utilities, shape (deals, lineups, 3): one seat wins."""
    luck = rng.normal(0, LUCK, (deals, 1, 3))
    chance = STRENGTHS[np.array(lineups)] + luck + rng.gumbel(size=(deals, len(lineups), 3))
    won: Numbers = (chance == chance.max(axis=2, keepdims=True)).astype(np.float64)
    return won


KINDS: dict[str, tuple[int, Callable[[np.random.Generator, int, Sequence[tuple[int, ...]]], Numbers]]] = {
    "duel": (2, duel), "graded": (2, graded), "table": (3, table)}
"""Seats, and what plays."""


class Truth:
    """What is true of a kind of tournament. means: by bot · scores: by pair · elos: by bot, the first has 0."""

    def __init__(self, kind: str) -> None:
        self.seats, self.play = KINDS[kind]
        self.lineups = seat_plans(len(BOTS), self.seats, False, "all")
        utilities = self.play(np.random.default_rng(12345), TRUTH_DEALS, self.lineups)
        self.means = self.bot_means(utilities).mean(axis=0)
        wins = self.met(utilities).sum(axis=0)
        self.scores = wins / np.maximum(wins + wins.T, 1)
        strengths = fit(wins)
        self.elos = ELO * (strengths - strengths[0])

    def bot_means(self, utilities: Numbers) -> Numbers:
        """By deal and bot, as in a report."""
        seats = np.array(self.lineups)
        return np.stack([utilities[:, seats == bot].mean(axis=1) for bot in range(len(BOTS))], axis=1)

    def met(self, utilities: Numbers) -> Numbers:
        """The comparisons."""
        return comparisons(utilities, self.lineups, len(BOTS), False)


def coverage(kind: str, deals: int, tournaments: int, rated: int, seed: int) -> dict[str, Any]:
    """How often each kind of interval held the truth: (hits, intervals). rated: tournaments with ratings, which take longest."""
    truth = Truth(kind)
    rng = np.random.default_rng((seed, deals, *kind.encode()))
    hits = {name: [0, 0] for name in NAMES}

    def note(name: str, low: float, true: float, high: float) -> None:
        hits[name][0] += bool(low <= true <= high)
        hits[name][1] += 1

    for number in range(tournaments):
        utilities = truth.play(rng, deals, truth.lineups)
        means, met = truth.bot_means(utilities), truth.met(utilities)
        for bot in range(len(BOTS)):
            mean, half = mean_and_interval(means[:, bot].tolist())
            note("means", mean - half, truth.means[bot], mean + half)
        for a, b in ((0, 1), (0, 2), (1, 2)):
            mean, half = paired_difference(means[:, a].tolist(), means[:, b].tolist())
            note("differences", mean - half, truth.means[a] - truth.means[b], mean + half)
            score, half = ratio_and_interval(met[:, a, b], met[:, a, b] + met[:, b, a])
            note("scores", score - half, truth.scores[a, b], score + half)
        if number < rated:
            for rating in rate(met, BOTS, replicates=200).ratings:
                if rating.bot != BOTS[0]:
                    note("ratings", -math.inf if rating.low is None else rating.low, truth.elos[BOTS.index(rating.bot)],
                         math.inf if rating.high is None else rating.high)
    return {"kind": kind, "deals": deals, "tournaments": tournaments, **{name: tuple(found) for name, found in hits.items()}}


# ---- Sequential tests ----

def pairs_of_games(rng: np.random.Generator, tests: int, score: float) -> NDArray[np.intp]:
    """Which of the five outcomes each test's next deal has; the mean score is exactly this."""
    luck = np.where(rng.random(tests) < 0.5, -0.15, 0.15)
    points = np.zeros(tests, dtype=np.intp)
    for favour in (luck, -luck):
        won = score - DRAWS / 2 + favour
        place = rng.random(tests)
        points += np.where(place < won, 2, np.where(place < won + DRAWS, 1, 0))
    return points


def ratios(plan: Sprt, counts: Numbers) -> Numbers:
    """Sprt.llr of many tests at once; counts of the five outcomes, shape (tests, 5)."""
    seen = np.maximum(counts, UNSEEN)
    total = seen.sum(axis=1)
    shares = seen / total[:, None]
    found = np.zeros(len(counts))
    for score, sign in ((plan.score0, 1), (plan.score1, -1)):
        away = np.array(PENTANOMIAL) - score
        low, high = (shares[:, -1] - 1) / away[-1], (shares[:, 0] - 1) / away[0]
        for _ in range(LOOKS):
            middle = (low + high) / 2
            up = (shares * away / (1 + middle[:, None] * away)).sum(axis=1) > 0     # falls as the tilt rises
            low, high = np.where(up, middle, low), np.where(up, high, middle)
        found += sign * (shares * np.log1p(((low + high) / 2)[:, None] * away)).sum(axis=1)
    llr: Numbers = total * found
    return llr


def error_rate(elo0: float, elo1: float, truth: str, tests: int, seed: int) -> dict[str, Any]:
    """The share of tests with the wrong verdict where H0 or H1 is true, and the mean number of deals until the verdict."""
    plan = Sprt.from_elo(elo0, elo1, PROMISE, PROMISE)
    rng = np.random.default_rng((seed, int(elo0 * 10) % 2**32, int(elo1 * 10), *truth.encode()))
    score = plan.score0 if truth == "H0" else plan.score1
    counts, wrong, played, deals = np.zeros((tests, len(PENTANOMIAL))), 0, 0, 0
    while len(counts):
        counts[np.arange(len(counts)), pairs_of_games(rng, len(counts), score)] += 1
        deals += 1
        if deals < 2:
            continue
        llr = ratios(plan, counts)
        wrong += int((llr >= plan.upper).sum() if truth == "H0" else (llr <= plan.lower).sum())
        going = (llr > plan.lower) & (llr < plan.upper)
        played += deals * int((~going).sum())
        counts = counts[going]
    return {"elo0": elo0, "elo1": elo1, "truth": truth, "tests": tests, "wrong": wrong / tests, "deals": played / tests,
            "ci95": 1.96 * math.sqrt(max(wrong, 1) / tests * (1 - wrong / tests) / tests)}


# ---- The command ----

def main(arguments: Sequence[str] | None = None) -> int:
    parser = command_line.command(__doc__ or "", [
        "python benches/simulated_truth.py",
        "python benches/simulated_truth.py --tournaments 5000 --rated 1000 --tests 10000 --json truth.json",
        "python benches/simulated_truth.py --deals 20 50 --elo 40 --check"])
    whole = command_line.whole
    parser.add_argument("--tournaments", type=whole(10), default=1000, metavar="N", help="of each kind (%(default)s)")
    parser.add_argument("--rated", type=whole(0), default=300, metavar="N", help="so many of them with ratings (%(default)s)")
    parser.add_argument("--deals", type=whole(2), nargs="+", default=[30, 100, 300], metavar="N",
                        help="of a tournament (30 100 300)")
    parser.add_argument("--tests", type=whole(10), default=2000, metavar="N", help="sequential tests of each plan (%(default)s)")
    parser.add_argument("--elo", type=whole(1, 400), nargs="+", default=[60, 30, 15], metavar="N",
                        help="H1 of the tests against an H0 of 0 (60 30 15)")
    parser.add_argument("--seed", type=command_line.seed, default=1, metavar="SEED", help="of all chance (%(default)s)")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a goal is missed beyond doubt")
    options = parser.parse_args(arguments)
    where, console = machine.facts(), machine.console(options.json)
    covered = [coverage(kind, deals, options.tournaments, options.rated, options.seed) for kind in KINDS for deals in options.deals]
    shown = Table(title=f"Share of 95 % intervals that hold the truth, {options.tournaments:,} tournaments each",
                  caption=machine.sentence(where))
    for column in ("kind", "deals", *NAMES):
        shown.add_column(column, justify="left" if column == "kind" else "right")
    for row in covered:
        shown.add_row(row["kind"], str(row["deals"]), *(
            f"{hits / count:.1%}" if count else "" for hits, count in (row[name] for name in NAMES)))
    console.print(shown)
    tested = [error_rate(0, elo, truth, options.tests, options.seed) for elo in options.elo for truth in ("H0", "H1")]
    shown = Table(title=f"Wrong verdicts of sequential tests with alpha = beta = {PROMISE}, {options.tests:,} tests each")
    for column in ("hypotheses", "true", "wrong", "mean deals"):
        shown.add_column(column, justify="right")
    for row in tested:
        shown.add_row(f"{row['elo0']:g}, {row['elo1']:g} Elo", row["truth"], f"{row['wrong']:.1%} ± {row['ci95']:.1%}",
                      f"{row['deals']:,.0f}")
    console.print(shown)
    machine.write_json(options.json, {"machine": where, "seed": options.seed, "coverage": covered, "tests": tested})
    return 1 if options.check and (missed(covered) or any(row["wrong"] - row["ci95"] > PROMISE for row in tested)) else 0


def missed(covered: Sequence[dict[str, Any]]) -> list[str]:
    """Which shares lie outside the goal by more than chance explains (three standard deviations)."""
    found = []
    for row in covered:
        for name in NAMES:
            hits, count = row[name]
            room = 3 * math.sqrt(0.05 * 0.95 / count) if count else 1
            if not GOAL[0] - room <= hits / max(count, 1) <= GOAL[1] + room:
                found.append(f"{row['kind']}, {row['deals']} deals: {name} {hits / max(count, 1):.1%}")
    return found


if __name__ == "__main__":
    sys.exit(main())
