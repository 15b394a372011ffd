"""What positions and answers are worth: the weights of a game's `evaluate`, or the numbers of its heuristic, fitted to games.

The evaluation. Games are played by one bot in all seats, with 0, 5, 10 or 20 % random moves. Of the positions in which the game
declares its terms (Game.terms) a share is kept, with who won. The weights are the likeliest ones of a softmax over the sides:
the log-odds of a side are the sum of stage * weight * term. A fifth of the games is held out; on their positions the fit
stands beside what `evaluate` says today. Errors are 95 %, over games, as positions of one game are akin.

The rows of weights are printed as the game's judgement.pyx has them.

A cooperative game has two sides: all seats, who win their utility, and the house, which wins the rest.

The heuristic (--worths). All numbers the game names (Game.worths) are moved a little up or down at random, the heuristic with
the numbers moved this way plays the one with the numbers moved the other way, seats exchanged, and all move towards the winner
(simultaneous perturbation, Spall 1992). In a cooperative game each plays the same deals
with itself. What comes of it is measured on deals of its own against the numbers of today.

Ctrl-C ends the playing; what was played is fitted.
"""
from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.progress import track
from scipy.optimize import minimize
from scipy.special import log_softmax

import command_line
import machine
from seatmate.ai.arena.match import play_heuristics, win_shares
from seatmate.ai.arena.statistics import mean_and_interval
from seatmate.ai.bots import make_bot
from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.game import Game
from seatmate.engine.core.registry import list_games, new_game
from seatmate.engine.core.terms import HOUSE, Terms

Numbers = NDArray[np.float64]

SLIPS = (0.0, 0.05, 0.1, 0.2)   # shares of random moves
HELD_OUT = 5                    # one game in so many
RIDGE = 1e-3                    # draws weights a little to 0, so that a term that never differs has one
NOBODY = 1e-9                   # the least chance anybody is given


@dataclass
class Positions:
    """Many positions: terms by position, side and term, each for every stage in turn (0 where there are fewer sides); which sides
    there are; what each won of 1; what `evaluate` says it wins; the number of its game."""

    names: tuple[str, ...]
    stages: tuple[str, ...]
    terms: Numbers
    there: NDArray[np.bool_]
    won: Numbers
    said: Numbers
    games: NDArray[np.signedinteger[Any]]

    def part(self, chosen: NDArray[Any]) -> Positions:
        """Some of them."""
        return Positions(self.names, self.stages, self.terms[chosen], self.there[chosen], self.won[chosen], self.said[chosen],
                         self.games[chosen])


# ---- Playing ----

def tables(game_id: str, mode: str | None, seats: Sequence[int | None], options: Mapping[str, Sequence[str]]) -> list[Game]:
    """The tables of which each game draws one: every number of seats with every combination of the options' values."""
    games: list[dict[str, str]] = [{}]
    for key, values in options.items():
        games = [{**one, key: value} for one in games for value in values]
    return [new_game(game_id, mode=mode, seats=count, options=one) for count in seats for one in games]


def positions(games: Sequence[Game], count: int, *, bot: str = "heuristic", keep: float = 0.3, seed: int,
              progress: bool = False) -> Positions:
    """Play so many games and keep a share of the positions. An interrupt ends it early. Raises ValueError where none has terms."""
    chance = random.Random(seed)
    found: list[tuple[Terms, list[float], int]] = []
    won: list[list[float]] = []
    try:
        for number in track(range(count), "playing", disable=not progress, transient=True):
            state = (games[0] if len(games) == 1 else chance.choice(games)).new_state(chance.getrandbits(64), record_events=False)
            bots = [make_bot(bot, chance.getrandbits(64)) for _ in range(state.game.seats)]
            slips = chance.choice(SLIPS)
            taken: list[tuple[Terms, list[float], int]] = []
            while not state.is_over:
                seat = state.pending[0]
                slip = chance.random() < slips
                state.apply_action(seat, chance.choice(state.legal_actions(seat)) if slip else bots[seat].choose(state, seat))
                terms = state.game.terms(state) if chance.random() < keep else None
                if terms is not None:
                    taken.append((terms, state.evaluate(), number))
            found += taken
            won += [state.returns()] * len(taken)
    except KeyboardInterrupt:
        del won[len(found):], found[len(won):]
    if not found:
        raise ValueError("no position with terms was met")
    names, stages = found[0][0].names, found[0][0].stages
    shape = len(found), max(len(one.sides) for one, _, _ in found)
    terms_of, there = np.zeros((*shape, len(stages) * len(names))), np.zeros(shape, dtype=bool)
    shares, said = np.zeros(shape), np.zeros(shape)
    for i, ((one, estimate, _), returns) in enumerate(zip(found, won, strict=True)):
        n = len(one.sides)
        terms_of[i, :n] = np.einsum("k,nt->nkt", one.stage, list(one.sides.values())).reshape(n, -1)
        there[i, :n] = True
        shares[i, :n] = side_shares(one, returns)
        said[i, :n] = side_shares(one, estimate)
    return Positions(names, stages, terms_of, there, shares / shares.sum(axis=1, keepdims=True),
                     said / said.sum(axis=1, keepdims=True), np.array([number for _, _, number in found]))


