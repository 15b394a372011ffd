from seatmate.engine.monster_chase.rules.model cimport Book, Chase

cdef str label_of(const Book* book, const Chase* chase, int a, names)
cdef dict args_of(const Book* book, const Chase* chase, int a, names)
cdef str question_of(const Book* book, const Chase* chase, int seat, names)
