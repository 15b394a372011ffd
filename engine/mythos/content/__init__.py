"""What is in the box, and how it gets into C.

vocabulary   the words of the notation, prompts, answers and events, as numbers
pack         the pack: its schema, the words its effects may use, loading
decks        deck lists, what a legal deck is, ready-made and random ones
link         a pack as flat rows: lines, selectors, statics, characters, missions
tables       settings and those rows as the C struct of constants
"""
