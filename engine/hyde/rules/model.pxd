# Hyde: the constants of a game (its book) and its world state.
from seatmate.engine.core.contract cimport CoreEvent, ask_one
from seatmate.engine.core.sink cimport Sink, emit1
from seatmate.engine.core.types cimport uint8_t, uint16_t, uint32_t, uint64_t
from seatmate.engine.hyde.content.vocabulary cimport (
    ALL_OUTER, ATTACKS, CARDS, CYCLE_STEPS, HAND, KINDS, OUTCASTS, PLACES, SEATS, SLOTS, TARGETS, TRACKS,
)

# ---- Cards ----
#
# A card is kind + 32 * shuffle: `shuffle` is the number of the shuffle it was last part of. Copies of a
# kind are interchangeable; the shuffle number is what a player who follows the deck can tell of a card
# (a card that came back into the deck at the second reshuffle can't be one that was played before it).

cdef inline int kind_of(uint16_t card) noexcept nogil:
    return card & 31


cdef inline int shuffle_of(uint16_t card) noexcept nogil:
    return card >> 5


cdef inline uint16_t make_card(int kind, int shuffle) noexcept nogil:
    return <uint16_t> (kind | shuffle << 5)

# ---- Book: settings and compiled pack ----

cdef struct Book:
    # settings
    uint8_t n                       # seats
    uint8_t loss_limit
    uint8_t signals
    uint8_t start_seat              # NOBODY: random
    uint8_t outcast_mode            # 0 draft, 1 random, 2 as listed
    uint8_t outcast_list[SEATS]
    # cards
    uint8_t deck[CARDS]             # kinds of the full deck, ascending
    uint8_t deck_n
    uint8_t sixes                   # in the reserve of an outcast with a substitute
    uint8_t number[KINDS]
    uint8_t symbol[KINDS]
    uint32_t of_number[8]           # mask of kinds by number
    # places and targets
    uint8_t no_play[PLACES]
    uint8_t must_leave[PLACES]
    uint32_t zero_mask[PLACES]      # kinds whose printed face counts 0 there
    uint8_t eff[PLACES][TARGETS][KINDS]     # what a card counts at an attack
    uint8_t need[ATTACKS + 1]       # points needed at attack k = 1..5, for n seats at this level
    # abilities, by outcast; 0 = none
    uint8_t reach[OUTCASTS]
    uint8_t multi_number[OUTCASTS]
    uint8_t substitute[OUTCASTS]
    uint8_t draw_to[OUTCASTS]
    uint8_t trim[OUTCASTS]
    uint8_t bonus[OUTCASTS]         # points while the pawn stands on the attacked place
    uint8_t swap_symbol[OUTCASTS]
    uint8_t swap_number[OUTCASTS]
    # judgement (judgement.pyx), filled once
    float chosen[PLACES][TARGETS]           # what an unknown card on a place counts on average
    float one[PLACES][TARGETS]              # the same for an unknown 1
    float appeal[OUTCASTS]                  # how much a team likes to have an outcast, utility scale
    # cards still to come to a place if it is the next one hit [tokens][turns left], or d attacks later [...][attack][d]
    float flow_now[CYCLE_STEPS][SEATS + 1]
    float flow_later[CYCLE_STEPS][SEATS + 1][ATTACKS + 1][ATTACKS + 1]

# ---- World state ----

cdef struct Tracks:
    # Cards one observer saw and then lost from sight: candidate containers of each (knowledge.pyx).
    uint64_t slots[TRACKS]          # mask of slots
    uint16_t card[TRACKS]
    uint8_t hold[TRACKS]            # bit s: hand of seat s, bit HOLD_THING: Thing
    uint8_t n

