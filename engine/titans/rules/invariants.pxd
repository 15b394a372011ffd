from seatmate.engine.titans.rules.model cimport Book, Titans

cdef int broken(const Book* t, const Titans* world) noexcept nogil
