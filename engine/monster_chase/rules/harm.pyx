"""Damage, shields, spins, the Boss's hearts and state, missiles and explosions (RULES.md, 5.9 and 6.4 to 6.8)."""
from seatmate.engine.core.sink cimport PUBLIC, emit2, emit3
from seatmate.engine.core.types cimport action_t, uint8_t
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.model cimport (
    Change, Frame, bit, count_up, define, green, mod, next_square, occupant, pop, pose, push,
)
from seatmate.engine.monster_chase.rules.query cimport ally, first_of


cdef void set_object(Chase* chase, int sq, int type, Sink* sink) noexcept nogil:
    """Put an object on a square, or take it away (NOTHING); without supply nothing is put (R39)."""
    cdef int before = chase.object[sq]
    cdef uint8_t* supply = &chase.flow.boulders
    if type and not supply[type - 1]:
        return
    if before:
        supply[before - 1] += 1
    if type:
        supply[type - 1] -= 1
    chase.object[sq] = <uint8_t> type
    emit2(sink, V.E_OBJECT, PUBLIC, sq, type)


cdef bint spared(const Book* book, const Chase* chase, int victim) noexcept nogil:
    """Is it a mate of who uses a star power in a team race (R50)?"""
    return chase.flow.power != 0 and book.mode == V.MODE_TEAM and victim != chase.flow.current \
        and ally(book, victim, chase.flow.current)


cdef void give_star(const Book* book, Chase* chase, int v, int n, Sink* sink) noexcept nogil:
    cdef int star
    if book.kind[v] != V.K_PILOT and book.kind[v] != V.K_GHOST:
        return
    star = min(max(chase.car[v].star + n, 0), book.star_max)
    if star != chase.car[v].star:
        chase.car[v].star = <uint8_t> star
        emit2(sink, V.E_STAR, PUBLIC, v, star)


cdef void set_shields(Chase* chase, int v, int n, Sink* sink) noexcept nogil:
    """A vehicle with shields has one of the tokens (6.15)."""
    if n == chase.car[v].shields or (chase.car[v].shields == 0 and chase.flow.shields == 0):
        return
    chase.flow.shields = <uint8_t> (chase.flow.shields + (chase.car[v].shields != 0) - (n != 0))
    chase.car[v].shields = <uint8_t> n
    emit2(sink, V.E_SHIELD, PUBLIC, v, n)


cdef void gain_shields(const Book* book, Chase* chase, int v, int n, Sink* sink) noexcept nogil:
    if not mod(book, chase, v, V.M_NO_SHIELD):
        set_shields(chase, v, min(chase.car[v].shields + n, book.shield_max), sink)


cdef void lose_shields(Chase* chase, int v, int n, Sink* sink) noexcept nogil:
    set_shields(chase, v, max(chase.car[v].shields - n, 0), sink)


cdef void spin(Chase* chase, int v, Sink* sink) noexcept nogil:
    if not chase.car[v].spun:
        chase.car[v].spun = 2
        emit2(sink, V.E_SPIN, PUBLIC, v, 1)


cdef void straighten(Chase* chase, int v, Sink* sink) noexcept nogil:
    if chase.car[v].spun:
        chase.car[v].spun = 0
        emit2(sink, V.E_SPIN, PUBLIC, v, 0)


cdef void repair(const Book* book, Chase* chase, int v, int n, Sink* sink) noexcept nogil:
    """Remove damage, or give the Boss hearts back."""
    if v == book.boss:
        heal_boss(book, chase, n, sink)
        return
    n = min(n, chase.car[v].damage)
    if n:
        chase.car[v].damage -= n
        emit2(sink, V.E_HEAL, PUBLIC, v, n)

# ---- The Boss ----

cdef void set_state(Chase* chase, int furious, Sink* sink) noexcept nogil:
    if chase.flow.furious != furious:
        chase.flow.furious = <uint8_t> furious
        emit2(sink, V.E_BOSS, PUBLIC, chase.flow.hp, furious)


