"""The house: what ships, what may import what, and that nothing points out of it."""
from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import files
from pathlib import Path

import pytest

import seatmate
from seatmate.engine.core.registry import list_games

ROOT = Path(__file__).parents[1]
FOLDERS = ("engine", "ai", "server", "client")
CODE = (".py", ".pyi", ".pyx", ".pxd")
INSTALLED = Path(seatmate.__path__[0])

IMPORT = re.compile(r"^\s*(?:from\s+(?P<source>[\w.]+)\s+c?import\b|c?import\s+(?P<module>[\w.]+))", re.MULTILINE)


def tracked() -> list[Path]:
    """The project's own files."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [path for name in listed.stdout.decode().split("\0") if name and (path := ROOT / name).is_file()]


def code(folder: str) -> list[Path]:
    """The source files below a folder."""
    return sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in CODE)


def imports(path: Path) -> Iterator[str]:
    """Every module a Python or Cython file imports or cimports, as written."""
    for match in IMPORT.finditer(path.read_text()):
        yield match["source"] or match["module"]


# ---- What ships ----

def test_the_root_folders_are_never_imported_bare() -> None:
    """`import engine` would work in the repository root and load a second copy of everything."""
    assert not set(FOLDERS) & {name for name, module in sys.modules.items() if getattr(module, "__file__", None) is not None}
    assert INSTALLED.is_relative_to(sys.prefix), f"seatmate comes from {INSTALLED}: install it, do not import it from the tree"


OPTIONAL = {"seatmate.ai.adapters.openspiel": "pyspiel", "seatmate.ai.adapters.pettingzoo": "pettingzoo",
            "seatmate.ai.arena.on_ray": "ray"}
"""Packages that need an extra, and what it brings."""


def test_every_package_and_module_imports() -> None:
    names = [module.name for module in pkgutil.walk_packages(seatmate.__path__, "seatmate.")]
    assert {f"seatmate.{folder}" for folder in FOLDERS} <= set(names)
    missing = tuple(name for name, needed in OPTIONAL.items() if importlib.util.find_spec(needed) is None)
    for name in names:
        if not name.endswith("__main__") and not name.startswith(missing):
            importlib.import_module(name)


def test_what_is_installed_is_what_is_in_the_tree() -> None:
    """Tests run the installed package; this is the guard against testing yesterday's."""
    for folder in FOLDERS:
        for path in code(folder):
            if path.suffix != ".pyx":
                twin = INSTALLED / path.relative_to(ROOT)
                assert twin.exists(), f"{path.relative_to(ROOT)} is not installed: pip install ."
                assert twin.read_text() == path.read_text(), f"{path.relative_to(ROOT)} has changed: pip install ."


def test_headers_and_types_ship_and_cython_sources_do_not() -> None:
    shipped = files("seatmate")
    assert shipped
    names = {str(path) for path in shipped}
    assert not [name for name in names if name.endswith((".pyx", ".c"))]
    assert "seatmate/py.typed" in names
    for folder in FOLDERS:
        for path in code(folder):
            if path.suffix in (".pxd", ".pyi"):
                assert f"seatmate/{path.relative_to(ROOT)}" in names


def test_every_compiled_module_that_python_code_uses_has_a_stub() -> None:
    compiled = {".".join(["seatmate", *path.relative_to(ROOT).with_suffix("").parts]): path
                for folder in FOLDERS for path in code(folder) if path.suffix == ".pyx"}
    for folder in (*FOLDERS, "tests", "benches"):
        for path in code(folder):
            for name in imports(path) if path.suffix == ".py" else ():
                if name in compiled:
                    assert compiled[name].with_suffix(".pyi").exists(), f"{path.relative_to(ROOT)} imports {name}"


def test_stubs_name_what_the_modules_have() -> None:
    """A stub that names something its module has not is a promise broken at run time."""
    for folder in FOLDERS:
        for path in code(folder):
            if path.suffix == ".pyi" and path.with_suffix(".pyx").exists():
                module = importlib.import_module(".".join(["seatmate", *path.relative_to(ROOT).with_suffix("").parts]))
                for name in re.findall(r"^(?:class|def|async def)\s+(\w+)|^(\w+):", path.read_text(), re.MULTILINE):
                    public = next(filter(None, name))
                    assert hasattr(module, public) or public.startswith("_"), f"{path.relative_to(ROOT)} names {public}"


# ---- What may import what (import-linter sees only .py; this sees Cython too) ----

def test_arrows_point_down() -> None:
    above = {"engine": ("seatmate.ai", "seatmate.server", "seatmate.v1", "grpc"), "ai": ("seatmate.server", "seatmate.v1", "grpc")}
    for folder, forbidden in above.items():
        for path in code(folder):
            for name in imports(path):
                assert not any(name == top or name.startswith(f"{top}.") for top in forbidden), f"{path} imports {name}"


