"""What cards, boards, bots and special tiles do, one row each: a position and what must have changed."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chase_table import Table, rolling
from seatmate.engine.monster_chase.content import vocabulary as v

FAR = (33, 1)
TWO = "bomb-3s steer-1s"
CARS = [(6, 1), (7, 1), (20, 0), (21, 0)]


# ---- Auras ----

AURAS: list[tuple[str, dict[str, Any], tuple[Any, ...], Callable[[Table], bool]]] = [
    ("4+", {"positive": ["aura4"], "hands": {0: "missile-1s steer-1s"}}, ("card", "missile-1s", "no"), lambda t: t.at(0) == (9, 1)),
    ("5-", {"negative": 4, "hands": {0: "steer-1s bomb-1s"}}, ("card", "steer-1s"), lambda t: t.at(0) == (7, 1)),
    ("7-", {"negative": 6, "hands": {0: "bomb-1s steer-1s"}}, ("card", "bomb-1s"), lambda t: t.at(0) == (7, 1)),
    ("7+", {"positive": ["aura7"], "hands": {0: "bomb-1s steer-1s"}}, ("card", "bomb-1s", (6, 0), (6, 2)),
     lambda t: t.object((6, 0)) == t.object((6, 2)) == "bomb"),
    ("8-", {"negative": 7, "damage": {0: 1}, "hands": {0: "repair-1s bomb-1s"}}, ("card", "repair-1s"),
     lambda t: t.at(0) == (7, 1)),
    ("9-", {"negative": 8, "hands": {0: "star-1s bomb-1s"}}, ("card", "star-1s"), lambda t: t.at(0) == (7, 1)),
    ("9+", {"positive": ["aura9"], "hands": {0: "star-1s bomb-1s"}}, ("card", "star-1s", "yes", "yes"),
     lambda t: t.car(0)["star"] == 2),
    ("10-", {"negative": 9, "objects": {(7, 1): "boulder"}, "hands": {0: "missile-3s bomb-1s"}}, ("card", "missile-3s", "no"),
     lambda t: t.car(0)["damage"] == 2),
    ("10+", {"positive": ["aura10"], "objects": {(7, 1): "boulder"}, "hands": {0: "missile-3s bomb-1s"}}, ("card",
     "missile-3s", "no"),
     lambda t: (t.at(0), t.car(0)["damage"]) == ((7, 1), 0)),
    ("12-", {"negative": 11, "cars": [(6, 1), (12, 1), (30, 0), (31, 2)]}, (), lambda t: t.game.links(t.state, 0) == []),
    ("12+", {"positive": ["aura12"], "cars": [(6, 1), (13, 1), (30, 0), (31, 2)]}, (), lambda t: t.game.links(t.state, 0) == [1]),
    ("13-", {"negative": 12, "cars": [(6, 1), (11, 1), (30, 0), (31, 2)]}, (), lambda t: t.game.links(t.state, 0) == []),
    ("13+", {"positive": ["aura13"], "cars": [(6, 1), (14, 1), (30, 0), (31, 2)]}, (), lambda t: t.game.links(t.state, 0) == [1]),
    ("14-", {"negative": 13, "cars": CARS}, (), lambda t: "cognitive" not in t.options() and "kinetic" in t.options()),
    ("14+", {"positive": ["aura14"], "cars": CARS, "damage": {0: 2}, "phase": "start"}, (), lambda t: t.car(0)["damage"] == 1),
    ("15-", {"negative": 14, "cars": CARS}, (), lambda t: "kinetic" not in t.options() and "astral" in t.options()),
    ("15+", {"positive": ["aura15"], "cars": [(6, 1), (6, 2)], "hands": {0: "missile-5r bomb-1s"}}, ("kinetic",
     "missile-5r", 2, "no"),
     lambda t: (t.at(0), t.at(1)) == ((9, 1), (9, 2))),
    ("16-", {"negative": 15, "cars": CARS}, (), lambda t: "astral" not in t.options() and "cognitive" in t.options()),
    ("16+", {"positive": ["aura16"], "cars": CARS, "hands": {0: "repair-2s bomb-1s", 1: "star-1s bomb-2s"}},
     ("astral", "star-1s", "no", (6, 0)), lambda t: t.hand(0) == ["bomb-1s", "repair-2s"] and not t.events("DISCARD")),
    ("17-", {"negative": 16}, (), lambda t: "manoeuvre" not in t.options()),
    ("18-", {"negative": 17, "stars": {0: 3}}, (), lambda t: not {"power1", "power2", "power3"} & set(t.options())),
    ("18+", {"positive": ["aura18"], "stars": {0: 1}}, ("power2",), lambda t: t.car(0)["star"] == 0),
    ("19-", {"negative": 18, "hands": {0: "missile-1s bomb-1s"}}, ("card", "missile-1s", "no"), lambda t: len(t.hand(0)) == 2),
    ("19+", {"positive": ["aura19"], "hands": {0: "missile-1s bomb-1s"}}, ("card", "missile-1s", "no"),
     lambda t: len(t.hand(0)) == 4),
    ("20-", {"negative": 19, "rank": [1, 2, 3, 0, 4], "hands": {0: "missile-1s bomb-1s"}}, ("card", "missile-1s", "no"),
     lambda t: [args for args in t.events("DRAW") if args[0] == 0] == [(0, 0)] * 2),
    ("21-", {"negative": 20, "boss": (7, 1), "phase": "end"}, (), lambda t: t.car(0)["damage"] == 1),
    ("21+", {"positive": ["aura21"], "boss": (9, 1), "phase": "upkeep"}, (), lambda t: t.car(0)["shields"] == 1),
    ("22-", {"negative": 21, "cars": [(6, 1), (20, 0), (21, 0), (22, 0)], "phase": "end"}, (), lambda t: t.car(0)["damage"] == 1),
    ("22+", {"positive": ["aura22"], "cars": CARS, "phase": "end"}, (), lambda t: t.car(0)["shields"] == 1),
    ("23-", {"negative": 22, "options": {"winter": True}, "hands": {0: "power-1s bomb-1s"}}, ("card", "power-1s", "yes"),
     lambda t: not [args for args in t.events("SHIELD") if args[0] == 0]),
    ("23+", {"positive": ["aura23"], "shields": {0: 2}, "phase": "upkeep"}, (),
     lambda t: (t.car(0)["shields"], t.all["current"]) == (2, 1)),
    ("24-", {"negative": 23, "hands": {0: "repair-3s bomb-1s"}}, ("card", "repair-3s", "yes"), lambda t: t.at(0) == (8, 1)),
    ("24+", {"positive": ["aura24"], "hands": {0: "repair-3s bomb-1s"}}, ("card", "repair-3s", "no"), lambda t: t.at(0) == (10, 1)),
    ("25+", {"positive": ["aura25"], "cars": [(6, 1), (8, 1)], "boss": (10, 1), "hp": 5, "hands": {0: "missile-1s bomb-1s"}},
     ("card", "missile-1s", "yes"), lambda t: t.events("DMG") == [(4, 1, 0)]),
    ("26-", {"negative": 25, "phase": "start", "hands": {0: "bomb-1s bomb-2s star-1s"}}, ("star-1s",),
     lambda t: t.hand(0) == ["bomb-1s", "bomb-2s"]),
    ("26+", {"positive": ["aura26"], "phase": "start", "hands": {0: "bomb-1s bomb-2s"}}, (), lambda t: len(t.hand(0)) == 3),
    ("27-", {"negative": 26, "cars": CARS, "hands": {0: "missile-1s bomb-1s"}}, ("card", "missile-1s", "no"),
     lambda t: t.car(1)["damage"] == 2),
    ("27+", {"positive": ["aura27"], "cars": CARS, "hands": {0: "missile-1s bomb-1s"}}, ("card", "missile-1s", "no"),
     lambda t: (t.car(1)["damage"], t.at(1)) == (0, (9, 1))),
    ("28-", {"negative": 27, "objects": {(7, 1): "boulder"}, "hands": {0: "missile-1s bomb-1s"}}, ("card", "missile-1s", "no"),
     lambda t: t.car(0)["spun"] == 1),
    ("28+", {"positive": ["aura28"], "objects": {(7, 1): "boulder"}, "hands": {0: "missile-3s bomb-1s"}}, ("card",
     "missile-3s", "no"),
     lambda t: (t.at(0), t.car(0)["damage"]) == ((9, 1), 1)),
    ("29-", {"negative": 28, "phase": "end", "stars": {0: 2}, "rank": [4, 0, 1, 2, 3]}, (), lambda t: t.car(0)["star"] == 1),
    ("29+", {"positive": ["aura29"], "phase": "end", "current": 3}, (), lambda t: t.car(3)["star"] == 1),
]


@pytest.mark.parametrize(("setup", "answers", "holds"), [row[1:] for row in AURAS], ids=[f"aura{row[0]}" for row in AURAS])
def test_auras(setup: dict[str, Any], answers: tuple[Any, ...], holds: Callable[[Table], bool]) -> None:
    assert holds(Table(**{"cars": [(6, 1)], "boss": FAR, **setup}).say(*answers))

# ---- Assaults: the Boss on (9, 1), cars before and behind it; `g` and `r` are the halves ----

AROUND = [(12, 1), (7, 1), (0, 0), (1, 2)]
MOVED = {"r14": 3, "g14": 1, "g1": 1, "r1": 2, "r2": 1, "r6": 1, "r7": 1, "r15": 1, "r17": 1, "r18": 1, "r22": 1, "r27": 1,
     "r29": 2}
ASSAULTS: list[tuple[str, dict[str, Any], Callable[[Table], bool]]] = [
    ("g1", {}, lambda t: t.object((9, 1)) == "bomb"),
    ("r1", {}, lambda t: True),
    ("g2", {"objects": {(9, 0): "boulder"}}, lambda t: t.object((8, 1)) == t.object((9, 2)) == "bomb"),
    ("r2", {}, lambda t: t.object((8, 1)) == "bomb"),
    ("g3", {"cars": [(12, 1), (6, 1), (0, 0), (1, 2)]}, lambda t: t.object((7, 1)) == "boulder"),
    ("r3", {}, lambda t: t.object((13, 1)) == "boulder"),
    ("g4", {}, lambda t: (t.asks, t.seat) == ("HAND_DISCARD", 0)),
    ("r4", {"hands": {0: "bomb-1s", 1: TWO}}, lambda t: t.events("DISCARD")[0] == (0, 10)),
    ("g5", {}, lambda t: t.events("DMG") == [(1, 1, 4)]),
    ("r5", {}, lambda t: t.events("DMG") == [(0, 1, 4)]),
    ("g6", {}, lambda t: t.events("DMG") == [(1, 1, 4), (0, 1, 4)]),
    ("r6", {}, lambda t: t.events("DMG") == [(0, 1, 4)]),
    ("g7", {}, lambda t: t.events("SHIELD")[0] == (4, 2)),
    ("r7", {}, lambda t: t.events("SHIELD")[0] == (4, 1)),
    ("g8", {"hp": 5}, lambda t: t.hp == 6),
    ("g9", {"cars": [(10, 1), (7, 1), (8, 1), (1, 2)]}, lambda t: t.events("DMG") == [(0, 1, 4), (2, 1, 4)]),
    ("r9", {"cars": [(10, 1), (7, 1), (6, 1), (1, 2)]}, lambda t: t.events("DMG") == [(0, 1, 4), (1, 1, 4)]),
    ("g10", {"stars": {0: 1, 1: 2, 2: 3}}, lambda t: [t.car(car)["star"] for car in (0, 1, 2)] == [0, 1, 3]),
    ("r10", {"stars": {0: 1, 1: 2}}, lambda t: [t.car(car)["star"] for car in (0, 1)] == [0, 2]),
    ("g11", {"cars": [(12, 1), (11, 1), (2, 0), (25, 2)]}, lambda t: t.events("DMG") == [(2, 1, 4), (3, 1, 4)]),
    ("r11", {"cars": [(25, 2), (12, 1), (11, 1), (2, 0)]}, lambda t: t.events("DMG") == [(1, 1, 4)]),
    ("g12", {"objects": {(9, 0): "boulder"}}, lambda t: t.at(4) == (9, 2) and t.object((8, 2)) == "bomb"),
    ("r12", {"objects": {(9, 0): "boulder"}}, lambda t: t.at(4) == (11, 2)),
    ("g13", {}, lambda t: t.events("SPIN")[0] == (1, 1)),
    ("r13", {}, lambda t: t.events("SPIN")[0] == (0, 1)),
    ("g14", {}, lambda t: True),
    ("r14", {"cars": [(14, 0), (7, 1), (0, 0), (1, 2)]}, lambda t: True),
    ("g15", {"prey": "heart", "hidden": "heart auras discard"}, lambda t: len(t.prey()[1].split()) == 3),
    ("r15", {"prey": "heart", "hidden": "heart auras discard"}, lambda t: len(t.prey()[1].split()) == 2),
    ("g16", {"shields": {0: 2, 1: 1, 2: 2}}, lambda t: [t.car(car)["shields"] for car in (0, 1, 2)] == [0, 0, 2]),
    ("r16", {"shields": {0: 2, 1: 1}}, lambda t: [t.car(car)["shields"] for car in (0, 1)] == [1, 1]),
    ("g17", {}, lambda t: t.events("DMG") == [(0, 1, 4)]),
    ("r17", {}, lambda t: t.events("DMG") == [(0, 1, 4)]),
    ("g18", {}, lambda t: t.events("DMG") == [(3, 1, 4)]),
    ("r18", {}, lambda t: t.events("DMG") == [(1, 1, 4)]),
    ("g19", {"cars": [(12, 1), (5, 1), (0, 0), (1, 2)]}, lambda t: t.object((8, 1)) == t.object((6, 1)) == "boulder"),
    ("r19", {}, lambda t: t.events("DMG") == [(0, 1, 4)] and t.object((13, 1)) == "boulder"),
    ("g20", {}, lambda t: t.events("DMG") == [(1, 1, 4)]),
    ("r20", {"cars": [(10, 0), (7, 1), (12, 1), (1, 2)]}, lambda t: t.events("DMG") == [(2, 1, 4)]),
    ("g21", {}, lambda t: t.object((8, 1)) == t.object((9, 0)) == t.object((9, 2)) == "bomb"),
    ("r21", {}, lambda t: t.object((13, 1)) == "bomb"),
    ("g22", {}, lambda t: bool(t.all["furious"]) and t.events("SHIELD")[0] == (4, 1)),
    ("r22", {}, lambda t: bool(t.all["furious"])),
    ("g23", {"positive": ["aura1", "aura2"]}, lambda t: t.asks == "AURA_DROP" and t.all["phase"] == "round_end"),
    ("g24", {"hp": 4}, lambda t: t.hp == 6),
    ("r24", {"hp": 4}, lambda t: t.hp == 5 and t.events("SHIELD")[0] == (4, 1)),
    ("g25", {"cars": [(12, 1), (11, 1), (0, 0), (25, 2)]}, lambda t: (t.asks, t.seat) == ("HAND_DISCARD", 0)),
    ("r25", {"cars": [(0, 0), (7, 1), (12, 1), (13, 2)]}, lambda t: (t.asks, t.seat) == ("HAND_DISCARD", 2)),
    ("g26", {}, lambda t: t.events("DMG") == [(1, 1, 4)] * 2),
    ("r26", {}, lambda t: t.events("DMG") == [(0, 1, 4)] * 2),
    ("g27", {}, lambda t: [args for args in t.events("SPIN") if args[1]] == [(1, 1)]),
    ("r27", {"cars": [(10, 0), (7, 1), (12, 1), (1, 2)]}, lambda t: t.events("SPIN")[0] == (2, 1)),
    ("g28", {"cars": [(12, 1), (7, 2), (0, 0), (1, 2)], "objects": {(9, 0): "boulder"}}, lambda t: t.events("DMG") == [(1, 1, 4)]),
    ("r28", {"cars": [(12, 2), (7, 2), (0, 0), (1, 2)], "objects": {(9, 0): "boulder"}},
     lambda t: t.events("DMG") == [(0, 1, 4)] and t.at(4) == (10, 2)),
    ("g29", {}, lambda t: not t.events("MOVE")),
    ("r29", {}, lambda t: True),
]


@pytest.mark.parametrize(("half", "setup", "holds"), ASSAULTS, ids=[row[0] for row in ASSAULTS])
def test_assaults(half: str, setup: dict[str, Any], holds: Callable[[Table], bool]) -> None:
    rank = [0, 4, 1, 2, 3] if half[0] == "g" else [0, 1, 2, 3, 4]
    table = Table(**{"cars": AROUND, "boss": (9, 1), "phase": "assault", "rank": rank, "assault": int(half[1:]) - 1, **setup})
    assert holds(table)
    if half in MOVED:
        assert table.at(4) == (9 + MOVED[half], 1)

# ---- Powers ----

POWERS: list[tuple[str, dict[str, Any], tuple[Any, ...], Callable[[Table], bool]]] = [
    ("skully 1", {"assault": 5}, (), lambda t: t.all["assault"] is None),
    ("skully 3", {"shields": {4: 2}, "hp": 9}, (), lambda t: (t.hp, t.car(4)["shields"]) == (7, 0)),
    ("goodlight 1", {"damage": {1: 1}}, (1,), lambda t: t.car(1)["damage"] == 0),
    ("goodlight 3", {"damage": {1: 1, 2: 1}, "hp": 9}, (), lambda t: (t.hp, t.car(1)["damage"], t.car(2)["damage"]) == (7, 0, 1)),
    ("barbarossa 3", {"cars": [(6, 1), (8, 0), (9, 2), (0, 0)], "boss": (9, 1), "hp": 9}, (),
     lambda t: t.hp == 7 and [t.car(car)["damage"] for car in (1, 2)] == [2, 2]),
    ("gnomy 1", {}, ((8, 1),), lambda t: t.at(0) == (8, 1)),
    ("gnomy 3", {"hp": 9}, ((8, 1),), lambda t: (t.hp, t.at(0)) == (7, (8, 1))),
    ("finn 1", {}, ((6, 0),), lambda t: t.object((6, 0)) == "bomb"),
    ("max 1", {}, (), lambda t: t.car(4)["spun"] == 1),
    ("max 3", {"stars": {0: 3, 1: 1}, "hp": 9}, (),
     lambda t: (t.hp, t.car(1)["star"], len(t.all["positive"])) == (8, 2, 2)),
    ("mara 1", {}, (1,), lambda t: t.car(1)["shields"] == 1),
    ("mara 3", {"assault": 5, "hp": 9}, (2,), lambda t: (t.hp, t.all["assault"]) == (5, None)),
]


@pytest.mark.parametrize(("power", "setup", "answers", "holds"), POWERS, ids=[row[0] for row in POWERS])
def test_powers_of_the_chase(power: str, setup: dict[str, Any], answers: tuple[Any, ...], holds: Callable[[Table], bool]) -> None:
    board, level = power.split()
    table = Table(**{"cars": CARS, "boss": (9, 1), "stars": {0: 3}, "boards": {0: board}, "hands": {0: TWO}, **setup})
    assert holds(table.say(f"power{level}", *answers))


RACE_POWERS: list[tuple[str, dict[str, Any], tuple[Any, ...], Callable[[Table], bool]]] = [
    ("skully 1", {"cars": [(6, 1), (10, 1), (9, 0), (0, 0)]}, (), lambda t: (t.asks, t.seat) == ("HAND_DISCARD", 2)),
    ("goodlight 1", {"damage": {0: 1}}, (), lambda t: (t.car(0)["damage"], t.at(0)) == (0, (7, 1))),
    ("barbarossa 3", {"cars": [(6, 1), (6, 0), (5, 2), (30, 2)]}, (), lambda t: t.events("DMG") == [(1, 2, 0), (3, 2, 0)]),
    ("gnomy 3", {"cars": [(6, 1), (10, 2), (0, 0), (0, 1)]}, (1,), lambda t: (t.at(0), t.at(1)) == ((10, 2), (6, 1))),
    ("scrum 3", {"cars": [(6, 1), (8, 1), (0, 0), (0, 1)], "shields": {1: 2}}, (),
     lambda t: t.events("DMG")[0] == (1, 2, 0) and not t.events("BLOCK")),
    ("mara 3", {"cars": [(6, 1), (8, 1), (9, 0), (0, 0)]}, (),
     lambda t: [t.car(car)["spun"] for car in (1, 2)] == [1, 1] and t.car(1)["damage"] == 1),
]


@pytest.mark.parametrize(("power", "setup", "answers", "holds"), RACE_POWERS, ids=[row[0] for row in RACE_POWERS])
def test_powers_of_races(power: str, setup: dict[str, Any], answers: tuple[Any, ...], holds: Callable[[Table], bool]) -> None:
    board, level = power.split()
    apart = [(6, 1), (20, 1), (25, 0), (26, 0)]
    table = Table(**{"cars": apart, "mode": "race", "stars": {0: 3}, "boards": {0: board}, "hands": {0: TWO}, **setup})
    assert holds(table.say(f"power{level}", *answers))

# ---- Bots ----

BOTS: list[tuple[str, str, dict[str, Any], Callable[[Table], bool]]] = [
    ("steers around", "steer-3s", {"objects": {(8, 1): "boulder"}}, lambda t: t.at(2) == (9, 0)),
    ("stays if all is equal", "steer-3s", {}, lambda t: t.at(2) == (9, 1)),
    ("fires at opponents", "missile-1s", {"cars": [(9, 1), (0, 2), (6, 1), (30, 0)]}, lambda t: t.events("DMG")[0] == (0, 1, 2)),
    ("fires at a far bomb", "missile-1s", {"objects": {(8, 1): "bomb"}}, lambda t: t.object((8, 1)) == "" and not t.events("DMG")),
    ("spares a near bomb", "missile-1s", {"objects": {(7, 1): "bomb"}}, lambda t: t.events("DMG") == [(2, 1, v.NONE)]),
    ("bomb behind", "bomb-1s", {}, lambda t: t.object((5, 1)) == "bomb"),
    ("bomb to the left", "bomb-1s", {"cars": [(0, 0), (0, 1), (6, 1), (5, 1)]}, lambda t: t.object((6, 0)) == "bomb"),
    ("straightens first", "repair-1s", {"damage": {2: 2}, "spun": [2]},
     lambda t: (t.car(2)["damage"], t.car(2)["spun"], t.at(2)) == (2, 0, (7, 1))),
    ("repairs", "repair-1s", {"damage": {2: 2}}, lambda t: t.car(2)["damage"] == 1),
    ("a star is two squares", "star-1s", {}, lambda t: t.at(2) == (9, 1) and t.car(2)["star"] == 0),
    ("one shield at the first damage", "missile-1s", {"cars": [(9, 1), (0, 2), (6, 1), (30, 0)], "shields": {2: 2}},
     lambda t: (t.events("BOOST"), t.car(0)["damage"], t.car(2)["shields"]) == ([(2, 1)], 2, 0)),
]


@pytest.mark.parametrize(("card", "setup", "holds"), [row[1:] for row in BOTS], ids=[row[0] for row in BOTS])
def test_bots(card: str, setup: dict[str, Any], holds: Callable[[Table], bool]) -> None:
    row: dict[str, Any] = {"cars": [(0, 0), (0, 2), (6, 1), (30, 0)], "seats": 2, "mode": "race", "phase": "next", "current": 2}
    assert holds(Table(**{**row, "rank": [2, 0, 1, 3], "deck": f"{card} bomb-4r", **setup}))

# ---- Special tiles: the tile is the second one, the car one square before its lightning unless said ----

TILES: list[tuple[str, str, list[int], dict[str, Any], tuple[Any, ...], Callable[[Table], bool]]] = [
    ("05B bomb", "05B:R", [4], {}, (), lambda t: t.object((10, 0)) == "bomb"),
    ("05B hurts", "05B:R", [2], {"cars": [(6, 1), (8, 1)]}, (), lambda t: t.events("DMG") == [(1, 1, 0)]),
    ("05B clears", "05B:R", [1], {"objects": {(9, 0): "boulder"}}, (), lambda t: t.object((9, 0)) == ""),
    ("07B", "07B:R", [], {"cars": [(7, 0)], "hands": {0: "missile-3s steer-1s"}}, (), lambda t: t.at(0) == (9, 0)),
    ("08B", "08B:R", [], {"cars": [(6, 1), (8, 1)]}, ((8, 1),), lambda t: t.events("DMG") == [(1, 1, 0)]),
    ("12B race", "12B:R", [], {"cars": [(7, 0)], "mode": "race", "boss": None}, (), lambda t: t.asks == "SNOUT_SQUARE"),
    ("12B chase", "12B:R", [], {"cars": [(7, 1)]}, (), lambda t: t.asks == "TURN_MENU"),
    ("13B", "13B:R", [3], {"cars": [(7, 1)]}, (), lambda t: t.object((8, 2)) == "slab"),
    ("13B spins", "13B:R", [3], {"cars": [(7, 1), (8, 2)]}, (), lambda t: t.car(1)["spun"] == 1),
    ("15B", "15B:R", [], {"cars": [(7, 1)]}, ((9, 1), (10, 1)),
     lambda t: t.object((9, 1)) == t.object((10, 1)) == "slab" and t.asks == "TURN_MENU"),
    ("19B", "19B:R", [], {"cars": [(7, 0)]}, (), lambda t: t.asks == "SPIRIT_TAKE"),
    ("19B has one", "19B:R", [], {"cars": [(7, 0)], "spirits": {0: "bomb-3s"}}, ("end",), lambda t: t.all["current"] == 1),
]


@pytest.mark.parametrize(("tile", "dice", "setup", "answers", "holds"), [row[1:] for row in TILES], ids=[row[0] for row in TILES])
def test_special_tiles(tile: str, dice: list[int], setup: dict[str, Any], answers: tuple[Any, ...],
                       holds: Callable[[Table], bool]) -> None:
    def drives(seed: int) -> Table:
        row: dict[str, Any] = {"cars": [(6, 1)], "boss": (25, 1), "hands": {0: "missile-1s steer-1s"}, "seed": seed, **setup}
        table = Table(circuit=f"01A:S,{tile},02A:S,03A:S,04A:S,11A:S", **row)
        if table.asks == "TURN_MENU":
            table.say("card")
        return table.say(row["hands"][0].split()[0], "no")

    assert holds((rolling(dice, drives) if dice else drives(1)).say(*answers))
