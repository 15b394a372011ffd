from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.hundred_days.rules.model cimport Book, Days, Frame

cdef void run_step(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
