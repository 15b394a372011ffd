"""Further cases (RULES.md, 10.2)."""

from __future__ import annotations

import pytest

from chase_table import Table, a_game, rolling
from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.registry import new_game
from seatmate.engine.monster_chase.content import vocabulary as v

FAR = (33, 1)
TWO = "bomb-3s steer-1s"
BOSS_DECK = "steer-1s steer-2s steer-3s star-1s star-2s star-3s"


def boss_turn(card: str, cars: list[tuple[int, int]], boss: tuple[int, int], **more: object) -> Table:
    """The Boss, on a red position of four seats, turns this Rush card over."""
    more.setdefault("rank", [0, 1, 2, 4, 3])
    return Table(cars, boss=boss, phase="next", current=4, deck=f"{card} {BOSS_DECK}", **more)  # type: ignore[arg-type]


def test_x1_r32_chain() -> None:
    table = Table([(6, 1), (7, 1), (8, 1)], boss=FAR, hands={0: "bomb-3s steer-1s"})
    table.say("card", "bomb-3s", "no")
    assert [table.at(car) for car in (0, 1, 2)] == [(9, 1), (11, 1), (12, 1)]
    assert [table.car(car)["damage"] for car in (0, 1, 2)] == [0, 2, 2]


def test_x2_r36_r37_no_push_off_track() -> None:
    table = Table([(6, 1), (7, 1)], boss=FAR, damage={1: 2}, hands={0: "bomb-2s steer-1s"})
    table.say("card", "bomb-2s", "no")
    assert table.asks == "RETURN_SQUARE" and table.seat == 1 and table.options() == [(6, 0), (6, 2)]
    table.say((6, 0))
    assert table.at(0) == (8, 1) and table.at(1) == (6, 0)
    assert (table.car(1)["star"], table.car(1)["damage"]) == (1, 0)


def test_x3_r33_boulder() -> None:
    table = Table([(6, 1)], boss=FAR, objects={(8, 1): "boulder"}, hands={0: "bomb-5r steer-1s"})
    table.say("card", "bomb-5r", "no")
    assert table.at(0) == (8, 1) and table.car(0)["damage"] == 1 and table.all["boulders"] == 14


def test_x4_r34_bomb() -> None:
    driven = Table([(6, 1), (8, 0)], boss=FAR, objects={(8, 1): "bomb"}, hands={0: "repair-5r steer-1s"})
    driven.say("card", "repair-5r", "no")
    assert (driven.at(0), driven.car(0)["damage"], driven.car(1)["damage"]) == ((8, 1), 1, 0)
    shot = Table([(6, 1), (8, 0), (9, 2)], boss=FAR, objects={(8, 1): "bomb", (9, 1): "bomb"}, hands={0: "missile-1s steer-1s"})
    shot.say("card", "missile-1s", "yes")
    assert (shot.object((8, 1)), shot.object((9, 1))) == ("", "")
    assert [shot.car(car)["damage"] for car in (0, 1, 2)] == [0, 1, 1]


def test_x5_shields() -> None:
    table = Table([(6, 1), (8, 1)], mode="race", seats=4, shields={0: 2, 1: 1}, hands={0: "missile-1s steer-1s"})
    table.say("missile-1s", "yes")
    assert table.asks == "SHIELD_BOOST" and table.options() == [0, 1, 2]
    table.say(2)
    assert table.seat == 1 and table.asks == "SHIELD_BLOCK" and table.options() == [0, 1]
    table.say(1)
    assert table.car(1)["damage"] == 2 and table.car(0)["shields"] == table.car(1)["shields"] == 0


def test_x6_r43_level_three() -> None:
    table = Table([(6, 1), (8, 1)], mode="race", shields={1: 2}, stars={0: 3}, boards={0: "barbarossa"}, hands={0: TWO})
    table.say("power3")
    assert table.car(1)["damage"] == 2 and table.car(1)["shields"] == 2 and table.car(0)["star"] == 0


