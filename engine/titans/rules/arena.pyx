"""What the free-for-all does in its own way: a face-down map, Cyborg out of control, seats that fall for good (section 9)."""
from seatmate.engine.core.rng cimport Rng, rng_below
from seatmate.engine.core.sink cimport PUBLIC, Sink, emit1
from seatmate.engine.core.types cimport uint8_t, uint16_t
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.board cimport end_game, ignite, put, show_dice
from seatmate.engine.titans.rules.legal cimport cyborg_steps, removable
from seatmate.engine.titans.rules.model cimport Book, Titans, bit, on_map, pose


cdef int draft_piece(const Book* t, const Titans* state) noexcept nogil:
    return (state.first + state.at) % 3


cdef void lay_map(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    """The tiles lie face down and the pieces take their corners (R66)."""
    cdef int i
    for i in range(V.BOARDS):
        if t.is_cyborg >> i & 1:
            state.piece[V.CYBORG].character = <uint8_t> i
    put(state, 0, 0, V.BY_PLACE, sink)
    put(state, 1, 9, V.BY_PLACE, sink)
    put(state, 2, 6, V.BY_PLACE, sink)
    put(state, V.CYBORG, 4, V.BY_PLACE, sink)


cdef void dealt(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    """S7: who gets the initiative token."""
    state.initiative = <uint8_t> rng_below(rng, 3)
    emit1(sink, V.E_INITIATIVE, PUBLIC, state.initiative)


cdef void begin_round(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    show_dice(t, state, sink)


cdef void next_turn(const Book* t, Titans* state) noexcept nogil:
    """Clockwise from the token holder, who begins with Cyborg's move (R67, R68)."""
    cdef int k, seat
    state.step = V.S_REMOVE
    state.at = 0
    for k in range(3):
        seat = (state.initiative + k) % 3
        if state.piece[seat].place != V.NONE and state.piece[seat].activations == 0:
            state.acting = <uint8_t> seat
            state.step = V.S_PIECE
            if k == 0:
                state.active = <uint8_t> seat           # R83
                state.step = V.S_MOVE_CYBORG
            return


cdef void run_move_cyborg(const Book* t, Titans* state) noexcept nogil:
    """A0: the token holder may move Cyborg."""
    if state.at == 0 and cyborg_steps(state):
        state.at = 1
        pose(state, state.acting, V.Q_CYBORG)
        return
    state.at = 0
    state.step = V.S_PIECE if on_map(state, state.active) else V.S_TURN_END


cdef void burn_around(const Book* t, Titans* state, Sink* sink) noexcept nogil:
    """6.10: one fire token for every piece in Cyborg's place and next to it, clockwise from the active seat."""
    cdef uint16_t around = bit(state.piece[V.CYBORG].place) | state.near[state.piece[V.CYBORG].place]
    cdef int k, i
    emit1(sink, V.E_FLAME, PUBLIC, state.piece[V.CYBORG].place)
    for k in range(3):
        i = (state.acting + k) % 3
        if state.piece[i].place != V.NONE and around >> state.piece[i].place & 1:
            ignite(t, state, i, 1, sink)


cdef inline int standing(const Titans* state) noexcept nogil:
    """The seats that are still in the game, as a mask."""
    cdef int mask = 0
    cdef int i
    for i in range(3):
        if state.piece[i].place != V.NONE:
            mask |= 1 << i
    return mask


cdef inline void pass_token(Titans* state, int start, Sink* sink) noexcept nogil:
    """The initiative goes to the first seat from `start` on that is still in the game."""
    state.initiative = <uint8_t> (start % 3)
    while state.piece[state.initiative].place == V.NONE:
        state.initiative = <uint8_t> ((state.initiative + 1) % 3)
    emit1(sink, V.E_INITIATIVE, PUBLIC, state.initiative)


cdef void fallen(const Book* t, Titans* state, int mask, Sink* sink) noexcept nogil:
    """The last one standing wins; who fall together at the end share the win (R74)."""
    cdef int left = standing(state)
    if left & (left - 1) == 0:
        end_game(state, left if left else mask, sink)
    elif mask >> state.initiative & 1 and state.piece[state.initiative].activations == 0:     # R67
        pass_token(state, state.initiative, sink)


cdef void run_remove(const Book* t, Titans* state, Sink* sink) noexcept nogil:
    """Z1: the last seat of the turn order that still plays removes a place (R72); then the initiative token goes on."""
    cdef int k
    cdef int seat = state.initiative
    if state.at == 0 and removable(t, state):
        for k in range(1, 3):
            if state.piece[(state.initiative + k) % 3].place != V.NONE:
                seat = (state.initiative + k) % 3
        state.at = 1
        pose(state, seat, V.Q_REMOVE)
        return
    pass_token(state, state.initiative + 1, sink)
    state.at = 0
    state.step = V.S_ROUND_END


cdef int leaders(const Book* t, const Titans* state) noexcept nogil:
    """R65: who still stand share the win of a game that is broken off."""
    return standing(state)


cdef Hooks HOOKS = Hooks(draft_piece, lay_map, dealt, begin_round, next_turn, fallen, leaders)
