"""The attack of the Hyde (5.9) and the end of the game (8).

R.. are the rulings of RULES.md.
"""
from seatmate.engine.core.contract cimport ask_nobody
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit2, emit3, emit4
from seatmate.engine.core.types cimport uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport bag_add, bit_count, hand_add, hand_remove_at, lowest_bit
from seatmate.engine.hyde.content.vocabulary cimport ALL_OUTER, ATTACKS, OPEN, SIX
from seatmate.engine.hyde.content cimport vocabulary as V
from seatmate.engine.hyde.rules.model cimport ask, find_in_hand, kind_of, lost_targets
from seatmate.engine.hyde.secrets.knowledge cimport revealed_pile, swapped_by_reveal

# ---- 5.9 The attack ----

cdef bint begin_attack(const Book* t, Hyde* state, int place, Sink* sink) noexcept nogil:
    """Reveal the cards of the place; Wednesday may swap; then the score. Whether the next round can begin."""
    cdef uint64_t slots = state.pile[place]
    cdef int slot, seat
    cdef bint normal = False
    state.attacked |= 1 << place
    emit3(sink, V.E_ATTACK, PUBLIC, place, state.attack_no, t.need[state.attack_no])
    revealed_pile(t, state, place)
    while slots:
        slot = lowest_bit(slots)
        slots &= slots - 1
        state.slot_known[slot] = OPEN
        normal = normal or state.slot_card[slot] != SIX
        emit2(sink, V.E_REVEAL, PUBLIC, slot, state.slot_card[slot])
    if normal:
        for seat in range(t.n):
            if (t.swap_symbol[state.outcast[seat]] or t.swap_number[state.outcast[seat]]) and state.hand_n[seat]:
                state.chain_place = <uint8_t> place
                ask(state, sink, seat, V.WED_TAKE, V.WED_TAKE)  # always, even when she can't swap
                return False
    return score(t, state, place, sink)


cdef bint swap_matches(const Book* t, int outcast, int a, int b) noexcept nogil:
    """R24: same printed symbol or same printed number; a six has no match (R27)."""
    if a == SIX or b == SIX:
        return False
    return ((t.swap_symbol[outcast] and t.symbol[a] == t.symbol[b])
            or (t.swap_number[outcast] and t.number[a] == t.number[b]))


cdef uint32_t take_kinds(const Book* t, const Hyde* state, int seat) noexcept nogil:
    """Kinds of revealed cards that match a card of the seat's hand."""
    cdef uint64_t slots = state.pile[state.chain_place]
    cdef uint32_t mask = 0
    cdef int kind, i
    while slots:
        kind = kind_of(state.slot_card[lowest_bit(slots)])
        slots &= slots - 1
        for i in range(state.hand_n[seat]):
            if swap_matches(t, state.outcast[seat], kind, kind_of(state.hand[seat][i])):
                mask |= <uint32_t> 1 << kind
    return mask


cdef uint32_t give_kinds(const Book* t, const Hyde* state, int seat) noexcept nogil:
    """Kinds of the hand that match the card to take."""
    cdef uint32_t mask = 0
    cdef int i
    for i in range(state.hand_n[seat]):
        if swap_matches(t, state.outcast[seat], state.take - 1, kind_of(state.hand[seat][i])):
            mask |= <uint32_t> 1 << kind_of(state.hand[seat][i])
    return mask


cdef bint swap_revealed(const Book* t, Hyde* state, int seat, int give, Sink* sink) noexcept nogil:
    """Answer to WED_GIVE: the lowest slot of the wanted kind is exchanged (R25: all know where both cards are).

    Whether the next round can begin.
    """
    cdef int place = state.chain_place
    cdef uint64_t slots = state.pile[place]
    cdef int slot = 0
    cdef int at = find_in_hand(state, seat, give)
    cdef uint16_t given = state.hand[seat][at]
    cdef uint16_t taken
    while slots:
        slot = lowest_bit(slots)
        slots &= slots - 1
        if kind_of(state.slot_card[slot]) == state.take - 1:
            break
    taken = state.slot_card[slot]
    hand_remove_at(state.hand[seat], &state.hand_n[seat], at)
    hand_add(state.hand[seat], &state.hand_n[seat], taken)
    state.slot_card[slot] = given
    state.take = 0
    state.chain_place = 0
    swapped_by_reveal(t, state, seat, taken, given)
    emit4(sink, V.E_WED_SWAP, PUBLIC, seat, slot, taken, given)
    return score(t, state, place, sink)


