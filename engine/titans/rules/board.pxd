# Atomic changes of a position, each with its event.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Frame, Tables, Titans

cdef inline int who(const Titans* h, int piece) noexcept nogil:
    """A piece as events name it: 4 * character + piece."""
    return 4 * h.pc[piece].ctype + piece


cdef inline int tile_at(const Titans* h, int place) noexcept nogil:
    """What lies there, as events name it; -1 face down."""
    return -1 if h.tile[place] == 255 else h.tile[place]


cdef Frame* push_frame(Titans* h, int kind) noexcept nogil
cdef void pop_frame(Titans* h) noexcept nogil
cdef bint room_for_frames(const Titans* h) noexcept nogil
cdef void end_game(Titans* h, int winners, Sink* sink) noexcept nogil
cdef void enter(const Tables* t, Titans* h, int piece, int place, int mode, Sink* sink) noexcept nogil
cdef void put(Titans* h, int piece, int place, int mode, Sink* sink) noexcept nogil
cdef void spring_traps(const Tables* t, Titans* h, int piece, int place, Sink* sink) noexcept nogil
cdef void wound(const Tables* t, Titans* h, int piece, int amount, int source, Sink* sink) noexcept nogil
cdef void knock_out(const Tables* t, Titans* h, int mask, Sink* sink) noexcept nogil
cdef void hurt(const Tables* t, Titans* h, int piece, int amount, int source, Sink* sink) noexcept nogil
cdef void gain_points(const Tables* t, Titans* h, int team, int points, Sink* sink) noexcept nogil
cdef bint victory(const Tables* t, Titans* h, Sink* sink) noexcept nogil
cdef void heal(const Tables* t, Titans* h, int piece, int amount, Sink* sink) noexcept nogil
cdef void ignite(const Tables* t, Titans* h, int piece, int amount, Sink* sink) noexcept nogil
cdef void stun(const Tables* t, Titans* h, int piece, Sink* sink) noexcept nogil
cdef void drop_token(Titans* h, int piece, int token, int kind, Sink* sink) noexcept nogil
cdef void take_token(Titans* h, int piece, int token, int kind, Sink* sink) noexcept nogil
cdef void put_traps(const Tables* t, Titans* h, int team, int place, int amount, Sink* sink) noexcept nogil
cdef void set_obstacle(const Tables* t, Titans* h, int source, int edge, int team, Sink* sink) noexcept nogil
cdef void find_neighbours(const Tables* t, Titans* h) noexcept nogil
cdef void set_die(Titans* h, int team, int die, int value, Sink* sink) noexcept nogil
cdef int roll_die(Rng* rng) noexcept nogil
cdef void complete(Titans* h, int team) noexcept nogil
cdef void start_ability(const Tables* t, Titans* h, int piece, int slot, int tier) noexcept nogil
cdef void start_innate(const Tables* t, Titans* h, int piece) noexcept nogil
cdef void play_card(const Tables* t, Titans* h, int seat, int card, int tgt, int other, Sink* sink) noexcept nogil
