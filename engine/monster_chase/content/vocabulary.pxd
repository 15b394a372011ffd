# Monster Chase: the words of the notation, questions, events and steps, as numbers, which Python reads, too.
#
# A name without its prefix is the word: V_DMG is the verb DMG, Q_CARD the prompt CARD, E_RAM the event RAM. The enums have no
# names of their own because Cython takes no member of a named one for an index.

cpdef enum:             # sizes and special numbers
    SEATS = 8           # at most
    VEHICLES = 9
    PILOTS = 8          # boards
    SQUARES = 240
    SLOTS = 12          # tiles of a circuit
    LANES = 3
    ROW = 8             # squares of a lane on one tile, at most
    ROUND = 8           # links around a square, at most
    HAND = 8            # cards
    TYPES = 70          # of movement cards: deck * 35 + effect * 5 + value - 1
    RUSH = 35           # the first type of the red deck
    VALUES = 5
    CARDS = 30          # auras, and as many assaults
    PREY = 5            # kinds of prey tokens
    NITROS = 4
    STEPS = 256         # of all programs
    FRAMES = 26, BOOSTS = 8
    WORTHS = 24         # numbers by which bots judge answers, at most
    NONE = 255
    FAR = 16            # a distance: further than anything asks
    LENGTH = 420        # of a tile
    SQUARE = 256        # an action that names a square: + its number
    FINAL = 3           # a power that shields don't stop
    NOBODY_SEAT = 15    # POWER_PICK: nobody

cpdef enum:             # Mode
    MODE_COOP, MODE_TEAM, MODE_RACE

cpdef enum:             # Kind: of a vehicle
    K_PILOT, K_DRONE, K_GHOST, K_BOT, K_BOSS

cpdef enum:             # Hands: who sees them
    HANDS_OPEN, HANDS_STABLE, HANDS_OWN

cpdef enum:             # Effect: of a movement card
    X_STEER, X_MISSILE, X_BOMB, X_REPAIR, X_STAR, X_FREEZE, X_POWER, EFFECTS
    X_SHIELDS = 5       # of a manoeuvre

cpdef enum:             # Verb
    V_DMG, V_HEAL, V_STAR, V_SHIELD, V_STRIP, V_DISCARD, V_DRAW, V_SPIN, V_MOVE, V_STEP, V_TELEPORT, V_SWAP, V_MISSILE,
    V_MISSILE_BACK, V_SALVO, V_BOMB, V_BOULDER, V_EXPLODE, V_EXTRA, V_DISCARD_ASSAULT, V_AURAS, V_DROP_AURA, V_EXPOSE,
    V_FURIOUS, V_TURN, V_MOD, VERBS

cpdef enum:             # Head
    H_START = 1, H_END

cpdef enum:             # Base: what a selector begins with
    B_SELF, B_BOSS, B_PILOTS, B_FOES, B_TEAM, NO_BASE

cpdef enum:             # Filter
    F_AHEAD, F_BEHIND, F_LANE, F_LINKED, F_LONE, F_LINKED_ME, F_NEAR

cpdef enum:             # Pick
    PICK_ALL, PICK_ONE, PICK_NEAREST, PICK_FIRST, PICK_LAST

cpdef enum:             # Place
    PLACE_ADJ, PLACE_REAR, PLACE_BACK, PLACE_BEFORE, PLACE_NEAR

cpdef enum:             # Condition
    IF_NOTHING, IF_LINKED, IF_LONE, IF_BOSS_NEAR, IF_RANK_BEST, IF_RANK_WORST, IF_HAND_GE, IF_HAND_LE, IF_BOSS_HURT

