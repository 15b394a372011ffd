"""Connect four: two seats drop stones into seven columns of six; four in a row win. Nothing is hidden.

An action is a column. Utilities: win 1, draw 1/2, loss 0. With best play the first seat wins (Allen; Allis 1988).

Bitboards: bit 7 * column + row, row 0 at the bottom; row 6 of every column stays empty, so that no line wraps around.
"""
from libc.string cimport memset

from seatmate.engine.core.contract cimport CoreEvent, Rules, ask_nobody, ask_one
from seatmate.engine.core.game cimport Game, State, rebuilt_state
from seatmate.engine.core.rng cimport Rng, rng_below, seed_rng
from seatmate.engine.core.sink cimport PUBLIC, Sink, emit2
from seatmate.engine.core.types cimport action_t, uint8_t, uint32_t, uint64_t
from seatmate.engine.core.zones cimport bit_count

from seatmate.engine.classics.lines import LINE_FEATURES, WEIGHTS, line_text
from seatmate.engine.core.registry import register
from seatmate.engine.core.rng import Stream
from seatmate.engine.core.scene import Scene, Touch, grid
from seatmate.engine.core.spec import CORE_KEYS, EventType, GameSpec, Mode, Prompt, acts
from seatmate.engine.core.view import View

STONES = "XO"

cdef enum:
    COLUMNS = 7
    ROWS = 6
    LINES = 69              # ways to have four in a row
    FEATURES = 9            # of lines.py
    STRIDE = 7              # bits from one column to the next
    TOP = 5                 # the highest row

cdef enum Status:
    PLAYING = 0
    WON                     # by the seat that moved last
    DRAWN

cdef enum EventKind:
    DROPPED = CoreEvent.FIRST_GAME_EVENT    # (seat, column) to all

cdef uint64_t BOTTOM = 0x40810204081        # row 0 of all columns
cdef uint64_t CELLS = 0x3F * BOTTOM         # all cells
cdef uint64_t[LINES] LINE
cdef double[FEATURES] WEIGHT = WEIGHTS


cdef int lay_out() except -1:
    """All lines of four."""
    cdef int step, cell
    cdef int n = 0
    cdef uint64_t line
    for step in (1, STRIDE - 1, STRIDE, STRIDE + 1):
        for cell in range(STRIDE * COLUMNS - 3 * step):
            line = (<uint64_t> 1 | <uint64_t> 1 << step | <uint64_t> 1 << 2 * step | <uint64_t> 1 << 3 * step) << cell
            if line & CELLS == line:
                LINE[n] = line
                n += 1
    assert n == LINES
    return 0


lay_out()

# ---- The state ----

cdef struct Board:
    uint64_t stones[2]      # per seat
    uint8_t moves           # stones dropped; the seat to move is their parity
    uint8_t status          # Status


cdef inline uint64_t landing(uint64_t occupied, int column) noexcept nogil:
    """The cell on which a stone dropped into a column that is not full comes to lie."""
    return (occupied + (<uint64_t> 1 << STRIDE * column)) & (<uint64_t> 0x3F << STRIDE * column)


cdef inline bint has_four(uint64_t stones) noexcept nogil:
    """Four in a row: upright, level, or along one of the diagonals."""
    cdef uint64_t upright = stones & stones >> 1
    cdef uint64_t level = stones & stones >> STRIDE
    cdef uint64_t falling = stones & stones >> (STRIDE - 1)
    cdef uint64_t rising = stones & stones >> (STRIDE + 1)
    return (upright & upright >> 2 | level & level >> 2 * STRIDE | falling & falling >> 2 * (STRIDE - 1)
            | rising & rising >> 2 * (STRIDE + 1)) != 0


cdef bint ends_now(const Board* b, int last) noexcept nogil:
    """Can the stone that was dropped last, one on top of a column, be what made the four in a row of its seat?"""
    cdef uint64_t tops = b.stones[last] & ~((b.stones[0] | b.stones[1]) >> 1)
    while tops:
        if not has_four(b.stones[last] ^ (tops & -tops)):
            return True
        tops &= tops - 1
    return False


