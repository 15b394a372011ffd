"""Are hints to be believed? Reasons at decisions of games between heuristic bots, with random moves among them.

supported: decisions at which the best answer has a reason that speaks for it; in words of the game (features), or at least by what
evaluate or the search say · confirmed: reasons whose direction is the same in a search of ten times the simulations, with another
seed and ten times the sampled worlds; a feature that can't be compared there, or differs by nothing, is not confirmed · same:
decisions with a text that stands at three answers or more. Setups are counted apart, and so are ties: decisions at which the search
calls all answers that it explains a tie, or plays a mixture of them, and gives no reason. The aims: 95 % supported outside setups,
95 % confirmed, no text at three answers.
"""
from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

import command_line
import machine
from seatmate.ai.bots import make_bot
from seatmate.ai.search import Analysis, Candidate, Limits, Search
from seatmate.ai.search.reasons import OUTLOOK, RESULT, WORLDS, Reason
from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.game import State
from seatmate.engine.core.registry import game_spec, list_games, new_game

AIM = 0.95
EXPLAINED = 5       # candidates that get reasons
MORE = 10           # times the simulations and the worlds
RANDOM_MOVES = 0.15
SETUPS = {"titans": ("DRAFT", "SETASIDE", "COMP_CHAR", "COMP_CARD", "FIRST_PLACE"), "hyde": ("DRAFT",), "mythos": ("MULLIGAN",)}


@dataclass
class Quality:
    """What was found in one game."""

    game_id: str
    mode: str
    seats: int
    decisions: int = 0
    supported: int = 0
    in_words: int = 0       # ... by a feature of the game
    setups: int = 0
    setups_supported: int = 0
    reasons: int = 0
    confirmed: int = 0
    ties: int = 0
    same: int = 0
    best_stays: int = 0

    @property
    def met(self) -> bool:
        return (self.supported >= AIM * self.decisions and self.confirmed >= AIM * self.reasons and self.same == 0)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"game": self.game_id, "mode": self.mode, "seats": self.seats, "decisions": self.decisions,
                "supported": self.supported, "in_words": self.in_words, "setups": self.setups, "ties": self.ties,
                "setups_supported": self.setups_supported, "reasons": self.reasons, "confirmed": self.confirmed,
                "same_texts": self.same, "best_stays": self.best_stays, "met": self.met}


def decisions(game_id: str, mode: str | None, seats: int | None, count: int, seed: int) -> Iterator[tuple[State, int]]:
    """So many positions with a seat that has a choice, each from a game of its own, at a moment chosen at random."""
    game = new_game(game_id, mode=mode, seats=seats)
    for number in range(count):
        chance = random.Random(1000 * seed + number)
        met: tuple[State, int] | None = None
        state = game.new_state(1000 * seed + number, record_events=False)
        choices = 0
        while not state.is_over:
            seat = chance.choice(state.pending)
            legal = state.legal_actions(seat)
            if len(legal) > 1:
                choices += 1
                if chance.random() < 1 / choices:       # every choice of the game is as likely
                    met = state.clone(), seat
            wild = chance.random() < RANDOM_MOVES
            state.apply_action(seat, chance.choice(legal) if wild else make_bot("heuristic", number).choose(state, seat))
        if met is not None:
            yield met


def holds(found: Candidate, reason: Reason, deep: Analysis, search: Search) -> bool:
    """Does the deeper search say of this candidate what the reason says?"""
    if reason.feature == RESULT:
        values = {candidate.action: candidate.value for candidate in deep.candidates}
        mine, theirs = values[found.action], values[reason.against]
        return mine is not None and theirs is not None and (mine > theirs) == reason.favourable
    good, _ = search.compare(found.action, reason.against, worlds=MORE * WORLDS).get((reason.feature, reason.later), (0.0, 0.0))
    return good > 0 if reason.favourable else good < 0


