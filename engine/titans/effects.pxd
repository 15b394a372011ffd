# Carrying out what takes several steps: the frame stack.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.titans.model cimport Tables, Titans

cdef void run_frame(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil
cdef uint64_t frame_options(const Tables* t, const Titans* h) noexcept nogil
cdef void answer_frame(const Tables* t, Titans* h, int seat, int prompt, int answer, Rng* rng, Sink* sink) noexcept nogil
cdef void play_card(const Tables* t, Titans* h, int seat, int card, int tgt, int other, Sink* sink) noexcept nogil
cdef void start_ability(const Tables* t, Titans* h, int piece, int slot, int tier) noexcept nogil
cdef void start_innate(const Tables* t, Titans* h, int piece) noexcept nogil
