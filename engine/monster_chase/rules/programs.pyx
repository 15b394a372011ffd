"""Programs: the steps of powers, auras, assaults and nitros, by their verbs (RULES.md, 3.2)."""
from seatmate.engine.core.cardset cimport CardSet, pop_card, some
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport PUBLIC, Sink, emit1, emit2
from seatmate.engine.core.types cimport action_t, uint8_t
from seatmate.engine.core.zones cimport add_bits
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.cards cimport (
    discard_assault, discard_aura, distinct, draw, draw_one, draw_positive, lose_card,
)
from seatmate.engine.monster_chase.rules.driving cimport advance_car, begin_effect, expose, jump, swap
from seatmate.engine.monster_chase.rules.harm cimport (
    explode, fire, fire_lane, gain_shields, give_star, hurt, lose_shields, put_boulder, repair, set_object, set_state, spared, spin,
)
from seatmate.engine.monster_chase.rules.model cimport (
    Frame, ProgramStep, begin_action, bit, count_up, decides_nothing, define, held, next_square, pop, pose, pose_seat, push,
    worst_seat,
)
from seatmate.engine.monster_chase.rules.query cimport (
    around, assault_program, clear, first_of, holds, nearby, picked, rear_place, selected,
)

cdef enum:              # stages of a C_LIST
    OPEN
    CHOOSING
    SERVING
    REPEATING
    DRAWING


cdef void begin_list(const Book* book, Chase* chase, int v, int program) noexcept nogil:
    """Carry out a program; one without steps does nothing."""
    cdef Frame* frame
    if book.program[program].n:
        frame = push(chase, V.C_LIST, v)
        frame.program = <uint8_t> program
        chase.flow.placed[0] = V.NONE
        chase.flow.placed[1] = V.NONE
        chase.flow.placed[2] = V.NONE


cdef void strike(const Book* book, Chase* chase, int v, Sink* sink) noexcept nogil:
    """The assault in play, if there is one, is carried out: an action of its own (5.7)."""
    if chase.flow.assault == V.NONE:
        return
    emit1(sink, V.E_STRIKE, PUBLIC, chase.flow.assault)
    begin_action(chase, v)
    begin_list(book, chase, v, assault_program(book, chase))


cdef const ProgramStep* step_of(const Book* book, const Frame* frame) noexcept nogil:
    return &book.step[book.program[frame.program].start + frame.at]


cdef void next_step(Frame* frame) noexcept nogil:
    frame.at += 1
    frame.stage = OPEN
    frame.mask = 0
    frame.left = 0


