"""Policies, compiled for the C loops: what every kind of bot (ai/bots/kinds) fulfils."""
from seatmate.ai.bots.watch cimport watch_note
from seatmate.ai.search.driver cimport now_ns
from seatmate.engine.core.rng cimport rng_next
from seatmate.engine.core.types cimport MAX_ACTIONS

from seatmate.ai.bots.settings import PolicySettings


cdef bint policy_choose(Policy* policy, const Rules* rules, const void* tables, const void* state, int seat,
                        Rng* rng, const Past* past, const Sink* seen, flag_t* stop, action_t* action) noexcept nogil:
    """The policy's answer for a pending seat, with randomness from `rng`. False: out of memory.

    `state` may be the true one: only what the seat sees is used of it. `past` is public, `seen` are the observation keys of
    the game; NULL where they are not known. The policy must have a `choose`.
    """
    cdef action_t legal[MAX_ACTIONS]
    cdef int n = rules.legal_actions(tables, state, seat, legal)
    if n == 1:
        action[0] = legal[0]
        return True
    if policy.watch == NULL:
        return policy.choose(policy, rules, tables, state, seat, legal, n, rng, past, seen, stop, action)
    cdef int64_t began = now_ns()
    cdef bint chosen = policy.choose(policy, rules, tables, state, seat, legal, n, rng, past, seen, stop, action)
    watch_note(policy.watch, now_ns() - began)
    return chosen


cdef void policy_forget(Policy* policy) noexcept nogil:
    """What was thought so far has no say in what comes: another game begins."""
    if policy.forget != NULL:
        policy.forget(policy)


cdef class PolicyHandle:
    """Owns a Policy for one game; used by one thread at a time. Each kind of bot has its own.

    A kind in Cython sets `policy.choose`; one in Python overrides `answer`, and tournaments then play move by move.
    """

    def __cinit__(self, Game game not None, settings: PolicySettings):
        self.game = game
        self.settings = settings

    def timed_by(self, Stopwatch stopwatch not None) -> None:
        """Let it count how long decisions with a choice take."""
        self.stopwatch = stopwatch
        self.policy.watch = &stopwatch.watch

    cdef object choose(self, State state, int seat, Rng* rng, StopFlag stop):
        """The policy's answer for a pending seat of a state, with randomness from `rng`. Raises MemoryError."""
        cdef flag_t* flag = NULL if stop is None else &stop.raised
        cdef action_t action = 0
        cdef bint chosen
        if self.policy.choose == NULL:
            return self.answer(state, seat, rng_next(rng), stop)
        with nogil:
            chosen = policy_choose(&self.policy, self.game.rules, self.game.tables, state.data, seat, rng, state.past,
                                   &state.sink, flag, &action)
        if not chosen:
            raise MemoryError
        return action

    cdef object same_search(self, State state, int seat, Rng* rng):
        """The search that `choose` would do with this randomness, still to be simulated; None: it does not search."""
        return None

    cdef object said(self):
        """The utility its search says of the choice that `choose` took last, 0..1, as a hint says it; None: it says nothing."""
        return None

    def answer(self, State state, int seat, seed: int, stop: StopFlag | None) -> int:
        """One of the seat's legal actions, by what the seat sees, with chance from `seed` alone."""
        raise NotImplementedError(f"the bot {self.settings.kind!r} does not say what it plays")

    @property
    def memory_bytes(self) -> int:
        """Memory that grows with what it thinks of."""
        return 0

    @property
    def fault(self) -> str:
        """Why the heuristic took the last choice, where the bot could not."""
        return ""