def test_x7_x8_r15_reserve() -> None:
    most = a_game().max_hp
    escape = boss_turn("repair-4r", [], (11, 1), hp=most - 3, reserves=4)
    assert escape.all["result"] == "overflow" and escape.state.returns() == [0.0] * 4
    full = boss_turn("bomb-4r", [], (11, 1), hp=most - 4, reserves=4)
    assert full.all["result"] == "none" and full.events("RESERVE") == [(2, most)] and full.hp == most
    both = boss_turn("bomb-4r", [], (11, 1), hp=most - 5, reserves=4, prey="double_heart", prey_slot=2)
    assert both.events("RESERVE") == [(2, most - 1)] and both.hp == most


def test_x9_r28_two_left() -> None:
    table = Table(
        [(11, 0), (11, 1), (11, 2)],
        boss=(10, 1),
        prey="heart double_heart",
        prey_slot=2,
        hp=5,
        hands={car: f"bomb-1s bomb-{car + 2}s" if car < 2 else "repair-1s repair-2s" for car in range(3)},
        deck="bomb-5r bomb-4r star-1s star-2s star-3s steer-1s steer-2s steer-3s",
        rank=[0, 1, 2, 4, 3],
    )
    table.say("card", "bomb-1s", "no", "card", "bomb-1s", "no")
    assert [len(text.split()) for text in table.prey()[1:]] == [0, 2]
    table.say("card", "repair-1s", "no").until("TURN_MENU")
    assert len(table.events("PREY_FLIP")) == 2 and table.events("PREY_MOVE") == [(3, 0)]
    assert table.prey() == (3, "heart double_heart", "")


def test_x10_two_meals() -> None:
    table = boss_turn("bomb-5r", [(0, 0)], (11, 0), circuit="01A:S,02A:S,09B:S,03A:S,04A:S,11A:S", hp=1, prey="heart",
                      hidden="heart", prey_slot=2)
    assert table.events("PREY_MOVE") == [(3, 1), (4, 2)] and table.hp == 4 and table.prey() == (4, "heart heart", "")


def test_x11_r29_pushed_into_prey() -> None:
    table = Table([(9, 1), (10, 1)], boss=FAR, prey="heart heart heart", prey_slot=2, hands={0: "bomb-1s steer-1s"})
    table.say("card", "bomb-1s", "no")
    assert table.at(1) == (12, 1) and len(table.events("PREY_FLIP")) == 2


def test_x12_r2_r3_chaos() -> None:
    auras = [f"aura{number}" for number in range(1, 31)]
    table = Table(
        [],
        boss=FAR,
        phase="aura",
        current=0,
        at=0,
        negative=11,
        assault=2,
        positive=["aura7"],
        discards=auras[:6] + auras[7:11] + auras[12:29],
        last_aura=0,
    )
    assert table.events("CHAOS")[-1:] in ([(0,)], []) and table.all["round"] == 3
    assert table.events("AURA")[:2] == [(2, 6), (2, 11)] and table.events("ASSAULT")[0] == (1, 2)
    assert table.events("CHAOS") == [(0,)] and table.all["negative"] == 11
    assert table.all["positive"] == [] and not [one for one in table.all["discards"] if one.startswith("aura")]


def test_x13_r13_star_without_assault() -> None:
    spent = [f"assault{number}" for number in range(1, 31) if number != 9]
    table = Table(
        [],
        boss=(9, 1),
        phase="next",
        current=4,
        rank=[0, 4, 1, 2, 3],
        deck=f"star-2s {'bomb-4r bomb-5r missile-4r'}",
        discards=spent,
        last_assault=0,
        hands={car: f"repair-{car + 1}s" if car < 3 else "missile-1s" for car in range(4)},
    )
    assert table.events("ASSAULT") == [(0, 8)] and table.at(4) == (11, 1) and table.all["assault"] == 8


def test_x14_r12_the_colour_of_phase_four() -> None:
    table = Table([(0, 0), (1, 1), (2, 2), (3, 0)], boss=(9, 1), phase="rank", current=0, rank=[0, 1, 2, 3, 4], assault=13)
    keys = [event.key for event in table.told()]
    moves = [event.args for event in table.told()[: keys.index("ROUND")] if event.key == "MOVE"]
    assert table.all["rank"][0] == 4
    assert moves == [(4, table.number((9, 1)), table.number((10, 1)))]  # Juggernaut: green 1, red 3


