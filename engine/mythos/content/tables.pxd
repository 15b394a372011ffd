# Settings and a compiled pack as the C tables of the rules core.
from seatmate.engine.mythos.rules.model cimport Tables

cdef int fill_pack(Tables* t, loaded, compiled) except -1
cdef int fill_options(Tables* t, options, chosen) except -1
