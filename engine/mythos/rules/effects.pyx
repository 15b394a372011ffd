"""The frame stack: lines and plays that are being carried out (sections 5.6 to 5.8).

A LINE frame runs the compiled code of its line call by call; a PLAY frame starts the lines of a card one after the other; a
SETTLE frame brings the position in order after a step and lets reactions run. The top frame goes on until somebody must
be asked; the answer is written into it, and it goes on again.
"""
from libc.string cimport memset

from seatmate.engine.core.machine cimport ALL, STORE, Call, next_call, value
from seatmate.engine.core.types cimport int16_t, int32_t, uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.mythos.content.vocabulary cimport (
    AMBUSH, DECLINE, DONE, E_NOTHING, ITS_CARD, MAIN, NO_VERB, PICK, PLAY, Q_AMOUNT, Q_DEST, Q_FORCED, Q_FORCED_ONTO,
    Q_LOCK, Q_MAY, Q_ORDER, Q_OVER, Q_REPLACE, Q_TARGET, REG_A, REG_B, REG_K, REG_M, TAKE_TOK, UNTOK, UPGRADE,
)
from seatmate.engine.mythos.rules.board cimport react_to_defeats
from seatmate.engine.mythos.rules.frames cimport (
    FINISHED, ONE_IS_DONE, REFUSED, commit, pop_frame, push_frame, push_line, show_line,
)
from seatmate.engine.mythos.rules.legal cimport asks_itself, can_do, first_feasible
from seatmate.engine.mythos.rules.model cimport (
    ALL_THERE, ASKED_MAY, CALL_MAY, CARD_OPEN, CARD_UP, DID, FORCED, FRAMES, GAIN, IN_BODY, K_OPEN, LINE_FRAME,
    LINE_MAY, LINE_MUST, NONE, PLAY_FRAME, REVEALED, SETTLE_FRAME, STARTED, TURN_REACTIONS, UPGRADED, Character, Frame,
    Line, ask, controller, in_play, is_up, room_for_line, top_frame,
)
from seatmate.engine.mythos.rules.player_verbs cimport answer_player_verb, do_to_players, legal_for_players, put_back
from seatmate.engine.mythos.rules.plays cimport missions_of, onto_actions, payable_onto
from seatmate.engine.mythos.rules.query cimport Context, look_from_frame
from seatmate.engine.mythos.rules.settle cimport (
    check_state, choices, forget_gone, lock_options, needs_settling, remove_waiting, run_automatic, set_lock,
)
from seatmate.engine.mythos.rules.unit_verbs cimport (
    answer_for_target, answer_target, candidates, destinations_of, do_to_units, may_decline, most_tokens,
)


cdef void run_frames(const Tables* t, Mythos* h, Rng* rng, Sink* sink) noexcept nogil:
    """Go on until a seat is asked (h.prompt is not Q_OVER) or nothing is left to carry out (h.depth is 0)."""
    cdef Frame* f
    while h.depth and h.prompt == Q_OVER:
        f = top_frame(h)
        if f.type == LINE_FRAME:
            run_line(t, h, f, rng, sink)
        elif f.type == PLAY_FRAME:
            run_play(t, h, f)
        else:
            run_settle(t, h, f, sink)

# ---- Settling ----

cdef void settle(const Tables* t, Mythos* h) noexcept nogil:
    """After a step: if there can be anything to bring in order, that comes next."""
    if needs_settling(h) and h.depth < FRAMES:
        push_frame(h, SETTLE_FRAME, h.active, NONE, 0)


cdef void run_settle(const Tables* t, Mythos* h, Frame* f, Sink* sink) noexcept nogil:
    """State check, reactions without a choice, then the others in the order of the active player."""
    cdef action_t out[64]
    cdef int source, n
    react_to_defeats(t, h)      # before units change sides or clash
    source = check_state(t, h, sink)
    if source != NONE:
        f.unit = <uint8_t> source
        ask(h, sink, controller(h, source), Q_LOCK, Q_LOCK)
        return
    forget_gone(t, h, h.queue, &h.queue_n)
    if run_automatic(t, h, sink):
        return
    while h.queue_n and (not room_for_line(h) or h.plays >= TURN_REACTIONS):       # R94
        remove_waiting(h.queue, &h.queue_n, h.queue_n - 1)
    if h.queue_n == 0:
        pop_frame(h)
        return
    n = choices(h.queue, h.queue_n, out)
    if n > 1:
        ask(h, sink, h.active, Q_ORDER, Q_ORDER)
        return
    run_reaction(t, h, 0)


