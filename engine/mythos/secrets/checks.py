"""Is this view one that a game can show? Views come from anybody; the rules core trusts what is loaded into it."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.view_checks import need, whole
from seatmate.engine.mythos.content.link import MISSION_KIND, ON, SCORE, VERBS, Site
from seatmate.engine.mythos.words.names import PHASES, PROMPT_NUMBER

if TYPE_CHECKING:
    from seatmate.engine.mythos.game import MythosGame

SLOTS, UNDER, TOPS, LOOKED, FRAMES, QUEUE, TRACKS, DECK, CHOICES = 48, 72, 12, 12, 20, 28, 20, 40, 10
QUESTIONS = 332
LINE, PLAY, SETTLE = 1, 2, 3
"""Types of a frame."""
NO_VERB, APPLYING, CHOOSING = 255, 2, 1
IN_ORDER = 16
"""Flag of a frame whose chosen characters are listed one after the other."""
UNIT_VERBS = VERBS["PICK"]
"""The verbs up to this one are about units."""

VERB_OF_PROMPT = {
    "PLAYCARD": ("PLAY",), "PLAYCARD_MISSION": ("PLAY",), "PLAYCARD_ONTO": ("PLAY",), "FORCED": ("FORCE",),
    "FORCED_ONTO": ("FORCE",), "CARD": ("DISCARD", "PUT_TOP", "PUT_HIDDEN"), "CARD_MISSION": ("PUT_HIDDEN",),
    "MISSION": ("PICK_MISSION", "PUT_HIDDEN"), "DEST": ("MOVE",), "AMOUNT": ("PAY_X", "UNTOK", "TAKE_TOK"),
    "EFFECT": ("COPY",), "RAID": ("RAID",), "POOL": ("RECOVER",), "REPLACE": ("HIDE", "DEFEAT", "MOVE"),
}


def check_board(game: MythosGame, values: Mapping[str, Any]) -> None:
    """All numbers are in the ranges of the struct, all cards exist. Raises ValueError."""
    try:
        _Shape(game, values).run()
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"the view is broken: {type(error).__name__} {error}") from None


def check_view(game: MythosGame, values: Mapping[str, Any], seat: int) -> None:
    """The seat can have this view in some game. Raises ValueError that says what is wrong."""
    check_board(game, values)
    try:
        _Meaning(game, values, seat).run()
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"the view is broken: {type(error).__name__} {error}") from None


class _Shape:
    def __init__(self, game: MythosGame, values: Mapping[str, Any]) -> None:
        self.game, self.values = game, values
        self.cards, self.mission_ids = game.names.card_number, game.names.mission_number
        self.slots: set[int] = set()

    def run(self) -> None:
        values = self.values
        need(values["phase"] in PHASES, "the phase")
        for key, most in (("round", 4), ("edge", 1), ("starter", 1), ("active", 1), ("turn", 65535), ("round_turn", 65535),
                          ("serials", 65535), ("arrivals", 65535)):
            whole(values[key], 0, most, key)
        for key, most in (("last_turn", 65535), ("chakra", 255), ("points", 255), ("hand_counts", DECK), ("deck", DECK)):
            need(len(values[key]) == 2, key)
            for value in values[key]:
                whole(value, 0, most, key)
        need(set(values["passed"]) <= {0, 1}, "who has passed")
        need(len(values["missions"]) <= 4 and all(row["id"] in self.mission_ids for row in values["missions"]), "the missions")
        for key in ("triples", "mulligan", "hands", "tops", "discards", "unseen"):
            need(len(values[key]) == 2, key)
        for triple in values["triples"]:
            need(triple is None or (len(triple) == 3 and set(triple) <= set(self.mission_ids)), "the missions of a seat")
        for answer in values["mulligan"]:
            need(answer is None or answer in (0, 1, 2), "a mulligan")
        for seat in range(2):
            hand = values["hands"][seat]
            need(hand is None or (len(hand) == values["hand_counts"][seat] and self.exist(hand)), "a hand")
            need(len(values["discards"][seat]) <= DECK and self.exist(values["discards"][seat]), "a discard pile")
            unseen = values["unseen"][seat]
            need(unseen is None or (len(unseen) <= DECK and self.exist(unseen)), "the cards that are not seen")
            need(len(values["tops"][seat]) <= TOPS, "the top of a deck")
            for top in values["tops"][seat]:
                need(set(top["known_by"]) <= {0, 1} and self.exist([top["card"]]), "the top of a deck")
                whole(top["not"], 0, len(self.game.compiled.filters), "what a top card is not")
        self.units()
        self.progress()
        for tracks in (values["tracked"], values["shown"]):
            need(len(tracks) <= TRACKS, "the tracked cards")
            for track in tracks:
                need(track["card"] in self.cards and set(track["slots"]) <= self.slots, "a tracked card")
                need(track["slots"] or track["top"] or track["hand"], "a tracked card")

    def exist(self, cards: Sequence[str | None]) -> bool:
        return all(card is None or card in self.cards for card in cards)

    def reference(self, value: Mapping[str, Any] | None) -> None:
        if value is not None:
            whole(value["slot"], 0, SLOTS - 1, "a slot")
            whole(value["serial"], 1, 65535, "a serial number")

    def units(self) -> None:
        below, missions, serials = 0, len(self.values["missions"]), set()
        for unit in self.values["units"]:
            slot = whole(unit["slot"], 0, SLOTS - 1, "a slot")
            need(slot not in self.slots, "a slot that is used twice")
            self.slots.add(slot)
            for key, least, most in (("mission", 0, missions - 1), ("seat", 0, 1), ("owner", 0, 1), ("tokens", 0, 250),
                                     ("turn", 0, 65535), ("serial", 1, self.values["serials"]),
                                     ("arrival", 0, self.values["arrivals"])):
                whole(unit[key], least, most, f"the {key} of a character")
            serials.add(unit["serial"])
            need(isinstance(unit["up"], bool) and isinstance(unit["open"], bool) and set(unit["known_by"]) <= {0, 1}, "a character")
            need(self.exist([unit["card"]]) and (not unit["up"] or unit["open"]), "a character")
            need(unit["seat"] in unit["known_by"] and (not unit["open"] or len(unit["known_by"]) == 2), "who knows a character")
            below += len(unit["below"])
            need(all(card["card"] in self.cards and card["owner"] in (0, 1) for card in unit["below"]), "the cards of a pile")
            self.reference(unit["link"])
            self.reference(unit["lock"])
        need(below <= UNDER and len(serials) == len(self.slots), "the characters")

    def progress(self) -> None:
        progress, missions = self.values["progress"], len(self.values["missions"])
        for key, most in (("step", 6), ("scoring", 3), ("plays", 255), ("asks", 65535)):
            whole(progress[key], 0, most, key)
        need(self.values["phase"] == "over" or self.values["turn"] + progress["asks"] <= QUESTIONS, "the number of questions")
        need(len(progress["defeated"]) == 2 and set(progress["arrived"]) <= self.slots, "what has happened")
        for count in progress["defeated"]:
            whole(count, 0, SLOTS, "the defeated characters")
        need(len(progress["frames"]) <= FRAMES and len(self.values["looked"]) <= FRAMES, "what is being carried out")
        looked = [frame["looked"] for frame in progress["frames"] if frame["looked"]]
        need(len(looked) == len(self.values["looked"]) and sum(looked) <= LOOKED, "the looked-at cards")
        for count, entry in zip(looked, self.values["looked"], strict=True):
            cards = entry["cards"]
            need(entry["seat"] in (0, 1) and (cards is None or (len(cards) == count and self.exist(cards))), "looked-at cards")
        for frame in progress["frames"]:
            self.frame(frame, missions)
        for key in ("reactions", "waiting"):
            need(len(progress[key]) <= QUEUE, "the waiting lines")
            for entry in progress[key]:
                whole(entry["line"], 0, len(self.game.compiled.lines) - 1, "a waiting line")
                whole(entry["serial"], 0, 65535, "a waiting line")
                whole(entry["mission"], 0, 3, "a waiting line")
                line = self.game.compiled.lines[entry["line"]]
                need(line.trigger in (SCORE, ON), "a waiting line")
                if entry["unit"] is None:
                    need(line.kind >= MISSION_KIND, "a waiting line")
                else:
                    whole(entry["unit"], 0, SLOTS - 1, "a waiting line")
                    need(line.kind < MISSION_KIND, "a waiting line")

    def frame(self, frame: Mapping[str, Any], missions: int) -> None:
        for key, most in (("type", 3), ("sub", 255), ("flags", 255), ("you", 1), ("here", max(missions - 1, 0)),
                          ("registers", FRAMES - 1), ("verb", 255), ("line", 65535), ("serial", 65535), ("at", 65535),
                          ("target_serial", 65535), ("who", 2), ("call", 255), ("left", 255), ("step", 6), ("count", 255),
                          ("looked", LOOKED), ("not", len(self.game.compiled.filters))):
            whole(frame[key], 0, most, f"{key} of a frame")
        for key in ("x", "p", "pow"):
            whole(frame[key], -32768, 32767, f"{key} of a frame")
        for key in ("unit", "target", "other"):
            if frame[key] is not None:
                whole(frame[key], 0, SLOTS - 1, f"{key} of a frame")
        if frame["m"] is not None:
            whole(frame["m"], 0, 3, "the mission of a frame")
        need(self.exist([frame["card"], frame["k"]]) and len(frame["args"]) == 4, "a frame")
        for argument in frame["args"]:
            whole(argument, -32768, 32767, "an argument")
        self.reference(frame["a"])
        self.reference(frame["b"])
        need(set(frame["picked"]) | set(frame["taxed"]) <= self.slots, "the chosen characters")
        need(not frame["call"] & IN_ORDER or len(frame["picked"]) <= CHOICES, "the chosen characters")


class _Meaning:
    def __init__(self, game: MythosGame, values: Mapping[str, Any], seat: int) -> None:
        self.game, self.values, self.seat = game, values, seat
        self.frames: Sequence[Mapping[str, Any]] = values["progress"]["frames"]
        self.units = {unit["slot"]: unit for unit in values["units"]}

    def run(self) -> None:
        values = self.values
        need(len(values["missions"]) == values["round"], "the number of missions")
        for seat in range(2):
            need((values["hands"][seat] is not None) == (seat == self.seat), "whose hand is seen")
        for unit in self.units.values():
            need((unit["card"] is not None) == (unit["open"] or self.seat in unit["known_by"]), "what is known of a character")
        self.conservation()
        for index, frame in enumerate(self.frames):
            self.frame(index, frame)
        self.question()

    def conservation(self) -> None:
        """Every card is somewhere, and the list is the deck's, where it is known."""
        values = self.values
        for owner in range(2):
            seen: Counter[str] = Counter(values["discards"][owner])
            hidden = values["deck"][owner]
            for unit in self.units.values():
                seen.update(below["card"] for below in unit["below"] if below["owner"] == owner)
                if unit["owner"] == owner:
                    if unit["card"] is None:
                        hidden += 1
                    else:
                        seen[unit["card"]] += 1
            piles = [values["hands"][owner] if owner == self.seat else [None] * values["hand_counts"][owner],
                     [top["card"] for top in values["tops"][owner]]]
            for entry, count in zip(values["looked"], [f["looked"] for f in self.frames if f["looked"]], strict=True):
                if entry["seat"] == owner:
                    need((entry["cards"] is not None) == (owner == self.seat), "who sees looked-at cards")
                    piles.append(entry["cards"] if entry["cards"] is not None else [None] * count)
            for pile in piles:
                hidden += sum(card is None for card in pile)
                seen.update(card for card in pile if card is not None)
            deck = self.game.decks[owner]
            unseen = values["unseen"][owner]
            is_open = self.game.settings.options["open_decklists"] or owner == self.seat
            need((unseen is not None) == is_open, "which list is known")
            need(seen.total() + hidden == len(deck.cards), "the number of cards")
            if unseen is not None:
                need(len(unseen) == hidden, "the number of hidden cards")
                need(seen + Counter(unseen) == Counter(self.game.names.cards[kind] for kind in deck.cards), "the cards of a deck")
            triple = values["triples"][owner]
            need((triple is not None) == is_open, "which missions are known")
            missions = [self.game.names.missions[number] for number in deck.missions]
            need(triple is None or triple == missions, "the missions of a seat")

    def frame(self, index: int, frame: Mapping[str, Any]) -> None:
        """A frame that can be carried on."""
        compiled, lines = self.game.compiled, len(self.game.compiled.lines)
        kind, verb = frame["type"], frame["verb"]
        need(kind in (LINE, PLAY, SETTLE) and frame["registers"] <= index, "a frame")
        if kind == PLAY:
            need(verb < len(self.game.names.cards) and frame["unit"] is not None, "a play")
            need(frame["line"] <= compiled.count[verb], "a play")
        if kind != LINE:
            return
        need(frame["line"] < lines and frame["line"] in compiled.resting, "a line")
        if not frame["flags"] & 64:         # not started: nothing has been looked at yet
            need(verb == NO_VERB and index == len(self.frames) - 1, "a line")
            return
        need(frame["at"] in compiled.resting[frame["line"]], "where a line stands")
        if verb == NO_VERB:
            return
        site = compiled.sites.get((frame["line"], frame["at"]))
        need(site is not None, "where a line stands")
        assert site is not None
        self.call(frame, site)

    def call(self, frame: Mapping[str, Any], site: Site) -> None:
        """The running call is the one that stands there."""
        need(frame["verb"] == site.verb and frame["who"] == max(site.who, 0), "the step of a line")
        need(frame["call"] & 1 == site.flags & 1, "the step of a line")
        for value, constant in zip(frame["args"], site.args, strict=False):
            need(constant is None or value == constant, "an argument of a step")
        if site.verb <= UNIT_VERBS:
            selector = self.game.compiled.selectors[frame["args"][1 if site.verb <= VERBS["TAKE_TOK"] else 0]]
            need(frame["sub"] <= APPLYING, "the step of a line")
            if selector.pick == 3 and frame["sub"] == CHOOSING:
                need(frame["left"] < len(self.values["missions"]), "the mission of a choice")
            if frame["sub"] == APPLYING and frame["step"]:
                need(frame["target"] is not None, "the character of a step")

    def question(self) -> None:
        """Who is asked, and can that seat be asked this?"""
        values = self.values
        asked, prompt, phase = values["asked"], values["prompt"], values["phase"]
        need(set(asked) <= {0, 1} and (values["question"] is None) == (not asked), "who is asked")
        if not asked:
            need(phase == "over" and not self.frames, "nobody is asked")
            return
        name = prompt or values["question"]
        need(name in PROMPT_NUMBER and values["question"] == self.game.spec.public_key(PROMPT_NUMBER[name]), "the question")
        need((name == "MULLIGAN") == (phase == "mulligan") and phase != "over", "the question")
        need((phase == "mulligan") == (values["round"] == 0), "the round")
        need(len(asked) == (2 if name == "MULLIGAN" else 1), "who is asked")
        if prompt is None:
            return
        need(self.seat in asked, "who is asked")
        top = self.frames[-1] if self.frames else None
        if name == "MULLIGAN" or name.startswith("TURN"):
            need(top is None and (phase == "action" or name == "MULLIGAN"), "a turn in the middle of something")
            need(name == "MULLIGAN" or values["active"] == self.seat, "whose turn it is")
        elif name == "ORDER":
            need(top is None or top["type"] == SETTLE, "an order of effects")
            need(top is not None or phase in ("mission", "end"), "an order of effects")
        elif name == "LOCK":
            need(top is not None and top["type"] == SETTLE and top["unit"] in self.units, "what Rashomon holds")
        else:
            need(top is not None and top["type"] == LINE, f"the question {name}")
            assert top is not None
            self.question_of_line(name, top)
        self.chain(name, top)

    def question_of_line(self, name: str, top: Mapping[str, Any]) -> None:
        """A question of the running call fits the call."""
        verb = top["verb"]
        if name == "TARGET":
            need(verb <= UNIT_VERBS and top["sub"] == CHOOSING, "a choice of characters")
        elif name != "MAY":
            need(verb in [VERBS[key] for key in VERB_OF_PROMPT[name]], f"the question {name}")
            if verb <= UNIT_VERBS:
                need(top["sub"] == APPLYING and top["target"] in self.units, "the character of a step")
            else:
                need(top["sub"] == 1, "the step of a line")
        if name == "REPLACE":
            need(top["other"] in self.units, "the character that may go instead")
        if name in ("DEST", "AMOUNT", "FORCED", "FORCED_ONTO") and verb <= UNIT_VERBS:
            need(top["step"] == 5, "the step of a line")
        if name == "CARD" and verb == VERBS["PUT_HIDDEN"]:
            need(top["args"][0] == 0, "the step of a line")

    def chain(self, name: str, top: Mapping[str, Any] | None) -> None:
        """The unfinished play is one of what the seat has."""
        chain = self.values["chain"]
        need((chain is not None) == name.endswith(("_MISSION", "_ONTO")), "an unfinished play")
        if chain is None:
            return
        base, rest = divmod(whole(chain["play"], 0, 9999, "an unfinished play"), 1000)
        if chain["mission"] is not None:
            whole(chain["mission"], 0, len(self.values["missions"]) - 1, "the mission of a play")
        need((chain["mission"] is not None) == (name.endswith("_ONTO") and not name.startswith("FORCED")), "the mission of a play")
        cards, hand = self.game.names.cards, self.values["hands"][self.seat]
        if base == 3:
            unit = self.units.get(rest)
            need(unit is not None and not unit["up"] and unit["seat"] == self.seat, "a character that is revealed")
            return
        need(rest < len(cards), "a card that is played")
        if base in (1, 2):
            need(cards[rest] in hand, "a card that is played")
        elif base == 4:
            need(cards[rest] in self.values["discards"][self.seat], "a card that is played")
        else:
            need(base == 5 and top is not None and top["looked"], "a card that is played")
            need(cards[rest] in (self.values["looked"][-1]["cards"] or ()), "a card that is played")
        need(base != 2 or name == "TURN_MISSION", "a card that is put down")
