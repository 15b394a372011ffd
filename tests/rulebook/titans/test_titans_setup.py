"""The rulings about the box, the draft, hands and secret choices, and the ends of games (RULES.md, section 9)."""
from __future__ import annotations

from pathlib import Path

from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.registry import new_game
from seatmate.engine.titans.content import pack
from seatmate.engine.titans.content.maps import ARENA, STANDARD
from titans_table import Table, a_game, changed_pack, game_of

# ---- Setup ----

def test_r1_r2_a_random_team_drafts_first_and_teams_alternate() -> None:
    orders = set()
    for seed in range(12):
        state = a_game("duel").new_state(seed)
        order = []
        while state.prompt(state.pending[0]) == "DRAFT":
            order.append(state.pending[0])
            state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[0])
        orders.add(tuple(order))
    assert orders == {(0, 1, 0), (1, 0, 1)}, "the last pick is forced"
    drafts = [event.args[0] for event in list(game_of("team4", 3, "SETASIDE"))[-1].events(SPECTATORS) if event.key == "DRAFT"]
    assert drafts in ([0, 1, 2, 3], [1, 0, 3, 2])


def test_r3_hexagons_in_rows_of_three_four_and_three() -> None:
    def neighbours(which: tuple[int, ...]) -> list[str]:
        return ["".join(str(place) for place in range(10) if mask >> place & 1) for mask in which]
    assert neighbours(STANDARD.adjacent) == ["134", "0245", "156", "047", "013578", "124689", "259", "348", "4579", "568"]
    assert STANDARD.edges == ((0, 1), (1, 2), (0, 3), (0, 4), (1, 4), (1, 5), (2, 5), (2, 6), (3, 4), (4, 5), (5, 6),
                              (3, 7), (4, 7),
                              (4, 8), (5, 8), (5, 9), (6, 9), (7, 8), (8, 9))
    assert neighbours(ARENA.adjacent) == ["12", "0234", "0145", "1467", "123578", "2489", "37", "3468", "4579", "58"]
    assert len(ARENA.edges) == 18 and ARENA.edges[:5] == ((0, 1), (0, 2), (1, 2), (1, 3), (1, 4))


def test_r4_characters_then_map_then_hands_and_set_aside_cards_are_out() -> None:
    state = list(game_of("duel", 5))[-1]
    keys = [event.key for event in state.events(0)]
    assert keys.index("DRAFT") < keys.index("TILES") < keys.index("MAYHEM_DRAW") < keys.index("SETASIDE")
    values = a_game("duel").everything(state)
    assert all(len(aside) == 3 for aside in values["aside"])
    aside = {card for cards in values["aside"] for card in cards}
    assert not aside & {card for cards in (*values["used"], *values["hands"]) for card in cards}


def test_r5_first_on_two_different_bases() -> None:
    table = Table("Cy@- Ra@-", "Ro@- St@-", step="first_place", round_=1, init="B", go=("G07", "G12"))
    table.run("B FIRST_PLACE 9; A FIRST_PLACE 0")
    assert table.says("Ro@9 St@2 Cy@0 Ra@7"), "the second piece has the other base"
    table = Table("Cy@- Ra@0", "Ro@2 St@9", step="return").run("A REPLACE 0")
    assert table.says("Cy@0 Ra@0"), "later mates may share one"


def test_r9_places_have_an_icon_and_nothing_else() -> None:
    assert set(pack.Tile.model_fields) == {"key", "title", "icon", "source", "source_note", "address"}


def test_r11_r12_what_of_the_die_and_the_boards_is_attested() -> None:
    content = pack.read("standard").content
    assert content.die.value == (1, 2, 2, 2, 3, 3) and content.die.star == (True, False, False, False, False, True)
    assert "rulebook" in (content.die.source_note or "")
    for board in content.board:
        assert board.icons == len(board.first_game) == 2
    table = a_game("duel", first_game=True).new_state(1)
    while table.prompt(table.pending[0]) == "DRAFT":
        table.apply_action(table.pending[0], table.legal_actions(table.pending[0])[0])
    values = table.observation(SPECTATORS)
    assert sorted(map(len, values["hands"])) == [4, 4], "everybody knows the hands of the first game"


