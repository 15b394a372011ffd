"""The attack of the Hyde (5.9) and the end of the game (8).

R.. are the rulings of RULES.md.
"""
from seatmate.engine.core.contract cimport ask_nobody
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit2, emit3, emit4
from seatmate.engine.core.types cimport uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport bag_add, bit_count, hand_add, hand_remove_at, lowest_bit
from seatmate.engine.hyde.rules.model cimport (
    ALL_OUTER, ATTACK, ATTACKS, END, NEWROUND, OPEN, OVER, REVEAL, SCORE, SIX, WED_PASS, WED_SWAP, WED_TAKE, ZERO, ask,
    find_in_hand, kind_of, lost_targets,
)
from seatmate.engine.hyde.secrets.knowledge cimport revealed_pile, swapped_by_reveal

# ---- 5.9 The attack ----

cdef bint begin_attack(const Tables* t, Hyde* h, int place, Sink* sink) noexcept nogil:
    """Reveal the cards of the place; Wednesday may swap; then the score. Whether the next round can begin."""
    cdef uint64_t slots = h.pile[place]
    cdef int slot, seat
    cdef bint normal = False
    h.attacked |= 1 << place
    emit3(sink, ATTACK, PUBLIC, place, h.attack_no, t.need[h.attack_no])
    revealed_pile(t, h, place)
    while slots:
        slot = lowest_bit(slots)
        slots &= slots - 1
        h.slot_known[slot] = OPEN
        normal = normal or h.slot_card[slot] != SIX
        emit2(sink, REVEAL, PUBLIC, slot, h.slot_card[slot])
    if normal:
        for seat in range(t.n):
            if (t.swap_symbol[h.outcast[seat]] or t.swap_number[h.outcast[seat]]) and h.hand_n[seat]:
                h.chain_place = <uint8_t> place
                ask(h, sink, seat, WED_TAKE, WED_TAKE)  # always, even when she can't swap
                return False
    return score(t, h, place, sink)


cdef bint swap_matches(const Tables* t, int outcast, int a, int b) noexcept nogil:
    """R24: same printed symbol or same printed number; a six has no match (R27)."""
    if a == SIX or b == SIX:
        return False
    return ((t.swap_symbol[outcast] and t.symbol[a] == t.symbol[b])
            or (t.swap_number[outcast] and t.number[a] == t.number[b]))


cdef uint32_t take_kinds(const Tables* t, const Hyde* h, int seat) noexcept nogil:
    """Kinds of revealed cards that match a card of the seat's hand."""
    cdef uint64_t slots = h.pile[h.chain_place]
    cdef uint32_t mask = 0
    cdef int kind, i
    while slots:
        kind = kind_of(h.slot_card[lowest_bit(slots)])
        slots &= slots - 1
        for i in range(h.hand_n[seat]):
            if swap_matches(t, h.outcast[seat], kind, kind_of(h.hand[seat][i])):
                mask |= <uint32_t> 1 << kind
    return mask


cdef uint32_t give_kinds(const Tables* t, const Hyde* h, int seat) noexcept nogil:
    """Kinds of the hand that match the card to take."""
    cdef uint32_t mask = 0
    cdef int i
    for i in range(h.hand_n[seat]):
        if swap_matches(t, h.outcast[seat], h.take - 1, kind_of(h.hand[seat][i])):
            mask |= <uint32_t> 1 << kind_of(h.hand[seat][i])
    return mask


cdef bint swap_revealed(const Tables* t, Hyde* h, int seat, int give, Sink* sink) noexcept nogil:
    """Answer to WED_GIVE: the lowest slot of the wanted kind is exchanged (R25: all know where both cards are).

    Whether the next round can begin.
    """
    cdef int place = h.chain_place
    cdef uint64_t slots = h.pile[place]
    cdef int slot = 0
    cdef int at = find_in_hand(h, seat, give)
    cdef uint16_t given = h.hand[seat][at]
    cdef uint16_t taken
    while slots:
        slot = lowest_bit(slots)
        slots &= slots - 1
        if kind_of(h.slot_card[slot]) == h.take - 1:
            break
    taken = h.slot_card[slot]
    hand_remove_at(h.hand[seat], &h.hand_n[seat], at)
    hand_add(h.hand[seat], &h.hand_n[seat], taken)
    h.slot_card[slot] = given
    h.take = 0
    h.chain_place = 0
    swapped_by_reveal(t, h, seat, taken, given)
    emit4(sink, WED_SWAP, PUBLIC, seat, slot, taken, given)
    return score(t, h, place, sink)


