from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t, uint32_t
from seatmate.engine.monster_chase.rules.model cimport Book, Chase

cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil
cdef uint32_t pending(const void* tables, const void* state) noexcept nogil
cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil
cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil
cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil
cdef void go_on(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil
cdef int meant(const Book* book, const Chase* chase, int action) noexcept nogil
