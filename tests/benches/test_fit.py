"""The fit of evaluations: known weights are found again, and declared terms are what `evaluate` weighs, in every game."""
from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import fit
from seatmate.ai.bots import make_bot
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.registry import list_games, new_game
from seatmate.engine.core.terms import Terms

TABLES = [(spec.id, mode.key, seats) for spec in list_games() if type(new_game(spec.id)).terms is not Game.terms
          for mode in spec.modes for seats in mode.seats]


def drawn(sides: int, count: int, known: list[float]) -> fit.Positions:
    """Positions, two of a game, that are won as known weights say; in every third a side is missing."""
    chance = np.random.default_rng(1)
    terms = chance.normal(size=(count, sides, len(known)))
    there = np.ones((count, sides), dtype=bool)
    if sides > 2:
        there[::3, 0] = False
    found = fit.Positions(tuple("abc"), ("always",), terms * there[:, :, None], there, np.zeros((count, sides)),
                          np.full((count, sides), 1 / sides), np.arange(count) // 2)
    share = np.where(there, np.exp(fit.log_chances(found, np.array(known))), 0)
    assert share.sum(axis=1) == pytest.approx(1)
    found.won = np.eye(sides)[(share.cumsum(axis=1) > chance.random((count, 1))).argmax(axis=1)]
    return found


@pytest.mark.parametrize("sides", [2, 3])
def test_known_weights_are_found_again(sides: int) -> None:
    known = [1.0, -0.5, 0.25]
    weights, errors = fit.fit(drawn(sides, 20_000, known))
    assert np.all(np.abs(weights - known) < 4 * errors) and np.all(errors < 0.03)


def test_errors_grow_where_positions_of_a_game_are_akin() -> None:
    found = drawn(2, 2000, [1.0, -0.5, 0.25])
    apart = fit.fit(found)[1]
    again = found.part(np.repeat(np.arange(len(found.won)), 4))
    assert fit.fit(again)[1] == pytest.approx(apart, rel=0.01)


def test_the_fit_is_compared_with_evaluate_on_games_it_has_not_seen() -> None:
    found = fit.report(drawn(2, 4000, [1.0, -0.5, 0.25]))
    assert found["before"]["log_loss"] == pytest.approx(np.log(2)) and found["before"]["ci95"] == pytest.approx(0)
    assert found["gain"] == pytest.approx(found["before"]["log_loss"] - found["now"]["log_loss"]) and found["gain"] > 0.1
    assert found["held_out"] == 800 and found["games"] == 2000 and found["now"]["favourite_won"] > 0.6
    with pytest.raises(ValueError, match="too few games"):
        fit.report(drawn(2, 2, [1.0, 0.0, 0.0]))


def met(game: Game) -> Iterator[tuple[State, Terms]]:
    """Positions of a game of the heuristic and random moves, with terms; an end of the game has none."""
    chance = random.Random(5)
    for seed in range(8):
        state = game.new_state(seed, record_events=False)
        bot = make_bot("heuristic", seed)
        while not state.is_over:
            seat = state.pending[0]
            slip = chance.random() < 0.2
            state.apply_action(seat, chance.choice(state.legal_actions(seat)) if slip else bot.choose(state, seat))
            terms = game.terms(state)
            if terms is not None:
                yield state, terms
        assert game.terms(state) is None


@pytest.mark.parametrize(("game", "mode", "seats"), TABLES)
def test_evaluate_is_linear_in_the_declared_terms(game: str, mode: str, seats: int) -> None:
    """Log-odds between two sides are a sum of the stages' weights times terms: some weights say exactly what `evaluate` says."""
    rows, odds = [], []
    for state, terms in met(new_game(game, mode=mode, seats=seats)):
        said = state.evaluate()
        assert all(len(side) == len(terms.names) for side in terms.sides.values()) and len(terms.stage) == len(terms.stages)
        (first, mine), *others = terms.sides.items()
        shares = dict(zip(terms.sides, fit.side_shares(terms, said), strict=True))
        assert sum(shares.values()) > 0
        for seat, theirs in others:
            if min(shares[first], shares[seat]) > 1e-6:
                rows.append(np.outer(terms.stage, np.subtract(mine, theirs)).ravel())
                odds.append(np.log(shares[first] / shares[seat]))
    assert len(rows) > 2 * len(rows[0]) / 3
    weights = np.linalg.lstsq(np.array(rows), np.array(odds), rcond=None)[0]
    assert np.abs(np.array(rows) @ weights - odds).max() < 2e-3 * max(1, np.abs(odds).max())


def test_positions_say_who_won_of_those_that_are_left() -> None:
    found = fit.positions([new_game("titans", mode="ffa3", seats=3)], 20, keep=1, seed=1)
    assert found.there.shape[1] == 3 and not found.there.all() and found.there.sum(axis=1).min() >= 2
    assert found.won.sum(axis=1) == pytest.approx(1) and not found.won[~found.there].any() and not found.terms[~found.there].any()
    games = fit.tables("mythos", None, [None], {"deck0": ["leaf", "sand"], "deck1": ["leaf", "sand"]})
    assert {(game.settings.options["deck0"], game.settings.options["deck1"]) for game in games} == {
        (one, other) for one in ("leaf", "sand") for other in ("leaf", "sand")}


def test_an_interrupt_keeps_whole_games(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("hundred_days", seats=2)
    whole = fit.positions([game], 3, keep=1, seed=1)
    asked = 0

    def interrupted(name: str, seed: int) -> object:
        nonlocal asked
        asked += 1
        if asked > 6:       # two bots a game
            raise KeyboardInterrupt
        return make_bot(name, seed)

    monkeypatch.setattr(fit, "make_bot", interrupted)
    early = fit.positions([game], 1000, keep=1, seed=1)
    assert np.array_equal(early.terms, whole.terms) and np.array_equal(early.won, whole.won)


@pytest.mark.parametrize("game", sorted({game for game, _, _ in TABLES if new_game(game).worths()}))
def test_every_number_of_a_heuristic_can_be_changed_and_changes_an_answer(game: str) -> None:
    plain, changed = new_game(game), new_game(game)
    worths = plain.worths()
    used: set[str] = set()
    for state in positions_of(plain):
        seat = state.pending[0]
        scores = state.score_actions(seat)
        for name in set(worths) - used:
            changed.set_worths({**worths, name: worths[name] + 7})
            assert changed.worths()[name] == worths[name] + 7
            if moved_to(changed, state).score_actions(seat) != scores:
                used.add(name)
        if used == set(worths):
            break
    assert used == set(worths)


def positions_of(game: Game) -> Iterator[State]:
    """Every fifth decision of a few games of the heuristic and random moves."""
    chance = random.Random(7)
    for seed in range(12):
        state = game.new_state(seed, record_events=False)
        bot = make_bot("heuristic", seed)
        while not state.is_over:
            seat = state.pending[0]
            if chance.random() < 0.2 and len(state.legal_actions(seat)) > 1:
                yield state
            slip = chance.random() < 0.3
            state.apply_action(seat, chance.choice(state.legal_actions(seat)) if slip else bot.choose(state, seat))


def moved_to(game: Game, state: State) -> State:
    """The same position at a table of another game."""
    return game.position(state.game.everything(state), seed=0)     # type: ignore[attr-defined]


def test_numbers_that_were_spoiled_are_found_to_lose_and_get_better() -> None:
    """Against those of today, numbers that never close a tile lose; some rounds make up for much of it."""
    def make() -> list[Game]:
        games = [new_game("hundred_days", seats=2)]
        games[0].set_worths({**games[0].worths(), "CLOSE": -9.0})
        return games

    duel = fit.Duel(make)
    none, healed = np.zeros(len(duel.start)), np.zeros(len(duel.start))
    healed[list(duel.start).index("CLOSE")] = 15 / 9
    assert np.mean(duel.play(none, healed, range(200))) < 0.2
    assert np.mean(duel.play(none, none, range(50))) == 0.5
    assert np.mean(duel.play(fit.tune(duel, 150, 8, 1, False), none, range(200))) > 0.6


def test_in_a_cooperative_game_numbers_fill_all_seats_and_the_house_wins_the_rest() -> None:
    duel = fit.Duel(lambda: [new_game("monster_chase", mode="coop", seats=3)])
    none, spoiled = np.zeros(len(duel.start)), np.zeros(len(duel.start))
    spoiled[list(duel.start).index("HEART")] = -2
    worse, better = duel.play(spoiled, none, range(100)), duel.play(none, spoiled, range(100))
    assert np.mean(worse) < 0.48 and np.add(worse, better) == pytest.approx(1)
    found = fit.positions([new_game("monster_chase", mode="coop", seats=3)], 5, keep=0.2, seed=1)
    assert found.won.shape[1] == 2 and found.there.all() and found.won.sum(axis=1) == pytest.approx(1)
    assert not found.terms[:, 1].any() and found.won[:, 0].mean() < 0.9


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_equal_numbers_are_at_parity(seats: int) -> None:
    duel = fit.Duel(lambda: [new_game("hundred_days", seats=seats)])
    none = np.zeros(len(duel.start))
    assert np.mean(duel.play(none, none, range(300))) == pytest.approx(0.5, abs=0.05)


def test_the_command_tunes_a_heuristic(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "worths.json"
    assert fit.main(["hundred_days", "--seats", "2", "--worths", "--games", "64", "--check", "10", "--json", str(out)]) == 0
    found = json.loads(out.read_text())
    assert found["rounds"] == 2 and 0 <= found["won"] <= 1 and found["worths"].keys() == found["before"].keys()
    assert f'"CLOSE": {found["worths"]["CLOSE"]:.2f},' in capsys.readouterr().out


def test_the_command_fits_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "weights.json"
    assert fit.main(["titans", "--mode", "duel", "--seats", "2", "--games", "300", "--json", str(out)]) == 0
    assert "the favourite won" in capsys.readouterr().out
    found = json.loads(out.read_text())
    by_name = {(row["stage"], row["term"]): row["weight"] for row in found["weights"]}
    assert by_name["from round 1 on", "points"] > 0 > by_name["from round 1 on", "fire"] and found["now"]["log_loss"] < 0.69


def test_worths_are_not_tuned_where_seats_play_in_teams(capsys: pytest.CaptureFixture[str]) -> None:
    games = [new_game("monster_chase", mode=mode, seats=4) for mode in ("team", "race", "coop")]
    assert [fit.in_teams(game) for game in games] == [True, False, False]
    with pytest.raises(SystemExit):
        fit.main(["monster_chase", "--mode", "team", "--seats", "4", "--worths", "--games", "64"])
    assert "in teams" in capsys.readouterr().err
