# Questions about a position: selectors, power, protection, and what effects count.
from seatmate.engine.core.machine cimport Machine
from seatmate.engine.core.types cimport int16_t, uint64_t
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport NONE, Character, Frame, Line, Mythos, Static, Book

cdef struct Context:
    # From where a line looks at the position. `machine` is the first member: the machine hands it back to us.
    Machine machine
    const Book* t
    const Mythos* state
    const Frame* registers  # NULL: none
    int you
    int source              # slot; NONE: a mission, or a card that is not in play
    int here                # mission
    bint upg

cdef struct Standing:
    # A walk over the statics of one verb on units in play; begin with `standing`, go on with `next_standing`.
    uint64_t rest           # units to come
    int verb
    int source              # the unit we are at; NONE: between two
    int line                # the next line of its card


cdef inline bint has_namesake(const Book* t, const Mythos* state, uint64_t among, int slot) noexcept nogil:
    """Has one of these units the name of this one?"""
    while among:
        if t.character[state.top[lowest_bit(among)]].name == t.character[state.top[slot]].name:
            return True
        among &= among - 1
    return False


cdef inline uint64_t names_of(const Book* t, const Mythos* state, uint64_t among) noexcept nogil:
    """The names of these units, as a mask."""
    cdef uint64_t names = 0
    while among:
        names |= t.character[state.top[lowest_bit(among)]].name
        among &= among - 1
    return names


cdef inline Standing standing(uint64_t among, int verb) noexcept nogil:
    cdef Standing walk
    walk.rest = among
    walk.verb = verb
    walk.source = NONE
    walk.line = 0
    return walk


cdef inline const Static* next_static(const Book* t, const Mythos* state, int slot, int verb, int* line) noexcept nogil:
    """The next static of this verb on the unit's card, from `line` (0 to begin) on; NULL: no more."""
    cdef const Character* card = &t.character[state.top[slot]]
    cdef const Line* row
    while line[0] < card.lines:
        row = &t.line[card.first + line[0]]
        line[0] += 1
        if row.static >= 0 and t.static[row.static].verb == verb:
            return &t.static[row.static]
    return NULL


cdef inline bint has_static(const Book* t, const Mythos* state, int slot, int verb) noexcept nogil:
    """Has the card of this unit a static of this verb (CHAKRA, POWER and what follows it)?"""
    cdef const Character* card = &t.character[state.top[slot]]
    return card.income if verb == V.CHAKRA else card.statics >> (verb - V.POWER) & 1


cdef inline const Static* next_standing(const Book* t, const Mythos* state, Standing* walk) noexcept nogil:
    """The next static of `walk.verb` among the units of `walk.rest`, its unit in `walk.source`; NULL: no more.

    Whether it holds now is for the caller to ask: what it looks at differs.
    """
    cdef const Static* s
    while True:
        if walk.source != NONE:
            s = next_static(t, state, walk.source, walk.verb, &walk.line)
            if s != NULL:
                return s
            walk.source = NONE
        if walk.rest == 0:
            return NULL
        walk.source = lowest_bit(walk.rest)
        walk.rest &= walk.rest - 1
        walk.line = 0
        if not has_static(t, state, walk.source, walk.verb):
            walk.source = NONE


cdef void look_from(Context* c, const Book* t, const Mythos* state, int you, int source, int here) noexcept nogil
cdef void look_from_frame(Context* c, const Book* t, const Mythos* state, const Frame* f) noexcept nogil
cdef uint64_t select(const Context* c, int selector) noexcept nogil
cdef bint matches(const Context* c, int selector, int slot) noexcept nogil
cdef bint card_matches(const Book* t, int kind, int selector) noexcept nogil
cdef int power(const Book* t, const Mythos* state, int slot) noexcept nogil
cdef void powers(const Book* t, const Mythos* state, int16_t* out) noexcept nogil
cdef int free_power(const Book* t, const Mythos* state, int slot) noexcept nogil
cdef int total_power(const Book* t, const Mythos* state, int mission, int seat) noexcept nogil
cdef int winner_of(const Book* t, const Mythos* state, int mission) noexcept nogil
cdef bint shielded(const Book* t, const Mythos* state, int slot, int verb, int by) noexcept nogil
cdef bint under_static(const Book* t, const Mythos* state, int slot, int verb) noexcept nogil
cdef int tax_on(const Book* t, const Mythos* state, int slot, int by) noexcept nogil
cdef int income(const Book* t, const Mythos* state, int seat) noexcept nogil
