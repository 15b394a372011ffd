"""The activation of a piece (section 5.5), step by step, and its menus."""
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit3
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.arena cimport burn_around
from seatmate.engine.titans.rules.board cimport drop_token, play_card, start_ability, start_innate, who
from seatmate.engine.titans.rules.legal cimport candidates, slot_tier
from seatmate.engine.titans.rules.model cimport captain, on_map, pose

# ---- Activation (5.5) ----

cdef void run_piece(const Book* t, Titans* state) noexcept nogil:
    if candidates(t, state) == 0:
        state.step = V.S_TURN_END
    else:
        pose(state, captain(t, state, state.acting), V.Q_PIECE)


cdef void run_menu(const Book* t, Titans* state, int prompt) noexcept nogil:
    """A5, A7: the owner of the active piece, as long as it is on the map."""
    if on_map(state, state.active):
        pose(state, t.seat_of[state.active], prompt)
    else:
        state.step = V.S_TURN_END


cdef void answer_ability(const Book* t, Titans* state, int seat, int answer, Sink* sink) noexcept nogil:
    cdef int tier
    if answer >= V.PLAY_CARD:
        play_card(t, state, seat, answer - V.PLAY_CARD, V.NONE, V.NONE, sink)
    elif answer == V.USE_SLOT:
        tier = slot_tier(t, state, state.active, state.slot)
        state.flags |= V.SLOT_USED
        state.stood = state.piece[state.active].place
        emit3(sink, V.E_ABILITY, PUBLIC, who(state, state.active), state.slot, tier)
        start_ability(t, state, state.active, state.slot, tier)
    elif answer == V.USE_INNATE:
        state.flags |= V.INNATE_USED
        if t.board[state.piece[state.active].character].limit == 1:
            state.piece[state.active].status |= V.INNATE_SPENT
        emit1(sink, V.E_INNATE, PUBLIC, who(state, state.active))
        start_innate(t, state, state.active)
    else:
        state.step = V.S_TURN_END


cdef void run_turn_end(const Book* t, Titans* state, Sink* sink) noexcept nogil:
    """A8: the flamethrower, the stun token, the marks of the turn."""
    if state.flags & V.FLAME or t.flame_every_turn:
        burn_around(t, state, sink)
    if state.active != V.NONE:
        if state.piece[state.active].tokens & V.STUN:
            drop_token(state, state.active, V.STUN, V.TK_STUN, sink)
        emit1(sink, V.E_TURN_END, PUBLIC, who(state, state.active))
    state.active = V.NONE
    state.acting = 0
    state.flags = 0
    state.slot = 0
    state.die = 0
    state.stood = V.NONE
    state.at = 0
    state.turn += 1
    state.step = V.S_TURN
