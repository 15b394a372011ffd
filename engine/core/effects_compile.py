"""From effect lines to a program, and the way back.

`compile_effects` turns lines into a `Program`, a flat tuple of int32 words that a game's rules core runs without
Python, plus one `Entry` per line. The way back (`Program.steps`, `disassemble`) reads the words, not the lines.

Instructions (each the number of `Op`, then its operands; addresses are indices into `Program.code`):

    END                        end of a section, or of an amount routine (its value is on the stack)
    PUSH v                     push v (a number, a word's number, a set of words as a bit mask, a register's number)
    SEL a                      push the address of a selector; -1 = the parameter was left out
    REG r                      push the value of number register r
    AMOUNT f n                 pop n arguments, push amount function f of them
    NEG / ADD v                the top becomes its negative / grows by v
    COND c n                   pop n arguments, push 1 if condition c holds, else 0
    CMP op                     pop b, pop a, push a op b (op = index into `OPERATORS`)
    NOT / AND                  of the top one / two truth values
    JUMP a / JUMP_IF_NOT a     go to a / pop, go to a if it was 0
    JUMP_IF_NOTHING a          go to a unless the last step executed did something (before any step: nothing)
    ASK n a                    before the CALL of a `may` step, n arguments on the stack: the decider may decline; then
                               pop n, the step did nothing, go to a. A game that offers declining inside the verb's
                               own prompt treats ASK as empty and reads STEP_MAY in the CALL
    CALL v n who flags         run verb v on the top n values (in parameter order, all parameters present)
    STORE r part               put a part of the last CALL's result into register r
    TARGET r a                 choose one of selector a into register r; without a candidate the line cannot run
    NEED a                     without a candidate of selector a the line cannot run

A selector at address a: base, n_args, pick, pick_mode, pick_arg, n_filters, args..., filters...
    base >= 0 is a base of the vocabulary, -1-r the content of register r; pick -1 = none given;
    pick_mode 0: pick_arg is a number, 1: pick_arg is the address of an amount routine.
    filter: kind, code, op, n, values...     kind 0 atom with n arguments; 1 attribute op one of n values;
    2 attribute op the amount routine at values[0]; 3 attribute smallest (op 0) or largest (op 1), ties kept.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import takewhile
from typing import NamedTuple, NoReturn, TypeVar

from seatmate.engine.core.effects import (
    EXTREMES,
    OPERATORS,
    Amount,
    Argument,
    Atom,
    Attribute,
    Call,
    Compare,
    Condition,
    EffectError,
    Head,
    Kind,
    Line,
    Name,
    Names,
    Number,
    Param,
    Part,
    Pick,
    Register,
    Selector,
    Sequence,
    Signature,
    Step,
    Store,
    Sum,
    Test,
    Trigger,
    Value,
    Vocabulary,
    format_arguments,
    format_condition,
    format_head,
    format_value,
    parse_line,
    parse_value,
)

NONE = -1
"""An absent who, by, pick, selector, register or section."""

ALL = 2**31 - 1
"""The amount `all`: as many as there are."""

STEP_MAY, STEP_AFTER = 1, 2
LINE_MUST, LINE_MAY, LINE_FORCED = 1, 2, 4
LINE_FLAGS = {"must": LINE_MUST, "may": LINE_MAY, "forced": LINE_FORCED}
FILTER_ATOM, FILTER_VALUES, FILTER_AMOUNT, FILTER_EXTREME = 0, 1, 2, 3
_T = TypeVar("_T")


class Op(enum.IntEnum):
    """Instruction numbers; the module's docstring says what each does."""

    END = 0
    PUSH = 1
    SEL = 2
    REG = 3
    AMOUNT = 4
    NEG = 5
    ADD = 6
    COND = 7
    CMP = 8
    NOT = 9
    AND = 10
    JUMP = 11
    JUMP_IF_NOT = 12
    JUMP_IF_NOTHING = 13
    ASK = 14
    CALL = 15
    STORE = 16
    TARGET = 17
    NEED = 18


OPERANDS = (0, 1, 1, 1, 2, 0, 1, 2, 1, 0, 0, 1, 1, 1, 2, 4, 2, 2, 1)
"""How many words follow each instruction, by its number."""


# ---------------------------------------------------------------- program
class Entry(NamedTuple):
    """One compiled line, all int32. Sections that a line does not have are -1.

    trigger: -1 without a head; events: bit mask; subject: selector; when: routine that leaves a truth value;
    targets: TARGET and NEED instructions; pay, body: steps. Each section ends with END.
    """

    trigger: int
    events: int
    subject: int
    by: int
    flags: int
    when: int
    targets: int
    pay: int
    body: int


@dataclass(frozen=True, slots=True)
class Program:
    """`entries[i]` is the i-th line compiled; addresses in it are indices into `code`."""

    code: tuple[int, ...] = ()
    entries: tuple[Entry, ...] = ()

    def steps(self, vocabulary: Vocabulary, trigger: str | None = None) -> Iterator[VerbCall]:
        """Every verb call of every line (with this trigger), decoded, in order: first what is paid, then the body.

        A simple game folds these into lookup tables when it loads its pack and needs no interpreter.
        """
        reader = _Reader(self, vocabulary)
        for line, entry in enumerate(self.entries):
            head = reader.head(entry)
            name = head.trigger if head else ""
            if trigger in (None, name):
                for section, address in (("pay", entry.pay), ("body", entry.body)):
                    if address != NONE:
                        yield from reader.calls(line, name, section, address)

    def head(self, line: int, vocabulary: Vocabulary) -> Head | None:
        """The decoded head of a line, or None if it has none."""
        return _Reader(self, vocabulary).head(self.entries[line])


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


def suggest(name: str, known: Iterable[str]) -> str:
    """The end of an error message: "; did you mean 'x'?", or the known names if they are few, or nothing."""
    names = sorted(known)
    near = get_close_matches(name[:60], names, n=1) or [other for other in names if other.lower() == name.lower()]
    if near:
        return f"; did you mean '{near[0]}'?"
    return f"; known: {', '.join(names)}" if 0 < len(names) <= 16 else ""


class _Buffer:
    """Code under construction; jump operands count from its start until it is placed."""

    def __init__(self) -> None:
        self.words: list[int] = []
        self.jumps: list[int] = []

    def emit(self, *words: int) -> None:
        self.words.extend(words)

    def jump(self, *words: int) -> int:
        """Emit a jump whose last operand is filled in by `land`."""
        self.emit(*words, NONE)
        self.jumps.append(len(self.words) - 1)
        return len(self.words) - 1

    def land(self, *jumps: int) -> None:
        for jump in jumps:
            self.words[jump] = len(self.words)


