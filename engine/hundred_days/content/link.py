"""From the effects of a pack to the rows of the rules core: what every card's program is, once.

What the notation can say but the rules don't carry out is refused here, with the card's name.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from seatmate.engine.core.effects import Atom, Line, Selector, Step
from seatmate.engine.core.effects_compile import constants
from seatmate.engine.core.effects_parse import parse_line
from seatmate.engine.core.packs import LoadedPack, linker
from seatmate.engine.hundred_days.content import vocabulary as v
from seatmate.engine.hundred_days.content.pack import ABILITIES, CARDS, VERBS, VOCABULARY, Card, HundredPack, read

HEADS = {"action": ("do",), "place": ("do", "round"), "reaction": ("react",), "item": ("use",), "character": ("enter", "passive")}
REGISTER_BASES = {"X": ("opp",), "C": ("green", "item", "character", "action"), "P": ("tile", "closable"), "Q": ("tile",)}
"""What is chosen into a register."""
NEEDS = {"TAKE": "X", "HALVE": "X", "SWAPR": "X", "FETCH": "C", "DESTROY": "C", "BANK": "C", "GRAB": "C", "GUARD": "C", "COPY": "C",
         "BANISH": "P", "HARVEST": "P", "CLOSE": "P", "SWAPT": "PQ", "BAR": "P"}
"""The registers a verb reads."""
WHO = {"HALVE": (v.P_X,), "TAKE": (v.P_X,), "SWAPR": (v.P_X,), "MOVER": (v.P_ME, v.P_X, v.P_SRC)}
"""Of whom a verb can speak, where not of everybody."""


@dataclass(slots=True)
class Row:
    """A card as numbers; see Card in model.pxd. A selector is (base, n, mask of filters), a step (verb, n, party, how)."""

    cost: int = 0
    cost_type: int = v.ANY_TYPE
    trigger: int = 0
    steps: list[tuple[int, int, int, int]] = field(default_factory=list)
    targets: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    need: tuple[int, int, int] | None = None
    abilities: dict[int, int] = field(default_factory=dict)


@linker
def link(path_or_name: str) -> tuple[LoadedPack[HundredPack], tuple[Row, ...]]:
    """Load a pack and link its cards. Raises PackError."""
    loaded = read(path_or_name)
    return loaded, tuple(_Linker(loaded, number).card() for number in range(CARDS))


class _Linker:
    def __init__(self, loaded: LoadedPack[HundredPack], number: int) -> None:
        self.loaded = loaded
        self.number = number
        self.source: Card = loaded.content.card[number]
        self.row = Row()
        self.line = 0

    def fail(self, problem: str) -> NoReturn:
        raise self.loaded.error(problem, "card", self.number, "effects", self.line)

    def card(self) -> Row:
        for number, text in enumerate(self.source.effects):
            self.line = number
            line = parse_line(text)
            head = line.head.trigger if line.head is not None else ""
            if head not in HEADS[self.source.kind]:
                heads = " or ".join(f"{name}:" for name in HEADS[self.source.kind])
                self.fail(f"a line of {self.source.kind} cards begins with {heads}")
            self.targets(line)
            self.pay(line)
            self.body(line, head)
        self.line = 0
        if self.source.kind == "reaction" and not self.row.trigger:
            self.fail("a reaction says what it answers")
        return self.row

    def targets(self, line: Line) -> None:
        for target in line.targets:
            base, n, filters = self.selector(target.selector)
            if not target.register:
                if target.selector.base not in ("opps", "src") or self.row.need:
                    self.fail("a line needs @opps or @src, once")
                self.row.need = base, n, filters
                continue
            if target.selector.base not in REGISTER_BASES[target.register]:
                self.fail(f"{target.register} is chosen from {' or '.join('@' + name for name in REGISTER_BASES[target.register])}")
            if VOCABULARY.registers[target.register].code in self.row.targets:
                self.fail(f"{target.register} is chosen twice")
            self.row.targets[VOCABULARY.registers[target.register].code] = base, n, filters

    def selector(self, selector: Selector) -> tuple[int, int, int]:
        """(base, n, mask of filters)."""
        base = VOCABULARY.bases[selector.base]
        filters = 0
        for part in selector.filters:
            if not isinstance(part, Atom):
                self.fail("there is nothing to compare in Hundred Days")
            filters |= 1 << VOCABULARY.atoms[part.name].code
        return base.code, constants(VOCABULARY, base, selector.base, selector.args).get("n", 0), filters

    def pay(self, line: Line) -> None:
        for step in line.pay:
            if not isinstance(step, Step) or step.verb != "PAY" or self.source.kind not in ("action", "place", "item"):
                self.fail("blue cards and items cost PAY(n), nothing else")
            args = self.arguments(step)
            self.row.cost, self.row.cost_type = args["n"], args["type"]

    def body(self, line: Line, head: str) -> None:
        assert line.head is not None
        for event in line.head.events:
            self.row.trigger |= 1 << VOCABULARY.words["event"][event.name]
        for step in line.body:
            if not isinstance(step, Step) or step.condition or step.may or step.after or step.stores or step.who or step.chained:
                self.fail("the steps of Hundred Days stand one after the other, without conditions")
            if (step.verb in ABILITIES) != (head in ("round", "passive")) or step.verb == "PAY":
                self.fail(f"{step.verb} cannot stand behind {head}:")
            needed = NEEDS.get(step.verb, "")
            for register in needed:
                if VOCABULARY.registers[register].code not in self.row.targets:
                    self.fail(f"{step.verb} needs a target {register}=")
            args = self.arguments(step)
            chosen = args.get("card", args.get("place"))
            if chosen is not None and chosen != VOCABULARY.registers[needed].code:
                self.fail(f"{step.verb} is about {needed}")
            if step.verb in WHO and args["who"] not in WHO[step.verb]:
                self.fail(f"{step.verb} is not about these seats")
            if args.get("who") == v.P_SRC and head != "react":
                self.fail("src stands behind react: only")
            if args.get("who") == v.P_X and v.G_X not in self.row.targets:
                self.fail(f"{step.verb} needs a target X=")
            if step.verb in ("CANCEL", "MIRROR") and head != "react":
                self.fail(f"{step.verb} answers an event")
            if step.verb in ABILITIES:
                self.row.abilities[ABILITIES[step.verb]] = args.get("n", args.get("types", 1))
                continue
            how = args.get("how", args.get("by", 0))
            self.row.steps.append((VERBS[step.verb], args.get("n", 0), args.get("who", 0), how))
        if len(self.row.steps) > v.STEPS:
            self.fail(f"a card has at most {v.STEPS} steps")

    def arguments(self, step: Step) -> dict[str, int]:
        """The arguments of a step by name, as numbers."""
        return constants(VOCABULARY, VOCABULARY.verbs[step.verb], step.verb, step.args)
