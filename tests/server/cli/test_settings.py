"""Every setting of a server can be given on the command line, in the environment and in a file, and stands in the docs."""
from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import Any

import pytest

from seatmate.server.config import ServerConfig
from seatmate.server.options import Setting, StartupError, build, check_ranges, option, settings

from .conftest import CommandLine

SETTINGS = list(settings(ServerConfig))
RANGED = [setting for setting in SETTINGS if setting.option.most is not None]
OTHERS: dict[str, Any] = {"address": "127.0.0.1:7", "database": "mine.sqlite3", "host-name": ["a.example", "b.example"],
                          "pack": ["a.toml", "b.toml"], "bot-file": ["a.py", "b.toml"], "metrics-host": "::1",
                          "tls-cert": "cert.pem", "tls-key": "key.pem",
                          "client-ca": "ca.pem", "metrics-port": 9100, "admin-token-file": "admin.token", "tournaments": "kept",
                          "workers": 77, "margin-share": 0.25}
"""Values other than the defaults, where adding one to it makes none."""
WITH = {"tls-cert": ["tls-key"], "tls-key": ["tls-cert"], "client-ca": ["tls-cert", "tls-key"]}
"""What has to be given with it."""


def other(setting: Setting) -> Any:
    """As the flag, the environment and the file take it."""
    if setting.option.flag in OTHERS:
        return OTHERS[setting.option.flag]
    if isinstance(setting.default, bool):
        return not setting.default
    return setting.default // setting.option.unit + 1 if setting.option.unit > 1 else setting.default + 1


def field_of(config: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        config = None if config is None else getattr(config, name)
    return config


def test_what_is_not_given_is_as_in_a_program(seatmate: CommandLine, configured: list[ServerConfig]) -> None:
    assert seatmate("serve").code == 0
    assert configured == [ServerConfig()]


def check_found(config: ServerConfig, flags: set[str]) -> None:
    """Those and no others are as `other` gives them."""
    plain = ServerConfig()
    for setting in SETTINGS:
        found: Any = field_of(config, setting.path)
        if setting.option.flag not in flags:
            assert found == field_of(plain, setting.path), setting
            continue
        if isinstance(found, tuple):
            found = [str(one) for one in found]
        assert (str(found) if isinstance(found, Path) else found) == other(setting) * setting.option.unit, setting


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.option.flag)
def test_each_has_its_flag(seatmate: CommandLine, configured: list[ServerConfig], setting: Setting) -> None:
    values = {setting.option.flag: other(setting), **{flag: OTHERS[flag] for flag in WITH.get(setting.option.flag, ())}}
    arguments: list[str] = []
    for flag, value in values.items():
        if isinstance(value, bool):
            arguments.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            arguments += [part for one in (value if isinstance(value, list) else [value]) for part in (f"--{flag}", str(one))]
    assert seatmate("serve", *arguments).code == 0
    check_found(configured[0], set(values))


def test_the_file_and_the_environment_take_all(
        seatmate: CommandLine, configured: list[ServerConfig], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "seatmate.toml"
    file.write_text("".join(f"{setting.option.flag} = {json.dumps(other(setting))}\n" for setting in SETTINGS))
    assert seatmate("serve", "--config", str(file)).code == 0
    for setting in SETTINGS:
        value, between = other(setting), os.pathsep if setting.option.flag in ("pack", "bot-file") else " "
        monkeypatch.setenv(f"SEATMATE_{setting.option.flag.upper().replace('-', '_')}",
                           between.join(value) if isinstance(value, list) else str(value))
    assert seatmate("serve").code == 0
    for found in configured:
        check_found(found, {setting.option.flag for setting in SETTINGS})


def test_no_two_settings_share_a_flag() -> None:
    assert len({setting.option.flag for setting in SETTINGS}) == len(SETTINGS)


@pytest.mark.parametrize("setting", RANGED, ids=lambda setting: setting.option.flag)
def test_a_program_is_held_to_the_same_range(setting: Setting) -> None:
    """What the command line refuses a program can't ask for, nor what is no number."""
    for wrong in (setting.option.most + 1, setting.option.least - 1, *([float("nan")] if setting.type is float else [])):
        with pytest.raises(StartupError, match=f"{setting.option.flag} is outside"):
            build(ServerConfig, {setting.path: wrong})


def test_a_field_without_an_option_is_noticed() -> None:
    @dataclasses.dataclass
    class Forgotten:
        known: int = option("Any", 1, "Known.", flag="known", least=1, most=2)
        forgotten: int = 2

    with pytest.raises(TypeError, match=r"forgotten has no option"):
        list(settings(Forgotten))
    check_ranges(Forgotten())


def table() -> str:
    """The settings as docs/serving.md lists them."""
    lines = ["| flag | default | what it is |", "|---|---|---|"]
    for setting in SETTINGS:
        known, flag = setting.option, setting.option.flag
        default = known.default or {True: "on", False: "off"}.get(setting.default, setting.default)
        if isinstance(default, int | float):
            default = f"{default / known.unit:,.15g}"
        metavar = f" {known.metavar}" if known.metavar else ""
        lines.append(f"| `--{flag}{metavar}` | {default} | {known.help} |".replace("FILE|URL", r"FILE\|URL"))
    return "\n".join(lines)


def test_the_table_in_the_docs_has_them_all() -> None:
    """To write it again: print table() and put it there."""
    assert table() in (Path(__file__).parents[3] / "docs" / "serving.md").read_text("utf-8"), table()
