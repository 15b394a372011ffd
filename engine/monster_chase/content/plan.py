"""From settings to a plan of the game: who drives what, on which track, against whom."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.spec import OptionValue, Settings
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.content.circuits import Entry
from seatmate.engine.monster_chase.content.pack import ChasePack
from seatmate.engine.monster_chase.content.track import entries_of, needs_winter

MODES = ("coop", "team", "race")
BOSSES = ("truck", "bike", "jeep", "loco")
ONLY_COOP: dict[str, OptionValue] = {"boss": "truck", "difficulty": "normal"}
ONLY_TEAM: dict[str, OptionValue] = {"stable_size": "auto", "team_setup": "draft"}
ONLY_RACE: dict[str, OptionValue] = {"bots": -1, "bot_kind": "bot"}
"""Options that mean something in one mode, with their defaults."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the settings come to. vehicles: (kind, seat, stable) of each."""

    mode: int
    seats: int
    winter: bool
    chooses: bool
    drafts: bool
    stables: int
    stable_size: int
    hands: int
    extras: bool
    furbots: bool
    round_cap: int
    boss: int
    entries: tuple[Entry, ...]
    prey: dict[str, int]
    vehicles: tuple[tuple[int, int, int], ...]


def plan_of(settings: Settings, pack: ChasePack) -> Plan:
    """Check the settings against each other and the pack. Raises SettingsError."""
    options, seats = settings.options, settings.seats
    mode = MODES.index(settings.mode)
    for owner, mine in (("coop", ONLY_COOP), ("team", ONLY_TEAM), ("race", ONLY_RACE)):
        for key, default in mine.items():
            if settings.mode != owner and options[key] != default:
                raise SettingsError(f"options.{key}", f"means something in mode {owner} only")
    if settings.mode == "coop" and options["race_extras"]:
        raise SettingsError("options.race_extras", "means something in races only")
    if settings.mode == "team" and options["pilot_setup"] != "random":
        raise SettingsError("options.pilot_setup", "teams have team_setup")
    entries = entries_of(pack, str(options["circuit"]))
    size = _stable_size(seats, str(options["stable_size"])) if settings.mode == "team" else 1
    hands = str(options["hands"])
    if hands == "stable" and settings.mode != "team":
        raise SettingsError("options.hands", "there are stables in mode team only")
    auto = {"coop": v.HANDS_OPEN, "team": v.HANDS_STABLE, "race": v.HANDS_OWN}[settings.mode]
    vehicles = _vehicles(settings.mode, seats, size, int(str(options["bots"])))
    return Plan(
        mode=mode, seats=seats, winter=bool(options["winter"]) or needs_winter(pack, entries),
        chooses=options["pilot_setup"] == "choose" and settings.mode != "team",
        drafts=settings.mode == "team" and options["team_setup"] == "draft",
        stables={"coop": 1, "team": len(vehicles) // size, "race": seats}[settings.mode], stable_size=size,
        hands=auto if hands == "auto" else ("open", "stable", "own").index(hands), extras=bool(options["race_extras"]),
        furbots=options["bot_kind"] == "furbot", round_cap=int(str(options["round_cap"])), boss=BOSSES.index(str(options["boss"])),
        entries=entries, vehicles=vehicles,
        prey=prey_set(pack, seats, str(options["difficulty"])) if settings.mode == "coop" else {})


def _stable_size(seats: int, wanted: str) -> int:
    """Pilots of each stable: with at most one ghost (R48)."""
    legal = [size for size in (2, 3, 4) if -seats % size <= 1 and 2 * size <= seats + -seats % size <= v.SEATS]
    if wanted == "auto":
        return legal[0]
    if int(wanted) not in legal:
        raise SettingsError("options.stable_size", f"{seats} seats can be stables of {' or '.join(map(str, legal))}")
    return int(wanted)


def _vehicles(mode: str, seats: int, size: int, bots: int) -> tuple[tuple[int, int, int], ...]:
    if mode == "team":
        cars = [(v.K_PILOT, seat, seat // size) for seat in range(seats)]
        return tuple(cars + [(v.K_GHOST, v.NONE, (seats - 1) // size)] * (-seats % size))
    if mode == "race":
        number = {2: 2, 3: 1}.get(seats, 0) if bots < 0 else bots
        if seats + number > v.SEATS:
            raise SettingsError("options.bots", f"there are at most {v.SEATS} cars")
        return tuple([(v.K_PILOT, seat, seat) for seat in range(seats)] + [(v.K_BOT, v.NONE, v.NONE)] * number)
    drone = [(v.K_DRONE, v.NONE, 0)] if seats == 2 else []
    return tuple([(v.K_PILOT, seat, 0) for seat in range(seats)] + drone + [(v.K_BOSS, v.NONE, v.NONE)])


def prey_set(pack: ChasePack, seats: int, difficulty: str) -> dict[str, int]:
    """The prey tokens for so many seats. Raises SettingsError where the box has not got them (R65)."""
    base = pack.prey_base[0]
    have: dict[str, int] = {row.kind: row.count for row in pack.prey}
    found = Counter[str](base.kinds)
    found["heart"] += max(0, seats - base.heart_per_player_above)
    change = next(row for row in pack.difficulty if row.id == difficulty)
    for kind in change.removes:
        found[kind] -= 1
    found.update(change.adds)
    if min(found.values()) < 0 or any(found[kind] > have[kind] for kind in found):
        raise SettingsError("options.difficulty", f"{difficulty} is not possible with {seats} seats")
    return dict(found)
