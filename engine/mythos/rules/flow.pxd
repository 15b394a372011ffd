# The rules of Mythos as contract functions.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t, uint32_t

cdef void init(const void* tables, void* data, Rng* rng, Sink* sink) noexcept nogil
cdef uint32_t pending(const void* tables, const void* data) noexcept nogil
cdef uint32_t asked(const void* tables, const void* data) noexcept nogil
cdef int prompt(const void* tables, const void* data, int seat) noexcept nogil
cdef int legal_actions(const void* tables, const void* data, int seat, action_t* out) noexcept nogil
cdef void advance(const void* tables, void* data, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil
