"""Decks: text lists, what a legal deck is, ready-made and random ones.

A list is text with one card per line (or separated by commas or semicolons), cards as "2 KS-009", "2xKS-009" or "2KS-009" and
missions as "MSS-04"; what follows a # is a comment:

    2 KS-009
    1 KS-010    # Naruto Uzumaki
    MSS-02
"""
from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seatmate.engine.core.errors import suggest
from seatmate.engine.core.spec import DeckList

if TYPE_CHECKING:
    from seatmate.engine.mythos.content.pack import MythosPack

UNKNOWN = "unknown"
"""As an option's value with closed lists: a deck one has not been told, "unknown:30" of so many cards."""

MAX_PROBLEMS = 5
"""An error text names so many problems of a deck, unless it is asked for all."""

RANDOM = "random"
"""As an option's value: a random legal deck, another one for each seat; "random:17" is one of one's own choice."""

_ENTRY = re.compile(r"(?:(\d{1,3})\s*(?:[xX]\s*|\s))?([A-Za-z0-9]{1,6}-\d{1,4})")


class DeckError(ValueError):
    """A deck list that cannot be read, or a deck that is not legal; the text names the card."""


@dataclass(frozen=True, slots=True)
class Deck:
    """`cards`: kinds of the characters, ascending; `missions`: three numbers of missions, ascending."""

    cards: tuple[int, ...]
    missions: tuple[int, ...]


def read_list(text: str, pack: MythosPack) -> Deck:
    """The deck of a text list, legal or not. Raises DeckError that quotes all that cannot be read."""
    deck, wrong = _entries(text, pack)
    if wrong:
        raise DeckError(_together(wrong))
    return deck


def _entries(text: str, pack: MythosPack) -> tuple[Deck, list[str]]:
    """What can be read of a text list, and one sentence for each entry that cannot."""
    kinds = {card.id: kind for kind, card in enumerate(pack.character)}
    missions = {mission.id: number for number, mission in enumerate(pack.mission)}
    cards: Counter[int] = Counter()
    chosen: list[int] = []
    wrong: list[str] = []
    for entry in (part.strip() for line in text.splitlines() for part in re.split("[,;]", line.partition("#")[0])):
        if not entry:
            continue
        match = _ENTRY.fullmatch(entry)
        if match is None:
            wrong.append(f"{_short(entry)!r} is not a card; write it as \"2 KS-009\", or a mission as \"MSS-04\"")
            continue
        count, card = int(match[1] or 1), match[2].upper()
        if card not in kinds and card not in missions and match[1] is None:
            count, card = _stuck_together(card, [*kinds, *missions])
        if count == 0:
            wrong.append(f"{_short(entry)!r} asks for no card at all")
        elif card in missions:
            chosen += [missions[card]] * count
        elif card in kinds:
            cards[kinds[card]] += count
        else:
            wrong.append(f"there is no card {match[2]}{suggest(card, [*kinds, *missions])}")
        if cards.total() > 999 or len(chosen) > 99:
            return Deck((), ()), [*wrong, "the list is endless"]
    return Deck(tuple(sorted(cards.elements())), tuple(sorted(chosen))), wrong


def _stuck_together(entry: str, ids: list[str]) -> tuple[int, str]:
    """Count and card of "2KS-009", if only one reading of it names a card; else 1 and the entry as it is."""
    readings = [(int(entry[:end]), entry[end:]) for end in range(1, 4) if entry[:end].isdecimal() and entry[end:] in ids]
    return readings[0] if len(readings) == 1 else (1, entry)


def _together(wrong: list[str], most: int = MAX_PROBLEMS) -> str:
    """Problems as one text, of which the first are named."""
    more = len(wrong) - most
    return "; ".join([*wrong[:most], *([f"and {more} problem{'s' if more > 1 else ''} more"] if more > 0 else [])])


def write_list(deck: Deck, pack: MythosPack) -> str:
    """The deck as a text list, one line per card; `read_list` reads it back."""
    lines = [f"{count} {pack.character[kind].id}" for kind, count in sorted(Counter(deck.cards).items())]
    return "\n".join([*lines, *(pack.mission[number].id for number in deck.missions)])


def problems(deck: Deck, pack: MythosPack) -> list[str]:
    """Why the deck is not legal (R1 to R3), one sentence each; empty if it is."""
    limits, found = pack.limits, []
    if not limits.deck_min <= len(deck.cards) <= limits.deck_max:
        found.append(f"it has {len(deck.cards)} characters; {limits.deck_min} to {limits.deck_max} are allowed")
    for kind, count in sorted(Counter(deck.cards).items()):
        if count > limits.copies_max:
            card = pack.character[kind]
            found.append(f"it has {count} x {card.id} ({_title(card.name, pack)}, {card.version}); "
                         f"at most {limits.copies_max} of a version are allowed")
    for number, count in sorted(Counter(deck.missions).items()):
        if count > 1:
            found.append(f"it has {count} x {pack.mission[number].id} ({pack.mission[number].title}); "
                         f"the missions must be different")
    if len(deck.missions) != limits.deck_missions:
        found.append(f"it has {len(deck.missions)} missions; it must have {limits.deck_missions}")
    return found


