"""Policies: random, heuristic and search, compiled for the C loops."""
from cpython.mem cimport PyMem_Free, PyMem_Malloc

from seatmate.ai.search.core cimport Config
from seatmate.ai.search.driver cimport core_begin, core_forget, core_free, core_init, core_run, now_ns
from seatmate.ai.search.ismcts cimport heuristic_action
from seatmate.ai.search.result cimport core_choose
from seatmate.ai.search.search cimport fill_config
from seatmate.engine.core.rng cimport rng_below, rng_from_word, rng_next
from seatmate.engine.core.types cimport MAX_ACTIONS

from seatmate.ai.bots.settings import PolicySettings
from seatmate.ai.search.search import Search


cdef bint policy_choose(Policy* policy, const Rules* rules, const void* tables, const void* state, int seat,
                        Rng* rng, const Past* past, const Sink* seen, flag_t* stop, action_t* action) noexcept nogil:
    """The policy's answer for a pending seat, with randomness from `rng`. False: out of memory.

    `state` may be the true one: only what the seat sees is used of it. `past` is public, `seen` are the observation keys of
    the game; NULL where they are not known.
    """
    cdef action_t legal[MAX_ACTIONS]
    cdef Rng own
    cdef int64_t started
    cdef int n = rules.legal_actions(tables, state, seat, legal)
    if n == 1:
        action[0] = legal[0]
    elif policy.kind == PolicyKind.RANDOM:
        action[0] = legal[rng_below(rng, <uint32_t> n)]
    elif policy.kind == PolicyKind.HEURISTIC:
        action[0] = heuristic_action(rules, tables, state, seat, legal, n)
    else:
        started = now_ns() if policy.time_ns else 0
        rng_from_word(&own, rng_next(rng))
        if not core_begin(policy.core, state, seat, &own, policy.nodes, past, seen, policy.core.config.reuse):
            return False
        if policy.depth:
            policy.core.max_depth = policy.depth
        core_run(policy.core, policy.iterations, 0, started + policy.time_ns if policy.time_ns else 0, stop)
        action[0] = policy.core.root_actions[core_choose(policy.core, rng)]
    return True


cdef void policy_forget(Policy* policy) noexcept nogil:
    """What was searched so far has no say in what comes: another game begins."""
    if policy.core != NULL:
        core_forget(policy.core)


cdef class PolicyHandle:
    """Owns a Policy for one game; used by one thread at a time."""

    def __cinit__(self, Game game not None, settings: PolicySettings):
        cdef Config config
        kinds = {"random": PolicyKind.RANDOM, "heuristic": PolicyKind.HEURISTIC, "search": PolicyKind.SEARCH}
        self.game = game
        self.settings = settings
        self.reuses = settings.params is not None and settings.params.reuse
        self.threads = settings.threads
        self.policy.kind = kinds[settings.kind]
        self.policy.core = NULL
        if self.policy.kind == PolicyKind.SEARCH:
            limits = settings.limits
            self.policy.iterations = -1 if limits.iterations is None else limits.iterations
            self.policy.time_ns = 0 if limits.time_ms is None else max(1, int(limits.time_ms * 1e6))
            self.policy.nodes = limits.node_cap()
            self.policy.depth = 0 if limits.depth is None else limits.depth
            if self.policy.iterations < 0 and self.policy.time_ns == 0:
                raise ValueError("a search bot needs iterations or time_ms")
            if self.threads > 1:
                limits.node_cap(self.threads)
                return
            fill_config(&config, settings.params)
            self.policy.core = <Core*> PyMem_Malloc(sizeof(Core))
            if self.policy.core == NULL:
                raise MemoryError
            if not core_init(self.policy.core, game.rules, game.tables, game.seats, &config, self.policy.nodes):
                PyMem_Free(self.policy.core)
                self.policy.core = NULL
                raise MemoryError

    cdef object choose(self, State state, int seat, Rng* rng, StopFlag stop):
        """The policy's answer for a pending seat of a state, with randomness from `rng`. Raises MemoryError."""
        cdef flag_t* flag = NULL if stop is None else &stop.raised
        cdef action_t action = 0
        cdef bint chosen
        if self.threads > 1:
            search = Search(state, seat, seed=rng_next(rng), params=self.settings.params, threads=self.threads)
            self.simulations = search.simulate(self.settings.limits, stop)
            return search.choose()
        if self.policy.core != NULL:
            self.policy.core.iterations = 0     # where there is nothing to choose nothing is begun
        with nogil:
            chosen = policy_choose(&self.policy, self.game.rules, self.game.tables, state.data, seat, rng, state.past,
                                   &state.sink, flag, &action)
        if not chosen:
            raise MemoryError
        if self.policy.core != NULL:
            self.simulations = self.policy.core.iterations
        return action

    def __dealloc__(self):
        if self.policy.core != NULL:
            core_free(self.policy.core)
            PyMem_Free(self.policy.core)
