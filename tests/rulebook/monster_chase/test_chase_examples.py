"""The rulebook's examples (RULES.md, 10.1)."""

from __future__ import annotations

from chase_table import Table, a_game


def test_w1_r21_advanced_manoeuvre() -> None:
    table = Table([(6, 1)], boss=(11, 1), hp=2, hands={0: "repair-4r steer-3s bomb-1s"})
    table.say("manoeuvre", "steer-3s", "repair-4r", "missile", "yes")
    assert table.hp == 1 and table.at(0) == (9, 1) and table.hand(0) == ["bomb-1s"]
    assert table.all["current"] == 1 and table.hand(0) == ["bomb-1s"]
    assert [args[1] for args in table.events("DISCARD")] == [
        table.game.names.type_number[one] for one in ("steer-3s", "repair-4r")
    ]


def test_w2_r23_r24_connection() -> None:
    def links(green: tuple[int, int]) -> list[int]:
        table = Table([(7, 1), (10, 0), (9, 2), green], stars={1: 2, 2: 3, 3: 1}, boss=(30, 1))
        return table.game.links(table.state, 3)

    game, number = a_game(), Table().number
    yellow, red, blue = number((7, 1)), number((10, 0)), number((9, 2))
    steps = [
        game.distance(*pair)
        for pair in (
            (yellow, red),
            (yellow, blue),
            (red, blue),
            (blue, number((13, 2))),
            (red, number((13, 2))),
            (yellow, number((13, 2))),
        )
    ]
    assert steps == [4, 3, 3, 4, 5, 7]
    assert links((13, 2)) == [] and links((12, 2)) == [] and links((11, 2)) == [0, 1, 2]


def test_w3_r25_cognitive() -> None:
    table = Table([(8, 1), (9, 0)], damage={1: 1}, boss=(30, 1), hands={0: "repair-1s bomb-1s"})
    table.say("cognitive", "repair-1s")
    assert table.seat == 1 and table.asks == "EFFECT"
    table.say("yes")
    assert table.car(1)["damage"] == 0 and table.at(0) == (9, 1)


def test_w4_kinetic() -> None:
    table = Table([(6, 1), (6, 2)], objects={(8, 1): "boulder"}, boss=(30, 1), hands={0: "missile-5r bomb-1s"})
    table.say("kinetic", "missile-5r", 2)
    assert table.at(1) == (8, 2) and table.asks == "EFFECT"
    table.say("yes")
    assert table.at(0) == (9, 1) and table.car(0)["damage"] == 0 and table.object((8, 1)) == ""
    assert table.all["boulders"] == 14


def test_w5_astral() -> None:
    table = Table([(6, 1), (7, 0)], objects={(8, 1): "boulder"}, boss=(30, 1), hands={0: "repair-2s bomb-1s", 1: "star-4r"})
    table.say("astral")
    assert table.seat == 1 and table.options() == ["refuse", "star-4r"]
    table.say("star-4r", "yes", (9, 0))
    assert table.at(0) == (9, 0) and table.car(0)["star"] == 1 and table.car(0)["damage"] == 0
    assert table.object((8, 1)) == "boulder"
    if table.all["current"] == 0:
        table.say("end")
    assert table.hand(0) == [] and table.all["current"] == 1 and len(table.hand(1)) == 1  # drawn at T2
    table = Table([(6, 1)], hands={0: ""}, phase="next", current=0, rank=[0, 1, 2, 3, 4])
    assert table.events("DRAW")[0][0] == 0 and table.events("PLAY")[0][0] == 0  # one card, which it must play


def test_w6_r30_prey() -> None:
    kinds = "heart heart heart double_heart discard auras"
    for seed in range(300):
        table = Table(
            [(11, 0), (11, 1)],
            seats=6,
            boss=(11, 2),
            hp=5,
            prey=kinds,
            prey_slot=2,
            assault=4,
            seed=seed,
            hands={0: "bomb-1s steer-1s", 1: "bomb-1s steer-1s"},
            rank=[0, 1, 6, 2, 3, 4, 5],
            deck="bomb-5r steer-2s star-3s repair-2s repair-3s missile-3s",
        )
        table.say("card", "bomb-1s", "no")
        slot, open_, hidden = table.prey()
        assert slot == 2 and len(open_.split()) == 4 and len(hidden.split()) == 2
        if sorted(hidden.split()) == ["discard", "heart"]:
            break
    assert table.all["assault"] is None
    hearts: dict[str, int] = {row.kind: row.hearts for row in table.game.pack.prey}
    table.say("card", "bomb-1s", "no")
    flipped = [table.game.pack.prey[args[0]].kind for args in table.events("PREY_FLIP")]
    assert len(flipped) == 4 and sorted(flipped[:2]) == ["discard", "heart"]
    left = kinds.split()
    for kind in flipped:
        left.remove(kind)
    table.until("TURN_MENU")
    slot, open_, hidden = table.prey()
    assert (slot, hidden) == (3, "") and sorted(open_.split()) == sorted(kinds.split())
    assert table.events("PREY_MOVE") == [(3, sum(hearts[kind] for kind in left))]
    assert table.hp == 5 + sum(hearts[kind] for kind in left)


