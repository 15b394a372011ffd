"""A scene as text for a terminal of 80 columns, in rich markup: the board of every game that does not draw its own."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from unicodedata import combining, east_asian_width

from seatmate.engine.core.scene import Face, Scene, Thing, Zone, unmarked

WIDTH = 79
SIGN = 2
"""A face with a key of at most so many characters, such as K, 10 or R5, is called by it, as players do."""
_HANG = 4


def columns(text: str) -> int:
    """How wide a terminal shows a text: Chinese and Japanese characters, for one, take two columns, accents of their own none."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def board_lines(scene: Scene, faces: Mapping[str, Face], observer: int, asked: Sequence[int] = ()) -> list[str]:
    """The scene as its observer sees it, and who is asked if that is not the observer. faces: of `Game.faces`.

    Zones `aside` are left out, and so are empty ones, but for those of a map. A single thing may be longer
    than a line: whoever prints it folds it.
    """
    return list(_Board(scene, faces, observer).lines(asked))


class _Board:
    """One scene on its way to a terminal."""

    def __init__(self, scene: Scene, faces: Mapping[str, Face], observer: int) -> None:
        self.scene, self.faces, self.observer = scene, faces, observer
        self.inside: dict[str, list[Zone]] = {}
        for zone in scene.zones:
            if not zone.aside:
                self.inside.setdefault(zone.parent, []).append(zone)

    def lines(self, asked: Sequence[int]) -> Iterator[str]:
        """All of it, facts about the whole table first and the observer's own last; zones of one seat are told together."""
        outmost = sorted(self.inside.get("", ()), key=lambda zone: (
            2 if zone.seat == self.observer else zone.layout != "facts" or zone.seat is not None))
        runs: list[tuple[list[int], list[Zone]]] = []
        for seat, group in groupby(outmost, lambda zone: zone.seat):
            zones = list(group)
            if runs and seat not in (None, self.observer) and self._same(runs[-1][1], zones):
                runs[-1][0].append(seat)
            else:
                runs.append(([] if seat is None else [seat], zones))
        for seats, zones in runs:
            flat: list[Zone] = []
            for zone in zones:
                if zone.id in self.inside or zone.layout == "grid":
                    yield from self._told(seats, flat)
                    flat = []
                    yield from self._nested(zone, 0)
                elif zone.things:
                    flat.append(zone)
            yield from self._told(seats, flat)
        yield from self._links()
        if asked and self.observer not in asked:
            yield f"To move: {', '.join(map(self._who, asked))}"

    # ---- Zones ----

    def _same(self, zones: Sequence[Zone], others: Sequence[Zone]) -> bool:
        """Do two seats have the same, so that one line can tell it?"""
        if any(zone.seat is None or zone.id in self.inside or zone.layout == "grid" for zone in (*zones, *others)):
            return False
        return [(zone.title, self._things(zone)) for zone in zones] == [(zone.title, self._things(zone)) for zone in others]

    def _told(self, seats: Sequence[int], zones: Sequence[Zone]) -> Iterator[str]:
        """Zones without others in them: of nobody one below the other, of a seat together."""
        if not seats:
            for zone in zones:
                yield from _packed(f"[bold]{_safe(zone.title)}[/bold]: ", self._things(zone))
        elif zones:
            listed = [zone for zone in zones if any(self._cost(thing, zone) for thing in zone.things)]
            said = [[f"[cyan]{_safe(zone.title)}:[/cyan] {first}", *rest]
                    for zone in zones if zone not in listed for first, *rest in [self._things(zone)]]
            who = f"seats {', '.join(map(str, seats))} " if len(seats) > 1 else self._who(seats[0])
            yield from _packed(f"[bold]{who:<8}[/bold]", *said)
            for zone in listed:
                yield f"[bold]{who:<8}[/bold][cyan]{_safe(zone.title)}:[/cyan]"
                yield from (f"{' ' * _HANG}{one.rstrip(',')}" for one in self._things(zone))

    def _nested(self, zone: Zone, depth: int) -> Iterator[str]:
        """A zone and those that lie in it."""
        children = self.inside.get(zone.id, ())
        indent = "  " * depth
        if zone.layout == "grid":
            if len(self.scene.zones) > 1:       # all there is needs no title
                yield f"{indent}[bold]{_safe(zone.title)}[/bold]"
            yield from (indent + line for line in self._grid(zone))
        elif depth and zone.seat is not None:       # one seat's side of the zone around it
            yield from _packed(f"{indent}{self._who(zone.seat):<8}", self._things(zone) or ["-"])
        else:
            note = f" [dim]({_safe(zone.note)})[/dim]" if zone.note else ""
            things = self._things(zone)
            yield from _packed(f"{indent}[bold]{_safe(zone.title)}[/bold]{note}{': ' if things else ''}", things)
        for child in children:
            yield from self._nested(child, depth + 1)

    def _things(self, zone: Zone) -> list[str]:
        """What lies in a zone, with what stands between: things of one seat after each other, the same side by side once with
        its number, several hidden ones last. Of a pile the uppermost. What only repeats the title is left out."""
        if zone.layout == "pile" and zone.things:
            top = zone.things[-1]
            return [f"{sum(thing.amount for thing in zone.things)}{f', on top {self._thing(top, zone)}' if top.face else ''}"]
        hidden = [thing for thing in zone.things if thing.shape == "card" and not (thing.face or thing.label)]
        things: Sequence[Thing] = zone.things
        if len(hidden) > 1:
            things = [*(thing for thing in things if thing not in hidden), *sorted(hidden, key=lambda thing: thing.seat or 0)]
        said: list[str] = []
        before = zone.seat
        for (seat, text), same in groupby(things, lambda thing: (thing.seat, self._thing(thing, zone))):
            if text == _safe(zone.title):
                continue
            amount = sum(thing.amount for thing in same)
            said[-1:] = [f"{one}{',' if seat == before and zone.layout != 'facts' else ';'}" for one in said[-1:]]
            said.append(f"{'' if seat in (None, before) else f'{self._who(seat)}: '}{f'{amount} × ' if amount > 1 else ''}{text}")
            before = seat
        return said

    def _grid(self, zone: Zone) -> list[str]:
        """Cells by rows, with names of columns and rows where cells are named after both, as in a1, or after columns."""
        count = max(zone.columns, 1)
        rows = [zone.things[first:first + count] for first in range(0, len(zone.things), count)]
        table = [[self._cell(thing, zone) for thing in row] for row in rows]
        names = [[thing.note for thing in row] for row in rows]
        every = len(_beginning([name for row in names for name in row]))
        above = [f"[dim]{_safe(_beginning(column)[every:])}[/dim]" for column in zip(*names, strict=False)]
        beside = [_beginning([name[::-1] for name in row])[::-1] for row in names]
        if any(map(_width, above)):
            table, beside = [above, *table], ["", *beside]
        wide, margin = max(_width(cell) for row in table for cell in row), max(map(columns, beside))
        if margin + (wide + 1) * count > WIDTH:
            return [line for row in table for line in _packed("", row)]
        return [f"[dim]{_safe(side):<{margin}}[/dim] " * bool(margin)
                + " ".join(cell + " " * (wide - _width(cell)) for cell in row).rstrip()
                for side, row in zip(beside, table, strict=True)]

    def _cell(self, thing: Thing, zone: Zone) -> str:
        if not (thing.face or thing.label):
            return "." if thing.seat is None else str(thing.seat)
        said = self._thing(thing, zone)
        return said if thing.seat is None else f"[bold]{said}[/bold]"

    # ---- Things ----

    def _thing(self, thing: Thing, zone: Zone) -> str:
        """A thing without whose it is and how many there are."""
        face = self.faces.get(thing.face)
        name = "" if face is None else thing.face if len(thing.face) <= SIGN else face.title
        name = name.partition(" (")[0] if zone.parent else name      # what tells versions apart takes room, and the face says it
        number = "" if thing.value is None else f" {thing.value}" + (f"/{thing.maximum}" if thing.maximum is not None else "")
        mark, label = ("", thing.label) if not thing.label.startswith("#") else thing.label.partition(" ")[::2]
        text = name or label
        text += ":" if number and text[-1:].isdigit() else ""
        if thing.shape == "die":
            text, number = label, f" [{'?' if thing.value is None else thing.value}]"
        elif not text:
            text = "?"
        more = [label] if name and label else []
        more += filter(None, [self._cost(thing, zone)])
        known = {word.removesuffix("s") for word in zone.title.lower().split()} | {face.kind if face is not None else ""}
        more += [tag.replace("_", " ") for tag in thing.tags if tag not in known]      # the title says it, or the face
        more += [thing.note] if thing.note and thing.shape == "card" else []
        return _safe(f"{mark} {text}{number}".strip()) + (f" [dim]({_safe(', '.join(more))})[/dim]" if more else "")

    def _cost(self, thing: Thing, zone: Zone) -> str:
        """What it costs, of the observer's own cards."""
        return self.faces[thing.face].cost if zone.seat == self.observer and zone.layout == "row" and not zone.parent \
            and thing.face in self.faces else ""

    def _links(self) -> Iterator[str]:
        """What belongs together, by how it does."""
        titles = {zone.id: _safe(zone.title) for zone in self.scene.zones}
        titles |= {thing.id: self._thing(thing._replace(tags=(), note=""), zone)
                   for zone in self.scene.zones for thing in zone.things}
        for tag, group in groupby(sorted(self.scene.links, key=lambda link: link.tag), lambda link: link.tag):
            pairs = [f"{titles[link.start]} → {titles[link.end]};" for link in group]
            pairs[-1] = pairs[-1][:-1]
            yield from _packed(f"[bold]{_safe(tag.replace('_', ' ').capitalize() or 'Ways')}[/bold]: ", pairs)

    def _who(self, seat: int) -> str:
        return "you" if seat == self.observer else f"seat {seat}"


def _packed(head: str, *groups: Sequence[str]) -> list[str]:
    """Pieces behind a head, as many on a line as fit; groups of them are set apart."""
    if not any(groups):
        return [head.rstrip()]
    lines, hang, joint = [head], " " * (len(head) - len(head.lstrip()) + _HANG), ""
    used = _width(head)
    for group in groups:
        for piece in group:
            if joint and used + _width(joint + piece) > WIDTH:
                lines.append(hang)
                used, joint = len(hang), ""
            lines[-1] += joint + piece
            used += _width(joint + piece)
            joint = " "
        joint = " · "
    return lines


def _beginning(names: Iterable[str]) -> str:
    """What all of them begin with."""
    return "".join(one for one, *_ in takewhile(lambda chars: len(set(chars)) == 1, zip(*names, strict=False)))


def _width(markup: str) -> int:
    """Columns of a markup, blanks at its ends counted."""
    return columns(unmarked((f"|{markup}|",))[0]) - 2


def _safe(text: str) -> str:
    """A text that is no markup."""
    return text.replace("[", "\\[")
