# Questions about a position: whom a selector means, what an effect could do, which cards could be played.
from seatmate.engine.core.machine cimport Machine
from seatmate.engine.core.types cimport uint16_t, uint32_t, uint64_t
from seatmate.engine.titans.rules.model cimport Frame, Row, Book, Titans

cdef struct Context:
    # From where an effect looks at the position. `machine` is the first member: the machine hands it back to us.
    Machine machine
    const Book* t
    const Titans* state
    int team                # own
    int actor
    int tgt
    int other               # attacker or host

cdef void look(Context* c, const Book* t, const Titans* state, int team, int actor, int tgt, int other) noexcept nogil
cdef int members(const Book* t, const Titans* state, const Frame* f, const Row* row) noexcept nogil
cdef uint16_t trap_places(const Book* t, const Titans* state, int team, uint16_t scope) noexcept nogil
cdef uint32_t new_edges(const Book* t, const Titans* state, int actor, const Row* row, int source) noexcept nogil
cdef int attack_targets(const Book* t, const Titans* state, int actor, bint ranged) noexcept nogil
cdef uint64_t choices(const Book* t, const Titans* state, const Frame* f) noexcept nogil
cdef uint32_t possible_cards(const Book* t, const Titans* state, int seat) noexcept nogil
cdef uint32_t playable(const Book* t, const Titans* state, uint32_t cards, int team, int actor, int tgt, int other,
                       bint first_is_enough) noexcept nogil
cdef bint can_run(const Book* t, const Titans* state, int piece) noexcept nogil
cdef int window_other(const Book* t, const Titans* state, const Frame* f, int seat) noexcept nogil
cdef uint32_t answers_to_window(const Book* t, const Titans* state, const Frame* f, int seat, uint32_t cards,
                                bint first_is_enough) noexcept nogil
cdef bint might_play(const Book* t, const Titans* state, int seat, int triggers, int tgt, int other) noexcept nogil
