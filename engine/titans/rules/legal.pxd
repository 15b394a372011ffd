# Who is asked what, and which answers are legal.
from seatmate.engine.core.types cimport action_t, uint16_t, uint32_t, uint64_t
from seatmate.engine.titans.rules.model cimport Tables, Titans

cdef int draft_piece(const Tables* t, const Titans* h) noexcept nogil
cdef int hand_limit(const Tables* t, const Titans* h, int seat) noexcept nogil
cdef int picks_of(const Tables* t, const Titans* h, int seat) noexcept nogil
cdef int comp_prompt(const Titans* h, int seat) noexcept nogil
cdef int first_piece(const Titans* h) noexcept nogil
cdef int next_return(const Titans* h) noexcept nogil
cdef uint64_t removable(const Tables* t, const Titans* h) noexcept nogil
cdef int candidates(const Tables* t, const Titans* h) noexcept nogil
cdef uint64_t die_slots(const Tables* t, const Titans* h) noexcept nogil
cdef int slot_tier(const Tables* t, const Titans* h, int piece, int slot) noexcept nogil
cdef uint16_t cyborg_steps(const Titans* h) noexcept nogil
cdef uint64_t options_of(const Tables* t, const Titans* h) noexcept nogil
cdef bint together(const Titans* h) noexcept nogil
cdef uint32_t pending(const void* tables, const void* state) noexcept nogil
cdef uint32_t asked(const void* tables, const void* state) noexcept nogil
cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil
cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil
