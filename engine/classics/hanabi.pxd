# The state of small Hanabi, and what can be read off it.
from seatmate.engine.core.types cimport uint8_t

cdef enum:
    SEATS = 5
    HAND = 5
    COLOURS = 5
    RANKS = 5
    KINDS = 25              # RANKS * colour + rank
    NO_CARD = 255


cdef struct Table:
    int seats
    int colours
    int ranks
    int hand
    int information
    int lives
    int best                # the best score possible
    uint8_t copies[KINDS]


cdef struct Hanabi:
    uint8_t hand[SEATS][HAND]       # kinds, oldest first; NO_CARD behind the last
    uint8_t colours[SEATS][HAND]    # what hints leave possible: bit = colour; 0 without a card
    uint8_t ranks[SEATS][HAND]      # bit = rank
    uint8_t held[SEATS]             # cards in hand
    uint8_t deck[KINDS]             # cards of each kind; nobody knows the order, so there is none
    uint8_t discards[KINDS]
    uint8_t fireworks[COLOURS]      # cards played of each colour
    uint8_t deck_size
    uint8_t information
    uint8_t lives
    uint8_t turn
    uint8_t turns_left              # once the deck is empty; before that one per seat


cdef inline int score(const Table* t, const Hanabi* state) noexcept nogil:
    cdef int c
    cdef int total = 0
    for c in range(t.colours):
        total += state.fireworks[c]
    return total if state.lives else 0


cdef inline bint over(const Table* t, const Hanabi* state) noexcept nogil:
    return state.lives == 0 or state.turns_left == 0 or score(t, state) == t.best


cdef inline bint playable(const Hanabi* state, int kind) noexcept nogil:
    return state.fireworks[kind // RANKS] == kind % RANKS


cdef inline bint fits(const Hanabi* state, int seat, int place, int kind) noexcept nogil:
    """Do the hints leave it possible that the card at this place is of this kind?"""
    return state.colours[seat][place] >> kind // RANKS & 1 and state.ranks[seat][place] >> kind % RANKS & 1


cdef struct Hint:
    int target
    bint of_rank
    int value               # colour or rank


cdef inline Hint read_hint(const Table* t, int seat, int action) noexcept nogil:
    """What an action that is neither a discard nor a play says, and to whom."""
    cdef Hint hint
    cdef int i = action - 2 * t.hand
    hint.of_rank = i >= (t.seats - 1) * t.colours
    if hint.of_rank:
        i -= (t.seats - 1) * t.colours
    hint.value = i % (t.ranks if hint.of_rank else t.colours)
    hint.target = (seat + 1 + i // (t.ranks if hint.of_rank else t.colours)) % t.seats
    return hint


cdef inline int told_places(const Hanabi* state, Hint hint) noexcept nogil:
    """Mask of the cards a hint names."""
    cdef int i, kind
    cdef int mask = 0
    for i in range(state.held[hint.target]):
        kind = state.hand[hint.target][i]
        if (kind % RANKS if hint.of_rank else kind // RANKS) == hint.value:
            mask |= 1 << i
    return mask
