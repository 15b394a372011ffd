"""The activation of a piece (section 5.5), step by step, and its menus."""
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit3
from seatmate.engine.core.types cimport uint8_t, uint16_t
from seatmate.engine.titans.content.vocabulary cimport (
    E_ABILITY, E_FLAME, E_INNATE, E_TURN_END, PLAY_CARD, Q_CYBORG, Q_PIECE, TK_STUN, USE_INNATE, USE_SLOT,
)
from seatmate.engine.titans.rules.board cimport drop_token, ignite, play_card, start_ability, start_innate, who
from seatmate.engine.titans.rules.legal cimport candidates, cyborg_steps, slot_tier
from seatmate.engine.titans.rules.model cimport (
    CYBORG, FLAME, INNATE_SPENT, INNATE_USED, NONE, SLOT_USED, STUN, S_MOVE_CYBORG, S_PIECE, S_REMOVE, S_TURN,
    S_TURN_END, arena, bit, captain, on_map, pose,
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
    if h.at == 0 and cyborg_steps(h):
        h.at = 1
        pose(h, h.acting, Q_CYBORG)
        return
    h.at = 0
    h.step = S_PIECE if on_map(h, h.active) else S_TURN_END


cdef void run_piece(const Tables* t, Titans* h) noexcept nogil:
    if candidates(t, h) == 0:
        h.step = S_TURN_END
    else:
        pose(h, captain(t, h, h.acting), Q_PIECE)


cdef void run_menu(const Tables* t, Titans* h, int prompt) noexcept nogil:
    """A5, A7: the owner of the active piece, as long as it is on the map."""
    if on_map(h, h.active):
        pose(h, t.seat_of[h.active], prompt)
    else:
        h.step = S_TURN_END


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
