from seatmate.engine.core.types cimport action_t, uint16_t
from seatmate.engine.monster_chase.rules.model cimport Book, Chase, Who

cdef uint16_t linked(const Book* book, const Chase* chase, int v) noexcept nogil
cdef bint clear(const Book* book, const Chase* chase, int sq) noexcept nogil
cdef int nearby(const Book* book, const Chase* chase, int sq, int least, int most, action_t* out) noexcept nogil
cdef int beside(const Book* book, const Chase* chase, int sq, bint only_clear, action_t* out, int n) noexcept nogil
cdef int around(const Book* book, const Chase* chase, int sq, action_t* out) noexcept nogil
cdef int rear_place(const Book* book, const Chase* chase, int sq, action_t* out) noexcept nogil
cdef bint ally(const Book* book, int v, int w) noexcept nogil
cdef uint16_t pilots(const Book* book) noexcept nogil
cdef uint16_t selected(const Book* book, const Chase* chase, int v, const Who* who) noexcept nogil
cdef int picked(const Book* book, const Chase* chase, int v, int pick, uint16_t found) noexcept nogil
cdef bint holds(const Book* book, const Chase* chase, int v, int condition, int n) noexcept nogil
cdef int first_of(const Book* book, const Chase* chase, uint16_t found) noexcept nogil
cdef int times_of(const Book* book, const Chase* chase, int effect) noexcept nogil
cdef int card_value(const Book* book, const Chase* chase, int v, int type) noexcept nogil
cdef int power_price(const Book* book, const Chase* chase, int level) noexcept nogil
cdef int power_program(const Chase* chase, int v, int level) noexcept nogil
cdef int assault_program(const Book* book, const Chase* chase) noexcept nogil
cdef int lap_change(const Book* book, const Chase* chase, int v, int sq) noexcept nogil
cdef void returns(const void* tables, const void* state, double* out) noexcept nogil
