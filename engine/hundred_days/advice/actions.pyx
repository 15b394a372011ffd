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

cdef enum:
    CLOSABLE
    LACKING
    CENTRE
    RING
    CROWD
    HARVEST
    REQUIREMENT
    DRAWN
    DIE
    TWICE
    CLOSE
    RACE
    MOVE
    GREEN
    GREEN_POINT
    BLUE
    USE
    SUBSTITUTE
    GUARD
    JUMP
    PROGRAM
    SAVE
    SPOIL
    MEDDLE
    REACT
    LEAD
    RICHES
    SPREAD
    KEEP
    KEEP_REACTION
    WORTHS_N

# What answers are worth, in points (benches/fit.py --worths; ai/search/TUNING.md); the enum counts the rows.
WORTHS = {
    "CLOSABLE": -2.43,    # standing where a tile can be closed, beside its points
    "LACKING": 0.42,      # a point of a tile for which a token or two are lacking
    "CENTRE": 2.93,       # a pawn on the Smith house
    "RING": 1.47,         # a pawn on a ring place
    "CROWD": 0.24,        # ... less for every rival
    "HARVEST": 0.09,      # a token it will bring, by what it helps to close
    "REQUIREMENT": 1.82,  # a point of a card in hand that can be played there
    "DRAWN": 2.02,        # a card Rick will draw
    "DIE": 0.53,          # standing where the die shows
    "TWICE": 1.91,        # Morty where Rick is: less
    "CLOSE": 5.85,        # closing, beside the tile's points
    "RACE": 0.77,         # ... that a rival could close
    "MOVE": -2.71,        # moving Rick to close something
    "GREEN": 3.5,         # playing a green card
    "GREEN_POINT": 2.15,  # ... each of its points
    "BLUE": 0.55,         # playing a blue card, beside its program
    "USE": -0.31,         # using an item, beside its program
    "SUBSTITUTE": 1.47,   # ... less if it pays for closings
    "GUARD": 3.91,        # a garage token on a card, beside its points
    "JUMP": -0.45,        # a reaction in the own turn, beside its program
    "PROGRAM": 1.24,      # a point that the program of a card is thought to bring
    "SAVE": 0.72,         # cancelling what hits the seat
    "SPOIL": 3.34,        # cancelling a closing: points from which it pays
    "MEDDLE": 3.98,       # cancelling what hits others: the same
    "REACT": -0.15,       # any other reaction, beside its program
    "LEAD": 0.32,         # a victim's point ahead
    "RICHES": 0.22,       # a victim's token
    "SPREAD": 0.04,       # a token of a type, less for each that is there
    "KEEP": 0.58,         # a card in hand: a point of its program
    "KEEP_REACTION": 0.3,   # a reaction in hand
}
assert len(WORTHS) == WORTHS_N <= V.WORTHS


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
        return book.worth[CLOSABLE] + points
    return book.worth[LACKING] * points / (1 + lack) if lack <= 2 else 0


cdef double place_value(const Book* book, const Days* days, int seat, int place, int waived) noexcept nogil:
    """A pawn on a ring place, by what it can close and harvest there; on the Smith house."""
    cdef double value
    cdef int t
    if place == 0:
        return book.worth[CENTRE]
    if days.board[place] == V.NONE:
        return -2
    value = book.worth[RING] - book.worth[CROWD] * (book.seats - 1)
    for t in range(V.TYPES):
        if book.tile[days.board[place]].harvest[t]:
            value += book.worth[HARVEST] * book.tile[days.board[place]].harvest[t] * type_value(book, days, seat, t)
    return value + close_value(book, days, seat, place, waived)


cdef double requirements(const Book* book, const Days* days, int seat, uint8_t there) noexcept nogil:
    """What the green cards of the hand gain by pawns on these places."""
    cdef double value = 0
    cdef int card
    there |= icons(book, days, seat)
    for card in range(V.CARDS):
        if has(&days.hand[seat], card) and has(&book.green, card) and not book.card[card].places & ~there:
            value += book.worth[REQUIREMENT] * book.card[card].points
    return value


