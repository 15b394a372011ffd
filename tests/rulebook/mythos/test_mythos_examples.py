"""The rulebook's examples (T1 to T14) and further cases (X1 to X68) of the rules, by number."""
from __future__ import annotations

from typing import Any

import pytest

from mythos_table import Case, Table, a_game
from seatmate.engine.mythos.content import decks


def at(**position: Any) -> dict[str, Any]:
    """A position, as Table takes it."""
    return position


EXAMPLES: dict[str, tuple[dict[str, Any], str, str]] = {
    # ---- The rulebook's own ----
    "T1": (at(a="018", b="009+2", missions="MSS-08", edge="B", chakra=3), "pass; pass", "B.points=3 A.points=0 A.chakra=6"),
    "T5": (at(hand_a="018", chakra=5), "put 018 0", "A.chakra=4 A0=h:018 Ah:018=0"),
    "T7": (at(hand_a="038"), "play 038 0", "A0=038"),
    "T8": (at(a="018+2", hand_a="112 086", chakra=1), "play 112 0 on 018; MAY yes; CARD 086",
           "A.chakra=0 A0=112<018+5 A.discard=086"),
    "T6": (at(a="h:024 009", hand_a="086", deck_a="011", chakra=4), "reveal h:024; MAY yes; MAY yes; CARD 011",
           "A.chakra=0 A0=024+3,009 A.hand=086 A.discard=011"),
    "T6b": (at(a="h:060", b="037 019", chakra=4, missions=3), "reveal h:060; TARGET B019; DEST 1; TARGET B019",
            "A.chakra=0 A0=060 B0=037+1 B1= B.discard=019"),
    "T9": (at(a="036", b="107<013", hand_a="116"), "play 116 0 on 036; TARGET B107", "B0= B.discard=013,107"),
    "T10": (at(a="h:009", hand_a="114", chakra=9), "play 114 0; MAY yes; pass; reveal h:009", "A0=114+2,009+1 A009=4"),
    "T10b": (at(a="h:009+2"), "! Ah:009=2; reveal h:009", "A0=009+2 A009=5"),
    "T11": (at(edge="B", hand_b="009 086 094", missions="MSS-10 MSS-08"),
            "pass; ! edge=A; play 009 0; play 086 0; play 094 0; pass", "edge=A asked=A.TURN"),
    "T13": (at(a="019", b="086", hand_a="020"), "play 020 0; TARGET B086", "A0=020<019,B:086"),
    "T13b": (at(b="086 009", hand_a="020"), "play 020 0; ? TARGET B009 no; TARGET B009", "A0=020,B:009 B0=086"),
    # ---- Playing ----
    "X1": (at(a="009", hand_a="108"), "play 108 0", "A.chakra=17 A0=108<009"),
    "X2": (at(a="010", hand_a="009", missions=1), "? TURN no hide009; put 009", "A0=010,h:009"),
    "X3": (at(a="013+1 h:014+2", hand_a="086", hand_b="009"),
           "reveal h:014 0 on 013; MAY yes; MAY yes; CARD 086; RAID 009",
           "A.chakra=19 A0=014<013+3 A.discard=086 B.discard=009"),
    "X4": (at(hand_a="020", b="h:134"), "play 020 0; TARGET Bh:134", "A0=020,B:h:134"),
    "X5": (at(a="020 B:h:134", b="026", hand_b="029", turn="B"), "play 029 0 on 026; TARGET A020", "A0=h:020 B0=029<026,h:134"),
    "X6": (at(a="020 B:009", b="010 | 003", hand_b="108", turn="B"), "play 108 0 on 010; ? TARGET A009 A020 no; TARGET A020",
           "A0=h:020 B0=108<010 B.discard=009 B.chakra=18"),
    "X7": (at(a="020 B:009", b="026 086", hand_a="108", hand_b="029 087"),
           "play 108 0; TARGET no; play 029 0 on 026; TARGET A020; ! A0=h:020,108<009; pass; play 087 0 on 086; TARGET A108",
           "A.chakra=17 A0=h:020 A.discard=108 B.discard=009"),
    "X8": (at(a="h:045", b="048+1", hand_a="116"), "play 116 0; TARGET B048; ! B0=h:048+1; pass; reveal h:045; TARGET Bh:048",
           "B0= B.discard=048"),
    "X9": (at(b="075", hand_a="060", missions=2), "play 060 0; TARGET B075", "B0=h:075"),
    "X10": (at(b="009 049", hand_a="108"), "play 108 0; TARGET B009; REPLACE yes", "B0=009 B.discard=049"),
    "X11": (at(b="004 | 003 | 009", hand_a="119"), "play 119 2; TARGET B009", "B.hand=009 B.chakra=22 B.discard="),
    "X12": (at(b="009+2 086", hand_a="067 060", hand_b="129", missions=3),
            "play 067 0; ? LOCK B009 B086; LOCK B009; ! B009=0 B086=5; play 129 0; ! B129=10; play 060 0; TARGET B009; DEST 1",
            "B129=0 B1=009 B009=3"),
    "X13": (at(a="009 015", missions="MSS-09"), "", "A009=5 A015=3 asked=A.TURN"),
    "X14": (at(a="h:009+1", missions="MSS-02"), "", "Ah:009=1 asked=A.TURN"),
    "X15": (at(a="128", b="h:009"), "", "Bh:009=0 asked=A.TURN"),
    "X16": (at(a="013 009 h:011", b="009"), "", "A013=3 asked=A.TURN"),
    "X17": (at(a=" | 086", b="009", hand_a="040", missions=3), "TURN 040", "A1=040,086"),
    "X17b": (at(a=" | 086", b="009", hand_a="040", missions=3), "TURN hide040; ? TURN_MISSION 0 1 2; TURN_MISSION 0", "A0=h:040"),
    "X18": (at(a="h:009", b="111"), "? TURN no; pass", "A0=h:009"),
    "X19": (at(a="034", hand_a="025 027", chakra=1), "play 027 0", "A.chakra=0"),
    "X19b": (at(a="034", hand_a="025", chakra=1), "play 025 0", "A.chakra=0 A0=025,034"),
    "X20": (at(a="h:075", b="125", hand_a="009", chakra=5, missions=1), "reveal h:075; pass; play 009 0",
            "A.chakra=0 asked=A.TURN"),
    "X21": (at(a="h:090", b="013", chakra=0), "reveal h:090", "A0=090"),
    "X22": (at(a="h:033", b="010", chakra=0), "reveal h:033", "A0=033"),
    "X23": (at(a="072", hand_a="063", chakra=4), "play 063 0 on 072", "A.chakra=0 A0=063<072"),
    "X23b": (at(a="072", hand_a="063"), "play 063 0", "A.chakra=15 A0=063,072"),
    "X24": (at(a="071+1", hand_a="138", chakra=2), "play 138 0 on 071; MAY yes", "A.chakra=0 A.points=2 A0=138<071+1"),
    "X25": (at(a="094", hand_a="138", missions=1), "play 138 0", "A.chakra=14 A0=094,138"),
    "X25b": (at(a="094 050", hand_a="138", missions=1), "play 138 0", "A.chakra=18 A0=094,138<050"),
    "X26": (at(b="037", hand_a="116"), "play 116 0", "B0=037+1"),
    "X27": (at(a="001", hand_a="002 017"), "play 002 0; PLAYCARD 017 0; MAY yes; MAY yes",
            "A.chakra=17 A0=002<001,017+5"),
    "X28": (at(a="052 050", b="148", hand_a="054"), "play 054 0 on 052; MAY yes; MAY yes", "A0=054<052+1,h:050 B0=h:148"),
    "X28b": (at(b="148", hand_a="054"), "play 054 0", "A0=054 B0=148"),
    "X29": (at(b="017", hand_a="016"), "play 016 0; EFFECT B017.0", "A0=016+3"),
    "X30": (at(b="020 009", hand_a="016"), "play 016 0; ? EFFECT B020.0 no; EFFECT B020.0", "A0=016,B:009"),
    "X31": (at(b="016", hand_a="016"), "play 016 0", "A0=016"),
    "X32": (at(b="056<055", hand_a="137", chakra=8), "play 137 0; TARGET B056", "A.chakra=0 B0=h:056<055"),
    "X32b": (at(b="056<055", hand_a="137", chakra=7), "play 137 0; TARGET B056", "A.chakra=0 B0=h:056<055"),
    "X33": (at(b="h:009", hand_a="069", chakra_b=4), "play 069 0; TARGET Bh:009; ? FORCED no yes; FORCED yes",
            "B.chakra=0 B0=009"),
    "X33b": (at(b="h:009", hand_a="069", chakra_b=3), "play 069 0; TARGET Bh:009; ? FORCED no; FORCED no",
             "B.chakra=3 B.discard=009"),
    "X34": (at(a="111", b="h:009", hand_a="069"), "play 069 0; TARGET Bh:009; ? FORCED no; FORCED no", "B0= B.discard=009"),
    "X35": (at(a=" | h:074 | h:074", b="072 009", hand_a="139"), "play 139 0; ? TARGET B072 no; TARGET B072", "B.discard=072"),
    "X36": (at(a="105", b="009 011 013 129", hand_a="132"),
            "play 132 0 on 105; MAY yes; ? TARGET B009 B011 B013; TARGET B009; TARGET B011",
            "B0=013,129 B.discard=009,011"),
    "X37": (at(a="013 009", b="086", hand_a="136"), "play 136 0 on 013", "A.chakra=17 A0=136<013 B0= A.discard=009"),
    "X38": (at(a="013", b="086", hand_a="136"), "play 136 0 on 013", "A0=136<013 B0=086"),
    "X39": (at(a="013 009 011 h:038 | 010", hand_a="107", missions=3), "play 107 0 on 013; DEST 1; MAY yes",
            "A0=107<013+2,h:038 A1=010,011 A2=009"),
    "X40": (at(b="009 | 010", hand_a="006", missions=2, a=" | 136"), "play 006 0; TARGET B009", "B1=010 B.discard=009 A.chakra=17"),
    "X41": (at(a="009 | 010", hand_a="121", missions=2), "play 121 0; ? TURN no", "A0=009,121 A1=010"),
    "X42": (at(b="133<009", hand_a="106"), "play 106 0; TARGET B133", "B0=009 B.discard=133"),
    "X42b": (at(a="015", b="133<009 086 | 019", hand_a="106"),
             "play 106 0 on 015; TARGET B133; ? TARGET B009 B086; TARGET B086", "B0=009,h:086 B1=h:019"),
    "X43": (at(hand_a="089", deck_b="129"), "play 089 0; MAY yes", "A089=9 B.discard=129"),
    "X43b": (at(hand_a="089"), "play 089 0", "A089=2 A0=089"),
    "X44": (at(a="128", b="009 086 056", hand_a="140", hand_b="010 011 012", deck_b="013 014 015 016"),
            "play 140 0 on 128; MAY yes; ? TARGET B009 B086 no; TARGET B086",
            "B.hand=013,014,015 B.deck=016 B.discard=010,011,012,086"),
    "X44b": (at(a="128", b="009 h:056 101", hand_a="140"), "play 140 0 on 128; ? TARGET Bh:056 B101 no; TARGET Bh:056",
             "B0=009,101"),
    "X45b": (at(a="052+1 | | B:h:129", hand_b="116", turn="B"), "play 116 0; TARGET A052", "A0= A2= B2=h:129"),
    "X45": (at(a="h:052", deck_b="129", hand_b="041", b=""), "reveal h:052; MAY yes; MISSION 2", "A2=B:h:129"),
    "X46": (at(a="h:050", b="h:086 h:016"), "reveal h:050; TARGET Bh:086", "A0=050,B:h:086 B0=h:016"),
    "X46b": (at(a="h:050", b="h:086 h:016"), "reveal h:050; TARGET Bh:016", "A0=050 B0=h:016,h:086"),
    "X47": (at(a="017", b=" | 086 009", hand_a="018", missions=2), "play 018 0 on 017; MAY yes; ! A1=018<017",
            "A1=018<017 B1=086,h:009"),
    "X48": (at(b="115 009", hand_a="108"), "play 108 0", "B0=009,115"),
    "X50": (at(a="h:022", b="009", hand_b="086", missions=2, turn="B"), "play 086 1; reveal h:022; ? TARGET B086 no; TARGET B086",
            "B0=009,086 B1="),
    "X50b": (at(a="h:022", b="009 086", missions=2, turn="B"), "pass; reveal h:022", "asked=A.TURN B0=009,086"),
    "X51": (at(a=" | 057 | 061 | 009", hand_a="059"),
            "play 059 0; TARGET A057; TARGET A061; DEST 3; DEST 3", "A3=009,057,061"),
    "X52": (at(b="009 h:011", hand_a="122"), "play 122 0; MAY yes", "A0=122+3"),
    "X53": (at(a="059 | h:061", hand_a="057"), "play 057 0; MAY yes", "A0=057+1,059"),
    "X54": (at(a="009", b="h:086 | | 011", hand_a="133"), "play 133 0 on 009; ? TARGET Bh:086 no; TARGET Bh:086",
            "B0= B2= B.discard=086,011"),
    "X55": (at(a="003", hand_a="104"), "play 104 0 on 003; AMOUNT 4; MAY yes", "A0=104<003+8 A.chakra=14"),
    "X56": (at(a="011", hand_a="135", deck_a="086 094 129"),
            "play 135 0 on 011; MAY yes; ? PLAYCARD no looked086 looked094 looked129; PLAYCARD looked129 1",
            "A1=129 A.discard=086,094 A.chakra=14"),
    "X56b": (at(a="011", hand_a="135", deck_a="086 094 129"), "play 135 0 on 011; MAY yes; PLAYCARD no",
             "A.discard=086,094,129 A.deck="),
    "X49": (at(a="129 027", hand_a="113"), "play 113 0; TARGET A027", "A0=h:129,h:027,113"),
    "X49b": (at(b="129 009", a="027", hand_a="113"), "play 113 0; TARGET A027", "B0=129,h:009"),
    "X57": (at(a="085 009", b="086", missions="MSS-02"), "pass; pass; MAY yes; ? TARGET A009 B086; TARGET A009",
            "A0= B0=086 A.discard=085,009"),
    "X58": (at(a="099 | 009", b=" | 009", edge="B", missions="MSS-10 MSS-08"), "pass; pass; MAY yes", "A.points=7 B.points=0"),
    "X59": (at(a="010<009", missions="MSS-05"), "pass; pass", "A0= A.hand=010 A.discard=009 A.points=4"),
    "X59b": (at(a="h:009+1", missions="MSS-05"), "pass; pass", "A0=h:009 A.points=4 A.hand= asked=A.TURN"),
    "X60": (at(a="126 086", b="051 009", missions="MSS-10 MSS-08", turn="B"), "pass; pass; ! B1=051; TARGET B009", "B1=051 B0="),
    "X60b": (at(a="126 086", b="051 009", missions="MSS-10 MSS-08"), "pass; pass; ! B0=009,051; TARGET B009", "B1=051 B0="),
    "X61": (at(a="103 097", missions="MSS-10"), "pass; pass; ? ORDER A103 returns; ORDER A103; ? TARGET A103 A097; TARGET A097",
            "A0=h:097 A.hand=103 asked=A.TURN"),
    "X61b": (at(a="103+2", b="105", missions="MSS-10"), "pass; pass; ? TARGET A103 B105; TARGET B105", "B0=h:105 A.hand=103"),
    "X62": (at(a="027 | 027", b=" | 025", missions="MSS-10 MSS-08"), "pass; pass; ? ORDER A027@0 A027@1; ORDER A027@1",
            "A0= A1=027 A.hand=027"),
    "X63": (at(a="117 | 038", b="035", missions="MSS-10 MSS-08"), "pass; pass", "A0=117 A1=038"),
    "X63b": (at(a="117", b=" | 035", missions="MSS-10 MSS-08"), "pass; pass", "A0= A1=117"),
    "X64": (at(a=" | h:148 146", edge="B", turn="A"), "reveal h:148; MAY yes; EFFECT A146.0", "edge=B A1=146,148+3"),
    "X65": (at(a="005 h:009 025", b="027", missions="MSS-10"), "pass; pass", "A.chakra=11"),
    "X66": (at(a="133", hand_a="134 129", missions=1, chakra=1), "play 129 0 on 133", "A.chakra=0 A0=129<133"),
    "X66b": (at(a="133", hand_a="134 129", missions=1), "play 134 0", "A.chakra=12 A0=133,134"),
    "X66c": (at(a="133", hand_a="134 129", missions=1), "play 129 0", "A.chakra=13 A0=129,133"),
    "X67": (at(a="052", hand_a="053 086", discard_a="009"), "play 053 0 on 052; MAY yes; CARD 086; PLAYCARD discard086 0",
            "A.chakra=19 A0=053<052,086 A.discard=009"),
}


