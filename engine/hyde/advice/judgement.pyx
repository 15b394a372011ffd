"""What good play looks like: how likely each place is to be saved, what a point there is worth, what a card is good for.

The model of section 11.3: points still to come to a place are about normal, so the chance to reach the need
is a normal distribution function of (points there + expected points - need). From these chances follow the
distribution of the number of lost places, the expected utility, and the worth of a point on each place.
"""
from libc.math cimport erfc, sqrt
from libc.string cimport memset

from seatmate.engine.core.types cimport uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit
from seatmate.engine.hyde.content.vocabulary cimport ALL_OUTER, ATTACKS, CYCLE_STEPS, HAND, OUTCASTS, PLACES, SEATS
from seatmate.engine.hyde.content cimport vocabulary as V
from seatmate.engine.hyde.rules.attack cimport attack_total, returns, swap_matches
from seatmate.engine.hyde.rules.model cimport (
    Hyde, find_in_hand, is_open, kind_of, lost_targets, play_places, seat_in_turn, touches,
)

from seatmate.engine.hyde.words import words

cdef double REACH = words.REACH
cdef double CARD_POINT = words.CARD_POINT
cdef double TURN = words.TURN

cdef enum:
    PHI_STEPS = 64          # table steps per unit of the normal distribution
    PHI_RANGE = 5           # ... from -5 to 5
    STEPS = 4               # gains are computed for 0, 2, 4 and 6 points more

cdef float PHI[2 * 5 * 64 + 1]
cdef float SPREAD = 5.0             # sd of the points on a place, in units of sqrt(spread) (11.3)
cdef float PER_CARD = 3.9           # points a well chosen card brings
cdef float SPEND = 0.15             # share of a card's potential that playing it costs
cdef float TYPICAL_CARD = 3.5       # points an average card brings on the place it suits best
cdef float REACH_WEIGHT = 0.39      # worth of a place in reach next turn, in points there


cdef inline float phi(float x) noexcept nogil:
    """Standard normal distribution function, from the table."""
    cdef float at = (x + PHI_RANGE) * PHI_STEPS
    cdef int i
    if at <= 0:
        return 0.0
    if at >= 2 * PHI_RANGE * PHI_STEPS:
        return 1.0
    i = <int> at
    return PHI[i] + (PHI[i + 1] - PHI[i]) * (at - i)


cdef void prepare(Book* t) noexcept nogil:
    """Fill the tables of expected points still to come."""
    cdef int c, m, k, d, i
    cdef double now, later
    for i in range(2 * PHI_RANGE * PHI_STEPS + 1):
        PHI[i] = <float> (0.5 * erfc(-(<double> i / PHI_STEPS - PHI_RANGE) / sqrt(2.0)))
    for c in range(1, CYCLE_STEPS):
        for m in range(SEATS + 1):
            now = <double> m / c
            for i in range(1, c):
                now += 0.9 * t.n / i
            t.flow_now[c][m] = <float> now
            for k in range(1, ATTACKS):
                for d in range(1, ATTACKS + 1 - k):
                    later = 0.5 * t.n * (d - 1)
                    for i in range(1, 7 - k - d):
                        later += 0.9 * t.n / i
                    if c > 1:
                        later += 0.3 * m / c
                    t.flow_later[c][m][k][d] = <float> later

# ---- Judging a position ----

cdef struct Judgement:
    int tokens                      # in the bag
    int turns                       # still to be played in this cycle, the running one included until its card is down
    float points[PLACES]            # on each place
    float save[PLACES]              # chance to be saved
    float worth[PLACES]             # utility of saving the place for sure against losing it
    float gain[PLACES][STEPS]       # utility gained by 0, 2, 4, 6 more points there
    float point[PLACES]             # utility of one more point there
    float value                     # expected utility