cdef bint swap_nothing(const Book* t, Hyde* state, int seat, Sink* sink) noexcept nogil:
    """Answer PASS to WED_TAKE. Whether the next round can begin."""
    cdef int place = state.chain_place
    state.chain_place = 0
    emit1(sink, V.E_WED_PASS, PUBLIC, seat)
    return score(t, state, place, sink)


cdef int attack_total(const Book* t, const Hyde* state, int place) noexcept nogil:
    """Points on a place, all faces known: cards, target, and the bonus of a pawn that stands there (R19, R22)."""
    cdef uint64_t slots = state.pile[place]
    cdef int total = 0
    cdef int seat
    while slots:
        total += t.eff[place][state.target_at[place]][kind_of(state.slot_card[lowest_bit(slots)])]
        slots &= slots - 1
    for seat in range(t.n):
        if state.pawn[seat] == place:
            total += t.bonus[state.outcast[seat]]
    return total


cdef bint score(const Book* t, Hyde* state, int place, Sink* sink) noexcept nogil:
    """5.9 steps 4-9: zero cards, the total against the need (R21), clean-up; True: on to the next round, False: over."""
    cdef uint64_t slots
    cdef int slot, kind, seat, lost
    cdef int total = attack_total(t, state, place)
    cdef bint ok = total >= t.need[state.attack_no]
    if sink != NULL:
        slots = state.pile[place]
        while slots:
            slot = lowest_bit(slots)
            slots &= slots - 1
            if t.zero_mask[place] >> kind_of(state.slot_card[slot]) & 1:
                emit1(sink, V.E_ZERO, PUBLIC, slot)
    emit3(sink, V.E_SCORE, PUBLIC, total, t.need[state.attack_no], ok)
    state.score = <uint8_t> total
    if ok:
        state.saved |= 1 << place
    slots = state.pile[place]
    while slots:
        slot = lowest_bit(slots)
        slots &= slots - 1
        kind = kind_of(state.slot_card[slot])
        if kind == SIX:
            state.sixes_removed += 1
        else:
            bag_add(state.discard, &state.discard_n, <uint8_t> kind)
        state.slot_card[slot] = 0
        state.slot_shuffle[slot] = 0
        state.slot_by[slot] = 0
        state.slot_source[slot] = 0
        state.slot_known[slot] = 0
        state.slot_one[slot] = 0
        state.slot_turn[slot] = 0
    state.pile[place] = 0
    lost = lost_targets(state)
    if lost == t.loss_limit or state.attack_no == ATTACKS:
        state.phase = V.OVER                          # R1-R3, R52
        state.asked = 0
        emit2(sink, V.E_END, PUBLIC, lost, grade(t, state))
        ask_nobody(sink)
        return False
    state.bag = ALL_OUTER & ~state.attacked
    state.shown = 0
    for seat in range(t.n):
        state.pawn[seat] = 0
    state.attack_no += 1
    emit1(sink, V.E_NEWROUND, PUBLIC, state.attack_no)
    return True

# ---- 8 End ----

cdef int grade(const Book* t, const Hyde* state) noexcept nogil:
    """3 master, 2 intermediate, 1 novice, 0 barely (only with loss_limit 4), -1 defeat."""
    cdef int lost = lost_targets(state)
    return -1 if lost >= t.loss_limit else 3 - lost


cdef void returns(const void* tables, const void* data, double* out) noexcept nogil:
    """The common grade of the team."""
    cdef const Book* t = <const Book*> tables
    cdef const Hyde* state = <const Hyde*> data
    cdef double value
    cdef int seat
    cdef int lost = lost_targets(state)
    if lost >= t.loss_limit:
        value = 0.08 * bit_count(state.saved)
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
