"""Game and State: the Python side of the contract."""
from collections.abc import Mapping
from hashlib import blake2b
from operator import index
from typing import Any, NamedTuple
import json
import secrets

from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from libc.string cimport memcmp, memcpy, memset

from seatmate.engine.core.contract cimport Rules, apply_action
from seatmate.engine.core.past cimport Past, past_add, past_copy
from seatmate.engine.core.rng cimport seed_rng
from seatmate.engine.core.sink cimport mix, sink_reset
from seatmate.engine.core.types cimport (
    MAX_ACTIONS, MAX_FEATURES, MAX_OBSERVERS, MAX_SEATS, MAX_STATE_BYTES, SPECTATOR, Outcome, action_t, uint8_t, uint32_t, uint64_t,
)

from seatmate.engine.core.board import board_lines
from seatmate.engine.core.errors import ActionError, BrokenGameError, GameOverError, IllegalActionError, SeatNotPendingError
from seatmate.engine.core.glossary import entry, look_up
from seatmate.engine.core.record import Record
from seatmate.engine.core.rng import Stream
from seatmate.engine.core.scene import Face, Scene, Touch, plain
from seatmate.engine.core.spec import CHANCE, words
from seatmate.engine.core.terms import Terms
from seatmate.engine.core.view import without_question

SPECTATORS = SPECTATOR
"""The observer number of everybody who has no seat."""

_LOG_HEADROOM = 1024
_RECALLED_DEALS = 1000      # tried for the public chance in a rebuilt past, such as the one card that is turned up

# The seats of every mask, ascending: answers to "who is asked?", which every loop over a game asks at every step.
cdef tuple _SEATS_OF = tuple([tuple([seat for seat in range(MAX_SEATS) if mask >> seat & 1]) for mask in range(1 << MAX_SEATS)])


class SeenEvent(NamedTuple):
    """One event as one observer sees it. `sequence` counts that observer's own events from 1."""

    sequence: int
    key: str
    args: tuple[int, ...]


