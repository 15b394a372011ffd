"""What an effect could do in a position, and which cards could be played (sections 3.2, 6.6, 6.8 and 6.9)."""
from libc.string cimport memset

from seatmate.engine.core.machine cimport Call, next_call, value
from seatmate.engine.core.types cimport int32_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.titans.content.vocabulary cimport (
    B_ACT, B_ANY, B_AT, B_ATK, B_BORDER, B_HOST, B_MATE, B_NEAR, B_OWN, B_OWNBASE, B_SELF, B_SPECIAL, B_TGT, COMP,
    C_DAMAGED, C_DIE_BELOW, C_DISPLACEABLE, C_FETCHABLE, C_FIRE, C_FREE_MOVE, C_GHOST, C_HEALS, C_LOCKED, C_NEAR_OWN,
    C_OBSTACLES, C_ON_MAP, C_SAME_PLACE, C_SLOT_USED, C_STEPS, C_STUNNED, C_STUN_TOKEN, C_TELEPORTS, C_TRAPS, C_WOUNDED,
    DECLINE, PIZZA, T_ATTACKED, T_ENTERED, T_HOSTILE, T_KO, T_MOVED, T_SELF, T_START, V_CLEANSE, V_DAMAGE, V_DISPLACE,
    V_ESCAPE, V_FETCH, V_FLAG, V_FORGO_MOVE, V_GIFTS, V_HEAL, V_IGNITE, V_MELEE, V_MOVE, V_OBST, V_PLACE, V_PULL,
    V_PUSH, V_RANGED, V_REROLL_ACT, V_REROLL_MAYHEM, V_REROLL_PLACED, V_SET_ACT, V_SHIELD, V_STUN, V_TELEPORT, V_TRAP,
    V_XFERFIRE, W_ACT1, W_ATTACKED, W_CHANGE, W_ENTER, W_KO, W_MATE, W_START,
)
from seatmate.engine.titans.rules.model cimport (
    CYBORG, ESCAPE, FORFEIT, GHOST, LOCK, MONSTER_TARGET, MOVED, NONE, PIECES, PLACES, PROG, SHIELD, SLOT_USED, STUN,
    S_INNATE, S_MOVE, TEAMS, Piece, arena, bases_of, bit, full_places, icon_places, mate_of, no_heal, on_map, steps_of,
)
from seatmate.engine.titans.rules.supply cimport (
    clues_left, fire_left, gifts_left, stun_supplier, tokens_left, traps_left,
)

# ---- Selectors ----

cdef inline int single(const Tables* t, const Titans* h, int base, int actor, int tgt, int other) noexcept nogil:
    """The piece a simple base means; NONE."""
    if base == B_SELF:
        return actor
    if base == B_ACT:
        return h.active
    if base == B_TGT:
        return tgt
    if base == B_ATK or base == B_HOST:
        return other
    if base == B_MATE:
        return mate_of(t, actor) if actor < PIECES else NONE
    return NONE


cdef int members(const Tables* t, const Titans* h, const Frame* f, const Row* row) noexcept nogil:
    """The pieces on the map a selector of the running call means, as a mask; Cyborg without an owner is never among them."""
    cdef int team = f.team if not f.who else 1 - f.team
    cdef int mask = 0
    cdef int i
    cdef uint16_t around
    if row.base < B_OWN:
        i = single(t, h, row.base, f.actor, f.tgt, f.other)
        return 1 << i if on_map(h, i) and t.piece_team[i] != TEAMS else 0
    around = 0xFFFF
    if row.here:
        around = bit(h.pc[f.actor].place) if on_map(h, f.actor) else 0
    if row.close:
        around = icon_places(t, h, row.icon)
        around |= h.near[lowest_bit(around)]
    for i in range(PIECES):
        if h.pc[i].place != NONE and t.piece_team[i] != TEAMS and (t.piece_team[i] == team) == (row.base == B_OWN):
            if around >> h.pc[i].place & 1:
                mask |= 1 << i
    return mask

