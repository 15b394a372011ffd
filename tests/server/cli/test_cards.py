"""`seatmate cards`."""
from __future__ import annotations

from .conftest import CommandLine

LINE = ("cards", "mythos", "--games", "20", "--seed", "1")


def test_cards_are_shown_by_event_and_those_of_few_seats_are_left_out(seatmate: CommandLine) -> None:
    result = seatmate(*LINE, "--least", "10", "--json").json()
    assert result["bot"] == "heuristic" and result["seats"] == 2 and all(row["seats"] >= 10 for row in result["cards"])
    assert {"DRAW_CARDS", "PLAYED"} <= {row["event"] for row in result["cards"]}
    assert len(seatmate(*LINE, "--least", "1", "--json").json()["cards"]) > len(result["cards"])
    shown = seatmate(*LINE, "--least", "10")
    assert shown.code == 0 and shown.stderr == "" and "an equal share is 50.0%" in shown.stdout
    assert all(row["card"] in shown.stdout for row in result["cards"])


def test_games_without_cards_are_refused(seatmate: CommandLine) -> None:
    seatmate("cards", "connect_four").refused(2, "connect_four has no cards of single seats")
