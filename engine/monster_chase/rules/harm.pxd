from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.monster_chase.rules.model cimport Book, Chase

cdef void set_object(Chase* chase, int sq, int type, Sink* sink) noexcept nogil
cdef bint spared(const Book* book, const Chase* chase, int victim) noexcept nogil
cdef void give_star(const Book* book, Chase* chase, int v, int n, Sink* sink) noexcept nogil
cdef void gain_shields(const Book* book, Chase* chase, int v, int n, Sink* sink) noexcept nogil
cdef void lose_shields(Chase* chase, int v, int n, Sink* sink) noexcept nogil
cdef void spin(Chase* chase, int v, Sink* sink) noexcept nogil
cdef void straighten(Chase* chase, int v, Sink* sink) noexcept nogil
cdef void repair(const Book* book, Chase* chase, int v, int n, Sink* sink) noexcept nogil
cdef void watch(const Book* book, Chase* chase, int trigger, int value, Sink* sink) noexcept nogil
cdef void set_state(Chase* chase, int furious, Sink* sink) noexcept nogil
cdef void heal_boss(const Book* book, Chase* chase, int n, Sink* sink) noexcept nogil
cdef void drop_spirit(Chase* chase, int v) noexcept nogil
cdef void off_track(const Book* book, Chase* chase, int v, Sink* sink) noexcept nogil
cdef void hurt(const Book* book, Chase* chase, int victim, int n, int source, Sink* sink) noexcept nogil
cdef void fire(const Book* book, Chase* chase, int v, int damage, bint back) noexcept nogil
cdef void fire_lane(const Book* book, Chase* chase, int v, int damage, int lane) noexcept nogil
cdef void explode(Chase* chase, int sq, int source) noexcept nogil
cdef bint strike(const Book* book, Chase* chase, int sq, int source, Sink* sink) noexcept nogil
cdef void put_boulder(const Book* book, Chase* chase, int sq, int source, Sink* sink) noexcept nogil
