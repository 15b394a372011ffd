"""From question to question: the contract of the game."""
from seatmate.engine.core.cardset cimport CardSet, add, no_cards, pop_card, some, without
from seatmate.engine.core.contract cimport CoreEvent, ask_all, ask_nobody, ask_one
from seatmate.engine.core.sink cimport emit1
from seatmate.engine.core.types cimport uint64_t, uint8_t
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.chains cimport chain_of
from seatmate.engine.hundred_days.rules.events cimport answer_event, event_options, reactions, run_event
from seatmate.engine.hundred_days.rules.model cimport Frame, bit, show_progress, top_frame
from seatmate.engine.hundred_days.rules.query cimport points_of
from seatmate.engine.hundred_days.rules.rounds cimport excess, run_round, set_up
from seatmate.engine.hundred_days.rules.turns cimport answer_turn, has_options, turn_options


cdef inline bint together(int prompt) noexcept nogil:
    """Do several seats answer at once, in secret?"""
    return prompt == V.Q_REACT or prompt == V.Q_PLACE_RICK or prompt == V.Q_OVERFLOW


cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Book* book = <const Book*> tables
    cdef Days* days = <Days*> state
    set_up(book, days, rng, sink)
    days.prompt = V.Q_NOTHING
    go_on(book, days, rng, sink)


cdef CardSet frame_options(const Book* book, const Days* days) noexcept nogil:
    """The legal answers of what is being carried out, a set of small numbers."""
    cdef const Frame* frame = &days.frame[days.depth - 1]
    return chain_of(frame.kind).options(book, days, frame) if frame.kind >= V.C_GAINING else event_options(book, days, frame)


cdef int only_answer(const Book* book, const Days* days) noexcept nogil:
    """The one answer to the question that has been posed to one seat; -1: the seat has to be asked (5.4)."""
    cdef action_t out[512]
    cdef CardSet found
    cdef int seat, first
    if days.prompt == V.Q_TURN:                   # asked unless all see that there is one answer only
        seat = lowest_bit(<uint64_t> days.asked)
        return 0 if not some(&days.hand[seat]) and turn_options(book, days, seat, out) == 1 else -1
    if days.prompt == V.Q_AFTER:
        return -1 if has_options(book, days, lowest_bit(<uint64_t> days.asked)) else 0
    found = frame_options(book, days)
    first = pop_card(&found)
    return -1 if some(&found) else first


cdef void go_on(const Book* book, Days* days, Rng* rng, Sink* sink) noexcept nogil:
    """Until somebody has to answer, or the game is over."""
    cdef Frame* frame
    cdef int answer
    while True:
        if days.prompt == V.Q_NOTHING:
            if days.depth:
                frame = top_frame(days)
                if frame.kind >= V.C_GAINING:
                    chain_of(frame.kind).run(book, days, frame, rng, sink)
                else:
                    run_event(book, days, frame, rng, sink)
                continue
            run_round(book, days, rng, sink)
            if days.flow.step == V.S_OVER and days.flow.at:
                if sink != NULL:
                    show_progress(days, sink)
                    ask_nobody(sink)
                return
            continue
        if together(days.prompt):
            if sink != NULL:
                show_progress(days, sink)
                ask_all(sink, days.asked, days.prompt, days.prompt)
            return
        answer = only_answer(book, days)
        if answer < 0:
            if sink != NULL:
                show_progress(days, sink)
                ask_one(sink, lowest_bit(<uint64_t> days.asked), days.prompt, days.prompt)
            return
        take_answer(book, days, lowest_bit(<uint64_t> days.asked), answer, rng, sink)


