"""The activation of a piece (section 5.5), step by step, and its menus."""
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit3
from seatmate.engine.core.types cimport uint16_t, uint8_t
from seatmate.engine.titans.board cimport drop_token, ignite, who
from seatmate.engine.titans.effects cimport play_card, start_ability, start_innate
from seatmate.engine.titans.model cimport (
    CYBORG, FLAME, FORFEIT, INNATE_SPENT, INNATE_USED, MOVED, NONE, SLOT_USED, SPECIAL_OFF, SPECIAL_ON, STUN,
    S_MOVE_CYBORG, S_PIECE, S_REMOVE, S_TURN, S_TURN_END, Piece, Team, arena, bit, captain, full_places, mate_of,
    on_map, pose, steps_of,
)
from seatmate.engine.titans.query cimport can_run, playable
from seatmate.engine.titans.vocabulary cimport (
    END_TURN, E_ABILITY, E_FLAME, E_INNATE, E_TURN_END, PLAY_CARD, Q_CYBORG, Q_PIECE, STAY, TK_STUN, T_SELF, USE_INNATE,
    USE_SLOT,
)

# ---- Activation (5.5) ----

cdef void run_turn(const Tables* t, Titans* h) noexcept nogil:
    """Whose turn is next: teams alternate; in the free-for-all clockwise from the token holder (R67, R68)."""
    cdef int k, seat
    h.step = S_REMOVE
    h.at = 0
    if arena(t):
        for k in range(3):
            seat = (h.init + k) % 3
            if h.pc[seat].place != NONE and h.pc[seat].acts == 0:
                h.acting = <uint8_t> seat
                h.step = S_PIECE
                if k == 0:
                    h.active = <uint8_t> seat           # R83
                    h.step = S_MOVE_CYBORG
                return
        return
    if h.turn < 4:
        h.acting = h.init ^ (h.turn & 1)
        h.step = S_PIECE


cdef void run_move_cyborg(const Tables* t, Titans* h) noexcept nogil:
    """A0: the token holder may move Cyborg."""
    if h.at == 0 and h.near[h.pc[CYBORG].place] & ~full_places(h):
        h.at = 1
        pose(h, h.acting, Q_CYBORG)
        return
    h.at = 0
    h.step = S_PIECE if on_map(h, h.active) else S_TURN_END


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


cdef void run_piece(const Tables* t, Titans* h) noexcept nogil:
    if candidates(t, h) == 0:
        h.step = S_TURN_END
    else:
        pose(h, captain(t, h, h.acting), Q_PIECE)


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


cdef void run_menu(const Tables* t, Titans* h, int prompt) noexcept nogil:
    """A5, A7: the owner of the active piece, as long as it is on the map."""
    if on_map(h, h.active):
        pose(h, t.seat_of[h.active], prompt)
    else:
        h.step = S_TURN_END


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


cdef void answer_ability(const Tables* t, Titans* h, int seat, int answer, Sink* sink) noexcept nogil:
    cdef int tier
    if answer >= PLAY_CARD:
        play_card(t, h, seat, answer - PLAY_CARD, NONE, NONE, sink)
    elif answer == USE_SLOT:
        tier = slot_tier(t, h, h.active, h.slot)
        h.flags |= SLOT_USED
        h.stood = h.pc[h.active].place
        emit3(sink, E_ABILITY, PUBLIC, who(h, h.active), h.slot, tier)
        start_ability(t, h, h.active, h.slot, tier)
    elif answer == USE_INNATE:
        h.flags |= INNATE_USED
        if t.board[h.pc[h.active].ctype].limit == 1:
            h.pc[h.active].stat |= INNATE_SPENT
        emit1(sink, E_INNATE, PUBLIC, who(h, h.active))
        start_innate(t, h, h.active)
    else:
        h.step = S_TURN_END


cdef void burn_around(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """6.10: one fire token for every piece in Cyborg's place and next to it, clockwise from the active seat."""
    cdef uint16_t around = bit(h.pc[CYBORG].place) | h.near[h.pc[CYBORG].place]
    cdef int k, i
    emit1(sink, E_FLAME, PUBLIC, h.pc[CYBORG].place)
    for k in range(3):
        i = (h.acting + k) % 3
        if h.pc[i].place != NONE and around >> h.pc[i].place & 1:
            ignite(t, h, i, 1, sink)


cdef void run_turn_end(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """A8: the flamethrower, the stun token, the marks of the turn."""
    if arena(t) and (h.flags & FLAME or t.flame_every_turn):
        burn_around(t, h, sink)
    if h.active != NONE:
        if h.pc[h.active].tok & STUN:
            drop_token(h, h.active, STUN, TK_STUN, sink)
        emit1(sink, E_TURN_END, PUBLIC, who(h, h.active))
    h.active = NONE
    h.acting = 0
    h.flags = 0
    h.slot = 0
    h.die = 0
    h.stood = NONE
    h.at = 0
    h.turn += 1
    h.step = S_TURN
