from seatmate.ai.search.search import Search

def audit(search: Search) -> dict[str, int]:
    """Check the whole tree; raises AssertionError that says what is broken.

    Returns counts: nodes, edges in use, `moved` blocks' edges that lie idle, and nodes with `partial` availability
    (some edge was not legal in every world that came by).
    """

def age(search: Search, iterations: int) -> None: ...
