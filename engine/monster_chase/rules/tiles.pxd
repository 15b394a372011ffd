from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.monster_chase.rules.model cimport Book, Chase

cdef void end_action(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil
