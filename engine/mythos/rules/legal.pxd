# What a call of a line can do now (section 5.7).
from seatmate.engine.core.machine cimport Call
from seatmate.engine.core.types cimport action_t, int32_t, uint64_t
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport Frame, Mythos, Book
from seatmate.engine.mythos.rules.query cimport Context

# When verbs can do something; the rows of unit_verbs and player_verbs fill these tables.
ctypedef bint (*target_fn)(const Context* c, int extra, int slot) noexcept nogil        # to this unit? `extra`: its second argument
ctypedef bint (*possible_fn)(const Context* c, const Frame* f, const Call* call) noexcept nogil

cdef target_fn IS_TARGET[V.PICK + 1]        # NULL: to any unit
cdef possible_fn POSSIBLE[V.POWER]

cdef int target_selector(int verb, const int32_t* args) noexcept nogil
cdef int destinations(const Context* c, int slot, int to) noexcept nogil
cdef uint64_t legal_targets(const Context* c, int verb, int extra, int selector) noexcept nogil
cdef int pick_amount(const Context* c, int selector) noexcept nogil
cdef bint can_play(const Context* c, const Frame* f, const Call* call) noexcept nogil
cdef bint can_do(const Context* c, const Call* call) noexcept nogil
cdef bint first_feasible(const Context* c, int line, Call* call) noexcept nogil
cdef bint asks_itself(const Context* c, const Call* call) noexcept nogil
cdef int copy_options(const Context* c, const Frame* f, int selector, int headings, action_t* out) noexcept nogil
cdef int play_options(const Context* c, const Frame* f, int zones, int selector, int mod, action_t* out) noexcept nogil
cdef int kinds_of_hand(const Mythos* state, int seat, int base, action_t* out, int n) noexcept nogil
cdef int pool_options(const Book* t, const Mythos* state, int seat, int selector, int base, action_t* out, int n) noexcept nogil
