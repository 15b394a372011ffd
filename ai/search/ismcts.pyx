"""MO-ISMCTS with PUCT, nogil and without one Python object (Cowling, Powley and Whitehouse 2012; Rosin 2011).

Every iteration starts from a world sampled for the root seat and plays it down the trees of all seats at once. A
node is found by what its seat has observed since the root. Selection is PUCT over the actions that are legal in this
world, with the heuristic policy as prior; one new node per iteration; then a heuristic rollout, cut off by `evaluate`.
The utilities go back as a vector: each node's edges hold the utility of the seat that decides there (max^n).
"""
from libc.math cimport exp, sqrt
from libc.string cimport memcpy, memset

from seatmate.ai.search.baseline cimport BASELINE_WORLDS, Baseline, subtract_baseline
from seatmate.ai.search.core cimport FULL, OPEN, PUBLIC, Step
from seatmate.ai.search.mast cimport best_scored, note_move, score_moves
from seatmate.ai.search.matching cimport is_joint, select_joint, update_regrets
from seatmate.ai.search.tree cimport (
    NO_SLOT, Edge, Node, tree_find, tree_insert, tree_prefetch, tree_reserve, tree_widen,
)
from seatmate.engine.core.contract cimport act, lowest_seat
from seatmate.engine.core.rng cimport rng_below, rng_next, rng_unit
from seatmate.engine.core.sink cimport mix
from seatmate.engine.core.types cimport MAX_ACTIONS, MAX_SEATS, SPECTATOR, uint8_t, uint16_t

from seatmate.ai.search.params import place

# Where the knobs stand that are read here.
cdef int EVALUATE_OPEN = place("evaluate_open")
cdef int EVALUATE_WEIGHT = place("evaluate_weight")
cdef int EXPLORATION = place("exploration")
cdef int FPU_REDUCTION = place("fpu_reduction")
cdef int JOINT_REGRET = place("joint_regret")
cdef int PLAUSIBLE_WORLDS = place("plausible_worlds")
cdef int PRIOR_UNIFORM = place("prior_uniform")
cdef int PRIOR_VISITS = place("prior_visits")
cdef int REDETERMINISE = place("redeterminise")
cdef int REGRET_PRIOR = place("regret_prior")
cdef int ROLLOUT_DEPTH = place("rollout_depth")
cdef int ROLLOUT_QUIETS = place("rollout_quiets")
cdef int SIMPLE_OTHERS = place("simple_others")
cdef int SPLIT_PRIVATE = place("split_private")
cdef int WORLD_BASELINE = place("world_baseline")

cdef enum:
    MAX_STEPS = 100_000         # decisions of one iteration; a game that goes on longer is evaluated where it stands
    SWITCHED_WORD = 0x53776974


cdef double win_share(const double* utilities, int seats, int seat) noexcept nogil:
    """How much of a win a result is for a seat, 0..1: whoever has the highest utility wins.

    Seats that share one utility of 1 between them (a tie) share the win; seats that each have more (a team) all win. If
    all seats have the same, the utility itself counts.
    """
    cdef double best = utilities[0]
    cdef double least = utilities[0]
    cdef int i
    cdef int tied = 0
    for i in range(1, seats):
        best = max(best, utilities[i])
        least = min(least, utilities[i])
    if best - least < 1e-9:
        return utilities[seat]
    if utilities[seat] < best - 1e-9:
        return 0
    for i in range(seats):
        tied += utilities[i] >= best - 1e-9
    return 1.0 / tied if tied * best < 1 + 1e-9 else 1.0

# ---- Policies: the heuristic one, and the rollouts' ----

cdef int best_score(const double* scores, int n) noexcept nogil:
    """Index of the highest score; of equal ones the first, which is the lowest action."""
    cdef int i
    cdef int best = 0
    for i in range(1, n):
        if scores[i] > scores[best]:
            best = i
    return best


cdef action_t heuristic_action(const Rules* rules, const void* tables, const void* state, int seat,
                               const action_t* actions, int n) noexcept nogil:
    """The action with the highest score; ties go to the lowest action."""
    cdef double scores[MAX_ACTIONS]
    if n == 1:
        return actions[0]
    rules.score_actions(tables, state, seat, actions, n, scores)
    return actions[best_score(scores, n)]


