"""`seatmate tune`: which settings of the search suit a game."""
from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from seatmate.engine.core.registry import game_spec
from seatmate.server.cli.arguments import (
    Backend,
    BackendKey,
    GameId,
    Json,
    ModeKey,
    NoColor,
    Options,
    Pack,
    Seats,
    Seed,
    Workers,
    between,
    choose_seed,
    example,
    parse_options,
)
from seatmate.server.cli.console import err, interruptible, out, plain, print_json, progress, say

if TYPE_CHECKING:
    from seatmate.ai.arena import TunedSetting, TuningProgress, TuningResult

DEALS = 40
"""Deals of the first round where none are asked for."""

ITERATIONS = 300
"""Of every search: few, so that many games are played, and enough for it to be one."""


def tune(
    game: GameId,
    seats: Seats = None,
    mode: ModeKey = None,
    option: Options = None,
    pack: Pack = None,
    iterations: Annotated[int, typer.Option("--iterations", min=2, max=1_000_000, metavar="N", help=(
        "Simulations per decision of every search."))] = ITERATIONS,
    deals: Annotated[int | None, typer.Option("--deals", min=2, metavar="N", show_default=False, help=(
        f"Deals in the first round; each later round has twice as many. Default: {DEALS}."))] = None,
    minutes: Annotated[float | None, typer.Option("--time", metavar="MINUTES", callback=between(0.01, 1e5), show_default=False,
                                                  help=(
        "Instead of --deals: play about as many as fit into this time (480: overnight)."))] = None,
    seed: Seed = None,
    results: Annotated[Path | None, typer.Option("--results", metavar="FILE", dir_okay=False, show_default=False, help=(
        "Keep every deal in this file and, from the second round on, in others beside it (night.jsonl, night.2.jsonl, ...). If "
        "they already exist, the run goes on from there."))] = None,
    workers: Workers = None,
    backend: Backend = BackendKey.LOCAL,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Try out settings of the search for a game, and print the best as a line for its GameSpec.

    Each setting plays against the heuristic and against the search as it is now, on the same deals with seats exchanged. The
    better half goes on to the next round. The winner is measured once more, on fresh deals. The same seed gives the same result.
    """
    from seatmate.ai.arena import run_tuning
    from seatmate.ai.arena.tuning import deals_for
    from seatmate.server.cli.tournament import stored_seed

    if deals is not None and minutes is not None:
        raise typer.BadParameter("--time chooses the number of deals; give only one of --time and --deals")
    if minutes is not None and results is not None and results.exists():
        raise typer.BadParameter(f"{results} already holds deals; instead of --time give the --deals it was begun with")
    seed = choose_seed(stored_seed(results) if seed is None else seed)
    table: dict[str, Any] = {"seats": seats, "mode": mode, "options": parse_options(option), "pack": pack}

    def again() -> str:
        """The command that does the same."""
        line = ["seatmate", "tune", game]
        for name, value in (("--seats", seats), ("--mode", mode), *[("-o", text) for text in option or ()], ("--pack", pack),
                            ("--iterations", iterations), ("--deals", deals), ("--time", minutes if deals is None else None),
                            ("--seed", seed), ("--results", results)):
            line += [name, str(value)] if value is not None else []
        return shlex.join(line)

    def kept() -> str:
        if results is None or deals is None:
            return f"nothing is kept{' without --results FILE' if results is None else ' yet'}. The same again: {again()}"
        return f"what was played is in {results} and the files beside it. Go on with: {again()}"

    with interruptible(kept):
        if minutes is not None:
            deals = deals_for(game, minutes, iterations=iterations, seed=seed, workers=workers, **table)
            (err() if json else out()).print(f"{deals} deals in the first round: {again()}", markup=False, soft_wrap=True)
        deals = DEALS if deals is None else deals
        with progress(plain(game_spec(game).title)) as done:

            def tell(now: TuningProgress) -> None:
                done(now.games, now.games_total,
                     plain(f"round {now.round} of {now.rounds}, {now.settings} settings; best: {now.best}"))

            result = run_tuning(game, deals=deals, iterations=iterations, seed=seed, results=results, workers=workers,
                                backend=backend.value, progress=tell, **table)
    if json:
        print_json(result.to_json())
    else:
        _show(result, game_spec(game).title)


# ---- What a person reads ----

def _show(result: TuningResult, title: str) -> None:
    say(f"[bold]{plain(title)}[/bold], {result.mode}, {result.seats} seats, {result.iterations:,} iterations, "
        f"{result.games:,} games, seed {result.seed}")
    say("Mean differences in utility, ± for 95 of 100 cases; settings that came further played more deals.")
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("Setting")
    for heading in ("Deals", "Against the heuristic", "Against the game's own"):
        table.add_column(heading, justify="right")
    alike = [row for row in result.settings if row.alike]
    for row in result.settings:
        if not row.alike:
            table.add_row(f"[cyan]{plain(row.name)}[/cyan]", f"{row.deals:,}", *_differences(row))
    out().print(table)
    if alike:
        say(f"No different from the game's own on any deal: {plain('; '.join(row.name for row in alike))}")
    say()
    say(f"Measured once more, on {result.confirmed.deals:,} deals that had no say in the choice:")
    again = Table(box=None, pad_edge=False, show_header=False)
    for row in [result.confirmed, result.own][:1 if result.best == result.own.name else 2]:
        again.add_row(f"[cyan]{plain(row.name)}[/cyan]", *_differences(row))
    out().print(again)
    say()
    for sentence in verdict(result):
        say(plain(sentence))
    say(f"[bold]{plain(result.hints)}[/bold]", indent=2)


def verdict(result: TuningResult) -> list[str]:
    """What was found, in words; the last sentence introduces the line for the GameSpec."""
    found = []
    if not result.beats_heuristic:
        found.append(f"No setting beats the heuristic for certain with {result.iterations:,} iterations. More of them may, or more "
                     "deals (--iterations, --deals); or the heuristic is hard to beat by looking ahead.")
    elif result.better and result.own.heuristic.low <= 0:
        found.append(f"{result.best} beats the heuristic, which the game's own settings don't for certain.")
    if result.better:
        found.append(f"{result.best} is the better choice. For the GameSpec:")
    else:
        found.append("No setting is better than the game's own for certain. They stay:")
    return found


def _differences(row: TunedSetting) -> list[str]:
    from seatmate.ai.arena.tuning import Against

    itself = Against(0.0, 0.0, 0.0)
    return ["-" if one == itself else f"{one.mean:+.3f} ± {max(one.high - one.mean, one.mean - one.low):.3f}"
            for one in (row.heuristic, row.default)]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example(
        "seatmate tune kuhn --deals 10 --iterations 50 --seed 1",
        "seatmate tune liars_dice --seats 2 --time 0.1",
        "seatmate tune tic_tac_toe --deals 10 --iterations 30 --seed 1 --results night.jsonl",
    ))(tune)
