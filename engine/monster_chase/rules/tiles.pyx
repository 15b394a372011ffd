"""The end of an action (RULES.md, 5.5): falls and wind, special tiles (6.7), prey."""
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit2
from seatmate.engine.core.types cimport action_t, uint8_t
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.cards cimport take_top
from seatmate.engine.monster_chase.rules.driving cimport arrive, fall, flip_prey, roll, rolled, step_to
from seatmate.engine.monster_chase.rules.effects cimport slabs
from seatmate.engine.monster_chase.rules.harm cimport explode, hurt, off_track, put_boulder, set_object, spin, strike
from seatmate.engine.monster_chase.rules.model cimport Frame, Square, Tile, bit, define, occupant, pop, pose, push
from seatmate.engine.monster_chase.rules.query cimport clear


cdef int next_car(const Book* book, Chase* chase) noexcept nogil:
    """The next vehicle of this stage, the acting one first, then by rank; -1 when all have been served."""
    cdef int i, v
    if not chase.flow.done >> chase.flow.actor & 1:
        chase.flow.done |= bit(chase.flow.actor)
        return chase.flow.actor
    for i in range(book.vehicles):
        v = chase.flow.rank[i]
        if not chase.flow.done >> v & 1:
            chase.flow.done |= bit(v)
            return v
    return -1


