"""Events in words, with what belongs together on one line."""
from __future__ import annotations

import re
from collections.abc import Callable

_ACTING = re.compile(r"(?:You|(?:Seat|Bot) \d+|The (?:drone|ghost|[A-Z][\w-]*(?: [A-Z][\w-]*)*)) (?=[a-z])")
_NAMING = re.compile(r"[A-Z]\w*: (?=\S)")


class Narrator:
    """Joins sentences about the same seat, bot or named thing, and lists under the same word, before they are printed.

    `Seat 1 moves to the Crypt.` `Seat 1 draws a card.` becomes `Seat 1 moves to the Crypt · draws a card`;
    `Revealed: Eye 4.` `Revealed: Bat 1.` becomes `Revealed: Eye 4, Bat 1`. Nothing else is changed. A line is held back
    until the next one begins: call `flush` before anything else is printed.
    """

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._subject = ""
        self._parts: list[str] = []

    def tell(self, sentence: str) -> None:
        """Take the next sentence."""
        found = _ACTING.match(sentence) or _NAMING.match(sentence)
        subject = found[0] if found and sentence.count(".") <= 1 else ""
        if not subject or subject != self._subject:
            self.flush()
        self._subject = subject
        self._parts.append(sentence[len(subject):] if subject else sentence)

    def flush(self) -> None:
        """Print what has been held back."""
        if not self._parts:
            return
        if len(self._parts) == 1:
            line = self._subject + self._parts[0]
        else:
            joiner = ", " if self._subject.endswith(": ") else " · "
            line = self._subject + joiner.join(part.removesuffix(".") for part in self._parts)
        self._subject, self._parts = "", []
        self._show(line)
