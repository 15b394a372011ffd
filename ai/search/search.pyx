"""Search: one decision of one seat, searched as long as the caller likes."""
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.math cimport isinf, sqrt
from libc.string cimport memcpy, memset

from seatmate.ai.search.explain cimport estimate, principal_variation, reasons
from seatmate.ai.search.ismcts cimport (
    FULL, OPEN, PUBLIC, core_begin, core_best, core_choose, core_free, core_init, core_root, core_policy, core_run, now_ns,
)
from seatmate.ai.search.regret cimport regret_step
from seatmate.ai.search.stop cimport StopFlag, flag_t
from seatmate.ai.search.tree cimport Edge, tree_bytes, tree_cap
from seatmate.engine.core.game cimport State, blank_state
from seatmate.engine.core.rng cimport Rng, rng_from_word, seed_rng
from seatmate.engine.core.types cimport MAX_ACTIONS, uint64_t

from seatmate.ai.search.analysis import Analysis, Candidate
from seatmate.ai.search.limits import DEFAULT_NODES, Limits
from seatmate.ai.search.params import SearchParams
from seatmate.engine.core.errors import GameOverError, SeatNotPendingError
from seatmate.engine.core.rng import Stream, random_words

cdef enum:
    SLICE_NS = 100_000_000      # how often a long search lets Python look at signals (Ctrl-C)
    EXPLAINED = 5               # best candidates that get reasons


cdef uint64_t share_below(double share):
    """The bound below which a uniform 64-bit word lies with this probability."""
    return min(int(share * 2.0**64), 2**64 - 1)


cdef int fill_config(Config* config, object params) except -1:
    """Compile SearchParams."""
    keys = {"full": FULL, "public": PUBLIC, "open": OPEN}
    temperature = params.prior_temperature
    config.exploration = params.exploration
    config.inverse_temperature = 0 if isinf(temperature) else 1 / <double> temperature
    config.prior_uniform = params.prior_uniform
    config.fpu_reduction = params.fpu_reduction
    config.evaluate_weight = params.evaluate_weight
    config.random_below = share_below(params.rollout_epsilon)
    config.prior_visits = params.prior_visits
    config.world_baseline = params.world_baseline
    config.plausible_worlds = params.plausible_worlds
    config.evaluate_open = params.evaluate_open
    config.rollout_depth = params.rollout_depth
    config.rollout_quiets = params.rollout_quiets
    config.tree_key = keys[params.tree_key]
    config.split_private = params.split_private
    config.redeterminise = params.redeterminise
    config.joint_regret = params.joint_regret
    config.simple_others = params.simple_others
    config.mast_below = share_below(params.mast)
    config.step = NULL
    if params.selection == "regret":
        config.step = regret_step
    config.start_share = params.start_share
    config.open_until = params.open_until
    config.regret_prior = params.regret_prior
    return 0


