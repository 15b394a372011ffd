"""What a position is worth: points, boards, missions, hands, and the danger of losing both pieces in one round."""
from libc.math cimport exp
from libc.string cimport memset

from seatmate.engine.core.game cimport State
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.titans.content.vocabulary cimport (
    V_ABILITY_AT, V_BOTH_AT, V_BOTH_OPP_BASES, V_CLUES, V_GIFTS_TO, V_MONSTER, V_PIZZA_TO, V_ROLL_STAR,
)
from seatmate.engine.titans.rules.model cimport (
    ELIMINATED, HAS_PIZZA, KO_NOW, NONE, SHIELD, S_DIE, S_OVER, Go, Piece, arena, bases_of, bit, endurance, icon_places,
    in_setup, returns, value_of,
)

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


cdef enum:
    TERMS = 12
    ARENA_TERMS = 5

TERM_NAMES = ("points", "points squared", "health", "fire", "shields", "fallen", "mission", "hand", "good dice", "danger", "to act",
              "weak")
ARENA_NAMES = ("health", "fire", "hand", "to act", "weak")

# What the terms are worth in log-odds, by a regression on games of the heuristic (benches/fit_titans.py; ai/search/TUNING.md):
# in round 1, and more from there to round 6.
cdef float[TERMS] WORTH = [0.718, 0.416, 0.323, -0.548, 0.118, 0.478, 0.433, 0.091, 0.135, -1.636, 0.209, -0.286]
cdef float[TERMS] LATER = [0.088, 0.368, 0.739, 0.162, 0.043, 1.302, 1.147, 0.048, 0.072, 0.375, 0.541, -0.095]
cdef float[ARENA_TERMS] ARENA_WORTH = [3.295, -1.009, 0.409, 0.547, -0.212]


cdef inline float lateness(const Titans* h) noexcept nogil:
    """0 in round 1 to 1 from round 6 on."""
    return 0.2 * ((h.round if h.round < 6 else 6) - 1 if h.round else 0)


cdef inline bint is_weak(const Tables* t, const Piece* p) noexcept nogil:
    """One strike away from a KO."""
    return endurance(t, p) <= 3


cdef void team_terms(const Tables* t, const Titans* h, int team, float* out) noexcept nogil:
    """What a team of two has, in the units of TERM_NAMES."""
    cdef int first = 2 * team
    cdef int hand = 0
    cdef int fallen = 0
    cdef int i, left
    cdef float threat
    cdef const Piece* p
    memset(out, 0, TERMS * sizeof(float))
    out[0] = h.team[team].vp
    out[1] = <float> h.team[team].vp * h.team[team].vp / t.points
    for i in range(first, first + 2):
        p = &h.pc[i]
        if p.ctype == NONE:
            continue
        if p.place == NONE:
            fallen += (p.stat & KO_NOW) != 0
            out[5] += 1
            continue
        out[2] += 1 - <float> p.dmg / t.board[p.ctype].health
        out[3] += p.fire if p.fire < 3 else 3
        out[4] += (p.tok & SHIELD) != 0
        out[10] += p.acts == 0
        out[11] += is_weak(t, p)
    out[6] = mission_progress(t, h, team)
    for i in range(t.seats):
        if t.seats_of[team] >> i & 1:
            hand += bit_count(h.hand[i])
    left = 5 - h.round if h.round < 4 else 1
    out[7] = hand if hand < left else left          # about one a round can be played
    for i in range(2):
        out[8] += not h.team[team].dice_used >> i & 1 and h.team[team].dice[i] >= 4
    if fallen == 1:                     # losing the other one, too, loses the game
        p = &h.pc[first] if h.pc[first].place != NONE else &h.pc[first + 1]
        threat = value_of(t, h) + 2 - endurance(t, p)
        threat = threat / 4 + 0.5
        left = 0
        for i in range(2 - first, 4 - first):
            if h.pc[i].place != NONE and h.pc[i].acts == 0 and distance(h, h.pc[i].place, bit(p.place)) <= 2:
                left = 1
        if left and threat > 0:
            out[9] = threat if threat < 1 else 1


cdef void arena_terms(const Tables* t, const Titans* h, int seat, float* out) noexcept nogil:
    """The same of a piece of the free-for-all, in the units of ARENA_NAMES; all 0 off the map."""
    cdef const Piece* p = &h.pc[seat]
    memset(out, 0, ARENA_TERMS * sizeof(float))
    if p.ctype == NONE or p.place == NONE:
        return
    out[0] = 1 - <float> p.dmg / t.board[p.ctype].health
    out[1] = p.fire if p.fire < 4 else 4
    out[2] = bit_count(h.hand[seat])
    out[3] = p.acts == 0
    out[4] = is_weak(t, p)


cdef float standing(const Tables* t, const Titans* h, int side) noexcept nogil:
    """Log-odds of a team, or of a seat of the free-for-all."""
    cdef float[TERMS] out
    cdef float sum = 0
    cdef float share = lateness(h)
    cdef int i
    if arena(t):
        arena_terms(t, h, side, out)
        for i in range(ARENA_TERMS):
            sum += ARENA_WORTH[i] * out[i]
        return sum
    team_terms(t, h, side, out)
    for i in range(TERMS):
        sum += (WORTH[i] + share * LATER[i]) * out[i]
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
                out[s] = 1 if in_setup(h) else exp(standing(t, h, s))
            total += out[s]
        for s in range(3):
            out[s] /= total
        return
    e = 0.5
    if not in_setup(h):
        e = 1 / (1 + exp(standing(t, h, 1) - standing(t, h, 0)))
    for s in range(t.seats):
        out[s] = e if t.team_of[s] == 0 else 1 - e


cdef bint quiet(const void* tables, const void* state) noexcept nogil:
    """Between two turns nothing is half done; when a die is chosen for the piece, nothing has been done yet."""
    cdef const Titans* h = <const Titans*> state
    return h.depth == 0 and (h.active == NONE or h.step == S_DIE)


# ---- For benches/fit_titans.py ----

def terms(State state not None) -> list[list[float]]:
    """The terms of both teams, or of the three seats of the free-for-all. [] where evaluate has no use for them."""
    cdef const Tables* t = <const Tables*> state.game.tables
    cdef const Titans* h = <const Titans*> state.data
    cdef float[TERMS] out
    cdef int i
    found = []
    if in_setup(h) or h.step == S_OVER or not quiet(t, h):
        return found
    for i in range(3 if arena(t) else 2):
        if arena(t):
            arena_terms(t, h, i, out)
        else:
            team_terms(t, h, i, out)
        found.append([out[k] for k in range(ARENA_TERMS if arena(t) else TERMS)])
    return found


def late(State state not None) -> float:
    """How much of the later weights counts, 0..1."""
    return lateness(<const Titans*> state.data)