cdef class Game:
    """A game with fixed settings. Subclasses set `rules` and `tables` and describe positions in words.

    One Game is immutable and may be shared by any number of states and threads.
    """

    def __dealloc__(self):
        PyMem_Free(self.memory)

    cdef void* new_tables(self, size_t size) except NULL:
        """Zeroed memory for `tables`, freed with the game; for __cinit__, once. Raises MemoryError."""
        self.memory = PyMem_Malloc(size)
        if self.memory == NULL:
            raise MemoryError
        memset(self.memory, 0, size)
        self.tables = self.memory
        return self.memory

    def __init__(self, spec, settings):
        self.spec = spec
        self.settings = settings
        self.seats = settings.seats
        self.check_complete()

    @property
    def state_bytes(self) -> int:
        """Size of one world state in bytes."""
        return self.rules.state_size

    @property
    def cooperative(self) -> bool:
        """Do all seats share one result, in this mode?"""
        return self.spec.mode(self.settings.mode).cooperative

    @property
    def prompt_keys(self) -> tuple[str, ...]:
        """Keys of the prompts by number."""
        return tuple(prompt.key for prompt in self.spec.prompts)

    def new_state(self, seed=None, *, record_events: bool = True) -> State:
        """A freshly dealt game. `seed` is the secret of the deal (None: drawn from the system's entropy)."""
        if seed is None:
            seed = secrets.randbits(128)
        seed = index(seed)
        if seed < 0:
            raise ValueError(f"the seed {seed} is negative")
        cdef State state = blank_state(self, record_events)
        state.seed = seed
        seed_rng(&state.rng, seed, (int(Stream.TABLE),))
        deal_state(state)
        return state

    def event_key(self, type: int) -> str:
        """The key of an event type."""
        return self.spec.event(type).key

    def check_complete(self) -> None:
        """Raises BrokenGameError that says which functions of the contract are missing: calling one would end the process."""
        cdef const Rules* rules = self.rules
        if rules == NULL:
            raise BrokenGameError(f"{type(self).__name__} sets no rules in __cinit__")
        missing = [name for name, given in (
            ("init", rules.init != NULL), ("pending", rules.pending != NULL), ("prompt", rules.prompt != NULL),
            ("legal_actions", rules.legal_actions != NULL), ("advance", rules.advance != NULL), ("returns", rules.returns != NULL),
            ("evaluate", rules.evaluate != NULL), ("score_actions", rules.score_actions != NULL),
            ("resample", rules.resample != NULL), ("private_key", rules.private_key != NULL)) if not given]
        if missing:
            raise BrokenGameError(f"the rules of {type(self).__name__} lack {words(missing)}")
        if not 0 < rules.state_size <= MAX_STATE_BYTES:
            raise BrokenGameError(f"the rules of {type(self).__name__} have a state_size of {rules.state_size}; "
                                  f"it must be 1..{MAX_STATE_BYTES}")
        if self.spec is None:
            raise BrokenGameError(f"{type(self).__name__} does not call Game.__init__")

    def check_dealable(self) -> None:
        """Raises SettingsError if the settings are what one seat knows of a table and leave open what a deal needs."""

    # What a subclass says about positions, in the game's words.

    def observation(self, State state, int seat) -> dict[str, Any]:
        """What the seat (or SPECTATORS) may see of this game now, as plain values; a function of its event history."""
        raise NotImplementedError

    def action_label(self, State state, int seat, int action) -> str:
        """A short English sentence for a legal action: its `label`, and a number where several read the same."""
        known = self.labels             # of the position last asked about: a list of answers asks for one after the other
        position = state.to_bytes()
        if known is None or known[0] != (position, seat):
            legal = state.legal_actions(seat)
            known = ((position, seat), legal, [self.label(state, seat, other) for other in legal])
            self.labels = known
        _, legal, labels = known
        label = labels[legal.index(action)]
        return label if labels.count(label) == 1 else f"{label}, no. {labels[:legal.index(action)].count(label) + 1}"

    def label(self, State state, int seat, int action) -> str:
        """The sentence for an action of games whose answers may read the same."""
        raise NotImplementedError

    def question_text(self, State state, int seat) -> str:
        """What a seat is asked, in words. A game says more than its prompt does, such as which piece the question is about."""
        return next(known.question for known in self.spec.prompts if known.key == state.prompt(seat))

    def action_args(self, State state, int seat, int action) -> dict[str, int | str]:
        """The action's named values (card, place, target ...)."""
        raise NotImplementedError

    def event_text(self, event: SeenEvent, int observer) -> str:
        """One line a person likes to read; empty for events that only carry bookkeeping."""
        raise NotImplementedError

    def new_view(self, int seat):
        """A View that folds the seat's events back into `observation(seat)`."""
        raise NotImplementedError

    def state_from_view(self, view: Mapping[str, Any], int seat, seed) -> State:
        """A sampled world for a seat whose view was rebuilt from its events (tables run by others). Raises ValueError."""
        cdef State state = rebuilt_state(self, view)
        self.load(state, self.raw_of(view, seat))
        return sampled_world(state, seat, seed)

    # Positions as plain values, for games with `fields`.

    def position(self, values: Mapping[str, Any], *, seed=0, record_events: bool = False) -> State:
        """The position described by `everything`, with its own chance stream (seed). All cards must be given.

        Where nobody is asked, the game goes on until somebody is. Events, if recorded, begin here; they don't tell how the position
        came about.
        """
        cdef State state = blank_state(self, record_events)
        self.load(state, self.raw_of(values, None))
        seed_rng(&state.rng, seed, (int(Stream.TABLE),))
        if state.is_over:
            self.go_on(state)
        return state

    def raw_of(self, values: Mapping[str, Any], seat: int | None) -> dict[str, Any]:
        """The raw values (fields.py) of `everything` (seat None), or of some position that shows the seat this view.

        Raises ValueError for what no game shows.
        """
        raise NotImplementedError

    cdef int load(self, State state, raw) except -1:
        """Fill a state from raw values."""
        cdef bytes data = self.fields.write(raw)
        memcpy(state.data, <char*> data, self.rules.state_size)
        return 0

    cdef int go_on(self, State state) except -1:
        """Carry on a position in which nobody is asked."""
        return 0

    def feature_text(self, int feature, theirs: float, mine: float) -> str:
        """What an answer has that another one has not, in words: two values of a feature, without stamps.

        Empty when it is too little.
        """
        return self.spec.features[feature].says(theirs, mine)

    def terms(self, State state) -> Terms | None:
        """What `evaluate` weighs here, for benches/fit.py. None where it weighs nothing, such as in a setup or at the end.

        Games whose estimate is not linear in log-odds have none anywhere.
        """
        return None

    def worths(self) -> dict[str, float]:
        """The numbers by which score_actions judges answers, for benches/fit.py --worths. Empty where they can't be changed."""
        return {name: self.worth[i] for i, name in enumerate(self.worth_names or ())}

    def set_worths(self, worths: Mapping[str, float]) -> None:
        """Give this game, while nobody else has it yet, other values of all `worths`, in their order."""
        cdef int i
        cdef double value
        if self.worth_names is None:
            raise NotImplementedError
        for i, value in enumerate(worths.values()):
            self.worth[i] = value

    def unit(self):
        """The Unit in which a person reads utilities."""
        return self.spec.unit

    def settings_for(self, int observer) -> dict[str, Any]:
        """The settings (Settings.to_json) as the observer may know them before the end; SPECTATORS for anybody.

        With these settings and the observer's own events the position can be described to others.
        """
        return self.settings.to_json()

    def describe(self, observation: Mapping[str, Any], int observer, text: str) -> list[str]:
        """What people who see the observation may look up, such as a card by its name: lines in rich markup.

        Empty if nothing has this name. Every word of the board, of questions and of labels has an entry.
        """
        return look_up(self.glossary(), text)

    def glossary(self) -> Mapping[str, str]:
        """The words of the game and what they mean."""
        return self.spec.glossary

    def legend(self) -> list[str]:
        """How the board is to be read: lines in rich markup."""
        return [entry(key, meaning) for key, meaning in self.glossary().items()]

    def board_lines(self, observation: Mapping[str, Any], int observer) -> list[str]:
        """The observation as lines for a terminal, in rich markup: its scene, if a game does not draw its own board."""
        return board_lines(self.scene(observation, observer), self.faces(), observer, observation.get("asked") or ())

    def scene(self, observation: Mapping[str, Any], int observer) -> Scene:
        """The observation as things in places, for whoever draws the game; a game says its own."""
        return plain(without_question(observation))

    def touch(self, State state, int seat, int action, observation: Mapping[str, Any]) -> Touch:
        """How a legal action is given by hand: ids of the scene of the seat's own observation, and the look of its button."""
        return Touch()

    def touched(self, State state, event: SeenEvent, int observer) -> tuple[str, ...]:
        """What an event moved or changed: ids of the observer's scene right after it. state: of its game, then or later."""
        return ()

    def event_meanings(self) -> Mapping[str, "Meaning"]:
        """What the integers of events stand for, by `argument` or `EVENT.argument` (see Meanings); numbers if it says nothing."""
        return {}

    def faces(self) -> Mapping[str, Face]:
        """What the things of this game show when they lie open, by the key that scenes name."""
        return {}

    def final_scores(self, State state) -> tuple[str, list[float]]:
        """What seats have at the end in the game's own unit: what is counted, how many by seat; ("", []) if only winning counts."""
        unit = self.unit()
        if unit is CHANCE:
            return "", []
        return unit.name, [float(unit.amount(value)) for value in state.returns()]

    def result_text(self, State state) -> str:
        """How a finished game ended, in words."""
        raise NotImplementedError


