# Positions as plain values and back.
from seatmate.engine.mythos.rules.model cimport Mythos, Tables, Tracks

cdef dict values_of(const Tables* t, const Mythos* h, int seat, names)
cdef int load_values(const Tables* t, Mythos* h, values, int seat, names) except -1
cdef int load_question(Mythos* h, values, int seat) except -1
cdef dict frame_of_words(args, names)
cdef list track_values(const Tracks* k, names)
