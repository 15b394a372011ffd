"""Does it matter where one sits, and what one draws?

Games are played by one bot in all seats. Of every seat: the share of the games it wins, beside an equal share. Of every card
(of games whose spec names its `draws`): how much more who draws it wins than who draws any card, and how much more than an
equal share who is dealt it at the start. The first looks at more games; in it a card is compared with others drawn in the same
way, as who draws more cards wins more, whatever they are. Intervals are 95 %, over games.

Goals: no seat wins 5 points more than an equal share, and no card is worth more than the game's bar. met and missed: the
intervals leave no doubt; within, open: what the means alone say. The results file keeps one line a game, and the same command
goes on where it ends; Ctrl-C ends the playing, and what was played is counted.
"""
from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.progress import track
from rich.table import Table

import command_line
import machine
from seatmate.ai.arena.match import win_shares
from seatmate.ai.bots import make_bot
from seatmate.engine.core.errors import SeatmateError
from seatmate.engine.core.game import Game, State
from seatmate.engine.core.registry import list_games, new_game

Numbers = NDArray[np.float64]

SEAT_BAR = 0.05


# ---- Playing ----

def drawn(state: State, seat: int) -> list[int]:
    """The cards that the seat has drawn so far, each once."""
    draws = state.game.spec.draws
    if draws is None:
        return []
    return sorted({card for event in state.events(seat) if event.key == draws.event for card in event.args[1:]})


def play(game: Game, bot: str, seed: int, number: int) -> dict[str, Any]:
    """One game: share of the win, cards dealt at the start and all cards drawn, by seat."""
    chance = random.Random(f"{seed} {number}")
    state = game.new_state(chance.getrandbits(64))
    bots = [make_bot(bot, chance.getrandbits(64)) for _ in range(game.seats)]
    dealt = [drawn(state, seat) for seat in range(game.seats)]
    while not state.is_over:
        seat = state.pending[0]
        state.apply_action(seat, bots[seat].choose(state, seat))
    return {"won": win_shares(state.returns()), "dealt": dealt, "drawn": [drawn(state, seat) for seat in range(game.seats)]}


def played(game: Game, key: Mapping[str, Any], path: Path | None, count: int, progress: bool) -> list[dict[str, Any]]:
    """The games of the file and those that lack, which are added to it; an interrupt ends it. Ends the program for another file."""
    rows = []
    if path is not None and path.exists():
        lines = path.read_text().splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("\n")]
        try:
            rows = [json.loads(line) for line in whole]
            first = rows.pop(0) if rows else key
        except ValueError:
            first = None
        if first != key:
            sys.exit(f"error: {path} holds something else than results of this command")
        if whole != lines:
            path.write_text("".join(whole))
    if path is not None and not rows:
        path.write_text(json.dumps(key) + "\n")
    try:
        for number in track(range(len(rows), count), "playing", disable=not progress, transient=True):
            row = play(game, key["bot"], key["seed"], number)
            rows.append(row)
            if path is not None:
                with path.open("a") as out:
                    out.write(json.dumps(row) + "\n")
    except KeyboardInterrupt:
        pass
    return rows[:count]


# ---- What it says ----

def share(won: Numbers, games: NDArray[np.signedinteger[Any]], base: float) -> tuple[float, float]:
    """(mean less the base, half width of its interval over games) of shares of wins; half 1 where there are too few."""
    gaps = won - won.mean()
    sums = np.bincount(games, weights=gaps)
    few = len(np.unique(games)) < 2
    return float(won.mean()) - base, 1.0 if few else 1.96 * float(np.sqrt(np.square(sums).sum())) / len(won)


def verdict(mean: float, half: float, bar: float) -> str:
    """Of a gain that should not be above the bar."""
    if mean - half > bar:
        return "missed"
    if mean + half <= bar:
        return "met"
    return "within" if mean <= bar else "open"


def seat_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """By seat, against an equal share."""
    won = np.array([row["won"] for row in rows])
    found = []
    for seat in range(won.shape[1]):
        gain, half = share(won[:, seat], np.arange(len(won)), 1 / won.shape[1])
        found.append({"seat": seat, "won": float(won[:, seat].mean()), "gain": gain, "ci95": half,
                      "verdict": verdict(gain, half, SEAT_BAR)})
    return found


