"""The numbers behind the reasons of a hint, with their sentences; the enum counts the rows."""
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.monster_chase.advice.judgement cimport hearts_out, squares_left
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.model cimport Book, Chase, held, mod, position
from seatmate.engine.monster_chase.rules.query cimport linked

from seatmate.engine.core.spec import Feature, apart, counted, instead

cdef enum:
    BOSS_HEARTS
    BOSS_ROAD
    PREY
    OWN_DAMAGE
    OTHERS_DAMAGE
    STARS
    SHIELDS
    CARDS
    ROAD
    RANK
    LINKS
    FEATURES_N

FEATURES = (
    Feature("boss_hearts", -1, 1.0, lambda theirs, mine: f"leaves the Boss {apart(mine - theirs, 'heart')}"),
    Feature("boss_road", 1, 0.3, lambda theirs, mine: f"the Boss has {apart(mine - theirs, 'square')} to go"),
    Feature("prey", -1, 0.8, lambda theirs, mine: f"leaves the Boss {apart(mine - theirs, 'heart')} of prey"),
    Feature("own_damage", -1, 0.8, lambda theirs, mine: f"your car has {apart(mine - theirs, 'damage point')}"),
    Feature("others_damage", -1, 0.4, lambda theirs, mine: f"the other cars have {apart(mine - theirs, 'damage point')}"),
    Feature("stars", 1, 0.5, lambda theirs, mine: f"brings you {apart(mine - theirs, 'star')}"),
    Feature("shields", 1, 0.5, lambda theirs, mine: f"leaves you {apart(mine - theirs, 'shield')}"),
    Feature("cards", 1, 0.3, lambda theirs, mine: f"leaves you {apart(mine - theirs, 'card')}"),
    Feature("road", -1, 0.2, lambda theirs, mine: (
        f"your car is {counted(abs(mine - theirs), 'square')} {'behind' if mine > theirs else 'further'}")),
    Feature("rank", -1, 0.6, lambda theirs, mine: f"you are at position {instead(mine, theirs)}"),
    Feature("links", 1, 0.3, lambda theirs, mine: f"connects you with {instead(mine, theirs)} cars"),
)
cdef double SCALES[FEATURES_N]
assert len(FEATURES) == FEATURES_N
for _number, _row in enumerate(FEATURES):
    SCALES[<int> _number] = _row.scale


cdef int cards_to_come(const Book* book, const Chase* chase, int seat) noexcept nogil:
    """Cards in hand; in the own turn, before the refill, what it fills the hand to: a line is compared with one that is past it."""
    cdef int flags = chase.flow.turn_flags
    cdef bint drawn = chase.flow.current != seat or not V.S_START <= chase.flow.step <= V.S_REFILL
    if drawn or flags & V.TURN_YETI or (flags & V.TURN_MANOEUVRE and not mod(book, chase, seat, V.M_MAN_DRAW)):
        return held(chase, seat)
    if flags & V.TURN_DUMP:
        return held(chase, seat) if mod(book, chase, seat, V.M_AST_KEEP) else 0
    return max(held(chase, seat), book.hand + mod(book, chase, seat, V.M_HAND))


cdef int features(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    cdef const Book* book = <const Book*> tables
    cdef const Chase* chase = <const Chase*> state
    cdef bint boss = book.boss != V.NONE
    cdef int i, v
    out[BOSS_HEARTS] = chase.flow.hp if boss else 0
    out[BOSS_ROAD] = squares_left(book, chase, book.boss) if boss else 0
    out[PREY] = hearts_out(book, chase) if boss else 0
    out[OWN_DAMAGE] = chase.car[seat].damage
    out[OTHERS_DAMAGE] = 0
    for v in range(book.cars):
        if v != seat:
            out[OTHERS_DAMAGE] += chase.car[v].damage if boss else -<double> chase.car[v].damage
    out[STARS] = chase.car[seat].star
    out[SHIELDS] = chase.car[seat].shields
    out[CARDS] = cards_to_come(book, chase, seat)
    out[ROAD] = squares_left(book, chase, seat)
    out[RANK] = position(book, chase, seat) + 1
    out[LINKS] = bit_count(linked(book, chase, seat))
    for i in range(FEATURES_N):
        out[i] *= SCALES[i]
    return FEATURES_N
