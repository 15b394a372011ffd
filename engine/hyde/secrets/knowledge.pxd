# What the seats know of the hidden cards, and sampling worlds from it.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.types cimport uint16_t, uint64_t
from seatmate.engine.hyde.rules.model cimport Book, Hyde

# Movements of a card that some observers can't see. Each keeps the Tracks of all of them.
cdef void played_from_hand(const Book* t, Hyde* state, int seat, int slot, int left) noexcept nogil
cdef void played_from_thing(const Book* t, Hyde* state, int slot) noexcept nogil
cdef void swapped_with_thing(const Book* t, Hyde* state, int seat, uint16_t taken, int knew) noexcept nogil
cdef void put_on_empty_thing(const Book* t, Hyde* state, int seat) noexcept nogil
cdef void saw_thing(Hyde* state, int seat) noexcept nogil
cdef void revealed_pile(const Book* t, Hyde* state, int place) noexcept nogil
cdef void discarded_from_thing(const Book* t, Hyde* state) noexcept nogil
cdef void discarded_from_hand(const Book* t, Hyde* state, int seat, uint16_t card) noexcept nogil
cdef void swapped_by_reveal(const Book* t, Hyde* state, int seat, uint16_t taken, uint16_t given) noexcept nogil

cdef void resample(const void* tables, void* data, int seat, Rng* rng) noexcept nogil
cdef void plausible(const void* tables, void* data, int seat, Rng* rng) noexcept nogil
cdef uint64_t private_key(const void* tables, const void* data, int seat) noexcept nogil
