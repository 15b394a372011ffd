"""What the terms of a Titans position are worth: the weights of `evaluate`, fitted to games of the heuristic.

Games are played by the heuristic with 0, 5, 10 or 20 % random moves; positions between two turns are taken as they come, with
the terms that engine/titans/advice/judgement.pyx counts for each side (team, or seat of the free-for-all) and with who won. The
weights are those of a softmax over the sides (logistic regression; of two sides only the difference counts), by Newton's
method. Between teams a term weighs w + v * late, late going from 0 in round 1 to 1 in round 6. A fifth of the games is held
out.
"""
from __future__ import annotations

import random
import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

import command_line
import machine
from seatmate.ai.bots import make_bot
from seatmate.engine.core.registry import new_game
from seatmate.engine.titans.advice.judgement import ARENA_NAMES, TERM_NAMES, late, terms

Numbers = NDArray[np.float64]

SLIPS = (0.0, 0.05, 0.1, 0.2)   # shares of random moves
KEEP = 0.3                      # share of the positions
HELD_OUT = 5                    # one game in so many


def positions(mode: str, games: int, seed: int, progress: bool) -> tuple[Numbers, Numbers, Numbers, NDArray[np.bool_]]:
    """Terms by position, side and term; `late` by position; who won, by position and side; whether its game is held out."""
    game = new_game("titans", seats=3 if mode == "ffa3" else 2, mode=mode)
    chance = random.Random(seed)
    found: list[list[list[float]]] = []
    when: list[float] = []
    won: list[list[float]] = []
    held: list[bool] = []
    for number in track(range(games), "playing", disable=not progress, transient=True):
        state = game.new_state(chance.getrandbits(64), record_events=False)
        bots = [make_bot("heuristic", chance.getrandbits(64)) for _ in range(game.seats)]
        slips = chance.choice(SLIPS)
        while not state.is_over:
            seat = state.pending[0]
            slip = chance.random() < slips
            state.apply_action(seat, chance.choice(state.legal_actions(seat)) if slip else bots[seat].choose(state, seat))
            sides = terms(state) if chance.random() < KEEP else []
            if sides:
                found.append(sides)
                when.append(late(state))
                held.append(number % HELD_OUT == 0)
        won += [state.returns()] * (len(found) - len(won))      # seats and teams have the same numbers in these modes
    return np.array(found), np.array(when), np.array(won), np.array(held)


def chances(sides: Numbers, weights: Numbers) -> Numbers:
    """Of each side to win; a side without terms is out."""
    scores = np.where(sides.any(axis=2), sides @ weights, -np.inf)
    grown: Numbers = np.exp(scores - scores.max(axis=1, keepdims=True))
    share: Numbers = grown / grown.sum(axis=1, keepdims=True)
    return share


def fit(sides: Numbers, won: Numbers, steps: int = 25) -> tuple[Numbers, Numbers]:
    """Weights and their standard errors."""
    weights = np.zeros(sides.shape[2])
    for _ in range(steps):
        share = chances(sides, weights)
        mean = np.einsum("nsk,ns->nk", sides, share)
        curvature = np.einsum("nsk,ns,nsl->kl", sides, share, sides, optimize=True) - mean.T @ mean + 1e-3 * np.eye(len(weights))
        weights = weights + np.linalg.solve(curvature, np.einsum("nsk,ns->k", sides, won - share))
    return weights, np.sqrt(np.diag(np.linalg.inv(curvature)))


def losses(sides: Numbers, won: Numbers, weights: Numbers) -> tuple[float, float]:
    """Log loss, and the share of positions in which the winner was the favourite."""
    share = np.clip(chances(sides, weights), 1e-9, 1)
    return float(-(won * np.log(share)).sum(axis=1).mean()), float((share.argmax(axis=1) == won.argmax(axis=1)).mean())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = command_line.command(__doc__ or "", [
        "python benches/fit_titans.py duel", "python benches/fit_titans.py ffa3 --json weights.json"])
    parser.add_argument("mode", choices=("duel", "ffa3"), help="the mode: teams, or the free-for-all")
    parser.add_argument("--games", type=command_line.whole(10), default=40_000, metavar="N", help="games (%(default)s)")
    parser.add_argument("--seed", type=command_line.seed, default=1, metavar="SEED", help="of all chance (%(default)s)")
    options = parser.parse_args(arguments)
    console = machine.console(options.json)
    sides, when, won, held = positions(options.mode, options.games, options.seed, console.is_terminal)
    names = ARENA_NAMES if options.mode == "ffa3" else TERM_NAMES
    if options.mode == "duel":
        sides = np.concatenate([sides, sides * when[:, None, None]], axis=2)
    weights, errors = fit(sides[~held], won[~held])
    loss, right = losses(sides[held], won[held], weights)
    console.print(f"{len(sides):,} positions of {options.games:,} games; on those held out: log loss {loss:.3f}, "
                  f"the winner was the favourite in {right:.1%}")
    rows = []
    for i, name in enumerate(names):
        rows.append({"term": name, "weight": weights[i], "error": errors[i]})
        line = f"  {name:15} {weights[i]:7.3f} +- {1.96 * errors[i]:.3f}"
        if options.mode == "duel":
            j = len(names) + i
            rows[-1] |= {"late": weights[j], "late_error": errors[j]}
            line += f"   late {weights[j]:7.3f} +- {1.96 * errors[j]:.3f}"
        console.print(line, highlight=False)
    machine.write_json(options.json, {
        "machine": machine.facts(), "mode": options.mode, "games": options.games, "seed": options.seed, "positions": len(sides),
        "log_loss": loss, "favourite_won": right, "weights": rows})
    return 0


if __name__ == "__main__":
    sys.exit(main())
