"""Memory of the search trees: allocation, growth and caps. The hot look-ups are inline in tree.pxd."""
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from seatmate.engine.core.types cimport MAX_ACTIONS

cdef enum:
    FIRST_BITS = 10
    FIRST_SLOTS = 1024
    SLOW_SLOTS = 65536      # growing a table of this size takes milliseconds
    FIRST_EDGES = 4096


cdef bint tree_init(Tree* tree, uint32_t max_nodes) noexcept nogil:
    """An empty tree that never holds more than `max_nodes` nodes. False: out of memory, nothing is held."""
    memset(tree, 0, sizeof(Tree))
    return tree_clear(tree, max_nodes)


cdef void tree_free(Tree* tree) noexcept nogil:
    """Give all memory back."""
    free(tree.nodes)
    free(tree.edges)
    memset(tree, 0, sizeof(Tree))


cdef bint tree_clear(Tree* tree, uint32_t max_nodes) noexcept nogil:
    """Forget all nodes and set the cap. False: out of memory, nothing is held."""
    if tree.slots != FIRST_SLOTS:
        free(tree.nodes)
        tree.nodes = <Node*> calloc(FIRST_SLOTS, sizeof(Node))
        tree.slots = FIRST_SLOTS
        tree.shift = 64 - FIRST_BITS
    elif tree.n_nodes:
        memset(tree.nodes, 0, FIRST_SLOTS * sizeof(Node))
    if tree.edges == NULL:
        tree.edges = <Edge*> malloc(FIRST_EDGES * sizeof(Edge))
        tree.edge_room = FIRST_EDGES
    tree.n_nodes = 0
    tree.n_edges = 0
    if tree.nodes == NULL or tree.edges == NULL:
        tree_free(tree)
        return False
    tree_cap(tree, max_nodes)
    return True


cdef void tree_cap(Tree* tree, uint32_t max_nodes) noexcept nogil:
    """Set the cap on nodes, and with it the one on edges. A tree above it stays as it is and grows no more."""
    tree.max_nodes = max_nodes
    tree.max_edges = max_nodes * EDGES_PER_NODE + MAX_ACTIONS   # always room for a root


cdef bint tree_reserve(Tree* tree, bint hurry) noexcept nogil:
    """Make room for one more node; slots may move. False: the cap is reached (or the memory is), or there is no time
    to move a big table now."""
    cdef Node* old = tree.nodes
    cdef Node* bigger
    cdef uint32_t old_slots = tree.slots
    cdef uint32_t i, slot
    if tree.n_nodes >= tree.max_nodes:
        return False
    if 2 * (tree.n_nodes + 1) <= tree.slots:
        return True
    if hurry and old_slots >= SLOW_SLOTS:
        return False
    bigger = <Node*> calloc(2 * <size_t> old_slots, sizeof(Node))
    if bigger == NULL:
        return False
    tree.nodes = bigger
    tree.slots = 2 * old_slots
    tree.shift -= 1
    for i in range(old_slots):
        if old[i].key:
            slot = slot_of(tree, old[i].key)
            while bigger[slot].key:
                slot = (slot + 1) & (tree.slots - 1)
            bigger[slot] = old[i]
    free(old)
    return True


cdef uint32_t take_block(Tree* tree, int n) noexcept nogil:
    """The first edge of a fresh, uninitialised block of n edges, or NO_SLOT at the cap."""
    cdef uint32_t first = tree.n_edges
    cdef uint32_t room
    cdef Edge* bigger
    if first + n > tree.max_edges:
        return NO_SLOT
    if first + n > tree.edge_room:
        room = min(2 * tree.edge_room, tree.max_edges)
        bigger = <Edge*> realloc(tree.edges, room * sizeof(Edge))
        if bigger == NULL:
            return NO_SLOT
        tree.edges = bigger
        tree.edge_room = room
    tree.n_edges += n
    return first


cdef uint32_t tree_insert(Tree* tree, uint64_t key, int n) noexcept nogil:
    """A node with n zeroed edges for a key that is not in the tree; call after tree_reserve said yes.

    The caller fills in the edges' actions and priors. NO_SLOT: the cap on edges is reached.
    """
    cdef uint32_t first = take_block(tree, n)
    cdef uint32_t slot
    cdef Node* node
    if first == NO_SLOT:
        return NO_SLOT
    memset(&tree.edges[first], 0, n * sizeof(Edge))
    slot = slot_of(tree, key)
    while tree.nodes[slot].key:
        slot = (slot + 1) & (tree.slots - 1)
    node = &tree.nodes[slot]
    node.key = key
    node.value_sum = 0
    node.visits = 0
    node.first_edge = first
    node.n_edges = <uint16_t> n
    node.block = <uint16_t> n
    tree.n_nodes += 1
    return slot


cdef bint tree_widen(Tree* tree, uint32_t slot, int n) noexcept nogil:
    """Give a node's block room for n edges; the block may move. False: the cap on edges is reached."""
    cdef Node* node = &tree.nodes[slot]
    cdef uint32_t first
    cdef int block
    if n <= node.block:
        return True
    block = n + n // 2
    first = take_block(tree, block)
    if first == NO_SLOT:
        return False
    memcpy(&tree.edges[first], &tree.edges[node.first_edge], node.n_edges * sizeof(Edge))
    node.first_edge = first
    node.block = <uint16_t> block
    return True


cdef size_t tree_bytes(const Tree* tree) noexcept nogil:
    """Memory held, in bytes."""
    return tree.slots * sizeof(Node) + tree.edge_room * sizeof(Edge)
