from seatmate.engine.core.sink cimport Sink
from seatmate.engine.monster_chase.rules.model cimport Book, Chase

cdef void begin_list(const Book* book, Chase* chase, int v, int program) noexcept nogil
cdef void strike(const Book* book, Chase* chase, int v, Sink* sink) noexcept nogil
