"""The frame stack: lines and plays that are being carried out (sections 5.6 to 5.8).

A LINE frame runs the compiled code of its line call by call; a PLAY frame starts the lines of a card one after the other; a
SETTLE frame brings the position in order after a step and lets reactions run. The top frame goes on until somebody must
be asked; the answer is written into it, and it goes on again.
"""
from libc.string cimport memset

from seatmate.engine.core.machine cimport ALL, STORE, Call, next_call, value
from seatmate.engine.core.types cimport int16_t, int32_t, uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport add_bits
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules cimport player_verbs, unit_verbs
from seatmate.engine.mythos.rules.board cimport react_to_defeats
from seatmate.engine.mythos.rules.frames cimport (
    FINISHED, ONE_IS_DONE, REFUSED, commit, pop_frame, push_frame, push_line, show_line,
)
from seatmate.engine.mythos.rules.legal cimport asks_itself, can_do, first_feasible
from seatmate.engine.mythos.rules.model cimport (
    ALL_THERE, FRAMES, NONE, TURN_REACTIONS, Character, Frame, Line, ask, controller, in_play, is_up, room_for_line,
    top_frame,
)
from seatmate.engine.mythos.rules.plays cimport missions_of, onto_actions, payable_onto
from seatmate.engine.mythos.rules.query cimport Context, look_from_frame
from seatmate.engine.mythos.rules.settle cimport (
    check_state, choices, forget_gone, lock_options, needs_settling, remove_waiting, run_automatic, set_lock,
)


cdef void run_frames(const Book* t, Mythos* state, Rng* rng, Sink* sink) noexcept nogil:
    """Go on until a seat is asked (state.prompt is not Q_OVER) or nothing is left to carry out (state.depth is 0)."""
    cdef Frame* f
    while state.depth and state.prompt == V.Q_OVER:
        f = top_frame(state)
        if f.type == V.LINE_FRAME:
            run_line(t, state, f, rng, sink)
        elif f.type == V.PLAY_FRAME:
            run_play(t, state, f)
        else:
            run_settle(t, state, f, sink)

# ---- Settling ----

cdef void settle(const Book* t, Mythos* state) noexcept nogil:
    """After a step: if there can be anything to bring in order, that comes next."""
    if needs_settling(state) and state.depth < FRAMES:
        push_frame(state, V.SETTLE_FRAME, state.active, NONE, 0)


