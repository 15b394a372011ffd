from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.hundred_days.rules.model cimport Book, Days

cdef void take(const Book* book, Days* days, int seat, int type, int reason, Sink* sink) noexcept nogil
cdef void take_all(const Book* book, Days* days, int seat, const uint8_t* tokens, int reason, Sink* sink) noexcept nogil
cdef void put_back(Days* days, int seat, int type, int n, int reason, Sink* sink) noexcept nogil
cdef void hand_over(Days* days, int giver, int taker, int type, int reason, Sink* sink) noexcept nogil
cdef void take_garage(Days* days, int seat, int n, Sink* sink) noexcept nogil
