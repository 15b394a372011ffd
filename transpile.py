"""From the .pyx files of a folder to C in one process: what has changed. Called by CMakeLists.txt.

    transpile.py TREE DEPFILE SOURCE...

TREE: where `cimport seatmate...` is looked up · DEPFILE: what the C files were made of, for ninja · SOURCE: from the root of the
repository; the C file of engine/core/game.pyx comes to the same place below the working directory.
"""
from __future__ import annotations

import sys
from pathlib import Path

from Cython.Compiler.Main import CompilationOptions, compile

ROOT = Path(__file__).resolve().parent


def is_old(made: Path, notes: Path) -> bool:
    """Is the C file missing, or something newer that it was made of?"""
    if not made.exists() or not notes.exists():
        return True
    parts = [Path(part) for part in (*parts_of(notes), __file__)]
    return any(not part.exists() or part.stat().st_mtime > made.stat().st_mtime for part in parts)


def parts_of(notes: Path) -> list[str]:
    """The files in a depfile of Cython's."""
    return notes.read_text().partition(":")[2].replace("\\\n", " ").split()


def main(tree: str, depfile: str, *sources: str) -> int:
    """Returns 1 if one of the sources is wrong."""
    made = [Path(source).with_suffix(".c") for source in sources]
    for source, file in zip(sources, made, strict=True):
        notes = Path(f"{file}.dep")
        if is_old(file, notes):
            file.parent.mkdir(parents=True, exist_ok=True)
            notes.unlink(missing_ok=True)  # written last: half a C file has none
            options = CompilationOptions(
                language_level=3, include_path=[tree], output_file=str(file), depfile=True,
                compiler_directives={"cdivision": True, "embedsignature": True})
            name = "seatmate." + source.removesuffix(".pyx").replace("/", ".")
            if compile(str(ROOT / source), options, full_module_name=name).num_errors:
                file.unlink(missing_ok=True)
                return 1
    parts = sorted({part for file in made for part in parts_of(Path(f"{file}.dep"))})
    Path(depfile).parent.mkdir(parents=True, exist_ok=True)
    Path(depfile).write_text(f"{' '.join(map(str, made))}: {' '.join(parts)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