cdef void run_reaction(const Tables* t, Mythos* h, int i) noexcept nogil:
    """The i-th waiting reaction is carried out: mandatory unless the card says "may"."""
    cdef int unit = h.queue[i].unit
    cdef int line = h.queue[i].line
    remove_waiting(h.queue, &h.queue_n, i)
    h.plays += 1
    push_line(h, line, controller(h, unit), unit, h.where[unit], 0 if t.line[line].flags & LINE_MAY else FORCED, NONE)

# ---- Plays ----

cdef void run_play(const Tables* t, Mythos* h, Frame* f) noexcept nogil:
    """Reactions to the play, then MAIN, UPGRADE and AMBUSH lines in printed order, as long as the card is what shows (R34)."""
    cdef const Character* card = &t.character[f.verb]
    cdef const Line* line
    cdef int number
    if f.sub == 0:
        f.sub = 1
        settle(t, h)
        return
    if in_play(h, f.unit, f.serial):
        f.here = h.where[f.unit]
        while f.line < card.lines and is_up(h, f.unit) and h.top[f.unit] == f.verb:
            number = card.first + f.line
            line = &t.line[number]
            f.line += 1
            if (line.trigger == MAIN or (line.trigger == UPGRADE and f.flags & UPGRADED)
                    or (line.trigger == AMBUSH and f.flags & REVEALED)) and room_for_line(h):
                push_line(h, number, controller(h, f.unit), f.unit, f.here, f.flags & UPGRADED, h.depth - 1)
                return
    pop_frame(h)

# ---- Lines ----

