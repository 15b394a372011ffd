# What a seat does not know: sampled worlds, and a key of what it knows alone.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.titans.rules.model cimport Book, Titans

cdef void resample(const void* tables, void* data, int seat, Rng* rng) noexcept nogil
cdef uint64_t private_key(const void* tables, const void* data, int seat) noexcept nogil
cdef void complete(const Book* t, Titans* state) noexcept nogil
