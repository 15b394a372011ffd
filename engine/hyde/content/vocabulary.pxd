# Hyde: prompts, answers, events and what the bytes of a state mean, as numbers.
from seatmate.engine.core.contract cimport CoreEvent

cdef enum Phase:
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

cdef enum Answer:
    PLAY_NOTHING = 0        # PLACE
    PLAY_SIX = 30           # PLAY
    PLAY_THING = 31         # PLAY, MORE
    STOP = 40               # MORE
    KEEP = 40               # THING
    PASS = 40               # WED_TAKE
    SWAP_FIRST = 41         # PLAY, COST, YOKO: + kind of the hand card that goes to Thing for its own, which is used (R37)

cdef enum Source:
    FROM_HAND = 0
    FROM_THING = 1
    FROM_RESERVE = 2

cdef enum ThingMode:
    REFILL = 0
    SWAP = 1

cdef enum EventKind:
    RING = CoreEvent.FIRST_GAME_EVENT
    TARGETS_AT
    START
    PICK
    DEAL
    DEAL_CARDS
    MOVED
    NOPLAY
    PLAYED
    PLAYED_CARD
    DISCARDED
    THING_DISCARD
    DRAW
    DRAW_CARDS
    RESHUFFLE
    THING_SET
    THING_SET_CARD
    THING_KEEP
    THING_TO
    THING_SEEN
    SIGNALLED
    TOKEN
    ATTACK
    REVEAL
    WED_SWAP
    WED_PASS
    ZERO
    SCORE
    NEWROUND
    END

cdef enum:
    HOLD_THING = 4
