"""Who is asked what, and which answers are legal (5.1). Nothing here changes a position."""
from seatmate.engine.core.zones cimport add_bits, lowest_bit
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.model cimport (
    Frame, Piece, Team, bases_of, bit, full_places, steps_of,
)
from seatmate.engine.titans.rules.query cimport answers_to_window, can_run, choices, new_edges, playable

# ---- Setup (5.2) ----

cdef int hand_limit(const Book* t, const Titans* state, int seat) noexcept nogil:
    """The Mayhem icons of the seat's pieces."""
    cdef int limit = 0
    cdef int i
    for i in range(t.pieces):
        if t.seat_of[i] == seat and state.piece[i].character != V.NONE:
            limit += t.board[state.piece[i].character].icons
    return limit


cdef int picks_of(const Book* t, const Titans* state, int seat) noexcept nogil:
    """Picks a seat has to make from the beginning of its present stage on; R84 makes two stages of packs with unequal icons."""
    if t.same_icons:
        return 2 + 2 * t.board[0].icons
    return 2 if state.at == 1 else hand_limit(t, state, seat)


cdef int comp_prompt(const Titans* state, int seat) noexcept nogil:
    return V.Q_COMP_CHAR if state.piece[2 * seat + 1].character == V.NONE else V.Q_COMP_CARD

# ---- Rounds (5.3, 5.4, 5.6) ----

cdef int first_piece(const Titans* state) noexcept nogil:
    """B3: the piece that is placed next, the initiative team's first."""
    return 2 * (state.initiative if state.at < 2 else 1 - state.initiative) + (state.at & 1)


cdef int next_return(const Titans* state) noexcept nogil:
    """V1: the next piece that comes back onto the map; NONE."""
    cdef int k, i
    for k in range(2):
        for i in range(2 * (state.initiative ^ k), 2 * (state.initiative ^ k) + 2):
            if state.piece[i].place == V.NONE:
                return i
    return V.NONE


cdef bint connected_without(const Book* t, const Titans* state, int place) noexcept nogil:
    """Do the remaining places hang together, obstacles ignored?"""
    cdef uint16_t rest = ((1 << V.PLACES) - 1) & ~state.removed & ~bit(place)
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


cdef uint64_t removable(const Book* t, const Titans* state) noexcept nogil:
    """Empty places (R79) whose loss leaves one map in which every place has an open border."""
    cdef uint64_t mask = 0
    cdef uint16_t taken = state.removed
    cdef int i, p
    cdef uint16_t rest
    cdef bint closed
    for i in range(V.PIECES):
        if state.piece[i].place != V.NONE:
            taken |= bit(state.piece[i].place)
    for p in range(V.PLACES):
        if taken >> p & 1 or state.trap[0][p] or t.edges_of[p] & state.obstacles or not connected_without(t, state, p):
            continue
        closed = False
        rest = state.near[p]
        while rest:
            i = lowest_bit(rest)
            rest &= rest - 1
            if state.near[i] & ~bit(p) == 0:
                closed = True
        if not closed:
            mask |= 1 << p
    return mask

# ---- Activation (5.5) ----

cdef int candidates(const Book* t, const Titans* state) noexcept nogil:
    """A1: pieces that can be activated: first time, else a second time for a mate that cannot be (R31)."""
    cdef int mask = 0
    cdef int i, mate
    for i in range(t.pieces):
        if t.piece_team[i] == state.acting and state.piece[i].place != V.NONE and state.piece[i].activations == 0:
            mask |= 1 << i
    if mask:
        return mask
    for i in range(t.pieces):
        mate = t.mate[i]
        if (t.piece_team[i] == state.acting and mate != V.NONE
                and state.piece[i].place != V.NONE and state.piece[i].activations == 1
                and state.piece[mate].place == V.NONE and state.piece[mate].activations == 0):
            mask |= 1 << i
    return mask


