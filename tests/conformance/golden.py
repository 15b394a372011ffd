"""Golden playthroughs and search signatures: behaviour written down, so that a change of it shows in a review.

`make golden` writes them again. A playthrough says for every decision who is asked what, the legal answers, the answer, and
the events with their audience. A signature is a short hash: `rules` of ten random games (legal lists, everybody's observation
keys, utilities), `search` of the visit counts of fixed searches. The latter depend on the last bit of exp() and may
differ on another C library; the former never.
"""
from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from cases import Case, default_cases
from checks import observers
from positions import Player, positions, random_game
from seatmate.ai.search import Limits, Search
from seatmate.engine.core.game import SPECTATORS, Game, SeenEvent
from seatmate.engine.core.spec import CORE_EVENTS
from seatmate.tests.native import helpers as _testing

FOLDER = Path(__file__).parent / "golden"
SIGNATURES = Path(__file__).parent / "signatures.json"
LINES_WANTED = 200
"""A file gets another game until it has so many lines: one game of Hyde, a dozen of Kuhn poker."""


def playthrough(case: Case) -> str:
    """The text of a case's golden file."""
    game = case.new_game()
    lines = [f"{game.spec.title}: {case.seats} seats, mode {case.mode}, rules version {game.spec.rules_version}",
             "Written by `make golden`. Events: audience (seats, S spectators), kind, arguments, text.",
             f"settings {json.dumps(game.settings.to_json(), sort_keys=True)}", f"state bytes {game.state_bytes}"]
    for seed in count(1):
        lines += ["", f"==== game of seed {seed} ====", *_game_lines(game, seed)]
        if len(lines) >= LINES_WANTED:
            return "\n".join(lines) + "\n"
    raise AssertionError("unreachable")


def _game_lines(game: Game, seed: int) -> Iterator[str]:
    state = game.new_state(seed)
    player = Player(seed)
    explained: set[str] = set()
    told = 0
    yield "deal"
    while True:
        news = _testing.logged_events(state, told)
        told += len(news)
        yield from (_event_line(game, *event) for event in news)
        if state.is_over:
            break
        seat, action = player.choose(state)
        legal = state.legal_actions(seat)
        prompt = state.prompt(seat)
        assert prompt is not None
        pending = "" if len(state.pending) == 1 else f" of {list(state.pending)}"
        yield f"{len(state.actions) + 1}. seat {seat}{pending} {prompt}: {' '.join(map(str, legal))}"
        if prompt not in explained:
            explained.add(prompt)
            for answer in legal:
                args = " ".join(f"{key}={value}" for key, value in state.action_args(seat, answer).items())
                yield f"     {answer} = {state.action_label(seat, answer)}  ({args})"
        yield f"   > {action} {state.action_label(seat, action)}"
        state.apply_action(seat, action)
    yield f"end: {game.result_text(state)}"
    yield f"returns {' '.join(f'{value:.4f}' for value in state.returns())}"
    for observer in observers(game):
        yield f"seen by {'spectators' if observer == SPECTATORS else f'seat {observer}'}: " \
              f"{json.dumps(state.observation(observer), sort_keys=True)}"


def _event_line(game: Game, type: int, audience: int, args: tuple[int, ...]) -> str:
    key = game.event_key(type)
    names = {kind.key: kind.args for kind in (*CORE_EVENTS, *game.spec.events)}[key]
    who = "".join("S" if observer == SPECTATORS else str(observer)
                  for observer in observers(game) if audience >> observer & 1)
    asked = key != "BUSY" or args[0]
    values = " ".join(f"{name}={(game.prompt_keys[value] if asked else '-') if _is_prompt(type, name) else value}"
                      for name, value in zip(names, args, strict=False))
    reader = next(observer for observer in observers(game) if audience >> observer & 1)
    text = game.event_text(SeenEvent(1, key, args), reader) if type >= len(CORE_EVENTS) else ""
    return f"   {who}: {key} {values}".rstrip() + (f" | {text}" if text else "")


def _is_prompt(type: int, name: str) -> bool:
    """Is this argument of a core event the number of a prompt?"""
    return type < len(CORE_EVENTS) and name in ("prompt", "question")


def rules_signature(case: Case) -> str:
    """A hash of ten random games: which actions were legal, what everybody saw, and how they ended."""
    game = case.new_game()
    words: list[Any] = []
    for seed in range(10):
        for state in random_game(game, seed):
            words.append([[state.legal_actions(seat) for seat in range(game.seats)],
                          [state.observation_key(observer) for observer in observers(game)]])
            if state.is_over:
                words.append([round(value, 9) for value in state.returns()])
    return _digest(words)


def search_signature(case: Case, iterations: int = 200) -> dict[str, Any]:
    """Total nodes of fixed searches, and a hash of their visit counts."""
    game = case.new_game()
    nodes = 0
    words: list[Any] = []
    for seed in range(3):
        for state in positions(game, seed, 3):
            for seat in state.pending[:1]:
                analysis = Search(state, seat, seed=seed).run(Limits(iterations=iterations))
                nodes += analysis.nodes
                words.append(sorted((candidate.action, candidate.visits) for candidate in analysis.candidates))
    return {"nodes": nodes, "visits": _digest(words)}


def signature(case: Case) -> dict[str, Any]:
    """What signatures.json holds for a case."""
    return {"rules": rules_signature(case), "search": search_signature(case)}


def _digest(words: Any) -> str:
    return hashlib.sha256(json.dumps(words).encode()).hexdigest()[:12]


def golden_file(case: Case) -> Path:
    """Where the playthrough of a case is kept."""
    return FOLDER / f"{case.game_id}-{case.seats}-{case.mode}.txt"


def stored_signatures() -> dict[str, Any]:
    """signatures.json."""
    stored: dict[str, Any] = json.loads(SIGNATURES.read_text())
    return stored


def main() -> None:
    """Write all files again."""
    FOLDER.mkdir(exist_ok=True)
    wanted = {golden_file(case): case for case in default_cases()}
    for stale in set(FOLDER.glob("*.txt")) - set(wanted):
        stale.unlink()
    for file, case in wanted.items():
        file.write_text(playthrough(case))
    signatures = {case.name: signature(case) for case in wanted.values()}
    SIGNATURES.write_text(json.dumps(signatures, indent=2, sort_keys=True) + "\n")
    print(f"{len(wanted)} playthroughs in {FOLDER}, signatures in {SIGNATURES}", file=sys.stderr)


if __name__ == "__main__":
    main()