def look(quality: Quality, state: State, seat: int, iterations: int) -> None:
    """One decision."""
    analysis = Search(state, seat, seed=1).run(Limits(iterations=iterations))
    deeper = Search(state, seat, seed=2)
    deep = deeper.run(Limits(iterations=MORE * iterations))
    support = [reason.feature for reason in analysis.best.why if reason.favourable]
    if state.prompt(seat) in SETUPS.get(quality.game_id, ()):
        quality.setups += 1
        quality.setups_supported += bool(support)
    elif not support and (analysis.best.policy < 1 or all(candidate.tied for candidate in analysis.candidates[:EXPLAINED])):
        quality.ties += 1
    else:
        quality.decisions += 1
        quality.supported += bool(support)
        quality.in_words += any(feature not in (OUTLOOK, RESULT) for feature in support)
    quality.best_stays += deep.best.action == analysis.best.action
    texts = Counter(candidate.reasons for candidate in analysis.candidates if candidate.reasons)
    quality.same += any(count >= 3 for count in texts.values())
    for candidate in analysis.candidates:
        for reason in candidate.why:
            quality.reasons += 1
            quality.confirmed += holds(candidate, reason, deep, deeper)


def report(found: list[Quality]) -> Table:
    """For a person."""
    table = Table(title="Hints", box=None)
    for heading in ("game", "decisions", "supported", "in words", "setups", "ties", "reasons", "confirmed", "same",
                    "best stays", ""):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for one in found:
        share = [f"{part / whole:.1%}" if whole else "-" for part, whole in (
            (one.supported, one.decisions), (one.in_words, one.decisions), (one.setups_supported, one.setups),
            (one.confirmed, one.reasons), (one.best_stays, one.decisions + one.setups + one.ties))]
        table.add_row(f"{one.game_id} {one.mode} {one.seats}", str(one.decisions), *share[:3], str(one.ties),
                      str(one.reasons), share[3], str(one.same), share[4], "met" if one.met else "missed")
    return table


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = command_line.command(__doc__ or "", [
        "python benches/hint_quality.py", "python benches/hint_quality.py mythos titans --positions 200 --iterations 300",
        "python benches/hint_quality.py titans --mode ffa3 --json hints.json"])
    known = [spec.id for spec in list_games()]
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"default: all of {', '.join(known)}")
    parser.add_argument("--mode", metavar="MODE", help="default: the first one of each game")
    parser.add_argument("--seats", type=command_line.whole(2, 8), metavar="N", help="default: the fewest of the mode")
    parser.add_argument("--positions", type=command_line.whole(1), default=100, metavar="N", help="decisions of each game (100)")
    parser.add_argument("--iterations", type=command_line.whole(1), default=1000, metavar="N", help="of a hint (1,000)")
    parser.add_argument("--seed", type=command_line.seed, default=1, metavar="N", help="of the games (1)")
    parser.add_argument("--check", action="store_true", help="exit with code 1 where an aim is missed")
    options = parser.parse_args(argv)
    options.games = options.games or known
    try:
        for game_id in options.games:
            new_game(game_id, mode=options.mode, seats=options.seats)
    except SeatmateError as error:
        parser.error(str(error))
    return options


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and report."""
    options = arguments(argv)
    console = Console(stderr=options.json == "-")
    where = machine.facts()
    console.print(f"[dim]{machine.sentence(where)}[/dim]")
    found = []
    for game_id in options.games:
        mode = game_spec(game_id).mode(options.mode)
        quality = Quality(game_id, mode.key, options.seats or mode.seats[0])
        asked = decisions(game_id, mode.key, quality.seats, options.positions, options.seed)
        for state, seat in track(asked, game_id, options.positions, console=console, transient=True):
            look(quality, state, seat, options.iterations)
        found.append(quality)
    console.print(report(found))
    machine.write_json(options.json, {"machine": where, "iterations": options.iterations, "positions": options.positions,
                                      "seed": options.seed, "rows": [quality.to_json() for quality in found]})
    return 1 if options.check and not all(quality.met for quality in found) else 0


if __name__ == "__main__":
    sys.exit(main())
