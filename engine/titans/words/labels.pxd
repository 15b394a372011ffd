# Answers in words.
from seatmate.engine.titans.rules.model cimport Tables, Titans

cdef str label_of(const Tables* t, const Titans* h, int seat, int action, names)
cdef dict args_of(const Tables* t, const Titans* h, int seat, int action, names)
cdef str question_of(const Tables* t, const Titans* h, int seat, names)
