"""Driving (RULES.md, 6.1 to 6.3 and 6.9): advances, rams and pushes, tile borders, prey, coming back onto the track."""
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit2, emit3
from seatmate.engine.core.types cimport action_t, uint8_t
from seatmate.engine.core.zones cimport sort_short
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.cards cimport discard_assault, draw_positive, dump_hand, random_of
from seatmate.engine.monster_chase.rules.harm cimport heal_boss, hurt, off_track, set_object, spin, watch
from seatmate.engine.monster_chase.rules.model cimport (
    Frame, bit, count_up, decides_nothing, define, effect_of, mod, occupant, pop, pose, push,
)
from seatmate.engine.monster_chase.rules.query cimport ally, beside, clear, lap_change, times_of

cdef enum:              # stages of a C_MOVE
    NEXT
    GO
    ENTERED
    RAMMED
    SCRAPED
    PUSHING
    HIT


cdef int roll(Rng* rng, int slot, Sink* sink) noexcept nogil:
    cdef int face = 1 + <int> rng_below(rng, 6)
    emit2(sink, V.E_ROLL, PUBLIC, face, slot)
    return face


cdef int rolled(const Book* book, int slot, Rng* rng, Sink* sink) noexcept nogil:
    """The numbered square of a tile that the die names."""
    return book.tile[slot].numbered[roll(rng, slot, sink)]


cdef void begin_effect(Chase* chase, int v, int w, int effect, int times, int flags) noexcept nogil:
    """Vehicle v carries out an effect so many times; w: whose card it is."""
    cdef Frame* frame = push(chase, V.C_EFFECT, v)
    frame.w = <uint8_t> w
    frame.card = <uint8_t> effect
    frame.left = <uint8_t> times
    frame.flags = <uint8_t> flags


cdef void advance_car(Chase* chase, int v, int points, int flags) noexcept nogil:
    """So many squares ahead; flags: PUSHED."""
    cdef Frame* frame = push(chase, V.C_MOVE, v)
    frame.left = <uint8_t> points
    frame.flags = <uint8_t> flags
    frame.extra = chase.car[v].flags & V.CAR_OFF


cdef void step_to(Chase* chase, int v, int sq) noexcept nogil:
    """Enter a square beside the vehicle, outside any advance."""
    advance_car(chase, v, 0, V.SIDE)
    chase.frame[chase.depth - 1].sq = <uint8_t> sq
    chase.frame[chase.depth - 1].stage = GO

# ---- Prey ----

cdef int tokens_in(const uint8_t* tokens) noexcept nogil:
    return tokens[0] + tokens[1] + tokens[2] + tokens[3] + tokens[4]


