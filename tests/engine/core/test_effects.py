"""The effect notation: grammar, vocabulary, compiler, and the program read back."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from seatmate.engine.core.effects import (
    OPERATORS,
    RESERVED,
    WHO,
    Argument,
    Atom,
    Attribute,
    Branch,
    Call,
    Compare,
    EffectError,
    Head,
    Kind,
    Line,
    Name,
    Names,
    Number,
    Param,
    Pick,
    Register,
    Selector,
    Signature,
    Step,
    Store,
    Sum,
    Target,
    Test,
    Trigger,
    Vocabulary,
    format_condition,
    format_line,
    format_value,
    parse_line,
    parse_value,
)
from seatmate.engine.core.effects_compile import (
    ALL,
    LINE_MAY,
    LINE_MUST,
    NONE,
    OPERANDS,
    Guard,
    Op,
    compile_effects,
    compile_line,
    disassemble,
)
from seatmate.engine.core.errors import PackError


def enum(*words: str) -> dict[str, int]:
    return {word: number for number, word in enumerate(words)}


def table(**rows: tuple[Param, ...]) -> dict[str, Signature]:
    return {name: Signature(code, params) for code, (name, params) in enumerate(rows.items())}


CARDS = Param.selector("cards", bases=["card"])

HYDE = Vocabulary(
    game="hyde",
    triggers={
        name: Trigger(code)
        for code, name in enumerate(
            ["turn_start", "play", "draw", "score_place", "score_target", "score_total", "reveal"]
        )
    },
    verbs=table(
        ZERO=(CARDS,),
        SETV=(CARDS, Param.number("n", low=0, high=9)),
        ADDV=(CARDS, Param.number("n")),
        BONUS=(Param.number("n"),),
        MUST_LEAVE=(),
        NO_PLAY=(),
        REACH=(Param.number("distance"),),
        MULTI=(CARDS,),
        SUBST=(Param.number("number"), Param.number("cost")),
        DRAWTO=(Param.number("n"),),
        TRIM=(Param.number("n"),),
        SWAP=(Param.selector("cards", bases=["revealed"]),),
    ),
    bases=table(card=(), revealed=()),
    atoms=table(match=(Param.word_set("what", "what"),)),
    attributes={"num": Attribute(0, low=1, high=6), "sym": Attribute(1, "symbol")},
    conditions=table(pawn_here=()),
    words={"symbol": enum("SIREN", "WEREWOLF", "BEE", "MEDUSA", "BAT", "EYE"), "what": enum("sym", "num")},
)

UNIT = ("friendly", "own", "enemy", "any", "self", "host", "tgt")
TARGET = Param.selector("target", bases=UNIT)

DUEL = Vocabulary(
    game="duel",
    triggers={
        "MAIN": Trigger(0),
        "UPGRADE": Trigger(1),
        "start": Trigger(2),
        "play": Trigger(3),
        "while": Trigger(4),
        "on": Trigger(5, "event", subject=True, by="cause"),
        "replace": Trigger(6, "replaceable", subject=True, by="cause"),
        "react": Trigger(7, "event"),
    },
    verbs=table(
        TOK=(Param.amount("n"), Param.selector("target", "@self", UNIT)),
        UNTOK=(Param.amount("n"), TARGET, Param.flag("upto")),
        MOVE=(TARGET, Param.word("to", "to", "else")),
        HIDE=(TARGET,),
        DEFEAT=(TARGET,),
        HEAL=(Param.amount("n", low=1, high=20), TARGET),
        DRAW=(Param.amount("n", 1),),
        DISCARD=(Param.amount("n"),),
        GRAB=(Param.selector("card"),),
        PAY=(Param.number("n"), Param.word("how", "how")),
        PLAY=(Param.word_set("from", "zone"), Param.selector("filter", NONE, ["card"]), Param.number("mod", 0)),
        XFERFIRE=(Param.selector("a"), Param.selector("b")),
        IGNITE=(Param.amount("n"), TARGET),
        SHIELD=(TARGET, Param.word_set("verbs", "replaceable")),
        FORGET=(Param.register("what"),),
        PUSH=(),
    ),
    bases=table(
        friendly=(),
        own=(),
        enemy=(),
        any=(),
        self=(),
        host=(),
        tgt=(),
        item=(),
        card=(),
        before=(Param.selector("of", bases=UNIT),),
        near=(Param.number("steps", 1),),
    ),
    atoms=table(
        up=(),
        hidden=(),
        here=(),
        other=(),
        notA=(),
        opp=(),
        free=(),
        within=(Param.number("steps"),),
        touching=(Param.selector("of"),),
        near_to=(Param.register("what"), Param.flag("strictly")),
    ),
    attributes={"name": Attribute(0, "name"), "grp": Attribute(1, "grp"), "pow": Attribute(2), "cost": Attribute(3)},
    picks={
        "one": Pick(0),
        "all": Pick(1),
        "n": Pick(2, amount=True),
        "each": Pick(3),
        "sum": Pick(4, amount=True),
        "down": Pick(5, amount=True),
        "nearest": Pick(6),
    },
    amounts=table(
        count=(Param.selector("set"),),
        groups=(Param.selector("set"),),
        cost=(Param.register("card"),),
        power=(),
        hand=(),
        far=(Param.selector("set"), Param.amount("at_least", "hand")),
    ),
    conditions=table(
        upg=(),
        edge=(),
        linked=(),
        has=(Param.selector("set"),),
        fire=(Param.selector("piece"),),
        boss_near=(Param.number("steps"),),
        at_least=(Param.amount("n"), Param.word("zone", "zone", "hand")),
    ),
    registers={
        "A": Register(0),
        "B": Register(1),
        "C": Register(2),
        "K": Register(3),
        "X": Register(4, number=True),
        "P": Register(5, number=True),
    },
    words={
        "event": enum("PLAYED", "MOVED", "DEFEATED", "ROUND_END", "entered_host"),
        "replaceable": enum("HIDE", "DEFEAT", "MOVE"),
        "cause": enum("you", "enemy", "any"),
        "to": enum("else", "here", "anywhere"),
        "how": enum("same", "any", "diff"),
        "zone": enum("hand", "hidden", "discard"),
        "name": enum("akamaru", "kiba", "gaara"),
        "grp": enum("leaf", "sand", "sound"),
    },
    who={"you": 0, "opp": 1, "both": 2},
)

HYDE_LINES = [
    "score_place: ZERO(@card.num=3)",
    "score_place: ZERO(@card.sym=SIREN|WEREWOLF)",
    "score_target: SETV(@card.num=2, 4)",
    "score_target: ADDV(@card.sym=MEDUSA, 1)",
    "score_total: BONUS(2) if pawn_here",
    "turn_start: MUST_LEAVE()",
    "play: NO_PLAY()",
    "play: SUBST(6, 1)",
    "play: MULTI(@card.num=1)",
    "play: REACH(1)",
    "draw: DRAWTO(4); TRIM(3)",
    "reveal: SWAP(@revealed.match(sym|num))",
]

DUEL_LINES = [
    "react entered_host: if fire(host) {XFERFIRE(@host, @tgt)} else {IGNITE(1, @tgt)}",
    "play: C=@item.opp.free, pay {PAY(2, same)} GRAB(C)",
    (
        "MAIN: if upg {DEFEAT(@friendly.up.name=akamaru)>A -> DEFEAT(@any.here.other.notA)} else "
        "{HIDE(@friendly.up.name=akamaru)>A -> HIDE(@any.up.here.other.notA)}"
    ),
    "start: HEAL(1, @self) if linked",
    "TOK(-count(@friendly.up.here), @self)",
    "MAIN: TOK(groups(@friendly.up.grp=sound)+1, @self)",
    "MAIN: MOVE(@friendly.n(groups(@friendly.up.grp=sound)), else)",
    "MAIN: DEFEAT(@enemy.cost<count(@friendly.hidden))>K.face -> HIDE(@enemy.up.name=K.cost<cost(K)) if upg",
    "UPGRADE must when(has(@friendly.up.here) & !has(@enemy.here)): opp: DEFEAT(@enemy.here.down(2))",
    "MAIN: DISCARD(all)>X.done; DRAW(X)",
    "MAIN: HIDE(@enemy.up.here.pow<=3)>X.pow -> may TOK(X-1) if upg & P>=6",
    "on MOVED|DEFEATED(@self.up) by=you may when(count(@own)<count(@enemy)): HIDE(@enemy.up.here.pow<power)",
    "replace HIDE|DEFEAT(@friendly.up.grp!=leaf|sand.here) by=enemy forced may: DEFEAT(@self)",
    "MAIN: may PLAY(hand|hidden, @card.grp=leaf.name!=gaara, mod=-1)>A; after HIDE(A)",
    "while: SHIELD(@self, HIDE|DEFEAT)",
    "play: A=@enemy.up, B=@friendly.touching(A), need @item.opp, IGNITE(1, B)",
    "MAIN: HIDE(@enemy.up.here.min(cost).all); UNTOK(all, @enemy.pow>=1, upto)",
    "MAIN: GRAB(@before(@enemy.nearest).within(2)); GRAB(@near(4)); GRAB(@near)",
]

# The other games' specs, in this notation: the shape alone must carry them.
OTHER_LINES = [
    "std: ESCAPE(@self); MOVE(@self)",
    "play when(near_own(act) & !stun(act) & stun_supply): STUN(@act)",
    "react attacked: SHIELD(@tgt); after DAMAGE(1, @atk) if same_place",
    "reveal: PLACE(monster, @at(GEAR)); opp: may TRAP(1, @at(GEAR))",
    "opp: may OBST(@border(TV))",
    "own: IGNITE(1, @each.in_or_adj(ANCHOR))",
    "mission: ABILITY_AT(JOY, special)",
    "do: need @opps.tok, STEAL(opps, 1, owner)",
    "use: P=@tile, Q=@tile.after(P), SWAPT(P, Q); EXTRA(1)",
    "passive: DRAW_PLUS(1); HAND_LIMIT(2)",
    "becomes lost_turn: FURIOUS()",
    "end: DMG(1, @self) if boss_near(1)",
    "start: DRAW(1, @self) if hand<=2",
    "BOULDER(1, @before(@pilots.ahead.nearest)); BOMB(3, @near(4)); EXPLODE(@placed)",
    "MOD(value_all, -1); HEAL(1, @team.near(6).one)",
]


# ---------------------------------------------------------------- notation
@pytest.mark.parametrize("text", HYDE_LINES + DUEL_LINES + OTHER_LINES)
def test_lines_of_the_games_are_canonical(text: str) -> None:
    assert format_line(parse_line(text)) == text


def test_examples_of_the_manual_are_canonical() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "effects.md").read_text(encoding="utf-8")
    lines = [line for block in re.findall(r"```effects\n(.*?)```", manual, re.DOTALL) for line in block.splitlines()]
    assert len(lines) >= 12
    assert [format_line(parse_line(line)) for line in lines] == lines


def test_spaces_do_not_matter() -> None:
    tight = "on MOVED(@self)by=you may:A=@item.opp,HIDE(@enemy.pow<=3,@b)>X.done->if!a&b<3{C()}else{D(k=1)}"
    wide = re.sub(r"(->|<=|>|[()@=:,.!&{}<])", r" \t\1 ", tight).replace("- \t>", "->").replace("< \t=", "<=")
    assert parse_line(wide) == parse_line(tight)


def test_syntax_tree_of_a_line() -> None:
    line = parse_line("on MOVED(@self) must: may HIDE(@enemy.pow<3.one)>X.done -> opp: after B(k=-X+2) if !edge")
    assert line == Line(
        head=Head("on", (Name("MOVED"),), Selector("self"), flags=("must",)),
        targets=(),
        pay=(),
        body=(
            Step(
                "HIDE",
                (Argument(Selector("enemy", (), (Compare("pow", "<", (Number(3),)), Atom("one")))),),
                may=True,
                stores=(Store("X", "done"),),
            ),
            Step(
                "B",
                (Argument(Sum(True, Name("X"), 2), "k"),),
                who="opp",
                after=True,
                condition=(Test(Name("edge"), negated=True),),
                chained=True,
            ),
        ),
    )


def test_a_who_word_before_the_colon_is_not_a_trigger() -> None:
    assert parse_line("opp: DRAW(1)").head is None
    assert parse_line("start: opp: DRAW(1)").head == Head("start")


SYNTAX_ERRORS = {
    "": (0, "expected a step"),
    "MAIN:": (5, "expected a step"),
    "MAIN: HIDE(@self": (16, "expected ',' or ')', found the end"),
    "MAIN: HIDE @self": (11, "expected '(' after HIDE"),
    "MAIN: HIDE(@self) ->": (20, "expected a step"),
    "MAIN: HIDE(@self) HIDE(@self)": (18, "expected ';', '->', '>' or 'if'"),
    "MAIN must may: PUSH()": (10, "repeats or contradicts"),
    "MAIN when(edge) when(edge): PUSH()": (16, "repeats or contradicts"),
    "MAIN: foo: PUSH()": (6, "expected one of you, own, opp, both, each"),
    "MAIN: HIDE(@card.sym in SIREN)": (21, "attribute=A|B"),
    "MAIN: PUSH() if !count(@self)=1": (29, "comparison without '!'"),
    "MAIN: PUSH() if 3": (17, "a comparison such as"),
    "MAIN: TOK(1234567890)": (10, "at most 9 digits"),
    "MAIN: F(a=1, a=2)": (13, "given twice"),
    "MAIN: PUSH();\nPUSH()": (13, "one line"),
    "MAIN: PUSH() § PUSH()": (13, "unexpected '§'"),
    "MAIN: if edge PUSH()": (14, "expected '{'"),
    "A=@item PUSH()": (8, "expected '.' or ','"),
    "if(edge) {PUSH()}": (2, "expected a condition"),
    "MAIN: F(" + "count(" * 20: (80, "nested more than"),
    "if a {" * 40 + "F()": (78, "nested more than"),
}


@pytest.mark.parametrize("text", SYNTAX_ERRORS)
def test_syntax_errors_show_the_column_and_what_was_expected(text: str) -> None:
    position, problem = SYNTAX_ERRORS[text]
    with pytest.raises(EffectError) as caught:
        parse_line(text)
    error = caught.value
    assert problem in error.problem
    assert (error.position, error.column) == (position, position + 1)
    assert isinstance(error, PackError)
    assert isinstance(error, ValueError)


def test_the_message_points_at_the_column() -> None:
    with pytest.raises(EffectError) as caught:
        compile_line("score_place: ZER0(@card.num=3)", HYDE)
    assert str(caught.value) == (
        "column 14: unknown verb 'ZER0'; did you mean 'ZERO'?\n    score_place: ZER0(@card.num=3)\n                 ^"
    )


# ---------------------------------------------------------------- vocabulary
NAME_ERRORS = {
    "MAIM: PUSH()": (0, "unknown trigger 'MAIM'; did you mean 'MAIN'?"),
    "on MOVE(@self): PUSH()": (3, "unknown event 'MOVE'; did you mean 'MOVED'?"),
    "on MOVED by=me: PUSH()": (12, "unknown by= of 'on' 'me'; known: any, enemy, you"),
    "on: PUSH()": (0, "'on' takes an event; known: DEFEATED, MOVED, PLAYED"),
    "MAIN MOVED: PUSH()": (0, "'MAIN' takes no event"),
    "react PLAYED(@self): PUSH()": (13, "takes no selector"),
    "MAIN: own: PUSH()": (6, "unknown who 'own'; known: both, opp, you"),
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


def test_several_lines_say_which_one_is_wrong() -> None:
    with pytest.raises(EffectError) as caught:
        compile_effects([*HYDE_LINES, "play: SUBST(6)"], HYDE)
    assert caught.value.line == len(HYDE_LINES)


@pytest.mark.parametrize(
    ("tables", "problem"),
    [
        ({"verbs": {"A": Signature(0), "B": Signature(0)}}, "verbs: numbers must be distinct"),
        ({"verbs": {"may": Signature(0)}}, "'may' is a word of the notation"),
        ({"triggers": {"opp": Trigger(0)}}, "'opp' is a word of the notation"),
        ({"who": {"me": 0}}, "who must be among"),
        ({"bases": {"A": Signature(0)}, "registers": {"A": Register(0)}}, "'A' has two meanings"),
        ({"atoms": {"min": Signature(0)}}, "'min' is built in"),
        ({"amounts": {"all": Signature(0)}}, "'all' is built in"),
        ({"attributes": {"sym": Attribute(0, "symbol")}}, "no enumeration 'symbol'"),
        ({"atoms": {"near": Signature(0, (Param.amount("n"),))}}, "inside a selector"),
        ({"verbs": {"A": Signature(0, (Param.number("a", 1), Param.number("b")))}}, "required parameters come first"),
        ({"verbs": {"A": Signature(0, (Param.word_set("a", "w"),))}, "words": {"w": {"x": 31}}}, "numbers 0..30"),
        (
            {"verbs": {"A": Signature(0, (Param.word("a", "w"), Param.flag("x")))}, "words": {"w": {"x": 1}}},
            "a flag has",
        ),
    ],
)
def test_a_contradictory_vocabulary_is_refused(tables: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        Vocabulary("bad", **tables)


def test_a_wrong_default_is_refused() -> None:
    bad = Vocabulary("bad", verbs={"HIDE": Signature(0, (Param.selector("target", "@self"),))})
    with pytest.raises(ValueError, match=r"default of HIDE\.target"):
        compile_line("HIDE()", bad)


def test_words_of_a_pack_extend_the_vocabulary() -> None:
    line = "MAIN: HIDE(@enemy.name=pakkun)"
    with pytest.raises(EffectError):
        compile_line(line, DUEL)
    assert compile_line(line, DUEL.with_words(name=enum("pakkun"))).entries[0].trigger == 0


# ---------------------------------------------------------------- programs
def test_words_of_a_program() -> None:
    """The layout documented in effects_compile, word by word."""
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


# ---------------------------------------------------------------- reading programs back
def test_hyde_folds_its_program_into_tables() -> None:
    program = compile_effects(HYDE_LINES, HYDE)
    faces = [(symbol, number) for symbol in HYDE.words["symbol"] for number in range(1, 6)]
    masks = []
    for step in program.steps(HYDE, "score_place"):
        cards = step.args["cards"]
        assert isinstance(cards, Selector)
        masks.append([cards.matches({"sym": symbol, "num": number}) for symbol, number in faces])
    assert masks[0] == [number == 3 for _, number in faces]
    assert masks[1] == [symbol in ("SIREN", "WEREWOLF") for symbol, _ in faces]
    assert [(step.verb, step.args["n"]) for step in program.steps(HYDE, "score_target")] == [("SETV", 4), ("ADDV", 1)]
    (bonus,) = program.steps(HYDE, "score_total")
    assert (bonus.args["n"], bonus.guards) == (2, (Guard((Test(Name("pawn_here")),)),))
    assert [step.text for step in program.steps(HYDE, "draw")] == ["DRAWTO(4)", "TRIM(3)"]
    (swap,) = program.steps(HYDE, "reveal")
    assert format_value(swap.args["cards"]) == "@revealed.match(sym|num)"  # type: ignore[arg-type]


def test_a_card_without_a_symbol_matches_no_comparison_of_symbols() -> None:
    for text, expected in {"@card.sym=BEE": False, "@card.sym!=BEE": False, "@card.num>=6": True}.items():
        selector = parse_value(text)
        assert isinstance(selector, Selector)
        assert selector.matches({"num": 6}) is expected


@pytest.mark.parametrize("text", ["@card.up", "@card.num<X+1", "@card.sym<BEE"])
def test_filters_that_need_a_position_do_not_match(text: str) -> None:
    selector = parse_value(text)
    assert isinstance(selector, Selector)
    with pytest.raises(ValueError, match="filter"):
        selector.matches({"num": 3, "sym": "BEE"})


def test_decoded_steps_say_everything_about_a_step() -> None:
    then, otherwise = "both: may after UNTOK(count(A), @self, upto)>X.done", "PUSH() -> FORGET(K)"
    line = f"play must: pay {{PAY(2, same)}} if upg {{{then}}} else {{{otherwise}}}"
    pay, first, second, third = compile_line(line, DUEL).steps(DUEL)
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
    head = compile_line(line, DUEL).head(0, DUEL)
    assert head == Head("play", flags=("must",))
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


# ---------------------------------------------------------------- properties
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,4}", fullmatch=True).filter(
    lambda name: name not in RESERVED | set(WHO)
)
NUMBERS = st.builds(Number, st.integers(-(10**9) + 1, 10**9 - 1))
PLUS = st.integers(-99, 99)


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
    flags = st.sampled_from([(), ("must",), ("may",), ("forced",), ("forced", "may"), ("forced", "must")])
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
    steps = list(program.steps(vocabulary))
    assert [step.verb for step in steps] == verbs(line.pay) + verbs(line.body)
    for step in steps:
        (again,) = compile_line(step.text, vocabulary).steps(vocabulary)
        assert again.args == step.args
    head = program.head(0, vocabulary)
    assert head is not None
    assert line.head is not None
    assert (head.trigger, head.events, head.flags) == (line.head.trigger, line.head.events, line.head.flags)
    if head.when:
        rewritten = compile_line(f"if {format_condition(head.when)} {{{steps[-1].text}}}", vocabulary)
        assert next(rewritten.steps(vocabulary)).guards[0].condition == head.when
    assert len(disassemble(program, vocabulary)) > 2


@QUICK
@given(st.lists(written(DUEL), min_size=1, max_size=3))
def test_lines_compiled_together_mean_what_they_mean_alone(cases: list[tuple[str, Vocabulary]]) -> None:
    lines = [text for text, _ in cases]
    together = compile_effects(lines, DUEL)
    assert together == compile_effects(lines, DUEL)
    alone = [step.text for text in lines for step in compile_line(text, DUEL).steps(DUEL)]
    assert [step.text for step in together.steps(DUEL)] == alone


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
