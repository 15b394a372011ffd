from seatmate.ai.arena.early import EarlyEnd
from seatmate.ai.bots.policy import PolicyHandle
from seatmate.engine.core.game import Game, State

def play_game(game: Game, handles: list[PolicyHandle], seed: int, words: list[int], early: EarlyEnd | None = None) -> list[float]:
    """Deal the game of a table `seed` and let one PolicyHandle per seat play it; the utilities."""

def play_recorded(game: Game, handles: list[PolicyHandle], seed: int, words: list[int],
                  early: EarlyEnd | None = None, said: list[tuple[int, float]] | None = None) -> tuple[State, list[float]]:
    """The game that `play_game` plays, at its end with all its actions, and the utilities."""

def play_on(state: State, handles: list[PolicyHandle], words: list[int]) -> list[float]:
    """Let one PolicyHandle per seat play a copy of the state to the end; the utilities."""

def play_heuristics(games: list[Game], seed: int) -> list[float]:
    """Deal the table `seed` of the first game and let the heuristic of one game per seat play it; the utilities."""

def win_shares(utilities: list[float]) -> list[float]:
    """How much of the win each seat has, 0..1: the highest utility wins; who ties for one utility of 1 shares it."""
