"""What a position is worth (RULES.md, 11.2). All of it is public, so that it does not matter who asks."""
from libc.math cimport exp

from seatmate.engine.core.cardset cimport CardSet, both, count, pop_card, without
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.model cimport presence, total
from seatmate.engine.hundred_days.rules.query cimport points_of, returns, shortage, waivers

cdef double TOKEN = 0.30        # what a token that may be of use is worth, in points
cdef double HOARDED = 0.25      # ... costs beyond nine
cdef double CARD = 0.35
cdef double NEAR = 0.25
cdef double WAIVER = 0.8
cdef double BARE = 0.12         # risk of a point on a card without a garage token
cdef double FREE = 0.4          # a garage token that has a card to go on
cdef double LAST_CLOSING = 0.5
cdef double TAU = 1.5
cdef double TAU_LEFT = 0.45


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
    found.tokens = total(days.tokens[seat])
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
    found.bare = count(&bare)
    found.unguarded = 0
    card = pop_card(&bare)
    while card >= 0:
        found.unguarded += book.card[card].points
        card = pop_card(&bare)
    return found


cdef double worth(const Book* book, const Days* days, int seat) noexcept nogil:
    """In points."""
    cdef Standing mine = standing(book, days, seat)
    cdef int left = closings_left(book, days)
    cdef double value = mine.points - BARE * mine.unguarded + FREE * min(days.garage[seat], mine.bare)
    if days.flow.ending:
        return value + LAST_CLOSING * mine.best
    value += TOKEN * mine.useful * min(1.0, left / 3.0) - HOARDED * max(0, mine.tokens - 9)
    value += CARD * mine.hand * min(1.0, left / 4.0) + NEAR * mine.near
    return value + WAIVER * mine.waivers * min(2.0, <double> left / book.seats)


cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """Shares of the win."""
    cdef const Book* book = <const Book*> tables
    cdef const Days* days = <const Days*> state
    cdef double tau = TAU + TAU_LEFT * min(closings_left(book, days), 10)
    cdef double best = -1000
    cdef double sum = 0
    cdef int i
    if days.flow.step == V.S_OVER and days.asked == 0 and days.depth == 0 and days.flow.at:
        returns(tables, state, out)
        return
    for i in range(book.seats):
        out[i] = worth(book, days, i)
        best = max(best, out[i])
    for i in range(book.seats):
        out[i] = exp((out[i] - best) / tau)
        sum += out[i]
    for i in range(book.seats):
        out[i] /= sum


cdef bint quiet(const void* tables, const void* state) noexcept nogil:
    """Between turns and before pawns are placed: nothing is under way."""
    cdef const Days* days = <const Days*> state
    return days.prompt == V.Q_PLACE_RICK or (days.prompt == V.Q_TURN and not days.flow.acted)
