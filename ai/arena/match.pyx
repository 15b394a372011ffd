"""One game between policies in one C loop."""
from libc.string cimport memset

from seatmate.ai.bots.policy cimport Policy, PolicyHandle, policy_choose, policy_forget
from seatmate.ai.bots.watch cimport watch_note
from seatmate.ai.search.driver cimport now_ns
from seatmate.ai.search.ismcts cimport heuristic_action, win_share
from seatmate.engine.core.contract cimport Rules, act, lowest_seat
from seatmate.engine.core.game cimport Game, State
from seatmate.engine.core.past cimport Past, past_add
from seatmate.engine.core.rng cimport Rng, rng_from_word, seed_rng
from seatmate.engine.core.sink cimport Sink, sink_reset
from seatmate.engine.core.types cimport MAX_ACTIONS, MAX_SEATS, MAX_STATE_BYTES, SPECTATOR, action_t, int64_t, uint32_t, uint64_t

from seatmate.engine.core.rng import Stream


cdef struct Ending:
    # When a game is ended before its end; a `for` of 0 is never.
    double won              # estimate from which everybody holds a seat's game for won; 1 - won: for lost
    int won_for             # decisions in a row in which all agree on all seats
    double resign           # own estimate up to which a seat gives up
    int resign_for          # of its decisions in a row
    int agreed
    uint32_t winners        # on whom all agreed last
    int losing[MAX_SEATS]


cdef void set_ending(Ending* ending, object rules):
    """Take the bounds of an EarlyEnd, for the next game."""
    memset(ending, 0, sizeof(Ending))
    ending.won, ending.won_for = rules.adjudicate or (1.0, 0)
    ending.resign, ending.resign_for = rules.resign or (0.0, 0)


cdef bint ends_early(const Rules* rules, const void* tables, const void* state, int seats, int asked, Ending* ending,
                     double* utilities) noexcept nogil:
    """Is the game decided, now that this seat is asked? Then `utilities` are what it is taken for."""
    cdef double estimates[MAX_SEATS]
    cdef uint32_t winners = 0, first = 0
    cdef bint agree = True
    cdef int observer, i
    if ending.resign_for:
        rules.evaluate(tables, state, asked, estimates)
        ending.losing[asked] = ending.losing[asked] + 1 if estimates[asked] <= ending.resign else 0
        if ending.losing[asked] >= ending.resign_for:
            for i in range(seats):
                utilities[i] = 0.0 if i == asked else 1.0
            return True
    if not ending.won_for:
        return False
    for observer in range(seats):
        rules.evaluate(tables, state, observer, estimates)
        winners = 0
        for i in range(seats):
            if estimates[i] >= ending.won:
                winners |= <uint32_t> 1 << i
            elif estimates[i] > 1 - ending.won:
                agree = False
        if observer == 0:
            first = winners
        agree = agree and winners == first
        if not agree:
            break
    ending.agreed = ending.agreed + 1 if agree and winners and (not ending.agreed or winners == ending.winners) else 0
    ending.winners = winners
    if ending.agreed < ending.won_for:
        return False
    for i in range(seats):
        utilities[i] = <double> (winners >> i & 1)
    return True


cdef bint play(const Rules* rules, const void* tables, void* state, Policy** lineup, Rng* table, Rng* own,
               Sink* sink, Past* past, int seats, Ending* ending, double* utilities) noexcept nogil:
    """Play a dealt game to its end; sink, past and ending are NULL where nobody needs them. False: out of memory."""
    cdef action_t action
    cdef int prompt, seat
    cdef uint32_t pending = rules.pending(tables, state)
    while pending:
        seat = lowest_seat(pending)
        if ending != NULL and ends_early(rules, tables, state, seats, seat, ending, utilities):
            return True
        if not policy_choose(lineup[seat], rules, tables, state, seat, &own[seat], past, sink, NULL, &action):
            return False
        if sink == NULL:
            rules.advance(tables, state, seat, action, table, NULL)
        elif past == NULL:
            act(rules, tables, state, seat, action, table, sink)
        else:
            prompt = rules.prompt(tables, state, seat)
            act(rules, tables, state, seat, action, table, sink)
            past_add(past, seat, prompt, action, sink.keys[SPECTATOR])
        pending = rules.pending(tables, state)
    rules.returns(tables, state, utilities)
    return True


