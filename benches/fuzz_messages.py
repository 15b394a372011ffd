"""Requests nobody should send, made of the descriptors: random, mutated and broken. The same generator gives the same ones."""
from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

_INTS = (0, 1, -1, 2, 3, 7, 8, 9, 10, 16, 50, 100, 101, 127, 200, 10_001, 60_000, 60_001, 2**31 - 1, -2**31, 2**32 - 1, 2**63 - 1,
         -2**63, 2**64 - 1)
_FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, float("inf"), float("-inf"), float("nan"))
_TEXTS = ("", " ", "x", "0", "-1", "null", "standard", "random", "heuristic", "search:iterations=3", "search:time_ms=5",
          "bots/random", "search:iterations=3:tree_key=public", "yes", "\0", "\n", "\u202e", "é", "𝟘", "'; drop table tables; --",
          "../../etc/passwd", "%s%n", "{0}", "x" * 81, "x" * 201, "y" * 5_000, "games/",
          "tables/", "tables/0", "tables/0/seats/0", "seats/0")
_RANGES = {FieldDescriptor.CPPTYPE_INT32: (-2**31, 2**31), FieldDescriptor.CPPTYPE_INT64: (-2**63, 2**63),
           FieldDescriptor.CPPTYPE_UINT32: (0, 2**32), FieldDescriptor.CPPTYPE_UINT64: (0, 2**64)}
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Words:
    """What makes a random request meet something: texts that are names of something, and whole requests that are right.

    texts: for any field · known: serialized requests, by full name of their type.
    """

    texts: Sequence[str] = ()
    known: dict[str, list[bytes]] = field(default_factory=dict)


def request_bytes(method: MethodDescriptor, rng: random.Random, words: Words) -> bytes:
    """The bytes of one request: a right one, one of which some fields are others, one of random fields, or none at all."""
    kind, known = GetMessageClass(method.input_type), words.known.get(method.input_type.full_name, ())
    draw = rng.random()
    if draw < 0.12:
        return broken(rng.choice(known) if known else rng.randbytes(20), rng)
    message = kind.FromString(rng.choice(known)) if known and draw < 0.75 else random_message(method.input_type, rng, words)
    for _ in range(rng.choice((0, 1, 1, 2, 4)) if draw < 0.75 else 0):
        mutate(message, rng, words)
    return message.SerializeToString()


def random_message(kind: Descriptor, rng: random.Random, words: Words, depth: int = 0) -> Message:
    """A message with random fields."""
    message = GetMessageClass(kind)()
    for one in kind.fields:
        if rng.random() < (0.6 if depth < 2 else 0.3):
            _fill(message, one, rng, words, depth)
    return message


def mutate(message: Message, rng: random.Random, words: Words, depth: int = 0) -> None:
    """Change one field, at any depth."""
    fields: list[Any] = list(message.DESCRIPTOR.fields)
    if not fields:
        return
    one = rng.choice(fields)
    value = getattr(message, one.name)
    inner = list(value.values() if _is_map(one) else value) if one.is_repeated else [value]
    if one.message_type and inner and isinstance(inner[0], Message) and rng.random() < 0.7 and depth < _DEEPEST:
        mutate(rng.choice(inner), rng, words, depth + 1)
    elif rng.random() < 0.2:
        message.ClearField(one.name)
    elif one.is_repeated and not _is_map(one) and len(value) and rng.random() < 0.5:
        if rng.random() < 0.5:
            del value[rng.randrange(len(value))]
        else:
            value.extend([rng.choice(list(value))] * rng.choice((1, 2, 30)))
    else:
        _fill(message, one, rng, words, depth)


def broken(data: bytes, rng: random.Random) -> bytes:
    """Bytes that were a message."""
    out = bytearray(data or b"\n\0")
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(out) + 1)
        match rng.randrange(6):
            case 0:
                out[at:at] = rng.randbytes(rng.randint(1, 8))
            case 1:
                del out[at:at + rng.randint(1, 8)]
            case 2:
                out[at:at] = b"\xff" * 11       # a number that never ends
            case 3 if out:
                out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
            case 4:
                out[at:at] = b"\x0a\x7f" * rng.choice((1, 60, 400))     # messages in messages, longer than what is there
            case _:
                out = out[:at] or bytearray(b"\x0b")        # a group that is not closed
    return bytes(out)


def _is_map(one: FieldDescriptor) -> bool:
    return bool(one.message_type and one.message_type.GetOptions().map_entry)


def _fill(message: Message, one: FieldDescriptor, rng: random.Random, words: Words, depth: int) -> None:
    """Give the field a random value, or several."""
    target: Any = getattr(message, one.name)
    if _is_map(one):
        entry: Any = one.message_type
        key, value = (entry.fields_by_name[name] for name in ("key", "value"))
        for _ in range(rng.choice((1, 2, 40))):
            if value.message_type:
                target[_value(key, rng, words)].CopyFrom(random_message(value.message_type, rng, words, depth + 1))
            else:
                target[_value(key, rng, words)] = _value(value, rng, words)
    elif one.message_type:
        if depth >= _DEEPEST:
            return
        if one.is_repeated:
            target.extend(random_message(one.message_type, rng, words, depth + 1) for _ in range(rng.choice((0, 1, 1, 2, 9))))
        else:
            target.CopyFrom(random_message(one.message_type, rng, words, depth + 1))
    elif one.is_repeated:
        target.extend(_value(one, rng, words) for _ in range(rng.choice((0, 1, 2, 20, 300))))
    else:
        setattr(message, one.name, _value(one, rng, words))


def _value(one: FieldDescriptor, rng: random.Random, words: Words) -> Any:
    match one.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING:
            text = rng.choice(words.texts) if words.texts and rng.random() < 0.6 else rng.choice(_TEXTS)
            if one.type == FieldDescriptor.TYPE_BYTES:
                return rng.randbytes(rng.choice((0, 1, 40)))
            return text
        case FieldDescriptor.CPPTYPE_BOOL:
            return rng.random() < 0.5
        case FieldDescriptor.CPPTYPE_ENUM:
            enum: Any = one.enum_type
            return rng.choice([*(value.number for value in enum.values), 99, -1, 2**31 - 1])
        case FieldDescriptor.CPPTYPE_FLOAT | FieldDescriptor.CPPTYPE_DOUBLE:
            return rng.choice(_FLOATS)
        case kind:
            least, end = _RANGES[kind]
            return rng.choice([value for value in _INTS if least <= value < end] + [rng.randrange(least, end), rng.randrange(12)])
