"""The rules of Hyde in the order of the rulebook: setup, round, turn (move, play, draw, Thing, signal).

The attack is in attack.pyx. Section numbers (5.x) are those of the flow in RULES.md; R.. are its rulings.
"""
from libc.string cimport memcpy, memset

from seatmate.engine.core.rng cimport rng_below, shuffle_u8, shuffle_u16
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3, everyone_but
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport bag_add, bag_draw, bit_count, hand_add, hand_remove_at, lowest_bit, nth_bit
from seatmate.engine.hyde.rules.attack cimport begin_attack, give_kinds, swap_nothing, swap_revealed, take_kinds
from seatmate.engine.hyde.rules.model cimport (
    ALL_OUTER, COST, DEAL, DEAL_CARDS, DISCARDED, DRAFT, DRAW, DRAW_CARDS, FROM_HAND, FROM_RESERVE, FROM_THING, HAND,
    KEEP, MORE, MOVE, MOVED, NOBODY, NOPLAY, OPEN, OUTCASTS, OVER, PASS, PICK, PLACE, PLACES, PLAY, PLAYED, PLAYED_CARD,
    PLAY_NOTHING, PLAY_SIX, PLAY_THING, REFILL, RESHUFFLE, RING, SEATS, SEND, SIGNAL, SIGNALLED, SIX, START, STOP, SWAP,
    SWAP_FIRST, TARGETS, TARGETS_AT, THING, THING_DISCARD, THING_KEEP, THING_SEEN, THING_SET, THING_SET_CARD, THING_TO,
    TOKEN, WED_GIVE, WED_TAKE, YOKO, Hyde, Tables, ask, ask_on, find_in_hand, hand_kinds, is_open, kind_of, lay_ring,
    make_card, play_places, seat_in_turn, used_slots,
)
from seatmate.engine.hyde.secrets.knowledge cimport (
    discarded_from_hand, discarded_from_thing, played_from_hand, played_from_thing, put_on_empty_thing, saw_thing,
    swapped_with_thing,
)

cdef enum:
    HAND_LIMIT = 3          # a hand is refilled up to this, unless an ability says otherwise

# ---- 5.2 Setup ----

cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef Hyde* h = <Hyde*> state
    cdef uint8_t order[OUTCASTS]
    cdef int32_t args[6]
    cdef int i
    memset(h, 0, sizeof(Hyde))
    for i in range(5):                          # the ring
        h.ring[i] = <uint8_t> (i + 1)
    shuffle_u8(h.ring, 5, rng)
    lay_ring(h)
    for i in range(5):
        args[i] = h.ring[i]
    emit(sink, RING, PUBLIC, 5, args)
    for i in range(TARGETS):                    # a target on every outer place
        order[i] = <uint8_t> i
    shuffle_u8(order, TARGETS, rng)
    for i in range(TARGETS):
        h.target_at[i + 1] = order[i]
        args[i] = order[i]
    emit(sink, TARGETS_AT, PUBLIC, TARGETS, args)
    h.start_seat = t.start_seat if t.start_seat != NOBODY else <uint8_t> rng_below(rng, t.n)
    emit1(sink, START, PUBLIC, h.start_seat)
    for i in range(SEATS):
        h.outcast[i] = NOBODY
    if t.outcast_mode == 0:                     # R5: drafted in turn order
        ask(h, sink, h.start_seat, DRAFT, DRAFT)
        return
    for i in range(OUTCASTS):
        order[i] = <uint8_t> i
    if t.outcast_mode == 1:
        shuffle_u8(order, OUTCASTS, rng)
    for i in range(t.n):
        h.outcast[i] = order[i] if t.outcast_mode == 1 else t.outcast_list[i]
        emit2(sink, PICK, PUBLIC, i, h.outcast[i])
    deal(t, h, rng, sink)


