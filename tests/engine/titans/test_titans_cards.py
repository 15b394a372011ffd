"""What cards and characters do, in English."""
from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from seatmate.engine.titans.content import pack
from seatmate.engine.titans.words.cards import TitansWords, describe
from seatmate.engine.titans.words.glossary import _TERMS
from titans_table import Table, a_game

CONTENT = pack.read("standard").content
VIEW = {"hands": [["M07", "M15"], None]}


def told(view: Mapping[str, Any], asked: str, observer: int = 0) -> str:
    """What is found, on one line."""
    return " ".join(" ".join(describe(CONTENT, view, observer, asked)).split())


@pytest.mark.parametrize(("asked", "said"), [
    ("pizza time", "[bold]Pizza Time[/bold] (M07): While your character is active, if its free move is still to come "
                   "and it has damage: "
     "give up the free move to heal 3 damage of the active character."),
    ("M18", "[bold]Spinning Shield[/bold] (M18): When a character of yours is attacked: give your character a shield, "
            "then after the "
     "attack deal 1 damage to the attacker (if both were on the same place)."),
    ("M20", "[bold]Hold It for Me[/bold] (M20): When an opponent comes to a place with a character of yours: if your "
            "character there "
     "burns, move all fire tokens from your character there to that opponent; otherwise put 1 fire token on that opponent."),
    ("G01", "[bold]Deliver the Pizza[/bold] (G01), a mission: fetch the pizza and bring it to the Tower Lounge for 1 point. "
     "When revealed: Put the pizza on the Pizza Parlour, then the opponent may place or relocate an obstacle on any border."),
    ("robin", "[bold]Robin[/bold]: health 7; Contingency Plan (once per turn): Roll the die on its ability again. "
     "Staff Meeting: Attack an opponent on the same place. Special effect, with a die of 4 or more: +2 damage. Star "
     "effect, with the "
     "special effect and a star on the Mayhem die: Stun the target. "
     "Hero Reflexes: Give this character an escape token, then you may move this character one step. Special effect, "
     "with a die of 3 or "
     "more: Attack an opponent on an adjacent place. Star effect, with the special effect and a star on the Mayhem "
     "die: Set 2 traps on "
     "this character's place or an adjacent one."),
    ("nothing of the kind", ""),
    ("", ""),
])
def test_rows_are_found_and_said(asked: str, said: str) -> None:
    assert told(VIEW, asked) == said


@pytest.mark.parametrize(("asked", "words"), [
    ("M06", "heal 2 damage of each of your own characters."),
    ("G03", "put 1 fire token on each of your own characters on the Docks or an adjacent place."),
    ("G10", "then stun one of your own characters."), ("G12", "The opponent must give each of its own characters a shield."),
    ("G08", "The opponent may set 1 trap on one of its bases."), ("G04", "on a special place without a character of yours."),
    ("G05", "The opponent may place or relocate an obstacle on a border of the Tower Lounge.")])
def test_own_things_are_yours_unless_the_opponent_acts(asked: str, words: str) -> None:
    assert words in told(VIEW, asked)


@pytest.mark.parametrize(("asked", "words"), [
    ("M05", ": you may place or relocate an obstacle on any border, twice."), ("M09", ": you may put the active "
                                                                                      "character on any other"),
    ("M11", ": you may move the active character one step, twice."), ("M19", ": you must move your character one step."),
    ("M21", "if a character of yours is on its place or an adjacent one: you must push it to an adjacent place."),
    ("starfire", "You may pull an opponent or the mate from an adjacent place"), ("M13", ": bring the mate to the "
                                                                                         "place of the active")])
def test_what_may_be_declined_says_you_may(asked: str, words: str) -> None:
    assert words in told(VIEW, asked)


def test_every_declinable_step_is_said_so() -> None:
    """The question has a "decline" exactly where the text says "may"."""
    effects = TitansWords(CONTENT)
    lines = [str(card.effect) for card in CONTENT.mayhem] + [str(go.reveal) for go in CONTENT.go if go.reveal]
    lines += [str(text) for board in CONTENT.board for text in (board.effect, *(getattr(ability, tier) for ability in board.ability
                                                                               for tier in ("std", "spc", "star")))]
    for line in lines:
        optional = len(re.findall(r"\b(?:MOVE|OBST|PULL|PUSH|DISPLACE|TELEPORT)\((?!@tgt, compelled)", line))
        optional += line.count("may TRAP")
        said = effects.line(line).lower()
        assert said.count(" may ") + said.count(", twice") == optional, said
        assert ("you must " in said) == ("compelled" in line)


