"""What an answer is worth (RULES.md, 11.3): in points first, then on the scale of the utility."""
from seatmate.engine.core.cardset cimport has
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.hundred_days.advice.judgement cimport closings_left, tile_value, type_value
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.cards cimport player_of
from seatmate.engine.hundred_days.rules.model cimport Book, Days, Frame, bit, presence, total
from seatmate.engine.hundred_days.rules.query cimport can_close, card_value, icons, points_of, prompt, shortage, waivers

cdef double UTILITY = 0.03          # of a point, about


cdef inline const Frame* top(const Days* days) noexcept nogil:
    return &days.frame[days.depth - 1]


cdef int verb_of(const Book* book, const Days* days) noexcept nogil:
    """The first verb of the program that is being declared."""
    cdef const Frame* frame = top(days)
    return book.card[frame.program].step[0].verb if frame.kind < V.C_GAINING and frame.program != V.NONE else 0

# ---- Places ----

cdef double close_value(const Book* book, const Days* days, int seat, int place, int waived) noexcept nogil:
    """What standing on the place is worth for closing it in this round."""
    cdef int lack
    cdef int points
    if days.board[place] == V.NONE:
        return 0
    lack = shortage(days, seat, book.tile[days.board[place]].cost) - waived
    points = book.tile[days.board[place]].points
    if lack <= 0:
        return 5 + points
    return 1.5 * points / (1 + lack) if lack <= 2 else 0


cdef double place_value(const Book* book, const Days* days, int seat, int place, int waived) noexcept nogil:
    """A pawn on a ring place, by what it can close and harvest there; on the Smith house."""
    cdef double value
    cdef int t
    if place == 0:
        return 1.5
    if days.board[place] == V.NONE:
        return -2
    value = 1.2 - 0.6 * 0.3 * (book.seats - 1)
    for t in range(V.TYPES):
        if book.tile[days.board[place]].harvest[t]:
            value += 0.12 * book.tile[days.board[place]].harvest[t] * type_value(book, days, seat, t)
    return value + close_value(book, days, seat, place, waived)


cdef double requirements(const Book* book, const Days* days, int seat, uint8_t there) noexcept nogil:
    """What the green cards of the hand gain by pawns on these places."""
    cdef double value = 0
    cdef int card
    there |= icons(book, days, seat)
    for card in range(V.CARDS):
        if has(&days.hand[seat], card) and has(&book.green, card) and not book.card[card].places & ~there:
            value += 1.5 * book.card[card].points
    return value


cdef double rick_value(const Book* book, const Days* days, int seat, int space) noexcept nogil:
    """A Rick on a space, before the other pawns are known."""
    cdef int waived = waivers(book, days, seat, 0)
    cdef double value = 0.8 * card_value(book, days, space) + requirements(book, days, seat, book.cover[space])
    cdef int place
    for place in range(V.PLACES):
        if book.cover[space] >> place & 1:
            value += place_value(book, days, seat, place, waived)
    return value + (0.7 if space == days.flow.die else 0)


cdef double morty_value(const Book* book, const Days* days, int seat, int place, int rick) noexcept nogil:
    cdef int waived = waivers(book, days, seat, 0)
    cdef uint8_t ricks = book.cover[rick] if rick != V.NONE else 0
    cdef double value = place_value(book, days, seat, place, waived)
    if ricks >> place & 1:
        value -= 1 + close_value(book, days, seat, place, waived) - (0.8 if place == days.flow.die else 0)
    return value + requirements(book, days, seat, ricks | bit(place)) - requirements(book, days, seat, ricks)


cdef double move_gain(const Book* book, const Days* days, int seat, uint8_t there) noexcept nogil:
    """The best closing that pawns on these places would allow and the present ones don't."""
    return best_closing(book, days, seat, there & ~presence(book, days, seat))


cdef double space_value(const Book* book, const Days* days, int seat, int whose, int space) noexcept nogil:
    """Moving a Rick: to close something, or for the harvest; away from there if it is another seat's."""
    cdef double value = 0.3 * card_value(book, days, space) + 0.4 * bit_count(book.cover[space] & ~<uint8_t> 1)
    if days.flow.step == V.S_TURN:
        value += 2 * move_gain(book, days, whose, book.cover[space]) + \
            (best_closing(book, days, whose, book.cover[space] | bit(days.morty[whose])))
    return value if whose == seat else -value


cdef double best_closing(const Book* book, const Days* days, int seat, uint8_t there) noexcept nogil:
    """The best tile on these places that the seat can pay for."""
    cdef double best = 0
    cdef int waived = waivers(book, days, seat, 0)
    cdef int place
    for place in range(1, V.PLACES):
        if there >> place & 1 and days.board[place] != V.NONE and \
                shortage(days, seat, book.tile[days.board[place]].cost) <= waived:
            best = max(best, book.tile[days.board[place]].points)
    return best