cdef action_t rollout_action(const Rules* rules, const void* tables, const void* state, int seat,
                             const action_t* actions, int n, Rng* rng) noexcept nogil:
    """The game's quick choice, or the heuristic one where it has none."""
    if rules.quick_action != NULL:
        return rules.quick_action(tables, state, seat, actions, n, rng)
    return heuristic_action(rules, tables, state, seat, actions, n)


cdef void fill_policy(const Config* config, const double* scores, int n, float* priors, float* biases) noexcept nogil:
    """priors: softmax(scores / temperature), mixed with the uniform distribution; biases: scores above their average."""
    cdef double weights[MAX_ACTIONS]
    cdef double best = scores[best_score(scores, n)]
    cdef double uniform = config.knob[PRIOR_UNIFORM]
    cdef double total = 0
    cdef double average = 0
    cdef int i
    for i in range(n):
        weights[i] = exp((scores[i] - best) * config.inverse_temperature)
        total += weights[i]
    for i in range(n):
        weights[i] = (1 - uniform) * weights[i] / total + uniform / n
        average += weights[i] * max(scores[i] - best, -1.0)
        priors[i] = <float> weights[i]
    for i in range(n):
        biases[i] = <float> (max(scores[i] - best, -1.0) - average)


cdef void node_policy(Core* core, int seat, const action_t* legal, int n, float* priors, float* biases) noexcept nogil:
    """The heuristic policy over the seat's legal actions in the current world."""
    cdef double scores[MAX_ACTIONS]
    if core.config.inverse_temperature == 0 and core.config.knob[PRIOR_VISITS] == 0:
        memset(scores, 0, n * sizeof(double))
    else:
        core.rules.score_actions(core.tables, core.world, seat, legal, n, scores)
    fill_policy(&core.config, scores, n, priors, biases)

# ---- One world, and how the seats see it ----

cdef int deciding_seat(const Core* core, uint32_t pending) noexcept nogil:
    """Whose decision is next in this model: the root seat's if it is asked, else the lowest pending seat's.

    Simultaneous commitments tell the others nothing, so their order does not matter.
    """
    return core.seat if pending >> core.seat & 1 else lowest_seat(pending)


cdef void core_sample_world(Core* core, Rng* rng) noexcept nogil:
    """Put a fresh world for the root seat into core.world and forget what was observed in the last one."""
    cdef int i
    memcpy(core.world, core.root, core.rules.state_size)
    core.rules.resample(core.tables, core.world, core.seat, rng)
    if core.config.knob[PLAUSIBLE_WORLDS] and core.rules.plausible != NULL:
        core.rules.plausible(core.tables, core.world, core.seat, rng)
    memcpy(core.sink.keys, core.first_keys, sizeof(core.first_keys))
    core.history = 0
    if core.config.knob[SPLIT_PRIVATE]:
        for i in range(core.seats):
            core.privates[i] = core.rules.private_key(core.tables, core.world, i) if i != core.seat else 0


cdef uint64_t core_node_key(Core* core, int seat) noexcept nogil:
    """The key of the node at which the seat decides now; never 0."""
    cdef uint64_t key
    if core.step != NULL:
        key = mix(core.sink.keys[SPECTATOR],
                  <uint64_t> (seat + 1) | <uint64_t> core.rules.prompt(core.tables, core.world, seat) << 8)
        key = mix(key, core.rules.private_key(core.tables, core.world, seat))
        return key if key else 1
    if core.config.tree_key == FULL:
        key = mix(core.sink.keys[seat], <uint64_t> (seat + 1))
    else:
        # The spectators' history does not say which question a private chain of choices has reached.
        key = core.sink.keys[SPECTATOR] if core.config.tree_key == PUBLIC else core.history
        key = mix(key, <uint64_t> (seat + 1) | <uint64_t> core.rules.prompt(core.tables, core.world, seat) << 8)
    if core.config.knob[SPLIT_PRIVATE]:
        key = mix(key, core.privates[seat])
    if core.switched >= 0 and seat == core.seat:
        key = mix(key, SWITCHED_WORD)       # in a world that the root seat knows to be false
    return key if key else 1


cdef void core_act(Core* core, int seat, action_t action, Rng* rng) noexcept nogil:
    """Play an action of the current world, observed by all seats."""
    if core.config.tree_key == OPEN:
        core.history = mix(core.history, <uint64_t> <uint32_t> action << 8 | <uint64_t> (seat + 1))
        core.rules.advance(core.tables, core.world, seat, action, rng, NULL)
    else:
        act(core.rules, core.tables, core.world, seat, action, rng, &core.sink)

