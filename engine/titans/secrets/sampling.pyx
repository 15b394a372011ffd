"""Hidden information (section 7): hands, cards set aside, and picks that are not revealed yet. Everything else is public."""
from seatmate.engine.core.rng cimport shuffle_u8
from seatmate.engine.core.sink cimport mix
from seatmate.engine.core.types cimport uint8_t, uint32_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.board cimport find_neighbours
from seatmate.engine.titans.rules.legal cimport hand_limit, options_of, picks_of


cdef uint32_t take(uint8_t* pool, int* n, int count) noexcept nogil:
    """The next cards of a shuffled pool, as a mask."""
    cdef uint32_t mask = 0
    while count:
        n[0] -= 1
        count -= 1
        mask |= <uint32_t> 1 << pool[n[0]]
    return mask


cdef int gather(uint32_t cards, uint8_t* pool, Rng* rng) noexcept nogil:
    """The cards of a mask in a random order; returns how many."""
    cdef int n = 0
    while cards:
        pool[n] = <uint8_t> lowest_bit(cards)
        cards &= cards - 1
        n += 1
    shuffle_u8(pool, n, rng)
    return n


cdef void resample_comp(const Book* t, Titans* state, int seat, Rng* rng) noexcept nogil:
    """Each seat picks from a box of its own. Picks nobody has seen are forgotten: the other seat still has all to make."""
    cdef int other = 1 - seat
    cdef uint8_t pool[V.CARDS]
    cdef int n, count
    if state.step != V.S_COMP:
        count = bit_count(state.hand[other])
        n = gather(t.deck & ~state.used[other], pool, rng)
        state.hand[other] = take(pool, &n, count)
        return
    state.hand[other] = 0
    if state.at == 1:
        state.piece[2 * other].character = V.NONE
        state.piece[2 * other + 1].character = V.NONE
    state.left[other] = <uint8_t> picks_of(t, state, other)


cdef void resample(const void* tables, void* data, int seat, Rng* rng) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef Titans* state = <Titans*> data
    cdef uint8_t pool[V.CARDS]
    cdef uint32_t cards = t.deck & ~state.hand[seat] & ~state.aside[seat]
    cdef int s, n, hands, apart
    if t.first_game:
        return
    if t.mode == V.MODE_COMP:
        resample_comp(t, state, seat, rng)
    else:
        for s in range(t.seats):
            cards &= ~state.used[s]
        n = gather(cards, pool, rng)
        for s in range(t.seats):
            if s == seat:
                continue
            hands = bit_count(state.hand[s])
            apart = bit_count(state.aside[s])
            if state.step == V.S_SET_ASIDE:            # nobody has seen what it has set aside so far
                state.left[s] += <uint8_t> apart
                hands += apart
                apart = 0
            state.hand[s] = take(pool, &n, hands)
            state.aside[s] = take(pool, &n, apart)
    if state.prompt in (V.Q_WINDOW, V.Q_MOVE, V.Q_ABILITY) and not state.asked >> seat & 1:
        state.options = options_of(t, state)


cdef void complete(const Book* t, Titans* state) noexcept nogil:
    """Fill in what follows from the rest of a position."""
    cdef int i, seat
    for i in range(V.PLACES):
        if state.tile[i] != V.NONE:
            state.where[state.tile[i]] = <uint8_t> i
    find_neighbours(t, state)
    for seat in range(t.seats):
        i = 0
        if state.step == V.S_SET_ASIDE:
            i = t.draw[seat] - hand_limit(t, state, seat) - <int> bit_count(state.aside[seat])
        elif state.step == V.S_COMP:
            i = picks_of(t, state, seat) - <int> bit_count(state.hand[seat])
            if state.at == 1:
                i -= (state.piece[2 * seat].character != V.NONE) + (state.piece[2 * seat + 1].character != V.NONE)
        state.left[seat] = <uint8_t> i if i > 0 else 0
    if state.step == V.S_COMP and state.asked:
        state.prompt = V.Q_COMP_CHAR if state.at == 1 else V.Q_COMP_CARD
    elif state.step != V.S_SET_ASIDE and state.asked:
        state.options = options_of(t, state)


cdef uint64_t private_key(const void* tables, const void* data, int seat) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef const Titans* state = <const Titans*> data
    cdef uint64_t key = mix(0x7D2A11, <uint64_t> state.hand[seat] << 32 | state.aside[seat])
    if t.mode == V.MODE_COMP and state.step == V.S_COMP:
        key = mix(key, <uint64_t> state.piece[2 * seat].character << 8 | state.piece[2 * seat + 1].character)
    return key
