"""Who knows what.

knowledge    what a seat knows of hidden cards, and worlds it can't tell from the true one (7)
view         what a seat knows, folded from its events
checks       is this view one that a game can show?
"""
