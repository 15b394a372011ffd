# The activation of a piece.
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Book, Titans

cdef void run_piece(const Book* t, Titans* state) noexcept nogil
cdef void run_menu(const Book* t, Titans* state, int prompt) noexcept nogil
cdef void answer_ability(const Book* t, Titans* state, int seat, int answer, Sink* sink) noexcept nogil
cdef void run_turn_end(const Book* t, Titans* state, Sink* sink) noexcept nogil
