"""What each verb of an effect can do, asks, and does (sections 3.2, 6.2, 6.8 and 6.9): one row of VERB each.

A call is the frame whose program runs, as it was before the call ended; `found` is a mask of what it works on: pieces, places, or
its answer.
"""
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport PUBLIC, Sink, emit3
from seatmate.engine.core.types cimport uint8_t, uint64_t
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules cimport board
from seatmate.engine.titans.rules.attacks cimport start_attack
from seatmate.engine.titans.rules.missions cimport roll_mayhem, token_moves
from seatmate.engine.titans.rules.model cimport (
    Book, Frame, Titans, bit, changed, full_places, no_heal, on_map, side, steps_of,
)
from seatmate.engine.titans.rules.query cimport (
    VERB, affect_fn, attack_targets, fits_fn, members, obstacle_sources, places_of, possible_fn, run_fn, shiftable, trap_places,
    unused_dice,
)
from seatmate.engine.titans.rules.supply cimport clues_left, fire_left, gifts_left, tokens_left, traps_left

from seatmate.engine.core.effects_vocabulary import numbers
from seatmate.engine.titans.content import vocabulary as v
from seatmate.engine.titans.content.pack import VERB_CODES


cdef int row(int verb, possible_fn possible, run_fn run, int question=V.Q_NOTHING, int second=V.Q_NOTHING) except -1:
    """A verb that asks the question, and the second one about its first answer, before it is carried out."""
    VERB[verb].possible = possible
    VERB[verb].run = run
    VERB[verb].question = <uint8_t> question
    VERB[verb].second = <uint8_t> second
    return 0


cdef int for_pieces(int verb, int selector, fits_fn fits, affect_fn affect) except -1:
    """A verb that does something to each of some pieces; argument `selector` says which."""
    VERB[verb].selector = <uint8_t> selector
    VERB[verb].fits = fits
    VERB[verb].affect = affect
    VERB[verb].question = V.Q_TARGET
    VERB[verb].second = V.Q_NOTHING
    return 0