cdef State play_slowly(Game game, list handles, object seed, Rng* own, Ending* ending, list said, double* utilities):
    """The same game, played to its end, for policies that only Python can ask: of threads of their own, or written in it.

    said: gets what they say of their decisions, or None.
    """
    cdef State state = game.new_state(seed, record_events=False)
    cdef PolicyHandle handle
    cdef int64_t began
    cdef int seat
    while not state.is_over:
        seat = state.pending[0]
        if ending != NULL and ends_early(game.rules, game.tables, state.data, game.seats, seat, ending, utilities):
            return state
        handle = handles[seat]
        began = now_ns()
        action = handle.choose(state, seat, &own[seat], None)
        if handle.policy.choose == NULL and handle.policy.watch != NULL and len(state.legal_actions(seat)) > 1:
            watch_note(handle.policy.watch, now_ns() - began)   # the others do so themselves
        if said is not None and (value := handle.said()) is not None:
            said.append((seat, value))
        state.apply_action(seat, action)
    game.rules.returns(game.tables, state.data, utilities)
    return state


def play_recorded(Game game not None, list handles not None, seed, words: list[int], early=None,
                  list said=None) -> tuple[State, list[float]]:
    """The game that `play_game` plays, at its end with all its actions, and the utilities. Slower.

    said: gets (seat, the utility it may expect, 0..1) of each decision for which a search says so, as a hint would.
    """
    cdef Rng own[MAX_SEATS]
    cdef double utilities[MAX_SEATS]
    cdef Ending ending
    cdef int seat
    if len(handles) != game.seats or len(words) != game.seats:
        raise ValueError(f"{game.seats} seats need as many policies and words")
    for seat in range(game.seats):
        policy_forget(&(<PolicyHandle> handles[seat]).policy)
        rng_from_word(&own[seat], <uint64_t> words[seat])
    if early is not None:
        set_ending(&ending, early)
    state = play_slowly(game, handles, seed, own, &ending if early is not None else NULL, said, utilities)
    return state, [utilities[seat] for seat in range(game.seats)]


def play_game(Game game not None, list handles not None, seed, words: list[int], early=None) -> list[float]:
    """Deal the game of a table `seed` and let one PolicyHandle per seat play it; the utilities. `early` is an EarlyEnd.

    words[seat] seeds that seat's own randomness. The same handle may fill several seats, one that reuses its trees had better
    not. Nothing is remembered of games before.
    """
    cdef char state[MAX_STATE_BYTES]
    cdef Policy* lineup[MAX_SEATS]
    cdef Rng own[MAX_SEATS]
    cdef Rng table
    cdef double utilities[MAX_SEATS]
    cdef Ending ending
    cdef Ending* bounds = NULL
    cdef PolicyHandle handle
    cdef int seat
    cdef bint played
    cdef bint has_past = game.spec.public_choices
    cdef bint keyed = has_past
    cdef Sink sink
    cdef Past past
    if len(handles) != game.seats or len(words) != game.seats:
        raise ValueError(f"{game.seats} seats need as many policies and words")
    for seat in range(game.seats):
        handle = handles[seat]
        if handle is None or handle.game is not game:
            raise ValueError("a policy was made for another game")
        lineup[seat] = &handle.policy
        policy_forget(lineup[seat])
        keyed = keyed or handle.reuses
        rng_from_word(&own[seat], <uint64_t> words[seat])
    if any([(<PolicyHandle> handle).policy.choose == NULL for handle in handles]):
        return play_recorded(game, handles, seed, words, early)[1]
    if early is not None:
        set_ending(&ending, early)
        bounds = &ending
    seed_rng(&table, seed, (int(Stream.TABLE),))
    sink_reset(&sink)
    past.n = 0
    with nogil:
        game.rules.init(game.tables, state, &table, &sink if keyed else NULL)
        past.key = sink.keys[SPECTATOR]
        played = play(game.rules, game.tables, state, lineup, &table, own, &sink if keyed else NULL,
                      &past if has_past else NULL, game.seats, bounds, utilities)
    if not played:
        raise MemoryError
    return [utilities[seat] for seat in range(game.seats)]


