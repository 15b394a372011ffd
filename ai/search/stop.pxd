# A flag one thread sets and a running search polls at every iteration.
cdef extern from *:
    """
    typedef volatile int seatmate_flag;
    """
    ctypedef int flag_t "seatmate_flag"


cdef class StopFlag:
    cdef flag_t raised
