"""What the answers to a question are worth: one number each, from what the asked seat sees.

Values are counted in points and scaled to utilities at the end. A play is worth the power it brings where it goes, and
what its lines would do there: `line_value` adds up the best targets of every step.
"""
from seatmate.engine.core.machine cimport Call, next_call, value
from seatmate.engine.core.types cimport int32_t, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.advice.judgement cimport (
    BACK, BODY, BODY_HIDDEN, BODY_POWER, CARD, CHAKRA_WORTH, EARNER, EDGE_WORTH, FACE, FACE_POWER, LASTING_POWER, LINE,
    PASS_EDGE, PASS_NOW, PLAYED, PUT, PUT_AMBUSH, PUT_COST, PUT_LASTING, SCORING, UNIT, change, goes_back, look,
)
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.legal cimport destinations, legal_targets, pick_amount, target_selector
from seatmate.engine.mythos.rules.model cimport (
    Character, Frame, Line, Mythos, Book, Waiting, controller, free_slot, is_up,
)
from seatmate.engine.mythos.rules.plays cimport (
    Modifiers, chain_play, cost, may_be_played, may_reveal, modifiers, onto_options,
)
from seatmate.engine.mythos.rules.query cimport Context, has_namesake, look_from, look_from_frame, names_of, select

from seatmate.engine.mythos.content.pack import ROWS, VOCABULARY

cdef float UTILITY = 0.04               # utility of a point
cdef float GIFT = 3                     # points by which tokens for an enemy look worse than counted: mostly luck speaks for them
cdef float WORTH[V.POWER]               # what verbs are worth that nothing below knows better

for _name, _row in ROWS.items():
    if VOCABULARY.verbs[_name].code < V.POWER:
        WORTH[<int> VOCABULARY.verbs[_name].code] = _row.worth

# ---- Units ----

cdef inline float worth_of(const Judge* j, int slot) noexcept nogil:
    """What a unit is worth to its controller: its card, and the power it brings where it is."""
    cdef float p = j.power[slot]
    cdef float body = BODY + BODY_POWER * p if is_up(j.state, slot) else BODY + BODY_HIDDEN
    return body - change(j, controller(j.state, slot), j.state.where[slot], -p, not j.back >> slot & 1)


cdef float worth_of_face(const Judge* j, int slot) noexcept nogil:
    """What a unit loses that is turned face down: its printed power and its text, until somebody pays for it again."""
    cdef float printed = j.t.character[j.state.top[slot]].power
    cdef float p = j.power[slot]
    if printed > p:
        printed = p
    return FACE + FACE_POWER * printed - change(j, controller(j.state, slot), j.state.where[slot], -printed, True)


cdef float best_move(const Context* c, const Judge* j, int seat, int slot, int to) noexcept nogil:
    """What the seat gains by the best destination of a unit."""
    cdef int mask = destinations(c, slot, to)
    cdef int m
    cdef float best = -100
    cdef float here
    for m in range(V.MISSIONS):
        if mask >> m & 1:
            here = move_value(j, seat, slot, m)
            if here > best:
                best = here
    return best if best > -100 else 0


cdef float move_value(const Judge* j, int seat, int slot, int mission) noexcept nogil:
    """What the seat gains when the unit goes there; a clash defeats an enemy."""
    cdef int side = controller(j.state, slot)
    cdef float p = j.power[slot]
    cdef float moved
    if (is_up(j.state, slot) and side != seat
            and has_namesake(j.t, j.state, j.state.side[side] & j.state.at[mission] & j.state.up, slot)):
        return worth_of(j, slot)
    moved = change(j, side, mission, p, True) + change(j, side, j.state.where[slot], -p, True)
    return moved if side == seat else -moved


