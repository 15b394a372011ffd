"""Cards and tiles move (RULES.md, 6.7, 6.8)."""
from seatmate.engine.core.cardset cimport CardSet, add, any_card, count, drop, has, list_cards, no_cards, pop_card, some
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.sink cimport PUBLIC, emit, emit2, emit3, everyone_but
from seatmate.engine.core.types cimport int32_t, uint8_t
from seatmate.engine.hundred_days.content cimport vocabulary as V


cdef void tell_cards(int event, int listener, int hand, CardSet cards, Sink* sink) noexcept nogil:
    """Which cards of a hand these are, to one seat alone."""
    cdef uint8_t list[128]
    cdef int32_t args[16]
    cdef int n = list_cards(cards, list)
    cdef int start = 0
    cdef int i
    while start < n:                            # an event has room for 15
        args[0] = hand
        for i in range(min(n - start, 15)):
            args[i + 1] = list[start + i]
        emit(sink, event, 1 << listener, min(n - start, 15) + 1, args)
        start += 15


cdef void tell_draw(int seat, CardSet cards, Sink* sink) noexcept nogil:
    emit2(sink, V.E_DRAW, everyone_but(seat), seat, count(&cards))
    tell_cards(V.E_DRAW_ID, seat, seat, cards, sink)


cdef bint reshuffle(Days* days, Sink* sink) noexcept nogil:
    """The general pile becomes the deck; False if both are empty (R45)."""
    cdef uint8_t list[128]
    cdef int i, n
    if not some(&days.general):
        return False
    n = list_cards(days.general, list)
    days.flow.epoch += 1
    for i in range(n):
        days.epoch[list[i]] = days.flow.epoch
    days.deck = days.general
    days.general = no_cards()
    emit2(sink, V.E_RESHUFFLE, PUBLIC, days.flow.epoch, n)
    return True


cdef void draw(const Book* book, Days* days, int seat, int n, Rng* rng, Sink* sink) noexcept nogil:
    """Draw up to n cards, one at a time."""
    cdef CardSet drawn = no_cards()
    cdef int card
    while n > 0:
        if not some(&days.deck):
            if sink != NULL and some(&drawn):
                tell_draw(seat, drawn, sink)
                drawn = no_cards()
            if not reshuffle(days, sink):
                break
        card = any_card(&days.deck, rng)
        drop(&days.deck, card)
        add(&days.hand[seat], card)
        add(&drawn, card)
        n -= 1
    if sink != NULL and some(&drawn):
        tell_draw(seat, drawn, sink)


cdef void lose(const Book* book, Days* days, int seat, int card) noexcept nogil:
    """A card leaves the hand; what was known of it there is forgotten."""
    cdef int other
    drop(&days.hand[seat], card)
    drop(&days.shown, card)
    for other in range(book.seats):
        drop(&days.seen[other], card)


cdef void show(Days* days, int seat, int card) noexcept nogil:
    """A card goes to the hand openly."""
    add(&days.hand[seat], card)
    add(&days.shown, card)


cdef void give_up(const Book* book, Days* days, int seat, int card, bint keeps_green, Sink* sink) noexcept nogil:
    """A hand card goes to the general pile, or a green one to the personal pile where the pack says so (R42)."""
    lose(book, days, seat, card)
    if keeps_green and has(&book.green, card):
        add(&days.pile[seat], card)
        emit3(sink, V.E_CARD, PUBLIC, card, V.Z_HAND + seat, V.Z_PILE + seat)
    else:
        add(&days.general, card)
        emit3(sink, V.E_CARD, PUBLIC, card, V.Z_HAND + seat, V.Z_GENERAL)


cdef void give_up_all(const Book* book, Days* days, int seat, CardSet cards, Sink* sink) noexcept nogil:
    """These of its hand, to the general pile."""
    cdef int card = pop_card(&cards)
    while card >= 0:
        give_up(book, days, seat, card, False, sink)
        card = pop_card(&cards)


cdef int player_of(const Book* book, const Days* days, int card) noexcept nogil:
    """In whose play area the card lies; NONE."""
    cdef int seat
    for seat in range(book.seats):
        if has(&days.play[seat], card):
            return seat
    return V.NONE


cdef void leave_play(Days* days, int owner, int card, int zone, Sink* sink) noexcept nogil:
    """A card in play goes to another zone of the table; a garage token on it goes back to the supply (R32)."""
    drop(&days.play[owner], card)
    if has(&days.guarded, card):
        drop(&days.guarded, card)
        days.supply += 1
    if zone == V.Z_GENERAL:
        add(&days.general, card)
    elif zone >= V.Z_PILE:
        add(&days.pile[zone - V.Z_PILE], card)
    else:
        add(&days.play[zone - V.Z_PLAY], card)
    emit3(sink, V.E_CARD, PUBLIC, card, V.Z_PLAY + owner, zone)


cdef void destroy(const Book* book, Days* days, int seat, int card, Sink* sink) noexcept nogil:
    """By an effect of the seat; a garage token saves the card from opponents (R33, R34)."""
    cdef int owner = player_of(book, days, card)
    if owner != V.NONE:
        leave_play(days, owner, card, V.Z_PILE + owner if has(&days.guarded, card) and owner != seat else V.Z_GENERAL, sink)


cdef void draw_tile(const Book* book, Days* days, int place, Rng* rng, Sink* sink) noexcept nogil:
    """A tile from the stack, which has one, comes to the place: any of those nobody has seen (R3)."""
    cdef int unseen = 0
    cdef int i
    for i in range(V.TILES):
        unseen += days.owner[i] == V.NONE
    unseen = <int> rng_below(rng, unseen)
    for i in range(V.TILES):
        if days.owner[i] == V.NONE:
            if unseen == 0:
                break
            unseen -= 1
    days.stack -= 1
    days.owner[i] = V.NOBODY
    days.board[place] = <uint8_t> i
    emit2(sink, V.E_TILE, PUBLIC, place, i)
