"""`seatmate levels`: how strong the levels of a game are, and how that was found."""
from __future__ import annotations

import math
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
    choose_seed,
    example,
    parse_options,
)
from seatmate.server.cli.console import interruptible, out, plain, print_json, progress, say

if TYPE_CHECKING:
    from seatmate.ai.arena import LevelsProgress
    from seatmate.ai.levels import Levels

DEALS = 300
"""On which levels are measured where none are asked for."""


def levels(
    game: GameId,
    calibrate: Annotated[bool, typer.Option("--calibrate", help=(
        "Find the levels anew and measure them, instead of showing the shipped ones."))] = False,
    seats: Seats = None,
    mode: ModeKey = None,
    option: Options = None,
    pack: Pack = None,
    deals: Annotated[int, typer.Option("--deals", min=2, metavar="N", help=(
        "With --calibrate: deals of the last measurement."))] = DEALS,
    iterations: Annotated[int, typer.Option("--iterations", min=16, max=1_000_000, metavar="N", help=(
        "With --calibrate: simulations per decision of the strongest level."))] = 1000,
    seed: Seed = None,
    workers: Workers = None,
    backend: Backend = BackendKey.LOCAL,
    write: Annotated[Path | None, typer.Option("--write", metavar="FILE", dir_okay=False, show_default=False, help=(
        "With --calibrate: write the levels to this file; the shipped ones stand in ai/levels, one file per game."))] = None,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Show the levels of a game with their measured ratings, or calibrate them.

    A level is a bot: `level:novice` plays at any table and in any tournament. The strongest uses the time it is given
    (`level:master:time_ms=5000`); its rating is that of the bot shown here.
    """
    from seatmate.ai.levels import levels_of, write_levels

    title = game_spec(game).title
    if not calibrate:
        if write is not None:
            raise typer.BadParameter("--write goes with --calibrate")
        _show(levels_of(game), title, json)
        return
    from seatmate.ai.arena import run_levels

    seed = choose_seed(seed)
    with interruptible(lambda: f"nothing is kept. The same again: seatmate levels {game} --calibrate --seed {seed}"):
        with progress(plain(title)) as done:

            def tell(now: LevelsProgress) -> None:
                done(now.games, now.games_total, f"round {now.round} of {now.rounds}")

            table: dict[str, Any] = {"seats": seats, "mode": mode, "options": parse_options(option), "pack": pack}
            found = run_levels(game, deals=deals, seed=seed, iterations=iterations, workers=workers,
                               backend=backend.value, progress=tell, **table)
    if write is not None:
        write.write_text(write_levels(found), encoding="utf-8")
    _show(found, title, json)


def _show(levels: Levels, title: str, json: bool) -> None:
    if json:
        print_json(levels.to_json())
        return
    known = levels.measured
    if known:
        say(f"[bold]{plain(title)}[/bold], {known['mode']}, {known['seats']} seats, {known['deals']:,} deals, seed {known['seed']}")
    else:
        say(f"[bold]{plain(title)}[/bold]: its levels have not been measured; `seatmate levels GAME --calibrate` does")
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading, justify in (("Level", "left"), (levels.unit or "Rating", "right"), ("against the one below", "right"),
                             ("ms per move (half, 99 %)", "right"), ("Bot", "left")):
        table.add_column(heading, justify="right" if justify == "right" else "left", overflow="fold")
    for level in levels.levels:
        table.add_row(f"[cyan]level:{plain(level.name)}[/cyan]", _rating(level.rating),
                      "" if level.step is None else f"{level.step.mean:.3f} ± {level.step.ci95:.3f}",
                      "" if level.ms is None else f"{level.ms[0]:.1f}, {level.ms[1]:.1f}", plain(level.bot))
    out().print(table)


def _rating(rating: tuple[float, float, float] | None) -> str:
    """`412 (380 to 444)`."""
    if rating is None:
        return ""
    middle, low, high = (f"{value:.3f}" if abs(value) <= 1 else f"{value:.0f}" if math.isfinite(value) else "open"
                         for value in rating)
    return f"{middle} ({low} to {high})"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example(
        "seatmate levels hyde",
        "seatmate levels connect_four --json",
        "seatmate levels tic_tac_toe --calibrate --deals 4 --iterations 20 --seed 1",
    ))(levels)