def test_words_of_distance_mean_one_thing() -> None:
    """"The same place", "adjacent", "its place or an adjacent one"; nothing is near, nearby, next to or here."""
    for text in (*everything(), *(meaning for _, *both in _TERMS for meaning in both)):
        assert not re.search(r"\b(near|nearby|next to|close to|here)\b", text), text


def everything() -> list[str]:
    """The texts of all cards, characters and places, in both kinds of mode."""
    names = [*(card.id for card in CONTENT.mayhem), *(go.id for go in CONTENT.go), *(board.key for board in CONTENT.board),
             *(tile.key for tile in CONTENT.tile)]
    return [told({**VIEW, "mode": mode}, name) for mode in ("duel", "ffa3") for name in names]


@pytest.mark.parametrize(("asked", "mode", "words"), [
    ("stun", "duel", "has only one of these in its turn"), ("stunned", "duel", "has only one of these"),
    ("escape", "duel", "may give it up to move one step"), ("mission", "duel", "Each team has one GO! card"),
    ("fire", "duel", "In recovery every character with fire tokens"), ("legend", "duel", "### is an obstacle"),
    ("rules", "duel", "engine/titans/RULES.md"), ("docks", "duel", "Robot Rampage and Return to Sender"),
    ("black base a", "duel", "a base of the black team"), ("cyborg", "ffa3", "belongs to nobody"),
    ("flamethrower", "ffa3", "gets a fire token"),
    ("trap", "ffa3", "also their owner's"), ("star", "duel", "Its number is the damage of every attack"),
    ("escape token", "duel", "may give it up to move one step"), ("starf", "duel", "Starfire[/bold]: health 8")])
def test_words_of_the_game_are_looked_up(asked: str, mode: str, words: str) -> None:
    assert words in told({**VIEW, "mode": mode}, asked)


def test_a_word_finds_what_it_means_in_its_mode_only() -> None:
    assert "Starfire" not in told(VIEW, "fire") and "health 10" not in told({**VIEW, "mode": "ffa3"}, "cyborg")
    for asked in ("mission", "Docks", "G01", "point"):
        assert "Only in the modes with teams" in told({**VIEW, "mode": "ffa3"}, asked), "the free-for-all has none"
    assert told({**VIEW, "mode": "ffa3"}, "M03").startswith("Only in the modes with teams: "), "nor this card"


def test_titles_are_no_markup() -> None:
    board = CONTENT.board[0].model_copy(update={"title": "A[red]", "innate": "B[/red]"})
    said = describe(CONTENT.model_copy(update={"board": (board, *CONTENT.board[1:])}), VIEW, 0, "cyborg")
    assert said[0].startswith("[bold]A\\[red][/bold]: health 10; B\\[/red] (once per turn)")


def test_the_own_hand() -> None:
    assert re.findall(r"\[bold\](.*?)\[", told(VIEW, "hand")) == ["Pizza Time", "Shock Pizza"]
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
    assert said["KO_OPPONENT()"] == "KO an opponent" and said["ROLL_STAR()"] == "have a star rolled on the Mayhem die"
    for line, text in said.items():
        assert effects.line(line) == f"{text[0].upper()}{text[1:]}."


def test_a_short_word_finds_nothing_and_a_common_one_not_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    assert describe(CONTENT, VIEW, 0, "to") == []
    assert [card for card in ("M07", "M15", "G01") if f"({card})" in told(VIEW, "pizza")] == ["M07", "M15", "G01"]
    monkeypatch.setattr("seatmate.engine.titans.words.cards.MAX_FOUND", 2)
    assert describe(CONTENT, VIEW, 0, "pizza")[-1] == "[dim]... and 2 more; say more of the title[/dim]"


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
    assert "(M07)" not in told({"hands": [[], ["M07"]]}, "hand")
