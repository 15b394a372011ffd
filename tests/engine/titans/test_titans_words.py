"""What a person reads: answers, events, results, the map, reasons."""
from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from seatmate.ai.bots import make_bot
from seatmate.ai.search import Limits, Search
from seatmate.engine.core.game import SPECTATORS, State
from seatmate.engine.core.registry import new_game
from seatmate.engine.titans.advice.features import FEATURES
from titans_table import Table, a_game, designed_pack

MODES = ("duel", "team3", "team4", "ffa3", "comp")
ROWS = {row.key: row for row in FEATURES}


def labels(table: Table) -> list[str]:
    seat = table.state.pending[0]
    return [table.state.action_label(seat, action) for action in table.state.legal_actions(seat)]


def texts(table: Table, observer: int = SPECTATORS) -> list[str]:
    found = [table.game.event_text(event, observer) for event in table.state.events(observer)]
    return [text for text in found if text]


def test_answers_say_who_does_what_where() -> None:
    table = Table("Ro@5 Ra@0", "Cy@4 St@9", step="die", active="Ro", dice_a=(2, 6), hands=("M08", ""))
    assert labels(table) == ["Robin: Staff Meeting with the 2", "Robin: Hero Reflexes with the 2",
                             "Robin: Staff Meeting with the 6 (special effect)",
                             "Robin: Hero Reflexes with the 6 (special effect)"]
    table.run("A DIE_SLOT 1/0")
    assert {"Move Robin to the Arcade", "Robin stays on the Docks", "Play Ghost Powers"} <= set(labels(table))
    table.run("A MOVE 4")
    assert labels(table) == ["End Robin's turn", "Robin uses Staff Meeting (special effect)", "Robin uses Contingency Plan",
                             "Play Ghost Powers"]


def test_answers_within_effects() -> None:
    table = Table("Ra@4 Cy@2", "Ro@5 St@8", step="ability", active="Ra", slot=0, obstacles="e0").run("A ABILITY use")
    assert labels(table) == ["Shoot Robin", "Shoot Starfire"]
    table.run("A TARGET Ro")
    assert labels(table) == ["Place a new obstacle",
                             "Move the obstacle between the Black Base A and the Tower Lounge", "No obstacle"]
    table = Table("Cy@3 Ra@0", "Ro@5(E) St@6", step="move", active="Cy").run("A MOVE 4")
    assert labels(table)[0] == "Robin: escape to the Tower Lounge" and labels(table)[-1] == "Robin: keep the escape token"


def test_arguments_of_answers() -> None:
    table = Table("Ro@5 Ra@0", step="die", active="Ro", dice_a=(2, 6))
    assert table.state.action_args(0, 3) == {"piece": 0, "die": 1, "slot": 1, "value": 6}
    table.run("A DIE_SLOT 1/1")
    assert table.state.action_args(0, 4) == {"piece": 0, "place": 4}
    assert table.state.action_args(0, 10) == {"piece": 0, "answer": "stay"}


def test_answers_name_whom_they_place() -> None:
    """A seat with two characters has to know which one is asked about, and what a card puts on the map."""
    state = a_game(team0="robin+raven", team1="cyborg+starfire").new_state(3)
    while state.prompt(state.pending[0]) != "FIRST_PLACE":
        state.apply_action(state.pending[0], state.legal_actions(state.pending[0])[0])
    seat = state.pending[0]
    first = "Cyborg" if seat else "Robin"
    assert [state.action_label(seat, action).split(" on the ")[0] for action in state.legal_actions(seat)] == [first, first]
    assert labels(Table("Ro@- Ra@4", step="return")) == ["Robin on the Black Base A", "Robin on the Black Base B"]
    assert "Put the monster on the Arcade" in labels(Table(step="go_cards", go=("", "G06"), go_deck="G04"))
    table = Table(step="start_cards", dice_a=(2, 4), hands=("M03", "")).run("A WINDOW M03")
    assert labels(table) == ["Turn the 2 to 6", "Turn the 4 to 6"]


def test_traps_of_nobody_get_no_bonus() -> None:
    """R82: in the free-for-all Cranked to Eleven is for attacks only, and nothing says otherwise."""
    for mode, said in (("duel", "attacks and traps"), ("ffa3", "attacks")):
        table = Table("Ra@0", "Ro@9", "St@6 Cy@4", mode=mode, step="start_cards", hands=("M04", "", "")) if mode == "ffa3" else (
            Table(step="start_cards", hands=("M04", "")))
        look = " ".join(" ".join(table.game.describe(table.state.observation(0), 0, "M04")).split())
        assert f"your {said} deal 1 more damage" in look
        table.run("A WINDOW M04")
        assert any(text.endswith(f"deals 1 more damage with {said} in this round.") for text in texts(table))
        shown = "\n".join(table.game.board_lines(table.state.observation(0), 0))
        assert f", {said} +1" in " ".join(re.sub(r"\[/?[a-z ]+\]", "", shown).split())


