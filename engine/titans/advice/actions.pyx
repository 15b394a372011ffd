"""What answers are worth, for the heuristic bot, the priors of the search, and rollouts.

Values are in health points or so; SCALE turns them into utilities. Nothing here looks at another seat's hand.
"""
from libc.string cimport memset

from seatmate.engine.core.machine cimport Call, next_call
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.titans.advice.appraisal cimport (
    WIN, ability_value, attack_damage, best_target, die_slot_value, fire_value, goals, hit_value, least, monster_value,
    most, piece_value, run_value, shift_value, stun_value, trap_hits, worth_of,
)
from seatmate.engine.titans.advice.judgement cimport distance
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.board cimport find_neighbours
from seatmate.engine.titans.rules.legal cimport first_piece, next_return, prompt, slot_tier
from seatmate.engine.titans.rules.model cimport Book, Frame, Titans, bit, full_places, mate_fell, value_of
from seatmate.engine.titans.rules.query cimport Context, choices, look, members, new_edges

from seatmate.engine.titans.content.pack import VERB_CODES, VERBS

cdef double ON_CARD[V.VERBS]
for _name, _code in VERB_CODES.items():
    ON_CARD[<int> _code] = VERBS[_name].on_card

cdef float SCALE = 0.05
# ---- Cards ----

cdef float card_value(const Book* t, Titans* g, int seat, int card, int target, int other) noexcept nogil:
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
    look(&c, t, g, team, g.active, target, other)
    memset(&f, 0, sizeof(Frame))
    f.kind = V.K_PROGRAM
    f.team = <uint8_t> team
    f.seat = <uint8_t> seat
    f.actor = g.active
    f.target = <uint8_t> target
    f.other = <uint8_t> other
    f.source = <uint8_t> card
    for i in range(g.depth):
        if g.frame[i].kind == V.K_ATTACK:
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
        if f.verb == V.V_REROLL_MAYHEM:
            sum += 0.8 * (2.17 - value_of(t, g)) + (0.3 if not t.face_star[g.face] else -0.3)
        elif f.verb == V.V_REROLL_ACT:
            for i in range(2):
                if g.team[team].dice[i] and g.team[team].dice[i] < 4:
                    sum += 0.4 * (3.8 - g.team[team].dice[i])
        elif f.verb == V.V_SET_ACT:
            sum += 0.3 * (n - least(g.team[team].dice[0], g.team[team].dice[1]))
        elif f.verb == V.V_HEAL:
            for i in range(V.PIECES):
                if mask >> i & 1:
                    sum += 0.7 * least(n, g.piece[i].damage)
        elif f.verb == V.V_FLAG:
            sum += flag_value(t, g, team, n)
        elif f.verb == V.V_STUN:
            sum += 0.3 + (act_value(t, g) if g.flags & V.MOVED else 0.45 * act_value(t, g) + 0.5)
        elif f.verb == V.V_IGNITE:
            sum += fire_value(t, g, i, n)
        elif f.verb == V.V_XFERFIRE:
            sum += 1.5 * (g.piece[other].fire if other < V.PIECES else 1)
        elif f.verb == V.V_SHIELD:
            sum += 0.7 * least(2, damage) + rescue(t, g, target, damage, 2)
        elif f.verb == V.V_MOVE and f.args[1]:
            sum += 0.7 * damage + rescue(t, g, target, damage, damage)
        elif f.verb == V.V_DISPLACE:
            mine = act_value(t, g)
            sum += 0.5 * mine + shift_value(t, g, team, target, <uint16_t> mask, &to)
        elif f.verb == V.V_TRAP:
            sum += 0.45 * n
        else:
            sum += ON_CARD[f.verb]
    return sum


cdef float act_value(const Book* t, Titans* g) noexcept nogil:
    """What the active piece's ability still promises its team."""
    if g.active == V.NONE or g.flags & V.SLOT_USED:
        return 0
    return ability_value(t, g, g.active, g.slot, slot_tier(t, g, g.active, g.slot))


cdef float rescue(const Book* t, const Titans* g, int piece, int damage, int saved) noexcept nogil:
    """More, if it keeps the piece alive."""
    cdef int left
    if piece >= V.PIECES:
        return 0
    left = t.board[g.piece[piece].character].health - g.piece[piece].damage
    if damage < left or damage - saved >= left:
        return 0
    return 3 + (WIN if mate_fell(t, g, piece) else 0)