cdef void deal(const Tables* t, Hyde* h, Rng* rng, Sink* sink) noexcept nogil:
    """5.2 steps 5-7: the deck, three cards each, Thing's card, the bag; then the first turn."""
    cdef int32_t args[4]
    cdef int i, j, _k, seat, last
    for seat in range(t.n):
        if t.substitute[h.outcast[seat]]:
            h.sixes_left = t.sixes
    memcpy(h.deck, t.deck, t.deck_n)
    h.deck_n = t.deck_n
    for i in range(t.n):
        seat = seat_in_turn(t, h, i)
        for _k in range(HAND_LIMIT):
            hand_add(h.hand[seat], &h.hand_n[seat], bag_draw(h.deck, &h.deck_n, rng))
        emit2(sink, DEAL, everyone_but(seat), seat, HAND_LIMIT)
        args[0] = seat
        for j in range(HAND_LIMIT):
            args[j + 1] = h.hand[seat][j]
        emit(sink, DEAL_CARDS, 1 << seat, 4, args)
    last = seat_in_turn(t, h, t.n - 1)          # R9: Thing starts with the seat that plays last
    h.thing_seat = <uint8_t> last
    h.thing_card = bag_draw(h.deck, &h.deck_n, rng)
    h.thing_filled = 1
    h.thing_known = <uint8_t> (1 << last)
    emit2(sink, THING_TO, PUBLIC, last, last)
    emit2(sink, THING_SEEN, 1 << last, last, h.thing_card)
    h.attack_no = 1
    h.bag = ALL_OUTER
    begin_turn(t, h, sink)

# ---- 5.3 Round and cycle ----

cdef void begin_turn(const Tables* t, Hyde* h, Sink* sink) noexcept nogil:
    ask(h, sink, seat_in_turn(t, h, h.turn_index), MOVE, MOVE)


cdef void end_turn(const Tables* t, Hyde* h, Rng* rng, Sink* sink) noexcept nogil:
    """The next seat of the cycle, or a token; the last token of the round names the attacked place."""
    cdef int place
    h.turn_index += 1
    if h.turn_index == t.n:
        h.turn_index = 0
        h.cycles += 1
        place = nth_bit(h.bag, <int> rng_below(rng, <uint32_t> bit_count(h.bag)))
        h.bag &= ~(1 << place)
        h.shown |= 1 << place
        emit1(sink, TOKEN, PUBLIC, place)
        if h.bag == 0:
            if not begin_attack(t, h, place, sink):
                return
    begin_turn(t, h, sink)

# ---- 5.4 Turn, step 1: move ----

cdef void move(const Tables* t, Hyde* h, int seat, int to, Rng* rng, Sink* sink) noexcept nogil:
    emit3(sink, MOVED, PUBLIC, seat, h.pawn[seat], to)
    h.pawn[seat] = <uint8_t> to
    begin_play(t, h, seat, rng, sink)

# ---- 5.5 Turn, step 2: play ----

cdef inline bint can_draw(const Hyde* h) noexcept nogil:
    return h.deck_n > 0 or h.discard_n > 0


cdef inline bint thing_playable(const Hyde* h, int seat, int cards_left) noexcept nogil:
    """R33: Thing's card can be played only if Thing can get another one: from a draw or from the hand."""
    return h.thing_seat == seat and h.thing_filled and (can_draw(h) or cards_left > 0)


cdef inline bint six_playable(const Tables* t, const Hyde* h, int seat) noexcept nogil:
    """R28: a six is paid with a card of the hand."""
    return t.substitute[h.outcast[seat]] and h.sixes_left > 0 and h.hand_n[seat] > 0