cdef struct Hyde:
    uint64_t pile[PLACES]           # mask of the slots on each place
    uint16_t slot_card[SLOTS]
    uint16_t slot_shuffle[SLOTS]    # the last shuffle when the card came to the table (from Thing: to Thing)
    uint8_t slot_by[SLOTS]          # who played it
    uint8_t slot_source[SLOTS]      # Source
    uint8_t slot_known[SLOTS]       # mask of the seats that know the card
    uint8_t slot_one[SLOTS]         # everybody knows that it is one of several 1s played together
    uint8_t slot_turn[SLOTS]        # n * cycles completed + position in the turn order
    uint16_t hand[SEATS][HAND]      # sorted, free places 0
    uint8_t hand_n[SEATS]
    uint8_t deck[CARDS]             # kinds, an unordered bag; free places 0
    uint8_t deck_n
    uint8_t discard[CARDS]          # kinds in the order they came; free places 0
    uint8_t discard_n
    uint16_t shuffles               # reshuffles so far
    uint16_t thing_card
    uint16_t thing_shuffle          # number of the last shuffle when Thing got its card
    uint8_t thing_filled            # 0 only between the play of its card and the answer to THING
    uint8_t thing_seat
    uint8_t thing_known             # mask of the seats that know Thing's card
    uint8_t thing_swapped           # in this turn, before its last step (R37)
    uint8_t sixes_left
    uint8_t sixes_removed
    uint8_t ring[5]                 # outer places in ring order
    uint8_t ring_at[PLACES]         # inverse of ring
    uint8_t near[PLACES]            # mask of the neighbours of each place
    uint8_t target_at[PLACES]
    uint8_t outcast[SEATS]          # NOBODY before the draft
    uint8_t pawn[SEATS]
    uint8_t start_seat
    uint8_t turn_index              # position in the turn order
    uint8_t cycles                  # completed
    uint8_t attack_no               # number of the coming attack, 1..5
    uint8_t bag                     # mask of places
    uint8_t shown                   # mask of places
    uint8_t attacked                # mask of places
    uint8_t saved                   # mask of places
    uint8_t signal[SEATS]           # last answer to SIGNAL
    uint8_t phase                   # Phase
    uint8_t asked                   # the seat that is asked
    uint8_t chain_place             # unfinished PLAY chain, private to the asked seat
    uint8_t chain[HAND]             # kinds of 1s chosen from the hand so far
    uint8_t chain_n
    uint8_t chain_thing
    uint8_t chain_six
    uint8_t take                    # unfinished swap: kind to take + 1
    uint8_t score                   # points of the last attack, for the record of the table
    Tracks track[SEATS]


cdef inline uint64_t used_slots(const Hyde* state) noexcept nogil:
    return state.pile[1] | state.pile[2] | state.pile[3] | state.pile[4] | state.pile[5]


cdef inline bint is_open(const Hyde* state, int place) noexcept nogil:
    """An outer place that was not attacked yet."""
    return place != 0 and not state.attacked >> place & 1


cdef inline bint touches(const Hyde* state, int a, int b) noexcept nogil:
    """Neighbours: the Academy and every outer place, and the next outer places on the ring."""
    return state.near[a] >> b & 1


cdef inline void lay_ring(Hyde* state) noexcept nogil:
    """Fill in what follows from the order of the ring."""
    cdef int i
    for i in range(5):
        state.ring_at[state.ring[i]] = <uint8_t> i
        state.near[state.ring[i]] = <uint8_t> (1 | 1 << state.ring[(i + 1) % 5] | 1 << state.ring[(i + 4) % 5])
    state.near[0] = ALL_OUTER


cdef inline int ring_distance(const Hyde* state, int a, int b) noexcept nogil:
    """Steps between two outer places along the ring, 0..2."""
    cdef int d = state.ring_at[a] - state.ring_at[b]
    if d < 0:
        d = -d
    return d if d <= 2 else 5 - d


cdef inline int play_places(const Book* t, const Hyde* state, int seat, int here) noexcept nogil:
    """Mask of the places where a card can be played from `here`: itself if open, with REACH ring neighbours, too (R15, R17)."""
    cdef int reach = t.reach[state.outcast[seat]]
    cdef int mask = 0
    cdef int q
    if here == 0 or t.no_play[here]:
        return 0
    if is_open(state, here):
        mask = 1 << here
    if reach:
        for q in range(1, PLACES):
            if q != here and is_open(state, q) and ring_distance(state, here, q) <= reach and not t.no_play[q]:
                mask |= 1 << q
    return mask


cdef inline int lost_targets(const Hyde* state) noexcept nogil:
    cdef int lost = 0
    cdef int mask = state.attacked & ~state.saved
    while mask:
        lost += 1
        mask &= mask - 1
    return lost


cdef inline int seat_in_turn(const Book* t, const Hyde* state, int index) noexcept nogil:
    """The seat at a position of the turn order."""
    cdef int seat = state.start_seat + index
    return seat if seat < t.n else seat - t.n


cdef inline uint32_t hand_kinds(const Hyde* state, int seat) noexcept nogil:
    """Mask of the kinds in a hand."""
    cdef uint32_t mask = 0
    cdef int i
    for i in range(state.hand_n[seat]):
        mask |= <uint32_t> 1 << kind_of(state.hand[seat][i])
    return mask


cdef inline int find_in_hand(const Hyde* state, int seat, int kind) noexcept nogil:
    """Position of the first card of a kind in a hand (the one of the oldest shuffle); -1 = none."""
    cdef int i
    for i in range(state.hand_n[seat]):
        if kind_of(state.hand[seat][i]) == kind:
            return i
    return -1

# ---- Questions ----

cdef inline void ask(Hyde* state, Sink* sink, int seat, int phase, int public_class) noexcept nogil:
    """Ask a seat the first question of a public step."""
    state.phase = <uint8_t> phase
    state.asked = <uint8_t> seat
    ask_one(sink, seat, phase, public_class)


cdef inline void ask_on(Hyde* state, Sink* sink, int phase) noexcept nogil:
    """Ask the same seat the next question of the same step: nobody else notices."""
    state.phase = <uint8_t> phase
    emit1(sink, CoreEvent.ASK, 1 << state.asked, phase)
