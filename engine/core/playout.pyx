"""Random playouts: the speed of the rules alone, and a source of random positions."""
from time import perf_counter_ns

from libc.string cimport memcpy, memset

from seatmate.engine.core.contract cimport lowest_seat
from seatmate.engine.core.game cimport Game, State
from seatmate.engine.core.rng cimport rng_below, seed_rng
from seatmate.engine.core.types cimport MAX_ACTIONS, MAX_SEATS, MAX_STATE_BYTES, action_t, uint32_t

from seatmate.engine.core.rng import Stream


cdef int64_t random_playout(const Rules* rules, const void* tables, void* state, Rng* rng) noexcept nogil:
    """Play uniformly random actions to the end in place; returns the number of decisions."""
    cdef action_t legal[MAX_ACTIONS]
    cdef int64_t decisions = 0
    cdef int seat, n
    cdef uint32_t pending = rules.pending(tables, state)
    while pending:
        seat = lowest_seat(pending)
        n = rules.legal_actions(tables, state, seat, legal)
        rules.advance(tables, state, seat, legal[rng_below(rng, <uint32_t> n)] if n > 1 else legal[0], rng, NULL)
        decisions += 1
        pending = rules.pending(tables, state)
    return decisions


def random_playouts(Game game, int count, seed) -> tuple[int, float]:
    """Deal and play `count` random games in one C loop. Returns (decisions, seconds)."""
    cdef char buffer[MAX_STATE_BYTES]
    cdef Rng rng
    cdef int _game
    cdef int64_t decisions = 0
    seed_rng(&rng, seed, (int(Stream.PLAYOUT),))
    started = perf_counter_ns()
    with nogil:
        for _game in range(count):
            game.rules.init(game.tables, buffer, &rng, NULL)
            decisions += random_playout(game.rules, game.tables, buffer, &rng)
    return decisions, (perf_counter_ns() - started) / 1e9


def playouts_from(State state, int count, seed) -> tuple[list[float], int]:
    """Play `count` uniformly random games from a position to their ends in one C loop; the state does not change.

    Returns (mean utility per seat, decisions). Future chance is drawn afresh in every game; what is dealt stays as it is.
    """
    cdef char buffer[MAX_STATE_BYTES]
    cdef double utilities[MAX_SEATS]
    cdef double sums[MAX_SEATS]
    cdef Game game = state.game
    cdef Rng rng
    cdef int seat
    cdef int _game
    cdef int64_t decisions = 0
    if count < 1:
        raise ValueError(f"a mean needs at least 1 game, not {count}")
    seed_rng(&rng, seed, (int(Stream.PLAYOUT),))
    memset(sums, 0, sizeof(sums))
    with nogil:
        for _game in range(count):
            memcpy(buffer, state.data, game.rules.state_size)
            decisions += random_playout(game.rules, game.tables, buffer, &rng)
            game.rules.returns(game.tables, buffer, utilities)
            for seat in range(game.seats):
                sums[seat] += utilities[seat]
    return [sums[seat] / count for seat in range(game.seats)], decisions


def clone_seconds(State state, int count) -> float:
    """Seconds for `count` clones of the bare struct in one C loop, as the search makes them."""
    cdef char buffer[2][MAX_STATE_BYTES]
    cdef int i
    cdef size_t size = state.game.rules.state_size
    memcpy(buffer[0], state.data, size)
    started = perf_counter_ns()
    with nogil:
        for i in range(count):
            memcpy(buffer[(i + 1) & 1], buffer[i & 1], size)
    return (perf_counter_ns() - started) / 1e9


def play_randomly(State state, int decisions, seed) -> int:
    """Apply up to `decisions` random actions through the observed transition (the lowest or a random pending seat).

    Returns how many were applied; fewer when the game ends first.
    """
    cdef Rng rng
    cdef uint32_t bits
    seed_rng(&rng, seed, (int(Stream.POLICY),))
    done = 0
    while done < decisions:
        pending = state.pending
        if not pending:
            break
        bits = rng_below(&rng, <uint32_t> len(pending))
        seat = pending[bits]
        legal = state.legal_actions(seat)
        bits = rng_below(&rng, <uint32_t> len(legal))
        state.apply_action(seat, legal[bits])
        done += 1
    return done