def test_the_own_hand_among_partners() -> None:
    table = Table("Ro@4 Ra@0", mode="team4", hands=("M01", "", "M02", ""))
    text = "\n".join(table.game.board_lines(table.state.observation(0), 0))
    assert "black (you and seat 2): 0 points, dice " in text and ", hands 1 and 1" in text


def test_long_and_wide_names_leave_the_map_in_shape(tmp_path: Path) -> None:
    """A name is cut, the health beside it is not; a Japanese character takes two columns."""
    source = Path(designed_pack()).read_text(encoding="utf-8")
    for old, new in (('title = "Robin"', 'title = "Robin, Boy Wonder of Gotham"'), ('title = "Raven"', 'title = "レイヴン"')):
        assert old in source
        source = source.replace(old, new)
    file = tmp_path / "names.toml"
    file.write_text(source, encoding="utf-8")
    table = Table("Ro@4(d2) Ra@0", pack=str(file))
    lines = [re.sub(r"\[/?[a-z ]+\]", "", line) for line in table.game.board_lines(table.state.observation(0), 0)]
    assert any("| b Robin, Boy 7/9|" in line for line in lines)
    assert any("| b レイヴン 8/8  |" in line for line in lines)


def test_events_tell_a_story() -> None:
    table = Table("Ro@5 Ra@0", "Cy@5(d7,S) St@9", die="3*", step="ability", active="Ro", slot=0, go=("G12", ""), go_deck="G07")
    table.run("A ABILITY use")
    assert texts(table)[:4] == ["Robin uses Staff Meeting with its special and star effects.", "Robin hits Cyborg.",
                                "Cyborg takes 3 damage, the shield takes 2 (0 of 9 left).", "Cyborg is KO!"]
    assert "Team black has 1 point." in texts(table) and "Team black completes Settle It Outside!" in texts(table)
    table = Table("Cy@0 Ra@7", "Ro@5 St@9", turn=1, step="move", active="Ro", traps="A:4=2", hands=("", "M08")).run("B MOVE 4")
    assert texts(table)[:3] == ["Robin moves to the Arcade.", "Robin springs 2 traps on the Arcade.",
                                "Robin takes 2 damage from a trap (7 of 9 left)."]
    assert texts(Table(step="start_cards", hands=("M01", "")).run("A WINDOW M01"), 0)[0] == "You play Chaos Remote!"


def test_the_two_robins_of_the_competitive_mode() -> None:
    table = Table("Ro@4 Ra@0", "Ro@4 St@9", mode="comp", step="ability", active="A.Ro", slot=0).run("A ABILITY use")
    assert "Robin (black) hits Robin (white)." in texts(table)


def test_results() -> None:
    table = Table("Ro@4 Ra@0", "Cy@4(d8) St@9", step="ability", active="Ro", slot=0, vp=(4, 2)).run("A ABILITY use")
    assert table.game.result_text(table.state) == "Team black wins, 5 to 2 points."
    table = Table("Ra@0(d7,f1) Cy@5", "Ro@4(d8,f1) St@9", step="burn", vp=(4, 4))
    assert table.game.result_text(table.state) == "Team black and team white share the win, 5 to 5 points."
    table = Table("Ra@1(d7,f1)", "Ro@9", "St@-(X) Cy@4", mode="ffa3", step="burn", dice_a=(1,), dice_b=(3,), dice_c=())
    assert table.game.result_text(table.state) == "Seat 1 wins."


