"""The bots by name, and how a bot is written: `random`, `heuristic`, `search:iterations=1000:time_ms=100:threads=2`."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from seatmate.ai.bots.settings import PolicySettings
from seatmate.ai.search.limits import DEFAULT_NODES, MAX_DEPTH, MAX_NODES, MAX_THREADS, Limits
from seatmate.ai.search.params import SELECTIONS, TREE_KEYS, SearchParams
from seatmate.engine.core.errors import SeatmateError, nearest, unlisted
from seatmate.engine.core.spec import GameSpec, whole_number

DEFAULT_ITERATIONS = 1000
"""Simulations of a `search` bot that names neither iterations nor time."""

LIMITS = ("iterations", "time_ms", "nodes", "memory_mb", "depth", "threads")
"""Parameters of a `search` bot that bound the search; the others are its knobs."""

Value = int | float | bool | str


class BotError(SeatmateError):
    """The text of a bot is wrong; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class BotParameter:
    """One `key=value` of a bot. `default` in words, empty where the game decides."""

    key: str
    parse: Callable[[str], Value]
    doc: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class BotInfo:
    """A kind of bot. `resolve` turns checked parameters into a policy for one game.

    `check` raises ValueError for values that are wrong together or out of range.
    """

    id: str
    title: str
    summary: str
    parameters: tuple[BotParameter, ...]
    resolve: Callable[[Mapping[str, Value], GameSpec], PolicySettings]
    check: Callable[[Mapping[str, Value]], None] = lambda parameters: None


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot as a caller wrote it, checked; `str()` gives the canonical text."""

    id: str
    parameters: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        words = [f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in self.parameters]
        return ":".join([self.id, *words])

    def resolve(self, game: GameSpec) -> PolicySettings:
        """The policy this bot plays in a game."""
        return _bots[self.id].resolve(dict(self.parameters), game)


# ---- Values ----

def _whole(least: int, most: int) -> Callable[[str], Value]:
    def parse(text: str) -> Value:
        value = whole_number(text)
        if value is None:
            raise ValueError(f"{text!r} is not a whole number")
        if not least <= value <= most:
            raise ValueError(f"{value} is outside {least}..{most}")
        return value
    return parse


def _number(text: str) -> Value:
    try:
        if not text.isascii() or "_" in text:       # float reads the digits of all scripts, and 1_0 as 10
            raise ValueError
        return float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number") from None


def _milliseconds(text: str) -> Value:
    value = float(_number(text))
    if not 0 < value <= 1e9:
        raise ValueError(f"{text} is not above 0 and at most 1e9 milliseconds")
    return int(value) if value == int(value) else value


def _megabytes(text: str) -> Value:
    value = float(_number(text))
    if not 1 <= value <= 1e6:
        raise ValueError(f"{text} is outside 1..1e6 megabytes")
    return int(value) if value == int(value) else value


def _flag(text: str) -> Value:
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if text.lower() not in words:
        raise ValueError(f"{text!r} is neither true nor false")
    return words[text.lower()]


def _word(words: Sequence[str]) -> Callable[[str], Value]:
    def parse(text: str) -> Value:
        if text not in words:
            raise ValueError(unlisted(text, words))
        return text
    return parse


# ---- The kinds ----

def _knobs() -> tuple[BotParameter, ...]:
    """Every field of SearchParams as a parameter."""
    defaults = SearchParams()
    found = []
    for field in fields(SearchParams):
        value = getattr(defaults, field.name)
        parse: Callable[[str], Value]
        if isinstance(value, bool):
            parse = _flag
        elif isinstance(value, int):
            parse = _whole(-1, 1_000_000_000)
        elif isinstance(value, str):
            parse = _word(SELECTIONS if field.name == "selection" else TREE_KEYS)
        else:
            parse = _number
        found.append(BotParameter(field.name, parse, "A knob of the search; see SearchParams.", "the game's own"))
    return tuple(found)


def _resolve_search(parameters: Mapping[str, Value], game: GameSpec) -> PolicySettings:
    bounds, knobs = _sorted_out(parameters)
    threads = bounds.pop("threads", 1)
    limits = Limits(**bounds)
    if limits.iterations is None and limits.time_ms is None:
        limits |= Limits(iterations=DEFAULT_ITERATIONS)
    return PolicySettings("search", replace(SearchParams.for_game(game), **knobs), limits, threads)


def _check_search(parameters: Mapping[str, Value]) -> None:
    bounds, knobs = _sorted_out(parameters)
    threads = bounds.pop("threads", 1)
    Limits(**bounds).node_cap(threads)
    if SearchParams(**knobs).reuse and threads > 1:
        raise ValueError("reuse goes with one thread")


def _sorted_out(parameters: Mapping[str, Value]) -> tuple[dict[str, Any], dict[str, Any]]:
    """(LIMITS, knobs)."""
    bounds: dict[str, Any] = {key: value for key, value in parameters.items() if key in LIMITS}
    return bounds, {key: value for key, value in parameters.items() if key not in LIMITS}


_bots: dict[str, BotInfo] = {}


def register_bot(info: BotInfo) -> BotInfo:
    """Make a kind of bot known. Raises ValueError when its id is taken."""
    if info.id in _bots:
        raise ValueError(f"the bot id {info.id!r} is registered twice")
    _bots[info.id] = info
    return info


register_bot(BotInfo(
    "random", "Random", "Plays a uniformly random legal action.", (),
    lambda parameters, game: PolicySettings("random")))
register_bot(BotInfo(
    "heuristic", "Heuristic", "Plays the action the game's own rules of thumb score highest; instant.", (),
    lambda parameters, game: PolicySettings("heuristic")))
register_bot(BotInfo(
    "search", "Search", "Looks ahead by information-set tree search within a budget; sees only what its seat sees.", (
        BotParameter("iterations", _whole(1, 1_000_000_000), "Simulations per decision.",
                     f"{DEFAULT_ITERATIONS} where time_ms is not given either"),
        BotParameter("time_ms", _milliseconds, "Wall time per decision in milliseconds.", "no limit"),
        BotParameter("nodes", _whole(1, MAX_NODES), "Hard cap on the nodes in memory.", str(DEFAULT_NODES)),
        BotParameter("memory_mb", _megabytes, "The same in megabytes (10^6 bytes) of the trees.", "no limit but nodes"),
        BotParameter("depth", _whole(1, MAX_DEPTH), "Decisions of the longest path in the trees.", str(MAX_DEPTH)),
        BotParameter("threads", _whole(1, MAX_THREADS),
                     "Cores a decision is searched on; another number of threads is another search.", "1"),
        *_knobs(),
    ), _resolve_search, _check_search))


def list_bots() -> list[BotInfo]:
    """All kinds of bots, weakest first as registered."""
    return list(_bots.values())


def parse_bot(text: str | BotSpec) -> BotSpec:
    """Understand `id` or `id:key=value:key=value`. Raises BotError with one clear sentence; TypeError for what is no text."""
    if isinstance(text, BotSpec):
        return text
    if not isinstance(text, str):
        raise TypeError(f"a bot is written as text, such as 'search:iterations=1000', and not as {text!r}")
    name, *parts = [part.strip() for part in text.replace(",", ":").split(":")]
    if name not in _bots:
        raise BotError(f"no bot is called {name!r}{nearest(name, _bots)} (bots: {', '.join(_bots)})")
    info = _bots[name]
    known = {parameter.key: parameter for parameter in info.parameters}
    values: dict[str, Value] = {}
    for part in parts:
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not value:
            raise BotError(f"the bot {text!r} has {part!r} where key=value is expected, as in search:iterations=1000")
        if key not in known:
            words = ", ".join(known) or "none"
            raise BotError(f"the bot {name!r} has no parameter {key!r}{nearest(key, known)} (parameters: {words})")
        if key in values:
            raise BotError(f"the bot {text!r} names {key} twice")
        try:
            values[key] = known[key].parse(value)
        except ValueError as error:
            raise BotError(f"{key} of the bot {text!r}: {error}") from None
    try:
        info.check(values)
    except ValueError as error:
        raise BotError(f"the bot {text!r}: {error}") from None
    return BotSpec(name, tuple((key, values[key]) for key in known if key in values))


def parse_bots(text: str) -> list[BotSpec]:
    """Bots separated by commas; a part without a bot's name (`time_ms=100`) belongs to the bot before it."""
    if not isinstance(text, str):
        raise TypeError(f"bots are written as text, such as 'heuristic,search', and not as {text!r}")
    words: list[str] = []
    for part in text.split(","):
        if words and "=" in part and ":" not in part.partition("=")[0]:
            words[-1] += f":{part.strip()}"
        else:
            words.append(part.strip())
    return [parse_bot(word) for word in words]
