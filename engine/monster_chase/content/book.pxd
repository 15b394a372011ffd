from seatmate.engine.monster_chase.rules.model cimport Book

cdef int fill(Book* book, pack, rows, track, plan) except -1
