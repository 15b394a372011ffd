"""Information-set Monte Carlo tree search for every game of the engine."""
from seatmate.ai.search.analysis import Analysis, Candidate
from seatmate.ai.search.limits import DEFAULT_NODES, Limits
from seatmate.ai.search.params import SearchParams
from seatmate.ai.search.search import Search
from seatmate.ai.search.stop import StopFlag

__all__ = ["DEFAULT_NODES", "Analysis", "Candidate", "Limits", "Search", "SearchParams", "StopFlag"]
