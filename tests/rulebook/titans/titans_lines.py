"""Examples of what every character, ability, Mayhem card and GO! card does, and where it does not.

Together they show every effect line of the pack, step by step and number by number (test_titans_lines.py).
"""
from __future__ import annotations

from typing import Any

from titans_table import Example

ABILITIES = {"Armour": ("Cy", 0), "Sonic Cannon": ("Cy", 1), "Telekinesis": ("Ra", 0), "Dark Portal": ("Ra", 1),
             "Staff Meeting": ("Ro", 0), "Hero Reflexes": ("Ro", 1), "Starbolts": ("St", 0), "Crushing Hug": ("St", 1)}
TWO_PLACES = {"mode": "ffa3", "dice_a": (1,), "dice_b": (3,), "removed": "2 3 4 5 6 7 8 9"}
"""The free-for-all where all but the places 0 and 1 are gone."""


def using(title: str, what: str, answers: str, after: str, die: int, mayhem: str = "2", **table: Any) -> Example:
    """A uses an ability with this die on it and this Mayhem die."""
    active, slot = ABILITIES[title]
    return Example(title, what, f"A ABILITY use; {answers}", after,
                   {"step": "ability", "active": active, "slot": slot, "placed": 1, "dice_a": (1, die), "die": mayhem, **table})


def card(row: str, what: str, script: str, after: str, **table: Any) -> Example:
    """A plays a card, or can't."""
    return Example(row, what, script, after, table)


def own(row: str, what: str, script: str, after: str, hand: str = "", **table: Any) -> Example:
    """A's piece is active and may still move; the die on its first ability shows 6."""
    return Example(row, what, script, after, {"step": "move", "hands": (hand or row, ""), **table})


def against(row: str, what: str, script: str, after: str, hand: str = "", **table: Any) -> Example:
    """B's piece is active, its die has been placed (3, on its first ability); A has the card."""
    return Example(row, what, script, after, {"turn": 1, "step": "hostile_cards", "placed": 0, "hands": (hand or row, ""), **table})


def attack(row: str, what: str, script: str, after: str, hand: str = "", **table: Any) -> Example:
    """B's piece attacks with its first ability and a 5; A has the card."""
    return Example(row, what, f"B ABILITY use; {script}", after,
                   {"turn": 1, "step": "ability", "placed": 1, "hands": (hand or row, ""), **table})


def enters(row: str, what: str, script: str, after: str, hand: str = "", **table: Any) -> Example:
    """B's piece may move; A has the card."""
    return Example(row, what, script, after, {"turn": 1, "step": "move", "placed": 0, "hands": (hand or row, ""), **table})


def reveal(row: str, what: str, script: str, after: str, **table: Any) -> Example:
    """A reveals the GO! card at the start of a round; B has one already."""
    return Example(row, what, script, f"A.go={row} {after}",
                   {"step": "go_cards", "go": ("", "G11" if row == "G12" else "G12"), "go_deck": row, **table})


def mission(row: str, what: str, script: str, after: str, **table: Any) -> Example:
    """A has the GO! card in play; the next one is High Score, or Lucky Star."""
    return Example(row, what, script, after, {"step": "move", "go": (row, ""), "go_deck": "G07" if row in ("G06", "G12") else "G06",
                                              **table})


HEALTHS = (("cyborg", "Cy", 9, "Ra@7", "Ro@2 St@9"), ("raven", "Ra", 8, "Cy@7", "Ro@2 St@9"),
           ("robin", "Ro", 9, "Ra@7", "Cy@2 St@9"),
           ("starfire", "St", 8, "Ra@7", "Cy@2 Ro@9"))

