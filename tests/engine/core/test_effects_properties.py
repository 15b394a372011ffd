"""What holds for every effect line: random trees, random valid lines, and garbage."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from seatmate.engine.core.effects import (
    OPERATORS,
    RESERVED,
    WHO,
    Argument,
    Atom,
    Branch,
    Call,
    Compare,
    EffectError,
    Head,
    Line,
    Name,
    Names,
    Number,
    Selector,
    Step,
    Store,
    Sum,
    Target,
    Test,
    format_condition,
)
from seatmate.engine.core.effects_compile import compile_effects, compile_line
from seatmate.engine.core.effects_parse import parse_line
from seatmate.engine.core.effects_vocabulary import Kind, Param, Signature, Vocabulary

from .effects_games import DUEL, DUEL_LINES, HYDE, HYDE_LINES, OTHER_LINES
from .effects_reader import disassemble, head, steps
from .effects_text import format_line

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,4}", fullmatch=True).filter(
    lambda name: name not in RESERVED | set(WHO)
)
NUMBERS = st.builds(Number, st.integers(-(10**9) + 1, 10**9 - 1))
PLUS = st.integers(-99, 99)


# ---------------------------------------------------------------- any tree
def trees() -> st.SearchStrategy[Line]:
    """Any syntax tree the grammar can produce."""
    values: st.SearchStrategy[Any] = st.deferred(lambda: st.one_of(amounts, selectors, words))
    keyed = st.lists(st.tuples(NAMES, values), max_size=2, unique_by=lambda pair: pair[0])
    args = st.builds(
        lambda plain, pairs: tuple(map(Argument, plain)) + tuple(Argument(value, key) for key, value in pairs),
        st.lists(values, max_size=2),
        keyed,
    )
    names = st.builds(Name, NAMES)
    words = st.builds(Names, st.lists(NAMES, min_size=2, max_size=3).map(tuple))
    calls = st.builds(Call, NAMES, args)
    sums = st.builds(Sum, st.booleans(), names | calls, PLUS).filter(lambda value: value.negative or value.plus)
    amounts = st.one_of(NUMBERS, names, calls, sums)
    atoms = st.builds(Atom, NAMES, args)
    compares = st.builds(Compare, NAMES, st.sampled_from(OPERATORS), amounts.map(lambda value: (value,)))
    several = st.builds(
        Compare, NAMES, st.sampled_from(["=", "!="]), st.lists(amounts, min_size=2, max_size=3).map(tuple)
    )
    filters = st.lists(st.one_of(atoms, compares, several), max_size=2).map(tuple)
    selectors = st.builds(Selector, NAMES, st.just(()) | args, filters)
    tests = st.builds(Test, names | calls, st.booleans()) | st.builds(
        lambda left, op, right: Test(left, False, op, right), amounts, st.sampled_from(OPERATORS), amounts
    )
    conditions = st.lists(tests, min_size=1, max_size=2).map(tuple)
    stores = st.lists(st.builds(Store, NAMES, st.just("") | NAMES), max_size=2).map(tuple)
    steps = st.builds(
        Step, NAMES, args, st.sampled_from(["", *WHO]), st.booleans(), st.booleans(), stores, st.just(()) | conditions
    )

    def chain(items: list[Step | Branch], arrows: list[bool]) -> tuple[Step | Branch, ...]:
        chained = [False, *arrows]
        return tuple(type(item)(**{**fields(item), "chained": chained[i]}) for i, item in enumerate(items))

    def fields(item: Step | Branch) -> dict[str, Any]:
        return {name: getattr(item, name) for name in item.__dataclass_fields__}

    def sequences(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.builds(
            chain, st.lists(items, min_size=1, max_size=3), st.lists(st.booleans(), min_size=2, max_size=2)
        )

    inner = sequences(steps)
    bodies = sequences(steps | st.builds(Branch, conditions, inner, st.just(()) | inner))
    flags = st.sampled_from([(), ("must",), ("may",)])
    by, when = st.just("") | NAMES, st.just(()) | conditions
    events = st.lists(names, min_size=1, max_size=2).map(tuple)
    heads = st.builds(Head, NAMES, st.just(()), st.none(), by, flags, when) | st.builds(
        Head, NAMES, events, st.none() | selectors, by, flags, when
    )
    targets = st.lists(st.builds(Target, selectors, st.just("") | NAMES), max_size=2).map(tuple)
    return st.builds(Line, st.none() | heads, targets, st.just(()) | inner, bodies)


@QUICK
@given(trees())
def test_parsing_the_text_of_a_tree_gives_the_tree(line: Line) -> None:
    text = format_line(line)
    assert parse_line(text) == line
    assert format_line(parse_line(text)) == text


# ---------------------------------------------------------------- any line of a vocabulary
class Writer:
    """Writes random valid lines of a vocabulary."""

    def __init__(self, draw: Callable[..., Any], vocabulary: Vocabulary) -> None:
        self.draw, self.vocabulary = draw, vocabulary

    def pick(self, names: Any) -> Any:
        return self.draw(st.sampled_from(sorted(names)))

    def maybe(self) -> bool:
        return bool(self.draw(st.booleans()))

    def registers(self, number: bool) -> list[str]:
        return [name for name, register in self.vocabulary.registers.items() if register.number is number]

    def value(self, param: Param, depth: int) -> str:
        words = self.vocabulary.words.get(param.words, {})
        match param.kind:
            case Kind.NUMBER:
                return str(self.draw(st.integers(max(param.low, -9), min(param.high, 9))))
            case Kind.AMOUNT:
                return self.amount(depth, max(param.low, -9), min(param.high, 9))
            case Kind.SELECTOR:
                return self.selector(depth, param.bases)
            case Kind.WORD:
                return str(self.pick(words))
            case Kind.WORDS:
                return "|".join(sorted({self.pick(words), self.pick(words)}))
            case _:
                return str(self.pick(self.vocabulary.registers))

    def call(self, name: str, signature: Signature, depth: int, empty: str = "") -> str:
        args, keyed = [], False
        for param in signature.params:
            if param.kind is Kind.FLAG:
                args += [param.name] if self.maybe() else []
            elif param.default is None or self.maybe():
                args.append((f"{param.name}=" if keyed else "") + self.value(param, depth))
            else:
                keyed = True
        return f"{name}({', '.join(args)})" if args else name + empty

    def amount(self, depth: int, low: int = -9, high: int = 9) -> str:
        kind = self.draw(st.integers(0, 3))
        names = self.registers(number=True)
        if kind == 0 or depth <= 0 or not (names or self.vocabulary.amounts):
            return str(self.draw(st.integers(low, high)))
        if kind == 1 or not names:
            return "all"
        name = str(self.pick([*names, *self.vocabulary.amounts]))
        term = self.call(name, self.vocabulary.amounts[name], depth - 1) if name in self.vocabulary.amounts else name
        return f"{self.pick(['', '-'])}{term}{self.pick(['', '+2', '-1'])}"

    def selector(self, depth: int, bases: tuple[str, ...] = ()) -> str:
        vocabulary = self.vocabulary
        if depth <= 0 or self.maybe():
            plain = [name for name in (bases or vocabulary.bases) if not vocabulary.bases[name].params]
            return ("@" if self.maybe() else "") + str(self.pick([*plain, *self.registers(number=False)]))
        name = self.pick(bases or vocabulary.bases)
        text = "@" + self.call(name, vocabulary.bases[name], depth - 1)
        for _ in range(self.draw(st.integers(0, 2))):
            text += "." + self.filter(depth - 1)
        if vocabulary.picks and self.maybe():
            name = self.pick(vocabulary.picks)
            text += f".{name}" + (f"({self.amount(depth - 1)})" if vocabulary.picks[name].amount else "")
        return text

    def filter(self, depth: int) -> str:
        vocabulary = self.vocabulary
        kind = self.draw(st.integers(0, 2))
        name = self.pick(vocabulary.attributes)
        attribute = vocabulary.attributes[name]
        if kind == 0:
            atom = self.pick(vocabulary.atoms)
            return self.call(atom, vocabulary.atoms[atom], depth)
        if attribute.words:
            values = {self.pick(vocabulary.words[attribute.words]) for _ in range(2)}
            return f"{name}{self.pick(['=', '!='])}{'|'.join(sorted(values))}"
        if kind == 1:
            return f"{self.pick(['min', 'max'])}({name})"
        number = self.draw(st.integers(max(attribute.low, -9), min(attribute.high, 9)))
        return f"{name}{self.pick(OPERATORS)}{number if self.maybe() else self.amount(depth, number, number)}"

    def condition(self, depth: int) -> str:
        tests = []
        for _ in range(self.draw(st.integers(1, 2))):
            name = self.pick(self.vocabulary.conditions)
            test = ("!" if self.maybe() else "") + self.call(name, self.vocabulary.conditions[name], depth)
            tests.append(test if self.maybe() else f"{self.amount(depth)}{self.pick(OPERATORS)}{self.amount(depth)}")
        return " & ".join(tests)

    def step(self, depth: int) -> str:
        vocabulary = self.vocabulary
        verb = self.pick(vocabulary.verbs)
        words = [f"{self.pick(vocabulary.who)}:"] if vocabulary.who and self.maybe() else []
        words += ["may"] * self.maybe() + ["after"] * self.maybe()
        store = f">{self.pick(self.registers(False))}.card" if self.registers(False) and self.maybe() else ""
        words.append(self.call(verb, vocabulary.verbs[verb], depth, "()") + store)
        return " ".join(words + ([f"if {self.condition(depth)}"] if self.maybe() else []))

    def sequence(self, depth: int) -> str:
        text = ""
        for _ in range(self.draw(st.integers(1, 3))):
            text += self.draw(st.sampled_from(["; ", " -> "])) if text else ""
            if depth > 1 and self.maybe():
                text += f"if {self.condition(1)} {{{self.sequence(depth - 1)}}}"
                text += f" else {{{self.sequence(depth - 1)}}}" if self.maybe() else ""
            else:
                text += self.step(depth)
        return text

    def line(self) -> str:
        vocabulary = self.vocabulary
        trigger = self.pick(vocabulary.triggers)
        row = vocabulary.triggers[trigger]
        head = trigger + (f" {self.pick(vocabulary.words[row.events])}" if row.events else "")
        head += f"({self.draw(st.just('@self.up'))})" if row.subject and self.maybe() else ""
        head += f" when({self.condition(2)})" if self.maybe() else ""
        head += self.draw(st.sampled_from(["", " may", " must"]))
        target = (
            f"{self.pick(self.registers(False))}=@item.opp, " if "item" in vocabulary.bases and self.maybe() else ""
        )
        pay = f"pay {{{self.sequence(1)}}} " if self.maybe() else ""
        return f"{head}: {target}{pay}{self.sequence(3)}"


@st.composite
def written(draw: Any, *vocabularies: Vocabulary) -> tuple[str, Vocabulary]:
    vocabulary = draw(st.sampled_from(vocabularies))
    return Writer(draw, vocabulary).line(), vocabulary


@QUICK
@given(written(HYDE, DUEL))
def test_formatting_does_not_change_the_program(case: tuple[str, Vocabulary]) -> None:
    text, vocabulary = case
    program = compile_line(text, vocabulary)
    assert compile_line(format_line(parse_line(text)), vocabulary) == program
    assert all(-(2**31) <= word < 2**31 for word in program.code)


def verbs(items: tuple[Step | Branch, ...]) -> list[str]:
    found = []
    for item in items:
        found += [item.verb] if isinstance(item, Step) else verbs(item.then) + verbs(item.otherwise)
    return found


@QUICK
@given(written(HYDE, DUEL))
def test_a_program_read_back_says_what_was_written(case: tuple[str, Vocabulary]) -> None:
    text, vocabulary = case
    program, line = compile_line(text, vocabulary), parse_line(text)
    found = list(steps(program, vocabulary))
    assert [step.verb for step in found] == verbs(line.pay) + verbs(line.body)
    for step in found:
        (again,) = steps(compile_line(step.text, vocabulary), vocabulary)
        assert again.args == step.args
    said = head(program, 0, vocabulary)
    assert said is not None
    assert line.head is not None
    assert (said.trigger, said.events, said.flags) == (line.head.trigger, line.head.events, line.head.flags)
    if said.when:
        rewritten = compile_line(f"if {format_condition(said.when)} {{{found[-1].text}}}", vocabulary)
        assert next(steps(rewritten, vocabulary)).guards[0].condition == said.when
    assert len(disassemble(program, vocabulary)) > 2


@QUICK
@given(st.lists(written(DUEL), min_size=1, max_size=3))
def test_lines_compiled_together_mean_what_they_mean_alone(cases: list[tuple[str, Vocabulary]]) -> None:
    lines = [text for text, _ in cases]
    together = compile_effects(lines, DUEL)
    assert together == compile_effects(lines, DUEL)
    alone = [step.text for text in lines for step in steps(compile_line(text, DUEL), DUEL)]
    assert [step.text for step in steps(together, DUEL)] == alone


# ---------------------------------------------------------------- any text
PIECES = sorted(
    RESERVED
    | set(WHO)
    | set(DUEL.verbs)
    | set(DUEL.bases)
    | set(DUEL.atoms)
    | set(DUEL.picks)
    | {"in", "all", "X", "A"}
)
SOUP = st.lists(
    st.sampled_from(PIECES + list("@.,:;(){}|&!=<>+-") + ["->", "<=", ">=", "!=", " ", "3", "99999999999"]), max_size=30
)


@st.composite
def damaged(draw: Any) -> str:
    text: str = draw(st.sampled_from(HYDE_LINES + DUEL_LINES + OTHER_LINES))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 6)))
    return f"{text[:start]}{draw(st.text(string.printable, max_size=4))}{text[end:]}"


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=60), SOUP.map("".join), SOUP.map(" ".join), damaged()))
@example("(" * 5000)
@example("F(" * 5000)
@example("if a {" * 5000)
@example("if a " + "& a " * 5000)
@example("F(@a" + ".b" * 5000 + ")")
@example("F(" + "9" * 5000 + ")")
@example("\x00")
@example("MAIN: TOK(١)")
def test_garbage_raises_nothing_but_effect_errors(text: str) -> None:
    for vocabulary in (HYDE, DUEL):
        try:
            compile_line(text, vocabulary)
        except EffectError as error:
            assert 0 <= error.position <= len(text)
