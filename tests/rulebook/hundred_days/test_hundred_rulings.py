"""Rulings that no example shows (RULES.md, section 9)."""
from __future__ import annotations

from hundred_table import Table, a_game
from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.hundred_days.content import vocabulary as v
from seatmate.engine.hundred_days.content.pack import TYPES as LETTERS
from seatmate.engine.hundred_days.content.pack import covered, read
from seatmate.engine.hundred_days.secrets.fields import FIELDS


def test_r1_r3_r7_what_is_in_the_box() -> None:
    pack = read("standard").content
    kinds = [card.kind for card in pack.card]
    assert [kinds.count(kind) for kind in ("action", "place", "reaction", "item", "character")] == [19, 8, 16, 18, 20]
    assert len(pack.card) == 81 and len(pack.tile) == 20 and LETTERS == ("M", "S", "T", "D")
    assert [sum(tile.harvest.get(letter, 0) for tile in pack.tile) for letter in "MSTD"] == [15] * 4
    assert [sum(tile.cost.get(letter, 0) for tile in pack.tile) for letter in "MSTD"] == [28, 28, 26, 28]
    assert sum(tile.points for tile in pack.tile) == 79
    assert sum(card.points for card in pack.card if card.kind == "item") == 26
    assert sum(card.points for card in pack.card if card.kind == "character") == 41


def test_r4_the_board() -> None:
    assert [covered(space) for space in (0, 6, 7, 12, 13, 18)] == [(0,), (6,), (1, 2), (6, 1), (0, 1), (0, 6)]


def test_r6_r60_placement_is_free_secret_and_final() -> None:
    state = a_game(3).new_state(5)
    assert state.pending == (0, 1, 2)
    public = state.observation(SPECTATORS)
    for seat in (2, 0):
        assert state.legal_actions(seat) == list(range(19))
        state.apply_action(seat, 9)
        assert state.legal_actions(seat) == list(range(7))
        state.apply_action(seat, 3)
        assert state.pending == tuple({0, 1, 2} - {2, seat} if seat == 0 else {0, 1}) and state.asked == (0, 1, 2)
        assert state.observation(SPECTATORS) == public and state.observation(1)["secret_ricks"] == [None] * 3
    state.apply_action(1, 9)
    state.apply_action(1, 3)
    assert state.observation(SPECTATORS)["ricks"] == [9, 9, 9] and state.observation(0)["secret_ricks"] == [None] * 3


def test_r14_resources_are_open() -> None:
    state = a_game(2).new_state(1)
    assert all("tokens" in state.observation(observer) for observer in (0, 1, SPECTATORS))
    table = Table(tokens={0: "3M"}, hands={0: "C19"})
    assert table.state.observation(1)["tokens"] == [[3, 0, 0, 0], [0, 0, 0, 0]]


def test_r15_any_reactions_only_while_an_action_is_left() -> None:
    table = Table(hands={0: "A05 O13"}, play={0: "I02"})
    assert "react O13" in table.answers(0)
    table.say(0, "play A05", "M")
    assert table.asked() == "0 AFTER" and table.answers(0) == ["end", "use I02"]


def test_r27_a_requirement_is_checked_once() -> None:
    table = Table(ricks=(1, 0), play={0: "I01 C07"}, tokens={1: "1D"}).say(0, "use I01", "4")
    assert table.cards("play", 0) == "C07" and table.raw["ricks"][0] == 4


def test_r35_a_copied_program_is_free_and_never_a_copy() -> None:
    table = Table(hands={0: "A18 C19"}, play={1: "I02"}, general="A15").say(0, "play A18")
    assert table.cards("play", 0) == "I02" and table.tokens(0) == ""
    assert "play A18" not in Table(hands={0: "A18"}, general="A13").answers(0)      # nothing to destroy
    copy = Table(play={0: "I18", 1: "I02 I10"}, hands={0: "C19"}).say(0, "use I18", "I02", "S", "S")
    assert copy.tokens(0) == "2S" and copy.cards("play", 1) == "I02 I10" and copy.cards("pile", 0) == "I18"


