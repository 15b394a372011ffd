"""Atomic changes of a position, each with its event: entry, damage, KO, tokens, traps, obstacles (6.4 to 6.9)."""
from libc.string cimport memset

from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3, emit4
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t, uint32_t
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.model cimport Piece, bit, changed, no_heal, on_map
from seatmate.engine.titans.rules.supply cimport fire_left, traps_left

# ---- The stack ----

cdef Frame* push_frame(Titans* state, int kind) noexcept nogil:
    """A new frame on top; its pieces and places are NONE."""
    cdef Frame* f = &state.frame[state.depth]
    memset(f, 0, sizeof(Frame))
    f.kind = <uint8_t> kind
    f.actor = V.NONE
    f.target = V.NONE
    f.other = V.NONE
    f.place = V.NONE
    f.verb = V.NO_VERB
    state.depth += 1
    return f


cdef void pop_frame(Titans* state) noexcept nogil:
    """The top frame is done; its bytes are zero again."""
    state.depth -= 1
    memset(&state.frame[state.depth], 0, sizeof(Frame))


cdef bint room_for_frames(const Titans* state) noexcept nogil:
    """Is there room for what an entry can bring? Packs of one's own could nest deeper than ours; then nothing answers it."""
    return state.depth <= V.FRAMES - 8


cdef void end_game(Titans* state, int winners, Sink* sink) noexcept nogil:
    """The teams of the mask share the win; what is being carried out is forgotten (6.1, 5)."""
    state.result = <uint8_t> winners
    state.step = V.S_OVER
    memset(&state.frame[0], 0, sizeof(state.frame))
    state.depth = 0
    state.prompt = V.Q_NOTHING
    state.asked = 0
    state.options = 0
    emit1(sink, V.E_GAME_END, PUBLIC, winners)

# ---- Tokens ----

cdef void token_event(const Titans* state, int piece, int kind, int change, int team, Sink* sink) noexcept nogil:
    if sink != NULL:
        emit4(sink, V.E_TOKEN, PUBLIC, 4 * state.piece[piece].character + piece, kind, change, team)


cdef void take_token(Titans* state, int piece, int token, int kind, Sink* sink) noexcept nogil:
    """Shield, escape token or pizza onto a board; nothing if the piece has one."""
    if not state.piece[piece].tokens & token:
        state.piece[piece].tokens |= <uint8_t> token
        changed(state)
        token_event(state, piece, kind, 1, 0, sink)


cdef void drop_token(Titans* state, int piece, int token, int kind, Sink* sink) noexcept nogil:
    """One of them back to its supply, or the stun."""
    state.piece[piece].tokens &= <uint8_t> ~token
    changed(state)
    token_event(state, piece, kind, -1, state.piece[piece].stun_team if kind == V.TK_STUN else 0, sink)
    if kind == V.TK_STUN:
        state.piece[piece].stun_team = 0


cdef void ignite(const Book* t, Titans* state, int piece, int amount, Sink* sink) noexcept nogil:
    """Fire tokens onto a board, as many as are left (R43); a negative amount takes them away."""
    cdef int left = fire_left(t, state)
    if amount > left:
        amount = left
    if amount:
        state.piece[piece].fire += <uint8_t> amount
        changed(state)
        token_event(state, piece, V.TK_FIRE, amount, 0, sink)


cdef void stun(const Book* t, Titans* state, int piece, Sink* sink) noexcept nogil:
    """A stun token of the opposing team (R29); nothing if the piece has one or none is left."""
    cdef int team = t.foes_row[piece]
    if not state.piece[piece].tokens & V.STUN and traps_left(t, state, team) > 0:
        state.piece[piece].tokens |= V.STUN
        state.piece[piece].stun_team = <uint8_t> team
        changed(state)
        token_event(state, piece, V.TK_STUN, 1, team, sink)


cdef void heal(const Book* t, Titans* state, int piece, int amount, Sink* sink) noexcept nogil:
    """Remove up to so much damage (R57)."""
    if no_heal(t, state, t.piece_team[piece]):
        return
    if amount > state.piece[piece].damage:
        amount = state.piece[piece].damage
    if amount:
        state.piece[piece].damage -= <uint8_t> amount
        changed(state)
        emit3(sink, V.E_HEAL, PUBLIC, who(state, piece), amount, state.piece[piece].damage)


cdef void put_traps(const Book* t, Titans* state, int team, int place, int amount, Sink* sink) noexcept nogil:
    """Trap tokens of a team onto a place, as many as are left."""
    cdef int left = traps_left(t, state, team)
    if amount > left:
        amount = left
    if amount:
        state.trap[t.trap_row[team]][place] += <uint8_t> amount
        changed(state)
        emit4(sink, V.E_TRAP, PUBLIC, place, team, amount, tile_at(state, place))


