"""Regret minimisation: for small games of hidden information, where the best play is mixed.

A simulation is external sampling (MCCFR; Lanctot et al. 2009) for one seat, the updater, and the seats take turns: the
updater tries all its actions (one, where that would take too long), the others play their current policies by regret
matching plus (Tammelin 2014). What the search plays is the average of the policies, later ones weighted more. A playout
to the end counts as one iteration, so that budgets mean the same as with PUCT; the last simulation is finished, so that a
few may be done beyond the limit.

Where the public past is known (GameSpec.public_choices) this is a search from the deal, aimed at the present (compare
online outcome sampling; Lisy, Lanctot and Bowling 2015): a share of the simulations begins at a fresh deal and teaches
how everybody's choices so far depend on what they hold; the rest begins in a world of now, and worlds are kept with a
chance in proportion to how likely the observed choices of the others were in them.

From the others' point of view the root seat may hold anything. Worlds in which it does are many, though, and with a
small budget each is seen too rarely; so the first `open_until` simulations let the others know what the root seat holds,
which errs on the safe side.
"""
from libc.math cimport pow
from libc.string cimport memcpy

from seatmate.ai.search.core cimport MAX_FRAMES, Core, Frame
from seatmate.ai.search.ismcts cimport (
    best_score, core_act, core_node_key, core_sample_world, deciding_seat, expand, legal_at_root, match_edges, rollout,
    win_share,
)
from seatmate.ai.search.mast cimport score_moves
from seatmate.ai.search.matching cimport draw, regret_policy
from seatmate.ai.search.tree cimport NO_SLOT, Edge, tree_find, tree_reserve
from seatmate.engine.core.rng cimport rng_unit
from seatmate.engine.core.sink cimport mix, sink_reset
from seatmate.engine.core.types cimport MAX_ACTIONS, MAX_SEATS, SPECTATOR, uint32_t, uint64_t

from seatmate.ai.search.params import place

# Where the knobs stand that are read here.
cdef int OPEN_UNTIL = place("open_until")
cdef int START_SHARE = place("start_share")

cdef enum:
    FRESH_DEALS = 16        # attempts to deal a game that looks like this one to the spectators
    WORLDS = 200            # attempts to find a world that is likely enough
    MOST_BRANCHES = 128     # playouts of one simulation; where it branches no more, one action is tried
    MOST_FRESH = 8          # nodes one path may add; from there it is a rollout
    OPEN_POWER = 4          # how sharply the others' knowledge ends after open_until

cdef double OPEN_NOW = 0.5          # of the simulations from the deal: moved to the present while the root seat's secrets are open
cdef double EXPLORATION = 0.4      # share of uniformly random actions where one is tried
cdef double OWN_SHARE = 0.5         # of the root seat's simulations: its own view rather than any it might have
cdef double LIKELY_VISITS = 3.0     # a past decision is as likely as a uniform policy seen so often, mixed with what was learnt
cdef double LEAST_LIKELY = 0.001    # nothing that was observed counts as less likely


cdef double likeliness(Core* core, int past) noexcept nogil:
    """How likely the seat was to choose what it did at a decision of the past, holding what it holds in this world."""
    cdef int seat = core.past.made[past].seat
    cdef uint64_t key
    cdef uint32_t slot
    cdef const Edge* block
    cdef double total = 0
    cdef double chosen = -1
    cdef double trust
    cdef int i, n
    key = mix(core.past.made[past].key, <uint64_t> (seat + 1) | <uint64_t> core.past.made[past].prompt << 8)
    key = mix(key, core.rules.private_key(core.tables, core.world, seat))
    slot = tree_find(&core.tree, key if key else 1)
    if slot == NO_SLOT:
        return 1
    n = core.tree.nodes[slot].n_edges
    block = &core.tree.edges[core.tree.nodes[slot].first_edge]
    for i in range(n):
        total += block[i].strategy
        if block[i].action == core.past.made[past].action:
            chosen = block[i].strategy
    if chosen < 0:
        return 1
    trust = LIKELY_VISITS * (core.iterations + 1)       # the weight of the present policies
    return max((chosen + trust / n) / (total + trust), LEAST_LIKELY)


cdef double world_weight(Core* core, bint open) noexcept nogil:
    """How likely the past choices were in this world; the updater's own don't count, nor what the root seat knows it holds."""
    cdef double weight = 1
    cdef int i, seat
    for i in range(core.past.n):
        seat = core.past.made[i].seat
        if seat != (core.seat if open else core.updater):
            weight *= likeliness(core, i)
    return weight


cdef void sample_public_world(Core* core) noexcept nogil:
    """A world that respects only what all know: one more round of a chain that lets each seat doubt all the others."""
    cdef int i
    for i in range(2 * core.seats):
        core.rules.resample(core.tables, core.public_world, i % core.seats, &core.rng)
    memcpy(core.world, core.public_world, core.rules.state_size)
    memcpy(core.sink.keys, core.first_keys, sizeof(core.first_keys))


