# Card zones shared by the card games.
#
# A card is a small integer, its kind; copies of a kind are interchangeable. A deck whose order nobody
# knows is an unordered bag: cards are drawn lazily and uniformly, so there is no hidden order to
# resample. Hands are kept sorted, so that equal hands are equal bytes.
#
# Resampling: gather the cards in hidden positions into a pool in canonical (sorted) order, then shuffle it and deal it
# back; where positions exclude cards with `deal_allowed`, or for a hand of a few cards with `deal_uniform`.
from seatmate.engine.core.rng cimport Rng, rng_below
from seatmate.engine.core.types cimport action_t, int8_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    MAX_POOL = 64           # cards one constrained deal can handle
    DOUBTS = 1000           # attempts after which `deal_uniform` asks whether there is a deal at all


cdef inline uint8_t bag_draw(uint8_t* bag, uint8_t* n, Rng* rng) noexcept nogil:
    """Draw a uniformly random card from a non-empty unordered bag."""
    cdef uint32_t i = rng_below(rng, n[0])
    cdef uint8_t card = bag[i]
    n[0] -= 1
    bag[i] = bag[n[0]]
    return card


cdef inline void bag_add(uint8_t* bag, uint8_t* n, uint8_t card) noexcept nogil:
    """Put a card on the bag; the caller knows there is room."""
    bag[n[0]] = card
    n[0] += 1


cdef inline void hand_add(uint16_t* hand, uint8_t* n, uint16_t card) noexcept nogil:
    """Insert a card into a hand that is sorted ascending."""
    cdef int i = n[0]
    while i > 0 and hand[i - 1] > card:
        hand[i] = hand[i - 1]
        i -= 1
    hand[i] = card
    n[0] += 1


cdef inline void hand_remove_at(uint16_t* hand, uint8_t* n, int i) noexcept nogil:
    """Take out the card at position i; the hand stays sorted and its free places are zeroed."""
    cdef int j
    n[0] -= 1
    for j in range(i, n[0]):
        hand[j] = hand[j + 1]
    hand[n[0]] = 0


ctypedef fused sortable:
    uint8_t
    uint16_t
    action_t


cdef inline void sort_short(sortable* items, int n) noexcept nogil:
    """Insertion sort: hands, pools and lists of actions are short and often nearly sorted."""
    cdef int i, j
    cdef sortable item
    for i in range(1, n):
        item = items[i]
        j = i
        while j > 0 and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item


cdef inline int lowest_bit(uint64_t mask) noexcept nogil:
    """Index of the lowest set bit of a non-zero mask."""
    return __builtin_ctzll(mask)


cdef inline int bit_count(uint64_t mask) noexcept nogil:
    """Number of set bits."""
    return __builtin_popcountll(mask)


cdef inline int nth_bit(uint64_t mask, int n) noexcept nogil:
    """Index of the n-th (from 0) set bit of a mask that has more than n."""
    while n > 0:
        mask &= mask - 1
        n -= 1
    return __builtin_ctzll(mask)


cdef inline int add_bits(uint64_t mask, int first, action_t* out, int n) noexcept nogil:
    """Append the answers `first` + the index of each set bit, ascending, to n answers; returns how many there are then."""
    while mask:
        out[n] = <action_t> (first + lowest_bit(mask))
        mask &= mask - 1
        n += 1
    return n


cdef extern from *:
    int __builtin_ctzll(unsigned long long) noexcept nogil
    int __builtin_popcountll(unsigned long long) noexcept nogil


cdef inline uint64_t pool_mask(int pool) noexcept nogil:
    """The mask of all pool indices, 0 <= pool <= MAX_POOL."""
    return <uint64_t> -1 if pool == MAX_POOL else (<uint64_t> 1 << pool) - 1


cdef inline bint deal_once(const uint64_t* allowed, int positions, int pool, int8_t* out, Rng* rng) noexcept nogil:
    """Every position in turn takes a uniformly random free card of its mask; False at a dead end."""
    cdef uint64_t free_cards = pool_mask(pool)
    cdef uint64_t choice
    cdef int p, card
    for p in range(positions):
        choice = allowed[p] & free_cards
        if choice == 0:
            return False
        card = nth_bit(choice, <int> rng_below(rng, <uint32_t> bit_count(choice)))
        out[p] = <int8_t> card
        free_cards &= ~(<uint64_t> 1 << card)
    return True


cdef bint deal_matching(const uint64_t* allowed, int positions, int pool, int8_t* out, Rng* rng) noexcept nogil


cdef inline bint deal_uniform(const uint64_t* allowed, int positions, int pool, int8_t* out, Rng* rng) noexcept nogil:
    """Like `deal_allowed`, but all assignments are equally likely whatever the masks. False where there is none.

    Every position takes any card it allows; if two took the same, all start again. Of m positions about m! / m^m attempts
    succeed when the pool is as small as it can be, most when it is large: meant for hands of up to 6 cards.
    """
    cdef uint64_t taken, choice
    cdef int p
    cdef int attempts = 0
    while True:
        taken = 0
        for p in range(positions):
            choice = allowed[p] & pool_mask(pool)
            if choice == 0:
                return False
            out[p] = <int8_t> nth_bit(choice, <int> rng_below(rng, <uint32_t> bit_count(choice)))
            if taken >> out[p] & 1:
                break
            taken |= <uint64_t> 1 << out[p]
        else:
            return True
        attempts += 1
        if attempts == DOUBTS and not deal_matching(allowed, positions, pool, out, rng):
            return False        # an impossible view: two positions will always take the same card


cdef bint deal_allowed(const uint64_t* allowed, int positions, int pool, int8_t* out, Rng* rng) noexcept nogil
