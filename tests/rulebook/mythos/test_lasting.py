"""Every way a character can go, against every effect that lasts: what it held is free at once, what held it looks for another.

A row is a way (WAYS), a cell is an effect with the role the character has in it (ROLES): what is true afterwards.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from mythos_table import Table


@dataclass(frozen=True)
class Way:
    """How a character goes: what the acting seat has on missions 2 and 3 and in its hand, what the other one has, what it does.

    `{u}` is the character, `{me}` the acting seat.
    """

    script: str
    here: str = ""
    tools: str = ""
    hand: str = ""
    saver: str = ""


DEFEAT = "play 123 3 on 056; MAY yes; CARD 032; TARGET {u}"
MOVE = "play 121 3 on 080; TARGET {me}101; DEST 3; TARGET {u}; DEST 1"
WAYS = {
    "defeated": Way(DEFEAT, tools="056", hand="123 032"),
    "defeated, to the hand": Way(DEFEAT, tools="056", hand="123 032", saver="004"),
    "hidden": Way("play 056 3 on 055; MAY yes; CARD 032; TARGET {u}", tools="055", hand="056 032"),
    "moved": Way(MOVE, tools="080", hand="121"),
    "moved to its like": Way(MOVE, tools="080", hand="121"),
    "taken": Way("play 020 0 on 019; TARGET {u}", here="019", hand="020"),
    "peeled": Way("play 106 0; TARGET {u}", hand="106"),
    "returned": Way("pass; TARGET {u}"),        # by MSS-05, when its side wins mission 0
}


@dataclass(frozen=True)
class Role:
    """A character in an effect that lasts. `mine` and `yours`: mission 0 of its side and of the acting one; `like`: one of its
    name on mission 1, `first`: the script before, with a card of `hand`, `then`: facts by way, `peeled`: its side as piles."""

    unit: str
    mine: str
    yours: str
    then: dict[str, str]
    like: str = ""
    first: str = ""
    hand: str = ""
    peeled: str = ""


ROLES = {
    # The acting seat is A, which has played Rashomon; B's Zabuza is held, and its Rock Lee, who keeps tokens, comes next.
    "what Rashomon holds": Role(
        "B086", "086+1 039+1", "", first="play 067 0; pass; ! B086=0 B039=5", like="087", hand="067", then={
            "defeated": "B0=039 B039=0 B.discard=086",
            "defeated, to the hand": "B0=039 B039=0 B.hand=086",
            "hidden": "B0=h:086,039+1 Bh:086=0 B039=5",
            "moved": "B0=039 B1=086 B039=0 B086=5",
            "moved to its like": "B0=039 B1=087 B039=0 B.discard=086",
            "taken": "B0=039 B039=0 A086=5",
            "returned": "B0=039 B039=0 B.hand=086 B.points=4",
        }),
    "what Rashomon holds, in a pile": Role(
        "B087", "087<086+1 039+1", "", first="play 067 0; pass; ! B087=0 B039=5", hand="067", then={
            "peeled": "B0=086,039+1 B086=0 B039=5", "defeated": "B0=039 B039=0 B.discard=086,087"}),
    # The acting seat is B, whose Zabuza A's Rashomon holds.
    "Rashomon": Role(
        "A067", "067 101+9", "086+2", peeled="067<009", then={
            "defeated": "A0=101+9 B086=5", "defeated, to the hand": "A0=101+9 A.hand=067 B086=5",
            "hidden": "A0=h:067,101+9 B086=5", "moved": "A0=101+9 A1=067 B086=5", "peeled": "A0=009 B086=5",
            "returned": "A0=101+9 A.hand=067 B086=7"}),     # it was never looked at before: the mission is first
    "who controls another": Role(
        "A020", "020 B:009", "", like="110", peeled="020<019 B:009", then={
            "defeated": "A0= B0=009", "defeated, to the hand": "A0= A.hand=020 B0=009", "hidden": "A0=h:020 B0=009",
            "moved": "A0=B:009 A1=020 B0=", "moved to its like": "A0= A1=110 B0=009", "peeled": "A0=019,B:009",
            "returned": "A0= B0=009 A.hand=020"}),
    "who is controlled": Role(
        "A009", "020 B:009", "", like="010", then={
            "defeated": "A0=020 B.discard=032,009", "defeated, to the hand": "A0=020 B.hand=009 A.hand=",
            "hidden": "A0=020,B:h:009 B0=", "moved": "A0=020 A1=B:009", "moved to its like": "A0=020 A1=010 B.discard=009",
            "taken": "A0=020 B009=3", "returned": "A0=020 B.hand=009 A.hand="}),
    "who keeps a card of the other's deck": Role(
        "A052", "052 B:h:009 101", "", like="053", peeled="052<051 B:h:009 101", then={
            "defeated": "A0=101 B0=h:009", "defeated, to the hand": "A0=101 A.hand=052 B0=h:009",
            "hidden": "A0=h:052,101 B0=h:009", "moved": "A0=101,B:h:009 A1=052 B0=",
            "moved to its like": "A0=101 A1=053 B0=h:009", "peeled": "A0=051,101,B:h:009",
            "returned": "A0=101 B0=h:009 A.hand=052"}),
    "who strengthens others here": Role(
        "A015", "015 009", "", like="016", peeled="016<015 009", then={
            "defeated": "A009=3", "defeated, to the hand": "A009=3 A.hand=015", "hidden": "A009=3", "moved": "A009=3 A1=015",
            "moved to its like": "A009=3 A1=016", "taken": "A009=4 B015=3", "returned": "A009=3 A.hand=015"}),
    "who strengthens others here, below": Role(
        "A016", "016<015 009", "", then={"peeled": "A009=4 A015=3 A.discard=016"}),
}
CELLS = [(role, way) for role, entry in ROLES.items() for way in entry.then]


def table_of(role: Role, name: str, way: Way) -> Table:
    """The position. The acting seat has A's Pig on mission 2, so that its own move is asked for."""
    acting = "BA"["AB".index(role.unit[0])]
    mine = role.peeled if name == "peeled" and role.peeled else role.mine
    own = f"{mine} | {role.like if name == 'moved to its like' else ''} | {way.saver}"
    other = " | ".join([f"{role.yours} {way.here}", "", "101", way.tools])
    sides: dict[str, Any] = {"a": other, "b": own} if acting == "A" else {"a": own, "b": other}
    hands: dict[str, Any] = {f"hand_{acting.lower()}": " ".join([*role.hand.split(), *way.hand.split()])}
    missions: Any = "MSS-05 MSS-01 MSS-03 MSS-04" if name == "returned" else 4
    return Table(**sides, **hands, missions=missions, chakra=60, chakra_b=60, turn=acting, edge=acting)


