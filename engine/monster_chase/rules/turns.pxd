from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t, uint16_t
from seatmate.engine.monster_chase.rules.model cimport Book, Chase, Frame

cdef void begin_action(Chase* chase, int v) noexcept nogil
cdef int card_value(const Book* book, const Chase* chase, int v, int type) noexcept nogil
cdef int power_price(const Book* book, const Chase* chase, int level) noexcept nogil
cdef int power_program(const Chase* chase, int v, int level) noexcept nogil
cdef uint16_t astral_targets(const Book* book, const Chase* chase, int v) noexcept nogil
cdef int menu_options(const Book* book, const Chase* chase, action_t* out) noexcept nogil
cdef int turn_options(const Book* book, const Chase* chase, action_t* out) noexcept nogil
cdef void answer_turn(const Book* book, Chase* chase, int action, Rng* rng, Sink* sink) noexcept nogil
cdef bint run_turn(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil
cdef void run_card(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
cdef int card_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil
cdef void answer_card(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil
cdef int assault_program(const Book* book, const Chase* chase) noexcept nogil
cdef void run_boss(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
cdef void run_donor(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
cdef int donor_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil
cdef void answer_donor(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil
