"""The tournaments of a server: kept in a folder, played in processes of their own, a few at once.

Of each tournament the folder has ID.json (whose it is, what was asked for, how it ended) and ID.jsonl, its results file. Whatever
ends a process or the server, the next start goes on with what the results file holds.
"""
from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process, SubprocessStreamProtocol
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from seatmate.server import auth, names
from seatmate.server.config import ServerConfig
from seatmate.server.errors import ApiError, Code, closing
from seatmate.server.options import StartupError
from seatmate.server.storage import now_us
from seatmate.server.tournament_process import TOO_FEW

log = logging.getLogger(__name__)

State = Literal["waiting", "running", "finished", "cancelled", "failed"]

_TRIES = 3              # of a process that died without a word
_RETRY_S = 5.0          # after which there may be room
_PAUSE_S = 0.25         # between two messages of a stream
_GOODBYE_S = 5.0        # a process that has not ended by itself after so long is ended


@dataclass(slots=True, kw_only=True, eq=False)
class Tournament:
    """One tournament. The first fields are kept in its file.

    owner: hash of its owner's token, hexadecimal · caller: the address it came from · job: arguments of `run_tournament` · games:
    on all its deals · progress: games, mean, ci95, llr (see Progress) as far as known · failure: why it failed.
    """

    id: str
    owner: str
    caller: str
    created_us: int
    games: int
    job: dict[str, Any]
    state: State = "waiting"
    progress: dict[str, Any] = field(default_factory=dict)
    failure: str = ""
    is_kept: bool = False
    tries: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)   # replaced each time
    task: asyncio.Task[None] | None = None

    @property
    def is_over(self) -> bool:
        """Will nothing more be played?"""
        return self.state not in ("waiting", "running")

    def to_json(self) -> dict[str, Any]:
        """What its file keeps; one that runs waits again after a restart."""
        kept = {key: getattr(self, key) for key in _KEPT}
        return {**kept, "state": "waiting" if self.state == "running" else self.state}


_KEPT = ("id", "owner", "caller", "created_us", "games", "job", "state", "progress", "failure")


