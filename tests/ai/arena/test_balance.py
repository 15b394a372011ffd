"""The balance of a game: who meets whom, the numbers and verdicts of made-up results, what can't be measured."""
from __future__ import annotations

import itertools
from typing import Any

import pytest

from seatmate.ai.arena import BalanceResult, TournamentError, TournamentSpec, run_balance
from seatmate.ai.arena.balance import summarise_balance, verdict
from seatmate.ai.arena.deal import Deal
from seatmate.ai.arena.pool import DealPlayer
from seatmate.engine.core.errors import SettingsError

PAIRS = (("cyborg+raven", "robin+starfire"), ("cyborg+robin", "raven+starfire"), ("cyborg+starfire", "raven+robin"))


def spec_of(bot: str = "random") -> TournamentSpec:
    return TournamentSpec.create("titans", seats=2, bots=[bot], seed=3, balance=True)


def made_up(win: Any, deals: int = 8) -> BalanceResult:
    """The balance if seat 0 wins where win(its value, the other's, who begins, deal) says so."""
    spec = spec_of()
    played = [Deal([1.0, 0.0] if win(*side, first, deal) else [0.0, 1.0]
                   for side, first in zip(spec.sides, spec.firsts, strict=True)) for deal in range(deals)]
    return summarise_balance(spec, played)


def test_all_that_may_meet_meets_in_both_seats_with_either_seat_beginning() -> None:
    spec = spec_of()
    sides = [*PAIRS, *(pair[::-1] for pair in PAIRS)]
    assert sorted(zip(spec.sides, spec.firsts, strict=True)) == sorted(itertools.product(sides, "01"))
    assert set(spec.lineups) == {(0, 0)}
    for number, (side, first) in enumerate(zip(spec.sides, spec.firsts, strict=True)):
        options = spec.game_of(number).settings.options
        assert ((options["team0"], options["team1"]), options["initiative"]) == (side, first)
    assert TournamentSpec.from_json(spec.to_json()) == spec


def test_who_begins_wins() -> None:
    result = made_up(lambda a, b, first, deal: first == "0", deals=3)
    assert result.first.win_rate == 1 and result.first.verdict == "open" and result.first.games == 3 * 12
    assert made_up(lambda a, b, first, deal: first == "0", deals=60).first.verdict == "missed"
    assert all(rate.win_rate == 0.5 for rate in result.values.values())     # which is nobody's merit
    assert all(match.win_rate == 0.5 and match.seat_rates == (0.5, 0.5) for match in result.matches)


def test_one_pair_wins_always() -> None:
    result = made_up(lambda a, b, first, deal: a == "cyborg+raven" or (b != "cyborg+raven" and deal % 2 == int(first)), deals=40)
    rates = {value: (rate.win_rate, rate.verdict, rate.games) for value, rate in result.values.items()}
    assert rates["cyborg+raven"] == (1, "missed", 160) and rates["robin+starfire"] == (0, "missed", 160)
    assert rates["cyborg+robin"] == (0.5, "met", 160)
    match = result.matches[0]
    assert (match.a, match.b, match.win_rate, match.seat_rates, match.games) == (*PAIRS[0], 1, (1, 1), 160)
    assert result.first.win_rate == pytest.approx(0.5)
    assert result.to_json()["values"]["cyborg+raven"]["bar"] == (0.4, 0.6)


def test_a_seat_that_wins_is_nobodys_merit() -> None:
    result = made_up(lambda a, b, first, deal: True)
    assert all(rate.win_rate == 0.5 for rate in (*result.values.values(), result.first))
    assert all(match.seat_rates == (1, 0) for match in result.matches)


@pytest.mark.parametrize(("mean", "half", "says"), [
    (0.5, 0.1, "met"), (0.5, 0.11, "open"), (0.55, 0.06, "open"), (0.62, 0.03, "open"), (0.65, 0.04, "missed"),
    (0.3, 0.09, "missed"),
])
def test_a_verdict_needs_the_whole_interval(mean: float, half: float, says: str) -> None:
    assert verdict(mean, half, (0.4, 0.6)) == says


def test_the_rates_are_those_of_the_games() -> None:
    result = run_balance("titans", bot="random", deals=3, seed=3, workers=1)
    spec, player = spec_of(), DealPlayer(spec_of())
    played = [player.play(deal) for deal in range(3)]
    for value, rate in result.values.items():
        won = [deal[number][side.index(value)] for deal in played for number, side in enumerate(spec.sides) if value in side]
        assert rate.win_rate == pytest.approx(sum(won) / len(won)) and rate.games == len(won)
    began = [deal[number][int(first)] for deal in played for number, first in enumerate(spec.firsts)]
    assert result.first.win_rate == pytest.approx(sum(began) / len(began))


@pytest.mark.parametrize(("wishes", "words"), [
    ({"game_id": "kuhn"}, "kuhn does not say"),
    ({"mode": "comp"}, "this mode"),
    ({"deals": 1}, "too few"),
    ({"options": {"initiative": "1"}}, "initiative is varied.*cannot be set"),
    ({"options": {"team0": "robin+raven", "team1": "cyborg+starfire"}}, "team0 is varied.*cannot be set"),
])
def test_what_has_no_balance(wishes: dict[str, Any], words: str) -> None:
    with pytest.raises(TournamentError, match=words):
        run_balance(**{"game_id": "titans", "bot": "random", "deals": 2, "seed": 1, **wishes})


def test_bad_settings_are_refused_before_anything_is_played() -> None:
    with pytest.raises(SettingsError, match="flame_every_turn"):
        run_balance("titans", bot="random", deals=2, seed=1, options={"flame_every_turn": True})
    with pytest.raises(TournamentError, match="one bot"):
        TournamentSpec.create("titans", seats=2, bots=["random", "heuristic"], seed=1, balance=True)


def test_a_stored_spec_that_does_not_fit_is_refused() -> None:
    older = TournamentSpec.create("kuhn", seats=2, bots=["random", "heuristic"], seed=1)
    data = older.to_json()
    del data["first"], data["firsts"]
    assert TournamentSpec.from_json(data) == older
    broken = spec_of().to_json()
    broken["firsts"] = broken["firsts"][1:]
    with pytest.raises(ValueError, match="who begins"):
        TournamentSpec.from_json(broken)
