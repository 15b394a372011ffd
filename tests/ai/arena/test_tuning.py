"""Tuning: settings that differ, rounds that halve, a result that no interruption changes, and a better setting that is found."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from seatmate.ai.arena import TournamentError, TuningProgress, TuningResult, run_tuning, tuning
from seatmate.ai.arena.tournament import play_spec
from seatmate.ai.arena.tuning import OWN, hints_line, settings_for
from seatmate.ai.search.params import SearchParams
from seatmate.engine.core.registry import game_spec, list_games
from seatmate.engine.core.spec import GameSpec


def tuned(game: str = "tic_tac_toe", **wishes: Any) -> TuningResult:
    return run_tuning(game, **{"deals": 4, "iterations": 20, "seed": 1, "workers": 1, **wishes})


@contextmanager
def with_hints(game: str, hints: dict[str, Any]) -> Iterator[GameSpec]:
    """The game as if somebody had just added it with these settings."""
    spec = game_spec(game)
    before = spec.search
    object.__setattr__(spec, "search", hints)
    try:
        yield spec
    finally:
        object.__setattr__(spec, "search", before)


@pytest.mark.parametrize("spec", list_games(), ids=lambda spec: spec.id)
def test_about_a_dozen_settings_and_no_two_alike(spec: GameSpec) -> None:
    settings = settings_for(spec)
    own = SearchParams.for_game(spec)
    searches = [replace(own, **knobs) for knobs in settings.values()]
    assert next(iter(settings)) == OWN and searches[0] == own
    assert 12 <= len(settings) <= 32 and len(set(searches)) == len(searches)
    assert any(search.selection == "regret" for search in searches) == spec.public_choices
    assert any(search.selection == "puct" and search.simple_others == 1 for search in searches)


@pytest.mark.parametrize("spec", list_games(), ids=lambda spec: spec.id)
def test_the_line_to_paste_is_the_search_that_was_measured(spec: GameSpec) -> None:
    for knobs in settings_for(spec).values():
        line = hints_line(spec, knobs)
        assert SearchParams(**eval(line.removeprefix("search=").removesuffix(","))) == replace(SearchParams.for_game(spec), **knobs)


def test_rounds_halve_and_the_end_is_measured_on_deals_of_its_own() -> None:
    told: list[TuningProgress] = []
    result = tuned(progress=told.append)
    counts = list(dict.fromkeys((now.round, now.settings) for now in told))
    assert [number for number, _ in counts] == list(range(1, told[0].rounds + 1))
    most = [len(settings_for(game_spec("tic_tac_toe"))) - 1, 12, 6, 3, 1]       # beside the game's own
    assert all(count - 1 <= bound for (_, count), bound in zip(counts, most, strict=True))
    assert all(0 < now.games <= now.games_total for now in told)
    deals = {1: 4, 2: 12, 3: 28, 4: 60, 5: 124}
    assert all(row.deals == deals[row.rounds] for row in result.settings)
    assert {row.name for row in result.settings} == set(settings_for(game_spec("tic_tac_toe")))
    assert result.settings[0].name == result.best and result.confirmed.rounds == 1
    assert result.confirmed.deals == result.own.deals > max(row.deals for row in result.settings)
    for row in result.settings:
        assert row.heuristic.low <= row.heuristic.mean <= row.heuristic.high
        assert not row.alike or row.default.mean == 0


def test_no_interruption_changes_the_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "night.jsonl"
    whole = tuned(results=path)
    assert whole == tuned() and tuned(seed=2) != whole
    files = sorted(tmp_path.glob("*.jsonl"))        # beside which stand the times, of this run alone
    assert {file.name for file in files} >= {"night.jsonl", "night.2.jsonl", "night.3.jsonl"}
    texts = {file: file.read_bytes() for file in files}
    for file in files[1:]:
        file.unlink()
    path.write_bytes(b"".join(texts[path].splitlines(keepends=True)[:3]))     # as if killed in the first round
    played = []

    def counting(spec: Any, deals: int, **rest: Any) -> Any:
        played.append(deals)
        return play_spec(spec, deals, **rest)

    monkeypatch.setattr(tuning, "play_spec", counting)
    assert tuned(results=path) == whole and len(played) == len(files)
    assert {file: file.read_bytes() for file in tmp_path.glob("*.jsonl")} == texts


def test_a_better_setting_is_found() -> None:
    with with_hints("tic_tac_toe", {"exploration": 30.0, "prior_temperature": 50.0}):
        result = tuned(deals=8, iterations=40)
    assert result.better and result.beats_heuristic and result.best in ("exploration=0.5", "exploration=2.0")
    value = result.best.removeprefix("exploration=")
    assert result.hints == f'search={{"exploration": {value}, "prior_temperature": 50.0}},'
    assert result.confirmed.default.low > 0 and result.confirmed.heuristic.mean > result.own.heuristic.mean


def test_what_does_not_beat_the_heuristic_is_said_not_to() -> None:
    result = tuned("kuhn", iterations=10)
    assert not result.beats_heuristic and not result.better
    assert result.hints == hints_line(game_spec("kuhn"), {})


@pytest.mark.parametrize(("game", "seats"), [("hanabi", 2), ("goofspiel", 3)])
def test_cooperative_games_and_more_seats(game: str, seats: int) -> None:
    result = tuned(game, seats=seats, deals=2, iterations=3)
    assert result.seats == seats and len(result.settings) >= 12
    assert all(-1 <= row.heuristic.low <= row.heuristic.high <= 1 for row in result.settings)


@pytest.mark.parametrize(("wishes", "message"), [
    ({"iterations": 1}, "no search"), ({"deals": 1}, "too few"), ({"seed": -1}, "negative")])
def test_nonsense_is_refused(wishes: dict[str, Any], message: str) -> None:
    with pytest.raises(TournamentError, match=message):
        tuned(**wishes)
