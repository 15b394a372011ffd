# Settings and a compiled pack as the C tables of the rules core.
from seatmate.engine.titans.rules.model cimport Tables

cdef int fill_pack(Tables* t, pack, compiled) except -1
cdef int fill_settings(Tables* t, pack, mode, options, given) except -1