cdef uint64_t always(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    return 1

# ---- Attacks ----

cdef uint64_t can_hit(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    return with_nobody(t, attack_targets(t, state, f.actor, False))


cdef uint64_t can_shoot(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    return with_nobody(t, attack_targets(t, state, f.actor, True))


cdef inline int with_nobody(const Book* t, int mask) noexcept nogil:
    """Cyborg of the free-for-all need not be attacked (R71)."""
    return mask | 1 << V.DECLINE if t.piece_team[V.CYBORG] == V.TEAMS and mask == 1 << V.CYBORG else mask


cdef void attack(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    start_attack(t, state, call, lowest_bit(found), sink)

row(V.V_MELEE, can_hit, attack, V.Q_TARGET)
row(V.V_RANGED, can_shoot, attack, V.Q_TARGET)

# ---- For pieces ----

cdef bint is_hurt(const Book* t, const Titans* state, int i) noexcept nogil:
    return state.piece[i].damage and not no_heal(t, state, t.piece_team[i])


cdef bint can_burn(const Book* t, const Titans* state, int i) noexcept nogil:
    return fire_left(t, state) > 0


cdef bint can_be_stunned(const Book* t, const Titans* state, int i) noexcept nogil:
    return not state.piece[i].tokens & V.STUN and traps_left(t, state, t.foes_row[i]) > 0


cdef bint lacks_shield(const Book* t, const Titans* state, int i) noexcept nogil:
    return not state.piece[i].tokens & V.SHIELD and tokens_left(t, state, V.SHIELD, t.shields) > 0


cdef bint lacks_escape(const Book* t, const Titans* state, int i) noexcept nogil:
    return not state.piece[i].tokens & V.ESCAPE and tokens_left(t, state, V.ESCAPE, t.escapes) > 0


cdef bint is_marked(const Book* t, const Titans* state, int i) noexcept nogil:
    return state.piece[i].fire or state.piece[i].tokens & V.STUN


cdef void damage(const Book* t, Titans* state, int i, int n, Sink* sink) noexcept nogil:
    board.hurt(t, state, i, n, V.HARM_EFFECT, sink)


cdef void stun(const Book* t, Titans* state, int i, int n, Sink* sink) noexcept nogil:
    board.stun(t, state, i, sink)


cdef void shield(const Book* t, Titans* state, int i, int n, Sink* sink) noexcept nogil:
    if tokens_left(t, state, V.SHIELD, t.shields) > 0:
        board.take_token(state, i, V.SHIELD, V.TK_SHIELD, sink)


cdef void escape(const Book* t, Titans* state, int i, int n, Sink* sink) noexcept nogil:
    if tokens_left(t, state, V.ESCAPE, t.escapes) > 0:
        board.take_token(state, i, V.ESCAPE, V.TK_ESCAPE, sink)


cdef void cleanse(const Book* t, Titans* state, int i, int n, Sink* sink) noexcept nogil:
    if state.piece[i].fire:
        board.ignite(t, state, i, -<int> state.piece[i].fire, sink)
    if state.piece[i].tokens & V.STUN:
        board.drop_token(state, i, V.STUN, V.TK_STUN, sink)

for_pieces(V.V_DAMAGE, 1, NULL, damage)
for_pieces(V.V_HEAL, 1, is_hurt, board.heal)
for_pieces(V.V_IGNITE, 1, can_burn, board.ignite)
for_pieces(V.V_STUN, 0, can_be_stunned, stun)
for_pieces(V.V_SHIELD, 0, lacks_shield, shield)
for_pieces(V.V_ESCAPE, 0, lacks_escape, escape)
for_pieces(V.V_CLEANSE, 0, is_marked, cleanse)

# ---- Shifts ----

cdef inline int mover(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    """The certain piece that is moved; NONE if it is not on the map."""
    cdef int mask = members(t, state, f, &t.row[f.args[0]])
    return lowest_bit(<uint64_t> mask) if mask else V.NONE


cdef uint64_t can_move(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    cdef int i = mover(t, state, f)
    return steps_of(t, state, i) if i != V.NONE else 0


cdef uint64_t can_displace(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    cdef int i = mover(t, state, f)
    return state.near[state.piece[i].place] & ~full_places(state) if i != V.NONE else 0


cdef uint64_t can_teleport(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    cdef int i = mover(t, state, f)
    return ((1 << V.PLACES) - 1) & ~full_places(state) & ~bit(state.piece[i].place) if i != V.NONE else 0


cdef uint64_t can_pull(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    if not on_map(state, f.actor) or full_places(state) & bit(state.piece[f.actor].place):
        return 0
    return shiftable(t, state, f.actor, state.near[state.piece[f.actor].place])


cdef uint64_t can_push(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    if not on_map(state, f.actor) or not state.near[state.piece[f.actor].place] & ~full_places(state):
        return 0
    return shiftable(t, state, f.actor, bit(state.piece[f.actor].place))


cdef uint64_t can_fetch(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    cdef int i = t.mate[f.actor]
    if not on_map(state, f.actor) or full_places(state) & bit(state.piece[f.actor].place):
        return 0
    return on_map(state, i) and state.piece[i].place != state.piece[f.actor].place


cdef void move(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    board.enter(t, state, mover(t, state, call), lowest_bit(found), V.BY_MOVE, sink)


cdef void displace(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    board.enter(t, state, mover(t, state, call), lowest_bit(found), V.BY_PUSH, sink)


cdef void teleport(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    board.enter(t, state, mover(t, state, call), lowest_bit(found), V.BY_TELEPORT, sink)


cdef void pull(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    board.enter(t, state, lowest_bit(found), state.piece[call.actor].place, V.BY_PULL, sink)


cdef void push(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    board.enter(t, state, call.a, lowest_bit(found), V.BY_PUSH, sink)


cdef void fetch(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    board.enter(t, state, t.mate[call.actor], state.piece[call.actor].place, V.BY_FETCH, sink)

row(V.V_MOVE, can_move, move, V.Q_DEST)
row(V.V_DISPLACE, can_displace, displace, V.Q_DEST)
row(V.V_TELEPORT, can_teleport, teleport, V.Q_DEST)
row(V.V_PULL, can_pull, pull, V.Q_VICTIM)
row(V.V_PUSH, can_push, push, V.Q_VICTIM, V.Q_DEST)
row(V.V_FETCH, can_fetch, fetch)

# ---- Obstacles and traps ----

cdef uint64_t can_build(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    return obstacle_sources(t, state, f.actor, &t.row[f.args[0]])


cdef void build(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    board.set_obstacle(t, state, call.a - 1, lowest_bit(found), side(call), sink)


cdef uint64_t can_trap(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    return trap_places(t, state, side(f), places_of(t, state, f, &t.row[f.args[1]], side(f)))


cdef void trap(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    board.put_traps(t, state, side(call), lowest_bit(found), call.args[0], sink)

row(V.V_OBST, can_build, build, V.Q_OBST_SRC, V.Q_OBST_EDGE)
row(V.V_TRAP, can_trap, trap, V.Q_TRAP_PLACE)

# ---- Dice ----

cdef uint64_t can_reroll(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    """Masks of dice; equal ones are interchangeable (R80)."""
    cdef int dice = unused_dice(t, state, side(f))
    if dice != 3:
        return 1 << dice if dice else 0
    return 1 << 1 | 1 << 3 | (1 << 2 if state.team[side(f)].dice[0] != state.team[side(f)].dice[1] else 0)


cdef uint64_t can_set(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    cdef int dice = unused_dice(t, state, side(f))
    cdef int mask = 0
    cdef int i
    for i in range(2):
        if dice >> i & 1 and state.team[side(f)].dice[i] != f.args[0]:
            mask |= 1 << i
    return 1 if mask == 3 and state.team[side(f)].dice[0] == state.team[side(f)].dice[1] else mask


cdef uint64_t can_reroll_placed(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    return state.active == f.actor and not state.flags & V.SLOT_USED


cdef void reroll(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    cdef int i
    for i in range(2):
        if lowest_bit(found) >> i & 1:
            board.set_die(state, side(call), i, board.roll_die(rng), sink)


cdef void set_die(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    board.set_die(state, side(call), lowest_bit(found), call.args[0], sink)


cdef void reroll_placed(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    cdef int n = board.roll_die(rng)
    state.piece[state.active].slot_die[state.slot] = <uint8_t> n
    board.set_die(state, call.team, state.die, n, sink)


cdef void reroll_mayhem(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    roll_mayhem(t, state, rng, sink)

row(V.V_REROLL_MAYHEM, always, reroll_mayhem)
row(V.V_REROLL_ACT, can_reroll, reroll, V.Q_DICE_MASK)
row(V.V_SET_ACT, can_set, set_die, V.Q_DIE)
row(V.V_REROLL_PLACED, can_reroll_placed, reroll_placed)

# ---- Marks and mission tokens ----

cdef uint64_t can_hand_fire(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    cdef int i = mover(t, state, f)
    return i != V.NONE and state.piece[i].fire and members(t, state, f, &t.row[f.args[1]])


cdef void hand_fire(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    cdef int giver = mover(t, state, call)
    cdef int n = state.piece[giver].fire
    cdef int taker = lowest_bit(<uint64_t> members(t, state, call, &t.row[call.args[1]]))
    board.ignite(t, state, giver, -n, sink)
    board.ignite(t, state, taker, n, sink)


cdef uint64_t can_flag(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    return 1 if f.args[1] < 0 else members(t, state, f, &t.row[f.args[1]])


cdef inline void mark(Titans* state, uint8_t* marks, int one) noexcept nogil:
    """Put a mark where it may be already."""
    if not marks[0] & one:
        marks[0] |= <uint8_t> one
        changed(state)


cdef void flag(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    """Marks of a piece or a team for the round, of the active piece for the turn."""
    cdef int which = call.args[0]
    cdef int piece = lowest_bit(found) if call.args[1] >= 0 else V.NONE
    if which == V.F_GHOST or which == V.F_LOCK:
        mark(state, &state.piece[piece].marks, V.GHOST if which == V.F_GHOST else V.LOCK)
    elif which == V.F_ATK1 or which == V.F_TRAPSTUN:
        mark(state, &state.team[call.team].marks, V.ATK1 if which == V.F_ATK1 else V.TRAPSTUN)
    else:
        mark(state, &state.flags, V.SPECIAL_ON << (which - V.F_SPECIAL_ON))
        piece = state.active
    emit3(sink, V.E_FLAG, PUBLIC, which, board.who(state, piece) if piece != V.NONE else -1, call.team)


cdef uint64_t can_place(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    if (f.args[0] == V.MISSION_PIZZA and state.pizza != V.NONE) or (f.args[0] == V.MISSION_CLUE and clues_left(t, state) <= 0):
        return 0
    return places_of(t, state, f, &t.row[f.args[1]], side(f))


cdef void place(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    """A mission token of the holder onto the map."""
    cdef int to = lowest_bit(found)
    if call.args[0] == V.MISSION_PIZZA:
        if state.pizza != to:
            changed(state)
        state.pizza = <uint8_t> to
    elif call.args[0] == V.MISSION_CLUE:
        if not state.clues & bit(to):
            changed(state)
        state.clues |= bit(to)
    else:
        if state.team[call.team].monster_place != to or state.team[call.team].monster_damage:
            changed(state)
        state.team[call.team].monster_place = <uint8_t> to
        state.team[call.team].monster_damage = 0
    token_moves(state, call.args[0], call.team, -1, to, sink)


cdef uint64_t can_give(const Book* t, const Titans* state, const Frame* f) noexcept nogil:
    return gifts_left(t, state) > 0


cdef void give(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    cdef int n = min(call.args[0], gifts_left(t, state))
    if n:
        state.team[call.team].gifts += <uint8_t> n
        changed(state)
        token_moves(state, V.MISSION_GIFT, call.team, n, -1, sink)


cdef void forgo_move(const Book* t, Titans* state, const Frame* call, uint64_t found, Rng* rng, Sink* sink) noexcept nogil:
    if not state.flags & V.FORFEIT:
        state.flags |= V.FORFEIT
        changed(state)

row(V.V_XFERFIRE, can_hand_fire, hand_fire)
row(V.V_FLAG, can_flag, flag)
row(V.V_PLACE, can_place, place, V.Q_GO_PLACE)
row(V.V_GIFTS, can_give, give)
row(V.V_FORGO_MOVE, always, forgo_move)

_PROMPTS = [*numbers(v, "Q_")]
QUESTIONS = {}
"""Per verb its questions."""
for _name, _code in VERB_CODES.items():
    if _code < V.V_PIZZA_TO and _code != V.V_DMG:
        if VERB[<int> _code].run == NULL and VERB[<int> _code].affect == NULL:
            raise NotImplementedError(f"{_name} of vocabulary.pxd does nothing yet")
        QUESTIONS[_name] = (_PROMPTS[VERB[<int> _code].question], _PROMPTS[VERB[<int> _code].second])