CHARACTERS = [
    *(Example(key, f"{'falls' if left == 1 else 'stands'} with {left} points of health left", "",
              f"{short}@-(K)" if left == 1 else f"{short}@0(d{health - 1})",
              {"a": f"{short}@0(d{health - left},f1) {mate}", "b": others, "step": "burn", "die": "1*"})
      for key, short, health, mate, others in HEALTHS for left in (1, 2)),
    Example("cyborg", "repairs one damage, once in a turn", "A ABILITY innate; ? end use", "Cy@4(d2)",
            {"a": "Cy@4(d3) Ra@0", "step": "ability", "active": "Cy"}),
    Example("cyborg", "repairs again when activated again",
            "A ABILITY innate; A ABILITY end; B DIE_SLOT 0/0; B MOVE stay; B ABILITY end; A MOVE stay; A ABILITY innate",
            "Cy@4(d1)",
            {"a": "Cy@4(d3) Ra@-(K)", "b": "Ro@2(a1) St@9", "step": "ability", "active": "Cy"}),
    Example("raven", "goes anywhere and loses what hinders her", "A ABILITY innate; ? 0 1 3 5 6 7 8 9 decline; A DEST 8; ? end use",
            "Ra@8 fire=10", {"a": "Ra@4(f2,*) Cy@0", "b": "Ro@2 St@2", "step": "ability", "active": "Ra"}),
    Example("raven", "does so once in a game", "? end use", "", {"a": "Ra@4(I,f1) Cy@0", "step": "ability", "active": "Ra"}),
    Example("robin", "rolls the die on his ability again", "A ABILITY innate; ? end use", "+DIE_CHANGE Ro@4",
            {"a": "Ro@4 Ra@0", "b": "Cy@2 St@9", "step": "ability", "active": "Ro"}),
    Example("robin", "does so again when activated again",
            "A ABILITY innate; A ABILITY end; B DIE_SLOT 0/0; B MOVE stay; B ABILITY end; A MOVE stay; ? end use innate", "",
            {"a": "Ro@4 Ra@-(K)", "b": "Cy@2(a1) St@9", "step": "ability", "active": "Ro"}),
    Example("starfire", "is not hurt by traps", "A MOVE 5", "St@5 B.traps=- +TRAP_TRIGGER -DAMAGE",
            {"a": "St@4 Ra@0", "b": "Cy@2 Ro@9", "step": "move", "active": "St", "traps": "B:5=3"}),
]

