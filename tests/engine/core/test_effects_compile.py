"""The compiler: names that do not exist, the words of a program, and what it does when it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from seatmate.engine.core.effects import OPERATORS, EffectError
from seatmate.engine.core.effects_compile import compile_effects, compile_line
from seatmate.engine.core.effects_program import ALL, LINE_MAY, NONE, OPERANDS, Op

from .effects_games import DUEL, HYDE, HYDE_LINES

# ---------------------------------------------------------------- names
NAME_ERRORS = {
    "MAIM: PUSH()": (0, "unknown trigger 'MAIM'; did you mean 'MAIN'?"),
    "on MOVE(@self): PUSH()": (3, "unknown event 'MOVE'; did you mean 'MOVED'?"),
    "on MOVED by=me: PUSH()": (12, "unknown by= of 'on' 'me'; known: any, enemy, you"),
    "on: PUSH()": (0, "'on' takes an event; known: DEFEATED, MOVED, PLAYED"),
    "MAIN MOVED: PUSH()": (0, "'MAIN' takes no event"),
    "react PLAYED(@self): PUSH()": (13, "takes no selector"),
    "MAIN: own: PUSH()": (6, "unknown who 'own'; known: both, opp"),
    "MAIN: HIDE(@enmy.up)": (11, "unknown selector 'enmy'; did you mean 'enemy'?"),
    "MAIN: HIDE(@item)": (11, "'target' starts from @friendly or @own"),
    "MAIN: HIDE(@enemy.upp)": (18, "unknown filter 'upp'; did you mean 'up'?"),
    "MAIN: HIDE(@enemy.pow)": (18, "attribute 'pow' needs a comparison"),
    "MAIN: HIDE(@enemy.pwo=3)": (18, "unknown attribute 'pwo'; did you mean 'pow'?"),
    "MAIN: HIDE(@enemy.all.up)": (18, "the pick 'all' comes last"),
    "MAIN: HIDE(@enemy.n)": (18, "'n' takes one amount"),
    "MAIN: HIDE(@enemy.min(name))": (22, "has words, not numbers"),
    "MAIN: HIDE(@enemy.name=akamru)": (23, "unknown name word 'akamru'; did you mean 'akamaru'?"),
    "MAIN: HIDE(@enemy.name<akamaru)": (18, "compare with = or !="),
    "MAIN: HIDE(@enemy.name=3)": (23, "'name' takes words; known: akamaru, gaara, kiba"),
    "MAIN: HIDE(@enemy.pow=3|X)": (24, "alternatives of 'pow' are numbers"),
    "MAIN: HIDE(@enemy.pow<A)": (22, "register A does not hold a number"),
    "MAIN: HIDE(@X)": (11, "register X holds a number"),
    "MAIN: TOK(@enemy)": (10, "expected an amount"),
    "MAIN: TOK()": (6, "TOK needs an amount 'n': it takes (n, [target])"),
    "MAIN: TOK(1, @self, 3)": (20, "TOK takes (n, [target])"),
    "MAIN: TOK(cuont(@self))": (10, "unknown amount 'cuont'; did you mean 'count'?"),
    "MAIN: TOK(X(1))": (10, "'X' takes no arguments"),
    "MAIN: TOK(-all)": (10, "'all' takes no sign"),
    "MAIN: HEAL(21, @self)": (11, "21 is not within 1..20"),
    "MAIN: TOK(1, targte=@self)": (13, "unknown argument of TOK 'targte'; did you mean 'target'?"),
    "MAIN: TOK(n=1, @self)": (15, "positional arguments come before"),
    "MAIN: TOK(1, n=2)": (13, "'n' is given twice"),
    "MAIN: UNTOK(1, @enemy, upto=1)": (23, "is a flag"),
    "MAIN: MOVE(@self, 3)": (18, "'to' must be a word; known: anywhere, else, here"),
    "MAIN: PLAY(hand|lap)": (11, "unknown zone word 'lap'"),
    "MAIN: HIDE(@enemy)>X": (19, "register X takes .done or .pow"),
    "MAIN: HIDE(@enemy)>A.done": (19, "register A takes no part or .card or .face"),
    "MAIN: HIDE(@enemy)>A.crad": (19, "unknown part 'crad'; did you mean 'card'?"),
    "X=@item, PUSH()": (0, "register X holds a number"),
    "MAIN: PUSH() if hass(@enemy)": (16, "unknown condition 'hass'; did you mean 'has'?"),
    "MAIN: FORGET(Z)": (13, "unknown register 'Z'"),
}


@pytest.mark.parametrize("text", NAME_ERRORS)
def test_a_name_that_is_not_in_the_vocabulary_is_an_error(text: str) -> None:
    position, problem = NAME_ERRORS[text]
    with pytest.raises(EffectError) as caught:
        compile_line(text, DUEL)
    assert problem in caught.value.problem
    assert caught.value.position == position


def test_the_message_points_at_the_column() -> None:
    with pytest.raises(EffectError) as caught:
        compile_line("score_place: ZER0(@card.num=3)", HYDE)
    assert str(caught.value) == (
        "column 14: unknown verb 'ZER0'; did you mean 'ZERO'?\n    score_place: ZER0(@card.num=3)\n                 ^"
    )


def test_several_lines_say_which_one_is_wrong() -> None:
    with pytest.raises(EffectError) as caught:
        compile_effects([*HYDE_LINES, "play: SUBST(6)"], HYDE)
    assert caught.value.line == len(HYDE_LINES)


# ---------------------------------------------------------------- words of a program
def test_words_of_a_program() -> None:
    """The layout documented in effects_program, word by word."""
    program = compile_line(
        "replace HIDE|MOVE(@self) by=enemy may when(P>=6): opp: may TOK(X+1, @A.pow=1|4)>B.card", DUEL
    )
    entry = program.entries[0]
    assert (entry.trigger, entry.events, entry.by, entry.flags) == (6, 0b101, 1, LINE_MAY)
    assert (entry.targets, entry.pay) == (NONE, NONE)
    assert program.code[entry.subject : entry.subject + 6] == (4, 0, -1, 0, 0, 0)
    assert program.code[entry.when : entry.body] == (
        *(Op.REG, 5),
        *(Op.PUSH, 6),
        *(Op.CMP, OPERATORS.index(">=")),
        Op.END,
        *(-1 - 0, 0, -1, 0, 0, 1),
        *(1, 2, OPERATORS.index("="), 2, 1, 4),
    )
    selector = entry.body - 12
    assert program.code[entry.body :] == (
        *(Op.REG, 4),
        *(Op.ADD, 1),
        *(Op.SEL, selector),
        *(Op.ASK, 2, entry.body + 17),
        *(Op.CALL, 0, 2, 1, 1),
        *(Op.STORE, 1, 1),
        Op.END,
    )


def test_defaults_flags_and_all_are_filled_in() -> None:
    def pushed(text: str) -> list[int]:
        program = compile_line(text, DUEL)
        return list(program.code[program.entries[0].body :])

    assert pushed("UNTOK(all, self, upto)") == [Op.PUSH, ALL, Op.SEL, 0, Op.PUSH, 1, Op.CALL, 1, 3, -1, 0, Op.END]
    assert pushed("MOVE(self)") == pushed("MOVE(@self, else)") == pushed("MOVE(to=else, target=@self)")
    assert pushed("PLAY(hand|discard)")[:6] == [Op.PUSH, 0b101, Op.SEL, NONE, Op.PUSH, 0]


def test_equal_selectors_are_stored_once() -> None:
    lines = ["HIDE(@enemy.up.name=K)", "DEFEAT(@enemy.up.name=K); TOK(count(@enemy.up.name=K))"]
    program = compile_effects(lines, DUEL)
    addresses = [program.code[entry.body + 1] for entry in program.entries]
    assert addresses[0] == addresses[1]


def test_operand_counts_match_the_instructions() -> None:
    assert len(OPERANDS) == len(Op)


# ---------------------------------------------------------------- programs that run
class Machine:
    """The instruction set in its simplest form: verbs only write down that they ran."""

    def __init__(self, acts: Callable[[str], bool], conditions: Mapping[str, bool], accept: bool = True) -> None:
        self.acts, self.conditions, self.accept = acts, conditions, accept
        self.log: list[str] = []

    def run(self, text: str, section: str = "body") -> list[str]:
        program = compile_line(text, DUEL)
        code, pc = program.code, getattr(program.entries[0], section)
        names = {
            table: {row.code: name for name, row in getattr(DUEL, table).items()} for table in ("verbs", "conditions")
        }
        stack: list[int] = []
        did = False
        while (op := Op(code[pc])) is not Op.END:
            args = code[pc + 1 : pc + 1 + OPERANDS[op]]
            pc += 1 + OPERANDS[op]
            match op:
                case Op.PUSH | Op.SEL:
                    stack.append(args[0])
                case Op.REG:
                    stack.append(0)
                case Op.AMOUNT:
                    del stack[len(stack) - args[1] :]
                    stack.append(1)
                case Op.NEG:
                    stack.append(-stack.pop())
                case Op.ADD:
                    stack.append(stack.pop() + args[0])
                case Op.COND:
                    del stack[len(stack) - args[1] :]
                    stack.append(self.conditions[names["conditions"][args[0]]])
                case Op.CMP:
                    right, left = stack.pop(), stack.pop()
                    stack.append([left == right, left != right, left < right, left <= right][args[0]])
                case Op.NOT:
                    stack.append(not stack.pop())
                case Op.AND:
                    stack.append(stack.pop() & stack.pop())
                case Op.JUMP:
                    pc = args[0]
                case Op.JUMP_IF_NOT:
                    pc = pc if stack.pop() else args[0]
                case Op.JUMP_IF_NOTHING:
                    pc = pc if did else args[0]
                case Op.ASK:
                    if not self.accept:
                        del stack[len(stack) - args[0] :]
                        did, pc = False, args[1]
                case Op.CALL:
                    values = [stack.pop() for _ in range(args[1])][::-1]
                    verb = names["verbs"][args[0]]
                    self.log.append(f"{verb}{values[0] if verb in ('TOK', 'DRAW') else ''}")
                    did = self.acts(verb)
                case Op.STORE:
                    self.log.append(f">{args[0]}.{args[1]}")
        assert stack == [] if section == "body" else len(stack) == 1
        return self.log if section == "body" else [str(bool(stack[0]))]


def run(text: str, *failing: str, accept: bool = True, section: str = "body", **conditions: bool) -> list[str]:
    return Machine(lambda verb: verb not in failing, conditions, accept).run(text, section)


def test_arrow_runs_only_after_a_step_that_did_something() -> None:
    line = "HIDE(self) -> DEFEAT(self) -> TOK(1); PUSH()"
    assert run(line) == ["HIDE", "DEFEAT", "TOK1", "PUSH"]
    assert run(line, "HIDE") == ["HIDE", "PUSH"]
    assert run(line, "DEFEAT") == ["HIDE", "DEFEAT", "PUSH"]


def test_arrow_looks_at_the_last_step_executed_not_at_a_skipped_one() -> None:
    line = "HIDE(self) if edge; DEFEAT(self) if upg -> TOK(1)"
    assert run(line, edge=True, upg=False) == ["HIDE", "TOK1"]
    assert run(line, "HIDE", edge=True, upg=False) == ["HIDE"]
    assert run(line, edge=False, upg=False) == []


def test_a_declined_step_did_nothing_and_stores_nothing() -> None:
    line = "TOK(5); may DISCARD(1)>X.done -> DRAW(1)"
    assert run(line) == ["TOK5", "DISCARD", ">4.3", "DRAW1"]
    assert run(line, accept=False) == ["TOK5"]


@pytest.mark.parametrize(("upg", "edge"), [(False, False), (False, True), (True, False), (True, True)])
def test_branches(upg: bool, edge: bool) -> None:
    line = "if upg & !edge {HIDE(self) -> TOK(1)} else {if edge {TOK(2)} else {TOK(3)}; TOK(4)}; PUSH()"
    first = ["HIDE", "TOK1"] if upg and not edge else [f"TOK{2 if edge else 3}", "TOK4"]
    assert run(line, upg=upg, edge=edge) == [*first, "PUSH"]


def test_amounts_and_comparisons() -> None:
    assert run("TOK(-count(@self)+3); TOK(X-1); TOK(-2)") == ["TOK2", "TOK-1", "TOK-2"]
    assert run("MAIN when(count(@self)<2 & hand!=1): PUSH()", section="when") == ["False"]
    assert run("MAIN when(count(@self)<=1 & edge): PUSH()", section="when", edge=True) == ["True"]