cdef void begin_play(const Tables* t, Hyde* h, int seat, Rng* rng, Sink* sink) noexcept nogil:
    cdef int here = h.pawn[seat]
    cdef int places = play_places(t, h, seat, here)
    if places == 0 or (h.hand_n[seat] == 0 and not thing_playable(h, seat, 0)):
        emit1(sink, NOPLAY, PUBLIC, seat)       # R10-R13
        begin_draw(t, h, seat, rng, sink)
    elif places & ~(1 << here):
        ask(h, sink, seat, PLACE, PLAY)
    else:
        h.chain_place = <uint8_t> here
        ask(h, sink, seat, PLAY, PLAY)


cdef inline void end_chain(Hyde* h) noexcept nogil:
    """Forget the scratch of the unfinished chain."""
    h.chain_place = 0
    h.chain_n = 0
    h.chain_thing = 0
    h.chain_six = 0
    memset(h.chain, 0, HAND)


cdef uint32_t more_kinds(const Tables* t, const Hyde* h, int seat) noexcept nogil:
    """Kinds of the MULTI number still unchosen in the hand and not below the last chosen one (canonical order)."""
    cdef uint32_t mask = 0
    cdef int i, j, kind, left
    cdef int number = t.multi_number[h.outcast[seat]]
    for i in range(h.hand_n[seat]):
        kind = kind_of(h.hand[seat][i])
        if t.number[kind] != number or kind < h.chain[h.chain_n - 1]:
            continue
        left = 0
        for j in range(h.hand_n[seat]):
            left += kind_of(h.hand[seat][j]) == kind
        for j in range(h.chain_n):
            left -= h.chain[j] == kind
        if left > 0:
            mask |= <uint32_t> 1 << kind
    return mask


cdef inline bint more_thing(const Tables* t, const Hyde* h, int seat) noexcept nogil:
    """May Thing's card join a multiple play (R35)?"""
    return (thing_playable(h, seat, h.hand_n[seat] - h.chain_n)
            and t.number[kind_of(h.thing_card)] == t.multi_number[h.outcast[seat]])


cdef void play(const Tables* t, Hyde* h, int seat, int answer, Rng* rng, Sink* sink) noexcept nogil:
    """Answer to PLAY: a kind of the hand, THING, SIX, or a swap with Thing first."""
    if answer == PLAY_THING:
        h.chain_thing = 1
    elif answer >= SWAP_FIRST:
        h.chain_thing = 1
        commit(t, h, seat, answer - SWAP_FIRST, rng, sink)
        return
    elif answer == PLAY_SIX:
        h.chain_six = 1
        ask_on(h, sink, COST)
        return
    else:
        h.chain[0] = <uint8_t> answer
        h.chain_n = 1
        if t.multi_number[h.outcast[seat]] and t.number[answer] == t.multi_number[h.outcast[seat]]:
            ask_more(t, h, seat, rng, sink)
            return
    commit(t, h, seat, -1, rng, sink)


cdef void ask_more(const Tables* t, Hyde* h, int seat, Rng* rng, Sink* sink) noexcept nogil:
    if more_kinds(t, h, seat) or more_thing(t, h, seat):
        ask_on(h, sink, MORE)
    else:
        commit(t, h, seat, -1, rng, sink)


cdef void more(const Tables* t, Hyde* h, int seat, int answer, Rng* rng, Sink* sink) noexcept nogil:
    """Answer to MORE: another 1, THING (the last of the canonical order) or STOP."""
    if answer == STOP:
        commit(t, h, seat, -1, rng, sink)
    elif answer == PLAY_THING:
        h.chain_thing = 1
        commit(t, h, seat, -1, rng, sink)
    else:
        h.chain[h.chain_n] = <uint8_t> answer
        h.chain_n += 1
        ask_more(t, h, seat, rng, sink)


