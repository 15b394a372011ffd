"""Dealing hidden cards back into positions that exclude some of them."""
from seatmate.engine.core.rng cimport shuffle_u8

cdef enum:
    RESTARTS = 16


cdef bint deal_allowed(const uint64_t* allowed, int positions, int pool, int8_t* out, Rng* rng) noexcept nogil:
    """Give every position a different pool card it allows; out[position] = pool index, -1 = not dealt.

    `allowed[p]` is the mask of pool indices position p may hold; positions <= pool <= MAX_POOL. Each
    position in turn takes a uniformly random free card, which is exactly uniform over all assignments
    when later positions allow every card earlier ones do, or none of them; so pass the most constrained
    first. After a dead end it starts again, RESTARTS times, then falls back to a matching, so that it
    fails only when no assignment exists. Returns whether all were dealt.
    """
    cdef int _attempt
    for _attempt in range(RESTARTS):
        if deal_once(allowed, positions, pool, out, rng):
            return True
    return deal_matching(allowed, positions, pool, out, rng)


cdef bint deal_matching(const uint64_t* allowed, int positions, int pool, int8_t* out, Rng* rng) noexcept nogil:
    """A random maximum matching by augmenting paths: complete whenever that is possible, but not uniform."""
    cdef int p, card
    cdef int8_t owner[MAX_POOL]
    cdef uint8_t order[MAX_POOL]
    cdef uint64_t visited
    cdef bint complete = True
    for p in range(positions):
        out[p] = -1
        order[p] = <uint8_t> p
    for card in range(pool):
        owner[card] = -1
    shuffle_u8(order, positions, rng)
    for p in range(positions):
        visited = ~pool_mask(pool)      # masks may have bits beyond the pool
        if not _augment(allowed, order[p], &visited, owner, out, rng):
            complete = False
    return complete


cdef bint _augment(const uint64_t* allowed, int position, uint64_t* visited, int8_t* owner, int8_t* out,
                   Rng* rng) noexcept nogil:
    """Find a card for `position`, moving earlier ones along an augmenting path. Depth at most the pool size."""
    cdef uint64_t choice = allowed[position] & ~visited[0]
    cdef int card
    while choice:
        card = nth_bit(choice, <int> rng_below(rng, <uint32_t> bit_count(choice)))
        visited[0] |= <uint64_t> 1 << card
        if owner[card] < 0 or _augment(allowed, owner[card], visited, owner, out, rng):
            owner[card] = <int8_t> position
            out[position] = <int8_t> card
            return True
        choice = allowed[position] & ~visited[0]
    return False
