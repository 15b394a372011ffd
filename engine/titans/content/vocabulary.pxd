# Titans: sizes, the words of the notation, prompts, answers and events, as numbers, which Python reads, too.
#
# A name without its prefix is the word: V_HEAL is the verb HEAL, Q_MOVE the prompt MOVE, E_KO the event KO. The enums have
# no names of their own because Cython takes no member of a named one for an index.

cpdef enum:             # sizes and special numbers
    PLACES = 10
    EDGES = 19              # at most
    PIECES = 4
    SEATS = 4               # at most
    TEAMS = 3               # at most
    CARDS = 22
    GOS = 12
    BOARDS = 4
    TILES = 10
    ICONS = 8
    FRAMES = 30
    NONE = 255
    CODE = 4096
    ROWS = 96               # selectors
    CYBORG = 3              # the piece without an owner, in the free-for-all
    MONSTER_TARGET = 4      # as an answer to TARGET

# ---- Modes ----

cpdef enum:             # Mode
    MODE_DUEL
    MODE_TEAM3
    MODE_TEAM4
    MODE_FFA3
    MODE_COMP

# ---- The words of the notation ----

cpdef enum:             # Trigger
    T_START
    T_SELF
    T_HOSTILE
    T_ATTACKED
    T_ENTERED
    T_MOVED
    T_KO

cpdef enum:             # Verb
    V_MELEE
    V_RANGED
    V_DMG
    V_DAMAGE
    V_HEAL
    V_MOVE
    V_OBST
    V_IGNITE
    V_PULL
    V_PUSH
    V_DISPLACE
    V_STUN
    V_TELEPORT
    V_TRAP
    V_SHIELD
    V_ESCAPE
    V_FETCH
    V_CLEANSE
    V_REROLL_MAYHEM
    V_REROLL_ACT
    V_SET_ACT
    V_REROLL_PLACED
    V_XFERFIRE
    V_FLAG
    V_PLACE
    V_GIFTS
    V_FORGO_MOVE
    V_PIZZA_TO              # from here on: missions
    V_GIFTS_TO
    V_CLUES
    V_MONSTER
    V_BOTH_AT
    V_BOTH_OPP_BASES
    V_ABILITY_AT
    V_ROLL_STAR
    V_KO_OPPONENT
    V_NOHEAL                # what lasts
    V_TRAP_IMMUNE
    VERBS
    NO_VERB = 255

cpdef enum:             # Base
    B_SELF
    B_ACT
    B_TGT
    B_ATK
    B_HOST
    B_OWN
    B_ENEMY
    B_NEAR                  # from here on: places or borders
    B_ANY
    B_AT
    B_BORDER
    B_OWNBASE
    B_SPECIAL

cpdef enum:             # Flag: FLAG(...)
    F_GHOST
    F_LOCK
    F_ATK1
    F_TRAPSTUN
    F_SPECIAL_ON
    F_SPECIAL_OFF
    F_NEXT2

cpdef enum:             # MissionToken
    MISSION_PIZZA
    MISSION_CLUE
    MISSION_MONSTER
    MISSION_GIFT            # events only

cpdef enum:             # Condition
    C_DIE_BELOW
    C_OBSTACLES
    C_WOUNDED
    C_HEALS
    C_FREE_MOVE
    C_DAMAGED
    C_GHOST
    C_LOCKED
    C_STUNNED
    C_FIRE
    C_TELEPORTS
    C_STEPS
    C_DISPLACEABLE
    C_TRAPS
    C_SLOT_USED
    C_FETCHABLE
    C_NEAR_OWN
    C_STUN_TOKEN
    C_SAME_PLACE
    C_ON_MAP

# ---- Prompts ----

cpdef enum:             # Prompt
    Q_DRAFT
    Q_SETASIDE
    Q_COMP_CHAR
    Q_COMP_CARD
    Q_FIRST_PLACE
    Q_REPLACE
    Q_WINDOW
    Q_PIECE
    Q_DIE_SLOT
    Q_MOVE
    Q_ABILITY
    Q_TARGET
    Q_DEST
    Q_VICTIM
    Q_OBST_SRC
    Q_OBST_EDGE
    Q_TRAP_PLACE
    Q_ESCAPE
    Q_DICE_MASK
    Q_DIE
    Q_GO_PIECE
    Q_GO_PLACE
    Q_CYBORG
    Q_REMOVE
    Q_NOTHING               # nobody is asked (yet)

cpdef enum:             # Answer
    STAY = 10               # MOVE
    END_TURN = 0            # ABILITY
    USE_SLOT = 1
    USE_INNATE = 2
    DECLINE = 15            # DEST, VICTIM, TARGET, TRAP_PLACE, ESCAPE, CYBORG
    NO_OBSTACLE = 31        # OBST_SRC
    PLAY_CARD = 32          # MOVE, ABILITY: + card

# ---- Events ----