cdef inline float slot_estimate(const Book* t, const Hyde* state, int seat, int place, int slot) noexcept nogil:
    """Points a face-down card is expected to bring, as far as the seat knows; seat -1 knows every card."""
    cdef int target = state.target_at[place]
    cdef int signal
    if seat < 0 or state.slot_known[slot] >> seat & 1:
        return t.eff[place][target][kind_of(state.slot_card[slot])]
    if state.slot_one[slot]:
        return t.one[place][target]
    if t.signals:                   # 11.5: the last word of its player about its newest card there
        signal = state.signal[state.slot_by[slot]]
        if signal and (signal - 1) % 5 + 1 == place and state.slot_turn[slot] + t.n >= t.n * state.cycles + state.turn_index:
            if signal <= 5:
                return 4.3
            if signal > 10:
                return 0.8
    return t.chosen[place][target]


cdef inline float value_of_losses(const Book* t, int lost) noexcept nogil:
    if lost >= t.loss_limit:
        return <float> (0.08 * (5 - lost))
    if lost == 0:
        return 1.0
    if lost == 1:
        return <float> 0.85
    if lost == 2:
        return <float> 0.70
    return 0.5


cdef void judge(const Book* t, const Hyde* state, int seat, bint gains, Judgement* j) noexcept nogil:
    """Judge the position as the seat sees it (seat -1: all cards open); `gains` fills gain, point and worth too."""
    cdef int p, q, d, i, slots
    cdef int k = state.attack_no
    cdef int last = ATTACKS - k
    cdef uint64_t mask
    cdef float now, later, missing, chance, stay
    cdef float need[ATTACKS + 1]
    cdef float scale[ATTACKS + 1]   # index 0: hit now; d: hit d attacks later
    cdef float weight[ATTACKS + 1]
    cdef float losses[PLACES]       # distribution of the number of lost places
    cdef float others[PLACES]
    cdef float values[PLACES + 1]
    cdef float save_at[STEPS]
    cdef float value
    memset(j, 0, sizeof(Judgement))
    j.tokens = bit_count(state.bag)
    j.turns = t.n - state.turn_index
    if state.phase not in (V.MOVE, V.PLACE, V.PLAY, V.MORE, V.COST):
        j.turns -= 1
    for p in range(1, PLACES):
        if state.attacked >> p & 1:
            j.save[p] = 1 if state.saved >> p & 1 else 0
            continue
        slots = 0
        mask = state.pile[p]
        while mask:
            j.points[p] += slot_estimate(t, state, seat, p, lowest_bit(mask))
            mask &= mask - 1
            slots += 1
        # When will it be hit? Now with chance 1/tokens, else at one of the later attacks, all alike.
        now = <float> (1.0 / j.tokens) if state.bag >> p & 1 else 0
        weight[0] = now
        later = t.flow_now[j.tokens][j.turns]
        need[0] = t.need[k] - <float> 0.5 - PER_CARD * later
        scale[0] = 1 / (SPREAD * sqrt(<float> 0.3 + <float> 0.12 * slots + <float> 0.25 * later))
        for d in range(1, last + 1):
            weight[d] = (1 - now) / last
            later = t.flow_later[j.tokens][j.turns][k][d]
            need[d] = t.need[k + d] - <float> 0.5 - PER_CARD * later
            scale[d] = 1 / (SPREAD * sqrt(<float> 0.3 + <float> 0.12 * slots + <float> 0.25 * later))
        for i in range(STEPS if gains else 1):
            chance = 0
            for d in range(last + 1):
                if weight[d] > 0:
                    missing = j.points[p] + 2 * i - need[d]
                    chance += weight[d] * phi(missing * scale[d])
            save_at[i] = chance
        j.save[p] = save_at[0]
        if gains:
            for i in range(STEPS):
                j.gain[p][i] = save_at[i] - save_at[0]      # times worth, below
    for i in range(PLACES + 1):
        values[i] = value_of_losses(t, i)
    memset(losses, 0, sizeof(losses))
    losses[0] = 1
    for p in range(1, PLACES):
        stay = j.save[p]
        for i in range(p, 0, -1):
            losses[i] = losses[i] * stay + losses[i - 1] * (1 - stay)
        losses[0] *= stay
    value = 0
    for i in range(PLACES):
        value += losses[i] * values[i]
    for p in range(1, PLACES):
        value += <float> 0.02 * (j.save[p] - 1)     # tie-break, 0 at best so that the value stays in [0, 1]
    j.value = value if value > 0 else 0
    if not gains:
        return
    for p in range(1, PLACES):
        if state.attacked >> p & 1:
            continue
        memset(others, 0, sizeof(others))
        others[0] = 1
        i = 0
        for q in range(1, PLACES):
            if q != p:
                i += 1
                stay = j.save[q]
                for d in range(i, 0, -1):
                    others[d] = others[d] * stay + others[d - 1] * (1 - stay)
                others[0] *= stay
        value = <float> 0.02
        for i in range(PLACES):
            value += others[i] * (values[i] - values[i + 1])
        j.worth[p] = value
        for i in range(STEPS):
            j.gain[p][i] *= value
        j.point[p] = j.gain[p][1] / 2


