"""What a search has found at its root, and what it plays."""
from libc.math cimport exp, expm1, fabs, log, sqrt
from libc.string cimport memset

from seatmate.ai.search.core cimport Core, Root
from seatmate.ai.search.ismcts cimport best_score
from seatmate.ai.search.matching cimport draw
from seatmate.ai.search.tree cimport Edge, Node, tree_find
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.types cimport MAX_ACTIONS

from seatmate.ai.search.params import place

# Where the knobs stand that are read here.
cdef int LEAST_SHARE = place("least_share")
cdef int MIXING = place("mixing")
cdef int TIE_ERRORS = place("tie_errors")

cdef double EQUAL = 1e-12           # a variance below it is rounding
cdef double OUTWEIGHED = 3.0        # times `tie_errors`: the bound where the heuristic's own difference is at least as large
cdef double AS_WELL_TRIED = 0.5     # share of the most tried action's visits below which another was found to be worse


cdef const Node* core_root(const Core* core) noexcept nogil:
    """The root's node; there is none when the root is forced."""
    return &core.tree.nodes[tree_find(&core.tree, core.root_key)]


cdef void add_root(const Core* core, Root* root) noexcept nogil:
    """Add what a search knows of its root's actions; `root` begins as zeros."""
    cdef const Edge* block
    cdef int i
    if core.forced:
        return
    block = &core.tree.edges[core_root(core).first_edge]
    root.visits += core_root(core).visits
    root.value_sum += core_root(core).value_sum
    root.carried += core.carried
    root.ended += core.ended
    for i in range(core.n_root):
        root.edges[i].visits += block[i].visits
        root.edges[i].value_sum += block[i].value_sum
        root.edges[i].strategy += block[i].strategy
        root.carried_visits[i] += core.carried_visits[i]
        root.carried_values[i] += core.carried_values[i]
        root.wins[i] += core.wins[i]
        root.squares[i] += core.squares[i]


cdef inline double spread(const Root* root, int i) noexcept nogil:
    """Variance of what this decision's own simulations of a root action brought; it has some."""
    cdef double own = root.edges[i].visits - root.carried_visits[i]
    cdef double mean = (root.edges[i].value_sum - root.carried_values[i]) / own
    return root.squares[i] / own - mean * mean


cdef double standard_error(const Root* root, int i) noexcept nogil:
    """Of the mean of a root action, from the spread of this decision's own simulations; 0.5 below two of them.

    Where all brought the same, other results have with 95 % confidence a share below 1 - 0.05^(1/n) (the rule of three, as
    in ai/arena/statistics.py); that share is taken for the half width of the interval.
    """
    cdef double own = root.edges[i].visits - root.carried_visits[i]
    cdef double variance
    if own < 2:
        return 0.5
    variance = spread(root, i)
    if variance < EQUAL:
        return -expm1(log(0.05) / own) / 1.96
    return sqrt(variance / (<double> root.edges[i].visits - 1))


cdef int root_most(const Core* core, const Root* root) noexcept nogil:
    """Index of the action with most visits (of a mixture: most often played), ties by the heuristic's score, then the lowest."""
    cdef double weights[MAX_ACTIONS]
    cdef int i
    cdef int best = 0
    if core.forced:
        return 0
    if plays_mixed(core) and core.iterations + core.carried <= 1:
        return best_score(core.root_scores, core.n_root)
    root_weights(core, root, weights)
    for i in range(1, core.n_root):
        if weights[i] > weights[best] or (weights[i] == weights[best] and core.root_scores[i] > core.root_scores[best]):
            best = i
    return best


cdef bint root_tied(const Core* core, const Root* root, int i, int most) noexcept nogil:
    """Can this action's value not be told apart from that of root_most: tried half as often at least, and within `tie_errors`?

    Three times that holds where the heuristic, whose scores are utilities, prefers it by at least as much as the values differ.
    """
    cdef const Edge* one = &root.edges[i]
    cdef const Edge* other = &root.edges[most]
    cdef double mine, its, less, bound
    if i == most:
        return True
    if core.config.knob[TIE_ERRORS] == 0 or one.visits == 0 or one.visits < AS_WELL_TRIED * other.visits or plays_mixed(core):
        return False
    mine = standard_error(root, i)
    its = standard_error(root, most)
    less = other.value_sum / other.visits - one.value_sum / one.visits
    bound = core.config.knob[TIE_ERRORS] * sqrt(mine * mine + its * its)
    return less <= bound or (less <= OUTWEIGHED * bound and core.root_scores[i] - core.root_scores[most] >= less)


