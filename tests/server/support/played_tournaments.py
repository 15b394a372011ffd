"""Tournaments that are over, made without a server: it finds them in its folder when it starts."""
from __future__ import annotations

import json
from pathlib import Path

from seatmate.ai.arena import run_tournament
from seatmate.server import auth, names
from seatmate.server.tournaments import Tournament

BOTS = ["heuristic", "random"]


def played(folder: Path, token: str, seed: int = 7, unfinished: str = "") -> str:
    """The name of a tournament of two deals of Kuhn poker, whose owner has this token. unfinished: what stands in its file of a
    third one.
    """
    folder.mkdir(exist_ok=True)
    made = Tournament(id=names.new_tournament_id(), owner=auth.hash_token(token).hex(), caller="127.0.0.1", created_us=1, games=4,
                      job={"bots": BOTS, "seed": seed, "sprt": None, "ratings": False, "anchor": None}, state="finished")
    results = folder / f"{made.id}.jsonl"
    run_tournament("kuhn", seats=2, bots=BOTS, deals=2, seed=seed, workers=1, results=results)
    with open(results, "a") as file:
        file.write(unfinished)
    (folder / f"{made.id}.json").write_text(json.dumps(made.to_json()))
    return names.tournament_name(made.id)
