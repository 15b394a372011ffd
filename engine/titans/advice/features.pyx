"""The numbers behind the reasons of a hint, with their sentences; the enum counts the rows.

What starts anew with every round (the odds of a KO, the damage to come) carries the round's number, what starts anew with every
mission or KO the points, so that before and after are not compared across such an end: a KO'd character that returns unhurt has
not been healed.
"""
from libc.string cimport memset

from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.titans.advice.judgement cimport distance, mission_progress
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.model cimport (
    Book, Frame, Piece, Titans, bit, endurance, in_setup, on_map, returns, value_of,
)

from functools import partial

from seatmate.engine.core.spec import Feature, apart, counted, instead

cdef enum:
    POINTS
    ENEMY_POINTS
    RISK
    KO
    COMING
    ENEMY_COMING
    DAMAGE
    ENEMY_DAMAGE
    FIRE
    ENEMY_FIRE
    STUN
    ENEMY_STUN
    SHIELD
    ESCAPE
    MISSION
    ENEMY_MISSION
    HAND
    BESIDE_CYBORG
    TEAM
    CARDS
    ROUND
    RESULT
    TRAPS
    ENEMY_TRAPS
    FEATURES_N

STAMP = 64.0
"""Of the round or the points, before what starts anew with them; far more than such a feature can be."""
MARK = 0.035        # scale of a token
cdef double CLOCK = STAMP


def _share(theirs, mine):
    return instead(100 * mine, 100 * theirs, sign=" %")


def _marked(more, less):
    """One sentence where a token comes, one where it goes."""
    return lambda theirs, mine: more if mine > theirs else less


def _ends(theirs, mine):
    """How often the game has ended so far: 1 a win, -1 a loss."""
    if {abs(mine), abs(theirs)} <= {0.0, 1.0}:
        word = ("win" if (mine or theirs) > 0 else "lose") + ("s" if mine else "")
        return f"{'' if mine else 'does not '}{word} the game{'' if mine else ' yet'}"
    sign = 1 if max(mine, theirs) > 0 else -1
    share = _share(max(0.0, sign * theirs), max(0.0, sign * mine))
    return share and f"{'wins' if sign > 0 else 'loses'} the game at once: {share}"


row = partial(Feature, low=0.0)
FEATURES = (
    row("points", 1, 0.25, lambda theirs, mine: f"scores {apart(mine - theirs, 'point')}", 0.3),
    row("enemy_points", -1, 0.25, lambda theirs, mine: f"the opponent scores {apart(mine - theirs, 'point')}", 0.3),
    row("risk", -1, 0.2, lambda theirs, mine: f"your risk of a KO in this round: {_share(theirs, mine)}", 0.03, STAMP),
    row("ko", 1, 0.2, lambda theirs, mine: f"odds of a KO in this round: {_share(theirs, mine)}", 0.03, STAMP),
    row("coming", -1, 0.016, lambda theirs, mine: (
        f"damage on you with what is to come: {instead(mine, theirs, 1)}"), stamp=STAMP),
    row("enemy_coming", 1, 0.016, lambda theirs, mine: (
        f"damage on the opponents with what is to come: {instead(mine, theirs, 1)}"), stamp=STAMP),
    row("damage", -1, 0.018, lambda theirs, mine: f"costs you {apart(mine - theirs, 'health point')}", stamp=STAMP),
    row("enemy_damage", 1, 0.018, lambda theirs, mine: f"deals {apart(mine - theirs, 'point')} of damage", stamp=STAMP),
    row("fire", -1, 0.025, lambda theirs, mine: f"puts {apart(mine - theirs, 'fire token')} on you"),
    row("enemy_fire", 1, 0.025, lambda theirs, mine: f"puts {apart(mine - theirs, 'fire token')} on the opponent"),
    row("stun", -1, MARK, _marked("leaves a character of yours stunned", "spares you a stun")),
    row("enemy_stun", 1, MARK, _marked("leaves an opponent stunned", "leaves an opponent without a stun")),
    row("shield", 1, MARK, _marked("leaves you a shield", "leaves you without a shield")),
    row("escape", 1, MARK, _marked("leaves you an escape token", "leaves you without an escape token")),
    row("mission", 1, 0.15, lambda theirs, mine: f"your mission: {_share(theirs, mine)} done", 0.04, STAMP),
    row("enemy_mission", -1, 0.15, lambda theirs, mine: f"the opponent's mission: {_share(theirs, mine)} done", 0.04, STAMP),
    row("hand", 1, 0.03, lambda theirs, mine: (
        f"{'saves' if mine > theirs else 'costs'} you {counted(abs(mine - theirs), 'card')}")),
    row("cyborg", -1, MARK, _marked("leaves you next to Cyborg", "keeps you away from Cyborg")),
    row("team", 1, 0.15, lambda theirs, mine: (
        f"what your characters are worth to bots in the draft: {instead(mine, theirs, 1)}"), 0.04),
    row("cards", 1, 0.15, lambda theirs, mine: (
        f"what the cards of your hand are worth to bots: {instead(mine, theirs, 1)}"), 0.04),
    row("round", 1, 1.0, clock=True),
    Feature("result", 1, 2.0, _ends, 0.1, lasts=True),
    row("traps", 1, 0.01, lambda theirs, mine: f"traps next to the opponent's characters: {instead(mine, theirs, 1)}"),
    row("enemy_traps", -1, 0.01, lambda theirs, mine: f"traps next to your characters: {instead(mine, theirs, 1)}"),
)
cdef double SCALES[FEATURES_N]
assert len(FEATURES) == FEATURES_N
for _number, _row in enumerate(FEATURES):
    SCALES[<int> _number] = _row.scale

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
        if state.frame[i].kind == V.K_ATTACK and state.frame[i].stage == 0 and state.frame[i].actor == attacker:
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
        if state.frame[i].kind == V.K_PROGRAM and state.frame[i].source == V.FROM_SLOT + 2 * state.active + state.slot:
            runs = state.frame[i].target == V.NONE
        elif state.frame[i].kind == V.K_ATTACK and state.frame[i].actor == state.active:
            return False
    return runs


