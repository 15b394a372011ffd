# Positions as plain values, and back.
from seatmate.engine.titans.rules.model cimport Tables, Titans

cdef dict values_of(const Tables* t, const Titans* h, int seat, names)
cdef int load_values(const Tables* t, Titans* h, values, names) except -1
cdef int load_question(const Tables* t, Titans* h, values) except -1
