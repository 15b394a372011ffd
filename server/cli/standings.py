"""The result of a tournament for a person."""
from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from seatmate.server.cli.console import out, plain, say
from seatmate.server.cli.faults import show_faults

if TYPE_CHECKING:
    from seatmate.ai.arena import Forecasts, Ratings, SprtReport, Times, TournamentResult

SLOW_MS = 1.0
"""A bot whose slowest hundredth of decisions takes longer is worth a line."""


def show_result(result: TournamentResult, times: Times, forecasts: Forecasts, title: str) -> None:
    """Print it: standings, pairs, and where they were asked for the test and the ratings."""
    from seatmate.ai.arena.sections import milliseconds, percent

    say(f"[bold]{plain(title)}[/bold], {result.seats} seats, {result.deals:,} deals, {result.games:,} games, "
        f"seed {result.seed}")
    standings = _table("Bot", "Rank", "Mean utility", "± 95 %", "Wins", "Games")
    for row in result.standings:
        standings.add_row(f"[cyan]{plain(row.bot)}[/cyan]", f"{row.rank}", f"{row.mean_utility:.4f}", f"{row.ci95:.4f}",
                          f"{row.win_rate:.1%}", f"{row.games:,}")
    out().print(standings)
    say()
    for pair in result.pairs:
        low, high = pair.interval
        say(f"{plain(pair.a)} - {plain(pair.b)}: [bold]{pair.mean:+.4f}[/bold] "
            f"(95 % interval {low:+.4f} .. {high:+.4f}, paired on {pair.deals:,} deals; "
            f"likelihood of superiority {percent(pair.superiority)}): {pair.verdict}")
    if result.sprt is not None:
        _show_sprt(result.sprt)
    if result.ratings is not None:
        _show_ratings(result.ratings)
    show_faults(result.faults)
    for bot, one in times.items():
        if one.quantile_ms(0.99) > SLOW_MS:
            half, most, longest = map(milliseconds, (one.quantile_ms(0.5), one.quantile_ms(0.99), one.longest_ns / 1e6))
            late = f", {one.late:,} late" if one.late else ""
            say(f"[dim]{plain(bot)}: {half} per decision (99 %: {most}, longest {longest}{late})[/dim]")
    for bot, expected in forecasts.items():
        say(f"[dim]{plain(bot)}: what it expected of {expected.decisions:,} decisions is {expected.error:.4f} from what came, on "
            "average by tenths of the utility; reports show the calibration[/dim]")
    if not result.reproducible:
        say("[dim]A bot has a time limit: another run with the same seed may end differently.[/dim]")


def _show_sprt(test: SprtReport) -> None:
    from seatmate.ai.arena import score_to_elo
    from seatmate.ai.arena.sections import SPRT_WORDS

    say()
    say(f"Sequential test, {plain(test.first)} against {plain(test.second)}: [bold]{SPRT_WORDS[test.verdict]}[/bold] "
        f"after {test.deals:,} deals")
    say(f"log-likelihood ratio {test.llr:+.2f} (bounds {test.lower:.2f}, {test.upper:.2f}); expected score under "
        f"H0 {test.score0:.4f} ({score_to_elo(test.score0):+.1f} Elo), H1 {test.score1:.4f} "
        f"({score_to_elo(test.score1):+.1f} Elo), seen {test.score:.4f}", indent=2)
    if test.pentanomial is not None:
        counts = ", ".join(f"{count:,}" for count in test.pentanomial)
        say(f"pairs of games with 0, ½, 1, 1½, 2 points: {counts}", indent=2)
    if test.verdict is not None:
        say("the verdict stands; the figures above are biased by the early stop", indent=2)


def _show_ratings(ratings: Ratings) -> None:
    say()
    say(f"Ratings ({ratings.model}, Elo scale, {plain(ratings.anchor)} = 0)")
    table = _table("Bot", "Rating", "95 % interval")
    for row in ratings.ratings:
        if row.bot == ratings.anchor:
            interval = "anchor"
        else:
            low, high = (f"{end:+.0f}" if end is not None else "open" for end in (row.low, row.high))
            interval = f"{low} .. {high}"
        table.add_row(f"[cyan]{plain(row.bot)}[/cyan]", f"{row.elo:+.0f}", interval)
    out().print(table)


def _table(first: str, *numbers: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(first)
    for heading in numbers:
        table.add_column(heading, justify="right")
    return table
