"""Rows of a struct: values, ranges, and the way back."""
from __future__ import annotations

from typing import Any

import pytest

from seatmate.engine.core.fields import Field, Fields

IDS = ("A", "B", "C")
FIELDS = Fields((
    Field("round", 0, 1, most=9), Field("turns", 2, 2, most=600), Field("over", 1, 1, "flag"),
    Field("place", 4, 2, shape=(2,), per_seat=True, most=6, none=255), Field("phase", 6, 1, words=("one", "two")),
    Field("asked", 7, 1, "mask"), Field("tokens", 8, 4, shape=(2, 2), per_seat=True, most=3),
    Field("secret", 12, 2, shape=(2,), per_seat=True, none=255, sees="own"), Field("depth", 14, 1, sees="nobody"),
    Field("spare", 15, 1, sees="nobody"), Field("hand", 16, 32, "cards", shape=(2,), per_seat=True, sees="own"),
    Field("frames", 48, 4, shape=(2,), count="depth",
          parts=(Field("kind", 0, 1, words=("a", "b")), Field("x", 1, 1, most=5, none=255))),
), 52)
RAW: dict[str, Any] = {
    "round": 3, "turns": 258, "over": 1, "place": [6, 255], "phase": 1, "asked": 0b101, "tokens": [[1, 2], [3, 0]],
    "secret": [4, 255], "depth": 1, "spare": 0, "hand": [{0, 2}, {1}], "frames": [{"kind": 1, "x": 255}]}


def test_a_struct_is_written_and_read() -> None:
    data = FIELDS.write(RAW)
    assert len(data) == 52 and FIELDS.read(data) == RAW and data[2:4] == b"\x02\x01" and FIELDS.gaps() == []


def test_an_observer_sees_words_ids_and_its_own() -> None:
    shown = FIELDS.show(RAW, 0, 2, IDS)
    assert shown == {"round": 3, "turns": 258, "over": True, "place": [6, None], "phase": "two", "asked": [0, 2],
                     "tokens": [[1, 2], [3, 0]], "secret": [4, None], "hand": [["A", "C"], None],
                     "frames": [{"kind": "b", "x": None}]}
    assert FIELDS.show(RAW, 1, 1, IDS)["hand"] == [None] and "depth" in FIELDS.show(RAW, None, 2, IDS)


def test_what_was_shown_is_parsed() -> None:
    assert FIELDS.parse(FIELDS.show(RAW, None, 2, IDS), RAW, 2, IDS) == RAW
    blank = {**RAW, "secret": [255, 255], "hand": [set(), set()]}
    seen = FIELDS.parse(FIELDS.show(RAW, 0, 2, IDS), blank, 2, IDS)
    assert seen["hand"] == [{0, 2}, set()] and seen["secret"] == [4, 255]


@pytest.mark.parametrize("change", [
    {"round": 10}, {"round": None}, {"round": True}, {"turns": 601}, {"over": 1}, {"phase": "three"}, {"place": [1]},
    {"place": [7, 1]},
    {"hand": [["A", "A"], []]}, {"hand": [["X"], []]}, {"tokens": [[1, 2], [4, 0]]}, {"asked": [8]}, {"asked": [1, 1]},
    {"frames": [{"kind": "c", "x": 1}]}, {"frames": [{"kind": "a", "x": 6}]}, {"frames": [{"kind": "a", "x": 1}] * 3}])
def test_what_cannot_be_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no game looks like this"):
        FIELDS.parse({**FIELDS.show(RAW, None, 2, IDS), **change}, RAW, 2, IDS)


def test_forgotten_bytes_are_found() -> None:
    assert Fields((Field("a", 1, 2), Field("b", 2, 2)), 6).gaps() == [range(1), range(2, 3), range(4, 6)]
