from seatmate.engine.monster_chase.rules.model cimport Book, Chase

cdef bint forbidden(const Book* book, const Chase* chase, int effect) noexcept nogil
cdef void slabs(Chase* chase, int v, int reach, int n, int flags) noexcept nogil
