# Carrying out what takes several steps: the frame stack.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Tables, Titans

cdef void run_frame(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil
cdef void answer_frame(const Tables* t, Titans* h, int seat, int prompt, int answer, Rng* rng, Sink* sink) noexcept nogil
