"""Atomic changes of a position, each with its event: entry, damage, KO, tokens, traps, obstacles (6.4 to 6.9)."""
from libc.string cimport memset

from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3, emit4
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t, uint32_t
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.titans.content.vocabulary cimport (
    BY_TRAP, E_CARD, E_DAMAGE, E_DIE_CHANGE, E_ENTER, E_GAME_END, E_HEAL, E_INITIATIVE, E_KO, E_OBST, E_TOKEN, E_TRAP,
    E_TRAP_TRIGGER, E_VP, NO_VERB, Q_NOTHING, TK_FIRE, TK_STUN,
)
from seatmate.engine.titans.rules.model cimport (
    ATK1, ELIMINATED, ENTRY, FRAMES, GHOST, HAS_PIZZA, IN_BODY, KO, KO_NOW, NONE, PIECES, PLACES, PROG, QUEST, SHIELD,
    SPECIAL, STUN, S_INNATE, S_OVER, S_SLOT, TEAMS, TRAPSTUN, Piece, arena, bit, changed, no_heal, on_map, trap_row,
)
from seatmate.engine.titans.rules.supply cimport fire_left, stun_supplier, traps_left

# ---- The stack ----

cdef Frame* push_frame(Titans* h, int kind) noexcept nogil:
    """A new frame on top; its pieces and places are NONE."""
    cdef Frame* f = &h.frame[h.depth]
    memset(f, 0, sizeof(Frame))
    f.kind = <uint8_t> kind
    f.actor = NONE
    f.tgt = NONE
    f.other = NONE
    f.place = NONE
    f.verb = NO_VERB
    h.depth += 1
    return f


cdef void pop_frame(Titans* h) noexcept nogil:
    """The top frame is done; its bytes are zero again."""
    h.depth -= 1
    memset(&h.frame[h.depth], 0, sizeof(Frame))


cdef bint room_for_frames(const Titans* h) noexcept nogil:
    """Is there room for what an entry can bring? Packs of one's own could nest deeper than ours; then nothing answers it."""
    return h.depth <= FRAMES - 8


cdef void end_game(Titans* h, int winners, Sink* sink) noexcept nogil:
    """The teams of the mask share the win; what is being carried out is forgotten (6.1, 5)."""
    h.result = <uint8_t> winners
    h.step = S_OVER
    memset(&h.frame[0], 0, sizeof(h.frame))
    h.depth = 0
    h.prompt = Q_NOTHING
    h.asked = 0
    h.options = 0
    emit1(sink, E_GAME_END, PUBLIC, winners)

# ---- Tokens ----

cdef void token_event(const Titans* h, int piece, int kind, int change, int team, Sink* sink) noexcept nogil:
    if sink != NULL:
        emit4(sink, E_TOKEN, PUBLIC, 4 * h.pc[piece].ctype + piece, kind, change, team)


cdef void take_token(Titans* h, int piece, int token, int kind, Sink* sink) noexcept nogil:
    """Shield, escape token or pizza onto a board; nothing if the piece has one."""
    if not h.pc[piece].tok & token:
        h.pc[piece].tok |= <uint8_t> token
        changed(h)
        token_event(h, piece, kind, 1, 0, sink)


cdef void drop_token(Titans* h, int piece, int token, int kind, Sink* sink) noexcept nogil:
    """One of them back to its supply, or the stun."""
    h.pc[piece].tok &= <uint8_t> ~token
    changed(h)
    token_event(h, piece, kind, -1, h.pc[piece].stun_team if kind == TK_STUN else 0, sink)
    if kind == TK_STUN:
        h.pc[piece].stun_team = 0


cdef void ignite(const Tables* t, Titans* h, int piece, int amount, Sink* sink) noexcept nogil:
    """Fire tokens onto a board, as many as are left (R43); a negative amount takes them away."""
    cdef int left = fire_left(t, h)
    if amount > left:
        amount = left
    if amount:
        h.pc[piece].fire += <uint8_t> amount
        changed(h)
        token_event(h, piece, TK_FIRE, amount, 0, sink)


