"""What a position is worth: points, boards, missions, hands, and the danger of losing both pieces in one round."""
from libc.math cimport exp

from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.titans.model cimport (
    CYBORG, ELIMINATED, ESCAPE, HAS_PIZZA, KO_NOW, NONE, SHIELD, STUN, S_COMP, S_DRAFT, S_OVER, S_SETASIDE,
    V_ABILITY_AT, V_BOTH_AT, V_BOTH_OPP_BASES, V_CLUES, V_GIFTS_TO, V_MONSTER, V_PIZZA_TO, V_ROLL_STAR, Go, Piece,
    arena, bases_of, bit, icon_places, value_of,
)
from seatmate.engine.titans.rules cimport returns

cdef enum:
    FAR = 9                 # no way


cdef int distance(const Titans* h, int start, uint16_t goal) noexcept nogil:
    """Steps from a place to the nearest of some places, obstacles regarded; FAR if there is no way."""
    cdef uint16_t seen = bit(start)
    cdef uint16_t fresh = seen
    cdef uint16_t around
    cdef int d = 0
    while not seen & goal:
        around = 0
        while fresh:
            around |= h.near[lowest_bit(fresh)]
            fresh &= fresh - 1
        fresh = around & ~seen
        if fresh == 0:
            return FAR
        seen |= fresh
        d += 1
    return d


cdef int nearest(const Titans* h, int team, uint16_t goal) noexcept nogil:
    """The same from the nearer piece of the team."""
    cdef int best = FAR
    cdef int i, d
    for i in range(2 * team, 2 * team + 2):
        if h.pc[i].place != NONE:
            d = distance(h, h.pc[i].place, goal)
            if d < best:
                best = d
    return best


cdef uint16_t open_gifts(const Tables* t, const Titans* h, int team) noexcept nogil:
    """Places that still wait for a gift."""
    cdef int rest = t.go[h.team[team].go].icons & ~h.team[team].delivered
    cdef uint16_t mask = 0
    while rest:
        mask |= icon_places(t, h, lowest_bit(<uint64_t> rest))
        rest &= rest - 1
    return mask


cdef float mission_progress(const Tables* t, const Titans* h, int team) noexcept nogil:
    """How far the team's mission is, 0..1."""
    cdef const Go* go
    cdef int first = 2 * team
    cdef int i, d, total
    cdef float best = 0
    cdef uint16_t goal
    if h.team[team].go == NONE:
        return 0
    go = &t.go[h.team[team].go]
    if go.kind == V_PIZZA_TO:
        for i in range(first, first + 2):
            if h.pc[i].tok & HAS_PIZZA:
                if h.pc[i].place == NONE:
                    return 0.5
                return 0.5 + 0.5 / (1 + distance(h, h.pc[i].place, icon_places(t, h, go.icon)))
        return 0.5 / (1 + nearest(h, team, bit(h.pizza))) if h.pizza != NONE else 0
    if go.kind == V_GIFTS_TO:
        total = bit_count(go.icons)
        goal = open_gifts(t, h, team)
        return (bit_count(h.team[team].delivered) + (0.5 / (1 + nearest(h, team, goal)) if goal else 0)) / total
    if go.kind == V_CLUES:
        total = h.team[team].clues + bit_count(h.clues)
        if total == 0:
            return 0
        return (h.team[team].clues + (0.5 / (1 + nearest(h, team, h.clues)) if h.clues else 0)) / total
    if go.kind == V_MONSTER:
        if h.team[team].mon_place == NONE:
            return 0
        best = <float> h.team[team].mon_dmg / go.number
        if nearest(h, team, bit(h.team[team].mon_place)) <= 1:
            best += 0.15
        return best if best < 1 else 1
    if go.kind == V_BOTH_AT or go.kind == V_BOTH_OPP_BASES:
        d = 0
        goal = icon_places(t, h, go.icon) if go.kind == V_BOTH_AT else bases_of(t, h, 1 - team)
        for i in range(first, first + 2):
            d += distance(h, h.pc[i].place, goal) if h.pc[i].place != NONE else 4
        if go.kind == V_BOTH_OPP_BASES and d == 0:      # both on the same one
            d = 2
        return 1 / (1 + 0.5 * d)
    if go.kind == V_ABILITY_AT:
        return 0.7 / (1 + nearest(h, team, icon_places(t, h, go.icon)))
    if go.kind == V_ROLL_STAR:
        return 0.33
    for i in range(2 - first, 4 - first):
        if h.pc[i].ctype != NONE:
            best = max(best, 0.8 * h.pc[i].dmg / t.board[h.pc[i].ctype].health)
    return best


