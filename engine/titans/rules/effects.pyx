"""The frame stack: programs that are being carried out, and the answers to their questions (section 6).

The top frame goes on until somebody must be asked or another frame lies on it. Everything a frame has still to do is in the
frame, so a position in the middle of nested effects is like any other.
"""
from seatmate.engine.core.machine cimport STEP_AFTER, STEP_MAY, Call, next_call
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit2, emit3
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules cimport board
from seatmate.engine.titans.rules.attacks cimport run_attack, run_entry, start_attack
from seatmate.engine.titans.rules.missions cimport roll_mayhem, run_quest, token_moves
from seatmate.engine.titans.rules.model cimport (
    CYBORG, NONE, PIECES, Frame, arena, asks_for, bit, captain, changed, end_call, icon_places, mate_of, on_map, pose,
    top_frame,
)
from seatmate.engine.titans.rules.query cimport Context, choices, look, members, window_other
from seatmate.engine.titans.rules.reactions cimport run_escapes, run_ko, run_window
from seatmate.engine.titans.rules.supply cimport gifts_left, tokens_left


cdef void run_frame(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    """The top frame goes one step further."""
    cdef Frame* f = top_frame(state)
    if f.kind == V.PROG:
        run_program(t, state, f, rng, sink)
    elif f.kind == V.ATTACK:
        run_attack(t, state, f, sink)
    elif f.kind == V.ENTRY:
        run_entry(t, state, f, sink)
    elif f.kind == V.WINDOW:
        run_window(t, state, f, sink)
    elif f.kind == V.ESCAPES:
        run_escapes(t, state, f, sink)
    elif f.kind == V.KO:
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
    if f.source >= V.S_SLOT and not on_map(state, f.actor):       # R30
        board.pop_frame(state)
        return
    look(&c, t, state, f.team, f.actor, f.tgt, f.other)
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
    cdef bint there = (V.S_SLOT <= f.source < V.S_INNATE and f.stage & V.SPECIAL and state.stood != NONE and not arena(t)
                       and asks_for(t, state, team, V.V_ABILITY_AT)
                       and icon_places(t, state, t.go[state.team[team].go].icon) >> state.stood & 1)
    board.pop_frame(state)
    if there:
        board.complete(state, team)


cdef void put_off(const Book* t, Titans* state, Frame* f) noexcept nogil:
    """A step "after" the attack that is going on (6.2, 8); only damage to the attacker can wait."""
    cdef int i = state.depth - 2
    while i >= 0 and state.frame[i].kind != V.ATTACK:
        i -= 1
    if i >= 0:
        state.frame[i].b += <uint8_t> f.args[0]


cdef inline int decider(const Book* t, const Titans* state, const Frame* f, int piece) noexcept nogil:
    """Who decides about the running call; `piece` is what it moves, or NONE (5.7)."""
    if V.S_GO <= f.source < V.S_SLOT:
        return captain(t, state, f.team if not f.who else 1 - f.team)
    if f.source < V.S_GO and piece != NONE and t.piece_team[piece] == f.team:
        return t.seat_of[piece]
    return f.seat


cdef bint begin_call(const Book* t, Titans* state, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    """Skip the call, ask for it, or do it. True if the program has to wait: a question, a frame on top, the end."""
    cdef uint64_t found = choices(t, state, f)
    cdef int verb = f.verb
    cdef int depth = state.depth
    cdef int piece
    if found == 0:
        end_call(f, False)
        return False
    if verb == V.V_MELEE or verb == V.V_RANGED:
        pose(state, decider(t, state, f, NONE), V.Q_TARGET)
        return True
    if verb == V.V_MOVE or verb == V.V_DISPLACE or verb == V.V_TELEPORT:
        piece = lowest_bit(<uint64_t> members(t, state, f, &t.row[f.args[0]]))
        pose(state, decider(t, state, f, piece if verb != V.V_DISPLACE else NONE), V.Q_DEST)
        return True
    if verb == V.V_OBST:
        pose(state, decider(t, state, f, NONE), V.Q_OBST_SRC)
        return True
    if verb == V.V_PULL or verb == V.V_PUSH:
        pose(state, decider(t, state, f, NONE), V.Q_VICTIM)
        return True
    if verb == V.V_TRAP:
        pose(state, decider(t, state, f, NONE), V.Q_TRAP_PLACE)
        return True
    if verb == V.V_REROLL_ACT:
        pose(state, decider(t, state, f, NONE), V.Q_DICE_MASK)
        return True
    if verb == V.V_SET_ACT:
        pose(state, decider(t, state, f, NONE), V.Q_DIE)
        return True
    if verb == V.V_PLACE and found & (found - 1):
        pose(state, decider(t, state, f, NONE), V.Q_GO_PLACE)
        return True
    if is_for_pieces(verb) and found & (found - 1) and not t.row[selector_of(f)].each:
        pose(state, decider(t, state, f, NONE), V.Q_GO_PIECE if f.source >= V.S_GO and f.source < V.S_SLOT else V.Q_TARGET)
        return True
    do_call(t, state, f, found, rng, sink)
    return state.step == V.S_OVER or state.depth != depth


cdef inline bint is_for_pieces(int verb) noexcept nogil:
    """Does the verb do something to each of some pieces?"""
    return verb in (V.V_DAMAGE, V.V_HEAL, V.V_IGNITE, V.V_STUN, V.V_SHIELD, V.V_ESCAPE, V.V_CLEANSE)


cdef inline int selector_of(const Frame* f) noexcept nogil:
    """The selector of such a call."""
    return f.args[1] if f.verb == V.V_DAMAGE or f.verb == V.V_HEAL or f.verb == V.V_IGNITE else f.args[0]


cdef void do_call(const Book* t, Titans* state, Frame* f, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    """Carry out a call that needs no (further) answer; `found` are the pieces or places it works on."""
    cdef int verb = f.verb
    cdef int n = f.args[0]
    cdef int team = f.team
    cdef int piece, other
    cdef Frame call = f[0]
    end_call(f, True)
    if is_for_pieces(verb):
        for piece in range(PIECES):
            if found >> piece & 1 and on_map(state, piece):
                affect(t, state, verb, n, piece, sink)
                if state.step == V.S_OVER:
                    return
    elif verb == V.V_FETCH:
        board.enter(t, state, mate_of(t, f.actor), state.piece[f.actor].place, V.BY_FETCH, sink)
    elif verb == V.V_REROLL_MAYHEM:
        roll_mayhem(t, state, rng, sink)
    elif verb == V.V_REROLL_PLACED:
        n = board.roll_die(rng)
        state.piece[state.active].slot_die[state.slot] = <uint8_t> n
        board.set_die(state, team, state.die, n, sink)
    elif verb == V.V_XFERFIRE:
        piece = lowest_bit(<uint64_t> members(t, state, &call, &t.row[n]))
        other = lowest_bit(<uint64_t> members(t, state, &call, &t.row[call.args[1]]))
        n = state.piece[piece].fire
        board.ignite(t, state, piece, -n, sink)
        board.ignite(t, state, other, n, sink)
    elif verb == V.V_FLAG:
        set_flag(t, state, n, lowest_bit(found) if call.args[1] >= 0 else NONE, team, sink)
    elif verb == V.V_PLACE:
        place_token(t, state, n, team, lowest_bit(found), sink)
    elif verb == V.V_GIFTS:
        if n > gifts_left(t, state):
            n = gifts_left(t, state)
        if n:
            state.team[team].gifts += <uint8_t> n
            changed(state)
            token_moves(state, V.GIFT, team, n, -1, sink)
    elif verb == V.V_FORGO_MOVE and not state.flags & V.FORFEIT:
        state.flags |= V.FORFEIT
        changed(state)


cdef void affect(const Book* t, Titans* state, int verb, int n, int piece, Sink* sink) noexcept nogil:
    """What a verb does to one piece."""
    if verb == V.V_DAMAGE:
        board.hurt(t, state, piece, n, V.BY_EFFECT, sink)
    elif verb == V.V_HEAL:
        board.heal(t, state, piece, n, sink)
    elif verb == V.V_IGNITE:
        board.ignite(t, state, piece, n, sink)
    elif verb == V.V_STUN:
        board.stun(t, state, piece, sink)
    elif verb == V.V_SHIELD:
        if tokens_left(t, state, V.SHIELD, t.shields) > 0:
            board.take_token(state, piece, V.SHIELD, V.TK_SHIELD, sink)
    elif verb == V.V_ESCAPE:
        if tokens_left(t, state, V.ESCAPE, t.escapes) > 0:
            board.take_token(state, piece, V.ESCAPE, V.TK_ESCAPE, sink)
    else:
        if state.piece[piece].fire:
            board.ignite(t, state, piece, -<int> state.piece[piece].fire, sink)
        if state.piece[piece].tokens & V.STUN:
            board.drop_token(state, piece, V.STUN, V.TK_STUN, sink)


cdef inline void mark(Titans* state, uint8_t* marks, int one) noexcept nogil:
    """Put a mark where it may be already."""
    if not marks[0] & one:
        marks[0] |= <uint8_t> one
        changed(state)


cdef void set_flag(const Book* t, Titans* state, int flag, int piece, int team, Sink* sink) noexcept nogil:
    """Marks of a piece or a team for the round, of the active piece for the turn."""
    if flag == V.F_GHOST:
        mark(state, &state.piece[piece].marks, V.GHOST)
    elif flag == V.F_LOCK:
        mark(state, &state.piece[piece].marks, V.LOCK)
    elif flag == V.F_ATK1:
        mark(state, &state.team[team].marks, V.ATK1)
    elif flag == V.F_TRAPSTUN:
        mark(state, &state.team[team].marks, V.TRAPSTUN)
    elif flag == V.F_SPECIAL_ON:
        mark(state, &state.flags, V.SPECIAL_ON)
    elif flag == V.F_SPECIAL_OFF:
        mark(state, &state.flags, V.SPECIAL_OFF)
    else:
        mark(state, &state.flags, V.NEXT2)
    if flag == V.F_SPECIAL_ON or flag == V.F_SPECIAL_OFF or flag == V.F_NEXT2:
        piece = state.active
    emit3(sink, V.E_FLAG, PUBLIC, flag, board.who(state, piece) if piece != NONE else -1, team)


cdef void place_token(const Book* t, Titans* state, int kind, int team, int place, Sink* sink) noexcept nogil:
    """A mission token of the holder onto the map."""
    if kind == V.PIZZA:
        if state.pizza != place:
            changed(state)
        state.pizza = <uint8_t> place
    elif kind == V.CLUE:
        if not state.clues & bit(place):
            changed(state)
        state.clues |= bit(place)
    else:
        if state.team[team].monster_place != place or state.team[team].monster_damage:
            changed(state)
        state.team[team].monster_place = <uint8_t> place
        state.team[team].monster_damage = 0
    token_moves(state, kind, team, -1, place, sink)

# ---- Answers within programs ----


cdef void decline(const Titans* state, int seat, int prompt, Sink* sink) noexcept nogil:
    emit2(sink, V.E_DECLINE, PUBLIC, seat, prompt)


cdef void answer_frame(const Book* t, Titans* state, int seat, int prompt, int answer, Rng* rng, Sink* sink) noexcept nogil:
    """The answer to the top frame's question; state.prompt is Q_NOTHING again."""
    cdef Frame* f = top_frame(state)
    cdef int verb = f.verb
    cdef int team = f.team if not f.who else 1 - f.team
    cdef int piece, i
    if prompt == V.Q_WINDOW:
        if answer == 0:
            emit1(sink, V.E_PASS, PUBLIC, seat)
        else:
            board.play_card(t, state, seat, answer - 1, f.tgt, window_other(t, state, f, seat), sink)
        return
    if prompt == V.Q_ESCAPE:
        if answer == V.DECLINE:
            decline(state, seat, prompt, sink)
        else:
            board.drop_token(state, f.tgt, V.ESCAPE, V.TK_ESCAPE, sink)
            board.enter(t, state, f.tgt, answer, V.BY_MOVE, sink)
        return
    if prompt == V.Q_CYBORG:
        if answer == V.DECLINE:
            f.place = 2
            decline(state, seat, prompt, sink)
        else:
            board.enter(t, state, CYBORG, answer, V.BY_MOVE, sink)
        return
    if prompt == V.Q_OBST_SRC and answer != V.NO_OBSTACLE:
        f.a = <uint8_t> answer
        pose(state, seat, V.Q_OBST_EDGE)
        return
    if prompt == V.Q_OBST_EDGE:
        i = f.a - 1
        end_call(f, True)
        board.set_obstacle(t, state, i, answer, team, sink)
        return
    if (answer == V.DECLINE and prompt in (V.Q_DEST, V.Q_VICTIM, V.Q_TARGET, V.Q_TRAP_PLACE)) or prompt == V.Q_OBST_SRC:
        end_call(f, False)
        decline(state, seat, prompt, sink)
        return
    if prompt == V.Q_VICTIM and verb == V.V_PUSH:
        f.a = <uint8_t> answer
        pose(state, seat, V.Q_DEST)
        return
    if prompt == V.Q_VICTIM:
        end_call(f, True)
        board.enter(t, state, answer, state.piece[f.actor].place, V.BY_PULL, sink)
        return
    if prompt == V.Q_DEST:
        piece = f.a if verb == V.V_PUSH else lowest_bit(<uint64_t> members(t, state, f, &t.row[f.args[0]]))
        end_call(f, True)
        i = V.BY_MOVE if verb == V.V_MOVE else V.BY_TELEPORT if verb == V.V_TELEPORT else V.BY_PUSH
        board.enter(t, state, piece, answer, i, sink)
        return
    if prompt == V.Q_TARGET and (verb == V.V_MELEE or verb == V.V_RANGED):
        start_attack(t, state, f, answer, sink)
        return
    if prompt == V.Q_TRAP_PLACE:
        i = f.args[0]
        end_call(f, True)
        board.put_traps(t, state, team, answer, i, sink)
        return
    if prompt == V.Q_DICE_MASK:
        end_call(f, True)
        for i in range(2):
            if answer >> i & 1:
                board.set_die(state, team, i, board.roll_die(rng), sink)
        return
    if prompt == V.Q_DIE:
        i = f.args[0]
        end_call(f, True)
        board.set_die(state, team, answer, i, sink)
        return
    do_call(t, state, f, <uint64_t> 1 << answer, rng, sink)        # TARGET, GO_PIECE, GO_PLACE
