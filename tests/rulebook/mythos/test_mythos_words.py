"""Questions, labels and arguments: each says which card, character or effect it is about."""
from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from rich.text import Text

from mythos_table import Table
from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import new_game


def random_games(games: int) -> Iterator[tuple[State, int]]:
    """Every question of some random games with random decks, and the seat it is for."""
    for seed in range(games):
        choice = random.Random(seed)
        game = new_game("mythos", options={"deck0": f"random:{2 * seed}", "deck1": f"random:{2 * seed + 1}"})
        state = game.new_state(seed, record_events=False)
        while not state.is_over:
            seat = state.pending[0]
            yield state, seat
            state.apply_action(seat, choice.choice(state.legal_actions(seat)))


def test_no_two_questions_in_a_row_read_the_same() -> None:
    """But for those of turns, between which something has happened. The answers of one question differ in words and arguments."""
    before = None
    kinds: set[str | None] = set()
    for state, seat in random_games(60):
        prompt, asked = state.prompt(seat), state.question_text(seat)
        kinds.add(prompt)
        assert asked.endswith("?") and asked[0].isupper() and "None" not in asked and "{" not in asked, asked
        assert prompt in ("TURN", "MULLIGAN") or (seat, asked) != before, asked
        before = (seat, asked)
        legal = state.legal_actions(seat)
        labels = [state.action_label(seat, action) for action in legal]
        assert len(set(labels)) == len(labels) and not any(", no. " in label for label in labels), labels
        assert len({str(state.action_args(seat, action)) for action in legal}) == len(legal)
    assert len(kinds) >= 16, sorted(map(str, kinds))


@pytest.mark.parametrize("prompt", ["DEST", "AMOUNT", "LOCK", "FORCED", "REPLACE"])
def test_a_question_about_a_character_names_it(prompt: str) -> None:
    """In its words and as `about` of every answer, unless chakra is paid."""
    found = 0
    for state, seat in random_games(400):
        if state.prompt(seat) != prompt:
            continue
        args = state.action_args(seat, state.legal_actions(seat)[-1])
        if prompt == "AMOUNT" and "about" not in args:
            assert "how much chakra" in state.question_text(seat)
            continue
        unit = next(unit for unit in state.observation(seat)["units"] if unit["slot"] == args["about"])
        titles = state.game.names                           # type: ignore[attr-defined]
        name = titles.names[titles.card_number[unit["card"]]] if unit["card"] else "hidden character"
        assert name in state.question_text(seat) and f"on mission {'DCBA'[unit['mission']]}" in state.question_text(seat)
        found += 1
        if found == 5:
            return
    assert found


@pytest.mark.parametrize("prompt", ["TURN_MISSION", "PLAYCARD_MISSION", "TURN_ONTO", "CARD_MISSION"])
def test_the_rest_of_a_play_names_its_card(prompt: str) -> None:
    for state, seat in random_games(200):
        if state.prompt(seat) == prompt:
            args = state.action_args(seat, state.legal_actions(seat)[0])
            title = state.game.names.title(args["card"])    # type: ignore[attr-defined]
            assert title in state.question_text(seat)
            return
    raise AssertionError(f"{prompt} never came up")


@pytest.mark.parametrize("prompt", ["MAY", "TARGET", "CARD", "PLAYCARD", "EFFECT", "MISSION"])
def test_a_question_of_an_effect_names_it(prompt: str) -> None:
    """Until it is accepted it says what the effect does, too."""
    for state, seat in random_games(300):
        if state.prompt(seat) == prompt:
            effect = str(state.action_args(seat, state.legal_actions(seat)[0])["effect"])
            said = state.question_text(seat)
            assert re.split(r" \(|:", effect)[0] in said and "effect of" in said, said
            return
    raise AssertionError(f"{prompt} never came up")


ROWS: list[tuple[dict[str, object], list[tuple[str, str]]]] = [
    ({"a": "009 011", "hand_a": "107", "missions": 3}, [
        ("play 107 0", "To which mission do you move your Naruto Uzumaki on mission D?"),
        ("DEST 1", "To which mission do you move your Sakura Haruno on mission D?")]),
    ({"a": " | 010 057 | 009 061", "hand_a": "059"}, [
        ("play 059 0", "which character do you move? (1 of 2, in this order)"),
        ("TARGET A010", "The MAIN effect of your Kidomaru on mission D: which character do you move? (2 of 2, in this order)")]),
    ({"a": "129", "b": "009 011 013", "hand_a": "134"}, [
        ("play 134 0 on 129", "which character do you turn face down? (6 power left)"),
        ("TARGET B009", "which character do you turn face down? (3 power left)")]),
    ({"a": "", "b": "101 | 021", "hand_a": "120"}, [
        ("play 120 0", "on mission D, which character do you defeat?"),
        ("TARGET B101", "on mission C, which character do you defeat?")]),
    ({"a": "105", "b": "009 011 013 016", "hand_a": "132"}, [
        ("play 132 0 on 105", "do you use it?"), ("MAY yes", "which character do you defeat? (2 to go)"),
        ("TARGET B009", "which character do you defeat? (1 to go)")]),
    ({"a": "090", "hand_a": "091", "hand_b": "009 086"}, [
        ("play 091 0 on 090", "do you use it?"), ("MAY yes", "which card of the opponent's hand is discarded?")]),
    ({"a": "003", "hand_a": "004", "discard_a": "009 011"}, [
        ("play 004 0 on 003", "do you use it?"), ("MAY yes", "which card of your discard pile do you take?")]),
    ({"b": "049 009", "hand_a": "108"}, [
        ("play 108 0; TARGET B009", "Your Naruto Uzumaki on mission D is about to be hidden: is your Genma Shiranui on mission")]),
    ({"a": "013", "hand_a": "014 009", "hand_b": "086", "turn": "A"}, [
        ("put 014 0; pass; reveal h:014 on 013; MAY yes", "do you discard 1 card?")]),
    ({"b": "086 069", "hand_a": "067"}, [("play 067 0", "Which character does your Rashomon on mission D hold?")]),
]


