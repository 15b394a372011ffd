# Answers in words.
from seatmate.engine.mythos.rules.model cimport Mythos, Tables

cdef str label_of(const Tables* t, const Mythos* h, int seat, int action, names)
cdef str question_of(const Tables* t, const Mythos* h, int seat, int answers, names, str plain)
cdef dict args_of(const Tables* t, const Mythos* h, int seat, int action, names)
