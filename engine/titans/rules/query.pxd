# Questions about a position: whom a selector means, what an effect could do, which cards could be played.
from seatmate.engine.core.machine cimport Machine
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport uint8_t, uint16_t, uint32_t, uint64_t
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.model cimport Frame, Row, Book, Titans

cdef struct Context:
    # From where an effect looks at the position. `machine` is the first member: the machine hands it back to us.
    Machine machine
    const Book* t
    const Titans* state
    int team                # own
    int actor
    int target
    int other               # attacker or host

# The contract of a verb (verbs.pyx), f being the frame whose program runs. What a call can do: see `choices`.
ctypedef uint64_t (*possible_fn)(const Book* t, const Titans* state, const Frame* f) noexcept nogil
ctypedef void (*run_fn)(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil
# Of a verb for pieces: may it do something to this one; what it does to it.
ctypedef bint (*fits_fn)(const Book* t, const Titans* state, int piece) noexcept nogil
ctypedef void (*affect_fn)(const Book* t, Titans* state, int piece, int n, Sink* sink) noexcept nogil

cdef struct Verb:
    possible_fn possible
    run_fn run
    fits_fn fits            # NULL: every piece
    affect_fn affect        # NULL: the verb is for no pieces
    uint8_t selector        # ... which argument says for whom
    uint8_t question        # asked before it is carried out, Q_NOTHING
    uint8_t second          # ... and about the first answer

cdef Verb VERB[V.VERBS]

cdef void look(Context* c, const Book* t, const Titans* state, int team, int actor, int target, int other) noexcept nogil
cdef int members(const Book* t, const Titans* state, const Frame* f, const Row* row) noexcept nogil
cdef int shiftable(const Book* t, const Titans* state, int actor, uint16_t where) noexcept nogil
cdef int unused_dice(const Book* t, const Titans* state, int team) noexcept nogil
cdef uint32_t obstacle_sources(const Book* t, const Titans* state, int actor, const Row* row) noexcept nogil
cdef uint16_t places_of(const Book* t, const Titans* state, const Frame* f, const Row* row, int team) noexcept nogil
cdef uint16_t trap_places(const Book* t, const Titans* state, int team, uint16_t scope) noexcept nogil
cdef uint32_t new_edges(const Book* t, const Titans* state, int actor, const Row* row, int source) noexcept nogil
cdef int attack_targets(const Book* t, const Titans* state, int actor, bint ranged) noexcept nogil
cdef uint64_t choices(const Book* t, const Titans* state, const Frame* f) noexcept nogil
cdef uint32_t possible_cards(const Book* t, const Titans* state, int seat) noexcept nogil
cdef uint32_t playable(const Book* t, const Titans* state, uint32_t cards, int team, int actor, int target, int other,
                       bint first_is_enough) noexcept nogil
cdef bint can_run(const Book* t, const Titans* state, int piece) noexcept nogil
cdef int window_other(const Book* t, const Titans* state, const Frame* f, int seat) noexcept nogil
cdef uint32_t answers_to_window(const Book* t, const Titans* state, const Frame* f, int seat, uint32_t cards,
                                bint first_is_enough) noexcept nogil
cdef bint might_play(const Book* t, const Titans* state, int seat, int triggers, int target, int other) noexcept nogil
