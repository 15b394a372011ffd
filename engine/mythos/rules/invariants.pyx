"""What holds in every position, checked in C so that many random games can be."""
from libc.string cimport memset

from seatmate.engine.core.contract cimport lowest_seat
from seatmate.engine.core.game cimport Game, State
from seatmate.engine.core.rng cimport Rng, rng_below, seed_rng
from seatmate.engine.core.types cimport MAX_ACTIONS, action_t, int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.content.vocabulary cimport Q_TURN
from seatmate.engine.mythos.rules.model cimport (
    IN_HAND, IN_TOP, KINDS, MISSIONS, OPEN, P_MULLIGAN, P_OVER, QUESTIONS, UNITS, Mythos, Tables, bit, controller,
    in_play, units,
)
from seatmate.engine.mythos.rules.query cimport card_matches, power, powers

from seatmate.engine.core.rng import Stream

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


cdef void count_cards(const Mythos* h, uint8_t* count) noexcept nogil:
    """count[owner * KINDS + kind] of all zones."""
    cdef uint64_t rest = units(h)
    cdef int s, i, j, slot, at
    memset(count, 0, 2 * KINDS)
    for s in range(2):
        for i in range(h.hand_n[s]):
            count[s * KINDS + h.hand[s][i]] += 1
        for i in range(h.deck_n[s]):
            count[s * KINDS + h.deck[s][i]] += 1
        for i in range(h.discard_n[s]):
            count[s * KINDS + h.discard[s][i]] += 1
        for i in range(h.top_n[s]):
            count[s * KINDS + h.top_kind[s][i]] += 1
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        count[h.owner[slot] * KINDS + h.top[slot]] += 1
    for i in range(h.under_n):
        count[h.under_owner[i] * KINDS + h.under_kind[i]] += 1
    at = 0
    for i in range(h.depth):
        for j in range(h.frame[i].looked):
            count[h.frame[i].you * KINDS + h.looked[at + j]] += 1
        at += h.frame[i].looked


cdef bint is_tracked_truly(const Mythos* h, int seat, int e) noexcept nogil:
    """Is a card of the track's kind in one of its containers?"""
    cdef int owner = 1 - seat
    cdef int kind = h.track[seat].kind[e]
    cdef uint64_t where = h.track[seat].where[e]
    cdef int i, j, slot, at
    if where >> IN_HAND & 1:
        for i in range(h.hand_n[owner]):
            if h.hand[owner][i] == kind:
                return True
    if where >> IN_TOP & 1:
        for i in range(h.top_n[owner]):
            if h.top_kind[owner][i] == kind and not h.top_known[owner][i] >> seat & 1:
                return True
        at = 0
        for i in range(h.depth):
            for j in range(h.frame[i].looked):
                if h.frame[i].you == owner and h.looked[at + j] == kind:
                    return True
            at += h.frame[i].looked
    for slot in range(UNITS):
        if where >> slot & 1 and units(h) >> slot & 1 and h.top[slot] == kind and h.owner[slot] == owner:
            return True
    return False


