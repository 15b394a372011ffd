# What one search of one seat holds: its knobs, its tree, its scratch. Data only.
from libc.stdint cimport int64_t

from seatmate.ai.search.baseline cimport Baseline
from seatmate.ai.search.mast cimport Scores
from seatmate.ai.search.tree cimport Edge, Tree
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.past cimport Past
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport Sink
from seatmate.engine.core.types cimport (
    MAX_ACTIONS, MAX_OBSERVERS, MAX_SEATS, MAX_STATE_BYTES, action_t, uint8_t, uint32_t, uint64_t,
)

cdef enum:
    MAX_KNOBS = 64          # rows of SearchParams
    MAX_FRAMES = 96         # regret: decisions of one path; deeper play is rollout
    MAX_PATH = 512          # tree decisions of one iteration; deeper play is rollout


cdef enum TreeKey:
    FULL = 0                # the deciding seat's own observation history
    PUBLIC = 1              # the spectators' history, and who is asked what
    OPEN = 2                # the actions of all seats since the root


cdef struct Core

ctypedef int64_t (*step_fn)(Core* core) noexcept nogil


# SearchParams compiled for the loop.
cdef struct Config:
    double knob[MAX_KNOBS]          # by params.place(name), which each module asks for the knobs it reads
    # what follows from them
    double inverse_temperature      # 0: uniform priors
    uint64_t random_below           # a uniform 64-bit word below it means a random rollout move
    uint64_t mast_below             # a uniform 64-bit word below it means a rollout move by past scores
    int tree_key                    # TreeKey
    step_fn regret                  # how regret simulates (SearchParams.selection, regret_actions); NULL: it is never asked to


# What regret matching keeps of one decision while it tries the actions one after the other.
cdef struct Frame:
    action_t legal[MAX_ACTIONS]
    uint32_t edges[MAX_ACTIONS]
    double policy[MAX_ACTIONS]
    double values[MAX_ACTIONS]
    char world[MAX_STATE_BYTES]


cdef struct Step:
    uint32_t slot           # the node
    uint32_t edge           # in the arena; NO_SLOT for the node the iteration ends at
    uint8_t seat
    bint joint              # chosen by regret matching
    bint counts             # the result says something about this decision


# What one or several searches of the same decision know of its actions.
cdef struct Root:
    uint32_t visits
    double value_sum
    Edge edges[MAX_ACTIONS]             # visits, value_sum and strategy are in use
    uint32_t carried                    # of the visits: made for earlier decisions; wins and squares are without those
    uint32_t carried_visits[MAX_ACTIONS]
    double carried_values[MAX_ACTIONS]
    double wins[MAX_ACTIONS]
    double squares[MAX_ACTIONS]
    int64_t ended                       # simulations that came to the end of the game


cdef struct Core:
    # fixed by core_init (driver.pxd)
    const Rules* rules
    const void* tables
    int seats
    Config config
    # fixed by core_begin
    int seat                # for whom
    int n_root              # actions to look at, at the root: all that are legal unless the caller names some of them
    bint forced             # only one is legal: nothing to search
    step_fn step            # another way to simulate; NULL: one PUCT iteration
    bint joint_root         # the root's decision is made by regret matching
    action_t root_actions[MAX_ACTIONS]
    double root_scores[MAX_ACTIONS]     # score_actions in a sampled world
    float priors[MAX_ACTIONS]           # the heuristic policy at the root
    uint64_t root_key
    uint64_t first_keys[MAX_OBSERVERS]  # observation keys every iteration starts from
    bint keyed              # they are the seat's own and the public ones: the next decision may go on with this tree
    uint32_t carried        # visits of the root in the searches of earlier decisions, by action below
    uint32_t carried_visits[MAX_ACTIONS]
    double carried_values[MAX_ACTIONS]
    # what the iterations build
    Tree tree
    Rng rng
    int64_t iterations
    bint hurry              # a deadline is near
    int depth               # longest path in the tree so far
    double wins[MAX_ACTIONS]            # win shares of the root's actions, summed over their visits
    double squares[MAX_ACTIONS]         # squared utilities of the root's actions, summed over their visits
    int64_t ended           # iterations that came to the end of the game
    Baseline baselines[MAX_SEATS]
    # scratch of one iteration
    Sink sink
    uint64_t history        # TreeKey.OPEN: hash of the actions
    double outlook[MAX_SEATS]           # world_baseline: evaluate of this world before the first action
    uint64_t privates[MAX_SEATS]        # split_private: what each other seat holds in this world
    int quiets              # quiet positions met since the root
    bint simple             # simple_others: in this simulation the other seats have no trees
    bint switches           # redeterminise: this simulation leaves the root seat's world where another seat decides
    int switched            # ... and that seat's number; -1: not yet
    int n_path
    Step path[MAX_PATH]
    int max_depth           # tree decisions of one iteration
    Past past               # how the root came about, as far as all saw it; n = -1: unknown
    Scores* scores          # MAST; NULL without it
    Frame* frames           # regret: one per decision of a path; NULL until needed
    char root[MAX_STATE_BYTES]
    char world[MAX_STATE_BYTES]
    char public_world[MAX_STATE_BYTES]  # regret: a world that respects only what all know
    int updater             # regret: the seat whose regrets this simulation is for
    double heaviest[MAX_SEATS][2]       # regret: greatest weight of a world so far, by updater and kind
