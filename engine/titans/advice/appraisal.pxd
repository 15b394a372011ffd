# What effects, places and abilities are worth.
from seatmate.engine.core.types cimport int32_t, uint16_t
from seatmate.engine.titans.rules.model cimport Book, Titans

cdef float KO_WORTH
cdef float WIN
cdef float MISSION


cdef inline float most(float a, float b) noexcept nogil:
    return a if a > b else b


cdef inline float least(float a, float b) noexcept nogil:
    return a if a < b else b


cdef float point_worth(const Book* t, const Titans* state, int team) noexcept nogil
cdef float hit_value(const Book* t, const Titans* state, int team, int target, int damage) noexcept nogil
cdef float monster_value(const Book* t, const Titans* state, int team, int damage) noexcept nogil
cdef int attack_damage(const Book* t, const Titans* state, int team, int bonus) noexcept nogil
cdef float fire_value(const Book* t, const Titans* state, int target, int n) noexcept nogil
cdef float stun_value(const Titans* state, int target) noexcept nogil
cdef float best_target(const Book* t, const Titans* state, int piece, bint ranged, int bonus, int* target) noexcept nogil
cdef float shift_value(const Book* t, const Titans* state, int team, int victim, uint16_t where, int* to) noexcept nogil
cdef float trap_hits(const Book* t, const Titans* state, int piece, int place) noexcept nogil
cdef uint16_t goals(const Book* t, const Titans* state, int piece) noexcept nogil
cdef float worth_of(const Book* t, const Titans* state, int piece, int place) noexcept nogil
cdef float run_value(const Book* t, Titans* g, int piece, int32_t at) noexcept nogil
cdef float ability_value(const Book* t, Titans* g, int piece, int slot, int tier) noexcept nogil
cdef float die_slot_value(const Book* t, Titans* g, int piece, int value, int slot) noexcept nogil
cdef float piece_value(const Book* t, Titans* g, int piece) noexcept nogil
