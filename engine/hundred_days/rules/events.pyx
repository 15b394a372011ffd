"""Events (RULES.md, 5.3, 6.2 to 6.4): what is declared, the windows in which others react, and what becomes of it.

An event goes through the stages of Stage: cards and targets are declared, costs paid, a window opened as long as somebody reacts,
and then it happens, or not.
"""
from libc.string cimport memset

from seatmate.engine.core.cardset cimport add, both, drop, has, join, meet, no_cards, pop_card, some, without
from seatmate.engine.core.sink cimport PUBLIC, emit2, emit3
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.cards cimport leave_play, lose, player_of, show
from seatmate.engine.hundred_days.rules.closing cimport answer_waiver, begin_payment, pay_closing, waivable
from seatmate.engine.hundred_days.rules.model cimport bit, pop, pose, push_card, seat_after, top_frame, total
from seatmate.engine.hundred_days.rules.query cimport can_close, free_spaces, move_price, payable
from seatmate.engine.hundred_days.rules.targets cimport can_aim, choices, triggers, victims
from seatmate.engine.hundred_days.rules.tokens cimport put_back
from seatmate.engine.hundred_days.rules.verbs cimport run_step

cdef uint8_t QUESTION[V.REGISTERS]
QUESTION[V.G_X] = V.Q_SEAT
QUESTION[V.G_C] = V.Q_CARD
QUESTION[V.G_P] = V.Q_PLACE
QUESTION[V.G_Q] = V.Q_PLACE2

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

cdef int undeclared(const Book* book, const Frame* frame) noexcept nogil:
    """The first register that is still to be chosen; -1."""
    cdef int register
    for register in range(V.REGISTERS):
        if book.card[frame.program].target[register].base != V.NO_BASE and (&frame.X)[register] == V.NONE:
            return register
    return -1


cdef bint ask_event(const Book* book, Days* days, Frame* frame, int prompt, Sink* sink) noexcept nogil:
    """Ask the event's seat, or carry out the one answer there is (5.4). False where there is none."""
    cdef CardSet found
    cdef int first
    pose(days, bit(frame.seat), prompt)
    found = event_options(book, days, frame)
    first = pop_card(&found)
    if first >= 0 and not some(&found):
        answer_event(book, days, frame, first, sink)
        pose(days, 0, V.Q_NOTHING)
    return first >= 0


cdef void declare(const Book* book, Days* days, Frame* frame, Sink* sink) noexcept nogil:
    """Choose targets, then pay (6.2). What a program needs is asked before its first choice; where that lacks, nothing is done."""
    cdef int register = undeclared(book, frame)
    if not frame.flags & V.VOID:
        if frame.X & frame.C & frame.P == V.NONE and not can_aim(book, days, frame):
            frame.flags |= V.VOID
        elif register >= 0:
            if ask_event(book, days, frame, QUESTION[register], sink):
                return
            frame.flags |= V.VOID
            pose(days, 0, V.Q_NOTHING)
    if (frame.kind == V.C_BLUE or frame.kind == V.C_ITEM) and price(book, days, frame) and not frame.flags & V.PAID:
        ask_event(book, days, frame, V.Q_PAY, sink)
        return
    frame.victims = victims(book, days, frame)
    frame.stage = V.OPENING


cdef void declare_move(const Book* book, Days* days, Frame* frame, Sink* sink) noexcept nogil:
    """Where to, then what is paid (5.3)."""
    if frame.P == V.NONE:
        ask_event(book, days, frame, V.Q_SPACE, sink)
    elif not frame.flags & V.PAID:
        ask_event(book, days, frame, V.Q_PAY, sink)
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


cdef void answer_event(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil:
    cdef int register
    if days.prompt == V.Q_PAY:
        frame.flags |= V.PAID
        put_back(days, frame.seat, action, price(book, days, frame), V.WHY_COST, sink)
    elif days.prompt == V.Q_SPACE:
        frame.P = <uint8_t> action
        emit2(sink, V.E_TARGET, PUBLIC, V.Q_SPACE, action)
    elif days.prompt == V.Q_WAIVE:
        answer_waiver(frame, action)
    else:
        register = undeclared(book, frame)
        (&frame.X)[register] = <uint8_t> action
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
        if frame.stage == V.REOPENING:              # a window that was open is closed for all to see (R65)
            emit2(sink, V.E_WINDOW_END, PUBLIC, frame.kind, True)
        frame.stage = V.RESOLVING
        return
    emit3(sink, V.E_WINDOW, PUBLIC, frame.kind, frame.seat, seats)
    frame.stage = V.ASKING
    pose(days, seats, V.Q_REACT)


cdef void close_window(const Book* book, Days* days, Frame* frame, Sink* sink) noexcept nogil:
    """Everybody has answered: the first reaction clockwise from the event's seat counts, the others never were (R53)."""
    cdef int first = frame.seat + 1 if frame.seat < book.seats else days.flow.first
    cdef int card = V.NONE
    cdef int i, seat
    for i in range(book.seats):
        seat = seat_after(book, first, i)
        if days.answer[seat] != V.NONE and days.answer[seat] != 0:
            card = days.answer[seat] - 1
            break
    memset(days.answer, V.NONE, V.SEATS)
    if card == V.NONE:
        emit2(sink, V.E_WINDOW_END, PUBLIC, frame.kind, True)
        frame.stage = V.RESOLVING
        return
    frame.stage = V.REOPENING
    react(book, days, seat, card, sink)

# ---- Happening ----

cdef void resolve(const Book* book, Days* days, Frame* frame, Sink* sink) noexcept nogil:
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
    elif stage == V.OPENING or stage == V.REOPENING:
        open_window(book, days, frame, sink)
    elif stage == V.ASKING:
        close_window(book, days, frame, sink)
    elif stage == V.RESOLVING:
        resolve(book, days, frame, sink)
    elif stage == V.PAYING:
        if frame.left and total(frame.pool):
            ask_event(book, days, frame, V.Q_WAIVE, sink)
        else:
            pay_closing(book, days, frame, rng, sink)
    elif stage == V.SETTLING:
        days.flow.discount[frame.seat] = 0          # used up by a completed closing (6.5)
        frame.stage = V.ENDING
    elif stage == V.RUNNING and not frame.flags & V.VOID and frame.step < book.card[frame.program].steps:
        run_step(book, days, frame, rng, sink)
    else:
        end_event(book, days, frame, sink)