cdef class Search:
    """A search for `seat`, which must be pending in `state`.

    It sees what the seat sees and nothing else: `state` is only a source of worlds the seat can't tell apart, so equal
    information states, seeds and iteration budgets give equal analyses, bit for bit. The state is copied and may go on.
    Use one Search from one thread at a time. Raises GameOverError, SeatNotPendingError, MemoryError.
    """

    def __cinit__(self):
        self.core = <Core*> PyMem_Malloc(sizeof(Core))
        if self.core == NULL:
            raise MemoryError
        memset(self.core, 0, sizeof(Core))      # nothing is held that __dealloc__ would give back

    def __init__(self, State state, int seat, *, seed: int, params: SearchParams | None = None):
        cdef Config config
        cdef Rng rng
        cdef State world
        cdef int i
        if self.game is not None:
            raise RuntimeError("a search is initialised once")
        if state.is_over:
            raise GameOverError("the game is over; there is nothing to search")
        if seat not in state.pending:
            raise SeatNotPendingError(f"seat {seat} is not asked anything now")
        self.game = state.game
        self.seat = seat
        self.seed = seed
        self.params = SearchParams.for_game(state.game.spec) if params is None else params
        fill_config(&config, self.params)
        seed_rng(&rng, seed, (int(Stream.SEARCH),))
        if not (core_init(self.core, state.game.rules, state.game.tables, state.game.seats, &config, DEFAULT_NODES)
                and core_begin(self.core, state.data, seat, &rng, DEFAULT_NODES, state.past)):
            raise MemoryError
        # What is asked, in words, as any world shows it that the seat can't tell from this one.
        world = blank_state(state.game, False)
        memcpy(world.data, self.core.world, state.game.rules.state_size)
        self.prompt = world.prompt(seat)
        self.labels = [state.game.action_label(world, seat, self.core.root_actions[i]) for i in range(self.core.n_root)]
        self.args = [state.game.action_args(world, seat, self.core.root_actions[i]) for i in range(self.core.n_root)]
        for i, word in enumerate(random_words(seed, (int(Stream.SEARCH), 1), 3)):
            self.words[i] = word

    def __dealloc__(self):
        if self.core != NULL:
            core_free(self.core)
            PyMem_Free(self.core)

    def simulate(self, limits: Limits, stop: StopFlag | None = None) -> int:
        """Grow the tree until a limit or the flag; returns the simulations done. The GIL is released.

        A decision with one legal action returns 0 at once; any other simulates at least once unless `stop` is already
        set. Raises ValueError when nothing would ever end it, RuntimeError when another thread is in here.
        """
        cdef int64_t wanted = -1 if limits.iterations is None else limits.iterations
        cdef int64_t started = now_ns()
        cdef int64_t deadline = 0 if limits.time_ms is None else started + max(1, int(limits.time_ms * 1e6))
        cdef int64_t done = 0
        cdef flag_t* flag = NULL if stop is None else &(<StopFlag> stop).raised
        if limits.iterations is None and limits.time_ms is None and stop is None:
            raise ValueError("without iterations, time_ms or a stop flag the search would never end")
        if self.running:
            raise RuntimeError("this search is already running")
        if self.core.n_root == 1:
            return 0
        self.running = True
        tree_cap(&self.core.tree, limits.nodes)
        try:
            while True:
                with nogil:
                    done += core_run(self.core, wanted - done if wanted >= 0 else -1, now_ns() + SLICE_NS, deadline, flag)
                if done == wanted or (flag != NULL and flag[0]) or (deadline and now_ns() >= deadline):
                    return done
                PyErr_CheckSignals()
        finally:
            self.running = False
            self.elapsed_ns += now_ns() - started

    def run(self, limits: Limits, stop: StopFlag | None = None) -> Analysis:
        """`simulate`, then the analysis of all simulations so far; call it again for a snapshot that knows more."""
        self.simulate(limits, stop)
        return self.analysis()

    @property
    def best_action(self) -> int:
        """The best action: most visits (by regret: most often played), ties by the heuristic, then the lowest action."""
        return self.core.root_actions[core_best(self.core)]

    def choose(self) -> int:
        """The action to play now, drawn from the candidates' `policy`: the best one, where the search plays no mixture.

        The same after the same simulations, however often it is asked.
        """
        cdef Rng rng
        rng_from_word(&rng, self.words[2])
        return self.core.root_actions[core_choose(self.core, &rng)]

    @property
    def iterations(self) -> int:
        """Simulations so far."""
        return self.core.iterations

    @property
    def nodes(self) -> int:
        """Nodes of all seats' trees."""
        return self.core.tree.n_nodes

    @property
    def memory_bytes(self) -> int:
        """Memory the trees hold now."""
        return tree_bytes(&self.core.tree)

    cdef list candidates(self):
        """All legal actions with their statistics, best first, as keyword arguments of Candidate."""
        cdef const Edge* edge
        cdef Core* core = self.core
        cdef double mean, variance, visits
        cdef double shares[MAX_ACTIONS]
        cdef double total = 0
        cdef bint cooperative = self.game.spec.cooperative
        cdef int i
        core_policy(core, shares)
        if core.n_root > 1 and core_root(core).visits:
            total = core_root(core).visits
            position = core_root(core).value_sum / total
            wins = sum([core.wins[i] for i in range(core.n_root)]) / total
            spread = 0.5
        else:
            position, spread = estimate(core, self.words[0])
            wins = position
        rows = []
        for i in range(core.n_root):
            row = {"action": core.root_actions[i], "label": self.labels[i], "args": self.args[i], "visits": 0,
                   "visit_share": 0.0, "policy": shares[i], "value": position, "standard_error": 0.5,
                   "win_probability": None if cooperative else wins, "prior": 1.0}
            if core.n_root == 1:
                row["visit_share"] = 1.0
                row["standard_error"] = spread
            else:
                edge = &core.tree.edges[core_root(core).first_edge + i]
                row["prior"] = edge.prior
                if edge.visits:
                    visits = edge.visits
                    mean = edge.value_sum / visits
                    row["visits"] = edge.visits
                    row["visit_share"] = visits / total
                    row["value"] = min(max(mean, 0.0), 1.0)
                    if visits > 1:
                        variance = max(0.0, core.squares[i] / visits - mean * mean)
                        row["standard_error"] = sqrt(variance / (visits - 1))
                    if not cooperative:
                        row["win_probability"] = core.wins[i] / visits
            rows.append((-shares[i], -row["visits"], -core.root_scores[i], i, row))
        rows.sort(key=lambda item: item[:4])
        return [(i, row) for _, _, _, i, row in rows]

    def analysis(self) -> Analysis:
        """What the search has found so far. Looking changes nothing."""
        cdef int i
        rows = self.candidates()
        why = reasons(self.core, self.game, [i for i, _ in rows[:EXPLAINED]], self.words[0])
        why += [()] * (len(rows) - len(why))
        found = tuple([
            Candidate(**row, reasons=texts,
                      principal_variation=principal_variation(self.core, self.game, i, self.words[1]))
            for (i, row), texts in zip(rows, why, strict=True)
        ])
        return Analysis(
            game=self.game.spec.id, seat=self.seat, prompt=self.prompt, iterations=self.core.iterations,
            nodes=self.core.tree.n_nodes, depth=self.core.depth, elapsed_s=self.elapsed_ns / 1e9, seed=self.seed,
            value=found[0].value, candidates=found, params=self.params)
