"""From question to question: the contract of the game."""
from seatmate.engine.core.cardset cimport CardSet, add, without
from seatmate.engine.core.contract cimport CoreEvent, ask_all, ask_nobody
from seatmate.engine.core.sink cimport emit1
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.chains cimport answer_chain, chain_options, run_chain
from seatmate.engine.hundred_days.rules.events cimport answer_event, event_options, run_event
from seatmate.engine.hundred_days.rules.model cimport bit, pose, show_progress, top_frame
from seatmate.engine.hundred_days.rules.query cimport prompt
from seatmate.engine.hundred_days.rules.rounds cimport excess, run_round, set_up
from seatmate.engine.hundred_days.rules.targets cimport reactions
from seatmate.engine.hundred_days.rules.turns cimport answer_turn, append, run_turn, turn_options


cdef inline bint together(int question) noexcept nogil:
    """Do several seats answer at once, in secret?"""
    return question == V.Q_REACT or question == V.Q_PLACE_RICK or question == V.Q_OVERFLOW


cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Book* book = <const Book*> tables
    cdef Days* days = <Days*> state
    set_up(book, days, rng, sink)
    days.prompt = V.Q_NOTHING
    go_on(book, days, rng, sink)


cdef void go_on(const Book* book, Days* days, Rng* rng, Sink* sink) noexcept nogil:
    """Until somebody has to answer, or the game is over."""
    while days.prompt == V.Q_NOTHING and not (days.flow.step == V.S_OVER and days.flow.at):
        if days.depth and top_frame(days).kind >= V.C_GAINING:
            run_chain(book, days, top_frame(days), sink)
        elif days.depth:
            run_event(book, days, top_frame(days), rng, sink)
        elif days.flow.step == V.S_TURN:
            run_turn(book, days, sink)
        else:
            run_round(book, days, rng, sink)
    if sink != NULL:
        show_progress(days, sink)
        if days.asked:
            ask_all(sink, days.asked, days.prompt, days.prompt)
        else:
            ask_nobody(sink)


cdef bint commit(const Book* book, Days* days, int seat, int action, Sink* sink) noexcept nogil:
    """One secret answer of a seat, of which nobody else learns. True when all seats have given all of theirs."""
    cdef int question = days.prompt
    cdef bint more = False
    if question == V.Q_REACT:
        days.answer[seat] = <uint8_t> action
    elif question == V.Q_OVERFLOW:
        add(&days.marked, action)
        more = excess(book, days, seat) > 0
    elif days.secret_rick[seat] == V.NONE:
        days.secret_rick[seat] = <uint8_t> action
        more = True
        question = V.Q_PLACE_MORTY
    else:
        days.secret_morty[seat] = <uint8_t> action
    if more:
        emit1(sink, CoreEvent.ASK, 1 << seat, question)
        return False
    days.answered |= bit(seat)
    if days.asked & ~days.answered:
        return False
    pose(days, 0, V.Q_NOTHING)
    days.answered = 0
    return True

# ---- The contract ----

cdef uint32_t pending(const void* tables, const void* state) noexcept nogil:
    cdef const Days* days = <const Days*> state
    return days.asked & ~days.answered


cdef uint32_t asked(const void* tables, const void* state) noexcept nogil:
    return (<const Days*> state).asked


cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil:
    cdef const Book* book = <const Book*> tables
    cdef const Days* days = <const Days*> state
    cdef int question = prompt(tables, state, seat)
    cdef CardSet found
    cdef int i
    if question < 0:
        return 0
    if question == V.Q_TURN or question == V.Q_AFTER:
        return turn_options(book, days, seat, out)
    if question == V.Q_REACT:
        out[0] = 0
        return append(reactions(book, days, seat, &days.frame[days.depth - 1]), 1, out, 1)
    if question == V.Q_PLACE_RICK or question == V.Q_PLACE_MORTY:
        for i in range(V.SPACES if question == V.Q_PLACE_RICK else V.PLACES):
            out[i] = i
        return V.SPACES if question == V.Q_PLACE_RICK else V.PLACES
    if question == V.Q_OVERFLOW:
        found = without(&days.hand[seat], &days.marked)
    elif days.frame[days.depth - 1].kind >= V.C_GAINING:
        found = chain_options(book, days, &days.frame[days.depth - 1])
    else:
        found = event_options(book, days, &days.frame[days.depth - 1])
    return append(found, 0, out, 0)


cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Book* book = <const Book*> tables
    cdef Days* days = <Days*> state
    if together(days.prompt):
        if not commit(book, days, seat, action, sink):
            return
    else:
        if days.prompt == V.Q_TURN or days.prompt == V.Q_AFTER:
            answer_turn(book, days, seat, action, sink)
        elif top_frame(days).kind >= V.C_GAINING:
            answer_chain(book, days, top_frame(days), action, sink)
        else:
            answer_event(book, days, top_frame(days), action, sink)
        pose(days, 0, V.Q_NOTHING)
    go_on(book, days, rng, sink)
