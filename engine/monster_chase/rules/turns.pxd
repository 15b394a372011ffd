from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t
from seatmate.engine.monster_chase.rules.model cimport Book, Chase

cdef int turn_options(const Book* book, const Chase* chase, action_t* out) noexcept nogil
cdef void answer_turn(const Book* book, Chase* chase, int action, Rng* rng, Sink* sink) noexcept nogil
cdef bint run_turn(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil
