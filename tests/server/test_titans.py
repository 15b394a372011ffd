"""Titans over gRPC: what is on the table, what stays secret, tables of every mode, labels, hints with reasons, options."""
from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from grpc import StatusCode

from playing import Player, TableAt, play_on, refused
from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import new_game
from seatmate.engine.titans.game import TitansGame
from seatmate.server import mappers
from seatmate.v1 import analysis_pb2, observation_pb2, settings_pb2
from seatmate.v1 import table_service_pb2 as pb
from seatmate.v1 import titans_observation_pb2 as titans_pb

MODES = {"duel": 2, "team3": 3, "team4": 4, "ffa3": 3, "comp": 2}
BUDGET = analysis_pb2.Budget(iterations=100)


def positions(mode: str, seed: int, **options: Any) -> Iterator[tuple[TitansGame, State]]:
    """Every position of a game between players who do as the heuristic says half of the time."""
    game = new_game("titans", mode=mode, options=options)
    assert isinstance(game, TitansGame)
    state, choice = game.new_state(seed), random.Random(seed)
    while True:
        yield game, state
        if state.is_over:
            return
        seat = choice.choice(state.pending)
        legal, scores = state.legal_actions(seat), state.score_actions(seat)
        best = legal[scores.index(max(scores))]
        state.apply_action(seat, best if choice.random() < 0.5 else choice.choice(legal))


def message_of(game: TitansGame, seen: dict[str, Any]) -> titans_pb.TitansObservation:
    message = observation_pb2.Observation()
    mappers.fill(game, seen, message)
    return message.titans


# ---- The typed observation ----

@pytest.mark.parametrize("mode", MODES)
def test_the_table_loses_nothing_on_the_way(mode):
    cases: Counter[str] = Counter()
    for seed in range(8):
        for game, state in positions(mode, seed, **({"first_game": seed % 4 == 3} if mode in ("duel", "team3", "team4") else {})):
            for observer in (*range(game.seats), SPECTATORS):
                seen = state.observation(observer)
                check(game, seen, message_of(game, seen), observer, cases)
    wanted = {"obstacle", "traps", "fire", "stunned", "escape", "die", "used_die", "played", "own_hand", "closed_hand",
              "running", "current", "off_map", "card_used"}
    wanted |= {"removed", "eliminated", "flame"} if mode == "ffa3" else {
        "go", "points", "shield", "ko", "pizza", "clue", "monster", "gifts", "go_done"}
    wanted |= {"aside"} if mode != "comp" else {"secret_character"}
    missing = {case for case in wanted if not cases[case]}
    assert not missing, (missing, cases)        # every part of the message has really been seen