# ---- Obstacles (6.9) ----

cdef inline uint32_t all_edges(const Tables* t) noexcept nogil:
    return (<uint32_t> 1 << t.edges) - 1


cdef uint32_t edge_scope(const Tables* t, const Titans* h, int actor, const Row* row, int source) noexcept nogil:
    """The borders an obstacle effect may use for the obstacle from edge `source` (-1: from the supply).

    An obstacle that is relocated has been taken up: what it kept apart is adjacent (R91).
    """
    cdef uint32_t mask = 0
    cdef uint16_t rest
    cdef int here
    if row.base == B_ANY:
        return all_edges(t)
    if row.base == B_BORDER:
        return t.edges_of[lowest_bit(icon_places(t, h, row.icon))]
    if not on_map(h, actor):
        return 0
    here = h.pc[actor].place
    rest = h.near[here]
    if source >= 0 and t.edges_of[here] >> source & 1:
        rest |= bit(t.edge_a[source] + t.edge_b[source] - here)
    while rest:
        mask |= t.edges_of[lowest_bit(rest)]
        rest &= rest - 1
    return mask


cdef uint32_t legal_edges(const Tables* t, const Titans* h, uint32_t scope, int source) noexcept nogil:
    """Borders of the scope that may take the obstacle from edge `source` (-1: from the supply).

    Both ends must keep an open border (R46).
    """
    cdef uint16_t thin = 0          # places that can't lose another border
    cdef uint32_t rest = scope & ~h.obst
    cdef uint32_t legal = 0
    cdef int p, e, n
    for p in range(PLACES):
        n = bit_count(h.near[p])
        if source >= 0 and (t.edge_a[source] == p or t.edge_b[source] == p):
            n += 1
        if n < 2:
            thin |= bit(p)
    while rest:
        e = lowest_bit(rest)
        rest &= rest - 1
        if not (thin >> t.edge_a[e] & 1 or thin >> t.edge_b[e] & 1):
            legal |= <uint32_t> 1 << e
    return legal


cdef uint32_t new_edges(const Tables* t, const Titans* h, int actor, const Row* row, int source) noexcept nogil:
    """Where the obstacle from edge `source` (-1: from the supply) can go; row NULL: to any border."""
    return legal_edges(t, h, edge_scope(t, h, actor, row, source) if row != NULL else all_edges(t), source)


cdef uint32_t obstacle_sources(const Tables* t, const Titans* h, int actor, const Row* row) noexcept nogil:
    """Bit 0: the supply, bit 1 + e: the obstacle on edge e; those with a legal border."""
    cdef uint32_t sources = 0
    cdef uint32_t rest = h.obst
    cdef int e
    if <int> bit_count(h.obst) < t.obstacles and new_edges(t, h, actor, row, -1):
        sources = 1
    while rest:
        e = lowest_bit(rest)
        rest &= rest - 1
        if new_edges(t, h, actor, row, e):
            sources |= <uint32_t> 2 << e
    return sources

# ---- Traps (6.8) ----

cdef uint16_t trap_places(const Tables* t, const Titans* h, int team, uint16_t scope) noexcept nogil:
    """Places of the scope where the team may put traps, if it has tokens."""
    cdef int i
    if traps_left(t, h, team) <= 0:
        return 0
    for i in range(PIECES):
        if h.pc[i].place != NONE and t.piece_team[i] != team and t.piece_team[i] != TEAMS:
            scope &= ~bit(h.pc[i].place)
    if not arena(t):
        for i in range(PLACES):
            if h.trap[team][i]:
                scope &= ~bit(i)
    return scope & ~h.removed


cdef inline uint16_t reach(const Titans* h, int piece) noexcept nogil:
    """The piece's place and those next to it."""
    return bit(h.pc[piece].place) | h.near[h.pc[piece].place] if on_map(h, piece) else 0


