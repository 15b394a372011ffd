# Escape tokens, windows for cards, and what follows a KO.
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Frame, Tables, Titans

cdef void open_escapes(Titans* h, int mover) noexcept nogil
cdef void run_escapes(const Tables* t, Titans* h, Frame* f, Sink* sink) noexcept nogil
cdef void open_window(Titans* h, int cause, int piece, int other, int place, bint by_move) noexcept nogil
cdef bint open_before_menu(const Tables* t, Titans* h) noexcept nogil
cdef void run_window(const Tables* t, Titans* h, Frame* f, Sink* sink) noexcept nogil
cdef void run_ko(const Tables* t, Titans* h, Frame* f, Sink* sink) noexcept nogil
