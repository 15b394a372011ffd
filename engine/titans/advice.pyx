"""What answers are worth (section 11.3), for the heuristic bot, the priors of the search, and rollouts.

Nothing here looks at another seat's hand. Values are in health points or so; SCALE turns them into utilities.
"""
from libc.string cimport memset

from seatmate.engine.core.machine cimport Call, next_call
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.titans.board cimport find_neighbours
from seatmate.engine.titans.judgement cimport distance
from seatmate.engine.titans.model cimport (
    ATK1, ATTACK, CYBORG, DECLINE, F_ATK1, F_GHOST, F_LOCK, F_NEXT2, F_SPECIAL_OFF, F_SPECIAL_ON, GHOST, HAS_PIZZA,
    KO_NOW, MONSTER_TARGET, MOVED, NEXT2, NONE, NO_OBSTACLE, PIECES, PLAY_CARD, PROG, Q_ABILITY, Q_COMP_CARD,
    Q_CYBORG, Q_DEST, Q_DICE_MASK, Q_DIE, Q_DIE_SLOT, Q_ESCAPE, Q_FIRST_PLACE, Q_GO_PIECE, Q_GO_PLACE, Q_MOVE,
    Q_OBST_EDGE, Q_OBST_SRC, Q_PIECE, Q_REMOVE, Q_REPLACE, Q_SETASIDE, Q_TARGET, Q_TRAP_PLACE, Q_VICTIM, Q_WINDOW,
    SHIELD, SLOT_USED, STAY, STUN, TEAMS, USE_INNATE, USE_SLOT, V_ABILITY_AT, V_BOTH_AT, V_BOTH_OPP_BASES, V_CLEANSE,
    V_CLUES, V_DAMAGE, V_DISPLACE, V_ESCAPE, V_FETCH, V_FLAG, V_GIFTS_TO, V_HEAL, V_IGNITE, V_KO_OPPONENT, V_MELEE,
    V_MONSTER, V_MOVE, V_OBST, V_PIZZA_TO, V_PULL, V_PUSH, V_RANGED, V_REROLL_ACT, V_REROLL_MAYHEM, V_SET_ACT,
    V_SHIELD, V_STUN, V_TELEPORT, V_TRAP, V_XFERFIRE, Frame, Go, Piece, Tables, Titans, arena, bases_of, bit, friends,
    full_places, icon_places, on_map, steps_of, value_of,
)
from seatmate.engine.titans.query cimport Context, attack_targets, choices, legal_edges, edge_scope, look, members
from seatmate.engine.titans.rules cimport first_piece, next_return, prompt as prompt_of, slot_tier

cdef float SCALE = 0.05
cdef float KO_WORTH = 6.0
cdef float WIN = 30.0
cdef float MISSION = 4.5            # completing it
cdef float STEP_OF_MISSION = 1.7    # a pick-up, a delivery, a clue
cdef float NEARER = 0.35            # a step towards it


cdef inline float most(float a, float b) noexcept nogil:
    return a if a > b else b


cdef inline float least(float a, float b) noexcept nogil:
    return a if a < b else b

# ---- What single effects are worth ----

cdef float point_worth(const Tables* t, const Titans* h, int team) noexcept nogil:
    """One more point for a team: as much as a KO, and the game if it is the last one."""
    return WIN if h.team[team].vp + 1 >= t.points else 0


cdef float hit_value(const Tables* t, const Titans* h, int team, int target, int damage) noexcept nogil:
    """Damage to an opposing piece."""
    cdef const Piece* p = &h.pc[target]
    cdef int left = t.board[p.ctype].health - p.dmg
    cdef float v
    if p.tok & SHIELD:
        damage = damage - 2 if damage > 2 else 0
    v = damage + 0.1 * p.dmg + (1 if p.tok & SHIELD else 0)
    if damage >= left:
        v = left + KO_WORTH
        if arena(t):
            return v + 6
        v += point_worth(t, h, team)
        if h.pc[target ^ 1].stat & KO_NOW:
            v += WIN
        if h.team[team].go != NONE and t.go[h.team[team].go].kind == V_KO_OPPONENT:
            v += MISSION + point_worth(t, h, team)
    return v


cdef float monster_value(const Tables* t, const Titans* h, int team, int damage) noexcept nogil:
    cdef int rest = t.go[h.team[team].go].number - h.team[team].mon_dmg
    return 1.2 * damage if damage < rest else 1.2 * rest + MISSION + point_worth(t, h, team)


cdef inline int attack_damage(const Tables* t, const Titans* h, int team, int bonus) noexcept nogil:
    return value_of(t, h) + bonus + (1 if h.team[team].marks & ATK1 else 0) + (2 if h.flags & NEXT2 else 0)


cdef float fire_value(const Tables* t, const Titans* h, int target, int n) noexcept nogil:
    if h.pc[target].fire >= 3:
        return 0.4 * n
    return 1.2 * n


cdef float stun_value(const Titans* h, int target) noexcept nogil:
    return 1.6 if h.pc[target].acts == 0 else 1.0


cdef float best_target(const Tables* t, const Titans* h, int piece, bint ranged, int bonus, int* target) noexcept nogil:
    """The most that an attack from where the piece stands is worth."""
    cdef int team = t.piece_team[piece]
    cdef int mask = attack_targets(t, h, piece, ranged)
    cdef int damage = attack_damage(t, h, team, bonus)
    cdef float best = 0
    cdef float v
    cdef int i
    target[0] = NONE
    while mask:
        i = lowest_bit(<uint64_t> mask)
        mask &= mask - 1
        if i == MONSTER_TARGET:
            v = monster_value(t, h, team, damage)
        elif t.piece_team[i] == TEAMS:
            v = 0.4
        else:
            v = hit_value(t, h, team, i, damage)
        if v > best:
            best = v
            target[0] = i
    return best


cdef float trap_hits(const Tables* t, const Titans* h, int piece, int place) noexcept nogil:
    """Damage a piece would take from traps there."""
    cdef int row = 0 if arena(t) else 1 - t.piece_team[piece]
    if h.pc[piece].marks & GHOST or t.board[h.pc[piece].ctype].trap_immune:
        return 0
    return h.trap[row][place]


cdef float shift_value(const Tables* t, const Titans* h, int team, int victim, uint16_t where, int* to) noexcept nogil:
    """The best place to put a shifted piece: on traps, away from where it wants to be."""
    cdef float best = -9
    cdef float v
    cdef int place
    cdef int sign = -1 if t.piece_team[victim] == team else 1
    cdef uint16_t goal = goals(t, h, victim)
    to[0] = NONE
    while where:
        place = lowest_bit(where)
        where &= where - 1
        v = sign * (1.2 * trap_hits(t, h, victim, place) + (0.3 * distance(h, place, goal) if goal else 0))
        if v > best:
            best = v
            to[0] = place
    return best

# ---- Places ----

cdef uint16_t goals(const Tables* t, const Titans* h, int piece) noexcept nogil:
    """Places where the piece's team wants it for its mission."""
    cdef int team = t.piece_team[piece]
    cdef const Go* go
    cdef int rest
    cdef uint16_t mask = 0
    if arena(t) or h.team[team].go == NONE:
        return 0
    go = &t.go[h.team[team].go]
    if go.kind == V_PIZZA_TO:
        if h.pc[piece].tok & HAS_PIZZA:
            return icon_places(t, h, go.icon)
        return bit(h.pizza) if h.pizza != NONE else 0
    if go.kind == V_GIFTS_TO:
        rest = go.icons & ~h.team[team].delivered
        while rest:
            mask |= icon_places(t, h, lowest_bit(<uint64_t> rest))
            rest &= rest - 1
        return mask
    if go.kind == V_CLUES:
        return h.clues
    if go.kind == V_MONSTER:
        return bit(h.team[team].mon_place) if h.team[team].mon_place != NONE else 0
    if go.kind == V_BOTH_AT or go.kind == V_ABILITY_AT:
        return icon_places(t, h, go.icon)
    if go.kind == V_BOTH_OPP_BASES:
        mask = bases_of(t, h, 1 - team)
        if on_map(h, piece ^ 1):
            mask &= ~bit(h.pc[piece ^ 1].place)
        return mask
    return 0


