"""The numbers behind the reasons of a hint, in the order of words.FEATURES, which turns their changes into words.

Each is scaled so that a change of 1 matters about equally: reasons are ranked by it. What starts anew with every round (odds,
chakra, cards) carries the round's number, so that two answers are not compared across its end.
"""
from libc.math cimport exp

from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.advice.judgement cimport goes_back
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport MISSIONS, Book, Frame, Mythos
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


cdef double odds(const Book* t, const Mythos* state, int seat, int mission) noexcept nogil:
    """Chance to win a mission in this round; once both have passed it is what an evaluation says."""
    cdef double lead
    if state.passed == 3:
        return winner_of(t, state, mission) == seat
    lead = total_power(t, state, mission, seat) - total_power(t, state, mission, 1 - seat)
    return chance(lead + (EDGE_POWER if state.edge == seat else -EDGE_POWER))


cdef double lasting_lead(const Book* t, const Mythos* state, int seat, int mission) noexcept nogil:
    """Lead in power without tokens, which go, and without characters that return at the end of the round."""
    cdef uint64_t rest = (state.side[0] | state.side[1]) & state.at[mission] & state.up
    cdef double lead = 0
    cdef int slot, own
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if not goes_back(t, state.top[slot]):
            own = power(t, state, slot) - state.tokens[slot]
            if own > 0:
                lead += own if state.side[seat] >> slot & 1 else -own
    return lead


cdef int seen_cards(const Mythos* state, int seat) noexcept nogil:
    """Hidden cards of the other seat that this one knows: characters, tops of the deck, and what it keeps track of."""
    cdef uint64_t rest = state.side[1 - seat] & ~state.up
    cdef int n = state.track[seat].n
    cdef int i
    while rest:
        n += state.known[lowest_bit(rest)] >> seat & 1
        rest &= rest - 1
    for i in range(state.top_n[1 - seat]):
        n += state.top_known[1 - seat][i] >> seat & 1
    return n


cdef int own_strength(const Book* t, const Mythos* state, int seat) noexcept nogil:
    """Printed power of the seat's hand and of its characters in play, the hidden ones as far as it knows them."""
    cdef uint64_t rest = state.side[seat]
    cdef int sum = 0
    cdef int i, slot
    for i in range(state.hand_n[seat]):
        sum += t.character[state.hand[seat][i]].power
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if state.known[slot] >> seat & 1:
            sum += t.character[state.top[slot]].power
    return sum


cdef double to_be_discarded(const Mythos* state, int seat) noexcept nogil:
    """Cards the seat is asked to discard."""
    cdef const Frame* f
    if state.prompt != V.Q_CARD or state.asked != seat or state.depth == 0:
        return 0
    f = &state.frame[state.depth - 1]
    return f.left if f.verb == V.DISCARD else 0


cdef double opening(const Book* t, const Mythos* state, int seat) noexcept nogil:
    """How many cheap characters more the seat begins with than if it had decided otherwise; 0 before it has."""
    cdef int i
    cdef double kept = 0
    cdef double all = 0
    if state.phase != V.P_MULLIGAN or state.mulligan[seat] == 0:
        return 0
    for i in range(state.hand_n[seat]):
        kept += t.character[state.hand[seat][i]].cost <= CHEAP
    for i in range(state.deck_n[seat]):
        all += t.character[state.deck[seat][i]].cost <= CHEAP
    all = (all + kept) * state.hand_n[seat] / (state.deck_n[seat] + state.hand_n[seat])
    return kept - all if state.mulligan[seat] == 1 else all - kept


cdef int features(const void* tables, const void* data, int seat, double* out) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef const Mythos* state = <const Mythos*> data
    cdef double stamp = ROUND * state.round
    cdef double later = 0
    cdef double waiting = 0
    cdef int rounds_left = MISSIONS - state.round if state.phase != V.P_OVER else 0
    cdef int other = 1 - seat
    cdef int drawn = t.round_draw * state.round
    cdef int m
    for m in range(MISSIONS):
        out[m] = stamp
        if m < state.missions:
            out[m] += odds(t, state, seat, m)
            waiting += (t.mission[state.mission[m]].points + t.bonus[m]) * bit_count(state.side[seat] & state.at[m] & ~state.up)
            later += chance(LATER * lasting_lead(t, state, seat, m)) * (t.mission[state.mission[m]].points + t.bonus[m])
    out[4] = POINT * state.points[seat]
    out[5] = POINT * state.points[other]
    out[6] = stamp + POINT * later * rounds_left
    out[7] = stamp + CHAKRA * state.chakra[seat]
    out[8] = stamp + (CHAKRA * income(t, state, seat) if rounds_left else 0)
    out[9] = CARD * (state.hand_n[seat] - drawn)        # without what every round brings
    out[10] = CARD * (state.hand_n[other] - to_be_discarded(state, other) - drawn)
    out[11] = UNIT * bit_count(state.side[other])
    out[12] = UNIT * bit_count(state.side[other] & ~state.up)
    out[13] = HOLDS_EDGE * (state.edge == seat)
    out[14] = SEEN * seen_cards(state, seat)
    out[15] = stamp + STRENGTH * own_strength(t, state, seat)
    out[16] = WAITING * waiting
    out[17] = OPENING * opening(t, state, seat)
    out[18] = state.round
    return 19
