"""The bots by name, and how a bot is written: `random`, `heuristic`, `search:iterations=1000:time_ms=100:threads=2`."""
from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seatmate.ai.bots import kinds
from seatmate.ai.bots.settings import PolicySettings
from seatmate.ai.bots.values import Value
from seatmate.engine.core.errors import SeatmateError, nearest
from seatmate.engine.core.spec import GameSpec

if TYPE_CHECKING:
    from seatmate.ai.bots.policy import PolicyHandle
    from seatmate.engine.core.game import Game


class BotError(SeatmateError):
    """The text of a bot is wrong; the message says what is right."""


@dataclass(frozen=True, slots=True)
class BotParameter:
    """One `key=value` of a bot. `default` in words, empty if the game decides."""

    key: str
    parse: Callable[[str], Value]
    doc: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class BotInfo:
    """A kind of bot.

    make: the policy for a game, from its settings · thinks: takes time, so that others wait for it on a thread of its own (where
    its settings are not `instant`) · word: the parameter that is written without its key, `level:novice` ·
    order: among the kinds, weakest first · resolve: from checked parameters to the settings in one game; None: it has no
    parameters · check: raises ValueError for values that are wrong together or out of range · time_ms: what a decision at a table
    may take where the settings have no limits, in milliseconds; 0: it takes no time. Such a bot ends by itself alone.
    """

    id: str
    title: str
    summary: str
    make: Callable[[Game, PolicySettings], PolicyHandle]
    order: int = 100
    thinks: bool = False
    word: str = ""
    parameters: tuple[BotParameter, ...] = ()
    resolve: Callable[[Mapping[str, Value], GameSpec], PolicySettings] | None = None
    check: Callable[[Mapping[str, Value]], None] = lambda parameters: None
    time_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot as a caller wrote it, checked; `str()` gives the canonical text."""

    id: str
    parameters: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        word = bot_kind(self.id).word
        words = [str(value) if key == word else f"{key}={str(value).lower() if isinstance(value, bool) else value}"
                 for key, value in self.parameters]
        return ":".join([self.id, *words])

    def resolve(self, game: GameSpec) -> PolicySettings:
        """The policy this bot plays in a game."""
        kind = bot_kind(self.id)
        return kind.resolve(dict(self.parameters), game) if kind.resolve else PolicySettings(self.id)


_bots: dict[str, BotInfo] = {}
_loaded: list[bool] = []


def register_bot(info: BotInfo) -> BotInfo:
    """Register a kind of bot. Raises ValueError when its id is taken."""
    if info.id in _bots:
        raise ValueError(f"the bot id {info.id!r} is registered twice")
    ordered = sorted((*_bots.values(), info), key=lambda one: one.order)
    _bots.clear()
    _bots.update((one.id, one) for one in ordered)
    _parse.cache_clear()
    return info


def _kinds() -> dict[str, BotInfo]:
    """All kinds by name: those of ai/bots/kinds, of the files that the environment names, and all others that were registered."""
    if not _loaded:
        for module in pkgutil.iter_modules(kinds.__path__, f"{kinds.__name__}."):
            importlib.import_module(module.name)
        _loaded.append(True)
        from seatmate.ai.bots.own import load_named_files  # which registers with this file

        load_named_files()
    return _bots


def bot_kind(name: str) -> BotInfo:
    """The kind of this name. Raises BotError."""
    known = _kinds()
    if name not in known:
        raise BotError(f"no bot is called {name!r}{nearest(name, known)} (bots: {', '.join(known)})")
    return known[name]


def make_policy(game: Game, settings: PolicySettings) -> PolicyHandle:
    """The policy of these settings for one game."""
    return bot_kind(settings.kind).make(game, settings)


def list_bots() -> list[BotInfo]:
    """All kinds of bots, weakest first."""
    return list(_kinds().values())


def parse_bot(text: str | BotSpec) -> BotSpec:
    """Understand `id` or `id:key=value:key=value`. Raises BotError with one clear sentence; TypeError for what is no text."""
    if isinstance(text, BotSpec):
        return text
    if not isinstance(text, str):
        raise TypeError(f"a bot is written as text, such as 'search:iterations=1000', and not as {text!r}")
    return _parse(text)


@functools.lru_cache(1024)
def _parse(text: str) -> BotSpec:
    """A table's bot is understood again for each of its decisions."""
    name, *parts = [part.strip() for part in text.replace(",", ":").split(":")]
    info = bot_kind(name)
    known = {parameter.key: parameter for parameter in info.parameters}
    values: dict[str, Value] = {}
    for part in parts:
        key, equals, value = (word.strip() for word in part.partition("="))
        if info.word and not equals:
            key, equals, value = info.word, "=", part
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