def test_the_map_shows_places_borders_and_what_lies_there() -> None:
    table = Table("Ro@4(d2,S) Ra@0", "Cy@4 St@9", obstacles="e8 e13", traps="A:8=2", go=("G04", "G01"), monsters="A@5(d1)", pizza=6,
                  dice_a=(2, 6))
    lines = [re.sub(r"\[/?[a-z ]+\]", "", line) for line in table.game.board_lines(table.state.observation(0), 0)]
    text = "\n".join(lines)
    assert lines[0].startswith("Round 2: the characters act; ") and "Mayhem die: 2; initiative: black" in lines[0]
    for wanted in ("# Arcade  ", " traps b2 ", " monster b 3/4   |", " Museum pizza ", "dice 2 6",
                   "Couch Slime: defeat the monster (health 4)", "Robin: shield", "Your hand: empty"):
        assert wanted in text, wanted
    assert any(line.split("#")[-1].startswith(" b Robin 7/9 ") for line in lines if "#" in line), "an obstacle between 3 and 4"
    assert any(line.startswith("+--------+--------+--------+########+-") for line in lines), "an obstacle between 4 and 8"
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("mode", MODES)
def test_every_position_can_be_drawn_and_told(mode: str) -> None:
    state = a_game(mode).new_state(2)
    chooser = random.Random(2)
    while not state.is_over:
        assert state.game.board_lines(state.observation(0), 0)
        seat = chooser.choice(state.pending)
        state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
    silent = {"PASS", "FLOW", "FRAME", "CHOICE", "ASK", "BUSY", "CONFIG", "TILES", "WINDOW", "DECLINE", "TURN_END", "ROUND_END",
              "TRAP", "TOKEN",
              "MISSION_TOKEN", "SETASIDE_COUNT"}
    for event in state.events(0):
        assert state.game.event_text(event, 0) or event.key in silent, event


@pytest.mark.parametrize(("key", "change", "text"), [
    ("points", 1, "scores 1 point more"), ("enemy_damage", 3, "deals 3 points more of damage"),
    ("damage", 2, "costs you 2 health points more"), ("damage", -2, "costs you 2 health points less"),
    ("enemy_fire", 1, "puts 1 fire token more on the opponent"), ("enemy_stun", 1, "leaves an opponent stunned"),
    ("shield", -1, "leaves you without a shield"), ("hand", -1, "costs you 1 card"), ("cyborg", 1, "leaves you next to Cyborg"),
    ("mission", -0.5, "your mission: 250 % instead of 300 % done"), ("ko", 0.02, ""), ("points", 0, ""),
    ("traps", 1, "traps next to the opponent's characters: 4 instead of 3"),
    ("enemy_traps", -1, "traps next to your characters: 2 instead of 3")])
def test_reasons(key: str, change: float, text: str) -> None:
    row = ROWS[key]
    assert row.says(3 * row.scale, row.scale * (3 + change)) == text


@pytest.mark.parametrize(("theirs", "mine", "text"), [
    (0, 1, "wins the game"), (1, 0, "does not win the game yet"), (0, -1, "loses the game"), (-1, 0, "does not lose the game yet"),
    (0, 0.5, "wins the game at once: 50 % instead of 0 %"),
    (-0.5, -0.25, "loses the game at once: 25 % instead of 50 %"), (1, 1, ""),
    (-1, 1, "wins the game"), (1, -1, "loses the game")])
def test_how_often_an_answer_ends_the_game(theirs: float, mine: float, text: str) -> None:
    row = ROWS["result"]
    assert row.says(theirs * row.scale, mine * row.scale) == text


def test_who_fell_in_an_earlier_round_is_no_ko_of_this_one() -> None:
    """In the free-for-all the odds of a KO are those of the ones who still stand."""
    found = 0
    for seed in range(6):
        state = a_game("ffa3").new_state(seed)
        while not state.is_over:
            state.apply_action(state.pending[0], make_bot("heuristic", 1).choose(state, state.pending[0]))
            pieces = state.observation(0)["pieces"]
            if not state.is_over and any(piece["eliminated"] and not piece["ko"] for piece in pieces):
                found += 1
                standing = next(seat for seat, piece in enumerate(pieces) if not piece["eliminated"])
                assert features(state, standing)["ko"] < 1
    assert found > 20


def features(table: Table | State, seat: int = 0) -> dict[str, float]:
    """The features in their own units, without stamps."""
    state = table.state if isinstance(table, Table) else table
    return {row.key: (value % row.stamp if row.stamp else value) / row.scale
            for row, value in zip(FEATURES, state.features(seat), strict=True)}


