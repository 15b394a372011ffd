"""What is in the box, and how it gets into C.

vocabulary  the words of effects, questions and events, as numbers
pack        the schema of a pack, and the notation's vocabulary
link        from the effects of cards to rows
circuits    which tiles make a circuit, how they lie on the table, random ones
track       from tile sides to the squares of a circuit, with their links
plan        from settings to who drives what, on which track, against whom
book        settings, rows and squares as the C struct the rules read
"""
