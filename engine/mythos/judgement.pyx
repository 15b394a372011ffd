"""What a position is worth: points so far, missions by the power there, and what both sides still have (spec section 11)."""
from libc.math cimport exp, tanh

from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.model cimport (
    MAIN, MISSIONS, PLAIN_RETURN, P_ACTION, P_MISSION, P_MULLIGAN, P_OVER, Q_TURN, ROUND_END, SCORE, S_BEGIN, UPGRADE,
    Character, bit, is_up,
)
from seatmate.engine.mythos.query cimport income, powers
from seatmate.engine.mythos.rules cimport returns

cdef enum:
    FUTURE_BASE = 2         # base points of a mission nobody has seen yet, about
    LEADS = 257             # leads in the table of chances on each side of 0, in tenths: all that come up are whole tenths

cdef float EDGE_POWER = 0.3         # what the Edge is worth on every mission
cdef float SPREAD = 2.5             # power that turns an even mission into a likely one
cdef float LASTING = 0.55           # share of a mission's points that counts for every round to come
cdef float CHANCE[2 * LEADS + 1]

for _lead in range(-LEADS, LEADS + 1):
    CHANCE[_lead + LEADS] = <float> (1.0 / (1.0 + exp(-0.1 * _lead / SPREAD)))


cdef inline float chance(float lead) noexcept nogil:
    """Chance to win a mission with this lead in power."""
    cdef int i = <int> (10 * lead + LEADS + 0.5)
    return CHANCE[0 if i < 0 else 2 * LEADS if i > 2 * LEADS else i]


cdef bint goes_back(const Tables* t, int kind) noexcept nogil:
    """Does the card return to the hand at the end of the round?"""
    cdef int i
    if not t.character[kind].events >> ROUND_END & 1:
        return False
    for i in range(t.character[kind].lines):
        if t.line[t.character[kind].first + i].flags & PLAIN_RETURN:
            return True
    return False


cdef void look(Judge* j, const Tables* t, const Mythos* h) noexcept nogil:
    """Work out the numbers of a position."""
    cdef uint64_t rest
    cdef int m, s, slot
    j.t = t
    j.h = h
    j.back = 0
    powers(t, h, j.power)
    j.rounds_left = MISSIONS - h.round if h.round else MISSIONS - 1
    for s in range(2):
        j.edge[s] = EDGE_POWER if h.edge == s else -EDGE_POWER
        for m in range(h.missions):
            j.now[s][m] = 0
            j.later[s][m] = 0
            rest = h.side[s] & h.at[m]
            while rest:
                slot = lowest_bit(rest)
                rest &= rest - 1
                j.now[s][m] += j.power[slot]
                if is_up(h, slot) and goes_back(t, h.top[slot]):
                    j.back |= bit(slot)
                else:
                    j.later[s][m] += j.power[slot]
    for m in range(h.missions):
        j.single[m] = t.mission[h.mission[m]].points + t.bonus[m]
        j.value[m] = j.single[m] * (1 + LASTING * j.rounds_left)


cdef float lead(const Judge* j, int seat, int mission) noexcept nogil:
    """The lead in power of a seat, the Edge counted in."""
    return j.now[seat][mission] - j.now[1 - seat][mission] + j.edge[seat]


cdef float change(const Judge* j, int seat, int mission, float gained, bint lasting) noexcept nogil:
    """Points the seat can expect from that much more power in a mission; `lasting`: for the rounds to come, too."""
    cdef float d = lead(j, seat, mission)
    return (j.value[mission] if lasting else j.single[mission]) * (chance(d + gained) - chance(d))


cdef void fill_worth(Tables* t) noexcept nogil:
    """What the text of each card brings on average when it is played, in points, for choices that must be cheap."""
    cdef const Character* card
    cdef int kind
    for kind in range(t.characters):
        card = &t.character[kind]
        t.worth[kind] = (0.6 * (card.headings >> MAIN & 1) + 0.2 * (card.headings >> UPGRADE & 1)
                         + 0.4 * (card.headings >> SCORE & 1) + 0.4 * (card.statics & 1))


cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """Estimated utilities. Nothing here depends on a hidden card, so every seat estimates the same."""
    cdef const Tables* t = <const Tables*> tables
    cdef const Mythos* h = <const Mythos*> state
    cdef Judge j
    cdef double e, d
    cdef int m, done
    if h.phase == P_OVER:
        returns(tables, state, out)
        return
    look(&j, t, h)
    e = h.points[0] - h.points[1]
    done = 0                            # missions already evaluated in this round
    if h.phase == P_MISSION:
        done = h.scoring + (h.step != S_BEGIN)
    elif h.phase != P_ACTION and h.phase != P_MULLIGAN:
        done = h.missions
    for m in range(h.missions):
        if m >= done:
            e += (2 * chance(lead(&j, 0, m)) - 1) * j.single[m]
        d = j.later[0][m] - j.later[1][m]
        e += (2 * chance(0.7 * d) - 1) * j.single[m] * 0.6 * j.rounds_left
    d = income(t, h, 0) - income(t, h, 1)
    for m in range(h.missions, MISSIONS):
        e += 0.5 * (FUTURE_BASE + t.bonus[m]) * tanh(d / 6)
    e += 0.35 * (h.hand_n[0] - h.hand_n[1])
    e += 0.25 * (bit_count(h.side[0]) - bit_count(h.side[1])) * j.rounds_left
    if h.phase == P_ACTION:
        e += 0.3 * (h.chakra[0] - h.chakra[1])
    out[0] = 1 / (1 + exp(-e / 6))
    out[1] = 1 - out[0]


cdef bint quiet(const void* tables, const void* state) noexcept nogil:
    """Between turns, nothing that was begun is left."""
    return (<const Mythos*> state).prompt == Q_TURN
