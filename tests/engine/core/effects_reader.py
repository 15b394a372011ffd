"""Compiled effects read back, verb by verb or as a listing: what the compiler wrote is checked against what it read.

The way back reads the words of a program, not the lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from seatmate.engine.core.effects import (
    OPERATORS,
    Amount,
    Argument,
    Atom,
    Call,
    Compare,
    Condition,
    Head,
    Name,
    Names,
    Number,
    Selector,
    Store,
    Sum,
    Test,
    Value,
    format_arguments,
    format_condition,
    format_value,
)
from seatmate.engine.core.effects_program import (
    ALL,
    FILTER_AMOUNT,
    FILTER_ATOM,
    FILTER_EXTREME,
    LINE_FLAGS,
    NONE,
    STEP_AFTER,
    STEP_MAY,
    Entry,
    Op,
    Program,
    instructions,
)
from seatmate.engine.core.effects_vocabulary import (
    EXTREMES,
    Attribute,
    Kind,
    Param,
    Part,
    Pick,
    Register,
    Signature,
    Trigger,
    Vocabulary,
)

from .effects_text import format_head

Decoded = int | str | tuple[str, ...] | Selector | Name | Call | Sum | None
"""An argument read back: a number (`ALL` for all), a word or register as text, a set of words, True or False for a
flag, a selector (None: left out), or the tree of an amount that depends on the position."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition around a step; not `holds` = the step stands in the else part."""

    condition: Condition
    holds: bool = True


@dataclass(frozen=True, slots=True)
class VerbCall:
    """One decoded step. `args` has every parameter by name; `chained` = it stands after "->"; `text` = verb(args)."""

    line: int
    trigger: str
    section: str
    verb: str = ""
    args: Mapping[str, Decoded] = field(default_factory=dict)
    who: str = ""
    may: bool = False
    after: bool = False
    chained: bool = False
    guards: tuple[Guard, ...] = ()
    stores: tuple[Store, ...] = ()
    text: str = ""


# ---------------------------------------------------------------- the way back
_Item = int | Selector | Amount | Condition | None


def _amount(item: _Item) -> Amount:
    if isinstance(item, int):
        return Name("all") if item == ALL else Number(item)
    assert isinstance(item, Number | Name | Call | Sum)
    return item


def _tests(item: _Item) -> Condition:
    assert isinstance(item, tuple)
    return item


def _pop(stack: list[_Item], count: int) -> list[_Item]:
    start = len(stack) - count
    items = stack[start:]
    del stack[start:]
    return items


