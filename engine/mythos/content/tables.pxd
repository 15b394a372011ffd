# Settings and a compiled pack as the C tables of the rules core.
from seatmate.engine.mythos.rules.model cimport Book

cdef int fill_pack(Book* t, loaded, compiled) except -1
cdef int fill_options(Book* t, options, chosen) except -1
