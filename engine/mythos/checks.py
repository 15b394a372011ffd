"""Is this view one that a game can show? Views come from anybody; the rules core trusts what is loaded into it."""
from __future__ import annotations


def check_board(game, values):
    """Later."""
    pass


def check_view(game, values, seat):
    """Later."""
    pass
