"""How it is said.

names        ids and titles of a pack, prompts, how a game ended
events       one row for each event, with its sentence
cards        cards and characters: their effects in English
glossary     the terms of the game
scene        the table as things in places
labels       answers and questions
board        the table in a terminal
"""
