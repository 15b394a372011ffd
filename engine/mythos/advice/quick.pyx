"""The choice of a rollout: the heuristic's, but cheap where a seat has its turn.

Most of what a turn costs the heuristic is working out what the text of every card would do on every mission. A rollout
asks what it brings on average (Tables.worth) instead, and nothing that depends on a hidden card of the other seat.
"""
from seatmate.engine.core.types cimport MAX_ACTIONS, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.advice.actions cimport edge_value, hide_value, score_actions
from seatmate.engine.mythos.advice.judgement cimport (
    AMBUSH_TEXT, BACK, CHAKRA_WORTH, EARNER, PASS_EDGE, PASS_NOW, PLAYED, TEXT, UNIT, Judge, change, goes_back, look,
)
from seatmate.engine.mythos.content.vocabulary cimport (
    AMBUSH, DECLINE, PASS, PLAY_HIDDEN, PLAY_UP, Q_TURN, Q_TURN_MISSION, Q_TURN_ONTO, REVEAL,
)
from seatmate.engine.mythos.rules.model cimport MISSIONS, NONE, Character, Mythos, Tables

cdef struct Turn:
    # What the plays of a seat have in common.
    Judge judge
    int seat
    uint64_t names[MISSIONS]        # of its own up units


cdef void begin(Turn* turn, const Tables* t, const Mythos* h, int seat) noexcept nogil:
    cdef uint64_t rest
    cdef int m
    look(&turn.judge, t, h)
    turn.seat = seat
    for m in range(h.missions):
        turn.names[m] = 0
        rest = h.side[seat] & h.at[m] & h.up
        while rest:
            turn.names[m] |= t.character[h.top[lowest_bit(rest)]].name
            rest &= rest - 1


cdef int namesake(const Turn* turn, int kind, int mission) noexcept nogil:
    """The own up unit of the card's name there; NONE: it has none."""
    cdef const Mythos* h = turn.judge.h
    cdef const Tables* t = turn.judge.t
    cdef uint64_t rest
    if t.character[kind].name & turn.names[mission]:
        rest = h.side[turn.seat] & h.at[mission] & h.up
        while rest:
            if t.character[h.top[lowest_bit(rest)]].name == t.character[kind].name:
                return lowest_bit(rest)
            rest &= rest - 1
    return NONE


cdef float play_on(const Turn* turn, int kind, int mission, int onto, bint reveal) noexcept nogil:
    """What playing the card there brings, at its printed cost."""
    cdef const Judge* j = &turn.judge
    cdef const Character* card = &j.t.character[kind]
    cdef int price = card.cost
    cdef float gained = card.power
    cdef bint back = goes_back(j.t, kind)
    cdef float sum = TEXT * j.t.worth[kind] + EARNER * card.income * j.rounds_left
    if onto != NONE:
        price -= j.t.character[j.h.top[onto]].cost
        gained -= j.t.character[j.h.top[onto]].power
        if price < 0:
            price = 0
    elif not reveal:
        sum += UNIT * j.rounds_left
    if not reveal:
        sum -= PLAYED
    if price > j.h.chakra[turn.seat]:       # legal only because something makes it cheaper
        price = j.h.chakra[turn.seat]
        sum -= 0.5
    if back and j.rounds_left:
        sum -= BACK
    if reveal and card.headings >> AMBUSH & 1:
        sum += AMBUSH_TEXT
    return sum + change(j, turn.seat, mission, gained, not back) - CHAKRA_WORTH * price


cdef float play_anywhere(const Turn* turn, int kind) noexcept nogil:
    """The best of all missions."""
    cdef float best = -100
    cdef float v
    cdef int m
    for m in range(turn.judge.h.missions):
        v = play_on(turn, kind, m, namesake(turn, kind, m), False)
        if v > best:
            best = v
    return best


cdef float turn_value(const Turn* turn, int action) noexcept nogil:
    cdef const Mythos* h = turn.judge.h
    cdef int slot
    if action < PLAY_HIDDEN:
        return play_anywhere(turn, action - PLAY_UP)
    if action < REVEAL:
        return hide_value(&turn.judge, turn.seat, action - PLAY_HIDDEN)
    slot = action - REVEAL
    return play_on(turn, h.top[slot], h.where[slot], namesake(turn, h.top[slot], h.where[slot]), True)


cdef action_t quick_turn(const Tables* t, const Mythos* h, int seat, const action_t* actions, int n) noexcept nogil:
    """A turn, and where the card goes. PASS is the first answer, so it is looked at last."""
    cdef Turn turn
    cdef int q = h.prompt
    cdef int kind = 0
    cdef int slot = NONE
    cdef int i
    cdef int best = -1
    cdef float v
    cdef float highest = -100
    begin(&turn, t, h, seat)
    if q != Q_TURN:
        if h.chain >= REVEAL:
            slot = h.chain - REVEAL
            kind = h.top[slot]
        else:
            kind = h.chain - (PLAY_HIDDEN if h.chain >= PLAY_HIDDEN else PLAY_UP)
    for i in range(n):
        if q == Q_TURN:
            if actions[i] == PASS:
                continue
            v = turn_value(&turn, actions[i])
        elif q == Q_TURN_ONTO:
            v = play_on(&turn, kind, h.chain_mission - 1, NONE if actions[i] == DECLINE else actions[i], slot != NONE)
        elif h.chain >= PLAY_HIDDEN:        # a reveal stays where it is
            v = 0.05 * turn.judge.value[actions[i]] - 0.02 * bit_count(h.side[seat] & h.at[actions[i]])
        else:
            v = play_on(&turn, kind, actions[i], namesake(&turn, kind, actions[i]), False)
        if v > highest:
            highest = v
            best = i
    if q == Q_TURN:
        v = PASS_NOW
        if h.passed == 0:
            v += edge_value(&turn.judge, seat, seat) * (PASS_EDGE if highest > 0.3 else 1)
        if v >= highest:
            return PASS
    return actions[best]


cdef action_t quick_action(const void* tables, const void* state, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef const Mythos* h = <const Mythos*> state
    cdef double scores[MAX_ACTIONS]
    cdef int q = h.prompt
    cdef int i, best
    if q == Q_TURN or q == Q_TURN_MISSION or q == Q_TURN_ONTO:
        return quick_turn(t, h, seat, actions, n)
    score_actions(tables, state, seat, actions, n, scores)
    best = 0
    for i in range(1, n):
        if scores[i] > scores[best]:
            best = i
    return actions[best]
