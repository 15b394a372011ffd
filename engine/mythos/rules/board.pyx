"""What happens to cards and units: every change of the position with its events and what the seats learn from it."""
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3, emit4, everyone_but
from seatmate.engine.core.types cimport uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport bag_draw, lowest_bit
from seatmate.engine.mythos.content.vocabulary cimport (
    BY_ENEMY, BY_YOU, DEFEATED, DEFEATED_TO_HAND, DEFEAT_TO_HAND, ENEMY, E_CHAKRA, E_CONTROL, E_DISCARD, E_DRAW,
    E_DRAW_CARDS, E_EDGE, E_HIDDEN, E_LEFT, E_LOOKED, E_LOOKED_CARD, E_MOVED, E_PEELED, E_TOKENS, FRIENDLY, MOVED, ON,
    OWN, RETURNED, TO_DISCARD,
)
from seatmate.engine.mythos.rules.model cimport (
    IN_HAND, NONE, OPEN, QUEUE, Character, Line, bit, controller, deck_size, drop_chosen, free_slot, in_play,
)
from seatmate.engine.mythos.rules.query cimport Context, look_from, matches, under_static
from seatmate.engine.mythos.secrets.knowledge cimport came_to_light, slot_to_hand, top_to, went_to_hand

# ---- Cards ----

cdef void hand_insert(Mythos* h, int seat, int kind) noexcept nogil:
    """Hands are sorted."""
    cdef int i = h.hand_n[seat]
    while i > 0 and h.hand[seat][i - 1] > kind:
        h.hand[seat][i] = h.hand[seat][i - 1]
        i -= 1
    h.hand[seat][i] = <uint8_t> kind
    h.hand_n[seat] += 1


cdef void hand_take(Mythos* h, int seat, int kind) noexcept nogil:
    """Take a card that is there out of a hand."""
    cdef int i = 0
    while h.hand[seat][i] != kind:
        i += 1
    h.hand_n[seat] -= 1
    while i < h.hand_n[seat]:
        h.hand[seat][i] = h.hand[seat][i + 1]
        i += 1
    h.hand[seat][i] = 0


cdef void to_discard(Mythos* h, int owner, int kind) noexcept nogil:
    """On top of the owner's discard pile."""
    h.discard[owner][h.discard_n[owner]] = <uint8_t> kind
    h.discard_n[owner] += 1


cdef void take_discard(Mythos* h, int seat, int kind) noexcept nogil:
    """Take the topmost card of a kind out of a discard pile."""
    cdef int i = h.discard_n[seat] - 1
    while h.discard[seat][i] != kind:
        i -= 1
    h.discard_n[seat] -= 1
    while i < h.discard_n[seat]:
        h.discard[seat][i] = h.discard[seat][i + 1]
        i += 1
    h.discard[seat][i] = 0


cdef int take_top(Mythos* h, int seat, int* known, Rng* rng) noexcept nogil:
    """Take the top card of a deck that is not empty; `known`: who knew its place, NONE = nobody, it was a random one."""
    cdef int kind, i
    if h.top_n[seat] == 0:
        known[0] = NONE
        kind = bag_draw(h.deck[seat], &h.deck_n[seat], rng)
        h.deck[seat][h.deck_n[seat]] = 0
        return kind
    kind = h.top_kind[seat][0]
    known[0] = h.top_known[seat][0]
    h.top_n[seat] -= 1
    for i in range(h.top_n[seat]):
        h.top_kind[seat][i] = h.top_kind[seat][i + 1]
        h.top_known[seat][i] = h.top_known[seat][i + 1]
        h.top_not[seat][i] = h.top_not[seat][i + 1]
    i = h.top_n[seat]
    h.top_kind[seat][i] = 0
    h.top_known[seat][i] = 0
    h.top_not[seat][i] = 0
    return kind


