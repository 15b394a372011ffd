"""`search`: looks ahead within a budget."""
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int64_t
from libc.string cimport memset

from seatmate.ai.bots.policy cimport Policy, PolicyHandle
from seatmate.ai.search.core cimport Config, Core
from seatmate.ai.search.driver cimport core_begin, core_forget, core_free, core_init, core_run, now_ns
from seatmate.ai.search.result cimport core_choose, core_root
from seatmate.ai.search.search cimport fill_config
from seatmate.ai.search.stop cimport StopFlag, flag_t
from seatmate.ai.search.tree cimport Edge, tree_bytes
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.game cimport State
from seatmate.engine.core.past cimport Past
from seatmate.engine.core.rng cimport Rng, rng_from_word, rng_next
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t

from dataclasses import replace

from seatmate.ai.bots.registry import BotInfo, BotParameter, register_bot
from seatmate.ai.bots.settings import PolicySettings
from seatmate.ai.bots.values import flag, megabytes, milliseconds, number, whole, word
from seatmate.ai.search.limits import DEFAULT_NODES, LIMITS, MAX_DEPTH, MAX_NODES, MAX_THREADS, Limits
from seatmate.ai.search.params import KNOBS, SearchParams
from seatmate.ai.search.search import Search

DEFAULT_ITERATIONS = 1000       # of a bot that names neither iterations nor time


cdef bint think(Thinking* thinking, const void* state, int seat, Rng* rng, const Past* past, const Sink* seen,
                flag_t* stop) noexcept nogil:
    """Search a decision of a pending seat within the limits; what was found stands in the core. False: out of memory."""
    cdef Core* core = &thinking.core
    cdef int64_t started = now_ns() if thinking.time_ns else 0
    cdef Rng own
    rng_from_word(&own, rng_next(rng))
    if not core_begin(core, state, seat, &own, thinking.nodes, past, seen, thinking.reuse, NULL, 0):
        return False
    if thinking.depth:
        core.max_depth = thinking.depth
    core_run(core, thinking.iterations, 0, started + thinking.time_ns if thinking.time_ns else 0, stop)
    return True


cdef bint choose(Policy* policy, const Rules* rules, const void* tables, const void* state, int seat, const action_t* legal, int n,
                 Rng* rng, const Past* past, const Sink* seen, flag_t* stop, action_t* action) noexcept nogil:
    cdef Thinking* thinking = <Thinking*> policy.own
    if not think(thinking, state, seat, rng, past, seen, stop):
        return False
    thinking.chosen = core_choose(&thinking.core, rng)
    action[0] = thinking.core.root_actions[thinking.chosen]
    return True


cdef void forget(Policy* policy) noexcept nogil:
    core_forget(&(<Thinking*> policy.own).core)