@pytest.mark.parametrize("number", EXAMPLES)
def test_example(number: str) -> None:
    position, script, then = EXAMPLES[number]
    assert Table(**position).run(script).says(then)


def test_examples_can_fail() -> None:
    for number, (position, script, then) in EXAMPLES.items():
        assert Case(number, "", script, then, table=position).is_telling(), number


def test_x4_x5_x46_who_has_seen_a_hidden_character_still_knows_it() -> None:
    """X4, X5: A sees what it takes control of, and still knows it when it has gone back. X46: A sees what it does not get."""
    table = Table(b="h:134 026", hand_a="020", hand_b="029").run("play 020 0; TARGET Bh:134")
    assert [unit["card"] for unit in table.state.observation(0)["units"] if not unit["up"]] == ["KS-134"]
    table.run("play 029 0 on 026; TARGET A020")
    assert table.says("B0=029<026,h:134")
    assert [unit["card"] for unit in table.state.observation(0)["units"] if not unit["up"]] == ["KS-134", "KS-020"]
    table = Table(a="h:050", b="h:086 h:016").run("reveal h:050; TARGET Bh:016")
    assert [unit["card"] for unit in table.state.observation(0)["units"]] == ["KS-050", None, "KS-016"]


# ---- Whole games in short ----

BASES = ("MSS-05", "MSS-02", "MSS-10", "MSS-05")       # 3, 2, 2, 3 points