def test_r38_a_paid_move_goes_anywhere_else() -> None:
    table = Table(ricks=(1, 0), tokens={0: "2M 1S"}, hands={0: "C19"}).say(0, "move")
    assert table.answers(0) == [str(space) for space in range(19) if space != 1]
    table.say(0, "14")
    assert table.raw["ricks"][0] == 14 and table.tokens(0) == "1S"
    assert "move" not in Table(tokens={0: "1M 1S"}, hands={0: "C19"}).answers(0)
    cheap = Table(tokens={0: "1M 1S"}, play={0: "C15"}, hands={0: "C19"}).say(0, "move", "5", "S")
    assert cheap.tokens(0) == "1M"


def test_r38_r19_a_jammed_gate_keeps_the_price() -> None:
    table = Table(ricks=(1, 0), tokens={0: "2M"}, hands={0: "C19", 1: "O07"}).say(0, "move", "4").say(1, "react O07").decline()
    assert table.raw["ricks"][0] == 1 and table.tokens(0) == "" and table.told("END_TURN") == [(0,)]


def test_r55_a_seat_may_react_several_times() -> None:
    table = Table(ricks=(1, 0), hands={0: "C19", 1: "O08 O09"}, tokens={0: "3T 2D"}).say(0, "close 1").say(1, "react O09")
    table.say(0, "decline").say(1, "M", "M")
    assert table.asked() == "1 REACT"
    table.say(1, "react O08").decline()
    assert table.owner("t05") == 254 and table.tokens(1) == "2M"


def test_r56_guarding_opens_no_window() -> None:
    table = Table(hands={0: "C19", 1: "O01 O04 O06"}, play={0: "C01"}, garage=(1, 0)).say(0, "guard C01")
    assert not table.told("WINDOW") and table.cards("guarded") == "C01" and table.raw["actions_left"] == 1


def test_r58_safety_caps() -> None:
    table = Table(hands={0: "A05 C19", 1: "C18"}, phase_turns=120)
    assert table.answers(0) == ["end"]
    table = Table(4, hands={0: "A05", 1: "A06", 2: "A09", 3: "A08"}, phase_turns=240).say(0, "end").say(1, "end").say(2, "end")
    assert table.raw["phase_turns"] == 243      # turns past the cap are counted, and a view of them can be read
    assert table.game.state_from_view(table.state.observation(3), 3, 1)
    table = Table(hands={0: "C19"}, phase="round_end", round=50)
    assert table.state.is_over and table.raw["round"] == 50


def test_r62_characters_are_cards() -> None:
    table = Table(ricks=(10, 0), morties=(6, 0), hands={0: "C19"}, play={1: "I02"}).say(0, "play C19")
    assert table.cards("play", 1) == "I02" and table.cards("play", 0) == "C19"      # there is no character; pawns are none


def test_r64_a_copied_program_is_fixed_when_it_is_declared() -> None:
    table = Table(hands={0: "A18 C19", 1: "O03"}, general="A01", deck="O01", tokens={1: "2S"}).say(0, "play A18")
    table.say(1, "decline")
    assert table.tokens(0) == "2S"
    lost = Table(3, hands={0: "A18 C19", 1: "O09 C18", 2: "O03 O10"}, general="A03", deck="", tokens={1: "1S", 2: "1T"})
    lost.say(0, "play A18").say(1, "decline").say(2, "react O03").say(0, "decline").decline()
    assert "A03" not in lost.cards("general") and lost.raw["epoch"] == 1        # O03 has reshuffled it, and drawn


def test_r65_every_window_that_opened_is_closed() -> None:
    others = " ".join(f"O{number:02}" for number in range(1, 17) if number != 13)
    table = Table(hands={0: "O13", 1: "C19"}, general=others, phase="reveal")
    assert table.told("WINDOW") == [(v.C_REVEAL, 255, 3)] and not table.told("WINDOW_END")
    table.say(1, "decline").say(0, "react O13", "4")
    assert table.told("WINDOW_END") == [(v.C_REVEAL, True)] and table.raw["phase"] != v.S_REVEAL


def test_r66_a_card_is_guarded_at_any_time_of_the_own_turn() -> None:
    table = Table(play={0: "C01 I02"}, garage=(2, 0), hands={0: "A05 C19"}).say(0, "guard C01", "play A05", "M")
    assert table.asked() == "0 AFTER" and table.say(0, "guard I02").cards("guarded") == "I02 C01"


def test_r67_a_plan_stands_once_it_is_declared() -> None:
    table = Table(ricks=(1, 1), morties=(2, 3), tokens={1: "3M"}, hands={0: "A02 C19", 1: "O13"}).say(0, "play A02")
    table.say(1, "react O13").decline().say(1, "4").decline()
    assert table.raw["ricks"][1] == 4 and table.tokens(0) == "3M"
    gone = Table(ricks=(1, 0), hands={0: "A12 C19", 1: "O13"}).say(0, "play A12").say(1, "react O13").decline().say(1, "4")
    assert gone.cards("general") == "A12 O13" and gone.cards("hand", 0) == "C19"        # nobody has a card left to give up


def test_r68_a_closing_that_has_become_impossible_opens_no_window() -> None:
    table = Table(ricks=(1, 0), morties=(0, 0), hands={0: "A19 O13", 1: "O16"}, tokens={0: "3T"}).say(0, "play A19")
    table.say(1, "react O16").say(0, "react O13", "4").decline().say(1, "0").decline()
    assert table.cards("general") == "A19 O13 O16" and table.owner("t05") == 254 and table.tokens(0) == "3T"
    assert v.C_CLOSE not in [window[0] for window in table.told("WINDOW")]


def test_r69_at_the_cap_a_seat_without_cards_passes_in_silence() -> None:
    table = Table(ricks=(0, 1), tokens={1: "3T 2D"}, hands={0: "A05"}, phase_turns=119).say(0, "end")
    assert table.told("PASS") == [(0,), (1,)] and table.owner("t05") == 254
    assert Table(ricks=(0, 1), tokens={1: "3T 2D"}, hands={0: "A05"}, phase_turns=118).say(0, "end").asked() == "1 TURN"


def test_r70_sampled_worlds_forget_what_third_seats_saw() -> None:
    table = Table(3, hands={0: "C19", 1: "A10", 2: "C01 C02 C03"}, current=1).say(1, "play A10", "2").decline().say(1, "C01")
    looked = {table.game.names.cards.index(card) for card in ("C02", "C03")}
    kept = [FIELDS.read(table.state.resample_from_infostate(seat, 4).to_bytes())["seen"][1] for seat in range(3)]
    assert kept == [set(), looked, looked]


def test_r71_what_events_tell() -> None:
    table = Table(ricks=(1, 0), tokens={0: "2M"}, hands={0: "C19"}).say(0, "move", "4")
    assert table.told("TARGET") == [(v.Q_SPACE, 4)]
    stays = Table(ricks=(1, 0), hands={0: "O13 C19"}).say(0, "react O13").decline().say(0, "1")
    assert stays.told("RICK") == [(0, 1)] and len(stays.told("REACT")) == 1
    assert [to for _card, _start, to in stays.told("CARD")] == [v.Z_GENERAL]


def test_r72_an_overtime_clause_is_no_harvest() -> None:
    late = Table(4, ricks=(1,) * 4, hands={0: "O15 C19"}, play={0: "C07"}, phase="harvest").say(0, "react O15").decline()
    assert late.say(0, "M").to_round(2).tokens(0) == "1M 1S"        # four on three tokens: none in the harvest itself
    assert sum(Table(3, ricks=(1,) * 3, hands={0: "C19"}, play={0: "C07"}, phase="harvest").to_round(2).raw["tokens"][0]) == 2


