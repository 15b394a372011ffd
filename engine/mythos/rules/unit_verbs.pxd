# Verbs that do something to units.
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.mythos.content.vocabulary cimport TAKE_TOK, TOK, UNTOK
from seatmate.engine.mythos.rules.model cimport Frame, Mythos, Tables

cdef inline int selector_of(const Frame* f) noexcept nogil:
    """The selector of the running unit verb: its first argument, or the second behind an amount."""
    return f.args[1] if f.verb == TOK or f.verb == UNTOK or f.verb == TAKE_TOK else f.args[0]

cdef int do_to_units(const Tables* t, Mythos* h, Sink* sink) noexcept nogil
cdef uint64_t candidates(const Tables* t, const Mythos* h, const Frame* f) noexcept nogil
cdef bint may_decline(const Tables* t, const Frame* f) noexcept nogil
cdef int destinations_of(const Tables* t, const Mythos* h, const Frame* f) noexcept nogil
cdef int most_tokens(const Mythos* h, const Frame* f) noexcept nogil
cdef int answer_target(const Tables* t, Mythos* h, int answer, Sink* sink) noexcept nogil
cdef int answer_for_target(const Tables* t, Mythos* h, int prompt, int answer, Sink* sink) noexcept nogil