cdef float arrival(const Tables* t, const Titans* h, int piece, int place) noexcept nogil:
    """What standing there does for the mission, beyond being near."""
    cdef int team = t.piece_team[piece]
    cdef const Go* go = &t.go[h.team[team].go]
    cdef int mate = piece ^ 1
    cdef float done = MISSION + point_worth(t, h, team)
    if go.kind == V_PIZZA_TO:
        return done if h.pc[piece].tok & HAS_PIZZA else STEP_OF_MISSION
    if go.kind == V_GIFTS_TO:
        return done if bit_count(go.icons & ~h.team[team].delivered) == 1 else STEP_OF_MISSION
    if go.kind == V_CLUES:
        return done if bit_count(h.clues) == 1 else STEP_OF_MISSION
    if go.kind == V_BOTH_AT:
        return done if on_map(h, mate) and h.pc[mate].place == place else 0.6
    if go.kind == V_BOTH_OPP_BASES:
        return done if on_map(h, mate) and bases_of(t, h, 1 - team) >> h.pc[mate].place & 1 else 0.6
    return 0


cdef float worth_of(const Tables* t, const Titans* h, int piece, int place) noexcept nogil:
    """pos(q) - risk(q): the mission, the nearest opponent, traps, and who could come."""
    cdef uint16_t goal = goals(t, h, piece)
    cdef int team = t.piece_team[piece]
    cdef int i, d
    cdef int closest = 9
    cdef float risk = 0
    cdef float v = 0
    cdef const Piece* p = &h.pc[piece]
    if goal:
        d = distance(h, place, goal)
        v = arrival(t, h, piece, place) if d == 0 else -NEARER * d
    for i in range(PIECES):
        if h.pc[i].place == NONE or t.piece_team[i] == team or t.piece_team[i] == TEAMS:
            continue
        d = distance(h, place, bit(h.pc[i].place))
        if d < closest:
            closest = d
        if h.pc[i].acts == 0 and d <= 2:
            risk += 0.25
    if t.board[p.ctype].health - p.dmg <= value_of(t, h) + 2:
        risk *= 2
    if not arena(t) and h.pc[piece ^ 1].stat & KO_NOW:
        risk *= 4
    if arena(t):
        d = distance(h, place, bit(h.pc[CYBORG].place))
        v -= 1.2 if d <= 1 else 0.3 if d == 2 else 0
    if closest < 9:
        v -= 0.2 * closest
    return v - risk - (1.2 * trap_hits(t, h, piece, place) if place != p.place else 0)

# ---- Programs ----

cdef float run_value(const Tables* t, Titans* g, int piece, int32_t at) noexcept nogil:
    """What a program is worth for the piece from where it stands in `g`, a copy that is changed and put right again."""
    cdef Context c
    cdef Call call
    cdef Frame f
    cdef int team = t.piece_team[piece]
    cdef int i, to, place, target
    cdef int pulled = NONE
    cdef int from_place = NONE
    cdef int stood = g.pc[piece].place
    cdef float sum = 0
    cdef float v, best
    cdef uint64_t mask
    cdef uint16_t where
    if stood == NONE:
        return 0
    look(&c, t, g, team, piece, NONE, NONE)
    memset(&f, 0, sizeof(Frame))
    f.kind = PROG
    f.team = <uint8_t> team
    f.actor = <uint8_t> piece
    f.tgt = NONE
    f.other = NONE
    f.source = 64
    while next_call(&c.machine, &at, True, &call):
        f.verb = <uint8_t> call.verb
        f.who = 0
        for i in range(2):
            f.args[i] = <signed char> call.args[i] if i < call.n else 0
        if f.verb == V_MELEE or f.verb == V_RANGED:
            v = best_target(t, g, piece, f.verb == V_RANGED, f.args[0], &target)
            sum += v
            f.tgt = <uint8_t> (target if target < PIECES and v < KO_WORTH else NONE)
            c.tgt = f.tgt
            continue
        mask = choices(t, g, &f)
        if mask == 0:
            continue
        i = lowest_bit(mask)
        if f.verb == V_IGNITE:
            sum += fire_value(t, g, i, f.args[0])
        elif f.verb == V_STUN:
            sum += stun_value(g, i)
        elif f.verb == V_SHIELD:
            sum += 1.2
        elif f.verb == V_ESCAPE:
            sum += 0.9
        elif f.verb == V_HEAL:
            sum += 0.8 * least(f.args[0], g.pc[i].dmg)
        elif f.verb == V_TRAP:
            sum += 0.5 * f.args[0]
        elif f.verb == V_OBST:
            sum += 0.2
        elif f.verb == V_CLEANSE:
            sum += 1.0 * g.pc[i].fire + (0.8 if g.pc[i].tok & STUN else 0)
        elif f.verb == V_PUSH or f.verb == V_DISPLACE:
            best = 0
            where = g.near[g.pc[piece].place] & ~full_places(g)
            for i in range(PIECES):
                if mask >> i & 1 and not friends(t, piece, i) and f.verb == V_PUSH:
                    best = most(best, shift_value(t, g, team, i, where, &to))
            sum += 0.2 + best
        elif f.verb == V_PULL and pulled == NONE:
            if attack_targets(t, g, piece, False) == 0:         # nobody here yet
                for i in range(PIECES):
                    if mask >> i & 1 and not friends(t, piece, i):
                        pulled = i
                        from_place = g.pc[i].place
                if pulled != NONE:
                    g.pc[pulled].place = g.pc[piece].place
                    sum += 0.2 + 1.2 * trap_hits(t, g, pulled, g.pc[piece].place)
        elif f.verb == V_MOVE or f.verb == V_TELEPORT:
            best = 0
            to = g.pc[piece].place
            where = <uint16_t> mask
            if f.verb == V_TELEPORT:
                where &= occupied(t, g, team)
            while where:
                place = lowest_bit(where)
                where &= where - 1
                g.pc[piece].place = <uint8_t> place
                v = best_target(t, g, piece, f.verb == V_MOVE, 0, &target) - 1.2 * trap_hits(t, g, piece, place)
                if v > best:
                    best = v
                    to = place
            g.pc[piece].place = <uint8_t> to
    g.pc[piece].place = <uint8_t> stood
    if pulled != NONE:
        g.pc[pulled].place = <uint8_t> from_place
    return sum