cdef uint64_t die_slots(const Book* t, const Titans* state) noexcept nogil:
    """A2: 2 * die + slot; of equal dice only one is offered (R80)."""
    cdef const Team* m = &state.team[state.acting]
    cdef const Piece* p = &state.piece[state.active]
    cdef uint64_t mask = 0
    cdef int die, slot
    for die in range(t.dice):
        if m.dice_used >> die & 1 or (die == 1 and not m.dice_used & 1 and m.dice[0] == m.dice[1]):
            continue
        for slot in range(2):
            if p.slot_die[slot] == 0:
                mask |= 1 << (2 * die + slot)
    return mask


cdef uint64_t cards_in_menu(const Book* t, const Titans* state, int seat) noexcept nogil:
    cdef uint32_t cards = state.hand[seat] & t.of_trigger[V.T_SELF]
    if state.team[t.team_of[seat]].played != V.NONE:
        return 0
    return <uint64_t> playable(t, state, cards, t.team_of[seat], state.active, V.NONE, V.NONE, False) << V.PLAY_CARD


cdef uint64_t moves(const Book* t, const Titans* state) noexcept nogil:
    """A5: free move, stay, or a card."""
    cdef uint64_t mask = <uint64_t> 1 << V.STAY | cards_in_menu(t, state, t.seat_of[state.active])
    if not state.flags & V.FORFEIT:
        mask |= steps_of(t, state, state.active)
    return mask


cdef uint64_t abilities(const Book* t, const Titans* state) noexcept nogil:
    """A7: a stunned piece gets one of free move, slot ability and innate ability (R28)."""
    cdef const Piece* p = &state.piece[state.active]
    cdef int limit = t.board[p.character].limit
    cdef bint stunned = p.tokens & V.STUN
    cdef uint64_t mask = 1 << V.END_TURN | cards_in_menu(t, state, t.seat_of[state.active])
    if not state.flags & V.SLOT_USED and not (stunned and state.flags & (V.MOVED | V.INNATE_USED)):
        mask |= 1 << V.USE_SLOT
    if limit < 2 and not state.flags & V.INNATE_USED and not (stunned and state.flags & (V.MOVED | V.SLOT_USED)):
        if not (limit == 1 and p.status & V.INNATE_SPENT) and can_run(t, state, state.active):
            mask |= 1 << V.USE_INNATE
    return mask


cdef int slot_tier(const Book* t, const Titans* state, int piece, int slot) noexcept nogil:
    """0 standard, 1 special, 2 star (R23, R24, R60)."""
    cdef const Piece* p = &state.piece[piece]
    if state.flags & V.SPECIAL_OFF:
        return 0
    if not state.flags & V.SPECIAL_ON and p.slot_die[slot] < t.board[p.character].ability[slot].slot:
        return 0
    return 2 if t.face_star[state.face] else 1


cdef uint16_t cyborg_steps(const Titans* state) noexcept nogil:
    """Where Cyborg of the free-for-all can go."""
    return state.near[state.piece[V.CYBORG].place] & ~full_places(state)

# ---- Programs, windows, escapes (6) ----

cdef inline int asked_seat(const Titans* state) noexcept nogil:
    return lowest_bit(<uint64_t> state.asked)


cdef uint64_t frame_options(const Book* t, const Titans* state) noexcept nogil:
    """The legal answers to the question the top frame has asked, as a mask."""
    cdef const Frame* f = &state.frame[state.depth - 1]
    cdef int prompt = state.prompt
    cdef uint64_t found
    if prompt == V.Q_WINDOW:
        return 1 | <uint64_t> answers_to_window(t, state, f, asked_seat(state), state.hand[asked_seat(state)], False) << 1
    if prompt == V.Q_ESCAPE:
        return steps_of(t, state, f.target) | 1 << V.DECLINE
    if prompt == V.Q_OBST_EDGE:
        return new_edges(t, state, f.actor, &t.row[f.args[0]], f.a - 1)
    if prompt == V.Q_DEST and f.verb == V.V_PUSH:
        return state.near[state.piece[f.a].place] & ~full_places(state)
    found = choices(t, state, f)
    if prompt == V.Q_VICTIM or (prompt == V.Q_TRAP_PLACE and f.may):
        return found | 1 << V.DECLINE
    if prompt == V.Q_DEST:
        return found if f.verb != V.V_TELEPORT and f.args[1] else found | 1 << V.DECLINE
    if prompt == V.Q_OBST_SRC:
        return found | <uint64_t> 1 << V.NO_OBSTACLE
    return found