def side_shares(terms: Terms, utilities: Sequence[float]) -> list[float]:
    """What each side has of utilities by seat."""
    return [1 - utilities[0] if seat == HOUSE else utilities[seat] for seat in terms.sides]


# ---- Fitting ----

def log_chances(found: Positions, weights: Numbers) -> Numbers:
    """Logarithm of the chance of each side to win; 0 where there is no side."""
    logs: Numbers = log_softmax(np.where(found.there, found.terms @ weights, -1e9), axis=1)
    return np.where(found.there, logs, 0.0)


def fit(found: Positions) -> tuple[Numbers, Numbers]:
    """The likeliest weights, and their standard errors over games."""
    def loss(weights: Numbers) -> tuple[float, Numbers]:
        logs = log_chances(found, weights)
        off = np.where(found.there, np.exp(logs), 0.0) - found.won
        slope: Numbers = np.einsum("nsk,ns->k", found.terms, off) + RIDGE * weights
        return float(-(found.won * logs).sum() + RIDGE / 2 * weights @ weights), slope

    def curvature(weights: Numbers) -> Numbers:
        share = np.where(found.there, np.exp(log_chances(found, weights)), 0.0)
        mean = np.einsum("nsk,ns->nk", found.terms, share)
        spread: Numbers = np.einsum("nsk,ns,nsl->kl", found.terms, share, found.terms, optimize=True) - mean.T @ mean
        return spread + RIDGE * np.eye(len(weights))

    weights = minimize(loss, np.zeros(found.terms.shape[2]), jac=True, hess=curvature, method="trust-exact",
                       options={"gtol": 1e-6 * len(found.won)}).x
    off = np.where(found.there, np.exp(log_chances(found, weights)), 0.0) - found.won
    own = np.einsum("nsk,ns->nk", found.terms, off)
    sums = np.zeros((found.games.max() + 1, own.shape[1]))
    np.add.at(sums, found.games, own)
    inverse = np.linalg.inv(curvature(weights))
    return weights, np.sqrt(np.diag(inverse @ (sums.T @ sums) @ inverse))


def losses(found: Positions, logs: Numbers) -> dict[str, float]:
    """Log loss of logarithms of chances, half the width of its interval over games, and how often the favourite won."""
    each = -(found.won * logs).sum(axis=1)
    mean = float(each.mean())
    sums = np.bincount(found.games, weights=each - mean)
    favourite = np.where(found.there, logs, -np.inf).argmax(axis=1)
    return {"log_loss": mean, "ci95": 1.96 * float(np.sqrt(np.square(sums).sum())) / len(each),
            "favourite_won": float(np.take_along_axis(found.won, favourite[:, None], axis=1).mean())}


def said_logs(found: Positions) -> Numbers:
    """The same as `evaluate` has it."""
    return np.where(found.there, np.log(np.clip(found.said, NOBODY, 1)), 0.0)


# ---- The heuristic ----

STEP, STEP_FALL, MOVE, MOVE_FALL = 0.25, 0.101, 0.5, 0.602      # Spall's; steps in sizes of the numbers