cdef uint16_t places_of(const Tables* t, const Titans* h, const Frame* f, const Row* row, int team) noexcept nogil:
    """The places a scope means; `team` decides."""
    cdef uint16_t mask
    cdef int i
    if row.base == B_NEAR:
        return reach(h, f.actor)
    if row.base == B_AT:
        return icon_places(t, h, row.icon)
    if row.base == B_OWNBASE:
        return bases_of(t, h, team)
    mask = (1 << PLACES) - 1
    if row.base == B_SPECIAL:               # without a piece of the holder
        mask &= ~(bases_of(t, h, 0) | bases_of(t, h, 1))
        for i in range(PIECES):
            if h.pc[i].place != NONE and t.piece_team[i] == f.team:
                mask &= ~bit(h.pc[i].place)
    return mask

# ---- Attacks and shifts ----

cdef int attack_targets(const Tables* t, const Titans* h, int actor, bint ranged) noexcept nogil:
    """Pieces (and bit MONSTER_TARGET: the own monster) the actor can attack from where it stands (6.2)."""
    cdef uint16_t where
    cdef int team = t.piece_team[actor]
    cdef int mask = 0
    cdef int i
    if not on_map(h, actor):
        return 0
    where = h.near[h.pc[actor].place] if ranged else bit(h.pc[actor].place)
    for i in range(PIECES):
        if h.pc[i].place != NONE and t.piece_team[i] != team and where >> h.pc[i].place & 1:
            mask |= 1 << i
    if h.team[team].mon_place != NONE and where >> h.team[team].mon_place & 1:
        mask |= 1 << MONSTER_TARGET
    return mask


cdef inline int shiftable(const Tables* t, const Titans* h, int actor, uint16_t where) noexcept nogil:
    """Other pieces on these places that can be pulled, pushed or displaced."""
    cdef int mask = 0
    cdef int i
    for i in range(PIECES):
        if i != actor and h.pc[i].place != NONE and t.piece_team[i] != TEAMS and where >> h.pc[i].place & 1:
            mask |= 1 << i
    return mask


cdef inline int unused_dice(const Tables* t, const Titans* h, int team) noexcept nogil:
    return ~h.team[team].dice_used & (1 if arena(t) else 3)


cdef inline int only(int mask, const Tables* t, const Titans* h, int without, int limit) noexcept nogil:
    """Those of a mask of pieces that lack a token, if one is left."""
    cdef int i
    if mask == 0 or tokens_left(t, h, without, limit) <= 0:
        return 0
    for i in range(PIECES):
        if h.pc[i].tok & without:
            mask &= ~(1 << i)
    return mask


