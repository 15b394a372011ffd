"""Broken packs and records: whatever is in the file, what comes of it is an error with a sentence, or a game."""
from __future__ import annotations

import copy
import json
import random
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.record import Record
from seatmate.engine.core.registry import game_spec, list_games, new_game

_VALUES = ("0", "-1", "1", "99999999999999999999", "1e400", "nan", '""', '"x"', "[]", "{}", "true", "[[1]]", "1979-05-27")
_JSON: tuple[Any, ...] = (None, 0, -1, 2**63, 2**70, 1.5, "", "x", "9" * 5000, [], [[]], {}, True)


def break_record(rng: random.Random, _folder: Path, report: Callable[[str, str], None]) -> None:
    """A played game whose record is changed in places."""
    spec = rng.choice(list_games())
    state = new_game(spec.id).new_state(rng.randrange(2**32))
    while not state.is_over and rng.random() < 0.95:
        seat = state.pending[0]
        state.apply_action(seat, rng.choice(state.legal_actions(seat)))
    data = json.loads(state.record.to_json()) if state.is_over else json.loads(Record.of(state).to_json())
    for _ in range(rng.randint(1, 3)):
        _change(data, rng)
    text = json.dumps(data)
    if rng.random() < 0.2:
        text = text[:rng.randrange(len(text))]
    try:
        Record.from_json(text).replay()
    except SeatmateError as error:
        if "\n" in str(error):
            report(f"record {text}", f"more than a sentence: {error}")
    except Exception as error:
        report(f"record {text}", "".join(traceback.format_exception(error)))


def _change(data: Any, rng: random.Random) -> None:
    """One value, at any depth, becomes another or goes."""
    keys = list(data) if isinstance(data, dict) else list(range(len(data)))
    if not keys:
        return
    key = rng.choice(keys)
    if isinstance(data[key], dict | list) and rng.random() < 0.7:
        _change(data[key], rng)
    elif rng.random() < 0.2:
        del data[key]
    else:
        data[key] = copy.deepcopy(rng.choice(_JSON))


def break_pack(rng: random.Random, folder: Path, report: Callable[[str, str], None]) -> None:
    """A shipped pack with other values, without lines, or cut off."""
    spec = game_spec(rng.choice([spec.id for spec in list_games() if spec.load_pack is not None]))
    assert spec.load_pack is not None
    text = next(iter(sorted(_packs(spec.id).glob("*.toml")))).read_text()
    lines = text.splitlines()
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(lines))
        match rng.randrange(4):
            case 0:
                del lines[at]
            case 1:
                lines[at] = re.sub(r"=.*", lambda _: f"= {rng.choice(_VALUES)}", lines[at])
            case 2:
                lines.insert(rng.randrange(len(lines)), lines[at])
            case _:
                lines[at] = lines[at].replace(rng.choice(("=", '"', "[", "]", ",", "e")), rng.choice(("", "\0", "é", '"""')), 1)
    broken = "\n".join(lines)
    file = folder / "broken.toml"
    file.write_text(broken if rng.random() < 0.9 else broken[:rng.randrange(len(broken))])
    try:
        spec.load_pack(str(file))
    except SeatmateError:
        pass
    except Exception as error:
        kept = folder / f"found-{abs(hash(broken))}.toml"
        file.rename(kept)
        report(f"pack {kept}", "".join(traceback.format_exception(error)))


def _packs(game_id: str) -> Path:
    import seatmate.engine
    return Path(next(iter(seatmate.engine.__path__))) / game_id / "packs"
