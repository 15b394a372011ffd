"""Cards in words: every effect of the pack reads as English, and people find the card they mean."""
from __future__ import annotations

import re

import pytest

from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.registry import new_game
from seatmate.engine.mythos.content import pack
from seatmate.engine.mythos.words import cards

PACK = pack.read("standard").content
WORDS = cards.MythosWords(PACK)
EFFECTS = sorted({str(effect) for lines in (*[card.effects for card in PACK.character], *[one.effects for one in PACK.mission])
                  for effect in lines})


@pytest.mark.parametrize("effect", EFFECTS)
def test_every_effect_is_a_sentence(effect: str) -> None:
    said = WORDS.line(effect)
    assert said[0].isupper() and said.endswith(".") and "\n" not in said
    _, _, body = said.partition(": ")
    assert body and not re.search(r"[@{}<>|=_]|\bNone\b|->|  ", said), said
    assert not re.search(r"\b(?!MAIN|UPGRADE|AMBUSH|SCORE|X\b)[A-Z]{2,}\b", said), said
    assert all(number in said for number in re.findall(r"(?<=[<>=]=)\d+|(?<=TOK\()\d+", effect) if int(number) > 1), said


def test_what_must_be_done_says_so_and_nothing_else_does() -> None:
    for effect in EFFECTS:
        assert ("(must)" in WORDS.line(effect)) == bool(re.match(r"\w+ must\b", effect)), effect
        assert "does this" not in WORDS.line(effect) and " do this" not in WORDS.line(effect), effect


@pytest.mark.parametrize(("effect", "sentence"), [
    ("MAIN: DEFEAT(@enemy.here.pow<=3)", "MAIN: defeat an enemy character in this mission with power 3 or less."),
    ("AMBUSH: HIDE(@enemy.up.here.pow<=5)",
     "AMBUSH: turn an enemy face-up character in this mission with power 5 or less face down."),
    ("MAIN when(edge): EDGE(opp) -> TOK(3)",
     "MAIN: if you have the Edge, give the Edge to the opponent; if you did, put 3 Power tokens on this character."),
    ("while: COST(-1, @card.kw=team_8, side=both, min=1)", "Always: Team 8 cards cost 1 less here (at least 1)."),
    ("while: POWER(-count(@friendly.up.here))",
     "Always: this character has -1 power for every friendly face-up character in this mission."),
    ("on ROUND_END may: RETURN(@self)", "At the end of the round: you may return this character to its owner's hand."),
    ("replace HIDE|DEFEAT(@friendly.up.grp=leaf.here) by=enemy may: DEFEAT(@self)",
     "If a friendly face-up Leaf Village character in this mission would be hidden or defeated by an enemy effect: you may "
     "defeat this character instead."),
    ("MAIN: pay {DISCARD(1)>K.card} TOK(cost(K))",
     "MAIN: discard 1 card to put Power tokens equal to the cost of that card on this character."),
    ("MAIN must: opp: CHAKRA(1)", "MAIN (must): the opponent gains 1 chakra."),
    ("SCORE must: RETURN(@friendly.up.here)",
     "SCORE (must): return a friendly face-up character in this mission to its owner's hand."),
    ("while: both: CHAKRA(1)", "Always: both players gain 1 chakra in the start phase."),
    ("MAIN: TOK(count(@any.here))", "MAIN: put 1 Power token on this character for every character in this mission."),
    ("UPGRADE: opp: DEFEAT(@enemy.here.down(2))",
     "UPGRADE: defeat enemy characters in this mission one after the other until 2 are left (the opponent chooses)."),
    ("MAIN: MOVE(@friendly.n(missions(@friendly.up.kw=sound_four)))",
     "MAIN: move as many friendly characters as there are missions with a friendly face-up Sound Four character (all, if they are "
     "fewer) to other missions."),
    ("AMBUSH: LOOK(@enemy.hidden.here)>A -> CONTROL(@A.pcost<=3)",
     "AMBUSH: look at an enemy hidden character in this mission; if you did, take control of it (if it is one with printed cost "
     "3 or less)."),
    ("UPGRADE when(P>=6): POINTS(2)", "UPGRADE: if the character it is laid on had at least 6 power, gain 2 points."),
    ("MAIN when(count(@own.up.here)<count(@enemy.up.here)): MOVE(@enemy.here)",       # 071 counts itself, which is no friend (R41)
     "MAIN: if the number of face-up characters of yours in this mission is less than the number of enemy face-up characters in "
     "this mission, move an enemy character in this mission to another mission."),
    ("AMBUSH: PUT_HIDDEN(oppdeck, any, link)",                                      # 052 may move: the card stays (6.6)
     "AMBUSH: put the top card of the opponent's deck face down in any mission, yours as long as this character stays face up on "
     "your side."),
    ("on ROUND_END when(hand=0): DEFEAT(@self)", "At the end of the round: if your hand is empty, defeat this character."),
    ("while when(winning): PLAY_ONLY()",
     "Always: this card can only be played face-up if you are winning the mission there."),
])
def test_what_sentences_say(effect: str, sentence: str) -> None:
    assert effect in EFFECTS
    assert WORDS.line(effect) == sentence


def test_cards_are_found_by_number_title_place_and_hand() -> None:
    game = new_game("mythos", options={"deck0": "leaf", "deck1": "sand", "first": "0"})
    state = game.new_state(5)
    view = state.observation(0)
    for text in ("KS-009", "ks-009", "9", "genin of the leaf village"):
        first = game.describe(view, 0, text)[0]
        assert first.startswith("[bold]Naruto Uzumaki, Genin of the Leaf Village[/bold] (KS-009): 2 chakra, power 3"), text
    assert "mission" in game.describe(view, 0, "mss-02")[0]
    hand = "\n".join(game.describe(view, 0, "hand"))
    assert all(f"({card})" in hand for card in view["hands"][0])
    assert game.describe(view, SPECTATORS, "#0") == [] == game.describe(view, 0, "pizza") == game.describe(view, 0, "")
    assert "more; say more of the title" in "\n".join(game.describe(view, 0, "the"))


def test_a_hidden_card_is_looked_up_by_its_owner_only() -> None:
    state = new_game("mythos", options={"first": "0"}).new_state(2)
    game = state.game
    for seat in (0, 1):
        state.apply_action(seat, 0)
    put = next(action for action in state.legal_actions(0) if "face down" in state.action_label(0, action))
    state.apply_action(0, put)
    (unit,) = state.observation(0)["units"]
    assert f"({unit['card']})" in game.describe(state.observation(0), 0, f"#{unit['slot']}")[0]
    assert game.describe(state.observation(1), 1, f"#{unit['slot']}") == []
    theirs = "\n".join(game.board_lines(state.observation(1), 1))
    assert f"#{unit['slot']} ? 0" in theirs
    mine = "\n".join(game.board_lines(state.observation(0), 0))
    assert f"#{unit['slot']} {game.faces()[unit['card']].title.partition(' (')[0]} 0" in mine
