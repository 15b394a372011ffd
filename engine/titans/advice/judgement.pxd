# What a position is worth.
from seatmate.engine.core.types cimport uint16_t
from seatmate.engine.titans.rules.model cimport Tables, Titans

cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil
cdef bint quiet(const void* tables, const void* state) noexcept nogil
cdef int distance(const Titans* h, int start, uint16_t goal) noexcept nogil
cdef float mission_progress(const Tables* t, const Titans* h, int team) noexcept nogil