cdef void put_on_top(Mythos* h, int seat, int kind, int known, int not_filter) noexcept nogil:
    """On top of the deck, in a known place; the caller knows there is room."""
    cdef int i
    for i in range(h.top_n[seat], 0, -1):
        h.top_kind[seat][i] = h.top_kind[seat][i - 1]
        h.top_known[seat][i] = h.top_known[seat][i - 1]
        h.top_not[seat][i] = h.top_not[seat][i - 1]
    h.top_kind[seat][0] = <uint8_t> kind
    h.top_known[seat][0] = <uint8_t> known
    h.top_not[seat][0] = <uint8_t> not_filter
    h.top_n[seat] += 1


cdef int draw(Mythos* h, int seat, int n, Rng* rng, Sink* sink) noexcept nogil:
    """Draw up to n cards, as many as there are (R10). Returns how many."""
    cdef int32_t args[15]
    cdef int known, kind
    cdef int drawn = 0
    args[0] = seat
    while drawn < n and drawn < 14 and deck_size(h, seat):
        kind = take_top(h, seat, &known, rng)
        hand_insert(h, seat, kind)
        if known != NONE:
            if known >> (1 - seat) & 1:
                went_to_hand(h, seat, kind)
            else:
                top_to(h, seat, bit(IN_HAND))
        drawn += 1
        args[drawn] = kind
    if drawn and sink != NULL:
        emit2(sink, E_DRAW, everyone_but(seat), seat, drawn)
        emit(sink, E_DRAW_CARDS, 1 << seat, drawn + 1, args)
    return drawn + (draw(h, seat, n - drawn, rng, sink) if drawn == 14 and n > 14 else 0)


cdef void discard_from_hand(Mythos* h, int seat, int kind, Sink* sink) noexcept nogil:
    hand_take(h, seat, kind)
    to_discard(h, seat, kind)
    came_to_light(h, seat, kind, bit(IN_HAND))
    emit2(sink, E_DISCARD, PUBLIC, seat, kind)

# ---- Numbers ----

cdef void set_chakra(Mythos* h, int seat, int amount, int reason, Sink* sink) noexcept nogil:
    h.chakra[seat] = <uint8_t> (amount if amount < 255 else 255)
    emit3(sink, E_CHAKRA, PUBLIC, seat, h.chakra[seat], reason)


cdef void set_tokens(Mythos* h, int slot, int tokens, Sink* sink) noexcept nogil:
    cdef int32_t args[2]
    if tokens > 250:
        tokens = 250
    if h.tokens[slot] != tokens:
        h.tokens[slot] = <uint8_t> tokens
        args[0] = slot
        args[1] = tokens
        emit_unit(h, sink, E_TOKENS, slot, 2, args)


cdef void set_edge(Mythos* h, int seat, Sink* sink) noexcept nogil:
    h.edge = <uint8_t> seat
    emit1(sink, E_EDGE, PUBLIC, seat)

# ---- Units ----

cdef void emit_unit(const Mythos* h, Sink* sink, int event, int slot, int n, const int32_t* args) noexcept nogil:
    """An event about a unit in play: behind its `n` arguments, at most 4, come the unit's side and, for who knows it, its card."""
    cdef int32_t out[6]
    cdef int seers = PUBLIC if h.known[slot] == OPEN else h.known[slot]
    cdef int i
    if sink == NULL:
        return
    for i in range(n):
        out[i] = args[i]
    out[n] = controller(h, slot)
    out[n + 1] = h.top[slot]
    emit(sink, event, seers, n + 2, out)
    out[n + 1] = -1
    emit(sink, event, PUBLIC & ~seers, n + 2, out)


cdef int new_unit(Mythos* h, int kind, int owner, int seat, int mission, int known) noexcept nogil:
    """A card comes into play, face down; there must be a free slot."""
    cdef int slot = free_slot(h)
    h.side[seat] |= bit(slot)
    h.at[mission] |= bit(slot)
    h.top[slot] = <uint8_t> kind
    h.owner[slot] = <uint8_t> owner
    h.where[slot] = <uint8_t> mission
    h.known[slot] = <uint8_t> known
    h.serials += 1
    h.serial[slot] = h.serials
    arrive(h, slot)
    return slot


