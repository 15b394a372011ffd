"""A pack as flat rows for the rules core: selectors, lines, statics, cards.

The compiled effects of the pack (effects_program.py) stay as they are, except that selectors become rows: in the code
below, the operand of SEL is an index into `selectors`. What the notation can say but Mythos's rules do not carry out
is refused here, with the card's id.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import NoReturn

from seatmate.engine.core.effects_program import (
    ALL,
    FILTER_AMOUNT,
    FILTER_ATOM,
    FILTER_EXTREME,
    LINE_MAY,
    LINE_MUST,
    NONE,
    STEP_MAY,
    Entry,
    Op,
    instructions,
    trace,
)
from seatmate.engine.core.effects_vocabulary import Kind
from seatmate.engine.core.packs import LoadedPack, linker
from seatmate.engine.core.packs_file import FieldPath
from seatmate.engine.mythos.content import decks
from seatmate.engine.mythos.content import vocabulary as v
from seatmate.engine.mythos.content.pack import ROWS, VOCABULARY, MythosPack, read

TRIGGERS = VOCABULARY.triggers
VERBS = {name: signature.code for name, signature in VOCABULARY.verbs.items()}
VERB_NAMES = tuple(VERBS)
BASES = {name: signature.code for name, signature in VOCABULARY.bases.items()}
ATOMS = {name: signature.code for name, signature in VOCABULARY.atoms.items()}
REGISTERS = {name: register.code for name, register in VOCABULARY.registers.items()}
ATTRIBUTES = {name: attribute.code for name, attribute in VOCABULARY.attributes.items()}
EVENTS = VOCABULARY.words["event"]
HIDE, DEFEAT = VOCABULARY.words["replaceable"]["HIDE"], VOCABULARY.words["replaceable"]["DEFEAT"]

INSTANT_VERBS = frozenset(VERBS[name] for name in VERB_NAMES[: VERBS["POWER"]])
STATIC_VERBS = frozenset(VERBS[name] for name in VERB_NAMES[VERBS["POWER"]:]) | {VERBS["CHAKRA"]}
UNIT_VERBS = frozenset(VERBS[name] for name in VERB_NAMES[: VERBS["PICK"] + 1])
JUMPS = frozenset((Op.JUMP, Op.JUMP_IF_NOT, Op.JUMP_IF_NOTHING))
DOWN = VOCABULARY.picks["down"].code
COME_DOWN = ("UNTOK", "HIDE", "DEFEAT", "CONTROL", "RETURN", "PEEL", "FORCE")
"""Verbs a unit is a target of only so often."""


@dataclass(slots=True)
class SelectorRow:
    """A set of units or a filter of cards. Registers A and B are bases 16 and 17, card register K is 18."""

    base: int
    names: int = 0              # masks; 0 = any
    keywords: int = 0
    groups: int = 0
    negated: int = 0            # bit 0 names, 1 keywords, 2 groups: none of these
    name_of_k: int = 0
    face: int = 0               # 1 up, 2 hidden
    place: int = 0              # 1 here, 2 elsewhere, 3 the mission of register M
    exclude: int = 0            # bit 0 the source, bit 1 the unit in register A
    stacked: int = 0
    last_turn: int = 0
    compares: list[tuple[int, int, int, int]] = field(default_factory=list)   # attribute, operator, routine?, value
    extreme: int = 0            # 1 + (0 smallest, 1 largest)
    extreme_attribute: int = 0
    pick: int = 0               # as in the vocabulary; `one` when none is given
    pick_routine: int = 0
    pick_n: int = 0

    def members(self) -> dict[str, object]:
        """Those of the struct."""
        compares = [{"attribute": attribute, "op": op, "routine": routine, "value": value}
                    for attribute, op, routine, value in (*self.compares, *[(0, 0, 0, 0)] * (2 - len(self.compares)))]
        plain = not (self.names or self.keywords or self.groups or self.name_of_k or self.stacked or self.last_turn
                     or self.compares)
        return {**asdict(self), "compares": len(self.compares), "compare": compares, "plain": int(plain)}

    def plain_but_power(self) -> bool:
        """It looks at sides, faces and places, and compares at most power with plain numbers."""
        return (not (self.names or self.keywords or self.groups or self.name_of_k or self.stacked or self.last_turn
                     or self.extreme) and all(c[0] == ATTRIBUTES["pow"] and not c[2] for c in self.compares))


@dataclass(slots=True)
class StaticRow:
    """A modifier. `args` are in the order of its parameters; where `dynamic`, they come from running `body`."""

    verb: int
    who: int
    dynamic: int
    when: int
    body: int
    args: tuple[int, ...]


@dataclass(slots=True)
class LineRow:
    """A line; `when`, `pay`, `body` are addresses or -1, `static` an index or -1."""

    trigger: int
    flags: int
    kind: int
    by: int
    events: int
    subject: int
    when: int
    pay: int
    body: int
    static: int = NONE


@dataclass(slots=True)
class Site:
    """A call in a line: what a position may hold when it is interrupted there. An argument that varies is None."""

    verb: int
    who: int
    flags: int
    args: tuple[int | None, ...]


@dataclass(slots=True)
class Compiled:
    """All rows of a pack. `first[kind]` and `count[kind]` give the lines of a kind (missions: from v.MISSION_LINE on)."""

    code: list[int]
    selectors: list[SelectorRow] = field(default_factory=list)
    lines: list[LineRow] = field(default_factory=list)
    statics: list[StaticRow] = field(default_factory=list)
    first: dict[int, int] = field(default_factory=dict)
    count: dict[int, int] = field(default_factory=dict)
    sites: dict[tuple[int, int], Site] = field(default_factory=dict)        # by line and the address behind the call
    resting: dict[int, frozenset[int]] = field(default_factory=dict)        # addresses between the steps of a line
    filters: frozenset[int] = frozenset()                                   # selectors of TAKE_LOOKED


@linker
def compile_pack(path_or_name: str) -> tuple[LoadedPack[MythosPack], Compiled]:
    """Load and compile a pack. Raises PackError."""
    loaded = read(path_or_name)
    compiled = _Compiler(loaded).compile()
    for number, problem in decks.check_ready_decks(loaded.content):
        raise loaded.error(problem, "deck", number)
    return loaded, compiled


class _Compiler:
    def __init__(self, loaded: LoadedPack[MythosPack]) -> None:
        self.loaded = loaded
        self.source = loaded.program.code
        self.out = Compiled(list(self.source))
        self.rows: dict[int, int] = {}          # address of a selector -> index
        self.walked: set[int] = set()
        self.path: FieldPath = ()

    def fail(self, problem: str) -> NoReturn:
        raise self.loaded.error(problem, *self.path)

    def compile(self) -> Compiled:
        pack = self.loaded.content
        for kind in range(len(pack.character)):
            self.kind(kind, "character", kind)
        for kind in range(len(pack.mission)):
            self.kind(v.MISSION_LINE + kind, "mission", kind)
        take = VERBS["TAKE_LOOKED"]
        self.out.filters = frozenset(site.args[0] for site in self.out.sites.values()
                                     if site.verb == take and site.args[0] is not None and site.args[0] >= 0)
        return self.out

    def kind(self, kind: int, table: str, row: int) -> None:
        self.out.first[kind] = len(self.out.lines)
        for index, entry in enumerate(self.loaded.entries(table, row, "effects")):
            self.path = (table, row, "effects", index)
            self.line(kind, entry)
        self.out.count[kind] = len(self.out.lines) - self.out.first[kind]

    # ---- Code ----

    def walk(self, address: int) -> None:
        """Replace the selectors of a section, and of what it uses, by rows."""
        if address == NONE or address in self.walked:
            return
        self.walked.add(address)
        for at, op, operands in instructions(self.source, address):
            if op in (Op.TARGET, Op.NEED):
                self.fail("targets before a line ('A=...,' and 'need ...,') are not used in Mythos")
            if op is Op.SEL:
                self.out.code[at + 1] = self.selector(operands[0])

    def calls(self, address: int) -> list[tuple[int, Site]]:
        """The calls of a section with the address behind each; arguments that depend on the position are None."""
        found = []
        for call in trace(self.source, address)[0]:
            kinds = [param.kind for param in VOCABULARY.verbs[VERB_NAMES[call.verb]].params]
            args = [self.selector(arg) if kind is Kind.SELECTOR and arg is not None else v.ALL_THERE if arg == ALL else arg
                    for kind, arg in zip(kinds, call.args, strict=True)]
            found.append((call.after, Site(call.verb, call.who, call.flags, tuple(args))))
        return found

    # ---- Selectors ----

    def selector(self, address: int) -> int:
        if address == NONE:
            return NONE
        if address not in self.rows:
            row = self.read_selector(address)
            self.rows[address] = len(self.out.selectors)
            self.out.selectors.append(row)
        return self.rows[address]

    def read_selector(self, address: int) -> SelectorRow:
        base, n_args, pick, pick_mode, pick_arg, n_filters = self.source[address:address + 6]
        row = SelectorRow(base if base >= 0 else 16 + (-1 - base), pick=max(pick, 0), pick_routine=pick_mode, pick_n=pick_arg)
        if base < 0 and -1 - base not in (REGISTERS["A"], REGISTERS["B"], REGISTERS["K"]):
            self.fail("only the registers A, B and K can stand for a unit or a card")
        if pick_mode:
            self.walk(pick_arg)
        at = address + 6 + n_args
        for _ in range(n_filters):
            kind, code, op, count = self.source[at:at + 4]
            values = self.source[at + 4:at + 4 + count]
            at += 4 + count
            if row.extreme:
                self.fail("min(...) and max(...) come behind all other filters")
            if kind == FILTER_ATOM:
                self.atom(row, code)
            elif kind == FILTER_EXTREME:
                row.extreme, row.extreme_attribute = 1 + op, code
            else:
                self.comparison(row, kind, code, op, values)
        if row.base == BASES["card"] and (row.face or row.place or row.exclude or row.compares or row.stacked
                                          or row.last_turn or row.extreme or row.name_of_k):
            self.fail("a card has a name, keywords (kw) and a group (grp) to filter by")
        return row

    def atom(self, row: SelectorRow, code: int) -> None:
        for name, attribute, value in (("up", "face", 1), ("hidden", "face", 2), ("here", "place", 1),
                                       ("elsewhere", "place", 2), ("atM", "place", 3), ("stacked", "stacked", 1),
                                       ("lastturn", "last_turn", 1)):
            if code == ATOMS[name]:
                if getattr(row, attribute):
                    self.fail(f"'{name}' contradicts or repeats an earlier filter")
                setattr(row, attribute, value)
        row.exclude |= (code == ATOMS["other"]) | (code == ATOMS["notA"]) << 1

    def comparison(self, row: SelectorRow, kind: int, code: int, op: int, values: Sequence[int]) -> None:
        words = {ATTRIBUTES["name"]: ("names", 1), ATTRIBUTES["kw"]: ("keywords", 2), ATTRIBUTES["grp"]: ("groups", 4)}
        if code not in words:
            if len(values) > 1:
                self.fail("a number is compared with one number")
            if code == ATTRIBUTES["pcost"] and row.base < 16:
                self.fail("pcost looks at a hidden card: it asks for a unit in A or B that was seen by LOOK")
            if len(row.compares) == 2:
                self.fail("a selector compares at most two numbers")
            if kind == FILTER_AMOUNT:
                self.walk(values[0])
            row.compares.append((code, op, int(kind == FILTER_AMOUNT), values[0]))
        elif kind == FILTER_AMOUNT:
            if code != ATTRIBUTES["name"] or op != 0:
                self.fail("only name=K compares words with a register")
            row.name_of_k = 1
        else:
            attribute, bit = words[code]
            mask = sum(1 << value for value in set(values))
            if getattr(row, attribute):
                self.fail("a selector compares its name, keywords and group once each")
            setattr(row, attribute, mask)
            if op == 1:
                row.negated |= bit

    # ---- Lines ----

    def line(self, kind: int, entry: Entry) -> None:
        if entry.targets != NONE:
            self.fail("targets before a line ('A=...,' and 'need ...,') are not used in Mythos")
        if entry.flags & ~(LINE_MUST | LINE_MAY):
            self.fail("'forced' is not used in Mythos")
        for section in (entry.when, entry.pay, entry.body):
            self.walk(section)
        number = len(self.out.lines)
        row = LineRow(entry.trigger, 0, kind, max(entry.by, 0), max(entry.events, 0), self.selector(entry.subject),
                      entry.when, entry.pay, entry.body)
        if entry.trigger == NONE:
            self.fail("a line begins with MAIN, UPGRADE, AMBUSH, SCORE, while, on or replace")
        paid, body = self.calls(entry.pay), self.calls(entry.body)
        if kind >= v.MISSION_LINE and entry.trigger not in (v.SCORE, v.WHILE):
            self.fail("a mission has SCORE and while lines only")
        if kind >= v.MISSION_LINE and entry.trigger == v.WHILE and any(
                site.verb not in (VERBS["POWER"], VERBS["CHAKRA"]) for _, site in body):
            self.fail("a mission's while line is POWER or CHAKRA")
        allowed = STATIC_VERBS if entry.trigger == v.WHILE else INSTANT_VERBS
        for _, site in (*paid, *body):
            if site.verb not in allowed:
                self.fail(f"{VERB_NAMES[site.verb]} cannot stand in this line")
            if site.flags & ~STEP_MAY:
                self.fail("'after' is not used in Mythos")
            self.check_who(site)
            self.check_zones(site)
            self.check_pick(site)
        self.check_looks(entry)
        if entry.trigger == v.WHILE:
            self.static(row, body)
        elif entry.trigger == v.REPLACE:
            self.replacement(row, entry, body)
        else:
            self.instant(row, entry, paid, body)
            self.out.sites.update({(number, after): site for after, site in (*paid, *body)})
            self.out.resting[number] = frozenset(trace(self.source, entry.pay)[1] | trace(self.source, entry.body)[1])
        self.out.lines.append(row)

    def check_looks(self, entry: Entry) -> None:
        """A line tells hidden cards apart only after a look: else its targets and its NOTHING would tell what they are."""
        seen: dict[int, set[int]] = {}          # register -> verbs that fill it
        asked: set[int] = set()                 # registers whose printed cost is asked for
        for address in (entry.when, entry.pay, entry.body):
            verb = NONE
            for _, op, operands in instructions(self.source, address):
                if op is Op.CALL:
                    verb = operands[0]
                elif op is Op.STORE:
                    seen.setdefault(operands[0], set()).add(verb)
                elif op is Op.SEL and operands[0] != NONE:
                    row = self.out.selectors[self.selector(operands[0])]
                    if any(compare[0] == ATTRIBUTES["pcost"] for compare in row.compares):
                        asked.add(row.base - 16)
        if any(seen.get(register) != {VERBS["LOOK"]} for register in asked):
            self.fail("pcost looks at a hidden card: it asks for a unit in A or B that was seen by LOOK")

    def check_who(self, site: Site) -> None:
        name = VERB_NAMES[site.verb]
        allowed = (0, 1) if site.verb in UNIT_VERBS else ROWS[name].who
        if site.who != NONE and site.who not in allowed:
            self.fail(f"{name} cannot be done by 'opp:' or 'both:'")

    def check_pick(self, site: Site) -> None:
        """`down` goes on until few enough are left, so each target must cease to be one."""
        if site.verb in UNIT_VERBS and VERB_NAMES[site.verb] not in COME_DOWN:
            target = site.args[1 if site.verb <= VERBS["TAKE_TOK"] else 0]
            if target is not None and self.out.selectors[target].pick == DOWN:
                self.fail(f"{VERB_NAMES[site.verb]} would never come to an end with 'down'")

    def check_zones(self, site: Site) -> None:
        zones = VOCABULARY.words["zone"]
        hand, hidden, discard, top, looked = (1 << zones[name] for name in ("hand", "hidden", "discard", "discard_top", "looked"))
        if site.verb == VERBS["PLAY"] and site.args[0] not in (hand, hidden, hand | hidden, discard, top, looked):
            self.fail("PLAY takes from hand, hidden, hand|hidden, discard, discard_top or looked")
        if site.verb == VERBS["PUT_HIDDEN"]:
            if site.args[0] not in (zones["hand"], zones["deck"], zones["oppdeck"]) or site.args[1] == 0:
                self.fail("PUT_HIDDEN takes from hand, deck or oppdeck, to here or any")
            if bool(site.args[2]) != (site.args[0] == zones["oppdeck"]):
                self.fail("PUT_HIDDEN from oppdeck has 'link', from elsewhere it has not")

    def is_plain(self, row: LineRow, sites: Sequence[Site]) -> bool:
        """The line is one step that is always carried out: no cost, no condition in it, nothing to decline."""
        jumps = any(op in JUMPS for _, op, _ in instructions(self.source, row.body))
        return len(sites) == 1 and row.pay == NONE and not sites[0].flags and not jumps

    def static(self, row: LineRow, calls: list[tuple[int, Site]]) -> None:
        if not self.is_plain(row, [site for _, site in calls]):
            self.fail("a 'while' line has exactly one modifier; what it depends on stands in 'when(...)'")
        site = calls[0][1]
        dynamic = None in site.args
        if dynamic and VERB_NAMES[site.verb] not in ("POWER", "CHAKRA"):
            self.fail(f"{VERB_NAMES[site.verb]} takes plain numbers")
        if site.verb == VERBS["CHAKRA"] and max(site.who, 0) != (2 if row.kind >= v.MISSION_LINE else 0):
            self.fail("CHAKRA of a character is its controller's income, that of a mission 'both: CHAKRA(n)'")
        if site.verb == VERBS["POWER"]:
            self.power(row, site)
        if site.verb == VERBS["ZERO"]:
            self.zero(row, site)
        args = tuple(arg or 0 for arg in (*site.args, *[0] * (4 - len(site.args))))
        row.static = len(self.out.statics)
        self.out.statics.append(StaticRow(site.verb, max(site.who, 0), int(dynamic), row.when, row.body, args))

    def power(self, row: LineRow, site: Site) -> None:
        """The sum of all POWER lines has no order only if they don't look at power themselves (MSS-09 comes after it)."""
        target = self.out.selectors[site.args[1] or 0]
        if target.base != BASES["self"] and target.place != 1:
            self.fail("a POWER line reaches units in its own mission: say 'here'")
        layered = site.args[2] == 2
        if layered and (row.kind < v.MISSION_LINE or site.args[0] is None or not target.plain_but_power()):
            self.fail("layer=2 is for missions, with a plain number and units compared with a power at most")
        for selector in {*self.used(row.when), *self.used(row.body)} - ({site.args[1]} if layered else set()):
            if any(compare[0] == ATTRIBUTES["pow"] for compare in self.out.selectors[selector].compares):
                self.fail("a POWER line does not look at power")
        if any(op is Op.AMOUNT and operands[0] == VOCABULARY.amounts["power"].code
               for address in (row.when, row.body) for _, op, operands in instructions(self.source, address)):
            self.fail("a POWER line does not look at power")

    def zero(self, row: LineRow, site: Site) -> None:
        """What is held stays held while it is here (6.4), so it is chosen here, and as the strongest."""
        if row.when != NONE:
            self.fail("ZERO holds as long as the unit is face-up and takes no 'when(...)'")
        target = self.out.selectors[site.args[0] or 0]
        if (target.base, target.place, target.extreme, target.extreme_attribute) != (BASES["enemy"], 1, 2, ATTRIBUTES["pow"]):
            self.fail("ZERO holds the strongest enemy in its mission: '@enemy.here.max(pow)', with other filters before 'max'")

    def used(self, address: int) -> set[int]:
        """The selectors of a section."""
        return {self.selector(operands[0]) for _, op, operands in instructions(self.source, address) if op is Op.SEL} - {NONE}

    def replacement(self, row: LineRow, entry: Entry, calls: list[tuple[int, Site]]) -> None:
        own = self.is_plain(row, [site for _, site in calls]) and calls[0][1].verb in (VERBS["HIDE"], VERBS["DEFEAT"])
        if not own or not self.is_self(calls[0][1].args[0]) or row.subject == NONE:
            self.fail("a 'replace' line names a unit and does HIDE(@self) or DEFEAT(@self)")
        hides = calls[0][1].verb == VERBS["HIDE"]
        itself = self.out.selectors[row.subject].base == BASES["self"]
        if itself != hides:
            self.fail("a unit replaces what befalls itself by hiding, what befalls another by being defeated")
        if itself and entry.flags & LINE_MAY:
            self.fail("a unit that hides instead is not asked: leave out 'may'")
        row.flags = v.LINE_MAY * bool(entry.flags & LINE_MAY) | v.BODY_HIDES * hides

    def instant(self, row: LineRow, entry: Entry, paid: list[tuple[int, Site]], body: list[tuple[int, Site]]) -> None:
        sites = [site for _, site in body]
        verbs = {site.verb for site in (*sites, *(site for _, site in paid))}
        row.flags = v.LINE_MUST * bool(entry.flags & LINE_MUST) | v.LINE_MAY * bool(entry.flags & LINE_MAY)
        if row.trigger != v.ON and VERBS["COPY"] not in verbs:
            row.flags |= v.COPYABLE
        if not paid and all(self.is_gain(site) for site in sites):
            row.flags |= v.GAIN
        if row.trigger == v.ON:
            self.reaction(row, sites)

    def is_gain(self, site: Site) -> bool:
        """Only gives the owner tokens, cards or chakra (option skip_gain)."""
        name = VERB_NAMES[site.verb]
        if name == "TOK":
            return self.is_self(site.args[1])
        return name == "STEAL" or (name in ("DRAW", "CHAKRA") and site.who <= 0)

    def is_self(self, selector: int | None) -> bool:
        return selector is not None and self.out.selectors[selector] == SelectorRow(BASES["self"])

    def reaction(self, row: LineRow, sites: list[Site]) -> None:
        subject = SelectorRow(BASES["any"]) if row.subject == NONE else self.out.selectors[row.subject]
        if row.events >> EVENTS["DEFEATED"] & 1 and subject != SelectorRow(subject.base):
            self.fail("DEFEATED asks for a side only: the unit has left play")
        if (row.subject == NONE) != bool(row.events & (1 << EVENTS["ROUND_END"] | 1 << EVENTS["MISSION_LOST"])):
            self.fail("PLAYED, MOVED and DEFEATED name a unit in parentheses, the other events do not")
        if self.is_plain(row, sites) and row.when == NONE and not row.flags & v.LINE_MAY:
            verb = VERB_NAMES[sites[0].verb]
            if verb == "CHAKRA" or (verb == "TOK" and self.is_self(sites[0].args[1])):
                row.flags |= v.AUTO
            if verb == "RETURN" and self.is_self(sites[0].args[0]) and row.events == 1 << EVENTS["ROUND_END"]:
                row.flags |= v.PLAIN_RETURN
