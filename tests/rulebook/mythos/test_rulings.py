"""The rulings R1 to R96 by number, and that every number of RULES.md and of the rulebook's examples has a test that can fail.

A number is tested by a case that carries it (mythos_rulings.py, EXAMPLES) or by a function that has it in its name: `test_r5_...`.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import mythos_rulings
from mythos_table import Case, Table, a_game
from seatmate.engine.core.game import State
from seatmate.engine.core.registry import game_spec, new_game
from seatmate.engine.mythos.content import decks
from test_mythos_examples import EXAMPLES

FOLDER = Path(__file__).parent
RULES = Path(decks.__file__).parents[1] / "RULES.md"
PACK = a_game().pack


@pytest.mark.parametrize("case", mythos_rulings.CASES, ids=lambda case: f"{case.card}: {case.what}")
def test_ruling(case: Case) -> None:
    case.check()

# ---- Decks and setup ----


def a_list(cards: int, missions: str = "MSS-01, MSS-02, MSS-03") -> str:
    """A list of so many different characters."""
    return ", ".join([*(f"KS-{number:03d}" for number in range(1, cards + 1)), missions])


@pytest.mark.parametrize(("cards", "legal"), [(29, False), (30, True), (40, True), (41, False)])
def test_r1_thirty_to_forty_characters(cards: int, legal: bool) -> None:
    assert (decks.problems(decks.read_list(a_list(cards), PACK), PACK) == []) is legal


def test_r2_two_of_a_version_any_number_of_a_name() -> None:
    narutos = "2 KS-009, 2 KS-010, 2 KS-108, 2 KS-133, 2 KS-141, 2 KS-145"
    rest = ", ".join([*(f"2 KS-{number:03d}" for number in range(20, 29)), "MSS-01", "MSS-02", "MSS-03"])
    assert decks.problems(decks.read_list(f"{narutos}, {rest}", PACK), PACK) == []
    (problem,) = decks.problems(decks.read_list(f"{narutos}, KS-009, {rest}", PACK), PACK)
    assert "3 x KS-009" in problem


def test_r3_three_different_missions_which_both_seats_may_bring() -> None:
    assert decks.problems(decks.read_list(a_list(30, "MSS-01, MSS-01, MSS-02"), PACK), PACK)
    assert decks.problems(decks.read_list(a_list(30, "MSS-01, MSS-02"), PACK), PACK)
    state = new_game("mythos", options={"deck0": a_list(30), "deck1": a_list(30)}).new_state(1)
    assert state.observation(0)["triples"] == [["MSS-01", "MSS-02", "MSS-03"]] * 2


def after_the_mulligan(answers: tuple[int, int], seed: int, **options: object) -> State:
    """The position at the first turn."""
    state = new_game("mythos", options=options).new_state(seed)
    for seat, answer in enumerate(answers):
        state.apply_action(seat, answer)
    return state


def test_r4_a_mulligan_is_all_or_nothing_at_the_same_time() -> None:
    """Both are asked; the first answer is a secret; who keeps has the same cards, who does not has new ones of the whole deck."""
    returned = 0
    for seed in range(30):
        state = new_game("mythos", options={"first": "0"}).new_state(seed)
        assert state.pending == (0, 1) and state.observation(0)["hand_counts"] == [5, 5]
        hands = [state.observation(seat)["hands"][seat] for seat in (0, 1)]
        before = state.observation(1)
        state.apply_action(0, 1)
        assert state.observation(1) == before, "the other seat sees that something was answered, or what"
        state.apply_action(1, 0)
        after = [state.observation(seat) for seat in (0, 1)]
        assert [after[0]["mulligan"], after[0]["hand_counts"], after[0]["deck"]] == [[2, 1], [7, 7], [23, 23]]
        kept = list(after[1]["hands"][1])
        for card in hands[1]:
            kept.remove(card)
        assert len(kept) == 2, "who keeps the hand has it, and the two cards of the first round"
        returned += any(card in after[0]["hands"][0] for card in hands[0])
    assert 5 < returned < 30, "cards that went back can be drawn again, but need not be"


def test_r5_the_first_turn_is_the_edge_holders() -> None:
    for seed in range(10):
        state = after_the_mulligan((0, 0), seed)
        assert state.pending == (state.observation(0)["edge"],)


def test_r7_a_hidden_character_can_be_revealed_in_the_next_turn() -> None:
    table = Table(hand_a="009").run("put 009 0")
    assert "Ah:009" in table.run("pass").options()
    effect = Table(a="077", hand_a="009 078", reveal_wait=True).run("put 009 1; pass; play 078 0 on 077")
    assert effect.says("asked=A.PLAYCARD") and "Ah:009" in effect.options(), "effects that reveal are never bound"


def test_r8_mission_then_chakra_then_draw() -> None:
    """The first round's mission is open before the income is counted: Chakra Training brings one more at once."""
    options = {"deck0": a_list(30, "MSS-10, MSS-02, MSS-03"), "deck1": a_list(30, "MSS-10, MSS-02, MSS-03"), "first": "0"}
    incomes = {}
    for seed in range(20):
        state = after_the_mulligan((0, 0), seed, **options)
        keys = [event.key for event in state.events(0) if event.key in ("MISSION", "CHAKRA", "DRAW", "DRAW_CARDS")]
        assert keys[-5:] == ["MISSION", "CHAKRA", "CHAKRA", "DRAW_CARDS", "DRAW"]
        seen = state.observation(0)
        incomes[seen["missions"][0]["id"]] = seen["chakra"]
    assert incomes == {"MSS-10": [6, 6], "MSS-02": [5, 5], "MSS-03": [5, 5]}