cdef float flag_value(const Book* t, Titans* g, int team, int flag) noexcept nogil:
    cdef int piece = g.active
    cdef int tier, with_it
    cdef float v
    if flag == V.F_ATK1:
        return 1.0
    if piece == V.NONE:
        return 0
    if flag == V.F_LOCK:
        if g.flags & V.MOVED:
            return 0.1
        return 0.6 + (1.2 if goals(t, g, piece) & g.near[g.piece[piece].place] else 0)
    if flag == V.F_GHOST:
        return 0.3
    if flag == V.F_NEXT2:
        tier = 0
        v = best_target(t, g, piece, False, 0, &with_it) + best_target(t, g, piece, True, 0, &with_it)
        return 2.2 if v > 0 and g.flags & V.MOVED else 0.3
    if flag == V.F_SPECIAL_ON or flag == V.F_SPECIAL_OFF:
        tier = slot_tier(t, g, piece, g.slot)
        with_it = 2 if t.face_star[g.face] else 1
        if (flag == V.F_SPECIAL_ON) == (tier > 0):
            return 0
        v = ability_value(t, g, piece, g.slot, with_it) - ability_value(t, g, piece, g.slot, 0)
        return 0.9 * v if g.flags & V.MOVED else 0.5 * v + 0.5
    return 0.3

# ---- Questions ----

cdef float pass_value(const Titans* state, int seat) noexcept nogil:
    """Keeping a card for later."""
    cdef int rounds = 5 - state.round if state.round < 4 else 1
    return 0.6 if <int> bit_count(state.hand[seat]) <= rounds else 0.35


cdef float edge_value(const Book* t, const Titans* state, int team, int source, int edge) noexcept nogil:
    """How much longer the opponents' ways get, less our own."""
    cdef Titans g = state[0]
    cdef float v = 0
    cdef int i, d
    cdef uint16_t goal
    if source >= 0:
        g.obstacles &= ~(<uint32_t> 1 << source)
    g.obstacles |= <uint32_t> 1 << edge
    find_neighbours(t, &g)
    for i in range(t.pieces):
        if state.piece[i].place == V.NONE:
            continue
        goal = goals(t, state, i)
        if t.wild:
            d = (distance(&g, state.piece[i].place, bit(state.piece[V.CYBORG].place))
                 - distance(state, state.piece[i].place, bit(state.piece[V.CYBORG].place)))
            v += 0.3 * d if t.piece_team[i] == team else -0.2 * d
        elif goal:
            d = distance(&g, state.piece[i].place, goal) - distance(state, state.piece[i].place, goal)
            v += -0.4 * d if t.piece_team[i] == team else 0.4 * d
    return v


cdef float best_edge(const Book* t, const Titans* state, int team, const Frame* f, int source) noexcept nogil:
    cdef uint32_t rest = new_edges(t, state, f.actor, &t.row[f.args[0]], source)
    cdef float best = -9
    while rest:
        best = most(best, edge_value(t, state, team, source, lowest_bit(rest)))
        rest &= rest - 1
    return best


cdef float trap_place_value(const Book* t, const Titans* state, int team, int place) noexcept nogil:
    """Where opponents want to go."""
    cdef float v = 0.1
    cdef int i, d
    cdef uint16_t goal
    for i in range(t.pieces):
        if state.piece[i].place == V.NONE:
            continue
        d = distance(state, state.piece[i].place, bit(place))
        if t.piece_team[i] == team:
            if t.common_traps and d <= 1:
                v -= 0.3
            continue
        goal = goals(t, state, i)
        if goal >> place & 1:
            v += 0.6
        if d <= 1:
            v += 0.3
    return v


cdef float cyborg_value(const Book* t, const Titans* state, int seat, int place) noexcept nogil:
    """6.10: fire for the rivals next to him, not for oneself."""
    cdef float v = 0
    cdef int i
    for i in range(3):
        if state.piece[i].place != V.NONE and (state.near[place] | bit(place)) >> state.piece[i].place & 1:
            v += -1.5 if i == seat else 1.2
    return v


cdef float remove_value(const Book* t, const Titans* state, int seat, int place) noexcept nogil:
    cdef float v = 0
    cdef int i
    for i in range(3):
        if state.piece[i].place != V.NONE and state.near[place] >> state.piece[i].place & 1:
            v += -0.5 if i == seat else 0.4
    return v