cdef State blank_state(Game game, bint record_events):
    """A state with zeroed data and fresh keys."""
    cdef State state = State.__new__(State)
    state.game = game
    state.data = PyMem_Malloc(game.rules.state_size)
    if state.data == NULL:
        raise MemoryError
    memset(state.data, 0, game.rules.state_size)
    memset(&state.rng, 0, sizeof(Rng))
    sink_reset(&state.sink)
    state._actions = []
    if game.spec.public_choices:
        state.past = <Past*> PyMem_Malloc(sizeof(Past))
        if state.past == NULL:
            raise MemoryError
        state.past.n = -1
        state.past.key = state.sink.keys[SPECTATOR]
    if record_events:
        state.log = <Event*> PyMem_Malloc(_LOG_HEADROOM * sizeof(Event))
        if state.log == NULL:
            raise MemoryError
        state.sink.log = state.log
        state.sink.log_capacity = _LOG_HEADROOM
    return state


cdef int deal_state(State state) except -1:
    """Deal a blank state, with chance from its own stream."""
    state.game.rules.init(state.game.tables, state.data, &state.rng, &state.sink)
    if state.past != NULL:
        state.past.n = 0
        state.past.key = state.sink.keys[SPECTATOR]
    state.grow_log()
    return 0


cdef State rebuilt_state(Game game, object view):
    """A blank state for what a seat knows (`state_from_view`): its keys stand for the view, as those of a table for a history.

    Bots and searches take states of equal keys for one position. Raises ValueError for a view that is no plain value.
    """
    cdef State state = blank_state(game, False)
    cdef uint64_t word
    cdef int observer
    try:
        text = json.dumps(dict(view), sort_keys=True)
    except TypeError as error:
        raise ValueError(f"a view consists of plain values: {error}") from None
    word = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
    for observer in range(MAX_OBSERVERS):
        state.sink.keys[observer] = mix(state.sink.keys[observer], word)
    if state.past != NULL:
        state.past.key = state.sink.keys[SPECTATOR]
    return state


