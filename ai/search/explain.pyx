"""A search in words. Everything is computed in worlds sampled for the deciding seat, from a stream of its own, so that
looking at a search never changes it.
"""
from libc.math cimport sqrt
from libc.string cimport memcpy

from seatmate.ai.search.ismcts cimport core_act, core_node_key, core_sample_world, deciding_seat, heuristic_action
from seatmate.ai.search.tree cimport NO_SLOT, Edge, Node, tree_find
from seatmate.engine.core.game cimport State, blank_state
from seatmate.engine.core.rng cimport Rng, rng_from_word
from seatmate.engine.core.types cimport MAX_ACTIONS, MAX_FEATURES, MAX_SEATS, action_t, uint32_t

from seatmate.ai.search.params import place

# Where the knobs stand that are read here.
cdef int EVALUATE_OPEN = place("evaluate_open")

cdef enum:
    ESTIMATE_WORLDS = 24    # common worlds an estimate is averaged over
    VARIATION_LENGTH = 8    # actions of a principal variation
    LINE_WORLDS = 24        # worlds that must agree for a step of a principal variation to be more than a "perhaps"
    VARIATION_VISITS = 2    # an answer tried less often is no answer
    OWN_STEPS = 8           # decisions with which a seat finishes its move before its features are read
    LATER_STEPS = 12        # decisions of all seats with which what is under way is finished, at most


cdef void sample(Core* core, Rng* rng, uint64_t word, int world) noexcept nogil:
    """The world of this number; the same for every candidate."""
    rng_from_word(rng, word + <uint64_t> world * <uint64_t> 0xD1B54A32D192ED03)
    core.switched = -1      # the last simulation may have left the root seat's worlds
    core_sample_world(core, rng)


cdef int likeliest(const Core* core, int seat, const action_t* legal, int n) noexcept nogil:
    """Index of the legal action most visited (by regret: most often played) at the current world's node; -1: seen too rarely."""
    cdef uint32_t slot = tree_find(&core.tree, core_node_key(<Core*> core, seat))
    cdef const Node* node
    cdef const Edge* block
    cdef double most = VARIATION_VISITS - 1
    cdef double seen
    cdef int i
    cdef int j = 0
    cdef int best = -1
    if slot == NO_SLOT:
        return -1
    node = &core.tree.nodes[slot]
    block = &core.tree.edges[node.first_edge]
    for i in range(n):
        while j < node.n_edges and block[j].action < legal[i]:
            j += 1
        if j < node.n_edges and block[j].action == legal[i]:
            seen = block[j].visits if core.step == NULL else block[j].strategy
            if seen > most:
                most = seen
                best = i
    return best


cdef int next_choice(Core* core, action_t* legal, int* n, Rng* rng, bint observed) noexcept nogil:
    """Play what has no alternative in core.world; the seat that then chooses among the n legal actions, -1 at the end."""
    cdef uint32_t pending
    cdef int seat
    while True:
        pending = core.rules.pending(core.tables, core.world)
        if pending == 0:
            return -1
        seat = deciding_seat(core, pending)
        n[0] = core.rules.legal_actions(core.tables, core.world, seat, legal)
        if n[0] > 1:
            return seat
        if observed:
            core_act(core, seat, legal[0], rng)
        else:
            core.rules.advance(core.tables, core.world, seat, legal[0], rng, NULL)


cdef str step_label(Core* core, Game game, State shown, int seat, action_t action):
    """A seat's action in core.world, in words; None where it isn't legal."""
    cdef action_t legal[MAX_ACTIONS]
    cdef int n = core.rules.legal_actions(core.tables, core.world, seat, legal)
    cdef int i
    for i in range(n):
        if legal[i] == action:
            memcpy(shown.data, core.world, core.rules.state_size)
            return game.action_label(shown, seat, action)
    return None


cdef class OtherWorld:
    """A second world in which a line is followed, to see what of it the root seat can know."""

    cdef State state
    cdef Rng rng

    cdef bint follow(self, Core* core, Game game, State shown, int seat, action_t action, str label):
        """Play the action here too; False if the seat isn't asked, can't do that, or it has another name. Uses core.world."""
        cdef action_t legal[MAX_ACTIONS]
        cdef int n = 0
        memcpy(core.world, self.state.data, core.rules.state_size)
        if next_choice(core, legal, &n, &self.rng, False) != seat or step_label(core, game, shown, seat, action) != label:
            return False
        core.rules.advance(core.tables, core.world, seat, action, &self.rng, NULL)
        memcpy(self.state.data, core.world, core.rules.state_size)
        return True


cdef list other_worlds(Core* core, Game game, uint64_t word):
    """Worlds beside the first of this word."""
    cdef OtherWorld world
    cdef int w
    found = []
    for w in range(1, LINE_WORLDS):
        world = OtherWorld()
        sample(core, &world.rng, word, w)
        world.state = blank_state(game, False)
        memcpy(world.state.data, core.world, core.rules.state_size)
        found.append(world)
    return found