cdef double rick_value(const Book* book, const Days* days, int seat, int space) noexcept nogil:
    """A Rick on a space, before the other pawns are known."""
    cdef int waived = waivers(book, days, seat, 0)
    cdef double value = book.worth[DRAWN] * card_value(book, days, space) + requirements(book, days, seat, book.cover[space])
    cdef int place
    for place in range(V.PLACES):
        if book.cover[space] >> place & 1:
            value += place_value(book, days, seat, place, waived)
    return value + (book.worth[DIE] if space == days.flow.die else 0)


cdef double morty_value(const Book* book, const Days* days, int seat, int place, int rick) noexcept nogil:
    cdef int waived = waivers(book, days, seat, 0)
    cdef uint8_t ricks = book.cover[rick] if rick != V.NONE else 0
    cdef double value = place_value(book, days, seat, place, waived)
    if ricks >> place & 1:
        value -= book.worth[TWICE] + close_value(book, days, seat, place, waived)
        value += book.worth[DIE] if place == days.flow.die else 0
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
    cdef double value = book.card[card].points + book.worth[KEEP] * book.card[card].worth
    if has(&book.with_substitute, card):
        value += 1
    if book.card[card].kind == V.K_REACTION:
        return book.worth[KEEP_REACTION] + 0.2 * book.card[card].worth
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
    cdef double value = book.worth[PROGRAM] * book.card[card].worth
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
        value = book.worth[CLOSE] + book.tile[days.board[action]].points + (2 if last else 0)
        for other in range(book.seats):
            if other != seat and can_close(book, days, other, action, 0):
                return value + book.worth[RACE]
        return value
    if action == V.MOVE_RICK:
        value = move_gain(book, days, seat, 0x7E)
        return book.worth[MOVE] + value if value else -2
    if action < V.USE:
        card = action - V.PLAY
        value = program_value(book, days, seat, card) if book.card[card].steps else 0
        if has(&book.green, card):
            value = value if book.card[card].kind != V.K_ITEM else 0
            return book.worth[GREEN] + book.worth[GREEN_POINT] * book.card[card].points + board_value(book, card) + value
        return book.worth[BLUE] + value + board_value(book, card)
    if action < V.GUARD:
        card = action - V.USE
        value = program_value(book, days, seat, card) + book.worth[USE] - (1 if has(&days.guarded, card) else 0)
        value -= book.worth[SUBSTITUTE] if has(&book.with_substitute, card) and not last else 0
        return value - (0.6 if book.card[card].dimension else 0)
    if action < V.JUMP:
        return book.worth[GUARD] + book.card[action - V.GUARD].points + (3 if days.flow.ending else 0)
    return program_value(book, days, seat, action - V.JUMP) + book.worth[JUMP]


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
            return book.worth[SAVE] + 1.2 * value
        if event.kind == V.C_CLOSE:
            return (value - book.worth[SPOIL]) * (2 if closings_left(book, days) <= 2 else 1)
        return value - book.worth[MEDDLE]
    if verb == V.V_MOVER or verb == V.V_MOVEM:
        if event.kind == V.C_HARVEST or event.kind == V.C_REVEAL:
            return 0.5 if presence(book, days, seat) & 0x7E == 0 else -0.5
        return move_gain(book, days, seat, 0x7E) - 2
    return book.card[card].worth + book.worth[REACT]

# ---- Seats, tokens ----

cdef double seat_value(const Book* book, const Days* days, int seat, int other) noexcept nogil:
    """A seat as a victim: by its lead, and by what there is to take."""
    cdef int ahead = points_of(book, days, other) - points_of(book, days, seat)
    return book.worth[LEAD] * ahead + book.worth[RICHES] * total(days.tokens[other])


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
    value = type_value(book, days, seat, type) - book.worth[SPREAD] * days.tokens[seat][type]
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