cdef void flip_prey(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil:
    """A car that entered the tile takes random tokens out of the Boss's reach (6.13, R28)."""
    cdef int open = tokens_in(chase.flow.open)
    cdef int n = book.flip_of_two if open == 2 else min(book.flip, open)
    cdef int flipped, kind, _aura
    for flipped in range(n):
        kind = random_of(chase.flow.open, open - flipped, rng)
        chase.flow.open[kind] -= 1
        chase.flow.sheltered[kind] += 1
        emit1(sink, V.E_PREY_FLIP, PUBLIC, kind)
        if book.prey[kind].discards:
            discard_assault(chase, sink)
        for _aura in range(book.prey[kind].auras):
            draw_positive(book, chase, rng, sink)


cdef void expose(Chase* chase, int n, Rng* rng, Sink* sink) noexcept nogil:
    """Random hidden tokens lie open again."""
    cdef int kind, _token
    for _token in range(0 if chase.flow.scratch else min(n, tokens_in(chase.flow.sheltered))):
        kind = random_of(chase.flow.sheltered, tokens_in(chase.flow.sheltered), rng)
        chase.flow.sheltered[kind] -= 1
        chase.flow.open[kind] += 1


cdef void eat(const Book* book, Chase* chase, Sink* sink) noexcept nogil:
    """The Boss enters the tile: it heals by the open hearts, then all tokens lie open on the next tile (R30)."""
    cdef int hearts = 0
    cdef int kind, v
    for kind in range(V.PREY):
        hearts += chase.flow.open[kind] * book.prey[kind].hearts
        chase.flow.open[kind] += chase.flow.sheltered[kind]
        chase.flow.sheltered[kind] = 0
    chase.flow.prey_slot = <uint8_t> ((chase.flow.prey_slot + 1) % book.tiles)
    for v in range(book.cars):
        chase.car[v].flags &= ~V.CAR_PREY
    emit2(sink, V.E_PREY_MOVE, PUBLIC, chase.flow.prey_slot, hearts)
    heal_boss(book, chase, hearts, sink)


cdef void drink(const Book* book, Chase* chase, int slot, Sink* sink) noexcept nogil:
    """An energy reserve: too much of it, and the Boss escapes (R15)."""
    chase.flow.reserves &= ~bit(slot)
    chase.flow.hp += book.seats
    emit2(sink, V.E_RESERVE, PUBLIC, slot, chase.flow.hp)
    if chase.flow.hp > book.max_hp:
        chase.flow.result = V.R_OVERFLOW
    else:
        watch(book, chase, V.T_HEALED, book.seats, sink)

# ---- Arriving ----

cdef void scatter(const Book* book, Chase* chase, int slot, Rng* rng, Sink* sink) noexcept nogil:
    """The first vehicle on a tile rolls for its boulders, and for ice (R38)."""
    cdef int face, number, sq
    chase.flow.rolled |= bit(slot)
    face = roll(rng, slot, sink)
    for number in range(1, face + 1):
        sq = book.tile[slot].boulder[number]
        if sq != V.NONE and clear(book, chase, sq):
            set_object(chase, sq, V.O_BOULDER, sink)
        sq = book.tile[slot].ice[number]
        if book.winter and sq != V.NONE and clear(book, chase, sq):
            set_object(chase, sq, V.O_SLAB, sink)


cdef void enter_tile(const Book* book, Chase* chase, int v, int slot, Rng* rng, Sink* sink) noexcept nogil:
    if chase.flow.scratch:
        return
    if slot and not chase.flow.rolled >> slot & 1:
        scatter(book, chase, slot, rng, sink)
    if book.boss == V.NONE:
        return
    if v != book.boss:
        if slot == chase.flow.prey_slot:
            chase.car[v].flags |= V.CAR_PREY
        return
    if chase.flow.reserves >> slot & 1:
        drink(book, chase, slot, sink)
    if slot == chase.flow.prey_slot and not chase.flow.result:
        eat(book, chase, sink)


cdef void touch(const Book* book, Chase* chase, int v, int sq, Rng* rng, Sink* sink) noexcept nogil:
    """A special tile notices the vehicle on a lightning or arch square (6.2 h)."""
    cdef int slot = book.square[sq].slot
    cdef int special = book.tile[slot].special
    cdef bint boss = v == book.boss
    if chase.flow.scratch or special == V.TILE_PLAIN:
        return
    if special == V.TILE_YETI:
        if book.square[sq].flags & V.SQ_LIGHTNING and not decides_nothing(book, v) and roll(rng, slot, sink) <= book.yeti_max:
            dump_hand(book, chase, v, sink)
            if v == chase.flow.current:
                chase.flow.turn_flags |= V.TURN_YETI
        return
    if chase.flow.eoa > 1:                      # what is noticed at the end of an action goes off no more (5.5)
        return
    if special == V.TILE_PENGUIN:
        if book.square[sq].flags & V.SQ_ARCH:
            chase.car[v].marks |= bit(slot)
            chase.car[v].arch = <uint8_t> sq
        return
    if not book.square[sq].flags & V.SQ_LIGHTNING:
        return
    if special == V.TILE_RIDGE:
        chase.car[v].flags |= V.CAR_RIDGE
    elif special == V.TILE_LANDSLIDE or special == V.TILE_VOLCANO or special == V.TILE_ROLLING or \
            (special == V.TILE_SNOW and not boss) or (special == V.TILE_CROSSING and (boss or book.boss == V.NONE)):
        chase.car[v].marks |= bit(slot)


cdef void put(const Book* book, Chase* chase, int v, int sq, int lap) noexcept nogil:
    """The vehicle is there now: lap slot, checkpoint, finish line (4.3)."""
    chase.car[v].sq = <uint8_t> sq
    chase.car[v].lap = <signed char> lap
    if book.square[sq].flags & V.SQ_PAST and lap > chase.car[v].cp:
        chase.car[v].cp = <signed char> lap
    if lap - 1 > chase.car[v].cp:
        chase.car[v].cp = <signed char> (lap - 1)
    if lap > book.tiles:
        chase.car[v].flags |= V.CAR_CROSSED


cdef void arrive(const Book* book, Chase* chase, int v, int sq, int lap, Rng* rng, Sink* sink) noexcept nogil:
    """The vehicle lands on a free square, from wherever: borders and special squares count, objects don't.

    The last thing a stage does: a portal carries it on.
    """
    cdef int before = chase.car[v].lap
    cdef int from_sq = chase.car[v].sq
    put(book, chase, v, sq, lap)
    emit3(sink, V.E_MOVE, PUBLIC, v, from_sq, sq)
    if lap != before:
        enter_tile(book, chase, v, book.square[sq].slot, rng, sink)
    touch(book, chase, v, sq, rng, sink)
    if book.square[sq].flags & V.SQ_PORTAL_IN and not chase.flow.scratch and not chase.flow.result:
        advance_car(chase, v, 0, 0)             # R96
        carry(book, chase, &chase.frame[chase.depth - 1], sq, rng, sink)


cdef void carry(const Book* book, Chase* chase, Frame* frame, int sq, Rng* rng, Sink* sink) noexcept nogil:
    """A portal takes the vehicle to another square of its tile (6.2 i)."""
    cdef int slot = book.square[sq].slot
    frame.sq = <uint8_t> rolled(book, slot, rng, sink)
    frame.flags |= V.CARRIED
    frame.stage = ENTERED


cdef void jump(const Book* book, Chase* chase, int v, int sq, Rng* rng, Sink* sink) noexcept nogil:
    """A teleport: the lap slot of the tile that is nearest to the present one (R76, R81)."""
    arrive(book, chase, v, sq, chase.car[v].lap + lap_change(book, chase, v, sq), rng, sink)


cdef void swap(const Book* book, Chase* chase, int v, int w, Rng* rng, Sink* sink) noexcept nogil:
    """Two vehicles change places; objects and special squares do nothing (6.9)."""
    cdef int sq = chase.car[v].sq
    cdef int lap = chase.car[v].lap
    cdef int lap_w = chase.car[w].lap
    put(book, chase, v, chase.car[w].sq, lap_w)
    put(book, chase, w, sq, lap)
    emit3(sink, V.E_MOVE, PUBLIC, v, sq, chase.car[v].sq)
    emit3(sink, V.E_MOVE, PUBLIC, w, chase.car[v].sq, sq)
    if lap != lap_w:
        enter_tile(book, chase, v, book.square[chase.car[v].sq].slot, rng, sink)
        enter_tile(book, chase, w, book.square[sq].slot, rng, sink)

# ---- Coming back ----

cdef int return_row(const Book* book, const Chase* chase, int cp, int* lap, action_t* out) noexcept nogil:
    """The free squares of the nearest row before the checkpoint line of a lap slot, ascending; their number, and their lap slot."""
    cdef int back, slot, r, lane, idx, sq
    cdef int n = 0
    cdef const uint8_t* line
    for back in range(book.tiles + 1):
        slot = (cp - back + 2 * book.tiles) % book.tiles
        line = &book.tile[slot].long_lane[0] if back else &book.tile[slot].line[0]
        for r in range(1, V.ROW + 1):
            for lane in range(V.LANES):
                idx = line[lane] - r
                if idx >= 0:
                    sq = book.tile[slot].at[lane][idx]
                    if sq != V.NONE and clear(book, chase, sq):
                        out[n] = sq
                        n += 1
            if n:
                lap[0] = cp - back
                return n
    return 0


cdef void run_return(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    pose(book, chase, frame.v, V.Q_RETURN_SQUARE)


cdef int return_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil:
    cdef int lap
    return return_row(book, chase, chase.car[frame.v].cp, &lap, out)


cdef void answer_return(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    cdef int v = frame.v
    cdef int lap = 0
    cdef action_t out[8]
    return_row(book, chase, chase.car[v].cp, &lap, out)
    pop(chase)
    emit2(sink, V.E_RETURN, PUBLIC, v, action)
    arrive(book, chase, v, action, lap, rng, sink)


cdef void fall(const Book* book, Chase* chase, int v, Rng* rng, Sink* sink) noexcept nogil:
    """Over the edge, off the track; the Boss is back at once on the first free square before the line (6.7, ridge)."""
    cdef action_t out[8]
    cdef int lap = chase.car[v].lap
    if v != book.boss:
        off_track(book, chase, v, sink)
        return
    chase.car[v].sq = V.NONE
    if return_row(book, chase, lap, &lap, out):
        arrive(book, chase, v, out[0], lap, rng, sink)

# ---- Advancing ----

cdef bint blocked(const Book* book, const Chase* chase, int sq) noexcept nogil:
    """Is there an obstacle: boulder, bomb, slab, Snout?"""
    return chase.object[sq] != 0 or chase.flow.snout == sq


cdef bint under_way(const Chase* chase, int v) noexcept nogil:
    """Is a move of the vehicle in progress (R75)?"""
    cdef int i
    for i in range(chase.depth):
        if chase.frame[i].kind == V.C_MOVE and chase.frame[i].v == v:
            return True
    return False


cdef bint leaves_mirror(const Book* book, const Chase* chase, const Frame* frame) noexcept nogil:
    """On a lightning square of the mirror valley every exit leads to a mirror."""
    cdef int sq = chase.car[frame.v].sq
    return book.square[sq].flags & V.SQ_LIGHTNING and book.tile[book.square[sq].slot].special == V.TILE_MIRROR \
        and not chase.flow.scratch


cdef bint dodges(const Book* book, const Chase* chase, const Frame* frame) noexcept nogil:
    """Does the Boss go around the obstacle on the square it is about to enter?"""
    cdef action_t out[4]
    return frame.v == book.boss and not frame.flags & V.SIDE and frame.sq != V.NONE \
        and blocked(book, chase, frame.sq) and mod(book, chase, frame.v, V.M_DODGE) and beside(book, chase, frame.sq, True, out, 0)


cdef void aim(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """Which square is next (6.1)?"""
    cdef int sq = chase.car[frame.v].sq
    if leaves_mirror(book, chase, frame):
        frame.sq = <uint8_t> rolled(book, book.square[sq].slot, rng, sink)
        frame.stage = ENTERED
        pay(book, frame)
        return
    if book.square[sq].ways == 0:
        pop(chase)
        return
    frame.sq = book.square[sq].ahead[0]
    frame.stage = GO
    if book.square[sq].ways > 1 and not frame.flags & V.PUSHED:
        pose(book, chase, frame.v, V.Q_FORK)


cdef void run_move(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    cdef int v = frame.v
    cdef bint gone = chase.car[v].sq == V.NONE or ((chase.car[v].flags & V.CAR_OFF) != 0 and not frame.extra)
    if gone and frame.stage == SCRAPED:         # who rammed is off the track, what it rammed is pushed all the same (6.3)
        shove(book, chase, frame, sink)
    elif gone:
        pop(chase)
    elif frame.stage == NEXT:
        if not frame.left or frame.flags & V.STOPPED:
            pop(chase)
        elif offers_spirit(book, chase, frame):
            frame.flags |= V.OFFERED
            pose(book, chase, v, V.Q_SPIRIT_USE)
        else:
            aim(book, chase, frame, rng, sink)
    elif frame.stage == GO:
        frame.stage = ENTERED
        if frame.flags & V.SIDE:
            if leaves_mirror(book, chase, frame):
                frame.sq = <uint8_t> rolled(book, book.square[frame.sq].slot, rng, sink)
        elif dodges(book, chase, frame):
            pose(book, chase, v, V.Q_FORK)
        else:
            pay(book, frame)
    elif frame.stage == ENTERED:
        enter(book, chase, frame, rng, sink)
    elif frame.stage == RAMMED:
        scrape(book, chase, frame, sink)
    elif frame.stage == SCRAPED:
        shove(book, chase, frame, sink)
    elif frame.stage == PUSHING:
        if occupant(book, chase, frame.sq) >= 0 or chase.car[v].sq != frame.old:
            pop(chase)
        else:
            land(book, chase, frame, rng, sink)
    else:
        finish_step(book, chase, frame, rng, sink)


cdef bint offers_spirit(const Book* book, const Chase* chase, const Frame* frame) noexcept nogil:
    """A spirit may be used between the steps of the own movement (R56)."""
    return chase.car[frame.v].spirit != V.NONE and frame.v == chase.flow.current and not frame.flags & (V.PUSHED | V.OFFERED) \
        and frame.flags & V.MOVED and not chase.flow.scratch


cdef void pay(const Book* book, Frame* frame) noexcept nogil:
    """A point for the square, more for sand."""
    frame.left -= 1
    if book.square[frame.sq].flags & V.SQ_SAND:
        frame.left = <uint8_t> max(frame.left - book.sand_extra, 0)


cdef int move_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil:
    cdef int sq = chase.car[frame.v].sq
    cdef int i, n
    if chase.flow.prompt == V.Q_SPIRIT_USE:
        return count_up(0, 2, out)
    if frame.stage == ENTERED:                  # the Boss dodges
        n = beside(book, chase, frame.sq, True, out, 0)
        for i in range(n):
            out[i] -= V.SQUARE
        return n
    n = 1 if chase.flow.scratch else book.square[sq].ways       # in a simulation it drives straight on (6.12)
    for i in range(n):
        out[i] = book.square[sq].ahead[i]
    sort_short(out, n)
    return n


cdef void answer_move(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    cdef int v = frame.v
    if chase.flow.prompt != V.Q_SPIRIT_USE:
        frame.sq = <uint8_t> action
        if frame.stage == ENTERED:
            pay(book, frame)
    elif action:
        use_spirit(book, chase, v, sink)


cdef void use_spirit(const Book* book, Chase* chase, int v, Sink* sink) noexcept nogil:
    """The card below the board is used up for its effect: auras reach it as they do a card in hand (R87)."""
    cdef int type = chase.car[v].spirit
    chase.car[v].spirit = V.NONE
    chase.discard[type] += 1
    emit3(sink, V.E_SPIRIT, PUBLIC, v, type, 1)
    begin_effect(chase, v, v, effect_of(type), times_of(book, chase, effect_of(type)), 0)


cdef void enter(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """The square is decided and paid for (6.2)."""
    cdef int v = frame.v
    cdef int w, n
    frame.old = chase.car[v].sq
    if book.square[frame.sq].flags & V.SQ_VOID:
        pop(chase)
        fall(book, chase, v, rng, sink)
        return
    w = occupant(book, chase, frame.sq)
    if w < 0 or w == v:                         # a mirror may lead to itself
        land(book, chase, frame, rng, sink)
        return
    frame.w = <uint8_t> w
    frame.stage = RAMMED
    n = book.ram_damage
    if v == book.boss or not ally(book, v, w):
        n += mod(book, chase, v, V.M_RAM_DMG)
    else:
        n += mod(book, chase, v, V.M_ALLY_RAM_DMG) + (0 if book.mode == V.MODE_TEAM else mod(book, chase, v, V.M_RAM_DMG))  # R50
    emit2(sink, V.E_RAM, PUBLIC, v, w)
    hurt(book, chase, w, n, chase.flow.actor, sink)     # credited to the vehicle whose action it is


cdef void scrape(const Book* book, Chase* chase, Frame* frame, Sink* sink) noexcept nogil:
    """What the ram does to who rams."""
    cdef int n = mod(book, chase, frame.v, V.M_RAM_SELF)
    cdef int thorns = mod(book, chase, frame.w, V.M_THORNS) if frame.w == book.boss and frame.w != V.NONE else 0
    frame.stage = SCRAPED
    hurt(book, chase, frame.v, n + thorns, frame.w if thorns else frame.v, sink)


cdef void shove(const Book* book, Chase* chase, Frame* frame, Sink* sink) noexcept nogil:
    """The rammed vehicle is pushed on, if it is still there and can be."""
    cdef int w = frame.w
    cdef int n
    frame.stage = PUSHING
    if w == V.NONE or chase.car[w].sq != frame.sq or under_way(chase, w) or mod(book, chase, w, V.M_IMMOVABLE):
        return
    n = mod(book, chase, frame.v, V.M_RAM_PUSH) or book.ram_push
    advance_car(chase, w, n, V.PUSHED)


cdef void land(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """The square is free of vehicles: be on it, then meet what lies there."""
    cdef int v = frame.v
    cdef int sq = frame.sq
    cdef int before = chase.car[v].sq
    cdef int lap = chase.car[v].lap + (book.square[sq].slot != book.square[before].slot)
    put(book, chase, v, sq, lap)
    frame.flags = (frame.flags | V.MOVED) & ~V.OFFERED
    frame.stage = HIT
    if chase.flow.current == v and decides_nothing(book, v) and not frame.flags & (V.PUSHED | V.SIDE | V.CARRIED):
        chase.flow.turn_squares += 1
    frame.flags &= ~V.CARRIED
    emit3(sink, V.E_MOVE, PUBLIC, v, before, sq)
    if book.square[sq].slot != book.square[before].slot:
        enter_tile(book, chase, v, book.square[sq].slot, rng, sink)
        if chase.flow.result:
            return
    if blocked(book, chase, sq):
        meet(book, chase, frame, rng, sink)


cdef void meet(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """An obstacle on the square (6.2 g)."""
    cdef int v = frame.v
    cdef int sq = frame.sq
    cdef int object = chase.object[sq]
    cdef bint stops = frame.flags & V.PUSHED or not mod(book, chase, v, V.M_UNSTOPPABLE)
    cdef int n
    if object:
        set_object(chase, sq, V.O_NOTHING, sink)
    if mod(book, chase, v, V.M_CRUSH):
        return
    if object == V.O_SLAB:
        if chase.car[v].spun and stops:
            frame.flags |= V.STOPPED
        spin(chase, v, sink)
        return
    if stops:
        frame.flags |= V.STOPPED
    if mod(book, chase, v, V.M_SPIN_ON_HIT):
        spin(chase, v, sink)
    n = 0 if mod(book, chase, v, V.M_OBSTACLE_SAFE) else book.obstacle_damage + mod(book, chase, v, V.M_OBSTACLE_DMG)
    hurt(book, chase, v, n, chase.flow.actor if frame.flags & V.PUSHED and chase.flow.actor != v else V.NONE, sink)


cdef void finish_step(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """Lightning, portals, boosts; then the next step."""
    cdef int v = frame.v
    cdef int sq = frame.sq
    if chase.car[v].sq != sq:
        pop(chase)
        return
    touch(book, chase, v, sq, rng, sink)
    if book.square[sq].flags & V.SQ_PORTAL_IN and not chase.flow.scratch:
        carry(book, chase, frame, sq, rng, sink)
        return
    if book.square[sq].boost and not frame.flags & (V.PUSHED | V.SIDE) and not frame.mask >> book.square[sq].boost & 1:
        frame.mask |= bit(book.square[sq].boost)
        frame.left += book.boost_points
    frame.stage = NEXT


define(V.C_MOVE, run_move, move_options, answer_move)
define(V.C_RETURN, run_return, return_options, answer_return)
