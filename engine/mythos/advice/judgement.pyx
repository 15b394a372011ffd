"""What a position is worth: points so far, missions by the power there, and what both sides still have."""
from libc.math cimport exp
from libc.string cimport memset

from seatmate.engine.core.game cimport State
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport MISSIONS, Character, bit, is_up, returns
from seatmate.engine.mythos.rules.query cimport income, powers

from seatmate.engine.core.terms import Terms

cdef enum:
    TERMS = 10
    LEADS = 257             # leads in the table of chances on each side of 0, in tenths: all that come up are whole tenths

cdef float EDGE_POWER = 0.3         # what the Edge is worth on every mission
cdef float SPREAD = 2.5             # power that turns an even mission into a likely one

# What things are worth, in points, for the answers to a question. Found by self-play (ai/search/TUNING.md).
CHAKRA_WORTH = 0.4
UNIT = 0.75
PUT = -0.17
PUT_LASTING = 0.13
PUT_AMBUSH = 0.5
PUT_COST = -0.04
LASTING = 0.08
LINE = 0.58
EARNER = 0.55
LASTING_POWER = 0.88
SCORING = 0.34
BODY = 0.37
BODY_POWER = 0.31
BODY_HIDDEN = 1.07
FACE = 0.19
FACE_POWER = 0.11
PASS_NOW = -0.56
PASS_EDGE = 0.44
EDGE_WORTH = -0.13
CARD = 0.63
BACK = 0.89
PLAYED = -0.29
TEXT = 0.6
AMBUSH_TEXT = 1.2

TERM_NAMES = ("points", "missions as they stand", "up units", "hidden units", "hand", "spendable chakra", "Edge", "passed", "turn",
              "income of lines")
STAGES = ("no round left", "1 round left", "2 rounds left", "3 rounds left")

# What the terms of a position are worth in log-odds, by rounds left: a logistic regression on self-play (benches/fit.py; likewise).
cdef float WEIGHT[MISSIONS][TERMS]

WEIGHT[0][:] = [0.299, 0.342, -0.047, 0.059, 0.182, 0.22, -0.243, 0.425, 0.144, 0.06]
WEIGHT[1][:] = [0.176, 0.341, 0.149, 0.231, 0.261, 0.22, -0.138, 0.239, 0.054, 0.162]
WEIGHT[2][:] = [0.121, 0.299, 0.403, 0.324, 0.238, 0.229, -0.056, 0.22, 0.068, 0.271]
WEIGHT[3][:] = [0.1, 0.094, 0.386, 0.119, 0.032, 0.137, -0.089, 0.201, 0.05, 0.227]

cdef float CHANCE[2 * LEADS + 1]

for _lead in range(-LEADS, LEADS + 1):
    CHANCE[_lead + LEADS] = <float> (1.0 / (1.0 + exp(-0.1 * _lead / SPREAD)))


cdef inline float chance(float lead) noexcept nogil:
    """Chance to win a mission with this lead in power."""
    cdef int i = <int> (10 * lead + LEADS + 0.5)
    return CHANCE[0 if i < 0 else 2 * LEADS if i > 2 * LEADS else i]


cdef bint goes_back(const Book* t, int kind) noexcept nogil:
    """Does the card return to the hand at the end of the round?"""
    cdef int i
    if not t.character[kind].events >> V.ROUND_END & 1:
        return False
    for i in range(t.character[kind].lines):
        if t.line[t.character[kind].first + i].flags & V.PLAIN_RETURN:
            return True
    return False


cdef void look(Judge* j, const Book* t, const Mythos* state) noexcept nogil:
    """Work out the numbers of a position."""
    cdef uint64_t rest
    cdef int m, s, slot
    j.t = t
    j.state = state
    j.back = 0
    powers(t, state, j.power)
    j.rounds_left = MISSIONS - state.round if state.round else MISSIONS - 1
    for s in range(2):
        j.edge[s] = EDGE_POWER if state.edge == s else -EDGE_POWER
        for m in range(state.missions):
            j.now[s][m] = 0
            j.later[s][m] = 0
            rest = state.side[s] & state.at[m]
            while rest:
                slot = lowest_bit(rest)
                rest &= rest - 1
                j.now[s][m] += j.power[slot]
                if is_up(state, slot) and goes_back(t, state.top[slot]):
                    j.back |= bit(slot)
                else:
                    j.later[s][m] += j.power[slot]
    for m in range(state.missions):
        j.single[m] = t.mission[state.mission[m]].points + t.bonus[m]
        j.value[m] = j.single[m] * (1 + LASTING * j.rounds_left)


