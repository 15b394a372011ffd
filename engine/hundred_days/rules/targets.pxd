from seatmate.engine.core.cardset cimport CardSet
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.hundred_days.rules.model cimport Book, Days, Frame

cdef uint8_t opponents(const Book* book, const Frame* frame) noexcept nogil
cdef CardSet choices(const Book* book, const Days* days, const Frame* frame, int register) noexcept nogil
cdef bint can_aim(const Book* book, const Days* days, const Frame* frame) noexcept nogil
cdef uint8_t victims(const Book* book, const Days* days, const Frame* frame) noexcept nogil
cdef CardSet playable(const Book* book, const Days* days, int seat) noexcept nogil
cdef CardSet usable(const Book* book, const Days* days, int seat) noexcept nogil
cdef CardSet triggers(const Book* book, int seat, const Frame* event) noexcept nogil
cdef CardSet reactions(const Book* book, const Days* days, int seat, const Frame* event) noexcept nogil
