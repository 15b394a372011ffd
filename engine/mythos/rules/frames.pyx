"""Starting what takes several steps: lines, and the lines of a card that is played (sections 5.6 and 5.7)."""
from libc.string cimport memset

from seatmate.engine.core.sink cimport PUBLIC, emit, emit4
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.board cimport (
    arrive, hand_take, lay_on, new_unit, push_under, react, set_chakra, take_discard, turn_up,
)
from seatmate.engine.mythos.rules.model cimport NONE, OPEN, bit, controller, first_looked
from seatmate.engine.mythos.rules.plays cimport cost_of
from seatmate.engine.mythos.rules.query cimport power
from seatmate.engine.mythos.secrets.knowledge cimport came_to_light


cdef Frame* push_frame(Mythos* state, int type, int you, int unit, int here) noexcept nogil:
    """A new frame on top, with its own empty registers; the caller knows there is room."""
    cdef Frame* f = &state.frame[state.depth]
    memset(f, 0, sizeof(Frame))
    f.type = <uint8_t> type
    f.you = <uint8_t> you
    f.unit = <uint8_t> unit
    f.serial = state.serial[unit] if unit != NONE else 0
    f.here = <uint8_t> here
    f.registers = state.depth
    f.verb = V.NO_VERB
    f.target = NONE
    f.card = NONE
    f.other = NONE
    f.k = NONE
    f.m = NONE
    state.depth += 1
    return f


cdef void pop_frame(Mythos* state) noexcept nogil:
    """The top frame is done; its bytes are zero again."""
    state.depth -= 1
    memset(&state.frame[state.depth], 0, sizeof(Frame))


cdef void push_line(Mythos* state, int line, int you, int unit, int here, int flags, int registers) noexcept nogil:
    """A line starts; `registers`: the frame whose registers it shares, NONE for its own."""
    cdef Frame* f = push_frame(state, V.LINE_FRAME, you, unit, here)
    f.line = <uint16_t> line
    f.flags = <uint8_t> flags
    if registers != NONE:
        f.registers = <uint8_t> registers


cdef void show_line(const Frame* f, int event, Sink* sink) noexcept nogil:
    """E_LINE: it is carried out. E_NOTHING: it could not be, or nobody wanted to; the two look the same (7.1)."""
    emit4(sink, event, PUBLIC, f.unit, f.here, f.line, f.you)


cdef void commit(Frame* f, Sink* sink) noexcept nogil:
    """The line is accepted: from now on all that can be done of it is done (R30)."""
    if not f.flags & V.COMMITTED:
        f.flags |= V.COMMITTED
        show_line(f, V.E_LINE, sink)


cdef void take_looked(Mythos* state, Frame* f, int kind) noexcept nogil:
    """Take a card that is there out of the frame's looked-at cards."""
    cdef int i = first_looked(state, f)
    while state.looked[i] != kind:
        i += 1
    state.looked_n -= 1
    f.looked -= 1
    while i < state.looked_n:
        state.looked[i] = state.looked[i + 1]
        i += 1
    state.looked[i] = 0


cdef int begin_play(const Book* t, Mythos* state, int seat, int kind, int zone, int slot, int mission, int onto, int mod,
                    Sink* sink) noexcept nogil:
    """Pay for a legal play and carry it out; its lines are a new frame on top (5.6). Returns the unit's slot.

    `slot`: the hidden unit (zone HIDDEN), else NONE. `onto`: the unit it is laid on, NONE = a new character. A card from
    LOOKED_AT belongs to the frame on top.
    """
    cdef int price = cost_of(t, state, seat, kind, slot, mission, onto, mod)
    cdef int before = power(t, state, onto) if onto != NONE else 0
    cdef int unit
    cdef Frame* f
    cdef int covered = state.top[onto] if onto != NONE else -1
    cdef int32_t args[9]
    if price:
        set_chakra(state, seat, state.chakra[seat] - price, V.COST_OF_PLAY, sink)
    if zone == V.HAND:
        hand_take(state, seat, kind)
        came_to_light(state, seat, kind, bit(V.IN_HAND))
    elif zone == V.LOOKED_AT:
        take_looked(state, &state.frame[state.depth - 1], kind)
        came_to_light(state, seat, kind, bit(V.IN_TOP))
    elif zone != V.HIDDEN:
        take_discard(state, seat, kind)
    else:
        turn_up(state, slot)
    if onto == NONE:
        unit = slot if zone == V.HIDDEN else new_unit(state, kind, seat, seat, mission, OPEN)
    elif zone == V.HIDDEN:
        lay_on(state, slot, onto)
        unit = onto
    else:
        push_under(state, onto, state.top[onto], state.owner[onto])
        state.top[onto] = <uint8_t> kind
        state.owner[onto] = <uint8_t> seat
        unit = onto
    state.up |= bit(unit)
    if state.owner[unit] == controller(state, unit) and state.link_serial[unit]:     # 6.6: the pile is its controller's now
        state.link[unit] = 0
        state.link_serial[unit] = 0
        state.linked &= ~bit(unit)
    state.turn_of[unit] = state.turn
    if onto != NONE or zone == V.HIDDEN:          # a new unit has just arrived
        arrive(state, unit)
    if sink != NULL:
        args[0] = seat
        args[1] = unit
        args[2] = kind
        args[3] = mission
        args[4] = zone
        args[5] = slot if zone == V.HIDDEN else -1
        args[6] = onto if onto != NONE else -1
        args[7] = price
        args[8] = covered
        emit(sink, V.E_PLAYED, PUBLIC, 9, args)
    react(t, state, V.PLAYED, unit, seat)
    f = push_frame(state, V.PLAY_FRAME, seat, unit, mission)
    f.verb = <uint8_t> kind
    f.p = <int> before
    if onto != NONE:
        f.flags |= V.UPGRADED
    if zone == V.HIDDEN:
        f.flags |= V.REVEALED
    return unit