cdef uint16_t occupied(const Tables* t, const Titans* h, int team) noexcept nogil:
    """Places with an opposing piece or the own monster."""
    cdef uint16_t mask = 0
    cdef int i
    for i in range(PIECES):
        if h.pc[i].place != NONE and t.piece_team[i] != team:
            mask |= bit(h.pc[i].place)
    if h.team[team].mon_place != NONE:
        mask |= bit(h.team[team].mon_place)
    return mask


cdef float ability_value(const Tables* t, Titans* g, int piece, int slot, int tier) noexcept nogil:
    """The slot ability from where the piece stands, the mission that asks for one counted in."""
    cdef int team = t.piece_team[piece]
    cdef float v = run_value(t, g, piece, t.board[g.pc[piece].ctype].ability[slot].body[tier])
    if tier and not arena(t) and g.team[team].go != NONE and t.go[g.team[team].go].kind == V_ABILITY_AT:
        if icon_places(t, g, t.go[g.team[team].go].icon) >> g.pc[piece].place & 1:
            v += MISSION + point_worth(t, g, team)
    return v


cdef float plan(const Tables* t, Titans* g, int piece, int slot, int tier) noexcept nogil:
    """The best of staying and every free move, then the ability."""
    cdef int stood = g.pc[piece].place
    cdef uint16_t where = steps_of(t, g, piece)
    cdef float best = ability_value(t, g, piece, slot, tier) + worth_of(t, g, piece, stood)
    cdef float v
    cdef bint stunned = g.pc[piece].tok & STUN
    cdef int place
    cdef float here
    while where:
        place = lowest_bit(where)
        where &= where - 1
        here = worth_of(t, g, piece, place)
        g.pc[piece].place = <uint8_t> place
        v = here + (0 if stunned else ability_value(t, g, piece, slot, tier))
        g.pc[piece].place = <uint8_t> stood
        best = most(best, v)
    return best


cdef int tier_with(const Tables* t, const Titans* h, int piece, int slot, int value) noexcept nogil:
    """The tier a die would reach on a slot."""
    if value < t.board[h.pc[piece].ctype].ability[slot].slot:
        return 0
    return 2 if t.face_star[h.face] else 1


cdef float die_slot_value(const Tables* t, Titans* g, int piece, int value, int slot) noexcept nogil:
    """A high die is a little too good for a plain effect."""
    return plan(t, g, piece, slot, tier_with(t, g, piece, slot, value)) - 0.05 * value


