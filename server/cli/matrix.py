"""A matrix of win rates for a person."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.table import Table

from seatmate.server.cli.console import out, plain, say
from seatmate.server.cli.faults import show_faults

if TYPE_CHECKING:
    from seatmate.ai.arena import MatrixResult


def show_matrix(result: MatrixResult, title: str, labels: Mapping[str, str]) -> None:
    """Print it: rows against columns, in per cent with 95 % intervals; `labels` name the values."""
    say(f"[bold]{plain(title)}[/bold], {plain(' and '.join(result.bots))}, {result.deals:,} deals, {result.games:,} games, "
        f"seed {result.seed}")
    say(f"Win rate of the {plain(result.varied)} on the left against the one above, in %, "
        "with 95 % intervals (cut off at 0 and 100)")
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    for value in result.values:
        table.add_column(plain(labels[value]), justify="right")
    table.add_column("all others", justify="right")
    for total in result.totals:
        cells = []
        for column in result.values:
            cell = result.cell(total.value, column)
            text = _per_cent(cell.win_rate, cell.low, cell.high)
            clear = abs(cell.win_rate - 0.5) > cell.ci95
            style = "dim" if column == total.value else ("green" if cell.win_rate > 0.5 else "red") if clear else ""
            cells.append(f"[{style}]{text}[/{style}]" if style else text)
        cells.append(f"[bold]{_per_cent(total.win_rate, total.low, total.high)}[/bold]" if total.games else "-")
        table.add_row(f"[cyan]{plain(labels[total.value])}[/cyan]", *cells)
    out().print(table)
    say()
    if len(result.bots) == 1:
        say("Against itself: the win rate of seat 0.")
    else:
        say(f"{plain(result.bots[0])} has the {plain(result.varied)} on the left, {plain(result.bots[1])} the one above.")
    for value in result.values:
        first, second = result.cell(value, value).seat_rates
        say(f"mirror match {plain(labels[value])}: {100 * first:.0f} % in seat 0, {100 * second:.0f} % in seat 1", indent=2)
    show_faults(result.faults)
    if not result.reproducible:
        say("[dim]A bot has a time limit: another run with the same seed may end differently.[/dim]")


def _per_cent(rate: float, low: float, high: float) -> str:
    """`62 (41..83)`."""
    return f"{100 * rate:.0f} ({100 * low:.0f}..{100 * high:.0f})"