def test_r64_the_solo_seat_draws_seven_and_keeps_four() -> None:
    state = list(game_of("team3", 2, "SETASIDE"))[-1]
    assert state.observation(SPECTATORS)["hand_counts"] == [7, 4, 4]
    while state.prompt(state.pending[0]) == "SETASIDE":
        state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[0])
    assert state.observation(SPECTATORS)["hand_counts"] == [4, 2, 2]


def test_r76_each_seat_of_the_competitive_mode_has_a_box_of_its_own() -> None:
    table = Table("Ro@4 Ra@0", "Ro@5 St@9", mode="comp", step="start_cards", hands=("M01 M04", "M01 M04"))
    table.run("A WINDOW M01; B WINDOW M01")
    assert table.values["used"] == [["M01"], ["M01"]]


def test_r77_r89_secret_picks_show_nothing() -> None:
    state = a_game("comp").new_state(3)
    before = state.observation(1), state.observation(SPECTATORS)
    for pick in (0, 1, 4, 5, 6, 7):
        state.apply_action(0, pick)
        assert (state.observation(1), state.observation(SPECTATORS)) == before
    for pick in (0, 1, 4, 5, 6, 7):
        state.apply_action(1, pick)
    seen = state.observation(1)
    assert [piece["character"] for piece in seen["pieces"]] == ["cyborg", "raven"] * 2 and seen["hands"][0] is None
    assert seen["hand_counts"] == [4, 4]


def test_r84_unequal_icons_reveal_the_characters_first(tmp_path: Path) -> None:
    file = changed_pack(tmp_path, ('icons = 2\ninnate = "Auto-Repair"', 'icons = 1\ninnate = "Auto-Repair"'),
                        ('first_game = ["M08", "M07"]', 'first_game = ["M08"]'))
    state = new_game("titans", mode="comp", pack=file).new_state(1)
    state.apply_action(0, 0)
    state.apply_action(0, 1)
    assert state.pending == (1,) and state.asked == (0, 1)
    state.apply_action(1, 2)
    state.apply_action(1, 3)
    assert list(state.pending) == [0, 1] and state.prompt(0) == "COMP_CARD"
    assert [piece["character"] for piece in state.observation(1)["pieces"]] == ["cyborg", "raven", "robin", "starfire"]
    for seat, count in ((0, 3), (1, 4)):
        for card in range(count):
            state.apply_action(seat, card)
    assert state.observation(SPECTATORS)["hand_counts"] == [3, 4] and state.observation(0)["round"] == 1

# ---- Ends of games ----

def test_r61_the_fifth_point_ends_the_game() -> None:
    table = Table("Ro@4 Ra@0", "Cy@4(d8) St@9", step="ability", active="Ro", slot=0, vp=(4, 0)).run("A ABILITY use")
    assert table.winners == [0] and table.asked is None


def test_r61_two_kos_in_different_rounds_are_no_double_ko() -> None:
    table = Table("Ra@-(K,a1) Cy@4(d8,a1)", "Ro@4(a1) St@9", turn=3, step="ability", active="St", go=("G05", "G12"))
    table.run("B ABILITY end; A REPLACE 0")
    assert table.says("Ra@0 Cy@4(d8)"), "the mark of the KO is gone"


def test_r62_a_simultaneous_result_is_shared() -> None:
    table = Table("Ra@0(d7,f1) Cy@5(d8,f1)", "Ro@4(d8,f1) St@9(d7,f1)", step="burn")
    assert table.winners == [0, 1] and table.state.returns() == [0.5, 0.5]


def test_r65_round_caps() -> None:
    for vp, winners in (((2, 1), [0]), ((1, 1), [0, 1])):
        table = Table("Cy@0(a1) Ra@7(a1)", "Ro@2(a1) St@9", turn=3, step="ability", active="St", slot=0, round_=40, vp=vp)
        table.run("B ABILITY end")
        assert table.winners == winners
    table = Table("Ra@0", "Ro@9", "St@-(X) Cy@4", mode="ffa3", step="round_end", round_=30, dice_a=(1,), dice_b=(1,), dice_c=())
    assert table.winners == [0, 1]