# ---- Cards ----

cdef double keep_value(const Book* book, const Days* days, int seat, int card) noexcept nogil:
    """A card in the hand."""
    cdef double value = book.card[card].points + 0.25 * book.card[card].worth
    if has(&book.with_substitute, card):
        value += 1
    if book.card[card].kind == V.K_REACTION:
        return 1.2 + 0.2 * book.card[card].worth
    if has(&book.green, card) and bit_count(book.card[card].places) < 2:
        value += 0.5
    return value


cdef double board_value(const Book* book, int card) noexcept nogil:
    """A card in play, beside its points."""
    cdef double value = 1.0 if book.card[card].dimension else 0
    cdef int i
    for i in range(V.ABILITIES):
        if book.card[card].ability[i]:
            value += 0.75
    return value


cdef double target_value(const Book* book, const Days* days, int seat, int card, int verb) noexcept nogil:
    """A card as the target of a verb."""
    cdef double points = book.card[card].points
    cdef int owner = player_of(book, days, card)
    if verb == V.V_COPY:
        return book.card[card].worth
    if verb == V.V_FETCH:
        return points + (1 if not book.card[card].places & ~presence(book, days, seat) else 0)
    if verb == V.V_GUARD:
        return points
    if verb == V.V_BANK:
        if owner == seat or owner == V.NONE:
            return 0.5 - board_value(book, card) if not has(&days.guarded, card) else -1
        return board_value(book, card)
    return (points + board_value(book, card)) * (0.5 if has(&days.guarded, card) else 1)


cdef double program_value(const Book* book, const Days* days, int seat, int card) noexcept nogil:
    """What playing a card brings by its steps; what moves or acts on is worth something if it leads to a closing."""
    cdef double value = book.card[card].worth
    cdef int verb = book.card[card].step[0].verb
    if book.card[card].steps == 0:
        return 0
    if verb == V.V_MOVER and book.card[card].step[0].party == 0:
        value += 2 * move_gain(book, days, seat, 0x7E) - 1
    elif verb == V.V_MOVEM:
        value += 2 * move_gain(book, days, seat, 0x7E) - 1
    elif verb == V.V_CLOSE:
        value += 4
    elif verb == V.V_EXTRA and best_closing(book, days, seat, presence(book, days, seat)) == 0:
        value -= 2
    return value


cdef double turn_value(const Book* book, const Days* days, int seat, int action) noexcept nogil:
    cdef int left = closings_left(book, days)
    cdef bint last = left <= 2
    cdef int card, other
    cdef double value
    if action == 0:
        return 0
    if action < V.MOVE_RICK:
        value = 6 + book.tile[days.board[action]].points + (2 if last else 0)
        for other in range(book.seats):
            if other != seat and can_close(book, days, other, action, 0):
                return value + 1
        return value
    if action == V.MOVE_RICK:
        value = move_gain(book, days, seat, 0x7E)
        return 4 + value if value else -2
    if action < V.USE:
        card = action - V.PLAY
        value = program_value(book, days, seat, card) if book.card[card].steps else 0
        if has(&book.green, card):
            return 3 + 1.5 * book.card[card].points + board_value(book, card) + (value if book.card[card].kind != V.K_ITEM else 0)
        return 0.5 + value + board_value(book, card)
    if action < V.GUARD:
        card = action - V.USE
        value = program_value(book, days, seat, card) - 0.3 - (1 if has(&days.guarded, card) else 0)
        return value - (1.5 if has(&book.with_substitute, card) and not last else 0) - (0.6 if book.card[card].dimension else 0)
    if action < V.JUMP:
        return 2.8 + book.card[action - V.GUARD].points + (3 if days.flow.ending else 0)
    return program_value(book, days, seat, action - V.JUMP) - 0.5


cdef double event_value(const Book* book, const Days* days, const Frame* event) noexcept nogil:
    """What an event is worth to its seat."""
    if event.kind == V.C_CLOSE:
        return book.tile[days.board[event.P]].points if days.board[event.P] != V.NONE else 0
    if event.program == V.NONE or event.flags & V.VOID:
        return 1
    return book.card[event.program].worth + (book.card[event.C].points if event.C != V.NONE else 0)


cdef double react_value(const Book* book, const Days* days, int seat, int action) noexcept nogil:
    """A reaction to the event on top; the card is spent."""
    cdef const Frame* event = top(days)
    cdef int card = action - 1
    cdef int verb
    cdef double value
    if action == 0:
        return 0
    verb = book.card[card].step[0].verb
    if verb == V.V_CANCEL or verb == V.V_MIRROR:
        value = event_value(book, days, event)
        if event.kind == V.C_REACT:
            return value if event.src == seat or event.victims >> seat & 1 else -1
        if event.victims >> seat & 1:
            return 2 + 1.2 * value
        if event.kind == V.C_CLOSE:
            return (value - 2) * (2 if closings_left(book, days) <= 2 else 1)
        return value - 2.5
    if verb == V.V_MOVER or verb == V.V_MOVEM:
        if event.kind == V.C_HARVEST or event.kind == V.C_REVEAL:
            return 0.5 if presence(book, days, seat) & 0x7E == 0 else -0.5
        return move_gain(book, days, seat, 0x7E) - 2
    return book.card[card].worth