cdef inline float gain_of(const Judgement* j, int place, float points) noexcept nogil:
    """Utility gained by more points on a place, interpolated."""
    cdef int i
    if points >= 6:
        return j.gain[place][3] + (points - 6) * (j.gain[place][3] - j.gain[place][2]) / 2
    i = <int> (points / 2)
    return j.gain[place][i] + (points / 2 - i) * (j.gain[place][i + 1] - j.gain[place][i])


cdef inline float potential(const Book* t, const Hyde* state, const Judgement* j, int kind) noexcept nogil:
    """The best a card could do on an open place, in utility."""
    cdef int p
    cdef float best = 0
    cdef float here
    for p in range(1, PLACES):
        here = j.point[p] * t.eff[p][state.target_at[p]][kind]
        if here > best:
            best = here
    return best

cdef inline bint in_reach(const Book* t, const Hyde* state, int seat, int here, int place) noexcept nogil:
    """Can the seat bring a card to `place` in its next turn when its pawn stands `here`?"""
    return touches(state, here, place) or (here == place and not t.must_leave[here]) or t.reach[state.outcast[seat]]

# ---- Options of a turn ----

cdef struct Cards:
    # The cards a seat could play and what playing each would cost it.
    int kind[HAND]
    float cost[HAND]
    int n
    int thing                       # kind of Thing's card, -1: not playable
    float thing_cost
    bint six
    float six_cost


cdef void look_at_cards(const Book* t, const Hyde* state, int seat, const Judgement* j, Cards* c) noexcept nogil:
    cdef int i, p
    cdef float least = 1
    cdef float most = 0
    c.n = state.hand_n[seat]
    for i in range(c.n):
        c.kind[i] = kind_of(state.hand[seat][i])
        c.cost[i] = potential(t, state, j, c.kind[i])
        if c.cost[i] < least:
            least = c.cost[i]
        c.cost[i] *= SPEND
    c.thing = -1
    if state.thing_seat == seat and state.thing_filled:
        c.thing = kind_of(state.thing_card)
        c.thing_cost = potential(t, state, j, c.thing)
        if c.thing_cost < least:        # it can pay a six, too (R37)
            least = c.thing_cost
        c.thing_cost *= SPEND
    c.six = t.substitute[state.outcast[seat]] and state.sixes_left > 0 and c.n > 0
    for p in range(1, PLACES):
        if j.point[p] > most:
            most = j.point[p]
    c.six_cost = SPEND * (least + <float> 5.5 * most)


cdef inline float card_on(const Book* t, const Hyde* state, const Judgement* j, int kind, int place) noexcept nogil:
    return gain_of(j, place, t.eff[place][state.target_at[place]][kind])


