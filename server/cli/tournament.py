"""`seatmate tournament`: bots against each other on the same deals."""
from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seatmate.engine.core.registry import game_spec
from seatmate.server.cli.arguments import (
    HOW,
    Backend,
    BackendKey,
    BotFiles,
    GameId,
    Json,
    ModeKey,
    NoColor,
    Options,
    Pack,
    Seats,
    Seed,
    Workers,
    check_apart,
    choose_seed,
    example,
    file_or_text,
    parse_options,
)
from seatmate.server.cli.at_server import Place, tls_options
from seatmate.server.cli.balance import show_balance
from seatmate.server.cli.console import interruptible, print_json
from seatmate.server.cli.decks import ready_decks
from seatmate.server.cli.matrix import show_matrix
from seatmate.server.cli.report import CsvFile, HtmlFile, MarkdownFile, write_reports
from seatmate.server.cli.standings import show_result
from seatmate.server.cli.tournament_bar import tournament_bar
from seatmate.server.cli.tournaments import TOKEN, start

if TYPE_CHECKING:
    from seatmate.ai.arena import EarlyEnd, Forecasts, Sprt, Times


class _Permutations(StrEnum):
    """The words of seatmate.ai.arena.PERMUTATIONS, which is not imported for every command."""

    AUTO = "auto"
    ALL = "all"
    BALANCED = "balanced"
    ROTATIONS = "rotations"