cpdef enum:             # Mod: what is changed while a card or board side is active
    M_VALUE_ALL, M_VALUE_SPRINT, M_VALUE_RUSH, M_VALUE_CAP, M_VALUE_FLOOR
    M_NO_STEER          # in the order of Effect
    M_NO_MISSILE, M_NO_BOMB, M_NO_REPAIR, M_NO_STAR, M_TWICE_BOMB, M_TWICE_REPAIR, M_TWICE_STAR, M_EFFECT_TAX,
    M_SKIP_BONUS, M_FREE_STEER, M_MISSILE_DMG, M_MISSILE_RANGE, M_MISSILE_PASS_ALLY, M_MISSILE_PIERCE_OBSTACLE,
    M_OBSTACLE_DMG, M_OBSTACLE_SAFE, M_SPIN_ON_HIT, M_UNSTOPPABLE, M_RAM_DMG, M_RAM_SELF, M_RAM_PUSH, M_ALLY_RAM_DMG,
    M_CONN, M_NO_COG, M_NO_KIN, M_NO_AST, M_NO_MAN, M_KIN_BONUS, M_AST_KEEP, M_MAN_DRAW, M_NO_POWER, M_POWER_COST,
    M_HAND, M_DRAW_SPRINT, M_DRAW_CHOICE, M_NO_SHIELD, M_SHIELD_KEEP, M_DODGE, M_IMMOVABLE, M_THORNS, M_ARMOR_RED,
    M_CRUSH, MODS

cpdef enum:             # Program: where a list of steps is; + board, nitro, or card
    P_POWER1 = 0, P_POWER3 = 8, P_POWER2 = 16, P_NITRO = 17, P_BOSS_ALWAYS = 21, P_BOSS_NORMAL = 22, P_BOSS_FURIOUS = 23,
    P_NEG_START = 24, P_NEG_END = 54, P_POS_START = 84, P_POS_END = 114, P_ASSAULT_GREEN = 144, P_ASSAULT_RED = 174,
    PROGRAMS = 204

cpdef enum:             # Trigger: what changes the state of a Boss
    T_NEVER, T_LOST_TURN, T_LOST_ROUND, T_HEALED, T_TURN_SQUARES, T_PILOT_OFFTRACK, T_OWN_TURN_END_FURIOUS, T_RANK_FIRST

cpdef enum:             # Special: of a tile side
    TILE_PLAIN, TILE_LANDSLIDE, TILE_VOLCANO, TILE_PORTAL, TILE_CROSSING, TILE_SNOW, TILE_PENGUIN, TILE_LAKE, TILE_RIDGE,
    TILE_YETI, TILE_MIRROR, TILE_SPIRITS, TILE_ROLLING

cpdef enum:             # Flag: of a square
    SQ_LIGHTNING = 1, SQ_SAND = 2, SQ_WATER = 4, SQ_VOID = 8, SQ_PORTAL_IN = 16, SQ_SLIDE = 32
    SQ_PAST = 64        # past the checkpoint line of its tile
    SQ_ARCH = 128

cpdef enum:             # Object: on a square
    O_NOTHING, O_BOULDER, O_BOMB, O_SLAB

cpdef enum:             # FrameKind: what is being carried out
    C_NONE
    C_CARD                  # a movement card of a pilot: CARD, COG, KIN, AST, MANOEUVRE, an extra card
    C_EFFECT                # the effect of a card
    C_MOVE                  # an advance, a push or a step
    C_DAMAGE
    C_RETURN                # back onto the track
    C_MISSILE
    C_BLAST                 # an explosion
    C_LIST                  # steps of a program
    C_BOSS                  # a card of the Boss, or of a bot
    C_SPECIAL               # a special tile, at the end of an action
    C_ROLL                  # a rolling boulder
    C_DISCARD               # cards of a hand
    C_DROP                  # positive auras
    C_SLABS                 # ice slabs on free squares
    C_DONOR                 # who pays for a drone's power
    FRAME_KINDS

cpdef enum:             # How: a C_CARD
    BY_CARD, BY_MANOEUVRE, BY_COG, BY_KIN, BY_AST, BY_EXTRA

cpdef enum:             # Mark: flags of a frame
    PUSHED = 1              # C_MOVE
    SIDE = 2                # a step
    STOPPED = 4, MOVED = 8
    OFFERED = 16            # a spirit was offered in this gap
    CARRIED = 32            # ... by a portal: no square of its own
    FREE = 32               # C_EFFECT: not from a card
    BACK = 1                # C_MISSILE
    LANE = 2                # ... its first square counts, too
    USED = 1                # C_CARD: its effect has been used

