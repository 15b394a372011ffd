"""What a position is worth (RULES.md, 11). All of it is public, so that it does not matter who asks."""
from libc.math cimport exp
from libc.string cimport memset

from seatmate.engine.core.cardset cimport count
from seatmate.engine.core.game cimport State
from seatmate.engine.core.stages cimport between
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.model cimport Car, held, position, progress
from seatmate.engine.monster_chase.rules.query cimport returns

from seatmate.engine.core.terms import HOUSE, Terms

cdef enum:
    CHASE_TERMS = 25
    RACE_TERMS = 7
    STAGES = 4

CHASE_NAMES = ("one", "hearts", "taken", "prey", "way to the prey", "prey near", "damage", "wounded", "stars", "shields", "cards",
               "behind", "ahead", "short of the prey", "beyond", "its shields", "furious", "spun", "reserves", "overflow", "turns",
               "auras", "assault", "beaten", "across")
RACE_NAMES = ("road", "stars", "damage", "wounded", "spun", "rank", "cards")
STAGE_NAMES = ("the end", "10 squares left", "25 left", "45 left")
cdef double[STAGES] LEFT = [0, 10, 25, 45]

# What the terms are worth in log-odds, by squares left: a logistic regression on games (benches/fit.py; ai/search/TUNING.md).
cdef double CHASE[STAGES][CHASE_TERMS]

CHASE[0][:] = [-4.050, 0.020, 4.183, 0.644, -1.192, -1.021, -0.080, 0.182, 0.003, 0.274, 0.112, -0.164, -0.021,
               0.140, 0.558, -0.063, -0.172, 0.403, 0.000, 0.000, 0.085, -0.011, -0.060, 2.082, -0.275]
CHASE[1][:] = [-6.612, 0.716, 7.998, 3.280, -2.771, -4.011, -0.280, 0.220, 0.591, 0.481, 0.081, -0.172, -0.087,
               0.137, -0.584, -0.380, -0.190, 0.315, 0.000, 0.000, 0.176, 0.007, -0.096, 3.677, 0.000]
CHASE[2][:] = [-7.133, 0.806, 8.222, 3.015, -1.874, -2.142, 0.111, -0.690, 0.623, -0.142, 0.225, 0.117, 0.090,
               0.018, -2.126, -0.215, -0.046, 0.266, -1.490, -2.026, 0.189, 0.024, -0.085, 6.678, 0.000]
CHASE[3][:] = [-7.226, 1.035, 10.019, 5.173, -6.463, -4.627, 0.287, -0.333, 0.708, -0.513, 0.506, -0.254, 0.245,
               0.390, -3.671, -0.141, -0.113, 0.457, -1.722, 0.301, -0.118, -0.069, -0.025, 2.280, 0.000]

cdef double ALONE[STAGES][RACE_TERMS]       # every car for itself

ALONE[0][:] = [0.651, 0.828, -0.313, -0.151, -0.054, 0.063, 0.280]
ALONE[1][:] = [0.269, 0.216, -0.346, -0.062, 0.150, 0.303, -0.719]
ALONE[2][:] = [0.038, 0.037, -0.111, 0.000, -0.354, 0.171, -0.450]
ALONE[3][:] = [0.055, -0.182, 0.264, -0.525, 0.235, 0.102, 0.450]

cdef double STABLE[STAGES][RACE_TERMS]      # in teams

STABLE[0][:] = [0.393, 0.259, -0.182, -0.621, -0.675, -0.377, -0.248]
STABLE[1][:] = [0.291, 0.120, -0.433, -0.055, -0.371, 0.227, -0.244]
STABLE[2][:] = [0.031, -0.021, -0.151, 0.042, 0.132, 0.055, -0.246]
STABLE[3][:] = [0.000, 0.004, 0.463, -0.511, 0.054, -0.056, 0.199]


cdef double squares_left(const Book* book, const Chase* chase, int v) noexcept nogil:
    """Squares to the finish line."""
    return max(0.0, (420.0 * (book.tiles + 1) - progress(book, chase, v)) / 70)


cdef double hearts_out(const Book* book, const Chase* chase) noexcept nogil:
    """Hearts the Boss can expect of a meal."""
    cdef int kind
    cdef double hearts = 0
    for kind in range(V.PREY):
        hearts += (chase.flow.open[kind] + 0.5 * chase.flow.sheltered[kind]) * book.prey[kind].hearts
    return hearts


cdef double leader_left(const Book* book, const Chase* chase) noexcept nogil:
    """Squares to the line of whom the stage of the game goes by: the Boss, or the first car of a race."""
    cdef double left = 1000
    cdef int v
    if book.boss != V.NONE:
        return squares_left(book, chase, book.boss)
    for v in range(book.cars):
        left = min(left, squares_left(book, chase, v))
    return left