cdef void stun(const Tables* t, Titans* h, int piece, Sink* sink) noexcept nogil:
    """A stun token of the opposing team (R29); nothing if the piece has one or none is left."""
    cdef int team = stun_supplier(t, piece)
    if not h.pc[piece].tok & STUN and traps_left(t, h, team) > 0:
        h.pc[piece].tok |= STUN
        h.pc[piece].stun_team = <uint8_t> team
        changed(h)
        token_event(h, piece, TK_STUN, 1, team, sink)


cdef void heal(const Tables* t, Titans* h, int piece, int amount, Sink* sink) noexcept nogil:
    """Remove up to so much damage (R57)."""
    if no_heal(t, h, t.piece_team[piece]):
        return
    if amount > h.pc[piece].dmg:
        amount = h.pc[piece].dmg
    if amount:
        h.pc[piece].dmg -= <uint8_t> amount
        changed(h)
        emit3(sink, E_HEAL, PUBLIC, who(h, piece), amount, h.pc[piece].dmg)


cdef void put_traps(const Tables* t, Titans* h, int team, int place, int amount, Sink* sink) noexcept nogil:
    """Trap tokens of a team onto a place, as many as are left."""
    cdef int left = traps_left(t, h, team)
    if amount > left:
        amount = left
    if amount:
        h.trap[trap_row(t, team)][place] += <uint8_t> amount
        changed(h)
        emit4(sink, E_TRAP, PUBLIC, place, team, amount, tile_at(h, place))


cdef void set_die(Titans* h, int team, int die, int value, Sink* sink) noexcept nogil:
    """An activation die is turned or rolled; it may show what it showed."""
    if h.team[team].dice[die] != value:
        h.team[team].dice[die] = <uint8_t> value
        changed(h)
    emit3(sink, E_DIE_CHANGE, PUBLIC, team, die, value)


cdef int roll_die(Rng* rng) noexcept nogil:
    return <int> rng_below(rng, 6) + 1

# ---- Obstacles ----

cdef void find_neighbours(const Tables* t, Titans* h) noexcept nogil:
    """Fill in what follows from obstacles and removed places."""
    cdef int p, e
    for p in range(PLACES):
        h.near[p] = 0 if h.removed >> p & 1 else t.adjacent[p] & ~h.removed
    for e in range(t.edges):
        if h.obst >> e & 1:
            h.near[t.edge_a[e]] &= ~bit(t.edge_b[e])
            h.near[t.edge_b[e]] &= ~bit(t.edge_a[e])


cdef void set_obstacle(const Tables* t, Titans* h, int source, int edge, int team, Sink* sink) noexcept nogil:
    """A team places an obstacle from the supply (source -1), or relocates the one on edge `source`."""
    cdef int32_t args[5]
    cdef uint32_t before = h.obst
    if source >= 0:
        h.obst &= ~(<uint32_t> 1 << source)
    h.obst |= <uint32_t> 1 << edge
    if h.obst != before:
        find_neighbours(t, h)
        changed(h)
    if sink != NULL:
        args[0] = source
        args[1] = edge
        args[2] = tile_at(h, t.edge_a[edge])
        args[3] = tile_at(h, t.edge_b[edge])
        args[4] = team
        emit(sink, E_OBST, PUBLIC, 5, args)

# ---- Entry ----

cdef void put(Titans* h, int piece, int place, int mode, Sink* sink) noexcept nogil:
    """A piece comes to a place; it may be the one where it stands."""
    if h.pc[piece].place != place:
        h.pc[piece].place = <uint8_t> place
        changed(h)
    emit4(sink, E_ENTER, PUBLIC, who(h, piece), place, mode, tile_at(h, place))


