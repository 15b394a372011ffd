# Mythos: the words of the notation, prompts, answers and events, as numbers.
from seatmate.engine.core.contract cimport CoreEvent

# ---- The words of the notation ---- (pack.py has the same numbers)

cdef enum Trigger:
    MAIN
    UPGRADE
    AMBUSH
    SCORE
    WHILE
    ON
    REPLACE

cdef enum Verb:
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

cdef enum Base:
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

cdef enum Attribute:
    BY_POWER = 3
    BY_COST = 4
    BY_PRINTED_COST = 5
    BY_TOKENS = 6

cdef enum Pick:
    ONE
    EVERY                   # `all`
    SO_MANY                 # `n`
    EACH
    SUM
    DOWN

cdef enum Register:
    REG_A
    REG_B
    REG_K
    REG_M
    REG_X
    REG_P

cdef enum Part:
    ITSELF
    ITS_CARD
    ITS_FACE
    DONE
    POW

cdef enum Event:
    PLAYED
    MOVED
    DEFEATED
    ROUND_END
    MISSION_LOST

cdef enum Replaceable:
    R_HIDE
    R_DEFEAT
    R_MOVE

cdef enum Cause:
    BY_ANY
    BY_YOU
    BY_ENEMY

cdef enum To:
    TO_ELSEWHERE
    TO_HERE
    TO_ANY

cdef enum Zone:
    HAND
    HIDDEN
    DISCARDS
    DISCARD_TOP
    LOOKED_AT
    DECK
    OPPDECK

# ---- Prompts ---- (order of words.PROMPTS; those of one private chain have one public class)

cdef enum Prompt:
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

cdef enum Answer:
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

cdef enum EventKind:
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

cdef enum ChakraReason:
    INCOME
    COST_OF_PLAY
    GAINED
    STOLEN
    PAID
    TAXED
    ROUND_IS_OVER

cdef enum LeaveReason:
    TO_DISCARD              # defeated
    DEFEATED_TO_HAND
    RETURNED
    CLASHED
