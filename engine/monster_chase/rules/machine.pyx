"""From question to question: the contract of the game, and what the Boss and bots choose (RULES.md, 5.11 and 6.12)."""
from libc.string cimport memcmp, memcpy, memset

from seatmate.engine.core.contract cimport ask_nobody, ask_one
from seatmate.engine.core.sink cimport PUBLIC, emit1
from seatmate.engine.core.types cimport uint8_t, uint16_t, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit, nth_bit
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.model cimport (
    Frame, Kind, all_kinds, bit, count_up, held, occupant, pose_seat, tell_changes, worst_seat,
)
from seatmate.engine.monster_chase.rules.rounds cimport answer_round, round_options, run_round, set_up
from seatmate.engine.monster_chase.rules.tiles cimport end_action
from seatmate.engine.monster_chase.rules.turns cimport answer_turn, run_turn, turn_options

cdef const Kind* KINDS = all_kinds()

cdef enum:
    OPTIONS = 8             # that are simulated


cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Book* book = <const Book*> tables
    cdef Chase* chase = <Chase*> state
    set_up(book, chase, rng, sink)
    go_on(book, chase, rng, sink)
    tell(NULL, chase, sink)


cdef void tell(const Chase* before, const Chase* chase, Sink* sink) noexcept nogil:
    """What has changed, and who is asked."""
    if sink == NULL:
        return
    tell_changes(before, chase, sink)
    if chase.flow.asked:
        ask_one(sink, lowest_bit(<uint64_t> chase.flow.asked), chase.flow.prompt, chase.flow.prompt)
    else:
        ask_nobody(sink)


cdef int options(const Book* book, const Chase* chase, action_t* out) noexcept nogil:
    """The answers to the question that has been posed, ascending; returns their number."""
    if chase.flow.prompt == V.Q_BOSS_TIE:
        return count_up(0, bit_count(<uint64_t> chase.flow.tied), out)
    if chase.depth:
        return KINDS[chase.frame[chase.depth - 1].kind].options(book, chase, &chase.frame[chase.depth - 1], out)
    if chase.flow.step < V.S_DEAL:
        return round_options(book, chase, out)
    return turn_options(book, chase, out)


cdef int meant(const Book* book, const Chase* chase, int action) noexcept nogil:
    """The answer; where the Boss could not decide, the one that the n-th of its tied options stands for."""
    cdef Chase copy
    cdef action_t found[256]
    if chase.flow.prompt != V.Q_BOSS_TIE:
        return action
    memcpy(&copy, chase, sizeof(Chase))
    copy.flow.prompt = copy.flow.tied_prompt
    options(book, &copy, found)
    return found[nth_bit(<uint64_t> chase.flow.tied, action)]


cdef bint forced(const Book* book, const Chase* chase, int n) noexcept nogil:
    """Is it plain to all that there is one answer only? Of cards in a hand only their number is (R77)."""
    cdef const Frame* frame = &chase.frame[chase.depth - 1]
    if chase.flow.prompt == V.Q_CARD:
        return held(chase, frame.v) == 1
    if chase.flow.prompt == V.Q_MAN_CARD:
        return held(chase, frame.v) == (1 if frame.stage else 2)
    if chase.flow.prompt == V.Q_HAND_DISCARD:
        return held(chase, frame.v) <= frame.left
    return n == 1


cdef void take_answer(const Book* book, Chase* chase, int action, Rng* rng, Sink* sink) noexcept nogil:
    """Carry an answer out."""
    if chase.flow.prompt == V.Q_BOSS_TIE:
        action = meant(book, chase, action)
        chase.flow.prompt = chase.flow.tied_prompt
        chase.flow.tied_prompt = V.Q_NOTHING
        chase.flow.tied = 0
    chase.flow.asked = 0
    if chase.depth:
        KINDS[chase.frame[chase.depth - 1].kind].answer(book, chase, &chase.frame[chase.depth - 1], action, rng, sink)
    elif chase.flow.step < V.S_DEAL:
        answer_round(book, chase, action, rng, sink)
    else:
        answer_turn(book, chase, action, rng, sink)
    chase.flow.prompt = V.Q_NOTHING
    chase.flow.asker = V.NONE