USES = [
    using("Armour", "takes a shield", "", "Cy@4(S) Ro@4 -ATTACK", 3, a="Cy@4 Ra@0", b="Ro@4 St@9"),
    using("Armour", "with a 4 hits as well", "", "Cy@4(S) Ro@4(d2)", 4, a="Cy@4 Ra@0", b="Ro@4 St@9"),
    using("Armour", "with a star hits harder", "", "Cy@4(S) Ro@4(d5)", 4, "3*", a="Cy@4 Ra@0", b="Ro@4 St@9"),
    using("Sonic Cannon", "shoots", "", "Ro@5(d2) Ra@4 asked=B_PIECE", 4, a="Cy@4 Ra@4", b="Ro@5 St@9"),
    using("Sonic Cannon", "with a 5 shoots harder and pushes", "? Ra decline; A VICTIM Ra; ? 0 1 3 5 7 8; A DEST 8",
          "Ro@5(d3) Ra@8",
          5, a="Cy@4 Ra@4", b="Ro@5 St@9"),
    using("Sonic Cannon", "with a star burns the target", "", "Ro@5(d2,f1)", 5, "1*", a="Cy@4 Ra@0", b="Ro@5 St@9"),
    using("Telekinesis", "shoots", "", "Ro@5(d2) asked=A_ABILITY", 2, a="Ra@4 Cy@6", b="Ro@5 St@9"),
    using("Telekinesis", "with a 3 shoots harder and blocks a border nearby",
          "A OBST_SRC new; ? e0 e2 e3 e4 e5 e8 e1 e11 e12 e13 e9",
          "Ro@3(d3)", 3, a="Ra@0 Cy@6", b="Ro@3 St@9"),
    using("Telekinesis", "with a star stuns the target", "A OBST_SRC decline", "Ro@5(d2,*) B.traps=- A.traps=-", 3, "1*",
          a="Ra@4 Cy@6",
          b="Ro@5 St@9"),
    using("Dark Portal", "sets a trap", "A TRAP_PLACE 1", "A.traps=1:1 Ra@0 asked=A_ABILITY", 3, a="Ra@0 Cy@6", b="Ro@5 St@9"),
    using("Dark Portal", "with a 4 goes anywhere and hits there", "A TRAP_PLACE 0; A DEST 5", "A.traps=0:1 Ra@5(d3) Ro@5(d2)", 4,
          a="Ra@0(d3) Cy@6", b="Ro@5 St@9"),
    using("Dark Portal", "with a star heals", "A TRAP_PLACE 0; A DEST 5", "Ra@5(d1) Ro@5(d1)", 4, "1*", a="Ra@0(d3) Cy@6",
          b="Ro@5 St@9"),
    using("Staff Meeting", "hits", "", "Cy@4(d2)", 3, "2", a="Ro@4 Ra@0", b="Cy@4 St@9"),
    using("Staff Meeting", "with a 4 hits harder", "", "Cy@4(d4)", 4, "2", a="Ro@4 Ra@0", b="Cy@4 St@9"),
    using("Staff Meeting", "with a star stuns", "", "Cy@4(d3,*)", 4, "1*", a="Ro@4 Ra@0", b="Cy@4 St@9"),
    using("Hero Reflexes", "makes ready to escape, and moves", "? 0 1 3 5 7 8 decline; A DEST 5", "Ro@5(E) Cy@6 -ATTACK", 2,
          a="Ro@4 Ra@0", b="Cy@6 St@3"),
    using("Hero Reflexes", "with a 3 shoots from there", "A DEST 5", "Ro@5(E) Cy@6(d2)", 3, a="Ro@4 Ra@0", b="Cy@6 St@3"),
    using("Hero Reflexes", "with a star sets two traps there", "A DEST 5; ? 1 2 4 5 8 9; A TRAP_PLACE 5", "Cy@6(d1) A.traps=5:2", 3,
          "1*", a="Ro@4 Ra@0", b="Cy@6 St@3"),
    using("Starbolts", "shoots", "", "Ro@5(d2)", 4, a="St@4 Ra@0", b="Ro@5 Cy@9"),
    using("Starbolts", "with a 5 burns the target", "", "Ro@5(d2,f1)", 5, a="St@4 Ra@0", b="Ro@5 Cy@9"),
    using("Starbolts", "with a star shoots harder", "", "Ro@5(d2,f1)", 5, "1*", a="St@4 Ra@0", b="Ro@5 Cy@9"),
    using("Crushing Hug", "pulls a piece and burns it", "? Ro decline; A VICTIM Ro", "Ro@4(f1) -ATTACK", 2, a="St@4 Ra@2",
          b="Ro@5 Cy@9"),
    using("Crushing Hug", "pulls nobody where it can't, and burns an opponent in the same place", "", "Ro@4(f1) Cy@5", 2,
          a="St@4 Ra@0", b="Ro@4 Cy@5"),
    using("Crushing Hug", "with a 3 hits", "", "Ro@4(d2,f1)", 3, a="St@4 Ra@0", b="Ro@4 Cy@9"),
    using("Crushing Hug", "with a star pushes", "? Ro decline; A VICTIM Ro; A DEST 8", "Ro@8(d1,f1)", 3, "1*", a="St@4 Ra@0",
          b="Ro@4 Cy@9"),
]

