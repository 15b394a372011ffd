"""What a seat knows of hidden cards (section 7), and sampling a world it can't tell from the true one.

A *track* is a card that an observer saw and then lost from sight: the card and its candidate containers (hands, Thing,
slots). Copies of a card are interchangeable, so a track means "at least one more copy of this card is in one of these".
"""
from libc.string cimport memset

from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.sink cimport mix
from seatmate.engine.core.types cimport int8_t, uint8_t, uint32_t
from seatmate.engine.core.zones cimport bit_count, deal_matching, deal_once, lowest_bit, nth_bit, sort_short
from seatmate.engine.hyde.content.vocabulary cimport HAND, PLACES, TRACKS
from seatmate.engine.hyde.content cimport vocabulary as V
from seatmate.engine.hyde.rules.model cimport Tracks, kind_of, make_card, play_places, shuffle_of, used_slots

# ---- Tracks ---- (K1..K9 of the spec)

cdef inline void drop(Tracks* k, int e) noexcept nogil:
    """Delete entry e; the others keep their order of age."""
    cdef int i
    k.n -= 1
    for i in range(e, k.n):
        k.card[i] = k.card[i + 1]
        k.hold[i] = k.hold[i + 1]
        k.slots[i] = k.slots[i + 1]
    k.card[k.n] = 0
    k.hold[k.n] = 0
    k.slots[k.n] = 0


cdef inline void add(Tracks* k, uint16_t card, int hold) noexcept nogil:
    """A new entry; K9: when the list is full the oldest is forgotten."""
    if k.n == TRACKS:
        drop(k, 0)
    k.card[k.n] = card
    k.hold[k.n] = <uint8_t> hold
    k.slots[k.n] = 0
    k.n += 1


cdef inline void seen(Tracks* k, uint16_t card, int hold, uint64_t slots) noexcept nogil:
    """A copy of `card` came to light in the container given by `hold` or `slots`: one entry it satisfies is deleted.

    Where several entries of the card have this container, any of them may be the one: the rest get the
    union of their candidates, which loses nothing true.
    """
    cdef int e = 0
    cdef int first = -1
    while e < k.n:
        if k.card[e] == card and (k.hold[e] & hold or k.slots[e] & slots):
            if first < 0:
                first = e
            else:
                k.hold[e] |= k.hold[first]
                k.slots[e] |= k.slots[first]
        e += 1
    if first >= 0:
        drop(k, first)


cdef inline void lose(Tracks* k, int hold, uint64_t slots) noexcept nogil:
    """A container is empty or fully seen: it is nobody's candidate any more."""
    cdef int e = 0
    while e < k.n:
        k.hold[e] &= ~hold
        k.slots[e] &= ~slots
        if k.hold[e] == 0 and k.slots[e] == 0:
            drop(k, e)
        else:
            e += 1


cdef void played_from_hand(const Book* t, Hyde* state, int seat, int slot, int left) noexcept nogil:
    """K3: a card went face down from a hand to a slot; `left` cards are still in the hand or on their way to the table."""
    cdef int s, e
    cdef Tracks* k
    cdef uint64_t bit = <uint64_t> 1 << slot
    cdef int hand = 1 << seat
    for s in range(t.n):
        k = &state.track[s]
        if s == seat or k.n == 0:
            continue
        if state.slot_one[slot]:
            for e in range(k.n):
                if k.hold[e] & hand and t.number[kind_of(k.card[e])] == 1:
                    k.slots[e] |= bit
        else:
            for e in range(k.n):        # without branches: random games track many cards
                k.slots[e] |= <uint64_t> (k.hold[e] >> seat & 1) << slot
        if left == 0:
            lose(k, hand, 0)


cdef void played_from_thing(const Book* t, Hyde* state, int slot) noexcept nogil:
    """K4: Thing's card went face down to a slot."""
    cdef int s, e
    cdef Tracks* k
    cdef uint64_t bit = <uint64_t> 1 << slot
    for s in range(t.n):
        k = &state.track[s]
        if k.n == 0 or state.thing_known >> s & 1:
            continue
        for e in range(k.n):
            if k.hold[e] & (1 << V.HOLD_THING) and (not state.slot_one[slot] or t.number[kind_of(k.card[e])] == 1):
                k.slots[e] |= bit
        lose(k, 1 << V.HOLD_THING, 0)


