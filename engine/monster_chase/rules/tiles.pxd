from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t
from seatmate.engine.monster_chase.rules.model cimport Book, Chase, Frame

cdef void end_action(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil
cdef void run_special(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
cdef int special_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil
cdef void answer_special(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil
cdef void run_roll(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
