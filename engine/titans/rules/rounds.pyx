"""Start of the round, recovery and end of the round (sections 5.3, 5.4, 5.6)."""
from seatmate.engine.core.sink cimport PUBLIC, emit1
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.board cimport complete, end_game, ignite, knock_out, roll_die, wound
from seatmate.engine.titans.rules.legal cimport next_return
from seatmate.engine.titans.rules.model cimport pose, value_of
from seatmate.engine.titans.rules.reactions cimport open_window

# ---- Start of the round (5.3) ----

cdef void run_round(const Book* t, Titans* state, Rng* rng, Sink* sink) noexcept nogil:
    """B1, B2: activation dice, and what follows from them."""
    cdef int team, die
    state.round += 1
    emit1(sink, V.E_ROUND, PUBLIC, state.round)
    for team in range(t.teams):
        state.team[team].dice[0] = 0
        if not state.piece[team].status & V.ELIMINATED:
            for die in range(t.dice):
                state.team[team].dice[die] = <uint8_t> roll_die(rng)
    state.at = 0
    state.step = V.S_MAYHEM_DIE
    t.hooks.begin_round(t, state, rng, sink)


cdef void run_reveal(const Book* t, Titans* state, Sink* sink) noexcept nogil:
    """B5: each team without a GO! card reveals one, the initiative team first (R10)."""
    cdef int team = state.initiative ^ state.at
    if state.at == 2:
        state.at = 0
        state.step = V.S_START_CARDS
        return
    state.at += 1
    if state.team[team].go == V.NONE:
        complete(state, team)
        state.frame[state.depth - 1].stage = 1


cdef void run_start(const Book* t, Titans* state) noexcept nogil:
    """B6: one offer of a round-start card per seat (R7)."""
    state.at += 1
    if state.at == 1:
        open_window(state, V.W_ROUND_START, V.NONE, V.NONE, V.NONE, False)
        return
    state.at = 0
    state.step = V.S_TURN if state.round == 1 else t.recovery     # R18

# ---- Recovery (5.4) ----


cdef void run_return(const Book* t, Titans* state) noexcept nogil:
    cdef int piece = next_return(state)
    if piece == V.NONE:
        state.step = V.S_BURN
    else:
        pose(state, t.seat_of[piece], V.Q_REPLACE)


cdef void run_burn(const Book* t, Titans* state, Sink* sink) noexcept nogil:
    """V2: all burning pieces at the same moment (R19)."""
    cdef int fallen = 0
    cdef int i
    state.step = V.S_SMOKE
    for i in range(V.PIECES):
        if state.piece[i].place != V.NONE and state.piece[i].fire:
            state.burning |= <uint8_t> (1 << i)
            wound(t, state, i, value_of(t, state), V.HARM_FIRE, sink)
            if state.piece[i].damage >= t.board[state.piece[i].character].health:
                fallen |= 1 << i
    if fallen:
        knock_out(t, state, fallen, sink)


cdef void run_smoke(const Book* t, Titans* state, Sink* sink) noexcept nogil:
    """One fire token leaves every piece that burned and still stands."""
    cdef int i
    for i in range(V.PIECES):
        if state.burning >> i & 1 and state.piece[i].place != V.NONE and state.piece[i].fire:
            ignite(t, state, i, -1, sink)
    state.burning = 0
    state.step = V.S_TURN

# ---- End of the round (5.6) ----

cdef void run_round_end(const Book* t, Titans* state, Sink* sink) noexcept nogil:
    """Z2, Z3: what lasted for the round ends; R65."""
    cdef int i
    emit1(sink, V.E_ROUND_END, PUBLIC, state.round)
    for i in range(t.teams):
        state.team[i].played = V.NONE
        state.team[i].marks = 0
        state.team[i].dice_used = 0
    for i in range(V.PIECES):
        state.piece[i].activations = 0
        state.piece[i].slot_die[0] = 0
        state.piece[i].slot_die[1] = 0
        state.piece[i].marks = 0
        state.piece[i].status &= ~V.KO_NOW
    state.turn = 0
    state.step = V.S_ROUND
    if state.round < t.rounds:
        return
    end_game(state, t.hooks.leaders(t, state), sink)
