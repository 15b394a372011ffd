"""Cards and tiles for a person: their effects in English, made from the effect notation."""
from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.effects import Atom, Selector, Step, Value
from seatmate.engine.core.effects_parse import parse_line
from seatmate.engine.core.effects_words import names_in
from seatmate.engine.core.spec import counted, words
from seatmate.engine.hundred_days.content.pack import PLACES, TYPES, VOCABULARY
from seatmate.engine.hundred_days.words.glossary import GLOSSARY
from seatmate.engine.hundred_days.words.names import RESOURCES, resources

if TYPE_CHECKING:
    from seatmate.engine.hundred_days.content.pack import Card, Tile
    from seatmate.engine.hundred_days.words.names import Names

_SAID = {"action": "a blue card, an action", "place": "a blue card, a place", "reaction": "an orange card, a reaction",
         "item": "a green card, an item", "character": "a green card, a character"}
_HEADS = {"do": "", "round": "until the end of the round ", "use": "when used up, ", "enter": "when played, ", "passive": ""}


def _number(value: Value) -> str:
    return str(getattr(value, "value", ""))


def _selector(selector: Selector) -> str:
    """`an item in an opponent's play area`."""
    docs = [VOCABULARY.atoms[part.name].doc for part in selector.filters if isinstance(part, Atom)]
    said = VOCABULARY.bases[selector.base].doc
    return " ".join([_counted(said, _number(selector.args[0].value)) if selector.args else said, *docs])


def _counted(said: str, n: str) -> str:
    """`so many cards` with the number: `2 cards`, `1 card`."""
    said = re.sub("so many|so much", n, said)
    return re.sub(r"\b1 ((?:more |other |garage |additional )?\w+?)s\b", r"1 \1", said)


def _step(step: Step) -> str:
    """The verb's meaning with its numbers and words."""
    signature = VOCABULARY.verbs[step.verb]
    said = signature.doc
    for param, argument in zip(signature.params, step.args, strict=False):
        if param.name == "n":
            said = _counted(said, _number(argument.value))
        elif param.words in ("party", "manner", "chooser"):
            meaning = VOCABULARY.word_docs[param.words][names_in(argument.value)[0]]
            said += f" ({'chosen by ' if param.words == 'chooser' else ''}{meaning})"
        elif param.words == "resource":
            said = said.replace("these types", words([RESOURCES[TYPES.index(name)] for name in names_in(argument.value)], "or"))
    return said


def effect(text: str) -> str:
    """A line of effect as a sentence."""
    line = parse_line(text)
    assert line.head is not None
    if line.head.trigger == "react":
        when = VOCABULARY.word_docs["event"][line.head.events[0].name].replace("... ", "an opponent ")
        said = f"react {'' if when.startswith('at ') else 'when '}{when}: "
    else:
        said = _HEADS[line.head.trigger]
    chosen = [f"{target.register} is {_selector(target.selector)}" for target in line.targets if target.register]
    for step in line.pay:
        if isinstance(step, Step):
            type_ = names_in(step.args[1].value)[0] if len(step.args) > 1 else "of one type"
            said += f"pay {_number(step.args[0].value)} {type_}: "
    said += "; ".join(_step(step) for step in line.body if isinstance(step, Step))
    said += f" ({words(chosen)})" if chosen else ""
    return said[0].upper() + said[1:] + "."


def card_lines(card: Card) -> tuple[str, ...]:
    """All of a card: what it is, then a sentence for each effect."""
    said = f"{_SAID[card.kind]} ({card.id})"
    if card.green:
        pawns = "a pawn" if len(card.places) == 1 else "pawns"
        said += f", {counted(card.points, 'point')}, needs {pawns} on {words([str(place) for place in card.places])}"
    said += f", icon DIM {card.dimension}" if card.dimension else ""
    said += ", icon SUB" if card.substitute else ""
    return (f"{said}.", *(effect(str(line)) for line in card.effects))


def card_text(card: Card) -> str:
    """All of a card in a row."""
    return " ".join(card_lines(card))


def tile_lines(tile: Tile) -> tuple[str, str]:
    """All of a tile: what closing it brings, what standing there brings."""
    return (f"a dimension ({tile.id}): {counted(tile.points, 'point')} for {resources(tile.cost)}.",
            f"Harvest {resources(tile.harvest)}; cards {tile.single} for Rick alone, {tile.between:+d} between.")


def tile_text(tile: Tile) -> str:
    """All of a tile in a row."""
    return " ".join(tile_lines(tile))


def meanings(names: Names) -> dict[str, str]:
    """All that can be looked up: the words, then the cards and tiles by their titles and ids."""
    titled = {f"{card.title}, {card.id}": card_text(card) for card in names.pack.card}
    return GLOSSARY | titled | {f"{tile.title}, {tile.id}": tile_text(tile) for tile in names.pack.tile}


def places(names: Names, seen: Mapping[str, Any]) -> dict[str, str]:
    """What lies on the places now, by their numbers."""
    found = {"place 0, #0": f"the Smith house, {GLOSSARY['Smith house, house']}"}
    for place in range(1, PLACES + 1):
        tile = seen["places"][place]
        found[f"place {place}, #{place}"] = ("a black hole: nobody can go there." if tile is None else
                                             f"{names.tile_titles[tile]}, {tile_text(names.pack.tile[tile])}")
    return found
