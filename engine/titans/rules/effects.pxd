# Carrying out what takes several steps: the frame stack.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Book, Titans

cdef void run_frame(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil
cdef void answer_frame(const Book* t, Titans* state, int seat, int prompt, int answer, Rng* rng, Sink* sink) noexcept nogil
