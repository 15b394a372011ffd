# GO! cards: progress, completion, the next card.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Frame, Tables, Titans

cdef bint progress(const Tables* t, Titans* h, int team, Sink* sink) noexcept nogil
cdef void check_mission(const Tables* t, Titans* h, int team, Sink* sink) noexcept nogil
cdef void run_quest(const Tables* t, Titans* h, Frame* f, Rng* rng, Sink* sink) noexcept nogil
cdef void roll_mayhem(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil
cdef void token_moves(const Titans* h, int kind, int team, int start, int to, Sink* sink) noexcept nogil
