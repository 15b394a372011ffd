# Escape tokens, windows for cards, and what follows a KO.
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Frame, Book, Titans

cdef void open_escapes(Titans* state, int mover) noexcept nogil
cdef void run_escapes(const Book* t, Titans* state, Frame* f, Sink* sink) noexcept nogil
cdef void open_window(Titans* state, int cause, int piece, int other, int place, bint by_move) noexcept nogil
cdef bint open_before_menu(const Book* t, Titans* state) noexcept nogil
cdef void run_window(const Book* t, Titans* state, Frame* f, Sink* sink) noexcept nogil
cdef void run_ko(const Book* t, Titans* state, Frame* f, Sink* sink) noexcept nogil
