"""Search: one decision of one seat, searched as long as the caller likes."""
from collections.abc import Iterable
from operator import index
from threading import Thread

from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.math cimport isinf
from libc.string cimport memcpy, memset

from seatmate.ai.search.core cimport FULL, MAX_KNOBS, MAX_PATH, OPEN, PUBLIC, Core, Root
from seatmate.ai.search.driver cimport core_begin, core_free, core_full, core_init, core_run, now_ns
from seatmate.ai.search.explain cimport estimate, outcomes, principal_variation
from seatmate.ai.search.matching cimport draw
from seatmate.ai.search.regret cimport regret_step
from seatmate.ai.search.result cimport add_root, root_best, root_open, root_policy, standard_error
from seatmate.ai.search.stop cimport StopFlag, flag_t
from seatmate.ai.search.tree cimport Edge, tree_bytes, tree_cap
from seatmate.engine.core.game cimport State, blank_state
from seatmate.engine.core.rng cimport Rng, rng_from_word, seed_rng
from seatmate.engine.core.types cimport MAX_ACTIONS, action_t, uint32_t, uint64_t

from seatmate.ai.search.analysis import Analysis, Candidate
from seatmate.ai.search.limits import DEFAULT_NODES, MAX_THREADS, Limits
from seatmate.ai.search.params import SearchParams, numbers
from seatmate.ai.search.reasons import WORLDS, Outcome, explain, gaps
from seatmate.engine.core.errors import GameOverError, IllegalActionError, SeatNotPendingError
from seatmate.engine.core.rng import Stream, random_words

cdef enum:
    SLICE_NS = 100_000_000      # how often a long search lets Python look at signals (Ctrl-C)
    EXPLAINED = 5               # best candidates that get reasons
    WORKER_STREAM = 16          # before the streams of the workers beside the first
    FOLLOW_STREAM = 128         # ... and before those of the decisions after the first, which count on


cdef uint64_t share_below(double share):
    """The bound below which a uniform 64-bit word lies with this probability."""
    return min(int(share * 2.0**64), 2**64 - 1)


cdef int fill_config(Config* config, object params) except -1:
    """Compile SearchParams."""
    cdef int i
    values = numbers(params)
    if len(values) > MAX_KNOBS:
        raise ValueError(f"SearchParams has {len(values)} knobs; MAX_KNOBS is {MAX_KNOBS}")
    for i, value in enumerate(values):
        config.knob[i] = value
    config.inverse_temperature = 0 if isinf(params.prior_temperature) else 1 / <double> params.prior_temperature
    config.random_below = share_below(params.rollout_epsilon)
    config.mast_below = share_below(params.mast)
    config.tree_key = {"full": FULL, "public": PUBLIC, "open": OPEN}[params.tree_key]
    config.regret = NULL
    if params.selection == "regret" or params.regret_actions:
        config.regret = regret_step
        config.tree_key = FULL      # its nodes have keys of their own, and every event counts
    return 0


cdef double win_chance(double wins, double own, double value) noexcept:
    """Share of the wins among this decision's own simulations; without any, what its value says."""
    return wins / own if own > 0 else value


cdef double worth_at_least(dict row) except? -2:
    """The lower end of the 95 % interval of a value; below all that is known where nothing is."""
    return -2.0 if row["value"] is None else row["value"] - 1.96 * row["standard_error"]


cdef int64_t share(int64_t iterations, int worker, int workers):
    """What one of the workers does of so many iterations."""
    return iterations // workers + (worker < iterations % workers)


cdef int check_pending(State state, int seat) except -1:
    """Only a seat that is asked something has a decision to search."""
    if state.is_over:
        raise GameOverError("the game is over; there is nothing to search")
    if seat not in state.pending:
        raise SeatNotPendingError(f"seat {seat} is not asked anything now")
    return 0


cdef list check_only(State state, int seat, object only):
    """The actions to look at, ascending. Raises IllegalActionError for one that isn't legal, ValueError without any."""
    legal = set(state.legal_actions(seat))
    looked_at = set()
    for one in only:
        if index(one) not in legal:
            raise IllegalActionError(f"action {one} can't be looked at: it is not legal for seat {seat} now")
        looked_at.add(index(one))
    if not looked_at:
        raise ValueError("a search without an action to look at has nothing to find")
    return sorted(looked_at)


