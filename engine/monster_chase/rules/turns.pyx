"""Turns (RULES.md, 5.3, 5.4, 5.6, 5.10, 5.11): menus, cards and transfers of pilots; cards of the Boss and of bots."""
from libc.string cimport memset

from seatmate.engine.core.cardset cimport has
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit2, emit3
from seatmate.engine.core.types cimport uint8_t, uint16_t
from seatmate.engine.core.zones cimport add_bits
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.cards cimport (
    discard_assault, distinct, draw, draw_assault, draw_one, dump_hand, lose_card, take_top,
)
from seatmate.engine.monster_chase.rules.driving cimport advance_car, begin_effect, jump, use_spirit
from seatmate.engine.monster_chase.rules.effects cimport forbidden, slabs
from seatmate.engine.monster_chase.rules.harm cimport gain_shields, give_star, lose_shields, spin, straighten, watch
from seatmate.engine.monster_chase.rules.model cimport (
    Frame, begin_action, bit, count_up, decides_nothing, define, effect_of, go_to, green, held, mod, pop, pose, push,
)
from seatmate.engine.monster_chase.rules.programs cimport begin_list, strike
from seatmate.engine.monster_chase.rules.query cimport card_value, linked, nearby, power_price, power_program, times_of

# ---- The menu ----

cdef uint16_t payers(const Book* book, const Chase* chase, int v, int price) noexcept nogil:
    """Who has the stars for a power: the car itself, or (for a drone) connected cars."""
    cdef uint16_t found = linked(book, chase, v) if book.kind[v] == V.K_DRONE else bit(v)
    cdef int w
    for w in range(book.cars):
        if chase.car[w].star < price:
            found &= ~bit(w)
    return found


cdef uint16_t astral_targets(const Book* book, const Chase* chase, int v) noexcept nogil:
    """Connected cars with a card in hand."""
    cdef uint16_t others = linked(book, chase, v)
    cdef int w
    for w in range(book.cars):
        if others >> w & 1 and not held(chase, w):
            others &= ~bit(w)
    return others


cdef uint16_t dealers(const Book* book, const Chase* chase, int v, bint swapped) noexcept nogil:
    """Connected mates to whom a nitro can be given, or with whom it can be swapped (6.11)."""
    cdef uint16_t others
    cdef int w
    if book.mode != V.MODE_TEAM or not book.winter or chase.car[v].nitro == V.NONE or chase.flow.turn_flags & V.TURN_DEALT:
        return 0
    others = linked(book, chase, v)
    for w in range(book.cars):
        if others >> w & 1 and (chase.car[w].nitro != V.NONE) != swapped:
            others &= ~bit(w)
    return others


cdef inline int offer(action_t* out, int n, int action, int holds) noexcept nogil:
    """Append an answer if it holds; returns the number of answers. (Written without a branch: out has room for one more.)"""
    out[n] = action
    return n + (holds != 0)


cdef int menu_options(const Book* book, const Chase* chase, action_t* out) noexcept nogil:
    """The answers to TURN_MENU, ascending."""
    cdef int v = chase.flow.current
    cdef int cards = held(chase, v)
    cdef int n = 0
    cdef int level
    cdef bint main = chase.flow.turn_flags & V.TURN_MAIN
    n = offer(out, n, V.DO_END, main or not cards)
    if not main:
        n = offer(out, n, V.DO_CARD, cards)
        n = offer(out, n, V.DO_MANOEUVRE, cards >= 2 and book.kind[v] != V.K_DRONE and (book.mode == V.MODE_COOP or book.extras)
                  and not mod(book, chase, v, V.M_NO_MAN))
        if book.mode != V.MODE_RACE and linked(book, chase, v):
            n = offer(out, n, V.DO_COG, cards and not mod(book, chase, v, V.M_NO_COG))
            n = offer(out, n, V.DO_KIN, cards and not mod(book, chase, v, V.M_NO_KIN))
            n = offer(out, n, V.DO_AST, not chase.flow.turn_flags & V.TURN_ASKED and not mod(book, chase, v, V.M_NO_AST)
                      and astral_targets(book, chase, v))
    if not chase.flow.turn_flags & V.TURN_POWER and not mod(book, chase, v, V.M_NO_POWER):
        for level in range(1, 4):
            n = offer(out, n, V.DO_POWER1 + level - 1, payers(book, chase, v, power_price(book, chase, level))
                      and (level != 2 or cards or book.kind[v] == V.K_DRONE))
    n = offer(out, n, V.DO_SPIRIT, chase.car[v].spirit != V.NONE)
    n = offer(out, n, V.DO_NITRO, chase.car[v].nitro != V.NONE and not chase.flow.turn_flags & V.TURN_NITRO)
    n = offer(out, n, V.DO_NITRO_GIVE, dealers(book, chase, v, False))
    return offer(out, n, V.DO_NITRO_SWAP, dealers(book, chase, v, True))


