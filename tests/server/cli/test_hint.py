"""`seatmate hint`."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seatmate.engine.core.record import Record
from seatmate.engine.core.registry import new_game

from .conftest import CommandLine, process

BUDGET = ("--iterations", "200", "--seed", "1")


def record_of(*actions: tuple[int, int], seed: int = 1) -> str:
    """A game of Kuhn poker so far."""
    state = new_game("kuhn").new_state(seed)
    for seat, action in actions:
        state.apply_action(seat, action)
    return state.record.to_json()


def test_suggestions_for_a_record(seatmate: CommandLine) -> None:
    shown = seatmate("hint", "-", *BUDGET, stdin=record_of())
    assert shown.code == 0 and shown.stderr == ""
    assert "Kuhn poker, seat 0 to move: Pass or bet?" in shown.stdout
    assert "Pass" in shown.stdout and "Bet one chip" in shown.stdout
    assert "200 iterations" in shown.stdout and "seed 1" in shown.stdout


def test_json(seatmate: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(record_of((0, 0)))
    result = seatmate("hint", "game.json", *BUDGET, "--json").json()
    assert (result["game"], result["seat"], result["prompt"]) == ("kuhn", 1, "ACT")
    assert 200 <= result["iterations"] < 220       # Kuhn's search finishes its last simulation
    assert sum(candidate["policy"] for candidate in result["candidates"]) == pytest.approx(1)
    assert {candidate["label"] for candidate in result["candidates"]} == {"Pass", "Bet one chip"}
    assert sum(candidate["visit_share"] for candidate in result["candidates"]) == pytest.approx(1)
    for candidate in result["candidates"]:
        assert 0 <= candidate["value"] <= 1 and candidate["standard_error"] >= 0


def without_time(result: dict[str, Any]) -> dict[str, Any]:
    """The result without what a clock says."""
    return {key: value for key, value in result.items() if key != "elapsed_s"}


def test_the_advice_rests_on_the_seats_own_information(seatmate: CommandLine) -> None:
    """Deals in which the seat holds the same card and the other holds another one get the same answer."""
    answers: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for seed in range(12):
        state = new_game("kuhn").new_state(seed)
        own, other = state.observation(0)["cards"][0], state.observation(1)["cards"][1]
        answers.setdefault(own, []).append(
            (other, without_time(seatmate("hint", *BUDGET, "--json", stdin=state.record.to_json()).json())))
    assert any(len({other for other, _ in same}) == 2 for same in answers.values())
    for same in answers.values():
        assert all(result == same[0][1] for _, result in same)


def test_an_exported_record_is_read_too(seatmate: CommandLine) -> None:
    """ExportRecord answers the record as a text inside its message."""
    export = json.dumps({"complete": True, "record": record_of((0, 0), (1, 0)), "events": []})
    seatmate("hint", stdin=export).refused(1, "the game is over")
    assert seatmate("hint", "--at", "1", *BUDGET, "--json", stdin=export).json()["seat"] == 1


def test_any_earlier_moment_of_a_record(seatmate: CommandLine) -> None:
    finished = record_of((0, 0), (1, 1), (0, 0))
    seatmate("hint", stdin=finished).refused(1, "the game is over", "--at")
    assert seatmate("hint", "--at", "1", *BUDGET, "--json", stdin=finished).json()["seat"] == 1
    assert seatmate("hint", "--at", "2", *BUDGET, "--json", stdin=finished).json()["seat"] == 0
    seatmate("hint", "--at", "4", stdin=finished).refused(1, "3 actions, not 4")


def position(seen: list[list[Any]], seat: int, **changes: Any) -> str:
    """A position in the JSON form of seatmate.v1.Position."""
    return json.dumps({"settings": {"game": "games/kuhn"}, "seat": seat, "events": [
        {"sequence": number, "key": key, "args": [{"value": value} for value in args]}
        for number, (key, *args) in enumerate(seen, start=1)]} | changes)


def events_of(seat: int, *actions: tuple[int, int], seed: int = 1) -> list[list[Any]]:
    """What a seat has seen."""
    state = Record.from_json(record_of(*actions, seed=seed)).replay()
    return [[event.key, *event.args] for event in state.events(seat)]


def test_a_position_gets_the_advice_its_record_gets(seatmate: CommandLine) -> None:
    for seat, actions in ((0, ()), (1, ((0, 1),)), (0, ((0, 0), (1, 1)))):
        from_record = seatmate("hint", *BUDGET, "--json", stdin=record_of(*actions)).json()
        from_events = seatmate("hint", *BUDGET, "--json", stdin=position(events_of(seat, *actions), seat)).json()
        if actions:     # Kuhn's search weighs worlds by the choices of the past, which a position does not tell
            for key in ("game", "seat", "prompt"):
                assert from_events[key] == from_record[key]
            assert ({c["label"] for c in from_events["candidates"]} == {c["label"] for c in from_record["candidates"]})
        else:
            assert without_time(from_events) == without_time(from_record)


@pytest.mark.parametrize(("text", "parts"), [
    ("", ["not JSON"]),
    ("{", ["not JSON"]),
    ("[" * 100_000, ["nested too deeply"]),
    ("[]", ["not a JSON object"]),
    ("{}", ["not a game record"]),
    (record_of().replace('"kuhn"', '"khun"'), ["the record does not fit", "'khun'"]),
    (record_of((0, 0)).replace("[[0, 0]]", "[[1, 0]]"), ["action 1 of the record", "seat 1"]),
    (record_of((0, 0)).replace("[[0, 0]]", "[[0, 7]]"), ["action 1 of the record", "7 is not a legal answer"]),
    (record_of((0, 0)).replace("[[0, 0]]", "[[0]]"), ["the record is broken"]),
    (record_of().replace('"rules_version": 1', '"rules_version": 99'), ["rules version 99"]),
    (record_of().replace('"seed": "1"', '"seed": "2"'), ["does not replay"]),
    *((record_of().replace('"seed": "1"', f'"seed": {seed}'), ["its seed is not a whole number from 0 on"])
      for seed in ('"abc"', '"-1"', "-1", "1.5", "null", "true", '"\u0663"')),
    (record_of().replace('"kuhn"', "null"), ["its settings name no game"]),
    (position(events_of(0), 7), ["no seat 7"]),
    (position(events_of(0)[1:], 0), ["no game of kuhn gives events 1 to 2"]),
    (position([["CARD", 0], ["PIZZA", 1]], 0), ["the position"]),
    (position([["CARD", 9]], 0), ["no game of kuhn gives event 1 "]),
    (position([], 0), ["the position"]),
    (position(events_of(0), 0, settings={"game": "games/khun"}), ["'khun'"]),
    (position(events_of(0), 0, pizza=1), ["pizza"]),
    (position([], 0, events=[{"sequence": 2, "key": "CARD", "args": [{"value": 1}]}]), ["events[0].sequence"]),
    (position(events_of(1), 1), ["seat 1 is not asked anything"]),
])
def test_broken_input_is_refused_in_one_sentence(seatmate: CommandLine, text: str, parts: list[str]) -> None:
    for json_option in ((), ("--json",)):
        shown = seatmate("hint", *json_option, stdin=text)
        shown.refused(1, *parts)
        assert shown.stdout == ""


def test_other_bad_input(seatmate: CommandLine, tmp_path: Path) -> None:
    seatmate("hint", "missing.json").refused(1, "missing.json: no such file or directory")
    seatmate("hint", str(tmp_path)).refused(1, "is a directory")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    seatmate("hint", "binary").refused(1, "not UTF-8")
    seatmate("hint", "--seat", "1", stdin=record_of()).refused(1, "seat 1 is not asked anything now", "asked: 0")
    seatmate("hint", "--seat", "1", stdin=position(events_of(0), 0)).refused(1, "the view of seat 0")
    seatmate("hint", "--iterations", "0", stdin=record_of()).refused(2, "--iterations")
    for wrong in ("-5", "inf", "nan", "1e300"):
        seatmate("hint", "--time-ms", wrong, stdin=record_of()).refused(2, "--time-ms", "range")
    seatmate("hint", "--iterations", str(10**16), stdin=record_of()).refused(2, "--iterations")


def test_top_counts_for_json_too(seatmate: CommandLine) -> None:
    whole = seatmate("hint", *BUDGET, "--json", stdin=record_of()).json()
    short = seatmate("hint", *BUDGET, "--json", "--top", "1", stdin=record_of()).json()
    assert len(whole["candidates"]) == 2 and short["candidates"] == whole["candidates"][:1]


def test_a_record_through_a_real_pipe(tmp_path: Path) -> None:
    done = process(["hint", *BUDGET, "--json"], cwd=tmp_path, stdin=record_of())
    assert done.code == 0 and done.stderr == ""
    assert done.json()["iterations"] == 200
