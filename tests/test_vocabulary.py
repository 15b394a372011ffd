"""What a game's effect notation offers, its packs use: nothing is written, explained and tested for no card at all."""
from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Iterator
from typing import Any

import pytest

from seatmate.engine.core.effects import OPERATORS, WHO, Argument, Name, Value
from seatmate.engine.core.effects_compile import _Compiler
from seatmate.engine.core.effects_parse import parse_line
from seatmate.engine.core.effects_program import LINE_FLAGS
from seatmate.engine.core.effects_vocabulary import EXTREMES, Kind, Param, Signature, Vocabulary
from seatmate.engine.core.packs import EffectText, LoadedPack, PackSchema, _walk
from seatmate.engine.core.registry import game_spec, list_games

NAMED = ("triggers", "verbs", "bases", "atoms", "attributes", "picks", "amounts", "conditions", "registers", "parts", "who")

KEPT: dict[str, dict[str, str]] = {
    "": {">": "the six comparisons stand together"},
    "hundred_days": {"words.cost.T": "one of the four resources, all of which costs can name"},
    "mythos": {"RECOVER(cards)": "filters cards as PLAY and TAKE_LOOKED do; without it, addresses in saved positions would change"},
    "titans": {
        "MELEE(bonus)": "always 0 in a pack: the linker adds the DMG that belongs to the attack",
        "RANGED(bonus)": "likewise",
    },
}
"""What no pack uses, and why it is there all the same."""


class Marked(dict[str, Any]):
    """A table that remembers which of its rows were read."""

    def __init__(self, rows: dict[str, Any]) -> None:
        super().__init__(rows)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return super().__getitem__(name)


class Marking(_Compiler):
    """A compiler that notes what its lines are made of."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.tables: dict[str, Any] = {name: Marked(dict(getattr(vocabulary, name))) for name in NAMED}
        self.words = {name: Marked(dict(words)) for name, words in vocabulary.words.items()}
        super().__init__(dataclasses.replace(vocabulary, **self.tables, words=self.words))
        self.given: set[str] = set()

    def bind(self, signature: Signature, name: str, args: tuple[Argument, ...], at: int) -> list[tuple[Param, Value | int]]:
        free = [param.name for param in signature.params if param.kind is not Kind.FLAG]
        flags = {param.name for param in signature.params} - set(free)
        for arg in args:
            flag = arg.value.name if isinstance(arg.value, Name) and arg.value.name in flags else ""
            self.given.add(f"{name}({arg.key or flag or free.pop(0)})")
        return super().bind(signature, name, args, at)

    def used(self) -> set[str]:
        """Rows as `verbs.HIDE`, words as `words.zone.hand`, parameters that may be left out as `HIDE(by)`."""
        tables = {f"{table}.{name}" for table, rows in self.tables.items() for name in rows.read}
        return tables | {f"words.{kind}.{word}" for kind, words in self.words.items() for word in words.read} | self.given


def offered(vocabulary: Vocabulary) -> Iterator[str]:
    """Everything of a vocabulary, named as `Marking.used` does; words that a pack brings are left out."""
    for table in NAMED:
        yield from (f"{table}.{name}" for name in getattr(vocabulary, table))
    for kind, words in vocabulary.words.items():
        yield from (f"words.{kind}.{word}" for word in words)
    for table in ("verbs", "bases", "atoms", "amounts", "conditions"):
        for name, signature in getattr(vocabulary, table).items():
            yield from (f"{name}({param.name})" for param in signature.params if param.default is not None)


def packs_of(game: str) -> list[LoadedPack[PackSchema]]:
    spec = game_spec(game)
    assert spec.load_pack is not None
    return [spec.load_pack(name) for name in spec.packs]


def lines_of(pack: LoadedPack[PackSchema]) -> list[str]:
    return [str(text) for _, text in _walk(pack.content, ()) if isinstance(text, EffectText) and text]


def unused(vocabulary: Vocabulary, lines: list[str]) -> set[str]:
    """What of a vocabulary no line is made of."""
    compiler = Marking(vocabulary)
    for line in lines:
        compiler.line(line)
    return set(offered(vocabulary)) - compiler.used()


GAMES = [spec.id for spec in list_games() if spec.packs]


def own_vocabulary(game: str) -> Vocabulary:
    """A game's vocabulary without the words of a pack."""
    found: Vocabulary = importlib.import_module(f"seatmate.engine.{game}.content.pack").VOCABULARY
    return found


@pytest.mark.parametrize("game", GAMES)
def test_packs_use_what_a_vocabulary_offers(game: str) -> None:
    """A row that no card uses is dropped, or kept for a reason; a reason falls with the first card."""
    rows = set(offered(own_vocabulary(game)))
    for pack in packs_of(game):
        assert pack.vocabulary is not None and len(lines_of(pack)) > 10 and len(rows) > 20
        rows &= unused(pack.vocabulary, lines_of(pack))
    assert rows == KEPT.get(game, {}).keys()


def test_packs_use_what_the_notation_offers() -> None:
    trees = "".join(repr(parse_line(line)) for game in GAMES for pack in packs_of(game) for line in lines_of(pack))
    kinds = ((WHO, "who='{}'"), (LINE_FLAGS, "flags=('{}',"), (OPERATORS, "op='{}'"), (EXTREMES, "Atom(name='{}'"))
    assert {option for options, written in kinds for option in options if written.format(option) not in trees} == KEPT[""].keys()
    for written in ("register=''", "pay=(S", "may=True", "after=True", "chained=True", "negated=True", "negative=True",
                    "otherwise=(S", "when=(T", "plus=1"):
        assert written in trees


def test_a_row_without_a_card_is_found() -> None:
    """One more row of each kind, one parameter more, and a card for what was kept."""
    (pack,) = packs_of("titans")
    vocabulary, lines = own_vocabulary("titans"), lines_of(pack)
    heal = vocabulary.verbs["HEAL"]
    heals = dataclasses.replace(heal, params=(*heal.params, Param.flag("new")))
    tables: dict[str, Any] = {table: {**getattr(vocabulary, table), "new": Signature(99)}
                              for table in ("bases", "atoms", "amounts", "conditions")}
    more = dataclasses.replace(
        vocabulary,
        verbs={**vocabulary.verbs, "SING": Signature(99), "HEAL": heals},
        words={**vocabulary.words, "icon": {**vocabulary.words["icon"], "MOON": 30}},
        **tables,
    )
    found = {"verbs.SING", "HEAL(new)", "bases.new", "atoms.new", "amounts.new", "conditions.new", "words.icon.MOON"}
    assert unused(more, lines) == found | KEPT["titans"].keys()
    assert unused(vocabulary, [*lines, "MELEE(0)"]) == {"RANGED(bonus)"}