def test_nothing_imports_the_root_folders_bare() -> None:
    for folder in (*FOLDERS, "tests", "benches"):
        for path in code(folder):
            for name in imports(path):
                assert name.split(".")[0] not in FOLDERS, f"{path.relative_to(ROOT)} imports {name}: seatmate.{name} is meant"


def game_folders() -> list[str]:
    """The packages of the games."""
    return [path.name for path in (ROOT / "engine").iterdir() if (path / "__init__.py").exists() and path.name != "core"]


def test_the_core_imports_no_game_and_a_game_only_the_core() -> None:
    games = game_folders()
    assert "classics" in games
    for path in code("engine"):
        home = path.relative_to(ROOT / "engine").parts[0]
        for name in imports(path):
            if name.startswith("seatmate.engine."):
                assert name.split(".")[2] in ("core", home), f"{path.relative_to(ROOT)} imports {name}"


def test_the_search_the_bots_and_the_arena_never_name_a_game() -> None:
    ids = "|".join(spec.id for spec in list_games())
    literal = re.compile(rf"""["']({ids})["']""")
    for path in code("ai"):
        for name in imports(path):
            assert not re.match(rf"seatmate\.engine\.({'|'.join(game_folders())})\b", name), f"{path} imports {name}"
        assert not (found := literal.search(path.read_text())), f"{path.relative_to(ROOT)} names the game {found[1]}"


def test_only_tests_use_the_testing_helpers() -> None:
    for folder in FOLDERS:
        for path in code(folder):
            assert not any(name.startswith("seatmate.tests") for name in imports(path)), f"{path.relative_to(ROOT)} imports tests"


def test_a_folder_of_a_game_lists_its_rooms() -> None:
    """In the docstring of its `__init__`, one line each below its first paragraph."""
    folders = {path.parent for game in game_folders() for path in (ROOT / "engine" / game).glob("*/__init__.py")}
    assert len(folders) > 15
    for folder in folders:
        rooms = {path.stem for path in code(str(folder.relative_to(ROOT)))} - {"__init__"}
        rows = (folder / "__init__.py").read_text().partition("\n\n")[2]
        listed = set(re.findall(r"^(\w+) +\S", rows, re.MULTILINE))
        assert listed == rooms, f"{folder.relative_to(ROOT)} lists or leaves out {sorted(listed ^ rooms)}"


# ---- What nobody uses ----

CIMPORT = re.compile(r"^[ \t]*(?:from[ \t]+(?P<source>[\w.]+)[ \t]+)?cimport[ \t]+(?P<names>\([^)]*\)|[^\n]*)", re.MULTILINE)


def cimported(text: str) -> list[tuple[str, str, str]]:
    """Everything a Cython file cimports: the module, the name it has there and the name it has here."""
    found = []
    for match in CIMPORT.finditer(re.sub(r"#.*", "", text)):
        words = [part.split() for part in match["names"].strip("() \n").split(",")]
        found += [(match["source"] or "", name[0], name[-1]) for name in words if name]
    return found


def unused_cimports(texts: dict[str, str]) -> list[str]:
    """What no code uses, as "file name"; `texts`: source by path. A header's also serve its .pyx and who cimports them from it."""
    wanted = {(source, name) for text in texts.values() for source, name, _here in cimported(text)}
    found = []
    for path, text in texts.items():
        readers = [text, texts.get(path.removesuffix(".pxd") + ".pyx", "")] if path.endswith(".pxd") else [text]
        words = {word for reader in readers
                 for word in re.findall(r"\w+", CIMPORT.sub("", re.sub(r'"""(?:.|\n)*?"""|#.*', "", reader)))}
        module = f"seatmate.{path.removesuffix('.pxd').replace('/', '.')}"
        found += [f"{path} {here}" for _source, _name, here in cimported(text)
                  if here != "*" and here not in words and (module, here) not in wanted]
    return found


def test_nothing_is_cimported_for_nothing() -> None:
    """`cython-lint` finds these in .pyx files, and never looks into headers."""
    files = [path for folder in FOLDERS for path in code(folder) if path.suffix in (".pyx", ".pxd")]
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in files}
    assert len(texts) > 100
    assert not unused_cimports(texts)


def test_an_unused_cimport_is_found() -> None:
    texts = {"engine/a.pxd": "from libc.stdint cimport int8_t, int16_t, int32_t  # int32_t\ncdef int8_t small() nogil\n",
             "engine/a.pyx": "from seatmate.engine.b cimport (\n    Book,\n    Rng as Dice,\n)\ncdef int16_t n\ncdef Book book\n",
             "engine/b.pxd": "from seatmate.engine.c cimport Book, Rng\n"}
    assert unused_cimports(texts) == ["engine/a.pxd int32_t", "engine/a.pyx Dice"]