cdef inline uint64_t completing(uint64_t stones) noexcept nogil:
    """The cells, occupied or not, that complete four in a row of these stones."""
    cdef uint64_t found = stones << 1 & stones << 2 & stones << 3
    cdef uint64_t pair
    cdef int step
    for step in range(STRIDE - 1, STRIDE + 2):
        pair = stones << step & stones << 2 * step
        found |= pair & stones << 3 * step | pair & stones >> step
        pair = stones >> step & stones >> 2 * step
        found |= pair & stones >> 3 * step | pair & stones << step
    return found & CELLS

# ---- The contract ----

cdef void init(const void* tables, void* state, Rng* rng, Sink* sink) noexcept nogil:
    memset(state, 0, sizeof(Board))
    ask_one(sink, 0, 0, 0)


cdef uint32_t pending(const void* tables, const void* state) noexcept nogil:
    cdef const Board* b = <const Board*> state
    return 1 << (b.moves & 1) if b.status == PLAYING else 0


cdef int prompt(const void* tables, const void* state, int seat) noexcept nogil:
    return 0 if pending(tables, state) >> seat & 1 else -1


cdef int legal_actions(const void* tables, const void* state, int seat, action_t* out) noexcept nogil:
    cdef const Board* b = <const Board*> state
    cdef uint64_t top
    cdef int column
    cdef int n = 0
    if not pending(tables, state) >> seat & 1:
        return 0
    top = (b.stones[0] | b.stones[1]) >> TOP
    for column in range(COLUMNS):
        out[n] = column
        n += not top >> STRIDE * column & 1
    return n


cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef Board* b = <Board*> state
    b.stones[seat] |= landing(b.stones[0] | b.stones[1], action)
    b.moves += 1
    if has_four(b.stones[seat]):
        b.status = WON
    elif b.moves == COLUMNS * ROWS:
        b.status = DRAWN
    if sink == NULL:
        return
    emit2(sink, DROPPED, PUBLIC, seat, action)
    if b.status == PLAYING:
        ask_one(sink, b.moves & 1, 0, 0)
    else:
        ask_nobody(sink)


cdef void returns(const void* tables, const void* state, double* out) noexcept nogil:
    cdef const Board* b = <const Board*> state
    cdef int mover = 1 - (b.moves & 1)
    out[mover] = 1.0 if b.status == WON else 0.5
    out[1 - mover] = 1.0 - out[mover]


