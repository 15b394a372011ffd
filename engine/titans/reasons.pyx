"""The numbers behind the reasons of a hint, in the order of words.FEATURES, which turns their changes into words.

Each is scaled so that a change of 1 matters about equally: reasons are ranked by it.
"""
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.titans.judgement cimport mission_progress
from seatmate.engine.titans.model cimport CYBORG, STUN, SHIELD, ESCAPE, Tables, Titans, arena, bit

from seatmate.engine.titans import words

cdef double POINT = words.POINT
cdef double DAMAGE = words.DAMAGE
cdef double FIRE = words.FIRE
cdef double MARK = words.MARK
cdef double MISSION = words.MISSION
cdef double CARD = words.CARD


cdef int features(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef const Titans* h = <const Titans*> state
    cdef int team = t.team_of[seat]
    cdef int i, other, at
    for i in range(14):
        out[i] = 0
    for i in range(t.pieces):
        other = t.piece_team[i] != team
        at = 1 if other else 0
        if h.pc[i].place == 255:
            out[2 + at] += DAMAGE * (t.board[h.pc[i].ctype].health if h.pc[i].ctype < 4 else 0)
        out[2 + at] += DAMAGE * h.pc[i].dmg
        out[4 + at] += FIRE * h.pc[i].fire
        out[6 + at] += MARK * ((h.pc[i].tok & STUN) != 0)
        if not other:
            out[8] += MARK * ((h.pc[i].tok & SHIELD) != 0)
            out[9] += MARK * ((h.pc[i].tok & ESCAPE) != 0)
            if arena(t) and h.pc[i].place != 255 and (h.near[h.pc[i].place] | bit(h.pc[i].place)) >> h.pc[CYBORG].place & 1:
                out[13] = MARK
    for i in range(t.teams):
        if not arena(t):
            out[1 if i != team else 0] += POINT * h.team[i].vp
            out[11 if i != team else 10] += MISSION * mission_progress(t, h, i)
    out[12] = CARD * bit_count(h.hand[seat])
    return 14
