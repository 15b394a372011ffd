"""After every step: the state check, then the reactions (section 5.8)."""
from libc.string cimport memset

from seatmate.engine.core.machine cimport Call, next_call
from seatmate.engine.core.sink cimport PUBLIC, emit2, emit4
from seatmate.engine.core.types cimport int32_t, uint64_t
from seatmate.engine.core.zones cimport add_bits, bit_count, lowest_bit
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.board cimport emit_unit, give_control, leave_play, mark_locked, set_chakra, set_tokens
from seatmate.engine.mythos.rules.model cimport NONE, Line, Static, bit, controller, in_play, is_up, units
from seatmate.engine.mythos.rules.query cimport Context, free_power, has_static, look_from, matches, next_static

# ---- State check ----

cdef bint needs_settling(const Mythos* state) noexcept nogil:
    """Can there be anything to check or to react to? Links, locks and new arrivals are looked at again after every step."""
    return (state.arrived | state.linked | state.locked) != 0 or state.queue_n or state.defeated[0] or state.defeated[1]


cdef int check_state(const Book* t, Mythos* state, Sink* sink) noexcept nogil:
    """Bring the position in order. Returns the Rashomon whose controller has to choose what it holds, or NONE."""
    cdef bint changed = True
    cdef int source
    while changed:
        changed = return_stolen(state, sink)
        source = hold(t, state, sink)
        if source != NONE:
            return source
        if discard_clashes(t, state, sink):
            changed = True
    state.arrived = 0
    return NONE


cdef bint return_stolen(Mythos* state, Sink* sink) noexcept nogil:
    """(a), (b): units go back to their owners when what held them is gone, hidden or changed sides (R57)."""
    cdef uint64_t rest = state.linked
    cdef bint changed = False
    cdef int slot, source
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        source = state.link[slot]
        if not (in_play(state, source, state.link_serial[slot]) and is_up(state, source)
                and controller(state, source) == controller(state, slot)):
            give_control(state, slot, state.owner[slot], NONE, sink)
            changed = True
    rest = state.arrived & ~state.linked
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if controller(state, slot) != state.owner[slot]:
            give_control(state, slot, state.owner[slot], NONE, sink)
            changed = True
    return changed


cdef bint discard_clashes(const Book* t, Mythos* state, Sink* sink) noexcept nogil:
    """(d): of two up units of one name on one side of a mission the newcomer is discarded (R60)."""
    cdef uint64_t rest = state.arrived & state.up
    cdef uint64_t others
    cdef bint changed = False
    cdef int slot, other
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        others = state.up & state.at[state.where[slot]] & state.side[controller(state, slot)] & ~bit(slot)
        while others:
            other = lowest_bit(others)
            others &= others - 1
            if t.character[state.top[other]].name == t.character[state.top[slot]].name:
                if state.arrival[other] > state.arrival[slot]:
                    leave_play(state, other, V.CLASHED, sink)
                    rest &= ~bit(other)
                else:
                    leave_play(state, slot, V.CLASHED, sink)
                changed = True
                break
    return changed

# ---- Rashomon ---- (6.4)

cdef const Static* zero_of(const Book* t, const Mythos* state, int source) noexcept nogil:
    cdef int line = 0
    return next_static(t, state, source, V.ZERO, &line)


cdef uint64_t strongest(const Book* t, const Mythos* state, int source) noexcept nogil:
    """The enemy units a Rashomon without a target may hold: the strongest ones here, other locks aside."""
    cdef const Static* s = zero_of(t, state, source)
    cdef uint64_t rest = units(state)
    cdef uint64_t found = 0
    cdef Context c
    cdef int slot, p
    cdef int best = -1
    look_from(&c, t, state, controller(state, source), source, state.where[source])
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if matches(&c, s.args[0], slot):
            p = free_power(t, state, slot)
            if p > best:
                best = p
                found = 0
            if p == best:
                found |= bit(slot)
    return found


cdef int lock_options(const Book* t, const Mythos* state, int source, action_t* out) noexcept nogil:
    """LOCK: the slots to choose from."""
    return add_bits(strongest(t, state, source), 0, out, 0)


cdef void set_lock(Mythos* state, int source, int target, Sink* sink) noexcept nogil:
    """`target` NONE: nothing is held any more."""
    cdef int32_t args[2]
    state.lock[source] = <uint8_t> target if target != NONE else 0
    state.lock_serial[source] = state.serial[target] if target != NONE else 0
    mark_locked(state)
    if target == NONE:
        emit2(sink, V.E_LOCKED, PUBLIC, source, -1)
        return
    args[0] = source
    args[1] = target
    emit_unit(state, sink, V.E_LOCKED, target, 2, args)


cdef int hold(const Book* t, Mythos* state, Sink* sink) noexcept nogil:
    """(c): every up Rashomon has a target if there can be one; held units lose their tokens."""
    cdef uint64_t rest = state.up
    cdef uint64_t options
    cdef int source, target
    while rest:
        source = lowest_bit(rest)
        rest &= rest - 1
        if not has_static(t, state, source, V.ZERO):
            if state.lock_serial[source]:
                set_lock(state, source, NONE, sink)
            continue
        target = state.lock[source]
        if state.lock_serial[source]:
            if (in_play(state, target, state.lock_serial[source]) and state.where[target] == state.where[source]
                    and controller(state, target) != controller(state, source)):
                continue
            set_lock(state, source, NONE, sink)
        options = strongest(t, state, source)
        if bit_count(options) > 1:
            return source
        if options:
            set_lock(state, source, lowest_bit(options), sink)
    rest = state.locked
    while rest:
        target = lowest_bit(rest)
        rest &= rest - 1
        set_tokens(state, target, 0, sink)
    return NONE

# ---- Waiting lines ----

cdef bint still_waits(const Book* t, const Mythos* state, const Waiting* w) noexcept nogil:
    """The source of a waiting line is up with the same top card, or is a mission."""
    cdef int kind = t.line[w.line].kind
    if w.unit == NONE:
        return kind >= V.MISSION_LINE
    return in_play(state, w.unit, w.serial) and is_up(state, w.unit) and state.top[w.unit] == kind


cdef void remove_waiting(Waiting* waiting, uint8_t* n, int i) noexcept nogil:
    cdef int j
    n[0] -= 1
    for j in range(i, n[0]):
        waiting[j] = waiting[j + 1]
    memset(&waiting[n[0]], 0, sizeof(Waiting))


cdef void forget_gone(const Book* t, Mythos* state, Waiting* waiting, uint8_t* n) noexcept nogil:
    """Lines whose source is gone are not carried out."""
    cdef int i = 0
    while i < n[0]:
        if still_waits(t, state, &waiting[i]):
            i += 1
        else:
            remove_waiting(waiting, n, i)


cdef int choices(const Waiting* waiting, int n, action_t* out) noexcept nogil:
    """ORDER: the places of the different waiting lines."""
    cdef int i, j
    cdef int found = 0
    for i in range(n):
        for j in range(i):
            if (waiting[j].line == waiting[i].line and waiting[j].unit == waiting[i].unit
                    and waiting[j].serial == waiting[i].serial):
                break
        else:
            out[found] = i
            found += 1
    return found


cdef bint run_automatic(const Book* t, Mythos* state, Sink* sink) noexcept nogil:
    """Carry out the next waiting reaction that only gives chakra or tokens, in slot order; False when there is none."""
    cdef const Line* line
    cdef Context c
    cdef Call call
    cdef int32_t at
    cdef int i, slot, you, gainer
    cdef int best = -1
    for i in range(state.queue_n):
        if t.line[state.queue[i].line].flags & V.AUTO and (best < 0 or state.queue[i].unit < state.queue[best].unit):
            best = i
    if best < 0:
        return False
    slot = state.queue[best].unit
    line = &t.line[state.queue[best].line]
    i = state.queue[best].line
    if still_waits(t, state, &state.queue[best]):
        you = controller(state, slot)
        look_from(&c, t, state, you, slot, state.where[slot])
        at = line.body
        next_call(&c.machine, &at, False, &call)
        if call.args[0] <= 0:           # it can do nothing
            emit4(sink, V.E_NOTHING, PUBLIC, slot, state.where[slot], i, you)
            remove_waiting(state.queue, &state.queue_n, best)
            return True
        emit4(sink, V.E_LINE, PUBLIC, slot, state.where[slot], i, you)
        if call.verb != V.CHAKRA:
            set_tokens(state, slot, state.tokens[slot] + call.args[0], sink)
        else:
            for gainer in range(2):
                if call.who == 2 or (gainer == you) == (call.who != 1):
                    set_chakra(state, gainer, state.chakra[gainer] + call.args[0], V.GAINED, sink)
    remove_waiting(state.queue, &state.queue_n, best)
    return True
