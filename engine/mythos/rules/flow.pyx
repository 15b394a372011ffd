"""The rules of Mythos in the order of the rulebook: setup, start, action, mission and end phase.

What lines do is in effects.pyx and below. Section numbers (5.x) are those of the flow in RULES.md; R.. are its rulings.
"""
from libc.string cimport memcpy, memset

from seatmate.engine.core.contract cimport ask_all, ask_nobody
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3, emit4
from seatmate.engine.core.types cimport MAX_ACTIONS, int32_t, uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport bag_add, bit_count, lowest_bit
from seatmate.engine.mythos.content.vocabulary cimport (
    COST_OF_PLAY, DECLINE, E_DECK, E_END_ROUND, E_EVALUATED, E_LINE, E_MISSION, E_MULLIGAN, E_OVER, E_PASS, E_POINTS,
    E_PUT, E_PUT_CARD, E_TRIPLE, E_TURN_END, HAND, INCOME, KEEP_TOK, MISSION_LOST, ON, PASS, PLAIN_RETURNS, PLAY_HIDDEN,
    Q_EFFECT, Q_MULLIGAN, Q_ORDER, Q_OVER, Q_TARGET, Q_TURN, Q_TURN_MISSION, Q_TURN_ONTO, RETURNED, REVEAL, ROUND_END,
    SCORE,
)
from seatmate.engine.mythos.rules.board cimport draw, hand_take, leave_play, new_unit, set_chakra, set_edge, set_tokens
from seatmate.engine.mythos.rules.effects cimport answer_frame, legal_in_frame, run_frames, settle
from seatmate.engine.mythos.rules.frames cimport begin_play, push_line
from seatmate.engine.mythos.rules.legal cimport kinds_of_hand
from seatmate.engine.mythos.rules.model cimport (
    FORCED, LINE_MAY, MISSIONS, NONE, PLAIN_RETURN, P_ACTION, P_END, P_MISSION, P_MULLIGAN, P_OVER, QUESTIONS, QUEUE,
    ROUND_TURNS, S_BEGIN, S_LOST, S_RETURNS, S_SCORE, S_THEN_SCORE, S_TURN, Character, Line, Mission, Mythos, Tables,
    Waiting, ask, ask_on, bit, controller, free_slot, units,
)
from seatmate.engine.mythos.rules.plays cimport (
    chain_play, missions_of, onto_actions, payable_onto, places, playable_hand,
)
from seatmate.engine.mythos.rules.query cimport income, total_power, under_static
from seatmate.engine.mythos.rules.settle cimport choices, forget_gone, remove_waiting, still_waits
from seatmate.engine.mythos.secrets.knowledge cimport hand_to

# ---- 5.2 Setup ----

cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef Mythos* h = <Mythos*> state
    cdef int seat
    memset(h, 0, sizeof(Mythos))
    for seat in range(2):
        memcpy(h.deck[seat], t.deck[seat], t.deck_n[seat])
        h.deck_n[seat] = t.deck_n[seat]
        memcpy(h.triple[seat], t.triple[seat], 3)
        show_list(t, h, seat, sink)
    h.starter = t.first if t.first != NONE else <uint8_t> rng_below(rng, 2)     # R5
    set_edge(h, h.starter, sink)
    h.active = h.edge
    for seat in range(2):
        draw(h, seat, t.start_hand, rng, sink)
    h.phase = P_MULLIGAN
    h.prompt = Q_MULLIGAN
    ask_all(sink, 3, Q_MULLIGAN, Q_MULLIGAN)


cdef void show_list(const Tables* t, const Mythos* h, int seat, Sink* sink) noexcept nogil:
    """The list of a deck: to all, or to its owner if lists are closed."""
    cdef int32_t args[16]
    cdef int audience = PUBLIC if t.open_lists else 1 << seat
    cdef int i
    cdef int n = 1
    if sink == NULL:
        return
    args[0] = seat
    for i in range(h.deck_n[seat]):
        args[n] = h.deck[seat][i]
        n += 1
        if n == 16 or i == h.deck_n[seat] - 1:
            emit(sink, E_DECK, audience, n, args)
            n = 1
    emit4(sink, E_TRIPLE, audience, seat, h.triple[seat][0], h.triple[seat][1], h.triple[seat][2])


