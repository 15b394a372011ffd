"""The house: what ships, what may import what, and that nothing points out of it."""
from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import files
from pathlib import Path

import pytest

import seatmate
from seatmate.engine.core.registry import list_games

ROOT = Path(__file__).parents[1]
FOLDERS = ("engine", "ai", "server")
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


OPTIONAL = {"seatmate.ai.adapters.openspiel": "pyspiel", "seatmate.ai.adapters.pettingzoo": "pettingzoo"}
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
            assert "seatmate.engine.core._testing" not in imports(path), f"{path.relative_to(ROOT)} imports _testing"


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


def test_links_between_documents_lead_somewhere() -> None:
    for path in text_files():
        if path.suffix == ".md":
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text()):
                if not re.match(r"[a-z]+:", target):
                    assert (path.parent / target).exists(), f"{path.relative_to(ROOT)} links to {target}"


@pytest.mark.parametrize("target", ["run", "test", "bench", "golden", "clean", "help"])
def test_the_makefile_has_its_commands(target: str) -> None:
    assert re.search(rf"^{target}:.*## \S", (ROOT / "Makefile").read_text(), re.MULTILINE), f"make {target}"


def test_ci_runs_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert re.search(r"^make test$", script.read_text(), re.MULTILINE)
    assert script.stat().st_mode & 0o111, ".ci/run is not executable"
    subprocess.run(["bash", "-n", str(script)], check=True)
