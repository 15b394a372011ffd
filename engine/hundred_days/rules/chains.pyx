"""Small questions one after the other (RULES.md, 5.4): which tokens, which cards, which spaces.

Types are chosen in ascending order, so that no two orders of answers mean the same.
"""
from libc.string cimport memcpy

from seatmate.engine.core.cardset cimport add, join, no_cards, some, without
from seatmate.engine.core.sink cimport PUBLIC, emit2, emit3
from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.cards cimport give_up, lose, show, tell_cards
from seatmate.engine.hundred_days.rules.model cimport ability, pop, pose, push, total
from seatmate.engine.hundred_days.rules.query cimport free_spaces, payable
from seatmate.engine.hundred_days.rules.tokens cimport hand_over, put_back, take, take_all

cdef Chain CHAINS[V.FRAME_KINDS]


cdef const Chain* chain_of(int kind) noexcept nogil:
    return &CHAINS[kind]


cdef CardSet answers(uint64_t mask) noexcept nogil:
    cdef CardSet found = no_cards()
    found.word[0] = mask
    return found


cdef uint64_t ordered(const uint8_t* tokens, int least, int left) noexcept nogil:
    """Types, from `least` on, after which the rest can be chosen without a lower one."""
    cdef uint64_t types = 0
    cdef int above = 0
    cdef int t
    for t in range(V.TYPES - 1, least - 1, -1):
        above += tokens[t]
        if tokens[t] and above >= left:
            types |= <uint64_t> 1 << t
    return types

# ---- From the Federation ----

cdef void gain(Days* days, int seat, int n, int types, int reason) noexcept nogil:
    """The seat takes n tokens of its choice among the types of a mask."""
    cdef Frame* frame = push(days, V.C_GAINING, seat)
    cdef int t
    frame.left = <uint8_t> n
    frame.extra = <uint8_t> reason
    for t in range(V.TYPES):
        frame.pool[t] = types >> t & 1