class Tournaments:
    """All tournaments of a folder, which belongs to one server at a time."""

    def __init__(self, folder: Path, config: ServerConfig) -> None:
        self._folder = folder
        self._config = config
        self._known: dict[str, Tournament] = {}     # oldest first
        self._reports = 0
        self._lock: Any = None
        self.stopping = False

    # ---- Start and end ----

    def open(self) -> None:
        """Read the folder. Raises StartupError."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = open(self._folder / "lock", "w")
            _lock(self._lock)
            found = []
            for file in self._folder.glob("*.json"):
                try:
                    found.append(Tournament(**json.loads(file.read_text("utf-8")), is_kept=True))
                except (ValueError, TypeError) as error:
                    log.error("a tournament is damaged and left out", extra={"file": str(file), "why": str(error)})
        except BlockingIOError:
            raise StartupError(f"the tournaments in {self._folder} are another server's") from None
        except OSError as error:
            raise StartupError(f"tournaments can't be kept in {self._folder}: {(error.strerror or str(error)).lower()}") from None
        self._known = {one.id: one for one in sorted(found, key=lambda one: one.created_us)}

    def start(self) -> None:
        """Go on with those that are not over."""
        self._start_next()

    async def stop(self) -> None:
        """End their processes; the next start goes on."""
        self.stopping = True
        running = [one.task for one in self._known.values() if one.task is not None]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for one in self._known.values():
            self._tell(one)
        if self._lock is not None:
            self._lock.close()

    # ---- What callers do ----

    def find(self, tournament_id: str, token: str | None) -> Tournament:
        """A tournament of the token's owner. Raises ApiError."""
        one = self._known.get(tournament_id)
        if one is None:
            raise ApiError(Code.NOT_FOUND, "TOURNAMENT_NOT_FOUND", f"there is no tournament {tournament_id!r}")
        auth.require(token, "this tournament's owner", bytes.fromhex(one.owner))
        return one

    def of_owner(self, token: str | None) -> list[Tournament]:
        """All of the token's owner, newest first. Raises ApiError where there are none."""
        owners = {one.owner for one in self._known.values()}
        auth.require(token, "an owner of tournaments", *map(bytes.fromhex, owners))
        assert token is not None
        owner = auth.hash_token(token).hex()
        return [one for one in reversed(self._known.values()) if one.owner == owner]

    async def create(self, tournament_id: str, *, owner: str, caller: str, games: int, job: Mapping[str, Any]) -> Tournament:
        """Keep it, and play it when its turn comes. Raises ApiError where too many wait, or where it can't be kept."""
        if self.stopping:
            raise closing()
        if tournament_id in self._known:
            name = names.tournament_name(tournament_id)
            raise ApiError(Code.ALREADY_EXISTS, "REQUEST_CARRIED_OUT", f"this request has made {name!r} before, and its token "
                           "can't be told again", metadata={"tournament": name})
        waiting = [one for one in self._known.values() if one.state == "waiting"]
        most = self._config.tournaments_waiting
        if len(waiting) >= most or sum(one.caller == caller for one in waiting) >= most // 2:
            raise _too_many(f"{len(waiting)} tournaments wait already; of one address at most {most // 2} may")
        made = Tournament(id=tournament_id, owner=owner, caller=caller, created_us=now_us(), games=games, job=dict(job))
        self._known[made.id] = made
        try:
            await asyncio.to_thread(self._keep, made)
        except OSError as error:
            del self._known[made.id]
            raise ApiError(Code.UNAVAILABLE, "STORAGE_UNAVAILABLE", "the tournament can't be kept: "
                           f"{(error.strerror or str(error)).lower()}", retry_s=_RETRY_S) from None
        made.is_kept = True
        self._forget_oldest()
        self._start_next()
        return made

    async def cancel(self, one: Tournament) -> None:
        """End it. What is over stays as it is."""
        if not one.is_over:
            ended = self._end(one, "cancelled")
            if one.task is not None:
                one.task.cancel()
            await ended
            self._start_next()

    async def next_change(self, changed: asyncio.Event) -> None:
        """Wait for it, and a moment longer. Raises ApiError when the service stops."""
        await changed.wait()
        if self.stopping:
            raise closing("watch it again")
        await asyncio.sleep(_PAUSE_S)

    async def report(self, one: Tournament, kind: str) -> str:
        """The report as a text. Raises ApiError."""
        if self._reports >= self._config.tournaments_at_once:
            raise _too_many("other reports are being made")
        self._reports += 1
        try:
            lines: list[str] = []
            ended = await self._process(one, lines.append, "--report", kind)
        finally:
            self._reports -= 1
        text = "".join(lines)
        if ended == 0:
            return text
        why = _error_of(lines[-1] if lines else "") or "it could not be made"
        if why == TOO_FEW:
            raise ApiError(Code.FAILED_PRECONDITION, "TOO_FEW_DEALS", f"{why}; a report needs them")
        raise RuntimeError(f"report of tournament {one.id}: {why}")

    # ---- Playing ----

    def _start_next(self) -> None:
        """Let the next ones begin while there is room."""
        if self.stopping:
            return
        running = sum(one.task is not None for one in self._known.values())
        waiting = [one for one in self._known.values() if one.state == "waiting" and one.task is None and one.is_kept]
        for one in waiting[:self._config.tournaments_at_once - running]:
            one.state = "running"
            one.task = asyncio.create_task(self._play(one))
            one.task.add_done_callback(lambda _, one=one: self._ended(one))     # type: ignore[misc]
            self._tell(one)

    def _ended(self, one: Tournament) -> None:
        one.task = None
        if one.state == "running":      # the server stops, or its process died
            one.state = "waiting"
        self._start_next()

    async def _play(self, one: Tournament) -> None:
        """Let a process play it to its end."""
        failure = ""

        def take(line: str) -> None:
            nonlocal failure
            failure = _error_of(line)
            if not failure:
                one.progress = json.loads(line)
                self._tell(one)

        try:
            async with asyncio.timeout(60 * self._config.tournament_minutes):
                ended = await self._process(one, take)
            one.tries += 1
            if ended == 0:
                await self._end(one, "finished")
            elif failure:
                await self._end(one, "failed", failure)
            elif one.tries >= _TRIES:
                await self._end(one, "failed", f"its process died {_TRIES} times (out of memory, or killed)")
        except TimeoutError:
            await self._end(one, "failed", f"its time was over: {self._config.tournament_minutes:g} minutes; what was played stays")
        except Exception:
            log.exception("a tournament could not be played", extra={"tournament": one.id})
            await self._end(one, "failed", "a fault of the server, which has noted it")

    async def _process(self, one: Tournament, take: Callable[[str], None], *more: str) -> int:
        """Run a process on it, whose lines `take` hears; how it ended. Cancelling ends the process."""
        packs = (argument for pack in self._config.packs for argument in ("--pack", str(pack)))
        loop = asyncio.get_running_loop()
        transport, protocol = await loop.subprocess_exec(
            lambda: SubprocessStreamProtocol(limit=self._config.max_message_bytes, loop=loop),
            sys.executable, "-P", "-m", "seatmate.server.tournament_process", str(self._file(one)), str(self._results(one)), *packs,
            *more, stdin=PIPE, stdout=PIPE, stderr=None)
        process = Process(transport, protocol, loop)
        assert process.stdin is not None and process.stdout is not None
        try:
            async for line in process.stdout:
                take(line.decode())
            return await process.wait()
        finally:
            process.stdin.close()       # it ends by itself
            try:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_GOODBYE_S):
                        await process.wait()
            finally:
                transport.close()       # ends what has not ended

    # ---- What is kept ----

    def _end(self, one: Tournament, state: State, failure: str = "") -> asyncio.Future[None]:
        """It is over from now on; the answer waits until that is kept."""
        one.state, one.failure = state, failure
        return asyncio.ensure_future(self._keep_end(one))

    async def _keep_end(self, one: Tournament) -> None:
        try:
            await asyncio.shield(asyncio.to_thread(self._keep, one))
        except OSError:     # then it ends once more after a restart
            log.exception("the end of a tournament could not be kept", extra={"tournament": one.id})
        self._tell(one)

    def _tell(self, one: Tournament) -> None:
        """Wake who watches it."""
        changed, one.changed = one.changed, asyncio.Event()
        changed.set()

    def _keep(self, one: Tournament) -> None:
        """Write its file, whole or not at all. Raises OSError."""
        new = self._file(one).with_suffix(".new")
        with open(new, "w", encoding="utf-8") as file:
            json.dump(one.to_json(), file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self._file(one))

    def _forget_oldest(self) -> None:
        """Of those that are over only so many are kept."""
        over = [one for one in self._known.values() if one.is_over]
        for one in over[:max(0, len(over) - self._config.tournaments_kept)]:
            del self._known[one.id]
            for file in self._folder.glob(f"{one.id}.*"):
                file.unlink(missing_ok=True)

    def _file(self, one: Tournament) -> Path:
        return self._folder / f"{one.id}.json"

    def _results(self, one: Tournament) -> Path:
        return self._folder / f"{one.id}.jsonl"


def _too_many(text: str) -> ApiError:
    return ApiError(Code.RESOURCE_EXHAUSTED, "TOO_MANY_TOURNAMENTS", f"{text}; try again later", retry_s=_RETRY_S)


def _error_of(line: str) -> str:
    """What went wrong, where a line of a process says that."""
    try:
        return str(json.loads(line).get("error", ""))
    except (ValueError, AttributeError):
        return ""


def _lock(file: Any) -> None:
    """Raises BlockingIOError if another process has it."""
    try:
        import fcntl
    except ImportError:     # no such locks on this system
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
