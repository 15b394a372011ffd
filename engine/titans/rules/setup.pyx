"""Setup (section 5.2): the draft, the map, hands, and the secret choices of the competitive mode."""
from seatmate.engine.core.contract cimport CoreEvent
from seatmate.engine.core.rng cimport rng_below, shuffle_u8
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3
from seatmate.engine.core.types cimport int32_t, uint8_t, uint32_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit, nth_bit
from seatmate.engine.titans.content.vocabulary cimport (
    BY_PLACE, E_COMP_PICK, E_COMP_REVEAL, E_DEAL_FIXED, E_DRAFT, E_INITIATIVE, E_MAYHEM_COUNT, E_MAYHEM_DRAW,
    E_SETASIDE, E_SETASIDE_COUNT, E_TILES, Q_COMP_CARD, Q_COMP_CHAR, Q_DRAFT, Q_NOTHING, Q_SETASIDE,
)
from seatmate.engine.titans.rules.board cimport put, who
from seatmate.engine.titans.rules.legal cimport comp_prompt, draft_piece, hand_limit, picks_of
from seatmate.engine.titans.rules.model cimport (
    BOARDS, CYBORG, NONE, PLACES, S_ROUND, S_SETASIDE, TILES, arena, ask_together, pose,
)


cdef void draft(const Tables* t, Titans* h, int piece, int ctype, Sink* sink) noexcept nogil:
    h.at += 1
    h.pc[piece].ctype = <uint8_t> ctype
    emit2(sink, E_DRAFT, PUBLIC, t.seat_of[piece], who(h, piece))


cdef void run_draft(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    cdef int piece
    if h.at < t.pieces:
        piece = draft_piece(t, h)
        if t.given[piece] == NONE:
            pose(h, t.seat_of[piece], Q_DRAFT)
        else:
            draft(t, h, piece, t.given[piece], sink)
        return
    lay_map(t, h, rng, sink)
    deal(t, h, rng, sink)


cdef void lay_map(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    """S3: tiles are shuffled; in the free-for-all they lie face down and the pieces take their corners (R66)."""
    cdef int32_t args[PLACES]
    cdef int i
    if arena(t):
        for i in range(BOARDS):
            if t.is_cyborg >> i & 1:
                h.pc[CYBORG].ctype = <uint8_t> i
        put(h, 0, 0, BY_PLACE, sink)
        put(h, 1, 9, BY_PLACE, sink)
        put(h, 2, 6, BY_PLACE, sink)
        put(h, CYBORG, 4, BY_PLACE, sink)
        return
    for i in range(TILES):
        h.tile[i] = <uint8_t> i
    shuffle_u8(h.tile, TILES, rng)
    for i in range(PLACES):
        h.where[h.tile[i]] = <uint8_t> i
        args[i] = h.tile[i]
    emit(sink, E_TILES, PUBLIC, PLACES, args)


cdef void deal(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    """S4, S5: hands, from which each seat sets cards aside down to its limit; or those of the recommended first game."""
    cdef int32_t args[8]
    cdef uint32_t deck = t.deck
    cdef uint32_t rest
    cdef int seat, card, i, n, _draw
    cdef int over = 0
    h.at = 0
    h.step = S_ROUND
    for seat in range(t.seats):
        if t.first_game:
            for i in range(t.pieces):
                if t.seat_of[i] == seat:
                    h.hand[seat] |= t.board[h.pc[i].ctype].first_game
            rest = h.hand[seat]
            while rest:
                emit2(sink, E_DEAL_FIXED, PUBLIC, seat, lowest_bit(rest))
                rest &= rest - 1
            continue
        n = t.draw[seat]
        args[0] = seat
        for _draw in range(n):
            card = nth_bit(deck, <int> rng_below(rng, <uint32_t> bit_count(deck)))
            deck &= ~(<uint32_t> 1 << card)
            h.hand[seat] |= <uint32_t> 1 << card
        rest = h.hand[seat]
        for i in range(n):
            args[i + 1] = lowest_bit(rest)
            rest &= rest - 1
        emit(sink, E_MAYHEM_DRAW, 1 << seat, n + 1, args)
        emit2(sink, E_MAYHEM_COUNT, PUBLIC & ~(1 << seat), seat, n)
        h.left[seat] = <uint8_t> max(n - hand_limit(t, h, seat), 0)
        if h.left[seat]:
            over |= 1 << seat
    if arena(t):
        h.init = <uint8_t> rng_below(rng, 3)            # S7
        emit1(sink, E_INITIATIVE, PUBLIC, h.init)
    if over:
        h.step = S_SETASIDE
        ask_together(h, sink, over, Q_SETASIDE)


cdef void set_aside(const Tables* t, Titans* h, int seat, int card, Rng* rng, Sink* sink) noexcept nogil:
    """Nobody notices before all have finished."""
    cdef uint32_t mask = <uint32_t> 1 << card
    cdef int s
    h.hand[seat] &= ~mask
    h.aside[seat] |= mask
    h.left[seat] -= 1
    emit2(sink, E_SETASIDE, 1 << seat, seat, card)
    if h.left[seat]:
        emit1(sink, CoreEvent.ASK, 1 << seat, Q_SETASIDE)
    for s in range(t.seats):
        if h.left[s]:
            return
    h.prompt = Q_NOTHING
    h.asked = 0
    for s in range(t.seats):
        if h.aside[s]:
            emit2(sink, E_SETASIDE_COUNT, PUBLIC, s, bit_count(h.aside[s]))
    h.step = S_ROUND

# ---- Competitive setup (S2c) ----


cdef void run_comp(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    """at 0: nothing picked; 1: (all or) characters; 2: cards, where they come separately; then the map."""
    cdef int seat
    if h.at == 0 or (h.at == 1 and not t.same_icons):
        h.at += 1
        for seat in range(2):
            h.left[seat] = <uint8_t> picks_of(t, h, seat)
        ask_together(h, sink, 3, Q_COMP_CHAR if h.at == 1 else Q_COMP_CARD)
        return
    for seat in range(2):
        emit2(sink, E_MAYHEM_COUNT, PUBLIC & ~(1 << seat), seat, bit_count(h.hand[seat]))
    lay_map(t, h, rng, sink)
    h.at = 0
    h.step = S_ROUND


cdef void comp_pick(const Tables* t, Titans* h, int seat, int prompt, int choice, Sink* sink) noexcept nogil:
    """One more pick of a seat; the characters become public when both have finished."""
    cdef int first = 2 * seat
    cdef int s
    if prompt == Q_COMP_CHAR:
        if h.pc[first].ctype == NONE:
            h.pc[first].ctype = <uint8_t> choice
        else:
            h.pc[first + 1].ctype = <uint8_t> choice
    else:
        h.hand[seat] |= <uint32_t> 1 << choice
    emit3(sink, E_COMP_PICK, 1 << seat, seat, prompt == Q_COMP_CARD, choice)
    h.left[seat] -= 1
    if h.left[seat]:
        emit1(sink, CoreEvent.ASK, 1 << seat, comp_prompt(h, seat))
    if h.left[0] or h.left[1]:
        return
    h.prompt = Q_NOTHING
    h.asked = 0
    if h.at == 1:
        for s in range(2):
            emit3(sink, E_COMP_REVEAL, PUBLIC, s, h.pc[2 * s].ctype, h.pc[2 * s + 1].ctype)

cdef inline int max(int a, int b) noexcept nogil:
    return a if a > b else b
