"""The numbers behind the reasons of a hint, with their sentences; the enum counts the rows.

What starts anew with every round (odds, chakra, cards) carries the round's number, so that two answers are not compared across
its end.
"""
from libc.math cimport exp

from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.advice.judgement cimport goes_back
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport MISSIONS, Book, Frame, Mythos
from seatmate.engine.mythos.rules.query cimport income, power, total_power, winner_of

from seatmate.engine.core.spec import Feature, apart, instead

cdef enum:
    ODDS                            # of each mission
    POINTS = MISSIONS
    ENEMY_POINTS
    LATER
    CHAKRA
    INCOME
    HAND
    ENEMY_HAND
    ENEMIES
    HIDDEN_ENEMIES
    EDGE
    SEEN
    OWN_CARDS
    WAITING
    OPENING
    ROUND
    FEATURES_N

STAMP = 1024.0
"""What starts anew with every round has this times the round added to it."""
CHEAP = 3
"""Characters for so much chakra or less can be played in round 1."""
cdef int cheap = CHEAP
_ANY = 1e-9
"""As the least change: whatever reads differently."""


def _odds(rank):
    return Feature(f"odds_{rank}", 1, 1.0, lambda theirs, mine: (
        f"your odds on mission {rank.upper()}: {instead(100 * mine, 100 * theirs, sign=' %')}"), least=0.03, stamp=STAMP)


def _held(key, double scale, said, stamp=0.0):
    """A number that is told as it is with either answer, if they read differently."""
    def text(theirs, mine):
        held = instead(mine, theirs)
        return f"{said}: {held}" if held else ""
    return Feature(key, 1, scale, text, _ANY, stamp)


def _opening(theirs, mine):
    if abs(mine) < 0.15:
        return ""
    more = "more" if mine > 0 else "fewer"
    return f"begins with {abs(mine):.1f} {more} characters for {CHEAP} chakra or less than the other answer"


FEATURES = (
    *(_odds(rank) for rank in "dcba"),
    Feature("points", 1, 0.12, lambda theirs, mine: f"scores {apart(mine - theirs, 'point')}", 0.3),
    Feature("enemy_points", -1, 0.12, lambda theirs, mine: f"the opponent scores {apart(mine - theirs, 'point')}", 0.3),
    _held("later", 0.12, "points to expect in later rounds", STAMP),
    Feature("chakra", 1, 0.04, lambda theirs, mine: (
        f"{'saves' if mine > theirs else 'costs'} {abs(mine - theirs):.0f} chakra ({mine:.0f} left, not {theirs:.0f})"),
        0.5, STAMP),
    _held("income", 0.04, "your chakra in the next round", STAMP),
    Feature("hand", 1, 0.08, lambda theirs, mine: f"leaves you {apart(mine - theirs, 'card')}", 0.5),
    Feature("enemy_hand", -1, 0.08, lambda theirs, mine: f"leaves the opponent {apart(mine - theirs, 'card')}", 0.5),
    Feature("enemies", -1, 0.12, lambda theirs, mine: f"leaves the opponent {apart(mine - theirs, 'character')}"),
    Feature("hidden_enemies", 1, 0.12, lambda theirs, mine: f"turns {apart(mine - theirs, 'enemy character')} face down"),
    Feature("edge", 1, 0.15, lambda theirs, mine: f"{'you have' if mine > theirs else 'the opponent has'} the Edge", 0.5),
    Feature("seen", 1, 0.02, lambda theirs, mine: f"shows you {apart(mine - theirs, 'hidden card')} of the opponent", 0.5),
    _held("own_cards", 0.02, "power of your hand and characters", STAMP),
    _held("waiting", 0.01, "points where your hidden characters wait"),
    Feature("opening", 1, 0.08, _opening, 0.0),
    Feature("round", 1, 1.0, clock=True),
)
cdef double SCALES[FEATURES_N]
cdef double STAMPS[FEATURES_N]
assert len(FEATURES) == FEATURES_N
for _number, _row in enumerate(FEATURES):
    SCALES[<int> _number] = _row.scale
    STAMPS[<int> _number] = _row.stamp

cdef double SPREAD = 2.5            # power that turns an even mission into a likely one
cdef double EDGE_POWER = 0.3        # what the Edge is worth on every mission
cdef double LATER_LEAD = 0.7             # how much of today's lead in power still counts in later rounds


cdef inline double chance(double lead) noexcept nogil:
    return 1.0 / (1.0 + exp(-lead / SPREAD))


cdef double odds(const Book* t, const Mythos* state, int seat, int mission) noexcept nogil:
    """Chance to win a mission in this round; once both have passed it is what an evaluation says."""
    cdef double lead
    if state.passed == 3:
        return winner_of(t, state, mission) == seat
    lead = total_power(t, state, mission, seat) - total_power(t, state, mission, 1 - seat)
    return chance(lead + (EDGE_POWER if state.edge == seat else -EDGE_POWER))


