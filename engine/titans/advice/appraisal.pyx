"""What effects, places and abilities are worth: the numbers behind actions.pyx.

In health points or so. Nothing here looks at another seat's hand.
"""
from libc.string cimport memset

from seatmate.engine.core.machine cimport Call, next_call
from seatmate.engine.core.types cimport uint8_t, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.titans.advice.judgement cimport distance
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.model cimport (
    Frame, Go, Piece, asks_for, bases_of, bit, friends, full_places, icon_places, mate_fell, on_map, steps_of, value_of,
)
from seatmate.engine.titans.rules.query cimport Context, attack_targets, choices, look

from seatmate.engine.titans.content.pack import VERB_CODES, VERBS

cdef double IN_ABILITY[V.VERBS]
for _name, _code in VERB_CODES.items():
    IN_ABILITY[<int> _code] = VERBS[_name].in_ability

cdef float KO_WORTH = 6.0
cdef float WIN = 30.0
cdef float MISSION = 4.5            # completing it
cdef float STEP_OF_MISSION = 1.7    # a pick-up, a delivery, a clue
cdef float NEARER = 0.35            # a step towards it


# ---- What single effects are worth ----

cdef float point_worth(const Book* t, const Titans* state, int team) noexcept nogil:
    """One more point for a team: as much as a KO, and the game if it is the last one."""
    return WIN if state.team[team].points + 1 >= t.points else 0


cdef float hit_value(const Book* t, const Titans* state, int team, int target, int damage) noexcept nogil:
    """Damage to an opposing piece."""
    cdef const Piece* p = &state.piece[target]
    cdef int left = t.board[p.character].health - p.damage
    cdef float v
    if p.tokens & V.SHIELD:
        damage = damage - 2 if damage > 2 else 0
    v = damage + 0.1 * p.damage + (1 if p.tokens & V.SHIELD else 0)
    if damage >= left:
        v = left + KO_WORTH + (6 if t.fallen & V.ELIMINATED else 0) + point_worth(t, state, team)
        if mate_fell(t, state, target):
            v += WIN
        if asks_for(t, state, team, V.V_KO_OPPONENT):
            v += MISSION + point_worth(t, state, team)
    return v


cdef float monster_value(const Book* t, const Titans* state, int team, int damage) noexcept nogil:
    cdef int rest = t.go[state.team[team].go].number - state.team[team].monster_damage
    return 1.2 * damage if damage < rest else 1.2 * rest + MISSION + point_worth(t, state, team)


cdef int attack_damage(const Book* t, const Titans* state, int team, int bonus) noexcept nogil:
    return value_of(t, state) + bonus + (1 if state.team[team].marks & V.ATK1 else 0) + (2 if state.flags & V.NEXT2 else 0)


cdef float fire_value(const Book* t, const Titans* state, int target, int n) noexcept nogil:
    if state.piece[target].fire >= 3:
        return 0.4 * n
    return 1.2 * n


cdef float stun_value(const Titans* state, int target) noexcept nogil:
    return 1.6 if state.piece[target].activations == 0 else 1.0


cdef float best_target(const Book* t, const Titans* state, int piece, bint ranged, int bonus, int* target) noexcept nogil:
    """The most that an attack from where the piece stands is worth."""
    cdef int team = t.piece_team[piece]
    cdef int mask = attack_targets(t, state, piece, ranged)
    cdef int damage = attack_damage(t, state, team, bonus)
    cdef float best = 0
    cdef float v
    cdef int i
    target[0] = V.NONE
    while mask:
        i = lowest_bit(<uint64_t> mask)
        mask &= mask - 1
        if i == V.MONSTER_TARGET:
            v = monster_value(t, state, team, damage)
        elif t.piece_team[i] == V.TEAMS:
            v = 0.4
        else:
            v = hit_value(t, state, team, i, damage)
        if v > best:
            best = v
            target[0] = i
    return best


