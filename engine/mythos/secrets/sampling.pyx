"""Sampling a world that a seat can't tell from the true one (sections 7.3 and 7.4).

All cards the seat can't see are gathered in sorted order, shuffled and dealt back; tracked cards and top cards that are
known not to match a filter go first. With hidden lists the other deck is drawn before that: one of the ready-made decks that
fits all that was seen of it, or cards that go with those that were seen.
"""
from libc.string cimport memcpy, memset

from seatmate.engine.core.rng cimport rng_below, shuffle_u8
from seatmate.engine.core.sink cimport mix
from seatmate.engine.core.types cimport int8_t, uint8_t, uint32_t
from seatmate.engine.core.zones cimport bit_count, deal_matching, lowest_bit, nth_bit, sort_short
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport CARDS, KINDS, TRACKS, Book, Mythos, Tracks, bit, units
from seatmate.engine.mythos.rules.query cimport card_matches

cdef enum:
    RESTARTS = 16

# ---- Private information ----

cdef uint64_t private_key(const void* tables, const void* data, int seat) noexcept nogil:
    """Hash of the own hand, the hidden cards, top cards and looked-at cards the seat knows, its tracks and unfinished answers."""
    cdef const Book* t = <const Book*> tables
    cdef const Mythos* state = <const Mythos*> data
    cdef const Tracks* k = &state.track[seat]
    cdef uint64_t key = 1
    cdef uint64_t sum = 0
    cdef uint64_t rest
    cdef int i, j, slot, at
    for i in range(state.hand_n[seat]):
        key = mix(key, state.hand[seat][i] + 1)
    rest = units(state) & ~state.up
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if state.known[slot] >> seat & 1:
            key = mix(key, 0x10000 | slot << 8 | state.top[slot])
    for i in range(2):
        for j in range(state.top_n[i]):
            if state.top_known[i][j] >> seat & 1:
                key = mix(key, 0x20000 | i << 12 | j << 8 | state.top_kind[i][j])
    at = 0
    for i in range(state.depth):
        for j in range(state.frame[i].looked):
            if state.frame[i].you == seat:
                key = mix(key, 0x30000 | state.looked[at + j])
        at += state.frame[i].looked
    for i in range(k.n):
        key = mix(mix(key, 0x40000 | k.kind[i]), k.where[i])
    if state.phase == V.P_MULLIGAN:
        key = mix(key, 0x50000 | state.mulligan[seat])
    elif state.asked == seat:
        key = mix(key, 0x60000 | state.prompt)
        key = mix(key, state.chain | state.chain_mission << 16)
    if not t.open_lists:        # in worlds sampled for others the own list varies
        for i in range(state.deck_n[seat]):
            sum += mix(7, state.deck[seat][i])
        for i in range(state.top_n[seat]):
            if not state.top_known[seat][i] >> seat & 1:
                sum += mix(7, state.top_kind[seat][i])
        rest = units(state) & ~state.up
        while rest:             # cards of the own deck that the other seat holds unseen
            slot = lowest_bit(rest)
            rest &= rest - 1
            if state.owner[slot] == seat and not state.known[slot] >> seat & 1:
                sum += mix(7, state.top[slot])
        key = mix(key, sum)
        key = mix(key, state.triple[seat][0] | state.triple[seat][1] << 8 | state.triple[seat][2] << 16)
    return key

# ---- What the seat can't see ----

cdef struct Places:
    # Where the hidden cards of one owner lie, in the order they are dealt to: looked at, deck top, units, hand.
    uint8_t* card[CARDS]
    uint64_t container[CARDS]   # as in Tracks.where
    uint8_t not_filter[CARDS]   # as in Mythos.top_not
    int n


cdef inline void place(Places* p, uint8_t* card, uint64_t container, int not_filter) noexcept nogil:
    p.card[p.n] = card
    p.container[p.n] = container
    p.not_filter[p.n] = <uint8_t> not_filter
    p.n += 1


cdef void find_places(Mythos* state, int owner, int seat, Places* p) noexcept nogil:
    """The owner's cards in places the seat can't see, the unordered deck aside."""
    cdef uint64_t rest = units(state) & ~state.up
    cdef int i, j, slot, at
    p.n = 0
    at = 0
    for i in range(state.depth):
        for j in range(state.frame[i].looked):
            if state.frame[i].you == owner and owner != seat:
                place(p, &state.looked[at + j], bit(V.IN_TOP), 0)
        at += state.frame[i].looked
    for i in range(state.top_n[owner]):
        if not state.top_known[owner][i] >> seat & 1:
            place(p, &state.top_kind[owner][i], bit(V.IN_TOP), state.top_not[owner][i])
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if state.owner[slot] == owner and not state.known[slot] >> seat & 1:
            place(p, &state.top[slot], bit(slot), 0)
    if owner != seat:
        for i in range(state.hand_n[owner]):
            place(p, &state.hand[owner][i], bit(V.IN_HAND), 0)


