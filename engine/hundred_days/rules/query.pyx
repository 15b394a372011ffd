"""Small questions that rules and advice ask (RULES.md, 4.3)."""
from seatmate.engine.core.cardset cimport CardSet, both, count, join, pop_card, some
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.model cimport ability, bit, presence


cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil:
    """What the seat is asked now; -1."""
    cdef const Days* days = <const Days*> state
    if seat < 0 or seat >= V.SEATS or not (days.asked & ~days.answered) >> seat & 1:
        return -1
    if days.prompt == V.Q_PLACE_RICK and days.secret_rick[seat] != V.NONE:
        return V.Q_PLACE_MORTY
    return days.prompt


cdef uint8_t icons(const Book* book, const Days* days, int seat) noexcept nogil:
    """Places that the seat's icons in play stand for (R24)."""
    cdef CardSet cards = both(&days.play[seat], &book.with_icon)
    cdef uint8_t places = 0
    cdef int card
    if not some(&cards):
        return 0
    card = pop_card(&cards)
    while card >= 0:
        places |= bit(book.card[card].dimension)
        card = pop_card(&cards)
    return places


cdef int waivers(const Book* book, const Days* days, int seat, int extra) noexcept nogil:
    """Resources of a closing that the seat need not pay (R25)."""
    cdef CardSet cards = both(&days.play[seat], &book.with_substitute)
    return count(&cards) + ability(book, days, seat, V.A_WAIVE) + days.flow.discount[seat] + extra


cdef int shortage(const Days* days, int seat, const uint8_t* cost) noexcept nogil:
    """Resources that the seat lacks."""
    cdef int lack = 0
    cdef int t
    for t in range(V.TYPES):
        if cost[t] > days.tokens[seat][t]:
            lack += cost[t] - days.tokens[seat][t]
    return lack


cdef bint can_close(const Book* book, const Days* days, int seat, int place, int extra) noexcept nogil:
    cdef int lack, other
    if days.board[place] == V.NONE or not presence(book, days, seat) >> place & 1:
        return False
    for other in range(book.seats):
        if other != seat and days.flow.barred[other] == place:
            return False
    lack = shortage(days, seat, book.tile[days.board[place]].cost)
    return lack == 0 or lack <= waivers(book, days, seat, extra)


cdef uint8_t tile_places(const Days* days) noexcept nogil:
    """Ring places that have a tile."""
    cdef uint8_t places = 0
    cdef int place
    for place in range(1, V.PLACES):
        if days.board[place] != V.NONE:
            places |= bit(place)
    return places


cdef uint32_t free_spaces(const Book* book, const Days* days) noexcept nogil:
    """Spaces of a Rick that touch no black hole (R37); the first seven are those of a Morty."""
    cdef uint8_t tiles = tile_places(days) | 1
    cdef uint32_t spaces = 0
    cdef int space
    if tiles == (1 << V.PLACES) - 1:
        return (1 << V.SPACES) - 1
    for space in range(V.SPACES):
        if not book.cover[space] & ~tiles:
            spaces |= <uint32_t> 1 << space
    return spaces


cdef uint8_t payable(const Days* days, int seat, int n, int type) noexcept nogil:
    """Types of which the seat can pay n tokens, a mask; `type`: the one that is asked for, or ANY_TYPE."""
    cdef uint8_t types = 0
    cdef int t
    for t in range(V.TYPES):
        if days.tokens[seat][t] >= n and (type == V.ANY_TYPE or type == t):
            types |= bit(t)
    return types


cdef int move_price(const Book* book, const Days* days, int seat) noexcept nogil:
    """Tokens of one type for which the seat may move its Rick."""
    return 1 if ability(book, days, seat, V.A_MOVE_ONE) else book.move_cost


cdef int value_on(const Book* book, const Days* days, int place, bint alone) noexcept nogil:
    if place == 0:
        return book.centre_single if alone else book.centre_between
    if days.board[place] == V.NONE:
        return 0
    return book.tile[days.board[place]].single if alone else book.tile[days.board[place]].between


cdef int card_value(const Book* book, const Days* days, int space) noexcept nogil:
    """Cards that a Rick on this space brings (R42)."""
    cdef int place
    cdef int value = 0
    if space < V.PLACES:
        return value_on(book, days, space, True)
    for place in range(V.PLACES):
        if book.cover[space] >> place & 1:
            value += value_on(book, days, place, False)
    return value


cdef bint stands(const Book* book, const Days* days, int seat, int pawn, int place) noexcept nogil:
    """Is the seat's Rick (0) or Morty (1) on the place?"""
    if pawn:
        return days.morty[seat] == place
    return book.cover[days.rick[seat]] >> place & 1


cdef int rank(const Book* book, const Days* days, int seat, int place) noexcept nogil:
    """How much of the seat is on a place, for the initiative: 5 Rick alone + Morty ... 1 Morty, 0 nothing (R8)."""
    cdef int found = 0
    if days.rick[seat] == place:
        found = 4
    elif book.cover[days.rick[seat]] >> place & 1:
        found = 2
    return found + (days.morty[seat] == place)


cdef void score(const Book* book, const Days* days, int seat, int32_t* tiles, int32_t* cards, int32_t* guarded) noexcept nogil:
    """Points of closed tiles, of green cards in play and in the personal pile, and for garage tokens on cards (section 8)."""
    cdef CardSet mine = both(&days.play[seat], &days.guarded)
    cdef int i
    tiles[0] = 0
    for i in range(V.TILES):
        if days.owner[i] == seat:
            tiles[0] += book.tile[i].points
    guarded[0] = book.garage_points * count(&mine)
    cards[0] = 0
    mine = days.play[seat]
    join(&mine, &days.pile[seat])
    i = pop_card(&mine)
    while i >= 0:
        cards[0] += book.card[i].points
        i = pop_card(&mine)


cdef int points_of(const Book* book, const Days* days, int seat) noexcept nogil:
    """All of its score."""
    cdef int32_t tiles, cards, guarded
    score(book, days, seat, &tiles, &cards, &guarded)
    return tiles + cards + guarded


cdef void returns(const void* tables, const void* state, double* out) noexcept nogil:
    """The highest scores share the win (R57)."""
    cdef const Book* book = <const Book*> tables
    cdef int reached[V.SEATS]
    cdef int best = -1
    cdef int winners = 0
    cdef int seat
    for seat in range(book.seats):
        reached[seat] = points_of(book, <const Days*> state, seat)
        if reached[seat] > best:
            best = reached[seat]
            winners = 0
        winners += reached[seat] == best
    for seat in range(book.seats):
        out[seat] = 1.0 / winners if reached[seat] == best else 0.0
