# Atomic changes of a position, each with its event.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.titans.rules.model cimport Frame, Book, Titans

cdef inline int who(const Titans* state, int piece) noexcept nogil:
    """A piece as events name it: 4 * character + piece."""
    return 4 * state.piece[piece].character + piece


cdef inline int tile_at(const Titans* state, int place) noexcept nogil:
    """What lies there, as events name it; -1 face down."""
    return -1 if state.tile[place] == 255 else state.tile[place]


cdef Frame* push_frame(Titans* state, int kind) noexcept nogil
cdef void pop_frame(Titans* state) noexcept nogil
cdef bint room_for_frames(const Titans* state) noexcept nogil
cdef void end_game(Titans* state, int winners, Sink* sink) noexcept nogil
cdef void enter(const Book* t, Titans* state, int piece, int place, int mode, Sink* sink) noexcept nogil
cdef void put(Titans* state, int piece, int place, int mode, Sink* sink) noexcept nogil
cdef void spring_traps(const Book* t, Titans* state, int piece, int place, Sink* sink) noexcept nogil
cdef void wound(const Book* t, Titans* state, int piece, int amount, int source, Sink* sink) noexcept nogil
cdef void knock_out(const Book* t, Titans* state, int mask, Sink* sink) noexcept nogil
cdef void hurt(const Book* t, Titans* state, int piece, int amount, int source, Sink* sink) noexcept nogil
cdef void gain_points(const Book* t, Titans* state, int team, int points, Sink* sink) noexcept nogil
cdef bint victory(const Book* t, Titans* state, Sink* sink) noexcept nogil
cdef void heal(const Book* t, Titans* state, int piece, int amount, Sink* sink) noexcept nogil
cdef void ignite(const Book* t, Titans* state, int piece, int amount, Sink* sink) noexcept nogil
cdef void stun(const Book* t, Titans* state, int piece, Sink* sink) noexcept nogil
cdef void drop_token(Titans* state, int piece, int token, int kind, Sink* sink) noexcept nogil
cdef void take_token(Titans* state, int piece, int token, int kind, Sink* sink) noexcept nogil
cdef void put_traps(const Book* t, Titans* state, int team, int place, int amount, Sink* sink) noexcept nogil
cdef void set_obstacle(const Book* t, Titans* state, int source, int edge, int team, Sink* sink) noexcept nogil
cdef void find_neighbours(const Book* t, Titans* state) noexcept nogil
cdef void set_die(Titans* state, int team, int die, int value, Sink* sink) noexcept nogil
cdef int roll_die(Rng* rng) noexcept nogil
cdef void show_dice(const Book* t, const Titans* state, Sink* sink) noexcept nogil
cdef void complete(Titans* state, int team) noexcept nogil
cdef void start_ability(const Book* t, Titans* state, int piece, int slot, int tier) noexcept nogil
cdef void start_innate(const Book* t, Titans* state, int piece) noexcept nogil
cdef void play_card(const Book* t, Titans* state, int seat, int card, int target, int other, Sink* sink) noexcept nogil
