"""Movement cards, auras and assaults: drawing, discarding, Chaos (RULES.md, 5.8)."""
from libc.string cimport memmove

from seatmate.engine.core.cardset cimport CardSet, add, any_card, drop, has, no_cards, some
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit2
from seatmate.engine.core.zones cimport sort_short
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.model cimport green, held, mod, pose

# ---- Movement cards ----

cdef int hand_audience(const Book* book, int v) noexcept nogil:
    """Who sees the faces of a hand, a mask (R44)."""
    cdef int mask = 0
    cdef int w
    if book.hands == V.HANDS_OPEN or book.kind[v] != V.K_PILOT:
        return PUBLIC
    if book.hands == V.HANDS_OWN:
        return 1 << book.seat[v]
    for w in range(book.cars):
        if book.stable[w] == book.stable[v] and book.seat[w] != V.NONE:
            mask |= 1 << book.seat[w]
    return mask


cdef int random_of(const uint8_t* counts, int total, Rng* rng) noexcept nogil:
    """A random kind out of a bag that is not empty, given by how many there are of each kind."""
    cdef int n = <int> rng_below(rng, total)
    cdef int kind = 0
    while n >= counts[kind]:
        n -= counts[kind]
        kind += 1
    return kind


cdef bint refill(Chase* chase, int deck) noexcept nogil:
    """The discard pile of a colour becomes its deck. False where there is none."""
    cdef uint8_t* left = &chase.flow.deck_sprint + deck
    cdef int type
    for type in range(V.RUSH * deck, V.RUSH * (deck + 1)):
        chase.deck[type] += chase.discard[type]
        left[0] += chase.discard[type]
        chase.discard[type] = 0
    return left[0] != 0


cdef int take_top(const Book* book, Chase* chase, int deck, Rng* rng) noexcept nogil:
    """The type of a random card of a colour; if that is exhausted, of the other one (R74). -1: there is none at all."""
    cdef uint8_t* left = &chase.flow.deck_sprint
    cdef int type
    if not left[deck] and not refill(chase, deck):
        deck = 1 - deck
        if not left[deck] and not refill(chase, deck):
            return -1
    type = V.RUSH * deck + random_of(&chase.deck[V.RUSH * deck], left[deck], rng)
    left[deck] -= 1
    chase.deck[type] -= 1
    return type


cdef bint full(const Book* book, const Chase* chase, int v) noexcept nogil:
    """Does the hand take no card more (R79)?"""
    return held(chase, v) >= (1 if book.kind[v] == V.K_DRONE else V.HAND)


cdef void draw(const Book* book, Chase* chase, int v, int deck, Rng* rng, Sink* sink) noexcept nogil:
    """A card into the hand; a full hand takes none."""
    cdef int type
    cdef int n = held(chase, v)
    if full(book, chase, v):
        return
    type = take_top(book, chase, deck, rng)
    if type < 0:
        return
    chase.hand[v][n] = <uint8_t> type
    sort_short(chase.hand[v], n + 1)
    (&chase.car[v].sprint)[type >= V.RUSH] += 1
    emit2(sink, V.E_DRAW, PUBLIC, v, type >= V.RUSH)
    emit2(sink, V.E_HAND, hand_audience(book, v), v, type)


cdef bint draw_one(const Book* book, Chase* chase, int v, Rng* rng, Sink* sink) noexcept nogil:
    """Draw by the colour of the position, or ask for the deck (False)."""
    if mod(book, chase, v, V.M_DRAW_CHOICE) and not full(book, chase, v):
        pose(book, chase, v, V.Q_DECK_PICK)
        return False
    draw(book, chase, v, 0 if green(book, chase, v) or mod(book, chase, v, V.M_DRAW_SPRINT) else 1, rng, sink)
    return True


cdef void lose_card(const Book* book, Chase* chase, int v, int type, int event, Sink* sink) noexcept nogil:
    """A card leaves the hand, face up (event: PLAY or DISCARD); a discarded one goes to its pile."""
    cdef uint8_t* hand = chase.hand[v]
    cdef int i = 0
    while hand[i] != type:
        i += 1
    memmove(&hand[i], &hand[i + 1], V.HAND - 1 - i)
    hand[V.HAND - 1] = V.NONE
    (&chase.car[v].sprint)[type >= V.RUSH] -= 1
    if event == V.E_DISCARD:
        chase.discard[type] += 1
    emit2(sink, event, PUBLIC, v, type)