def play_on(State state not None, list handles not None, words: list[int]) -> list[float]:
    """Let one PolicyHandle per seat play a copy of the state to the end; the utilities.

    words[seat] seeds that seat's own randomness, words[seats] the table's. Searches run in one thread.
    """
    cdef Policy* lineup[MAX_SEATS]
    cdef Rng own[MAX_SEATS]
    cdef Rng table
    cdef double utilities[MAX_SEATS]
    cdef PolicyHandle handle
    cdef State copy = state.clone()
    cdef int seat
    cdef bint played
    if len(handles) != copy.game.seats or len(words) != copy.game.seats + 1:
        raise ValueError(f"{copy.game.seats} seats need as many policies, and a word more")
    for seat in range(copy.game.seats):
        handle = handles[seat]
        if handle is None or handle.game is not copy.game or handle.policy.choose == NULL:
            raise ValueError("a policy was made for another game, or only Python can ask it")
        lineup[seat] = &handle.policy
        policy_forget(lineup[seat])
        rng_from_word(&own[seat], <uint64_t> words[seat])
    rng_from_word(&table, <uint64_t> words[copy.game.seats])
    with nogil:
        played = play(copy.game.rules, copy.game.tables, copy.data, lineup, &table, own, &copy.sink, copy.past, copy.game.seats,
                      NULL, utilities)
    if not played:
        raise MemoryError
    return [utilities[seat] for seat in range(copy.game.seats)]


def play_heuristics(list games not None, seed) -> list[float]:
    """Deal the table `seed` of the first game and let the heuristic of one game per seat play it; the utilities.

    The games have the same settings; what they may differ in is how they judge answers (`worths`).
    """
    cdef char state[MAX_STATE_BYTES]
    cdef action_t legal[MAX_ACTIONS]
    cdef double utilities[MAX_SEATS]
    cdef const void* tables[MAX_SEATS]
    cdef Game game = games[0]
    cdef Game other
    cdef const Rules* rules = game.rules
    cdef Rng table
    cdef uint32_t pending
    cdef int seat, n
    if len(games) != game.seats or any([other.settings != game.settings for other in games]):
        raise ValueError(f"{game.seats} seats need as many games of the same settings")
    for seat, other in enumerate(games):
        tables[seat] = other.tables
    seed_rng(&table, seed, (int(Stream.TABLE),))
    with nogil:
        rules.init(game.tables, state, &table, NULL)
        pending = rules.pending(game.tables, state)
        while pending:
            seat = lowest_seat(pending)
            n = rules.legal_actions(game.tables, state, seat, legal)
            rules.advance(game.tables, state, seat, heuristic_action(rules, tables[seat], state, seat, legal, n), &table, NULL)
            pending = rules.pending(game.tables, state)
        rules.returns(game.tables, state, utilities)
    return [utilities[seat] for seat in range(game.seats)]


def win_shares(utilities: list[float]) -> list[float]:
    """How much of the win each seat has, 0..1: the highest utility wins; who ties for one utility of 1 shares it.

    Raises ValueError for more seats than a table has, or none.
    """
    cdef double values[MAX_SEATS]
    cdef int i
    cdef int n = len(utilities)
    if not 1 <= n <= MAX_SEATS:
        raise ValueError(f"a game has 1..{MAX_SEATS} seats, not {n}")
    for i in range(n):
        values[i] = utilities[i]
    return [win_share(values, n, i) for i in range(n)]
