# Setup: characters, map, hands.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Tables, Titans

cdef void draft(const Tables* t, Titans* h, int piece, int ctype, Sink* sink) noexcept nogil
cdef void run_draft(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil
cdef void set_aside(const Tables* t, Titans* h, int seat, int card, Rng* rng, Sink* sink) noexcept nogil
cdef void run_comp(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil
cdef void comp_pick(const Tables* t, Titans* h, int seat, int prompt, int choice, Sink* sink) noexcept nogil