# ---- Edges of a node in a world ----

cdef bint match_edges(Core* core, uint32_t slot, int seat, const action_t* legal, int n,
                      uint32_t* edges) noexcept nogil:
    """Find the edge of each legal action; actions the node has not met yet get one.

    edges[i] belongs to legal[i]; NO_SLOT where the cap on edges left no room. False: there is none at all.
    """
    cdef const Node* node = &core.tree.nodes[slot]
    cdef const Edge* block = &core.tree.edges[node.first_edge]
    cdef int i = 0
    cdef int j = 0
    cdef int missing = 0
    if node.n_edges == n:
        while i < n and block[i].action == legal[i]:
            edges[i] = node.first_edge + i
            i += 1
        if i == n:
            return True
    for i in range(n):
        while j < node.n_edges and block[j].action < legal[i]:
            j += 1
        if j < node.n_edges and block[j].action == legal[i]:
            edges[i] = node.first_edge + j
        else:
            edges[i] = NO_SLOT
            missing += 1
    if missing:
        if add_edges(core, slot, seat, legal, n, missing):
            return match_edges(core, slot, seat, legal, n, edges)
        return missing < n
    return True


cdef bint add_edges(Core* core, uint32_t slot, int seat, const action_t* legal, int n, int missing) noexcept nogil:
    """Insert the legal actions the node lacks, with their priors among the actions legal now. False: no room."""
    cdef float priors[MAX_ACTIONS]
    cdef float biases[MAX_ACTIONS]
    cdef Node* node = &core.tree.nodes[slot]
    cdef Edge* block
    cdef Edge* edge
    cdef uint32_t old_first = node.first_edge
    cdef int old_n = node.n_edges
    cdef int i, j, k
    if not tree_widen(&core.tree, slot, old_n + missing):
        return False
    node_policy(core, seat, legal, n, priors, biases)
    block = &core.tree.edges[node.first_edge]
    # Merge from the back: i over the legal actions, j over the old edges, k over the places.
    i = n - 1
    j = old_n - 1
    k = old_n + missing - 1
    while i >= 0:
        if j >= 0 and block[j].action >= legal[i]:
            if block[j].action == legal[i]:
                i -= 1
            if k != j:
                block[k] = block[j]
                move_steps(core, slot, old_first + j, node.first_edge + k)
            j -= 1
        else:
            edge = &block[k]
            memset(edge, 0, sizeof(Edge))
            edge.action = legal[i]
            edge.prior = priors[i]
            edge.bias = biases[i]
            edge.regret = <float> (core.config.knob[REGRET_PRIOR] * priors[i])
            i -= 1
        k -= 1
    if node.first_edge != old_first:
        while j >= 0:
            move_steps(core, slot, old_first + j, node.first_edge + j)
            j -= 1
    node.n_edges = <uint16_t> (old_n + missing)
    return True


cdef void move_steps(Core* core, uint32_t slot, uint32_t old, uint32_t new) noexcept nogil:
    """An edge has moved while this iteration's path may hold its old index.

    A node can be on one path twice when its key tells less than the full history.
    """
    cdef int i
    if core.config.tree_key != FULL:
        for i in range(core.n_path):
            if core.path[i].slot == slot and core.path[i].edge == old:
                core.path[i].edge = new

# ---- Selection and expansion ----

cdef int select(Core* core, Node* node, const uint32_t* edges, int n, bint counted) noexcept nogil:
    """PUCT over the edges legal in this world; the index of the chosen one. Ties go to the lowest action.

    counted: this choice will count as one at which the edges were available.
    """
    cdef const Config* config = &core.config
    cdef Edge* edge
    cdef double average = node.value_sum / node.visits if node.visits else 0.5
    cdef double first_play = average
    cdef double trust = config.knob[PRIOR_VISITS]
    cdef double prior_sum = 0
    cdef double visited = 0
    cdef double root_of = 0
    cdef double urgency, scale
    cdef double best = -1e300
    cdef uint32_t available = 0
    cdef int i
    cdef int choice = 0
    for i in range(n):
        if edges[i] != NO_SLOT:
            edge = &core.tree.edges[edges[i]]
            prior_sum += edge.prior
            if edge.visits:
                visited += edge.prior
    scale = config.knob[EXPLORATION] / prior_sum if prior_sum > 0 else 0
    if config.knob[FPU_REDUCTION] > 0 and prior_sum > 0:
        first_play -= config.knob[FPU_REDUCTION] * sqrt(visited / prior_sum)
    for i in range(n):
        if edges[i] == NO_SLOT:
            continue
        edge = &core.tree.edges[edges[i]]
        edge.available += counted
        if edge.available != available:     # nearly always the same for all
            available = edge.available
            root_of = sqrt(<double> available)
        urgency = scale * edge.prior * root_of / (1 + edge.visits)
        if trust > 0:
            urgency += (edge.value_sum + trust * (average + edge.bias)) / (edge.visits + trust)
        else:
            urgency += edge.value_sum / edge.visits if edge.visits else first_play
        if urgency > best:
            best = urgency
            choice = i
    return choice


