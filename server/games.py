"""The games of tables and positions: one object for all with the same settings. To make one reads and links a whole pack."""
from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from seatmate.engine.core.game import Game
from seatmate.engine.core.registry import game_spec, new_game
from seatmate.engine.core.spec import GameSpec, make_settings

_MOST = 128

_making = threading.Lock()      # logs are replayed in threads, too
_made: OrderedDict[tuple[int, str, bool], tuple[GameSpec, Game]] = OrderedDict()     # least recently used first


def shared_game(game_id: str, *, mode: str | None = None, seats: int | None = None, options: Mapping[str, Any] | None = None,
                pack: str | None = None, described: bool = False) -> Game:
    """As new_game, and the same object as before for the same settings; a game does not change once it is made."""
    spec = game_spec(game_id)
    settings = make_settings(spec, mode=mode, seats=seats, options=options, pack=pack)
    key = id(spec), json.dumps(settings.to_json(), sort_keys=True), described
    with _making:
        if key not in _made:
            game = new_game(game_id, mode=mode, seats=seats, options=options, pack=pack, described=described)
            _made[key] = spec, game     # a spec that is kept is no other one's id
            if len(_made) > _MOST:
                _made.popitem(last=False)
        _made.move_to_end(key)
        return _made[key][1]