def test_odds_of_a_ko_follow_reach_health_and_shields() -> None:
    def risk(black: str, white: str = "Cy@4 St@9", **more: Any) -> float:
        return features(Table(black, white, step="piece", init="B", **more))["risk"]

    beside, far = risk("Ro@4(d7) Ra@0"), risk("Ro@3(d7) Ra@0", "Cy@2 St@6")
    assert beside > 0.6 and far == 0
    assert risk("Ro@4(d2) Ra@0") == 0                           # two attacks of 2 don't take 7
    assert risk("Ro@4(d7,S) Ra@0") < beside and risk("Ro@4(d7) Ra@0", "Cy@4(*) St@9") < beside
    assert risk("Ro@-(K) Ra@0") == pytest.approx(1)
    assert features(Table("Ro@4 Ra@0", "Cy@4(d7) St@9", step="piece"))["ko"] > 0.6
    seen = features(Table("Ro@4(d3,f1) Ra@0", "Cy@4(d1) St@9", step="piece", init="B"))
    assert seen["damage"] == pytest.approx(3) and seen["enemy_damage"] == pytest.approx(1)
    assert seen["coming"] > 3 + 2 and seen["enemy_coming"] > 1  # what lies on the boards, fire, and the attacks to come


def test_an_attack_under_way_still_counts() -> None:
    """A seat's features are often read while the other one is asked for a card: the attack is fixed, its damage is to come."""
    def last_turn(robin: str, cyborg: str, slot: int, card: str) -> Table:
        return Table(f"{robin} Ra@0(a1)", f"{cyborg} St@9(a1)", turn=3, init="B", step="ability", active="Ro", slot=slot,
                     hands=("", card))

    table = last_turn("Ro@4", "Cy@4(d5,a1)", 0, "M18").run("A ABILITY use")
    assert table.asked == "B WINDOW"
    seen = features(table)                                      # 4 damage to one who has 4 left
    assert seen["ko"] > 0.8 and seen["enemy_coming"] == pytest.approx(5 + 0.85 * 4)
    assert features(table, 1)["risk"] == pytest.approx(seen["ko"]) and features(table, 1)["coming"] == pytest.approx(5 + 0.85 * 4)
    assert features(last_turn("Ro@4", "Cy@4(d5,S,a1)", 0, "M18").run("A ABILITY use"))["ko"] == 0
    hit = table.run("B WINDOW pass")
    assert features(hit)["ko"] == pytest.approx(1)
    # an ability that moves first and shoots then: in between a card may be played
    table = last_turn("Ro@3", "Cy@4(d8,a1)", 1, "M20").run("A ABILITY use; A DEST 4")
    assert table.asked == "B WINDOW" and features(table)["ko"] > 0.5


def test_damage_to_come_is_no_more_than_there_is_to_lose() -> None:
    def coming(black: str, white: str = "Cy@7 St@9(a1)") -> float:
        seen = features(Table(black, white, step="piece", init="B"))
        return seen["coming"] - seen["damage"]

    once, both = coming("Ro@3 Ra@6"), "Cy@7 St@7"
    assert once > 1.5
    assert coming("Ro@3(d8) Ra@6") == pytest.approx(0.75), "one health point to lose, by an attack that comes three times in four"
    assert coming("Ro@3(d8,f1) Ra@6") == pytest.approx(1), "... and else by fire"
    assert coming("Ro@3(S) Ra@6") == pytest.approx(once - 0.75 * 2), "a shield takes two"
    assert coming("Ro@3 Ra@3") == pytest.approx(once), "an attack hits one of two"
    assert coming("Ro@3 Ra@6", both) == pytest.approx(2 * once)
    assert coming("Ro@3(d8) Ra@6", both) == pytest.approx(1 - 0.25 ** 2)
    assert coming("Ro@3(d8,f1) Ra@0", "Cy@9 St@9") == pytest.approx(1), "fire takes no more than there is, either"


def test_who_acts_for_a_fallen_mate_still_threatens() -> None:
    """R31."""
    def seen(black: str) -> dict[str, float]:
        return features(Table(black, "Cy@4(d8,a1) St@9", step="piece", init="B", turn=2))

    twice = seen("Ro@4(a1) Ra@-(K)")
    assert twice["ko"] > 0.6 and twice["enemy_coming"] > 8.5
    for done in ("Ro@4(a1) Ra@0(a1)", "Ro@4(a2) Ra@-(K)", "Ro@4(a1) Ra@-(K,a1)"):
        assert seen(done)["ko"] == 0 and seen(done)["enemy_coming"] == pytest.approx(8), done