cdef void enter(const Tables* t, Titans* h, int piece, int place, int mode, Sink* sink) noexcept nogil:
    """A piece comes to a place with a free slot; what follows is a frame on top (6.4)."""
    cdef Frame* f
    put(h, piece, place, mode, sink)
    if not room_for_frames(h):
        spring_traps(t, h, piece, place, sink)
        return
    f = push_frame(h, ENTRY)
    f.actor = <uint8_t> piece
    f.place = <uint8_t> place
    f.mode = <uint8_t> mode


cdef void spring_traps(const Tables* t, Titans* h, int piece, int place, Sink* sink) noexcept nogil:
    """Hostile traps on the place: they leave the map first, then they hurt (R40, R41)."""
    cdef int row = 0 if arena(t) else 1 - t.piece_team[piece]
    cdef int n = h.trap[row][place]
    cdef int bonus = 0
    if n == 0 or h.pc[piece].marks & GHOST:
        return
    h.trap[row][place] = 0
    changed(h)
    emit4(sink, E_TRAP_TRIGGER, PUBLIC, place, who(h, piece), n, tile_at(h, place))
    emit4(sink, E_TRAP, PUBLIC, place, row, -n, tile_at(h, place))
    if t.piece_team[piece] == TEAMS or t.board[h.pc[piece].ctype].trap_immune:
        return
    if not arena(t) and h.team[row].marks & ATK1:       # R82
        bonus = 1
    hurt(t, h, piece, n + bonus, BY_TRAP, sink)
    if h.step != S_OVER and on_map(h, piece) and not arena(t) and h.team[row].marks & TRAPSTUN:
        stun(t, h, piece, sink)

# ---- Damage and KO (6.5) ----

cdef void wound(const Tables* t, Titans* h, int piece, int amount, int source, Sink* sink) noexcept nogil:
    """One source of damage: a shield takes up to 2 of it and is gone (R48). Nobody is KO'd yet."""
    cdef Piece* p = &h.pc[piece]
    cdef int absorbed = 0
    cdef int total
    cdef int32_t args[5]
    if amount <= 0:
        return
    if p.tok & SHIELD:
        absorbed = 2 if amount > 2 else amount
        p.tok &= ~SHIELD
    total = p.dmg + amount - absorbed
    if total > t.board[p.ctype].health:
        total = t.board[p.ctype].health
    p.dmg = <uint8_t> total
    changed(h)
    if sink != NULL:
        args[0] = who(h, piece)
        args[1] = amount
        args[2] = absorbed
        args[3] = source
        args[4] = total
        emit(sink, E_DAMAGE, PUBLIC, 5, args)


cdef void hurt(const Tables* t, Titans* h, int piece, int amount, int source, Sink* sink) noexcept nogil:
    """Damage, and the KO it may bring. The game may be over afterwards."""
    wound(t, h, piece, amount, source, sink)
    if h.pc[piece].dmg >= t.board[h.pc[piece].ctype].health:
        knock_out(t, h, 1 << piece, sink)


cdef void gain_points(const Tables* t, Titans* h, int team, int points, Sink* sink) noexcept nogil:
    points += h.team[team].vp
    if points > t.points:
        points = t.points
    if points != h.team[team].vp:
        h.team[team].vp = <uint8_t> points
        changed(h)
    emit2(sink, E_VP, PUBLIC, team, h.team[team].vp)


