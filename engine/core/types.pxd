# Shared typedefs, limits and error codes of the engine.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

# An action is an int32 whose meaning depends on the prompt the seat is asked.
ctypedef int32_t action_t

cdef enum:
    MAX_SEATS = 8           # seats 0..7
    SPECTATOR = 8           # index of the public observer, next to the seats
    MAX_OBSERVERS = 9
    MAX_ACTIONS = 256       # longest legal list of any prompt of any game
    MAX_EVENT_ARGS = 16     # integers one event can carry; longer lists are sent as several events
    MAX_STATE_BYTES = 4096
    MAX_FEATURES = 32       # named numbers a game offers to explain a position

# What apply_action answers. Anything but OK leaves the state untouched.
cdef enum Outcome:
    OK = 0
    ILLEGAL_ACTION = 1      # not in the seat's legal list
    SEAT_NOT_PENDING = 2    # this seat is not asked anything now
    GAME_OVER = 3           # nobody is asked anything any more