def _short(text: str) -> str:
    """Text of any length as an error can quote it."""
    return text if len(text) <= 40 else f"{text[:37]}..."


def _title(name: str, pack: MythosPack) -> str:
    return next(row.title for row in pack.name if row.key == name)


def ready_deck(key: str, pack: MythosPack) -> Deck:
    """A ready-made deck of the pack. Raises KeyError."""
    row = next((deck for deck in pack.deck if deck.key == key), None)
    if row is None:
        raise KeyError(key)
    return read_list("\n".join((*row.cards, *row.missions)), pack)


def random_deck(pack: MythosPack, seed: int, size: int | None = None) -> Deck:
    """A uniformly random legal deck, by default of the smallest size; the same for the same seed."""
    chance = random.Random(seed)
    copies = [kind for kind in range(len(pack.character)) for _ in range(pack.limits.copies_max)]
    return Deck(tuple(sorted(chance.sample(copies, size or pack.limits.deck_min))),
                tuple(sorted(chance.sample(range(len(pack.mission)), pack.limits.deck_missions))))


def is_unknown(value: str) -> bool:
    """Does the option's value say that the deck is not told?"""
    return value.partition(":")[0].strip() == UNKNOWN


def deck_of_option(value: str, pack: MythosPack, seat: int = 0, *, most: int = MAX_PROBLEMS) -> Deck:
    """The legal deck an option's value means: a ready-made one, "random", "random:SEED" or a list.

    Raises DeckError that names so many problems (`most`).

    A plain "random" is "random:0" for seat 0 and "random:1" for seat 1, so that the seats have different decks.
    For "unknown:30" some deck of that size stands in, at which nobody who doesn't know the deck ever looks.
    """
    keys = [deck.key for deck in pack.deck]
    if value in keys:
        return ready_deck(value, pack)
    word, _, seed = value.partition(":")
    if word.strip() == RANDOM:
        if seed.strip() and not (seed.strip().isdecimal() and len(seed.strip()) <= 18):
            raise DeckError(f"{_short(value)!r} is not a random deck; write \"random\" or \"random:17\"")
        return random_deck(pack, int(seed.strip() or seat))
    if is_unknown(value):
        least, most = pack.limits.deck_min, pack.limits.deck_max
        if not seed.strip().isdecimal() or len(seed.strip()) > 9 or not least <= int(seed) <= most:
            raise DeckError(f"{_short(value)!r} does not say how many cards the deck has; write \"unknown:{least}\" "
                            f"({least} to {most} are possible)")
        return random_deck(pack, 0, int(seed))
    if re.fullmatch(r"\w+", value):
        raise DeckError(f"no deck is called {_short(value)!r}{suggest(value, [*keys, RANDOM])}")
    return _legal_deck(value, pack, most)


def _legal_deck(text: str, pack: MythosPack, most: int) -> Deck:
    """The legal deck of a text list. Raises DeckError: what cannot be read, and which versions there are too many of.

    That a deck is too small is no news where some of its cards could not be read.
    """
    deck, wrong = _entries(text, pack)
    if len(wrong) > MAX_PROBLEMS and not _ENTRY.search(text):
        raise DeckError(f"this is no deck list: {wrong[0]}")
    if wrong:
        raise DeckError(_together([*wrong, *(problem for problem in problems(deck, pack) if " x " in problem)], most))
    if broken := problems(deck, pack):
        raise DeckError(f"the deck is not legal: {_together(broken, most)}")
    return deck


def describe(deck: Deck, pack: MythosPack) -> DeckList:
    """The deck in words."""
    rows = [(count, pack.character[kind]) for kind, count in sorted(Counter(deck.cards).items())]
    entries = [(count, card.id, f"{_title(card.name, pack)} ({card.version})") for count, card in rows]
    entries += [(1, mission.id, mission.title) for mission in (pack.mission[number] for number in deck.missions)]
    return DeckList(text=write_list(deck, pack), summary=f"{len(deck.cards)} characters, {len(deck.missions)} missions",
                    entries=tuple(entries))


def check_ready_decks(pack: MythosPack) -> Iterable[tuple[int, str]]:
    """What is wrong with the pack's own decks, with their numbers."""
    for number, row in enumerate(pack.deck):
        try:
            deck = ready_deck(row.key, pack)
        except DeckError as error:
            yield number, str(error)
        else:
            yield from ((number, problem) for problem in problems(deck, pack))
