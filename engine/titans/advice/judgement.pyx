"""What a position is worth: points, boards, missions, hands, and the danger of losing both pieces in one round."""
from libc.math cimport exp
from libc.string cimport memset

from seatmate.engine.core.game cimport State
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.model cimport (
    Go, Piece, bases_of, bit, endurance, icon_places, in_setup, returns, value_of,
)

from seatmate.engine.core.terms import Terms

cdef enum:
    FAR = 9                 # no way


cdef int distance(const Titans* state, int start, uint16_t goal) noexcept nogil:
    """Steps from a place to the nearest of some places, obstacles regarded; FAR if there is no way."""
    cdef uint16_t seen = bit(start)
    cdef uint16_t fresh = seen
    cdef uint16_t around
    cdef int d = 0
    while not seen & goal:
        around = 0
        while fresh:
            around |= state.near[lowest_bit(fresh)]
            fresh &= fresh - 1
        fresh = around & ~seen
        if fresh == 0:
            return FAR
        seen |= fresh
        d += 1
    return d


cdef int nearest(const Titans* state, int team, uint16_t goal) noexcept nogil:
    """The same from the nearer piece of the team."""
    cdef int best = FAR
    cdef int i, d
    for i in range(2 * team, 2 * team + 2):
        if state.piece[i].place != V.NONE:
            d = distance(state, state.piece[i].place, goal)
            if d < best:
                best = d
    return best


cdef uint16_t open_gifts(const Book* t, const Titans* state, int team) noexcept nogil:
    """Places that still wait for a gift."""
    cdef int rest = t.go[state.team[team].go].icons & ~state.team[team].delivered
    cdef uint16_t mask = 0
    while rest:
        mask |= icon_places(t, state, lowest_bit(<uint64_t> rest))
        rest &= rest - 1
    return mask


cdef float mission_progress(const Book* t, const Titans* state, int team) noexcept nogil:
    """How far the team's mission is, 0..1."""
    cdef const Go* go
    cdef int first = 2 * team
    cdef int i, d, total
    cdef float best = 0
    cdef uint16_t goal
    if state.team[team].go == V.NONE:
        return 0
    go = &t.go[state.team[team].go]
    if go.kind == V.V_PIZZA_TO:
        for i in range(first, first + 2):
            if state.piece[i].tokens & V.HAS_PIZZA:
                if state.piece[i].place == V.NONE:
                    return 0.5
                return 0.5 + 0.5 / (1 + distance(state, state.piece[i].place, icon_places(t, state, go.icon)))
        return 0.5 / (1 + nearest(state, team, bit(state.pizza))) if state.pizza != V.NONE else 0
    if go.kind == V.V_GIFTS_TO:
        total = bit_count(go.icons)
        goal = open_gifts(t, state, team)
        return (bit_count(state.team[team].delivered) + (0.5 / (1 + nearest(state, team, goal)) if goal else 0)) / total
    if go.kind == V.V_CLUES:
        total = state.team[team].clues + bit_count(state.clues)
        if total == 0:
            return 0
        return (state.team[team].clues + (0.5 / (1 + nearest(state, team, state.clues)) if state.clues else 0)) / total
    if go.kind == V.V_MONSTER:
        if state.team[team].monster_place == V.NONE:
            return 0
        best = <float> state.team[team].monster_damage / go.number
        if nearest(state, team, bit(state.team[team].monster_place)) <= 1:
            best += 0.15
        return best if best < 1 else 1
    if go.kind == V.V_BOTH_AT or go.kind == V.V_BOTH_OPP_BASES:
        d = 0
        goal = icon_places(t, state, go.icon) if go.kind == V.V_BOTH_AT else bases_of(t, state, 1 - team)
        for i in range(first, first + 2):
            d += distance(state, state.piece[i].place, goal) if state.piece[i].place != V.NONE else 4
        if go.kind == V.V_BOTH_OPP_BASES and d == 0:      # both on the same one
            d = 2
        return 1 / (1 + 0.5 * d)
    if go.kind == V.V_ABILITY_AT:
        return 0.7 / (1 + nearest(state, team, icon_places(t, state, go.icon)))
    if go.kind == V.V_ROLL_STAR:
        return 0.33
    for i in range(2 - first, 4 - first):
        if state.piece[i].character != V.NONE:
            best = max(best, 0.8 * state.piece[i].damage / t.board[state.piece[i].character].health)
    return best


