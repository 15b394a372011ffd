# The attack of the Hyde and the end of the game.
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport uint32_t
from seatmate.engine.hyde.rules.model cimport Hyde, Tables

# The steps of an attack; each says whether the next round can begin (else a seat is asked or the game is over).
cdef bint begin_attack(const Tables* t, Hyde* h, int place, Sink* sink) noexcept nogil
cdef bint swap_nothing(const Tables* t, Hyde* h, int seat, Sink* sink) noexcept nogil
cdef bint swap_revealed(const Tables* t, Hyde* h, int seat, int give, Sink* sink) noexcept nogil

# Masks of kinds a swap may take and give.
cdef uint32_t take_kinds(const Tables* t, const Hyde* h, int seat) noexcept nogil
cdef uint32_t give_kinds(const Tables* t, const Hyde* h, int seat) noexcept nogil
cdef bint swap_matches(const Tables* t, int outcast, int a, int b) noexcept nogil

cdef int attack_total(const Tables* t, const Hyde* h, int place) noexcept nogil
cdef void returns(const void* tables, const void* state, double* out) noexcept nogil