cdef void evaluate(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """Free cells that would complete four, and the stones in the middle column."""
    cdef const Board* b = <const Board*> state
    cdef uint64_t empty = CELLS & ~(b.stones[0] | b.stones[1])
    cdef uint64_t middle = <uint64_t> 0x3F << STRIDE * (COLUMNS // 2)
    cdef int threats, centre
    if b.status != PLAYING:
        returns(tables, state, out)
        return
    threats = bit_count(completing(b.stones[0]) & empty) - bit_count(completing(b.stones[1]) & empty)
    centre = bit_count(b.stones[0] & middle) - bit_count(b.stones[1] & middle)
    out[0] = min(0.95, max(0.05, 0.5 + 0.08 * threats + 0.02 * centre))
    out[1] = 1.0 - out[0]


cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    """Win; block; do not open a cell on which the other seat wins; else build threats near the middle."""
    cdef const Board* b = <const Board*> state
    cdef uint64_t occupied = b.stones[0] | b.stones[1]
    cdef uint64_t mine = completing(b.stones[seat])
    cdef uint64_t theirs = completing(b.stones[1 - seat])
    cdef uint64_t cell
    cdef int i, off_centre, threats
    for i in range(n):
        cell = landing(occupied, actions[i])
        if mine & cell:
            out[i] = 1.0
        elif theirs & cell:
            out[i] = 0.9
        elif theirs & cell << 1:
            out[i] = 0.05
        else:
            off_centre = actions[i] - COLUMNS // 2
            threats = bit_count(completing(b.stones[seat] | cell) & ~mine & ~occupied)
            out[i] = 0.45 + 0.08 * threats - 0.02 * (off_centre if off_centre > 0 else -off_centre)


cdef action_t quick_action(const void* tables, const void* state, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil:
    """Win, else block, else anything."""
    cdef const Board* b = <const Board*> state
    cdef uint64_t occupied = b.stones[0] | b.stones[1]
    cdef uint64_t cells = occupied + BOTTOM         # where the next stone of every column lands
    cdef uint64_t wanted
    cdef int i, side
    for side in range(2):
        wanted = completing(b.stones[seat ^ side]) & cells & ~occupied
        if wanted:
            for i in range(n):
                if wanted & landing(occupied, actions[i]):
                    return actions[i]
    return actions[rng_below(rng, <uint32_t> n)]


cdef int features(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """What lines.py lists."""
    cdef const Board* b = <const Board*> state
    cdef uint64_t occupied = b.stones[0] | b.stones[1]
    cdef uint64_t cells = occupied + BOTTOM & CELLS     # where the next stone of every column lands
    cdef uint64_t mine, wanted
    cdef int i, side, held
    for i in range(FEATURES):
        out[i] = 0
    if b.status == WON:
        out[0] = WEIGHT[0] * (1 if b.moves & 1 != seat else -1)
        return FEATURES
    for side in range(2):                               # the opponent, the seat
        mine = b.stones[seat ^ 1 ^ side]
        wanted = completing(mine) & ~occupied
        out[1 + side] = bit_count(wanted & cells)
        out[3 + side] = bit_count(wanted & ~cells)
        for i in range(LINES):
            if LINE[i] & (occupied ^ mine) == 0:
                held = bit_count(LINE[i] & mine)
                out[5 + side] += held == 2
                out[7 + side] += 1
    for i in range(1, FEATURES):
        out[i] *= WEIGHT[i]
    return FEATURES


cdef void resample(const void* tables, void* state, int seat, Rng* rng) noexcept nogil:
    pass        # nothing is hidden


cdef uint64_t private_key(const void* tables, const void* state, int seat) noexcept nogil:
    return 0


cdef Rules RULES
RULES.state_size = sizeof(Board)
RULES.init = init
RULES.pending = pending
RULES.prompt = prompt
RULES.legal_actions = legal_actions
RULES.advance = advance
RULES.returns = returns
RULES.evaluate = evaluate
RULES.score_actions = score_actions
RULES.features = features
RULES.resample = resample
RULES.private_key = private_key
RULES.quick_action = quick_action

# ---- In words ----

def cell_id(column, row):
    """The cell in the scene, whose rows go from the top; `row` counts from the bottom."""
    return f"board/{COLUMNS * (ROWS - 1 - row) + column}"


class ConnectFourView(View):
    """The columns from the bottom up."""

    def __init__(self, seats: int, observer: int) -> None:
        super().__init__(SPEC, seats, observer)
        self.columns = [""] * COLUMNS

    def apply(self, key, args):
        seat, column = args
        self.columns[column] += STONES[seat]

    def body(self):
        return {"columns": list(self.columns)}


cdef class ConnectFourGame(Game):
    """Connect four has no options and no content pack."""

    def __cinit__(self):
        self.rules = &RULES

    def observation(self, State state, int seat):
        cdef const Board* b = <const Board*> state.data
        cdef int column, row
        columns = [""] * COLUMNS
        for column in range(COLUMNS):
            for row in range(ROWS):
                if b.stones[0] >> (STRIDE * column + row) & 1:
                    columns[column] += "X"
                elif b.stones[1] >> (STRIDE * column + row) & 1:
                    columns[column] += "O"
        return {"columns": columns}

    def action_label(self, State state, int seat, int action):
        return f"{STONES[seat]} into column {action + 1}"

    def action_args(self, State state, int seat, int action):
        return {"column": action}

    def feature_text(self, int feature, double theirs, double mine):
        return line_text(feature, theirs, mine, "four", "stone")

    def event_text(self, event, int observer):
        if event.key in CORE_KEYS:
            return ""
        return acts(event.args[0], observer, "drop") + f" a stone into column {event.args[1] + 1}."

    def new_view(self, int seat):
        return ConnectFourView(self.seats, seat)

    def state_from_view(self, view, int seat, seed):
        cdef State state = rebuilt_state(self, view)
        cdef Board* b = <Board*> state.data
        cdef int column, row, ahead, last
        if len(view["columns"]) != COLUMNS or any(len(stones) > ROWS for stones in view["columns"]):
            raise ValueError(f"a board has {COLUMNS} columns of at most {ROWS} stones")
        for column, stones in enumerate(view["columns"]):
            for row, stone in enumerate(stones):
                b.stones[STONES.index(stone)] |= <uint64_t> 1 << (STRIDE * column + row)
        ahead = bit_count(b.stones[0]) - bit_count(b.stones[1])
        if not 0 <= ahead <= 1:
            raise ValueError("the seats of connect four take turns; this board has too many stones of one of them")
        b.moves = <uint8_t> bit_count(b.stones[0] | b.stones[1])
        last = 1 - (b.moves & 1)
        if has_four(b.stones[1 - last]) or has_four(b.stones[last]) and not ends_now(b, last):
            raise ValueError("a game of connect four ends with four in a row; on this board it went on")
        if has_four(b.stones[last]):
            b.status = WON
        elif b.moves == COLUMNS * ROWS:
            b.status = DRAWN
        seed_rng(&state.rng, seed, (int(Stream.RESAMPLE), seat))
        return state

    def question_text(self, State state, int seat):
        return f"You play {STONES[seat]}: which column?"

    def scene(self, observation, int observer):
        cells = [column.ljust(ROWS)[row] for row in reversed(range(ROWS)) for column in observation["columns"]]
        return Scene((grid("board", "Board", COLUMNS, [cell.strip() for cell in cells],
                           [None if cell == " " else STONES.index(cell) for cell in cells],
                           [f"Column {column}" for _row in range(ROWS) for column in range(1, COLUMNS + 1)]),))

    def touch(self, State state, int seat, int action, observation):
        return Touch((cell_id(action, len(observation["columns"][action])),))

    def touched(self, State state, event, int observer):
        if event.key in CORE_KEYS:
            return ()
        column = event.args[1]      # how high the stone came to lie is how many fell there before
        below = [past for past in state.events(observer) if past.sequence < event.sequence and past.key == event.key]
        return (cell_id(column, sum([past.args[1] == column for past in below])),)

    def result_text(self, State state):
        values = state.returns()
        return "A draw." if values[0] == values[1] else f"Seat {values.index(1.0)} wins."


SPEC = register(GameSpec(
    id="connect_four",
    title="Connect four",
    summary="Seven columns, four in a row. A reference game with a known solution: the first seat wins.",
    rules_version=1,
    modes=(Mode(key="standard", title="Standard", seats=(2,), doc="Seven columns of six."),),
    rules="In turn you drop a stone into a column, and it falls onto those below: seat 0 has X, seat 1 has O. Four of your "
          "stones in a row, a column or a diagonal win.",
    glossary={"X": "A stone of seat 0, who begins.", "O": "A stone of seat 1.", ".": "An empty cell.",
              "column": "1 to 7 from the left; the numbers are below the board. A column holds six stones.",
              "stone": "What you drop: X for seat 0, O for seat 1."},
    prompts=(Prompt("DROP", "Which column?"),),
    events=(EventType("DROPPED", ("seat", "column"), turn=True),),
    features=LINE_FEATURES,
    action_limit=COLUMNS,
    max_decisions=42,
    create=lambda settings: ConnectFourGame(SPEC, settings),
))