cdef int new_slot(const Tables* t, Hyde* h, int place, int seat, uint16_t card, int source, int known, int shuffle,
                  bint one) noexcept nogil:
    """Put a card face down on a place; the lowest free slot."""
    cdef int slot = lowest_bit(~used_slots(h))
    h.pile[place] |= <uint64_t> 1 << slot
    h.slot_card[slot] = card
    h.slot_shuffle[slot] = <uint16_t> shuffle
    h.slot_by[slot] = <uint8_t> seat
    h.slot_source[slot] = <uint8_t> source
    h.slot_known[slot] = <uint8_t> known
    h.slot_one[slot] = one
    h.slot_turn[slot] = <uint8_t> (t.n * h.cycles + h.turn_index)
    return slot


cdef void show_played(Hyde* h, int place, int slot, Sink* sink) noexcept nogil:
    """PLAYED to the seats that don't know the card, PLAYED_CARD to those that do."""
    cdef int32_t args[6]
    cdef int known = h.slot_known[slot]
    if sink == NULL:
        return
    args[0] = h.slot_by[slot]
    args[1] = place
    args[2] = slot
    args[3] = h.slot_source[slot]
    args[4] = h.slot_one[slot]
    args[5] = h.slot_card[slot]
    if known & ~15:
        known = PUBLIC
    emit(sink, PLAYED, PUBLIC & ~known, 5, args)
    emit(sink, PLAYED_CARD, known, 6, args)


cdef void commit(const Tables* t, Hyde* h, int seat, int give, Rng* rng, Sink* sink) noexcept nogil:
    """The chain is complete: the cards go to the table (5.5 steps 5 and 6). A six without a payment can't come here.

    `give`: the kind of a hand card that Thing has got for the card it loses (R37); -1: none yet.
    """
    cdef uint16_t cards[HAND]
    cdef int i, at, slot
    cdef int place = h.chain_place
    cdef int n = h.chain_n
    cdef bint one = n + h.chain_thing >= 2      # R36
    for i in range(n):
        at = find_in_hand(h, seat, h.chain[i])
        cards[i] = h.hand[seat][at]
        hand_remove_at(h.hand[seat], &h.hand_n[seat], at)
    if n > 1:
        shuffle_u16(cards, n, rng)              # the order of the slots tells nothing about symbols
    for i in range(n):
        slot = new_slot(t, h, place, seat, cards[i], FROM_HAND, 1 << seat, h.shuffles, one)
        played_from_hand(t, h, seat, slot, h.hand_n[seat] + n - 1 - i)
        show_played(h, place, slot, sink)
    if h.chain_thing:
        slot = new_slot(t, h, place, seat, h.thing_card, FROM_THING, h.thing_known, h.thing_shuffle, one)
        played_from_thing(t, h, slot)
        empty_thing(h)
        show_played(h, place, slot, sink)
        if give >= 0:
            swap_early(t, h, seat, give, sink)
    end_chain(h)
    begin_draw(t, h, seat, rng, sink)


cdef void pay_six(const Tables* t, Hyde* h, int seat, int answer, Rng* rng, Sink* sink) noexcept nogil:
    """Answer to COST: the payment is discarded face up, the six goes to the table and everybody knows it (R28, R29)."""
    cdef int place = h.chain_place
    cdef int slot
    discard(t, h, seat, answer, sink)
    slot = new_slot(t, h, place, seat, SIX, FROM_RESERVE, OPEN, h.shuffles, False)
    h.sixes_left -= 1
    show_played(h, place, slot, sink)
    end_chain(h)
    begin_draw(t, h, seat, rng, sink)


cdef void discard(const Tables* t, Hyde* h, int seat, int answer, Sink* sink) noexcept nogil:
    """Discard a card of the hand face up (R30), or the one a swap with Thing brings there (R37)."""
    cdef int at
    cdef uint16_t card
    if answer >= SWAP_FIRST:
        card = h.thing_card
        discarded_from_thing(t, h)
        empty_thing(h)
        bag_add(h.discard, &h.discard_n, <uint8_t> kind_of(card))
        emit2(sink, THING_DISCARD, PUBLIC, seat, card)
        swap_early(t, h, seat, answer - SWAP_FIRST, sink)
        return
    at = find_in_hand(h, seat, answer)
    card = h.hand[seat][at]
    hand_remove_at(h.hand[seat], &h.hand_n[seat], at)
    bag_add(h.discard, &h.discard_n, <uint8_t> answer)
    discarded_from_hand(t, h, seat, card)
    emit2(sink, DISCARDED, PUBLIC, seat, card)

