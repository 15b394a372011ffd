"""A pack as flat rows for the rules core: code, selectors, cards, GO! cards, characters.

Every line is compiled on its own. The tiers of an ability are joined into one program per set of tiers, and the damage
bonuses in it are bound to their attack (R22). What the notation can say but the rules of Titans do not carry out is
refused here, with the row's name.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import NoReturn

from seatmate.engine.core.effects_compile import compile_line
from seatmate.engine.core.effects_program import (
    FILTER_ATOM,
    NONE,
    STEP_AFTER,
    Entry,
    Op,
    instructions,
    trace,
)
from seatmate.engine.core.packs import LoadedPack, linker
from seatmate.engine.core.packs_file import FieldPath
from seatmate.engine.core.spec import counted
from seatmate.engine.titans.content.pack import VOCABULARY, Ability, Board, Go, Mayhem, TitansPack, read
from seatmate.engine.titans.content.vocabulary import CODE, ROWS

TRIGGERS = {name: trigger.code for name, trigger in VOCABULARY.triggers.items()}
VERBS = {name: signature.code for name, signature in VOCABULARY.verbs.items()}
VERB_NAMES = tuple(VERBS)
BASES = tuple(VOCABULARY.bases)
CONDITIONS = tuple(VOCABULARY.conditions)
HERE, CLOSE = (VOCABULARY.atoms[name].code for name in ("here", "close"))
EACH = VOCABULARY.picks["each"].code
NO_ICON = 255
MAX_STEPS = 6
"""Steps of one program: games end in time (RULES.md, 4.1)."""

PIECES = BASES[:BASES.index("near")]
SETS = ("own", "enemy")
ATTACKS = ("MELEE", "RANGED")
MISSIONS = ("PIZZA_TO", "GIFTS_TO", "CLUES", "MONSTER", "BOTH_AT", "BOTH_OPP_BASES", "ABILITY_AT", "ROLL_STAR", "KO_OPPONENT")
LASTING = ("NOHEAL", "TRAP_IMMUNE")
SHIFTS = ("MOVE", "PULL", "PUSH", "DISPLACE", "TELEPORT", "FETCH")
FOR_SETUP = ("PLACE", "GIFTS")
"""Verbs of GO! cards only."""
ONE_PIECE = ("MOVE", "DISPLACE", "TELEPORT", "XFERFIRE", "FLAG")
"""Verbs whose selector must mean one certain piece."""
SCOPES = {"OBST": ("near", "any", "border"), "TRAP": ("near", "at", "ownbase"), "PLACE": ("at", "special")}
INNATE_VERBS = ("HEAL", "TELEPORT", "CLEANSE", "REROLL_PLACED", "SHIELD", "ESCAPE", "MOVE", "REROLL_MAYHEM", "IGNITE", "STUN")
BASES_OF_TRIGGER = {
    "start": SETS, "self": ("act", *SETS), "hostile": ("act", *SETS), "attacked": ("act", "tgt", "atk", *SETS),
    "entered": ("act", "tgt", "host", *SETS), "moved": ("act", "tgt", *SETS), "ko": ("act", *SETS)}
FAMILIES = {"PIZZA_TO": "pizza", "GIFTS_TO": "gifts", "CLUES": "clues", "MONSTER": "monster", "KO_OPPONENT": "fight"}


@dataclass(slots=True)
class Row:
    """A selector; see Row in model.pxd."""

    base: int
    each: int = 0
    here: int = 0
    icon: int = NO_ICON
    close: int = 0


@dataclass(slots=True)
class Site:
    """A call in a program: what a frame may hold when it is interrupted there. `bonus`: address of an attack's bonus;
    `sure`: it is reached whatever holds and was done before.
    """

    verb: int
    who: int
    flags: int
    args: tuple[int, ...]
    bonus: int = NONE
    sure: bool = True

    @property
    def name(self) -> str:
        """The verb's name."""
        return VERB_NAMES[self.verb]


@dataclass(slots=True)
class CardRow:
    """A Mayhem card; addresses or -1."""

    trigger: int
    when: int
    pay: int
    body: int


@dataclass(slots=True)
class GoRow:
    """A GO! card; see Go in model.pxd."""

    kind: int
    icon: int
    number: int
    icons: int
    no_heal: int
    reveal: int


@dataclass(slots=True)
class BoardRow:
    """A character: its innate ability (address or -1), and the bodies of its abilities by tier."""

    innate: int
    trap_immune: int
    bodies: tuple[tuple[int, int, int], ...]


@dataclass(slots=True)
class Compiled:
    """All rows of a pack. `sites[program][address behind the call]`, programs being ("card", 3), ("go", 0), ("slot", 2,
    1), ("innate", 2); `resting[program]`: addresses between steps."""

    code: list[int] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    cards: list[CardRow] = field(default_factory=list)
    goes: list[GoRow] = field(default_factory=list)
    boards: list[BoardRow] = field(default_factory=list)
    sites: dict[tuple[str | int, ...], dict[int, Site]] = field(default_factory=dict)
    resting: dict[tuple[str | int, ...], set[int]] = field(default_factory=dict)


