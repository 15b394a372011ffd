"""The results file: what was played, deal by deal, so that a run can be resumed, reproduced and analysed again.

JSON Lines, UTF-8. The first line is the specification:

    {"format": "seatmate-tournament", "version": 1, "spec": {... TournamentSpec.to_json ...}, "crc32": 123}

and every other line is one deal, in order, with the utilities by lineup (`spec.lineups`) and seat, and how many decisions with
a choice each game had:

    {"deal": 0, "utilities": [[1.0, 0.0], [0.5, 0.5]], "decisions": [12, 14], "crc32": 123}

Where a bot of somebody else failed, the line has its faults, too, by the number of the bot: "faults": {"1": {"crashes": 2}}.
Where the tournament keeps its games, it has all (seat, action) of each, too: "actions": [[[0, 1], [1, 0]], ...].

`crc32` is the checksum of the line's text before it, so that damage is noticed. Lines are only ever added, whole deals in
order, whatever the number of workers: the file of a run that was interrupted and resumed equals the file of one that was
not, and the file of 100 deals is the beginning of the file of 200.
"""
from __future__ import annotations

import contextlib
import json
import os
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from seatmate.ai.arena.deal import Deal
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.bots.guarded import Faults
from seatmate.engine.core.errors import SeatmateError

FORMAT = "seatmate-tournament"
VERSION = 1

_SYNC_EVERY_S = 1.0         # a power cut loses at most the deals of so many seconds; a killed process loses none of them
_CHECKSUM = b', "crc32": '


class ResultsError(SeatmateError):
    """A results file is damaged, belongs to another tournament or is in use; the message names the file and the reason."""


def load_results(path: str | os.PathLike[str]) -> tuple[TournamentSpec, list[Deal]]:
    """The specification and all whole deals of a results file. A line cut short at the end (by a crash) is left out.

    Raises ResultsError for a file that is damaged or no results file, OSError.
    """
    _check_regular(path)
    with open(path, "rb") as file:
        spec, deals, _ = _read(file, str(path))
    if spec is None:
        raise ResultsError(f"{path} holds no tournament yet: its first line is not complete")
    return spec, deals


def load_spec(path: str | os.PathLike[str]) -> TournamentSpec | None:
    """The specification alone; None where not even the first line is whole. Raises ResultsError, OSError."""
    _check_regular(path)
    with open(path, "rb") as file:
        line = file.readline()
    return _parse_spec(_parse(line, str(path), 1), str(path)) if line.endswith(b"\n") else None


class ResultsFile:
    """A results file that is open for more deals of `spec`; `deals` are those it had. Use it in a `with` block.

    An existing file must belong to the same spec; a line cut short at its end is dropped. Raises ResultsError, OSError.
    """

    def __init__(self, path: str | os.PathLike[str], spec: TournamentSpec) -> None:
        self.path = Path(path)
        self.deals: list[Deal] = []
        _check_regular(path)
        self._file = open(self.path, "a+b", buffering=0)
        try:
            self._lock()
            self._begin(spec)
        except BaseException:
            self._file.close()
            raise
        self._next = len(self.deals)
        self._synced = time.monotonic()

    def append(self, deals: Sequence[Deal]) -> None:
        """Add the next deals, in one write. Raises ResultsError where they can't be stored; the deals before them are."""
        lines = [_line({"deal": number, **_deal_json(deal)}) for number, deal in enumerate(deals, start=self._next)]
        self._write(b"".join(lines))
        self._next += len(deals)
        if time.monotonic() - self._synced > _SYNC_EVERY_S:
            self._sync()

    def close(self) -> None:
        """Make sure that everything is on disk. Raises ResultsError where it is not."""
        if not self._file.closed:
            try:
                self._sync()
            finally:
                self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _lock(self) -> None:
        """Two runs that write one file would spoil it."""
        try:
            import fcntl
        except ImportError:     # no such locks on this system
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ResultsError(f"{self.path} is in use: another tournament is writing to it") from None

    def _begin(self, spec: TournamentSpec) -> None:
        first = _line({"format": FORMAT, "version": VERSION, "spec": spec.to_json()})
        self._file.seek(0)
        stored, self.deals, whole = _read(self._file, str(self.path))
        if stored is not None:
            difference = _first_difference(_comparable(stored), _comparable(spec))
            if difference is not None:
                field, theirs, ours = difference
                raise ResultsError(f"{self.path} belongs to another tournament: {field} is {theirs} there and {ours} here")
            self._file.truncate(whole)
            return
        self._file.seek(0)
        if not first.startswith(self._file.read()):
            raise ResultsError(f"{self.path} is no results file of a tournament, and is left as it is")
        self._file.truncate(0)
        self._write(first)
        self._sync()

    def _write(self, data: bytes) -> None:
        with self._storing():
            while data:         # an unbuffered write may take only a part
                data = data[self._file.write(data):]

    def _sync(self) -> None:
        with self._storing():
            os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    @contextlib.contextmanager
    def _storing(self) -> Iterator[None]:
        """Say what a full disk means for the run."""
        try:
            yield
        except OSError as error:
            raise ResultsError(f"{self.path} can't be written: {(error.strerror or str(error)).lower()}; the deals stored before "
                               "are kept, and the same command goes on from there") from error


