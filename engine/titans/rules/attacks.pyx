"""Attacks (6.2) and entries (6.4): frames that finish whatever they set off before they go on."""
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit3
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.board cimport hurt, pop_frame, push_frame, room_for_frames, spring_traps, who
from seatmate.engine.titans.rules.legal cimport cyborg_steps
from seatmate.engine.titans.rules.missions cimport check_mission
from seatmate.engine.titans.rules.model cimport changed, on_map, pose, top_frame, value_of
from seatmate.engine.titans.rules.reactions cimport open_escapes, open_window

# ---- Attacks (6.2) ----

cdef void start_attack(const Book* t, Titans* state, const Frame* call, int target, Sink* sink) noexcept nogil:
    """The attack record is fixed; a window for the attacked team comes before the damage."""
    cdef bint ranged = call.verb == V.V_RANGED
    cdef int actor = call.actor
    cdef Frame* attack
    top_frame(state).target = V.NONE
    emit3(sink, V.E_ATTACK, PUBLIC, who(state, actor), who(state, target) if target != V.MONSTER_TARGET else -1, ranged)
    if not room_for_frames(state):
        return
    attack = push_frame(state, V.K_ATTACK)
    attack.team = call.team
    attack.actor = <uint8_t> actor
    attack.target = <uint8_t> target
    attack.mode = ranged
    attack.a = <uint8_t> call.args[0]
    attack.place = 0
    if target < V.PIECES and t.piece_team[target] != V.TEAMS:
        open_window(state, V.W_ATTACKED, target, actor, V.NONE, False)


cdef bint in_reach(const Titans* state, int actor, int place, bint ranged) noexcept nogil:
    if ranged:
        return state.near[state.piece[actor].place] >> place & 1
    return state.piece[actor].place == place


cdef void run_attack(const Book* t, Titans* state, Frame* f, Sink* sink) noexcept nogil:
    """stage 0: damage; 1: Cyborg is moved; 2: what the defender's card does to the attacker; 3: over."""
    cdef int damage
    cdef int target = f.target
    cdef int team = f.team
    cdef bint there
    if f.stage == 0:
        damage = value_of(t, state) + f.a + (1 if state.team[team].marks & V.ATK1 else 0) + (2 if state.flags & V.NEXT2 else 0)
        state.flags &= ~V.NEXT2
        f.stage = 2
        if target == V.MONSTER_TARGET:
            there = (on_map(state, f.actor) and state.team[team].monster_place != V.NONE
                     and in_reach(state, f.actor, state.team[team].monster_place, f.mode))
        else:
            there = on_map(state, f.actor) and on_map(state, target) and in_reach(state, f.actor, state.piece[target].place, f.mode)
        if not there:
            emit1(sink, V.E_ATTACK_FAILED, PUBLIC, who(state, f.actor))
        elif target == V.MONSTER_TARGET:
            hit_monster(t, state, team, damage, sink)
        elif t.piece_team[target] == V.TEAMS:
            if not state.flags & V.FLAME:
                state.flags |= V.FLAME
                changed(state)
            f.stage = 1
        else:
            state.frame[state.depth - 2].target = <uint8_t> target
            hurt(t, state, target, damage, V.HARM_ATTACK, sink)
    elif f.stage == 1:
        if f.place == 2 or cyborg_steps(state) == 0:
            f.stage = 3
        else:
            f.place += 1
            pose(state, t.seat_of[f.actor], V.Q_CYBORG)
    elif f.stage == 2:
        f.stage = 3
        if f.b and on_map(state, f.actor):
            hurt(t, state, f.actor, f.b, V.HARM_EFFECT, sink)
    else:
        pop_frame(state)


cdef void hit_monster(const Book* t, Titans* state, int team, int damage, Sink* sink) noexcept nogil:
    """Excess damage is lost (R54)."""
    cdef int total = state.team[team].monster_damage + damage
    cdef int health = t.go[state.team[team].go].number
    if total > health:
        total = health
    if state.team[team].monster_damage != total:
        state.team[team].monster_damage = <uint8_t> total
        changed(state)
    emit3(sink, V.E_MONSTER_DAMAGE, PUBLIC, team, damage, total)
    check_mission(t, state, team, sink)

# ---- Entries (6.4) ----

cdef void run_entry(const Book* t, Titans* state, Frame* f, Sink* sink) noexcept nogil:
    """Traps, missions, cards, escapes; each finishes before the next."""
    cdef int piece = f.actor
    f.stage += 1
    if f.stage == 1:
        if f.mode != V.BY_PLACE:
            spring_traps(t, state, piece, f.place, sink)
    elif f.stage == 2:
        if t.piece_team[piece] != V.TEAMS and on_map(state, piece):
            check_mission(t, state, t.piece_team[piece], sink)
    elif f.stage == 3:
        if f.mode != V.BY_PLACE and on_map(state, piece) and t.piece_team[piece] != V.TEAMS:
            open_window(state, V.W_ENTER, piece, V.NONE, f.place, f.mode == V.BY_MOVE)
    elif f.stage == 4:
        if f.mode == V.BY_MOVE and state.active != V.NONE:
            open_escapes(state, piece)
    else:
        pop_frame(state)
