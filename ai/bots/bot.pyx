"""Bot: a policy with its own randomness, for one seat at a time."""
from libc.stdint cimport int64_t

from seatmate.ai.bots.policy cimport PolicyHandle
from seatmate.ai.search.stop cimport StopFlag
from seatmate.engine.core.game cimport State
from seatmate.engine.core.rng cimport Rng, rng_from_word
from seatmate.engine.core.sink cimport mix
from seatmate.engine.core.types cimport MAX_SEATS, uint64_t

from seatmate.ai.bots.registry import BotSpec, bot_kind, make_policy, parse_bot
from seatmate.ai.search.search import Search
from seatmate.engine.core.errors import GameOverError, SeatNotPendingError
from seatmate.engine.core.rng import Stream, random_words

cdef enum:
    KEEP_BYTES = 2_000_000


cdef class Bot:
    """Chooses for any seat of any game, seeing no more than that seat.

    A choice is a function of the bot's seed and what the seat has observed since the deal: it needs no memory, never
    touches the table's randomness, and a restarted bot goes on exactly as before. (Time budgets depend on the machine; with
    `reuse` a search remembers its last decision.)
    Use one Bot from one thread at a time.
    """

    cdef readonly object spec
    cdef readonly object seed
    cdef readonly bint thinks               # takes its time: a server asks it on a thread of its own
    cdef readonly int64_t simulations       # of the last choice; 0 where nothing was searched
    cdef readonly str fault                 # why the heuristic took the last choice, "" where the bot itself did
    cdef uint64_t word
    cdef PolicyHandle handle

    def __init__(self, spec: BotSpec | str, seed):
        self.spec = parse_bot(spec)
        self.seed = seed
        self.fault = ""
        self.thinks = bot_kind(self.spec.id).thinks
        stream = Stream.SEARCH if self.thinks else Stream.POLICY
        self.word = random_words(seed, (int(stream), 2), 1)[0]

    def thinks_in(self, game) -> bool:
        """Does it take its time in this game? (At some levels it answers at once.)"""
        if not self.thinks:
            return False
        settings = self.spec.resolve(game.spec)
        return bot_kind(settings.kind).thinks and not settings.instant

    def choose(self, State state not None, int seat, *, stop: StopFlag | None = None) -> int:
        """The action the bot plays for a pending seat; `stop` makes a search answer with what it has.

        The GIL is released. Raises GameOverError, SeatNotPendingError.
        """
        cdef PolicyHandle handle
        cdef Rng rng
        self.prepare(state, seat, &rng)
        handle = self.handle
        try:
            action = handle.choose(state, seat, &rng, stop)
            self.simulations = handle.simulations
            self.fault = handle.fault
        except MemoryError:
            self.handle = None
            raise
        if not handle.reuses and handle.memory_bytes > KEEP_BYTES:
            self.handle = None      # an idle seat holds no big tree
        return action

    def same_search(self, State state not None, int seat) -> Search | None:
        """The search that `choose` would do for this seat, still to be simulated within the bot's limits; None: it does not search.

        Raises as `choose`.
        """
        cdef Rng rng
        self.prepare(state, seat, &rng)
        return self.handle.same_search(state, seat, &rng)

    cdef int prepare(self, State state, int seat, Rng* rng) except -1:
        """The policy for the state's game, and the randomness of this decision."""
        if not (0 <= seat < MAX_SEATS and state.game.rules.pending(state.game.tables, state.data) >> seat & 1):
            if state.is_over:
                raise GameOverError("the game is over; there is nothing to choose")
            raise SeatNotPendingError(f"seat {seat} is not asked anything now")
        if self.handle is None or self.handle.game is not state.game:
            self.handle = make_policy(state.game, self.spec.resolve(state.game.spec))
        rng_from_word(rng, mix(self.word, mix(state.sink.keys[seat], <uint64_t> (seat + 1))))
        return 0


def make_bot(spec: BotSpec | str, seed) -> Bot:
    """A bot from its text or spec. Equal seeds play equally. Raises BotError."""
    return Bot(spec, seed)
