"""The numbers behind the reasons of a hint, in the order of words.FEATURES, which turns their changes into words.

Each is scaled so that a change of 1 matters about equally: reasons are ranked by it. What starts anew with every round (the
odds of a KO, the damage to come) carries the round's number, what starts anew with every mission or KO the points, so that before
and after are not compared across such an end: a KO'd character that returns unhurt has not been healed.
"""
from libc.string cimport memset

from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.titans.advice.judgement cimport distance, mission_progress
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.model cimport (
    CARDS, CYBORG, NONE, PIECES, PLACES, TEAMS, Book, Frame, Piece, Titans, arena, bit, endurance, in_setup, mate_of,
    on_map, returns, value_of,
)

from seatmate.engine.titans.words import words

cdef double STAMP = words.STAMP
cdef double POINT = words.POINT
cdef double ODDS = words.ODDS
cdef double COMING = words.COMING
cdef double DAMAGE = words.DAMAGE
cdef double FIRE = words.FIRE
cdef double MARK = words.MARK
cdef double MISSION = words.MISSION
cdef double CARD = words.CARD
cdef double WORTH = words.WORTH

cdef double RESULT = words.RESULT
cdef double TRAP = words.TRAP

cdef enum:
    FEATURES = 24

cdef double HITS = 0.75             # chance that a piece attacks the one it can reach without a move
cdef double HITS_FAR = 0.5          # ... with its free move first
cdef double BONUS = 0.7             # what abilities add to the value of the Mayhem die, on average
cdef double SPREAD = 3.0            # damage between a KO that is out of reach and one that is certain
cdef double LANDS = 0.85            # chance that an attack under way hits: the attacked team may still have a card
cdef double KO_PRIZE = 2.0         # damage that a KO is worth besides to who chooses whom to attack
cdef double FIRE_VALUE = 2.2        # damage by fire in the next round: the mean value of the die

cdef struct Threat:                 # an attack that may still come in this round
    double chance
    double damage


cdef const Frame* blow(const Titans* state, int attacker) noexcept nogil:
    """The attack of a piece that is under way, its damage still to come; NULL."""
    cdef int i
    for i in range(state.depth):
        if state.frame[i].kind == V.ATTACK and state.frame[i].stage == 0 and state.frame[i].actor == attacker:
            return &state.frame[i]
    return NULL


cdef double blow_damage(const Book* t, const Titans* state, const Frame* attack) noexcept nogil:
    return (value_of(t, state) + attack.a + (1 if state.team[attack.team].marks & V.ATK1 else 0)
            + (2 if state.flags & V.NEXT2 else 0))


cdef bint still_runs(const Titans* state) noexcept nogil:
    """The ability of the active piece is under way and has attacked nobody yet."""
    cdef int i
    cdef bint runs = False
    for i in range(state.depth):
        if state.frame[i].kind == V.PROG and state.frame[i].source == V.S_SLOT + 2 * state.active + state.slot:
            runs = state.frame[i].tgt == NONE
        elif state.frame[i].kind == V.ATTACK and state.frame[i].actor == state.active:
            return False
    return runs


cdef bint acts_again(const Book* t, const Titans* state, int piece) noexcept nogil:
    """It has had its turn, and gets the one that its KO'd mate cannot take (R31)."""
    cdef const Piece* mate
    if arena(t) or state.piece[piece].activations != 1:
        return False
    mate = &state.piece[mate_of(t, piece)]
    return mate.place == NONE and mate.activations == 0


