"""The rules of Hyde in the order of the rulebook: setup, round, turn (move, play, draw, Thing, signal).

The attack is in attack.pyx. Section numbers (5.x) are those of the flow in RULES.md; R.. are its rulings.
"""
from libc.string cimport memcpy, memset

from seatmate.engine.core.rng cimport rng_below, shuffle_u8, shuffle_u16
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3, everyone_but
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport add_bits, bag_add, bag_draw, bit_count, hand_add, hand_remove_at, lowest_bit, nth_bit
from seatmate.engine.hyde.content.vocabulary cimport ALL_OUTER, HAND, NOBODY, OPEN, OUTCASTS, PLACES, SEATS, SIX, TARGETS
from seatmate.engine.hyde.content cimport vocabulary as V
from seatmate.engine.hyde.rules.attack cimport begin_attack, give_kinds, swap_nothing, swap_revealed, take_kinds
from seatmate.engine.hyde.rules.model cimport (
    Book, Hyde, ask, ask_on, find_in_hand, hand_kinds, is_open, kind_of, lay_ring, make_card, play_places,
    seat_in_turn, used_slots,
)
from seatmate.engine.hyde.secrets.knowledge cimport (
    discarded_from_hand, discarded_from_thing, played_from_hand, played_from_thing, put_on_empty_thing, saw_thing,
    swapped_with_thing,
)

cdef enum:
    HAND_LIMIT = 3          # a hand is refilled up to this, unless an ability says otherwise

# ---- 5.2 Setup ----

