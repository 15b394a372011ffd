# Settings and a compiled pack as the C tables of the rules core.
from seatmate.engine.titans.rules.model cimport Book

cdef int fill_pack(Book* t, pack, compiled) except -1
cdef int fill_settings(Book* t, pack, mode, options, given) except -1
