"""What is in the box, and how it gets into C.

vocabulary   the words of the notation, prompts, answers and events, as numbers
pack         the pack: its schema, the words its effects may use, loading
maps         the two maps
teams        options in place of the draft and the first roll
link         a pack as flat rows: code, selectors, cards, characters
tables       settings and those rows as the C struct of constants
"""