cdef void swapped_with_thing(const Book* t, Hyde* state, int seat, uint16_t taken, int knew) noexcept nogil:
    """K1: the seat took Thing's card `taken` into the hand and put another one there; `knew`: who knew the old card."""
    cdef int s, e, before
    cdef Tracks* k
    cdef int hand = 1 << seat
    cdef int thing = 1 << V.HOLD_THING
    for s in range(t.n):
        if s == seat:
            continue
        k = &state.track[s]
        for e in range(k.n):
            before = k.hold[e]          # hand and Thing trade places; what was in the hand may be in either
            k.hold[e] = <uint8_t> (before & ~thing | (before >> V.HOLD_THING & 1) << seat | (before >> seat & 1) << V.HOLD_THING)
        if knew >> s & 1:
            add(k, taken, hand)


cdef void put_on_empty_thing(const Book* t, Hyde* state, int seat) noexcept nogil:
    """K2: after its card was played the seat put a card of the hand on Thing (state.hand_n is already the new count)."""
    cdef int s, e
    cdef Tracks* k
    cdef int hand = 1 << seat
    for s in range(t.n):
        k = &state.track[s]
        if s == seat or k.n == 0:
            continue
        for e in range(k.n):
            k.hold[e] |= <uint8_t> ((k.hold[e] >> seat & 1) << V.HOLD_THING)
        if state.hand_n[seat] == 0:
            lose(k, hand, 0)


cdef void saw_thing(Hyde* state, int seat) noexcept nogil:
    """K5: Thing came to the seat, which sees its card for the first time."""
    cdef Tracks* k = &state.track[seat]
    if k.n:
        seen(k, state.thing_card, 1 << V.HOLD_THING, 0)
        lose(k, 1 << V.HOLD_THING, 0)


cdef void revealed_pile(const Book* t, Hyde* state, int place) noexcept nogil:
    """K6: all cards of a place are turned up."""
    cdef int s, e, slot
    cdef uint64_t mask
    cdef Tracks* k
    for s in range(t.n):
        k = &state.track[s]
        mask = 0
        for e in range(k.n):
            mask |= k.slots[e]
        mask &= state.pile[place]
        if mask:
            while mask:
                slot = lowest_bit(mask)
                mask &= mask - 1
                seen(k, state.slot_card[slot], 0, <uint64_t> 1 << slot)
            lose(k, 0, state.pile[place])


cdef void discarded_from_thing(const Book* t, Hyde* state) noexcept nogil:
    """K6: Thing's card is discarded face up."""
    cdef int s
    for s in range(t.n):
        if state.track[s].n:
            seen(&state.track[s], state.thing_card, 1 << V.HOLD_THING, 0)
            lose(&state.track[s], 1 << V.HOLD_THING, 0)


cdef void discarded_from_hand(const Book* t, Hyde* state, int seat, uint16_t card) noexcept nogil:
    """K6: a card of a hand is discarded face up (state.hand_n is already the new count)."""
    cdef int s
    for s in range(t.n):
        if s != seat and state.track[s].n:
            seen(&state.track[s], card, 1 << seat, 0)
            if state.hand_n[seat] == 0:
                lose(&state.track[s], 1 << seat, 0)


cdef void swapped_by_reveal(const Book* t, Hyde* state, int seat, uint16_t taken, uint16_t given) noexcept nogil:
    """K7: the seat took a revealed card into the hand and gave one of the hand for it."""
    cdef int s
    for s in range(t.n):
        if s != seat:
            seen(&state.track[s], given, 1 << seat, 0)
            add(&state.track[s], taken, 1 << seat)

# ---- Private information ----