cdef void use_power(const Book* book, Chase* chase, int v, int payer, int level, Sink* sink) noexcept nogil:
    """The level is paid first, then the list is run (R18, R20)."""
    chase.flow.turn_flags |= V.TURN_POWER
    give_star(book, chase, payer, -power_price(book, chase, level), sink)
    emit2(sink, V.E_POWER, PUBLIC, v, level)
    begin_action(chase, v)
    chase.flow.power = <uint8_t> level
    begin_list(book, chase, v, power_program(chase, v, level))


cdef void answer_menu(const Book* book, Chase* chase, int action, Rng* rng, Sink* sink) noexcept nogil:
    cdef int v = chase.flow.current
    cdef Frame* frame
    cdef int nitro
    if action == V.DO_END:
        go_to(chase, V.S_REFILL)
    elif action <= V.DO_AST:
        chase.flow.turn_flags |= V.TURN_MAIN
        begin_action(chase, v)
        frame = push(chase, V.C_CARD, v)
        frame.how = <uint8_t> (action - V.DO_CARD)
        chase.flow.step = V.S_AFTER
    elif action <= V.DO_POWER3:
        if book.kind[v] == V.K_DRONE:
            push(chase, V.C_DONOR, v).n = <uint8_t> (action - V.DO_POWER1 + 1)
        else:
            use_power(book, chase, v, v, action - V.DO_POWER1 + 1, sink)
    elif action == V.DO_SPIRIT:
        begin_action(chase, v)
        use_spirit(book, chase, v, sink)
    elif action == V.DO_NITRO:
        nitro = chase.car[v].nitro
        chase.car[v].nitro = V.NONE
        chase.flow.nitro[nitro] += 1
        chase.flow.turn_flags |= V.TURN_NITRO
        emit3(sink, V.E_NITRO, PUBLIC, v, nitro, 1)
        begin_action(chase, v)
        begin_list(book, chase, v, V.P_NITRO + nitro)
    else:
        push(chase, V.C_DONOR, v).n = <uint8_t> action      # whom it is dealt with


