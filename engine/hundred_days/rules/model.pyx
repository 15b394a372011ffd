"""Frames, abilities, and telling where the game stands."""
from libc.string cimport memset

from seatmate.engine.core.cardset cimport both, pop_card, some
from seatmate.engine.core.sink cimport PUBLIC, emit
from seatmate.engine.hundred_days.content cimport vocabulary as V


cdef void begin(Frame* frame, int kind, int seat, int card) noexcept nogil:
    """Nothing is chosen yet; card: the one that is carried out and whose program runs, or NONE."""
    memset(frame, 0, sizeof(Frame))
    frame.kind = <uint8_t> kind
    frame.seat = <uint8_t> seat
    frame.card = <uint8_t> card
    frame.program = <uint8_t> card
    frame.X = NONE
    frame.C = NONE
    frame.P = NONE
    frame.Q = NONE
    frame.src = NONE


cdef Frame* push_card(Days* days, int kind, int seat, int card) noexcept nogil:
    """Something new is carried out before what is under way. Windows keep room for it (ROOM)."""
    cdef Frame* frame = &days.frame[days.depth]
    begin(frame, kind, seat, card)
    days.depth += 1
    return frame


cdef Frame* push(Days* days, int kind, int seat) noexcept nogil:
    """Likewise, what is no card."""
    return push_card(days, kind, seat, NONE)


cdef Frame* open_event(Days* days, int kind, int seat, int place) noexcept nogil:
    """A move, a closing, or a moment of the round."""
    cdef Frame* frame = push(days, kind, seat)
    frame.P = <uint8_t> place
    frame.stage = V.DECLARING if kind == V.C_MOVE else V.OPENING
    return frame


cdef void pop(Days* days) noexcept nogil:
    """It is done; equal positions are equal bytes."""
    days.depth -= 1
    memset(&days.frame[days.depth], V.C_NONE, sizeof(Frame))


cdef int ability(const Book* book, const Days* days, int seat, int which) noexcept nogil:
    """What the cards of a seat in play add up to; 0: none has this ability."""
    cdef CardSet cards = both(&days.play[seat], &book.with_ability[which])
    cdef int sum = 0
    cdef int card
    if not some(&cards):
        return 0
    card = pop_card(&cards)
    while card >= 0:
        sum += book.card[card].ability[which]
        card = pop_card(&cards)
    return sum


cdef void show_progress(const Days* days, Sink* sink) noexcept nogil:
    """Where the game stands and what is being carried out is public: a seat that reconnects can go on from its view."""
    cdef int i
    if sink == NULL:
        return
    emit(sink, V.E_FLOW, PUBLIC, sizeof(Flow) // 4, <const int32_t*> &days.flow)
    for i in range(days.depth):
        emit(sink, V.E_FRAME, PUBLIC, sizeof(Frame) // 4, <const int32_t*> &days.frame[i])
