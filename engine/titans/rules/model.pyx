"""Where the game stands, told before a question; and what it comes to."""
from seatmate.engine.core.contract cimport ask_all
from seatmate.engine.core.sink cimport PUBLIC, emit
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.titans.content.vocabulary cimport E_FLOW, E_FRAME, Q_COMP_CARD, Q_COMP_CHAR


cdef void show_progress(const Titans* h, Sink* sink) noexcept nogil:
    """Where the game stands and what is being carried out is public: a seat that reconnects can go on from its view."""
    cdef int32_t args[10]
    cdef int i
    args[0] = h.step
    args[1] = h.at
    args[2] = h.turn
    args[3] = h.active
    args[4] = h.acting
    args[5] = h.flags
    args[6] = h.slot
    args[7] = h.die
    args[8] = h.burning
    args[9] = h.stood
    emit(sink, E_FLOW, PUBLIC, 10, args)
    for i in range(h.depth):
        emit(sink, E_FRAME, PUBLIC, 5, <const int32_t*> &h.frame[i])


cdef void ask_together(Titans* h, Sink* sink, int seats, int prompt) noexcept nogil:
    """Several seats choose at the same time in secret."""
    h.prompt = <uint8_t> prompt
    h.asked = <uint8_t> seats
    h.options = 0
    if sink != NULL:
        show_progress(h, sink)
        ask_all(sink, seats, prompt, Q_COMP_CHAR if prompt == Q_COMP_CARD else prompt)


cdef void returns(const void* tables, const void* state, double* out) noexcept nogil:
    """Winners share 1 (section 8)."""
    cdef const Tables* t = <const Tables*> tables
    cdef const Titans* h = <const Titans*> state
    cdef int seat
    cdef double share = 1.0 / bit_count(h.result) if h.result else 0.0
    for seat in range(t.seats):
        out[seat] = share if h.result >> t.team_of[seat] & 1 else 0.0
