"""What cards and characters do, in English."""
from __future__ import annotations

import pytest

from seatmate.engine.titans import pack
from seatmate.engine.titans.cards import TitansWords, describe
from titans_table import Table, a_game

CONTENT = pack.read("standard").content
VIEW = {"hands": [["M07", "M15"], None]}


@pytest.mark.parametrize(("asked", "lines"), [
    ("pizza time", [
        "[bold]Pizza Time[/bold] (M07): While your character is active, if its free move is still to come and it has damage: give "
        "up the free move to heal 3 damage of the active character."]),
    ("M18", [
        "[bold]Spinning Shield[/bold] (M18): When a character of yours is attacked: give your character a shield, then after the "
        "attack deal 1 damage to the attacker (if both are in one place)."]),
    ("M20", [
        "[bold]Hold It for Me[/bold] (M20): When an opponent comes to a place with a character of yours: if your character there "
        "burns, move all fire from your character there to that opponent; otherwise put 1 fire on that opponent."]),
    ("G01", [
        "[bold]Deliver the Pizza[/bold] (G01): Fetch the pizza and bring it to the Tower Lounge for 1 point.",
        "    When revealed: Put the pizza on the Pizza Parlour, then the opponent may place or relocate an obstacle anywhere."]),
    ("robin", [
        "[bold]Robin[/bold]: health 7; Contingency Plan (once per turn): Roll the die on its ability again.",
        "    Staff Meeting: Attack in the same place. With a die of 4 or more: +2 damage. With a star, too: Stun the target.",
        "    Hero Reflexes: Give this character an escape token, then move this character one step. With a die of 3 or more: "
        "Attack an adjacent place. With a star, too: Set 2 traps here or next to it."]),
    ("nothing of the kind", []),
    ("", []),
])
def test_rows_are_found_and_said(asked: str, lines: list[str]) -> None:
    assert describe(CONTENT, VIEW, 0, asked) == lines


@pytest.mark.parametrize(("asked", "words"), [
    ("M06", "heal 2 damage of each of your own characters."), ("G03", "put 1 fire on each of your own characters on or next to"),
    ("G10", "then stun one of your own characters."), ("G12", "The opponent does this: give each of its own characters a shield."),
    ("G08", "The opponent may set 1 trap on one of its bases."), ("G04", "on a special place without a character of yours.")])
def test_own_things_are_yours_unless_the_opponent_acts(asked: str, words: str) -> None:
    assert words in describe(CONTENT, VIEW, 0, asked)[-1]


def test_titles_are_no_markup() -> None:
    board = CONTENT.board[0].model_copy(update={"title": "A[red]", "innate": "B[/red]"})
    said = describe(CONTENT.model_copy(update={"board": (board, *CONTENT.board[1:])}), VIEW, 0, "cyborg")
    assert said[0].startswith("[bold]A\\[red][/bold]: health 10; B\\[/red] (once per turn)")


def test_the_own_hand() -> None:
    assert [line.split("]")[1].split("[")[0] for line in describe(CONTENT, VIEW, 0, "hand")] == ["Pizza Time", "Shock Pizza"]
    table = Table(hands=("M01", "M02"))
    assert "Chaos Remote" in table.game.describe(table.state.observation(0), 0, "hand")[0]


def test_every_effect_can_be_said() -> None:
    effects = TitansWords(CONTENT)
    lines = [str(card.effect) for card in CONTENT.mayhem]
    lines += [str(text) for go in CONTENT.go for text in (go.reveal, go.mission, go.aura)]
    lines += [str(text) for board in CONTENT.board for text in (board.effect, *(getattr(ability, tier) for ability in board.ability
                                                                               for tier in ("std", "spc", "star")))]
    said = [effects.line(line) for line in lines if line]
    assert len(said) == 22 + 12 * 2 + 1 + 4 + 24 and all(text.endswith(".") and "@" not in text for text in said)


def test_a_mission_within_a_sentence_keeps_its_capitals() -> None:
    effects = TitansWords(CONTENT)
    said = {str(go.mission): effects.mission(str(go.mission)) for go in CONTENT.go}
    assert said["KO_OPPONENT()"] == "KO an opponent" and said["ROLL_STAR()"] == "see a star rolled on the Mayhem die"
    for line, text in said.items():
        assert effects.line(line) == f"{text[0].upper()}{text[1:]}."


def test_a_short_word_finds_nothing_and_a_common_one_not_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    assert describe(CONTENT, VIEW, 0, "to") == []
    assert len(describe(CONTENT, VIEW, 0, "pizza")) == 4
    monkeypatch.setattr("seatmate.engine.titans.cards.MAX_FOUND", 2)
    assert describe(CONTENT, VIEW, 0, "pizza")[-1] == "[dim]... and 1 more; say more of the title[/dim]"


def test_a_hand_is_the_observers_own() -> None:
    """Also where all hands are public, and where the own one is empty."""
    game = a_game(first_game=True)
    state = game.new_state(1)
    while not all(state.observation(1)["hands"]):        # first the teams are drafted
        state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[0])
    hands = state.observation(1)["hands"]
    assert hands[0] != hands[1]
    for seat in range(2):
        said = "\n".join(game.describe(state.observation(seat), seat, "hand"))
        assert [card for card in (*hands[0], *hands[1]) if f"({card})" in said] == hands[seat]
    assert describe(CONTENT, {"hands": [[], ["M07"]]}, 0, "hand") == []