cdef void set_die(Titans* state, int team, int die, int value, Sink* sink) noexcept nogil:
    """An activation die is turned or rolled; it may show what it showed."""
    if state.team[team].dice[die] != value:
        state.team[team].dice[die] = <uint8_t> value
        changed(state)
    emit3(sink, V.E_DIE_CHANGE, PUBLIC, team, die, value)


cdef int roll_die(Rng* rng) noexcept nogil:
    return <int> rng_below(rng, 6) + 1

# ---- Obstacles ----

cdef void find_neighbours(const Book* t, Titans* state) noexcept nogil:
    """Fill in what follows from obstacles and removed places."""
    cdef int p, e
    for p in range(V.PLACES):
        state.near[p] = 0 if state.removed >> p & 1 else t.adjacent[p] & ~state.removed
    for e in range(t.edges):
        if state.obstacles >> e & 1:
            state.near[t.edge_a[e]] &= ~bit(t.edge_b[e])
            state.near[t.edge_b[e]] &= ~bit(t.edge_a[e])


cdef void set_obstacle(const Book* t, Titans* state, int source, int edge, int team, Sink* sink) noexcept nogil:
    """A team places an obstacle from the supply (source -1), or relocates the one on edge `source`."""
    cdef int32_t args[5]
    cdef uint32_t before = state.obstacles
    if source >= 0:
        state.obstacles &= ~(<uint32_t> 1 << source)
    state.obstacles |= <uint32_t> 1 << edge
    if state.obstacles != before:
        find_neighbours(t, state)
        changed(state)
    if sink != NULL:
        args[0] = source
        args[1] = edge
        args[2] = tile_at(state, t.edge_a[edge])
        args[3] = tile_at(state, t.edge_b[edge])
        args[4] = team
        emit(sink, V.E_OBST, PUBLIC, 5, args)

# ---- Entry ----

cdef void put(Titans* state, int piece, int place, int mode, Sink* sink) noexcept nogil:
    """A piece comes to a place; it may be the one where it stands."""
    if state.piece[piece].place != place:
        state.piece[piece].place = <uint8_t> place
        changed(state)
    emit4(sink, V.E_ENTER, PUBLIC, who(state, piece), place, mode, tile_at(state, place))


cdef void enter(const Book* t, Titans* state, int piece, int place, int mode, Sink* sink) noexcept nogil:
    """A piece comes to a place with a free slot; what follows is a frame on top (6.4)."""
    cdef Frame* f
    put(state, piece, place, mode, sink)
    if not room_for_frames(state):
        spring_traps(t, state, piece, place, sink)
        return
    f = push_frame(state, V.K_ENTRY)
    f.actor = <uint8_t> piece
    f.place = <uint8_t> place
    f.mode = <uint8_t> mode


cdef void spring_traps(const Book* t, Titans* state, int piece, int place, Sink* sink) noexcept nogil:
    """Hostile traps on the place: they leave the map first, then they hurt (R40, R41)."""
    cdef int row = t.foes_row[piece]
    cdef int n = state.trap[row][place]
    cdef int marks = 0 if t.common_traps else state.team[row].marks
    if n == 0 or state.piece[piece].marks & V.GHOST:
        return
    state.trap[row][place] = 0
    changed(state)
    emit4(sink, V.E_TRAP_TRIGGER, PUBLIC, place, who(state, piece), n, tile_at(state, place))
    emit4(sink, V.E_TRAP, PUBLIC, place, row, -n, tile_at(state, place))
    if t.piece_team[piece] == V.TEAMS or t.board[state.piece[piece].character].trap_immune:
        return
    hurt(t, state, piece, n + (1 if marks & V.ATK1 else 0), V.HARM_TRAP, sink)       # R82
    if state.step != V.S_OVER and on_map(state, piece) and marks & V.TRAPSTUN:
        stun(t, state, piece, sink)

# ---- Damage and KO (6.5) ----

cdef void wound(const Book* t, Titans* state, int piece, int amount, int source, Sink* sink) noexcept nogil:
    """One source of damage: a shield takes up to 2 of it and is gone (R48). Nobody is KO'd yet."""
    cdef Piece* p = &state.piece[piece]
    cdef int absorbed = 0
    cdef int total
    cdef int32_t args[5]
    if amount <= 0:
        return
    if p.tokens & V.SHIELD:
        absorbed = 2 if amount > 2 else amount
        p.tokens &= ~V.SHIELD
    total = p.damage + amount - absorbed
    if total > t.board[p.character].health:
        total = t.board[p.character].health
    p.damage = <uint8_t> total
    changed(state)
    if sink != NULL:
        args[0] = who(state, piece)
        args[1] = amount
        args[2] = absorbed
        args[3] = source
        args[4] = total
        emit(sink, V.E_DAMAGE, PUBLIC, 5, args)


