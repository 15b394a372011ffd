"""A table of Mythos set up by hand, and scripts that read like the examples of the rulebook.

    table = Table(a="009+2 | h:011", b="075", hand_a="108")
    table.run("play 108 0 on 009; ? TARGET B075 no; TARGET B075")
    assert table.says("A0=108<009+2 B0=h:075 A.chakra=17")

Seats are A (0) and B (1). A side is its missions, separated by `|`. A character is `h:` if hidden, the number of its card,
what lies below it (`<`), its tokens (`+`); `B:009` on A's side is a card of B that A's character in front of it holds.
A has 20 chakra, the Edge and the turn; hands, decks and discards are empty, missions have no text that lasts,
unless a test says otherwise. Decks are given from the top.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from seatmate.engine.core.game import SPECTATORS
from seatmate.engine.core.registry import new_game
from seatmate.engine.mythos.game import MythosGame
from seatmate.engine.mythos.rules import invariants

QUIET = ("MSS-01", "MSS-03", "MSS-04", "MSS-06")
"""Missions without text that lasts."""
SPARE = ("MSS-08", "MSS-07", "MSS-05", "MSS-10", "MSS-02", "MSS-09")
UNIT = re.compile(r"(?P<owner>[AB]:)?(?P<hidden>h:)?(?P<cards>\d{3}(?:<\d{3})*)(?:\+(?P<tokens>\d+))?")


@cache
def a_game(pack: str | None = None, **options: Any) -> MythosGame:
    """The game under these options."""
    game = new_game("mythos", options=options, pack=pack)
    assert isinstance(game, MythosGame)
    return game


def number(card: str) -> str:
    """KS-009 as tests write it."""
    return card.removeprefix("KS-")


def card_ids(text: str) -> list[str]:
    """"009 010" as ids."""
    return [f"KS-{word}" for word in text.split()]


class Table:
    """One position, and what can be done in it."""

    def __init__(self, a: str = "", b: str = "", *, hand_a: str = "", hand_b: str = "", deck_a: str = "", deck_b: str = "",
                 discard_a: str = "", discard_b: str = "", missions: int | str = 4, chakra: int = 20, chakra_b: int = 20,
                 edge: str = "A", turn: str = "A", points: tuple[int, int] = (0, 0), **options: Any) -> None:
        self.game = a_game(**options)
        ids = QUIET[:missions] if isinstance(missions, int) else tuple(missions.split())
        spare = [mission for mission in SPARE + QUIET if mission not in ids]
        triples = [[*ids[:2], *spare[:3]][:3], [*ids[2:], *spare[3:]][:3]]
        values: dict[str, Any] = {
            "round": len(ids), "phase": "action", "edge": "AB".index(edge), "starter": 0, "active": "AB".index(turn),
            "passed": [], "turn": 20, "round_turn": 0, "last_turn": [0, 0], "chakra": [chakra, chakra_b],
            "points": list(points), "missions": [{"id": mission} for mission in ids],
            "triples": [sorted(triple) for triple in triples],
            "mulligan": [1, 1], "hands": [sorted(card_ids(hand_a)), sorted(card_ids(hand_b))],
            "hand_counts": [len(hand_a.split()), len(hand_b.split())], "deck": [0, 0],
            "tops": [[{"known_by": [], "not": 0, "card": card} for card in card_ids(deck)] for deck in (deck_a, deck_b)],
            "discards": [card_ids(discard_a), card_ids(discard_b)], "units": [], "unseen": [[], []], "tracks": [[], []],
            "looked": [], "chain": None, "asked": ["AB".index(turn)], "prompt": "TURN", "question": "TURN",
            "progress": {"step": 0, "scoring": 0, "plays": 0, "asks": 0, "defeated": [0, 0], "arrived": [], "frames": [],
                         "reactions": [], "waiting": []},
        }
        for seat, side in enumerate((a, b)):
            for mission, group in enumerate(side.split("|")):
                for text in group.split():
                    self._unit(values["units"], text, seat, mission)
        values["serials"] = values["arrivals"] = len(values["units"])
        self.state = self.game.position(values, seed=1, record_events=True)
        self._check()

    @staticmethod
    def _unit(units: list[dict[str, Any]], text: str, seat: int, mission: int) -> None:
        match = UNIT.fullmatch(text)
        assert match, f"{text!r} is no character"
        owner = "AB".index(match["owner"][0]) if match["owner"] else seat
        top, *below = card_ids(match["cards"].replace("<", " "))
        up = not match["hidden"]
        before = units[-1] if units else {}
        units.append({
            "slot": len(units), "mission": mission, "seat": seat, "owner": owner, "up": up, "card": top,
            "below": [{"card": card, "owner": owner} for card in reversed(below)], "tokens": int(match["tokens"] or 0),
            "known_by": [0, 1] if up else [seat], "open": up, "turn": 0, "serial": len(units) + 1, "arrival": len(units) + 1,
            "link": {"slot": before["slot"], "serial": before["serial"]} if owner != seat else None, "lock": None})

    # ---- What can be seen ----

    @property
    def values(self) -> dict[str, Any]:
        """The position with all cards open."""
        values: dict[str, Any] = self.game.everything(self.state)
        return values

    @property
    def prompt(self) -> str | None:
        """What is asked, and whom: "A TARGET"; None at the end."""
        pending = self.state.pending
        return f"{'AB'[pending[0]]} {self.state.prompt(pending[0])}" if pending else None

    def unit_text(self, unit: dict[str, Any]) -> str:
        """A character as sides are written."""
        cards = "<".join(number(card) for card in (unit["card"], *[below["card"] for below in reversed(unit["below"])]))
        owner = f"{'AB'[unit['owner']]}:" if unit["owner"] != unit["seat"] else ""
        tokens = f"+{unit['tokens']}" if unit["tokens"] else ""
        return f"{owner}{'' if unit['up'] else 'h:'}{cards}{tokens}"

    def side(self, where: str) -> list[str]:
        """The characters of A0, B2 ..., sorted."""
        seat, mission = "AB".index(where[0]), int(where[1:])
        return sorted(self.unit_text(unit) for unit in self.values["units"]
                      if unit["seat"] == seat and unit["mission"] == mission)

    def unit(self, name: str) -> dict[str, Any]:
        """The one character of a name such as A009, Bh:011, A009@1."""
        name, _, mission = name.partition("@")
        seat, rest = "AB".index(name[0]), name[1:]
        found = [unit for unit in self.values["units"] if unit["seat"] == seat and unit["up"] == (not rest.startswith("h:"))
                 and number(unit["card"]) == rest.removeprefix("h:") and mission in ("", str(unit["mission"]))]
        assert len(found) == 1, f"{len(found)} characters are {name}: {[self.unit_text(unit) for unit in self.values['units']]}"
        unit: dict[str, Any] = found[0]
        return unit

    def power(self, name: str) -> int:
        """The power of a character."""
        return int(self.unit(name)["power"])

    def name(self, slot: int) -> str:
        """A character's name, with its mission where that is needed."""
        units = self.values["units"]
        unit = next(unit for unit in units if unit["slot"] == slot)
        same = [u for u in units if (u["seat"], u["card"], u["up"]) == (unit["seat"], unit["card"], unit["up"])]
        text = f"{'AB'[unit['seat']]}{'' if unit['up'] else 'h:'}{number(unit['card'])}"
        return text + (f"@{unit['mission']}" if len(same) > 1 else "")

    def lines_run(self) -> set[int]:
        """The effect lines that have run, by number; those that were declined or could do nothing are not among them."""
        return {event.args[2] for event in self.state.events(SPECTATORS) if event.key == "LINE"}

    def option(self, action: int) -> str:
        """A legal answer as scripts write it."""
        seat = self.state.pending[0]
        prompt = self.state.prompt(seat)
        cards = self.game.names.cards
        match prompt:
            case "MULLIGAN" | "MAY" | "REPLACE" | "FORCED":
                return ["no", "yes"][action]
            case "TARGET" | "LOCK" | "TURN_ONTO" | "PLAYCARD_ONTO" | "FORCED_ONTO":
                return "no" if action == 63 else self.name(action)
            case "CARD" | "RAID" | "POOL":
                return number(cards[action])
            case "TURN" | "PLAYCARD":
                if action in (0, 63):
                    return "no"
                base, rest = action // 1000, action % 1000
                if base == 3:
                    return self.name(rest)
                return {1: "", 2: "hide", 4: "discard", 5: "looked"}[base] + number(cards[rest])
            case "EFFECT":
                if action == 63:
                    return "no"
                slot, line = divmod(action, 256)
                return f"{self.name(slot) if slot < 48 else 'card'}.{line}"
            case "ORDER":
                if action == 99:
                    return "returns"
                progress = self.values["progress"]
                waiting = progress["reactions" if progress["frames"] else "waiting"][action]
                return "mission" if waiting["unit"] is None else self.name(waiting["unit"])
        return str(action)

    def options(self) -> list[str]:
        """All legal answers as scripts write them."""
        return [self.option(action) for action in self.state.legal_actions(self.state.pending[0])]

    # ---- What can be done ----

    def _check(self) -> None:
        invariants.check(self.game, self.state, lists=False)
        for seat in range(2):
            world = self.state.resample_from_infostate(seat, 5)
            invariants.check(self.game, world, lists=False)
            assert world.observation(seat) == self.state.observation(seat)
            if seat in self.state.pending:
                assert world.legal_actions(seat) == self.state.legal_actions(seat)

    def answer(self, value: str) -> None:
        """Give the answer that reads like this."""
        options = self.options()
        assert value in options, f"{self.prompt}: {value} is not among {options}"
        seat = self.state.pending[0]
        self.state.apply_action(seat, self.state.legal_actions(seat)[options.index(value)])
        self._check()

    def _chain(self, prefix: str, mission: str, onto: str) -> None:
        """The rest of a play: where, and onto whom ("" = as a new character, if that is asked)."""
        if self.prompt and self.prompt.endswith(f"{prefix}_MISSION"):
            self.answer(mission)
        if self.prompt and self.prompt.endswith(f"{prefix}_ONTO"):
            self.answer(f"{self.prompt[0]}{onto}" if onto else "no")

    def step(self, text: str) -> None:
        """One step of a script."""
        word, *rest = text.split()
        match word:
            case "play" | "put" | "reveal":
                assert self.prompt and self.prompt.endswith(" TURN"), f"{text}: but {self.prompt} is asked: {self.options()}"
                seat = self.prompt[0]
                mission = rest[1] if len(rest) > 1 else "0"
                onto = rest[rest.index("on") + 1] if "on" in rest else ""
                self.answer({"play": rest[0], "put": f"hide{rest[0]}", "reveal": f"{seat}{rest[0]}"}[word])
                self._chain("TURN", mission, onto)
            case "pass":
                assert self.prompt and self.prompt.endswith(" TURN"), f"{text}: but {self.prompt} is asked: {self.options()}"
                self.answer("no")
            case "?":
                assert self.prompt, f"{text}: nothing is asked any more"
                assert self.prompt.split()[1] == rest[0], f"{text}: but {self.prompt} is asked: {self.options()}"
                assert sorted(self.options()) == sorted(rest[1:]), f"{text}: but there are {self.options()}"
            case "!":
                assert self.says(" ".join(rest))
            case "PLAYCARD":
                assert self.prompt and self.prompt.endswith(word), f"{text}: but {self.prompt} is asked"
                onto = rest[rest.index("on") + 1] if "on" in rest else ""
                self.answer(rest[0])
                self._chain("PLAYCARD", rest[1] if len(rest) > 1 else "0", onto)
            case _:
                assert self.prompt and self.prompt.split()[1] == word, f"{text}: but {self.prompt} is asked: {self.options()}"
                self.answer(rest[0])

    def run(self, script: str) -> Table:
        """All steps of a script, separated by semicolons."""
        for step in script.split(";"):
            if step.strip():
                self.step(step.strip())
        return self

    def fact(self, key: str) -> str:
        """What stands to the left of a `=`."""
        values = self.values
        if re.fullmatch(r"[AB]\d", key):
            return " ".join(self.side(key))
        if key == "edge":
            return "AB"[values["edge"]]
        if key == "asked":
            return (self.prompt or "over").replace(" ", ".")
        match = re.fullmatch(r"([AB])\.(\w+)", key)
        if match:
            seat = "AB".index(match[1])
            found = {"hand": "hands", "discard": "discards", "chakra": "chakra", "points": "points"}
            if match[2] == "deck":
                return " ".join(number(top["card"]) for top in values["tops"][seat]) \
                    + ("" if not values["deck"][seat] else f" {values['deck'][seat]}")
            value = values[found[match[2]]][seat]
            return str(value) if isinstance(value, int) else " ".join(map(number, value))
        return str(self.power(key))

    def says(self, facts: str) -> bool:
        """Facts such as "A0=108<009,h:011 B0= A.chakra=17 A009=5 edge=A", all of which must hold (raises if not)."""
        for fact in facts.split():
            key, _, value = fact.partition("=")
            wanted = value.replace(",", " ")
            if re.fullmatch(r"[AB]\d", key):
                wanted = " ".join(sorted(wanted.split()))
            assert self.fact(key) == wanted, f"{key} is {self.fact(key)!r}, not {wanted!r}"
        return True