cdef State sampled_world(State state, int seat, object seed):
    """The world of a state that was filled from a seat's view: what it can't see is dealt. The end of `state_from_view`.

    Raises ValueError where somebody is asked and has no answer: no game shows such a view.
    """
    seed_rng(&state.rng, seed, (int(Stream.RESAMPLE), seat))
    state.game.rules.resample(state.game.tables, state.data, seat, &state.rng)
    if not state.is_over and not state.legal_actions(state.pending[0]):
        raise ValueError("no game looks like this: a question without an answer")
    return state


cdef int recall(State state, list choices) except -1:
    """Give an unfinished state that was built from a view its public past: `choices` are all (seat, action) since the deal.

    A past holds nothing hidden, so that the past of any deal will do which shows everybody what this one does. Raises
    ValueError when the rules don't allow these choices, or nothing public comes of them that looks like the state.
    """
    cdef State played
    seen = state.observation(SPECTATOR)
    if not seen["asked"]:
        return 0
    for deal in range(_RECALLED_DEALS):
        played = state.game.new_state(deal, record_events=False)
        for seat, action in choices:
            try:
                played.apply_action(seat, action)
            except ActionError as error:
                raise ValueError(f"no game goes like this: {error}") from None
        if played.observation(SPECTATOR) == seen:
            past_copy(state.past, played.past)
            state.sink.keys[SPECTATOR] = state.past.key
            return 0
    raise ValueError("no deal looks like this")