cdef bint victory(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """Section 8; ends the game if somebody has won."""
    cdef int winners = 0
    cdef int team
    for team in range(2):
        if h.team[team].vp >= t.points or (h.pc[2 - 2 * team].stat & KO_NOW and h.pc[3 - 2 * team].stat & KO_NOW):
            winners |= 1 << team
    if winners:
        end_game(h, winners, sink)
    return winners != 0


cdef void knock_out(const Tables* t, Titans* h, int mask, Sink* sink) noexcept nogil:
    """These pieces are KO'd at the same moment: all leave, then all points, then one victory test (R61, 6.5).

    What follows a KO is a frame on top for each, the team with the initiative first.
    """
    cdef int i, k, team
    cdef int standing = 0
    cdef Piece* p
    cdef Frame* f
    for i in range(PIECES):
        if not mask >> i & 1:
            continue
        p = &h.pc[i]
        p.place = NONE
        p.dmg = 0
        p.fire = 0
        p.tok &= HAS_PIZZA
        p.stun_team = 0
        p.marks = 0
        p.stat |= KO_NOW
        if arena(t):
            p.stat |= ELIMINATED
        emit2(sink, E_KO, PUBLIC, who(h, i), arena(t))
    if arena(t):
        for i in range(3):
            if h.pc[i].place != NONE:
                standing |= 1 << i
        if standing == 0:
            end_game(h, mask, sink)         # R74
        elif standing & (standing - 1) == 0:
            end_game(h, standing, sink)
        elif mask >> h.init & 1 and h.pc[h.init].acts == 0:     # R67
            while h.pc[h.init].place == NONE:
                h.init = <uint8_t> ((h.init + 1) % 3)
            emit1(sink, E_INITIATIVE, PUBLIC, h.init)
        return
    for k in range(2):
        team = h.init ^ k
        i = bit_count(<unsigned long long> (mask >> (2 - 2 * team) & 3))
        while i:
            gain_points(t, h, team, 1, sink)
            i -= 1
    if victory(t, h, sink):
        return
    for k in range(2):                      # the last frame runs first: the holder with the initiative
        team = 1 - (h.init ^ k)
        for i in range(PIECES):
            if mask >> i & 1 and (t.piece_team[i] ^ 1) == team and h.depth < FRAMES - 3:
                f = push_frame(h, KO)
                f.actor = <uint8_t> i


cdef void complete(Titans* h, int team) noexcept nogil:
    """The team's mission is complete: what follows is a frame on top."""
    cdef Frame* f
    if h.depth < FRAMES - 1:
        f = push_frame(h, QUEST)
        f.team = <uint8_t> team

# ---- Programs begin (6.1) ----

cdef void start_ability(const Tables* t, Titans* h, int piece, int slot, int tier) noexcept nogil:
    """The slot ability with its tiers: 0 standard, 1 special, 2 star."""
    cdef Frame* f = push_frame(h, PROG)
    f.team = t.piece_team[piece]
    f.seat = t.seat_of[piece]
    f.actor = <uint8_t> piece
    f.source = <uint8_t> (S_SLOT + 2 * piece + slot)
    f.at = <uint16_t> t.board[h.pc[piece].ctype].ability[slot].body[tier]
    f.stage = IN_BODY | (SPECIAL if tier else 0)


cdef void start_innate(const Tables* t, Titans* h, int piece) noexcept nogil:
    cdef Frame* f = push_frame(h, PROG)
    f.team = t.piece_team[piece]
    f.seat = t.seat_of[piece]
    f.actor = <uint8_t> piece
    f.source = <uint8_t> (S_INNATE + piece)
    f.at = <uint16_t> t.board[h.pc[piece].ctype].innate
    f.stage = IN_BODY


cdef void play_card(const Tables* t, Titans* h, int seat, int card, int tgt, int other, Sink* sink) noexcept nogil:
    """A Mayhem card goes onto the table and its program runs (R13)."""
    cdef uint32_t mask = <uint32_t> 1 << card
    cdef int team = t.team_of[seat]
    cdef Frame* f
    h.hand[seat] &= ~mask
    h.used[seat] |= mask
    h.team[team].played = <uint8_t> card
    emit2(sink, E_CARD, PUBLIC, seat, card)
    if not room_for_frames(h):
        return
    f = push_frame(h, PROG)
    f.team = <uint8_t> team
    f.seat = <uint8_t> seat
    f.actor = h.active
    f.tgt = <uint8_t> tgt
    f.other = <uint8_t> other
    f.source = <uint8_t> card
    if t.card[card].pay >= 0:
        f.at = <uint16_t> t.card[card].pay
    else:
        f.at = <uint16_t> t.card[card].body
        f.stage = IN_BODY
