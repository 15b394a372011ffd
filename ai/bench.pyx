"""Speed of the policies alone, measured in one C loop each."""
from libc.stdint cimport int64_t
from time import perf_counter_ns

from seatmate.ai.search.ismcts cimport heuristic_action, rollout_action
from seatmate.engine.core.contract cimport Rules, lowest_seat
from seatmate.engine.core.game cimport Game, State
from seatmate.engine.core.rng cimport Rng, seed_rng
from seatmate.engine.core.types cimport MAX_ACTIONS, MAX_STATE_BYTES, action_t, uint32_t

from seatmate.ai.search.limits import Limits
from seatmate.ai.search.search import Search
from seatmate.engine.core.rng import Stream


cdef int64_t playout(const Rules* rules, const void* tables, void* state, bint quick, Rng* rng) noexcept nogil:
    """Play to the end by the heuristic or by the rollout policy; the number of decisions."""
    cdef action_t legal[MAX_ACTIONS]
    cdef action_t action
    cdef int64_t decisions = 0
    cdef int seat, n
    cdef uint32_t pending = rules.pending(tables, state)
    while pending:
        seat = lowest_seat(pending)
        n = rules.legal_actions(tables, state, seat, legal)
        if n == 1:
            action = legal[0]
        elif quick:
            action = rollout_action(rules, tables, state, seat, legal, n, rng)
        else:
            action = heuristic_action(rules, tables, state, seat, legal, n)
        rules.advance(tables, state, seat, action, rng, NULL)
        decisions += 1
        pending = rules.pending(tables, state)
    return decisions


def heuristic_playouts(Game game not None, int count, seed, *, bint quick=False) -> tuple[int, float]:
    """Deal and play `count` games by the heuristic, or by the quick rollout policy. Returns (decisions, seconds)."""
    cdef char state[MAX_STATE_BYTES]
    cdef Rng rng
    cdef int64_t decisions = 0
    cdef int _i
    seed_rng(&rng, seed, (int(Stream.PLAYOUT),))
    started = perf_counter_ns()
    with nogil:
        for _i in range(count):
            game.rules.init(game.tables, state, &rng, NULL)
            decisions += playout(game.rules, game.tables, state, quick, &rng)
    return decisions, (perf_counter_ns() - started) / 1e9


def search_simulations_per_s(State state not None, iterations: int, *, seed=0, params=None) -> float:
    """Simulations per second of one search of the first pending seat, its memory allocation included."""
    search = Search(state, state.pending[0], seed=seed, params=params)
    started = perf_counter_ns()
    done = search.simulate(Limits(iterations=iterations))
    return done * 1e9 / (perf_counter_ns() - started)