cdef bint deal_fresh(Core* core) noexcept nogil:
    """A new deal that the spectators can't tell from this game's; False: there was none."""
    cdef int _attempt
    for _attempt in range(FRESH_DEALS):
        sink_reset(&core.sink)
        core.rules.init(core.tables, core.world, &core.rng, &core.sink)
        if core.sink.keys[SPECTATOR] == core.past.made[0].key:
            return True
    return False


cdef void sample_start(Core* core) noexcept nogil:
    """Put the world into core.world from which this simulation plays."""
    cdef bint open
    cdef double openness, share, weight
    cdef double* heaviest
    cdef int _attempt
    if core.iterations == 0:
        core_sample_world(core, &core.rng)
        return
    openness = 0
    if core.config.knob[OPEN_UNTIL] > 0:
        openness = min(pow(core.config.knob[OPEN_UNTIL] / (core.iterations + 1), OPEN_POWER), 1.0)
    # While the others know the root seat's secrets, the past has less to say.
    share = core.config.knob[START_SHARE] * (1 - OPEN_NOW * openness)
    if core.past.n > 0 and rng_unit(&core.rng) < share and deal_fresh(core):
        return
    share = max(OWN_SHARE if core.updater == core.seat else 0.0, openness)
    open = rng_unit(&core.rng) < share
    heaviest = &core.heaviest[core.updater][open]
    for _attempt in range(WORLDS):
        if open:
            core_sample_world(core, &core.rng)
        else:
            sample_public_world(core)
        if core.past.n <= 0 or core.config.knob[START_SHARE] == 0:
            return
        weight = world_weight(core, open)
        heaviest[0] = max(heaviest[0], weight)
        if rng_unit(&core.rng) * heaviest[0] <= weight:
            return


cdef double finish(Core* core, double* win) noexcept nogil:
    """Play a rollout from the world, or read the result of a finished one; the updater's utility and win share."""
    cdef double utilities[MAX_SEATS]
    cdef bint finished
    core.quiets = 0
    if core.scores != NULL:
        core.scores.n = 0
    finished = rollout(core, utilities)
    core.ended += finished
    if core.scores != NULL:
        score_moves(core.scores, utilities)
    core.iterations += 1
    win[0] = win_share(utilities, core.seats, core.updater) if finished else utilities[core.updater]
    return utilities[core.updater]


cdef void count(Core* core, uint32_t slot, uint32_t edge, int action, double value, double win) noexcept nogil:
    """The updater has tried an action and got this utility and win share."""
    core.tree.nodes[slot].visits += 1
    core.tree.nodes[slot].value_sum += value
    core.tree.edges[edge].visits += 1
    core.tree.edges[edge].available += 1
    core.tree.edges[edge].value_sum += value
    if core.tree.nodes[slot].key == core.root_key:
        core.wins[action] += win
        core.squares[action] += value * value


cdef double walk(Core* core, int depth, int fresh, int room, double reach, double* win) noexcept nogil:
    """Simulate the world on; the updater's utility and win share under the policies of now.

    fresh: nodes this path may still add · room: playouts it may branch into, at least 1 · reach: how likely the updater is
    to come here by its own policy since the simulation's start, divided by how likely the simulation is.
    """
    cdef Frame* frame
    cdef uint32_t pending
    cdef uint32_t slot = NO_SLOT
    cdef uint64_t key
    cdef int choice, i, n, seat
    while True:
        pending = core.rules.pending(core.tables, core.world)
        if pending == 0 or depth >= MAX_FRAMES or depth >= core.max_depth:
            return finish(core, win)
        frame = &core.frames[depth]
        seat = deciding_seat(core, pending)
        n = core.rules.legal_actions(core.tables, core.world, seat, frame.legal)
        if n > 1:
            break
        core_act(core, seat, frame.legal[0], &core.rng)
    key = core_node_key(core, seat)
    if key == core.root_key:
        n = legal_at_root(core, frame.legal)
    slot = tree_find(&core.tree, key)
    if slot == NO_SLOT and fresh and tree_reserve(&core.tree, core.hurry):
        slot = expand(core, key, seat, frame.legal, n)
        fresh -= 1
    if slot == NO_SLOT or not match_edges(core, slot, seat, frame.legal, n, frame.edges):
        return finish(core, win)
    core.depth = max(core.depth, depth + 1)
    regret_policy(core, frame.edges, n, frame.policy)
    for i in range(n):
        if frame.edges[i] != NO_SLOT:
            core.tree.edges[frame.edges[i]].strategy += (
                frame.policy[i] * (core.iterations + 1) * (reach if seat == core.updater else 1.0))
    if seat != core.updater:
        choice = draw(frame.policy, n, &core.rng)
        core_act(core, seat, frame.legal[choice], &core.rng)
        return walk(core, depth + 1, fresh, room, reach, win)
    if room < n or core.iterations == 0:
        return walk_one(core, depth, fresh, room, reach, key, seat, n, win)
    return walk_all(core, depth, fresh, room, reach, key, seat, n, win)