def check(game: TitansGame, seen: dict[str, Any], titans: titans_pb.TitansObservation, observer: int, cases: Counter[str]) -> None:
    """The message says what the observation says."""
    names = game.names

    def known(number: int | None) -> int:
        return -1 if number is None else number

    assert titans_pb.TitansMode.Name(titans.mode) == f"TITANS_MODE_{seen['mode'].upper()}"
    assert titans_pb.TitansPhase.Name(titans.phase) == f"TITANS_PHASE_{seen['phase'].upper()}"
    assert (titans.round, titans.turn, titans.first_team, titans.initiative_team) == (
        seen["round"], seen["turn"], known(seen["first"]), known(seen["initiative"]))
    assert titans.HasField("mayhem") == (seen["mayhem"] is not None)
    if seen["mayhem"] is not None:
        die = titans.mayhem
        assert {"face": die.face, "value": die.value, "star": die.star} == seen["mayhem"]
    assert [place.place for place in titans.places] == list(range(10))
    assert [place.tile or None for place in titans.places] == seen["tiles"]
    assert [place.place for place in titans.places if place.removed] == seen["removed"]
    assert [place.place for place in titans.places if place.clue] == seen["clues"]
    assert [place.place for place in titans.places if place.pizza] == ([] if seen["pizza"] is None else [seen["pizza"]])
    assert [[place.black_traps, place.white_traps] for place in titans.places] == seen["traps"]
    assert [border.border for border in titans.borders if border.obstacle] == seen["obstacles"]
    for border in titans.borders:
        a, b = titans.places[border.place_a], titans.places[border.place_b]
        assert (a.row - b.row, abs(a.column - b.column)) in ((0, 2), (-1, 1)) and not a.removed and not b.removed
    cases.update({"obstacle": bool(seen["obstacles"]), "traps": any(map(any, seen["traps"])), "removed": bool(seen["removed"]),
                  "pizza": seen["pizza"] is not None, "clue": bool(seen["clues"])})
    for piece, row in zip(titans.pieces, seen["pieces"], strict=True):
        assert (piece.character or None, piece.team, piece.seat, piece.place, piece.stun_team) == (
            row["character"], *map(known, (row["team"], row["seat"], row["place"], row["stun_team"])))
        assert (piece.damage, piece.fire, piece.stunned, piece.shield, piece.escape, piece.pizza, piece.ko, piece.eliminated,
                piece.innate_spent, piece.activations, piece.ghost, piece.locked) == tuple(row[key] for key in (
                    "damage", "fire", "stunned", "shield", "escape", "pizza", "ko", "eliminated", "innate_spent", "acts",
                    "ghost", "locked"))
        assert (piece.piece in titans.places[piece.place].pieces) == (piece.place >= 0)
        assert [ability.die for ability in piece.abilities] == (row["slots"] if row["character"] else [])
        if row["character"]:
            assert piece.health == names.health[names.character_number[row["character"]]] > piece.damage
        cases.update({key: bool(row[key]) for key in ("fire", "stunned", "shield", "escape", "ko", "eliminated")})
        cases.update({"die": any(row["slots"]), "off_map": row["place"] is None})
        cases["secret_character"] += observer == row["seat"] and bool(row["character"]) and not seen["tiles"][0]
    for team, row in zip(titans.teams, seen["teams"], strict=True):
        assert (team.points, list(team.delivered), team.gifts, team.clues, team.attack_bonus, team.trap_stun) == tuple(
            row[key] for key in ("points", "delivered", "gifts", "clues", "attack_bonus", "trap_stun"))
        assert (team.go.card or None, team.played.card or None) == (row["go"], row["played"])
        assert [die.value for die in team.dice] == row["dice"]
        assert [die.die for die in team.dice if die.used] == [die for die in row["dice_used"] if die < len(row["dice"])]
        assert team.HasField("monster") == (row["monster"] is not None)
        if row["monster"] is not None:
            assert {"place": team.monster.place, "damage": team.monster.damage} == row["monster"]
            assert team.monster.damage < team.monster.health <= 6
        cases.update({"go": bool(row["go"]), "points": bool(row["points"]), "monster": row["monster"] is not None,
                      "gifts": bool(row["gifts"]), "played": bool(row["played"]), "used_die": bool(row["dice_used"])})
    assert [team.trap_supply for team in titans.teams][:len(seen["supplies"]["traps"])] == seen["supplies"]["traps"]
    for seat in titans.seats:
        number = seat.seat
        assert (seat.hand_count, seat.team) == (seen["hand_counts"][number], game.seat_team(number))
        assert seat.hand_known == (seen["hands"][number] is not None)
        assert [card.card for card in seat.hand] == (seen["hands"][number] or [])
        assert [card.card for card in seat.aside] == (seen["aside"][number] or [])
        assert [card.card for card in seat.used] == seen["used"][number]
        assert all(card.title == names.card_titles[names.card_number[card.card]] for card in (*seat.hand, *seat.used))
        cases.update({"own_hand": bool(seat.hand), "closed_hand": not seat.hand_known and seat.hand_count > 0,
                      "aside": bool(seat.aside), "card_used": bool(seat.used)})
    assert [card.card for card in titans.go_deck] == seen["go_deck"] and [card.card for card in titans.go_done] == seen["go_done"]
    for key in ("fire", "shields", "escapes", "obstacles", "gifts", "clues"):
        assert getattr(titans.supplies, key) == seen["supplies"][key]
    assert titans.HasField("current") == (seen["phase"] == "activation")
    if titans.HasField("current"):
        turn, current = seen["turn_state"], titans.current
        assert (current.team, current.piece, current.slot, current.die, current.stood) == (
            turn["team"], known(seen["active"]), turn["slot"], turn["die"], known(turn["stood"]))
        assert (current.moved, current.forfeited, current.slot_used, current.innate_used, current.special_on, current.special_off,
                current.next_attack_bonus, current.flame) == tuple(turn[key] for key in (
                    "moved", "forfeited", "slot_used", "innate_used", "special_on", "special_off", "next2", "flame"))
        cases.update({"current": True, "flame": current.flame})
    assert len(titans.running) == len(seen["progress"]["frames"])
    for running, frame in zip(titans.running, seen["progress"]["frames"], strict=True):
        assert running.kind != titans_pb.TITANS_RUNNING_KIND_UNSPECIFIED and -1 <= running.piece < 4 and -1 <= running.target < 4
        assert bool(running.title) == (frame["kind"] in ("program", "window"))
    cases.update({"running": bool(titans.running), "go_done": bool(titans.go_done)})
    assert list(titans.burning) == seen["progress"]["burning"] and list(titans.winners) == (seen["result"] or [])