# ---- All of them ----

cdef uint64_t options_of(const Book* t, const Titans* state) noexcept nogil:
    """The legal answers of the one asked seat, as a mask."""
    cdef int prompt = state.prompt
    cdef uint64_t mask
    cdef int i
    if prompt == V.Q_MOVE:
        return moves(t, state)
    if prompt == V.Q_ABILITY:
        return abilities(t, state)
    if prompt == V.Q_PIECE:
        return candidates(t, state)
    if prompt == V.Q_DIE_SLOT:
        return die_slots(t, state)
    if prompt == V.Q_CYBORG:
        return cyborg_steps(state) | 1 << V.DECLINE
    if state.depth:
        return frame_options(t, state)
    if prompt == V.Q_REMOVE:
        return removable(t, state)
    if prompt == V.Q_REPLACE:
        return bases_of(t, state, t.piece_team[next_return(state)]) & ~full_places(state)
    if prompt == V.Q_FIRST_PLACE:
        i = first_piece(state)
        mask = bases_of(t, state, t.piece_team[i])
        if state.piece[i ^ 1].place != V.NONE:
            mask &= ~<uint64_t> bit(state.piece[i ^ 1].place)
        return mask
    mask = t.drafted          # DRAFT
    for i in range(V.PIECES):
        if state.piece[i].character != V.NONE:
            mask &= ~(<uint64_t> 1 << state.piece[i].character)
    return mask

# ---- The contract ----

cdef bint together(const Titans* state) noexcept nogil:
    return state.prompt == V.Q_SETASIDE or state.prompt == V.Q_COMP_CHAR or state.prompt == V.Q_COMP_CARD


cdef uint32_t pending(const void* tables, const void* data) noexcept nogil:
    cdef const Titans* state = <const Titans*> data
    cdef uint32_t mask = state.asked
    cdef int seat
    if together(state):
        for seat in range(V.SEATS):
            if state.left[seat] == 0:
                mask &= ~(<uint32_t> 1 << seat)
    return mask


cdef uint32_t asked(const void* tables, const void* data) noexcept nogil:
    return (<const Titans*> data).asked


cdef int prompt(const void* tables, const void* data, int seat) noexcept nogil:
    cdef const Titans* state = <const Titans*> data
    if seat < 0 or seat >= V.SEATS or not pending(tables, data) >> seat & 1:
        return -1
    if state.prompt == V.Q_COMP_CHAR or state.prompt == V.Q_COMP_CARD:
        return comp_prompt(state, seat)
    return state.prompt


cdef int legal_actions(const void* tables, const void* data, int seat, action_t* out) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef const Titans* state = <const Titans*> data
    cdef uint64_t mask = state.options
    if not pending(tables, data) >> seat & 1:
        return 0
    if state.prompt == V.Q_SETASIDE:
        mask = state.hand[seat]
    elif together(state):
        if comp_prompt(state, seat) == V.Q_COMP_CHAR:
            mask = (1 << V.BOARDS) - 1
            if state.piece[2 * seat].character != V.NONE:
                mask &= ~(<uint64_t> 1 << state.piece[2 * seat].character)
        else:
            mask = t.deck & ~state.hand[seat]
    return add_bits(mask, 0, out, 0)