cdef int select_known(const Core* core, const uint32_t* edges, int n) noexcept nogil:
    """What a seat that learns elsewhere plays: most visits, of equal ones the highest prior. Nothing is explored."""
    cdef const Edge* edge
    cdef double weight
    cdef double best = -1
    cdef int i
    cdef int choice = 0
    for i in range(n):
        if edges[i] != NO_SLOT:
            edge = &core.tree.edges[edges[i]]
            weight = edge.visits + edge.prior
            if weight > best:
                best = weight
                choice = i
    return choice


cdef uint32_t expand(Core* core, uint64_t key, int seat, const action_t* legal, int n) noexcept nogil:
    """A new node for the current world's decision, or NO_SLOT at a cap."""
    cdef float priors[MAX_ACTIONS]
    cdef float biases[MAX_ACTIONS]
    cdef uint32_t slot = tree_insert(&core.tree, key, n)
    if slot == NO_SLOT:
        return NO_SLOT
    node_policy(core, seat, legal, n, priors, biases)
    write_edges(core, slot, legal, n, priors, biases)
    return slot


cdef void write_edges(Core* core, uint32_t slot, const action_t* legal, int n,
                      const float* priors, const float* biases) noexcept nogil:
    """Fill in the edges of a fresh node."""
    cdef Edge* block = &core.tree.edges[core.tree.nodes[slot].first_edge]
    cdef int i
    for i in range(n):
        block[i].action = legal[i]
        block[i].prior = priors[i]
        block[i].bias = biases[i]
        block[i].regret = <float> (core.config.knob[REGRET_PRIOR] * priors[i])

# ---- One iteration ----

cdef inline int observer(const Core* core) noexcept nogil:
    """Through whose eyes a world is evaluated; -1: with all cards open."""
    return -1 if core.config.knob[EVALUATE_OPEN] else core.seat


cdef inline bint is_quiet(const Core* core) noexcept nogil:
    """Is the current world a good place to evaluate?"""
    return core.rules.quiet == NULL or core.rules.quiet(core.tables, core.world)


cdef inline action_t playout_action(Core* core, int seat, const action_t* legal, int n) noexcept nogil:
    """What a seat plays where no tree tells: at random, by past scores, or by the game's quick choice."""
    cdef action_t action
    if core.config.random_below and rng_next(&core.rng) <= core.config.random_below:
        action = legal[rng_below(&core.rng, <uint32_t> n)]
    elif core.scores != NULL and rng_next(&core.rng) <= core.config.mast_below:
        action = best_scored(core.scores, seat, legal, n)
    else:
        action = rollout_action(core.rules, core.tables, core.world, seat, legal, n, &core.rng)
    if core.scores != NULL:
        note_move(core.scores, seat, action)
    return action


cdef bint rollout(Core* core, double* utilities) noexcept nogil:
    """Play the world on to the end or the cut-off. True: the game was finished, the utilities are its returns."""
    cdef const Rules* rules = core.rules
    cdef const void* tables = core.tables
    cdef void* world = core.world
    cdef action_t legal[MAX_ACTIONS]
    cdef action_t action
    cdef int depth = <int> core.config.knob[ROLLOUT_DEPTH]
    cdef int quiets = <int> core.config.knob[ROLLOUT_QUIETS]
    cdef bint cuts = depth != 0 or quiets != 0
    cdef bint quiet = cuts and is_quiet(core)
    cdef int choices = 0
    cdef int steps = 0
    cdef int seat, n
    cdef uint32_t pending = rules.pending(tables, world)
    while pending:
        if (quiet and choices >= depth and core.quiets >= quiets) or steps > MAX_STEPS:
            rules.evaluate(tables, world, observer(core), utilities)
            return False
        steps += 1
        seat = deciding_seat(core, pending)
        n = rules.legal_actions(tables, world, seat, legal)
        if n == 1:
            action = legal[0]
        else:
            choices += 1
            action = playout_action(core, seat, legal, n)
        rules.advance(tables, world, seat, action, &core.rng, NULL)
        pending = rules.pending(tables, world)
        if cuts and pending:
            quiet = is_quiet(core)
            core.quiets += quiet
    rules.returns(tables, world, utilities)
    return True