def test_w7_r31_too_early() -> None:
    table = Table(
        [(17, 0)],
        seats=4,
        boss=(11, 1),
        prey="heart double_heart discard auras",
        prey_slot=2,
        rank=[0, 4, 1, 2, 3],
        hands={0: "bomb-2s steer-1s"},
        deck="bomb-4r star-3r steer-2s steer-1s repair-1s",
        hp=5,
    )
    table.say("card", "bomb-2s", "no")
    assert table.at(0)[0] == 19 and not table.events("PREY_FLIP")
    table.until("TURN_MENU")
    assert not table.events("PREY_FLIP") and table.prey() == (3, "heart double_heart discard auras", "")
    assert not table.car(0)["flags"]


def test_w8_r41_r61_truck() -> None:
    table = Table(
        [(6, 1), (11, 0), (8, 2), (2, 0)],
        seats=4,
        boss=(9, 1),
        hp=6,
        damage={1: 1},
        rank=[0, 1, 2, 4, 3],
        prey="double_heart",
        hidden="discard auras heart",
        prey_slot=3,
        deck="bomb-5r steer-1s steer-2s steer-3s star-1s star-2s star-3s repair-1s repair-2s",
        hands={0: "missile-4r bomb-1s", 1: "repair-4r bomb-1s", 2: "bomb-3s missile-1s", 3: "bomb-2s missile-1s"},
    )
    table.say("card", "missile-4r", "yes")
    assert table.hp == 4 and table.all["furious"] and table.at(4) == (11, 1) and table.at(0) == (10, 1)
    table.say("kinetic", "repair-4r", 0, 1)
    assert table.hp == 3 and table.at(4) == (13, 1) and table.at(0) == (11, 1)
    table.say("yes")
    assert table.car(1)["damage"] == 0 and table.at(1) == (14, 0)
    table.say("cognitive", "bomb-3s", 1)
    assert table.seat == 1
    table.say((14, 1))
    assert table.at(2) == (11, 2) and table.all["current"] == 3
    assert table.object((12, 1)) == "bomb" and table.at(4) == (18, 1)
    assert table.hp == 5 and not table.all["furious"] and table.car(4)["shields"] == 0
    assert table.prey() == (4, "heart double_heart discard auras", "") and table.car(1)["damage"] == 0
    assert table.events("BLOCK") == [(4, 1)]


def test_w9_r14_negative_hearts() -> None:
    table = Table(
        [(6, 1)],
        boss=(9, 1),
        hp=1,
        shields={0: 1},
        hands={0: "missile-1s steer-1s"},
        deck="repair-4r repair-1s repair-2s repair-3s",
        rank=[0, 1, 2, 4, 3],
        prey="double_heart",
        prey_slot=2,
        current=0,
    )
    table.say("card", "missile-1s", "yes", 1)
    assert table.hp == -1
    boss = Table(
        [(6, 1)],
        boss=(11, 1),
        hp=-1,
        phase="next",
        current=4,
        rank=[0, 1, 4, 2, 3],
        prey="double_heart",
        prey_slot=2,
        deck="steer-4r steer-1s steer-2s steer-3s",
    )
    assert boss.until("TURN_MENU").hp == 1 and boss.all["result"] == "none"
    won = Table([(6, 1)], boss=(9, 1), hp=-1, phase="round_end", current=0)
    assert won.all["result"] == "won" and won.state.returns() == [1.0] * 4
    healed = Table([(6, 1)], boss=(9, 1), hp=1, phase="round_end", current=0)
    assert healed.all["result"] == "none" and healed.all["round"] == 3


def test_w10_the_range_of_a_drone() -> None:
    near = Table([(6, 1), (30, 0), (10, 1)], seats=2, boss=(30, 1), stars={0: 2})
    assert near.game.kinds[2] == 1 and near.game.links(near.state, 0) == [2]
    far = Table([(6, 1), (30, 0), (10, 1)], seats=2, boss=(30, 1), stars={0: 3})
    assert far.game.links(far.state, 0) == []
