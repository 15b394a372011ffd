"""The balance of a game for a person."""
from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from seatmate.engine.core.registry import game_spec
from seatmate.server.cli.console import out, plain, say
from seatmate.server.cli.faults import show_faults

if TYPE_CHECKING:
    from seatmate.ai.arena import BalanceResult, Rate

_VERDICTS = {"met": "[green]met[/green]", "missed": "[red]missed[/red]", "open": "[yellow]open: more deals are needed[/yellow]"}


def show_balance(result: BalanceResult, title: str) -> None:
    """Print it: win rates in per cent with 95 % intervals, and what they say of each bar."""
    balance = game_spec(result.game).balance
    assert balance is not None
    say(f"[bold]{plain(title)}[/bold], {plain(result.mode)}, {plain(result.bot)}, {result.deals:,} deals, {result.games:,} games, "
        f"seed {result.seed}")
    table = _table(balance.noun[0].upper() + balance.noun[1:], "Wins %", "± 95 %", "Games", "Bar")
    for value, rate in sorted(result.values.items(), key=lambda item: -item[1].win_rate):
        table.add_row(f"[cyan]{plain(value)}[/cyan]", *_cells(rate))
    table.add_row(f"[cyan]{plain(balance.first_noun)}[/cyan]", *_cells(result.first))
    out().print(table)
    say()
    matches = _table("Against each other", "Wins %", "± 95 %", "in seat 0", "in seat 1", "Games")
    for match in result.matches:
        matches.add_row(f"{plain(match.a)} against {plain(match.b)}", f"{100 * match.win_rate:.1f}", f"{100 * match.ci95:.1f}",
                        *(f"{100 * rate:.1f}" for rate in match.seat_rates), f"{match.games:,}")
    out().print(matches)
    show_faults(result.faults)
    if not result.reproducible:
        say("[dim]The bot has a time limit: another run with the same seed may end differently.[/dim]")


def _cells(rate: Rate) -> tuple[str, ...]:
    low, high = rate.bar
    return (f"{100 * rate.win_rate:.1f}", f"{100 * rate.ci95:.1f}", f"{rate.games:,}",
            f"{100 * low:.0f} to {100 * high:.0f}: {_VERDICTS[rate.verdict]}")


def _table(first: str, *numbers: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(first)
    for heading in numbers:
        table.add_column(heading, justify="left" if heading == "Bar" else "right")
    return table