CARDS = [
    card("M01", "rolls the Mayhem die again", "A WINDOW M01", "+ROLL_MAYHEM", step="start_cards", hands=("M01", "")),
    card("M02", "rolls dice again, as many as one likes", "A WINDOW M02; ? 1 2 3; A DICE_MASK 2", "A.dice=1,5 +DIE_CHANGE",
         step="start_cards", hands=("M02", "")),
    card("M03", "turns a die to 6", "A WINDOW M03; ? 0 1; A DIE 0", "A.dice=6,5", step="start_cards", dice_a=(2, 5),
         hands=("M03", "")),
    card("M03", "also a 5", "A WINDOW M03", "A.dice=6,6", step="start_cards", dice_a=(5, 6), hands=("M03", "")),
    card("M03", "not where both show 6", "? pass M01; A WINDOW pass", "A.dice=6,6", step="start_cards", dice_a=(6, 6),
         hands=("M01 M03", "")),
    card("M04", "raises attacks of the team",
         "A WINDOW M04; A PIECE Cy; A DIE_SLOT 0/1; A MOVE stay; A ABILITY use", "Ro@5(d3)", a="Cy@4 Ra@0",
         b="Ro@5 St@9", step="start_cards", hands=("M04", "")),
    card("M04", "raises traps of the team",
         "A WINDOW M04; A PIECE Ra; A DIE_SLOT 0/0; A MOVE stay; A ABILITY end; B PIECE Ro; B DIE_SLOT 0/0; B MOVE 5",
         "Ro@5(d3)", a="Cy@4 Ra@0", b="Ro@6 St@9", step="start_cards", hands=("M04", ""), traps="A:5=2"),
    card("M05", "places two obstacles anywhere",
         "A WINDOW M05; ? new decline; A OBST_SRC new; A OBST_EDGE e18; ? new e18 decline; A OBST_SRC new; A OBST_EDGE e0",
         "obstacles=e0,e18", step="start_cards", hands=("M05", "")),
    card("M05", "not where no obstacle can go", "? pass M04", "", a="Ra@0", b="Ro@1", c="St@1 Cy@0", step="start_cards",
         hands=("M04 M05", "", ""), **TWO_PLACES),
    card("M06", "heals two of each own piece", "A WINDOW M06", "Cy@0(d1) Ra@7 Ro@2(d2)", a="Cy@0(d3) Ra@7(d2)", b="Ro@2(d2) St@9",
         step="start_cards", hands=("M06", "")),
    card("M06", "not where none of them has damage", "? pass M04", "", a="Cy@0 Ra@7", b="Ro@2(d2) St@9", step="start_cards",
         hands=("M04 M06", "")),
    card("M06", "not where the team can't be healed", "? pass M04", "", a="Cy@0(d3) Ra@7", step="start_cards",
         hands=("M04 M06", ""), go=("G11", "G12"), clues="3 4 6"),
    own("M07", "heals three for the free move", "A MOVE M07; ? end use innate", "Cy@4(d1)", a="Cy@4(d4) Ra@0", active="Cy"),
    own("M07", "not without damage", "? stay 0 1 3 5 7 8 M08", "", a="Cy@4 Ra@0", active="Cy", hand="M07 M08"),
    own("M07", "not when locked, where there is no free move to give up", "? stay M08", "", a="Cy@4(d4,L) Ra@0", active="Cy",
        hand="M07 M08"),
    own("M07", "not after the free move", "A MOVE stay; ? end use innate M08", "", a="Cy@4(d4) Ra@0", active="Cy", hand="M07 M08"),
    own("M07", "not where the team can't be healed", "? stay 0 1 3 5 7 8 M08", "", a="Cy@4(d4) Ra@0", active="Cy", hand="M07 M08",
        go=("G11", "G12"), clues="3 6", clues_of=(1, 0)),
    own("M08", "goes through obstacles and over traps", "A MOVE M08; A MOVE 5", "Cy@5 B.traps=5:2", a="Cy@4 Ra@0", active="Cy",
        obstacles="e9", traps="B:5=2"),
    own("M08", "not twice in a round", "? stay 0 1 3 5 7 8 M09", "", a="Cy@4(G) Ra@0", active="Cy", hand="M08 M09"),
    own("M09", "goes anywhere and makes ready to escape", "A MOVE M09; ? 0 1 2 3 5 6 7 8 9 decline; A DEST 6", "Cy@6(E)",
        a="Cy@4 Ra@0", active="Cy"),
    card("M09", "not where all slots are taken", "? stay M08", "", a="Ra@0", b="Ro@1", c="St@1 Cy@0", step="move", active="Ra",
         hands=("M08 M09", "", ""), **TWO_PLACES),
    own("M10", "sets two traps that stun",
        "A MOVE M10; ? 0 1 3 4 7 8 5; A TRAP_PLACE 5; A MOVE stay; A ABILITY end; B DIE_SLOT 0/0; B MOVE 5",
        "Ro@5(d2) A.traps=- +TURN_END asked=A_DIE_SLOT", a="Cy@4 Ra@0", b="Ro@6 St@9(a1)", active="Cy"),
    own("M10", "not without a token", "? stay 0 1 3 5 7 8 M08", "", a="Cy@4 Ra@0", active="Cy", hand="M08 M10", traps="A:6=8"),
    own("M11", "moves twice besides the free move",
        "A MOVE M11; ? 0 1 3 5 7 8 decline; A DEST 5; ? 1 2 4 6 8 9 decline; A DEST 6; A MOVE 9",
        "Cy@9", a="Cy@4 Ra@0", b="Ro@2 St@3", active="Cy"),
    own("M11", "not when locked", "? stay M08", "", a="Cy@4(L) Ra@0", active="Cy", hand="M08 M11"),
    own("M12", "uses the special tier with any die", "A MOVE M12; A MOVE stay; A ABILITY use", "Cy@4(d4)", a="Ro@4 Ra@0",
        b="Cy@4 St@9", active="Ro", placed=0),
    own("M12", "not after the ability", "A MOVE stay; A ABILITY use; ? end M08", "", a="Ro@4 Ra@0", b="Cy@4 St@9", active="Ro",
        hand="M08 M12"),
    own("M13", "brings the mate", "A MOVE M13", "Ra@4 Cy@4", a="Cy@4 Ra@0", active="Cy"),
    own("M13", "not one that is there", "? stay 0 1 3 5 7 8 M08", "", a="Cy@4 Ra@4", active="Cy", hand="M08 M13"),
    own("M14", "makes the next attack stronger", "A MOVE M14; A MOVE stay; A ABILITY use", "Cy@4(d4)", a="Ro@4 Ra@0",
        b="Cy@4 St@9", active="Ro", placed=0),
    own("M14", "not after the ability", "A MOVE stay; A ABILITY use; ? end M08", "", a="Ro@4 Ra@0", b="Cy@4 St@9", active="Ro",
        hand="M08 M14"),
    against("M15", "stuns the active piece", "A WINDOW M15", "Ro@5(*)", a="Cy@4 Ra@0", b="Ro@5 St@9", active="Ro"),
    against("M15", "not far from the own pieces", "? pass M16", "", a="Cy@3 Ra@0", b="Ro@5 St@9", active="Ro", hand="M15 M16"),
    against("M15", "not one that is stunned", "? pass M16", "", a="Cy@4 Ra@0", b="Ro@5(*) St@9", active="Ro", hand="M15 M16"),
    against("M15", "not without a token", "? pass M16", "", a="Cy@4 Ra@0", b="Ro@5 St@9", active="Ro", hand="M15 M16",
            traps="A:6=8"),
    against("M16", "nails the active piece down", "A WINDOW M16", "asked=B_ABILITY", a="Cy@4 Ra@0", b="Ro@5 St@9", active="Ro"),
    against("M16", "not one that is locked", "? pass M15", "", a="Cy@4 Ra@0", b="Ro@5(L) St@9", active="Ro", hand="M15 M16"),
    against("M17", "takes the special tier away", "A WINDOW M17; B MOVE stay; B ABILITY use", "Cy@5(d2)", a="Cy@5 Ra@0",
            b="Ro@5 St@9",
            active="Ro", placed=1),
    Example("M17", "not once the ability has begun", "B ABILITY use; B DEST 6; ? pass M15", "",
            {"a": "Cy@2 Ra@0", "b": "Ro@5 St@9", "turn": 1, "step": "ability", "active": "Ro", "slot": 1,
             "hands": ("M15 M17", "")}),
    attack("M18", "takes a shield and hurts who hits", "A WINDOW M18", "Cy@5 Ro@5(d1)", a="Cy@5 Ra@0", b="Ro@5 St@9",
           active="Ro", dice_b=(3, 3)),
    attack("M18", "does not hurt who shoots", "A WINDOW M18; B OBST_SRC decline", "Ro@5(d1) Ra@4", a="Ro@5 Cy@6",
           b="Ra@4 St@9", active="Ra"),
    attack("M19", "must move away", "A WINDOW M19; ? 1 2 4 6 8 9; A DEST 6", "Cy@6 +ATTACK_FAILED", a="Cy@5 Ra@0", b="Ro@5 St@9",
           active="Ro"),
    attack("M19", "not when locked", "? pass M18", "", a="Cy@5(L) Ra@0", b="Ro@5 St@9", active="Ro", hand="M18 M19"),
    enters("M20", "hands over all fire", "B MOVE 5; A WINDOW M20", "Ro@5(f2) Cy@5", a="Cy@5(f2) Ra@0", b="Ro@2 St@9", active="Ro"),
    enters("M20", "or sets fire", "B MOVE 5; A WINDOW M20", "Ro@5(f1) Cy@5", a="Cy@5 Ra@0", b="Ro@2 St@9", active="Ro"),
    enters("M21", "moves the mover on, where A wants", "B MOVE 5; A WINDOW M21; ? 1 2 4 8 9; A DEST 9", "Ro@9",
           a="Cy@6 Ra@6", b="Ro@2 St@0", active="Ro"),
    enters("M21", "not far from the own pieces", "B MOVE 5; ? pass M16", "", a="Cy@3 Ra@0", b="Ro@2 St@9", active="Ro",
           hand="M16 M21"),
    enters("M21", "not one that can go nowhere", "B MOVE 0; ? pass M16", "", a="Cy@4 Ra@4", b="Ro@1(G) St@9", active="Ro",
           hand="M16 M21", obstacles="e0 e2"),
    attack("M22", "burns the attacker", "A WINDOW pass; A WINDOW M22", "Ro@5(f2) Cy@-(K)", a="Cy@5(d8) Ra@0", b="Ro@5 St@9",
           active="Ro"),
]

