"""A process that plays one tournament of a server, or reports on it: at the lowest priority, and no longer than the server lives.

    tournament_process JOB RESULTS [--pack FILE ...] [--report FORMAT]

Lines of JSON on standard output say how far it is, and what went wrong; a report is all of the output instead.
"""
from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import threading
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from seatmate.ai.arena import (
    EarlyEnd,
    Progress,
    Sprt,
    TournamentError,
    load_results,
    report,
    report_forecasts,
    report_text,
    report_times,
    run_tournament,
)
from seatmate.ai.arena.pool import ignore_ends
from seatmate.ai.bots.guarded import end_at_once
from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.registry import add_pack
from seatmate.server import priorities

LEAST_DEALS = 2
"""Of a report."""

TOO_FEW = "fewer than two deals are played"
"""What is said instead of a report without them."""

_FIRST_TO_GO = "800"    # of 1,000: when memory runs out the system ends this process and not the server


def read_sprt(wishes: Mapping[str, Any] | None) -> Sprt | None:
    """The sequential test of a job. Raises TournamentError."""
    return None if wishes is None else Sprt(**wishes)


def main() -> int:
    """Run it; 0 when it has done all, 1 when something was wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("job", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--pack", action="append", default=[])
    parser.add_argument("--report")
    wishes = parser.parse_args()
    _be_modest()
    out = _own_stdout()
    threading.Thread(target=_end_with_server, daemon=True).start()
    try:
        for pack in wishes.pack:
            add_pack(pack)
        job = json.loads(wishes.job.read_text("utf-8"))["job"]
        play(job, wishes.results, out) if wishes.report is None else tell(job, wishes.results, wishes.report, out)
    except (SeatmateError, OSError) as error:
        _say({"error": str(error)}, out)
        return 1
    return 0


def play(job: Mapping[str, Any], results: Path, out: TextIO) -> None:
    """Play its deals, or go on, and tell `out` how far it is. Raises SeatmateError, OSError."""
    run_tournament(
        job["game"], seats=job["seats"], bots=job["bots"], deals=job["deals"], seed=job["seed"], mode=job["mode"],
        options=job["options"], pack=job["pack"], permutations=job["seatings"], sprt=read_sprt(job["sprt"]), results=results,
        **{key: job[key] for key in ("format", "challengers", "teams") if key in job},      # which older jobs do not name
        early=EarlyEnd.from_json(job.get("early")), forecasts={} if job.get("values") else None,
        workers=1, progress=lambda progress: _say(_plain(progress), out))


def tell(job: Mapping[str, Any], results: Path, kind: str, out: TextIO) -> None:
    """Print the report. Raises SeatmateError, OSError."""
    if not results.exists() or len(load_results(results)[1]) < LEAST_DEALS:
        raise TournamentError(TOO_FEW)
    found = report(results, sprt=read_sprt(job["sprt"]), ratings=job["ratings"], anchor=job["anchor"])
    print(report_text(found, kind, report_times(results), report_forecasts(results)), end="", file=out, flush=True)


def _plain(progress: Progress) -> dict[str, Any]:
    """What a server keeps of it."""
    told = asdict(progress)
    return {key: told[key] for key in ("games", "mean", "ci95", "llr")}


def _say(values: Mapping[str, Any], out: TextIO) -> None:
    print(json.dumps(values), file=out, flush=True)


def _own_stdout() -> TextIO:
    """What the server reads. All that bots of files print goes to stderr from now on."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return out


def _be_modest() -> None:
    """Everything else comes first."""
    ignore_ends()
    priorities.lower_process(priorities.TOURNAMENTS)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_FIRST_TO_GO)


def _end_with_server() -> None:
    """Standard input is a pipe from the server: it ends when the server closes it or is gone."""
    while os.read(0, 1):    # sys.stdin has a lock, which this thread would still hold at the end
        pass
    end_at_once()


if __name__ == "__main__":
    sys.exit(main())