cdef tuple principal_variation(Core* core, Game game, int index, uint64_t word):
    """The root's action `index` and the most visited answers in one sampled world, until chance leaves the tree.

    From the first step on that is not possible, or has another name, in one of some other sampled worlds, all are a "perhaps":
    what they name may be a card nobody has shown.
    """
    cdef State shown = blank_state(game, False)
    cdef State kept = blank_state(game, False)
    cdef OtherWorld world
    cdef action_t legal[MAX_ACTIONS]
    cdef action_t action = core.root_actions[index]
    cdef Rng rng
    cdef int choice
    cdef int n = 0
    cdef int seat = core.seat
    labels = []
    worlds = other_worlds(core, game, word)
    certain = True
    sample(core, &rng, word, 0)
    while True:
        label = step_label(core, game, shown, seat, action)
        if certain:
            memcpy(kept.data, core.world, core.rules.state_size)
            for world in worlds:
                certain = world.follow(core, game, shown, seat, action, label) and certain
            memcpy(core.world, kept.data, core.rules.state_size)
        told = label if seat == core.seat else f"Seat {seat}: {label}"
        labels.append(told if certain else f"perhaps {told}")
        if len(labels) >= VARIATION_LENGTH:
            break
        core_act(core, seat, action, &rng)
        seat = next_choice(core, legal, &n, &rng, True)
        choice = likeliest(core, seat, legal, n) if seat >= 0 else -1
        if choice < 0:
            break
        action = legal[choice]
    return tuple(labels)


cdef void advance_by_heuristic(Core* core, int seat, Rng* rng) noexcept nogil:
    """Play the heuristic's answer of a pending seat in core.world."""
    cdef action_t legal[MAX_ACTIONS]
    cdef int n = core.rules.legal_actions(core.tables, core.world, seat, legal)
    cdef action_t action = heuristic_action(core.rules, core.tables, core.world, seat, legal, n)
    core.rules.advance(core.tables, core.world, seat, action, rng, NULL)


cdef bint in_own_move(const Core* core, uint64_t opening) noexcept nogil:
    """Is the root seat asked something that belongs to its running turn? opening: mask of the prompts a turn begins with."""
    return (core.rules.pending(core.tables, core.world) >> core.seat & 1
            and not opening >> core.rules.prompt(core.tables, core.world, core.seat) & 1)


cdef void finish_move(Core* core, action_t action, uint64_t opening, Rng* rng) noexcept nogil:
    """Play the root seat's action in core.world and, by the heuristic, what it does then in the same turn."""
    cdef int steps = 0
    core.rules.advance(core.tables, core.world, core.seat, action, rng, NULL)
    while steps < OWN_STEPS and in_own_move(core, opening):
        advance_by_heuristic(core, core.seat, rng)
        steps += 1


cdef bint at_rest(const Core* core, uint32_t pending) noexcept nogil:
    """Is nothing under way in core.world? Without `quiet`: is the root seat asked again?"""
    if core.rules.quiet == NULL:
        return pending >> core.seat & 1
    return core.rules.quiet(core.tables, core.world)


cdef void play_out(Core* core, Rng* rng) noexcept nogil:
    """Let all seats go on by the heuristic until nothing is under way (without `quiet` until the root seat is asked again)."""
    cdef uint32_t pending
    cdef int steps = 0
    while steps < LATER_STEPS:
        pending = core.rules.pending(core.tables, core.world)
        if pending == 0 or (steps and at_rest(core, pending)):
            break
        advance_by_heuristic(core, deciding_seat(core, pending), rng)
        steps += 1


cdef list read_features(Core* core):
    """The game's features for the root seat in core.world, then what evaluate says of it."""
    cdef double values[MAX_FEATURES]
    cdef double utilities[MAX_SEATS]
    cdef int n = 0
    cdef int i
    if core.rules.features != NULL:
        n = core.rules.features(core.tables, core.world, core.seat, values)
    core.rules.evaluate(core.tables, core.world, -1 if core.config.knob[EVALUATE_OPEN] else core.seat, utilities)
    return [*[values[i] for i in range(n)], utilities[core.seat]]


cdef tuple outcomes(Core* core, int index, uint64_t opening, uint64_t word, int worlds):
    """The features in so many sampled worlds, the same for every action: (after the seat's move, once all it began is over)."""
    cdef Rng rng
    cdef int w
    own = []
    later = []
    for w in range(worlds):
        sample(core, &rng, word, w)
        finish_move(core, core.root_actions[index], opening, &rng)
        own.append(read_features(core))
        play_out(core, &rng)
        later.append(read_features(core))
    return own, later


cdef tuple estimate(Core* core, uint64_t word):
    """(mean, standard error) of evaluate for the root seat over sampled worlds; for searches without simulations."""
    cdef double values[MAX_SEATS]
    cdef double total = 0
    cdef double squares = 0
    cdef double mean
    cdef Rng rng
    cdef int w
    for w in range(ESTIMATE_WORLDS):
        sample(core, &rng, word, w)
        core.rules.evaluate(core.tables, core.world, -1 if core.config.knob[EVALUATE_OPEN] else core.seat, values)
        total += values[core.seat]
        squares += values[core.seat] * values[core.seat]
    mean = total / ESTIMATE_WORLDS
    return mean, sqrt(max(0.0, squares / ESTIMATE_WORLDS - mean * mean) / (ESTIMATE_WORLDS - 1))
