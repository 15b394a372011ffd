# Hyde: prompts, answers, events and what the bytes of a state mean, as numbers.
from seatmate.engine.core.contract cimport CoreEvent

# ---- Sizes ----

cpdef enum:
    SEATS = 4               # at most
    PLACES = 6              # 0 the Academy, 1..5 the outer places
    TARGETS = 5
    OUTCASTS = 6
    SYMBOLS = 6
    NUMBERS = 5
    KINDS = 31              # 5 * symbol + (number - 1), and the six
    SIX = 30
    CARDS = 60              # at most, without the sixes
    SLOTS = 62              # face-down cards on the table, at most
    TRACKS = 16             # cards one observer can keep track of
    HAND = 4                # cards in a hand, at most (the fourth only for a moment)
    ATTACKS = 5
    NOBODY = 255
    ALL_OUTER = 0x3E        # mask of places 1..5
    OPEN = 31               # known to every seat and to the spectators (bits 0..3 are the seats)
    CYCLE_STEPS = 6         # tokens in the bag, 0..5

# ---- Questions, answers, events ----

cpdef enum Phase:
    DRAFT = 0
    MOVE = 1
    PLACE = 2
    PLAY = 3
    MORE = 4
    COST = 5
    YOKO = 6
    THING = 7
    SEND = 8
    SIGNAL = 9
    WED_TAKE = 10
    WED_GIVE = 11
    OVER = 12

cpdef enum Answer:
    PLAY_NOTHING = 0        # PLACE
    PLAY_SIX = 30           # PLAY
    PLAY_THING = 31         # PLAY, MORE
    STOP = 40               # MORE
    KEEP = 40               # THING
    PASS = 40               # WED_TAKE
    SWAP_FIRST = 41         # PLAY, COST, YOKO: + kind of the hand card that goes to Thing for its own, which is used (R37)

cpdef enum Source:
    FROM_HAND = 0
    FROM_THING = 1
    FROM_RESERVE = 2

cpdef enum ThingMode:
    REFILL = 0
    SWAP = 1

cpdef enum:                 # events
    E_RING = CoreEvent.FIRST_GAME_EVENT
    E_TARGETS
    E_START
    E_PICK
    E_DEAL
    E_DEAL_CARDS
    E_MOVE
    E_NOPLAY
    E_PLAYED
    E_PLAYED_CARD
    E_DISCARD
    E_THING_DISCARD
    E_DRAW
    E_DRAW_CARDS
    E_RESHUFFLE
    E_THING_SET
    E_THING_SET_CARD
    E_THING_KEEP
    E_THING_TO
    E_THING_SEEN
    E_SIGNAL
    E_TOKEN
    E_ATTACK
    E_REVEAL
    E_WED_SWAP
    E_WED_PASS
    E_ZERO
    E_SCORE
    E_NEWROUND
    E_END

cpdef enum:
    HOLD_THING = 4
