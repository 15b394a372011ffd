"""Events (RULES.md, 5.3, 6.2 to 6.5): what is declared, the windows in which others react, and what becomes of it.

An event goes through the stages of Stage: cards and targets are declared, costs paid, a window opened as long as somebody reacts,
and then it happens, or not.
"""
from libc.string cimport memcpy, memset

from seatmate.engine.core.cardset cimport add, both, drop, has, join, meet, no_cards, pop_card, some, without
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2, emit3
from seatmate.engine.core.types cimport int32_t, uint8_t
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.cards cimport draw, draw_tile, leave_play, lose, player_of, show
from seatmate.engine.hundred_days.rules.chains cimport steal
from seatmate.engine.hundred_days.rules.model cimport ability, pop, pose, presence, push_card, top_frame, total
from seatmate.engine.hundred_days.rules.query cimport can_close, free_spaces, icons, move_price, payable, waivers
from seatmate.engine.hundred_days.rules.targets cimport blank_frame, can_aim, choices, victims
from seatmate.engine.hundred_days.rules.tokens cimport put_back
from seatmate.engine.hundred_days.rules.verbs cimport run_step

cdef uint8_t QUESTION[V.REGISTERS]
QUESTION[V.G_X] = V.Q_SEAT
QUESTION[V.G_C] = V.Q_CARD
QUESTION[V.G_P] = V.Q_PLACE
QUESTION[V.G_Q] = V.Q_PLACE2

# ---- What may be played (6.1) ----

cdef bint payable_card(const Book* book, const Days* days, int seat, int card) noexcept nogil:
    return not book.card[card].cost or payable(days, seat, book.card[card].cost, book.card[card].cost_type) != 0


cdef bint playable(const Book* book, const Days* days, int seat, int card) noexcept nogil:
    """May the seat play this hand card as its action?"""
    cdef Frame frame
    cdef int kind = book.card[card].kind
    if kind == V.K_ACTION or kind == V.K_PLACE:
        frame = blank_frame(V.C_BLUE, seat, card)
        return payable_card(book, days, seat, card) and can_aim(book, days, &frame)
    return has(&book.green, card) and not book.card[card].places & ~(presence(book, days, seat) | icons(book, days, seat))


cdef bint usable(const Book* book, const Days* days, int seat, int card) noexcept nogil:
    """May the seat use this item of its play area?"""
    cdef Frame frame = blank_frame(V.C_ITEM, seat, card)
    return payable_card(book, days, seat, card) and can_aim(book, days, &frame)


cdef CardSet triggers(const Book* book, int seat, const Frame* event) noexcept nogil:
    """The reactions by which the seat could answer this event; NULL: at any time."""
    cdef CardSet found = book.of_trigger[V.ON_ANY]
    if event == NULL:
        return found
    join(&found, &book.of_trigger[event.kind])
    if event.victims >> seat & 1:
        join(&found, &book.of_trigger[V.ON_HIT])
        if event.kind == V.C_BLUE:
            join(&found, &book.of_trigger[V.ON_HIT_BLUE])
    return found


cdef CardSet reactions(const Book* book, const Days* days, int seat, const Frame* event) noexcept nogil:
    """The hand cards that the seat may answer with."""
    cdef CardSet found = triggers(book, seat, event)
    cdef CardSet rest
    cdef Frame frame
    cdef int card
    found = both(&found, &days.hand[seat])
    if not some(&found):
        return found
    rest = found
    card = pop_card(&rest)
    while card >= 0:
        frame = blank_frame(V.C_REACT, seat, card)
        frame.src = event.seat if event != NULL else V.NONE
        if not can_aim(book, days, &frame):
            drop(&found, card)
        card = pop_card(&rest)
    return found

# ---- Beginnings ----

cdef void play(const Book* book, Days* days, int seat, int card, Sink* sink) noexcept nogil:
    """A blue or green card from the hand."""
    cdef bint green = has(&book.green, card)
    cdef Frame* frame = push_card(days, V.C_GREEN if green else V.C_BLUE, seat, card)
    if green and book.card[card].kind != V.K_CHARACTER:
        frame.flags = V.VOID                      # what an item does comes later
    lose(book, days, seat, card)
    emit2(sink, V.E_PLAY, PUBLIC, seat, card)


