# The frame stack: lines and plays that are being carried out (sections 5.6 to 5.8).
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t
from seatmate.engine.mythos.rules.model cimport Mythos, Book

cdef void settle(const Book* t, Mythos* state) noexcept nogil
cdef void run_frames(const Book* t, Mythos* state, Rng* rng, Sink* sink) noexcept nogil
cdef void answer_frame(const Book* t, Mythos* state, int prompt, int answer, Rng* rng, Sink* sink) noexcept nogil
cdef int legal_in_frame(const Book* t, const Mythos* state, int prompt, action_t* out) noexcept nogil