class _Format(StrEnum):
    """The words of seatmate.ai.arena.FORMATS."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    LADDER = "ladder"


BALANCE_BOT = "search:iterations=100"
"""Who plays where the balance of a game is measured: weak play hides what good play makes of an advantage."""

DEALS, SPRT_DEALS = 100, 20_000
"""Deals where none are asked for; a sequential test ends by itself and only needs a bound."""

ERROR_CHANCE = 0.05
"""Of a sequential test, on either side."""

MEASURE, AWAY = "What is measured", "At a server"
"""Parts of the help."""

_CA, _CERT, _KEY = tls_options(AWAY)


def tournament(
    game: GameId,
    bots: Annotated[str | None, typer.Option("--bots", metavar="A,B,...", show_default=False, help=(
        "The bots, separated by commas: random, heuristic, search:iterations=1000, search:time_ms=100. "
        "search:iterations=100,time_ms=50 is one bot with two limits; nodes, memory_mb, depth and threads are set in the same way. "
        "--vary and --decks take one bot (default: heuristic) or two, --balance takes one "
        f"(default: {BALANCE_BOT})."))] = None,
    bot_file: BotFiles = None,
    seats: Seats = None,
    deals: Annotated[int | None, typer.Option("--deals", min=2, metavar="N", show_default=False, help=(
        f"Number of deals; every bot plays each of them. Default: {DEALS}. A sequential test stops after so many at the latest; "
        f"its default is {SPRT_DEALS:,}."))] = None,
    seed: Seed = None,
    mode: ModeKey = None,
    option: Options = None,
    pack: Pack = None,
    permutations: Annotated[_Permutations, typer.Option("--permutations", rich_help_panel=MEASURE, help=(
        "Seatings on each deal: all; balanced (every bot in every seat, and next to every other, equally often); "
        "rotations; auto means all if there are few."))] = _Permutations.AUTO,
    format_: Annotated[_Format, typer.Option("--format", rich_help_panel=MEASURE, help=(
        "Who meets: round-robin (everybody); gauntlet (the first bot each of the others); ladder (each bot its neighbours in the "
        "list)."))] = _Format.ROUND_ROBIN,
    challengers: Annotated[int | None, typer.Option("--challengers", min=1, metavar="N", show_default=False,
                                                    rich_help_panel=MEASURE, help=(
        "In a gauntlet: so many of the first bots meet each of the others, and not each other. Default: 1."))] = None,
    teams: Annotated[str | None, typer.Option("--teams", metavar="0+2,1+3", show_default=False, rich_help_panel=MEASURE, help=(
        "The seats of each team, where one bot is to fill all seats of a team. Without it every seat has its own bot, and teams "
        "are mixed."))] = None,
    adjudicate: Annotated[str | None, typer.Option("--adjudicate", metavar="P,N", show_default=False,
                                                   rich_help_panel=MEASURE, help=(
        "End games that are decided: for N decisions in a row all seats' estimates agree that each seat has P or more, or 1 - P "
        "or less: 0.98,6."))] = None,
    resign: Annotated[str | None, typer.Option("--resign", metavar="P,N", show_default=False, rich_help_panel=MEASURE, help=(
        "Between two seats: who expects P or less in N of its own decisions in a row gives up: 0.02,3."))] = None,
    ratings: Annotated[bool, typer.Option("--ratings", rich_help_panel=MEASURE, help=(
        "Also rate the bots on the Elo scale (Bradley-Terry; Plackett-Luce with more than two seats)."))] = False,
    anchor: Annotated[str | None, typer.Option("--anchor", metavar="BOT", show_default=False, rich_help_panel=MEASURE, help=(
        "The bot whose rating is 0. Default: the first. Implies --ratings."))] = None,
    vary: Annotated[str | None, typer.Option("--vary", metavar="NAME=A,B,...", show_default=False, rich_help_panel=MEASURE, help=(
        "Play the values of an option against each other, each in both seats and against itself: deck=leaf,sand "
        "sets the options deck0 and deck1. @FILE reads a value from a file. Prints a matrix of win rates."))] = None,
    decks: Annotated[str | None, typer.Option("--decks", metavar="A,B,...", show_default=False, rich_help_panel=MEASURE, help=(
        "The same for decks: short for --vary deck=A,B,...; all means every ready-made deck of the game."))] = None,
    balance: Annotated[bool, typer.Option("--balance", rich_help_panel=MEASURE, help=(
        "Measure what should be equally strong according to the game (titans: pairs of characters, and the initiative). "
        "Everything that may meet plays in both seats, with either seat beginning. Prints win rates, and whether they lie within "
        "the game's bounds."))] = False,
    sprt: Annotated[str | None, typer.Option("--sprt", metavar="ELO0,ELO1", show_default=False, rich_help_panel=MEASURE, help=(
        "Sequential test of two bots: stop once it is clear whether the first is ELO1 stronger than the second, "
        "or only ELO0."))] = None,
    sprt_difference: Annotated[str | None, typer.Option(
        "--sprt-difference", metavar="D0,D1", show_default=False, rich_help_panel=MEASURE, help=(
            "The same, stated as differences in mean utility; cooperative games need this: 0,0.02."))] = None,
    alpha: Annotated[float | None, typer.Option("--alpha", metavar="P", show_default=False, rich_help_panel=MEASURE, help=(
        f"Chance that the test accepts ELO1 although ELO0 is true. Default: {ERROR_CHANCE}."))] = None,
    beta: Annotated[float | None, typer.Option("--beta", metavar="P", show_default=False, rich_help_panel=MEASURE, help=(
        f"Chance that the test accepts ELO0 although ELO1 is true. Default: {ERROR_CHANCE}."))] = None,
    results: Annotated[Path | None, typer.Option("--results", metavar="FILE", dir_okay=False, show_default=False,
                                                 rich_help_panel=HOW, help=(
        "Keep every deal in this file. If the file already exists, the run goes on from there: after an interruption, or for "
        "more deals. The seed is then the file's."))] = None,
    keep_games: Annotated[bool, typer.Option("--keep-games", rich_help_panel=HOW, help=(
        "Keep every action in the results file, too, so that `seatmate replay` can show games of bots that watch the clock. (All "
        "others are played again.)"))] = False,
    values: Annotated[bool, typer.Option("--values", rich_help_panel=HOW, help=(
        "Also keep what searches expect of their answers, for the calibration in reports; with --results in FILE.values. It "
        "changes nothing of what is played."))] = False,
    workers: Workers = None,
    backend: Backend = BackendKey.LOCAL,
    server: Annotated[str | None, typer.Option("--server", metavar="HOST:PORT", show_default=False, rich_help_panel=AWAY, help=(
        "Let a server with --tournaments play it. Ctrl-C leaves it to the server, and `seatmate tournaments` looks after "
        "it."))] = None,
    token: Annotated[str, typer.Option("--token", metavar="TOKEN", envvar=TOKEN, show_default=False, rich_help_panel=AWAY, help=(
        "The token of an owner of other tournaments there. Default: a new one, which is told."))] = "",
    ca: Annotated[Path | None, _CA] = None,
    cert: Annotated[Path | None, _CERT] = None,
    key: Annotated[Path | None, _KEY] = None,
    html: HtmlFile = None,
    markdown: MarkdownFile = None,
    csv: CsvFile = None,
    json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Let bots play the same deals and compare them, with honest error bars.

    The same seed gives the same result, with any number of workers and after any interruption, unless a bot has a time limit.
    """
    from seatmate.ai.arena import report_json, run_balance, run_matrix, run_tournament
    from seatmate.ai.bots import parse_bots

    title = game_spec(game).title
    check_apart(results=results, html=html, markdown=markdown, csv=csv)
    if server is not None and (vary or decks or balance):
        raise typer.BadParameter("--vary, --decks and --balance are measured here; leave out --server")
    if server is None and (ca or cert or key):
        raise typer.BadParameter("--ca, --cert and --key belong to --server")
    test = _sprt(sprt, sprt_difference, alpha, beta, game_spec(game).mode(mode).cooperative)
    if seed is None:
        seed = stored_seed(results)
    if deals is None:
        deals = DEALS if test is None else SPRT_DEALS
    seed = choose_seed(seed)
    kept = f"nothing is kept without --results FILE. The same deals again: --seed {seed}" if results is None else (
        f"every finished deal is kept in {results}; the same command goes on from there.")
    varied = _varied(vary, decks, game)
    if challengers is not None and format_ is not _Format.GAUNTLET:
        raise typer.BadParameter("--challengers belongs to --format gauntlet")
    if varied is not None or balance:
        if (test is not None or ratings or anchor is not None or permutations is not _Permutations.AUTO or teams or keep_games
                or values or adjudicate or resign or format_ is not _Format.ROUND_ROBIN):
            raise typer.BadParameter("--vary, --decks and --balance can't be combined with tests, ratings, --permutations, "
                                     "--format, --teams, --adjudicate, --resign, --keep-games or --values")
        if html or markdown or csv:
            raise typer.BadParameter("--vary, --decks and --balance have no report files; --json prints all of them")
        if seats not in (None, 2):
            raise typer.BadParameter(f"{'the balance' if balance else 'an option'} is measured between two seats, not {seats}")
    if balance:
        if varied is not None:
            raise typer.BadParameter("--balance decides what is varied; leave out --vary and --decks")
        players = parse_bots(bots or BALANCE_BOT)
        if len(players) != 1:
            raise typer.BadParameter(f"--balance takes one bot, for all seats, not {len(players)}")
        with interruptible(kept), tournament_bar(title) as progress:
            measured = run_balance(
                game, bot=players[0], deals=deals, seed=seed, mode=mode, options=parse_options(option), pack=pack,
                results=results, workers=workers, backend=backend.value, progress=progress)
        if json:
            print_json(measured.to_json())
        else:
            show_balance(measured, title)
        return
    if varied is not None:
        name, labels = varied
        with interruptible(kept), tournament_bar(title) as progress:
            matrix = run_matrix(
                game, varied=name, values=list(labels), bots=parse_bots(bots or "heuristic"), deals=deals,
                seed=seed, mode=mode, options=parse_options(option), pack=pack, results=results, workers=workers,
                backend=backend.value, progress=progress)
        if json:
            print_json(matrix.to_json())
        else:
            show_matrix(matrix, title, labels)
        return
    if bots is None:
        raise typer.BadParameter("name the bots with --bots, for example --bots heuristic,random")
    if server is not None:
        if results or keep_games or workers is not None or backend is not BackendKey.LOCAL or bot_file:
            raise typer.BadParameter("--server can't be combined with --results, --keep-games, --workers, --backend or --bot-file: "
                                     "the server keeps the results, and knows its own bots")
        start(Place(server, ca, cert, key), token, game, bots=_named_there(bots), deals=deals, seats=seats or 0, mode=mode or "",
              options=parse_options(option), pack=pack or "", seed=seed, seatings=permutations.value, format=format_.value,
              challengers=challengers or 0, teams=[{"seats": team} for team in _teams(teams)], values=values,
              ratings=ratings or anchor is not None, anchor=anchor or "", **_rules(_early(adjudicate, resign)),
              sequential_test=_test_message(sprt, sprt_difference, alpha, beta), html=html, markdown=markdown, csv=csv, json=json)
        return
    times: Times = {}
    forecasts: Forecasts = {}
    with interruptible(kept), tournament_bar(title) as progress:
        result = run_tournament(
            game, seats=seats, bots=parse_bots(bots), deals=deals, seed=seed, mode=mode,
            options=parse_options(option), pack=pack, permutations=permutations.value,
            format=format_.value, challengers=challengers or 1, teams=_teams(teams), keep_games=keep_games,
            early=_early(adjudicate, resign), sprt=test,
            ratings=ratings or anchor is not None, anchor=anchor, results=results, workers=workers,
            backend=backend.value, progress=progress, times=times,
            forecasts=forecasts if values else None)
    if json:
        print_json(report_json(result, {}, forecasts))      # without times, so that the same seed prints the same
    else:
        show_result(result, times, forecasts, title)
    write_reports(result, times, forecasts, html=html, markdown=markdown, csv=csv, quiet=json)


