"""Paired tournaments: every bot on the same deals, seats exchanged, intervals over deals."""
from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from seatmate.ai.arena.backends import BackendName, backend_of
from seatmate.ai.arena.deal import Deal
from seatmate.ai.arena.early import EarlyEnd
from seatmate.ai.arena.forecasts import BotForecasts, Forecasts, load_forecasts, save_forecasts
from seatmate.ai.arena.plans import Format, Permutations, TournamentError
from seatmate.ai.arena.ratings import anchor_index, anchor_label
from seatmate.ai.arena.report import TournamentResult, against, bot_means, deal_score, start_sprt, summarise
from seatmate.ai.arena.spec import TournamentSpec
from seatmate.ai.arena.sprt import Sprt, SprtRun
from seatmate.ai.arena.statistics import Moments
from seatmate.ai.arena.store import ResultsFile
from seatmate.ai.arena.times import DecisionTimes, Times, load_times, save_times
from seatmate.ai.bots.registry import BotSpec

MAX_DEALS, MAX_WORKERS = 10**9, 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a tournament is.

    games of games_total are played, games_resumed of them were in the results file · a, b: the first bot and the next one it
    meets (b is None where there is none) · mean: mean difference in utility a - b (with one bot its mean utility) ·
    ci95: half width of its 95 % interval, None below two deals · llr, llr_bounds: of the sequential test, if there is one.
    """

    games: int
    games_total: int
    games_resumed: int
    a: str
    b: str | None
    mean: float
    ci95: float | None
    llr: float | None = None
    llr_bounds: tuple[float, float] | None = None


class _Running:
    """The deals so far and their results."""

    def __init__(self, spec: TournamentSpec, sprt: SprtRun | None) -> None:
        self.spec = spec
        self.sprt = sprt
        self.deals: list[Deal] = []
        self.moments = Moments()
        self.rival = next((bot for bot in range(1, len(spec.bots))      # of the first bot
                           if spec.cooperative or any({0, bot} <= set(lineup) for lineup in spec.lineups)), None)
        self.times: Times = {}
        self.forecasts: Forecasts = {}

    def add(self, played: Sequence[Deal]) -> int:
        """Take the next deals up to the one that decides the sequential test; how many were taken."""
        if not played or self.decided:
            return 0
        taken = 0
        utilities = np.array(played, dtype=np.float64)
        both = None if self.rival is None else against(self.spec, utilities, 0, self.rival)
        means_by_deal = bot_means(self.spec, utilities)
        for means, seen in zip(means_by_deal, means_by_deal[:, 0] if both is None else both[0] - both[1], strict=True):
            self.moments.add(float(seen))
            taken += 1
            if self.sprt is not None and self.sprt.add(deal_score(means)) is not None:
                break
        for deal in played[:taken]:
            for bot, times in deal.times.items():
                self.times.setdefault(self.spec.labels[bot], DecisionTimes()).add(times)
            for bot, counted in deal.forecasts.items():
                if counted:
                    self.forecasts.setdefault(self.spec.labels[bot], BotForecasts()).add(counted)
            deal.times, deal.forecasts = {}, {}
        self.deals += played[:taken]
        return taken

    @property
    def decided(self) -> bool:
        """Has the sequential test a verdict?"""
        return self.sprt is not None and self.sprt.verdict is not None

    def progress(self, total: int, resumed: int) -> Progress:
        """What a listener is told."""
        games, bots, moments = len(self.spec.lineups), self.spec.labels, self.moments
        return Progress(
            games=len(self.deals) * games, games_total=total * games, games_resumed=resumed * games,
            a=bots[0], b=None if self.rival is None else bots[self.rival], mean=moments.mean,
            ci95=moments.half_width(span=1 if self.rival is None else 2) if moments.count > 1 else None,
            llr=self.sprt.llr if self.sprt else None,
            llr_bounds=(self.sprt.sprt.lower, self.sprt.sprt.upper) if self.sprt else None)


def run_tournament(
    game_id: str, *, seats: int | None, bots: Sequence[str | BotSpec], deals: int, seed: int, mode: str | None = None,
    options: Mapping[str, Any] | None = None, pack: str | None = None, permutations: Permutations = "auto",
    format: Format = "round-robin", challengers: int = 1, teams: Sequence[Sequence[int]] = (),
    sprt: Sprt | None = None, ratings: bool = False, anchor: str | None = None,
    results: str | os.PathLike[str] | None = None, keep_games: bool = False, early: EarlyEnd | None = None,
    workers: int | None = None, backend: BackendName = "local",
    progress: Callable[[Progress], None] | None = None, times: Times | None = None, forecasts: Forecasts | None = None,
) -> TournamentResult:
    """Play every bot on the same `deals` deals with the seats exchanged as `seat_plans` says. Blocks.

    permutations: how many of the possible seatings (see `seat_plans`) · format, challengers, teams: who meets whom, and which seats
    one bot fills together (see `format_plans`) · sprt: a sequential test of two bots, which ends the
    tournament at the deal that decides it (then `deals` is the most that are played) · ratings, anchor: also rate the bots
    (see `ratings`); the anchor, by default the first bot, has 0 points · results: a file to keep every deal in; where it
    exists already the tournament goes on from there, and with fewer `deals` than it holds only these count · keep_games: the file
    has every action, so that games whose bots watch the clock can be replayed, too (see `replay`) ·
    early: when games count as decided and end (never, by default) ·
    workers: processes, None for one per core; they import the calling script anew, which therefore needs the usual
    `if __name__ == "__main__":`; 1 plays in this process ·
    backend: "ray" plays on a Ray cluster (see `play_on_ray`) · progress: called from this thread from time to time, and at the
    end · times: filled with how long each bot thought, which differs from run to run and so is no part of the result ·
    forecasts: filled with what searches of one thread expected, against what came, which is no part of the result either; asking
    for it changes nothing of what is played.

    The result, and the results file byte for byte, depend on the other arguments and not on `workers` and `backend`, nor on how
    often the run was interrupted, as long as no bot has a time budget. Raises TournamentError, BotError, UnknownGameError,
    SettingsError, PackError for wrong arguments; ResultsError, OSError for the results file; WorkerError.
    """
    check_amounts(deals, workers)
    spec = TournamentSpec.create(game_id, seats=seats, bots=bots, seed=seed, mode=mode, options=options, pack=pack,
                                 permutations=permutations, format=format, challengers=challengers, teams=teams,
                                 keep_games=keep_games, early=early)
    if keep_games and results is None:
        raise TournamentError("games are kept in a results file, and none is named")
    if anchor is not None:
        anchor = anchor_label(anchor, spec.labels)
        anchor_index(anchor, spec.labels)   # before anything is played
    if ratings and len(spec.bots) < 2:
        raise TournamentError("ratings compare bots; at least two are needed")
    running = play_spec(spec, deals, sprt=sprt, results=results, workers=workers, backend=backend, progress=progress,
                        forecasts=forecasts is not None)
    if times is not None:
        times.update(running.times)
    if forecasts is not None:
        forecasts.update(running.forecasts)
    test = running.sprt.report(*spec.labels) if running.sprt else None
    return summarise(spec, running.deals, sprt=test, ratings=ratings, anchor=anchor)


def check_amounts(deals: int, workers: int | None) -> None:
    """Raises TournamentError for too few or too many deals or workers."""
    if deals < 2:
        raise TournamentError(f"{deals} deals are too few for an interval; at least 2 are needed")
    if deals > MAX_DEALS:
        raise TournamentError(f"{deals} deals are more than anybody can play; at most {MAX_DEALS} are possible")
    if workers is not None and workers < 1:
        raise TournamentError(f"{workers} workers can't play; at least 1 is needed")
    if workers is not None and workers > MAX_WORKERS:
        raise TournamentError(f"{workers} workers are too many; at most {MAX_WORKERS} are possible")


def check_free(options: Mapping[str, object] | None, varied: Iterable[str], values: str) -> None:
    """Raises TournamentError where an option that is varied is set as well; `values` says in words what it takes."""
    for name in varied:
        if name in (options or {}):
            raise TournamentError(f"the option {name} is varied: it takes {values} in turn and cannot be set as well")


def play_spec(spec: TournamentSpec, deals: int, *, sprt: Sprt | None = None, results: str | os.PathLike[str] | None = None,
              workers: int | None = None, backend: BackendName = "local",
              progress: Callable[[Progress], None] | None = None, forecasts: bool = False) -> _Running:
    """Play the deals of a spec, or go on where the results file ends. forecasts: keep what searches expected."""
    play_deals = backend_of(backend)
    running = _Running(spec, start_sprt(spec, sprt) if sprt is not None else None)
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(ResultsFile(results, spec)) if results is not None else None
        if file is not None:
            running.add(file.deals[:deals])
            if running.deals:
                running.times = load_times(file.path, spec)
                running.forecasts = load_forecasts(file.path, spec) if forecasts else {}
        resumed = len(running.deals)
        if resumed < deals and not running.decided:
            todo = range(resumed, deals)
            played = stack.enter_context(contextlib.closing(play_deals(spec, todo, workers, forecasts)))
            for batch in played:
                taken = running.add(batch)
                if file is not None:
                    file.append(batch[:taken])
                    save_times(file.path, spec, running.times)      # after the deals: what a kill loses here is known to be less
                    if forecasts:
                        save_forecasts(file.path, spec, running.forecasts)
                if progress is not None:
                    progress(running.progress(deals, resumed))
                if running.decided:
                    break
        elif progress is not None:
            progress(running.progress(deals, resumed))
    return running
