"""The rules of Mythos in the order of the rulebook: setup, start, action, mission and end phase.

What lines do is in effects.pyx and below. Section numbers (5.x) are those of the flow in RULES.md; R.. are its rulings.
"""
from libc.string cimport memcpy, memset

from seatmate.engine.core.contract cimport ask_all, ask_nobody
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3, emit4
from seatmate.engine.core.types cimport MAX_ACTIONS, int32_t, uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport bag_add, lowest_bit
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules cimport board, plays
from seatmate.engine.mythos.rules.effects cimport answer_frame, legal_in_frame, run_frames, settle
from seatmate.engine.mythos.rules.frames cimport begin_play, push_line
from seatmate.engine.mythos.rules.legal cimport kinds_of_hand
from seatmate.engine.mythos.rules.model cimport (
    MISSIONS, NONE, QUESTIONS, QUEUE, ROUND_TURNS, Book, Character, Line, Mission, Mythos, Waiting, ask, bit, controller,
    free_slot, units,
)
from seatmate.engine.mythos.rules.query cimport income, total_power, under_static
from seatmate.engine.mythos.rules.settle cimport choices, forget_gone, remove_waiting, still_waits
from seatmate.engine.mythos.secrets.knowledge cimport hand_to

# ---- 5.2 Setup ----