# ---- 5.6 Turn, step 3: draw ----

cdef void draw_up_to(Hyde* h, int seat, int limit, Rng* rng, Sink* sink) noexcept nogil:
    """Refill the hand; an empty deck is renewed from the discard pile in the middle of it (R31), or the refill stops (R32)."""
    cdef int32_t args[HAND + 1]
    cdef uint16_t card
    cdef int n = 0
    args[0] = seat
    while h.hand_n[seat] < limit and can_draw(h):
        if h.deck_n == 0:
            show_draw(seat, n, args, sink)
            n = 0
            memcpy(h.deck, h.discard, h.discard_n)
            memset(h.discard, 0, h.discard_n)
            h.deck_n = h.discard_n
            h.discard_n = 0
            h.shuffles += 1
            emit1(sink, RESHUFFLE, PUBLIC, h.deck_n)
        card = make_card(bag_draw(h.deck, &h.deck_n, rng), h.shuffles)
        hand_add(h.hand[seat], &h.hand_n[seat], card)
        n += 1
        args[n] = card
    show_draw(seat, n, args, sink)


cdef inline void show_draw(int seat, int n, const int32_t* args, Sink* sink) noexcept nogil:
    if n and sink != NULL:
        emit2(sink, DRAW, everyone_but(seat), seat, n)
        emit(sink, DRAW_CARDS, 1 << seat, n + 1, args)


cdef void begin_draw(const Tables* t, Hyde* h, int seat, Rng* rng, Sink* sink) noexcept nogil:
    cdef int limit = t.draw_to[h.outcast[seat]]
    draw_up_to(h, seat, limit if limit else HAND_LIMIT, rng, sink)
    if t.trim[h.outcast[seat]] and h.hand_n[seat] > t.trim[h.outcast[seat]]:
        ask(h, sink, seat, YOKO, YOKO)          # R34
    else:
        begin_thing(t, h, seat, rng, sink)

# ---- 5.7 Turn, step 4: Thing ----

cdef inline void empty_thing(Hyde* h) noexcept nogil:
    h.thing_filled = 0
    h.thing_card = 0
    h.thing_known = 0
    h.thing_shuffle = 0


cdef inline bint can_swap(const Hyde* h, int seat) noexcept nogil:
    """R37: with Thing in front of the seat, while it holds a card, once a turn."""
    return h.thing_seat == seat and h.thing_filled and not h.thing_swapped


cdef inline uint32_t swap_kinds(const Hyde* h, int seat) noexcept nogil:
    """R39: not against a card of the same kind."""
    return hand_kinds(h, seat) & ~(<uint32_t> 1 << kind_of(h.thing_card))


cdef void swap_early(const Tables* t, Hyde* h, int seat, int kind, Sink* sink) noexcept nogil:
    """The other half of a swap whose first one, Thing's old card, has just been played or discarded (R37)."""
    give_card(t, h, seat, kind, sink)
    h.thing_swapped = 1


cdef void begin_thing(const Tables* t, Hyde* h, int seat, Rng* rng, Sink* sink) noexcept nogil:
    if h.thing_seat != seat:
        begin_signal(t, h, seat, rng, sink)
    elif h.thing_swapped:                       # R37: once a turn
        h.thing_swapped = 0
        ask(h, sink, seat, SEND, SEND)
    else:
        if not h.thing_filled:                  # R38: one more draw, then any card of the hand
            draw_up_to(h, seat, h.hand_n[seat] + 1, rng, sink)
        ask(h, sink, seat, THING, THING)