def test_x15_r40_jeep() -> None:
    jeep = {"boss": "jeep"}
    table = Table([(6, 1), (7, 1)], boss=(20, 0), damage={1: 2}, hands={0: "bomb-2s steer-1s"}, options=jeep)
    table.say("card", "bomb-2s", "no")
    assert table.all["furious"]
    turn = boss_turn("repair-4r", [(12, 1), (6, 1), (0, 0), (1, 0)], (9, 1), options=jeep, furious=True, damage={0: 1}, hp=5)
    assert turn.events("DMG")[0] == (0, 2, 4) and turn.events("OFFTRACK")[0][0] == 0
    assert turn.events("DMG")[1] == (1, 2, 4) if len(turn.events("DMG")) > 1 else turn.asks == "RETURN_SQUARE"
    turn.until("TURN_MENU")
    assert turn.events("DMG")[1] == (1, 2, 4) and not turn.all["furious"]
    assert (turn.events("BOSS")[0][0]) == 6


def test_x16_locomotive() -> None:
    loco = {"boss": "loco"}
    table = Table(
        [(6, 1), (0, 0), (0, 1), (0, 2)], boss=(7, 1), options=loco, hands={0: "bomb-3s steer-1s"}, rank=[4, 0, 1, 2, 3], hp=10
    )
    table.say("card", "bomb-3s", "no")
    assert (table.hp, table.car(0)["damage"], table.at(0), table.at(4)) == (9, 1, (6, 1), (7, 1))


def test_x17_armour() -> None:
    table = Table(
        [(6, 1)],
        boss=(12, 1),
        options={"boss": "loco"},
        hands={0: "missile-1s missile-2s"},
        stars={0: 2},
        hp=10,
        rank=[0, 1, 2, 4, 3],
    )
    table.say("power2", "missile-1s", "yes")
    assert table.hp == 10 and table.all["armour_used"]
    table.say("yes")
    assert table.hp == 9 and table.all["lost_round"] == 1


def test_x18_bike() -> None:
    bike = {"boss": "bike"}
    free = boss_turn("repair-4r", [], (8, 0), options=bike, furious=True, objects={(9, 1): "boulder", (9, 0): "boulder"}, hp=5)
    assert free.hp >= 5 and not free.events("DMG")
    blocked = Table(
        [(9, 0), (9, 2)],
        boss=(7, 1),
        phase="next",
        current=4,
        rank=[0, 1, 2, 4, 3],
        options=bike,
        furious=True,
        deck=f"repair-4r {BOSS_DECK}",
        objects={(8, 0): "boulder", (8, 1): "boulder", (8, 2): "boulder"},
        hp=5,
    )
    assert blocked.until("TURN_MENU").events("DMG")[0] == (4, 1, v.NONE)


def test_x19_full_health() -> None:
    table = boss_turn("repair-4r", [], (9, 1), furious=True)
    assert table.hp == table.game.max_hp and table.all["furious"]


def test_x20_star_in_a_transfer() -> None:
    table = Table([(6, 1), (12, 1), (0, 0), (0, 2)], boss=FAR, hands={0: "star-1s steer-1s"})
    assert table.game.links(table.state, 0) == [1]
    table.say("cognitive", "star-1s", "yes")
    assert table.car(1)["star"] == 1 and table.at(0) == (7, 1)


def test_x21_r26_refusal() -> None:
    table = Table([(6, 1), (7, 0), (20, 0), (20, 2)], boss=FAR, hands={0: TWO})
    table.say("astral", "refuse")
    assert table.asks == "TURN_MENU" and "astral" not in table.options() and "card" in table.options()
    assert "end" not in table.options()


