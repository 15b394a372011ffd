"""Who knows what.

sampling     worlds that a seat can't tell from the true one
view         what a seat knows, folded from its events
checks       is this view one that a game can show?
fields       the rows of the state: each byte of it once
"""
