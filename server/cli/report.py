"""`seatmate report`: what a results file says, for a terminal, a browser or another program."""
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seatmate.engine.core.registry import game_spec
from seatmate.server.cli.arguments import Json, NoColor, check_apart, example
from seatmate.server.cli.console import plain, print_json, say
from seatmate.server.cli.standings import show_result

if TYPE_CHECKING:
    from seatmate.ai.arena import Forecasts, Times, TournamentResult


def _in_a_folder(path: Path | None) -> Path | None:
    """A file that can be made: better known before hours of play than after them. Raises typer.BadParameter."""
    if path is not None and not path.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {path.parent}")
    return path


def _file(option: str, text: str) -> Any:
    """An option that names a file to write."""
    return typer.Option(option, metavar="FILE", dir_okay=False, writable=True, callback=_in_a_folder, show_default=False,
                        rich_help_panel="Reports", help=text)


HtmlFile = Annotated[Path | None, _file(
    "--html", "Write the report as one HTML file, with pictures if matplotlib is installed (extra draw).")]
MarkdownFile = Annotated[Path | None, _file("--markdown", "Write the report as Markdown.")]
CsvFile = Annotated[Path | None, _file("--csv", "Write the report as CSV: one figure a line, with the ends of its 95 % interval.")]


def report(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", exists=True, dir_okay=False, show_default=False,
                                            help="A results file of `seatmate tournament --results`.")],
    html: HtmlFile = None,
    markdown: MarkdownFile = None,
    csv: CsvFile = None,
    anchor: Annotated[str | None, typer.Option("--anchor", metavar="BOT", show_default=False, help=(
        "The bot whose rating is 0. Default: random if it plays, else the first."))] = None,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Report on the deals in a results file, without playing any, also while the tournament goes on.

    Standings, cross table, likelihoods of superiority, ratings, what the seats are worth, strength against budget,
    and, if FILE.times and FILE.values lie beside the results, how long the bots thought, and whether what
    searches expected came.
    """
    from seatmate.ai.arena import report as read_report
    from seatmate.ai.arena import report_forecasts, report_json, report_times
    from seatmate.ai.arena.store import load_spec

    check_apart(RESULTS=results, html=html, markdown=markdown, csv=csv)
    spec = load_spec(results)
    if anchor is None and spec is not None and "random" in spec.bots:
        anchor = "random"
    times, forecasts = report_times(results), report_forecasts(results)
    result = read_report(results, ratings=spec is not None and len(spec.bots) > 1, anchor=anchor)
    if json:
        print_json(report_json(result, times, forecasts))
    else:
        show_result(result, times, forecasts, game_spec(result.game).title)
    write_reports(result, times, forecasts, html=html, markdown=markdown, csv=csv, quiet=json)


def write_reports(result: TournamentResult, times: Times, forecasts: Forecasts, *, html: Path | None, markdown: Path | None,
                  csv: Path | None, quiet: bool) -> None:
    """Write the files that are named, and unless `quiet` say so. Raises OSError."""
    from seatmate.ai.arena import report_text

    for path, kind in ((html, "html"), (markdown, "markdown"), (csv, "csv")):
        if path is not None:
            path.write_text(report_text(result, kind, times, forecasts), encoding="utf-8")
            if not quiet:
                say(f"written: {plain(str(path))}", fold=False)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example(
        "seatmate report night.jsonl",
        "seatmate report night.jsonl --html night.html --csv night.csv",
        "seatmate report night.jsonl --anchor heuristic --json",
    ))(report)
