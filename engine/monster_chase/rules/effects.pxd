from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t
from seatmate.engine.monster_chase.rules.model cimport Book, Chase, Frame

cdef void begin_effect(Chase* chase, int v, int w, int effect, int times, int flags) noexcept nogil
cdef void begin_list(const Book* book, Chase* chase, int v, int program) noexcept nogil
cdef bint forbidden(const Book* book, const Chase* chase, int effect) noexcept nogil
cdef void slabs(Chase* chase, int v, int reach, int n, int flags) noexcept nogil
cdef void run_effect(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
cdef int effect_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil
cdef void answer_effect(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil
cdef void run_list(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
cdef int list_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil
cdef void answer_list(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil
cdef void run_slabs(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
cdef int slab_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil
cdef void answer_slabs(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil
cdef void run_discard(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
cdef int discard_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil
cdef void answer_discard(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil
cdef void run_drop(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
cdef int drop_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil
cdef void answer_drop(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil
