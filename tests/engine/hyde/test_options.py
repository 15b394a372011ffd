"""The table options of Hyde: their defaults, and one clear sentence for each wrong wish."""
from __future__ import annotations

from typing import Any

import pytest

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.registry import game_spec, new_game


def test_defaults() -> None:
    game = new_game("hyde")
    assert game.seats == 4 and game.settings.mode == "standard" and game.settings.pack == "standard"
    assert dict(game.settings.options) == {"level": "beginner", "outcasts": "draft", "start_seat": "random",
                                           "signals": False, "loss_limit": 3, "strict_transform": False}


@pytest.mark.parametrize(("seats", "field", "value", "sentence"), [
    (1, "seats", None, "1 is not possible in hyde (standard); it takes 2, 3, 4"),
    (5, "seats", None, "5 is not possible in hyde (standard); it takes 2, 3, 4"),
    (2, "options.level", "hard", "'hard' is not one of beginner, expert, nightmare"),
    (2, "options.level", 3, "3"),
    (2, "options.outcasts", ["enid", "enid"], "an id is named twice"),
    (2, "options.outcasts", ["enid"], "1 id for 2 seats"),
    (2, "options.outcasts", ["enid", "ajax", "yoko"], "3 ids for 2 seats"),
    (2, "options.outcasts", ["enid", "tyler"], "'tyler' is not one of draft, random, wednesday, enid"),
    (2, "options.outcasts", True, "True is not text"),
    (2, "options.start_seat", "2", "there is no seat 2 at a table of 2"),
    (3, "options.start_seat", 3, "there is no seat 3 at a table of 3"),
    (2, "options.start_seat", "4", "'4' is not one of random, 0, 1, 2, 3"),
    (2, "options.signals", "maybe", "'maybe' is neither true nor false"),
    (2, "options.loss_limit", 2, "2 is outside 3..4"),
    (2, "options.loss_limit", 5, "5 is outside 3..4"),
    (2, "options.loss_limit", "few", "'few' is not a whole number"),
    (2, "options.strict_transform", 2, "2 is neither true nor false"),
    (2, "options.jokers", 1, "hyde has no such option; it has level, outcasts, start_seat"),
    (2, "mode", "solo", "'solo' is not a mode of hyde; it has standard")])
def test_a_wrong_wish_is_refused(seats: int, field: str, value: Any, sentence: str) -> None:
    options = {field.removeprefix("options."): value} if field.startswith("options.") else {}
    with pytest.raises(SettingsError) as caught:
        new_game("hyde", mode=value if field == "mode" else None, seats=seats, options=options)
    assert caught.value.field == field
    assert str(caught.value).startswith(f"{field}: ") and sentence in str(caught.value)


@pytest.mark.parametrize(("given", "stored"), [
    ({"outcasts": "enid, yoko"}, {"outcasts": ("enid", "yoko")}), ({"start_seat": 1}, {"start_seat": "1"}),
    ({"signals": "yes"}, {"signals": True}), ({"loss_limit": "4"}, {"loss_limit": 4})])
def test_wishes_as_a_command_line_writes_them(given: dict[str, Any], stored: dict[str, Any]) -> None:
    options = new_game("hyde", seats=2, options=given).settings.options
    assert {key: options[key] for key in stored} == stored


def test_spec() -> None:
    spec = game_spec("hyde")
    assert spec.cooperative and spec.modes[0].seats == (2, 3, 4)
    assert spec.public_key(spec.prompts.index(next(p for p in spec.prompts if p.key == "MORE"))) == "PLAY"
    hidden = {prompt.key for prompt in spec.prompts if prompt.public}
    assert hidden == {"PLACE", "MORE", "COST", "WED_GIVE"}, "sub-steps nobody else may notice (RULES 7.5)"