# ---- R94: the limits of the engine, and that no game is endless ----

def test_r94_a_full_table_takes_no_more_characters() -> None:
    full = Table(" ".join(["h:009"] * 24), " ".join(["h:011"] * 23 + ["086"]), hand_a="010 087", hand_b="087", missions=1, chakra=4)
    assert "no" in full.options() and not {"010", "087", "hide010", "hide087"} & set(full.options())
    assert "087" in full.run("pass").options(), "an upgrade needs no room"


def test_r94_at_most_120_turns_of_a_round_and_40_plays_of_a_turn() -> None:
    table = Table(hand_a="009 002", b="009")
    late = {**table.values, "turn": 121}
    assert table.game.position(late, seed=1).legal_actions(0) == [0]
    assert len(table.game.position({**late, "turn": 120}, seed=1).legal_actions(0)) > 1
    table.run("play 002 0")
    assert "009" in table.options()
    values = table.values
    values["progress"]["plays"] = 40
    assert table.game.position(values, seed=1).legal_actions(0) == [63], "only declining is left"


def loop() -> Table:
    """Two decks that can go on for ever: each Kiba (026) hides the other one, and is paid for by the own Hinata (031), who gains a
    chakra for every enemy play; both Kurenais (034) make the reveal cost one."""
    return Table(a="026 031 034", b="h:026 031 034", chakra=4, chakra_b=4, turn="B", missions=1)


def go_round(table: Table) -> str:
    """One turn of the loop: reveal the Kiba, hide the other one."""
    state, seat = table.state, table.state.pending[0]
    options = table.options()
    wanted = [number for number, option in enumerate(options) if option.endswith("026")]
    state.apply_action(seat, state.legal_actions(seat)[wanted[0] if wanted else 0])
    return options[wanted[0] if wanted else 0]


def test_r94_a_round_without_a_natural_end() -> None:
    """The loop brings the position back, so the rules alone bound no game."""
    table = loop()
    seen = []
    for _ in range(12):
        seen.append([*table.values["chakra"], sorted(map(table.unit_text, table.values["units"])), table.prompt])
        go_round(table)
    assert seen[:4] == seen[4:8] == seen[8:12] and table.prompt == "B TURN"


def test_r94_what_stops_it() -> None:
    """After 120 turns of the round one can only pass; after 332 questions of the game every further one answers itself."""
    table = loop()
    decisions, rounds = 0, {}
    while table.state.pending:
        go_round(table)
        decisions += 1
        rounds[table.values["round"]] = table.values["turn"]
    assert table.state.is_over and table.values["round"] == 4
    assert rounds[1] - 20 <= 122
    assert decisions <= game_spec("mythos").max_decisions
    assert table.values["turn"] + table.values["progress"]["asks"] > 332, "the questions ran out"