cdef void use(const Book* book, Days* days, int seat, int card, Sink* sink) noexcept nogil:
    """An item in play."""
    push_card(days, V.C_ITEM, seat, card)
    emit2(sink, V.E_USE, PUBLIC, seat, card)


cdef void react(const Book* book, Days* days, int seat, int card, Sink* sink) noexcept nogil:
    """A reaction to the event on top, or to nothing."""
    cdef Frame* event = top_frame(days) if days.depth else NULL
    cdef Frame* frame = push_card(days, V.C_REACT, seat, card)
    if event != NULL:
        frame.src = event.seat
        if book.card[card].step[0].verb == V.V_MIRROR:
            frame.program = event.program
            frame.flags = V.MIRRORED | (event.flags & V.VOID)
    lose(book, days, seat, card)
    emit2(sink, V.E_REACT, PUBLIC, seat, card)

# ---- Declaring ----

cdef uint8_t* register_of(Frame* frame, int register) noexcept nogil:
    return &frame.X + register


cdef int undeclared(const Book* book, const Frame* frame) noexcept nogil:
    """The first register that is still to be chosen; -1."""
    cdef int register
    for register in range(V.REGISTERS):
        if book.card[frame.program].target[register].base != V.NO_BASE and (&frame.X)[register] == V.NONE:
            return register
    return -1


cdef void declare(const Book* book, Days* days, Frame* frame, Sink* sink) noexcept nogil:
    """Choose targets, then pay (6.2)."""
    cdef int register = -1
    if not frame.flags & V.VOID:
        register = undeclared(book, frame)
        if not can_aim_rest(book, days, frame, register):
            frame.flags |= V.VOID
        elif register >= 0:
            pose(days, frame.seat, QUESTION[register])
            return
    if (frame.kind == V.C_BLUE or frame.kind == V.C_ITEM) and book.card[frame.card].cost and not frame.flags & V.PAID:
        pose(days, frame.seat, V.Q_PAY)
        return
    frame.victims = victims(book, days, frame)
    frame.stage = V.OPENING


cdef bint can_aim_rest(const Book* book, const Days* days, Frame* frame, int register) noexcept nogil:
    """Is there something to choose? What a program needs is asked before its first choice."""
    cdef CardSet found
    if register < 0:
        return book.card[frame.program].has_targets == 0 or frame.X & frame.C & frame.P != V.NONE or can_aim(book, days, frame)
    if frame.X & frame.C & frame.P == V.NONE:
        return can_aim(book, days, frame)
    found = choices(book, days, frame, register)
    return some(&found)


cdef void declare_move(const Book* book, Days* days, Frame* frame, Sink* sink) noexcept nogil:
    """Where to, then what is paid (5.3)."""
    if frame.P == V.NONE:
        pose(days, frame.seat, V.Q_SPACE)
    elif not frame.flags & V.PAID:
        pose(days, frame.seat, V.Q_PAY)
    else:
        frame.stage = V.OPENING


