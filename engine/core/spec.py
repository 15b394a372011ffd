"""Static facts of a game (GameSpec) and of one game's settings (Settings)."""
from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from seatmate.engine.core.errors import BrokenGameError, SettingsError, nearest, unlisted

if TYPE_CHECKING:
    from seatmate.engine.core.game import Game
    from seatmate.engine.core.packs import LoadedPack

OptionValue = str | int | bool | tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option of a game. `kind` says how it is typed.

    title: what people call it · titles: what they call those of `choices` and `ids` whose key is no word ·
    choice: one of `choices` · int: `minimum`..`maximum` · flag: true or false ·
    ids: one of `choices` (a word such as "draft") or a list of one id of `ids` per seat, distinct when `distinct` ·
    text: one of `choices`, or free text of 1..`maximum` characters that the game reads (a deck list).
    """

    key: str
    title: str
    kind: Literal["choice", "int", "flag", "ids", "text"]
    default: OptionValue
    doc: str
    choices: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    distinct: bool = True
    minimum: int = 0
    maximum: int = 0
    titles: Mapping[str, str] = field(default_factory=dict)

    def called(self) -> dict[str, str]:
        """The titles of all `choices` and `ids`: those given, else the key in words."""
        return {key: self.titles.get(key) or key.replace("_", " ").capitalize() for key in (*self.choices, *self.ids)}

    def parse(self, value: Any, seats: int) -> OptionValue:
        """The value in its canonical form. Raises SettingsError saying what is right."""
        where = f"options.{self.key}"
        if self.kind == "flag":
            if isinstance(value, bool):
                return value
            words = {"0": False, "1": True, "false": False, "true": True, "no": False, "yes": True}
            if str(value).lower() in words:
                return words[str(value).lower()]
            raise SettingsError(where, f"{value!r} is neither true nor false")
        if self.kind == "int":
            number = whole_number(str(value))
            if number is None:
                raise SettingsError(where, f"{value!r} is not a whole number")
            if not self.minimum <= number <= self.maximum:
                raise SettingsError(where, f"{number} is outside {self.minimum}..{self.maximum}")
            return number
        if isinstance(value, bool) or not isinstance(value, str | int | list | tuple):
            raise SettingsError(where, f"{value!r} is not text")
        if self.kind == "choice":
            if str(value) not in self.choices:
                raise SettingsError(where, unlisted(value, self.choices))
            return str(value)
        if self.kind == "text":
            text = str(value).strip()
            if isinstance(value, list | tuple) or not 1 <= len(text) <= self.maximum:
                raise SettingsError(where, f"must be one of {', '.join(self.choices)}, or text of at most "
                                           f"{self.maximum} characters")
            return text
        if isinstance(value, str):
            if value in self.choices:
                return value
            value = [part.strip() for part in value.split(",")]
        items = tuple(str(item) for item in value) if not isinstance(value, int) else (str(value),)
        for item in items:
            if item not in self.ids:
                raise SettingsError(where, unlisted(item, (*self.choices, *self.ids)))
        if len(items) != seats:
            raise SettingsError(where, f"{counted(len(items), 'id')} for {seats} seats; one id per seat is needed")
        if self.distinct and len(set(items)) != len(items):
            raise SettingsError(where, "an id is named twice")
        return items


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """One way to play the game, and the seat counts it allows (ascending). cooperative: all seats share one result."""

    key: str
    title: str
    seats: tuple[int, ...]
    doc: str
    cooperative: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question a seat is asked. Its index in GameSpec.prompts is the number that the rules' `prompt` returns.

    `public` is the key of the prompt that the others see, if the exact question would say too much.
    `opens`: a seat's turn begins with it; hints look at a move up to the next turn.
    `again`: a seat may be asked it several times before the others hear of anything.
    `passing`: the answer that passes. It is always legal and safe: it only gives up a chance to react. No other prompt may have
    the same public key, and tables may let the clock answer it.
    """

    key: str
    question: str
    public: str = ""
    opens: bool = False
    again: bool = False
    passing: int | None = None


