"""Effects of movement cards, and ice slabs (RULES.md, 3.1)."""
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport PUBLIC, Sink, emit2
from seatmate.engine.core.types cimport action_t, uint8_t
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.driving cimport advance_car, roll, step_to
from seatmate.engine.monster_chase.rules.harm cimport fire, gain_shields, give_star, repair, set_object, straighten
from seatmate.engine.monster_chase.rules.model cimport Frame, Who, decides_nothing, define, mod, next_square, pop, pose, push
from seatmate.engine.monster_chase.rules.query cimport around, beside, clear, first_of, nearby, picked, rear_place, selected

# ---- The effect of a movement card ----

cdef bint forbidden(const Book* book, const Chase* chase, int effect) noexcept nogil:
    """An aura on the active pilot's cards (R16)."""
    return effect <= V.X_STAR and chase.flow.current != book.boss and chase.flow.current != V.NONE \
        and mod(book, chase, chase.flow.current, V.M_NO_STEER + effect)


cdef void run_effect(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    if not frame.left or chase.car[frame.v].sq == V.NONE:
        pop(chase)
    else:
        pose(book, chase, frame.v, V.Q_EFFECT)


cdef int effect_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil:
    """0 skips; 1 does it; squares. The Boss and bots do what they can (R70)."""
    cdef int sq = chase.car[frame.v].sq
    cdef int effect = frame.card
    cdef bint must = decides_nothing(book, frame.v)
    out[0] = 0
    if not frame.flags & V.FREE and forbidden(book, chase, effect):
        return 1
    if effect == V.X_STEER and chase.car[frame.v].flags & V.CAR_OFF:        # R80
        return 1
    if effect == V.X_STEER:
        return beside(book, chase, sq, False, out, 0 if frame.extra and book.square[sq].sides else 1)     # extra: the Boss must
    if effect == V.X_BOMB:
        if not chase.flow.bombs:
            return 1
        return (rear_place(book, chase, sq, out) or 1) if must else around(book, chase, sq, &out[1]) + 1
    if must and effect != V.X_MISSILE:
        out[0] = 1
        return 1
    out[1] = 1
    return 2


cdef void answer_effect(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    cdef int v = frame.v
    cdef int effect = frame.card
    cdef Frame* card
    if action == 0:
        pop(chase)
        return
    frame.left -= 1
    card = &chase.frame[chase.depth - 2] if chase.depth > 1 and chase.frame[chase.depth - 2].kind == V.C_CARD else NULL
    if card != NULL and not frame.flags & V.FREE:
        card.flags |= V.USED
    if effect == V.X_STEER:
        step_to(chase, v, action - V.SQUARE)
    elif effect == V.X_MISSILE:
        emit2(sink, V.E_FIRE, PUBLIC, v, V.FIRED_AHEAD)
        fire(book, chase, v, 0, False)
    elif effect == V.X_BOMB:
        set_object(chase, action - V.SQUARE, V.O_BOMB, sink)
    elif effect == V.X_REPAIR:
        if chase.car[v].spun:
            straighten(chase, v, sink)
        else:
            repair(book, chase, v, 1, sink)
    elif effect == V.X_STAR:
        shine(book, chase, frame, card, sink)
    elif effect == V.X_FREEZE:
        slabs(chase, v, 0, 1, V.FREE)
    else:
        gain_shields(book, chase, v, book.shield_max, sink)


cdef void shine(const Book* book, Chase* chase, Frame* frame, Frame* card, Sink* sink) noexcept nogil:
    """A star; a drone moves instead: further by the card it plays, at once by another's or a spirit's (5.10)."""
    cdef int v = frame.v
    if book.kind[v] != V.K_DRONE:
        give_star(book, chase, v, 1, sink)
    elif card != NULL and card.v == v:
        card.extra += book.bot_star
    elif not chase.car[v].flags & V.CAR_OFF:
        advance_car(chase, v, book.bot_star, 0)

# ---- Ice slabs ----

cdef void slabs(Chase* chase, int v, int reach, int n, int flags) noexcept nogil:
    """So many slabs on free squares within reach; 0: a die says how far. FREE: none must be put."""
    cdef Frame* frame = push(chase, V.C_SLABS, v)
    frame.n = <uint8_t> reach
    frame.left = <uint8_t> n
    frame.flags = <uint8_t> flags


cdef int slab_square(const Book* book, const Chase* chase, int v, int reach) noexcept nogil:
    """Where a bot or the Boss puts a slab (5.11, R88); -1."""
    cdef int w, sq
    cdef int back = book.square[chase.car[v].sq].back
    cdef Who others
    others.base = V.B_PILOTS if v == book.boss else V.B_FOES
    others.filters = 1 << V.F_BEHIND            # before the best ranked one behind it
    w = first_of(book, chase, selected(book, chase, v, &others))
    if w >= 0:
        sq = chase.car[w].sq
        for _ in range(V.FAR):
            sq = next_square(book, sq)
            if sq == V.NONE or clear(book, chase, sq):
                break
        if sq != V.NONE and clear(book, chase, sq) and book.distance[chase.car[v].sq][sq] <= reach:
            return sq
    others.filters = 1 << V.F_AHEAD             # before the nearest one ahead
    w = picked(book, chase, v, V.PICK_NEAREST, selected(book, chase, v, &others))
    if w >= 0 and book.square[chase.car[w].sq].ways:
        sq = book.square[chase.car[w].sq].ahead[0]
        if book.distance[chase.car[v].sq][sq] <= reach and clear(book, chase, sq):
            return sq
    return back if back != V.NONE and clear(book, chase, back) else -1


cdef void run_slabs(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    cdef int sq
    if not frame.left or not chase.flow.slabs or chase.car[frame.v].sq == V.NONE or (not frame.n and chase.flow.scratch):
        pop(chase)
        return
    if not frame.n:
        frame.n = <uint8_t> roll(rng, V.NONE, sink)
    if not decides_nothing(book, frame.v):
        pose(book, chase, frame.v, V.Q_SLAB_SQUARE)
        return
    frame.left -= 1
    sq = slab_square(book, chase, frame.v, frame.n)
    if sq >= 0:
        set_object(chase, sq, V.O_SLAB, sink)


cdef int slab_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil:
    out[0] = 0
    if frame.flags & V.FREE:
        return nearby(book, chase, chase.car[frame.v].sq, 0, frame.n, &out[1]) + 1
    return nearby(book, chase, chase.car[frame.v].sq, 0, frame.n, out) or 1


cdef void answer_slabs(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    frame.left -= 1
    if action:
        set_object(chase, action - V.SQUARE, V.O_SLAB, sink)


define(V.C_EFFECT, run_effect, effect_options, answer_effect)
define(V.C_SLABS, run_slabs, slab_options, answer_slabs)