cdef double lasting_lead(const Book* t, const Mythos* state, int seat, int mission) noexcept nogil:
    """Lead in power without tokens, which go, and without characters that return at the end of the round."""
    cdef uint64_t rest = (state.side[0] | state.side[1]) & state.at[mission] & state.up
    cdef double lead = 0
    cdef int slot, own
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if not goes_back(t, state.top[slot]):
            own = power(t, state, slot) - state.tokens[slot]
            if own > 0:
                lead += own if state.side[seat] >> slot & 1 else -own
    return lead


cdef int seen_cards(const Mythos* state, int seat) noexcept nogil:
    """Hidden cards of the other seat that this one knows: characters, tops of the deck, and what it keeps track of."""
    cdef uint64_t rest = state.side[1 - seat] & ~state.up
    cdef int n = state.track[seat].n
    cdef int i
    while rest:
        n += state.known[lowest_bit(rest)] >> seat & 1
        rest &= rest - 1
    for i in range(state.top_n[1 - seat]):
        n += state.top_known[1 - seat][i] >> seat & 1
    return n


cdef int own_strength(const Book* t, const Mythos* state, int seat) noexcept nogil:
    """Printed power of the seat's hand and of its characters in play, the hidden ones as far as it knows them."""
    cdef uint64_t rest = state.side[seat]
    cdef int sum = 0
    cdef int i, slot
    for i in range(state.hand_n[seat]):
        sum += t.character[state.hand[seat][i]].power
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if state.known[slot] >> seat & 1:
            sum += t.character[state.top[slot]].power
    return sum


cdef double to_be_discarded(const Mythos* state, int seat) noexcept nogil:
    """Cards the seat is asked to discard."""
    cdef const Frame* f
    if state.prompt != V.Q_CARD or state.asked != seat or state.depth == 0:
        return 0
    f = &state.frame[state.depth - 1]
    return f.left if f.verb == V.DISCARD else 0


cdef double opening(const Book* t, const Mythos* state, int seat) noexcept nogil:
    """How many cheap characters more the seat begins with than if it had decided otherwise; 0 before it has."""
    cdef int i
    cdef double kept = 0
    cdef double all = 0
    if state.phase != V.P_MULLIGAN or state.mulligan[seat] == 0:
        return 0
    for i in range(state.hand_n[seat]):
        kept += t.character[state.hand[seat][i]].cost <= cheap
    for i in range(state.deck_n[seat]):
        all += t.character[state.deck[seat][i]].cost <= cheap
    all = (all + kept) * state.hand_n[seat] / (state.deck_n[seat] + state.hand_n[seat])
    return kept - all if state.mulligan[seat] == 1 else all - kept


cdef int features(const void* tables, const void* data, int seat, double* out) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef const Mythos* state = <const Mythos*> data
    cdef double later = 0
    cdef double waiting = 0
    cdef int rounds_left = MISSIONS - state.round if state.phase != V.P_OVER else 0
    cdef int other = 1 - seat
    cdef int drawn = t.round_draw * state.round
    cdef int m
    for m in range(MISSIONS):
        out[ODDS + m] = 0
        if m < state.missions:
            out[ODDS + m] = odds(t, state, seat, m)
            waiting += (t.mission[state.mission[m]].points + t.bonus[m]) * bit_count(state.side[seat] & state.at[m] & ~state.up)
            later += chance(LATER_LEAD * lasting_lead(t, state, seat, m)) * (t.mission[state.mission[m]].points + t.bonus[m])
    out[POINTS] = state.points[seat]
    out[ENEMY_POINTS] = state.points[other]
    out[LATER] = later * rounds_left
    out[CHAKRA] = state.chakra[seat]
    out[INCOME] = income(t, state, seat) if rounds_left else 0
    out[HAND] = state.hand_n[seat] - drawn              # without what every round brings
    out[ENEMY_HAND] = state.hand_n[other] - to_be_discarded(state, other) - drawn
    out[ENEMIES] = bit_count(state.side[other])
    out[HIDDEN_ENEMIES] = bit_count(state.side[other] & ~state.up)
    out[EDGE] = state.edge == seat
    out[SEEN] = seen_cards(state, seat)
    out[OWN_CARDS] = own_strength(t, state, seat)
    out[WAITING] = waiting
    out[OPENING] = opening(t, state, seat)
    out[ROUND] = state.round
    for m in range(FEATURES_N):
        out[m] = STAMPS[m] * state.round + SCALES[m] * out[m]
    return FEATURES_N