def _check_regular(path: str | os.PathLike[str]) -> None:
    """A device or a pipe may have no end to read to. Raises ResultsError; what does not exist or is a folder is for `open`."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise ResultsError(f"{path} is no regular file, and can't keep results")


# ---- Lines ----

def _line(values: Mapping[str, Any]) -> bytes:
    body = json.dumps(values, ensure_ascii=False, allow_nan=False)[:-1].encode()
    return body + _CHECKSUM + b"%d}\n" % zlib.crc32(body)


def _read(file: BinaryIO, name: str) -> tuple[TournamentSpec | None, list[Deal], int]:
    """(spec, deals, bytes of the whole lines); the spec is None where not even the first line is whole."""
    deals: list[Deal] = []
    spec: TournamentSpec | None = None
    whole = 0
    for number, line in enumerate(file, start=1):
        if not line.endswith(b"\n"):
            break
        whole += len(line)
        data = _parse(line, name, number)
        if spec is None:
            spec = _parse_spec(data, name)
        else:
            deals.append(_check_deal(data, len(deals), spec, f"{name}, line {number}"))
    return spec, deals, whole


def _parse(line: bytes, name: str, number: int) -> dict[str, Any]:
    body, checksum, rest = line.rpartition(_CHECKSUM)
    if not checksum:
        if number == 1:
            raise ResultsError(f"{name} is no results file of a tournament")
        raise ResultsError(f"{name} is damaged: line {number} has no checksum")
    if rest != b"%d}\n" % zlib.crc32(body):
        raise ResultsError(f"{name} is damaged: line {number} does not match its checksum")
    try:
        data = json.loads(body + b"}")
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{name} is damaged: line {number} is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise ResultsError(f"{name} is damaged: line {number} is not an object")
    return data


def _parse_spec(data: Mapping[str, Any], name: str) -> TournamentSpec:
    if data.get("format") != FORMAT:
        raise ResultsError(f"{name} is no results file of a tournament")
    if data.get("version") != VERSION:
        raise ResultsError(f"{name} has version {data.get('version')!r} of the results format; this program reads {VERSION}")
    try:
        return TournamentSpec.from_json(data["spec"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ResultsError(f"{name} is damaged: its specification is broken: {type(error).__name__} {error}") from None


def _deal_json(deal: Deal) -> dict[str, Any]:
    faults = {str(bot): faults.to_json() for bot, faults in sorted(deal.faults.items())}
    return {"utilities": deal, **({} if deal.decisions is None else {"decisions": deal.decisions}),
            **({"faults": faults} if faults else {}),
            **({} if deal.actions is None else {"actions": deal.actions})}


def _check_deal(data: Mapping[str, Any], deal: int, spec: TournamentSpec, where: str) -> Deal:
    """The utilities of a deal that has the number and the shape it should have."""
    if data.get("deal") != deal:
        raise ResultsError(f"{where}: deal {deal} is expected, not {data.get('deal')!r}")
    games = data.get("utilities")
    if (not isinstance(games, list) or len(games) != len(spec.lineups)
            or not all(isinstance(game, list) and len(game) == spec.seats for game in games)):
        raise ResultsError(f"{where}: {len(spec.lineups)} games of {spec.seats} utilities are expected")
    for utility in (utility for game in games for utility in game):
        if type(utility) not in (int, float) or not 0 <= utility <= 1:
            raise ResultsError(f"{where}: the utility {utility!r} is not a number in 0..1")
    try:
        faults = {int(bot): Faults.from_json(found) for bot, found in data.get("faults", {}).items()}
        if not all(0 <= bot < len(spec.bots) for bot in faults):
            raise ValueError("there is no such bot")
    except (AttributeError, TypeError, ValueError) as error:
        raise ResultsError(f"{where}: its faults are broken: {error}") from None
    actions = data.get("actions")
    if (actions is not None) != spec.keeps_games or (actions is not None and not _are_actions(actions, len(games))):
        raise ResultsError(f"{where}: the actions of {len(games)} games are expected where the tournament keeps them")
    decisions = data.get("decisions")
    if decisions is not None and not (isinstance(decisions, list) and len(decisions) == len(games)
                                      and all(type(count) is int and count >= 0 for count in decisions)):
        raise ResultsError(f"{where}: the numbers of decisions of {len(games)} games are expected")
    return Deal(([float(utility) for utility in game] for game in games), faults=faults, actions=actions, decisions=decisions)


def _are_actions(values: object, games: int) -> bool:
    """Are they (seat, action) of so many games?"""
    return isinstance(values, list) and len(values) == games and all(
        isinstance(game, list) and all(isinstance(pair, list) and [type(one) for one in pair] == [int, int] for pair in game)
        for game in values)


# ---- Is it the same tournament? ----

def _comparable(spec: TournamentSpec) -> dict[str, Any]:
    """What must be equal. The pack counts by its content and not by where its file lies."""
    data = spec.to_json()
    del data["settings"]["pack"]
    return data


def _first_difference(theirs: Any, ours: Any, field: str = "") -> tuple[str, str, str] | None:
    """(field, their value, our value) of the first difference; None where there is none."""
    for key, a, b in _parts(theirs, ours):
        path = f"{field}.{key}" if field else key
        if isinstance(a, dict) and isinstance(b, dict):
            found = _first_difference(a, b, path)
            if found is not None:
                return found
        elif a != b:
            return path.removeprefix("settings."), json.dumps(a), json.dumps(b)
    return None


def _parts(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for key in dict.fromkeys((*theirs, *ours)):
        yield key, theirs.get(key), ours.get(key)
