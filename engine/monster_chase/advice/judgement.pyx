"""What a position is worth (RULES.md, 11). All of it is public, so that it does not matter who asks."""
from libc.math cimport exp

from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.machine cimport returns
from seatmate.engine.monster_chase.rules.model cimport progress

cdef double PACE = 3.4          # squares of the Boss in a round
cdef double DAMAGE = 0.45       # hearts a car takes from it in a round
cdef double PREY_SHARE = 0.5    # of the hearts on the track that it gets at each border
cdef double STAR = 70           # progress that a star is worth
cdef double WHOLE = 40          # ... and a point of damage


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


cdef double margin(const Book* book, const Chase* chase) noexcept nogil:
    """Hearts by which the pilots are ahead of the Boss, as things go."""
    cdef int v
    cdef int boss = book.boss
    cdef double rounds = squares_left(book, chase, boss) / PACE
    cdef double borders = book.tiles - chase.car[boss].lap
    cdef double damage = 0
    cdef double ready = 0
    cdef double gap, meals, reserve
    for v in range(book.cars):
        gap = (progress(book, chase, v) - progress(book, chase, boss)) / 70.0
        gap = gap if gap > 0 else -gap
        damage += DAMAGE * rounds * (1.0 if gap < 6 else max(0.5, 1.3 - 0.05 * gap))
        ready += 0.15 * chase.car[v].star - 0.12 * chase.car[v].damage + 0.2 * chase.car[v].shields
    meals = PREY_SHARE * hearts_out(book, chase) * max(0.0, borders)
    meals = min(meals, damage * 0.6 + max(0, book.max_hp - chase.flow.hp))
    reserve = book.seats * bit_count(chase.flow.reserves)
    return damage + ready - meals - reserve - chase.flow.hp


cdef double standing(const Book* book, const Chase* chase, int v) noexcept nogil:
    """A car in a race, in units of progress."""
    return progress(book, chase, v) + STAR * chase.car[v].star + WHOLE * (3 - chase.car[v].damage) - 60.0 * (chase.car[v].spun != 0)


cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """The chance to win; in races shares of it."""
    cdef const Book* book = <const Book*> tables
    cdef const Chase* chase = <const Chase*> state
    cdef double value, best, sum
    cdef double stable[V.SEATS]
    cdef int i
    if chase.flow.result:
        returns(tables, state, out)
        return
    if book.boss != V.NONE:
        value = margin(book, chase)
        value = 0.03 + 0.94 / (1 + exp(-value / (2 + 0.25 * book.max_hp)))
        for i in range(book.seats):
            out[i] = value
        return
    best = -1e9
    sum = 0
    for i in range(book.stables):
        stable[i] = 0
    for i in range(book.cars):
        if book.kind[i] < V.K_BOT:
            stable[book.stable[i]] += standing(book, chase, i) / book.stable_size
    for i in range(book.stables):
        best = max(best, stable[i])
    for i in range(book.stables):
        stable[i] = exp((stable[i] - best) / 210)
        sum += stable[i]
    for i in range(book.seats):
        out[i] = stable[book.stable[i]] / sum


cdef bint quiet(const void* tables, const void* state) noexcept nogil:
    """Between turns: nothing is under way."""
    cdef const Chase* chase = <const Chase*> state
    return chase.flow.prompt == V.Q_TURN_MENU and chase.flow.step == V.S_BEFORE
