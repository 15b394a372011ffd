"""The settings the conformance suite plays: every game x mode x seat count, and each option once."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.game import Game
from seatmate.engine.core.registry import game_spec, list_games, new_game
from seatmate.engine.core.spec import GameSpec, Option, OptionValue


@dataclass(frozen=True)
class Case:
    """One set of settings. `changed` holds the options that differ from the default."""

    game_id: str
    mode: str
    seats: int
    changed: tuple[tuple[str, OptionValue], ...] = ()
    spec: GameSpec = field(compare=False, repr=False, kw_only=True)

    @property
    def name(self) -> str:
        """A short id for test names and file names."""
        parts = [f"{self.game_id}-{self.seats}-{self.mode}"]
        for key, value in self.changed:
            shown = "+".join(value) if isinstance(value, tuple) else str(value).lower()
            parts.append(f"{key}={shown}")
        return "-".join(parts)

    def new_game(self) -> Game:
        """The game under these settings."""
        return new_game(self.game_id, mode=self.mode, seats=self.seats, options=dict(self.changed))


def alternatives(option: Option, seats: int) -> list[OptionValue]:
    """Values of the option that are worth a run of their own, without the default."""
    values: list[OptionValue]
    match option.kind:
        case "flag":
            values = [False, True]
        case "int":
            values = [option.minimum, option.maximum]
        case "choice":
            values = list(option.choices)
        case "text":
            values = [option.choices[0], option.choices[-1]]
        case "ids":
            values = [*option.choices, *[ids for ids in [option.ids[:seats], option.ids[-seats:]] if len(ids) == seats]]
    return [value for value in dict.fromkeys(values) if value != option.default]


def _playable(case: Case) -> bool:
    """False for combinations the game refuses (an option that only one mode knows)."""
    try:
        case.new_game()
    except SettingsError:
        return False
    return True


def _cases_of(spec: GameSpec) -> Iterator[Case]:
    for mode in spec.modes:
        for seats in mode.seats:
            yield Case(spec.id, mode.key, seats, spec=spec)
        together: dict[str, OptionValue] = {}
        turn = 0
        for option in spec.options:
            for value in alternatives(option, mode.seats[-1]):
                # Alternatives take the seat counts in turn, so that no count is left to the defaults only.
                seats = mode.seats[turn % len(mode.seats)]
                turn += 1
                fitting = alternatives(option, seats)
                value = value if value in fitting or not isinstance(value, tuple) else fitting[-1]
                case = Case(spec.id, mode.key, seats, ((option.key, value),), spec=spec)
                if _playable(case):
                    yield case
                    together[option.key] = value
        if len(together) > 1:
            seats = mode.seats[-1]
            changed = tuple((key, value) for key, value in together.items()
                            if not isinstance(value, tuple) or len(value) == seats)
            case = Case(spec.id, mode.key, seats, changed, spec=spec)
            if _playable(case):
                yield case


@cache
def all_cases() -> tuple[Case, ...]:
    """Every case of every registered game; no two are equal."""
    return tuple(dict.fromkeys(case for spec in list_games() for case in _cases_of(spec)))


@cache
def default_cases() -> tuple[Case, ...]:
    """Every game x mode x seat count with the default options."""
    return tuple(case for case in all_cases() if not case.changed)


def case_of(game_id: str) -> Case:
    """The default case of a game with its largest seat count."""
    spec = game_spec(game_id)
    return Case(game_id, spec.modes[0].key, spec.modes[0].seats[-1], spec=spec)
