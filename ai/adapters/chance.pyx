"""Chance from outside: the transitions of a game, with the random numbers chosen by the caller.

A game draws its chance inside `init` and `advance` from the generator it is handed. Handing it one of `samples` known
generators instead turns a draw into a choice among so many results: an explicit chance node, as OpenSpiel has them.
Sample 0, 1, 2 ... stand for fixed generators; they have nothing to do with the seed of any real table.
"""
from cpython.mem cimport PyMem_Realloc
from libc.string cimport memcpy

from seatmate.engine.core.contract cimport act
from seatmate.engine.core.game cimport Game, State, blank_state, deal_state
from seatmate.engine.core.rng cimport Rng, rng_from_word
from seatmate.engine.core.sink cimport Event, Sink, mix, sink_reset
from seatmate.engine.core.types cimport (
    MAX_OBSERVERS, SPECTATOR, action_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t,
)

cdef enum:
    SALT = 0x5EA7AA7E       # keeps these generators apart from those of other small seeds
    LOG_ROOM = 1024         # events one apply may emit, as in core/game.pyx
    STATE_WORDS = 512       # MAX_STATE_BYTES in words of 8 bytes
    DIGITS = 11             # the longest number of 32 bits, its sign included


cdef inline void sampled(Rng* rng, int sample) noexcept nogil:
    rng_from_word(rng, mix(<uint64_t> SALT, <uint64_t> sample))


cdef inline bint same(const Rng* a, const Rng* b) noexcept nogil:
    return a.s[0] == b.s[0] and a.s[1] == b.s[1] and a.s[2] == b.s[2] and a.s[3] == b.s[3]


cdef uint64_t fingerprint(const void* data, size_t size, const Sink* sink) noexcept nogil:
    """A hash of the world and of what everybody has seen."""
    cdef const uint8_t* bytes = <const uint8_t*> data
    cdef uint64_t key = 0x243F6A8885A308D3
    cdef uint64_t word
    cdef size_t i = 0
    cdef int observer
    while i + 8 <= size:
        memcpy(&word, bytes + i, 8)
        key = mix(key, word)
        i += 8
    while i < size:
        key = mix(key, bytes[i])
        i += 1
    for observer in range(MAX_OBSERVERS):
        key = mix(key, sink.keys[observer])
    return key


cdef list distinct(list prints):
    """(first sample, number of samples) of each different result, in the order of the first samples."""
    first: dict = {}
    count: dict = {}
    for sample, print_ in enumerate(prints):
        first.setdefault(print_, sample)
        count[print_] = count.get(print_, 0) + 1
    return [(sample, count[print_]) for print_, sample in first.items()]


def deal(Game game not None, int sample) -> State:
    """A freshly dealt game whose deal is drawn from generator `sample`; it has no seed and records events."""
    cdef State state = blank_state(game, True)
    sampled(&state.rng, sample)
    deal_state(state)
    return state


def deal_results(Game game not None, int samples) -> list[tuple[int, int]]:
    """The different deals among `samples` generators as (first sample, number of samples); [(0, 1)] when nothing is drawn."""
    cdef uint64_t[STATE_WORDS] buffer
    cdef Rng rng, before
    cdef Sink sink
    cdef int sample
    prints = []
    for sample in range(samples):
        sampled(&rng, sample)
        before = rng
        sink_reset(&sink)
        game.rules.init(game.tables, buffer, &rng, &sink)
        if sample == 0 and same(&rng, &before):
            return [(0, 1)]
        prints.append(fingerprint(buffer, game.rules.state_size, &sink))
    return distinct(prints)


def act_results(State state not None, int seat, action, int samples) -> list[tuple[int, int]]:
    """The different results of a legal action among `samples` generators as (first sample, number of samples).

    [(0, 1)] when nothing is drawn. The state stays as it is. Raises IllegalActionError.
    """
    cdef uint64_t[STATE_WORDS] buffer
    cdef Rng rng, before
    cdef Sink sink
    cdef int sample
    cdef action_t answer
    state.check_seat(seat)
    state.check_legal(seat, action)
    answer = action
    prints = []
    for sample in range(samples):
        sampled(&rng, sample)
        before = rng
        sink_reset(&sink)
        sink.keys = state.sink.keys
        memcpy(buffer, state.data, state.game.rules.state_size)
        act(state.game.rules, state.game.tables, buffer, seat, answer, &rng, &sink)
        if sample == 0 and same(&rng, &before):
            return [(0, 1)]
        prints.append(fingerprint(buffer, state.game.rules.state_size, &sink))
    return distinct(prints)