cdef float target_value(const Context* c, const Judge* j, int seat, int verb, int extra, int n, int slot) noexcept nogil:
    """What it is worth to the seat that the verb befalls this unit."""
    cdef const Mythos* state = j.state
    cdef int side = controller(state, slot)
    cdef float sign = 1 if side == seat else -1
    cdef int tokens = state.tokens[slot]
    if verb == V.PICK:
        verb = V.HIDE if extra == V.R_HIDE else V.DEFEAT if extra == V.R_DEFEAT else V.MOVE
        extra = 0
    if verb == V.TOK:
        return sign * (0.1 * n + change(j, side, state.where[slot], n, False))
    if verb == V.UNTOK or verb == V.TAKE_TOK:
        if n > tokens:
            n = tokens
        return sign * change(j, side, state.where[slot], -n, False) + (0.2 * n if verb == V.TAKE_TOK else 0)
    if verb == V.MOVE:
        return best_move(c, j, seat, slot, extra)
    if verb == V.HIDE:
        return -sign * worth_of_face(j, slot)
    if verb == V.DEFEAT:
        return -sign * worth_of(j, slot)
    if verb == V.CONTROL:
        return worth_of(j, slot) + change(j, seat, state.where[slot], j.power[slot], True)
    if verb == V.RETURN:
        return -sign * (worth_of(j, slot) - CARD)
    if verb == V.PEEL:
        return -sign * (0.5 + 0.5 * worth_of_face(j, slot))
    if verb == V.LOOK:
        return 0.2 if side != seat else 0.1
    return -sign * WORTH[verb]

# ---- Lines ----

cdef float call_value(const Context* c, const Judge* j, const Call* call) noexcept nogil:
    """What a call of a line of yours is worth to you, with the best choice."""
    cdef const Mythos* state = j.state
    cdef int you = c.you
    cdef bint mine = call.who != 1
    cdef bint theirs = call.who >= 1
    cdef int n = call.args[0]
    cdef int selector, pick, extra, slot, many
    cdef uint64_t rest
    cdef float v, best, sum
    cdef int verb = call.verb
    if verb > V.PICK:
        if verb == V.DRAW:
            return CARD * ((n if n < 3 else 3) * (mine - theirs))
        if verb == V.DISCARD:
            n = n if n < state.hand_n[you if mine else 1 - you] else state.hand_n[you if mine else 1 - you]
            return -CARD * n if mine else CARD * n
        if verb == V.CHAKRA:
            return CHAKRA_WORTH * n * (mine - theirs)
        if verb == V.STEAL:
            return 2 * CHAKRA_WORTH if state.chakra[1 - you] else 0
        if verb == V.EDGE:
            return edge_value(j, you if n == 0 else 1 - you, you)
        if verb == V.POINTS:
            return n
        if verb == V.RAID:
            return CARD
        if verb == V.PLAY:
            return 0.8 if state.hand_n[you] > 1 or state.discard_n[you] else 0.1
        return WORTH[verb]
    selector = target_selector(verb, call.args)
    pick = c.t.selector[selector].pick
    extra = call.args[1] if verb == V.MOVE or verb == V.PICK else 0
    if n > 99:
        n = 99
    if c.source == V.NONE and c.t.selector[selector].base == V.SELF:        # a card that is not in play yet
        return 0.1 * n + change(j, you, c.here, n, False) if verb == V.TOK else 0.3 if verb == V.MOVE else 0
    rest = legal_targets(c, verb, extra, selector)
    best = 0
    sum = 0
    many = 1
    if pick == V.SO_MANY:
        many = pick_amount(c, selector)
    elif pick == V.DOWN:
        many = bit_count(select(c, selector)) - pick_amount(c, selector)
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        v = target_value(c, j, you, verb, extra, n, slot)
        sum += v
        if v > best or (best == 0 and sum == v):
            best = v
    if pick == V.EVERY:
        return sum
    if many > 1:
        return best * (1 + 0.5 * (many - 1))
    return best


cdef float line_value(const Context* c, const Judge* j, int number) noexcept nogil:
    """What a line would bring: its costs and all its steps, the chained ones too."""
    cdef const Line* line = &c.t.line[number]
    cdef Call call
    cdef int32_t at
    cdef float sum = 0
    cdef int steps = 0
    if not value(&c.machine, line.when):
        return 0
    if line.pay >= 0:
        at = line.pay
        while next_call(&c.machine, &at, True, &call):
            sum += call_value(c, j, &call)
    at = line.body
    while steps < 8 and next_call(&c.machine, &at, True, &call):
        sum += call_value(c, j, &call)
        steps += 1
    return sum


cdef float edge_value(const Judge* j, int holder, int seat) noexcept nogil:
    """What it is worth to the seat that `holder` gets the Edge: ties, and half a power everywhere."""
    cdef int m
    cdef float sum = 0
    if j.state.edge == holder:
        return 0
    for m in range(j.state.missions):
        sum += change(j, holder, m, 0.6, False)
    return sum + EDGE_WORTH if holder == seat else -sum - EDGE_WORTH

# ---- Plays ----

