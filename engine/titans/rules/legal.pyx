"""Who is asked what, and which answers are legal (5.1). Nothing here changes a position."""
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.titans.content.vocabulary cimport (
    DECLINE, END_TURN, NO_OBSTACLE, PLAY_CARD, Q_ABILITY, Q_COMP_CARD, Q_COMP_CHAR, Q_CYBORG, Q_DEST, Q_DIE_SLOT,
    Q_ESCAPE, Q_FIRST_PLACE, Q_MOVE, Q_OBST_EDGE, Q_OBST_SRC, Q_PIECE, Q_REMOVE, Q_REPLACE, Q_SETASIDE, Q_TRAP_PLACE,
    Q_VICTIM, Q_WINDOW, STAY, T_SELF, USE_INNATE, USE_SLOT, V_PUSH, V_TELEPORT,
)
from seatmate.engine.titans.rules.model cimport (
    BOARDS, CYBORG, FORFEIT, INNATE_SPENT, INNATE_USED, MOVED, NONE, PIECES, PLACES, SEATS, SLOT_USED, SPECIAL_OFF,
    SPECIAL_ON, STUN, Frame, Piece, Team, arena, bases_of, bit, full_places, mate_of, steps_of,
)
from seatmate.engine.titans.rules.query cimport answers_to_window, can_run, choices, new_edges, playable

# ---- Setup (5.2) ----

cdef int draft_piece(const Tables* t, const Titans* h) noexcept nogil:
    """The piece whose character is drafted next (R2)."""
    if arena(t):
        return (h.first + h.at) % 3
    return 2 * (h.first ^ (h.at & 1)) + (h.at >> 1)


cdef int hand_limit(const Tables* t, const Titans* h, int seat) noexcept nogil:
    """The Mayhem icons of the seat's pieces."""
    cdef int limit = 0
    cdef int i
    for i in range(t.pieces):
        if t.seat_of[i] == seat and h.pc[i].ctype != NONE:
            limit += t.board[h.pc[i].ctype].icons
    return limit


cdef int picks_of(const Tables* t, const Titans* h, int seat) noexcept nogil:
    """Picks a seat has to make from the beginning of its present stage on; R84 makes two stages of packs with unequal icons."""
    if t.same_icons:
        return 2 + 2 * t.board[0].icons
    return 2 if h.at == 1 else hand_limit(t, h, seat)


cdef int comp_prompt(const Titans* h, int seat) noexcept nogil:
    return Q_COMP_CHAR if h.pc[2 * seat + 1].ctype == NONE else Q_COMP_CARD

# ---- Rounds (5.3, 5.4, 5.6) ----

cdef int first_piece(const Titans* h) noexcept nogil:
    """B3: the piece that is placed next, the initiative team's first."""
    return 2 * (h.init if h.at < 2 else 1 - h.init) + (h.at & 1)


cdef int next_return(const Titans* h) noexcept nogil:
    """V1: the next piece that comes back onto the map; NONE."""
    cdef int k, i
    for k in range(2):
        for i in range(2 * (h.init ^ k), 2 * (h.init ^ k) + 2):
            if h.pc[i].place == NONE:
                return i
    return NONE


cdef bint connected_without(const Tables* t, const Titans* h, int place) noexcept nogil:
    """Do the remaining places hang together, obstacles ignored?"""
    cdef uint16_t rest = ((1 << PLACES) - 1) & ~h.removed & ~bit(place)
    cdef uint16_t seen = rest & (~rest + 1)
    cdef uint16_t last = 0
    cdef uint16_t fresh
    while seen != last:
        fresh = seen & ~last
        last = seen
        while fresh:
            seen |= t.adjacent[lowest_bit(fresh)] & rest
            fresh &= fresh - 1
    return seen == rest


cdef uint64_t removable(const Tables* t, const Titans* h) noexcept nogil:
    """Empty places (R79) whose loss leaves one map in which every place has an open border."""
    cdef uint64_t mask = 0
    cdef uint16_t taken = h.removed
    cdef int i, p
    cdef uint16_t rest
    cdef bint closed
    for i in range(PIECES):
        if h.pc[i].place != NONE:
            taken |= bit(h.pc[i].place)
    for p in range(PLACES):
        if taken >> p & 1 or h.trap[0][p] or t.edges_of[p] & h.obst or not connected_without(t, h, p):
            continue
        closed = False
        rest = h.near[p]
        while rest:
            i = lowest_bit(rest)
            rest &= rest - 1
            if h.near[i] & ~bit(p) == 0:
                closed = True
        if not closed:
            mask |= 1 << p
    return mask

