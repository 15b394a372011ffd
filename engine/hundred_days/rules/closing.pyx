"""Closing a dimension (RULES.md, 5.3, 6.5): waivers, the price, the tile, a new one, then cards and tolls."""
from libc.string cimport memcpy, memset

from seatmate.engine.core.sink cimport PUBLIC, emit, emit1
from seatmate.engine.core.types cimport int32_t, uint8_t
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.cards cimport draw, draw_tile
from seatmate.engine.hundred_days.rules.chains cimport steal
from seatmate.engine.hundred_days.rules.model cimport ability, seat_after, total
from seatmate.engine.hundred_days.rules.query cimport waivers
from seatmate.engine.hundred_days.rules.tokens cimport put_back


cdef void begin_payment(const Book* book, Days* days, Frame* frame) noexcept nogil:
    """What the waivers cover wholly is not asked for (R59). `pool`: what is still to pay."""
    frame.stage = V.PAYING
    memcpy(frame.pool, book.tile[days.board[frame.P]].cost, V.TYPES)
    frame.left = <uint8_t> waivers(book, days, frame.seat, frame.extra)
    if frame.left >= total(frame.pool):
        memset(frame.pool, 0, V.TYPES)
        frame.left = 0


cdef int waivable(const Days* days, const Frame* frame) noexcept nogil:
    """Types that may be waived next, a mask, and STOP where all the rest can be paid."""
    cdef const uint8_t* held = days.tokens[frame.seat]
    cdef int lack = 0           # of this type and those above
    cdef int below = 0          # of those below, which can't be waived any more
    cdef int mask = 0
    cdef int t
    for t in range(V.TYPES):
        lack += frame.pool[t] - held[t] if frame.pool[t] > held[t] else 0
    if lack == 0:
        mask = 1 << V.STOP
    for t in range(V.TYPES):
        if t >= frame.least and frame.pool[t] and below == 0 and lack - (frame.pool[t] > held[t]) <= frame.left - 1:
            mask |= 1 << t
        if frame.pool[t] > held[t]:
            below += 1
    return mask


cdef void answer_waiver(Frame* frame, int action) noexcept nogil:
    """A type of which one is not paid, or STOP."""
    if action == V.STOP:
        frame.left = 0
    else:
        frame.left -= 1
        frame.least = <uint8_t> action
        frame.pool[action] -= 1


cdef void pay_closing(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """What is not waived is paid; the tile goes to the seat, and a new one to its place."""
    cdef int32_t args[3 + V.TYPES]
    cdef int seat = frame.seat
    cdef int place = frame.P
    cdef int tile = days.board[place]
    cdef int t, i, other, n
    args[0] = seat
    args[1] = place
    args[2] = tile
    for t in range(V.TYPES):
        args[3 + t] = book.tile[tile].cost[t] - frame.pool[t]
        put_back(days, seat, t, frame.pool[t], V.WHY_CLOSING, sink)
    emit(sink, V.E_CLOSE, PUBLIC, 3 + V.TYPES, args)
    days.owner[tile] = <uint8_t> seat
    if days.stack:
        draw_tile(book, days, place, rng, sink)
    else:
        days.board[place] = V.NONE
        days.flow.ending = True                 # R49
        emit1(sink, V.E_BLACK_HOLE, PUBLIC, place)
    frame.stage = V.SETTLING
    draw(book, days, seat, ability(book, days, seat, V.A_CLOSE_DRAW), rng, sink)
    for i in range(book.seats - 1, 0, -1):      # pushed anticlockwise, so that they run clockwise
        other = seat_after(book, seat, i)
        n = ability(book, days, other, V.A_TOLL)
        if n:
            steal(days, other, seat, n, True, V.WHY_TOLL)
