from seatmate.ai.bots.settings import PolicySettings
from seatmate.engine.core.game import Game

class PolicyHandle:
    """Owns a compiled policy for one game; used by one thread at a time."""

    game: Game
    settings: PolicySettings
    reuses: bool
    threads: int
    def __init__(self, game: Game, settings: PolicySettings) -> None: ...
