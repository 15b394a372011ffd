# The public past of a game in which every choice is seen by all: who chose what, and what everybody knew then.
#
# A search that replays it can tell how likely the others' choices were in a sampled world. It holds nothing that a
# spectator does not see, so a sampled world may carry the true one's past. Only games that declare
# GameSpec.public_choices have one.
from libc.string cimport memcpy

from seatmate.engine.core.types cimport action_t, int16_t, uint8_t, uint64_t

cdef enum:
    MAX_PAST = 256          # decisions remembered; a longer past counts as unknown


cdef struct Decision:
    uint64_t key            # the spectators' observation key before it
    action_t action
    int16_t prompt
    uint8_t seat


cdef struct Past:
    int n                   # decisions since the deal; -1: unknown
    uint64_t key            # the spectators' observation key now
    Decision made[MAX_PAST]


cdef inline void past_add(Past* past, int seat, int prompt, action_t action, uint64_t key) noexcept nogil:
    """One more decision: the question, its answer, and the spectators' key after it."""
    if past.n == MAX_PAST:
        past.n = -1
    if past.n >= 0:
        past.made[past.n].key = past.key
        past.made[past.n].seat = <uint8_t> seat
        past.made[past.n].prompt = <int16_t> prompt
        past.made[past.n].action = action
        past.n += 1
    past.key = key


cdef inline void past_copy(Past* to, const Past* past) noexcept nogil:
    """What is in use of it."""
    memcpy(to, past, sizeof(Past) - (MAX_PAST - max(past.n, 0)) * sizeof(Decision))
