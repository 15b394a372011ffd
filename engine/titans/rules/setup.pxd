# Setup: characters, map, hands.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Book, Titans

cdef void draft(const Book* t, Titans* state, int piece, int character, Sink* sink) noexcept nogil
cdef void run_draft(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil
cdef void set_aside(const Book* t, Titans* state, int seat, int card, Rng* rng, Sink* sink) noexcept nogil
cdef void run_comp(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil
cdef void comp_pick(const Book* t, Titans* state, int seat, int prompt, int choice, Sink* sink) noexcept nogil