cdef struct Plays:
    # What the plays of a seat have in common, by mission.
    Modifiers modifiers[V.MISSIONS]
    uint64_t names[V.MISSIONS]        # of its own up units
    bint room                       # for a new unit

cdef float play_value(const Judge* j, int seat, int kind, int mission, int onto, bint reveal, int price) noexcept nogil:
    """What a play brings: power where it goes, lines, a character more for the rounds to come; less what it costs."""
    cdef const Book* t = j.t
    cdef const Mythos* state = j.state
    cdef const Character* card = &t.character[kind]
    cdef Context c
    cdef const Line* line
    cdef bint back = goes_back(t, kind)
    cdef float gained = card.power
    cdef float sum, v
    cdef int i
    if onto != V.NONE:
        gained -= t.character[state.top[onto]].power
    sum = change(j, seat, mission, gained, not back) - CHAKRA_WORTH * price
    if onto == V.NONE and not reveal:
        sum += UNIT * j.rounds_left - PLAYED
    elif not reveal:
        sum -= PLAYED
    if back and j.rounds_left:
        sum -= BACK
    if card.income:
        sum += EARNER * j.rounds_left
    if card.statics & 1:
        sum += LASTING_POWER
    if card.headings:
        look_from(&c, t, state, seat, V.NONE, mission)
        c.upg = onto != V.NONE
        for i in range(card.lines):
            line = &t.line[card.first + i]
            if line.trigger == V.MAIN or (line.trigger == V.UPGRADE and onto != V.NONE) or (line.trigger == V.AMBUSH and reveal):
                v = line_value(&c, j, card.first + i)
                if v > 0:
                    sum += LINE * v
            elif line.trigger == V.SCORE:
                sum += SCORING
    return sum


cdef void find_plays(Plays* p, const Judge* j, int seat) noexcept nogil:
    """Collect what all plays of a seat have in common."""
    cdef const Mythos* state = j.state
    cdef int m
    p.room = free_slot(state) != V.NONE
    for m in range(state.missions):
        modifiers(j.t, state, seat, m, &p.modifiers[m])
        p.names[m] = names_of(j.t, state, state.side[seat] & state.at[m] & state.up)


cdef float best_play(const Plays* p, const Judge* j, int seat, int kind, int slot, int mod, int only) noexcept nogil:
    """The best payable way to play a card (or to reveal a unit); `only`: the mission, V.NONE = any."""
    cdef const Book* t = j.t
    cdef const Mythos* state = j.state
    cdef const Character* card = &t.character[kind]
    cdef uint64_t onto
    cdef bint fresh
    cdef int mission, target, price
    cdef float v
    cdef float best = -100
    for mission in range(state.missions):
        if (only != V.NONE and mission != only) or (slot != V.NONE and state.where[slot] != mission):
            continue
        if slot != V.NONE and not may_reveal(t, state, seat, mission) or not may_be_played(t, state, seat, kind, mission):
            continue
        onto = 0
        fresh = True
        if card.name & p.names[mission] or card.statics & 1 << (V.UPGRADE_OVER - V.POWER):
            onto = onto_options(t, state, seat, kind, mission, &fresh)
        if fresh and (p.room or slot != V.NONE):
            price = cost(t, state, &p.modifiers[mission], seat, kind, mission, V.NONE, slot != V.NONE, mod)
            if price <= state.chakra[seat]:
                v = play_value(j, seat, kind, mission, V.NONE, slot != V.NONE, price)
                if v > best:
                    best = v
        while onto:
            target = lowest_bit(onto)
            onto &= onto - 1
            price = cost(t, state, &p.modifiers[mission], seat, kind, mission, target, slot != V.NONE, mod)
            if price <= state.chakra[seat]:
                v = play_value(j, seat, kind, mission, target, slot != V.NONE, price)
                if v > best:
                    best = v
    return best


cdef float hide_value(const Judge* j, int seat, int kind) noexcept nogil:
    """A card put face down: a cheap character that counts for the income, and a threat."""
    cdef const Character* card = &j.t.character[kind]
    cdef bint affordable = j.state.chakra[seat] >= card.cost + j.t.hidden_cost
    if j.rounds_left == 0:
        return (0.25 if card.headings >> V.AMBUSH & 1 else -0.2) if affordable else -0.8
    return (PUT + PUT_LASTING * j.rounds_left + PUT_AMBUSH * (card.headings >> V.AMBUSH & 1) + PUT_COST * (card.cost - 3)
            - CHAKRA_WORTH * j.t.hidden_cost)