def losses(state: State) -> list[tuple[int, float]]:
    """Of a finished game, round by round: its first event, and what team white's boards showed in the end and after the fire."""
    found: list[tuple[int, float]] = []
    damage: dict[int, int] = {}
    fallen: set[int] = set()
    acting = False
    for event in state.events(SPECTATORS):
        piece = event.args[0] & 3 if event.args else 0
        match event.key:
            case "ROUND":
                if found:
                    found[-1] = found[-1][0], sum(damage.values())
                found.append((event.sequence, 0))
                damage.update(dict.fromkeys(fallen, 0))
                fallen, acting = set(), False
            case "PIECE":
                acting = True
            case "DAMAGE" if piece > 1:
                if not acting and len(found) > 1:
                    found[-2] = found[-2][0], found[-2][1] + event.args[4] - damage.get(piece, 0)
                damage[piece] = event.args[4]
            case "HEAL" if piece > 1:
                damage[piece] = event.args[2]
            case "KO" if piece > 1:
                fallen.add(piece)
    found[-1] = found[-1][0], sum(damage.values())
    return found


def test_damage_to_come_comes() -> None:
    """Over games of the heuristic, with a KO in the air or not: what was said of team white's boards, and what they showed then."""
    now, said, done = ([0.0, 0.0] for _ in range(3))
    for seed in range(40):
        state = a_game(pack="standard").new_state(seed)
        bots = [make_bot("heuristic", seed) for _ in range(2)]
        asked = []
        while not state.is_over:
            asked.append((state.sequence(SPECTATORS), features(state)))
            seat = state.pending[0]
            state.apply_action(seat, bots[seat].choose(state, seat))
        rounds = losses(state)
        for sequence, seen in asked:
            began = [lost for first, lost in rounds if first < sequence]
            if began and 0.05 < seen["ko"] < 0.95:
                grave = seen["ko"] > 0.5
                now[grave] += seen["enemy_damage"]
                said[grave] += seen["enemy_coming"]
                done[grave] += began[-1]
    for grave in (False, True):
        assert said[grave] - now[grave] == pytest.approx(done[grave] - now[grave], rel=0.15), grave


def test_no_reason_calls_a_return_a_healing() -> None:
    """The last turn of a round: whoever is KO'd is back, unhurt, before the seat is asked again."""
    found: list[str] = []
    for seed in range(3):
        table = Table("Ro@4 Ra@0(a1)", "Cy@4(d7,a1) St@9(a1)", turn=3, init="B", step="ability", active="Ro", slot=0, seed=seed)
        for candidate in Search(table.state, 0, seed=1).run(Limits(iterations=100)).candidates:
            found += candidate.reasons
            if candidate.label.startswith("Use Staff Meeting"):
                assert any(reason.endswith("scores 1 point more") for reason in candidate.reasons), candidate.reasons
    assert not [reason for reason in found if "heal" in reason], found


def test_who_is_activated_and_which_die_is_placed_has_reasons_in_what_follows() -> None:
    """By itself that changes nothing, and the other side may answer before anything happens."""
    given: list[tuple[str, ...]] = []
    game = new_game("titans", mode="duel", options={"team0": "robin+raven", "team1": "cyborg+starfire"})
    for seed in range(3):
        state = game.new_state(seed)
        while not state.is_over:
            seat = state.pending[0]
            asked = state.prompt(seat)
            found = Search(state, seat, seed=seed).run(Limits(iterations=50 if asked == "PIECE" else 1))
            if asked == "PIECE" and len(found.candidates) > 1:
                given.append(found.best.reasons)
            state.apply_action(seat, found.best.action)
    assert len(given) > 15
    said = [reasons for reasons in given if reasons]
    assert len(said) > 0.75 * len(given), given
    ahead = [any("leads to: " in reason or "games played on " in reason for reason in reasons) for reasons in said]
    assert sum(ahead) > 0.3 * len(said), said


def test_the_heuristic_takes_what_lies_on_its_way() -> None:
    """A KO that wins, a delivery that wins, a card that saves."""
    bot = make_bot("heuristic", 1)
    table = Table("Ro@4 Ra@0", "Cy@4(d7) St@5(d1)", step="ability", active="Ro", slot=0, vp=(4, 4))
    assert bot.choose(table.state, 0) == 1
    table = Table("Ro@4(P) Ra@0", "Cy@9 St@6", step="move", active="Ro", go=("G01", ""), vp=(4, 0))
    assert bot.choose(table.state, 0) == 1, "the Tower Lounge is on 1"
    table = Table("Ro@4(d8) Ra@-(K)", "Cy@4 St@9", turn=1, step="ability", active="Cy", slot=0, dice_b=(1, 4), hands=("M19", ""))
    table.run("B ABILITY use")
    assert bot.choose(table.state, 0) == 19, "Not Today"
