# A bot's way to choose, compiled: what the tournament loop and the Python bots share.
from libc.stdint cimport int64_t

from seatmate.ai.search.core cimport Core
from seatmate.ai.search.stop cimport StopFlag, flag_t
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.game cimport Game, State
from seatmate.engine.core.past cimport Past
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t, uint32_t

cdef enum PolicyKind:
    RANDOM = 0
    HEURISTIC = 1
    SEARCH = 2


cdef struct Policy:
    int kind                # PolicyKind
    int64_t iterations      # -1: no limit
    int64_t time_ns         # 0: no limit
    uint32_t nodes
    int depth               # decisions of the longest path in the trees; 0: no limit
    Core* core              # SEARCH in one thread only


cdef class PolicyHandle:
    """Owns a Policy for one game; used by one thread at a time."""

    cdef Policy policy
    cdef readonly Game game
    cdef readonly object settings
    cdef readonly bint reuses       # goes on with the tree of its last decision: wants a seat of its own
    cdef readonly int threads       # that search a decision; with more than one only `choose` answers, not policy_choose
    cdef readonly int64_t simulations   # of the last `choose`

    cdef object choose(self, State state, int seat, Rng* rng, StopFlag stop)


cdef bint policy_choose(Policy* policy, const Rules* rules, const void* tables, const void* state, int seat,
                        Rng* rng, const Past* past, const Sink* seen, flag_t* stop, action_t* action) noexcept nogil
cdef void policy_forget(Policy* policy) noexcept nogil