cdef void run_line(const Tables* t, Mythos* h, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    """The next call of the line, or its end."""
    cdef Context c
    cdef Call call
    cdef int32_t at
    if not f.flags & STARTED and not start_line(t, h, f, sink):
        return
    look_from_frame(&c, t, h, f)
    f.here = <uint8_t> c.here
    if f.verb != NO_VERB:
        go_on(t, h, do_to_units(t, h, sink) if f.verb <= PICK else do_to_players(t, h, rng, sink), sink)
        return
    at = f.at
    if next_call(&c.machine, &at, f.flags & DID, &call):
        begin_call(t, h, f, &c, &call, at, sink)
    elif f.flags & IN_BODY:
        if f.looked:
            put_back(h, f, sink)
        pop_frame(h)
    else:
        f.flags |= IN_BODY
        f.flags &= ~DID
        f.at = <uint16_t> t.line[f.line].body


cdef bint start_line(const Tables* t, Mythos* h, Frame* f, Sink* sink) noexcept nogil:
    """Condition, feasibility, acceptance (5.7, steps 1 to 3). False when the line is over or a seat was asked."""
    cdef const Line* line = &t.line[f.line]
    cdef Context c
    cdef Call call
    look_from_frame(&c, t, h, f)
    if not value(&c.machine, line.when):
        pop_frame(h)
        return False
    if not first_feasible(&c, f.line, &call):
        show_line(f, E_NOTHING, sink)
        pop_frame(h)
        return False
    f.flags |= STARTED
    if line.pay >= 0:
        f.at = <uint16_t> line.pay
    else:
        f.at = <uint16_t> line.body
        f.flags |= IN_BODY
    if f.flags & FORCED or line.flags & LINE_MUST or (t.skip_gain and line.flags & GAIN):
        commit(f, sink)
    elif line.pay >= 0 or not asks_itself(&c, &call):
        ask(h, sink, f.you, Q_MAY, Q_MAY)
        return False
    return True


cdef void begin_call(const Tables* t, Mythos* h, Frame* f, const Context* c, const Call* call, int32_t at,
                     Sink* sink) noexcept nogil:
    """Write the call into the frame; a step that may be declined is asked for, unless its own question has a pass."""
    cdef int i
    f.at = <uint16_t> at
    f.verb = <uint8_t> call.verb
    f.who = <uint8_t> (call.who if call.who > 0 else 0)
    f.call = <uint8_t> (call.flags & CALL_MAY)
    for i in range(4):
        f.args[i] = 0
        if i < call.n:
            f.args[i] = ALL_THERE if call.args[i] == ALL else <int16_t> call.args[i]
    clear_progress(f)
    if f.call & CALL_MAY and f.verb != PLAY:
        if can_do(c, call):
            ask(h, sink, f.you, Q_MAY, Q_MAY)
        else:
            end_call(t, h, f)


cdef void clear_progress(Frame* f) noexcept nogil:
    """What a running call keeps, as at its beginning."""
    f.sub = 0
    f.step = 0
    f.left = 0
    f.count = 0
    f.pow = 0
    f.picked = 0
    f.target = NONE
    f.target_serial = 0
    f.card = NONE
    f.other = NONE


cdef void go_on(const Tables* t, Mythos* h, int status, Sink* sink) noexcept nogil:
    """What the running call says: go on with the line, wait, or forget the line."""
    cdef Frame* f
    if status == FINISHED:
        f = top_frame(h)
        end_call(t, h, f)
        settle(t, h)
    elif status == ONE_IS_DONE:
        settle(t, h)
    elif status == REFUSED:
        show_line(top_frame(h), E_NOTHING, sink)
        pop_frame(h)


cdef void end_call(const Tables* t, Mythos* h, Frame* f) noexcept nogil:
    """Store what the line wants to keep of the call, and whether it did anything."""
    cdef Frame* registers = &h.frame[f.registers]
    cdef bint did = f.count > 0
    cdef int register, part
    while t.code[f.at] == STORE:
        register = t.code[f.at + 1]
        part = t.code[f.at + 2]
        f.at += 3
        if register == REG_K:
            registers.k = f.card if did and (part == ITS_CARD or f.call & CARD_UP) else NONE
            registers.flags &= ~K_OPEN
            if registers.k != NONE and f.call & CARD_OPEN:
                registers.flags |= K_OPEN
        elif register == REG_A:
            registers.a = f.target if did else 0
            registers.a_serial = f.target_serial if did else 0
        elif register == REG_B:
            registers.b = f.target if did else 0
            registers.b_serial = f.target_serial if did else 0
        elif register == REG_M:
            registers.m = f.target if did else NONE
        else:
            registers.x = f.count if part == DONE else f.pow if did else 0
    if did:
        f.flags |= DID
    else:
        f.flags &= ~DID
    f.verb = NO_VERB
    f.who = 0
    f.call = 0
    memset(f.args, 0, sizeof(f.args))
    clear_progress(f)

# ---- Answers ----

cdef void answer_frame(const Tables* t, Mythos* h, int prompt, int answer, Rng* rng, Sink* sink) noexcept nogil:
    """The answer to a question that was asked for the top frame; h.prompt is Q_OVER, the asked seat still h.asked."""
    cdef Frame* f = top_frame(h)
    if prompt == Q_TARGET:
        go_on(t, h, answer_target(t, h, answer, sink), sink)
    elif prompt == Q_MAY:
        answer_may(t, h, f, answer, sink)
    elif prompt == Q_ORDER:
        run_reaction(t, h, answer)
    elif prompt == Q_LOCK:
        set_lock(h, f.unit, answer, sink)
        f.unit = NONE
    elif f.verb <= PICK:
        go_on(t, h, answer_for_target(t, h, prompt, answer, sink), sink)
    else:
        go_on(t, h, answer_player_verb(t, h, prompt, answer, rng, sink), sink)


cdef void answer_may(const Tables* t, Mythos* h, Frame* f, int answer, Sink* sink) noexcept nogil:
    """MAY: for the whole line, or for the step that is about to run."""
    if f.verb != NO_VERB:
        if answer:
            f.call |= ASKED_MAY
        else:
            end_call(t, h, f)
    elif answer:
        commit(f, sink)
    else:
        show_line(f, E_NOTHING, sink)
        pop_frame(h)


cdef int legal_in_frame(const Tables* t, const Mythos* h, int prompt, action_t* out) noexcept nogil:
    """The legal answers to a question for the top frame, ascending."""
    cdef const Frame* f = &h.frame[h.depth - 1]
    cdef uint64_t mask
    cdef int i
    cdef int n = 0
    cdef int slot = f.target
    cdef bint fresh
    if prompt == Q_TARGET:
        mask = candidates(t, h, f)
        while mask:
            out[n] = lowest_bit(mask)
            mask &= mask - 1
            n += 1
        if may_decline(t, f):
            out[n] = DECLINE
            n += 1
        return n
    if prompt == Q_MAY or prompt == Q_REPLACE:
        out[0] = 0
        out[1] = 1
        return 2
    if prompt == Q_DEST:
        return missions_of(destinations_of(t, h, f), out)
    if prompt == Q_ORDER:
        return choices(h.queue, h.queue_n, out)
    if prompt == Q_LOCK:
        return lock_options(t, h, f.unit, out)
    if prompt == Q_AMOUNT and (f.verb == UNTOK or f.verb == TAKE_TOK):
        for i in range(1, most_tokens(h, f) + 1):
            out[n] = i
            n += 1
        return n
    if prompt == Q_FORCED or prompt == Q_FORCED_ONTO:
        mask = payable_onto(t, h, h.asked, h.top[slot], slot, h.where[slot], f.args[1], &fresh)
        if prompt == Q_FORCED_ONTO:
            return onto_actions(mask, fresh, out)
        out[0] = 0
        out[1] = 1
        return 2 if mask or fresh else 1
    return legal_for_players(t, h, prompt, out)
