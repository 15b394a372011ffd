"""The blocking client out of the asynchronous one: the same code without its waiting. Called by CMakeLists.txt.

    unasync.py SOURCE MADE

Both clients have one source, so that neither can do what the other doesn't.
"""
from __future__ import annotations

import re
import sys
from pathlib import Path

WORDS = (
    (r"\bimport asyncio\nimport logging\n", "import logging\n"),
    (r"\bimport grpc\nimport grpc\.aio\n", "import grpc\n"),
    (r"\bgrpc\.aio\b", "grpc"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\b(await|async) ", ""),
    (r"\bAwaitable\[(\w+)\]", r"\1"),
    (r"\bAsyncIterator\b", "Iterator"),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"(\w+Service)AsyncStub\b", r"\1Stub"),
)
"""What is written otherwise, in this order."""


def blocking(source: str) -> str:
    """The source without its waiting. Raises ValueError if a word of waiting is left."""
    for pattern, word in WORDS:
        source = re.sub(pattern, word, source)
    if left := re.search(r"\b(a?sync|await|aio|asyncio|\w*Async\w*)\b", re.sub(r'"""(?:.|\n)*?"""|#.*', "", source)):
        raise ValueError(f"nothing is known for {left[0]!r}")
    return source


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(blocking(Path(sys.argv[1]).read_text("utf-8")), "utf-8")