cdef void run_list(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    cdef const ProgramStep* step
    if frame.at >= book.program[frame.program].n or chase.car[frame.v].sq == V.NONE:
        pop(chase)
        return
    step = step_of(book, frame)
    if frame.stage == OPEN:
        if not holds(book, chase, frame.v, step.condition, step.condition_n):
            next_step(frame)
        elif step.who.base != V.NO_BASE and step.place != V.PLACE_BEFORE:
            aim(book, chase, frame, step)
        else:
            frame.left = <uint8_t> step.n
            frame.stage = REPEATING
    elif frame.stage == SERVING:
        serve(book, chase, frame, step, rng, sink)
    elif frame.stage == DRAWING:
        frame.stage = DRAWING if frame.left else SERVING
        if frame.left:
            frame.left -= 1
            draw_one(book, chase, frame.w, rng, sink)
    else:
        repeat(book, chase, frame, step, rng, sink)


cdef void aim(const Book* book, Chase* chase, Frame* frame, const ProgramStep* step) noexcept nogil:
    """Which vehicles is the step about?"""
    cdef int one
    frame.mask = selected(book, chase, frame.v, &step.who)
    frame.stage = SERVING
    if not frame.mask:
        next_step(frame)
    elif step.who.pick == V.PICK_ONE:
        frame.stage = CHOOSING
        pose(book, chase, frame.v, V.Q_POWER_PICK)
    elif step.who.pick != V.PICK_ALL:
        one = picked(book, chase, frame.v, step.who.pick, frame.mask)
        frame.mask = bit(one) if one >= 0 else 0


cdef void serve(const Book* book, Chase* chase, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    """The step befalls one vehicle after the other, best rank first (R67)."""
    cdef int w = first_of(book, chase, frame.mask)
    cdef int v = frame.v
    if w < 0:
        next_step(frame)
        return
    frame.mask &= ~bit(w)
    if chase.car[w].sq == V.NONE:
        return
    if step.verb == V.V_DMG:
        hurt(book, chase, w, step.n, V.NONE if w == v else v, sink)
    elif step.verb == V.V_HEAL:
        repair(book, chase, w, step.n, sink)
    elif step.verb == V.V_STAR:
        give_star(book, chase, w, step.n, sink)
    elif step.verb == V.V_SHIELD:
        if book.kind[w] != V.K_DRONE:           # R45
            gain_shields(book, chase, w, step.n, sink)
    elif step.verb == V.V_SWAP:
        swap(book, chase, v, w, rng, sink)
    elif step.verb == V.V_DRAW:
        frame.w = <uint8_t> w
        frame.left = <uint8_t> step.n
        frame.stage = DRAWING
    elif spared(book, chase, w):
        return
    elif step.verb == V.V_STRIP:
        lose_shields(chase, w, step.n, sink)
    elif step.verb == V.V_SPIN:
        spin(chase, w, sink)
    elif step.verb == V.V_DISCARD:
        push(chase, V.C_DISCARD, w).left = <uint8_t> step.n


cdef void repeat(const Book* book, Chase* chase, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    """Verbs without vehicles; what has a number is done that often."""
    cdef int v = frame.v
    cdef int verb = step.verb
    if verb == V.V_MISSILE or verb == V.V_MISSILE_BACK:
        if frame.left == 0:
            next_step(frame)
            return
        frame.left -= 1
        emit2(sink, V.E_FIRE, PUBLIC, v, V.FIRED_BACK if verb == V.V_MISSILE_BACK else V.FIRED_AHEAD)
        fire(book, chase, v, 0, verb == V.V_MISSILE_BACK)
    elif verb == V.V_SALVO:
        if frame.mask == 3:
            next_step(frame)
            return
        if frame.mask == 0:
            emit2(sink, V.E_FIRE, PUBLIC, v, V.FIRED_SALVO)
        frame.mask += 1
        fire_lane(book, chase, v, step.n, frame.mask - 1)
    elif verb == V.V_BOMB or verb == V.V_BOULDER:
        place(book, chase, frame, step, sink)
    elif verb == V.V_TELEPORT and not chase.car[v].flags & V.CAR_OFF:
        frame.stage = CHOOSING
        pose(book, chase, v, V.Q_TELEPORT)
    elif verb == V.V_EXPLODE:
        if frame.mask == 3 or chase.flow.placed[frame.mask] == V.NONE:
            next_step(frame)
            return
        frame.mask += 1
        if chase.object[chase.flow.placed[frame.mask - 1]] == V.O_BOMB:
            explode(chase, chase.flow.placed[frame.mask - 1], v)
    else:
        next_step(frame)
        once(book, chase, v, step, rng, sink)


cdef void once(const Book* book, Chase* chase, int v, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    """Verbs that are done at once, or push what they do."""
    cdef int _card
    cdef Frame* frame
    if step.verb == V.V_MOVE:
        if not chase.car[v].flags & V.CAR_OFF:
            advance_car(chase, v, step.n, 0)
    elif step.verb == V.V_STEP:
        begin_effect(chase, v, v, V.X_STEER, 1, V.FREE)
        chase.frame[chase.depth - 1].extra = v == book.boss
    elif step.verb == V.V_EXTRA:
        chase.flow.power = 0
        frame = push(chase, V.C_CARD, v)
        frame.how = V.BY_EXTRA
    elif step.verb == V.V_DISCARD_ASSAULT:
        discard_assault(chase, sink)
    elif step.verb == V.V_AURAS:
        for _card in range(step.n):
            draw_positive(book, chase, rng, sink)
    elif step.verb == V.V_DROP_AURA:
        push(chase, V.C_DROP, v).left = <uint8_t> step.n
    elif step.verb == V.V_EXPOSE:
        expose(chase, step.n, rng, sink)
    elif step.verb == V.V_FURIOUS:
        set_state(chase, 1, sink)
    elif step.verb == V.V_TURN:
        chase.flow.turn_mod[step.k] += step.n


cdef void place(const Book* book, Chase* chase, Frame* frame, const ProgramStep* step, Sink* sink) noexcept nogil:
    """One bomb or boulder after the other."""
    cdef int v = frame.v
    cdef int sq = V.NONE
    cdef int _k, w
    if not frame.left or (step.verb == V.V_BOMB and not chase.flow.bombs):
        next_step(frame)
        return
    frame.left -= 1
    if step.place == V.PLACE_BACK:
        sq = chase.car[v].sq
        for _k in range(step.k):
            sq = book.square[sq].back if sq != V.NONE else V.NONE
    elif step.place == V.PLACE_BEFORE:
        w = picked(book, chase, v, step.who.pick, selected(book, chase, v, &step.who))
        if w >= 0 and chase.car[w].sq != V.NONE:
            sq = next_square(book, chase.car[w].sq)
    else:
        frame.stage = CHOOSING
        pose(book, chase, v, V.Q_POWER_SQUARE)
        return
    if sq != V.NONE:
        place_on(book, chase, frame, step, sq, sink)


cdef void place_on(const Book* book, Chase* chase, Frame* frame, const ProgramStep* step, int sq, Sink* sink) noexcept nogil:
    cdef int i
    if step.verb == V.V_BOULDER:
        put_boulder(book, chase, sq, frame.v, sink)
    elif clear(book, chase, sq):
        set_object(chase, sq, V.O_BOMB, sink)
        for i in range(3):
            if chase.flow.placed[i] == V.NONE:
                chase.flow.placed[i] = <uint8_t> sq
                return


cdef int list_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil:
    cdef const ProgramStep* step = step_of(book, frame)
    cdef int sq = chase.car[frame.v].sq
    cdef int n
    if chase.flow.prompt == V.Q_POWER_PICK:
        n = add_bits(frame.mask, 0, out, 0)
        out[n] = V.NOBODY_SEAT
        return n + (not decides_nothing(book, frame.v))
    if chase.flow.prompt == V.Q_DECK_PICK:
        return count_up(0, 2, out)
    out[0] = 0
    if chase.flow.prompt == V.Q_TELEPORT:
        return 1 + nearby(book, chase, sq, 1, step.n, &out[1])
    if step.place == V.PLACE_NEAR:
        return 1 + nearby(book, chase, sq, 0, step.k, &out[1])
    if step.place == V.PLACE_ADJ:
        return 1 + around(book, chase, sq, &out[1])
    return rear_place(book, chase, sq, out) or 1


cdef void answer_list(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    cdef const ProgramStep* step = step_of(book, frame)
    if chase.flow.prompt == V.Q_POWER_PICK:
        frame.mask = bit(action) if action != V.NOBODY_SEAT else 0
        frame.stage = SERVING
        return
    if chase.flow.prompt == V.Q_DECK_PICK:
        draw(book, chase, frame.w, action, rng, sink)
        return
    if chase.flow.prompt == V.Q_TELEPORT:
        next_step(frame)
        if action:
            jump(book, chase, frame.v, action - V.SQUARE, rng, sink)
        return
    frame.stage = REPEATING
    if action:
        place_on(book, chase, frame, step, action - V.SQUARE, sink)
    else:
        frame.left = 0

# ---- Cards given up, auras dropped ----

cdef void run_discard(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    if frame.left and held(chase, frame.v) and not chase.flow.scratch:
        pose(book, chase, frame.v, V.Q_HAND_DISCARD)
    else:
        pop(chase)


cdef int discard_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil:
    return distinct(chase, frame.v, 0, 0, out)


cdef void answer_discard(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    frame.left -= 1
    lose_card(book, chase, frame.v, action, V.E_DISCARD, sink)


cdef void run_drop(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    if frame.left and some(&chase.flow.positive) and not chase.flow.scratch:
        pose_seat(chase, worst_seat(book, chase, -1), V.Q_AURA_DROP)
    else:
        pop(chase)


cdef int drop_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil:
    cdef CardSet cards = chase.flow.positive
    cdef int n = 0
    cdef int card = pop_card(&cards)
    while card >= 0:
        out[n] = card
        n += 1
        card = pop_card(&cards)
    return n


cdef void answer_drop(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    frame.left -= 1
    discard_aura(chase, action, sink)


define(V.C_LIST, run_list, list_options, answer_list)
define(V.C_DISCARD, run_discard, discard_options, answer_discard)
define(V.C_DROP, run_drop, drop_options, answer_drop)
