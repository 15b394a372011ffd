"""`seatmate games`."""
from __future__ import annotations

from seatmate.engine.core.registry import list_games

from .conftest import CommandLine


def test_every_registered_game_is_listed(seatmate: CommandLine) -> None:
    shown = seatmate("games")
    assert shown.code == 0 and shown.stderr == ""
    for spec in list_games():
        assert spec.id in shown.stdout and spec.title in shown.stdout


def test_json_has_the_facts_of_every_game(seatmate: CommandLine) -> None:
    games = {game["id"]: game for game in seatmate("games", "--json").json()["games"]}
    assert set(games) == {spec.id for spec in list_games()}
    assert games["kuhn"]["title"] == "Kuhn poker"
    assert games["kuhn"]["modes"][0]["seats"] == [2]
    for spec in list_games():
        assert [option["key"] for option in games[spec.id]["options"]] == [option.key for option in spec.options]
        assert games[spec.id]["packs"] == list(spec.packs)


def test_one_game_in_detail(seatmate: CommandLine) -> None:
    for spec in list_games():
        shown = seatmate("games", spec.id).stdout
        options = (word for option in spec.options for word in (option.key, *option.title.split()))
        for word in (spec.title, *(mode.key for mode in spec.modes), *options, *spec.packs):
            assert word in shown
        assert seatmate("games", spec.id, "--json").json()["id"] == spec.id


def test_an_unknown_game_gets_the_nearest_one(seatmate: CommandLine) -> None:
    seatmate("games", "khun").refused(2, "'khun'", "did you mean 'kuhn'?")
    seatmate("games", "khun", "--json").refused(2, "'khun'")
