# Start of the round, recovery, end of the round.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Tables, Titans

cdef void run_round(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil
cdef void run_reveal(const Tables* t, Titans* h, Sink* sink) noexcept nogil
cdef void run_start(const Tables* t, Titans* h) noexcept nogil
cdef void run_return(const Tables* t, Titans* h) noexcept nogil
cdef void run_burn(const Tables* t, Titans* h, Sink* sink) noexcept nogil
cdef void run_smoke(const Tables* t, Titans* h, Sink* sink) noexcept nogil
cdef void run_remove(const Tables* t, Titans* h, Sink* sink) noexcept nogil
cdef void run_round_end(const Tables* t, Titans* h, Sink* sink) noexcept nogil