cdef void hurt(const Book* t, Titans* state, int piece, int amount, int source, Sink* sink) noexcept nogil:
    """Damage, and the KO it may bring. The game may be over afterwards."""
    wound(t, state, piece, amount, source, sink)
    if state.piece[piece].damage >= t.board[state.piece[piece].character].health:
        knock_out(t, state, 1 << piece, sink)


cdef void gain_points(const Book* t, Titans* state, int team, int points, Sink* sink) noexcept nogil:
    points += state.team[team].points
    if points > t.points:
        points = t.points
    if points != state.team[team].points:
        state.team[team].points = <uint8_t> points
        changed(state)
    emit2(sink, V.E_VP, PUBLIC, team, state.team[team].points)


cdef bint victory(const Book* t, Titans* state, Sink* sink) noexcept nogil:
    """Section 8; ends the game if somebody has won."""
    cdef int winners = 0
    cdef int team
    for team in range(2):
        if (state.team[team].points >= t.points
                or (state.piece[2 - 2 * team].status & V.KO_NOW and state.piece[3 - 2 * team].status & V.KO_NOW)):
            winners |= 1 << team
    if winners:
        end_game(state, winners, sink)
    return winners != 0


cdef void knock_out(const Book* t, Titans* state, int mask, Sink* sink) noexcept nogil:
    """These pieces are KO'd at the same moment: all leave, then follows what it brings (R61, 6.5)."""
    cdef int i
    cdef Piece* p
    for i in range(V.PIECES):
        if not mask >> i & 1:
            continue
        p = &state.piece[i]
        p.place = V.NONE
        p.damage = 0
        p.fire = 0
        p.tokens &= V.HAS_PIZZA
        p.stun_team = 0
        p.marks = 0
        p.status |= t.fallen
        emit2(sink, V.E_KO, PUBLIC, who(state, i), (t.fallen & V.ELIMINATED) != 0)
    t.hooks.fallen(t, state, mask, sink)


cdef void complete(Titans* state, int team) noexcept nogil:
    """The team's mission is complete: what follows is a frame on top."""
    cdef Frame* f
    if state.depth < V.FRAMES - 1:
        f = push_frame(state, V.K_QUEST)
        f.team = <uint8_t> team

cdef void show_dice(const Book* t, const Titans* state, Sink* sink) noexcept nogil:
    """The activation dice of all teams that still play."""
    cdef int team
    for team in range(t.teams):
        if state.team[team].dice[0]:
            emit3(sink, V.E_ROLL_ACT, PUBLIC, team, state.team[team].dice[0], state.team[team].dice[1])

# ---- Programs begin (6.1) ----

cdef void start_ability(const Book* t, Titans* state, int piece, int slot, int tier) noexcept nogil:
    """The slot ability with its tiers: 0 standard, 1 special, 2 star."""
    cdef Frame* f = push_frame(state, V.K_PROGRAM)
    f.team = t.piece_team[piece]
    f.seat = t.seat_of[piece]
    f.actor = <uint8_t> piece
    f.source = <uint8_t> (V.FROM_SLOT + 2 * piece + slot)
    f.at = <uint16_t> t.board[state.piece[piece].character].ability[slot].body[tier]
    f.stage = V.IN_BODY | (V.SPECIAL if tier else 0)


cdef void start_innate(const Book* t, Titans* state, int piece) noexcept nogil:
    cdef Frame* f = push_frame(state, V.K_PROGRAM)
    f.team = t.piece_team[piece]
    f.seat = t.seat_of[piece]
    f.actor = <uint8_t> piece
    f.source = <uint8_t> (V.FROM_INNATE + piece)
    f.at = <uint16_t> t.board[state.piece[piece].character].innate
    f.stage = V.IN_BODY


cdef void play_card(const Book* t, Titans* state, int seat, int card, int target, int other, Sink* sink) noexcept nogil:
    """A Mayhem card goes onto the table and its program runs (R13)."""
    cdef uint32_t mask = <uint32_t> 1 << card
    cdef int team = t.team_of[seat]
    cdef Frame* f
    state.hand[seat] &= ~mask
    state.used[seat] |= mask
    state.team[team].played = <uint8_t> card
    emit2(sink, V.E_CARD, PUBLIC, seat, card)
    if not room_for_frames(state):
        return
    f = push_frame(state, V.K_PROGRAM)
    f.team = <uint8_t> team
    f.seat = <uint8_t> seat
    f.actor = state.active
    f.target = <uint8_t> target
    f.other = <uint8_t> other
    f.source = <uint8_t> card
    if t.card[card].pay >= 0:
        f.at = <uint16_t> t.card[card].pay
    else:
        f.at = <uint16_t> t.card[card].body
        f.stage = V.IN_BODY