cdef void mulligan(const Tables* t, Mythos* h, Rng* rng, Sink* sink) noexcept nogil:
    """Both have answered: whoever wanted to draws a new hand from the whole deck (R4)."""
    cdef int seat, i
    for seat in range(2):
        emit2(sink, E_MULLIGAN, PUBLIC, seat, h.mulligan[seat] - 1)
    for seat in range(2):
        if h.mulligan[seat] == 2:
            for i in range(h.hand_n[seat]):
                bag_add(h.deck[seat], &h.deck_n[seat], h.hand[seat][i])
                h.hand[seat][i] = 0
            h.hand_n[seat] = 0
            draw(h, seat, t.start_hand, rng, sink)
    start_round(t, h, rng, sink)

# ---- 5.3 Start phase ----

cdef int next_mission(const Tables* t, const Mythos* h, Rng* rng) noexcept nogil:
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
    cdef int turn_of = h.starter ^ (1 - h.missions & 1)
    for seat in range(2):
        for i in range(3):
            weight[seat][i] = 0
    for ways in range(1 << h.missions):
        chance = 1
        used[0] = 0
        used[1] = 0
        taken[0] = 0
        taken[1] = 0
        for m in range(h.missions):
            seat = ways >> m & 1
            if t.alternate and seat != h.starter ^ (1 - m & 1):
                chance = 0
                break
            for i in range(3):
                if h.triple[seat][i] == h.mission[m] and not taken[seat] >> i & 1:
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
                return h.triple[seat][i]
            pick -= weight[seat][i]
    return h.triple[0][0]


cdef void start_round(const Tables* t, Mythos* h, Rng* rng, Sink* sink) noexcept nogil:
    """Mission, chakra, draw (R8); then the first turn."""
    cdef int i, seat
    cdef int gain[2]
    h.mission[h.missions] = <uint8_t> next_mission(t, h, rng)
    h.missions += 1
    h.round += 1
    emit2(sink, E_MISSION, PUBLIC, h.missions - 1, h.mission[h.missions - 1])
    for seat in range(2):
        gain[seat] = income(t, h, seat)
    for seat in range(2):
        set_chakra(h, seat, gain[seat], INCOME, sink)
    for i in range(2):
        draw(h, h.edge if i == 0 else 1 - h.edge, t.round_draw, rng, sink)
    h.passed = 0
    h.last_turn[0] = 0
    h.last_turn[1] = 0
    h.round_turn = h.turn
    h.active = h.edge
    h.phase = P_ACTION
    h.step = S_BEGIN

# ---- 5.5 Action phase ----

cdef void go_on_with_turns(Mythos* h, Sink* sink) noexcept nogil:
    """A turn is over, or none has begun: the next one, or the mission phase."""
    if h.step == S_TURN:
        h.last_turn[h.active] = h.turn
        if h.passed >> (1 - h.active) & 1:
            h.last_turn[1 - h.active] = 0
        emit1(sink, E_TURN_END, PUBLIC, h.active)
        if not h.passed >> (1 - h.active) & 1:
            h.active = 1 - h.active
        h.step = S_BEGIN
    if h.passed == 3:
        h.phase = P_MISSION
        h.scoring = 0
        h.plays = 0
        return
    h.turn += 1
    h.plays = 0
    ask(h, sink, h.active, Q_TURN, Q_TURN)


cdef void pass_turn(Mythos* h, int seat, Sink* sink) noexcept nogil:
    """R11, R12: the first to pass takes the Edge."""
    if h.passed == 0:
        set_edge(h, seat, sink)
    h.passed |= <uint8_t> (1 << seat)
    h.last_turn[seat] = 0
    emit1(sink, E_PASS, PUBLIC, seat)
    if not h.passed >> (1 - seat) & 1:
        h.active = <uint8_t> (1 - seat)