cdef void rewind_chain(Mythos* state, int seat) noexcept nogil:
    """What another seat has answered without telling goes back to the first question of its public class."""
    cdef int q = state.prompt
    if state.phase == V.P_MULLIGAN:
        state.mulligan[1 - seat] = 0
    elif state.asked != seat:
        if q == V.Q_TURN_MISSION or q == V.Q_TURN_ONTO:
            state.prompt = V.Q_TURN
        elif q == V.Q_PLAYCARD_MISSION or q == V.Q_PLAYCARD_ONTO:
            state.prompt = V.Q_PLAYCARD
        elif q == V.Q_FORCED_ONTO:
            state.prompt = V.Q_FORCED
        elif q == V.Q_CARD_MISSION:
            state.prompt = V.Q_CARD
        state.chain = 0
        state.chain_mission = 0


cdef void resample(const void* tables, void* data, int seat, Rng* rng) noexcept nogil:
    """Replace all the seat can't see: a function of its view and rng only.

    What the other seat has seen of this one's cards stays: the seat knows its cards and who has looked at them.
    """
    cdef const Book* t = <const Book*> tables
    cdef Mythos* state = <Mythos*> data
    cdef Places p
    cdef uint8_t pool[CARDS + 1]
    cdef int owner, i, n
    rewind_chain(state, seat)
    for i in range(2):
        owner = seat if i == 0 else 1 - seat
        find_places(state, owner, seat, &p)
        n = p.n + state.deck_n[owner]
        if owner != seat and not t.open_lists:
            draw_list(t, state, seat, n, pool, rng)
        else:
            for n in range(p.n):
                pool[n] = p.card[n][0]
            memcpy(pool + p.n, state.deck[owner], state.deck_n[owner])
            n = p.n + state.deck_n[owner]
            sort_short(pool, n)
        deal(t, state, owner, seat, &p, pool, n, rng)
    sort_short(state.hand[1 - seat], state.hand_n[1 - seat])

# ---- Dealing ----

cdef void deal(const Book* t, Mythos* state, int owner, int seat, Places* p, uint8_t* pool, int n, Rng* rng) noexcept nogil:
    """Deal the pool to the places; what is left is the deck."""
    cdef int i, j, _attempt
    cdef uint8_t card
    cdef bint constrained = owner != seat and state.track[seat].n > 0
    for i in range(p.n):
        if p.not_filter[i]:
            constrained = True
    if constrained:
        for _attempt in range(RESTARTS):
            if deal_known(t, state, seat, owner, p, pool, n, rng):
                return
        deal_somehow(t, state, seat, owner, p, pool, n, rng)
        return
    for i in range(p.n):
        j = i + <int> rng_below(rng, <uint32_t> (n - i))
        card = pool[j]
        pool[j] = pool[i]
        pool[i] = card
        p.card[i][0] = card
    memcpy(state.deck[owner], pool + p.n, n - p.n)


cdef int assign_tracks(const Book* t, const Mythos* state, int seat, const Places* p, const uint8_t* pool, int n,
                       uint8_t* card, uint64_t* allowed) noexcept nogil:
    """For every track of the seat a pool card of its own, and the places where it may be; returns how many."""
    cdef const Tracks* k = &state.track[seat]
    cdef uint64_t used = 0
    cdef int e, i, count
    count = 0
    for e in range(k.n):
        for i in range(n):
            if pool[i] == k.kind[e] and not used >> i & 1:
                used |= bit(i)
                card[count] = <uint8_t> i
                allowed[count] = 0
                count += 1
                break
        else:
            continue
        for i in range(p.n):
            if p.container[i] & k.where[e] and not (
                    p.not_filter[i] and card_matches(t, k.kind[e], t.filter[p.not_filter[i] - 1])):
                allowed[count - 1] |= bit(i)
    return count


