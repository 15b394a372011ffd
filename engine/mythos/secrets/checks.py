"""Is this view one that a game can show? Views come from anybody; the rules core trusts what is loaded into it."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.view_checks import need, whole
from seatmate.engine.mythos.content import vocabulary as v
from seatmate.engine.mythos.content.link import Site
from seatmate.engine.mythos.words.names import PROMPT_NUMBER

if TYPE_CHECKING:
    from seatmate.engine.mythos.game import MythosGame

VERB_OF_PROMPT = {
    "PLAYCARD": ("PLAY",), "PLAYCARD_MISSION": ("PLAY",), "PLAYCARD_ONTO": ("PLAY",), "FORCED": ("FORCE",),
    "FORCED_ONTO": ("FORCE",), "CARD": ("DISCARD", "PUT_TOP", "PUT_HIDDEN"), "CARD_MISSION": ("PUT_HIDDEN",),
    "MISSION": ("PICK_MISSION", "PUT_HIDDEN"), "DEST": ("MOVE",), "AMOUNT": ("PAY_X", "UNTOK", "TAKE_TOK"),
    "EFFECT": ("COPY",), "RAID": ("RAID",), "POOL": ("RECOVER",), "REPLACE": ("HIDE", "DEFEAT", "MOVE"),
}


def check_view(game: MythosGame, values: Mapping[str, Any], seat: int) -> None:
    """The seat can have this view, whose values are in their ranges, in some game. Raises ValueError that says what is wrong."""
    try:
        _Meaning(game, values, seat).run()
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"the view is broken: {type(error).__name__} {error}") from None


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
        need(kind != v.NO_FRAME and frame["registers"] <= index, "a frame")
        if kind == v.PLAY_FRAME:
            need(verb < len(self.game.names.cards) and frame["unit"] is not None, "a play")
            need(frame["line"] <= compiled.count[verb], "a play")
        if kind != v.LINE_FRAME:
            return
        need(frame["line"] < lines and frame["line"] in compiled.resting, "a line")
        if not frame["flags"] & v.STARTED:         # not started: nothing has been looked at yet
            need(verb == v.NO_VERB and index == len(self.frames) - 1, "a line")
            return
        need(frame["at"] in compiled.resting[frame["line"]], "where a line stands")
        if verb == v.NO_VERB:
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
        if site.verb <= v.PICK:
            selector = self.game.compiled.selectors[frame["args"][1 if site.verb <= v.TAKE_TOK else 0]]
            need(frame["sub"] <= v.APPLYING, "the step of a line")
            if selector.pick == v.EACH and frame["sub"] == v.CHOOSING:
                need(frame["left"] < len(self.values["missions"]), "the mission of a choice")
            if frame["sub"] == v.APPLYING and frame["step"]:
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
            need(top is None or top["type"] == v.SETTLE_FRAME, "an order of effects")
            need(top is not None or phase in ("mission", "end"), "an order of effects")
        elif name == "LOCK":
            need(top is not None and top["type"] == v.SETTLE_FRAME and top["unit"] in self.units, "what Rashomon holds")
        else:
            need(top is not None and top["type"] == v.LINE_FRAME, f"the question {name}")
            assert top is not None
            self.question_of_line(name, top)
        self.chain(name, top)

    def question_of_line(self, name: str, top: Mapping[str, Any]) -> None:
        """A question of the running call fits the call."""
        verb = top["verb"]
        if name == "TARGET":
            need(verb <= v.PICK and top["sub"] == v.CHOOSING, "a choice of characters")
        elif name != "MAY":
            need(verb in [getattr(v, key) for key in VERB_OF_PROMPT[name]], f"the question {name}")
            if verb <= v.PICK:
                need(top["sub"] == v.APPLYING and top["target"] in self.units, "the character of a step")
            else:
                need(top["sub"] == 1, "the step of a line")
        if name == "REPLACE":
            need(top["other"] in self.units, "the character that may go instead")
        if name in ("DEST", "AMOUNT", "FORCED", "FORCED_ONTO") and verb <= v.PICK:
            need(top["step"] == 5, "the step of a line")
        if name == "CARD" and verb == v.PUT_HIDDEN:
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
