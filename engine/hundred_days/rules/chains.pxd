from seatmate.engine.core.cardset cimport CardSet
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.hundred_days.rules.model cimport Book, Days, Frame

cdef void run_chain(const Book* book, Days* days, Frame* frame, Sink* sink) noexcept nogil
cdef CardSet chain_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil
cdef void answer_chain(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil
cdef void gain(Days* days, int seat, int n, int types, int reason) noexcept nogil
cdef void steal(Days* days, int thief, int owner, int n, bint by_owner, int reason) noexcept nogil
cdef void choose_some(const Book* book, Days* days, int seat, const uint8_t* tokens, int n, int reason, Sink* sink) noexcept nogil
cdef void ask_with(Days* days, int kind, int seat, int other, int n) noexcept nogil
