"""What a report shows, as sections of tables in words: Markdown and HTML print the same ones."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from seatmate.ai.arena.forecasts import Forecasts
from seatmate.ai.arena.report import TournamentResult
from seatmate.ai.arena.sprt import score_to_elo
from seatmate.ai.arena.times import Times
from seatmate.ai.bots.guarded import Faults

SPRT_WORDS = {"H0": "H0 accepted", "H1": "H1 accepted", None: "undecided; more deals are needed"}
"""A verdict of a sequential test as a sentence says it."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, a sentence on how to read it, and a table: names in the first `names` columns, numbers in the others.

    key: the section's picture, if there is one, has this name, too (see `plots`).
    """

    key: str
    title: str
    text: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 1


def facts(result: TournamentResult) -> str:
    """What was played, in one sentence."""
    options = "".join(f", {key}={value}" for key, value in result.options.items())
    pack = f", pack {result.pack} ({result.pack_hash[:12]})" if result.pack else ""
    again = "" if result.reproducible else " A bot has a time limit: another run with the same seed may end differently."
    return (f"{result.game}, {result.mode}, {result.seats} seats{options}{pack}: {result.deals:,} deals, {result.games:,} games, "
            f"seatings {result.permutations}, seed {result.seed}.{again}")


def sections(result: TournamentResult, times: Times, forecasts: Forecasts) -> list[Section]:
    """All that there is something to say about, in the order of the report. times, forecasts: empty where nothing is known."""
    return [section for made in (_standings, _cross_table, _pairs, _sprt, _ratings, _seats, _length, _budgets, _faults)
            for section in made(result)] + [*_times(result, times), *_calibration(result, forecasts)]


def _standings(result: TournamentResult) -> Iterator[Section]:
    rows = tuple((row.bot, str(row.rank), plus_minus(row.mean_utility, row.ci95), f"{row.win_rate:.1%}", f"{row.games:,}")
                 for row in result.standings)
    text = ("Mean utility over deals with its 95 % interval. Bots share a rank where the deals they have in common can't tell them "
            "apart.")
    yield Section("standings", "Standings", text, ("Bot", "Rank", "Mean utility", "Wins", "Games"), rows)


def _cross_table(result: TournamentResult) -> Iterator[Section]:
    if not result.pairs:
        return
    cells: dict[tuple[str, str], str] = {}
    for pair in result.pairs:
        for row, column, sign in ((pair.a, pair.b, 1), (pair.b, pair.a, -1)):
            score = "" if pair.score is None else f" ({pair.score if sign == 1 else 1 - pair.score:.1%})"
            cells[row, column] = f"{sign * pair.mean:+.4f} ± {pair.ci95:.4f}{score}"
    bots = [row.bot for row in result.standings]
    rows = tuple((row, *(cells.get((row, column), "–") for column in bots)) for row in bots)
    text = "Row less column: mean difference in utility on common deals, its 95 % interval, and the row's score against the column."
    yield Section("cross", "Cross table", text, ("", *bots), rows)


def _pairs(result: TournamentResult) -> Iterator[Section]:
    rows = []
    for pair in result.pairs:
        low, high = pair.interval
        score = "–" if pair.score is None or pair.score_ci95 is None else f"{pair.score:.1%} ± {pair.score_ci95:.1%}"
        rows.append((pair.a, pair.b, f"{pair.mean:+.4f}", f"{low:+.4f} .. {high:+.4f}", score, percent(pair.superiority),
                     pair.verdict))
    if rows:
        text = ("Paired on common deals. The likelihood of superiority is the probability that the first is truly better; the "
                "verdict needs the whole 95 % interval on one side of 0.")
        yield Section("pairs", "Each two", text,
                      ("Bot", "Against", "Difference", "95 % interval", "Score", "Superior", "Verdict"), tuple(rows), 2)


def _sprt(result: TournamentResult) -> Iterator[Section]:
    test = result.sprt
    if test is None:
        return
    rows = [("verdict", SPRT_WORDS[test.verdict]), ("deals", f"{test.deals:,}"),
            ("log-likelihood ratio", f"{test.llr:+.2f} (bounds {test.lower:.2f}, {test.upper:.2f})"),
            ("expected score under H0", f"{test.score0:.4f} ({score_to_elo(test.score0):+.1f} Elo)"),
            ("expected score under H1", f"{test.score1:.4f} ({score_to_elo(test.score1):+.1f} Elo)")]
    if test.score is not None:
        rows.append(("score seen", f"{test.score:.4f}"))
    if test.pentanomial is not None:
        rows.append(("pairs of games with 0, ½, 1, 1½, 2 points", ", ".join(f"{count:,}" for count in test.pentanomial)))
    text = f"{test.first} against {test.second}. After an early stop the verdict stands; the size of the effects above is biased."
    yield Section("sprt", "Sequential test", text, ("", ""), tuple(rows))


def _ratings(result: TournamentResult) -> Iterator[Section]:
    if result.ratings is None:
        return
    rows = []
    for row in result.ratings.ratings:
        low, high = ("open" if end is None else f"{end:+.0f}" for end in (row.low, row.high))
        rows.append((row.bot, f"{row.elo:+.0f}", "anchor" if row.bot == result.ratings.anchor else f"{low} .. {high}"))
    text = (f"{result.ratings.model}, on the Elo scale; {result.ratings.anchor} = 0. 400 points are odds of ten to one. An "
            "interval is open where a bot won or lost everything.")
    yield Section("ratings", "Ratings", text, ("Bot", "Rating", "95 % interval"), tuple(rows))


def _seats(result: TournamentResult) -> Iterator[Section]:
    rows = tuple((f"seat {row.seat}", plus_minus(row.mean_utility, row.ci95), f"{row.win_rate:.1%}") for row in result.seat_figures)
    if rows:
        text = "What a seat is worth, whoever sits there: every bot sat in all seats equally often."
        yield Section("seats", "Seats", text, ("Seat", "Mean utility", "Wins"), rows)


def _length(result: TournamentResult) -> Iterator[Section]:
    if (length := result.length) is not None:
        text = "Decisions with a choice of a game, of all seats together; the mean with its 95 % interval over deals."
        yield Section("length", "Game length", text, ("Games", "Mean", "Shortest", "Median", "95 %", "Longest"), (
            (f"{length.games:,}", f"{length.mean:.2f} ± {length.ci95:.2f}", f"{length.shortest:,}", f"{length.median:g}",
             f"{length.p95:g}", f"{length.longest:,}"),))


def _budgets(result: TournamentResult) -> Iterator[Section]:
    rows = tuple((curve.bot, f"{curve.budget}={point.amount:g}", plus_minus(point.mean_utility, point.ci95))
                 for curve in result.budgets for point in curve.points)
    if rows:
        text = "Bots that differ only in how much they may think."
        yield Section("budgets", "Strength against budget", text, ("Bot", "Budget", "Mean utility"), rows, 2)


def _faults(result: TournamentResult) -> Iterator[Section]:
    kinds = tuple(field.name for field in fields(Faults))
    rows = tuple((bot, *(f"{counts.get(kind, 0):,}" for kind in kinds)) for bot, counts in result.faults.items())
    if rows:
        text = "Decisions a bot did not take (the heuristic did), and overshoots: those that came too late, and were played."
        yield Section("faults", "What bots did wrong", text, ("Bot", *kinds), rows)


def _times(result: TournamentResult, times: Times) -> Iterator[Section]:
    rows = tuple((row.bot, f"{one.decisions:,}", milliseconds(one.quantile_ms(0.5)), milliseconds(one.quantile_ms(0.99)),
                  milliseconds(one.longest_ns / 1e6), f"{one.late:,}")
                 for row in result.standings if (one := times.get(row.bot)) is not None and one.counts)
    if rows:
        text = ("Of decisions with a choice, on the machine that played. Late: they took longer than the bot's time_ms by more "
                "than 5 % and a millisecond.")
        yield Section("times", "Time per decision", text, ("Bot", "Decisions", "Median", "99 %", "Longest", "Late"), rows)


def _calibration(result: TournamentResult, forecasts: Forecasts) -> Iterator[Section]:
    rows = []
    for bot in (row.bot for row in result.standings if row.bot in forecasts):
        for low, high, one in forecasts[bot].in_order():
            came = f"{one.mean_came:.4f}" if one.ci95 is None else plus_minus(one.mean_came, one.ci95)
            rows.append((bot, f"{low:.1f} .. {high:.1f}", f"{one.decisions:,}", f"{one.mean_expected:.4f}", came,
                         f"{one.mean_came - one.mean_expected:+.4f}"))
        rows.append((bot, "all", f"{forecasts[bot].decisions:,}", "", "", f"{forecasts[bot].error:.4f}"))
    if rows:
        text = ("What searches expected of the answers they gave, as hints would show it, and the utility their seat then had, by "
                "tenths of what was expected; 95 % intervals over deals. The row of all has the mean distance. What comes depends "
                "on who plays on: the values of hints are meant for good play of all seats.")
        yield Section("calibration", "Calibration", text, ("Bot", "Tenth", "Decisions", "Expected", "Came", "Difference"),
                      tuple(rows), 2)


def milliseconds(time: float) -> str:
    """A time in ms with three digits."""
    return f"{time:,.0f} ms" if time >= 100 else f"{time:.3g} ms" if time >= 0.1 else f"{1000 * time:.3g} µs"


def plus_minus(mean: float, half: float) -> str:
    """A mean and the half width of its interval."""
    return f"{mean:.4f} ± {half:.4f}"


def percent(likelihood: float) -> str:
    """A likelihood; one that only rounds to certainty is not called certain."""
    return "> 99.9 %" if likelihood > 0.9995 else "< 0.1 %" if likelihood < 0.0005 else f"{100 * likelihood:.1f} %"
