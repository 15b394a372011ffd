# The statistics of all seats' trees in one place: a hash table of nodes and an arena of edges.
#
# A node is an information state of the seat that decides there, found by its 64-bit key alone. Its
# edges lie in one contiguous block of the arena, ascending by action. Slots move when the table grows,
# which happens only between iterations (tree_reserve); blocks move when a node meets a new action.
from seatmate.engine.core.types cimport action_t, uint16_t, uint32_t, uint64_t

cdef enum:
    NO_SLOT = 0xFFFFFFFF    # "there is no such node / edge"
    EDGES_PER_NODE = 8      # the cap on edges follows from the cap on nodes


cdef struct Edge:
    action_t action
    float prior             # share of the heuristic policy when the edge was made
    uint32_t visits
    uint32_t available      # visits of the node in worlds where the action was legal
    double value_sum        # of the deciding seat's utility
    float bias              # heuristic score above the average of the node's policy, in utility
    float regret            # regret matching: cumulated, never below 0
    double strategy         # regret matching: weighted sum of the policies played


cdef struct Node:
    uint64_t key            # 0: a free slot
    double value_sum        # of the deciding seat's utility, over all visits
    uint32_t visits         # the visit that made the node included
    uint32_t first_edge
    uint16_t n_edges
    uint16_t block          # edges the block has room for


cdef struct Tree:
    Node* nodes
    uint32_t slots          # a power of two, at least twice the nodes
    int shift               # 64 - log2(slots): the home slot is the key's leading bits, so growth keeps the order
    uint32_t n_nodes
    uint32_t max_nodes
    Edge* edges
    uint32_t n_edges        # arena in use, outgrown blocks included
    uint32_t edge_room      # arena allocated
    uint32_t max_edges


cdef extern from *:
    void __builtin_prefetch(const void*) noexcept nogil


cdef inline uint32_t slot_of(const Tree* tree, uint64_t key) noexcept nogil:
    """The slot where the probe for a key starts."""
    return <uint32_t> (key >> tree.shift)


cdef inline void tree_prefetch(const Tree* tree, uint64_t key) noexcept nogil:
    """Start loading the node of a key while the caller still computes its legal actions."""
    __builtin_prefetch(&tree.nodes[slot_of(tree, key)])


cdef inline uint32_t tree_find(const Tree* tree, uint64_t key) noexcept nogil:
    """The slot of a key's node, or NO_SLOT."""
    cdef uint32_t slot = slot_of(tree, key)
    while tree.nodes[slot].key != key:
        if tree.nodes[slot].key == 0:
            return NO_SLOT
        slot = (slot + 1) & (tree.slots - 1)
    return slot


cdef bint tree_init(Tree* tree, uint32_t max_nodes) noexcept nogil
cdef void tree_free(Tree* tree) noexcept nogil
cdef bint tree_clear(Tree* tree, uint32_t max_nodes) noexcept nogil
cdef void tree_cap(Tree* tree, uint32_t max_nodes) noexcept nogil
cdef bint tree_reserve(Tree* tree, bint hurry) noexcept nogil
cdef uint32_t tree_insert(Tree* tree, uint64_t key, int n) noexcept nogil
cdef bint tree_widen(Tree* tree, uint32_t slot, int n) noexcept nogil
cdef size_t tree_bytes(const Tree* tree) noexcept nogil
