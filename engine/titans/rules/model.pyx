"""Where the game stands, told before a question; and what it comes to."""
from seatmate.engine.core.contract cimport ask_all
from seatmate.engine.core.sink cimport PUBLIC, emit
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.titans.content cimport vocabulary as V


cdef void show_progress(const Titans* state, Sink* sink) noexcept nogil:
    """Where the game stands and what is being carried out is public: a seat that reconnects can go on from its view."""
    cdef int32_t args[10]
    cdef int i
    args[0] = state.step
    args[1] = state.at
    args[2] = state.turn
    args[3] = state.active
    args[4] = state.acting
    args[5] = state.flags
    args[6] = state.slot
    args[7] = state.die
    args[8] = state.burning
    args[9] = state.stood
    emit(sink, V.E_FLOW, PUBLIC, 10, args)
    for i in range(state.depth):
        emit(sink, V.E_FRAME, PUBLIC, 5, <const int32_t*> &state.frame[i])


cdef void ask_together(Titans* state, Sink* sink, int seats, int prompt) noexcept nogil:
    """Several seats choose at the same time in secret."""
    state.prompt = <uint8_t> prompt
    state.asked = <uint8_t> seats
    state.options = 0
    if sink != NULL:
        show_progress(state, sink)
        ask_all(sink, seats, prompt, V.Q_COMP_CHAR if prompt == V.Q_COMP_CARD else prompt)


cdef void returns(const void* tables, const void* data, double* out) noexcept nogil:
    """Winners share 1 (section 8)."""
    cdef const Book* t = <const Book*> tables
    cdef const Titans* state = <const Titans*> data
    cdef int seat
    cdef double share = 1.0 / bit_count(state.result) if state.result else 0.0
    for seat in range(t.seats):
        out[seat] = share if state.result >> t.team_of[seat] & 1 else 0.0