def card_rows(game: Game, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """By card, the best first."""
    draws = game.spec.draws
    if draws is None:
        return []
    looks = {}
    for look in ("drawn", "dealt"):
        flat = np.array([(card, row["won"][seat], number) for number, row in enumerate(rows)
                         for seat, cards in enumerate(row[look]) for card in cards])
        looks[look] = (flat[:, 0].astype(int), flat[:, 1], flat[:, 2].astype(int))
    base = {"drawn": float(looks["drawn"][1].mean()), "dealt": 1 / game.seats}
    found = []
    for card in np.unique(looks["drawn"][0]):
        one: dict[str, Any] = {"card": int(card), "title": draws.title(game, int(card))}
        for look, (cards, won, games) in looks.items():
            own = cards == card
            one[look] = int(own.sum())
            one[f"{look}_gain"], one[f"{look}_ci95"] = share(won[own], games[own], base[look]) if own.any() else (0.0, 1.0)
        one["verdict"] = verdict(one["drawn_gain"], one["drawn_ci95"], draws.bar)
        found.append(one)
    return sorted(found, key=lambda one: -one["drawn_gain"])


def points(gain: float, half: float) -> str:
    """In points of a hundred."""
    return f"{100 * gain:+.1f} ± {100 * half:.1f}"


# ---- The command ----

def main(arguments: Sequence[str] | None = None) -> int:
    games = [spec.id for spec in list_games() if not spec.cooperative]
    parser = command_line.command(__doc__ or "", [
        "python benches/luck.py hundred_days --seats 4 --games 10000 --results luck.jsonl",
        "python benches/luck.py hundred_days --seats 2 --bot search:iterations=100 --games 400 --show 5",
        "python benches/luck.py goofspiel --games 200 --json -"])
    parser.add_argument("game", metavar="GAME", help=f"of {', '.join(games)}")
    parser.add_argument("--mode", metavar="MODE", help="the mode (default: the first for so many seats)")
    parser.add_argument("--seats", type=command_line.whole(1, 16), metavar="N", help="number of seats (default: the most)")
    parser.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE", help="a table option")
    parser.add_argument("--pack", metavar="PACK", help="content pack: a shipped name or a file")
    parser.add_argument("--bot", type=command_line.bot, default="heuristic", metavar="BOT", help="who plays (%(default)s)")
    parser.add_argument("--games", type=command_line.whole(2), default=2000, metavar="N", help="games (%(default)s)")
    parser.add_argument("--show", type=command_line.whole(0), default=10, metavar="N",
                        help="strongest and weakest cards shown (%(default)s each)")
    parser.add_argument("--seed", type=command_line.seed, default=1, metavar="SEED", help="of all chance (%(default)s)")
    parser.add_argument("--results", type=command_line.result_file, metavar="FILE", help="keep every game, and go on from there")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a goal is missed beyond doubt")
    options = parser.parse_args(arguments)
    if options.game not in games:
        parser.error(f"{options.game!r} is no game in which one wins; there are {', '.join(games)}")
    if any("=" not in text for text in options.option):
        parser.error("--option wants KEY=VALUE")
    try:
        game = new_game(options.game, mode=options.mode, seats=options.seats, pack=options.pack,
                        options=dict(text.split("=", 1) for text in options.option))
    except SeatmateError as error:
        parser.error(str(error))
    console = machine.console(options.json)
    key = {**game.settings.to_json(), "rules_version": game.spec.rules_version, "bot": options.bot, "seed": options.seed}
    rows = played(game, key, Path(options.results) if options.results else None, options.games, console.is_terminal)
    if not rows:
        sys.exit("error: no game was played to its end")
    seats, cards = seat_rows(rows), card_rows(game, rows)
    table = Table(title=f"{game.spec.title}: who wins, {len(rows):,} games of {options.bot}")
    for column in ("seat", "wins", "more than an equal share", ""):
        table.add_column(column, justify="right")
    for one in seats:
        table.add_row(str(one["seat"]), f"{one['won']:.1%}", points(one["gain"], one["ci95"]), one["verdict"])
    console.print(table)
    if cards and options.show:
        table = Table(title="Points by which it raises the chance to win", caption="drawn: against the mean of all cards drawn; "
                      "dealt: at the start, against an equal share")
        for column in ("card", "drawn", "games", "dealt", "games", ""):
            table.add_column(column, justify="left" if column == "card" else "right")
        middle = len(cards) > 2 * options.show
        for place, one in enumerate(cards):
            if not middle or place < options.show or place >= len(cards) - options.show:
                table.add_row(one["title"], points(one["drawn_gain"], one["drawn_ci95"]), f"{one['drawn']:,}",
                              points(one["dealt_gain"], one["dealt_ci95"]), f"{one['dealt']:,}", one["verdict"],
                              end_section=middle and place == options.show - 1)
        console.print(table)
    machine.write_json(options.json, {"machine": machine.facts(), **key, "games": len(rows), "seat_rows": seats, "cards": cards})
    return 1 if options.check and any(one["verdict"] == "missed" for one in (*seats, *cards)) else 0


if __name__ == "__main__":
    sys.exit(main())
