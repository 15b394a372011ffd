"""What holds in every position, checked in C so that many random games can be (RULES.md, section 4)."""
from libc.string cimport memcmp, memset

from seatmate.engine.core.contract cimport lowest_seat
from seatmate.engine.core.game cimport Game, State
from seatmate.engine.core.rng cimport Rng, rng_below, seed_rng
from seatmate.engine.core.types cimport MAX_ACTIONS, action_t, uint8_t, uint16_t, uint32_t
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.titans.content.vocabulary cimport COMP, Q_NOTHING, V_PIZZA_TO
from seatmate.engine.titans.rules.board cimport find_neighbours
from seatmate.engine.titans.rules.legal cimport options_of
from seatmate.engine.titans.rules.model cimport (
    ELIMINATED, ESCAPE, HAS_PIZZA, KO_NOW, NONE, PIECES, PLACES, SHIELD, STUN, S_COMP, S_DRAFT, S_OVER, S_SETASIDE,
    Piece, Tables, Titans, arena, bit,
)
from seatmate.engine.titans.rules.supply cimport clues_left, fire_left, gifts_left, tokens_left, traps_left

from seatmate.engine.core.rng import Stream

PROBLEMS = (
    "", "a Mayhem card is in two places or gone", "a GO! card is in two places or gone", "a supply is below zero",
    "three pieces stand on one place, or one on a removed place", "the damage of a piece does not fit its health",
    "a piece off the map keeps tokens", "the neighbours do not follow from obstacles and places",
    "a place has no open border", "the pizza is in two places or without a card", "bytes of a frame are left over",
    "a team has too many points", "the legal answers are not those of the position", "an activation too many",
    "a place is empty of a tile, or a tile of a place", "a stun of nobody", "an obstacle too many",
    "nobody is asked and the game goes on",
)


cdef int broken(const Tables* t, const Titans* h) noexcept nogil:
    """0, or the number of the first invariant that does not hold."""
    cdef Titans copy
    cdef uint32_t seen = 0
    cdef uint32_t mask
    cdef uint16_t goes = h.go_deck | h.go_done
    cdef uint16_t one = 0
    cdef uint16_t two = 0
    cdef int pizzas = 0
    cdef int holders = 0
    cdef int s, i, n
    cdef const Piece* p
    cdef const uint8_t* byte
    n = 0
    for s in range(t.seats):
        mask = h.hand[s] | h.aside[s] | h.used[s]
        if mask & ~t.deck or h.hand[s] & h.aside[s] or h.hand[s] & h.used[s] or h.aside[s] & h.used[s]:
            return 1
        if t.mode != COMP and mask & seen:
            return 1
        seen |= mask
    if h.go_deck & h.go_done:
        return 2
    n = bit_count(h.go_deck) + bit_count(h.go_done)
    for s in range(t.teams):
        if h.team[s].go != NONE:
            if goes >> h.team[s].go & 1:
                return 2
            goes |= <uint16_t> (1 << h.team[s].go)
            n += 1
            holders += t.go[h.team[s].go].kind == V_PIZZA_TO
        if h.team[s].vp > t.points:
            return 11
        if traps_left(t, h, s) < 0:
            return 3
    if not arena(t) and n != 12:
        return 2
    if fire_left(t, h) < 0 or tokens_left(t, h, SHIELD, t.shields) < 0 or tokens_left(t, h, ESCAPE, t.escapes) < 0:
        return 3
    if gifts_left(t, h) < 0 or clues_left(t, h) < 0:
        return 3
    if <int> bit_count(h.obst) > t.obstacles:
        return 16
    for i in range(PIECES):
        p = &h.pc[i]
        pizzas += (p.tok & HAS_PIZZA) != 0
        if p.stun_team and not p.tok & STUN:
            return 15
        if p.acts > 2 or (arena(t) and p.acts > 1):
            return 13
        if p.place == NONE:
            if p.dmg or p.fire or p.tok & ~HAS_PIZZA or p.marks:
                return 6
            continue
        if p.place >= PLACES or h.removed >> p.place & 1 or two >> p.place & 1:
            return 4
        two |= one & bit(p.place)
        one |= bit(p.place)
        if p.dmg >= t.board[p.ctype].health:
            return 5
        if p.stat & (KO_NOW | ELIMINATED) and p.stat & ELIMINATED:
            return 6
    if pizzas + (h.pizza != NONE) > 1 or (pizzas + (h.pizza != NONE) == 1 and holders == 0):
        return 9
    copy = h[0]
    find_neighbours(t, &copy)
    if memcmp(copy.near, h.near, sizeof(h.near)):
        return 7
    for i in range(PLACES):
        if not h.removed >> i & 1 and h.near[i] == 0:
            return 8
    if not arena(t) and h.step not in (S_DRAFT, S_COMP):
        for i in range(PLACES):
            if h.tile[i] == NONE or h.where[h.tile[i]] != i:
                return 14
    byte = <const uint8_t*> &h.frame[h.depth]
    while byte < <const uint8_t*> h + sizeof(Titans):
        if byte[0]:
            return 10
        byte += 1
    if h.prompt == Q_NOTHING:
        return 0 if h.step == S_OVER and h.result and h.depth == 0 else 17
    if h.step != S_SETASIDE and h.step != S_COMP and h.options != options_of(t, h):
        return 12
    return 0


def check(Game game, State state) -> None:
    """Raise AssertionError that names the first invariant the position breaks."""
    cdef int number = broken(<const Tables*> game.tables, <const Titans*> state.data)
    assert number == 0, PROBLEMS[number]


def random_games(Game game, int count, int seed) -> dict[str, int]:
    """Play random games and check every position. Returns the maxima seen: decisions, frames, rounds; and total decisions.

    Raises AssertionError with the number of the game that broke an invariant.
    """
    cdef const Tables* t = <const Tables*> game.tables
    cdef Titans h
    cdef Rng rng
    cdef action_t legal[MAX_ACTIONS]
    cdef int number = 0
    cdef int decisions, n, i, _game
    cdef int most[3]
    cdef long long total = 0
    cdef uint32_t pending
    seed_rng(&rng, seed, (int(Stream.PLAYOUT),))
    memset(most, 0, sizeof(most))
    decisions = 0
    with nogil:
        for _game in range(count):
            game.rules.init(t, &h, &rng, NULL)
            decisions = 0
            pending = game.rules.pending(t, &h)
            while pending:
                number = broken(t, &h)
                if number:
                    break
                i = lowest_seat(pending)
                n = game.rules.legal_actions(t, &h, i, legal)
                if n <= 0 or n > MAX_ACTIONS:
                    number = -1
                    break
                game.rules.advance(t, &h, i, legal[rng_below(&rng, <uint32_t> n)], &rng, NULL)
                decisions += 1
                if decisions > 20000:
                    number = -2
                    break
                if h.depth > most[1]:
                    most[1] = h.depth
                pending = game.rules.pending(t, &h)
            if not number:
                number = broken(t, &h)
            if h.round > most[2]:
                most[2] = h.round
            if decisions > most[0]:
                most[0] = decisions
            total += decisions
            if number:
                break
    problem = "no legal answer" if number == -1 else "an endless game" if number == -2 else PROBLEMS[number] if number else ""
    assert number == 0, f"game {_game} after {decisions} decisions: {problem}"
    return {"decisions": most[0], "frames": most[1], "rounds": most[2], "total": total}
