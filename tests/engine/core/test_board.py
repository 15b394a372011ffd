"""Scenes as text: what any game shows at a terminal without code of its own."""
from __future__ import annotations

import random

import pytest
from rich.text import Text

from seatmate.engine.core.board import WIDTH, board_lines, columns
from seatmate.engine.core.registry import list_games, new_game
from seatmate.engine.core.scene import Face, Link, Scene, Thing, Zone, cards, facts, grid, heap, plain

FACES = {"K": Face("King", "card"), "fox": Face("Red [Fox]", "card", cost="3 coins"), "hunt": Face("Hunt", "mission")}


def drawn(scene: Scene, observer: int = 0, asked: tuple[int, ...] = ()) -> list[str]:
    return [Text.from_markup(line).plain for line in board_lines(scene, FACES, observer, asked)]


def test_a_game_without_a_scene_says_its_observation() -> None:
    """... as every new game does until it has one."""
    assert drawn(plain({"points": [3, 5], "deck": 12, "top": None}), asked=(1,)) == [
        "Table: points: 3, 5; deck: 12; top: none", "To move: seat 1"]
    assert drawn(plain({"deck": 12}), asked=(0,)) == ["Table: deck: 12"], "the question follows"


def test_a_grid_is_a_board_with_the_names_of_its_cells() -> None:
    names = [f"{column}{row}" for row in (1, 2) for column in "abc"]
    assert drawn(Scene((grid("board", "Board", 3, ["X", "", "10", "", "", ""], [0, None, 1, None, 1, None], names),))) == [
        "  a  b  c", "1 X  .  10", "2 .  1  ."], "a cell without words shows whose it is"
    fallen = grid("board", "Board", 2, ["", "", "X", ""], [None, None, 0, None], [f"Column {n}" for n in (1, 2, 1, 2)])
    assert drawn(Scene((fallen, facts("round", "Round 2", {"step": "end"})))) == [
        "Round 2: step: end", "Board", "1 2", ". .", "X ."]
    nameless = grid("board", "Board", 2, ["X", "", "", ""], [0, None, None, None], [""] * 4)
    assert drawn(Scene((nameless,))) == ["X .", ". ."]
    wide = drawn(Scene((grid("board", "Board", 4, ["a long word for a cell"] * 8, [None] * 8, [""] * 8),)))
    assert len(wide) == 4 and all(columns(line) <= WIDTH for line in wide)


def test_what_belongs_to_a_seat_is_told_together() -> None:
    zones = (cards("hand/0", "Hand", ["K", "K", "fox"], 0),
             Zone("deck/0", "Deck", "pile", (Thing("deck/0/cards", amount=12), Thing("deck/0/top", "K")), seat=0),
             cards("hand/1", "Hand", ["", "K", ""], 1), heap("gone", "Discarded", []), heap("rest", "Unseen", ["K"], aside=True),
             Zone("score", "Score", "row", (Thing("points", label="points", shape="counter", seat=1, value=3, maximum=5),
                                            Thing("die", shape="die", value=4, tags=("used_up",)), Thing("cup", shape="die"))))
    assert drawn(Scene(zones)) == [
        "seat 1  Hand: K, 2 × ?", "Score: seat 1: points 3/5; [4] (used up), [?]",
        "you     Deck: 13, on top K", "you     Hand:", "    2 × K", "    Red [Fox] (3 coins)"]
    for observer, seat in ((1, "you     "), (8, "seat 1  ")):
        lines = drawn(Scene(zones), observer)
        assert lines[0] == "seat 0  Hand: 2 × K, Red [Fox] · Deck: 13, on top K" and f"{seat}Hand: K, 2 × ?" in lines
    hands = [cards(f"hand/{seat}", "Hand", ["", ""] if seat != 2 else [""], seat) for seat in range(5)]
    assert drawn(Scene(tuple(hands)), observer=4) == [
        "seats 0, 1 Hand: 2 × ?", "seat 2  Hand: ?", "seat 3  Hand: 2 × ?", "you     Hand: 2 × ?"]


def test_a_map_has_a_line_for_each_place_and_what_lies_in_it() -> None:
    scene = Scene((
        Zone("map", "Map", "map"),
        Zone("a", "Arena", "row", (Thing("hunt", "hunt", "4 points", tags=("mission", "open")),
                                   Thing("pawn", label="pawn", shape="token", seat=1)), parent="map", note="no rest"),
        Zone("a/0", "Side", "row", (Thing("fox", "fox", seat=0, value=2, note="known to seat 1"),), parent="a", seat=0),
        Zone("a/1", "Side", "row", parent="a", seat=1), Zone("b", "Bog", "row", parent="map")),
        (Link("fox", "pawn", "holds"), Link("a", "b")))
    assert drawn(scene) == [
        "Map", "  Arena (no rest): Hunt (4 points, open); seat 1: pawn",
        "    you     Red [Fox] 2 (known to seat 1)", "    seat 1  -",
        "  Bog", "Ways: Arena → Bog", "Holds: Red [Fox] 2 → pawn"]


def test_wide_letters_and_long_rows_stay_within_the_terminal() -> None:
    assert columns("王 e\u0301") == 4
    long = [Thing(str(number), label="王" * (number % 9 + 1), shape="token") for number in range(40)]
    lines = drawn(Scene((Zone("row", "Row", "row", tuple(long)),)))
    assert len(lines) > 3 and all(columns(line) <= WIDTH for line in lines)
    assert "".join(lines).count("王") == sum(number % 9 + 1 for number in range(40))
    assert all(line[:4] == "    " for line in lines[1:])


@pytest.mark.parametrize("game_id", [spec.id for spec in list_games()])
def test_every_scene_can_be_drawn(game_id: str) -> None:
    """... also of games that draw their own board: each thing in sight is named, with its value."""
    spec = next(spec for spec in list_games() if spec.id == game_id)
    mode = spec.modes[0]
    for seats in {mode.seats[0], mode.seats[-1]}:
        choice, state = random.Random(seats), new_game(game_id, seats=seats).new_state(seats)
        faces = state.game.faces()
        for step in range(60):
            if state.is_over:
                break
            seat = state.pending[0]
            if step % 20 == 0:
                scene = state.game.scene(state.observation(seat), seat)
                lines = [Text.from_markup(line).plain for line in board_lines(scene, faces, seat, state.pending)]
                text = " ".join(" ".join(lines).split())
                for zone in scene.zones:
                    shown = {thing.id for thing in (zone.things if zone.layout != "pile" else zone.things[-1:]) if not zone.aside}
                    for thing in zone.things:
                        if thing.id in shown:
                            face = faces.get(thing.face)
                            assert face is None or face.title.partition(" (")[0] in text or f" {thing.face}" in text, thing
                            assert thing.value is None or str(thing.value) in text, thing
            state.apply_action(seat, choice.choice(state.legal_actions(seat)))