cdef class State:
    """One world state with its own chance stream and history.

    Seats are 0..n-1; where an `observer` is asked for, SPECTATORS is allowed too.
    """

    def __init__(self):
        raise TypeError("states come from Game.new_state")

    def __dealloc__(self):
        PyMem_Free(self.data)
        PyMem_Free(self.log)
        PyMem_Free(self.past)

    cdef int grow_log(self) except -1:
        """Keep room in the event log for the next apply."""
        cdef Event* bigger
        if self.sink.overflow:
            raise RuntimeError("one apply emitted more events than the log has headroom for, or an event with too many args")
        if self.log != NULL and self.sink.log_capacity - self.sink.log_n < _LOG_HEADROOM // 2:
            bigger = <Event*> PyMem_Realloc(self.log, 2 * self.sink.log_capacity * sizeof(Event))
            if bigger == NULL:
                raise MemoryError
            self.log = bigger
            self.sink.log = bigger
            self.sink.log_capacity *= 2
        return 0

    cdef int check_observer(self, int observer) except -1:
        if observer != SPECTATOR:
            self.check_seat(observer)
        return 0

    cdef int check_seat(self, int seat) except -1:
        if not 0 <= seat < self.game.seats:
            raise ValueError(f"there is no seat {seat}; the seats are 0..{self.game.seats - 1}")
        return 0

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that may act now, ascending; empty when the game is over."""
        return _SEATS_OF[self.game.rules.pending(self.game.tables, self.data)]

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that are publicly being asked: like `pending`, but it does not show who has committed in secret."""
        if self.game.rules.asked == NULL:
            return self.pending
        return _SEATS_OF[self.game.rules.asked(self.game.tables, self.data)]

    @property
    def is_over(self) -> bool:
        """True when nobody is asked anything any more."""
        return self.game.rules.pending(self.game.tables, self.data) == 0

    def prompt(self, int seat) -> str | None:
        """The key of the question the seat is asked now; None when it is not asked."""
        self.check_observer(seat)
        if not self.game.rules.pending(self.game.tables, self.data) >> seat & 1:
            return None
        return self.game.spec.prompt(self.game.rules.prompt(self.game.tables, self.data, seat)).key

    def legal_actions(self, int seat) -> list[int]:
        """The seat's legal actions, ascending; empty when it is not asked."""
        self.check_observer(seat)
        cdef action_t legal[MAX_ACTIONS]
        cdef int i
        cdef int n = 0
        if self.game.rules.pending(self.game.tables, self.data) >> seat & 1:
            n = self.game.rules.legal_actions(self.game.tables, self.data, seat, legal)
        return [legal[i] for i in range(n)]

    def apply_action(self, int seat, action: int) -> None:
        """Let the seat act. Raises IllegalActionError, SeatNotPendingError or GameOverError; then nothing has changed."""
        self.check_observer(seat)
        cdef uint32_t pending = self.game.rules.pending(self.game.tables, self.data)
        cdef int outcome
        cdef int prompt = -1
        if self.past != NULL and 0 <= seat < MAX_SEATS:
            prompt = self.game.rules.prompt(self.game.tables, self.data, seat)
        if -2**31 <= action < 2**31:
            outcome = apply_action(self.game.rules, self.game.tables, self.data, seat, <action_t> action,
                                   &self.rng, &self.sink)
        elif pending == 0:
            outcome = Outcome.GAME_OVER
        else:
            outcome = Outcome.ILLEGAL_ACTION if pending >> seat & 1 else Outcome.SEAT_NOT_PENDING
        if outcome == Outcome.GAME_OVER:
            raise GameOverError("the game is over; nobody can act any more")
        if outcome == Outcome.SEAT_NOT_PENDING:
            raise SeatNotPendingError(f"seat {seat} is not asked anything now")
        if outcome != Outcome.OK:
            legal = self.legal_actions(seat)
            raise IllegalActionError(f"{action} is not a legal answer to {self.prompt(seat)}; "
                                     f"there are {len(legal)}: {', '.join(map(str, legal[:12]))}"
                                     f"{' ...' if len(legal) > 12 else ''}")
        if self.past != NULL:
            past_add(self.past, seat, prompt, <action_t> action, self.sink.keys[SPECTATOR])
        self._actions.append((seat, int(action)))
        self.grow_log()

    @property
    def actions(self) -> list[tuple[int, int]]:
        """All (seat, action) since the deal."""
        return list(self._actions)

    def clone(self, *, record_events: bool = False) -> State:
        """An independent copy, chance stream and observation keys included, without the event log."""
        cdef State copy = blank_state(self.game, record_events)
        memcpy(copy.data, self.data, self.game.rules.state_size)
        copy.rng = self.rng
        copy.sink.keys = self.sink.keys
        if self.past != NULL:
            past_copy(copy.past, self.past)
        copy.seed = self.seed
        copy._actions = list(self._actions)
        return copy

    def resample_from_infostate(self, int seat, seed) -> State:
        """A world the seat can't tell from the true one; a function of the seat's view and `seed` only."""
        self.check_seat(seat)
        cdef State world = self.clone()
        world.seed = None
        world._actions = []
        seed_rng(&world.rng, seed, (int(Stream.RESAMPLE), seat))
        self.game.rules.resample(self.game.tables, world.data, seat, &world.rng)
        # The other seats' keys hash what really happened to them; in the sampled world they start
        # from the public history and what they would hold there.
        for other in range(self.game.seats):
            if other != seat:
                world.sink.keys[other] = mix(self.sink.keys[SPECTATOR],
                                             self.game.rules.private_key(self.game.tables, world.data, other))
        return world

    def returns(self) -> list[float]:
        """Utility per seat in [0, 1]. Raises ValueError before the end."""
        cdef double out[MAX_SEATS]
        if not self.is_over:
            raise ValueError("the game is not over; evaluate() estimates")
        self.game.rules.returns(self.game.tables, self.data, out)
        return [out[i] for i in range(self.game.seats)]

    def evaluate(self, observer: int | None = None) -> list[float]:
        """Estimated utility per seat in [0, 1], from what the seat `observer` can know; None: all cards open."""
        cdef double out[MAX_SEATS]
        cdef int seat = -1
        if observer is not None:
            self.check_seat(observer)
            seat = observer
        self.game.rules.evaluate(self.game.tables, self.data, seat, out)
        return [out[i] for i in range(self.game.seats)]

    def score_actions(self, int seat) -> list[float]:
        """One heuristic number per legal action, on the scale of the utility."""
        self.check_observer(seat)
        cdef action_t legal[MAX_ACTIONS]
        cdef double out[MAX_ACTIONS]
        cdef int i, n
        if not self.game.rules.pending(self.game.tables, self.data) >> seat & 1:
            return []
        n = self.game.rules.legal_actions(self.game.tables, self.data, seat, legal)
        self.game.rules.score_actions(self.game.tables, self.data, seat, legal, n, out)
        return [out[i] for i in range(n)]

    def features(self, int seat) -> list[float]:
        """The named numbers of GameSpec.features for this world."""
        cdef double out[MAX_FEATURES]
        cdef int i, n
        self.check_seat(seat)
        if self.game.rules.features == NULL:
            return []
        n = self.game.rules.features(self.game.tables, self.data, seat, out)
        return [out[i] for i in range(n)]

    def observation(self, int observer) -> dict[str, Any]:
        """All that the observer may see now, as plain values: who is asked what, then the game's own view.

        `asked` (seats), `question` (key of the public class, None at the end), `prompt` (the observer's own
        question or None), then the keys of Game.observation.
        """
        self.check_observer(observer)
        pending = self.pending
        question = None
        if pending:
            question = self.game.spec.public_key(self.game.rules.prompt(self.game.tables, self.data, pending[0]))
        return {"asked": list(self.asked), "question": question,
                "prompt": None if observer == SPECTATOR else self.prompt(observer),
                **self.game.observation(self, observer)}

    def observation_key(self, int observer) -> int:
        """64-bit hash of the observer's event history: equal histories, equal keys."""
        self.check_observer(observer)
        return self.sink.keys[observer]

    def private_key(self, int seat) -> int:
        """64-bit hash of what the seat sees and not everybody sees."""
        self.check_seat(seat)
        return self.game.rules.private_key(self.game.tables, self.data, seat)

    def events(self, int observer, int since=0) -> list[SeenEvent]:
        """The observer's events with sequence > `since`. Raises ValueError when events are not recorded."""
        self.check_observer(observer)
        if self.log == NULL:
            raise ValueError("this state does not record events")
        cdef int i, j
        cdef int sequence = 0
        cdef Event* event
        out = []
        keys: dict = {}
        for i in range(self.sink.log_n):
            event = &self.log[i]
            if event.audience >> observer & 1:
                sequence += 1
                if sequence > since:
                    if event.type not in keys:
                        keys[event.type] = self.game.event_key(event.type)
                    args = tuple([event.args[j] for j in range(event.n)])
                    out.append(tuple.__new__(SeenEvent, (sequence, keys[event.type], args)))    # quicker than by its arguments
        return out

    def sequence(self, int observer) -> int:
        """How many events the observer has seen; its sequence number."""
        self.check_observer(observer)
        if self.log == NULL:
            raise ValueError("this state does not record events")
        cdef int i
        cdef int sequence = 0
        for i in range(self.sink.log_n):
            sequence += self.log[i].audience >> observer & 1
        return sequence

    def question_text(self, int seat) -> str:
        """What the seat is asked, in words; empty if it is not asked."""
        return self.game.question_text(self, seat) if self.prompt(seat) is not None else ""

    def action_label(self, int seat, action: int) -> str:
        """A short English sentence for a legal action. Raises IllegalActionError for any other."""
        self.check_legal(seat, action)
        return self.game.action_label(self, seat, action)

    def action_args(self, int seat, action: int) -> dict[str, int | str]:
        """The named values (card, place, target ...) of a legal action. Raises IllegalActionError for any other."""
        self.check_legal(seat, action)
        return self.game.action_args(self, seat, action)

    cdef int check_legal(self, int seat, action) except -1:
        """Games describe an action by looking at what it names, so it must be one they know."""
        if action not in self.legal_actions(seat):
            raise IllegalActionError(f"{action} is not a legal answer of seat {seat} now")
        return 0

    @property
    def record(self):
        """Settings, seed and actions: enough to replay to the same bytes. Raises ValueError for a sampled world."""
        if self.seed is None:
            raise ValueError("a sampled world has no record")
        return Record.of(self)

    def __reduce__(self):
        raise TypeError("a State is copied with clone(); what can be kept or sent is its record, which replays to it "
                        "(state.record.to_json())")

    def to_bytes(self) -> bytes:
        """The raw struct, for comparing positions bit for bit."""
        return (<uint8_t*> self.data)[:self.game.rules.state_size]

    def __eq__(self, other) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        cdef State that = other
        return (self.game.rules == that.game.rules and self.game.settings == that.game.settings
                and memcmp(self.data, that.data, self.game.rules.state_size) == 0)

    __hash__ = None
