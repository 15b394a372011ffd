"""The registry: a game that is broken says so by name and harms no other."""
from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import seatmate.engine
from seatmate.engine.core import registry
from seatmate.engine.core.errors import BrokenGameError, PackError, SeatmateError
from seatmate.engine.core.registry import broken_games, game_spec, list_games, new_game
from seatmate.engine.core.spec import GameSpec, Mode, Option, check_spec, make_settings
from seatmate.server.cli.main import run
from seatmate.server.config import ServerConfig
from seatmate.server.service import running_server
from seatmate.tests.native.letters import Fault, letters_spec

SPEC = """
from seatmate.engine.core.registry import register
from seatmate.engine.core.spec import EventType, GameSpec, Mode, Prompt
SPEC = register(GameSpec(
    id="{id}", title="Broken", summary="...", rules_version=1, modes=(Mode(key="m", title="M", seats=(2,), doc="."),),
    prompts=(Prompt("ACT", "?"),), events=(), max_decisions=9, {more}create={create}))
"""
MODULES = {
    "an import that fails": ("import no_such_module", "No module named 'no_such_module'"),
    "an error": ("1 / 0", "ZeroDivisionError"),
    "a syntax error": ("def :", "SyntaxError"),
    "an unknown keyword": (SPEC.format(id="wreck", more="max_moves=3, ", create="None"), "max_moves"),
    "a wrong type": (SPEC.format(id="wreck", more="features='abc', ", create="lambda settings: None"), "features is 'abc'"),
    "no create": (SPEC.format(id="wreck", more="", create="None"), "create is None"),
    "the id of another game": (SPEC.format(id="kuhn", more="", create="lambda settings: None"), "'kuhn' is registered twice"),
    "an error after it registered": (SPEC.format(id="wreck", more="", create="lambda settings: None") + "\n{}['x']", "KeyError"),
    "a game that can't be made": (SPEC.format(id="wreck", more="", create="lambda settings: None.rules"), "'rules'"),
    "a content pack that can't be read": (
        "from seatmate.engine.core.errors import PackError\ndef pack(settings): raise PackError('p.toml: [cards]: no cards')"
        + SPEC.format(id="wreck", more="", create="pack"), "p.toml: [cards]: no cards"),
}
"""What is wrong: the module of the game `wreck`, and a part of the sentence that says so."""


