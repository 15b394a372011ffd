# Answers in words.
from seatmate.engine.titans.rules.model cimport Book, Titans

cdef str label_of(const Book* t, const Titans* state, int seat, int action, names)
cdef dict args_of(const Book* t, const Titans* state, int seat, int action, names)
cdef str question_of(const Book* t, const Titans* state, int seat, names)