class Duel:
    """The heuristic with some numbers against the heuristic with others, on tables with several numbers of seats."""

    def __init__(self, make: Callable[[], list[Game]]) -> None:
        self.pairs = list(zip(make(), make(), strict=True))
        self.start = self.pairs[0][0].worths()
        self.sizes = np.maximum(np.abs(list(self.start.values())), 0.3)

    def named(self, moved: Numbers) -> dict[str, float]:
        """Numbers that are moved by so many sizes from those of today."""
        values = np.array(list(self.start.values())) + moved * self.sizes
        return dict(zip(self.start, values.tolist(), strict=True))

    def play(self, one: Numbers, other: Numbers, deals: Sequence[int]) -> list[float]:
        """By deal, the share of the win of the first numbers where half is parity: both have every second seat, either way.

        Of a cooperative game: half the difference of their utilities above that.
        """
        found = []
        for number, deal in enumerate(deals):
            games = self.pairs[number % len(self.pairs)]
            for game, moved in zip(games, (one, other), strict=True):
                game.set_worths(self.named(moved))
            if games[0].cooperative:        # each fills all seats
                first, second = (play_heuristics([game] * game.seats, deal)[0] for game in games)
                found.append(0.5 + (first - second) / 2)
                continue
            share = 0.0
            for turned in range(2):
                line = [(seat + turned) % 2 for seat in range(games[0].seats)]
                won = win_shares(play_heuristics([games[side] for side in line], deal))
                mine = sum(won[seat] for seat, side in enumerate(line) if side == 0)
                share += mine * games[0].seats / (2 * line.count(0))      # three seats: two against one, then one against two
            found.append(share / 2)
        return found


def in_teams(game: Game) -> bool:
    """Do seats win together, against others?"""
    state = game.new_state(0)
    while (terms := game.terms(state)) is None and not state.is_over:
        state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[0])
    return terms is not None and not game.cooperative and len(terms.sides) < game.seats


def tune(duel: Duel, rounds: int, deals: int, seed: int, progress: bool) -> Numbers:
    """How far to move the numbers, in sizes: after so many rounds of so many deals. An interrupt ends it early."""
    chance = np.random.default_rng(seed)
    moved = np.zeros(len(duel.start))
    try:
        for number in track(range(rounds), "playing", disable=not progress, transient=True):
            step = STEP / (1 + number) ** STEP_FALL
            signs = chance.choice((-1.0, 1.0), size=len(moved))
            won = duel.play(moved + step * signs, moved - step * signs, chance.integers(2**62, size=deals).tolist())
            moved += MOVE / (1 + number + rounds / 10) ** MOVE_FALL * (2 * np.mean(won) - 1) / step * signs
    except KeyboardInterrupt:
        pass
    return moved


