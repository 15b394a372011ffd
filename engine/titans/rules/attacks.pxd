# Attacks and entries.
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Frame, Book, Titans

cdef void start_attack(const Book* t, Titans* state, const Frame* call, int target, Sink* sink) noexcept nogil
cdef void run_attack(const Book* t, Titans* state, Frame* f, Sink* sink) noexcept nogil
cdef void run_entry(const Book* t, Titans* state, Frame* f, Sink* sink) noexcept nogil