cdef float keep_value(const Book* t, int kind) noexcept nogil:
    """What a card in hand is worth: cheap and strong ones are."""
    return 0.3 * t.character[kind].power + 0.1 * t.character[kind].lines - 0.15 * t.character[kind].cost

# ---- Questions ----

cdef void score_actions(const void* tables, const void* data, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef const Mythos* state = <const Mythos*> data
    cdef Judge j
    cdef int i, cheap
    cdef int q = state.prompt
    if q == V.Q_MULLIGAN:
        cheap = 0
        for i in range(state.hand_n[seat]):
            cheap += t.character[state.hand[seat][i]].cost <= 3
        for i in range(n):
            out[i] = UTILITY * ((actions[i] == 1) == (cheap <= 1))
        return
    look(&j, t, state)
    if q == V.Q_TURN:
        score_turn(&j, seat, actions, n, out)
    elif q == V.Q_TURN_MISSION or q == V.Q_TURN_ONTO or q == V.Q_PLAYCARD or q == V.Q_PLAYCARD_MISSION or q == V.Q_PLAYCARD_ONTO \
            or q == V.Q_FORCED_ONTO:
        score_plays(&j, seat, q, actions, n, out)
    elif q == V.Q_ORDER:
        score_order(&j, seat, actions, n, out)
    elif q == V.Q_LOCK:
        for i in range(n):
            out[i] = j.power[actions[i]]
    else:
        score_answers(&j, seat, q, actions, n, out)
    for i in range(n):
        out[i] *= UTILITY


cdef void score_turn(Judge* j, int seat, const action_t* actions, int n, double* out) noexcept nogil:
    cdef const Mythos* state = j.state
    cdef Plays p
    cdef double best = -1
    cdef int i, a
    find_plays(&p, j, seat)
    for i in range(n):
        a = actions[i]
        if a == V.PASS:
            out[i] = 0
        elif a < V.PLAY_HIDDEN:
            out[i] = best_play(&p, j, seat, a - V.PLAY_UP, V.NONE, 0, V.NONE)
        elif a < V.REVEAL:
            out[i] = hide_value(j, seat, a - V.PLAY_HIDDEN)
        else:
            out[i] = best_play(&p, j, seat, state.top[a - V.REVEAL], a - V.REVEAL, 0, V.NONE)
        if a != V.PASS and out[i] > best:
            best = out[i]
    for i in range(n):
        if actions[i] == V.PASS:
            out[i] = PASS_NOW
            if state.passed == 0:
                out[i] += edge_value(j, seat, seat) * (PASS_EDGE if best > 0.3 else 1)


cdef void score_plays(Judge* j, int seat, int q, const action_t* actions, int n, double* out) noexcept nogil:
    """Where a card goes, and onto whom; which card an effect plays."""
    cdef const Book* t = j.t
    cdef const Mythos* state = j.state
    cdef const Frame* f = &state.frame[state.depth - 1] if state.depth else NULL
    cdef Plays p
    cdef int i, kind, zone, slot, mod, mission, onto
    find_plays(&p, j, seat)
    if q != V.Q_PLAYCARD and q != V.Q_FORCED_ONTO:
        chain_play(t, state, seat, f, state.chain, &kind, &zone, &slot, &mod)
    elif q == V.Q_FORCED_ONTO:
        slot = f.target
        kind = state.top[slot]
        mod = f.args[1]
    for i in range(n):
        if q == V.Q_PLAYCARD:
            if actions[i] == V.DECLINE:
                out[i] = -0.1
                continue
            chain_play(t, state, seat, f, actions[i], &kind, &zone, &slot, &mod)
            out[i] = best_play(&p, j, seat, kind, slot, mod, V.NONE)
        elif q == V.Q_TURN_MISSION and V.PLAY_HIDDEN <= state.chain < V.REVEAL:
            out[i] = 0.05 * j.value[actions[i]] - 0.02 * bit_count(state.side[seat] & state.at[actions[i]])
        elif q == V.Q_TURN_MISSION or q == V.Q_PLAYCARD_MISSION:
            out[i] = best_play(&p, j, seat, kind, slot, mod, actions[i])
        else:
            mission = state.where[slot] if q == V.Q_FORCED_ONTO else state.chain_mission - 1
            onto = V.NONE if actions[i] == V.DECLINE else actions[i]
            out[i] = play_value(j, seat, kind, mission, onto, slot != V.NONE,
                                cost(t, state, &p.modifiers[mission], seat, kind, mission, onto, slot != V.NONE, mod))


cdef void score_order(Judge* j, int seat, const action_t* actions, int n, double* out) noexcept nogil:
    """Lines that do most for the seat first; plain returns last."""
    cdef const Mythos* state = j.state
    cdef const Waiting* w
    cdef Context c
    cdef int i, you
    for i in range(n):
        if actions[i] == V.PLAIN_RETURNS:
            out[i] = -1
            continue
        w = &state.queue[actions[i]] if state.depth else &state.score[actions[i]]
        you = state.active if w.unit == V.NONE else controller(state, w.unit)
        look_from(&c, j.t, state, you, w.unit, w.mission if w.unit == V.NONE else state.where[w.unit])
        out[i] = line_value(&c, j, w.line)
        if you != seat:
            out[i] = -out[i]


cdef void score_answers(Judge* j, int seat, int q, const action_t* actions, int n, double* out) noexcept nogil:
    """Questions of a running line."""
    cdef const Book* t = j.t
    cdef const Mythos* state = j.state
    cdef const Frame* f = &state.frame[state.depth - 1]
    cdef Context c
    cdef int i, a, kind
    cdef int extra = f.args[1] if f.verb == V.MOVE or f.verb == V.PICK else 0
    look_from_frame(&c, t, state, f)
    for i in range(n):
        a = actions[i]
        out[i] = 0
        if q == V.Q_TARGET:
            if a != V.DECLINE:
                out[i] = target_value(&c, j, seat, f.verb, extra, min(f.args[0], 9), a) + chained_value(&c, j, f) \
                    * (1 if f.you == seat else 0)
                if f.verb == V.TOK and controller(state, a) != seat:
                    out[i] -= GIFT
        elif q == V.Q_MAY:
            if a:
                out[i] = may_value(&c, j, f)
        elif q == V.Q_DEST:
            out[i] = move_value(j, seat, f.target, a)
        elif q == V.Q_CARD:
            out[i] = -keep_value(t, a)
            if f.verb == V.PUT_TOP:
                out[i] = t.character[a].cost - state.chakra[seat]
            elif f.verb == V.PUT_HIDDEN:
                out[i] = hide_value(j, seat, a)
        elif q == V.Q_CARD_MISSION or q == V.Q_MISSION:
            out[i] = 0.05 * j.value[a]
            if f.verb == V.PICK_MISSION:
                out[i] = bit_count(state.side[1 - seat] & state.at[a] & ~state.up)
        elif q == V.Q_AMOUNT:
            if f.verb == V.PAY_X:
                out[i] = change(j, seat, c.here, a, False) - (0.1 if state.passed or state.hand_n[seat] == 0 else CHAKRA_WORTH) * a
            else:
                out[i] = a
        elif q == V.Q_EFFECT:
            if a != V.DECLINE:
                kind = c.registers.k if a // 256 == V.COPY_OF_CARD else state.top[a // 256]
                out[i] = line_value(&c, j, t.character[kind].first + a % 256)
        elif q == V.Q_REPLACE:
            if a:
                out[i] = worth_of(j, f.target) - worth_of(j, f.other)
        elif q == V.Q_FORCED:
            out[i] = 0.5 if a else 0
        elif q == V.Q_RAID or q == V.Q_POOL:
            out[i] = t.character[a].cost + 0.1 * t.character[a].power


cdef inline int min(int a, int b) noexcept nogil:
    return a if a < b else b


cdef float chained_value(const Context* c, const Judge* j, const Frame* f) noexcept nogil:
    """What the steps behind the running one bring once it has done something."""
    cdef Call call
    cdef int32_t at = f.at
    cdef float sum = 0
    cdef int steps = 0
    while steps < 4 and next_call(&c.machine, &at, True, &call):
        sum += call_value(c, j, &call)
        steps += 1
    return sum if sum > 0 else 0


cdef float may_value(const Context* c, const Judge* j, const Frame* f) noexcept nogil:
    """Accepting a line, or a step of it that may be declined with what hangs on it."""
    cdef Call call
    cdef int i
    if f.verb == V.NO_VERB:
        return line_value(c, j, f.line)
    call.verb = f.verb
    call.who = f.who
    call.n = 4
    for i in range(4):
        call.args[i] = f.args[i]
    return call_value(c, j, &call) + chained_value(c, j, f) + 0.05