cdef float trap_hits(const Book* t, const Titans* state, int piece, int place) noexcept nogil:
    """Damage a piece would take from traps there."""
    cdef int row = t.foes_row[piece]
    if state.piece[piece].marks & V.GHOST or t.board[state.piece[piece].character].trap_immune:
        return 0
    return state.trap[row][place]


cdef float shift_value(const Book* t, const Titans* state, int team, int victim, uint16_t where, int* to) noexcept nogil:
    """The best place to put a shifted piece: on traps, away from where it wants to be."""
    cdef float best = -9
    cdef float v
    cdef int place
    cdef int sign = -1 if t.piece_team[victim] == team else 1
    cdef uint16_t goal = goals(t, state, victim)
    to[0] = V.NONE
    while where:
        place = lowest_bit(where)
        where &= where - 1
        v = sign * (1.2 * trap_hits(t, state, victim, place) + (0.3 * distance(state, place, goal) if goal else 0))
        if v > best:
            best = v
            to[0] = place
    return best

# ---- Places ----

cdef uint16_t goals(const Book* t, const Titans* state, int piece) noexcept nogil:
    """Places where the piece's team wants it for its mission."""
    cdef int team = t.piece_team[piece]
    cdef const Go* go
    cdef int rest
    cdef uint16_t mask = 0
    if state.team[team].go == V.NONE:
        return 0
    go = &t.go[state.team[team].go]
    if go.kind == V.V_PIZZA_TO:
        if state.piece[piece].tokens & V.HAS_PIZZA:
            return icon_places(t, state, go.icon)
        return bit(state.pizza) if state.pizza != V.NONE else 0
    if go.kind == V.V_GIFTS_TO:
        rest = go.icons & ~state.team[team].delivered
        while rest:
            mask |= icon_places(t, state, lowest_bit(<uint64_t> rest))
            rest &= rest - 1
        return mask
    if go.kind == V.V_CLUES:
        return state.clues
    if go.kind == V.V_MONSTER:
        return bit(state.team[team].monster_place) if state.team[team].monster_place != V.NONE else 0
    if go.kind == V.V_BOTH_AT or go.kind == V.V_ABILITY_AT:
        return icon_places(t, state, go.icon)
    if go.kind == V.V_BOTH_OPP_BASES:
        mask = bases_of(t, state, 1 - team)
        if on_map(state, piece ^ 1):
            mask &= ~bit(state.piece[piece ^ 1].place)
        return mask
    return 0


cdef float arrival(const Book* t, const Titans* state, int piece, int place) noexcept nogil:
    """What standing there does for the mission, beyond being near."""
    cdef int team = t.piece_team[piece]
    cdef const Go* go = &t.go[state.team[team].go]
    cdef int mate = piece ^ 1
    cdef float done = MISSION + point_worth(t, state, team)
    if go.kind == V.V_PIZZA_TO:
        return done if state.piece[piece].tokens & V.HAS_PIZZA else STEP_OF_MISSION
    if go.kind == V.V_GIFTS_TO:
        return done if bit_count(go.icons & ~state.team[team].delivered) == 1 else STEP_OF_MISSION
    if go.kind == V.V_CLUES:
        return done if bit_count(state.clues) == 1 else STEP_OF_MISSION
    if go.kind == V.V_BOTH_AT:
        return done if on_map(state, mate) and state.piece[mate].place == place else 0.6
    if go.kind == V.V_BOTH_OPP_BASES:
        return done if on_map(state, mate) and bases_of(t, state, 1 - team) >> state.piece[mate].place & 1 else 0.6
    return 0


