"""Rulings that no example shows (RULES.md, section 9)."""

from __future__ import annotations

from typing import Any

import pytest

from chase_table import Table, a_game, rolling
from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.registry import new_game
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.content.pack import read
from seatmate.engine.monster_chase.content.plan import prey_set

FAR = (33, 1)
TWO = "bomb-3s steer-1s"
BOSS_DECK = "steer-1s steer-2s steer-3s star-1s star-2s star-3s"


def boss_turn(card: str, cars: list[tuple[int, int]], boss: tuple[int, int], **more: object) -> Table:
    more.setdefault("rank", [0, 1, 2, 4, 3])
    return Table(cars, boss=boss, phase="next", current=4, deck=f"{card} {BOSS_DECK}", **more)  # type: ignore[arg-type]


def test_r1_r9_r27_r63_what_is_in_the_box() -> None:
    pack = read("standard").content
    assert len(pack.pilot) == 8 and len(pack.boss) == 4 and len(pack.aura) == len(pack.assault) == 30
    assert {row.vehicles: row.green for row in pack.strip} == {2: 1, 3: 2, 4: 2, 5: 3, 6: 3, 7: 3, 8: 4, 9: 4}
    assert {row.kind: row.count for row in pack.prey} == {
        "heart": 5,
        "double_heart": 2,
        "discard": 1,
        "auras": 1,
        "heart_discard": 1,
    }
    assert prey_set(pack, 6, "normal") == {"double_heart": 1, "discard": 1, "auras": 1, "heart": 3}
    sides = {tile.id for tile in pack.tile if not tile.test}
    assert sides == {f"{number:02d}{side}" for number in range(1, 21) for side in "AB"}
    state = a_game(4, pilot_setup="choose").new_state(3)
    while state.prompt(state.pending[0]) == "PILOT_PICK":
        state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[0])
    assert a_game(4).everything(state)["order"][3] == 4  # the Boss: green + 1


def test_r4_no_chaos_at_setup() -> None:
    game = new_game("monster_chase", seats=4)
    for seed in range(60):
        seen = game.new_state(seed).observation(0)
        assert None not in (seen["negative"], seen["assault"]) and 29 not in (seen["negative"], seen["assault"])


def test_r5_r45_the_worst_ranked_seat_decides() -> None:
    table = Table([], boss=FAR, phase="aura", positive=["aura1", "aura2"], rank=[0, 2, 3, 4, 1], negative=4, assault=2)
    assert table.asks == "AURA_DROP" and table.seat == 1
    drone = Table([(6, 1), (7, 1), (8, 1)], seats=2, boss=FAR, current=2, rank=[1, 0, 3, 2], hands={2: "bomb-3s"})
    assert drone.seat == 0


def test_r6_r7_what_the_boss_chooses() -> None:
    away = boss_turn("steer-4r", [], (9, 1), objects={(11, 1): "boulder", (11, 0): "boulder"}, hp=5)
    assert away.at(4)[1] == 2 and not away.events("DMG")
    rams = boss_turn("steer-4r", [(11, 0)], (9, 1), hp=5)
    assert rams.at(4) == (13, 0) and rams.car(0)["damage"] == 2  # with the shield of its board
    tie = boss_turn("steer-4r", [(0, 0), (0, 1), (0, 2), (1, 0)], (9, 1), hp=5)
    assert tie.asks == "BOSS_TIE" and tie.seat == 3 and tie.options() == ["no", (9, 0), (9, 2)]
    assert tie.say((9, 2)).at(4) == (13, 2)


def test_r8_r38_the_first_round() -> None:
    state = new_game("monster_chase", seats=4).new_state(1)
    keys = [event.key for event in state.events(0)]
    assert keys.count("AURA") == keys.count("ASSAULT") == keys.count("ROUND") == 1
    assert next(event.args[1] for event in state.events(0) if event.key == "ROLL") == 1
    table = Table(
        [(5, 1), (5, 0)], circuit="01A:S,02A:S,03A:S,04A:S,11A:S,09B:S", boss=(23, 1), rolled=1, hands={0: "bomb-1s star-1s"}
    )
    table.say("card", "bomb-1s", "no")
    again = Table(
        [(5, 1), (5, 0)], circuit="01A:S,02A:S,03A:S,04A:S,11A:S,09B:S", boss=(23, 1), rolled=3, hands={0: "bomb-1s star-1s"}
    )
    again.say("card", "bomb-1s", "no")
    assert (len(table.events("ROLL")), len(again.events("ROLL"))) == (1, 0)


def test_r10_decks_by_colour() -> None:
    green = Table([(6, 1)], boss=FAR, hands={0: "bomb-1s star-1s"}, rank=[0, 1, 2, 3, 4]).say("card", "bomb-1s", "no")
    red = Table([(6, 1)], boss=FAR, hands={0: "bomb-1s star-1s"}, rank=[1, 2, 3, 0, 4]).say("card", "bomb-1s", "no")
    assert [args for args in green.events("DRAW") if args[0] == 0] == [(0, 0)] * 2
    assert [args for args in red.events("DRAW") if args[0] == 0] == [(0, 1)] * 2


def test_r11_equal_progress() -> None:
    table = Table([(6, 0), (6, 1), (6, 2), (8, 0)], boss=(2, 1), phase="rank", rank=[2, 0, 4, 1, 3])
    assert table.all["rank"][:5] == [3, 2, 0, 1, 4]


def test_r18_r20_a_star_of_this_card_pays_for_a_power() -> None:
    table = Table([(6, 1)], boss=(9, 1), hp=6, boards={0: "barbarossa"}, hands={0: "star-1s bomb-1s"})
    table.say("card", "star-1s", "yes")
    assert table.options() == ["end", "power1"]
    table.say("power1")
    assert table.hp == 5 and table.car(0)["star"] == 0