cdef Threat threat(const Book* t, const Titans* state, int attacker, int target) noexcept nogil:
    """What a piece may still do to another one in this round, besides an attack that is under way."""
    cdef const Piece* p = &state.piece[attacker]
    cdef Threat found
    cdef int far
    found.chance = 0
    found.damage = value_of(t, state) + BONUS + (1 if state.team[t.piece_team[attacker]].marks & V.ATK1 else 0)
    if not on_map(state, attacker) or not on_map(state, target) or t.piece_team[attacker] == t.piece_team[target]:
        return found
    if state.step == V.S_OVER:
        return found
    if attacker == state.active:
        if state.flags & V.SLOT_USED and not still_runs(state) and not acts_again(t, state, attacker):
            return found
    elif p.activations and not acts_again(t, state, attacker):
        return found
    far = distance(state, p.place, bit(state.piece[target].place))
    if far <= 1:
        found.chance = HITS
    elif far == 2 and not p.marks & V.LOCK and not (attacker == state.active and state.flags & (V.MOVED | V.SLOT_USED)):
        found.chance = HITS_FAR
    if p.tokens & V.STUN:
        found.chance = found.chance / 2 if far <= 1 else 0
    return found


cdef double odds_of(const Book* t, const Threat* threats, int hits) noexcept nogil:
    """Chance that exactly these pieces (a mask) attack."""
    cdef double chance = 1
    cdef int i
    for i in range(t.pieces):
        chance *= threats[i].chance if hits >> i & 1 else 1 - threats[i].chance
    return chance


cdef double falls(const Book* t, const Threat* threats, double health) noexcept nogil:
    """Chance that a piece of so much health is KO'd by attacks to come; each may go to it."""
    cdef double damage, odds
    cdef double sum = 0
    cdef int i, hits
    for hits in range(1 << t.pieces):
        damage = 0
        for i in range(t.pieces):
            if hits >> i & 1:
                damage += threats[i].damage
        odds = 0.5 + (damage - health) / SPREAD
        if damage > 0 and odds > 0:
            sum += odds_of(t, threats, hits) * (odds if odds < 1 else 1)
    return sum


cdef double knocked_out(const Book* t, const Titans* state, int target) noexcept nogil:
    """Chance that a piece is KO'd until the end of this round."""
    cdef Threat threats[PIECES]
    cdef const Frame* attack = blow(state, state.active) if state.active != NONE else NULL
    cdef double health, hurt, rest
    cdef int i
    if state.piece[target].status & (V.KO_NOW | V.ELIMINATED):
        return 1
    if not on_map(state, target):
        return 0
    health = endurance(t, &state.piece[target])
    for i in range(t.pieces):
        threats[i] = threat(t, state, i, target)
    rest = falls(t, threats, health)
    if attack == NULL or attack.tgt != target:
        return rest
    hurt = health - blow_damage(t, state, attack)
    return LANDS * (falls(t, threats, hurt) if hurt > 0 else 1) + (1 - LANDS) * rest


cdef double taken(const Piece* p, double damage, double health) noexcept nogil:
    """What so much damage costs a piece: what its shield takes, and what goes beyond its health, is lost."""
    if p.tokens & V.SHIELD:
        damage -= 2
    return 0 if damage < 0 else damage if damage < health else health


cdef int victim(const Book* t, const Titans* state, int attacker, Threat* found) noexcept nogil:
    """Whom a piece attacks if it attacks at all: where it does most; NONE."""
    cdef Threat one
    cdef const Piece* p
    cdef double worth
    cdef double best = 0
    cdef int target = NONE
    cdef int i
    for i in range(t.pieces):
        one = threat(t, state, attacker, i)
        if one.chance > 0:
            p = &state.piece[i]
            worth = (taken(p, one.damage, t.board[p.character].health - p.damage)
                     + (KO_PRIZE if one.damage >= endurance(t, p) else 0))
            worth *= one.chance
            if worth > best:
                best = worth
                target = i
                found[0] = one
    return target


