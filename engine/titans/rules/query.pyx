"""What an effect could do in a position, and which cards could be played (sections 3.2, 6.6, 6.8 and 6.9)."""
from libc.string cimport memset

from seatmate.engine.core.machine cimport Call, next_call, value
from seatmate.engine.core.types cimport int32_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.titans.rules.model cimport (
    Piece, bases_of, bit, full_places, icon_places, no_heal, on_map, side, steps_of,
)
from seatmate.engine.titans.rules.supply cimport traps_left

cdef Verb VERB[V.VERBS]

# ---- Selectors ----

cdef inline int single(const Book* t, const Titans* state, int base, int actor, int target, int other) noexcept nogil:
    """The piece a simple base means; NONE."""
    if base == V.B_SELF:
        return actor
    if base == V.B_ACT:
        return state.active
    if base == V.B_TGT:
        return target
    if base == V.B_ATK or base == V.B_HOST:
        return other
    return V.NONE


cdef int members(const Book* t, const Titans* state, const Frame* f, const Row* row) noexcept nogil:
    """The pieces on the map a selector of the running call means, as a mask; Cyborg without an owner is never among them."""
    cdef int team = side(f)
    cdef int mask = 0
    cdef int i
    cdef uint16_t around
    if row.base < V.B_OWN:
        i = single(t, state, row.base, f.actor, f.target, f.other)
        return 1 << i if on_map(state, i) and t.piece_team[i] != V.TEAMS else 0
    around = 0xFFFF
    if row.here:
        around = bit(state.piece[f.actor].place) if on_map(state, f.actor) else 0
    if row.close:
        around = icon_places(t, state, row.icon)
        around |= state.near[lowest_bit(around)]
    for i in range(V.PIECES):
        if state.piece[i].place != V.NONE and t.piece_team[i] != V.TEAMS and (t.piece_team[i] == team) == (row.base == V.B_OWN):
            if around >> state.piece[i].place & 1:
                mask |= 1 << i
    return mask

# ---- Obstacles (6.9) ----

cdef inline uint32_t all_edges(const Book* t) noexcept nogil:
    return (<uint32_t> 1 << t.edges) - 1


cdef uint32_t edge_scope(const Book* t, const Titans* state, int actor, const Row* row, int source) noexcept nogil:
    """The borders an obstacle effect may use for the obstacle from edge `source` (-1: from the supply).

    An obstacle that is relocated has been taken up: what it kept apart is adjacent (R91).
    """
    cdef uint32_t mask = 0
    cdef uint16_t rest
    cdef int here
    if row.base == V.B_ANY:
        return all_edges(t)
    if row.base == V.B_BORDER:
        return t.edges_of[lowest_bit(icon_places(t, state, row.icon))]
    if not on_map(state, actor):
        return 0
    here = state.piece[actor].place
    rest = state.near[here]
    if source >= 0 and t.edges_of[here] >> source & 1:
        rest |= bit(t.edge_a[source] + t.edge_b[source] - here)
    while rest:
        mask |= t.edges_of[lowest_bit(rest)]
        rest &= rest - 1
    return mask


cdef uint32_t legal_edges(const Book* t, const Titans* state, uint32_t scope, int source) noexcept nogil:
    """Borders of the scope that may take the obstacle from edge `source` (-1: from the supply).

    Both ends must keep an open border (R46).
    """
    cdef uint16_t thin = 0          # places that can't lose another border
    cdef uint32_t rest = scope & ~state.obstacles
    cdef uint32_t legal = 0
    cdef int p, e, n
    for p in range(V.PLACES):
        n = bit_count(state.near[p])
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


cdef uint32_t new_edges(const Book* t, const Titans* state, int actor, const Row* row, int source) noexcept nogil:
    """Where the obstacle from edge `source` (-1: from the supply) can go; row NULL: to any border."""
    return legal_edges(t, state, edge_scope(t, state, actor, row, source) if row != NULL else all_edges(t), source)


cdef uint32_t obstacle_sources(const Book* t, const Titans* state, int actor, const Row* row) noexcept nogil:
    """Bit 0: the supply, bit 1 + e: the obstacle on edge e; those with a legal border."""
    cdef uint32_t sources = 0
    cdef uint32_t rest = state.obstacles
    cdef int e
    if <int> bit_count(state.obstacles) < t.obstacles and new_edges(t, state, actor, row, -1):
        sources = 1
    while rest:
        e = lowest_bit(rest)
        rest &= rest - 1
        if new_edges(t, state, actor, row, e):
            sources |= <uint32_t> 2 << e
    return sources

# ---- Traps (6.8) ----

cdef uint16_t trap_places(const Book* t, const Titans* state, int team, uint16_t scope) noexcept nogil:
    """Places of the scope where the team may put traps, if it has tokens."""
    cdef int i
    if traps_left(t, state, team) <= 0:
        return 0
    for i in range(V.PIECES):
        if state.piece[i].place != V.NONE and t.piece_team[i] != team and t.piece_team[i] != V.TEAMS:
            scope &= ~bit(state.piece[i].place)
    if not t.common_traps:
        for i in range(V.PLACES):
            if state.trap[team][i]:
                scope &= ~bit(i)
    return scope & ~state.removed


cdef inline uint16_t reach(const Titans* state, int piece) noexcept nogil:
    """The piece's place and those next to it."""
    return bit(state.piece[piece].place) | state.near[state.piece[piece].place] if on_map(state, piece) else 0


cdef uint16_t places_of(const Book* t, const Titans* state, const Frame* f, const Row* row, int team) noexcept nogil:
    """The places a scope means; `team` decides."""
    cdef uint16_t mask
    cdef int i
    if row.base == V.B_NEAR:
        return reach(state, f.actor)
    if row.base == V.B_AT:
        return icon_places(t, state, row.icon)
    if row.base == V.B_OWNBASE:
        return bases_of(t, state, team)
    mask = (1 << V.PLACES) - 1
    if row.base == V.B_SPECIAL:               # without a piece of the holder
        mask &= ~(bases_of(t, state, 0) | bases_of(t, state, 1))
        for i in range(V.PIECES):
            if state.piece[i].place != V.NONE and t.piece_team[i] == f.team:
                mask &= ~bit(state.piece[i].place)
    return mask

# ---- Attacks and shifts ----

cdef int attack_targets(const Book* t, const Titans* state, int actor, bint ranged) noexcept nogil:
    """Pieces (and bit V.MONSTER_TARGET: the own monster) the actor can attack from where it stands (6.2)."""
    cdef uint16_t where
    cdef int team = t.piece_team[actor]
    cdef int mask = 0
    cdef int i
    if not on_map(state, actor):
        return 0
    where = state.near[state.piece[actor].place] if ranged else bit(state.piece[actor].place)
    for i in range(V.PIECES):
        if state.piece[i].place != V.NONE and t.piece_team[i] != team and where >> state.piece[i].place & 1:
            mask |= 1 << i
    if state.team[team].monster_place != V.NONE and where >> state.team[team].monster_place & 1:
        mask |= 1 << V.MONSTER_TARGET
    return mask


cdef int shiftable(const Book* t, const Titans* state, int actor, uint16_t where) noexcept nogil:
    """Other pieces on these places that can be pulled, pushed or displaced."""
    cdef int mask = 0
    cdef int i
    for i in range(V.PIECES):
        if i != actor and state.piece[i].place != V.NONE and t.piece_team[i] != V.TEAMS and where >> state.piece[i].place & 1:
            mask |= 1 << i
    return mask


cdef int unused_dice(const Book* t, const Titans* state, int team) noexcept nogil:
    return ~state.team[team].dice_used & ((1 << t.dice) - 1)


