"""What is being carried out, told to everybody before a question in the middle of it; and the result."""
from libc.string cimport memcpy

from seatmate.engine.core.sink cimport PUBLIC, emit
from seatmate.engine.core.types cimport SPECTATOR
from seatmate.engine.mythos.content.vocabulary cimport E_FLOW, E_FRAME, E_WAITING


cdef void show_progress(const Mythos* h, Sink* sink) noexcept nogil:
    """The frames and the waiting lines are public, so that a seat that reconnects can go on from its view.

    Outside effects there is nothing to tell. Spectators don't see a card that only the two seats know of.
    """
    cdef int32_t args[16]
    cdef Frame frame
    cdef int i
    if sink == NULL or (h.depth == 0 and h.phase != P_MISSION and h.phase != P_END):
        return
    args[0] = h.phase
    args[1] = h.active
    args[2] = h.step
    args[3] = h.scoring
    args[4] = h.plays
    args[5] = h.defeated[0]
    args[6] = h.defeated[1]
    args[7] = <int32_t> <uint32_t> h.arrived
    args[8] = <int32_t> (h.arrived >> 32)
    args[9] = h.asks
    emit(sink, E_FLOW, PUBLIC, 10, args)
    for i in range(h.depth):
        memcpy(args, &h.frame[i], sizeof(Frame))
        if (h.frame[i].k == NONE or h.frame[i].flags & K_OPEN) and (h.frame[i].card == NONE or h.frame[i].call & CARD_OPEN):
            emit(sink, E_FRAME, PUBLIC, 16, args)
        else:
            emit(sink, E_FRAME, PUBLIC & ~(1 << SPECTATOR), 16, args)
            frame = h.frame[i]
            hide_cards(&frame)
            memcpy(args, &frame, sizeof(Frame))
            emit(sink, E_FRAME, 1 << SPECTATOR, 16, args)
    show_waiting(0, h.queue, h.queue_n, sink)
    show_waiting(1, h.score, h.score_n, sink)


cdef void hide_cards(Frame* frame) noexcept nogil:
    """What spectators see of a frame."""
    if not frame.flags & K_OPEN:
        frame.k = NONE
    if not frame.call & CARD_OPEN:
        frame.card = NONE


cdef void show_waiting(int which, const Waiting* waiting, int n, Sink* sink) noexcept nogil:
    """Seven waiting lines fit into one event."""
    cdef int32_t args[16]
    cdef int i
    cdef int at = 1
    args[0] = which
    for i in range(n):
        args[at] = waiting[i].line | waiting[i].unit << 16
        args[at + 1] = waiting[i].serial | waiting[i].mission << 16
        at += 2
        if at == 15 or i == n - 1:
            emit(sink, E_WAITING, PUBLIC, at, args)
            at = 1


cdef void returns(const void* tables, const void* state, double* out) noexcept nogil:
    """1 for the winner (section 8)."""
    cdef const Mythos* h = <const Mythos*> state
    cdef int winner = h.edge if h.points[0] == h.points[1] else h.points[0] < h.points[1]
    out[winner] = 1.0
    out[1 - winner] = 0.0