cdef uint64_t private_key(const void* tables, const void* data, int seat) noexcept nogil:
    """Hash of the own hand, Thing's card if known, the known face-down cards and the own unfinished chain."""
    cdef const Hyde* state = <const Hyde*> data
    cdef uint64_t key = 1
    cdef uint64_t slots
    cdef int i
    for i in range(state.hand_n[seat]):
        key = mix(key, state.hand[seat][i] + 1)
    if state.thing_filled and state.thing_known >> seat & 1:
        key = mix(key, 0x10000 | state.thing_card)
    slots = used_slots(state)
    while slots:
        i = lowest_bit(slots)
        slots &= slots - 1
        if state.slot_known[i] >> seat & 1:
            key = mix(key, 0x20000 | state.slot_card[i])
    if state.asked == seat:
        key = mix(key, 0x30000 | state.phase | state.chain_place << 4 | state.take << 8)
        for i in range(state.chain_n):
            key = mix(key, state.chain[i] + 1)
        key = mix(key, state.chain_six | state.chain_thing << 1)
    return key

# ---- Resampling ---- (section 7.4)

cdef enum:
    POOL = 64
    RESTARTS = 16

cdef struct Positions:
    # The places whose cards the seat can't see, in the order they are dealt to.
    uint16_t* where[POOL]
    uint64_t container_slots[POOL]  # the slot as a bit, or 0
    uint8_t container_hold[POOL]    # the hand or Thing as a bit of Tracks.hold, or 0
    uint16_t newest[POOL]           # no card of a later shuffle can be here
    uint8_t one[POOL]               # the card is known to be a 1
    int n


cdef inline void position(Positions* p, uint16_t* where, uint64_t slots, int hold, int newest, bint one) noexcept nogil:
    p.where[p.n] = where
    p.container_slots[p.n] = slots
    p.container_hold[p.n] = <uint8_t> hold
    p.newest[p.n] = <uint16_t> newest
    p.one[p.n] = one
    p.n += 1


cdef void rewind_chain(const Book* t, Hyde* state, int seat) noexcept nogil:
    """Another seat's unfinished chain goes back to the first prompt of its public class: `seat` can't see how far it is."""
    cdef int here, places
    if state.asked == seat:
        return
    if state.phase == V.WED_GIVE:
        state.phase = V.WED_TAKE
        state.take = 0
    elif state.phase == V.PLACE or state.phase == V.PLAY or state.phase == V.MORE or state.phase == V.COST:
        state.chain_n = 0
        state.chain_thing = 0
        state.chain_six = 0
        memset(state.chain, 0, HAND)
        here = state.pawn[state.asked]
        places = play_places(t, state, state.asked, here)
        if places & ~(1 << here):
            state.phase = V.PLACE
            state.chain_place = 0
        else:
            state.phase = V.PLAY
            state.chain_place = <uint8_t> here


cdef void find_positions(const Book* t, Hyde* state, int seat, Positions* p) noexcept nogil:
    """Known 1s, then slots and Thing by the shuffle they were filled after, then the hands of the other seats."""
    cdef uint64_t hidden = 0
    cdef uint64_t slots = used_slots(state)
    cdef uint64_t bit, group
    cdef int i, s, age, next_age
    p.n = 0
    while slots:
        bit = slots & (0 - slots)
        slots ^= bit
        i = lowest_bit(bit)
        if not state.slot_known[i] >> seat & 1:
            hidden |= bit
    group = hidden
    while group:
        i = lowest_bit(group)
        group &= group - 1
        if state.slot_one[i]:
            position(p, &state.slot_card[i], <uint64_t> 1 << i, 0, state.slot_shuffle[i], True)
            hidden &= ~(<uint64_t> 1 << i)
    age = 0
    while age <= state.shuffles:
        next_age = state.shuffles + 1
        group = hidden
        while group:
            i = lowest_bit(group)
            group &= group - 1
            if state.slot_shuffle[i] == age:
                position(p, &state.slot_card[i], <uint64_t> 1 << i, 0, age, False)
                hidden &= ~(<uint64_t> 1 << i)
            elif state.slot_shuffle[i] < next_age:
                next_age = state.slot_shuffle[i]
        if state.thing_filled and not state.thing_known >> seat & 1:
            if state.thing_shuffle == age:
                position(p, &state.thing_card, 0, 1 << V.HOLD_THING, age, False)
            elif age < state.thing_shuffle < next_age:
                next_age = state.thing_shuffle
        age = next_age
    for s in range(t.n):
        if s != seat:
            for i in range(state.hand_n[s]):
                position(p, &state.hand[s][i], 0, 1 << s, state.shuffles, False)


