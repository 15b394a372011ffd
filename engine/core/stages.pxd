# Rows of weights that hold at stages of a game, and between them by line (see terms.py).
from libc.string cimport memset


cdef inline void between(const double* at, int rows, double left, double* out) noexcept nogil:
    """How much each row counts: the two between whose places in `at`, ascending from 0, `left` lies, by how near they are."""
    cdef int i
    memset(out, 0, rows * sizeof(double))
    for i in range(rows - 1):
        if left < at[i + 1]:
            out[i + 1] = (left - at[i]) / (at[i + 1] - at[i])
            out[i] = 1 - out[i + 1]
            return
    out[rows - 1] = 1
