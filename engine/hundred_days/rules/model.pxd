# Hundred Days: its book (settings and compiled pack) and its world state.
from seatmate.engine.core.cardset cimport CardSet
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport int8_t, int32_t, uint8_t, uint16_t
from seatmate.engine.hundred_days.content.vocabulary cimport (
    ABILITIES, CARDS, FRAMES, NONE, PLACES, REGISTERS, SEATS, SPACES, STEPS, TILES, TYPES, WORTHS,
)

# ---- Book ----

cdef struct Selector:       # one register of a program
    uint8_t base            # Base; NO_BASE: not used
    uint8_t n               # closable(n)
    uint16_t filters        # mask of Filter

cdef struct ProgramStep:
    uint8_t verb
    uint8_t n
    uint8_t party
    uint8_t how             # Chooser, or Manner

cdef struct Card:
    uint8_t kind            # CardKind
    uint8_t places          # required, a mask
    uint8_t points
    uint8_t dimension       # a DIM icon, 0: none
    uint8_t cost            # tokens of one type
    uint8_t cost_type       # Resource
    uint8_t has_targets     # some register or need
    uint8_t copies          # its program is COPY
    uint16_t trigger        # of a reaction: mask of FrameKind and Trigger
    uint8_t steps
    ProgramStep step[STEPS]
    Selector target[REGISTERS]
    Selector need
    uint8_t ability[ABILITIES]
    float worth             # of its program to bots, in points

cdef struct Tile:
    uint8_t cost[TYPES]
    uint8_t harvest[TYPES]
    uint8_t points
    uint8_t size            # tokens it harvests
    int8_t single
    int8_t between

cdef struct Book:
    uint8_t seats
    uint8_t tiles           # in the game
    uint8_t resources
    uint8_t supply          # garage tokens
    uint8_t start_hand
    uint8_t hand_limit
    uint8_t move_cost
    uint8_t morty_draw
    int8_t centre_single
    int8_t centre_between
    uint8_t garage_points
    uint8_t keeps_green     # cards given up for a negative draw go to the personal pile if green
    uint8_t rounds
    uint16_t turns          # of all seats in an adventure phase
    Tile tile[TILES]
    Card card[CARDS]
    CardSet all
    CardSet green
    CardSet of_kind[5]
    CardSet of_trigger[12]  # reactions by FrameKind or Trigger
    CardSet with_ability[ABILITIES]
    CardSet with_icon       # DIM
    CardSet with_substitute
    uint8_t cover[SPACES]   # the places of a Rick space, a mask
    double worth[WORTHS]    # of answers to bots, in points (advice/actions.pyx)

# ---- World state ----

cdef struct Frame:          # 20 bytes
    uint8_t kind            # FrameKind
    uint8_t stage           # Stage
    uint8_t seat            # whose event or choice
    uint8_t card
    uint8_t program         # the card whose program runs
    uint8_t step
    uint8_t X               # registers; chains: the other seat
    uint8_t C
    uint8_t P               # C_MOVE: the space
    uint8_t Q
    uint8_t src             # seat that is answered
    uint8_t victims         # mask
    uint8_t flags           # Mark
    uint8_t extra           # C_CLOSE: waivers of the card; C_TRADING: the type that was given, + 1
    uint8_t left            # chains: how many are still to choose; C_CLOSE: waivers left
    uint8_t least           # lowest type that may be chosen next
    uint8_t pool[TYPES]     # tokens that may be chosen; C_CLOSE: what is still to pay

cdef struct Flow:           # 28 bytes: where the game is, all public
    uint16_t phase_turns
    uint16_t taxes
    uint8_t round
    uint8_t step            # Step
    uint8_t at              # how far the step is
    uint8_t first
    uint8_t current
    uint8_t actions_left
    uint8_t acted
    uint8_t passes          # in a row
    uint8_t die
    uint8_t initiative      # the place that decided it, NONE
    uint8_t ending
    uint8_t harvested       # mask of seats that took something in this harvest
    uint8_t epoch           # reshuffles so far
    uint8_t discount[SEATS]
    uint8_t barred[SEATS]   # place that a seat's card bars for others, NONE
    uint8_t spare[3]

cdef struct Days:
    Flow flow
    uint8_t rick[SEATS]     # spaces, NONE before the first reveal
    uint8_t morty[SEATS]
    uint8_t secret_rick[SEATS]
    uint8_t secret_morty[SEATS]
    uint8_t answer[SEATS]   # to C_REACT: NONE, 0, 1 + card
    uint8_t board[PLACES]   # tiles; NONE: a black hole
    uint8_t stack           # tiles left
    uint8_t owner[TILES]    # NONE unseen, NOBODY on the board, BANISHED, or a seat
    uint8_t tokens[SEATS][TYPES]
    uint8_t federation[TYPES]
    uint8_t garage[SEATS]
    uint8_t supply
    uint8_t prompt
    uint8_t asked           # mask of seats
    uint8_t answered        # ... that have given all their answers
    uint8_t depth
    CardSet deck
    CardSet general
    CardSet hand[SEATS]
    CardSet play[SEATS]
    CardSet pile[SEATS]
    CardSet seen[SEATS]     # cards in others' hands that a seat looked at
    CardSet shown           # cards in hands that everybody saw go there
    CardSet guarded
    CardSet marked          # to be given up, in secret
    uint8_t epoch[CARDS]    # reshuffles when it was last put into the deck
    Frame frame[FRAMES]

# ---- Small questions ----

cdef inline uint8_t bit(int place) noexcept nogil:
    return <uint8_t> (1 << place)


cdef inline uint8_t presence(const Book* book, const Days* days, int seat) noexcept nogil:
    """The places on which the seat has a pawn."""
    if days.rick[seat] == NONE:
        return 0
    return book.cover[days.rick[seat]] | bit(days.morty[seat])


cdef inline uint8_t all_seats(const Book* book) noexcept nogil:
    return <uint8_t> ((1 << book.seats) - 1)


cdef inline int seat_after(const Book* book, int seat, int i) noexcept nogil:
    """The i-th seat to the left of a seat."""
    return (seat + i) % book.seats


cdef inline int total(const uint8_t* tokens) noexcept nogil:
    return tokens[0] + tokens[1] + tokens[2] + tokens[3]


cdef inline Frame* top_frame(Days* days) noexcept nogil:
    return &days.frame[days.depth - 1]


cdef inline void pose(Days* days, int seats, int prompt) noexcept nogil:
    """Ask the seats of a mask; NOTHING and 0: nobody."""
    days.prompt = <uint8_t> prompt
    days.asked = <uint8_t> seats


cdef void begin(Frame* frame, int kind, int seat, int card) noexcept nogil
cdef Frame* push_card(Days* days, int kind, int seat, int card) noexcept nogil
cdef Frame* push(Days* days, int kind, int seat) noexcept nogil
cdef Frame* open_event(Days* days, int kind, int seat, int place) noexcept nogil
cdef void pop(Days* days) noexcept nogil
cdef int ability(const Book* book, const Days* days, int seat, int which) noexcept nogil
cdef void show_progress(const Days* days, Sink* sink) noexcept nogil
