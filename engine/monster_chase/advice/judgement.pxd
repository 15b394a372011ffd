from seatmate.engine.monster_chase.rules.model cimport Book, Chase

cdef double squares_left(const Book* book, const Chase* chase, int v) noexcept nogil
cdef double hearts_out(const Book* book, const Chase* chase) noexcept nogil
cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil
cdef bint quiet(const void* tables, const void* state) noexcept nogil
