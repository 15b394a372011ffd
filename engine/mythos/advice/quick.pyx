"""The choice of a rollout: the heuristic's, but cheap where a seat has its turn.

Most of what a turn costs the heuristic is working out what the text of every card would do on every mission. A rollout
asks what it brings on average (Book.worth) instead, and nothing that depends on a hidden card of the other seat.
"""
from seatmate.engine.core.types cimport MAX_ACTIONS, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.advice.actions cimport edge_value, hide_value, score_actions
from seatmate.engine.mythos.advice.judgement cimport (
    AMBUSH_TEXT, BACK, CHAKRA_WORTH, EARNER, PASS_EDGE, PASS_NOW, PLAYED, TEXT, UNIT, Judge, change, goes_back, look,
)
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport MISSIONS, NONE, Character, Mythos, Book
from seatmate.engine.mythos.rules.query cimport names_of

cdef struct Turn:
    # What the plays of a seat have in common.
    Judge judge
    int seat
    uint64_t names[MISSIONS]        # of its own up units


cdef void begin(Turn* turn, const Book* t, const Mythos* state, int seat) noexcept nogil:
    cdef int m
    look(&turn.judge, t, state)
    turn.seat = seat
    for m in range(state.missions):
        turn.names[m] = names_of(t, state, state.side[seat] & state.at[m] & state.up)


cdef int namesake(const Turn* turn, int kind, int mission) noexcept nogil:
    """The own up unit of the card's name there; NONE: it has none."""
    cdef const Mythos* state = turn.judge.state
    cdef const Book* t = turn.judge.t
    cdef uint64_t rest
    if t.character[kind].name & turn.names[mission]:
        rest = state.side[turn.seat] & state.at[mission] & state.up
        while rest:
            if t.character[state.top[lowest_bit(rest)]].name == t.character[kind].name:
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
        price -= j.t.character[j.state.top[onto]].cost
        gained -= j.t.character[j.state.top[onto]].power
        if price < 0:
            price = 0
    elif not reveal:
        sum += UNIT * j.rounds_left
    if not reveal:
        sum -= PLAYED
    if price > j.state.chakra[turn.seat]:       # legal only because something makes it cheaper
        price = j.state.chakra[turn.seat]
        sum -= 0.5
    if back and j.rounds_left:
        sum -= BACK
    if reveal and card.headings >> V.AMBUSH & 1:
        sum += AMBUSH_TEXT
    return sum + change(j, turn.seat, mission, gained, not back) - CHAKRA_WORTH * price


cdef float play_anywhere(const Turn* turn, int kind) noexcept nogil:
    """The best of all missions."""
    cdef float best = -100
    cdef float v
    cdef int m
    for m in range(turn.judge.state.missions):
        v = play_on(turn, kind, m, namesake(turn, kind, m), False)
        if v > best:
            best = v
    return best


cdef float turn_value(const Turn* turn, int action) noexcept nogil:
    cdef const Mythos* state = turn.judge.state
    cdef int slot
    if action < V.PLAY_HIDDEN:
        return play_anywhere(turn, action - V.PLAY_UP)
    if action < V.REVEAL:
        return hide_value(&turn.judge, turn.seat, action - V.PLAY_HIDDEN)
    slot = action - V.REVEAL
    return play_on(turn, state.top[slot], state.where[slot], namesake(turn, state.top[slot], state.where[slot]), True)


cdef action_t quick_turn(const Book* t, const Mythos* state, int seat, const action_t* actions, int n) noexcept nogil:
    """A turn, and where the card goes. PASS is the first answer, so it is looked at last."""
    cdef Turn turn
    cdef int q = state.prompt
    cdef int kind = 0
    cdef int slot = NONE
    cdef int i
    cdef int best = -1
    cdef float v
    cdef float highest = -100
    begin(&turn, t, state, seat)
    if q != V.Q_TURN:
        if state.chain >= V.REVEAL:
            slot = state.chain - V.REVEAL
            kind = state.top[slot]
        else:
            kind = state.chain - (V.PLAY_HIDDEN if state.chain >= V.PLAY_HIDDEN else V.PLAY_UP)
    for i in range(n):
        if q == V.Q_TURN:
            if actions[i] == V.PASS:
                continue
            v = turn_value(&turn, actions[i])
        elif q == V.Q_TURN_ONTO:
            v = play_on(&turn, kind, state.chain_mission - 1, NONE if actions[i] == V.DECLINE else actions[i], slot != NONE)
        elif state.chain >= V.PLAY_HIDDEN:        # a reveal stays where it is
            v = 0.05 * turn.judge.value[actions[i]] - 0.02 * bit_count(state.side[seat] & state.at[actions[i]])
        else:
            v = play_on(&turn, kind, actions[i], namesake(&turn, kind, actions[i]), False)
        if v > highest:
            highest = v
            best = i
    if q == V.Q_TURN:
        v = PASS_NOW
        if state.passed == 0:
            v += edge_value(&turn.judge, seat, seat) * (PASS_EDGE if highest > 0.3 else 1)
        if v >= highest:
            return V.PASS
    return actions[best]


cdef action_t quick_action(const void* tables, const void* data, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef const Mythos* state = <const Mythos*> data
    cdef double scores[MAX_ACTIONS]
    cdef int q = state.prompt
    cdef int i, best
    if q == V.Q_TURN or q == V.Q_TURN_MISSION or q == V.Q_TURN_ONTO:
        return quick_turn(t, state, seat, actions, n)
    score_actions(tables, data, seat, actions, n, scores)
    best = 0
    for i in range(1, n):
        if scores[i] > scores[best]:
            best = i
    return actions[best]
