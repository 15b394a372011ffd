# What effects, places and abilities are worth.
from seatmate.engine.core.types cimport int32_t, uint16_t
from seatmate.engine.titans.rules.model cimport Tables, Titans

cdef float KO_WORTH
cdef float WIN
cdef float MISSION


cdef inline float most(float a, float b) noexcept nogil:
    return a if a > b else b


cdef inline float least(float a, float b) noexcept nogil:
    return a if a < b else b


cdef float point_worth(const Tables* t, const Titans* h, int team) noexcept nogil
cdef float hit_value(const Tables* t, const Titans* h, int team, int target, int damage) noexcept nogil
cdef float monster_value(const Tables* t, const Titans* h, int team, int damage) noexcept nogil
cdef int attack_damage(const Tables* t, const Titans* h, int team, int bonus) noexcept nogil
cdef float fire_value(const Tables* t, const Titans* h, int target, int n) noexcept nogil
cdef float stun_value(const Titans* h, int target) noexcept nogil
cdef float best_target(const Tables* t, const Titans* h, int piece, bint ranged, int bonus, int* target) noexcept nogil
cdef float shift_value(const Tables* t, const Titans* h, int team, int victim, uint16_t where, int* to) noexcept nogil
cdef float trap_hits(const Tables* t, const Titans* h, int piece, int place) noexcept nogil
cdef uint16_t goals(const Tables* t, const Titans* h, int piece) noexcept nogil
cdef float worth_of(const Tables* t, const Titans* h, int piece, int place) noexcept nogil
cdef float run_value(const Tables* t, Titans* g, int piece, int32_t at) noexcept nogil
cdef float ability_value(const Tables* t, Titans* g, int piece, int slot, int tier) noexcept nogil
cdef float die_slot_value(const Tables* t, Titans* g, int piece, int value, int slot) noexcept nogil
cdef float piece_value(const Tables* t, Titans* g, int piece) noexcept nogil
