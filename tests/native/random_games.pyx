"""Many random games of Titans or Mythos in C: every position keeps the invariants, every game ends in time."""
from libc.string cimport memset

from seatmate.engine.core.contract cimport lowest_seat
from seatmate.engine.core.game cimport Game
from seatmate.engine.core.rng cimport Rng, rng_below, seed_rng
from seatmate.engine.core.types cimport MAX_ACTIONS, MAX_STATE_BYTES, action_t, uint16_t, uint32_t
from seatmate.engine.core.zones cimport bit_count
from seatmate.engine.mythos.content cimport vocabulary as M
from seatmate.engine.mythos.rules cimport invariants as mythos
from seatmate.engine.mythos.rules.model cimport QUESTIONS, Mythos, units
from seatmate.engine.titans.rules cimport invariants as titans
from seatmate.engine.titans.rules.model cimport Titans

from seatmate.engine.core.rng import Stream
from seatmate.engine.mythos.rules.invariants import PROBLEMS as MYTHOS_PROBLEMS
from seatmate.engine.titans.rules.invariants import PROBLEMS as TITANS_PROBLEMS

cdef enum:
    WATCHED = 7

cdef struct Kind:
    # What differs between the games.
    int (*broken)(const void* tables, const void* world) noexcept nogil         # number of a broken invariant, or 0
    int (*limit)(const void* world, int asked) noexcept nogil                   # decisions there may have been
    void (*watch)(const void* world, int* seen) noexcept nogil                  # numbers whose maxima are told, from 1 on
    int turn                                                                    # prompt whose answer 0 passes; -1: none


cdef int titans_broken(const void* tables, const void* world) noexcept nogil:
    return titans.broken(<const titans.Book*> tables, <const Titans*> world)


cdef int titans_limit(const void* world, int asked) noexcept nogil:
    return 20000


cdef void titans_watch(const void* world, int* seen) noexcept nogil:
    seen[1] = (<const Titans*> world).depth
    seen[2] = (<const Titans*> world).round


cdef int mythos_broken(const void* tables, const void* world) noexcept nogil:
    return mythos.broken(<const mythos.Book*> tables, <const Mythos*> world, False, True)


cdef int mythos_limit(const void* world, int asked) noexcept nogil:
    """Each question is at most three decisions (RULES.md, section 10)."""
    cdef const Mythos* state = <const Mythos*> world
    return 2 + 3 * min(state.turn + state.asks - asked, QUESTIONS)


cdef void mythos_watch(const void* world, int* seen) noexcept nogil:
    cdef const Mythos* state = <const Mythos*> world
    seen[1] = bit_count(units(state))
    seen[2] = state.depth
    seen[3] = max(state.queue_n, state.score_n)
    seen[4] = max(state.track[0].n, state.track[1].n)
    seen[5] = state.turn + state.asks


def random_games(Game game, int count, int seed, int eager = 0, int asked = 0) -> dict[str, int]:
    """Play random games and check every position. Returns the maxima seen.

    Uniformly random play of Mythos passes early; in `eager` of 100 turns it plays something if it can. `asked`: so many of its
    questions count as asked before, which makes games meet the limit. Raises AssertionError with the number of the game that broke
    an invariant.
    """
    cdef bint is_mythos = game.spec.id == "mythos"
    cdef Kind kind
    cdef char world[MAX_STATE_BYTES]
    cdef Rng rng
    cdef action_t legal[MAX_ACTIONS]
    cdef int[WATCHED] most
    cdef int[WATCHED] seen
    cdef int number = 0
    cdef int decisions = 0
    cdef int n, i, k, _game
    cdef uint32_t pending, pick
    kind = Kind(mythos_broken, mythos_limit, mythos_watch, M.Q_TURN) if is_mythos else (
        Kind(titans_broken, titans_limit, titans_watch, -1))
    seed_rng(&rng, seed, (int(Stream.PLAYOUT),))
    memset(most, 0, sizeof(most))
    memset(seen, 0, sizeof(seen))
    with nogil:
        for _game in range(count):
            game.rules.init(game.tables, world, &rng, NULL)
            if asked:
                (<Mythos*> world).asks = <uint16_t> asked
            decisions = 0
            while True:
                seen[0] = decisions
                kind.watch(world, seen)
                for k in range(WATCHED):
                    most[k] = max(most[k], seen[k])
                number = kind.broken(game.tables, world)
                pending = game.rules.pending(game.tables, world)
                if number or not pending:
                    break
                i = lowest_seat(pending)
                n = game.rules.legal_actions(game.tables, world, i, legal)
                if n <= 0 or n > MAX_ACTIONS:
                    number = -1
                    break
                pick = rng_below(&rng, <uint32_t> n)
                if n > 1 and game.rules.prompt(game.tables, world, i) == kind.turn and <int> rng_below(&rng, 100) < eager:
                    pick = 1 + rng_below(&rng, <uint32_t> (n - 1))      # not PASS
                game.rules.advance(game.tables, world, i, legal[pick], &rng, NULL)
                decisions += 1
                if decisions > kind.limit(world, asked):
                    number = -2
                    break
            if number:
                break
    problems = MYTHOS_PROBLEMS if is_mythos else TITANS_PROBLEMS
    problem = {-1: "no legal answer", -2: "more decisions than a game or a question has"}.get(number, problems[max(number, 0)])
    assert number == 0, f"game {_game} after {decisions} decisions: {problem}"
    names = ("decisions", "units", "frames", "reactions", "tracks", "questions") if is_mythos else ("decisions", "frames", "rounds")
    return {name: most[i] for i, name in enumerate(names)}