MISSIONS = [
    reveal("G01", "puts the pizza down, and B may block a border", "? new decline; B OBST_SRC new; B OBST_EDGE e18",
           "pizza=3 obstacles=e18"),
    mission("G01", "is done when the pizza has been fetched and brought", "A MOVE 3; A ABILITY end; B PIECE Ro; B DIE_SLOT 0/0; "
            "B MOVE stay; B ABILITY end; A DIE_SLOT 0/0; A MOVE stay; A ABILITY end", "Cy@3(P) A.vp=0 pizza=-", active="Cy",
            pizza=3),
    mission("G01", "is done at the goal", "A MOVE 1; B GO_PIECE Ro", "A.vp=1 A.go=G06 Cy@1", a="Cy@4(P) Ra@0", active="Cy"),
    reveal("G02", "brings a monster, and B may set a trap there", "? 8 decline; B TRAP_PLACE 8", "A.monster=8:0 B.traps=8:1"),
    mission("G02", "stands four damage", "A MOVE stay; A ABILITY use", "A.monster=8:4 A.vp=0", a="Ro@8 Ra@0", b="Cy@2 St@9",
            active="Ro", monsters="A@8(d0)"),
    mission("G02", "is done with five", "A MOVE stay; A ABILITY use; B GO_PIECE Cy", "A.vp=1 A.go=G06 A.monster=-", a="Ro@8 Ra@0",
            b="Cy@2 St@9", active="Ro", monsters="A@8(d1)"),
    reveal("G03", "brings a monster that burns A's pieces nearby", "", "A.monster=5:0 Cy@5(f1) Ra@4(f1) Ro@6 St@9", a="Cy@5 Ra@4",
           b="Ro@6 St@9", round_=1),
    reveal("G03", "but none that are far or behind an obstacle", "", "A.monster=5:0 Cy@4 Ra@7", a="Cy@4 Ra@7", b="Ro@6 St@9",
           obstacles="e9"),
    mission("G03", "stands five damage", "A MOVE stay; A ABILITY use", "A.monster=5:5 A.vp=0", a="Ro@5 Ra@0", b="Cy@2 St@9",
            active="Ro", monsters="A@5(d1)"),
    mission("G03", "is done with six", "A MOVE stay; A ABILITY use; B GO_PIECE Cy", "A.vp=1", a="Ro@5 Ra@0", b="Cy@2 St@9",
            active="Ro", monsters="A@5(d2)"),
    reveal("G04", "brings a monster where B wants, not to A's pieces", "? 1 3 5 6 8; B GO_PLACE 8", "A.monster=8:0", a="Cy@4 Ra@0",
           b="Ro@5 St@9"),
    mission("G04", "stands three damage", "A MOVE stay; A ABILITY use", "A.monster=5:3 A.vp=0", a="Ro@5 Ra@0", b="Cy@2 St@9",
            active="Ro", placed=0, monsters="A@5(d1)"),
    mission("G04", "is done with four", "A MOVE stay; A ABILITY use; B GO_PIECE Cy", "A.vp=1", a="Ro@5 Ra@0", b="Cy@2 St@9",
            active="Ro", placed=0, monsters="A@5(d2)"),
    reveal("G05", "lets B block a border of the Tower Lounge", "? new decline; B OBST_SRC new; ? e0 e1 e4 e5; B OBST_EDGE e1",
           "obstacles=e1"),
    mission("G05", "is done when both are there", "A MOVE 1; B GO_PIECE Ro", "A.vp=1", a="Cy@4 Ra@1", active="Cy"),
    mission("G05", "not elsewhere", "A MOVE 5", "A.vp=0", a="Cy@4 Ra@5", active="Cy"),
    reveal("G06", "gives a shield to a piece B chooses", "? Ro St; B GO_PIECE St", "St@9(S) Ro@2"),
    mission("G06", "is done by an ability in the Arcade", "A MOVE stay; A ABILITY use", "A.vp=1", a="Cy@4 Ra@0", active="Cy"),
    mission("G06", "not elsewhere", "A MOVE stay; A ABILITY use", "A.vp=0", a="Cy@5 Ra@0", active="Cy"),
    reveal("G07", "heals B's pieces", "", "Ro@2(d1) St@9 Cy@0(d2)", a="Cy@0(d2) Ra@7", b="Ro@2(d3) St@9(d2)"),
    card("G07", "is done when a star is rolled", "B WINDOW M01; B GO_PIECE Ro", "A.vp=1", step="start_cards", go=("G07", "G12"),
         go_deck="G06", hands=("", "M01"), seed=2),
    reveal("G08", "lets B set a trap on a base of its own", "? 2 9 decline; B TRAP_PLACE 9", "B.traps=9:1", b="Ro@4 St@5"),
    mission("G08", "is done when a piece is on each of B's bases", "A MOVE 9; B GO_PIECE Ro", "A.vp=1", a="Cy@8 Ra@2",
            b="Ro@3 St@5",
            active="Cy"),
    mission("G08", "one is not enough", "A MOVE 9", "A.vp=0", a="Cy@8 Ra@4", b="Ro@3 St@5", active="Cy"),
    reveal("G09", "brings two gifts and makes a piece of B's choice ready to escape", "? Ro St; B GO_PIECE Ro",
           "A.gifts=2 Ro@2(E) St@9"),
    mission("G09", "leaves a gift at the Junkyard", "A MOVE 8", "A.gifts=1 A.delivered=GEAR", a="Cy@4 Ra@0", active="Cy",
            gifts=(2, 0)),
    mission("G09", "is done with the one at the Museum", "A MOVE 6; B GO_PIECE Ro", "A.vp=1", a="Cy@5 Ra@0", active="Cy",
            gifts=(1, 0), delivered=("GEAR", "")),
    reveal("G10", "brings two gifts and stuns a piece of A's choice", "? Cy Ra; A GO_PIECE Ra", "A.gifts=2 Ra@7(*) Cy@0"),
    reveal("G10", "but not one that is stunned", "", "A.gifts=2 Ra@7(*) Cy@0(*)", a="Cy@0 Ra@7(*)"),
    mission("G10", "leaves a gift at the Arcade", "A MOVE 4", "A.gifts=1 A.delivered=JOY", a="Cy@8 Ra@0", active="Cy",
            gifts=(2, 0)),
    mission("G10", "is done with the one at the Docks", "A MOVE 5; B GO_PIECE Ro", "A.vp=1", a="Cy@4 Ra@0", active="Cy",
            gifts=(1, 0), delivered=("JOY", "")),
    reveal("G11", "puts down three clues", "", "clues=3,4,6"),
    Example("G11", "nobody of A can be healed meanwhile", "? end use", "",
            {"a": "Cy@4(d3) Ra@0", "step": "ability", "active": "Cy", "go": ("G11", "G12"), "clues": "3 6", "clues_of": (1, 0)}),
    mission("G11", "is done with the last clue", "A MOVE 3; B GO_PIECE Ro", "A.vp=1", active="Cy", clues="3", clues_of=(2, 0)),
    reveal("G12", "gives both of B's pieces a shield", "", "Ro@2(S) St@9(S) Cy@0", clues="3 4 6"),
    mission("G12", "is done by a KO, which pays as well", "A MOVE stay; A ABILITY use", "A.vp=2 A.go=G07", a="Ro@4 Ra@0",
            b="Cy@4(d8) St@9", active="Ro"),
]

EXAMPLES: list[Example] = [*CHARACTERS, *USES, *CARDS, *MISSIONS]
