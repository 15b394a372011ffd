"""Compiled effects: the instructions, and the program that consists of them.

A `Program` is a flat tuple of int32 words that a game's rules core runs without Python, plus one `Entry` per line;
`effects_compile.py` makes it.

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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from seatmate.engine.core.machine import ALL as ALL
from seatmate.engine.core.machine import STEP_AFTER as STEP_AFTER
from seatmate.engine.core.machine import STEP_MAY as STEP_MAY
from seatmate.engine.core.machine import Op as Op

NONE = -1
"""An absent who, by, pick, selector, register or section."""

LINE_MUST, LINE_MAY = 1, 2
LINE_FLAGS = {"must": LINE_MUST, "may": LINE_MAY}
FILTER_ATOM, FILTER_VALUES, FILTER_AMOUNT, FILTER_EXTREME = 0, 1, 2, 3


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


# ---------------------------------------------------------------- reading sections
def instructions(code: Sequence[int], address: int) -> Iterator[tuple[int, Op, Sequence[int]]]:
    """Address, instruction and operands of a section up to and without END; none of a section that a line does not have."""
    while address != NONE and (op := Op(code[address])) is not Op.END:
        end = address + 1 + OPERANDS[op]
        yield address, op, code[address + 1:end]
        address = end


class Called(NamedTuple):
    """A CALL of a section. after: the address behind it · args: None where one depends on the position, a selector as its address ·
    pushed: where each argument gets its value · sure: it is reached whatever holds and was done before."""

    after: int
    verb: int
    who: int
    flags: int
    args: tuple[int | None, ...]
    pushed: tuple[int, ...]
    sure: bool


def trace(code: Sequence[int], address: int) -> tuple[list[Called], set[int]]:
    """The calls of a section, and the addresses between its steps, where no expression is half done."""
    calls: list[Called] = []
    stack: list[tuple[int | None, int]] = []
    between: set[int] = set()
    behind = end = address          # behind: where the furthest jump so far leads to
    for at, op, operands in instructions(code, address):
        if not stack:
            between.add(at)
        match op:
            case Op.PUSH | Op.SEL:
                stack.append((operands[0], at))
            case Op.REG:
                stack.append((None, at))
            case Op.AMOUNT | Op.COND:
                stack[len(stack) - operands[1]:] = [(None, at)]
            case Op.NEG | Op.ADD | Op.NOT:
                stack[-1] = (None, at)
            case Op.CMP | Op.AND:
                stack[-2:] = [(None, at)]
            case Op.JUMP | Op.JUMP_IF_NOT | Op.JUMP_IF_NOTHING:
                behind = max(behind, operands[0])
                stack = stack[:-1] if op is Op.JUMP_IF_NOT else stack
            case Op.CALL:
                verb, count, who, flags = operands
                args = stack[len(stack) - count:]
                del stack[len(stack) - count:]
                calls.append(Called(at + 5, verb, who, flags, tuple(value for value, _ in args), tuple(place for _, place in args),
                                    at >= behind))
        end = at + 1 + len(operands)
    return calls, between if stack or address == NONE else between | {end}