cdef void run_gain(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    if frame.left:
        pose(days, frame.seat, V.Q_TYPE_GAIN)
    else:
        pop(days)


cdef CardSet gain_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    cdef uint64_t types = 0
    cdef int t
    for t in range(frame.least, V.TYPES):
        if frame.pool[t]:
            types |= <uint64_t> 1 << t
    return answers(types)


cdef void answer_gain(const Book* book, Days* days, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    frame.left -= 1
    frame.least = <uint8_t> action
    take(book, days, frame.seat, action, frame.extra, sink)


cdef CardSet any_type(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    return answers((1 << V.TYPES) - 1)


cdef void answer_same(const Book* book, Days* days, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    cdef int _token
    for _token in range(frame.left):
        take(book, days, frame.seat, action, frame.extra, sink)
    pop(days)


cdef void run_leaving(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    if frame.left:
        pose(days, frame.seat, V.Q_TYPE_LEAVE)
    else:
        take_all(book, days, frame.seat, frame.pool, frame.extra, sink)
        pop(days)


cdef void run_taking(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    if frame.left:
        pose(days, frame.seat, V.Q_TYPE_TAKE)
    else:
        pop(days)


cdef CardSet pool_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    return answers(ordered(frame.pool, frame.least, frame.left))


cdef void answer_pool(const Book* book, Days* days, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    frame.left -= 1
    frame.least = <uint8_t> action
    frame.pool[action] -= 1
    if frame.kind == V.C_TAKING:
        take(book, days, frame.seat, action, frame.extra, sink)


cdef void choose_some(const Book* book, Days* days, int seat, const uint8_t* tokens, int n, int reason, Sink* sink) noexcept nogil:
    """The seat takes n of the printed tokens (5.4: sub-multiset choice)."""
    cdef int size = total(tokens)
    cdef Frame* frame
    if n <= 0:
        return
    if n >= size:
        take_all(book, days, seat, tokens, reason, sink)
        return
    frame = push(days, V.C_LEAVING if size - n <= n else V.C_TAKING, seat)
    frame.left = <uint8_t> (size - n if size - n <= n else n)
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


cdef void run_steal(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    cdef int owner = loser(frame)
    cdef int held = total(days.tokens[owner])
    if frame.left > held:
        frame.left = <uint8_t> held
    if frame.left == 0 or ability(book, days, owner, V.A_SAFE_TOKENS):
        pop(days)
    else:
        pose(days, frame.seat, V.Q_TYPE_GIVE if frame.kind == V.C_GIVING else V.Q_TYPE_STEAL)


cdef CardSet steal_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    return answers(ordered(days.tokens[loser(frame)], frame.least, frame.left))


cdef void answer_steal(const Book* book, Days* days, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    frame.left -= 1
    frame.least = <uint8_t> action
    if frame.kind == V.C_GIVING:
        hand_over(days, frame.seat, frame.X, action, frame.extra, sink)
    else:
        hand_over(days, frame.X, frame.seat, action, frame.extra, sink)


cdef void run_halving(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    if total(days.tokens[frame.X]) == 0 or ability(book, days, frame.X, V.A_SAFE_TOKENS):
        pop(days)
    else:
        pose(days, frame.seat, V.Q_TYPE_HALVE)


cdef CardSet halving_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    return answers(ordered(days.tokens[frame.X], 0, 1))


cdef void answer_halving(const Book* book, Days* days, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    cdef int held = days.tokens[frame.X][action]
    put_back(days, frame.X, action, held - held // 2, V.WHY_CARD, sink)
    pop(days)


cdef void run_trading(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """`least`: the type that was returned, + 1."""
    if frame.least:
        pose(days, frame.seat, V.Q_TRADE_IN)
    elif frame.left == 0 or total(days.tokens[frame.seat]) == 0:
        pop(days)
    else:
        pose(days, frame.seat, V.Q_TRADE_OUT)


cdef CardSet trading_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    if frame.least:
        return answers(((1 << V.TYPES) - 1) & ~(1 << (frame.least - 1)))
    return answers(payable(days, frame.seat, 1, V.ANY_TYPE) | 1 << V.STOP)


cdef void answer_trading(const Book* book, Days* days, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
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

cdef void run_dropping(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    """`extra`: for a negative draw (R42)."""
    if frame.left and some(&days.hand[frame.seat]):
        pose(days, frame.seat, V.Q_HAND_DROP)
    else:
        pop(days)


cdef CardSet dropping_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    return days.hand[frame.seat]


cdef void answer_dropping(const Book* book, Days* days, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    frame.left -= 1
    give_up(book, days, frame.seat, action, frame.extra and book.keeps_green, sink)


cdef void look(const Book* book, Days* days, int seat, int owner, Sink* sink) noexcept nogil:
    """The seat sees the whole hand; the others see that it looks."""
    cdef CardSet hidden = without(&days.hand[owner], &days.shown)
    join(&days.seen[seat], &hidden)
    emit2(sink, V.E_LOOK, PUBLIC, seat, owner)
    if sink != NULL:
        tell_cards(V.E_LOOK_ID, seat, owner, days.hand[owner], sink)


cdef void run_looking(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    if frame.left == 0 or not some(&days.hand[frame.X]):
        pop(days)
        return
    if frame.least == 0:
        frame.least = 1
        look(book, days, frame.seat, frame.X, sink)
    pose(days, frame.seat, V.Q_HAND_TAKE)


cdef CardSet looking_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    return days.hand[frame.X]


cdef void answer_looking(const Book* book, Days* days, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    frame.left -= 1
    lose(book, days, frame.X, action)
    show(days, frame.seat, action)
    emit3(sink, V.E_CARD, PUBLIC, action, V.Z_HAND + frame.X, V.Z_HAND + frame.seat)

# ---- Spaces ----

cdef void run_moving(const Book* book, Days* days, Frame* frame, Rng* rng, Sink* sink) noexcept nogil:
    if frame.left == 0:
        pop(days)
    else:
        pose(days, frame.seat, V.Q_SPACE if frame.kind == V.C_MOVING_RICK else V.Q_MPLACE)


cdef CardSet moving_options(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    """A pawn may always stay (R63)."""
    cdef CardSet spaces = answers(free_spaces(book, days))
    if frame.kind == V.C_MOVING_RICK:
        add(&spaces, days.rick[frame.X])
    else:
        spaces.word[0] &= (1 << V.PLACES) - 1
        add(&spaces, days.morty[frame.X])
    return spaces


cdef void answer_moving(const Book* book, Days* days, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil:
    frame.left = 0
    if frame.kind == V.C_MOVING_RICK:
        days.rick[frame.X] = <uint8_t> action
    else:
        days.morty[frame.X] = <uint8_t> action
    emit2(sink, V.E_RICK if frame.kind == V.C_MOVING_RICK else V.E_MORTY, PUBLIC, frame.X, action)


cdef void define(int kind, chain_run_fn run, chain_options_fn options, chain_answer_fn answer) noexcept:
    CHAINS[kind].run = run
    CHAINS[kind].options = options
    CHAINS[kind].answer = answer


define(V.C_GAINING, run_gain, gain_options, answer_gain)
define(V.C_SAME, run_gain, any_type, answer_same)
define(V.C_LEAVING, run_leaving, pool_options, answer_pool)
define(V.C_TAKING, run_taking, pool_options, answer_pool)
define(V.C_STEALING, run_steal, steal_options, answer_steal)
define(V.C_GIVING, run_steal, steal_options, answer_steal)
define(V.C_HALVING, run_halving, halving_options, answer_halving)
define(V.C_TRADING, run_trading, trading_options, answer_trading)
define(V.C_DROPPING, run_dropping, dropping_options, answer_dropping)
define(V.C_LOOKING, run_looking, looking_options, answer_looking)
define(V.C_MOVING_RICK, run_moving, moving_options, answer_moving)
define(V.C_MOVING_MORTY, run_moving, moving_options, answer_moving)

for _kind in range(V.C_GAINING, V.FRAME_KINDS):
    if CHAINS[<int> _kind].run == NULL:
        raise NotImplementedError(f"chain {_kind} of vocabulary.pxd is not defined")
