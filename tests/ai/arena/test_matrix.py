"""Matrices of a varied option: who plays what, the numbers, resumption, workers."""
from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from seatmate.ai.arena import MatrixResult, ResultsError, TournamentError, TournamentSpec, run_matrix, run_tournament
from seatmate.ai.arena.deal import Deal
from seatmate.ai.arena.matrix import summarise_matrix
from seatmate.ai.arena.pool import DealPlayer
from seatmate.engine.core.errors import SettingsError

DECKS = ("leaf", "sand", "sound")


def spec_of(bots: list[str], values: tuple[str, ...] = DECKS) -> TournamentSpec:
    return TournamentSpec.create("mythos", seats=2, bots=bots, seed=3, varied="deck", values=values)


def matrix(**more: Any) -> MatrixResult:
    wishes: dict[str, Any] = {"varied": "deck", "values": DECKS, "bots": ["random"], "deals": 4, "seed": 3, "workers": 1}
    return run_matrix("mythos", **{**wishes, **more})


def test_every_pair_of_values_is_played_in_both_seats_and_against_itself() -> None:
    one = spec_of(["random"])
    assert sorted(one.sides) == sorted(itertools.product(DECKS, repeat=2)) and set(one.lineups) == {(0, 0)}
    two = spec_of(["random", "heuristic"])
    assert sorted(zip(two.sides, two.lineups, strict=True)) == sorted(
        (side, lineup) for side in itertools.product(DECKS, repeat=2) for lineup in ((0, 1), (1, 0)))
    for number, side in enumerate(one.sides):
        options = one.game_of(number).settings.options
        assert (options["deck0"], options["deck1"]) == side


def test_the_numbers_of_a_made_up_tournament() -> None:
    """leaf always beats sand; in a mirror match seat 0 wins three deals of four."""
    spec = spec_of(["random"], ("leaf", "sand"))
    deals = []
    for deal in range(4):
        games = []
        for side in spec.sides:
            first = side == ("leaf", "sand") or (side[0] == side[1] and deal > 0)
            games.append([1.0, 0.0] if first else [0.0, 1.0])
        deals.append(Deal(games))
    result = summarise_matrix(spec, deals)
    assert result.cell("leaf", "sand").win_rate == 1 and result.cell("sand", "leaf").win_rate == 0
    assert result.cell("leaf", "sand").ci95 > 0.4       # four deals without an exception say little
    for deck in ("leaf", "sand"):
        mirror = result.cell(deck, deck)
        assert (mirror.win_rate, mirror.seat_rates, mirror.games) == (0.75, (0.75, 0.25), 4)
    assert [(total.value, total.win_rate, total.games) for total in result.totals] == [("leaf", 1, 8), ("sand", 0, 8)]
    with pytest.raises(KeyError):
        result.cell("leaf", "rogue")


def test_two_bots_the_first_has_the_row() -> None:
    """The first bot always wins, wherever it sits and whatever it plays."""
    spec = spec_of(["random", "heuristic"], ("leaf", "sand"))
    deals = [Deal([1.0, 0.0] if lineup == (0, 1) else [0.0, 1.0] for lineup in spec.lineups)] * 3
    result = summarise_matrix(spec, deals)
    assert all(cell.win_rate == 1 and cell.seat_rates == (1, 1) and cell.games == 6 for cell in result.cells)


def test_the_cells_are_those_of_the_games() -> None:
    result = matrix()
    player = DealPlayer(spec_of(["random"]))
    played = [player.play(deal) for deal in range(4)]
    for row, column in itertools.permutations(DECKS, 2):
        first, second = (player.spec.sides.index(side) for side in ((row, column), (column, row)))
        wins = [(deal[first][0] + deal[second][1]) / 2 for deal in played]
        assert result.cell(row, column).win_rate == pytest.approx(sum(wins) / 4)
        assert result.cell(row, column).win_rate == pytest.approx(1 - result.cell(column, row).win_rate)
    assert result.games == 4 * 9 and result.to_json()["values"] == DECKS


def test_workers_and_interruptions_change_nothing(tmp_path: Path) -> None:
    whole = matrix()
    assert matrix(workers=2) == whole
    file = tmp_path / "m.jsonl"
    matrix(deals=2, results=file)
    assert matrix(results=file) == whole
    with pytest.raises(ResultsError, match="another tournament"):
        matrix(results=file, values=("leaf", "rogue", "sound"))
    with pytest.raises(ResultsError, match="another tournament"):
        run_tournament("mythos", seats=2, bots=["random", "heuristic"], deals=4, seed=3, results=file, workers=1)


def test_searches_take_turns_with_the_memory() -> None:
    """A search bot is made anew for each game of a deal; the games are those of bots that are kept."""
    spec = TournamentSpec.create("mythos", seats=2, bots=["search:iterations=2"], seed=1, varied="deck", values=("leaf", "sand"))
    player = DealPlayer(spec)
    assert player.play(0) == player.play(0) == DealPlayer(spec).play(0)


@pytest.mark.parametrize(("wishes", "words"), [
    ({"bots": ["random", "heuristic", "search:iterations=1"]}, "not 3"),
    ({"values": ()}, "at least one"),
    ({"values": ("leaf", "leaf")}, "different"),
    ({"varied": "hat"}, "no option 'hat0'"),
    ({"deals": 1}, "too few"),
    ({"workers": 0}, "at least 1"),
])
def test_wrong_wishes(wishes: dict[str, Any], words: str) -> None:
    with pytest.raises(TournamentError, match=words):
        matrix(**wishes)


def test_a_value_that_is_none_is_refused_before_anything_is_played() -> None:
    with pytest.raises(SettingsError, match="leef"):
        matrix(values=("leaf", "leef"))


def test_a_spec_of_an_older_file_has_nothing_varied() -> None:
    spec = TournamentSpec.create("kuhn", seats=2, bots=["random", "heuristic"], seed=1)
    data = spec.to_json()
    del data["varied"], data["sides"]
    assert TournamentSpec.from_json(data) == spec
    broken = spec_of(["random"]).to_json()
    broken["sides"] = broken["sides"][1:]
    with pytest.raises(ValueError, match="sides"):
        TournamentSpec.from_json(broken)
