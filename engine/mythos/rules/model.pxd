# Mythos: the constants of a game (its book) and its world state.
#
# Cards are kinds (versions of a character, 0..239): copies of a kind are interchangeable, so no zone has identities that
# could leak. What an observer knows of a hidden card is the `known` mask of the unit, or a track (knowledge.pyx).
# A unit is a pile in play; its slot is public and stays the same until it leaves; its serial number is unique, so a
# reference is a slot with a serial.
from seatmate.engine.core.contract cimport CoreEvent, ask_one
from seatmate.engine.core.sink cimport Sink, emit1, emit2
from seatmate.engine.core.types cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.content.vocabulary cimport (
    ALL_THERE, CARDS, CHOICES, CODE, FRAMES, KINDS, LINES, LOOKED, MISSION_KINDS, MISSIONS, NONE, OPEN, QUESTIONS, QUEUE,
    ROUND_TURNS, SEATS, SELECTORS, STATICS, TOPS, TRACKS, TURN_PLAYS, TURN_REACTIONS, UNDER, UNITS,
)

# ---- Book: settings and compiled pack ----

cdef struct Compare:
    uint8_t attribute
    uint8_t op              # index into effects.OPERATORS
    uint8_t routine         # `value` is the address of an amount
    int32_t value

cdef struct Selector:
    uint64_t names          # masks; 0 = any
    uint32_t keywords
    uint8_t groups
    uint8_t negated         # bit 0 names, 1 keywords, 2 groups: none of these
    uint8_t name_of_k
    uint8_t base
    uint8_t face            # 1 up, 2 hidden
    uint8_t place           # 1 here, 2 elsewhere, 3 the mission of register M
    uint8_t exclude         # bit 0 the source, bit 1 the unit in register A
    uint8_t stacked
    uint8_t last_turn
    uint8_t compares
    uint8_t extreme         # 1 smallest, 2 largest
    uint8_t extreme_attribute
    uint8_t pick
    uint8_t pick_routine
    uint8_t plain           # nothing to check unit by unit
    int32_t pick_n
    Compare compare[2]

cdef struct Line:
    uint8_t trigger
    uint8_t flags
    uint16_t kind           # of the character, or MISSION_LINE + kind of the mission
    uint8_t by
    uint16_t events
    int16_t subject
    int16_t static
    int32_t when
    int32_t pay
    int32_t body

cdef struct Static:
    uint8_t verb
    uint8_t who
    uint8_t dynamic         # the arguments come from running `body`
    int32_t when
    int32_t body
    int16_t args[4]

cdef struct Character:
    uint64_t name           # 1 << number of the name
    uint32_t keywords
    uint8_t groups
    uint8_t cost
    uint8_t power
    uint8_t name_number
    uint16_t statics        # mask of 1 << (verb - POWER)
    uint8_t income          # it has a CHAKRA line
    uint8_t events          # mask of the events it has reactions to
    uint8_t replaces        # mask of the verbs it has replacements for
    uint8_t headings        # mask of MAIN, UPGRADE, AMBUSH, SCORE
    uint16_t first          # its lines, in printed order
    uint8_t lines

cdef struct Mission:
    uint8_t points
    uint16_t first
    uint8_t lines
    uint16_t statics
    uint8_t income
    uint8_t scores          # it has a SCORE line

cdef struct Book:
    # settings
    uint8_t open_lists
    uint8_t first           # NONE: random
    uint8_t alternate       # mission setup
    uint8_t reveal_wait
    uint8_t hidden_cost_attribute
    uint8_t enemy_clash
    uint8_t skip_gain
    uint8_t deck[SEATS][CARDS]      # kinds, ascending
    uint8_t deck_n[SEATS]
    uint8_t triple[SEATS][3]        # missions, ascending
    # limits
    uint8_t start_hand
    uint8_t round_draw
    uint8_t base_chakra
    uint8_t hidden_cost
    uint8_t copies
    uint8_t bonus[MISSIONS]
    # pack
    int characters
    int missions
    Character character[KINDS]
    Mission mission[MISSION_KINDS]
    Selector selector[SELECTORS]
    Line line[LINES]
    Static static[STATICS]
    int32_t code[CODE]
    int filters             # what TAKE_LOOKED lines look for, by the number in Mythos.top_not
    int16_t filter[32]
    # what sampling of hidden lists draws from: the ready-made decks
    int decks
    uint8_t ready[16][CARDS]
    uint8_t ready_n[16]
    uint8_t ready_triple[16][3]
    # what playing a card brings on average (judgement.pyx)
    float worth[KINDS]

# ---- World state ----

