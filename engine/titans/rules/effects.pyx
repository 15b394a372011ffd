"""The frame stack: programs that are being carried out, and the answers to their questions (section 6).

The top frame goes on until somebody must be asked or another frame lies on it. Everything a frame has still to do is in the
frame, so a position in the middle of nested effects is like any other.
"""
from seatmate.engine.core.machine cimport STEP_AFTER, STEP_MAY, Call, next_call
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit2, emit3
from seatmate.engine.core.types cimport int32_t, uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.titans.content.vocabulary cimport (
    BY_EFFECT, BY_FETCH, BY_MOVE, BY_PULL, BY_PUSH, BY_TELEPORT, CLUE, DECLINE, E_DECLINE, E_FLAG, E_PASS, F_ATK1,
    F_GHOST, F_LOCK, F_NEXT2, F_SPECIAL_OFF, F_SPECIAL_ON, F_TRAPSTUN, GIFT, NO_OBSTACLE, PIZZA, Q_CYBORG, Q_DEST,
    Q_DICE_MASK, Q_DIE, Q_ESCAPE, Q_GO_PIECE, Q_GO_PLACE, Q_OBST_EDGE, Q_OBST_SRC, Q_TARGET, Q_TRAP_PLACE, Q_VICTIM,
    Q_WINDOW, TK_ESCAPE, TK_SHIELD, TK_STUN, V_ABILITY_AT, V_CLEANSE, V_DAMAGE, V_DISPLACE, V_ESCAPE, V_FETCH, V_FLAG,
    V_FORGO_MOVE, V_GIFTS, V_HEAL, V_IGNITE, V_MELEE, V_MOVE, V_OBST, V_PLACE, V_PULL, V_PUSH, V_RANGED, V_REROLL_ACT,
    V_REROLL_MAYHEM, V_REROLL_PLACED, V_SET_ACT, V_SHIELD, V_STUN, V_TELEPORT, V_TRAP, V_XFERFIRE,
)
from seatmate.engine.titans.rules.attacks cimport run_attack, run_entry, start_attack
from seatmate.engine.titans.rules.board cimport (
    complete, drop_token, enter, heal, hurt, ignite, play_card, pop_frame, put_traps, roll_die, set_die, set_obstacle,
    stun, take_token, who,
)
from seatmate.engine.titans.rules.missions cimport roll_mayhem, run_quest, token_moves
from seatmate.engine.titans.rules.model cimport (
    ATK1, ATTACK, CYBORG, DID, ENTRY, ESCAPE, ESCAPES, FORFEIT, GHOST, IN_BODY, KO, LOCK, NEXT2, NONE, PIECES, PROG,
    SHIELD, SPECIAL, SPECIAL_OFF, SPECIAL_ON, STUN, S_GO, S_INNATE, S_OVER, S_SLOT, TRAPSTUN, WINDOW, Frame, arena,
    asks_for, bit, captain, changed, end_call, icon_places, mate_of, on_map, pose, top_frame,
)
from seatmate.engine.titans.rules.query cimport Context, choices, look, members, window_other
from seatmate.engine.titans.rules.reactions cimport run_escapes, run_ko, run_window
from seatmate.engine.titans.rules.supply cimport gifts_left, tokens_left


