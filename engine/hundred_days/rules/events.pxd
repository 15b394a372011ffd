from seatmate.engine.core.cardset cimport CardSet
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.hundred_days.rules.model cimport Book, Days, Frame

cdef void play(const Book* book, Days* days, int seat, int card, Sink* sink) noexcept nogil
cdef void use(const Book* book, Days* days, int seat, int card, Sink* sink) noexcept nogil
cdef void react(const Book* book, Days* days, int seat, int card, Sink* sink) noexcept nogil
cdef void run_event(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
cdef CardSet event_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil
cdef void answer_event(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil
