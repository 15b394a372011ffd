"""From the effects of a pack to the rows of the rules core: programs, and what cards change as long as they are active.

What the notation can say but the rules don't carry out is refused here, with its place in the pack.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from seatmate.engine.core.effects import Atom, Call, Name, Number, Selector, Step
from seatmate.engine.core.effects_parse import parse_line
from seatmate.engine.core.effects_vocabulary import EXTREMES
from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.packs import LoadedPack, linker
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.content.circuits import Entry
from seatmate.engine.monster_chase.content.pack import MODS, VERBS, VOCABULARY, ChasePack, read
from seatmate.engine.monster_chase.content.plan import prey_set
from seatmate.engine.monster_chase.content.track import entries_of, track_of

TURN_MODS = ("ram_dmg", "unstoppable", "missile_dmg", "ram_push", "value_all")
"""What TURN can change."""
STEPS, FURTHEST = 8, 27
"""Steps of a program, and squares they move; less than any lap."""


@dataclass(frozen=True, slots=True)
class Row:
    """A step of a program; see ProgramStep in model.pxd. A selector is (base, mask of filters, near, pick)."""

    verb: int
    n: int = 0
    who: tuple[int, int, int, int] = (v.NO_BASE, 0, 0, 0)
    place: int = 0
    k: int = 0
    condition: int = 0
    condition_n: int = 0


@dataclass(slots=True)
class Rows:
    """All that cards and boards do: programs by their number, and changes of numbers by where they stand."""

    programs: dict[int, list[Row]] = field(default_factory=dict)
    mods: dict[tuple[str, int], dict[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Linked:
    """A pack with its rows: of the chase and of races."""

    loaded: LoadedPack[ChasePack]
    chase: tuple[Rows, ...]     # per Boss
    race: Rows


@linker
def link(path_or_name: str) -> Linked:
    """Load a pack and link its cards. Raises PackError."""
    loaded = read(path_or_name)
    check_tracks(loaded)
    check_prey(loaded)
    return Linked(loaded, tuple(_Linker(loaded).rows(boss) for boss in range(4)), _Linker(loaded).rows(None))


def check_tracks(loaded: LoadedPack[ChasePack]) -> None:
    """Every tile side can be driven along in a ring of its kind, and every circuit around. Raises PackError."""
    pack = loaded.content
    sides = [("tile", number, (Entry(tile.id, "S" if pack.geometries[tile.geo].shape == "S" else "R"),) * 2)
             for number, tile in enumerate(pack.tile)]
    named = [("circuit", number, entries_of(pack, row.id)) for number, row in enumerate(pack.circuit)]
    for table, number, entries in sides + named:
        try:
            track_of(pack, entries)
        except SettingsError as error:
            raise loaded.error(str(error).partition(": ")[2], table, number) from error


def check_prey(loaded: LoadedPack[ChasePack]) -> None:
    """Every difficulty is possible with some number of seats, the normal one with each. Raises PackError."""
    for number, row in enumerate(loaded.content.difficulty):
        problems = []
        for seats in range(2, v.SEATS + 1):
            try:
                prey_set(loaded.content, seats, row.id)
            except SettingsError as error:
                problems.append(str(error).partition(": ")[2])
        if problems and (row.id == "normal" or len(problems) == v.SEATS - 1):
            raise loaded.error(f"{problems[0]}: the set of prey_base has other tokens than there are", "difficulty", number)


class _Linker:
    def __init__(self, loaded: LoadedPack[ChasePack]) -> None:
        self.loaded = loaded
        self.found = Rows()
        self.path: tuple[str | int, ...] = ()

    def fail(self, problem: str) -> NoReturn:
        raise self.loaded.error(problem, *self.path)

    def rows(self, boss: int | None) -> Rows:
        pack = self.loaded.content
        kind = "race" if boss is None else "mc"
        for number in range(v.PILOTS):
            self.lines(("pilot", number, f"{kind}_l1"), {0: v.P_POWER1 + number})
            self.lines(("pilot", number, f"{kind}_l3"), {0: v.P_POWER3 + number})
        self.lines(("common_power", 0, "fx"), {0: v.P_POWER2})
        for number in range(v.NITROS):
            self.lines(("nitro", number, "fx"), {0: v.P_NITRO + number})
        if boss is None:
            return self.found
        for side, program in (("always", v.P_BOSS_ALWAYS), ("normal", v.P_BOSS_NORMAL), ("furious", v.P_BOSS_FURIOUS)):
            self.lines(("boss", boss, side), {v.H_START: program}, (side, 0))
        for number in range(len(pack.aura)):
            self.lines(("aura", number, "neg"), {v.H_START: v.P_NEG_START + number, v.H_END: v.P_NEG_END + number}, ("neg", number))
            self.lines(("aura", number, "pos"), {v.H_START: v.P_POS_START + number, v.H_END: v.P_POS_END + number}, ("pos", number))
            self.lines(("assault", number, "green"), {0: v.P_ASSAULT_GREEN + number})
            self.lines(("assault", number, "red"), {0: v.P_ASSAULT_RED + number})
        return self.found

    def lines(self, path: tuple[str, int, str], programs: dict[int, int], place: tuple[str, int] | None = None) -> None:
        """Link the lines of a field: by hook into programs, and MOD into the changes of this place."""
        table, number, name = path
        for at, text in enumerate(getattr(getattr(self.loaded.content, table)[number], name)):
            self.path = (*path, at)
            line = parse_line(text)
            hook = VOCABULARY.triggers[line.head.trigger].code if line.head is not None else 0
            if line.targets or line.pay or len(line.body) != 1:
                self.fail("a line of Monster Chase is one step, perhaps with a condition")
            step = line.body[0]
            if not isinstance(step, Step) or step.may or step.after or step.stores or step.who or step.chained:
                self.fail("a line of Monster Chase is one step, perhaps with a condition")
            if step.verb == "MOD":
                if place is None or hook or step.condition:
                    self.fail("MOD stands on auras and on the boards of Bosses, without a head or condition")
                key, n = self.change(step)
                self.found.mods.setdefault(place, {})[key] = n
                continue
            row = self.row(step)
            if hook not in programs:
                self.fail("this line needs another head" if hook else "this line needs a head, start: or end:")
            self.add(self.found.programs.setdefault(programs[hook], []), row)

    def add(self, program: list[Row], row: Row) -> None:
        """One more step, as far as there is room, and as nobody drives whole laps at once."""
        program.append(row)
        if len(program) > STEPS:
            self.fail(f"at most {STEPS} steps are done at one time")
        if sum(step.n for step in program if step.verb == v.V_MOVE) > FURTHEST:
            self.fail(f"the steps that are done at one time move at most {FURTHEST} squares")
        if sum(map(len, self.found.programs.values())) >= v.STEPS:
            self.fail(f"all cards and boards together have fewer than {v.STEPS} steps")

    def change(self, step: Step) -> tuple[int, int]:
        """The key and the number of MOD and TURN."""
        key, n = step.args[0].value, step.args[1].value
        assert isinstance(key, Name) and isinstance(n, Number)
        return MODS[key.name], n.value

    def row(self, step: Step) -> Row:
        verb = VERBS[step.verb]
        condition, condition_n = self.condition(step)
        if step.verb == "TURN":
            key, n = self.change(step)
            if key not in {MODS[name] for name in TURN_MODS}:
                self.fail(f"TURN changes {', '.join(TURN_MODS)} only")
            return Row(verb, n, k=key, condition=condition, condition_n=condition_n)
        params = VOCABULARY.verbs[step.verb].params
        named = {argument.key or param.name: argument.value for param, argument in zip(params, step.args, strict=False)}
        named.update({argument.key: argument.value for argument in step.args if argument.key})
        n, k, who, place = 0, 0, (v.NO_BASE, 0, 0, 0), 0
        for name, value in named.items():
            if name == "n" and isinstance(value, Number):
                n = value.value
            elif name == "k" and isinstance(value, Number):
                k = value.value
            elif name == "place" and isinstance(value, Name):
                place = VOCABULARY.words["place"][value.name]
            elif isinstance(value, Selector):
                who = self.selector(value)
            elif isinstance(value, Name):
                who = self.selector(Selector(value.name))
        if (place == v.PLACE_BEFORE and step.verb in ("BOMB", "BOULDER")) != ("of" in named):
            self.fail("before needs of=@..., nothing else does")
        if place in (v.PLACE_BACK, v.PLACE_NEAR) and not k and step.verb in ("BOMB", "BOULDER"):
            self.fail("back and near need a number")
        return Row(verb, n, who, place, k, condition, condition_n)

    def condition(self, step: Step) -> tuple[int, int]:
        if not step.condition:
            return 0, 0
        test = step.condition[0]
        if len(step.condition) > 1 or test.op or test.negated or not isinstance(test.left, Name | Call):
            self.fail("a step has one condition, without !")
        args = test.left.args if isinstance(test.left, Call) else ()
        n = args[0].value if args else Number(0)
        assert isinstance(n, Number)
        return VOCABULARY.conditions[test.left.name].code, n.value

    def selector(self, selector: Selector) -> tuple[int, int, int, int]:
        filters, near, pick = 0, 0, 0
        for part in selector.filters:
            if not isinstance(part, Atom) or part.name in EXTREMES:
                self.fail("there is nothing to compare in Monster Chase")
            if part.name in VOCABULARY.picks:
                pick = VOCABULARY.picks[part.name].code
                continue
            filters |= 1 << VOCABULARY.atoms[part.name].code
            if part.args:
                assert isinstance(part.args[0].value, Number)
                near = part.args[0].value.value
        return VOCABULARY.bases[selector.base].code, filters, near, pick
