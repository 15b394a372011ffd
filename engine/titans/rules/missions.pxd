# GO! cards: progress, completion, the next card.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Frame, Book, Titans

cdef bint progress(const Book* t, Titans* state, int team, Sink* sink) noexcept nogil
cdef void check_mission(const Book* t, Titans* state, int team, Sink* sink) noexcept nogil
cdef void run_quest(const Book* t, Titans* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil
cdef void roll_mayhem(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil
cdef void token_moves(const Titans* state, int kind, int team, int start, int to, Sink* sink) noexcept nogil
