# The attack of the Hyde and the end of the game.
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport uint32_t
from seatmate.engine.hyde.rules.model cimport Book, Hyde

# The steps of an attack; each says whether the next round can begin (else a seat is asked or the game is over).
cdef bint begin_attack(const Book* t, Hyde* state, int place, Sink* sink) noexcept nogil
cdef bint swap_nothing(const Book* t, Hyde* state, int seat, Sink* sink) noexcept nogil
cdef bint swap_revealed(const Book* t, Hyde* state, int seat, int give, Sink* sink) noexcept nogil

# Masks of kinds a swap may take and give.
cdef uint32_t take_kinds(const Book* t, const Hyde* state, int seat) noexcept nogil
cdef uint32_t give_kinds(const Book* t, const Hyde* state, int seat) noexcept nogil
cdef bint swap_matches(const Book* t, int outcast, int a, int b) noexcept nogil

cdef int attack_total(const Book* t, const Hyde* state, int place) noexcept nogil
cdef void returns(const void* tables, const void* data, double* out) noexcept nogil