cdef void push(Core* core, uint32_t slot, uint32_t edge, int seat) noexcept nogil:
    """Remember a step of the path for the backup."""
    cdef Step* step = &core.path[core.n_path]
    step.slot = slot
    step.edge = edge
    step.seat = <uint8_t> seat
    step.joint = False
    step.counts = counts_now(core, seat)
    core.n_path += 1


cdef void leave_world(Core* core, int seat) noexcept nogil:
    """Another seat decides in a world as it sees it (re-determinisation; Goodman 2019).

    It must not act on what only the root seat knows: from here on the simulation teaches the others' decisions. It says
    nothing of those before, which were made in another world; the root seat's later ones have nodes of their own, for it
    knows this world to be false.
    """
    cdef int i
    core.rules.resample(core.tables, core.world, seat, &core.rng)
    core.switched = seat
    for i in range(core.n_path):
        core.path[i].counts = False


cdef inline bint counts_now(const Core* core, int seat) noexcept nogil:
    """Will the result say something about a decision of this seat, as far as is known now?"""
    if not core.config.knob[REDETERMINISE]:
        return True
    if core.switched < 0:
        return seat == core.seat
    # With `split_private` other seats are told apart by what they held in the world that was left.
    return not core.config.knob[SPLIT_PRIVATE] or seat == core.switched or seat == core.seat


cdef int legal_at_root(const Core* core, action_t* legal) noexcept nogil:
    """The actions that are looked at, at the root, which are the same in all its worlds; how many."""
    memcpy(legal, core.root_actions, core.n_root * sizeof(action_t))
    return core.n_root


cdef bint descend(Core* core, bint may_grow, double* utilities) noexcept nogil:
    """Play the sampled world down the trees to a new node or the end, then out.

    True: the game was finished and the utilities are its returns.
    """
    cdef const Rules* rules = core.rules
    cdef action_t legal[MAX_ACTIONS]
    cdef uint32_t edges[MAX_ACTIONS]
    cdef double leaf[MAX_SEATS]
    cdef uint32_t slot
    cdef uint64_t key
    cdef bint finished
    cdef int choice, i, n, seat
    cdef int steps = 0
    cdef double simple = core.config.knob[SIMPLE_OTHERS]
    cdef double switches = core.config.knob[REDETERMINISE]
    cdef bint count_quiets = core.config.knob[ROLLOUT_QUIETS] != 0
    cdef bint at_root, counted, joint
    cdef uint32_t pending = rules.pending(core.tables, core.world)
    core.quiets = 0
    core.simple = simple >= 1 or (simple > 0 and rng_unit(&core.rng) < simple)
    core.switched = -1
    core.switches = switches > 0 and core.iterations and rng_unit(&core.rng) < switches
    while pending:
        if count_quiets and core.quiets >= core.config.knob[ROLLOUT_QUIETS] and core.config.knob[ROLLOUT_DEPTH] == 0:
            rules.evaluate(core.tables, core.world, observer(core), utilities)
            return False
        seat = deciding_seat(core, pending)
        if core.switches and seat != core.seat and core.switched < 0:
            leave_world(core, seat)
        at_root = core.n_path == 0
        key = core.root_key if at_root else core_node_key(core, seat)
        tree_prefetch(&core.tree, key)
        n = legal_at_root(core, legal) if at_root else rules.legal_actions(core.tables, core.world, seat, legal)
        steps += 1
        if steps > MAX_STEPS:
            break
        if not at_root and (n == 1 or core.simple and seat != core.seat):
            core_act(core, seat, legal[0] if n == 1 else playout_action(core, seat, legal, n), &core.rng)
            pending = rules.pending(core.tables, core.world)
            if count_quiets and pending:
                core.quiets += is_quiet(core)
            continue
        if core.n_path >= core.max_depth:
            break
        slot = tree_find(&core.tree, key)
        if slot == NO_SLOT:
            if may_grow:
                slot = expand(core, key, seat, legal, n)
                if slot != NO_SLOT:
                    push(core, slot, NO_SLOT, seat)
            break
        if not match_edges(core, slot, seat, legal, n, edges):
            break
        # Before a simulation leaves the root seat's world it is not known whether it will.
        counted = counts_now(core, seat) and (not core.switches or core.switched >= 0)
        joint = core.config.knob[JOINT_REGRET] and is_joint(core, pending)
        if not counted and not core.switches and core.config.knob[REDETERMINISE]:
            choice = select_known(core, edges, n)
        elif joint:
            choice = select_joint(core, edges, n)
        else:
            choice = select(core, &core.tree.nodes[slot], edges, n, counted)
        if core.iterations == 0 and core.carried == 0:      # the root: exactly the heuristic's choice, however close the priors are
            choice = best_score(core.root_scores, n)
        push(core, slot, edges[choice], seat)
        core.path[core.n_path - 1].joint = joint
        if core.scores != NULL:
            note_move(core.scores, seat, legal[choice])
        core_act(core, seat, legal[choice], &core.rng)
        pending = rules.pending(core.tables, core.world)
        if count_quiets and pending:
            core.quiets += is_quiet(core)
    if pending == 0:
        rules.returns(core.tables, core.world, utilities)
        return True
    if core.config.knob[EVALUATE_WEIGHT] > 0:
        rules.evaluate(core.tables, core.world, observer(core), leaf)
    finished = rollout(core, utilities)
    if core.config.knob[EVALUATE_WEIGHT] > 0:
        for i in range(core.seats):
            utilities[i] += core.config.knob[EVALUATE_WEIGHT] * (leaf[i] - utilities[i])
        return False
    return finished