cdef void answer_turn(const Tables* t, Mythos* h, int seat, int prompt, int answer, Sink* sink) noexcept nogil:
    """The chain TURN, TURN_MISSION, TURN_ONTO: nothing is told or paid before it is complete."""
    cdef int kind, zone, slot, mod, mask, mission
    cdef int onto = -1
    cdef uint64_t options
    cdef bint fresh
    if prompt == Q_TURN:
        if answer == PASS:
            pass_turn(h, seat, sink)
            return
        h.chain = <uint16_t> answer
    elif prompt == Q_TURN_MISSION:
        h.chain_mission = <uint8_t> (answer + 1)
    else:
        onto = NONE if answer == DECLINE else answer
    chain_play(t, h, seat, NULL, h.chain, &kind, &zone, &slot, &mod)
    if h.chain_mission == 0:
        mask = turn_missions(t, h, seat)
        if mask & (mask - 1):
            ask_on(h, sink, Q_TURN_MISSION)
            return
        h.chain_mission = <uint8_t> (lowest_bit(<uint64_t> mask) + 1)
    mission = h.chain_mission - 1
    if h.chain >= PLAY_HIDDEN and h.chain < REVEAL:
        h.chain = 0
        h.chain_mission = 0
        h.step = S_TURN
        put_down(t, h, seat, kind, mission, sink)
        settle(t, h)
        return
    if onto < 0:
        options = payable_onto(t, h, seat, kind, slot, mission, 0, &fresh)
        if bit_count(options) + fresh > 1:
            ask_on(h, sink, Q_TURN_ONTO)
            return
        onto = NONE if fresh else lowest_bit(options)
    h.chain = 0
    h.chain_mission = 0
    h.step = S_TURN
    begin_play(t, h, seat, kind, zone, slot, mission, onto, 0, sink)


cdef int turn_missions(const Tables* t, const Mythos* h, int seat) noexcept nogil:
    """The missions for what the chain wants to play, as a mask."""
    cdef int kind, zone, slot, mod
    if h.chain >= PLAY_HIDDEN and h.chain < REVEAL:
        return (1 << h.missions) - 1
    chain_play(t, h, seat, NULL, h.chain, &kind, &zone, &slot, &mod)
    return places(t, h, seat, kind, slot, 0)


cdef void put_down(const Tables* t, Mythos* h, int seat, int kind, int mission, Sink* sink) noexcept nogil:
    """A hand card is put face down: no line, no reaction (R14)."""
    cdef int slot
    cdef int32_t args[8]
    if t.hidden_cost:
        set_chakra(h, seat, h.chakra[seat] - t.hidden_cost, COST_OF_PLAY, sink)
    hand_take(h, seat, kind)
    slot = new_unit(h, kind, seat, seat, mission, 1 << seat)
    h.turn_of[slot] = h.turn
    hand_to(h, seat, bit(slot))
    if sink != NULL:
        args[0] = seat
        args[1] = slot
        args[2] = mission
        args[3] = HAND
        args[4] = seat
        args[5] = -1
        args[6] = 1
        args[7] = kind
        emit(sink, E_PUT, PUBLIC & ~(1 << seat), 7, args)
        emit(sink, E_PUT_CARD, 1 << seat, 8, args)


cdef int turn_actions(const Tables* t, const Mythos* h, int seat, action_t* out) noexcept nogil:
    """TURN: pass, play up, put down, reveal; ascending."""
    cdef uint64_t rest
    cdef int slot
    cdef int n = 1
    out[0] = PASS
    if h.turn - h.round_turn > ROUND_TURNS:
        return 1
    n = playable_hand(t, h, seat, out, n)
    if h.chakra[seat] >= t.hidden_cost and free_slot(h) != NONE:
        n = kinds_of_hand(h, seat, PLAY_HIDDEN, out, n)
    rest = h.side[seat] & ~h.up
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if t.reveal_wait and h.turn_of[slot] > h.round_turn:        # R7
            continue
        if places(t, h, seat, h.top[slot], slot, 0):
            out[n] = REVEAL + slot
            n += 1
    return n

# ---- 5.10 Mission phase ----

cdef void wait_to_score(Mythos* h, int line, int unit, int mission) noexcept nogil:
    if h.score_n == QUEUE:      # R94
        return
    h.score[h.score_n].line = <uint16_t> line
    h.score[h.score_n].unit = <uint8_t> unit
    h.score[h.score_n].serial = h.serial[unit] if unit != NONE else 0
    h.score[h.score_n].mission = <uint8_t> mission
    h.score_n += 1