# ---- Secrets ----

def secrets_of(seen: dict[str, Any], seat: int) -> set[str]:
    """Ids of the cards only this seat knows."""
    return {*(seen["hands"][seat] or ()), *(seen["aside"][seat] or ())}


@pytest.mark.parametrize("mode", MODES)
def test_nothing_hidden_is_in_another_seats_message(mode):
    """By name, and by exchanging what the observer does not know: its message stays the same to the byte."""
    exchanged = changed = 0
    for seed in range(4):
        for number, (game, state) in enumerate(positions(mode, seed)):
            own = [state.observation(seat) for seat in range(game.seats)]
            shown = {seen: message_of(game, state.observation(seen)) for seen in (*range(game.seats), SPECTATORS)}
            for observer, message in shown.items():
                assert all(seat.hand_known for seat in message.seats if seat.seat == observer)
                assert not any((seat.hand_known and seat.hand_count) or seat.hand or seat.aside for seat in message.seats
                               if seat.seat != observer)
                text = str(message)
                for seat in range(game.seats):
                    if seat == observer:
                        continue
                    visible = {card for cards in own[seat]["used"] for card in cards}
                    if observer != SPECTATORS:
                        visible |= secrets_of(own[observer], observer)      # each seat of "comp" has all cards of its own
                    assert not [card for card in secrets_of(own[seat], seat) - visible if f'"{card}"' in text]
                if mode == "comp" and not any(own[0]["tiles"]):             # characters are secret until the map is laid
                    others = [piece for piece in message.pieces if piece.seat != observer]
                    assert not any(piece.character or piece.title or piece.health or piece.abilities for piece in others)
            if number % 5 == 0 and not state.is_over:
                for seat in range(game.seats):
                    world = state.resample_from_infostate(seat, seed=number)
                    assert message_of(game, world.observation(seat)) == shown[seat]
                    assert message_of(game, world.observation(SPECTATORS)) == shown[SPECTATORS]
                    exchanged += 1
                    changed += any(world.observation(other)["hands"] != own[other]["hands"] for other in range(game.seats))
    assert changed > exchanged / 3 > 10         # the other hands have really been others


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", MODES)
async def test_answers_name_no_card_that_only_others_hold(house, mode):
    table = await house.table("titans", seed=4, **setting(mode))
    players = await table.claim_all()
    choice = random.Random(4)
    for step in range(60):
        held = [{card.title for card in (*seat.hand, *seat.aside)} for player in players
                for seat in (await player.observe()).titans.seats if seat.seat == player.number]
        played = {card.title for seat in (await players[0].observe()).titans.seats for card in seat.used}
        if step % 6 == 0:
            for player in players:
                said = "\n".join(map(str, [await player.observe(), await player.legal()]))
                others = set().union(*(cards for seat, cards in enumerate(held) if seat != player.number))
                assert not [title for title in others - held[player.number] - played if f'"{title}"' in said or f" {title}" in said]
            said = str(await table.get())
            assert not [title for cards in held for title in cards - played if title in said]
        if not await play_on(players, 1, choose=lambda ids: choice.choice(list(ids))):
            break


# ---- Tables ----

def setting(mode: str, **options: str) -> dict[str, Any]:
    return {"seats": MODES[mode], "mode": mode, "options": options}


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", MODES)
async def test_bots_play_a_table_of_every_mode_to_the_end(house, mode):
    bots = {seat: ("heuristic", "random", "search:iterations=5", "heuristic")[seat] for seat in range(MODES[mode])}
    table = await house.table("titans", seed=7, bots=bots, **setting(mode))
    state = await table.finished()
    assert state.is_over and state.game.settings.mode == mode
    final = (await table.observe()).titans
    assert final.phase == titans_pb.TITANS_PHASE_OVER and len(final.winners) > 0
    returns = state.returns()
    assert sorted(set(returns)) in ([0, 1], [0, 0.5], [0.5], [1 / 3])
    assert {seat.seat for seat in final.seats if returns[seat.seat] > 0} == {
        seat.seat for seat in final.seats if seat.team in final.winners}


@pytest.mark.asyncio
async def test_options_of_a_table(house):
    table = await house.table("titans", seed=1, mode="team4", options={"first_game": "yes"})
    settings = (await table.get()).settings
    assert settings.options["first_game"].flag and settings.mode == "team4" and settings.seat_count == 4
    players = await table.claim_all()
    await play_on(players, decisions=8)
    seats = (await players[0].observe()).titans.seats
    assert all(seat.hand_known and seat.hand_count == len(seat.hand) for seat in seats)     # such hands are open to all
    arena = await house.table("titans", seed=1, mode="ffa3", options={"flame_every_turn": "true"})
    assert (await arena.get()).settings.options["flame_every_turn"].flag