def test_x22_r22_spin() -> None:
    table = Table([(6, 1)], boss=FAR, hands={0: "repair-2s steer-3s bomb-1s"})
    table.say("manoeuvre", "steer-3s", "repair-2s", "star", "yes")
    assert table.car(0)["star"] == 1 and table.at(0) == (8, 1) and table.car(0)["spun"] == 1
    slow = Table([(6, 1)], boss=FAR, spun=[0], hands={0: "bomb-1s steer-1s"}).say("card", "bomb-1s", "no")
    assert slow.at(0) == (6, 1) and slow.car(0)["spun"] == 0
    mended = Table([(6, 1)], boss=FAR, spun=[0], damage={0: 1}, hands={0: "repair-2s steer-1s"}).say("card", "repair-2s", "yes")
    assert mended.at(0) == (8, 1) and (mended.car(0)["spun"], mended.car(0)["damage"]) == (0, 1)


def glacier(cars: list[tuple[int, int]], seed: int, **more: object) -> Table:
    return Table(cars, circuit="01A:S,17B:S,02A:S,03A:S,04A:S,11A:S", boss=FAR, seed=seed, **more)  # type: ignore[arg-type]


def test_x23_r54_yeti() -> None:
    def pushed(seed: int) -> Table:
        table = glacier([(6, 1), (7, 1), (0, 0), (1, 1)], seed, hands={0: "bomb-1s steer-1s", 1: "bomb-2s star-1s"})
        return table.say("card", "bomb-1s", "no")

    table = rolling([3], pushed)
    assert [args[0] for args in table.events("DISCARD")][:2] == [1, 1]
    assert table.all["current"] == 1 and len(table.hand(1)) == 1

    def own(seed: int) -> Table:
        return glacier([(7, 1), (0, 0), (1, 1), (2, 2)], seed, hands={0: "bomb-1s steer-1s star-2s"}).say("card", "bomb-1s", "no")

    assert rolling([4], own).hand(0) == []
    assert len(rolling([5], own).hand(0)) == 3


def test_x24_r55_mirror() -> None:
    def mirror(seed: int, cars: tuple[tuple[int, int], ...] = ((7, 1), (0, 1))) -> Table:
        table = Table(
            list(cars), circuit="01A:S,18B:R,02A:S,03A:S,04A:S,11A:S", boss=FAR, seed=seed, hands={0: "bomb-2s steer-3s"}
        )
        return table.say("card", "bomb-2s", "no")

    assert rolling([1], mirror).at(0) == (7, 0)
    table = rolling([1], lambda seed: mirror(seed, ((7, 1), (6, 0))))
    assert table.car(1)["damage"] == 1 and table.events("RAM")[0] == (0, 1)


def rolling_tile(objects: dict[tuple[int, int], str], seed: int, cars: list[tuple[int, int]], deck: str) -> Table:
    table = Table(
        cars,
        circuit="01A:S,02A:S,20B:S,03A:S,04A:S,11A:S",
        boss=FAR,
        seed=seed,
        objects=objects,
        deck=deck,
        hands={0: "bomb-1s steer-1s"},
    )
    return table.say("card", "bomb-1s", "no")


def test_x25_r57_rolling_boulder() -> None:
    cars = [(12, 1), (10, 0), (9, 0), (0, 1)]
    table = rolling([5], lambda seed: rolling_tile({(12, 0): "boulder"}, seed, cars, f"bomb-3r {BOSS_DECK}"))
    assert table.asks == "ROLL_PICK"
    table.say((12, 0))
    assert [table.car(car)["damage"] for car in (1, 2)] == [1, 1] and table.object((8, 0)) == "boulder"


@pytest.mark.parametrize("hit", ["bomb", "boulder"])
def test_x26_rolling_into_a_bomb_or_boulder(hit: str) -> None:
    cars = [(12, 1), (10, 1), (0, 1), (1, 1)]
    table = rolling([5], lambda seed: rolling_tile({(12, 0): "boulder", (10, 0): hit}, seed, cars, f"bomb-3r {BOSS_DECK}"))
    table.say((12, 0))
    assert table.object((12, 0)) == table.object((10, 0)) == ""
    assert table.car(1)["damage"] == (hit == "bomb")