cdef void collect(const Tables* t, Mythos* h, uint64_t from_units, int trigger, int event, int mission) noexcept nogil:
    """Let the lines of this trigger (and event) of some up units wait, in slot order."""
    cdef uint64_t rest = from_units & h.up
    cdef const Character* card
    cdef const Line* line
    cdef int slot, i
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        card = &t.character[h.top[slot]]
        if (trigger == ON and not card.events >> event & 1) or (trigger == SCORE and not card.headings >> SCORE & 1):
            continue
        for i in range(card.lines):
            line = &t.line[card.first + i]
            if line.trigger == trigger and (trigger == SCORE or line.events >> event & 1):
                wait_to_score(h, card.first + i, slot, mission)


cdef void evaluate_mission(const Tables* t, Mythos* h, Sink* sink) noexcept nogil:
    """R67: more power wins, at a tie the Edge; then lines of the mission and of both sides wait (R69 for their order)."""
    cdef const Mission* mission = &t.mission[h.mission[h.scoring]]
    cdef int sum[2]
    cdef int winner = NONE
    cdef int i, gain
    for i in range(2):
        sum[i] = total_power(t, h, h.scoring, i)
    if sum[0] or sum[1]:
        winner = h.edge if sum[0] == sum[1] else sum[0] < sum[1]
    emit4(sink, E_EVALUATED, PUBLIC, h.scoring, sum[0], sum[1], winner if winner != NONE else -1)
    if winner == NONE:
        h.scoring += 1
        return
    gain = mission.points + t.bonus[h.scoring]
    h.points[winner] = <uint8_t> (h.points[winner] + gain if h.points[winner] + gain < 255 else 255)
    emit3(sink, E_POINTS, PUBLIC, winner, h.points[winner], gain)
    h.active = <uint8_t> winner
    if mission.scores:
        for i in range(mission.lines):
            if t.line[mission.first + i].trigger == SCORE:
                wait_to_score(h, mission.first + i, NONE, h.scoring)
    collect(t, h, h.side[winner] & h.at[h.scoring], SCORE, 0, h.scoring)
    collect(t, h, h.side[1 - winner] & h.at[h.scoring], ON, MISSION_LOST, h.scoring)
    h.step = S_SCORE if h.edge == winner else S_LOST


cdef void go_on_with_missions(const Tables* t, Mythos* h, Sink* sink) noexcept nogil:
    """Evaluate the next mission, or carry out the lines that wait."""
    cdef action_t out[QUEUE]
    cdef int n
    if h.step == S_BEGIN:
        if h.scoring >= h.missions:
            h.scoring = 0
            begin_end(t, h, sink)
        else:
            evaluate_mission(t, h, sink)
        return
    n = score_choices(t, h, out)
    if n == 0:
        if h.step == S_SCORE or h.step == S_LOST:
            h.step += 1
        else:
            while h.score_n:
                remove_waiting(h.score, &h.score_n, h.score_n - 1)
            h.step = S_BEGIN
            h.scoring += 1
    elif n == 1:
        run_score(t, h, out[0])
    else:
        ask(h, sink, h.active, Q_ORDER, Q_ORDER)


cdef int places_of_choices(const Waiting* fitting, const int* place, int n, action_t* out) noexcept nogil:
    """Which of these waiting lines differ as a choice, by their place in the queue."""
    cdef action_t found[QUEUE]
    cdef int i
    cdef int m = choices(fitting, n, found)
    for i in range(m):
        out[i] = place[found[i]]
    return m


cdef int score_choices(const Tables* t, const Mythos* h, action_t* out) noexcept nogil:
    """Waiting lines of the group whose turn it is, whose sources are still there under the same controller."""
    cdef Waiting fitting[QUEUE]
    cdef int place[QUEUE]
    cdef bint scores = h.step == S_SCORE or h.step == S_THEN_SCORE
    cdef int i
    cdef int n = 0
    cdef const Waiting* w
    for i in range(h.score_n):
        w = &h.score[i]
        if (t.line[w.line].trigger == SCORE) != scores or not still_waits(t, h, w):
            continue
        if w.unit != NONE and (controller(h, w.unit) == h.active) != scores:
            continue
        fitting[n] = w[0]
        place[n] = i
        n += 1
    return places_of_choices(fitting, place, n, out)


