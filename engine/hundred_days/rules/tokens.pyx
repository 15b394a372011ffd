"""Resources, the tax of the Federation (RULES.md, 5.5), and garage tokens."""
from seatmate.engine.core.sink cimport PUBLIC, emit, emit2, emit4
from seatmate.engine.core.types cimport int32_t
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.model cimport ability


cdef void tax(const Book* book, Days* days, int type, Sink* sink) noexcept nogil:
    """A type has run out: everybody returns half of it, the token just taken included (R16, R17)."""
    cdef int32_t returned[V.SEATS + 1]
    cdef int seat
    returned[0] = type
    for seat in range(book.seats):
        returned[seat + 1] = days.tokens[seat][type]
        returned[seat + 1] -= returned[seat + 1] // 2
        if days.tokens[seat][type] & 1 and ability(book, days, seat, V.A_TAX_DOWN):
            returned[seat + 1] -= 1
        days.tokens[seat][type] -= <uint8_t> returned[seat + 1]
        days.federation[type] += <uint8_t> returned[seat + 1]
    days.flow.taxes += 1
    emit(sink, V.E_TAX, PUBLIC, book.seats + 1, returned)


cdef void take(const Book* book, Days* days, int seat, int type, int reason, Sink* sink) noexcept nogil:
    """One resource from the Federation, which never refuses (5.5)."""
    days.federation[type] -= 1
    days.tokens[seat][type] += 1
    emit4(sink, V.E_TOKENS, PUBLIC, seat, type, 1, reason)
    if days.federation[type] == 0:
        tax(book, days, type, sink)


cdef void take_all(const Book* book, Days* days, int seat, const uint8_t* tokens, int reason, Sink* sink) noexcept nogil:
    """So many of each type, one at a time."""
    cdef int t, _token
    for t in range(V.TYPES):
        for _token in range(tokens[t]):
            take(book, days, seat, t, reason, sink)


cdef void put_back(Days* days, int seat, int type, int n, int reason, Sink* sink) noexcept nogil:
    """Resources go back to the Federation."""
    if n:
        days.tokens[seat][type] -= <uint8_t> n
        days.federation[type] += <uint8_t> n
        emit4(sink, V.E_TOKENS, PUBLIC, seat, type, -n, reason)


cdef void hand_over(Days* days, int giver, int taker, int type, int reason, Sink* sink) noexcept nogil:
    """One resource from seat to seat; the Federation has no part in it."""
    days.tokens[giver][type] -= 1
    days.tokens[taker][type] += 1
    emit4(sink, V.E_TOKENS, PUBLIC, giver, type, -1, reason)
    emit4(sink, V.E_TOKENS, PUBLIC, taker, type, 1, reason)


cdef void take_garage(Days* days, int seat, int n, Sink* sink) noexcept nogil:
    """Up to n garage tokens, as far as the supply has them (R31)."""
    n = min(n, days.supply)
    if n:
        days.supply -= <uint8_t> n
        days.garage[seat] += <uint8_t> n
        emit2(sink, V.E_GARAGE, PUBLIC, seat, n)