cdef void init(const void* tables, void* data, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef Mythos* state = <Mythos*> data
    cdef int seat
    memset(state, 0, sizeof(Mythos))
    for seat in range(2):
        memcpy(state.deck[seat], t.deck[seat], t.deck_n[seat])
        state.deck_n[seat] = t.deck_n[seat]
        memcpy(state.triple[seat], t.triple[seat], 3)
        show_list(t, state, seat, sink)
    state.starter = t.first if t.first != NONE else <uint8_t> rng_below(rng, 2)     # R5
    board.set_edge(state, state.starter, sink)
    state.active = state.edge
    for seat in range(2):
        board.draw(state, seat, t.start_hand, rng, sink)
    state.phase = V.P_MULLIGAN
    state.prompt = V.Q_MULLIGAN
    ask_all(sink, 3, V.Q_MULLIGAN, V.Q_MULLIGAN)


cdef void show_list(const Book* t, const Mythos* state, int seat, Sink* sink) noexcept nogil:
    """The list of a deck: to all, or to its owner if lists are closed."""
    cdef int32_t args[16]
    cdef int audience = PUBLIC if t.open_lists else 1 << seat
    cdef int i
    cdef int n = 1
    if sink == NULL:
        return
    args[0] = seat
    for i in range(state.deck_n[seat]):
        args[n] = state.deck[seat][i]
        n += 1
        if n == 16 or i == state.deck_n[seat] - 1:
            emit(sink, V.E_DECK, audience, n, args)
            n = 1
    emit4(sink, V.E_TRIPLE, audience, seat, state.triple[seat][0], state.triple[seat][1], state.triple[seat][2])


cdef void mulligan(const Book* t, Mythos* state, Rng* rng, Sink* sink) noexcept nogil:
    """Both have answered: whoever wanted to draws a new hand from the whole deck (R4)."""
    cdef int seat, i
    for seat in range(2):
        emit2(sink, V.E_MULLIGAN, PUBLIC, seat, state.mulligan[seat] - 1)
    for seat in range(2):
        if state.mulligan[seat] == 2:
            for i in range(state.hand_n[seat]):
                bag_add(state.deck[seat], &state.deck_n[seat], state.hand[seat][i])
                state.hand[seat][i] = 0
            state.hand_n[seat] = 0
            board.draw(state, seat, t.start_hand, rng, sink)
    start_round(t, state, rng, sink)

# ---- 5.3 Start phase ----

cdef int next_mission(const Book* t, const Mythos* state, Rng* rng) noexcept nogil:
    """Draw the next mission. Its order is unknown to everybody, so it is drawn when it is needed (R6).

    Two of each seat's three missions are used, in a random order (or alternating). Who brought an open mission that both
    seats have is unknown; every way in which the open ones can have come counts with its probability: a first
    mission of a seat is one of three with two places left, 2/3, a second one of two with one place left, 1/2; times 6.
    """
    cdef uint32_t weight[2][3]
    cdef uint32_t total = 0
    cdef uint32_t chance, pick
    cdef int ways, i, seat, m
    cdef int used[2]
    cdef uint8_t taken[2]       # mask of places in the triple
    cdef int turn_of = state.starter ^ (1 - state.missions & 1)
    for seat in range(2):
        for i in range(3):
            weight[seat][i] = 0
    for ways in range(1 << state.missions):
        chance = 1
        used[0] = 0
        used[1] = 0
        taken[0] = 0
        taken[1] = 0
        for m in range(state.missions):
            seat = ways >> m & 1
            if t.alternate and seat != state.starter ^ (1 - m & 1):
                chance = 0
                break
            for i in range(3):
                if state.triple[seat][i] == state.mission[m] and not taken[seat] >> i & 1:
                    break
            else:
                chance = 0
                break
            if used[seat] == 2:
                chance = 0
                break
            chance *= 4 if used[seat] == 0 else 3
            used[seat] += 1
            taken[seat] |= <uint8_t> (1 << i)
        if chance == 0:
            continue
        for seat in range(2):
            if used[seat] == 2 or (t.alternate and seat != turn_of):
                continue
            for i in range(3):
                if not taken[seat] >> i & 1:
                    weight[seat][i] += chance * (4 if used[seat] == 0 else 3)
    for seat in range(2):
        for i in range(3):
            total += weight[seat][i]
    pick = rng_below(rng, total)
    for seat in range(2):
        for i in range(3):
            if pick < weight[seat][i]:
                return state.triple[seat][i]
            pick -= weight[seat][i]
    return state.triple[0][0]


cdef void start_round(const Book* t, Mythos* state, Rng* rng, Sink* sink) noexcept nogil:
    """Mission, chakra, draw (R8); then the first turn."""
    cdef int i, seat
    cdef int gain[2]
    state.mission[state.missions] = <uint8_t> next_mission(t, state, rng)
    state.missions += 1
    state.round += 1
    emit2(sink, V.E_MISSION, PUBLIC, state.missions - 1, state.mission[state.missions - 1])
    for seat in range(2):
        gain[seat] = income(t, state, seat)
    for seat in range(2):
        board.set_chakra(state, seat, gain[seat], V.INCOME, sink)
    for i in range(2):
        board.draw(state, state.edge if i == 0 else 1 - state.edge, t.round_draw, rng, sink)
    state.passed = 0
    state.last_turn[0] = 0
    state.last_turn[1] = 0
    state.round_turn = state.turn
    state.active = state.edge
    state.phase = V.P_ACTION
    state.step = V.S_BEGIN

# ---- 5.5 Action phase ----

cdef void go_on_with_turns(Mythos* state, Sink* sink) noexcept nogil:
    """A turn is over, or none has begun: the next one, or the mission phase."""
    if state.step == V.S_TURN:
        state.last_turn[state.active] = state.turn
        if state.passed >> (1 - state.active) & 1:
            state.last_turn[1 - state.active] = 0
        emit1(sink, V.E_TURN_END, PUBLIC, state.active)
        if not state.passed >> (1 - state.active) & 1:
            state.active = 1 - state.active
        state.step = V.S_BEGIN
    if state.passed == 3:
        state.phase = V.P_MISSION
        state.scoring = 0
        state.plays = 0
        return
    state.turn += 1
    state.plays = 0
    ask(state, sink, state.active, V.Q_TURN, V.Q_TURN)


cdef void pass_turn(Mythos* state, int seat, Sink* sink) noexcept nogil:
    """R11, R12: the first to pass takes the Edge."""
    if state.passed == 0:
        board.set_edge(state, seat, sink)
    state.passed |= <uint8_t> (1 << seat)
    state.last_turn[seat] = 0
    emit1(sink, V.E_PASS, PUBLIC, seat)
    if not state.passed >> (1 - seat) & 1:
        state.active = <uint8_t> (1 - seat)


cdef void answer_turn(const Book* t, Mythos* state, int seat, int prompt, int answer, Sink* sink) noexcept nogil:
    """The chain TURN, TURN_MISSION, TURN_ONTO."""
    cdef plays.Play play
    if prompt == V.Q_TURN and answer == V.PASS:
        pass_turn(state, seat, sink)
    elif plays.follow_chain(t, state, seat, NULL, V.Q_TURN, answer, &play, sink):
        state.step = V.S_TURN
        if play.hidden:
            put_down(t, state, seat, play.kind, play.mission, sink)
            settle(t, state)
        else:
            begin_play(t, state, seat, play.kind, play.zone, play.slot, play.mission, play.onto, 0, sink)


cdef void put_down(const Book* t, Mythos* state, int seat, int kind, int mission, Sink* sink) noexcept nogil:
    """A hand card is put face down: no line, no reaction (R14)."""
    cdef int slot
    if t.hidden_cost:
        board.set_chakra(state, seat, state.chakra[seat] - t.hidden_cost, V.COST_OF_PLAY, sink)
    board.hand_take(state, seat, kind)
    slot = board.new_unit(state, kind, seat, seat, mission, 1 << seat)
    state.turn_of[slot] = state.turn
    hand_to(state, seat, bit(slot))
    board.show_put(state, slot, V.HAND, True, sink)


cdef int turn_actions(const Book* t, const Mythos* state, int seat, action_t* out) noexcept nogil:
    """TURN: pass, play up, put down, reveal; ascending."""
    cdef uint64_t rest
    cdef int slot
    cdef int n = 1
    out[0] = V.PASS
    if state.turn - state.round_turn > ROUND_TURNS:
        return 1
    n = plays.playable_hand(t, state, seat, out, n)
    if state.chakra[seat] >= t.hidden_cost and free_slot(state) != NONE:
        n = kinds_of_hand(state, seat, V.PLAY_HIDDEN, out, n)
    rest = state.side[seat] & ~state.up
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if t.reveal_wait and state.turn_of[slot] > state.round_turn:        # R7
            continue
        if plays.places(t, state, seat, state.top[slot], slot, 0):
            out[n] = V.REVEAL + slot
            n += 1
    return n

# ---- 5.10 Mission phase ----

cdef void wait_to_score(Mythos* state, int line, int unit, int mission) noexcept nogil:
    if state.score_n == QUEUE:      # R94
        return
    state.score[state.score_n].line = <uint16_t> line
    state.score[state.score_n].unit = <uint8_t> unit
    state.score[state.score_n].serial = state.serial[unit] if unit != NONE else 0
    state.score[state.score_n].mission = <uint8_t> mission
    state.score_n += 1


cdef void collect(const Book* t, Mythos* state, uint64_t from_units, int trigger, int event, int mission) noexcept nogil:
    """Let the lines of this trigger (and event) of some up units wait, in slot order."""
    cdef uint64_t rest = from_units & state.up
    cdef const Character* card
    cdef const Line* line
    cdef int slot, i
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        card = &t.character[state.top[slot]]
        if (trigger == V.ON and not card.events >> event & 1) or (trigger == V.SCORE and not card.headings >> V.SCORE & 1):
            continue
        for i in range(card.lines):
            line = &t.line[card.first + i]
            if line.trigger == trigger and (trigger == V.SCORE or line.events >> event & 1):
                wait_to_score(state, card.first + i, slot, mission)


cdef void evaluate_mission(const Book* t, Mythos* state, Sink* sink) noexcept nogil:
    """R67: more power wins, at a tie the Edge; then lines of the mission and of both sides wait (R69 for their order)."""
    cdef const Mission* mission = &t.mission[state.mission[state.scoring]]
    cdef int sum[2]
    cdef int winner = NONE
    cdef int i, gain
    for i in range(2):
        sum[i] = total_power(t, state, state.scoring, i)
    if sum[0] or sum[1]:
        winner = state.edge if sum[0] == sum[1] else sum[0] < sum[1]
    emit4(sink, V.E_EVALUATED, PUBLIC, state.scoring, sum[0], sum[1], winner if winner != NONE else -1)
    if winner == NONE:
        state.scoring += 1
        return
    gain = mission.points + t.bonus[state.scoring]
    state.points[winner] = <uint8_t> (state.points[winner] + gain if state.points[winner] + gain < 255 else 255)
    emit3(sink, V.E_POINTS, PUBLIC, winner, state.points[winner], gain)
    state.active = <uint8_t> winner
    if mission.scores:
        for i in range(mission.lines):
            if t.line[mission.first + i].trigger == V.SCORE:
                wait_to_score(state, mission.first + i, NONE, state.scoring)
    collect(t, state, state.side[winner] & state.at[state.scoring], V.SCORE, 0, state.scoring)
    collect(t, state, state.side[1 - winner] & state.at[state.scoring], V.ON, V.MISSION_LOST, state.scoring)
    state.step = V.S_SCORE if state.edge == winner else V.S_LOST


cdef void go_on_with_missions(const Book* t, Mythos* state, Sink* sink) noexcept nogil:
    """Evaluate the next mission, or carry out the lines that wait."""
    cdef action_t out[QUEUE]
    cdef int n
    if state.step == V.S_BEGIN:
        if state.scoring >= state.missions:
            state.scoring = 0
            begin_end(t, state, sink)
        else:
            evaluate_mission(t, state, sink)
        return
    n = score_choices(t, state, out)
    if n == 0:
        if state.step == V.S_SCORE or state.step == V.S_LOST:
            state.step += 1
        else:
            while state.score_n:
                remove_waiting(state.score, &state.score_n, state.score_n - 1)
            state.step = V.S_BEGIN
            state.scoring += 1
    elif n == 1:
        run_score(t, state, out[0])
    else:
        ask(state, sink, state.active, V.Q_ORDER, V.Q_ORDER)


cdef int places_of_choices(const Waiting* fitting, const int* place, int n, action_t* out) noexcept nogil:
    """Which of these waiting lines differ as a choice, by their place in the queue."""
    cdef action_t found[QUEUE]
    cdef int i
    cdef int m = choices(fitting, n, found)
    for i in range(m):
        out[i] = place[found[i]]
    return m


cdef int score_choices(const Book* t, const Mythos* state, action_t* out) noexcept nogil:
    """Waiting lines of the group whose turn it is, whose sources are still there under the same controller."""
    cdef Waiting fitting[QUEUE]
    cdef int place[QUEUE]
    cdef bint scores = state.step == V.S_SCORE or state.step == V.S_THEN_SCORE
    cdef int i
    cdef int n = 0
    cdef const Waiting* w
    for i in range(state.score_n):
        w = &state.score[i]
        if (t.line[w.line].trigger == V.SCORE) != scores or not still_waits(t, state, w):
            continue
        if w.unit != NONE and (controller(state, w.unit) == state.active) != scores:
            continue
        fitting[n] = w[0]
        place[n] = i
        n += 1
    return places_of_choices(fitting, place, n, out)


cdef void run_score(const Book* t, Mythos* state, int i) noexcept nogil:
    """The i-th waiting line: SCORE lines are optional unless they say "must", the loser's are not unless they say "may"."""
    cdef Waiting w = state.score[i]
    cdef const Line* line = &t.line[w.line]
    cdef int you = state.active if line.trigger == V.SCORE else 1 - state.active
    cdef int flags = 0 if line.trigger == V.SCORE or line.flags & V.LINE_MAY else V.FORCED
    remove_waiting(state.score, &state.score_n, i)
    push_line(state, w.line, you, w.unit, w.mission if w.unit == NONE else state.where[w.unit], flags, NONE)

# ---- 5.11 End phase ----

cdef void begin_end(const Book* t, Mythos* state, Sink* sink) noexcept nogil:
    """After round 4 the game is over (R63); else the lines of the round's end wait."""
    cdef int winner
    if state.round == MISSIONS:
        winner = state.edge if state.points[0] == state.points[1] else state.points[0] < state.points[1]
        state.phase = V.P_OVER
        state.active = <uint8_t> winner
        state.asked = 0
        emit3(sink, V.E_OVER, PUBLIC, winner, state.points[0], state.points[1])
        ask_nobody(sink)
        return
    state.phase = V.P_END
    state.step = V.S_RETURNS
    state.active = state.edge
    collect(t, state, units(state), V.ON, V.ROUND_END, 0)


cdef int end_choices(const Book* t, const Mythos* state, action_t* out, bint* returns) noexcept nogil:
    """Waiting lines other than plain returns; `returns`: there are plain ones, too."""
    cdef Waiting fitting[QUEUE]
    cdef int place[QUEUE]
    cdef int i
    cdef int n = 0
    returns[0] = False
    for i in range(state.score_n):
        if t.line[state.score[i].line].flags & V.PLAIN_RETURN:
            returns[0] = True
        else:
            fitting[n] = state.score[i]
            place[n] = i
            n += 1
    return places_of_choices(fitting, place, n, out)


cdef void go_on_with_end(const Book* t, Mythos* state, Rng* rng, Sink* sink) noexcept nogil:
    """Lines in the order of the Edge holder (R64); plain returns commute and go together."""
    cdef action_t out[QUEUE]
    cdef bint returns
    cdef int n
    forget_gone(t, state, state.score, &state.score_n)
    n = end_choices(t, state, out, &returns)
    if n == 0 and not returns:
        finish_round(t, state, sink)
        start_round(t, state, rng, sink)
    elif n == 0:
        return_plainly(t, state, sink)
    elif n == 1 and not returns:
        run_end(t, state, out[0])
    else:
        state.active = state.edge
        ask(state, sink, state.edge, V.Q_ORDER, V.Q_ORDER)


cdef void run_end(const Book* t, Mythos* state, int i) noexcept nogil:
    """The i-th waiting line, mandatory unless it says "may"."""
    cdef Waiting w = state.score[i]
    remove_waiting(state.score, &state.score_n, i)
    push_line(state, w.line, controller(state, w.unit), w.unit, state.where[w.unit],
              0 if t.line[w.line].flags & V.LINE_MAY else V.FORCED, NONE)


cdef void return_plainly(const Book* t, Mythos* state, Sink* sink) noexcept nogil:
    """All units whose line just returns them, in slot order."""
    cdef Waiting w
    cdef int i = 0
    while i < state.score_n:
        w = state.score[i]
        if not t.line[w.line].flags & V.PLAIN_RETURN:
            i += 1
            continue
        emit4(sink, V.E_LINE, PUBLIC, w.unit, state.where[w.unit], w.line, controller(state, w.unit))
        board.leave_play(state, w.unit, V.RETURNED, sink)
        remove_waiting(state.score, &state.score_n, i)
    settle(t, state)


cdef void finish_round(const Book* t, Mythos* state, Sink* sink) noexcept nogil:
    """Chakra and tokens go (R66)."""
    cdef uint64_t rest = units(state)
    cdef int slot
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if state.tokens[slot] and not under_static(t, state, slot, V.KEEP_TOK):
            board.set_tokens(state, slot, 0, sink)
    state.chakra[0] = 0
    state.chakra[1] = 0
    emit1(sink, V.E_END_ROUND, PUBLIC, state.round)

# ---- The contract ----

cdef uint32_t pending(const void* tables, const void* data) noexcept nogil:
    cdef const Mythos* state = <const Mythos*> data
    if state.phase == V.P_OVER:
        return 0
    if state.phase == V.P_MULLIGAN:
        return (state.mulligan[0] == 0) | (state.mulligan[1] == 0) << 1
    return <uint32_t> 1 << state.asked


cdef uint32_t asked(const void* tables, const void* data) noexcept nogil:
    cdef const Mythos* state = <const Mythos*> data
    return 3 if state.phase == V.P_MULLIGAN else pending(tables, data)


cdef int prompt(const void* tables, const void* data, int seat) noexcept nogil:
    return (<const Mythos*> data).prompt if pending(tables, data) >> seat & 1 else -1


cdef int legal_actions(const void* tables, const void* data, int seat, action_t* out) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef const Mythos* state = <const Mythos*> data
    cdef int n
    cdef bint more
    if not pending(tables, data) >> seat & 1:
        return 0
    if state.prompt == V.Q_MULLIGAN:
        out[0] = 0
        out[1] = 1
        return 2
    if state.prompt == V.Q_TURN:
        return turn_actions(t, state, seat, out)
    if state.prompt == V.Q_TURN_MISSION or state.prompt == V.Q_TURN_ONTO:
        return plays.chain_answers(t, state, seat, NULL, out)
    if state.prompt == V.Q_ORDER and state.depth == 0:
        if state.phase == V.P_MISSION:
            return score_choices(t, state, out)
        n = end_choices(t, state, out, &more)
        if more:
            out[n] = V.PLAIN_RETURNS
            n += 1
        return n
    return legal_in_frame(t, state, state.prompt, out)


cdef void advance(const void* tables, void* data, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef Mythos* state = <Mythos*> data
    if state.prompt == V.Q_MULLIGAN:
        state.mulligan[seat] = <uint8_t> (action + 1)
        if state.mulligan[1 - seat] == 0:
            return
        state.prompt = V.Q_OVER
        mulligan(t, state, rng, sink)
        go_on(t, state, rng, sink)
    else:
        take_answer(t, state, seat, action, rng, sink)
        while state.turn + state.asks > QUESTIONS and state.phase != V.P_OVER:
            take_answer(t, state, state.asked, own_answer(t, state), rng, sink)


cdef void take_answer(const Book* t, Mythos* state, int seat, int action, Rng* rng, Sink* sink) noexcept nogil:
    """Carry out the answer to the question that is asked, until the next one."""
    cdef int prompt = state.prompt
    state.prompt = V.Q_OVER
    if prompt == V.Q_TURN or prompt == V.Q_TURN_MISSION or prompt == V.Q_TURN_ONTO:
        answer_turn(t, state, seat, prompt, action, sink)
    elif state.depth:
        answer_frame(t, state, prompt, action, rng, sink)
    elif state.phase == V.P_MISSION:
        run_score(t, state, action)
    elif action == V.PLAIN_RETURNS:
        return_plainly(t, state, sink)
    else:
        run_end(t, state, action)
    go_on(t, state, rng, sink)


cdef int own_answer(const Book* t, const Mythos* state) noexcept nogil:
    """What a question beyond the limit answers itself (R94): pass or decline where that is possible, else the first answer."""
    cdef action_t out[MAX_ACTIONS]
    cdef int n = legal_actions(t, state, state.asked, out)
    cdef int i
    if state.prompt == V.Q_TARGET or state.prompt == V.Q_EFFECT:
        for i in range(n):
            if out[i] == V.DECLINE:
                return V.DECLINE
    return out[0]       # PASS, 0, or DECLINE where it can be an answer


cdef void go_on(const Book* t, Mythos* state, Rng* rng, Sink* sink) noexcept nogil:
    """Until somebody is asked, or the game is over."""
    while state.prompt == V.Q_OVER and state.phase != V.P_OVER:
        if state.depth:
            run_frames(t, state, rng, sink)
        elif state.phase == V.P_ACTION:
            go_on_with_turns(state, sink)
        elif state.phase == V.P_MISSION:
            go_on_with_missions(t, state, sink)
        else:
            go_on_with_end(t, state, rng, sink)