# ---- What the files point to ----

TEXT = (*CODE, ".md", ".toml", ".proto", ".yaml", ".yml", ".txt", ".cfg", ".json", "")


def text_files() -> list[Path]:
    return [path for path in tracked() if path.suffix in TEXT]


def test_no_file_refers_to_a_place_outside_the_project() -> None:
    places = re.compile("|".join(rf"(?<![\w.]){place}" for place in ("/work" + "/", "/home" + "/", "/root" + "/", "/tmp" + "/wt")))
    for path in text_files():
        text = path.read_text(errors="replace")
        assert not (found := places.search(text)), f"{path.relative_to(ROOT)} refers to {text[found.start():found.start() + 40]!r}"


def test_documents_that_are_named_exist() -> None:
    names = {path.name for path in tracked()}
    for path in text_files():
        for named in re.findall(r"(?<![\w*])[\w./-]*\w\.md\b", path.read_text(errors="replace")):
            assert Path(named).name in names, f"{path.relative_to(ROOT)} names {named}, which does not exist"


TOPS = "|".join((*FOLDERS, "tests", "benches", "proto", "docs"))
NAMED = re.compile(rf"(?<![\w/.<*-])(?:{TOPS})(?:/[\w-]+)+(?:\.[a-z]+)?\b(?![/.]?[\w<{{*])")
"""A path from the root, as in engine/core/contract.pxd; what holds a placeholder, as in engine/<game>/game.pyx, is none."""


def lost_paths(text: str, known: set[str]) -> list[str]:
    """The paths a text names that are not `known`; a module may go without its suffix."""
    return [path for path in NAMED.findall(text) if path not in known and not known & {f"{path}{suffix}" for suffix in CODE}]


def test_paths_that_are_named_exist() -> None:
    """In the documents and in the comments of the code: a file that moves takes its name along."""
    files = [path.relative_to(ROOT) for path in tracked()]
    known = {str(place) for path in files for place in (path, *path.parents)}
    made = {"benches/TOOL.py"}
    for path in text_files():
        lost = [] if path == Path(__file__) else lost_paths(path.read_text(errors="replace"), known | made)
        assert not lost, f"{path.relative_to(ROOT)} names {lost}"


def test_a_lost_path_is_found() -> None:
    known = {"engine/core", "engine/core/zones.pxd"}
    assert not lost_paths("`engine/core/zones.pxd`, engine/core/zones, engine/core/, engine/<game>/a.pyx, build/ai/x.pyx", known)
    assert lost_paths("(engine/mythos/glossary.py), engine/core/old.", known) == ["engine/mythos/glossary.py", "engine/core/old"]


def test_links_between_documents_lead_somewhere() -> None:
    for path in text_files():
        if path.suffix == ".md":
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text()):
                if not re.match(r"[a-z]+:", target):
                    assert (path.parent / target).exists(), f"{path.relative_to(ROOT)} links to {target}"


@pytest.mark.parametrize("target", ["run", "test", "bench", "golden", "clean", "help"])
def test_the_makefile_has_its_commands(target: str) -> None:
    assert re.search(rf"^{target}:.*## \S", (ROOT / "Makefile").read_text(), re.MULTILINE), f"make {target}"


def test_types_are_checked_whether_the_extras_are_installed_or_not() -> None:
    """mypy skips what an extra brings: the same is found where it is missing."""
    brought = {"open_spiel": ["open_spiel.*", "pyspiel.*"], "pettingzoo": ["pettingzoo.*", "gymnasium.*"],
               "playwright": ["playwright.*"], "opentelemetry-sdk": ["opentelemetry.*"],
               "opentelemetry-exporter-otlp-proto-http": ["opentelemetry.*"], "ray": ["ray.*"], "psycopg": ["psycopg.*"]}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    needs = {name: {re.split(r"[\[<>=~]", need)[0] for need in needs} for name, needs in extras.items()}
    optional = set().union(*(names for name, names in needs.items() if name != "dev")) - needs["dev"]
    assert optional == set(brought)
    skipped = {module for override in project["tool"]["mypy"]["overrides"] if override.get("follow_imports") == "skip"
               for module in override["module"]}
    assert {module for modules in brought.values() for module in modules} <= skipped


def test_ci_runs_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert re.search(r"^make test$", script.read_text(), re.MULTILINE)
    assert script.stat().st_mode & 0o111, ".ci/run is not executable"
    subprocess.run(["bash", "-n", str(script)], check=True)
