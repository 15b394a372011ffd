"""The engine's C helpers as Python functions, for its tests only: nothing else may import this module."""
from array import array

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from seatmate.engine.core.contract cimport CoreEvent, Rules, act, lowest_seat
from seatmate.engine.core.game cimport Game, State
from seatmate.engine.core.machine cimport Call, Machine, Op, next_call, value
from seatmate.engine.core.ranked cimport MAX_RANKS, RankedDeal, count_ranked, deal_ranked
from seatmate.engine.core.rng cimport Rng, rng_below, rng_from_word, rng_next, rng_unit, seed_rng, shuffle_u8, shuffle_u16
from seatmate.engine.core.sink cimport PUBLIC, Event, Sink, emit, emit2, mix, sink_reset
from seatmate.engine.core.types cimport (
    MAX_ACTIONS, MAX_EVENT_ARGS, MAX_OBSERVERS, MAX_STATE_BYTES, SPECTATOR, action_t, int8_t, int32_t, uint8_t, uint16_t, uint32_t,
    uint64_t,
)
from seatmate.engine.core.zones cimport (
    MAX_POOL, bag_add, bag_draw, bit_count, deal_allowed, deal_uniform, hand_add, hand_remove_at, nth_bit, sort_short,
)

from seatmate.engine.core.rng import Stream

# ---- Of a state ----

def rng_words(State state) -> tuple[int, ...]:
    """The four words of the state's chance stream."""
    return tuple([state.rng.s[i] for i in range(4)])


def logged_events(State state, int since) -> list[tuple[int, int, tuple[int, ...]]]:
    """(type, audience mask, args) of the recorded events from position `since`, in the order they were emitted."""
    cdef int i, j
    return [(state.log[i].type, state.log[i].audience, tuple([state.log[i].args[j] for j in range(state.log[i].n)]))
            for i in range(since, state.sink.log_n)]


def silent_deal(Game game, int seed, int fill) -> tuple[bytes, tuple[int, ...]]:
    """(bytes, rng words) that `init` leaves in a buffer that was filled with `fill`, with nobody listening."""
    cdef char buffer[MAX_STATE_BYTES]
    cdef Rng rng
    memset(buffer, fill, MAX_STATE_BYTES)
    seed_rng(&rng, seed, (int(Stream.TABLE),))
    game.rules.init(game.tables, buffer, &rng, NULL)
    return (<uint8_t*> buffer)[:game.rules.state_size], tuple([rng.s[i] for i in range(4)])


def silent_step(State state, int seat, int action) -> tuple[bytes, tuple[int, ...]]:
    """(bytes, rng words) after a legal action with nobody listening, as rollouts play it; the state is unchanged."""
    cdef char buffer[MAX_STATE_BYTES]
    cdef Rng rng = state.rng
    memcpy(buffer, state.data, state.game.rules.state_size)
    act(state.game.rules, state.game.tables, buffer, seat, action, &rng, NULL)
    return (<uint8_t*> buffer)[:state.game.rules.state_size], tuple([rng.s[i] for i in range(4)])


def quick_action(State state, int seat, int seed) -> int | None:
    """The rules' cheap rollout choice for a pending seat; None where the game offers none."""
    cdef action_t legal[MAX_ACTIONS]
    cdef Rng rng
    cdef int n
    if state.game.rules.quick_action == NULL:
        return None
    seed_rng(&rng, seed, (int(Stream.POLICY),))
    n = state.game.rules.legal_actions(state.game.tables, state.data, seat, legal)
    return state.game.rules.quick_action(state.game.tables, state.data, seat, legal, n, &rng)

# ---- Of an observation ----

def leaf_counts(shown) -> dict[tuple[str, str], int]:
    """How often each (path without list positions, repr of the value) occurs among the scalars of plain values."""
    cdef dict found = {}
    count_leaves(shown, "", found)
    return found


cdef int count_leaves(object shown, str path, dict found) except -1:
    if isinstance(shown, dict):
        for key, inner in (<dict> shown).items():
            count_leaves(inner, f"{path}.{key}", found)
    elif isinstance(shown, list):
        for inner in <list> shown:
            count_leaves(inner, path, found)
    else:
        leaf = path, repr(shown)
        found[leaf] = found.get(leaf, 0) + 1
    return 0


