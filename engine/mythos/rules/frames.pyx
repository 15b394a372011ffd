"""Starting what takes several steps: lines, and the lines of a card that is played (sections 5.6 and 5.7)."""
from libc.string cimport memset

from seatmate.engine.core.sink cimport PUBLIC, emit, emit4
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t
from seatmate.engine.mythos.content.vocabulary cimport (
    COST_OF_PLAY, E_LINE, E_PLAYED, HAND, HIDDEN, LOOKED_AT, NO_VERB, PLAYED,
)
from seatmate.engine.mythos.rules.board cimport (
    arrive, hand_take, lay_on, new_unit, push_under, react, set_chakra, take_discard, turn_up,
)
from seatmate.engine.mythos.rules.model cimport (
    COMMITTED, IN_HAND, IN_TOP, LINE_FRAME, NONE, OPEN, PLAY_FRAME, REVEALED, UPGRADED, bit, controller, first_looked,
)
from seatmate.engine.mythos.rules.plays cimport cost_of
from seatmate.engine.mythos.rules.query cimport power
from seatmate.engine.mythos.secrets.knowledge cimport came_to_light


cdef Frame* push_frame(Mythos* h, int type, int you, int unit, int here) noexcept nogil:
    """A new frame on top, with its own empty registers; the caller knows there is room."""
    cdef Frame* f = &h.frame[h.depth]
    memset(f, 0, sizeof(Frame))
    f.type = <uint8_t> type
    f.you = <uint8_t> you
    f.unit = <uint8_t> unit
    f.serial = h.serial[unit] if unit != NONE else 0
    f.here = <uint8_t> here
    f.registers = h.depth
    f.verb = NO_VERB
    f.target = NONE
    f.card = NONE
    f.other = NONE
    f.k = NONE
    f.m = NONE
    h.depth += 1
    return f


cdef void pop_frame(Mythos* h) noexcept nogil:
    """The top frame is done; its bytes are zero again."""
    h.depth -= 1
    memset(&h.frame[h.depth], 0, sizeof(Frame))


cdef void push_line(Mythos* h, int line, int you, int unit, int here, int flags, int registers) noexcept nogil:
    """A line starts; `registers`: the frame whose registers it shares, NONE for its own."""
    cdef Frame* f = push_frame(h, LINE_FRAME, you, unit, here)
    f.line = <uint16_t> line
    f.flags = <uint8_t> flags
    if registers != NONE:
        f.registers = <uint8_t> registers


cdef void show_line(const Frame* f, int event, Sink* sink) noexcept nogil:
    """E_LINE: it is carried out. E_NOTHING: it could not be, or nobody wanted to; the two look the same (7.1)."""
    emit4(sink, event, PUBLIC, f.unit, f.here, f.line, f.you)


cdef void commit(Frame* f, Sink* sink) noexcept nogil:
    """The line is accepted: from now on all that can be done of it is done (R30)."""
    if not f.flags & COMMITTED:
        f.flags |= COMMITTED
        show_line(f, E_LINE, sink)


cdef void take_looked(Mythos* h, Frame* f, int kind) noexcept nogil:
    """Take a card that is there out of the frame's looked-at cards."""
    cdef int i = first_looked(h, f)
    while h.looked[i] != kind:
        i += 1
    h.looked_n -= 1
    f.looked -= 1
    while i < h.looked_n:
        h.looked[i] = h.looked[i + 1]
        i += 1
    h.looked[i] = 0


cdef int begin_play(const Tables* t, Mythos* h, int seat, int kind, int zone, int slot, int mission, int onto, int mod,
                    Sink* sink) noexcept nogil:
    """Pay for a legal play and carry it out; its lines are a new frame on top (5.6). Returns the unit's slot.

    `slot`: the hidden unit (zone HIDDEN), else NONE. `onto`: the unit it is laid on, NONE = a new character. A card from
    LOOKED_AT belongs to the frame on top.
    """
    cdef int price = cost_of(t, h, seat, kind, slot, mission, onto, mod)
    cdef int before = power(t, h, onto) if onto != NONE else 0
    cdef int unit
    cdef Frame* f
    cdef int covered = h.top[onto] if onto != NONE else -1
    cdef int32_t args[9]
    if price:
        set_chakra(h, seat, h.chakra[seat] - price, COST_OF_PLAY, sink)
    if zone == HAND:
        hand_take(h, seat, kind)
        came_to_light(h, seat, kind, bit(IN_HAND))
    elif zone == LOOKED_AT:
        take_looked(h, &h.frame[h.depth - 1], kind)
        came_to_light(h, seat, kind, bit(IN_TOP))
    elif zone != HIDDEN:
        take_discard(h, seat, kind)
    else:
        turn_up(h, slot)
    if onto == NONE:
        unit = slot if zone == HIDDEN else new_unit(h, kind, seat, seat, mission, OPEN)
    elif zone == HIDDEN:
        lay_on(h, slot, onto)
        unit = onto
    else:
        push_under(h, onto, h.top[onto], h.owner[onto])
        h.top[onto] = <uint8_t> kind
        h.owner[onto] = <uint8_t> seat
        unit = onto
    h.up |= bit(unit)
    if h.owner[unit] == controller(h, unit) and h.link_serial[unit]:     # 6.6: the pile is its controller's now
        h.link[unit] = 0
        h.link_serial[unit] = 0
        h.linked &= ~bit(unit)
    h.turn_of[unit] = h.turn
    if onto != NONE or zone == HIDDEN:          # a new unit has just arrived
        arrive(h, unit)
    if sink != NULL:
        args[0] = seat
        args[1] = unit
        args[2] = kind
        args[3] = mission
        args[4] = zone
        args[5] = slot if zone == HIDDEN else -1
        args[6] = onto if onto != NONE else -1
        args[7] = price
        args[8] = covered
        emit(sink, E_PLAYED, PUBLIC, 9, args)
    react(t, h, PLAYED, unit, seat)
    f = push_frame(h, PLAY_FRAME, seat, unit, mission)
    f.verb = <uint8_t> kind
    f.p = <int> before
    if onto != NONE:
        f.flags |= UPGRADED
    if zone == HIDDEN:
        f.flags |= REVEALED
    return unit
