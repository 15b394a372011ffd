from seatmate.ai.bots.registry import BotSpec
from seatmate.ai.search.search import Search
from seatmate.ai.search.stop import StopFlag
from seatmate.engine.core.game import Game, State

class Bot:
    """Chooses for any seat of any game, seeing no more than that seat.

    A choice is a function of the bot's seed and what the seat has observed since the deal: it needs no memory, never
    touches the table's randomness, and a restarted bot goes on exactly as before. (Time budgets depend on the machine; with
    `reuse` a search remembers its last decision.)
    Use one Bot from one thread at a time.
    """

    spec: BotSpec
    seed: int
    thinks: bool
    """Takes its time: a server asks it on a thread of its own."""
    simulations: int
    """Simulations of the last choice; 0 where nothing was searched."""
    fault: str
    """Why the heuristic took the last choice, where the bot could not; "" where nothing went wrong."""
    def __init__(self, spec: BotSpec | str, seed: int) -> None: ...
    def thinks_in(self, game: Game) -> bool:
        """Does it take its time in this game? (At some levels it answers at once.)"""
    def choose(self, state: State, seat: int, *, stop: StopFlag | None = None) -> int:
        """The action the bot plays for a pending seat; `stop` makes a search answer with what it has.

        The GIL is released. Raises GameOverError, SeatNotPendingError.
        """

    def same_search(self, state: State, seat: int) -> Search | None:
        """The search that `choose` would do for this seat, still to be simulated within the bot's limits; None: it does not search.

        Raises as `choose`.
        """

def make_bot(spec: BotSpec | str, seed: int) -> Bot:
    """A bot from its text or spec. Equal seeds play equally. Raises BotError."""
