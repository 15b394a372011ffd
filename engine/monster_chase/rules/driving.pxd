from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.monster_chase.rules.model cimport Book, Chase

cdef int roll(Rng* rng, int slot, Sink* sink) noexcept nogil
cdef void advance_car(Chase* chase, int v, int points, int flags) noexcept nogil
cdef int rolled(const Book* book, int slot, Rng* rng, Sink* sink) noexcept nogil
cdef void begin_effect(Chase* chase, int v, int w, int effect, int times, int flags) noexcept nogil
cdef void step_to(Chase* chase, int v, int sq) noexcept nogil
cdef void arrive(const Book* book, Chase* chase, int v, int sq, int lap, Rng* rng, Sink* sink) noexcept nogil
cdef void jump(const Book* book, Chase* chase, int v, int sq, Rng* rng, Sink* sink) noexcept nogil
cdef void swap(const Book* book, Chase* chase, int v, int w, Rng* rng, Sink* sink) noexcept nogil
cdef void fall(const Book* book, Chase* chase, int v, Rng* rng, Sink* sink) noexcept nogil
cdef void flip_prey(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil
cdef void expose(Chase* chase, int n, Rng* rng, Sink* sink) noexcept nogil
cdef void use_spirit(const Book* book, Chase* chase, int v, Sink* sink) noexcept nogil
cdef void scatter(const Book* book, Chase* chase, int slot, Rng* rng, Sink* sink) noexcept nogil
