# Verbs that do something to units.
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport Frame, Mythos, Book

cdef inline int selector_of(const Frame* f) noexcept nogil:
    """The selector of the running unit verb: its first argument, or the second behind an amount."""
    return f.args[1] if f.verb == V.TOK or f.verb == V.UNTOK or f.verb == V.TAKE_TOK else f.args[0]

cdef int do_to_units(const Book* t, Mythos* state, Sink* sink) noexcept nogil
cdef uint64_t candidates(const Book* t, const Mythos* state, const Frame* f) noexcept nogil
cdef bint may_decline(const Book* t, const Frame* f) noexcept nogil
cdef int destinations_of(const Book* t, const Mythos* state, const Frame* f) noexcept nogil
cdef int most_tokens(const Mythos* state, const Frame* f) noexcept nogil
cdef int answer_target(const Book* t, Mythos* state, int answer, Sink* sink) noexcept nogil
cdef int answer_for_target(const Book* t, Mythos* state, int prompt, int answer, Sink* sink) noexcept nogil
