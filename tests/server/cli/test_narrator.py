"""Sentences that belong together share a line."""
from __future__ import annotations

import pytest

from seatmate.server.cli.narrator import Narrator


@pytest.mark.parametrize(("sentences", "lines"), [
    ([], []),
    (["Seat 1 bets."], ["Seat 1 bets."]),
    (["Seat 1 moves to the Crypt.", "Seat 1 draws a card."], ["Seat 1 moves to the Crypt · draws a card"]),
    (["Seat 1 passes.", "Seat 2 passes.", "Seat 1 bets."], ["Seat 1 passes.", "Seat 2 passes.", "Seat 1 bets."]),
    (["You draw Bat 2.", "You discard Bee 1.", "Your hand: Bat 2."],
     ["You draw Bat 2 · discard Bee 1", "Your hand: Bat 2."]),
    (["Revealed: Eye 4.", "Revealed: Bat 1.", "5 points."], ["Revealed: Eye 4, Bat 1", "5 points."]),
    (["Seat 1 wins. Hurray.", "Seat 1 wins. Again."], ["Seat 1 wins. Hurray.", "Seat 1 wins. Again."]),
    (["Bot 1 rams.", "Bot 1 spins.", "The Bison Truck turns.", "The Bison Truck eats.", "The ghost draws.", "The ghost waits."],
     ["Bot 1 rams · spins", "The Bison Truck turns · eats", "The ghost draws · waits"]),
    (["The die shows 1.", "The die shows 2.", "The Bison Truck: 3 hearts."],
     ["The die shows 1.", "The die shows 2.", "The Bison Truck: 3 hearts."]),
    (["Round 2.", "Round 2."], ["Round 2.", "Round 2."]),
    (["Seat 1", "Seat 1"], ["Seat 1", "Seat 1"]),
])
def test_what_is_joined(sentences: list[str], lines: list[str]) -> None:
    shown: list[str] = []
    narrator = Narrator(shown.append)
    for sentence in sentences:
        narrator.tell(sentence)
    narrator.flush()
    narrator.flush()
    assert shown == lines


def test_a_line_waits_for_its_end() -> None:
    shown: list[str] = []
    narrator = Narrator(shown.append)
    narrator.tell("Seat 1 bets.")
    assert shown == []
    narrator.tell("Seat 2 passes.")
    assert shown == ["Seat 1 bets."]
