# Positions as plain values and back.
from seatmate.engine.mythos.rules.model cimport Mythos, Book, Tracks

cdef dict values_of(const Book* t, const Mythos* state, int seat, names)
cdef int load_values(const Book* t, Mythos* state, values, int seat, names) except -1
cdef int load_question(Mythos* state, values, int seat) except -1
cdef dict frame_of_words(args, names)
cdef list track_values(const Tracks* k, names)
