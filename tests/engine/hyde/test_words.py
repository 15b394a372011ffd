"""Hyde in words: every answer, every event, the board in every phase, results and reasons as a person reads them."""
from __future__ import annotations

import pytest
from rich.text import Text

from hyde_table import Down, Table
from seatmate.engine.core.game import SPECTATORS, SeenEvent
from seatmate.engine.core.registry import new_game
from seatmate.engine.hyde.words.words import CARD_POINT, FEATURES, REACH, TURN, card_number, card_text

GAME = Table("enid", "ajax").game


# ---- Cards ----

def test_card_texts_read_back() -> None:
    for card in (0, 17, 29, 30, 29 + 32, 3 + 32 * 40):
        assert card_number(card_text(card)) == card
    assert card_text(22) == "BAT-3" and card_text(22 + 64) == "BAT-3@2" and card_text(30) == "SIX"


@pytest.mark.parametrize("text", ["", "BAT", "BAT-", "BAT-6", "BAT-0", "bat-3", "CAT-3", "BAT-3@", "BAT-3@x", "BAT--3"])
def test_what_is_not_a_card(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        card_number(text)


# ---- Answers ----

def labels(table: Table) -> list[str]:
    return [table.state.action_label(table.asked, action) for action in table.state.legal_actions(table.asked)]


def test_labels_of_the_draft() -> None:
    state = new_game("hyde", seats=2, options={"start_seat": "0"}).new_state(1)
    assert [state.action_label(0, action) for action in state.legal_actions(0)] == [
        "Play Wednesday", "Play Enid", "Play Bianca", "Play Ajax", "Play Eugene", "Play Yoko"]
    assert state.action_args(0, 2) == {"outcast": "bianca"}


def test_labels_of_a_move() -> None:
    assert labels(Table("enid", "ajax", pawns={0: "crypt"})) == [
        "Move to the Academy", "Stay at the Crypt", "Move to Jericho", "Move to the Forest"]


def test_labels_of_a_play_say_what_the_card_counts_there() -> None:
    table = Table("bianca", "ajax", hands={0: "BEE-2 BAT-3 BAT-4"}, thing="EYE-1", thing_at=0,
                  targets={"crypt": "twin_target"}).move("crypt")
    assert labels(table) == ["Play Bee 2 at the Crypt (counts 4)", "Play Bat 3 at the Crypt (counts 0)",
                             "Play Bat 4 at the Crypt (counts 4)", "Play the six at the Crypt (counts 6)",
                             "Play Thing's Eye 1 at the Crypt (counts 1)"]
    assert labels(table.play("SIX")) == [
        "Discard Bee 2 to play the six", "Discard Bat 3 to play the six", "Discard Bat 4 to play the six",
        "Swap Bee 2 for Thing's Eye 1 and discard that to play the six",
        "Swap Bat 3 for Thing's Eye 1 and discard that to play the six",
        "Swap Bat 4 for Thing's Eye 1 and discard that to play the six"]


def test_labels_of_yokos_swaps() -> None:
    table = Table("yoko", "ajax", hands={0: "BEE-2 EYE-1"}, deck="BEE-1 BAT-3 BAT-4", rest="jericho", thing="EYE-1",
                  thing_at=0, targets={"crypt": "twin_target"}).move("crypt")
    assert labels(table)[-2:] == ["Play Thing's Eye 1 at the Crypt (counts 1)",
                                  "Swap Bee 2 for Thing's Eye 1 and play that at the Crypt (counts 1)"]
    assert labels(table.play("EYE-1"))[-1] == "Swap Bat 4 for Thing's Eye 1 and discard that"


def test_labels_of_several_1s() -> None:
    table = Table("ajax", "enid", hands={0: "BEE-1 BAT-1 BAT-4"}, thing="EYE-1", thing_at=0,
                  targets={"crypt": "lone_target"}).move("crypt").play("BEE-1")
    assert labels(table) == ["Also play Bat 1 at the Crypt (counts 3)", "Also play Thing's Eye 1 at the Crypt (counts 3)",
                             "Play no more cards"]


def test_labels_of_eugenes_places() -> None:
    table = Table("eugene", "ajax", attacked="crypt", pawns={0: "crypt"}).stay()
    assert labels(table) == ["Play no card", "Play a card at Jericho", "Play a card at the Forest"]
    assert [table.state.action_args(0, action) for action in table.state.legal_actions(0)] == [
        {"answer": "play_nothing"}, {"place": "jericho"}, {"place": "forest"}]


def test_labels_of_yokos_discard_and_of_thing() -> None:
    table = Table("yoko", "enid", hands={0: "BEE-1 BAT-2"}, deck="BAT-4 EYE-3", rest="crypt", thing="EYE-5", thing_at=0)
    table.move("academy")
    assert labels(table) == ["Discard Bee 1", "Discard Bat 2", "Discard Bat 4", "Discard Eye 3",
                             *(f"Swap {card} for Thing's Eye 5 and discard that"
                               for card in ("Bee 1", "Bat 2", "Bat 4", "Eye 3"))]
    table.throw("BEE-1")
    assert labels(table) == ["Give Thing Bat 2 and take Eye 5", "Give Thing Bat 4 and take Eye 5",
                             "Give Thing Eye 3 and take Eye 5", "Leave Eye 5 with Thing"]
    table.give("keep")
    assert labels(table) == ["Keep Thing here", "Send Thing to Enid (seat 1)"]
    refill = Table("enid", "yoko", hands={0: "BAT-2"}, deck="", discard="", rest="crypt", thing="EYE-5", thing_at=0)
    assert labels(refill.move("forest").play("thing")) == ["Give Thing Bat 2"]


def test_labels_of_signals() -> None:
    table = Table("enid", "ajax", signals=True, thing_at=1, attacked="crypt pilgrim_world painting_shed forest",
                  saved="crypt pilgrim_world painting_shed").move("academy")
    assert labels(table) == ["Say nothing", "Say: leave Jericho to me", "Say: Jericho needs more effort",
                             "Say: my help at Jericho was small"]


def test_labels_of_wednesdays_swap() -> None:
    table = Table("wednesday", "enid", hands={0: "EYE-4 BAT-4 SIREN-1"}, last="crypt",
                  piles={"crypt": [Down("BEE-4", by=1)]}).strike()
    assert labels(table) == ["Take the revealed Bee 4", "Swap no card"]
    assert labels(table.take("BEE-4")) == ["Give Bat 4 for it", "Give Eye 4 for it"]


# ---- Events ----

BAT3, EYE5_AGAIN, SIX = 22, 29 + 32, 30
TEXTS: list[tuple[str, tuple[int, ...], int, str]] = [
    ("RING", (5, 1, 2, 3, 4), 0, "The places lie in a ring: Forest, Crypt, Jericho, Pilgrim World, Painting Shed."),
    ("TARGETS", (0, 1, 2, 3, 4), 0, "Targets: Twin Target at the Crypt, Lone Target at Jericho, Gorgon Target at Pilgrim "
     "World, Bat Target at the Painting Shed, Eye Target at the Forest."),
    ("START", (1,), 0, "Seat 1 begins every cycle."), ("START", (1,), 1, "You begin every cycle."),
    ("PICK", (0, 2), 1, "Seat 0 plays Bianca."), ("PICK", (0, 2), 0, "You play Bianca."),
    ("DEAL", (0, 3), 1, "Seat 0 gets 3 cards."),
    ("DEAL_CARDS", (0, 0, BAT3, EYE5_AGAIN), 0, "Your hand: Siren 1, Bat 3, Eye 5."),
    ("MOVE", (0, 0, 1), 1, "Seat 0 moves to the Crypt."), ("MOVE", (0, 2, 2), 0, "You stay at Jericho."),
    ("NOPLAY", (0,), 1, "Seat 0 plays no card."), ("NOPLAY", (0,), 0, "You play no card."),
    ("PLAYED", (0, 1, 7, 0, 0), 1, "Seat 0 plays a card face down at the Crypt."),
    ("PLAYED", (0, 1, 7, 1, 0), 1, "Seat 0 plays a card face down from Thing at the Crypt."),
    ("PLAYED", (0, 1, 7, 0, 1), SPECTATORS, "Seat 0 plays a 1 face down at the Crypt."),
    ("PLAYED_CARD", (0, 1, 7, 0, 0, BAT3), 0, "You play Bat 3 at the Crypt."),
    ("PLAYED_CARD", (0, 1, 7, 1, 0, EYE5_AGAIN), 1, "Seat 0 plays Eye 5 from Thing at the Crypt."),
    ("PLAYED_CARD", (0, 1, 7, 2, 0, SIX), 1, "Seat 0 plays the six at the Crypt."),
    ("DISCARD", (0, BAT3), 1, "Seat 0 discards Bat 3."), ("DISCARD", (0, EYE5_AGAIN), 0, "You discard Eye 5."),
    ("THING_DISCARD", (0, BAT3), 1, "Seat 0 discards Thing's Bat 3."),
    ("THING_DISCARD", (0, EYE5_AGAIN), 0, "You discard Thing's Eye 5."),
    ("DRAW", (0, 1), 1, "Seat 0 draws a card."), ("DRAW", (0, 2), 1, "Seat 0 draws 2 cards."),
    ("DRAW_CARDS", (0, 0, BAT3), 0, "You draw Siren 1 and Bat 3."),
    ("RESHUFFLE", (7,), 0, "The discard pile becomes the new deck: 7 cards."),
    ("THING_SET", (0, 0), 1, "Seat 0 gives Thing a card."),
    ("THING_SET", (0, 1), 1, "Seat 0 gives Thing a card and takes the old one."),
    ("THING_SET_CARD", (0, 0, BAT3, 0), 0, "You give Thing Bat 3."),
    ("THING_SET_CARD", (0, 1, BAT3, EYE5_AGAIN), 0, "You give Thing Bat 3 and take Eye 5."),
    ("THING_KEEP", (0,), 1, "Seat 0 leaves Thing its card."),
    ("THING_TO", (0, 1), 2, "Seat 0 sends Thing to seat 1."), ("THING_TO", (0, 1), 1, "Seat 0 sends Thing to you."),
    ("THING_TO", (0, 1), 0, "You send Thing to seat 1."), ("THING_TO", (0, 0), 0, "You have Thing."),
    ("THING_TO", (0, 0), 1, "Seat 0 has Thing."),
    ("THING_SEEN", (0, BAT3), 0, "Thing carries Bat 3."),
    ("SIGNAL", (0, 2), 1, 'Seat 0 says: "leave Jericho to me".'), ("SIGNAL", (0, 0), 1, "Seat 0 says nothing."),
    ("SIGNAL", (0, 11), 0, 'You say: "my help at the Crypt was small".'),
    ("TOKEN", (5,), 0, "The Hyde was seen at the Forest."),
    ("ATTACK", (2, 1, 14), 0, "Attack 1: the Hyde strikes Jericho! 14 points are needed."),
    ("REVEAL", (3, EYE5_AGAIN), 0, "Revealed: Eye 5."),
    ("WED_SWAP", (0, 3, EYE5_AGAIN, BAT3), 1, "Seat 0 takes Eye 5 and gives Bat 3."),
    ("WED_SWAP", (0, 3, EYE5_AGAIN, BAT3), 0, "You take Eye 5 and give Bat 3."),
    ("WED_PASS", (0,), 1, "Seat 0 swaps no card."),
    ("ZERO", (3,), 0, "One of the cards counts 0 there."),
    ("SCORE", (14, 14, 1), 0, "14 points against 14: the target is saved."),
    ("SCORE", (13, 14, 0), 0, "13 points against 14: the target is lost."),
    ("NEWROUND", (2,), 0, "Round 2 begins; all pawns are back at the Academy."),
    ("END", (0, 3), 0, "The game is over: perfect students, no target lost."),
    ("END", (1, 2), 0, "The game is over: intermediate students, 1 target lost."),
    ("END", (2, 1), 0, "The game is over: beginners, 2 targets lost."),
    ("END", (3, 0), 0, "The game is over: barely, 3 targets lost."),
    ("END", (3, -1), 0, "The game is over: defeat, 3 targets lost."),
    ("CHOICE", (1, 0), 0, ""), ("ASK", (1,), 0, ""), ("BUSY", (1, 1), 0, ""),
]


@pytest.mark.parametrize(("key", "args", "observer", "text"), TEXTS)
def test_event_texts(key: str, args: tuple[int, ...], observer: int, text: str) -> None:
    assert GAME.event_text(SeenEvent(1, key, args), observer) == text


def test_every_event_has_its_text_above() -> None:
    assert {key for key, *_ in TEXTS} == {event.key for event in GAME.spec.events} | {"CHOICE", "ASK", "BUSY"}


# ---- The board ----

def board(table: Table, observer: int) -> list[str]:
    return [Text.from_markup(line).plain for line in table.game.board_lines(table.state.observation(observer), observer)]


def test_the_board_of_a_seat() -> None:
    table = Table("bianca", "enid", hands={0: "BEE-1 BAT-2 EYE-3@1"}, thing="EYE-5@1", thing_at=0, shuffles=1,
                  thing_shuffle=1, attacked="jericho crypt", saved="crypt", pawns={0: "forest"}, bag="forest",
                  piles={"forest": [Down("BAT-4", by=0), Down("SIREN-1", by=1), "SIX"],
                         "painting_shed": [Down("EYE-1", by=1)]}, discard="SIREN-3 SIREN-4", deck="BEE-2",
                  rest="pilgrim_world", targets={"forest": "bat_target"})
    lines = board(table, 0)
    assert lines[:5] == [
        "Places", "  Academy (no cards): seat 1: Enid", "  Crypt (3s count 0, 2s count 4): Twin Target (saved)",
        "  Jericho (4s count 0, 1s count 3): Lone Target (lost)",
        "  Pilgrim World (Siren, Werewolf count 0, Medusa +1): Gorgon Target (seen);"]
    assert lines[-9:] == [
        "  Painting Shed (Bee count 0, Eye +1): Eye Target (seen); seat 1: ?",
        "  Forest (no staying, Bat +1): Bat Target (in the bag); you: Bianca, Bat 4;",
        "      seat 1: ?; you: Six (revealed)",
        "seat 1  Hand: 3 × ?",
        "Attacks: attack 3/5, cards in the deck 1, targets lost 1, sixes left 1,",
        "    points needed at attack 3: 18,",
        "    points needed, attack by attack: 14, 16, 18, 20, 22",
        "Discarded: Siren 3, Siren 4",
        "you     Hand: Bee 1, Bat 2, Eye 3 · Thing: Eye 5",
    ]


# ---- Results and reasons ----

@pytest.mark.parametrize(("saved", "text"), [
    ("crypt jericho pilgrim_world", "Beginners, 2 targets lost; 3 saved (utility 0.70)."),
    ("crypt jericho", "Defeat, 3 targets lost; 2 saved (utility 0.16).")])
def test_result_texts(saved: str, text: str) -> None:
    table = Table("enid", "eugene", attacked="crypt jericho pilgrim_world painting_shed", saved=saved, last="forest")
    assert table.strike().game.result_text(table.state) == text


@pytest.mark.parametrize(("feature", "theirs", "mine", "text"), [
    ("save1", 0.5, 0.62, "chance to save the Crypt: 62 % instead of 50 %"),
    ("save2", 0.5, 0.4, "chance to save Jericho: 40 % instead of 50 %"), ("save5", 0.5, 0.505, ""),
    ("reach", 2 * REACH, 3 * REACH, "places you can reach next turn that may be attacked: 3 instead of 2"),
    ("reach", 2 * REACH, 2.2 * REACH, ""),
    ("hand", 9 * CARD_POINT, 11.5 * CARD_POINT, "points your hand can still bring: 11.5 instead of 9.0"),
    ("hand", 9 * CARD_POINT, 9.3 * CARD_POINT, ""),
    ("thing", 4 * CARD_POINT, CARD_POINT, "points Thing's card can bring its holder next turn: 1 instead of 4"),
    ("cover", 9 * CARD_POINT, 7 * CARD_POINT, "points your best card for each open place can bring, added up: 7 instead of 9"),
    ("waits", 0, 2 * TURN, "turns before Thing's holder plays: 2 instead of 0"),
    ("appeal", 0.52, 0.55, "how much a team likes to have the outcast, as bots see it: 55 instead of 52")])
def test_reasons(feature: str, theirs: float, mine: float, text: str) -> None:
    assert GAME.feature_text([row.key for row in FEATURES].index(feature), theirs, mine) == text
