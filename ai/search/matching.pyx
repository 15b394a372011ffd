"""Regret matching: an action is played in proportion to how much better it would have been so far (Hart and Mas-Colell 2000).

For simultaneous choices in the tree of a PUCT search (`joint_regret`), and for the search by regret minimisation.
"""
from seatmate.ai.search.tree cimport NO_SLOT, Edge, Node
from seatmate.engine.core.rng cimport rng_unit
from seatmate.engine.core.types cimport MAX_ACTIONS

cdef double JOINT_EXPLORATION = 0.05    # share of simultaneous choices that are uniformly random


cdef void regret_policy(const Core* core, const uint32_t* edges, int n, double* policy) noexcept nogil:
    """Shares in proportion to the positive regrets; without any, all alike. Edges that found no room get nothing."""
    cdef double total = 0
    cdef int held = 0
    cdef int i
    for i in range(n):
        policy[i] = 0
        if edges[i] != NO_SLOT:
            policy[i] = max(<double> core.tree.edges[edges[i]].regret, 0.0)
            total += policy[i]
            held += 1
    for i in range(n):
        if total > 0:
            policy[i] /= total
        else:
            policy[i] = 1.0 / held if edges[i] != NO_SLOT else 0.0


cdef int draw(const double* policy, int n, Rng* rng) noexcept nogil:
    """An index with the probability its share says."""
    cdef double left = rng_unit(rng)
    cdef int i
    cdef int last = 0
    for i in range(n):
        if policy[i] > 0:
            last = i
            left -= policy[i]
            if left < 0:
                break
    return last


cdef bint is_joint(const Core* core, uint32_t pending) noexcept nogil:
    """Do several seats choose at the same time? Those who have committed already count."""
    if core.rules.asked != NULL:
        pending = core.rules.asked(core.tables, core.world)
    return pending & (pending - 1) != 0


cdef int select_joint(Core* core, const uint32_t* edges, int n) noexcept nogil:
    """A choice by regret matching with exploration (SM-MCTS; Lisy et al. 2013); cumulates the policy it plays."""
    cdef double policy[MAX_ACTIONS]
    cdef int held = 0
    cdef int i
    regret_policy(core, edges, n, policy)
    for i in range(n):
        if edges[i] != NO_SLOT:
            core.tree.edges[edges[i]].strategy += policy[i]
            core.tree.edges[edges[i]].available += 1
            held += 1
    for i in range(n):
        if edges[i] != NO_SLOT:
            policy[i] = (1 - JOINT_EXPLORATION) * policy[i] + JOINT_EXPLORATION / held
    return draw(policy, n, &core.rng)


cdef void update_regrets(Core* core, const Step* step, double utility) noexcept nogil:
    """How much better the other actions have done on average than what was played got now."""
    cdef const Node* node = &core.tree.nodes[step.slot]
    cdef Edge* edge
    cdef uint32_t i
    for i in range(node.first_edge, node.first_edge + node.n_edges):
        edge = &core.tree.edges[i]
        if i != step.edge and edge.visits:
            edge.regret = <float> max(edge.regret + edge.value_sum / edge.visits - utility, 0.0)
