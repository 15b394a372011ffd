# What a position is worth.
from seatmate.engine.core.types cimport uint16_t
from seatmate.engine.titans.rules.model cimport Book, Titans

cdef void evaluate(const void* tables, const void* data, int seat, double* out) noexcept nogil
cdef void evaluate_arena(const void* tables, const void* data, int seat, double* out) noexcept nogil
cdef bint quiet(const void* tables, const void* data) noexcept nogil
cdef int distance(const Titans* state, int start, uint16_t goal) noexcept nogil
cdef float mission_progress(const Book* t, const Titans* state, int team) noexcept nogil
