"""Every character and every mission: what it does in a real position, and what it does not do."""
from __future__ import annotations

from collections import Counter

import pytest

import cards_leaf
import cards_others
import cards_rare
from mythos_table import Case, a_game

CASES: list[Case] = [*cards_leaf.CASES, *cards_others.CASES, *cards_rare.CASES]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.card}-{case.what.replace(' ', '_')}")
def test_card(case: Case) -> None:
    case.check()


def test_every_card_has_its_examples() -> None:
    """All 148 characters and 10 missions: one example at least of what it does, and one of what it does not do."""
    pack = a_game().pack
    ids = [card.id.removeprefix("KS-") for card in pack.character] + [mission.id for mission in pack.mission]
    assert len(ids) == 158
    for acts in (True, False):
        shown = Counter(case.card for case in CASES if case.acts is acts)
        assert set(shown) <= set(ids)
        assert not [card for card in ids if card not in shown], "cards without an example"
    names = Counter((case.card, case.what) for case in CASES)
    assert max(names.values()) == 1, "two examples with one name"