cdef float piece_value(const Tables* t, Titans* g, int piece) noexcept nogil:
    """The best die on the best slot."""
    cdef const Piece* p = &g.pc[piece]
    cdef int team = t.piece_team[piece]
    cdef float best = -99
    cdef int die, slot
    for die in range(2):
        if g.team[team].dice_used >> die & 1 or g.team[team].dice[die] == 0:
            continue
        for slot in range(2):
            if p.slot_die[slot] == 0:
                best = most(best, die_slot_value(t, g, piece, g.team[team].dice[die], slot))
    return best + 0.1 * p.dmg

# ---- Cards ----

cdef float card_value(const Tables* t, Titans* g, int seat, int card, int tgt, int other) noexcept nogil:
    """What the effect of a Mayhem card is worth now, verb by verb."""
    cdef Context c
    cdef Call call
    cdef Frame f
    cdef int team = t.team_of[seat]
    cdef int32_t at = t.card[card].body
    cdef int i, n, to
    cdef int damage = value_of(t, g) + 1
    cdef float sum = -0.4 if t.card[card].pay >= 0 else 0
    cdef float mine = 0
    cdef uint64_t mask
    cdef const Frame* attack
    look(&c, t, g, team, g.active, tgt, other)
    memset(&f, 0, sizeof(Frame))
    f.kind = PROG
    f.team = <uint8_t> team
    f.seat = <uint8_t> seat
    f.actor = g.active
    f.tgt = <uint8_t> tgt
    f.other = <uint8_t> other
    f.source = <uint8_t> card
    for i in range(g.depth):
        if g.frame[i].kind == ATTACK:
            attack = &g.frame[i]
            damage = attack_damage(t, g, attack.team, attack.a)
    while next_call(&c.machine, &at, True, &call):
        f.verb = <uint8_t> call.verb
        f.who = 0
        for i in range(2):
            f.args[i] = <signed char> call.args[i] if i < call.n else 0
        mask = choices(t, g, &f)
        if mask == 0:
            continue
        i = lowest_bit(mask)
        n = f.args[0]
        if f.verb == V_REROLL_MAYHEM:
            sum += 0.8 * (2.17 - value_of(t, g)) + (0.3 if not t.face_star[g.face] else -0.3)
        elif f.verb == V_REROLL_ACT:
            for i in range(2):
                if g.team[team].dice[i] and g.team[team].dice[i] < 4:
                    sum += 0.4 * (3.8 - g.team[team].dice[i])
        elif f.verb == V_SET_ACT:
            sum += 0.3 * (n - least(g.team[team].dice[0], g.team[team].dice[1]))
        elif f.verb == V_HEAL:
            for i in range(PIECES):
                if mask >> i & 1:
                    sum += 0.7 * least(n, g.pc[i].dmg)
        elif f.verb == V_FLAG:
            sum += flag_value(t, g, team, n)
        elif f.verb == V_STUN:
            sum += 0.3 + (act_value(t, g) if g.flags & MOVED else 0.45 * act_value(t, g) + 0.5)
        elif f.verb == V_IGNITE:
            sum += fire_value(t, g, i, n)
        elif f.verb == V_XFERFIRE:
            sum += 1.5 * (g.pc[other].fire if other < PIECES else 1)
        elif f.verb == V_SHIELD:
            sum += 0.7 * least(2, damage) + rescue(t, g, tgt, damage, 2)
        elif f.verb == V_DAMAGE:
            sum += 0.8
        elif f.verb == V_MOVE and f.args[1]:
            sum += 0.7 * damage + rescue(t, g, tgt, damage, damage)
        elif f.verb == V_MOVE:
            sum += 0.5
        elif f.verb == V_TELEPORT:
            sum += 0.8
        elif f.verb == V_ESCAPE:
            sum += 0.4
        elif f.verb == V_DISPLACE:
            mine = act_value(t, g)
            sum += 0.5 * mine + shift_value(t, g, team, tgt, <uint16_t> mask, &to)
        elif f.verb == V_TRAP:
            sum += 0.45 * n
        elif f.verb == V_OBST:
            sum += 0.3
        elif f.verb == V_FETCH:
            sum += 0.4
    return sum


cdef float act_value(const Tables* t, Titans* g) noexcept nogil:
    """What the active piece's ability still promises its team."""
    if g.active == NONE or g.flags & SLOT_USED:
        return 0
    return ability_value(t, g, g.active, g.slot, slot_tier(t, g, g.active, g.slot))