cdef class SearchPolicy(PolicyHandle):
    """A search per decision; in several threads only Python's `choose` answers."""

    def __cinit__(self, game, settings):
        cdef Config config
        limits = settings.limits
        if limits.iterations is None and limits.time_ms is None:
            raise ValueError("a search bot needs iterations or time_ms")
        nodes = limits.node_cap(settings.threads)
        self.reuses = settings.params.reuse
        if settings.threads > 1:
            return
        self.calibration = settings.params.calibration_in(game)
        fill_config(&config, settings.params)
        self.thinking = <Thinking*> PyMem_Malloc(sizeof(Thinking))
        if self.thinking == NULL:
            raise MemoryError
        memset(self.thinking, 0, sizeof(Thinking))
        self.policy.own = self.thinking
        self.thinking.reuse = settings.params.reuse
        self.thinking.iterations = -1 if limits.iterations is None else limits.iterations
        self.thinking.time_ns = 0 if limits.time_ms is None else max(1, int(limits.time_ms * 1e6))
        self.thinking.nodes = nodes
        self.thinking.depth = 0 if limits.depth is None else limits.depth
        if not core_init(&self.thinking.core, self.game.rules, self.game.tables, self.game.seats, &config, self.thinking.nodes):
            raise MemoryError
        self.policy.choose = choose
        self.policy.forget = forget

    cdef object choose(self, State state, int seat, Rng* rng, StopFlag stop):
        if self.thinking == NULL:
            search = Search(state, seat, seed=rng_next(rng), params=self.settings.params, threads=self.settings.threads)
            self.simulations = search.simulate(self.settings.limits, stop)
            return search.choose()
        self.thinking.core.iterations = 0        # where there is nothing to choose nothing is begun
        self.thinking.chosen = -1
        action = PolicyHandle.choose(self, state, seat, rng, stop)
        self.simulations = self.thinking.core.iterations
        return action

    cdef object said(self):
        cdef const Core* core
        cdef const Edge* edge
        if self.thinking == NULL or self.thinking.chosen < 0 or not self.thinking.core.iterations:
            return None
        core = &self.thinking.core
        edge = &core.tree.edges[core_root(core).first_edge + self.thinking.chosen]
        if not edge.visits:
            return None
        value = min(max(edge.value_sum / edge.visits, 0.0), 1.0)    # a baseline may leave 0..1
        return value if self.calibration is None else self.calibration(
            value, self.settings.params.settled(core.ended, core.iterations))

    cdef object same_search(self, State state, int seat, Rng* rng):
        seed = rng_next(rng)
        return Search(state, seat, seed=seed, params=self.settings.params, threads=self.settings.threads,
                      word=None if self.thinking == NULL else seed)

    @property
    def memory_bytes(self) -> int:
        """Memory of the trees."""
        return 0 if self.thinking == NULL else tree_bytes(&self.thinking.core.tree)

    def __dealloc__(self):
        if self.thinking != NULL:
            core_free(&self.thinking.core)
            PyMem_Free(self.thinking)


def sorted_out(parameters):
    """(LIMITS, knobs)."""
    return ({key: value for key, value in parameters.items() if key in LIMITS},
            {key: value for key, value in parameters.items() if key not in LIMITS})


def resolve(parameters, game):
    """The search of checked parameters in a game: its own knobs where the text names none."""
    bounds, knobs = sorted_out(parameters)
    threads = bounds.pop("threads", 1)
    limits = Limits(**bounds)
    if limits.iterations is None and limits.time_ms is None:
        limits |= Limits(iterations=DEFAULT_ITERATIONS)
    return PolicySettings("search", replace(SearchParams.for_game(game), **knobs), limits, threads)


def check(parameters):
    """Raises ValueError for parameters that don't go together."""
    bounds, knobs = sorted_out(parameters)
    threads = bounds.pop("threads", 1)
    Limits(**bounds).node_cap(threads)
    if SearchParams(**knobs).reuse and threads > 1:
        raise ValueError("reuse goes with one thread")


def knob_parameter(name, knob):
    """A knob of the search as a parameter."""
    parse = {bool: flag, int: whole(-1, 1_000_000_000), float: number, str: word(knob.words)}[type(knob.default)]
    return BotParameter(name, parse, knob.doc, "the game's own")


register_bot(BotInfo(
    "search", "Search", "Looks ahead by information-set tree search within its limits; sees only what its seat sees.",
    make=SearchPolicy, order=2, thinks=True, resolve=resolve, check=check, parameters=(
        BotParameter("iterations", whole(1, 1_000_000_000), "Simulations per decision.",
                     f"{DEFAULT_ITERATIONS} if time_ms is not given either"),
        BotParameter("time_ms", milliseconds, "Wall time per decision in milliseconds.", "no limit"),
        BotParameter("nodes", whole(1, MAX_NODES), "Hard cap on the nodes in memory.", str(DEFAULT_NODES)),
        BotParameter("memory_mb", megabytes, "The same in megabytes (10^6 bytes) of the trees.", "only the limit on nodes"),
        BotParameter("depth", whole(1, MAX_DEPTH), "Decisions of the longest path in the trees.", str(MAX_DEPTH)),
        BotParameter("threads", whole(1, MAX_THREADS),
                     "Cores that search one decision; results depend on the number of threads.", "1"),
        *[knob_parameter(name, knob) for name, knob in KNOBS.items()],
    )))
