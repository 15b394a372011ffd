# What positions and answers are worth.
from seatmate.engine.core.types cimport int16_t, uint64_t
from seatmate.engine.mythos.model cimport UNITS, Mythos, Tables

cdef struct Judge:
    # A position in numbers, worked out once per question.
    const Tables* t
    const Mythos* h
    int16_t power[UNITS]
    uint64_t back           # units that go back to a hand at the end of the round
    float now[2][4]         # power by seat and mission
    float later[2][4]       # without units that go back at the round's end
    float value[4]          # points of a mission, counted over the rounds to come
    float single[4]         # ... in this round only
    float edge[2]
    int rounds_left         # after this one

cdef void look(Judge* j, const Tables* t, const Mythos* h) noexcept nogil
cdef float lead(const Judge* j, int seat, int mission) noexcept nogil
cdef float change(const Judge* j, int seat, int mission, float gained, bint lasting) noexcept nogil
cdef bint goes_back(const Tables* t, int kind) noexcept nogil
cdef void fill_worth(Tables* t) noexcept nogil
cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil
cdef bint quiet(const void* tables, const void* state) noexcept nogil
