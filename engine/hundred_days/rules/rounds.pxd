from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.hundred_days.rules.model cimport Book, Days

cdef void set_up(const Book* book, Days* days, Rng* rng, Sink* sink) noexcept nogil
cdef void clear(const Book* book, Days* days) noexcept nogil
cdef void begin_turn(Days* days, int seat) noexcept nogil
cdef void end_adventures(Days* days) noexcept nogil
cdef void run_round(const Book* book, Days* days, Rng* rng, Sink* sink) noexcept nogil
cdef int excess(const Book* book, const Days* days, int seat) noexcept nogil