@pytest.mark.asyncio
@pytest.mark.parametrize(("wishes", "words"), [
    ({"mode": "ffa3", "options": {"first_game": "yes"}}, "first_game"),
    ({"mode": "duel", "options": {"flame_every_turn": "yes"}}, "flame_every_turn"),
    ({"mode": "duel", "seats": 3}, "it takes 2"),
    ({"mode": "solo"}, "solo"),
    ({"options": {"first_game": "perhaps"}}, "perhaps"),
    ({"options": {"team0": "cyborg+raven"}}, "team1"),
    ({"options": {"team0": "cyborg+raven", "team1": "raven+robin"}}, "Raven"),
    ({"options": {"team0": "cyborg+batman", "team1": "raven+robin"}}, "batman"),
    ({"options": {"team0": "cyborg+cyborg", "team1": "raven+robin"}}, "two different"),
    ({"mode": "comp", "options": {"team0": "cyborg+raven", "team1": "starfire+robin"}}, "team0"),
    ({"mode": "ffa3", "options": {"initiative": "1"}}, "initiative"),
])
async def test_options_that_do_not_fit_are_refused_by_name(house, wishes, words):
    with pytest.raises(Exception, match=re.escape(words)) as caught:
        await house.table("titans", **wishes)
    assert caught.value.code() is StatusCode.INVALID_ARGUMENT


@pytest.mark.asyncio
@pytest.mark.parametrize("first", ["0", "1"])
async def test_teams_and_initiative_can_be_given(house, first):
    options = {"team0": "starfire+cyborg", "team1": "raven+robin", "initiative": first}
    table = await house.table("titans", seed=9, options=options)
    players = await table.claim_all()
    assert (await players[0].legal()).prompt == "SETASIDE"      # nobody drafts
    await play_on(players, decisions=7)
    seen = (await players[0].observe()).titans
    assert [piece.character for piece in seen.pieces] == ["starfire", "cyborg", "raven", "robin"]
    assert seen.initiative_team == int(first)
    sums = [sum(die.value for die in team.dice) for team in seen.teams]
    assert sums[int(first)] <= sums[1 - int(first)]             # it still belongs to the lower roll


# ---- Labels and hints ----

async def some_game(table: TableAt, seed: int) -> list[tuple[Player, pb.ListLegalActionsResponse]]:
    """A player and what it may do, at every choice between several actions of a random game."""
    players, choice = await table.claim_all(), random.Random(seed)
    found = []
    while True:
        for player in players:
            legal = await player.legal()
            if legal.actions:
                if len(legal.actions) > 1:
                    found.append((player, legal))
                await player.submit(choice.choice([action.id for action in legal.actions]), legal.sequence)
                break
        else:
            return found


@pytest.mark.asyncio
async def test_labels_name_characters_places_and_cards(house):
    labels: set[str] = set()
    for seed, mode in enumerate(("duel", "duel", "ffa3", "team3", "ffa3", "ffa3", "ffa3")):
        for _, legal in await some_game(await house.table("titans", seed=seed, **setting(mode)), seed):
            here = [action.label for action in legal.actions]
            assert len(set(here)) == len(here)
            labels.update(here)
    for pattern in (r"Take Robin", r"Set .+ aside", r"Activate Raven", r"Cyborg: Armour with the \d.*", r"Move \w+ to the Docks",
                    r"\w+ stays on .+", r"Robin uses Staff Meeting", r"Robin uses Staff Meeting \(special effect\)",
                    r"End \w+'s turn", r"Hit \w+", r"Shoot \w+", r"Play .+", r"Play no card", r"Put it between .+ and .+",
                    r"Trap on .+", r"Move Cyborg to place \d", r"Remove place \d", r"\w+: keep the escape token"):
        assert any(re.fullmatch(pattern, label) for label in labels), pattern
    assert not any("None" in label or re.search(r"\bM\d\d\b", label) for label in labels)


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", ["duel", "ffa3"])
async def test_hints_give_reasons_in_the_words_of_the_game(house, mode):
    """In real positions: odds and damage before and after, missions, tokens; no reason twice."""
    table = await house.table("titans", seed=21, **setting(mode))
    players = await table.claim_all()
    kinds: Counter[str] = Counter()
    for number in range(90):
        asked = [player for player in players if (await player.legal()).actions]
        if not asked:
            break
        legal = await asked[0].legal()
        chosen = legal.actions[0].id
        if len(legal.actions) > 1:
            analysis = await asked[0].suggest(budget=BUDGET, seed=number)
            chosen = analysis.candidates[0].action.id
            for candidate in analysis.candidates:
                assert len(set(candidate.reasons)) == len(candidate.reasons) <= 3
                for reason in candidate.reasons:
                    kinds[check_reason(reason)] += 1
        await asked[0].submit(chosen, legal.sequence)
    wanted = ("ko", "damage") if mode == "ffa3" else ("ko", "damage", "mission")
    assert min(kinds[kind] for kind in wanted) > 0, kinds
    assert sum(kinds.values()) > 60


