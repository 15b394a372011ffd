# Monster Chase: its book (settings, compiled pack and track) and its world state.
from seatmate.engine.core.cardset cimport CardSet
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport action_t, int8_t, uint8_t, uint16_t, uint32_t, uint64_t
from seatmate.engine.core.zones cimport add_bits
from seatmate.engine.monster_chase.content.vocabulary cimport (
    CARDS, FRAMES, HAND, LANES, LENGTH, MODS, NITROS, NONE, PREY, PROGRAMS, ROUND, ROW, RUSH, SLOTS, SQUARES, STEPS, TYPES, VALUES,
    VEHICLES, WORTHS,
)

# ---- Book ----

cdef struct Square:
    uint16_t b              # its front edge, in units of the tile's length
    uint8_t slot
    uint8_t lane
    uint8_t idx
    uint8_t ways            # squares ahead; the first is straight ahead, or where an arrow leads
    uint8_t ahead[3]
    uint8_t back
    uint8_t sides
    uint8_t side[4]
    uint8_t rounds          # adjacent squares
    uint8_t round[ROUND]
    uint8_t flags           # Flag
    uint8_t boulder         # number of its slot, 0
    uint8_t ice
    uint8_t number          # of a mirror, portal, paw, crater, snow or arch square
    uint8_t boost           # 1 ... : which boost token lies here

cdef struct Tile:
    uint8_t special         # Special
    uint8_t start           # first square
    uint8_t n               # squares
    uint8_t long_lane[LANES]        # squares of each lane, with those left out
    uint8_t at[LANES][ROW]          # the square, or NONE
    uint8_t line[LANES]             # first index past the checkpoint line
    uint8_t boulder[7]              # the square of each number, NONE
    uint8_t ice[7]
    uint8_t numbered[7]

cdef struct Who:            # a selector
    uint8_t base
    uint8_t filters
    uint8_t near
    uint8_t pick

cdef struct ProgramStep:
    uint8_t verb
    int8_t n
    uint8_t place
    uint8_t k               # of a place; of TURN the key
    uint8_t condition
    uint8_t condition_n
    Who who

cdef struct Program:
    uint8_t start
    uint8_t n

cdef struct PreyKind:
    uint8_t hearts
    uint8_t discards
    uint8_t auras

cdef struct Change:         # of the state of a Boss
    uint8_t trigger         # Trigger
    uint8_t below           # the counter must be at most n, else at least
    uint8_t n

cdef struct Book:
    uint8_t mode
    uint8_t seats
    uint8_t vehicles
    uint8_t cars            # vehicles without the Boss
    uint8_t boss            # its number, NONE
    uint8_t winter
    uint8_t chooses         # pilots are chosen, not dealt
    uint8_t drafts          # likewise in teams
    uint8_t stables
    uint8_t stable_size
    uint8_t hands           # Hands
    uint8_t extras          # manoeuvres (and the shields they bring)
    uint8_t furbots
    uint8_t round_cap
    uint8_t green           # green positions
    uint8_t boss_place      # where the Boss starts
    uint8_t max_hp
    uint8_t hearts
    uint8_t star_max
    uint8_t hand
    uint8_t shield_max
    uint8_t manoeuvre_shields
    uint8_t conn_base
    uint8_t ram_damage
    uint8_t ram_push
    uint8_t obstacle_damage
    uint8_t missile_damage
    uint8_t missile_cap
    uint8_t offtrack_star
    uint8_t boss_heal
    uint8_t bot_star
    uint8_t boost_points
    uint8_t spin_cost
    uint8_t sand_extra
    uint8_t yeti_max
    uint8_t flip
    uint8_t flip_of_two
    uint8_t prey_start
    uint8_t nitro_gap
    uint8_t boulders        # supplies
    uint8_t bombs
    uint8_t slabs
    uint8_t shields
    uint8_t nitro[NITROS]
    uint8_t prey_set[PREY]
    uint8_t sprint[VEHICLES]        # cards of the first hand, by position
    uint8_t rush[VEHICLES]
    uint8_t grid[VEHICLES]          # squares of the start tile, by position
    uint8_t kind[VEHICLES]
    uint8_t seat[VEHICLES]          # NONE: nobody's
    uint8_t stable[VEHICLES]
    uint8_t total[TYPES]            # movement cards
    uint8_t tiles
    uint8_t squares
    uint8_t snout                   # its first square, NONE
    uint16_t reserves               # slots, a mask
    PreyKind prey[PREY]
    Change to_furious
    Change to_normal
    int8_t negative[CARDS][MODS]
    int8_t positive[CARDS][MODS]
    int8_t always[MODS]
    int8_t state[2][MODS]           # normal, furious
    uint32_t with_mod[MODS]         # positive auras
    double worth[WORTHS]    # of answers to bots (advice/actions.pyx)
    Program program[PROGRAMS]
    ProgramStep step[STEPS]
    Tile tile[SLOTS]
    Square square[SQUARES]
    uint8_t distance[SQUARES][SQUARES]

