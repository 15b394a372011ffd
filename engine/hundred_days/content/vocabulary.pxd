# Hundred Days: the words of the notation, questions, events and steps, as numbers, which Python reads, too.
#
# A name without its prefix is the word: V_STEAL is the verb STEAL, Q_TURN the prompt TURN, E_TAX the event TAX. The enums have
# no names of their own because Cython takes no member of a named one for an index.

cpdef enum:             # sizes and special numbers
    SEATS = 4           # at most
    TYPES = 4
    TILES = 20
    CARDS = 81
    WORTHS = 32             # numbers by which bots judge answers, at most
    PLACES = 7          # 0 the Smith house, 1..6 the ring
    SPACES = 19         # of a Rick
    FRAMES = 14
    STEPS = 3           # of a program
    NONE = 255
    NOBODY = 254        # owner of a tile that lies on the board
    BANISHED = 253
    MOST_ACTIONS = 6
    ROOM = 5            # frames that a window must leave: a reaction, a closing it makes, a chain for each other seat
    MOST_ROUNDS = 50    # a pack may say less
    MOST_TURNS = 60     # ... of each seat in an adventure phase
    MOST_GARAGE = 40    # garage tokens
    MOST_RESOURCES = 15     # of a type

cpdef enum:             # Verb: the steps of an effect
    V_NONE
    V_GAIN
    V_STEAL
    V_HALVE
    V_TRADE
    V_DRAW
    V_DROP
    V_TAKE
    V_FETCH
    V_DESTROY
    V_BANK
    V_GRAB
    V_GUARD
    V_GARAGE
    V_MOVER
    V_MOVEM
    V_SWAPR
    V_SWAPT
    V_BANISH
    V_HARVEST
    V_CLOSE
    V_DISC
    V_EXTRA
    V_COPY
    V_CANCEL
    V_MIRROR
    VERBS

cpdef enum:             # Ability: what lasts
    A_WAIVE
    A_CLOSE_DRAW
    A_TOLL
    A_BAR
    A_SAFE_TOKENS
    A_SAFE_CARDS
    A_MOVE_ONE
    A_UNCONTESTED
    A_HARVEST_PLUS          # a mask of types
    A_GARAGE_PLUS
    A_DRAW_PLUS
    A_HAND_LIMIT
    A_TAX_DOWN
    A_WIN_TIES
    ABILITIES

cpdef enum:             # Head: when a line of a card counts
    H_DO
    H_ROUND
    H_REACT
    H_USE
    H_ENTER
    H_PASSIVE

cpdef enum:             # CardKind
    K_ACTION
    K_PLACE
    K_REACTION
    K_ITEM
    K_CHARACTER

cpdef enum:             # Party: of whom a verb speaks
    P_ME
    P_X                     # the chosen seat
    P_OPPS                  # every other seat
    P_SRC                   # the seat whose event is answered

cpdef enum:             # Chooser: who chooses the types of stolen tokens
    BY_ME
    BY_OWNER

cpdef enum:             # Manner: of GAIN
    M_ANY
    M_SAME
    M_DIFF

cpdef enum:             # Resource: mega seeds, schmeckles, time crystals, dark matter
    R_M
    R_S
    R_T
    R_D
    ANY_TYPE                # of a cost: one type of the payer's choice

cpdef enum:             # Base: what a selector begins with
    B_OPP
    B_OPPS
    B_SRC
    B_GREEN
    B_ITEM
    B_CHARACTER
    B_ACTION
    B_TILE
    B_CLOSABLE
    NO_BASE

cpdef enum:             # Filter
    F_TOK
    F_HAND
    F_NEAR
    F_OPP
    F_OWN
    F_GENERAL
    F_FREE
    F_COPY
    F_MINE
    F_BANISHABLE

cpdef enum:             # Register
    G_X
    G_C
    G_P
    G_Q
    REGISTERS

