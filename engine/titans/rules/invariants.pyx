"""What holds in every position, checked in C so that many random games can be (RULES.md, section 4)."""
from libc.string cimport memcmp

from seatmate.engine.core.game cimport Game, State
from seatmate.engine.core.types cimport uint8_t, uint16_t, uint32_t
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.board cimport find_neighbours
from seatmate.engine.titans.rules.legal cimport options_of
from seatmate.engine.titans.rules.model cimport Piece, bit
from seatmate.engine.titans.rules.supply cimport clues_left, fire_left, gifts_left, tokens_left, traps_left

PROBLEMS = (
    "", "a Mayhem card is in two places or gone", "a GO! card is in two places or gone", "a supply is below zero",
    "three pieces stand on one place, or one on a removed place", "the damage of a piece does not fit its health",
    "a piece off the map keeps tokens", "the neighbours do not follow from obstacles and places",
    "a place has no open border", "the pizza is in two places or without a card", "bytes of a frame are left over",
    "a team has too many points", "the legal answers are not those of the position", "an activation too many",
    "a place is empty of a tile, or a tile of a place", "a stun of nobody", "an obstacle too many",
    "nobody is asked and the game goes on",
)


cdef int broken(const Book* t, const Titans* world) noexcept nogil:
    """0, or the number of the first invariant that does not hold."""
    cdef Titans copy
    cdef uint32_t seen = 0
    cdef uint32_t mask
    cdef uint16_t goes = world.go_deck | world.go_done
    cdef uint16_t one = 0
    cdef uint16_t two = 0
    cdef int pizzas = 0
    cdef int holders = 0
    cdef int s, i, n
    cdef const Piece* p
    cdef const uint8_t* byte
    n = 0
    for s in range(t.seats):
        mask = world.hand[s] | world.aside[s] | world.used[s]
        if mask & ~t.deck or world.hand[s] & world.aside[s] or world.hand[s] & world.used[s] or world.aside[s] & world.used[s]:
            return 1
        if t.mode != V.MODE_COMP and mask & seen:
            return 1
        seen |= mask
    if world.go_deck & world.go_done:
        return 2
    n = bit_count(world.go_deck) + bit_count(world.go_done)
    for s in range(t.teams):
        if world.team[s].go != V.NONE:
            if goes >> world.team[s].go & 1:
                return 2
            goes |= <uint16_t> (1 << world.team[s].go)
            n += 1
            holders += t.go[world.team[s].go].kind == V.V_PIZZA_TO
        if world.team[s].points > t.points:
            return 11
        if traps_left(t, world, s) < 0:
            return 3
    if n != bit_count(t.go_deck):
        return 2
    if fire_left(t, world) < 0 or tokens_left(t, world, V.SHIELD, t.shields) < 0 or tokens_left(t, world, V.ESCAPE, t.escapes) < 0:
        return 3
    if gifts_left(t, world) < 0 or clues_left(t, world) < 0:
        return 3
    if <int> bit_count(world.obstacles) > t.obstacles:
        return 16
    for i in range(V.PIECES):
        p = &world.piece[i]
        pizzas += (p.tokens & V.HAS_PIZZA) != 0
        if p.stun_team and not p.tokens & V.STUN:
            return 15
        if p.activations > t.dice:
            return 13
        if p.place == V.NONE:
            if p.damage or p.fire or p.tokens & ~V.HAS_PIZZA or p.marks:
                return 6
            continue
        if p.place >= V.PLACES or world.removed >> p.place & 1 or two >> p.place & 1:
            return 4
        two |= one & bit(p.place)
        one |= bit(p.place)
        if p.damage >= t.board[p.character].health:
            return 5
        if p.status & (V.KO_NOW | V.ELIMINATED) and p.status & V.ELIMINATED:
            return 6
    if pizzas + (world.pizza != V.NONE) > 1 or (pizzas + (world.pizza != V.NONE) == 1 and holders == 0):
        return 9
    copy = world[0]
    find_neighbours(t, &copy)
    if memcmp(copy.near, world.near, sizeof(world.near)):
        return 7
    for i in range(V.PLACES):
        if not world.removed >> i & 1 and world.near[i] == 0:
            return 8
    if t.mode != V.MODE_FFA3 and world.step not in (V.S_DRAFT, V.S_COMP):
        for i in range(V.PLACES):
            if world.tile[i] == V.NONE or world.where[world.tile[i]] != i:
                return 14
    byte = <const uint8_t*> &world.frame[world.depth]
    while byte < <const uint8_t*> world + sizeof(Titans):
        if byte[0]:
            return 10
        byte += 1
    if world.prompt == V.Q_NOTHING:
        return 0 if world.step == V.S_OVER and world.result and world.depth == 0 else 17
    if world.step != V.S_SET_ASIDE and world.step != V.S_COMP and world.options != options_of(t, world):
        return 12
    return 0


def check(Game game, State state) -> None:
    """Raise AssertionError that names the first invariant the position breaks."""
    cdef int number = broken(<const Book*> game.tables, <const Titans*> state.data)
    assert number == 0, PROBLEMS[number]