cdef void arrive(Mythos* h, int slot) noexcept nogil:
    """The unit is the newest of its name here: if two have the same name, it goes (R60)."""
    h.arrivals += 1
    h.arrival[slot] = h.arrivals
    h.arrived |= bit(slot)


cdef void push_under(Mythos* h, int slot, int kind, int owner) noexcept nogil:
    """A card that was on top of the pile lies below another one now."""
    cdef int i = h.under_n
    while i > 0 and h.under_unit[i - 1] > slot:
        h.under_unit[i] = h.under_unit[i - 1]
        h.under_kind[i] = h.under_kind[i - 1]
        h.under_owner[i] = h.under_owner[i - 1]
        i -= 1
    h.under_unit[i] = <uint8_t> slot
    h.under_kind[i] = <uint8_t> kind
    h.under_owner[i] = <uint8_t> owner
    h.under_n += 1
    h.below[slot] += 1


cdef void take_under(Mythos* h, int slot, bint highest, int* kind, int* owner) noexcept nogil:
    """Take the highest or the lowest card below the top out of a pile that has one."""
    cdef int i = 0
    while h.under_unit[i] != slot:
        i += 1
    if highest:
        i += h.below[slot] - 1
    kind[0] = h.under_kind[i]
    owner[0] = h.under_owner[i]
    h.under_n -= 1
    h.below[slot] -= 1
    while i < h.under_n:
        h.under_unit[i] = h.under_unit[i + 1]
        h.under_kind[i] = h.under_kind[i + 1]
        h.under_owner[i] = h.under_owner[i + 1]
        i += 1
    h.under_unit[i] = 0
    h.under_kind[i] = 0
    h.under_owner[i] = 0


cdef void remove_unit(Mythos* h, int slot) noexcept nogil:
    """The slot is free, all its bytes zero; cards below must have been taken away."""
    cdef uint64_t others = ~bit(slot)
    cdef int i
    for i in range(h.depth):    # nothing goes on with a unit that comes into the slot later
        if h.frame[i].picked:
            drop_chosen(&h.frame[i], slot)
        h.frame[i].taxed &= others
    h.side[0] &= others
    h.side[1] &= others
    h.at[h.where[slot]] &= others
    h.up &= others
    h.linked &= others
    h.arrived &= others
    h.top[slot] = 0
    h.owner[slot] = 0
    h.where[slot] = 0
    h.tokens[slot] = 0
    h.known[slot] = 0
    h.link[slot] = 0
    h.lock[slot] = 0
    h.link_serial[slot] = 0
    h.lock_serial[slot] = 0
    h.serial[slot] = 0
    h.arrival[slot] = 0
    h.turn_of[slot] = 0
    if h.locked:
        mark_locked(h)


cdef void mark_locked(Mythos* h) noexcept nogil:
    """Keep the mask of the units that Rashomons hold; one that has lost its unit is looked at again."""
    cdef uint64_t rest = h.up
    cdef int slot
    h.locked = 0
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if in_play(h, h.lock[slot], h.lock_serial[slot]):
            h.locked |= bit(h.lock[slot])
        elif h.lock_serial[slot]:       # what it held is gone: the state check lets it hold another one
            h.arrived |= bit(slot)


cdef void lay_on(Mythos* h, int slot, int onto) noexcept nogil:
    """A whole pile (a revealed unit) goes on top of another one, tokens and all; its slot becomes free."""
    cdef int kind, owner
    push_under(h, onto, h.top[onto], h.owner[onto])
    while h.below[slot]:
        take_under(h, slot, False, &kind, &owner)
        push_under(h, onto, kind, owner)
    h.top[onto] = h.top[slot]
    h.owner[onto] = h.owner[slot]
    h.tokens[onto] = <uint8_t> min(h.tokens[onto] + h.tokens[slot], 250)
    if h.link_serial[slot]:
        h.link[onto] = h.link[slot]
        h.link_serial[onto] = h.link_serial[slot]
        h.linked |= bit(onto)
    remove_unit(h, slot)


cdef inline int min(int a, int b) noexcept nogil:
    return a if a < b else b