cpdef enum:             # EventKind
    E_CONFIG = 3
    E_DRAFT
    E_COMP_PICK
    E_COMP_REVEAL
    E_TILES
    E_MAYHEM_DRAW
    E_MAYHEM_COUNT
    E_SETASIDE
    E_SETASIDE_COUNT
    E_DEAL_FIXED
    E_ROUND
    E_ROLL_ACT
    E_INITIATIVE
    E_ROLL_MAYHEM
    E_GO_REVEAL
    E_GO_DONE
    E_GO_SHUFFLE
    E_WINDOW
    E_PASS
    E_CARD
    E_PIECE
    E_DIE_SLOT
    E_STAY
    E_ENTER
    E_ABILITY
    E_INNATE
    E_ATTACK
    E_ATTACK_FAILED
    E_DAMAGE
    E_MONSTER_DAMAGE
    E_HEAL
    E_TOKEN
    E_TRAP
    E_TRAP_TRIGGER
    E_OBST
    E_DECLINE
    E_DIE_CHANGE
    E_FLAG
    E_KO
    E_VP
    E_MISSION_TOKEN
    E_TILE_REMOVED
    E_FLAME
    E_TURN_END
    E_ROUND_END
    E_GAME_END
    E_FLOW
    E_FRAME

cpdef enum:             # EntryMode
    BY_MOVE
    BY_PULL
    BY_PUSH
    BY_TELEPORT
    BY_FETCH
    BY_PLACE

cpdef enum:             # DamageSource
    HARM_ATTACK
    HARM_TRAP
    HARM_FIRE
    HARM_EFFECT

cpdef enum:             # TokenKind: E_TOKEN; the last two are carried by pieces, too
    TK_FIRE
    TK_STUN
    TK_SHIELD
    TK_ESCAPE
    TK_PIZZA

cpdef enum:             # Cause: of a window
    W_ROUND_START
    W_ACTIVATION
    W_MATE
    W_ENTER
    W_ATTACKED
    W_KO
    W_CHANGE                # W_ACT2 of R14

# ---- What the bytes of a state mean ----

cpdef enum:             # Token: Piece.tokens
    STUN = 1
    SHIELD = 2
    ESCAPE = 4
    HAS_PIZZA = 8

cpdef enum:             # Status: Piece.status
    KO_NOW = 1              # in this round
    ELIMINATED = 2
    INNATE_SPENT = 4        # once per game

cpdef enum:             # Marks: Piece.marks, until the end of the round
    GHOST = 1
    LOCK = 2

cpdef enum:             # TeamMarks: Team.marks, likewise
    ATK1 = 1
    TRAPSTUN = 2

cpdef enum:             # TurnFlag
    MOVED = 1
    FORFEIT = 2
    SLOT_USED = 4
    INNATE_USED = 8
    SPECIAL_ON = 16
    SPECIAL_OFF = 32
    NEXT2 = 64
    FLAME = 128             # Cyborg was attacked

cpdef enum:             # Due: Titans.at in MOVE and ABILITY: before the next menu (R14) ...
    MATE_ASKED = 1          # ... the mate's seat has been asked
    CHANGED = 2             # ... the opponents have not been asked since the position changed

cpdef enum:             # FrameKind
    K_NONE
    K_PROGRAM               # a compiled effect is carried out
    K_ATTACK
    K_ENTRY                 # a piece has come to a place
    K_WINDOW                # seats may play cards
    K_ESCAPES               # holders of escape tokens may answer a move
    K_KO                    # what follows a KO
    K_QUEST                 # a GO! card is completed or revealed

cpdef enum:             # Source: of a program: a card's number, or ...
    FROM_GO = 32
    FROM_SLOT = 64          # + 2 * piece + slot
    FROM_INNATE = 80        # + piece

cpdef enum:             # ProgramStage: stage of a program
    IN_BODY = 1             # past what is paid
    DID = 2                 # the last step did something
    SPECIAL = 4             # an ability with its special tier

cpdef enum:             # Step
    S_DRAFT
    S_SET_ASIDE
    S_COMP
    S_ROUND                 # B1, B2: dice, initiative
    S_FIRST_PLACE           # B3: first placement
    S_MAYHEM_DIE            # B4: Mayhem die
    S_GO_CARDS              # B5: GO! cards
    S_START_CARDS           # B6: round-start cards
    S_RETURN                # V1: back onto the map
    S_BURN                  # V2: fire
    S_SMOKE                 # ... and one fire token leaves
    S_TURN                  # whose turn
    S_MOVE_CYBORG           # A0
    S_PIECE                 # A1
    S_DIE                   # A2
    S_PRESENT               # A3: missions where the piece stands
    S_HOSTILE_CARDS         # A4: cards of the opponents
    S_MOVE                  # A5
    S_ABILITY               # A7
    S_TURN_END              # A8
    S_REMOVE                # Z1: a place leaves
    S_ROUND_END             # Z2, Z3
    S_OVER
