# The activation of a piece.
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Tables, Titans

cdef void run_turn(const Tables* t, Titans* h) noexcept nogil
cdef void run_move_cyborg(const Tables* t, Titans* h) noexcept nogil
cdef void run_piece(const Tables* t, Titans* h) noexcept nogil
cdef void run_menu(const Tables* t, Titans* h, int prompt) noexcept nogil
cdef void answer_ability(const Tables* t, Titans* h, int seat, int answer, Sink* sink) noexcept nogil
cdef void run_turn_end(const Tables* t, Titans* h, Sink* sink) noexcept nogil