cdef void turn_down(Mythos* h, int slot, Sink* sink) noexcept nogil:
    """Hide an up unit: everybody knows what it is."""
    cdef int32_t args[1]
    h.up &= ~bit(slot)
    h.known[slot] = OPEN
    if h.lock_serial[slot]:     # a hidden Rashomon holds nothing
        h.lock[slot] = 0
        h.lock_serial[slot] = 0
        mark_locked(h)
    args[0] = slot
    emit_unit(h, sink, E_HIDDEN, slot, 1, args)


cdef void turn_up(Mythos* h, int slot) noexcept nogil:
    """Reveal a hidden unit; whoever did not know it sees it now."""
    learn(h, slot, 1 - h.owner[slot])
    h.known[slot] = OPEN
    h.up |= bit(slot)


cdef void learn(Mythos* h, int slot, int seat) noexcept nogil:
    """A seat sees the card of a hidden unit (no event)."""
    if not h.known[slot] >> seat & 1:
        h.known[slot] |= <uint8_t> (1 << seat)
        if h.owner[slot] != seat:
            came_to_light(h, h.owner[slot], h.top[slot], bit(slot))


cdef void look_at(Mythos* h, int slot, int seat, Sink* sink) noexcept nogil:
    """A seat looks at a hidden unit, in front of all."""
    learn(h, slot, seat)
    if sink != NULL:
        emit3(sink, E_LOOKED, everyone_but(seat), seat, slot, controller(h, slot))
        emit3(sink, E_LOOKED_CARD, 1 << seat, seat, slot, h.top[slot])


cdef void move_unit(const Tables* t, Mythos* h, int slot, int mission, int by, Sink* sink) noexcept nogil:
    """To another mission, on the same side; reactions wait."""
    cdef int32_t args[3]
    args[0] = slot
    args[1] = mission
    args[2] = h.where[slot]
    h.at[h.where[slot]] &= ~bit(slot)
    h.at[mission] |= bit(slot)
    h.where[slot] = <uint8_t> mission
    arrive(h, slot)
    emit_unit(h, sink, E_MOVED, slot, 3, args)
    react(t, h, MOVED, slot, by)


cdef void give_control(Mythos* h, int slot, int seat, int source, Sink* sink) noexcept nogil:
    """The unit changes to the seat's side. `source` holds it there (6.6); NONE, or its owner's own unit: for good."""
    cdef bint knew = h.known[slot] >> seat & 1
    cdef int32_t args[3]
    h.side[1 - seat] &= ~bit(slot)
    h.side[seat] |= bit(slot)
    h.linked &= ~bit(slot)
    h.link[slot] = 0
    h.link_serial[slot] = 0
    if source != NONE and h.owner[slot] != seat:
        h.link[slot] = <uint8_t> source
        h.link_serial[slot] = h.serial[source]
        h.linked |= bit(slot)
    arrive(h, slot)
    args[0] = slot
    args[1] = seat
    args[2] = source if h.linked >> slot & 1 else -1
    emit_unit(h, sink, E_CONTROL, slot, 3, args)
    if not knew:
        look_at(h, slot, seat, sink)


cdef void leave_play(Mythos* h, int slot, int how, Sink* sink) noexcept nogil:
    """The pile goes to its owners: cards below to the discards from bottom to top, the top card there or to the hand (R59)."""
    cdef int kind, owner, other, seers
    cdef int top = h.top[slot]
    cdef int known = h.known[slot]
    cdef int side = controller(h, slot)
    cdef bint to_hand = how == DEFEATED_TO_HAND or how == RETURNED
    while h.below[slot]:
        take_under(h, slot, False, &kind, &owner)
        to_discard(h, owner, kind)
    owner = h.owner[slot]
    other = 1 - owner
    remove_unit(h, slot)
    if to_hand:
        hand_insert(h, owner, top)
        if known >> other & 1:
            went_to_hand(h, owner, top)
        else:
            slot_to_hand(h, owner, slot)
        if sink != NULL:
            seers = PUBLIC if known == OPEN else known | 1 << owner
            emit4(sink, E_LEFT, seers, slot, how, top, side)
            emit4(sink, E_LEFT, PUBLIC & ~seers, slot, how, -1, side)
    else:
        to_discard(h, owner, top)
        if not known >> other & 1:
            came_to_light(h, owner, top, bit(slot))
        emit4(sink, E_LEFT, PUBLIC, slot, how, top, side)


