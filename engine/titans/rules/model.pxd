# Titans: the constants of a game (its book) and its world state.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from seatmate.engine.titans.content cimport vocabulary as V

# ---- What the free-for-all does in its own way: rules/teams.pyx, rules/arena.pyx ----

cdef struct Book
cdef struct Titans

cdef struct Hooks:
    int (*draft_piece)(const Book* t, const Titans* state) noexcept nogil
    void (*lay_map)(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil
    void (*dealt)(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil
    void (*begin_round)(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil
    void (*next_turn)(const Book* t, Titans* state) noexcept nogil
    void (*fallen)(const Book* t, Titans* state, int mask, Sink* sink) noexcept nogil
    int (*leaders)(const Book* t, const Titans* state) noexcept nogil

# ---- Book: settings and compiled pack ----

cdef struct Row:            # a selector
    uint8_t base
    uint8_t each            # all of them, else one
    uint8_t here            # in the actor's place
    uint8_t icon            # at(...), border(...), or close(...); NONE
    uint8_t close           # in the icon's place or adjacent

cdef struct Card:
    uint8_t trigger
    uint8_t arena
    int32_t when            # address, -1: always
    int32_t pay
    int32_t body
    float worth             # how much a bot likes it

cdef struct Go:
    uint8_t kind            # Verb of the mission
    uint8_t icon            # where to
    uint8_t number          # clues, health of the monster
    uint8_t icons           # GIFTS_TO: mask
    uint8_t points
    uint8_t no_heal
    int32_t reveal          # address, -1: nothing

cdef struct Ability:
    uint8_t slot            # number on the die slot
    int32_t body[3]         # standard; ... with special; ... with the star, attack bonuses bound

cdef struct Board:
    uint8_t health
    uint8_t icons
    uint8_t limit           # 0 once per turn, 1 once per game, 2 passive
    uint8_t trap_immune
    int32_t innate          # address, -1: passive
    uint32_t first_game     # mask of cards
    float worth             # how much a bot likes it
    Ability ability[2]

cdef struct Book:
    const Hooks* hooks
    # settings
    uint8_t mode
    uint8_t seats
    uint8_t teams
    uint8_t pieces          # that seats own
    uint8_t first_game
    uint8_t flame_every_turn
    uint8_t begins                  # team with the initiative in round 1; NONE: the dice say
    uint8_t given[V.PIECES]         # characters without a draft; NONE
    uint8_t team_of[V.SEATS]        # of a seat
    uint8_t seat_of[V.PIECES]       # owner; NONE: Cyborg of the free-for-all
    uint8_t piece_team[V.PIECES]    # TEAMS for that Cyborg
    uint8_t seats_of[V.TEAMS]       # mask
    uint8_t mate[V.PIECES]          # the other piece of the team; NONE
    uint8_t dice                    # activation dice of a team
    uint8_t drafted                 # mask of boards
    uint16_t go_deck                # mask
    uint8_t recovery                # Step behind the start of a round, from round 2 on
    uint8_t fallen                  # Status of a piece that is KO'd
    uint8_t wild                    # Cyborg is out of control
    uint8_t common_traps            # teams have no traps of their own: they lie in row 0, hurt everybody, and can be stacked
    uint8_t trap_row[V.TEAMS]       # of a team's traps
    uint8_t foes_row[V.PIECES]      # of the traps that hurt a piece, and of the supply that stuns it
    # the box
    uint8_t face_value[6]
    uint8_t face_star[6]
    uint8_t icon_of[V.TILES]
    uint8_t tile_of[V.ICONS]        # the first tile with this icon
    uint8_t twin_of[2]              # the second base of each team
    uint8_t obstacles
    uint8_t fire
    uint8_t shields
    uint8_t escapes
    uint8_t traps                   # per team; free-for-all: all
    uint8_t gifts
    uint8_t clues
    uint8_t points
    uint8_t rounds
    uint8_t draw[V.SEATS]           # Mayhem cards the seat draws
    uint8_t same_icons              # all boards show the same number
    uint8_t is_cyborg               # mask of boards
    Board board[V.BOARDS]
    Card card[V.CARDS]
    Go go[V.GOS]
    uint32_t deck                   # cards in the game
    uint32_t of_trigger[7]          # mask of cards
    # map
    uint16_t adjacent[V.PLACES]
    uint8_t edges
    uint8_t edge_a[V.EDGES]
    uint8_t edge_b[V.EDGES]
    uint8_t edge_at[V.PLACES][V.PLACES]
    uint32_t edges_of[V.PLACES]     # mask
    # effects
    Row row[V.ROWS]
    int32_t code[V.CODE]

# ---- World state ----

cdef struct Piece:          # 16 bytes
    uint8_t character       # board; NONE: not chosen yet
    uint8_t place           # NONE: off the map
    uint8_t damage
    uint8_t fire
    uint8_t tokens          # Token
    uint8_t stun_team       # whose token the stun is
    uint8_t status          # Status
    uint8_t activations     # activations in this round
    uint8_t slot_die[2]     # value of the die on each ability, 0 = none
    uint8_t marks
    uint8_t pad[5]

cdef struct Team:           # 16 bytes
    uint8_t points
    uint8_t go              # GO! card in play, NONE
    uint8_t delivered       # GIFTS_TO: mask of icons
    uint8_t gifts           # still to deliver
    uint8_t clues           # collected
    uint8_t monster_place   # NONE
    uint8_t monster_damage
    uint8_t dice[2]
    uint8_t dice_used       # mask
    uint8_t played          # Mayhem card on the table, NONE
    uint8_t marks
    uint8_t pad[4]

cdef struct Frame:          # 20 bytes
    uint8_t kind
    uint8_t stage           # how far it is; program: ProgramStage
    uint8_t team            # program, QUEST: whose
    uint8_t seat            # program: who decides
    uint8_t actor           # program: the acting piece; ATTACK: attacker; ENTRY, ESCAPES: the mover; KO: the piece
    uint8_t target          # target (program: of the last attack); WINDOW: the piece it is about
    uint8_t other           # program: attacker or host; WINDOW W_ATTACKED: attacker
    uint8_t place           # ENTRY, WINDOW: entered
    uint8_t mode            # ENTRY: EntryMode; ATTACK: 0 melee, 1 ranged; WINDOW: Cause
    uint8_t source          # program: Source
    uint8_t verb            # program: running call
    uint8_t who             # ... 0 own team, 1 the other decides
    uint8_t may             # ... may be declined
    uint8_t asked           # WINDOW: seats, ESCAPES: pieces that had their turn
    uint8_t a               # program: first answer; ATTACK: bonus
    uint8_t b               # ATTACK: damage to the attacker afterwards
    uint16_t at             # program: address behind the running call
    int8_t args[2]          # of the running call

cdef struct Titans:
    uint64_t options        # legal answers of the asked seat, a mask; 0 where several are asked
    uint32_t hand[V.SEATS]  # masks of cards
    uint32_t aside[V.SEATS]  # set aside
    uint32_t used[V.SEATS]  # played
    uint32_t obstacles      # mask of edges
    uint16_t near[V.PLACES]  # neighbours across open borders; follows from obstacles and removed
    uint16_t removed        # mask of places
    uint16_t clues          # places with a clue
    uint16_t go_deck        # mask
    uint16_t go_done
    uint8_t tile[V.PLACES]  # NONE: face down
    uint8_t where[V.TILES]  # place of a tile; NONE
    uint8_t trap[2][V.PLACES]  # by team; free-for-all: row 0
    Team team[V.TEAMS]
    Piece piece[V.PIECES]
    uint8_t left[V.SEATS]   # cards still to set aside; picks still to make
    uint8_t step            # Step
    uint8_t at              # how far the step is
    uint8_t round
    uint8_t turn            # activations in this round
    uint8_t initiative      # team that has it
    uint8_t first           # team (free-for-all: seat) that drafts first
    uint8_t active          # piece, NONE
    uint8_t acting          # team whose turn it is
    uint8_t flags           # TurnFlag
    uint8_t slot            # die slot of this turn
    uint8_t die             # ... and the die on it
    uint8_t face            # Mayhem die; NONE before the first roll
    uint8_t burning         # mask of pieces: fire is being resolved
    uint8_t stood           # place where the slot ability was activated
    uint8_t pizza           # place, NONE
    uint8_t result          # mask of the teams that share the win, 0 = running
    uint8_t prompt          # Prompt
    uint8_t asked           # mask of seats
    uint8_t depth
    uint8_t spare
    Frame frame[V.FRAMES]

# ---- Small questions ----

cdef inline bint on_map(const Titans* state, int piece) noexcept nogil:
    return piece < V.PIECES and state.piece[piece].place != V.NONE


cdef inline bint friends(const Book* t, int a, int b) noexcept nogil:
    return t.piece_team[a] == t.piece_team[b]


cdef inline bint mate_fell(const Book* t, const Titans* state, int piece) noexcept nogil:
    """Has a team lost its other piece in this round?"""
    return t.mate[piece] != V.NONE and (state.piece[t.mate[piece]].status & V.KO_NOW) != 0


cdef inline uint16_t bit(int place) noexcept nogil:
    return <uint16_t> (1 << place)


cdef inline int endurance(const Book* t, const Piece* p) noexcept nogil:
    """Damage of one attack that a piece falls by: its health left, and what its shield takes."""
    return t.board[p.character].health - p.damage + (2 if p.tokens & V.SHIELD else 0)


cdef inline void changed(Titans* state) noexcept nogil:
    """The public position is another one; in a turn, the opponents of the active piece get a window for it (R14)."""
    if state.active != V.NONE:
        state.at |= V.CHANGED


cdef inline bint in_setup(const Titans* state) noexcept nogil:
    return state.step == V.S_DRAFT or state.step == V.S_SET_ASIDE or state.step == V.S_COMP


cdef inline int value_of(const Book* t, const Titans* state) noexcept nogil:
    """The number on the Mayhem die."""
    return t.face_value[state.face] if state.face != V.NONE else 0


cdef inline uint16_t full_places(const Titans* state) noexcept nogil:
    """Places without a free slot, removed ones included."""
    cdef uint16_t one = 0
    cdef uint16_t two = state.removed
    cdef uint16_t here
    cdef int i
    for i in range(V.PIECES):
        if state.piece[i].place != V.NONE:
            here = bit(state.piece[i].place)
            two |= one & here
            one |= here
    return two


cdef inline uint16_t steps_of(const Book* t, const Titans* state, int piece) noexcept nogil:
    """Places a piece on the map could move to; 0 if it is locked."""
    cdef const Piece* p = &state.piece[piece]
    if p.marks & V.LOCK:
        return 0
    return (t.adjacent[p.place] if p.marks & V.GHOST else state.near[p.place]) & ~full_places(state)


cdef inline bint no_heal(const Book* t, const Titans* state, int team) noexcept nogil:
    return state.team[team].go != V.NONE and t.go[state.team[team].go].no_heal


cdef inline bint asks_for(const Book* t, const Titans* state, int team, int kind) noexcept nogil:
    """Has the team a GO! card in play with a mission of this kind?"""
    return state.team[team].go != V.NONE and t.go[state.team[team].go].kind == kind


cdef inline uint16_t icon_places(const Book* t, const Titans* state, int icon) noexcept nogil:
    """The places that show an icon: one, or the two bases of a team."""
    cdef int tile = t.tile_of[icon]
    cdef uint16_t mask = bit(state.where[tile])
    if icon >= 6:
        mask |= bit(state.where[t.twin_of[icon - 6]])
    return mask


cdef inline uint16_t bases_of(const Book* t, const Titans* state, int team) noexcept nogil:
    return icon_places(t, state, 6 + team)


cdef inline int captain(const Book* t, const Titans* state, int team) noexcept nogil:
    """Who answers for the team: of two seats they take turns by rounds (R8)."""
    cdef int mask = t.seats_of[team]
    cdef int low = 0
    cdef int high = 3
    while not mask >> low & 1:
        low += 1
    while not mask >> high & 1:
        high -= 1
    return low if state.round & 1 else high


cdef inline Frame* top_frame(Titans* state) noexcept nogil:
    return &state.frame[state.depth - 1]


cdef inline int side(const Frame* f) noexcept nogil:
    """The team that carries out the running call."""
    return f.team if not f.who else 1 - f.team


cdef inline void end_call(Frame* f, bint did) noexcept nogil:
    """The running call is over."""
    f.verb = V.NO_VERB
    f.who = 0
    f.may = 0
    f.a = 0
    f.b = 0
    f.args[0] = 0
    f.args[1] = 0
    f.stage = <uint8_t> ((f.stage & ~V.DID) | (V.DID if did else 0))


cdef inline void pose(Titans* state, int seat, int prompt) noexcept nogil:
    """Ask a seat next; flow.go_on tells, or answers where there is one answer only."""
    state.prompt = <uint8_t> prompt
    state.asked = <uint8_t> (1 << seat)


cdef void show_progress(const Titans* state, Sink* sink) noexcept nogil
cdef void ask_together(Titans* state, Sink* sink, int seats, int prompt) noexcept nogil
cdef void returns(const void* tables, const void* data, double* out) noexcept nogil
