"""Mythos over gRPC: what is on the board, decks that are secret, labels, hints with reasons, positions of closed lists."""
from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest
from grpc import StatusCode

from playing import Player, TableAt, play_on, refused
from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.registry import new_game
from seatmate.engine.mythos.game import DECKS, MythosGame
from seatmate.engine.mythos.words.names import RANKS
from seatmate.server import mappers
from seatmate.v1 import analysis_pb2, mythos_observation_pb2, observation_pb2, settings_pb2
from seatmate.v1 import table_service_pb2 as pb

MISSIONS = ("MSS-01", "MSS-02", "MSS-03")
LIST = ", ".join([*(f"2 KS-{number:03d}" for number in range(20, 35)), *MISSIONS])
BUDGET = analysis_pb2.Budget(iterations=300)


def deck_of(settings: settings_pb2.GameSettings, seat: int) -> str:
    return settings.options[f"deck{seat}"].text


# ---- The typed observation ----

def test_the_board_loses_nothing_on_the_way():
    seen_cases: Counter[str] = Counter()
    for seed in range(30):
        game = new_game("mythos", options={"deck0": DECKS[seed % 6], "deck1": DECKS[seed // 6 % 6], "open_decklists": seed % 2})
        assert isinstance(game, MythosGame)
        state, choice = game.new_state(seed), random.Random(seed)
        while not state.is_over:
            for observer in (0, 1, SPECTATORS):
                seen = state.observation(observer)
                message = observation_pb2.Observation()
                mappers.fill(game, seen, message)
                check_board(game, seen, message.mythos, observer, seen_cases)
            seat = choice.choice(state.pending)
            legal = state.legal_actions(seat)
            state.apply_action(seat, choice.choice(legal[1:] if len(legal) > 1 and choice.random() < 0.9 else legal))
    for case in ("hidden", "known", "below", "tokens", "top", "tracked", "unfinished", "running", "closed", "open", "link"):
        assert seen_cases[case] > 0, case      # every part of the message has really been seen


def check_board(game: MythosGame, seen, mythos: mythos_observation_pb2.MythosObservation, observer: int,
                cases: Counter[str]) -> None:
    """The message says what the observation says."""
    assert (mythos.round, mythos.turn, mythos.active_seat) == (seen["round"], seen["turn"], seen["active"])
    assert [mission.rank for mission in mythos.missions] == list(RANKS[:len(seen["missions"])])
    assert [(mission.card, mission.points, mission.bonus, list(mission.power)) for mission in mythos.missions] == [
        (row["id"], row["points"], row["bonus"], row["power"]) for row in seen["missions"]]
    for unit, row in zip(mythos.units, seen["units"], strict=True):
        assert (unit.slot, unit.mission, unit.seat, unit.owner, unit.face_up, unit.tokens, unit.power, unit.turn, unit.serial,
                unit.arrival, list(unit.known_by), unit.is_open) == (
                    row["slot"], row["mission"], row["seat"], row["owner"], row["up"], row["tokens"], row["power"],
                    row["turn"], row["serial"], row["arrival"], row["known_by"], row["open"])
        assert (unit.card or None) == row["card"]
        assert unit.title == (game.names.title(row["card"]) if row["card"] else "")
        assert [(below.card, below.owner) for below in unit.below] == [(b["card"], b["owner"]) for b in row["below"]]
        assert unit.HasField("controlled_by") == (row["link"] is not None)
        cases.update({"hidden": not unit.card, "known": not unit.face_up and bool(unit.card), "below": bool(unit.below),
                      "tokens": bool(unit.tokens), "link": unit.HasField("controlled_by")})
    for seat in mythos.seats:
        number = seat.seat
        assert (seat.chakra, seat.points, seat.hand_count, list(seat.discard), seat.last_turn) == (
            seen["chakra"][number], seen["points"][number], seen["hand_counts"][number], seen["discards"][number],
            seen["last_turn"][number])
        assert seat.has_edge == (seen["edge"] == number) and seat.has_passed == (number in seen["passed"])
        assert seat.deck_count == seen["deck"][number] + len(seen["tops"][number])
        assert seat.list_known == (seen["unseen"][number] is not None)
        assert list(seat.unseen) == (seen["unseen"][number] or []) and list(seat.brought) == (seen["triples"][number] or [])
        cases.update({"top": bool(seat.top), "closed": not seat.list_known, "open": seat.list_known})
    hand: list[Any] = next((cards for cards in seen["hands"] if cards is not None), [])
    assert [card.card for card in mythos.hand] == hand and (observer != SPECTATORS or not hand)
    assert all((card.cost, card.power) == (game.names.costs[game.names.card_number[card.card]],
                                           game.names.powers[game.names.card_number[card.card]]) for card in mythos.hand)
    assert [track.card for track in mythos.tracked] == [track["card"] for track in seen["tracked"]]
    assert mythos.HasField("unfinished") == (seen["chain"] is not None)
    cases.update({"tracked": bool(mythos.tracked), "unfinished": mythos.HasField("unfinished"), "running": bool(mythos.running)})


# ---- Decks as table options ----

@pytest.mark.asyncio
@pytest.mark.parametrize("deck", ["sound", "random:17", LIST])
async def test_each_kind_of_deck_is_played(house, deck):
    table = await house.table("mythos", seed=5, options={"deck1": deck})
    assert deck_of((await table.get()).settings, 1) == deck
    players = await table.claim_all()
    seats = (await players[0].observe()).mythos.seats
    assert all(seat.list_known and seat.hand_count + seat.deck_count == 30 for seat in seats)


@pytest.mark.asyncio
@pytest.mark.parametrize(("deck", "words"), [
    ("3 KS-009, MSS-01", "3 x KS-009 (Naruto Uzumaki, Genin of the Leaf Village); at most 2 of a version are allowed"),
    ("2 Naruto", "'2 Naruto' is not a card"),
    ("KS-9999", "there is no card KS-9999"),
    ("leef", "did you mean 'leaf'"),
    ("unknown:30", "closed lists"),
    ("x" * 3000, "3000 characters; at most 2000"),
    (", ".join(f"9 KS-{number:03d}" for number in range(1, 100)), "and 96 problems more"),
])
async def test_a_deck_that_cannot_be_played_is_refused_by_name(house, deck, words):
    with pytest.raises(Exception, match=re.escape(words)) as caught:
        await house.table("mythos", options={"deck1": deck})
    assert caught.value.code() is StatusCode.INVALID_ARGUMENT
    assert len(caught.value.details()) < 1500


@pytest.mark.asyncio
async def test_a_deck_that_is_not_told_cannot_be_played(house):
    with pytest.raises(Exception, match="cannot be played") as caught:
        await house.table("mythos", options={"deck1": "unknown:30", "open_decklists": "no"})
    assert caught.value.code() is StatusCode.INVALID_ARGUMENT


# ---- Closed lists ----

@pytest.mark.asyncio
async def test_open_lists_are_shown_to_all(house):
    table = await house.table("mythos", options={"deck1": LIST})
    assert deck_of((await table.get()).settings, 1) == LIST


@pytest.mark.asyncio
async def test_a_seat_of_closed_lists_can_have_its_position_judged_elsewhere(house):
    """What the seat exports is a position, though it does not know the other deck."""
    table = await house.table("mythos", seed=8, options={"deck0": LIST, "deck1": "rogue", "open_decklists": "no", "first": "0"})
    players = await table.claim_all()
    await play_on(players, decisions=2)
    judged = 0
    for _ in range(20):
        asked = players[0] if (await players[0].legal()).actions else players[1]
        if asked is players[0]:
            judged += 1
            record = await asked.export()
            answer = await house.suggest(analysis_pb2.Position(settings=record.settings, seat=0, events=record.events),
                                         budget=BUDGET, seed=4)
            here = await asked.suggest(budget=BUDGET, seed=4)
            assert [(one.action.id, one.visits) for one in answer.analysis.candidates] == [
                (one.action.id, one.visits) for one in here.candidates]
        await asked.act(choose=max)
    assert judged >= 5


@pytest.mark.asyncio
async def test_a_position_with_a_deck_of_unknown_size_is_refused(house):
    position = analysis_pb2.Position(settings=settings_pb2.GameSettings(game="games/mythos", options={
        "deck1": settings_pb2.OptionValue(text="unknown"), "open_decklists": settings_pb2.OptionValue(flag=False)}))
    async with refused(StatusCode.INVALID_ARGUMENT, "BAD_SETTING", "unknown:30"):
        await house.suggest(position, budget=BUDGET)


@pytest.mark.asyncio
@pytest.mark.parametrize(("settings", "words"), [
    ({}, "there are none; a position needs all events its seat has seen"),
    ({"open_decklists": settings_pb2.OptionValue(flag=False), "deck1": settings_pb2.OptionValue(text="unknown:30")},
     "there are none")])
async def test_a_position_without_events_says_so(house, settings, words):
    position = analysis_pb2.Position(settings=settings_pb2.GameSettings(game="games/mythos", options=settings))
    async with refused(StatusCode.INVALID_ARGUMENT, "BAD_FIELD", words):
        await house.suggest(position, budget=BUDGET)


# ---- Labels and hints ----

async def some_game(table: TableAt, seed: int) -> list[tuple[Player, pb.ListLegalActionsResponse]]:
    """A player and what it may do, at every choice between several actions; the bots' heuristic decides who plays what."""
    players, choice = await table.claim_all(), random.Random(seed)
    found = []
    while True:
        for player in players:
            legal = await player.legal()
            if legal.actions:
                if len(legal.actions) > 1:
                    found.append((player, legal))
                ids = [action.id for action in legal.actions]
                await player.submit(choice.choice(ids[1:] or ids), legal.sequence)
                break
        else:
            return found


@pytest.mark.asyncio
async def test_labels_name_cards_missions_and_prices(house):
    labels: set[str] = set()
    for seed in range(3):
        for _, legal in await some_game(await house.table("mythos", seed=seed), seed):
            here = [action.label for action in legal.actions]
            assert len(set(here)) == len(here)
            labels.update(here)
    for pattern in (r"Reveal #\d+ .+ \(.+\) on mission [DCBA] for \d+ chakra", r"Play .+ on mission D for \d+ chakra",
                    r"Play [^:]+\) for \d+( to \d+)? chakra", r"Put .+ face down for 1 chakra", r"Mission [DCBA] \(.+\)",
                    r".+ as an upgrade of .+ for \d+ chakra", r"Use the (MAIN|UPGRADE|AMBUSH|SCORE) effect of .+",
                    r"Pass for this round"):
        assert any(re.fullmatch(pattern, label) for label in labels), pattern
    assert not any("None" in label or "KS-" in label for label in labels)


@pytest.mark.asyncio
async def test_hints_give_reasons_in_the_words_of_the_game(house):
    """In real positions: odds as percentages that rise for what is played there, chakra as it is, no reason twice."""
    table = await house.table("mythos", seed=21, options={"first": "0"})
    players = await table.claim_all()
    kinds: Counter[str] = Counter()
    for number in range(60):
        asked = [player for player in players if (await player.legal()).actions]
        if not asked:
            break
        player = asked[0]
        legal = await player.legal()
        chosen = legal.actions[0].id
        if len(legal.actions) > 1:
            chakra = (await player.observe()).mythos.seats[player.number].chakra
            analysis = await player.suggest(budget=analysis_pb2.Budget(iterations=150), seed=number)
            chosen = analysis.candidates[0].action.id
            for candidate in analysis.candidates:
                assert len(set(candidate.reasons)) == len(candidate.reasons) <= 3
                for reason in candidate.reasons:
                    kinds[check_reason(reason, chakra)] += 1
        await player.submit(chosen, legal.sequence)
    assert min(kinds[kind] for kind in ("odds", "chakra", "later")) > 0, kinds
    assert sum(kinds.values()) > 60


def bare(reason: str) -> str:
    """A reason without what it is held against."""
    return re.sub(r'^((unlike|as) ".*?": )?(but |though )?(leads to: )?', "", reason)


def check_reason(reason: str, chakra: int) -> str:
    """The kind of a reason that makes sense."""
    reason = bare(reason)
    if odds := re.fullmatch(r"your odds on mission [DCBA]: (\d+) % instead of (\d+) %", reason):
        assert odds[1] != odds[2] and int(odds[1]) <= 100 and int(odds[2]) <= 100
        return "odds"
    if cost := re.fullmatch(r"(costs|saves) (\d+) chakra \((\d+) left, not (\d+)\)", reason):
        assert int(cost[2]) > 0 and (int(cost[3]) > int(cost[4])) == (cost[1] == "saves")
        return "chakra"
    for kind, pattern in (("later", r"points to expect in later rounds: \d+ instead of \d+"),
                          ("points", r"(the opponent )?scores .+ points? (more|less)"),
                          ("income", r"your chakra in the next round: \d+ instead of \d+"),
                          ("hand", r"leaves (you|the opponent) .+ cards? (more|less)"),
                          ("seen", r"shows you .+ cards? (more|less) of the opponent"),
                          ("own_cards", r"power of your hand and characters: \d+ instead of \d+"),
                          ("waiting", r"points where your hidden characters wait: \d+ instead of \d+"),
                          ("opening", r"begins with .+ characters for 3 chakra or less than the other answer"),
                          ("enemies", r"leaves the opponent .+ characters? (more|less)|turns .+ face down"),
                          ("edge", r"(you have|the opponent has) the Edge"),
                          ("search", r"chance to win at first sight: [+-]\d+ %|"
                                     r"games played on end (better|worse): chance to win [+-]\d+ %")):
        if re.fullmatch(pattern, reason):
            return kind
    raise AssertionError(reason)


def test_every_feature_has_words():
    game = new_game("mythos")
    said = {feature.key: game.feature_text(number, 0.0, 0.9) or game.feature_text(number, 0.9, 0.0)
            for number, feature in enumerate(game.spec.features) if not feature.clock}
    assert all(said.values()), said
