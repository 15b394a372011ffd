"""A compiled program read back: decoded steps and disassembly."""

from __future__ import annotations

from seatmate.engine.core.effects import Argument, Call, Head, Name, Selector, Store, Test, format_value
from seatmate.engine.core.effects_compile import compile_effects, compile_line
from seatmate.engine.core.effects_program import LINE_MUST

from .effects_games import DUEL, HYDE, HYDE_LINES
from .effects_reader import Guard, disassemble, head, steps


def test_a_program_can_be_folded_into_tables() -> None:
    program = compile_effects(HYDE_LINES, HYDE)
    faces = [(symbol, number) for symbol in HYDE.words["symbol"] for number in range(1, 6)]
    masks = []
    for step in steps(program, HYDE, "score_place"):
        cards = step.args["cards"]
        assert isinstance(cards, Selector)
        masks.append([cards.matches({"sym": symbol, "num": number}) for symbol, number in faces])
    assert masks[0] == [number == 3 for _, number in faces]
    assert masks[1] == [symbol in ("SIREN", "WEREWOLF") for symbol, _ in faces]
    assert [(step.verb, step.args["n"]) for step in steps(program, HYDE, "score_target")] == [("SETV", 4), ("ADDV", 1)]
    (bonus,) = steps(program, HYDE, "score_total")
    assert (bonus.args["n"], bonus.guards) == (2, (Guard((Test(Name("pawn_here")),)),))
    assert [step.text for step in steps(program, HYDE, "draw")] == ["DRAWTO(4)", "TRIM(3)"]
    (swap,) = steps(program, HYDE, "reveal")
    assert format_value(swap.args["cards"]) == "@revealed.match(sym|num)"  # type: ignore[arg-type]


def test_decoded_steps_say_everything_about_a_step() -> None:
    then, otherwise = "both: may after UNTOK(count(A), @self, upto)>X.done", "PUSH() -> FORGET(K)"
    line = f"play must: pay {{PAY(2, same)}} if upg {{{then}}} else {{{otherwise}}}"
    pay, first, second, third = steps(compile_line(line, DUEL), DUEL)
    assert (pay.section, pay.verb, pay.args) == ("pay", "PAY", {"n": 2, "how": "same"})
    upg = (Test(Name("upg")),)
    assert first.args == {
        "n": Call("count", (Argument(Selector("A")),)),
        "target": Selector("self"),
        "upto": True,
    }
    assert (first.who, first.may, first.after, first.chained) == ("both", True, True, False)
    assert (first.stores, first.guards) == ((Store("X", "done"),), (Guard(upg),))
    assert (second.verb, second.guards, second.chained) == ("PUSH", (Guard(upg, holds=False),), False)
    assert (third.args, third.guards, third.chained) == ({"what": "K"}, (Guard(upg, holds=False),), True)
    assert head(compile_line(line, DUEL), 0, DUEL) == Head("play", flags=("must",))
    assert compile_line(line, DUEL).entries[0].flags == LINE_MUST


DISASSEMBLY = """
line 0: play
  targets
    14  target          C=@item.opp.free
  pay
    18  push            2
    20  push            0
    22  call            PAY(2, same)
  body
    44  sel             @enemy.up
    46  amount          count(@enemy.up)
    49  push            2
    51  cmp             >=
    53  jump_if_not     68
    55  sel             @C
    57  ask             1 68
    60  call            GRAB(@C) opp may
    65  store           A
"""


def test_disassembly_is_readable() -> None:
    program = compile_line("play: C=@item.opp.free, pay {PAY(2, same)} opp: may GRAB(C)>A if count(@enemy.up)>=2", DUEL)
    assert disassemble(program, DUEL) == DISASSEMBLY.strip("\n").splitlines()
