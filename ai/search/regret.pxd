# Simulations by regret minimisation, another way to fill the trees of a Core (SearchParams.selection = regret).
from libc.stdint cimport int64_t

from seatmate.ai.search.core cimport Core

cdef int64_t regret_step(Core* core) noexcept nogil
