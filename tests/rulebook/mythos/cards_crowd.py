"""On a crowded table: exactly whom an effect may be used on. All sides, faces, places, costs and powers are there."""
from __future__ import annotations

from mythos_table import Case, does

A = "013 h:019 017+1{} | 025+1 072 h:028"
B = "009 086+1 h:094 102 | 016 h:101 030+1 129 101"


def crowd(card: str, targets: str, *, on: str = "", reveal: bool = False, before: str = "", may_decline: bool = True) -> Case:
    """The targets an effect of the card offers when it is played, laid on a card that stands there, or revealed."""
    unit = f" {on}" if on and f" {on}" not in f" {A}" else f" h:{card}" if reveal else ""
    how = f"reveal h:{card}" if reveal else f"play {card} 0" + (f" on {on}" if on else "")
    asked = f"{how}; {before}? TARGET {targets}{' no' if may_decline else ''}"
    return does(card, f"nobody else in a crowd, {'revealed' if reveal else f'on {on}' if on else 'played'}", asked,
                "B0=009,086+1,102,h:094 B1=016,030+1,101,129,h:101 A1=025+1,072,h:028", ends="A.TARGET", a=A.format(unit), b=B,
                hand_a="" if reveal else card, missions=3, chakra=30)


CASES: list[Case] = [
    crowd("001", "A013 A017 A025"),
    crowd("008", "B009 B086 B102", on="007", before="PLAYCARD no; "),
    crowd("020", "B009 Bh:094"),
    crowd("020", "B009 B086 Bh:094 B102", on="019"),
    crowd("023", "A017"),
    crowd("026", "B009"),
    crowd("029", "B009", on="026"),
    crowd("030", "B086 B030"),
    crowd("035", "Bh:094", on="034"),
    crowd("036", "B086 B030"),
    crowd("037", "B086", on="036"),
    crowd("041", "Ah:019 Bh:094"),
    crowd("041", "A013 A017 A025 B009 B016 B030", on="040", before="TARGET no; "),
    crowd("045", "Bh:094 Bh:101", reveal=True),
    crowd("047", "B009"),
    crowd("050", "Bh:094", reveal=True),
    crowd("051", "Bh:094 Bh:101", on="050"),
    crowd("060", "A013 Ah:019 A017 A060 B009 B086 Bh:094 B102"),
    crowd("060", "Bh:094 Bh:101 B101", reveal=True, before="TARGET no; "),
    crowd("065", "A072", reveal=True),
    crowd("068", "Ah:019 Ah:028 Bh:094 Bh:101"),
    crowd("068", "Ah:019 Ah:028 Bh:094 Bh:101", reveal=True, before="TARGET no; "),
    crowd("069", "Bh:094 Bh:101"),
    crowd("078", "A013 Ah:019 A017 A078 A025 A072 Ah:028 B009 Bh:094 B016 Bh:101 B030 B101", reveal=True),
    crowd("082", "Bh:094", on="081"),
    crowd("092", "B086", reveal=True),
    crowd("093", "B086 B030"),
    crowd("093", "B086 B030", on="092"),
    crowd("102", "B102", reveal=True),
    crowd("105", "B009 B086 Bh:094 B102", on="007", before="PLAYCARD no; "),
    crowd("108", "B009"),
    crowd("110", "B009"),
    crowd("111", "B009", on="022"),
    crowd("114", "A013 Ah:019 A017 A025 A072 Ah:028 B009 B086 Bh:094 B102 B016 Bh:101 B030 B129 B101", before="MAY yes; ",
          may_decline=False),
    crowd("115", "A025 A072 Ah:028", reveal=True),
    crowd("118", "Ah:019 Bh:094", reveal=True),
    crowd("119", "B009 Bh:094"),
    crowd("120", "Bh:094"),
    crowd("121", "A013 Ah:019 A017 A025 A072 Ah:028"),
    crowd("122", "Bh:094", on="058", before="MAY no; "),
    crowd("124", "Bh:101 B030 B101", reveal=True),
    crowd("127", "B009 B102", reveal=True),
    crowd("128", "A013 Ah:019 A017 A025 A072 Ah:028", on="091"),
    crowd("133", "B009 B102"),
    crowd("133", "B009 Bh:094 B102", on="009"),
    crowd("136", "B009 B086 Bh:094 B102", on="013", may_decline=False),
    crowd("139", "Bh:094 Bh:101 B101"),
    crowd("143", "A025 A072 Ah:028"),
    crowd("143", "B016 Bh:101 B030 B129 B101", reveal=True, before="TARGET no; "),
]