cdef float dest_value(const Book* t, Titans* g, const Frame* f, int team, int action) noexcept nogil:
    """Where a piece is moved, teleported, pushed or displaced to."""
    cdef int piece, to, stood
    cdef float v
    if f.verb == V.V_PUSH:
        return shift_value(t, g, team, f.a, bit(action), &to)
    piece = lowest_bit(<uint64_t> members(t, g, f, &t.row[f.args[0]]))
    if f.verb == V.V_DISPLACE:
        return shift_value(t, g, team, piece, bit(action), &to)
    stood = g.piece[piece].place
    v = worth_of(t, g, piece, action if action != V.DECLINE else stood)
    if action != V.DECLINE:
        g.piece[piece].place = <uint8_t> action
    if f.source >= 64:
        v += run_value(t, g, piece, f.at)
    elif piece == g.active:
        v += act_value(t, g)
    g.piece[piece].place = <uint8_t> stood
    return v


cdef float victim_value(const Book* t, Titans* g, const Frame* f, int team, int action) noexcept nogil:
    """Whom to pull or push."""
    cdef int to, stood
    cdef float v
    if f.verb == V.V_PUSH:
        if action == V.DECLINE:
            return 0
        return shift_value(t, g, team, action, g.near[g.piece[f.actor].place] & ~full_places(g), &to) - (
            0.5 if t.piece_team[action] == team else 0)
    if action == V.DECLINE:
        return run_value(t, g, f.actor, f.at)
    stood = g.piece[action].place
    g.piece[action].place = g.piece[f.actor].place
    v = run_value(t, g, f.actor, f.at)
    g.piece[action].place = <uint8_t> stood
    v += 1.2 * trap_hits(t, g, action, g.piece[f.actor].place) * (-1 if t.piece_team[action] == team else 1)
    return v


cdef float target_value(const Book* t, const Titans* state, const Frame* f, int team, int action) noexcept nogil:
    """Whom to attack, or whom an effect is for."""
    cdef int damage = attack_damage(t, state, team, f.args[0])
    if f.verb == V.V_MELEE or f.verb == V.V_RANGED:
        if action == V.DECLINE:
            return 0
        if action == V.MONSTER_TARGET:
            return monster_value(t, state, team, damage)
        if t.piece_team[action] == V.TEAMS:
            return 0.5
        return hit_value(t, state, team, action, damage)
    if t.piece_team[action] == team:
        if f.verb == V.V_STUN:
            return -0.5 if state.piece[action].activations == 0 else 0
        return 0.2 * state.piece[action].damage
    if f.verb == V.V_STUN:
        return stun_value(state, action)
    return 1.0 + 0.1 * state.piece[action].damage - (0.5 if state.piece[action].fire >= 3 else 0)


