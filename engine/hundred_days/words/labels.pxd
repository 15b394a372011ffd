from seatmate.engine.hundred_days.rules.model cimport Book, Days

cdef str label_of(const Book* book, const Days* days, int seat, int action, names)
cdef dict args_of(const Book* book, const Days* days, int seat, int action, names)
cdef str question_of(const Book* book, const Days* days, int seat, names)
