"""What each step of an effect does (RULES.md, 3.5.2). A step that cannot do anything is skipped.

A verb carries out its step of `frame`, whose registers were declared, or pushes chains of questions, the first one on top.
"""
from seatmate.engine.core.cardset cimport add, drop, has
from seatmate.engine.core.sink cimport PUBLIC, emit2, emit3
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.cards cimport destroy, draw, draw_tile, leave_play, player_of, show
from seatmate.engine.hundred_days.rules.chains cimport ask_with, choose_some, gain, steal
from seatmate.engine.hundred_days.rules.model cimport ProgramStep, bit, open_event, push, seat_after
from seatmate.engine.hundred_days.rules.query cimport can_close
from seatmate.engine.hundred_days.rules.targets cimport opponents
from seatmate.engine.hundred_days.rules.tokens cimport take_garage

# The contract of a verb.
ctypedef void (*verb_fn)(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil

cdef verb_fn RUN[V.VERBS]


cdef void run_step(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """Carry out the next step of the frame's program."""
    cdef const ProgramStep* step = &book.card[frame.program].step[frame.step]
    frame.step += 1
    RUN[step.verb](book, days, frame, step, rng, sink)


cdef uint8_t parties(const Book* book, const Frame* frame, int party) noexcept nogil:
    """The seats a step is about, a mask."""
    if party == V.P_ME:
        return bit(frame.seat)
    if party == V.P_OPPS:
        return opponents(book, frame)
    cdef int seat = frame.src if party == V.P_SRC else frame.X
    return bit(seat) if seat < book.seats else 0


cdef void nothing(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    """COPY has declared its program already; MIRROR is a CANCEL before the program it turns around."""


cdef void do_gain(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    cdef uint8_t one_each[V.TYPES]
    cdef Frame* chain
    cdef int t
    if step.how == V.M_ANY:
        gain(days, frame.seat, step.n, (1 << V.TYPES) - 1, V.WHY_CARD)
    elif step.how == V.M_DIFF:
        for t in range(V.TYPES):
            one_each[t] = 1
        choose_some(book, days, frame.seat, one_each, step.n, V.WHY_CARD, sink)
    else:
        chain = push(days, V.C_SAME, frame.seat)
        chain.left = step.n
        chain.extra = V.WHY_CARD


cdef void do_steal(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    cdef uint8_t owners = parties(book, frame, step.party)
    cdef int i, owner
    for i in range(book.seats - 1, 0, -1):      # pushed anticlockwise, so that they run clockwise
        owner = seat_after(book, frame.seat, i)
        if owners >> owner & 1:
            steal(days, frame.seat, owner, step.n, step.how == V.BY_OWNER, V.WHY_THEFT)


cdef void do_halve(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    ask_with(days, V.C_HALVING, frame.seat, frame.X, 0)


cdef void do_trade(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    ask_with(days, V.C_TRADING, frame.seat, V.NONE, step.n)


cdef void do_draw(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    draw(book, days, frame.seat, step.n, rng, sink)


cdef void do_drop(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    cdef uint8_t owners = parties(book, frame, step.party)
    cdef int i, owner
    for i in range(book.seats - 1, 0, -1):
        owner = seat_after(book, frame.seat, i)
        if owners >> owner & 1:
            ask_with(days, V.C_DROPPING, owner, V.NONE, step.n)


cdef void do_take(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    ask_with(days, V.C_LOOKING, frame.seat, frame.X, 1)


cdef void do_fetch(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    if has(&days.general, frame.C):
        drop(&days.general, frame.C)
        show(days, frame.seat, frame.C)
        emit3(sink, V.E_CARD, PUBLIC, frame.C, V.Z_GENERAL, V.Z_HAND + frame.seat)


cdef void do_destroy(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    destroy(book, days, frame.seat, frame.C, sink)


cdef void do_bank(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    cdef int owner = player_of(book, days, frame.C)
    if owner != V.NONE:
        leave_play(days, owner, frame.C, V.Z_PILE + owner, sink)


cdef void do_grab(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    """What is guarded by now stays (R33)."""
    cdef int owner = player_of(book, days, frame.C)
    if owner != V.NONE and owner != frame.seat and not has(&days.guarded, frame.C):
        leave_play(days, owner, frame.C, V.Z_PLAY + frame.seat, sink)


cdef void do_guard(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    if days.supply and player_of(book, days, frame.C) == frame.seat and not has(&days.guarded, frame.C):
        days.supply -= 1
        add(&days.guarded, frame.C)
        emit3(sink, V.E_GUARD, PUBLIC, frame.seat, frame.C, False)


cdef void do_garage(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    take_garage(days, frame.seat, step.n, sink)


cdef void do_mover(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    cdef int mover = frame.seat if step.party == V.P_ME else frame.src if step.party == V.P_SRC else frame.X
    if mover < book.seats and days.rick[mover] != V.NONE:
        ask_with(days, V.C_MOVING_RICK, frame.seat, mover, 1)


cdef void do_movem(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    ask_with(days, V.C_MOVING_MORTY, frame.seat, frame.seat, 1)


cdef void do_swapr(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    cdef uint8_t mine = days.rick[frame.seat]
    days.rick[frame.seat] = days.rick[frame.X]
    days.rick[frame.X] = mine
    emit2(sink, V.E_RICK, PUBLIC, frame.seat, days.rick[frame.seat])
    emit2(sink, V.E_RICK, PUBLIC, frame.X, mine)


cdef void do_swapt(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    cdef uint8_t tile = days.board[frame.P]
    if tile != V.NONE and days.board[frame.Q] != V.NONE:
        days.board[frame.P] = days.board[frame.Q]
        days.board[frame.Q] = tile
        emit2(sink, V.E_SWAP_TILES, PUBLIC, frame.P, frame.Q)


cdef void do_banish(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    cdef uint8_t tile = days.board[frame.P]
    if tile != V.NONE and days.stack:
        days.owner[tile] = V.BANISHED
        emit2(sink, V.E_BANISH, PUBLIC, frame.P, tile)
        draw_tile(book, days, frame.P, rng, sink)


cdef void do_harvest(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    if days.board[frame.P] != V.NONE:
        choose_some(book, days, frame.seat, book.tile[days.board[frame.P]].harvest, step.n, V.WHY_CARD, sink)


cdef void do_close(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    if can_close(book, days, frame.seat, frame.P, step.n):
        open_event(days, V.C_CLOSE, frame.seat, frame.P).extra = step.n


cdef void do_disc(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    days.flow.discount[frame.seat] += step.n


cdef void do_extra(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    if days.flow.current == frame.seat and days.flow.step == V.S_TURN:
        days.flow.actions_left = <uint8_t> min(days.flow.actions_left + step.n, V.MOST_ACTIONS)


cdef void do_cancel(const Book* book, Days* days, Frame* frame, const ProgramStep* step, Rng* rng, Sink* sink) noexcept nogil:
    """The event below this reaction."""
    if frame > &days.frame[0]:
        (frame - 1).flags |= V.CANCELLED


RUN[V.V_NONE] = nothing
RUN[V.V_GAIN] = do_gain
RUN[V.V_STEAL] = do_steal
RUN[V.V_HALVE] = do_halve
RUN[V.V_TRADE] = do_trade
RUN[V.V_DRAW] = do_draw
RUN[V.V_DROP] = do_drop
RUN[V.V_TAKE] = do_take
RUN[V.V_FETCH] = do_fetch
RUN[V.V_DESTROY] = do_destroy
RUN[V.V_BANK] = do_bank
RUN[V.V_GRAB] = do_grab
RUN[V.V_GUARD] = do_guard
RUN[V.V_GARAGE] = do_garage
RUN[V.V_MOVER] = do_mover
RUN[V.V_MOVEM] = do_movem
RUN[V.V_SWAPR] = do_swapr
RUN[V.V_SWAPT] = do_swapt
RUN[V.V_BANISH] = do_banish
RUN[V.V_HARVEST] = do_harvest
RUN[V.V_CLOSE] = do_close
RUN[V.V_DISC] = do_disc
RUN[V.V_EXTRA] = do_extra
RUN[V.V_COPY] = nothing
RUN[V.V_CANCEL] = do_cancel
RUN[V.V_MIRROR] = nothing

for _verb in range(V.VERBS):
    if RUN[<int> _verb] == NULL:
        raise NotImplementedError(f"verb {_verb} of vocabulary.pxd does nothing yet")
