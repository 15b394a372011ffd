"""Our search against OpenSpiel's at equal wall time (or equal simulations) per move, on the same deals with the seats exchanged.

Each side thinks on its own engine: OpenSpiel's bot about OpenSpiel's own C++ state, at full speed. Every deal is played once
with our bot in each seat; the interval is a t-interval over deals. 0.5 is what equal bots get. How long the moves really took
is reported for both sides: OpenSpiel's searches look at the clock between simulations as ours do.

Their ISMCTS plays where something is hidden and their game can sample the worlds of a seat: of the games that both have, kuhn and
leduc. Where nothing is hidden it refuses, and their MCTS plays. In liar's dice and Goofspiel they can't sample; their MCTS plays
there, too, and looks at all hidden cards: an opponent that cheats, and a lower bound of what we can do.

OpenSpiel's searches do not survive a time budget that is over before their first simulations, as happens when another program
has the core at that moment: ISMCTS raises an error and is asked again; MCTS ends the process, and its block of deals is played
again.
"""
from __future__ import annotations

import math
import multiprocessing
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import pyspiel
from rich.progress import Progress
from rich.table import Table

import command_line
import machine
from open_spiel_native import NATIVE, search_bot
from seatmate.ai.adapters.openspiel import MatchResult, PeerMatch
from seatmate.ai.arena.statistics import mean_and_interval
from seatmate.ai.bots import parse_bot

CHEATED = ("liars_dice-2", "liars_dice-2x3", "goofspiel-2x6")
"""Games in which OpenSpiel's peer is the MCTS that sees everything."""

GAMES = ("leduc", "connect_four", "kuhn", "tic_tac_toe", *CHEATED)

BLOCK = 20      # deals a process plays before it reports
ATTEMPTS = 20   # before an OpenSpiel bot's error counts

Task = TypeVar("Task")
Done = TypeVar("Done")


@dataclass(frozen=True)
class Block:
    """Some deals of a match, for one process."""

    name: str
    bot: str
    peer: Mapping[str, Any]     # of search_bot
    deals: int
    seed: int


@dataclass(frozen=True)
class Score:
    """A whole match. mean: utility of our bot over deals · ci95: half width · the rest as in MatchResult."""

    mean: float
    ci95: float
    by_seat: tuple[float, ...]
    moves: tuple[int, int]
    seconds: tuple[float, float]
    slowest: tuple[float, float]

    @property
    def better(self) -> bool:
        """The whole interval is above one half."""
        return self.mean - self.ci95 > 0.5

    @property
    def move_ms(self) -> tuple[float, float]:
        """Mean wall time of a decision, (ours, theirs)."""
        ours, theirs = (1000 * spent / max(moves, 1) for spent, moves in zip(self.seconds, self.moves, strict=True))
        return ours, theirs


class Patient:
    """Asks an OpenSpiel bot again when it did not get as far as an answer. The extra time is theirs."""

    def __init__(self, bot: Any) -> None:
        self.bot = bot

    def step(self, state: Any) -> int:
        """The bot's action. Raises pyspiel.SpielError when it never answers."""
        for _ in range(ATTEMPTS - 1):
            try:
                return int(self.bot.step(state))
            except pyspiel.SpielError:
                continue
        return int(self.bot.step(state))


def play_block(block: Block) -> MatchResult:
    """Play the deals of a block in this process."""
    native = NATIVE[block.name]
    match = PeerMatch(native.new_game(), native.load_peer(turn_based=True), native.chance, returns=native.to_theirs)
    peer = search_bot(**block.peer, sees_everything=block.name in CHEATED)
    return match.play(block.bot, lambda game, seat, seed: Patient(peer(game, seat, seed)), deals=block.deals, seed=block.seed)


def run_blocks(play: Callable[[Task], Done], work: Sequence[Task], processes: int, advance: Callable[[], None]) -> list[Done]:
    """play(task) for all tasks in fresh processes; tasks whose process ended are done again. Raises RuntimeError in the end."""
    done: dict[int, Done] = {}
    for _ in range(ATTEMPTS):
        with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
            try:
                futures = {pool.submit(play, task): number for number, task in enumerate(work) if number not in done}
                for future in as_completed(futures):
                    done[futures[future]] = future.result()
                    advance()
            except BrokenProcessPool:
                continue
        if len(done) == len(work):
            return [done[number] for number in range(len(work))]
    raise RuntimeError(f"processes ended {ATTEMPTS} times; {len(work) - len(done)} of {len(work)} blocks are missing")


