from seatmate.engine.mythos.rules.model cimport Book, Mythos

cdef int broken(const Book* t, const Mythos* world, bint sampled, bint lists) noexcept nogil