cdef void run_frame(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    """The top frame goes one step further."""
    cdef Frame* f = top_frame(h)
    if f.kind == PROG:
        run_program(t, h, f, rng, sink)
    elif f.kind == ATTACK:
        run_attack(t, h, f, sink)
    elif f.kind == ENTRY:
        run_entry(t, h, f, sink)
    elif f.kind == WINDOW:
        run_window(t, h, f, sink)
    elif f.kind == ESCAPES:
        run_escapes(t, h, f, sink)
    elif f.kind == KO:
        run_ko(t, h, f, sink)
    else:
        run_quest(t, h, f, rng, sink)

# ---- Programs (6.1) ----


cdef void run_program(const Tables* t, Titans* h, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    """The next call of the program, or its end."""
    cdef Context c
    cdef Call call
    cdef int32_t at
    cdef int i
    if f.source >= S_SLOT and not on_map(h, f.actor):       # R30
        pop_frame(h)
        return
    look(&c, t, h, f.team, f.actor, f.tgt, f.other)
    at = f.at
    while next_call(&c.machine, &at, f.stage & DID != 0, &call):
        f.at = <uint16_t> at
        f.verb = <uint8_t> call.verb
        f.who = call.who > 0
        f.may = call.flags & STEP_MAY != 0
        for i in range(2):
            f.args[i] = <signed char> call.args[i] if i < call.n else 0
        if call.flags & STEP_AFTER:
            put_off(t, h, f)
            end_call(f, True)
        elif begin_call(t, h, f, rng, sink):
            return
    if not f.stage & IN_BODY:
        f.stage |= IN_BODY
        f.stage &= ~DID
        f.at = <uint16_t> t.card[f.source].body
        return
    end_program(t, h, f)


cdef void end_program(const Tables* t, Titans* h, Frame* f) noexcept nogil:
    """R38: an ability that was activated where the mission wants it."""
    cdef int team = f.team
    cdef bint there = (S_SLOT <= f.source < S_INNATE and f.stage & SPECIAL and h.stood != NONE and not arena(t)
                       and asks_for(t, h, team, V_ABILITY_AT)
                       and icon_places(t, h, t.go[h.team[team].go].icon) >> h.stood & 1)
    pop_frame(h)
    if there:
        complete(h, team)


cdef void put_off(const Tables* t, Titans* h, Frame* f) noexcept nogil:
    """A step "after" the attack that is going on (6.2, 8); only damage to the attacker can wait."""
    cdef int i = h.depth - 2
    while i >= 0 and h.frame[i].kind != ATTACK:
        i -= 1
    if i >= 0:
        h.frame[i].b += <uint8_t> f.args[0]


cdef inline int decider(const Tables* t, const Titans* h, const Frame* f, int piece) noexcept nogil:
    """Who decides about the running call; `piece` is what it moves, or NONE (5.7)."""
    if S_GO <= f.source < S_SLOT:
        return captain(t, h, f.team if not f.who else 1 - f.team)
    if f.source < S_GO and piece != NONE and t.piece_team[piece] == f.team:
        return t.seat_of[piece]
    return f.seat


cdef bint begin_call(const Tables* t, Titans* h, Frame* f, Rng* rng, Sink* sink) noexcept nogil:
    """Skip the call, ask for it, or do it. True if the program has to wait: a question, a frame on top, the end."""
    cdef uint64_t found = choices(t, h, f)
    cdef int verb = f.verb
    cdef int depth = h.depth
    cdef int piece
    if found == 0:
        end_call(f, False)
        return False
    if verb == V_MELEE or verb == V_RANGED:
        pose(h, decider(t, h, f, NONE), Q_TARGET)
        return True
    if verb == V_MOVE or verb == V_DISPLACE or verb == V_TELEPORT:
        piece = lowest_bit(<uint64_t> members(t, h, f, &t.row[f.args[0]]))
        pose(h, decider(t, h, f, piece if verb != V_DISPLACE else NONE), Q_DEST)
        return True
    if verb == V_OBST:
        pose(h, decider(t, h, f, NONE), Q_OBST_SRC)
        return True
    if verb == V_PULL or verb == V_PUSH:
        pose(h, decider(t, h, f, NONE), Q_VICTIM)
        return True
    if verb == V_TRAP:
        pose(h, decider(t, h, f, NONE), Q_TRAP_PLACE)
        return True
    if verb == V_REROLL_ACT:
        pose(h, decider(t, h, f, NONE), Q_DICE_MASK)
        return True
    if verb == V_SET_ACT:
        pose(h, decider(t, h, f, NONE), Q_DIE)
        return True
    if verb == V_PLACE and found & (found - 1):
        pose(h, decider(t, h, f, NONE), Q_GO_PLACE)
        return True
    if is_for_pieces(verb) and found & (found - 1) and not t.row[selector_of(f)].each:
        pose(h, decider(t, h, f, NONE), Q_GO_PIECE if f.source >= S_GO and f.source < S_SLOT else Q_TARGET)
        return True
    do_call(t, h, f, found, rng, sink)
    return h.step == S_OVER or h.depth != depth


cdef inline bint is_for_pieces(int verb) noexcept nogil:
    """Does the verb do something to each of some pieces?"""
    return verb in (V_DAMAGE, V_HEAL, V_IGNITE, V_STUN, V_SHIELD, V_ESCAPE, V_CLEANSE)


cdef inline int selector_of(const Frame* f) noexcept nogil:
    """The selector of such a call."""
    return f.args[1] if f.verb == V_DAMAGE or f.verb == V_HEAL or f.verb == V_IGNITE else f.args[0]


cdef void do_call(const Tables* t, Titans* h, Frame* f, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    """Carry out a call that needs no (further) answer; `found` are the pieces or places it works on."""
    cdef int verb = f.verb
    cdef int n = f.args[0]
    cdef int team = f.team
    cdef int piece, other
    cdef Frame call = f[0]
    end_call(f, True)
    if is_for_pieces(verb):
        for piece in range(PIECES):
            if found >> piece & 1 and on_map(h, piece):
                affect(t, h, verb, n, piece, sink)
                if h.step == S_OVER:
                    return
    elif verb == V_FETCH:
        enter(t, h, mate_of(t, f.actor), h.pc[f.actor].place, BY_FETCH, sink)
    elif verb == V_REROLL_MAYHEM:
        roll_mayhem(t, h, rng, sink)
    elif verb == V_REROLL_PLACED:
        n = roll_die(rng)
        h.pc[h.active].slot_die[h.slot] = <uint8_t> n
        set_die(h, team, h.die, n, sink)
    elif verb == V_XFERFIRE:
        piece = lowest_bit(<uint64_t> members(t, h, &call, &t.row[n]))
        other = lowest_bit(<uint64_t> members(t, h, &call, &t.row[call.args[1]]))
        n = h.pc[piece].fire
        ignite(t, h, piece, -n, sink)
        ignite(t, h, other, n, sink)
    elif verb == V_FLAG:
        set_flag(t, h, n, lowest_bit(found) if call.args[1] >= 0 else NONE, team, sink)
    elif verb == V_PLACE:
        place_token(t, h, n, team, lowest_bit(found), sink)
    elif verb == V_GIFTS:
        if n > gifts_left(t, h):
            n = gifts_left(t, h)
        if n:
            h.team[team].gifts += <uint8_t> n
            changed(h)
            token_moves(h, GIFT, team, n, -1, sink)
    elif verb == V_FORGO_MOVE and not h.flags & FORFEIT:
        h.flags |= FORFEIT
        changed(h)


cdef void affect(const Tables* t, Titans* h, int verb, int n, int piece, Sink* sink) noexcept nogil:
    """What a verb does to one piece."""
    if verb == V_DAMAGE:
        hurt(t, h, piece, n, BY_EFFECT, sink)
    elif verb == V_HEAL:
        heal(t, h, piece, n, sink)
    elif verb == V_IGNITE:
        ignite(t, h, piece, n, sink)
    elif verb == V_STUN:
        stun(t, h, piece, sink)
    elif verb == V_SHIELD:
        if tokens_left(t, h, SHIELD, t.shields) > 0:
            take_token(h, piece, SHIELD, TK_SHIELD, sink)
    elif verb == V_ESCAPE:
        if tokens_left(t, h, ESCAPE, t.escapes) > 0:
            take_token(h, piece, ESCAPE, TK_ESCAPE, sink)
    else:
        if h.pc[piece].fire:
            ignite(t, h, piece, -<int> h.pc[piece].fire, sink)
        if h.pc[piece].tok & STUN:
            drop_token(h, piece, STUN, TK_STUN, sink)


cdef inline void mark(Titans* h, uint8_t* marks, int one) noexcept nogil:
    """Put a mark where it may be already."""
    if not marks[0] & one:
        marks[0] |= <uint8_t> one
        changed(h)


cdef void set_flag(const Tables* t, Titans* h, int flag, int piece, int team, Sink* sink) noexcept nogil:
    """Marks of a piece or a team for the round, of the active piece for the turn."""
    if flag == F_GHOST:
        mark(h, &h.pc[piece].marks, GHOST)
    elif flag == F_LOCK:
        mark(h, &h.pc[piece].marks, LOCK)
    elif flag == F_ATK1:
        mark(h, &h.team[team].marks, ATK1)
    elif flag == F_TRAPSTUN:
        mark(h, &h.team[team].marks, TRAPSTUN)
    elif flag == F_SPECIAL_ON:
        mark(h, &h.flags, SPECIAL_ON)
    elif flag == F_SPECIAL_OFF:
        mark(h, &h.flags, SPECIAL_OFF)
    else:
        mark(h, &h.flags, NEXT2)
    if flag == F_SPECIAL_ON or flag == F_SPECIAL_OFF or flag == F_NEXT2:
        piece = h.active
    emit3(sink, E_FLAG, PUBLIC, flag, who(h, piece) if piece != NONE else -1, team)


cdef void place_token(const Tables* t, Titans* h, int kind, int team, int place, Sink* sink) noexcept nogil:
    """A mission token of the holder onto the map."""
    if kind == PIZZA:
        if h.pizza != place:
            changed(h)
        h.pizza = <uint8_t> place
    elif kind == CLUE:
        if not h.clues & bit(place):
            changed(h)
        h.clues |= bit(place)
    else:
        if h.team[team].mon_place != place or h.team[team].mon_dmg:
            changed(h)
        h.team[team].mon_place = <uint8_t> place
        h.team[team].mon_dmg = 0
    token_moves(h, kind, team, -1, place, sink)

# ---- Answers within programs ----


cdef void decline(const Titans* h, int seat, int prompt, Sink* sink) noexcept nogil:
    emit2(sink, E_DECLINE, PUBLIC, seat, prompt)


cdef void answer_frame(const Tables* t, Titans* h, int seat, int prompt, int answer, Rng* rng, Sink* sink) noexcept nogil:
    """The answer to the top frame's question; h.prompt is Q_NOTHING again."""
    cdef Frame* f = top_frame(h)
    cdef int verb = f.verb
    cdef int team = f.team if not f.who else 1 - f.team
    cdef int piece, i
    if prompt == Q_WINDOW:
        if answer == 0:
            emit1(sink, E_PASS, PUBLIC, seat)
        else:
            play_card(t, h, seat, answer - 1, f.tgt, window_other(t, h, f, seat), sink)
        return
    if prompt == Q_ESCAPE:
        if answer == DECLINE:
            decline(h, seat, prompt, sink)
        else:
            drop_token(h, f.tgt, ESCAPE, TK_ESCAPE, sink)
            enter(t, h, f.tgt, answer, BY_MOVE, sink)
        return
    if prompt == Q_CYBORG:
        if answer == DECLINE:
            f.place = 2
            decline(h, seat, prompt, sink)
        else:
            enter(t, h, CYBORG, answer, BY_MOVE, sink)
        return
    if prompt == Q_OBST_SRC and answer != NO_OBSTACLE:
        f.a = <uint8_t> answer
        pose(h, seat, Q_OBST_EDGE)
        return
    if prompt == Q_OBST_EDGE:
        i = f.a - 1
        end_call(f, True)
        set_obstacle(t, h, i, answer, team, sink)
        return
    if (answer == DECLINE and prompt in (Q_DEST, Q_VICTIM, Q_TARGET, Q_TRAP_PLACE)) or prompt == Q_OBST_SRC:
        end_call(f, False)
        decline(h, seat, prompt, sink)
        return
    if prompt == Q_VICTIM and verb == V_PUSH:
        f.a = <uint8_t> answer
        pose(h, seat, Q_DEST)
        return
    if prompt == Q_VICTIM:
        end_call(f, True)
        enter(t, h, answer, h.pc[f.actor].place, BY_PULL, sink)
        return
    if prompt == Q_DEST:
        piece = f.a if verb == V_PUSH else lowest_bit(<uint64_t> members(t, h, f, &t.row[f.args[0]]))
        end_call(f, True)
        enter(t, h, piece, answer, BY_MOVE if verb == V_MOVE else BY_TELEPORT if verb == V_TELEPORT else BY_PUSH, sink)
        return
    if prompt == Q_TARGET and (verb == V_MELEE or verb == V_RANGED):
        start_attack(t, h, f, answer, sink)
        return
    if prompt == Q_TRAP_PLACE:
        i = f.args[0]
        end_call(f, True)
        put_traps(t, h, team, answer, i, sink)
        return
    if prompt == Q_DICE_MASK:
        end_call(f, True)
        for i in range(2):
            if answer >> i & 1:
                set_die(h, team, i, roll_die(rng), sink)
        return
    if prompt == Q_DIE:
        i = f.args[0]
        end_call(f, True)
        set_die(h, team, answer, i, sink)
        return
    do_call(t, h, f, <uint64_t> 1 << answer, rng, sink)        # TARGET, GO_PIECE, GO_PLACE