cdef void outlook(const Book* t, const Titans* state, double* loss) noexcept nogil:
    """Damage that every piece has still to expect: by attacks until the end of the round, one of each attacker, then by fire."""
    cdef Threat threats[PIECES][PIECES]     # by target and attacker
    cdef Threat found
    cdef const Frame* attack
    cdef const Piece* p
    cdef double health, damage, part
    cdef int i, hits, k
    memset(threats, 0, sizeof(threats))
    for i in range(t.pieces):
        attack = blow(state, i)
        if attack == NULL:
            k = victim(t, state, i, &found)
        else:
            k = attack.tgt if attack.tgt < PIECES and t.piece_team[attack.tgt] != TEAMS else NONE
            found.chance = LANDS
            found.damage = blow_damage(t, state, attack)
        if k != NONE:
            threats[k][i] = found
    for i in range(t.pieces):
        loss[i] = 0
        if not on_map(state, i):
            continue
        p = &state.piece[i]
        health = t.board[p.character].health - p.damage
        for hits in range(1 << t.pieces):
            damage = 0
            for k in range(t.pieces):
                if hits >> k & 1:
                    damage += threats[i][k].damage
            part = taken(p, damage, health) if damage > 0 else 0
            if part < health and p.fire and state.step != V.S_OVER:
                part += FIRE_VALUE if FIRE_VALUE < health - part else health - part
            loss[i] += odds_of(t, threats[i], hits) * part


cdef int traps_beside(const Book* t, const Titans* state, int team, bint others) noexcept nogil:
    """Traps, which hurt them, on the places next to the pieces of the team, or of the others."""
    cdef int i, place, row
    cdef int n = 0
    for i in range(t.pieces):
        if on_map(state, i) and t.piece_team[i] != TEAMS and (t.piece_team[i] != team) == others:
            row = 0 if arena(t) else 1 - t.piece_team[i]
            for place in range(PLACES):
                if state.near[state.piece[i].place] >> place & 1:
                    n += state.trap[row][place]
    return n


cdef int features(const void* tables, const void* data, int seat, double* out) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef const Titans* state = <const Titans*> data
    cdef const Piece* p
    cdef int team = t.team_of[seat]
    cdef double spared[2]           # chance that nobody is KO'd: of the own pieces, of the others
    cdef double loss[PIECES]        # to come
    cdef double won[4]
    cdef double hurt
    cdef int i, at
    for i in range(FEATURES):
        out[i] = 0
    spared[0] = spared[1] = 1
    outlook(t, state, loss)
    for i in range(t.pieces):
        p = &state.piece[i]
        if p.character == NONE:
            continue
        at = t.piece_team[i] != team
        hurt = (p.damage if p.place != NONE else
                t.board[p.character].health if state.round and p.status & (V.KO_NOW | V.ELIMINATED) else 0)
        if not p.status & V.ELIMINATED or p.status & V.KO_NOW:      # who fell in an earlier round is out
            spared[at] *= 1 - knocked_out(t, state, i)
        out[4 + at] += COMING * (hurt + loss[i])
        out[6 + at] += DAMAGE * hurt
        out[8 + at] += FIRE * p.fire
        out[10 + at] += MARK * ((p.tokens & V.STUN) != 0)
        if not at:
            out[12] += MARK * ((p.tokens & V.SHIELD) != 0)
            out[13] += MARK * ((p.tokens & V.ESCAPE) != 0)
            if arena(t) and p.place != NONE and (state.near[p.place] | bit(p.place)) >> state.piece[CYBORG].place & 1:
                out[17] = MARK
    for at in range(2):
        out[2 + at] = STAMP * state.round + ODDS * (1 - spared[at])
        out[4 + at] += STAMP * state.round
    if not arena(t):
        for i in range(2):
            at = i != team
            out[at] = POINT * state.team[i].points
            out[7 - at] += STAMP * state.team[i].points             # the damage of those whose KO brings these points
            out[14 + at] = STAMP * state.team[i].points + MISSION * mission_progress(t, state, i)
    out[16] = CARD * bit_count(state.hand[seat])
    for i in range(t.pieces):
        if t.piece_team[i] == team and state.piece[i].character != NONE:
            out[18] += WORTH * t.board[state.piece[i].character].worth
    if in_setup(state):
        for i in range(CARDS):
            if state.hand[seat] >> i & 1:
                out[19] += WORTH * t.card[i].worth
    out[20] = state.round
    if state.step == V.S_OVER:
        returns(t, state, won)
        out[21] = RESULT * (2 * won[seat] - 1)
    else:
        out[22] = TRAP * traps_beside(t, state, team, 1)
        out[23] = TRAP * traps_beside(t, state, team, 0)
    return FEATURES