def private_leaves(shown, public, str path) -> list[tuple[str, str]]:
    """(path, repr) of every scalar of plain values that the public ones have not; in lists with its place, and without."""
    cdef list found = []
    add_private(shown, public, path, found)
    return found


cdef int add_private(object shown, object public, str path, list found) except -1:
    cdef int place
    if shown == public:
        return 0
    if isinstance(shown, dict):
        known = public if isinstance(public, dict) else {}
        for key, inner in (<dict> shown).items():
            add_private(inner, known.get(key), f"{path}.{key}", found)
    elif isinstance(shown, list):
        comparable = isinstance(public, list) and len(public) == len(shown)
        for place, inner in enumerate(<list> shown):
            other = public[place] if comparable else None
            add_private(inner, other, f"{path}[{place}]", found)
            add_private(inner, other, f"{path}[]", found)
    else:
        found.append((path, repr(shown)))
    return 0

# ---- Playing on ----

def followers(worlds, State before, State after, int seat, action, int seed) -> list[tuple[State, float]]:
    """Those of the worlds which, played on at random, show the seat what it saw from `before` to `after`, and their weights.

    The worlds are used up. `action` is what the seat itself answered, None where others acted. What others do unseen is chosen
    at random until the seat's history changes. A weight is the product of the numbers of answers there were, so that every
    answer counts alike, however many there are.
    """
    cdef action_t legal[MAX_ACTIONS]
    cdef Rng rng
    cdef State world
    cdef uint64_t key
    cdef int other, n, i
    cdef uint64_t target = after.sink.keys[seat]
    cdef const Rules* rules = before.game.rules
    cdef const void* tables = before.game.tables
    found = []
    for number, item in enumerate(worlds):
        world = item
        seed_rng(&rng, seed, (int(Stream.POLICY), number))
        seed_rng(&world.rng, seed, (int(Stream.PLAYOUT), number))
        world.sink.keys[seat] = before.sink.keys[seat]
        weight = 1.0
        if action is not None:
            n = rules.legal_actions(tables, world.data, seat, legal) if rules.pending(tables, world.data) >> seat & 1 else 0
            if action not in [legal[i] for i in range(n)]:
                continue
            act(rules, tables, world.data, seat, <action_t> action, &world.rng, &world.sink)
        key = world.sink.keys[seat]
        while key == world.sink.keys[seat] and key != target:
            pending = rules.pending(tables, world.data) & ~(1 << seat)
            if pending == 0:
                break
            other = lowest_seat(pending)
            n = rules.legal_actions(tables, world.data, other, legal)
            weight *= n
            act(rules, tables, world.data, other, legal[rng_below(&rng, n)], &world.rng, &world.sink)
        if world.sink.keys[seat] == target:
            found.append((world, weight))
    return found


def kinds_in_playouts(Game game, int seed, int count) -> tuple[set[tuple[int, int]], set[int]]:
    """All (event type, number of args) and all prompts that occur in `count` random games."""
    cdef action_t legal[MAX_ACTIONS]
    cdef Rng rng
    cdef State state
    cdef int seat, i
    cdef uint32_t pending
    cdef const Rules* rules = game.rules
    events, prompts = set(), set()
    for number in range(count):
        state = game.new_state(seed + number)
        seed_rng(&rng, seed, (int(Stream.POLICY), number))
        while True:
            for i in range(state.sink.log_n):
                events.add((state.log[i].type, state.log[i].n))
            state.sink.log_n = 0
            pending = rules.pending(game.tables, state.data)
            if pending == 0:
                break
            seat = nth_bit(pending, <int> rng_below(&rng, <uint32_t> bit_count(pending)))
            prompts.add(rules.prompt(game.tables, state.data, seat))
            i = <int> rng_below(&rng, <uint32_t> rules.legal_actions(game.tables, state.data, seat, legal))
            act(rules, game.tables, state.data, seat, legal[i], &state.rng, &state.sink)
    return events, prompts

# ---- Games that leak ----

cdef enum:
    HEARD = 512             # events of one step

cdef enum Leak:
    HOLDINGS                # the public BUSY event carries hashes of what the seats hold
    PRIVATE_EVENTS          # ... the arguments of private events of the same step
    COMMITMENTS             # a choice that nobody hears of is announced
    CHANCE_FOR_LISTENERS    # a random number is drawn only when somebody listens

LEAKS = {"holdings": Leak.HOLDINGS, "private events": Leak.PRIVATE_EVENTS, "commitments": Leak.COMMITMENTS,
         "chance for listeners": Leak.CHANCE_FOR_LISTENERS}

cdef Rules _honest
cdef Rules _leaky
cdef int _leak
cdef int _seats


cdef void _pass_on(const Event* log, int n, const void* tables, const void* state, int seat, int action, Sink* sink) noexcept nogil:
    """Emit what the honest rules have emitted, and more than that."""
    cdef int32_t args[MAX_EVENT_ARGS]
    cdef int32_t heard[MAX_EVENT_ARGS]
    cdef int heard_n = 0
    cdef bint told = False
    cdef int i, j, count
    for i in range(n):
        told = told or log[i].audience >> SPECTATOR & 1
        if log[i].type >= CoreEvent.FIRST_GAME_EVENT and not log[i].audience >> SPECTATOR & 1:
            for j in range(log[i].n):
                if heard_n < MAX_EVENT_ARGS - 2:
                    heard[heard_n] = log[i].args[j]
                    heard_n += 1
    for i in range(n):
        count = log[i].n
        for j in range(count):
            args[j] = log[i].args[j]
        if log[i].type == CoreEvent.BUSY and _leak == Leak.HOLDINGS:
            for j in range(_seats):
                args[count] = <int32_t> (_honest.private_key(tables, state, j) & 0xFFFFFF)
                count += 1
        elif log[i].type == CoreEvent.BUSY and _leak == Leak.PRIVATE_EVENTS:
            for j in range(heard_n):
                args[count] = heard[j]
                count += 1
        emit(sink, log[i].type, log[i].audience, count, args)
    if _leak == Leak.COMMITMENTS and not told and action >= 0:
        emit2(sink, CoreEvent.BUSY, PUBLIC, _honest.pending(tables, state), 0)


cdef void _listen(Sink* ear, Event* log, Rng* rng) noexcept nogil:
    """Make ready to hear what the honest rules emit."""
    if _leak == Leak.CHANCE_FOR_LISTENERS:
        rng_next(rng)
    sink_reset(ear)
    ear.log = log
    ear.log_capacity = HEARD


cdef void _leaky_init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil:
    cdef Sink ear
    cdef Event log[HEARD]
    if sink == NULL:
        _honest.init(tables, state, rng, NULL)
        return
    _listen(&ear, log, rng)
    _honest.init(tables, state, rng, &ear)
    _pass_on(log, ear.log_n, tables, state, -1, -1, sink)


cdef void _leaky_advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef Sink ear
    cdef Event log[HEARD]
    if sink == NULL:
        _honest.advance(tables, state, seat, action, rng, NULL)
        return
    _listen(&ear, log, rng)
    _honest.advance(tables, state, seat, action, rng, &ear)
    _pass_on(log, ear.log_n, tables, state, seat, action, sink)


def make_leaky(Game game, str leak) -> None:
    """Let this Game leak (one of LEAKS). There is one kind of leaky rules at a time: the last one made."""
    global _honest, _leaky, _leak, _seats
    _honest = game.rules[0]
    _leaky = game.rules[0]
    _leaky.init = _leaky_init
    if leak != "private events at the deal":
        _leaky.advance = _leaky_advance
    _leak = LEAKS["private events" if leak == "private events at the deal" else leak]
    _seats = game.seats
    game.rules = &_leaky


def with_spec(Game game, spec) -> Game:
    """The same Game with another spec."""
    game.spec = spec
    return game

# ---- Random numbers ----

def xoshiro(words, int count) -> list[int]:
    """`count` outputs of the generator started from four given words."""
    cdef Rng rng
    cdef int i
    for i in range(4):
        rng.s[i] = words[i]
    return [rng_next(&rng) for _ in range(count)]


