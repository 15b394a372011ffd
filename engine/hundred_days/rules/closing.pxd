from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.hundred_days.rules.model cimport Book, Days, Frame

cdef void begin_payment(const Book* book, Days* days, Frame* frame) noexcept nogil
cdef int waivable(const Days* days, const Frame* frame) noexcept nogil
cdef void answer_waiver(Frame* frame, int action) noexcept nogil
cdef void pay_closing(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