cdef uint64_t choices(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    """What the running call can do: the answers to its (first) question without declining, or the pieces it affects,
    or 1; 0 if it can do nothing."""
    cdef const Verb* verb = &VERB[f.verb]
    cdef int mask, i
    if verb.possible != NULL:
        return verb.possible(t, state, f)
    if verb.affect == NULL:
        return 0
    mask = members(t, state, f, &t.row[f.args[verb.selector]])
    if verb.fits != NULL:
        for i in range(V.PIECES):
            if mask >> i & 1 and not verb.fits(t, state, i):
                mask &= ~(1 << i)
    return mask

# ---- Cards ----

cdef int32_t no_amount(const Machine* machine, int code, const int32_t* args) noexcept nogil:
    return 0


cdef int32_t no_register(const Machine* machine, int code) noexcept nogil:
    return 0


cdef int32_t condition(const Machine* machine, int code, const int32_t* args) noexcept nogil:
    """A condition of the vocabulary."""
    cdef const Context* c = <const Context*> machine
    cdef const Book* t = c.t
    cdef const Titans* state = c.state
    cdef const Piece* p
    cdef int i, dice
    if code == V.C_DIE_BELOW:
        dice = unused_dice(t, state, c.team)
        return (dice & 1 and state.team[c.team].dice[0] < args[0]) or (dice & 2 and state.team[c.team].dice[1] < args[0])
    if code == V.C_OBSTACLES:
        return obstacle_sources(t, state, V.NONE, NULL) != 0
    if code == V.C_WOUNDED:
        for i in range(V.PIECES):
            if t.piece_team[i] == c.team and state.piece[i].place != V.NONE and state.piece[i].damage:
                return 1
        return 0
    if code == V.C_HEALS:
        return not no_heal(t, state, c.team)
    if code == V.C_FREE_MOVE:
        return (state.step == V.S_MOVE and not state.flags & (V.MOVED | V.FORFEIT)
                and not state.piece[state.active].marks & V.LOCK)
    if code == V.C_SLOT_USED:
        return (state.flags & V.SLOT_USED) != 0
    if code == V.C_TRAPS:
        return trap_places(t, state, c.team, reach(state, state.active)) != 0
    if code == V.C_FETCHABLE:
        if not on_map(state, state.active) or full_places(state) >> state.piece[state.active].place & 1:
            return 0
        i = t.mate[state.active]
        return on_map(state, i) and state.piece[i].place != state.piece[state.active].place
    if code == V.C_STUN_TOKEN:
        return on_map(state, state.active) and traps_left(t, state, t.foes_row[state.active]) > 0
    if code == V.C_SAME_PLACE:
        return on_map(state, c.target) and on_map(state, c.other) and state.piece[c.target].place == state.piece[c.other].place
    i = single(t, state, t.row[args[0]].base, c.actor, c.target, c.other)
    if not on_map(state, i):
        return 0
    p = &state.piece[i]
    if code == V.C_ON_MAP:
        return 1
    if code == V.C_DAMAGED:
        return p.damage > 0
    if code == V.C_GHOST:
        return (p.marks & V.GHOST) != 0
    if code == V.C_LOCKED:
        return (p.marks & V.LOCK) != 0
    if code == V.C_STUNNED:
        return (p.tokens & V.STUN) != 0
    if code == V.C_FIRE:
        return p.fire > 0
    if code == V.C_TELEPORTS:
        return (((1 << V.PLACES) - 1) & ~full_places(state) & ~bit(p.place)) != 0
    if code == V.C_STEPS:
        return steps_of(t, state, i) != 0
    if code == V.C_DISPLACEABLE:
        return (state.near[p.place] & ~full_places(state)) != 0
    if code == V.C_NEAR_OWN:
        for dice in range(V.PIECES):
            if t.piece_team[dice] == c.team and on_map(state, dice) and reach(state, i) >> state.piece[dice].place & 1:
                return 1
    return 0


cdef void look(Context* c, const Book* t, const Titans* state, int team, int actor, int target, int other) noexcept nogil:
    """Prepare to run code from the point of view of a team."""
    c.machine.code = t.code
    c.machine.register_value = no_register
    c.machine.amount = no_amount
    c.machine.condition = condition
    c.t = t
    c.state = state
    c.team = team
    c.actor = actor
    c.target = target
    c.other = other


cdef uint32_t possible_cards(const Book* t, const Titans* state, int seat) noexcept nogil:
    """The cards a seat could hold as far as everybody knows (6.6)."""
    cdef uint32_t cards = t.deck
    cdef int s
    if t.first_game:
        return state.hand[seat]
    if t.mode == V.MODE_COMP:
        return cards & ~state.used[seat]
    for s in range(t.seats):
        cards &= ~state.used[s]
    return cards


cdef uint32_t playable(const Book* t, const Titans* state, uint32_t cards, int team, int actor, int target, int other,
                       bint first_is_enough) noexcept nogil:
    """Those of the cards whose condition holds for the team; only the first one found if that is enough."""
    cdef Context c
    cdef uint32_t found = 0
    cdef int card
    if cards == 0:
        return 0
    look(&c, t, state, team, actor, target, other)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        if t.card[card].when < 0 or value(&c.machine, t.card[card].when):
            found |= <uint32_t> 1 << card
            if first_is_enough:
                return found
    return found


cdef bint can_run(const Book* t, const Titans* state, int piece) noexcept nogil:
    """Would the innate ability of a piece do anything?"""
    cdef Context c
    cdef Call call
    cdef Frame f
    cdef int i
    cdef int32_t at = t.board[state.piece[piece].character].innate
    if at < 0:
        return False
    look(&c, t, state, t.piece_team[piece], piece, V.NONE, V.NONE)
    memset(&f, 0, sizeof(Frame))
    f.kind = V.K_PROGRAM
    f.team = t.piece_team[piece]
    f.actor = <unsigned char> piece
    f.target = V.NONE
    f.other = V.NONE
    f.source = <unsigned char> (V.FROM_INNATE + piece)
    while next_call(&c.machine, &at, False, &call):
        f.verb = <unsigned char> call.verb
        f.who = call.who > 0
        for i in range(2):
            f.args[i] = <signed char> call.args[i] if i < call.n else 0
        if choices(t, state, &f):
            return True
    return False

# ---- Windows (6.6) ----

cdef uint32_t triggers_of(const Book* t, int cause, const Frame* f, const Titans* state) noexcept nogil:
    """The cards that may be played in such a window."""
    cdef uint32_t cards
    if cause == V.W_ROUND_START:
        return t.of_trigger[V.T_START]
    if cause == V.W_ACTIVATION or cause == V.W_CHANGE:
        return t.of_trigger[V.T_HOSTILE]
    if cause == V.W_MATE:
        return t.of_trigger[V.T_SELF]
    if cause == V.W_ATTACKED:
        return t.of_trigger[V.T_ATTACKED]
    if cause == V.W_KO:
        return t.of_trigger[V.T_KO]
    cards = 0
    if state.piece[f.target].place == f.place:
        cards = t.of_trigger[V.T_ENTERED]
        if f.target == state.active and f.a:
            cards |= t.of_trigger[V.T_MOVED]
    return cards | (t.of_trigger[V.T_HOSTILE] if f.target == state.active else 0)


cdef int host_of(const Book* t, const Titans* state, int seat, int place) noexcept nogil:
    """The piece of the seat's team on a place; NONE."""
    cdef int i
    for i in range(V.PIECES):
        if state.piece[i].place == place and t.piece_team[i] == t.team_of[seat]:
            return i
    return V.NONE


cdef int window_other(const Book* t, const Titans* state, const Frame* f, int seat) noexcept nogil:
    """What @atk or @host means for a card played in the window."""
    return host_of(t, state, seat, f.place) if f.mode == V.W_ENTER else f.other


cdef uint32_t answers_to_window(const Book* t, const Titans* state, const Frame* f, int seat, uint32_t cards,
                                bint first_is_enough) noexcept nogil:
    """Those of the cards that the seat could play in the window."""
    cdef int other = window_other(t, state, f, seat)
    cards &= triggers_of(t, f.mode, f, state)
    if f.mode == V.W_ENTER and other == V.NONE:
        cards &= ~t.of_trigger[V.T_ENTERED]
    return playable(t, state, cards, t.team_of[seat], state.active, f.target, other, first_is_enough)


cdef bint might_play(const Book* t, const Titans* state, int seat, int triggers, int target, int other) noexcept nogil:
    """The same for a menu of the seat's own turn."""
    if state.team[t.team_of[seat]].played != V.NONE or state.hand[seat] == 0:
        return False
    cdef uint32_t cards = possible_cards(t, state, seat) & t.of_trigger[triggers]
    return playable(t, state, cards, t.team_of[seat], state.active, target, other, True) != 0
