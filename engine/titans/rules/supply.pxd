# What is left in the supplies: what is neither on boards nor on the map.
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.titans.rules.model cimport PIECES, PLACES, STUN, Tables, Titans, arena, trap_row

cdef inline int fire_left(const Tables* t, const Titans* h) noexcept nogil:
    return t.fire - h.pc[0].fire - h.pc[1].fire - h.pc[2].fire - h.pc[3].fire


cdef inline int tokens_left(const Tables* t, const Titans* h, int token, int limit) noexcept nogil:
    """Shields or escape tokens."""
    cdef int left = limit
    cdef int i
    for i in range(PIECES):
        left -= (h.pc[i].tok & token) != 0
    return left


cdef inline int traps_left(const Tables* t, const Titans* h, int team) noexcept nogil:
    """Traps and stuns of a team share its tokens (R43); in the free-for-all all tokens are common."""
    cdef int row = trap_row(t, team)
    cdef int left = t.traps
    cdef int i
    for i in range(PLACES):
        left -= h.trap[row][i]
    for i in range(PIECES):
        if h.pc[i].tok & STUN and h.pc[i].stun_team == row:
            left -= 1
    return left


cdef inline int gifts_left(const Tables* t, const Titans* h) noexcept nogil:
    cdef int left = t.gifts
    cdef int team
    for team in range(t.teams):
        left -= h.team[team].gifts + bit_count(h.team[team].delivered)
    return left


cdef inline int clues_left(const Tables* t, const Titans* h) noexcept nogil:
    cdef int left = t.clues - bit_count(h.clues)
    cdef int team
    for team in range(t.teams):
        left -= h.team[team].clues
    return left


cdef inline int stun_supplier(const Tables* t, int piece) noexcept nogil:
    """The team whose token stuns a piece: the opposing one."""
    return 0 if arena(t) else 1 - t.piece_team[piece]
