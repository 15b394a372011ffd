"""Options that replace the draft and the first roll: who plays which characters, and who begins."""
from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from seatmate.engine.core.errors import SettingsError, unlisted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seatmate.engine.titans.game import TitansGame
    from seatmate.engine.titans.words.names import Names

DRAFT, DICE = "draft", "dice"
"""Values of the options team0, team1 and of initiative: nothing is given."""


def given_teams(names: Names, options: Mapping[str, Any]) -> list[int] | None:
    """The character of each piece, or None where they are drafted. Raises SettingsError."""
    wanted = [str(options[f"team{team}"]) for team in range(2)]
    if wanted == [DRAFT, DRAFT]:
        return None
    found: list[int] = []
    for team, text in enumerate(wanted):
        where = f"options.team{team}"
        if text == DRAFT:
            raise SettingsError(where, f"team{team} is drafted and team{1 - team} is not; give both or neither")
        pair = [key.strip() for key in text.split("+")]
        for key in pair:
            if key not in names.character_number:
                raise SettingsError(where, unlisted(key, names.characters))
        if len(pair) != 2 or pair[0] == pair[1]:
            raise SettingsError(where, f"{text!r} are not two different characters, such as robin+raven")
        for key in pair:
            if names.character_number[key] in found:
                raise SettingsError(where, f"{names.titles[names.character_number[key]]} can't be in both teams")
        found += [names.character_number[key] for key in pair]
    return found


def opposing_pairs(game: TitansGame) -> list[tuple[str, str]]:
    """Values of team0 and team1 that may meet: a character is in one team only, so that a pair meets the other two."""
    if game.settings.mode != "duel":
        return []
    pairs = list(itertools.combinations(game.names.characters, 2))
    return [("+".join(a), "+".join(b)) for a in pairs for b in pairs if not set(a) & set(b)]
