"""The rulings about Mayhem cards: when they can be played, on whom, and single ones in detail (RULES.md, section 9)."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from seatmate.engine.core.errors import PackError
from seatmate.engine.titans.content import pack
from seatmate.engine.titans.content.link import compile_pack
from seatmate.tests.native.random_games import random_games
from titans_table import Table, a_game, changed_pack, game_of

CHANGE = 6
"""The cause of a window for a change, as events and positions have it."""

GAMES = 60

# ---- When ----

def test_r13_one_card_per_team_and_round() -> None:
    table = Table("Cy@4 Ra@0", "Ro@2 St@9", step="move", active="Cy", hands=("M08 M09 M11", ""))
    table.run("A MOVE M08")
    assert not [word for word in table.options if word.startswith("M")]


def test_r14_windows_where_the_position_has_changed() -> None:
    table = Table("Cy@4 Ra@0", "Ro@2 St@9", turn=1, init="A", step="hostile_cards", active="Ro", hands=("M15 M16", "M08"))
    table.run("A WINDOW pass; B MOVE stay")
    assert [args[1] for args in table.happened("WINDOW")] == [1], "declining a move brings no window"
    table = Table("Cy@4 Ra@0", "Ro@2 St@9", turn=1, init="A", step="hostile_cards", active="Ro", hands=("M15 M16", "M08"))
    table.run("A WINDOW pass; B MOVE 5; A WINDOW pass; B ABILITY use")
    assert [args[1] for args in table.happened("WINDOW")] == [1, 3]
    assert table.asked == "B ABILITY" and "M08" in table.options, "the last chance"


def test_r15_hostile_cards_hit_the_active_opponent_only() -> None:
    table = Table("Cy@4 Ra@0", "Ro@5 St@9", step="move", active="Cy", hands=("M15 M16 M17", ""))
    assert not [word for word in table.options if word.startswith("M")]
    table = Table("Cy@3 Ra@6", "Ro@5(E) St@9", step="move", active="Cy", hands=("M15 M16 M17 M20 M21", ""))
    table.run("A MOVE 4; B ESCAPE 6; ? pass M20; A WINDOW M20")
    assert table.says("Ro@6(f1)"), "Robin moves, but Cyborg is active: Shock Pizza, Heavy Load and Banana Peel don't apply"


def test_r15_hold_it_for_me_hits_pieces_that_are_not_active() -> None:
    table = Table("St@4(f2) Cy@0", "Ro@5 Ra@9", step="ability", active="St", slot=1, placed=0, hands=("M20 M21", ""))
    table.run("A ABILITY use; A VICTIM Ro; ? pass M20; A WINDOW M20")
    assert table.says("Ro@4(f3) St@4"), "pulled (and then burned by the ability)"
    table = Table("St@4 Cy@5(f1)", "Ro@4 Ra@9", die="3*", step="ability", active="St", slot=1, dice_a=(1, 3), hands=("M20 M21", ""))
    table.run("A ABILITY use; A VICTIM Ro; A DEST 5; ? pass M20; A WINDOW M20")
    assert table.says("Ro@5(d3,f2) Cy@5"), "pushed"
    table = Table("Cy@3 Ra@6(f2)", "Ro@5(E) St@9", step="move", active="Cy", hands=("M20 M21", ""))
    table.run("A MOVE 4; B ESCAPE 6; A WINDOW M20")
    assert table.says("Ro@6(f2) Ra@6"), "escaping"


def test_r15_banana_peel_needs_the_active_mover() -> None:
    table = Table("Cy@3 Ra@0(E)", "Ro@2 St@1", turn=1, step="move", active="Ro", hands=("", "M20 M21"))
    table.run("B MOVE 5; A ESCAPE 1; ? pass M20")
    table = Table("Cy@3 Ra@0", "Ro@2 St@1", step="move", active="Cy", hands=("", "M20 M21"))
    table.run("A MOVE 4; ? pass M21")
    table = Table("Cy@6 Ro@0", "Ra@4 St@9", turn=1, step="ability", active="Ra", slot=1, hands=("M15 M21", ""))
    table.run("B ABILITY use; B TRAP_PLACE 4; B DEST 5; ? pass M15")
    assert table.says("Ra@5"), "a teleport is no move"


def test_r14_the_mates_seat_may_play_a_card_for_the_active_piece() -> None:
    """Before every menu of the active piece, the last chance included; where the card moves the piece, its owner decides."""
    pair = "Ro@4 Ra@0", "Cy@4 St@9"
    table = Table(*pair, mode="team4", step="hostile_cards", active="Ro", placed=0, hands=("M08", "", "M12", ""))
    table.run("? pass M12; C WINDOW M12; A MOVE stay; A ABILITY use")
    assert table.says("Cy@4(d4)"), "Double Dare of seat 2; seat 0 has played its team's card with it"
    table = Table(*pair, mode="team4", step="hostile_cards", active="Ro", placed=0, hands=("M08", "", "M11 M15", ""))
    table.run("? pass M11; C WINDOW M11; A DEST 5; A DEST 8; A MOVE stay; A ABILITY end")
    table = Table(*pair, mode="team4", step="hostile_cards", active="Ro", placed=0, hands=("M08", "", "M11", ""))
    table.run("C WINDOW pass; A MOVE M08")
    table = Table("Ro@4 Ra@0", "Cy@2 St@9", mode="team3", step="hostile_cards", active="Ro", placed=0, hands=("M08", "M12", "M11"))
    assert table.asked in ("B WINDOW", "C WINDOW"), "the solo seat has no mate"
    table.run("B WINDOW pass; C WINDOW pass; A MOVE stay")
    assert not [args for args in table.happened("WINDOW") if args[0] == 0]
    table = Table(*pair, mode="team4", step="hostile_cards", active="Ro", placed=0, hands=("M08", "", "M12 M09", ""))
    table.run("C WINDOW pass; A MOVE 5; ? pass M09 M12; C WINDOW pass; A ABILITY use; ? pass M09; C WINDOW M09; A DEST 2")
    assert table.happened("WINDOW") == [(2, 2), (2, 2), (2, 2)] and table.says("Ro@2(E)"), "after the move, and the last chance"


# Who may play a hostile card now, and after what: W is a window that opens because something has changed, E one for an entry.
CHANGES: dict[str, tuple[dict[str, Any], str, str]] = {
    "nothing: the piece stays": ({}, "A MOVE stay", ""),
    "nothing: an ability without a target": ({"step": "ability"}, "A ABILITY use", ""),
    "the free move": ({}, "A MOVE 5", "E"),
    "M07, healing": ({"hands": ("M07", "M16"), "a": "Ro@4(d3) Ra@0"}, "A MOVE M07", "W"),
    "M08, a mark": ({"hands": ("M08", "M16")}, "A MOVE M08", "W"),
    "M09, a teleport and a token": ({"hands": ("M09", "M16")}, "A MOVE M09; A DEST 8", "EW"),
    "M09, with an escape token before": ({"hands": ("M09", "M16"), "a": "Ro@4(E) Ra@0"}, "A MOVE M09; A DEST 8", "E"),
    "M10, traps": ({"hands": ("M10", "M16")}, "A MOVE M10; A TRAP_PLACE 3", "W"),
    "M11, two steps": ({"hands": ("M11", "M16")}, "A MOVE M11; A DEST 5; A DEST 8", "EE"),
    "M11, declined": ({"hands": ("M11", "M16")}, "A MOVE M11; A DEST decline; A DEST decline", ""),
    "M12, a mark of the turn": ({"hands": ("M12", "M16")}, "A MOVE M12", "W"),
    "M13, the mate comes": ({"hands": ("M13", "M16")}, "A MOVE M13", "W"),
    "M14, a mark of the turn": ({"hands": ("M14", "M16")}, "A MOVE M14", "W"),
    "Contingency Plan, a die": ({"step": "ability"}, "A ABILITY innate", "W"),
    "Auto-Repair, healing": ({"step": "ability", "a": "Cy@4(d3) Ra@0", "active": "Cy"}, "A ABILITY innate", "W"),
    "Soul Self, a teleport": ({"step": "ability", "a": "Ra@4 Cy@0", "active": "Ra"}, "A ABILITY innate; A DEST 8", "E"),
    "Soul Self, and fire leaves": ({"step": "ability", "a": "Ra@4(f1) Cy@0", "active": "Ra"}, "A ABILITY innate; A DEST 8", "EW"),
    "Staff Meeting, damage": ({"step": "ability", "b": "Cy@4 St@9"}, "A ABILITY use", "W"),
    "Hero Reflexes, a token": ({"step": "ability", "slot": 1}, "A ABILITY use; A DEST decline", "W"),
    "Hero Reflexes, a token and a step": ({"step": "ability", "slot": 1}, "A ABILITY use; A DEST 5", "E"),
    "Armour, a shield": ({"step": "ability", "a": "Cy@4 Ra@0", "active": "Cy"}, "A ABILITY use", "W"),
    "Sonic Cannon, damage and a push": (
        {"step": "ability", "a": "Cy@4 Ra@0", "b": "Ro@5 St@4", "active": "Cy", "slot": 1, "dice_a": (6, 1)},
        "A ABILITY use; A VICTIM St; A DEST 8", "W"),
    "Telekinesis, an obstacle": (
        {"step": "ability", "a": "Ra@4 Ro@0", "active": "Ra", "dice_a": (6, 1)},
        "A ABILITY use; A OBST_SRC new; A OBST_EDGE e9", "W"),
    "Dark Portal, a trap": ({"step": "ability", "a": "Ra@4 Ro@0", "active": "Ra", "slot": 1}, "A ABILITY use; A TRAP_PLACE 3", "W"),
    "Crushing Hug, a pull and fire": (
        {"step": "ability", "a": "St@4 Ro@0", "b": "Cy@5 Ra@9", "active": "St", "slot": 1}, "A ABILITY use; A VICTIM Cy", "W"),
    "an escape of the mate": ({"a": "Ro@4 Ra@0(E)"}, "A MOVE 5; E; A ESCAPE 1", "EW"),
    "an escape of an opponent": ({"b": "Cy@8(E) St@9"}, "A MOVE 5; E; B ESCAPE 7", "EW"),
    "a clue is taken": ({"go": ("G11", ""), "clues": "5 3 6"}, "A MOVE 5", "E"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_r14_windows_open_for_what_has_changed(what: str) -> None:
    """The opponents get one before the next menu, unless they were asked since; a holder of Heavy Load and one without alike."""
    changes, script, windows = CHANGES[what]
    for held in ("M16", "M01"):         # the window tells nothing about the hand
        settings: dict[str, Any] = {"a": "Ro@4 Ra@0", "b": "Cy@8 St@9", "step": "move", "active": "Ro", "slot": 0, "placed": 0,
                                       "dice_a": (1, 2), "hands": ("", "M16"), **changes}
        settings["hands"] = (settings["hands"][0], held)
        table = Table(**settings)
        for step in script.split("; "):
            if step != "E":
                table.run(step)
            while table.asked == "B WINDOW":
                if table.happened("WINDOW")[-1][1] != 4:       # of an attack
                    assert table.options == (["pass", "M16"] if held == "M16" else ["pass"])
                table.run("B WINDOW pass")
        assert "".join({3: "E", 4: "", 6: "W"}[cause] for _, cause in table.happened("WINDOW")) == windows


def test_r14_a_die_that_shows_its_number_again_changes_nothing() -> None:
    """Contingency Plan rolls it: the window for the change opens with another number only; all see the roll."""
    opened: dict[int, set[str | None]] = {}
    for seed in range(1, 40):
        table = Table("Ro@4 Ra@0", "Cy@8 St@9", step="ability", active="Ro", slot=0, placed=0, dice_a=(1, 2),
                      hands=("", "M16"), seed=seed).run("A ABILITY innate")
        ((_, _, number),) = table.happened("DIE_CHANGE")
        opened.setdefault(number, set()).add(table.asked)
    assert opened == {1: {"A ABILITY"}, **{number: {"B WINDOW"} for number in range(2, 7)}}


def public_position(table: dict[str, Any]) -> dict[str, Any]:
    """What lies on the table for all to see, without whose turn it is, cards and what the active piece has done."""
    position = {key: table[key] for key in ("tiles", "removed", "obstacles", "pizza", "clues", "traps")}
    position["mayhem"] = table["mayhem"] and (table["mayhem"]["value"], table["mayhem"]["star"])
    position["teams"] = [{key: value for key, value in team.items() if key not in ("played", "dice_used")}
                         for team in table["teams"]]
    position["pieces"] = [{key: value for key, value in piece.items() if key not in ("acts", "innate_spent")}
                          for piece in table["pieces"]]
    marks = ("forfeited", "special_on", "special_off", "next2", "flame")
    position["marks"] = {key: table["turn_state"][key] for key in marks}
    return position


@pytest.mark.parametrize("mode", ["duel", "team3", "team4", "ffa3", "comp"])
def test_r14_a_window_for_a_change_opens_only_where_the_public_position_is_another_one(mode: str) -> None:
    """In random games, since the menu or window before: no answer that sets what is there already opens one."""
    game, opened = a_game(mode), 0
    for seed in range(GAMES):
        position: dict[str, Any] = {}
        changed, asked = False, ""
        for state in game_of(mode, seed):
            if state.is_over:
                break
            values = game.everything(state)
            before, position = position, public_position(values)
            changed |= position != before
            last, asked = asked, values["prompt"]
            if asked == "WINDOW" and values["progress"]["frames"][-1]["mode"] == CHANGE:
                asked = "CHANGE"
                opened += 1
                assert changed or last == "CHANGE", (seed, values["progress"])
            if asked in ("CHANGE", "MOVE", "ABILITY", "PIECE"):
                changed = False
    assert opened > 30


def test_r14_contingency_plan_is_answered_by_wet_blanket() -> None:
    """The die reaches the special tier now; a holder of Wet Blanket hears of it before the ability is used."""
    settings: dict[str, Any] = {"a": "Ro@4 Ra@0", "b": "Cy@4 St@9", "step": "ability", "active": "Ro", "slot": 0, "placed": 0,
                                "dice_a": (1, 2), "hands": ("", "M17")}
    seed = next(seed for seed in range(1, 50)
                if Table(**settings, seed=seed).run("A ABILITY innate").piece("Ro")["slots"][0] >= 4)
    for answer, attacked, damage in (("pass", "; B WINDOW pass", 4), ("M17", "", 2)):
        table = Table(**settings, seed=seed)
        table.run(f"A ABILITY innate; ? pass M17; B WINDOW {answer}; A ABILITY use{attacked}")
        assert table.says(f"Cy@4(d{damage})"), "the special tier adds 2"


def test_r14_a_card_of_a_window_opens_one_for_those_who_may_still_play() -> None:
    """In the free-for-all a third seat is asked again once a card has changed something; cards are spent, so that ends."""
    table = Table("Ro@0", "Ra@1", "St@6 Cy@4", mode="ffa3", step="hostile_cards", active="Ro", placed=0,
                  hands=("", "M15", "M16"))
    table.run("B WINDOW pass; C WINDOW M16; B WINDOW pass")
    assert table.happened("WINDOW") == [(1, 1), (2, 1), (1, 6)]
    table = Table("Ro@4 Ra@0", "Cy@8 St@9", step="hostile_cards", active="Ro", placed=0, hands=("", "M16 M15"))
    table.run("B WINDOW M15; A MOVE stay; A ABILITY end")
    assert table.happened("WINDOW") == [(1, 1)], "its team has played"


def test_r14_in_pairs_both_opponents_are_asked() -> None:
    table = Table("Ro@4 Ra@0", "Cy@8 St@9", mode="team4", step="ability", active="Ro", placed=0, dice_a=(1, 2),
                  hands=("", "M17", "", "M16"))
    table.run("A ABILITY innate; ? pass M17; B WINDOW pass; ? pass M16; D WINDOW M16; A ABILITY end")


def test_r15_parting_gift_needs_an_opposing_turn() -> None:
    table = Table("Cy@3 Ra@0(E,d7)", "Ro@2 St@9", step="move", active="Cy", traps="B:1=1", hands=("M22",
                                                                                                  "")).run("A MOVE 4; A ESCAPE 1")
    assert table.holds("Ra@-(K) asked=A_ABILITY B.vp=1"), "its own piece was active"
    table = Table("Cy@3 Ra@0(E,d7)", "Ro@2 St@9", turn=1, step="move", active="Ro", traps="B:1=1", hands=("M22", ""))
    table.run("B MOVE 5; A WINDOW pass; A ESCAPE 1; A WINDOW M22")
    assert table.says("Ra@-(K) Ro@5(f2)")


def test_r14_of_two_seats_the_owner_of_the_piece_is_asked_first() -> None:
    """Seats 0 and 2 are the black team, with one piece each; both could hold a card for this."""
    for target, order in (("Ro", "AC"), ("Cy", "CA")):
        table = Table("Ro@5 Cy@1", "Ra@4 St@9", mode="team4", turn=1, step="ability", active="Ra", slot=0, dice_b=(1, 1),
                      hands=("M19", "", "M18", ""))
        table.run(f"B ABILITY use; B TARGET {target}; {order[0]} WINDOW pass; {order[1]} WINDOW pass")
        assert table.says(f"{target}@{5 if target == 'Ro' else 1}(d2)"), "attacked"


def test_r88_nothing_hurts_before_recovery(tmp_path: Path) -> None:
    for old, new in (("start: REROLL_MAYHEM()", "start: DAMAGE(1, @enemy.one)"),
                     ("opp: HEAL(2, @own.each)", "opp: MOVE(@own.one)")):
        with pytest.raises(PackError, match="cannot stand in this line"):
            compile_pack(changed_pack(tmp_path, (old, new)))


def test_r90_the_stack_never_gets_near_its_end() -> None:
    assert max(random_games(a_game(mode), 300, 7)["frames"] for mode in ("duel", "team4", "ffa3")) <= 16

# ---- Cards in detail ----

def test_r56_tokens_pass_only_where_a_card_says_so() -> None:
    cards = [card.id for card in pack.read("standard").content.mayhem if "XFERFIRE" in card.effect]
    assert cards == ["M20"]


def test_r57_heal_and_noheal() -> None:
    for aura, cards, innate in (("G07", {"M07"}, {"innate"}), ("G11", set(), set())):
        table = Table("Cy@5(d1) Ra@0", step="move", active="Cy", hands=("M07", ""), go=(aura, ""),
                      clues="3 6" if aura == "G11" else "",
                      clues_of=(1, 0) if aura == "G11" else (0, 0))
        assert {word for word in table.options if word[0] == "M"} == cards
        table.run("A MOVE stay")
        assert set(table.options) == {"end", "use"} | innate
        table = Table("Ra@4(d5) Cy@0", "Ro@2 St@9", die="3*", step="ability", active="Ra", slot=1, go=(aura, ""),
                      clues="3 6" if aura == "G11" else "", clues_of=(1, 0) if aura == "G11" else (0, 0))
        table.run("A ABILITY use; A TRAP_PLACE 4; A DEST decline")
        assert table.says("Ra@4(d3)" if aura == "G07" else "Ra@4(d5)"), "a heal in an ability does nothing"
        table = Table("Cy@5(d3) Ra@0", "Ro@2 St@9", step="go_cards", go=(aura, ""), go_deck="G07" if aura == "G11" else "G08",
                      clues="3 6"
                      if aura == "G11" else "", clues_of=(1, 0) if aura == "G11" else (0, 0))
        assert table.says("Cy@5(d3)"), "... nor one in the opponents' card"
    table = Table("Cy@5(d1) Ra@0", step="move", active="Cy", hands=("M07", "")).run("A MOVE M07")
    assert table.holds("Cy@5") and table.happened("HEAL") == [(0, 1, 0)], "three, but there was one"


def test_r58_cards_are_neither_move_nor_ability() -> None:
    table = Table("Cy@4(*) Ra@0", step="move", active="Cy", slot=0, hands=("M09", "")).run("A MOVE M09; A DEST 8")
    assert "5" in table.options or "9" in table.options
    table.run("A MOVE stay")
    assert table.options == ["end", "use"]


def test_r59_a_locked_piece_cannot_move() -> None:
    table = Table("Ro@5(L) Cy@2", "Ra@4 St@9", turn=1, step="ability", active="Ra", slot=0, dice_b=(1, 1), hands=("M19", ""))
    table.run("B ABILITY use; ? pass; A WINDOW pass")
    assert table.says("Ro@5(d2)"), "Not Today is a move"
    table = Table("Ro@5 Cy@2", "Ra@4 St@9", turn=1, step="ability", active="Ra", slot=0, dice_b=(1, 1), hands=("M19", ""))
    table.run("B ABILITY use; ? pass M19")
    for mark, asked in (("", "B_ESCAPE"), (",L", "A_ABILITY")):
        table = Table("Cy@3 Ra@0", f"Ro@5(E{mark}) St@9", step="move", active="Cy").run("A MOVE 4")
        assert table.fact("asked") == asked, "nor does it escape"


def test_r59_a_locked_piece_can_be_shifted() -> None:
    table = Table("St@4 Cy@0", "Ro@5(L) Ra@2", step="ability", active="St", slot=1, placed=0).run("A ABILITY use; A VICTIM Ro")
    assert table.says("Ro@4(f1)"), "pulled"
    table = Table("St@4 Cy@0", "Ro@4(L) Ra@2", die="3*", step="ability", active="St",
                  slot=1).run("A ABILITY use; A VICTIM Ro; A DEST 5")
    assert table.says("Ro@5(d3,f1)"), "pushed"
    table = Table("Ra@4(L) Cy@0", "Ro@5 St@2", step="ability", active="Ra", slot=1).run("A ABILITY use; A TRAP_PLACE 4; A DEST 5")
    assert table.says("Ra@5 Ro@5(d2)"), "teleported"
    table = Table("Cy@4 Ra@0(L)", "Ro@5 St@2", step="move", active="Cy", hands=("M13", "")).run("A MOVE M13")
    assert table.says("Ra@4"), "fetched"


def test_r60_off_beats_on() -> None:
    table = Table("Ro@4 Ra@0", "Cy@4 St@9", step="ability", active="Ro", slot=0, flags="special_on special_off")
    table.run("A ABILITY use")
    assert table.says("Cy@4(d2)")


def test_r78_component_text_beats_the_rules() -> None:
    table = Table("Cy@4 Ra@0", step="move", active="Cy", hands=("M08", ""), obstacles="e9 e13").run("A MOVE M08")
    assert {"5", "8"} <= set(table.options), "Ghost Powers walks through obstacles"
