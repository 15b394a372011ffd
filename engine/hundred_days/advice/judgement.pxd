from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.hundred_days.rules.model cimport Book, Days

cdef struct Standing:           # of one seat
    double points
    double unguarded            # points of cards in play without a garage token
    int useful                  # tokens, at most five of a type
    int hand
    int waivers
    double near                 # best of all tiles: points by what is lacking
    double best                 # points of the best tile that could be closed now

cdef Standing standing(const Book* book, const Days* days, int seat) noexcept nogil
cdef int closings_left(const Book* book, const Days* days) noexcept nogil
cdef double type_value(const Book* book, const Days* days, int seat, int type) noexcept nogil
cdef double tile_value(const Book* book, const Days* days, int seat, int place, int waived) noexcept nogil
cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil
cdef bint quiet(const void* tables, const void* state) noexcept nogil