cdef float value_for(const Book* t, Titans* g, int q, int seat, int action) noexcept nogil:
    """One answer; `g` is a copy of the position, left as it was."""
    cdef const Frame* f = &g.frame[g.depth - 1] if g.depth else NULL
    cdef int team = t.team_of[seat]
    cdef int i, stood
    cdef float v
    cdef uint16_t goal
    if f != NULL and f.kind == V.K_PROGRAM and f.who:
        team = 1 - f.team
    if q == V.Q_MOVE or q == V.Q_ABILITY:
        if action >= V.PLAY_CARD:
            v = card_value(t, g, seat, action - V.PLAY_CARD, V.NONE, V.NONE) - pass_value(g, seat)
            if q == V.Q_ABILITY:
                return v if v > 0 else -1
            return (v + value_for(t, g, q, seat, V.STAY)) if v > 0 else -9
    if q == V.Q_MOVE:
        stood = g.piece[g.active].place
        if action == V.STAY:
            return worth_of(t, g, g.active, stood) + act_value(t, g)
        v = worth_of(t, g, g.active, action)
        g.piece[g.active].place = <uint8_t> action
        if not g.piece[g.active].tokens & V.STUN:
            v += act_value(t, g)
        g.piece[g.active].place = <uint8_t> stood
        return v
    if q == V.Q_ABILITY:
        if action == V.USE_SLOT:
            return act_value(t, g) + 0.1
        if action == V.USE_INNATE:
            i = t.board[g.piece[g.active].character].limit
            if i == 0:
                v = run_value(t, g, g.active, t.board[g.piece[g.active].character].innate)
                if v == 0:                  # a die is rolled again: good if it does not reach its slot
                    return 3 if slot_tier(t, g, g.active, g.slot) == 0 and not g.flags & V.SLOT_USED else -1
                return v + (0.2 if not g.piece[g.active].tokens & V.STUN else 0)
            v = g.piece[g.active].fire + (1 if g.piece[g.active].tokens & V.STUN else 0)
            return 2.2 if v >= 2 else -0.5
        return 0
    if q == V.Q_DIE_SLOT:
        return die_slot_value(t, g, g.active, g.team[g.acting].dice[action >> 1], action & 1)
    if q == V.Q_PIECE:
        return piece_value(t, g, action)
    if q == V.Q_WINDOW:
        if action == 0:
            return pass_value(g, seat)
        i = f.other
        if f.mode == 3:
            for stood in range(V.PIECES):
                if g.piece[stood].place == f.place and t.piece_team[stood] == team:
                    i = stood
        return card_value(t, g, seat, action - 1, f.target, i)
    if q == V.Q_TARGET or q == V.Q_GO_PIECE:
        return target_value(t, g, f, team, action)
    if q == V.Q_DEST:
        return dest_value(t, g, f, team, action)
    if q == V.Q_VICTIM:
        return victim_value(t, g, f, team, action)
    if q == V.Q_ESCAPE:
        if action == V.DECLINE:
            return worth_of(t, g, f.target, g.piece[f.target].place) + 0.6
        return worth_of(t, g, f.target, action)
    if q == V.Q_OBST_SRC:
        return 0.1 if action == V.NO_OBSTACLE else best_edge(t, g, team, f, action - 1) - (0.05 if action else 0)
    if q == V.Q_OBST_EDGE:
        return edge_value(t, g, team, f.a - 1, action)
    if q == V.Q_TRAP_PLACE:
        return 0 if action == V.DECLINE else trap_place_value(t, g, team, action)
    if q == V.Q_CYBORG:
        return cyborg_value(t, g, seat, g.piece[V.CYBORG].place if action == V.DECLINE else action)
    if q == V.Q_REMOVE:
        return remove_value(t, g, seat, action)
    if q == V.Q_FIRST_PLACE or q == V.Q_REPLACE:
        i = first_piece(g) if q == V.Q_FIRST_PLACE else next_return(g)
        goal = goals(t, g, i)
        return -0.5 * distance(g, action, goal) if goal else -0.1 * distance(g, action, bit(5))
    if q == V.Q_GO_PLACE:
        v = 0
        for i in range(V.PIECES):
            if g.piece[i].place != V.NONE and t.piece_team[i] != team:
                v += 0.5 * distance(g, g.piece[i].place, bit(action))
        return v
    if q == V.Q_DICE_MASK:
        v = 0
        for i in range(2):
            if action >> i & 1:
                v += 3.5 - g.team[team].dice[i]
        return v
    if q == V.Q_DIE:
        return 6 - g.team[team].dice[action]
    if q == V.Q_SETASIDE:
        return -3 * t.card[action].worth
    if q == V.Q_COMP_CARD:
        return 3 * t.card[action].worth
    return 3 * t.board[action].worth            # DRAFT, COMP_CHAR


cdef void score_actions(const void* tables, const void* data, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef Titans g = (<const Titans*> data)[0]
    cdef int q = prompt(tables, data, seat)
    cdef int i
    for i in range(n):
        out[i] = SCALE * value_for(t, &g, q, seat, actions[i])


cdef action_t quick_action(const void* tables, const void* data, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil:
    """The best answer; where it would be dear to find, any."""
    cdef const Book* t = <const Book*> tables
    cdef Titans g
    cdef int q, i
    cdef int best = 0
    cdef float highest = -1000
    cdef float v
    if n == 1:
        return actions[0]
    q = prompt(tables, data, seat)
    if q == V.Q_OBST_SRC or q == V.Q_OBST_EDGE or q == V.Q_PIECE:
        return actions[rng_below(rng, <uint32_t> n)]
    g = (<const Titans*> data)[0]
    for i in range(n):
        v = value_for(t, &g, q, seat, actions[i])
        if v > highest:
            highest = v
            best = i
    return actions[best]