cdef void chase_terms(const Book* book, const Chase* chase, double* out) noexcept nogil:
    """The position of the pilots, in the units of CHASE_NAMES; what cars have is the mean of all."""
    cdef int boss = book.boss
    cdef int prey = chase.car[boss].lap + 1
    cdef int v
    cdef double gap, way
    cdef const Car* car
    memset(out, 0, CHASE_TERMS * sizeof(double))
    while prey % book.tiles != chase.flow.prey_slot:
        prey += 1
    way = (420.0 * prey - progress(book, chase, boss)) / 70
    for v in range(book.cars):
        car = &chase.car[v]
        gap = (progress(book, chase, v) - progress(book, chase, boss)) / 70.0
        out[6] += car.damage
        out[7] += car.damage == book.hearts - 1
        out[8] += car.star
        out[9] += car.shields
        out[10] += held(chase, v)
        out[11] += min(max(-gap - 4, 0.0), 16.0)
        out[12] += min(max(gap, 0.0), 16.0)
        out[13] += min(max((420.0 * prey - progress(book, chase, v)) / 70, 0.0), 12.0)
        out[14] += car.lap > prey
    for v in range(6, 15):
        out[v] /= book.cars
    out[0] = 1
    out[1] = <double> chase.flow.hp / book.cars
    out[2] = <double> (book.max_hp - chase.flow.hp) / book.max_hp
    out[3] = hearts_out(book, chase) / book.cars
    out[4] = min(way, 12.0) / 12
    out[5] = out[3] * (1 - out[4])
    out[15] = chase.car[boss].shields
    out[16] = chase.flow.furious
    out[17] = chase.car[boss].spun != 0
    out[18] = bit_count(chase.flow.reserves)
    if chase.flow.reserves:
        out[19] = max(0, book.seats - (book.max_hp - chase.flow.hp)) / <double> book.seats
    out[20] = <double> (book.vehicles - chase.flow.turn) / book.vehicles
    out[21] = count(&chase.flow.positive)
    out[22] = chase.flow.assault != V.NONE
    out[23] = chase.flow.hp <= 0
    out[24] = chase.car[boss].lap > book.tiles


cdef void race_terms(const Book* book, const Chase* chase, int stable, double* out) noexcept nogil:
    """The mean car of a stable, in the units of RACE_NAMES."""
    cdef int v, k
    cdef const Car* car
    memset(out, 0, RACE_TERMS * sizeof(double))
    for v in range(book.cars):
        if book.kind[v] >= V.K_BOT or book.stable[v] != stable:
            continue
        car = &chase.car[v]
        out[0] += progress(book, chase, v) / 70.0
        out[1] += car.star
        out[2] += car.damage
        out[3] += car.damage == book.hearts - 1
        out[4] += car.spun != 0
        out[5] += position(book, chase, v)
        out[6] += held(chase, v)
    for k in range(RACE_TERMS):
        out[k] /= book.stable_size


cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """What a chase comes to; of a race the shares of the stables."""
    cdef const Book* book = <const Book*> tables
    cdef const Chase* chase = <const Chase*> state
    cdef double[STAGES] stage
    cdef double[CHASE_TERMS] term
    cdef double[V.VEHICLES] stable
    cdef double best = -1e9
    cdef double sum = 0
    cdef int i, k, s
    if chase.flow.result:
        returns(tables, state, out)
        return
    between(LEFT, STAGES, leader_left(book, chase), stage)
    for s in range(book.stables):
        stable[s] = 0
        if book.boss != V.NONE:
            chase_terms(book, chase, term)
            for i in range(STAGES):
                for k in range(CHASE_TERMS):
                    stable[s] += stage[i] * CHASE[i][k] * term[k]
            continue
        race_terms(book, chase, s, term)
        for i in range(STAGES):
            for k in range(RACE_TERMS):
                stable[s] += stage[i] * (ALONE[i][k] if book.stable_size == 1 else STABLE[i][k]) * term[k]
    for s in range(book.stables):
        best = max(best, stable[s])
    for s in range(book.stables):
        stable[s] = 1 / (1 + exp(-stable[s])) if book.boss != V.NONE else exp(stable[s] - best)
        sum += stable[s]
    for i in range(book.seats):
        out[i] = stable[book.stable[i]] / (sum if book.boss == V.NONE else 1)


cdef bint quiet(const void* tables, const void* state) noexcept nogil:
    """Between turns: nothing is under way."""
    cdef const Chase* chase = <const Chase*> state
    return chase.flow.prompt == V.Q_TURN_MENU and chase.flow.step == V.S_BEFORE


def terms(State state not None) -> Terms | None:
    """Of the pilots against the Boss, or of all stables."""
    cdef const Book* book = <const Book*> state.game.tables
    cdef const Chase* chase = <const Chase*> state.data
    cdef double[CHASE_TERMS] out
    cdef double[STAGES] stage
    cdef int i, k
    if state.is_over or not quiet(book, chase):
        return None
    between(LEFT, STAGES, leader_left(book, chase), stage)
    weights = [stage[i] for i in range(STAGES)]
    if book.boss != V.NONE:
        chase_terms(book, chase, out)
        return Terms(CHASE_NAMES, STAGE_NAMES, weights, {0: [out[k] for k in range(CHASE_TERMS)], HOUSE: [0.0] * CHASE_TERMS})
    sides = {}
    for i in range(book.seats):
        if book.stable[i] not in [book.stable[k] for k in range(i)]:
            race_terms(book, chase, book.stable[i], out)
            sides[i] = [out[k] for k in range(RACE_TERMS)]
    return Terms(RACE_NAMES, STAGE_NAMES, weights, sides)
