"""Tic-tac-toe: two seats, three in a row. Nothing is hidden; with best play it is a draw.

An action is a cell, numbered 0..8 by rows. Utilities: win 1, draw 1/2, loss 0.
"""
from libc.string cimport memset

from seatmate.engine.core.contract cimport CoreEvent, Rules, ask_nobody, ask_one
from seatmate.engine.core.game cimport Game, State, rebuilt_state
from seatmate.engine.core.rng cimport Rng, rng_below, seed_rng
from seatmate.engine.core.sink cimport PUBLIC, Sink, emit2
from seatmate.engine.core.types cimport action_t, uint8_t, uint16_t, uint32_t, uint64_t
from seatmate.engine.core.zones cimport bit_count, lowest_bit

from seatmate.engine.classics.lines import LINE_FEATURES, WEIGHTS, line_text
from seatmate.engine.core.meanings import things
from seatmate.engine.core.registry import register
from seatmate.engine.core.rng import Stream
from seatmate.engine.core.scene import Scene, Touch, grid
from seatmate.engine.core.spec import CORE_KEYS, EventType, GameSpec, Mode, Prompt, acts
from seatmate.engine.core.view import View

MARKS = "XO"

cdef enum:
    BOARD = 0x1FF
    FEATURES = 9    # of lines.py

cdef enum Status:
    PLAYING = 0
    WON             # by the seat that moved last
    DRAWN

cdef enum EventKind:
    MARKED = CoreEvent.FIRST_GAME_EVENT     # (seat, cell) to all

cdef uint16_t[8] LINES = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]   # one octal digit per row
cdef uint64_t[8] WINS       # bit m of these 512: the marks m contain a line
cdef int _marks, _line
for _marks in range(512):
    for _line in range(8):
        if _marks & LINES[_line] == LINES[_line]:
            WINS[_marks >> 6] |= <uint64_t> 1 << (_marks & 63)

cdef double[FEATURES] WEIGHT = WEIGHTS

# ---- The state ----

cdef struct Board:
    uint16_t marks[2]       # per seat; bit = cell
    uint8_t moves           # marks made; the seat to move is their parity
    uint8_t status          # Status


cdef inline bint wins(int marks) noexcept nogil:
    return WINS[marks >> 6] >> (marks & 63) & 1


cdef inline int free_cells(const Board* b) noexcept nogil:
    return BOARD & ~(b.marks[0] | b.marks[1])


cdef int open_lines(int other) noexcept nogil:
    """Lines that the other seat has not blocked."""
    cdef int i
    cdef int count = 0
    for i in range(8):
        count += other & LINES[i] == 0
    return count

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
    cdef int cells, n
    if not pending(tables, state) >> seat & 1:
        return 0
    cells = free_cells(<const Board*> state)
    n = 0
    while cells:
        out[n] = lowest_bit(cells)
        cells &= cells - 1
        n += 1
    return n


cdef void advance(const void* tables, void* state, int seat, action_t action, Rng* rng, Sink* sink) noexcept nogil:
    cdef Board* b = <Board*> state
    b.marks[seat] |= <uint16_t> (1 << action)
    b.moves += 1
    if wins(b.marks[seat]):
        b.status = WON
    elif b.moves == 9:
        b.status = DRAWN
    if sink == NULL:
        return
    emit2(sink, MARKED, PUBLIC, seat, action)
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
    cdef const Board* b = <const Board*> state
    if b.status != PLAYING:
        returns(tables, state, out)
        return
    out[0] = 0.5 + 0.05 * (open_lines(b.marks[1]) - open_lines(b.marks[0]))
    out[1] = 1.0 - out[0]


cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    """Win, else block, else the cell on most lines."""
    cdef const Board* b = <const Board*> state
    cdef int i, cell, line
    for i in range(n):
        cell = 1 << actions[i]
        if wins(b.marks[seat] | cell):
            out[i] = 1.0
        elif wins(b.marks[1 - seat] | cell):
            out[i] = 0.9
        else:
            out[i] = 0.4
            for line in range(8):
                out[i] += 0.03 * (LINES[line] & cell != 0)


