"""The life of a search: its memory, its beginning at a decision, and simulating until a limit."""
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from seatmate.ai.search.core cimport FULL, MAX_FRAMES, MAX_PATH, Config, Core, Frame
from seatmate.ai.search.ismcts cimport (
    core_node_key, core_sample_world, fill_policy, iterate, start_baseline, write_edges,
)
from seatmate.ai.search.mast cimport Scores
from seatmate.ai.search.matching cimport is_joint
from seatmate.ai.search.stop cimport flag_t
from seatmate.ai.search.tree cimport (
    NO_SLOT, Edge, Node, tree_cap, tree_clear, tree_find, tree_free, tree_init, tree_insert,
)
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.past cimport Past, past_copy
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink, mix, sink_reset
from seatmate.engine.core.types cimport MAX_ACTIONS, MAX_OBSERVERS, SPECTATOR, action_t, uint32_t

from seatmate.ai.search.params import place

# Where the knobs stand that are read here.
cdef int JOINT_REGRET = place("joint_regret")
cdef int REGRET_ACTIONS = place("regret_actions")
cdef int SELECTION = place("selection")
cdef int WORLD_BASELINE = place("world_baseline")

cdef enum:
    CHECK_FAST_NS = 20_000      # between two looks at the clock ...
    CHECK_SLOW_NS = 100_000     # ... we want this much time to pass
    HURRY_NS = 20_000_000       # this near to the deadline no big table is moved any more
    MAX_UNCHECKED = 64          # iterations, however fast they are
    ROOT_WORD = 0x526F6F74

cdef int64_t MOST_VISITS = 4_000_000_000


cdef int64_t now_ns() noexcept nogil:
    """Monotonic clock in nanoseconds."""
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <int64_t> now.tv_sec * 1_000_000_000 + now.tv_nsec


cdef bint core_init(Core* core, const Rules* rules, const void* tables, int seats, const Config* config,
                    uint32_t max_nodes) noexcept nogil:
    """Allocate. False: out of memory, nothing is held."""
    memset(core, 0, sizeof(Core))
    core.rules = rules
    core.tables = tables
    core.seats = seats
    core.config = config[0]
    if config.mast_below:
        core.scores = <Scores*> malloc(sizeof(Scores))
        if core.scores == NULL:
            return False
    if config.regret != NULL:
        core.frames = <Frame*> malloc(MAX_FRAMES * sizeof(Frame))
        if core.frames == NULL:
            core_free(core)
            return False
    if not tree_init(&core.tree, max_nodes):
        core_free(core)
        return False
    return True


cdef void core_free(Core* core) noexcept nogil:
    """Give the memory back."""
    tree_free(&core.tree)
    free(core.scores)
    free(core.frames)
    core.scores = NULL
    core.frames = NULL


cdef void core_forget(Core* core) noexcept nogil:
    """The next core_begin starts afresh, whatever it is told."""
    core.keyed = False


cdef bint keep_tree(Core* core) noexcept nogil:
    """Go on with the tree of the seat's last decision, if what the seat has observed since leads to one of its nodes.

    False: it must be grown afresh. So it is when it holds half of what it may, for what is out of reach by now stays in it.
    """
    cdef const Node* node
    cdef const Edge* block
    cdef uint32_t slot
    cdef int i
    if 2 * core.tree.n_nodes > core.tree.max_nodes:
        return False
    slot = tree_find(&core.tree, core.root_key)
    if slot == NO_SLOT:
        return False
    node = &core.tree.nodes[slot]
    if node.n_edges != core.n_root:
        return False
    block = &core.tree.edges[node.first_edge]
    for i in range(core.n_root):
        if block[i].action != core.root_actions[i]:
            return False
        core.carried_visits[i] = block[i].visits
        core.carried_values[i] = block[i].value_sum
        core.priors[i] = block[i].prior
    core.carried = node.visits
    return True