cdef void resample(const void* tables, void* data, int seat, Rng* rng) noexcept nogil:
    """Deal all cards hidden from the seat anew, consistent with all it knows: a function of its view and rng only."""
    cdef const Book* t = <const Book*> tables
    cdef Hyde* state = <Hyde*> data
    cdef Positions p
    cdef uint16_t pool[POOL]
    cdef uint16_t card
    cdef int i, j, n, s
    cdef bint constrained
    if state.phase == V.DRAFT:
        return      # nothing is dealt yet
    rewind_chain(t, state, seat)
    find_positions(t, state, seat, &p)
    n = p.n
    for i in range(n):
        pool[i] = p.where[i][0]
    for i in range(state.deck_n):
        pool[n] = make_card(state.deck[i], state.shuffles)
        n += 1
    sort_pool(pool, n)
    constrained = state.shuffles > 0 or state.track[seat].n > 0 or (p.n > 0 and p.one[0])
    if constrained:
        deal_constrained(t, state, seat, &p, pool, n, rng)
    else:
        for i in range(p.n):
            j = i + <int> rng_below(rng, <uint32_t> (n - i))
            card = pool[j]
            pool[j] = pool[i]
            pool[i] = card
            p.where[i][0] = card
        for i in range(state.deck_n):
            state.deck[i] = <uint8_t> kind_of(pool[p.n + i])
    for i in range(state.deck_n, 60):
        state.deck[i] = 0
    for s in range(t.n):
        if s != seat:
            sort_short(state.hand[s], state.hand_n[s])
            memset(&state.track[s], 0, sizeof(Tracks))


cdef inline void sort_pool(uint16_t* pool, int n) noexcept nogil:
    """Canonical order: a counting sort by kind while no card was shuffled twice, which is nearly always."""
    cdef uint8_t count[32]
    cdef int i, _i, k
    cdef int at = 0
    for i in range(n):
        if pool[i] > 31:
            sort_short(pool, n)
            return
    memset(count, 0, 32)
    for i in range(n):
        count[pool[i]] += 1
    for k in range(32):
        for _i in range(count[k]):
            pool[at] = <uint16_t> k
            at += 1


