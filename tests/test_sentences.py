"""Turns of phrase that a native speaker would not use, and that must not come back into what people read.

That is the README, the guides, the comments of the API, and every text and docstring of the command line, the service, the search,
the bots and the engine's core.
"""
from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

CODE = ("server", "client", "engine/core", "ai/search", "ai/bots", "ai/arena")
DOCUMENTS = ("README.md", *(f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md"))))

SUFFIXES = (".py", ".pyx", ".pxd", ".pyi")

PHRASES = {
    "your own, not one's own": r"\bof one's own\b|\bone's own\b",
    "about two dozen, not some": r"\bsome (two )?dozen\b",
    "depends on, not hangs on": r"\bhangs? (up)?on\b",
    "known about, not known of": r"\b(nothing|what|all|more) (more )?is known of\b",
    "compared with, not held against": r"\bheld against\b",
    "as many as, not the most": r"\bthe most (that )?the (mode|game|table) (takes|allows)\b",
    "based on, not stands on": r"\b(reason|it|each|they) stands on\b",
    "begin a new game, not anew": r"\b(begin|begins|draw|drawn|fitted|play|played) anew\b",
    "return, not answer": r"\b(method|function|call|Create\w+|Claim\w+|Leave\w+|Suggest\w+) answers\b(?! (with )?[A-Z_]{3,})",
    "response of a method": r"\bAnswer of [A-Z]\w+\.",
    "the same seed, not one seed": r"\b[Oo]ne seed gives one\b",
    "a limit on time, not a budget": r"\btime budget\b(?= (excepted|may))",
    "if it doesn't matter, not no matter": r"\bwhere that is no matter\b",
    "whoever it happens to, not befalls": r"\bbefall(s|en)?\b",
}
"""What to say instead, and what not to say."""


def sentences(path: Path) -> str:
    """What people read in a file: a document, the comments of the API, all texts and docstrings of Python and Cython."""
    text = path.read_text()
    if path.suffix == ".proto":
        return "\n".join(re.findall(r"//(.*)", text))
    if path.suffix == ".py":
        return "\n".join(node.value for node in ast.walk(ast.parse(text))
                         if isinstance(node, ast.Constant) and isinstance(node.value, str))
    if path.suffix in SUFFIXES:
        return "\n".join(long or short for long, short in re.findall(r'"""(.*?)"""|"([^"\n]*)"', text, re.DOTALL))
    return text


def faults(text: str) -> list[str]:
    """The phrases found, each with what to say instead."""
    folded = " ".join(text.split())
    return [f"{found[0]!r}: {advice}" for advice, pattern in PHRASES.items() for found in re.finditer(pattern, folded)]


def read() -> list[Path]:
    code = [path for folder in CODE for path in sorted((ROOT / folder).rglob("*.p[yx]*")) if path.suffix in SUFFIXES]
    return [*(ROOT / name for name in DOCUMENTS), *sorted((ROOT / "proto").rglob("*.proto")), *code]


def test_no_phrase_comes_back() -> None:
    found = {str(path.relative_to(ROOT)): wrong for path in read() if (wrong := faults(sentences(path)))}
    assert not found, "\n".join(f"{name}: {', '.join(wrong)}" for name, wrong in found.items())
    assert len(read()) > 100


@pytest.mark.parametrize("text", [
    "a pack of one's own", "some two dozen settings", "it hangs on your hand", "nothing is known of it", "held against the best",
    "Default: the most the mode takes.", "the feature it stands on", "drawn anew", "CreateTable answers the token",
    "Answer of TableService.GetTable.", "One seed gives one result", "bots with a time budget excepted", "whom they befall",
    "-1 where that is no matter"])
def test_a_phrase_is_found(text: str) -> None:
    assert faults(text)


def test_what_is_right_passes() -> None:
    assert not faults("Your own pack. It depends on the hand; nothing is known about it. The call answers NOT_FOUND. A bot with a "
                      "time budget. Draw a card. Compared with the best. It stands on place 3.")