cdef void watch(const Book* book, Chase* chase, int trigger, int value, Sink* sink) noexcept nogil:
    """The condition of the current state is met, or not (3.4)."""
    cdef const Change* change = &book.to_normal if chase.flow.furious else &book.to_furious
    if change.trigger == trigger and (value <= change.n if change.below else value >= change.n):
        set_state(chase, not chase.flow.furious, sink)


cdef void lose_hearts(const Book* book, Chase* chase, int n, Sink* sink) noexcept nogil:
    """There is no lower bound (R14)."""
    chase.flow.hp = <signed char> max(chase.flow.hp - n, -100)
    chase.flow.lost_turn = <uint8_t> min(chase.flow.lost_turn + n, 100)
    chase.flow.lost_round = <uint8_t> min(chase.flow.lost_round + n, 100)
    emit2(sink, V.E_BOSS, PUBLIC, chase.flow.hp, chase.flow.furious)
    watch(book, chase, V.T_LOST_TURN, chase.flow.lost_turn, sink)
    watch(book, chase, V.T_LOST_ROUND, chase.flow.lost_round, sink)


cdef void heal_boss(const Book* book, Chase* chase, int n, Sink* sink) noexcept nogil:
    """At most to what it began with."""
    n = min(n, book.max_hp - chase.flow.hp)
    if n > 0:
        chase.flow.hp += n
        emit2(sink, V.E_BOSS, PUBLIC, chase.flow.hp, chase.flow.furious)
        watch(book, chase, V.T_HEALED, n, sink)

# ---- Damage ----

cdef void drop_spirit(Chase* chase, int v) noexcept nogil:
    if chase.car[v].spirit != V.NONE:
        chase.discard[chase.car[v].spirit] += 1
        chase.car[v].spirit = V.NONE


cdef void off_track(const Book* book, Chase* chase, int v, Sink* sink) noexcept nogil:
    """The third damage, or a fall; then the car comes back (6.9). In a simulation it vanishes."""
    cdef int old = chase.car[v].lap
    cdef int i
    chase.car[v].damage = 0
    give_star(book, chase, v, book.offtrack_star, sink)
    lose_shields(chase, v, V.NONE, sink)
    drop_spirit(chase, v)
    straighten(chase, v, sink)
    chase.car[v].flags |= V.CAR_OFF
    chase.car[v].sq = V.NONE
    for i in range(chase.depth):                # who rammed it pushes it no more, even if it comes back to the same square (6.3)
        if chase.frame[i].kind == V.C_MOVE and chase.frame[i].w == v:
            chase.frame[i].w = V.NONE
    emit2(sink, V.E_OFFTRACK, PUBLIC, v, old)
    if book.boss != V.NONE:
        if chase.flow.current == book.boss:
            heal_boss(book, chase, book.boss_heal, sink)
        watch(book, chase, V.T_PILOT_OFFTRACK, 1, sink)
    if chase.flow.scratch:
        chase.car[v].lap = 0                    # where it was is no outcome
    else:
        push(chase, V.C_RETURN, v).extra = <uint8_t> (old + 1)


cdef void suffer(const Book* book, Chase* chase, int victim, int n, int source, Sink* sink) noexcept nogil:
    """The damage that is left after shields and armour."""
    emit3(sink, V.E_DMG, PUBLIC, victim, n, source)
    if victim == book.boss:
        lose_hearts(book, chase, n, sink)
        return
    chase.flow.dealt += n if chase.flow.scratch else 0
    chase.car[victim].damage = <uint8_t> min(chase.car[victim].damage + n, 100)
    drop_spirit(chase, victim)
    if chase.car[victim].damage >= book.hearts:
        off_track(book, chase, victim, sink)


cdef int armoured(const Book* book, Chase* chase, int n) noexcept nogil:
    """The damage behind the Boss's armour: on a red position, the first of each turn is less."""
    cdef int armour = mod(book, chase, book.boss, V.M_ARMOR_RED)
    if armour and not chase.flow.armour_used and not green(book, chase, book.boss):
        chase.flow.armour_used = 1
        return n - armour
    return n