cdef void defeat(const Tables* t, Mythos* h, int slot, Sink* sink) noexcept nogil:
    """Defeat a unit; reactions are counted and wait for the end of the step (R49)."""
    h.defeated[controller(h, slot)] += 1
    leave_play(h, slot, DEFEATED_TO_HAND if under_static(t, h, slot, DEFEAT_TO_HAND) else TO_DISCARD, sink)


cdef void peel(Mythos* h, int slot, Sink* sink) noexcept nogil:
    """Discard the top card of a pile; the next one is its face, without any line (R86)."""
    cdef int kind, owner
    cdef int top = h.top[slot]
    cdef int was = h.owner[slot]
    learn(h, slot, 1 - was)
    take_under(h, slot, True, &kind, &owner)
    to_discard(h, was, top)
    h.top[slot] = <uint8_t> kind
    h.owner[slot] = <uint8_t> owner
    h.known[slot] = OPEN        # cards below the top were up once
    arrive(h, slot)
    if owner == controller(h, slot):
        h.linked &= ~bit(slot)
        h.link[slot] = 0
        h.link_serial[slot] = 0
    emit4(sink, E_PEELED, PUBLIC, slot, top, kind, owner)

# ---- Reactions ---- (5.8: they wait until the step is done)

cdef inline void wait_for(Mythos* h, int line, int slot) noexcept nogil:
    if h.queue_n == QUEUE:      # R94
        return
    h.queue[h.queue_n].line = <uint16_t> line
    h.queue[h.queue_n].serial = h.serial[slot]
    h.queue[h.queue_n].unit = <uint8_t> slot
    h.queue[h.queue_n].mission = 0
    h.queue_n += 1


cdef void react(const Tables* t, Mythos* h, int event, int subject, int by) noexcept nogil:
    """PLAYED or MOVED befell a unit, caused by seat `by`: lines of up units that react to it wait from now on."""
    cdef uint64_t rest = h.up
    cdef const Character* card
    cdef const Line* line
    cdef Context c
    cdef int source, i, you
    while rest:
        source = lowest_bit(rest)
        rest &= rest - 1
        card = &t.character[h.top[source]]
        if not card.events >> event & 1:
            continue
        you = controller(h, source)
        for i in range(card.lines):
            line = &t.line[card.first + i]
            if line.trigger != ON or not line.events >> event & 1:
                continue
            if (line.by == BY_YOU and by != you) or (line.by == BY_ENEMY and by == controller(h, subject)):
                continue
            look_from(&c, t, h, you, source, h.where[source])
            if matches(&c, line.subject, subject):
                wait_for(h, card.first + i, source)


cdef void react_to_defeats(const Tables* t, Mythos* h) noexcept nogil:
    """Lines of units still in play that react to the defeats of the last step; the sides are those of that moment."""
    cdef uint64_t rest = h.up
    cdef const Character* card
    cdef const Line* line
    cdef int source, i, _k, you, base, n
    while rest:
        source = lowest_bit(rest)
        rest &= rest - 1
        card = &t.character[h.top[source]]
        if not card.events >> DEFEATED & 1:
            continue
        you = controller(h, source)
        for i in range(card.lines):
            line = &t.line[card.first + i]
            if line.trigger == ON and line.events >> DEFEATED & 1:
                base = t.selector[line.subject].base
                n = 0 if base == ENEMY else h.defeated[you]
                n += 0 if base == FRIENDLY or base == OWN else h.defeated[1 - you]
                for _k in range(n):
                    wait_for(h, card.first + i, source)
    h.defeated[0] = 0
    h.defeated[1] = 0
