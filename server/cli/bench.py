"""`seatmate bench`: how fast are rules and search on this machine?"""
from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from seatmate.server.cli.arguments import (
    GameId,
    Json,
    ModeKey,
    NoColor,
    Options,
    Pack,
    Seats,
    between,
    example,
    make_game,
)
from seatmate.server.cli.console import interruptible, out, plain, print_json, progress, say

if TYPE_CHECKING:
    from seatmate.ai.search import Limits, Search
    from seatmate.engine.core.game import Game

FIGURES = {
    "playouts_per_s": "Random playouts/s",
    "decisions_per_s": "Random decisions/s",
    "heuristic_playouts_per_s": "Heuristic playouts/s",
    "search_simulations_per_s": "Search simulations/s at the opening",
    "clone_ns": "Clone, ns",
    "state_bytes": "State, bytes",
}
"""Keys of the result and what they mean. One thread; speeds are medians of several short repeats."""


def bench(
    game: GameId,
    seats: Seats = None,
    repeats: Annotated[int, typer.Option("--repeats", min=1, metavar="N", help="Repeats of each measurement.")] = 5,
    slice_ms: Annotated[float, typer.Option("--slice-ms", callback=between(1, 60_000), metavar="MS",
                                            help="Length of one repeat.")] = 200.0,
    seed: Annotated[int, typer.Option("--seed", metavar="SEED", min=0, help="Seed of the measured games.")] = 1,
    mode: ModeKey = None,
    option: Options = None,
    pack: Pack = None,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Measure the speed of playouts, clones and search on one core."""
    table_game = make_game(game, mode, seats, option, pack)
    with progress("Measuring") as done, interruptible("nothing is kept; fewer --repeats take less time."):
        figures = measure(table_game, repeats=repeats, slice_s=slice_ms / 1000, seed=seed, done=done)
    if json:
        print_json({"game": table_game.spec.id, "mode": table_game.settings.mode, "seats": table_game.seats, **figures})
        return
    say(f"[bold]{plain(table_game.spec.title)}[/bold], {table_game.seats} seats, one thread, median of {repeats}")
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(justify="right", style="bold")
    for key, text in FIGURES.items():
        table.add_row(text, f"{figures[key]:,.1f}" if key == "clone_ns" else f"{figures[key]:,.0f}")
    out().print(table)


def measure(game: Game, *, repeats: int, slice_s: float, seed: int,
            done: Callable[[int, int], None] = lambda count, total: None) -> dict[str, float]:
    """The figures of FIGURES for one game. `done` hears how many repeats are finished, and of how many."""
    from seatmate.ai.bench import heuristic_playouts
    from seatmate.ai.search import Limits, Search
    from seatmate.engine.core.playout import clone_seconds, random_playouts

    finished = 0

    def rates(work: Callable[[int], tuple[float, float]]) -> list[tuple[float, float]]:
        """(units, seconds) of each repeat of `work(count)`, with a count that fills one slice."""
        nonlocal finished
        results = []
        count = 1
        while (spent := work(count)[1]) < slice_s / 4 and count < 1 << 40:     # also the warm-up
            count = max(count * 2, min(count * 64, int(count * slice_s / 2 / max(spent, 1e-9))))
        count = max(1, round(count * slice_s / max(spent, 1e-9)))
        for _ in range(repeats):
            results.append((count, work(count)))
            finished += 1
            done(finished, 4 * repeats)
        return [(units / seconds, number / seconds) for number, (units, seconds) in results]

    state = game.new_state(seed, record_events=False)
    random = rates(lambda count: random_playouts(game, count, seed))
    heuristic = rates(lambda count: heuristic_playouts(game, count, seed))
    search = rates(lambda count: _simulations(Search(state, state.pending[0], seed=seed), Limits(iterations=count)))
    clone = rates(lambda count: (count, clone_seconds(state, count)))
    return {
        "playouts_per_s": statistics.median(games for _, games in random),
        "decisions_per_s": statistics.median(decisions for decisions, _ in random),
        "heuristic_playouts_per_s": statistics.median(games for _, games in heuristic),
        "search_simulations_per_s": statistics.median(simulations for simulations, _ in search),
        "clone_ns": statistics.median(1e9 / clones for clones, _ in clone),
        "state_bytes": game.state_bytes,
    }


def _simulations(search: Search, limits: Limits) -> tuple[int, float]:
    """(simulations, seconds) of a search that has not run yet."""
    started = time.perf_counter()
    return search.simulate(limits), time.perf_counter() - started


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example("seatmate bench kuhn --repeats 3 --slice-ms 20 --json"))(bench)
