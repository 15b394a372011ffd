"""Who knows what.

sampling    worlds a seat can't tell apart
fields      the rows of the state: positions as values and back
view        what an observer knows, folded from its events
checks      is this view one that a game can show?
"""