def test_r9_only_those_who_tie_for_the_highest_roll_again() -> None:
    ties = 0
    for seed in range(60):
        table = Table(3, phase="initiative", seed=seed)
        rolls, tied = table.told("ROLL"), [0, 1, 2]
        while len(tied) > 1:
            now, rolls = rolls[:len(tied)], rolls[len(tied):]
            assert [seat for seat, _face in now] == tied
            tied = [seat for seat, face in now if face == max(face for _seat, face in now)]
            ties += len(tied) > 1
        assert not rolls and table.told("FIRST")[0][0] == tied[0]
    assert ties > 5


def test_r13_reactions_and_guards_reset_no_passes() -> None:
    table = Table(hands={0: "C19", 1: "O13 C18"}, play={1: "C01"}, garage=(0, 1)).say(0, "end")
    table.say(1, "guard C01", "react O13").decline().say(1, "0")
    assert table.raw["passes"] == 1 and table.asked() == "1 TURN"


def test_r61_a_mirrored_destruction_meets_the_guard() -> None:
    table = Table(hands={0: "A13", 1: "O12"}, play={1: "C01", 0: "C11"}, guarded="C11").say(0, "play A13")
    table.say(1, "react O12").decline()
    assert table.cards("pile", 0) == "C11" and table.cards("play", 1) == "C01"


def test_r63_who_stands_on_a_black_hole_may_stay() -> None:
    table = Table(tiles="t05 t06 - t08 t09 t10", ricks=(9, 0), hands={0: "A16"}, stack=0, ending=True).say(0, "play A16")
    assert "9" in table.answers(0) and not {"3", "8", "15"} & set(table.answers(0))


def test_r64_a_copy_outlives_the_reshuffle_of_what_it_copies() -> None:
    table = Table(hands={0: "A18 O11", 1: "O01 C18"}, general="A03", deck="", tokens={1: "1S"}).say(0, "play A18")
    table.say(1, "react O01").say(0, "react O11").decline()         # the card that O11 draws reshuffles A03 away
    assert table.raw["epoch"] == 1 and "A03" not in table.cards("general") and table.tokens(0) == "1S"


def test_r30_the_garage_tokens_go_round_seat_by_seat() -> None:
    table = Table(3, ricks=(13, 14, 0), hands={0: "C19", 1: "C18", 2: "C17"}, phase="garage", first=1, garage=(17, 0, 0))
    asked = []
    while table.raw["phase"] == v.S_GARAGE or table.asked().endswith("TYPE_GAIN"):
        asked.append(table.state.pending[0])
        table.say(asked[-1], table.answers(asked[-1])[0])
    assert asked == [1, 1, 2, 2, 0, 0] and table.raw["garage"][:3] == [17, 2, 1]


def test_t16_who_is_next_has_an_action_of_its_own() -> None:
    table = Table(ricks=(1, 2), hands={0: "A17 C19", 1: "O12 C18"}).say(0, "play A17").say(1, "react O12").decline()
    assert (table.raw["current"], table.raw["actions_left"], table.raw["acted"]) == (1, 1, 0)


def test_t18_an_end_behind_an_action_is_no_pass() -> None:
    table = Table(ricks=(1, 0), hands={0: "A07 C19", 1: "C18"}, tokens={0: "1M 3T 2D"}).say(0, "play A07", "M").decline()
    table.say(0, "close 1").decline().say(0, "end")
    assert table.raw["passes"] == 0 and table.told("END_TURN") and not table.told("PASS")


def test_t26_a_robbery_passes_by_who_is_safe() -> None:
    table = Table(3, hands={0: "A03"}, tokens={1: "2M", 2: "2T"}, play={1: "C12"}).say(0, "play A03")
    assert [table.tokens(seat) for seat in range(3)] == ["1T", "2M", "1T"]


def test_t36_an_item_behind_the_main_action_brings_another() -> None:
    table = Table(ricks=(5, 0), play={0: "I16"}, hands={0: "A05 C19"}, tokens={0: "2S 1T 2D"})
    table.say(0, "play A05").decline().say(0, "M")
    assert table.asked() == "0 AFTER"
    table.say(0, "use I16", "2", "5")
    assert table.asked() == "0 TURN" and "close 5" in table.answers(0)