def _early(adjudicate: str | None, resign: str | None) -> EarlyEnd | None:
    """The rules for decided games. Raises typer.BadParameter."""
    from seatmate.ai.arena import EarlyEnd

    rules = []
    for flag, text in (("--adjudicate", adjudicate), ("--resign", resign)):
        bound, _, decisions = (text or "").partition(",")
        try:
            rules.append(None if text is None else (float(bound), int(decisions)))
        except ValueError:
            said = f"{flag} takes an estimate and a number of decisions, such as 0.98,6, and not {text!r}"
            raise typer.BadParameter(said) from None
    return EarlyEnd(*rules) if any(rules) else None


def _named_there(bots: str) -> list[str]:
    """The texts of the bots; such as only the server knows are as they stand."""
    from seatmate.ai.bots import BotError, parse_bots

    try:
        return [str(bot) for bot in parse_bots(bots)]
    except BotError:
        return [bot.strip() for bot in bots.split(",")]


def _rules(early: EarlyEnd | None) -> dict[str, Any]:
    """The rules for decided games as messages."""
    rules = {} if early is None else {"adjudicate": early.adjudicate, "resign": early.resign}
    return {name: {"estimate": rule[0], "decisions": rule[1]} for name, rule in rules.items() if rule is not None}


def _test_message(elo: str | None, difference: str | None, alpha: float | None, beta: float | None) -> dict[str, Any] | None:
    """A sequential test as a message; its texts are checked."""
    for name, option, text in (("elo", "--sprt", elo), ("difference", "--sprt-difference", difference)):
        if text is not None:
            low, high = _two_numbers(option, text)
            return {name: {"low": low, "high": high}, "alpha": alpha or 0, "beta": beta or 0}
    return None