cdef void take_answer(const Book* book, Days* days, int seat, int action, Rng* rng, Sink* sink) noexcept nogil:
    """The one asked seat has answered."""
    cdef Frame* frame
    cdef int prompt = days.prompt
    if prompt == V.Q_TURN or prompt == V.Q_AFTER:
        answer_turn(book, days, seat, action, sink)
    else:
        frame = top_frame(days)
        if frame.kind >= V.C_GAINING:
            chain_of(frame.kind).answer(book, days, frame, action, rng, sink)
        else:
            answer_event(book, days, frame, action, rng, sink)
    days.prompt = V.Q_NOTHING
    days.asked = 0


cdef bint commit(const Book* book, Days* days, int seat, int action, Sink* sink) noexcept nogil:
    """One secret answer of a seat, of which nobody else learns. True when all seats have given all of theirs."""
    cdef int prompt = days.prompt
    cdef bint more = False
    if prompt == V.Q_REACT:
        days.answer[seat] = <uint8_t> action
    elif prompt == V.Q_OVERFLOW:
        add(&days.marked, action)
        more = excess(book, days, seat) > 0
    elif days.secret_rick[seat] == V.NONE:
        days.secret_rick[seat] = <uint8_t> action
        more = True
        prompt = V.Q_PLACE_MORTY
    else:
        days.secret_morty[seat] = <uint8_t> action
    if more:
        emit1(sink, CoreEvent.ASK, 1 << seat, prompt)
        return False
    days.answered |= bit(seat)
    if days.asked & ~days.answered:
        return False
    days.prompt = V.Q_NOTHING
    days.asked = 0
    days.answered = 0
    return True

# ---- The contract ----

cdef uint32_t pending(const void* tables, const void* state) noexcept nogil:
    cdef const Days* days = <const Days*> state
    return days.asked & ~days.answered


cdef uint32_t asked(const void* tables, const void* state) noexcept nogil:
    return (<const Days*> state).asked


cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil:
    cdef const Days* days = <const Days*> state
    if seat < 0 or seat > 3 or not (days.asked & ~days.answered) >> seat & 1:
        return -1
    if days.prompt == V.Q_PLACE_RICK and days.secret_rick[seat] != V.NONE:
        return V.Q_PLACE_MORTY
    return days.prompt


cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil:
    cdef const Book* book = <const Book*> tables
    cdef const Days* days = <const Days*> state
    cdef CardSet found = no_cards()
    cdef int question = prompt(tables, state, seat)
    cdef int n = 0
    cdef int i
    if question < 0:
        return 0
    if question == V.Q_TURN or question == V.Q_AFTER:
        return turn_options(book, days, seat, out)
    if question == V.Q_REACT:
        out[0] = 0
        n = 1
        found = reactions(book, days, seat, &days.frame[days.depth - 1])
    elif question == V.Q_PLACE_RICK or question == V.Q_PLACE_MORTY:
        n = V.SPACES if question == V.Q_PLACE_RICK else V.PLACES
        for i in range(n):
            out[i] = i
        return n
    elif question == V.Q_OVERFLOW:
        found = without(&days.hand[seat], &days.marked)
    else:
        found = frame_options(book, days)
    i = pop_card(&found)
    while i >= 0:
        out[n] = i + (question == V.Q_REACT)
        n += 1
        i = pop_card(&found)
    return n


cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Book* book = <const Book*> tables
    cdef Days* days = <Days*> state
    if together(days.prompt):
        if not commit(book, days, seat, action, sink):
            return
    else:
        take_answer(book, days, seat, action, rng, sink)
    go_on(book, days, rng, sink)


cdef void returns(const void* tables, const void* state, double* out) noexcept nogil:
    """The highest scores share the win (R57)."""
    cdef const Book* book = <const Book*> tables
    cdef const Days* days = <const Days*> state
    cdef int reached[4]
    cdef int best = -1
    cdef int winners = 0
    cdef int seat
    for seat in range(book.seats):
        reached[seat] = points_of(book, days, seat)
        if reached[seat] > best:
            best = reached[seat]
            winners = 0
        winners += reached[seat] == best
    for seat in range(book.seats):
        out[seat] = 1.0 / winners if reached[seat] == best else 0.0