cpdef enum:             # CarFlag
    CAR_PREY = 1            # entered the tile of the prey in this action
    CAR_CROSSED = 2
    CAR_RIDGE = 4           # entered a windy square in this action
    CAR_OFF = 8             # went off track in this action

cpdef enum:             # TurnFlag
    TURN_POWER = 1          # a power was used
    TURN_ASKED = 2          # an Astral Transfer was asked for
    TURN_MANOEUVRE = 4      # an Advanced Manoeuvre was driven
    TURN_DUMP = 8
    TURN_MAIN = 16          # the main action is done
    TURN_YETI = 32
    TURN_DEALT = 64         # nitros were given or swapped
    TURN_NITRO = 128        # a nitro was used

cpdef enum:             # Step: where the game is
    S_PICK, S_DRAFT, S_ASSIGN, S_GRID, S_DEAL, S_AURA, S_NEXT, S_START, S_HOOKS, S_BEFORE, S_AFTER, S_REFILL, S_UPKEEP,
    S_END, S_SPIRIT, S_BOSS, S_BOSS_HOOKS, S_BOSS_CARD, S_BOSS_STAR, S_BOSS_MOVE, S_BOSS_END, S_RANK, S_ASSAULT,
    S_ROUND_END, S_OVER

cpdef enum:             # Result
    R_NONE, R_WON
    R_ESCAPED               # the Boss crossed the line
    R_OVERFLOW              # ... got too strong
    R_CAP, R_RACED

cpdef enum:             # Missile: how it is fired
    FIRED_AHEAD, FIRED_BACK, FIRED_SALVO

cpdef enum:             # Menu: answers of TURN_MENU
    DO_END, DO_CARD, DO_MANOEUVRE, DO_COG, DO_KIN, DO_AST, DO_POWER1, DO_POWER2, DO_POWER3, DO_SPIRIT, DO_NITRO,
    DO_NITRO_GIVE, DO_NITRO_SWAP

cpdef enum:             # Question
    Q_PILOT_PICK, Q_DRAFT_PICK, Q_DRAFT_ASSIGN, Q_GRID_CAR, Q_GRID_SLOT, Q_AURA_DROP, Q_TURN_MENU, Q_CARD, Q_MAN_CARD,
    Q_EFFECT, Q_FORK, Q_MAN_EFFECT, Q_LINK_CAR, Q_POWER_PICK, Q_DONOR, Q_KIN_POINTS, Q_ASTRAL_OFFER, Q_TELEPORT,
    Q_POWER_SQUARE, Q_SLAB_SQUARE, Q_DECK_PICK, Q_SPIRIT_TAKE, Q_HAND_DISCARD, Q_SHIELD_BOOST, Q_SHIELD_BLOCK,
    Q_RETURN_SQUARE, Q_SHIELD_UPKEEP, Q_SPIRIT_USE, Q_SLIDE_SQUARE, Q_SNOUT_SQUARE, Q_ROLL_PICK, Q_BOSS_TIE,
    Q_NITRO_DEAL, Q_NOTHING

cpdef enum:             # Event
    E_STATE = 3             # FIRST_GAME_EVENT
    E_HAND, E_PILOT, E_RANK, E_AURA, E_ASSAULT, E_CHAOS, E_DRAW, E_PLAY, E_DISCARD, E_TURN_OVER, E_MOVE, E_RAM, E_DMG,
    E_BOOST, E_BLOCK, E_OFFTRACK, E_RETURN, E_STAR, E_SHIELD, E_SPIN, E_HEAL, E_BOSS, E_RESERVE, E_PREY_FLIP,
    E_PREY_MOVE, E_OBJECT, E_ROLL, E_SNOUT, E_LINK, E_ASTRAL, E_SPIRIT, E_NITRO, E_POWER, E_FIRE, E_STRIKE,
    E_ROUND, E_TURN, E_END, EVENTS
