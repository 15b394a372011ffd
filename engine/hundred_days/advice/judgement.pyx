"""What a position is worth (RULES.md, 11.2). All of it is public, so that it does not matter who asks."""
from libc.math cimport exp
from libc.string cimport memset

from seatmate.engine.core.cardset cimport CardSet, both, count, pop_card, without
from seatmate.engine.core.game cimport State
from seatmate.engine.core.stages cimport between
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.model cimport presence
from seatmate.engine.hundred_days.rules.query cimport card_value, icons, points_of, returns, shortage, waivers

from seatmate.engine.core.terms import Terms

cdef enum:
    TERMS = 11
    STAGES = 5

TERM_NAMES = ("points", "useful tokens", "hand", "near", "reach", "waivers", "closable", "harvest", "cards", "icons", "turn")
STAGE_NAMES = ("the last phase", "2 closings left", "5 left", "9 left", "14 left")
cdef double[STAGES] LEFT = [0, 2, 5, 9, 14]

# What the terms are worth in log-odds, by closings left: a logistic regression on games (benches/fit.py; ai/search/TUNING.md).
cdef double WEIGHT[STAGES][TERMS]

WEIGHT[0][:] = [0.624, 0.034, 0.242, 0.178, 0.036, 0.055, 0.365, 0.023, -0.127, 0.112, 0.202]
WEIGHT[1][:] = [0.356, 0.178, 0.300, 0.134, -0.011, 0.381, 0.071, 0.188, 0.107, 0.142, 0.063]
WEIGHT[2][:] = [0.300, 0.182, 0.416, 0.094, -0.009, 0.358, 0.042, 0.155, 0.162, 0.199, 0.077]
WEIGHT[3][:] = [0.221, 0.162, 0.364, 0.001, 0.005, 0.346, 0.019, 0.131, 0.174, 0.133, 0.034]
WEIGHT[4][:] = [0.151, 0.074, 0.279, 0.022, 0.006, 0.099, -0.015, 0.060, 0.142, 0.061, -0.009]


cdef int closings_left(const Book* book, const Days* days) noexcept nogil:
    """Until the end."""
    return 0 if days.flow.ending else days.stack + 1


cdef double tile_value(const Book* book, const Days* days, int seat, int place, int waived) noexcept nogil:
    """The points of a tile by how far the seat is from being able to pay for it."""
    cdef int lack
    if days.board[place] == V.NONE:
        return 0
    lack = shortage(days, seat, book.tile[days.board[place]].cost) - waived
    return book.tile[days.board[place]].points / (1.0 + (lack if lack > 0 else 0))


cdef double type_value(const Book* book, const Days* days, int seat, int type) noexcept nogil:
    """What one more resource of a type helps to close."""
    cdef double value = 0
    cdef int place, lack
    cdef const uint8_t* cost
    for place in range(1, V.PLACES):
        if days.board[place] != V.NONE:
            cost = book.tile[days.board[place]].cost
            if cost[type] > days.tokens[seat][type]:
                lack = shortage(days, seat, cost)
                value += book.tile[days.board[place]].points / (1.0 + lack)
    return value


cdef Standing standing(const Book* book, const Days* days, int seat) noexcept nogil:
    cdef Standing found
    cdef CardSet bare = both(&days.play[seat], &book.green)
    cdef double value
    cdef int t, place, card
    cdef uint8_t there = presence(book, days, seat)
    found.points = points_of(book, days, seat)
    found.useful = 0
    for t in range(V.TYPES):
        found.useful += min(days.tokens[seat][t], 5)
    found.hand = count(&days.hand[seat])
    found.waivers = waivers(book, days, seat, 0)
    found.near = 0
    found.best = 0
    for place in range(1, V.PLACES):
        value = tile_value(book, days, seat, place, found.waivers)
        found.near = max(found.near, value)
        if there >> place & 1 and value == book.tile[days.board[place]].points:
            found.best = max(found.best, value)
    bare = without(&bare, &days.guarded)
    found.unguarded = 0
    card = pop_card(&bare)
    while card >= 0:
        found.unguarded += book.card[card].points
        card = pop_card(&bare)
    return found


cdef void seat_terms(const Book* book, const Days* days, int seat, double* out) noexcept nogil:
    """What a seat has, in the units of TERM_NAMES."""
    cdef Standing mine = standing(book, days, seat)
    cdef uint8_t there
    cdef int place, other, others
    cdef double reach = 0
    memset(out, 0, TERMS * sizeof(double))
    for place in range(1, V.PLACES):
        reach += tile_value(book, days, seat, place, mine.waivers)
    out[0] = mine.points
    out[1] = mine.useful
    out[2] = mine.hand
    out[3] = mine.near
    out[4] = reach
    out[5] = mine.waivers
    out[9] = bit_count(icons(book, days, seat))
    if days.flow.step != V.S_TURN:          # pawns are still to be placed, or have done what they could
        return
    out[6] = mine.best
    there = presence(book, days, seat)
    for place in range(1, V.PLACES):
        if there >> place & 1 and days.board[place] != V.NONE:
            others = 0
            for other in range(book.seats):
                if other != seat:
                    others += presence(book, days, other) >> place & 1
            out[7] += max(0, book.tile[days.board[place]].size - others)
    out[8] = card_value(book, days, days.rick[seat])
    out[10] = seat == days.flow.current


cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """Shares of the win."""
    cdef const Book* book = <const Book*> tables
    cdef const Days* days = <const Days*> state
    cdef double[STAGES] stage
    cdef double[TERMS] weight
    cdef double[TERMS] term
    cdef double best = -1000
    cdef double sum = 0
    cdef int i, k
    if days.flow.step == V.S_OVER and days.asked == 0 and days.depth == 0 and days.flow.at:
        returns(tables, state, out)
        return
    between(LEFT, STAGES, closings_left(book, days), stage)
    for k in range(TERMS):
        weight[k] = 0
        for i in range(STAGES):
            weight[k] += stage[i] * WEIGHT[i][k]
    for i in range(book.seats):
        seat_terms(book, days, i, term)
        out[i] = 0
        for k in range(TERMS):
            out[i] += weight[k] * term[k]
        best = max(best, out[i])
    for i in range(book.seats):
        out[i] = exp(out[i] - best)
        sum += out[i]
    for i in range(book.seats):
        out[i] /= sum


cdef bint quiet(const void* tables, const void* state) noexcept nogil:
    """Between turns and before pawns are placed: nothing is under way."""
    cdef const Days* days = <const Days*> state
    return days.prompt == V.Q_PLACE_RICK or (days.prompt == V.Q_TURN and not days.flow.acted)


def terms(State state not None) -> Terms | None:
    """Of all seats."""
    cdef const Book* book = <const Book*> state.game.tables
    cdef const Days* days = <const Days*> state.data
    cdef double[TERMS] out
    cdef double[STAGES] stage
    cdef int i
    if state.is_over or not quiet(book, days):
        return None
    sides = {}
    for i in range(book.seats):
        seat_terms(book, days, i, out)
        sides[i] = [out[k] for k in range(TERMS)]
    between(LEFT, STAGES, closings_left(book, days), stage)
    return Terms(TERM_NAMES, STAGE_NAMES, [stage[i] for i in range(STAGES)], sides)
