"""`random`: any legal action, with the same chance."""
from seatmate.ai.bots.policy cimport Policy, PolicyHandle
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.past cimport Past
from seatmate.engine.core.rng cimport Rng, rng_below
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t, uint32_t
from seatmate.ai.search.stop cimport flag_t

from seatmate.ai.bots.registry import BotInfo, register_bot


cdef bint choose(Policy* policy, const Rules* rules, const void* tables, const void* state, int seat, const action_t* legal, int n,
                 Rng* rng, const Past* past, const Sink* seen, flag_t* stop, action_t* action) noexcept nogil:
    action[0] = legal[rng_below(rng, <uint32_t> n)]
    return True


cdef class RandomPolicy(PolicyHandle):
    """Plays at random."""

    def __cinit__(self, game, settings):
        self.policy.choose = choose


register_bot(BotInfo("random", "Random", "Plays a uniformly random legal action.", make=RandomPolicy, order=0))
