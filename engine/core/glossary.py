"""Looking up the words and signs of boards, questions and answers."""
from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

MOST = 6
"""Entries that are shown for one word."""

SHORTEST_PART = 3
"""Letters from which on the beginning of a word finds it."""

_ARTICLES = frozenset(("a", "an", "the"))


def look_up(glossary: Mapping[str, str], text: str) -> list[str]:
    """The entries that the text means, in rich markup; the keys may list several names: "token, hint".

    What finds something hides what comes after it: exactly this name or sign; the name but for letter case, articles, a
    plural s and signs; the name without its numbers (DIM1, 3M); names that contain it as words; names with a word that
    begins so; and for several words each of them by itself. The order is that of the glossary: a game puts its rules
    before names of cards. A list that is cut says so.
    """
    wanted, words = text.strip().lower(), _words(text)
    bare = _numberless(wanted)
    whole: tuple[Callable[[str], bool], ...] = (
        lambda name: name.lower() == wanted,
        lambda name: bool(words) and _words(name) == words,
        lambda name: name.lower() == bare != "" or _words(name) == _words(bare) != [])
    parts: tuple[Callable[[str], bool], ...] = (
        lambda name: _within(words, _words(name)),
        lambda name: len(wanted) >= SHORTEST_PART and len(words) == 1 and any(word.startswith(words[0]) for word in _words(name)))
    for fits in whole + parts:
        found = [entry(key, meaning, names[0] if fits in whole else "")
                 for key, meaning in glossary.items() if (names := [name for name in key.split(", ") if fits(name)])]
        if found:
            break
    else:
        single = wanted.split()
        found = list(dict.fromkeys(line for part in single for line in look_up(glossary, part))) if len(single) > 1 else []
    more = [f"[dim]... and {len(found) - MOST} more; say more of the name[/dim]"] if len(found) > MOST else []
    return found[:MOST] + more


def entry(key: str, meaning: str, asked: str = "") -> str:
    """One word and its meaning as a line of rich markup; `asked`: by which of its names it was found, said before the first."""
    first = key.split(", ")[0]
    names = [asked, first] if asked and asked != first else [first]
    return f"[bold]{', '.join(names)}[/bold]: {meaning}"


@lru_cache(maxsize=1 << 13)     # the names of a glossary are asked for again and again; nobody changes the lists
def _words(text: str) -> list[str]:
    """The words without what doesn't matter to a reader."""
    found = [word.removesuffix("'s") for word in re.findall(r"[^\W_]+(?:'s)?", text.lower())]
    if len(found) > 1 and found[0] in _ARTICLES:
        del found[0]
    return [re.sub(r"(?<=x)es$|(?<=..[^s])s$", "", word) for word in found]


def _numberless(text: str) -> str:
    """`dim` of `dim1`, `+` of `3 +2`."""
    return re.sub(r"\d+", "", text).strip()


def _within(wanted: list[str], name: list[str]) -> bool:
    return bool(wanted) and any(name[at:at + len(wanted)] == wanted for at in range(len(name)))
