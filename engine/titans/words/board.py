"""The table for a terminal: the map as hexagons laid like bricks, the teams with their characters, the hand.

It is short, so that map, question and answers fit 80 columns and 24 lines; what cards and characters do is looked up
(cards.describe).
"""
from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from seatmate.engine.core.spec import counted
from seatmate.engine.titans.words.cards import WIDTH, TitansWords, monster_health, wrapped
from seatmate.engine.titans.words.names import COLOURS

if TYPE_CHECKING:
    from seatmate.engine.titans.content.pack import TitansPack
    from seatmate.engine.titans.words.names import Names

_HALF = 9
"""Columns of half a hexagon: a map of four hexagons side by side is 73 wide."""
_INSIDE = 2 * _HALF - 1
"""Columns inside a hexagon."""

_PHASES = {"start": "the round starts", "recovery": "recovery",
           "activation": "the characters act", "end": "the round ends", "over": "the game is over"}
_Style = tuple[str, str]    # a character and its style


def _columns(text: str) -> int:
    """How wide a terminal shows a text: Chinese and Japanese characters, for one, take two columns."""
    return len(text) if text.isascii() else sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


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
        """Write a text; it must not be longer than the space it has. A wide character takes two cells, the second of "
          "them empty."""
        while len(self.rows) <= row:
            self.rows.append([])
        line = self.rows[row]
        parts = text if text.isascii() else [part for char in text for part in (char, "")[:_columns(char)]]
        cells = [(part, style) for part in parts]
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

    def full_title(self, piece: int) -> str:
        """... and of which team it is, where both could have it."""
        return self.title(piece) + (f" ({COLOURS[self.pieces[piece]['team']]})" if self.names.mode == "comp" else "")

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
        """A team with its seats: `black (you)`; the observer first."""
        if self.arena:
            return self.seat(team)
        seats = sorted({piece["seat"] for piece in self.pieces if piece["team"] == team})
        others = [seat for seat in seats if seat != self.observer]
        named = ["you"] * (self.observer in seats)
        named += [f"seat{'s' * (len(others) > 1)} {' and '.join(map(str, others))}"] if others else []
        return f"{COLOURS[team]} ({' and '.join(named)})"

    # ---- Parts ----

    def head(self) -> list[str]:
        """Round, who acts, Mayhem die, initiative; before the first round, how to look things up."""
        view = self.view
        if not view["round"]:
            return wrapped("Setup; i legend explains the board, i NAME a card or word, i rules the rules.", "")
        acts = view["active"] is not None and view["phase"] != "over"
        parts = [f"Round {view['round']}: " + (f"{self.full_title(view['active'])} acts" if acts else _PHASES[view["phase"]])]
        if view["mayhem"] is not None:
            parts.append(f"Mayhem die: {view['mayhem']['value']}{' with a star' if view['mayhem']['star'] else ''}")
        if view["initiative"] is not None:
            parts.append(f"initiative: {self.seat(view['initiative']) if self.arena else COLOURS[view['initiative']]}")
        return wrapped("; ".join(parts), "")

    def map(self) -> list[str]:
        """The map, borders drawn once and those at its top and bottom left out, # where an obstacle is."""
        layout, removed = self.names.map, set(self.view["removed"])
        there = [place for place in range(len(layout.positions)) if place not in removed]
        contents = {place: self.contents(place) for place in there}
        rows = [row for whole in layout.rows if (row := [place for place in whole if place in contents])]
        screen, top, corners = _Screen(), -1, []
        for number, row in enumerate(rows):
            fenced = any(set(layout.edges[border]) <= set(row) for border in self.view["obstacles"])     # room to see it
            height = max(1 + fenced, *(len(contents[place]) for place in row))
            lines = [y for y in (top, top + height + 1) if y >= 0 and not (number == len(rows) - 1 and y > top)]
            for place in row:
                column = layout.positions[place][1] * _HALF
                for y in lines:
                    screen.put(y, column, "-" * (2 * _HALF + 1))
                for y, (text, style) in enumerate(contents[place], start=top + 1):
                    screen.put(y, column + 1, _cut(text, _INSIDE), style)
                for y in range(top + 1, top + height + 1):
                    screen.put(y, column, "|")
                    screen.put(y, column + 2 * _HALF, "|")
            self.obstacles(screen, row, top, height)
            corners += [(y, layout.positions[place][1] * _HALF + x) for y in lines for x in (0, 2 * _HALF) for place in row]
            top += height + 1
        for y, x in corners:
            screen.put(y, x, "+")
        return screen.lines()

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
        """Lines of a place: its name, who stands there, what lies there (beside the name, if there is room); with "
          "their styles."""
        tile, view = self.view["tiles"][place], self.view
        title = f" {place}" if tile is None else f" {self.place(place)}"
        things = ["pizza"] if view["pizza"] == place else []
        things += ["clue"] if place in view["clues"] else []
        black, white = view["traps"][place]
        if self.arena:
            things += [f"traps {black}"] if black else []
        else:
            traps = [f"{letter}{count}" for letter, count in (("b", black), ("w", white)) if count]
            things += [f"traps {' '.join(traps)}"] if traps else []
        beside = ", ".join(things)
        below = [] if _columns(f"{title} {beside}") <= _INSIDE else [
            (f" {line}", "cyan") for line in textwrap.wrap(beside, _INSIDE - 1)]
        lines = [(f"{title} {beside}".rstrip() if not below else title, "bold")]
        for number in [number for number, piece in enumerate(self.pieces) if piece["place"] == place]:
            mark = ">" if number == view["active"] else " "
            team = self.pieces[number]["team"]
            health = f" {self.health(number)}"
            name = _cut(f"{mark}{self.mark(team)} {self.title(number)}", _INSIDE - len(health))     # a long name leaves room for it
            lines.append((f" {self.title(number)}" if team is None else name + health, self.style(team)))
        lines += below
        for team, values in enumerate(view["teams"]):
            if values["monster"] is not None and values["monster"]["place"] == place:
                lines.append((f" monster {self.mark(team)} {self.monster(team)}", "magenta"))
        return lines

    def monster(self, team: int) -> str:
        """`2/5`: what is left of the health of a team's monster."""
        values = self.view["teams"][team]
        full = monster_health(self.pack.go[self.names.go_number[values["go"]]])
        return f"{full - values['monster']['damage']}/{full}"

    def piece(self, number: int) -> str:
        """What the map does not show of a character, in words: dice on abilities, tokens, marks; empty if there is nothing."""
        piece = self.pieces[number]
        kind = self.names.character_number[piece["character"]]
        state = []
        if piece["eliminated"]:
            state.append("out of the game")
        elif piece["place"] is None and self.view["round"]:
            state.append("KO" if piece["ko"] else "off the map")
        state += [f"{title} {die}" for title, die in zip(self.names.abilities[kind], piece["slots"], strict=True) if die]
        state += [f"{piece['fire']} fire"] if piece["fire"] else []
        state += [word for word in ("stunned", "shield", "escape", "pizza") if piece[word]]
        state += [word for word in ("ghost", "locked") if piece[word]]
        state += [f"{self.names.innates[kind]} used"] if piece["innate_spent"] else []
        if not state and self.view["round"]:
            return ""
        return f"{self.title(number)}{': ' if state else ''}{', '.join(state)}"

    def team_lines(self, team: int) -> list[str]:
        """A team: points, dice, hands, the card played; the mission; its characters as far as the map does not show them."""
        values, view = self.view["teams"][team], self.view
        parts = [] if self.arena else [counted(values["points"], "point")]
        if values["dice"]:
            dice = [f"({value})" if die in values["dice_used"] else str(value) for die, value in enumerate(values["dice"])]
            parts.append(f"{'die' if len(dice) == 1 else 'dice'} {' '.join(dice)}")
        seats = sorted({piece["seat"] for piece in self.pieces if piece["team"] == team},
                       key=lambda seat: (seat != self.observer, seat))
        counts = [str(view["hand_counts"][seat]) for seat in seats]
        parts.append(f"hand {counts[0]}" if len(seats) == 1 else f"hands {' and '.join(counts)}")
        if values["played"] is not None:
            parts.append(f"played {self.names.card_titles[self.names.card_number[values['played']]]}")
        bonus = "attacks +1" if self.arena else "attacks and traps +1"
        parts += [said for key, said in (("attack_bonus", bonus), ("trap_stun", "traps stun")) if values[key]]
        own = [number for number, piece in enumerate(self.pieces) if piece["team"] == team and piece["character"] is not None]
        said, pieces = f"{self.team(team)}: {', '.join(parts)}", "; ".join(filter(None, map(self.piece, own)))
        if pieces and (self.arena or _columns(said + pieces) <= WIDTH - 2):
            said, pieces = f"{said}; {pieces}", ""
        lines = wrapped(said, "    ", f"bold {self.style(team)}".strip())
        if values["go"] is not None:
            card = self.pack.go[self.names.go_number[values["go"]]]
            mission = f"  {card.title}: {self.words.mission(str(card.mission))}{self.progress(team)}"
            if pieces and _columns(mission + pieces) <= WIDTH - 3:
                mission, pieces = f"{mission} · {pieces}", ""
            lines += wrapped(mission, "      ")
        return lines + (wrapped(f"  {pieces}", "      ", self.style(team)) if pieces else [])

    def progress(self, team: int) -> str:
        """How far a team is with its mission, as far as the map and the characters' tokens don't show it."""
        values = self.view["teams"][team]
        match self.pack.go[self.names.go_number[values["go"]]].family:
            case "gifts":
                return f" ({len(values['delivered'])} of {len(values['delivered']) + values['gifts']} done)"
            case "clues":
                return f" ({values['clues']} found)"
        return ""

    def hands(self) -> list[str]:
        """The hands the observer knows."""
        lines: list[str] = []
        for seat, hand in enumerate(self.view["hands"]):
            if hand is None:
                continue
            titles = ", ".join(self.names.card_titles[self.names.card_number[card]] for card in hand) or "empty"
            if seat == self.observer:
                lines += wrapped(f"Your hand: {titles}", "    ",
                                 bold="Your hand")
            elif hand or self.view["hand_counts"][seat]:
                lines += wrapped(f"Hand of seat {seat}: {titles}", "    ")
        return lines

    def lines(self) -> list[str]:
        """All of it."""
        shown = [f"[bold]{line}[/bold]" for line in self.head()]
        if any(tile is not None for tile in self.view["tiles"]) or any(piece["place"] is not None for piece in self.pieces):
            shown += self.map()
        for team in range(len(self.view["teams"])):
            shown += self.team_lines(team)
        return shown + self.hands()


def board_lines(pack: TitansPack, names: Names, view: Mapping[str, Any], observer: int) -> list[str]:
    """The table for a terminal, in rich markup."""
    return Board(pack, names, view, observer).lines()