@dataclass(frozen=True, slots=True)
class Feature:
    """A number that explains a position to a person, as the features function writes it.

    better: 1 if more is good for the seat, -1 if less is · scale: what the number is multiplied with, so that a change of 1 matters
    about equally in all features · text: of (its value with the other answer, with this one), without the scale; "" is no reason
    · least: what changes by less is not worth a word · stamp: a feature that starts again every round (or with every point)
    carries this times the number of the round · clock: it explains nothing; it is that number, and positions are only compared
    if it is the same · lasts: compared whatever the clocks say (the end of the game) · low: the smallest value there is, where
    rounding could go below it.
    """

    key: str
    better: Literal[-1, 1] = 1
    scale: float = 1.0
    text: Callable[[float, float], str] = lambda theirs, mine: ""
    least: float = 0.4
    stamp: float = 0.0
    clock: bool = False
    lasts: bool = False
    low: float = -math.inf

    def says(self, theirs: float, mine: float) -> str:
        """What an answer has that another one has not; empty where it is too little."""
        theirs, mine = max(self.low, theirs / self.scale), max(self.low, mine / self.scale)
        return self.text(theirs, mine) if abs(mine - theirs) >= self.least else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What a utility of 0..1 means to people. low, high: what 0 and 1 mean · sign: after the number · doc: in a sentence."""

    name: str
    heading: str
    doc: str = ""
    low: float = 0.0
    high: float = 1.0
    digits: int = 0
    sign: str = ""

    def amount(self, utility: float) -> str:
        """A number without its sign."""
        return f"{self.low + (self.high - self.low) * utility:.{self.digits}f}"

    def text(self, utility: float) -> str:
        """56 %, or 12.3."""
        return self.amount(utility) + self.sign

    def margin(self, error: float) -> str:
        """Half the width of an interval: 4, or <1 where it rounds to 0, since nothing a search finds is certain."""
        width = f"{(self.high - self.low) * error:.{self.digits}f}"
        return width if float(width) else f"<{10**-self.digits:.{self.digits}f}"

    def change(self, difference: float) -> str:
        """+8 %, or -0.7."""
        return f"{(self.high - self.low) * difference:+.{self.digits}f}{self.sign}"


CHANCE = Unit(name="chance to win", heading="Wins", high=100, sign=" %")
"""Of games with winners: a shared win counts as its share."""


@dataclass(frozen=True, slots=True)
class EventType:
    """A kind of event; `args` name its integers. Event i of GameSpec.events has the type FIRST_GAME_EVENT + i.

    turn: it says what somebody decided; in a log, what follows from it can be folded below.
    optional: so many of the last args may be missing.
    bookkeeping: why nobody needs words for it; such an event never has a text. Of all other kinds some have one.
    """

    key: str
    args: tuple[str, ...] = ()
    turn: bool = False
    optional: int = 0
    bookkeeping: str = ""


_ASKED = "who is asked what is shown while it is asked"
CORE_EVENTS = (
    # to the acting seat alone: what it just answered
    EventType("CHOICE", ("prompt", "action"), bookkeeping="what comes of the answer is said by what follows"),
    # to an asked seat: its question
    EventType("ASK", ("prompt",), bookkeeping=_ASKED),
    # to all: mask of the asked seats, public class of the question (mask 0: none)
    EventType("BUSY", ("seats", "question"), bookkeeping=_ASKED),
)
"""Events every game shares (CoreEvent in contract.pxd)."""

CORE_KEYS = frozenset(event.key for event in CORE_EVENTS)
"""Their keys. They are bookkeeping: a game's event_text has no words for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckList:
    """A deck in words.

    text: the list as players exchange it · summary: what it consists of · entries: (how many, id, title) in its order.
    """

    text: str
    summary: str
    entries: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Circuits:
    """Boards that are put together from tiles, as values of a table option.

    option: its key · tiles: how many a random one can have · boxes: that tiles come from · build: of (seed, tiles, boxes, pack),
    a random one · facts: of (value, pack), what it is in plain values · draw: of (value, pack, file). All raise SettingsError.
    """

    option: str
    tiles: tuple[int, ...]
    boxes: tuple[str, ...]
    build: Callable[[int, int, tuple[str, ...], str], str]
    facts: Callable[[str, str], Mapping[str, Any]]
    draw: Callable[[str, str, Path], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """Options that should be equally strong in a game of two seats, and how far they may be from that.

    varied: the options varied0 and varied1 say what each seat plays · noun: what one value is · pairs: all ordered pairs of
    different values that may meet · first: the option whose values "0" and "1" say which seat begins · first_noun: what
    beginning is called · bar, first_bar: lowest and highest allowed win rate of a value, and of who begins.
    """

    varied: str
    noun: str
    pairs: Callable[[Game], Sequence[tuple[str, str]]]
    first: str
    first_noun: str
    bar: tuple[float, float]
    first_bar: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Draws:
    """What luck deals to a seat (benches/luck.py).

    event: by which a seat learns which cards it draws: its own number, then the cards · title: of a card · bar: by how much
    drawing one card may raise the chance to win.
    """

    event: str
    title: Callable[[Game, int], str]
    bar: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A correction of shown values for one mode and seat count, from the mean of simulations to how such games really end.

    It is a line in log-odds with one bend, measured and fitted by benches/calibration.py. It changes only what is shown: 0 and 1
    stay, and the better of two values stays better. If rollouts are cut off, its effect fades with the share of rollouts that
    reached the end of the game all the same.

    options: the options it is meant for; all others may have any value · shift, slope: of the line (slope > 0) ·
    bend: how much steeper the line is beyond the log-odds `at` (bend > -slope).
    """

    mode: str
    seats: int
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    shift: float
    slope: float
    bend: float = 0.0
    at: float = 0.0

    def __call__(self, value: float, settled: float = 0.0) -> float:
        """The corrected value, 0..1, for a search's mean `value`; settled: share of its simulations that need no estimate."""
        if not 0 < value < 1:
            return value
        odds = math.log(value / (1 - value))
        odds = self.shift + self.slope * odds + self.bend * max(odds - self.at, 0.0)
        return settled * value + (1 - settled) / (1 + math.exp(-odds))

    def error(self, value: float, error: float, settled: float = 0.0) -> float:
        """The standard error of the corrected value, if that of `value` is `error`; at most 0.5: nothing is known."""
        shown = self(value, settled)
        return min(max(self(min(value + error, 1.0), settled) - shown, shown - self(max(value - error, 0.0), settled)), 0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSpec:
    """The static facts of a game."""

    id: str
    title: str
    summary: str
    rules_version: int          # to be raised when old records would replay differently
    modes: tuple[Mode, ...]
    options: tuple[Option, ...] = ()
    prompts: tuple[Prompt, ...]
    events: tuple[EventType, ...]
    packs: tuple[str, ...] = ()         # names of the shipped content packs, default first
    load_pack: Callable[[str], LoadedPack[Any]] | None = None   # by shipped name or file path; raises PackError
    read_deck: Callable[[str, str], DeckList] | None = None     # of (option's value, pack); games without decks have none
    circuits: Circuits | None = None    # what `seatmate packs circuit` builds and draws
    balance: Balance | None = None      # what `seatmate tournament --balance` measures
    draws: Draws | None = None          # cards whose luck benches/luck.py measures
    features: tuple[Feature, ...] = ()  # what the features function writes, in order
    unit: Unit = CHANCE                 # what utilities are called; Game.unit if it depends on the settings
    rules: str = ""                     # the rules in short, for people who want to play now
    glossary: Mapping[str, str] = field(default_factory=dict)   # words of the board, questions and answers, with their meanings
    # Everybody sees every choice at once, and nothing private changes after the deal. States then know their public past, and a
    # search may use it. A state rebuilt from a view gets its past from the game (`recall`).
    public_choices: bool = False
    action_limit: int | None = None     # every action of every prompt is in 0..action_limit-1; None: the numbers are sparse
    max_decisions: int                  # every game ends within this many decisions (single-answer prompts included)
    search: Mapping[str, bool | int | float | str] = field(default_factory=dict)     # knobs of the search measured best here
    calibration: tuple[Calibration, ...] = ()   # corrections of the values that hints show
    create: Callable[[Settings], Game]

    @property
    def cooperative(self) -> bool:
        """Is it played together in every mode? Of one table: Game.cooperative."""
        return all(mode.cooperative for mode in self.modes)

    def prompt(self, number: int) -> Prompt:
        """The prompt of this number. Raises BrokenGameError when the rules ask what the spec does not list."""
        if not 0 <= number < len(self.prompts):
            raise BrokenGameError(f"{self.id} asks prompt {number}, but the prompts of its spec are 0..{len(self.prompts) - 1}")
        return self.prompts[number]

    def event(self, number: int) -> EventType:
        """The event type of this number, core events first. Raises BrokenGameError when the spec does not list it."""
        if 0 <= number < len(CORE_EVENTS):
            return CORE_EVENTS[number]
        if not 0 <= number - len(CORE_EVENTS) < len(self.events):
            raise BrokenGameError(f"{self.id} emits event FIRST_GAME_EVENT + {number - len(CORE_EVENTS)}, but its spec lists only "
                                  f"{len(self.events)} events")
        return self.events[number - len(CORE_EVENTS)]

    def kinds(self) -> dict[str, EventType]:
        """All event types by key, core events first."""
        return {event.key: event for event in (*CORE_EVENTS, *self.events)}

    def public_key(self, prompt: int) -> str:
        """The key of the prompt's public class."""
        return self.prompt(prompt).public or self.prompt(prompt).key

    def prompt_named(self, key: str) -> Prompt:
        """The prompt of this key. Raises StopIteration when there is none."""
        return next(prompt for prompt in self.prompts if prompt.key == key)

    def asks_on(self, prompt: Prompt) -> bool:
        """May a seat that is asked this be asked more before the others hear of anything? A public fact, whatever it holds."""
        alike = [one for one in self.prompts if (one.public or one.key) == (prompt.public or prompt.key)]
        return len(alike) > 1 or prompt.again

    def calibration_for(self, settings: Settings) -> Calibration | None:
        """The first that fits these settings."""
        return next((one for one in self.calibration if (one.mode, one.seats) == (settings.mode, settings.seats)
                     and all(settings.options.get(key) == value for key, value in one.options.items())), None)

    def mode(self, key: str | None) -> Mode:
        """The mode of this key (None: the first). Raises SettingsError."""
        if key is None or key == "":
            return self.modes[0]
        for mode in self.modes:
            if mode.key == key:
                return mode
        known = [mode.key for mode in self.modes]
        raise SettingsError("mode", f"{key!r} is not a mode of {self.id}; it has {', '.join(known)}{nearest(key, known)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that is fixed before the first deal. Equal settings and seed give the same game."""

    game: str
    mode: str
    seats: int
    options: Mapping[str, OptionValue]
    pack: str                   # name or file of the content pack; "" where the game has none
    pack_hash: str = ""         # content hash of that pack, filled in by new_game

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        options = {key: list(value) if isinstance(value, tuple) else value for key, value in self.options.items()}
        return {"game": self.game, "mode": self.mode, "seats": self.seats, "options": options,
                "pack": self.pack, "pack_hash": self.pack_hash}


def make_settings(spec: GameSpec, *, mode: str | None = None, seats: int | None = None,
                  options: Mapping[str, Any] | None = None, pack: str | None = None) -> Settings:
    """Check a caller's wishes and fill in the defaults; the default mode is the first that allows this number of seats.

    Raises SettingsError that names the field.
    """
    fitting = [other.key for other in spec.modes if seats in other.seats]
    chosen = spec.mode(mode or (fitting[0] if fitting else None))
    count = chosen.seats[-1] if seats is None else seats
    if count not in chosen.seats:
        allowed = ", ".join(str(n) for n in chosen.seats)
        others = f"; with {count} there is {words(fitting, 'or')}" if fitting else ""
        raise SettingsError("seats", f"{count} is not possible in {spec.id} ({chosen.key}); it takes {allowed}{others}")
    known = {option.key: option for option in spec.options}
    values: dict[str, OptionValue] = {option.key: option.default for option in spec.options}
    for key, value in (options or {}).items():
        if key not in known:
            others = ", ".join(known) or "none"
            raise SettingsError(f"options.{key}", f"{spec.id} has no such option; it has {others}{nearest(key, known)}")
        values[key] = known[key].parse(value, count)
    name = pack or (spec.packs[0] if spec.packs else "")
    if name and not spec.packs:
        raise SettingsError("pack", f"{spec.id} has no content packs")
    return Settings(game=spec.id, mode=chosen.key, seats=count, options=values, pack=name)


def whole_number(text: str) -> int | None:
    """The number if the text is one in plain digits. (`int` also reads digits of other scripts, and 1_0 as 10.)"""
    return int(text) if re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", text, re.ASCII) else None


def choice_question(labels: Sequence[str]) -> str:
    """Play, discard or tell? The question is made of the first words of the possible answers, and offers nothing else."""
    return words(list(dict.fromkeys(label.split()[0].lower() for label in labels)), "or").capitalize() + "?"


def counted(number: float, one: str) -> str:
    """3 points, or about 1.5 points if sampled worlds differ."""
    if abs(number - round(number)) < 0.05:
        return f"{round(number)} {one}{'' if round(number) == 1 else 's'}"
    return f"about {number:.1f} {one}s"


def acts(seat: int, observer: int, verb: str) -> str:
    """How an event of a seat begins for an observer: `You pass`, `Seat 1 passes`."""
    if seat == observer:
        return f"You {verb}"
    third = {"have": "has"}.get(verb) or verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z")) else "s")
    return f"Seat {seat} {third}"


def apart(change: float, one: str) -> str:
    """2 points more, or about 1.5 points less."""
    return f"{counted(abs(change), one)} {'more' if change > 0 else 'less'}"


def instead(mine: float, theirs: float, digits: int = 0, sign: str = "") -> str:
    """57 % instead of 28 %, 4 instead of 3 (not 4.0 and 3.0); empty if both read the same."""
    left, right = f"{mine:.{digits}f}", f"{theirs:.{digits}f}"
    if float(left).is_integer() and float(right).is_integer():
        left, right = f"{mine:.0f}", f"{theirs:.0f}"
    return "" if left == right else f"{left}{sign} instead of {right}{sign}"


def words(items: Sequence[str], last: str = "and") -> str:
    """English list: a, b and c."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


# ---- Is a spec one? ----

MOST_SEATS = 8


@cache
def _hints(kind: type) -> dict[str, Any]:
    """The types of a dataclass's fields; types that would need an import count as anything."""
    return get_type_hints(kind, localns={"Game": Any, "LoadedPack": Mapping})


def _misfit(value: Any, hint: Any, where: str) -> str:
    """What is wrong with a value that should be of this type, or nothing."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return "" if any(not _misfit(value, arg, where) for arg in args) else f"{where} is {value!r}, not {hint}"
    if origin is Literal:
        return "" if value in args else f"{where} is {value!r}, not one of {', '.join(map(repr, args))}"
    if origin is Callable or hint is Callable:
        return "" if callable(value) else f"{where} is {value!r}, which can't be called"
    if origin is tuple:
        if not isinstance(value, tuple):
            return f"{where} is {value!r}, not a tuple"
        each = args[:1] * len(value) if args[-1] is Ellipsis else args
        return next(filter(None, (_misfit(item, arg, f"{where}[{number}]")
                                  for number, (item, arg) in enumerate(zip(value, each, strict=False)))), "")
    if hint is float:
        return "" if isinstance(value, int | float) and not isinstance(value, bool) else f"{where} is {value!r}, not a number"
    if isinstance(origin, type) and not isinstance(value, origin):
        return f"{where} is {value!r}, not a {origin.__name__}"
    if not isinstance(hint, type):
        return ""
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        return f"{where} is {value!r}, not {hint.__name__}"
    if is_dataclass(value) and not isinstance(value, type):
        return next(filter(None, (_misfit(getattr(value, one.name), _hints(type(value))[one.name], f"{where}.{one.name}")
                                  for one in fields(value))), "")
    return ""


def check_spec(spec: GameSpec) -> None:
    """Raises BrokenGameError naming the first wrong field of a spec."""
    name = str(getattr(spec, "id", spec))
    wrong = _misfit(spec, GameSpec, f"the spec of {name}")
    if wrong:
        raise BrokenGameError(wrong)

    def need(fact: object, what: str) -> None:
        if not fact:
            raise BrokenGameError(f"the spec of {name}: {what}")

    need(spec.id.isidentifier(), "its id must be a word of letters, digits and _")
    for what, keys in (("mode", [mode.key for mode in spec.modes]), ("option", [option.key for option in spec.options]),
                       ("prompt", [prompt.key for prompt in spec.prompts]),
                       ("event", [event.key for event in (*CORE_EVENTS, *spec.events)])):
        need(keys or what == "option", f"it has no {what}")
        need(len(set(keys)) == len(keys), f"it has two {what}s of one key ({', '.join(keys)})")
        need(all(keys), f"a {what} has no key")
    for option in spec.options:
        need(option.title, f"the option {option.key} has no title")
        need(option.titles.keys() <= {*option.choices, *option.ids},
             f"the option {option.key} has titles of values it does not take")
    for mode in spec.modes:
        need(mode.seats and list(mode.seats) == sorted(set(mode.seats)) and mode.seats[0] >= 1 and mode.seats[-1] <= MOST_SEATS,
             f"the seats of mode {mode.key} are {mode.seats}; they must ascend within 1..{MOST_SEATS}")
    need(spec.rules_version >= 1 and spec.max_decisions >= 1, "rules_version and max_decisions must be at least 1")
    need(spec.action_limit is None or spec.action_limit >= 1, "action_limit must be at least 1, or None")
    need(not spec.packs or spec.load_pack, "it has packs and no load_pack")
