"""`seatmate levels`: how strong the levels of a game are, and how that was found."""
from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from seatmate.engine.core.registry import game_spec
from seatmate.server.cli.arguments import (
    BACKEND,
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
    from seatmate.ai.levels import Level, Levels

DEALS = 300
"""On which levels are measured where none are asked for."""

ITERATIONS = 1000
"""Of the strongest level, where nothing else is asked for."""

_NO_ROOM = ("Between the weakest and the strongest player there is no room for eight levels of which each scores 60 to 65 % "
            "against the one below: the steps are as even as they can be.")
_BY_VALUE = " Luck decides most of a single deal; what is shown is won on average, where 1 is the most that a deal can bring."


def levels(
    game: GameId,
    calibrate: Annotated[bool, typer.Option("--calibrate", help=(
        "Find the levels anew and measure them, instead of showing the shipped ones."))] = False,
    measure: Annotated[bool, typer.Option("--measure", help=(
        "Measure the shipped levels anew, as they are; also at other tables (--seats, --mode)."))] = False,
    seats: Seats = None,
    mode: ModeKey = None,
    option: Options = None,
    pack: Pack = None,
    deals: Annotated[int | None, typer.Option("--deals", min=2, metavar="N", show_default=False, help=(
        "Deals of the measurement; finding levels takes up to four times as many for each place it tries. "
        f"Default: {DEALS}."))] = None,
    iterations: Annotated[int | None, typer.Option("--iterations", min=16, max=1_000_000, metavar="N", show_default=False, help=(
        f"With --calibrate: simulations per decision of the strongest level. Default: {ITERATIONS:,}."))] = None,
    seed: Seed = None,
    workers: Workers = None,
    backend: Annotated[BackendKey | None, BACKEND] = None,
    write: Annotated[Path | None, typer.Option("--write", metavar="FILE", dir_okay=False, show_default=False, help=(
        "With --calibrate or --measure: write the levels to this file; the shipped ones stand in ai/levels, one a game."))] = None,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Show the levels of a game with their measured ratings, calibrate them, or measure them anew.

    A level is a bot: `level:novice` plays at any table and in any tournament. The strongest uses the time it is given
    (`level:master:time_ms=5000`); its rating is that of the bot shown here.
    """
    from seatmate.ai.levels import levels_of, write_levels

    title = game_spec(game).title
    if calibrate and measure:
        raise typer.BadParameter("--calibrate measures what it finds: give one of --calibrate and --measure")
    if not calibrate and not measure:
        given = {"--seats": seats, "--mode": mode, "--option": option or None, "--pack": pack, "--deals": deals,
                 "--iterations": iterations, "--seed": seed, "--workers": workers, "--backend": backend, "--write": write}
        if idle := [flag for flag, value in given.items() if value is not None]:
            raise typer.BadParameter(f"the levels are shown as they were measured; {', '.join(idle)} "
                                     f"{'goes' if len(idle) == 1 else 'go'} with --calibrate or --measure")
        _show(levels_of(game), title, json)
        return
    if iterations is not None and not calibrate:
        raise typer.BadParameter("the levels are measured as they are; --iterations goes with --calibrate")
    from seatmate.ai.arena import measure_levels, run_levels

    seed = choose_seed(seed)
    how = "--calibrate" if calibrate else "--measure"
    with interruptible(lambda: f"nothing is kept. The same again: seatmate levels {game} {how} --seed {seed}"):
        with progress(plain(title)) as done:

            def tell(now: LevelsProgress) -> None:
                done(now.games, now.games_total, now.doing)

            table: dict[str, Any] = {"seats": seats, "mode": mode, "options": parse_options(option), "pack": pack,
                                     "deals": DEALS if deals is None else deals, "seed": seed, "workers": workers,
                                     "backend": (backend or BackendKey.LOCAL).value, "progress": tell}
            found = (run_levels(game, iterations=ITERATIONS if iterations is None else iterations, **table) if calibrate
                     else measure_levels(levels_of(game), game, **table))
    if write is not None:
        write.write_text(write_levels(found), encoding="utf-8")
    _show(found, title, json)


def _show(levels: Levels, title: str, json: bool) -> None:
    from seatmate.ai.arena.choices import ROUNDING, changed

    share = changed(levels)
    if json:
        print_json({**levels.to_json(), "changed": share})
        return
    known = levels.measured
    if known:
        say(f"[bold]{plain(title)}[/bold], {known['mode']}, {known['seats']} seats, {known['deals']:,} deals, seed {known['seed']}")
    else:
        say(f"[bold]{plain(title)}[/bold]: its levels have not been measured; `seatmate levels GAME --calibrate` does")
    table = Table(box=None, pad_edge=False, header_style="dim")
    by_value = levels.cramped and levels.graded
    for heading, justify in (("Level", "left"), (levels.unit or "Rating", "right"),
                             ("won a deal from the one below" if by_value else "against the one below", "right"),
                             ("ms per move (half, 99 %)", "right"), ("Bot", "left")):
        table.add_column(heading, justify="right" if justify == "right" else "left", overflow="fold")
    for level in levels.levels:
        table.add_row(f"[cyan]level:{plain(level.name)}[/cyan]", _rating(level.rating), _step(level, by_value),
                      "" if level.ms is None else f"{level.ms[0]:.1f}, {level.ms[1]:.1f}", plain(level.bot))
    out().print(table)
    if levels.cramped:
        say(_NO_ROOM + (_BY_VALUE if by_value else ""))
    if share is not None and share > ROUNDING:
        say(f"[yellow]These levels play otherwise than when they were measured: {share:.0%} of their answers are others. "
            "`seatmate levels GAME --measure` measures them anew.[/yellow]")


def _step(level: Level, by_value: bool) -> str:
    """What it scores against the one below; by value, as a share of the most that a deal can bring."""
    if level.step is None:
        return ""
    if by_value:
        return f"{2 * level.step.mean - 1:+.4f} ± {2 * level.step.ci95:.4f}"
    return f"{level.step.mean:.3f} ± {level.step.ci95:.3f}"


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
