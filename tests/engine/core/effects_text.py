"""The text of a syntax tree: what the parser has read, written again."""
from __future__ import annotations

from seatmate.engine.core.effects import (
    Branch,
    Head,
    Line,
    Sequence,
    Step,
    format_arguments,
    format_condition,
    format_value,
)


def format_line(line: Line) -> str:
    """The canonical text of a line: `parse_line(format_line(line)) == line`."""
    parts = []
    if line.head is not None:
        parts.append(format_head(line.head) + ":")
    for target in line.targets:
        sign = f"{target.register}=" if target.register else "need "
        parts.append(f"{sign}{format_value(target.selector)},")
    if line.pay:
        parts.append(f"pay {{{format_sequence(line.pay)}}}")
    parts.append(format_sequence(line.body))
    return " ".join(parts)


def format_head(head: Head) -> str:
    """The text of a head without its colon."""
    parts = [head.trigger]
    if head.events:
        subject = f"({format_value(head.subject)})" if head.subject is not None else ""
        parts.append("|".join(event.name for event in head.events) + subject)
    if head.by:
        parts.append(f"by={head.by}")
    parts.extend(head.flags)
    if head.when:
        parts.append(f"when({format_condition(head.when)})")
    return " ".join(parts)


def format_sequence(sequence: Sequence) -> str:
    """The text of steps and branches with their separators."""
    text = ""
    for item in sequence:
        separator = " -> " if item.chained else "; "
        text += (separator if text else "") + (_branch(item) if isinstance(item, Branch) else _step(item))
    return text


def _branch(branch: Branch) -> str:
    text = f"if {format_condition(branch.condition)} {{{format_sequence(branch.then)}}}"
    return f"{text} else {{{format_sequence(branch.otherwise)}}}" if branch.otherwise else text


def _step(step: Step) -> str:
    words = [f"{step.who}:"] if step.who else []
    words += ["may"] * step.may + ["after"] * step.after
    stores = "".join(f">{store.register}{'.' if store.part else ''}{store.part}" for store in step.stores)
    words.append(f"{step.verb}({format_arguments(step.args)}){stores}")
    if step.condition:
        words.append(f"if {format_condition(step.condition)}")
    return " ".join(words)