# ---- Seats, tokens ----

cdef double seat_value(const Book* book, const Days* days, int seat, int other) noexcept nogil:
    """A seat as a victim: by its lead, and by what there is to take."""
    return 0.3 * (points_of(book, days, other) - points_of(book, days, seat)) + 0.2 * total(days.tokens[other])


cdef double place_target(const Book* book, const Days* days, int seat, int place, int verb) noexcept nogil:
    cdef double value = 0
    cdef int other, t
    if days.board[place] == V.NONE:
        return 0
    if verb == V.V_HARVEST:
        for t in range(V.TYPES):
            value += book.tile[days.board[place]].harvest[t] * type_value(book, days, seat, t)
        return value
    if verb == V.V_CLOSE:
        return book.tile[days.board[place]].points
    for other in range(book.seats):             # who could close it?
        value += tile_value(book, days, other, place, 0) * (-1 if other == seat else 1)
    return value


cdef double token_value(const Book* book, const Days* days, int seat, int question, int type) noexcept nogil:
    """A type as an answer to any question about tokens."""
    cdef double value
    cdef const Frame* frame = top(days)
    if type == V.STOP:
        return -0.5 if question == V.Q_WAIVE else 0
    value = type_value(book, days, seat, type) - 0.1 * days.tokens[seat][type]
    if question == V.Q_TYPE_GAIN or question == V.Q_TYPE_TAKE or question == V.Q_TRADE_IN:
        return value - (days.tokens[seat][type] // 2 if days.federation[type] == 1 else 0)
    if question == V.Q_TYPE_STEAL:
        return value
    if question == V.Q_TYPE_HALVE:
        return days.tokens[frame.X][type] + 0.2 * value
    if question == V.Q_WAIVE:
        return 1 - 0.1 * days.tokens[seat][type] + 0.2 * value
    if question == V.Q_TRADE_OUT:
        return 0.5 * days.tokens[seat][type] - 1 - value
    return 0.1 * days.tokens[seat][type] - value


cdef double value_of(const Book* book, const Days* days, int seat, int question, int action) noexcept nogil:
    """An answer, in points."""
    if question == V.Q_TURN or question == V.Q_AFTER:
        return turn_value(book, days, seat, action)
    if question == V.Q_REACT:
        return react_value(book, days, seat, action)
    if question == V.Q_PLACE_RICK:
        return rick_value(book, days, seat, action)
    if question == V.Q_PLACE_MORTY:
        return morty_value(book, days, seat, action, days.secret_rick[seat])
    if question == V.Q_SPACE:
        return space_value(book, days, seat, top(days).X if top(days).kind >= V.C_GAINING else seat, action)
    if question == V.Q_MPLACE:
        return space_value(book, days, seat, seat, action)
    if question == V.Q_SEAT:
        return seat_value(book, days, seat, action)
    if question == V.Q_CARD:
        return target_value(book, days, seat, action, verb_of(book, days))
    if question == V.Q_PLACE or question == V.Q_PLACE2:
        return place_target(book, days, seat, action, verb_of(book, days))
    if question == V.Q_HAND_DROP or question == V.Q_OVERFLOW:
        return -keep_value(book, days, seat, action)
    if question == V.Q_HAND_TAKE:
        return keep_value(book, days, seat, action)
    return token_value(book, days, seat, question, action)


cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    cdef const Book* book = <const Book*> tables
    cdef const Days* days = <const Days*> state
    cdef int question = prompt(tables, state, seat)
    cdef int i
    for i in range(n):
        out[i] = UTILITY * value_of(book, days, seat, question, actions[i]) if n > 1 else 0


cdef action_t quick_action(const void* tables, const void* state, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil:
    """The best of some answers: of all, but of a few random spaces only."""
    cdef const Book* book = <const Book*> tables
    cdef const Days* days = <const Days*> state
    cdef int question = prompt(tables, state, seat)
    cdef int tries = n
    cdef int best = 0
    cdef int i, k
    cdef double value
    cdef double highest = -1000
    if n == 1:
        return actions[0]
    if question in (V.Q_PLACE_RICK, V.Q_PLACE_MORTY, V.Q_SPACE, V.Q_MPLACE):
        tries = 3
    for i in range(tries):
        k = i if tries == n else <int> rng_below(rng, n)
        value = value_of(book, days, seat, question, actions[k])
        if value > highest:
            highest = value
            best = k
    return actions[best]