cdef float worth_of(const Book* t, const Titans* state, int piece, int place) noexcept nogil:
    """pos(q) - risk(q): the mission, the nearest opponent, traps, and who could come."""
    cdef uint16_t goal = goals(t, state, piece)
    cdef int team = t.piece_team[piece]
    cdef int i, d
    cdef int closest = 9
    cdef float risk = 0
    cdef float v = 0
    cdef const Piece* p = &state.piece[piece]
    if goal:
        d = distance(state, place, goal)
        v = arrival(t, state, piece, place) if d == 0 else -NEARER * d
    for i in range(V.PIECES):
        if state.piece[i].place == V.NONE or t.piece_team[i] == team or t.piece_team[i] == V.TEAMS:
            continue
        d = distance(state, place, bit(state.piece[i].place))
        if d < closest:
            closest = d
        if state.piece[i].activations == 0 and d <= 2:
            risk += 0.25
    if t.board[p.character].health - p.damage <= value_of(t, state) + 2:
        risk *= 2
    if mate_fell(t, state, piece):
        risk *= 4
    if t.wild:
        d = distance(state, place, bit(state.piece[V.CYBORG].place))
        v -= 1.2 if d <= 1 else 0.3 if d == 2 else 0
    if closest < 9:
        v -= 0.2 * closest
    return v - risk - (1.2 * trap_hits(t, state, piece, place) if place != p.place else 0)

# ---- Programs ----

cdef float run_value(const Book* t, Titans* g, int piece, int32_t at) noexcept nogil:
    """What a program is worth for the piece from where it stands in `g`, a copy that is changed and put right again."""
    cdef Context c
    cdef Call call
    cdef Frame f
    cdef int team = t.piece_team[piece]
    cdef int i, to, place, target
    cdef int pulled = V.NONE
    cdef int from_place = V.NONE
    cdef int stood = g.piece[piece].place
    cdef float sum = 0
    cdef float v, best
    cdef uint64_t mask
    cdef uint16_t where
    if stood == V.NONE:
        return 0
    look(&c, t, g, team, piece, V.NONE, V.NONE)
    memset(&f, 0, sizeof(Frame))
    f.kind = V.K_PROGRAM
    f.team = <uint8_t> team
    f.actor = <uint8_t> piece
    f.target = V.NONE
    f.other = V.NONE
    f.source = 64
    while next_call(&c.machine, &at, True, &call):
        f.verb = <uint8_t> call.verb
        f.who = 0
        for i in range(2):
            f.args[i] = <signed char> call.args[i] if i < call.n else 0
        if f.verb == V.V_MELEE or f.verb == V.V_RANGED:
            v = best_target(t, g, piece, f.verb == V.V_RANGED, f.args[0], &target)
            sum += v
            f.target = <uint8_t> (target if target < V.PIECES and v < KO_WORTH else V.NONE)
            c.target = f.target
            continue
        mask = choices(t, g, &f)
        if mask == 0:
            continue
        i = lowest_bit(mask)
        if f.verb == V.V_IGNITE:
            sum += fire_value(t, g, i, f.args[0])
        elif f.verb == V.V_STUN:
            sum += stun_value(g, i)
        elif f.verb == V.V_HEAL:
            sum += 0.8 * least(f.args[0], g.piece[i].damage)
        elif f.verb == V.V_TRAP:
            sum += 0.5 * f.args[0]
        elif f.verb == V.V_CLEANSE:
            sum += 1.0 * g.piece[i].fire + (0.8 if g.piece[i].tokens & V.STUN else 0)
        elif f.verb == V.V_PUSH or f.verb == V.V_DISPLACE:
            best = 0
            where = g.near[g.piece[piece].place] & ~full_places(g)
            for i in range(V.PIECES):
                if mask >> i & 1 and not friends(t, piece, i) and f.verb == V.V_PUSH:
                    best = most(best, shift_value(t, g, team, i, where, &to))
            sum += 0.2 + best
        elif f.verb == V.V_PULL and pulled == V.NONE:
            if attack_targets(t, g, piece, False) == 0:         # nobody here yet
                for i in range(V.PIECES):
                    if mask >> i & 1 and not friends(t, piece, i):
                        pulled = i
                        from_place = g.piece[i].place
                if pulled != V.NONE:
                    g.piece[pulled].place = g.piece[piece].place
                    sum += 0.2 + 1.2 * trap_hits(t, g, pulled, g.piece[piece].place)
        elif f.verb == V.V_MOVE or f.verb == V.V_TELEPORT:
            best = 0
            to = g.piece[piece].place
            where = <uint16_t> mask
            if f.verb == V.V_TELEPORT:
                where &= occupied(t, g, team)
            while where:
                place = lowest_bit(where)
                where &= where - 1
                g.piece[piece].place = <uint8_t> place
                v = best_target(t, g, piece, f.verb == V.V_MOVE, 0, &target) - 1.2 * trap_hits(t, g, piece, place)
                if v > best:
                    best = v
                    to = place
            g.piece[piece].place = <uint8_t> to
        else:
            sum += IN_ABILITY[f.verb]
    g.piece[piece].place = <uint8_t> stood
    if pulled != V.NONE:
        g.piece[pulled].place = <uint8_t> from_place
    return sum


