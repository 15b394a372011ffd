"""A search in words. Everything is computed in worlds sampled for the deciding seat, from a stream of its own, so that
looking at a search never changes it.
"""
from libc.math cimport sqrt
from libc.string cimport memcpy, memset

from seatmate.ai.search.ismcts cimport core_act, core_node_key, core_sample_world, deciding_seat, heuristic_action
from seatmate.ai.search.tree cimport NO_SLOT, Edge, Node, tree_find
from seatmate.engine.core.game cimport State, blank_state
from seatmate.engine.core.rng cimport Rng, rng_from_word
from seatmate.engine.core.types cimport MAX_ACTIONS, MAX_FEATURES, MAX_SEATS, action_t, uint32_t

cdef enum:
    WORLDS = 24             # common worlds the reasons and estimates are averaged over
    VARIATION_LENGTH = 8    # actions of a principal variation
    LINE_WORLDS = 24        # worlds that must agree for a step of a principal variation to be more than a "perhaps"
    VARIATION_VISITS = 2    # an answer tried less often is no answer
    OWN_STEPS = 8           # micro-actions with which a seat finishes its move before its features are read
    LATER_STEPS = 12        # decisions of all seats with which what is under way is finished, at most
    REASONS = 3

cdef double SPECIAL = 0.25  # a reason is at least this share of a change that the other actions don't make too
cdef double SURE = 3.0      # standard errors by which two actions must differ in what they lead to


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
            seen = block[j].visits if core.config.step == NULL else block[j].strategy
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


cdef void features_after(Core* core, action_t action, int more, Rng* rng, double* out) noexcept nogil:
    """Play the root seat's action in core.world, let it finish its move by the heuristic, and read its features.

    more: let all go on so, to the next quiet position, but for this many decisions at most.
    """
    cdef uint32_t pending
    cdef int seat = core.seat
    cdef int steps = 0
    core.rules.advance(core.tables, core.world, seat, action, rng, NULL)
    while steps < OWN_STEPS and core.rules.pending(core.tables, core.world) >> seat & 1:
        advance_by_heuristic(core, seat, rng)
        steps += 1
    steps = 0
    while steps < more and (steps == 0 or core.rules.quiet != NULL and not core.rules.quiet(core.tables, core.world)):
        pending = core.rules.pending(core.tables, core.world)
        if pending == 0:
            break
        advance_by_heuristic(core, deciding_seat(core, pending), rng)
        steps += 1
    core.rules.features(core.tables, core.world, seat, out)


cdef void mean_features(Core* core, int index, uint64_t word, int features, double* out) noexcept nogil:
    """Features averaged over the common sampled worlds: at the root (index -1), or after the root's action `index`."""
    cdef double values[MAX_FEATURES]
    cdef Rng rng
    cdef int i, w
    memset(out, 0, features * sizeof(double))
    for w in range(WORLDS):
        sample(core, &rng, word, w)
        if index < 0:
            core.rules.features(core.tables, core.world, core.seat, values)
        else:
            features_after(core, core.root_actions[index], 0, &rng, values)
        for i in range(features):
            out[i] += values[i] / WORLDS


cdef list later_features(Core* core, int index, uint64_t word, int features):
    """Features once what the root's action `index` begins is over: a list for each of the common sampled worlds."""
    cdef double values[MAX_FEATURES]
    cdef Rng rng
    cdef int i, w
    found = []
    for w in range(WORLDS):
        sample(core, &rng, word, w)
        features_after(core, core.root_actions[index], LATER_STEPS, &rng, values)
        found.append([values[i] for i in range(features)])
    return found


cdef list later_texts(Game game, list now, list own, list rival):
    """What an action leads to, and its rival does not; both as from `later_features`."""
    ranked = []
    after = [sum(values) / WORLDS for values in zip(*own)]
    for i, before in enumerate(now):
        gaps = [mine[i] - theirs[i] for mine, theirs in zip(own, rival)]
        gap = sum(gaps) / WORLDS
        error = sqrt(sum([(one - gap) ** 2 for one in gaps]) / (WORLDS * (WORLDS - 1)))
        if abs(gap) > SURE * error and abs(gap) >= SPECIAL * abs(after[i] - before):
            ranked.append((-abs(gap), i))
    return reason_texts(game, ranked, now, after)


cdef list reasons(Core* core, Game game, list indices, int last, uint64_t word):
    """For each of these root actions (best first), in words: the features it changes otherwise than the rest of them do.

    What every action changes alike (time passes, a card is spent) is no reason for or against any of them. Where nothing is left to
    say, what its rival (the best of the others) would change and this one does not ("otherwise: ...", as when one passes); else
    what comes of it when all go on by the heuristic until nothing is under way ("leads to: ..."), and does not come of its rival;
    else what all of these change, but `last` does not, the least of all root actions (-1: it is one of these).
    """
    cdef double before[MAX_FEATURES]
    cdef double after[MAX_FEATURES]
    cdef int features = len(game.spec.features)
    cdef int i, index
    if core.rules.features == NULL or features == 0:
        return [()] * len(indices)
    mean_features(core, -1, word, features, before)
    outcomes = []
    for index in [*indices, last] if last >= 0 else indices:
        mean_features(core, index, word, features, after)
        outcomes.append([after[i] for i in range(features)])
    least = outcomes.pop() if last >= 0 else None
    now = [before[i] for i in range(features)]
    later = None
    found = []
    for index, own in enumerate(outcomes):
        rival = outcomes[1 if index == 0 else 0] if len(outcomes) > 1 else now
        ranked = []
        otherwise = []
        alike = []
        for i in range(features):
            others = [outcome[i] for outcome in outcomes if outcome is not own]
            change = abs(own[i] - now[i])
            special = abs(own[i] - sum(others) / len(others)) if others else change
            if change > 1e-9 and special >= SPECIAL * change:
                ranked.append((-special, i))
            elif change > 1e-9 and least is not None and abs(own[i] - least[i]) >= change / 2:
                alike.append((-change, i))
            elif change <= 1e-9 and abs(own[i] - rival[i]) > 1e-9:
                otherwise.append((-abs(own[i] - rival[i]), i))
        texts = reason_texts(game, ranked, now, own)
        if not texts:
            texts = [f"otherwise: {text}" for text in reason_texts(game, otherwise, now, rival)]
        if not texts and len(outcomes) > 1:
            if later is None:
                later = [later_features(core, i, word, features) for i in indices]
            texts = [f"leads to: {text}" for text in later_texts(game, now, later[index], later[1 if index == 0 else 0])]
        if not texts:
            texts = reason_texts(game, alike, now, own)
        found.append(tuple(texts[:REASONS]))
    return found


cdef list reason_texts(Game game, list ranked, list before, list after):
    """Features in words, those of the smallest rank first; what is too little to be said is left out."""
    texts = [game.feature_text(i, before[i], after[i]) for _, i in sorted(ranked)]
    return [text for text in texts if text]


cdef tuple estimate(Core* core, uint64_t word):
    """(mean, standard error) of evaluate for the root seat over sampled worlds; for searches without simulations."""
    cdef double values[MAX_SEATS]
    cdef double total = 0
    cdef double squares = 0
    cdef double mean
    cdef Rng rng
    cdef int w
    for w in range(WORLDS):
        sample(core, &rng, word, w)
        core.rules.evaluate(core.tables, core.world, -1 if core.config.evaluate_open else core.seat, values)
        total += values[core.seat]
        squares += values[core.seat] * values[core.seat]
    mean = total / WORLDS
    return mean, sqrt(max(0.0, squares / WORLDS - mean * mean) / (WORLDS - 1))
