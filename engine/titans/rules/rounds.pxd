# Start of the round, recovery, end of the round.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Book, Titans

cdef void run_round(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil
cdef void run_reveal(const Book* t, Titans* state, Sink* sink) noexcept nogil
cdef void run_start(const Book* t, Titans* state) noexcept nogil
cdef void run_return(const Book* t, Titans* state) noexcept nogil
cdef void run_burn(const Book* t, Titans* state, Sink* sink) noexcept nogil
cdef void run_smoke(const Book* t, Titans* state, Sink* sink) noexcept nogil
cdef void run_round_end(const Book* t, Titans* state, Sink* sink) noexcept nogil