@pytest.mark.parametrize(("role_name", "way_name"), CELLS)
def test_what_goes_and_what_lasts(role_name: str, way_name: str) -> None:
    role, way = ROLES[role_name], WAYS[way_name]
    acting = "BA"["AB".index(role.unit[0])]
    table = table_of(role, way_name, way).run(role.first)
    if not role.first and way_name == "returned":
        table.run("pass")
    table.run(way.script.format(u=role.unit, me=acting))
    assert table.says(role.then[way_name])


RETURNS = [
    ("027", "027+4", "ORDER B027", "B.hand=027"),
    ("028", "028+4", "ORDER B028; MAY yes", "B.hand=028"),
    ("103", "103+4", "ORDER B103; TARGET B103", "B.hand=103"),
]


@pytest.mark.parametrize(("card", "unit", "script", "then"), RETURNS, ids=[row[0] for row in RETURNS])
def test_who_goes_home_first_frees_rashomon_for_the_next(card: str, unit: str, script: str, then: str) -> None:
    """039 keeps its tokens from round to round, unless Rashomon holds it before it goes home itself."""
    table = Table(b=f"{unit} 039+1", hand_a="067", missions="MSS-08").run(f"play 067 0; ! B{card}=0 B039=5; pass; pass")
    first = Table(b=f"{unit} 039+1", hand_a="067", missions="MSS-08").run("play 067 0; pass; pass; ORDER returns")
    assert table.run(script).says(f"asked=B.TURN A.hand=067 B0=039 B039=4 {then}")
    assert first.says("A.hand=067 B039=5")


