"""Worlds a seat can't tell apart (RULES.md, 7): hands it does not see and the deck are dealt anew, colour by colour."""
from libc.string cimport memset

from seatmate.engine.core.rng cimport shuffle_u8
from seatmate.engine.core.sink cimport PUBLIC, mix
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.core.zones cimport sort_short
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.cards cimport hand_audience
from seatmate.engine.monster_chase.rules.model cimport Book, Chase, Frame, held


cdef inline bint hidden(const Book* book, int seat, int v) noexcept nogil:
    return not hand_audience(book, v) >> seat & 1


cdef inline int share(const Chase* chase, int v, int colour) noexcept nogil:
    return chase.car[v].rush if colour else chase.car[v].sprint


cdef bint fits(const Book* book, const Chase* chase, int seat, int colour, const uint8_t* pool, int n) noexcept nogil:
    """Who has put down the first card of a manoeuvre holds one that may be the second: not lower, or any Rush above a Sprint.

    The pool is dealt from its end.
    """
    cdef const Frame* frame = &chase.frame[chase.depth - 1]
    cdef int v, w, i
    if chase.flow.prompt != V.Q_MAN_CARD or not frame.stage or not hidden(book, seat, frame.v):
        return True
    v = frame.v
    if (frame.card >= V.RUSH) != colour or (not colour and chase.car[v].rush):
        return True
    for w in range(v):
        if hidden(book, seat, w):
            n -= share(chase, w, colour)
    for i in range(n - share(chase, v, colour), n):
        if pool[i] >= frame.card:
            return True
    return False


cdef void resample(const void* tables, void* state, int seat, Rng* rng) noexcept nogil:
    cdef const Book* book = <const Book*> tables
    cdef Chase* chase = <Chase*> state
    cdef uint8_t pool[64]
    cdef uint8_t taken[V.VEHICLES]
    cdef int colour, v, i, n, type, _card
    memset(taken, 0, sizeof(taken))
    if book.hands == V.HANDS_OPEN:
        return
    for colour in range(2):
        n = 0
        for v in range(book.cars):
            if hidden(book, seat, v):
                for i in range(held(chase, v)):
                    if (chase.hand[v][i] >= V.RUSH) == colour:
                        chase.deck[chase.hand[v][i]] += 1
        for type in range(V.RUSH * colour, V.RUSH * (colour + 1)):
            for _card in range(chase.deck[type]):
                pool[n] = <uint8_t> type
                n += 1
            chase.deck[type] = 0
        shuffle_u8(pool, n, rng)
        while not fits(book, chase, seat, colour, pool, n):
            shuffle_u8(pool, n, rng)
        for v in range(book.cars):
            if not hidden(book, seat, v):
                continue
            for _card in range(share(chase, v, colour)):
                n -= 1
                chase.hand[v][taken[v]] = pool[n]
                taken[v] += 1
        for i in range(n):
            chase.deck[pool[i]] += 1
    for v in range(book.cars):
        if taken[v]:
            sort_short(chase.hand[v], taken[v])


cdef uint64_t private_key(const void* tables, const void* state, int seat) noexcept nogil:
    """The hands it sees and not everybody sees."""
    cdef const Book* book = <const Book*> tables
    cdef const Chase* chase = <const Chase*> state
    cdef uint64_t key = 0xC4A5E
    cdef int v, i
    for v in range(book.cars):
        if hand_audience(book, v) != PUBLIC and not hidden(book, seat, v):
            for i in range(held(chase, v)):
                key = mix(key, <uint64_t> (v << 8 | chase.hand[v][i]))
    return key