cdef void dump_hand(const Book* book, Chase* chase, int v, Sink* sink) noexcept nogil:
    while held(chase, v):
        lose_card(book, chase, v, chase.hand[v][0], V.E_DISCARD, sink)


cdef int distinct(const Chase* chase, int v, int least, int base, action_t* out) noexcept nogil:
    """Append the distinct types of the hand, from `least` on; base is added. Returns their number."""
    cdef int n = 0
    cdef int i, type
    for i in range(held(chase, v)):
        type = chase.hand[v][i]
        if type >= least and (i == 0 or chase.hand[v][i - 1] != type):
            out[n] = base + type
            n += 1
    return n

# ---- Auras and assaults ----

cdef int draw_kind(const Book* book, Chase* chase, int first, Rng* rng, Sink* sink) noexcept nogil:
    """A card of the auras (first 0) or the assaults (first CARDS), by its number in the kind; -1 where there is none.

    Chaos brings the last discarded card back; then all other cards that are not in play are the deck (5.8, R3, R4).
    """
    cdef CardSet deck = no_cards()
    cdef int chaos = V.CARDS - 1
    cdef int card, last
    for card in range(V.CARDS):
        if first == 0:
            if not has(&chase.flow.positive, card) and chase.flow.negative != card and not has(&chase.flow.discards, card):
                add(&deck, card)
        elif chase.flow.assault != card and not has(&chase.flow.discards, first + card):
            add(&deck, card)
    if not some(&deck):
        reshuffle(chase, first, &deck)
    if not some(&deck):
        return -1
    card = any_card(&deck, rng)
    if card != chaos:
        return card
    emit1(sink, V.E_CHAOS, PUBLIC, first != 0)
    last = chase.flow.last_assault if first else chase.flow.last_aura
    if last != V.NONE:
        reshuffle(chase, first, &deck)
        return last
    drop(&deck, chaos)
    if not some(&deck):
        reshuffle(chase, first, &deck)
        drop(&deck, chaos)
    return any_card(&deck, rng) if some(&deck) else -1


cdef void reshuffle(Chase* chase, int first, CardSet* deck) noexcept nogil:
    """The discard pile becomes part of the deck; which card was the last one is forgotten."""
    cdef int card
    for card in range(V.CARDS):
        if has(&chase.flow.discards, first + card):
            drop(&chase.flow.discards, first + card)
            add(deck, card)
    if first:
        chase.flow.last_assault = V.NONE
    else:
        chase.flow.last_aura = V.NONE


cdef void draw_positive(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil:
    cdef int card = draw_kind(book, chase, 0, rng, sink)
    if card >= 0:
        add(&chase.flow.positive, card)
        emit2(sink, V.E_AURA, PUBLIC, 1, card)


cdef void draw_negative(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil:
    cdef int card = draw_kind(book, chase, 0, rng, sink)
    if card >= 0:
        chase.flow.negative = <uint8_t> card
        emit2(sink, V.E_AURA, PUBLIC, 0, card)


cdef void draw_assault(const Book* book, Chase* chase, Rng* rng, Sink* sink) noexcept nogil:
    cdef int card = draw_kind(book, chase, V.CARDS, rng, sink)
    if card >= 0:
        chase.flow.assault = <uint8_t> card
        emit2(sink, V.E_ASSAULT, PUBLIC, 0, card)


cdef void discard_assault(Chase* chase, Sink* sink) noexcept nogil:
    """The assault in play, if any, is discarded."""
    if chase.flow.assault == V.NONE:
        return
    add(&chase.flow.discards, V.CARDS + chase.flow.assault)
    chase.flow.last_assault = chase.flow.assault
    emit2(sink, V.E_ASSAULT, PUBLIC, 1, chase.flow.assault)
    chase.flow.assault = V.NONE


cdef void discard_aura(Chase* chase, int aura, Sink* sink) noexcept nogil:
    """An aura in play, negative or positive."""
    add(&chase.flow.discards, aura)
    chase.flow.last_aura = <uint8_t> aura
    if chase.flow.negative == aura:
        chase.flow.negative = V.NONE
    else:
        drop(&chase.flow.positive, aura)
    emit2(sink, V.E_AURA, PUBLIC, 2, aura)
