"""Hidden information (section 7): hands, cards set aside, and picks that are not revealed yet. Everything else is public."""
from seatmate.engine.core.rng cimport shuffle_u8
from seatmate.engine.core.sink cimport mix
from seatmate.engine.core.types cimport uint8_t, uint32_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.titans.content.vocabulary cimport COMP, Q_ABILITY, Q_MOVE, Q_WINDOW
from seatmate.engine.titans.rules.legal cimport options_of, picks_of
from seatmate.engine.titans.rules.model cimport CARDS, NONE, S_COMP, S_SETASIDE, Tables, Titans


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


cdef void resample_comp(const Tables* t, Titans* h, int seat, Rng* rng) noexcept nogil:
    """Each seat picks from a box of its own. Picks nobody has seen are forgotten: the other seat still has all to make."""
    cdef int other = 1 - seat
    cdef uint8_t pool[CARDS]
    cdef int n, count
    if h.step != S_COMP:
        count = bit_count(h.hand[other])
        n = gather(t.deck & ~h.used[other], pool, rng)
        h.hand[other] = take(pool, &n, count)
        return
    h.hand[other] = 0
    if h.at == 1:
        h.pc[2 * other].ctype = NONE
        h.pc[2 * other + 1].ctype = NONE
    h.left[other] = <uint8_t> picks_of(t, h, other)


cdef void resample(const void* tables, void* state, int seat, Rng* rng) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef Titans* h = <Titans*> state
    cdef uint8_t pool[CARDS]
    cdef uint32_t cards = t.deck & ~h.hand[seat] & ~h.aside[seat]
    cdef int s, n, hands, apart
    if t.first_game:
        return
    if t.mode == COMP:
        resample_comp(t, h, seat, rng)
    else:
        for s in range(t.seats):
            cards &= ~h.used[s]
        n = gather(cards, pool, rng)
        for s in range(t.seats):
            if s == seat:
                continue
            hands = bit_count(h.hand[s])
            apart = bit_count(h.aside[s])
            if h.step == S_SETASIDE:            # nobody has seen what it has set aside so far
                h.left[s] += <uint8_t> apart
                hands += apart
                apart = 0
            h.hand[s] = take(pool, &n, hands)
            h.aside[s] = take(pool, &n, apart)
    if h.prompt in (Q_WINDOW, Q_MOVE, Q_ABILITY) and not h.asked >> seat & 1:
        h.options = options_of(t, h)


cdef uint64_t private_key(const void* tables, const void* state, int seat) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef const Titans* h = <const Titans*> state
    cdef uint64_t key = mix(0x7D2A11, <uint64_t> h.hand[seat] << 32 | h.aside[seat])
    if t.mode == COMP and h.step == S_COMP:
        key = mix(key, <uint64_t> h.pc[2 * seat].ctype << 8 | h.pc[2 * seat + 1].ctype)
    return key