def test_r19_r83_the_extra_card() -> None:
    table = Table([(6, 1)], boss=FAR, stars={0: 3}, hands={0: "bomb-1s bomb-2s star-1s"})
    table.say("power2", "bomb-1s", "no")
    assert table.at(0) == (7, 1) and table.car(0)["star"] == 1
    assert "power1" not in table.options() and "card" in table.options() and "end" not in table.options()
    bare = Table([(6, 1)], boss=FAR, stars={0: 3}, hands={0: "", 1: TWO}, phase="after")
    assert "power2" not in bare.options() and "power1" in bare.options()


def test_r35_how_far_missiles_fly() -> None:
    table = Table(
        [(6, 1), (0, 1), (0, 0), (0, 2)], boss=(4, 1), laps={4: 6}, hp=6, hands={0: "missile-1s bomb-1s"}, prey="", prey_slot=3
    )
    table.say("card", "missile-1s", "yes")
    assert table.car(1)["damage"] == 1 or table.hp == 5  # around the ring: 30 squares
    short = Table([(6, 1)], boss=(11, 1), hp=6, negative=24, hands={0: "missile-1s bomb-1s"})
    assert short.say("card", "missile-1s", "yes").hp == 6  # Short Sight: 4 squares


def test_r44_who_sees_hands() -> None:
    def hands(mode: str, seats: int, observer: int) -> list[bool]:
        game = a_game(seats, mode)
        return [game.sees(observer, car) for car in range(game.vehicles - (mode == "coop"))]

    assert hands("coop", 4, SPECTATORS) == [True] * 4
    assert hands("team", 4, 0) == [True, True, False, False] and hands("team", 4, SPECTATORS) == [False] * 4
    assert hands("race", 4, 2) == [False, False, True, False]


def test_r47_bots_take_ranks_but_a_seat_wins() -> None:
    table = Table([], seats=2, mode="race", phase="round_end", round=60, rank=[2, 1, 3, 0])
    assert table.game.kinds == (0, 0, 3, 3) and table.state.returns() == [0.0, 1.0]


def test_r48_r51_r49_sizes_ghosts_and_drafts() -> None:
    sizes = {seats: a_game(seats, "team").plan.stables for seats in range(3, 9)}
    assert sizes == {3: 2, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4}
    with pytest.raises(SettingsError):
        a_game(4, "team", stable_size="3")
    game = a_game(3, "team")
    assert game.kinds == (0, 0, 0, 2) and game.sees(SPECTATORS, 3)
    state = game.new_state(4)
    first = game.everything(state)["first_stable"]
    asked = []
    while state.prompt(state.pending[0]) == "DRAFT_PICK":
        asked.append(state.pending[0])
        state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[0])
    assert asked == ([0, 2, 2, 1] if first == 0 else [2, 0, 1, 2])


def test_r52_manoeuvres_in_races() -> None:
    plain = Table([(6, 1)], mode="race", stars={0: 1}, hands={0: "bomb-1s bomb-2s star-1s"})
    extra = Table([(6, 1)], mode="race", stars={0: 1}, hands={0: "bomb-1s bomb-2s star-1s"}, options={"race_extras": True})
    assert "manoeuvre" not in plain.options() and "manoeuvre" in extra.options()


def landslide(cars: list[tuple[int, int]], **more: object) -> Table:
    return Table(cars, circuit="01A:S,04B:S,02A:S,03A:S,09A:S,11A:S", **more)  # type: ignore[arg-type]


def test_r53_landslide() -> None:
    table = landslide([(6, 1), (10, 0)], boss=(25, 1), hands={0: "bomb-1s star-1s"}).say("card", "bomb-1s", "no")
    assert table.asks == "SLIDE_SQUARE" and len(table.options()) == 6
    table.say((10, 0))
    assert table.car(1)["damage"] == 1
    boss = Table(
        [(8, 2), (1, 0), (1, 1), (1, 2)],
        circuit="01A:S,04B:S,02A:S,03A:S,09A:S,11A:S",
        boss=(6, 0),
        phase="next",
        current=4,
        rank=[4, 0, 1, 2, 3],
        deck="repair-1s bomb-4r bomb-5r missile-4r",
        hp=5,
    )
    assert boss.car(0)["damage"] == 2 and boss.at(4) == (7, 0)  # with the shield of its board


def test_r56_spirits_between_steps() -> None:
    table = Table([(6, 1)], boss=FAR, spirits={0: "missile-1s"}, objects={(9, 1): "boulder"}, hands={0: "bomb-4r star-1s"})
    assert "spirit" in table.options()
    table.say("card", "bomb-4r", "no")
    assert table.asks == "SPIRIT_USE" and table.at(0) == (7, 1)
    table.say("no")
    assert table.at(0) == (8, 1)
    table.say("yes", "yes")
    assert table.at(0) == (10, 1) and table.object((9, 1)) == "" and table.car(0)["damage"] == 0


def test_r60_the_round_cap() -> None:
    chase = Table([], boss=FAR, phase="round_end", round=60, hp=4)
    lost = chase.game.max_hp - 4
    assert chase.all["result"] == "cap" and chase.state.returns() == [pytest.approx(0.3 * lost / (lost + 4))] * 4
    race = Table([], mode="race", phase="round_end", round=60, rank=[3, 0, 1, 2])
    assert race.state.returns() == [0.0, 0.0, 0.0, 1.0]


