"""The numbers behind the reasons of a hint, in the order of words.FEATURES, which turns their changes into words.

Each is scaled so that a change of 1 matters about equally: reasons are ranked by it. What starts anew with every round (the
odds of a KO, the damage to come) carries the round's number, what starts anew with every mission or KO the points, so that before
and after are not compared across such an end: a KO'd character that returns unhurt has not been healed.
"""
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.titans.judgement cimport distance, mission_progress
from seatmate.engine.titans.model cimport (
    ATK1, ATTACK, CYBORG, ELIMINATED, ESCAPE, KO_NOW, LOCK, MOVED, NEXT2, NONE, PIECES, PROG, SHIELD, SLOT_USED, STUN,
    S_OVER, S_SLOT, TEAMS, Frame, Piece, Tables, Titans, arena, bit, endurance, on_map, value_of,
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
cdef double LANDS = 0.85            # chance that an attack under way hits: the attacked team may still have a card
cdef double FIRE_VALUE = 2.2        # damage by fire in the next round: the mean value of the die

cdef struct Threat:                 # an attack that may still come in this round
    double chance
    double damage


cdef const Frame* blow(const Titans* h, int attacker) noexcept nogil:
    """The attack of a piece that is under way, its damage still to come; NULL."""
    cdef int i
    for i in range(h.depth):
        if h.frame[i].kind == ATTACK and h.frame[i].stage == 0 and h.frame[i].actor == attacker:
            return &h.frame[i]
    return NULL


cdef double blow_damage(const Tables* t, const Titans* h, const Frame* attack) noexcept nogil:
    return value_of(t, h) + attack.a + (1 if h.team[attack.team].marks & ATK1 else 0) + (2 if h.flags & NEXT2 else 0)


cdef bint still_runs(const Titans* h) noexcept nogil:
    """The ability of the active piece is under way and has attacked nobody yet."""
    cdef int i
    cdef bint runs = False
    for i in range(h.depth):
        if h.frame[i].kind == PROG and h.frame[i].source == S_SLOT + 2 * h.active + h.slot:
            runs = h.frame[i].tgt == NONE
        elif h.frame[i].kind == ATTACK and h.frame[i].actor == h.active:
            return False
    return runs


cdef Threat threat(const Tables* t, const Titans* h, int attacker, int target) noexcept nogil:
    """What a piece may still do to another one in this round, besides an attack that is under way."""
    cdef const Piece* p = &h.pc[attacker]
    cdef Threat found
    cdef int far
    found.chance = 0
    found.damage = value_of(t, h) + BONUS + (1 if h.team[t.piece_team[attacker]].marks & ATK1 else 0)
    if not on_map(h, attacker) or not on_map(h, target) or t.piece_team[attacker] == t.piece_team[target]:
        return found
    if attacker == h.active:
        if h.flags & SLOT_USED and not still_runs(h):
            return found
    elif p.acts or h.step == S_OVER:
        return found
    far = distance(h, p.place, bit(h.pc[target].place))
    if far <= 1:
        found.chance = HITS
    elif far == 2 and not p.marks & LOCK and not (attacker == h.active and h.flags & (MOVED | SLOT_USED)):
        found.chance = HITS_FAR
    if p.tok & STUN:
        found.chance = found.chance / 2 if far <= 1 else 0
    return found


cdef double falls(const Tables* t, const Threat* threats, double health) noexcept nogil:
    """Chance that a piece of so much health is KO'd by attacks to come; each may go to it."""
    cdef double chance, damage, odds
    cdef double sum = 0
    cdef int i, hits
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


cdef double knocked_out(const Tables* t, const Titans* h, int target) noexcept nogil:
    """Chance that a piece is KO'd until the end of this round."""
    cdef Threat threats[PIECES]
    cdef const Frame* attack = blow(h, h.active) if h.active != NONE else NULL
    cdef double health, hurt, rest
    cdef int i
    if h.pc[target].stat & (KO_NOW | ELIMINATED):
        return 1
    if not on_map(h, target):
        return 0
    health = endurance(t, &h.pc[target])
    for i in range(t.pieces):
        threats[i] = threat(t, h, i, target)
    rest = falls(t, threats, health)
    if attack == NULL or attack.tgt != target:
        return rest
    hurt = health - blow_damage(t, h, attack)
    return LANDS * (falls(t, threats, hurt) if hurt > 0 else 1) + (1 - LANDS) * rest


cdef double coming(const Tables* t, const Titans* h, int attacker, int team, bint own) noexcept nogil:
    """Damage a piece may still do in this round to the team (own), or to all others: one attack, on one of those it can reach."""
    cdef Threat found
    cdef const Frame* attack = blow(h, attacker)
    cdef double best = 0
    cdef int i
    if attack != NULL:
        if attack.tgt < PIECES and t.piece_team[attack.tgt] != TEAMS and (t.piece_team[attack.tgt] == team) == own:
            return LANDS * blow_damage(t, h, attack)
        return 0
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
            out[7 - at] += STAMP * h.team[i].vp             # the damage of those whose KO brings these points
            out[14 + at] = STAMP * h.team[i].vp + MISSION * mission_progress(t, h, i)
    out[16] = CARD * bit_count(h.hand[seat])
    return 18
