"""Attacks (6.2) and entries (6.4): frames that finish whatever they set off before they go on."""
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit3
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.titans.content.vocabulary cimport (
    BY_ATTACK, BY_EFFECT, BY_MOVE, BY_PLACE, E_ATTACK, E_ATTACK_FAILED, E_MONSTER_DAMAGE, Q_CYBORG, V_RANGED,
    W_ATTACKED, W_ENTER,
)
from seatmate.engine.titans.rules.board cimport hurt, pop_frame, push_frame, room_for_frames, spring_traps, who
from seatmate.engine.titans.rules.legal cimport cyborg_steps
from seatmate.engine.titans.rules.missions cimport check_mission
from seatmate.engine.titans.rules.model cimport (
    ATK1, ATTACK, FLAME, MONSTER_TARGET, NEXT2, NONE, PIECES, TEAMS, arena, changed, end_call, on_map, pose, value_of,
)
from seatmate.engine.titans.rules.reactions cimport open_escapes, open_window

# ---- Attacks (6.2) ----

cdef void start_attack(const Tables* t, Titans* h, Frame* f, int target, Sink* sink) noexcept nogil:
    """The attack record is fixed; a window for the attacked team comes before the damage."""
    cdef bint ranged = f.verb == V_RANGED
    cdef int bonus = f.args[0]
    cdef int actor = f.actor
    cdef int team = f.team
    cdef Frame* attack
    end_call(f, True)
    f.tgt = NONE
    emit3(sink, E_ATTACK, PUBLIC, who(h, actor), who(h, target) if target != MONSTER_TARGET else -1, ranged)
    if not room_for_frames(h):
        return
    attack = push_frame(h, ATTACK)
    attack.team = <uint8_t> team
    attack.actor = <uint8_t> actor
    attack.tgt = <uint8_t> target
    attack.mode = ranged
    attack.a = <uint8_t> bonus
    attack.place = 0
    if target < PIECES and t.piece_team[target] != TEAMS:
        open_window(h, W_ATTACKED, target, actor, NONE, False)


cdef bint in_reach(const Titans* h, int actor, int place, bint ranged) noexcept nogil:
    if ranged:
        return h.near[h.pc[actor].place] >> place & 1
    return h.pc[actor].place == place


cdef void run_attack(const Tables* t, Titans* h, Frame* f, Sink* sink) noexcept nogil:
    """stage 0: damage; 1: Cyborg is moved; 2: what the defender's card does to the attacker; 3: over."""
    cdef int damage
    cdef int target = f.tgt
    cdef int team = f.team
    cdef bint there
    if f.stage == 0:
        damage = value_of(t, h) + f.a + (1 if h.team[team].marks & ATK1 else 0) + (2 if h.flags & NEXT2 else 0)
        h.flags &= ~NEXT2
        f.stage = 2
        if target == MONSTER_TARGET:
            there = on_map(h, f.actor) and h.team[team].mon_place != NONE and in_reach(h, f.actor, h.team[team].mon_place, f.mode)
        else:
            there = on_map(h, f.actor) and on_map(h, target) and in_reach(h, f.actor, h.pc[target].place, f.mode)
        if not there:
            emit1(sink, E_ATTACK_FAILED, PUBLIC, who(h, f.actor))
        elif target == MONSTER_TARGET:
            hit_monster(t, h, team, damage, sink)
        elif t.piece_team[target] == TEAMS:
            if not h.flags & FLAME:
                h.flags |= FLAME
                changed(h)
            f.stage = 1
        else:
            h.frame[h.depth - 2].tgt = <uint8_t> target
            hurt(t, h, target, damage, BY_ATTACK, sink)
    elif f.stage == 1:
        if f.place == 2 or cyborg_steps(h) == 0:
            f.stage = 3
        else:
            f.place += 1
            pose(h, t.seat_of[f.actor], Q_CYBORG)
    elif f.stage == 2:
        f.stage = 3
        if f.b and on_map(h, f.actor):
            hurt(t, h, f.actor, f.b, BY_EFFECT, sink)
    else:
        pop_frame(h)


cdef void hit_monster(const Tables* t, Titans* h, int team, int damage, Sink* sink) noexcept nogil:
    """Excess damage is lost (R54)."""
    cdef int total = h.team[team].mon_dmg + damage
    cdef int health = t.go[h.team[team].go].number
    if total > health:
        total = health
    if h.team[team].mon_dmg != total:
        h.team[team].mon_dmg = <uint8_t> total
        changed(h)
    emit3(sink, E_MONSTER_DAMAGE, PUBLIC, team, damage, total)
    check_mission(t, h, team, sink)

# ---- Entries (6.4) ----

cdef void run_entry(const Tables* t, Titans* h, Frame* f, Sink* sink) noexcept nogil:
    """Traps, missions, cards, escapes; each finishes before the next."""
    cdef int piece = f.actor
    f.stage += 1
    if f.stage == 1:
        if f.mode != BY_PLACE:
            spring_traps(t, h, piece, f.place, sink)
    elif f.stage == 2:
        if not arena(t) and on_map(h, piece):
            check_mission(t, h, t.piece_team[piece], sink)
    elif f.stage == 3:
        if f.mode != BY_PLACE and on_map(h, piece) and t.piece_team[piece] != TEAMS:
            open_window(h, W_ENTER, piece, NONE, f.place, f.mode == BY_MOVE)
    elif f.stage == 4:
        if f.mode == BY_MOVE and h.active != NONE:
            open_escapes(h, piece)
    else:
        pop_frame(h)
