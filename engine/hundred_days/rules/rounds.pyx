"""Setup and the phases of a round, in their order (RULES.md, 5.1, 5.2)."""
from libc.string cimport memset

from seatmate.engine.core.cardset cimport CardSet, both, count, no_cards, pop_card, without
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.sink cimport PUBLIC, emit, emit1, emit2
from seatmate.engine.core.types cimport int32_t, uint64_t, uint8_t
from seatmate.engine.core.zones cimport lowest_bit
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.cards cimport draw, draw_tile, give_up_all, leave_play
from seatmate.engine.hundred_days.rules.chains cimport ask_with, choose_some, gain
from seatmate.engine.hundred_days.rules.model cimport Tile, ability, all_seats, bit, open_event, pose, presence, seat_after
from seatmate.engine.hundred_days.rules.query cimport card_value, rank, score, stands
from seatmate.engine.hundred_days.rules.tokens cimport take_garage

# ---- Setup ----

cdef void clear(const Book* book, Days* days) noexcept nogil:
    """The table before anything is drawn."""
    memset(days, 0, sizeof(Days))
    memset(days.flow.barred, V.NONE, V.SEATS)
    memset(days.rick, V.NONE, V.SEATS)
    memset(days.morty, V.NONE, V.SEATS)
    memset(days.secret_rick, V.NONE, V.SEATS)
    memset(days.secret_morty, V.NONE, V.SEATS)
    memset(days.answer, V.NONE, V.SEATS)
    memset(days.board, V.NONE, V.PLACES)
    memset(days.owner, V.NONE, V.TILES)
    memset(days.federation, book.resources, V.TYPES)
    days.flow.initiative = V.NONE
    days.stack = book.tiles
    days.supply = book.supply
    days.deck = book.all


cdef void set_up(const Book* book, Days* days, Rng* rng, Sink* sink) noexcept nogil:
    cdef int place, seat
    clear(book, days)
    for place in range(1, V.PLACES):
        draw_tile(book, days, place, rng, sink)
    for seat in range(book.seats):
        draw(book, days, seat, book.start_hand, rng, sink)


cdef inline int place_at(const Days* days, int i) noexcept nogil:
    """The i-th place from the die on."""
    return (days.flow.die - 1 + i) % 6 + 1

# ---- S1 to S4: die, mission, initiative ----

cdef void next_step(Days* days, int step) noexcept nogil:
    days.flow.step = <uint8_t> step
    days.flow.at = 0


cdef void roll_die(const Book* book, Days* days, Rng* rng, Sink* sink) noexcept nogil:
    days.flow.round += 1
    days.flow.die = <uint8_t> (1 + rng_below(rng, 6))
    days.flow.initiative = V.NONE
    next_step(days, V.S_MISSION)
    emit2(sink, V.E_PHASE, PUBLIC, V.S_MISSION, days.flow.round)
    emit1(sink, V.E_DIE, PUBLIC, days.flow.die)


cdef void run_mission(const Book* book, Days* days, Sink* sink) noexcept nogil:
    """All seats place in secret, then all pawns are revealed."""
    cdef int32_t args[2 * V.SEATS]
    cdef int seat
    if days.flow.at == 0:
        days.flow.at = 1
        pose(days, all_seats(book), V.Q_PLACE_RICK)
        return
    for seat in range(book.seats):
        days.rick[seat] = days.secret_rick[seat]
        days.morty[seat] = days.secret_morty[seat]
        args[seat] = days.rick[seat]
        args[book.seats + seat] = days.morty[seat]
    memset(days.secret_rick, V.NONE, V.SEATS)
    memset(days.secret_morty, V.NONE, V.SEATS)
    next_step(days, V.S_REVEAL)
    emit(sink, V.E_PLACES, PUBLIC, 2 * book.seats, args)


cdef int highest_roll(const Book* book, int tied, Rng* rng, Sink* sink) noexcept nogil:
    """The tied seats roll until one is highest (R9)."""
    cdef int best, face, left, seat
    while tied & (tied - 1):
        best = 0
        left = 0
        for seat in range(book.seats):
            if tied >> seat & 1:
                face = 1 + <int> rng_below(rng, 6)
                emit2(sink, V.E_ROLL, PUBLIC, seat, face)
                if face > best:
                    best = face
                    left = 0
                if face == best:
                    left |= 1 << seat
        tied = left
    return lowest_bit(<uint64_t> tied)