cdef int price(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    """Tokens of one type that the event costs."""
    return move_price(book, days, frame.seat) if frame.kind == V.C_MOVE else book.card[frame.card].cost


cdef CardSet event_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    """The legal answers of an event's own questions."""
    cdef CardSet found = no_cards()
    if days.prompt == V.Q_PAY:
        found.word[0] = payable(days, frame.seat, price(book, days, frame),
                                V.ANY_TYPE if frame.kind == V.C_MOVE else book.card[frame.card].cost_type)
    elif days.prompt == V.Q_SPACE:
        found.word[0] = free_spaces(book, days)
        drop(&found, days.rick[frame.seat])
    elif days.prompt == V.Q_WAIVE:
        found.word[0] = waivable(days, frame)
    else:
        found = choices(book, days, frame, undeclared(book, frame))
    return found


cdef void answer_event(const Book* book, Days* days, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    cdef int register
    if days.prompt == V.Q_PAY:
        frame.flags |= V.PAID
        put_back(days, frame.seat, action, price(book, days, frame), V.WHY_COST, sink)
    elif days.prompt == V.Q_SPACE:
        frame.P = <uint8_t> action
        emit2(sink, V.E_TARGET, PUBLIC, V.Q_SPACE, action)
    elif days.prompt == V.Q_WAIVE:
        if action == V.STOP:
            frame.left = 0
        else:
            frame.left -= 1
            frame.least = <uint8_t> action
            frame.pool[action] -= 1
    else:
        register = undeclared(book, frame)
        register_of(frame, register)[0] = <uint8_t> action
        emit2(sink, V.E_TARGET, PUBLIC, days.prompt, action)
        if register == V.G_C and book.card[frame.program].copies:
            frame.program = <uint8_t> action    # a program is fixed when it is declared (R64)
            frame.C = V.NONE

# ---- Windows (6.3) ----

cdef int eligible(const Book* book, const Days* days, const Frame* event) noexcept nogil:
    """The seats that are asked: those that might hold a reaction, as far as everybody knows. A mask."""
    cdef CardSet hidden = days.deck
    cdef CardSet possible, mine
    cdef int seat
    cdef int mask = 0
    for seat in range(book.seats):
        join(&hidden, &days.hand[seat])
    hidden = without(&hidden, &days.shown)
    for seat in range(book.seats):
        if seat == event.seat or not some(&days.hand[seat]):
            continue
        possible = triggers(book, seat, event)
        mine = both(&days.hand[seat], &days.shown)
        if meet(&possible, &hidden) or meet(&possible, &mine):
            mask |= 1 << seat
    return mask


cdef void open_window(const Book* book, Days* days, Frame* frame, Sink* sink) noexcept nogil:
    cdef int seats
    if frame.flags & V.CANCELLED:
        emit2(sink, V.E_WINDOW_END, PUBLIC, frame.kind, False)
        frame.stage = V.ENDING
        return
    seats = eligible(book, days, frame) if days.depth + V.ROOM <= V.FRAMES else 0
    if seats == 0:
        frame.stage = V.RESOLVING
        return
    emit3(sink, V.E_WINDOW, PUBLIC, frame.kind, frame.seat, seats)
    frame.stage = V.ASKING
    days.prompt = V.Q_REACT
    days.asked = <uint8_t> seats


cdef void close_window(const Book* book, Days* days, Frame* frame, Sink* sink) noexcept nogil:
    """Everybody has answered: the first reaction clockwise from the event's seat counts, the others never were (R53)."""
    cdef int first = frame.seat + 1 if frame.seat < book.seats else days.flow.first
    cdef int card = V.NONE
    cdef int i, seat
    for i in range(book.seats):
        seat = (first + i) % book.seats
        if days.answer[seat] != V.NONE and days.answer[seat] != 0:
            card = days.answer[seat] - 1
            break
    memset(days.answer, V.NONE, V.SEATS)
    if card == V.NONE:
        emit2(sink, V.E_WINDOW_END, PUBLIC, frame.kind, True)
        frame.stage = V.RESOLVING
        return
    frame.stage = V.OPENING
    react(book, days, seat, card, sink)

# ---- Happening ----

cdef void resolve(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """The event has survived."""
    cdef int kind = frame.kind
    frame.stage = V.ENDING
    if kind == V.C_MOVE:
        days.rick[frame.seat] = frame.P
        emit2(sink, V.E_RICK, PUBLIC, frame.seat, frame.P)
    elif kind == V.C_CLOSE:
        if can_close(book, days, frame.seat, frame.P, frame.extra):         # it is asked again (R20)
            begin_payment(book, days, frame)
    elif kind != V.C_REVEAL and kind != V.C_HARVEST:
        frame.stage = V.RUNNING
        if kind == V.C_GREEN or (kind == V.C_BLUE and book.card[frame.card].kind == V.K_PLACE):
            add(&days.play[frame.seat], frame.card)
            emit3(sink, V.E_CARD, PUBLIC, frame.card, V.Z_LIMBO, V.Z_PLAY + frame.seat)
            if book.card[frame.card].ability[V.A_BAR]:
                days.flow.barred[frame.seat] = frame.P
        elif kind == V.C_REACT and frame.flags & V.MIRRORED:
            (frame - 1).flags |= V.CANCELLED


cdef void end_event(const Book* book, Days* days, Frame* frame, Sink* sink) noexcept nogil:
    """Where its card goes (6.4, 6.8)."""
    cdef int kind = frame.kind
    cdef int card = frame.card
    cdef int seat = frame.seat
    cdef bint cancelled = frame.flags & V.CANCELLED
    pop(days)
    if kind == V.C_ITEM:
        seat = player_of(book, days, card)
        if seat != V.NONE:
            leave_play(days, seat, card, V.Z_PILE + seat, sink)
    elif kind == V.C_GREEN:
        if cancelled:
            show(days, seat, card)              # R21
            emit3(sink, V.E_CARD, PUBLIC, card, V.Z_LIMBO, V.Z_HAND + seat)
    elif kind == V.C_REACT or (kind == V.C_BLUE and (cancelled or book.card[card].kind == V.K_ACTION)):
        add(&days.general, card)
        emit3(sink, V.E_CARD, PUBLIC, card, V.Z_LIMBO, V.Z_GENERAL)


cdef void run_event(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """The event on top goes on; nobody is asked."""
    cdef int stage = frame.stage
    if stage == V.DECLARING:
        if frame.kind == V.C_MOVE:
            declare_move(book, days, frame, sink)
        else:
            declare(book, days, frame, sink)
    elif stage == V.OPENING:
        open_window(book, days, frame, sink)
    elif stage == V.ASKING:
        close_window(book, days, frame, sink)
    elif stage == V.RESOLVING:
        resolve(book, days, frame, rng, sink)
    elif stage == V.PAYING:
        run_payment(book, days, frame, rng, sink)
    elif stage == V.RUNNING and not frame.flags & V.VOID and frame.step < book.card[frame.program].steps:
        run_step(book, days, frame, rng, sink)
    else:
        end_event(book, days, frame, sink)

# ---- Closing a dimension (6.5) ----

cdef void begin_payment(const Book* book, Days* days, Frame* frame) noexcept nogil:
    """What the waivers cover wholly is not asked for (R59). `pool`: what is still to pay."""
    frame.stage = V.PAYING
    memcpy(frame.pool, book.tile[days.board[frame.P]].cost, V.TYPES)
    frame.left = <uint8_t> waivers(book, days, frame.seat, frame.extra)
    if frame.left >= total(frame.pool):
        memset(frame.pool, 0, V.TYPES)
        frame.left = 0


cdef int waivable(const Days* days, const Frame* frame) noexcept nogil:
    """Types that may be waived next, a mask, and STOP where all the rest can be paid."""
    cdef const uint8_t* held = days.tokens[frame.seat]
    cdef int lack = 0           # of this type and those above
    cdef int below = 0          # of those below, which can't be waived any more
    cdef int mask = 0
    cdef int t
    for t in range(V.TYPES):
        lack += frame.pool[t] - held[t] if frame.pool[t] > held[t] else 0
    if lack == 0:
        mask = 1 << V.STOP
    for t in range(V.TYPES):
        if t >= frame.least and frame.pool[t] and below == 0 and lack - (frame.pool[t] > held[t]) <= frame.left - 1:
            mask |= 1 << t
        if frame.pool[t] > held[t]:
            below += 1
    return mask


cdef void run_payment(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """Waivers, the price, the tile, a new one, then cards and tolls (5.3)."""
    cdef int32_t args[3 + V.TYPES]
    cdef int seat = frame.seat
    cdef int place = frame.P
    cdef int tile = days.board[place]
    cdef int t, i, other, n
    if frame.left and total(frame.pool):
        pose(days, seat, V.Q_WAIVE)
        return
    args[0] = seat
    args[1] = place
    args[2] = tile
    for t in range(V.TYPES):
        args[3 + t] = book.tile[tile].cost[t] - frame.pool[t]
        put_back(days, seat, t, frame.pool[t], V.WHY_CLOSING, sink)
    emit(sink, V.E_CLOSE, PUBLIC, 3 + V.TYPES, args)
    days.owner[tile] = <uint8_t> seat
    days.flow.discount[seat] = 0
    if days.stack:
        draw_tile(book, days, place, rng, sink)
    else:
        days.board[place] = V.NONE
        days.flow.ending = True                 # R49
        emit1(sink, V.E_BLACK_HOLE, PUBLIC, place)
    pop(days)
    draw(book, days, seat, ability(book, days, seat, V.A_CLOSE_DRAW), rng, sink)
    for i in range(1, book.seats):              # pushed anticlockwise, so that they run clockwise
        other = (seat + book.seats - i) % book.seats
        n = ability(book, days, other, V.A_TOLL)
        if n:
            steal(days, other, seat, n, True, V.WHY_TOLL)