def test_r94_ten_units_are_chosen_one_by_one() -> None:
    """134 could hide twelve characters without power; ten is what one step may choose."""
    table = Table("129", " | ".join(["020 021 101"] * 4), hand_a="134").run("play 134 0 on 129")
    for place in range(10):
        assert table.prompt == "A TARGET" and len(table.options()) == 13 - place
        table.answer(table.options()[-2])
    assert table.prompt == "B TURN"
    assert [unit["slot"] for unit in table.values["units"] if unit["up"]] == [0, 1, 2]


@pytest.mark.parametrize(("asks", "over"), [(310, False), (311, False), (312, True), (332, True)])
def test_r94_the_last_questions(asks: int, over: bool) -> None:
    """From 332 questions on (20 of them turns here) the next answer ends the game: all pass, all that is optional is declined."""
    table = Table("h:027 h:009", "011", hand_a="017 107", hand_b="086", missions="MSS-10 MSS-08")
    values = table.values
    values["progress"]["asks"] = asks
    table.state = table.game.position(values, seed=1)
    table.run("pass")
    assert table.state.is_over is over
    if over:
        assert table.values["round"] == 4 and table.values["phase"] == "over"

# ---- That nothing is left out ----


def telling_functions(source: str) -> Iterator[str]:
    """The test functions of a module that assert something that is not a constant, or expect an error."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            inside = list(ast.walk(node))
            asserts = any(isinstance(one, ast.Assert) and not isinstance(one.test, ast.Constant) for one in inside)
            calls = {one.func.id if isinstance(one.func, ast.Name) else one.func.attr
                     for one in inside if isinstance(one, ast.Call) and isinstance(one.func, ast.Name | ast.Attribute)}
            if asserts or calls & {"raises", "check_frequencies"}:
                yield node.name


def numbers_with_tests() -> set[str]:
    """All numbers (R17, T2, X40, K3) that a case or the name of a test function carries."""
    found = {number for case in mythos_rulings.CASES if case.is_telling() for number in case.card.split()}
    for name, (position, script, then) in EXAMPLES.items():
        if Case(name, "", script, then, table=position).is_telling():
            found.add(name.rstrip("bc"))
    for file in [*FOLDER.glob("test_*.py"), *FOLDER.parents[1].joinpath("engine", "mythos").glob("test_*.py")]:
        for name in telling_functions(file.read_text()):
            found |= {word.upper() for word in name.split("_")[1:] if re.fullmatch(r"[rtxk]\d+", word)}
    return found


def test_the_rules_state_every_ruling() -> None:
    """R1 to R96, each in words of its own: at least a few of them follow its number."""
    text = RULES.read_text().split("## 9. Rulings")[1]
    stated = re.split(r"\b(R\d+)\b(?:,| and)?", text)
    numbers = set(stated[1::2])
    assert numbers == {f"R{number}" for number in range(1, 97)}


def test_every_number_has_a_test() -> None:
    rules = RULES.read_text()
    wanted = {f"R{number}" for number in range(1, 97)} | set(re.findall(r"\bR\d+\b", rules))
    wanted |= {f"K{number}" for number in range(1, 11)} | set(re.findall(r"\bK\d+\b", rules))
    wanted |= {f"T{number}" for number in range(1, 15)} | {f"X{number}" for number in range(1, 69)}
    assert not sorted(wanted - numbers_with_tests()), "no test carries these numbers"
    assert not sorted(numbers_with_tests() - wanted), "tests carry numbers that there are not"


def test_empty_tests_count_for_nothing() -> None:
    assert list(telling_functions("def test_r1_nothing() -> None:\n    pass\n")) == []
    assert list(telling_functions("def test_r1_nothing() -> None:\n    assert True\n")) == []
    assert list(telling_functions("def test_r1() -> None:\n    assert decks.problems(1)\n")) == ["test_r1"]
    assert not mythos_rulings.rule("R1", "nothing", "", "").is_telling()
    assert not mythos_rulings.rule("R1", "nothing is done", "", "A0=009", a="009").is_telling()
    assert not [case for case in mythos_rulings.CASES if not case.is_telling()]
    assert len({(case.card, case.what) for case in mythos_rulings.CASES}) == len(mythos_rulings.CASES)