cdef void run_initiative(const Book* book, Days* days, Rng* rng, Sink* sink) noexcept nogil:
    """From the die's place on, the first with a pawn decides (R8, R10, R11)."""
    cdef int tied = 0
    cdef int winners = 0
    cdef int best = 0
    cdef int i, seat, mine
    for i in range(6):
        for seat in range(book.seats):
            mine = rank(book, days, seat, place_at(days, i))
            if mine > best:
                best = mine
                tied = 0
            if mine and mine == best:
                tied |= 1 << seat
        if best:
            days.flow.initiative = <uint8_t> place_at(days, i)
            break
    if tied & (tied - 1):
        for seat in range(book.seats):
            if tied >> seat & 1 and ability(book, days, seat, V.A_WIN_TIES):
                winners |= 1 << seat
    days.flow.first = <uint8_t> highest_roll(book, winners or tied or all_seats(book), rng, sink)
    emit2(sink, V.E_FIRST, PUBLIC, days.flow.first, days.flow.initiative)
    next_step(days, V.S_GARAGE)

# ---- S5: garage ----

cdef void run_garage(const Book* book, Days* days, Sink* sink) noexcept nogil:
    """Per seat Rick, Morty, and a card: a garage token and a resource each (R30, R31)."""
    cdef int seat, part
    while days.flow.at < 3 * book.seats:
        seat = seat_after(book, days.flow.first, days.flow.at // 3)
        part = days.flow.at % 3
        days.flow.at += 1
        if part == 2:
            if presence(book, days, seat) & 1 and ability(book, days, seat, V.A_GARAGE_PLUS):
                gain(days, seat, ability(book, days, seat, V.A_GARAGE_PLUS), (1 << V.TYPES) - 1, V.WHY_GARAGE)
                return
        elif stands(book, days, seat, part, 0):
            take_garage(days, seat, 1, sink)
            gain(days, seat, 1, (1 << V.TYPES) - 1, V.WHY_GARAGE)
            return
    next_step(days, V.S_TURN)
    days.flow.passes = 0
    days.flow.phase_turns = 0
    begin_turn(days, days.flow.first)
    emit2(sink, V.E_PHASE, PUBLIC, V.S_TURN, days.flow.round)

# ---- S6: the adventure phase; turns.pyx has what lies between ----

cdef void begin_turn(Days* days, int seat) noexcept nogil:
    days.flow.current = <uint8_t> seat
    days.flow.actions_left = 1
    days.flow.acted = False
    days.flow.phase_turns += 1


cdef void end_adventures(Days* days) noexcept nogil:
    """All seats have passed, one after the other."""
    days.flow.passes = 0
    days.flow.phase_turns = 0
    days.flow.acted = False
    days.flow.current = days.flow.first
    next_step(days, V.S_OVER if days.flow.ending else V.S_HARVEST)

# ---- S7 to S9: harvest, cards ----

cdef void harvest(const Book* book, Days* days, int seat, int place, Sink* sink) noexcept nogil:
    """One pawn's harvest on a place: every other colour there leaves it one token less (R39, R40)."""
    cdef const Tile* tile = &book.tile[days.board[place]]
    cdef int others = 0
    cdef int other
    for other in range(book.seats):
        if other != seat and presence(book, days, other) >> place & 1:
            others += 1
    others = max(0, others - ability(book, days, seat, V.A_UNCONTESTED)) if others else 0
    if tile.size > others:
        days.flow.harvested |= bit(seat)
        choose_some(book, days, seat, tile.harvest, tile.size - others, V.WHY_HARVEST, sink)


cdef void more_harvest(const Book* book, Days* days, int seat) noexcept nogil:
    """Cards that bring a token after a harvest, ascending."""
    cdef CardSet cards = both(&days.play[seat], &book.with_ability[V.A_HARVEST_PLUS])
    cdef int types[8]
    cdef int n = 0
    cdef int card = pop_card(&cards)
    while card >= 0 and n < 8:
        types[n] = book.card[card].ability[V.A_HARVEST_PLUS]
        n += 1
        card = pop_card(&cards)
    while n and days.depth < 10:
        n -= 1
        gain(days, seat, 1, types[n], V.WHY_HARVEST)


cdef void run_resources(const Book* book, Days* days, Sink* sink) noexcept nogil:
    """Six places from the die on, the seats in order, their pawns; then what cards add (R18, R41)."""
    cdef int pawns = 2 * book.seats
    cdef int seat, place, at
    if days.flow.at == 0:
        days.flow.harvested = 0
        emit2(sink, V.E_PHASE, PUBLIC, V.S_RESOURCES, days.flow.round)
    while days.flow.at < 6 * pawns + book.seats:
        at = days.flow.at
        days.flow.at += 1
        if at >= 6 * pawns:
            seat = seat_after(book, days.flow.first, at - 6 * pawns)
            if days.flow.harvested >> seat & 1:
                more_harvest(book, days, seat)
        else:
            place = place_at(days, at // pawns)
            seat = seat_after(book, days.flow.first, at % pawns // 2)
            if days.board[place] != V.NONE and stands(book, days, seat, at & 1, place):
                harvest(book, days, seat, place, sink)
        if days.depth:
            return
    days.flow.harvested = 0
    next_step(days, V.S_CARDS)


cdef void run_cards(const Book* book, Days* days, Rng* rng, Sink* sink) noexcept nogil:
    """Each seat draws what its pawns bring, or gives cards up (R42, R43)."""
    cdef int seat, value
    while days.flow.at < book.seats:
        seat = seat_after(book, days.flow.first, days.flow.at)
        days.flow.at += 1
        value = card_value(book, days, days.rick[seat]) + book.morty_draw + ability(book, days, seat, V.A_DRAW_PLUS)
        if value > 0:
            draw(book, days, seat, value, rng, sink)
        elif value < 0:
            ask_with(days, V.C_DROPPING, seat, V.NONE, -value)
            days.frame[0].extra = True
            return
    next_step(days, V.S_DISCARD)

# ---- S10, S11: discards, the end ----

cdef int excess(const Book* book, const Days* days, int seat) noexcept nogil:
    """Cards that the seat still has to mark (R44)."""
    cdef CardSet kept = without(&days.hand[seat], &days.marked)
    return count(&kept) - book.hand_limit - ability(book, days, seat, V.A_HAND_LIMIT)


cdef void run_discard(const Book* book, Days* days, Sink* sink) noexcept nogil:
    """All seats with too many cards mark them in secret, then they all go."""
    cdef int seat
    cdef int over = 0
    if days.flow.at == 0:
        days.flow.at = 1
        for seat in range(book.seats):
            if excess(book, days, seat) > 0:
                over |= 1 << seat
        if over:
            pose(days, over, V.Q_OVERFLOW)
            return
    for seat in range(book.seats):
        give_up_all(book, days, seat, both(&days.hand[seat], &days.marked), sink)
    days.marked = no_cards()
    next_step(days, V.S_ROUND_END)


cdef void run_round_end(const Book* book, Days* days, Sink* sink) noexcept nogil:
    """Blue places are destroyed (R26)."""
    cdef CardSet places
    cdef int seat, card
    for seat in range(book.seats):
        places = both(&days.play[seat], &book.of_kind[V.K_PLACE])
        card = pop_card(&places)
        while card >= 0:
            leave_play(days, seat, card, V.Z_GENERAL, sink)
            card = pop_card(&places)
    memset(days.flow.discount, 0, V.SEATS)
    memset(days.flow.barred, V.NONE, V.SEATS)
    next_step(days, V.S_OVER if days.flow.round >= book.rounds else V.S_ROUND)


cdef void finish(const Book* book, Days* days, Sink* sink) noexcept nogil:
    """Hands are destroyed, then all is counted (section 8)."""
    cdef int32_t args[5]
    cdef int seat
    if days.flow.at:
        return
    days.flow.at = 1
    for seat in range(book.seats):
        give_up_all(book, days, seat, days.hand[seat], sink)
    for seat in range(book.seats):
        args[0] = seat
        score(book, days, seat, &args[1], &args[2], &args[3])
        args[4] = args[1] + args[2] + args[3]
        emit(sink, V.E_SCORE, PUBLIC, 5, args)


cdef void run_round(const Book* book, Days* days, Rng* rng, Sink* sink) noexcept nogil:
    """One step of the round; nothing is being carried out."""
    cdef int step = days.flow.step
    if step == V.S_RESOURCES:
        run_resources(book, days, sink)
    elif step == V.S_GARAGE:
        run_garage(book, days, sink)
    elif step == V.S_ROUND:
        roll_die(book, days, rng, sink)
    elif step == V.S_MISSION:
        run_mission(book, days, sink)
    elif step == V.S_REVEAL:
        next_step(days, V.S_INITIATIVE)
        open_event(days, V.C_REVEAL, V.NONE, V.NONE)
    elif step == V.S_INITIATIVE:
        run_initiative(book, days, rng, sink)
    elif step == V.S_HARVEST:
        next_step(days, V.S_RESOURCES)
        open_event(days, V.C_HARVEST, V.NONE, V.NONE)
    elif step == V.S_CARDS:
        run_cards(book, days, rng, sink)
    elif step == V.S_DISCARD:
        run_discard(book, days, sink)
    elif step == V.S_ROUND_END:
        run_round_end(book, days, sink)
    elif step == V.S_OVER:
        finish(book, days, sink)
