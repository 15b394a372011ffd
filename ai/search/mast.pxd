# What moves have scored so far, by seat and action, to steer rollouts (MAST; Finnsson and Bjoernsson 2008).
from seatmate.engine.core.types cimport MAX_SEATS, action_t, uint16_t, uint32_t

cdef enum:
    SCORED = 1024           # places for the scores of a seat's actions
    MAX_SCORED = 1024       # moves of one iteration that are scored


cdef struct Scores:
    double sums[MAX_SEATS][SCORED]
    double counts[MAX_SEATS][SCORED]
    int n                   # moves of this iteration
    uint16_t moves[MAX_SCORED]      # seat * SCORED + place


cdef inline int scored_place(int seat, action_t action) noexcept nogil:
    """Where the scores of an action are; different actions rarely share a place."""
    return seat * SCORED + <int> (<uint32_t> action * <uint32_t> 0x9E3779B1 >> 22)


cdef inline void note_move(Scores* scores, int seat, action_t action) noexcept nogil:
    """Remember a move for `score_moves`."""
    if scores.n < MAX_SCORED:
        scores.moves[scores.n] = <uint16_t> scored_place(seat, action)
        scores.n += 1


cdef inline void score_moves(Scores* scores, const double* utilities) noexcept nogil:
    """Give every move of the iteration its seat's utility."""
    cdef double* sums = &scores.sums[0][0]
    cdef double* counts = &scores.counts[0][0]
    cdef int i, place
    for i in range(scores.n):
        place = scores.moves[i]
        sums[place] += utilities[place // SCORED]
        counts[place] += 1


cdef inline action_t best_scored(Scores* scores, int seat, const action_t* legal, int n) noexcept nogil:
    """The action that has scored best so far; untried ones come first."""
    cdef const double* sums = &scores.sums[0][0]
    cdef const double* counts = &scores.counts[0][0]
    cdef double value
    cdef double best = -1
    cdef int i, place
    cdef int choice = 0
    for i in range(n):
        place = scored_place(seat, legal[i])
        value = sums[place] / counts[place] if counts[place] else 2.0
        if value > best:
            best = value
            choice = i
    return legal[choice]