@pytest.fixture
def wreck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts the module of a game `wreck` beside the others, which are loaded before or after it."""
    def write(text: str) -> None:
        list_games()
        for name in ("__init__.py", "game.py"):
            (tmp_path / "wreck").mkdir(exist_ok=True)
            (tmp_path / "wreck" / name).write_text(text if name == "game.py" else "")
        monkeypatch.setattr(seatmate.engine, "__path__", [*seatmate.engine.__path__, str(tmp_path)])
        monkeypatch.setattr(registry, "_specs", dict(registry._specs))
        monkeypatch.setattr(registry, "_broken", {})
        monkeypatch.setattr(registry, "_loaded", False)
        for name in ("seatmate.engine.wreck", "seatmate.engine.wreck.game"):
            monkeypatch.delitem(sys.modules, name, raising=False)

    return write


@pytest.mark.parametrize("kind", MODULES)
def test_a_broken_game_says_why_and_harms_no_other(wreck: Callable[[str], None], kind: str,
                                                   capsys: pytest.CaptureFixture[str]) -> None:
    others = [spec.id for spec in list_games()]
    text, why = MODULES[kind]
    wreck(text)
    assert [spec.id for spec in list_games() if spec.id != "wreck"] == others
    for game_id in others:
        new_game(game_id)
    assert list(broken_games()) == ["wreck"] and why in str(broken_games()["wreck"])
    with pytest.raises(SeatmateError, match=r"wreck|p\.toml"):
        new_game("wreck")
    assert run(["games"]) == 0
    shown = "".join(capsys.readouterr().out.split())
    assert "kuhn" in shown and "".join(why.split()) in shown
    assert run(["games", "--json"]) == 0
    assert '"wreck"' in capsys.readouterr().out
    for arguments in (["games", "wreck"], ["play", "wreck"], ["tournament", "wreck", "--bots", "random"]):
        assert run(arguments) == 1
        said = capsys.readouterr().err
        assert "internal error" not in said and why in said, said
    assert run(["games", "kuhn"]) == 0


@pytest.mark.asyncio
async def test_a_server_logs_broken_games_and_serves_the_rest(wreck: Callable[[str], None], tmp_path: Path,
                                                              caplog: pytest.LogCaptureFixture) -> None:
    wreck(MODULES["an error"][0])
    with caplog.at_level(logging.ERROR):
        async with running_server(ServerConfig(address="127.0.0.1:0", database=str(tmp_path / "t.sqlite3"))):
            pass
    [record] = [record for record in caplog.records if "can't be played" in record.message]
    assert record.__dict__["game"] == "wreck" and "ZeroDivisionError" in record.__dict__["why"]


@pytest.mark.parametrize(("changes", "why"), [
    ({"id": "two words"}, "its id"),
    ({"modes": Mode(key="m", title="M", seats=(2,), doc=".")}, "modes is Mode"),
    ({"modes": ()}, "no mode"),
    ({"modes": (Mode(key="m", title="M", seats=(3, 2), doc="."),)}, "must ascend"),
    ({"modes": (Mode(key="m", title="M", seats=2, doc="."),)}, r"modes\[0\].seats is 2, not a tuple"),  # type: ignore[arg-type]
    ({"modes": (Mode(key="m", title="M", seats=(2, 9), doc="."),)}, "must ascend"),
    ({"prompts": ()}, "no prompt"),
    ({"prompts": ("ACT",)}, r"prompts\[0\] is 'ACT', not Prompt"),
    ({"events": None}, "events is None"),
    ({"options": (Option(key="a", title="A", kind="word", default="", doc=""),)},     # type: ignore[arg-type]
     "options.0..kind is 'word'"),
    ({"options": (Option(key="a", title="", kind="flag", default=True, doc=""),)}, "the option a has no title"),
    ({"options": (Option(key="a", title="A", kind="choice", default="b", choices=("b",), titles={"c": "C"}, doc=""),)},
     "titles of values it does not take"),
    ({"action_limit": 0}, "action_limit"),
    ({"action_limit": "17"}, "action_limit is '17'"),
    ({"max_decisions": True}, "max_decisions is True"),
    ({"rules_version": 0}, "rules_version"),
    ({"search": "exploration=1"}, "search is 'exploration=1', not a Mapping"),
    ({"packs": ("standard",)}, "no load_pack"),
    ({"create": None}, "create is None"),
])
def test_a_wrong_field_of_a_spec_is_named(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(BrokenGameError, match=why):
        check_spec(replace(letters_spec(), **changes))
    for spec in [*list_games(), letters_spec()]:
        check_spec(spec)


def made(spec: GameSpec) -> Any:
    return spec.create(make_settings(spec))


@pytest.mark.parametrize(("fault", "why"), [
    (Fault.NO_PRIVATE_KEY, "LettersGame lack private_key"),
    (Fault.NO_EVALUATE, "LettersGame lack evaluate"),
    (Fault.NO_RULES, "LettersGame sets no rules"),
])
def test_a_missing_function_is_named(fault: Fault, why: str) -> None:
    with pytest.raises(BrokenGameError, match=why):
        made(letters_spec(fault))


def test_what_the_spec_does_not_list_is_named() -> None:
    state = made(letters_spec(Fault.PROMPT_NOT_IN_SPEC)).new_state(1)
    state.apply_action(0, state.legal_actions(0)[1])
    for ask in (lambda: state.prompt(0), lambda: state.observation(1)):
        with pytest.raises(BrokenGameError, match=r"letters asks prompt 1, but the prompts of its spec are 0\.\.0"):
            ask()
    game = made(letters_spec(Fault.EVENT_NOT_IN_SPEC))
    with pytest.raises(BrokenGameError, match="letters emits event FIRST_GAME_EVENT \\+ 10"):
        game.event_key(13)


def test_an_unreadable_pack_file_is_named_and_the_game_goes_on(tmp_path: Path) -> None:
    for name in ("missing.toml", "garbage.toml"):
        (tmp_path / "garbage.toml").write_text("[cards")
        with pytest.raises(PackError, match=name):
            new_game("hyde", pack=str(tmp_path / name))
    assert new_game("hyde").seats == game_spec("hyde").modes[0].seats[-1]


GAME = """
from dataclasses import replace
from seatmate.engine.classics.kuhn import SPEC as KUHN
from seatmate.engine.core.registry import register

SPEC = register(replace(KUHN, id="{name}"))
"""


@pytest.mark.parametrize("place", ["beside.py", "folder/game.py"])
def test_a_file_beside_the_folders_is_a_game_as_well(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was built and then never found, without a word."""
    name = place.partition("/")[0].removesuffix(".py")
    file = tmp_path / place
    file.parent.mkdir(exist_ok=True)
    file.with_name("__init__.py").touch()
    file.write_text(GAME.format(name=name))
    registry.list_games()
    monkeypatch.setattr(seatmate.engine, "__path__", [*seatmate.engine.__path__, str(tmp_path)])
    monkeypatch.setattr(registry, "_specs", dict(registry._specs))
    monkeypatch.setattr(registry, "_loaded", False)
    assert name in {spec.id for spec in registry.list_games()}
