from seatmate.ai.search.params import SearchParams
from seatmate.engine.core.game import Game, State

def heuristic_playouts(game: Game, count: int, seed: int, *, quick: bool = False) -> tuple[int, float]:
    """Deal and play `count` games by the heuristic, or by the quick rollout policy. Returns (decisions, seconds)."""

def search_simulations_per_s(
    state: State, iterations: int, *, seed: int = 0, params: SearchParams | None = None
) -> float:
    """Simulations per second of one search of the first pending seat, its memory allocation included."""
