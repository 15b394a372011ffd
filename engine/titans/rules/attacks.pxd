# Attacks and entries.
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Frame, Tables, Titans

cdef void start_attack(const Tables* t, Titans* h, Frame* f, int target, Sink* sink) noexcept nogil
cdef void run_attack(const Tables* t, Titans* h, Frame* f, Sink* sink) noexcept nogil
cdef void run_entry(const Tables* t, Titans* h, Frame* f, Sink* sink) noexcept nogil