cdef bint deal_known(const Book* t, Mythos* state, int seat, int owner, Places* p, const uint8_t* pool, int n,
                     Rng* rng) noexcept nogil:
    """Tracked cards, then top cards that exclude some, then the rest; False at a dead end.

    Tracked cards take places until no two have the same: all their arrangements are equally likely. Cards that can
    only be in the hand take the first places there, for a hand has no order.
    """
    cdef uint8_t tracked[TRACKS]
    cdef uint64_t allowed[TRACKS]
    cdef int8_t dealt[CARDS]
    cdef uint8_t left[CARDS + 1]
    cdef uint64_t hand = 0
    cdef uint64_t free_places, taken, choice, used
    cdef int count = 0
    cdef int i, e, m, at, _attempt
    cdef bint ok
    if owner != seat:
        count = assign_tracks(t, state, seat, p, pool, n, tracked, allowed)
    free_places = 0
    for i in range(p.n):
        dealt[i] = -1
        free_places |= bit(i)
        if p.container[i] == bit(V.IN_HAND):
            hand |= bit(i)
    used = 0
    for e in range(count):
        if allowed[e] and allowed[e] & ~hand == 0:
            choice = free_places & hand
            if choice == 0:
                return False
            i = lowest_bit(choice)
            dealt[i] = <int8_t> tracked[e]
            used |= bit(tracked[e])
            free_places &= ~bit(i)
            allowed[e] = 0
            tracked[e] = 255
    ok = False
    for _attempt in range(200):
        taken = 0
        ok = True
        for e in range(count):
            if tracked[e] == 255:
                continue
            choice = allowed[e] & free_places
            if choice == 0:
                return False
            i = nth_bit(choice, <int> rng_below(rng, <uint32_t> bit_count(choice)))
            if taken >> i & 1:
                ok = False
                break
            taken |= bit(i)
            dealt[i] = <int8_t> tracked[e]
        if ok:
            break
    if not ok:
        return False
    for e in range(count):
        if tracked[e] != 255:
            used |= bit(tracked[e])
    for i in range(p.n):
        if free_places >> i & 1 and not taken >> i & 1:
            dealt[i] = -1
    for i in range(p.n):
        if dealt[i] >= 0 or not p.not_filter[i]:
            continue
        choice = 0
        for m in range(n):
            if not used >> m & 1 and not card_matches(t, pool[m], t.filter[p.not_filter[i] - 1]):
                choice |= bit(m)
        if choice == 0:
            return False
        m = nth_bit(choice, <int> rng_below(rng, <uint32_t> bit_count(choice)))
        dealt[i] = <int8_t> m
        used |= bit(m)
    m = 0
    for i in range(n):
        if not used >> i & 1:
            left[m] = pool[i]
            m += 1
    shuffle_u8(left, m, rng)
    at = 0
    for i in range(p.n):
        if dealt[i] >= 0:
            p.card[i][0] = pool[dealt[i]]
        else:
            p.card[i][0] = left[at]
            at += 1
    memcpy(state.deck[owner], left + at, m - at)
    return True


cdef void deal_somehow(const Book* t, Mythos* state, int seat, int owner, Places* p, const uint8_t* pool, int n,
                       Rng* rng) noexcept nogil:
    """After too many dead ends: all constraints in one random matching, which exists because the true world is one."""
    cdef uint8_t tracked[TRACKS]
    cdef uint64_t where[TRACKS]
    cdef uint64_t allowed[CARDS + 1]
    cdef int8_t dealt[CARDS + 1]
    cdef int count = 0
    cdef int i, e, m
    if owner != seat:
        count = assign_tracks(t, state, seat, p, pool, n, tracked, where)
    for i in range(n):
        allowed[i] = bit(n) - 1
        for e in range(count):
            if i >= p.n or not where[e] >> i & 1:
                allowed[i] &= ~bit(tracked[e])
        if i < p.n and p.not_filter[i]:
            for m in range(n):
                if card_matches(t, pool[m], t.filter[p.not_filter[i] - 1]):
                    allowed[i] &= ~bit(m)
    if not deal_matching(allowed, n, n, dealt, rng):
        for i in range(n):      # only a forged view gets here
            dealt[i] = <int8_t> i
    for i in range(n):
        if i < p.n:
            p.card[i][0] = pool[dealt[i]]
        else:
            state.deck[owner][i - p.n] = pool[dealt[i]]

# ---- Hidden lists ----

cdef void count_seen(const Mythos* state, int owner, int seat, uint8_t* count) noexcept nogil:
    """How many cards of each kind of the owner the seat can see."""
    cdef uint64_t rest = units(state)
    cdef int i, slot
    memset(count, 0, KINDS)
    for i in range(state.discard_n[owner]):
        count[state.discard[owner][i]] += 1
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if state.owner[slot] == owner and state.known[slot] >> seat & 1:
            count[state.top[slot]] += 1
    for i in range(state.under_n):
        if state.under_owner[i] == owner:
            count[state.under_kind[i]] += 1
    for i in range(state.top_n[owner]):
        if state.top_known[owner][i] >> seat & 1:
            count[state.top_kind[owner][i]] += 1


