from seatmate.engine.hundred_days.rules.model cimport Book

cdef int fill(Book* book, pack, rows, int seats, int tiles) except -1
