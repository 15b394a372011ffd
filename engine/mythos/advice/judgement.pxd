# What positions and answers are worth.
from seatmate.engine.core.types cimport int16_t, uint64_t
from seatmate.engine.mythos.rules.model cimport UNITS, Mythos, Book

# What things are worth, in points.
cdef float CHAKRA_WORTH  # one chakra
cdef float UNIT          # a new unit, for every round that is left
cdef float PUT           # a card put hidden
cdef float PUT_LASTING   # ... for every round that is left
cdef float PUT_AMBUSH    # ... with an AMBUSH line
cdef float PUT_COST      # ... for every chakra it costs above 3
cdef float LASTING       # share of a mission's points that more power there brings in every round to come
cdef float LINE          # a point that a line of a card would bring now
cdef float EARNER        # a CHAKRA line, for every round that is left
cdef float LASTING_POWER  # a POWER line
cdef float SCORING       # a SCORE line
cdef float BODY          # a unit
cdef float BODY_POWER    # ... for each power, if it is up
cdef float BODY_HIDDEN   # ... if it is hidden
cdef float FACE          # the face of an up unit
cdef float FACE_POWER    # ... for each printed power
cdef float PASS_NOW      # passing
cdef float PASS_EDGE     # share of the worth of the Edge that counts for who could still play well
cdef float EDGE_WORTH    # the Edge, beyond its ties
cdef float CARD          # a card in hand
cdef float BACK          # what going back to the hand costs
cdef float PLAYED        # a card that leaves the hand
cdef float TEXT          # quick: a point of Book.worth
cdef float AMBUSH_TEXT   # quick: an AMBUSH line

cdef struct Judge:
    # A position in numbers, worked out once per question.
    const Book* t
    const Mythos* state
    int16_t power[UNITS]
    uint64_t back           # units that go back to a hand at the end of the round
    float now[2][4]         # power by seat and mission
    float later[2][4]       # without units that go back at the round's end
    float value[4]          # points of a mission, counted over the rounds to come
    float single[4]         # ... in this round only
    float edge[2]
    int rounds_left         # after this one

cdef void look(Judge* j, const Book* t, const Mythos* state) noexcept nogil
cdef float lead(const Judge* j, int seat, int mission) noexcept nogil
cdef float change(const Judge* j, int seat, int mission, float gained, bint lasting) noexcept nogil
cdef bint goes_back(const Book* t, int kind) noexcept nogil
cdef void fill_worth(Book* t) noexcept nogil
cdef void evaluate(const void* tables, const void* data, int seat, double* out) noexcept nogil
cdef bint quiet(const void* tables, const void* data) noexcept nogil
