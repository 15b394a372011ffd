# Who is asked what, and which answers are legal.
from seatmate.engine.core.types cimport action_t, uint16_t, uint32_t, uint64_t
from seatmate.engine.titans.rules.model cimport Book, Titans

cdef int hand_limit(const Book* t, const Titans* state, int seat) noexcept nogil
cdef int picks_of(const Book* t, const Titans* state, int seat) noexcept nogil
cdef int comp_prompt(const Titans* state, int seat) noexcept nogil
cdef int first_piece(const Titans* state) noexcept nogil
cdef int next_return(const Titans* state) noexcept nogil
cdef uint64_t removable(const Book* t, const Titans* state) noexcept nogil
cdef int candidates(const Book* t, const Titans* state) noexcept nogil
cdef uint64_t die_slots(const Book* t, const Titans* state) noexcept nogil
cdef int slot_tier(const Book* t, const Titans* state, int piece, int slot) noexcept nogil
cdef uint16_t cyborg_steps(const Titans* state) noexcept nogil
cdef uint64_t options_of(const Book* t, const Titans* state) noexcept nogil
cdef bint together(const Titans* state) noexcept nogil
cdef uint32_t pending(const void* tables, const void* data) noexcept nogil
cdef uint32_t asked(const void* tables, const void* data) noexcept nogil
cdef int prompt(const void* tables, const void* data, int seat) noexcept nogil
cdef int legal_actions(const void* tables, const void* data, int seat, action_t* out) noexcept nogil
