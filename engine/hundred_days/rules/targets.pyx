"""What can be chosen into the registers of a program, and whom it harms (RULES.md, 3.5.1, 6.2)."""
from seatmate.engine.core.cardset cimport add, both, drop, join, no_cards, pop_card, some, without
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.cards cimport player_of
from seatmate.engine.hundred_days.rules.model cimport ProgramStep, Selector, ability, begin, bit, presence, total
from seatmate.engine.hundred_days.rules.query cimport can_close, tile_places


cdef Frame blank_frame(int kind, int seat, int card) noexcept nogil:
    """To ask what a card could do before it is played."""
    cdef Frame frame
    begin(&frame, kind, seat, card)
    return frame


cdef uint8_t opponents(const Book* book, const Frame* frame) noexcept nogil:
    """Whom the program is against: all others, or the one it is turned against (6.4)."""
    if frame.flags & V.MIRRORED:
        return bit(frame.src)
    return <uint8_t> ((1 << book.seats) - 1) & ~bit(frame.seat)


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
            copy = blank_frame(frame.kind, frame.seat, card)
            copy.card = V.NONE
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
