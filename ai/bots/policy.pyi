from seatmate.ai.bots.settings import PolicySettings
from seatmate.ai.bots.watch import Stopwatch
from seatmate.ai.search.stop import StopFlag
from seatmate.engine.core.game import Game, State

class PolicyHandle:
    """Owns a compiled policy for one game; used by one thread at a time. Each kind of bot has its own."""

    game: Game
    settings: PolicySettings
    reuses: bool
    memory_bytes: int
    fault: str
    def __init__(self, game: Game, settings: PolicySettings) -> None: ...
    def timed_by(self, stopwatch: Stopwatch) -> None:
        """Let it count how long decisions with a choice take."""
    def answer(self, state: State, seat: int, seed: int, stop: StopFlag | None) -> int:
        """One of the seat's legal actions, by what the seat sees, with chance from `seed` alone. A kind in Python overrides it."""
