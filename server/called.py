"""What seats are called: texts say `Seat 1`, and with the names of who sits there where a caller asks for them."""
from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from seatmate.server.rows import SeatRow
from seatmate.v1 import action_pb2, analysis_pb2, event_pb2, observation_pb2, scene_pb2
from seatmate.v1 import table_service_pb2 as pb

M = TypeVar("M", bound=Message)

SEAT = re.compile(r"\b[Ss]eat (\d)\b")
"""A seat in a text of the rules."""

_LIKE_A_SEAT = re.compile(r"seat\W*\d")
"""A name that a reader takes for a seat, once it is folded."""

_TEXTS = frozenset(
    kind.DESCRIPTOR.fields_by_name[field].full_name for kind, fields in (
        (event_pb2.Event, ("text",)), (action_pb2.Action, ("label",)), (pb.ListLegalActionsResponse, ("prompt_text",)),
        (observation_pb2.Observation, ("prompt_text",)), (observation_pb2.GameResult, ("text",)),
        (scene_pb2.Zone, ("title", "note")), (scene_pb2.Thing, ("label", "note")),
        (analysis_pb2.Candidate, ("principal_variation", "reasons")), (analysis_pb2.Reason, ("text",))) for field in fields)
"""The fields that hold sentences about seats."""


def template(text: str) -> str:
    """A text with the names of seats left open."""
    return SEAT.sub(r"{seat:\1}", text)


def called(seats: Iterable[SeatRow]) -> tuple[str, ...]:
    """What each seat is called, by its number: the name of who sits there, with its number where that doesn't say which one it is;
    empty where nobody has a name.
    """
    names = [row.display_name.strip() for row in seats]
    folded = [unicodedata.normalize("NFKC", name).casefold() for name in names]
    often = Counter(folded)
    return tuple(f"{name} (seat {seat})" if name and (often[alike] > 1 or _LIKE_A_SEAT.search(alike)) else name
                 for seat, (name, alike) in enumerate(zip(names, folded, strict=True)))


def with_names(message: M, names: Sequence[str]) -> M:
    """The message, in whose texts `names` (by seat) are put for the seats: each once, whatever a name holds. It is changed."""
    def name(match: re.Match[str]) -> str:
        seat = int(match[1])
        return (seat < len(names) and names[seat]) or match[0]

    def fill(part: Message) -> None:
        for field in _fields(part.DESCRIPTOR):
            value = getattr(part, field.name)
            if field.message_type is not None:
                if not field.is_repeated:
                    if part.HasField(field.name):
                        fill(value)
                else:
                    for one in value:
                        fill(one)
            elif field.is_repeated:
                value[:] = [SEAT.sub(name, one) for one in value]
            elif value:
                setattr(part, field.name, SEAT.sub(name, value))

    fill(message)
    return message


@functools.cache
def _fields(kind: Descriptor) -> tuple[FieldDescriptor, ...]:
    """Those that hold texts about seats, or messages with such."""
    return tuple(field for field in kind.fields if field.full_name in _TEXTS or (
        field.message_type is not None and not field.message_type.GetOptions().map_entry and _fields(field.message_type)))