cdef float rescue(const Tables* t, const Titans* g, int piece, int damage, int saved) noexcept nogil:
    """More, if it keeps the piece alive."""
    cdef int left
    if piece >= PIECES:
        return 0
    left = t.board[g.pc[piece].ctype].health - g.pc[piece].dmg
    if damage < left or damage - saved >= left:
        return 0
    return 3 + (WIN if not arena(t) and g.pc[piece ^ 1].stat & KO_NOW else 0)


cdef float flag_value(const Tables* t, Titans* g, int team, int flag) noexcept nogil:
    cdef int piece = g.active
    cdef int tier, with_it
    cdef float v
    if flag == F_ATK1:
        return 1.0
    if piece == NONE:
        return 0
    if flag == F_LOCK:
        if g.flags & MOVED:
            return 0.1
        return 0.6 + (1.2 if goals(t, g, piece) & g.near[g.pc[piece].place] else 0)
    if flag == F_GHOST:
        return 0.3
    if flag == F_NEXT2:
        tier = 0
        v = best_target(t, g, piece, False, 0, &with_it) + best_target(t, g, piece, True, 0, &with_it)
        return 2.2 if v > 0 and g.flags & MOVED else 0.3
    if flag == F_SPECIAL_ON or flag == F_SPECIAL_OFF:
        tier = slot_tier(t, g, piece, g.slot)
        with_it = 2 if t.face_star[g.face] else 1
        if (flag == F_SPECIAL_ON) == (tier > 0):
            return 0
        v = ability_value(t, g, piece, g.slot, with_it) - ability_value(t, g, piece, g.slot, 0)
        return 0.9 * v if g.flags & MOVED else 0.5 * v + 0.5
    return 0.3

# ---- Questions ----

cdef float pass_value(const Titans* h, int seat) noexcept nogil:
    """Keeping a card for later."""
    cdef int rounds = 5 - h.round if h.round < 4 else 1
    return 0.6 if <int> bit_count(h.hand[seat]) <= rounds else 0.35


cdef float edge_value(const Tables* t, const Titans* h, int team, int source, int edge) noexcept nogil:
    """How much longer the opponents' ways get, less our own."""
    cdef Titans g = h[0]
    cdef float v = 0
    cdef int i, d
    cdef uint16_t goal
    if source >= 0:
        g.obst &= ~(<uint32_t> 1 << source)
    g.obst |= <uint32_t> 1 << edge
    find_neighbours(t, &g)
    for i in range(t.pieces):
        if h.pc[i].place == NONE:
            continue
        goal = goals(t, h, i)
        if arena(t):
            d = (distance(&g, h.pc[i].place, bit(h.pc[CYBORG].place)) - distance(h, h.pc[i].place, bit(h.pc[CYBORG].place)))
            v += 0.3 * d if t.piece_team[i] == team else -0.2 * d
        elif goal:
            d = distance(&g, h.pc[i].place, goal) - distance(h, h.pc[i].place, goal)
            v += -0.4 * d if t.piece_team[i] == team else 0.4 * d
    return v


cdef float best_edge(const Tables* t, const Titans* h, int team, const Frame* f, int source) noexcept nogil:
    cdef uint32_t rest = legal_edges(t, h, edge_scope(t, h, f.actor, &t.row[f.args[0]]), source)
    cdef float best = -9
    while rest:
        best = most(best, edge_value(t, h, team, source, lowest_bit(rest)))
        rest &= rest - 1
    return best


cdef float trap_place_value(const Tables* t, const Titans* h, int team, int place) noexcept nogil:
    """Where opponents want to go."""
    cdef float v = 0.1
    cdef int i, d
    cdef uint16_t goal
    for i in range(t.pieces):
        if h.pc[i].place == NONE:
            continue
        d = distance(h, h.pc[i].place, bit(place))
        if t.piece_team[i] == team:
            if arena(t) and d <= 1:
                v -= 0.3
            continue
        goal = goals(t, h, i)
        if goal >> place & 1:
            v += 0.6
        if d <= 1:
            v += 0.3
    return v


cdef float cyborg_value(const Tables* t, const Titans* h, int seat, int place) noexcept nogil:
    """6.10: fire for the rivals next to him, not for oneself."""
    cdef float v = 0
    cdef int i
    for i in range(3):
        if h.pc[i].place != NONE and (h.near[place] | bit(place)) >> h.pc[i].place & 1:
            v += -1.5 if i == seat else 1.2
    return v


cdef float remove_value(const Tables* t, const Titans* h, int seat, int place) noexcept nogil:
    cdef float v = 0
    cdef int i
    for i in range(3):
        if h.pc[i].place != NONE and h.near[place] >> h.pc[i].place & 1:
            v += -0.5 if i == seat else 0.4
    return v


cdef float dest_value(const Tables* t, Titans* g, const Frame* f, int team, int action) noexcept nogil:
    """Where a piece is moved, teleported, pushed or displaced to."""
    cdef int piece, to, stood
    cdef float v
    if f.verb == V_PUSH:
        return shift_value(t, g, team, f.a, bit(action), &to)
    piece = lowest_bit(<uint64_t> members(t, g, f, &t.row[f.args[0]]))
    if f.verb == V_DISPLACE:
        return shift_value(t, g, team, piece, bit(action), &to)
    stood = g.pc[piece].place
    v = worth_of(t, g, piece, action if action != DECLINE else stood)
    if action != DECLINE:
        g.pc[piece].place = <uint8_t> action
    if f.source >= 64:
        v += run_value(t, g, piece, f.at)
    elif piece == g.active:
        v += act_value(t, g)
    g.pc[piece].place = <uint8_t> stood
    return v


cdef float victim_value(const Tables* t, Titans* g, const Frame* f, int team, int action) noexcept nogil:
    """Whom to pull or push."""
    cdef int to, stood
    cdef float v
    if f.verb == V_PUSH:
        if action == DECLINE:
            return 0
        return shift_value(t, g, team, action, g.near[g.pc[f.actor].place] & ~full_places(g), &to) - (
            0.5 if t.piece_team[action] == team else 0)
    if action == DECLINE:
        return run_value(t, g, f.actor, f.at)
    stood = g.pc[action].place
    g.pc[action].place = g.pc[f.actor].place
    v = run_value(t, g, f.actor, f.at)
    g.pc[action].place = <uint8_t> stood
    v += 1.2 * trap_hits(t, g, action, g.pc[f.actor].place) * (-1 if t.piece_team[action] == team else 1)
    return v


cdef float target_value(const Tables* t, const Titans* h, const Frame* f, int team, int action) noexcept nogil:
    """Whom to attack, or whom an effect is for."""
    cdef int damage = attack_damage(t, h, team, f.args[0])
    if f.verb == V_MELEE or f.verb == V_RANGED:
        if action == DECLINE:
            return 0
        if action == MONSTER_TARGET:
            return monster_value(t, h, team, damage)
        if t.piece_team[action] == TEAMS:
            return 0.5
        return hit_value(t, h, team, action, damage)
    if t.piece_team[action] == team:
        if f.verb == V_STUN:
            return -0.5 if h.pc[action].acts == 0 else 0
        return 0.2 * h.pc[action].dmg
    if f.verb == V_STUN:
        return stun_value(h, action)
    return 1.0 + 0.1 * h.pc[action].dmg - (0.5 if h.pc[action].fire >= 3 else 0)