cdef uint64_t choices(const Tables* t, const Titans* h, const Frame* f) noexcept nogil:
    """What the running call can do: the answers to its (first) question without declining, or the pieces it affects,
    or 1; 0 if it can do nothing."""
    cdef int verb = f.verb
    cdef int team = f.team if not f.who else 1 - f.team
    cdef int mask, i, dice
    cdef uint16_t here
    if verb == V_MELEE or verb == V_RANGED:
        mask = attack_targets(t, h, f.actor, verb == V_RANGED)
        if arena(t) and mask == 1 << CYBORG:
            mask |= 1 << DECLINE            # R71
        return mask
    if verb == V_DAMAGE:
        return members(t, h, f, &t.row[f.args[1]])
    if verb == V_HEAL:
        mask = members(t, h, f, &t.row[f.args[1]])
        for i in range(PIECES):
            if mask >> i & 1 and (h.pc[i].dmg == 0 or no_heal(t, h, t.piece_team[i])):
                mask &= ~(1 << i)
        return mask
    if verb == V_MOVE or verb == V_DISPLACE or verb == V_TELEPORT:
        mask = members(t, h, f, &t.row[f.args[0]])
        if mask == 0:
            return 0
        i = lowest_bit(mask)
        if verb == V_MOVE:
            return steps_of(t, h, i)
        if verb == V_DISPLACE:
            return h.near[h.pc[i].place] & ~full_places(h)
        return ((1 << PLACES) - 1) & ~full_places(h) & ~bit(h.pc[i].place)
    if verb == V_OBST:
        return obstacle_sources(t, h, f.actor, &t.row[f.args[0]])
    if verb == V_IGNITE:
        return members(t, h, f, &t.row[f.args[1]]) if fire_left(t, h) > 0 else 0
    if verb == V_PULL or verb == V_PUSH or verb == V_FETCH:
        if not on_map(h, f.actor):
            return 0
        here = bit(h.pc[f.actor].place)
        if verb == V_PUSH:
            return shiftable(t, h, f.actor, here) if h.near[h.pc[f.actor].place] & ~full_places(h) else 0
        if full_places(h) & here:
            return 0
        if verb == V_PULL:
            return shiftable(t, h, f.actor, h.near[h.pc[f.actor].place])
        i = mate_of(t, f.actor)
        return 1 if on_map(h, i) and h.pc[i].place != h.pc[f.actor].place else 0
    if verb == V_STUN:
        mask = members(t, h, f, &t.row[f.args[0]])
        for i in range(PIECES):
            if mask >> i & 1 and (h.pc[i].tok & STUN or traps_left(t, h, stun_supplier(t, i)) <= 0):
                mask &= ~(1 << i)
        return mask
    if verb == V_TRAP:
        return trap_places(t, h, team, places_of(t, h, f, &t.row[f.args[1]], team))
    if verb == V_SHIELD:
        return only(members(t, h, f, &t.row[f.args[0]]), t, h, SHIELD, t.shields)
    if verb == V_ESCAPE:
        return only(members(t, h, f, &t.row[f.args[0]]), t, h, ESCAPE, t.escapes)
    if verb == V_CLEANSE:
        mask = members(t, h, f, &t.row[f.args[0]])
        for i in range(PIECES):
            if mask >> i & 1 and not (h.pc[i].fire or h.pc[i].tok & STUN):
                mask &= ~(1 << i)
        return mask
    if verb == V_REROLL_ACT:
        dice = unused_dice(t, h, team)
        if dice == 3:                       # equal dice are interchangeable (R80)
            return 1 << 1 | 1 << 3 if h.team[team].dice[0] == h.team[team].dice[1] else 1 << 1 | 1 << 2 | 1 << 3
        return 1 << dice if dice else 0
    if verb == V_SET_ACT:
        dice = unused_dice(t, h, team)
        mask = 0
        for i in range(2):
            if dice >> i & 1 and h.team[team].dice[i] != f.args[0]:
                mask |= 1 << i
        if mask == 3 and h.team[team].dice[0] == h.team[team].dice[1]:
            mask = 1
        return mask
    if verb == V_REROLL_PLACED:
        return h.active == f.actor and not h.flags & SLOT_USED
    if verb == V_XFERFIRE:
        mask = members(t, h, f, &t.row[f.args[0]])
        return mask and h.pc[lowest_bit(mask)].fire and members(t, h, f, &t.row[f.args[1]])
    if verb == V_FLAG:
        return 1 if f.args[1] < 0 else members(t, h, f, &t.row[f.args[1]])
    if verb == V_PLACE:
        if f.args[0] == PIZZA and h.pizza != NONE:
            return 0
        if f.args[0] == 1 and clues_left(t, h) <= 0:
            return 0
        return places_of(t, h, f, &t.row[f.args[1]], team)
    if verb == V_GIFTS:
        return gifts_left(t, h) > 0
    return verb == V_REROLL_MAYHEM or verb == V_FORGO_MOVE

# ---- Cards ----

cdef int32_t no_amount(const Machine* machine, int code, const int32_t* args) noexcept nogil:
    return 0


cdef int32_t no_register(const Machine* machine, int code) noexcept nogil:
    return 0


