# A finished search in words: principal variations and reasons.
from seatmate.ai.search.core cimport Core
from seatmate.engine.core.game cimport Game
from seatmate.engine.core.types cimport uint64_t

cdef tuple principal_variation(Core* core, Game game, int index, uint64_t word)
cdef tuple outcomes(Core* core, int index, uint64_t opening, uint64_t word, int worlds)
cdef tuple estimate(Core* core, uint64_t word)
