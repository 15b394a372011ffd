from seatmate.engine.core.cardset cimport CardSet
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.hundred_days.rules.model cimport Book, Days, Frame

# The contract of a chain of small questions.

# Nothing is asked: ask the next question with `pose`, or be done with `pop`.
ctypedef void (*chain_run_fn)(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
# The legal answers.
ctypedef CardSet (*chain_options_fn)(const Book* book, const Days* days, const Frame* frame) noexcept nogil
# One answer.
ctypedef void (*chain_answer_fn)(const Book* book, Days* days, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil

cdef struct Chain:
    chain_run_fn run
    chain_options_fn options
    chain_answer_fn answer

cdef const Chain* chain_of(int kind) noexcept nogil
cdef void gain(Days* days, int seat, int n, int types, int reason) noexcept nogil
cdef void steal(Days* days, int thief, int owner, int n, bint by_owner, int reason) noexcept nogil
cdef void choose_some(const Book* book, Days* days, int seat, const uint8_t* tokens, int n, int reason, Sink* sink) noexcept nogil
