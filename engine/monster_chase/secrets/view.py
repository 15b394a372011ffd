"""What one observer of Monster Chase knows, folded from its events: the same values as MonsterChaseGame.observation.

All but hands and the deck is public, and told word by word (event STATE). Beside the rows of fields.py an observation has

    hands       per car the ids of its cards, None where the observer doesn't see them
    unseen      per id of a movement card that the observer sees nowhere: how many there are, in the decks and in hidden hands
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.events import FoldingView
from seatmate.engine.monster_chase.content import vocabulary as v
from seatmate.engine.monster_chase.content.pack import STEP_WORDS, numbers
from seatmate.engine.monster_chase.secrets.fields import FIELDS

if TYPE_CHECKING:
    from seatmate.engine.monster_chase.game import MonsterChaseGame

_TURNED = {STEP_WORDS.index(word) for word in ("boss_star", "boss_move")}
"""Steps in which a card of the Boss lies on the table."""


def on_table(raw: Mapping[str, Any]) -> list[int]:
    """The types of cards that are being played."""
    types = [frame["card"] for frame in raw["frames"] if frame["card"] != v.NONE and (
        frame["kind"] == v.C_BOSS or (frame["kind"] == v.C_CARD and frame["how"] != v.BY_MANOEUVRE))]
    if raw["phase"] in _TURNED and raw["chosen"] < v.TYPES:
        types.append(raw["chosen"])
    return types


def unseen(total: Sequence[int], raw: Mapping[str, Any], hands: Sequence[Sequence[int] | None]) -> list[int]:
    """Per type, how many cards lie neither in a discard pile nor below a board nor on the table nor in a hand that is seen."""
    left = [copies - gone for copies, gone in zip(total, raw["discard"], strict=True)]
    spirits = [car["spirit"] for car in raw["cars"] if car["spirit"] != v.NONE]
    for type_ in (*on_table(raw), *spirits, *(type_ for hand in hands if hand is not None for type_ in hand)):
        left[type_] -= 1
    return left


def visible_hands(game: MonsterChaseGame, raw: Mapping[str, Any], observer: int | None) -> list[list[int] | None]:
    """The hands of a true state as an observer sees them; None: everything."""
    return [[type_ for type_ in raw["hand"][car] if type_ != v.NONE] if observer is None or game.sees(observer, car) else None
            for car in range(game.vehicles)]


def show_hands(game: MonsterChaseGame, raw: Mapping[str, Any], hands: Sequence[Sequence[int] | None]) -> dict[str, Any]:
    """For an observation."""
    ids = game.names.types
    left = unseen(game.total, raw, hands)
    return {"hands": [None if hand is None else [ids[type_] for type_ in hand] for hand in hands],
            "unseen": {ids[type_]: n for type_, n in enumerate(left) if n}}


class MonsterChaseView(FoldingView):
    """Folds the events of Monster Chase; the module's docstring has the values."""

    SAYS_ONLY = frozenset(numbers("E_")) - {"STATE", "HAND", "PLAY", "DISCARD"}

    def __init__(self, game: MonsterChaseGame, observer: int) -> None:
        super().__init__(game.spec, game.seats, observer)
        self.game = game
        self.data = bytearray(FIELDS.size)
        self.hands: list[list[int] | None] = [[] if game.sees(observer, car) else None for car in range(game.vehicles)]

    def on_state(self, at: int, *words: int) -> None:
        """What has changed in the public part."""
        for place, word in enumerate(words, at):
            self.data[4 * place:4 * place + 4] = (word & 0xFFFFFFFF).to_bytes(4, "little")

    def on_hand(self, car: int, type_: int) -> None:
        """A card comes into a hand that the observer sees."""
        hand = self.hands[car]
        if hand is None:
            raise ValueError(f"the observer does not see the hand of vehicle {car}")
        hand.append(type_)
        hand.sort()

    def on_play(self, car: int, type_: int) -> None:
        """A card leaves a hand."""
        hand = self.hands[car]
        if hand is not None:
            hand.remove(type_)

    on_discard = on_play

    def body(self) -> dict[str, Any]:
        """The rows, and the hands."""
        raw, shown = self.game.public.of(bytes(self.data))
        return {**shown, **show_hands(self.game, raw, self.hands)}
