# The contract of a game: a set of functions over a plain C struct.
#
# `tables` is the game's immutable data (settings and compiled content pack), shared by all states.
# `state` is the game's own fixed-size struct without pointers: a clone is a memcpy.
# Every function is noexcept nogil, touches no Python object and keeps no memory between calls.
# The search, the server, the tests and the tools use nothing else.
from seatmate.engine.core.rng cimport Rng
from seatmate.engine.core.sink cimport PUBLIC, Sink, emit1, emit2
from seatmate.engine.core.types cimport MAX_ACTIONS, MAX_SEATS, Outcome, action_t, uint32_t, uint64_t

# Set up a game: deal, roll, choose the first seat. Writes every byte of the state.
ctypedef void (*init_fn)(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil

# Mask of the seats that may act now; 0 = the game is over. Several bits = simultaneous secret
# choices: each pending seat commits in any order and nobody sees a commitment before the reveal.
ctypedef uint32_t (*pending_fn)(const void* tables, const void* state) noexcept nogil

# Optional. Mask of the seats that are publicly being asked: a superset of `pending` that does not
# shrink when a seat commits in secret. NULL: the same as pending.
ctypedef uint32_t (*asked_fn)(const void* tables, const void* state) noexcept nogil

# The question a pending seat is asked (the game's prompt enum); -1 for a seat that is not pending.
ctypedef int (*prompt_fn)(const void* tables, const void* state, int seat) noexcept nogil

# Write the seat's legal actions to out[MAX_ACTIONS], ascending and unique; returns their number,
# at least 1 for a pending seat and 0 for any other. Depends only on what the seat may see.
ctypedef int (*legal_actions_fn)(const void* tables, const void* state, int seat, action_t* out) noexcept nogil

# The transition for an action known to be legal (core's apply_action checks the ones that come from
# outside). Chance is drawn from `rng`, information leaves through `sink` only (NULL: nobody listens).
ctypedef void (*advance_fn)(const void* tables, void* state, int seat, action_t action,
                            Rng* rng, Sink* sink) noexcept nogil

# Utility per seat in [0, 1] of a finished game: winner 1, losers 0, ties shared; cooperative: the common grade.
ctypedef void (*returns_fn)(const void* tables, const void* state, double* out) noexcept nogil

# Estimated utility per seat in [0, 1] at any time, equal to returns at the end. `seat` >= 0: from what this
# seat can know in this state (a uniformly sampled face says little about a card that somebody chose to play);
# -1: all cards open.
ctypedef void (*evaluate_fn)(const void* tables, const void* state, int seat, double* out) noexcept nogil

# Domain knowledge: one number per legal action, higher is better, differences on the scale of the
# utility. Depends only on what the seat may see (the conformance suite checks it).
ctypedef void (*score_actions_fn)(const void* tables, const void* state, int seat,
                                  const action_t* actions, int n, double* out) noexcept nogil

# Replace everything hidden from the seat by a random assignment consistent with what it knows.
# It may depend only on the seat's view and the rng: equal views and equal rng give equal bytes.
ctypedef void (*resample_fn)(const void* tables, void* state, int seat, Rng* rng) noexcept nogil

# Optional. Turn a world that `resample` dealt for the seat into one that also respects what the other seats
# were seen to choose (people rarely play their worst card). Like resample it may depend only on the seat's view,
# the dealt world and the rng; what the seat knows stays as it is.
ctypedef void (*plausible_fn)(const void* tables, void* state, int seat, Rng* rng) noexcept nogil

# A hash of everything that the seat sees and others may not see (its hand, cards it looked at): equal for
# worlds the seat can't tell apart, given the same public history. Seeds the seat's tree in a search.
ctypedef uint64_t (*private_key_fn)(const void* tables, const void* state, int seat) noexcept nogil

# Optional. A cheap rollout choice among the legal actions; NULL: best of score_actions.
ctypedef action_t (*quick_action_fn)(const void* tables, const void* state, int seat,
                                     const action_t* actions, int n, Rng* rng) noexcept nogil

# Optional. Is this a good place to cut a rollout off and evaluate? NULL: always.
ctypedef bint (*quiet_fn)(const void* tables, const void* state) noexcept nogil

# Optional. Named numbers that explain a position to a person, out[n] with n <= MAX_FEATURES in the
# order of GameSpec.features; may look at the whole state (callers average over sampled worlds).
ctypedef int (*features_fn)(const void* tables, const void* state, int seat, double* out) noexcept nogil


cdef struct Rules:
    size_t state_size       # bytes of the state struct, at most MAX_STATE_BYTES
    init_fn init
    pending_fn pending
    prompt_fn prompt
    legal_actions_fn legal_actions
    advance_fn advance
    returns_fn returns
    evaluate_fn evaluate
    score_actions_fn score_actions
    resample_fn resample
    private_key_fn private_key
    plausible_fn plausible
    asked_fn asked
    quick_action_fn quick_action
    quiet_fn quiet
    features_fn features


# Events every game shares; a game's own event types start at FIRST_GAME_EVENT.
cdef enum CoreEvent:
    CHOICE = 0              # (prompt, action) to the acting seat alone: what it just answered
    ASK = 1                 # (prompt) to an asked seat: the question it has to answer now
    BUSY = 2                # (mask of the asked seats, prompt) to all: the public class of the question, once per step
    FIRST_GAME_EVENT = 3


cdef inline void act(const Rules* rules, const void* tables, void* state, int seat, action_t action,
                     Rng* rng, Sink* sink) noexcept nogil:
    """The observed transition for a legal action: the seat's own choice enters its own history, then the game advances."""
    if sink != NULL:
        emit2(sink, CoreEvent.CHOICE, 1 << seat, rules.prompt(tables, state, seat), action)
    rules.advance(tables, state, seat, action, rng, sink)


cdef inline void ask_one(Sink* sink, int seat, int prompt, int public_class) noexcept nogil:
    """Announce that one seat is asked: the others learn the seat and the public class, the seat its question."""
    if sink != NULL:
        emit2(sink, CoreEvent.BUSY, PUBLIC, 1 << seat, public_class)
        emit1(sink, CoreEvent.ASK, 1 << seat, prompt)


cdef inline void ask_all(Sink* sink, int seats, int prompt, int public_class) noexcept nogil:
    """Announce that several seats (a mask) are asked the same question at once: a simultaneous secret choice."""
    cdef int seat
    if sink != NULL:
        emit2(sink, CoreEvent.BUSY, PUBLIC, seats, public_class)
        for seat in range(MAX_SEATS):
            if seats >> seat & 1:
                emit1(sink, CoreEvent.ASK, 1 << seat, prompt)


cdef inline void ask_nobody(Sink* sink) noexcept nogil:
    """Announce that the game is over."""
    emit2(sink, CoreEvent.BUSY, PUBLIC, 0, 0)


cdef inline int apply_action(const Rules* rules, const void* tables, void* state, int seat, action_t action,
                             Rng* rng, Sink* sink) noexcept nogil:
    """The checked transition: an Outcome; on anything but OK the state, the rng and the sink are untouched."""
    cdef action_t legal[MAX_ACTIONS]
    cdef int i, n
    cdef uint32_t pending = rules.pending(tables, state)
    if pending == 0:
        return Outcome.GAME_OVER
    if seat < 0 or seat >= MAX_SEATS or not pending >> seat & 1:
        return Outcome.SEAT_NOT_PENDING
    n = rules.legal_actions(tables, state, seat, legal)
    for i in range(n):
        if legal[i] == action:
            act(rules, tables, state, seat, action, rng, sink)
            return Outcome.OK
    return Outcome.ILLEGAL_ACTION


cdef inline int lowest_seat(uint32_t mask) noexcept nogil:
    """The lowest seat of a non-empty mask: the one the search lets act first."""
    cdef int seat = 0
    while not mask >> seat & 1:
        seat += 1
    return seat