cdef int32_t condition(const Machine* machine, int code, const int32_t* args) noexcept nogil:
    """A condition of the vocabulary."""
    cdef const Context* c = <const Context*> machine
    cdef const Tables* t = c.t
    cdef const Titans* h = c.h
    cdef const Piece* p
    cdef int i, dice
    if code == C_DIE_BELOW:
        dice = unused_dice(t, h, c.team)
        return (dice & 1 and h.team[c.team].dice[0] < args[0]) or (dice & 2 and h.team[c.team].dice[1] < args[0])
    if code == C_OBSTACLES:
        return obstacle_sources(t, h, NONE, NULL) != 0
    if code == C_WOUNDED:
        for i in range(PIECES):
            if t.piece_team[i] == c.team and h.pc[i].place != NONE and h.pc[i].dmg:
                return 1
        return 0
    if code == C_HEALS:
        return not no_heal(t, h, c.team)
    if code == C_FREE_MOVE:
        return h.step == S_MOVE and not h.flags & (MOVED | FORFEIT) and not h.pc[h.active].marks & LOCK
    if code == C_SLOT_USED:
        return (h.flags & SLOT_USED) != 0
    if code == C_TRAPS:
        return trap_places(t, h, c.team, reach(h, h.active)) != 0
    if code == C_FETCHABLE:
        if not on_map(h, h.active) or full_places(h) >> h.pc[h.active].place & 1:
            return 0
        i = mate_of(t, h.active)
        return on_map(h, i) and h.pc[i].place != h.pc[h.active].place
    if code == C_STUN_TOKEN:
        return on_map(h, h.active) and traps_left(t, h, stun_supplier(t, h.active)) > 0
    if code == C_SAME_PLACE:
        return on_map(h, c.tgt) and on_map(h, c.other) and h.pc[c.tgt].place == h.pc[c.other].place
    i = single(t, h, t.row[args[0]].base, c.actor, c.tgt, c.other)
    if not on_map(h, i):
        return 0
    p = &h.pc[i]
    if code == C_ON_MAP:
        return 1
    if code == C_DAMAGED:
        return p.dmg > 0
    if code == C_GHOST:
        return (p.marks & GHOST) != 0
    if code == C_LOCKED:
        return (p.marks & LOCK) != 0
    if code == C_STUNNED:
        return (p.tok & STUN) != 0
    if code == C_FIRE:
        return p.fire > 0
    if code == C_TELEPORTS:
        return (((1 << PLACES) - 1) & ~full_places(h) & ~bit(p.place)) != 0
    if code == C_STEPS:
        return steps_of(t, h, i) != 0
    if code == C_DISPLACEABLE:
        return (h.near[p.place] & ~full_places(h)) != 0
    if code == C_NEAR_OWN:
        for dice in range(PIECES):
            if t.piece_team[dice] == c.team and h.pc[dice].place != NONE and reach(h, i) >> h.pc[dice].place & 1:
                return 1
    return 0


cdef void look(Context* c, const Tables* t, const Titans* h, int team, int actor, int tgt, int other) noexcept nogil:
    """Prepare to run code from the point of view of a team."""
    c.machine.code = t.code
    c.machine.register_value = no_register
    c.machine.amount = no_amount
    c.machine.condition = condition
    c.t = t
    c.h = h
    c.team = team
    c.actor = actor
    c.tgt = tgt
    c.other = other


cdef uint32_t possible_cards(const Tables* t, const Titans* h, int seat) noexcept nogil:
    """The cards a seat could hold as far as everybody knows (6.6)."""
    cdef uint32_t cards = t.deck
    cdef int s
    if t.first_game:
        return h.hand[seat]
    if t.mode == COMP:
        return cards & ~h.used[seat]
    for s in range(t.seats):
        cards &= ~h.used[s]
    return cards