cdef bint acts_again(const Book* t, const Titans* state, int piece) noexcept nogil:
    """It has had its turn, and gets the one that its KO'd mate cannot take (R31)."""
    cdef const Piece* mate
    if t.mate[piece] == V.NONE or state.piece[piece].activations != 1:
        return False
    mate = &state.piece[t.mate[piece]]
    return mate.place == V.NONE and mate.activations == 0


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
    cdef Threat threats[V.PIECES]
    cdef const Frame* attack = blow(state, state.active) if state.active != V.NONE else NULL
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
    if attack == NULL or attack.target != target:
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
    cdef int target = V.NONE
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
    cdef Threat threats[V.PIECES][V.PIECES]     # by target and attacker
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
            k = attack.target if attack.target < V.PIECES and t.piece_team[attack.target] != V.TEAMS else V.NONE
            found.chance = LANDS
            found.damage = blow_damage(t, state, attack)
        if k != V.NONE:
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
        if on_map(state, i) and t.piece_team[i] != V.TEAMS and (t.piece_team[i] != team) == others:
            row = t.foes_row[i]
            for place in range(V.PLACES):
                if state.near[state.piece[i].place] >> place & 1:
                    n += state.trap[row][place]
    return n


cdef int features(const void* tables, const void* data, int seat, double* out) noexcept nogil:
    cdef const Book* t = <const Book*> tables
    cdef const Titans* state = <const Titans*> data
    cdef const Piece* p
    cdef int team = t.team_of[seat]
    cdef double spared[2]           # chance that nobody is KO'd: of the own pieces, of the others
    cdef double loss[V.PIECES]      # to come
    cdef double won[4]
    cdef double hurt
    cdef int i, at
    for i in range(FEATURES_N):
        out[i] = 0
    spared[0] = spared[1] = 1
    outlook(t, state, loss)
    for i in range(t.pieces):
        p = &state.piece[i]
        if p.character == V.NONE:
            continue
        at = t.piece_team[i] != team            # rows of the others come after ours
        hurt = (p.damage if p.place != V.NONE else
                t.board[p.character].health if state.round and p.status & (V.KO_NOW | V.ELIMINATED) else 0)
        if not p.status & V.ELIMINATED or p.status & V.KO_NOW:      # who fell in an earlier round is out
            spared[at] *= 1 - knocked_out(t, state, i)
        out[COMING + at] += hurt + loss[i]
        out[DAMAGE + at] += hurt
        out[FIRE + at] += p.fire
        out[STUN + at] += (p.tokens & V.STUN) != 0
        if not at:
            out[SHIELD] += (p.tokens & V.SHIELD) != 0
            out[ESCAPE] += (p.tokens & V.ESCAPE) != 0
            out[TEAM] += t.board[p.character].worth
            if t.wild and p.place != V.NONE and (state.near[p.place] | bit(p.place)) >> state.piece[V.CYBORG].place & 1:
                out[BESIDE_CYBORG] = 1
    for at in range(2):
        out[RISK + at] = 1 - spared[at]
    for i in range(t.teams):
        at = i != team
        out[POINTS + at] += state.team[i].points
        out[MISSION + at] += mission_progress(t, state, i)
    out[HAND] = bit_count(state.hand[seat])
    if in_setup(state):
        for i in range(V.CARDS):
            if state.hand[seat] >> i & 1:
                out[CARDS] += t.card[i].worth
    out[ROUND] = state.round
    if state.step == V.S_OVER:
        returns(t, state, won)
        out[RESULT] = 2 * won[seat] - 1
    else:
        out[TRAPS] = traps_beside(t, state, team, 1)
        out[ENEMY_TRAPS] = traps_beside(t, state, team, 0)
    for i in range(FEATURES_N):
        out[i] *= SCALES[i]
    for i in range(RISK, ENEMY_COMING + 1):
        out[i] += CLOCK * state.round
    for i in range(t.teams):
        at = i != team
        out[ENEMY_DAMAGE - at] += CLOCK * state.team[i].points      # the damage of those whose KO brings these points
        out[MISSION + at] += CLOCK * state.team[i].points
    return FEATURES_N
