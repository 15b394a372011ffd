# Dealing the cards 1..n of one suit into places of which only bounds are known: each place holds one known card, at most
# some card, or at least some card. Counts the deals and draws one, all equally likely.
#
# Both go through the cards in ascending order: a card stays out, or goes to a place with a lower bound that it meets, or
# waits for a place with an upper bound, which takes one of the waiting cards when its bound is reached.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.types cimport uint8_t

cdef enum:
    MAX_RANKS = 13


cdef struct RankedDeal:
    int cards               # n, at most MAX_RANKS
    int places              # at most n
    uint8_t low[MAX_RANKS]  # per place: its card lies in low..high, where low is 1, or high is n, or they are equal
    uint8_t high[MAX_RANKS]
    int upper               # places with an upper bound (or none), set by count_ranked; likewise:
    int lower               # places with a lower bound
    # To go on from a card, with so many cards waiting and so many of the places with a lower bound served.
    double ways[MAX_RANKS + 2][MAX_RANKS + 1][MAX_RANKS + 1]


cdef double count_ranked(RankedDeal* deal) noexcept nogil
cdef void deal_ranked(const RankedDeal* deal, uint8_t* out, Rng* rng) noexcept nogil
