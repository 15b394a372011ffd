from seatmate.engine.monster_chase.rules.model cimport Book, Chase

cdef void begin_list(const Book* book, Chase* chase, int v, int program) noexcept nogil
