"""What is being carried out, told to everybody before a question in the middle of it; and the result."""
from libc.string cimport memcpy

from seatmate.engine.core.sink cimport PUBLIC, emit
from seatmate.engine.core.types cimport SPECTATOR


cdef void show_progress(const Mythos* state, Sink* sink) noexcept nogil:
    """The frames and the waiting lines are public, so that a seat that reconnects can go on from its view.

    Outside effects there is nothing to tell. Spectators don't see a card that only the two seats know of.
    """
    cdef int32_t args[16]
    cdef Frame frame
    cdef int i
    if sink == NULL or (state.depth == 0 and state.phase != V.P_MISSION and state.phase != V.P_END):
        return
    args[0] = state.phase
    args[1] = state.active
    args[2] = state.step
    args[3] = state.scoring
    args[4] = state.plays
    args[5] = state.defeated[0]
    args[6] = state.defeated[1]
    args[7] = <int32_t> <uint32_t> state.arrived
    args[8] = <int32_t> (state.arrived >> 32)
    args[9] = state.asks
    emit(sink, V.E_FLOW, PUBLIC, 10, args)
    for i in range(state.depth):
        memcpy(args, &state.frame[i], sizeof(Frame))
        if ((state.frame[i].k == NONE or state.frame[i].flags & V.K_OPEN)
                and (state.frame[i].card == NONE or state.frame[i].call & V.CARD_OPEN)):
            emit(sink, V.E_FRAME, PUBLIC, 16, args)
        else:
            emit(sink, V.E_FRAME, PUBLIC & ~(1 << SPECTATOR), 16, args)
            frame = state.frame[i]
            hide_cards(&frame)
            memcpy(args, &frame, sizeof(Frame))
            emit(sink, V.E_FRAME, 1 << SPECTATOR, 16, args)
    show_waiting(0, state.queue, state.queue_n, sink)
    show_waiting(1, state.score, state.score_n, sink)


cdef void hide_cards(Frame* frame) noexcept nogil:
    """What spectators see of a frame."""
    if not frame.flags & V.K_OPEN:
        frame.k = NONE
    if not frame.call & V.CARD_OPEN:
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
            emit(sink, V.E_WAITING, PUBLIC, at, args)
            at = 1


cdef void returns(const void* tables, const void* data, double* out) noexcept nogil:
    """1 for the winner (section 8)."""
    cdef const Mythos* state = <const Mythos*> data
    cdef int winner = state.edge if state.points[0] == state.points[1] else state.points[0] < state.points[1]
    out[winner] = 1.0
    out[1 - winner] = 0.0