# ---- World state: first what all see, then hands and the deck ----

cdef struct Frame:          # 16 bytes
    uint8_t kind            # FrameKind
    uint8_t stage
    uint8_t v               # the vehicle
    uint8_t w               # another one: rammed, target of a transfer, whose card it is
    uint8_t left            # points, damage, missiles
    uint8_t n
    uint8_t sq
    uint8_t old             # where it stood before
    uint8_t card            # type of the card, or an effect
    uint8_t program
    uint8_t at              # of the program: the step
    uint8_t how             # How
    uint16_t mask           # vehicles, boosts
    uint8_t flags           # Mark
    uint8_t extra

cdef struct Car:            # 16 bytes
    int8_t lap              # lap slot: tiles entered since the start
    int8_t cp               # the greatest lap slot whose checkpoint line was passed
    uint8_t sq              # NONE: not on the track
    uint8_t damage
    uint8_t star
    uint8_t shields
    uint8_t spun            # 1 spun, 2 spun in this action
    uint8_t flags           # CarFlag
    uint16_t marks          # slots whose special tile goes off at the end of the action
    uint8_t arch            # the arch square that was passed last
    uint8_t spirit          # type of the card below the board, NONE
    uint8_t nitro           # NONE
    uint8_t board           # pilot, NONE
    uint8_t sprint          # cards in hand
    uint8_t rush

cdef struct Flow:
    uint8_t round
    uint8_t step            # Step
    uint8_t at              # how far the step is
    uint8_t turn            # position in `order`
    uint8_t current         # the vehicle whose turn it is, NONE
    uint8_t turn_flags      # TurnFlag
    uint8_t actor           # the vehicle whose action it is
    uint8_t eoa             # end of the action: its stage, 0 not reached
    uint8_t eoa_at
    uint8_t power           # level of the star power under way, 0
    uint8_t result          # Result
    uint8_t prompt
    uint8_t asker           # the vehicle that decides
    uint8_t asked           # mask of seats
    uint8_t tied_prompt     # what the Boss can't decide
    uint8_t scratch         # a simulated copy
    uint8_t dealt           # ... damage to pilots in it
    uint8_t furious
    uint8_t began_furious
    int8_t hp
    uint8_t lost_turn
    uint8_t lost_round
    uint8_t turn_squares
    uint8_t armour_used
    uint8_t prey_slot
    uint8_t negative        # aura, NONE
    uint8_t assault         # NONE
    uint8_t last_aura       # discarded last
    uint8_t last_assault
    uint8_t snout
    uint8_t boulders        # supplies
    uint8_t bombs
    uint8_t slabs
    uint8_t shields
    uint8_t chosen          # the Boss card's value, a die and the like
    uint8_t first_stable
    uint16_t tied           # mask of options
    uint16_t rolled         # slots that have been entered
    uint16_t reserves
    uint16_t done           # vehicles that have been served in a stage
    uint8_t placed[3]       # bombs put down by this list
    uint8_t deck_sprint     # cards left
    uint8_t deck_rush
    uint8_t vehicles
    uint8_t open[PREY]
    uint8_t sheltered[PREY]
    uint8_t nitro[NITROS]
    uint8_t rank[VEHICLES]
    uint8_t order[VEHICLES]
    int8_t turn_mod[MODS]
    CardSet positive        # auras in play
    CardSet discards        # auras, and assaults from CARDS on