cdef struct Frame:          # 64 bytes, the payload of one event
    uint8_t type
    uint8_t sub             # how far the running call is (each verb's own steps)
    uint8_t flags
    uint8_t you             # controller of the line, seat that plays
    uint8_t unit            # source; NONE: a mission
    uint8_t here            # the source's mission, its last one if it left
    uint8_t registers       # the frame that holds the registers
    uint8_t verb            # running call, NO_VERB between calls; PLAY: kind of the card
    uint16_t line           # LINE: the line; PLAY: how many lines are done
    uint16_t serial         # of the source
    uint16_t at             # address behind the running call
    uint16_t target_serial
    int16_t args[4]         # of the running call
    uint8_t who
    uint8_t call            # CallFlag
    uint8_t target          # the unit the call works on
    uint8_t left            # choices to make, missions to go
    uint8_t step            # how far the target is (see verbs.pyx)
    uint8_t count           # units, cards or chakra the call really affected
    uint8_t card            # kind the call got hold of
    uint8_t other           # unit that may replace what befalls the target
    # registers
    uint8_t a
    uint8_t b
    uint8_t k
    uint8_t m
    uint16_t a_serial       # 0 = empty
    uint16_t b_serial
    int16_t x
    int16_t p
    int16_t power_before    # of the target, before the verb
    uint8_t looked          # cards of Mythos.looked that belong to this frame
    uint8_t not_filter      # 1 + number of the filter the looked-at cards don't match
    uint64_t picked         # chosen units: a mask, or with IN_ORDER one after the other, 6 bits each, 1 + slot
    uint64_t taxed          # units the tax was paid for

cdef struct Waiting:        # a line that waits for its turn
    uint16_t line
    uint16_t serial
    uint8_t unit            # NONE: the mission
    uint8_t mission         # for the mission's own line

cdef struct Tracks:
    # Cards of the other seat that one observer saw and then lost from sight (knowledge.pyx).
    uint64_t where[TRACKS]  # mask of slots, bit IN_TOP, bit IN_HAND
    uint8_t kind[TRACKS]
    uint8_t n

cdef struct Mythos:
    # units
    uint64_t side[SEATS]            # slots by controller
    uint64_t at[MISSIONS]           # slots by mission
    uint64_t up                     # face-up ones
    uint64_t linked                 # ones under a control effect
    uint64_t locked                 # ones Rashomon holds
    uint64_t arrived                # ones that came to where they are since the last state check
    uint8_t top[UNITS]              # kind of the top card
    uint8_t owner[UNITS]            # of the top card
    uint8_t below[UNITS]            # cards below the top
    uint8_t where[UNITS]            # mission
    uint8_t tokens[UNITS]
    uint8_t known[UNITS]            # who knows the top card: bits 0 and 1 the seats, 2 the spectators
    uint8_t link[UNITS]             # source of the control effect
    uint8_t lock[UNITS]             # what this Rashomon holds
    uint16_t link_serial[UNITS]     # 0 = none
    uint16_t lock_serial[UNITS]     # 0 = none
    uint16_t serial[UNITS]
    uint16_t arrival[UNITS]         # stamp of the last arrival or change of the face
    uint16_t turn_of[UNITS]         # turn in which it was last played, 0 = put by an effect
    uint8_t under_unit[UNDER]       # cards below tops: by slot, then from bottom to top
    uint8_t under_kind[UNDER]
    uint8_t under_owner[UNDER]
    uint8_t under_n
    # cards
    uint8_t hand_n[SEATS]
    uint8_t deck_n[SEATS]
    uint8_t discard_n[SEATS]
    uint8_t top_n[SEATS]
    uint8_t looked_n
    uint8_t hand[SEATS][CARDS]      # kinds, sorted; free places 0, as everywhere
    uint8_t deck[SEATS][CARDS]      # kinds, an unordered bag: cards are drawn lazily
    uint8_t discard[SEATS][CARDS]   # kinds, the last one on top
    uint8_t top_kind[SEATS][TOPS]   # cards on top of the deck whose place is known, 0 = next to be drawn
    uint8_t top_known[SEATS][TOPS]  # mask of the seats that know it
    uint8_t top_not[SEATS][TOPS]    # 1 + filter it is known not to match, 0 = none
    uint8_t looked[LOOKED]          # a stack of cards set aside, by frame
    # the table
    uint8_t triple[SEATS][3]        # missions each seat brought, ascending
    uint8_t mission[MISSIONS]       # in play
    uint8_t missions                # how many
    uint8_t chakra[SEATS]
    uint8_t points[SEATS]
    uint8_t edge
    uint8_t starter                 # who held the Edge first
    uint8_t active                  # whose turn it is; in the mission phase the winner, at the end the Edge holder
    uint8_t passed                  # mask
    uint8_t round
    uint8_t phase
    uint8_t step                    # Step
    uint8_t scoring                 # in the mission phase: the mission
    uint8_t mulligan[SEATS]         # 0 open, 1 keep, 2 redraw
    uint8_t prompt                  # Prompt
    uint8_t asked                   # the seat that is asked
    uint8_t chain_mission           # unfinished private chain of the asked seat: mission + 1
    uint16_t chain                  # ... and what it plays, as an action
    uint8_t plays                   # by effects in this turn, and reactions
    uint8_t defeated[SEATS]         # units lost since the last reactions, by controller
    uint16_t turn
    uint16_t round_turn             # its number before the round
    uint16_t last_turn[SEATS]       # last turn in which the seat played, 0 after a pass
    uint16_t serials                # given so far
    uint16_t arrivals
    uint16_t asks                   # public questions so far but for those of turns, which `turn` counts
    # what is being carried out
    uint8_t depth
    uint8_t queue_n
    uint8_t score_n
    Waiting queue[QUEUE]            # reactions
    Waiting score[QUEUE]            # SCORE and MISSION_LOST lines, or those of the round's end
    Frame frame[FRAMES]
    Tracks track[SEATS]

