"""Where do hints put Power tokens in Mythos? The questions at which the best answer gives them to an enemy's character.

Games between heuristic bots with random moves among them, each with two random decks (`random:N`). A question counts if tokens
can go to an own character as well as to an enemy's. The heuristic always prefers an own one; a hint may have found something that
speaks for the enemy's, but as a rule it is chance: of many answers that are worth about the same the luckiest one looks best. Each
question that went wrong is named, so that it can be looked at: `python benches/token_hints.py --only SEED,STEP`.
"""
from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from rich.progress import track
from rich.table import Table

import command_line
import machine
from seatmate.ai.bots import make_bot
from seatmate.ai.search import Analysis, Limits, Search
from seatmate.engine.core.game import State
from seatmate.engine.core.registry import new_game

RANDOM_MOVES = 0.15


@dataclass(frozen=True)
class Question:
    """Where to put tokens: asked of `seat` after `step` actions of the game of `seed`. enemies: the actions that give them away."""

    seed: int
    step: int
    seat: int
    state: State
    enemies: frozenset[int]


@dataclass(frozen=True)
class Gift:
    """A hint that gave tokens away: what it says of its best answer, and of the best of the own characters."""

    seed: int
    step: int
    iterations: int
    best: str
    value: float
    own: str
    own_value: float
    standard_error: float       # of the difference


def questions(seed: int) -> Iterator[Question]:
    """Those of one game, in its order."""
    game = new_game("mythos", options={"deck0": f"random:{2 * seed}", "deck1": f"random:{2 * seed + 1}"})
    chance = random.Random(seed)
    state = game.new_state(seed, record_events=False)
    bots = [make_bot("heuristic", seed) for _ in range(2)]
    while not state.is_over:
        seat = chance.choice(state.pending)
        legal = state.legal_actions(seat)
        labels = {action: state.action_label(seat, action) for action in legal}
        given = {action for action, label in labels.items() if label.startswith("Put ") and "Power token" in label}
        enemies = frozenset(action for action in given if " on the enemy " in labels[action])
        if enemies and given - enemies:
            yield Question(seed, len(state.actions), seat, state.clone(), enemies)
        wild = chance.random() < RANDOM_MOVES
        state.apply_action(seat, chance.choice(legal) if wild else bots[seat].choose(state, seat))


def asked(seed: int, count: int) -> Iterator[Question]:
    """So many questions, of the games from a seed on."""
    return itertools.islice(itertools.chain.from_iterable(map(questions, itertools.count(seed))), count)


def hint(question: Question, iterations: int) -> Analysis:
    """What is told at the question; of one seed."""
    return Search(question.state, question.seat, seed=1).run(Limits(iterations=iterations))


def gift(question: Question, iterations: int) -> Gift | None:
    """What a hint gives away, if it does."""
    analysis = hint(question, iterations)
    best = analysis.best
    if best.action not in question.enemies:
        return None
    own = max((one for one in analysis.candidates if one.action not in question.enemies), key=lambda one: one.visits)
    return Gift(question.seed, question.step, iterations, best.label, best.value or 0, own.label, own.value or 0,
                (best.standard_error**2 + own.standard_error**2) ** 0.5)


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = command_line.command(__doc__ or "", [
        "python benches/token_hints.py", "python benches/token_hints.py --questions 750 --iterations 400 1000 --json gifts.json",
        "python benches/token_hints.py --only 77,34 --iterations 400 20000"])
    parser.add_argument("--questions", type=command_line.whole(1), default=200, metavar="N", help="how many (200)")
    parser.add_argument("--iterations", type=command_line.whole(1), nargs="+", default=[400, 1000], metavar="N",
                        help="of a hint (400 and 1,000)")
    parser.add_argument("--seed", type=command_line.seed, default=1, metavar="SEED", help="of the first game (1)")
    parser.add_argument("--only", metavar="SEED,STEP", help="the one question of this game after so many actions")
    options = parser.parse_args(argv)
    if options.only is not None:
        numbers = options.only.split(",")
        if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
            parser.error(f"argument --only: {options.only!r} is not SEED,STEP")
        options.seed, step = map(int, numbers)
        options.found = [question for question in questions(options.seed) if question.step == step]
        if not options.found:
            parser.error(f"argument --only: game {options.seed} asks for no token after {step} actions")
    return options


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and report."""
    options = arguments(argv)
    where, console = machine.facts(), machine.console(options.json)
    looked_at = options.found if options.only else list(asked(options.seed, options.questions))
    gifts = [found for question in track(looked_at, "questions", console=console, transient=True)
             for iterations in options.iterations if (found := gift(question, iterations)) is not None]
    table = Table(title="Tokens for an enemy", caption=machine.sentence(where), box=None)
    for heading in ("simulations", "questions", "to an enemy", "share"):
        table.add_column(heading, justify="right")
    for iterations in options.iterations:
        count = sum(one.iterations == iterations for one in gifts)
        table.add_row(f"{iterations:,}", str(len(looked_at)), str(count), f"{count / len(looked_at):.1%}")
    console.print(table)
    for one in gifts:
        console.print(f"--only {one.seed},{one.step} at {one.iterations:,}: {one.best}, {one.value - one.own_value:+.3f} ± "
                      f"{1.96 * one.standard_error:.3f} against: {one.own}", highlight=False)
    machine.write_json(options.json, {"machine": where, "questions": len(looked_at), "iterations": options.iterations,
                                      "seed": options.seed, "gifts": [asdict(one) for one in gifts]})
    return 0


if __name__ == "__main__":
    sys.exit(main())