def test_t2_points_of_four_rounds() -> None:
    """T2: who wins which mission in which round; the higher sum of points wins."""
    points = (0, 0)
    for winners in ("A", "AB", "BBA", "ABAB"):
        sides = {seat: "|".join("086" if winner == seat else "" for winner in winners) for seat in "AB"}
        table = Table(sides["A"], sides["B"], missions=" ".join(BASES[:len(winners)]), points=points)
        table.run("pass; pass")
        points = tuple(table.values["points"])
    assert points == (4 + 4 + 5 + 4 + 5, 4 + 4 + 4 + 4 + 7)
    assert table.state.is_over and table.state.returns() == [0.0, 1.0]


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
def test_t3_the_rank_of_a_mission_stays(rounds: int) -> None:
    """T3: the mission of round 1 gives base + 1 in every round."""
    table = Table("086", missions=" ".join(("MSS-10", "MSS-08", "MSS-03", "MSS-06")[:rounds])).run("pass; pass")
    assert table.says("A.points=3 B.points=0")


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
def test_t4_the_bonus_is_that_of_the_round_it_came_in(rounds: int) -> None:
    """T4: bonus 1 to 4; in round r there are r missions to win."""
    table = Table("|".join(["086"] * rounds), missions=" ".join(("MSS-10", "MSS-09", "MSS-02", "MSS-10")[:rounds]))
    assert [mission["bonus"] for mission in table.values["missions"]] == [1, 2, 3, 4][:rounds]
    table.run("pass; pass")
    assert table.says(f"A.points={2 * rounds + sum(range(1, rounds + 1))}")


def test_t12_at_most_two_of_a_version() -> None:
    """T12: any number of versions of a name, at most two of each."""
    pack = a_game().pack
    rest = "\n".join(f"2 KS-{n:03d}" for n in range(20, 32)) + "\nMSS-01\nMSS-02\nMSS-03"
    legal = decks.read_list(f"2 KS-009, 2 KS-010, 2 KS-108\n{rest}", pack)
    assert len(legal.cards) == 30 and decks.problems(legal, pack) == []
    illegal = decks.read_list(f"3 KS-009, 2 KS-010, 1 KS-108\n{rest}", pack)
    assert decks.problems(illegal, pack) == ["it has 3 x KS-009 (Naruto Uzumaki, Genin of the Leaf Village); "
                                             "at most 2 of a version are allowed"]


@pytest.mark.parametrize("edge", "AB")
def test_t14_at_equal_points_the_edge_wins(edge: str) -> None:
    """T14 (R95)."""
    table = Table(edge=edge, turn=edge, points=(9, 9)).run("pass; pass")
    assert table.state.is_over
    assert table.state.returns() == ([1.0, 0.0] if edge == "A" else [0.0, 1.0])
