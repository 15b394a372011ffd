"""What the modes with two teams do in their own way: draft, map, initiative, turns, what a KO brings, who wins."""
from seatmate.engine.core.rng cimport Rng, rng_below, shuffle_u8
from seatmate.engine.core.sink cimport PUBLIC, Sink, emit, emit1
from seatmate.engine.core.types cimport int32_t, uint8_t
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.board cimport gain_points, push_frame, show_dice, victory
from seatmate.engine.titans.rules.model cimport Book, Frame, Titans


cdef int draft_piece(const Book* t, const Titans* state) noexcept nogil:
    """The piece whose character is drafted next (R2)."""
    return 2 * (state.first ^ (state.at & 1)) + (state.at >> 1)


cdef void lay_map(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    """S3: the tiles are shuffled."""
    cdef int32_t args[V.PLACES]
    cdef int i
    for i in range(V.TILES):
        state.tile[i] = <uint8_t> i
    shuffle_u8(state.tile, V.TILES, rng)
    for i in range(V.PLACES):
        state.where[state.tile[i]] = <uint8_t> i
        args[i] = state.tile[i]
    emit(sink, V.E_TILES, PUBLIC, V.PLACES, args)


cdef void dealt(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    """The first round brings the initiative."""


cdef void begin_round(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    """B2: the lowest sum has the initiative (R6). Whoever is to begin round 1 gets the lower roll."""
    cdef int die
    cdef int first = state.team[0].dice[0] + state.team[0].dice[1]
    cdef int second = state.team[1].dice[0] + state.team[1].dice[1]
    cdef uint8_t swap
    if first == second:
        state.initiative = <uint8_t> rng_below(rng, 2)
    else:
        state.initiative = second < first
    if state.round == 1 and t.begins != V.NONE and t.begins != state.initiative:
        state.initiative = t.begins
        for die in range(2):
            swap = state.team[0].dice[die]
            state.team[0].dice[die] = state.team[1].dice[die]
            state.team[1].dice[die] = swap
    show_dice(t, state, sink)
    emit1(sink, V.E_INITIATIVE, PUBLIC, state.initiative)
    if state.round == 1:
        state.step = V.S_FIRST_PLACE


cdef void next_turn(const Book* t, Titans* state) noexcept nogil:
    """The teams take turns."""
    state.at = 0
    state.step = V.S_ROUND_END
    if state.turn < 4:
        state.acting = state.initiative ^ (state.turn & 1)
        state.step = V.S_PIECE


cdef void fallen(const Book* t, Titans* state, int mask, Sink* sink) noexcept nogil:
    """All points, then one victory test (R61, 6.5). What follows a KO is a frame on top for each."""
    cdef int i, k, team
    cdef Frame* f
    for k in range(2):
        team = state.initiative ^ k
        i = bit_count(<unsigned long long> (mask >> (2 - 2 * team) & 3))
        while i:
            gain_points(t, state, team, 1, sink)
            i -= 1
    if victory(t, state, sink):
        return
    for k in range(2):                      # the last frame runs first: the holder with the initiative
        team = 1 - (state.initiative ^ k)
        for i in range(V.PIECES):
            if mask >> i & 1 and (t.piece_team[i] ^ 1) == team and state.depth < V.FRAMES - 3:
                f = push_frame(state, V.K_KO)
                f.actor = <uint8_t> i


cdef int leaders(const Book* t, const Titans* state) noexcept nogil:
    """R65: who has more points wins a game that is broken off."""
    return 3 if state.team[0].points == state.team[1].points else 1 if state.team[0].points > state.team[1].points else 2


cdef Hooks HOOKS = Hooks(draft_piece, lay_map, dealt, begin_round, next_turn, fallen, leaders)