cdef action_t quick_action(const void* tables, const void* state, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil:
    """Win, else block, else anything."""
    cdef const Board* b = <const Board*> state
    cdef int i, side
    for side in range(2):
        for i in range(n):
            if wins(b.marks[seat ^ side] | 1 << actions[i]):
                return actions[i]
    return actions[rng_below(rng, <uint32_t> n)]


cdef int features(const void* tables, const void* state, int seat, double* out) noexcept nogil:
    """What lines.py lists; every empty cell can be filled, and lines with two marks are those that the next one completes."""
    cdef const Board* b = <const Board*> state
    cdef int i, side
    for i in range(FEATURES):
        out[i] = 0
    if b.status == WON:
        out[0] = WEIGHT[0] * (1 if b.moves & 1 != seat else -1)
        return FEATURES
    for side in range(2):       # the opponent, the seat
        for i in range(9):
            out[1 + side] += free_cells(b) >> i & wins(b.marks[seat ^ 1 ^ side] | 1 << i)
        out[1 + side] *= WEIGHT[1 + side]
        out[7 + side] = WEIGHT[7 + side] * open_lines(b.marks[seat ^ side])
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

def cell_name(cell):
    """Columns a-c, rows 1-3 from the top."""
    return f"{'abc'[cell % 3]}{cell // 3 + 1}"


class TicTacToeView(View):
    """The board."""

    def __init__(self, seats: int, observer: int) -> None:
        super().__init__(SPEC, seats, observer)
        self.cells = [None] * 9

    def apply(self, key, args):
        seat, cell = args
        self.cells[cell] = MARKS[seat]

    def body(self):
        return {"board": list(self.cells)}


cdef class TicTacToeGame(Game):
    """Tic-tac-toe has no options and no content pack."""

    def __cinit__(self):
        self.rules = &RULES

    def observation(self, State state, int seat):
        cdef const Board* b = <const Board*> state.data
        return {"board": ["X" if b.marks[0] >> cell & 1 else "O" if b.marks[1] >> cell & 1 else None for cell in range(9)]}

    def action_label(self, State state, int seat, int action):
        return f"{MARKS[seat]} at {cell_name(action)}"

    def action_args(self, State state, int seat, int action):
        return {"row": action // 3, "column": action % 3}

    def feature_text(self, int feature, double theirs, double mine):
        return line_text(feature, theirs, mine, "three", "mark")

    def event_text(self, event, int observer):
        if event.key in CORE_KEYS:
            return ""
        return acts(event.args[0], observer, "mark") + f" {cell_name(event.args[1])}."

    def new_view(self, int seat):
        return TicTacToeView(self.seats, seat)

    def state_from_view(self, view, int seat, seed):
        cdef State state = rebuilt_state(self, view)
        cdef Board* b = <Board*> state.data
        cdef int cell
        if len(view["board"]) != 9:
            raise ValueError("a board has 9 cells")
        for cell, mark in enumerate(view["board"]):
            if mark is not None:
                b.marks[MARKS.index(mark)] |= <uint16_t> (1 << cell)
        if not 0 <= bit_count(b.marks[0]) - bit_count(b.marks[1]) <= 1:
            raise ValueError("the seats of tic-tac-toe take turns; this board has too many marks of one of them")
        b.moves = <uint8_t> (bit_count(b.marks[0]) + bit_count(b.marks[1]))
        if wins(b.marks[b.moves & 1]):
            raise ValueError("a game of tic-tac-toe ends with a line; on this board it went on")
        b.status = WON if wins(b.marks[1 - (b.moves & 1)]) else DRAWN if b.moves == 9 else PLAYING
        seed_rng(&state.rng, seed, (int(Stream.RESAMPLE), seat))
        return state

    def question_text(self, State state, int seat):
        return f"You play {MARKS[seat]}: which cell?"

    def scene(self, observation, int observer):
        return Scene((grid("board", "Board", 3, [mark or "" for mark in observation["board"]],
                           [None if mark is None else MARKS.index(mark) for mark in observation["board"]],
                           [cell_name(cell) for cell in range(9)]),))

    def touch(self, State state, int seat, int action, observation):
        return Touch((f"board/{action}",))

    def event_meanings(self):
        return {"cell": things("board", 9)}

    def touched(self, State state, event, int observer):
        return () if event.key in CORE_KEYS else (f"board/{event.args[1]}",)

    def result_text(self, State state):
        values = state.returns()
        return "A draw." if values[0] == values[1] else f"Seat {values.index(1.0)} wins."


SPEC = register(GameSpec(
    id="tic_tac_toe",
    title="Tic-tac-toe",
    summary="Three in a row. A reference game with a known solution: a draw.",
    rules_version=1,
    modes=(Mode(key="standard", title="Standard", seats=(2,), doc="Three by three."),),
    rules="In turn you put your mark on an empty cell: seat 0 has X, seat 1 has O. Three of your marks in a row, a column "
          "or a diagonal win.",
    glossary={"X": "The mark of seat 0, who begins.", "O": "The mark of seat 1.", ".": "An empty cell.",
              "cell, a, b, c": "a1 is at the top left: columns a to c from the left, rows 1 to 3 from the top."},
    prompts=(Prompt("MARK", "Which cell?"),),
    events=(EventType("MARKED", ("seat", "cell"), turn=True),),
    features=LINE_FEATURES,
    action_limit=9,
    max_decisions=9,
    create=lambda settings: TicTacToeGame(SPEC, settings),
))