class _Reader:
    """Reads a program by running it with the texts of values on the stack."""

    def __init__(self, program: Program, vocabulary: Vocabulary) -> None:
        self.code = program.code
        self.vocabulary = vocabulary

    @staticmethod
    def name(table: Mapping[str, Signature | Trigger | Attribute | Pick | Register | Part], code: int) -> str:
        return next(name for name, row in table.items() if row.code == code)

    @staticmethod
    def word(words: Mapping[str, int], number: int) -> str:
        return next((word for word, other in words.items() if other == number), str(number))

    def mask(self, words: str, mask: int) -> tuple[str, ...]:
        return tuple(self.word(self.vocabulary.words[words], bit) for bit in range(31) if mask >> bit & 1)

    # expressions
    def selector(self, address: int) -> Selector | None:
        if address == NONE:
            return None
        vocabulary, code = self.vocabulary, self.code
        base, n_args, pick, pick_mode, pick_arg, n_filters = code[address : address + 6]
        at = address + 6 + n_args
        raw = code[address + 6 : at]
        filters: list[Atom | Compare] = []
        for _ in range(n_filters):
            kind, number, op, count = code[at : at + 4]
            values = code[at + 4 : at + 4 + count]
            at += 4 + count
            if kind == FILTER_ATOM:
                name = self.name(vocabulary.atoms, number)
                filters.append(Atom(name, self.texts(vocabulary.atoms[name], values)))
            elif kind == FILTER_EXTREME:
                filters.append(Atom(EXTREMES[op], (Argument(Name(self.name(vocabulary.attributes, number))),)))
            else:
                name = self.name(vocabulary.attributes, number)
                words = vocabulary.words.get(vocabulary.attributes[name].words)
                read: list[Amount] = [Number(v) if words is None else Name(self.word(words, v)) for v in values]
                if kind == FILTER_AMOUNT:
                    read = [self.routine(values[0])]
                filters.append(Compare(name, OPERATORS[op], tuple(read)))
        if pick != NONE:
            name = self.name(vocabulary.picks, pick)
            amount = self.routine(pick_arg) if pick_mode else Number(pick_arg)
            filters.append(Atom(name, (Argument(amount),) if vocabulary.picks[name].amount else ()))
        if base < 0:
            return Selector(self.name(vocabulary.registers, -1 - base), (), tuple(filters))
        name = self.name(vocabulary.bases, base)
        return Selector(name, self.texts(vocabulary.bases[name], raw), tuple(filters))

    def routine(self, address: int) -> Amount:
        stack: list[_Item] = []
        for _, op, operands in instructions(self.code, address):
            self.evaluate(op, operands, stack)
        return _amount(stack[0])

    def texts(self, signature: Signature, raw: Iterable[_Item]) -> tuple[Argument, ...]:
        """The arguments of a call as they may be written."""
        args: list[Argument] = []
        skipped = False
        for param, item in zip(signature.params, raw, strict=True):
            if param.kind is Kind.SELECTOR and isinstance(item, int):
                item = self.selector(item)
            value: Value
            match self.argument(param, item):
                case None | False:
                    skipped = True
                    continue
                case True:
                    value = Name(param.name)
                case int(number):
                    value = _amount(number)
                case str(word):
                    value = Name(word)
                case tuple(names):
                    value = Names(names) if len(names) > 1 else Name(names[0])
                case other:
                    value = other
            args.append(Argument(value, param.name if skipped and param.kind is not Kind.FLAG else ""))
        return tuple(args)

    def argument(self, param: Param, item: _Item) -> Decoded:
        assert not isinstance(item, tuple | Number)
        if not isinstance(item, int):
            return item
        match param.kind:
            case Kind.FLAG:
                return bool(item)
            case Kind.WORD:
                return self.word(self.vocabulary.words[param.words], item)
            case Kind.WORDS:
                return self.mask(param.words, item)
            case Kind.REGISTER:
                return None if item == NONE else self.name(self.vocabulary.registers, item)
        return item

    def evaluate(self, op: Op, operands: Sequence[int], stack: list[_Item]) -> None:
        vocabulary = self.vocabulary
        match op:
            case Op.PUSH:
                stack.append(operands[0])
            case Op.SEL:
                stack.append(self.selector(operands[0]))
            case Op.REG:
                stack.append(Name(self.name(vocabulary.registers, operands[0])))
            case Op.AMOUNT | Op.COND:
                table = vocabulary.amounts if op is Op.AMOUNT else vocabulary.conditions
                name = self.name(table, operands[0])
                args = self.texts(table[name], _pop(stack, operands[1]))
                call = Call(name, args) if args else Name(name)
                stack.append(call if op is Op.AMOUNT else (Test(call),))
            case Op.NEG | Op.ADD:
                term = _amount(stack.pop())
                negative, plus = op is Op.NEG, operands[0] if operands else 0
                if isinstance(term, Sum):
                    negative, term = term.negative, term.term
                assert not isinstance(term, Number)
                stack.append(Sum(negative, term, plus))
            case Op.CMP:
                left, right = map(_amount, _pop(stack, 2))
                stack.append((Test(left, False, OPERATORS[operands[0]], right),))
            case Op.NOT:
                stack.append((replace(_tests(stack.pop())[0], negated=True),))
            case Op.AND:
                left_tests, right_tests = map(_tests, _pop(stack, 2))
                stack.append(left_tests + right_tests)

    # sections
    def head(self, entry: Entry) -> Head | None:
        if entry.trigger == NONE:
            return None
        trigger = self.name(self.vocabulary.triggers, entry.trigger)
        row = self.vocabulary.triggers[trigger]
        events = self.mask(row.events, entry.events) if row.events else ()
        by = self.word(self.vocabulary.words[row.by], entry.by) if entry.by != NONE else ""
        flags = tuple(sorted(flag for flag, bit in LINE_FLAGS.items() if entry.flags & bit))
        return Head(trigger, tuple(map(Name, events)), self.selector(entry.subject), by, flags, self.when(entry))

    def when(self, entry: Entry) -> Condition:
        stack: list[_Item] = []
        for _, op, operands in instructions(self.code, entry.when) if entry.when != NONE else ():
            self.evaluate(op, operands, stack)
        return _tests(stack[0]) if stack else ()

    def calls(self, line: int, trigger: str, section: str, address: int) -> Iterator[VerbCall]:
        stack: list[_Item] = []
        guards: list[tuple[int, Guard]] = []
        chains: list[int] = []
        listing = list(instructions(self.code, address))
        for index, (at, op, operands) in enumerate(listing):
            guards = [(end, guard) for end, guard in guards if end > at]
            chains = [end for end in chains if end > at]
            match op:
                case Op.JUMP_IF_NOT:
                    guards.append((operands[0], Guard(_tests(stack.pop()))))
                case Op.JUMP:
                    guard = guards.pop()[1]
                    guards.append((operands[0], Guard(guard.condition, False)))
                case Op.JUMP_IF_NOTHING:
                    chains.append(operands[0])
                case Op.CALL:
                    yield self.call(
                        VerbCall(
                            line, trigger, section, chained=bool(chains), guards=tuple(guard for _, guard in guards)
                        ),
                        operands,
                        stack,
                        [later[2] for later in takewhile(lambda later: later[1] is Op.STORE, listing[index + 1 :])],
                    )
                case _:
                    self.evaluate(op, operands, stack)

    def call(
        self, call: VerbCall, operands: Sequence[int], stack: list[_Item], stores: list[Sequence[int]]
    ) -> VerbCall:
        vocabulary = self.vocabulary
        code, count, who, flags = operands
        verb = self.name(vocabulary.verbs, code)
        signature = vocabulary.verbs[verb]
        items = _pop(stack, count)
        return replace(
            call,
            verb=verb,
            args={param.name: self.argument(param, item) for param, item in zip(signature.params, items, strict=True)},
            who=next((name for name, number in vocabulary.who.items() if number == who), ""),
            may=bool(flags & STEP_MAY),
            after=bool(flags & STEP_AFTER),
            stores=tuple(
                Store(self.name(vocabulary.registers, register), self.name(vocabulary.parts, part))
                for register, part in stores
            ),
            text=f"{verb}({format_arguments(self.texts(signature, items))})",
        )

    def listing(self, address: int) -> Iterator[str]:
        stack: list[_Item] = []
        for at, op, operands in instructions(self.code, address):
            shown = " ".join(map(str, operands))
            match op:
                case Op.SEL | Op.NEED | Op.TARGET:
                    selector = self.selector(operands[-1])
                    shown = "none" if selector is None else format_value(selector)
                    if op is Op.TARGET:
                        shown = f"{self.name(self.vocabulary.registers, operands[0])}={shown}"
                case Op.STORE:
                    part = self.name(self.vocabulary.parts, operands[1])
                    shown = ".".join(filter(None, (self.name(self.vocabulary.registers, operands[0]), part)))
                case Op.CALL:
                    call = self.call(VerbCall(0, "", ""), operands, stack, [])
                    shown = " ".join(
                        [call.text, *filter(None, [call.who])] + ["may"] * call.may + ["after"] * call.after
                    )
                case Op.CMP:
                    shown = OPERATORS[operands[0]]
            if op in (Op.JUMP_IF_NOT, Op.JUMP_IF_NOTHING, Op.JUMP, Op.ASK):
                if op is Op.JUMP_IF_NOT:
                    stack.pop()
            elif op is not Op.CALL:
                self.evaluate(op, operands, stack)
                if op in (Op.AMOUNT, Op.COND):
                    top = stack[-1]
                    shown = format_condition(top) if isinstance(top, tuple) else format_value(_amount(top))
            yield f"{at:6d}  {op.name.lower():<15} {shown}".rstrip()


