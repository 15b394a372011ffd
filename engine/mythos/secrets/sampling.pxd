# Sampling a world that a seat can't tell from the true one.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.types cimport uint64_t

cdef void resample(const void* tables, void* data, int seat, Rng* rng) noexcept nogil
cdef uint64_t private_key(const void* tables, const void* data, int seat) noexcept nogil
