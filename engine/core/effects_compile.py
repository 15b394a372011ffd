"""The compiler of the effect notation: from lines to a `Program` (`effects_program.py` documents its words)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NoReturn, TypeVar

from seatmate.engine.core.effects import (
    OPERATORS,
    Amount,
    Argument,
    Atom,
    Call,
    Compare,
    Condition,
    EffectError,
    Line,
    Name,
    Names,
    Number,
    Selector,
    Sequence,
    Step,
    Sum,
    Value,
)
from seatmate.engine.core.effects_parse import parse_line, parse_value
from seatmate.engine.core.effects_program import (
    ALL,
    FILTER_AMOUNT,
    FILTER_ATOM,
    FILTER_EXTREME,
    FILTER_VALUES,
    LINE_FLAGS,
    NONE,
    STEP_AFTER,
    STEP_MAY,
    Entry,
    Op,
    Program,
)
from seatmate.engine.core.effects_vocabulary import EXTREMES, Kind, Param, Signature, Vocabulary
from seatmate.engine.core.errors import suggest

_T = TypeVar("_T")


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


def constants(vocabulary: Vocabulary, signature: Signature, name: str, args: tuple[Argument, ...]) -> dict[str, int]:
    """The arguments of a verb or selector by name, for a game that compiles to rows of its own. Raises EffectError."""
    bound = _Compiler(vocabulary).bind(signature, name, args, 0)
    return {param.name: value if isinstance(value, int) else _Compiler(vocabulary).constant(param, value) for param, value in bound}


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