cdef class Search:
    """A search for `seat`, which must be pending in `state`.

    It sees what the seat sees and nothing else: `state` is only a source of worlds the seat can't tell apart, so equal
    information states, seeds and iteration budgets give equal analyses, bit for bit. The state is copied and may go on.

    `threads` searches run side by side, each in a tree of its own, and add up at the root (root parallelisation; Chaslot
    et al. 2008): limits of iterations are shared out, those of nodes and memory too. With an iteration budget the result
    depends on the number of threads and not on their timing. Use one Search from one thread at a time.

    only: the legal actions to look at, in any order; None: all. The others are neither tried nor among the candidates, at this
    decision alone: later ones of the same seat are free, also those that `follow` goes on with. word: of one thread, the state of
    its generator in a bot (`Bot.same_search`); `seed` is then for the explanations alone.
    Raises GameOverError, SeatNotPendingError, IllegalActionError, ValueError, MemoryError.
    """

    def __cinit__(self, State state not None, seat, *, seed, params=None, threads=1, only=None, word=None):
        if not 1 <= index(threads) <= MAX_THREADS:
            raise ValueError(f"a search runs in 1..{MAX_THREADS} threads, not {threads}")
        self.cores = <Core*> PyMem_Calloc(threads, sizeof(Core))    # nothing is held that __dealloc__ would give back
        if self.cores == NULL:
            raise MemoryError
        self.core = self.cores
        self.threads = threads

    def __init__(self, State state not None, seat, *, seed, params: SearchParams | None = None, threads=1,
                 only: Iterable[int] | None = None, word: int | None = None):
        cdef Config config
        cdef int i
        if self.game is not None:
            raise RuntimeError("a search is initialised once")
        check_pending(state, index(seat))
        looked_at = None if only is None else check_only(state, index(seat), only)
        self.game = state.game
        self.seat = index(seat)
        self.seed = index(seed)
        self.params = SearchParams.for_game(state.game.spec) if params is None else params
        if not isinstance(self.params, SearchParams):
            raise TypeError(f"the knobs of a search are SearchParams, such as SearchParams(exploration=2), and not {params!r}")
        self.calibration = self.params.calibration_in(self.game)
        fill_config(&config, self.params)
        for i in range(self.threads):
            if not core_init(&self.cores[i], state.game.rules, state.game.tables, state.game.seats, &config, DEFAULT_NODES):
                raise MemoryError
            self.begin(state, i, (int(Stream.SEARCH),) if i == 0 else (int(Stream.SEARCH), WORKER_STREAM + i), looked_at, word)
        self.counted = [0] * self.threads
        self.read_root()
        self.draw_words((int(Stream.SEARCH), 1))

    cdef int begin(self, State state, int worker, tuple stream, list only, object word) except -1:
        """Start one worker at the state's decision; it goes on with its tree if it has one that leads there.

        only: the actions to look at, ascending; None: all · word: seeds it instead of the search's seed and the stream.
        """
        cdef Core* core = &self.cores[worker]
        cdef action_t actions[MAX_ACTIONS]
        cdef int n = 0
        cdef Rng rng
        if word is None:
            seed_rng(&rng, self.seed, stream)
        else:
            rng_from_word(&rng, <uint64_t> word)
        for action in only or ():
            actions[n] = action
            n += 1
        if not core_begin(core, state.data, self.seat, &rng, core.tree.max_nodes, state.past, &state.sink, True,
                          actions if n else NULL, n):
            raise MemoryError
        return 0

    cdef int draw_words(self, tuple stream) except -1:
        """Randomness of the explanations and of the choice, for one decision."""
        cdef int i
        for i, word in enumerate(random_words(self.seed, stream, 3)):
            self.words[i] = word
        return 0

    cdef int read_root(self) except -1:
        """What is asked, in words, as any world shows it that the seat can't tell from the true one."""
        cdef int seat = self.seat
        cdef int i
        cdef State world = blank_state(self.game, False)
        memcpy(world.data, self.core.world, self.game.rules.state_size)
        self.prompt = world.prompt(seat)
        self.labels = [self.game.action_label(world, seat, self.core.root_actions[i]) for i in range(self.core.n_root)]
        self.args = [self.game.action_args(world, seat, self.core.root_actions[i]) for i in range(self.core.n_root)]
        return 0

    def follow(self, State state not None) -> int:
        """Go on with the seat's next decision, in a later state of the same game; returns the simulations kept.

        The trees stay where what the seat has observed since leads to one of their nodes; 0: all begins afresh, as it also does
        by regret, with another `tree_key` than full, and when a tree holds half the nodes it last might; or there is only one
        action, and the trees wait for the decision after it. `iterations` and `elapsed_s` count from here, while the candidates'
        visits and values include what was kept. Equal histories of calls give equal analyses. Raises like the constructor;
        ValueError for a state of another game.
        """
        cdef int i
        self.check_idle()
        if state.game is not self.game:
            raise ValueError("a search follows the game it began with")
        check_pending(state, self.seat)
        self.decisions += 1
        self.game = None        # until all have begun: without memory for that the search is over
        for i in range(self.threads):
            self.begin(state, i, (int(Stream.SEARCH), FOLLOW_STREAM + self.decisions, i), None, None)
        self.game = state.game
        self.read_root()
        self.draw_words((int(Stream.SEARCH), 1, self.decisions))
        self.wanted = 0
        self.counted = [0] * self.threads
        self.elapsed_ns = 0
        return sum([self.cores[i].carried for i in range(self.threads)])

    def __dealloc__(self):
        cdef int i
        if self.cores != NULL:
            for i in range(self.threads):
                core_free(&self.cores[i])
            PyMem_Free(self.cores)

    def simulate(self, limits: Limits, stop: StopFlag | None = None) -> int:
        """Grow the trees until a limit or the flag; returns the simulations done. The GIL is released.

        A decision with one legal action returns 0 at once; any other simulates at least once unless the flag is already
        set. By regret the last simulation is finished: a few more may be done than asked for, and count for the next
        call. At 4 * 10^9 simulations of a decision a thread has done what it can count. Raises ValueError when nothing
        would ever end it, RuntimeError when another thread is in here.
        """
        cdef int64_t started = now_ns()
        if not isinstance(limits, Limits):
            raise TypeError(f"a search is bounded by Limits, such as Limits(iterations=1000), and not by {limits!r}")
        cdef int64_t deadline = 0 if limits.time_ms is None else started + max(1, int(limits.time_ms * 1e6))
        cdef int64_t before = self.iterations
        cdef int i
        limits = limits if stop is None else limits | Limits(stop=stop)
        cap = limits.node_cap(self.threads)
        if limits.iterations is None and limits.time_ms is None and limits.stop is None:
            raise ValueError("without iterations, time_ms or a stop flag the search would never end")
        self.check_idle()
        if self.core.forced:
            return 0
        goals = None if limits.iterations is None else [
            share(self.wanted + limits.iterations, i, self.threads) for i in range(self.threads)]
        wanted = [-1] * self.threads
        for i in range(self.threads):
            if goals is not None:   # pieces add up to the same as the whole: shares count over all calls since one was cut short
                wanted[i] = max(goals[i] - self.done_since(i), 0)
            tree_cap(&self.cores[i].tree, <uint32_t> cap)
            self.cores[i].max_depth = MAX_PATH - 1 if limits.depth is None else limits.depth
        self.running = True
        self.halted = False
        self.finished = False
        workers = [Thread(target=self._work, args=(i, wanted[i], deadline, limits.stop), name="search", daemon=True)
                   for i in range(1, self.threads)]
        try:
            for worker in workers:
                worker.start()
            self._work(0, wanted[0], deadline, limits.stop)
        finally:
            self.halted = self.halted or not self.finished      # Ctrl-C ends the others too
            for worker in workers:
                if worker.ident is not None:
                    worker.join()
            self.running = False
            self.elapsed_ns += now_ns() - started
            if goals is not None and all([self.done_since(i) >= goals[i] for i in range(self.threads)]):
                self.wanted += limits.iterations
            else:       # stopped before, or by the clock, when one thread may be far ahead of another
                self.wanted = 0
                self.counted = [self.cores[i].iterations for i in range(self.threads)]
        return self.iterations - before

    cdef int64_t done_since(self, int worker) except -1:
        """Simulations of a thread since the sharing out began."""
        return self.cores[worker].iterations - <int64_t> self.counted[worker]

    def _work(self, int worker, int64_t wanted, int64_t deadline, StopFlag stop):
        """Let one core simulate; the first worker looks at signals meanwhile."""
        cdef Core* core = &self.cores[worker]
        cdef int64_t done = 0
        cdef flag_t* flag = NULL if stop is None else &stop.raised
        if worker == 0:
            self.finished = False
        while not self.halted:
            with nogil:
                done += core_run(core, wanted - done if wanted >= 0 else -1, now_ns() + SLICE_NS, deadline, flag)
            if 0 <= wanted <= done or core_full(core) or (flag != NULL and flag[0]) or (deadline and now_ns() >= deadline):
                break
            if worker == 0:
                PyErr_CheckSignals()
        if worker == 0:
            self.finished = True

    def run(self, limits: Limits, stop: StopFlag | None = None) -> Analysis:
        """`simulate`, then the analysis of all simulations so far; call it again for a snapshot that knows more."""
        self.simulate(limits, stop)
        return self.analysis()

    cdef int check_idle(self) except -1:
        """The trees can't be looked at while they grow."""
        if self.game is None:
            raise RuntimeError("this search was never initialised, or has lost its memory")
        if self.running:
            raise RuntimeError("this search is already running; look at it between two runs")
        return 0

    cdef void add_up(self, Root* root) noexcept:
        """What all threads know of the root's actions."""
        cdef int i
        memset(root, 0, sizeof(Root))
        for i in range(self.threads):
            add_root(&self.cores[i], root)

    @property
    def best_action(self) -> int:
        """The best action: most visits (by regret: most often played), ties by the heuristic, then the lowest action.

        Two actions are tied, too, when their values can't be told apart (`tie_errors`), unless mixtures are played.
        """
        cdef Root root
        self.check_idle()
        self.add_up(&root)
        return self.core.root_actions[root_best(self.core, &root)]

    def choose(self) -> int:
        """The action to play now, drawn from the candidates' `policy`: the best one, where the search plays no mixture.

        The same after the same simulations, however often it is asked.
        """
        cdef double shares[MAX_ACTIONS]
        cdef Root root
        cdef Rng rng
        self.check_idle()
        self.add_up(&root)
        root_policy(self.core, &root, shares)
        rng_from_word(&rng, self.words[2])
        return self.core.root_actions[draw(shares, self.core.n_root, &rng)]

    @property
    def iterations(self) -> int:
        """Simulations so far."""
        return sum([self.cores[i].iterations for i in range(self.threads)])

    @property
    def settled(self) -> float:
        """The share of the simulations that need no estimate; see SearchParams.settled."""
        return self.params.settled(sum([self.cores[i].ended for i in range(self.threads)]), self.iterations)

    @property
    def nodes(self) -> int:
        """Nodes of all seats' trees."""
        return sum([self.cores[i].tree.n_nodes for i in range(self.threads)])

    @property
    def memory_bytes(self) -> int:
        """Memory the trees hold now."""
        return sum([tree_bytes(&self.cores[i].tree) for i in range(self.threads)])

    cdef tuple candidates(self):
        """(the position's value, the actions looked at with their statistics, best first, as keyword arguments of Candidate)."""
        cdef const Edge* edge
        cdef Core* core = self.core
        cdef Root root
        cdef double mean, visits
        cdef double shares[MAX_ACTIONS]
        cdef bint cooperative = self.game.cooperative
        cdef int i
        self.add_up(&root)
        root_policy(core, &root, shares)
        if root.visits:
            position, spread = min(max(root.value_sum / root.visits, 0.0), 1.0), 0.5    # a baseline may leave 0..1
            wins = win_chance(sum([root.wins[i] for i in range(core.n_root)]), root.visits - root.carried, position)
        else:
            position, spread = estimate(core, self.words[0])
            wins = position
        rows = []
        for i in range(core.n_root):
            row = {"action": core.root_actions[i], "label": self.labels[i], "args": self.args[i], "visits": 0,
                   "visit_share": 0.0, "policy": shares[i], "value": None, "standard_error": 0.5,
                   "win_probability": None, "prior": 1.0, "tied": root_open(core, &root, i)}
            if core.forced:
                row.update(visit_share=1.0, value=position, standard_error=spread, win_probability=None if cooperative else wins)
            else:
                row["prior"] = core.priors[i]
                edge = &root.edges[i]
                if edge.visits:
                    visits = edge.visits
                    mean = edge.value_sum / visits
                    row["visits"] = edge.visits
                    row["visit_share"] = visits / root.visits
                    row["value"] = min(max(mean, 0.0), 1.0)
                    row["standard_error"] = standard_error(&root, i)
                    if not cooperative:
                        row["win_probability"] = win_chance(root.wins[i], edge.visits - root.carried_visits[i], row["value"])
            if self.calibration is not None:
                self.calibrate(row)
            rows.append((i, row))
        best = root_best(core, &root)
        scores = [core.root_scores[i] for i in range(core.n_root)]
        rows.sort(key=lambda item: (item[0] != best, -item[1]["policy"], -worth_at_least(item[1]), -item[1]["visits"],
                                    -scores[item[0]], item[0]))
        return position if self.calibration is None else self.calibration(position, self.settled), rows

    cdef int calibrate(self, dict row) except -1:
        """From what the simulations brought to what comes of it, for what is shown alone."""
        if row["value"] is None:
            return 0
        if row["standard_error"] < 0.5:     # which says that nothing is known of it
            row["standard_error"] = self.calibration.error(row["value"], row["standard_error"], self.settled)
        row["value"] = self.calibration(row["value"], self.settled)
        if row["win_probability"] is not None:
            row["win_probability"] = self.calibration(row["win_probability"], self.settled)
        return 0

    cdef uint64_t opening(self) except? 0:
        """Mask of the prompts with which a seat's turn begins."""
        return sum([1 << i for i, prompt in enumerate(self.game.spec.prompts) if prompt.opens])

    cdef list reasons(self, list rows):
        """For the best candidates; `rows` as from `candidates`."""
        cdef uint64_t opening = self.opening()
        cdef int i
        found = []
        for i, row in [*rows[:EXPLAINED], *rows[EXPLAINED:][-1:]]:
            own, later = outcomes(self.core, i, opening, self.words[0], WORLDS)
            found.append(Outcome(row["action"], row["label"], row["value"], row["standard_error"], own, later))
        return explain(self.game, found[:EXPLAINED], found[EXPLAINED] if len(found) > EXPLAINED else None)

    def compare(self, action: int, other: int, *, worlds: int = WORLDS) -> dict[tuple[str, bool], tuple[float, float]]:
        """How an action differs from another one: {(feature, later): (how much better, standard error)}, as reasons are found.

        "outlook" is what evaluate says. Raises ValueError for an action that isn't legal.
        """
        cdef int i
        self.check_idle()
        legal = [self.core.root_actions[i] for i in range(self.core.n_root)]
        mine, theirs = [outcomes(self.core, legal.index(one), self.opening(), self.words[0], worlds) for one in (action, other)]
        keys = [*[feature.key for feature in self.game.spec.features], "outlook"]
        return {(keys[gap.number], bool(later)): (gap.good, gap.error)
                for later in range(2) for gap in gaps(self.game.spec.features, mine[later], theirs[later])}

    def analysis(self) -> Analysis:
        """What the search has found so far. Looking changes nothing. Raises RuntimeError while it runs in another thread."""
        cdef int i
        self.check_idle()
        position, rows = self.candidates()
        why = [()] if len(rows) == 1 else self.reasons(rows)
        why += [()] * (len(rows) - len(why))
        found = tuple([
            Candidate(**row, why=told, reasons=tuple([reason.text for reason in told]),
                      principal_variation=principal_variation(self.core, self.game, i, self.words[1]))
            for (i, row), told in zip(rows, why, strict=True)
        ])
        return Analysis(
            game=self.game.spec.id, seat=self.seat, prompt=self.prompt, iterations=self.iterations,
            nodes=self.nodes, depth=max([self.cores[i].depth for i in range(self.threads)]),
            elapsed_s=self.elapsed_ns / 1e9, seed=self.seed,
            value=position if found[0].value is None else found[0].value, candidates=found,
            unit=self.game.unit(), params=self.params, threads=self.threads,
            kept=sum([self.cores[i].carried for i in range(self.threads)]))
