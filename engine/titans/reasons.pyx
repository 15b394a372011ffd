"""The numbers behind the reasons of a hint, in the order of words.FEATURES, which turns their changes into words.

Each is scaled so that a change of 1 matters about equally: reasons are ranked by it. What starts anew with every round (the
odds of a KO, the damage to come) carries the round's number, what starts anew with every mission the points, so that before and
after are not compared across such an end.
"""
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.titans.judgement cimport distance, mission_progress
from seatmate.engine.titans.model cimport (
    ATK1, CYBORG, ELIMINATED, ESCAPE, KO_NOW, LOCK, MOVED, NONE, PIECES, SHIELD, SLOT_USED, STUN, S_OVER, Piece, Tables, Titans,
    arena, bit, on_map, value_of,
)

from seatmate.engine.titans import words

cdef double STAMP = words.STAMP
cdef double POINT = words.POINT
cdef double ODDS = words.ODDS
cdef double COMING = words.COMING
cdef double DAMAGE = words.DAMAGE
cdef double FIRE = words.FIRE
cdef double MARK = words.MARK
cdef double MISSION = words.MISSION
cdef double CARD = words.CARD

cdef double HITS = 0.75             # chance that a piece attacks the one it can reach without a move
cdef double HITS_FAR = 0.5          # ... with its free move first
cdef double BONUS = 0.7             # what abilities add to the value of the Mayhem die, on average
cdef double SPREAD = 3.0            # damage between a KO that is out of reach and one that is certain
cdef double FIRE_VALUE = 2.2        # damage by fire in the next round: the mean value of the die

cdef struct Threat:                 # an attack that may still come in this round
    double chance
    double damage


cdef Threat threat(const Tables* t, const Titans* h, int attacker, int target) noexcept nogil:
    """What a piece may still do to another one in this round."""
    cdef const Piece* p = &h.pc[attacker]
    cdef Threat found
    cdef int far
    found.chance = 0
    found.damage = value_of(t, h) + BONUS + (1 if h.team[t.piece_team[attacker]].marks & ATK1 else 0)
    if not on_map(h, attacker) or not on_map(h, target) or t.piece_team[attacker] == t.piece_team[target]:
        return found
    if attacker == h.active:
        if h.flags & SLOT_USED:
            return found
    elif p.acts or h.step == S_OVER:
        return found
    far = distance(h, p.place, bit(h.pc[target].place))
    if far <= 1:
        found.chance = HITS
    elif far == 2 and not p.marks & LOCK and not (attacker == h.active and h.flags & MOVED):
        found.chance = HITS_FAR
    if p.tok & STUN:
        found.chance = found.chance / 2 if far <= 1 else 0
    return found


cdef double knocked_out(const Tables* t, const Titans* h, int target) noexcept nogil:
    """Chance that a piece is KO'd until the end of this round; every attack may go to it."""
    cdef Threat threats[PIECES]
    cdef double health, chance, damage, odds
    cdef double sum = 0
    cdef int i, hits
    if h.pc[target].stat & (KO_NOW | ELIMINATED):
        return 1
    if not on_map(h, target):
        return 0
    health = t.board[h.pc[target].ctype].health - h.pc[target].dmg + (2 if h.pc[target].tok & SHIELD else 0)
    for i in range(t.pieces):
        threats[i] = threat(t, h, i, target)
    for hits in range(1 << t.pieces):
        chance = 1
        damage = 0
        for i in range(t.pieces):
            if hits >> i & 1:
                chance *= threats[i].chance
                damage += threats[i].damage
            else:
                chance *= 1 - threats[i].chance
        odds = 0.5 + (damage - health) / SPREAD
        if damage > 0 and odds > 0:
            sum += chance * (odds if odds < 1 else 1)
    return sum


cdef double coming(const Tables* t, const Titans* h, int attacker, int team, bint own) noexcept nogil:
    """Damage a piece may still do in this round to the team (own), or to all others: one attack, on one of those it can reach."""
    cdef Threat found
    cdef double best = 0
    cdef int i
    for i in range(t.pieces):
        if (t.piece_team[i] == team) == own:
            found = threat(t, h, attacker, i)
            if found.chance * found.damage > best:
                best = found.chance * found.damage
    return best


cdef int features(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    cdef const Tables* t = <const Tables*> tables
    cdef const Titans* h = <const Titans*> state
    cdef const Piece* p
    cdef int team = t.team_of[seat]
    cdef double spared[2]           # chance that nobody is KO'd: of the own pieces, of the others
    cdef double hurt
    cdef int i, at
    for i in range(18):
        out[i] = 0
    spared[0] = spared[1] = 1
    for i in range(t.pieces):
        p = &h.pc[i]
        if p.ctype == NONE:
            continue
        at = t.piece_team[i] != team
        hurt = p.dmg if p.place != NONE else t.board[p.ctype].health if h.round and p.stat & (KO_NOW | ELIMINATED) else 0
        spared[at] *= 1 - knocked_out(t, h, i)
        out[4 + at] += COMING * (hurt + (FIRE_VALUE if p.fire else 0))
        out[5 - at] += COMING * coming(t, h, i, team, at)
        out[6 + at] += DAMAGE * hurt
        out[8 + at] += FIRE * p.fire
        out[10 + at] += MARK * ((p.tok & STUN) != 0)
        if not at:
            out[12] += MARK * ((p.tok & SHIELD) != 0)
            out[13] += MARK * ((p.tok & ESCAPE) != 0)
            if arena(t) and p.place != NONE and (h.near[p.place] | bit(p.place)) >> h.pc[CYBORG].place & 1:
                out[17] = MARK
    for at in range(2):
        out[2 + at] = STAMP * h.round + ODDS * (1 - spared[at])
        out[4 + at] += STAMP * h.round
    if not arena(t):
        for i in range(2):
            at = i != team
            out[at] = POINT * h.team[i].vp
            out[14 + at] = STAMP * h.team[i].vp + MISSION * mission_progress(t, h, i)
    out[16] = CARD * bit_count(h.hand[seat])
    return 18