def tune_worths(make: Callable[[], list[Game]], options: Any, console: Any) -> dict[str, Any]:
    """Tune, measure and tell."""
    duel = Duel(make)
    rounds = max(1, options.games // (2 * options.deals))
    moved = np.round(tune(duel, rounds, options.deals, options.seed, console.is_terminal) * duel.sizes, 2) / duel.sizes
    seeds = np.random.default_rng([options.seed, 1]).integers(2**62, size=options.check).tolist()
    won, half = mean_and_interval(duel.play(moved, np.zeros(len(moved)), seeds))
    after = duel.named(moved)
    console.print(f"{rounds:,} rounds of {2 * options.deals} games; on {len(seeds):,} deals of their own the new numbers win "
                  f"{won:.3f} ± {half:.3f} where 0.5 is parity", highlight=False)
    for name, value in duel.start.items():
        console.print(f'  "{name}": {after[name]:.2f},   # {value:g} before', highlight=False, markup=False)
    return {"rounds": rounds, "won": won, "ci95": half, "before": duel.start, "worths": after}


# ---- The command ----

def report(found: Positions) -> dict[str, Any]:
    """Fit to the games that are not held out, and look at the others."""
    held = found.games % HELD_OUT == 0
    if held.all() or not held.any():
        raise ValueError("too few games to hold some out")
    weights, errors = fit(found.part(~held))
    rest = found.part(held)
    before, now = said_logs(rest), log_chances(rest, weights)
    gain = losses(rest, now - before)
    rows = [{"stage": stage, "term": name, "weight": float(weight), "ci95": 1.96 * float(error)}
            for (stage, name), weight, error in zip([(stage, name) for stage in found.stages for name in found.names],
                                                    weights, errors, strict=True)]
    return {"positions": len(found.won), "games": len(np.unique(found.games)), "held_out": len(rest.won),
            "before": losses(rest, before), "now": losses(rest, now), "gain": -gain["log_loss"], "gain_ci95": gain["ci95"],
            "weights": rows}


def values(text: str) -> tuple[str, list[str]]:
    """KEY=A,B."""
    key, equals, rest = text.partition("=")
    if not equals or not key:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not KEY=VALUE")
    return key, rest.split(",")


def main(arguments: Sequence[str] | None = None) -> int:
    fitted = [spec.id for spec in list_games() if type(new_game(spec.id)).terms is not Game.terms]
    tuned = [game for game in fitted if new_game(game).worths()]
    parser = command_line.command(__doc__ or "", [
        "python benches/fit.py titans --mode duel", "python benches/fit.py titans --mode ffa3 --json weights.json",
        "python benches/fit.py mythos -o deck0=leaf,sand -o deck1=leaf,sand --games 5000",
        "python benches/fit.py hundred_days --seats 2 3 4 --bot search:iterations=30 --games 3000",
        "python benches/fit.py hundred_days --seats 2 3 4 --worths --games 200000",
        "python benches/fit.py monster_chase --mode coop --seats 2 4 6 -o boss=truck,bike,jeep,loco --worths --games 80000"])
    parser.add_argument("game", metavar="GAME", help=f"one that declares its terms: {', '.join(fitted)}")
    parser.add_argument("--mode", metavar="MODE", help="the mode (default: the first for so many seats)")
    parser.add_argument("--seats", type=command_line.whole(1, 16), nargs="+", default=[None], metavar="N",
                        help="numbers of seats; each game draws one")
    parser.add_argument("-o", "--option", type=values, action="append", default=[], metavar="KEY=A,B",
                        help="values of a table option; each game draws one")
    parser.add_argument("--bot", type=command_line.bot, default="heuristic", metavar="BOT", help="who plays (%(default)s)")
    parser.add_argument("--games", type=command_line.whole(10), default=40_000, metavar="N", help="games (%(default)s)")
    parser.add_argument("--keep", type=command_line.above_zero(1), default=0.3, metavar="P",
                        help="share of the positions that is kept (%(default)s)")
    parser.add_argument("--worths", action="store_true", help=f"the numbers of the heuristic instead ({', '.join(tuned)})")
    parser.add_argument("--deals", type=command_line.whole(1), default=16, metavar="N",
                        help="--worths: deals between two moves of the numbers (%(default)s)")
    parser.add_argument("--check", type=command_line.whole(2), default=10_000, metavar="N",
                        help="--worths: deals on which the result is measured (%(default)s)")
    parser.add_argument("--seed", type=command_line.seed, default=1, metavar="SEED", help="of all chance (%(default)s)")
    options = parser.parse_args(arguments)
    if options.game not in fitted:
        parser.error(f"{options.game!r} declares no terms; there are {', '.join(fitted)}")
    if options.worths and options.game not in tuned:
        parser.error(f"the heuristic of {options.game} names no numbers; that of {', '.join(tuned)} does")

    def make() -> list[Game]:
        return tables(options.game, options.mode, options.seats, dict(options.option))

    asked = {"game": options.game, "mode": options.mode, "seats": options.seats, "options": dict(options.option),
             "seed": options.seed}
    try:
        games = make()
    except SeatmateError as error:
        parser.error(str(error))
    if options.worths and any(map(in_teams, games)):
        parser.error("--worths gives each set of numbers every second seat; where seats play in teams, both would be in each")
    console = machine.console(options.json)
    if options.worths:
        machine.write_json(options.json, {"machine": machine.facts(), **asked, **tune_worths(make, options, console)})
        return 0
    try:
        found = report(positions(games, options.games, bot=options.bot, keep=options.keep, seed=options.seed,
                                 progress=console.is_terminal))
    except ValueError as error:
        sys.exit(f"error: {error}")
    console.print(f"{found['positions']:,} positions of {found['games']:,} games; on the {found['held_out']:,} held out:")
    for name, text in (("before", "evaluate as it is"), ("now", "fitted")):
        one = found[name]
        console.print(f"  {text:18} log loss {one['log_loss']:.4f} ± {one['ci95']:.4f}, "
                      f"the favourite won {one['favourite_won']:.1%}", highlight=False)
    console.print(f"  {'less':18} {found['gain']:.4f} ± {found['gain_ci95']:.4f}", highlight=False)
    stages: dict[str, list[dict[str, Any]]] = {}
    for row in found["weights"]:
        stages.setdefault(row["stage"], []).append(row)
    width = max(len(row["term"]) for row in found["weights"])
    for i, first in enumerate(next(iter(stages.values()))):
        console.print(f"  {first['term']:{width}}  " + "  ".join(f"{rows[i]['weight']:7.3f} ± {rows[i]['ci95']:.3f}"
                                                             for rows in stages.values()), highlight=False)
    for stage, rows in stages.items():
        text = ", ".join(f"{row['weight']:.3f}" for row in rows)
        console.print(f"[{text}]   # {stage}", highlight=False, markup=False, soft_wrap=True)
    machine.write_json(options.json, {"machine": machine.facts(), **asked, "bot": options.bot, **found})
    return 0


if __name__ == "__main__":
    sys.exit(main())