cpdef enum:             # FrameKind: what is being carried out
    C_NONE
    C_BLUE                    # events, which open windows
    C_GREEN
    C_ITEM
    C_MOVE
    C_CLOSE
    C_REACT
    C_REVEAL
    C_HARVEST
    C_GAINING                 # chains of small questions: tokens from the Federation
    C_SAME                    # ... so many of one type
    C_LEAVING                 # which printed tokens are left
    C_TAKING                  # ... are taken
    C_STEALING                # tokens of another seat, chosen by the thief
    C_GIVING                  # ... by the owner
    C_HALVING
    C_TRADING
    C_DROPPING                # cards of the hand are given up
    C_LOOKING                 # at a hand, to take a card
    C_MOVING_RICK
    C_MOVING_MORTY
    FRAME_KINDS

cpdef enum:             # Trigger: bits of a reaction: the events by their FrameKind, then
    ON_HIT = 9              # an event that harms me
    ON_HIT_BLUE = 10
    ON_ANY = 11

cpdef enum:             # Stage: of an event
    DECLARING               # card, targets, cost
    OPENING                 # the window
    ASKING                  # seats answer
    REOPENING               # the window, after a reaction
    RESOLVING
    RUNNING                 # the steps of the program
    PAYING                  # C_CLOSE: waivers
    SETTLING                # ... cards and tolls that follow it
    ENDING

cpdef enum:             # Mark: flags of a frame
    CANCELLED = 1
    MIRRORED = 2            # the program of another seat's card, run against that seat
    VOID = 4                # no target: the program is skipped
    PAID = 8
    MARKS = 16

cpdef enum:             # Step: where the round is
    S_ROUND
    S_MISSION
    S_REVEAL
    S_INITIATIVE
    S_GARAGE
    S_TURN
    S_HARVEST
    S_RESOURCES
    S_CARDS
    S_DISCARD
    S_ROUND_END
    S_OVER

cpdef enum:             # Question
    Q_PLACE_RICK
    Q_PLACE_MORTY
    Q_REACT
    Q_TURN
    Q_AFTER
    Q_SEAT
    Q_CARD
    Q_PLACE
    Q_PLACE2
    Q_SPACE
    Q_MPLACE
    Q_PAY
    Q_TYPE_GAIN
    Q_TYPE_TAKE
    Q_TYPE_LEAVE
    Q_TYPE_STEAL
    Q_TYPE_GIVE
    Q_TYPE_HALVE
    Q_TRADE_OUT
    Q_TRADE_IN
    Q_WAIVE
    Q_HAND_DROP
    Q_HAND_TAKE
    Q_OVERFLOW
    Q_NOTHING

cpdef enum:             # Answer: of TURN and AFTER, beside 0 and the places 1..6
    MOVE_RICK = 7
    PLAY = 100              # + card
    USE = 200
    GUARD = 300
    JUMP = 400              # a reaction that may be played at any time
    ANSWERS = 481
    STOP = 4                # of TRADE_OUT and WAIVE

cpdef enum:             # Reason: why tokens change hands
    WHY_CARD                 # GAIN, C_HARVEST, TRADE and the like
    WHY_HARVEST
    WHY_GARAGE
    WHY_COST
    WHY_CLOSING
    WHY_THEFT
    WHY_TOLL

cpdef enum:             # Zone: of a card; + seat for the last three
    Z_DECK
    Z_GENERAL
    Z_LIMBO
    Z_HAND = 8
    Z_PLAY = 16
    Z_PILE = 24

cpdef enum:             # Event
    E_TILE = 3              # FIRST_GAME_EVENT
    E_BLACK_HOLE
    E_DIE
    E_ROLL
    E_FIRST
    E_PLACES
    E_RICK
    E_MORTY
    E_SWAP_TILES
    E_BANISH
    E_TOKENS
    E_TAX
    E_GARAGE
    E_GUARD
    E_DRAW
    E_DRAW_ID
    E_RESHUFFLE
    E_PLAY
    E_USE
    E_REACT
    E_TARGET
    E_CARD
    E_LOOK
    E_LOOK_ID
    E_WINDOW
    E_WINDOW_END
    E_CLOSE
    E_PASS
    E_END_TURN
    E_PHASE
    E_SCORE
    E_FLOW
    E_FRAME
    EVENTS
