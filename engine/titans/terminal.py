"""The table for a terminal: the map as hexagons laid like bricks, the characters, the teams, the hand."""
from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from seatmate.engine.core.spec import words
from seatmate.engine.titans.cards import TitansWords, monster_health
from seatmate.engine.titans.words import ARENA_CYBORG, COLOURS

if TYPE_CHECKING:
    from seatmate.engine.titans.pack import TitansPack
    from seatmate.engine.titans.words import Names

_HALF, _WIDTH = 9, 79
"""Columns of half a hexagon, and of all text: a map of four hexagons side by side is 73 wide."""
_INSIDE = 2 * _HALF - 1
"""Columns inside a hexagon."""

_PHASES = {"setup": "characters and cards are chosen", "start": "the round starts", "recovery": "recovery",
           "activation": "the characters act", "end": "the round ends", "over": "the game is over"}
_Style = tuple[str, str]    # a character and its style


def _columns(text: str) -> int:
    """How wide a terminal shows a text: Chinese and Japanese characters, for one, take two columns."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def _cut(text: str, columns: int) -> str:
    """As much of a text as fits."""
    while _columns(text) > columns:
        text = text[:-1]
    return text


class _Screen:
    """Characters with styles on a grid that grows."""

    def __init__(self) -> None:
        self.rows: list[list[_Style]] = []

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        """Write a text; it must not be longer than the space it has. A wide character takes two cells, the second of them empty."""
        while len(self.rows) <= row:
            self.rows.append([])
        line = self.rows[row]
        cells = [(part, style) for char in text for part in (char, "")[:_columns(char)]]
        line.extend([(" ", "")] * (column + len(cells) - len(line)))
        line[column:column + len(cells)] = cells

    def lines(self) -> list[str]:
        """The grid as lines of rich markup."""
        found = []
        for row in self.rows:
            line, current = "", ""
            for char, style in row:
                if style != current:
                    line += (f"[/{current}]" if current else "") + (f"[{style}]" if style else "")
                    current = style
                line += "\\[" if char == "[" else char
            found.append((line + (f"[/{current}]" if current else "")).rstrip())
        return found


class Board:
    """One position as its observer sees it."""

    def __init__(self, pack: TitansPack, names: Names, view: Mapping[str, Any], observer: int) -> None:
        self.pack = pack
        self.names = names
        self.view = view
        self.observer = observer
        self.arena = names.arena
        self.words = TitansWords(pack, names.arena)
        pieces: Sequence[Mapping[str, Any]] = view["pieces"]
        self.pieces = pieces
        self.own_team = next((piece["team"] for piece in pieces if piece["seat"] == observer), None)

    # ---- Words ----

    def mark(self, team: int | None) -> str:
        """A team in one letter, a seat of the free-for-all by its number."""
        return "-" if team is None else str(team) if self.arena else COLOURS[team][0]

    def style(self, team: int | None) -> str:
        """Own things are green, opposing ones red; whoever only looks on sees the two teams alike."""
        return "dim" if team is None else "" if self.own_team is None else "green" if team == self.own_team else "red"

    def title(self, piece: int) -> str:
        """The title of a piece's character."""
        key = self.pieces[piece]["character"]
        return "unknown" if key is None else self.names.titles[self.names.character_number[key]]

    def place(self, place: int) -> str:
        """A place by the title of its tile, or by its number."""
        tile = self.view["tiles"][place]
        return f"place {place}" if tile is None else self.names.tile_titles[self.names.tile_number[tile]]

    def health(self, piece: int) -> str:
        """`6/9`: what is left of its health."""
        values = self.pieces[piece]
        if values["character"] is None:
            return ""
        full = self.names.health[self.names.character_number[values["character"]]]
        return f"{full - values['damage']}/{full}"

    def seat(self, seat: int) -> str:
        """A seat."""
        return "you" if seat == self.observer else f"seat {seat}"

    def team(self, team: int) -> str:
        """A team with its seats: `black (you)`."""
        if self.arena:
            return self.seat(team)
        seats = sorted({piece["seat"] for piece in self.pieces if piece["team"] == team})
        return f"{COLOURS[team]} ({words([self.seat(seat) for seat in seats])})"

    # ---- Parts ----

    def head(self) -> list[str]:
        """Round, whose turn, Mayhem die, initiative."""
        view = self.view
        parts = [f"Round {view['round']}: {_PHASES[view['phase']]}" if view["round"] else _PHASES[view["phase"]].capitalize()]
        if view["active"] is not None and view["phase"] != "over":
            parts.append(f"turn of {self.title(view['active'])}, {self.team(view['turn_state']['team'])}")
        if view["initiative"] is not None:
            parts.append(f"initiative: {self.team(view['initiative'])}")
        if view["mayhem"] is not None:
            parts.append(f"Mayhem die: {view['mayhem']['value']}{' with a star' if view['mayhem']['star'] else ''}")
        return _wrapped("; ".join(parts), "")

    def map(self) -> list[str]:
        """The map, each border drawn once, # where an obstacle is."""
        layout, removed = self.names.map, set(self.view["removed"])
        there = [place for place in range(len(layout.positions)) if place not in removed]
        contents = {place: self.contents(place) for place in there}
        screen, top, corners = _Screen(), 0, []
        for whole in layout.rows:
            row = [place for place in whole if place in contents]
            if not row:
                continue
            height = max(3, *(len(contents[place]) for place in row))
            for place in row:
                column = layout.positions[place][1] * _HALF
                for y in (top, top + height + 1):
                    screen.put(y, column, "-" * (2 * _HALF + 1))
                for y, (text, style) in enumerate(contents[place], start=top + 1):
                    screen.put(y, column + 1, _cut(text, _INSIDE), style)
                for y in range(top + 1, top + height + 1):
                    screen.put(y, column, "|")
                    screen.put(y, column + 2 * _HALF, "|")
            self.obstacles(screen, row, top, height)
            corners += [(y, layout.positions[place][1] * _HALF + x) for y in (top, top + height + 1) for x in (0, 2 * _HALF)
                        for place in row]
            top += height + 1
        for y, x in corners:
            screen.put(y, x, "+")
        return [*screen.lines(), *_wrapped(
            "Health left of all; > acts; # is an obstacle; " + (
                "numbers are seats." if self.arena else "b and w are black and white."), "", "dim")]

    def obstacles(self, screen: _Screen, row: Sequence[int], top: int, height: int) -> None:
        """Draw those on the borders between places of this row, and to the row above, whose border is at `top`."""
        layout = self.names.map
        for border in self.view["obstacles"]:
            a, b = layout.edges[border]
            if b not in row:
                continue
            left = layout.positions[b][1] * _HALF
            if a in row:
                for y in range(top + 1, top + height + 1):
                    screen.put(y, left, "#", "yellow")
            else:
                start = left if layout.positions[a][1] * _HALF < left else left + _HALF
                screen.put(top, start + 1, "#" * (_HALF - 1), "yellow")

    def contents(self, place: int) -> list[_Style]:
        """Lines of a place: its name, who stands there, what lies there; with their styles."""
        tile, view = self.view["tiles"][place], self.view
        lines = [(f" {place}" if tile is None else f" {self.place(place)}", "bold")]
        standing = [number for number, piece in enumerate(self.pieces) if piece["place"] == place]
        for number in standing:
            mark = ">" if number == view["active"] else " "
            team = self.pieces[number]["team"]
            health = f" {self.health(number)}"
            name = _cut(f"{mark}{self.mark(team)} {self.title(number)}", _INSIDE - len(health))     # a long name leaves room for it
            lines.append((f" {self.title(number)}" if team is None else name + health, self.style(team)))
        lines += [("", "")] * (2 - len(standing))
        things = ["pizza"] if view["pizza"] == place else []
        if place in view["clues"]:
            things.append("clue")
        black, white = view["traps"][place]
        if self.arena:
            things += [f"traps {black}"] if black else []
        else:
            traps = [f"{letter}{count}" for letter, count in (("b", black), ("w", white)) if count]
            things += [f"traps {' '.join(traps)}"] if traps else []
        lines += [(f" {line}", "cyan") for line in textwrap.wrap(", ".join(things), 2 * _HALF - 2)]
        for team, values in enumerate(view["teams"]):
            if values["monster"] is not None and values["monster"]["place"] == place:
                lines.append((f" monster {self.mark(team)} {self.monster(team)}", "magenta"))
        return lines

    def monster(self, team: int) -> str:
        """`2/5`: what is left of the health of a team's monster."""
        values = self.view["teams"][team]
        full = monster_health(self.pack.go[self.names.go_number[values["go"]]])
        return f"{full - values['monster']['damage']}/{full}"

    def piece(self, number: int) -> list[str]:
        """A character: where it is, its abilities with their dice, its tokens."""
        piece = self.pieces[number]
        kind = self.names.character_number[piece["character"]]
        where = "off the map" if piece["place"] is None else self.place(piece["place"])
        if piece["team"] is None:
            return _wrapped(f"- {self.title(number)}, {where}: belongs to nobody", "    ", "dim")
        if piece["eliminated"]:
            return _wrapped(f"  {self.mark(piece['team'])} {self.title(number)} is out of the game", "    ", "dim")
        if piece["ko"]:
            where = "KO in this round"
        abilities = [f"{title} {slot}+{f' (die {die})' if die else ''}" for title, slot, die in zip(
            self.names.abilities[kind], self.names.slots[kind], piece["slots"], strict=True)]
        state = [f"{piece['fire']} fire"] if piece["fire"] else []
        state += [word for word in ("stunned", "shield", "escape", "pizza") if piece[word]]
        state += [said for key, said in (("ghost", "ignores obstacles and traps"), ("locked", "cannot make moves"),
                                         ("innate_spent", f"{self.names.innates[kind]} used")) if piece[key]]
        text = (f"{'>' if number == self.view['active'] else ' '} {self.mark(piece['team'])} {self.title(number)} "
                f"{self.health(number)}, {where}: {', '.join(abilities)}{'; ' if state else ''}{', '.join(state)}")
        return _wrapped(text, "      ", self.style(piece["team"]))

    def team_lines(self, team: int) -> list[str]:
        """A team: points, dice, hands, the card played, the mission."""
        values, view = self.view["teams"][team], self.view
        parts = [] if self.arena else [f"{values['points']} point{'' if values['points'] == 1 else 's'}"]
        if values["dice"]:
            dice = [f"{value}{' (placed)' if die in values['dice_used'] else ''}" for die, value in enumerate(values["dice"])]
            parts.append(f"dice {' and '.join(dice)}")
        seats = [seat for seat in range(len(view["hand_counts"]))
                 if any(piece["seat"] == seat and piece["team"] == team for piece in self.pieces)]
        for seat in seats:
            count = view["hand_counts"][seat]
            parts.append(f"hand {count}" if len(seats) == 1 else f"your hand: {count}" if seat == self.observer
                         else f"hand of seat {seat}: {count}")
        if values["played"] is not None:
            parts.append(f"played {self.names.card_titles[self.names.card_number[values['played']]]}")
        bonus = "attacks +1" if self.arena else "attacks and traps +1"
        parts += [said for key, said in (("attack_bonus", bonus), ("trap_stun", "traps stun")) if values[key]]
        lines = _wrapped(f"{self.team(team)}: {', '.join(parts)}", "    ", f"bold {self.style(team)}".strip())
        if values["go"] is not None:
            card = self.pack.go[self.names.go_number[values["go"]]]
            text = f"{card.title}: {self.words.mission(str(card.mission))}{self.progress(team)}"
            lines += _wrapped(f"    {text}", "        ")
        return lines

    def progress(self, team: int) -> str:
        """How far a team is with its mission."""
        values, view = self.view["teams"][team], self.view
        match self.pack.go[self.names.go_number[values["go"]]].family:
            case "pizza":
                carrier = next((number for number, piece in enumerate(self.pieces) if piece["pizza"]), None)
                if carrier is not None:
                    return f" ({self.title(carrier)} has it)"
                return f" (it lies at the {self.place(view['pizza'])})" if view["pizza"] is not None else ""
            case "monster" if values["monster"] is not None:
                return f" ({self.monster(team).partition('/')[0]} left, at the {self.place(values['monster']['place'])})"
            case "gifts":
                return f" ({len(values['delivered'])} of {len(values['delivered']) + values['gifts']} delivered)"
            case "clues":
                left = [f"the {self.place(place)}" for place in view["clues"]]
                return f" ({values['clues']} found{f'; left: {words(left)}' if left else ''})"
        return ""

    def hands(self) -> list[str]:
        """The hands the observer knows, its own with what the cards do."""
        lines: list[str] = []
        for seat, hand in enumerate(self.view["hands"]):
            if hand is None:
                continue
            cards = [self.pack.mayhem[self.names.card_number[card]] for card in hand]
            if seat != self.observer:
                lines += _wrapped(f"Hand of seat {seat}: {', '.join(card.title for card in cards) or 'empty'}", "    ")
                continue
            lines += ["", "[bold]Your hand:[/bold]" + ("" if cards else " empty")]
            for card in cards:
                lines += _wrapped(f"  {card.title}: {self.words.line(str(card.effect))}", "      ")
        return lines

    def lines(self) -> list[str]:
        """All of it."""
        shown = [f"[bold]{line}[/bold]" for line in self.head()]
        if any(tile is not None for tile in self.view["tiles"]) or any(piece["place"] is not None for piece in self.pieces):
            shown += self.map()
        for team in range(len(self.view["teams"])):
            shown += self.team_lines(team)
            for number, piece in enumerate(self.pieces):
                if piece["team"] == team and piece["character"] is not None:
                    shown += self.piece(number)
        if self.arena and self.pieces[ARENA_CYBORG]["character"] is not None:
            shown += self.piece(ARENA_CYBORG)
        return shown + self.hands()


def _wrapped(text: str, indent: str, style: str = "") -> list[str]:
    """Text in lines of at most _WIDTH columns, in rich markup."""
    lines = textwrap.wrap(text, _WIDTH, subsequent_indent=indent, drop_whitespace=True, break_on_hyphens=False) or [""]
    if text[:1] == " ":     # textwrap keeps the first line's own indentation
        lines[0] = text[:len(text) - len(text.lstrip())] + lines[0].lstrip()
    escaped = [line.replace("[", "\\[") for line in lines]
    return [f"[{style}]{line}[/{style}]" for line in escaped] if style else escaped


def board_lines(pack: TitansPack, names: Names, view: Mapping[str, Any], observer: int) -> list[str]:
    """The table for a terminal, in rich markup."""
    return Board(pack, names, view, observer).lines()