cdef bint core_begin(Core* core, const void* state, int seat, const Rng* rng, uint32_t max_nodes, const Past* past,
                     const Sink* seen, bint follow, const action_t* only, int n_only) noexcept nogil:
    """Start at a decision of a pending seat of `state`. False: out of memory, the core is freed.

    Nothing hidden from the seat is read from `state`: all that follows looks at sampled worlds. `past` is public; NULL:
    unknown. Of the observation keys `seen` only the seat's own and the public one are read; NULL: unknown, and the tree is
    good for this decision alone. follow: go on with the tree of the seat's last decision where it reaches to this one, else
    begin afresh. (By regret and with merging tree keys it always begins afresh.) only: the n_only legal actions to look at, in
    ascending order; NULL: all.
    """
    cdef uint32_t slot
    cdef float biases[MAX_ACTIONS]
    cdef int i
    cdef int n = core.rules.legal_actions(core.tables, state, seat, core.root_actions)
    core.step = core.config.regret if core.config.knob[SELECTION] or n <= core.config.knob[REGRET_ACTIONS] else NULL
    cdef bint absolute = seen != NULL and core.step == NULL and core.config.tree_key == FULL
    follow = follow and absolute and core.keyed and core.seat == seat
    if not follow and not tree_clear(&core.tree, max_nodes):
        return False
    tree_cap(&core.tree, max_nodes)
    memcpy(core.root, state, core.rules.state_size)
    core.seat = seat
    core.keyed = absolute
    core.carried = 0
    memset(core.carried_visits, 0, sizeof(core.carried_visits))
    memset(core.carried_values, 0, sizeof(core.carried_values))
    core.rng = rng[0]
    core.iterations = 0
    core.ended = 0
    core.depth = 0
    core.n_path = 0
    core.switched = -1
    core.max_depth = MAX_PATH - 1
    core.updater = (seat + core.seats - 1) % core.seats
    sink_reset(&core.sink)
    core.past.n = -1
    if core.step != NULL and past != NULL:
        past_copy(&core.past, past)
        core.sink.keys[SPECTATOR] = past.key
    if absolute:        # what the others have seen in private is not for us to know: theirs go on from the public key
        for i in range(MAX_OBSERVERS):
            core.sink.keys[i] = seen.keys[seat] if i == seat else seen.keys[SPECTATOR]
    if core.scores != NULL:
        memset(core.scores, 0, sizeof(Scores))
    memset(core.heaviest, 0, sizeof(core.heaviest))
    memcpy(core.first_keys, core.sink.keys, sizeof(core.first_keys))
    memset(core.privates, 0, sizeof(core.privates))
    memset(core.wins, 0, sizeof(core.wins))
    memset(core.squares, 0, sizeof(core.squares))
    core_sample_world(core, &core.rng)
    core.n_root = n
    core.forced = core.n_root == 1
    if core.forced:
        core.root_scores[0] = 0
        return True
    if only != NULL:
        core.n_root = n_only
        memcpy(core.root_actions, only, n_only * sizeof(action_t))
    core.root_key = core_node_key(core, seat)
    if core.config.tree_key != FULL:
        core.root_key = mix(core.root_key, ROOT_WORD) | 1       # a node of its own, whatever the tree key merges
    memcpy(core.public_world, core.world, core.rules.state_size)
    core.joint_root = core.config.knob[JOINT_REGRET] and is_joint(core, core.rules.pending(core.tables, core.world))
    core.rules.score_actions(core.tables, core.world, seat, core.root_actions, core.n_root, core.root_scores)
    fill_policy(&core.config, core.root_scores, core.n_root, core.priors, biases)
    if not (follow and keep_tree(core)):
        if follow and not tree_clear(&core.tree, max_nodes):
            return False
        slot = tree_insert(&core.tree, core.root_key, core.n_root)
        write_edges(core, slot, core.root_actions, core.n_root, core.priors, biases)
    if core.config.knob[WORLD_BASELINE]:
        start_baseline(core)
    return True


cdef bint core_full(const Core* core) noexcept nogil:
    """Are the counts of visits, of 32 bits, at their end?"""
    return core.iterations + core.carried >= MOST_VISITS


cdef int64_t core_run(Core* core, int64_t iterations, int64_t pause_ns, int64_t deadline_ns, flag_t* stop) noexcept nogil:
    """Simulate until `iterations` or a few more are done (-1: no limit), the clock passes `pause_ns` or `deadline_ns`
    (0: no limit) or `stop` is raised (NULL: never), or core_full. Returns the simulations done: at least one unless stopped
    before.

    After a pause the caller goes on where it was; near a deadline nothing is begun that takes milliseconds.
    """
    cdef int64_t done = 0
    cdef int64_t last, now, step
    cdef int64_t until = pause_ns
    cdef int interval = 1
    cdef int unchecked = 0
    if core.forced:
        return 0
    if deadline_ns and (until == 0 or deadline_ns < until):
        until = deadline_ns
    last = now_ns() if until else 0
    core.hurry = deadline_ns != 0 and deadline_ns - last < HURRY_NS
    while (iterations < 0 or done < iterations) and not core_full(core):
        if stop != NULL and stop[0]:
            break
        if core.step != NULL:
            step = core.step(core)
            done += step
            unchecked += <int> step
        else:
            iterate(core)
            done += 1
            unchecked += 1
        if until and unchecked >= interval:
            now = now_ns()
            if now >= until:
                break
            core.hurry = deadline_ns != 0 and deadline_ns - now < HURRY_NS
            if now - last < CHECK_FAST_NS:
                interval = min(2 * interval, MAX_UNCHECKED)
            elif now - last > CHECK_SLOW_NS:
                interval = max(interval // 2, 1)
            last = now
            unchecked = 0
    return done