def test_r62_snowy_tiles_bring_the_winter_module() -> None:
    assert a_game(4, "coop", "ice_loop").plan.winter and not a_game(4, "coop", "jungle_loop").plan.winter
    assert a_game(8, "coop", "jungle_loop").plan.winter is False


def test_r64_magic_nitro() -> None:
    table = Table([(0, 0), (1, 0), (2, 0), (3, 0)], boss=(20, 1), phase="rank", rank=[4, 3, 2, 1, 0], options={"winter": True})
    assert table.car(0)["nitro"] is not None and [table.car(car)["nitro"] for car in (1, 2, 3)] == [None] * 3
    close = Table(
        [(16, 0), (17, 0), (18, 0), (19, 0)], boss=(20, 1), phase="rank", rank=[4, 3, 2, 1, 0], options={"winter": True}
    )
    assert [close.car(car)["nitro"] for car in range(4)] == [None] * 4


def test_r65_difficulties_the_box_cannot_give() -> None:
    for seats, difficulty in ((8, "easy_a"), (8, "harsh_a"), (3, "easy_b"), (2, "hard_a")):
        with pytest.raises(SettingsError):
            prey_set(read("standard").content, seats, difficulty)


def test_r66_obstacles_are_nobodys_unless_a_car_is_pushed() -> None:
    alone = Table([(6, 1)], boss=FAR, shields={0: 1}, objects={(7, 1): "boulder"}, hands={0: "bomb-1s star-1s"})
    alone.say("card", "bomb-1s", "no", 0)
    assert alone.events("DMG") == [(0, 1, v.NONE)]
    pushed = Table([(6, 1), (7, 1)], boss=FAR, objects={(8, 1): "boulder"}, hands={0: "bomb-1s star-1s"})
    pushed.say("card", "bomb-1s", "no")
    assert pushed.events("DMG") == [(1, 1, 0), (1, 1, 0)]


def test_r67_victims_one_by_one() -> None:
    shields = {1: 1, 2: 1}
    table = Table(
        [(6, 1), (8, 0), (8, 2)],
        boss=FAR,
        objects={(8, 1): "bomb"},
        shields=shields,
        rank=[2, 0, 1, 3, 4],
        hands={0: "missile-1s star-1s"},
    )
    table.say("card", "missile-1s", "yes")
    assert table.asks == "SHIELD_BLOCK" and table.seat == 2
    table.say(0)
    assert table.seat == 1 and table.car(2)["damage"] == 1


def test_r68_r76_r81_teleports() -> None:
    over = Table(
        [(11, 1), (10, 0), (30, 0), (31, 0)],
        boss=FAR,
        objects={(12, 1): "boulder", (12, 0): "bomb"},
        hands={0: TWO, 1: "star-3s"},
    )
    over.say("astral", "star-3s", "no")
    assert (12, 1) not in over.options() and (13, 1) in over.options()
    assert over.say((13, 1)).car(0)["damage"] == 0
    back = Table([(0, 1), (1, 0), (20, 0), (21, 0)], boss=FAR, hands={0: TWO, 1: "star-3s"})
    back.say("astral", "star-3s", "no", (35, 1))
    assert back.car(0)["lap"] == -1 and back.car(0)["cp"] == 0


def test_r69_pushed_vehicles_use_no_boosts() -> None:
    table = Table([(6, 1), (7, 1)], circuit="01A:S,09B:S,02A:S,03A:S,04A:S,11A:S", boss=(20, 1), hands={0: "bomb-1s star-1s"})
    table.say("card", "bomb-1s", "no")
    assert table.at(1) == (9, 1) and table.at(0) == (7, 1)
    own = Table([(7, 1), (0, 0)], circuit="01A:S,09B:S,02A:S,03A:S,04A:S,11A:S", boss=(20, 1), hands={0: "bomb-2s star-1s"})
    assert own.say("card", "bomb-2s", "no").at(0) == (11, 1)


def test_r70_r71_effects_are_optional_and_may_do_nothing() -> None:
    table = Table([(6, 1)], boss=(3, 0), hands={0: "missile-1s repair-1s"})
    table.say("card", "missile-1s")
    assert table.options() == ["no", "yes"]
    healthy = Table([(6, 1)], boss=FAR, hands={0: "repair-1s bomb-1s"}).say("card", "repair-1s", "yes")
    assert healthy.at(0) == (7, 1)


def test_r72_a_large_hand_is_kept() -> None:
    table = Table([(6, 1)], boss=FAR, hands={0: "bomb-1s bomb-2s bomb-3s star-1s star-2s"})
    table.say("card", "bomb-1s", "no")
    assert len(table.hand(0)) == 4 and not [args for args in table.events("DRAW") if args[0] == 0]


def test_r73_nobody_keeps_the_boss() -> None:
    assert not [prompt for prompt in a_game(4).prompt_keys if "KEEPER" in prompt]


def test_r74_r84_an_exhausted_colour() -> None:
    table = Table(
        [(6, 1)], boss=FAR, hands={0: "bomb-1s star-1s"}, deck="bomb-4r missile-4r repair-4r", rank=[0, 1, 2, 3, 4], negative=None
    )
    game = table.game
    values = game.everything(table.state)
    values["discard"] = [0 if type_ < v.RUSH else n for type_, n in enumerate(values["discard"])]
    state = game.position(values, seed=1, record_events=True)
    for answer in (v.DO_CARD, game.names.type_number["bomb-1s"], 0):
        state.apply_action(0, answer)
    drawn = [event.args for event in state.events(0) if event.key == "DRAW" and event.args[0] == 0]
    assert drawn == [(0, 0), (0, 1)] and "bomb-1s" in [
        game.names.types[one] for one in game.everything(state)["hand"][0] if one is not None
    ]


def test_r75_a_chain_that_comes_back() -> None:
    def chain(seed: int) -> Table:
        table = Table(
            [(6, 1), (7, 1)], circuit="01A:S,18B:R,02A:S,03A:S,04A:S,11A:S", boss=(20, 1), seed=seed, hands={0: "bomb-1s star-1s"}
        )
        return table.say("card", "bomb-1s", "no")

    for face in range(1, 7):
        table = rolling([face], chain)
        assert table.at(0) != table.at(1) and table.all["depth"] == 0


def test_r77_hidden_hands_and_forced_answers() -> None:
    race = Table([(6, 1)], mode="race", stars={0: 1}, hands={0: "bomb-1s bomb-1s"})
    race.say("card")
    assert race.asks == "CARD" and race.options() == ["bomb-1s"]
    single = Table([(6, 1)], mode="race", stars={0: 1}, hands={0: "bomb-1s"}).say("card")
    assert single.asks == "EFFECT"


def test_r79_a_full_hand() -> None:
    full = "bomb-1s bomb-2s bomb-3s star-1s star-2s star-3s steer-1s steer-2s"
    table = Table([(6, 1)], boss=FAR, hands={0: full}, phase="start", positive=["aura26"])
    assert len(table.hand(0)) == v.HAND


def test_r80_moves_of_powers_ignore_the_spin() -> None:
    table = Table([(6, 1)], boss=FAR, stars={0: 3}, spun=[0], boards={0: "scrum"}, hands={0: TWO})
    table.say("power3")
    assert table.at(0) == (10, 1) and table.car(0)["spun"] == 1


def test_r82_a_game_that_ends_in_the_middle_of_an_action() -> None:
    table = boss_turn("bomb-5r", [], (11, 1), hp=a_game().max_hp, reserves=4)
    assert table.all["result"] == "overflow" and table.all["frames"] == []
    table.game.check_invariants(table.state)


def test_r85_the_snout_stops_missiles() -> None:
    circuit = "01A:S,11B:S,02A:S,03A:S,04A:S,09B:S"
    snout = Table([(6, 0), (0, 1)], circuit=circuit, boss=(9, 0)).number((7, 0))
    table = Table([(6, 0), (0, 1)], circuit=circuit, boss=(9, 0), hp=6, snout=snout, hands={0: "missile-1s star-1s"})
    table.say("card", "missile-1s", "yes")
    assert table.hp == 6 and table.at(0) == (7, 0) and table.car(0)["damage"] == 1


def test_r85_a_vehicle_on_the_snouts_square_is_hit() -> None:
    circuit = "01A:S,11B:S,02A:S,03A:S,04A:S,09B:S"
    snout = Table([(6, 0), (7, 0)], circuit=circuit, boss=(20, 0)).number((7, 0))
    table = Table([(6, 0), (7, 0)], circuit=circuit, boss=(20, 0), snout=snout, hands={0: "missile-1s star-1s"})
    table.say("card", "missile-1s", "yes")
    assert table.events("DMG")[0][:2] == (1, 1)


def test_a_rammed_car_that_comes_back_to_the_same_square_is_not_pushed() -> None:
    table = Table([(5, 1), (6, 1), (5, 0), (5, 2)], boss=FAR, damage={1: 2}, cps={1: 1}, hands={0: "bomb-1s steer-1s"},
                  objects={(6, 0): "boulder", (6, 2): "boulder"})
    table.say("card", "bomb-1s", "no")
    assert table.events("OFFTRACK") and table.at(1) == (6, 1) and table.at(0) == (5, 1)


def test_what_a_car_rams_is_pushed_though_the_ram_throws_it_off_the_track() -> None:
    table = Table([(6, 1), (7, 1)], boss=FAR, damage={0: 2}, negative=10, hands={0: "bomb-1s steer-1s"})
    table.say("card", "bomb-1s", "no").until("TURN_MENU")
    assert table.events("OFFTRACK")[0][0] == 0 and table.at(1) == (9, 1)


def test_a_pushed_boss_dodges() -> None:
    table = Table([(6, 1)], boss=(7, 1), options={"boss": "bike"}, furious=True, objects={(9, 1): "bomb", (9, 0): "bomb"}, hp=4,
                  hands={0: "repair-1s steer-1s"})
    table.say("card", "repair-1s", "no")
    assert table.at(table.boss()) == (9, 2) and table.hp == 3


def test_an_aura_that_comes_in_the_turn_lets_draw_after_a_manoeuvre() -> None:
    held = {}
    for seed in range(60):
        table = Table([(11, 1)], boss=FAR, prey="auras", prey_slot=2, seed=seed, hands={0: "bomb-1s repair-1s steer-1s"})
        table.say("manoeuvre", "bomb-1s", "repair-1s", "repair", "no")
        held["aura17" in table.all["positive"]] = len(table.hand(0))
    assert held == {False: 1, True: 3}


def test_r86_the_wind_beside_void() -> None:
    def blown(seed: int) -> Table:
        table = Table(
            [(8, 1)], circuit="17A:S,16B:S,02A:S,03A:S,04A:S,11A:S", boss=(20, 1), seed=seed, hands={0: "bomb-1s star-1s"}
        )
        return table.say("card", "bomb-1s", "no")

    assert rolling([3], blown).at(0) == (9, 1)
    fallen = rolling([6], blown)
    assert fallen.events("OFFTRACK")[0][0] == 0 and fallen.car(0)["star"] == 1


def test_r64_nitros_change_hands_in_a_stable() -> None:
    table = Table(
        [(6, 1), (7, 0), (20, 0), (20, 2)], mode="team", nitros={0: "turbo", 1: "foam"}, hands={0: TWO}, options={"winter": True}
    )
    assert "swap" in table.options() and "give" not in table.options()
    table.say("swap")
    assert [table.car(car)["nitro"] for car in (0, 1)] == [2, 0]
    single = Table([(6, 1), (7, 0), (20, 0), (20, 2)], mode="team", nitros={0: "turbo"}, hands={0: TWO}, options={"winter": True})
    assert single.say("give").car(1)["nitro"] == 0 and single.car(0)["nitro"] is None


def test_r87_auras_reach_spirit_cards() -> None:
    silent = Table([(6, 1)], boss=(9, 1), hp=6, negative=5, spirits={0: "missile-1s"}, hands={0: TWO}).say("spirit")
    assert silent.hp == 6 and silent.asks == "TURN_MENU" and "spirit" not in silent.options()
    oil = Table([(6, 1)], boss=FAR, damage={0: 2}, positive=["aura8"], spirits={0: "repair-1s"}, hands={0: TWO})
    assert oil.say("spirit", "yes", "yes").car(0)["damage"] == 0


def test_r45_r87_stars_of_a_drone() -> None:
    def drone(**more: object) -> Table:
        return Table([(7, 1), (0, 0), (6, 1)], seats=2, boss=FAR, current=2, rank=[0, 1, 3, 2], **more)  # type: ignore[arg-type]

    table = drone(hands={0: "star-1s", 2: "bomb-1s"}).say("astral", "star-1s", "yes")
    assert table.at(2) == (6, 1) and table.asks == "TELEPORT" and (9, 1) in table.options() and (10, 1) not in table.options()
    spirit = drone(hands={2: "bomb-1s"}, spirits={2: "star-1s"})
    assert spirit.say("spirit", "yes").at(2) == (8, 1)


def furbot(seed: int, **more: object) -> Table:
    return Table(
        seats=2,
        mode="race",
        phase="next",
        current=2,
        rank=[2, 0, 1, 3],
        deck="freeze-1s freeze-3r",
        seed=seed,
        options={"bot_kind": "furbot", "winter": True},
        **more,  # type: ignore[arg-type]
    )


def test_r88_where_a_furbot_puts_a_slab() -> None:
    cars = [(8, 1), (14, 1), (12, 1), (0, 0)]
    near = rolling([2], lambda seed: furbot(seed, cars=cars, objects={(9, 1): "boulder"}))
    assert near.object((10, 1)) == "slab"
    cars[0] = (1, 2)
    assert rolling([2], lambda seed: furbot(seed, cars=cars)).object((11, 1)) == "slab"
    assert rolling([4], lambda seed: furbot(seed, cars=cars)).object((15, 1)) == "slab"


def test_r89_nobody_knows_how_far_a_boulder_will_roll() -> None:
    def table(seed: int) -> Table:
        return Table(
            [(11, 2), (0, 0), (12, 1), (0, 1)],
            seats=2,
            mode="race",
            phase="next",
            current=2,
            rank=[2, 0, 1, 3],
            circuit="01A:S,02A:S,20B:S,03A:S,04A:S,11A:S",
            objects={(16, 0): "boulder", (16, 2): "boulder"},
            deck="repair-1s bomb-5r missile-5r",
            seed=seed,
        )

    found = rolling([5], table)
    assert found.object((16, 0)) == "" and found.object((16, 2)) == "boulder" and found.car(0)["damage"] == 0


def test_r89_the_boss_reckons_with_driving_straight_on() -> None:
    table = boss_turn("steer-3r", [(0, 0), (0, 1), (0, 2), (1, 0)], (7, 1), circuit="01A:S,14B:R,02A:S,03A:S,04A:S,11A:S",
                      objects={(9, 0): "boulder"}, hp=5)
    assert table.asks == "BOSS_TIE" and "no" in table.options()


def test_r89_the_shield_of_a_bot_is_reckoned_with() -> None:
    table = Table([(0, 0), (0, 1), (6, 0), (10, 2)], seats=2, mode="race", phase="next", current=2, rank=[2, 0, 1, 3],
                  shields={3: 1}, circuit="01A:S,04B:S,02A:S,03A:S,09A:S,11A:S", deck="repair-1s bomb-4r")
    assert table.object((8, 0)) == "boulder" and table.car(3)["shields"] == 1


def test_r90_a_missile_in_flight() -> None:
    table = boss_turn("repair-4r", [(8, 0), (10, 1)], (6, 1), options={"boss": "jeep"}, damage={0: 2},
                      objects={(8, 1): "bomb"}, hp=5)
    table.say(table.options()[0])
    assert table.all["furious"] and table.events("DMG")[:2] == [(0, 1, 4), (1, 1, 4)]


def test_r91_a_portal_is_no_square_the_boss_drives_onto() -> None:
    table = Table([], boss=(5, 0), phase="next", current=4, rank=[4, 0, 1, 2, 3], options={"boss": "bike"},
                  deck="repair-2s bomb-4r", circuit="01A:S,06B:R,02A:S,03A:S,04A:S,11A:S")
    assert len(table.events("MOVE")) == 4 and table.all["furious"]


def test_r92_slabs_and_the_bosss_own_square() -> None:
    green: dict[str, Any] = {"phase": "next", "current": 4, "rank": [4, 0, 1, 2, 3]}
    slide = Table([], boss=(6, 0), circuit="01A:S,04B:S,02A:S,03A:S,09A:S,11A:S", deck="repair-2s bomb-4r",
                  objects={(8, 1): "slab", (8, 2): "slab"}, options={"winter": True}, **green)
    assert slide.object((10, 2)) == "boulder"
    snout = Table([], boss=(6, 1), circuit="01A:S,11B:S,02A:S,03A:S,04A:S,09B:S", deck="repair-3s bomb-4r", **green)
    assert snout.all["snout"] == snout.number((7, 1)) and snout.asks == "TURN_MENU"


def test_r93_the_end_of_a_turn_without_a_card() -> None:
    table = Table([(6, 1)], boss=FAR, hands={0: "", 1: TWO}, nitros={0: "turbo"}, options={"winter": True})
    assert table.options() == ["end", "nitro"]
    assert table.say("end").all["current"] == 1 and len(table.hand(0)) == 3


def test_a_pilot_chooses_the_deck_of_each_card_an_aura_gives() -> None:
    table = Table([(6, 1)], boss=FAR, phase="start", positive=["aura20", "aura26"], hands={0: "bomb-1s"})
    assert table.asks == "DECK_PICK"
    table.say(table.options()[1])
    assert [name[-1] for name in table.hand(0)] == ["s", "r"] and table.asks == "TURN_MENU"


def test_r89_where_a_car_would_go_off_the_track_makes_no_tie() -> None:
    table = boss_turn("missile-4r", [(10, 1)], (9, 1), options={"boss": "loco"}, damage={0: 1}, hp=5)
    assert table.asks == "RETURN_SQUARE" and table.at(4) in ((9, 1), (11, 1))


def test_r57_a_boulder_rolls_past_the_snout() -> None:
    circuit = "01A:S,11B:S,20B:S,03A:S,04A:S,02A:S"
    snout = Table([], circuit=circuit, boss=FAR).number((9, 0))

    def rolls(seed: int) -> Table:
        table = Table([(12, 1), (0, 1), (0, 2)], circuit=circuit, boss=FAR, seed=seed, objects={(12, 0): "boulder"}, snout=snout,
                      deck=f"bomb-3r {BOSS_DECK}", hands={0: TWO})
        return table.say("card", "steer-1s", "no")

    table = rolling([5], rolls).say((12, 0))
    assert table.object((8, 0)) == "boulder" and table.object((9, 0)) == ""


def test_r81_a_teleport_far_back_behind_the_grid() -> None:
    table = Table([(30, 1), (30, 0), (20, 0), (21, 0)], boss=FAR, laps={0: -1}, hands={0: TWO, 1: "star-3s"})
    table.say("astral", "star-3s", "no", (29, 1))
    assert table.car(0)["lap"] == -2 and table.car(0)["cp"] == 0
    table.game.check_invariants(table.state)