def splitmix_words(uint64_t seed) -> list[int]:
    """The four words `rng_from_word` makes of one."""
    cdef Rng rng
    rng_from_word(&rng, seed)
    return [rng.s[i] for i in range(4)]


def below(uint64_t seed, n: int, int count) -> list[int]:
    """`count` draws of `rng_below(n)`."""
    cdef Rng rng
    cdef uint32_t bound = n
    rng_from_word(&rng, seed)
    return [rng_below(&rng, bound) for _ in range(count)]


def units(uint64_t seed, int count) -> list[float]:
    """`count` draws of `rng_unit`."""
    cdef Rng rng
    rng_from_word(&rng, seed)
    return [rng_unit(&rng) for _ in range(count)]


def shuffled(uint64_t seed, int n, int count, bint wide=False) -> list[tuple[int, ...]]:
    """`count` shuffles of range(n), by the 8-bit or the 16-bit (`wide`) function."""
    cdef uint8_t small[256]
    cdef uint16_t large[256]
    cdef Rng rng
    cdef int i
    rng_from_word(&rng, seed)
    out = []
    for _ in range(count):
        for i in range(n):
            small[i] = <uint8_t> i
            large[i] = <uint16_t> i
        if wide:
            shuffle_u16(large, n, &rng)
            out.append(tuple([large[i] for i in range(n)]))
        else:
            shuffle_u8(small, n, &rng)
            out.append(tuple([small[i] for i in range(n)]))
    return out

# ---- Zones ----

def deal(masks, int pool, uint64_t seed, int count, bint uniform=False) -> list[tuple[int, ...] | None]:
    """`count` constrained deals from one stream by `deal_allowed` or `deal_uniform`; None where it reports failure.

    Each is the pool index per position.
    """
    cdef uint64_t allowed[MAX_POOL]
    cdef int8_t out[MAX_POOL]
    cdef Rng rng
    cdef int i
    cdef int positions = len(masks)
    if positions > pool or pool > MAX_POOL:
        raise ValueError("positions <= pool <= MAX_POOL")
    for i in range(positions):
        allowed[i] = masks[i]
    rng_from_word(&rng, seed)
    results = []
    for _ in range(count):
        dealt = True
        if uniform:
            dealt = deal_uniform(allowed, positions, pool, out, &rng)
        else:
            dealt = deal_allowed(allowed, positions, pool, out, &rng)
        results.append(tuple([out[i] for i in range(positions)]) if dealt else None)
    return results


def ranked_deals(bounds, int cards, uint64_t seed, int count) -> tuple[int, list[tuple[int, ...]]]:
    """(number of deals of the cards 1..n within the (low, high) bounds of each place, `count` of them drawn from one stream)."""
    cdef RankedDeal deal
    cdef uint8_t out[MAX_RANKS]
    cdef Rng rng
    cdef int i
    if cards > MAX_RANKS or len(bounds) > cards:
        raise ValueError("places <= cards <= MAX_RANKS")
    deal.cards = cards
    deal.places = len(bounds)
    for i in range(deal.places):
        deal.low[i], deal.high[i] = bounds[i]
    ways = count_ranked(&deal)
    rng_from_word(&rng, seed)
    results = []
    for _ in range(count if ways else 0):
        deal_ranked(&deal, out, &rng)
        results.append(tuple([out[i] for i in range(deal.places)]))
    return int(ways), results


def bag_draws(cards, uint64_t seed) -> list[int]:
    """Put the cards on a bag, then draw it empty."""
    cdef uint8_t bag[256]
    cdef uint8_t n = 0
    cdef Rng rng
    rng_from_word(&rng, seed)
    for card in cards:
        bag_add(bag, &n, card)
    return [bag_draw(bag, &n, &rng) for _ in range(len(cards))]


def hand_after(cards, remove_at) -> list[int]:
    """A hand's places after adding the cards and then taking out the given positions; freed places are zero."""
    cdef uint16_t hand[256]
    cdef uint8_t n = 0
    memset(hand, 0, sizeof(hand))
    for card in cards:
        hand_add(hand, &n, card)
    for position in remove_at:
        hand_remove_at(hand, &n, position)
    return [hand[i] for i in range(len(cards))]