def blocks(name: str, bot: str, peer: Mapping[str, Any], deals: int, seed: int) -> Iterator[Block]:
    """At least `deals` deals in all: every block has as many, and a seed of its own."""
    count = max(1, round(deals / BLOCK))
    for number in range(count):
        yield Block(name, bot, peer, max(2, -(-deals // count)), seed * 1_000_000 + number)


def merge(results: Sequence[MatchResult]) -> Score:
    """The blocks of a match as one."""
    rows = [row for result in results for row in result.utilities]
    mean, half = mean_and_interval([math.fsum(row) / len(row) for row in rows])

    def both(of: Callable[[MatchResult], tuple[Any, Any]], add: Callable[[Any], Any]) -> Any:
        return tuple(add(of(result)[side] for result in results) for side in (0, 1))

    return Score(mean, half, tuple(math.fsum(column) / len(rows) for column in zip(*rows, strict=True)),
                 both(lambda result: result.moves, sum), both(lambda result: result.seconds, math.fsum),
                 both(lambda result: result.slowest, max))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = command_line.command(__doc__ or "", [
        "python benches/head_to_head.py leduc --deals 1000 --time-ms 20",
        "python benches/head_to_head.py connect_four liars_dice-2x3 --deals 100 --time-ms 100 --json match.json",
        "python benches/head_to_head.py leduc --simulations 1000 --params exploration=2,tree_key=public"])
    parser.add_argument("games", nargs="+", choices=GAMES, metavar="GAME", help=f"of {', '.join(GAMES)}")
    parser.add_argument("--deals", type=command_line.whole(2), default=200, metavar="N",
                        help="each is played once per seat (default 200)")
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument("--time-ms", type=command_line.above_zero(1e9), default=50.0, metavar="MS",
                        help="per move, on both sides (default 50)")
    budget.add_argument("--simulations", type=command_line.whole(2, 10**9), metavar="N",
                        help="per move, on both sides, instead of a time")
    parser.add_argument("--seed", type=command_line.seed, default=1, metavar="SEED", help="of the deals")
    parser.add_argument("--params", type=command_line.knobs, default="", metavar="KEY=VALUE,...",
                        help="knobs of our search over the game's own")
    parser.add_argument("--exploration", type=command_line.above_zero(1e6), metavar="C",
                        help="their constant of UCT (default: 2 for utilities in -1..1, scaled to the game's)")
    parser.add_argument("--processes", type=command_line.processes, default=1, metavar="N",
                        help="games at once, no more than there are free cores (default 1)")
    options = parser.parse_args(arguments)
    if options.simulations is None:
        limit, budget_of = f"time_ms={options.time_ms:g}", {"seconds": options.time_ms / 1000}
    else:
        limit, budget_of = f"iterations={options.simulations}", {"simulations": options.simulations}
    bot = str(parse_bot(f"search:{limit}{str(options.params).removeprefix('search')}"))
    peer = {**budget_of, "exploration": options.exploration}
    where, console = machine.facts(), machine.console(options.json)
    table = Table(title=f"{bot} against OpenSpiel's search with the same {limit.split('=')[0]}", caption=machine.sentence(where))
    for column in ("game", "their search", "deals", "our score", "95 % interval", "ms per move", "slowest", ""):
        table.add_column(column, justify="left" if column in ("game", "their search", "") else "right")
    rows = []
    with Progress(console=console, transient=True) as progress:
        for name in dict.fromkeys(options.games):
            work = list(blocks(name, bot, peer, options.deals, options.seed))
            bar = progress.add_task(name, total=len(work))
            score = merge(run_blocks(play_block, work, options.processes, partial(progress.advance, bar)))
            theirs = "MCTS, sees all" if name in CHEATED else "ISMCTS" if NATIVE[name].hides else "MCTS"
            rows.append({"game": name, "peer": theirs, "deals": sum(block.deals for block in work), "mean": score.mean,
                         "ci95": score.ci95, "better": score.better, "by_seat": score.by_seat, "moves": score.moves,
                         "move_ms": score.move_ms, "slowest_ms": [1000 * seconds for seconds in score.slowest]})
            table.add_row(name, theirs, str(rows[-1]["deals"]), f"{score.mean:.4f}",
                          f"{score.mean - score.ci95:.4f}-{score.mean + score.ci95:.4f}", "{:.1f} / {:.1f}".format(*score.move_ms),
                          "{:.1f} / {:.1f}".format(*rows[-1]["slowest_ms"]),
                          "[green]better" if score.better else "[red]not shown better")
    console.print(table)
    machine.write_json(options.json, {"machine": where, "bot": bot, "peer": peer, "seed": options.seed, "matches": rows})
    return 0


if __name__ == "__main__":
    sys.exit(main())