cdef uint16_t occupied(const Book* t, const Titans* state, int team) noexcept nogil:
    """Places with an opposing piece or the own monster."""
    cdef uint16_t mask = 0
    cdef int i
    for i in range(V.PIECES):
        if state.piece[i].place != V.NONE and t.piece_team[i] != team:
            mask |= bit(state.piece[i].place)
    if state.team[team].monster_place != V.NONE:
        mask |= bit(state.team[team].monster_place)
    return mask


cdef float ability_value(const Book* t, Titans* g, int piece, int slot, int tier) noexcept nogil:
    """The slot ability from where the piece stands, the mission that asks for one counted in."""
    cdef int team = t.piece_team[piece]
    cdef float v = run_value(t, g, piece, t.board[g.piece[piece].character].ability[slot].body[tier])
    if tier and asks_for(t, g, team, V.V_ABILITY_AT):
        if icon_places(t, g, t.go[g.team[team].go].icon) >> g.piece[piece].place & 1:
            v += MISSION + point_worth(t, g, team)
    return v


cdef float plan(const Book* t, Titans* g, int piece, int slot, int tier) noexcept nogil:
    """The best of staying and every free move, then the ability."""
    cdef int stood = g.piece[piece].place
    cdef uint16_t where = steps_of(t, g, piece)
    cdef float best = ability_value(t, g, piece, slot, tier) + worth_of(t, g, piece, stood)
    cdef float v
    cdef bint stunned = g.piece[piece].tokens & V.STUN
    cdef int place
    cdef float here
    while where:
        place = lowest_bit(where)
        where &= where - 1
        here = worth_of(t, g, piece, place)
        g.piece[piece].place = <uint8_t> place
        v = here + (0 if stunned else ability_value(t, g, piece, slot, tier))
        g.piece[piece].place = <uint8_t> stood
        best = most(best, v)
    return best


cdef int tier_with(const Book* t, const Titans* state, int piece, int slot, int value) noexcept nogil:
    """The tier a die would reach on a slot."""
    if value < t.board[state.piece[piece].character].ability[slot].slot:
        return 0
    return 2 if t.face_star[state.face] else 1


cdef float die_slot_value(const Book* t, Titans* g, int piece, int value, int slot) noexcept nogil:
    """A high die is a little too good for a plain effect."""
    return plan(t, g, piece, slot, tier_with(t, g, piece, slot, value)) - 0.05 * value


cdef float piece_value(const Book* t, Titans* g, int piece) noexcept nogil:
    """The best die on the best slot."""
    cdef const Piece* p = &g.piece[piece]
    cdef int team = t.piece_team[piece]
    cdef float best = -99
    cdef int die, slot
    for die in range(2):
        if g.team[team].dice_used >> die & 1 or g.team[team].dice[die] == 0:
            continue
        for slot in range(2):
            if p.slot_die[slot] == 0:
                best = most(best, die_slot_value(t, g, piece, g.team[team].dice[die], slot))
    return best + 0.1 * p.damage
