"""Tournaments between bots, with honest error bars."""
from seatmate.ai.arena.tournament import (
    PairedDifference,
    Standing,
    TournamentError,
    TournamentResult,
    run_tournament,
    seat_plans,
)

__all__ = ["PairedDifference", "Standing", "TournamentError", "TournamentResult", "run_tournament", "seat_plans"]
