"""Positions of Titans in the notation of RULES.md, section 10, and what can be done in them.

Teams are A (black) and B (white). A piece is `Ro@5(d3,f1,S,E,*)`: Robin on place 5 with 3 damage, 1 fire, shield, escape token,
stunned; `@-` is off the map. More marks: P carries the pizza, G ignores obstacles and traps, L locked, K was KO'd in this round,
a1 was activated once, s1=4 a 4 lies on its second ability, I has used its once-per-game ability, X eliminated.
Answers: `A MOVE 5`, `B WINDOW M15`, `A TARGET Ra`, `A DEST decline`: who is asked, what, and what it says; seats are A to D
for 0 to 3. `? stay 4 M08`: these are the answers, and no others.
What holds then: pieces as above, and `A.vp=1 B.go=G07 A.traps=4:2 obstacles=e3,e8 asked=A_MOVE +DAMAGE -ATTACK` (facts, below).
"""
from __future__ import annotations

import random
import re
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from seatmate.engine.core.game import SPECTATORS, SeenEvent, State
from seatmate.engine.core.registry import new_game
from seatmate.engine.titans.game import TitansGame

CHARACTERS = {"Cy": "cyborg", "Ra": "raven", "Ro": "robin", "St": "starfire"}
SHORT = {key: short for short, key in CHARACTERS.items()}
FACES = {"1*": 0, "2": 1, "3": 4, "3*": 5}
LAYOUT = ("black_a", "lounge", "white_a", "parlour", "arcade", "docks", "museum", "black_b", "junkyard", "white_b")
"""Tiles on places 0 to 9 unless a test says otherwise."""
TILE_OF_ICON = {"TV": "lounge", "SLICE": "parlour", "JOY": "arcade", "ANCHOR": "docks", "MASK": "museum", "GEAR": "junkyard",
                "BASE_B": "black_a", "BASE_B2": "black_b", "BASE_W": "white_a", "BASE_W2": "white_b"}
PIECE = re.compile(r"(?P<name>[A-Z][a-z])@(?P<place>\d|-)(?:\((?P<marks>[^)]*)\))?")
FLAGS = ("moved", "forfeited", "slot_used", "innate_used", "special_on", "special_off", "next2", "flame")

TUNED = (("Cyborg", "health", 10, 9), ("Raven", "health", 7, 8), ("Telekinesis", "slot", 4, 3), ("Robin", "health", 7, 9),
         ("Starbolts", "slot", 4, 5), ("Sonic Cannon", "slot", 4, 5))
"""What the balance changed in the pack: of what, which number, as shipped, as designed. The examples are worked with the latter."""


FOLDER = tempfile.TemporaryDirectory()


def designed(text: str) -> str:
    """The shipped pack's text with the numbers it was designed with."""
    for title, field, shipped, first in TUNED:
        text, found = re.subn(rf'(title = "{title}"\n{field} = ){shipped}\n', rf"\g<1>{first}\n", text)
        assert found == 1, f"{field} of {title} is not {shipped} in the shipped pack"
    return text.replace('name = "standard"', 'name = "designed"', 1)


@cache
def designed_pack() -> str:
    """The path of that pack."""
    shipped = Path(str(resources.files("seatmate.engine.titans") / "packs" / "standard.toml"))
    file = Path(FOLDER.name) / "designed.toml"
    file.write_text(designed(shipped.read_text(encoding="utf-8")), encoding="utf-8")
    return str(file)


@cache
def a_game(mode: str = "duel", pack: str | None = None, **options: Any) -> TitansGame:
    """The game under these options."""
    game = new_game("titans", mode=mode, options=options, pack=pack or designed_pack())
    assert isinstance(game, TitansGame)
    return game


def changed_pack(folder: Path, *changes: tuple[str, str]) -> str:
    """The pack as designed with some texts replaced, as a file in the folder."""
    text = Path(designed_pack()).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, f"{old!r} is not in the pack"
        text = text.replace(old, new, 1)
    file = folder / f"changed-{zlib.crc32(text.encode())}.toml"         # games are cached by the path of their pack
    file.write_text(text.replace('name = "designed"', 'name = "changed"', 1), encoding="utf-8")
    return str(file)


def game_of(mode: str, seed: int, stop: str | None = None) -> Iterator[State]:
    """The states of a random game, or only up to the first question of a kind."""
    state = a_game(mode).new_state(seed)
    chooser = random.Random(seed)
    while not state.is_over and state.prompt(state.pending[0]) != stop:
        yield state
        seat = chooser.choice(state.pending)
        state.apply_action(seat, chooser.choice(state.legal_actions(seat)))
    yield state