def act_sampled(State state not None, int seat, action, int sample) -> None:
    """Let the seat act in place, with chance drawn from generator `sample`. Raises as State.apply_action does."""
    sampled(&state.rng, sample)
    state.apply_action(seat, action)


cdef int copy_events(State source, State target, int sampled_for) except -1:
    """Give `target` the events of `source`; `sampled_for` >= 0: as far as this seat or everybody saw them."""
    cdef const Event* event
    cdef int i
    cdef int capacity = source.sink.log_n + LOG_ROOM
    cdef Event* log = <Event*> PyMem_Realloc(target.log, capacity * sizeof(Event))
    if log == NULL:
        raise MemoryError
    target.log = target.sink.log = log
    target.sink.log_capacity = capacity
    target.sink.log_n = 0
    if sampled_for < 0:
        memcpy(log, source.log, source.sink.log_n * sizeof(Event))
        target.sink.log_n = source.sink.log_n
        return 0
    for i in range(source.sink.log_n):
        event = &source.log[i]
        if event.audience >> SPECTATOR & 1:
            log[target.sink.log_n] = event[0]
        elif event.audience >> sampled_for & 1:
            log[target.sink.log_n] = event[0]
            log[target.sink.log_n].audience = <uint16_t> (1 << sampled_for)
        else:
            continue
        target.sink.log_n += 1
    return 0


def copy(State state not None) -> State:
    """An independent copy with its events. Raises ValueError when the state does not record events."""
    if state.log == NULL:
        raise ValueError("this state does not record events")
    cdef State twin = state.clone(record_events=True)
    copy_events(state, twin, -1)
    return twin


def resample(State state not None, int seat, seed) -> State:
    """A world the seat can't tell from the true one, with the events that this seat or everybody has seen.

    What the others saw in private did not happen in this world: where it matters, `private_key` stands for it.
    """
    if state.log == NULL:
        raise ValueError("this state does not record events")
    cdef State world = state.resample_from_infostate(seat, seed)
    copy_events(state, world, seat)
    return world


cdef inline char* write_number(char* out, int32_t number) noexcept nogil:
    """Write a number in decimals; returns the place behind it."""
    cdef char[DIGITS] digits
    cdef int n = 0
    cdef uint32_t rest = <uint32_t> number
    if number < 0:
        out[0] = b"-"
        out += 1
        rest = 0 - rest
    while True:
        digits[n] = <char> (c'0' + rest % 10)
        n += 1
        rest //= 10
        if rest == 0:
            break
    while n > 0:
        n -= 1
        out[0] = digits[n]
        out += 1
    return out


def history_text(State state not None, int observer) -> str:
    """The observer's events in order, as `KEY(arg, ...)`: equal histories give equal texts and different ones different."""
    cdef const Event* event
    cdef Py_ssize_t room = 0
    cdef bytearray text
    cdef bytes key
    cdef char* start
    cdef char* out
    cdef int i, j
    state.check_observer(observer)
    keys: dict = {}
    for i in range(state.sink.log_n):
        event = &state.log[i]
        if event.audience >> observer & 1:
            if event.type not in keys:
                keys[event.type] = state.game.event_key(event.type).encode()
            key = keys[event.type]
            room += len(key) + 3 + event.n * (DIGITS + 1)
    text = bytearray(room + 1)
    start = out = text
    for i in range(state.sink.log_n):
        event = &state.log[i]
        if event.audience >> observer & 1:
            if out != start:
                out[0] = b" "
                out += 1
            key = keys[event.type]
            memcpy(out, <const char*> key, len(key))
            out += len(key)
            out[0] = b"("
            out += 1
            for j in range(event.n):
                if j:
                    out[0] = b","
                    out += 1
                out = write_number(out, event.args[j])
            out[0] = b")"
            out += 1
    return start[:out - start].decode()


def write_history(State state not None, int observer, int32_t[:, ::1] out) -> int:
    """Write the observer's last events, newest first: row = (type + 1, args ...), zeros behind them.

    out: rows x (1 + longest args). What does not fit is cut off, the oldest events first. Returns the rows in use.
    """
    cdef const Event* event
    cdef Py_ssize_t rows = out.shape[0]
    cdef Py_ssize_t width = out.shape[1]
    cdef Py_ssize_t row = 0
    cdef Py_ssize_t j
    cdef int i
    state.check_observer(observer)
    if state.log == NULL:
        raise ValueError("this state does not record events")
    out[:, :] = 0
    for i in range(state.sink.log_n - 1, -1, -1):
        if row == rows:
            break
        event = &state.log[i]
        if event.audience >> observer & 1:
            out[row, 0] = event.type + 1
            for j in range(min(event.n, width - 1)):
                out[row, 1 + j] = event.args[j]
            row += 1
    return row
