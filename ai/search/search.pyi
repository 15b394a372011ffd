from collections.abc import Iterable

from seatmate.ai.search.analysis import Analysis
from seatmate.ai.search.limits import Limits
from seatmate.ai.search.params import SearchParams
from seatmate.ai.search.stop import StopFlag
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.spec import Calibration

class Search:
    """A search for `seat`, which must be pending in `state`.

    It sees what the seat sees and nothing else: `state` is only a source of worlds the seat can't tell apart, so equal
    information states, seeds and iteration budgets give equal analyses, bit for bit. The state is copied and may go on.

    `threads` searches run side by side, each in a tree of its own, and add up at the root (root parallelisation; Chaslot
    et al. 2008): limits of iterations are shared out, those of nodes and memory too. With an iteration budget the result
    depends on the number of threads and not on their timing. Use one Search from one thread at a time.

    only: the legal actions to look at, in any order; None: all. The others are neither tried nor among the candidates, at this
    decision alone: later ones of the same seat are free, also those that `follow` goes on with.
    Raises GameOverError, SeatNotPendingError, IllegalActionError, ValueError, MemoryError.
    """

    game: Game
    seat: int
    seed: int
    params: SearchParams
    threads: int
    calibration: Calibration | None
    def __init__(
        self, state: State, seat: int, *, seed: int, params: SearchParams | None = None, threads: int = 1,
        only: Iterable[int] | None = None, word: int | None = None,
    ) -> None: ...
    def follow(self, state: State) -> int: ...
    def simulate(self, limits: Limits, stop: StopFlag | None = None) -> int: ...
    def run(self, limits: Limits, stop: StopFlag | None = None) -> Analysis: ...
    def analysis(self) -> Analysis: ...
    def compare(self, action: int, other: int, *, worlds: int = ...) -> dict[tuple[str, bool], tuple[float, float]]: ...
    @property
    def best_action(self) -> int: ...
    def choose(self) -> int: ...
    @property
    def iterations(self) -> int: ...
    @property
    def settled(self) -> float: ...
    @property
    def nodes(self) -> int: ...
    @property
    def memory_bytes(self) -> int: ...
