"""Small questions one after the other (RULES.md, 5.4): which tokens, which cards, which spaces.

A chain is a row: what it asks, what can be answered now (nothing: it is done), and what an answer does. Types are chosen in
ascending order, so that no two orders of answers mean the same.
"""
from libc.string cimport memcpy

from seatmate.engine.core.cardset cimport add, join, no_cards, pop_card, some, without
from seatmate.engine.core.sink cimport PUBLIC, emit2, emit3
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.cards cimport give_up, lose, show, tell_cards
from seatmate.engine.hundred_days.rules.model cimport ability, bit, pop, pose, push, total
from seatmate.engine.hundred_days.rules.query cimport free_spaces, payable
from seatmate.engine.hundred_days.rules.tokens cimport hand_over, put_back, take, take_all

# The contract of a chain. `prepare`, if there is one, comes before each question.
ctypedef void (*chain_prepare_fn)(const Book* book, Days* days, Frame* frame, Sink* sink) noexcept nogil
ctypedef CardSet (*chain_options_fn)(const Book* book, const Days* days, const Frame* frame) noexcept nogil
ctypedef void (*chain_answer_fn)(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil

cdef struct Chain:
    int question
    chain_options_fn options
    chain_answer_fn answer
    chain_prepare_fn prepare

cdef Chain CHAINS[V.FRAME_KINDS]
QUESTIONS: dict[int, int] = {}
"""What each kind of chain asks, for Python."""


cdef void run_chain(const Book* book, Days* days, Frame* frame, Sink* sink) noexcept nogil:
    """Ask the next question, carry out the one answer there is (5.4), or be done."""
    cdef const Chain* chain = &CHAINS[frame.kind]
    cdef CardSet found
    cdef int first
    if chain.prepare != NULL:
        chain.prepare(book, days, frame, sink)
    found = chain.options(book, days, frame)
    first = pop_card(&found)
    if first < 0:
        pop(days)
    elif some(&found):
        pose(days, bit(frame.seat), V.Q_TRADE_IN if frame.kind == V.C_TRADING and frame.least else chain.question)
    else:
        chain.answer(book, days, frame, first, sink)


cdef CardSet chain_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    return CHAINS[frame.kind].options(book, days, frame)


cdef void answer_chain(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil:
    CHAINS[frame.kind].answer(book, days, frame, action, sink)


cdef void ask_with(Days* days, int kind, int seat, int other, int n) noexcept nogil:
    """A chain of n questions to a seat, about another one or its own."""
    cdef Frame* frame = push(days, kind, seat)
    frame.X = <uint8_t> other
    frame.left = <uint8_t> n


cdef CardSet answers(uint64_t mask) noexcept nogil:
    cdef CardSet found = no_cards()
    found.word[0] = mask
    return found


cdef CardSet ordered(const uint8_t* tokens, int least, int left) noexcept nogil:
    """Types, from `least` on, after which the rest can be chosen without a lower one."""
    cdef uint64_t types = 0
    cdef int above = 0
    cdef int t
    for t in range(V.TYPES - 1, least - 1, -1):
        above += tokens[t]
        if left and tokens[t] and above >= left:
            types |= <uint64_t> 1 << t
    return answers(types)

# ---- From the Federation ----

cdef void gain(Days* days, int seat, int n, int types, int reason) noexcept nogil:
    """The seat takes n tokens of its choice among the types of a mask."""
    cdef Frame* frame = push(days, V.C_GAINING, seat)
    cdef int t
    frame.left = <uint8_t> n
    frame.extra = <uint8_t> reason
    for t in range(V.TYPES):
        frame.pool[t] = types >> t & 1


cdef CardSet gain_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    return ordered(frame.pool, frame.least, frame.left > 0)


cdef void answer_gain(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil:
    frame.left -= 1
    frame.least = <uint8_t> action
    take(book, days, frame.seat, action, frame.extra, sink)


cdef CardSet any_type(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    return answers((1 << V.TYPES) - 1)


cdef void answer_same(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil:
    cdef int _token
    for _token in range(frame.left):
        take(book, days, frame.seat, action, frame.extra, sink)
    pop(days)


cdef CardSet pool_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    return ordered(frame.pool, frame.least, frame.left)


cdef void answer_taking(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil:
    frame.pool[action] -= 1
    answer_gain(book, days, frame, action, sink)


cdef void answer_leaving(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil:
    frame.left -= 1
    frame.least = <uint8_t> action
    frame.pool[action] -= 1
    if frame.left == 0:
        take_all(book, days, frame.seat, frame.pool, frame.extra, sink)


cdef void choose_some(const Book* book, Days* days, int seat, const uint8_t* tokens, int n, int reason, Sink* sink) noexcept nogil:
    """The seat takes n of the printed tokens (5.4: sub-multiset choice)."""
    cdef int size = total(tokens)
    cdef bint leaves = size - n <= n
    cdef Frame* frame
    if n >= size:
        take_all(book, days, seat, tokens, reason, sink)
    elif n > 0:
        frame = push(days, V.C_LEAVING if leaves else V.C_TAKING, seat)
        frame.left = <uint8_t> (size - n if leaves else n)
        frame.extra = <uint8_t> reason
        memcpy(frame.pool, tokens, V.TYPES)

# ---- From seat to seat ----

cdef void steal(Days* days, int thief, int owner, int n, bint by_owner, int reason) noexcept nogil:
    """Up to n tokens change hands; `by_owner`: the owner chooses the types."""
    cdef Frame* frame = push(days, V.C_GIVING if by_owner else V.C_STEALING, owner if by_owner else thief)
    frame.X = <uint8_t> (thief if by_owner else owner)
    frame.left = <uint8_t> n
    frame.extra = <uint8_t> reason


cdef int loser(const Frame* frame) noexcept nogil:
    return frame.seat if frame.kind == V.C_GIVING else frame.X


cdef void prepare_steal(const Book* book, Days* days, Frame* frame, Sink* sink) noexcept nogil:
    """No more than there is."""
    frame.left = <uint8_t> min(frame.left, total(days.tokens[loser(frame)]))


cdef CardSet steal_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    if ability(book, days, loser(frame), V.A_SAFE_TOKENS):
        return no_cards()
    return ordered(days.tokens[loser(frame)], frame.least, frame.left)


cdef void answer_steal(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil:
    frame.left -= 1
    frame.least = <uint8_t> action
    hand_over(days, loser(frame), frame.X if frame.kind == V.C_GIVING else frame.seat, action, frame.extra, sink)


cdef CardSet halving_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    if ability(book, days, frame.X, V.A_SAFE_TOKENS):
        return no_cards()
    return ordered(days.tokens[frame.X], 0, 1)


cdef void answer_halving(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil:
    cdef int held = days.tokens[frame.X][action]
    put_back(days, frame.X, action, held - held // 2, V.WHY_CARD, sink)
    pop(days)


cdef CardSet trading_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    """`least`: the type that was given back, + 1."""
    if frame.least:
        return answers(((1 << V.TYPES) - 1) & ~(1 << (frame.least - 1)))
    if frame.left == 0 or total(days.tokens[frame.seat]) == 0:
        return no_cards()
    return answers(payable(days, frame.seat, 1, V.ANY_TYPE) | 1 << V.STOP)


cdef void answer_trading(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil:
    if frame.least:
        frame.least = 0
        frame.left -= 1
        take(book, days, frame.seat, action, V.WHY_CARD, sink)
    elif action == V.STOP:
        frame.left = 0
    else:
        frame.least = <uint8_t> (action + 1)
        put_back(days, frame.seat, action, 1, V.WHY_CARD, sink)

# ---- Cards of a hand ----

cdef CardSet dropping_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    return days.hand[frame.seat] if frame.left else no_cards()


cdef void answer_dropping(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil:
    """`extra`: for a negative draw (R42)."""
    frame.left -= 1
    give_up(book, days, frame.seat, action, frame.extra and book.keeps_green, sink)


cdef void prepare_looking(const Book* book, Days* days, Frame* frame, Sink* sink) noexcept nogil:
    """The seat sees the whole hand, once; the others see that it looks."""
    cdef CardSet hidden = without(&days.hand[frame.X], &days.shown)
    if frame.least or not some(&days.hand[frame.X]):
        return
    frame.least = 1
    join(&days.seen[frame.seat], &hidden)
    emit2(sink, V.E_LOOK, PUBLIC, frame.seat, frame.X)
    if sink != NULL:
        tell_cards(V.E_LOOK_ID, frame.seat, frame.X, days.hand[frame.X], sink)


cdef CardSet looking_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    return days.hand[frame.X] if frame.left else no_cards()


cdef void answer_looking(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil:
    frame.left -= 1
    lose(book, days, frame.X, action)
    show(days, frame.seat, action)
    emit3(sink, V.E_CARD, PUBLIC, action, V.Z_HAND + frame.X, V.Z_HAND + frame.seat)

# ---- Spaces ----

cdef CardSet moving_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    """A pawn may always stay (R63)."""
    cdef CardSet spaces
    if frame.left == 0:
        return no_cards()
    spaces = answers(free_spaces(book, days))
    if frame.kind == V.C_MOVING_RICK:
        add(&spaces, days.rick[frame.X])
    else:
        spaces.word[0] &= (1 << V.PLACES) - 1
        add(&spaces, days.morty[frame.X])
    return spaces


cdef void answer_moving(const Book* book, Days* days, Frame* frame, int action, Sink* sink) noexcept nogil:
    frame.left = 0
    if frame.kind == V.C_MOVING_RICK:
        days.rick[frame.X] = <uint8_t> action
    else:
        days.morty[frame.X] = <uint8_t> action
    emit2(sink, V.E_RICK if frame.kind == V.C_MOVING_RICK else V.E_MORTY, PUBLIC, frame.X, action)

# ---- The rows ----

cdef void define(int kind, int question, chain_options_fn options, chain_answer_fn answer, chain_prepare_fn prepare):
    CHAINS[kind].question = QUESTIONS[kind] = question
    CHAINS[kind].options = options
    CHAINS[kind].answer = answer
    CHAINS[kind].prepare = prepare


define(V.C_GAINING, V.Q_TYPE_GAIN, gain_options, answer_gain, NULL)
define(V.C_SAME, V.Q_TYPE_GAIN, any_type, answer_same, NULL)
define(V.C_LEAVING, V.Q_TYPE_LEAVE, pool_options, answer_leaving, NULL)
define(V.C_TAKING, V.Q_TYPE_TAKE, pool_options, answer_taking, NULL)
define(V.C_STEALING, V.Q_TYPE_STEAL, steal_options, answer_steal, prepare_steal)
define(V.C_GIVING, V.Q_TYPE_GIVE, steal_options, answer_steal, prepare_steal)
define(V.C_HALVING, V.Q_TYPE_HALVE, halving_options, answer_halving, NULL)
define(V.C_TRADING, V.Q_TRADE_OUT, trading_options, answer_trading, NULL)
define(V.C_DROPPING, V.Q_HAND_DROP, dropping_options, answer_dropping, NULL)
define(V.C_LOOKING, V.Q_HAND_TAKE, looking_options, answer_looking, prepare_looking)
define(V.C_MOVING_RICK, V.Q_SPACE, moving_options, answer_moving, NULL)
define(V.C_MOVING_MORTY, V.Q_MPLACE, moving_options, answer_moving, NULL)

for _kind in range(V.C_GAINING, V.FRAME_KINDS):
    if _kind not in QUESTIONS:
        raise NotImplementedError(f"chain {_kind} of vocabulary.pxd is not defined")
