"""`player`: plays like a person: may overlook answers, judge the others inexactly, look ahead a little or not at all.

The levels of games are such players (seatmate.ai.levels). However badly one judges, it plays an answer that wins at once.
"""
from libc.math cimport exp
from libc.string cimport memcpy, memset

from seatmate.ai.bots.kinds.search cimport SearchPolicy, Thinking, think
from seatmate.ai.bots.policy cimport Policy, PolicyHandle
from seatmate.ai.search.core cimport Core, Root
from seatmate.ai.search.ismcts cimport best_score, win_share
from seatmate.ai.search.matching cimport draw
from seatmate.ai.search.result cimport add_root, plays_average, root_policy, weigh_by_worth
from seatmate.ai.search.stop cimport StopFlag, flag_t
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.game cimport State
from seatmate.engine.core.past cimport Past
from seatmate.engine.core.rng cimport Rng, rng_from_word, rng_next, rng_unit
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport MAX_ACTIONS, MAX_SEATS, MAX_STATE_BYTES, action_t

from dataclasses import dataclass

from seatmate.ai.bots.registry import BotInfo, BotParameter, register_bot
from seatmate.ai.bots.settings import PolicySettings
from seatmate.ai.bots.values import milliseconds, number_between, whole
from seatmate.ai.search.limits import MAX_DEPTH, Limits
from seatmate.ai.search.params import SearchParams

cdef enum:
    SURE_WORLDS = 24        # in which an answer has to win at once to be called a sure win

cdef double EQUAL = 1e-9


cdef struct Slips:
    double noise            # utility: the scale of the errors of judgement
    double overlook         # share of the answers that are not thought of
    Thinking* thinking      # NULL: by the heuristic
    int seats


cdef bint wins_at_once(const Rules* rules, const void* tables, const void* world, int seat, action_t action, int seats,
                       Rng* rng) noexcept nogil:
    """Does this answer end the game in this world, and well: alone in front, or with all that seats can win together?"""
    cdef char after[MAX_STATE_BYTES]
    cdef double utilities[MAX_SEATS]
    memcpy(after, world, rules.state_size)
    rules.advance(tables, after, seat, action, rng, NULL)
    if rules.pending(tables, after):
        return False
    rules.returns(tables, after, utilities)
    return win_share(utilities, seats, seat) > 1 - EQUAL


cdef int sure_win(const Rules* rules, const void* tables, const void* state, int seat, const action_t* legal, int n, int seats,
                  Rng* rng) noexcept nogil:
    """Index of an answer that wins at once in every sampled world, whatever chance does there; -1: none is seen."""
    cdef char world[MAX_STATE_BYTES]
    cdef bint wins[MAX_ACTIONS]
    cdef int i, _k
    cdef int left = n
    memset(wins, True, sizeof(wins))
    for _k in range(SURE_WORLDS):
        memcpy(world, state, rules.state_size)
        rules.resample(tables, world, seat, rng)
        for i in range(n):
            if wins[i] and not wins_at_once(rules, tables, world, seat, legal[i], seats, rng):
                wins[i] = False
                left -= 1
        if not left:
            return -1
    for i in range(n):
        if wins[i]:
            return i
    return -1


cdef void judge_by_search(const Core* core, double noise, double* weights) noexcept nogil:
    """How willingly each answer is played: as often tried and as good as the search found it, less sharply the more noise."""
    cdef Root root
    cdef int i
    memset(&root, 0, sizeof(Root))
    add_root(core, &root)
    root_policy(core, &root, weights)
    if noise == 0:
        return
    if plays_average(core):
        for i in range(core.n_root):
            weights[i] += noise / core.n_root
        return
    weigh_by_worth(core, &root, noise, weights)


cdef void judge_by_heuristic(const Rules* rules, const void* tables, const void* state, int seat, const action_t* legal, int n,
                             double noise, double* weights) noexcept nogil:
    """The same by the heuristic's scores: softmax(score / noise), without noise the best alone."""
    cdef double scores[MAX_ACTIONS]
    cdef int i, best
    rules.score_actions(tables, state, seat, legal, n, scores)
    best = best_score(scores, n)
    for i in range(n):
        weights[i] = exp((scores[i] - scores[best]) / noise) if noise > 0 else <double> (i == best)


cdef void overlook_some(double share, double* weights, int n, Rng* rng) noexcept nogil:
    """Each answer with this chance is not thought of; one that is played at all stays."""
    cdef double seen[MAX_ACTIONS]
    cdef double total = 0
    cdef int i
    for i in range(n):
        seen[i] = weights[i] if rng_unit(rng) >= share else 0.0
        total += seen[i]
    if total > 0:
        memcpy(weights, seen, n * sizeof(double))


