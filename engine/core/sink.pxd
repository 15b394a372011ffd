# Events: the only way information reaches a seat.
#
# Every apply emits events into a sink. The sink folds each event into one running 64-bit
# observation key per observer in its audience (search) and, when it has a log, also records it
# (server, replays). One mechanism feeds both, so what a bot conditions on is what a person is shown.
from seatmate.engine.core.types cimport MAX_EVENT_ARGS, MAX_OBSERVERS, int16_t, int32_t, uint16_t, uint32_t, uint64_t

cdef enum:
    PUBLIC = 0x1FF          # audience: all seats and the spectators


cdef struct Event:
    int16_t type            # the game's event enum
    uint16_t audience       # bit s = seat s sees it, bit SPECTATOR = everybody outside sees it
    int16_t n               # number of args in use
    int32_t args[MAX_EVENT_ARGS]


cdef struct Sink:
    uint64_t keys[MAX_OBSERVERS]
    Event* log              # NULL: keys only
    int log_n
    int log_capacity        # the log is grown by its owner between applies
    bint overflow           # an event did not fit (log full, too many args): the owner must fail loudly


cdef inline uint64_t mix(uint64_t key, uint64_t word) noexcept nogil:
    """Order-sensitive 64-bit mixing step (multiply, xor-shift)."""
    key = (key ^ word) * <uint64_t> 0x9FB21C651E98DF25
    return key ^ (key >> 32)


cdef inline void emit(Sink* sink, int type, int audience, int n, const int32_t* args) noexcept nogil:
    """Send one event to `audience`. A NULL sink (rollouts) costs one test; so does an empty audience."""
    cdef uint64_t word
    cdef int i
    cdef Event* event
    if sink == NULL or audience == 0:
        return
    word = mix(<uint64_t> 0x2545F4914F6CDD1D, <uint64_t> (type + 1) | (<uint64_t> n << 32))
    for i in range(n):
        word = mix(word, <uint64_t> <uint32_t> args[i])
    for i in range(MAX_OBSERVERS):
        if audience >> i & 1:
            sink.keys[i] = mix(sink.keys[i], word)
    if sink.log != NULL:
        if sink.log_n >= sink.log_capacity or n > MAX_EVENT_ARGS:
            sink.overflow = True
            return
        event = &sink.log[sink.log_n]
        event.type = <int16_t> type
        event.audience = <uint16_t> audience
        event.n = <int16_t> n
        for i in range(n):
            event.args[i] = args[i]
        for i in range(n, MAX_EVENT_ARGS):
            event.args[i] = 0
        sink.log_n += 1


cdef inline void emit0(Sink* sink, int type, int audience) noexcept nogil:
    emit(sink, type, audience, 0, NULL)


cdef inline void emit1(Sink* sink, int type, int audience, int a) noexcept nogil:
    cdef int32_t args[1]
    if sink != NULL:
        args[0] = a
        emit(sink, type, audience, 1, args)


cdef inline void emit2(Sink* sink, int type, int audience, int a, int b) noexcept nogil:
    cdef int32_t args[2]
    if sink != NULL:
        args[0] = a
        args[1] = b
        emit(sink, type, audience, 2, args)


cdef inline void emit3(Sink* sink, int type, int audience, int a, int b, int c) noexcept nogil:
    cdef int32_t args[3]
    if sink != NULL:
        args[0] = a
        args[1] = b
        args[2] = c
        emit(sink, type, audience, 3, args)


cdef inline void emit4(Sink* sink, int type, int audience, int a, int b, int c, int d) noexcept nogil:
    cdef int32_t args[4]
    if sink != NULL:
        args[0] = a
        args[1] = b
        args[2] = c
        args[3] = d
        emit(sink, type, audience, 4, args)


cdef inline int everyone_but(int seat) noexcept nogil:
    """Audience: all other seats and the spectators."""
    return PUBLIC & ~(1 << seat)


cdef inline void sink_reset(Sink* sink) noexcept nogil:
    """Fresh keys, no log."""
    cdef int i
    for i in range(MAX_OBSERVERS):
        sink.keys[i] = <uint64_t> 0x853C49E6748FEA9B
    sink.log = NULL
    sink.log_n = 0
    sink.log_capacity = 0
    sink.overflow = False
