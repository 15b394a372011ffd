"""TournamentSpec: everything that determines the games of a tournament."""
from __future__ import annotations

import itertools
import math
import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Any, cast

from seatmate.ai.arena.early import EarlyEnd
from seatmate.ai.arena.plans import (
    MAX_LINEUPS,
    PERMUTATIONS,
    Format,
    Lineup,
    Permutations,
    TournamentError,
    format_plans,
)
from seatmate.ai.bots.registry import BotSpec, parse_bot
from seatmate.engine.core.errors import nearest, unlisted
from seatmate.engine.core.game import Game
from seatmate.engine.core.registry import game_from_settings, new_game

_WRITTEN = r"[a-z][a-z0-9_]*(:[a-z0-9_]+(=[\w.+-]+)?)*"     # how a bot's text looks, also one that is not known here


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSpec:
    """What determines the games of every deal, and nothing else: not how many deals are played, nor by how many workers.

    settings: Settings.to_json of the game, with the hash of its content pack · bots: canonical texts · policies: what each
    bot is in this game, with every default filled in · lineups: bot index per seat of each game on a deal ·
    seatmate: version of the program, on which the bots' choices depend · varied: name of the table option that differs
    between seats and games ("deck" for deck0 and deck1), "" for none · sides: its value per seat of each game on a deal ·
    first: name of the option that says who begins, where it is varied, too · firsts: its value in each game on a deal ·
    keeps_games: results hold every action · early: when games count as decided.
    """

    settings: Mapping[str, Any]
    rules_version: int
    cooperative: bool
    bots: tuple[str, ...]
    policies: tuple[Mapping[str, Any], ...]
    permutations: str
    lineups: tuple[Lineup, ...]
    seed: int
    seatmate: str
    varied: str = ""
    sides: tuple[tuple[str, ...], ...] = ()
    first: str = ""
    firsts: tuple[str, ...] = ()
    keeps_games: bool = False
    early: EarlyEnd | None = None

    @classmethod
    def create(cls, game_id: str, *, seats: int | None, bots: Sequence[str | BotSpec], seed: int, mode: str | None = None,
               options: Mapping[str, Any] | None = None, pack: str | None = None,
               permutations: Permutations = "auto", varied: str = "", values: Sequence[str] = (),
               balance: bool = False, lineups: Sequence[Lineup] = (), format: Format = "round-robin", challengers: int = 1,
               teams: Sequence[Sequence[int]] = (), keep_games: bool = False, early: EarlyEnd | None = None) -> TournamentSpec:
        """Check the wishes of a caller. Raises TournamentError, BotError, UnknownGameError, SettingsError, PackError; TypeError
        for a seed that is no whole number, and for bots that are no list.

        varied, values: every pair of these values of the options varied0 and varied1 is played, each also against itself, by one
        bot that has both seats or by two · balance: what the game's own Balance names is played instead, by one bot · lineups: the
        games of each deal, instead of those that `permutations` makes · format, challengers, teams: as in `format_plans`.
        """
        seed = operator.index(seed)
        if isinstance(bots, str):
            raise TypeError(f"bots are a list, such as ['heuristic', 'search:iterations=1000'], and not {bots!r}")
        specs = [parse_bot(bot) for bot in bots]
        names = [str(spec) for spec in specs]
        if not names:
            raise TournamentError("a tournament needs at least one bot")
        if seed < 0:
            raise TournamentError(f"the seed {seed} is negative")
        if permutations not in PERMUTATIONS:
            raise TournamentError(f"permutations {unlisted(permutations, PERMUTATIONS)}")
        game = new_game(game_id, mode=mode, seats=seats, options=options, pack=pack)
        sides: tuple[tuple[str, ...], ...]
        first, firsts = "", cast(tuple[str, ...], ())
        if balance:
            varied, first, sides, firsts = balance_plans(game, len(specs))
            lineups = ((0, 0),) * len(sides)
        elif varied:
            lineups, sides = side_plans(game, varied, values, len(specs))
        elif len(specs) < 2 and not game.cooperative:
            raise TournamentError(f"{game_id} is competitive: at least two bots are needed")
        else:
            lineups, sides = lineups or format_plans(
                len(specs), game.seats, game.cooperative, permutations=permutations, format=format, challengers=challengers,
                teams=teams), ()
        spec = cls(
            settings=game.settings.to_json(), rules_version=game.spec.rules_version, cooperative=game.cooperative,
            bots=tuple(names), policies=tuple(_plain(asdict(bot.resolve(game.spec))) for bot in specs),
            permutations=permutations, lineups=tuple(lineups), seed=seed, seatmate=metadata.version("seatmate"), varied=varied,
            sides=sides, first=first, firsts=firsts, keeps_games=keep_games, early=early)
        if early is not None:
            early.check(game)
        for overrides in {spec.overrides(number) for number in range(len(lineups))}:
            if overrides:
                _vary(spec.settings, overrides)     # is every value possible?
        return spec

    @property
    def labels(self) -> tuple[str, ...]:
        """The bots as results name them: the second of two equal ones, which a null test compares, is `heuristic (2)`."""
        return tuple(f"{bot} ({self.occurrence(number)})" if self.occurrence(number) > 1 else bot
                     for number, bot in enumerate(self.bots))

    def occurrence(self, bot: int) -> int:
        """1 for the first of equal bots, 2 for the second ...; each has chance of its own."""
        return self.bots[:bot + 1].count(self.bots[bot])

    @property
    def seats(self) -> int:
        """Seats of the table."""
        return int(self.settings["seats"])

    @property
    def reproducible(self) -> bool:
        """Does no bot watch the clock? A bot with a time budget plays differently on a faster machine, unless it says otherwise."""
        return all(policy.get("reproducible", (policy.get("limits") or {}).get("time_ms") is None) for policy in self.policies)

    def new_game(self) -> Game:
        """The game itself. Raises RecordError when its content has changed since."""
        return game_from_settings(self.settings)

    def overrides(self, lineup: int) -> tuple[tuple[str, str], ...]:
        """The options (key, value) a lineup has of its own."""
        varied = ((f"{self.varied}{seat}", value) for seat, value in enumerate(self.sides[lineup] if self.varied else ()))
        return (*varied, *(((self.first, self.firsts[lineup]),) if self.first else ()))

    def game_of(self, lineup: int) -> Game:
        """The game of one lineup, with its own options. Raises RecordError, SettingsError."""
        return _vary(self.settings, self.overrides(lineup))

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return cast(dict[str, Any], _plain(asdict(self)))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TournamentSpec:
        """Read what `to_json` wrote. Raises ValueError, KeyError or TypeError for anything else."""
        spec = cls(
            settings=dict(data["settings"]), rules_version=int(data["rules_version"]), cooperative=bool(data["cooperative"]),
            bots=tuple(str(bot) for bot in data["bots"]), policies=tuple(dict(policy) for policy in data["policies"]),
            permutations=str(data["permutations"]),
            lineups=tuple(tuple(int(bot) for bot in lineup) for lineup in data["lineups"]),
            seed=int(data["seed"]), seatmate=str(data["seatmate"]), varied=str(data.get("varied", "")),
            sides=tuple(tuple(str(value) for value in side) for side in data.get("sides", ())),
            first=str(data.get("first", "")), firsts=tuple(str(value) for value in data.get("firsts", ())),
            keeps_games=bool(data.get("keeps_games", False)), early=EarlyEnd.from_json(data.get("early")))
        if not spec.bots or not spec.lineups or len(spec.policies) != len(spec.bots):
            raise ValueError("it names no bots or no games")
        for bot in spec.bots:
            if not re.fullmatch(_WRITTEN, bot):
                raise ValueError(f"no bot is written {bot!r}")
        _check_values(spec)
        for lineup in spec.lineups:
            if len(lineup) != spec.seats or not all(0 <= bot < len(spec.bots) for bot in lineup):
                raise ValueError(f"the lineup {list(lineup)} does not fit")
        if spec.varied and (len(spec.sides) != len(spec.lineups) or any(len(side) != spec.seats for side in spec.sides)):
            raise ValueError("its sides do not fit its games")
        if spec.first and len(spec.firsts) != len(spec.lineups):
            raise ValueError("who begins does not fit its games")
        return spec


