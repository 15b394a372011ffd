"""Positions, what auras and boards change, who decides, frames, and telling what has changed."""
from libc.string cimport memset

from seatmate.engine.core.sink cimport PUBLIC, emit
from seatmate.engine.core.types cimport int32_t
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.monster_chase.content cimport vocabulary as V

cdef Kind KINDS[V.FRAME_KINDS]


cdef void define(int kind, run_fn run, options_fn options, answer_fn answer) noexcept:
    """Say how a kind of frame is carried out; one that asks nothing has neither options nor answer."""
    KINDS[kind].run = run
    KINDS[kind].options = options
    KINDS[kind].answer = answer


cdef const Kind* all_kinds() noexcept:
    """The table that `define` fills, by the kind of the frame."""
    return KINDS


cdef int position(const Book* book, const Chase* chase, int v) noexcept nogil:
    """Its place on the strip, from 0."""
    cdef int i
    for i in range(book.vehicles):
        if chase.flow.rank[i] == v:
            return i
    return 0


cdef bint green(const Book* book, const Chase* chase, int v) noexcept nogil:
    """Is it on a green position?"""
    return position(book, chase, v) < book.green


cdef int mod(const Book* book, const Chase* chase, int v, int key) noexcept nogil:
    """What a number is changed by when the vehicle drives, shoots or plays a card: auras reach the active car only (R16)."""
    cdef int sum
    cdef uint64_t cards
    if v == book.boss:
        return book.always[key] + book.state[chase.flow.furious][key]
    if v != chase.flow.current:
        return 0
    sum = chase.flow.turn_mod[key]
    if chase.flow.negative != V.NONE:
        sum += book.negative[chase.flow.negative][key]
    cards = chase.flow.positive.word[0] & book.with_mod[key]
    while cards:
        sum += book.positive[lowest_bit(cards)][key]
        cards &= cards - 1
    return sum


cdef int worst_seat(const Book* book, const Chase* chase, int stable) noexcept nogil:
    """The seat whose own car is ranked worst, of a stable or (-1) of all (R5)."""
    cdef int i, v
    for i in range(book.vehicles - 1, -1, -1):
        v = chase.flow.rank[i]
        if v < book.vehicles and book.kind[v] == V.K_PILOT and (stable < 0 or book.stable[v] == stable):
            return book.seat[v]
    return 0


cdef int decider(const Book* book, const Chase* chase, int v) noexcept nogil:
    """The seat that decides for a vehicle; NONE for bots and the Boss (4.6)."""
    cdef int kind = book.kind[v]
    if kind == V.K_PILOT:
        return book.seat[v]
    if kind == V.K_DRONE:
        return worst_seat(book, chase, -1)
    if kind == V.K_GHOST:
        return worst_seat(book, chase, book.stable[v])
    return V.NONE


cdef void pose(const Book* book, Chase* chase, int v, int prompt) noexcept nogil:
    """Ask who decides for the vehicle next; go_on tells, or answers for it."""
    cdef int seat = decider(book, chase, v)
    chase.flow.prompt = <uint8_t> prompt
    chase.flow.asker = <uint8_t> v
    chase.flow.asked = <uint8_t> (1 << seat) if seat != V.NONE else 0


cdef void pose_seat(Chase* chase, int seat, int prompt) noexcept nogil:
    """Ask a seat for what no vehicle decides."""
    chase.flow.prompt = <uint8_t> prompt
    chase.flow.asker = V.NONE
    chase.flow.asked = <uint8_t> (1 << seat)


cdef Frame* push(Chase* chase, int kind, int v) noexcept nogil:
    """Something new is carried out before what is under way."""
    cdef Frame* frame = &chase.frame[chase.depth]
    memset(frame, 0, sizeof(Frame))
    frame.kind = <uint8_t> kind
    frame.v = <uint8_t> v
    frame.w = V.NONE
    frame.sq = V.NONE
    frame.old = V.NONE
    frame.card = V.NONE
    chase.depth += 1
    return frame


cdef void pop(Chase* chase) noexcept nogil:
    """It is done; equal positions are equal bytes."""
    chase.depth -= 1
    memset(&chase.frame[chase.depth], 0, sizeof(Frame))


cdef int public_words() noexcept nogil:
    """Words at the head of the state that everybody may know."""
    cdef Chase* chase = NULL
    return <int> (<size_t> &chase.hand) // 4


cdef void tell_changes(const Chase* before, const Chase* after, Sink* sink) noexcept nogil:
    """Everything but hands and the deck is public: what has changed of it is told word by word, so that views need no rules.

    `before`: NULL for a position that nobody has been told of.
    """
    cdef const int32_t* new = <const int32_t*> after
    cdef const int32_t* old = <const int32_t*> before
    cdef int32_t args[16]
    cdef int words = public_words()
    cdef int at = 0
    cdef int n, last
    if sink == NULL:
        return
    while at < words:
        if (old[at] if old != NULL else 0) == new[at]:
            at += 1
            continue
        n = 0
        last = 0
        args[0] = at
        while at + n < words and n < 15:
            args[1 + n] = new[at + n]
            if (old[at + n] if old != NULL else 0) != new[at + n]:
                last = n
            elif n - last >= 3:
                break
            n += 1
        emit(sink, V.E_STATE, PUBLIC, last + 2, args)
        at += last + 1