cdef struct Chase:
    Flow flow
    Car car[VEHICLES]
    uint8_t object[SQUARES]
    uint8_t discard[TYPES]  # movement cards
    uint8_t depth
    uint8_t spare
    Frame frame[FRAMES]
    uint8_t hand[VEHICLES][HAND]    # types, ascending; NONE
    uint8_t deck[TYPES]
    uint8_t tail[2]

# ---- What is being carried out: how it goes on, what it asks, what an answer does ----

ctypedef void (*run_fn)(const Book* book, Chase* chase, Frame* frame, Rng* rng, Sink* sink) noexcept nogil
ctypedef int (*options_fn)(const Book* book, const Chase* chase, const Frame* frame, action_t* out) noexcept nogil
ctypedef void (*answer_fn)(const Book* book, Chase* chase, Frame* frame, int action, Rng* rng, Sink* sink) noexcept nogil

cdef struct Kind:
    run_fn run
    options_fn options
    answer_fn answer

cdef void define(int kind, run_fn run, options_fn options, answer_fn answer) noexcept
cdef const Kind* all_kinds() noexcept

# ---- Small questions ----

cdef inline uint16_t bit(int v) noexcept nogil:
    return <uint16_t> (1 << v)


cdef inline int held(const Chase* chase, int v) noexcept nogil:
    """Cards in the hand of a vehicle."""
    return chase.car[v].sprint + chase.car[v].rush


cdef inline int progress(const Book* book, const Chase* chase, int v) noexcept nogil:
    """How far a vehicle has come, in units of a tile's length (4.3)."""
    return LENGTH * chase.car[v].lap + (book.square[chase.car[v].sq].b if chase.car[v].sq != NONE else 0)


cdef inline int next_square(const Book* book, int sq) noexcept nogil:
    """The square straight ahead, or NONE."""
    return book.square[sq].ahead[0] if book.square[sq].ways else NONE


cdef inline int effect_of(int type) noexcept nogil:
    """The effect of a movement card."""
    return type % RUSH // VALUES


cdef inline void begin_action(Chase* chase, int v) noexcept nogil:
    """What is pushed now is an action of the vehicle; its end is carried out behind it (5.5)."""
    chase.flow.actor = <uint8_t> v
    chase.flow.eoa = 1
    chase.flow.done = 0


cdef inline void go_to(Chase* chase, int step) noexcept nogil:
    """The next step of a turn or a round, from its beginning."""
    chase.flow.step = <uint8_t> step
    chase.flow.at = 0


cdef inline int count_up(int first, int n, action_t* out) noexcept nogil:
    """n answers from `first` on; returns n."""
    return add_bits((<uint64_t> 1 << n) - 1, first, out, 0)


cdef inline bint decides_nothing(const Book* book, int v) noexcept nogil:
    """Bots and the Boss."""
    return book.kind[v] >= 3


cdef inline int occupant(const Book* book, const Chase* chase, int sq) noexcept nogil:
    """The vehicle on a square, or -1."""
    cdef int v
    for v in range(book.vehicles):
        if chase.car[v].sq == sq:
            return v
    return -1


cdef int position(const Book* book, const Chase* chase, int v) noexcept nogil
cdef bint green(const Book* book, const Chase* chase, int v) noexcept nogil
cdef int mod(const Book* book, const Chase* chase, int v, int key) noexcept nogil
cdef int worst_seat(const Book* book, const Chase* chase, int stable) noexcept nogil
cdef int decider(const Book* book, const Chase* chase, int v) noexcept nogil
cdef void pose(const Book* book, Chase* chase, int v, int prompt) noexcept nogil
cdef void pose_seat(Chase* chase, int seat, int prompt) noexcept nogil
cdef Frame* push(Chase* chase, int kind, int v) noexcept nogil
cdef void pop(Chase* chase) noexcept nogil
cdef void tell_changes(const Chase* before, const Chase* after, Sink* sink) noexcept nogil