# What Rashomon holds is gone, however that came: its controller is asked which of two it holds next. (Table, script, what is true.)
NEXT: dict[str, tuple[dict[str, str], str, str]] = {
    "defeated": ({"a": " | 056", "b": "086 009 038", "hand_a": "067 123 032"},
                 "pass; play 123 1 on 056; MAY yes; CARD 032; TARGET B086", "B0=009,038 B.discard=086"),
    "one of several defeated one after another": (
        {"a": "105", "b": "086+2 009 038 011", "hand_a": "067 132"}, "pass; play 132 0 on 105; MAY yes; TARGET B086",
        "B0=009,011,038 asked=B.TARGET"),
    "taken": ({"a": "019", "b": "086 009 038", "hand_a": "067 020"}, "pass; play 020 0 on 019; TARGET B086", "B0=009,038 A086=5"),
    "moved by its own side": ({"b": "086 009 038", "hand_a": "067", "hand_b": "121"}, "play 121 1; TARGET B086; DEST 2",
                              "B0=009,038 B086=5"),
    "laid on another one, before the lines of the play": (
        {"b": "h:010+5 009 038", "hand_a": "067"}, "reveal h:010 0 on 009", "B0=010<009,038 asked=B.MAY"),
    "sent home by its own line, 027": ({"b": "027+4 009 038 101", "hand_a": "067", "missions": "MSS-08"}, "pass; pass; ORDER B027",
                                       "B0=009,038,101 B.hand=027 A.hand=067 asked=B.TURN"),
    "sent home by its own line, 103": (
        {"b": "103+4 009 038 101", "hand_a": "067", "missions": "MSS-08"}, "pass; pass; ORDER B103; TARGET B103",
        "B0=009,038,101 B.hand=103 A.hand=067 asked=B.TURN"),
}


@pytest.mark.parametrize("way", NEXT)
def test_with_two_candidates_its_controller_is_asked_whatever_became_of_the_first(way: str) -> None:
    table, script, then = NEXT[way]
    held, free = ("B010", "B038") if "laid" in way else ("B009", "B038")
    after = Table(**table).run(f"play 067 0; {script}; ? LOCK {held} {free}; LOCK {free}")      # type: ignore[arg-type]
    assert after.says(then)
    if "home" not in way:       # else Rashomon has gone, too
        assert after.says(f"{free}=0 {held}=3")


def test_103_may_hide_rashomon_which_then_stays() -> None:
    """Held, 103 has no power, and so has Rashomon; hidden it has no line that sends it home."""
    table = Table(b="103+4 039+1", hand_a="067", missions="MSS-08").run("play 067 0; pass; pass; ORDER B103; ? TARGET A067 B103")
    assert table.run("TARGET A067").says("A0=h:067 A.hand= B0=039+1 B.hand=103 B039=5")


def test_with_several_candidates_its_controller_is_asked_what_it_holds_next() -> None:
    """After a return, which nothing else follows, too."""
    table = Table(b="086+1 039+1 016+1 009", hand_a="067", missions="MSS-05").run("play 067 0; pass; pass; TARGET B086")
    assert table.prompt == "A LOCK"
    assert table.run("? LOCK B016 B039; ! B016=5; LOCK B039").says("B0=009,016,039 B039=4 B.hand=086")
