"""Audit of a search tree: every invariant of tree.pxd and of the backup, checked from outside the loop."""
from seatmate.ai.search.search cimport Search
from seatmate.ai.search.tree cimport Edge, Node, Tree, tree_find
from seatmate.engine.core.types cimport uint32_t


def audit(Search search not None) -> dict[str, int]:
    """Check the whole tree; raises AssertionError that says what is broken.

    Returns counts: nodes, edges in use, `moved` blocks' edges that lie idle, and nodes with `partial` availability
    (some edge was not legal in every world that came by).
    """
    cdef const Tree* tree = &search.core.tree
    cdef const Node* node
    cdef const Edge* edge
    cdef uint32_t slot
    cdef int i
    blocks = []
    edges = partial = 0
    # By regret, or where simulations leave the root seat's world, not everything that comes by is counted.
    whole = search.core.step == NULL and not search.params.redeterminise
    followed = search.decisions > 0
    for slot in range(tree.slots):
        node = &tree.nodes[slot]
        if node.key == 0:
            continue
        root = node.key == search.core.root_key and not search.core.forced
        blocks.append((node.first_edge, node.block))
        edges += node.n_edges
        assert tree_find(tree, node.key) == slot, "a node is not found by its key"
        assert (1 if root else 2) <= node.n_edges <= node.block, "a node has no choice or overflows its block"
        visits = 0
        values = 0.0
        least = node.visits
        luck = 1e-9 + (node.visits if search.params.world_baseline else 0)      # a baseline may leave 0..1
        for i in range(node.n_edges):
            edge = &tree.edges[node.first_edge + i]
            assert i == 0 or edge.action > tree.edges[node.first_edge + i - 1].action, "edges are not ascending"
            assert edge.visits <= edge.available <= node.visits or not whole, "an edge was visited more often than available"
            assert 0 <= edge.prior <= 1, "a prior is no share"
            if search.core.step == NULL:       # by regret a sampled action is worth an estimate
                assert -luck <= edge.value_sum <= edge.visits + luck, "utilities outside 0..1"
            visits += edge.visits
            values += edge.value_sum
            least = min(least, edge.available)
        # The iteration that makes a node ends there, unless it is the root of a decision.
        made = whole and (node.visits > visits if followed else not root)
        visits += made
        partial += least < node.visits - made
        assert visits == node.visits or (not whole and visits + 1 == node.visits), "visits got lost between a node and its edges"
        assert values - 1 - 1e-6 <= node.value_sum <= values + 2 + 1e-6, "utilities got lost between a node and its edges"
        begun = search.core.iterations + search.core.carried
        assert not root or not whole or visits == begun, "an iteration did not start at the root"
    assert len(blocks) == tree.n_nodes, "the count of nodes is wrong"
    end = held = 0
    for first, block in sorted(blocks):
        assert first >= end, "two nodes share edges"
        end = first + block
        held += block
    assert end <= tree.n_edges <= tree.edge_room, "a block lies outside the arena"
    return {"nodes": len(blocks), "edges": edges, "moved": tree.n_edges - held, "partial": partial}


def age(Search search not None, iterations) -> None:
    """Let every thread count as many simulations as if it had done them; for tests of what no test has the time for."""
    cdef int i
    for i in range(search.threads):
        search.counted[i] += iterations - search.cores[i].iterations
        search.cores[i].iterations = iterations