@pytest.mark.parametrize(("position", "steps"), ROWS)
def test_questions_as_they_read(position: dict[str, object], steps: list[tuple[str, str]]) -> None:
    table = Table(**position)                               # type: ignore[arg-type]
    for script, asked in steps:
        said = table.run(script).state.question_text(table.state.pending[0])
        assert asked in said

# ---- The board and looking things up ----

PLAIN = """
a an and any are as at be by can do does for from game how is it its many more much not of on only or other out over
please than the this to until was what when whom with you their they all none no nothing empty says others have more
one two three four five six seven eight nine ten keep new seat before i n amount another both comes did equal
everybody give go had if in just known less let long me my number otherwise players plus rest stays that them then there
these where who every exactly
"""
"""Words that nobody needs to look up."""


def plain(line: str) -> str:
    return Text.from_markup(line).plain


def test_every_line_of_the_board_fits_80_columns() -> None:
    """From the first question to the end of the game, for both seats and spectators; the board of four missions fits a screen."""
    lines = longest = 0
    for seed in range(12):
        choice = random.Random(seed)
        state = new_game("mythos", options={"deck0": f"random:{seed}", "deck1": f"random:{seed + 50}"}).new_state(seed)
        while True:
            for observer in (0, 1, SPECTATORS):
                board = [plain(line) for line in state.game.board_lines(state.observation(observer), observer)]
                assert all(len(line) <= 80 for line in board), board
                longest = max(longest, len([line for line in board if not re.match(r"    \S.* chakra\)$", line)]))
                lines += len(board)
            if state.is_over:
                break
            seat = state.pending[0]
            state.apply_action(seat, choice.choice(state.legal_actions(seat)))
    assert lines > 10_000 and longest <= 24, longest


def test_every_word_of_a_table_can_be_looked_up() -> None:
    """Boards, questions and labels, collected in whole games: whatever is no plain word of English is explained or is a card's."""
    found: set[str] = set()
    game = new_game("mythos")
    for state, seat in random_games(25):
        texts = [state.question_text(seat), *[state.action_label(seat, action) for action in state.legal_actions(seat)]]
        if state.prompt(seat) == "TURN":
            texts += [plain(line) for line in state.game.board_lines(state.observation(seat), seat)]
        for text in texts:
            found.update(re.findall(r"[A-Za-z][A-Za-z'-]+|\b[A-D]\b", text))
    view = state.observation(0)
    unknown = sorted(word for word in {word.lower().removesuffix("'s") for word in found} - set(PLAIN.split())
                     if not game.describe(view, 0, word))
    assert not unknown, unknown
    assert len(found) > 300


@pytest.mark.parametrize("word", [
    "hidden", "Power token", "chakra", "edge", "summon", "Team 7", "mission d", "D", "AMBUSH", "as an upgrade", "rules", "board",
    "leaf", "face down", "defeated", "Find the Traitor", "stolen", "#0", "9", "hand"])
def test_words_that_are_looked_up(word: str) -> None:
    table = Table("009", "013", hand_a="014", missions="MSS-03")
    assert table.game.describe(table.state.observation(0), 0, word), word


def test_logs_speak_of_characters_by_name_and_say_who_acts() -> None:
    """What each observer reads in whole games: no words of the machine, no character by its place but unknown hidden ones."""
    lines: set[str] = set()
    for seed in range(25):
        choice = random.Random(seed)
        game = new_game("mythos", options={"deck0": f"random:{2 * seed}", "deck1": f"random:{2 * seed + 1}"})
        state = game.new_state(seed)
        while not state.is_over:
            state.apply_action(state.pending[0], choice.choice(state.legal_actions(state.pending[0])))
        for observer in (0, 1, SPECTATORS):
            lines.update(game.event_text(event, observer) for event in state.events(observer))
        won = game.result_text(state)
        assert re.fullmatch(r"Seat \d wins, (\d+) to (\d+) points(, by the Edge)?\.", won), won
        first, second = map(int, re.findall(r"\d+", won)[1:])
        assert first >= second
    lines.discard("")
    for line in lines:
        assert line[0].isupper() and line.endswith("."), line
        assert not re.search(r"\(#|: (MAIN|UPGRADE|AMBUSH|SCORE)|\bR\d|None|\b(MSS|KS)-", line), line
        assert not re.search(r"\b1 (point|token|card|character|Power token)s\b", line), line
        assert "#" not in line or "hidden character #" in line or " as #" in line or "You see that #" in line, line
    said = "\n".join(sorted(lines))
    for pattern in (r"You use the MAIN effect of ", r"Seat 1 uses the SCORE effect of the mission ",
                    r"Your \w.* moves from mission D to mission",
                    r"Seat 0's .* is defeated\.", r"as an upgrade of ", r"turned face down",
                    r"You win mission [DCBA]( by the Edge)?: power "):
        assert re.search(pattern, said), pattern
