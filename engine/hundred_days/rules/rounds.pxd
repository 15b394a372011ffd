from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.hundred_days.rules.model cimport Book, Days

cdef void set_up(const Book* book, Days* days, Rng* rng, Sink* sink) noexcept nogil
cdef void clear(const Book* book, Days* days) noexcept nogil
cdef void run_round(const Book* book, Days* days, Rng* rng, Sink* sink) noexcept nogil
cdef int excess(const Book* book, const Days* days, int seat) noexcept nogil
