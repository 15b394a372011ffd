from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t
from seatmate.engine.monster_chase.rules.model cimport Book, Chase

cdef void clear_table(const Book* book, Chase* chase) noexcept nogil
cdef void set_up(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil
cdef void run_round(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil
cdef int round_options(const Book* book, const Chase* chase, action_t* out) noexcept nogil
cdef void answer_round(const Book* book, Chase* chase, int action, Rng* rng, Sink* sink) noexcept nogil
