"""The numbers behind the reasons of a hint, in the order of words.FEATURES, which turns their changes into words.

Each is scaled so that a change of 1 matters about equally: reasons are ranked by it. What starts anew with every round (odds,
chakra, cards) carries the round's number, so that two answers are not compared across its end.
"""
from libc.math cimport exp

from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.advice.judgement cimport goes_back
from seatmate.engine.mythos.content.vocabulary cimport DISCARD, Q_CARD
from seatmate.engine.mythos.rules.model cimport MISSIONS, P_MULLIGAN, P_OVER, Frame, Mythos, Tables
from seatmate.engine.mythos.rules.query cimport income, power, total_power, winner_of

from seatmate.engine.mythos.words import words

cdef double ROUND = words.ROUND
cdef double POINT = words.POINT
cdef double CHAKRA = words.CHAKRA_SCALE
cdef double CARD = words.CARD_SCALE
cdef double UNIT = words.UNIT_SCALE
cdef double HOLDS_EDGE = words.EDGE_SCALE
cdef double SEEN = words.SEEN_SCALE
cdef double STRENGTH = words.POWER_SCALE
cdef double WAITING = words.WAITING_SCALE
cdef double OPENING = words.OPENING_SCALE
cdef int CHEAP = words.CHEAP

cdef double SPREAD = 2.5            # power that turns an even mission into a likely one
cdef double EDGE_POWER = 0.3        # what the Edge is worth on every mission
cdef double LATER = 0.7             # how much of today's lead in power still counts in later rounds


cdef inline double chance(double lead) noexcept nogil:
    return 1.0 / (1.0 + exp(-lead / SPREAD))


cdef double odds(const Tables* t, const Mythos* h, int seat, int mission) noexcept nogil:
    """Chance to win a mission in this round; once both have passed it is what an evaluation says."""
    cdef double lead
    if h.passed == 3:
        return winner_of(t, h, mission) == seat
    lead = total_power(t, h, mission, seat) - total_power(t, h, mission, 1 - seat)
    return chance(lead + (EDGE_POWER if h.edge == seat else -EDGE_POWER))


cdef double lasting_lead(const Tables* t, const Mythos* h, int seat, int mission) noexcept nogil:
    """Lead in power without tokens, which go, and without characters that return at the end of the round."""
    cdef uint64_t rest = (h.side[0] | h.side[1]) & h.at[mission] & h.up
    cdef double lead = 0
    cdef int slot, own
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if not goes_back(t, h.top[slot]):
            own = power(t, h, slot) - h.tokens[slot]
            if own > 0:
                lead += own if h.side[seat] >> slot & 1 else -own
    return lead


cdef int seen_cards(const Mythos* h, int seat) noexcept nogil:
    """Hidden cards of the other seat that this one knows: characters, tops of the deck, and what it keeps track of."""
    cdef uint64_t rest = h.side[1 - seat] & ~h.up
    cdef int n = h.track[seat].n
    cdef int i
    while rest:
        n += h.known[lowest_bit(rest)] >> seat & 1
        rest &= rest - 1
    for i in range(h.top_n[1 - seat]):
        n += h.top_known[1 - seat][i] >> seat & 1
    return n


cdef int own_strength(const Tables* t, const Mythos* h, int seat) noexcept nogil:
    """Printed power of the seat's hand and of its characters in play, the hidden ones as far as it knows them."""
    cdef uint64_t rest = h.side[seat]
    cdef int sum = 0
    cdef int i, slot
    for i in range(h.hand_n[seat]):
        sum += t.character[h.hand[seat][i]].power
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if h.known[slot] >> seat & 1:
            sum += t.character[h.top[slot]].power
    return sum


cdef double to_be_discarded(const Mythos* h, int seat) noexcept nogil:
    """Cards the seat is asked to discard."""
    cdef const Frame* f
    if h.prompt != Q_CARD or h.asked != seat or h.depth == 0:
        return 0
    f = &h.frame[h.depth - 1]
    return f.left if f.verb == DISCARD else 0


cdef double opening(const Tables* t, const Mythos* h, int seat) noexcept nogil:
    """How many cheap characters more the seat begins with than if it had decided otherwise; 0 before it has."""
    cdef int i
    cdef double kept = 0
    cdef double all = 0
    if h.phase != P_MULLIGAN or h.mulligan[seat] == 0:
        return 0
    for i in range(h.hand_n[seat]):
        kept += t.character[h.hand[seat][i]].cost <= CHEAP
    for i in range(h.deck_n[seat]):
        all += t.character[h.deck[seat][i]].cost <= CHEAP
    all = (all + kept) * h.hand_n[seat] / (h.deck_n[seat] + h.hand_n[seat])
    return kept - all if h.mulligan[seat] == 1 else all - kept


cdef int features(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef const Mythos* h = <const Mythos*> state
    cdef double stamp = ROUND * h.round
    cdef double later = 0
    cdef double waiting = 0
    cdef int rounds_left = MISSIONS - h.round if h.phase != P_OVER else 0
    cdef int other = 1 - seat
    cdef int drawn = t.round_draw * h.round
    cdef int m
    for m in range(MISSIONS):
        out[m] = stamp
        if m < h.missions:
            out[m] += odds(t, h, seat, m)
            waiting += (t.mission[h.mission[m]].points + t.bonus[m]) * bit_count(h.side[seat] & h.at[m] & ~h.up)
            later += chance(LATER * lasting_lead(t, h, seat, m)) * (t.mission[h.mission[m]].points + t.bonus[m])
    out[4] = POINT * h.points[seat]
    out[5] = POINT * h.points[other]
    out[6] = stamp + POINT * later * rounds_left
    out[7] = stamp + CHAKRA * h.chakra[seat]
    out[8] = stamp + (CHAKRA * income(t, h, seat) if rounds_left else 0)
    out[9] = CARD * (h.hand_n[seat] - drawn)        # without what every round brings
    out[10] = CARD * (h.hand_n[other] - to_be_discarded(h, other) - drawn)
    out[11] = UNIT * bit_count(h.side[other])
    out[12] = UNIT * bit_count(h.side[other] & ~h.up)
    out[13] = HOLDS_EDGE * (h.edge == seat)
    out[14] = SEEN * seen_cards(h, seat)
    out[15] = stamp + STRENGTH * own_strength(t, h, seat)
    out[16] = WAITING * waiting
    out[17] = OPENING * opening(t, h, seat)
    out[18] = h.round
    return 19
