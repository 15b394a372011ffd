# The activation of a piece.
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.titans.model cimport Tables, Titans

cdef void run_turn(const Tables* t, Titans* h) noexcept nogil
cdef void run_move_cyborg(const Tables* t, Titans* h) noexcept nogil
cdef int candidates(const Tables* t, const Titans* h) noexcept nogil
cdef void run_piece(const Tables* t, Titans* h) noexcept nogil
cdef uint64_t die_slots(const Tables* t, const Titans* h) noexcept nogil
cdef void run_menu(const Tables* t, Titans* h, int prompt) noexcept nogil
cdef uint64_t moves(const Tables* t, const Titans* h) noexcept nogil
cdef uint64_t abilities(const Tables* t, const Titans* h) noexcept nogil
cdef int slot_tier(const Tables* t, const Titans* h, int piece, int slot) noexcept nogil
cdef void answer_ability(const Tables* t, Titans* h, int seat, int answer, Sink* sink) noexcept nogil
cdef void run_turn_end(const Tables* t, Titans* h, Sink* sink) noexcept nogil