def bare(reason: str) -> str:
    """A reason without what it is held against."""
    return re.sub(r'^((unlike|as) ".*?": )?(but |though )?(leads to: )?', "", reason)


def check_reason(reason: str) -> str:
    """The kind of a reason that makes sense."""
    reason = bare(reason)
    if odds := re.fullmatch(r"(?:odds|your risk) of a KO in this round: (\d+) % instead of (\d+) %", reason):
        assert odds[1] != odds[2] and int(odds[1]) <= 100 and int(odds[2]) <= 100
        return "ko"
    if change := re.fullmatch(r"damage on (?:the opponents|you) with what is to come: ([\d.]+) instead of ([\d.]+)", reason):
        assert change[1] != change[2]
        return "damage"
    if change := re.fullmatch(r"(?:your|the opponent's) mission: (\d+) % instead of (\d+) % done", reason):
        assert change[1] != change[2] and int(change[1]) <= 100 and int(change[2]) <= 100
        return "mission"
    for kind, pattern in REASONS.items():
        if re.fullmatch(pattern, reason):
            return kind
    raise AssertionError(reason)


REASONS = {
    "points": r"(the opponent )?scores .+ points? (more|less)", "hand": r"(costs|saves) you .+ cards?",
    "done": r"deals .+ points? (more|less) of damage|costs you .+ health points? (more|less)",
    "fire": r"puts .+ fire tokens? (more|less) on (you|the opponent)",
    "stun": r"leaves a character of yours stunned|spares you a stun|leaves an opponent (stunned|without a stun)",
    "tokens": r"leaves you (a shield|an escape token|without a shield|without an escape token)",
    "traps": r"traps next to (your|the opponent's) characters: [\d.]+ instead of [\d.]+",
    "result": r"(wins|loses) the game( at once: \d+ % instead of \d+ %)?|does not (win|lose) the game yet",
    "cyborg": r"leaves you next to Cyborg|keeps you away from Cyborg",
    "setup": r"what (your characters|the cards of your hand) are worth to bots.*: [\d.]+ instead of [\d.]+",
    "search": r"chance to win at first sight: [+-]\d+ %|"
              r"games played on end (better|worse): chance to win [+-]\d+ %"}


def test_every_feature_has_words():
    game = new_game("titans")
    said = {feature.key: game.feature_text(number, 0.0, 0.5) or game.feature_text(number, 0.5, 0.0)
            for number, feature in enumerate(game.spec.features) if not feature.clock}
    assert all(said.values()), said
    assert not any(game.feature_text(number, 0.3, 0.3) for number in range(len(game.spec.features)))


@pytest.mark.asyncio
async def test_a_seat_can_have_its_position_judged_elsewhere(house):
    table = await house.table("titans", seed=8)
    players = await table.claim_all()
    await play_on(players, decisions=20)
    judged = 0
    for _ in range(12):
        asked = players[0] if (await players[0].legal()).actions else players[1]
        if len((await asked.legal()).actions) > 1:
            judged += 1
            record = await asked.export()
            position = analysis_pb2.Position(settings=record.settings, seat=asked.number, events=record.events)
            answer = await house.suggest(position, budget=BUDGET, seed=4)
            here = await asked.suggest(budget=BUDGET, seed=4)
            assert [(one.action.id, one.visits) for one in answer.analysis.candidates] == [
                (one.action.id, one.visits) for one in here.candidates]
        await asked.act(choose=max)
    assert judged >= 4


@pytest.mark.asyncio
async def test_a_position_with_settings_that_do_not_fit_is_refused(house):
    position = analysis_pb2.Position(settings=settings_pb2.GameSettings(game="games/titans", options={
        "team0": settings_pb2.OptionValue(text="cyborg+raven")}))
    async with refused(StatusCode.INVALID_ARGUMENT, "BAD_SETTING", "team1"):
        await house.suggest(position, budget=BUDGET)
