"""`heuristic`: what the game's own rules of thumb score highest."""
from seatmate.ai.bots.policy cimport Policy, PolicyHandle
from seatmate.ai.search.ismcts cimport heuristic_action
from seatmate.ai.search.stop cimport flag_t
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.past cimport Past
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t

from seatmate.ai.bots.registry import BotInfo, register_bot


cdef bint choose(Policy* policy, const Rules* rules, const void* tables, const void* state, int seat, const action_t* legal, int n,
                 Rng* rng, const Past* past, const Sink* seen, flag_t* stop, action_t* action) noexcept nogil:
    action[0] = heuristic_action(rules, tables, state, seat, legal, n)
    return True


cdef class HeuristicPolicy(PolicyHandle):
    """Plays by the game's rules of thumb."""

    def __cinit__(self, game, settings):
        self.policy.choose = choose


register_bot(BotInfo("heuristic", "Heuristic", "Plays the action the game's own rules of thumb score highest; instant.",
                     make=HeuristicPolicy, order=1))