cdef void run_donor(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    pose(book, chase, frame.v, V.Q_DONOR if frame.n <= 3 else V.Q_NITRO_DEAL)


cdef int donor_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil:
    if frame.n > 3:
        return add_bits(dealers(book, chase, frame.v, frame.n == V.DO_NITRO_SWAP), 0, out, 0)
    return add_bits(payers(book, chase, frame.v, power_price(book, chase, frame.n)), 0, out, 0)


cdef void answer_donor(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    cdef int v = frame.v
    cdef int level = frame.n
    cdef int nitro = chase.car[v].nitro
    pop(chase)
    if level <= 3:
        use_power(book, chase, v, action, level, sink)
        return
    chase.flow.turn_flags |= V.TURN_DEALT
    chase.car[v].nitro = chase.car[action].nitro
    chase.car[action].nitro = <uint8_t> nitro
    emit3(sink, V.E_NITRO, PUBLIC, action, nitro, 2)

# ---- Steps of a turn ----

cdef void begin_turn(const Book* book, Chase* chase, Sink* sink) noexcept nogil:
    cdef int v = chase.flow.order[chase.flow.turn]
    chase.flow.turn += 1
    chase.flow.current = <uint8_t> v
    chase.flow.lost_turn = 0
    chase.flow.armour_used = 0
    chase.flow.turn_flags = 0
    memset(chase.flow.turn_mod, 0, V.MODS)
    emit1(sink, V.E_TURN, PUBLIC, v)
    go_to(chase, V.S_BOSS if decides_nothing(book, v) else V.S_START)


cdef bint run_hooks(const Book* book, Chase* chase, int negative, int positive, int next_step) noexcept nogil:
    """The negative aura's program, then those of positive auras by their number, all as one action. True while some are left."""
    cdef int program
    while chase.flow.at <= V.CARDS:
        program = -1
        if chase.flow.at == 0:
            if chase.flow.negative != V.NONE:
                program = negative + chase.flow.negative
        elif has(&chase.flow.positive, chase.flow.at - 1):
            program = positive + chase.flow.at - 1
        chase.flow.at += 1
        if program >= 0 and book.program[program].n:
            chase.flow.actor = chase.flow.current
            chase.flow.chosen = 1
            begin_list(book, chase, chase.flow.current, program)
            return True
    if chase.flow.chosen:
        chase.flow.chosen = 0
        begin_action(chase, chase.flow.current)
    go_to(chase, next_step)
    return False


cdef void refill(const Book* book, Chase* chase, int v, Rng* rng, Sink* sink) noexcept nogil:
    """T7: cards are drawn one at a time up to the hand size."""
    cdef int size = 1 if book.kind[v] == V.K_DRONE else max(book.hand + mod(book, chase, v, V.M_HAND), 0)
    cdef int before
    if chase.flow.turn_flags & V.TURN_DUMP and chase.flow.at == 0 and not mod(book, chase, v, V.M_AST_KEEP):
        dump_hand(book, chase, v, sink)
    chase.flow.at = 1
    if not chase.flow.turn_flags & (V.TURN_DUMP | V.TURN_YETI) and (
            not chase.flow.turn_flags & V.TURN_MANOEUVRE or mod(book, chase, v, V.M_MAN_DRAW)):
        while held(chase, v) < size:
            before = held(chase, v)
            if not draw_one(book, chase, v, rng, sink):
                return
            if held(chase, v) == before:
                break
    go_to(chase, V.S_UPKEEP)


cdef void upkeep(const Book* book, Chase* chase, int v, Sink* sink) noexcept nogil:
    """T8 (R42)."""
    if chase.car[v].shields and not mod(book, chase, v, V.M_SHIELD_KEEP):
        if held(chase, v) and book.kind[v] != V.K_DRONE:
            pose(book, chase, v, V.Q_SHIELD_UPKEEP)
            return
        lose_shields(chase, v, 1, sink)
    go_to(chase, V.S_END)


cdef bint on_spirit_square(const Book* book, const Chase* chase, int v) noexcept nogil:
    cdef int sq = chase.car[v].sq
    return book.square[sq].flags & V.SQ_LIGHTNING and book.tile[book.square[sq].slot].special == V.TILE_SPIRITS


cdef bint run_turn(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil:
    """One step of a turn. False: the step belongs to the round."""
    cdef int v = chase.flow.current
    cdef int step = chase.flow.step
    if step == V.S_NEXT:
        if chase.flow.turn >= book.vehicles:
            chase.flow.current = V.NONE
            go_to(chase, V.S_RANK)
        else:
            begin_turn(book, chase, sink)
    elif step == V.S_START:
        if held(chase, v) == 0 and not draw_one(book, chase, v, rng, sink):
            return True
        chase.flow.chosen = 0
        go_to(chase, V.S_HOOKS if book.boss != V.NONE else V.S_BEFORE)
    elif step == V.S_HOOKS:
        run_hooks(book, chase, V.P_NEG_START, V.P_POS_START, V.S_BEFORE)
    elif step == V.S_BEFORE or step == V.S_AFTER:
        pose(book, chase, v, V.Q_TURN_MENU)
    elif step == V.S_REFILL:
        refill(book, chase, v, rng, sink)
    elif step == V.S_UPKEEP:
        upkeep(book, chase, v, sink)
    elif step == V.S_END:
        run_hooks(book, chase, V.P_NEG_END, V.P_POS_END, V.S_SPIRIT)
    elif step == V.S_SPIRIT:
        if chase.flow.at == 0 and on_spirit_square(book, chase, v) and chase.car[v].spirit == V.NONE:
            pose(book, chase, v, V.Q_SPIRIT_TAKE)
        else:
            chase.flow.current = V.NONE
            go_to(chase, V.S_NEXT)
    elif step >= V.S_BOSS and step <= V.S_BOSS_END:
        boss_step(book, chase, v, rng, sink)
    else:
        return False
    return True


cdef int turn_options(const Book* book, const Chase* chase, action_t* out) noexcept nogil:
    """Answers to what a turn asks outside of cards."""
    if chase.flow.prompt == V.Q_TURN_MENU:
        return menu_options(book, chase, out)
    if chase.flow.prompt != V.Q_SHIELD_UPKEEP:
        return count_up(0, 2, out)
    out[0] = 0
    return 1 + distinct(chase, chase.flow.current, 0, 1, &out[1])


cdef void answer_turn(const Book* book, Chase* chase, int action, Rng* rng, Sink* sink) noexcept nogil:
    cdef int v = chase.flow.current
    cdef int prompt = chase.flow.prompt
    cdef int type
    if prompt == V.Q_TURN_MENU:
        answer_menu(book, chase, action, rng, sink)
    elif prompt == V.Q_DECK_PICK:
        draw(book, chase, v, action, rng, sink)
    elif prompt == V.Q_SHIELD_UPKEEP:
        if action:
            lose_card(book, chase, v, action - 1, V.E_DISCARD, sink)
        else:
            lose_shields(chase, v, 1, sink)
        go_to(chase, V.S_END)
    elif prompt == V.Q_SPIRIT_TAKE:
        chase.flow.at = 1
        type = take_top(book, chase, action, rng)
        if type >= 0:
            chase.car[v].spirit = <uint8_t> type
            emit3(sink, V.E_SPIRIT, PUBLIC, v, type, 0)

# ---- A card of a pilot ----

cdef enum:              # stages of a C_CARD
    PICK
    PICK_SECOND
    LINK
    POINTS
    OFFER
    MANOEUVRE
    KINETIC
    EFFECT
    TAX
    DRIVE
    TELEPORT
    DONE

cdef uint8_t QUESTION[DONE + 1]         # of stages that only ask
for _stage in range(DONE + 1):
    QUESTION[<int> _stage] = V.Q_NOTHING
QUESTION[PICK_SECOND], QUESTION[LINK], QUESTION[POINTS] = V.Q_MAN_CARD, V.Q_LINK_CAR, V.Q_KIN_POINTS
QUESTION[MANOEUVRE] = V.Q_MAN_EFFECT


cdef void run_card(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    cdef int v = frame.v
    cdef int stage = frame.stage
    cdef int effect, type
    if stage == PICK:
        if frame.how == V.BY_AST:
            frame.stage = LINK
        elif frame.how == V.BY_EXTRA and book.kind[v] == V.K_DRONE:
            type = take_top(book, chase, 0 if green(book, chase, v) else 1, rng)
            if type < 0:
                pop(chase)
                return
            emit2(sink, V.E_TURN_OVER, PUBLIC, v, type)
            frame.card = <uint8_t> type
            frame.stage = EFFECT
        elif held(chase, v):
            pose(book, chase, v, V.Q_MAN_CARD if frame.how == V.BY_MANOEUVRE else V.Q_CARD)
        else:
            pop(chase)
    elif stage == OFFER:
        chase.flow.turn_flags |= V.TURN_ASKED
        pose(book, chase, frame.w, V.Q_ASTRAL_OFFER)
    elif QUESTION[stage] != V.Q_NOTHING:
        pose(book, chase, v, QUESTION[stage])
    elif stage == KINETIC:
        frame.stage = EFFECT
        chase.flow.actor = frame.w
        advance_car(chase, frame.w, frame.n + mod(book, chase, v, V.M_KIN_BONUS), 0)
    elif stage == EFFECT:
        frame.stage = TAX
        effect = frame.at if frame.how == V.BY_MANOEUVRE else effect_of(frame.card)
        chase.flow.actor = frame.w if frame.how == V.BY_COG else frame.v
        begin_effect(chase, chase.flow.actor, v, effect, 1 if frame.how == V.BY_MANOEUVRE else times_of(book, chase, effect), 0)
    elif stage == TAX:
        chase.flow.actor = frame.v
        settle(book, chase, frame, sink)
    elif stage == DRIVE:
        frame.stage = DONE
        drive(book, chase, frame, sink)
    elif stage == TELEPORT and not chase.car[v].flags & V.CAR_OFF:
        pose(book, chase, v, V.Q_TELEPORT)
    else:
        if frame.how != V.BY_MANOEUVRE:
            chase.discard[frame.card] += 1
        pop(chase)


cdef void settle(const Book* book, Chase* chase, Frame* frame, Sink* sink) noexcept nogil:
    """The effect is done, or was not: how far does the car go?"""
    cdef int v = frame.v
    cdef int value = card_value(book, chase, v, frame.card) + frame.extra
    cdef bint used = frame.flags & V.USED
    if frame.how == V.BY_AST:
        frame.stage = TELEPORT
        frame.left = <uint8_t> value
        return
    if frame.how == V.BY_KIN:
        value -= frame.n
    elif frame.how == V.BY_MANOEUVRE and frame.at == V.X_STAR and used:
        spin(chase, v, sink)
    if frame.how != V.BY_MANOEUVRE:             # R94
        if used and mod(book, chase, v, V.M_EFFECT_TAX):
            value -= 1
        elif not used and mod(book, chase, v, V.M_SKIP_BONUS):
            value += 1
    frame.left = <uint8_t> max(value, 0)
    frame.stage = DRIVE
    if mod(book, chase, v, V.M_FREE_STEER) and chase.car[v].sq != V.NONE:
        begin_effect(chase, v, v, V.X_STEER, 1, V.FREE)


cdef void drive(const Book* book, Chase* chase, Frame* frame, Sink* sink) noexcept nogil:
    """The movement of a card; a spin-out costs some of it (6.6)."""
    cdef int v = frame.v
    if chase.car[v].sq == V.NONE or chase.car[v].flags & V.CAR_OFF:
        return
    if chase.car[v].spun == 1:
        frame.left = <uint8_t> max(frame.left - book.spin_cost, 0)
        straighten(chase, v, sink)
    if frame.left:
        advance_car(chase, v, frame.left, 0)


cdef int seconds(const Chase* chase, int v, action_t* out) noexcept nogil:
    """First cards of a manoeuvre: every type but a single last one."""
    cdef int n = distinct(chase, v, 0, 0, out)
    cdef int cards = held(chase, v)
    return n if chase.hand[v][cards - 1] == chase.hand[v][cards - 2] else n - 1


cdef int card_options(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil:
    cdef int v = frame.v
    cdef int prompt = chase.flow.prompt
    cdef int n = 0
    cdef int i
    if prompt == V.Q_CARD:
        return distinct(chase, v, 0, 0, out)
    if prompt == V.Q_MAN_CARD:
        return seconds(chase, v, out) if frame.stage == PICK else distinct(chase, v, frame.card, 0, out)
    if prompt == V.Q_LINK_CAR:
        return add_bits(astral_targets(book, chase, v) if frame.how == V.BY_AST else linked(book, chase, v), 0, out, 0)
    if prompt == V.Q_KIN_POINTS:
        return count_up(1, card_value(book, chase, v, frame.card), out)
    out[0] = 0
    if prompt == V.Q_ASTRAL_OFFER:
        return 1 + distinct(chase, frame.w, 0, 1, &out[1])
    if prompt == V.Q_TELEPORT:
        return nearby(book, chase, chase.car[v].sq, 1, frame.left, out) or 1
    for i in range(V.X_SHIELDS + 1):
        n = offer(out, n, i, i == V.X_SHIELDS or not forbidden(book, chase, i))
    return n


cdef void answer_card(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    cdef int v = frame.v
    cdef int prompt = chase.flow.prompt
    if prompt == V.Q_CARD:
        lose_card(book, chase, v, action, V.E_PLAY, sink)
        frame.card = <uint8_t> action
        frame.stage = LINK if frame.how == V.BY_COG or frame.how == V.BY_KIN else EFFECT
    elif prompt == V.Q_MAN_CARD:
        lose_card(book, chase, v, action, V.E_DISCARD, sink)
        if frame.stage == PICK:
            frame.card = <uint8_t> action
            frame.stage = PICK_SECOND
        else:
            if action % V.VALUES < frame.card % V.VALUES:
                frame.card = <uint8_t> action
            frame.stage = MANOEUVRE
            chase.flow.turn_flags |= V.TURN_MANOEUVRE
    elif prompt == V.Q_LINK_CAR:
        frame.w = <uint8_t> action
        frame.stage = EFFECT if frame.how == V.BY_COG else POINTS if frame.how == V.BY_KIN else OFFER
        emit3(sink, V.E_LINK, PUBLIC, v, action, frame.how)
    elif prompt == V.Q_KIN_POINTS:
        frame.n = <uint8_t> action
        frame.stage = KINETIC
    elif prompt == V.Q_ASTRAL_OFFER:
        answer_offer(book, chase, frame, action, sink)
    elif prompt == V.Q_MAN_EFFECT:
        frame.at = <uint8_t> action
        frame.stage = EFFECT
        if action == V.X_SHIELDS:
            frame.stage = TAX
            frame.flags |= V.USED
            gain_shields(book, chase, v, book.manoeuvre_shields, sink)
    else:
        frame.stage = DONE
        if action:
            jump(book, chase, v, action - V.SQUARE, rng, sink)


cdef void answer_offer(const Book* book, Chase* chase, Frame* frame, int action, Sink* sink) noexcept nogil:
    """The connected car gives a card, or refuses: then the turn goes on without it (R26)."""
    cdef int w = frame.w
    emit2(sink, V.E_ASTRAL, PUBLIC, w, action != 0)
    if action == 0:
        pop(chase)
        chase.flow.eoa = 0
        chase.flow.turn_flags &= ~V.TURN_MAIN
        chase.flow.step = V.S_BEFORE
        return
    frame.card = <uint8_t> (action - 1)
    frame.stage = EFFECT
    chase.flow.turn_flags |= V.TURN_DUMP
    lose_card(book, chase, w, action - 1, V.E_PLAY, sink)

# ---- A card of the Boss, or of a bot ----

cdef void boss_step(const Book* book, Chase* chase, int v, Rng* rng, Sink* sink) noexcept nogil:
    """B1 to B6 (5.6)."""
    cdef bint boss = v == book.boss
    cdef int step = chase.flow.step
    cdef int type
    if step == V.S_BOSS:
        chase.flow.began_furious = chase.flow.furious
        chase.flow.turn_squares = 0
        go_to(chase, V.S_BOSS_HOOKS if boss else V.S_BOSS_CARD)
    elif step == V.S_BOSS_HOOKS:
        if chase.flow.at == 0:
            chase.flow.actor = <uint8_t> v
            begin_list(book, chase, v, V.P_BOSS_ALWAYS)
        elif chase.flow.at == 1:
            begin_list(book, chase, v, V.P_BOSS_FURIOUS if chase.flow.furious else V.P_BOSS_NORMAL)
        else:
            go_to(chase, V.S_BOSS_CARD)
            begin_action(chase, v)
            return
        chase.flow.at += 1
    elif step == V.S_BOSS_CARD:
        type = take_top(book, chase, 0 if green(book, chase, v) else 1, rng)
        chase.flow.chosen = <uint8_t> (type if type >= 0 else V.NONE)
        if type < 0:
            go_to(chase, V.S_BOSS_END)
            return
        emit2(sink, V.E_TURN_OVER, PUBLIC, v, type)
        go_to(chase, V.S_BOSS_STAR if boss and effect_of(type) == V.X_STAR else V.S_BOSS_MOVE)
    elif step == V.S_BOSS_STAR:
        if chase.flow.at == 0:
            chase.flow.at = 1
            if chase.flow.assault != V.NONE:
                strike(book, chase, v, sink)
                return
        discard_assault(chase, sink)
        draw_assault(book, chase, rng, sink)
        chase.flow.step = V.S_BOSS_MOVE
    elif step == V.S_BOSS_MOVE:
        begin_action(chase, v)
        push(chase, V.C_BOSS, v).card = chase.flow.chosen
        chase.frame[0].stage = chase.flow.at    # behind a star the effect is done
        chase.flow.chosen = 0
        go_to(chase, V.S_BOSS_END)
    else:
        if boss:
            watch(book, chase, V.T_TURN_SQUARES, chase.flow.turn_squares, sink)
            watch(book, chase, V.T_OWN_TURN_END_FURIOUS, chase.flow.began_furious, sink)
        lose_shields(chase, v, 1, sink)
        chase.flow.current = V.NONE
        go_to(chase, V.S_NEXT)


cdef void run_boss(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """Effect, movement, discard (B3 to B5)."""
    cdef int v = frame.v
    cdef int effect = effect_of(frame.card)
    if frame.stage == 0:
        frame.stage = 1
        if effect == V.X_STAR:
            frame.extra = book.bot_star if v != book.boss else 0
        elif effect == V.X_FREEZE:
            slabs(chase, v, 0, 1, 0)
        else:
            begin_effect(chase, v, v, effect, 1, 0)
    elif frame.stage == 1:
        frame.stage = 2
        frame.left = <uint8_t> (card_value(book, chase, v, frame.card) + frame.extra)
        drive(book, chase, frame, sink)
    else:
        chase.discard[frame.card] += 1
        pop(chase)


define(V.C_CARD, run_card, card_options, answer_card)
define(V.C_DONOR, run_donor, donor_options, answer_donor)
define(V.C_BOSS, run_boss, NULL, NULL)
