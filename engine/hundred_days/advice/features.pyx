"""The numbers behind the reasons of a hint, with their sentences; the enum counts the rows."""
from seatmate.engine.hundred_days.advice.judgement cimport Standing, standing
from seatmate.engine.hundred_days.rules.model cimport Book, Days

from seatmate.engine.core.spec import Feature, apart, instead

cdef enum:
    POINTS
    RIVAL
    TOKENS
    HAND
    GARAGE
    BEST
    NEAR
    RISK
    WAIVERS
    FEATURES_N

FEATURES = (
    Feature("points", 1, 1.0, lambda theirs, mine: f"scores {apart(mine - theirs, 'point')}"),
    Feature("rival", -1, 0.8, lambda theirs, mine: f"the best rival has {apart(mine - theirs, 'point')}"),
    Feature("tokens", 1, 0.3, lambda theirs, mine: f"brings you {apart(mine - theirs, 'resource')}"),
    Feature("hand", 1, 0.35, lambda theirs, mine: f"leaves you {apart(mine - theirs, 'card')} in hand"),
    Feature("garage", 1, 0.5, lambda theirs, mine: f"leaves you {apart(mine - theirs, 'garage token')}"),
    Feature("best", 1, 0.6, lambda theirs, mine: (
        f"you can close a dimension worth {instead(mine, theirs)} points" if mine > 0.4 else "you can close nothing then")),
    Feature("near", 1, 0.4, lambda theirs, mine: f"progress to the best dimension: {instead(mine, theirs, 1)} points"),
    Feature("risk", -1, 0.3, lambda theirs, mine: f"points at risk, on cards without a garage token: {instead(mine, theirs, 1)}"),
    Feature("waivers", 1, 0.8, lambda theirs, mine: f"your closings cost {apart(theirs - mine, 'resource')}"),
)
cdef double SCALES[FEATURES_N]
assert len(FEATURES) == FEATURES_N
for _number, _row in enumerate(FEATURES):
    SCALES[<int> _number] = _row.scale


cdef int features(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    cdef const Book* book = <const Book*> tables
    cdef const Days* days = <const Days*> state
    cdef Standing mine = standing(book, days, seat)
    cdef Standing other
    cdef int i
    out[POINTS] = mine.points
    out[RIVAL] = 0
    for i in range(book.seats):
        if i != seat:
            other = standing(book, days, i)
            out[RIVAL] = max(out[RIVAL], other.points)
    out[TOKENS] = mine.useful
    out[HAND] = mine.hand
    out[GARAGE] = days.garage[seat]
    out[BEST] = mine.best
    out[NEAR] = mine.near
    out[RISK] = mine.unguarded
    out[WAIVERS] = mine.waivers
    for i in range(FEATURES_N):
        out[i] *= SCALES[i]
    return FEATURES_N
