"""Who knows what.

knowledge    what a seat knows of cards that it saw and lost from sight (7.2)
tracks       the same rules once more, for views: it checks knowledge
sampling     worlds that a seat can't tell from the true one (7.3, 7.4)
view         what a seat knows, folded from its events
checks       is this view one that a game can show?
fields       the rows of the state
positions    positions as plain values, and back
"""
