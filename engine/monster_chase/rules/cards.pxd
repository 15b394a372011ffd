from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t, uint8_t
from seatmate.engine.monster_chase.rules.model cimport Book, Chase

cdef int hand_audience(const Book* book, int v) noexcept nogil
cdef int random_of(const uint8_t* counts, int total, Rng* rng) noexcept nogil
cdef int take_top(const Book* book, Chase* chase, int deck, Rng* rng) noexcept nogil
cdef void draw(const Book* book, Chase* chase, int v, int deck, Rng* rng, Sink* sink) noexcept nogil
cdef bint draw_one(const Book* book, Chase* chase, int v, Rng* rng, Sink* sink) noexcept nogil
cdef void lose_card(const Book* book, Chase* chase, int v, int type, int event, Sink* sink) noexcept nogil
cdef void dump_hand(const Book* book, Chase* chase, int v, Sink* sink) noexcept nogil
cdef int distinct(const Chase* chase, int v, int least, int base, action_t* out) noexcept nogil
cdef void draw_positive(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil
cdef void draw_negative(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil
cdef void draw_assault(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil
cdef void discard_assault(Chase* chase, Sink* sink) noexcept nogil
cdef void discard_aura(Chase* chase, int aura, Sink* sink) noexcept nogil
