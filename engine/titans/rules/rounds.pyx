"""Start of the round, recovery and end of the round (sections 5.3, 5.4, 5.6)."""
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.sink cimport PUBLIC, emit1, emit3
from seatmate.engine.core.types cimport uint8_t
from seatmate.engine.titans.content.vocabulary cimport (
    BY_FIRE, E_INITIATIVE, E_ROLL_ACT, E_ROUND, E_ROUND_END, Q_REMOVE, Q_REPLACE, W_START,
)
from seatmate.engine.titans.rules.board cimport complete, end_game, ignite, knock_out, roll_die, wound
from seatmate.engine.titans.rules.legal cimport next_return, removable
from seatmate.engine.titans.rules.model cimport (
    ELIMINATED, KO_NOW, NONE, PIECES, S_BURN, S_FIRST, S_RETURN, S_ROLL, S_ROUND, S_ROUND_END, S_SMOKE, S_START, S_TURN,
    Team, arena, pose, value_of,
)
from seatmate.engine.titans.rules.reactions cimport open_window

# ---- Start of the round (5.3) ----

cdef void run_round(const Tables* t, Titans* h, Rng* rng, Sink* sink) noexcept nogil:
    """B1, B2: activation dice; the lowest sum has the initiative (R6). Whoever is to begin round 1 gets the lower roll."""
    cdef int sums[2]
    cdef uint8_t swap
    cdef int team
    cdef Team* m
    h.round += 1
    emit1(sink, E_ROUND, PUBLIC, h.round)
    for team in range(t.teams):
        m = &h.team[team]
        if arena(t) and h.pc[team].stat & ELIMINATED:
            m.dice[0] = 0
            continue
        m.dice[0] = <uint8_t> roll_die(rng)
        if not arena(t):
            m.dice[1] = <uint8_t> roll_die(rng)
            sums[team] = m.dice[0] + m.dice[1]
    if not arena(t):
        if sums[0] == sums[1]:
            h.init = <uint8_t> rng_below(rng, 2)
        else:
            h.init = sums[1] < sums[0]
        if h.round == 1 and t.begins != NONE and t.begins != h.init:
            h.init = t.begins
            for team in range(2):               # die by die
                swap = h.team[0].dice[team]
                h.team[0].dice[team] = h.team[1].dice[team]
                h.team[1].dice[team] = swap
    for team in range(t.teams):
        m = &h.team[team]
        if m.dice[0]:
            emit3(sink, E_ROLL_ACT, PUBLIC, team, m.dice[0], m.dice[1])
    h.at = 0
    h.step = S_ROLL
    if arena(t):
        return
    emit1(sink, E_INITIATIVE, PUBLIC, h.init)
    if h.round == 1:
        h.step = S_FIRST


cdef void run_reveal(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """B5: each team without a GO! card reveals one, the initiative team first (R10)."""
    cdef int team = h.init ^ h.at
    if h.at == 2:
        h.at = 0
        h.step = S_START
        return
    h.at += 1
    if h.team[team].go == NONE:
        complete(h, team)
        h.frame[h.depth - 1].stage = 1


cdef void run_start(const Tables* t, Titans* h) noexcept nogil:
    """B6: one offer of a round-start card per seat (R7)."""
    h.at += 1
    if h.at == 1:
        open_window(h, W_START, NONE, NONE, NONE, False)
        return
    h.at = 0
    h.step = S_TURN if h.round == 1 else S_BURN if arena(t) else S_RETURN     # R18

# ---- Recovery (5.4) ----


cdef void run_return(const Tables* t, Titans* h) noexcept nogil:
    cdef int piece = next_return(h)
    if piece == NONE:
        h.step = S_BURN
    else:
        pose(h, t.seat_of[piece], Q_REPLACE)


cdef void run_burn(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """V2: all burning pieces at the same moment (R19)."""
    cdef int fallen = 0
    cdef int i
    h.step = S_SMOKE
    for i in range(PIECES):
        if h.pc[i].place != NONE and h.pc[i].fire:
            h.burning |= <uint8_t> (1 << i)
            wound(t, h, i, value_of(t, h), BY_FIRE, sink)
            if h.pc[i].dmg >= t.board[h.pc[i].ctype].health:
                fallen |= 1 << i
    if fallen:
        knock_out(t, h, fallen, sink)


cdef void run_smoke(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """One fire token leaves every piece that burned and still stands."""
    cdef int i
    for i in range(PIECES):
        if h.burning >> i & 1 and h.pc[i].place != NONE and h.pc[i].fire:
            ignite(t, h, i, -1, sink)
    h.burning = 0
    h.step = S_TURN

# ---- End of the round (5.6) ----

cdef int remover(const Titans* h) noexcept nogil:
    """Z1: the last seat of the turn order that still plays (R72)."""
    cdef int k
    for k in range(2, 0, -1):
        if h.pc[(h.init + k) % 3].place != NONE:
            return (h.init + k) % 3
    return h.init


cdef void run_remove(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """Z1, in the free-for-all only; then the initiative token goes on."""
    if arena(t):
        if h.at == 0 and removable(t, h):
            h.at = 1
            pose(h, remover(h), Q_REMOVE)
            return
        h.init = <uint8_t> ((h.init + 1) % 3)
        while h.pc[h.init].place == NONE:
            h.init = <uint8_t> ((h.init + 1) % 3)
        emit1(sink, E_INITIATIVE, PUBLIC, h.init)
    h.at = 0
    h.step = S_ROUND_END


cdef void run_round_end(const Tables* t, Titans* h, Sink* sink) noexcept nogil:
    """Z2, Z3: what lasted for the round ends; R65."""
    cdef int i
    cdef int winners = 0
    emit1(sink, E_ROUND_END, PUBLIC, h.round)
    for i in range(t.teams):
        h.team[i].played = NONE
        h.team[i].marks = 0
        h.team[i].dice_used = 0
    for i in range(PIECES):
        h.pc[i].acts = 0
        h.pc[i].slot_die[0] = 0
        h.pc[i].slot_die[1] = 0
        h.pc[i].marks = 0
        h.pc[i].stat &= ~KO_NOW
    h.turn = 0
    h.step = S_ROUND
    if h.round < t.rounds:
        return
    if arena(t):
        for i in range(3):
            if h.pc[i].place != NONE:
                winners |= 1 << i
    else:
        winners = 3 if h.team[0].vp == h.team[1].vp else 1 if h.team[0].vp > h.team[1].vp else 2
    end_game(h, winners, sink)
