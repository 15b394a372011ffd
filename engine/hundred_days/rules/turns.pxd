from seatmate.engine.core.cardset cimport CardSet
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t
from seatmate.engine.hundred_days.rules.model cimport Book, Days

cdef void run_turn(const Book* book, Days* days, Sink* sink) noexcept nogil
cdef int append(CardSet cards, int offset, action_t* out, int n) noexcept nogil
cdef int turn_options(const Book* book, const Days* days, int seat, action_t* out) noexcept nogil
cdef void answer_turn(const Book* book, Days* days, int seat, int action, Sink* sink) noexcept nogil
