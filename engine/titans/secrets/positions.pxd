# Positions as plain values, and back.
from seatmate.engine.titans.rules.model cimport Book, Titans

cdef dict values_of(const Book* t, const Titans* state, int seat, names)
cdef int load_values(const Book* t, Titans* state, values, names) except -1
cdef int load_question(const Book* t, Titans* state, values) except -1
