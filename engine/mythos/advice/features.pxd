# The numbers behind the reasons of a hint.
cdef int features(const void* tables, const void* data, int seat, double* out) noexcept nogil