cdef void finish(Chase* chase, Sink* sink) noexcept nogil:
    """The game is over, in whatever moment; cards on the table are discarded."""
    cdef int i
    for i in range(chase.depth):
        if chase.frame[i].card != V.NONE and (chase.frame[i].kind == V.C_BOSS or (
                chase.frame[i].kind == V.C_CARD and chase.frame[i].how != V.BY_MANOEUVRE)):
            chase.discard[chase.frame[i].card] += 1
    if (chase.flow.step == V.S_BOSS_STAR or chase.flow.step == V.S_BOSS_MOVE) and chase.flow.chosen < V.TYPES:
        chase.discard[chase.flow.chosen] += 1
    memset(chase.frame, 0, sizeof(chase.frame))
    chase.depth = 0
    chase.flow.eoa = 0
    chase.flow.done = 0
    chase.flow.power = 0
    chase.flow.prompt = V.Q_NOTHING
    chase.flow.asker = V.NONE
    chase.flow.asked = 0
    chase.flow.current = V.NONE
    chase.flow.step = V.S_OVER
    emit1(sink, V.E_END, PUBLIC, chase.flow.result)


cdef void go_on(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil:
    """Until somebody has to answer, or the game is over."""
    cdef action_t found[256]
    cdef Frame* frame
    cdef int n
    while True:
        if chase.flow.result:
            finish(chase, sink)
            return
        if chase.flow.prompt != V.Q_NOTHING:
            n = options(book, chase, found)
            if forced(book, chase, n):
                take_answer(book, chase, found[0], rng, sink)
            elif chase.flow.asked:
                return
            else:
                decide(book, chase, found, n, rng, sink)
        elif chase.depth:
            frame = &chase.frame[chase.depth - 1]
            KINDS[frame.kind].run(book, chase, frame, rng, sink)
        elif chase.flow.eoa:
            end_action(book, chase, rng, sink)
        elif not run_turn(book, chase, rng, sink):
            run_round(book, chase, rng, sink)

# ---- What the Boss and bots choose ----

cdef struct Result:         # of an option
    int lost                # hearts of the Boss, damage of a bot
    int squares
    int dealt               # damage to others


cdef Result simulate(const Book* book, const Chase* chase, int action, Rng* rng, Chase* copy) noexcept nogil:
    """Carry an option out on a copy, to the end of the card or list (R7): no dice, no shields of pilots, first options."""
    cdef action_t found[256]
    cdef Frame* frame
    cdef Result result
    cdef int v = chase.flow.asker
    cdef int asked = chase.flow.prompt
    cdef int hurt
    memcpy(copy, chase, sizeof(Chase))
    copy.flow.scratch = 1
    copy.flow.dealt = 0
    copy.flow.turn_squares = 0
    take_answer(book, copy, action, rng, NULL)
    while copy.depth and not copy.flow.result:
        if copy.flow.prompt != V.Q_NOTHING:
            options(book, copy, found)
            take_answer(book, copy, found[0], rng, NULL)
        else:
            frame = &copy.frame[copy.depth - 1]
            KINDS[frame.kind].run(book, copy, frame, rng, NULL)
    memset(copy.flow.placed, 0, sizeof(copy.flow.placed))       # in which order bombs were put is no outcome
    result.lost = copy.flow.lost_turn - chase.flow.lost_turn
    result.dealt = copy.flow.dealt
    if v != book.boss:
        hurt = book.hearts - chase.car[v].damage if copy.car[v].sq == V.NONE else copy.car[v].damage - chase.car[v].damage
        result.lost = hurt
        result.dealt -= hurt
    result.squares = copy.flow.turn_squares
    if v != book.boss and asked != V.Q_EFFECT:      # slides, Snout, boulders: most damage to others (5.11)
        result.lost = 0
        result.squares = 0
    elif v != book.boss and not book.furbots:
        result.dealt = 0
    return result


cdef bint better(const Result* a, const Result* b) noexcept nogil:
    """Least harm, most squares, most damage to others (R6)."""
    if a.lost != b.lost:
        return a.lost < b.lost
    if a.squares != b.squares:
        return a.squares > b.squares
    return a.dealt > b.dealt


cdef uint16_t best_options(const Book* book, const Chase* chase, const action_t* found, int n, Rng* rng) noexcept nogil:
    """The best options that differ in what comes of them, a mask."""
    cdef Chase copy[OPTIONS]
    cdef Result result[OPTIONS]
    cdef Rng dice = rng[0]
    cdef uint16_t best = 0
    cdef int i, j
    for i in range(n):
        result[i] = simulate(book, chase, found[i], &dice, &copy[i])
        if best and better(&result[lowest_bit(<uint64_t> best)], &result[i]):
            continue
        if best and better(&result[i], &result[lowest_bit(<uint64_t> best)]):
            best = 0
        for j in range(i):
            if best >> j & 1 and memcmp(&copy[i], &copy[j], sizeof(Chase)) == 0:
                break
        else:
            best |= bit(i)
    return best


cdef bint should_fire(const Book* book, const Chase* chase, int v) noexcept nogil:
    """A bot fires at an opponent, a boulder, or a bomb that does not reach it."""
    cdef int sq = chase.car[v].sq
    cdef int _step
    for _step in range(book.missile_cap):
        if not book.square[sq].ways:
            return False
        sq = book.square[sq].ahead[0]
        if occupant(book, chase, sq) >= 0:
            return True
        if chase.object[sq] == V.O_BOULDER:
            return True
        if chase.object[sq] == V.O_BOMB:
            return book.distance[chase.car[v].sq][sq] > 1
        if chase.flow.snout == sq:
            return False
    return False


cdef void decide(const Book* book, Chase* chase, const action_t* found, int n, Rng* rng, Sink* sink) noexcept nogil:
    """Nobody's vehicle: the Boss compares, and leaves ties to the worst ranked human seat; bots have their table."""
    cdef int v = chase.flow.asker
    cdef int asked = chase.flow.prompt
    cdef int lane, i
    cdef uint16_t best
    cdef action_t[2] fire_first
    cdef Frame* frame = &chase.frame[chase.depth - 1]
    n = min(n, OPTIONS)
    if v != book.boss:
        if asked == V.Q_FORK:
            take_answer(book, chase, book.square[chase.car[v].sq].ahead[0], rng, sink)
            return
        if asked == V.Q_RETURN_SQUARE:
            for i in range(n):                  # middle, left, right
                lane = book.square[found[i]].lane
                if lane == 1 or (lane == 0 and (i + 1 == n or book.square[found[i + 1]].lane != 1)) or i + 1 == n:
                    take_answer(book, chase, found[i], rng, sink)
                    return
        if asked == V.Q_EFFECT and frame.card == V.X_BOMB:
            take_answer(book, chase, found[0], rng, sink)
            return
        if asked == V.Q_EFFECT and frame.card == V.X_MISSILE and not book.furbots:
            take_answer(book, chase, should_fire(book, chase, v), rng, sink)
            return
    if v != book.boss and asked == V.Q_EFFECT and frame.card == V.X_MISSILE:
        fire_first[0] = 1                       # a tie: fire
        fire_first[1] = 0
        found = fire_first
    best = best_options(book, chase, found, n, rng)
    if best & (best - 1) == 0 or v != book.boss:
        i = lowest_bit(<uint64_t> best)
        take_answer(book, chase, found[i], rng, sink)
        return
    chase.flow.tied = best
    chase.flow.tied_prompt = <uint8_t> asked
    pose_seat(chase, worst_seat(book, chase, -1), V.Q_BOSS_TIE)
    chase.flow.asker = <uint8_t> v

# ---- The contract ----

cdef uint32_t pending(const void* tables, const void* state) noexcept nogil:
    return (<const Chase*> state).flow.asked


cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil:
    cdef const Chase* chase = <const Chase*> state
    if seat < 0 or seat >= V.SEATS or not chase.flow.asked >> seat & 1:
        return -1
    return chase.flow.prompt


cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil:
    if prompt(tables, state, seat) < 0:
        return 0
    return options(<const Book*> tables, <const Chase*> state, out)


cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef const Book* book = <const Book*> tables
    cdef Chase* chase = <Chase*> state
    cdef Chase before
    if sink != NULL:
        memcpy(&before, chase, sizeof(Chase))
    take_answer(book, chase, action, rng, sink)
    go_on(book, chase, rng, sink)
    tell(&before, chase, sink)


for _kind in range(1, V.FRAME_KINDS):
    if KINDS[<int> _kind].run == NULL:
        raise NotImplementedError(f"frame {_kind} of vocabulary.pxd is not defined")
