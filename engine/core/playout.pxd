# Random simulated games over any game's rules.
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.types cimport int64_t

cdef int64_t random_playout(const Rules* rules, const void* tables, void* state, Rng* rng) noexcept nogil