cdef int broken(const Tables* t, const Mythos* h, bint sampled, bint lists) noexcept nogil:
    """0, or the number of the first invariant that does not hold. The lists of a sampled world may be made up."""
    cdef uint8_t count[2 * KINDS]
    cdef uint8_t want[2 * KINDS]
    cdef uint64_t all_units = units(h)
    cdef uint64_t seen, rest, mask
    cdef const uint8_t* byte
    cdef int s, i, m, slot, other, n
    cdef int16_t together[UNITS]
    count_cards(h, count)
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
        if seen & h.at[m]:
            return 2
        seen |= h.at[m]
    if seen != all_units or h.side[0] & h.side[1] or h.up & ~all_units or h.arrived & ~all_units or all_units >> UNITS:
        return 2
    powers(t, h, together)
    n = 0
    for slot in range(UNITS):
        if not all_units >> slot & 1:
            if h.serial[slot] or h.top[slot] or h.tokens[slot] or h.below[slot] or h.known[slot]:
                return 2
            continue
        n += h.below[slot]
        if h.where[slot] >= h.missions or not h.at[h.where[slot]] >> slot & 1 or h.serial[slot] == 0:
            return 2
        if h.up >> slot & 1 and h.known[slot] != OPEN:
            return 5
        if not h.known[slot] >> controller(h, slot) & 1:
            return 6
        if power(t, h, slot) < 0:
            return 11
        if power(t, h, slot) != together[slot]:
            return 16
        if (h.linked >> slot & 1) != (h.link_serial[slot] != 0):
            return 12
        if h.depth == 0 and controller(h, slot) != h.owner[slot]:
            i = h.link[slot]
            if not h.linked >> slot & 1 or not in_play(h, i, h.link_serial[slot]) or not h.up >> i & 1:
                return 4
            if controller(h, i) != controller(h, slot):
                return 4
        if h.up >> slot & 1 and not h.arrived >> slot & 1:
            rest = h.up & h.at[h.where[slot]] & h.side[controller(h, slot)] & ~h.arrived & ~bit(slot)
            while rest:
                other = lowest_bit(rest)
                rest &= rest - 1
                if t.character[h.top[other]].name == t.character[h.top[slot]].name:
                    return 3
    if n != h.under_n:
        return 14
    for i in range(1, h.under_n):
        if h.under_unit[i] < h.under_unit[i - 1]:
            return 14
    mask = 0
    for slot in range(UNITS):
        if h.up >> slot & 1 and in_play(h, h.lock[slot], h.lock_serial[slot]):
            mask |= bit(h.lock[slot])
    if mask != h.locked:
        return 12
    n = 0
    for i in range(h.depth):
        n += h.frame[i].looked
    if n != h.looked_n:
        return 15
    if h.depth == 0 and (h.queue_n or h.defeated[0] or h.defeated[1] or h.arrived):
        return 7
    byte = <const uint8_t*> &h.frame[h.depth]
    while byte < <const uint8_t*> &h.track[0]:
        if byte[0]:
            return 8
        byte += 1
    for s in range(2):
        for i in range(h.top_n[s]):
            if h.top_not[s][i] and card_matches(t, h.top_kind[s][i], t.filter[h.top_not[s][i] - 1]):
                return 18
    if h.edge > 1:
        return 9
    if h.phase != P_OVER and h.turn + h.asks > QUESTIONS:
        return 17
    if h.phase != P_MULLIGAN and h.missions != h.round:
        return 10
    for s in range(2):
        for i in range(h.track[s].n):
            if not sampled and not is_tracked_truly(h, s, i):
                return 13
    return 0


def check(Game game, State state, bint lists = True) -> None:
    """Raise AssertionError that names the first invariant the position breaks; without `lists`, of any cards."""
    cdef int number = broken(<const Tables*> game.tables, <const Mythos*> state.data, state.seed is None, lists)
    assert number == 0, PROBLEMS[number]


def random_games(Game game, int count, int seed, int eager = 0, int asked = 0) -> dict[str, int]:
    """Play random games and check every position. Returns the maxima seen: decisions, units, frames, reactions, tracks, questions.

    Uniformly random play passes early; in `eager` of 100 turns it plays something if it can. `asked`: so many questions count as
    asked before, which makes games meet the limit. Each question must be at most three decisions (RULES.md, section 10).
    Raises AssertionError with the number of the game that broke an invariant.
    """
    cdef const Tables* t = <const Tables*> game.tables
    cdef Mythos h
    cdef Rng rng
    cdef action_t legal[MAX_ACTIONS]
    cdef int number = 0
    cdef int decisions, n, i, _game
    cdef int most[6]
    cdef uint32_t pending, pick
    seed_rng(&rng, seed, (int(Stream.PLAYOUT),))
    memset(most, 0, sizeof(most))
    with nogil:
        for _game in range(count):
            game.rules.init(t, &h, &rng, NULL)
            h.asks = <uint16_t> asked
            decisions = 0
            pending = 3
            while pending:
                number = broken(t, &h, False, True)
                if number:
                    break
                i = lowest_seat(pending)
                n = game.rules.legal_actions(t, &h, i, legal)
                if n <= 0 or n > MAX_ACTIONS:
                    number = -1
                    break
                pick = rng_below(&rng, <uint32_t> n)
                if h.prompt == Q_TURN and n > 1 and <int> rng_below(&rng, 100) < eager:
                    pick = 1 + rng_below(&rng, <uint32_t> (n - 1))      # not PASS
                game.rules.advance(t, &h, i, legal[pick], &rng, NULL)
                decisions += 1
                if decisions > 2 + 3 * (h.turn + h.asks - asked) or decisions > 2 + 3 * QUESTIONS:
                    number = -2
                    break
                most[1] = max(most[1], bit_count(units(&h)))
                most[2] = max(most[2], h.depth)
                most[3] = max(most[3], max(h.queue_n, h.score_n))
                most[4] = max(most[4], max(h.track[0].n, h.track[1].n))
                pending = game.rules.pending(t, &h)
            most[0] = max(most[0], decisions)
            most[5] = max(most[5], h.turn + h.asks)
            if number:
                break
    problem = {-1: "no legal answer", -2: "more than three decisions of a question, or more than a game has"}.get(
        number, PROBLEMS[max(number, 0)])
    assert number == 0, f"game {_game} after {decisions} decisions: {problem}"
    return {"decisions": most[0], "units": most[1], "frames": most[2], "reactions": most[3], "tracks": most[4],
            "questions": most[5]}


cdef inline int max(int a, int b) noexcept nogil:
    return a if a > b else b
