"""The frame stack: programs that are being carried out, and the answers to their questions (section 6).

The top frame goes on until somebody must be asked or another frame lies on it. Everything a frame has still to do is in the
frame, so a position in the middle of nested effects is like any other.
"""
from seatmate.engine.core.machine cimport STEP_AFTER, STEP_MAY, Call, next_call
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit2
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules cimport board
from seatmate.engine.titans.rules.attacks cimport run_attack, run_entry
from seatmate.engine.titans.rules.missions cimport run_quest
from seatmate.engine.titans.rules.model cimport (
    Frame, asks_for, captain, end_call, icon_places, on_map, pose, side, top_frame,
)
from seatmate.engine.titans.rules.query cimport VERB, Context, Verb, choices, look, members, window_other
from seatmate.engine.titans.rules.reactions cimport run_escapes, run_ko, run_window


cdef void run_frame(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    """The top frame goes one step further."""
    cdef Frame* f = top_frame(state)
    if f.kind == V.K_PROGRAM:
        run_program(t, state, f, rng, sink)
    elif f.kind == V.K_ATTACK:
        run_attack(t, state, f, sink)
    elif f.kind == V.K_ENTRY:
        run_entry(t, state, f, sink)
    elif f.kind == V.K_WINDOW:
        run_window(t, state, f, sink)
    elif f.kind == V.K_ESCAPES:
        run_escapes(t, state, f, sink)
    elif f.kind == V.K_KO:
        run_ko(t, state, f, sink)
    else:
        run_quest(t, state, f, rng, sink)

# ---- Programs (6.1) ----


cdef void run_program(const Book* t, Titans* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    """The next call of the program, or its end."""
    cdef Context c
    cdef Call call
    cdef int32_t at
    cdef int i
    if f.source >= V.FROM_SLOT and not on_map(state, f.actor):       # R30
        board.pop_frame(state)
        return
    look(&c, t, state, f.team, f.actor, f.target, f.other)
    at = f.at
    while next_call(&c.machine, &at, f.stage & V.DID != 0, &call):
        f.at = <uint16_t> at
        f.verb = <uint8_t> call.verb
        f.who = call.who > 0
        f.may = call.flags & STEP_MAY != 0
        for i in range(2):
            f.args[i] = <signed char> call.args[i] if i < call.n else 0
        if call.flags & STEP_AFTER:
            put_off(t, state, f)
            end_call(f, True)
        elif begin_call(t, state, f, rng, sink):
            return
    if not f.stage & V.IN_BODY:
        f.stage |= V.IN_BODY
        f.stage &= ~V.DID
        f.at = <uint16_t> t.card[f.source].body
        return
    end_program(t, state, f)


cdef void end_program(const Book* t, Titans* state, Frame* f) noexcept nogil:
    """R38: an ability that was activated where the mission wants it."""
    cdef int team = f.team
    cdef bint there = (V.FROM_SLOT <= f.source < V.FROM_INNATE and f.stage & V.SPECIAL and state.stood != V.NONE
                       and asks_for(t, state, team, V.V_ABILITY_AT)
                       and icon_places(t, state, t.go[state.team[team].go].icon) >> state.stood & 1)
    board.pop_frame(state)
    if there:
        board.complete(state, team)


cdef void put_off(const Book* t, Titans* state, Frame* f) noexcept nogil:
    """A step "after" the attack that is going on (6.2, 8); only damage to the attacker can wait."""
    cdef int i = state.depth - 2
    while i >= 0 and state.frame[i].kind != V.K_ATTACK:
        i -= 1
    if i >= 0:
        state.frame[i].b += <uint8_t> f.args[0]


cdef inline int decider(const Book* t, const Titans* state, const Frame* f, int piece) noexcept nogil:
    """Who decides about the running call; `piece` is what it moves, or NONE (5.7)."""
    if V.FROM_GO <= f.source < V.FROM_SLOT:
        return captain(t, state, side(f))
    if f.source < V.FROM_GO and piece != V.NONE and t.piece_team[piece] == f.team:
        return t.seat_of[piece]
    return f.seat


cdef bint begin_call(const Book* t, Titans* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    """Skip the call, ask for it, or do it. True if the program has to wait: a question, a frame on top, the end."""
    cdef uint64_t found = choices(t, state, f)
    cdef const Verb* call = &VERB[f.verb]
    cdef int question = call.question
    cdef int depth = state.depth
    cdef int piece
    if found == 0:
        end_call(f, False)
        return False
    if question != V.Q_NOTHING and (found & (found - 1) or not (call.affect != NULL or question == V.Q_GO_PLACE)):
        piece = V.NONE
        if call.affect != NULL and t.row[f.args[call.selector]].each:
            question = V.Q_NOTHING
        elif call.affect != NULL and V.FROM_GO <= f.source < V.FROM_SLOT:
            question = V.Q_GO_PIECE
        elif f.verb == V.V_MOVE or f.verb == V.V_TELEPORT:
            piece = lowest_bit(<uint64_t> members(t, state, f, &t.row[f.args[0]]))
        if question != V.Q_NOTHING:
            pose(state, decider(t, state, f, piece), question)
            return True
    do_call(t, state, f, found, rng, sink)
    return state.step == V.S_OVER or state.depth != depth


cdef void do_call(const Book* t, Titans* state, Frame* f, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    """Carry out a call that needs no (further) answer; `found` are the pieces or places it works on, or its answer."""
    cdef const Verb* verb = &VERB[f.verb]
    cdef Frame call = f[0]
    cdef int piece
    end_call(f, True)
    if verb.affect == NULL:
        verb.run(t, state, &call, found, rng, sink)
        return
    for piece in range(V.PIECES):
        if found >> piece & 1 and on_map(state, piece) and state.step != V.S_OVER:
            verb.affect(t, state, piece, call.args[0], sink)

# ---- Answers within programs ----


cdef void decline(const Titans* state, int seat, int prompt, Sink* sink) noexcept nogil:
    emit2(sink, V.E_DECLINE, PUBLIC, seat, prompt)


cdef void answer_frame(const Book* t, Titans* state, int seat, int prompt, int answer, Rng* rng, Sink* sink) noexcept nogil:
    """The answer to the top frame's question; state.prompt is Q_NOTHING again."""
    cdef Frame* f = top_frame(state)
    if prompt == V.Q_WINDOW:
        if answer == 0:
            emit1(sink, V.E_PASS, PUBLIC, seat)
        else:
            board.play_card(t, state, seat, answer - 1, f.target, window_other(t, state, f, seat), sink)
        return
    if prompt == V.Q_ESCAPE:
        if answer == V.DECLINE:
            decline(state, seat, prompt, sink)
        else:
            board.drop_token(state, f.target, V.ESCAPE, V.TK_ESCAPE, sink)
            board.enter(t, state, f.target, answer, V.BY_MOVE, sink)
        return
    if prompt == V.Q_CYBORG:
        if answer == V.DECLINE:
            f.place = 2
            decline(state, seat, prompt, sink)
        else:
            board.enter(t, state, V.CYBORG, answer, V.BY_MOVE, sink)
        return
    if answer == V.DECLINE and prompt in (V.Q_DEST, V.Q_VICTIM, V.Q_TARGET, V.Q_TRAP_PLACE) or (
            answer == V.NO_OBSTACLE and prompt == V.Q_OBST_SRC):
        end_call(f, False)
        decline(state, seat, prompt, sink)
    elif VERB[f.verb].second != V.Q_NOTHING and prompt == VERB[f.verb].question:
        f.a = <uint8_t> answer
        pose(state, seat, VERB[f.verb].second)
    else:
        do_call(t, state, f, <uint64_t> 1 << answer, rng, sink)
