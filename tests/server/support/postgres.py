"""A PostgreSQL of the tests' own: a cluster in a temporary folder, reached by a socket that nobody else knows."""
from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

USER = "postgres"   # the account that runs it where the tests run as root, which PostgreSQL refuses to be


def _folder_of_programs() -> Path | None:
    """Where initdb and pg_ctl are; None: nowhere."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    debians = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda one: int(one.parts[-3]))
    return debians[-1].parent if debians else None


@contextlib.contextmanager
def cluster() -> Iterator[Path]:
    """A running PostgreSQL; yields the folder of its socket. Skips where there is none, unless SEATMATE_NEEDS_POSTGRES is set."""
    programs = _folder_of_programs()
    missing = "no PostgreSQL server (initdb) is installed" if programs is None else ""
    if not missing and importlib.util.find_spec("psycopg") is None:
        missing = "psycopg is not installed (the extra `postgres`)"
    if missing:
        if os.environ.get("SEATMATE_NEEDS_POSTGRES"):
            pytest.fail(missing)
        pytest.skip(missing)
    assert programs is not None
    other = USER if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="seatmate-pg-"))

    def run(program: str, *arguments: str) -> None:
        command = [str(programs / program), *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, user=other)
        assert done.returncode == 0, done.stderr + done.stdout

    try:
        if other:
            shutil.chown(folder, USER)
        run("initdb", "-D", f"{folder}/data", "-A", "trust", "-U", "seatmate", "--no-sync", "-E", "UTF8", "--locale=C")
        run("pg_ctl", "-D", f"{folder}/data", "-w", "-l", f"{folder}/log", "-o",
            f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off -c max_connections=200", "start")
        try:
            yield folder
        finally:
            run("pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def new_database(folder: Path, name: str) -> str:
    """A fresh database of this name; returns its URL."""
    import sqlalchemy as sa

    url = f"postgresql+psycopg:///{{}}?host={folder}&user=seatmate"
    engine = sa.create_engine(url.format("postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"create database {name}")
    engine.dispose()
    return url.format(name)