cdef inline float max(float a, float b) noexcept nogil:
    return a if a > b else b


cdef enum:
    TERMS = 12
    ARENA_TERMS = 5

TERM_NAMES = ("points", "points squared", "health", "fire", "shields", "fallen", "mission", "hand", "good dice", "danger", "to act",
              "weak")
ARENA_NAMES = ("health", "fire", "hand", "to act", "weak")

# What the terms are worth in log-odds, by a regression on games of the heuristic (benches/fit.py; ai/search/TUNING.md):
# in round 1, and more from there to round 6.
cdef float[TERMS] WORTH = [0.718, 0.416, 0.323, -0.548, 0.118, 0.478, 0.433, 0.091, 0.135, -1.636, 0.209, -0.286]
cdef float[TERMS] LATER = [0.088, 0.368, 0.739, 0.162, 0.043, 1.302, 1.147, 0.048, 0.072, 0.375, 0.541, -0.095]
cdef float[ARENA_TERMS] ARENA_WORTH = [3.295, -1.009, 0.409, 0.547, -0.212]


cdef inline float lateness(const Titans* state) noexcept nogil:
    """0 in round 1 to 1 from round 6 on."""
    return 0.2 * ((state.round if state.round < 6 else 6) - 1 if state.round else 0)


cdef inline bint is_weak(const Book* t, const Piece* p) noexcept nogil:
    """One strike away from a KO."""
    return endurance(t, p) <= 3


cdef void team_terms(const Book* t, const Titans* state, int team, float* out) noexcept nogil:
    """What a team of two has, in the units of TERM_NAMES."""
    cdef int first = 2 * team
    cdef int hand = 0
    cdef int fallen = 0
    cdef int i, left
    cdef float threat
    cdef const Piece* p
    memset(out, 0, TERMS * sizeof(float))
    out[0] = state.team[team].points
    out[1] = <float> state.team[team].points * state.team[team].points / t.points
    for i in range(first, first + 2):
        p = &state.piece[i]
        if p.character == V.NONE:
            continue
        if p.place == V.NONE:
            fallen += (p.status & V.KO_NOW) != 0
            out[5] += 1
            continue
        out[2] += 1 - <float> p.damage / t.board[p.character].health
        out[3] += p.fire if p.fire < 3 else 3
        out[4] += (p.tokens & V.SHIELD) != 0
        out[10] += p.activations == 0
        out[11] += is_weak(t, p)
    out[6] = mission_progress(t, state, team)
    for i in range(t.seats):
        if t.seats_of[team] >> i & 1:
            hand += bit_count(state.hand[i])
    left = 5 - state.round if state.round < 4 else 1
    out[7] = hand if hand < left else left          # about one a round can be played
    for i in range(2):
        out[8] += not state.team[team].dice_used >> i & 1 and state.team[team].dice[i] >= 4
    if fallen == 1:                     # losing the other one, too, loses the game
        p = &state.piece[first] if state.piece[first].place != V.NONE else &state.piece[first + 1]
        threat = value_of(t, state) + 2 - endurance(t, p)
        threat = threat / 4 + 0.5
        left = 0
        for i in range(2 - first, 4 - first):
            if (state.piece[i].place != V.NONE and state.piece[i].activations == 0
                    and distance(state, state.piece[i].place, bit(p.place)) <= 2):
                left = 1
        if left and threat > 0:
            out[9] = threat if threat < 1 else 1


