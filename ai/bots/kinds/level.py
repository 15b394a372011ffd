"""`level:NAME`: what plays a named level of the game (seatmate.ai.levels). The strongest one uses the time it is given."""
from __future__ import annotations

from collections.abc import Mapping

from seatmate.ai.bots.policy import PolicyHandle
from seatmate.ai.bots.registry import BotError, BotInfo, BotParameter, parse_bot, register_bot
from seatmate.ai.bots.settings import PolicySettings
from seatmate.ai.bots.values import Value, milliseconds, whole, word
from seatmate.ai.levels import NAMES, levels_of
from seatmate.engine.core.game import Game
from seatmate.engine.core.spec import GameSpec

_USUAL, _STRONGEST = "regular", NAMES[-1]


def _resolve(parameters: Mapping[str, Value], game: GameSpec) -> PolicySettings:
    """What plays the level in this game."""
    name = str(parameters.get("name", _USUAL))
    limits = [f"{key}={value}" for key, value in parameters.items() if key != "name"]
    text = levels_of(game.id).named(name).bot
    if limits:
        text = ":".join(["player", *limits])
    return parse_bot(text).resolve(game)


def _check(parameters: Mapping[str, Value]) -> None:
    """Raises ValueError for a level that can't have what it is given."""
    if parameters.keys() - {"name"} and parameters.get("name") != _STRONGEST:
        raise ValueError(f"only the level {_STRONGEST} uses the time it is given; the others have what they were measured with")


def _make(game: Game, settings: PolicySettings) -> PolicyHandle:
    """Never asked: a level resolves to the settings of another kind."""
    raise BotError(f"{settings.kind} is no policy of its own")


register_bot(BotInfo(
    "level", "Level", "One of the game's levels by name, with a measured rating; `seatmate levels GAME` shows them.", make=_make,
    order=4, thinks=True, word="name", resolve=_resolve, check=_check, parameters=(
        BotParameter("name", word(NAMES), f"The level: {', '.join(NAMES)}; may stand alone, as in level:{NAMES[0]}.", _USUAL),
        BotParameter("iterations", whole(1, 1_000_000_000), f"Of {_STRONGEST} alone: simulations per decision.", "as measured"),
        BotParameter("time_ms", milliseconds, f"Of {_STRONGEST} alone: milliseconds per decision.", "as measured"),
    )))
