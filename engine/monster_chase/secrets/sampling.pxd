from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.types cimport uint64_t

cdef void resample(const void* tables, void* state, int seat, Rng* rng) noexcept nogil
cdef uint64_t private_key(const void* tables, const void* state, int seat) noexcept nogil
