"""How often is a game that was ended early ended wrongly? The same deals are played to their ends and by the rule.

Bots, deals and chance are the same, so each game is the same up to where the rule ends it. wrong: ended games whose rest says
otherwise, with the 95 % interval over deals · saved: decisions that were not played.
"""
from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from rich.table import Table

import command_line
import machine
from seatmate.ai.arena import EarlyEnd, TournamentSpec
from seatmate.ai.arena.pool import play_deals
from seatmate.ai.arena.statistics import mean_and_interval
from seatmate.engine.core.errors import SeatmateError

BOUNDS = (0.9, 0.95, 0.98, 0.99)


def compare(full: Sequence[Any], early: Sequence[Any]) -> dict[str, Any]:
    """Of the same deals, played to their ends and by a rule."""
    ended, wrong, played, saved, by_deal = 0, 0, 0, 0, []
    for whole, short in zip(full, early, strict=True):
        before = wrong
        for game, actions in enumerate(whole.actions):
            played += len(actions)
            if (less := len(actions) - len(short.actions[game])) > 0:
                ended += 1
                saved += less
                wrong += whole[game] != short[game]
        by_deal.append((wrong - before) / len(whole))
    games = sum(map(len, full))
    return {"games": games, "ended": ended / games, "wrong": wrong / ended if ended else 0.0, "wrong_games": wrong,
            "wrong_of_all": mean_and_interval(by_deal), "saved": saved / max(1, played)}


def measure(game: str, rules: dict[str, EarlyEnd], options: Any) -> dict[str, dict[str, Any]]:
    """What each rule does in a game."""
    call: dict[str, Any] = {"seats": options.seats, "mode": options.mode, "bots": options.bots, "seed": options.seed}
    deals = range(options.deals)

    def play(early: EarlyEnd | None) -> list[Any]:
        spec = TournamentSpec.create(game, early=early, keep_games=True, **call)
        return [deal for batch in play_deals(spec, deals, options.workers) for deal in batch]

    full = play(None)
    return {name: compare(full, play(early)) for name, early in rules.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = command_line.command(__doc__ or "", [
        "python benches/early_ends.py titans --deals 200",
        "python benches/early_ends.py mythos --bots search:iterations=50 heuristic --resign"])
    parser.add_argument("game", help="a game that is won against others")
    parser.add_argument("--seats", type=command_line.whole(2, 8), metavar="N")
    parser.add_argument("--mode", metavar="MODE")
    parser.add_argument("--bots", nargs="+", default=["heuristic", "random"], metavar="BOT", help="(%(default)s)")
    parser.add_argument("--deals", type=command_line.whole(2), default=100, metavar="N", help="(%(default)s)")
    parser.add_argument("--decisions", type=command_line.whole(1, 1000), default=6, metavar="N", help="in a row (%(default)s)")
    parser.add_argument("--resign", action="store_true", help="the rule by which a seat gives up, instead of adjudication")
    parser.add_argument("--workers", type=command_line.whole(1, 64), default=1, metavar="N", help="(%(default)s)")
    parser.add_argument("--seed", type=command_line.seed, default=1, metavar="SEED", help="of all chance (%(default)s)")
    options = parser.parse_args(arguments)
    rules = {f"{bound:g}": EarlyEnd(resign=(round(1 - bound, 4), options.decisions)) if options.resign
             else EarlyEnd(adjudicate=(bound, options.decisions)) for bound in BOUNDS}
    try:
        found = measure(options.game, rules, options)
    except SeatmateError as error:
        parser.error(str(error))
    kind = "resign" if options.resign else "adjudicate"
    table = Table(title=f"{options.game}, --{kind} P,{options.decisions}, {' and '.join(options.bots)}, {options.deals:,} deals")
    for column in ("P", "ended early", "of these wrong", "wrong games", "of all games", "decisions saved"):
        table.add_column(column, justify="right")
    for name, row in found.items():
        mean, half = row["wrong_of_all"]
        table.add_row(name, f"{row['ended']:.1%}", f"{row['wrong']:.2%}", f"{row['wrong_games']:,}", f"{mean:.2%} ± {half:.2%}",
                      f"{row['saved']:.1%}")
    machine.console(options.json).print(table)
    machine.write_json(options.json, {
        "machine": machine.facts(), "game": options.game, "rule": kind, "decisions": options.decisions, "bots": options.bots,
        "deals": options.deals, "seed": options.seed, "bounds": found})
    return 0


if __name__ == "__main__":
    sys.exit(main())
