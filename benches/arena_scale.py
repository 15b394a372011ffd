"""What the arena costs beside its bots, what more processes bring, and how long 100,000 games of random bots take.

random: tournaments of random bots, in this process: minutes of processor time for 100,000 games of each game, and what a decision
costs, rules and arena together, in percent of a bot that thinks 10 ms. Processor time holds on a busy machine, too.
speed: games per second of searches by one process and by several, after their start; only an idle machine shows what the second
one brings. costs: what it can bring, which shows on a busy machine, too: the processor time of a game where one process plays and
where several do, and that of the one that hands out deals and keeps results, on the same cores.

Goals: overhead below 3 %, two processes at least 1.9 times as fast as one, 100,000 games in minutes.
"""
from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from rich.table import Table

import command_line
import machine
from seatmate.ai.arena.backends import backend_of
from seatmate.ai.arena.pool import _play_in_processes
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.arena.store import ResultsFile
from seatmate.engine.core.registry import list_games, new_game

MOVE_MS = 10
MANY = 100_000
TURNS = 3


def random_games(game: str, games: int, seed: int) -> tuple[float, float]:
    """Processor seconds per game and per decision, in the first mode and with the most seats."""
    bots = ["random"] if new_game(game).cooperative else ["random", "random"]
    spec = TournamentSpec.create(game, seats=None, bots=bots, seed=seed)
    began = time.process_time()
    played = [deal for batch in backend_of("local")(spec, range(max(2, games // len(spec.lineups))), 1) for deal in batch]
    seconds = time.process_time() - began
    return seconds / sum(map(len, played)), seconds / max(1, sum(sum(deal.decisions or ()) for deal in played))


def speed(game: str, deals: int, seed: int, workers: int) -> float:
    """Games per second, once a third of the deals is played: by then all processes have begun."""
    spec = TournamentSpec.create(game, seats=2, bots=["search:iterations=300", "heuristic"], seed=seed)
    played = backend_of("local")(spec, range(deals), workers)
    begun = 0
    while 3 * begun < deals:
        begun += len(next(played))
    began = time.monotonic()
    games = sum(len(deal) for batch in played for deal in batch)
    return games / (time.monotonic() - began)


def cost(game: str, deals: int, seed: int, workers: int) -> tuple[float, float]:
    """Processor seconds per game: of those who play, and of who hands out. The start of processes is left out."""
    spec = TournamentSpec.create(game, seats=2, bots=["search:iterations=300", "heuristic"], seed=seed)

    def spent(count: int) -> tuple[float, float]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN), time.process_time()
        with tempfile.TemporaryDirectory() as folder, ResultsFile(Path(folder) / "results.jsonl", spec) as file:
            for batch in _play_in_processes(spec, range(count), workers, False):
                file.append(batch)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before[0].ru_utime - before[0].ru_stime, time.process_time() - before[1]

    few, many = spent(workers), spent(workers + deals)
    games = deals * len(spec.lineups)
    return (many[0] - few[0]) / games, max(0.0, many[1] - few[1]) / games


def costs(game: str, deals: int, seed: int, workers: int) -> tuple[float, float, float]:
    """Medians of the same: of one who plays, of each of several, and of who hands out to them. Both take turns, since others on the
    machine make processors slower and faster.
    """
    runs = [(cost(game, deals, seed, 1), cost(game, deals, seed, workers)) for _ in range(TURNS)]
    return median(one for (one, _), _ in runs), median(each for _, (each, _) in runs), median(owner for _, (_, owner) in runs)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = command_line.command(__doc__ or "", [
        "python benches/arena_scale.py",
        "python benches/arena_scale.py --deals 100 --games 200 --json -"])
    parser.add_argument("--deals", type=command_line.whole(3), default=1000, metavar="N", help="deals for the speed (%(default)s)")
    parser.add_argument("--games", type=command_line.whole(100), default=4000, metavar="N", help="random games (%(default)s)")
    parser.add_argument("--processes", type=command_line.processes, default=2, metavar="N", help="at the same time (%(default)s)")
    parser.add_argument("--seed", type=command_line.seed, default=1, metavar="SEED", help="of all chance (%(default)s)")
    options = parser.parse_args(arguments)
    console = machine.console(options.json)
    facts = machine.facts()
    console.print(machine.sentence(facts))
    one, many = (speed("connect_four", options.deals, options.seed, workers) for workers in (1, options.processes))
    console.print(f"games per second: {one:.1f} by one process, {many:.1f} by {options.processes}: {many / one:.2f} times as fast")
    alone, together, owner = costs("connect_four", options.deals // 2, options.seed, options.processes)
    most = options.processes * alone / (together + owner)
    console.print(f"processor time per game: {1e3 * alone:.2f} ms by one process, {1e3 * together:.2f} ms by {options.processes}, "
                  f"and {1e3 * owner:.3f} ms of who hands out: on idle cores {most:.2f} times as fast")
    table = Table(title="Games of random bots, one process")
    for heading in ("game", "games a second", f"minutes for {MANY:,}", "us per decision", f"% of {MOVE_MS} ms"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    random_costs = {spec.id: random_games(spec.id, options.games, options.seed) for spec in list_games()}
    for game, (per_game, per_decision) in random_costs.items():
        table.add_row(game, f"{1 / per_game:,.0f}", f"{MANY * per_game / 60:.2f}", f"{1e6 * per_decision:.1f}",
                      f"{per_decision / MOVE_MS * 1e5:.2f}")
    console.print(table)
    machine.write_json(options.json, {"machine": facts, "games_per_s": {"1": one, str(options.processes): many},
        "processor_s": {"one": alone, "several": together, "owner": owner}, "random_games_s": {
        game: {"game": per_game, "decision": per_decision} for game, (per_game, per_decision) in random_costs.items()}})
    return 0


if __name__ == "__main__":
    sys.exit(main())