cdef float best_play(const Book* t, const Hyde* state, int seat, const Judgement* j, const Cards* c, int place) noexcept nogil:
    """The best a turn can do by playing on this place."""
    cdef float best = -1
    cdef float here
    cdef int i, number
    cdef float points = 0
    cdef float cost = 0
    cdef int ones = 0
    number = t.multi_number[state.outcast[seat]]
    for i in range(c.n):
        here = card_on(t, state, j, c.kind[i], place) - c.cost[i]
        if here > best:
            best = here
        if number and t.number[c.kind[i]] == number:
            points += t.eff[place][state.target_at[place]][c.kind[i]]
            cost += c.cost[i]
            ones += 1
    if c.thing >= 0:
        here = card_on(t, state, j, c.thing, place) - c.thing_cost
        if here > best:
            best = here
        if number and t.number[c.thing] == number:
            points += t.eff[place][state.target_at[place]][c.thing]
            cost += c.thing_cost
            ones += 1
    if ones > 1:
        here = gain_of(j, place, points) - cost
        if here > best:
            best = here
    if c.six:
        here = gain_of(j, place, 6) - c.six_cost
        if here > best:
            best = here
    return best if best > -1 else 0


cdef float move_score(const Book* t, const Hyde* state, int seat, const Judgement* j, const Cards* c, int to) noexcept nogil:
    """Best play from there, places in reach next turn, and a bonus pawn on the place that is hit for sure."""
    cdef int p
    cdef int places = play_places(t, state, seat, to)
    cdef float best = -1
    cdef float here
    if places == 0 or (c.n == 0 and c.thing < 0):
        best = 0
    else:
        for p in range(1, PLACES):
            if places >> p & 1:
                here = best_play(t, state, seat, j, c, p)
                if here > best:
                    best = here
        if best < 0 and not places >> to & 1:
            best = 0
    if j.tokens > 1:
        for p in range(1, PLACES):
            if state.bag >> p & 1 and in_reach(t, state, seat, to, p):
                best += REACH_WEIGHT * j.point[p]
    elif state.bag >> to & 1:
        best += gain_of(j, to, t.bonus[state.outcast[seat]])
    return best


cdef struct Gifts:
    # What Thing could get from a hand: potentials of the best and the second best card, and of Thing's own.
    float best
    float second
    float old
    float most                      # the best gift


cdef inline float gift(const Book* t, const Hyde* state, const Judgement* j, const Gifts* g, int kind) noexcept nogil:
    """The best card stays for the own next turn, so Thing gets the second best, if it beats Thing's card."""
    cdef float worth = potential(t, state, j, kind)
    cdef float out = <float> 0.5 * (worth - g.old)
    if worth == g.best and g.best > g.second:
        out -= (g.best - g.second) + <float> 1e-4
    return out


cdef void look_at_gifts(const Book* t, const Hyde* state, int seat, const Judgement* j, Gifts* g) noexcept nogil:
    cdef int i
    cdef float worth
    g.best = -1
    g.second = -1
    for i in range(state.hand_n[seat]):
        worth = potential(t, state, j, kind_of(state.hand[seat][i]))
        if worth > g.best:
            g.second = g.best
            g.best = worth
        elif worth > g.second:
            g.second = worth
    if g.second < 0:
        g.second = g.best
    g.old = potential(t, state, j, kind_of(state.thing_card)) if state.thing_filled else 0
    g.most = -1
    for i in range(state.hand_n[seat]):
        worth = gift(t, state, j, g, kind_of(state.hand[seat][i]))
        if worth > g.most:
            g.most = worth

# ---- The contract ----