class _Compiler:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.text = ""
        self.code: list[int] = []
        self.blocks: dict[tuple[int, ...], int] = {}

    def check_defaults(self) -> None:
        """Raise ValueError if the default of a parameter is not a value of its kind."""
        vocabulary = self.vocabulary
        tables = (vocabulary.verbs, vocabulary.bases, vocabulary.atoms, vocabulary.amounts, vocabulary.conditions)
        for name, signature in ((name, signature) for table in tables for name, signature in table.items()):
            for param in signature.params:
                if isinstance(param.default, str):
                    self.text = param.default
                    try:
                        value = parse_value(param.default)
                        if param.kind is Kind.AMOUNT:
                            self.amount(_Buffer(), value, param.low, param.high)
                        else:
                            self.constant(param, value)
                    except EffectError as error:
                        raise ValueError(
                            f"vocabulary of {vocabulary.game}: default of {name}.{param.name}: {error}"
                        ) from error

    # errors and names
    def fail(self, problem: str, at: int) -> NoReturn:
        raise EffectError(problem, self.text, max(at, 0))

    def find(self, table: Mapping[str, _T], name: str, what: str, at: int) -> _T:
        if name not in table:
            self.fail(f"unknown {what} '{name}'{suggest(name, table)}", at)
        return table[name]

    # placing
    def place(self, buffer: _Buffer) -> int:
        base = len(self.code)
        for jump in buffer.jumps:
            buffer.words[jump] += base
        self.code.extend(buffer.words)
        return base

    def intern(self, words: Iterable[int]) -> int:
        block = tuple(words)
        if block not in self.blocks:
            self.blocks[block] = len(self.code)
            self.code.extend(block)
        return self.blocks[block]

    def section(self, write: Callable[[_Buffer], None]) -> int:
        buffer = _Buffer()
        write(buffer)
        buffer.emit(Op.END)
        return self.place(buffer) if buffer.jumps else self.intern(buffer.words)

    # lines
    def line(self, text: str) -> Entry:
        self.text = text
        line = parse_line(text)
        trigger = events = subject = by = when = targets = pay = NONE
        flags = 0
        if line.head is not None:
            head, vocabulary = line.head, self.vocabulary
            row = self.find(vocabulary.triggers, head.trigger, "trigger", head.at)
            trigger, events = row.code, 0
            if bool(head.events) != bool(row.events):
                takes = "an event" if row.events else "no event"
                self.fail(
                    f"'{head.trigger}' takes {takes}" + suggest("", vocabulary.words.get(row.events, ())), head.at
                )
            for event in head.events:
                events |= 1 << self.find(vocabulary.words[row.events], event.name, "event", event.at)
            if head.subject is not None:
                if not row.subject:
                    self.fail(f"'{head.trigger}' takes no selector", head.subject.at)
                subject = self.selector(head.subject)
            if head.by:
                by = self.find(vocabulary.words.get(row.by, {}), head.by, f"by= of '{head.trigger}'", head.by_at)
            flags = sum(LINE_FLAGS[flag] for flag in head.flags)
            if condition := head.when:
                when = self.section(lambda buffer: self.condition(buffer, condition))
        if line.targets:
            targets = self.section(lambda buffer: self.targets(buffer, line))
        if line.pay:
            pay = self.section(lambda buffer: self.sequence(buffer, line.pay))
        body = self.section(lambda buffer: self.sequence(buffer, line.body))
        return Entry(trigger, events, subject, by, flags, when, targets, pay, body)

    def targets(self, buffer: _Buffer, line: Line) -> None:
        for target in line.targets:
            address = self.selector(target.selector)
            if target.register:
                register = self.find(self.vocabulary.registers, target.register, "register", target.at)
                if register.number:
                    self.fail(f"register {target.register} holds a number, not a choice", target.at)
                buffer.emit(Op.TARGET, register.code, address)
            else:
                buffer.emit(Op.NEED, address)

    def sequence(self, buffer: _Buffer, sequence: Sequence) -> None:
        for item in sequence:
            skips = [buffer.jump(Op.JUMP_IF_NOTHING)] if item.chained else []
            if item.condition:
                self.condition(buffer, item.condition)
                skips.append(buffer.jump(Op.JUMP_IF_NOT))
            if isinstance(item, Step):
                self.step(buffer, item)
            else:
                self.sequence(buffer, item.then)
                if item.otherwise:
                    end = buffer.jump(Op.JUMP)
                    buffer.land(skips.pop())
                    self.sequence(buffer, item.otherwise)
                    skips.append(end)
            buffer.land(*skips)

    def step(self, buffer: _Buffer, step: Step) -> None:
        verb = self.find(self.vocabulary.verbs, step.verb, "verb", step.at)
        who = self.find(self.vocabulary.who, step.who, "who", step.who_at) if step.who else NONE
        self.arguments(buffer, verb, step.verb, step.args, step.at)
        count = len(verb.params)
        ask = [buffer.jump(Op.ASK, count)] if step.may else []
        buffer.emit(Op.CALL, verb.code, count, who, STEP_MAY * step.may | STEP_AFTER * step.after)
        for store in step.stores:
            register = self.find(self.vocabulary.registers, store.register, "register", store.at)
            part = self.find(self.vocabulary.parts, store.part, "part", store.at)
            if register.number != part.number:
                parts = [name for name, other in self.vocabulary.parts.items() if other.number == register.number]
                fitting = " or ".join(f".{name}" if name else "no part" for name in parts)
                self.fail(f"register {store.register} takes {fitting}", store.at)
            buffer.emit(Op.STORE, register.code, part.code)
        buffer.land(*ask)

    # arguments
    def arguments(self, buffer: _Buffer, signature: Signature, name: str, args: tuple[Argument, ...], at: int) -> None:
        for param, value in self.bind(signature, name, args, at):
            if isinstance(value, int):
                buffer.emit(Op.SEL if param.kind is Kind.SELECTOR else Op.PUSH, value)
            elif param.kind is Kind.AMOUNT:
                self.amount(buffer, value, param.low, param.high)
            else:
                op = Op.SEL if param.kind is Kind.SELECTOR else Op.PUSH
                buffer.emit(op, self.constant(param, value))

    def bind(
        self, signature: Signature, name: str, args: tuple[Argument, ...], at: int
    ) -> list[tuple[Param, Value | int]]:
        """Every parameter with its argument, its default as a value, or the number pushed for it."""
        params = {param.name: param for param in signature.params}
        free = [param for param in signature.params if param.kind is not Kind.FLAG]
        flags = params.keys() - {param.name for param in free}
        bound: dict[str, Value | int] = {}
        keyed = False
        for arg in args:
            if arg.key:
                param = self.find(params, arg.key, f"argument of {name}", arg.at)
                keyed = True
            elif isinstance(arg.value, Name) and arg.value.name in flags:
                param = params[arg.value.name]
            elif keyed:
                self.fail("positional arguments come before key=value", arg.at)
            elif not free:
                self.fail(f"{name} takes {self.usage(signature)}", arg.at)
            else:
                param = free.pop(0)
            if param.kind is Kind.FLAG and (arg.key or param.name in bound):
                self.fail(f"'{param.name}' is a flag: write it once, without a value", arg.at)
            if param.name in bound:
                self.fail(f"argument '{param.name}' is given twice", arg.at)
            bound[param.name] = 1 if param.kind is Kind.FLAG else arg.value
        for param in signature.params:
            if param.name not in bound:
                if param.default is None:
                    self.fail(f"{name} needs {param.kind.value} '{param.name}': it takes {self.usage(signature)}", at)
                bound[param.name] = parse_value(param.default) if isinstance(param.default, str) else param.default
        return [(param, bound[param.name]) for param in signature.params]

    @staticmethod
    def usage(signature: Signature) -> str:
        shown = [param.name if param.default is None else f"[{param.name}]" for param in signature.params]
        return f"({', '.join(shown)})"

    def constant(self, param: Param, value: Value) -> int:
        """The word a value compiles to where it must not depend on the position."""
        words = self.vocabulary.words.get(param.words, {})
        match param.kind, value:
            case Kind.NUMBER, Number():
                return self.bounded(value, param.low, param.high)
            case Kind.SELECTOR, Selector() | Name():
                selector = value if isinstance(value, Selector) else Selector(value.name, at=value.at)
                others = self.vocabulary.bases.keys() - set(param.bases)
                if param.bases and selector.base in others:
                    self.fail(f"'{param.name}' starts from {' or '.join('@' + base for base in param.bases)}", value.at)
                return self.selector(selector)
            case Kind.WORD, Name():
                return self.find(words, value.name, f"{param.words} word", value.at)
            case Kind.WORDS, Name() | Names():
                names = (value.name,) if isinstance(value, Name) else value.names
                numbers = {self.find(words, name, f"{param.words} word", value.at) for name in names}
                return sum(1 << number for number in numbers)
            case Kind.REGISTER, Name():
                return self.find(self.vocabulary.registers, value.name, "register", value.at).code
        self.fail(f"'{param.name}' must be {param.kind.value}{suggest('', words)}", value.at)

    def bounded(self, number: Number, low: int, high: int) -> int:
        if not low <= number.value <= high:
            self.fail(f"{number.value} is not within {low}..{high}", number.at)
        return number.value

    # amounts and conditions
    def amount(self, buffer: _Buffer, value: Value, low: int = -(10**9), high: int = 10**9) -> None:
        vocabulary = self.vocabulary
        match value:
            case Number():
                buffer.emit(Op.PUSH, self.bounded(value, low, high))
            case Name(name="all"):
                buffer.emit(Op.PUSH, ALL)
            case Name() if value.name in vocabulary.registers:
                if not vocabulary.registers[value.name].number:
                    self.fail(f"register {value.name} does not hold a number", value.at)
                buffer.emit(Op.REG, vocabulary.registers[value.name].code)
            case Name() | Call():
                numbers = {name: None for name, register in vocabulary.registers.items() if register.number}
                if value.name not in vocabulary.amounts:
                    self.find({**numbers, **vocabulary.amounts, "all": None}, value.name, "amount", value.at)
                    self.fail(f"'{value.name}' takes no arguments", value.at)
                signature = vocabulary.amounts[value.name]
                args = value.args if isinstance(value, Call) else ()
                self.arguments(buffer, signature, value.name, args, value.at)
                buffer.emit(Op.AMOUNT, signature.code, len(signature.params))
            case Sum():
                if value.term == Name("all"):
                    self.fail("'all' takes no sign and no addend", value.at)
                self.amount(buffer, value.term)
                if value.negative:
                    buffer.emit(Op.NEG)
                if value.plus:
                    buffer.emit(Op.ADD, value.plus)
            case _:
                self.fail("expected an amount: a number, all, a register or a count", value.at)

    def routine(self, value: Amount) -> int:
        return self.section(lambda buffer: self.amount(buffer, value))

    def condition(self, buffer: _Buffer, condition: Condition) -> None:
        for index, test in enumerate(condition):
            left = test.left
            if test.right is not None:
                self.amount(buffer, left)
                self.amount(buffer, test.right)
                buffer.emit(Op.CMP, OPERATORS.index(test.op))
            elif isinstance(left, Name | Call):
                signature = self.find(self.vocabulary.conditions, left.name, "condition", test.at)
                self.arguments(buffer, signature, left.name, left.args if isinstance(left, Call) else (), test.at)
                buffer.emit(Op.COND, signature.code, len(signature.params))
            if test.negated:
                buffer.emit(Op.NOT)
            if index:
                buffer.emit(Op.AND)

    # selectors
    def selector(self, selector: Selector) -> int:
        vocabulary = self.vocabulary
        args: list[int] = []
        if selector.base in vocabulary.registers:
            register = vocabulary.registers[selector.base]
            if register.number or selector.args:
                problem = "takes no arguments" if selector.args else "holds a number"
                self.fail(f"register {selector.base} {problem}", selector.at)
            base = -1 - register.code
        else:
            known = {**dict.fromkeys(vocabulary.registers), **vocabulary.bases}
            self.find(known, selector.base, "selector", selector.at)
            base, args = self.inner(vocabulary.bases[selector.base], selector.base, selector.args, selector.at)
        filters: list[int] = []
        pick, pick_mode, pick_arg = NONE, 0, 0
        for index, part in enumerate(selector.filters):
            if isinstance(part, Compare):
                filters += self.compare(part)
            elif part.name in vocabulary.picks:
                if index + 1 < len(selector.filters):
                    self.fail(f"the pick '{part.name}' comes last", part.at)
                pick = vocabulary.picks[part.name].code
                pick_mode, pick_arg = self.pick(part)
            elif part.name in EXTREMES:
                filters += [FILTER_EXTREME, self.extreme(part), EXTREMES.index(part.name), 0]
            else:
                known = {**dict.fromkeys(vocabulary.picks), **dict.fromkeys(EXTREMES), **vocabulary.atoms}
                if part.name in vocabulary.attributes:
                    self.fail(f"attribute '{part.name}' needs a comparison such as {part.name}=...", part.at)
                self.find(known, part.name, "filter", part.at)
                code, values = self.inner(vocabulary.atoms[part.name], part.name, part.args, part.at)
                filters += [FILTER_ATOM, code, 0, len(values), *values]
        count = len(selector.filters) - (pick != NONE)
        return self.intern([base, len(args), pick, pick_mode, pick_arg, count, *args, *filters])

    def inner(self, signature: Signature, name: str, args: tuple[Argument, ...], at: int) -> tuple[int, list[int]]:
        bound = self.bind(signature, name, args, at)
        values = [value if isinstance(value, int) else self.constant(param, value) for param, value in bound]
        return signature.code, values

    def pick(self, part: Atom) -> tuple[int, int]:
        takes = self.vocabulary.picks[part.name].amount
        if len(part.args) != takes or any(arg.key for arg in part.args):
            self.fail(f"'{part.name}' takes {'one amount' if takes else 'no arguments'}", part.at)
        if not takes:
            return 0, 0
        value = part.args[0].value
        if isinstance(value, Number):
            return 0, value.value
        return 1, self.section(lambda buffer: self.amount(buffer, value))

    def extreme(self, part: Atom) -> int:
        if len(part.args) != 1 or part.args[0].key or not isinstance(name := part.args[0].value, Name):
            self.fail(f"'{part.name}' takes one attribute, e.g. {part.name}(cost)", part.at)
        attribute = self.find(self.vocabulary.attributes, name.name, "attribute", name.at)
        if attribute.words:
            self.fail(f"attribute '{name.name}' has words, not numbers", name.at)
        return attribute.code

    def compare(self, part: Compare) -> list[int]:
        vocabulary = self.vocabulary
        attribute = self.find(vocabulary.attributes, part.attribute, "attribute", part.at)
        op, first = OPERATORS.index(part.op), part.values[0]
        if not attribute.words:
            if len(part.values) == 1 and not isinstance(first, Number):
                return [FILTER_AMOUNT, attribute.code, op, 1, self.routine(first)]
            numbers = []
            for value in part.values:
                if not isinstance(value, Number):
                    self.fail(f"alternatives of '{part.attribute}' are numbers", value.at)
                numbers.append(self.bounded(value, attribute.low, attribute.high))
            return [FILTER_VALUES, attribute.code, op, len(numbers), *numbers]
        words = vocabulary.words[attribute.words]
        if part.op not in ("=", "!="):
            self.fail(f"'{part.attribute}' has words: compare with = or !=", part.at)
        known = vocabulary.registers.keys() - words.keys()
        if len(part.values) == 1 and isinstance(first, Name) and first.name in known:
            address = self.intern([Op.REG, vocabulary.registers[first.name].code, Op.END])
            return [FILTER_AMOUNT, attribute.code, op, 1, address]
        found = []
        for value in part.values:
            if not isinstance(value, Name):
                self.fail(f"'{part.attribute}' takes words{suggest('', words)}", value.at)
            found.append(self.find(words, value.name, f"{part.attribute} word", value.at))
        return [FILTER_VALUES, attribute.code, op, len(found), *found]


