# Mythos: the words of the notation, prompts, answers and events, as numbers, which Python reads, too.
#
# The enums have no names of their own because Cython takes no member of a named one for an index.
from seatmate.engine.core.contract cimport CoreEvent

cpdef enum:            # sizes and special numbers
    SEATS = 2
    KINDS = 240             # characters of a pack, at most
    MISSION_KINDS = 32
    MISSIONS = 4            # in play
    CARDS = 40              # of one deck, at most
    UNITS = 48              # slots; engine cap (R94)
    UNDER = 72              # cards below the tops of all piles
    FRAMES = 20             # nested lines and plays; engine cap (R94)
    QUEUE = 28              # waiting reactions
    TRACKS = 20             # cards one observer can keep track of
    TOPS = 12               # cards of a deck whose place is known
    LOOKED = 12             # cards set aside by looking at the top of decks
    ROUND_TURNS = 120       # after so many turns of a round a seat can only pass: no game is endless
    TURN_PLAYS = 40         # plays by effects in one turn, likewise
    TURN_REACTIONS = 200    # after so many plays and reactions of one turn nothing reacts any more
    CHOICES = 10            # units a step can choose one by one (R94): so many fit into Frame.picked
    QUESTIONS = 332         # public questions of a game; those beyond it answer themselves (R94)
    NONE = 255
    OPEN = 7                # known to both seats and the spectators
    ALL_THERE = 32767       # the amount `all` as an argument of a running call
    SELECTORS = 640
    LINES = 720
    STATICS = 320
    CODE = 16384

# ---- The words of the notation ----

cpdef enum:            # Trigger
    MAIN
    UPGRADE
    AMBUSH
    SCORE
    WHILE
    ON
    REPLACE

cpdef enum:            # Verb
    TOK
    UNTOK
    TAKE_TOK
    MOVE
    HIDE
    DEFEAT
    CONTROL
    LOOK
    RETURN
    PEEL
    FORCE
    PICK                    # the last of the unit verbs
    DRAW
    DISCARD
    SEE_HAND
    RAID
    CHAKRA
    STEAL
    PAY_X
    EDGE
    POINTS
    MILL
    PLAY
    PUT_HIDDEN
    RECOVER
    PUT_TOP
    LOOKTOP
    TAKE_LOOKED
    PUT_BACK
    DUMP_LOOKED
    PICK_MISSION
    COPY
    POWER                   # from here on: while lines
    COST
    SELF_COST
    REVEAL_COST
    PLAY_ONLY
    NO_REVEAL
    SHIELD
    KEEP_TOK
    UPGRADE_OVER
    ZERO
    TAX
    DEFEAT_TO_HAND
    NO_VERB = 255

cpdef enum:            # Base
    FRIENDLY
    OWN
    ENEMY
    ANY
    SELF
    PAIR                    # the units in registers A and B
    CARD
    IN_A = 16
    IN_B = 17
    IN_K = 18

cpdef enum:            # Attribute
    BY_POWER = 3
    BY_COST = 4
    BY_PRINTED_COST = 5
    BY_TOKENS = 6

cpdef enum:            # Pick
    ONE
    EVERY                   # `all`
    SO_MANY                 # `n`
    EACH
    SUM
    DOWN

cpdef enum:            # Register
    REG_A
    REG_B
    REG_K
    REG_M
    REG_X
    REG_P

cpdef enum:            # Part
    ITSELF
    ITS_CARD
    ITS_FACE
    DONE
    POW

cpdef enum:            # Event
    PLAYED
    MOVED
    DEFEATED
    ROUND_END
    MISSION_LOST

cpdef enum:            # Replaceable
    R_HIDE
    R_DEFEAT
    R_MOVE

cpdef enum:            # Cause
    BY_ANY
    BY_YOU
    BY_ENEMY

cpdef enum:            # To
    TO_ELSEWHERE
    TO_HERE
    TO_ANY

cpdef enum:            # Zone
    HAND
    HIDDEN
    DISCARDS
    DISCARD_TOP
    LOOKED_AT
    DECK
    OPPDECK

# ---- Prompts ---- (order of words.PROMPTS; those of one private chain have one public class)

cpdef enum:            # Prompt
    Q_MULLIGAN
    Q_TURN
    Q_TURN_MISSION
    Q_TURN_ONTO
    Q_PLAYCARD
    Q_PLAYCARD_MISSION
    Q_PLAYCARD_ONTO
    Q_FORCED
    Q_FORCED_ONTO
    Q_CARD
    Q_CARD_MISSION
    Q_MISSION
    Q_MAY
    Q_TARGET
    Q_DEST
    Q_AMOUNT
    Q_EFFECT
    Q_ORDER
    Q_REPLACE
    Q_RAID
    Q_POOL
    Q_LOCK
    Q_OVER

cpdef enum:            # Answer
    PASS = 0                # TURN
    PLAY_UP = 1000          # + kind: TURN, PLAYCARD
    PLAY_HIDDEN = 2000      # + kind: TURN
    REVEAL = 3000           # + slot: TURN, PLAYCARD
    FROM_DISCARD = 4000     # + kind: PLAYCARD
    FROM_LOOKED = 5000      # + kind: PLAYCARD
    DECLINE = 63            # ONTO: as a new character; TARGET, PLAYCARD, EFFECT: pass, skip or stop
    PLAIN_RETURNS = 99      # ORDER
    COPY_OF_CARD = 48       # EFFECT: 256 * (slot or this) + line

# ---- Events ---- (order of words.EVENTS)

cpdef enum:            # EventKind
    E_DECK = CoreEvent.FIRST_GAME_EVENT
    E_TRIPLE
    E_EDGE
    E_MULLIGAN
    E_MISSION
    E_CHAKRA
    E_PASS
    E_TURN_END
    E_DRAW
    E_DRAW_CARDS
    E_PUT
    E_PUT_CARD
    E_PLAYED
    E_LINE
    E_NOTHING
    E_TARGETED
    E_TOKENS
    E_MOVED
    E_HIDDEN
    E_CONTROL
    E_LOCKED
    E_LEFT
    E_PEELED
    E_DISCARD
    E_MILL
    E_LOOKED
    E_LOOKED_CARD
    E_SAW_HAND
    E_SAW_CARDS
    E_LOOKTOP
    E_LOOKTOP_CARDS
    E_TOOK
    E_PUT_BACK
    E_DUMPED
    E_TOP
    E_TOP_CARD
    E_RECOVERED
    E_POINTS
    E_EVALUATED
    E_END_ROUND
    E_OVER
    E_CHAIN
    E_FLOW
    E_FRAME
    E_WAITING

cpdef enum:            # ChakraReason
    INCOME
    COST_OF_PLAY
    GAINED
    STOLEN
    PAID
    TAXED
    ROUND_IS_OVER

cpdef enum:            # LeaveReason
    TO_DISCARD              # defeated
    DEFEATED_TO_HAND
    RETURNED
    CLASHED

# ---- What the bytes of a state mean ----

cpdef enum:            # LineFlag
    LINE_MUST = 1
    LINE_MAY = 2
    COPYABLE = 4
    GAIN = 8
    AUTO = 16
    PLAIN_RETURN = 32
    BODY_HIDES = 64

cpdef enum:
    MISSION_LINE = 256      # added to a mission's number where a kind is asked for

cpdef enum:            # FrameType
    NO_FRAME
    LINE_FRAME              # a line that is being carried out
    PLAY_FRAME              # a card that was played: its lines one after the other
    SETTLE_FRAME            # the state check and the reactions after a step

cpdef enum:            # Frame.sub of a unit verb
    BEGIN
    CHOOSING
    APPLYING

cpdef enum:            # FrameFlag
    UPGRADED = 1            # the card was played as an upgrade (`upg`)
    REVEALED = 2            # PLAY: the card was hidden
    COMMITTED = 4           # LINE: accepted
    DID = 8                 # LINE: the last executed step did something
    FORCED = 16             # LINE: not optional
    IN_BODY = 32            # LINE: past its costs
    STARTED = 64            # LINE: condition and feasibility were checked
    K_OPEN = 128            # the card in register K is public

cpdef enum:            # CallFlag
    CALL_MAY = 1            # STEP_MAY of the notation
    CARD_OPEN = 2           # `card` is public
    CARD_UP = 4             # the target was face-up
    ASKED_MAY = 8           # the `may` step was accepted
    IN_ORDER = 16           # `picked` lists the units in the order chosen, see below

cpdef enum:
    IN_TOP = 62
    IN_HAND = 63

cpdef enum:            # Phase
    P_MULLIGAN
    P_ACTION
    P_MISSION
    P_END
    P_OVER

cpdef enum:            # Step: how far the phase is, between frames
    S_BEGIN                         # a turn, the evaluation of a mission, the round's end
    S_TURN                          # the active seat's turn is being carried out
    S_SCORE                         # the winner's lines, then the loser's
    S_THEN_LOST
    S_LOST                          # the loser's lines, then the winner's
    S_THEN_SCORE
    S_RETURNS                       # lines of the round's end
