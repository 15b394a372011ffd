"""What the tools take on their command lines: every kind of argument says in one sentence what is wrong with it."""
from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable
from pathlib import Path

from seatmate.ai.bots import BotSpec, parse_bot, parse_bots
from seatmate.ai.search.limits import LIMITS
from seatmate.engine.core.errors import SeatmateError


def command(description: str, examples: list[str]) -> argparse.ArgumentParser:
    """A command line with examples under --help and the option --json. What is wrong with it ends the program with code 2."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
        epilog="examples:\n" + "\n".join(f"  {example}" for example in examples))
    parser.add_argument("--json", type=result_file, metavar="FILE",
                        help="write everything measured, and where, as JSON; - for standard output")
    return parser


def whole(least: int, most: int = 2**32) -> Callable[[str], int]:
    """A whole number of this range, ends included."""
    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number") from None
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{value} is outside {least}..{most}")
        return value
    return parse


def above_zero(most: float) -> Callable[[str], float]:
    """A number above 0 and up to this."""
    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number") from None
        if math.isnan(value) or not 0 < value <= most:
            raise argparse.ArgumentTypeError(f"{text[:40]} is not above 0 and at most {most:g}")
        return value
    return parse


def share(text: str) -> float:
    """A number from 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number") from None
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text[:40]} is outside 0..1")
    return value


seed = whole(0)
processes = whole(1, 256)


def bot(text: str) -> str:
    """The canonical text of a bot."""
    try:
        return str(parse_bot(text))
    except SeatmateError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def bots(text: str) -> list[str]:
    """Canonical texts of bots that are separated by commas."""
    try:
        return [str(spec) for spec in parse_bots(text)]
    except SeatmateError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def knobs(text: str) -> BotSpec:
    """`key=value,key=value`: knobs of the search. What bounds a search is the tool's to say."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    try:
        spec = parse_bot(":".join(["search", *words]))
    except SeatmateError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    for key, _ in spec.parameters:
        if key in LIMITS:
            raise argparse.ArgumentTypeError(f"{key} bounds the search and is none of its knobs; it has options of its own")
    return spec


def result_file(text: str) -> str:
    """A file that can be written, or - for standard output: better known before hours of measuring than after them."""
    path = Path(text)
    if text == "-":
        return text
    if not text or path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is not the name of a file")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"{path} can't be written")
    return text