def compile_effects(lines: Iterable[str], vocabulary: Vocabulary) -> Program:
    """Compile lines into one program; `entries[i]` belongs to the i-th line.

    Raises EffectError for the first wrong line, its `line` set to the index.
    """
    _Compiler(vocabulary).check_defaults()
    compiler = _Compiler(vocabulary)
    entries: list[Entry] = []
    for index, text in enumerate(lines):
        try:
            entries.append(compiler.line(text))
        except EffectError as error:
            raise EffectError(error.problem, error.text, error.position, index) from None
    return Program(tuple(compiler.code), tuple(entries))


def compile_line(text: str, vocabulary: Vocabulary) -> Program:
    """Compile one line into a program with one entry. Raises EffectError."""
    _Compiler(vocabulary).check_defaults()
    compiler = _Compiler(vocabulary)
    entry = compiler.line(text)
    return Program(tuple(compiler.code), (entry,))


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
        for _, op, operands in self.instructions(address):
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

    def evaluate(self, op: Op, operands: tuple[int, ...], stack: list[_Item]) -> None:
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

    def instructions(self, address: int) -> Iterator[tuple[int, Op, tuple[int, ...]]]:
        """Address, instruction and operands up to and without END."""
        while (op := Op(self.code[address])) is not Op.END:
            end = address + 1 + OPERANDS[op]
            yield address, op, self.code[address + 1 : end]
            address = end

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
        for _, op, operands in self.instructions(entry.when) if entry.when != NONE else ():
            self.evaluate(op, operands, stack)
        return _tests(stack[0]) if stack else ()

    def calls(self, line: int, trigger: str, section: str, address: int) -> Iterator[VerbCall]:
        stack: list[_Item] = []
        guards: list[tuple[int, Guard]] = []
        chains: list[int] = []
        listing = list(self.instructions(address))
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
        self, call: VerbCall, operands: tuple[int, ...], stack: list[_Item], stores: list[tuple[int, ...]]
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
        for at, op, operands in self.instructions(address):
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