cdef double walk_all(Core* core, int depth, int fresh, int room, double reach, uint64_t key, int seat, int n,
                     double* win) noexcept nogil:
    """Try all actions of the updater's decision and learn its regrets (external sampling)."""
    cdef Frame* frame = &core.frames[depth]
    cdef double shares[MAX_ACTIONS]
    cdef double value = 0
    cdef uint64_t public_key = core.sink.keys[SPECTATOR]
    cdef int i
    win[0] = 0
    memcpy(frame.world, core.world, core.rules.state_size)
    for i in range(n):
        memcpy(core.world, frame.world, core.rules.state_size)
        core.sink.keys[SPECTATOR] = public_key
        core_act(core, seat, frame.legal[i], &core.rng)
        frame.values[i] = walk(core, depth + 1, fresh, room // n, reach * frame.policy[i], &shares[i])
        value += frame.policy[i] * frame.values[i]
        win[0] += frame.policy[i] * shares[i]
    learn(core, frame, key, seat, n, value, -1, shares)
    return value


cdef double walk_one(Core* core, int depth, int fresh, int room, double reach, uint64_t key, int seat, int n,
                     double* win) noexcept nogil:
    """Try one action of the updater's decision, where trying all would take too long (outcome sampling; Lanctot et al. 2009).

    What the others would have brought is what they have brought on average (a baseline; Schmid et al. 2019). The very
    first simulation plays the heuristic's action.
    """
    cdef Frame* frame = &core.frames[depth]
    cdef double chances[MAX_ACTIONS]
    cdef double shares[MAX_ACTIONS]
    cdef double brought, value
    cdef const Edge* edge
    cdef int held = 0
    cdef int choice, i
    for i in range(n):
        held += frame.edges[i] != NO_SLOT
    for i in range(n):
        chances[i] = (1 - EXPLORATION) * frame.policy[i] + EXPLORATION / held if frame.edges[i] != NO_SLOT else 0.0
    choice = draw(chances, n, &core.rng)
    if core.iterations == 0 and key == core.root_key:
        choice = best_score(core.root_scores, n)
    for i in range(n):
        frame.values[i] = -1
        if frame.edges[i] != NO_SLOT:
            edge = &core.tree.edges[frame.edges[i]]
            if edge.visits:
                frame.values[i] = edge.value_sum / edge.visits
    core_act(core, seat, frame.legal[choice], &core.rng)
    if chances[choice] <= 0:
        return walk(core, depth + 1, fresh, room, 0.0, win)
    brought = walk(core, depth + 1, fresh, room, reach * frame.policy[choice] / chances[choice], win)
    value = 0
    for i in range(n):
        if frame.values[i] < 0:
            frame.values[i] = brought
        if i == choice:
            frame.values[i] += (brought - frame.values[i]) / chances[i]
        value += frame.policy[i] * frame.values[i]
    shares[choice] = win[0]
    learn(core, frame, key, seat, n, value, choice, shares, brought)
    return value


cdef void learn(Core* core, const Frame* frame, uint64_t key, int seat, int n, double value, int only, const double* shares,
                double brought = 0) noexcept nogil:
    """Regrets and statistics of a decision whose actions are worth frame.values; `only`: the one tried, -1 for all."""
    cdef uint32_t edges[MAX_ACTIONS]
    cdef Edge* edge
    # Slots move when the tree grows, and blocks when nodes meet new actions.
    cdef uint32_t slot = tree_find(&core.tree, key)
    cdef int i
    if not match_edges(core, slot, seat, frame.legal, n, edges):
        return
    for i in range(n):
        if edges[i] != NO_SLOT:
            if only < 0 or i == only:
                count(core, slot, edges[i], i, frame.values[i] if only < 0 else brought, shares[i])
            edge = &core.tree.edges[edges[i]]
            edge.regret = <float> max(edge.regret + frame.values[i] - value, 0.0)


cdef int64_t regret_step(Core* core) noexcept nogil:
    """One simulation for the next seat; the playouts it took."""
    cdef int64_t before = core.iterations
    cdef double win
    tree_reserve(&core.tree, core.hurry)
    core.updater = (core.updater + 1) % core.seats
    core.n_path = 0
    sample_start(core)
    walk(core, 0, MOST_FRESH, MOST_BRANCHES, 1.0, &win)
    return core.iterations - before
