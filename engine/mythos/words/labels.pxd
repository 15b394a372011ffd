# Answers in words.
from seatmate.engine.mythos.rules.model cimport Mythos, Book

cdef str label_of(const Book* t, const Mythos* state, int seat, int action, names)
cdef str question_of(const Book* t, const Mythos* state, int seat, int answers, names, str plain)
cdef dict args_of(const Book* t, const Mythos* state, int seat, int action, names)
