from seatmate.engine.core.cardset cimport CardSet
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.hundred_days.rules.model cimport Book, Days

cdef void tell_cards(int event, int listener, int hand, CardSet cards, Sink* sink) noexcept nogil
cdef void draw(const Book* book, Days* days, int seat, int n, Rng* rng, Sink* sink) noexcept nogil
cdef void lose(const Book* book, Days* days, int seat, int card) noexcept nogil
cdef void show(Days* days, int seat, int card) noexcept nogil
cdef void give_up(const Book* book, Days* days, int seat, int card, bint keeps_green, Sink* sink) noexcept nogil
cdef void give_up_all(const Book* book, Days* days, int seat, CardSet cards, Sink* sink) noexcept nogil
cdef int player_of(const Book* book, const Days* days, int card) noexcept nogil
cdef void leave_play(Days* days, int owner, int card, int zone, Sink* sink) noexcept nogil
cdef void destroy(const Book* book, Days* days, int seat, int card, Sink* sink) noexcept nogil
cdef void draw_tile(const Book* book, Days* days, int place, Rng* rng, Sink* sink) noexcept nogil