cdef void run_score(const Tables* t, Mythos* h, int i) noexcept nogil:
    """The i-th waiting line: SCORE lines are optional unless they say "must", the loser's are not unless they say "may"."""
    cdef Waiting w = h.score[i]
    cdef const Line* line = &t.line[w.line]
    cdef int you = h.active if line.trigger == SCORE else 1 - h.active
    cdef int flags = 0 if line.trigger == SCORE or line.flags & LINE_MAY else FORCED
    remove_waiting(h.score, &h.score_n, i)
    push_line(h, w.line, you, w.unit, w.mission if w.unit == NONE else h.where[w.unit], flags, NONE)

# ---- 5.11 End phase ----

cdef void begin_end(const Tables* t, Mythos* h, Sink* sink) noexcept nogil:
    """After round 4 the game is over (R63); else the lines of the round's end wait."""
    cdef int winner
    if h.round == MISSIONS:
        winner = h.edge if h.points[0] == h.points[1] else h.points[0] < h.points[1]
        h.phase = P_OVER
        h.active = <uint8_t> winner
        h.asked = 0
        emit3(sink, E_OVER, PUBLIC, winner, h.points[0], h.points[1])
        ask_nobody(sink)
        return
    h.phase = P_END
    h.step = S_RETURNS
    h.active = h.edge
    collect(t, h, units(h), ON, ROUND_END, 0)


cdef int end_choices(const Tables* t, const Mythos* h, action_t* out, bint* returns) noexcept nogil:
    """Waiting lines other than plain returns; `returns`: there are plain ones, too."""
    cdef Waiting fitting[QUEUE]
    cdef int place[QUEUE]
    cdef int i
    cdef int n = 0
    returns[0] = False
    for i in range(h.score_n):
        if t.line[h.score[i].line].flags & PLAIN_RETURN:
            returns[0] = True
        else:
            fitting[n] = h.score[i]
            place[n] = i
            n += 1
    return places_of_choices(fitting, place, n, out)


cdef void go_on_with_end(const Tables* t, Mythos* h, Rng* rng, Sink* sink) noexcept nogil:
    """Lines in the order of the Edge holder (R64); plain returns commute and go together."""
    cdef action_t out[QUEUE]
    cdef bint returns
    cdef int n
    forget_gone(t, h, h.score, &h.score_n)
    n = end_choices(t, h, out, &returns)
    if n == 0 and not returns:
        finish_round(t, h, sink)
        start_round(t, h, rng, sink)
    elif n == 0:
        return_plainly(t, h, sink)
    elif n == 1 and not returns:
        run_end(t, h, out[0])
    else:
        h.active = h.edge
        ask(h, sink, h.edge, Q_ORDER, Q_ORDER)


cdef void run_end(const Tables* t, Mythos* h, int i) noexcept nogil:
    """The i-th waiting line, mandatory unless it says "may"."""
    cdef Waiting w = h.score[i]
    remove_waiting(h.score, &h.score_n, i)
    push_line(h, w.line, controller(h, w.unit), w.unit, h.where[w.unit],
              0 if t.line[w.line].flags & LINE_MAY else FORCED, NONE)


cdef void return_plainly(const Tables* t, Mythos* h, Sink* sink) noexcept nogil:
    """All units whose line just returns them, in slot order."""
    cdef Waiting w
    cdef int i = 0
    while i < h.score_n:
        w = h.score[i]
        if not t.line[w.line].flags & PLAIN_RETURN:
            i += 1
            continue
        emit4(sink, E_LINE, PUBLIC, w.unit, h.where[w.unit], w.line, controller(h, w.unit))
        leave_play(h, w.unit, RETURNED, sink)
        remove_waiting(h.score, &h.score_n, i)
    settle(t, h)


cdef void finish_round(const Tables* t, Mythos* h, Sink* sink) noexcept nogil:
    """Chakra and tokens go (R66)."""
    cdef uint64_t rest = units(h)
    cdef int slot
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if h.tokens[slot] and not under_static(t, h, slot, KEEP_TOK):
            set_tokens(h, slot, 0, sink)
    h.chakra[0] = 0
    h.chakra[1] = 0
    emit1(sink, E_END_ROUND, PUBLIC, h.round)