def steps(program: Program, vocabulary: Vocabulary, trigger: str | None = None) -> Iterator[VerbCall]:
    """Every verb call of every line (with this trigger), decoded, in order: first what is paid, then the body."""
    reader = _Reader(program, vocabulary)
    for line, entry in enumerate(program.entries):
        head = reader.head(entry)
        name = head.trigger if head else ""
        if trigger in (None, name):
            for section, address in (("pay", entry.pay), ("body", entry.body)):
                if address != NONE:
                    yield from reader.calls(line, name, section, address)


def head(program: Program, line: int, vocabulary: Vocabulary) -> Head | None:
    """The decoded head of a line, or None if it has none."""
    return _Reader(program, vocabulary).head(program.entries[line])


def disassemble(program: Program, vocabulary: Vocabulary) -> list[str]:
    """The program as text: a line per entry with its head, then its sections with addresses and instructions."""
    reader = _Reader(program, vocabulary)
    text = []
    for line, entry in enumerate(program.entries):
        head = reader.head(entry)
        text.append(f"line {line}" + (f": {format_head(head)}" if head else ""))
        for section in ("when", "targets", "pay", "body"):
            address = getattr(entry, section)
            if address != NONE:
                text.append(f"  {section}")
                text.extend(reader.listing(address))
    return text