class Table:
    """One position, and what can be done in it."""

    def __init__(self, a: str = "Cy@0 Ra@7", b: str = "Ro@2 St@9", c: str = "", *, mode: str = "duel", die: str = "2",
                 step: str = "piece", turn: int = 0, init: str = "A", active: str = "", slot: int = 0, placed: int = 1,
                 flags: str = "", dice_a: tuple[int, ...] = (1, 6), dice_b: tuple[int, ...] = (3, 5),
                 dice_c: tuple[int, ...] = (2,),
                 hands: tuple[str, ...] = ("", "", "", ""), used: tuple[str, ...] = ("", "", "", ""),
                 traps: str = "", obstacles: str = "", icons: str = "", removed: str = "",
                 go: tuple[str, str] = ("", ""), go_deck: str = "", go_done: str = "", pizza: int | None = None, clues: str = "",
                 delivered: tuple[str, str] = ("", ""), gifts: tuple[int, int] = (0, 0), clues_of: tuple[int, int] = (0, 0),
                 monsters: str = "", vp: tuple[int, int] = (0, 0), played: tuple[str, ...] = ("", "", ""), marks: str = "",
                 round_: int = 2, at: int = 0, seed: int = 1, pack: str | None = None, **options: Any) -> None:
        self.game = a_game(mode, pack, **options)
        self.arena = mode == "ffa3"
        values = self.game.everything(self.game.new_state(0))
        texts = [*a.split(), *b.split(), *c.split()]
        for piece, text in zip(values["pieces"], texts, strict=True):
            self._piece(piece, text)
        values.update(round=round_, turn=turn, first=0, initiative="ABC".index(init), mayhem=self._die(die), pizza=pizza,
                      tiles=[None] * 10 if self.arena else self._tiles(icons), removed=[int(place) for place in removed.split()],
                      obstacles=sorted(int(edge[1:]) for edge in obstacles.split()), clues=[int(place) for place in clues.split()],
                      traps=self._traps(traps), result=None,
                      hands=[sorted(hand.split()) for hand in hands][:self.game.seats],
                      aside=[[] for _ in range(self.game.seats)], used=[sorted(cards.split()) for cards in used][:self.game.seats])
        values["hand_counts"] = [len(hand) for hand in values["hands"]]
        for number, team in enumerate(values["teams"]):
            team.update(dice=list((dice_a, dice_b, dice_c)[number]), dice_used=[], played=played[number] or None,
                        attack_bonus=f"{'ABC'[number]}:ATK1" in marks, trap_stun=f"{'ABC'[number]}:TRAPSTUN" in marks)
            if not self.arena:
                team.update(points=vp[number], go=go[number] or None, delivered=delivered[number].split(), gifts=gifts[number],
                            clues=clues_of[number])
        for text in monsters.split():
            owner, place, damage = re.fullmatch(r"([AB])@(\d)\(d(\d+)\)", text).groups()        # type: ignore[union-attr]
            values["teams"]["AB".index(owner)]["monster"] = {"place": int(place), "damage": int(damage)}
        if not self.arena:
            out = {*go, *go_done.split()}
            deck = go_deck.split() if go_deck else [card for card in self.game.names.goes if card not in out]
            values.update(go_deck=sorted(deck), go_done=sorted(go_done.split()))
        acting = values["initiative"] ^ (turn & 1) if not self.arena else values["initiative"]
        values["active"] = None
        values["turn_state"] = {"team": 0, "slot": 0, "die": 0, "stood": None, **{flag: flag in flags.split() for flag in FLAGS}}
        values["progress"] = {"step": step, "at": at, "burning": [], "frames": []}
        values["asked"], values["prompt"], values["question"] = [], None, None
        self.values_of_start = values
        if step in ("piece", "die", "present", "hostile_cards", "move", "ability"):
            values["turn_state"]["team"] = acting
        if active:
            number = self._find(values["pieces"], active, prefer=acting)
            piece = values["pieces"][number]
            values["turn_state"]["team"] = piece["team"]
            values["active"] = number
            values["turn_state"].update(slot=slot, die=placed)
            if step not in ("piece", "die"):
                team = values["teams"][piece["team"]]
                team["dice_used"] = sorted({*team["dice_used"], placed if not self.arena else 0})
                piece["acts"] += 1
                piece["slots"][slot] = team["dice"][placed if not self.arena else 0]
        if self.arena:
            values["turn_state"]["die"] = 0
        self.whole = not go_deck
        self.state = self.game.position(values, seed=seed, record_events=True)
        self.check()

    # ---- Building ----

    @staticmethod
    def _die(die: str) -> dict[str, Any]:
        return {"face": FACES[die], "value": int(die[0]), "star": die.endswith("*")}

    @staticmethod
    def _tiles(icons: str) -> list[str]:
        tiles = list(LAYOUT)
        for text in icons.split():
            icon, place = text.split("@")
            tile = TILE_OF_ICON[icon]
            here = tiles.index(tile)
            tiles[here], tiles[int(place)] = tiles[int(place)], tile
        return tiles

    def _traps(self, traps: str) -> list[list[int]]:
        found = [[0, 0] for _ in range(10)]
        for text in traps.split():
            owner, place, count = re.fullmatch(r"([ABC]):(\d)=(\d+)", text).groups()        # type: ignore[union-attr]
            found[int(place)][0 if self.arena else "AB".index(owner)] = int(count)
        return found

    def _piece(self, piece: dict[str, Any], text: str) -> None:
        match = PIECE.fullmatch(text)
        assert match, f"{text!r} is no piece"
        team = piece["team"]
        piece.update(character=CHARACTERS[match["name"]], place=None if match["place"] == "-" else int(match["place"]), damage=0,
                     fire=0, stunned=False, stun_team=None, shield=False, escape=False, pizza=False, ko=False, eliminated=False,
                     innate_spent=False, acts=0, slots=[0, 0], ghost=False, locked=False)
        for mark in (match["marks"] or "").split(","):
            match mark[:1]:
                case "d":
                    piece["damage"] = int(mark[1:])
                case "f":
                    piece["fire"] = int(mark[1:])
                case "a":
                    piece["acts"] = int(mark[1:])
                case "s":
                    piece["slots"][int(mark[1])] = int(mark[3:])
                case "*":
                    piece.update(stunned=True, stun_team=0 if self.arena else 1 - team)
                case "":
                    pass
                case _:
                    piece[{"S": "shield", "E": "escape", "P": "pizza", "G": "ghost", "L": "locked", "K": "ko",
                           "I": "innate_spent", "X": "eliminated"}[mark]] = True

    @staticmethod
    def _find(pieces: list[dict[str, Any]], name: str, prefer: int | None = None) -> int:
        """Number of a piece: Ro, or B.Ro where both teams have one."""
        team = "ABC".index(name[0]) if name[1] == "." else None
        found = [number for number, piece in enumerate(pieces)
                 if piece["character"] == CHARACTERS[name[-2:]] and team in (None, piece["team"])]
        if len(found) > 1:
            found = [number for number in found if pieces[number]["team"] == prefer] or found
        return found[0]

    # ---- What can be seen ----

    @property
    def values(self) -> dict[str, Any]:
        """The position with all cards open."""
        values: dict[str, Any] = self.game.everything(self.state)
        return values

    @property
    def asked(self) -> str | None:
        """Who is asked what: "A MOVE"; None at the end."""
        pending = self.state.pending
        return f"{'ABCD'[pending[0]]} {self.state.prompt(pending[0])}" if pending else None

    def piece(self, name: str) -> dict[str, Any]:
        """A piece by its short name."""
        values = self.values
        found: dict[str, Any] = values["pieces"][self._find(values["pieces"], name)]
        return found

    def shows(self, name: str) -> str:
        """A piece as it is written: Ro@5(d3,f1,S,E,*)."""
        piece = self.piece(name)
        marks = [f"d{piece['damage']}" if piece["damage"] else "", f"f{piece['fire']}" if piece["fire"] else "",
                 "S" if piece["shield"] else "", "E" if piece["escape"] else "", "*" if piece["stunned"] else "",
                 "P" if piece["pizza"] else "", "K" if piece["ko"] else ""]
        text = ",".join(filter(None, marks))
        place = "-" if piece["place"] is None else piece["place"]
        return f"{SHORT[piece['character']]}@{place}" + (f"({text})" if text else "")

    @property
    def vp(self) -> tuple[int, int]:
        """Points of A and B."""
        teams = self.values["teams"]
        return teams[0]["points"], teams[1]["points"]

    @property
    def go(self) -> tuple[str | None, str | None]:
        """GO! cards in play."""
        teams = self.values["teams"]
        return teams[0]["go"], teams[1]["go"]

    @property
    def winners(self) -> list[int] | None:
        """Teams that share the win."""
        found: list[int] | None = self.values["result"]
        return found

    @property
    def options(self) -> list[str]:
        """The legal answers in the words of `run`."""
        seat = self.state.pending[0]
        return [self._word(self.state.prompt(seat) or "", action) for action in self.state.legal_actions(seat)]

    def traps(self, place: int) -> tuple[int, int]:
        """Traps of A and B there."""
        both = self.values["traps"][place]
        return both[0], both[1]

    @property
    def events(self) -> list[SeenEvent]:
        """What all have seen since the position began."""
        return self.state.events(SPECTATORS)

    def happened(self, key: str) -> list[tuple[int, ...]]:
        """The arguments of the events of a kind."""
        return [event.args for event in self.events if event.key == key]

    # ---- What can be done ----

    def _word(self, prompt: str, action: int) -> str:
        names = self.game.names
        if prompt == "WINDOW":
            return names.cards[action - 1] if action else "pass"
        if prompt in ("MOVE", "ABILITY") and action >= 32:
            return names.cards[action - 32]
        if prompt == "MOVE":
            return "stay" if action == 10 else str(action)
        if prompt == "ABILITY":
            return ("end", "use", "innate")[action]
        if prompt in ("DRAFT", "COMP_CHAR"):
            return SHORT[names.characters[action]]
        if prompt in ("SETASIDE", "COMP_CARD"):
            return names.cards[action]
        if prompt == "DIE_SLOT":
            return f"{action >> 1}/{action & 1}"
        if prompt == "OBST_SRC":
            return "decline" if action == 31 else f"e{action - 1}" if action else "new"
        if prompt == "OBST_EDGE":
            return f"e{action}"
        if action == 15:
            return "decline"
        if prompt == "TARGET" and action == 4:
            return "monster"
        if prompt in ("PIECE", "TARGET", "VICTIM", "GO_PIECE"):
            piece = self.values["pieces"][action]
            same = [other for other in self.values["pieces"] if other["character"] == piece["character"]]
            return ("ABC"[piece["team"]] + "." if len(same) > 1 else "") + SHORT[piece["character"]]
        return str(action)

    def run(self, text: str) -> Table:
        """Answer questions: "A MOVE 5; ? pass M15; B WINDOW M15". Fails where another question, or this with others, is asked."""
        for step in filter(None, (part.strip() for part in text.split(";"))):
            if step[0] == "?":
                assert sorted(self.options) == sorted(step[1:].split()), f"{step!r}: {self.asked}: {self.options}"
                continue
            who, prompt, answer = step.split()
            assert self.asked == f"{who} {prompt}", f"{step!r}: asked is {self.asked}, {self.options if self.asked else ''}"
            seat = "ABCD".index(who)
            words = self.options
            assert answer in words, f"{step!r}: the answers are {words}"
            self.state.apply_action(seat, self.state.legal_actions(seat)[words.index(answer)])
            self.check()
        return self

    def check(self) -> None:
        """What always holds does; a test that stacks the GO! deck has not all cards."""
        if self.whole:
            self.game.check_invariants(self.state)
        assert min(self.values["supplies"]["traps"]) >= 0

    def says(self, text: str) -> bool:
        """Are pieces as written? Used with assert: "Ro@5(d3) Cy@-"; all marks must be listed."""
        for wanted in text.split():
            name = wanted.split("@")[0]
            prefix = name if "." in name else wanted[:2]
            shown = self.shows(prefix)
            assert shown == wanted.split(".")[-1], f"{wanted}: it is {shown}"
        return True

    def holds(self, text: str) -> bool:
        """Is everything as written? Used with assert: pieces, facts (`A.vp=1`), and kinds of events that came (+) or not (-)."""
        for wanted in text.split():
            if wanted[0] in "+-":
                assert bool(self.happened(wanted[1:])) == (wanted[0] == "+"), f"{wanted}: {[event.key for event in self.events]}"
            elif "=" in wanted:
                key, _, value = wanted.partition("=")
                assert self.fact(key) == value, f"{wanted}: it is {self.fact(key)}"
            else:
                assert self.says(wanted)
        return True

    def fact(self, key: str) -> str:
        """One thing of the position as text: `A.dice` is "6,3", `obstacles` "e3,e8"; "-" where there is none."""
        values = self.values
        team: dict[str, Any] = {}
        if "." in key:
            number = "ABC".index(key[0])
            team, key = values["teams"][number], key[2:]
        match key:
            case "vp":
                found: Any = team["points"]
            case "go" | "gifts":
                found = team[key]
            case "dice" | "delivered":
                found = ",".join(map(str, team[key]))
            case "monster":
                found = "{place}:{damage}".format(**team[key]) if team[key] else None
            case "traps":
                row = 0 if self.arena else number
                found = ",".join(f"{place}:{both[row]}" for place, both in enumerate(values["traps"]) if both[row])
            case "obstacles":
                found = ",".join(f"e{edge}" for edge in sorted(values["obstacles"]))
            case "clues" | "removed":
                found = ",".join(map(str, sorted(values[key])))
            case "fire" | "shields" | "escapes":
                found = values["supplies"][key]
            case "initiative":
                found = "ABC"[values[key]]
            case "asked":
                found = self.asked and self.asked.replace(" ", "_")
            case _:
                found = values[key]
        return "-" if found in (None, "") else str(found)


@dataclass(frozen=True)
class Example:
    """A position, what is done in it, and what holds then."""

    row: str
    what: str
    script: str
    after: str
    table: dict[str, Any]

    def check(self, pack: str | None = None) -> None:
        """Fails unless everything is as written; `pack`: with other cards than those designed."""
        table = Table(**self.table, pack=pack).run(self.script)
        assert table.holds(self.after)
