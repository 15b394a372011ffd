"""What happens to cards and units: every change of the position with its events and what the seats learn from it."""
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3, emit4, everyone_but
from seatmate.engine.core.types cimport uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport bag_draw, lowest_bit
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport (
    NONE, OPEN, QUEUE, Character, Line, bit, controller, deck_size, drop_chosen, free_slot, in_play,
)
from seatmate.engine.mythos.rules.query cimport Context, look_from, matches, under_static
from seatmate.engine.mythos.secrets.knowledge cimport came_to_light, slot_to_hand, top_to, went_to_hand

# ---- Cards ----

cdef void hand_insert(Mythos* state, int seat, int kind) noexcept nogil:
    """Hands are sorted."""
    cdef int i = state.hand_n[seat]
    while i > 0 and state.hand[seat][i - 1] > kind:
        state.hand[seat][i] = state.hand[seat][i - 1]
        i -= 1
    state.hand[seat][i] = <uint8_t> kind
    state.hand_n[seat] += 1


cdef void hand_take(Mythos* state, int seat, int kind) noexcept nogil:
    """Take a card that is there out of a hand."""
    cdef int i = 0
    while state.hand[seat][i] != kind:
        i += 1
    state.hand_n[seat] -= 1
    while i < state.hand_n[seat]:
        state.hand[seat][i] = state.hand[seat][i + 1]
        i += 1
    state.hand[seat][i] = 0


cdef void to_discard(Mythos* state, int owner, int kind) noexcept nogil:
    """On top of the owner's discard pile."""
    state.discard[owner][state.discard_n[owner]] = <uint8_t> kind
    state.discard_n[owner] += 1


cdef void take_discard(Mythos* state, int seat, int kind) noexcept nogil:
    """Take the topmost card of a kind out of a discard pile."""
    cdef int i = state.discard_n[seat] - 1
    while state.discard[seat][i] != kind:
        i -= 1
    state.discard_n[seat] -= 1
    while i < state.discard_n[seat]:
        state.discard[seat][i] = state.discard[seat][i + 1]
        i += 1
    state.discard[seat][i] = 0


cdef int take_top(Mythos* state, int seat, int* known, Rng* rng) noexcept nogil:
    """Take the top card of a deck that is not empty; `known`: who knew its place, NONE = nobody, it was a random one."""
    cdef int kind, i
    if state.top_n[seat] == 0:
        known[0] = NONE
        kind = bag_draw(state.deck[seat], &state.deck_n[seat], rng)
        state.deck[seat][state.deck_n[seat]] = 0
        return kind
    kind = state.top_kind[seat][0]
    known[0] = state.top_known[seat][0]
    state.top_n[seat] -= 1
    for i in range(state.top_n[seat]):
        state.top_kind[seat][i] = state.top_kind[seat][i + 1]
        state.top_known[seat][i] = state.top_known[seat][i + 1]
        state.top_not[seat][i] = state.top_not[seat][i + 1]
    i = state.top_n[seat]
    state.top_kind[seat][i] = 0
    state.top_known[seat][i] = 0
    state.top_not[seat][i] = 0
    return kind


cdef void put_on_top(Mythos* state, int seat, int kind, int known, int not_filter) noexcept nogil:
    """On top of the deck, in a known place; the caller knows there is room."""
    cdef int i
    for i in range(state.top_n[seat], 0, -1):
        state.top_kind[seat][i] = state.top_kind[seat][i - 1]
        state.top_known[seat][i] = state.top_known[seat][i - 1]
        state.top_not[seat][i] = state.top_not[seat][i - 1]
    state.top_kind[seat][0] = <uint8_t> kind
    state.top_known[seat][0] = <uint8_t> known
    state.top_not[seat][0] = <uint8_t> not_filter
    state.top_n[seat] += 1


cdef int draw(Mythos* state, int seat, int n, Rng* rng, Sink* sink) noexcept nogil:
    """Draw up to n cards, as many as there are (R10). Returns how many."""
    cdef int32_t args[15]
    cdef int known, kind
    cdef int drawn = 0
    args[0] = seat
    while drawn < n and drawn < 14 and deck_size(state, seat):
        kind = take_top(state, seat, &known, rng)
        hand_insert(state, seat, kind)
        if known != NONE:
            if known >> (1 - seat) & 1:
                went_to_hand(state, seat, kind)
            else:
                top_to(state, seat, bit(V.IN_HAND))
        drawn += 1
        args[drawn] = kind
    if drawn and sink != NULL:
        emit2(sink, V.E_DRAW, everyone_but(seat), seat, drawn)
        emit(sink, V.E_DRAW_CARDS, 1 << seat, drawn + 1, args)
    return drawn + (draw(state, seat, n - drawn, rng, sink) if drawn == 14 and n > 14 else 0)


cdef void discard_from_hand(Mythos* state, int seat, int kind, Sink* sink) noexcept nogil:
    hand_take(state, seat, kind)
    to_discard(state, seat, kind)
    came_to_light(state, seat, kind, bit(V.IN_HAND))
    emit2(sink, V.E_DISCARD, PUBLIC, seat, kind)

# ---- Numbers ----

cdef void set_chakra(Mythos* state, int seat, int amount, int reason, Sink* sink) noexcept nogil:
    state.chakra[seat] = <uint8_t> (amount if amount < 255 else 255)
    emit3(sink, V.E_CHAKRA, PUBLIC, seat, state.chakra[seat], reason)


cdef void set_tokens(Mythos* state, int slot, int tokens, Sink* sink) noexcept nogil:
    cdef int32_t args[2]
    if tokens > 250:
        tokens = 250
    if state.tokens[slot] != tokens:
        state.tokens[slot] = <uint8_t> tokens
        args[0] = slot
        args[1] = tokens
        emit_unit(state, sink, V.E_TOKENS, slot, 2, args)


cdef void set_edge(Mythos* state, int seat, Sink* sink) noexcept nogil:
    state.edge = <uint8_t> seat
    emit1(sink, V.E_EDGE, PUBLIC, seat)

# ---- Units ----

cdef void emit_unit(const Mythos* state, Sink* sink, int event, int slot, int n, const int32_t* args) noexcept nogil:
    """An event about a unit in play: behind its `n` arguments, at most 4, come the unit's side and, for who knows it, its card."""
    cdef int32_t out[6]
    cdef int seers = PUBLIC if state.known[slot] == OPEN else state.known[slot]
    cdef int i
    if sink == NULL:
        return
    for i in range(n):
        out[i] = args[i]
    out[n] = controller(state, slot)
    out[n + 1] = state.top[slot]
    emit(sink, event, seers, n + 2, out)
    out[n + 1] = -1
    emit(sink, event, PUBLIC & ~seers, n + 2, out)


cdef int new_unit(Mythos* state, int kind, int owner, int seat, int mission, int known) noexcept nogil:
    """A card comes into play, face down; there must be a free slot."""
    cdef int slot = free_slot(state)
    state.side[seat] |= bit(slot)
    state.at[mission] |= bit(slot)
    state.top[slot] = <uint8_t> kind
    state.owner[slot] = <uint8_t> owner
    state.where[slot] = <uint8_t> mission
    state.known[slot] = <uint8_t> known
    state.serials += 1
    state.serial[slot] = state.serials
    arrive(state, slot)
    return slot


cdef void arrive(Mythos* state, int slot) noexcept nogil:
    """The unit is the newest of its name here: if two have the same name, it goes (R60)."""
    state.arrivals += 1
    state.arrival[slot] = state.arrivals
    state.arrived |= bit(slot)


cdef void push_under(Mythos* state, int slot, int kind, int owner) noexcept nogil:
    """A card that was on top of the pile lies below another one now."""
    cdef int i = state.under_n
    while i > 0 and state.under_unit[i - 1] > slot:
        state.under_unit[i] = state.under_unit[i - 1]
        state.under_kind[i] = state.under_kind[i - 1]
        state.under_owner[i] = state.under_owner[i - 1]
        i -= 1
    state.under_unit[i] = <uint8_t> slot
    state.under_kind[i] = <uint8_t> kind
    state.under_owner[i] = <uint8_t> owner
    state.under_n += 1
    state.below[slot] += 1


cdef void take_under(Mythos* state, int slot, bint highest, int* kind, int* owner) noexcept nogil:
    """Take the highest or the lowest card below the top out of a pile that has one."""
    cdef int i = 0
    while state.under_unit[i] != slot:
        i += 1
    if highest:
        i += state.below[slot] - 1
    kind[0] = state.under_kind[i]
    owner[0] = state.under_owner[i]
    state.under_n -= 1
    state.below[slot] -= 1
    while i < state.under_n:
        state.under_unit[i] = state.under_unit[i + 1]
        state.under_kind[i] = state.under_kind[i + 1]
        state.under_owner[i] = state.under_owner[i + 1]
        i += 1
    state.under_unit[i] = 0
    state.under_kind[i] = 0
    state.under_owner[i] = 0


cdef void remove_unit(Mythos* state, int slot) noexcept nogil:
    """The slot is free, all its bytes zero; cards below must have been taken away."""
    cdef uint64_t others = ~bit(slot)
    cdef int i
    for i in range(state.depth):    # nothing goes on with a unit that comes into the slot later
        if state.frame[i].picked:
            drop_chosen(&state.frame[i], slot)
        state.frame[i].taxed &= others
    state.side[0] &= others
    state.side[1] &= others
    state.at[state.where[slot]] &= others
    state.up &= others
    state.linked &= others
    state.arrived &= others
    state.top[slot] = 0
    state.owner[slot] = 0
    state.where[slot] = 0
    state.tokens[slot] = 0
    state.known[slot] = 0
    state.link[slot] = 0
    state.lock[slot] = 0
    state.link_serial[slot] = 0
    state.lock_serial[slot] = 0
    state.serial[slot] = 0
    state.arrival[slot] = 0
    state.turn_of[slot] = 0
    if state.locked:
        mark_locked(state)


cdef void show_put(const Mythos* state, int slot, int zone, bint in_turn, Sink* sink) noexcept nogil:
    """A card came face down from this zone: what it is goes to who knows it."""
    cdef int32_t args[8]
    if sink == NULL:
        return
    args[0] = controller(state, slot)
    args[1] = slot
    args[2] = state.where[slot]
    args[3] = zone
    args[4] = state.owner[slot]
    args[5] = state.link[slot] if state.link_serial[slot] else -1
    args[6] = in_turn
    args[7] = state.top[slot]
    emit(sink, V.E_PUT, PUBLIC & ~state.known[slot], 7, args)
    emit(sink, V.E_PUT_CARD, state.known[slot], 8, args)


cdef void mark_locked(Mythos* state) noexcept nogil:
    """Keep the mask of the units that Rashomons hold; one that has lost its unit is looked at again."""
    cdef uint64_t rest = state.up
    cdef int slot
    state.locked = 0
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if in_play(state, state.lock[slot], state.lock_serial[slot]):
            state.locked |= bit(state.lock[slot])
        elif state.lock_serial[slot]:       # what it held is gone: the state check lets it hold another one
            state.arrived |= bit(slot)


cdef void lay_on(Mythos* state, int slot, int onto) noexcept nogil:
    """A whole pile (a revealed unit) goes on top of another one, tokens and all; its slot becomes free."""
    cdef int kind, owner
    push_under(state, onto, state.top[onto], state.owner[onto])
    while state.below[slot]:
        take_under(state, slot, False, &kind, &owner)
        push_under(state, onto, kind, owner)
    state.top[onto] = state.top[slot]
    state.owner[onto] = state.owner[slot]
    state.tokens[onto] = <uint8_t> min(state.tokens[onto] + state.tokens[slot], 250)
    if state.link_serial[slot]:
        state.link[onto] = state.link[slot]
        state.link_serial[onto] = state.link_serial[slot]
        state.linked |= bit(onto)
    remove_unit(state, slot)


cdef inline int min(int a, int b) noexcept nogil:
    return a if a < b else b


cdef void turn_down(Mythos* state, int slot, Sink* sink) noexcept nogil:
    """Hide an up unit: everybody knows what it is."""
    cdef int32_t args[1]
    state.up &= ~bit(slot)
    state.known[slot] = OPEN
    if state.lock_serial[slot]:     # a hidden Rashomon holds nothing
        state.lock[slot] = 0
        state.lock_serial[slot] = 0
        mark_locked(state)
    args[0] = slot
    emit_unit(state, sink, V.E_HIDDEN, slot, 1, args)


cdef void turn_up(Mythos* state, int slot) noexcept nogil:
    """Reveal a hidden unit; whoever did not know it sees it now."""
    learn(state, slot, 1 - state.owner[slot])
    state.known[slot] = OPEN
    state.up |= bit(slot)


cdef void learn(Mythos* state, int slot, int seat) noexcept nogil:
    """A seat sees the card of a hidden unit (no event)."""
    if not state.known[slot] >> seat & 1:
        state.known[slot] |= <uint8_t> (1 << seat)
        if state.owner[slot] != seat:
            came_to_light(state, state.owner[slot], state.top[slot], bit(slot))


cdef void look_at(Mythos* state, int slot, int seat, Sink* sink) noexcept nogil:
    """A seat looks at a hidden unit, in front of all."""
    learn(state, slot, seat)
    if sink != NULL:
        emit3(sink, V.E_LOOKED, everyone_but(seat), seat, slot, controller(state, slot))
        emit3(sink, V.E_LOOKED_CARD, 1 << seat, seat, slot, state.top[slot])


cdef void move_unit(const Book* t, Mythos* state, int slot, int mission, int by, Sink* sink) noexcept nogil:
    """To another mission, on the same side; reactions wait."""
    cdef int32_t args[3]
    args[0] = slot
    args[1] = mission
    args[2] = state.where[slot]
    state.at[state.where[slot]] &= ~bit(slot)
    state.at[mission] |= bit(slot)
    state.where[slot] = <uint8_t> mission
    arrive(state, slot)
    emit_unit(state, sink, V.E_MOVED, slot, 3, args)
    react(t, state, V.MOVED, slot, by)


cdef void give_control(Mythos* state, int slot, int seat, int source, Sink* sink) noexcept nogil:
    """The unit changes to the seat's side. `source` holds it there (6.6); NONE, or its owner's own unit: for good."""
    cdef bint knew = state.known[slot] >> seat & 1
    cdef int32_t args[3]
    state.side[1 - seat] &= ~bit(slot)
    state.side[seat] |= bit(slot)
    state.linked &= ~bit(slot)
    state.link[slot] = 0
    state.link_serial[slot] = 0
    if source != NONE and state.owner[slot] != seat:
        state.link[slot] = <uint8_t> source
        state.link_serial[slot] = state.serial[source]
        state.linked |= bit(slot)
    arrive(state, slot)
    args[0] = slot
    args[1] = seat
    args[2] = source if state.linked >> slot & 1 else -1
    emit_unit(state, sink, V.E_CONTROL, slot, 3, args)
    if not knew:
        look_at(state, slot, seat, sink)


cdef void leave_play(Mythos* state, int slot, int how, Sink* sink) noexcept nogil:
    """The pile goes to its owners: cards below to the discards from bottom to top, the top card there or to the hand (R59)."""
    cdef int kind, owner, other, seers
    cdef int top = state.top[slot]
    cdef int known = state.known[slot]
    cdef int side = controller(state, slot)
    cdef bint to_hand = how == V.DEFEATED_TO_HAND or how == V.RETURNED
    while state.below[slot]:
        take_under(state, slot, False, &kind, &owner)
        to_discard(state, owner, kind)
    owner = state.owner[slot]
    other = 1 - owner
    remove_unit(state, slot)
    if to_hand:
        hand_insert(state, owner, top)
        if known >> other & 1:
            went_to_hand(state, owner, top)
        else:
            slot_to_hand(state, owner, slot)
        if sink != NULL:
            seers = PUBLIC if known == OPEN else known | 1 << owner
            emit4(sink, V.E_LEFT, seers, slot, how, top, side)
            emit4(sink, V.E_LEFT, PUBLIC & ~seers, slot, how, -1, side)
    else:
        to_discard(state, owner, top)
        if not known >> other & 1:
            came_to_light(state, owner, top, bit(slot))
        emit4(sink, V.E_LEFT, PUBLIC, slot, how, top, side)


cdef void defeat(const Book* t, Mythos* state, int slot, Sink* sink) noexcept nogil:
    """Defeat a unit; reactions are counted and wait for the end of the step (R49)."""
    state.defeated[controller(state, slot)] += 1
    leave_play(state, slot, V.DEFEATED_TO_HAND if under_static(t, state, slot, V.DEFEAT_TO_HAND) else V.TO_DISCARD, sink)


cdef void peel(Mythos* state, int slot, Sink* sink) noexcept nogil:
    """Discard the top card of a pile; the next one is its face, without any line (R86)."""
    cdef int kind, owner
    cdef int top = state.top[slot]
    cdef int was = state.owner[slot]
    learn(state, slot, 1 - was)
    take_under(state, slot, True, &kind, &owner)
    to_discard(state, was, top)
    state.top[slot] = <uint8_t> kind
    state.owner[slot] = <uint8_t> owner
    state.known[slot] = OPEN        # cards below the top were up once
    arrive(state, slot)
    if owner == controller(state, slot):
        state.linked &= ~bit(slot)
        state.link[slot] = 0
        state.link_serial[slot] = 0
    emit4(sink, V.E_PEELED, PUBLIC, slot, top, kind, owner)

# ---- Reactions ---- (5.8: they wait until the step is done)

cdef inline void wait_for(Mythos* state, int line, int slot) noexcept nogil:
    if state.queue_n == QUEUE:      # R94
        return
    state.queue[state.queue_n].line = <uint16_t> line
    state.queue[state.queue_n].serial = state.serial[slot]
    state.queue[state.queue_n].unit = <uint8_t> slot
    state.queue[state.queue_n].mission = 0
    state.queue_n += 1


cdef void react(const Book* t, Mythos* state, int event, int subject, int by) noexcept nogil:
    """PLAYED or MOVED befell a unit, caused by seat `by`: lines of up units that react to it wait from now on."""
    cdef uint64_t rest = state.up
    cdef const Character* card
    cdef const Line* line
    cdef Context c
    cdef int source, i, you
    while rest:
        source = lowest_bit(rest)
        rest &= rest - 1
        card = &t.character[state.top[source]]
        if not card.events >> event & 1:
            continue
        you = controller(state, source)
        for i in range(card.lines):
            line = &t.line[card.first + i]
            if line.trigger != V.ON or not line.events >> event & 1:
                continue
            if (line.by == V.BY_YOU and by != you) or (line.by == V.BY_ENEMY and by == controller(state, subject)):
                continue
            look_from(&c, t, state, you, source, state.where[source])
            if matches(&c, line.subject, subject):
                wait_for(state, card.first + i, source)


cdef void react_to_defeats(const Book* t, Mythos* state) noexcept nogil:
    """Lines of units still in play that react to the defeats of the last step; the sides are those of that moment."""
    cdef uint64_t rest = state.up
    cdef const Character* card
    cdef const Line* line
    cdef int source, i, _k, you, base, n
    while rest:
        source = lowest_bit(rest)
        rest &= rest - 1
        card = &t.character[state.top[source]]
        if not card.events >> V.DEFEATED & 1:
            continue
        you = controller(state, source)
        for i in range(card.lines):
            line = &t.line[card.first + i]
            if line.trigger == V.ON and line.events >> V.DEFEATED & 1:
                base = t.selector[line.subject].base
                n = 0 if base == V.ENEMY else state.defeated[you]
                n += 0 if base == V.FRIENDLY or base == V.OWN else state.defeated[1 - you]
                for _k in range(n):
                    wait_for(state, card.first + i, source)
    state.defeated[0] = 0
    state.defeated[1] = 0
