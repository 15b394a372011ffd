"""What the text of a bot's parameter means. Every parser raises ValueError that says what is wrong."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from seatmate.engine.core.errors import unlisted
from seatmate.engine.core.spec import whole_number

Value = bool | int | float | str
Parser = Callable[[str], Value]


def whole(least: int, most: int) -> Parser:
    """A whole number of this range."""
    def parse(text: str) -> Value:
        value = whole_number(text)
        if value is None:
            raise ValueError(f"{text!r} is not a whole number")
        if not least <= value <= most:
            raise ValueError(f"{value} is outside {least}..{most}")
        return value
    return parse


def number(text: str) -> Value:
    """Any number."""
    try:
        if not text.isascii() or "_" in text:       # float reads the digits of all scripts, and 1_0 as 10
            raise ValueError
        return float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number") from None


def number_between(least: float, most: float) -> Parser:
    """A number of this range."""
    def parse(text: str) -> Value:
        value = float(number(text))
        if not least <= value <= most:
            raise ValueError(f"{text} is outside {least:g}..{most:g}")
        return int(value) if value == int(value) else value
    return parse


def milliseconds(text: str) -> Value:
    """A time above 0."""
    value = float(number(text))
    if not 0 < value <= 1e9:
        raise ValueError(f"{text} is not above 0 and at most 1e9 milliseconds")
    return int(value) if value == int(value) else value


def megabytes(text: str) -> Value:
    """An amount of memory."""
    value = float(number(text))
    if not 1 <= value <= 1e6:
        raise ValueError(f"{text} is outside 1..1e6 megabytes")
    return int(value) if value == int(value) else value


def flag(text: str) -> Value:
    """Yes or no."""
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if text.lower() not in words:
        raise ValueError(f"{text!r} is neither true nor false")
    return words[text.lower()]


def word(words: Sequence[str]) -> Parser:
    """One of these words."""
    def parse(text: str) -> Value:
        if text not in words:
            raise ValueError(unlisted(text, words))
        return text
    return parse
