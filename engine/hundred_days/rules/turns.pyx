"""The adventure phase (RULES.md, S6): what a seat can do in its turn."""
from seatmate.engine.core.cardset cimport add, both, no_cards, pop_card, some, without
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit3
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.events cimport play as play_card
from seatmate.engine.hundred_days.rules.events cimport react
from seatmate.engine.hundred_days.rules.events cimport use as use_item
from seatmate.engine.hundred_days.rules.model cimport bit, open_event, pose, seat_after
from seatmate.engine.hundred_days.rules.query cimport can_close, free_spaces, move_price, payable
from seatmate.engine.hundred_days.rules.rounds cimport begin_turn, end_adventures
from seatmate.engine.hundred_days.rules.targets cimport playable, reactions, usable


cdef void run_turn(const Book* book, Days* days, Sink* sink) noexcept nogil:
    """Ask for the next action, unless all see that there is none (5.4): a seat may hold something it can do as an action."""
    cdef action_t out[V.ANSWERS]
    cdef int seat = days.flow.current
    if days.flow.passes >= book.seats:
        end_adventures(days)
        return
    pose(days, bit(seat), V.Q_TURN if days.flow.actions_left else V.Q_AFTER)
    if days.prompt == V.Q_TURN and some(&days.hand[seat]):
        return
    if turn_options(book, days, seat, out) == 1:
        pose(days, 0, V.Q_NOTHING)
        end_turn(book, days, seat, sink)


cdef int append(CardSet cards, int offset, action_t* out, int n) noexcept nogil:
    """Write offset + card for each card behind n answers; returns how many there are then."""
    cdef int card = pop_card(&cards)
    while card >= 0:
        out[n] = offset + card
        n += 1
        card = pop_card(&cards)
    return n


cdef CardSet guardable(const Book* book, const Days* days, int seat) noexcept nogil:
    cdef CardSet found = both(&days.play[seat], &book.green)
    return without(&found, &days.guarded) if days.garage[seat] else no_cards()


cdef int turn_options(const Book* book, const Days* days, int seat, action_t* out) noexcept nogil:
    """The legal answers to TURN and AFTER, ascending; returns their number."""
    cdef int n = 1
    cdef int place
    cdef bint acts = days.prompt == V.Q_TURN
    out[0] = 0
    if acts and days.flow.phase_turns >= book.turns:        # R58
        return 1
    if acts:
        for place in range(1, V.PLACES):
            if can_close(book, days, seat, place, 0):
                out[n] = place
                n += 1
        if payable(days, seat, move_price(book, days, seat), V.ANY_TYPE) and free_spaces(book, days) & ~(1 << days.rick[seat]):
            out[n] = V.MOVE_RICK
            n += 1
        n = append(playable(book, days, seat), V.PLAY, out, n)
    n = append(usable(book, days, seat), V.USE, out, n)
    n = append(guardable(book, days, seat), V.GUARD, out, n)
    if acts:
        n = append(reactions(book, days, seat, NULL), V.JUMP, out, n)
    return n


cdef void end_turn(const Book* book, Days* days, int seat, Sink* sink) noexcept nogil:
    """A turn without an action is a pass (R12, R13)."""
    if days.flow.acted:
        emit1(sink, V.E_END_TURN, PUBLIC, seat)
    else:
        days.flow.passes += 1
        emit1(sink, V.E_PASS, PUBLIC, seat)
    days.flow.actions_left = 0
    if days.flow.passes < book.seats:
        begin_turn(days, seat_after(book, seat, 1))


cdef void answer_turn(const Book* book, Days* days, int seat, int action, Sink* sink) noexcept nogil:
    if action == 0:
        end_turn(book, days, seat, sink)
    elif action < V.USE:
        days.flow.acted = True
        days.flow.actions_left -= 1             # spent even if it is cancelled (R19)
        days.flow.passes = 0
        if action >= V.PLAY:
            play_card(book, days, seat, action - V.PLAY, sink)
        elif action == V.MOVE_RICK:
            open_event(days, V.C_MOVE, seat, V.NONE)
        else:
            open_event(days, V.C_CLOSE, seat, action)
    elif action < V.GUARD:
        use_item(book, days, seat, action - V.USE, sink)
    elif action < V.JUMP:
        days.garage[seat] -= 1
        add(&days.guarded, action - V.GUARD)
        emit3(sink, V.E_GUARD, PUBLIC, seat, action - V.GUARD, True)
    else:
        react(book, days, seat, action - V.JUMP, sink)