cdef bint swap_nothing(const Tables* t, Hyde* h, int seat, Sink* sink) noexcept nogil:
    """Answer PASS to WED_TAKE. Whether the next round can begin."""
    cdef int place = h.chain_place
    h.chain_place = 0
    emit1(sink, WED_PASS, PUBLIC, seat)
    return score(t, h, place, sink)


cdef int attack_total(const Tables* t, const Hyde* h, int place) noexcept nogil:
    """Points on a place, all faces known: cards, target, and the bonus of a pawn that stands there (R19, R22)."""
    cdef uint64_t slots = h.pile[place]
    cdef int total = 0
    cdef int seat
    while slots:
        total += t.eff[place][h.target_at[place]][kind_of(h.slot_card[lowest_bit(slots)])]
        slots &= slots - 1
    for seat in range(t.n):
        if h.pawn[seat] == place:
            total += t.bonus[h.outcast[seat]]
    return total


cdef bint score(const Tables* t, Hyde* h, int place, Sink* sink) noexcept nogil:
    """5.9 steps 4-9: zero cards, the total against the need (R21), clean-up; True: on to the next round, False: over."""
    cdef uint64_t slots
    cdef int slot, kind, seat, lost
    cdef int total = attack_total(t, h, place)
    cdef bint ok = total >= t.need[h.attack_no]
    if sink != NULL:
        slots = h.pile[place]
        while slots:
            slot = lowest_bit(slots)
            slots &= slots - 1
            if t.zero_mask[place] >> kind_of(h.slot_card[slot]) & 1:
                emit1(sink, ZERO, PUBLIC, slot)
    emit3(sink, SCORE, PUBLIC, total, t.need[h.attack_no], ok)
    h.score = <uint8_t> total
    if ok:
        h.saved |= 1 << place
    slots = h.pile[place]
    while slots:
        slot = lowest_bit(slots)
        slots &= slots - 1
        kind = kind_of(h.slot_card[slot])
        if kind == SIX:
            h.sixes_removed += 1
        else:
            bag_add(h.discard, &h.discard_n, <uint8_t> kind)
        h.slot_card[slot] = 0
        h.slot_shuffle[slot] = 0
        h.slot_by[slot] = 0
        h.slot_source[slot] = 0
        h.slot_known[slot] = 0
        h.slot_one[slot] = 0
        h.slot_turn[slot] = 0
    h.pile[place] = 0
    lost = lost_targets(h)
    if lost == t.loss_limit or h.attack_no == ATTACKS:
        h.phase = OVER                          # R1-R3, R52
        h.asked = 0
        emit2(sink, END, PUBLIC, lost, grade(t, h))
        ask_nobody(sink)
        return False
    h.bag = ALL_OUTER & ~h.attacked
    h.shown = 0
    for seat in range(t.n):
        h.pawn[seat] = 0
    h.attack_no += 1
    emit1(sink, NEWROUND, PUBLIC, h.attack_no)
    return True

# ---- 8 End ----

cdef int grade(const Tables* t, const Hyde* h) noexcept nogil:
    """3 master, 2 intermediate, 1 novice, 0 barely (only with loss_limit 4), -1 defeat."""
    cdef int lost = lost_targets(h)
    return -1 if lost >= t.loss_limit else 3 - lost


cdef void returns(const void* tables, const void* state, double* out) noexcept nogil:
    """The common grade of the team."""
    cdef const Tables* t = <const Tables*> tables
    cdef const Hyde* h = <const Hyde*> state
    cdef double value
    cdef int seat
    cdef int lost = lost_targets(h)
    if lost >= t.loss_limit:
        value = 0.08 * bit_count(h.saved)
    elif lost == 0:
        value = 1.0
    elif lost == 1:
        value = 0.85
    elif lost == 2:
        value = 0.70
    else:
        value = 0.50
    for seat in range(t.n):
        out[seat] = value
