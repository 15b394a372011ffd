"""The reference of the API, docs/api.md, out of the comments of the protos: `make reference`.

    reference.py [FILE]
"""
from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)

HERE = Path(__file__).parent
PACKAGE = "seatmate.v1"
SOURCE = "../proto/seatmate/v1"
"""Of the protos, as docs/api.md sees it."""

FIRST = ("catalog_service", "table_service", "advisor_service", "tournament_service", "error_reason")
"""What a reader begins with; the other files follow by name."""

HEAD = """# The API

Every call, message and reason of an error, out of the comments of [the protos](../proto/seatmate/v1) by `make reference`.
[Front ends](front-ends.md) says how to put them together. A field without "optional" that is not set has its zero: 0, false, an
empty text or list.
"""

Key = FieldDescriptorProto


class File:
    """One proto and the comments in it, by the path of what they belong to."""

    def __init__(self, proto: FileDescriptorProto) -> None:
        self.proto = proto
        self.name = proto.name.rpartition("/")[2].removesuffix(".proto")
        self.comments = {tuple(place.path): place.leading_comments for place in proto.source_code_info.location}

    def paragraphs(self, *path: int) -> str:
        """The comment as Markdown, with the line breaks of its lists and paragraphs."""
        lines = [line.removeprefix(" ").rstrip() for line in self.comments.get(path, "").strip("\n").split("\n")]
        return "\n".join(_escaped(line) for line in lines)

    def line(self, *path: int) -> str:
        """The comment as one line of a table."""
        return re.sub(r"\s+", " ", self.paragraphs(*path)).replace("|", "\\|").strip()


def read() -> list[File]:
    """The protos in the order of the reference."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "set"
        sources = sorted(str(path.relative_to(HERE)) for path in HERE.glob("seatmate/v1/*.proto"))
        subprocess.run([sys.executable, "-m", "grpc_tools.protoc", "-I.", "--include_source_info", f"--descriptor_set_out={made}",
                        *sources], cwd=HERE, check=True)
        files = [File(one) for one in FileDescriptorSet.FromString(made.read_bytes()).file]
    return sorted(files, key=lambda one: (FIRST.index(one.name) if one.name in FIRST else len(FIRST), one.name))


def errors(comment: str) -> list[str]:
    """The reasons that the comment of a call names as its own."""
    named = re.search(r"^\s*Errors: ([A-Z_,\s]+)\.\s*$", comment, re.MULTILINE)
    return re.split(r",\s+", named[1]) if named else []


def calls(files: list[File]) -> dict[str, list[str]]:
    """The reasons of each call, by `Service.Method`."""
    return {f"{service.name}.{method.name}": errors(file.comments.get((6, number, 2, place), ""))
            for file in files for number, service in enumerate(file.proto.service) for place, method in enumerate(service.method)}


def reference() -> str:
    """The whole page."""
    files = read()
    by_reason: dict[str, list[str]] = {}
    for call, reasons in calls(files).items():
        for reason in reasons:
            by_reason.setdefault(reason, []).append(call)
    return HEAD + "".join(part for file in files for part in _file(file, by_reason))


def _file(file: File, by_reason: dict[str, list[str]]) -> Iterator[str]:
    proto = file.proto
    title = proto.service[0].name if proto.service else file.name.replace("_", " ").capitalize()
    yield f"\n## {title}\n\n[{file.name}.proto]({SOURCE}/{file.name}.proto)\n"
    for number, service in enumerate(proto.service):
        yield from _service(file, service, number)
    for number, enum in enumerate(proto.enum_type):
        yield from _enum(file, enum, enum.name, (5, number), by_reason)
    for number, message in enumerate(proto.message_type):
        yield from _message(file, message, message.name, (4, number), by_reason)


def _service(file: File, service: ServiceDescriptorProto, number: int) -> Iterator[str]:
    yield f"\n{file.paragraphs(6, number)}\n"
    for place, method in enumerate(service.method):
        answer = f"{'stream of ' * method.server_streaming}{_link(method.output_type)}"
        yield (f"\n### {service.name}.{method.name}\n\n{_link(method.input_type)} → {answer}\n\n"
               f"{_reasons_linked(file.paragraphs(6, number, 2, place))}\n")


def _message(file: File, message: DescriptorProto, name: str, path: tuple[int, ...],
             by_reason: dict[str, list[str]]) -> Iterator[str]:
    if message.options.map_entry:
        return
    yield f"\n### {name}\n\n{file.paragraphs(*path)}\n"
    maps = {f".{PACKAGE}.{name}.{one.name}": one for one in message.nested_type if one.options.map_entry}
    if message.field:
        yield "\n| field | type | |\n|---|---|---|\n"
    for place, field in enumerate(message.field):
        one_of = field.HasField("oneof_index") and not field.proto3_optional
        group = f"One of `{message.oneof_decl[field.oneof_index].name}`. " if one_of else ""
        yield f"| `{field.name}` = {field.number} | {_type(field, maps)} | {group}{file.line(*path, 2, place)} |\n"
    for place, enum in enumerate(message.enum_type):
        yield from _enum(file, enum, f"{name}.{enum.name}", (*path, 4, place), by_reason)
    for place, nested in enumerate(message.nested_type):
        yield from _message(file, nested, f"{name}.{nested.name}", (*path, 3, place), by_reason)


def _enum(file: File, enum: EnumDescriptorProto, name: str, path: tuple[int, ...],
          by_reason: dict[str, list[str]]) -> Iterator[str]:
    who = by_reason if enum.name == "ErrorReason" else {}
    yield f"\n### {name}\n\n{file.paragraphs(*path)}\n\n| value | |{' calls |' * bool(who)}\n|---|---|{'---|' * bool(who)}\n"
    for place, value in enumerate(enum.value):
        called = f" {', '.join(f'[{call}](#{_anchor(call)})' for call in who.get(value.name, ()))} |" if who else ""
        yield f"| `{value.name}` = {value.number} | {file.line(*path, 2, place)} |{called}\n"


def _type(field: FieldDescriptorProto, maps: dict[str, DescriptorProto]) -> str:
    if field.type_name in maps:
        key, value = maps[field.type_name].field
        return f"map of {_type(key, maps)} to {_type(value, maps)}"
    plain = _link(field.type_name) if field.type_name else Key.Type.Name(field.type).removeprefix("TYPE_").lower()
    kind = "repeated " if field.label == Key.LABEL_REPEATED else "optional " if field.proto3_optional else ""
    return kind + plain


def _link(type_name: str) -> str:
    """A message or enum by its full name, `.seatmate.v1.Zone.Layout`."""
    name = type_name.removeprefix(f".{PACKAGE}.")
    return f"[{name}](#{_anchor(name)})" if name != type_name else type_name.removeprefix(".")


def _anchor(title: str) -> str:
    """As Markdown makes it of a heading."""
    return re.sub(r"[^\w-]", "", title.lower())


def _reasons_linked(text: str) -> str:
    """The list of reasons leads to where each is explained."""
    head, found, reasons = text.partition("Errors: ")
    return head + found + re.sub(r"[A-Z_]{4,}", lambda reason: f"[{reason[0]}](#errorreason)", reasons)


def _escaped(line: str) -> str:
    """Angle brackets outside of code."""
    return "`".join(part if place % 2 else part.replace("<", "&lt;").replace(">", "&gt;")
                    for place, part in enumerate(line.split("`")))


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parent / "docs" / "api.md").write_text(reference(), "utf-8")
