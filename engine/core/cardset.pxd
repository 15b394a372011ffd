# Sets of up to 128 cards (or answers), as two machine words: zones of a deck whose cards are all different.
from seatmate.engine.core.rng cimport Rng, rng_below
from seatmate.engine.core.types cimport uint8_t, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit, nth_bit


cdef struct CardSet:
    uint64_t word[2]


cdef inline CardSet no_cards() noexcept nogil:
    cdef CardSet cards
    cards.word[0] = 0
    cards.word[1] = 0
    return cards


cdef inline bint has(const CardSet* cards, int card) noexcept nogil:
    return cards.word[card >> 6] >> (card & 63) & 1


cdef inline void add(CardSet* cards, int card) noexcept nogil:
    cards.word[card >> 6] |= <uint64_t> 1 << (card & 63)


cdef inline void drop(CardSet* cards, int card) noexcept nogil:
    cards.word[card >> 6] &= ~(<uint64_t> 1 << (card & 63))


cdef inline bint some(const CardSet* cards) noexcept nogil:
    """Is there any card?"""
    return (cards.word[0] | cards.word[1]) != 0


cdef inline bint meet(const CardSet* a, const CardSet* b) noexcept nogil:
    """Is a card in both?"""
    return (a.word[0] & b.word[0] | a.word[1] & b.word[1]) != 0


cdef inline int count(const CardSet* cards) noexcept nogil:
    return bit_count(cards.word[0]) + bit_count(cards.word[1])


cdef inline CardSet both(const CardSet* a, const CardSet* b) noexcept nogil:
    """The cards of a that are in b."""
    cdef CardSet cards
    cards.word[0] = a.word[0] & b.word[0]
    cards.word[1] = a.word[1] & b.word[1]
    return cards


cdef inline CardSet without(const CardSet* a, const CardSet* b) noexcept nogil:
    """The cards of a that are not in b."""
    cdef CardSet cards
    cards.word[0] = a.word[0] & ~b.word[0]
    cards.word[1] = a.word[1] & ~b.word[1]
    return cards


cdef inline void join(CardSet* a, const CardSet* b) noexcept nogil:
    """Add all of b."""
    a.word[0] |= b.word[0]
    a.word[1] |= b.word[1]


cdef inline int pop_card(CardSet* cards) noexcept nogil:
    """Take the lowest card out; -1 where there is none: `card = pop_card(&rest)` in a loop."""
    cdef int card
    if cards.word[0]:
        card = lowest_bit(cards.word[0])
        cards.word[0] &= cards.word[0] - 1
        return card
    if cards.word[1]:
        card = lowest_bit(cards.word[1])
        cards.word[1] &= cards.word[1] - 1
        return 64 + card
    return -1


cdef inline int nth_card(const CardSet* cards, int n) noexcept nogil:
    """The n-th card from 0, ascending, of a set that has more than n."""
    cdef int low = bit_count(cards.word[0])
    return nth_bit(cards.word[0], n) if n < low else 64 + nth_bit(cards.word[1], n - low)


cdef inline int any_card(const CardSet* cards, Rng* rng) noexcept nogil:
    """A uniformly random card of a set that is not empty."""
    return nth_card(cards, <int> rng_below(rng, count(cards)))


cdef inline int list_cards(CardSet cards, uint8_t* out) noexcept nogil:
    """Write the cards ascending; returns how many."""
    cdef int n = 0
    cdef int card = pop_card(&cards)
    while card >= 0:
        out[n] = <uint8_t> card
        n += 1
        card = pop_card(&cards)
    return n
