"""Looking up the words of boards, questions and answers."""
from __future__ import annotations

import re
from collections.abc import Mapping

MOST = 6
"""Entries that are shown for one word."""


def look_up(glossary: Mapping[str, str], text: str) -> list[str]:
    """The entries that the text means, in rich markup; the keys may list several words: "token, hint".

    An entry of exactly this name comes before those that contain it as a word; letter case, a plural s and signs don't matter.
    """
    wanted = _words(text)
    if not wanted:
        return []
    exact, part = [], []
    for key, meaning in glossary.items():
        names = [_words(name) for name in key.split(", ")]
        if wanted in names:
            exact.append(entry(key, meaning))
        elif any(_within(wanted, name) for name in names):
            part.append(entry(key, meaning))
    return (exact or part)[:MOST]


def entry(key: str, meaning: str) -> str:
    """One word and its meaning as a line of rich markup."""
    return f"[bold]{key.split(', ')[0]}[/bold]: {meaning}"


def _words(text: str) -> list[str]:
    """The words without what doesn't matter to a reader."""
    found = [word.removesuffix("'s") for word in re.findall(r"[^\W_]+(?:'s)?", text.lower())]
    return [re.sub(r"(?<=x)es$|(?<=..[^s])s$", "", word) for word in found]


def _within(wanted: list[str], name: list[str]) -> bool:
    return any(name[at:at + len(wanted)] == wanted for at in range(len(name)))