@linker
def compile_pack(path_or_name: str) -> tuple[LoadedPack[TitansPack], Compiled]:
    """Load and compile a pack. Raises PackError."""
    loaded = read(path_or_name)
    return loaded, _Compiler(loaded).compile()


class _Compiler:
    def __init__(self, loaded: LoadedPack[TitansPack]) -> None:
        self.loaded = loaded
        self.out = Compiled()
        self.path: FieldPath = ()

    def fail(self, problem: str) -> NoReturn:
        raise self.loaded.error(problem, *self.path)

    def compile(self) -> Compiled:
        pack = self.loaded.content
        for number, board in enumerate(pack.board):
            self.board(number, board)
        for number, card in enumerate(pack.mayhem):
            self.path = ("mayhem", number, "effect")
            self.card(number, card)
        demands = [self.go(number, go) for number, go in enumerate(pack.go)]
        supplies = (("pizza", 1), ("clue", pack.limits.clues), ("gift", pack.limits.gifts))
        for number, needs in enumerate(demands):
            self.path = ("go", number, "mission")
            for token, most in supplies:
                if needs[token] > most:
                    self.fail(f"it needs {counted(needs[token], f'{token} token')}; there are {most}")
        for (first, one), (second, other) in combinations(enumerate(demands), 2):
            self.path = ("go", second, "mission")
            for token, most in supplies:
                if one[token] + other[token] > most:
                    self.fail(f"together with {pack.go[first].id} it needs {one[token] + other[token]} {token} tokens; "
                              f"there are {most}")
        if "cyborg" not in {board.key for board in pack.board}:
            self.path = ("board",)
            self.fail("one character must have the key cyborg: it is out of control in the free-for-all")
        for what, count, most in (("words of effects", len(self.out.code), CODE), ("selectors", len(self.out.rows), ROWS)):
            if count > most:
                self.path = ()
                self.fail(f"the pack has {count} {what}; {most} are possible")
        return self.out

    # ---- Code ----

    def add(self, text: str, program: tuple[str | int, ...]) -> tuple[Entry, list[Site]]:
        """Compile a line and append it: its sections with their addresses here, and its calls."""
        compiled = compile_line(text, VOCABULARY)
        base, code = len(self.out.code), list(compiled.code)
        entry = compiled.entries[0]
        found: dict[int, Site] = {}
        if entry.targets != NONE or entry.flags:
            self.fail("targets, and the words must and may before a line, are not used in Titans")
        for section in (entry.when, entry.pay, entry.body):
            for at, op, operands in instructions(compiled.code, section):
                if op in (Op.REG, Op.AMOUNT, Op.NEG, Op.ADD, Op.CMP, Op.STORE):
                    self.fail("amounts, registers and stored results are not used in Titans")
                if op is Op.SEL:
                    code[at + 1] = self.row(code, operands[0])
            calls, between = trace(code, section)
            for at, op, operands in instructions(compiled.code, section):
                if op in (Op.JUMP, Op.JUMP_IF_NOT, Op.JUMP_IF_NOTHING, Op.ASK):     # their last operand is an address
                    code[at + len(operands)] += base
            for call in calls:
                args = tuple(arg or 0 for arg in call.args)
                bonus = base + call.pushed[0] + 1 if VERB_NAMES[call.verb] in ATTACKS else NONE
                found[base + call.after] = Site(call.verb, max(call.who, 0), call.flags, args, bonus, call.sure)
            self.out.resting.setdefault(program, set()).update(base + at for at in between)
        if len(found) > MAX_STEPS:
            self.fail(f"{len(found)} steps; a program has at most {MAX_STEPS}")
        self.out.code += code
        self.out.sites.setdefault(program, {}).update(found)
        moved = entry._replace(**{name: getattr(entry, name) + base for name in ("when", "pay", "body")
                                  if getattr(entry, name) != NONE})
        return moved, [site for _, site in sorted(found.items())]

    def row(self, code: list[int], address: int) -> int:
        """The number of a selector's row; -1 where it is left out."""
        if address == NONE:
            return NONE
        base, n_args, pick, pick_mode, _, n_filters = code[address:address + 6]
        if base < 0 or pick_mode:
            self.fail("registers are not used in Titans")
        row = Row(base, each=int(pick == EACH))
        name = BASES[base]
        if n_args:
            row.icon = code[address + 6]
        if (n_filters or pick != NONE) and name not in SETS:
            self.fail(f"only @own and @enemy can be filtered and picked from, not @{name}")
        at = address + 6 + n_args
        for _ in range(n_filters):
            kind, atom, _, count = code[at:at + 4]
            if kind != FILTER_ATOM or (row.here if atom == HERE else row.close):
                self.fail("@own and @enemy have the filters here and close(...), each once")
            if atom == HERE:
                row.here = 1
            else:
                row.close, row.icon = 1, code[at + 4]
            at += 4 + count
        if row in self.out.rows:
            return self.out.rows.index(row)
        self.out.rows.append(row)
        return len(self.out.rows) - 1

    # ---- Checks ----

    def check(self, sites: Iterable[Site], verbs: Iterable[str], bases: Iterable[str], near: bool = True) -> None:
        """Every call uses verbs and selectors that make sense there."""
        for site in sites:
            if site.name not in verbs:
                self.fail(f"{site.name} cannot stand in this line")
            if site.name == "DMG" and not (site.sure and site.flags == 0):
                self.fail("DMG is part of the attack: it has no condition of its own")
            if site.flags & STEP_AFTER:
                self.fail("'after' is possible with DAMAGE in a card for being attacked only")
            for row in self.selectors(site):
                name = BASES[row.base]
                if name in PIECES and name not in bases:
                    self.fail(f"@{name} means nobody in this line")
                if site.name in ONE_PIECE and name in SETS:
                    self.fail(f"{site.name} needs one certain piece, not @{name}")
                if name not in PIECES and name not in SCOPES.get(site.name, ()):
                    self.fail(f"{site.name} cannot use @{name}")
                if not near and (name == "near" or row.here):
                    self.fail("nobody acts in this line: there is no near or here")

    def selectors(self, site: Site) -> Iterator[Row]:
        """The rows a call uses."""
        kinds = [param.kind.name for param in VOCABULARY.verbs[site.name].params]
        for kind, value in zip(kinds, site.args, strict=True):
            if kind == "SELECTOR" and value != NONE:
                yield self.out.rows[value]

    # ---- Rows ----

    def board(self, number: int, board: Board) -> None:
        self.path = ("board", number, "effect")
        innate, immune = NONE, 0
        entry, sites = self.add(board.effect, ("innate", number))
        if entry.trigger != NONE or entry.pay != NONE:
            self.fail("an innate ability has no head and no costs")
        if board.limit == "passive":
            if [site.name for site in sites if site.sure and not site.flags] != ["TRAP_IMMUNE"]:
                self.fail("a passive innate ability is TRAP_IMMUNE()")
            immune = 1
        else:
            self.check(sites, INNATE_VERBS, ("self", "act", *SETS))
            if any(site.who for site in sites):
                self.fail("who decides can be said in GO! cards only")
            innate = entry.body
        bodies = []
        for slot, ability in enumerate(board.ability):
            self.path = ("board", number, "ability", slot, "std")
            bodies.append(self.ability(number, slot, ability))
        self.out.boards.append(BoardRow(innate, immune, tuple(bodies)))

    def ability(self, number: int, slot: int, ability: Ability) -> tuple[int, int, int]:
        """The bodies of an ability for the tiers 0, 0-1 and 0-2."""
        verbs = [name for name in VERB_NAMES if name not in (*MISSIONS, *LASTING, *FOR_SETUP, "FORGO_MOVE", "REROLL_PLACED")]
        bodies = []
        for tiers in range(1, 4):
            self.path = (*self.path[:-1], ("std", "spc", "star")[tiers - 1])
            text = "; ".join(filter(None, (ability.std, ability.spc, ability.star)[:tiers]))
            if not text:
                self.fail("the standard tier must do something")
            entry, sites = self.add(text, ("slot", number, slot))
            if entry.trigger != NONE or entry.pay != NONE:
                self.fail("a tier has no head and no costs")
            self.check(sites, verbs, ("self", "act", "tgt", *SETS))
            if any(site.who for site in sites):
                self.fail("who decides can be said in GO! cards only")
            self.bind(sites)
            bodies.append(entry.body)
        return bodies[0], bodies[1], bodies[2]

    def bind(self, sites: list[Site]) -> None:
        """Each DMG goes to the nearest attack before it, or else to the nearest one after it (R22)."""
        for index, site in enumerate(sites):
            if site.name == "DMG":
                before = [other for other in sites[:index] if other.name in ATTACKS]
                behind = [other for other in sites[index:] if other.name in ATTACKS]
                attack = before[-1] if before else behind[0] if behind else None
                if attack is not None:
                    self.out.code[attack.bonus] += site.args[0]
                    attack.args = (attack.args[0] + site.args[0],)

    def card(self, number: int, card: Mayhem) -> None:
        entry, sites = self.add(card.effect, ("card", number))
        if entry.trigger == NONE:
            self.fail(f"the line begins with when it can be played: {', '.join(TRIGGERS)}")
        trigger = tuple(TRIGGERS)[entry.trigger]
        verbs = [name for name in VERB_NAMES if name not in (*MISSIONS, *LASTING, *FOR_SETUP, "DMG", "REROLL_PLACED")]
        if trigger == "start":
            verbs = [name for name in verbs if name not in (*SHIFTS, *ATTACKS, "DAMAGE", "FORGO_MOVE")]
        if trigger != "self":
            verbs = [name for name in verbs if name not in (*ATTACKS, "FORGO_MOVE")]
        waiting = [site for site in sites if site.flags & STEP_AFTER]
        if trigger == "attacked" and all(site.name == "DAMAGE" and BASES[self.out.rows[site.args[1]].base] == "atk"
                                         for site in waiting):
            sites = [site for site in sites if not site.flags & STEP_AFTER]
        self.check(sites, verbs, BASES_OF_TRIGGER[trigger], near=trigger == "self")
        if any(site.who for site in sites):
            self.fail("who decides can be said in GO! cards only")
        self.check_conditions(entry, BASES_OF_TRIGGER[trigger])
        self.out.cards.append(CardRow(entry.trigger, entry.when, entry.pay, entry.body))

    def check_conditions(self, entry: Entry, bases: tuple[str, ...]) -> None:
        """Conditions ask about certain pieces that exist when the line runs."""
        for section in (entry.when, entry.body):
            last = NONE
            for _, op, operands in instructions(self.out.code, section):
                if op is Op.SEL:
                    last = operands[0]
                elif op is Op.COND and operands[1] and CONDITIONS[operands[0]] != "die_below":
                    name = BASES[self.out.rows[last].base]
                    if name in SETS or name not in bases:
                        self.fail(f"{CONDITIONS[operands[0]]}({name}) asks about nobody certain")

    def go(self, number: int, go: Go) -> dict[str, int]:
        """A GO! card; returns how many mission tokens it needs."""
        self.path = ("go", number, "reveal")
        verbs = [name for name in VERB_NAMES if name not in (*MISSIONS, *LASTING, *SHIFTS, *ATTACKS, "DAMAGE", "DMG", "FORGO_MOVE",
                                                             "REROLL_PLACED", "FLAG")]
        reveal = NONE
        placed: list[Site] = []
        self.out.sites[("go", number)] = {}
        self.out.resting[("go", number)] = set()
        if go.reveal:
            entry, placed = self.add(go.reveal, ("go", number))
            if entry.trigger != NONE or entry.pay != NONE:
                self.fail("it has no head and no costs")
            self.check(placed, verbs, SETS, near=False)
            reveal = entry.body
        self.path = ("go", number, "aura")
        aura = [site.name if site.sure else "" for site in self.add(go.aura, ("aura", number))[1]] if go.aura else []
        if aura not in ([], ["NOHEAL"]):
            self.fail("must be empty or NOHEAL()")
        self.path = ("go", number, "mission")
        entry, sites = self.add(go.mission, ("mission", number))
        if (len(sites) != 1 or sites[0].name not in MISSIONS or not sites[0].sure or sites[0].flags or sites[0].who
                or entry.trigger != NONE):
            self.fail(f"must be one of {', '.join(MISSIONS)}")
        name, args = sites[0].name, sites[0].args
        if FAMILIES.get(name, "go_and_do") != go.family:
            self.fail(f"{name} belongs to the family {FAMILIES.get(name, 'go_and_do')!r}")
        icon, count, icons = NO_ICON, 0, 0
        if name in ("PIZZA_TO", "BOTH_AT", "ABILITY_AT"):
            icon = args[0]
        elif name == "GIFTS_TO":
            icons = args[0]
        elif args:
            count = args[0]
        if name == "ABILITY_AT" and any(site.name == "PLACE" for site in placed):
            self.fail("this mission needs no token")
        tokens = {"pizza": 0, "clue": 0, "monster": 0, "gift": 0}
        for site in placed:
            if site.name == "PLACE":
                kind = ("pizza", "clue", "monster")[site.args[0]]
                row = self.out.rows[site.args[1]]
                if BASES[row.base] == "special" and kind != "monster":
                    self.fail("only a monster's place is chosen")
                tokens[kind] += 1
            elif site.name == "GIFTS":
                tokens["gift"] += site.args[0]
        wanted = {"PIZZA_TO": {"pizza": 1}, "CLUES": {"clue": count}, "MONSTER": {"monster": 1},
                  "GIFTS_TO": {"gift": icons.bit_count()}}
        for token, number_of in tokens.items():
            if number_of != wanted.get(name, {}).get(token, 0):
                self.fail(f"{name} needs {wanted.get(name, {}).get(token, 0)} {token} tokens; reveal brings {number_of}")
        self.out.goes.append(GoRow(VERBS[name], icon, count, icons, int(bool(aura)), reveal))
        return tokens
