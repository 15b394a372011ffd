"""What is in the box, and how it gets into C.

vocabulary  the words of effects, questions and events, as numbers
pack        the schema of a pack, and the notation's vocabulary
link        from the effects of cards to rows
book        settings and rows as the C struct the rules read
"""