cdef uint32_t playable(const Tables* t, const Titans* h, uint32_t cards, int team, int actor, int tgt, int other,
                       bint first_is_enough) noexcept nogil:
    """Those of the cards whose condition holds for the team; only the first one found if that is enough."""
    cdef Context c
    cdef uint32_t found = 0
    cdef int card
    if cards == 0:
        return 0
    look(&c, t, h, team, actor, tgt, other)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        if t.card[card].when < 0 or value(&c.machine, t.card[card].when):
            found |= <uint32_t> 1 << card
            if first_is_enough:
                return found
    return found


cdef bint can_run(const Tables* t, const Titans* h, int piece) noexcept nogil:
    """Would the innate ability of a piece do anything?"""
    cdef Context c
    cdef Call call
    cdef Frame f
    cdef int i
    cdef int32_t at = t.board[h.pc[piece].ctype].innate
    if at < 0:
        return False
    look(&c, t, h, t.piece_team[piece], piece, NONE, NONE)
    memset(&f, 0, sizeof(Frame))
    f.kind = PROG
    f.team = t.piece_team[piece]
    f.actor = <unsigned char> piece
    f.tgt = NONE
    f.other = NONE
    f.source = <unsigned char> (S_INNATE + piece)
    while next_call(&c.machine, &at, False, &call):
        f.verb = <unsigned char> call.verb
        f.who = call.who > 0
        for i in range(2):
            f.args[i] = <signed char> call.args[i] if i < call.n else 0
        if choices(t, h, &f):
            return True
    return False

# ---- Windows (6.6) ----

cdef uint32_t triggers_of(const Tables* t, int cause, const Frame* f, const Titans* h) noexcept nogil:
    """The cards that may be played in such a window."""
    cdef uint32_t cards
    if cause == W_START:
        return t.of_trigger[T_START]
    if cause == W_ACT1 or cause == W_CHANGE:
        return t.of_trigger[T_HOSTILE]
    if cause == W_MATE:
        return t.of_trigger[T_SELF]
    if cause == W_ATTACKED:
        return t.of_trigger[T_ATTACKED]
    if cause == W_KO:
        return t.of_trigger[T_KO]
    cards = 0
    if h.pc[f.tgt].place == f.place:
        cards = t.of_trigger[T_ENTERED]
        if f.tgt == h.active and f.a:
            cards |= t.of_trigger[T_MOVED]
    return cards | (t.of_trigger[T_HOSTILE] if f.tgt == h.active else 0)


cdef int host_of(const Tables* t, const Titans* h, int seat, int place) noexcept nogil:
    """The piece of the seat's team on a place; NONE."""
    cdef int i
    for i in range(PIECES):
        if h.pc[i].place == place and t.piece_team[i] == t.team_of[seat]:
            return i
    return NONE


cdef int window_other(const Tables* t, const Titans* h, const Frame* f, int seat) noexcept nogil:
    """What @atk or @host means for a card played in the window."""
    return host_of(t, h, seat, f.place) if f.mode == W_ENTER else f.other


cdef uint32_t answers_to_window(const Tables* t, const Titans* h, const Frame* f, int seat, uint32_t cards,
                                bint first_is_enough) noexcept nogil:
    """Those of the cards that the seat could play in the window."""
    cdef int other = window_other(t, h, f, seat)
    cards &= triggers_of(t, f.mode, f, h)
    if f.mode == W_ENTER and other == NONE:
        cards &= ~t.of_trigger[T_ENTERED]
    return playable(t, h, cards, t.team_of[seat], h.active, f.tgt, other, first_is_enough)


cdef bint might_play(const Tables* t, const Titans* h, int seat, int triggers, int tgt, int other) noexcept nogil:
    """The same for a menu of the seat's own turn."""
    if h.team[t.team_of[seat]].played != NONE or h.hand[seat] == 0:
        return False
    return playable(t, h, possible_cards(t, h, seat) & t.of_trigger[triggers], t.team_of[seat], h.active, tgt, other, True) != 0
