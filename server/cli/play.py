"""`seatmate play`: you at a table with bots, in the terminal."""
from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seatmate.server.cli.arguments import (
    GameId,
    ModeKey,
    NoColor,
    Options,
    Pack,
    Seats,
    Seed,
    between,
    check_seat,
    choose_seed,
    example,
    make_game,
)
from seatmate.server.cli.console import interruptible


def play(
    game: GameId,
    seat: Annotated[int, typer.Option("--seat", metavar="N", min=0, help="Your seat; seats count from 0.")] = 0,
    bots: Annotated[str, typer.Option("--bots", metavar="A,B,...", help=(
        "One bot for all other seats, or one for each of them in seat order: random, heuristic, search:time_ms=500, "
        "search:time_ms=500,threads=2."
    ))] = "heuristic",
    seats: Seats = None,
    mode: ModeKey = None,
    option: Options = None,
    pack: Pack = None,
    seed: Seed = None,
    hint_ms: Annotated[float, typer.Option("--hint-ms", callback=between(1, 1e9), metavar="MS",
                                           help="Thinking time of a hint.")] = 1000.0,
    record: Annotated[Path | None, typer.Option("--record", metavar="FILE", show_default=False,
                                                help="Write the game record here at the end, finished or not.")] = None,
    no_color: NoColor = False,
) -> None:
    """Play in the terminal, you against (or together with) bots.

    Answer with a number, or with a piece of text that only one answer has. ? gives a hint with reasons, h lists all
    commands.
    """
    from seatmate.ai.bots import make_bot, parse_bots
    from seatmate.engine.core.rng import Stream, random_words
    from seatmate.server.cli.table import Quit, Table

    table_game = make_game(game, mode, seats, option, pack)
    you = check_seat(seat, table_game.seats)
    others = [number for number in range(table_game.seats) if number != you]
    names = [str(bot) for bot in parse_bots(bots)]
    if len(names) == 1:
        names *= len(others)
    if len(names) != len(others):
        raise typer.BadParameter(f"{len(names)} bots for {len(others)} other seats; give one bot or {len(others)}")
    if record is not None:
        record.open("a").close()        # better to hear now that it can't be written than after the game
    seed = choose_seed(seed)
    words = random_words(seed, (int(Stream.POLICY),), table_game.seats + 1)     # never the stream of the deal
    table = Table(
        state=table_game.new_state(seed), you=you, names=dict(zip(others, names, strict=True)),
        bots={other: make_bot(name, words[other]) for other, name in zip(others, names, strict=True)},
        hint_ms=hint_ms, hint_seed=words[-1], seed=seed,
    )
    kept = f"without --record FILE nothing is kept. The same deal again: --seed {seed}" if record is None else (
        f"the game so far is kept in {record}; seatmate hint {record} looks at it. The same deal again: --seed {seed}")
    try:
        with interruptible(kept):
            table.run()
    except Quit:
        pass
    finally:
        if record is not None:
            record.write_text(table.state.record.to_json() + "\n", encoding="utf-8")
            table.say_saved(record)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example("seatmate play kuhn --seat 1 --bots search:iterations=500 --record game.json"))(play)