cdef float lead(const Judge* j, int seat, int mission) noexcept nogil:
    """The lead in power of a seat, the Edge counted in."""
    return j.now[seat][mission] - j.now[1 - seat][mission] + j.edge[seat]


cdef float change(const Judge* j, int seat, int mission, float gained, bint lasting) noexcept nogil:
    """Points the seat can expect from that much more power in a mission; `lasting`: for the rounds to come, too."""
    cdef float d = lead(j, seat, mission)
    return (j.value[mission] if lasting else j.single[mission]) * (chance(d + gained) - chance(d))


cdef void fill_worth(Book* t) noexcept nogil:
    """What the text of each card brings on average when it is played, in points, for choices that must be cheap."""
    cdef const Character* card
    cdef int kind
    for kind in range(t.characters):
        card = &t.character[kind]
        t.worth[kind] = (0.6 * (card.headings >> V.MAIN & 1) + 0.2 * (card.headings >> V.UPGRADE & 1)
                         + 0.4 * (card.headings >> V.SCORE & 1) + 0.4 * (card.statics & 1))


cdef void evaluate(const void* tables, const void* data, int seat, double* out) noexcept nogil:
    """Estimated utilities. Nothing here depends on a hidden card, so every seat estimates the same."""
    cdef const Book* t = <const Book*> tables
    cdef const Mythos* state = <const Mythos*> data
    cdef Judge j
    cdef float term[TERMS]
    cdef const float* weights
    cdef double e
    cdef int i
    if state.phase == V.P_OVER:
        returns(tables, data, out)
        return
    look(&j, t, state)
    differences(&j, term)
    weights = &WEIGHT[j.rounds_left][0]
    e = 0
    for i in range(TERMS):
        e += weights[i] * term[i]
    out[0] = 1 / (1 + exp(-e))
    out[1] = 1 - out[0]


cdef void differences(const Judge* j, float* out) noexcept nogil:
    """What tells who is ahead, as differences between seat 0 and seat 1; nothing depends on a hidden card.

    In the order of TERM_NAMES.
    """
    cdef const Mythos* state = j.state
    cdef int s, m, live
    cdef int done = 0                   # missions already evaluated in this round
    cdef float sign
    memset(out, 0, TERMS * sizeof(float))
    if state.phase == V.P_MISSION:
        done = state.scoring + (state.step != V.S_BEGIN)
    elif state.phase != V.P_ACTION and state.phase != V.P_MULLIGAN:
        done = state.missions
    out[0] = state.points[0] - state.points[1]
    for m in range(done, state.missions):
        out[1] += (2 * chance(lead(j, 0, m)) - 1) * j.single[m]
    out[9] = income(j.t, state, 0) - income(j.t, state, 1) - bit_count(state.side[0]) + bit_count(state.side[1])
    for s in range(2):
        sign = 1 - 2 * s
        out[2] += sign * bit_count(state.side[s] & state.up & ~j.back)
        out[3] += sign * bit_count(state.side[s] & ~state.up)
        out[4] += sign * state.hand_n[s]
        out[6] += sign * (state.edge == s)
        if state.phase == V.P_ACTION:
            live = 0                    # chakra it can still spend
            if not state.passed >> s & 1:
                live = 4 * state.hand_n[s] + 3 * bit_count(state.side[s] & ~state.up)
                if live > state.chakra[s]:
                    live = state.chakra[s]
            out[5] += sign * live
            out[7] += sign * (state.passed >> s & 1)
            out[8] += sign * (state.active == s)


cdef bint quiet(const void* tables, const void* data) noexcept nogil:
    """Between turns, nothing that was begun is left."""
    return (<const Mythos*> data).prompt == V.Q_TURN


def terms(State state not None) -> Terms | None:
    """What seat 0 has more than seat 1."""
    cdef const Mythos* mythos = <const Mythos*> state.data
    cdef Judge j
    cdef float[TERMS] out
    cdef int i
    if mythos.phase == V.P_OVER or not quiet(state.game.tables, mythos):
        return None
    look(&j, <const Book*> state.game.tables, mythos)
    differences(&j, out)
    rounds = [float(i == j.rounds_left) for i in range(MISSIONS)]
    return Terms(TERM_NAMES, STAGES, rounds, {0: [out[i] for i in range(TERMS)], 1: [0.0] * TERMS})
