# A bot's way to choose, compiled: what the tournament loop and the Python bots share.
from libc.stdint cimport int64_t

from seatmate.ai.bots.watch cimport Stopwatch, Watch
from seatmate.ai.search.stop cimport StopFlag, flag_t
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.game cimport Game, State
from seatmate.engine.core.past cimport Past
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t

cdef struct Policy

# The answer of a pending seat that has n > 1 legal actions; the rest as in policy_choose.
ctypedef bint (*choose_fn)(Policy* policy, const Rules* rules, const void* tables, const void* state, int seat,
                           const action_t* legal, int n, Rng* rng, const Past* past, const Sink* seen, flag_t* stop,
                           action_t* action) noexcept nogil
ctypedef void (*forget_fn)(Policy* policy) noexcept nogil


cdef struct Policy:
    choose_fn choose        # NULL: only PolicyHandle.choose answers
    forget_fn forget        # NULL: it remembers nothing
    void* own               # what the kind of bot keeps
    Watch* watch            # NULL: nobody wants to know how long it thinks


cdef class PolicyHandle:
    """Owns a Policy for one game; used by one thread at a time. Each kind of bot has its own."""

    cdef Policy policy
    cdef readonly Game game
    cdef readonly object settings
    cdef readonly bint reuses       # goes on with what it thought of before: wants a seat of its own
    cdef Stopwatch stopwatch        # that of policy.watch
    cdef readonly int64_t simulations   # of the last `choose`

    cdef object choose(self, State state, int seat, Rng* rng, StopFlag stop)
    cdef object same_search(self, State state, int seat, Rng* rng)
    cdef object said(self)


cdef bint policy_choose(Policy* policy, const Rules* rules, const void* tables, const void* state, int seat,
                        Rng* rng, const Past* past, const Sink* seen, flag_t* stop, action_t* action) noexcept nogil
cdef void policy_forget(Policy* policy) noexcept nogil
