"""Tournaments between bots, with honest error bars.

`run_tournament` plays and reports, `run_matrix` compares the values of an option (decks), `run_balance` measures what a game says
should be equally strong, `run_tuning` tries settings of the search; `report` reports on a results file again, `report_text` writes
a result as JSON, CSV, Markdown or HTML. Statistics that stand alone: `Sprt`, `rate`.
"""
from seatmate.ai.arena.backends import BACKENDS, BackendName
from seatmate.ai.arena.balance import BalanceResult, MatchRate, Rate, Verdict, run_balance
from seatmate.ai.arena.early import EarlyEnd
from seatmate.ai.arena.forecasts import BotForecasts, Forecasts, report_forecasts
from seatmate.ai.arena.levels import LevelsProgress, measure_levels, run_levels
from seatmate.ai.arena.matrix import MatrixCell, MatrixResult, MatrixTotal, run_matrix
from seatmate.ai.arena.plans import (
    FORMATS,
    PERMUTATIONS,
    Format,
    Permutations,
    TournamentError,
    format_plans,
    seat_plans,
)
from seatmate.ai.arena.pool import WorkerError
from seatmate.ai.arena.ratings import Rating, Ratings, comparisons, rate
from seatmate.ai.arena.replay import Replay, replay
from seatmate.ai.arena.report import PairedDifference, Standing, TournamentResult, report, result_from_json
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.arena.sprt import Sprt, SprtReport, SprtRun, elo_to_score, score_to_elo
from seatmate.ai.arena.store import ResultsError, load_results
from seatmate.ai.arena.times import DecisionTimes, Times, report_times
from seatmate.ai.arena.tournament import Progress, run_tournament
from seatmate.ai.arena.tuning import TunedSetting, TuningProgress, TuningResult, run_tuning
from seatmate.ai.arena.writing import REPORT_KINDS, report_json, report_text

__all__ = [
    "BACKENDS",
    "FORMATS",
    "PERMUTATIONS",
    "REPORT_KINDS",
    "BackendName",
    "BalanceResult",
    "BotForecasts",
    "DecisionTimes",
    "EarlyEnd",
    "Forecasts",
    "Format",
    "LevelsProgress",
    "MatchRate",
    "MatrixCell",
    "MatrixResult",
    "MatrixTotal",
    "PairedDifference",
    "Permutations",
    "Progress",
    "Rate",
    "Rating",
    "Ratings",
    "Replay",
    "ResultsError",
    "Sprt",
    "SprtReport",
    "SprtRun",
    "Standing",
    "Times",
    "TournamentError",
    "TournamentResult",
    "TournamentSpec",
    "TunedSetting",
    "TuningProgress",
    "TuningResult",
    "Verdict",
    "WorkerError",
    "comparisons",
    "elo_to_score",
    "format_plans",
    "load_results",
    "measure_levels",
    "rate",
    "replay",
    "report",
    "report_forecasts",
    "report_json",
    "report_text",
    "report_times",
    "result_from_json",
    "run_balance",
    "run_levels",
    "run_matrix",
    "run_tournament",
    "run_tuning",
    "score_to_elo",
    "seat_plans",
]