cdef void backup(Core* core, const double* utilities) noexcept nogil:
    """Give every node of the path the utility of the seat that decides there."""
    cdef Node* node
    cdef Edge* edge
    cdef double value
    cdef int i
    for i in range(core.n_path):
        if not core.path[i].counts:
            continue
        value = utilities[core.path[i].seat]
        node = &core.tree.nodes[core.path[i].slot]
        node.visits += 1
        node.value_sum += value
        if core.path[i].edge != NO_SLOT:
            edge = &core.tree.edges[core.path[i].edge]
            edge.visits += 1
            edge.value_sum += value
            edge.available = max(edge.available, edge.visits)
            if core.path[i].joint:
                update_regrets(core, &core.path[i], value)


cdef void start_baseline(Core* core) noexcept nogil:
    """What to expect of evaluate in sampled worlds, before the first iteration. It has to earn its weight (slope 0)."""
    cdef double values[BASELINE_WORLDS][MAX_SEATS]
    cdef Baseline* baseline
    cdef int seat, w
    for w in range(BASELINE_WORLDS):
        core_sample_world(core, &core.rng)
        core.rules.evaluate(core.tables, core.world, -1, values[w])
    memset(core.baselines, 0, sizeof(core.baselines))
    for seat in range(core.seats):
        baseline = &core.baselines[seat]
        for w in range(BASELINE_WORLDS):
            baseline.mean += values[w][seat] / BASELINE_WORLDS
        for w in range(BASELINE_WORLDS):
            baseline.spread += (values[w][seat] - baseline.mean) * (values[w][seat] - baseline.mean)


cdef void iterate(Core* core) noexcept nogil:
    """One simulation."""
    cdef double utilities[MAX_SEATS]
    cdef uint32_t root_action
    cdef bint finished
    cdef bint may_grow = tree_reserve(&core.tree, core.hurry)
    core_sample_world(core, &core.rng)
    core.n_path = 0
    if core.scores != NULL:
        core.scores.n = 0
    if core.config.knob[WORLD_BASELINE]:
        core.rules.evaluate(core.tables, core.world, -1, core.outlook)
    finished = descend(core, may_grow, utilities)
    core.depth = max(core.depth, core.n_path)
    core.ended += finished
    if core.scores != NULL:
        score_moves(core.scores, utilities)
    root_action = core.path[0].edge - core.tree.nodes[core.path[0].slot].first_edge
    if core.path[0].counts:
        core.wins[root_action] += win_share(utilities, core.seats, core.seat) if finished else utilities[core.seat]
    if core.config.knob[WORLD_BASELINE]:
        subtract_baseline(core.baselines, core.seats, core.outlook, core.iterations, utilities)
    if core.path[0].counts:
        core.squares[root_action] += utilities[core.seat] * utilities[core.seat]
    backup(core, utilities)
    core.iterations += 1