# ---- Activation (5.5) ----

cdef int candidates(const Tables* t, const Titans* h) noexcept nogil:
    """A1: pieces that can be activated: first time, else a second time for a mate that cannot be (R31)."""
    cdef int first = 2 * h.acting
    cdef int mask = 0
    cdef int i, mate
    if arena(t):
        return 1 << h.acting
    for i in range(first, first + 2):
        if h.pc[i].place != NONE and h.pc[i].acts == 0:
            mask |= 1 << i
    if mask:
        return mask
    for i in range(first, first + 2):
        mate = mate_of(t, i)
        if h.pc[i].place != NONE and h.pc[i].acts == 1 and h.pc[mate].place == NONE and h.pc[mate].acts == 0:
            mask |= 1 << i
    return mask


cdef uint64_t die_slots(const Tables* t, const Titans* h) noexcept nogil:
    """A2: 2 * die + slot; of equal dice only one is offered (R80)."""
    cdef const Team* m = &h.team[h.acting]
    cdef const Piece* p = &h.pc[h.active]
    cdef uint64_t mask = 0
    cdef int die, slot
    for die in range(1 if arena(t) else 2):
        if m.dice_used >> die & 1 or (die == 1 and not m.dice_used & 1 and m.dice[0] == m.dice[1]):
            continue
        for slot in range(2):
            if p.slot_die[slot] == 0:
                mask |= 1 << (2 * die + slot)
    return mask


cdef uint64_t cards_in_menu(const Tables* t, const Titans* h, int seat) noexcept nogil:
    if h.team[t.team_of[seat]].played != NONE:
        return 0
    return <uint64_t> playable(t, h, h.hand[seat] & t.of_trigger[T_SELF], t.team_of[seat], h.active, NONE, NONE, False) << PLAY_CARD


cdef uint64_t moves(const Tables* t, const Titans* h) noexcept nogil:
    """A5: free move, stay, or a card."""
    cdef uint64_t mask = <uint64_t> 1 << STAY | cards_in_menu(t, h, t.seat_of[h.active])
    if not h.flags & FORFEIT:
        mask |= steps_of(t, h, h.active)
    return mask


cdef uint64_t abilities(const Tables* t, const Titans* h) noexcept nogil:
    """A7: a stunned piece gets one of free move, slot ability and innate ability (R28)."""
    cdef const Piece* p = &h.pc[h.active]
    cdef int limit = t.board[p.ctype].limit
    cdef bint stunned = p.tok & STUN
    cdef uint64_t mask = 1 << END_TURN | cards_in_menu(t, h, t.seat_of[h.active])
    if not h.flags & SLOT_USED and not (stunned and h.flags & (MOVED | INNATE_USED)):
        mask |= 1 << USE_SLOT
    if limit < 2 and not h.flags & INNATE_USED and not (stunned and h.flags & (MOVED | SLOT_USED)):
        if not (limit == 1 and p.stat & INNATE_SPENT) and can_run(t, h, h.active):
            mask |= 1 << USE_INNATE
    return mask


cdef int slot_tier(const Tables* t, const Titans* h, int piece, int slot) noexcept nogil:
    """0 standard, 1 special, 2 star (R23, R24, R60)."""
    cdef const Piece* p = &h.pc[piece]
    if h.flags & SPECIAL_OFF or not (h.flags & SPECIAL_ON or p.slot_die[slot] >= t.board[p.ctype].ability[slot].slot):
        return 0
    return 2 if t.face_star[h.face] else 1


cdef uint16_t cyborg_steps(const Titans* h) noexcept nogil:
    """Where Cyborg of the free-for-all can go."""
    return h.near[h.pc[CYBORG].place] & ~full_places(h)

# ---- Programs, windows, escapes (6) ----

cdef inline int asked_seat(const Titans* h) noexcept nogil:
    return lowest_bit(<uint64_t> h.asked)