cdef void end_action(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil:
    """One stage, until something has to be carried out."""
    cdef int v
    chase.flow.power = 0
    while chase.flow.eoa < 4:
        v = next_car(book, chase)
        if v < 0:
            chase.flow.eoa += 1
            chase.flow.done = 0
            continue
        if chase.car[v].sq == V.NONE:
            continue
        if chase.flow.eoa == 1:
            rest(book, chase, v, rng, sink)
        elif chase.flow.eoa == 2:
            if chase.car[v].marks:
                push(chase, V.C_SPECIAL, v).n = <uint8_t> lowest_bit(chase.car[v].marks)
                chase.car[v].marks &= chase.car[v].marks - 1
                if chase.car[v].marks:
                    chase.flow.done &= ~bit(v)
        elif chase.car[v].flags & V.CAR_PREY:
            chase.car[v].flags &= ~V.CAR_PREY
            flip_prey(book, chase, rng, sink)
        if chase.depth or chase.flow.result:
            return
    for v in range(book.vehicles):
        chase.car[v].flags &= V.CAR_CROSSED
        chase.car[v].marks = 0
        chase.car[v].arch = V.NONE
        if chase.car[v].spun:
            chase.car[v].spun = 1
    chase.flow.eoa = 0
    chase.flow.done = 0

# ---- Water and wind ----

cdef void rest(const Book* book, Chase* chase, int v, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Square* square = &book.square[chase.car[v].sq]
    cdef int sq, lap
    if square.flags & V.SQ_WATER:
        if v != book.boss:
            off_track(book, chase, v, sink)
            return
        sq = chase.car[v].sq
        lap = chase.car[v].lap
        while not clear(book, chase, sq):       # R58: the next free square along its lane
            lap += book.square[book.square[sq].ahead[0]].slot != book.square[sq].slot
            sq = book.square[sq].ahead[0]
        arrive(book, chase, v, sq, lap, rng, sink)
    elif chase.car[v].flags & V.CAR_RIDGE and square.flags & V.SQ_LIGHTNING and \
            book.tile[square.slot].special == V.TILE_RIDGE:
        chase.car[v].flags &= ~V.CAR_RIDGE
        blow(book, chase, v, roll(rng, square.slot, sink), rng, sink)


cdef void blow(const Book* book, Chase* chase, int v, int face, Rng* rng, Sink* sink) noexcept nogil:
    """The wind: 1 and 2 to the left, 5 and 6 to the right."""
    cdef const Square* square = &book.square[chase.car[v].sq]
    cdef int lane = square.lane + (-1 if face <= 2 else 1 if face >= 5 else 0)
    cdef int i
    for i in range(square.sides):
        if book.square[square.side[i]].lane == lane:
            if not book.square[square.side[i]].flags & V.SQ_VOID:
                step_to(chase, v, square.side[i])
            else:
                fall(book, chase, v, rng, sink)
            return

# ---- Special tiles ----

cdef void run_special(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Tile* tile = &book.tile[frame.n]
    cdef int v = frame.v
    cdef int slot = frame.n
    cdef int sq
    cdef action_t out[8]
    if frame.stage or chase.car[v].sq == V.NONE:
        pop(chase)
        return
    frame.stage = 1
    if tile.special == V.TILE_LANDSLIDE:
        if chase.flow.boulders:
            pose(book, chase, v, V.Q_SLIDE_SQUARE)
    elif tile.special == V.TILE_VOLCANO:
        pop(chase)
        sq = rolled(book, slot, rng, sink)      # a crater
        if not strike(book, chase, sq, v, sink):
            set_object(chase, sq, V.O_NOTHING if chase.object[sq] else V.O_BOMB, sink)
    elif tile.special == V.TILE_CROSSING:
        if paws(book, chase, slot, out):
            pose(book, chase, v, V.Q_SNOUT_SQUARE)
    elif tile.special == V.TILE_SNOW:
        pop(chase)
        snow(book, chase, rolled(book, slot, rng, sink), sink)
    elif tile.special == V.TILE_PENGUIN:
        pop(chase)
        if chase.car[v].arch != V.NONE:
            slabs(chase, v, 6, book.square[chase.car[v].arch].number, 0)
    elif tile.special == V.TILE_ROLLING:
        shake(book, chase, frame, rng, sink)


cdef void snow(const Book* book, Chase* chase, int sq, Sink* sink) noexcept nogil:
    cdef int w = occupant(book, chase, sq)
    if w >= 0:
        spin(chase, w, sink)
    elif clear(book, chase, sq):
        set_object(chase, sq, V.O_SLAB, sink)


cdef int paws(const Book* book, const Chase* chase, int slot, action_t* out) noexcept nogil:
    """The paw squares the Snout can go to, ascending."""
    cdef int g
    cdef int n = 0
    for g in range(book.tile[slot].start, book.tile[slot].start + book.tile[slot].n):
        if book.square[g].number and g != chase.flow.snout and not chase.object[g]:
            out[n] = g
            n += 1
    return n


cdef int best_paws(const Book* book, const Chase* chase, int v, action_t* out, int n) noexcept nogil:
    """What the Boss's list leaves of the paws: none ahead of it in its lane; onto a car; behind it in its lane."""
    cdef const Square* mine = &book.square[chase.car[v].sq]
    cdef int worth[8]
    cdef int best = -1
    cdef int i, w, g
    cdef int kept = 0
    for i in range(n):
        g = out[i]
        w = occupant(book, chase, g)
        worth[i] = 2 if w >= 0 and w != v else 0
        if book.square[g].lane == mine.lane:
            if book.square[g].slot != mine.slot or book.square[g].b < mine.b:
                worth[i] += 1
            elif book.square[g].b > mine.b:
                worth[i] = -1
        best = max(best, worth[i])
    for i in range(n):
        if worth[i] == best:
            out[kept] = out[i]
            kept += 1
    return kept


cdef int slide_worth(const Book* book, const Chase* chase, int v, int g) noexcept nogil:
    """How high a square stands in the Boss's list for the landslide; ties: furthest ahead, then the lowest lane (R53)."""
    cdef const Square* mine = &book.square[chase.car[v].sq]
    cdef const Square* square = &book.square[g]
    cdef bint lane = square.lane == mine.lane
    cdef bint ahead = square.slot == mine.slot and square.b > mine.b
    cdef int w = occupant(book, chase, g)
    cdef int place = 1
    if w == v or chase.object[g] == V.O_SLAB:
        place = 0
    elif w >= 0:
        place = 7
    elif chase.object[g] == V.O_BOULDER:
        place = 3
    elif chase.object[g] == V.O_BOMB:
        place = 2
    elif not ahead:
        place = 6 if lane else 5
    elif not lane:
        place = 4
    return (place * 512 + square.b) * 4 + 2 - square.lane


cdef int special_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil:
    cdef int slot = frame.n
    cdef int first = book.tile[slot].start
    cdef int v = frame.v
    cdef int n = 0
    cdef int g
    if chase.flow.prompt == V.Q_SNOUT_SQUARE:
        n = paws(book, chase, slot, out)
        return best_paws(book, chase, v, out, n) if v == book.boss else n
    for g in range(first, first + book.tile[slot].n):
        if chase.flow.prompt == V.Q_SLIDE_SQUARE and not book.square[g].flags & V.SQ_SLIDE:
            continue
        if chase.flow.prompt == V.Q_ROLL_PICK and chase.object[g] != V.O_BOULDER:
            continue
        if v == book.boss and n and slide_worth(book, chase, v, g) <= slide_worth(book, chase, v, out[0]):
            continue
        if v == book.boss:
            n = 0
        out[n] = g
        n += 1
    return n


cdef void answer_special(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    cdef int v = frame.v
    pop(chase)
    if chase.flow.prompt == V.Q_SLIDE_SQUARE:
        put_boulder(book, chase, action, v, sink)
    elif chase.flow.prompt == V.Q_ROLL_PICK:
        start_roll(book, chase, v, action, rng, sink)
    else:
        chase.flow.snout = <uint8_t> action
        emit1(sink, V.E_SNOUT, PUBLIC, action)
        strike(book, chase, action, v, sink)

# ---- Rolling boulders ----

cdef int boulder_ahead(const Book* book, const Chase* chase, int slot, int sq, bint before_line) noexcept nogil:
    """The next boulder ahead in the lane on this tile, NONE; perhaps only before the line."""
    cdef const Square* square = &book.square[sq]
    cdef int idx, there
    if square.slot != slot:
        return V.NONE
    for idx in range(square.idx + 1, book.tile[slot].line[square.lane] if before_line else book.tile[slot].long_lane[square.lane]):
        there = book.tile[slot].at[square.lane][idx]
        if there != V.NONE and chase.object[there] == V.O_BOULDER:
            return there
    return V.NONE


cdef void shake(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """Boulders fall and roll (20B)."""
    cdef int slot = frame.n
    cdef int v = frame.v
    cdef int sq = chase.car[v].sq
    cdef int face = roll(rng, slot, sink)
    cdef int idx, there
    cdef int found = V.NONE
    cdef int lane = book.square[sq].lane
    if book.square[sq].slot == slot and boulder_ahead(book, chase, slot, sq, True) == V.NONE:
        for idx in range(book.tile[slot].line[lane] - 1, book.square[sq].idx, -1):
            there = book.tile[slot].at[lane][idx]
            if there != V.NONE and clear(book, chase, there):
                set_object(chase, there, V.O_BOULDER, sink)
                break
    if face <= 3:
        found = boulder_ahead(book, chase, slot, sq, False)
    elif face >= 5 and v == book.boss:
        for there in range(book.tile[slot].start, book.tile[slot].start + book.tile[slot].n):
            if chase.object[there] == V.O_BOULDER and (book.square[there].lane != lane or book.square[sq].slot != slot) and \
                    (found == V.NONE or book.square[there].b > book.square[found].b):
                found = there
    elif face >= 5:
        for there in range(book.tile[slot].start, book.tile[slot].start + book.tile[slot].n):
            if chase.object[there] == V.O_BOULDER:
                pose(book, chase, v, V.Q_ROLL_PICK)
                return
    pop(chase)
    if found != V.NONE:
        start_roll(book, chase, v, found, rng, sink)


cdef int lowest_rush(const Book* book) noexcept nogil:
    """A Rush card of the least value; -1 without any."""
    cdef int least = -1
    cdef int type
    for type in range(V.RUSH, V.TYPES):
        if book.total[type] and (least < 0 or type % V.VALUES < least % V.VALUES):
            least = type
    return least


cdef void start_roll(const Book* book, Chase* chase, int v, int sq, Rng* rng, Sink* sink) noexcept nogil:
    """A boulder rolls as far as a Rush card says; a simulation reckons with the least (R89)."""
    cdef int type = lowest_rush(book) if chase.flow.scratch else take_top(book, chase, 1, rng)
    cdef Frame* frame
    if type < 0:
        return
    if not chase.flow.scratch:
        emit2(sink, V.E_TURN_OVER, PUBLIC, v, type)
        chase.discard[type] += 1
    set_object(chase, sq, V.O_NOTHING, sink)
    frame = push(chase, V.C_ROLL, v)
    frame.sq = <uint8_t> sq
    frame.left = <uint8_t> (type % V.VALUES + 1)


cdef void run_roll(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """Back along the lane, over cars, slabs and the Snout, to the first square without a car or the Snout (R57)."""
    cdef int v = frame.v
    cdef int g, w
    if not frame.left and occupant(book, chase, frame.sq) < 0 and chase.flow.snout != frame.sq:
        g = frame.sq
        pop(chase)
        set_object(chase, g, V.O_BOULDER, sink)
        return
    g = book.square[frame.sq].back
    if g == V.NONE or book.square[g].flags & (V.SQ_WATER | V.SQ_VOID):
        pop(chase)
        return
    frame.sq = <uint8_t> g
    frame.left -= frame.left > 0
    if chase.object[g] == V.O_BOMB:
        pop(chase)
        explode(chase, g, v)
    elif chase.object[g] == V.O_BOULDER:
        pop(chase)
        set_object(chase, g, V.O_NOTHING, sink)
    else:
        w = occupant(book, chase, g)
        if w >= 0:
            hurt(book, chase, w, 1, v, sink)


define(V.C_SPECIAL, run_special, special_options, answer_special)
define(V.C_ROLL, run_roll, NULL, NULL)