@dataclass(frozen=True)
class Case:
    """One example of a card: a position, a script, and what is then true. The turn is over afterwards unless `ends` says
    which question is asked. `acts` is False where the example shows what the card does not do."""

    card: str
    what: str
    script: str
    then: str
    acts: bool = True
    ends: str = "B.TURN"
    table: dict[str, Any] = field(default_factory=dict)

    def is_telling(self) -> bool:
        """Can it fail? It must say what is true in the end: after something was done, or of powers, which the rules work out."""
        facts = [fact.partition("=")[0] for fact in self.then.split()]
        return bool(facts) and (bool(self.script.strip()) or any(re.fullmatch(r"[AB]h?:?\d{3}(@\d)?", fact) for fact in facts))

    def check(self) -> Table:
        """Play it."""
        table = Table(**self.table).run(self.script)
        assert table.says(f"asked={self.ends} {self.then}")
        return table


def does(card: str, what: str, script: str, then: str, *, ends: str = "B.TURN", **table: Any) -> Case:
    """An example of what a card does."""
    return Case(card, what, script, then, True, ends, table)


def does_not(card: str, what: str, script: str, then: str, *, ends: str = "B.TURN", **table: Any) -> Case:
    """An example of what a card does not do."""
    return Case(card, what, script, then, False, ends, table)