def sorted_by_zone_helpers(items) -> tuple[list[int], list[int]]:
    """The items through sort_short, as small and as large integers."""
    cdef uint8_t small[256]
    cdef uint16_t large[256]
    cdef int i
    cdef int n = len(items)
    for i in range(n):
        small[i] = items[i]
        large[i] = items[i]
    sort_short(small, n)
    sort_short(large, n)
    return [small[i] for i in range(n)], [large[i] for i in range(n)]


def set_bit(mask: int, int n) -> int:
    """The index of the n-th set bit."""
    return nth_bit(<uint64_t> mask, n)

# ---- Events ----

def mixed(key: int, word: int) -> int:
    """One step of the key mixer."""
    return mix(<uint64_t> key, <uint64_t> word)


def emitted(events, int capacity) -> tuple[list[int], list[tuple[int, int, tuple[int, ...]]], bool]:
    """(keys per observer, log, overflow) after emitting (type, audience, args) events into a log of `capacity` (0: none)."""
    cdef Sink sink
    cdef int32_t args[4 * MAX_EVENT_ARGS]
    cdef int i, j
    sink_reset(&sink)
    if capacity:
        sink.log = <Event*> malloc(capacity * sizeof(Event))
        if sink.log == NULL:
            raise MemoryError
        sink.log_capacity = capacity
    try:
        for type, audience, values in events:
            for i in range(len(values)):
                args[i] = values[i]
            emit(&sink, type, audience, len(values), args)
        log = [(sink.log[i].type, sink.log[i].audience, tuple([sink.log[i].args[j] for j in range(sink.log[i].n)]))
               for i in range(sink.log_n)]
        return [sink.keys[i] for i in range(MAX_OBSERVERS)], log, bool(sink.overflow)
    finally:
        free(sink.log)

# ---- The machine ----
#
# Its numbers are simple ones: register r holds 100 + r, amount f is 1000 * f, a condition holds if its number is even.

cdef int32_t _register(const Machine* machine, int register) noexcept nogil:
    return 100 + register


cdef int32_t _amount(const Machine* machine, int code, const int32_t* args) noexcept nogil:
    return 1000 * code


cdef int32_t _condition(const Machine* machine, int code, const int32_t* args) noexcept nogil:
    return code % 2 == 0


def machine_operations() -> dict[str, int]:
    """The instructions of machine.pxd by name."""
    return {"END": Op.END, "PUSH": Op.PUSH, "SEL": Op.SEL, "REG": Op.REG, "AMOUNT": Op.AMOUNT, "NEG": Op.NEG, "ADD": Op.ADD,
            "COND": Op.COND, "CMP": Op.CMP, "NOT": Op.NOT, "AND": Op.AND, "JUMP": Op.JUMP, "JUMP_IF_NOT": Op.JUMP_IF_NOT,
            "JUMP_IF_NOTHING": Op.JUMP_IF_NOTHING, "ASK": Op.ASK, "CALL": Op.CALL, "STORE": Op.STORE}


cdef Machine _machine(const uint8_t* code):
    """The machine of the tests on compiled words that the caller keeps alive."""
    cdef Machine machine
    machine.code = <const int32_t*> code
    machine.register_value = _register
    machine.amount = _amount
    machine.condition = _condition
    return machine


def machine_calls(code, int address, did) -> list[tuple[int, int, int, tuple[int, ...]]]:
    """(verb, who, flags, args) of the calls of a section, where `did[i]` says whether the i-th one did something."""
    cdef Machine machine
    cdef Call call
    cdef int32_t at = address
    cdef bint last = False
    cdef int i
    words = memoryview(array("i", code)).cast("B")
    cdef const uint8_t[:] raw = words
    machine = _machine(&raw[0])
    found = []
    while next_call(&machine, &at, last, &call):
        found.append((call.verb, call.who, call.flags, tuple([call.args[i] for i in range(call.n)])))
        last = did[len(found) - 1]
    return found


def machine_value(code, int address) -> int:
    """The value of a routine."""
    cdef Machine machine
    words = memoryview(array("i", code)).cast("B")
    cdef const uint8_t[:] raw = words
    machine = _machine(&raw[0])
    return value(&machine, address)
