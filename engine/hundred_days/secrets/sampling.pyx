"""Worlds a seat can't tell apart (RULES.md, 7.4)."""
from seatmate.engine.core.cardset cimport CardSet, add, both, count, join, list_cards, no_cards, pop_card, without
from seatmate.engine.core.rng cimport shuffle_u8
from seatmate.engine.core.sink cimport mix
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.model cimport Book, Days, bit


cdef void forget_commitments(const Book* book, Days* days, int seat) noexcept nogil:
    """The seat does not see who has answered: the others are asked again."""
    cdef int other
    for other in range(book.seats):
        if other != seat:
            days.secret_rick[other] = V.NONE
            days.secret_morty[other] = V.NONE
            days.answer[other] = V.NONE
    days.marked = both(&days.marked, &days.hand[seat])
    days.answered &= bit(seat)


cdef void forget_looks(const Book* book, Days* days, int seat) noexcept nogil:
    """What the others have seen of hands that are not the seat's own: it does not know which cards."""
    cdef int other, i
    for other in range(book.seats):
        if other != seat:
            days.seen[other] = both(&days.seen[other], &days.hand[seat])
    for i in range(days.depth):
        if days.frame[i].kind == V.C_LOOKING and days.frame[i].least and days.frame[i].seat != seat:
            join(&days.seen[days.frame[i].seat], &days.hand[days.frame[i].X])
            days.seen[days.frame[i].seat] = without(&days.seen[days.frame[i].seat], &days.shown)


cdef CardSet of_epoch(const Days* days, CardSet cards, int epoch) noexcept nogil:
    """The cards that were last put into the deck after so many reshuffles."""
    cdef CardSet found = no_cards()
    cdef int card = pop_card(&cards)
    while card >= 0:
        if days.epoch[card] == epoch:
            add(&found, card)
        card = pop_card(&cards)
    return found


cdef void resample(const void* tables, void* state, int seat, Rng* rng) noexcept nogil:
    """Deal the cards anew that the seat does not know, epoch by epoch: a hand keeps as many of each (7.3)."""
    cdef const Book* book = <const Book*> tables
    cdef Days* days = <Days*> state
    cdef uint8_t dealt[V.CARDS]
    cdef CardSet unknown[V.SEATS]
    cdef CardSet known = days.seen[seat]
    cdef CardSet hidden = days.deck
    cdef CardSet group
    cdef int other, epoch, n, i, _card
    forget_commitments(book, days, seat)
    join(&known, &days.shown)
    for other in range(book.seats):
        unknown[other] = no_cards()
        if other != seat:
            unknown[other] = without(&days.hand[other], &known)
            join(&hidden, &unknown[other])
            days.hand[other] = both(&days.hand[other], &known)
    days.deck = no_cards()
    for epoch in range(days.flow.epoch + 1):
        n = list_cards(of_epoch(days, hidden, epoch), dealt)
        shuffle_u8(dealt, n, rng)
        i = 0
        for other in range(book.seats):
            group = of_epoch(days, unknown[other], epoch)
            for _card in range(count(&group)):
                add(&days.hand[other], dealt[i])
                i += 1
        while i < n:
            add(&days.deck, dealt[i])
            i += 1
    forget_looks(book, days, seat)


cdef inline uint64_t mix_cards(uint64_t key, CardSet cards) noexcept nogil:
    return mix(mix(key, cards.word[0]), cards.word[1])


cdef uint64_t private_key(const void* tables, const void* state, int seat) noexcept nogil:
    """Its hand, who knows of it, what it knows of others' hands, and its commitments."""
    cdef const Book* book = <const Book*> tables
    cdef const Days* days = <const Days*> state
    cdef uint64_t key = mix_cards(0x64A35, days.hand[seat])
    cdef int other
    for other in range(book.seats):
        if other != seat:
            key = mix_cards(key, both(&days.seen[seat], &days.hand[other]))
            key = mix_cards(key, both(&days.seen[other], &days.hand[seat]))
    key = mix_cards(key, both(&days.marked, &days.hand[seat]))
    return mix(key, <uint64_t> days.answer[seat] << 16 | days.secret_rick[seat] << 8 | days.secret_morty[seat])
