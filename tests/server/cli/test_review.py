"""`seatmate review`, and the answers that `seatmate hint` looks at."""
from __future__ import annotations

import json

from google.protobuf import json_format

from seatmate.engine.core.game import State
from seatmate.engine.core.registry import new_game
from seatmate.server.convert import events_to_messages, settings_to_message
from seatmate.v1.analysis_pb2 import Position

from .conftest import CommandLine

BUDGET = ("--iterations", "300", "--seed", "2")


def lost() -> State:
    """Connect four: seat 1 does not stop four in a row."""
    state = new_game("connect_four").new_state(1)
    for column in (3, 0, 3, 0, 3, 6, 3):
        state.apply_action(state.pending[0], column)
    return state


def position(state: State, seat: int) -> str:
    settings = settings_to_message(state.game.settings.to_json(), state.game.spec.rules_version)
    return json_format.MessageToJson(Position(settings=settings, seat=seat, events=events_to_messages(
        state, state.events(seat), seat)))


def test_the_mistakes_of_a_game(seatmate: CommandLine) -> None:
    state = lost()
    shown = seatmate("review", "-", "--seat", "1", *BUDGET, stdin=state.record.to_json())
    assert shown.code == 0 and shown.stderr == ""
    assert "seat 1: 3 decisions with a choice" in shown.stdout
    assert "decision 3: O into column 7" in shown.stdout and "better: O into column 4" in shown.stdout
    assert seatmate("review", *BUDGET, stdin=position(state, 1)).stdout == shown.stdout, "the events of the seat are enough"
    told = seatmate("review", "--seat", "1", *BUDGET, "--json", stdin=state.record.to_json()).json()
    assert [one["number"] for one in told["decisions"]] == [1, 2, 3]
    assert told["decisions"][2]["mistake"] and told["decisions"][2]["played"]["action"] == 6


def test_a_broken_history_is_named(seatmate: CommandLine) -> None:
    broken = json.loads(position(lost(), 1))
    del broken["events"][4]["args"]
    shown = seatmate("review", *BUDGET, stdin=json.dumps(broken))
    assert shown.code == 1 and "no game of connect_four gives event 5 after the 4 before" in shown.stderr
    assert "there is no seat 5" in seatmate("review", "--seat", "5", *BUDGET, stdin=lost().record.to_json()).stderr
    assert "what seat 0 knows is not in it" in seatmate("review", "--seat", "0", *BUDGET, stdin=position(lost(), 1)).stderr


def test_answers_to_look_at(seatmate: CommandLine) -> None:
    def labels(*options: str) -> set[str]:
        told = seatmate("hint", "--at", "6", *BUDGET, *options, "--json", stdin=lost().record.to_json()).json()
        return {candidate["label"] for candidate in told["candidates"]}

    assert labels("--only", "3", "--only", "x into column 1") == {"X into column 4", "X into column 1"}
    assert labels("--except", "3") == {f"X into column {column}" for column in (1, 2, 3, 5, 6, 7)}
    for options, words in ((("--only", "9"), "'9' is no possible answer"), (("--only", "X into column 44"), "did you mean"),
                           (("--only", "2", "--except", "2"), "leaves no answer")):
        refused = seatmate("hint", "--at", "6", *BUDGET, *options, stdin=lost().record.to_json())
        assert refused.code == 2 and words in refused.stderr
