"""Setup (section 5.2): the draft, the map, hands, and the secret choices of the competitive mode."""
from seatmate.engine.core.contract cimport CoreEvent
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3
from seatmate.engine.core.types cimport int32_t, uint8_t, uint32_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit, nth_bit
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.board cimport who
from seatmate.engine.titans.rules.legal cimport comp_prompt, hand_limit, picks_of
from seatmate.engine.titans.rules.model cimport ask_together, pose


cdef void draft(const Book* t, Titans* state, int piece, int character, Sink* sink) noexcept nogil:
    state.at += 1
    state.piece[piece].character = <uint8_t> character
    emit2(sink, V.E_DRAFT, PUBLIC, t.seat_of[piece], who(state, piece))


cdef void run_draft(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    cdef int piece
    if state.at < t.pieces:
        piece = t.hooks.draft_piece(t, state)
        if t.given[piece] == V.NONE:
            pose(state, t.seat_of[piece], V.Q_DRAFT)
        else:
            draft(t, state, piece, t.given[piece], sink)
        return
    t.hooks.lay_map(t, state, rng, sink)
    deal(t, state, rng, sink)


cdef void deal(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    """S4, S5: hands, from which each seat sets cards aside down to its limit; or those of the recommended first game."""
    cdef int32_t args[8]
    cdef uint32_t deck = t.deck
    cdef uint32_t rest
    cdef int seat, card, i, n, _draw
    cdef int over = 0
    state.at = 0
    state.step = V.S_ROUND
    for seat in range(t.seats):
        if t.first_game:
            for i in range(t.pieces):
                if t.seat_of[i] == seat:
                    state.hand[seat] |= t.board[state.piece[i].character].first_game
            rest = state.hand[seat]
            while rest:
                emit2(sink, V.E_DEAL_FIXED, PUBLIC, seat, lowest_bit(rest))
                rest &= rest - 1
            continue
        n = t.draw[seat]
        args[0] = seat
        for _draw in range(n):
            card = nth_bit(deck, <int> rng_below(rng, <uint32_t> bit_count(deck)))
            deck &= ~(<uint32_t> 1 << card)
            state.hand[seat] |= <uint32_t> 1 << card
        rest = state.hand[seat]
        for i in range(n):
            args[i + 1] = lowest_bit(rest)
            rest &= rest - 1
        emit(sink, V.E_MAYHEM_DRAW, 1 << seat, n + 1, args)
        emit2(sink, V.E_MAYHEM_COUNT, PUBLIC & ~(1 << seat), seat, n)
        state.left[seat] = <uint8_t> max(n - hand_limit(t, state, seat), 0)
        if state.left[seat]:
            over |= 1 << seat
    t.hooks.dealt(t, state, rng, sink)
    if over:
        state.step = V.S_SET_ASIDE
        ask_together(state, sink, over, V.Q_SETASIDE)


cdef void set_aside(const Book* t, Titans* state, int seat, int card, Rng* rng, Sink* sink) noexcept nogil:
    """Nobody notices before all have finished."""
    cdef uint32_t mask = <uint32_t> 1 << card
    cdef int s
    state.hand[seat] &= ~mask
    state.aside[seat] |= mask
    state.left[seat] -= 1
    emit2(sink, V.E_SETASIDE, 1 << seat, seat, card)
    if state.left[seat]:
        emit1(sink, CoreEvent.ASK, 1 << seat, V.Q_SETASIDE)
    for s in range(t.seats):
        if state.left[s]:
            return
    state.prompt = V.Q_NOTHING
    state.asked = 0
    for s in range(t.seats):
        if state.aside[s]:
            emit2(sink, V.E_SETASIDE_COUNT, PUBLIC, s, bit_count(state.aside[s]))
    state.step = V.S_ROUND

# ---- Competitive setup (S2c) ----


cdef void run_comp(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    """at 0: nothing picked; 1: (all or) characters; 2: cards, where they come separately; then the map."""
    cdef int seat
    if state.at == 0 or (state.at == 1 and not t.same_icons):
        state.at += 1
        for seat in range(2):
            state.left[seat] = <uint8_t> picks_of(t, state, seat)
        ask_together(state, sink, 3, V.Q_COMP_CHAR if state.at == 1 else V.Q_COMP_CARD)
        return
    for seat in range(2):
        emit2(sink, V.E_MAYHEM_COUNT, PUBLIC & ~(1 << seat), seat, bit_count(state.hand[seat]))
    t.hooks.lay_map(t, state, rng, sink)
    state.at = 0
    state.step = V.S_ROUND


cdef void comp_pick(const Book* t, Titans* state, int seat, int prompt, int choice, Sink* sink) noexcept nogil:
    """One more pick of a seat; the characters become public when both have finished."""
    cdef int first = 2 * seat
    cdef int s
    if prompt == V.Q_COMP_CHAR:
        if state.piece[first].character == V.NONE:
            state.piece[first].character = <uint8_t> choice
        else:
            state.piece[first + 1].character = <uint8_t> choice
    else:
        state.hand[seat] |= <uint32_t> 1 << choice
    emit3(sink, V.E_COMP_PICK, 1 << seat, seat, prompt == V.Q_COMP_CARD, choice)
    state.left[seat] -= 1
    if state.left[seat]:
        emit1(sink, CoreEvent.ASK, 1 << seat, comp_prompt(state, seat))
    if state.left[0] or state.left[1]:
        return
    state.prompt = V.Q_NOTHING
    state.asked = 0
    if state.at == 1:
        for s in range(2):
            emit3(sink, V.E_COMP_REVEAL, PUBLIC, s, state.piece[2 * s].character, state.piece[2 * s + 1].character)

cdef inline int max(int a, int b) noexcept nogil:
    return a if a > b else b
