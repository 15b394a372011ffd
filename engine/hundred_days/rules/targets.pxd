from seatmate.engine.core.cardset cimport CardSet
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.hundred_days.rules.model cimport Book, Days, Frame

cdef Frame blank_frame(int kind, int seat, int card) noexcept nogil
cdef CardSet choices(const Book* book, const Days* days, const Frame* frame, int register) noexcept nogil
cdef bint can_aim(const Book* book, const Days* days, const Frame* frame) noexcept nogil
cdef uint8_t seats_with(const Book* book, const Days* days, const Frame* frame, int base, int filters) noexcept nogil
cdef uint8_t opponents(const Book* book, const Frame* frame) noexcept nogil
cdef uint8_t victims(const Book* book, const Days* days, const Frame* frame) noexcept nogil
