# What is left in the supplies: what is neither on boards nor on the map.
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.model cimport Book, Titans

cdef inline int fire_left(const Book* t, const Titans* state) noexcept nogil:
    return t.fire - state.piece[0].fire - state.piece[1].fire - state.piece[2].fire - state.piece[3].fire


cdef inline int tokens_left(const Book* t, const Titans* state, int token, int limit) noexcept nogil:
    """Shields or escape tokens."""
    cdef int left = limit
    cdef int i
    for i in range(V.PIECES):
        left -= (state.piece[i].tokens & token) != 0
    return left


cdef inline int traps_left(const Book* t, const Titans* state, int team) noexcept nogil:
    """Traps and stuns of a team share its tokens (R43); in the free-for-all all tokens are common."""
    cdef int row = t.trap_row[team]
    cdef int left = t.traps
    cdef int i
    for i in range(V.PLACES):
        left -= state.trap[row][i]
    for i in range(V.PIECES):
        if state.piece[i].tokens & V.STUN and state.piece[i].stun_team == row:
            left -= 1
    return left


cdef inline int gifts_left(const Book* t, const Titans* state) noexcept nogil:
    cdef int left = t.gifts
    cdef int team
    for team in range(t.teams):
        left -= state.team[team].gifts + bit_count(state.team[team].delivered)
    return left


cdef inline int clues_left(const Book* t, const Titans* state) noexcept nogil:
    cdef int left = t.clues - bit_count(state.clues)
    cdef int team
    for team in range(t.teams):
        left -= state.team[team].clues
    return left