cdef void arena_terms(const Book* t, const Titans* state, int seat, float* out) noexcept nogil:
    """The same of a piece of the free-for-all, in the units of ARENA_NAMES; all 0 off the map."""
    cdef const Piece* p = &state.piece[seat]
    memset(out, 0, ARENA_TERMS * sizeof(float))
    if p.character == V.NONE or p.place == V.NONE:
        return
    out[0] = 1 - <float> p.damage / t.board[p.character].health
    out[1] = p.fire if p.fire < 4 else 4
    out[2] = bit_count(state.hand[seat])
    out[3] = p.activations == 0
    out[4] = is_weak(t, p)


cdef float standing(const Book* t, const Titans* state, int team) noexcept nogil:
    """Log-odds of a team."""
    cdef float[TERMS] out
    cdef float sum = 0
    cdef float share = lateness(state)
    cdef int i
    team_terms(t, state, team, out)
    for i in range(TERMS):
        sum += (WORTH[i] + share * LATER[i]) * out[i]
    return sum


cdef void evaluate(const void* tables, const void* data, int seat, double* out) noexcept nogil:
    """Estimated utilities. Only sizes of hands count, so every seat estimates the same."""
    cdef const Book* t = <const Book*> tables
    cdef const Titans* state = <const Titans*> data
    cdef double e = 0.5
    cdef int s
    if state.step == V.S_OVER:
        returns(tables, data, out)
        return
    if not in_setup(state):
        e = 1 / (1 + exp(standing(t, state, 1) - standing(t, state, 0)))
    for s in range(t.seats):
        out[s] = e if t.team_of[s] == 0 else 1 - e


cdef float arena_standing(const Book* t, const Titans* state, int seat) noexcept nogil:
    """The log-odds of a seat."""
    cdef float[ARENA_TERMS] out
    cdef float sum = 0
    cdef int i
    arena_terms(t, state, seat, out)
    for i in range(ARENA_TERMS):
        sum += ARENA_WORTH[i] * out[i]
    return sum


cdef void evaluate_arena(const void* tables, const void* data, int seat, double* out) noexcept nogil:
    """The same in the free-for-all."""
    cdef const Titans* state = <const Titans*> data
    cdef double total = 0
    cdef int s
    if state.step == V.S_OVER:
        returns(tables, data, out)
        return
    for s in range(3):
        out[s] = 0
        if not state.piece[s].status & V.ELIMINATED:
            out[s] = 1 if in_setup(state) else exp(arena_standing(<const Book*> tables, state, s))
        total += out[s]
    for s in range(3):
        out[s] /= total


cdef bint quiet(const void* tables, const void* data) noexcept nogil:
    """Between two turns nothing is half done; when a die is chosen for the piece, nothing has been done yet."""
    cdef const Titans* state = <const Titans*> data
    return state.depth == 0 and (state.active == V.NONE or state.step == V.S_DIE)


def terms(State state not None) -> Terms | None:
    """Of the teams, or of the seats of the free-for-all that are left."""
    cdef const Book* t = <const Book*> state.game.tables
    cdef const Titans* titans = <const Titans*> state.data
    cdef float[TERMS] out
    cdef int i
    if in_setup(titans) or titans.step == V.S_OVER or not quiet(t, titans):
        return None
    sides = {}
    if t.wild:
        for i in range(3):
            if not titans.piece[i].status & V.ELIMINATED:
                arena_terms(t, titans, i, out)
                sides[i] = [out[k] for k in range(ARENA_TERMS)]
        return Terms(ARENA_NAMES, ("always",), (1.0,), sides)
    for i in range(2):
        team_terms(t, titans, i, out)
        sides[lowest_bit(<uint64_t> t.seats_of[i])] = [out[k] for k in range(TERMS)]
    return Terms(TERM_NAMES, ("from round 1 on", "more by round 6"), (1.0, lateness(titans)), sides)