def _check_values(spec: TournamentSpec) -> None:
    """What `from_json` takes as it is: the table and the policies. Raises ValueError."""
    kinds = {"game": str, "mode": str, "seats": int, "options": dict, "pack": str, "pack_hash": str}
    for key, kind in kinds.items():
        if type(spec.settings[key]) is not kind:
            raise ValueError(f"{key} can't be {spec.settings[key]!r}")
    if spec.seed < 0:
        raise ValueError(f"a seed is not negative: {spec.seed}")
    if spec.cooperative and not all(len(set(lineup)) == 1 for lineup in spec.lineups):
        raise ValueError("in a cooperative game each bot fills all seats")
    for policy in spec.policies:
        if not isinstance(policy.get("kind"), str) or not isinstance(policy.get("limits"), dict | None):
            raise ValueError(f"{policy} is no policy")


def side_plans(game: Game, varied: str, values: Sequence[str],
               bots: int) -> tuple[tuple[Lineup, ...], tuple[tuple[str, ...], ...]]:
    """(bot index per seat, value per seat) of each game on a deal: all ordered pairs of values, with two bots in both orders.

    Raises TournamentError.
    """
    known = {option.key for option in game.spec.options}
    missing = [f"{varied}{seat}" for seat in range(game.seats) if f"{varied}{seat}" not in known]
    if missing:
        raise TournamentError(f"{game.spec.id} has no option {missing[0]!r}, so that {varied!r} can't vary between seats"
                              f"{nearest(missing[0], (option.key for option in game.spec.options))}")
    if game.seats != 2 or game.cooperative:
        raise TournamentError("an option is varied between the two seats of a game; this one has others")
    if not 1 <= bots <= 2:
        raise TournamentError(f"a varied option is played by one bot against itself or by two bots, not {bots}")
    if not values or len(set(values)) < len(values):
        raise TournamentError(f"the values of {varied!r} must be different, and at least one")
    seatings = ((0, 0),) if bots == 1 else ((0, 1), (1, 0))
    games = [(seating, pair) for pair in itertools.product(values, repeat=2) for seating in seatings]
    if len(games) > MAX_LINEUPS:
        raise TournamentError(f"{len(values)} values make {len(games):,} games on each deal, and {MAX_LINEUPS:,} are the most")
    return tuple(seating for seating, _ in games), tuple(pair for _, pair in games)


def balance_plans(game: Game, bots: int) -> tuple[str, str, tuple[tuple[str, str], ...], tuple[str, ...]]:
    """(varied option, values per seat of each game, option that says who begins, its value in each game): both seats begin with
    every pair of values that may meet. Raises TournamentError.
    """
    balance = game.spec.balance
    if balance is None:
        raise TournamentError(f"{game.spec.id} does not say what should be equally strong in it")
    if bots != 1:
        raise TournamentError(f"the balance of a game is measured with one bot in all seats, not with {bots}")
    pairs = list(balance.pairs(game))
    if game.seats != 2 or not pairs:
        raise TournamentError(f"the balance of {game.spec.id} can't be measured in this mode ({game.settings.mode})")
    games = list(itertools.product(pairs, ("0", "1")))
    return balance.varied, balance.first, tuple(pair for pair, _ in games), tuple(first for _, first in games)


def _vary(settings: Mapping[str, Any], overrides: Sequence[tuple[str, str]]) -> Game:
    """The game with these options. Raises RecordError, SettingsError."""
    return game_from_settings({**settings, "options": {**settings["options"], **dict(overrides)}})


def _plain(value: Any) -> Any:
    """The value as JSON has it: lists for tuples, words for numbers that are not finite."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