def _teams(text: str | None) -> list[list[int]]:
    """The seats of each team. Raises typer.BadParameter."""
    try:
        return [] if text is None else [[int(seat) for seat in team.split("+")] for team in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"--teams takes the seats of each team, such as 0+2,1+3, and not {text!r}") from None


def _varied(vary: str | None, decks: str | None, game: str) -> tuple[str, dict[str, str]] | None:
    """(name of the option, label by value), or None where nothing is varied. Raises typer.BadParameter."""
    if vary is not None and decks is not None:
        raise typer.BadParameter("--decks is a kind of --vary; give only one of them")
    if decks is not None:
        vary = f"deck={','.join(ready_decks(game_spec(game))) if decks == 'all' else decks}"
    if vary is None:
        return None
    name, equals, values = vary.partition("=")
    labels = [label.strip() for label in values.split(",") if label.strip()]
    if not equals or not labels:
        raise typer.BadParameter(f"--vary takes NAME=A,B,..., not {vary!r}")
    found: dict[str, str] = {}
    for label in labels:
        value = file_or_text(label)
        if value in found:
            raise typer.BadParameter(f"{label!r} is named twice")
        found[value] = label.removeprefix("@")
    return name.strip(), found


def stored_seed(results: Path | None) -> int | None:
    """The seed of an existing results file. Raises ResultsError, OSError."""
    from seatmate.ai.arena.store import load_spec

    if results is None or not results.exists():
        return None
    spec = load_spec(results)
    return spec.seed if spec is not None else None


def _sprt(elo: str | None, difference: str | None, alpha: float | None, beta: float | None, cooperative: bool) -> Sprt | None:
    """The test the options ask for. Raises typer.BadParameter, TournamentError."""
    from seatmate.ai.arena import Sprt

    if elo is not None and difference is not None:
        raise typer.BadParameter("--sprt and --sprt-difference are two different tests; give only one of them")
    if elo is None and difference is None:
        for name, chance in (("--alpha", alpha), ("--beta", beta)):
            if chance is not None:
                raise typer.BadParameter(f"{name} belongs to a sequential test; ask for one with --sprt or --sprt-difference")
        return None
    chances = [ERROR_CHANCE if chance is None else chance for chance in (alpha, beta)]
    if elo is not None:
        if cooperative:
            raise typer.BadParameter("the bots of a cooperative game don't play against each other, so there is no Elo to test; "
                                     "use --sprt-difference, for example 0,0.02")
        return Sprt.from_elo(*_two_numbers("--sprt", elo), *chances)
    assert difference is not None
    return Sprt.from_difference(*_two_numbers("--sprt-difference", difference), *chances)


def _two_numbers(option: str, text: str) -> tuple[float, float]:
    try:
        first, second = (float(part) for part in text.split(","))
    except ValueError:
        raise typer.BadParameter(f"{option} takes two numbers with a comma between them, not {text!r}") from None
    return first, second


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example(
        "seatmate tournament kuhn --bots random,heuristic --deals 200 --seed 1",
        "seatmate tournament kuhn --bots heuristic,random --sprt 0,50 --seed 1",
        "seatmate tournament kuhn --bots random,heuristic --deals 500 --ratings --results night.jsonl",
        "seatmate tournament liars_dice --seats 4 --teams 0+2,1+3 --bots heuristic,random --deals 20 --seed 1",
        "seatmate tournament mythos --decks leaf,sand --deals 50 --seed 1",
        "seatmate tournament titans --balance --bots heuristic --deals 20 --results balance.jsonl",
    ))(tournament)