cdef bint choose(Policy* policy, const Rules* rules, const void* tables, const void* state, int seat, const action_t* legal, int n,
                 Rng* rng, const Past* past, const Sink* seen, flag_t* stop, action_t* action) noexcept nogil:
    cdef Slips* slips = <Slips*> policy.own
    cdef double weights[MAX_ACTIONS]
    cdef double total = 0
    cdef Rng own
    cdef int i
    if slips.thinking != NULL:
        slips.thinking.chosen = -1
    rng_from_word(&own, rng_next(rng))
    i = sure_win(rules, tables, state, seat, legal, n, slips.seats, &own)
    if i >= 0:
        action[0] = legal[i]
        return True
    if slips.thinking == NULL:
        judge_by_heuristic(rules, tables, state, seat, legal, n, slips.noise, weights)
    else:
        if not think(slips.thinking, state, seat, rng, past, seen, stop):
            return False
        judge_by_search(&slips.thinking.core, slips.noise, weights)     # whose actions are the legal ones, in their order
    overlook_some(slips.overlook, weights, n, &own)
    for i in range(n):
        total += weights[i]
    for i in range(n):
        weights[i] /= total
    i = draw(weights, n, &own)
    action[0] = legal[i]
    if slips.thinking != NULL:
        slips.thinking.chosen = i
    return True


@dataclass(frozen=True, slots=True)
class PlayerSettings(PolicySettings):
    """A player who errs. noise: utility · overlook: share of the answers."""

    noise: float = 0.0
    overlook: float = 0.0

    @property
    def instant(self):
        """Does it answer without a search?"""
        return self.limits is None


cdef class PlayerPolicy(PolicyHandle):
    """Plays with errors."""

    cdef Slips slips
    cdef SearchPolicy search        # None: by the heuristic

    def __cinit__(self, game, settings):
        self.slips.noise, self.slips.overlook, self.slips.seats = settings.noise, settings.overlook, game.seats
        if settings.limits is not None:
            self.search = SearchPolicy(game, settings)
            self.slips.thinking = self.search.thinking
        self.policy.own = &self.slips
        self.policy.choose = choose

    cdef object choose(self, State state, int seat, Rng* rng, StopFlag stop):
        if self.search is not None:
            self.search.thinking.chosen = -1     # where there is nothing to choose nobody is asked
        action = PolicyHandle.choose(self, state, seat, rng, stop)
        self.simulations = 0 if self.search is None else self.search.thinking.core.iterations
        return action

    cdef object said(self):
        return None if self.search is None else self.search.said()

    cdef object same_search(self, State state, int seat, Rng* rng):
        if self.search is None:
            return None
        rng_next(rng)       # its errors come first
        return self.search.same_search(state, seat, rng)

    @property
    def memory_bytes(self) -> int:
        """Memory of the trees."""
        return 0 if self.search is None else self.search.memory_bytes


def resolve(parameters, game):
    """The player of checked parameters in a game."""
    bounds = {key: value for key, value in parameters.items() if key in ("iterations", "time_ms", "depth")}
    return PlayerSettings("player", SearchParams.for_game(game) if bounds else None, Limits(**bounds) if bounds else None,
                          noise=float(parameters.get("noise", 0.0)), overlook=float(parameters.get("overlook", 0.0)))


def check(parameters):
    """Raises ValueError for parameters that don't go together."""
    if "depth" in parameters and not ("iterations" in parameters or "time_ms" in parameters):
        raise ValueError("depth bounds a search, which needs iterations or time_ms")


register_bot(BotInfo(
    "player", "Player", "Plays like a person, by the heuristic or a search: may misjudge and overlook answers, but never misses a "
    "win at hand.", make=PlayerPolicy, order=3, thinks=True, resolve=resolve, check=check, parameters=(
        BotParameter("noise", number_between(0, 10), "Errors of judgement, in utility: an answer that looks so much worse is "
                     "played e times more rarely.", "0"),
        BotParameter("overlook", number_between(0, 0.99), "Share of the answers it does not think of.", "0"),
        BotParameter("iterations", whole(1, 1_000_000_000), "Simulations per decision.", "none: it judges by the heuristic"),
        BotParameter("time_ms", milliseconds, "Wall time per decision in milliseconds.", "no limit"),
        BotParameter("depth", whole(1, MAX_DEPTH), "Decisions it looks ahead in its tree.", str(MAX_DEPTH)),
    )))
