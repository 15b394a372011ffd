cdef int features(const void* tables, const void* state, int seat, double* out) noexcept nogil