# ---- The contract ----

cdef uint32_t pending(const void* tables, const void* state) noexcept nogil:
    cdef const Mythos* h = <const Mythos*> state
    if h.phase == P_OVER:
        return 0
    if h.phase == P_MULLIGAN:
        return (h.mulligan[0] == 0) | (h.mulligan[1] == 0) << 1
    return <uint32_t> 1 << h.asked


cdef uint32_t asked(const void* tables, const void* state) noexcept nogil:
    cdef const Mythos* h = <const Mythos*> state
    return 3 if h.phase == P_MULLIGAN else pending(tables, state)


cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil:
    return (<const Mythos*> state).prompt if pending(tables, state) >> seat & 1 else -1


cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef const Mythos* h = <const Mythos*> state
    cdef int kind, zone, slot, mod, n
    cdef uint64_t options
    cdef bint more
    if not pending(tables, state) >> seat & 1:
        return 0
    if h.prompt == Q_MULLIGAN:
        out[0] = 0
        out[1] = 1
        return 2
    if h.prompt == Q_TURN:
        return turn_actions(t, h, seat, out)
    if h.prompt == Q_TURN_MISSION:
        return missions_of(turn_missions(t, h, seat), out)
    if h.prompt == Q_TURN_ONTO:
        chain_play(t, h, seat, NULL, h.chain, &kind, &zone, &slot, &mod)
        options = payable_onto(t, h, seat, kind, slot, h.chain_mission - 1, 0, &more)
        return onto_actions(options, more, out)
    if h.prompt == Q_ORDER and h.depth == 0:
        if h.phase == P_MISSION:
            return score_choices(t, h, out)
        n = end_choices(t, h, out, &more)
        if more:
            out[n] = PLAIN_RETURNS
            n += 1
        return n
    return legal_in_frame(t, h, h.prompt, out)


cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef Mythos* h = <Mythos*> state
    if h.prompt == Q_MULLIGAN:
        h.mulligan[seat] = <uint8_t> (action + 1)
        if h.mulligan[1 - seat] == 0:
            return
        h.prompt = Q_OVER
        mulligan(t, h, rng, sink)
        go_on(t, h, rng, sink)
    else:
        take_answer(t, h, seat, action, rng, sink)
        while h.turn + h.asks > QUESTIONS and h.phase != P_OVER:
            take_answer(t, h, h.asked, own_answer(t, h), rng, sink)


cdef void take_answer(const Tables* t, Mythos* h, int seat, int action, Rng* rng, Sink* sink) noexcept nogil:
    """Carry out the answer to the question that is asked, until the next one."""
    cdef int prompt = h.prompt
    h.prompt = Q_OVER
    if prompt == Q_TURN or prompt == Q_TURN_MISSION or prompt == Q_TURN_ONTO:
        answer_turn(t, h, seat, prompt, action, sink)
    elif h.depth:
        answer_frame(t, h, prompt, action, rng, sink)
    elif h.phase == P_MISSION:
        run_score(t, h, action)
    elif action == PLAIN_RETURNS:
        return_plainly(t, h, sink)
    else:
        run_end(t, h, action)
    go_on(t, h, rng, sink)


cdef int own_answer(const Tables* t, const Mythos* h) noexcept nogil:
    """What a question beyond the limit answers itself (R94): pass or decline where that is possible, else the first answer."""
    cdef action_t out[MAX_ACTIONS]
    cdef int n = legal_actions(t, h, h.asked, out)
    cdef int i
    if h.prompt == Q_TARGET or h.prompt == Q_EFFECT:
        for i in range(n):
            if out[i] == DECLINE:
                return DECLINE
    return out[0]       # PASS, 0, or DECLINE where it can be an answer


cdef void go_on(const Tables* t, Mythos* h, Rng* rng, Sink* sink) noexcept nogil:
    """Until somebody is asked, or the game is over."""
    while h.prompt == Q_OVER and h.phase != P_OVER:
        if h.depth:
            run_frames(t, h, rng, sink)
        elif h.phase == P_ACTION:
            go_on_with_turns(h, sink)
        elif h.phase == P_MISSION:
            go_on_with_missions(t, h, sink)
        else:
            go_on_with_end(t, h, rng, sink)
