"""The machine that runs compiled effects in C: it reads what the compiler wrote."""
from __future__ import annotations

import pytest

from seatmate.engine.core.effects_compile import compile_line
from seatmate.engine.core.effects_program import STEP_MAY, Op
from seatmate.tests.native import helpers as _testing

from .effects_games import DUEL

X = 100 + 4
"""What the test machine's register X holds: 100 + its number."""


def calls(line: str, *did: bool) -> list[str]:
    """The verbs a line reaches, with their plain numbers, if its steps do something or not (after the last: not)."""
    program = compile_line(line, DUEL)
    verbs = {signature.code: name for name, signature in DUEL.verbs.items()}
    found = _testing.machine_calls(program.code, program.entries[0].body, [*did, *[False] * 9])
    return [f"{'may ' if flags & STEP_MAY else ''}{verbs[verb]}{'' if who < 0 else f' {who}'} {args[0] if args else ''}".strip()
            for verb, who, flags, args in found]


def test_the_instructions_are_the_compilers() -> None:
    numbers = {op.name: op.value for op in Op}
    assert _testing.machine_operations() == {name: number for name, number in numbers.items() if name not in ("TARGET", "NEED")}


@pytest.mark.parametrize(("line", "did", "expected"), [
    ("MAIN: DRAW(1); DISCARD(2)", (), ["DRAW 1", "DISCARD 2"]),
    ("MAIN: DRAW(1) -> DISCARD(2)", (False,), ["DRAW 1"]),
    ("MAIN: DRAW(1) -> DISCARD(2)", (True,), ["DRAW 1", "DISCARD 2"]),
    ("MAIN: DRAW(1) -> DISCARD(2) -> DRAW(3); DRAW(4)", (True, False), ["DRAW 1", "DISCARD 2", "DRAW 4"]),
    ("MAIN: DRAW(1) -> DISCARD(2); DRAW(3)", (False,), ["DRAW 1", "DRAW 3"]),
    ("MAIN: may DRAW(1) -> opp: DISCARD(2)", (True,), ["may DRAW 1", "DISCARD 1 2"]),
    ("MAIN: if upg {DRAW(1); DRAW(2)} else {DRAW(3)}; DRAW(4)", (), ["DRAW 1", "DRAW 2", "DRAW 4"]),
    ("MAIN: if edge {DRAW(1); DRAW(2)} else {DRAW(3)}; DRAW(4)", (), ["DRAW 3", "DRAW 4"]),
    ("MAIN: DRAW(1) if upg & !edge; DRAW(2) if upg & edge; DRAW(3) if !upg", (), ["DRAW 1"]),
    ("MAIN: DRAW(X)>X.done; DRAW(-hand); DRAW(power+3)", (), [f"DRAW {X}", "DRAW -4000", "DRAW 3003"]),
    ("MAIN: DRAW(1) if hand>=4; DRAW(2) if X<P; DRAW(3) if X>=P", (), ["DRAW 1", "DRAW 2"]),
    ("MAIN: DRAW(all)", (), [f"DRAW {2**31 - 1}"]),
])
def test_calls(line: str, did: tuple[bool, ...], expected: list[str]) -> None:
    assert calls(line, *did) == expected


def test_a_routine_has_a_value() -> None:
    program = compile_line("MAIN: MOVE(@friendly.n(hand+2))", DUEL)
    address = next(at for at, word in enumerate(program.code) if tuple(program.code[at:at + 5]) == (Op.AMOUNT, 4, 0, Op.ADD, 2))
    assert _testing.machine_value(program.code, address) == 4002
    assert _testing.machine_value(program.code, -1) == 1, "a condition that is not there holds"
