"""What can be chosen: targets of a program, and with them the cards to play, use and react with (RULES.md, 3.5.1, 6.1, 6.2)."""
from seatmate.engine.core.cardset cimport add, both, drop, join, no_cards, pop_card, some, without
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.cards cimport player_of
from seatmate.engine.hundred_days.rules.model cimport ProgramStep, Selector, ability, all_seats, begin, bit, presence, total
from seatmate.engine.hundred_days.rules.query cimport can_close, icons, payable, tile_places


cdef uint8_t opponents(const Book* book, const Frame* frame) noexcept nogil:
    """Whom the program is against: all others, or the one it is turned against (6.4)."""
    if frame.flags & V.MIRRORED:
        return bit(frame.src)
    return all_seats(book) & ~bit(frame.seat)


cdef uint8_t seats_with(const Book* book, const Days* days, const Frame* frame, int base, int filters) noexcept nogil:
    """The seats of a selector, a mask."""
    cdef uint8_t seats = opponents(book, frame)
    cdef uint8_t found = 0
    cdef int seat
    if base == V.B_SRC:
        seats = bit(frame.src) if frame.src < book.seats else 0
    for seat in range(book.seats):
        if not seats >> seat & 1:
            continue
        if filters >> V.F_TOK & 1 and (total(days.tokens[seat]) == 0 or ability(book, days, seat, V.A_SAFE_TOKENS)):
            continue
        if filters >> V.F_HAND & 1 and not some(&days.hand[seat]):
            continue
        if filters >> V.F_NEAR & 1 and not presence(book, days, seat) & presence(book, days, frame.seat):
            continue
        found |= bit(seat)
    return found


cdef CardSet cards_with(const Book* book, const Days* days, const Frame* frame, int base, int filters) noexcept nogil:
    """The cards of a selector."""
    cdef CardSet found = no_cards()
    cdef CardSet cards
    cdef Frame copy
    cdef int seat, card
    cdef uint8_t seats = opponents(book, frame)
    if filters >> V.F_GENERAL & 1:
        found = days.general
    else:
        for seat in range(book.seats):
            if seat == frame.seat:
                if not filters >> V.F_OPP & 1 and not frame.flags & V.MIRRORED:
                    join(&found, &days.play[seat])
                    if frame.kind == V.C_GREEN and frame.card != V.NONE:      # it counts as in play as it chooses (3.5.1)
                        add(&found, frame.card)
            elif seats >> seat & 1 and not filters >> V.F_OWN & 1:
                if filters >> V.F_COPY & 1 or not ability(book, days, seat, V.A_SAFE_CARDS):
                    join(&found, &days.play[seat])
    found = both(&found, &book.green if base == V.B_GREEN else &book.of_kind[V.K_ITEM] if base == V.B_ITEM
                 else &book.of_kind[V.K_CHARACTER] if base == V.B_CHARACTER else &book.of_kind[V.K_ACTION])
    if filters >> V.F_FREE & 1:
        found = without(&found, &days.guarded)
    if filters >> V.F_COPY & 1:
        cards = found
        card = pop_card(&cards)
        while card >= 0:
            begin(&copy, frame.kind, frame.seat, V.NONE)
            copy.program = <uint8_t> card
            copy.src = frame.src
            copy.flags = frame.flags & V.MIRRORED
            if book.card[card].copies or not can_aim(book, days, &copy):
                drop(&found, card)
            card = pop_card(&cards)
    return found


cdef uint8_t places_with(const Book* book, const Days* days, const Frame* frame, const Selector* selector) noexcept nogil:
    """The places of a selector, a mask."""
    cdef uint8_t places = tile_places(days)
    cdef int place
    if selector.base == V.B_CLOSABLE:
        for place in range(1, 7):
            if places >> place & 1 and not can_close(book, days, frame.seat, place, selector.n):
                places &= ~bit(place)
    if selector.filters >> V.F_MINE & 1:
        places &= presence(book, days, frame.seat)
    if selector.filters >> V.F_BANISHABLE & 1 and days.stack == 0:
        return 0
    return places


cdef CardSet choices(const Book* book, const Days* days, const Frame* frame, int register) noexcept nogil:
    """What can be chosen into a register; seats and places are numbers of the set, too."""
    cdef const Selector* selector = &book.card[frame.program].target[register]
    cdef CardSet found = no_cards()
    if register == V.G_X:
        found.word[0] = seats_with(book, days, frame, selector.base, selector.filters)
    elif register == V.G_C:
        found = cards_with(book, days, frame, selector.base, selector.filters)
    else:
        found.word[0] = places_with(book, days, frame, selector)
        if register == V.G_P and book.card[frame.program].target[V.G_Q].base != V.NO_BASE and found.word[0]:
            found.word[0] &= ~(<uint8_t> 1 << highest(<uint8_t> found.word[0]))     # a higher one must be left for Q
        elif register == V.G_Q and frame.P != V.NONE:
            found.word[0] &= ~((2 << frame.P) - 1)
    return found


cdef int highest(uint8_t mask) noexcept nogil:
    cdef int found = 0
    while mask >> 1:
        mask >>= 1
        found += 1
    return found


cdef bint can_aim(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    """Has every register of the program something to choose, and is there what it needs?"""
    cdef const Selector* need = &book.card[frame.program].need
    cdef CardSet found
    cdef int register
    if not book.card[frame.program].has_targets:
        return True
    if need.base != V.NO_BASE and not seats_with(book, days, frame, need.base, need.filters):
        return False
    for register in range(V.REGISTERS):
        if book.card[frame.program].target[register].base != V.NO_BASE:
            found = choices(book, days, frame, register)
            if not some(&found):
                return False
    return True


cdef uint8_t victims(const Book* book, const Days* days, const Frame* frame) noexcept nogil:
    """The seats that the declared program harms (6.2), a mask."""
    cdef const ProgramStep* step
    cdef uint8_t found = 0
    cdef int i, owner
    if frame.flags & V.MIRRORED:
        return bit(frame.src)
    if frame.program == V.NONE or frame.flags & V.VOID:
        return 0
    for i in range(book.card[frame.program].steps):
        step = &book.card[frame.program].step[i]
        if step.verb == V.V_CANCEL or step.verb == V.V_MIRROR or step.party == V.P_SRC:
            found |= bit(frame.src) if frame.src < book.seats else 0
        elif step.verb == V.V_DESTROY or step.verb == V.V_BANK or step.verb == V.V_GRAB:
            owner = player_of(book, days, frame.C)
            if owner != V.NONE and owner != frame.seat:
                found |= bit(owner)
        elif step.party == V.P_X:
            found |= bit(frame.X)
        elif step.party == V.P_OPPS:
            found |= seats_with(book, days, frame, V.NO_BASE, 1 << (V.F_TOK if step.verb == V.V_STEAL else V.F_HAND))
    return found

# ---- Cards (6.1) ----

cdef CardSet with_targets(const Book* book, const Days* days, int kind, int seat, int src, CardSet cards) noexcept nogil:
    """The cards that the seat can pay for and aim now, as events of this kind that answer the seat `src` (NONE: nobody)."""
    cdef CardSet found = cards
    cdef Frame frame
    cdef int card = pop_card(&cards)
    while card >= 0:
        if book.card[card].cost and not payable(days, seat, book.card[card].cost, book.card[card].cost_type):
            drop(&found, card)
        elif book.card[card].has_targets:
            begin(&frame, kind, seat, card)
            frame.src = <uint8_t> src
            if not can_aim(book, days, &frame):
                drop(&found, card)
        card = pop_card(&cards)
    return found


cdef CardSet playable(const Book* book, const Days* days, int seat) noexcept nogil:
    """Hand cards that can be the seat's action."""
    cdef CardSet blue = without(&days.hand[seat], &book.green)
    cdef CardSet green = both(&days.hand[seat], &book.green)
    cdef CardSet found = without(&blue, &book.of_kind[V.K_REACTION])
    cdef uint8_t there = presence(book, days, seat) | icons(book, days, seat)
    cdef int card = pop_card(&green)
    found = with_targets(book, days, V.C_BLUE, seat, V.NONE, found)
    while card >= 0:
        if not book.card[card].places & ~there:
            add(&found, card)
        card = pop_card(&green)
    return found


cdef CardSet usable(const Book* book, const Days* days, int seat) noexcept nogil:
    """Items in play."""
    return with_targets(book, days, V.C_ITEM, seat, V.NONE, both(&days.play[seat], &book.of_kind[V.K_ITEM]))


cdef CardSet triggers(const Book* book, int seat, const Frame* event) noexcept nogil:
    """The reactions by which the seat could answer this event; NULL: at any time."""
    cdef CardSet found = book.of_trigger[V.ON_ANY]
    if event == NULL:
        return found
    join(&found, &book.of_trigger[event.kind])
    if event.victims >> seat & 1:
        join(&found, &book.of_trigger[V.ON_HIT])
        if event.kind == V.C_BLUE:
            join(&found, &book.of_trigger[V.ON_HIT_BLUE])
    return found


cdef CardSet reactions(const Book* book, const Days* days, int seat, const Frame* event) noexcept nogil:
    """The hand cards that the seat may answer with."""
    cdef CardSet found = triggers(book, seat, event)
    return with_targets(book, days, V.C_REACT, seat, event.seat if event != NULL else V.NONE, both(&found, &days.hand[seat]))