cdef bint root_alike(const Root* root, int i, int most) noexcept nogil:
    """Have all simulations of this action brought what all of root_most brought: a game that is decided?"""
    cdef const Edge* one = &root.edges[i]
    cdef const Edge* other = &root.edges[most]
    if one.visits < 2 or other.visits < 2 or root.carried_visits[i] + root.carried_visits[most]:
        return False
    return (fabs(one.value_sum / one.visits - other.value_sum / other.visits) < EQUAL
            and spread(root, i) < EQUAL and spread(root, most) < EQUAL)


cdef int root_best(const Core* core, const Root* root) noexcept nogil:
    """Index of the best action: the most visited one, or of those tied with it the one of the highest heuristic score."""
    cdef int most = root_most(core, root)
    cdef int best = most
    cdef int i
    for i in range(core.n_root):
        if core.root_scores[i] > core.root_scores[best] and root_tied(core, root, i, most):
            best = i
    return best


cdef bint root_open(const Core* core, const Root* root, int i) noexcept nogil:
    """Is it open whether this action is worse than root_best: tied, or of a higher value though it was tried less?"""
    cdef int most = root_most(core, root)
    cdef const Edge* one = &root.edges[i]
    cdef const Edge* best = &root.edges[root_best(core, root)]
    if root_tied(core, root, i, most) or root_alike(root, i, most):
        return True
    return one.visits > 0 and best.visits > 0 and one.value_sum / one.visits >= best.value_sum / best.visits


cdef bint plays_mixed(const Core* core) noexcept nogil:
    """Is what the search plays here a mixture rather than one action?"""
    return plays_average(core) or core.config.knob[MIXING] > 0


cdef bint plays_average(const Core* core) noexcept nogil:
    """Is that mixture the average policy of regret matching?"""
    return core.step != NULL or core.joint_root


cdef void weigh_by_worth(const Core* core, const Root* root, double noise, double* weights) noexcept nogil:
    """How willingly each root action is played: as often as it was tried, times exp(-what it is worth less / (mixing + noise))."""
    cdef double scale = core.config.knob[MIXING] + noise
    cdef double best = 0
    cdef int i
    for i in range(core.n_root):
        if root.edges[i].visits:
            best = max(best, root.edges[i].value_sum / root.edges[i].visits)
    for i in range(core.n_root):
        weights[i] = 0
        if root.edges[i].visits:
            weights[i] = root.edges[i].visits * exp((root.edges[i].value_sum / root.edges[i].visits - best) / scale)


cdef void root_weights(const Core* core, const Root* root, double* weights) noexcept nogil:
    """By regret the average policy, with `mixing` what each action is worth, else the visits; they add up to anything."""
    cdef bint average = plays_average(core)
    cdef int i
    if not average and core.config.knob[MIXING] > 0:
        weigh_by_worth(core, root, 0, weights)
        return
    for i in range(core.n_root):
        weights[i] = root.edges[i].strategy if average else root.edges[i].visits


cdef void root_policy(const Core* core, const Root* root, double* shares) noexcept nogil:
    """The probability with which the search plays each root action.

    By regret the average of the policies so far, which is what comes near an equilibrium; with `mixing` by their worth; else the
    best action alone. What has less than `least_share` of the highest share is left out of a mixture.
    """
    cdef double total = 0
    cdef double most = 0
    cdef int i
    if not core.forced and core.iterations + core.carried > 1 and plays_mixed(core):
        root_weights(core, root, shares)
        for i in range(core.n_root):
            most = max(most, shares[i])
        for i in range(core.n_root):
            if shares[i] < core.config.knob[LEAST_SHARE] * most:
                shares[i] = 0
            total += shares[i]
        if total > 0:
            for i in range(core.n_root):
                shares[i] /= total
            return
    memset(shares, 0, core.n_root * sizeof(double))
    shares[root_best(core, root)] = 1


cdef int core_choose(const Core* core, Rng* rng) noexcept nogil:
    """Index of an action to play, drawn from root_policy."""
    cdef double shares[MAX_ACTIONS]
    cdef Root root
    memset(&root, 0, sizeof(Root))
    add_root(core, &root)
    root_policy(core, &root, shares)
    return draw(shares, core.n_root, rng)