# ---- Small questions ----

cdef inline uint64_t units(const Mythos* state) noexcept nogil:
    return state.side[0] | state.side[1]


cdef inline int controller(const Mythos* state, int slot) noexcept nogil:
    """The seat on whose side a unit stands."""
    return <int> (state.side[1] >> slot & 1)


cdef inline bint is_up(const Mythos* state, int slot) noexcept nogil:
    return state.up >> slot & 1


cdef inline bint in_play(const Mythos* state, int slot, int serial) noexcept nogil:
    """Is this unit still the one the reference means?"""
    return slot < UNITS and serial and state.serial[slot] == serial


cdef inline uint64_t bit(int slot) noexcept nogil:
    return <uint64_t> 1 << slot


cdef inline Frame* top_frame(Mythos* state) noexcept nogil:
    """The frame that is being carried out; there must be one."""
    return &state.frame[state.depth - 1]

# ---- Chosen units ----

cdef inline uint64_t chosen(const Frame* f) noexcept nogil:
    """The units the running call has chosen and not worked on yet, as a mask."""
    cdef uint64_t rest = f.picked
    cdef uint64_t mask = 0
    if not f.call & V.IN_ORDER:
        return rest
    while rest:
        mask |= bit(<int> (rest & 63) - 1)
        rest >>= 6
    return mask


cdef inline void add_chosen(Frame* f, int slot) noexcept nogil:
    """One more unit is chosen, the last in order; there must be room."""
    cdef int at = 0
    if f.call & V.IN_ORDER:
        while f.picked >> at:
            at += 6
        f.picked |= <uint64_t> (slot + 1) << at
    else:
        f.picked |= bit(slot)


cdef inline void drop_chosen(Frame* f, int slot) noexcept nogil:
    """A unit is chosen no more; the others keep their order."""
    cdef uint64_t rest = f.picked
    cdef int at = 0
    if not f.call & V.IN_ORDER:
        f.picked &= ~bit(slot)
        return
    f.picked = 0
    while rest:
        if <int> (rest & 63) != slot + 1:
            f.picked |= (rest & 63) << at
            at += 6
        rest >>= 6

# ---- Questions ----

cdef inline void ask(Mythos* state, Sink* sink, int seat, int prompt, int public_class) noexcept nogil:
    """Ask a seat the first question of a public step; what is being carried out is told to all before."""
    state.prompt = <uint8_t> prompt
    state.asked = <uint8_t> seat
    if prompt != V.Q_TURN:
        state.asks += 1
    if sink != NULL:
        show_progress(state, sink)
        ask_one(sink, seat, prompt, public_class)


cdef inline void ask_on(Mythos* state, Sink* sink, int prompt) noexcept nogil:
    """Ask the same seat the next question of a private chain: nobody else notices."""
    state.prompt = <uint8_t> prompt
    emit2(sink, V.E_CHAIN, 1 << state.asked, state.chain, state.chain_mission - 1)
    emit1(sink, CoreEvent.ASK, 1 << state.asked, prompt)


cdef inline int deck_size(const Mythos* state, int seat) noexcept nogil:
    """All cards of the deck, known places included."""
    return state.deck_n[seat] + state.top_n[seat]


cdef inline int free_slot(const Mythos* state) noexcept nogil:
    """The lowest free slot, NONE if all are in use (R94)."""
    cdef uint64_t rest = ~units(state) & (bit(UNITS) - 1)
    return lowest_bit(rest) if rest else NONE


cdef inline bint room_for_line(const Mythos* state) noexcept nogil:
    """Below the cap (R94) there must be room for the line and what settles after its steps."""
    return state.depth <= FRAMES - 2


cdef inline bint room_for_play(const Mythos* state) noexcept nogil:
    """A play by an effect needs room for itself, a line of it and what settles. A full table takes no units."""
    return state.depth <= FRAMES - 5 and bit_count(state.side[0] | state.side[1]) < UNITS


cdef inline int first_looked(const Mythos* state, const Frame* f) noexcept nogil:
    """Where the frame's looked-at cards begin: behind those of the frames below."""
    cdef int at = 0
    cdef int i = 0
    while &state.frame[i] != f:
        at += state.frame[i].looked
        i += 1
    return at


cdef void show_progress(const Mythos* state, Sink* sink) noexcept nogil
cdef void hide_cards(Frame* frame) noexcept nogil
cdef void returns(const void* tables, const void* data, double* out) noexcept nogil