cdef bint explains(const Book* t, const Mythos* state, int seat, const uint8_t* triple) noexcept nogil:
    """Can the open missions have come from the seat's three and these three of the other seat?"""
    cdef int ways, m, i, who
    cdef int used[2]
    cdef uint8_t taken[2]
    cdef const uint8_t* three
    cdef bint fits
    for ways in range(1 << state.missions):
        used[0] = 0
        used[1] = 0
        taken[0] = 0
        taken[1] = 0
        fits = True
        for m in range(state.missions):
            who = ways >> m & 1
            three = &state.triple[seat][0] if who == seat else triple
            if t.alternate and who != state.starter ^ (1 - m & 1):
                fits = False
                break
            for i in range(3):
                if three[i] == state.mission[m] and not taken[who] >> i & 1:
                    break
            else:
                fits = False
                break
            taken[who] |= <uint8_t> (1 << i)
            used[who] += 1
            if used[who] > 2:
                fits = False
                break
        if fits:
            return True
    return False


cdef void draw_list(const Book* t, Mythos* state, int seat, int n, uint8_t* pool, Rng* rng) noexcept nogil:
    """Draw the other seat's list and missions; `pool` gets the n cards of it that the seat can't see, sorted (7.4).

    Uniformly one of the ready-made decks of this size that contains all that was seen and explains the open
    missions. If there is none: the seen cards and tracks, then again and again a uniformly random kind of which there
    are copies left and that has a group or a keyword in common with the seen ones; missions uniformly among those
    that explain the open ones.
    """
    cdef uint8_t seen[KINDS]
    cdef uint8_t need[KINDS]
    cdef uint8_t have[KINDS]
    cdef int fitting[16]
    cdef int other = 1 - seat
    cdef int total = n
    cdef int found = 0
    cdef int d, i, kind, m, _copy
    cdef bint fits
    count_seen(state, other, seat, seen)
    memcpy(need, seen, KINDS)
    for i in range(state.track[seat].n):
        need[state.track[seat].kind[i]] += 1
    for kind in range(t.characters):
        total += seen[kind]
    for d in range(t.decks):
        if t.ready_n[d] != total or not explains(t, state, seat, t.ready_triple[d]):
            continue
        memset(have, 0, KINDS)
        for i in range(t.ready_n[d]):
            have[t.ready[d][i]] += 1
        fits = True
        for kind in range(t.characters):
            if have[kind] < need[kind]:
                fits = False
                break
        if fits:
            fitting[found] = d
            found += 1
    if found:
        d = fitting[rng_below(rng, <uint32_t> found)]
        memset(have, 0, KINDS)
        for i in range(t.ready_n[d]):
            have[t.ready[d][i]] += 1
        memcpy(state.triple[other], t.ready_triple[d], 3)
    else:
        memcpy(have, need, KINDS)
        m = total
        for kind in range(t.characters):
            m -= have[kind]
        build_list(t, have, m, rng)
        draw_triple(t, state, seat, rng)
    m = 0
    for kind in range(t.characters):
        for _copy in range(have[kind] - seen[kind]):
            if m < n:
                pool[m] = <uint8_t> kind
                m += 1


cdef void build_list(const Book* t, uint8_t* have, int missing, Rng* rng) noexcept nogil:
    """Add kinds that go with those there until none is missing."""
    cdef uint8_t options[KINDS]
    cdef uint32_t keywords = 0
    cdef int groups = 0
    cdef int kind, n, _card, wide
    for kind in range(t.characters):
        if have[kind]:
            keywords |= t.character[kind].keywords
            groups |= t.character[kind].groups
    for _card in range(missing):
        n = 0
        for wide in range(2):           # anything, when all that goes with them is used up
            for kind in range(t.characters):
                if have[kind] < t.copies and (wide or t.character[kind].keywords & keywords
                                              or t.character[kind].groups & groups):
                    options[n] = <uint8_t> kind
                    n += 1
            if n:
                break
        if n == 0:
            return
        have[options[rng_below(rng, <uint32_t> n)]] += 1


cdef void draw_triple(const Book* t, Mythos* state, int seat, Rng* rng) noexcept nogil:
    """Three missions for the other seat, uniformly among those that explain the open ones."""
    cdef uint8_t triple[3]
    cdef int a, b, c, i
    cdef int count = 0
    cdef int pick = -1
    for i in range(2):                  # count, then find the chosen one
        if i:
            if count == 0:
                return
            pick = <int> rng_below(rng, <uint32_t> count)
        count = 0
        for a in range(t.missions):
            for b in range(a + 1, t.missions):
                for c in range(b + 1, t.missions):
                    triple[0] = <uint8_t> a
                    triple[1] = <uint8_t> b
                    triple[2] = <uint8_t> c
                    if explains(t, state, seat, triple):
                        if count == pick:
                            memcpy(state.triple[1 - seat], triple, 3)
                            return
                        count += 1
