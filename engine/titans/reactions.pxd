# Escape tokens, windows for cards, and what follows a KO.
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport uint32_t
from seatmate.engine.titans.model cimport Frame, Tables, Titans

cdef void open_escapes(Titans* h, int mover) noexcept nogil
cdef void run_escapes(const Tables* t, Titans* h, Frame* f, Sink* sink) noexcept nogil
cdef void open_window(Titans* h, int cause, int piece, int other, int place, bint by_move) noexcept nogil
cdef bint open_before_menu(const Tables* t, Titans* h) noexcept nogil
cdef int window_other(const Tables* t, const Titans* h, const Frame* f, int seat) noexcept nogil
cdef uint32_t answers_to_window(const Tables* t, const Titans* h, const Frame* f, int seat, uint32_t cards,
                                bint first_is_enough) noexcept nogil
cdef bint might_play(const Tables* t, const Titans* h, int seat, int triggers, int tgt, int other) noexcept nogil
cdef void run_window(const Tables* t, Titans* h, Frame* f, Sink* sink) noexcept nogil
cdef void run_ko(const Tables* t, Titans* h, Frame* f, Sink* sink) noexcept nogil
