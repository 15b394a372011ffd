"""Dealing the cards of one suit into places with bounds."""
from seatmate.engine.core.rng cimport rng_below, rng_unit
from seatmate.engine.core.types cimport uint32_t
from seatmate.engine.core.zones cimport nth_bit


cdef struct Step:
    int due                 # places whose upper bound is this card
    int open_places         # places whose lower bound is this card or a lower one
    bint known              # the card lies in a known place


cdef inline Step at_card(const RankedDeal* deal, int card) noexcept nogil:
    cdef Step step = Step(0, 0, False)
    cdef int i
    for i in range(deal.places):
        if deal.low[i] == deal.high[i]:
            if deal.low[i] == card:
                step.known = True
        elif deal.low[i] == 1:
            step.due += deal.high[i] == card
        else:
            step.open_places += deal.low[i] <= card
    return step


cdef inline double taken(int waiting, int due) noexcept nogil:
    """Ways in which `due` places take one each of the waiting cards; 0 when there are too few."""
    cdef double ways = 1
    while due > 0:
        ways *= waiting
        waiting -= 1
        due -= 1
    return ways


cdef inline double after(const RankedDeal* deal, int card, int due, int waiting, int served) noexcept nogil:
    """Ways to go on after this card, which may have been added to the waiting ones."""
    if waiting < due or waiting > deal.upper or served > deal.lower:
        return 0
    return taken(waiting, due) * deal.ways[card + 1][waiting - due][served]


cdef double count_ranked(RankedDeal* deal) noexcept nogil:
    """The number of deals within the bounds (exact), 0 if there is none. Prepares `deal_ranked`."""
    cdef int i, card, waiting, served
    cdef uint32_t known = 0
    cdef Step step
    cdef double ways
    deal.upper = 0
    deal.lower = 0
    for i in range(deal.places):
        if deal.low[i] > deal.high[i]:
            return 0
        if deal.low[i] == deal.high[i]:
            if known >> deal.low[i] & 1:
                return 0
            known |= <uint32_t> 1 << deal.low[i]
        elif deal.low[i] == 1:
            deal.upper += 1
        else:
            deal.lower += 1
    for waiting in range(deal.upper + 1):
        for served in range(deal.lower + 1):
            deal.ways[deal.cards + 1][waiting][served] = waiting == 0 and served == deal.lower
    for card in range(deal.cards, 0, -1):
        step = at_card(deal, card)
        for waiting in range(deal.upper + 1):
            for served in range(deal.lower + 1):
                ways = after(deal, card, step.due, waiting, served)
                if not step.known:
                    ways += after(deal, card, step.due, waiting + 1, served)
                    if served < step.open_places:
                        ways += (step.open_places - served) * after(deal, card, step.due, waiting, served + 1)
                deal.ways[card][waiting][served] = ways
    return deal.ways[1][0][0]


cdef void deal_ranked(const RankedDeal* deal, uint8_t* out, Rng* rng) noexcept nogil:
    """out[place] = card: one of the deals that `count_ranked` has counted, all equally likely; there must be one."""
    cdef uint8_t held[MAX_RANKS]
    cdef uint32_t open_places = 0       # met and not yet served
    cdef int waiting = 0
    cdef int served = 0
    cdef int i, j, card
    cdef Step step
    cdef double keep, wait, chosen
    for card in range(1, deal.cards + 1):
        step = at_card(deal, card)
        for i in range(deal.places):
            if deal.low[i] == card:
                if deal.low[i] == deal.high[i]:
                    out[i] = <uint8_t> card
                elif card > 1:
                    open_places |= <uint32_t> 1 << i
        if not step.known:
            keep = after(deal, card, step.due, waiting, served)
            wait = after(deal, card, step.due, waiting + 1, served)
            chosen = rng_unit(rng) * deal.ways[card][waiting][served]
            if chosen < wait:
                held[waiting] = <uint8_t> card
                waiting += 1
            elif chosen >= wait + keep:
                i = nth_bit(open_places, <int> rng_below(rng, <uint32_t> (step.open_places - served)))
                out[i] = <uint8_t> card
                open_places &= ~(<uint32_t> 1 << i)
                served += 1
        for i in range(deal.places):
            if deal.low[i] == 1 and deal.high[i] == card and card > 1:
                j = <int> rng_below(rng, <uint32_t> waiting)
                out[i] = held[j]
                waiting -= 1
                held[j] = held[waiting]
