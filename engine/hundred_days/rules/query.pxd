from seatmate.engine.core.types cimport int32_t, uint8_t, uint32_t
from seatmate.engine.hundred_days.rules.model cimport Book, Days

cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil
cdef uint8_t icons(const Book* book, const Days* days, int seat) noexcept nogil
cdef int waivers(const Book* book, const Days* days, int seat, int extra) noexcept nogil
cdef int shortage(const Days* days, int seat, const uint8_t* cost) noexcept nogil
cdef bint can_close(const Book* book, const Days* days, int seat, int place, int extra) noexcept nogil
cdef uint32_t free_spaces(const Book* book, const Days* days) noexcept nogil
cdef uint8_t tile_places(const Days* days) noexcept nogil
cdef uint8_t payable(const Days* days, int seat, int n, int type) noexcept nogil
cdef int move_price(const Book* book, const Days* days, int seat) noexcept nogil
cdef int card_value(const Book* book, const Days* days, int space) noexcept nogil
cdef bint stands(const Book* book, const Days* days, int seat, int pawn, int place) noexcept nogil
cdef int rank(const Book* book, const Days* days, int seat, int place) noexcept nogil
cdef void score(const Book* book, const Days* days, int seat, int32_t* tiles, int32_t* cards, int32_t* guarded) noexcept nogil
cdef int points_of(const Book* book, const Days* days, int seat) noexcept nogil
cdef void returns(const void* tables, const void* state, double* out) noexcept nogil