cdef void init(const void* tables, void* data, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef Hyde* state = <Hyde*> data
    cdef uint8_t order[OUTCASTS]
    cdef int32_t args[6]
    cdef int i
    memset(state, 0, sizeof(Hyde))
    for i in range(5):                          # the ring
        state.ring[i] = <uint8_t> (i + 1)
    shuffle_u8(state.ring, 5, rng)
    lay_ring(state)
    for i in range(5):
        args[i] = state.ring[i]
    emit(sink, V.E_RING, PUBLIC, 5, args)
    for i in range(TARGETS):                    # a target on every outer place
        order[i] = <uint8_t> i
    shuffle_u8(order, TARGETS, rng)
    for i in range(TARGETS):
        state.target_at[i + 1] = order[i]
        args[i] = order[i]
    emit(sink, V.E_TARGETS, PUBLIC, TARGETS, args)
    state.start_seat = t.start_seat if t.start_seat != NOBODY else <uint8_t> rng_below(rng, t.n)
    emit1(sink, V.E_START, PUBLIC, state.start_seat)
    for i in range(SEATS):
        state.outcast[i] = NOBODY
    if t.outcast_mode == 0:                     # R5: drafted in turn order
        ask(state, sink, state.start_seat, V.DRAFT, V.DRAFT)
        return
    for i in range(OUTCASTS):
        order[i] = <uint8_t> i
    if t.outcast_mode == 1:
        shuffle_u8(order, OUTCASTS, rng)
    for i in range(t.n):
        state.outcast[i] = order[i] if t.outcast_mode == 1 else t.outcast_list[i]
        emit2(sink, V.E_PICK, PUBLIC, i, state.outcast[i])
    deal(t, state, rng, sink)


cdef void deal(const Book* t, Hyde* state, Rng* rng, Sink* sink) noexcept nogil:
    """5.2 steps 5-7: the deck, three cards each, Thing's card, the bag; then the first turn."""
    cdef int32_t args[4]
    cdef int i, j, _k, seat, last
    for seat in range(t.n):
        if t.substitute[state.outcast[seat]]:
            state.sixes_left = t.sixes
    memcpy(state.deck, t.deck, t.deck_n)
    state.deck_n = t.deck_n
    for i in range(t.n):
        seat = seat_in_turn(t, state, i)
        for _k in range(HAND_LIMIT):
            hand_add(state.hand[seat], &state.hand_n[seat], bag_draw(state.deck, &state.deck_n, rng))
        emit2(sink, V.E_DEAL, everyone_but(seat), seat, HAND_LIMIT)
        args[0] = seat
        for j in range(HAND_LIMIT):
            args[j + 1] = state.hand[seat][j]
        emit(sink, V.E_DEAL_CARDS, 1 << seat, 4, args)
    last = seat_in_turn(t, state, t.n - 1)          # R9: Thing starts with the seat that plays last
    state.thing_seat = <uint8_t> last
    state.thing_card = bag_draw(state.deck, &state.deck_n, rng)
    state.thing_filled = 1
    state.thing_known = <uint8_t> (1 << last)
    emit2(sink, V.E_THING_TO, PUBLIC, last, last)
    emit2(sink, V.E_THING_SEEN, 1 << last, last, state.thing_card)
    state.attack_no = 1
    state.bag = ALL_OUTER
    begin_turn(t, state, sink)

# ---- 5.3 Round and cycle ----

cdef void begin_turn(const Book* t, Hyde* state, Sink* sink) noexcept nogil:
    ask(state, sink, seat_in_turn(t, state, state.turn_index), V.MOVE, V.MOVE)


cdef void end_turn(const Book* t, Hyde* state, Rng* rng, Sink* sink) noexcept nogil:
    """The next seat of the cycle, or a token; the last token of the round names the attacked place."""
    cdef int place
    state.turn_index += 1
    if state.turn_index == t.n:
        state.turn_index = 0
        state.cycles += 1
        place = nth_bit(state.bag, <int> rng_below(rng, <uint32_t> bit_count(state.bag)))
        state.bag &= ~(1 << place)
        state.shown |= 1 << place
        emit1(sink, V.E_TOKEN, PUBLIC, place)
        if state.bag == 0:
            if not begin_attack(t, state, place, sink):
                return
    begin_turn(t, state, sink)

# ---- 5.4 Turn, step 1: move ----

cdef void move(const Book* t, Hyde* state, int seat, int to, Rng* rng, Sink* sink) noexcept nogil:
    emit3(sink, V.E_MOVE, PUBLIC, seat, state.pawn[seat], to)
    state.pawn[seat] = <uint8_t> to
    begin_play(t, state, seat, rng, sink)

# ---- 5.5 Turn, step 2: play ----

cdef inline bint can_draw(const Hyde* state) noexcept nogil:
    return state.deck_n > 0 or state.discard_n > 0


cdef inline bint thing_playable(const Hyde* state, int seat, int cards_left) noexcept nogil:
    """R33: Thing's card can be played only if Thing can get another one: from a draw or from the hand."""
    return state.thing_seat == seat and state.thing_filled and (can_draw(state) or cards_left > 0)


cdef inline bint six_playable(const Book* t, const Hyde* state, int seat) noexcept nogil:
    """R28: a six is paid with a card of the hand."""
    return t.substitute[state.outcast[seat]] and state.sixes_left > 0 and state.hand_n[seat] > 0


cdef void begin_play(const Book* t, Hyde* state, int seat, Rng* rng, Sink* sink) noexcept nogil:
    cdef int here = state.pawn[seat]
    cdef int places = play_places(t, state, seat, here)
    if places == 0 or (state.hand_n[seat] == 0 and not thing_playable(state, seat, 0)):
        emit1(sink, V.E_NOPLAY, PUBLIC, seat)       # R10-R13
        begin_draw(t, state, seat, rng, sink)
    elif places & ~(1 << here):
        ask(state, sink, seat, V.PLACE, V.PLAY)
    else:
        state.chain_place = <uint8_t> here
        ask(state, sink, seat, V.PLAY, V.PLAY)


cdef inline void end_chain(Hyde* state) noexcept nogil:
    """Forget the scratch of the unfinished chain."""
    state.chain_place = 0
    state.chain_n = 0
    state.chain_thing = 0
    state.chain_six = 0
    memset(state.chain, 0, HAND)


cdef uint32_t more_kinds(const Book* t, const Hyde* state, int seat) noexcept nogil:
    """Kinds of the MULTI number still unchosen in the hand and not below the last chosen one (canonical order)."""
    cdef uint32_t mask = 0
    cdef int i, j, kind, left
    cdef int number = t.multi_number[state.outcast[seat]]
    for i in range(state.hand_n[seat]):
        kind = kind_of(state.hand[seat][i])
        if t.number[kind] != number or kind < state.chain[state.chain_n - 1]:
            continue
        left = 0
        for j in range(state.hand_n[seat]):
            left += kind_of(state.hand[seat][j]) == kind
        for j in range(state.chain_n):
            left -= state.chain[j] == kind
        if left > 0:
            mask |= <uint32_t> 1 << kind
    return mask


cdef inline bint more_thing(const Book* t, const Hyde* state, int seat) noexcept nogil:
    """May Thing's card join a multiple play (R35)?"""
    return (thing_playable(state, seat, state.hand_n[seat] - state.chain_n)
            and t.number[kind_of(state.thing_card)] == t.multi_number[state.outcast[seat]])


cdef void play(const Book* t, Hyde* state, int seat, int answer, Rng* rng, Sink* sink) noexcept nogil:
    """Answer to PLAY: a kind of the hand, THING, SIX, or a swap with Thing first."""
    if answer == V.PLAY_THING:
        state.chain_thing = 1
    elif answer >= V.SWAP_FIRST:
        state.chain_thing = 1
        commit(t, state, seat, answer - V.SWAP_FIRST, rng, sink)
        return
    elif answer == V.PLAY_SIX:
        state.chain_six = 1
        ask_on(state, sink, V.COST)
        return
    else:
        state.chain[0] = <uint8_t> answer
        state.chain_n = 1
        if t.multi_number[state.outcast[seat]] and t.number[answer] == t.multi_number[state.outcast[seat]]:
            ask_more(t, state, seat, rng, sink)
            return
    commit(t, state, seat, -1, rng, sink)


cdef void ask_more(const Book* t, Hyde* state, int seat, Rng* rng, Sink* sink) noexcept nogil:
    if more_kinds(t, state, seat) or more_thing(t, state, seat):
        ask_on(state, sink, V.MORE)
    else:
        commit(t, state, seat, -1, rng, sink)


cdef void more(const Book* t, Hyde* state, int seat, int answer, Rng* rng, Sink* sink) noexcept nogil:
    """Answer to MORE: another 1, THING (the last of the canonical order) or STOP."""
    if answer == V.STOP:
        commit(t, state, seat, -1, rng, sink)
    elif answer == V.PLAY_THING:
        state.chain_thing = 1
        commit(t, state, seat, -1, rng, sink)
    else:
        state.chain[state.chain_n] = <uint8_t> answer
        state.chain_n += 1
        ask_more(t, state, seat, rng, sink)


cdef int new_slot(const Book* t, Hyde* state, int place, int seat, uint16_t card, int source, int known, int shuffle,
                  bint one) noexcept nogil:
    """Put a card face down on a place; the lowest free slot."""
    cdef int slot = lowest_bit(~used_slots(state))
    state.pile[place] |= <uint64_t> 1 << slot
    state.slot_card[slot] = card
    state.slot_shuffle[slot] = <uint16_t> shuffle
    state.slot_by[slot] = <uint8_t> seat
    state.slot_source[slot] = <uint8_t> source
    state.slot_known[slot] = <uint8_t> known
    state.slot_one[slot] = one
    state.slot_turn[slot] = <uint8_t> (t.n * state.cycles + state.turn_index)
    return slot


cdef void show_played(Hyde* state, int place, int slot, Sink* sink) noexcept nogil:
    """PLAYED to the seats that don't know the card, PLAYED_CARD to those that do."""
    cdef int32_t args[6]
    cdef int known = state.slot_known[slot]
    if sink == NULL:
        return
    args[0] = state.slot_by[slot]
    args[1] = place
    args[2] = slot
    args[3] = state.slot_source[slot]
    args[4] = state.slot_one[slot]
    args[5] = state.slot_card[slot]
    if known & ~15:
        known = PUBLIC
    emit(sink, V.E_PLAYED, PUBLIC & ~known, 5, args)
    emit(sink, V.E_PLAYED_CARD, known, 6, args)


cdef void commit(const Book* t, Hyde* state, int seat, int give, Rng* rng, Sink* sink) noexcept nogil:
    """The chain is complete: the cards go to the table (5.5 steps 5 and 6). A six without a payment can't come here.

    `give`: the kind of a hand card that Thing has got for the card it loses (R37); -1: none yet.
    """
    cdef uint16_t cards[HAND]
    cdef int i, at, slot
    cdef int place = state.chain_place
    cdef int n = state.chain_n
    cdef bint one = n + state.chain_thing >= 2      # R36
    for i in range(n):
        at = find_in_hand(state, seat, state.chain[i])
        cards[i] = state.hand[seat][at]
        hand_remove_at(state.hand[seat], &state.hand_n[seat], at)
    if n > 1:
        shuffle_u16(cards, n, rng)              # the order of the slots tells nothing about symbols
    for i in range(n):
        slot = new_slot(t, state, place, seat, cards[i], V.FROM_HAND, 1 << seat, state.shuffles, one)
        played_from_hand(t, state, seat, slot, state.hand_n[seat] + n - 1 - i)
        show_played(state, place, slot, sink)
    if state.chain_thing:
        slot = new_slot(t, state, place, seat, state.thing_card, V.FROM_THING, state.thing_known, state.thing_shuffle, one)
        played_from_thing(t, state, slot)
        empty_thing(state)
        show_played(state, place, slot, sink)
        if give >= 0:
            swap_early(t, state, seat, give, sink)
    end_chain(state)
    begin_draw(t, state, seat, rng, sink)


cdef void pay_six(const Book* t, Hyde* state, int seat, int answer, Rng* rng, Sink* sink) noexcept nogil:
    """Answer to COST: the payment is discarded face up, the six goes to the table and everybody knows it (R28, R29)."""
    cdef int place = state.chain_place
    cdef int slot
    discard(t, state, seat, answer, sink)
    slot = new_slot(t, state, place, seat, SIX, V.FROM_RESERVE, OPEN, state.shuffles, False)
    state.sixes_left -= 1
    show_played(state, place, slot, sink)
    end_chain(state)
    begin_draw(t, state, seat, rng, sink)


cdef void discard(const Book* t, Hyde* state, int seat, int answer, Sink* sink) noexcept nogil:
    """Discard a card of the hand face up (R30), or the one a swap with Thing brings there (R37)."""
    cdef int at
    cdef uint16_t card
    if answer >= V.SWAP_FIRST:
        card = state.thing_card
        discarded_from_thing(t, state)
        empty_thing(state)
        bag_add(state.discard, &state.discard_n, <uint8_t> kind_of(card))
        emit2(sink, V.E_THING_DISCARD, PUBLIC, seat, card)
        swap_early(t, state, seat, answer - V.SWAP_FIRST, sink)
        return
    at = find_in_hand(state, seat, answer)
    card = state.hand[seat][at]
    hand_remove_at(state.hand[seat], &state.hand_n[seat], at)
    bag_add(state.discard, &state.discard_n, <uint8_t> answer)
    discarded_from_hand(t, state, seat, card)
    emit2(sink, V.E_DISCARD, PUBLIC, seat, card)

# ---- 5.6 Turn, step 3: draw ----

cdef void draw_up_to(Hyde* state, int seat, int limit, Rng* rng, Sink* sink) noexcept nogil:
    """Refill the hand; an empty deck is renewed from the discard pile in the middle of it (R31), or the refill stops (R32)."""
    cdef int32_t args[HAND + 1]
    cdef uint16_t card
    cdef int n = 0
    args[0] = seat
    while state.hand_n[seat] < limit and can_draw(state):
        if state.deck_n == 0:
            show_draw(seat, n, args, sink)
            n = 0
            memcpy(state.deck, state.discard, state.discard_n)
            memset(state.discard, 0, state.discard_n)
            state.deck_n = state.discard_n
            state.discard_n = 0
            state.shuffles += 1
            emit1(sink, V.E_RESHUFFLE, PUBLIC, state.deck_n)
        card = make_card(bag_draw(state.deck, &state.deck_n, rng), state.shuffles)
        hand_add(state.hand[seat], &state.hand_n[seat], card)
        n += 1
        args[n] = card
    show_draw(seat, n, args, sink)


cdef inline void show_draw(int seat, int n, const int32_t* args, Sink* sink) noexcept nogil:
    if n and sink != NULL:
        emit2(sink, V.E_DRAW, everyone_but(seat), seat, n)
        emit(sink, V.E_DRAW_CARDS, 1 << seat, n + 1, args)


cdef void begin_draw(const Book* t, Hyde* state, int seat, Rng* rng, Sink* sink) noexcept nogil:
    cdef int limit = t.draw_to[state.outcast[seat]]
    draw_up_to(state, seat, limit if limit else HAND_LIMIT, rng, sink)
    if t.trim[state.outcast[seat]] and state.hand_n[seat] > t.trim[state.outcast[seat]]:
        ask(state, sink, seat, V.YOKO, V.YOKO)          # R34
    else:
        begin_thing(t, state, seat, rng, sink)

# ---- 5.7 Turn, step 4: Thing ----

cdef inline void empty_thing(Hyde* state) noexcept nogil:
    state.thing_filled = 0
    state.thing_card = 0
    state.thing_known = 0
    state.thing_shuffle = 0


cdef inline bint can_swap(const Hyde* state, int seat) noexcept nogil:
    """R37: with Thing in front of the seat, while it holds a card, once a turn."""
    return state.thing_seat == seat and state.thing_filled and not state.thing_swapped


cdef inline uint32_t swap_kinds(const Hyde* state, int seat) noexcept nogil:
    """R39: not against a card of the same kind."""
    return hand_kinds(state, seat) & ~(<uint32_t> 1 << kind_of(state.thing_card))


cdef void swap_early(const Book* t, Hyde* state, int seat, int kind, Sink* sink) noexcept nogil:
    """The other half of a swap whose first one, Thing's old card, has just been played or discarded (R37)."""
    give_card(t, state, seat, kind, sink)
    state.thing_swapped = 1


cdef void begin_thing(const Book* t, Hyde* state, int seat, Rng* rng, Sink* sink) noexcept nogil:
    if state.thing_seat != seat:
        begin_signal(t, state, seat, rng, sink)
    elif state.thing_swapped:                       # R37: once a turn
        state.thing_swapped = 0
        ask(state, sink, seat, V.SEND, V.SEND)
    else:
        if not state.thing_filled:                  # R38: one more draw, then any card of the hand
            draw_up_to(state, seat, state.hand_n[seat] + 1, rng, sink)
        ask(state, sink, seat, V.THING, V.THING)


cdef void give_card(const Book* t, Hyde* state, int seat, int kind, Sink* sink) noexcept nogil:
    """A card of the hand goes to Thing, for its old card if it has one."""
    cdef int32_t args[4]
    cdef int at = find_in_hand(state, seat, kind)
    cdef uint16_t card = state.hand[seat][at]
    cdef uint16_t old = state.thing_card
    cdef int knew = state.thing_known
    cdef int mode = V.SWAP if state.thing_filled else V.REFILL
    hand_remove_at(state.hand[seat], &state.hand_n[seat], at)
    state.thing_card = card
    state.thing_filled = 1
    state.thing_known = <uint8_t> (1 << seat)
    state.thing_shuffle = state.shuffles
    if mode == V.SWAP:
        hand_add(state.hand[seat], &state.hand_n[seat], old)
        swapped_with_thing(t, state, seat, old, knew)
    else:
        put_on_empty_thing(t, state, seat)
    if sink != NULL:
        emit2(sink, V.E_THING_SET, everyone_but(seat), seat, mode)
        args[0] = seat
        args[1] = mode
        args[2] = card
        args[3] = old
        emit(sink, V.E_THING_SET_CARD, 1 << seat, 4, args)


cdef void give_thing(const Book* t, Hyde* state, int seat, int answer, Sink* sink) noexcept nogil:
    """Answer to THING: KEEP, or the kind of a hand card for Thing (refill, or swap against the old card)."""
    if answer == V.KEEP:
        emit1(sink, V.E_THING_KEEP, PUBLIC, seat)
    else:
        give_card(t, state, seat, answer, sink)
    ask(state, sink, seat, V.SEND, V.SEND)


cdef void send_thing(const Book* t, Hyde* state, int seat, int to, Rng* rng, Sink* sink) noexcept nogil:
    """Answer to SEND (R41)."""
    emit2(sink, V.E_THING_TO, PUBLIC, seat, to)
    state.thing_seat = <uint8_t> to
    if not state.thing_known >> to & 1:
        emit2(sink, V.E_THING_SEEN, 1 << to, to, state.thing_card)
        saw_thing(state, to)
        state.thing_known |= <uint8_t> (1 << to)
    begin_signal(t, state, seat, rng, sink)

# ---- 5.8 Turn, step 5: signal ----

cdef void begin_signal(const Book* t, Hyde* state, int seat, Rng* rng, Sink* sink) noexcept nogil:
    if t.signals:
        ask(state, sink, seat, V.SIGNAL, V.SIGNAL)
    else:
        end_turn(t, state, rng, sink)

# ---- The contract ----

cdef uint32_t pending(const void* tables, const void* data) noexcept nogil:
    cdef const Hyde* state = <const Hyde*> data
    return 0 if state.phase == V.OVER else <uint32_t> 1 << state.asked


cdef int prompt(const void* tables, const void* data, int seat) noexcept nogil:
    cdef const Hyde* state = <const Hyde*> data
    return -1 if state.phase == V.OVER or state.asked != seat else state.phase


cdef inline int swaps(const Hyde* state, int seat, action_t* out, int n) noexcept nogil:
    """Append the answers that swap with Thing first (R37)."""
    return add_bits(swap_kinds(state, seat), V.SWAP_FIRST, out, n) if can_swap(state, seat) else n


cdef int legal_actions(const void* tables, const void* data, int seat, action_t* out) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef const Hyde* state = <const Hyde*> data
    cdef int phase = state.phase
    cdef int n = 0
    cdef int i, j, here
    if phase == V.OVER or state.asked != seat:
        return 0
    if phase == V.MOVE:
        here = state.pawn[seat]
        n = add_bits(state.near[here] if t.must_leave[here] else state.near[here] | 1 << here, 0, out, 0)
    elif phase == V.PLAY:
        n = add_bits(hand_kinds(state, seat), 0, out, n)
        if six_playable(t, state, seat):
            out[n] = V.PLAY_SIX
            n += 1
        if thing_playable(state, seat, state.hand_n[seat]):
            out[n] = V.PLAY_THING
            n += 1
        if t.trim[state.outcast[seat]]:
            n = swaps(state, seat, out, n)
    elif phase == V.THING:
        if state.thing_filled:
            n = add_bits(swap_kinds(state, seat), 0, out, n)
            out[n] = V.KEEP
            n += 1
        else:
            n = add_bits(hand_kinds(state, seat), 0, out, n)
    elif phase == V.SEND:
        for i in range(t.n):
            out[i] = i
        n = t.n
    elif phase == V.COST or phase == V.YOKO:
        n = swaps(state, seat, out, add_bits(hand_kinds(state, seat), 0, out, n))
    elif phase == V.PLACE:
        i = play_places(t, state, seat, state.pawn[seat])
        if not i >> state.pawn[seat] & 1:           # R16
            out[n] = V.PLAY_NOTHING
            n += 1
        n = add_bits(<uint32_t> i, 0, out, n)
    elif phase == V.MORE:
        n = add_bits(more_kinds(t, state, seat), 0, out, n)
        if more_thing(t, state, seat):
            out[n] = V.PLAY_THING
            n += 1
        out[n] = V.STOP
        n += 1
    elif phase == V.WED_TAKE:
        n = add_bits(take_kinds(t, state, seat), 0, out, n)
        out[n] = V.PASS
        n += 1
    elif phase == V.WED_GIVE:
        n = add_bits(give_kinds(t, state, seat), 0, out, n)
    elif phase == V.DRAFT:
        for i in range(OUTCASTS):
            for j in range(t.n):
                if state.outcast[j] == i:
                    break
            else:
                out[n] = i
                n += 1
    elif phase == V.SIGNAL:
        out[0] = 0
        n = 1
        for i in range(3):
            for j in range(1, PLACES):
                if is_open(state, j):
                    out[n] = 5 * i + j
                    n += 1
    return n


cdef void advance(const void* tables, void* data, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef Hyde* state = <Hyde*> data
    cdef int phase = state.phase
    if phase == V.MOVE:
        move(t, state, seat, action, rng, sink)
    elif phase == V.PLAY:
        play(t, state, seat, action, rng, sink)
    elif phase == V.THING:
        give_thing(t, state, seat, action, sink)
    elif phase == V.SEND:
        send_thing(t, state, seat, action, rng, sink)
    elif phase == V.YOKO:
        discard(t, state, seat, action, sink)
        begin_thing(t, state, seat, rng, sink)
    elif phase == V.PLACE:
        if action == V.PLAY_NOTHING:
            emit1(sink, V.E_NOPLAY, PUBLIC, seat)
            begin_draw(t, state, seat, rng, sink)
        else:
            state.chain_place = <uint8_t> action
            ask_on(state, sink, V.PLAY)
    elif phase == V.MORE:
        more(t, state, seat, action, rng, sink)
    elif phase == V.COST:
        pay_six(t, state, seat, action, rng, sink)
    elif phase == V.WED_TAKE:
        if action != V.PASS:
            state.take = <uint8_t> (action + 1)
            ask_on(state, sink, V.WED_GIVE)
        elif swap_nothing(t, state, seat, sink):
            begin_turn(t, state, sink)
    elif phase == V.WED_GIVE:
        if swap_revealed(t, state, seat, action, sink):
            begin_turn(t, state, sink)
    elif phase == V.SIGNAL:
        state.signal[seat] = <uint8_t> action
        emit2(sink, V.E_SIGNAL, PUBLIC, seat, action)
        end_turn(t, state, rng, sink)
    elif phase == V.DRAFT:
        state.outcast[seat] = <uint8_t> action
        emit2(sink, V.E_PICK, PUBLIC, seat, action)
        state.turn_index += 1
        if state.turn_index < t.n:
            ask(state, sink, seat_in_turn(t, state, state.turn_index), V.DRAFT, V.DRAFT)
        else:
            state.turn_index = 0
            deal(t, state, rng, sink)
