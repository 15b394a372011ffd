"""Small questions: who is connected, which squares are free, which vehicles a selector means."""
from libc.string cimport memset

from seatmate.engine.core.zones cimport lowest_bit, sort_short
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.model cimport bit, green, held, mod, occupant, progress


cdef bint ally(const Book* book, int v, int w) noexcept nogil:
    """Cars of one side: in the chase all, in teams those of a stable."""
    if v == w or v == book.boss or w == book.boss:
        return v == w
    return book.mode == V.MODE_COOP or (book.mode == V.MODE_TEAM and book.stable[v] == book.stable[w])


cdef uint16_t pilots(const Book* book) noexcept nogil:
    """All vehicles but the Boss, a mask."""
    return <uint16_t> ((1 << book.cars) - 1)


cdef uint16_t linked(const Book* book, const Chase* chase, int v) noexcept nogil:
    """The cars a car is connected to, itself left out: directly, or through others (6.14, R23)."""
    cdef uint16_t found = bit(v)
    cdef uint16_t rest = 0
    cdef uint16_t fresh = found
    cdef int a, b, reach
    cdef int wider = 0
    if book.mode == V.MODE_RACE or v == book.boss or chase.car[v].sq == V.NONE:
        return 0
    if chase.flow.current < book.cars:
        wider = mod(book, chase, chase.flow.current, V.M_CONN)
    for b in range(book.cars):
        if chase.car[b].sq != V.NONE and ally(book, v, b):
            rest |= bit(b)
    rest &= ~found
    while fresh and rest:
        a = lowest_bit(fresh)
        fresh &= fresh - 1
        for b in range(book.cars):
            if rest >> b & 1:
                reach = book.conn_base - chase.car[a].star - chase.car[b].star
                if a == chase.flow.current or b == chase.flow.current:
                    reach += wider
                if reach >= 1 and book.distance[chase.car[a].sq][chase.car[b].sq] <= reach:
                    rest &= ~bit(b)
                    fresh |= bit(b)
                    found |= bit(b)
    return found & ~bit(v)


cdef bint clear(const Book* book, const Chase* chase, int sq) noexcept nogil:
    """Free: no vehicle, no object, neither water nor void (3.2)."""
    return not chase.object[sq] and not book.square[sq].flags & (V.SQ_WATER | V.SQ_VOID) and chase.flow.snout != sq \
        and occupant(book, chase, sq) < 0


cdef int nearby(const Book* book, const Chase* chase, int sq, int least, int most, action_t* out) noexcept nogil:
    """Free squares at a distance of least..most, as answers; returns their number."""
    cdef int g
    cdef int n = 0
    if sq == V.NONE:
        return 0
    for g in range(book.squares):
        if book.distance[sq][g] <= most and book.distance[sq][g] >= least and clear(book, chase, g):
            out[n] = V.SQUARE + g
            n += 1
    return n


cdef int beside(const Book* book, const Chase* chase, int sq, bint only_clear, action_t* out, int n) noexcept nogil:
    """Append the side squares as answers."""
    cdef int i
    cdef int start = n
    for i in range(book.square[sq].sides):
        if not only_clear or clear(book, chase, book.square[sq].side[i]):
            out[n] = V.SQUARE + book.square[sq].side[i]
            n += 1
    sort_short(&out[start], n - start)
    return n


cdef int around(const Book* book, const Chase* chase, int sq, action_t* out) noexcept nogil:
    """Free adjacent squares."""
    cdef int i
    cdef int n = 0
    for i in range(book.square[sq].rounds):
        if clear(book, chase, book.square[sq].round[i]):
            out[n] = V.SQUARE + book.square[sq].round[i]
            n += 1
    return n


cdef int rear_place(const Book* book, const Chase* chase, int sq, action_t* out) noexcept nogil:
    """The place `rear`: the square behind, else the side squares (6.8)."""
    cdef int back = book.square[sq].back
    if back != V.NONE and clear(book, chase, back):
        out[0] = V.SQUARE + back
        return 1
    return beside(book, chase, sq, True, out, 0)


cdef int first_of(const Book* book, const Chase* chase, uint16_t found) noexcept nogil:
    """The best ranked vehicle of a mask, -1."""
    cdef int i
    for i in range(book.vehicles):
        if found >> chase.flow.rank[i] & 1:
            return chase.flow.rank[i]
    return -1


cdef uint16_t base_of(const Book* book, int v, int base) noexcept nogil:
    cdef uint16_t found = 0
    cdef int w
    if base == V.B_SELF:
        return bit(v)
    if base == V.B_BOSS:
        return bit(book.boss) if book.boss != V.NONE else 0
    if base == V.B_PILOTS:
        return pilots(book)
    for w in range(book.vehicles):
        if base == V.B_TEAM:
            found |= bit(w) if ally(book, v, w) else 0
        elif book.mode == V.MODE_COOP:
            found |= bit(w) if w == book.boss else 0
        elif w != v and not ally(book, v, w):
            found |= bit(w)
    return found


cdef uint16_t selected(const Book* book, const Chase* chase, int v, const Who* who) noexcept nogil:
    """The vehicles a selector means before its pick, a mask."""
    cdef uint16_t found = base_of(book, v, who.base)
    cdef uint16_t keep = 0
    cdef int filters = who.filters
    cdef int w, mine
    if not filters:
        return found
    mine = progress(book, chase, v)
    for w in range(book.vehicles):
        if not found >> w & 1 or chase.car[w].sq == V.NONE:
            continue
        if filters & 1 << V.F_AHEAD and progress(book, chase, w) <= mine:
            continue
        if filters & 1 << V.F_BEHIND and progress(book, chase, w) >= mine:
            continue
        if filters & 1 << V.F_LANE and book.square[chase.car[w].sq].lane != book.square[chase.car[v].sq].lane:
            continue
        if filters & 1 << V.F_NEAR and book.distance[chase.car[v].sq][chase.car[w].sq] > who.near:
            continue
        if filters & (1 << V.F_LINKED | 1 << V.F_LONE) and (linked(book, chase, w) != 0) != (filters >> V.F_LINKED & 1):
            continue
        if filters & 1 << V.F_LINKED_ME and not linked(book, chase, v) >> w & 1:
            continue
        keep |= bit(w)
    return keep


