"""What holds in every position, checked in C so that many random games can be."""
from libc.string cimport memset

from seatmate.engine.core.game cimport Game, State
from seatmate.engine.core.types cimport int16_t, uint8_t, uint64_t
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport (
    KINDS, MISSIONS, OPEN, QUESTIONS, UNITS, bit, controller, in_play, units,
)
from seatmate.engine.mythos.rules.query cimport card_matches, power, powers

PROBLEMS = (
    "", "cards are not conserved", "the unit masks contradict each other", "two characters of one name on one side of a mission",
    "a stolen character that nothing holds", "an up character that somebody does not know",
    "a hidden character its controller does not know", "lines wait although nothing is carried out",
    "bytes of a frame are left over",
    "the Edge is nowhere", "the number of missions is not that of the round", "a negative power",
    "the masks of links and locks are wrong", "a tracked card is nowhere", "the cards below tops are in disorder",
    "cards are looked at by nobody", "a power that was added up with the others is another",
    "a question beyond the limit was asked", "on a deck lies a card that is known not to be there",
)


cdef void count_cards(const Mythos* world, uint8_t* count) noexcept nogil:
    """count[owner * KINDS + kind] of all zones."""
    cdef uint64_t rest = units(world)
    cdef int s, i, j, slot, at
    memset(count, 0, 2 * KINDS)
    for s in range(2):
        for i in range(world.hand_n[s]):
            count[s * KINDS + world.hand[s][i]] += 1
        for i in range(world.deck_n[s]):
            count[s * KINDS + world.deck[s][i]] += 1
        for i in range(world.discard_n[s]):
            count[s * KINDS + world.discard[s][i]] += 1
        for i in range(world.top_n[s]):
            count[s * KINDS + world.top_kind[s][i]] += 1
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        count[world.owner[slot] * KINDS + world.top[slot]] += 1
    for i in range(world.under_n):
        count[world.under_owner[i] * KINDS + world.under_kind[i]] += 1
    at = 0
    for i in range(world.depth):
        for j in range(world.frame[i].looked):
            count[world.frame[i].you * KINDS + world.looked[at + j]] += 1
        at += world.frame[i].looked


cdef bint is_tracked_truly(const Mythos* world, int seat, int e) noexcept nogil:
    """Is a card of the track's kind in one of its containers?"""
    cdef int owner = 1 - seat
    cdef int kind = world.track[seat].kind[e]
    cdef uint64_t where = world.track[seat].where[e]
    cdef int i, j, slot, at
    if where >> V.IN_HAND & 1:
        for i in range(world.hand_n[owner]):
            if world.hand[owner][i] == kind:
                return True
    if where >> V.IN_TOP & 1:
        for i in range(world.top_n[owner]):
            if world.top_kind[owner][i] == kind and not world.top_known[owner][i] >> seat & 1:
                return True
        at = 0
        for i in range(world.depth):
            for j in range(world.frame[i].looked):
                if world.frame[i].you == owner and world.looked[at + j] == kind:
                    return True
            at += world.frame[i].looked
    for slot in range(UNITS):
        if where >> slot & 1 and units(world) >> slot & 1 and world.top[slot] == kind and world.owner[slot] == owner:
            return True
    return False


cdef int broken(const Book* t, const Mythos* world, bint sampled, bint lists) noexcept nogil:
    """0, or the number of the first invariant that does not hold. The lists of a sampled world may be made up."""
    cdef uint8_t count[2 * KINDS]
    cdef uint8_t want[2 * KINDS]
    cdef uint64_t all_units = units(world)
    cdef uint64_t seen, rest, mask
    cdef const uint8_t* byte
    cdef int s, i, m, slot, other, n
    cdef int16_t together[UNITS]
    count_cards(world, count)
    memset(want, 0, 2 * KINDS)
    for s in range(2):
        for i in range(t.deck_n[s]):
            want[s * KINDS + t.deck[s][i]] += 1
    for s in range(2):
        n = 0
        for i in range(KINDS):
            n += count[s * KINDS + i]
            if lists and count[s * KINDS + i] != want[s * KINDS + i] and not (sampled and not t.open_lists):
                return 1
        if lists and n != t.deck_n[s]:
            return 1
    seen = 0
    for m in range(MISSIONS):
        if seen & world.at[m]:
            return 2
        seen |= world.at[m]
    if (seen != all_units or world.side[0] & world.side[1] or world.up & ~all_units or world.arrived & ~all_units
            or all_units >> UNITS):
        return 2
    powers(t, world, together)
    n = 0
    for slot in range(UNITS):
        if not all_units >> slot & 1:
            if world.serial[slot] or world.top[slot] or world.tokens[slot] or world.below[slot] or world.known[slot]:
                return 2
            continue
        n += world.below[slot]
        if world.where[slot] >= world.missions or not world.at[world.where[slot]] >> slot & 1 or world.serial[slot] == 0:
            return 2
        if world.up >> slot & 1 and world.known[slot] != OPEN:
            return 5
        if not world.known[slot] >> controller(world, slot) & 1:
            return 6
        if power(t, world, slot) < 0:
            return 11
        if power(t, world, slot) != together[slot]:
            return 16
        if (world.linked >> slot & 1) != (world.link_serial[slot] != 0):
            return 12
        if world.depth == 0 and controller(world, slot) != world.owner[slot]:
            i = world.link[slot]
            if not world.linked >> slot & 1 or not in_play(world, i, world.link_serial[slot]) or not world.up >> i & 1:
                return 4
            if controller(world, i) != controller(world, slot):
                return 4
        if world.up >> slot & 1 and not world.arrived >> slot & 1:
            rest = world.up & world.at[world.where[slot]] & world.side[controller(world, slot)] & ~world.arrived & ~bit(slot)
            while rest:
                other = lowest_bit(rest)
                rest &= rest - 1
                if t.character[world.top[other]].name == t.character[world.top[slot]].name:
                    return 3
    if n != world.under_n:
        return 14
    for i in range(1, world.under_n):
        if world.under_unit[i] < world.under_unit[i - 1]:
            return 14
    mask = 0
    for slot in range(UNITS):
        if world.up >> slot & 1 and in_play(world, world.lock[slot], world.lock_serial[slot]):
            mask |= bit(world.lock[slot])
    if mask != world.locked:
        return 12
    n = 0
    for i in range(world.depth):
        n += world.frame[i].looked
    if n != world.looked_n:
        return 15
    if world.depth == 0 and (world.queue_n or world.defeated[0] or world.defeated[1] or world.arrived):
        return 7
    byte = <const uint8_t*> &world.frame[world.depth]
    while byte < <const uint8_t*> &world.track[0]:
        if byte[0]:
            return 8
        byte += 1
    for s in range(2):
        for i in range(world.top_n[s]):
            if world.top_not[s][i] and card_matches(t, world.top_kind[s][i], t.filter[world.top_not[s][i] - 1]):
                return 18
    if world.edge > 1:
        return 9
    if world.phase != V.P_OVER and world.turn + world.asks > QUESTIONS:
        return 17
    if world.phase != V.P_MULLIGAN and world.missions != world.round:
        return 10
    for s in range(2):
        for i in range(world.track[s].n):
            if not sampled and not is_tracked_truly(world, s, i):
                return 13
    return 0


def check(Game game, State state, bint lists = True) -> None:
    """Raise AssertionError that names the first invariant the position breaks; without `lists`, of any cards."""
    cdef int number = broken(<const Book*> game.tables, <const Mythos*> state.data, state.seed is None, lists)
    assert number == 0, PROBLEMS[number]