cdef void run_settle(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    """State check, reactions without a choice, then the others in the order of the active player."""
    cdef action_t out[64]
    cdef int source, n
    react_to_defeats(t, state)      # before units change sides or clash
    source = check_state(t, state, sink)
    if source != NONE:
        f.unit = <uint8_t> source
        ask(state, sink, controller(state, source), V.Q_LOCK, V.Q_LOCK)
        return
    forget_gone(t, state, state.queue, &state.queue_n)
    if run_automatic(t, state, sink):
        return
    while state.queue_n and (not room_for_line(state) or state.plays >= TURN_REACTIONS):       # R94
        remove_waiting(state.queue, &state.queue_n, state.queue_n - 1)
    if state.queue_n == 0:
        pop_frame(state)
        return
    n = choices(state.queue, state.queue_n, out)
    if n > 1:
        ask(state, sink, state.active, V.Q_ORDER, V.Q_ORDER)
        return
    run_reaction(t, state, 0)


cdef void run_reaction(const Book* t, Mythos* state, int i) noexcept nogil:
    """The i-th waiting reaction is carried out: mandatory unless the card says "may"."""
    cdef int unit = state.queue[i].unit
    cdef int line = state.queue[i].line
    remove_waiting(state.queue, &state.queue_n, i)
    state.plays += 1
    push_line(state, line, controller(state, unit), unit, state.where[unit],
              0 if t.line[line].flags & V.LINE_MAY else V.FORCED, NONE)

# ---- Plays ----

cdef void run_play(const Book* t, Mythos* state, Frame* f) noexcept nogil:
    """Reactions to the play, then MAIN, UPGRADE and AMBUSH lines in printed order, as long as the card is what shows (R34)."""
    cdef const Character* card = &t.character[f.verb]
    cdef const Line* line
    cdef int number
    if f.sub == 0:
        f.sub = 1
        settle(t, state)
        return
    if in_play(state, f.unit, f.serial):
        f.here = state.where[f.unit]
        while f.line < card.lines and is_up(state, f.unit) and state.top[f.unit] == f.verb:
            number = card.first + f.line
            line = &t.line[number]
            f.line += 1
            if (line.trigger == V.MAIN or (line.trigger == V.UPGRADE and f.flags & V.UPGRADED)
                    or (line.trigger == V.AMBUSH and f.flags & V.REVEALED)) and room_for_line(state):
                push_line(state, number, controller(state, f.unit), f.unit, f.here, f.flags & V.UPGRADED, state.depth - 1)
                return
    pop_frame(state)

# ---- Lines ----

cdef void run_line(const Book* t, Mythos* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    """The next call of the line, or its end."""
    cdef Context c
    cdef Call call
    cdef int32_t at
    if not f.flags & V.STARTED and not start_line(t, state, f, sink):
        return
    look_from_frame(&c, t, state, f)
    f.here = <uint8_t> c.here
    if f.verb != V.NO_VERB:
        if f.verb <= V.PICK:
            go_on(t, state, unit_verbs.do_to_units(t, state, sink), sink)
        else:
            go_on(t, state, player_verbs.do_to_players(t, state, rng, sink), sink)
        return
    at = f.at
    if next_call(&c.machine, &at, f.flags & V.DID, &call):
        begin_call(t, state, f, &c, &call, at, sink)
    elif f.flags & V.IN_BODY:
        if f.looked:
            player_verbs.put_back(state, f, sink)
        pop_frame(state)
    else:
        f.flags |= V.IN_BODY
        f.flags &= ~V.DID
        f.at = <uint16_t> t.line[f.line].body


cdef bint start_line(const Book* t, Mythos* state, Frame* f, Sink* sink) noexcept nogil:
    """Condition, feasibility, acceptance (5.7, steps 1 to 3). False when the line is over or a seat was asked."""
    cdef const Line* line = &t.line[f.line]
    cdef Context c
    cdef Call call
    look_from_frame(&c, t, state, f)
    if not value(&c.machine, line.when):
        pop_frame(state)
        return False
    if not first_feasible(&c, f.line, &call):
        show_line(f, V.E_NOTHING, sink)
        pop_frame(state)
        return False
    f.flags |= V.STARTED
    if line.pay >= 0:
        f.at = <uint16_t> line.pay
    else:
        f.at = <uint16_t> line.body
        f.flags |= V.IN_BODY
    if f.flags & V.FORCED or line.flags & V.LINE_MUST or (t.skip_gain and line.flags & V.GAIN):
        commit(f, sink)
    elif line.pay >= 0 or not asks_itself(&c, &call):
        ask(state, sink, f.you, V.Q_MAY, V.Q_MAY)
        return False
    return True


cdef void begin_call(const Book* t, Mythos* state, Frame* f, const Context* c, const Call* call, int32_t at,
                     Sink* sink) noexcept nogil:
    """Write the call into the frame; a step that may be declined is asked for, unless its own question has a pass."""
    cdef int i
    f.at = <uint16_t> at
    f.verb = <uint8_t> call.verb
    f.who = <uint8_t> (call.who if call.who > 0 else 0)
    f.call = <uint8_t> (call.flags & V.CALL_MAY)
    for i in range(4):
        f.args[i] = 0
        if i < call.n:
            f.args[i] = ALL_THERE if call.args[i] == ALL else <int16_t> call.args[i]
    clear_progress(f)
    if f.call & V.CALL_MAY and f.verb != V.PLAY:
        if can_do(c, call):
            ask(state, sink, f.you, V.Q_MAY, V.Q_MAY)
        else:
            end_call(t, state, f)


cdef void clear_progress(Frame* f) noexcept nogil:
    """What a running call keeps, as at its beginning."""
    f.sub = 0
    f.step = 0
    f.left = 0
    f.count = 0
    f.power_before = 0
    f.picked = 0
    f.target = NONE
    f.target_serial = 0
    f.card = NONE
    f.other = NONE


cdef void go_on(const Book* t, Mythos* state, int status, Sink* sink) noexcept nogil:
    """What the running call says: go on with the line, wait, or forget the line."""
    cdef Frame* f
    if status == FINISHED:
        f = top_frame(state)
        end_call(t, state, f)
        settle(t, state)
    elif status == ONE_IS_DONE:
        settle(t, state)
    elif status == REFUSED:
        show_line(top_frame(state), V.E_NOTHING, sink)
        pop_frame(state)


cdef void end_call(const Book* t, Mythos* state, Frame* f) noexcept nogil:
    """Store what the line wants to keep of the call, and whether it did anything."""
    cdef Frame* registers = &state.frame[f.registers]
    cdef bint did = f.count > 0
    cdef int register, part
    while t.code[f.at] == STORE:
        register = t.code[f.at + 1]
        part = t.code[f.at + 2]
        f.at += 3
        if register == V.REG_K:
            registers.k = f.card if did and (part == V.ITS_CARD or f.call & V.CARD_UP) else NONE
            registers.flags &= ~V.K_OPEN
            if registers.k != NONE and f.call & V.CARD_OPEN:
                registers.flags |= V.K_OPEN
        elif register == V.REG_A:
            registers.a = f.target if did else 0
            registers.a_serial = f.target_serial if did else 0
        elif register == V.REG_B:
            registers.b = f.target if did else 0
            registers.b_serial = f.target_serial if did else 0
        elif register == V.REG_M:
            registers.m = f.target if did else NONE
        else:
            registers.x = f.count if part == V.DONE else f.power_before if did else 0
    if did:
        f.flags |= V.DID
    else:
        f.flags &= ~V.DID
    f.verb = V.NO_VERB
    f.who = 0
    f.call = 0
    memset(f.args, 0, sizeof(f.args))
    clear_progress(f)

# ---- Answers ----

cdef void answer_frame(const Book* t, Mythos* state, int prompt, int answer, Rng* rng, Sink* sink) noexcept nogil:
    """The answer to a question that was asked for the top frame; state.prompt is Q_OVER, the asked seat still state.asked."""
    cdef Frame* f = top_frame(state)
    if prompt == V.Q_TARGET:
        go_on(t, state, unit_verbs.answer_target(t, state, answer, sink), sink)
    elif prompt == V.Q_MAY:
        answer_may(t, state, f, answer, sink)
    elif prompt == V.Q_ORDER:
        run_reaction(t, state, answer)
    elif prompt == V.Q_LOCK:
        set_lock(state, f.unit, answer, sink)
        f.unit = NONE
    elif f.verb <= V.PICK:
        go_on(t, state, unit_verbs.answer_for_target(t, state, prompt, answer, sink), sink)
    else:
        go_on(t, state, player_verbs.answer_player_verb(t, state, prompt, answer, rng, sink), sink)


cdef void answer_may(const Book* t, Mythos* state, Frame* f, int answer, Sink* sink) noexcept nogil:
    """MAY: for the whole line, or for the step that is about to run."""
    if f.verb != V.NO_VERB:
        if answer:
            f.call |= V.ASKED_MAY
        else:
            end_call(t, state, f)
    elif answer:
        commit(f, sink)
    else:
        show_line(f, V.E_NOTHING, sink)
        pop_frame(state)


cdef int legal_in_frame(const Book* t, const Mythos* state, int prompt, action_t* out) noexcept nogil:
    """The legal answers to a question for the top frame, ascending."""
    cdef const Frame* f = &state.frame[state.depth - 1]
    cdef uint64_t mask
    cdef int i
    cdef int n = 0
    cdef int slot = f.target
    cdef bint fresh
    if prompt == V.Q_TARGET:
        n = add_bits(unit_verbs.candidates(t, state, f), 0, out, 0)
        if unit_verbs.may_decline(t, f):
            out[n] = V.DECLINE
            n += 1
        return n
    if prompt == V.Q_MAY or prompt == V.Q_REPLACE:
        out[0] = 0
        out[1] = 1
        return 2
    if prompt == V.Q_DEST:
        return missions_of(unit_verbs.destinations_of(t, state, f), out)
    if prompt == V.Q_ORDER:
        return choices(state.queue, state.queue_n, out)
    if prompt == V.Q_LOCK:
        return lock_options(t, state, f.unit, out)
    if prompt == V.Q_AMOUNT and (f.verb == V.UNTOK or f.verb == V.TAKE_TOK):
        for i in range(1, unit_verbs.most_tokens(state, f) + 1):
            out[n] = i
            n += 1
        return n
    if prompt == V.Q_FORCED or prompt == V.Q_FORCED_ONTO:
        mask = payable_onto(t, state, state.asked, state.top[slot], slot, state.where[slot], f.args[1], &fresh)
        if prompt == V.Q_FORCED_ONTO:
            return onto_actions(mask, fresh, out)
        out[0] = 0
        out[1] = 1
        return 2 if mask or fresh else 1
    return player_verbs.legal_for_players(t, state, prompt, out)