cdef void hurt(const Book* book, Chase* chase, int victim, int n, int source, Sink* sink) noexcept nogil:
    """The whole procedure of 6.4; source: a vehicle, or NONE. May carry something out first: the last thing a stage does."""
    cdef Frame* frame
    if n <= 0 or chase.car[victim].sq == V.NONE or spared(book, chase, victim):
        return
    if (source != V.NONE and source != victim and chase.car[source].shields) or chase.car[victim].shields:
        frame = push(chase, V.C_DAMAGE, victim)
        frame.w = <uint8_t> source
        frame.left = <uint8_t> n
        return
    if victim == book.boss:
        n = armoured(book, chase, n)
        if n <= 0:
            return
    suffer(book, chase, victim, n, source, sink)


cdef bint by_itself(const Book* book, int v) noexcept nogil:
    """Does it spend one shield at the first opportunity (R41)?"""
    return book.kind[v] != V.K_PILOT and book.kind[v] != V.K_GHOST


cdef void run_damage(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    cdef int victim = frame.v
    cdef int source = frame.w
    cdef int n
    if frame.stage == 0:
        frame.stage = 1
        if source != V.NONE and source != victim and chase.car[source].shields:
            if by_itself(book, source):
                spend(chase, source, 1, frame, 1, V.E_BOOST, sink)
            elif not chase.flow.scratch:
                pose(book, chase, source, V.Q_SHIELD_BOOST)
                return
    if frame.stage == 1:
        frame.stage = 2
        if victim == book.boss:
            frame.left = <uint8_t> max(armoured(book, chase, frame.left), 0)
        if frame.left and chase.car[victim].shields and chase.flow.power != V.FINAL:
            if by_itself(book, victim):
                spend(chase, victim, 1, frame, -1, V.E_BLOCK, sink)
            elif not chase.flow.scratch:
                pose(book, chase, victim, V.Q_SHIELD_BLOCK)
                return
    n = frame.left
    pop(chase)
    if n:
        suffer(book, chase, victim, n, source, sink)


cdef void spend(Chase* chase, int v, int n, Frame* frame, int each, int event, Sink* sink) noexcept nogil:
    if n:
        frame.left = <uint8_t> max(frame.left + n * each, 0)
        emit2(sink, event, PUBLIC, v, n)
        lose_shields(chase, v, n, sink)


cdef int damage_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil:
    cdef int most = chase.car[frame.w].shields if chase.flow.prompt == V.Q_SHIELD_BOOST else \
        min(chase.car[frame.v].shields, frame.left)
    return count_up(0, most + 1, out)


cdef void answer_damage(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    if frame.stage == 1:
        spend(chase, frame.w, action, frame, 1, V.E_BOOST, sink)
    else:
        spend(chase, frame.v, action, frame, -1, V.E_BLOCK, sink)

# ---- Missiles, explosions, boulders ----

cdef void fire(const Book* book, Chase* chase, int v, int damage, bint back) noexcept nogil:
    """A missile straight ahead, or back; damage 0: what missiles do."""
    cdef Frame* frame = push(chase, V.C_MISSILE, v)
    cdef int reach = mod(book, chase, v, V.M_MISSILE_RANGE)
    frame.n = <uint8_t> ((damage or book.missile_damage) + mod(book, chase, v, V.M_MISSILE_DMG))
    frame.left = <uint8_t> (min(reach, book.missile_cap) if reach else book.missile_cap)
    frame.sq = chase.car[v].sq
    frame.flags = V.BACK if back else 0


cdef void fire_lane(const Book* book, Chase* chase, int v, int damage, int lane) noexcept nogil:
    """One of a salvo: its lane starts with the most advanced square beside the start of the lane next to it (6.5)."""
    cdef int sq = chase.car[v].sq
    cdef int best, i, there
    cdef Frame* frame
    cdef bint own = book.square[sq].lane == lane
    while book.square[sq].lane != lane:
        best = V.NONE
        for i in range(book.square[sq].sides):
            there = book.square[sq].side[i]
            if (book.square[there].lane > book.square[sq].lane) == (lane > book.square[sq].lane) and \
                    (best == V.NONE or book.square[there].b > book.square[best].b):
                best = there
        if best == V.NONE:
            return
        sq = best
    fire(book, chase, v, damage, False)
    frame = &chase.frame[chase.depth - 1]
    frame.sq = <uint8_t> sq
    if not own:
        frame.flags |= V.LANE


cdef void run_missile(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """Fly on to the first vehicle or object."""
    cdef int v = frame.v
    cdef bint pierces = mod(book, chase, v, V.M_MISSILE_PIERCE_OBSTACLE) != 0
    cdef bint passes = mod(book, chase, v, V.M_MISSILE_PASS_ALLY) != 0
    cdef int g, w, n
    while True:
        g = frame.sq
        if frame.flags & V.LANE:
            frame.flags &= ~V.LANE
        else:
            g = book.square[g].back if frame.flags & V.BACK else next_square(book, g)
            if g == V.NONE or not frame.left:
                break
            frame.left -= 1
            frame.sq = <uint8_t> g
        w = occupant(book, chase, g)
        if w == v:
            break
        if w >= 0 and not (passes and ally(book, v, w)):
            n = frame.n
            pop(chase)
            hurt(book, chase, w, n, v, sink)
            return
        if chase.flow.snout == g:
            break
        if chase.object[g] == V.O_BOULDER:
            set_object(chase, g, V.O_NOTHING, sink)
            if not pierces:
                break
        elif chase.object[g] == V.O_BOMB:
            if not pierces:
                pop(chase)
            explode(chase, g, v)
            return
    pop(chase)


cdef void explode(Chase* chase, int sq, int source) noexcept nogil:
    """The bomb on the square goes off (6.8)."""
    cdef Frame* frame = push(chase, V.C_BLAST, source)
    frame.sq = <uint8_t> sq


cdef void run_blast(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """All vehicles on the square or next to it, then the bombs next to it."""
    cdef int i, w
    if frame.stage == 0:
        frame.stage = 1
        set_object(chase, frame.sq, V.O_NOTHING, sink)
        w = occupant(book, chase, frame.sq)
        frame.mask = bit(w) if w >= 0 else 0
        for i in range(book.square[frame.sq].rounds):
            w = occupant(book, chase, book.square[frame.sq].round[i])
            frame.mask |= bit(w) if w >= 0 else 0
    if frame.mask:
        w = first_of(book, chase, frame.mask)
        frame.mask &= ~bit(w)
        hurt(book, chase, w, 1, frame.v, sink)
        return
    for i in range(book.square[frame.sq].rounds):
        if chase.object[book.square[frame.sq].round[i]] == V.O_BOMB:
            explode(chase, book.square[frame.sq].round[i], frame.v)
            return
    pop(chase)


cdef bint strike(const Book* book, Chase* chase, int sq, int source, Sink* sink) noexcept nogil:
    """Something falls onto a square: it hurts the vehicle there, or sets the bomb off. False: there is neither."""
    cdef int w = occupant(book, chase, sq)
    if w >= 0:
        hurt(book, chase, w, 1, source, sink)
    elif chase.object[sq] == V.O_BOMB:
        explode(chase, sq, source)
    return w >= 0 or chase.object[sq] == V.O_BOMB


cdef void put_boulder(const Book* book, Chase* chase, int sq, int source, Sink* sink) noexcept nogil:
    """An effect puts a boulder on a square (6.8): the last thing a stage does."""
    if not strike(book, chase, sq, source, sink) and not chase.object[sq] and chase.flow.snout != sq and \
            not book.square[sq].flags & (V.SQ_WATER | V.SQ_VOID):
        set_object(chase, sq, V.O_BOULDER, sink)


define(V.C_DAMAGE, run_damage, damage_options, answer_damage)
define(V.C_MISSILE, run_missile, NULL, NULL)
define(V.C_BLAST, run_blast, NULL, NULL)