def test_x27_r58_lake() -> None:
    lake = "17A:S,16A:S,02A:S,03A:S,04A:S,11A:S"
    table = Table([(7, 0)], circuit=lake, boss=FAR, hands={0: "bomb-1s steer-1s"}).say("card", "bomb-1s", "no")
    assert table.asks == "RETURN_SQUARE" and table.car(0)["star"] == 1
    boss = boss_turn("bomb-4r", [], (4, 1), circuit=lake)
    assert boss.at(4) == (8, 1) or boss.at(4) == (10, 1)
    wet = boss_turn("repair-5r", [], (4, 1), circuit=lake)
    assert wet.at(4) == (10, 1)


def test_x28_r78_ridge() -> None:
    ridge = "17A:S,16B:S,02A:S,03A:S,04A:S,11A:S"

    def blown(seed: int) -> Table:
        return boss_turn("bomb-4r", [], (5, 1), circuit=ridge, seed=seed, hp=5)

    table = rolling([1], blown)
    squares = [args[1:] for args in table.events("MOVE") if args[0] == 4]
    assert squares[-1] == (v.NONE, table.number((9, 1))) and table.at(4) == (9, 1) and table.hp == 5


def test_x29_team_score() -> None:
    table = Table([(6, 1), (5, 1), (4, 1), (3, 1)], mode="team", rank=[0, 2, 3, 1], phase="round_end", round=60)
    assert table.game.plan.stables == 2 and table.state.is_over and table.state.returns() == [0.0, 0.0, 1.0, 1.0]


def test_x30_r50_team_ignore() -> None:
    table = Table([(6, 1), (8, 0), (8, 2), (0, 0)], mode="team", stars={0: 3}, boards={0: "finn"}, hands={0: TWO})
    table.say("power3", (8, 1), "no")
    assert table.car(1)["damage"] == 0 and table.car(2)["damage"] == 1


def test_x31_r42_upkeep() -> None:
    bare = Table([(6, 1)], boss=FAR, shields={0: 2}, hands={0: "", 1: TWO}, phase="upkeep")
    assert bare.car(0)["shields"] == 1
    kept = Table([(6, 1)], boss=FAR, shields={0: 2}, hands={0: "bomb-1s"}, phase="upkeep")
    assert kept.asks == "SHIELD_UPKEEP" and kept.say("bomb-1s").car(0)["shields"] == 2 and kept.hand(0) == []


def auras(*names: int) -> list[str]:
    return [f"aura{name}" for name in names]


def test_x32_r17_aura_arithmetic() -> None:
    table = Table([(6, 1)], boss=FAR, hands={0: "bomb-5r steer-1s"}, negative=0, positive=auras(2))
    assert table.say("card", "bomb-5r", "no").at(0) == (11, 1)
    capped = Table([(6, 1)], boss=FAR, hands={0: "bomb-5r steer-1s"}, negative=3, positive=auras(2))
    assert capped.say("card", "bomb-5r", "no").at(0) == (9, 1)
    least = Table([(6, 1)], boss=FAR, hands={0: "bomb-1s steer-1s"}, negative=0)
    assert least.say("card", "bomb-1s", "no").at(0) == (7, 1)


def test_x33_r16_the_reach_of_auras() -> None:
    cars = [(6, 1), (7, 0), (20, 0), (20, 2)]
    silent = Table(cars, boss=(12, 0), hands={0: "missile-1s steer-1s"}, negative=5, hp=8).say("cognitive", "missile-1s")
    assert silent.hp == 8
    other = Table(cars, boss=(12, 0), hands={0: "missile-1s steer-1s"}, positive=auras(6), hp=8).say(
        "cognitive", "missile-1s", "yes"
    )
    assert other.events("BOSS")[0][0] == 7
    mine = Table([(6, 0), *cars[1:]], boss=(12, 0), hands={0: "missile-1s steer-1s"}, positive=auras(6), hp=8)
    mine = Table([(6, 0), (6, 2)], boss=(12, 0), hands={0: "missile-1s steer-1s"}, positive=auras(6), hp=8)
    assert mine.say("card", "missile-1s", "yes").events("BOSS")[0][0] == 6


def test_x34_r39_supply() -> None:
    full = {(4 * 6 + i // 3, i % 3): "boulder" for i in range(14)}
    table = Table(
        [(5, 1)],
        circuit="01A:S,02A:S,03A:S,04A:S,11A:S,09B:S",
        boss=(23, 1),
        objects=full,
        rolled=1,
        hands={0: "repair-1s steer-1s"},
    )
    table.say("card", "repair-1s", "no")
    assert len(table.events("ROLL")) == 1 and table.all["rolled"] == 3 and not table.events("OBJECT")


def test_x35_line() -> None:
    def crossing(shoots: str) -> Table:
        table = Table([(33, 1)], boss=(5, 1), laps={4: 6, 0: 5}, hp=0, phase="next", current=4, rank=[4, 0, 1, 2, 3],
                      deck="repair-3s bomb-4r repair-4r missile-4r", hands={0: "missile-1s missile-2s"}, prey="",
                      prey_slot=3)
        assert table.car(4)["flags"] & v.CAR_CROSSED and not table.state.is_over and table.hp == 1
        table.say("card", "missile-1s", shoots)
        while not table.state.is_over:
            found = table.options()
            table.say("no" if "no" in found else found[0])
        return table

    assert crossing("yes").all["result"] == "won" and crossing("no").all["result"] == "escaped"


def test_x36_r59_line_and_prey() -> None:
    table = boss_turn("bomb-4r", [], (5, 1), laps={4: 6}, hp=2, prey="heart", prey_slot=1)
    assert table.events("PREY_MOVE") == [(2, 1)] and table.car(4)["flags"] == v.CAR_CROSSED and table.hp == 3


def test_x37_r46_drone_level_two() -> None:
    table = Table(
        [(6, 1), (0, 0), (6, 2)],
        seats=2,
        boss=FAR,
        stars={0: 2},
        current=2,
        rank=[0, 1, 3, 2],
        hands={2: "repair-3s", 0: TWO, 1: TWO},
    )
    assert table.game.kinds[2] == v.K_DRONE and table.seat == 1
    table.say("power2")
    assert table.car(0)["star"] == 0 and table.events("TURN_OVER")[0][0] == 2
    table.until("TURN_MENU")
    assert table.hand(2) == ["repair-3s"] and "card" in table.options() and table.all["current"] == 2


def test_x38_ninth_shield() -> None:
    cars = [(i // 3, i % 3) for i in range(8)]
    table = Table(
        cars,
        seats=8,
        boss=(9, 1),
        shields=dict.fromkeys(range(8), 1),
        phase="next",
        current=8,
        rank=[0, 1, 2, 3, 8, 4, 5, 6, 7],
        deck="repair-4r star-1s star-2s star-3s",
        hands=dict.fromkeys(range(8), ""),
    )
    assert table.all["shield_tokens"] == 0 and not [args for args in table.events("SHIELD") if args[0] == 8]


def test_x39_teleports_and_borders() -> None:
    table = Table(
        [(11, 1), (10, 0), (30, 0), (31, 0)],
        boss=FAR,
        hands={0: "bomb-1s steer-1s", 1: "star-3s"},
        prey="heart heart heart",
        prey_slot=2,
    )
    table.say("astral", "star-3s", "no", (13, 1))
    assert len(table.events("PREY_FLIP")) == 2
    back = Table([(12, 1), (10, 0), (30, 0), (31, 0)], boss=FAR, hands={0: "bomb-1s steer-1s", 1: "star-3s"}, cps={0: 2})
    back.say("astral", "star-3s", "no", (11, 1))
    assert (back.car(0)["lap"], back.car(0)["cp"]) == (1, 2)


def test_x40_difficulty() -> None:
    hard = new_game("monster_chase", seats=3, options={"difficulty": "hard_b"})
    assert hard.plan.prey == {"double_heart": 1, "discard": 0, "auras": 1, "heart": 0, "heart_discard": 1}  # type: ignore[attr-defined]
    table = Table(
        [],
        seats=3,
        boss=(11, 1),
        phase="next",
        current=3,
        rank=[0, 1, 3, 2],
        deck=f"bomb-4r {BOSS_DECK}",
        hp=1,
        prey="double_heart heart_discard auras",
        prey_slot=2,
    )
    assert table.hp == 4
    with pytest.raises(SettingsError):
        new_game("monster_chase", seats=8, options={"difficulty": "easy_a"})
