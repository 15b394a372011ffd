"""Is this view one that a game can show? Views come from anybody; the rules core trusts what is loaded into it."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.effects_program import STEP_AFTER, STEP_MAY
from seatmate.engine.core.view_checks import need, whole
from seatmate.engine.titans.content import vocabulary as v
from seatmate.engine.titans.content.link import VERB_NAMES, Site
from seatmate.engine.titans.content.vocabulary import NO_VERB, NONE, PIECES, PLACES
from seatmate.engine.titans.rules.verbs import QUESTIONS
from seatmate.engine.titans.secrets.fields import FIELDS
from seatmate.engine.titans.secrets.view import supplies
from seatmate.engine.titans.words.names import CAUSES, ENTRIES, PHASES, PROMPT_NUMBER

if TYPE_CHECKING:
    from seatmate.engine.titans.game import TitansGame

_HIDDEN = {row.name for row in FIELDS.rows.values() if row.sees == "nobody"}
ROOM = 8
"""Frames that a question leaves free."""
SETUP = ("draft", "set_aside", "comp")
BEFORE_FIRST_DIE = (*SETUP, "round", "first_place", "mayhem_die")
IN_TURN = ("move_cyborg", "die", "present", "hostile_cards", "move", "ability", "turn_end")
"""Steps in which a piece is active."""
STEP_OF_PROMPT = {"DRAFT": "draft", "SETASIDE": "set_aside", "COMP_CHAR": "comp", "COMP_CARD": "comp",
                  "FIRST_PLACE": "first_place", "REPLACE": "return", "PIECE": "piece", "DIE_SLOT": "die", "MOVE": "move",
                  "ABILITY": "ability", "REMOVE": "remove"}
"""Questions of the flow, with no frame open."""
KIND_OF_PROMPT = {"WINDOW": "window", "ESCAPE": "escapes"}


def raw_of_view(game: TitansGame, view: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """The raw values of a position that shows the seat this view. Raises ValueError that says what is wrong."""
    try:
        raw = raw_of(game, view)
        _Checker(game, view, raw, seat).run()
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"the view is broken: {type(error).__name__} {error}") from None
    return raw


def raw_of(game: TitansGame, values: Mapping[str, Any]) -> dict[str, Any]:
    """The raw values of an observation. Hands that are not known get cards that may be there. Raises ValueError."""
    teams = [{**team, "monster_place": (team["monster"] or {"place": None})["place"], "dice": [*team["dice"], 0, 0][:2],
              "monster_damage": (team["monster"] or {"damage": 0})["damage"]} for team in values["teams"]]
    pieces = [{**piece, "stun_team": piece["stun_team"] if piece["stunned"] else 0} for piece in values["pieces"]]
    raw = game.fields.parse(
        {**{key: values[key] for key in values.keys() - _HIDDEN}, "teams": teams, "pieces": pieces,
         "initiative": values["initiative"] or 0, "result": values["result"] or [],
         "traps": [list(row) for row in zip(*values["traps"], strict=True)]}, FIELDS.read(game.blank), game.seats)
    raw["face"] = NONE if values["mayhem"] is None else whole(values["mayhem"]["face"], 0, 5, "the Mayhem die")
    raw["depth"] = len(raw["frames"])
    raw["asked_mask"] = sum(1 << whole(seat, 0, game.seats - 1, "who is asked") for seat in values["asked"])
    if values["asked"]:
        raw["question_number"] = PROMPT_NUMBER[values["prompt"] or values["question"]]
    _fill_hands(game, values, raw)
    return raw


def _fill_hands(game: TitansGame, values: Mapping[str, Any], raw: dict[str, Any]) -> None:
    """Hands as far as they are known; the others get cards that nobody has, in order."""
    number, comp = game.names.card_number, game.settings.mode == "comp"
    for seat in range(game.seats):
        raw["hand"][seat] = {number[card] for card in values["hands"][seat] or ()}
        raw["aside"][seat] = {number[card] for card in values["aside"][seat] or ()}
    rest = sorted(game.deck - set().union(*raw["hand"], *raw["aside"], *raw["used"]))
    for seat, hand in enumerate(values["hands"]):
        if hand is None:
            if comp:
                rest = sorted(game.deck - raw["used"][seat])
            count = whole(values["hand_counts"][seat], 0, len(rest), "a hand")
            raw["hand"][seat], rest = set(rest[:count]), rest[count:]
    for seat, aside in enumerate(values["aside"]):
        if aside is None and raw["step"] not in (v.S_DRAFT, v.S_SET_ASIDE):
            count = max(0, game.surplus(raw, seat))
            raw["aside"][seat], rest = set(rest[:count]), rest[count:]


class _Checker:
    def __init__(self, game: TitansGame, values: Mapping[str, Any], raw: Mapping[str, Any], seat: int) -> None:
        self.game, self.values, self.raw, self.seat = game, values, raw, seat
        self.mode = game.settings.mode
        self.arena = game.arena
        self.names, self.limits = game.names, game.pack.limits
        self.teams = game.team_count
        self.step = values["progress"]["step"]
        self.pieces: Sequence[Mapping[str, Any]] = values["pieces"]

    def run(self) -> None:
        values, step = self.values, self.step
        need(values["mode"] == self.mode, "the mode")
        need(values["phase"] == PHASES.get(step, "activation"), "the phase")
        need((step in SETUP) == (values["round"] == 0) or step in ("round", "over"), "the round")
        whole(values["round"], 0, self.limits.arena_rounds if self.arena else self.limits.rounds, "the round")
        whole(values["first"], 0, 2 if self.arena else 1, "who drafts first")
        if values["initiative"] is not None:
            whole(values["initiative"], 0, self.teams - 1, "the initiative")
        need(values["initiative"] is not None or step in (*SETUP, "round"), "the initiative")
        need((values["mayhem"] is None) == (step in BEFORE_FIRST_DIE and values["round"] <= 1), "the Mayhem die")
        self.map()
        for number, team in enumerate(values["teams"]):
            self.team(number, team)
        need(len(values["teams"]) == self.teams and len(self.pieces) == PIECES, "the teams")
        for number, piece in enumerate(self.pieces):
            self.piece(number, piece)
        self.together()
        self.cards()
        self.turn()
        frames = values["progress"]["frames"]
        need(len(frames) <= v.FRAMES - ROOM, "what is being carried out")
        for index, frame in enumerate(frames):
            self.frame(index, frame)
        self.question()

    # ---- Map ----

    def map(self) -> None:
        values = self.values
        tiles = values["tiles"]
        if self.arena or self.step in ("draft", "comp"):
            need(tiles == [None] * PLACES, "the tiles")
        else:
            need(sorted(tiles) == sorted(self.names.tiles), "the tiles")
        need(not (self.arena and any(place[1] for place in values["traps"])), "the traps")
        for key, count in (("removed", PLACES), ("obstacles", len(self.names.map.edges)), ("clues", PLACES)):
            need(not values[key] or max(values[key]) < count, key)
        need(not values["removed"] or (self.arena and len(values["removed"]) <= PLACES - 2), "the removed places")
        need(len(values["obstacles"]) <= self.limits.obstacles, "the obstacles")
        gone = set(values["removed"])
        closed = {self.names.map.edges[edge] for edge in values["obstacles"]}
        for place in set(range(PLACES)) - gone:
            need(any(place in edge and not gone & set(edge) and edge not in closed for edge in self.names.map.edges),
                 "a place without an open border")

    # ---- Teams and pieces ----

    def team(self, number: int, team: Mapping[str, Any]) -> None:
        whole(team["points"], 0, 0 if self.arena else self.limits.points, "the points")
        need(team["go"] is None or not self.arena, "a GO! card")
        need(not any(icon.startswith("BASE") for icon in team["delivered"]), "the delivered gifts")
        for key, most in (("gifts", self.limits.gifts), ("clues", self.limits.clues)):
            whole(team[key], 0, most, key)
        kind = None if team["go"] is None else self.game.pack.go[self.names.go_number[team["go"]]].family
        need(kind == "gifts" or not (team["gifts"] or team["delivered"]), "gifts without their card")
        need(kind == "clues" or not team["clues"], "clues without their card")
        if team["monster"] is not None:
            need(kind == "monster", "a monster without its card")
            health = self.game.compiled.goes[self.names.go_number[team["go"]]].number
            whole(team["monster"]["damage"], 0, health, "the damage of a monster")
        dice = 1 if self.arena else 2
        need(len(team["dice"]) in (0, dice), "the dice")
        for die in team["dice"]:
            whole(die, 1, 6, "a die")
        need(not team["dice_used"] or (max(team["dice_used"]) < dice and team["dice"]), "the used dice")
        need(team["dice"] or self.step in (*SETUP, "round") or (self.arena and self.pieces[number]["eliminated"]), "the dice")

    def piece(self, number: int, piece: Mapping[str, Any]) -> None:
        need(piece["team"] == self.game.piece_team(number) and piece["seat"] == self.game.piece_seat(number), "whose a piece is")
        character = piece["character"]
        cyborg = self.arena and number == v.CYBORG
        if character is None:
            need(self.step in ("draft", "comp") and piece["place"] is None, "a piece without a character")
            health = 99
        else:
            health = self.names.health[self.names.character_number[character]]
            need(self.step != "draft" or not cyborg, "a character too early")
        if self.arena and character is not None:
            need((character == "cyborg") == cyborg, "Cyborg")
        need(piece["place"] is None or piece["place"] not in self.values["removed"], "a piece nowhere")
        whole(piece["damage"], 0, health - 1, "damage")
        whole(piece["fire"], 0, self.limits.fire, "fire")
        need(sum(die > 0 for die in piece["slots"]) == piece["acts"], "the activations")
        need(not piece["stunned"] or piece["stun_team"] == (0 if self.arena else 1 - piece["team"]), "a stun")
        marks = any(piece[key] for key in ("fire", "damage", "stunned", "shield", "escape", "ghost", "locked"))
        need(not (marks and (piece["place"] is None or cyborg)), "tokens off the map")
        need(not piece["eliminated"] or (self.arena and piece["place"] is None), "an eliminated piece")
        need(not piece["pizza"] or not self.arena, "the pizza")
        need(not cyborg or not piece["acts"], "Cyborg")

    def together(self) -> None:
        """What several pieces and teams share."""
        values, pieces = self.values, self.pieces
        stands = Counter(piece["place"] for piece in pieces if piece["place"] is not None)
        need(not stands or max(stands.values()) <= 2, "three pieces on a place")
        if self.step in (*SETUP, "round", "first_place") and values["round"] <= 1:
            need(self.arena or self.step == "first_place" or not stands, "a piece too early")
        elif self.arena:
            need(all((piece["place"] is None) == piece["eliminated"] for piece in pieces[:3]), "a piece off the map")
            need(pieces[v.CYBORG]["place"] is not None, "Cyborg")
            need(self.step == "over" or sum(piece["place"] is not None for piece in pieces[:3]) > 1, "a game that is over")
        characters = [piece["character"] for piece in pieces if piece["character"] is not None]
        if self.mode == "comp":
            for first in (0, 2):
                pair = [piece["character"] for piece in pieces[first:first + 2]]
                need(pair[0] != pair[1] or pair[0] is None, "a character twice in a team")
        else:
            need(len(set(characters)) == len(characters), "a character twice")
        pizzas = sum(piece["pizza"] for piece in pieces) + (values["pizza"] is not None)
        families = [None if team["go"] is None else self.game.pack.go[self.names.go_number[team["go"]]].family
                    for team in values["teams"]]
        need(pizzas <= families.count("pizza"), "the pizza")
        need(not values["clues"] or "clues" in families, "clues without their card")
        left = supplies(self.game, values)
        need(values["supplies"] == left and min(left.pop("traps")) >= 0 and min(left.values()) >= 0, "the supplies")

    # ---- Cards ----

    def cards(self) -> None:
        values, seats = self.values, self.game.seats
        for key in ("hands", "hand_counts", "aside", "used"):
            need(len(values[key]) == seats, key)
        deck = {self.names.cards[card] for card in self.game.deck}
        open_hands = self.game.open_hands
        seen: list[str] = []
        hidden = 0
        for seat in range(seats):
            known = seat == self.seat or open_hands
            count = whole(values["hand_counts"][seat], 0, len(deck), "a hand")
            seen_hand = known or (count == 0 and values["round"] > 0)
            seen_aside = known or self.mode == "comp"
            need((values["hands"][seat] is not None) == seen_hand and (values["aside"][seat] is not None) == seen_aside,
                 "whose hand is seen")
            need(values["hands"][seat] is None or len(values["hands"][seat]) == count, "a hand")
            own = list(values["used"][seat])
            if known:
                own += [*values["hands"][seat], *values["aside"][seat]]
                need(not open_hands or not values["aside"][seat], "cards set aside")
            need(len(set(own)) == len(own) and set(own) <= deck, "the cards of a seat")
            seen += own
            draw = self.game.drawn(seat)
            limit = draw - self.game.surplus(self.raw, seat)
            if self.step == "draft":
                need(count == 0 and not own, "a hand too early")
            elif self.mode == "comp":
                need(self.step == "comp" or count + len(values["used"][seat]) == limit, "a hand")
                need(self.step != "comp" or (count <= limit and not values["used"][seat]), "a hand")
                need(not values["aside"][seat], "cards set aside")
                if not known:
                    need(count + len(own) <= len(deck), "a hand")
            elif open_hands:
                need(count + len(values["used"][seat]) == limit, "a hand")
            else:
                total = count + len(values["used"][seat]) + (len(values["aside"][seat]) if known else 0)
                kept = min(draw, limit)
                if self.step == "set_aside":
                    need(total == draw and not values["used"][seat] and count >= kept, "a hand")
                else:
                    need(total == (draw if known else kept), "a hand")
                hidden += 0 if known else draw - len(values["used"][seat])
        if self.mode != "comp":
            need(len(set(seen)) == len(seen) and len(seen) + hidden <= len(deck), "the Mayhem cards")
        goes = [*values["go_deck"], *values["go_done"], *(team["go"] for team in values["teams"] if team["go"] is not None)]
        need(sorted(goes) == ([] if self.arena else sorted(self.names.goes)), "the GO! cards")
        for team, other in enumerate(values["teams"]):
            played = other["played"]
            need(played is None or any(played in values["used"][seat] for seat in range(seats)
                                       if self.game.seat_team(seat) == team),
                 "the card on the table")

    # ---- The turn ----

    def turn(self) -> None:
        values, step = self.values, self.step
        turn = values["turn_state"]
        need(turn["team"] < self.teams, "whose turn it is")
        need(not (self.arena and turn["die"]), "the die")
        need(step not in ("move", "ability") or values["progress"]["at"] <= v.MATE_ASKED | v.CHANGED, "the step")
        burning = values["progress"]["burning"]
        need(not burning or (step in ("smoke", "over") and max(burning) < PIECES), "burning")
        active = values["active"]
        need(active is not None or step not in IN_TURN, "nobody is active")
        if active is not None:
            need(step in IN_TURN or step == "over" or (self.arena and step == "piece"), "somebody is active")
            piece = self.pieces[active]
            need(piece["team"] == turn["team"], "whose turn it is")
            if step not in ("die", "piece", "move_cyborg", "over"):
                need(piece["slots"][turn["slot"]] > 0, "the die of this turn")
                need(turn["die"] in values["teams"][piece["team"]]["dice_used"], "the die of this turn")
        if step in ("round", "first_place"):
            need(step == "round" or values["round"] == 1, "the first placement")

    # ---- Frames ----

    def frame(self, index: int, frame: Mapping[str, Any]) -> None:
        frames = self.values["progress"]["frames"]
        kind = frame["kind"]
        last = index == len(frames) - 1
        if kind != "program":
            need(not frame["at"] and frame["arg0"] == frame["arg1"] == 0 and frame["verb"] == NO_VERB, "a frame")
        match kind:
            case "program":
                self.program(frame, last)
            case "attack":
                need(index and frames[index - 1]["kind"] == "program", "an attack")
                need(frame["stage"] <= 3 and frame["mode"] <= 1 and frame["a"] <= 30 and frame["b"] <= 30, "an attack")
                self.a_piece(frame["actor"])
                need(frame["team"] == self.pieces[frame["actor"]]["team"] and frame["tgt"] <= PIECES, "an attack")
                need(frame["place"] <= 2, "an attack")
                if frame["tgt"] == PIECES:
                    need(not self.arena, "an attack on a monster")
                    if frame["stage"] == 0:
                        need(self.values["teams"][frame["team"]]["monster"] is not None, "an attack on a monster")
            case "entry":
                whole(frame["actor"], 0, PIECES - 1, "an entry")
                need(frame["place"] < PLACES and frame["stage"] <= 4 and frame["mode"] < len(ENTRIES), "an entry")
                need(frame["mode"] != ENTRIES.index("place") or not self.arena, "an entry")
            case "window":
                self.window(frame)
            case "escapes":
                whole(frame["actor"], 0, PIECES - 1, "a move")
                need(frame["asked"] < 16 and self.values["active"] is not None, "escapes")
                if last:
                    whole(frame["tgt"], 0, PIECES - 1, "who may escape")
                    holder = self.pieces[frame["tgt"]]
                    need(holder["escape"] and holder["place"] is not None, "who may escape")
                    need(frame["tgt"] != self.values["active"], "who may escape")
            case "ko":
                need(not self.arena and frame["stage"] <= 2, "a KO")
                whole(frame["actor"], 0, PIECES - 1, "a KO")
            case "quest":
                need(not self.arena and frame["stage"] <= 2 and frame["team"] <= 1, "a quest")
            case _:
                need(False, "a frame")
        need(not last or kind in ("program", "attack", "window", "escapes"), "a question of nothing")

    def a_piece(self, number: int) -> None:
        """A piece with an owner."""
        whole(number, 0, PIECES - 1, "a piece")
        need(self.pieces[number]["seat"] is not None, "a piece without an owner")

    def window(self, frame: Mapping[str, Any]) -> None:
        need(frame["mode"] < len(CAUSES) and frame["asked"] < 1 << self.game.seats and frame["a"] <= 1, "a window")
        cause = CAUSES[frame["mode"]]
        if cause == "round_start":
            need(frame["tgt"] == NONE and self.step == "start_cards", "a window")
            return
        need(self.values["active"] is not None, "a window")
        self.a_piece(frame["tgt"])
        need(cause != "ko" or not self.arena, "a window")
        if cause == "enter":
            whole(frame["place"], 0, PLACES - 1, "a window")
        if cause == "attacked":
            whole(frame["other"], 0, PIECES - 1, "a window")
        if cause in ("activation", "mate", "change"):
            need(frame["tgt"] == self.values["active"], "a window")

    def program(self, frame: Mapping[str, Any], last: bool) -> None:
        compiled, source = self.game.compiled, frame["source"]
        name: tuple[str | int, ...]
        need(frame["team"] < self.teams and frame["stage"] <= v.IN_BODY | v.DID | v.SPECIAL, "a program")
        for key in ("actor", "tgt", "other"):
            need(frame[key] < PIECES or frame[key] == NONE, "a program")
        if source < v.FROM_GO:
            need(source < len(compiled.cards), "a card")
            name = ("card", source)
            whole(frame["seat"], 0, self.game.seats - 1, "who plays a card")
            need(self.game.seat_team(frame["seat"]) == frame["team"], "who plays a card")
            need(self.values["teams"][frame["team"]]["played"] == self.names.cards[source], "the card on the table")
        elif source < v.FROM_SLOT:
            need(not self.arena and source - v.FROM_GO < len(compiled.goes) and frame["seat"] == NONE, "a GO! card")
            name = ("go", source - v.FROM_GO)
            need(frame["actor"] == NONE, "a GO! card")
        else:
            piece = source - v.FROM_INNATE if source >= v.FROM_INNATE else (source - v.FROM_SLOT) // 2
            self.a_piece(piece)
            need(frame["actor"] == piece and frame["team"] == self.pieces[piece]["team"], "an ability")
            need(frame["seat"] == self.pieces[piece]["seat"], "an ability")
            board = self.names.character_number[self.pieces[piece]["character"]]
            name = ("innate", board) if source >= v.FROM_INNATE else ("slot", board, source % 2)
        need(source < v.FROM_GO or frame["stage"] & v.IN_BODY, "a program")
        if frame["verb"] == NO_VERB:
            need(frame["at"] in compiled.resting[name], "where a program stands")
            need(not (frame["who"] or frame["may"] or frame["a"] or frame["b"] or frame["arg0"] or frame["arg1"]), "a program")
            return
        need(last, "a program that goes on below others")
        site = compiled.sites[name].get(frame["at"])
        need(site is not None, "where a program stands")
        assert site is not None
        self.call(frame, site)

    def call(self, frame: Mapping[str, Any], site: Site) -> None:
        """The running call is the one that stands there."""
        args = [*site.args, 0, 0][:2]
        need(frame["verb"] == site.verb and frame["who"] == site.who and not site.flags & STEP_AFTER, "the step of a program")
        need(frame["may"] == (site.flags & STEP_MAY) and [frame["arg0"], frame["arg1"]] == args, "the step of a program")
        name = VERB_NAMES[site.verb]
        if (self.values["prompt"] or self.values["question"]) == QUESTIONS[name][1]:
            if name == "PUSH":
                self.a_piece(frame["a"])
                need(self.pieces[frame["a"]]["place"] is not None, "who is pushed")
            else:
                need(frame["a"] == 0 or frame["a"] - 1 in self.values["obstacles"], "which obstacle")
        else:
            need(frame["a"] == 0, "the step of a program")

    # ---- The question ----

    def question(self) -> None:
        """Who is asked, and can that seat be asked this?"""
        values, frames = self.values, self.values["progress"]["frames"]
        asked, prompt = values["asked"], values["prompt"]
        need((values["question"] is None) == (not asked), "who is asked")
        need((self.step == "over") == (not asked) == (values["result"] is not None), "the end")
        if not asked:
            need(not frames, "the end")
            return
        if self.step in ("set_aside", "comp"):
            self.secret()
            return
        need(len(asked) == 1, "who is asked")
        name = prompt or values["question"]
        need(values["question"] == name, "the question")
        seat = asked[0]
        top = frames[-1] if frames else None
        if name in STEP_OF_PROMPT:
            need(self.step == STEP_OF_PROMPT[name] and top is None, f"the question {name}")
        elif name == "CYBORG" and top is None:
            need(self.arena and self.step == "move_cyborg", f"the question {name}")
        else:
            need(top is not None, f"the question {name}")
            self.question_of_frame(name, top)
        if name in ("MOVE", "ABILITY", "DIE_SLOT"):
            piece = self.pieces[values["active"]]
            need(piece["seat"] == seat and piece["place"] is not None, f"the question {name}")
            pair = sum(self.game.seat_team(other) == piece["team"] for other in range(self.game.seats)) > 1
            need(name == "DIE_SLOT" or values["progress"]["at"] == (v.MATE_ASKED if pair else 0), f"the question {name}")
        elif name == "PIECE":
            need(self.game.seat_team(seat) == values["turn_state"]["team"], f"the question {name}")
        elif name == "FIRST_PLACE":
            whole(values["progress"]["at"], 0, 3, "the step")
            number = 2 * (values["initiative"] ^ (values["progress"]["at"] >> 1)) + (values["progress"]["at"] & 1)
            need(self.pieces[number]["seat"] == seat and self.pieces[number]["place"] is None, f"the question {name}")
        elif name == "REPLACE":
            gone = [piece for first in (2 * values["initiative"], 2 - 2 * values["initiative"])
                    for piece in self.pieces[first:first + 2] if piece["place"] is None]
            need(not self.arena and gone and gone[0]["seat"] == seat, f"the question {name}")
        elif name == "REMOVE":
            need(self.arena and self.pieces[seat]["place"] is not None, f"the question {name}")
        elif name == "DRAFT":
            number = values["progress"]["at"]
            need(number < (3 if self.arena else 4), "the draft")
            piece = (values["first"] + number) % 3 if self.arena else 2 * (values["first"] ^ number & 1) + (number >> 1)
            need(self.pieces[piece]["seat"] == seat and self.pieces[piece]["character"] is None, "the draft")

    def secret(self) -> None:
        """Several seats choose at once."""
        values = self.values
        asked, own = values["asked"], values["prompt"]
        need(not values["progress"]["frames"], "a secret choice")
        if self.step == "comp":
            need(self.mode == "comp" and asked == [0, 1] and values["question"] == "COMP_CHAR", "a secret choice")
            whole(values["progress"]["at"], 1, 2, "the picks")
            need(values["progress"]["at"] == 1 or len({board.icons for board in self.game.pack.board}) > 1, "the picks")
            mine = [piece["character"] for piece in self.pieces if piece["seat"] == self.seat]
            need(mine[1] is None or mine[0] is not None, "the picks")
            need(mine[1] is not None or not values["hands"][self.seat], "the picks")
            theirs = [piece["character"] for piece in self.pieces if piece["seat"] != self.seat]
            need(all((character is None) == (values["progress"]["at"] == 1) for character in theirs), "the picks")
            need(own in (None, "COMP_CARD" if mine[1] is not None else "COMP_CHAR"), "the picks")
            return
        need(asked == [seat for seat in range(self.game.seats) if self.game.surplus(self.raw, seat) > 0], "who is asked")
        need(values["question"] == "SETASIDE" and own in (None, "SETASIDE"), "the question")
        more = self.game.surplus(self.raw, self.seat) > len(values["aside"][self.seat])
        need((own is not None) == more, "the question")

    def question_of_frame(self, name: str, top: Mapping[str, Any] | None) -> None:
        """A question of what is being carried out fits it."""
        assert top is not None
        if name in KIND_OF_PROMPT:
            need(top["kind"] == KIND_OF_PROMPT[name], f"the question {name}")
            if name == "ESCAPE":
                need(self.pieces[top["tgt"]]["seat"] in self.values["asked"], f"the question {name}")
            return
        if name == "CYBORG":
            need(self.arena and top["kind"] == "attack" and top["stage"] == 1, f"the question {name}")
            return
        need(top["kind"] == "program" and top["verb"] != NO_VERB, f"the question {name}")
        verb = VERB_NAMES[top["verb"]]
        fitting = QUESTIONS[verb]
        if fitting[0] == "TARGET" and v.FROM_GO <= top["source"] < v.FROM_SLOT:
            fitting = ("GO_PIECE", None)
        need(name in fitting, f"the question {name}")
