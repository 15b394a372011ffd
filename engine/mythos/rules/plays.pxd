# Where a card can be played face-up, and for how much (section 6.2).
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t, uint64_t
from seatmate.engine.mythos.rules.model cimport Frame, Mythos, Book

cdef struct Modifiers:
    # What changes costs in one mission for one seat: COST lines of up units there.
    int n
    int amount[8]
    int least[8]            # a reduction does not go below this; 0 = no own limit
    int filter[8]

cdef struct Play:
    # What a chain of questions has led to.
    int kind
    int zone
    int slot                # the hidden unit that is revealed, or NONE
    int mod                 # on its cost
    int mission
    int onto                # the unit it is laid on; NONE: a new character
    bint hidden             # it is put face down

cdef void modifiers(const Book* t, const Mythos* state, int seat, int mission, Modifiers* out) noexcept nogil
cdef uint64_t onto_options(const Book* t, const Mythos* state, int seat, int kind, int mission, bint* fresh) noexcept nogil
cdef int cost(const Book* t, const Mythos* state, const Modifiers* m, int seat, int kind, int mission, int onto,
              bint reveal, int mod) noexcept nogil
cdef int places(const Book* t, const Mythos* state, int seat, int kind, int slot, int mod) noexcept nogil
cdef uint64_t payable_onto(const Book* t, const Mythos* state, int seat, int kind, int slot, int mission, int mod,
                           bint* fresh) noexcept nogil
cdef int cost_of(const Book* t, const Mythos* state, int seat, int kind, int slot, int mission, int onto, int mod) noexcept nogil
cdef bint may_be_played(const Book* t, const Mythos* state, int seat, int kind, int mission) noexcept nogil
cdef bint may_reveal(const Book* t, const Mythos* state, int seat, int mission) noexcept nogil
cdef int playable_hand(const Book* t, const Mythos* state, int seat, action_t* out, int n) noexcept nogil
cdef void chain_play(const Book* t, const Mythos* state, int seat, const Frame* f, int answer, int* kind, int* zone,
                     int* slot, int* mod) noexcept nogil
cdef bint follow_chain(const Book* t, Mythos* state, int seat, const Frame* f, int first, int answer, Play* play,
                       Sink* sink) noexcept nogil
cdef int chain_answers(const Book* t, const Mythos* state, int seat, const Frame* f, action_t* out) noexcept nogil
cdef int missions_of(int mask, action_t* out) noexcept nogil
cdef int onto_actions(uint64_t options, bint fresh, action_t* out) noexcept nogil