cdef inline float max(float a, float b) noexcept nogil:
    return a if a > b else b


cdef float standing(const Tables* t, const Titans* h, int team) noexcept nogil:
    """What a team of two has, in points."""
    cdef int first = 2 * team
    cdef int seats = t.seats_of[team]
    cdef int hand = 0
    cdef int traps = 0
    cdef int fallen = 0
    cdef int i, s, left
    cdef float sum = h.team[team].vp
    cdef float threat
    cdef const Piece* p
    for i in range(first, first + 2):
        p = &h.pc[i]
        if p.ctype == NONE:
            continue
        if p.place == NONE:
            sum += 0.25
            fallen += (p.stat & KO_NOW) != 0
            continue
        sum += (0.6 * (1 - <float> p.dmg / t.board[p.ctype].health) - 0.1 * (p.fire if p.fire < 3 else 3)
                - (0.15 if p.tok & STUN else 0) + (0.14 if p.tok & SHIELD else 0) + (0.08 if p.tok & ESCAPE else 0))
    sum += 0.6 * mission_progress(t, h, team)
    for s in range(t.seats):
        if seats >> s & 1:
            hand += bit_count(h.hand[s])
    left = 5 - h.round if h.round < 4 else 1
    sum += 0.12 * (hand if hand < left else left)
    for i in range(2 - first, 4 - first):
        if h.pc[i].place != NONE:
            traps += h.trap[team][h.pc[i].place]
            s = h.near[h.pc[i].place]
            while s:
                traps += h.trap[team][lowest_bit(<uint64_t> s)]
                s &= s - 1
    sum += 0.05 * (traps if traps < 4 else 4)
    for i in range(2):
        if not h.team[team].dice_used >> i & 1 and h.team[team].dice[i] >= 4:
            sum += 0.08
    if fallen == 1:                     # losing the other one, too, loses the game
        p = &h.pc[first] if h.pc[first].place != NONE else &h.pc[first + 1]
        threat = value_of(t, h) + 2 - (t.board[p.ctype].health - p.dmg + (2 if p.tok & SHIELD else 0))
        threat = threat / 4 + 0.5
        left = 0
        for i in range(2 - first, 4 - first):
            if h.pc[i].place != NONE and h.pc[i].acts == 0 and distance(h, h.pc[i].place, bit(p.place)) <= 2:
                left = 1
        if left and threat > 0:
            sum -= 1.5 * (threat if threat < 1 else 1)
    return sum


cdef float arena_standing(const Tables* t, const Titans* h, int seat) noexcept nogil:
    """The same for a piece of the free-for-all that is still in the game."""
    cdef const Piece* p = &h.pc[seat]
    cdef float sum
    if p.ctype == NONE or p.place == NONE:
        return 0
    sum = (1.2 * (1 - <float> p.dmg / t.board[p.ctype].health) - 0.12 * (p.fire if p.fire < 4 else 4)
           + (0.14 if p.tok & SHIELD else 0) + (0.08 if p.tok & ESCAPE else 0) + 0.1 * bit_count(h.hand[seat]))
    if (h.near[p.place] | bit(p.place)) >> h.pc[CYBORG].place & 1:
        sum -= 0.15
    return sum


cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """Estimated utilities. Only sizes of hands count, so every seat estimates the same."""
    cdef const Tables* t = <const Tables*> tables
    cdef const Titans* h = <const Titans*> state
    cdef double e, total
    cdef int s
    if h.step == S_OVER:
        returns(tables, state, out)
        return
    if arena(t):
        total = 0
        for s in range(3):
            out[s] = 0
            if not h.pc[s].stat & ELIMINATED:
                out[s] = exp(2 * arena_standing(t, h, s)) if h.step != S_DRAFT and h.step != S_SETASIDE else 1
            total += out[s]
        for s in range(3):
            out[s] /= total
        return
    e = 0.5
    if h.step not in (S_DRAFT, S_COMP, S_SETASIDE):
        e = 1 / (1 + exp(-1.1 * (standing(t, h, 0) - standing(t, h, 1))))
    for s in range(t.seats):
        out[s] = e if t.team_of[s] == 0 else 1 - e


cdef bint quiet(const void* tables, const void* state) noexcept nogil:
    """Between two turns nothing is half done."""
    cdef const Titans* h = <const Titans*> state
    return h.depth == 0 and h.active == NONE