cdef uint64_t frame_options(const Tables* t, const Titans* h) noexcept nogil:
    """The legal answers to the question the top frame has asked, as a mask."""
    cdef const Frame* f = &h.frame[h.depth - 1]
    cdef int prompt = h.prompt
    cdef uint64_t found
    if prompt == Q_WINDOW:
        return 1 | <uint64_t> answers_to_window(t, h, f, asked_seat(h), h.hand[asked_seat(h)], False) << 1
    if prompt == Q_ESCAPE:
        return steps_of(t, h, f.tgt) | 1 << DECLINE
    if prompt == Q_OBST_EDGE:
        return new_edges(t, h, f.actor, &t.row[f.args[0]], f.a - 1)
    if prompt == Q_DEST and f.verb == V_PUSH:
        return h.near[h.pc[f.a].place] & ~full_places(h)
    found = choices(t, h, f)
    if prompt == Q_VICTIM or (prompt == Q_TRAP_PLACE and f.may):
        return found | 1 << DECLINE
    if prompt == Q_DEST:
        return found if f.verb != V_TELEPORT and f.args[1] else found | 1 << DECLINE
    if prompt == Q_OBST_SRC:
        return found | <uint64_t> 1 << NO_OBSTACLE
    return found

# ---- All of them ----

cdef uint64_t options_of(const Tables* t, const Titans* h) noexcept nogil:
    """The legal answers of the one asked seat, as a mask."""
    cdef int prompt = h.prompt
    cdef uint64_t mask
    cdef int i
    if prompt == Q_MOVE:
        return moves(t, h)
    if prompt == Q_ABILITY:
        return abilities(t, h)
    if prompt == Q_PIECE:
        return candidates(t, h)
    if prompt == Q_DIE_SLOT:
        return die_slots(t, h)
    if prompt == Q_CYBORG:
        return cyborg_steps(h) | 1 << DECLINE
    if h.depth:
        return frame_options(t, h)
    if prompt == Q_REMOVE:
        return removable(t, h)
    if prompt == Q_REPLACE:
        return bases_of(t, h, t.piece_team[next_return(h)]) & ~full_places(h)
    if prompt == Q_FIRST_PLACE:
        i = first_piece(h)
        mask = bases_of(t, h, t.piece_team[i])
        if h.pc[i ^ 1].place != NONE:
            mask &= ~<uint64_t> bit(h.pc[i ^ 1].place)
        return mask
    mask = ((1 << BOARDS) - 1) & ~(t.is_cyborg if arena(t) else 0)          # DRAFT
    for i in range(PIECES):
        if h.pc[i].ctype != NONE:
            mask &= ~(<uint64_t> 1 << h.pc[i].ctype)
    return mask

# ---- The contract ----

cdef bint together(const Titans* h) noexcept nogil:
    return h.prompt == Q_SETASIDE or h.prompt == Q_COMP_CHAR or h.prompt == Q_COMP_CARD


cdef uint32_t pending(const void* tables, const void* state) noexcept nogil:
    cdef const Titans* h = <const Titans*> state
    cdef uint32_t mask = h.asked
    cdef int seat
    if together(h):
        for seat in range(SEATS):
            if h.left[seat] == 0:
                mask &= ~(<uint32_t> 1 << seat)
    return mask


cdef uint32_t asked(const void* tables, const void* state) noexcept nogil:
    return (<const Titans*> state).asked


cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil:
    cdef const Titans* h = <const Titans*> state
    if seat < 0 or seat >= SEATS or not pending(tables, state) >> seat & 1:
        return -1
    if h.prompt == Q_COMP_CHAR or h.prompt == Q_COMP_CARD:
        return comp_prompt(h, seat)
    return h.prompt


cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef const Titans* h = <const Titans*> state
    cdef uint64_t mask = h.options
    cdef int n = 0
    if not pending(tables, state) >> seat & 1:
        return 0
    if h.prompt == Q_SETASIDE:
        mask = h.hand[seat]
    elif together(h):
        if comp_prompt(h, seat) == Q_COMP_CHAR:
            mask = (1 << BOARDS) - 1
            if h.pc[2 * seat].ctype != NONE:
                mask &= ~(<uint64_t> 1 << h.pc[2 * seat].ctype)
        else:
            mask = t.deck & ~h.hand[seat]
    while mask:
        out[n] = lowest_bit(mask)
        mask &= mask - 1
        n += 1
    return n