cdef void give_card(const Tables* t, Hyde* h, int seat, int kind, Sink* sink) noexcept nogil:
    """A card of the hand goes to Thing, for its old card if it has one."""
    cdef int32_t args[4]
    cdef int at = find_in_hand(h, seat, kind)
    cdef uint16_t card = h.hand[seat][at]
    cdef uint16_t old = h.thing_card
    cdef int knew = h.thing_known
    cdef int mode = SWAP if h.thing_filled else REFILL
    hand_remove_at(h.hand[seat], &h.hand_n[seat], at)
    h.thing_card = card
    h.thing_filled = 1
    h.thing_known = <uint8_t> (1 << seat)
    h.thing_shuffle = h.shuffles
    if mode == SWAP:
        hand_add(h.hand[seat], &h.hand_n[seat], old)
        swapped_with_thing(t, h, seat, old, knew)
    else:
        put_on_empty_thing(t, h, seat)
    if sink != NULL:
        emit2(sink, THING_SET, everyone_but(seat), seat, mode)
        args[0] = seat
        args[1] = mode
        args[2] = card
        args[3] = old
        emit(sink, THING_SET_CARD, 1 << seat, 4, args)


cdef void give_thing(const Tables* t, Hyde* h, int seat, int answer, Sink* sink) noexcept nogil:
    """Answer to THING: KEEP, or the kind of a hand card for Thing (refill, or swap against the old card)."""
    if answer == KEEP:
        emit1(sink, THING_KEEP, PUBLIC, seat)
    else:
        give_card(t, h, seat, answer, sink)
    ask(h, sink, seat, SEND, SEND)


cdef void send_thing(const Tables* t, Hyde* h, int seat, int to, Rng* rng, Sink* sink) noexcept nogil:
    """Answer to SEND (R41)."""
    emit2(sink, THING_TO, PUBLIC, seat, to)
    h.thing_seat = <uint8_t> to
    if not h.thing_known >> to & 1:
        emit2(sink, THING_SEEN, 1 << to, to, h.thing_card)
        saw_thing(h, to)
        h.thing_known |= <uint8_t> (1 << to)
    begin_signal(t, h, seat, rng, sink)

# ---- 5.8 Turn, step 5: signal ----

cdef void begin_signal(const Tables* t, Hyde* h, int seat, Rng* rng, Sink* sink) noexcept nogil:
    if t.signals:
        ask(h, sink, seat, SIGNAL, SIGNAL)
    else:
        end_turn(t, h, rng, sink)

# ---- The contract ----

cdef uint32_t pending(const void* tables, const void* state) noexcept nogil:
    cdef const Hyde* h = <const Hyde*> state
    return 0 if h.phase == OVER else <uint32_t> 1 << h.asked


cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil:
    cdef const Hyde* h = <const Hyde*> state
    return -1 if h.phase == OVER or h.asked != seat else h.phase


cdef inline int bits(uint32_t mask, action_t* out, int n) noexcept nogil:
    """Append the set bits of a mask, ascending."""
    while mask:
        out[n] = lowest_bit(mask)
        mask &= mask - 1
        n += 1
    return n


cdef inline int swaps(const Hyde* h, int seat, action_t* out, int n) noexcept nogil:
    """Append the answers that swap with Thing first (R37)."""
    cdef uint32_t mask
    if can_swap(h, seat):
        mask = swap_kinds(h, seat)
        while mask:
            out[n] = SWAP_FIRST + lowest_bit(mask)
            mask &= mask - 1
            n += 1
    return n


cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef const Hyde* h = <const Hyde*> state
    cdef int phase = h.phase
    cdef int n = 0
    cdef int i, j, here
    if phase == OVER or h.asked != seat:
        return 0
    if phase == MOVE:
        here = h.pawn[seat]
        n = bits(h.near[here] if t.must_leave[here] else h.near[here] | 1 << here, out, 0)
    elif phase == PLAY:
        n = bits(hand_kinds(h, seat), out, n)
        if six_playable(t, h, seat):
            out[n] = PLAY_SIX
            n += 1
        if thing_playable(h, seat, h.hand_n[seat]):
            out[n] = PLAY_THING
            n += 1
        if t.trim[h.outcast[seat]]:
            n = swaps(h, seat, out, n)
    elif phase == THING:
        if h.thing_filled:
            n = bits(swap_kinds(h, seat), out, n)
            out[n] = KEEP
            n += 1
        else:
            n = bits(hand_kinds(h, seat), out, n)
    elif phase == SEND:
        for i in range(t.n):
            out[i] = i
        n = t.n
    elif phase == COST or phase == YOKO:
        n = swaps(h, seat, out, bits(hand_kinds(h, seat), out, n))
    elif phase == PLACE:
        i = play_places(t, h, seat, h.pawn[seat])
        if not i >> h.pawn[seat] & 1:           # R16
            out[n] = PLAY_NOTHING
            n += 1
        n = bits(<uint32_t> i, out, n)
    elif phase == MORE:
        n = bits(more_kinds(t, h, seat), out, n)
        if more_thing(t, h, seat):
            out[n] = PLAY_THING
            n += 1
        out[n] = STOP
        n += 1
    elif phase == WED_TAKE:
        n = bits(take_kinds(t, h, seat), out, n)
        out[n] = PASS
        n += 1
    elif phase == WED_GIVE:
        n = bits(give_kinds(t, h, seat), out, n)
    elif phase == DRAFT:
        for i in range(OUTCASTS):
            for j in range(t.n):
                if h.outcast[j] == i:
                    break
            else:
                out[n] = i
                n += 1
    elif phase == SIGNAL:
        out[0] = 0
        n = 1
        for i in range(3):
            for j in range(1, PLACES):
                if is_open(h, j):
                    out[n] = 5 * i + j
                    n += 1
    return n


cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef Hyde* h = <Hyde*> state
    cdef int phase = h.phase
    if phase == MOVE:
        move(t, h, seat, action, rng, sink)
    elif phase == PLAY:
        play(t, h, seat, action, rng, sink)
    elif phase == THING:
        give_thing(t, h, seat, action, sink)
    elif phase == SEND:
        send_thing(t, h, seat, action, rng, sink)
    elif phase == YOKO:
        discard(t, h, seat, action, sink)
        begin_thing(t, h, seat, rng, sink)
    elif phase == PLACE:
        if action == PLAY_NOTHING:
            emit1(sink, NOPLAY, PUBLIC, seat)
            begin_draw(t, h, seat, rng, sink)
        else:
            h.chain_place = <uint8_t> action
            ask_on(h, sink, PLAY)
    elif phase == MORE:
        more(t, h, seat, action, rng, sink)
    elif phase == COST:
        pay_six(t, h, seat, action, rng, sink)
    elif phase == WED_TAKE:
        if action != PASS:
            h.take = <uint8_t> (action + 1)
            ask_on(h, sink, WED_GIVE)
        elif swap_nothing(t, h, seat, sink):
            begin_turn(t, h, sink)
    elif phase == WED_GIVE:
        if swap_revealed(t, h, seat, action, sink):
            begin_turn(t, h, sink)
    elif phase == SIGNAL:
        h.signal[seat] = <uint8_t> action
        emit2(sink, SIGNALLED, PUBLIC, seat, action)
        end_turn(t, h, rng, sink)
    elif phase == DRAFT:
        h.outcast[seat] = <uint8_t> action
        emit2(sink, PICK, PUBLIC, seat, action)
        h.turn_index += 1
        if h.turn_index < t.n:
            ask(h, sink, seat_in_turn(t, h, h.turn_index), DRAFT, DRAFT)
        else:
            h.turn_index = 0
            deal(t, h, rng, sink)