cdef void score_actions(const void* tables, const void* data, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    """Scores on the utility scale for the seat's prompt; only what the seat knows enters."""
    cdef const Book* t = <const Book*> tables
    cdef const Hyde* state = <const Hyde*> data
    cdef Judgement j
    cdef Cards c
    cdef int phase = state.phase
    cdef int i, a, place, thing
    cdef Gifts g
    if phase == V.SEND:
        score_send(t, state, seat, actions, n, out)
        return
    if phase == V.SIGNAL:
        score_signal(t, state, seat, actions, n, out)
        return
    if phase == V.DRAFT:
        for i in range(n):
            out[i] = t.appeal[actions[i]]
        return
    if phase == V.WED_TAKE or phase == V.WED_GIVE:
        score_swap(t, state, seat, actions, n, out)
        return
    judge(t, state, seat, True, &j)
    look_at_cards(t, state, seat, &j, &c)
    if phase == V.MOVE:
        for i in range(n):
            out[i] = move_score(t, state, seat, &j, &c, actions[i])
    elif phase == V.PLACE:
        for i in range(n):
            out[i] = 0 if actions[i] == V.PLAY_NOTHING else best_play(t, state, seat, &j, &c, actions[i])
    elif phase == V.PLAY or phase == V.MORE:
        place = state.chain_place
        if actions[n - 1] >= V.SWAP_FIRST:
            look_at_gifts(t, state, seat, &j, &g)
        for i in range(n):
            a = actions[i]
            if a == V.STOP:
                out[i] = 0
            elif a == V.PLAY_THING or a >= V.SWAP_FIRST:
                out[i] = card_on(t, state, &j, c.thing, place) - c.thing_cost
                if a >= V.SWAP_FIRST:
                    out[i] += gift(t, state, &j, &g, a - V.SWAP_FIRST) - g.most - <float> 1e-4
            elif a == V.PLAY_SIX:
                out[i] = gain_of(&j, place, 6) - c.six_cost
            else:
                out[i] = card_on(t, state, &j, a, place) - c.cost[find_in_hand(state, seat, a)]
    elif phase == V.COST or phase == V.YOKO:
        thing = kind_of(state.thing_card)
        if actions[n - 1] >= V.SWAP_FIRST:
            look_at_gifts(t, state, seat, &j, &g)
        for i in range(n):
            a = thing if actions[i] >= V.SWAP_FIRST else actions[i]
            out[i] = -potential(t, state, &j, a) - 1e-6 * t.number[a]
            if actions[i] >= V.SWAP_FIRST:        # against the swap that is still possible after another answer
                out[i] += gift(t, state, &j, &g, actions[i] - V.SWAP_FIRST) - (g.most if g.most > 0 else 0)
    elif phase == V.THING:
        look_at_gifts(t, state, seat, &j, &g)
        for i in range(n):
            out[i] = 0 if actions[i] == V.KEEP else gift(t, state, &j, &g, actions[i])


cdef void score_send(const Book* t, const Hyde* state, int seat, const action_t* actions, int n, double* out) noexcept nogil:
    """Thing goes to the seat that plays next; better still when that seat can reach the place that is hit for sure."""
    cdef int i, place
    cdef int next_index = state.turn_index + 1
    cdef int next_seat = seat_in_turn(t, state, next_index if next_index < t.n else 0)
    for i in range(n):
        out[i] = 0.01 if actions[i] == next_seat else 0
        if actions[i] != seat and bit_count(state.bag) == 1:
            place = lowest_bit(state.bag)
            if touches(state, state.pawn[actions[i]], place) or state.pawn[actions[i]] == place:
                out[i] += 0.005


cdef void score_signal(const Book* t, const Hyde* state, int seat, const action_t* actions, int n, double* out) noexcept nogil:
    """Spec 11.5: `covering` after a strong card, `weak_here` after a weak one, else silence."""
    cdef int i, p
    cdef uint64_t mask
    cdef float points
    cdef int say = 0
    for p in range(1, PLACES):
        mask = state.pile[p]
        while mask:
            i = lowest_bit(mask)
            mask &= mask - 1
            if state.slot_by[i] == seat and state.slot_turn[i] == t.n * state.cycles + state.turn_index and is_open(state, p):
                points = slot_estimate(t, state, seat, p, i)
                if points >= 4:
                    say = p
                elif points <= 1:
                    say = 10 + p
    for i in range(n):
        out[i] = 0.002 if say and actions[i] == say else (0 if actions[i] == 0 else -0.002)


cdef void score_swap(const Book* t, const Hyde* state, int seat, const action_t* actions, int n, double* out) noexcept nogil:
    """Saving or losing the place first, then what the taken card can do later against the given one."""
    cdef Judgement j
    cdef int place = state.chain_place
    cdef int target = state.target_at[place]
    cdef int need = t.need[state.attack_no]
    cdef int total = attack_total(t, state, place)
    cdef int i, m, take, give, after
    cdef float lost_worth, this, best
    # Judge the rest of the game as it will stand after this attack.
    judge_after_attack(t, state, seat, place, &j)
    lost_worth = <float> 0.3
    for i in range(n):
        if actions[i] == V.PASS:
            out[i] = 0
            continue
        best = -10
        for m in range(state.hand_n[seat]):
            if state.phase == V.WED_GIVE:
                take = state.take - 1
                give = actions[i]
            else:
                take = actions[i]
                give = kind_of(state.hand[seat][m])
                if not swap_matches(t, state.outcast[seat], take, give):
                    continue
            after = total - t.eff[place][target][take] + t.eff[place][target][give]
            this = lost_worth * ((after >= need) - (total >= need))
            this += potential(t, state, &j, take) - potential(t, state, &j, give) + <float> 1e-5 * (t.number[take] - t.number[give])
            if this > best:
                best = this
        out[i] = best


cdef void judge_after_attack(const Book* t, const Hyde* state, int seat, int place, Judgement* j) noexcept nogil:
    """Judge the next round from the middle of an attack on `place`, counting the place as saved."""
    cdef Hyde after
    if state.attack_no == ATTACKS:
        memset(j, 0, sizeof(Judgement))
        return
    after = state[0]
    after.saved |= 1 << place
    next_round(t, &after, place)
    judge(t, &after, seat, True, j)


cdef inline void next_round(const Book* t, Hyde* state, int place) noexcept nogil:
    """The open facts as they will be when the attack is over, as far as judging needs them."""
    state.pile[place] = 0
    state.attack_no += 1
    state.bag = ALL_OUTER & ~state.attacked
    state.turn_index = 0
    state.phase = V.MOVE


cdef float prospects(const Book* t, const Hyde* state, int seat, const Judgement* j) noexcept nogil:
    """What the seat's cards and its pawn's place are worth beyond the points on the table, against average ones.

    The same prices as in score_actions (SPEND, REACH_WEIGHT), so that the search does not spend for nothing
    what the heuristic saves up.
    """
    cdef int i, p
    cdef int here = state.pawn[seat]
    cdef float best = 0
    cdef float cards = 0
    cdef float reach = 0
    cdef int n = 0
    for p in range(1, PLACES):
        if j.point[p] > best:
            best = j.point[p]
        if j.tokens > 1 and state.bag >> p & 1:
            if in_reach(t, state, seat, here, p):
                reach += <float> 0.4 * j.point[p]
            else:
                reach -= <float> 0.6 * j.point[p]
    for i in range(state.hand_n[seat]):
        cards += potential(t, state, j, kind_of(state.hand[seat][i]))
        n += 1
    if state.thing_filled and state.thing_known >> seat & 1:
        cards += potential(t, state, j, kind_of(state.thing_card))
        n += 1
    if t.substitute[state.outcast[seat]]:
        cards += state.sixes_left * <float> 5.5 * best
    return SPEND * (cards - n * TYPICAL_CARD * best) + REACH_WEIGHT * reach


cdef void evaluate(const void* tables, const void* data, int seat, double* out) noexcept nogil:
    """Expected utility as the seat sees the table (-1: all cards open); the returns at the end."""
    cdef const Book* t = <const Book*> tables
    cdef const Hyde* state = <const Hyde*> data
    cdef Judgement j
    cdef Hyde after
    cdef int s, place
    if state.phase == V.OVER:
        returns(tables, data, out)
        return
    if state.phase == V.DRAFT:
        j.value = 0.75
    elif state.phase == V.WED_TAKE or state.phase == V.WED_GIVE:
        place = state.chain_place
        after = state[0]
        if attack_total(t, state, place) >= t.need[state.attack_no]:
            after.saved |= 1 << place
        if lost_targets(&after) >= t.loss_limit or state.attack_no == ATTACKS:
            after.phase = V.OVER
            returns(tables, &after, out)
            return
        next_round(t, &after, place)
        judge(t, &after, seat, seat >= 0, &j)
        if seat >= 0:
            j.value += prospects(t, &after, seat, &j)
    else:
        judge(t, state, seat, seat >= 0, &j)
        if seat >= 0:
            j.value += prospects(t, state, seat, &j)
    for s in range(t.n):
        out[s] = 0 if j.value < 0 else 1 if j.value > 1 else j.value


cdef action_t quick_action(const void* tables, const void* data, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil:
    """The best action by score_actions; the simple prompts without judging the position."""
    cdef const Hyde* state = <const Hyde*> data
    cdef double out[64]
    cdef int i
    cdef int best = 0
    if state.phase == V.SIGNAL:
        return 0
    score_actions(tables, data, seat, actions, n, out)
    for i in range(1, n):
        if out[i] > out[best]:
            best = i
    return actions[best]


cdef bint quiet(const void* tables, const void* data) noexcept nogil:
    """A cycle has just begun: the token is drawn and nobody has moved."""
    cdef const Hyde* state = <const Hyde*> data
    return state.phase == V.MOVE and state.turn_index == 0


cdef double thing_points(const Book* t, const Hyde* state) noexcept nogil:
    """The most points that Thing's card brings where its holder can play it in the next turn."""
    cdef int holder = state.thing_seat
    cdef double most = 0
    cdef int p
    if state.thing_filled:
        for p in range(1, PLACES):
            if is_open(state, p) and in_reach(t, state, holder, state.pawn[holder], p):
                if t.eff[p][state.target_at[p]][kind_of(state.thing_card)] > most:
                    most = t.eff[p][state.target_at[p]][kind_of(state.thing_card)]
    return most


cdef int thing_waits(const Book* t, const Hyde* state) noexcept nogil:
    """Turns of others before Thing's holder plays."""
    cdef int i
    for i in range(t.n):
        if seat_in_turn(t, state, (state.turn_index + i) % t.n) == state.thing_seat:
            return i
    return 0


cdef double cover(const Book* t, const Hyde* state, int seat) noexcept nogil:
    """The points of the hand's best card for each open place, added up."""
    cdef double sum = 0
    cdef int p, i, most
    for p in range(1, PLACES):
        most = 0
        for i in range(state.hand_n[seat]):
            if is_open(state, p) and t.eff[p][state.target_at[p]][kind_of(state.hand[seat][i])] > most:
                most = t.eff[p][state.target_at[p]][kind_of(state.hand[seat][i])]
        sum += most
    return sum


cdef int features(const void* tables, const void* data, int seat, double* out) noexcept nogil:
    """Chance of each outer place to be saved, places in reach, what the hand could do (points), the outcast, the attack."""
    cdef const Book* t = <const Book*> tables
    cdef const Hyde* state = <const Hyde*> data
    cdef Judgement j
    cdef int p, i
    cdef double most, hand
    cdef int reach = 0
    cdef int here = state.pawn[seat]
    memset(&j, 0, sizeof(Judgement))
    if state.phase == V.OVER:
        for p in range(1, PLACES):
            j.save[p] = state.saved >> p & 1
    elif state.phase == V.WED_TAKE or state.phase == V.WED_GIVE:
        judge_after_attack(t, state, seat, state.chain_place, &j)
        j.save[state.chain_place] = 0.5
    elif state.phase != V.DRAFT:
        judge(t, state, seat, True, &j)
    for p in range(1, PLACES):
        out[p - 1] = j.save[p]
        if state.phase != V.DRAFT and state.bag >> p & 1 and in_reach(t, state, seat, here, p):
            reach += 1
    out[5] = REACH * reach
    hand = 0
    for i in range(state.hand_n[seat]):
        most = 0
        for p in range(1, PLACES):
            if is_open(state, p) and t.eff[p][state.target_at[p]][kind_of(state.hand[seat][i])] > most:
                most = t.eff[p][state.target_at[p]][kind_of(state.hand[seat][i])]
        hand += most
    out[6] = CARD_POINT * hand
    out[7] = t.appeal[state.outcast[seat]] if state.outcast[seat] < OUTCASTS else 0
    out[8] = state.attack_no
    out[9] = CARD_POINT * thing_points(t, state) if state.phase != V.DRAFT else 0
    out[10] = TURN * thing_waits(t, state) if state.phase != V.DRAFT else 0
    out[11] = CARD_POINT * cover(t, state, seat)
    return 12
