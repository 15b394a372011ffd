"""The registered games. A game registers its GameSpec when its module is imported; one that can't be loaded harms no other."""
from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.errors import (
    BrokenGameError,
    PackError,
    RecordError,
    SeatmateError,
    UnknownGameError,
    nearest,
)
from seatmate.engine.core.spec import GameSpec, Settings, check_spec, make_settings

if TYPE_CHECKING:
    from seatmate.engine.core.game import Game

_specs: dict[str, GameSpec] = {}
_broken: dict[str, BrokenGameError] = {}    # by the name of the folder or file, which should be the game's id
_loaded = False


def register(spec: GameSpec) -> GameSpec:
    """Make a game known. Raises BrokenGameError when its spec is wrong, or another game has its id."""
    check_spec(spec)
    if _specs.get(spec.id, spec) is not spec:
        raise BrokenGameError(f"the game id {spec.id!r} is registered twice")
    _specs[spec.id] = spec
    return spec


def _load() -> None:
    """Import every game below seatmate.engine: `<game>.game` of a folder, each module of `classics`, each file beside them."""
    global _loaded
    if _loaded:
        return
    engine = importlib.import_module("seatmate.engine")
    for package in pkgutil.iter_modules(engine.__path__, "seatmate.engine."):
        if package.name.endswith(".core"):
            continue
        if package.name.endswith(".classics"):
            classics = importlib.import_module(package.name)
            for module in pkgutil.iter_modules(classics.__path__, f"{package.name}."):
                _load_game(module.name, module.name)
        else:
            _load_game(package.name, f"{package.name}.game" if package.ispkg else package.name)
    _loaded = True


def _load_game(name: str, module: str) -> None:
    """Import a game's module. One that fails is kept in mind with the reason, and registers nothing."""
    known = dict(_specs)
    try:
        importlib.import_module(module)
    except Exception as error:
        _specs.clear()
        _specs.update(known)
        game = name.rpartition(".")[2]
        what = str(error) if isinstance(error, SeatmateError) else f"{type(error).__name__}: {error}"
        _broken[game] = BrokenGameError(f"the game {game!r} can't be loaded: {module}: {what}")
        _broken[game].__cause__ = error


def broken_games() -> dict[str, BrokenGameError]:
    """The games that can't be played and why: those that could not be loaded, and those whose default game can't be made."""
    found = {}
    for spec in list_games():
        try:
            new_game(spec.id)
        except SeatmateError as error:
            found[spec.id] = error if isinstance(error, BrokenGameError) else BrokenGameError(f"the game {spec.id!r}: {error}")
    return dict(sorted((found | _broken).items()))


def list_games() -> list[GameSpec]:
    """All registered games by id."""
    _load()
    return [_specs[key] for key in sorted(_specs)]


def game_spec(game_id: str) -> GameSpec:
    """The spec of a game. Raises UnknownGameError with the nearest ids, BrokenGameError when it could not be loaded."""
    _load()
    if game_id in _specs:
        return _specs[game_id]
    if game_id in _broken:
        raise _broken[game_id].with_traceback(None)
    near = nearest(game_id.removeprefix("games/"), _specs)
    raise UnknownGameError(f"no game is called {game_id!r}{near} (games: {', '.join(sorted(_specs))})")


def game_of_pack(file: Path, hint: str = "") -> GameSpec:
    """The game a pack file names in its `[pack]` table; `hint` says what to do where it names none.

    Raises PackError, UnknownGameError.
    """
    from seatmate.engine.core.packs_file import read_file  # not needed for games without packs

    text = read_file(file)
    header = text.data.get("pack")
    game = header.get("game") if isinstance(header, dict) else None
    if not isinstance(game, str):
        text.fail(f"its [pack] table does not say for which game it is{hint}", ("pack",))
    return game_spec(game)


def add_pack(file: Path) -> tuple[str, str]:
    """Register your own pack under its name, as if it came with its game; returns the game's id and the name.

    The file is read now and never again. A process keeps what it has read: `remove_pack` only takes it off the list, and another
    content of the same name needs another process. Raises PackError, UnknownGameError.
    """
    from seatmate.engine.core.packs import keep_pack

    if file.suffix != ".toml":
        raise PackError(f"{file}: a pack is a file that ends in .toml")
    spec = game_of_pack(file)
    if spec.load_pack is None:
        raise PackError(f"{file}: {spec.id} has no content packs")
    pack = spec.load_pack(str(file))
    if pack.name in spec.packs:
        raise PackError(f"{file}: {spec.id} has a pack called {pack.name!r} already; give this one another name")
    if re.fullmatch(r"[A-Za-z0-9_-]{1,100}", pack.name) is None:
        raise PackError(f"{file}: [pack], name: {pack.name!r} is no name for others to ask for; use letters, digits, _ and -")
    keep_pack(spec.id, pack)
    _specs[spec.id] = replace(spec, packs=(*spec.packs, pack.name))
    return spec.id, pack.name


def remove_pack(game_id: str, name: str) -> None:
    """Take an own pack off its game's list."""
    spec = game_spec(game_id)
    _specs[game_id] = replace(spec, packs=tuple(pack for pack in spec.packs if pack != name))


def new_game(game_id: str, *, mode: str | None = None, seats: int | None = None,
             options: Mapping[str, Any] | None = None, pack: str | None = None, described: bool = False) -> Game:
    """A game with checked settings, ready for `new_state`. Raises UnknownGameError, SettingsError, PackError, BrokenGameError.

    described: the settings may be what one seat knows of a table (`settings_for`); then the game is for its positions only.
    """
    spec = game_spec(game_id)
    settings = make_settings(spec, mode=mode, seats=seats, options=options, pack=pack)
    try:
        game = spec.create(settings)
        game.check_complete()
    except BrokenGameError as error:
        raise BrokenGameError(f"the game {game_id!r} can't be played: {error}") from None
    except (TypeError, AttributeError, NameError, ImportError, OSError) as error:
        raise BrokenGameError(f"the game {game_id!r} can't be made: {type(error).__name__}: {error}") from error
    if not described:
        game.check_dealable()
    return game


def game_from_settings(stored: Mapping[str, Any], *, make: Callable[..., Game] | None = None) -> Game:
    """The game of stored settings (Settings.to_json), made by `make` (default: new_game).

    Raises RecordError when rules or content have changed since.
    """
    try:
        game = (make or new_game)(str(stored["game"]), mode=stored["mode"], seats=stored["seats"],
                                  options=stored["options"], pack=stored["pack"] or None)
    except (KeyError, TypeError, AttributeError) as error:
        raise RecordError(f"the stored settings are broken: {error}") from None
    if (game.settings.mode, game.settings.seats) != (stored["mode"], stored["seats"]):
        raise RecordError(f"the stored settings are broken: mode {stored['mode']!r} with {stored['seats']!r} seats")
    if game.settings.pack_hash != stored.get("pack_hash", ""):
        raise RecordError(f"the content pack {game.settings.pack!r} has changed since this was stored "
                          f"(stored {stored.get('pack_hash')!r}, now {game.settings.pack_hash!r})")
    return game


def with_pack_hash(settings: Settings, pack_hash: str) -> Settings:
    """The same settings with the content hash of the loaded pack."""
    return replace(settings, pack_hash=pack_hash)