cdef void deal_constrained(const Book* t, Hyde* state, int seat, Positions* p, const uint16_t* pool, int n,
                           Rng* rng) noexcept nogil:
    """Steps 2 to 7 of the spec: tracked cards first, then known 1s, the deck, slots and Thing by age, the hands.

    After too many dead ends all constraints go into one random matching, which exists because the true world is one.
    """
    cdef uint64_t base[POOL]        # pool cards position i allows; positions, then the deck's
    cdef uint64_t tracked[POOL]     # positions one tracked card may take
    cdef uint8_t tracked_card[TRACKS]
    cdef uint64_t allowed[POOL]
    cdef uint8_t order[POOL]
    cdef int8_t dealt[POOL]
    cdef int8_t out[POOL]
    cdef uint64_t used, choice, free_positions
    cdef Tracks* k = &state.track[seat]
    cdef int i, e, m, count, position_n, _attempt
    cdef bint ok
    position_n = p.n + state.deck_n     # equals n
    for i in range(p.n):
        base[i] = 0
        for e in range(n):
            if shuffle_of(pool[e]) <= p.newest[i] and (not p.one[i] or t.number[kind_of(pool[e])] == 1):
                base[i] |= <uint64_t> 1 << e
    for i in range(p.n, position_n):
        base[i] = 0
        for e in range(n):
            if shuffle_of(pool[e]) == state.shuffles:
                base[i] |= <uint64_t> 1 << e
    # Tracked cards in canonical order, each a pool card of its own.
    count = 0
    used = 0
    for e in range(n):
        for i in range(k.n):
            if k.card[i] == pool[e] and not used >> i & 1:
                used |= <uint64_t> 1 << i
                tracked_card[count] = <uint8_t> e
                tracked[count] = 0
                for m in range(p.n):
                    if (k.hold[i] & p.container_hold[m] or k.slots[i] & p.container_slots[m]) and base[m] >> e & 1:
                        tracked[count] |= <uint64_t> 1 << m
                count += 1
                break
    # The order of dealing: known 1s by age, the deck (when it excludes cards), the rest as found.
    m = 0
    for i in range(p.n):
        if p.one[i]:
            e = m
            while e > 0 and p.newest[order[e - 1]] > p.newest[i]:
                order[e] = order[e - 1]
                e -= 1
            order[e] = <uint8_t> i
            m += 1
    if state.shuffles:
        for i in range(p.n, position_n):
            order[m] = <uint8_t> i
            m += 1
    for i in range(p.n):
        if not p.one[i]:
            order[m] = <uint8_t> i
            m += 1
    if not state.shuffles:
        for i in range(p.n, position_n):
            order[m] = <uint8_t> i
            m += 1
    ok = False
    for _attempt in range(RESTARTS):
        for i in range(position_n):
            dealt[i] = -1
        used = 0
        ok = True
        free_positions = <uint64_t> -1
        for e in range(count):
            choice = tracked[e] & free_positions
            if choice == 0:
                ok = False
                break
            i = nth_bit(choice, <int> rng_below(rng, <uint32_t> bit_count(choice)))
            dealt[i] = <int8_t> tracked_card[e]
            free_positions &= ~(<uint64_t> 1 << i)
            used |= <uint64_t> 1 << tracked_card[e]
        if not ok:
            continue
        m = 0
        for i in range(position_n):
            if dealt[order[i]] < 0:
                allowed[m] = base[order[i]] & ~used
                m += 1
        ok = deal_once(allowed, m, n, out, rng)
        if ok:
            m = 0
            for i in range(position_n):
                if dealt[order[i]] < 0:
                    dealt[order[i]] = out[m]
                    m += 1
            break
    if not ok:
        for i in range(position_n):
            allowed[i] = base[i]
            for e in range(count):
                if i >= p.n or not tracked[e] >> i & 1:
                    allowed[i] &= ~(<uint64_t> 1 << tracked_card[e])
        deal_matching(allowed, position_n, n, dealt, rng)
    for i in range(p.n):
        p.where[i][0] = pool[dealt[i]]
    for i in range(state.deck_n):
        state.deck[i] = <uint8_t> kind_of(pool[dealt[p.n + i]])

# ---- Plausible worlds ----

cdef void plausible(const void* tables, void* data, int seat, Rng* rng) noexcept nogil:
    """Face-down cards that others chose from their hands were about the best of three for their place.

    Each such slot compares its card with two random ones of the deck and keeps the one that counts most there.
    Slots that a reshuffle or a track constrains keep what resample dealt: old cards are all in slots and hands, so
    their average is already right.
    """
    cdef const Book* t = <const Book*> tables
    cdef Hyde* state = <Hyde*> data
    cdef const Tracks* k = &state.track[seat]
    cdef const uint8_t* eff
    cdef uint64_t slots, fixed
    cdef int place, slot, e, _i, card, other
    if state.deck_n == 0:
        return
    fixed = 0
    for e in range(k.n):
        fixed |= k.slots[e]
    for place in range(1, PLACES):
        slots = state.pile[place] & ~fixed
        eff = t.eff[place][state.target_at[place]]
        while slots:
            slot = lowest_bit(slots)
            slots &= slots - 1
            if (state.slot_known[slot] >> seat & 1 or state.slot_source[slot] != V.FROM_HAND or state.slot_one[slot]
                    or state.slot_shuffle[slot] != state.shuffles or shuffle_of(state.slot_card[slot]) != state.shuffles):
                continue
            card = kind_of(state.slot_card[slot])
            for e in range(k.n):
                if k.card[e] == state.slot_card[slot]:
                    break
            else:
                for _i in range(2):
                    other = <int> rng_below(rng, state.deck_n)
                    if eff[state.deck[other]] > eff[card]:
                        state.slot_card[slot] = make_card(state.deck[other], state.shuffles)
                        state.deck[other] = <uint8_t> card
                        card = kind_of(state.slot_card[slot])