@pytest.mark.parametrize(("seats", "size"), [(4, 2), (6, 2), (6, 3), (8, 2), (8, 4)])
def test_r49_the_grid_begins_where_the_last_pick_was_and_goes_the_other_way(seats: int, size: int) -> None:
    state = a_game(seats, "team", team_setup="draft", stable_size=str(size)).new_state(5)
    asked: dict[str, list[int]] = {}
    while (prompt := str(state.prompt(state.pending[0]))) in ("DRAFT_PICK", "DRAFT_ASSIGN", "GRID_CAR", "GRID_SLOT"):
        asked.setdefault(prompt, []).append(state.pending[0] // size)
        state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[0])

    def snake(first: int, step: int) -> list[int]:
        row = [(first + step * i) % (seats // size) for i in range(seats // size)]
        return [stable for turn in range(size) for stable in (row[::-1] if turn & 1 else row)]

    picks = snake(asked["DRAFT_PICK"][0], 1)
    grid = snake(picks[-1], -1)
    assert asked["DRAFT_PICK"] == picks[: 7 if seats == 8 else None]        # with eight, the last pick is forced
    assert asked["GRID_SLOT"] == grid[:-1]                                  # ... and the last place always


def drone_turn(**more: object) -> Table:
    hands = {0: "steer-1s steer-2s", 1: "steer-3s missile-1s", 2: "repair-1s"}
    return Table([(6, 1), (0, 0), (6, 2)], seats=2, boss=FAR, current=2, rank=[0, 1, 3, 2],
                 **{"hands": hands, **more})  # type: ignore[arg-type]


def test_r45_only_power_up_gives_the_drone_shields() -> None:
    gift = Table([(6, 1), (0, 0), (6, 2)], seats=2, boss=FAR, stars={0: 1}, boards={0: "mara"},
                 hands={2: "repair-3s"})
    gift.say("power1", 2)
    assert gift.car(2)["shields"] == 0 and gift.all["shield_tokens"] == 8
    assert drone_turn(positive=["aura22"], phase="end").car(2)["shields"] == 0
    assert drone_turn(nitros={2: "bubble"}, options={"winter": True}).say("nitro").car(2)["shields"] == 0
    power = drone_turn(hands={2: "power-1s"}, options={"winter": True})
    power.say("card", "yes")
    assert power.events("SHIELD")[:2] == [(2, 2), (2, 1)]           # one is lost at the end of its turn


def test_r79_the_drone_never_holds_a_second_card() -> None:
    assert drone_turn(positive=["aura26"], phase="start").hand(2) == ["repair-1s"]
    asked = drone_turn(positive=["aura20", "aura26"], phase="start")
    assert asked.asks == "TURN_MENU" and asked.hand(2) == ["repair-1s"]


def test_r80_a_car_that_went_off_the_track_moves_no_more_in_the_action() -> None:
    cars = [(6, 1), (7, 0), (20, 0), (21, 0)]
    leap = Table(cars, boss=FAR, damage={0: 2}, objects={(6, 0): "bomb"}, hands={0: TWO, 1: "steer-3s"})
    leap.say("astral", "steer-3s", (6, 0), (0, 0))
    assert leap.asks == "TURN_MENU" and leap.at(0) == (0, 0) and "end" in leap.options()
    loose = Table(cars, boss=FAR, damage={0: 2}, objects={(6, 0): "bomb"}, positive=["aura5"], hands={0: "steer-3s bomb-1s"})
    loose.say("card", "steer-3s", (6, 0), (0, 0))
    assert loose.at(0) == (0, 0) and loose.asks != "EFFECT"
    rammed = Table([(7, 1), (6, 1), (20, 0), (21, 0)], boss=FAR, damage={0: 2}, hands={0: "steer-3s bomb-1s"})
    rammed.say("kinetic", "steer-3s", 1, (6, 0))
    assert rammed.events("OFFTRACK")[0][0] == 0 and rammed.at(0) == (6, 0) and rammed.asks != "EFFECT"


def test_r98_r54_a_car_thrown_onto_a_yeti_square_at_the_end_of_an_action_rolls() -> None:
    full = [(12, 0), (12, 1), (12, 2), (11, 0), (11, 1), (11, 2), (10, 0), (10, 1), (10, 2), (9, 1)]

    def thrown(seed: int) -> Table:
        table = Table([(13, 0), (16, 0), (0, 1), (0, 2)], circuit="01A:S,17B:S,04B:S,02A:S,03A:S,11A:S", boss=(30, 1),
                      cps={0: 1, 1: 2}, damage={1: 2}, seed=seed, objects={**dict.fromkeys(full, "boulder"), (9, 2): "bomb"},
                      hands={0: "steer-1s missile-1s", 1: "bomb-2s star-1s"})
        return table.say("card", "steer-1s", (13, 1), (16, 0), (8, 1))

    assert rolling([4], thrown).events("DISCARD")[:2] == [(1, 11), (1, 20)]
    kept = rolling([5], thrown)
    assert kept.at(1) == (8, 1) and not kept.events("DISCARD")


@pytest.mark.parametrize(("effect", "answer"), [("shields", ()), ("repair", ("yes",)), ("repair", ("no",))])
@pytest.mark.parametrize("aura", [{"negative": 23}, {"positive": ["aura24"]}])
def test_r94_a_manoeuvre_is_neither_taxed_nor_rewarded(effect: str, answer: tuple[str, ...], aura: dict[str, Any]) -> None:
    table = Table([(6, 1)], boss=FAR, hands={0: "steer-3s bomb-2s star-1s"}, **aura)
    assert table.say("manoeuvre", "steer-3s", "bomb-2s", effect, *answer).at(0) == (8, 1)


def test_r95_the_extra_card_hurts_mates() -> None:
    table = Table([(6, 1), (8, 1), (0, 2), (0, 0)], mode="team", stars={0: 2}, hands={0: "missile-1s steer-1s"})
    assert table.say("power2", "missile-1s", "yes").car(1)["damage"] == 1


def test_r96_a_teleport_onto_a_portal() -> None:
    def lands(seed: int) -> Table:
        table = Table([(6, 1), (9, 0), (20, 0), (21, 0)], circuit="01A:S,06B:R,02A:S,03A:S,04A:S,11A:S", boss=(25, 1), seed=seed,
                      hands={0: TWO, 1: "repair-1s bomb-1s"})
        return table.say("astral", "repair-1s", "no", (7, 1))

    assert rolling([4], lands).at(0) == (10, 0)
    assert rolling([1], lands).at(0) == (8, 0)


def test_r97_no_boulder_where_all_squares_before_the_line_are_taken() -> None:
    def shaken(seed: int) -> Table:
        table = Table([(12, 1)], circuit="01A:S,02A:S,20B:S,03A:S,04A:S,11A:S", boss=FAR, seed=seed,
                      hands={0: "missile-1s steer-1s"}, objects=dict.fromkeys([(14, 1), (15, 1), (16, 1)], "bomb"))
        return table.say("card", "missile-1s", "no")

    table = rolling([4], shaken)
    assert table.all["boulders"] == 14 and not table.events("OBJECT")


def test_r35_a_missile_flies_forty_squares() -> None:
    track = a_game(4, "coop", "marathon").track
    for far, hearts in ((40, 4), (41, 5)):
        square = track.number[1, 1, 0]
        for _step in range(far):
            square = track.squares[square].ahead[0]
        there = track.squares[square]
        table = Table([(6, 1), (0, 0), (0, 1), (0, 2)], boss=(6 * there.slot + there.idx, there.lane), circuit="marathon", hp=5,
                      hands={0: "missile-1s bomb-1s"}, prey="", prey_slot=1)
        assert table.say("card", "missile-1s", "yes").hp == hearts


def test_r75_who_is_moving_is_rammed_but_not_pushed() -> None:
    def chain(seed: int) -> Table:
        table = Table([(6, 0), (7, 0), (0, 1), (0, 2)], circuit="01A:S,18B:R,02A:S,03A:S,04A:S,11A:S", boss=(25, 1), seed=seed,
                      hands={0: "bomb-2s steer-3s"})
        return table.say("card", "bomb-2s", "no")

    table = rolling([1], chain)         # the pushed car comes back from its mirror onto the car that pushes it
    assert [table.at(car) for car in (0, 1)] == [(6, 0), (7, 0)] and [table.car(car)["damage"] for car in (0, 1)] == [1, 1]


def test_r78_a_parked_car_is_safe_from_the_wind() -> None:
    table = Table([(8, 1), (0, 0)], circuit="17A:S,16B:S,02A:S,03A:S,04A:S,11A:S", boss=FAR, current=1, rank=[1, 0, 2, 3, 4],
                  hands={1: "bomb-1s steer-1s"})
    assert not table.say("card", "bomb-1s", "no").events("ROLL") and table.at(0) == (8, 1)


def test_r50_x30_rams_of_a_power_and_the_turns_of_others() -> None:
    for mate, car, damage in (((7, 1), 1, 1), ((0, 1), 2, 2)):
        cars = [(6, 1), mate, (7, 1) if car == 2 else (0, 2), (0, 0)]
        table = Table(cars, mode="team", stars={0: 1}, boards={0: "scrum"}, hands={0: "bomb-1s steer-1s"})
        table.say("power1", "card", "bomb-1s", "no")
        assert table.car(car)["damage"] == damage and table.at(car) == (9, 1)       # spared the bonus, not the push
    other = Table([(6, 1), (8, 0), (8, 2), (0, 0)], mode="team", stars={2: 3}, boards={2: "finn"}, hands={2: TWO}, current=2,
                  rank=[2, 0, 1, 3])
    assert other.say("power3", (8, 1), "no").car(1)["damage"] == 1


def test_r40_the_boss_heals_in_phase_four_and_for_the_drone() -> None:
    attack = Table([(10, 1), (0, 0), (0, 1), (0, 2)], boss=(9, 1), phase="assault", rank=[0, 4, 1, 2, 3], damage={0: 2}, hp=5,
                   assault=16)
    assert attack.events("OFFTRACK")[0][0] == 0 and attack.hp == 6
    drone = Table([(0, 0), (0, 1), (8, 1)], seats=2, boss=(7, 1), phase="next", current=3, rank=[0, 1, 3, 2],
                  deck=f"bomb-4r {BOSS_DECK}", damage={2: 2}, hp=5)
    assert drone.events("OFFTRACK")[0][0] == 2 and (6, 0) in drone.events("BOSS")
    own = Table([(6, 1), (7, 1)], boss=FAR, damage={1: 2}, hp=5, hands={0: "bomb-1s steer-1s"}).say("card", "bomb-1s", "no")
    assert own.events("OFFTRACK") and own.hp == 5


def test_r69_pushed_over_the_line_and_into_obstacles() -> None:
    line = Table([(4, 1), (5, 1), (0, 1), (0, 2)], boss=FAR, laps={0: 6, 1: 6}, hands={0: "bomb-1s steer-1s"})
    line.say("card", "bomb-1s", "no")
    assert line.car(1)["lap"] == 7 and line.car(1)["flags"] & v.CAR_CROSSED
    stopped = Table([(6, 1), (7, 1)], boss=FAR, objects={(8, 1): "boulder"}, hands={0: "bomb-1s steer-1s"})
    assert stopped.say("card", "bomb-1s", "no").at(1) == (8, 1)


def test_r21_an_aura_blocks_the_effect_of_a_manoeuvre() -> None:
    table = Table([(6, 1)], boss=FAR, negative=5, hands={0: "bomb-1s steer-1s"}).say("manoeuvre")
    assert table.asks == "MAN_EFFECT" and "missile" not in table.options() and "bomb" in table.options()


def test_r19_an_extra_card_brings_no_draw_back() -> None:
    table = Table([(6, 1)], boss=FAR, stars={0: 2}, hands={0: "bomb-1s repair-1s steer-2s"})
    table.say("manoeuvre", "bomb-1s", "repair-1s", "repair", "no", "power2", "no")
    assert table.hand(0) == [] and not [args for args in table.events("DRAW") if args[0] == 0]


def test_r55_who_cannot_enter_a_mirror_stays() -> None:
    def leaves(seed: int) -> Table:
        table = Table([(7, 1), (0, 0), (0, 1), (0, 2)], circuit="01A:S,18B:R,02A:S,03A:S,04A:S,11A:S", boss=(6, 0), seed=seed,
                      hands={0: "bomb-2s steer-3s"}, options={"boss": "loco"}, hp=9, rank=[4, 0, 1, 2, 3])
        return table.say("card", "bomb-2s", "no")

    table = rolling([1], leaves)
    assert (table.at(0), table.hp, table.car(0)["damage"]) == ((7, 1), 8, 1)


def test_r15_an_overflow_ends_the_game_at_once() -> None:
    """Neither the prey nor an obstacle on the tile counts any more, nor what the end of the action has still to bring."""
    most = a_game().max_hp
    driven = boss_turn("repair-5r", [], (11, 1), hp=most, reserves=4, prey="double_heart", prey_slot=2, objects={(12, 1): "bomb"})
    assert driven.at(4) == (12, 1) and driven.object((12, 1)) == "bomb" and driven.events("DMG") == []
    lake = Table([(6, 1), (10, 1), (5, 0), (11, 1)], boss=(7, 1), circuit="17A:S,16A:S,02A:S,03A:S,04A:S,11A:S", hp=most,
                 reserves=4, prey="double_heart", prey_slot=1, hands={0: "repair-2s steer-1s"})
    lake.say("kinetic", "repair-2s", 1, "no")        # car 2 comes to the prey; the Boss is rammed into the water, and jumps
    assert lake.at(2) == (6, 0) and lake.at(4) == (12, 1)
    for table, slot in ((driven, 2), (lake, 1)):
        assert table.all["result"] == "overflow" and table.hp > most and table.state.returns() == [0.0] * 4
        assert table.prey() == (slot, "double_heart", "") and not table.events("PREY_FLIP") + table.events("PREY_MOVE")