cdef float value_for(const Tables* t, Titans* g, int q, int seat, int action) noexcept nogil:
    """One answer; `g` is a copy of the position, left as it was."""
    cdef const Frame* f = &g.frame[g.depth - 1] if g.depth else NULL
    cdef int team = t.team_of[seat]
    cdef int i, stood
    cdef float v
    cdef uint16_t goal
    if f != NULL and f.kind == PROG and f.who:
        team = 1 - f.team
    if q == Q_MOVE or q == Q_ABILITY:
        if action >= PLAY_CARD:
            v = card_value(t, g, seat, action - PLAY_CARD, NONE, NONE) - pass_value(g, seat)
            if q == Q_ABILITY:
                return v if v > 0 else -1
            return (v + value_for(t, g, q, seat, STAY)) if v > 0 else -9
    if q == Q_MOVE:
        stood = g.pc[g.active].place
        if action == STAY:
            return worth_of(t, g, g.active, stood) + act_value(t, g)
        v = worth_of(t, g, g.active, action)
        g.pc[g.active].place = <uint8_t> action
        if not g.pc[g.active].tok & STUN:
            v += act_value(t, g)
        g.pc[g.active].place = <uint8_t> stood
        return v
    if q == Q_ABILITY:
        if action == USE_SLOT:
            return act_value(t, g) + 0.1
        if action == USE_INNATE:
            i = t.board[g.pc[g.active].ctype].limit
            if i == 0:
                v = run_value(t, g, g.active, t.board[g.pc[g.active].ctype].innate)
                if v == 0:                  # a die is rolled again: good if it does not reach its slot
                    return 3 if slot_tier(t, g, g.active, g.slot) == 0 and not g.flags & SLOT_USED else -1
                return v + (0.2 if not g.pc[g.active].tok & STUN else 0)
            v = g.pc[g.active].fire + (1 if g.pc[g.active].tok & STUN else 0)
            return 2.2 if v >= 2 else -0.5
        return 0
    if q == Q_DIE_SLOT:
        return die_slot_value(t, g, g.active, g.team[g.acting].dice[action >> 1], action & 1)
    if q == Q_PIECE:
        return piece_value(t, g, action)
    if q == Q_WINDOW:
        if action == 0:
            return pass_value(g, seat)
        i = f.other
        if f.mode == 3:
            for stood in range(PIECES):
                if g.pc[stood].place == f.place and t.piece_team[stood] == team:
                    i = stood
        return card_value(t, g, seat, action - 1, f.tgt, i)
    if q == Q_TARGET or q == Q_GO_PIECE:
        return target_value(t, g, f, team, action)
    if q == Q_DEST:
        return dest_value(t, g, f, team, action)
    if q == Q_VICTIM:
        return victim_value(t, g, f, team, action)
    if q == Q_ESCAPE:
        if action == DECLINE:
            return worth_of(t, g, f.tgt, g.pc[f.tgt].place) + 0.6
        return worth_of(t, g, f.tgt, action)
    if q == Q_OBST_SRC:
        return 0.1 if action == NO_OBSTACLE else best_edge(t, g, team, f, action - 1) - (0.05 if action else 0)
    if q == Q_OBST_EDGE:
        return edge_value(t, g, team, f.a - 1, action)
    if q == Q_TRAP_PLACE:
        return 0 if action == DECLINE else trap_place_value(t, g, team, action)
    if q == Q_CYBORG:
        return cyborg_value(t, g, seat, g.pc[CYBORG].place if action == DECLINE else action)
    if q == Q_REMOVE:
        return remove_value(t, g, seat, action)
    if q == Q_FIRST_PLACE or q == Q_REPLACE:
        i = first_piece(g) if q == Q_FIRST_PLACE else next_return(g)
        goal = goals(t, g, i)
        return -0.5 * distance(g, action, goal) if goal else -0.1 * distance(g, action, bit(5))
    if q == Q_GO_PLACE:
        v = 0
        for i in range(PIECES):
            if g.pc[i].place != NONE and t.piece_team[i] != team:
                v += 0.5 * distance(g, g.pc[i].place, bit(action))
        return v
    if q == Q_DICE_MASK:
        v = 0
        for i in range(2):
            if action >> i & 1:
                v += 3.5 - g.team[team].dice[i]
        return v
    if q == Q_DIE:
        return 6 - g.team[team].dice[action]
    if q == Q_SETASIDE:
        return -3 * t.card[action].worth
    if q == Q_COMP_CARD:
        return 3 * t.card[action].worth
    return 3 * t.board[action].worth            # DRAFT, COMP_CHAR


cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef Titans g = (<const Titans*> state)[0]
    cdef int q = prompt_of(tables, state, seat)
    cdef int i
    for i in range(n):
        out[i] = SCALE * value_for(t, &g, q, seat, actions[i])


cdef action_t quick_action(const void* tables, const void* state, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil:
    """The best answer; where it would be dear to find, any."""
    cdef const Tables* t = <const Tables*> tables
    cdef Titans g
    cdef int q, i
    cdef int best = 0
    cdef float highest = -1000
    cdef float v
    if n == 1:
        return actions[0]
    q = prompt_of(tables, state, seat)
    if q == Q_OBST_SRC or q == Q_OBST_EDGE or q == Q_PIECE:
        return actions[rng_below(rng, <uint32_t> n)]
    g = (<const Titans*> state)[0]
    for i in range(n):
        v = value_for(t, &g, q, seat, actions[i])
        if v > highest:
            highest = v
            best = i
    return actions[best]