cdef int picked(const Book* book, const Chase* chase, int v, int pick, uint16_t found) noexcept nogil:
    """The vehicle a pick takes, -1: ties of the nearest go to the better rank."""
    cdef int best = -1
    cdef int least = 1 << 20
    cdef int i, w, gap
    if pick == V.PICK_FIRST:
        return first_of(book, chase, found)
    for i in range(book.vehicles):
        w = chase.flow.rank[i]
        if found >> w & 1:
            gap = progress(book, chase, w) - progress(book, chase, v)
            gap = gap if gap >= 0 else -gap
            if pick == V.PICK_LAST or gap < least:
                least = gap
                best = w
    return best


cdef bint holds(const Book* book, const Chase* chase, int v, int condition, int n) noexcept nogil:
    """Does a condition hold for the vehicle (3.2)?"""
    cdef int i, w
    if condition == V.IF_NOTHING:
        return True
    if condition == V.IF_LINKED or condition == V.IF_LONE:
        return (linked(book, chase, v) != 0) == (condition == V.IF_LINKED)
    if condition == V.IF_BOSS_NEAR:
        return book.boss != V.NONE and chase.car[v].sq != V.NONE and book.distance[chase.car[v].sq][chase.car[book.boss].sq] <= n
    if condition == V.IF_RANK_BEST or condition == V.IF_RANK_WORST:
        for i in range(book.vehicles):
            w = chase.flow.rank[i] if condition == V.IF_RANK_BEST else chase.flow.rank[book.vehicles - 1 - i]
            if w != book.boss:
                return w == v
    if condition == V.IF_HAND_GE:
        return held(chase, v) >= n
    if condition == V.IF_HAND_LE:
        return held(chase, v) <= n
    return 100 * chase.flow.hp <= n * book.max_hp


cdef int times_of(const Book* book, const Chase* chase, int effect) noexcept nogil:
    """How often a card's effect is done."""
    if effect < V.X_BOMB or effect > V.X_STAR or chase.flow.current == book.boss:
        return 1
    return 2 if mod(book, chase, chase.flow.current, V.M_TWICE_BOMB + effect - V.X_BOMB) else 1


cdef int card_value(const Book* book, const Chase* chase, int v, int type) noexcept nogil:
    """The movement of a card: additions, cap, floor, at least 1 (R17)."""
    cdef int value = type % V.VALUES + 1 + mod(book, chase, v, V.M_VALUE_ALL)
    cdef int most = mod(book, chase, v, V.M_VALUE_CAP)
    value += mod(book, chase, v, V.M_VALUE_RUSH if type >= V.RUSH else V.M_VALUE_SPRINT)
    if most and value > most:
        value = most
    return max(value, mod(book, chase, v, V.M_VALUE_FLOOR), 1)


cdef int power_price(const Book* book, const Chase* chase, int level) noexcept nogil:
    return max(1, level + mod(book, chase, chase.flow.current, V.M_POWER_COST))


cdef int power_program(const Chase* chase, int v, int level) noexcept nogil:
    """What a power does: the one of level 2 is everybody's."""
    return V.P_POWER2 if level == 2 else (V.P_POWER1 if level == 1 else V.P_POWER3) + chase.car[v].board


cdef int assault_program(const Book* book, const Chase* chase) noexcept nogil:
    """The half of the Boss's colour (R12)."""
    return (V.P_ASSAULT_GREEN if green(book, chase, book.boss) else V.P_ASSAULT_RED) + chase.flow.assault


cdef int lap_change(const Book* book, const Chase* chase, int v, int sq) noexcept nogil:
    """Lap slots from a vehicle to the nearest one of the square's tile."""
    cdef int change = (book.square[sq].slot - chase.car[v].lap + 4 * book.tiles) % book.tiles
    return change - book.tiles if change > book.tiles // 2 else change


cdef void returns(const void* tables, const void* state, double* out) noexcept nogil:
    """Section 8: the chase is won together; races by the best ranked seat, or the stable with the lowest sum of ranks."""
    cdef const Book* book = <const Book*> tables
    cdef const Chase* chase = <const Chase*> state
    cdef int sum[V.SEATS]
    cdef int last[V.SEATS]
    cdef int i, v
    cdef int best = -1
    cdef double value
    if book.boss != V.NONE:
        value = 1.0 if chase.flow.result == V.R_WON else 0.0
        if chase.flow.result == V.R_ESCAPED or chase.flow.result == V.R_CAP:
            value = 0.3 * min(max(<double> (book.max_hp - chase.flow.hp) / book.max_hp, 0.0), 1.0)
        for i in range(book.seats):
            out[i] = value
        return
    memset(sum, 0, sizeof(sum))
    for i in range(book.vehicles):
        v = chase.flow.rank[i]
        if v >= book.vehicles or book.kind[v] >= V.K_BOT:
            continue
        sum[book.stable[v]] += i + 1
        last[book.stable[v]] = i
    for i in range(book.stables):
        if best < 0 or sum[i] < sum[best] or (sum[i] == sum[best] and last[i] < last[best]):
            best = i
    for v in range(book.seats):
        out[v] = 1.0 if book.stable[v] == best else 0.0
